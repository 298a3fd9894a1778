"""The program put together: the command line, with the other faces that it starts. ``python -m toolkit``."""

# `signal` itself imports `enum`, which takes longer than all else until Ctrl-C is looked after
import _signal as signal  # type: ignore[import-not-found]
import gc
import os
import sys
from types import FrameType


def _leave(_number: int, _frame: object) -> None:
    """Ctrl-C while there is nothing to tidy up: no traceback, the exit status of a shell."""
    os._exit(130)


def _interrupt(_number: int, frame: FrameType | None) -> None:
    """Ctrl-C while a command runs, which tidies up after itself.

    Not so while a module is loaded: there is nothing to tidy up, and a library in C++ may abort (pikepdf 9).
    """
    while frame is not None:
        if frame.f_globals.get("__name__") == "importlib._bootstrap":
            os._exit(130)
        frame = frame.f_back
    raise KeyboardInterrupt


_INTERRUPTIBLE = signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""Not so in the background of a shell (``opforge … &``), where Ctrl-C is not meant for it."""
if _INTERRUPTIBLE:
    signal.signal(signal.SIGINT, _leave)

_USUAL = gc.get_threshold()
NEW_OBJECTS = 200_000
"""So many objects are made before Python looks for garbage; its usual 700 would cost a tenth of a check."""


def _serve_editor() -> int:
    from toolkit.lsp.handlers import start

    gc.set_threshold(*_USUAL)  # it runs for days
    return start()


def _run() -> int:
    """Run the command; only meanwhile is Ctrl-C an exception."""
    from toolkit.cli import run

    try:
        if _INTERRUPTIBLE:
            signal.signal(signal.SIGINT, _interrupt)
        return run(serve_editor=_serve_editor)
    finally:
        if _INTERRUPTIBLE:
            signal.signal(signal.SIGINT, _leave)


def main() -> None:
    """The entry point of the command ``opforge``.

    What is imported and loaded is no garbage, and at the end there is no use in looking for any.
    """
    gc.set_threshold(NEW_OBJECTS)
    try:
        status = _run()
    except KeyboardInterrupt:  # in the moment before `run` began or after it was done
        status = 130
    gc.freeze()
    sys.exit(status)


if __name__ == "__main__":
    main()
