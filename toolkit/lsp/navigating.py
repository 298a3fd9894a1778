"""From an id to where it is defined and used, and another word for it everywhere at once."""

from __future__ import annotations

import re
from pathlib import Path

from toolkit.data.nodes import resolve_plain
from toolkit.data.schemas.parts import ID_PATTERN
from toolkit.lsp.occurrences import Occurrence, occurrences, occurrences_at
from toolkit.lsp.projects import OpenProject
from toolkit.source import Edit, SourceFile
from toolkit.source.edits import rewritten
from toolkit.source.paths import PROJECT_FILE

_TRAIT = re.compile(r"[^\W_][\w -]*(?<! )")


class CannotRename(Exception):
    """A rename that would break something, with the sentence that says what."""


def occurrence_at(project: OpenProject, file: SourceFile, offset: int) -> Occurrence | None:
    """The id or trait that an offset of a file touches."""
    root = project.tree(file)
    found = occurrences_at(root, offset, is_project_file=file.path.name == PROJECT_FILE)
    return next((one for one in found if one.span.start <= offset <= one.span.end), None)


def places_of(project: OpenProject, wanted: Occurrence, *, with_definitions: bool = True) -> list[Occurrence]:
    """Everywhere that the same thing is named; a word that names nothing in the project is nowhere else."""
    return [
        one
        for one in occurrences(project)
        if one.sort == wanted.sort and one.word == wanted.word and (with_definitions or not one.defines)
    ]


def definitions_of(project: OpenProject, wanted: Occurrence) -> list[Occurrence]:
    """Where it is defined; a trait, at every OPERATOR who bears it."""
    return [one for one in places_of(project, wanted) if one.defines]


def renamed(project: OpenProject, wanted: Occurrence, name: str) -> dict[Path, list[Edit]]:
    """The edits by file after which the thing has another name. Raises ``CannotRename``."""
    _refuse_word(wanted, name)
    _refuse_taken(project, wanted, name)
    _refuse_unread(project, wanted)
    edits: dict[Path, list[Edit]] = {}
    for one in places_of(project, wanted):
        edit = rewritten(one.scalar, one.start, one.end, name)
        if edit is None:
            place = one.span.begin_position
            raise CannotRename(f"`{wanted.word}` cannot be replaced in {one.span.file.name}:{place.line}.")
        edits.setdefault(one.span.file.path, []).append(edit)
    return edits


def _refuse_word(wanted: Occurrence, name: str) -> None:
    if wanted.sort == "trait":
        if not _TRAIT.fullmatch(name):
            raise CannotRename(f"`{name}` cannot be a trait here: write letters, digits, spaces and hyphens.")
    elif not re.search(ID_PATTERN, name):
        raise CannotRename(f"`{name}` is not an id: use lower-case letters, digits and single hyphens.")
    if not isinstance(resolve_plain(name), str):
        raise CannotRename(f"`{name}` would be read as a number or as null; use a word.")


def _refuse_taken(project: OpenProject, wanted: Occurrence, name: str) -> None:
    """An id that something else has; a trait that another OPERATOR has would make two into one."""
    if name == wanted.word:
        return
    if any(one.word == name and one.sort == wanted.sort and one.defines for one in occurrences(project)):
        what = "trait" if wanted.sort == "trait" else "id"
        raise CannotRename(f"The {what} `{name}` is already used.")


def _refuse_unread(project: OpenProject, wanted: Occurrence) -> None:
    """A file that cannot be read to its end may name the thing where it is not seen."""
    word = re.compile(rf"(?<![\w-]){re.escape(wanted.word)}(?![\w-])")
    for file, _, entries in project.trees():
        if entries is not None and entries.cut is not None and word.search(file.text, entries.cut):
            raise CannotRename(f"{file.name} cannot be read completely; fix it first.")
