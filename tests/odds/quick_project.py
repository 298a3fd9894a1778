"""The project of the odds without the cards that take longest, for what plays all pairs of OPERATORs."""

from __future__ import annotations

import re
from pathlib import Path

from tests.thoroughness import THOROUGH

FOLDER = Path(__file__).parent / "project"
_SLOW = ("gambler", "choosy", "fixer", "stubborn", "double-set", "low-keeper", "jam")
"""Cards with dice that are kept, set or rerolled."""
_MORE = ("lucky", "eager", "finisher", "rebel", "medium", "saint")
"""OPERATORs that are needed only where many are compared."""


def quick_cards() -> str:
    """The text of the project's cards; in a thorough run all of them."""
    return _cards_without((*_SLOW, *_MORE))


def quick_operators() -> str:
    """The text of the project's OPERATORs, and in a thorough run of all cards."""
    text = quick_to_roll()
    if THOROUGH:
        return text
    return "".join(
        entry for entry in _entries(text) if "kind: operator" in entry or entry.startswith("cards:")
    )


def quick_to_roll() -> str:
    """All cards but those with dice that are kept, set or rerolled; in a thorough run these too."""
    return _cards_without(_SLOW)


def _cards_without(ids: tuple[str, ...]) -> str:
    text = (FOLDER / "cards.yaml").read_text(encoding="utf-8")
    if THOROUGH:
        return text
    left_out = tuple(f"  - {{id: {id}," for id in ids)
    return "".join(entry for entry in _entries(text) if not entry.startswith(left_out))


def _entries(text: str) -> list[str]:
    return re.split(r"^(?=  - \{id: )", text, flags=re.MULTILINE)
