"""The output of commands: text, reports, colours, progress; and the errors that end a command."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from toolkit.apps.cli.streams import discard, write
from toolkit.diagnostics.escaping import terminal
from toolkit.diagnostics.reporters import as_json, as_text, finding_text, unstyled, width
from toolkit.project.output import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolkit.diagnostics import Diagnostic
    from toolkit.diagnostics.report import Report
    from toolkit.diagnostics.reporters import Style
    from toolkit.project.output import Outcome


INTERRUPTED = 130
"""The exit status after Ctrl-C, as of all commands."""


class CommandFailed(click.ClickException):
    """A failure of a command that was used correctly, such as a file that cannot be written."""

    exit_code = 2


class InternalError(click.ClickException):
    """A failure inside of opforge, such as one of the PDF engine."""

    exit_code = 3


def error_of(refusal: Refusal) -> click.ClickException:
    """Return the exception for a refusal: with exit status 3 if opforge itself failed, else 2."""
    errors: dict[str, type[click.ClickException]]
    errors = {"request": click.UsageError, "files": CommandFailed, "opforge": InternalError}
    return errors[refusal.cause](refusal.message)


def colour(stream_is_terminal: bool) -> bool:
    """Whether to print in colour: to a terminal, or with FORCE_COLOR, and never with NO_COLOR."""
    return (stream_is_terminal or bool(os.environ.get("FORCE_COLOR"))) and not os.environ.get("NO_COLOR")


def echo(text: str = "", *, nl: bool = True, err: bool = False, commands: bool = False) -> None:
    """Print text for people or programs. All output of commands goes through here.

    Names and texts of a project can neither control the terminal nor pass for a command of a CI service; with
    ``commands`` the text consists of such commands. If the reader has gone, as behind ``| head -1``, the work
    goes on, so that the exit status is right.
    """
    stream = sys.stderr if err else sys.stdout
    is_coloured = colour(stream.isatty())
    safe_text = terminal(text, coloured=is_coloured, commands=commands)
    try:
        click.echo(safe_text, file=stream, nl=nl, color=is_coloured)
    except BrokenPipeError:
        discard(stream)


def rows_of(line: str, columns: int) -> int:
    """Return the number of terminal rows of a line, which may be coloured."""
    return max(1, -(-width(click.unstyle(line)) // columns))


def draw_screen(lines: Sequence[str], columns: int, scroll_by: int = 0) -> None:
    """Replace the content of a terminal by lines, which must not have more rows than it has.

    They are written over it in one piece, and the rest is cleared afterwards: a screen that is cleared first
    flickers. The old content is scrolled up by ``scroll_by`` rows first, so that it can be read again.
    """
    safe_lines = []
    for line in lines:
        safe_line = terminal(line, coloured=colour(True), commands=True)
        # clearing after a full line would take its last character
        is_full = width(click.unstyle(safe_line)) % columns == 0 and safe_line
        safe_lines.append(safe_line if is_full else f"{safe_line}\x1b[K")
    write(sys.stdout, "\n" * scroll_by + "\x1b[H" + "\n".join(safe_lines) + "\x1b[J")


def style(err: bool = False) -> Style:
    """Return the function that colours parts of a report on standard output, or on standard error."""
    return _coloured if colour((sys.stderr if err else sys.stdout).isatty()) else unstyled


def _coloured(text: str, kind: str) -> str:
    colours = {"error": "red", "warning": "yellow", "note": "cyan", "place": "blue"}
    return click.style(text, fg=colours[kind], bold=kind in ("error", "warning") or None)


def print_report(report: Report, form: str = "text", err: bool = False) -> None:
    """Print a report as text or JSON."""
    echo(as_json(report) if form == "json" else as_text(report, style(err)), nl=False, err=err)


def print_warnings(warnings: Iterable[Diagnostic]) -> None:
    """Print warnings of a command that plays on standard error, without a summary."""
    for warning in warnings:
        echo(finding_text(warning, style(True)) + "\n", err=True)


def print_text(text: str, report: Report) -> int:
    """Print text about cards, then their errors on standard error; return the exit status."""
    echo(text, nl=False)
    if report.errors:
        print_report(report, err=True)
    return report.exit_status()


def print_outcome(outcome: Outcome | Refusal, form: str = "text") -> int:
    """Print what a command wrote, after its findings on standard error; return the exit status.

    A refusal is raised as an exception.
    """
    if isinstance(outcome, Refusal):
        raise error_of(outcome)
    if outcome.report.findings:
        print_report(outcome.report, err=True)
    echo(outcome.as_json() if form == "json" else outcome.sentence, nl=form != "json")
    return outcome.report.exit_status()


class Progress:
    """A counter on standard error, where that is a terminal."""

    def __init__(self, task: str) -> None:
        self._task = task
        self._is_terminal = sys.stderr.isatty()

    def __call__(self, done_count: int, total: int) -> None:
        """Show how much is done."""
        if self._is_terminal:
            line_end = "\n" if done_count >= total else ""
            write(sys.stderr, f"\r{self._task} {done_count}/{total}{line_end}")

    def stop(self) -> None:
        """End the line of a counter that does not come to its end."""
        if self._is_terminal:
            write(sys.stderr, "\n")
