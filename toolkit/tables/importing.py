"""A table brought back: what it changes in the files of a project, value by value, and what is wrong with it.

Nothing is written here. Every plan is proven: the files are read again with the changes, and each row must
then say in the project what it says in the table.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from toolkit.data.model import Card, Objective
from toolkit.data.nodes import Mapping as MappingNode
from toolkit.data.nodes import Node, Scalar
from toolkit.data.nodes import Sequence as ListNode
from toolkit.data.quoting import shown
from toolkit.data.schemas.parts import ID_PATTERN
from toolkit.diagnostics.catalogue import severity_of
from toolkit.pipeline import Workspace, open_project
from toolkit.project.output import Change, save, write_file
from toolkit.source import SourceFile
from toolkit.source.edits import Edit, apply
from toolkit.tables import entry_edits
from toolkit.tables.columns import KINDS, OBJECTIVE, Column, cell_of, columns_of, split_words
from toolkit.tables.headers import Headers, known_headers
from toolkit.tables.reading import Book, Problem, Sheet, SheetRow
from toolkit.tables.rows import STATE, digest, entries, kind_of, section_of, skills_of

_MOST_SKILLS = 9
_WHOLE = re.compile(r"([+-]?\d+)(?:[.,]0+)?")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")

Entry = Card | Objective


class ImportRequest(Struct, frozen=True):
    """How a table is taken in.

    ``update`` changes cards that are there; ``theirs`` also where card and row have both changed since the
    table was written; ``delete_missing`` deletes cards of the table's kinds that have no row; ``renamed``
    says which key a column is, by its header.
    """

    update: bool = False
    theirs: bool = False
    delete_missing: bool = False
    renamed: Mapping[str, str] = {}


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


def write_plan(plan: ImportPlan) -> list[str]:
    """Write the changes of a plan; a sentence for each file that could not be written."""
    problems = []
    for change in plan.changes:
        if change.file.path.exists():
            problem = save(change)
        else:
            refusal = write_file(change.file.path, change.after.encode())
            problem = refusal.message if refusal else None
        problems += [problem] if problem else []
    return problems


class _Wanted(Struct, frozen=True):
    """A row that can be used: its card, and the cells of it that are in the table, by column."""

    row: SheetRow
    id: str
    kind: str
    cells: Mapping[Column, str]
    headers: Mapping[Column, str]
    spoken: frozenset[Column]

    def place(self, column: Column) -> str:
        """Return the place of a cell."""
        return self.row.place_of(self.headers.get(column, ""))


class _Work(Struct):
    """What has been planned so far."""

    workspace: Workspace
    request: ImportRequest
    edits: dict[Path, list[Edit]] = field(default_factory=dict)
    files: dict[Path, SourceFile] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    updated: dict[str, _Wanted] = field(default_factory=dict)
    added: dict[str, _Wanted] = field(default_factory=dict)

    def edit(self, file: SourceFile, edits: Iterable[Edit]) -> None:
        """Plan edits of a file."""
        self.files[file.path] = file
        self.edits.setdefault(file.path, []).extend(edits)


def plan_import(workspace: Workspace, book: Book, request: ImportRequest) -> ImportPlan:
    """Return what a table would change in a project, and what is wrong with it."""
    work = _Work(workspace, request)
    work.problems += book.problems
    there = {entry.id: entry for entry in entries(workspace)}
    seen: dict[str, _Wanted] = {}
    kinds: set[str] = set()
    for sheet in book.sheets:
        headers = known_headers(sheet, workspace.cards.project.languages, request.renamed)
        work.problems += headers.problems
        kinds |= {sheet.kind} & set(KINDS)
        for wanted in _rows(work, sheet, headers, there):
            if wanted.id in seen:
                first = seen[wanted.id].row.place
                message = f"The id `{shown(wanted.id)}` is in two rows; the first is at {first}."
                work.problems.append(Problem(wanted.row.place, "wrong-cell", message, "Give one another id."))
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


def _rows(work: _Work, sheet: Sheet, headers: Headers, there: Mapping[str, Entry]) -> Iterator[_Wanted]:
    """Yield the rows that can be used; the others are problems."""
    for row in sheet.rows:
        said = {column: row.cells.get(header, "").strip() for header, column in headers.columns.items()}
        by_name = {column.header: cell for column, cell in said.items()}
        found = by_name.get("id") or _id_from_names(by_name)
        if not re.search(ID_PATTERN, found):
            step = "Write an id such as aimed-shot, or a name."
            message = f"`{shown(found)}` is no id." if found else "The row has no id and no name."
            work.problems.append(Problem(row.place, "wrong-cell", message, step))
            continue
        entry = there.get(found)
        kind = (by_name.get("kind") or sheet.kind or (kind_of(entry) if entry else "")).lower()
        if kind not in KINDS:
            message = (
                f"`{shown(kind)}` is no kind of card." if kind else f"The new card `{found}` has no kind."
            )
            step = f"Write one of {', '.join(KINDS)} into the column kind."
            work.problems.append(Problem(row.place, "wrong-cell", message, step))
            continue
        if entry is not None and kind_of(entry) != kind:
            message = f"`{found}` is {kind_of(entry)}, not {kind}: a kind is not changed by a table."
            work.problems.append(Problem(row.place, "wrong-cell", message, "Change it in its file."))
            continue
        known = {column.header: column for column in columns_of(kind, headers.languages, headers.skills)}
        cells = {}
        for column, cell in said.items():
            if column.header in ("id", "kind"):
                continue
            if column.header in known:
                cells[column] = _checked(work, row.place_of(headers.written[column]), column, cell)
            elif cell:
                message = f"`{column.header}` is no key of {kind} cards."
                place = row.place_of(headers.written[column])
                work.problems.append(
                    Problem(place, "wrong-cell", message, "Empty the cell, or change the kind.")
                )
        yield _Wanted(row, found, kind, cells, headers.written, headers.spoken)


def _id_from_names(cells: Mapping[str, str]) -> str:
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
        number = _WHOLE.fullmatch(cell)
        if number is None:
            message = f"`{shown(cell)}` is no whole number, which `{column.header}` must be."
            work.problems.append(Problem(place, "wrong-cell", message, "Write a number such as 4."))
        return str(int(number[1])) if number else cell
    return cell


def _plan_update(work: _Work, entry: Entry, wanted: _Wanted) -> None:
    """Plan the edits of a card that is there, if its row differs."""
    section = section_of(entry)
    now = {column: cell_of(entry.node, column, section) for column in wanted.cells}
    differing = [column for column, cell in wanted.cells.items() if not _same(column, cell, now[column])]
    if not differing:
        return
    if not work.request.update:
        headers = ", ".join(column.header for column in differing[:4])
        message = f"`{entry.id}` exists, and its row differs ({headers})."
        work.problems.append(
            Problem(wanted.row.place, "row-exists", message, "Add --update to change cards.", serious=False)
        )
        return
    state = wanted.row.cells.get(STATE, "").strip()
    if state and not work.request.theirs and state != _state(work.workspace, entry):
        if state == digest({column.header: cell for column, cell in _with_identity(wanted).items()}):
            return  # only the card has changed since
        message = f"`{entry.id}` and its row have both changed since the table was written."
        step = "Export again and repeat the change, or add --theirs to take the row."
        work.problems.append(Problem(wanted.row.place, "row-conflict", message, step))
        return
    edits = _Editor(work.workspace, entry, wanted).edits()
    if edits is None:
        headers = ", ".join(column.header for column in differing[:4])
        message = f"`{entry.id}` cannot be changed by a table there ({headers})."
        step = f"Change it in {entry.file.name}, line {entry.id_span.begin_position.line}."
        work.problems.append(Problem(wanted.row.place, "wrong-cell", message, step))
        return
    work.edit(entry.file, edits)
    work.updated[entry.id] = wanted


def _with_identity(wanted: _Wanted) -> dict[Column, str]:
    identity = {Column("id", ("id",)): wanted.id, Column("kind", ("kind",)): wanted.kind}
    return {**identity, **wanted.cells}


def _state(workspace: Workspace, entry: Entry) -> str:
    """Return the digest that the row of a card would have now."""
    columns = columns_of(kind_of(entry), workspace.cards.project.languages, max(skills_of(entry), 1))
    section = section_of(entry)
    return digest({column.header: cell_of(entry.node, column, section) for column in columns})


def _same(column: Column, one: str, other: str) -> bool:
    """Whether two cells mean the same."""
    if column.sort == "words":
        return split_words(one) == split_words(other)
    return one.rstrip("\n") == other.rstrip("\n")


class _Editor:
    """Makes the edits of one entry."""

    def __init__(self, workspace: Workspace, entry: Entry, wanted: _Wanted) -> None:
        self.languages = workspace.cards.project.languages
        self.entry, self.wanted = entry, wanted
        kind = kind_of(entry)
        self.order = _order(kind)
        self.failed = False
        self.found: list[Edit] = []

    def edits(self) -> list[Edit] | None:
        """Return the edits, or None where one is not certain."""
        top = {column: cell for column, cell in self.wanted.cells.items() if column.path[0] != "skills"}
        self.in_mapping(self.entry.node, top, 0, self.order)
        self.in_skills()
        return None if self.failed else self.found

    def add(self, edit: Edit | None) -> None:
        """Take an edit; without one, the whole entry is left."""
        if edit is None:
            self.failed = True
        else:
            self.found.append(edit)

    def in_mapping(
        self, node: MappingNode, cells: Mapping[Column, str], depth: int, order: Sequence[str]
    ) -> None:
        """Edit the keys of a mapping to which the columns lead after so many steps."""
        groups: dict[str, dict[Column, str]] = {}
        for column, cell in cells.items():
            groups.setdefault(str(column.path[depth]), {})[column] = cell
        new: list[tuple[str, str]] = []
        for key, group in groups.items():
            if all(_same(column, cell, self.now(node, column, depth)) for column, cell in group.items()):
                continue
            first = next(iter(group))
            written = (
                self.of_text(node, key, group)
                if first.language
                else self.of_value(node, key, first, group[first])
            )
            if written is not None:
                new.append((key, written))
        for key, written in sorted(new, key=lambda one: order.index(one[0])):
            self.add(entry_edits.inserted(node, order, key, written))

    def now(self, node: MappingNode, column: Column, depth: int) -> str:
        """Return what stands there now."""
        return cell_of(node, column._replace(path=column.path[depth:]))

    def of_value(self, parent: MappingNode, key: str, column: Column, cell: str) -> str | None:
        """Edit a value that is one text, number or list; the text to write where the key is not there."""
        node = parent.nodes.get(key)
        if node is None:
            return self.written(column, cell, parent) if cell else None
        if not cell:
            self.add(entry_edits.removed(parent, key))
        elif column.sort == "words":
            self.add(entry_edits.changed_words(parent, key, split_words(cell)))
        else:
            if isinstance(node, MappingNode) and key == "art":
                parent, node = node, node.nodes["file"]
            number = column.sort == "number" or (
                column.sort == "either" and _NUMBER.fullmatch(cell) is not None
            )
            fits = isinstance(node, Scalar)
            self.add(
                entry_edits.changed(node, cell, number=number, in_flow=parent.in_braces)
                if isinstance(node, Scalar) and fits
                else None
            )
        return None

    def written(self, column: Column, cell: str, parent: MappingNode) -> str:
        """Return a value that is new as it stands behind its colon."""
        if column.sort == "words":
            return entry_edits.words(split_words(cell))
        if "\n" in cell and not parent.in_braces:
            return entry_edits.block(cell, entry_edits.column_of(parent) + 2)
        number = column.sort == "number" or (column.sort == "either" and _NUMBER.fullmatch(cell) is not None)
        return entry_edits.inline(cell, number=number, in_flow=parent.in_braces)

    def of_text(self, parent: MappingNode, key: str, group: Mapping[Column, str]) -> str | None:
        """Edit a text that may differ by language; the text to write where the key is not there."""
        node = parent.nodes.get(key)
        said = {column.language or "": cell for column, cell in group.items()}
        if isinstance(node, MappingNode) and any({**_texts(node), **said}.values()):
            for language, cell in said.items():
                old = node.nodes.get(language)
                if isinstance(old, Scalar) and cell and cell != cell_of_scalar(old):
                    self.add(entry_edits.changed(old, cell, number=False, in_flow=node.in_braces))
                elif old is not None and not cell:
                    self.add(entry_edits.removed(node, language))
                elif old is None and cell:
                    column = Column(language, (language,))
                    order = (*node.nodes, language)
                    self.add(entry_edits.inserted(node, order, language, self.written(column, cell, node)))
            return None
        before = dict.fromkeys(self.languages, cell_of_scalar(node)) if isinstance(node, Scalar) else {}
        after = {language: text for language, text in {**before, **said}.items() if text}
        if not after:
            if node is not None:
                self.add(entry_edits.removed(parent, key))
            return None
        same = len(set(after.values())) == 1 and after.keys() >= set(self.languages)
        text = next(iter(after.values()))
        if isinstance(node, Scalar):
            whole = (
                entry_edits.changed(node, text, number=False, in_flow=parent.in_braces)
                if same
                else Edit(node.start, node.end, entry_edits.texts(after))
                if node.style not in ("|", ">")
                else None
            )
            self.add(whole)
            return None
        return self.written(Column(key, (key,)), text, parent) if same else entry_edits.texts(after)

    def in_skills(self) -> None:
        """Edit the SKILLs: change those that are there, put new ones behind them, take empty ones away."""
        by_number: dict[int, dict[Column, str]] = {}
        for column, cell in self.wanted.cells.items():
            if column.path[0] == "skills":
                by_number.setdefault(int(column.path[1]), {})[column] = cell
        listed = self.entry.node.nodes.get("skills")
        items = listed.items if isinstance(listed, ListNode) else []
        new: list[str] = []
        gone: list[Node] = []
        indent = entry_edits.column_of(self.entry.node) + 2
        if items and not (isinstance(listed, ListNode) and listed.in_brackets):
            indent = _dash_column(items[0])
        for number, cells in sorted(by_number.items()):
            item = items[number] if number < len(items) else None
            if isinstance(item, MappingNode):
                if any(cells.values()) or _others(item, cells):
                    self.in_mapping(item, cells, 2, _skill_order())
                else:
                    gone.append(item)
            elif any(cells.values()):
                inside = {column._replace(path=column.path[2:]): cell for column, cell in cells.items()}
                entry = _new_entry(inside, inside)
                new.append(entry_edits.written_entry(entry, indent))
        if gone and len(gone) == len(items) and not new:
            self.add(entry_edits.removed(self.entry.node, "skills"))
        else:
            for item in gone:
                self.add(entry_edits.removed_item(item))
        self.new_skills(listed, items, new)

    def new_skills(self, listed: Node | None, items: Sequence[Node], new: Sequence[str]) -> None:
        """Write new SKILLs behind those that are there."""
        if not new:
            return
        if listed is None and not self.entry.node.in_braces:
            written = "\n" + "\n".join(new)
            self.add(entry_edits.inserted(self.entry.node, self.order, "skills", written.rstrip()))
        elif isinstance(listed, ListNode) and items and not listed.in_brackets:
            self.add(entry_edits.behind(items[-1], "\n".join(new)))
        else:
            self.add(None)


def cell_of_scalar(node: Scalar) -> str:
    """Return the text of a scalar as a cell has it."""
    return node.text.rstrip("\n") if node.style in ("|", ">") else node.text


def _texts(node: MappingNode) -> dict[str, str]:
    return {key: cell_of_scalar(value) for key, value in node.nodes.items() if isinstance(value, Scalar)}


def _others(item: MappingNode, cells: Mapping[Column, str]) -> bool:
    """Whether a SKILL has keys for which the table has no column."""
    return bool(item.nodes.keys() - {str(column.path[2]) for column in cells})


def _dash_column(item: Node) -> int:
    """Return the column of the dash before an item of a block list."""
    text = item.file.text
    line = text.rfind("\n", 0, item.start) + 1
    return text.index("-", line) - line


def _order(kind: str) -> list[str]:
    """Return the keys of a kind of card in the order of the schema."""
    from toolkit.data.schemas import cards as schemas

    schema = schemas.objective() if kind == OBJECTIVE else schemas.card(kind)
    return list(schema["properties"])


def _skill_order() -> list[str]:
    from toolkit.data.schemas import cards as schemas

    return list(schemas.skill()["properties"])


def _new_entry(cells: Mapping[Column, str], spoken: Collection[Column]) -> dict[str, object]:
    """Return the values of a new entry by key, those that are empty left out.

    A text whose column does not say its language is that of every language.
    """
    entry: dict[str, object] = {}
    for column, cell in cells.items():
        key = str(column.path[0])
        if not cell or key == "skills":
            continue
        if column.language and column in spoken:
            texts = entry.setdefault(key, {})
            assert isinstance(texts, dict)
            texts[column.language] = cell
        elif column.sort == "words":
            entry[key] = split_words(cell)
        elif column.sort == "number" and _WHOLE.fullmatch(cell):
            entry[key] = int(cell)
        else:
            entry[key] = cell
    return entry


def _plan_new(work: _Work) -> None:
    """Plan the new cards: each at the end of the file with most cards of its kind and TEAM."""
    by_file: dict[Path, list[str]] = {}
    for wanted in work.added.values():
        host = _host(work.workspace, wanted)
        entry = _whole_entry(wanted, work.workspace.cards.project.languages)
        section = "objectives" if wanted.kind == OBJECTIVE else "cards"
        if host is None:
            path = work.workspace.root / f"{'objectives' if wanted.kind == OBJECTIVE else wanted.kind}.yaml"
            if path.exists() and path not in work.files:
                message = f"There is no file with {wanted.kind} cards, and {path.name} exists."
                work.problems.append(
                    Problem(wanted.row.place, "wrong-cell", message, "Add a first card by hand.")
                )
                continue
            work.files.setdefault(path, SourceFile(path, path.name, ""))
            head = f"{section}:\n" if path not in by_file else "\n"
            by_file.setdefault(path, []).append(head + entry_edits.written_entry(entry, 2) + "\n")
            continue
        last = max(
            (one.node for one in entries(work.workspace) if one.file is host and section_of(one) == section),
            key=lambda node: node.start,
        )
        indent = _dash_column(last)
        apart = "\n" if _is_apart(last) else ""
        work.edit(host, [entry_edits.behind(last, apart + entry_edits.written_entry(entry, indent))])
    for path, parts in by_file.items():
        work.edits[path] = [Edit(0, 0, "".join(parts))]


def _whole_entry(wanted: _Wanted, languages: Sequence[str]) -> dict[str, object]:
    """Return all keys of a new card in the order of the schema."""
    found = _new_entry(wanted.cells, wanted.spoken)
    numbers = sorted({int(column.path[1]) for column in wanted.cells if column.path[0] == "skills"})
    skills = []
    for number in numbers:
        inside = {
            column._replace(path=column.path[2:]): cell
            for column, cell in wanted.cells.items()
            if column.path[:2] == ("skills", number)
        }
        spoken = frozenset(column._replace(path=column.path[2:]) for column in wanted.spoken)
        if skill := _new_entry(inside, spoken):
            skills.append(_one_text(skill, languages))
    entry: dict[str, object] = {"id": wanted.id}
    if wanted.kind != OBJECTIVE:
        entry["kind"] = wanted.kind
    if skills:
        found["skills"] = skills
    entry |= found
    order = _order(wanted.kind)
    return _one_text({key: entry[key] for key in sorted(entry, key=order.index)}, languages)


def _one_text(entry: dict[str, object], languages: Sequence[str]) -> dict[str, object]:
    """Write a text that is the same in every language once."""
    return {
        key: next(iter(value.values()))
        if isinstance(value, dict) and value.keys() >= set(languages) and len(set(value.values())) == 1
        else value
        for key, value in entry.items()
    }


def _host(workspace: Workspace, wanted: _Wanted) -> SourceFile | None:
    """Return the file with most cards of a kind and, of an OPERATOR, of its TEAM."""
    team = next((cell for column, cell in wanted.cells.items() if column.header == "team"), "")
    counts: dict[Path, tuple[int, int, SourceFile]] = {}
    for entry in entries(workspace):
        if kind_of(entry) == wanted.kind and not entry.node.in_braces:
            same = isinstance(entry, Card) and bool(team) and entry.team == team
            close, all_of_kind, file = counts.get(entry.file.path, (0, 0, entry.file))
            counts[entry.file.path] = (close + same, all_of_kind + 1, file)
    return max(counts.values(), key=lambda one: one[:2])[2] if counts else None


def _is_apart(last: MappingNode) -> bool:
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
            step = f"Delete it in {entry.file.name}, line {entry.id_span.begin_position.line}."
            work.problems.append(Problem(entry.file.name, "wrong-cell", message, step))
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
            message = f"The changes in {file.name} overlap."
            work.problems.append(Problem(file.name, "wrong-cell", message, "Import fewer columns at once."))
            continue
        if after != file.text:
            changes.append(Change(file, after))
    return tuple(changes)


def _prove(work: _Work, changes: Sequence[Change], deleted: Collection[str]) -> None:
    """Read the project with the changes; what does not say what its row says, or is wrong, is a problem."""
    after = open_project(work.workspace.root, {change.file.path: change.after for change in changes})
    there = {entry.id: entry for entry in entries(after)}
    before = {(one.name, one.message) for one in work.workspace.findings}
    wanted = {**work.updated, **work.added}
    new = [
        one
        for one in after.findings
        if severity_of(one.name) == "error" and (one.name, one.message) not in before
    ]
    for finding in new:
        row = wanted.get(finding.card or "")
        place = row.row.place if row else finding.span.file.name
        work.problems.append(Problem(place, finding.name, finding.message, finding.next_step or ""))
    if new:
        return
    for id, row in wanted.items():
        entry = there.get(id)
        cells = row.cells.items() if entry is not None else ()
        wrong = [
            column.header
            for column, cell in cells
            if entry is not None and not _same(column, cell, cell_of(entry.node, column, section_of(entry)))
        ]
        if entry is None or wrong:
            message = (
                f"`{id}` would not be read as its row says ({', '.join(wrong[:4]) or 'it would be gone'})."
            )
            work.problems.append(Problem(row.row.place, "wrong-cell", message, "Change it in its file."))
    untouched = [
        entry.id
        for entry in entries(work.workspace)
        if entry.id not in wanted and entry.id not in deleted and _cells(entry) != _cells(there.get(entry.id))
    ]
    for id in untouched:
        message = f"The change would also touch `{id}`."
        work.problems.append(Problem(id, "wrong-cell", message, "Change the cards in their file."))


def _cells(entry: Entry | None) -> object:
    """Return all that an entry says."""
    return None if entry is None else entry.node.value
