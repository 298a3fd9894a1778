"""A table brought back: what it changes in the files of a project, value by value, and what is wrong with it.

Nothing is written here. Every plan is proven: the files are read again with the changes, and each row must
then say in the project what it says in the table.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from toolkit.data.model import Card
from toolkit.data.nodes import Mapping as MappingNode
from toolkit.data.quoting import shown
from toolkit.data.schemas.parts import ID_PATTERN
from toolkit.diagnostics.report import new_errors
from toolkit.pipeline import Workspace, open_project
from toolkit.project import entry_edits
from toolkit.project.output import Change
from toolkit.source import SourceFile, Span
from toolkit.source.edits import Edit, apply
from toolkit.tables.columns import KINDS, OBJECTIVE, Column, cell_of, columns_of, value_node
from toolkit.tables.filling import WHOLE, Entry, EntryEditor, WantedRow, dash_column, new_entry, same_cell
from toolkit.tables.headers import Headers, known_headers
from toolkit.tables.reading import Book, Problem, Sheet
from toolkit.tables.rows import STATE, digest, entries, kind_of, section_of, skills_of


class ImportRequest(Struct, frozen=True):
    """How a table is taken in.

    ``update`` changes cards that are there; ``theirs`` also where card and row have both changed since the
    table was written; ``delete_missing`` deletes cards of the table's kinds that have no row; ``renamed``
    says which key a column is, by its header. ``host`` is the file for new cards
    in place of that with most of their kind.
    """

    update: bool = False
    theirs: bool = False
    delete_missing: bool = False
    renamed: Mapping[str, str] = {}
    host: Path | None = None


class ImportPlan(Struct, frozen=True):
    """The changes of files, and which cards are changed, added, deleted or have no row, by id."""

    changes: tuple[Change, ...] = ()
    problems: tuple[Problem, ...] = ()
    updated: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def serious(self) -> bool:
        """Whether something is wrong with the table, so that nothing is written."""
        return any(problem.serious for problem in self.problems)


class _Work(Struct):
    """What has been planned so far."""

    workspace: Workspace
    request: ImportRequest
    edits: dict[Path, list[Edit]] = field(default_factory=dict)
    files: dict[Path, SourceFile] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    updated: dict[str, WantedRow] = field(default_factory=dict)
    added: dict[str, WantedRow] = field(default_factory=dict)

    def problem(
        self, place: str, message: str, next_step: str, name: str = "wrong-cell", *, serious: bool = True
    ) -> None:
        """Note what is wrong at a place."""
        self.problems.append(Problem(place, name, message, next_step, serious))

    def edit(self, file: SourceFile, edits: Iterable[Edit]) -> None:
        """Plan edits of a file."""
        self.files[file.path] = file
        self.edits.setdefault(file.path, []).extend(edits)


def plan_import(workspace: Workspace, book: Book, request: ImportRequest) -> ImportPlan:
    """Return what a table would change in a project, and what is wrong with it."""
    work = _Work(workspace, request)
    work.problems += book.problems
    there = {entry.id: entry for entry in entries(workspace)}
    seen: dict[str, WantedRow] = {}
    kinds: set[str] = set()
    for sheet in book.sheets:
        headers = known_headers(sheet, workspace.cards.project.languages, request.renamed)
        work.problems += headers.problems
        kinds |= {sheet.kind} & set(KINDS)
        for wanted in _rows(work, sheet, headers, there):
            if wanted.id in seen:
                first = seen[wanted.id].row.place
                message = f"The id `{shown(wanted.id)}` is in two rows; the first is at {first}."
                work.problem(wanted.row.place, message, "Give one another id.")
                continue
            seen[wanted.id] = wanted
            kinds.add(wanted.kind)
            if wanted.id in there:
                _plan_update(work, there[wanted.id], wanted)
            else:
                work.added[wanted.id] = wanted
    _plan_new(work)
    missing = [entry for entry in there.values() if entry.id not in seen and kind_of(entry) in kinds]
    deleted = _plan_deletions(work, missing) if request.delete_missing else ()
    changes = _changes(work)
    if not any(problem.serious for problem in work.problems):
        _prove(work, changes, deleted)
    left = tuple(entry.id for entry in missing if request.update and entry.id not in deleted)
    return ImportPlan(changes, tuple(work.problems), tuple(work.updated), tuple(work.added), deleted, left)


def _rows(work: _Work, sheet: Sheet, headers: Headers, there: Mapping[str, Entry]) -> Iterator[WantedRow]:
    """Yield the rows that can be used; the others are problems."""
    for row in sheet.rows:
        said = {column: row.cells.get(header, "").strip() for header, column in headers.columns.items()}
        by_name = {column.header: cell for column, cell in said.items()}
        found = by_name.get("id") or id_from_names(by_name)
        if not re.search(ID_PATTERN, found):
            message = f"`{shown(found)}` is no id." if found else "The row has no id and no name."
            work.problem(row.place, message, "Write an id such as aimed-shot, or a name.")
            continue
        entry = there.get(found)
        kind = (by_name.get("kind") or sheet.kind or (kind_of(entry) if entry else "")).lower()
        if kind not in KINDS:
            missing = f"The new card `{found}` has no kind."
            message = f"`{shown(kind)}` is no kind of card." if kind else missing
            work.problem(row.place, message, f"Write one of {', '.join(KINDS)} into the column kind.")
            continue
        if entry is not None and kind_of(entry) != kind:
            message = f"`{found}` is {kind_of(entry)}, not {kind}: a kind is not changed by a table."
            work.problem(row.place, message, "Change it in its file.")
            continue
        known = {column.header: column for column in columns_of(kind, headers.languages, headers.skills)}
        cells = {}
        for column, cell in said.items():
            place = row.place_of(headers.written[column])
            if column.header in ("id", "kind"):
                continue
            if column.header in known:
                cells[column] = _checked(work, place, column, cell)
            elif cell:
                message = f"`{column.header}` is no key of {kind} cards."
                work.problem(place, message, "Leave it out, or change the kind.")
        yield WantedRow(row, found, kind, cells, headers.written, headers.spoken)


def id_from_names(cells: Mapping[str, str]) -> str:
    """Return an id made from a name."""
    name = next((cell for header, cell in cells.items() if header.split(".")[0] == "name" and cell), "")
    plain = name.lower()
    for sign, letters in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("ß", "ss")):
        plain = plain.replace(sign, letters)
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _checked(work: _Work, place: str, column: Column, cell: str) -> str:
    """Return a cell as an entry would have it; a wrong number is a problem."""
    cell = cell.replace("\r\n", "\n").replace("\r", "\n")
    if column.sort == "number" and cell:
        number = WHOLE.fullmatch(cell)
        if number is None:
            message = f"`{shown(cell)}` is no whole number, which `{column.header}` must be."
            work.problem(place, message, "Write a number such as 4.")
        return str(int(number[1])) if number else cell
    return cell


def _plan_update(work: _Work, entry: Entry, wanted: WantedRow) -> None:
    """Plan the edits of a card that is there, if its row differs."""
    section = section_of(entry)
    now = {column: cell_of(entry.node, column, section) for column in wanted.cells}
    differing = [column for column, cell in wanted.cells.items() if not same_cell(column, cell, now[column])]
    if not differing:
        return
    place, headers = wanted.row.place, ", ".join(column.header for column in differing[:4])
    if not work.request.update:
        message = f"`{entry.id}` exists, and its row differs ({headers})."
        work.problem(place, message, "Add --update to change cards.", "row-exists", serious=False)
        return
    state = wanted.row.cells.get(STATE, "").strip()
    if state and not work.request.theirs and state != _state(work.workspace, entry):
        cells = {column.header: cell for column, cell in wanted.cells.items()}
        if state == digest({**cells, "id": wanted.id, "kind": wanted.kind}):
            return  # only the card has changed since
        message = f"`{entry.id}` and its row have both changed since the table was written."
        step = "Export again and repeat the change, or add --theirs to take the row."
        work.problem(place, message, step, "row-conflict")
        return
    edits = EntryEditor(work.workspace, entry, wanted).edits()
    if edits is None:
        message = f"`{entry.id}` cannot be changed by a table there ({headers})."
        work.problem(place, message, f"Change it in {_line_of(entry)}.")
        return
    work.edit(entry.file, edits)
    work.updated[entry.id] = wanted


def _line_of(entry: Entry) -> str:
    return f"{entry.file.name}, line {entry.id_span.begin_position.line}"


def _state(workspace: Workspace, entry: Entry) -> str:
    """Return the digest that the row of a card would have now."""
    columns = columns_of(kind_of(entry), workspace.cards.project.languages, max(skills_of(entry), 1))
    section = section_of(entry)
    return digest({column.header: cell_of(entry.node, column, section) for column in columns})


def _plan_new(work: _Work) -> None:
    """Plan the new cards: each at the end of the file with most cards of its kind and TEAM."""
    by_file: dict[Path, list[str]] = {}
    for wanted in work.added.values():
        host = _host(work.workspace, wanted, work.request.host)
        entry = new_entry(wanted, work.workspace.cards.project.languages)
        section = "objectives" if wanted.kind == OBJECTIVE else "cards"
        if host is None:
            path = work.workspace.root / f"{'objectives' if wanted.kind == OBJECTIVE else wanted.kind}.yaml"
            if path.exists() and path not in work.files:
                message = f"There is no file with {wanted.kind} cards, and {path.name} exists."
                work.problem(wanted.row.place, message, "Add a first card by hand.")
                continue
            work.files.setdefault(path, SourceFile(path, path.name, ""))
            head = f"{section}:\n" if path not in by_file else "\n"
            by_file.setdefault(path, []).append(head + entry_edits.written_entry(entry, 2) + "\n")
            continue
        last = max(
            (one.node for one in entries(work.workspace) if one.file is host and section_of(one) == section),
            key=lambda node: node.start,
        )
        indent = dash_column(last)
        apart = "\n" if is_apart(last) else ""
        work.edit(host, [entry_edits.behind(last, apart + entry_edits.written_entry(entry, indent))])
    for path, parts in by_file.items():
        work.edits[path] = [Edit(0, 0, "".join(parts))]


def _host(workspace: Workspace, wanted: WantedRow, asked: Path | None) -> SourceFile | None:
    """Return the file that is asked for, else that with most cards of a kind (and TEAM)."""
    team = next((cell for column, cell in wanted.cells.items() if column.header == "team"), "")
    counts: dict[Path, tuple[int, int, SourceFile]] = {}
    for entry in entries(workspace):
        here = asked is None or entry.file.path == asked
        if here and (asked or kind_of(entry) == wanted.kind) and not entry.node.in_braces:
            same = isinstance(entry, Card) and bool(team) and entry.team == team
            close, all_of_kind, file = counts.get(entry.file.path, (0, 0, entry.file))
            counts[entry.file.path] = (close + same, all_of_kind + 1, file)
    return max(counts.values(), key=lambda one: one[:2])[2] if counts else None


def is_apart(last: MappingNode) -> bool:
    """Whether entries of a list are parted by an empty line."""
    text = last.file.text
    line = text.rfind("\n", 0, last.start)
    return text[:line].endswith("\n") or text[:line].rstrip(" ").endswith("\n")


def _plan_deletions(work: _Work, missing: Iterable[Entry]) -> tuple[str, ...]:
    deleted = []
    for entry in missing:
        edit = entry_edits.removed_item(entry.node)
        if edit is None:
            message = f"`{entry.id}` cannot be deleted by itself."
            work.problem(entry.file.name, message, f"Delete it in {_line_of(entry)}.")
        else:
            work.edit(entry.file, [edit])
            deleted.append(entry.id)
    return tuple(deleted)


def _changes(work: _Work) -> tuple[Change, ...]:
    """Return the files with their edits; those at one place follow each other as they were planned."""
    changes = []
    for path, edits in work.edits.items():
        joined: dict[tuple[int, int], str] = {}
        for edit in edits:
            joined[edit.start, edit.end] = joined.get((edit.start, edit.end), "") + edit.replacement
        file = work.files[path]
        try:
            after = apply(file.text, [Edit(*place, text) for place, text in joined.items()])
        except ValueError:
            work.problem(file.name, f"The changes in {file.name} overlap.", "Import fewer columns at once.")
            continue
        if after != file.text:
            changes.append(Change(file, after))
    return tuple(changes)


def _column_of(span: Span, entry: Entry, row: WantedRow) -> Column | None:
    """The column of a row with the value in which a finding lies; of a text that is missing the empty one."""
    found: Column | None = None
    deepest = 0, False
    for column, cell in row.cells.items():
        depth = 0
        for reach in range(1, len(column.path) + 1):
            node = value_node(entry.node, Column("", column.path[:reach]))
            if node is None or not node.start <= span.start <= span.end <= node.end:
                break
            depth = reach
        if depth and (depth, not cell) > deepest:
            found, deepest = column, (depth, not cell)
    return found


def _prove(work: _Work, changes: Sequence[Change], deleted: Collection[str]) -> None:
    """Read the project with the changes; what does not say what its row says, or is wrong, is a problem."""
    after = open_project(work.workspace.root, {change.file.path: change.after for change in changes})
    there = {entry.id: entry for entry in entries(after)}
    wanted = {**work.updated, **work.added}
    new = new_errors(work.workspace.findings, after.findings)
    for finding in new:
        row = wanted.get(finding.card or "")
        entry = there.get(row.id) if row else None
        column = _column_of(finding.span, entry, row) if entry is not None and row else None
        place = row.row.place if row else finding.span.file.name
        message = finding.message
        if row and column is not None:
            place, message = row.place(column), f"{message} (Column {column.header}.)"
        work.problem(place, message, finding.next_step or "", finding.name)
    if new:
        return
    for id, row in wanted.items():
        entry = there.get(id)
        if entry is None:
            wrong = ["it would be gone"]
        else:
            now = {column: cell_of(entry.node, column, section_of(entry)) for column in row.cells}
            wrong = [one.header for one, cell in row.cells.items() if not same_cell(one, cell, now[one])]
        if wrong:
            message = f"`{id}` would not be read as its row says ({', '.join(wrong[:4])})."
            work.problem(row.row.place, message, "Change it in its file.")
    for old in entries(work.workspace):
        if old.id not in wanted and old.id not in deleted:
            new_value = there[old.id].node.value if old.id in there else None
            if old.node.value != new_value:
                message = f"The change would also touch `{old.id}`."
                work.problem(old.id, message, "Change the cards in their file.")
