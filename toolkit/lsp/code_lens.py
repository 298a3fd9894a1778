"""Lines that an editor shows above entries: where a card is used.

A provider tells one thing about an entry, or nothing. What is told must be true of the project as it stands;
a new provider (the exact odds of a card) is one more function in ``PROVIDERS``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from toolkit.data.model import Card, Entry, Objective, Team
from toolkit.lsp.occurrences import Occurrence, occurrences
from toolkit.lsp.projects import OpenProject
from toolkit.source import SourceFile, Span


class Lens(Struct, frozen=True):
    """A line above an entry, and the places that it speaks of."""

    span: Span
    title: str
    places: tuple[Span, ...]


Provider = Callable[[Entry, Sequence[Occurrence]], tuple[str, tuple[Span, ...]] | None]
"""What is told about an entry that is named at some places: a title and the places it speaks of."""


def lenses(project: OpenProject, file: SourceFile) -> list[Lens]:
    """The lenses of one file of the project."""
    uses: dict[str, list[Occurrence]] = {}
    for one in occurrences(project):
        if one.sort == "id" and not one.defines:
            uses.setdefault(one.word, []).append(one)
    found = []
    for entry in project.cards.entries():
        if entry.file is not file:
            continue
        for provider in PROVIDERS:
            told = provider(entry, uses.get(entry.id, []))
            if told is not None:
                found.append(Lens(entry.id_span, *told))
    return sorted(found, key=lambda lens: lens.span.start)


_USERS = (
    ("cards", "card", "cards"),
    ("modes", "mode", "modes"),
    ("squads", "squad", "squads"),
    ("scenarios", "scenario", "scenarios"),
)


def usage(entry: Entry, uses: Sequence[Occurrence]) -> tuple[str, tuple[Span, ...]] | None:
    """In how many squads, scenarios and so on a card, TEAM or OBJECTIVE is."""
    if not isinstance(entry, (Card, Team, Objective)):
        return None
    counts = []
    for section, one, several in _USERS:
        number = len({use.entry for use in uses if use.section == section})
        if number:
            counts.append(f"{number} {one if number == 1 else several}")
    title = f"in {', '.join(counts)}" if counts else "not used in squads or scenarios"
    if isinstance(entry, Team):
        title = title.replace("in ", "named by ", 1) if counts else "not used by cards"
    elif isinstance(entry, Objective) and not counts:
        title = "not used in modes or scenarios"
    return title, tuple(use.span for use in uses)


PROVIDERS: tuple[Provider, ...] = (usage,)
"""Who is asked about each entry, in the order in which the lenses stand."""
