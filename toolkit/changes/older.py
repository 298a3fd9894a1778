"""The older version of a project: a folder, or a revision that git reads into a temporary folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from toolkit.vocabulary.nearest import nearest

PROJECT_FILE = "opforge.yaml"


@dataclass(frozen=True, slots=True)
class NotFound:
    """There is no such older version: why, and ``broken`` where that is not the user's doing."""

    message: str
    broken: bool = False


@contextmanager
def older_project(project: Path, where: str) -> Iterator[Path | NotFound]:
    """The folder of the older version of a project while the context lasts.

    ``where`` is a folder if there is one of that name, else a revision of the project's git repository. No
    checkout is touched: what git gives lies in a temporary folder.
    """
    folder = Path(where)
    if not where.strip():
        yield NotFound("Name a git revision, or the folder of an older copy.")
    elif folder.is_dir():
        yield _in_folder(folder)
    elif folder.exists():
        yield NotFound(f"{where} is a file; it takes the folder of an older copy, or a git revision.")
    else:
        with TemporaryDirectory(prefix="opforge-") as temporary:
            yield _in_git(project, where, Path(temporary))


def _in_folder(folder: Path) -> Path | NotFound:
    for candidate in (folder, folder / "cards"):
        if (candidate / PROJECT_FILE).is_file():
            return candidate.absolute()
    return NotFound(f"{folder} is no older copy of a project: there is no {PROJECT_FILE} in it.")


def _in_git(project: Path, revision: str, temporary: Path) -> Path | NotFound:
    if shutil.which("git") is None:
        return NotFound(
            f"There is no folder {revision!r}, and git, which could read a revision of that name, "
            "is not installed."
        )
    top = _git(project, "rev-parse", "--show-toplevel")
    if isinstance(top, NotFound):
        if "not a git repository" in top.message:
            return NotFound(f"There is no folder {revision!r}, and {project} is not in a git repository.")
        return top
    commit = _git(project, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
    if revision.startswith("-") or isinstance(commit, NotFound):
        return _unknown(project, revision)
    prefix = _git(project, "rev-parse", "--show-prefix")
    if isinstance(prefix, NotFound):
        return prefix
    inside = prefix.rstrip("/")
    if isinstance(_git(project, "cat-file", "-e", f"{commit}:{prefix}{PROJECT_FILE}"), NotFound):
        return NotFound(f"In {revision} there is no {prefix}{PROJECT_FILE}: the project was not there yet.")
    archive = temporary / "older.tar"
    tree = f"{commit}:{inside}" if inside else commit
    made = _git(Path(top), "archive", "--format=tar", f"--output={archive}", tree)
    if isinstance(made, NotFound):
        return made
    folder = temporary / "project"
    _unpack(archive, folder)
    return folder


def _git(folder: Path, *arguments: str) -> str | NotFound:
    """What git answers, without the last line end, or what it complains of."""
    environment = {**os.environ, "LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0"}
    done = subprocess.run(
        ["git", "-C", str(folder), *arguments], capture_output=True, env=environment, check=False
    )
    if done.returncode == 0:
        return os.fsdecode(done.stdout).rstrip("\n")
    complaint = done.stderr.decode("utf-8", errors="replace").strip().partition("\n")[0]
    return NotFound(f"git says: {complaint or 'nothing'}", broken=True)


def _unknown(project: Path, revision: str) -> NotFound:
    """No such revision: the nearest branch or tag, and what a shallow clone lacks."""
    names = _git(project, "for-each-ref", "--format=%(refname:short)")
    near = nearest(revision, names.split("\n")) if isinstance(names, str) else None
    hint = f" Did you mean {near!r}?" if near else ""
    if _git(project, "rev-parse", "--is-shallow-repository") == "true":
        hint += " This clone has only the latest revisions; `git fetch --unshallow --tags` gets the others."
    return NotFound(f"There is no folder and no git revision {revision!r}.{hint}")


def _unpack(archive: Path, folder: Path) -> None:
    """The files of an archive; links are kept where they lead to a place inside."""
    folder.mkdir()
    with tarfile.open(archive) as tar:
        for member in tar:
            target = folder / member.name
            if not _is_inside(PurePosixPath(member.name)):
                continue
            if member.isdir():
                target.mkdir(parents=True, exist_ok=True)
            elif member.isfile():
                target.parent.mkdir(parents=True, exist_ok=True)
                source = tar.extractfile(member)
                target.write_bytes(source.read() if source else b"")
            elif member.issym() and _is_inside(PurePosixPath(member.name).parent / member.linkname):
                with suppress(OSError):  # not every system has links
                    target.symlink_to(member.linkname)


def _is_inside(path: PurePosixPath) -> bool:
    """Whether a relative path stays below where it begins."""
    depth = 0
    for part in path.parts:
        depth += -1 if part == ".." else 1
        if depth < 0:
            return False
    return not path.is_absolute()
