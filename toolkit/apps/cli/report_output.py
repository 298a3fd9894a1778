"""The output of ``opforge check`` and ``test``: the printed format of the report, and those in files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct

from toolkit.apps.cli.streams import write_for_programs
from toolkit.apps.cli.terminal import echo, error_of, style
from toolkit.diagnostics.formats import FORMATS, FormatOptions, as_step_summary, format_report
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import Report
from toolkit.diagnostics.reporters import statistics_json, statistics_text
from toolkit.project import output
from toolkit.source.paths import absolute, checkout_around, is_yaml
from toolkit.source.writing import refused_link
from toolkit.vocabulary.nearest import did_you_mean

F = TypeVar("F", bound=Callable[..., Any])


def report_options(formats: Collection[str]) -> Callable[[F], F]:
    """Return the options ``--format`` and ``--output`` (as ``form`` and ``outputs``) for these formats."""
    form = click.option(
        "--format",
        "form",
        type=click.Choice(list(formats)),
        help="The output format. Default: text, or github under GitHub Actions.",
    )
    outputs = click.option(
        "--output",
        "outputs",
        metavar="FORMAT:FILE",
        multiple=True,
        help="Also write a report to a file; may be repeated. `FORMAT:-` prints it.",
    )
    return lambda command: form(outputs(command))


class Outputs(Struct, frozen=True):
    """The printed format, and the formats written to files."""

    printed: str
    written: tuple[tuple[str, Path], ...] = ()


def choose_outputs(
    form: str | None, options: Sequence[str], statistics: bool, formats: Collection[str] = FORMATS
) -> Outputs:
    """The outputs of ``--format`` and all ``--output``; wrong use if one cannot be written. Nothing is yet.

    By default people get text, and a workflow of GitHub its annotations, but not with ``--statistics``: those
    are for people.
    """
    pairs = [_format_and_file(option, formats) for option in options]
    printed = [name for name, file in pairs if file == "-"]
    if form is not None:
        printed.append(form)
    if len(printed) > 1:
        raise click.UsageError(f"Only one format can be printed, not {' and '.join(printed)}.")
    files = [(name, Path(file)) for name, file in pairs if file != "-"]
    for number, (_, file) in enumerate(files):
        if absolute(file) in [absolute(earlier_file) for _, earlier_file in files[:number]]:
            raise click.UsageError(f"--output: {file} is named twice.")
        problem = refused_file(file)
        if problem is not None:
            raise click.UsageError(f"--output: {problem}")
    default = "github" if os.environ.get("GITHUB_ACTIONS") == "true" and not statistics else "text"
    return Outputs(next(iter(printed), default), tuple(files))


def _format_and_file(option: str, formats: Collection[str]) -> tuple[str, str]:
    """Return both parts of ``FORMAT:FILE``; wrong use if one is missing or unknown."""
    name, colon, file = option.partition(":")
    if name not in formats:
        hint = did_you_mean(name, formats, f" Known: {', '.join(formats)}.")
        raise click.UsageError(f"--output: there is no format {name!r}.{hint}")
    if not colon or not file:
        raise click.UsageError(f"--output: write {name}:FILE, or {name}:- to print it.")
    return name, file


def refused_file(file: Path) -> str | None:
    """Return an error message if a report must not be written to a file; card files are never replaced."""
    if is_yaml(file):
        return f"{file} would be read as a card file; give it another extension."

    if file.is_dir():
        return f"{file} is a folder."
    if not file.parent.is_dir():
        return f"there is no folder {file.parent}."
    return refused_link(file)


def write_file(file: Path, text: str) -> None:
    """Write a file whole or not at all. Raises ``CommandFailed``."""
    refusal = output.write_file(file, text.encode("utf-8", "replace"))
    if refusal is not None:
        raise error_of(refusal)


def deliver(report: Report, outputs: Outputs, strict: bool = False, statistics: bool = False) -> int:
    """Write the files, print the report, add the summary of a GitHub workflow; return the exit status."""
    if outputs.printed not in ("text", "concise"):
        write_for_programs()
    base = repository_folder()
    for form, file in outputs.written:
        write_file(file, format_report(report, form, FormatOptions(base, strict)))
    if statistics:
        text = statistics_json(report) if outputs.printed == "json" else statistics_text(report, style())
    else:
        text = format_report(report, outputs.printed, FormatOptions(base, strict, style()))
    echo(text, nl=False, commands=outputs.printed == "github" and not statistics)
    if outputs.printed == "github":
        add_to_workflow("GITHUB_STEP_SUMMARY", as_step_summary(report))
        add_to_workflow("GITHUB_OUTPUT", f"errors={report.errors}\nwarnings={report.warnings}\n")
    if outputs.printed == "text" and report.fixable and sys.stdout.isatty():
        echo(f"{counted(report.fixable, 'finding')} can be fixed safely: opforge check --fix")
    return report.exit_status(strict)


def repository_folder() -> Path:
    """Return the base of paths in a report: the checkout of a CI service or of git, else this folder."""
    current_folder = Path.cwd()
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        folder = os.environ.get(name)
        if folder and current_folder.is_relative_to(absolute(folder)):
            return absolute(folder)
    return checkout_around(current_folder) or current_folder


def add_to_workflow(variable: str, text: str) -> None:
    """Add a text to a file of the workflow run: the summary on its page, or the outputs of the step.

    A note is printed if it cannot be written.
    """
    file = os.environ.get(variable)
    if not file:
        return
    try:
        with open(file, "a", encoding="utf-8", errors="replace") as stream:
            stream.write(text)
    except OSError as error:
        echo(f"{_WORKFLOW_FILES[variable]} not written: {file}: {error.strerror}.", err=True)


_WORKFLOW_FILES = {
    "GITHUB_STEP_SUMMARY": "The step summary was",
    "GITHUB_OUTPUT": "The outputs of the step were",
}
