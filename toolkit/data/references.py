"""What entries refer to: TEAMs, cards, OBJECTIVEs, modes, rulesets and pictures."""

from __future__ import annotations

from toolkit.data.model import CardSet
from toolkit.diagnostics import Diagnostic


def check_references(card_set: CardSet) -> list[Diagnostic]:
    """A finding for every reference that leads nowhere or to something of the wrong kind."""
    return []
