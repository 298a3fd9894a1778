"""The position of a cursor in a card file that may be half typed: under which keys, and in which scalar.

Only the entry around the cursor is parsed, up to the cursor and with a marker character inserted there. So
errors elsewhere in the file and its length do not matter, and the YAML parser itself decides in which scalar
the cursor is: the one with the marker.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

import yaml
from msgspec import Struct
from msgspec.structs import replace
from yaml import events

from toolkit.data.tree import DEEPEST, default_parser

_PRIVATE_USE = tuple(map(chr, range(0xE000, 0xE010)))
"""Candidates for the marker; one that the file does not contain is taken."""
_SECTION = re.compile(r"(?m)^[^\s#-].*$")
_TOP = re.compile(r"(?m)^([\w-]+):")
_KIND = re.compile(r"""(?:^|[\s{,])kind:[ \t]*["']?([a-z]+)""")
_MAX_LINES = 2000
"""How many lines below the cursor are searched for keys of the same entry."""


class Cursor(Struct, frozen=True):
    """A position in a card file.

    ``path`` leads from the root of the file to the scalar, or for a key to the mapping around it. An item of
    a list has its index, and the entry always 0. ``before`` is the value of the scalar up to the cursor,
    ``style`` how it is written. ``siblings`` are the other keys of the same mapping, ``kind`` is the kind of
    card according to the entry.
    """

    path: tuple[str | int, ...]
    is_key: bool
    before: str
    style: str
    in_flow: bool
    siblings: frozenset[str]
    kind: str | None = None


class _Frame(Struct):
    """An open list or mapping: ``key`` is the key of a mapping whose value comes next, ``index`` a list's."""

    is_mapping: bool
    in_flow: bool
    keys: set[str]
    key: str | None = None
    index: int = 0

    @property
    def step(self) -> str | int:
        return self.key or "" if self.is_mapping else self.index


def cursor_at(text: str, offset: int, *, has_entries: bool = True) -> Cursor | None:
    """Return the cursor at an offset; None where there can be no key or value, such as in a comment.

    ``has_entries`` is False for the project file, which is one mapping.
    """
    mark = next((char for char in _PRIVATE_USE if char not in text), None)
    if mark is None:
        return None
    start, head = _entry_start(text, offset) if has_entries else (0, "")
    written = head + text[start:offset] + mark
    # what is being typed may be a key without its colon, or a text without its closing quote
    endings = ("", ":", '"', "'", '":', "':")
    found = next(filter(None, (_find(written + ending, mark) for ending in endings)), None)
    if found is None:
        return None
    end = len(text)
    if has_entries:  # the entry ends before the next one, or the next section
        indent = len(text[start:]) - len(text[start:].lstrip(" "))
        following = re.compile(rf"(?m)^(?: {{0,{indent}}}[^\s#])").search(text, max(offset, start + 1))
        end = following.start() if following else end
    rest = text[offset:end]
    kind = _KIND.search(text[start:offset]) or _KIND.search(rest)
    siblings = found.siblings
    if not found.path:
        siblings = frozenset(_TOP.findall(text))
    elif found.is_key and found.in_flow:
        siblings |= set(re.findall(r"([\w-]+):", rest.split("}", 1)[0]))
    elif found.is_key:
        line = text[text.rfind("\n", 0, offset) + 1 : offset]
        siblings |= _keys_below(rest, len(line) - len(line.lstrip(" -")))
    return replace(found, siblings=siblings, kind=kind[1] if kind else None)


def _keys_below(rest: str, column: int) -> set[str]:
    """Return the keys at a column in the lines after the first, up to the end of their mapping."""
    found = set()
    for line in rest.split("\n")[1:_MAX_LINES]:
        here = re.match(r"( *)(?:([\w-]+):)?", line)
        if line.strip() and here and len(here[1]) < column:
            break
        if here and here[2] and len(here[1]) == column:
            found.add(here[2])
    return found


def _entry_start(text: str, offset: int) -> tuple[int, str]:
    """Return where the entry around an offset begins, and its section's line if that is further above."""
    line = text.rfind("\n", 0, offset) + 1
    if line < len(text) and _SECTION.match(text, line):
        return line, ""
    section = _last(_SECTION.finditer(text, 0, line))
    if section is None:
        return 0, ""
    dash = re.compile(r"(?m)^([ ]*)-(?=[ \r\n])").search(text, section.end(), offset)
    if dash is None:
        return section.start(), ""
    entry = _last(re.compile(rf"(?m)^{dash[1]}-(?=[ \r\n])").finditer(text, dash.start(), offset)) or dash
    return entry.start(), section.group().split("#")[0].rstrip() + "\n"


def _last(found: Iterator[re.Match[str]]) -> re.Match[str] | None:
    return next(iter(deque(found, 1)), None)


def _find(text: str, mark: str) -> Cursor | None:
    """Return the cursor in the scalar with the mark; None if the parser does not get that far."""
    stack: list[_Frame] = []
    try:
        parser = default_parser()(text)
        while (event := parser.get_event()) is not None:
            if isinstance(event, events.ScalarEvent):
                if mark in event.value:
                    return _cursor(stack, event, mark)
                _take(stack, event.value)
            elif isinstance(event, (events.MappingStartEvent, events.SequenceStartEvent)):
                mapping = isinstance(event, events.MappingStartEvent)
                stack.append(_Frame(mapping, bool(event.flow_style), set()))
            elif isinstance(event, (events.MappingEndEvent, events.SequenceEndEvent)):
                stack.pop()
                _take(stack, None)
            elif isinstance(event, events.AliasEvent):
                _take(stack, None)
            if len(stack) > DEEPEST:
                return None
    except (yaml.YAMLError, ValueError, OverflowError):
        return None
    return None


def _take(stack: list[_Frame], value: str | None) -> None:
    """Record a complete key or value."""
    if not stack:
        return
    frame = stack[-1]
    if not frame.is_mapping:
        frame.index += 1
    elif frame.key is not None:
        frame.key = None
    else:
        frame.key = value or ""
        frame.keys.add(frame.key)


def _cursor(stack: list[_Frame], event: events.ScalarEvent, mark: str) -> Cursor:
    frame = stack[-1] if stack else None
    is_key = frame is not None and frame.is_mapping and frame.key is None
    path = tuple(frame.step for frame in (stack[:-1] if is_key else stack))
    before = event.value[: event.value.index(mark)]
    in_flow = frame is not None and frame.in_flow
    siblings = frozenset(frame.keys) if frame is not None and is_key else frozenset[str]()
    return Cursor(path, is_key, before, event.style or "", in_flow, siblings)
