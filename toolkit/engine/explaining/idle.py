"""Effects of which the trace of an attack says nothing, because nothing called for them, and why not."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.effects.objects import EffectObject
from toolkit.engine.explaining.unheard import Bearing, Course, why_unheard
from toolkit.engine.rules import STEP_OF_ROLE, Continuous, Rules
from toolkit.engine.scene import cast_of_attack
from toolkit.engine.sources import has_team_mate
from toolkit.engine.state import SIDES, Key, OperatorState
from toolkit.engine.trace import TraceEntry
from toolkit.vocabulary import TRIGGERS

_RULES = {1: "M-1", 2: "M-2", 3: "M-3", 4: "M-4", 5: "M-5"}


def idle_effects(rules: Rules, course: Course, names: dict[Key, str]) -> Iterator[TraceEntry]:
    """A ``skipped`` entry for every effect of the two, of the cards on them, of the STRATEGY cards in play,
    and of TEAMWORK that the trace does not mention. Events have no step.
    """
    state, told = course.before, {entry.origin for entry in course.trace}
    attacker, attacked = (state.operators[key] for key in course.both)
    for bearing in _bearings(rules, course):
        for effect in (*bearing.effects.always, *bearing.effects.in_attack):
            if effect.origin not in told:
                yield _of_continuous(effect, bearing, attacker, attacked, names)
        for event, effects in bearing.effects.events.items():
            for one in effects:
                if one.origin not in told:
                    yield _of_event(event, one, bearing, course, names)
    for effect in rules.teamwork.in_attack:
        concerned = attacked if effect.when == "attacked" else attacker
        if effect.origin not in told and not has_team_mate(state, rules, concerned):
            reason = _alone(rules, concerned, names)
            yield TraceEntry("skipped", "M-3", reason, 3, effect.origin, concerned.key)


def _bearings(rules: Rules, course: Course) -> Iterator[Bearing]:
    for key in course.both:
        who = course.before.operators[key]
        yield Bearing(rules.cards[who.card].effects, who.side, key)
        for card in dict.fromkeys(course.cards_on(key)):
            yield Bearing(rules.cards[card].effects, who.side, key, card)
    for side in SIDES:
        for card in course.before.player(side).strategies:
            yield Bearing(rules.cards[card].effects, side, None)


def _of_continuous(
    effect: Continuous,
    bearing: Bearing,
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


def _here(when: str, bearing: Bearing, names: dict[Key, str]) -> str:
    """What is so instead of a trigger."""
    if bearing.bearer is not None and when in ("attacking", "attacked"):
        return f"here {names[bearing.bearer]} {'is attacked' if when == 'attacking' else 'attacks'}"
    verb = "attacks" if when.endswith("-attacks") else "is attacked"
    return f"here an {'enemy' if when.startswith('own-') else 'own'} one {verb}"


def _of_event(
    event: str, effect: EffectObject, bearing: Bearing, course: Course, names: dict[Key, str]
) -> TraceEntry:
    rule, reason = why_unheard(event, effect.origin.role, bearing, course, names)
    return TraceEntry("skipped", rule, reason, None, effect.origin, bearing.bearer)


def _alone(rules: Rules, who: OperatorState, names: dict[Key, str]) -> str:
    team = rules.cards[who.card].team
    return f"no own OPERATOR of TEAM {team} is in RANGE of {names[who.key]}"
