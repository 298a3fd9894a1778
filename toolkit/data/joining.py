"""The tree of a file put together from entries that were read one by one."""

from __future__ import annotations

from bisect import bisect_right

from toolkit.data.file_entries import FileEntries
from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.pieces import Cut, Piece, without
from toolkit.data.tree import Tree, default_parser, parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.records import dataclass
from toolkit.source import Anchor, SourceFile


@dataclass(slots=True, eq=False)
class Part:
    """The entry of one piece of a file, as it is read alone.

    Where it has ``findings`` of its form, or is several entries whose dashes are missing, nothing is
    ``read`` of it yet, and it is not used again.
    """

    anchor: Anchor
    nodes: list[Node]
    read: FileEntries | None
    findings: list[Diagnostic]


Key = tuple[str, int, str]
"""The section, the indentation and the text of a piece."""

Parts = dict[Key, list[Part]]
"""Parts by their pieces."""


def parse_instead(file: SourceFile, text: str) -> Tree:
    """The tree of a file, of which only what stands in a text is read: the rest of that is blank."""
    return parse_tree(file, lambda _: default_parser()(text))


def joined(file: SourceFile, cut: Cut, parts: list[Part]) -> Tree:
    """The tree of a file all of whose pieces could be read alone."""
    lists: dict[str, list[Node]] = {section: [] for section in cut.headers}
    for piece, part in zip(cut.pieces, parts, strict=True):
        lists[piece.section] += part.nodes
    begin = min(cut.headers.values())
    root = Mapping(file, begin, begin, False, {}, {}, {})
    starts = {piece.section: piece.start + piece.indent for piece in reversed(cut.pieces)}
    for section, offset in cut.headers.items():
        key = Scalar(file, offset, offset + len(section), section, section, "", offset + len(section))
        _put(root, key, _list(file, starts[section], lists[section]))
    root.to = max(found.to for found in root.nodes.values())
    return Tree(file, root, [finding for part in parts for finding in part.findings])


def joined_as_far_as_sure(file: SourceFile, cut: Cut, parts: list[Part | None]) -> Tree:
    """The tree of a file one of whose pieces is not complete in itself.

    It is read from the entry before that one to its end: an error may take that one along. Only where a
    finding reaches further back is all of it read.
    """
    first = max(0, parts.index(None) - 1)
    before = cut.pieces[:first]
    tree = parse_instead(file, without(file.text, before))
    begin = cut.pieces[first].start if before else 0
    root = tree.root
    if (
        not isinstance(root, Mapping)
        or any(finding.span.start < begin for finding in tree.findings)
        or any(piece.section not in root.nodes for piece in before)
    ):
        before, tree = [], parse_tree(file)
        root = tree.root
    if not isinstance(root, Mapping):
        return tree
    _put_known(tree, cut.pieces, parts)
    for section in dict.fromkeys(piece.section for piece in before):
        nodes = [
            node
            for piece, part in zip(before, parts, strict=False)
            if part is not None and piece.section == section
            for node in part.nodes
        ]
        start = next(piece.start + piece.indent for piece in before if piece.section == section)
        found = root.nodes[section]
        whole = _list(file, start, nodes)
        if isinstance(found, Sequence):
            whole.items += found.items
            whole.value += found.value
            whole.to = max(whole.to, found.to)  # where it is cut off, it reaches to the cut
        _put(root, root.keys[section], whole)
    known = [finding for part in parts[: len(before)] if part is not None for finding in part.findings]
    tree.findings[:0] = known
    return tree


def _put(root: Mapping, key: Scalar, found: Sequence) -> None:
    root.keys[key.text], root.nodes[key.text], root.value[key.text] = key, found, found.value


def _list(file: SourceFile, start: int, nodes: list[Node]) -> Sequence:
    end = max((node.end for node in nodes), default=start)
    return Sequence(file, start, end, False, [node.value for node in nodes], nodes)


def _put_known(tree: Tree, pieces: list[Piece], parts: list[Part | None]) -> None:
    """Put what is known of entries in place of what is the same in a tree."""
    root = tree.root
    assert isinstance(root, Mapping), "asked before"
    starts = [piece.start for piece in pieces]
    marked = {bisect_right(starts, finding.span.start) - 1 for finding in tree.findings}
    for section in root.nodes.values():
        if not isinstance(section, Sequence):
            continue
        for number, node in enumerate(section.items):
            index = bisect_right(starts, node.start) - 1
            part = parts[index] if index >= 0 and index not in marked else None
            if part is not None and part.read is not None and _is_same(part.nodes[0], node):
                section.items[number] = part.nodes[0]


def _is_same(known: Node, node: Node) -> bool:
    """Whether two values that stand at the same place mean the same."""
    return (known.start, known.end) == (node.start, node.end) and known.value == node.value
