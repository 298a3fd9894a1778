"""The findings that a check would tell, fixed."""

from __future__ import annotations

from pathlib import Path

from toolkit.data.project_files import read_folder
from toolkit.data.text_in_place import put_in_place
from toolkit.project.checks import CheckWish, Refusal, told_of
from toolkit.project.fixing.rounds import Fixed, fix_project


def fix_wished(wish: CheckWish, *, unsafe: bool = False) -> Fixed | Refusal:
    """Fix what a check with this wish would tell, in memory, in all its projects; nothing is written."""
    results = []
    for project in dict.fromkeys(project for project, _ in wish.targets):
        fixed = _fixed(project, wish, unsafe)
        if isinstance(fixed, Refusal):
            return fixed
        results.append(fixed)
    return Fixed(
        tuple(change for one in results for change in one.changes),
        tuple(finding for one in results for finding in one.fixed),
        tuple(finding for one in results for finding in one.dropped),
        tuple(finding for one in results for finding in one.remaining),
    )


def _fixed(project: Path, wish: CheckWish, unsafe: bool) -> Fixed | Refusal:
    folder = read_folder(project)
    if wish.text is not None:
        refused = put_in_place(folder, project, wish.text.path, wish.text.data)
        if refused is not None:
            return Refusal(refused)
    return fix_project(project, lambda workspace: told_of(workspace, wish), unsafe=unsafe, folder=folder)
