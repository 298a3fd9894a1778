"""The click group of all commands, each imported when it is run."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from io import StringIO
from typing import Any

import click

from toolkit import __version__
from toolkit.apps.cli.streams import discard
from toolkit.apps.cli.terminal import echo

_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

_MODULES = {
    "attack_command": "attack",
    "check": "check",
    "explain": "compile explain schema text",
    "new": "new",
    "fmt": "fmt",
    "play_command": "play",
    "preview": "preview",
    "sheet_commands": "align cards contact layouts preflight reference sheet tts",
    "project": "changes init lsp test",
    "rename": "rename",
    "site": "showcase site",
    "spreadsheets": "export import",
    "watch": "watch",
    "table": "counters mat print-and-play squads tuckbox",
}
COMMANDS = {name: module for module, names in _MODULES.items() for name in names.split()}
"""The commands with their modules, in which the function has the same name or ``…_command``."""


class _Context(click.Context):
    """A context whose help is in the encoding of the stream: click writes UTF-8 where that is ASCII."""

    def get_help(self) -> str:
        """Return the help of the command."""
        encoding, errors = sys.stdout.encoding or "utf-8", sys.stdout.errors or "replace"
        return super().get_help().encode(encoding, errors).decode(encoding)


class _Program(click.Group):
    """The group of all commands, each of which is imported when it is run, for a quick start."""

    context_class = _Context

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 click hands it over
        """Return the names of all commands."""
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name; for an unknown name import all, so that click can suggest one."""
        for name in (cmd_name,) if cmd_name in COMMANDS else COMMANDS:
            members = vars(import_module(f"toolkit.apps.cli.{COMMANDS[name]}"))
            name = name.replace("-", "_")
            command: click.Command = members.get(name) or members[f"{name}_command"]
            command.context_class = _Context
            self.add_command(command)
        return super().get_command(ctx, cmd_name)


@click.group(
    cls=_Program,
    context_settings=_HELP,
    epilog="Exit status: 0 clean, 1 findings, 2 wrong use, 3 internal error, 130 interrupted.",
)
@click.version_option(__version__, prog_name="opforge")
def cli() -> None:
    """Cards in YAML, effects in a small typed language: check, read and print them."""


def run_program(arguments: Sequence[str] | None, servers: Mapping[str, Callable[..., Any]]) -> int:
    """Run a command and return its exit status; wrong use is printed."""
    try:
        return int(cli.main(arguments, prog_name="opforge", standalone_mode=False, obj=servers) or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        echo(error.format_message())
        return 0
    except click.ClickException as error:
        stream = StringIO()
        error.show(stream)
        echo(stream.getvalue(), nl=False, err=True)
        return error.exit_code
    except SystemExit:  # how click leaves where nobody reads the help that it prints
        discard(sys.stdout)
        return 0
    except click.Abort:
        raise KeyboardInterrupt from None
