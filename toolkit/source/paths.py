"""Paths: made absolute in one way, judged whether they lie inside a folder, and read within bounds."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

PROJECT_FILE = "opforge.yaml"
_TREE_MARKS = (PROJECT_FILE, ".git")


def absolute(path: str | Path) -> Path:
    """The absolute path that the system would open: links resolved, without dots; it need not exist.

    Only a link at the end that leads out of its project or checkout stays what it is: whoever put it there
    must not choose what is read.
    """
    text = os.fspath(Path(path))  # one separator between names: realpath stumbles over more behind a loop
    if os.name == "posix" and text.startswith("//"):  # kept by pathlib, and the same as one
        text = text[1:]
    folder, name = os.path.split(text)
    if name in ("", os.curdir, os.pardir):
        return Path(_real(text))
    found = Path(_real(folder), name)
    if found.is_symlink():
        tree = tree_of(found.parent)
        if tree is None or inside(found, tree):
            return Path(_real(found))
    return found


def _real(path: str | Path) -> str:
    """A path with all links resolved: behind a link to itself ``realpath`` leaves the others as they are.

    Where everything exists once is enough, in half the time.
    """
    with suppress(OSError):
        return os.path.realpath(path, strict=True)
    return os.path.realpath(os.path.realpath(path))


def is_below(path: str | Path, folder: str | Path) -> bool:
    """Whether a path is a folder or lies below it, by the words of both."""
    return os.fspath(path) == os.fspath(folder) or os.fspath(path).startswith(os.path.join(folder, ""))


def inside(path: str | Path, *folders: str | Path) -> Path | None:
    """The file or folder that a path really leads to, all links resolved; None if that is not in each folder.

    Whatever is read of a project is judged by this. What does not exist is inside if it would be.
    """
    try:
        real = _real(path)
        return Path(real) if all(is_below(real, _real(folder)) for folder in folders) else None
    except (OSError, ValueError):  # a NUL in a name
        return None


def read_regular(path: str | Path, most: int) -> bytes:
    """The bytes of a regular file, at most ``most`` of them.

    Raises ``OSError`` for anything else, a device, a pipe, a larger file: nothing is waited for.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", os.fspath(path))
    with open(path, "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // 1_000_000} MB", os.fspath(path))
    return content


def tree_of(folder: Path) -> Path | None:
    """The project or checkout that a folder belongs to: the nearest at or above it that is marked as one."""
    for candidate in (folder, *folder.parents):
        if any(os.path.lexists(candidate / mark) for mark in _TREE_MARKS):
            return candidate
    return None
