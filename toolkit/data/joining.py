"""The tree of a file put together from entries that were read one by one."""

from __future__ import annotations

from bisect import bisect_right
from itertools import chain

from msgspec import Struct

from toolkit.data.file_entries import FileEntries
from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.pieces import Cut, Piece, without
from toolkit.data.tree import Tree, default_parser, parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.source import Anchor, SourceFile, Span


class Part(Struct, eq=False):
    """What one piece of a file is, as it is read alone: an entry, or a mapping with another key.

    Where it is no entry, has ``findings`` of its form, or is several entries whose dashes are missing,
    nothing is ``read`` of it yet, and it is not used again.
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


def joined(file: SourceFile, cut: Cut, parts: list[Part]) -> Tree | None:
    """The tree of a file all of whose pieces could be read alone; None if a key is there twice."""
    root = Mapping(file, len(file.text), 0, False, {}, {}, {})
    lists: dict[str, Sequence] = {}
    for piece, part in zip(cut.pieces, parts, strict=True):
        if piece.section in lists:
            _extend(lists[piece.section], part.nodes)
            continue
        if piece.section:
            found = lists[piece.section] = _list(file, piece.start + piece.indent, part.nodes)
            below: dict[Scalar, Node] = {_key(file, piece.section, cut.headers[piece.section]): found}
        else:
            other = part.nodes[0]
            assert isinstance(other, Mapping), "it was read so"
            below = {key: other.nodes[word] for word, key in other.keys.items()}
        for key, node in below.items():
            if key.text in root.keys:
                return None
            _put(root, key, node)
    root.at = min(key.start for key in root.keys.values())
    root.to = max(node.end for node in root.nodes.values())
    return Tree(file, root, [finding for part in parts for finding in part.findings])


def joined_as_far_as_sure(file: SourceFile, cut: Cut, parts: list[Part | None]) -> Tree:
    """The tree of a file one of whose pieces is not complete in itself.

    It is read from the entry before that one to its end: an error may take that one along. Only where a
    finding reaches further back is all of it read.
    """
    before, tree = _read_rest(file, cut.pieces, parts)
    if isinstance(tree.root, Mapping):
        _put_known(tree.root, tree.findings, cut.pieces, parts)
        _put_before(tree.root, list(zip(before, parts, strict=False)))
        known = [part.findings for part in parts[: len(before)] if part is not None]
        tree.findings[:0] = chain.from_iterable(known)
    return tree


def _read_rest(file: SourceFile, pieces: list[Piece], parts: list[Part | None]) -> tuple[list[Piece], Tree]:
    """The pieces that need not be read, and the tree of the rest."""
    doubtful = parts.index(None) if None in parts else 0
    first = max((n for n in range(doubtful) if pieces[n].section), default=0)
    before = pieces[:first]
    tree = parse_instead(file, without(file.text, before))
    sections = tree.root.nodes.keys() if isinstance(tree.root, Mapping) else set()
    if before and (
        any(span.start < pieces[first].start for finding in tree.findings for span in _places(finding))
        or any(piece.section not in sections for piece in before if piece.section)
    ):
        return [], parse_tree(file)
    return before, tree


def _put_before(root: Mapping, before: list[tuple[Piece, Part | None]]) -> None:
    """Put what is known of the first entries before what was read of the rest."""
    lists: dict[str, Sequence] = {}
    for piece, part in before:
        if part is not None and piece.section in lists:
            _extend(lists[piece.section], part.nodes)
        elif part is not None and piece.section:
            lists[piece.section] = _list(root.file, piece.start + piece.indent, part.nodes)
    for section, found in lists.items():
        rest = root.nodes[section]
        if isinstance(rest, Sequence):
            _extend(found, rest.items)
            found.to = max(found.to, rest.to)  # where it is cut off, it reaches to the cut
        _put(root, root.keys[section], found)


def _places(finding: Diagnostic) -> list[Span]:
    return [finding.span, *(label.span for label in finding.labels)]


def _key(file: SourceFile, word: str, start: int) -> Scalar:
    return Scalar(file, start, start + len(word), word, word, "", start + len(word))


def _put(root: Mapping, key: Scalar, node: Node) -> None:
    root.keys[key.text], root.nodes[key.text], root.value[key.text] = key, node, node.value


def _list(file: SourceFile, start: int, nodes: list[Node]) -> Sequence:
    found = Sequence(file, start, start, False, [], [])
    _extend(found, nodes)
    return found


def _extend(found: Sequence, nodes: list[Node]) -> None:
    found.items += nodes
    found.value += [node.value for node in nodes]
    found.to = max(found.to, *(node.end for node in nodes)) if nodes else found.to


def _put_known(
    root: Mapping, findings: list[Diagnostic], pieces: list[Piece], parts: list[Part | None]
) -> None:
    """Put what is known of entries in place of what is the same in a tree, but where something was found."""
    starts = [piece.start for piece in pieces]
    marked = {bisect_right(starts, finding.span.start) - 1 for finding in findings}
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
