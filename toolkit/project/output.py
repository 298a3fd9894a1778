"""Writing the output of commands: changes of sources and new files, each whole or not at all.

What reads a picture is imported only where one would be replaced: it takes 22 ms.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from difflib import unified_diff
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.report import Report
from toolkit.source import SourceFile
from toolkit.source.paths import below
from toolkit.source.short_repr import PublicValue
from toolkit.source.writing import refused_link, stage, write_atomically, write_failure

if TYPE_CHECKING:
    from toolkit.press.sheet import Failure

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BOM = "\ufeff"


class Change(PublicValue, Struct, frozen=True):
    """A file as it was read, and its new text."""

    file: SourceFile
    after: str


def difference(change: Change) -> str:
    """Return a change as a unified diff, for ``patch -p0`` and ``git apply -p0``."""
    lines_before, lines_after = _LINES.findall(change.file.text), _LINES.findall(change.after)
    lines = unified_diff(lines_before, lines_after, change.file.name, change.file.name)
    return "".join(_with_newline_notes(lines))


def _with_newline_notes(lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines of a diff as `patch` reads them: also a last line that does not end."""
    for line in lines:
        yield line
        if not line.endswith("\n"):  # also after a lone CR, which does not end a line for `patch`
            yield "\n\\ No newline at end of file\n"


def save(change: Change) -> str | None:
    """Write a change, or return an error message and write nothing.

    A byte order mark and the file's mode are preserved; links are followed. Files that have changed since
    they were read, and read-only ones, are not written.
    """
    return next(iter(save_all((change,))), None)


def save_all(changes: Iterable[Change], new: Mapping[Path, bytes] = {}) -> list[str]:
    """Write all changes and new files, or return error messages and write none.

    The change of an empty text may create the file. All are written under temporary names before the first is
    replaced, and replaced files are restored if a later one cannot be.
    """
    problems: list[str] = []
    planned: list[tuple[str, Path, bytes]] = []
    for change in changes:
        content = _content_of(change)
        if isinstance(content, str):
            problems.append(content)
        else:
            planned.append((change.file.name, change.file.path.resolve(), content))
    for path, content in new.items():
        planned.append((str(path), path, content))
        if os.path.lexists(path):
            problems.append(f"{path} exists; it was not changed.")
    return problems or _write_all(planned)


def _content_of(change: Change) -> bytes | str:
    """Return the new content of a file, or an error message if it is read-only or has changed."""
    name, path = change.file.name, change.file.path.resolve()
    if not change.file.text and not os.path.lexists(path):
        return change.after.encode()
    try:
        current_bytes = path.read_bytes()
        if not (os.access(path, os.W_OK) and path.stat().st_mode & stat.S_IWUSR):
            return f"{name} is read-only; it was not changed."
    except OSError as error:
        return _not_written(name, error)
    byte_order_mark = _BOM if current_bytes.startswith(_BOM.encode()) else ""
    if current_bytes != (byte_order_mark + change.file.text).encode():
        return f"{name} has changed in the meantime; it was not changed."
    return (byte_order_mark + change.after).encode()


def _write_all(planned: Iterable[tuple[str, Path, bytes]]) -> list[str]:
    """Write files given by name, path and content, or none of them; return error messages."""
    staged_files: list[tuple[str, str, Path]] = []
    replaced_files: list[tuple[Path, bytes | None]] = []
    current_name = ""
    try:
        for name, path, content in planned:
            current_name = name
            path.parent.mkdir(parents=True, exist_ok=True)
            staged_files.append((name, *stage(path, content)))
        for name, temporary, path in staged_files:
            current_name = name
            content_before = path.read_bytes() if path.exists() else None
            os.replace(temporary, path)
            replaced_files.append((path, content_before))
    except BaseException as error:  # an interrupt, too, must not leave half of the changes
        with suppress(OSError):
            for path, content_before in replaced_files:
                path.unlink() if content_before is None else write_atomically(path, content_before)
        for _, temporary, _ in staged_files:
            with suppress(OSError):
                os.unlink(temporary)
        if isinstance(error, OSError):
            return [_not_written(current_name, error)]
        raise
    return []


def _not_written(name: str, error: OSError) -> str:
    return f"{name} cannot be written: {error.strerror or error}."


class Refusal(PublicValue, Struct, frozen=True):
    """Why nothing was written: the request is wrong, a file cannot be written, or opforge itself failed."""

    message: str
    cause: Literal["request", "files", "opforge"] = "request"


def failure_refusal(failure: Failure) -> Refusal:
    """The refusal for an engine that is missing or failed, or for a request that cannot be printed."""
    return Refusal(
        f"{failure.message} {failure.next_step}", "request" if failure.invalid_request else "opforge"
    )


