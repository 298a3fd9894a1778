"""The rows of a table: one for each card and OBJECTIVE that can be read, in file order."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import blake2b

from msgspec import Struct

from toolkit.data.model import Card, Objective
from toolkit.editing.tables.columns import OBJECTIVE, Column, cell_of, columns_of
from toolkit.project.faces import rules_of
from toolkit.project.pipeline import Workspace
from toolkit.vocabulary import STATS
from toolkit.wording.languages import LANGUAGES
from toolkit.wording.text import plain

STATE = "#state"
FILE = "#file"
TEXT = "#text."
"""Read-only columns begin with `#`: the digest of a row, the place of the entry, the generated texts."""

_DEFAULT_KEYS = {
    *("id", "kind", "name", "team", "squadpoints", *(stat.key for stat in STATS.values() if stat.required)),
    *("value", "traits", "effect", "text", "flavour", "art", "back", "quantity"),
}
"""Keys with a column even if no card has them, so that they can be filled in."""


class Row(Struct, frozen=True):
    """The cells of a card or OBJECTIVE, by header."""

    id: str
    kind: str
    cells: Mapping[str, str]


class Table(Struct, frozen=True):
    """Rows, and the headers of their columns in order."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def of_kind(self, kind: str) -> Table:
        """Return the rows of a kind, and only columns that it can have."""
        rows = tuple(row for row in self.rows if row.kind == kind)
        present_headers = {header for row in rows for header in row.cells}
        return Table(tuple(header for header in self.columns if header in present_headers), rows)


def kind_of(entry: Card | Objective) -> str:
    """Return the kind of card, or `objective`."""
    return entry.kind if isinstance(entry, Card) else OBJECTIVE


def section_of(entry: Card | Objective) -> str:
    """Return the section of the file in which an entry is written."""
    return "cards" if isinstance(entry, Card) else "objectives"


def table_of(workspace: Workspace, kinds: Collection[str] = ()) -> Table:
    """Return the table of a project, with the read-only columns at the end."""
    languages = workspace.cards.project.languages
    chosen = [entry for entry in workspace.cards.printed_entries() if not kinds or kind_of(entry) in kinds]
    skills = max((skills_of(entry) for entry in chosen), default=0)
    all_columns = columns_of(None, languages, max(skills, 1))
    columns_by_kind = {kind: columns_of(kind, languages, max(skills, 1)) for kind in map(kind_of, chosen)}
    rows = [_row(workspace, entry, columns_by_kind[kind_of(entry)]) for entry in chosen]
    used_headers: set[str] = set()
    for row in rows:
        used_headers.update(header for header, cell in row.cells.items() if cell)
    # a key that no card has needs no column, unless it is one that a designer may want to fill in
    headers = [
        column.header for column in all_columns if column.header in used_headers or _is_default(column)
    ]
    read_only = (*(f"{TEXT}{language}" for language in languages if language in LANGUAGES), FILE, STATE)
    columns = (*headers, *read_only)
    rows_of_columns = []
    for row in rows:
        cells = {header: row.cells[header] for header in columns if header in row.cells}
        rows_of_columns.append(Row(row.id, row.kind, cells))
    return Table(columns, tuple(rows_of_columns))


def _is_default(column: Column) -> bool:
    """Whether a column is written even if it is empty."""
    if column.key != "skills":
        return column.key in _DEFAULT_KEYS
    _skills, _index, key_of_skill, *_ = column.path
    return key_of_skill in ("name", "effect")


def skills_of(entry: Card | Objective) -> int:
    """Return the number of SKILLs of an entry."""
    return len(entry.node.items("skills"))


def _row(workspace: Workspace, entry: Card | Objective, columns: Sequence[Column]) -> Row:
    """Return the row of an entry, with the digest of its cells for a later import."""
    section = section_of(entry)
    cells = {column.header: cell_of(entry.node, column, section) for column in columns}
    cells |= dict(_read_only_cells(workspace, entry))
    return Row(entry.id, kind_of(entry), {**cells, STATE: digest(cells)})


def _read_only_cells(workspace: Workspace, entry: Card | Objective) -> Iterator[tuple[str, str]]:
    """Yield the generated rules texts and the place of an entry, by column."""
    for language in workspace.cards.project.languages:
        if language in LANGUAGES:
            texts = (
                (card_rules.name, plain(card_rules.paragraphs))
                for card_rules in rules_of(workspace, entry, language)
            )
            yield f"{TEXT}{language}", "\n".join(f"{name}: {text}" if name else text for name, text in texts)
    yield FILE, f"{entry.file.name}:{entry.id_span.begin_position.line}"


def digest(cells: Mapping[str, str]) -> str:
    """Return a digest of the cells that are not empty, without the read-only ones.

    It tells an import later whether the card or the row has changed since the export.
    """
    hash_ = blake2b(digest_size=6)
    for header in sorted(cells):
        if cells[header] and not header.startswith("#"):
            hash_.update(f"{header}\0{cells[header]}\0".encode())
    return hash_.hexdigest()
