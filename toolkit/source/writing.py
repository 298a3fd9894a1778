"""Output files that are whole or not there at all."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import suppress
from pathlib import Path

from toolkit.source.paths import inside, is_below, tree_of
from toolkit.source.reading import shown_name

_MOST_LINKS = 40


def refused_link(path: Path) -> str | None:
    """A sentence if a link that came with a project or checkout would decide where a file is written.

    In a project, in a checkout and below the current folder a link may not be replaced by an output, and a
    folder that is a link may not lead out. Links elsewhere are the user's own, and are followed.
    """
    here, *rest = Path(os.getcwd(), path).parts
    waiting, followed = rest[::-1], 0
    while waiting and followed < _MOST_LINKS:
        part = waiting.pop()
        at = Path(here, part)
        if part == os.pardir:
            here = os.path.dirname(here)
        elif not at.is_symlink():
            here = str(at)
        else:
            current = Path.cwd()
            tree = tree_of(Path(here)) or (current if is_below(here, current) else None)
            if tree is not None and not waiting:
                return f"{path} is a link, which is never written to; name the file itself."
            if tree is not None and inside(at, tree) is None:
                link = shown_name(at)
                return f"{path} would be written through the link {link}, which leads out of {tree}."
            target = Path(here, os.readlink(at)).parts
            here, waiting, followed = target[0], [*waiting, *target[:0:-1]], followed + 1
    return None


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file under a temporary name in the same folder, then rename it.

    An interrupted run leaves the old file whole; a link of the user's own stays, and what it leads to is
    written. Raises ``OSError`` when the folder cannot be written, or for a ``refused_link``.
    """
    temporary, path = stage(path, content)
    try:
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def stage(path: Path, content: bytes) -> tuple[str, Path]:
    """Write a file under a temporary name only; return that name and the path that it is to replace.

    Raises ``OSError`` as ``write_atomically`` does, and then leaves nothing behind.
    """
    refused = refused_link(path)
    if refused is not None:
        raise OSError(errno.EPERM, refused, os.fspath(path))
    path = Path(os.path.realpath(path))
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:  # which names the temporary file
        raise OSError(error.errno, error.strerror, os.fspath(path)) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, _usual_mode(path))
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    return temporary, path


def unwritable(path: Path, error: OSError) -> str:
    """A sentence for a file that could not be written; one that was there is as it was."""
    there = " The old file was not changed." if path.exists() else ""
    return f"{path} cannot be written: {error.strerror or error}.{there}"


def _usual_mode(path: Path) -> int:
    """The mode of the file that is replaced, else what an ordinary new file would have."""
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
