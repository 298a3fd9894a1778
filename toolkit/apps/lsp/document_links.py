"""Links in a file: pictures, fonts and templates of the project, and the pages of findings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

from lsprotocol import types

from toolkit.apps.lsp.editor_documents import Documents
from toolkit.data.project_files import TEMPLATES
from toolkit.data.schema import schema_for
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.diagnostics.help_pages import uri_of_finding
from toolkit.project.live_project import LiveProject
from toolkit.project.value_at import every_scalar, scalars
from toolkit.source import SourceFile, Span
from toolkit.source.paths import named_alike

_FOLDERS = {"theme": f"{TEMPLATES}/themes", "set of icons": f"{TEMPLATES}/icons"}
"""The folders of a project's own files that a setting names, by the title of its schema."""


def document_links(
    project: LiveProject, file: SourceFile, documents: Documents
) -> Iterator[types.DocumentLink]:
    """Yield the links of a file of the project: each leads to a file that is there."""
    for span, path in (*_files(project, file), *_folders(project, file)):
        target, tooltip = documents.uri_of(named_alike(project.root / path)), f"Open {path}"
        yield types.DocumentLink(documents.range(span), target, tooltip)
    for span in (*_suppressed_names(project, file), *_names_in_settings(project, file)):
        if span.text in CATALOGUE:
            tooltip = f"Explain {span.text}"
            yield types.DocumentLink(documents.range(span), uri_of_finding(span.text), tooltip)


def _files(project: LiveProject, file: SourceFile) -> Iterator[tuple[Span, str]]:
    """Yield the values that are files of the project, whatever their key, with the path of each."""
    for scalar in every_scalar(project.tree(file)):
        path = normalize("NFC", scalar.text)
        if path in project.cards.pictures and _is_there(project, path):
            yield scalar.span, path


def _folders(project: LiveProject, file: SourceFile) -> Iterator[tuple[Span, str]]:
    """Yield the settings that name a folder of templates or icons, with the first file in it."""
    root = project.tree(file)
    if file is not project.cards.project.file or root is None:
        return
    for scalar, schema in scalars(root, schema_for("project")):
        folder = _FOLDERS.get(schema.get("title", ""))
        if folder is None:
            continue
        paths = [path for path in project.cards.pictures if path.startswith(f"{folder}/{scalar.text}/")]
        if paths and _is_there(project, min(paths)):
            yield scalar.span, min(paths)


def _is_there(project: LiveProject, path: str) -> bool:
    """Whether a file that was listed is still there."""
    try:
        return Path(named_alike(project.root / path)).is_file()
    except (OSError, ValueError):
        return False


def _suppressed_names(project: LiveProject, file: SourceFile) -> Iterator[Span]:
    """Yield the names of findings in comments that suppress them."""
    for suppression in project.suppressions(file):
        yield from suppression.names


def _names_in_settings(project: LiveProject, file: SourceFile) -> Iterator[Span]:
    """Yield the names of findings among the settings of the project file."""
    root = project.tree(file)
    if file is project.cards.project.file and root is not None:
        for scalar, schema in scalars(root, schema_for("project")):
            if schema.get("title") == "finding":
                yield scalar.span
