"""Which back a card has: cards that are shuffled together must look alike from behind."""

from __future__ import annotations

from typing import Literal

from toolkit.render.face import Kind

Back = Literal["operator", "deck", "item", "objective"]

_BACKS: dict[Kind, Back] = {"operator": "operator", "item": "item", "objective": "objective"}


def back_of(kind: Kind) -> Back:
    """The back of a kind: a picture in ``templates/backs``. What is drawn from the DECK has the deck's."""
    return _BACKS.get(kind, "deck")
