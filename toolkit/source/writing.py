"""Output files that are whole or not there at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file under a temporary name in the same folder, then rename it.

    An interrupted run leaves the old file whole. Raises ``OSError`` when the folder cannot be written.
    """
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, _usual_mode(path))
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


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
