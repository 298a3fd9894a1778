"""untested-card: a card that no scenario plays with, in a project whose scenarios play with nearly all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from toolkit.data.model import CardSet
from toolkit.diagnostics import Diagnostic

NEARLY_ALL = 0.75
"""From this share of the cards on a card without a scenario was probably forgotten."""

_ID = r"[a-z0-9]+(?:-[a-z0-9]+)*"


def check(cards: CardSet) -> Iterator[Diagnostic]:
    """Each forgotten card at its id. Whatever a file with scenarios names counts as played with."""
    if not cards.scenarios or cards.incomplete or cards.broken_ids:
        return
    files = {scenario.file.path: scenario.file for scenario in cards.scenarios}
    own = {card.file.path for card in cards.cards.values()}
    if not own.isdisjoint(files):
        return  # cards beside scenarios: a name in the file says nothing
    named = frozenset[str]().union(*(_named(file.text) for file in files.values()))
    untested = [card for card in cards.cards.values() if card.id not in named]
    if len(untested) > (1 - NEARLY_ALL) * len(cards.cards):
        return
    for card in untested:
        yield Diagnostic(
            "untested-card",
            f"No scenario uses `{card.id}`, although scenarios use nearly all other cards.",
            card.id_span,
            "Write a scenario that shows what it does; `opforge test --coverage` shows what else is missing.",
            card=card.id,
        )


@lru_cache(maxsize=256)
def _named(text: str) -> frozenset[str]:
    """The words of a file that could be ids."""
    return frozenset(re.findall(_ID, text))
