"""Keys that were drawn into the text of the key before them: a line break is lost, or a key stands twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from toolkit.data.schema import KINDS, SECTIONS, schema_for
from toolkit.source import SourceFile, Span
from toolkit.vocabulary import PRINTED

_KEY_IN_TEXT = re.compile(r"(?<![^\s{])([^\s:{}\[\],\"']+):(?=\s|$)")


def key_in(text: Span) -> Span | None:
    """The first word with a colon in a text that is elsewhere a key; None if all of it is text."""
    for found in _KEY_IN_TEXT.finditer(text.text):
        if found[1] in known_keys() or _is_key_of(text.file, found[1], text):
            return text.file.span(text.start + found.start(), text.start + found.end())
    return None


def _is_key_of(file: SourceFile, word: str, text: Span) -> bool:
    """Whether a line of a file, or a brace, begins with this word as a key, but for those of a stretch."""
    begins = re.finditer(rf"(?m)(?:^[ \t]*(?:- +)*|[{{,][ \t]*){re.escape(word)}:(?=\s|$)", file.text)
    return any(not text.start <= found.end() <= text.end for found in begins)


@cache
def known_keys() -> frozenset[str]:
    """Every key that an entry of any section, or the project file, can have."""
    schemas = [
        schema_for("project"),
        *map(schema_for, SECTIONS),
        *(schema_for("cards", one) for one in KINDS),
    ]
    return frozenset([*SECTIONS, *PRINTED, *(key for schema in schemas for key in _keys(schema))])


def _keys(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for part in schema:
            yield from _keys(part)
    elif isinstance(schema, dict):
        properties = schema.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        for part in schema.values():
            yield from _keys(part)
