"""The entries of one card file, and the layouts of sheets that opforge ships as such a file.

What explains mistakes is imported only where a mistake is met: jsonschema takes 40 ms.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping as Lookup
from functools import cache
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.data.decode import Decoder
from toolkit.data.model import BrokenEntry, Entry, Layout
from toolkit.data.schema import KINDS, SECTIONS, acceptance
from toolkit.data.schemas.scenario_schema import EXPECT_WORDS
from toolkit.data.yaml.nodes import REFUSED, Mapping, Node, Scalar, Sequence
from toolkit.data.yaml.yaml_tree import Tree, parse_tree
from toolkit.diagnostics import Diagnostic, Fix, correction, suggestion
from toolkit.diagnostics.phrases import shown
from toolkit.source import Anchor, SourceFile, Span
from toolkit.vocabulary.nearest import nearest

_ID = r"\bid(?::[ \t]*|[ \t]+)[\"'\[{]?([A-Za-z0-9_-]+)"
_WORD = r"[A-Za-z0-9_-]+"
HARMLESS = frozenset(
    {"unknown-key", "duplicate-key", "missing-language", "unknown-language", "foreign-syntax"}
)
"""Findings that leave an entry usable, so that its other parts are checked in the same run."""
_USABLE = HARMLESS | {"swallowed-by-comment", "cut-text"}
_SCRAMBLING = frozenset({"missing-colon", "missing-space", "unquoted-comma"})
"""Findings that make the keys and texts of an entry unknown."""
_COUNTED = ("cards", "objectives")


class FileEntries(Struct):
    """What one file contains: entries with their sections, and the ids of all entries, broken ones included.

    ``broken_ids`` and ``broken_traits`` are words of what could not be read: references to them are not
    reported. ``broken`` are unusable entries whose effects can be checked. ``root`` is the tree as far as it
    could be read, ``cut`` the offset from which it could not. ``parts`` are reused when the file is edited
    (``incremental_loader``). ``nameless`` says that an entry has no id, or one that cannot be meant, so any
    reference may mean it.
    ``cards`` is the number of cards and OBJECTIVEs in the file, usable or not.
    """

    file: SourceFile
    languages: tuple[str, ...] | None
    entries: list[tuple[str, Entry]] = field(default_factory=list)
    ids: list[tuple[str, Span]] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    broken_ids: set[str] = field(default_factory=set)
    broken_traits: set[str] = field(default_factory=set)
    broken: list[BrokenEntry] = field(default_factory=list)
    nameless: bool = False
    cards: int = 0
    root: Node | None = None
    cut: int | None = None
    parts: ParsedPieces = field(default_factory=dict)

    def add(self, other: FileEntries) -> None:
        """Add an entry that was read before."""
        self.entries += other.entries
        self.ids += other.ids
        self.findings += other.findings
        self.broken_ids |= other.broken_ids
        self.broken_traits |= other.broken_traits
        self.broken += other.broken
        self.nameless |= other.nameless

    def report(self, name: str, message: str, span: Span, step: str, fix: Fix | None = None) -> None:
        """Add a finding about the form of the file."""
        self.findings.append(Diagnostic(name, message, span, step, fix=fix))

    def keep_words(self, text: str) -> None:
        """Record the ids and words of something broken: references to them are not reported."""
        self.broken_ids.update(re.findall(_ID, text))
        self.broken_traits.update(re.findall(_WORD, text))


class ParsedPiece(Struct, eq=False):
    """One piece of a file, parsed on its own: an entry, or a mapping with another key.

    ``read`` is None, and the piece is not reused, if it is no entry, has ``findings`` about its syntax, or is
    several entries because dashes are missing.
    """

    anchor: Anchor
    nodes: list[Node]
    read: FileEntries | None
    findings: list[Diagnostic]


Key = tuple[str, int, str]
"""The section, the indent and the text of a piece."""

ParsedPieces = dict[Key, list[ParsedPiece]]
"""Parsed pieces by key, several for equal pieces of a file."""


def read_entries(file: SourceFile, languages: tuple[str, ...] | None) -> FileEntries:
    """Read one card file. Never raises. ``languages`` is None if those of the project are unknown."""
    return entries_of(parse_tree(file), languages, {})


def entries_of(
    tree: Tree, languages: tuple[str, ...] | None, entries_by_node: Lookup[Node, FileEntries]
) -> FileEntries:
    """Return the entries in the tree of a file; ``entries_by_node`` are the results of nodes that were read
    before."""
    entries = FileEntries(tree.file, languages, findings=list(tree.findings), root=tree.root, cut=tree.cut)
    if tree.cut is not None:
        # from the beginning of the line: what cuts the file may stand before an id
        entries.keep_words(tree.file.text[tree.file.text.rfind("\n", 0, tree.cut) + 1 :])
    sections = _sections(tree, entries)
    entries.cards = sum(len(node.items) for section, node in sections if section in _COUNTED)
    if tree.cut is not None:
        entries.cards += _unread_entries(tree.file.text, tree.cut)
    decoder = Decoder(languages)
    errors = sorted(finding.span.start for finding in tree.findings if finding.name not in HARMLESS)
    for section, node in sections:
        for item in node.items:
            if entries_by_node and item in entries_by_node:
                entries.add(entries_by_node[item])
            else:
                read_entry(section, item, entries, decoder, errors)
    if tree.findings:
        _assign_entry_ids(sections, entries)
    return entries


def _unread_entries(text: str, cut: int) -> int:
    """Return how many cards and OBJECTIVEs begin after ``cut``, judging by indentation.

    An entry begins with a dash that is not indented deeper than the first dash of its section.
    """
    section, first_indent, entry_count = "", -1, 0
    for match in re.finditer(r"\n(?:(?P<section>[A-Za-z_]+):|(?P<indent> *)-[ \t]+)", f"\n{text}"):
        if match["section"]:
            section, first_indent = match["section"], -1
            continue
        indent = len(match["indent"])
        first_indent = indent if first_indent < 0 else first_indent
        if section in _COUNTED and indent <= first_indent and match.end() > cut:
            entry_count += 1
    return entry_count


def _assign_entry_ids(sections: list[tuple[str, Sequence]], read: FileEntries) -> None:
    """Add to findings about the syntax of the file the id of the entry that they are in."""
    section_by_item = {item: section for section, node in sections for item in node.items}
    items = sorted(section_by_item, key=lambda item: item.start)
    starts = [item.start for item in items]
    for number, finding in enumerate(read.findings):
        last_begun = bisect_right(starts, finding.span.start) - 1
        if finding.card is not None or last_begun < 0:
            continue
        item = items[last_begun]
        if isinstance(item, Mapping) and finding.span.start < item.end:
            read.findings[number] = replace(finding, card=_entry_id(section_by_item[item], item))


def _sections(tree: Tree, read: FileEntries) -> list[tuple[str, Sequence]]:
    """Return the lists at the top level of the file with their sections, and report other values."""
    root = tree.root
    if root is None or (isinstance(root, Scalar) and root.value is None):
        if not tree.findings:
            span = tree.file.span(0, min(1, len(tree.file.text)))
            step = "Write entries below a key such as `cards:`, or remove the file."
            read.report("empty-file", f"{tree.file.name} has no content.", span, step)
        return []
    if not isinstance(root, Mapping):
        span = root.file.span(root.start, min(root.end, root.start + 1))
        step = f"Write one of these above: {', '.join(f'`{name}:`' for name in SECTIONS)}."
        message = "A card file begins with a key that names what is listed below it."
        read.report("wrong-type", message, span, step)
        return []
    sections = []
    for key, node in root.nodes.items():
        is_refused = isinstance(node, Scalar) and node.style == REFUSED
        is_torn = not isinstance(node, Scalar) and tree.cut is not None and node.end >= tree.cut
        if key in SECTIONS and isinstance(node, Sequence):
            sections.append((key, node))
        elif key not in SECTIONS:
            _report_unknown_section(root, key, read)
            read.keep_words(_text_of(node))
        elif not is_refused and not is_torn:  # otherwise a finding says already why it is not a list
            _report_no_list(root, key, read)
            read.keep_words(_text_of(node))
    return sections


def _report_unknown_section(root: Mapping, key: str, read: FileEntries) -> None:
    """Report a top-level key that is none, with the section that it may mean and the file has not yet."""
    from toolkit.data.mistakes.key_findings import other_name

    free = [name for name in SECTIONS if name not in root.nodes]
    span = root.keys[key].span
    other = other_name(key, free)
    meant = other or nearest(key, free)
    step = f"Did you mean `{meant}`?" if meant else f"Use one of {', '.join(SECTIONS)}."
    fix = correction(span, other, safe=False) if other else suggestion(span, key, meant, SECTIONS)
    read.report("unknown-key", f"A card file has no key `{shown(key)}` at the top.", span, step, fix)


def _report_no_list(root: Mapping, key: str, read: FileEntries) -> None:
    """Report a section that is no list: it is empty, its dashes have no space, or it is something else."""
    node, span = root.nodes[key], root.keys[key].span
    first = next(iter(node.keys.values())) if isinstance(node, Mapping) and node.keys else None
    if isinstance(node, Scalar) and node.value is None:
        step = f"Write entries below it, or `{key}: []`."
        read.report("empty-value", f"There is nothing below `{key}`.", span, step)
    elif first is not None and re.match("-[A-Za-z_]", first.text):
        dash = first.file.span(first.start, first.start + 1)
        message = "There is no space after this `-`."
        read.report("missing-space", message, dash, "Add a space.", Fix(dash, "- "))
    else:
        step = f"Begin each entry with `- ` and its `{_naming_key(key)}`."
        read.report("wrong-type", f"Below `{key}` there must be a list of entries.", span, step)


def read_entry(section: str, node: Node, read: FileEntries, decoder: Decoder, errors: list[int]) -> None:
    """Check and decode one entry, and add it to ``read``; only its id if it is unusable.

    ``errors`` are the sorted offsets of syntax errors in the file.
    """
    if not isinstance(node, Mapping):
        _report_no_mapping(section, node, read)
        return
    entry_id = _entry_id(section, node)
    if entry_id is None:
        read.nameless = True
    elif section != "scenarios":
        read.ids.append((entry_id, node.nodes["id"].span))
    kind = node.value.get("kind") if section == "cards" else None
    kind = kind if isinstance(kind, str) and kind in KINDS else None
    if kind == "operator" and entry_id is not None and entry_id in EXPECT_WORDS:
        read.findings.append(_reserved_id(entry_id, node.nodes["id"].span))
    is_usable, findings = True, list[Diagnostic]()
    if (section == "cards" and kind is None) or not acceptance(section, kind)(node.value):
        from toolkit.data.checks.schema_findings import check_entry

        checked = check_entry(node, section, entry_id)
        read.findings += checked.findings
        is_usable, findings = checked.usable, checked.findings
        id_span = node.nodes["id"].span if entry_id is not None and section != "scenarios" else None
        read.nameless |= any(finding.name == "invalid-id" and finding.span == id_span for finding in findings)
    next_error = bisect_left(errors, node.start)
    has_syntax_error = next_error < len(errors) and errors[next_error] < max(node.end, node.start + 1)
    if is_usable and not has_syntax_error:
        _decode_entry(section, node, read, decoder)
        return
    read.keep_words(_text_of(node))
    read.findings += decoder.texts_of(node, entry_id)
    is_scrambled = has_syntax_error or any(finding.name in _SCRAMBLING for finding in findings)
    if not is_scrambled:  # its effects are what they seem
        finding_count = len(decoder.findings)
        broken = decoder.effects_of(section, node, entry_id, kind)
        read.findings += decoder.findings[finding_count:]
        read.broken += [broken] if broken.effects else []


def _decode_entry(section: str, node: Mapping, read: FileEntries, decoder: Decoder) -> None:
    """Decode an entry that its schema accepts, and add it to ``read`` unless its texts are cut off."""
    finding_count = len(decoder.findings)
    entry = decoder.entry(section, node)
    new_findings = decoder.findings[finding_count:]
    read.findings += new_findings
    if not decoder.torn and all(finding.name in _USABLE for finding in new_findings):
        read.entries.append((section, entry))
    else:
        read.keep_words(_text_of(node))


def _report_no_mapping(section: str, node: Node, read: FileEntries) -> None:
    """Report an entry without keys; of a value that is not allowed another finding says so."""
    if isinstance(node, Scalar) and node.style == REFUSED:
        return
    first = _naming_key(section)
    message = f"An entry of `{section}` has keys with values, such as `{first}: …`."
    step = f"Write the entry as `- {first}: …` with its other keys below."
    read.report("wrong-type", message, node.span, step)


def _reserved_id(word: str, span: Span) -> Diagnostic:
    message = (
        f"`{word}` cannot be the id of an OPERATOR: under `expect` of a scenario it means something else."
    )
    step = "Choose another id; what is printed is the `name`."
    return Diagnostic("reserved-id", message, span, step, card=word)


def _naming_key(section: str) -> str:
    return "name" if section == "scenarios" else "id"


def _entry_id(section: str, node: Mapping) -> str | None:
    name_node = node.nodes.get(_naming_key(section))
    return name_node.text if isinstance(name_node, Scalar) and isinstance(name_node.value, str) else None


def _text_of(node: Node) -> str:
    return node.file.text[node.start : node.end]


_FILE = Path(__file__).parent / "layouts.yaml"
_BEFORE_ENTRY = "  - {id: "


@cache
def shipped_layouts() -> dict[str, Layout]:
    """Return all layouts that opforge ships, by id."""
    return _read(_FILE.read_text(encoding="utf-8"))


@cache
def shipped_layout(name: str) -> Layout | None:
    """Return the shipped layout with an id. Only its line of the file is parsed: all 368 take 90 ms."""
    head, *entries = _FILE.read_text(encoding="utf-8").split(_BEFORE_ENTRY)
    line = next((entry for entry in entries if entry.startswith(f"{name},")), None)
    return None if line is None else _read(f"{head}{_BEFORE_ENTRY}{line}").get(name)


def _read(text: str) -> dict[str, Layout]:
    entries = read_entries(SourceFile(_FILE, _FILE.name, text), None).entries
    return {entry.id: entry for _, entry in entries if isinstance(entry, Layout)}
