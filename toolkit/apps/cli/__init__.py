"""The command ``opforge``: options and output. The work is done by the rooms below.

Exit status: 0 clean, 1 findings, 2 wrong use, 3 internal error, 130 interrupted.

Modules are imported only by the way that a command takes: `--help` takes 0.09 s, or 0.2 s with all.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from toolkit.apps.cli.streams import prepare, write

Servers = Mapping[str, Callable[..., Any]]
"""The functions that start the language server and the preview, by the names of their commands."""


def run(arguments: Sequence[str] | None = None, servers: Servers | None = None) -> int:
    """Run the command and return its exit status; no exception escapes.

    ``servers`` are parameters because the command line imports neither the language server nor the preview
    (``toolkit.__main__`` puts them together).
    """
    try:
        problem = prepare()
        if problem is not None:
            return _fail(problem, 2)
        status = check_without_click(sys.argv[1:] if arguments is None else arguments)
        if status is None:
            from toolkit.apps.cli.program import run_program

            status = run_program(arguments, servers or {})
        return status
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not error.filename:
            # only the current folder is asked for without a name
            return _fail("Error: The current folder does not exist any more: change to another one.", 2)
        # It is the user's to fix: a folder without permissions, a full disk, also behind standard output.
        is_user_error = error.filename or error.errno == errno.ENOSPC
        error_text = f"Error: {error.strerror or error}: {error.filename or ''}".rstrip(": ")
        return _fail(error_text, 2 if is_user_error else 3)
    except Exception as error:
        if os.environ.get("OPFORGE_DEBUG"):
            raise
        return _fail(
            f"opforge failed: {type(error).__name__}: {error}\n"
            "This is a bug in opforge, not in your cards. OPFORGE_DEBUG=1 shows where.",
            3,
        )


def _fail(message: str, status: int) -> int:
    """Print why the command failed, on standard error; return its exit status."""
    from toolkit.diagnostics.escaping import terminal

    write(sys.stderr, f"{terminal(message)}\n")
    return status


def check_without_click(arguments: Sequence[str]) -> int | None:
    """Run ``opforge check [PATH…]`` without options; return its exit status.

    None for any other command, and for wrong use, which click reports. This command runs after each change
    and mostly finds nothing: without click a warm check of 70 cards takes 109 ms of processor time instead of
    135 (medians of 25 alternating runs; the other is `opforge check --level warning`).
    """
    paths = arguments[1:]
    if arguments[:1] != ["check"] or any(path.startswith("-") or not os.path.exists(path) for path in paths):
        return None
    from toolkit.data.project_files import target_of

    target_results = [target_of(Path(path)) for path in paths] or [target_of(None)]
    targets = list(dict.fromkeys(target for target in target_results if not isinstance(target, str)))
    if any(isinstance(target, str) for target in target_results):
        return None

    from toolkit import api
    from toolkit.project.checks import CheckRequest

    report = api.check(CheckRequest(targets, time.strftime("%Y-%m-%d")))
    if isinstance(report, str):
        return None
    if report.findings or os.environ.get("GITHUB_ACTIONS"):
        from toolkit.apps.cli.report_output import choose_outputs, deliver

        return deliver(report, choose_outputs(None, (), statistics=False))
    from toolkit.diagnostics.reporters import as_text

    write(sys.stdout, as_text(report))
    return 0
