"""Why an effect of an event said nothing in an attack: it speaks of others, or was gone by then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolkit.engine.outcomes import AttackResult
from toolkit.engine.rules import EffectTable
from toolkit.engine.state import GameState, Key, Side
from toolkit.engine.trace import TraceEntry
from toolkit.vocabulary import TRIGGERS

_OF_ATTACK = ("hits", "misses", "critical")


@dataclass(frozen=True, slots=True)
class Bearing:
    """A card of the attack: its effects, whose it is, and the OPERATOR who bears it (None: a STRATEGY).

    ``card`` is the one that lies on him; None where it is his own, with his SKILLs.
    """

    effects: EffectTable
    side: Side
    bearer: Key | None
    card: str | None = None


@dataclass(frozen=True, slots=True)
class Course:
    """How an attack went: who, the states around it, what was compared (None: nothing), what is told."""

    both: tuple[Key, Key]
    before: GameState
    after: GameState
    result: AttackResult | None
    trace: tuple[TraceEntry, ...]

    def cards_on(self, key: Key) -> Iterator[str]:
        """The cards that lay on one of the two in its course, also those that are gone again."""
        attached = [
            entry.after
            for entry in self.trace
            if entry.kind == "card" and entry.rule == "M-5" and entry.who == key
        ]
        for card in (self.before.operators[key].attached, *attached, self.after.operators[key].attached):
            if isinstance(card, str):
                yield card

    def fallen(self) -> set[Key]:
        """Who became HIT."""
        return {
            entry.who
            for entry in self.trace
            if entry.kind == "status" and entry.after == "HIT" and entry.who is not None
        }


def why_unheard(
    event: str, role: str, bearing: Bearing, course: Course, names: dict[Key, str]
) -> tuple[str, str]:
    """The rule and the reason; ``role`` is that of the effect (LANGUAGE.md §2, "WHEN (an event)")."""
    of_others = _of_others(role, bearing, course, names) if event in _OF_ATTACK else None
    if of_others is not None:
        return "M-11", of_others
    if not _happened(event, bearing, course):
        trigger = TRIGGERS.get(event)
        words = trigger.words if trigger else "the ACTION is performed"
        return "M-11", f"it acts when {words}, and that did not happen"
    if bearing.bearer is None:
        return "M-11", "it did not come to it any more"
    name, status = names[bearing.bearer], course.after.operators[bearing.bearer].status
    down = status if status in ("HIT", "OUT") else "HIT" if bearing.bearer in course.fallen() else None
    if bearing.card is None:
        return "C-3", f"{name} is {down} by then" if down else "it did not come to it any more"
    return (
        "C-3",
        f"{name} is {down} by then, so this card is gone (H-2)" if down else "this card is gone by then",
    )


def _of_others(role: str, bearing: Bearing, course: Course, names: dict[Key, str]) -> str | None:
    """Of whose attacks it speaks, if this is none of them."""
    attacker, attacked = course.both
    if bearing.bearer is None:
        if bearing.side == course.before.operators[attacker].side:
            return None
        return "it speaks of attacks by own OPERATORs, and here an enemy one attacks"
    name = names[bearing.bearer]
    if role == "defence":
        if bearing.bearer == attacked:
            return None
        return f"it speaks of attacks on {name}, and here {name} attacks"
    return (
        None if bearing.bearer == attacker else f"it speaks of attacks by {name}, and here {name} is attacked"
    )


def _happened(event: str, bearing: Bearing, course: Course) -> bool:
    """Whether what an effect waits for took place although nothing is told of the effect."""
    result, fallen = course.result, course.fallen()
    sides = {course.before.operators[key].side for key in fallen}
    match event:
        case "hits" | "misses":
            return result is not None and result.hits == (event == "hits")
        case "critical":
            return result is not None and result.critical
        case "self-becomes-hit":
            return bearing.bearer in fallen
        case "own-becomes-hit":
            return bearing.side in sides
        case "enemy-becomes-hit":
            return bool(sides - {bearing.side})
    return False
