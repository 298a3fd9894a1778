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
from toolkit.editing.tables.table_reader import Book, Problem, Sheet
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
        self, place: str, message: str, next_step: str, name: str = "wrong-cell", *, serious: bool = True
    ) -> None:
        """Add a problem at a place of the table."""
        self.problems.append(Problem(place, name, message, next_step, serious))

    def edit(self, file: SourceFile, edits: Iterable[Edit]) -> None:
        """Add edits of a file."""
        self.files[file.path] = file
        self.edits.setdefault(file.path, []).extend(edits)


def plan_import(workspace: Workspace, book: Book, request: ImportRequest) -> ImportPlan:
    """Plan the import of a table into a project."""
    draft = _Draft(workspace, request)
    draft.problems += book.problems
    existing = {entry.id: entry for entry in workspace.cards.printed_entries()}
    seen: dict[str, ImportRow] = {}
    kinds: set[str] = set()
    for header in request.renamed:
        if not any(header in sheet.headers for sheet in book.sheets):
            message = f"The table has no column `{shown(header)}`."
            draft.problem("--map", message, "Write one of its headers.", "unknown-column")
    for sheet in _chosen_sheets(draft, book):
        headers = resolve_headers(sheet, workspace.cards.project.languages, request.renamed)
        if not headers.columns and len(book.sheets) > 1 and not request.sheets:
            place = next(iter(sheet.headers.values()))
            message = f"The sheet `{shown(sheet.kind)}` has no column of cards, so it is left out."
            step = "Name a column such as `name`, or leave it as it is."
            draft.problem(place, message, step, "unknown-column", serious=False)
            continue
        draft.problems += headers.problems
        kinds |= {sheet.kind} & set(KINDS)
        for wanted in _rows(draft, sheet, headers, existing):
            if wanted.id in seen:
                first = seen[wanted.id].row.place
                message = f"The id `{shown(wanted.id)}` is in two rows; the first is at {first}."
                draft.problem(wanted.row.place, message, "Give one another id.")
                continue
            seen[wanted.id] = wanted
            kinds.add(wanted.kind)
            if wanted.id in existing:
                _plan_update(draft, existing[wanted.id], wanted)
            else:
                draft.added[wanted.id] = wanted
    _plan_new(draft)
    missing = [entry for entry in existing.values() if entry.id not in seen and kind_of(entry) in kinds]
    deleted = _plan_deletions(draft, missing) if request.delete_missing else ()
    changes = _changes(draft)
    planned = changes or draft.updated or draft.added
    if planned and not any(problem.serious for problem in draft.problems):
        _verify(draft, changes, deleted)
    kept = tuple(entry.id for entry in missing if request.update and entry.id not in deleted)
    return ImportPlan(changes, tuple(draft.problems), tuple(draft.updated), tuple(draft.added), deleted, kept)


def _chosen_sheets(draft: _Draft, book: Book) -> list[Sheet]:
    """Return the sheets that were asked for, or all; a name that no sheet has is a problem."""
    names = [sheet.kind for sheet in book.sheets]
    for name in draft.request.sheets:
        if name not in names:
            near = nearest(name, names)
            step = f"Did you mean `{shown(near)}`?" if near else f"There are: {', '.join(map(shown, names))}."
            draft.problem("--sheet", f"The table has no sheet `{shown(name)}`.", step, "unknown-column")
    return [sheet for sheet in book.sheets if not draft.request.sheets or sheet.kind in draft.request.sheets]


def _rows(
    draft: _Draft, sheet: Sheet, headers: Headers, existing: Mapping[str, Entry]
) -> Iterator[ImportRow]:
    """Yield the rows that can be imported, and add the problems of the others."""
    for row in sheet.rows:
        row_cells = {column: row.cells.get(header, "").strip() for header, column in headers.columns.items()}
        by_name = {column.header: cell for column, cell in row_cells.items()}
        found = by_name.get("id") or id_from_names(by_name)
        if not re.search(ID_PATTERN, found):
            name = next((cell for header, cell in by_name.items() if header.startswith("name") and cell), "")
            message, step = "The row has no id and no name.", "Write an id such as aimed-shot, or a name."
            if found:
                message = f"`{shown(found)}` is not an id."
            elif name:
                message = f"No id can be made of the name `{shown(name)}`."
                step = "Write one, such as fireball, into the column id."
            draft.problem(row.place, message, step)
            continue
        entry = existing.get(found)
        named = sheet.kind if sheet.kind.lower() in KINDS else ""
        of_entry = kind_of(entry) if entry else ""
        kind = (by_name.get("kind") or named or of_entry or draft.request.kind or sheet.kind).lower()
        if kind not in KINDS:
            missing = f"The new card `{found}` has no kind."
            message = f"`{shown(kind)}` is not a kind of card." if kind else missing
            step = f"Write one of {', '.join(KINDS)} into the column kind, or name one for all with --kind."
            draft.problem(row.place, message, step)
            continue
        if entry is not None and kind_of(entry) != kind:
            message = f"`{found}` is {kind_of(entry)}, not {kind}: a table cannot change a kind."
            draft.problem(row.place, message, "Change it in its file.")
            continue
        known = {column.header: column for column in columns_of(kind, headers.languages, headers.skills)}
        cells = {}
        for column, cell in row_cells.items():
            place = row.place_of(headers.header_by_column[column])
            if column.header in ("id", "kind"):
                continue
            if column.header in known:
                cells[column] = _normalize_cell(draft, place, column, cell)
            elif cell:
                message = f"`{column.header}` is not a key of {kind} cards."
                draft.problem(place, message, "Leave it out, or change the kind.")
        yield ImportRow(row, found, kind, cells, headers.header_by_column, headers.localized)


