"""The right form for a text that stands where a list or a mapping belongs."""

from __future__ import annotations

import re

from toolkit.data.accept import compile_test
from toolkit.data.core_scalars import resolve_plain
from toolkit.data.nodes import Scalar
from toolkit.data.schemas.parts import Schema

_PLAIN = re.compile(r"[A-Za-z0-9][^,\[\]{}:#\"'\\]*")


def proposed_form(schema: Schema, text: Scalar) -> str | None:
    """A text written as the list or mapping that the schema asks for; None if that would be refused too.

    For a list of words a comma parts the items. Only texts on one line get a proposal.
    """
    if schema.get("type") not in ("array", "object") or not isinstance(text.value, str):
        return None
    words = text.text.strip()
    if not words or not words.isprintable():
        return None
    found = _written(schema, words)
    if found is None and schema["type"] == "array" and "," in words:
        items = [_written(schema["items"], word.strip()) for word in words.split(",")]
        found = f"[{', '.join(item for item in items if item)}]" if all(items) else None
    return found


def sketched_form(schema: Schema) -> str:
    """The form of such a proposal, without the text."""
    if schema["type"] == "array":
        return f"[{sketched_form(schema['items'])}]"
    if schema["type"] == "object":
        (key,) = schema["required"]
        return f"{{{key}: {sketched_form(schema['properties'][key])}}}"
    return '"…"'


def _written(schema: Schema, words: str) -> str | None:
    """One text in the form that a schema asks for, in flow style."""
    if schema["type"] == "array":
        item = _written(schema["items"], words)
        # a list of words with a comma in it is better two words
        item_schema = schema["items"]
        of_words = item_schema["type"] == "string" and item_schema.get("x-finding") != "empty-effect"
        many = of_words and "," in words
        return None if item is None or many else f"[{item}]"
    if schema["type"] == "object":
        required = schema.get("required", ())
        if len(required) != 1 or not words:
            return None
        (key,) = required
        inner = _written(schema["properties"][key], words)
        return None if inner is None else f"{{{key}: {inner}}}"
    if not compile_test(schema)(words):
        return None
    plain = _PLAIN.fullmatch(words) and isinstance(resolve_plain(words), str)
    return words if plain else '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'
