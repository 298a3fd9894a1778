"""Starting the server: an editor speaks with it over standard input and output."""

from __future__ import annotations

import logging
import os
import signal
import sys
from contextlib import redirect_stdout

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
    from toolkit.lsp.opening import TOLD
    from toolkit.lsp.server import Server

    signal.signal(signal.SIGINT, _leave)
    server = Server()
    for method, told in TOLD.items():
        server.feature(method)(told)
    for method, options, asked in (*ASKED, *ABOUT_IDS):
        server.feature(method, options)(asked)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    with redirect_stdout(sys.stderr):  # whatever is printed must not get between the answers
        server.start_io(stdout=answers)
    return 1 if server.was_told_to_exit and not server.was_shut_down else 0


def is_no_refusal(record: logging.LogRecord) -> bool:
    """Whether a message belongs in the log: what is refused with a reason is told in the editor instead."""
    from pygls.exceptions import JsonRpcException

    return not (record.exc_info and isinstance(record.exc_info[1], JsonRpcException))


def _leave(_number: int, _frame: object) -> None:
    """Ctrl-C ends it at once: it writes no files, and waiting for the editor's next word could take long."""
    os._exit(130)