def id_from_names(cells: Mapping[str, str]) -> str:
    """Return an id made from a name."""
    name = next((cell for header, cell in cells.items() if header.split(".")[0] == "name" and cell), "")
    plain = normalize("NFC", name).lower()
    for sign, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        plain = plain.replace(sign, letters)
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _normalize_cell(draft: _Draft, place: str, column: Column, cell: str) -> str:
    """Return a cell as an entry would have it; a wrong number adds a problem."""
    cell = normalize("NFC", cell.replace("\r\n", "\n").replace("\r", "\n"))
    cell = re.sub(f" ?[{SEPARATORS}] ?", " ", cell)  # line ends of no spreadsheet, and of no YAML
    if column.cell_type == "number" and cell:
        number = WHOLE_NUMBER.fullmatch(cell)
        if number is None:
            message = f"`{shown(cell)}` is not a whole number, which `{column.header}` must be."
            draft.problem(place, message, "Write a number such as 4.")
        return str(int(number[1])) if number else cell
    return cell


def _plan_update(draft: _Draft, entry: Entry, wanted: ImportRow) -> None:
    """Plan the edits of an existing card, if its row differs."""
    section = section_of(entry)
    now = {column: cell_of(entry.node, column, section) for column in wanted.cells}
    differing = [column for column, cell in wanted.cells.items() if not same_cell(column, cell, now[column])]
    if not differing:
        return
    place, headers = wanted.row.place, ", ".join(column.header for column in differing[:4])
    if not draft.request.update:
        message = f"`{entry.id}` exists, and its row differs ({headers})."
        draft.problem(place, message, "Add --update to change cards.", "row-exists", serious=False)
        return
    # A three-way comparison: the digest of the export is the common version of card and row.
    state = wanted.row.cells.get(STATE, "").strip()
    if state and not draft.request.theirs and state != _current_digest(draft.workspace, entry):
        cells = {column.header: cell for column, cell in wanted.cells.items()}
        if state == digest({**cells, "id": wanted.id, "kind": wanted.kind}):
            return  # only the card has changed since the export
        message = f"`{entry.id}` and its row have both changed since the table was written."
        step = "Export again and repeat the change, or add --theirs to take the row."
        draft.problem(place, message, step, "row-conflict")
        return
    edits = EntryEditor(draft.workspace, entry, wanted).edits()
    if edits is None:
        message = f"`{entry.id}` cannot be changed by a table ({headers})."
        draft.problem(place, message, f"Change it in {_location(entry)}.")
        return
    draft.edit(entry.file, edits)
    draft.updated[entry.id] = wanted


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
    for wanted in draft.added.values():
        section = "objectives" if wanted.kind == OBJECTIVE else "cards"
        entry = new_entry(wanted, draft.workspace.cards.project.languages)
        last = _entry_before(draft.workspace, wanted, section, requested)
        if last is not None:
            apart = "\n" if has_blank_line_above(last.node) else ""
            lines = apart + entry_edits.format_entry(entry, dash_column(last.node))
            draft.edit(last.file, [entry_edits.insert_behind(last.node, lines)])
            continue
        name = "objectives" if wanted.kind == OBJECTIVE else wanted.kind
        path = requested or draft.workspace.root / f"{name}.yaml"
        known = next((file for file in draft.workspace.cards.files if file.path == path), None)
        if path.exists() and (requested is None or known is None) and path not in draft.files:
            message = f"There is no file with {wanted.kind} cards, and {path.name} exists."
            draft.problem(wanted.row.place, message, "Add a first card by hand.")
            continue
        draft.files.setdefault(path, known or SourceFile(path, path.name, ""))
        new_sections.setdefault((path, section), []).append(entry_edits.format_entry(entry, 2) + "\n")
    for (path, section), entries in new_sections.items():
        text = draft.files[path].text
        apart = "" if text.endswith("\n") or not text else "\n"
        lines = f"{apart}{section}:\n" + "\n".join(entries)
        draft.edit(draft.files[path], [Edit(len(text), len(text), lines)])


