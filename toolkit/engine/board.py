"""The numbers of all OPERATORs as a state makes them: VALUEs, what lasts, and what always holds (N-1, M-10,
M-11)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolkit.dsl import tree
from toolkit.effects.objects import Action, Origin
from toolkit.engine.conditions import holds, members, times
from toolkit.engine.numbers import BEFORE_STEPS, CARD_ROLES, IGNORED_AS, Change, put_together
from toolkit.engine.reasons import why_false
from toolkit.engine.rules import Aspect, Continuous, Rules
from toolkit.engine.scene import Scene
from toolkit.engine.sources import LineUp, Standing, line_up
from toolkit.engine.state import GameState, Key, Lasting, Side
from toolkit.engine.trace import TraceEntry
from toolkit.vocabulary import STATS


@dataclass(frozen=True, slots=True)
class Holding:
    """What holds for an OPERATOR and is no number: `ignores`, `cannot`, a dice verb, RULEVIOLATION, BONUS.

    ``bearer`` and ``card`` as in ``Change``.
    """

    who: Key
    does: tree.Doing
    controller: Side
    rule: str
    origin: Origin | None = None
    bearer: Key | None = None
    card: str | None = None


class Board:
    """What counts in a state, outside of an attack or in one.

    ``attacking`` is the attacking player, else the one whose TURN it is (N-6). An attack adds its changes and
    holdings with ``add`` and ``hold``; they come after those that stand already. ``late`` gives the step of a
    lasting modification by its serial number, for those that were made in the course of the attack.

    What stands is found out aspect by aspect when it is asked for, which changes nothing: what always holds
    reads only VALUEs and what lasts (M-10), so that no effect waits for another.
    """

    __slots__ = (
        "_added",
        "_cache",
        "_held",
        "_later",
        "_line_up",
        "_standing",
        "_without_changes",
        "attacking",
        "base",
        "late",
        "options",
        "rules",
        "state",
    )

    def __init__(
        self,
        state: GameState,
        rules: Rules,
        attacking: Side | None = None,
        late: tuple[tuple[int, int], ...] = (),
    ) -> None:
        self.state, self.rules, self.options = state, rules, rules.options
        self.attacking: Side = attacking or state.turn
        self.late = late
        self.base = BaseNumbers(self)
        self._line_up: LineUp | None = None
        self._without_changes = False
        self._standing: dict[Aspect, dict[Key, list[Change]]] = {}
        self._held: dict[type, dict[Key, list[Holding]]] = {}
        self._added: dict[Key, list[Change]] = {}
        self._later: dict[Key, list[Holding]] = {}
        self._cache: dict[tuple[Key, str], int] = {}

    def add(self, change: Change) -> None:
        """One more change of a number."""
        self._added.setdefault(change.who, []).append(change)
        self._cache.clear()

    def hold(self, holding: Holding) -> None:
        """One more thing that holds for an OPERATOR."""
        self._later.setdefault(holding.who, []).append(holding)
        if isinstance(holding.does, tree.Ignores):
            self._cache.clear()

    def acting(self, aspect: Aspect | None) -> Sequence[Standing]:
        """What always holds here if its condition does, and makes this (None: anything)."""
        if self._line_up is None:
            self._line_up = line_up(self.state, self.rules, self.attacking)
        return self._line_up.standing.get(aspect, ())

    def number(self, key: Key, stat: str) -> int:
        """The current number as it is read, never below the floor (N-5)."""
        return max(self.options.floor, self.carried(key, stat))

    def carried(self, key: Key, stat: str) -> int:
        """The current number as it is carried on, which may be below the floor (N-5)."""
        found = self._cache.get((key, stat))
        if found is None:
            value = self.rules.cards[self.state.operators[key].card].values[stat]
            found = put_together(value, self.counting(key, stat), self.options, self.attacking)
            self._cache[key, stat] = found
        return found

    def carried_without(self, change: Change) -> int:
        """What the number would be without one of its changes."""
        value = self.rules.cards[self.state.operators[change.who].card].values[change.stat]
        others = self.counting(change.who, change.stat)
        if change in others:
            others.remove(change)
        return put_together(value, others, self.options, self.attacking)

    def counting(self, key: Key, stat: str) -> list[Change]:
        """The changes of a number that count: those that he does not ignore."""
        standing = self._standing.get(stat)
        if standing is None:
            standing = self._standing[stat] = _changes(self, stat)
        changes = [] if self._without_changes else self.lasting(key, stat)
        changes += standing.get(key, ())
        if self._added:
            changes += [change for change in self._added.get(key, ()) if change.stat == stat]
        ignored = self.ignored(key) if changes else None
        return [change for change in changes if change.ignored_as not in ignored] if ignored else changes

    def ignored(self, key: Key) -> frozenset[str]:
        """What an OPERATOR ignores, in words of ``vocabulary.IGNORABLE``. Changes of his numbers only:

        **ruling:** dice verbs, permissions and events of an ignored card still act, for they change no number
        of his.
        """
        found = self.held(key, tree.Ignores)
        if not found:
            return frozenset()
        return frozenset(held.does.what for held in found if isinstance(held.does, tree.Ignores))

    def held(self, key: Key, verb: type = object) -> list[Holding]:
        """Everything that holds for an OPERATOR; with a verb's class only what is of this kind."""
        standing = self._held.get(verb)
        if standing is None:
            standing = self._held[verb] = _holdings(self, verb)
        found = standing.get(key, [])
        lasting = self.state.operators[key].lasting
        if lasting:
            found = [
                Holding(key, one.does, one.controller, one.rule, one.origin)
                for one in lasting
                if (one.stat is None or one.layer is None) and isinstance(one.does, verb)
            ] + found
        if self._later:
            found = found + [held for held in self._later.get(key, ()) if isinstance(held.does, verb)]
        return found

    def lasting(self, key: Key, stat: str) -> list[Change]:
        """The changes of a number by what lasts on an OPERATOR (N-3)."""
        return [
            _change_of(key, one, stat, self.late)
            for one in self.state.operators[key].lasting
            if one.stat == stat and one.layer is not None
        ]

    def changes(self) -> list[Change]:
        """All changes, also ignored ones, in the order in which they came about, OPERATOR by OPERATOR."""
        by_operator: dict[Key, list[Change]] = {}
        for who in self.state.operators:
            for one in who.lasting:
                if one.stat is not None and one.layer is not None:
                    by_operator.setdefault(who.key, []).append(_change_of(who.key, one, one.stat, self.late))
        for key, standing in _changes(self, None).items():
            by_operator.setdefault(key, []).extend(standing)
        for key, added in self._added.items():
            by_operator.setdefault(key, []).extend(added)
        return [change for changes in by_operator.values() for change in changes]

    def forget_changes(self) -> None:
        """Go back to the VALUEs; what an OPERATOR ignores stays."""
        self._without_changes = True
        self._standing = {stat: {} for stat in STATS}
        self._added.clear()
        self._cache.clear()

    def idle(self) -> list[TraceEntry]:
        """What would always hold and does not: a line for each, with the reason."""
        found = []
        for one in self.acting(None):
            effect, cast = one.effect, one.cast
            scene = Scene(self.state, self.rules, self.base, cast)
            if effect.condition is not None and not holds(effect.condition, scene):
                why = why_false(effect.condition, scene)
                found.append(TraceEntry("skipped", "M-10", why, effect.step, effect.origin, cast.bearer))
        return found


