"""From a project and an older version of it to what changed."""

from __future__ import annotations

from toolkit.project.changes.baseline_project import NotFound, older_project
from toolkit.project.changes.comparing import compare
from toolkit.project.changes.model import Changes
from toolkit.project.workspace import Workspace, open_project


def changes_since(workspace: Workspace, where: str, language: str) -> Changes | NotFound:
    """What changed on the cards since a git revision or an older copy of the project."""
    with older_project(workspace.root, where) as folder:
        if isinstance(folder, NotFound):
            return folder
        older = open_project(folder)
        if language not in older.cards.project.languages:
            spoken = ", ".join(older.cards.project.languages)
            return NotFound(f"In {where} there are no cards in {language!r}, only in {spoken}.")
        return compare(older, workspace, where, language)