def _entry_before(
    workspace: Workspace, wanted: ImportRow, section: str, requested: Path | None
) -> Entry | None:
    """Return the entry behind which a new card is written; None if it needs a new section.

    It is the last one of its section in the requested file, or in that with most cards of its TEAM, then of
    its kind.
    """
    team = next((cell for column, cell in wanted.cells.items() if column.header == "team"), "")
    files: dict[Path, list[Entry]] = {}
    for entry in workspace.cards.printed_entries():
        if section_of(entry) == section and requested in (None, entry.file.path):
            files.setdefault(entry.file.path, []).append(entry)

    def fit(found: Sequence[Entry]) -> tuple[int, int]:
        blocks = [one for one in found if entry_edits.is_block_item(one.node)]
        like = [one for one in blocks if requested or kind_of(one) == wanted.kind]
        return sum(isinstance(one, Card) and bool(team) and one.team == team for one in like), len(like)

    best = max(files.values(), key=fit, default=[])
    return max(best, key=lambda one: one.node.start) if fit(best)[1] else None


def has_blank_line_above(last: MappingNode) -> bool:
    """Whether an empty line is above an entry, so that new ones get one too."""
    text = last.file.text
    line = text.rfind("\n", 0, last.start)
    return text[:line].endswith("\n") or text[:line].rstrip(" ").endswith("\n")


def _plan_deletions(draft: _Draft, missing: Iterable[Entry]) -> tuple[str, ...]:
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
        joined: dict[tuple[int, int], str] = {}
        for edit in edits:
            joined[edit.start, edit.end] = joined.get((edit.start, edit.end), "") + edit.replacement
        file = draft.files[path]
        try:
            after = apply(file.text, [Edit(*place, text) for place, text in joined.items()])
        except ValueError:
            draft.problem(file.name, f"The changes in {file.name} overlap.", "Import fewer columns at once.")
            continue
        if after != file.text:
            changes.append(Change(file, after))
    return tuple(changes)


def _column_at(span: Span, entry: Entry, row: ImportRow) -> Column | None:
    """Return the column in whose value a finding lies; for a missing text that of the empty cell."""
    found: Column | None = None
    deepest = 0, False
    for column, cell in row.cells.items():
        depth = 0
        for reach in range(1, len(column.path) + 1):
            node = value_node(entry.node, Column("", column.path[:reach]))
            if node is None or not node.start <= span.start <= span.end <= node.end:
                break
            depth = reach
        if depth and (depth, not cell) > deepest:  # a missing text is reported at the mapping around it
            found, deepest = column, (depth, not cell)
    return found


def _verify(draft: _Draft, changes: Sequence[Change], deleted: Collection[str]) -> None:
    """Read the project with the changes, and add new findings and every value that is not as planned."""
    after = open_project(draft.workspace.root, {change.file.path: change.after for change in changes})
    existing = {entry.id: entry for entry in after.cards.printed_entries()}
    wanted = {**draft.updated, **draft.added}
    new = new_errors(draft.workspace.findings, after.findings)
    known = {(one.card, one.message) for one in draft.workspace.findings}
    plain = [
        one
        for one in after.findings
        if one.name == "text-in-one-language" and one.card in wanted and (one.card, one.message) not in known
    ]
    languages = draft.workspace.cards.project.languages
    for finding in (*new, *plain):
        row = wanted.get(finding.card or "")
        entry = existing.get(row.id) if row else None
        column = _column_at(finding.span, entry, row) if entry is not None and row else None
        place = row.row.place if row else finding.span.file.name
        message = finding.message
        if row and column is not None:
            place = row.place(column)
            if place:  # a new card of `opforge new` has no table
                message = f"{message} (Column {column.header}.)"
        step = finding.next_step or ""
        if finding in plain and column is not None and column.path[-1] in languages:
            headers = [f"`{'.'.join(map(str, column.path[:-1]))}.{language}`" for language in languages]
            step = f"Give each language a column: {', '.join(headers)}."
        draft.problem(place, message, step, finding.name, serious=finding in new)
    if new:
        return
    for id, row in wanted.items():
        entry = existing.get(id)
        if entry is None:
            wrong = ["it would be gone"]
        else:
            now = {column: cell_of(entry.node, column, section_of(entry)) for column in row.cells}
            wrong = [one.header for one, cell in row.cells.items() if not same_cell(one, cell, now[one])]
        if wrong:
            message = f"`{id}` would not be read as its row says ({', '.join(wrong[:4])})."
            draft.problem(row.row.place, message, "Change it in its file.")
    for old in draft.workspace.cards.printed_entries():
        if old.id not in wanted and old.id not in deleted:
            new_value = existing[old.id].node.value if old.id in existing else None
            if old.node.value != new_value:
                message = f"The import would also change `{old.id}`."
                draft.problem(old.id, message, "Change the cards in their file.")
