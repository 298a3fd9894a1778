"""The import of a table: what it changes in the files of a project, and what is wrong with it.

Nothing is written here. Every plan is verified: the project is read with the changes, and each card must then
have the values of its row.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from unicodedata import normalize

from msgspec import Struct, field

from toolkit.data.model import Card
from toolkit.data.schemas.parts import ID_PATTERN
from toolkit.data.yaml import entry_edits
from toolkit.data.yaml.nodes import Mapping as MappingNode
from toolkit.data.yaml.stand_ins import SEPARATORS
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.phrases import shown
from toolkit.diagnostics.report import new_errors
from toolkit.editing.tables.columns import KINDS, OBJECTIVE, Column, cell_of, columns_of, value_node
from toolkit.editing.tables.entry_editor import (
    WHOLE_NUMBER,
    Entry,
    EntryEditor,
    ImportRow,
    dash_column,
    new_entry,
    same_cell,
)
from toolkit.editing.tables.headers import Headers, resolve_headers
from toolkit.editing.tables.rows import STATE, digest, kind_of, section_of, skills_of
from toolkit.editing.tables.table_reader import Book, Problem, Sheet, SheetRow
from toolkit.project.output import Change
from toolkit.project.pipeline import Workspace, open_project
from toolkit.source import SourceFile, Span
from toolkit.source.edits import Edit, apply
from toolkit.vocabulary.nearest import nearest


class ImportRequest(Struct, frozen=True):
    """How a table is imported.

    ``update`` changes existing cards; ``theirs`` even if card and row have both changed since the export;
    ``delete_missing`` deletes cards of the table's kinds that have no row; ``renamed`` maps headers to keys.
    ``new_cards_file`` is the file for new cards, by default that with most cards of their kind. ``kind`` is
    that of rows that name none; ``sheets`` are the worksheets to read (empty: all that have cards).
    """

    update: bool = False
    theirs: bool = False
    delete_missing: bool = False
    renamed: Mapping[str, str] = {}
    new_cards_file: Path | None = None
    kind: str = ""
    sheets: Sequence[str] = ()


class ImportPlan(Struct, frozen=True):
    """The changes of files, the problems, and the ids of cards that change, are new, go, or have no row."""

    changes: tuple[Change, ...] = ()
    problems: tuple[Problem, ...] = ()
    updated: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def serious(self) -> bool:
        """Whether the table has an error, so that nothing is written."""
        return any(problem.serious for problem in self.problems)


class _Draft(Struct):
    """A plan in the making."""

    workspace: Workspace
    request: ImportRequest
    edits: dict[Path, list[Edit]] = field(default_factory=dict)
    files: dict[Path, SourceFile] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    updated: dict[str, ImportRow] = field(default_factory=dict)
    added: dict[str, ImportRow] = field(default_factory=dict)

    def problem(
        self, location: str, message: str, next_step: str, name: str = "wrong-cell", *, serious: bool = True
    ) -> None:
        """Add a problem at a place of the table."""
        self.problems.append(Problem(location, name, message, next_step, serious))

    def edit(self, file: SourceFile, edits: Iterable[Edit]) -> None:
        """Add edits of a file."""
        self.files[file.path] = file
        self.edits.setdefault(file.path, []).extend(edits)


def plan_import(workspace: Workspace, book: Book, request: ImportRequest) -> ImportPlan:
    """Plan the import of a table into a project."""
    draft = _Draft(workspace, request)
    draft.problems += book.problems
    existing = {entry.id: entry for entry in workspace.cards.printed_entries()}
    first_rows: dict[str, ImportRow] = {}
    kinds: set[str] = set()  # those that the table is about: only they can lack a row
    for header in request.renamed:
        if not any(header in sheet.headers for sheet in book.sheets):
            message = f"The table has no column `{shown(header)}`."
            draft.problem("--map", message, "Write one of its headers.", "unknown-column")
    for sheet, headers in _sheets_of_cards(draft, book):
        kinds |= {sheet.kind} & set(KINDS)
        for row in _rows(draft, sheet, headers, existing):
            if row.id in first_rows:
                first = first_rows[row.id].row.place
                message = f"The id `{shown(row.id)}` is in two rows; the first is at {first}."
                draft.problem(row.row.place, message, "Give one another id.")
                continue
            first_rows[row.id] = row
            kinds.add(row.kind)
            if row.id in existing:
                _plan_update(draft, existing[row.id], row)
            else:
                draft.added[row.id] = row
    _plan_new(draft)
    missing = [entry for entry in existing.values() if entry.id not in first_rows and kind_of(entry) in kinds]
    deleted = _plan_deletions(draft, missing) if request.delete_missing else ()
    changes = _changes(draft)
    planned = changes or draft.updated or draft.added
    if planned and not any(problem.serious for problem in draft.problems):
        _verify(draft, changes, deleted)
    kept_ids = tuple(entry.id for entry in missing if request.update and entry.id not in deleted)
    return ImportPlan(
        changes, tuple(draft.problems), tuple(draft.updated), tuple(draft.added), deleted, kept_ids
    )


def _sheets_of_cards(draft: _Draft, book: Book) -> Iterator[tuple[Sheet, Headers]]:
    """Yield the chosen sheets with the meaning of their headers, and add the problems of these.

    Of several sheets that nobody chose, one without a column of cards is left out.
    """
    request = draft.request
    for sheet in _chosen_sheets(draft, book):
        headers = resolve_headers(sheet, draft.workspace.cards.project.languages, request.renamed)
        if headers.columns or len(book.sheets) == 1 or request.sheets:
            draft.problems += headers.problems
            yield sheet, headers
            continue
        location = next(iter(sheet.headers.values()))
        message = f"The sheet `{shown(sheet.kind)}` has no column of cards, so it is left out."
        step = "Name a column such as `name`, or leave it as it is."
        draft.problem(location, message, step, "unknown-column", serious=False)


def _chosen_sheets(draft: _Draft, book: Book) -> list[Sheet]:
    """Return the sheets that were asked for, or all; a name that no sheet has is a problem."""
    names = [sheet.kind for sheet in book.sheets]
    for name in draft.request.sheets:
        if name not in names:
            near = nearest(name, names)
            step = f"Did you mean `{shown(near)}`?" if near else f"There are: {', '.join(map(shown, names))}."
            draft.problem("--sheet", f"The table has no sheet `{shown(name)}`.", step, "unknown-column")
    return [sheet for sheet in book.sheets if not draft.request.sheets or sheet.kind in draft.request.sheets]


def _report_no_id(draft: _Draft, row: SheetRow, row_id: str, cells_by_header: Mapping[str, str]) -> None:
    """Report a row that has no id, an invalid one, or a name of which none can be made."""
    names = (cell for header, cell in cells_by_header.items() if header.startswith("name"))
    name = next(filter(None, names), "")
    message, step = "The row has no id and no name.", "Write an id such as aimed-shot, or a name."
    if row_id:
        message = f"`{shown(row_id)}` is not an id."
    elif name:
        message = f"No id can be made of the name `{shown(name)}`."
        step = "Write one, such as fireball, into the column id."
    draft.problem(row.place, message, step)


def _kind_of_row(
    draft: _Draft, sheet: Sheet, row: SheetRow, row_id: str, written: str | None, entry: Entry | None
) -> str | None:
    """Return the kind of card that a row is for: as written in it, else of its sheet, its entry or the
    request; report why and return None if it is not one, or not that of its entry."""
    kind_of_sheet = sheet.kind if sheet.kind.lower() in KINDS else ""
    kind_of_entry = kind_of(entry) if entry else ""
    kind = (written or kind_of_sheet or kind_of_entry or draft.request.kind or sheet.kind).lower()
    if kind not in KINDS:
        missing = f"The new card `{row_id}` has no kind."
        message = f"`{shown(kind)}` is not a kind of card." if kind else missing
        step = f"Write one of {', '.join(KINDS)} into the column kind, or name one for all with --kind."
        draft.problem(row.place, message, step)
        return None
    if entry is not None and kind_of_entry != kind:
        message = f"`{row_id}` is {kind_of_entry}, not {kind}: a table cannot change a kind."
        draft.problem(row.place, message, "Change it in its file.")
        return None
    return kind


def _rows(
    draft: _Draft, sheet: Sheet, headers: Headers, existing: Mapping[str, Entry]
) -> Iterator[ImportRow]:
    """Yield the rows that can be imported, and add the problems of the others."""
    for row in sheet.rows:
        row_cells = {column: row.cells.get(header, "").strip() for header, column in headers.columns.items()}
        cells_by_header = {column.header: cell for column, cell in row_cells.items()}
        row_id = cells_by_header.get("id") or id_from_names(cells_by_header)
        if not re.search(ID_PATTERN, row_id):
            _report_no_id(draft, row, row_id, cells_by_header)
            continue
        kind = _kind_of_row(draft, sheet, row, row_id, cells_by_header.get("kind"), existing.get(row_id))
        if kind is None:
            continue
        known_columns = {
            column.header: column for column in columns_of(kind, headers.languages, headers.skills)
        }
        cells = {}
        for column, cell in row_cells.items():
            location = row.place_of(headers.header_by_column[column])
            if column.header in ("id", "kind"):
                continue
            if column.header in known_columns:
                cells[column] = _normalize_cell(draft, location, column, cell)
            elif cell:
                message = f"`{column.header}` is not a key of {kind} cards."
                draft.problem(location, message, "Leave it out, or change the kind.")
        yield ImportRow(row, row_id, kind, cells, headers.header_by_column, headers.localized)


def id_from_names(cells: Mapping[str, str]) -> str:
    """Return an id made from a name."""
    names = (cell for header, cell in cells.items() if header == "name" or header.startswith("name."))
    name = next(filter(None, names), "")
    plain = normalize("NFC", name).lower()
    for sign, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        plain = plain.replace(sign, letters)
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _normalize_cell(draft: _Draft, location: str, column: Column, cell: str) -> str:
    """Return a cell as an entry would have it; a wrong number adds a problem."""
    cell = normalize("NFC", cell.replace("\r\n", "\n").replace("\r", "\n"))
    cell = re.sub(f" ?[{SEPARATORS}] ?", " ", cell)  # line ends of no spreadsheet, and of no YAML
    if column.cell_type == "number" and cell:
        number = WHOLE_NUMBER.fullmatch(cell)
        if number is None:
            message = f"`{shown(cell)}` is not a whole number, which `{column.header}` must be."
            draft.problem(location, message, "Write a number such as 4.")
        return str(int(number["number"])) if number else cell
    return cell


def _plan_update(draft: _Draft, entry: Entry, row: ImportRow) -> None:
    """Plan the edits of an existing card, if its row differs."""
    section = section_of(entry)
    current_cells = {column: cell_of(entry.node, column, section) for column in row.cells}
    differing = [
        column for column, cell in row.cells.items() if not same_cell(column, cell, current_cells[column])
    ]
    if not differing:
        return
    location, headers = row.row.place, ", ".join(column.header for column in differing[:4])
    if not draft.request.update:
        message = f"`{entry.id}` exists, and its row differs ({headers})."
        draft.problem(location, message, "Add --update to change cards.", "row-exists", serious=False)
        return
    # A three-way comparison: the digest of the export is the common version of card and row.
    state = row.row.cells.get(STATE, "").strip()
    if state and not draft.request.theirs and state != _current_digest(draft.workspace, entry):
        cells = {column.header: cell for column, cell in row.cells.items()}
        if state == digest({**cells, "id": row.id, "kind": row.kind}):
            return  # only the card has changed since the export
        message = f"`{entry.id}` and its row have both changed since the table was written."
        step = "Export again and repeat the change, or add --theirs to take the row."
        draft.problem(location, message, step, "row-conflict")
        return
    edits = EntryEditor(draft.workspace, entry, row).edits()
    if edits is None:
        message = f"`{entry.id}` cannot be changed by a table ({headers})."
        draft.problem(location, message, f"Change it in {_location(entry)}.")
        return
    draft.edit(entry.file, edits)
    draft.updated[entry.id] = row


def _location(entry: Entry) -> str:
    return f"{entry.file.name}, line {entry.id_span.begin_position.line}"


def _current_digest(workspace: Workspace, entry: Entry) -> str:
    """Return the digest that the row of a card would have now."""
    columns = columns_of(kind_of(entry), workspace.cards.project.languages, max(skills_of(entry), 1))
    section = section_of(entry)
    return digest({column.header: cell_of(entry.node, column, section) for column in columns})


def _plan_new(draft: _Draft) -> None:
    """Plan the new cards: behind the last one in their file, or in a section of their own at its end."""
    requested = draft.request.new_cards_file
    new_sections: dict[tuple[Path, str], list[str]] = {}
    for row in draft.added.values():
        section = "objectives" if row.kind == OBJECTIVE else "cards"
        entry = new_entry(row, draft.workspace.cards.project.languages)
        entry_before = _entry_before(draft.workspace, row, section, requested)
        if entry_before is not None:
            line_end = "\n" if has_blank_line_above(entry_before.node) else ""
            lines = line_end + entry_edits.format_entry(entry, dash_column(entry_before.node))
            draft.edit(entry_before.file, [entry_edits.insert_behind(entry_before.node, lines)])
            continue
        name = "objectives" if row.kind == OBJECTIVE else row.kind
        path = requested or draft.workspace.root / f"{name}.yaml"
        open_file = next((file for file in draft.workspace.cards.files if file.path == path), None)
        may_append = path in draft.files or (requested is not None and open_file is not None)
        if path.exists() and not may_append:
            message = f"There is no file with {row.kind} cards, and {path.name} exists."
            draft.problem(row.row.place, message, "Add a first card by hand.")
            continue
        draft.files.setdefault(path, open_file or SourceFile(path, path.name, ""))
        new_sections.setdefault((path, section), []).append(entry_edits.format_entry(entry, 2) + "\n")
    for (path, section), entries in new_sections.items():
        text = draft.files[path].text
        line_end = "" if text.endswith("\n") or not text else "\n"
        lines = f"{line_end}{section}:\n" + "\n".join(entries)
        draft.edit(draft.files[path], [Edit(len(text), len(text), lines)])


def _entry_before(workspace: Workspace, row: ImportRow, section: str, requested: Path | None) -> Entry | None:
    """Return the entry behind which a new card is written; None if it needs a new section.

    It is the last one of its section in the requested file, or in that with most cards of its TEAM, then of
    its kind.
    """
    team = next((cell for column, cell in row.cells.items() if column.header == "team"), "")
    files: dict[Path, list[Entry]] = {}
    for entry in workspace.cards.printed_entries():
        if section_of(entry) == section and requested in (None, entry.file.path):
            files.setdefault(entry.file.path, []).append(entry)

    def entry_counts(entries: Sequence[Entry]) -> tuple[int, int]:
        """Return how many entries are of the card's TEAM, and how many there are of its kind."""
        blocks = [entry for entry in entries if entry_edits.is_block_item(entry.node)]
        of_kind = [entry for entry in blocks if requested or kind_of(entry) == row.kind]
        of_team = [entry for entry in of_kind if team and isinstance(entry, Card) and entry.team == team]
        return len(of_team), len(of_kind)

    best_entries = max(files.values(), key=entry_counts, default=[])
    _of_team, of_kind = entry_counts(best_entries)
    return max(best_entries, key=lambda entry: entry.node.start) if of_kind else None


