"""``opforge fmt``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolkit import api
from toolkit.apps.cli.options import existing_paths, file_targets_of, is_stdin
from toolkit.apps.cli.streams import write
from toolkit.apps.cli.terminal import CommandFailed, echo, style
from toolkit.diagnostics.locations import place
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import limited
from toolkit.diagnostics.reporters import finding_text, not_listed
from toolkit.editing.formatting import Refused
from toolkit.project.output import Change
from toolkit.source import ReadProblem
from toolkit.source.paths import absolute
from toolkit.source.reading import LARGEST_FILE, decode_source

if TYPE_CHECKING:
    from toolkit.editing.formatting import Refused
    from toolkit.editing.formatting.formatter import FormattedFiles


@click.command()
@click.argument("paths", metavar="[PATH]…", nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; exit status 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change.")
@click.option("--in-projects", is_flag=True, help="Skip PATHs outside a card project.")
@click.option(
    "--stdin-filename", metavar="FILE", help="With `-`: the file name of standard input in messages."
)
def fmt(
    paths: tuple[str, ...], check: bool, diff: bool, in_projects: bool, stdin_filename: str | None
) -> int:
    """Write card files in one form: sentences, order of keys, indentation. Comments and meaning stay.

    Without a PATH all files of the nearest project are formatted. The PATH `-` reads standard input and
    prints it formatted.
    """
    if is_stdin(paths, stdin_filename):
        return _format_input(stdin_filename or "standard input", check, diff)
    files = api.format_below(file_targets_of(existing_paths(paths), in_projects))
    dry_run = check or diff
    outcomes = [(change, None if dry_run else api.save(change)) for change in files.changes]
    if diff:
        echo("".join(map(api.difference, files.changes)), nl=False)
    else:
        verb = "Would format" if check else "Formatted"
        changed_names = [change.file.name for change, problem in outcomes if problem is None]
        echo("".join(f"{verb} {name}\n" for name in changed_names), nl=False)
    _print_skipped(files.skipped)
    problems = [problem for _, problem in outcomes if problem is not None]
    echo(_summary(files, len(problems), dry_run), err=diff)
    if problems:
        raise CommandFailed("\n".join(problems))
    return 1 if files.skipped or (files.changes and dry_run) else 0


def _print_skipped(skipped: tuple[Refused, ...]) -> None:
    """Print which files are skipped and why, on standard error."""
    for refusal in skipped:
        if not refusal.findings:
            echo(f"{place(refusal.place)}: {refusal.reason}", err=True)
    listed, unlisted = limited([finding for refusal in skipped for finding in refusal.findings])
    for block in (*(finding_text(finding, style(err=True)) for finding in listed), *not_listed(unlisted)):
        echo(f"{block}\n", err=True)


def _summary(files: FormattedFiles, problem_count: int, dry_run: bool) -> str:
    """Return how many files were formatted, were so already, or were skipped."""
    changed = len(files.changes) - problem_count
    parts = []
    if changed:
        parts.append(f"{counted(changed, 'file')} {'would be formatted' if dry_run else 'formatted'}")
    if files.unchanged:
        parts.append(f"{counted(files.unchanged, 'file')} already formatted")
    if files.skipped:
        parts.append(f"{counted(len(files.skipped), 'file')} skipped")
    return f"{', '.join(parts) or 'No files to format'}."


def _format_input(name: str, check: bool, diff: bool) -> int:
    """Format standard input, or print only why that is not possible; return the exit status."""
    data = sys.stdin.buffer.read(LARGEST_FILE + 1)
    file = decode_source(data, absolute(Path(name)), name)
    if isinstance(file, ReadProblem):
        raise click.UsageError(f"{name}: {file.message}")
    result = api.format_file(file)
    if isinstance(result, Refused):
        _print_skipped((result,))
        return 1
    if diff:
        echo(api.difference(Change(file, result.text)), nl=False)
    elif not check:
        byte_order_mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
        write(sys.stdout.buffer, byte_order_mark + result.text.encode())
    return 1 if result.text != file.text and (check or diff) else 0
