"""Changes of files: what they are as a difference, and how they are written so that nothing gets lost."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from difflib import unified_diff

from msgspec import Struct

from toolkit.source import SourceFile

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_MARK = "\ufeff"


class Change(Struct, frozen=True):
    """A file as it was read, and the text that it is to hold."""

    file: SourceFile
    after: str


def difference(change: Change) -> str:
    """A change as a unified difference, which ``patch -p0`` and ``git apply -p0`` read."""
    before, after = _LINES.findall(change.file.text), _LINES.findall(change.after)
    lines = unified_diff(before, after, change.file.name, change.file.name)
    return "".join(_shown(lines))


def _shown(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if not line.endswith("\n"):  # a line that ends with a lone CR is no line to `patch` either
            yield "\n\\ No newline at end of file\n"


def save(change: Change) -> str | None:
    """Write a change; a sentence that says why if it cannot be, and then nothing was written.

    A byte order mark and the file's mode stay; of a link the file is written that it leads to. A file that
    is not any more what was read is skipped, and so is one that may not be written.
    """
    from toolkit.source.writing import write_atomically

    name = change.file.name
    path = change.file.path.resolve()
    try:
        now = path.read_bytes()
        if not (os.access(path, os.W_OK) and path.stat().st_mode & stat.S_IWUSR):
            return f"{name} is read-only; it was not changed."
        mark = _MARK if now.startswith(_MARK.encode()) else ""
        if now != (mark + change.file.text).encode():
            return f"{name} has changed in the meantime; it was not changed."
        write_atomically(path, (mark + change.after).encode())
    except OSError as error:
        return f"{name} cannot be written: {error.strerror or error}."
    return None