def has_blank_line_above(last: MappingNode) -> bool:
    """Whether an empty line is above an entry, so that new ones get one too."""
    text = last.file.text
    end_of_line_above = text.rfind("\n", 0, last.start)
    return text[:end_of_line_above].rstrip(" ").endswith("\n")


def _plan_deletions(draft: _Draft, missing: Iterable[Entry]) -> tuple[str, ...]:
    """Plan to remove entries without a row; return the ids of those that can be."""
    deleted = []
    for entry in missing:
        edit = entry_edits.remove_item(entry.node)
        if edit is None:
            message = f"`{entry.id}` cannot be deleted alone."
            draft.problem(entry.file.name, message, f"Delete it in {_location(entry)}.")
        else:
            draft.edit(entry.file, [edit])
            deleted.append(entry.id)
    return tuple(deleted)


def _changes(draft: _Draft) -> tuple[Change, ...]:
    """Return the changed files; insertions at one place keep the order in which they were planned."""
    changes = []
    for path, edits in draft.edits.items():
        texts_by_span: dict[tuple[int, int], str] = {}
        for edit in edits:
            texts_by_span[edit.start, edit.end] = (
                texts_by_span.get((edit.start, edit.end), "") + edit.replacement
            )
        file = draft.files[path]
        try:
            after = apply(file.text, [Edit(*edit_span, text) for edit_span, text in texts_by_span.items()])
        except ValueError:
            draft.problem(file.name, f"The changes in {file.name} overlap.", "Import fewer columns at once.")
            continue
        if after != file.text:
            changes.append(Change(file, after))
    return tuple(changes)


