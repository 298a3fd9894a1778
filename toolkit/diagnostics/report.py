"""The findings of a run, sorted, with the numbers of files and cards that were checked.

A report lists at most ``MAX_IN_FILE`` findings of a file and ``MAX_IN_RUN`` in total, errors before
warnings, and only counts the others: a million mistakes are one sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from toolkit.diagnostics.catalogue import CATALOGUE, reported_severity, severity_of
from toolkit.diagnostics.finding import Diagnostic, Severity
from toolkit.source import SourceFile
from toolkit.source.short_repr import PublicValue, short_repr

MAX_IN_FILE = 200
MAX_IN_RUN = 2000

Kind = tuple[Severity, str]
"""A severity and the name of a finding: one finding may be an error in some files and a warning in others."""


class LeftOut(PublicValue, Struct, frozen=True):
    """The findings of a file that are only counted: how many of each kind, and how many have a safe fix."""

    file: SourceFile
    kinds: Mapping[Kind, int]
    fixable: int = 0

    @property
    def number(self) -> int:
        """How many there are."""
        return sum(self.kinds.values())

    @property
    def errors(self) -> int:
        """How many of them are errors."""
        return _errors(self.kinds)

    @property
    def severity(self) -> Severity:
        """The highest severity among them."""
        return "error" if self.errors else "warning"


class Report(PublicValue, Struct, frozen=True):
    """Findings by file and place, and how many files and cards were checked.

    ``left_out`` are the findings that are only counted, by file. ``paths`` are the files that were checked,
    where the run knows them. ``suppressed`` is the number of findings that comments suppress, ``baselined``
    the number in the baseline. ``baseline`` is the text of the new baseline, if one was requested.
    ``text_only`` is the number of cards with rules that no program plays (E-1). ``off`` says in a few words
    each what was not to be reported.
    """

    findings: tuple[Diagnostic, ...]
    files: int
    cards: int
    paths: tuple[Path, ...] = ()
    suppressed: int = 0
    baselined: int = 0
    baseline: str | None = None
    left_out: tuple[LeftOut, ...] = ()
    text_only: int = 0
    off: tuple[str, ...] = ()

    @property
    def kinds(self) -> Counter[Kind]:
        """The number of findings of each kind, listed or not."""
        kinds = _kinds(self.findings)
        for unlisted in self.left_out:
            kinds.update(unlisted.kinds)
        return kinds

    def __repr__(self) -> str:
        names = ("errors", "warnings", "files", "cards", "suppressed", "baselined")
        return short_repr(self, [(name, getattr(self, name)) for name in names])

    @property
    def names(self) -> Counter[str]:
        """The number of findings by name, listed or not."""
        names: Counter[str] = Counter()
        for (_, name), number in self.kinds.items():
            names[name] += number
        return names

    @property
    def errors(self) -> int:
        """The number of errors, listed or not."""
        return _errors(self.kinds)

    @property
    def warnings(self) -> int:
        """The number of warnings, listed or not."""
        return len(self.findings) + self.not_listed - self.errors

    @property
    def not_listed(self) -> int:
        """The number of findings that are only counted."""
        return sum(unlisted.number for unlisted in self.left_out)

    @property
    def fixable(self) -> int:
        """The number of findings with a safe fix, listed or not."""
        return sum(map(_is_fixable, self.findings)) + sum(unlisted.fixable for unlisted in self.left_out)

    def exit_status(self, strict: bool = False) -> int:
        """Return 1 if there are errors, or if ``strict`` any findings except those of playing; else 0."""
        has_counted_findings = strict and any(CATALOGUE[name].about != "play" for _, name in self.kinds)
        return 1 if self.errors or has_counted_findings else 0


def make_report(findings: Iterable[Diagnostic], files: int, cards: int) -> Report:
    """Return the report of findings in any order; the same finding at the same place counts once."""
    listed, left_out = limited(sorted_findings(findings))
    return Report(listed, files, cards, left_out=left_out)


def limited(findings: Sequence[Diagnostic]) -> tuple[tuple[Diagnostic, ...], tuple[LeftOut, ...]]:
    """Return the findings that a report lists, in the given order, and by file those that it only counts."""
    if len(findings) <= MAX_IN_FILE:
        return tuple(findings), ()
    listed = _listed_indices(findings)
    unlisted_by_file: dict[Path, list[Diagnostic]] = {}
    for index, finding in enumerate(findings):
        if index not in listed:
            unlisted_by_file.setdefault(finding.span.file.path, []).append(finding)
    left_out: list[LeftOut] = []
    for unlisted in unlisted_by_file.values():
        first, *_ = unlisted
        left_out.append(LeftOut(first.span.file, _kinds(unlisted), sum(map(_is_fixable, unlisted))))
    return tuple(findings[index] for index in sorted(listed)), tuple(left_out)


def _listed_indices(findings: Sequence[Diagnostic]) -> set[int]:
    """Return the indices of the findings to list: errors first, up to the limits of a file and of the run."""
    listed: set[int] = set()
    listed_in_file: Counter[Path] = Counter()
    indices = range(len(findings))
    errors_first = sorted(indices, key=lambda index: reported_severity(findings[index]) != "error")
    for index in errors_first:
        path = findings[index].span.file.path
        if listed_in_file[path] < MAX_IN_FILE and len(listed) < MAX_IN_RUN:
            listed_in_file[path] += 1
            listed.add(index)
    return listed


def _kinds(findings: Iterable[Diagnostic]) -> Counter[Kind]:
    return Counter((reported_severity(finding), finding.name) for finding in findings)


def _errors(kinds: Mapping[Kind, int]) -> int:
    return sum(number for (severity, _), number in kinds.items() if severity == "error")


def _is_fixable(finding: Diagnostic) -> bool:
    return finding.fix is not None and finding.fix.safe


def new_errors(
    findings_before: Iterable[Diagnostic], findings_after: Iterable[Diagnostic]
) -> list[Diagnostic]:
    """Return the errors that a project did not have before a change, compared by name and message.

    Places are not compared: the change may have moved them.
    """
    known_before = {(finding.name, finding.message) for finding in findings_before}
    return [
        finding
        for finding in findings_after
        if severity_of(finding.name) == "error" and (finding.name, finding.message) not in known_before
    ]


def sorted_findings(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return findings sorted by file and place; the same finding at the same place counts once."""
    unique = {}
    for finding in findings:
        span = finding.span
        unique[span.file.name, span.start, span.end, finding.name, finding.message] = finding
    return tuple(unique[key] for key in sorted(unique))
