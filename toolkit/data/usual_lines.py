"""The tree of a file that is written as card files usually are, read line by line without a YAML parser.

Nearly every file is: blocks of keys and dashes, deeper ones further in, values of one line, lists and
mappings in brackets on one line, and texts behind `|` and `>`. Such a file is read here in half of the time,
and the YAML parser need not even be loaded. What is written otherwise is not read at all: then the parser
sees to it. What is read here means exactly what it means to the parser, to the last offset; a test says so.
"""

from __future__ import annotations

import re
from functools import cache

from toolkit.data.core_scalars import WORDS, resolve_plain
from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.source import SourceFile

MOST_CHARACTERS = 250_000
LONGEST_LINE = 2_000
DEEPEST = 20
"""What is longer or deeper is left to the parser: it has bounds of its own, and takes no longer."""

_KEY = r"[A-Za-z_][A-Za-z0-9_.-]{0,99}"
_QUOTED = r""" "[^"\\\n]*" | '[^'\n]*' """
_BEGINS = r"""(?: [^\s\-?:,\[\]{}#&*!|>'"%@`] | -(?=[0-9]) )"""
_PLAIN = rf"{_BEGINS} [^\n:#]* (?: (?: :(?=\S) | (?<=\S)\# ) [^\n:#]* )*"
_PLAIN_IN_BRACKETS = rf"{_BEGINS} [^\n:#?,\[\]{{}}]*"
_IN_BRACKETS = rf"""[\[{{] [^\n\#"']* (?: (?: {_QUOTED} ) [^\n\#"']* )* [\]}}]"""

_BLANK_LINES = r"(?: [ ]* (?:\#[^\n]*)? \n )*"
_SKIPPED = re.compile(_BLANK_LINES, re.VERBOSE)
_LINE = re.compile(
    rf"""([ ]*) (?:-([ ]+))? (?: ({_KEY}) : (?:[ ]+|(?=\n)) )?
    (?: ({_PLAIN}) | ({_QUOTED}) | ({_IN_BRACKETS}) | ([|>]-?)(?=[ ]*\n) )?
    [ ]* (?: (?<=[ ])\#[^\n]* )? \n
    (?(7) | {_BLANK_LINES})""",
    re.VERBOSE,
)
_INDENT, _DASH, _NAME, _WORDS, _IN_QUOTES, _BRACKETS, _BLOCK = range(1, 8)
_VALUE = rf"(?: ({_PLAIN_IN_BRACKETS}) | ({_QUOTED}) | (?=[\[{{]) ) [ ]* ([,\]}}])?"
_ITEM = re.compile(rf"[ ]* {_VALUE}", re.VERBOSE)
_PAIR = re.compile(rf"[ ]* ({_KEY}) : [ ]+ {_VALUE}", re.VERBOSE)
_NEXT = re.compile(r" *([,\]}])")
_CLOSING = re.compile(r" *([\]}])")
_SPACES = re.compile(r" *")
_BLANK_LINE = re.compile(r" *\n")


def usual_root(file: SourceFile) -> Mapping | None:
    """The root of the file's tree, if all of it is written in the usual way."""
    text = file.text
    if len(text) > MOST_CHARACTERS or text[-1:] != "\n":
        return None
    lines = text.split("\n")
    if not "".join(lines).isprintable() or max(map(len, lines)) > LONGEST_LINE:
        return None  # other ends of lines, tabs, what looks like a space and is none
    try:
        return _Reader(file).read()
    except _UnusualError:
        return None


class _UnusualError(Exception):
    """Something is written in another way."""


