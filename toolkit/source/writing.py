"""Writing output files atomically, and never through links that came with a project."""

from __future__ import annotations

import errno
import os
import re
import tempfile
from contextlib import suppress
from pathlib import Path

from toolkit.source.paths import enclosing_root, inside, is_below
from toolkit.source.reading import shown_name

_TEMPORARY = re.compile(r"\.(?P<name>.+)\.[a-z0-9_]{8}\.part")
"""The names of temporary files, as ``stage`` and ``tempfile`` make them."""

_MAX_LINKS = 40
"""The limit of Linux for links in one path; with more, opening the path fails anyway."""


def refused_link(path: Path) -> str | None:
    """Return why a file must not be written if a link of a project or checkout would redirect it, else None.

    Within a project, a checkout and the current folder an output does not replace a link, and a folder that
    is a link must not lead out. Links elsewhere are the user's own and are followed.
    """
    # the path is resolved name by name, as the system does, because each link on the way must be judged
    current_folder, *path_parts = Path(os.getcwd(), path).parts
    remaining_parts, links_followed = path_parts[::-1], 0
    while remaining_parts and links_followed < _MAX_LINKS:
        path_part = remaining_parts.pop()
        current_path = Path(current_folder, path_part)
        if path_part == os.pardir:
            current_folder = os.path.dirname(current_folder)
        elif not current_path.is_symlink():
            current_folder = str(current_path)
        else:
            refusal = _refused_step(path, current_path, is_last=not remaining_parts)
            if refusal:
                return refusal
            current_folder, *parts_of_target = Path(current_folder, os.readlink(current_path)).parts
            remaining_parts += reversed(parts_of_target)
            links_followed += 1
    return None


def _refused_step(path: Path, link: Path, *, is_last: bool) -> str | None:
    """Return why a link on the way to ``path`` must not be followed, else None."""
    working_folder = Path.cwd()
    root = enclosing_root(link.parent)
    if root is None and is_below(link.parent, working_folder):
        root = working_folder
    if root is None:
        return None
    if is_last:
        return f"{path} is a link, which is never written to; name the file itself."
    if inside(link, root) is None:
        return f"{path} would be written through the link {shown_name(link)}, which leads out of {root}."
    return None


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file under a temporary name in the same folder, then rename it.

    An interrupted run leaves the old file whole. A link of the user's own is kept, and its target is written.
    Raises ``OSError`` if the folder cannot be written to, or for a ``refused_link``.
    """
    temporary, path = stage(path, content)
    try:
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise


def stage(path: Path, content: bytes) -> tuple[str, Path]:
    """Write a file under a temporary name only; return that name and the path to rename it to.

    Raises ``OSError`` as ``write_atomically`` does, and then leaves no file behind.
    """
    refused = refused_link(path)
    if refused is not None:
        raise OSError(errno.EPERM, refused, os.fspath(path))
    path = Path(os.path.realpath(path))
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent)
    except OSError as error:  # its message would name the temporary file
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


def leftovers(folder: Path) -> dict[Path, str]:
    """Return the temporary files that an interrupted run left in a folder, with the names they stand for."""
    matches = {path: _TEMPORARY.fullmatch(path.name) for path in folder.glob(".*.part")}
    return {path: match["name"] for path, match in matches.items() if match and not path.is_symlink()}


def write_failure(path: Path, error: OSError) -> str:
    """Return the sentence about a file that could not be written."""
    old_file_note = " The old file was not changed." if path.exists() else ""
    return f"{path} cannot be written: {error.strerror or error}.{old_file_note}"


def _usual_mode(path: Path) -> int:
    """Return the permissions of the file to replace, or else those of an ordinary new file.

    A file of ``mkstemp`` is readable by its owner only.
    """
    try:
        return path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)  # the mask can only be read by setting it
        os.umask(mask)
        return 0o666 & ~mask
