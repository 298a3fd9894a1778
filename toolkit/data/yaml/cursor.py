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

from toolkit.data.yaml.stand_ins import stand_ins_for
from toolkit.data.yaml.yaml_tree import DEEPEST, default_parser

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
    ``after`` that behind it as far as it can be read, ``style`` how it is written. ``column`` is that of its
    key, or of the dash of its list. ``siblings`` are the other keys of the same mapping, or other items of
    the same list; ``kind`` is the kind of card according to the entry.

    ``is_on_line`` says that the value begins on the line of its key, or in brackets, so that a mapping needs
    braces there; ``lacks_space`` that it begins right at the colon of its key.
    """

    path: tuple[str | int, ...]
    is_key: bool
    before: str
    style: str
    in_flow: bool
    siblings: frozenset[str]
    column: int
    is_on_line: bool
    kind: str | None = None
    after: str = ""
    lacks_space: bool = False


class _Frame(Struct):
    """An open list or mapping: ``key`` is the key of a mapping whose value comes next, ``index`` a list's.

    ``words`` are the keys, or the items of a list. ``line`` and ``column`` are those of the last key, or of
    the beginning of a list.
    """

    is_mapping: bool
    in_flow: bool
    words: set[str]
    line: int
    column: int
    key: str | None = None
    index: int = 0

    @property
    def step(self) -> str | int:
        """The step of a path that leads into it."""
        return self.key or "" if self.is_mapping else self.index


def cursor_at(text: str, offset: int, *, has_entries: bool = True) -> Cursor | None:
    """Return the cursor at an offset; None where there can be no key or value, such as in a comment.

    ``has_entries`` is False for the project file, which is one mapping.
    """
    mark = next((char for char in _PRIVATE_USE if char not in text), None)
    if mark is None:
        return None
    start, head = _entry_start(text, offset) if has_entries else (0, "")
    written = head + text[start:offset]
    cursor = _first_found(written, mark)
    if cursor is not None and cursor.style == "" and re.fullmatch(r"[\w-]+:", cursor.before):
        # `key:` is read as a text as long as no space follows
        behind_colon = _first_found(f"{written} ", mark)
        cursor = replace(behind_colon, lacks_space=True) if behind_colon is not None else None
    if cursor is None:
        return None
    text_behind = text[offset : _entry_end(text, start, offset) if has_entries else len(text)]
    kind = _KIND.search(text[start:offset]) or _KIND.search(text_behind)
    siblings = cursor.siblings | _siblings_behind(text, offset, text_behind, cursor)
    after = _value_behind(text_behind, cursor)
    return replace(cursor, siblings=siblings, kind=kind[1] if kind else None, after=after)


def _entry_end(text: str, start: int, offset: int) -> int:
    """Return where the entry with a cursor in it ends: before the next one, or the next section."""
    indent = len(text[start:]) - len(text[start:].lstrip(" "))
    following = re.compile(rf"(?m)^(?: {{0,{indent}}}[^\s#])").search(text, max(offset, start + 1))
    return following.start() if following else len(text)


def _siblings_behind(text: str, offset: int, text_behind: str, cursor: Cursor) -> set[str]:
    """Return the other keys and items around a cursor that follow behind it; of a file all sections."""
    if not cursor.path:
        return set(_TOP.findall(text))
    if cursor.in_flow:
        return _siblings_in_brackets(text_behind)
    behind = set() if cursor.is_key else _items_below(text_behind, cursor.column)
    if not cursor.is_on_line:
        line = text[text.rfind("\n", 0, offset) + 1 : offset]
        behind |= _keys_below(text_behind, len(line) - len(line.lstrip(" -")))
    return behind


_PART_IN_BRACKETS = re.compile(
    r"""(?P<opens>[{\[])|(?P<closes>[}\]])|(?P<comma>,)|"[^"\n]*"|'[^'\n]*'|[^{}\[\],"']+|["']"""
)
_FLOW_KEY = re.compile(r"\s*([\w-]+)[ \t]*:(?=[\s{\[\"']|\Z)")


def _siblings_in_brackets(text_behind: str) -> set[str]:
    """Return the keys, or the items, that follow up to the end of the brackets."""
    depth, parts = 0, [""]
    for token in _PART_IN_BRACKETS.finditer(text_behind):
        if token["opens"]:
            depth += 1
        elif token["closes"]:
            depth -= 1
        if depth < 0 or len(parts) > _MAX_LINES:
            break
        if depth == 0 and token["comma"]:
            parts.append("")
        elif depth == 0:
            parts[-1] += token[0]
    part_at_cursor, *following_parts = parts
    keys = [_FLOW_KEY.match(part) for part in following_parts]
    if part_at_cursor.startswith(" "):  # else it is the rest of the word at the cursor
        keys.append(_FLOW_KEY.match(part_at_cursor))
    items = {part.strip().strip("\"'") for part in following_parts if not _FLOW_KEY.match(part)}
    return {key[1] for key in keys if key is not None} | items - {""}


def _first_found(written: str, mark: str) -> Cursor | None:
    """Return the cursor at the end of a text, which may end in a key without its colon, or an open quote."""
    endings = ("", ":", '"', "'", '":', "':")
    return next(filter(None, (_find(written + mark + ending, mark) for ending in endings)), None)


def _items_below(text_behind: str, column: int) -> set[str]:
    """Return the scalars behind dashes at a column in the lines after the first, in the same list."""
    dash = re.compile(rf" {{{max(column, 0)}}}- +([^\r\n]*)")
    items = []
    for line in text_behind.split("\n")[1:_MAX_LINES]:
        item = dash.match(line)
        if item:
            value, _, _comment = item[1].partition(" #")
            items.append(value)
        elif line.strip() and not line.startswith(" " * (column + 1)):
            break
    return {item.strip().strip("\"'") for item in items} - {""}


_IN_QUOTES = {"'": re.compile(r"((?:[^']|'')*)'"), '"': re.compile(r'((?:[^"\\]|\\["\\/])*)"')}
"""The rest of a scalar and its closing quote, by the quote."""
_PLAIN = re.compile(r"(?:[^\s:#]|[ \t]+(?=[^#\s])|:(?=\S)|(?<=\S)#)*")
_PLAIN_IN_FLOW = re.compile(r"(?:[^\s:#,\[\]{}]|[ \t]+(?=[^#\s,\[\]{}])|:(?=[^\s,\[\]{}])|(?<=\S)#)*")
"""The rest of a plain scalar on one line, outside and inside of brackets."""
_REST_OF_WORD = re.compile(r"[\w.-]*")
_MAX_LINES_OF_VALUE = 20


def _value_behind(text_behind: str, cursor: Cursor) -> str:
    """Return the value of the scalar behind the cursor, without the indentation of its lines.

    Where its end cannot be told, as in quotes that are not closed, it is the rest of the word.
    """
    lines = _lines_of_value(text_behind, cursor.column)
    if cursor.style in _IN_QUOTES:
        quoted = _IN_QUOTES[cursor.style].match("\n".join(lines))
        if quoted is None:
            return _word_behind(lines[0])
        return quoted[1].replace("''", "'") if cursor.style == "'" else re.sub(r"\\(.)", r"\1", quoted[1])
    if cursor.style:
        return "\n".join(lines)
    plain = _PLAIN_IN_FLOW if cursor.in_flow else _PLAIN
    value: list[str] = []
    for line in lines:
        end = _end_of(plain, line)
        if line[end : end + 1] == ":":  # behind the scalar follows a key: they are not one text
            return "\n".join([*value, _word_behind(line)])
        value.append(line[:end])
        if line[end:].strip() and not line[end:].lstrip().startswith("#"):
            break
    return "\n".join(value)


def _lines_of_value(text_behind: str, column: int) -> list[str]:
    """Return the rest of the line, and the lines below that are indented more than a column."""
    first, *following_lines = text_behind.split("\n", _MAX_LINES_OF_VALUE)
    lines = [first.rstrip("\r")]
    for line in following_lines[: _MAX_LINES_OF_VALUE - 1]:
        if line.strip() and len(line) - len(line.lstrip(" ")) <= column:
            break
        lines.append(line.strip())
    while len(lines) > 1 and not lines[-1]:
        del lines[-1]
    return lines


def _end_of(pattern: re.Pattern[str], line: str) -> int:
    match = pattern.match(line)
    return match.end() if match else 0


def _word_behind(line: str) -> str:
    return line[: _end_of(_REST_OF_WORD, line)]


def _keys_below(text_behind: str, column: int) -> set[str]:
    """Return the keys at a column in the lines after the first, up to the end of their mapping."""
    keys = set()
    for line in text_behind.split("\n")[1:_MAX_LINES]:
        indent = len(line) - len(line.lstrip(" "))
        if line.strip() and indent < column:
            break
        key = re.match(r"([\w-]+):", line[indent:])
        if key and indent == column:
            keys.add(key[1])
    return keys


def _entry_start(text: str, offset: int) -> tuple[int, str]:
    """Return where the entry around an offset begins, and its section's line if that is further above.

    Entries begin with a dash that is indented as the first one of the section.
    """
    line_start = text.rfind("\n", 0, offset) + 1
    if line_start < len(text) and _SECTION.match(text, line_start):
        return line_start, ""
    section = _last(_SECTION.finditer(text, 0, line_start))
    if section is None:
        return 0, ""
    first_dash = re.compile(r"(?m)^(?P<indent>[ ]*)-(?=[ \r\n])").search(text, section.end(), offset)
    if first_dash is None:
        return section.start(), ""
    dash = re.compile(rf"(?m)^{first_dash['indent']}-(?=[ \r\n])")
    entry = _last(dash.finditer(text, first_dash.start(), offset)) or first_dash
    header, _, _comment = section.group().partition("#")
    return entry.start(), header.rstrip() + "\n"


def _last(matches: Iterator[re.Match[str]]) -> re.Match[str] | None:
    """Return the last match, if any, without keeping those before."""
    return next(iter(deque(matches, 1)), None)


def _find(text: str, mark: str) -> Cursor | None:
    """Return the cursor in the scalar with the mark; None if the parser does not get that far."""
    open_frames: list[_Frame] = []
    stand_ins = stand_ins_for(text)
    try:
        parser = default_parser()(text if stand_ins is None else stand_ins.text)
        while (event := parser.get_event()) is not None:
            if isinstance(event, events.ScalarEvent):
                if stand_ins is not None and event.start_mark and event.end_mark:
                    written = text[event.start_mark.index : event.end_mark.index]
                    event.value = stand_ins.value(event.value, written)
                if mark in event.value:
                    return _cursor(open_frames, event, mark)
                _record(open_frames, event.value, event)
            elif isinstance(event, (events.MappingStartEvent, events.SequenceStartEvent)):
                mapping = isinstance(event, events.MappingStartEvent)
                open_frames.append(_Frame(mapping, bool(event.flow_style), set(), *_start(event)))
            elif isinstance(event, (events.MappingEndEvent, events.SequenceEndEvent)):
                open_frames.pop()
                _record(open_frames, None, event)
            elif isinstance(event, events.AliasEvent):
                _record(open_frames, None, event)
            if len(open_frames) > DEEPEST:
                return None
    except (yaml.YAMLError, ValueError, OverflowError):
        return None
    return None


def _record(stack: list[_Frame], value: str | None, event: events.Event) -> None:
    """Record a complete key, value or item in the innermost list or mapping."""
    if not stack:
        return
    frame = stack[-1]
    if not frame.is_mapping:
        frame.index += 1
        frame.words.add(value or "")
    elif frame.key is not None:  # this is its value
        frame.key = None
    else:
        frame.key = value or ""
        frame.words.add(frame.key)
        frame.line, frame.column = _start(event)


def _start(event: events.Event) -> tuple[int, int]:
    """Return the line and the column where the text of an event begins, from 0."""
    mark = event.start_mark
    return (mark.line, mark.column) if mark is not None else (0, 0)


def _cursor(stack: list[_Frame], event: events.ScalarEvent, mark: str) -> Cursor:
    """Return the cursor in a scalar with the mark, inside the mappings and lists of the stack."""
    frame = stack[-1] if stack else None
    is_key = frame is not None and frame.is_mapping and frame.key is None
    path = tuple(frame.step for frame in (stack[:-1] if is_key else stack))
    text_before = event.value[: event.value.index(mark)]
    in_flow = frame is not None and frame.in_flow
    line, column = _start(event)
    is_at_key = frame is not None and frame.is_mapping and frame.line == line
    return Cursor(
        path,
        is_key,
        text_before,
        event.style or "",
        in_flow,
        frozenset(frame.words) if frame is not None and (is_key or not frame.is_mapping) else frozenset(),
        column=column if is_key else frame.column if frame is not None else -1,
        is_on_line=not is_key and (in_flow or is_at_key),
    )
