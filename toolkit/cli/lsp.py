"""``opforge lsp``."""

from __future__ import annotations

from collections.abc import Callable

import click


@click.command()
@click.option(
    "--stdio", is_flag=True, help="Accepted because some editors pass it; there is no other transport."
)
@click.pass_obj
def lsp(serve: Callable[[], int] | None, stdio: bool) -> int:
    """Serve an editor: it starts this itself and speaks with it on standard input and output.

    Findings while typing, completion, rules text under the mouse, rename and more. `opforge explain editor`
    says how to set up VS Code, Neovim, Helix and Zed.
    """
    del stdio
    if serve is None:
        raise click.UsageError("opforge was started in a way that cannot serve an editor; run `opforge lsp`.")
    return serve()
