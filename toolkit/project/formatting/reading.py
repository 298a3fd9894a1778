"""From a file and its tree to its pieces: what stands between values is read again, and nothing skipped."""

from __future__ import annotations

import re

from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.tree import Tree
from toolkit.project.formatting.cursor import BREAK, Cursor, Gap, UnfamiliarError
from toolkit.project.formatting.pieces import Block, Flow, Leaf, Part, Pieces
from toolkit.project.formatting.scalars import end_of

_COLON = re.compile(r"[ \t]*:")


def read_pieces(tree: Tree) -> Pieces:
    """The pieces of a file whose tree is a mapping without findings.

    Raises ``UnfamiliarError`` where a file is written in a way that nobody writes cards in.
    """
    root = tree.root
    if not isinstance(root, Mapping) or root.in_braces:
        raise UnfamiliarError(root.start if root is not None else 0)
    reader = _Reader(tree.file.text)
    head = reader.head(root.start)
    block = reader.block(root, -1)
    block.below += reader.lines_to(len(reader.text))
    return Pieces(head, block)


class _Reader(Cursor):
    """Reads the nodes of a tree, one after another, with what stands between them."""

    # blocks

    def block(self, node: Mapping | Sequence, around: int, above: list[str] | None = None) -> Block:
        """A mapping or list by lines; ``around`` is the column of what it belongs to."""
        column = self.column(node.start)
        block = Block([], isinstance(node, Mapping), [])
        if isinstance(node, Mapping):
            for name, key in node.keys.items():
                lines = self.lines_to(key.start) if block.parts or above is None else above
                block.parts.append(self._keyed(Part(lines, self.column(key.start), key), node.nodes[name]))
        else:
            for item in node.items:
                lines = self.lines_to(self.next_word()) if block.parts or above is None else above
                part = Part(lines, self.column(self.at))
                self.sign("-")
                block.parts.append(self._valued(part, item))
        if column > around:
            block.below = self.foot(column)
        return block

    def _keyed(self, part: Part, value: Node) -> Part:
        assert part.key is not None
        self.at = part.key.end
        self.sign(":")
        return self._valued(part, value)

    def _valued(self, part: Part, value: Node) -> Part:
        """Read the value behind a key or dash."""
        if isinstance(value, Scalar) and value.start == value.end:
            part.behind = self.remark()
            return part
        block = not isinstance(value, Scalar) and not _in_brackets(value)
        start = self.next_word() if block and isinstance(value, Sequence) else value.start
        lines: list[str] = []
        if BREAK.search(self.text, self.at, start):
            part.broken = True
            part.remark = self.remark()
        lines = self.lines_to(start)
        if isinstance(value, Scalar):
            part.between = lines
            part.value = Leaf(value)
            self.at = end_of(value)
            part.behind = None if value.style in ("|", ">") else self.remark()
        elif block:
            part.value = self.block(value, part.column, lines)
        else:
            part.between = lines
            part.value = self.flow(value)
            part.behind = self.remark()
        return part

    # brackets

    def flow(self, node: Mapping | Sequence) -> Flow:
        """A mapping or list between brackets."""
        opening, closing = "{}" if isinstance(node, Mapping) else "[]"
        self.at = node.start
        self.sign(opening)
        flow = Flow([], isinstance(node, Mapping))
        gap = self.gap()
        flow.remark = gap.remark
        members = list(node.nodes.items()) if isinstance(node, Mapping) else [("", one) for one in node.items]
        for name, value in members:
            if flow.parts and not flow.comma:
                raise UnfamiliarError(self.at)
            part = Part(gap.lines, self.column(self.at), broken=gap.is_broken)
            if isinstance(node, Mapping):
                part.key = node.keys[name]
                self._flow_key(part)
            self._flow_value(part, value)
            flow.parts.append(part)
            gap = self.gap()
            flow.comma = self.text[self.at : self.at + 1] == ","
            if flow.comma:
                self.at += 1
                behind = self.gap()
                gap = Gap(gap.remark or behind.remark, gap.lines + behind.lines, behind.is_broken)
            part.behind = gap.remark
        flow.below = gap.lines
        self.sign(closing)
        return flow

    def _flow_key(self, part: Part) -> None:
        assert part.key is not None
        if self.at != part.key.start:
            raise UnfamiliarError(self.at)
        self.at = part.key.end
        part.has_colon = bool(_COLON.match(self.text, self.at))
        if part.has_colon:
            self.sign(":")

    def _flow_value(self, part: Part, value: Node) -> None:
        if isinstance(value, Scalar) and value.start == value.end:
            return
        if part.key is not None:
            gap = self.gap()
            if gap.remark or gap.lines:
                raise UnfamiliarError(self.at)
        if self.at != value.start or (not isinstance(value, Scalar) and not _in_brackets(value)):
            raise UnfamiliarError(self.at)
        if isinstance(value, Scalar):
            part.value = Leaf(value)
            self.at = value.end
        else:
            part.value = self.flow(value)


def _in_brackets(node: Mapping | Sequence) -> bool:
    return node.in_braces if isinstance(node, Mapping) else node.in_brackets
