"""The command ``opforge``: a shell over ``toolkit.api``.

Exit status: 0 clean, 1 findings, 2 wrong use, 3 it broke; 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

import click

from toolkit import __version__
from toolkit.cli.align import align
from toolkit.cli.attack import attack
from toolkit.cli.cards import cards
from toolkit.cli.changes import changes
from toolkit.cli.check import check
from toolkit.cli.compile import compile_command
from toolkit.cli.explain import explain
from toolkit.cli.fmt import fmt
from toolkit.cli.init import init
from toolkit.cli.layouts import layouts
from toolkit.cli.lsp import lsp
from toolkit.cli.play import play
from toolkit.cli.reference import reference
from toolkit.cli.schema import schema
from toolkit.cli.sheet import sheet
from toolkit.cli.test import test
from toolkit.cli.text import text
from toolkit.cli.tts import tts

_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=_HELP, epilog="Exit status: 0 clean, 1 findings, 2 wrong use, 3 it broke.")
@click.version_option(__version__, prog_name="opforge")
def cli() -> None:
    """Cards in YAML, effects in a small typed language: check, read and print them."""


_COMMANDS = (
    align,
    attack,
    cards,
    changes,
    check,
    compile_command,
    explain,
    fmt,
    init,
    layouts,
    lsp,
    play,
    reference,
    schema,
    sheet,
    test,
    text,
    tts,
)

for command in _COMMANDS:
    cli.add_command(command)


def run(arguments: Sequence[str] | None = None, serve_editor: Callable[[], int] | None = None) -> int:
    """Run the command and give its exit status; nothing escapes as an exception.

    ``serve_editor`` starts the language server. It is handed in, because no face of the program knows another
    (``toolkit.__main__`` puts them together).
    """
    try:
        status = cli.main(arguments, prog_name="opforge", standalone_mode=False, obj=serve_editor)
        sys.stdout.flush()
        return int(status or 0)
    except click.exceptions.NoArgsIsHelpError as wish:
        click.echo(wish.format_message())
        return 0
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("Interrupted. Files written before are whole.", err=True)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        click.echo(f"Error: {error.strerror or error}: {error.filename or ''}".rstrip(": "), err=True)
        return 3
    except Exception as error:
        if os.environ.get("OPFORGE_DEBUG"):
            raise
        click.echo(f"opforge broke: {type(error).__name__}: {error}", err=True)
        click.echo("This is a mistake in opforge, not in your cards. OPFORGE_DEBUG=1 shows where.", err=True)
        return 3
