"""All effects of a match as functions, sorted by when they act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from toolkit.dsl import tree
from toolkit.engine.rules import NO_EFFECTS, EffectTable, Rules
from toolkit.engine.swift import asking, codes, counters, lasting, numbers, verbs
from toolkit.engine.swift.clauses import Clauses, sums_of
from toolkit.engine.swift.code import Code
from toolkit.engine.swift.expressions import Fielded
from toolkit.engine.swift.knowing import know
from toolkit.engine.swift.sentences import ContinuousCode, Sentences
from toolkit.engine.swift.table import Table
from toolkit.engine.swift.timing import Timing, timing
from toolkit.engine.swift.waiting import plan_casts
from toolkit.engine.swift.writing import Writer
from toolkit.vocabulary import ACTIONS, TRIGGERS

_EVENTS = tuple(trigger.name for trigger in TRIGGERS.values() if trigger.event)
_HIT_EVENTS = ("self-becomes-hit", "own-becomes-hit", "enemy-becomes-hit")
_OF_MANY = ("becomes HIT", "turn-begins", "turn-ends")
"""Events to which more react than those whom they concern."""
_ATTACHED = (codes.ATTACK_CARD, codes.DEFENCE_CARD, codes.ITEM_CARD)
_ATTACHED_KINDS = ("attack", "defence", "item")
_VERBS = (
    *(asking.pick, asking.one, lasting.last, lasting.hold, counters.count, counters.may_fall),
    *(verbs.gain, verbs.gain_if_up, verbs.become, verbs.judge, verbs.draw, verbs.discard, verbs.reward),
)
"""What generated functions call by name."""


def effect_tables(rules: Rules, names: Sequence[str]) -> list[EffectTable]:
    """The effects by number of card, 0 is no card; then SUPPRESSION, TEAMWORK and PERFORMANCE."""
    of_cards = [rules.cards[name].effects if name else NO_EFFECTS for name in names]
    return [*of_cards, rules.suppression, rules.teamwork, rules.performance]


def give_code(table: Table, rules: Rules, names: Sequence[str], operators: Sequence[str]) -> str:
    """Write the functions of all cards for a table and sort them into its code; the source that was run.

    ``names`` are the cards by number, ``operators`` the cards of the OPERATORs by key.
    """
    tables = effect_tables(rules, names)
    fielded = Fielded(tuple(rules.cards[name] for name in operators), rules.suppressed)
    times = timing((effect for one in tables for effect in one.in_attack), rules.suppressed)
    writer = Writer()
    continuous = [ContinuousCode() for _ in tables]
    sentences = Sentences(writer, fielded, times.of_time)
    code = table.code
    code.known = know(tables, list(rules.actions.values()), table.card)
    clauses = Clauses(writer, fielded, code.known.adds)
    code.events = {name: [[] for _ in tables] for name in _EVENTS}
    for number, effects in enumerate(tables):
        attached = 0 < number < len(names) and rules.cards[names[number]].kind in _ATTACHED_KINDS
        for effect in effects.always:
            sentences.always(effect, number if attached else 0, continuous[number])
        for effect in effects.in_attack:
            sentences.in_attack(effect, number if attached else 0, continuous[number])
        for name, found in effects.events.items():
            for one in found:
                clauses.effect(one, code.events[name][number].append)
    code.performed = [[] for _ in ACTIONS]
    for number, name in enumerate(ACTIONS):
        performed = rules.actions.get(name.lower(), NO_EFFECTS)
        for one in performed.events.get("performed", ()):
            clauses.effect(one, code.performed[number].append)
    _lay_sums(table)
    writer.build(_namespace(table))
    code.suppression, code.teamwork, code.performance = range(len(names), len(tables))
    _sort_continuous(code, continuous, table, tables)
    _sort_times(code, times)
    table.waiting[:] = [[] for _ in times.buckets]
    plan_casts(table)
    others = zip(code.events["own-becomes-hit"], code.events["enemy-becomes-hit"], strict=True)
    code.events["becomes HIT"] = [own + enemy for own, enemy in others]
    code.heard = frozenset(_heard(code))
    code.bearers = {name: [_bearers(code.events[name], table, side) for side in (0, 1)] for name in _OF_MANY}
    code.fulfils_hits = any(code.events[name][code.performance] for name in _HIT_EVENTS)
    code.ends = code.events["action-ends"] if "action-ends" in code.heard else []
    return writer.source


def _lay_sums(table: Table) -> None:
    """Make room for the sums of what is added, and tell which of them are what lasts longer."""
    adds = table.code.known.adds
    table.sums[:] = [
        [added, *([] for _ in sums_of(adds, stat)[1:])] for stat, added in enumerate(table.added)
    ]
    table.code.lapses = [
        [(stat, len(sums_of(adds[: duration + 1], stat)) - 1) for stat in stats]
        for duration, stats in enumerate(adds)
    ]


def _namespace(table: Table) -> dict[str, Any]:
    """What generated functions know by name."""
    lists = ("status", "pos", "hit", "obj", "att", "kinds", "side", "rows", "hands", "squadpoints", "values")
    known: dict[str, Any] = {name: getattr(table, name) for name in lists}
    known |= {verb.__name__: verb for verb in _VERBS}
    for stat, sums in enumerate(table.sums):
        known |= zip(sums_of(table.code.known.adds, stat), sums, strict=True)
    known |= {
        "T": table,
        "ATTACK_ends": table.ends[codes.UNTIL_ATTACK],
        "V": table.verdicts,
        "number": numbers.number,
        "base": numbers.base,
    }
    known["__builtins__"] = {"len": len, "max": max, "min": min}
    return known


def _sort_continuous(
    code: Code, continuous: list[ContinuousCode], table: Table, tables: Sequence[EffectTable]
) -> None:
    for number in range(codes.ASPECTS):
        code.own.append([one.own.get(number, []) for one in continuous])
    code.own_list = [tuple(one.own) for one in continuous]
    code.own_aspects = [sum(1 << number for number in one.own) for one in continuous]
    code.auras = [
        [(number, function) for number, functions in one.aura.items() for function in functions]
        for one in continuous
    ]
    code.aura_keys = tuple(key for key, card in enumerate(table.card) if code.auras[card])
    code.aura_attached = any(
        auras for kind, auras in zip(table.kinds, code.auras, strict=False) if kind in _ATTACHED
    )
    code.in_attack = [
        [one.attacker for one in continuous],
        [one.attacked for one in continuous],
        [one.beside_attacker for one in continuous],
        [one.beside_attacked for one in continuous],
    ]
    beside = [bool(one.beside_attacker or one.beside_attacked) for one in continuous]
    code.meddlers = _keys(table, beside, 0), _keys(table, beside, 1)
    code.in_row_order = any(
        there for kind, there in zip(table.kinds, beside, strict=False) if kind in _ATTACHED
    ) or any(
        tree.MayReroll in effect.makes and (effect.when or "").startswith(("own-", "enemy-"))
        for one in tables
        for effect in one.in_attack
    )


def _keys(table: Table, cards: Sequence[bool], side: int) -> tuple[int, ...]:
    """The OPERATORs of a player with one of these cards."""
    return tuple(key for key, card in enumerate(table.card) if cards[card] and table.side[key] == side)


def _bearers(functions: Sequence[list[codes.OfEvent]], table: Table, side: int) -> tuple[int, ...] | None:
    """The OPERATOR of a player whose SKILLs react to an event, if it is one at most and if no card that is
    attached can react."""
    keys = _keys(table, [bool(one) for one in functions], side)
    attached = any(one for kind, one in zip(table.kinds, functions, strict=False) if kind in _ATTACHED)
    return None if attached or len(keys) > 1 else keys


def _sort_times(code: Code, times: Timing) -> None:
    numbered = [(number, careful) for number, (_, careful) in enumerate(times.buckets)]
    first_after = times.of_time[5]
    code.before_windows = tuple(numbered[:first_after])
    code.after_windows = tuple(numbered[first_after:-1])
    code.at_last = numbered[-1]


def _heard(code: Code) -> Iterator[str]:
    """The events, as they are called when they happen, to which some effect reacts."""
    for name, functions in code.events.items():
        if any(functions):
            yield "becomes HIT" if name in _HIT_EVENTS else name
