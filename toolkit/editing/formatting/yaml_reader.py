"""From a file and its tree to its concrete tree: all between the values is read, and nothing is skipped."""

from __future__ import annotations

import re
from typing import NamedTuple

from toolkit.data.yaml.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.yaml.yaml_tree import Tree
from toolkit.editing.formatting.concrete_tree import (
    BREAK,
    Block,
    Comment,
    ConcreteTree,
    Flow,
    Leaf,
    Part,
    end_of,
)
from toolkit.source.files import line_start

_REMARK = re.compile(r"(?P<blanks>[ \t]*)(?P<comment>#[^\r\n]*)?")
_LINE = re.compile(r"[^\r\n]*")
_COLON = re.compile(r"[ \t]*:")
_BLANKS = re.compile(r"[ \t]*")
_COMMENTS = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n|\r|\n))*[ \t]*")


class UnsupportedFormError(Exception):
    """There is a form at an offset that the formatter does not support."""

    def __init__(self, offset: int) -> None:
        super().__init__(offset)
        self.offset = offset


class Gap(NamedTuple):
    """The comments between two tokens in brackets; ``is_broken`` if a line ends between them."""

    comment: Comment | None
    lines: list[str]
    is_broken: bool


def read_concrete_tree(tree: Tree) -> ConcreteTree:
    """Return the concrete tree of a file whose tree is a mapping without findings.

    Raises ``UnsupportedFormError`` for a form that the formatter does not support.
    """
    root = tree.root
    if not isinstance(root, Mapping) or root.in_braces:
        raise UnsupportedFormError(root.start if root is not None else 0)
    reader = _Reader(tree.file.text)
    head = reader.head(root.start)
    block = reader.block(root, -1)
    block.dangling += reader.lines_to(len(reader.text))
    return ConcreteTree(head, block)


