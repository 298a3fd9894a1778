"""A row put into its entry: the edits of a card that is there, and the values of a new one."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from toolkit.data.model import Card, Objective
from toolkit.data.nodes import Mapping as MappingNode
from toolkit.data.nodes import Node, Scalar
from toolkit.data.nodes import Sequence as ListNode
from toolkit.data.schemas import cards as schemas
from toolkit.pipeline import Workspace
from toolkit.project import entry_edits
from toolkit.source.edits import Edit
from toolkit.tables.columns import OBJECTIVE, Column, cell_of, cell_of_scalar, split_words
from toolkit.tables.reading import SheetRow
from toolkit.tables.rows import kind_of

WHOLE = re.compile(r"([+-]?\d+)(?:[.,]0+)?")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")

Entry = Card | Objective


class WantedRow(Struct, frozen=True):
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


def same_cell(column: Column, one: str, other: str) -> bool:
    """Whether two cells mean the same."""
    if column.sort == "words":
        return split_words(one) == split_words(other)
    return one.rstrip("\n") == other.rstrip("\n")


class EntryEditor:
    """Makes the edits of one entry."""

    def __init__(self, workspace: Workspace, entry: Entry, wanted: WantedRow) -> None:
        self.languages = workspace.cards.project.languages
        self.entry, self.wanted = entry, wanted
        self.order = key_order(kind_of(entry))
        self.found: list[Edit | None] = []

    def edits(self) -> list[Edit] | None:
        """Return the edits, or None where one is not certain."""
        top = {column: cell for column, cell in self.wanted.cells.items() if column.path[0] != "skills"}
        self.in_mapping(self.entry.node, top, 0, self.order)
        self.in_skills()
        edits = [edit for edit in self.found if edit is not None]
        return edits if len(edits) == len(self.found) else None

    def add(self, edit: Edit | None) -> None:
        """Take an edit; without one, the whole entry is left."""
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
            if all(same_cell(column, cell, self.now(node, column, depth)) for column, cell in group.items()):
                continue
            first = next(iter(group))
            if first.language:
                written = self.of_text(node, key, group)
            else:
                written = self.of_value(node, key, first, group[first])
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
            number = _is_number(column, cell)
            self.add(
                entry_edits.changed(node, cell, number=number, in_flow=parent.in_braces)
                if isinstance(node, Scalar)
                else None
            )
        return None

    def written(self, column: Column, cell: str, parent: MappingNode) -> str:
        """Return a value that is new as it stands behind its colon."""
        if column.sort == "words":
            return entry_edits.words(split_words(cell))
        if "\n" in cell and not parent.in_braces:
            return entry_edits.block(cell, entry_edits.column_of(parent) + 2)
        return entry_edits.inline(cell, number=_is_number(column, cell), in_flow=parent.in_braces)

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
            whole: Edit | None = None
            if same:
                whole = entry_edits.changed(node, text, number=False, in_flow=parent.in_braces)
            elif node.style not in ("|", ">"):
                whole = Edit(node.start, node.end, entry_edits.texts(after))
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
        items = self.entry.node.items("skills")
        new: list[str] = []
        gone: list[Node] = []
        indent = entry_edits.column_of(self.entry.node) + 2
        if items and not (isinstance(listed, ListNode) and listed.in_brackets):
            indent = dash_column(items[0])
        for number, cells in sorted(by_number.items()):
            item = items[number] if number < len(items) else None
            if isinstance(item, MappingNode):
                known = {column.path[2] for column in cells}
                if any(cells.values()) or item.nodes.keys() - known:  # keys without a column stay
                    self.in_mapping(item, cells, 2, list(schemas.skill()["properties"]))
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


def _is_number(column: Column, cell: str) -> bool:
    return column.sort == "number" or (column.sort == "either" and _NUMBER.fullmatch(cell) is not None)


def _texts(node: MappingNode) -> dict[str, str]:
    return {key: cell_of_scalar(value) for key, value in node.nodes.items() if isinstance(value, Scalar)}


def dash_column(item: Node) -> int:
    """Return the column of the dash before an item of a block list."""
    text = item.file.text
    line = text.rfind("\n", 0, item.start) + 1
    return text.index("-", line) - line


def key_order(kind: str) -> list[str]:
    """Return the keys of a kind of card in the order of the schema."""
    schema = schemas.objective() if kind == OBJECTIVE else schemas.card(kind)
    return list(schema["properties"])


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
        elif column.sort == "number" and WHOLE.fullmatch(cell):
            entry[key] = int(cell)
        else:
            entry[key] = cell
    return entry


def new_entry(wanted: WantedRow, languages: Sequence[str]) -> dict[str, object]:
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
    order = key_order(wanted.kind)
    return _one_text({key: entry[key] for key in sorted(entry, key=order.index)}, languages)


def _one_text(entry: dict[str, object], languages: Sequence[str]) -> dict[str, object]:
    """Write a text that is the same in every language once."""
    return {
        key: next(iter(value.values()))
        if isinstance(value, dict) and value.keys() >= set(languages) and len(set(value.values())) == 1
        else value
        for key, value in entry.items()
    }
