"""Starting the server: an editor speaks with it over standard input and output."""

from __future__ import annotations

import logging
import os
import re
import signal
import sys
from contextlib import redirect_stdout
from typing import BinaryIO, cast

LARGEST_MESSAGE = 100_000_000
"""So many bytes a message may have: a card file has 2 MB at most, six times that in JSON."""

LONGEST_HEADER = 1000
"""So many bytes a line before a message may have."""

_BY_HAND = """\
opforge lsp is started by an editor and communicates over standard input and output.
`opforge explain editor` explains how to set one up. Ctrl-C ends this.
"""


def start() -> int:
    """Serve one editor until it leaves; the exit status is 1 if it does not say goodbye before."""
    if sys.stdin.isatty():
        sys.stderr.write(_BY_HAND)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="opforge lsp: %(message)s")
    for handler in logging.getLogger().handlers:
        handler.addFilter(is_no_refusal)
    from toolkit.lsp.answers import ASKED
    from toolkit.lsp.ids import ABOUT_IDS
    from toolkit.lsp.lifecycle_handlers import TOLD
    from toolkit.lsp.server import Server

    signal.signal(signal.SIGINT, _leave)
    server = Server()
    for method, told in TOLD.items():
        server.feature(method)(told)
    for method, options, asked in (*ASKED, *ABOUT_IDS):
        server.feature(method, options)(asked)
    stdin = BoundedInput(sys.stdin.buffer)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    with redirect_stdout(sys.stderr):  # whatever is printed must not get between the answers
        server.start_io(stdin=cast("BinaryIO", stdin), stdout=answers)
    return 1 if stdin.refused or (server.was_told_to_exit and not server.was_shut_down) else 0


class BoundedInput:
    """Standard input of which no header makes the server wait for more than an editor ever sends."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.refused = False

    def readline(self) -> bytes:
        """A line of a header; nothing, as at the end, behind one that cannot be right."""
        if self.refused:
            return b""
        line = self._stream.readline(LONGEST_HEADER)
        found = re.match(rb"Content-Length:\s*(\d+)\s*$", line, re.IGNORECASE)
        length = found[1].lstrip(b"0") if found else b""
        if len(line) == LONGEST_HEADER:
            return self._refuse(f"A header is longer than {LONGEST_HEADER} bytes")
        if len(length) > len(str(LARGEST_MESSAGE)) or int(length or b"0") > LARGEST_MESSAGE:
            return self._refuse(f"A message is announced that is larger than {LARGEST_MESSAGE:,} bytes")
        return line

    def read(self, size: int) -> bytes:
        """A message."""
        return self._stream.read(size)

    def _refuse(self, why: str) -> bytes:
        self.refused = True
        logging.getLogger("opforge.lsp").error("%s; the server stops.", why)
        return b""


def is_no_refusal(record: logging.LogRecord) -> bool:
    """Whether a message belongs in the log: what is refused with a reason is told in the editor instead."""
    from pygls.exceptions import JsonRpcException

    return not (record.exc_info and isinstance(record.exc_info[1], JsonRpcException))


def _leave(_number: int, _frame: object) -> None:
    """Ctrl-C ends it at once: it writes no files, and waiting for the editor's next word could take long."""
    os._exit(130)
