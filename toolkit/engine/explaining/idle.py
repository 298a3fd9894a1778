"""Effects of which the trace of an attack says nothing, because nothing called for them, and why not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from toolkit.effects.objects import EffectObject
from toolkit.engine.rules import STEP_OF_ROLE, Continuous, EffectTable, Rules
from toolkit.engine.scene import cast_of_attack
from toolkit.engine.sources import has_team_mate
from toolkit.engine.state import SIDES, GameState, Key, OperatorState, Side
from toolkit.engine.trace import TraceEntry
from toolkit.vocabulary import TRIGGERS

_RULES = {1: "M-1", 2: "M-2", 3: "M-3", 4: "M-4", 5: "M-5"}


@dataclass(frozen=True, slots=True)
class _Bearing:
    """A card of the attack: its effects, whose it is, and the OPERATOR who bears it (None: a STRATEGY)."""

    effects: EffectTable
    side: Side
    bearer: Key | None


def idle_effects(
    state: GameState, rules: Rules, both: tuple[Key, Key], names: dict[Key, str], trace: Iterable[TraceEntry]
) -> Iterator[TraceEntry]:
    """A ``skipped`` entry for every effect of the two, of the cards on them, of the STRATEGY cards in play,
    and of TEAMWORK that the trace does not mention.

    ``state`` is the one in which the attack began, with the cards that were attached in its course
    (``with_cards``). Events have no step.
    """
    told = {entry.origin for entry in trace}
    attacker, attacked = (state.operators[key] for key in both)
    for bearing in _bearings(state, rules, (attacker, attacked)):
        for effect in (*bearing.effects.always, *bearing.effects.in_attack):
            if effect.origin not in told:
                yield _of_continuous(effect, bearing, attacker, attacked, names)
        for event, effects in bearing.effects.events.items():
            yield from (_of_event(event, one, bearing) for one in effects if one.origin not in told)
    for effect in rules.teamwork.in_attack:
        concerned = attacked if effect.when == "attacked" else attacker
        if effect.origin not in told and not has_team_mate(state, rules, concerned):
            reason = _alone(rules, concerned, names)
            yield TraceEntry("skipped", "M-3", reason, 3, effect.origin, concerned.key)


def with_cards(state: GameState, after: GameState, both: tuple[Key, Key]) -> GameState:
    """The state before an attack with the cards that lie on the two after it."""
    for key in both:
        card = after.operators[key].attached
        if card is not None and state.operators[key].attached is None:
            state = state.with_operator(replace(state.operators[key], attached=card))
    return state


def _bearings(
    state: GameState, rules: Rules, both: tuple[OperatorState, OperatorState]
) -> Iterator[_Bearing]:
    for who in both:
        yield _Bearing(rules.cards[who.card].effects, who.side, who.key)
        if who.attached is not None:
            yield _Bearing(rules.cards[who.attached].effects, who.side, who.key)
    for side in SIDES:
        for card in state.player(side).strategies:
            yield _Bearing(rules.cards[card].effects, side, None)


def _of_continuous(
    effect: Continuous,
    bearing: _Bearing,
    attacker: OperatorState,
    attacked: OperatorState,
    names: dict[Key, str],
) -> TraceEntry:
    cast = (
        cast_of_attack(effect.when, bearing.side, bearing.bearer, attacker, attacked) if effect.when else None
    )
    if effect.when is None or cast is not None:
        reason = "it concerns nobody here"
    else:
        reason = f"it acts when {TRIGGERS[effect.when].words}, and {_here(effect.when, bearing, names)}"
    step = STEP_OF_ROLE.get(effect.origin.role, effect.step)
    return TraceEntry("skipped", _RULES.get(step, "M-8"), reason, step, effect.origin, bearing.bearer)


def _here(when: str, bearing: _Bearing, names: dict[Key, str]) -> str:
    """What is so instead of a trigger."""
    if bearing.bearer is not None and when in ("attacking", "attacked"):
        return f"here {names[bearing.bearer]} {'is attacked' if when == 'attacking' else 'attacks'}"
    verb = "attacks" if when.endswith("-attacks") else "is attacked"
    return f"here an {'enemy' if when.startswith('own-') else 'own'} one {verb}"


def _of_event(event: str, effect: EffectObject, bearing: _Bearing) -> TraceEntry:
    trigger = TRIGGERS.get(event)
    words = trigger.words if trigger else "the ACTION is performed"
    reason = f"it acts when {words}, and that did not happen"
    return TraceEntry("skipped", "M-11", reason, None, effect.origin, bearing.bearer)


def _alone(rules: Rules, who: OperatorState, names: dict[Key, str]) -> str:
    team = rules.cards[who.card].team
    return f"no own OPERATOR of TEAM {team} is in RANGE of {names[who.key]}"