class _Reader:
    """Reads the nodes of a tree in order, with the text between them; ``at`` is how far it has read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def column(self, offset: int) -> int:
        """Return the column of an offset in its line, from 0."""
        return offset - line_start(self.text, offset)

    def head(self, target: int) -> list[str]:
        """Read the lines above the first key, among them ``%YAML`` and ``---``."""
        lines = BREAK.split(self.text[:target])
        unexpected = re.compile(r"(?m)^(?!%|---[ \t]*(?:#|\r?$))[ \t]*([^\s#])").search(self.text, 0, target)
        if unexpected is not None:
            raise UnsupportedFormError(unexpected.start(1))
        self.at = target
        return [line.strip() for line in lines[:-1]]

    def lines_to(self, target: int) -> list[str]:
        """Read comments and blank lines up to an offset that has only blanks before it in its line."""
        rest_of_line, *lines = BREAK.split(self.text[self.at : target])
        has_other_text = any(line.strip() and not line.strip().startswith("#") for line in lines)
        if rest_of_line.strip(" \t") or has_other_text:
            blank = re.compile(r"(?:\s|(?<=[\r\n])[ \t]*#[^\r\n]*)*").match(self.text, self.at)
            raise UnsupportedFormError(blank.end() if blank else self.at)
        self.at = target
        if target < len(self.text) and lines:
            indent_of_target = lines.pop()
            if indent_of_target.strip():
                raise UnsupportedFormError(target)
        return [line.strip() for line in lines]

    def comment(self) -> Comment | None:
        """Read the comment at the end of the line, if there is one."""
        match = _REMARK.match(self.text, self.at)
        assert match is not None
        if not match["comment"]:
            return None
        self.at = match.end()
        return Comment(match["comment"].rstrip(), self.column(match.start("comment")), len(match["blanks"]))

    def foot(self, column: int) -> list[str]:
        """Read the comments below a block that are indented at least as deep as it is."""
        lines: list[str] = []
        offset = self.at
        line_count = 0
        while (end := BREAK.match(self.text, offset)) is not None:
            line = _LINE.match(self.text, end.end())
            assert line is not None
            line_text = line.group()
            text = line_text.strip()
            is_comment = text.startswith("#") and line_text.index("#") >= column
            if text and not is_comment:
                break
            lines.append(text)
            offset = line.end()
            if is_comment:  # blank lines belong to it only up to its last comment
                line_count, self.at = len(lines), offset
        return lines[:line_count]

    def gap(self) -> Gap:
        """Read blanks, line ends and comments in brackets."""
        comment = self.comment()
        lines: list[str] = []
        is_broken = False
        while True:
            blanks = _BLANKS.match(self.text, self.at)
            assert blanks is not None
            self.at = blanks.end()
            if self.text[self.at : self.at + 1] == "#":
                line = _LINE.match(self.text, self.at)
                assert line is not None
                lines.append(line.group().rstrip())
                self.at = line.end()
            end = BREAK.match(self.text, self.at)
            if end is None:
                return Gap(comment, lines, is_broken)
            is_broken = True
            self.at = end.end()

    def sign(self, expected: str) -> None:
        """Read a sign, and blanks before it."""
        while self.text[self.at : self.at + 1] in (" ", "\t"):
            self.at += 1
        if self.text[self.at : self.at + 1] != expected:
            raise UnsupportedFormError(self.at)
        self.at += 1

    def next_word(self) -> int:
        """Return where the next token begins."""
        match = _COMMENTS.match(self.text, self.at)
        assert match is not None
        return match.end()

    # blocks

    def block(self, node: Mapping | Sequence, parent_column: int, leading: list[str] | None = None) -> Block:
        """Read a mapping or list by lines; ``parent_column`` is that of what it belongs to.

        ``leading`` are the comments above its first part, if they were read already.
        """
        column = self.column(node.start)
        block = Block([], isinstance(node, Mapping), [])

        def lines_above(start: int) -> list[str]:
            if leading is not None and not block.parts:
                return leading
            return self.lines_to(start)

        if isinstance(node, Mapping):
            for name, key in node.keys.items():
                part = Part(lines_above(key.start), self.column(key.start), key)
                block.parts.append(self._read_key_and_value(part, node.nodes[name]))
        else:
            for item in node.items:
                part = Part(lines_above(self.next_word()), self.column(self.at))
                self.sign("-")
                block.parts.append(self._read_value(part, item))
        if column > parent_column:
            block.dangling = self.foot(column)
        return block

    def _read_key_and_value(self, part: Part, value: Node) -> Part:
        """Read the key of a part, its colon, and the value behind it."""
        assert part.key is not None
        self.at = part.key.end
        self.sign(":")
        return self._read_value(part, value)

    def _read_value(self, part: Part, value: Node) -> Part:
        """Read the value behind a key or dash: an empty one, a text, a block of lines, or one in brackets."""
        if isinstance(value, Scalar) and value.start == value.end:
            part.trailing = self.comment()
            return part
        is_block = not isinstance(value, Scalar) and not _in_brackets(value)
        start = self.next_word() if is_block and isinstance(value, Sequence) else value.start
        if BREAK.search(self.text, self.at, start):
            part.on_own_line = True
            part.comment = self.comment()
        lines_before = self.lines_to(start)
        if isinstance(value, Scalar):
            part.before_value = lines_before
            part.value = Leaf(value)
            self.at = end_of(value)
            part.trailing = None if value.style in ("|", ">") else self.comment()
        elif is_block:
            part.value = self.block(value, part.column, lines_before)
        else:
            part.before_value = lines_before
            part.value = self.flow(value)
            part.trailing = self.comment()
        return part

    # brackets

    def flow(self, node: Mapping | Sequence) -> Flow:
        """Read a mapping or list in brackets.

        A comment behind a part, before or after its comma, is its own; lines of comments belong to the next.
        """
        opening, closing = "{}" if isinstance(node, Mapping) else "[]"
        self.at = node.start
        self.sign(opening)
        flow = Flow([], isinstance(node, Mapping))
        gap = self.gap()
        flow.comment = gap.comment
        members = (
            list(node.nodes.items()) if isinstance(node, Mapping) else [("", item) for item in node.items]
        )
        for name, value in members:
            if flow.parts and not flow.comma:
                raise UnsupportedFormError(self.at)
            part = Part(gap.lines, self.column(self.at), on_own_line=gap.is_broken)
            if isinstance(node, Mapping):
                part.key = node.keys[name]
                self._flow_key(part)
            self._flow_value(part, value)
            flow.parts.append(part)
            gap = self.gap()
            flow.comma = self.text[self.at : self.at + 1] == ","
            if flow.comma:
                self.at += 1
                next_gap = self.gap()
                gap = Gap(gap.comment or next_gap.comment, gap.lines + next_gap.lines, next_gap.is_broken)
            part.trailing = gap.comment
        flow.dangling = gap.lines
        self.sign(closing)
        return flow

    def _flow_key(self, part: Part) -> None:
        """Read a key in braces, with its colon if it has one."""
        assert part.key is not None
        if self.at != part.key.start:
            raise UnsupportedFormError(self.at)
        self.at = part.key.end
        part.has_colon = bool(_COLON.match(self.text, self.at))
        if part.has_colon:
            self.sign(":")

    def _flow_value(self, part: Part, value: Node) -> None:
        """Read a value in brackets, which must be right behind its key and have no lines of its own."""
        if isinstance(value, Scalar) and value.start == value.end:
            return
        if part.key is not None:
            gap = self.gap()
            if gap.comment or gap.lines:
                raise UnsupportedFormError(self.at)
        if self.at != value.start or (not isinstance(value, Scalar) and not _in_brackets(value)):
            raise UnsupportedFormError(self.at)
        if isinstance(value, Scalar):
            part.value = Leaf(value)
            self.at = value.end
        else:
            part.value = self.flow(value)


def _in_brackets(node: Mapping | Sequence) -> bool:
    return node.in_braces if isinstance(node, Mapping) else node.in_brackets
