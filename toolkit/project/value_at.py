"""What is at an offset of a file: the path of keys, the scalar, its schema, the role of an effect."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from collections.abc import Sequence as Steps
from itertools import starmap
from typing import NamedTuple

from msgspec import Struct

from toolkit.data.model import CardSet
from toolkit.data.schema import KINDS, SECTIONS, schema_for
from toolkit.data.schemas.parts import Schema
from toolkit.data.yaml.nodes import Mapping, Node, Scalar, Sequence
from toolkit.source.paths import PROJECT_FILE
from toolkit.vocabulary import Role

Path = Steps[str | int]
"""Keys and indexes from the root of a file."""


class Place(Struct, frozen=True):
    """An offset in a scalar of a file. ``path`` leads to it, or for a key to the mapping around it."""

    root: Node | None
    offset: int
    path: tuple[str | int, ...]
    scalar: Scalar
    is_key: bool
    entry: Mapping | None

    @property
    def is_in_project_file(self) -> bool:
        """Whether its file is the project file, which has no entries."""
        return self.scalar.file.path.name == PROJECT_FILE

    @property
    def kind(self) -> str | None:
        """The kind that its entry states, known or not."""
        return kind_of(self.entry)

    @property
    def schema(self) -> Schema | None:
        """The schema of the scalar; of keys only the designer's own words have one."""
        schema = schema_at(self.path, self.kind, self.is_in_project_file)
        return _own_word(schema, self.scalar.text) if schema is not None and self.is_key else schema


def place_at(root: Node | None, offset: int) -> Place | None:
    """Return the place at an offset, or None between scalars."""
    path: tuple[str | int, ...] = ()
    node, entry = root, None
    while isinstance(node, (Mapping, Sequence)):
        if len(path) == 2 and isinstance(node, Mapping):  # a section and an index lead to an entry
            entry = node
        touched_children = (
            child for child in _children(node) if child.node.start <= offset <= child.node.end
        )
        child = next(touched_children, None)
        if child is None:
            return None
        if child.is_key and isinstance(child.node, Scalar):
            return Place(root, offset, path, child.node, True, entry)
        path, node = (*path, child.step), child.node
    is_touched = node is not None and node.start <= offset <= node.end
    return Place(root, offset, path, node, False, entry) if node is not None and is_touched else None


class _Child(NamedTuple):
    """A node right below another: a key, or the value of a key (its ``step``), or an item at an index."""

    step: str | int
    node: Node
    is_key: bool = False


def _children(node: Mapping | Sequence) -> Iterator[_Child]:
    """Yield the keys and values of a mapping, or the items of a list."""
    if isinstance(node, Mapping):
        for name, value in node.nodes.items():
            yield _Child(name, node.keys[name], is_key=True)
            yield _Child(name, value)
    else:
        yield from starmap(_Child, enumerate(node.items))


def entries_of(root: Node | None) -> Iterator[tuple[str, Mapping]]:
    """Yield the entries of a card file with their sections."""
    if not isinstance(root, Mapping):
        return
    for section, section_node in root.nodes.items():
        if section in SECTIONS and isinstance(section_node, Sequence):
            yield from ((section, entry) for entry in section_node.items if isinstance(entry, Mapping))


def name_of(section: str, entry: Mapping) -> Scalar | None:
    """Return the id of an entry, or the name of a scenario, if it has one."""
    name_node = entry.nodes.get("name" if section == "scenarios" else "id")
    return name_node if isinstance(name_node, Scalar) else None


def schema_at(path: Path, kind: str | None, is_project_file: bool) -> Schema | None:
    """Return the schema of the value at a path of a file, if there is one; ``kind`` is the card's."""
    if is_project_file:
        return below(schema_for("project"), path)
    if len(path) < 2:  # a section, or nothing
        return None
    section, _index, *path_in_entry = path
    if section not in SECTIONS:
        return None
    return below(schema_for(str(section), kind if kind in KINDS else None), path_in_entry)


def below(schema: Schema | None, path: Path) -> Schema | None:
    """Return the schema at a path below another, if there is one."""
    for step in path:
        if schema is None:
            return None
        if isinstance(step, int):
            schema = schema.get("items")
        else:
            schema = schema.get("properties", {}).get(step) or _other(schema)
    return schema


def _other(schema: Schema) -> Schema | None:
    """Return the schema of the values whose keys are the designer's own words, if there may be such keys."""
    additional = schema.get("additionalProperties")
    return additional if isinstance(additional, dict) else None


def _own_word(schema: Schema, key: str) -> Schema | None:
    """Return the schema of a key in a mapping if it is the designer's own word."""
    return schema.get("propertyNames") if key not in schema.get("properties", {}) else None


def part_at(path: Path) -> str:
    """Return the name of an effect's part in its entry: ``skill 1``, ``effect``, ``action move``."""
    _section, _index, key, *further_steps = path
    if key in ("skills", "performance"):
        index = next((step for step in further_steps if isinstance(step, int)), 0)
        return f"{'skill' if key == 'skills' else 'performance'} {index + 1}"
    if key == "actions":
        action, *_ = further_steps
        return f"action {action}"
    return str(key)


def role_at(path: Path, kind: str | None) -> Role | None:
    """Return the role of the effect at a path of a card file, in an entry of a kind."""
    section, *_ = path
    part_name = part_at(path)
    name_without_number, _, _ = part_name.partition(" ")
    name: str | None = part_name if part_name.startswith("action ") else name_without_number
    if part_name == "effect":
        name = {"objectives": "objective", "keywords": "keyword"}.get(str(section), kind)
    return next((role for role in Role if role.value == name), None)


def kind_of(entry: Node | None) -> str | None:
    """Return the kind that an entry states, known or not."""
    kind = entry.value.get("kind") if isinstance(entry, Mapping) else None
    return kind if isinstance(kind, str) else None


def effect_names(cards: CardSet) -> dict[str, Collection[str]]:
    """Return the names that may be quoted in an effect, by the word before them."""
    return {"TEAM": cards.teams, "trait": cards.traits(), "KEYWORD": cards.keywords, "MARKER": cards.markers}


def scalars(node: Node, schema: Schema | None) -> Iterator[tuple[Scalar, Schema]]:
    """Yield every value below a node, and every key that is a designer's own word, with its schema."""
    if schema is None:
        return
    if isinstance(node, Scalar):
        yield node, schema
    elif isinstance(node, Mapping):
        for key, child in node.nodes.items():
            yield from scalars(node.keys[key], _own_word(schema, key))
            yield from scalars(child, below(schema, (key,)))
    else:
        for item in node.items:
            yield from scalars(item, schema.get("items"))


def every_scalar(node: Node | None) -> Iterator[Scalar]:
    """Yield all scalars below a node, also keys."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for key, value in node.nodes.items():
            yield node.keys[key]
            yield from every_scalar(value)
    elif node is not None:
        for item in node.items:
            yield from every_scalar(item)


def has_letters(name: str, query: str) -> bool:
    """Whether a name has the letters of a query (in lower case) in their order."""
    letters = iter(name.lower())  # `in` consumes it up to each letter, so the order counts
    return all(letter in letters for letter in query)
