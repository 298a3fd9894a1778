"""``opforge check --fix`` and ``--diff``: fixes made, or shown."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from toolkit.cli.shared import ItBroke, echo

if TYPE_CHECKING:
    from toolkit.diagnostics import Diagnostic
    from toolkit.project.checks import CheckWish
    from toolkit.project.fixing import Fixed
    from toolkit.source import SourceFile

_LONGEST = 30


def show_fixes(wish: CheckWish, *, unsafe: bool, strict: bool) -> int:
    """Print what fixing would change, and write nothing; the exit status."""
    from toolkit import api
    from toolkit.diagnostics.report import make_report

    fixed = _made(wish, unsafe)
    echo("".join(map(api.difference, fixed.changes)), nl=False)
    report = make_report(fixed.remaining, 0, 0)
    told = f"{_counted(len(fixed.fixed))} would be fixed, {_counted(len(fixed.remaining))} would remain."
    echo(told if fixed.fixed or fixed.remaining else "No findings.", err=True)
    return 1 if fixed.changes else report.exit_status(strict)


def make_fixes(wish: CheckWish, *, unsafe: bool, as_text: bool) -> None:
    """Fix files and say what was fixed: on standard output beside a report as text, else on standard error.

    Whatever cannot be written is told when all else is, with exit status 3.
    """
    from toolkit import api
    from toolkit.diagnostics.report import MOST_IN_FILE

    fixed = _made(wish, unsafe)
    problems = {change.file.path: api.save(change) for change in fixed.changes}
    made = [one for one in sorted(fixed.fixed, key=_in_file) if not problems[_file(one).path]]
    lines = [f"Fixed {_place(one)}: {one.name}{_edit(one)}" for one in made[:MOST_IN_FILE]]
    lines += [f"Fixed {len(made) - MOST_IN_FILE} more."] if len(made) > MOST_IN_FILE else []
    why = "another mistake would be left or introduced"
    lines += [f"Left {_place(one)}: {one.name}, for {why}" for one in fixed.dropped[:MOST_IN_FILE]]
    left = len(fixed.dropped) - MOST_IN_FILE
    lines += [f"Left {left} more, for the same reason."] if left > 0 else []
    for line in lines:
        echo(line, err=not as_text)
    told = [problem for problem in problems.values() if problem]
    if told:
        raise ItBroke("\n".join(told))
    dropped = set(map(_key, fixed.dropped))
    likely = sum(one.fix is not None and _key(one) not in dropped for one in fixed.remaining)
    if likely and not unsafe:
        echo(f"{_counted(likely)} more with --unsafe-fixes.", err=not as_text)
    if fixed.fixed or fixed.dropped or likely:
        echo(err=not as_text)


def tell_fixable(sure: int) -> None:
    """Say below a report on a terminal what --fix would do for it."""
    if sure and sys.stdout.isatty():
        echo(f"{_counted(sure)} can be fixed safely: opforge check --fix")


def _made(wish: CheckWish, unsafe: bool) -> Fixed:
    from toolkit import api
    from toolkit.project.checks import Refusal

    fixed = api.fix(wish, unsafe)
    if isinstance(fixed, Refusal):
        raise click.UsageError(fixed.message)
    return fixed


def _in_file(finding: Diagnostic) -> tuple[str, int, int]:
    return (finding.span.file.name, *finding.span.begin_position)


def _key(finding: Diagnostic) -> tuple[str, int, str, str]:
    return (finding.span.file.name, finding.span.start, finding.name, finding.message)


def _file(finding: Diagnostic) -> SourceFile:
    return finding.fix.span.file if finding.fix is not None else finding.span.file


def _place(finding: Diagnostic) -> str:
    line, column = finding.span.begin_position
    return f"{finding.span.file.name}:{line}:{column}"


def _edit(finding: Diagnostic) -> str:
    """What became what, where it is short enough to be read at a glance."""
    fix = finding.fix
    if fix is None:
        return ""
    before, after = fix.span.text, fix.replacement
    if max(len(before), len(after)) > _LONGEST or not before.strip() or not (before + after).isprintable():
        return ""
    return f", {before.strip()} → {after.strip()}" if after.strip() else f", {before.strip()} removed"


def _counted(findings: int) -> str:
    return f"{findings} finding{'' if findings == 1 else 's'}"
