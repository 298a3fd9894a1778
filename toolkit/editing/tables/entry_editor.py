"""From a row to its entry: the edits of an existing card, and the values of a new one."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from toolkit.data.model import Card, Objective
from toolkit.data.schemas import card_schema as schemas
from toolkit.data.yaml import entry_edits
from toolkit.data.yaml.nodes import Mapping as MappingNode
from toolkit.data.yaml.nodes import Node, Scalar
from toolkit.data.yaml.nodes import Sequence as ListNode
from toolkit.editing.tables.columns import OBJECTIVE, Column, cell_of, cell_of_scalar, split_words
from toolkit.editing.tables.rows import kind_of
from toolkit.editing.tables.table_reader import SheetRow
from toolkit.project.pipeline import Workspace
from toolkit.source import yaml_scalars
from toolkit.source.edits import Edit

WHOLE_NUMBER = re.compile(r"(?P<number>[+-]?\d+)(?:[.,]0+)?")
_NUMBER = re.compile(r"-?\d+(\.\d+)?")

Entry = Card | Objective


class ImportRow(Struct, frozen=True):
    """A row that can be imported: its card, and its cells by column."""

    row: SheetRow
    id: str
    kind: str
    cells: Mapping[Column, str]
    headers: Mapping[Column, str]
    localized: frozenset[Column]

    def place(self, column: Column) -> str:
        """Return the place of a cell."""
        return self.row.place_of(self.headers.get(column, ""))


def same_cell(column: Column, cell: str, other: str) -> bool:
    """Whether two cells mean the same."""
    if column.cell_type == "words":
        return split_words(cell) == split_words(other)
    return cell.rstrip("\n") == other.rstrip("\n")


class EntryEditor:
    """Plans the edits after which an entry has the cells of a row."""

    def __init__(self, workspace: Workspace, entry: Entry, row: ImportRow) -> None:
        self.languages = workspace.cards.project.languages
        self.entry, self.wanted = entry, row
        self.order = key_order(kind_of(entry))
        self.planned: list[Edit | None] = []

    def edits(self) -> list[Edit] | None:
        """Return the edits, or None if one of them is not certain."""
        own_cells = {column: cell for column, cell in self.wanted.cells.items() if column.key != "skills"}
        self.edit_mapping(self.entry.node, own_cells, self.order)
        self.edit_skills()
        edits = [edit for edit in self.planned if edit is not None]
        return edits if len(edits) == len(self.planned) else None

    def add(self, edit: Edit | None) -> None:
        """Add an edit; None, for a change that cannot be made, leaves the whole entry as it is."""
        self.planned.append(edit)

    def edit_mapping(self, node: MappingNode, cells: Mapping[Column, str], order: Sequence[str]) -> None:
        """Edit the keys of a mapping, from which the paths of the columns lead on."""
        cells_by_key: dict[str, dict[Column, str]] = {}
        for column, cell in cells.items():
            cells_by_key.setdefault(column.key, {})[column] = cell
        new_texts: dict[str, str] = {}
        for key, cells_of_key in cells_by_key.items():
            if all(same_cell(column, cell, cell_of(node, column)) for column, cell in cells_of_key.items()):
                continue
            column, cell = next(iter(cells_of_key.items()))  # the only one, but of a text by language
            if column.language:
                text = self.edit_text(node, key, cells_of_key)
            else:
                text = self.edit_value(node, key, column, cell)
            if text is not None:
                new_texts[key] = text
        for key in sorted(new_texts, key=order.index):
            self.add(entry_edits.insert_key(node, order, key, new_texts[key]))

    def edit_value(self, parent: MappingNode, key: str, column: Column, cell: str) -> str | None:
        """Edit a value that is one text, number or list; return the text to insert if its key is missing."""
        node = parent.nodes.get(key)
        if node is None:
            return self.format_value(column, cell, parent) if cell else None
        if not cell:
            self.add(entry_edits.remove_key(parent, key))
        elif column.cell_type == "words":
            self.add(entry_edits.change_words(parent, key, split_words(cell)))
        else:
            if isinstance(node, MappingNode) and key == "art":
                parent, node = node, node.nodes["file"]
            edit: Edit | None = None  # a list or mapping is not replaced
            if isinstance(node, Scalar):
                is_number = _is_number(column, cell)
                edit = entry_edits.change_scalar(node, cell, number=is_number, in_flow=parent.in_braces)
            self.add(edit)
        return None

    def format_value(self, column: Column, cell: str, parent: MappingNode) -> str:
        """Return a new value as YAML, as it is written behind its colon."""
        if column.cell_type == "words":
            return entry_edits.format_words(split_words(cell))
        if "\n" in cell and not parent.in_braces:
            return yaml_scalars.format_block(cell, entry_edits.column_of(parent) + 2)
        return yaml_scalars.format_scalar(cell, number=_is_number(column, cell), in_flow=parent.in_braces)

    def edit_text(self, parent: MappingNode, key: str, group: Mapping[Column, str]) -> str | None:
        """Edit a text that may differ by language; return the text to insert if its key is missing."""
        node = parent.nodes.get(key)
        given_texts = {column.language or "": cell for column, cell in group.items()}
        if isinstance(node, MappingNode):
            is_any_left = any({**_texts_by_language(node), **given_texts}.values())
            if is_any_left:
                self._edit_by_language(node, given_texts)
                return None
        return self._edit_whole(parent, key, given_texts)

    def _edit_by_language(self, node: MappingNode, given_texts: Mapping[str, str]) -> None:
        """Edit a text that is written by language."""
        for language, cell in given_texts.items():
            old = node.nodes.get(language)
            if isinstance(old, Scalar) and cell and cell != cell_of_scalar(old):
                self.add(entry_edits.change_scalar(old, cell, number=False, in_flow=node.in_braces))
            elif old is not None and not cell:
                self.add(entry_edits.remove_key(node, language))
            elif old is None and cell:
                column = Column(language, (language,))
                order = (*node.nodes, language)
                self.add(entry_edits.insert_key(node, order, language, self.format_value(column, cell, node)))

    def _edit_whole(self, parent: MappingNode, key: str, given_texts: Mapping[str, str]) -> str | None:
        """Write a text as a whole: with one text for all languages if all have the same, else by language.

        Returns the text to insert if its key is missing; else the edit is added.
        """
        node = parent.nodes.get(key)
        texts_before = dict.fromkeys(self.languages, cell_of_scalar(node)) if isinstance(node, Scalar) else {}
        texts = {language: text for language, text in {**texts_before, **given_texts}.items() if text}
        if not texts:
            if node is not None:
                self.add(entry_edits.remove_key(parent, key))
            return None
        text, *other_texts = dict.fromkeys(texts.values())
        is_one_text = not other_texts and texts.keys() >= set(self.languages)
        if isinstance(node, Scalar):
            if is_one_text:
                self.add(entry_edits.change_scalar(node, text, number=False, in_flow=parent.in_braces))
            elif node.style in ("|", ">"):
                self.add(None)  # a block is not rewritten
            else:
                self.add(Edit(node.start, node.end, entry_edits.format_texts(texts)))
            return None
        if is_one_text:
            return self.format_value(Column(key, (key,)), text, parent)
        return entry_edits.format_texts(texts)

    def edit_skills(self) -> None:
        """Edit the SKILLs: change existing ones, append new ones, remove those whose cells are empty."""
        listed = self.entry.node.nodes.get("skills")
        items = self.entry.node.items("skills")
        new: list[str] = []
        removed_skills: list[Node] = []
        for number, cells in sorted(_cells_by_skill(self.wanted.cells).items()):
            item = items[number] if number < len(items) else None
            if isinstance(item, MappingNode):
                keys_of_table = {column.key for column in cells}
                # a SKILL with a key that the table lacks is not removed: the designer could not see it there
                if any(cells.values()) or item.nodes.keys() - keys_of_table:
                    self.edit_mapping(item, cells, list(schemas.skill()["properties"]))
                else:
                    removed_skills.append(item)
            elif any(cells.values()):
                new_skill = _entry_values(cells, localized=cells)
                new.append(entry_edits.format_entry(new_skill, self._column_of_skills()))
        if removed_skills and len(removed_skills) == len(items) and not new:
            self.add(entry_edits.remove_key(self.entry.node, "skills"))
        else:
            for item in removed_skills:
                self.add(entry_edits.remove_item(item))
        self.insert_skills(listed, items, new)

    def _column_of_skills(self) -> int:
        """Return the column of the dashes before SKILLs: of those that are there, or else of new ones."""
        listed = self.entry.node.nodes.get("skills")
        items = self.entry.node.items("skills")
        if items and not (isinstance(listed, ListNode) and listed.in_brackets):
            first_skill, *_ = items
            return dash_column(first_skill)
        return entry_edits.column_of(self.entry.node) + 2

    def insert_skills(self, listed: Node | None, items: Sequence[Node], new: Sequence[str]) -> None:
        """Insert new SKILLs behind the existing ones."""
        if not new:
            return
        if listed is None and not self.entry.node.in_braces:
            lines = "\n" + "\n".join(new)
            self.add(entry_edits.insert_key(self.entry.node, self.order, "skills", lines.rstrip()))
        elif isinstance(listed, ListNode) and items and not listed.in_brackets:
            self.add(entry_edits.insert_behind(items[-1], "\n".join(new)))
        else:
            self.add(None)  # nothing is inserted between brackets


def _in_skill(column: Column) -> Column:
    """Return the column of a value of a SKILL with the path that leads on from the SKILL."""
    _skills, _number, *path = column.path
    return column._replace(path=tuple(path))


def _cells_by_skill(cells: Mapping[Column, str]) -> dict[int, dict[Column, str]]:
    """Return the cells of SKILLs by the index of the SKILL, with the columns of its own values."""
    cells_by_number: dict[int, dict[Column, str]] = {}
    for column, cell in cells.items():
        if column.skill_index is not None:
            cells_by_number.setdefault(column.skill_index, {})[_in_skill(column)] = cell
    return cells_by_number


def _is_number(column: Column, cell: str) -> bool:
    return column.cell_type == "number" or (
        column.cell_type == "either" and _NUMBER.fullmatch(cell) is not None
    )


def _texts_by_language(node: MappingNode) -> dict[str, str]:
    return {key: cell_of_scalar(value) for key, value in node.nodes.items() if isinstance(value, Scalar)}


def dash_column(item: Node) -> int:
    """Return the column of the dash before an item of a block list, from 0."""
    text = item.file.text
    line = text.rfind("\n", 0, item.start) + 1
    return text.index("-", line) - line


def key_order(kind: str) -> list[str]:
    """Return the keys of a kind of card in the order of the schema."""
    schema = schemas.objective() if kind == OBJECTIVE else schemas.card(kind)
    return list(schema["properties"])


def _entry_values(cells: Mapping[Column, str], localized: Collection[Column]) -> dict[str, object]:
    """Return the values of a new entry by key, without the empty ones and SKILLs.

    The text of a column that names no language counts for every language.
    """
    entry: dict[str, object] = {}
    for column, cell in cells.items():
        key = column.key
        if not cell or key == "skills":
            continue
        if column.language and column in localized:
            texts = entry.setdefault(key, {})
            assert isinstance(texts, dict)
            texts[column.language] = cell
        elif column.cell_type == "words":
            entry[key] = split_words(cell)
        elif column.cell_type == "number" and WHOLE_NUMBER.fullmatch(cell):
            entry[key] = int(cell)
        else:
            entry[key] = cell
    return entry


def new_entry(row: ImportRow, languages: Sequence[str]) -> dict[str, object]:
    """Return the values of a new card by key, in the order of the schema."""
    localized_in_skills = [_in_skill(column) for column in row.localized if column.key == "skills"]
    skills = []
    for _number, cells in sorted(_cells_by_skill(row.cells).items()):
        if skill := _entry_values(cells, localized_in_skills):
            skills.append(_merge_equal_texts(skill, languages))
    entry: dict[str, object] = {"id": row.id}
    if row.kind != OBJECTIVE:
        entry["kind"] = row.kind
    if skills:
        entry["skills"] = skills
    entry |= _entry_values(row.cells, row.localized)
    order = key_order(row.kind)
    return _merge_equal_texts({key: entry[key] for key in sorted(entry, key=order.index)}, languages)


def _merge_equal_texts(entry: dict[str, object], languages: Sequence[str]) -> dict[str, object]:
    """Replace each text that is the same in every language by that one text."""
    merged = dict(entry)
    for key, value in entry.items():
        if isinstance(value, dict) and value.keys() >= set(languages):
            text, *other_texts = set(value.values())
            if not other_texts:
                merged[key] = text
    return merged
