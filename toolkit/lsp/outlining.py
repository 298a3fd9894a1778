"""What is in a file and in a project, as lists to jump from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lsprotocol import types

from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.schema import SECTIONS
from toolkit.lsp.diagnosing import UriOf, location
from toolkit.lsp.positions import Encoding, range_at
from toolkit.lsp.projects import OpenProject

_KINDS = {
    "cards": types.SymbolKind.Class,
    "teams": types.SymbolKind.Namespace,
    "objectives": types.SymbolKind.Object,
    "modes": types.SymbolKind.Module,
    "rulesets": types.SymbolKind.Module,
    "squads": types.SymbolKind.Array,
    "scenarios": types.SymbolKind.Event,
    "layouts": types.SymbolKind.Struct,
}
_MOST_SYMBOLS = 500


def outline(root: Node | None, encoding: Encoding) -> list[types.DocumentSymbol]:
    """The sections of a file with their entries and SKILLs."""
    if not isinstance(root, Mapping):
        return []
    found = []
    for section, node in root.nodes.items():
        if section in SECTIONS and isinstance(node, Sequence):
            inner = [
                symbol
                for entry in node.items
                if isinstance(entry, Mapping) and (symbol := _entry(section, entry, encoding)) is not None
            ]
            key = root.keys[section]
            whole = types.Range(range_at(key.span, encoding).start, range_at(node.span, encoding).end)
            found.append(
                types.DocumentSymbol(
                    section, types.SymbolKind.Package, whole, range_at(key.span, encoding), children=inner
                )
            )
    return found


def _entry(section: str, entry: Mapping, encoding: Encoding) -> types.DocumentSymbol | None:
    name = _id(section, entry)
    if name is None:
        return None
    skills = entry.nodes.get("skills")
    inner = []
    for skill in skills.items if isinstance(skills, Sequence) else ():
        title = _title(skill)
        if isinstance(skill, Mapping) and title is not None:
            place = range_at(skill.span, encoding)
            inner.append(types.DocumentSymbol(title, types.SymbolKind.Method, place, place, detail="SKILL"))
    return types.DocumentSymbol(
        name.text,
        _KINDS[section],
        range_at(entry.span, encoding),
        range_at(name.span, encoding),
        detail=_detail(entry) if section != "scenarios" else None,
        children=inner or None,
    )


def _detail(entry: Mapping) -> str | None:
    """The kind of card and the printed name."""
    kind = entry.nodes.get("kind")
    parts = [kind.text.upper() if isinstance(kind, Scalar) else "", _title(entry) or ""]
    return " · ".join(part for part in parts if part) or None


def _title(node: Node) -> str | None:
    """The printed name, in its first language."""
    name = node.nodes.get("name") if isinstance(node, Mapping) else None
    if isinstance(name, Mapping):
        name = next(iter(name.nodes.values()), None)
    return name.text if isinstance(name, Scalar) and name.text else None


def project_symbols(
    project: OpenProject, query: str, encoding: Encoding, uri_of: UriOf
) -> Iterator[types.WorkspaceSymbol]:
    """The entries of a project whose id has the letters of the query in their order, or whose name has it."""
    found = (one for one in _entries(project) if _is_meant(*one, query.lower()))
    for section, entry in islice(found, _MOST_SYMBOLS):
        name = _id(section, entry)
        if name is not None:
            place = location(name.span, encoding, uri_of)
            yield types.WorkspaceSymbol(place, name.text, _KINDS[section], container_name=section)


def _entries(project: OpenProject) -> Iterator[tuple[str, Mapping]]:
    for _, root, entries in project.trees():
        if entries is None or not isinstance(root, Mapping):
            continue
        for section, node in root.nodes.items():
            if section in SECTIONS and isinstance(node, Sequence):
                yield from ((section, entry) for entry in node.items if isinstance(entry, Mapping))


def _is_meant(section: str, entry: Mapping, query: str) -> bool:
    name = _id(section, entry)
    if name is None:
        return False
    if query in name.text.lower() or query in (_title(entry) or "").lower():
        return True
    letters = iter(name.text.lower())
    return section != "scenarios" and all(letter in letters for letter in query)


def _id(section: str, entry: Node) -> Scalar | None:
    found = (
        entry.nodes.get("name" if section == "scenarios" else "id") if isinstance(entry, Mapping) else None
    )
    return found if isinstance(found, Scalar) and found.text else None
