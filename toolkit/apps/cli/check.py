"""``opforge check``, which also makes or shows fixes."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolkit import api
from toolkit.apps.cli.options import (
    existing_paths,
    is_stdin,
    project_of,
    reject,
    targets_of,
    whole_project_option,
)
from toolkit.apps.cli.report_output import (
    Outputs,
    choose_outputs,
    deliver,
    refused_file,
    report_options,
    write_file,
)
from toolkit.apps.cli.terminal import CommandFailed, echo
from toolkit.diagnostics.baseline import read_baseline
from toolkit.diagnostics.formats import FORMATS
from toolkit.diagnostics.locations import place
from toolkit.diagnostics.phrases import counted
from toolkit.diagnostics.report import MAX_IN_FILE, make_report
from toolkit.project.checks import CheckRequest, Text, files_to_check
from toolkit.source import shown_name
from toolkit.source.paths import absolute
from toolkit.source.reading import LARGEST_FILE
from toolkit.source.writing import refused_link

if TYPE_CHECKING:
    from toolkit.data.project_files import Target
    from toolkit.diagnostics import Diagnostic
    from toolkit.diagnostics.baseline import Baseline
    from toolkit.editing.fixing import Fixed


def _names_in(_context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> list[str]:
    """Return the names in values such as `missing-picture,style`; one without a name is a usage error."""
    names = []
    for value in values:
        names_of_value = [word.strip() for word in value.split(",") if word.strip()]
        if not names_of_value:
            raise click.UsageError(f"{option.opts[0]} names nothing; `opforge findings` lists what there is.")
        names += names_of_value
    return names


def _severities_in(
    _context: click.Context, option: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """Return the severities by name in values such as `style=error`."""
    severities = {}
    for value in _names_in(_context, option, values):
        name, _, level = value.partition("=")
        if level not in ("error", "warning", "off"):
            raise click.UsageError(f"--severity: write NAME=error, NAME=warning or NAME=off, not {value!r}.")
        severities[name] = level
    return severities


COUNTED = ("text", "concise", "json")
"""The formats in which findings can be counted instead of listed."""

_MAX_FIX_LENGTH = 30
"""Characters of a fixed text that are shown, at most."""


@click.command()
@click.argument("paths", metavar="[PATH]…", nargs=-1)
@report_options(FORMATS)
@click.option("--strict", is_flag=True, help="Warnings count as errors for the exit status.")
@click.option(
    "--level",
    type=click.Choice(["error", "warning"]),
    default="warning",
    help="Report only errors, or warnings too.  [default: warning]",
)
@click.option("--only", metavar="NAME", multiple=True, help="Report only this finding; may be repeated.")
@click.option("--card", "cards", metavar="ID", multiple=True, help="Only this card; may be repeated.")
@click.option(
    "--select",
    metavar="NAME,…",
    multiple=True,
    callback=_names_in,
    help="Report only these findings or groups, whatever opforge.yaml chooses.",
)
@click.option(
    "--ignore",
    metavar="NAME,…",
    multiple=True,
    callback=_names_in,
    help="Do not report these findings or groups.",
)
@click.option(
    "--severity",
    metavar="NAME=LEVEL",
    multiple=True,
    callback=_severities_in,
    help="Report a finding or a group as error or warning, or off; may be repeated.",
)
@click.option("--isolated", is_flag=True, help="Do as if opforge.yaml had no `checks`.")
@click.option("--no-plugins", is_flag=True, help="Run no checks of the project's own.")
@click.option("--exit-zero", is_flag=True, help="Exit with status 0 even if there are errors.")
@click.option("--no-cache", is_flag=True, help="Check everything again; use and keep no earlier results.")
@click.option("--show-files", is_flag=True, help="List the files that would be checked, and check nothing.")
@click.option("--fit", is_flag=True, help="Also check that the texts of all cards fit, in every language.")
@click.option("--theme", metavar="NAME", help="With --fit: the theme of the cards. Default: the project's.")
@click.option("--look", metavar="NAME", help="With --fit: a look of `opforge looks`. Default: the project's.")
@click.option("--statistics", is_flag=True, help="Count the findings instead of listing them.")
@whole_project_option
@click.option(
    "--baseline",
    metavar="FILE",
    help="Hide the findings recorded in this file, and report those that no longer occur.",
)
@click.option(
    "--update-baseline",
    is_flag=True,
    help="Put the findings into the baseline, and remove from it what no longer occurs.",
)
@click.option("--fix", is_flag=True, help="Fix what is certain and report the rest.")
@click.option("--diff", is_flag=True, help="Print what --fix would change, and write nothing.")
@click.option(
    "--unsafe-fixes",
    is_flag=True,
    help="With --fix or --diff: also apply fixes that may change what a card does.",
)
@click.option("--stdin-filename", metavar="FILE", help="With `-`: the file that standard input replaces.")
def check(**options: Any) -> int:
    """Check card files and say exactly what is wrong with them.

    Without a PATH the nearest project is checked. All of a project is read; only PATH is reported. The PATH
    `-` reads one file from standard input.
    """
    outputs = choose_outputs(options["form"], options["outputs"], options["statistics"])
    if options["statistics"] and outputs.printed not in COUNTED:
        raise click.UsageError(f"--statistics are printed as {', '.join(COUNTED)}; add --format text.")
    for name in ("theme", "look"):
        reject(f"--{name} belongs to --fit." if options[name] and not options["fit"] else None)
    targets, text = _targets(options)
    request = CheckRequest(
        targets=targets,
        today=time.strftime("%Y-%m-%d"),
        only=options["only"],
        cards=options["cards"],
        level=options["level"],
        text=text,
        baseline=_baseline(options),
        update=options["update_baseline"],
        fit=options["fit"],
        theme=options["theme"],
        look=options["look"],
        select=options["select"],
        ignore=options["ignore"],
        severity=options["severity"],
        isolated=options["isolated"],
        plugins=not options["no_plugins"],
        cache=not options["no_cache"],
    )
    if options["show_files"]:
        return _show_files(request)
    status = _run(request, outputs, options)
    return 0 if options["exit_zero"] else status


def _show_files(request: CheckRequest) -> int:
    """Print the files that would be checked."""
    files = files_to_check(request)
    if isinstance(files, str):
        raise click.UsageError(files)
    for file in files:
        echo(shown_name(file))
    return 0


def _run(request: CheckRequest, outputs: Outputs, options: dict[str, Any]) -> int:
    """Check, or show or make fixes, and print the report; return the exit status."""
    unsafe = options["unsafe_fixes"]
    if options["diff"]:
        return _show_fixes(request, unsafe=unsafe, strict=options["strict"])
    if options["fix"]:
        if request.text is not None:
            raise click.UsageError(
                "--fix writes files, and `-` is not a file; --diff shows what it would change."
            )
        _make_fixes(request, unsafe=unsafe, as_text=outputs.printed in ("text", "concise"))
    elif unsafe:
        raise click.UsageError("--unsafe-fixes belongs to --fix or --diff.")
    report = api.check(request)
    if isinstance(report, str):
        raise click.UsageError(report)
    if report.baseline is not None:
        write_file(Path(options["baseline"]), report.baseline)
    return deliver(report, outputs, options["strict"], options["statistics"])


def _targets(options: dict[str, Any]) -> tuple[list[Target], Text | None]:
    """Return the projects to check, and the text of standard input if it is one of the paths."""
    paths, name = options["paths"], options["stdin_filename"]
    if not is_stdin(paths, name):
        return targets_of(existing_paths(paths), options["whole_project"]), None
    if not name:
        raise click.UsageError("`-` needs --stdin-filename FILE: the project file that the text belongs to.")

    path = absolute(name)
    project = project_of(path)
    return [(project, path)], Text(path, sys.stdin.buffer.read(LARGEST_FILE + 1))


def _baseline(options: dict[str, Any]) -> Baseline | Path | None:
    """Return the baseline, or the path of one to create."""
    name, update = options["baseline"], options["update_baseline"]
    if name == "":  # an empty variable of a workflow would hide nothing, and nobody would know
        raise click.UsageError("--baseline needs the name of a file.")
    if name is None:
        if update:
            raise click.UsageError("--update-baseline needs --baseline FILE.")
        return None
    if update and options["stdin_filename"]:
        raise click.UsageError("--update-baseline needs the files themselves, not standard input.")

    path = absolute(name)
    problem = refused_link(Path(name)) if update or path.is_symlink() else None
    if problem is None and path.exists() and not path.is_dir():
        baseline = read_baseline(path)
        if isinstance(baseline, str):
            raise click.UsageError(baseline)
        return baseline
    problem = problem or refused_file(Path(name))
    if problem is None and not update:
        problem = f"there is no file {name}; --update-baseline creates it."
    reject(f"--baseline: {problem}" if problem else None)
    return path


def _show_fixes(request: CheckRequest, *, unsafe: bool, strict: bool) -> int:
    """Print what fixing would change, and write nothing; return the exit status."""
    result = _fixed(request, unsafe)
    echo("".join(map(api.difference, result.changes)), nl=False)
    report = make_report(result.remaining, 0, 0)
    fix_count, remaining = len(result.fixed), len(result.remaining)
    summary = f"{counted(fix_count, 'finding')} would be fixed, {counted(remaining, 'finding')} would remain."
    echo(summary if fix_count or remaining else "No findings.", err=True)
    return 1 if result.changes else report.exit_status(strict)


def _make_fixes(request: CheckRequest, *, unsafe: bool, as_text: bool) -> None:
    """Fix files, and print what was fixed: on standard output before a text report, else on standard error.

    Raises ``CommandFailed`` in the end if files cannot be written.
    """
    result = _fixed(request, unsafe)
    problems = {change.file.path: api.save(change) for change in result.changes}
    # A fix may be in another file than its finding.
    written_findings = [
        finding for finding in result.fixed if not problems[(finding.fix or finding).span.file.path]
    ]
    fixed_findings = sorted(
        written_findings, key=lambda finding: (finding.span.file.name, *finding.span.begin_position)
    )
    say = partial(echo, err=not as_text)
    for line in _fix_lines(fixed_findings, result.dropped):
        say(line)
    if any(problems.values()):
        raise CommandFailed("\n".join(filter(None, problems.values())))
    dropped_keys = set(map(_key, result.dropped))
    unfixed_keys = [_key(finding) for finding in result.remaining if finding.fix is not None]
    unsafe_count = sum(key not in dropped_keys for key in unfixed_keys)
    if unsafe_count and not unsafe:
        say(f"{counted(unsafe_count, 'finding')} more with --unsafe-fixes.")
    if result.fixed or result.dropped or unsafe_count:
        say()  # a blank line before the report


def _fix_lines(fixed: Sequence[Diagnostic], dropped: Sequence[Diagnostic]) -> Iterator[str]:
    """Yield a line for each finding that was fixed, or whose fix was dropped, up to a limit."""
    for finding in fixed[:MAX_IN_FILE]:
        yield f"Fixed {place(finding.span)}: {finding.name}{_edit(finding)}"
    if len(fixed) > MAX_IN_FILE:
        yield f"Fixed {len(fixed) - MAX_IN_FILE} more."
    for finding in dropped[:MAX_IN_FILE]:
        yield f"Left {place(finding.span)}: {finding.name}; fixing it would leave or introduce another error"
    if len(dropped) > MAX_IN_FILE:
        yield f"Left {len(dropped) - MAX_IN_FILE} more, for the same reason."


def _fixed(request: CheckRequest, unsafe: bool) -> Fixed:
    """Return what fixing in memory gives; wrong use if the request cannot be fulfilled."""
    result = api.fix(request, unsafe)
    if isinstance(result, str):
        raise click.UsageError(result)
    return result


def _key(finding: Diagnostic) -> tuple[str, int, str, str]:
    """Return what tells a finding from others of the same reading."""
    return (finding.span.file.name, finding.span.start, finding.name, finding.message)


def _edit(finding: Diagnostic) -> str:
    """Return what was replaced by what, if that is short enough."""
    fix = finding.fix
    if fix is None:
        return ""
    old, new = fix.span.text, fix.replacement
    if max(len(old), len(new)) > _MAX_FIX_LENGTH or not old.strip() or not (old + new).isprintable():
        return ""
    return f", {old.strip()} → {new.strip()}" if new.strip() else f", {old.strip()} removed"
