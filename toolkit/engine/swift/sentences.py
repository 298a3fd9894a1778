"""Continuous effects as functions: those without `when` (M-10), and those with an attack's trigger (M-8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from toolkit.dsl import tree
from toolkit.effects.objects import Action
from toolkit.engine.rules import AFTER_CRITICAL, Continuous
from toolkit.engine.swift import codes
from toolkit.engine.swift.aspects import amount, aspect, by_card, ignored_as, payload
from toolkit.engine.swift.expressions import Fielded, Reading, belongs, condition, members
from toolkit.engine.swift.writing import Writer

_TARGET_OF = {"attacking": "d", "attacked": "a"}


@dataclass(slots=True)
class ContinuousCode:
    """The functions of one card's continuous effects.

    ``own`` and ``aura`` by aspect: what concerns its bearer alone, and what concerns others too. The other
    four are pairs of bucket and function for the bearer in the attack or not, on the attacking side or not.
    """

    own: dict[int, list[Any]] = field(default_factory=dict)
    aura: dict[int, list[Any]] = field(default_factory=dict)
    attacker: list[tuple[int, codes.InAttack]] = field(default_factory=list)
    beside_attacker: list[tuple[int, codes.InAttack]] = field(default_factory=list)
    attacked: list[tuple[int, codes.InAttack]] = field(default_factory=list)
    beside_attacked: list[tuple[int, codes.InAttack]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Sentences:
    """Writes the continuous effects of a match. ``buckets`` gives the bucket of each time of MODIFY."""

    writer: Writer
    fielded: Fielded
    buckets: Sequence[int]

    def always(self, effect: Continuous, card: int, code: ContinuousCode) -> None:
        """An effect without `when`: a function for each aspect that it makes; ``card`` is that which must
        still be attached."""
        reading = Reading(self.fielded, {"self": "s"}, frozenset(("self",)), number="base")
        if effect.origin.role == "strategy":
            reading = Reading(self.fielded, {}, number="base")
        by_aspect: dict[int, list[Action]] = {}
        for _, action in effect.actions:
            by_aspect.setdefault(aspect(action), []).append(action)
        for number, actions in by_aspect.items():
            alone = all(isinstance(action.target, tree.Ref) for action in actions)
            body = [f"    if {condition(effect.condition, reading)}:", "        pass"]
            for action in actions:
                body.append(f"        if {_concerns(action.target, reading)}:")
                if action.layer is None:
                    made = f"(k, {number}, {payload(action.does)}, s, {card})"
                else:
                    made = _change(effect, action, effect.step, amount(action.does, reading), "s", card)
                body.append(f"            out.append({made})")
            goes = (code.own if alone else code.aura).setdefault(number, [])
            self.writer.function("c, s, k, out", body, goes.append)

    def in_attack(self, effect: Continuous, card: int, code: ContinuousCode) -> None:
        """An effect with an attack's trigger: a function for each bucket in which it acts."""
        when = effect.when or ""
        refs = {"self": "s", "target": _TARGET_OF.get(when, ""), "attacker": "a", "attacked": "d"}
        refs = {name: variable for name, variable in refs.items() if variable}
        if effect.origin.role == "strategy":
            del refs["self"]
        reading = Reading(self.fielded, refs, frozenset(refs), critical="T.critical")
        by_bucket: dict[int, list[tuple[int, Action]]] = {}
        for time, action in effect.actions:
            by_bucket.setdefault(self.buckets[time], []).append((time, action))
        judged = condition(effect.condition, reading)
        verdict = f"V[{len(self.writer.lines):d}, c, s]"
        remembered = len(by_bucket) > 1 and effect.condition is not None
        for number, bucket in enumerate(sorted(by_bucket)):
            if remembered and number == 0:
                body = [f"    {verdict} = {judged}", f"    if {verdict}:"]
            elif remembered:
                body = [f"    if {verdict.replace('[', '.get((').replace(']', '))')}:"]
            else:
                body = [f"    if {judged}:"]
            measured: list[str] = []
            made: list[str] = []
            for place, (time, action) in enumerate(by_bucket[bucket]):
                step = AFTER_CRITICAL if time == AFTER_CRITICAL else effect.step
                first, then = _makes(effect, action, step, reading, card, place)
                measured += first
                made += then
            body += [f"        {line}" for line in (*measured, *made)]
            self.writer.function("c, s, a, d, made, held", body, _everywhere(_places(code, when), bucket))


def _everywhere(places: Iterable[list[tuple[int, codes.InAttack]]], bucket: int) -> Callable[[Any], None]:
    def put(function: codes.InAttack) -> None:
        for place in places:
            place.append((bucket, function))

    return put


def _places(code: ContinuousCode, when: str) -> tuple[list[tuple[int, codes.InAttack]], ...]:
    """Where its bearer must be for a trigger to hold: as ``engine.scene.cast_of_attack``."""
    if when == "attacking":
        return (code.attacker,)
    if when == "attacked":
        return (code.attacked,)
    if when in ("own-attacks", "enemy-is-attacked"):
        return (code.attacker, code.beside_attacker)
    return (code.attacked, code.beside_attacked)


def _concerns(target: tree.Who, reading: Reading) -> str:
    """Whether ``k`` is one of those whom an effect without `when` means."""
    if isinstance(target, tree.Ref):
        return "k == s" if reading.of(target.name) is not None else "False"
    assert isinstance(target, (tree.Every, tree.One)), "players do nothing that lasts"
    group = target.group
    side = {"own": "side[k] == c and ", "enemy": "side[k] != c and ", "any": ""}[group.side]
    return f"pos[k] >= 0 and {side}{belongs('k', group, reading)}"


def _change(effect: Continuous, action: Action, step: int, number: str, bearer: str, card: int) -> str:
    assert action.layer is not None
    origin = effect.origin
    layer = codes.LAYER[action.layer]
    return f"({layer}, {number}, {ignored_as(origin)}, {by_card(origin)}, c, {step}, {bearer}, {card})"


def _makes(
    effect: Continuous, action: Action, step: int, reading: Reading, card: int, place: int
) -> tuple[list[str], list[str]]:
    """What an action makes in an attack, for everyone whom it means; first what is measured for it, so that
    one action of a sentence does not read what another of them changes (M-8). ``place`` is its own in the
    sentence."""
    bearer, target = reading.of("self") or str(codes.NOBODY), action.target
    measured: list[str] = []
    number = ""
    if action.layer is not None:
        number = amount(action.does, reading)
        if not number.lstrip("-").isdigit():
            measured.append(f"n{place} = {number}")
            number = f"n{place}"
    if isinstance(target, tree.Ref):
        key = reading.of(target.name)
        if key is None:
            return [], ["pass"]
        return measured, [_made(effect, action, step, key, number, bearer, card)]
    assert isinstance(target, (tree.Every, tree.One)), "players do nothing that lasts"
    measured.append(f"g{place} = {members(target.group, reading)}")
    made = _made(effect, action, step, "x", number, bearer, card)
    return measured, [f"for x in g{place}:", f"    {made}"]


def _made(
    effect: Continuous, action: Action, step: int, key: str, number: str, bearer: str, card: int
) -> str:
    found = aspect(action)
    if action.layer is not None:
        change = _change(effect, action, step, number, bearer, card)
        return f"made[{key} * 4 + {found}].append({change})"
    if found == codes.BONUS:
        return f"gain(T, {key}, {payload(action.does)})"
    return f"held.append(({key}, {found}, {payload(action.does)}, {bearer}, {card}))"
