"""The rows of a table: one for each card and OBJECTIVE that can be read, in file order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import blake2b

from msgspec import Struct

from toolkit.data.model import Card, Objective
from toolkit.pipeline import Workspace
from toolkit.project.faces import rules_of
from toolkit.tables.columns import OBJECTIVE, Column, cell_of, columns_of
from toolkit.vocabulary import STATS
from toolkit.wording.languages import LANGUAGES
from toolkit.wording.text import plain

STATE = "#state"
FILE = "#file"
TEXT = "#text."
"""Columns for reading begin with `#`: the digest of a row, the place of the entry, the generated texts."""

_USUAL = {
    *("id", "kind", "name", "team", "squadpoints", *(stat.key for stat in STATS.values() if stat.required)),
    *("value", "traits", "effect", "text", "flavour", "art", "back", "quantity"),
}
"""Keys that have a column even where no card has them, so that they can be filled in."""


class Row(Struct, frozen=True):
    """A card or OBJECTIVE as cells by header."""

    id: str
    kind: str
    cells: Mapping[str, str]


class Table(Struct, frozen=True):
    """Rows, and their columns by header in order."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def of_kind(self, kind: str) -> Table:
        """Return the rows of a kind, with the columns that it can have."""
        rows = tuple(row for row in self.rows if row.kind == kind)
        there = {header for row in rows for header in row.cells}
        return Table(tuple(header for header in self.columns if header in there), rows)


def entries(workspace: Workspace) -> list[Card | Objective]:
    """Return what has a row: all cards, then all OBJECTIVEs."""
    return workspace.cards.printed_entries()


def kind_of(entry: Card | Objective) -> str:
    """Return the kind of card, or `objective`."""
    return entry.kind if isinstance(entry, Card) else OBJECTIVE


def section_of(entry: Card | Objective) -> str:
    """Return the section of a file that the entry stands in."""
    return "cards" if isinstance(entry, Card) else "objectives"


def table_of(workspace: Workspace, kinds: Collection[str] = ()) -> Table:
    """Return the table of a project, with the columns for reading at the end."""
    languages = workspace.cards.project.languages
    chosen = [entry for entry in entries(workspace) if not kinds or kind_of(entry) in kinds]
    skills = max((skills_of(entry) for entry in chosen), default=0)
    every = columns_of(None, languages, max(skills, 1))
    known = {kind: columns_of(kind, languages, max(skills, 1)) for kind in map(kind_of, chosen)}
    rows = [_row(workspace, entry, known[kind_of(entry)]) for entry in chosen]
    used = {header for row in rows for header, cell in row.cells.items() if cell}
    headers = [column.header for column in every if column.header in used or _is_usual(column)]
    reading = (*(f"{TEXT}{language}" for language in languages if language in LANGUAGES), FILE, STATE)
    columns = (*headers, *reading)
    kept = [{header: row.cells[header] for header in columns if header in row.cells} for row in rows]
    return Table(
        columns, tuple([Row(row.id, row.kind, cells) for row, cells in zip(rows, kept, strict=True)])
    )


def _is_usual(column: Column) -> bool:
    """Whether a column is there even if it is empty."""
    return column.path[0] in _USUAL or (column.path[0] == "skills" and column.path[2] in ("name", "effect"))


def skills_of(entry: Card | Objective) -> int:
    """Return how many SKILLs an entry has."""
    return len(entry.node.items("skills"))


def _row(workspace: Workspace, entry: Card | Objective, columns: Sequence[Column]) -> Row:
    section = section_of(entry)
    cells = {column.header: cell_of(entry.node, column, section) for column in columns}
    cells |= dict(_for_reading(workspace, entry))
    return Row(entry.id, kind_of(entry), {**cells, STATE: digest(cells)})


def _for_reading(workspace: Workspace, entry: Card | Objective) -> Iterator[tuple[str, str]]:
    for language in workspace.cards.project.languages:
        if language in LANGUAGES:
            texts = ((one.name, plain(one.paragraphs)) for one in rules_of(workspace, entry, language))
            yield f"{TEXT}{language}", "\n".join(f"{name}: {text}" if name else text for name, text in texts)
    yield FILE, f"{entry.file.name}:{entry.id_span.begin_position.line}"


def digest(cells: Mapping[str, str]) -> str:
    """Return a digest of the cells that say something; those for reading do not count."""
    made = blake2b(digest_size=6)
    for header in sorted(cells):
        if cells[header] and not header.startswith("#"):
            made.update(f"{header}\0{cells[header]}\0".encode())
    return made.hexdigest()
