"""The entry point of ``opforge`` and ``python -m toolkit``: signals, garbage collection, servers.

The command line and the servers are imported once Ctrl-C is handled, and only the one that runs.
"""

# `signal` itself imports `enum`, which takes longer than all else before Ctrl-C is handled
import _signal as signal  # type: ignore[import-not-found]
import gc
import os
import sys
from types import FrameType
from typing import Any


def _leave(_number: int, _frame: object) -> None:
    """Handle Ctrl-C while there is nothing to clean up: no traceback, the exit status of a shell."""
    os._exit(130)


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """Handle Ctrl-C while a command runs, by an exception, so that the command can clean up.

    During an import there is nothing to clean up, and a library in C++ may abort at an exception (pikepdf 9).
    """
    while frame is not None:
        if frame.f_globals.get("__name__") == "importlib._bootstrap":
            os._exit(130)
        frame = frame.f_back
    raise KeyboardInterrupt


_INTERRUPTIBLE = signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""False in the background of a shell (``opforge … &``), which ignores Ctrl-C."""
if _INTERRUPTIBLE:
    signal.signal(signal.SIGINT, _leave)

_DEFAULT_THRESHOLD = gc.get_threshold()
NEW_OBJECTS = 200_000
"""New objects between two garbage collections; with Python's default of 700 they take a tenth of a check."""


def _serve_editor() -> int:
    from toolkit.apps.lsp.handlers import start

    gc.set_threshold(*_DEFAULT_THRESHOLD)  # a process of days must not keep 200,000 objects of garbage
    return start()


def _preview(*arguments: Any, **options: Any) -> Any:
    from toolkit.apps.preview.serving import start

    gc.set_threshold(*_DEFAULT_THRESHOLD)  # the same
    return start(*arguments, **options)


def _run() -> int:
    """Run the command; Ctrl-C raises an exception only while it runs."""
    from toolkit.apps.cli import run

    try:
        if _INTERRUPTIBLE:
            signal.signal(signal.SIGINT, _interrupt)
        return run(servers={"lsp": _serve_editor, "preview": _preview})
    finally:
        if _INTERRUPTIBLE:
            signal.signal(signal.SIGINT, _leave)


def main() -> None:
    """The entry point of the command ``opforge``.

    At the end all objects are frozen: a collection at exit would only cost time.
    """
    gc.set_threshold(NEW_OBJECTS)
    try:
        status = _run()
    except KeyboardInterrupt:  # just before or after `run`
        status = 130
    gc.freeze()
    sys.exit(status)


if __name__ == "__main__":
    main()
