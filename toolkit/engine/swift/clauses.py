"""Effects of events as functions: the twin of ``engine.happenings``; their verbs are in ``verbs``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from toolkit.dsl import tree
from toolkit.effects.objects import Action, Choice, EffectObject, Origin
from toolkit.engine.swift import codes
from toolkit.engine.swift.aspects import amount, aspect, by_card, duration, payload
from toolkit.engine.swift.expressions import Fielded, Reading, condition, members
from toolkit.engine.swift.writing import Writer
from toolkit.vocabulary import STATS

_BORNE = ("skill", "attack", "defence", "item")
_REFS = {"self": "s", "target": "t", "attacker": "a", "attacked": "d"}


@dataclass(frozen=True, slots=True)
class Clauses:
    """Writes the effects of events of a match. ``adds`` are, by duration, the stats to which they add."""

    writer: Writer
    fielded: Fielded
    adds: Sequence[Sequence[int]]

    def effect(self, effect: EffectObject, put: Callable[[Any], None]) -> None:
        """One effect: its condition is judged once, then its actions follow; H-1 is judged after each."""
        origin = effect.origin
        always_there = origin.role in _BORNE or origin.role.startswith("action ")
        certain = frozenset(("self",)) if always_there else frozenset[str]()
        reading = Reading(self.fielded, _REFS, certain, critical="T.critical")
        body = self._actions(effect.actions, origin, reading)
        if effect.condition is not None:
            body = _under(f"if {condition(effect.condition, reading)}:", body)
        self.writer.function("c, s, t, a, d", [f"    {line}" for line in body], put)

    def _actions(self, actions: tuple[Action | Choice, ...], origin: Origin, reading: Reading) -> list[str]:
        lines: list[str] = []
        clause: tree.Who | None = None
        for action in actions:
            if isinstance(action, Choice):
                lines += _under("if pick(T, c, 2) == 0:", self._actions(action.first, origin, reading))
                lines += _under("else:", self._actions(action.second, origin, reading))
                continue
            target = action.target
            if isinstance(target, tree.Player):
                lines.append(_of_player("c" if target.name == "owner" else "1 - c", action.does))
            else:
                if not isinstance(target, tree.Ref) and target is not clause:
                    lines.append(f"g = {_meant(target, reading)}")
                clause = target
                lines += self._of_operators(action, origin, reading)
            lines += ["if T.unjudged:", "    judge(T)"]
        return lines or ["pass"]

    def _of_operators(self, action: Action, origin: Origin, reading: Reading) -> list[str]:
        """One verb for one or all of ``g``; a counted amount is counted once, before anyone changes."""
        does, target = action.does, action.target
        lines, number = [], "0"
        if action.layer is not None or isinstance(does, tree.Gets):
            number = amount(does, reading)
            if not number.lstrip("-").isdigit():
                lines, number = [f"n = {number}"], "n"
        if not isinstance(target, tree.Ref):
            return [*lines, *_under("for x in g:", self._verb(action, origin, "x", number))]
        key = reading.of(target.name) or ""
        verb = self._verb(action, origin, key, number)
        return [*lines, *(verb if target.name in reading.certain else _under(f"if {key} >= 0:", verb))]

    def _verb(self, action: Action, origin: Origin, key: str, number: str) -> list[str]:
        """One verb for one OPERATOR; ``number`` is the source of its amount, if it has one."""
        does, lasts, card = action.does, duration(action), by_card(origin)
        if action.layer is not None:
            if codes.LAYER[action.layer] == codes.ADD:
                return self._add(does, lasts, key, number)
            return [
                f"last(T, {key}, {lasts}, {aspect(action)}, {codes.LAYER[action.layer]}, {number}, c, {card})"
            ]
        if isinstance(does, tree.Gets):
            return [f"count(T, {key}, {int(does.what.text == 'OBJECTIVECOUNTER')}, {number})"]
        if isinstance(does, tree.Becomes):
            return [f"become(T, {key}, {codes.STATUS[does.status]})"]
        if isinstance(does, tree.GainsBonus):
            return [f"gain_if_up(T, {key}, {payload(does)})"]
        return [f"hold(T, {key}, {lasts}, {aspect(action)}, {payload(does)}, c, {card})"]

    def _add(self, does: tree.Doing, lasts: int, key: str, number: str) -> list[str]:
        """What is added to a stat and lasts. **Ruling:** one who is HIT or OUT takes only what lasts
        `permanently`."""
        assert isinstance(does, tree.Gets), "nothing else adds"
        stat = does.what.text
        sums = sums_of(self.adds[:lasts], codes.STAT[stat])
        lines = [f"{one}[{key}] += {number}" for one in sums]
        if stat == "DP" and does.amount < 0:
            lines += _under(f"if hit[{key}]:", [f"may_fall(T, {key})"])
        elif stat == "MP":
            lines.append(f"T.unpace({key})")
        if lasts == codes.UNTIL_ATTACK:
            lines.append(f"ATTACK_ends.add({key})")
        return lines if lasts == codes.PERMANENTLY else _under(f"if status[{key}] < {codes.HIT}:", lines)


def _under(head: str, lines: list[str]) -> list[str]:
    """A compound statement."""
    return [head, *(f"    {line}" for line in lines)]


def _meant(who: tree.Who, reading: Reading) -> str:
    """Those whom a clause means; `one …` is chosen by the controller."""
    assert isinstance(who, (tree.Every, tree.One)), "players are no OPERATORs"
    found = members(who.group, reading)
    return found if isinstance(who, tree.Every) else f"one(T, c, {found})"


def _of_player(side: str, does: tree.Doing) -> str:
    match does:
        case tree.Draws(count):
            return f"draw(T, {side}, {count:d})"
        case tree.Discards(count):
            return f"discard(T, {side}, {count:d})"
        case tree.FulfilsPerformance():
            return f"reward(T, {side})"
        case _:
            raise TypeError(f"{does!r} is not for players")


def sums_of(adds: Sequence[Sequence[int]], stat: int) -> list[str]:
    """The names of the sums that something added to a stat belongs to, if it lasts longer than the durations
    which ``adds`` has the stats of; what lasts `permanently` never ends."""
    longer = [so_long for so_long, stats in zip(codes.DURATIONS[:-1], adds, strict=False) if stat in stats]
    return [f"{STATS[stat]}_added", *(f"{STATS[stat]}_beyond_{so_long}" for so_long in longer)]
