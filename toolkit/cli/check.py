"""``opforge check``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolkit.cli.shared import REPORT_FORMATS, existing_paths, project_of, targets_of, whole_project_option

if TYPE_CHECKING:
    from toolkit.data.project_files import Target
    from toolkit.diagnostics.baseline import Baseline
    from toolkit.project.checks import CheckWish, Text

COUNTED = ("text", "concise", "json")
"""The formats in which findings can be counted instead of told."""


@click.command()
@click.argument("paths", metavar="[PATH]…", nargs=-1)
@click.option(
    "--format",
    "form",
    type=click.Choice(REPORT_FORMATS),
    help="The output format. Default: text, or github under GitHub Actions.",
)
@click.option(
    "--output",
    "outputs",
    metavar="FORMAT:FILE",
    multiple=True,
    help="Also write a report to a file; may be repeated. `FORMAT:-` prints it.",
)
@click.option("--strict", is_flag=True, help="Warnings count as errors for the exit status.")
@click.option(
    "--level",
    type=click.Choice(["error", "warning"]),
    default="warning",
    help="Report only errors, or warnings too.  [default: warning]",
)
@click.option("--only", metavar="NAME", multiple=True, help="Report only this finding; may be repeated.")
@click.option("--card", "cards", metavar="ID", multiple=True, help="Only this card; may be repeated.")
@click.option("--fit", is_flag=True, help="Also check that the texts of all cards fit, in every language.")
@click.option("--statistics", is_flag=True, help="Count the findings instead of listing them.")
@whole_project_option()
@click.option(
    "--baseline",
    metavar="FILE",
    help="Hide the findings recorded in this file, and report those that no longer occur.",
)
@click.option(
    "--update-baseline",
    is_flag=True,
    help="Create the baseline from all findings; if it exists, only remove what no longer occurs.",
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
    from toolkit import api
    from toolkit.cli.outputs import chosen_outputs, tell, write_file
    from toolkit.project.checks import Refusal

    outputs = chosen_outputs(options["form"], options["outputs"], options["statistics"])
    if options["statistics"] and outputs.printed not in COUNTED:
        raise click.UsageError(f"--statistics are printed as {', '.join(COUNTED)}; add --format text.")
    wish = _wish(options)
    if options["fix"] or options["diff"] or options["unsafe_fixes"]:
        done = _fix(wish, options, as_text=outputs.printed in ("text", "concise"))
        if done is not None:
            return done
    report = api.check(wish)
    if isinstance(report, Refusal):
        raise click.UsageError(report.message)
    if report.baseline is not None:
        write_file(Path(options["baseline"]), report.baseline)
    return tell(report, outputs, options["strict"], options["statistics"])


def _fix(wish: CheckWish, options: dict[str, Any], *, as_text: bool) -> int | None:
    """Make fixes before the check, or show them in its place: then the exit status."""
    from toolkit.cli.fixing import make_fixes, show_fixes

    unsafe = options["unsafe_fixes"]
    if options["diff"]:
        return show_fixes(wish, unsafe=unsafe, strict=options["strict"])
    if not options["fix"]:
        raise click.UsageError("--unsafe-fixes belongs to --fix or --diff.")
    if wish.text is not None:
        raise click.UsageError(
            "--fix writes files, and `-` is not a file; --diff shows what it would change."
        )
    make_fixes(wish, unsafe=unsafe, as_text=as_text)
    return None


def _wish(options: dict[str, Any]) -> CheckWish:
    import time

    from toolkit.project.checks import CheckWish

    targets, text = _targets(options)
    return CheckWish(
        targets,
        time.strftime("%Y-%m-%d"),
        options["only"],
        options["cards"],
        options["level"],
        text,
        _baseline(options),
        options["update_baseline"],
        options["fit"],
    )


def _baseline(options: dict[str, Any]) -> Baseline | Path | None:
    """The baseline, or the path of one that is to be made."""
    name, update = options["baseline"], options["update_baseline"]
    if not name:
        if update:
            raise click.UsageError("--update-baseline needs --baseline FILE.")
        return None
    if update and options["stdin_filename"]:
        raise click.UsageError("--update-baseline needs the files themselves, not standard input.")
    from toolkit.cli.outputs import refused_file
    from toolkit.diagnostics.baseline import read_baseline
    from toolkit.source.paths import absolute
    from toolkit.source.writing import refused_link

    path = absolute(name)
    linked = refused_link(Path(name)) if update or path.is_symlink() else None
    if linked:
        raise click.UsageError(f"--baseline: {linked}")
    if path.exists() and not path.is_dir():
        baseline = read_baseline(path)
        if isinstance(baseline, str):
            raise click.UsageError(baseline)
        return baseline
    refused = refused_file(Path(name))
    if refused is None and not update:
        refused = f"there is no file {name}; --update-baseline creates it."
    if refused is not None:
        raise click.UsageError(f"--baseline: {refused}")
    return path


def _targets(options: dict[str, Any]) -> tuple[list[Target], Text | None]:
    """The projects to check, and the text of standard input."""
    paths, name = options["paths"], options["stdin_filename"]
    if "-" not in paths:
        if name:
            raise click.UsageError("--stdin-filename belongs to the PATH `-`, which reads standard input.")
        return targets_of(existing_paths(paths), options["whole_project"]), None
    if len(paths) > 1:
        raise click.UsageError("`-` (standard input) cannot be combined with other PATHs.")
    if not name:
        raise click.UsageError("`-` needs --stdin-filename FILE: the project file that the text belongs to.")
    from toolkit.project.checks import Text
    from toolkit.source.paths import absolute
    from toolkit.source.reading import LARGEST_FILE

    path = absolute(name)
    project = project_of(path)
    return [(project, path)], Text(path, sys.stdin.buffer.read(LARGEST_FILE + 1))
