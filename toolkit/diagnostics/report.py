"""All findings of a run, sorted, with what they were found in."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from toolkit.diagnostics.catalogue import severity_of
from toolkit.diagnostics.finding import Diagnostic
from toolkit.records import dataclass


@dataclass(frozen=True, slots=True)
class Report:
    """Findings by file and place, and how many files and cards were looked at.

    ``paths`` are the files that were looked at, where the run can tell. ``suppressed`` is how many findings a
    comment in the files keeps back, ``baselined`` how many a baseline does. ``baseline`` is the text of the
    baseline as it is to be, where that was asked for.
    """

    findings: tuple[Diagnostic, ...]
    files: int
    cards: int
    paths: tuple[Path, ...] = ()
    suppressed: int = 0
    baselined: int = 0
    baseline: str | None = None

    @property
    def errors(self) -> int:
        """How many findings are errors."""
        return sum(severity_of(finding.name) == "error" for finding in self.findings)

    @property
    def warnings(self) -> int:
        """How many findings are warnings."""
        return len(self.findings) - self.errors

    def exit_status(self, strict: bool = False) -> int:
        """1 if there are errors, or with ``strict`` any findings; else 0."""
        return 1 if self.errors or (strict and self.findings) else 0


def make_report(findings: Iterable[Diagnostic], files: int, cards: int) -> Report:
    """The report of findings in any order; the same finding at the same place counts once."""
    return Report(in_order(findings), files, cards)


def in_order(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Findings by file and place; the same finding at the same place counts once."""
    unique = {(f.span.file.name, f.span.start, f.span.end, f.name, f.message): f for f in findings}
    return tuple(unique[key] for key in sorted(unique))
