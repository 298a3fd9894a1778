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
            kind = {None: "ACTION of that kind", "ANY": "ACTION of your choice"}.get(
                said.action, f"{said.action} ACTION"
            )
            return (
                f"BONUS ({said.action or 'ACTION'}): one additional {kind} this TURN, even when EXHAUSTED; "
                "at most one BONUS for each OPERATOR."
            )
        case "PERFORMANCE":
            return (
                "PERFORMANCE: draw a card, or draw an ITEM from your ITEMDECK and attach it to one of your "
                "OPERATORs without a card, or to an EXHAUSTED one in place of its ATTACK or DEFENCE card."
            )
        case "CRITICAL":
            doubled = "the AP that the attacker has so far" if said.stepwise else "the attacker’s AP VALUE"
            return f"CRITICAL: instead of adding the ATTACK D6, the attacking player may double {doubled}."
    raise KeyError(said.keyword)
