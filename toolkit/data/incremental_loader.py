"""A card file that is edited again and again: of its entries only those are read whose text has changed.

An entry that can be read alone, without an error, means the same wherever it stands in its list. It stays the
same object and is moved with its anchor. Where that is doubtful (an error, lines in unusual places) the file
is read from the entry before to its end, and what is found there is held against what is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from toolkit.data.decode import Decoder
from toolkit.data.file_entries import FileEntries, entries_of, read_entries, read_entry
from toolkit.data.joining import Key, Part, Parts, joined, joined_as_far_as_sure, parse_instead
from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.pieces import Piece, cut_up
from toolkit.data.tree import Tree, parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.source import Anchor, SourceFile

Languages = tuple[str, ...] | None

MOST_SPARE = 2000
"""So many texts that entries had before are kept at most."""


def read_again(file: SourceFile, languages: Languages, before: FileEntries | None) -> FileEntries:
    """The same as ``read_entries``; ``before`` is what was read of the file before it was edited.

    What is known of an entry whose text is the same is moved to where it stands now: places in ``before`` are
    not to be asked for any more.
    """
    kept: Parts = before.parts if before is not None and before.languages == languages else {}
    cut = cut_up(file.text)
    if cut is None:
        read = read_entries(file, languages)
        read.parts = kept
        return read
    known = {key: list(some) for key, some in kept.items()}
    keys = [(piece.section, piece.indent, file.text[piece.start : piece.end]) for piece in cut.pieces]
    parts = [
        _known(file, piece, known.get(key)) or _alone(file, piece, languages)
        for piece, key in zip(cut.pieces, keys, strict=True)
    ]
    whole = [part for part in parts if part is not None]
    tree = joined(file, cut, whole) if len(whole) == len(parts) else None
    tree = tree or joined_as_far_as_sure(file, cut, parts)
    means = {part.nodes[0]: part.read for part in whole if part.read is not None}
    read = entries_of(tree, _unread(tree, cut.pieces), languages, means)
    read.parts = _keep(file, keys, parts, known)
    return read


def _unread(tree: Tree, pieces: list[Piece]) -> Iterator[str]:
    """The text behind the place where a file cannot be read on, piece by piece."""
    text, at = tree.file.text, len(tree.file.text) if tree.cut is None else tree.cut
    for piece in pieces:
        if piece.end > at:
            yield text[at : piece.end]
            at = piece.end
    yield text[at:]


def _keep(file: SourceFile, keys: list[Key], parts: list[Part | None], others: Parts) -> Parts:
    """The parts for the next time; others too, for what is taken away is often put back."""
    kept = {key: some for key, some in others.items() if some} if len(others) <= MOST_SPARE else {}
    for spare in chain.from_iterable(kept.values()):
        _move(spare, file, 0)  # so that the text they stood in is not kept as well
    for key, part in zip(keys, parts, strict=True):
        if part is not None and part.read is not None and _moves(part.read.findings, part.anchor):
            kept.setdefault(key, []).append(part)
    return kept


def _moves(findings: list[Diagnostic], anchor: Anchor) -> bool:
    """Whether all places of findings move with an anchor."""
    if not findings:
        return True
    spans = [finding.span for finding in findings]
    spans += [label.span for finding in findings for label in finding.labels]
    spans += [finding.fix.span for finding in findings if finding.fix is not None]
    return all(span.anchor is anchor for span in spans)


def _known(file: SourceFile, piece: Piece, known: list[Part] | None) -> Part | None:
    """What is known of a piece with this text, moved to where it stands now."""
    if not known or not piece.sound:
        return None
    part = known.pop(0)
    _move(part, file, piece.start)
    return part


def _move(part: Part, file: SourceFile, start: int) -> None:
    part.anchor.file, part.anchor.base = file, start
    if part.read is not None:
        part.read.file = file


def _alone(file: SourceFile, piece: Piece, languages: Languages) -> Part | None:
    """A piece read alone; None if it is not complete in itself."""
    if not piece.sound:
        return None
    if not piece.section:
        return _other(file, piece)
    head = f"{piece.section}:\n"
    text = head + file.text[piece.start : piece.end]
    tree = parse_tree(SourceFile(file.path, file.name, text))
    nodes = _values(tree, piece.section)
    if not nodes:
        return None
    anchor = Anchor(file, piece.start)
    if tree.findings or len(nodes) > 1:
        tree = parse_instead(file, "\n" * (piece.start - len(head)) + text)
        return Part(anchor, _values(tree, piece.section), None, tree.findings)
    _hold(nodes[0], anchor, len(head))
    read = FileEntries(file, languages)
    read_entry(piece.section, nodes[0], read, Decoder(languages), [])
    return Part(anchor, nodes, read, [])


def _other(file: SourceFile, piece: Piece) -> Part | None:
    """A piece that is no entry, read alone; None if it is not a key with what is below it."""
    tree = parse_tree(SourceFile(file.path, file.name, file.text[piece.start : piece.end]))
    if tree.findings or not isinstance(tree.root, Mapping) or tree.root.in_braces:
        return None
    anchor = Anchor(file, piece.start)
    _hold(tree.root, anchor, 0)
    return Part(anchor, [tree.root], None, [])


def _values(tree: Tree, section: str) -> list[Node]:
    """The values of the list below the only key of a tree; none if it cannot be read to its end."""
    root = tree.root
    if tree.cut is not None or not isinstance(root, Mapping) or root.nodes.keys() != {section}:
        return []
    found = root.nodes[section]
    return found.items if isinstance(found, Sequence) else []


def _hold(node: Node, anchor: Anchor, less: int) -> None:
    """Count the places of a node from an anchor, so many characters less than before."""
    node.anchor = anchor
    node.at -= less
    node.to -= less
    if isinstance(node, Scalar):
        node.whole_to -= less
    elif isinstance(node, Mapping):
        for key in node.keys.values():
            _hold(key, anchor, less)
        for value in node.nodes.values():
            _hold(value, anchor, less)
    else:
        for item in node.items:
            _hold(item, anchor, less)
