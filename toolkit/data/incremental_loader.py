"""A card file that is edited again and again: of its entries only those are read whose text has changed.

The file is cut into its entries by indentation alone. An entry that can be read alone, without an error,
means the same wherever it stands in its list: it stays the same object and is moved with its anchor. Where
that is doubtful (an error, lines in unusual places) the file is read from the entry before to its end, and
what is found there is compared with what is known.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from toolkit.data.decode import Decoder
from toolkit.data.file_entries import FileEntries, Key, Part, Parts, entries_of, read_entries, read_entry
from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.pasted_text import may_be_foreign, may_hide_spaces
from toolkit.data.schema import SECTIONS
from toolkit.data.tree import MOST_NODES, Tree, default_parser, parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.source import Anchor, SourceFile

MOST_CHARACTERS = 2 * MOST_NODES
"""A longer text may hold too many values, which only a reading of all of it shows: each takes two signs."""

MOST_SPARE = 2000
"""At most so many texts that entries had before are kept."""

_BEFORE = re.compile(r"(?:---[ ]*\r?\n)?(?:[ ]*(?:#.*)?\r?\n)*")
_TOP = re.compile(r"\n([^ #\r\n-][^\r\n]*)")
_HEADER = re.compile(rf"({'|'.join(SECTIONS)}):[ ]*(?:#.*)?")
_FIRST = re.compile(r"\r?\n(?:[ ]*(?:#.*)?\r?\n)*([ ]*)-(?=[ \r\n])")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_OTHER_BREAKS = "\x85\u2028\u2029"

Languages = tuple[str, ...] | None


class Piece(NamedTuple):
    """The lines of one entry with the blank lines and comments behind it; ``indent`` is how deep its dash is.

    Without a ``section`` it is something else at the top of the file: a key with all that is below it. A
    piece that is not ``sound`` may not mean what its lines mean alone.
    """

    section: str
    indent: int
    start: int
    end: int
    sound: bool


class Cut(NamedTuple):
    """A file in pieces, and where the keys of its sections stand: together they are all of it."""

    headers: dict[str, int]
    pieces: list[Piece]


def read_again(file: SourceFile, languages: Languages, before: FileEntries | None) -> FileEntries:
    """Return the same as ``read_entries``; ``before`` is what was read of the file before it was edited.

    What is known of an entry whose text is the same is moved to where it stands now, so places in ``before``
    are no longer valid.
    """
    kept: Parts = before.parts if before is not None and before.languages == languages else {}
    cut = cut_up(file.text)
    if cut is None:
        read = read_entries(file, languages)
        read.parts = kept
        return read
    known = {key: list(some) for key, some in kept.items()}
    keys = [(piece.section, piece.indent, file.text[piece.start : piece.end]) for piece in cut.pieces]
    parts: list[Part | None] = []
    for piece, key in zip(cut.pieces, keys, strict=True):
        if piece.sound and known.get(key):
            part = known[key].pop(0)
            _move(part, file, piece.start)
            parts.append(part)
        else:
            parts.append(_alone(file, piece, languages))
    whole = [part for part in parts if part is not None]
    tree = joined(file, cut, whole) if len(whole) == len(parts) else None
    tree = tree or read_whole(file, cut.pieces, parts)
    means = {part.nodes[0]: part.read for part in whole if part.read is not None}
    read = entries_of(tree, languages, means)
    read.parts = _keep(file, keys, parts, known)
    return read


def cut_up(text: str) -> Cut | None:
    """The pieces of a file in order; None where its lines are not what they seem."""
    if len(text) > MOST_CHARACTERS or may_be_foreign(text) or ("\r" in text and _LONE_RETURN.search(text)):
        return None
    if not text.isascii() and (may_hide_spaces(text) or any(sign in text for sign in _OTHER_BREAKS)):
        return None
    tops = list(_TOP.finditer(f"\n{text}"))  # so each begins one character before its match does
    if not tops:
        return None
    headers: dict[str, int] = {}
    found: list[Piece] = []
    if not _BEFORE.fullmatch(text, 0, tops[0].start()):
        found.append(Piece("", 0, 0, tops[0].start(), False))
    for top, behind in zip(tops, [*(top.start() for top in tops[1:]), len(text)], strict=True):
        header = _HEADER.fullmatch(top[1])
        first = _FIRST.match(text, top.end() - 1, behind) if header else None
        if header is None or first is None:
            found.append(Piece("", 0, top.start(), behind, True))
        elif header[1] in headers:
            return None
        else:
            headers[header[1]] = top.start()
            found += _entries(text, header[1], len(first[1]), first.start(1), behind)
    return Cut(headers, found)


def _entries(text: str, section: str, indent: int, begin: int, end: int) -> Iterator[Piece]:
    """The entries of a section whose first dash stands at ``begin + indent``."""
    dash = " " * indent + "-"
    start, sound = begin, True
    for line in re.compile(rf"\n[ ]{{0,{indent}}}[^ #\r\n]").finditer(text, begin, end):
        at = line.start() + 1
        is_entry = text.startswith(dash, at) and text[line.end() : line.end() + 1] in " \r\n"
        if is_entry and at > start:
            yield Piece(section, indent, start, at, sound)
            start, sound = at, True
        sound &= is_entry
    yield Piece(section, indent, start, end, sound)


def _keep(file: SourceFile, keys: list[Key], parts: list[Part | None], others: Parts) -> Parts:
    """The parts for the next time; others too, for what is taken away is often put back."""
    kept = {key: some for key, some in others.items() if some} if len(others) <= MOST_SPARE else {}
    for spare in chain.from_iterable(kept.values()):
        _move(spare, file, 0)  # so that the text they stood in is not kept as well
    for key, part in zip(keys, parts, strict=True):
        if part is None or part.read is None:
            continue
        if all(_moves(finding, part.anchor) for finding in part.read.findings):
            kept.setdefault(key, []).append(part)
    return kept


def _moves(finding: Diagnostic, anchor: Anchor) -> bool:
    """Whether all places of a finding move with an anchor."""
    spans = [finding.span, *(label.span for label in finding.labels)]
    spans += [finding.fix.span] if finding.fix is not None else []
    return all(span.anchor is anchor for span in spans)


def _move(part: Part, file: SourceFile, start: int) -> None:
    part.anchor.file, part.anchor.base = file, start
    if part.read is not None:
        part.read.file = file


def _alone(file: SourceFile, piece: Piece, languages: Languages) -> Part | None:
    """A piece read alone; None if it is not complete in itself."""
    if not piece.sound:
        return None
    text = file.text[piece.start : piece.end]
    anchor = Anchor(file, piece.start)
    if not piece.section:
        tree = parse_tree(SourceFile(file.path, file.name, text))
        if tree.findings or not isinstance(tree.root, Mapping) or tree.root.in_braces:
            return None
        _anchor_at(tree.root, anchor, 0)
        return Part(anchor, [tree.root], None, [])
    head = f"{piece.section}:\n"
    tree = parse_tree(SourceFile(file.path, file.name, head + text))
    nodes = _values(tree, piece.section)
    if not nodes:
        return None
    if tree.findings or len(nodes) > 1:
        # read where it stands, with blank lines before it, for its findings have places in the file
        alone = "\n" * (piece.start - len(head)) + head + text
        tree = parse_tree(file, lambda _: default_parser()(alone))
        return Part(anchor, _values(tree, piece.section), None, tree.findings)
    _anchor_at(nodes[0], anchor, len(head))
    read = FileEntries(file, languages)
    read_entry(piece.section, nodes[0], read, Decoder(languages), [])
    return Part(anchor, nodes, read, [])


def _values(tree: Tree, section: str) -> list[Node]:
    """The values of the list below the only key of a tree; none if it cannot be read to its end."""
    root = tree.root
    if tree.cut is not None or not isinstance(root, Mapping) or root.nodes.keys() != {section}:
        return []
    found = root.nodes[section]
    return found.items if isinstance(found, Sequence) else []


def _anchor_at(node: Node, anchor: Anchor, less: int) -> None:
    """Count the places of a node from an anchor, so many characters less than before."""
    node.anchor = anchor
    node.at -= less
    node.to -= less
    if isinstance(node, Scalar):
        node.whole_to -= less
        return
    inner = node.items if isinstance(node, Sequence) else (*node.keys.values(), *node.nodes.values())
    for part in inner:
        _anchor_at(part, anchor, less)


def joined(file: SourceFile, cut: Cut, parts: list[Part]) -> Tree | None:
    """The tree of a file all of whose pieces could be read alone; None if a key is there twice."""
    root = Mapping(file, len(file.text), 0, False, {}, {}, {})
    lists: dict[str, Sequence] = {}
    for piece, part in zip(cut.pieces, parts, strict=True):
        below: dict[Scalar, Node] = {}
        if not piece.section:
            other = part.nodes[0]
            assert isinstance(other, Mapping), "it was read so"
            below = {key: other.nodes[word] for word, key in other.keys.items()}
        elif piece.section not in lists:
            start, word = cut.headers[piece.section], piece.section
            dash, to = piece.start + piece.indent, start + len(word)
            lists[word] = Sequence(file, dash, dash, False, [], [])
            below = {Scalar(file, start, to, word, word, "", to): lists[word]}
        if piece.section:
            found = lists[piece.section]
            found.items += part.nodes
            found.value += [node.value for node in part.nodes]
            found.to = max(found.to, *(node.end for node in part.nodes))
        for key, node in below.items():
            if key.text in root.keys:
                return None
            root.keys[key.text], root.nodes[key.text], root.value[key.text] = key, node, node.value
    root.at = min(key.start for key in root.keys.values())
    root.to = max(node.end for node in root.nodes.values())
    return Tree(file, root, [finding for part in parts for finding in part.findings])


def read_whole(file: SourceFile, pieces: list[Piece], parts: list[Part | None]) -> Tree:
    """The tree of a file one of whose pieces is not complete in itself: an error may take others along.

    All of it is read, and what is known of an entry is put in place of what is the same there, but where
    something was found. (To read only from the doubtful entry on saves 13 ms of 50 with 420 cards.)
    """
    tree = parse_tree(file)
    root = tree.root
    starts = [piece.start for piece in pieces]
    marked = {bisect_right(starts, finding.span.start) - 1 for finding in tree.findings}
    for section in root.nodes.values() if isinstance(root, Mapping) else ():
        if not isinstance(section, Sequence):
            continue
        for number, node in enumerate(section.items):
            index = bisect_right(starts, node.start) - 1
            part = parts[index] if index >= 0 and index not in marked else None
            if part is None or part.read is None:
                continue
            known = part.nodes[0]
            if (known.start, known.end, known.value) == (node.start, node.end, node.value):
                section.items[number] = known
    return tree
