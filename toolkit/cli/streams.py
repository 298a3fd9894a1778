"""Standard streams that are closed, or that nobody reads any more."""

from __future__ import annotations

import os
import sys
from typing import IO, Any, AnyStr


def open_missing() -> None:
    """Put the null device where a standard stream was closed (``>&-``).

    Python gives None for such a stream, and the next file to be opened would take its number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 it stays open


def write(stream: IO[AnyStr], text: AnyStr) -> None:
    """Write to a standard stream at once; if nobody reads it, that is no error."""
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        discard(stream)


def discard(stream: IO[Any]) -> None:
    """Lead a stream that nobody reads any more to the null device."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
