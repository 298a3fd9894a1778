"""The project of the odds without the cards that take longest, for what plays all pairs of OPERATORs."""

from __future__ import annotations

import re
from pathlib import Path

from tests.thoroughness import THOROUGH

FOLDER = Path(__file__).parent / "project"
_SLOW = ("gambler", "choosy", "fixer", "stubborn", "double-set", "low-keeper", "jam")
"""Cards with dice that are kept, set or rerolled."""


def quick_cards() -> str:
    """The text of the project's cards; in a thorough run all of them."""
    text = (FOLDER / "cards.yaml").read_text(encoding="utf-8")
    if THOROUGH:
        return text
    entries = re.split(r"^(?=  - \{id: )", text, flags=re.MULTILINE)
    slow_beginnings = tuple(f"  - {{id: {id}," for id in _SLOW)
    return "".join(entry for entry in entries if not entry.startswith(slow_beginnings))
