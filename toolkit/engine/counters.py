"""HITCOUNTER and OBJECTIVECOUNTER, and OBJECTIVEs that are REACHED (A-2b, F-3)."""

from __future__ import annotations

from toolkit.effects.objects import Origin
from toolkit.engine.play import Play
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key


def objective_value(state: GameState, rules: Rules, key: Key) -> int | None:
    """The value of the OBJECTIVE of an OPERATOR's FIELDPOSITION; None where there is none (any more)."""
    who = state.operators[key]
    if who.position is None:
        return None
    objectives = state.player(who.side).objectives
    objective = objectives[who.position] if who.position < len(objectives) else None
    return None if objective is None else rules.objective_values.get(objective)


def has_reached(state: GameState, rules: Rules, key: Key) -> bool:
    """A-2b: whether an OPERATOR has REACHED the OBJECTIVE of his FIELDPOSITION.

    **Ruling:** it is judged from the counter and the place whenever it is asked: a counter that is taken away
    again makes it un-REACHED, and after a swap it is judged for the new position.
    """
    value = objective_value(state, rules, key)
    who = state.operators[key]
    return value is not None and who.is_up and who.objectivecounter >= value


def reached_now(play: Play, keys: tuple[Key, ...], before: tuple[bool, ...]) -> None:
    """The event REACHES for those who had not REACHED an OBJECTIVE before and have now."""
    for key, reached in zip(keys, before, strict=True):
        if not reached and has_reached(play.state, play.rules, key):
            play.note("status", "A-2b", f"{play.name(key)} REACHES the OBJECTIVE", who=key, after="REACHED")
            play.push("reaches", (key,))


def set_counter(
    play: Play, key: Key, counter: str, value: int, rule: str, origin: Origin | None = None
) -> None:
    """A counter gets a new number; an OBJECTIVE may be REACHED thereby. H-1 is the caller's."""
    who = play.operator(key)
    reached = has_reached(play.state, play.rules, key)
    if counter == "HITCOUNTER":
        before = who.hitcounter
        play.change(key, hitcounter=value)
    else:
        before = who.objectivecounter
        play.change(key, objectivecounter=value)
    text = f"{counter} of {play.name(key)}: {before} → {value}"
    play.note("counter", rule, text, origin=origin, who=key, stat=counter, before=before, after=value)
    reached_now(play, (key,), (reached,))
