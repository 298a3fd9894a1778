"""``--format`` and ``--output``: which formats of a report go where."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import click
from msgspec import Struct

from toolkit.cli.shared import REPORT_FORMATS, ItBroke, colour, echo, style
from toolkit.diagnostics.formats import Manner, formatted
from toolkit.diagnostics.report import Report
from toolkit.diagnostics.reporters import unstyled
from toolkit.source.paths import absolute

_SOURCES = (".yaml", ".yml")


class Outputs(Struct, frozen=True):
    """The format that is printed, and those that are written to files."""

    printed: str
    written: tuple[tuple[str, Path], ...] = ()


def chosen_outputs(form: str | None, wishes: Sequence[str], counted: bool) -> Outputs:
    """Where what goes; wrong use if it cannot go there. Nothing is written yet.

    Without a wish people get text, and a workflow of GitHub its annotations, but not where findings are
    ``counted``: those are for people.
    """
    pairs = [_pair(wish) for wish in wishes]
    printed = [name for name, file in pairs if file == "-"]
    if form is not None:
        printed.append(form)
    if len(printed) > 1:
        raise click.UsageError(f"Only one format can be printed, not {' and '.join(printed)}.")
    files = [(name, Path(file)) for name, file in pairs if file != "-"]
    for number, (_, file) in enumerate(files):
        if absolute(file) in [absolute(other) for _, other in files[:number]]:
            raise click.UsageError(f"--output: {file} is named twice.")
        refused = refused_file(file)
        if refused is not None:
            raise click.UsageError(f"--output: {refused}")
    usual = "github" if os.environ.get("GITHUB_ACTIONS") == "true" and not counted else "text"
    return Outputs(printed[0] if printed else usual, tuple(files))


def _pair(wish: str) -> tuple[str, str]:
    name, colon, file = wish.partition(":")
    if name not in REPORT_FORMATS:
        from toolkit.vocabulary.nearest import nearest

        near = nearest(name, REPORT_FORMATS)
        hint = f" Did you mean {near!r}?" if near else f" Known: {', '.join(REPORT_FORMATS)}."
        raise click.UsageError(f"--output: there is no format {name!r}.{hint}")
    if not colon or not file:
        raise click.UsageError(f"--output: write {name}:FILE, or {name}:- to print it.")
    return name, file


def refused_file(file: Path) -> str | None:
    """A sentence if a report must not or cannot be written there: a card file is never replaced."""
    if file.suffix.lower() in _SOURCES:
        return f"{file} would be read as a card file; give it another extension."
    from toolkit.source.writing import refused_link

    if file.is_dir():
        return f"{file} is a folder."
    if not file.parent.is_dir():
        return f"there is no folder {file.parent}."
    return refused_link(file)


def write_file(file: Path, text: str) -> None:
    """Write a file whole or not at all; exit status 3 if that cannot be."""
    from toolkit.source.writing import write_atomically

    try:
        write_atomically(file, text.encode("utf-8", "replace"))
    except OSError as error:
        raise ItBroke(f"{file} cannot be written: {error.strerror}.") from error


def tell(report: Report, outputs: Outputs, strict: bool = False, statistics: bool = False) -> int:
    """Deliver a report, say what --fix would do for it, and give the exit status."""
    deliver(report, outputs, strict, statistics)
    if outputs.printed == "text" and report.findings:
        from toolkit.cli.fixing import tell_fixable

        tell_fixable(report.fixable)
    return report.exit_status(strict)


def deliver(report: Report, outputs: Outputs, strict: bool, statistics: bool = False) -> None:
    """Write the files, print what is printed, and add the summary of a GitHub workflow."""
    base = repository_folder()
    for form, file in outputs.written:
        write_file(file, formatted(report, form, Manner(base, strict)))
    dressed = style if colour(sys.stdout.isatty()) else unstyled
    if statistics:
        from toolkit.diagnostics.statistics import statistics_json, statistics_text

        told = statistics_json(report) if outputs.printed == "json" else statistics_text(report, dressed)
    else:
        told = formatted(report, outputs.printed, Manner(base, strict, dressed))
    echo(told, nl=False, commands=outputs.printed == "github" and not statistics)
    if outputs.printed == "github":
        _add_step_summary(report)


def repository_folder() -> Path:
    """What paths are relative to for a service that shows findings: its checkout, else the current folder."""
    here = Path.cwd()
    for name in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        folder = os.environ.get(name)
        if folder and here.is_relative_to(folder):
            return Path(folder)
    return here


def _add_step_summary(report: Report) -> None:
    """Add the summary to the page of the workflow run; that it cannot be written is no reason to fail."""
    from toolkit.diagnostics.github import as_step_summary

    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file:
        return
    try:
        with open(file, "a", encoding="utf-8", errors="replace") as opened:
            opened.write(as_step_summary(report))
    except OSError as error:
        echo(f"The step summary was not written: {file}: {error.strerror}.", err=True)