def _column_at(span: Span, entry: Entry, row: ImportRow) -> Column | None:
    """Return the column in whose value a finding lies; for a missing text that of the empty cell."""
    nearest_column: Column | None = None
    best_rank = 0, True
    for column, cell in row.cells.items():
        # a missing text is reported at the mapping around it, which all its columns share
        rank = _depth_around(span, entry, column), not cell
        if rank > best_rank:
            nearest_column, best_rank = column, rank
    return nearest_column


def _depth_around(span: Span, entry: Entry, column: Column) -> int:
    """Return how many steps of a column's path lead to something that still has a span in it."""
    depth = 0
    for step_count in range(1, len(column.path) + 1):
        node = value_node(entry.node, Column("", column.path[:step_count]))
        if node is None or not node.start <= span.start <= span.end <= node.end:
            break
        depth = step_count
    return depth


def _verify(draft: _Draft, changes: Sequence[Change], deleted: Collection[str]) -> None:
    """Read the project with the changes, and add new findings and every value that is not as planned."""
    after = open_project(draft.workspace.root, {change.file.path: change.after for change in changes})
    existing = {entry.id: entry for entry in after.cards.printed_entries()}
    rows_by_id = {**draft.updated, **draft.added}
    if _report_findings(draft, after, existing, rows_by_id):
        return
    for id, row in rows_by_id.items():
        differing = _differing_columns(existing.get(id), row)
        if differing:
            message = f"`{id}` would not be read as its row says ({', '.join(differing[:4])})."
            draft.problem(row.row.place, message, "Change it in its file.")
    for entry in draft.workspace.cards.printed_entries():
        if entry.id not in rows_by_id and entry.id not in deleted:
            new_value = existing[entry.id].node.value if entry.id in existing else None
            if entry.node.value != new_value:
                message = f"The import would also change `{entry.id}`."
                draft.problem(entry.id, message, "Change the cards in their file.")


