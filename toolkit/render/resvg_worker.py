"""A process that draws SVG with resvg, so that it can be stopped: a drawing can crash it or take all memory.

It runs as a file on its own, with the standard library only: ``python -I -S resvg_worker.py FOLDER``, where
FOLDER has the package ``resvg_py``. It reads requests from its input until that ends: a length of four bytes,
and JSON with the keyword arguments of ``resvg_py.svg_to_bytes``. To each it answers with a length, and ``+``
with a PNG or ``-`` with a message. The package is imported once memory is limited.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import BinaryIO

MAX_MEMORY = 2 << 30
"""Limit of the address space in bytes, where the system has one. A page of a card takes about 100 MB."""


def _limit_memory() -> None:
    """Limit the memory of this process, and write no core file when it fails."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _reserve_output() -> BinaryIO:
    """Return the standard output for the answers; what else is written to it from here on is lost."""
    standard_output = 1
    answers = os.fdopen(os.dup(standard_output), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), standard_output)
    return answers


def main() -> None:
    """Answer requests until the input ends.

    Each is JSON after its length in four bytes, the answer ``+`` and a PNG or ``-`` and a message, after its
    length as well.
    """
    _, folder_of_packages = sys.argv
    sys.path.append(folder_of_packages)
    answers = _reserve_output()
    _limit_memory()
    from resvg_py import svg_to_bytes

    while len(head := sys.stdin.buffer.read(4)) == 4:
        request = json.loads(sys.stdin.buffer.read(int.from_bytes(head, "big")))
        try:
            answer = b"+" + svg_to_bytes(**request)
        except BaseException as error:  # a panic of Rust is no Exception
            answer = b"-" + str(error).encode("utf-8", "replace")
        answers.write(len(answer).to_bytes(4, "big") + answer)
        answers.flush()


if __name__ == "__main__":
    main()
