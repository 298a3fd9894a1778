"""Definitions, code lenses and symbols."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types
from msgspec import Struct

from toolkit.apps.lsp.editor_documents import Documents
from toolkit.data.model import Card, Entry, Keyword, Marker, Objective, Team
from toolkit.data.schema import SECTIONS
from toolkit.data.yaml.nodes import Mapping, Node, Scalar
from toolkit.data.yaml.nodes import Sequence as ListNode
from toolkit.project.live_project import LiveProject
from toolkit.project.name_references import Occurrence
from toolkit.project.value_at import entries_of, has_letters, name_of
from toolkit.source import SourceFile, Span

_KINDS = {
    "cards": types.SymbolKind.Class,
    "teams": types.SymbolKind.Namespace,
    "objectives": types.SymbolKind.Object,
    "markers": types.SymbolKind.Constant,
    "keywords": types.SymbolKind.Interface,
    "modes": types.SymbolKind.Module,
    "rulesets": types.SymbolKind.Module,
    "squads": types.SymbolKind.Array,
    "scenarios": types.SymbolKind.Event,
    "layouts": types.SymbolKind.Struct,
}
_MAX_SYMBOLS = 500


def definitions_of(project: LiveProject, target: Occurrence) -> list[Occurrence]:
    """Return where an id is defined; a trait is defined by every OPERATOR that has it."""
    return [occurrence for occurrence in project.places_of(target) if occurrence.defines]


# code lenses


class Lens(Struct, frozen=True):
    """A line above an entry, and the places that it is about."""

    span: Span
    title: str
    places: tuple[Span, ...]


_REFERENCED = (Team, Marker, Keyword)
"""Entries that are used through other entries only: they are in no squad or scenario themselves."""
_USER_SECTIONS = (
    ("cards", "card", "cards"),
    ("objectives", "OBJECTIVE", "OBJECTIVEs"),
    ("keywords", "KEYWORD", "KEYWORDs"),
    ("modes", "mode", "modes"),
    ("squads", "squad", "squads"),
    ("scenarios", "scenario", "scenarios"),
)


def lenses(project: LiveProject, file: SourceFile) -> list[Lens]:
    """Return the lenses of a file: the numbers of uses of each card, TEAM, OBJECTIVE, marker and KEYWORD."""
    uses = project.uses()
    code_lenses = []
    for entry in project.cards.entries():
        if entry.file is file and isinstance(entry, (Card, Objective, *_REFERENCED)):
            entry_uses = uses.get(entry.id, [])
            spans = tuple(use.span for use in entry_uses)
            code_lenses.append(Lens(entry.id_span, _usage(entry, entry_uses), spans))
    return sorted(code_lenses, key=lambda lens: lens.span.start)


def _usage(entry: Entry, uses: Sequence[Occurrence]) -> str:
    """Return the title of a lens: ``in 2 squads, 1 scenario``."""
    counts = []
    for section, noun, plural in _USER_SECTIONS:
        count = len({use.entry for use in uses if use.section == section})
        if count:
            counts.append(f"{count} {noun if count == 1 else plural}")
    if counts:
        return f"{'named by' if isinstance(entry, _REFERENCED) else 'in'} {', '.join(counts)}"
    if isinstance(entry, _REFERENCED):
        return "not used by cards"
    return f"not used in {'modes' if isinstance(entry, Objective) else 'squads'} or scenarios"


# symbols


def outline(root: Node | None, documents: Documents) -> list[types.DocumentSymbol]:
    """Return the sections of a file with their entries and SKILLs."""
    if not isinstance(root, Mapping):
        return []
    symbols = []
    for section, node in root.nodes.items():
        if section in SECTIONS and isinstance(node, ListNode):
            key_range = documents.range(root.keys[section].span)
            entries = [entry for entry in node.items if isinstance(entry, Mapping)]
            entry_symbols = [_entry_symbol(section, entry, documents) for entry in entries]
            children = [symbol for symbol in entry_symbols if symbol is not None]
            section_range = types.Range(key_range.start, documents.range(node.span).end)
            kind = types.SymbolKind.Package
            symbols.append(types.DocumentSymbol(section, kind, section_range, key_range, children=children))
    return symbols


def _entry_symbol(section: str, entry: Mapping, documents: Documents) -> types.DocumentSymbol | None:
    """Return the symbol of an entry with its SKILLs; None for one without a name."""
    name = name_of(section, entry)
    if name is None or not name.text:
        return None
    children = []
    for skill in entry.items("skills"):
        title = _printed_name(skill)
        if title is not None:
            skill_range = documents.range(skill.span)
            children.append(
                types.DocumentSymbol(title, types.SymbolKind.Method, skill_range, skill_range, detail="SKILL")
            )
    kind = entry.scalar("kind")
    kind_text = kind.text.upper() if kind else ""
    detail = " · ".join(filter(None, (kind_text, _printed_name(entry)))) or None
    return types.DocumentSymbol(
        name=name.text,
        kind=_KINDS[section],
        range=documents.range(entry.span),
        selection_range=documents.range(name.span),
        detail=detail if section != "scenarios" else None,
        children=children or None,
    )


def _printed_name(node: Node) -> str | None:
    """Return the printed name of an entry or SKILL in its first language, if it has one."""
    name = node.nodes.get("name") if isinstance(node, Mapping) else None
    if isinstance(name, Mapping):
        name = next(iter(name.nodes.values()), None)
    return name.text if isinstance(name, Scalar) and name.text else None


def project_symbols(project: LiveProject, query: str, documents: Documents) -> list[types.WorkspaceSymbol]:
    """Return the entries with the query in their name, or its letters in their order in the id."""
    symbols: list[types.WorkspaceSymbol] = []
    for file, root, _ in project.trees():
        if file is project.cards.project.file:
            continue
        for section, entry in entries_of(root):
            name = name_of(section, entry)
            if name is None or not _matches(section, name, entry, query.lower()):
                continue
            location = documents.location(name.span)
            symbols.append(
                types.WorkspaceSymbol(location, name.text, _KINDS[section], container_name=section)
            )
            if len(symbols) == _MAX_SYMBOLS:
                return symbols
    return symbols


def _matches(section: str, name: Scalar, entry: Mapping, query: str) -> bool:
    """Whether an id or printed name contains a query, or an id has its letters in order."""
    if not name.text:
        return False
    if query in name.text.lower() or query in (_printed_name(entry) or "").lower():
        return True
    return section != "scenarios" and has_letters(name.text, query)
