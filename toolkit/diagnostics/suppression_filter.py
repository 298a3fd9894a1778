"""Findings filtered by the suppressions of a project: reported, suppressed, and obsolete suppressions."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from toolkit.diagnostics.catalogue import CATALOGUE, NOT_SUPPRESSED, severity_of
from toolkit.diagnostics.finding import Diagnostic, Fix
from toolkit.diagnostics.suppressions import Suppression
from toolkit.source import Span

_Key = tuple[Path, str]
"""A file and the name of a finding."""


class HidingErrors:
    """The errors of a project. Of a broken file, card or effect the check cannot find everything.

    Errors in suppression comments hide nothing. A finding that depends on several entries (that nothing uses
    one, that another one is better) may come back when any of them is fixed, so every error may hide it.
    """

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        errors = [
            finding
            for finding in findings
            if severity_of(finding.name) == "error" and finding.name not in NOT_SUPPRESSED
        ]
        self._files = {finding.span.file.path for finding in errors}
        self._cards = {finding.card for finding in errors}

    def may_hide_in_file(self, path: Path, name: str) -> bool:
        """Whether a finding of that name may be in a file although it was not found."""
        return path in self._files or (_is_about_project(name) and bool(self._files))

    def may_hide_in_card(self, card: str | None, name: str) -> bool:
        """Whether a finding of that name may be in a card (None: in none) although it was not found.

        An error outside of cards may be a file that could not be read, with the card in it.
        """
        return bool(self._cards) and (
            card is None or card in self._cards or None in self._cards or _is_about_project(name)
        )


def _is_about_project(name: str) -> bool:
    return name.startswith("unused-") or (name in CATALOGUE and CATALOGUE[name].about == "project")


class FilteredFindings(Struct, frozen=True):
    """``reported`` are the findings left, with those about suppressions; ``suppressed`` are the others."""

    reported: Sequence[Diagnostic]
    suppressed: Sequence[Diagnostic] = ()


def filter_suppressed(
    findings: Sequence[Diagnostic],
    suppressions: Sequence[Suppression],
    today: str,
    unchecked: Collection[str] = (),
) -> FilteredFindings:
    """Filter all findings of a project by its suppressions, on a day such as 2027-01-31.

    ``unchecked`` are names that this run did not look for: a suppression of one of them is not unused.
    """
    if not suppressions:
        return FilteredFindings(findings)
    starts: dict[_Key, list[int]] = {}
    for finding in findings:
        starts.setdefault((finding.span.file.path, finding.name), []).append(finding.span.start)
    for found in starts.values():
        found.sort()
    ranges = _suppressed_ranges(one for one in suppressions if not _is_expired(one, today))
    reported: list[Diagnostic] = []
    suppressed: list[Diagnostic] = []
    for finding in findings:
        covered = ranges.get((finding.span.file.path, finding.name), ())
        at = bisect_right(covered, (finding.span.start, sys.maxsize)) - 1
        hit = at >= 0 and finding.span.start <= covered[at][1] and finding.name not in NOT_SUPPRESSED
        (suppressed if hit else reported).append(finding)
    errors = HidingErrors(reported)  # a suppressed error is accepted: nobody will fix it
    for suppression in suppressions:
        if _is_expired(suppression, today):
            reported.append(
                Diagnostic(
                    "expired-suppression",
                    f"This suppression expired on {suppression.until}.",
                    suppression.span,
                    "Fix the finding and remove the comment, or give a later date.",
                )
            )
        else:
            reported += _unused(suppression, starts, errors, unchecked)
    return FilteredFindings(reported, suppressed)


def _suppressed_ranges(suppressions: Iterable[Suppression]) -> dict[_Key, list[tuple[int, int]]]:
    """Return by file and name which ranges of the text are suppressed, in order and without overlaps.

    A file with thousands of comments stays quick this way: each finding is one binary search.
    """
    found: dict[_Key, set[tuple[int, int]]] = {}
    for one in suppressions:
        for name in one.names:
            ranges = found.setdefault((one.covers.file.path, name.text), set())
            ranges.add((one.covers.start, one.covers.end))
    return {key: _without_overlaps(ranges) for key, ranges in found.items()}


def _without_overlaps(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _is_expired(suppression: Suppression, today: str) -> bool:
    return bool(suppression.until) and suppression.until < today


def _unused(
    suppression: Suppression, starts: dict[_Key, list[int]], errors: HidingErrors, unchecked: Collection[str]
) -> Iterator[Diagnostic]:
    """The names of a suppression for which there is no finding where it holds; ``starts`` has all."""
    covers = suppression.covers
    for name in suppression.names:
        known = name.text in CATALOGUE and name.text not in NOT_SUPPRESSED and name.text not in unchecked
        if not known or errors.may_hide_in_file(name.file.path, name.text):
            continue
        there = starts.get((covers.file.path, name.text), ())
        first = bisect_left(there, covers.start)
        if first < len(there) and there[first] <= covers.end:
            continue
        alone = len(suppression.names) == 1
        yield Diagnostic(
            "unused-suppression",
            f"There is no `{name.text}` here to suppress.",
            name,
            "Remove the comment." if alone else "Remove the name.",
            fix=Fix(_whole(suppression.span), "") if alone else None,
        )


def _whole(comment: Span) -> Span:
    """Return the comment with the spaces before it; with its line, if nothing else stands in it."""
    text, start, end = comment.file.text, comment.start, comment.end
    while start and text[start - 1] in " \t":
        start -= 1
    if start == 0 or text[start - 1] in "\r\n":
        end += 2 if text.startswith("\r\n", end) else int(end < len(text))
    return comment.file.span(start, end)
