"""Suppressions: comments such as ``# opforge: ignore[name] until: 2027-01-31 reason``, and their effect.

``ignore-file`` in place of ``ignore`` is for the whole file.
"""

from __future__ import annotations

import re
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path

from msgspec import Struct

from toolkit.diagnostics.catalogue import CATALOGUE, NEVER_SUPPRESSED, severity_of
from toolkit.diagnostics.finding import Diagnostic, Fix, correction
from toolkit.source import Span
from toolkit.vocabulary.nearest import nearest

# these patterns are compiled on use: a project without suppressions starts faster
MARK = r"(?i)#[ \t]*opforge[ \t]*(?::|ignore\b)"
"""The beginning of a comment that is meant for opforge, well-formed or not."""
_FORM = r"#[ \t]*opforge:[ \t]*ignore(?P<file>-file)?\[(?P<names>[^\]]*)\][ \t]*(?P<reason>.*)"
_UNTIL = r"until:[ \t]*(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ \t]+|$)"
_LONGEST_SHOWN = 40
"""Letters of an unknown name that a message repeats."""
_STEP = "Write `# opforge: ignore[name] why`, or `# opforge: ignore[name] until: 2027-01-31 why`."


class Suppression(Struct, frozen=True):
    """One comment, which suppresses the findings that it names and that begin within ``covers``.

    ``span`` is the comment, ``names`` the findings' names in it; ``until`` is the last day on which it is
    valid, such as 2027-01-31, or empty.
    """

    span: Span
    names: tuple[Span, ...]
    covers: Span
    until: str = ""


def read_suppression(comment: Span, covers: Span) -> tuple[Suppression | None, list[Diagnostic]]:
    """Read a comment that begins with ``MARK``: return its suppression, and what is wrong with it.

    ``covers`` is what belongs to the comment; `ignore-file` covers the whole file instead.
    """
    match = re.fullmatch(_FORM, comment.text)
    if match is None:
        return None, [_broken(comment, "opforge does not understand this comment.")]
    start = comment.start + match.start("names")
    name_matches = re.finditer(r"[^,\s](?:[^,]*[^,\s])?", match["names"])
    names = [comment.file.span(start + name.start(), start + name.end()) for name in name_matches]
    if not names:
        with_brackets = comment.file.span(start - 1, comment.start + match.end("names") + 1)
        return None, [_broken(with_brackets, "No finding is named between the brackets.")]
    until_and_reason = _until_and_reason(match["reason"])
    if until_and_reason is None:
        span = comment.file.span(comment.start + match.start("reason"), comment.end)
        return None, [_broken(span, "There is no date after `until`.")]
    until, reason = until_and_reason
    findings = [finding for name in names if (finding := unknown_finding(name))]
    if not reason:
        message = "This suppression gives no reason."
        step = "Write the reason after it, for others who read the file."
        findings.append(Diagnostic("missing-reason", message, comment, step))
    if match["file"]:
        covers = comment.file.span(0, len(comment.file.text))
    return Suppression(comment, tuple(names), covers, until), findings


def _broken(span: Span, message: str) -> Diagnostic:
    return Diagnostic("broken-suppression", message, span, _STEP)


def _until_and_reason(text: str) -> tuple[str, str] | None:
    """Return the last day, empty if none is given, and the reason; None if `until` has no date after it."""
    if not re.match(r"until\b", text):
        return "", text.strip()
    match = re.match(_UNTIL, text)
    if match is None:
        return None
    until, reason = match["day"], text[match.end() :].strip()
    try:
        date.fromisoformat(until)
    except ValueError:  # such as the 30th of February
        return None
    return until, reason


def unknown_finding(name: Span, groups: Collection[str] = ()) -> Diagnostic | None:
    """Return what is wrong with the name of a finding to hide, which may also be that of a group."""
    if name.text in NEVER_SUPPRESSED:
        message = f"`{name.text}` is about suppressions and cannot be suppressed itself."
        return Diagnostic("unknown-finding", message, name, "Fix what it reports.")
    if name.text in CATALOGUE or name.text in groups:
        return None
    nearest_name = nearest(name.text, (*CATALOGUE, *groups))
    hint = f" Did you mean `{nearest_name}`?" if nearest_name else ""
    shown = name.text if len(name.text) <= _LONGEST_SHOWN else f"{name.text[: _LONGEST_SHOWN - 1]}…"
    step = "Write the name shown in brackets in the finding; `opforge findings` lists them all."
    if groups:
        step = f"{step.rstrip('.')}, and the groups are {', '.join(groups)}."
    fix = correction(name, nearest_name, safe=False)
    return Diagnostic("unknown-finding", f"There is no finding `{shown}`.{hint}", name, step, fix=fix)


_Key = tuple[Path, str]
"""A file, and the name of a finding."""


class BlindSpots:
    """The files and cards in which an error may hide other findings: a broken one is not fully checked.

    Without this, fixing an error would bring back findings whose suppressions and baseline entries had been
    reported as unused in the meantime. Errors in suppression comments hide nothing. A finding that depends on
    several entries (one is unused, another one is better) may come back when any of them is fixed, so every
    error may hide it.
    """

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        """Note the files and cards with errors; the card None stands for an error outside of cards."""
        errors = [
            finding
            for finding in findings
            # in spite of an error about suppressions or playing, the cards are fully checked
            if severity_of(finding.name) == "error" and finding.name not in NEVER_SUPPRESSED
        ]
        self._files = {finding.span.file.path for finding in errors}
        self._cards = {finding.card for finding in errors}

    def may_hide_in_file(self, path: Path, name: str) -> bool:
        """Whether a finding of this name may exist in a file although it was not found."""
        return path in self._files or (_is_about_project(name) and bool(self._files))

    def may_hide_in_card(self, card: str | None, name: str) -> bool:
        """Whether a finding of this name may exist in a card (None: outside) although it was not found.

        An error outside of cards may be a file that could not be read, with the card in it.
        """
        return bool(self._cards) and (
            card is None or card in self._cards or None in self._cards or _is_about_project(name)
        )


