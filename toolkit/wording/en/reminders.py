"""Keywords explained in English (K-1 to K-3, M-1, M-7, T-5)."""

from __future__ import annotations

from toolkit.wording.en.conditions import condition
from toolkit.wording.language import Reminder


def reminder(said: Reminder) -> str:
    """The explanation in parentheses."""
    return f"({_text(said)})"


def _text(said: Reminder) -> str:
    match said.keyword:
        case "SUPPRESSED":
            when = condition(said.condition) if said.condition else "the ruleset’s SUPPRESSION applies to it"
            return f"An OPERATOR is SUPPRESSED when {when}."
        case "RULEVIOLATION":
            x = str(said.threshold) if said.threshold is not None else "X"
            return f"RULEVIOLATION {x}+: at the end of its ACTION roll a D6; on less than {x} it is OUT."
        case "BONUS":
            return (
                "BONUS: one additional ACTION this TURN, even when EXHAUSTED; at most one for each OPERATOR."
            )
        case "PERFORMANCE":
            return (
                "PERFORMANCE: draw a card, or draw an ITEM from your ITEMDECK and attach it to one of your "
                "OPERATORs without a card."
            )
        case "CRITICAL":
            return (
                "CRITICAL: instead of adding the ATTACK D6, the attacking player may double the attacker’s "
                "AP VALUE."
            )
