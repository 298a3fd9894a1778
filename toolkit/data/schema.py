"""Which schema holds for which entry, and the copy for editors.

The schema is chosen by the section and, for cards, by ``kind`` before anything is validated, so that no
finding ever speaks of alternatives that nobody meant.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from toolkit.data.schemas import cards, play, scenarios
from toolkit.data.schemas.parts import Schema

KINDS = cards.KINDS
"""The kinds of card."""

SECTIONS: dict[str, Callable[[], Schema]] = {
    "cards": cards.any_card,
    "teams": cards.team,
    "objectives": cards.objective,
    "modes": play.mode,
    "rulesets": play.ruleset,
    "squads": play.squad,
    "scenarios": scenarios.scenario,
    "layouts": play.layout,
}
"""The top-level keys of a card file and the schemas of what is listed there."""


@cache
def schema_for(section: str, kind: str | None = None) -> Schema:
    """The schema of an entry of a section; for cards by kind. ``project`` is the project file."""
    if section == "project":
        return play.project()
    if section == "cards" and kind in KINDS:
        return cards.card(kind)
    return SECTIONS[section]()
