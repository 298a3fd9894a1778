"""Effects of events as functions: the twin of ``engine.happenings``; their verbs are in ``verbs``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from toolkit.dsl import tree
from toolkit.effects.objects import Action, Choice, EffectObject, Origin
from toolkit.engine.swift import codes
from toolkit.engine.swift.aspects import amount, aspect, by_card, payload
from toolkit.engine.swift.expressions import Fielded, Reading, condition, members
from toolkit.engine.swift.writing import Writer

_BORNE = ("skill", "attack", "defence", "item")
_REFS = {"self": "s", "target": "t", "attacker": "a", "attacked": "d"}


@dataclass(frozen=True, slots=True)
class Clauses:
    """Writes the effects of events of a match."""

    writer: Writer
    fielded: Fielded

    def effect(self, effect: EffectObject, put: Callable[[Any], None]) -> None:
        """One effect: its condition is judged once, then its actions follow; H-1 is judged after each."""
        origin = effect.origin
        always_there = origin.role in _BORNE or origin.role.startswith("action ")
        certain = frozenset(("self",)) if always_there else frozenset[str]()
        reading = Reading(self.fielded, _REFS, certain, critical="T.critical")
        body = [f"    if {condition(effect.condition, reading)}:", "        pass"]
        body += [f"        {line}" for line in self._actions(effect.actions, origin, reading)]
        self.writer.function("c, s, t, a, d", body, put)

    def _actions(self, actions: tuple[Action | Choice, ...], origin: Origin, reading: Reading) -> list[str]:
        lines: list[str] = []
        clause: tree.Who | None = None
        for action in actions:
            if isinstance(action, Choice):
                lines.append("if pick(T, c, 2) == 0:")
                lines += [f"    {line}" for line in self._actions(action.first, origin, reading)]
                lines.append("else:")
                lines += [f"    {line}" for line in self._actions(action.second, origin, reading)]
                continue
            target = action.target
            if isinstance(target, tree.Player):
                lines.append(_of_player("c" if target.name == "owner" else "1 - c", action.does))
            else:
                sole = _sole(target, reading)
                if sole is None and target is not clause:
                    lines.append(f"g = {_meant(target, reading)}")
                clause = target
                lines += _of_operators(action, origin, reading, sole)
            lines += ["if T.unjudged:", "    judge(T)"]
        return lines or ["pass"]


def _sole(who: tree.Who, reading: Reading) -> str | None:
    """The variable of the one OPERATOR whom a clause means, if it is certain that there is one."""
    return reading.of(who.name) if isinstance(who, tree.Ref) and who.name in reading.certain else None


def _meant(who: tree.Who, reading: Reading) -> str:
    """Those whom a clause means; `one …` is chosen by the controller."""
    if isinstance(who, tree.Ref):
        return reading.guarded(who.name, f"({reading.of(who.name)},)", "()")
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


def _of_operators(action: Action, origin: Origin, reading: Reading, sole: str | None) -> list[str]:
    """One verb for ``sole`` or all of ``g``; a counted amount is counted once, before anyone changes."""
    does = action.does
    lasts, card = codes.DURATION[action.duration or "TURN"], by_card(origin)
    if action.layer is not None:
        layer, stat = codes.LAYER[action.layer], aspect(action)
        verb = f"add(T, x, {lasts}, {stat}, n, c, {card})"
        if layer != codes.ADD:
            verb = f"last(T, x, {lasts}, {stat}, {layer}, n, c, {card})"
        return [f"n = {amount(does, reading)}", *_for_each(verb, sole)]
    if isinstance(does, tree.Gets):
        counter = int(does.what.text == "OBJECTIVECOUNTER")
        return [f"n = {amount(does, reading)}", *_for_each(f"count(T, x, {counter}, n)", sole)]
    if isinstance(does, tree.Becomes):
        return _for_each(f"become(T, x, {codes.STATUS[does.status]})", sole)
    if isinstance(does, tree.GainsBonus):
        return _for_each(f"gain_if_up(T, x, {payload(does)})", sole)
    return _for_each(f"hold(T, x, {lasts}, {aspect(action)}, {payload(does)}, c, {card})", sole)


def _for_each(verb: str, sole: str | None) -> list[str]:
    """A verb written for ``x``, done to ``sole`` or to all of ``g``."""
    return ["for x in g:", f"    {verb}"] if sole is None else [verb.replace("T, x,", f"T, {sole},")]
