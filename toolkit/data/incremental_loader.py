"""A card file that is edited again and again: of its entries only those are read whose text has changed.

The file is cut into its entries by indentation alone. An entry that can be read alone, without an error,
means the same wherever it stands in its list: it stays the same object and is moved with its anchor. Where
that is doubtful (an error, lines in unusual places) the file is read from the entry before to its end, and
what is found there is compared with what is known.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from toolkit.data.decode import Decoder
from toolkit.data.file_entries import FileEntries, Key, Part, Parts, entries_of, read_entries, read_entry
from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.pasted_text import may_be_foreign, may_hide_spaces
from toolkit.data.schema import SECTIONS
from toolkit.data.tree import MOST_NODES, Tree, default_parser, parse_tree
from toolkit.diagnostics import Diagnostic
from toolkit.source import Anchor, SourceFile, Span

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


def cut_up(text: str) -> Cut | None:
    """The pieces of a file in order; None where its lines are not what they seem."""
    if len(text) > MOST_CHARACTERS or _may_break_otherwise(text):
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


def _may_break_otherwise(text: str) -> bool:
    """Whether YAML may see ends of lines or blanks where they are not looked for here."""
    if ("\r" in text and _LONE_RETURN.search(text)) or may_be_foreign(text):
        return True
    return not text.isascii() and (may_hide_spaces(text) or any(map(text.__contains__, _OTHER_BREAKS)))


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
    for finding in findings:
        fixed = [] if finding.fix is None else [finding.fix.span]
        if any(span.anchor is not anchor for span in (*_places(finding), *fixed)):
            return False
    return True


def _places(finding: Diagnostic) -> list[Span]:
    return [finding.span, *(label.span for label in finding.labels)]


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
        tree = _parse_instead(file, "\n" * (piece.start - len(head)) + head + text)
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


def _parse_instead(file: SourceFile, text: str) -> Tree:
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
            start, word = cut.headers[piece.section], piece.section
            to = start + len(word)
            below: dict[Scalar, Node] = {Scalar(file, start, to, word, word, "", to): found}
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
    tree = _parse_instead(file, without(file.text, before))
    sections = tree.root.nodes.keys() if isinstance(tree.root, Mapping) else set()
    if before and (
        any(span.start < pieces[first].start for finding in tree.findings for span in _places(finding))
        or any(piece.section not in sections for piece in before if piece.section)
    ):
        return [], parse_tree(file)
    return before, tree


def without(text: str, pieces: Iterable[Piece]) -> str:
    """The text with blanks in place of some entries: everything else stands where it stood."""
    parts, at = [], 0
    for piece in (one for one in pieces if one.section):
        parts += [text[at : piece.start], " " * (piece.end - piece.start - 1), "\n"]
        at = piece.end
    return "".join([*parts, text[at:]])


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
            if part is None or part.read is None:
                continue
            known = part.nodes[0]
            if (known.start, known.end, known.value) == (node.start, node.end, node.value):
                section.items[number] = known
