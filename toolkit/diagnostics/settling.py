"""Findings held against the suppressions of a project: what is told, what is kept back, what is over."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from toolkit.diagnostics.catalogue import CATALOGUE, NOT_SUPPRESSED
from toolkit.diagnostics.finding import Diagnostic, Fix
from toolkit.diagnostics.hiding import Hiding
from toolkit.diagnostics.suppressions import Suppression
from toolkit.records import dataclass
from toolkit.source import Span


@dataclass(frozen=True, slots=True)
class Settled:
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
    told: list[Diagnostic] = []
    kept: list[Diagnostic] = []
    used: set[tuple[Span, str]] = set()
    by_name = _by_name(suppressions)
    for finding in findings:
        named = by_name.get((finding.span.file.path, finding.name), ())
        about = [one for one in named if one.covers.start <= finding.span.start <= one.covers.end]
        holding = [one for one in about if not _is_over(one, today)]
        used |= {(one.span, finding.name) for one in holding}
        (kept if holding and finding.name not in NOT_SUPPRESSED else told).append(finding)
    hiding = Hiding(findings)
    for suppression in suppressions:
        if _is_over(suppression, today):
            told.append(_over(suppression))
        else:
            told += _unused(suppression, used, hiding, unseen)
    return Settled(told, kept)


def _by_name(suppressions: Iterable[Suppression]) -> dict[tuple[Path, str], list[Suppression]]:
    """The suppressions of a file that name a finding."""
    found: dict[tuple[Path, str], list[Suppression]] = {}
    for one in suppressions:
        for name in {name.text for name in one.names}:
            found.setdefault((one.covers.file.path, name), []).append(one)
    return found


def _is_over(suppression: Suppression, today: str) -> bool:
    return bool(suppression.until) and suppression.until < today


def _over(suppression: Suppression) -> Diagnostic:
    return Diagnostic(
        "expired-suppression",
        f"This suppression has ended: it was to hold until {suppression.until}.",
        suppression.span,
        "Mend what it is about and remove it, or give a later day.",
    )


def _unused(
    suppression: Suppression, used: set[tuple[Span, str]], hiding: Hiding, unseen: Collection[str]
) -> Iterator[Diagnostic]:
    for name in suppression.names:
        known = name.text in CATALOGUE and name.text not in NOT_SUPPRESSED and name.text not in unseen
        if not known or (suppression.span, name.text) in used or hiding.in_file(name.file.path, name.text):
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
