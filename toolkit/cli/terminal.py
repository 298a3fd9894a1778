"""What commands print: text, reports and their colours, progress; and the errors that end a command."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from toolkit.cli.streams import discard, write

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolkit.diagnostics import Diagnostic
    from toolkit.diagnostics.report import Report
    from toolkit.diagnostics.reporters import Style
    from toolkit.project.output import Outcome, Refusal


class CommandFailed(click.ClickException):
    """What stopped a command that was called rightly, such as a file that cannot be written."""

    exit_code = 2


class InternalError(click.ClickException):
    """Something of opforge that failed, such as the PDF engine."""

    exit_code = 3


def error_of(refusal: Refusal) -> click.ClickException:
    """The exception for a refusal: exit status 3 where opforge itself failed, else 2."""
    errors: dict[str, type[click.ClickException]]
    errors = {"request": click.UsageError, "files": CommandFailed, "opforge": InternalError}
    return errors[refusal.cause](refusal.message)


def colour(stream_is_terminal: bool) -> bool:
    """Whether to print in colour: only to a terminal, and never with NO_COLOR."""
    return stream_is_terminal and not os.environ.get("NO_COLOR")


def echo(text: str = "", *, nl: bool = True, err: bool = False, commands: bool = False) -> None:
    """Print text for people or programs. Everything that a command prints goes through here.

    Names and texts of a project can neither steer the terminal nor pass for a command of a CI service; with
    ``commands`` the text consists of such commands. If nobody reads any more, as behind ``| head -1``, the
    work goes on, so that the exit status is right.
    """
    from toolkit.diagnostics.escaping import terminal

    stream = sys.stderr if err else sys.stdout
    shown = terminal(text, coloured=colour(stream.isatty()), commands=commands)
    try:
        click.echo(shown, nl=nl, err=err)
    except BrokenPipeError:
        discard(stream)


def rows_of(line: str, columns: int) -> int:
    """How many rows of a terminal a line takes that may be coloured."""
    from toolkit.diagnostics.reporters import width

    return max(1, -(-width(click.unstyle(line)) // columns))


def draw_screen(lines: Sequence[str], columns: int, scroll_by: int = 0) -> None:
    """Show lines as all that is on a terminal; together they must not have more rows than it has.

    They are written in one piece over what is there, and the rest is cleared behind them: a screen that is
    cleared first flickers. With ``scroll_by`` rows what is there is moved up, where it can be read again.
    """
    from toolkit.diagnostics.escaping import terminal
    from toolkit.diagnostics.reporters import width

    shown = []
    for line in lines:
        safe = terminal(line, coloured=colour(True), commands=True)
        full = width(click.unstyle(safe)) % columns == 0 and safe  # clearing would take its last character
        shown.append(safe if full else f"{safe}\x1b[K")
    write(sys.stdout, "\n" * scroll_by + "\x1b[H" + "\n".join(shown) + "\x1b[J")


def style(err: bool = False) -> Style:
    """The function that colours pieces of a report on standard output, or with ``err`` standard error."""
    from toolkit.diagnostics.reporters import unstyled

    return _coloured if colour((sys.stderr if err else sys.stdout).isatty()) else unstyled


def _coloured(text: str, kind: str) -> str:
    colours = {"error": "red", "warning": "yellow", "note": "cyan", "place": "blue"}
    return click.style(text, fg=colours[kind], bold=kind in ("error", "warning") or None)


def print_report(report: Report, form: str = "text", err: bool = False) -> None:
    """Print a report as text or JSON."""
    from toolkit.diagnostics.reporters import as_json, as_text

    echo(as_json(report) if form == "json" else as_text(report, style(err)), nl=False, err=err)


def print_warnings(warnings: Iterable[Diagnostic]) -> None:
    """Print warnings about what is played on standard error, without a summary."""
    from toolkit.diagnostics.reporters import finding_text

    for warning in warnings:
        echo(finding_text(warning, style(True)) + "\n", err=True)


def print_text(text: str, report: Report) -> int:
    """Print text about cards, and behind it their errors on standard error; return the exit status."""
    echo(text, nl=False)
    if report.errors:
        print_report(report, err=True)
    return report.exit_status()


def print_outcome(outcome: Outcome | Refusal, form: str = "text") -> int:
    """Print what a command wrote, and before it the findings on standard error; return the exit status.

    A refusal is raised as its error.
    """
    from toolkit.project.output import Refusal

    if isinstance(outcome, Refusal):
        raise error_of(outcome)
    if outcome.report.findings:
        print_report(outcome.report, err=True)
    echo(outcome.as_json() if form == "json" else outcome.sentence, nl=form != "json")
    return outcome.report.exit_status()


class Progress:
    """A counter on standard error, where that is a terminal."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._shown = sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        """Show how far it is."""
        if self._shown:
            click.echo(f"\r{self._what} {done}/{total}", nl=done >= total, err=True)
