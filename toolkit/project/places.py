"""What is at a place of a file: the keys that lead there, the scalar, its schema, the role of an effect."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from collections.abc import Sequence as Steps

from msgspec import Struct

from toolkit.data.model import CardSet
from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.schema import KINDS, SECTIONS, schema_for
from toolkit.data.schemas.parts import Schema
from toolkit.vocabulary import Role

Path = Steps[str | int]
"""Keys and indexes from the root of a file."""


class Place(Struct, frozen=True):
    """A scalar of a tree, in its entry. ``path`` leads to it, for a key to the mapping around it."""

    path: tuple[str | int, ...]
    scalar: Scalar
    is_key: bool
    entry: Mapping | None


def place_at(root: Node | None, offset: int) -> Place | None:
    """The scalar that an offset touches, or None between them."""
    path: tuple[str | int, ...] = ()
    node, entry = root, None
    while isinstance(node, (Mapping, Sequence)):
        if len(path) == 2 and isinstance(node, Mapping):
            entry = node
        found = next((one for one in _inside(node) if one[1].start <= offset <= one[1].end), None)
        if found is None:
            return None
        step, inner, is_key = found
        if is_key and isinstance(inner, Scalar):
            return Place(path, inner, True, entry)
        path, node = (*path, step), inner
    is_touched = node is not None and node.start <= offset <= node.end
    return Place(path, node, False, entry) if node is not None and is_touched else None


def _inside(node: Mapping | Sequence) -> Iterator[tuple[str | int, Node, bool]]:
    """The keys and values of a mapping, or the items of a list: step, node, and whether it is a key."""
    if isinstance(node, Mapping):
        for name, value in node.nodes.items():
            yield name, node.keys[name], True
            yield name, value, False
    else:
        yield from ((index, item, False) for index, item in enumerate(node.items))


def entries_of(root: Node | None) -> Iterator[tuple[str, Mapping]]:
    """The entries of a card file with their sections."""
    if not isinstance(root, Mapping):
        return
    for section, listed in root.nodes.items():
        if section in SECTIONS and isinstance(listed, Sequence):
            yield from ((section, entry) for entry in listed.items if isinstance(entry, Mapping))


def name_of(section: str, entry: Mapping) -> Scalar | None:
    """The id of an entry, for a scenario its name, if it is written."""
    found = entry.nodes.get("name" if section == "scenarios" else "id")
    return found if isinstance(found, Scalar) else None


def schema_at(path: Path, kind: str | None) -> Schema | None:
    """The schema of the value at a path of a card file, if there is one; ``kind`` is that of the card."""
    if len(path) < 2 or path[0] not in SECTIONS:
        return None
    found: Schema | None = schema_for(str(path[0]), kind if kind in KINDS else None)
    return below(found, path[2:])


def below(schema: Schema | None, path: Path) -> Schema | None:
    """The schema that a path leads to from another."""
    for step in path:
        if schema is None:
            return None
        if isinstance(step, int):
            schema = schema.get("items")
        else:
            schema = schema.get("properties", {}).get(step) or _other(schema)
    return schema


def _other(schema: Schema) -> Schema | None:
    others = schema.get("additionalProperties")
    return others if isinstance(others, dict) else None


def is_effect(schema: Schema) -> bool:
    """Whether a value is sentences of the effect language."""
    return bool(schema.get("x-finding") == "empty-effect")


def part_at(path: Path) -> str:
    """What an effect is called within its entry: ``skill 1``, ``effect``, ``action move``."""
    section, *steps = path[2:]
    if section in ("skills", "performance"):
        number = next((step for step in steps if isinstance(step, int)), 0)
        return f"{'skill' if section == 'skills' else 'performance'} {number + 1}"
    return f"action {steps[0]}" if section == "actions" else str(section)


def role_at(path: Path, kind: str | None) -> Role | None:
    """The role of the effect at a path of a card file, in an entry of a kind."""
    part = part_at(path)
    kind = {"objectives": "objective", "keywords": "keyword"}.get(str(path[0]), kind)
    name = kind if part == "effect" else part if part.startswith("action ") else part.partition(" ")[0]
    return next((role for role in Role if role.value == name), None)


def kind_of(entry: Node) -> str | None:
    """The kind of card that an entry says."""
    kind = entry.value.get("kind") if isinstance(entry, Mapping) else None
    return kind if isinstance(kind, str) else None


def effect_names(cards: CardSet) -> dict[str, Collection[str]]:
    """The names that may stand in quotes in an effect, by the word before them."""
    return {
        "TEAM": cards.teams,
        "trait": cards.traits(),
        "KEYWORD": cards.keywords,
        "MARKER": cards.markers,
    }


def scalars(node: Node, schema: Schema | None) -> Iterator[tuple[Scalar, Schema]]:
    """Every value below a node, and every key that is a designer's own word, with its schema."""
    if schema is None:
        return
    if isinstance(node, Scalar):
        yield node, schema
    elif isinstance(node, Mapping):
        for key, inner in node.nodes.items():
            known = schema.get("properties", {}).get(key)
            if known is None and "propertyNames" in schema:
                yield node.keys[key], schema["propertyNames"]
            yield from scalars(inner, known or _other(schema))
    else:
        for item in node.items:
            yield from scalars(item, schema.get("items"))


def every_scalar(node: Node | None) -> Iterator[Scalar]:
    """All scalars below a node, keys too."""
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
    """Whether the letters of a query (in lower case) are in a name, in their order."""
    letters = iter(name.lower())
    return all(letter in letters for letter in query)
