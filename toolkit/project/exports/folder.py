"""The folder that pictures are written to: nothing in it is replaced but what was written there before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

from toolkit.project.exports.choice import Refusal
from toolkit.source.writing import refused_link


def ready_folder(folder: Path, names: Iterable[str], is_ours: Callable[[Path], bool]) -> Refusal | None:
    """Make the folder if need be; a refusal if one of the files to be written is somebody else's.

    Nothing is written before all of them are known to be free.
    """
    try:
        if folder.exists() and not folder.is_dir():
            return Refusal(f"{folder} is a file; -o needs a folder.")
        for name in names:
            file = folder / name
            refused = refused_link(file)
            if refused:
                return Refusal(refused)
            if os.path.lexists(file) and not (file.is_file() and is_ours(file)):
                return Refusal(f"{file} exists and was not made by opforge; nothing was written.")
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            (folder / name).parent.mkdir(exist_ok=True)
    except OSError as error:
        return cannot_write(folder, error)
    if not os.access(folder, os.W_OK):
        return Refusal(f"{folder} cannot be written: permission denied.", broken=True)
    return None


def cannot_write(path: Path, error: OSError) -> Refusal:
    """The refusal for a folder or file that cannot be written."""
    return Refusal(f"{path} cannot be written: {error.strerror or error}.", broken=True)


def free_name(name: str, taken: set[str]) -> str:
    """The name, with a number where another file has it; it is taken from now on."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free
