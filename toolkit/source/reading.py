"""Reading a file into a SourceFile, or a ReadProblem that says why it cannot be used.

Files are UTF-8, with or without a byte order mark, which is removed. Line ends are kept.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from msgspec import Struct

try:  # hashlib loads OpenSSL; the standard library's own `random` avoids it in the same way
    from _blake2 import blake2b as blake2b
except ImportError:  # not CPython
    from hashlib import blake2b as blake2b

from toolkit.source.files import SourceFile, Span

LARGEST_FILE = 2_000_000
"""Limit of the size of a file in bytes, far above what is written by hand."""

FORBIDDEN = "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]"
"""Characters that no card file and no text in it may contain: control characters, lone surrogates, a BOM.

None of them is printable to Python, so ``str.isprintable`` is a fast test that there is none.
"""
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


class ReadProblem(Struct, frozen=True):
    """Why and where a file cannot be used; ``name`` is that of the finding to report."""

    name: str
    message: str
    next_step: str
    span: Span


def read_file(path: Path, base: Path | None = None) -> SourceFile | ReadProblem:
    """Read one file. Never raises for what the file is or contains. ``base`` is as for ``shown_name``."""
    name = shown_name(path, base)
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            message = f"{name} is not a file."
            return _problem(path, name, "unreadable-file", message, "Remove it or rename it.")
        if status.st_size > LARGEST_FILE:
            return _too_large(path, name)
        with path.open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name cannot be used"
        return _problem(
            path,
            name,
            "unreadable-file",
            f"{name} cannot be read: {reason[0].lower()}{reason[1:]}.",
            "Check that the file exists and that you have permission to read it.",
        )
    return decode_source(content, path, name)


def decode_source(content: bytes, path: Path, name: str) -> SourceFile | ReadProblem:
    """Return the file with these bytes, or the first problem in them."""
    if len(content) > LARGEST_FILE:
        return _too_large(path, name)
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        return _wrong_encoding(content, error, path, name)
    file = SourceFile(path, name, text.removeprefix("\ufeff"))
    return text_problem(file) or file


def text_problem(file: SourceFile) -> ReadProblem | None:
    """Return the problem of the first ``FORBIDDEN`` character, if there is one."""
    if file.text.replace("\n", "").isprintable():
        return None
    match = re.search(FORBIDDEN, file.text)
    if not match:
        return None
    code = ord(match[0])
    # UTF-16 without a byte order mark: every second byte of its ASCII characters is NUL
    if code == 0 and len(file.text) > 3 and file.text.count("\0") * 3 > len(file.text):
        return _utf_16(file.path, file.name, file.text)
    return ReadProblem(
        "control-character",
        f"There is an invisible control character (U+{code:04X}) here.",
        "Delete the character and type the place again.",
        file.span(match.start(), match.end()),
    )


def size_problem(text: str, path: Path, name: str) -> ReadProblem | None:
    """Return the problem of a text whose file would be too large, if it would be."""
    # at most 4 bytes a character: most texts need not be encoded to be measured
    if len(text) <= LARGEST_FILE // 4 or len(text.encode("utf-8", "surrogatepass")) <= LARGEST_FILE:
        return None
    return _too_large(path, name)


def shown_name(path: Path, base: Path | None = None) -> str:
    """Return a file's name in messages: relative to ``base`` (the current folder), with forward slashes."""
    try:
        name = os.path.relpath(path, base)
    except (ValueError, OSError):
        name = str(path)
    # a file name may contain undecodable bytes or line ends, and must not break a report
    name = name.replace(os.sep, "/").encode("utf-8", "replace").decode()
    return "".join(char if char.isprintable() else "?" for char in name)


def _wrong_encoding(content: bytes, error: UnicodeDecodeError, path: Path, name: str) -> ReadProblem:
    """Return the problem at the first byte that is not UTF-8."""
    if content.startswith(_UTF_16):
        return _utf_16(path, name, content.decode("utf-16", "replace"))
    start = len(content[: error.start].decode("utf-8").removeprefix("\ufeff"))
    file = SourceFile(path, name, content.decode("utf-8", "replace").removeprefix("\ufeff"))
    return ReadProblem(
        "wrong-encoding",
        f"The byte 0x{content[error.start]:02X} here is not UTF-8; the file was saved in another encoding.",
        "Save the file as UTF-8 in your editor, then check umlauts and other special letters.",
        file.span(start, min(start + 1, len(file.text))),
    )


def _utf_16(path: Path, name: str, text: str) -> ReadProblem:
    """Return the problem of a file in UTF-16; its ``text`` may have zero bytes."""
    file = SourceFile(path, name, text.replace("\0", ""))
    return ReadProblem(
        "wrong-encoding",
        "The file was saved as UTF-16; card files are UTF-8.",
        "Save the file as UTF-8 in your editor.",
        file.span(0, min(1, len(file.text))),
    )


def _too_large(path: Path, name: str) -> ReadProblem:
    """Return the problem of a file above the limit."""
    return _problem(
        path,
        name,
        "file-too-large",
        f"{name} is larger than {LARGEST_FILE // 1_000_000} MB.",
        "Split it into several files; all YAML files of the project are read.",
    )


def _problem(path: Path, name: str, finding: str, message: str, next_step: str) -> ReadProblem:
    """Return a problem of the file as a whole, located at its beginning."""
    return ReadProblem(finding, message, next_step, SourceFile(path, name, "").span(0, 0))
