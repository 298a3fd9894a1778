"""Which effects are active in a state, and in which order simultaneous ones act (C-3, M-11)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolkit.engine.geometry import in_range
from toolkit.engine.rules import Aspect, Continuous, EffectTable, Rules
from toolkit.engine.scene import Cast
from toolkit.engine.state import GameState, Key, OperatorState, Side, other

if TYPE_CHECKING:
    from toolkit.engine.board import Holding
    from toolkit.engine.numbers import Change


@dataclass(frozen=True, slots=True)
class Source:
    """Effects that are active: whose they are, who bears them (None: a STRATEGY), on which attached card."""

    table: EffectTable
    controller: Side
    bearer: Key | None = None
    card: str | None = None


@dataclass(slots=True, eq=False)
class Standing:
    """An effect without `when`, who is who in it, and the attached card that it stands on.

    ``made`` keeps what a settled one makes: the same in all states of its line-up.
    """

    effect: Continuous
    cast: Cast
    card: str | None = None
    made: tuple[Change | Holding, ...] | None = None


@dataclass(frozen=True, slots=True)
class LineUp:
    """Who acts in a state: the same for all states with the same OPERATORs and cards face up in their places.

    ``sources`` are all that act, ``in_attack`` those with continuous effects that have a trigger, ``hearing``
    those with effects of an event, by its name; ``standing`` is what always holds if its condition does, by
    what it makes, and under None all of it. All in the order of M-11.
    """

    sources: tuple[Source, ...]
    in_attack: tuple[Source, ...]
    hearing: dict[str, list[Source]]
    standing: dict[Aspect | None, list[Standing]]


MOST_LINE_UPS = 4096
"""So many line-ups are kept for one set of rules."""


def line_up(state: GameState, rules: Rules, first: Side) -> LineUp:
    """Who acts in a state, ``first``'s before the other player's; kept for states that are alike."""
    kept, operators = rules.kept, state.operators
    latest = kept.get(first)
    if isinstance(latest, Latest) and _is_alike(state, latest.state):
        return latest.line_up
    rows = []
    for player in (state.blue, state.red):
        for key in player.field:
            who = operators[key] if key is not None else None
            rows.append((key, who.card, who.attached) if who is not None and who.is_up else None)
    alike = (first, tuple(rows), state.blue.strategies, state.red.strategies)
    found = kept.get(alike)
    if not isinstance(found, LineUp):
        if len(kept) >= MOST_LINE_UPS:
            kept.clear()
        found = kept[alike] = _line_up(state, rules, first)
    kept[first] = Latest(state, found)
    return found


@dataclass(frozen=True, slots=True)
class Latest:
    """The line-up that was asked for last, and the state that it was asked for."""

    state: GameState
    line_up: LineUp


def _is_alike(one: GameState, two: GameState) -> bool:
    """Whether two states of one GAME have the same line-up, found out by what has been replaced."""
    if one.operators is not two.operators:
        if len(one.operators) != len(two.operators):
            return False
        for now, then in zip(one.operators, two.operators, strict=True):
            if now is not then and (
                now.card != then.card or now.attached != then.attached or now.is_active != then.is_active
            ):
                return False
    return all(
        now is then or (now.field == then.field and now.strategies == then.strategies)
        for now, then in ((one.blue, two.blue), (one.red, two.red))
    )


def _line_up(state: GameState, rules: Rules, first: Side) -> LineUp:
    sources = tuple(_sources(state, rules, first))
    hearing: dict[str, list[Source]] = {}
    for source in sources:
        for event in source.table.events:
            hearing.setdefault(event, []).append(source)
    standing: dict[Aspect | None, list[Standing]] = {}
    for one in _always(state, rules, first, sources):
        for aspect in (None, *one.effect.makes):
            standing.setdefault(aspect, []).append(one)
    return LineUp(sources, tuple(source for source in sources if source.table.in_attack), hearing, standing)


def active_sources(state: GameState, rules: Rules, first: Side) -> tuple[Source, ...]:
    """SKILLs, attached cards and STRATEGY cards that act now.

    C-3: of OPERATORs who are face up on the FIELD. M-11: ``first``'s before the other player's, each from
    left to right, an OPERATOR's SKILLs before his card, STRATEGY cards last in the order in which they were
    played.
    """
    return line_up(state, rules, first).sources


def _sources(state: GameState, rules: Rules, first: Side) -> Iterator[Source]:
    for side in (first, other(first)):
        for who in state.on_field(side):
            yield from sources_of(rules, who)
        for card in state.player(side).strategies:
            yield Source(rules.cards[card].effects, side)


def _always(state: GameState, rules: Rules, first: Side, sources: tuple[Source, ...]) -> Iterator[Standing]:
    """Every active effect without `when`.

    **Ruling:** SUPPRESSION without `when` concerns every OPERATOR on the FIELD, TEAMWORK without `when` every
    one who has a team mate in RANGE.
    """
    if rules.suppression.always:
        for who in active_operators(state, first):
            for effect in rules.suppression.always:
                yield Standing(effect, Cast(who.side, who.key))
    for source in sources:
        for effect in source.table.always:
            yield Standing(effect, Cast(source.controller, source.bearer), source.card)
    if rules.teamwork.always:
        for who in active_operators(state, first):
            if has_team_mate(state, rules, who):
                for effect in rules.teamwork.always:
                    yield Standing(effect, Cast(who.side, who.key))


def sources_of(rules: Rules, who: OperatorState) -> Iterator[Source]:
    """An OPERATOR's SKILLs and his attached card if he is face up on the FIELD (C-3)."""
    if who.is_active:
        yield Source(rules.cards[who.card].effects, who.side, who.key)
        if who.attached is not None:
            yield Source(rules.cards[who.attached].effects, who.side, who.key, who.attached)


def active_operators(state: GameState, first: Side) -> Iterator[OperatorState]:
    """The OPERATORs who are face up on the FIELD, ``first``'s first, from left to right."""
    for side in (first, other(first)):
        for who in state.on_field(side):
            if who.is_up:
                yield who


def has_team_mate(state: GameState, rules: Rules, who: OperatorState) -> bool:
    """M-3: whether an own OPERATOR of the same TEAM is in RANGE; how many makes no difference."""
    team = rules.cards[who.card].team
    if team is None or who.position is None:
        return False
    for place in (who.position - 1, who.position + 1):
        mate = state.at(who.side, place)
        if mate is not None and rules.cards[mate.card].team == team and in_range(mate, who):
            return True
    return False


def is_alive(state: GameState, bearer: Key | None, card: str | None) -> bool:
    """Whether what bears an effect is still there: face up on the FIELD (C-3), with that card on him."""
    if bearer is None:
        return True
    who = state.operators[bearer]
    return who.is_active and (card is None or who.attached == card)
