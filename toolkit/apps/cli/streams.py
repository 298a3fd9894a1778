"""The standard streams: what they are encoded with, and those that are closed or whose reader has gone.

People get text in the encoding of the stream, which lacks many characters if Windows redirects it to a file;
they are replaced. Programs get UTF-8, whatever the encoding of the stream is.

This is not in ``terminal.py``, because that imports click, which a check without findings does not need.
"""

from __future__ import annotations

import codecs
import os
import sys
from typing import IO, Any, AnyStr
from unicodedata import normalize

_HANDLER = "opforge"
"""The name of the handler of errors for characters that an encoding lacks."""

_EQUIVALENTS = {
    "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2013": "-", "\u2014": "--",
    "\u2192": "->", "\u2190": "<-", "\xd7": "x", "\xf7": "/", "\xb7": "*", "\u2022": "*",
    "\u2265": ">=", "\u2264": "<=", "\xdf": "ss",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\xab": '"', "\xbb": '"',
    "\u2018": "'", "\u2019": "'", "\u201a": "'", "\u2039": "'", "\u203a": "'",
}  # fmt: skip
"""ASCII for signs in our own texts and in those of most cards; Unicode has its own for ``…`` or ``é``."""


def prepare() -> str | None:
    """Prepare the standard streams for any text; return an error message if the encoding of one is refused.

    Streams that are closed (``>&-``) are replaced by the null device: Python has None for them, and the next
    file to be opened would get their file descriptor.
    """
    codecs.register_error(_HANDLER, _equivalent)
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream: Any = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 it stays open
        else:
            _reconfigure(stream, errors="replace" if name == "stdin" else _HANDLER)
    encodings = [stream.encoding for stream in (sys.stdin, sys.stdout, sys.stderr) if stream.encoding]
    unusable = next((encoding for encoding in encodings if not _extends_ascii(encoding)), None)
    if unusable is None:
        return None
    _reconfigure(sys.stderr, encoding="utf-8", errors=_HANDLER)
    return (
        f"Error: Standard streams in {unusable} are not possible: set PYTHONIOENCODING to utf-8, or unset it."
    )


def _extends_ascii(encoding: str) -> bool:
    """Whether ASCII is itself in an encoding: not in UTF-16, UTF-32 and EBCDIC, which no program reads."""
    return "a\n".encode(encoding).endswith(b"a\n")  # behind a mark of the byte order, perhaps


def _equivalent(error: UnicodeError) -> tuple[str, int]:
    """Return ASCII for what an encoding lacks: the handler of such errors on output."""
    if not isinstance(error, UnicodeEncodeError):
        raise error

    equivalents = []
    for sign in error.object[error.start : error.end]:
        base = "".join(char for char in normalize("NFKD", sign) if char.isascii())
        escaped = sign.encode("ascii", "backslashreplace").decode()
        equivalents.append(_EQUIVALENTS.get(sign) or base or escaped)
    return "".join(equivalents), error.end


def write_for_programs() -> None:
    """Write UTF-8 to standard output from here on, with the same line ends on every system."""
    _reconfigure(sys.stdout, encoding="utf-8", errors=_HANDLER, newline="\n")


def _reconfigure(stream: Any, **options: str) -> None:
    if hasattr(stream, "reconfigure"):  # a test or another program may have put a StringIO in its place
        stream.reconfigure(**options)


def write(stream: IO[AnyStr], text: AnyStr) -> None:
    """Write to a standard stream and flush it; it is not an error if its reader has gone."""
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        discard(stream)


def discard(stream: IO[Any]) -> None:
    """Redirect a stream whose reader has gone to the null device: Python flushes it again at exit."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
