"""Paths: resolved in one way, tested for being inside a folder, and read up to a limit."""

from __future__ import annotations

import errno
import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from unicodedata import normalize

PROJECT_FILE = "opforge.yaml"
YAML_ENDINGS = (".yaml", ".yml")
_ROOT_MARKS = (PROJECT_FILE, ".git")


def absolute(path: str | Path) -> Path:
    """Return the absolute path that the system would open, links resolved; it need not exist.

    A final link that leads out of its project or checkout is not resolved: whoever committed it must not
    decide which file is read.
    """
    # Path() collapses repeated separators: behind a link loop realpath does not
    text = os.fspath(Path(path))
    if os.name == "posix" and text.startswith("//"):  # pathlib keeps two leading slashes; Linux does not
        text = text[1:]
    folder, name = os.path.split(text)
    if name in ("", os.curdir, os.pardir):  # a folder, whose own links are all resolved
        return Path(_real(text))
    entry_path = Path(_real(folder), name)
    if entry_path.is_symlink():
        root = enclosing_root(entry_path.parent)
        if root is None or inside(entry_path, root):
            return Path(_real(entry_path))
    return entry_path


def _real(path: str | Path) -> str:
    """Return a path with all links resolved."""
    with suppress(OSError):
        return os.path.realpath(path, strict=True)
    # realpath stops resolving at a link to itself and appends the rest as it is: resolve that in a second
    # pass. A path that exists is done in the strict pass above, in half the time
    return os.path.realpath(os.path.realpath(path))


def is_yaml(name: str | Path) -> bool:
    """Whether a file is a YAML file, judging by its name; upper and lower case are the same."""
    return has_ending(name, YAML_ENDINGS)


def has_ending(name: str | Path, endings: tuple[str, ...]) -> bool:
    """Whether the name of a file ends in one of these, in upper or lower case."""
    text = os.fspath(name)
    return text.endswith(endings) or text.lower().endswith(endings)


def named_alike(path: str | Path) -> Path:
    """Return a path, or if there is none, that of an existing file whose name looks the same.

    An accented letter may be one character or two, and macOS writes two (NFD) into archives and file systems.
    """
    path = Path(path)
    if os.fspath(path).isascii() or os.path.lexists(path):
        return path
    folder = Path(path.anchor or os.curdir)
    names = path.parts[1:] if path.anchor else path.parts
    for depth, name in enumerate(names):
        if not os.path.lexists(folder / name):
            normalized = normalize("NFC", name)
            try:
                same_names = [entry for entry in os.listdir(folder) if normalize("NFC", entry) == normalized]
            except OSError:
                same_names = []
            if not same_names:
                return folder.joinpath(*names[depth:])
            name = min(same_names)
        folder /= name
    return folder


def is_below(path: str | Path, folder: str | Path) -> bool:
    """Whether a path is ``folder`` or below it, comparing the strings only: no links are resolved."""
    return os.fspath(path) == os.fspath(folder) or os.fspath(path).startswith(os.path.join(folder, ""))


def inside(path: str | Path, *folders: str | Path) -> Path | None:
    """Return a path with all links resolved, or None if it then lies outside one of the folders.

    This guards everything that is read from a project. The path need not exist.
    """
    try:
        real = _real(named_alike(path))
        return Path(real) if all(_lies_in(real, folder) for folder in folders) else None
    except (OSError, ValueError):  # a NUL in a name
        return None


def _lies_in(real: str, folder: str | Path) -> bool:
    """Whether a resolved path lies in a folder, which is resolved only if need be.

    What a resolved path begins with is resolved itself.
    """
    return is_below(real, Path(folder)) or is_below(real, _real(folder))


_IN_NO_FILE_NAME = re.compile(r"[\x00-\x1f\x7f<>:\"/\\|?*]")
"""What would make a path, a drive or a stream of a name on some system, or what Windows has in no name."""


def below(folder: Path, name: str) -> Path:
    """Return the path of a file below an output folder; ``name`` is its parts, joined with ``/``.

    All that is written into a folder or an archive is named through this: ids, languages, themes and sizes of
    a project become parts of names, and may be a stranger's. Raises ``OSError`` for a name that would lead
    out of the folder on any system.
    """
    for name_part in name.split("/"):
        # Windows drops blanks and dots at the end of a name, so it would be that of another file
        ends_badly = name_part != name_part.rstrip(" .")
        begins_badly = not name_part or name_part.startswith(".")
        if begins_badly or ends_badly or _IN_NO_FILE_NAME.search(name_part):
            raise OSError(errno.EINVAL, f"{name_part!r} cannot be part of a file name", os.fspath(folder))
    return folder.joinpath(*name.split("/"))


def read_regular(path: str | Path, max_bytes: int) -> bytes:
    """Return the bytes of a regular file of at most ``max_bytes`` bytes.

    Raises ``OSError`` for a larger file, and for a device or pipe, which could block or never end.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", os.fspath(path))
    with open(path, "rb") as file:
        content = file.read(max_bytes + 1)
    if len(content) > max_bytes:
        raise OSError(errno.EFBIG, f"it is larger than {max_bytes // 1_000_000} MB", os.fspath(path))
    return content


Stamp = tuple[int, int, int, int]
"""What shows that a file has changed: time of modification, size, time of any change, and inode.

The third cannot be set, so a change is seen even if somebody restored size and time (on Windows it is
the time of creation).
"""


NO_STAMP: Stamp = (0, 0, 0, 0)
"""Of a file that is not there."""


def file_stamp(path: str | Path) -> Stamp:
    """Return the stamp of a file; ``NO_STAMP`` if there is none."""
    try:
        return stamp_of(os.stat(path))
    except (OSError, ValueError):
        return NO_STAMP


def stamp_of(status: os.stat_result) -> Stamp:
    """Return the stamp of a file whose status is known. Times are in nanoseconds."""
    return status.st_mtime_ns, status.st_size, status.st_ctime_ns, status.st_ino


def enclosing_root(folder: Path) -> Path | None:
    """Return the project or checkout around a folder: the nearest at or above it, None if there is none."""
    for candidate in (folder, *folder.parents):
        if any(os.path.lexists(candidate / mark) for mark in _ROOT_MARKS):
            return candidate
    return None


def checkout_around(folder: Path) -> Path | None:
    """Return the nearest folder at or above one that holds a ``.git``, None if there is none."""
    for candidate in (folder, *folder.parents):
        if os.path.lexists(candidate / ".git"):
            return candidate
    return None
