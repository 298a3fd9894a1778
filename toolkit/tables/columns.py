"""The columns of a table of cards: for each what it is called, and where its value stands in an entry.

They follow the schemas, so that a key that a schema has is a column, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from toolkit.data.nodes import Mapping, Node, Scalar, node_at
from toolkit.data.nodes import Sequence as ListNode
from toolkit.data.schemas import cards as schemas
from toolkit.data.schemas.parts import Schema

OBJECTIVE = "objective"
KINDS = (*schemas.KINDS, OBJECTIVE)
"""What a row can be; an OBJECTIVE says so in the column `kind`, though its entry has no such key."""

Sort = Literal["text", "number", "either", "words"]
Path = tuple["str | int", ...]


class Column(NamedTuple):
    """A column: its header, the keys that lead to its value, and what the value is.

    ``language`` is the last of the keys where it is one: an entry may have one text for all languages.
    """

    header: str
    path: Path
    sort: Sort = "text"
    language: str | None = None


def columns_of(kind: str | None, languages: Sequence[str], skills: int = 1) -> list[Column]:
    """Return the columns of a kind of card, or of all kinds, with so many SKILLs."""
    found = list(_columns(_properties(kind), languages, skills))
    if kind == OBJECTIVE:
        found.insert(1, Column("kind", ("kind",)))
    return found


@lru_cache(maxsize=16)
def _properties(kind: str | None) -> dict[str, Schema]:
    """Return the keys of a kind; of all kinds together, an OBJECTIVE's `value` stands behind the VALUEs."""
    if kind == OBJECTIVE:
        return schemas.objective()["properties"]  # type: ignore[no-any-return]
    if kind is not None:
        return schemas.card(kind)["properties"]  # type: ignore[no-any-return]
    every: dict[str, Schema] = schemas.any_card()["properties"]
    value = {"value": schemas.objective()["properties"]["value"]}
    found: dict[str, Schema] = {}
    for key, schema in every.items():
        found |= value if key == "traits" else {}
        found[key] = schema
    return found


def _columns(properties: dict[str, Schema], languages: Sequence[str], skills: int) -> Iterator[Column]:
    for key, schema in properties.items():
        if key == "skills":
            for number in range(skills):
                inside = _columns(schema["items"]["properties"], languages, 0)
                for column in inside:
                    path = ("skills", number, *column.path)
                    yield column._replace(header=f"skill{number + 1}.{column.header}", path=path)
        elif isinstance(schema.get("additionalProperties"), dict):  # a text, or one by language
            for language in languages:
                yield Column(f"{key}.{language}", (key, language), language=language)
        elif schema["type"] == "array":
            yield Column(key, (key,), "words")
        else:
            yield Column(key, (key,), _SORTS.get(str(schema["type"]), "text"))


_SORTS: dict[str, Sort] = {"integer": "number", "['string', 'number']": "either"}


def value_node(entry: Mapping, column: Column) -> Node | None:
    """Return the node that holds a column's value; the whole text where it is the same in every language."""
    around = node_at(entry, column.path[:-1])
    if isinstance(around, Scalar) and column.language is not None:
        return around
    node = node_at(around, column.path[-1:])
    if column.path == ("art",) and isinstance(node, Mapping):
        return node.nodes.get("file")
    return node


def cell_of(entry: Mapping, column: Column, section: str = "cards") -> str:
    """Return what stands in the cell of an entry; nothing where the key is left out."""
    if column.header == "kind" and section == "objectives":
        return OBJECTIVE
    node = value_node(entry, column)
    if isinstance(node, ListNode):
        return join_words(item.text for item in node.items if isinstance(item, Scalar))
    if not isinstance(node, Scalar) or (node.value is None and not node.style):
        return ""
    return cell_of_scalar(node)


def cell_of_scalar(node: Scalar) -> str:
    """Return the text of a scalar as a cell has it."""
    return node.text.rstrip("\n") if node.style in ("|", ">") else node.text


def join_words(words: Iterable[str]) -> str:
    """Return words as one cell, with commas between them."""
    return ", ".join(f'"{word}"' if "," in word else word for word in words)


_WORD = re.compile(r'\s*(?:"([^"]*)"|([^,]*?))\s*(?:,|$)')


def split_words(cell: str) -> list[str]:
    """Return the words of a cell; a word that holds a comma stands in double quotes."""
    found = [match[1] if match[1] is not None else match[2] for match in _WORD.finditer(cell)]
    return [word for word in found if word]
