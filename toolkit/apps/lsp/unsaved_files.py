"""Card files that exist only in the editor (``untitled:``): what they would be in a project.

An unsaved file is read as a further file of the project for which the editor means it, or else of the only
one in the window. The project itself does not change by that, and nothing is written. Without a project
nothing is known but the unsaved files: nothing is reported that files which are not there may explain.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote, urlsplit

from toolkit.apps.lsp.editor_documents import Document, path_of
from toolkit.data.project_files import Folder, FolderListing, FolderReader, can_be_source
from toolkit.data.schema import SECTIONS
from toolkit.project.live_project import LiveProject
from toolkit.source import ReadProblem, SourceFile
from toolkit.source.paths import PROJECT_FILE

NOWHERE = Path(os.path.abspath("/unsaved"))
"""The folder of the project of unsaved files that belong to none. It need not exist, and is never read."""

_SCHEMES = ("untitled", "file", "")
"""Schemes of unsaved files; ``file:`` without a path is how Neovim calls a buffer without a name.

Others, such as ``git:``, show a file as it was."""

_EXPLAINED_ELSEWHERE = {
    *("missing-picture", "unknown-team", "unknown-trait", "unknown-keyword", "unknown-marker")
}
"""Findings that a file of the project, which is not there, would settle."""


def looks_like_cards(text: str) -> bool:
    """Whether a file outside all projects seems to be a card file: it has a section at its top level."""
    return any(text.startswith(f"{section}:") or f"\n{section}:" in text for section in SECTIONS)


def is_unsaved(document: Document) -> bool:
    """Whether a document is a card file that exists only in the editor."""
    has_no_file = document.path is None and _scheme(document.uri) in _SCHEMES
    return has_no_file and looks_like_cards(document.text)


def has_name(document: Document) -> bool:
    """Whether the URI of an unsaved file says which one is meant.

    Neovim 0.11 calls all buffers without a name ``file://``, and shows what is published of that nowhere.
    """
    return bool(urlsplit(document.uri).path.strip("/"))


def meant_path(document: Document) -> Path | None:
    """Return the path under which an unsaved file will be saved, if the editor says one in its URI."""
    return path_of(f"file:{document.uri.removeprefix('untitled:')}")


def _scheme(uri: str) -> str | None:
    """Return the scheme of a URI; None if it is broken."""
    try:
        return urlsplit(uri).scheme
    except ValueError:
        return None


def name_files(documents: Iterable[Document], root: Path, used_paths: Iterable[Path]) -> dict[Path, str]:
    """Give unsaved files paths in the project in ``root``, and return the texts by these paths.

    ``used_paths`` are those of the files that the project has.
    """
    taken_paths = set(used_paths)
    texts: dict[Path, str] = {}
    for document in documents:
        path = meant_path(document)
        if path is None or path in taken_paths or not can_be_source(path, root):
            path = _free_path(document, root, taken_paths)
        document.stand_in = path
        taken_paths.add(path)
        texts[path] = document.text
    return texts


def _free_path(document: Document, root: Path, taken_paths: set[Path]) -> Path:
    """Return a path in ``root`` named after the file in the editor: ``Untitled-1.yaml``."""
    _, _, last_part = unquote(document.uri).rstrip("/").rpartition("/")
    name_in_editor = last_part.removeprefix("untitled:").removesuffix(".yaml").removesuffix(".yml")
    words = re.findall(r"\w+", name_in_editor)
    name = "-".join(words)[:60] or "unsaved"
    number, path = 1, root / f"{name}.yaml"
    while path in taken_paths:
        number += 1
        path = root / f"{name}-{number}.yaml"
    return path


class _NothingElse(FolderReader):
    """Reads a folder of which nothing is known: its files count as there, and cannot be read."""

    def read(self) -> Folder:
        paths = [self.root / PROJECT_FILE, self.root / "others.yaml"]
        return Folder(FolderListing(yaml_files=paths), {path: _unread(path) for path in paths})


def _unread(path: Path) -> ReadProblem:
    message = "This file is not known: the unsaved file belongs to no project."
    return ReadProblem("unreadable-file", message, "", SourceFile(path, path.name, "").span(0, 0))


def unsaved_alone(documents: Iterable[Document]) -> LiveProject:
    """Return the project of unsaved files that belong to none."""
    project = LiveProject(NOWHERE, _NothingElse(NOWHERE))
    project.read(name_files(documents, NOWHERE, project.reader.read().files))
    project.reported = [finding for finding in project.reported if finding.name not in _EXPLAINED_ELSEWHERE]
    return project


def unsaved_within(
    base: LiveProject, documents: Iterable[Document], open_texts: Mapping[Path, str]
) -> LiveProject:
    """Return a project with unsaved files as further ones; it is valid until the project is read again.

    ``open_texts`` are those of the open files of the project.
    """
    project = base.copy()
    used_paths = [file.path for file in base.cards.files]
    project.read({**open_texts, **name_files(documents, base.root, used_paths)})
    return project
