"""The command ``opforge``: a shell over ``toolkit.api``.

Exit status: 0 clean, 1 findings, 2 wrong use, 3 internal error, 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from toolkit.cli.fast_start import plain_check
from toolkit.cli.streams import open_missing, write


def run(arguments: Sequence[str] | None = None, serve_editor: Callable[[], int] | None = None) -> int:
    """Run the command and give its exit status; nothing escapes as an exception.

    ``serve_editor`` starts the language server. It is handed in, because no face of the program knows another
    (``toolkit.__main__`` puts them together).
    """
    try:
        open_missing()
        status = plain_check(sys.argv[1:] if arguments is None else arguments)
        if status is None:
            from toolkit.cli.program import run_program

            status = run_program(arguments, serve_editor)
        return status
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        return _broken(f"Error: {error.strerror or error}: {error.filename or ''}".rstrip(": "), 3)
    except Exception as error:
        if os.environ.get("OPFORGE_DEBUG"):
            raise
        return _broken(
            f"opforge failed: {type(error).__name__}: {error}\n"
            "This is a bug in opforge, not in your cards. OPFORGE_DEBUG=1 shows where.",
            3,
        )


def _broken(why: str, status: int) -> int:
    from toolkit.diagnostics.escaping import terminal

    write(sys.stderr, f"{terminal(why)}\n")
    return status
