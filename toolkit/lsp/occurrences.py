"""Where ids and traits are defined and used: in keys and values, and in the effects.

An id is unique in its project, so its word alone says what is meant; traits are words of their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.schema import SECTIONS, schema_for
from toolkit.data.schemas.parts import Schema
from toolkit.data.schemas.scenarios import SIDES
from toolkit.dsl.lalr import lex, tables
from toolkit.dsl.parsing import MOST_CHARACTERS, without_comments
from toolkit.lsp.projects import OpenProject
from toolkit.lsp.schemas import is_effect, kind_of, scalars
from toolkit.source import ScalarText, Span

Sort = Literal["id", "trait"]


class Occurrence(Struct, frozen=True):
    """A word that names something: ``scalar.value[start:end]``.

    ``defines`` says whether it is the ``id`` of an entry, or an OPERATOR's trait. ``section`` and ``entry``
    tell in which entry it is (a scenario's name for scenarios); both are empty in the project file.
    """

    sort: Sort
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


def occurrences(project: OpenProject) -> list[Occurrence]:
    """All of a project, file by file. Those of an entry that is the same as before are known."""
    before, project.named = project.named, {}
    found: list[Occurrence] = []
    for _, root, entries in project.trees():
        if entries is None:
            found += _in_project_file(root) if root is not None else ()
            continue
        for section, entry in _entries(root):
            some = before.get(entry)
            project.named[entry] = some = list(_in_entry(section, entry)) if some is None else some
            found += some
    return found


def occurrences_at(root: Node | None, offset: int, *, is_project_file: bool) -> list[Occurrence]:
    """Those of the entry around an offset of a file; in the project file all."""
    if is_project_file:
        return list(_in_project_file(root)) if root is not None else []
    around = [one for one in _entries(root) if one[1].start <= offset <= one[1].end]
    return [one for section, entry in around for one in _in_entry(section, entry)]


def _in_project_file(root: Node) -> Iterator[Occurrence]:
    yield from _below(root, schema_for("project"), "", "")


def _entries(root: Node | None) -> Iterator[tuple[str, Mapping]]:
    """The entries of a card file with their sections."""
    if not isinstance(root, Mapping):
        return
    for section, listed in root.nodes.items():
        if section not in SECTIONS or not isinstance(listed, Sequence):
            continue
        for entry in listed.items:
            if isinstance(entry, Mapping):
                yield section, entry


def _in_entry(section: str, entry: Mapping) -> Iterator[Occurrence]:
    name = entry.nodes.get("name" if section == "scenarios" else "id")
    entry_id = name.text if isinstance(name, Scalar) else ""
    if section != "scenarios" and isinstance(name, Scalar) and isinstance(name.value, str) and entry_id:
        yield Occurrence("id", entry_id, name.as_text(), 0, len(entry_id), True, section, entry_id)
    schema = schema_for(section, kind_of(entry) if section == "cards" else None)
    yield from _below(entry, schema, section, entry_id)


def _below(node: Node, schema: Schema, section: str, entry: str) -> Iterator[Occurrence]:
    for scalar, held in scalars(node, schema):
        if not isinstance(scalar.value, str):
            continue
        if is_effect(held):
            yield from _in_effect(scalar, section, entry)
        elif "x-refers" in held:
            yield from _reference(scalar, held, section, entry)


def _reference(scalar: Scalar, schema: Schema, section: str, entry: str) -> Iterator[Occurrence]:
    text = scalar.text
    side, dot, _ = text.partition(".")
    start = len(side) + 1 if dot and side in SIDES else 0
    if text in SIDES or start == len(text):
        return
    sort: Sort = "trait" if schema["x-refers"] == ["trait"] else "id"
    word = text[start:]
    yield Occurrence(sort, word, scalar.as_text(), start, len(text), sort == "trait", section, entry)


def _in_effect(scalar: Scalar, section: str, entry: str) -> Iterator[Occurrence]:
    """TEAMs and traits in quotes; an effect that is only half written has them too."""
    text = scalar.text[:MOST_CHARACTERS]
    if '"' not in text:
        return
    before = ""
    for token in lex(without_comments(text) if scalar.style == "|" else text, tables().words):
        if token.type == "STRING" and before in ("TEAM", "trait"):
            sort: Sort = "id" if before == "TEAM" else "trait"
            start, end = token.start_pos + 1, token.end_pos - 1
            yield Occurrence(sort, str(token)[1:-1], scalar.as_text(), start, end, False, section, entry)
        before = str(token)