class BaseNumbers:
    """VALUEs and what events and ACTIONs have changed: what effects without `when` read (M-10)."""

    __slots__ = ("_board",)

    def __init__(self, board: Board) -> None:
        self._board = board

    def number(self, key: Key, stat: str) -> int:
        """The number as it is read, never below the floor (N-5)."""
        board = self._board
        value = board.rules.cards[board.state.operators[key].card].values[stat]
        changes = board.lasting(key, stat)
        return max(board.options.floor, put_together(value, changes, board.options, board.attacking))


def _changes(board: Board, stat: str | None) -> dict[Key, list[Change]]:
    """What always holds and changes a stat (None: any)."""
    found: dict[Key, list[Change]] = {}
    for one in board.acting(stat):
        for made in _made(board, one):
            if isinstance(made, Change) and stat in (None, made.stat):
                found.setdefault(made.who, []).append(made)
    return found


def _holdings(board: Board, verb: type) -> dict[Key, list[Holding]]:
    """What always holds, is no number and is of this kind (``object``: of any)."""
    found: dict[Key, list[Holding]] = {}
    for one in board.acting(None if verb is object else verb):
        for made in _made(board, one):
            if isinstance(made, Holding) and isinstance(made.does, verb):
                found.setdefault(made.who, []).append(made)
    return found


def _made(board: Board, one: Standing) -> tuple[Change | Holding, ...]:
    """What an effect that always holds makes; nothing if its condition does not hold."""
    if one.made is not None:
        return one.made
    effect = one.effect
    made: tuple[Change | Holding, ...] = ()
    scene = Scene(board.state, board.rules, board.base, one.cast)
    if holds(effect.condition, scene):
        made = tuple(
            result
            for _, action in effect.actions
            for result in made_by(action, effect, scene, effect.step, "M-10", one.card)
        )
    if effect.settled:
        one.made = made
    return made


def _change_of(who: Key, lasting: Lasting, stat: str, late: tuple[tuple[int, int], ...]) -> Change:
    assert lasting.layer is not None
    step = BEFORE_STEPS
    for serial, late_step in late:
        if lasting.serial > serial:
            step = late_step
    return Change(
        who,
        stat,
        lasting.layer,
        lasting.amount,
        step,
        lasting.controller,
        lasting.rule,
        lasting.origin,
        by_card=lasting.origin.role in CARD_ROLES,
    )


def made_by(
    action: Action, effect: Continuous, scene: Scene, step: int, rule: str, card: str | None
) -> Iterator[Change | Holding]:
    """What one action of a continuous effect makes, for everyone it means. Counted amounts are counted
    now."""
    origin, cast = effect.origin, scene.cast
    for key in meant(action.target, scene):
        if action.layer is None:
            yield Holding(key, action.does, cast.controller, rule, origin, cast.bearer, card)
            continue
        stat, value = stat_and_amount(action.does, scene)
        yield Change(
            key,
            stat,
            action.layer,
            value,
            step,
            cast.controller,
            rule,
            origin,
            IGNORED_AS.get(origin.role),
            origin.role in CARD_ROLES,
            cast.bearer,
            card,
        )


def meant(who: tree.Who, scene: Scene) -> tuple[Key, ...]:
    """The OPERATORs that a WHO means where nothing is chosen."""
    if isinstance(who, tree.Ref):
        key = scene.cast.key(who.name)
        return () if key is None else (key,)
    return members(who.group, scene) if isinstance(who, (tree.Every, tree.One)) else ()


def stat_and_amount(does: tree.Doing, scene: Scene) -> tuple[str, int]:
    """Which stat a verb changes and by how much; only for verbs with a layer."""
    match does:
        case tree.Gets(number, what, per):
            return what.text, number * times(per, scene)
        case tree.Multiplies(stat, factor):
            return stat.text, factor
        case tree.Divides(stat, divisor):
            return stat.text, divisor
        case tree.Fixes(stat, value):
            return stat.text, value
        case _:
            raise TypeError(f"{does!r} changes no stat")
