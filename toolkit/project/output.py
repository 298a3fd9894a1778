"""What commands write: changes of sources and new files, each whole or not at all."""

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
from toolkit.source.writing import refused_link, stage, unwritable, write_atomically

if TYPE_CHECKING:
    from toolkit.render.sheet import Failure

_LINES = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_BOM = "\ufeff"


class Change(Struct, frozen=True):
    """A file as it was read, and the text that it is to hold."""

    file: SourceFile
    after: str


def difference(change: Change) -> str:
    """A change as a unified difference, which ``patch -p0`` and ``git apply -p0`` read."""
    before, after = _LINES.findall(change.file.text), _LINES.findall(change.after)
    lines = unified_diff(before, after, change.file.name, change.file.name)
    return "".join(_with_newline_notes(lines))


def _with_newline_notes(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line
        if not line.endswith("\n"):  # a line that ends with a lone CR is no line to `patch` either
            yield "\n\\ No newline at end of file\n"


def save(change: Change) -> str | None:
    """Write a change; a sentence that says why if it cannot be, and then nothing was written.

    A byte order mark and the file's mode stay; of a link the file is written that it leads to. A file that
    is not any more what was read is skipped, and so is one that may not be written.
    """
    return next(iter(save_all((change,))), None)


def save_all(changes: Iterable[Change], new: Mapping[Path, bytes] = {}) -> list[str]:
    """Write changes and new files, all of them or none; sentences that say why if they cannot be.

    The change of a file that was empty, or was not there, may make it. All are written under temporary
    names before the first is replaced, and what was replaced is put back if another one cannot be.
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
    """The new content of a file; a sentence if it cannot be changed, or not from what it is now."""
    name, path = change.file.name, change.file.path.resolve()
    if not change.file.text and not os.path.lexists(path):
        return change.after.encode()
    try:
        now = path.read_bytes()
        if not (os.access(path, os.W_OK) and path.stat().st_mode & stat.S_IWUSR):
            return f"{name} is read-only; it was not changed."
    except OSError as error:
        return _not_written(name, error)
    mark = _BOM if now.startswith(_BOM.encode()) else ""
    if now != (mark + change.file.text).encode():
        return f"{name} has changed in the meantime; it was not changed."
    return (mark + change.after).encode()


def _write_all(planned: Iterable[tuple[str, Path, bytes]]) -> list[str]:
    staged: list[tuple[str, str, Path]] = []
    replaced: list[tuple[Path, bytes | None]] = []
    at = ""
    try:
        for name, path, content in planned:
            at = name
            path.parent.mkdir(parents=True, exist_ok=True)
            staged.append((name, *stage(path, content)))
        for name, temporary, path in staged:
            at = name
            before = path.read_bytes() if path.exists() else None
            os.replace(temporary, path)
            replaced.append((path, before))
    except BaseException as error:
        with suppress(OSError):
            for path, before in replaced:
                path.unlink() if before is None else write_atomically(path, before)
        for _, temporary, _ in staged:
            with suppress(OSError):
                os.unlink(temporary)
        if isinstance(error, OSError):
            return [_not_written(at, error)]
        raise
    return []


def _not_written(name: str, error: OSError) -> str:
    return f"{name} cannot be written: {error.strerror or error}."


class Refusal(Struct, frozen=True):
    """Why a request cannot be fulfilled: it is wrong, files cannot be written, or opforge itself failed."""

    message: str
    cause: Literal["request", "files", "opforge"] = "request"


def failure_refusal(failure: Failure) -> Refusal:
    """The refusal for an engine that is missing or failed, or for a request that cannot be printed."""
    return Refusal(
        f"{failure.message} {failure.next_step}", "request" if failure.invalid_request else "opforge"
    )


class Outcome(Struct, frozen=True):
    """What was written, in a sentence and as ``data`` for programs, and what was found."""

    sentence: str
    report: Report
    data: dict[str, Any] = {}

    def as_json(self) -> str:
        """Return the data as JSON, version 1; findings go elsewhere."""
        return json_text({"version": 1, **self.data})


def refused_pdf(output: Path) -> str | None:
    """Return why a PDF must not or cannot be written there, if so: nothing but a PDF is ever replaced."""

    def is_pdf(path: Path) -> bool:
        with path.open("rb") as file:
            return file.read(5) in (b"", b"%PDF-")

    return _refused_file(output, ".pdf", is_pdf, "is not a PDF")


def refused_picture(output: Path) -> str | None:
    """Return why a PNG must not or cannot be written there, if so: only one that opforge made is replaced."""
    from toolkit.render.page_raster import is_our_png

    return _refused_file(output, ".png", is_our_png, "was not made by opforge")


def _refused_file(
    output: Path, suffix: str, may_be_replaced: Callable[[Path], bool], else_it: str
) -> str | None:
    if output.suffix.lower() != suffix:
        return f"{output} must end in {suffix}."
    if not output.parent.is_dir():
        return f"There is no folder {output.parent}."
    refused = refused_link(output)
    if refused or not output.exists():
        return refused
    if not output.is_file():
        return f"{output} is not a file."
    return None if may_be_replaced(output) else f"{output} exists and {else_it}; it was not changed."


def write_file(output: Path, content: bytes) -> Refusal | None:
    """Write a file whole, or not at all and say why."""
    try:
        write_atomically(output, content)
    except OSError as error:
        return Refusal(unwritable(output, error), "files")
    return None


def refused_folder(folder: Path, names: Iterable[str], is_ours: Callable[[Path], bool]) -> Refusal | None:
    """A refusal if it is a file, or if one of the files in it was not made by opforge."""
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
    except OSError as error:
        return cannot_write(folder, error)
    return None


def prepare_folder(folder: Path, names: Iterable[str], is_ours: Callable[[Path], bool]) -> Refusal | None:
    """Make the folder if need be; a refusal if one of the files was not made by opforge.

    Nothing is written before all of them are known to be free.
    """
    refused = refused_folder(folder, names, is_ours)
    if refused:
        return refused
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return cannot_write(folder, error)
    if not os.access(folder, os.W_OK):
        return Refusal(f"{folder} cannot be written: permission denied.", "files")
    return None


def link_in(folder: Path, name: str) -> Path | None:
    """The first part of a path in a folder that is a link."""
    parts = PurePosixPath(name).parts
    paths = (folder.joinpath(*parts[:number]) for number in range(1, len(parts) + 1))
    return next((path for path in paths if path.is_symlink()), None)


def remove_files(folder: Path, names: Iterable[str], is_ours: Callable[[Path], bool]) -> int:
    """Remove those of the files that opforge made, and folders that get empty; how many. Raises ``OSError``.

    Nothing is removed through a link.
    """
    ours = [name for name in names if link_in(folder, name) is None and (folder / name).is_file()]
    removed = [name for name in ours if is_ours(folder / name)]
    for name in removed:
        (folder / name).unlink()
    for above in sorted({above for name in removed for above in PurePosixPath(name).parents}, reverse=True):
        if above.parts and not any((folder / above).iterdir()):
            (folder / above).rmdir()
    return len(removed)


def cannot_write(path: Path, error: OSError) -> Refusal:
    """The refusal for a folder or file that cannot be written."""
    return Refusal(f"{path} cannot be written: {error.strerror or error}.", "files")


def unique_name(name: str, taken: set[str]) -> str:
    """The name, with a number where another file has it; it is added to ``taken``."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    taken.add(free)
    return free
