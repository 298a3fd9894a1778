"""Incremental reading of a card file that is being edited: only entries whose text has changed are parsed.

The file is split into entries by indentation alone. An entry that can be parsed on its own without an error
means the same wherever it is in its list, so its nodes are reused, and only their anchor is moved. Where this
is not certain (a syntax error, lines in unusual places) the whole file is parsed, and nodes that are equal to
known ones are replaced by these. Tests hold the result equal to that of ``read_entries``.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

from toolkit.data.decode import Decoder
from toolkit.data.file_entries import (
    FileEntries,
    Key,
    ParsedPiece,
    ParsedPieces,
    entries_of,
    read_entries,
    read_entry,
)
from toolkit.data.schema import SECTIONS
from toolkit.data.yaml.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.yaml.stand_ins import SEPARATORS
from toolkit.data.yaml.suspicious_text import may_be_foreign, may_hide_spaces
from toolkit.data.yaml.yaml_tree import MAX_NODES, Tree, default_parser, parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.source import Anchor, SourceFile

MAX_CHARACTERS = 2 * MAX_NODES
"""Only up to this length a text cannot have more than ``MAX_NODES`` values, which take two characters each:
that limit is for the whole file, and entries parsed one by one would not reach it."""

MAX_SPARE = 2000
"""How many former texts of entries are kept."""

_BEFORE = re.compile(r"(?:---[ ]*\r?\n)?(?:[ ]*(?:#.*)?\r?\n)*")
_TOP = re.compile(r"\n(?P<line>[^ #\r\n-][^\r\n]*)")
_HEADER = re.compile(rf"(?P<section>{'|'.join(SECTIONS)}):[ ]*(?:#.*)?")
_FIRST = re.compile(r"\r?\n(?:[ ]*(?:#.*)?\r?\n)*(?P<indent>[ ]*)-(?=[ \r\n])")
_LONE_RETURN = re.compile(r"\r(?!\n)")

Languages = tuple[str, ...] | None


class Piece(NamedTuple):
    """The lines of one entry, with the blank lines and comments after it; ``indent`` is that of its dash.

    Without a ``section`` it is another key at the top level with all that is below it. A piece that is not
    ``sound`` may not mean the same on its own.
    """

    section: str
    indent: int
    start: int
    end: int
    sound: bool


class SplitFile(NamedTuple):
    """A file in pieces, and the offsets of its section keys; together they cover all of it."""

    headers: dict[str, int]
    pieces: list[Piece]


def reread(file: SourceFile, languages: Languages, entries_before: FileEntries | None) -> FileEntries:
    """Return the same as ``read_entries``, reusing ``entries_before``, the result for the file before an
    edit.

    Unchanged entries are moved to where they are now, so spans in ``entries_before`` are no longer valid.
    """
    parts_before: ParsedPieces = {}
    if entries_before is not None and entries_before.languages == languages:
        parts_before = entries_before.parts
    split = split_file(file.text)
    if split is None:
        entries = read_entries(file, languages)
        entries.parts = parts_before
        return entries
    unused_parts = {key: list(pieces) for key, pieces in parts_before.items()}
    keys = [(piece.section, piece.indent, file.text[piece.start : piece.end]) for piece in split.pieces]
    parts: list[ParsedPiece | None] = []
    for piece, key in zip(split.pieces, keys, strict=True):
        if piece.sound and unused_parts.get(key):
            reused_part = unused_parts[key].pop(0)
            _move(reused_part, file, piece.start)
            parts.append(reused_part)
        else:
            parts.append(_read_alone(file, piece, languages))
    complete_parts = [part for part in parts if part is not None]
    tree = join_parts(file, split, complete_parts) if len(complete_parts) == len(parts) else None
    tree = tree or read_whole_file(file, split.pieces, parts)
    entries_by_node = {part.nodes[0]: part.read for part in complete_parts if part.read is not None}
    entries = entries_of(tree, languages, entries_by_node)
    entries.parts = _keep(file, keys, parts, unused_parts)
    return entries


def split_file(text: str) -> SplitFile | None:
    """Split a file into pieces; None if its lines may not be what they seem."""
    # hidden characters, separators and foreign comments concern the file as a whole
    if len(text) > MAX_CHARACTERS or may_be_foreign(text) or ("\r" in text and _LONE_RETURN.search(text)):
        return None
    if not text.isascii() and (may_hide_spaces(text) or any(char in text for char in SEPARATORS)):
        return None
    # the added line end shifts offsets by one: the start of a match, its line end, is that of the key in text
    tops = list(_TOP.finditer(f"\n{text}"))
    if not tops:
        return None
    headers: dict[str, int] = {}
    pieces: list[Piece] = []
    first_top, *_ = tops
    if not _BEFORE.fullmatch(text, 0, first_top.start()):
        pieces.append(Piece("", 0, 0, first_top.start(), sound=False))
    ends = [*(top.start() for top in tops[1:]), len(text)]
    for top, end in zip(tops, ends, strict=True):
        header = _HEADER.fullmatch(top["line"])
        first_dash = _FIRST.match(text, top.end() - 1, end) if header else None
        if header is None or first_dash is None:
            pieces.append(Piece("", 0, top.start(), end, sound=True))
            continue
        section = header["section"]
        if section in headers:
            return None  # the second list is appended to the first one
        headers[section] = top.start()
        pieces += _entries(text, section, len(first_dash["indent"]), first_dash.start("indent"), end)
    return SplitFile(headers, pieces)


def _entries(text: str, section: str, indent: int, begin: int, end: int) -> Iterator[Piece]:
    """Yield the entries of a section whose first dash is at ``begin + indent``.

    An entry is not sound if another line in it is indented as little as its dash.
    """
    dash = " " * indent + "-"
    start, is_sound = begin, True
    for line in re.compile(rf"\n[ ]{{0,{indent}}}[^ #\r\n]").finditer(text, begin, end):
        line_start = line.start() + 1
        is_entry = text.startswith(dash, line_start) and text[line.end() : line.end() + 1] in " \r\n"
        if is_entry and line_start > start:
            yield Piece(section, indent, start, line_start, is_sound)
            start, is_sound = line_start, True
        is_sound &= is_entry
    yield Piece(section, indent, start, end, is_sound)


def _keep(
    file: SourceFile, keys: list[Key], parts: list[ParsedPiece | None], unused_parts: ParsedPieces
) -> ParsedPieces:
    """Return the pieces to keep for the next edit, former ones too: a deletion is often undone."""
    spare_parts: ParsedPieces = {}
    if len(unused_parts) <= MAX_SPARE:
        spare_parts = {key: pieces for key, pieces in unused_parts.items() if pieces}
    for spare in chain.from_iterable(spare_parts.values()):
        _move(spare, file, 0)  # an anchor to a former text would keep all of it in memory
    for key, parsed_piece in zip(keys, parts, strict=True):
        if parsed_piece is None or parsed_piece.read is None:
            continue
        if all(_moves(finding, parsed_piece.anchor) for finding in parsed_piece.read.findings):
            spare_parts.setdefault(key, []).append(parsed_piece)
    return spare_parts


def _moves(finding: Diagnostic, anchor: Anchor) -> bool:
    """Whether all spans of a finding move with an anchor."""
    spans = [finding.span, *(label.span for label in finding.labels)]
    spans += [fix.span for fix in (finding.fix, *finding.alternatives) if fix is not None]
    return all(span.anchor is anchor for span in spans)


def _move(parsed_piece: ParsedPiece, file: SourceFile, start: int) -> None:
    """Let all places of a piece be in a file, from an offset on: they are relative to its anchor."""
    parsed_piece.anchor.file, parsed_piece.anchor.base = file, start
    if parsed_piece.read is not None:
        parsed_piece.read.file = file


def _read_alone(file: SourceFile, piece: Piece, languages: Languages) -> ParsedPiece | None:
    """Parse a piece on its own; None if it is not complete in itself."""
    if not piece.sound:
        return None
    text = file.text[piece.start : piece.end]
    anchor = Anchor(file, piece.start)
    if not piece.section:
        tree = parse_tree(SourceFile(file.path, file.name, text))
        if tree.findings or not isinstance(tree.root, Mapping) or tree.root.in_braces:
            return None
        _anchor_at(tree.root, anchor, 0)
        return ParsedPiece(anchor, [tree.root], None, [])
    head = f"{piece.section}:\n"
    tree = parse_tree(SourceFile(file.path, file.name, head + text))
    nodes = _values(tree, piece.section)
    if not nodes:
        return None
    if tree.findings or len(nodes) > 1:
        # its findings have places in the file: parse it again at its offset, behind blank lines
        text_before = "\n" * (piece.start - len(head)) + head
        tree = parse_tree(file, lambda whole: default_parser()(text_before + whole[piece.start : piece.end]))
        return ParsedPiece(anchor, _values(tree, piece.section), None, tree.findings)
    [node] = nodes
    _anchor_at(node, anchor, len(head))
    entries = FileEntries(file, languages)
    read_entry(piece.section, node, entries, Decoder(languages), [])
    return ParsedPiece(anchor, nodes, entries, [])


def _values(tree: Tree, section: str) -> list[Node]:
    """Return the items of the list under the only key of a tree; none if it could not be read completely."""
    root = tree.root
    if tree.cut is not None or not isinstance(root, Mapping) or root.nodes.keys() != {section}:
        return []
    section_node = root.nodes[section]
    return section_node.items if isinstance(section_node, Sequence) else []


def _anchor_at(node: Node, anchor: Anchor, shift: int) -> None:
    """Make the offsets of a node relative to an anchor, ``shift`` characters smaller than before."""
    node.anchor = anchor
    node.at -= shift
    node.to -= shift
    if isinstance(node, Scalar):
        node.parsed_to -= shift
        return
    inner = node.items if isinstance(node, Sequence) else (*node.keys.values(), *node.nodes.values())
    for inner_node in inner:
        _anchor_at(inner_node, anchor, shift)


def join_parts(file: SourceFile, cut: SplitFile, parts: list[ParsedPiece]) -> Tree | None:
    """Return the tree of a file whose pieces were all parsed on their own; None if a key is repeated."""
    pairs: list[tuple[Scalar, Node]] = []
    lists: dict[str, Sequence] = {}
    for piece, parsed_piece in zip(cut.pieces, parts, strict=True):
        if piece.section:
            if piece.section not in lists:
                key, lists[piece.section] = _empty_section(file, piece, cut.headers[piece.section])
                pairs.append((key, lists[piece.section]))
            _append(lists[piece.section], parsed_piece.nodes)
        else:
            [mapping] = parsed_piece.nodes
            assert isinstance(mapping, Mapping), "a piece without a section is read so"
            pairs += [(key, mapping.nodes[word]) for word, key in mapping.keys.items()]
    keys = {key.text: key for key, _ in pairs}
    if len(keys) < len(pairs):
        return None
    nodes = {key.text: node for key, node in pairs}
    values = {key.text: node.value for key, node in pairs}
    start, end = min(key.start for key in keys.values()), max(node.end for node in nodes.values())
    root = Mapping(file, start, end, False, values, nodes, keys)
    return Tree(file, root, [finding for parsed_piece in parts for finding in parsed_piece.findings])


def _empty_section(file: SourceFile, piece: Piece, start: int) -> tuple[Scalar, Sequence]:
    """Return the key of a section at ``start``, and its list, which begins with the dash of a piece."""
    end, dash = start + len(piece.section), piece.start + piece.indent
    key = Scalar(file, start, end, piece.section, piece.section, "", end)
    return key, Sequence(file, dash, dash, False, [], [])


def _append(section_list: Sequence, nodes: list[Node]) -> None:
    section_list.items += nodes
    section_list.value += [node.value for node in nodes]
    section_list.to = max(section_list.to, *(node.end for node in nodes))


def read_whole_file(file: SourceFile, pieces: list[Piece], parts: list[ParsedPiece | None]) -> Tree:
    """Return the tree of a file with an incomplete piece: an error in it may affect others.

    The whole file is parsed, and its nodes are replaced by equal known ones, except in pieces with a finding.
    (To parse only from the incomplete entry on would save 13 ms of 50 with 420 cards.)
    """
    tree = parse_tree(file)
    root = tree.root
    starts = [piece.start for piece in pieces]
    pieces_with_finding = {bisect_right(starts, finding.span.start) - 1 for finding in tree.findings}
    for section in root.nodes.values() if isinstance(root, Mapping) else ():
        if not isinstance(section, Sequence):
            continue
        for number, node in enumerate(section.items):
            index = bisect_right(starts, node.start) - 1
            parsed_piece = parts[index] if index >= 0 and index not in pieces_with_finding else None
            if parsed_piece is None or parsed_piece.read is None:
                continue
            [parsed_node] = parsed_piece.nodes
            if (parsed_node.start, parsed_node.end, parsed_node.value) == (node.start, node.end, node.value):
                section.items[number] = parsed_node
    return tree
