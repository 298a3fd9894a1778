"""The click group of all commands, each imported when it is run."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from io import StringIO
from typing import Any, NamedTuple, NoReturn

import click

from toolkit import __version__
from toolkit.apps.cli.streams import discard
from toolkit.apps.cli.terminal import echo

_HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class _ListedCommand(NamedTuple):
    """A command of the list that ``--help`` shows, which imports no command."""

    module: str
    """The module of this folder in which its function stands, with the same name or ``…_command``."""
    summary: str
    """A sentence that fits beside the name in 80 columns."""


COMMANDS = {
    "align": _ListedCommand("print_setup", "Align fronts and backs for your printer."),
    "attack": _ListedCommand("attack_command", "Play one attack and show how its numbers come about."),
    "balance": _ListedCommand("balance_command", "Write a report: what stands out in a set of cards."),
    "cards": _ListedCommand("sheet_commands", "Draw a picture of every card and every back."),
    "changes": _ListedCommand("project", "List the cards that changed since a git revision."),
    "check": _ListedCommand("check", "Check card files and say exactly what is wrong with them."),
    "compile": _ListedCommand("explain", "Show what effects are compiled to."),
    "contact": _ListedCommand("sheet_commands", "Print all cards small, to see the set at a glance."),
    "counters": _ListedCommand("table", "Print counters and markers."),
    "explain": _ListedCommand("explain", "Explain a finding, a word, a key, a rule or a task."),
    "export": _ListedCommand("spreadsheets", "Write the cards of a project as a table."),
    "findings": _ListedCommand("findings", "List all findings."),
    "fmt": _ListedCommand("fmt", "Write card files in one form; comments and meaning stay."),
    "import": _ListedCommand("spreadsheets", "Take cards from a table into the project."),
    "init": _ListedCommand("project", "Make a project."),
    "layouts": _ListedCommand("print_setup", "List the layouts of sheets."),
    "looks": _ListedCommand("sheet_commands", "Show your cards in each of the shipped looks."),
    "lsp": _ListedCommand("project", "Run the language server for an editor."),
    "mat": _ListedCommand("table", "Print the FIELD of a game mode as a mat."),
    "new": _ListedCommand("new", "Begin a card, a TEAM, a SQUAD, a scenario or a project."),
    "odds": _ListedCommand("odds_command", "Compute the exact odds of an attack."),
    "play": _ListedCommand("play_command", "Play a GAME in the terminal."),
    "power": _ListedCommand("power_command", "Compute what cards add to attacks."),
    "preflight": _ListedCommand("print_setup", "Check a PDF or pictures for a print service."),
    "preview": _ListedCommand("preview", "Show the cards in a web page that follows each save."),
    "learn": _ListedCommand("table", "Print two pages for people who have never seen the game."),
    "print-and-play": _ListedCommand("table", "Print a game for two: cards, mat, counters, rules, box."),
    "reference": _ListedCommand("sheet_commands", "Print a rules reference for the table."),
    "rename": _ListedCommand("rename", "Give an id or a trait another name, wherever it stands."),
    "say": _ListedCommand("say", "Say an idea in plain words in the effect language."),
    "schema": _ListedCommand("explain", "Print the JSON Schema of card files, for editors."),
    "sheet": _ListedCommand("sheet_commands", "Print the cards of a project to sheets in a PDF."),
    "simulate": _ListedCommand("simulate_command", "Play many games, and count who wins."),
    "showcase": _ListedCommand("site", "Draw a few cards as a hand of cards, to show them."),
    "site": _ListedCommand("site", "Write the cards as a website."),
    "squads": _ListedCommand("table", "Print the ready SQUADs of a project."),
    "test": _ListedCommand("project", "Play scenarios and compare the outcome with the expected."),
    "text": _ListedCommand("explain", "Print the rules text of cards."),
    "tts": _ListedCommand("sheet_commands", "Make decks for Tabletop Simulator."),
    "tuckbox": _ListedCommand("table", "Print a tuckbox for the cards: cut, fold and glue it."),
    "tune": _ListedCommand("tune_command", "Try other numbers of a card, for a fair price."),
    "watch": _ListedCommand("watch", "Check a project after each save of a file."),
    "worth": _ListedCommand("worth_command", "Play games with and without cards: what they do."),
}


_ENGINES = ("plutoprint", "weasyprint", "pypdfium2", "pikepdf", "resvg-py", "pillow", "fonttools", "lark")
"""The packages on which it depends what is printed, and how effects are read."""


def _print_version(context: click.Context) -> NoReturn:
    """Print the version, and on a second line those of Python and of the engines that are installed."""
    metadata = import_module("importlib.metadata")
    versions = [f"Python {'.'.join(map(str, sys.version_info[:3]))}"]
    for package in _ENGINES:
        with suppress(metadata.PackageNotFoundError):
            versions.append(f"{package} {metadata.version(package)}")
    echo(f"opforge, version {__version__}\n{', '.join(versions)}")
    context.exit()


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
        names = (cmd_name,) if cmd_name in COMMANDS else COMMANDS
        for name in names:
            members = vars(import_module(f"toolkit.apps.cli.{COMMANDS[name].module}"))
            function_name = name.replace("-", "_")
            # `import` and `compile` are names of Python's own
            command: click.Command = members.get(function_name) or members[f"{function_name}_command"]
            command.context_class = _Context
            if "_OPFORGE_COMPLETE" in os.environ:
                from toolkit.apps.cli.shell_completion import complete_names

                complete_names(command)
            self.add_command(command)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 as above
        """List the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, COMMANDS[name].summary) for name in sorted(COMMANDS)])


@click.group(
    cls=_Program,
    context_settings=_HELP,
    epilog="Exit status: 0 clean, 1 findings, 2 wrong use, 3 internal error, 130 interrupted.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=lambda context, _option, value: value and _print_version(context),
    help="Show the version, and those of the engines.",
)
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
