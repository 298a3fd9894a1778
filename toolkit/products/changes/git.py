"""Reading a revision of a git repository without obeying its configuration.

A tree may hold a repository of its own (``HEAD``, ``config``, ``objects``), and a configuration may name
commands to run: filters, hooks, monitors, helpers that fetch. Only the repository whose top level holds a
``.git`` counts, it is read with ``ls-tree`` and ``cat-file``, and nothing is ever fetched or checked out.
"""

from __future__ import annotations

import os
import posixpath
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple

from msgspec import Struct

from toolkit.source.paths import checkout_around, is_below

_MAX_FILES = 100_000
_MAX_BYTES = 1_000_000_000
_MAX_FILE_BYTES = 64 * 1024 * 1024
"""No file of a project is read beyond this size; in the copy a larger one has its size and no content."""

_MAX_DEPTH = 60
"""Folders in each other; what lies deeper is left out, for a path has its limits on every system."""

_MAX_LINK_BYTES = 4096

_SETTINGS = (
    "safe.bareRepository=explicit",
    "protocol.allow=never",
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.sshCommand=false",
    "core.pager=cat",
    "credential.helper=",
)
"""Settings on the command line, which override those of all configuration files.

Without any protocol git before 2.45 does not fetch what a partial clone lacks, either; later versions have
``GIT_NO_LAZY_FETCH``.
"""

_ENVIRONMENT = {
    "LC_ALL": "C",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_LITERAL_PATHSPECS": "1",
}


class GitError(Exception):
    """A sentence about why git cannot read something."""


class _Entry(NamedTuple):
    """A file or link of a revision, by its path from the folder that is read."""

    mode: str
    object: str
    name: str