class Outcome(PublicValue, Struct, frozen=True):
    """What was written, as a sentence and as JSON ``data``, and the findings."""

    sentence: str
    report: Report
    data: dict[str, Any] = {}

    def as_json(self) -> str:
        """Return the data as JSON, version 1, without findings."""
        return json_text({"version": 1, **self.data})


def refused_pdf(output: Path) -> str | None:
    """Return an error message if a PDF must not be written there: only PDFs are replaced."""

    def is_pdf(path: Path) -> bool:
        """Whether a file begins as a PDF does, or is empty: nothing is lost with that."""
        with path.open("rb") as file:
            return file.read(5) in (b"", b"%PDF-")

    return _refused_file(output, ".pdf", is_pdf, "is not a PDF")


def refused_picture(output: Path) -> str | None:
    """Return an error message if a PNG must not be written there: only those of opforge are replaced."""
    from toolkit.render.page_raster import is_our_png

    return _refused_file(output, ".png", is_our_png, "was not made by opforge")


def _refused_file(
    output: Path, suffix: str, may_be_replaced: Callable[[Path], bool], reason: str
) -> str | None:
    """Return why a file must not be written; ``reason`` says why one that exists is not replaced."""
    if output.suffix.lower() != suffix:
        return f"{output} must end in {suffix}."
    if not output.parent.is_dir():
        return f"There is no folder {output.parent}."
    refused = refused_link(output)
    if refused or not output.exists():
        return refused
    if not output.is_file():
        return f"{output} is not a file."
    return None if may_be_replaced(output) else f"{output} exists and {reason}; it was not changed."


def write_file(output: Path, content: bytes) -> Refusal | None:
    """Write a file whole, or return a refusal and write nothing."""
    try:
        write_atomically(output, content)
    except OSError as error:
        return Refusal(write_failure(output, error), "files")
    return None


def refused_folder(folder: Path, names: Iterable[str], is_ours: Callable[[Path], bool]) -> Refusal | None:
    """Return a refusal if the folder is a file, or if one of the files in it was not made by opforge."""
    try:
        if folder.exists() and not folder.is_dir():
            return Refusal(f"{folder} is a file; -o needs a folder.")
        for name in names:
            file = below(folder, name)
            refused = refused_link(file)
            if refused:
                return Refusal(refused)
            if os.path.lexists(file) and not (file.is_file() and is_ours(file)):
                return Refusal(f"{file} exists and was not made by opforge; nothing was written.")
    except OSError as error:
        return cannot_write(folder, error)
    return None


def prepare_folder(folder: Path, names: Iterable[str], is_ours: Callable[[Path], bool]) -> Refusal | None:
    """Create the folder if necessary, or return a refusal if one of the files was not made by opforge.

    To be called before the first file is written, so that a refusal leaves nothing behind.
    """
    refused = refused_folder(folder, names, is_ours)
    if refused:
        return refused
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            below(folder, name).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return cannot_write(folder, error)
    if not os.access(folder, os.W_OK):
        return Refusal(f"{folder} cannot be written: permission denied.", "files")
    return None


def link_in(folder: Path, name: str) -> Path | None:
    """Return the first link on the path of a file in a folder, if there is one."""
    parts = PurePosixPath(name).parts
    paths = (folder.joinpath(*parts[:number]) for number in range(1, len(parts) + 1))
    return next((path for path in paths if path.is_symlink()), None)


def remove_files(folder: Path, names: Iterable[str], is_ours: Callable[[Path], bool]) -> int:
    """Remove those files that opforge made, and folders that become empty; return how many files.

    Links are not followed. Raises ``OSError``.
    """
    ours = [name for name in names if link_in(folder, name) is None and (folder / name).is_file()]
    removed = [name for name in ours if is_ours(folder / name)]
    for name in removed:
        (folder / name).unlink()
    folders = {parent for name in removed for parent in PurePosixPath(name).parents}
    for parent in sorted(folders, reverse=True):
        if parent.parts and not any((folder / parent).iterdir()):
            (folder / parent).rmdir()
    return len(removed)


def cannot_write(path: Path, error: OSError) -> Refusal:
    """Return the refusal for a folder or file that cannot be written."""
    return Refusal(_not_written(str(path), error), "files")


def unique_name(name: str, taken_names: set[str]) -> str:
    """Return the name, with a number if it is already taken, and add it to ``taken_names``."""
    number, candidate = 1, name
    while candidate in taken_names:
        number += 1
        candidate = f"{name}-{number}"
    taken_names.add(candidate)
    return candidate
