"""Findings held against the suppressions of a project: what is told, what is kept back, what is over."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from toolkit.diagnostics.catalogue import CATALOGUE, NOT_SUPPRESSED
from toolkit.diagnostics.finding import Diagnostic, Fix
from toolkit.diagnostics.hiding import Hiding
from toolkit.diagnostics.suppressions import Suppression
from toolkit.source import Span

_Place = tuple[Path, str]
"""A file and the name of a finding."""


class Settled(Struct, frozen=True):
    """``told`` are the findings to tell, those about suppressions among them; ``suppressed`` the others."""

    told: Sequence[Diagnostic]
    suppressed: Sequence[Diagnostic] = ()


def settle(
    findings: Sequence[Diagnostic],
    suppressions: Sequence[Suppression],
    today: str,
    unseen: Collection[str] = (),
) -> Settled:
    """Hold all findings of a project against its suppressions, on a day such as 2027-01-31.

    ``unseen`` are names that this run did not look for: to suppress one of them is not in vain.
    """
    if not suppressions:
        return Settled(findings)
    starts: dict[_Place, list[int]] = {}
    for finding in findings:
        starts.setdefault((finding.span.file.path, finding.name), []).append(finding.span.start)
    for found in starts.values():
        found.sort()
    holding = [one for one in suppressions if not _is_over(one, today)]
    covered = _covered(holding)
    told: list[Diagnostic] = []
    kept: list[Diagnostic] = []
    for finding in findings:
        stretches = covered.get((finding.span.file.path, finding.name), ())
        at = bisect_right(stretches, (finding.span.start, sys.maxsize)) - 1
        held = at >= 0 and finding.span.start <= stretches[at][1] and finding.name not in NOT_SUPPRESSED
        (kept if held else told).append(finding)
    hiding = Hiding(told)  # a suppressed error is accepted: nothing waits for it to be fixed
    for suppression in suppressions:
        if _is_over(suppression, today):
            told.append(_over(suppression))
        else:
            told += _unused(suppression, starts, hiding, unseen)
    return Settled(told, kept)


def _covered(suppressions: Iterable[Suppression]) -> dict[_Place, list[tuple[int, int]]]:
    """What suppressions cover of a file for each finding that they name, as stretches that do not meet."""
    written: dict[_Place, set[tuple[int, int]]] = {}
    for one in suppressions:
        for name in one.names:
            stretches = written.setdefault((one.covers.file.path, name.text), set())
            stretches.add((one.covers.start, one.covers.end))
    return {place: _joined(stretches) for place, stretches in written.items()}


def _joined(stretches: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same places as stretches in order, none of which overlaps another."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(stretches):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def _is_over(suppression: Suppression, today: str) -> bool:
    return bool(suppression.until) and suppression.until < today


def _over(suppression: Suppression) -> Diagnostic:
    return Diagnostic(
        "expired-suppression",
        f"This suppression expired on {suppression.until}.",
        suppression.span,
        "Fix the finding and remove the comment, or give a later date.",
    )


def _unused(
    suppression: Suppression, starts: dict[_Place, list[int]], hiding: Hiding, unseen: Collection[str]
) -> Iterator[Diagnostic]:
    """The names of a suppression for which there is no finding where it holds, of all that ``starts`` has."""
    covers = suppression.covers
    for name in suppression.names:
        known = name.text in CATALOGUE and name.text not in NOT_SUPPRESSED and name.text not in unseen
        if not known or hiding.in_file(name.file.path, name.text):
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
    """The comment with the spaces before it; with its line, if nothing else stands in it."""
    text, start, end = comment.file.text, comment.start, comment.end
    while start and text[start - 1] in " \t":
        start -= 1
    if start == 0 or text[start - 1] in "\r\n":
        end += 2 if text.startswith("\r\n", end) else int(end < len(text))
    return comment.file.span(start, end)