class _Reader:
    """``blocks`` are those around the line that is read, from the outside in, each with its column.

    ``waiting`` is the key whose value is the block that comes next.
    """

    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.text = file.text
        self.blocks: list[tuple[int, Mapping | Sequence]] = []
        self.waiting: Scalar | None = None

    def read(self) -> Mapping:
        """Take line after line; the root."""
        text = self.text
        at = _behind_blank_lines(text, 0)
        root = Mapping(self.file, at, at, False, {}, {}, {})
        self.blocks.append((0, root))
        while at < len(text):
            line = _LINE.match(text, at)
            if line is None:
                raise _UnusualError
            at = self._take(line)
        if self.waiting is not None or not root.nodes:
            raise _UnusualError
        self._close(0)
        root.to = self.blocks[-1][1].to
        return root

    def _take(self, line: re.Match[str]) -> int:
        """Take a line, with the text below it if there is one; where the next line begins."""
        indent, dash, name = line.group(_INDENT, _DASH, _NAME)
        column = len(indent)
        if self.waiting is not None:
            self._open(column, line.end(_INDENT), is_list=dash is not None)
        elif self.blocks[-1][0] != column:
            self._close(column)
        around = self.blocks[-1][1]
        if dash is None and isinstance(around, Sequence):
            around = self._leave_list(column)
        if dash is not None:
            if not isinstance(around, Sequence):
                raise _UnusualError
            if name is None:
                self._append(around, self._value(line))
                return line.end()
            at = line.start(_NAME)
            entry = Mapping(self.file, at, at, False, {}, {}, {})
            self._append(around, entry)
            self.blocks.append((column + 1 + len(dash), entry))
            around = entry
        if name is None or not isinstance(around, Mapping) or name in around.nodes:
            raise _UnusualError
        return self._pair(line, name, around)

    def _open(self, column: int, at: int, *, is_list: bool) -> None:
        """Begin the block that is waited for."""
        outer, around = self.blocks[-1]
        if column < outer or (column == outer and not is_list) or len(self.blocks) > DEEPEST:
            raise _UnusualError
        file = self.file
        new = Sequence(file, at, at, False, [], []) if is_list else Mapping(file, at, at, False, {}, {}, {})
        assert self.waiting is not None
        assert isinstance(around, Mapping)
        self._put(around, self.waiting, new)
        self.blocks.append((column, new))
        self.waiting = None

    def _leave_list(self, column: int) -> Mapping | Sequence:
        """The block around a list whose dashes stand right below the key."""
        _, inner = self.blocks.pop()
        outer, around = self.blocks[-1]
        if outer != column:
            raise _UnusualError
        around.to = inner.to
        return around

    def _close(self, column: int) -> None:
        """End the blocks that stand further in; a line is in a block only if it begins where that does."""
        blocks = self.blocks
        while blocks[-1][0] > column:
            _, inner = blocks.pop()
            blocks[-1][1].to = inner.to
        if blocks[-1][0] != column:
            raise _UnusualError

    def _pair(self, line: re.Match[str], name: str, around: Mapping) -> int:
        """Take a key and what stands behind it."""
        key = self._key(name, line.start(_NAME))
        sort = line.lastindex
        if sort == _WORDS:
            self._put(around, key, self._words(line, _WORDS))
        elif sort == _NAME:
            self.waiting = key
        elif sort == _BLOCK:
            value = self._text_below(line)
            self._put(around, key, value)
            return _behind_blank_lines(self.text, value.whole_to)
        else:
            self._put(around, key, self._value(line))
        return line.end()

    def _key(self, name: str, at: int) -> Scalar:
        if name in WORDS:
            raise _UnusualError
        to = at + len(name)
        return Scalar(self.file, at, to, name, name, "", to)

    def _words(self, found: re.Match[str], group: int) -> Scalar:
        text = found[group].rstrip(" ")
        at = found.start(group)
        to = at + len(text)
        return Scalar(self.file, at, to, resolve_plain(text), text, "", to)

    def _quoted(self, found: re.Match[str], group: int) -> Scalar:
        at, to = found.span(group)
        text = self.text[at + 1 : to - 1]
        return Scalar(self.file, at, to, text, text, self.text[at], to)

    def _put(self, around: Mapping, key: Scalar, node: Node) -> None:
        name = key.text
        around.value[name] = node.value
        around.nodes[name] = node
        around.keys[name] = key
        around.to = node.to

    def _append(self, around: Sequence, node: Node) -> None:
        around.value.append(node.value)
        around.items.append(node)
        around.to = node.to

    def _value(self, line: re.Match[str]) -> Node:
        """The value that stands in a line."""
        sort = line.lastindex
        if sort == _WORDS:
            return self._words(line, _WORDS)
        if sort == _IN_QUOTES:
            return self._quoted(line, _IN_QUOTES)
        if sort != _BRACKETS:
            raise _UnusualError
        node = self._in_brackets(line.start(_BRACKETS), 1)
        if node.to != line.end(_BRACKETS):
            raise _UnusualError
        return node

    def _text_below(self, line: re.Match[str]) -> Scalar:
        """The lines below `|` or `>`."""
        text, start, begin = self.text, line.start(_BLOCK), line.end()
        depth = len(_SPACES.match(text, begin)[0])  # type: ignore[index]  # it matches anywhere
        if depth <= self.blocks[-1][0] or text[begin + depth] == "\n":
            raise _UnusualError
        reach = _lines_so_deep(depth).match(text, begin).end()  # type: ignore[union-attr]  # there is one
        if _BLANK_LINE.match(text, reach):
            raise _UnusualError  # its spaces are too few for the text, which may go on behind it
        value = text[begin + depth : reach].replace("\n" + " " * depth, "\n").rstrip("\n")
        style, keeps_end = line[_BLOCK][0], len(line[_BLOCK]) == 1
        if style == ">":
            if "\n\n" in value or "\n " in value:
                raise _UnusualError
            value = value.replace("\n", " ")
        value += "\n" if keeps_end else ""
        end = start + len(text[start:reach].rstrip())
        return Scalar(self.file, start, end, value, value, style, reach)

    def _in_brackets(self, at: int, depth: int) -> Mapping | Sequence:
        """The list or mapping whose bracket stands there."""
        if depth > DEEPEST:
            raise _UnusualError
        return self._mapping(at, depth) if self.text[at] == "{" else self._list(at, depth)

    def _mapping(self, at: int, depth: int) -> Mapping:
        node = Mapping(self.file, at, at, True, {}, {}, {})
        sign, at = self._first_sign(at + 1)
        while sign == ",":
            found = _PAIR.match(self.text, at)
            if found is None or found[1] in node.nodes:
                raise _UnusualError
            value = self._part(found, 2, depth)
            self._put(node, self._key(found[1], found.start(1)), value)
            sign, at = self._sign(found, value)
        if sign != "}":
            raise _UnusualError
        node.to = at
        return node

    def _list(self, at: int, depth: int) -> Sequence:
        node = Sequence(self.file, at, at, True, [], [])
        sign, at = self._first_sign(at + 1)
        while sign == ",":
            found = _ITEM.match(self.text, at)
            if found is None:
                raise _UnusualError
            value = self._part(found, 1, depth)
            self._append(node, value)
            sign, at = self._sign(found, value)
        if sign != "]":
            raise _UnusualError
        node.to = at
        return node

    def _part(self, found: re.Match[str], group: int, depth: int) -> Node:
        """A value inside brackets; ``group`` is that of its words, the next one that of what is in quotes."""
        if found[group] is not None:
            return self._words(found, group)
        if found[group + 1] is not None:
            return self._quoted(found, group + 1)
        return self._in_brackets(found.end(), depth + 1)

    def _first_sign(self, at: int) -> tuple[str, int]:
        """The closing bracket where there is nothing between the two, else as if a comma stood there."""
        found = _CLOSING.match(self.text, at)
        return (found[1], found.end()) if found else (",", at)

    def _sign(self, found: re.Match[str], value: Node) -> tuple[str, int]:
        """The sign behind a value, and where it goes on."""
        sign: str | None = found[found.re.groups]
        if sign is not None:
            return sign, found.end()
        behind = _NEXT.match(self.text, value.to)
        if behind is None:
            raise _UnusualError
        return behind[1], behind.end()


def _behind_blank_lines(text: str, at: int) -> int:
    """Where the next line begins that is neither blank nor a comment."""
    found = _SKIPPED.match(text, at)
    assert found is not None, "it matches anywhere"
    return found.end()


@cache
def _lines_so_deep(depth: int) -> re.Pattern[str]:
    """Lines with so many spaces before them, and empty ones."""
    return re.compile(f"(?: {{{depth}}}[^\n]*\n|\n)+")
