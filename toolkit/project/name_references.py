"""The places where ids and traits are defined and used: keys, values and effects.

An id is unique in its project, so its word alone identifies it; traits are a namespace of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Literal

from msgspec import Struct

from toolkit.data.schema import schema_for
from toolkit.data.schemas.parts import Schema, is_effect
from toolkit.data.schemas.scenario_schema import SIDES
from toolkit.data.yaml.nodes import Mapping, Node, Scalar
from toolkit.dsl.lalr import lex, tables
from toolkit.dsl.names import NAMED_BY_ID
from toolkit.dsl.parsing import MAX_CHARACTERS, without_comments
from toolkit.project.value_at import Place, entries_of, kind_of, name_of, scalars
from toolkit.source import ScalarText, Span

NameKind = Literal["id", "trait"]
"""The two namespaces of a project."""


class Occurrence(Struct, frozen=True):
    """A word that names something: ``scalar.value[start:end]``.

    ``defines`` says whether it is the ``id`` of an entry, or an OPERATOR's trait. ``section`` and ``entry``
    (a scenario's name for scenarios) say in which entry it is; both are empty in the project file.
    """

    kind: NameKind
    word: str
    scalar: ScalarText
    start: int
    end: int
    defines: bool
    section: str
    entry: str

    @property
    def span(self) -> Span:
        """Its place in the file."""
        return self.scalar.locate(self.start, self.end)


def in_project_file(root: Node | None) -> Iterator[Occurrence]:
    """Yield the occurrences in the project file."""
    if root is not None:
        yield from _below(root, schema_for("project"), "", "")


def in_entry(section: str, entry: Mapping) -> Iterator[Occurrence]:
    """Yield the occurrences in an entry of a card file."""
    name = name_of(section, entry)
    entry_id = name.text if name is not None else ""
    if section != "scenarios" and name is not None and isinstance(name.value, str) and entry_id:
        yield Occurrence("id", entry_id, name.as_text(), 0, len(entry_id), True, section, entry_id)
    schema = schema_for(section, kind_of(entry) if section == "cards" else None)
    yield from _below(entry, schema, section, entry_id)


def occurrence_at(place: Place) -> Occurrence | None:
    """Return the id or trait at a place of a file, if there is one."""
    if place.is_in_project_file:
        occurrences = in_project_file(place.root)
    else:
        occurrences = chain.from_iterable(
            in_entry(section, entry) for section, entry in entries_of(place.root) if entry is place.entry
        )
    for occurrence in occurrences:
        if occurrence.span.start <= place.offset <= occurrence.span.end:
            return occurrence
    return None


def _below(node: Node, schema: Schema, section: str, entry: str) -> Iterator[Occurrence]:
    """Yield the names in the effects and references of a node."""
    for scalar, value_schema in scalars(node, schema):
        if not isinstance(scalar.value, str):
            continue
        if is_effect(value_schema):
            yield from _in_effect(scalar, section, entry)
        elif "x-refers" in value_schema:
            yield from _reference(scalar, value_schema, section, entry)


def _reference(scalar: Scalar, schema: Schema, section: str, entry: str) -> Iterator[Occurrence]:
    """Yield the name that a value refers to, without the side of a scenario before it."""
    text = scalar.text
    side, dot, _ = text.partition(".")
    start = len(side) + 1 if dot and side in SIDES else 0
    is_side = text in SIDES and section == "scenarios"  # elsewhere a squad may be called so
    if is_side or start == len(text):
        return
    kind: NameKind = "trait" if schema["x-refers"] == ["trait"] else "id"
    word = text[start:]
    defines = kind == "trait" and section != "scenarios"
    yield Occurrence(kind, word, scalar.as_text(), start, len(text), defines, section, entry)


def _in_effect(scalar: Scalar, section: str, entry: str) -> Iterator[Occurrence]:
    """Yield the ids and traits in quotes: `TEAM "red"`, `trait "sniper"`.

    They are found by the lexer, so that an effect with errors has them too.
    """
    text = scalar.text[:MAX_CHARACTERS]
    if '"' not in text:
        return
    effect = without_comments(text) if scalar.style == "|" else text  # only such a block can have comments
    word_before = ""
    for token in lex(effect, tables().words):
        if token.type == "STRING" and word_before in ("trait", *NAMED_BY_ID):
            kind: NameKind = "trait" if word_before == "trait" else "id"
            start, end = token.place
            name = str(token).removeprefix('"').removesuffix('"')
            yield Occurrence(
                kind, name, scalar.as_text(), start + 1, end - 1, defines=False, section=section, entry=entry
            )
        word_before = str(token)