def _is_about_project(name: str) -> bool:
    return name.startswith("unused-") or (name in CATALOGUE and CATALOGUE[name].about == "project")


class FilteredFindings(Struct, frozen=True):
    """``reported`` are the remaining findings and those about suppressions; ``suppressed`` are the others."""

    reported: Sequence[Diagnostic]
    suppressed: Sequence[Diagnostic] = ()


def filter_suppressed(
    findings: Sequence[Diagnostic],
    suppressions: Sequence[Suppression],
    today: str,
    unchecked: Collection[str] = (),
) -> FilteredFindings:
    """Filter all findings of a project by its suppressions; ``today`` is a day such as 2027-01-31.

    ``unchecked`` are findings that this run did not look for: a suppression of one of them is not unused.
    """
    if not suppressions:
        return FilteredFindings(findings)
    active = [suppression for suppression in suppressions if not _is_expired(suppression, today)]
    reported, suppressed = _divided(findings, _suppressed_ranges(active))
    blind_spots = BlindSpots(reported)  # a suppressed error is accepted: nobody will fix it
    starts = _sorted_starts(findings)
    for suppression in suppressions:
        if _is_expired(suppression, today):
            reported.append(_expiry_finding(suppression))
        else:
            reported += _unused(suppression, starts, blind_spots, unchecked)
    return FilteredFindings(reported, suppressed)


def _divided(
    findings: Iterable[Diagnostic], ranges_by_key: Mapping[_Key, list[tuple[int, int]]]
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Divide findings into those that no range covers, and those that begin in one."""
    reported: list[Diagnostic] = []
    suppressed: list[Diagnostic] = []
    for finding in findings:
        ranges = ranges_by_key.get((finding.span.file.path, finding.name), ())
        # only the last range that begins at or before the finding can cover it: no two overlap
        begun = bisect_right(ranges, (finding.span.start, sys.maxsize))
        is_covered = False
        if begun:
            _, last_end = ranges[begun - 1]
            is_covered = finding.span.start <= last_end
        is_suppressed = is_covered and finding.name not in NEVER_SUPPRESSED
        (suppressed if is_suppressed else reported).append(finding)
    return reported, suppressed


def _sorted_starts(findings: Iterable[Diagnostic]) -> dict[_Key, list[int]]:
    """Return where findings begin, by file and finding name."""
    starts: dict[_Key, list[int]] = {}
    for finding in findings:
        starts.setdefault((finding.span.file.path, finding.name), []).append(finding.span.start)
    for offsets in starts.values():
        offsets.sort()
    return starts


def _expiry_finding(suppression: Suppression) -> Diagnostic:
    return Diagnostic(
        "expired-suppression",
        f"This suppression expired on {suppression.until}.",
        suppression.span,
        "Fix the finding and remove the comment, or give a later date.",
    )


def _suppressed_ranges(suppressions: Iterable[Suppression]) -> dict[_Key, list[tuple[int, int]]]:
    """Return the suppressed ranges of text by file and finding name, sorted and without overlaps.

    So each finding takes one binary search, even in a file with thousands of comments.
    """
    ranges_by_key: dict[_Key, set[tuple[int, int]]] = {}
    for suppression in suppressions:
        for name in suppression.names:
            ranges = ranges_by_key.setdefault((suppression.covers.file.path, name.text), set())
            ranges.add((suppression.covers.start, suppression.covers.end))
    return {key: _without_overlaps(ranges) for key, ranges in ranges_by_key.items()}


def _without_overlaps(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges sorted, those that touch or overlap as one."""
    merged_ranges: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        last_start, last_end = merged_ranges[-1] if merged_ranges else (0, -1)
        if start <= last_end:
            merged_ranges[-1] = (last_start, max(last_end, end))
        else:
            merged_ranges.append((start, end))
    return merged_ranges


def _is_expired(suppression: Suppression, today: str) -> bool:
    return bool(suppression.until) and suppression.until < today


def _unused(
    suppression: Suppression,
    starts: dict[_Key, list[int]],
    blind_spots: BlindSpots,
    unchecked: Collection[str],
) -> Iterator[Diagnostic]:
    """Yield a finding for each name of a suppression without an effect; ``starts`` are those of findings."""
    covers = suppression.covers
    for name in suppression.names:
        is_known = name.text in CATALOGUE and name.text not in NEVER_SUPPRESSED and name.text not in unchecked
        if not is_known or blind_spots.may_hide_in_file(name.file.path, name.text):
            continue
        finding_starts = starts.get((covers.file.path, name.text), ())
        next_index = bisect_left(finding_starts, covers.start)
        if next_index < len(finding_starts) and finding_starts[next_index] <= covers.end:
            continue  # a finding begins within what the comment covers
        is_only_name = len(suppression.names) == 1
        yield Diagnostic(
            "unused-suppression",
            f"There is no `{name.text}` here to suppress.",
            name,
            "Remove the comment." if is_only_name else "Remove the name.",
            fix=Fix(_with_surroundings(suppression.span), "") if is_only_name else None,
        )


def _with_surroundings(comment: Span) -> Span:
    """Return the comment with the spaces before it; the whole line if it has nothing else."""
    text, start, end = comment.file.text, comment.start, comment.end
    while start and text[start - 1] in " \t":
        start -= 1
    is_alone = start == 0 or text[start - 1] in "\r\n"
    if is_alone and end < len(text):
        end += len("\r\n") if text.startswith("\r\n", end) else 1
    return comment.file.span(start, end)
