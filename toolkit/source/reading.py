"""From bytes on disk to a SourceFile, or to a problem that says why not.

UTF-8 only, with or without a byte order mark, which is taken off. Line ends stay as they are.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from msgspec import Struct

try:  # the same hash without the load of OpenSSL that hashlib brings along, as in the library's own random
    from _blake2 import blake2b as blake2b
except ImportError:  # another Python
    from hashlib import blake2b as blake2b

from toolkit.source.files import SourceFile, Span

LARGEST_FILE = 2_000_000
"""The most bytes that one file may have: hand-written files are far below, and hostile ones stop here."""

FORBIDDEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]"
"""Characters that no card file and no text in it may hold: control characters, halves of pairs, a BOM.

All of them are characters that Python does not call printable, which is asked sooner.
"""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class ReadProblem(Struct, frozen=True):
    """Why a file cannot be used, with the place; ``name`` is the name of the finding it becomes."""

    name: str
    message: str
    next_step: str
    span: Span


def read_file(path: Path, base: Path | None = None) -> SourceFile | ReadProblem:
    """Read one file; never raises for what the file is or holds. ``base`` is as for ``shown_name``."""
    name = shown_name(path, base)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            return _problem(
                path, name, "unreadable-file", f"{name} is not a file.", "Remove it or rename it."
            )
        if status.st_size > LARGEST_FILE:
            return _too_large(path, name)
        with path.open("rb") as opened:
            data = opened.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name cannot be used"
        return _problem(
            path,
            name,
            "unreadable-file",
            f"{name} cannot be read: {reason[0].lower()}{reason[1:]}.",
            "Check that the file exists and that you have permission to read it.",
        )
    return content(data, path, name)


def content(data: bytes, path: Path, name: str) -> SourceFile | ReadProblem:
    """The text of a file whose bytes are at hand, or the first place where they are no text."""
    if len(data) > LARGEST_FILE:
        return _too_large(path, name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _wrong_encoding(data, error, path, name)
    file = SourceFile(path, name, text.removeprefix("\ufeff"))
    return text_problem(file) or file


def text_problem(file: SourceFile) -> ReadProblem | None:
    """The first character that no text file should hold: NUL and other control characters, a second BOM."""
    if file.text.replace("\n", "").isprintable():
        return None
    found = re.search(FORBIDDEN, file.text)
    if not found:
        return None
    code = ord(found[0])
    if code == 0 and len(file.text) > 3 and file.text.count("\0") * 3 > len(file.text):
        return _utf_16(file.path, file.name, file.text)
    return ReadProblem(
        "control-character",
        f"There is an invisible control character (U+{code:04X}) here.",
        "Delete the character and type the place again.",
        file.span(found.start(), found.end()),
    )


def too_large(text: str, path: Path, name: str) -> ReadProblem | None:
    """The problem of a text at hand that would make too large a file, by the bytes it would have there."""
    if len(text) <= LARGEST_FILE // 4 or len(text.encode("utf-8", "surrogatepass")) <= LARGEST_FILE:
        return None
    return _too_large(path, name)


def shown_name(path: Path, base: Path | None = None) -> str:
    """How a file is called in messages: relative to ``base`` (the current folder), with forward slashes."""
    try:
        name = os.path.relpath(path, base)
    except (ValueError, OSError):
        name = str(path)
    # a name may hold bytes that are no text, or line ends, and neither may break a report
    name = name.replace(os.sep, "/").encode("utf-8", "replace").decode()
    return "".join(sign if sign.isprintable() else "?" for sign in name)


def _wrong_encoding(data: bytes, error: UnicodeDecodeError, path: Path, name: str) -> ReadProblem:
    if data.startswith(_UTF_16):
        return _utf_16(path, name, data.decode("utf-16", "replace"))
    start = len(data[: error.start].decode("utf-8").removeprefix("\ufeff"))
    file = SourceFile(path, name, data.decode("utf-8", "replace").removeprefix("\ufeff"))
    return ReadProblem(
        "wrong-encoding",
        f"The byte 0x{data[error.start]:02X} here is not UTF-8; the file was saved in another encoding.",
        "Save the file as UTF-8 in your editor, then check umlauts and other special letters.",
        file.span(start, min(start + 1, len(file.text))),
    )


def _utf_16(path: Path, name: str, text: str) -> ReadProblem:
    file = SourceFile(path, name, text.replace("\0", ""))
    return ReadProblem(
        "wrong-encoding",
        "The file was saved as UTF-16; card files are UTF-8.",
        "Save the file as UTF-8 in your editor.",
        file.span(0, min(1, len(file.text))),
    )


def _too_large(path: Path, name: str) -> ReadProblem:
    return _problem(
        path,
        name,
        "file-too-large",
        f"{name} is larger than {LARGEST_FILE // 1_000_000} MB.",
        "Split it into several files; all YAML files of the project are read.",
    )


def _problem(path: Path, name: str, finding: str, message: str, next_step: str) -> ReadProblem:
    """A problem of the file as a whole, at its beginning."""
    return ReadProblem(finding, message, next_step, SourceFile(path, name, "").span(0, 0))
