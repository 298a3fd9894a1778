"""The older version of a project: a folder, or a revision that git reads into a temporary folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from toolkit.products.changes.git import GitError, Repository, find_repository
from toolkit.project.output import Refusal
from toolkit.source.paths import PROJECT_FILE, absolute
from toolkit.vocabulary.nearest import nearest


@contextmanager
def baseline_project(
    project: Path, version: str, *, folders: bool = True, within: str | None = None
) -> Iterator[Path | Refusal]:
    """Yield the folder of the older version of a project.

    ``version`` is a folder if ``folders`` are allowed and there is one of that name, else a revision of the
    project's git repository. No checkout is touched: the revision is copied to a temporary folder (inside of
    ``within``), which is removed when the context ends.
    """
    folder = Path(version)
    if not version.strip():
        yield Refusal("Name a git revision, or the folder of an older copy.")
    elif folders and os.path.isdir(folder):  # Path.is_dir raises OSError for a name that is too long
        project_folder = next(
            (candidate for candidate in (folder, folder / "cards") if (candidate / PROJECT_FILE).is_file()),
            None,
        )
        message = f"{folder} is not an older copy of a project: there is no {PROJECT_FILE} in it."
        yield absolute(project_folder) if project_folder else Refusal(message)
    elif folders and os.path.exists(folder):
        yield Refusal(f"{version} is a file; name the folder of an older copy, or a git revision.")
    else:
        with TemporaryDirectory(prefix="opforge-", dir=within) as temporary:
            try:
                yield _copy_from_git(project, version, Path(temporary, "project"))
            except GitError as error:
                yield Refusal(str(error))


def _copy_from_git(project: Path, revision: str, folder: Path) -> Path | Refusal:
    """Copy the project as it was in a revision to a folder; return that, or why it cannot be."""
    repository = find_repository(project)
    if repository is None:
        return Refusal(f"There is no folder {revision!r}, and {project} is not in a git repository.")
    commit = repository.commit(revision)
    if commit is None:
        return _unknown_revision(repository, revision)
    project_path = os.path.relpath(os.path.realpath(project), repository.top).replace(os.sep, "/")
    project_path = "" if project_path == "." else project_path
    if not repository.copy(commit, project_path, folder) or not (folder / PROJECT_FILE).is_file():
        file = f"{project_path}/{PROJECT_FILE}".lstrip("/")
        return Refusal(f"In {revision} there is no {file}: the project was not there yet.")
    return folder


def _unknown_revision(repository: Repository, revision: str) -> Refusal:
    """Return the refusal of an unknown revision, with the nearest name, and a hint for shallow clones."""
    nearest_name = nearest(revision, repository.names())
    hint = f" Did you mean {nearest_name!r}?" if nearest_name else ""
    if repository.is_shallow():
        hint += " This clone has only the latest revisions; `git fetch --unshallow --tags` gets the others."
    return Refusal(f"There is no folder and no git revision {revision!r}.{hint}")
