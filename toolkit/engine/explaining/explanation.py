"""One attack explained: who, what came of it, every section of its trace, and its two numbers as sums."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from toolkit.engine.explaining.idle import idle_effects
from toolkit.engine.explaining.origins import Origins
from toolkit.engine.explaining.sections import Section, sections_of
from toolkit.engine.explaining.sums import Sum, sum_of
from toolkit.engine.explaining.unheard import Course
from toolkit.engine.outcomes import AttackResult, Outcome
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key
from toolkit.engine.trace import TraceEntry


@dataclass(frozen=True, slots=True)
class Explanation:
    """How an attack went.

    ``both`` are attacker and attacked, ``names`` what OPERATORs are called. ``result`` is None, and there
    are no ``sums``, where nothing was compared.
    """

    both: tuple[Key, Key]
    names: dict[Key, str]
    result: AttackResult | None
    sections: tuple[Section, ...]
    sums: tuple[Sum, ...]


def explain(
    before: GameState, rules: Rules, outcome: Outcome, both: tuple[Key, Key], origins: Origins, thorough: bool
) -> Explanation:
    """The explanation of an attack from the state before it and its outcome.

    Only a ``thorough`` one has effects that nothing called for.
    """
    names, result = names_of(before), outcome.attack
    trace = list(_with_verdict(before, rules, outcome, both[1], names))
    idle: tuple[TraceEntry, ...] = ()
    if thorough:
        course = Course(both, before, outcome.state, result, outcome.trace)
        idle = tuple(idle_effects(rules, course, names))
    sums = () if result is None else _sums(before, rules, result, origins)
    return Explanation(both, names, result, sections_of(trace, both, idle), sums)


def names_of(state: GameState) -> dict[Key, str]:
    """What OPERATORs are called: the id of the card, with the side where both field the same one."""
    cards = [who.card for who in state.operators]
    return {
        who.key: who.card if cards.count(who.card) == 1 else f"{who.side}.{who.card}"
        for who in state.operators
    }


def _sums(state: GameState, rules: Rules, result: AttackResult, origins: Origins) -> tuple[Sum, ...]:
    """AP of the attacker and EP of the attacked."""
    side = state.operators[result.attacker].side
    pairs = (("AP", result.attacker, result.ap_changes), ("EP", result.attacked, result.ep_changes))
    return tuple(
        sum_of(
            stat, rules.cards[state.operators[key].card].values[stat], changes, rules.options, side, origins
        )
        for stat, key, changes in pairs
    )


def _with_verdict(
    state: GameState, rules: Rules, outcome: Outcome, attacked: Key, names: dict[Key, str]
) -> Iterator[TraceEntry]:
    """The trace; where a hit does not make the attacked OPERATOR HIT, with a line that says so (H-1).

    His DP are those that MODIFY made: the last that the trace tells before the comparison, else the VALUE.
    """
    dp, compared = rules.cards[state.operators[attacked].card].values["DP"], False
    for entry in outcome.trace:
        yield entry
        compared = compared or entry.kind == "compare"
        if entry.who != attacked or not isinstance(entry.after, int):
            continue
        if entry.kind == "change" and entry.stat == "DP" and not compared:
            dp = entry.after
        elif entry.kind == "counter" and entry.rule == "A-1" and entry.after < dp:
            text = f"{names[attacked]} is not HIT: HITCOUNTER {entry.after} is below his DP {dp}"
            yield TraceEntry("note", "H-1", text, who=attacked)