class Repository(Struct, frozen=True):
    """A git repository: the folder that holds its ``.git``, and the program that reads it."""

    top: Path
    program: str

    def commit(self, revision: str) -> str | None:
        """Return the commit that a revision names; None if there is none."""
        if revision.startswith("-") or "\0" in revision:  # an option of git, or no argument of a program
            return None
        commit_id = self._answer("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        # for `^HEAD` git prints `^` and a commit
        return commit_id if commit_id and commit_id.isalnum() else None

    def names(self) -> list[str]:
        """Return all branches and tags."""
        return (self._answer("for-each-ref", "--format=%(refname:short)") or "").split("\n")

    def newest_names(self, limit: int) -> list[str]:
        """Return branches and tags, the newest first; names that are not Unicode are left out."""
        listed = self._answer(
            "for-each-ref",
            f"--count={limit}",
            "--sort=-creatordate",
            "--format=%(refname:short)",
            "refs/heads",
            "refs/tags",
        )
        return [name for name in (listed or "").split("\n") if name and name.isprintable()]

    def is_shallow(self) -> bool:
        """Whether the clone has only the latest revisions."""
        return self._answer("rev-parse", "--is-shallow-repository") == "true"

    def is_partial(self) -> bool:
        """Whether the clone was made without all files of older revisions."""
        keys = r"^(extensions\.partialclone|remote\..*\.promisor)$"
        return self._answer("config", "--get-regexp", keys) is not None

    def copy(self, commit: str, folder: str, target: Path) -> bool:
        """Copy a folder of a commit to a new folder; False if there was no such folder.

        Links are made last, so that no file is written through one, and only if they lead to a place inside.
        Names that lead out of the folder and submodules are left out. Raises ``GitError`` if objects are
        missing or there is too much to copy.
        """
        tree = self._answer("rev-parse", "--verify", "--quiet", f"{commit}:{folder}")
        if tree is None:
            if self.is_partial():
                raise GitError(_PARTIAL)
            return False
        entries = [entry for entry in self._entries(tree) if _is_plain(entry.name)]
        sizes = self._sizes([entry.object for entry in entries], target.parent)
        if sum(min(sizes[entry.object], _MAX_FILE_BYTES) for entry in entries) > _MAX_BYTES:
            raise GitError(f"The folder holds more than {_MAX_BYTES // 1_000_000} MB in that revision.")
        target.mkdir()
        for entry in entries:
            if sizes[entry.object] > _MAX_FILE_BYTES:
                with suppress(*_CLASH), _new_file(target / entry.name) as file:
                    file.truncate(sizes[entry.object])
        links: list[tuple[str, str]] = []
        small_entries = [entry for entry in entries if sizes[entry.object] <= _MAX_FILE_BYTES]
        for entry, content in self._contents(small_entries, target.parent):
            if entry.mode == _LINK:
                links.append((entry.name, os.fsdecode(content[:_MAX_LINK_BYTES])))
            else:
                with suppress(*_CLASH), _new_file(target / entry.name) as file:
                    file.write(content)
        for name, link_target in links:
            _make_link(target, name, link_target)
        return True

    def _entries(self, tree: str) -> Iterator[_Entry]:
        """Yield the files and links of a tree.

        They are counted while git lists them: a small tree can name a subtree any number of times.
        """
        with self._started("ls-tree", "-r", "-z", "--full-tree", tree) as listing:
            partial_line, count = b"", 0
            while chunk := listing.stdout.read(1 << 16) if listing.stdout else b"":
                *lines, partial_line = (partial_line + chunk).split(b"\0")
                count += len(lines)
                if count > _MAX_FILES:
                    listing.kill()
                    raise GitError(f"The folder holds more than {_MAX_FILES:,} files in that revision.")
                for line in lines:
                    metadata, _, name = line.partition(b"\t")
                    mode, _, object_id = metadata.decode().split(" ")
                    if mode in _FILES or mode == _LINK:
                        yield _Entry(mode, object_id, os.fsdecode(name))
        if listing.returncode:
            raise self._incomplete()

    def _sizes(self, objects: list[str], temporary: Path) -> dict[str, int]:
        """Return the size of each object in bytes."""
        sizes: dict[str, int] = {}
        with self._batch("--batch-check", objects, temporary) as lines:
            for line in lines:
                object_id, kind, *sizes_of_object = line.decode().split()
                if kind != "blob":  # a missing object has no size
                    raise self._incomplete()
                (size,) = sizes_of_object
                sizes[object_id] = int(size)
        if len(sizes) < len(set(objects)):
            raise self._incomplete()
        return sizes

    def _contents(self, entries: list[_Entry], temporary: Path) -> Iterator[tuple[_Entry, bytes]]:
        """Yield each file of a commit with its content. Raises ``GitError`` if git breaks off."""
        with self._batch("--batch", [entry.object for entry in entries], temporary) as output:
            for entry in entries:
                header = output.readline().split()
                if len(header) != len(("object", "kind", "size")):
                    raise self._incomplete()
                _, _, size = header
                content_and_line_end = output.read(int(size) + 1)
                yield entry, content_and_line_end[:-1]

    @contextmanager
    def _batch(self, option: str, objects: list[str], temporary: Path) -> Iterator[IO[bytes]]:
        """Yield the output of ``cat-file`` for objects.

        Their names are in a file, not a pipe: git stops reading a pipe until its output is read, and both
        sides would wait for each other.
        """
        object_list = temporary / "objects"
        object_list.write_text("".join(f"{name}\n" for name in objects), encoding="ascii")
        with (
            object_list.open("rb") as request_file,
            self._started("cat-file", option, stdin=request_file) as process,
        ):
            assert process.stdout is not None
            try:
                yield process.stdout
            except BaseException:
                process.kill()  # it would wait for ever for a reader of the rest
                raise

    def _incomplete(self) -> GitError:
        if self.is_partial():
            return GitError(_PARTIAL)
        return GitError("git cannot read all files of that revision; `git fsck` shows what is wrong.")

    def _answer(self, *arguments: str) -> str | None:
        """Return what git prints, without the last line end; None if it fails."""
        finished = subprocess.run(
            self._command(arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=_environment(),
            check=False,
        )
        return os.fsdecode(finished.stdout).rstrip("\n") if finished.returncode == 0 else None

    def _started(self, *arguments: str, stdin: IO[bytes] | None = None) -> subprocess.Popen[bytes]:
        """Start git, whose output can be read while it runs."""
        return subprocess.Popen(
            self._command(arguments),
            stdin=stdin or subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=_environment(),
        )

    def _command(self, arguments: tuple[str, ...]) -> list[str]:
        settings = [word for setting in _SETTINGS for word in ("-c", setting)]
        return [self.program, "--no-pager", "-C", str(self.top), *settings, *arguments]


_FILES = ("100644", "100664", "100755")
_LINK = "120000"
_CLASH = (FileExistsError, NotADirectoryError)
"""Errors of two entries with one name, which only a crafted tree has: the first one counts."""

_PARTIAL = (
    "This clone is partial, and git has not fetched the files of that revision; nothing is fetched here. "
    "`git fetch --refetch --no-filter` gets them."
)


def find_repository(project: Path) -> Repository | None:
    """Return the repository of a project: the nearest folder at or above it that holds a ``.git``.

    Raises ``GitError`` if git is not installed, does not read it, or must not.
    """
    top = checkout_around(Path(os.path.realpath(project)))
    if top is None:
        return None
    program = shutil.which("git")
    if program is None or not os.path.isabs(program):  # a `git` in the current folder may be a stranger's
        raise GitError("git, which could read a revision of that name, is not installed.")
    data_folder = _data_folder(top)
    repository = Repository(top, program)
    git_folder = repository._answer("rev-parse", "--absolute-git-dir")
    if git_folder is None or os.path.realpath(git_folder) != os.path.realpath(data_folder):
        raise GitError(
            f"git does not read the repository in {top}. If it belongs to another user and you trust it: "
            f"git config --global --add safe.directory {top}"
        )
    return repository


_MAX_REVISIONS = 200


def revisions(project: Path) -> list[str]:
    """Return the revisions to compare a project with: ``HEAD``, then branches and tags, the newest first.

    Empty without a readable repository.
    """
    repository = _readable_repository(project)
    if repository is None or repository.commit("HEAD") is None:
        return []
    return ["HEAD", *repository.newest_names(_MAX_REVISIONS)]


def commit_of(project: Path, revision: str) -> str | None:
    """Return the commit that a revision of a project's repository names; None if there is none."""
    repository = _readable_repository(project)
    return repository.commit(revision) if repository is not None else None


def _readable_repository(project: Path) -> Repository | None:
    """Return the repository of a project; None without one, or with one that must not be read."""
    try:
        return find_repository(project)
    except (GitError, OSError):
        return None


def _data_folder(top: Path) -> str:
    """Return where the data of a repository is: ``.git``, or what it points to in a worktree or submodule.

    Raises ``GitError`` if it points into the checkout, whose files may be a stranger's, unless that is below
    a ``.git``: git never checks out files there.
    """
    dot_git = top / ".git"
    if dot_git.is_file():
        text = dot_git.read_bytes()[:_MAX_LINK_BYTES].decode("utf-8", "replace")
        target_path = text.removeprefix("gitdir:").strip()
        if "\0" in target_path:
            raise GitError(f"{dot_git} does not say where the repository is.")
        data_folder = os.path.realpath(top / target_path)
    else:
        data_folder = os.path.realpath(dot_git)
    for folder in (top, *top.parents):
        is_within = is_below(data_folder, folder) and os.path.lexists(folder / ".git")
        if is_within and ".git" not in os.path.relpath(data_folder, folder).split(os.sep):
            raise GitError(f"{dot_git} points to a repository inside of the checkout, which is not used.")
    return data_folder


def _environment() -> dict[str, str]:
    """Return the user's environment, without the variables that would lead git to another repository."""
    user_variables = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("GIT_") or name.startswith("GIT_CONFIG")
    }
    return user_variables | _ENVIRONMENT


def _new_file(path: Path) -> IO[bytes]:
    """Create a file that must not exist yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("xb")


def _make_link(folder: Path, name: str, link_target: str) -> None:
    """Make a link, unless it would lead out of the folder."""
    resolved_target = posixpath.normpath(PurePosixPath(name).parent / link_target)
    first_folder, _, _ = resolved_target.partition("/")
    if not posixpath.isabs(resolved_target) and first_folder != "..":
        with suppress(OSError, ValueError):  # not every system has links
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).symlink_to(link_target)


def _is_plain(name: str) -> bool:
    """Whether a path stays below its folder, and does not lead into a repository's own data."""
    components = name.split("/")
    if len(components) > _MAX_DEPTH or "\0" in name:
        return False
    if os.name == "nt" and any(character in name for character in "\\:"):
        return False
    return not any(component in ("", ".", "..") or component.lower() == ".git" for component in components)
