"""Keywords explained in German (K-1 to K-3, M-1, M-7, T-5)."""

from __future__ import annotations

from toolkit.wording.de.conditions import condition
from toolkit.wording.language import Reminder, tidy


def reminder(said: Reminder) -> str:
    """The explanation in parentheses."""
    return f"({tidy(_text(said))})"


def _text(said: Reminder) -> str:
    match said.keyword:
        case "SUPPRESSED":
            when = (
                condition(said.condition)
                if said.condition
                else "die SUPPRESSION der Spielregeln für ihn gilt"
            )
            return f"Ein OPERATOR ist SUPPRESSED, wenn {when}."
        case "RULEVIOLATION":
            x = str(said.threshold) if said.threshold is not None else "X"
            return (
                f"RULEVIOLATION {x}+: Am Ende seiner ACTION einen D6 würfeln; bei weniger als {x} ist er OUT."
            )
        case "BONUS":
            kind = {None: "ACTION dieser Art", "ANY": "ACTION deiner Wahl"}.get(
                said.action, f"{said.action} ACTION"
            )
            return (
                f"BONUS ({said.action or 'ACTION'}): eine zusätzliche {kind} in diesem TURN, auch wenn "
                "EXHAUSTED; höchstens ein BONUS je OPERATOR."
            )
        case "PERFORMANCE":
            return (
                "PERFORMANCE: Ziehe eine Karte, oder ziehe ein ITEM aus deinem ITEMDECK und lege es an einen "
                "eigenen OPERATOR deiner Wahl ohne Karte an oder an einen, der EXHAUSTED ist, statt seiner "
                "ATTACK- oder DEFENCE-Karte."
            )
        case "CRITICAL":
            doubled = (
                "die AP verdoppeln, die der Angreifer bis dahin hat"
                if said.stepwise
                else "den AP VALUE des Angreifers verdoppeln"
            )
            return f"CRITICAL: Statt den ATTACK D6 zu addieren, darf der angreifende Spieler {doubled}."
    raise KeyError(said.keyword)
