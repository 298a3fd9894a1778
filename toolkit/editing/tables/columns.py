"""The columns of a table of cards: the header of each, and the path to its value in an entry.

They are derived from the schemas, so that each key of a schema has its column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple

from toolkit.data.schemas import card_schema as schemas
from toolkit.data.schemas.parts import Schema
from toolkit.data.yaml.nodes import Mapping, Node, Scalar, node_at
from toolkit.data.yaml.nodes import Sequence as ListNode

OBJECTIVE = "objective"
KINDS = (*schemas.KINDS, OBJECTIVE)
"""The kinds of rows; an OBJECTIVE has a cell `kind` too, though its entry has no such key."""

CellType = Literal["text", "number", "either", "words"]
Path = tuple["str | int", ...]


class Column(NamedTuple):
    """A column: its header, the path to its value, and the type of the value.

    ``language`` is the last key of the path if that is a language: an entry may have one text for all.
    """

    header: str
    path: Path
    cell_type: CellType = "text"
    language: str | None = None

    @property
    def key(self) -> str:
        """The key of the entry that its path begins with."""
        return str(self.path[0])

    @property
    def skill_index(self) -> int | None:
        """The index of the SKILL of which it has a value, from 0; None if its value is not one of a SKILL."""
        return int(self.path[1]) if self.key == "skills" else None


def columns_of(kind: str | None, languages: Sequence[str], skills: int = 1) -> list[Column]:
    """Return the columns of a kind of card, or of all kinds, with those of a number of SKILLs."""
    columns = list(_columns(_properties(kind), languages, skills))
    if kind == OBJECTIVE:  # its kind is no key, and stands behind the id all the same
        columns.insert(1, Column("kind", ("kind",)))
    return columns


@lru_cache(maxsize=16)
def _properties(kind: str | None) -> dict[str, Schema]:
    """Return the schemas of the keys of a kind, or of all kinds: then `value` follows the VALUEs."""
    if kind == OBJECTIVE:
        return schemas.objective()["properties"]  # type: ignore[no-any-return]
    if kind is not None:
        return schemas.card(kind)["properties"]  # type: ignore[no-any-return]
    properties_of_cards: dict[str, Schema] = schemas.any_card()["properties"]
    properties: dict[str, Schema] = {}
    for key, schema in properties_of_cards.items():
        if key == "traits":  # the first key behind the VALUEs
            properties["value"] = schemas.objective()["properties"]["value"]
        properties[key] = schema
    return properties


def _columns(properties: dict[str, Schema], languages: Sequence[str], skills: int) -> Iterator[Column]:
    """Yield the columns of keys; a text has one for each language, a SKILL those of its own keys."""
    for key, schema in properties.items():
        if key == "skills":
            columns_of_skill = list(_columns(schema["items"]["properties"], languages, 0))
            for number, column in product(range(skills), columns_of_skill):
                path = ("skills", number, *column.path)
                yield column._replace(header=f"skill{number + 1}.{column.header}", path=path)
        elif isinstance(schema.get("additionalProperties"), dict):  # a text, or one by language
            for language in languages:
                yield Column(f"{key}.{language}", (key, language), language=language)
        elif schema["type"] == "array":
            yield Column(key, (key,), "words")
        else:
            yield Column(key, (key,), _CELL_TYPES.get(str(schema["type"]), "text"))


_CELL_TYPES: dict[str, CellType] = {"integer": "number", "['string', 'number']": "either"}


def value_node(entry: Mapping, column: Column) -> Node | None:
    """Return the node that holds a column's value: the whole text if that is the same in every language."""
    *path_of_parent, last_key = column.path
    parent = node_at(entry, path_of_parent)
    if isinstance(parent, Scalar) and column.language is not None:
        return parent
    node = node_at(parent, (last_key,))
    if column.path == ("art",) and isinstance(node, Mapping):  # a picture with settings
        return node.nodes.get("file")
    return node


def cell_of(entry: Mapping, column: Column, section: str = "cards") -> str:
    """Return the cell of an entry; empty if the key is left out."""
    if column.header == "kind" and section == "objectives":
        return OBJECTIVE
    node = value_node(entry, column)
    if isinstance(node, ListNode):
        return join_words(item.text for item in node.items if isinstance(item, Scalar))
    if not isinstance(node, Scalar) or (node.value is None and not node.style):
        return ""
    return cell_of_scalar(node)


def cell_of_scalar(node: Scalar) -> str:
    """Return the text of a scalar for a cell: a block scalar without its last line end."""
    return node.text.rstrip("\n") if node.style in ("|", ">") else node.text


def join_words(words: Iterable[str]) -> str:
    """Return words as one cell, separated by commas; a word with a comma is quoted."""
    return ", ".join(f'"{word}"' if "," in word else word for word in words)


_WORD = re.compile(r'\s*(?:"(?P<quoted>[^"]*)"|(?P<plain>[^,]*?))\s*(?:,|$)')


def split_words(cell: str) -> list[str]:
    """Return the words of a cell, as ``join_words`` writes them."""
    words = [match["quoted"] or match["plain"] for match in _WORD.finditer(cell)]
    return [word for word in words if word]
