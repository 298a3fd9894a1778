"""The program put together: the command line, with the other faces that it starts. ``python -m toolkit``."""

from __future__ import annotations

import sys

from toolkit.cli import run


def _serve_editor() -> int:
    from toolkit.lsp.starting import start

    return start()


def main() -> None:
    """The entry point of the command ``opforge``."""
    sys.exit(run(serve_editor=_serve_editor))


if __name__ == "__main__":
    main()
