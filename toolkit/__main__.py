"""The program put together: the command line, with the other faces that it starts. ``python -m toolkit``."""

from __future__ import annotations

import gc
import sys

_USUAL = gc.get_threshold()
NEW_OBJECTS = 200_000
"""So many objects are made before Python looks for garbage; its usual 700 would cost a tenth of a check."""


def _serve_editor() -> int:
    from toolkit.lsp.starting import start

    gc.set_threshold(*_USUAL)  # it runs for days
    return start()


def main() -> None:
    """The entry point of the command ``opforge``.

    What is imported and loaded is no garbage, and at the end there is no use in looking for any.
    """
    gc.set_threshold(NEW_OBJECTS)
    from toolkit.cli import run

    status = run(serve_editor=_serve_editor)
    gc.freeze()
    sys.exit(status)


if __name__ == "__main__":
    main()