def _differing_columns(entry: Entry | None, row: ImportRow) -> list[str]:
    """Return the headers of the cells that an entry was not read with; of no entry a phrase that says so."""
    if entry is None:
        return ["it would be gone"]
    section = section_of(entry)
    return [
        column.header
        for column, cell in row.cells.items()
        if not same_cell(column, cell, cell_of(entry.node, column, section))
    ]


def _untranslated_texts(
    workspace: Workspace, after: Workspace, rows_by_id: Mapping[str, ImportRow]
) -> list[Diagnostic]:
    """Return the findings about texts of the table that are in one language, without those from before."""
    known_findings = {(finding.card, finding.message) for finding in workspace.findings}
    return [
        finding
        for finding in after.findings
        if finding.name == "text-in-one-language"
        and finding.card in rows_by_id
        and (finding.card, finding.message) not in known_findings
    ]


def _report_findings(
    draft: _Draft, after: Workspace, existing: Mapping[str, Entry], rows_by_id: Mapping[str, ImportRow]
) -> bool:
    """Add the findings that the changes bring, at the cells that cause them; whether there are errors."""
    new = new_errors(draft.workspace.findings, after.findings)
    untranslated = _untranslated_texts(draft.workspace, after, rows_by_id)
    languages = draft.workspace.cards.project.languages
    for finding in (*new, *untranslated):
        row = rows_by_id.get(finding.card or "")
        entry = existing.get(row.id) if row else None
        column = _column_at(finding.span, entry, row) if entry is not None and row else None
        location = row.row.place if row else finding.span.file.name
        message = finding.message
        if row and column is not None:
            location = row.place(column)
            if location:  # a new card of `opforge new` has no table
                message = f"{message} (Column {column.header}.)"
        step = finding.next_step or ""
        *path_of_text, last_key = column.path if column is not None else ("",)
        if finding in untranslated and last_key in languages:
            headers = [f"`{'.'.join(map(str, path_of_text))}.{language}`" for language in languages]
            step = f"Give each language a column: {', '.join(headers)}."
        draft.problem(location, message, step, finding.name, serious=finding in new)
    return bool(new)
