"""Standard streams that are closed, or whose reader has gone.

This is not in ``terminal.py``, because that imports click, which a check without findings does not need.
"""

from __future__ import annotations

import os
import sys
from typing import IO, Any, AnyStr


def open_missing() -> None:
    """Replace standard streams that are closed (``>&-``) by the null device.

    Python has None for them, and the next file to be opened would get their file descriptor.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 it stays open


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
