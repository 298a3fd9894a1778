"""The order of keys by kind, as in the schemas, and which values are effects."""

from __future__ import annotations

import re
from typing import Any

from toolkit.data.schema import SECTIONS, schema_for
from toolkit.data.schemas import parts
from toolkit.data.schemas.parts import Schema
from toolkit.data.yaml.nodes import Mapping, Scalar
from toolkit.diagnostics.suppressions import MARK
from toolkit.editing.formatting.concrete_tree import Block, ConcreteTree, Flow, Leaf, Part
from toolkit.project import value_at


def put_in_order(tree: ConcreteTree, root: Mapping) -> None:
    """Sort the keys of every entry of a file, or of a project file, and mark its effects.

    The order inside of a scenario's steps and expectations is the designer's: what matters comes first.
    """
    if "project" in root.keys:
        _order_mapping(tree.root, schema_for("project"))
        return
    for section in tree.root.parts:
        name = section.key.text if section.key is not None else ""
        if name not in SECTIONS or not isinstance(section.value, Block | Flow):
            continue
        for entry in section.value.parts:
            schema = schema_for(name, _kind(entry))
            _order_value(entry, schema if name != "scenarios" else _without_order_below(schema))


def is_effect(node: Scalar, schema: Schema) -> bool:
    """Whether a value is a text of the effect language."""
    return parts.is_effect(schema) and isinstance(node.value, str)


def schema_below(schema: Schema, step: str | int) -> Schema:
    """Return the schema of the value of a key, or of an item of a list; an empty one if there is none."""
    return value_at.below(schema, (step,)) or {}


def entry_schema(section: str, entry: Any) -> Schema:
    """Return the schema of an entry, given as plain data."""
    kind = entry.get("kind") if isinstance(entry, dict) and section == "cards" else None
    return schema_for(section, kind if isinstance(kind, str) else None) if section in SECTIONS else {}


def _without_order_below(schema: Schema) -> Schema:
    """Return a schema with the order of its own keys only: nothing is known of what is below them."""
    return {**schema, "properties": dict.fromkeys(schema["properties"])}


def _kind(entry: Part) -> str | None:
    """Return the kind that an entry states, if it does."""
    if not isinstance(entry.value, Block | Flow):
        return None
    for part in entry.value.parts:
        if part.key is not None and part.key.text == "kind" and isinstance(part.value, Leaf):
            return part.value.scalar.text
    return None


def _order_value(part: Part, schema: Schema) -> None:
    """Sort the keys in a value, and mark it if it is an effect."""
    value = part.value
    if isinstance(value, Leaf):
        value.is_effect = is_effect(value.scalar, schema)
    elif isinstance(value, Block | Flow) and value.is_mapping:
        _order_mapping(value, schema)
        first_part = next(iter(value.parts), None)
        begins_behind_dash = part.key is None and isinstance(value, Block) and not part.on_own_line
        if begins_behind_dash and first_part is not None:
            part.leading += first_part.leading  # a comment stands above the dash, not between it and its key
            first_part.leading = []
    elif isinstance(value, Block | Flow):
        for item in value.parts:
            _order_value(item, schema_below(schema, 0))


def _order_mapping(mapping: Block | Flow, schema: Schema) -> None:
    """Sort the keys of a mapping as in its schema, unknown ones last; keys of the designer stay."""
    for part in mapping.parts:
        _order_value(part, schema_below(schema, part.key.text if part.key else 0))
    schema_keys: list[str] = list(schema.get("properties", ()))
    has_free_keys = isinstance(schema.get("additionalProperties"), dict)
    if not mapping.parts or not schema_keys or has_free_keys:
        return
    positions = {key: number for number, key in enumerate(schema_keys)}
    ordered = sorted(
        mapping.parts, key=lambda part: positions.get(part.key.text if part.key else "", len(schema_keys))
    )
    new_first, *_ = ordered
    if not _moves_suppression(mapping, new_first):
        mapping.parts = ordered


def _moves_suppression(mapping: Block | Flow, new_first: Part) -> bool:
    """Whether a comment that suppresses findings would cover more or less with another part in front.

    Such a comment covers the whole entry if it is in the line of the dash, else the key in its line.
    """
    if isinstance(mapping, Flow):  # whose keys may share a line
        return any(map(_suppresses, mapping.parts))
    old_first, *_ = mapping.parts
    return new_first is not old_first and (_suppresses(old_first) or _suppresses(new_first))


def _suppresses(part: Part) -> bool:
    comments = [comment.text for comment in (part.comment, part.trailing) if comment is not None]
    return any(re.search(MARK, text) for text in (*part.leading, *part.before_value, *comments))
