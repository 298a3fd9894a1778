"""What is fixed of an attack: the match-up that generated code is fused for, and its key."""

from __future__ import annotations

from dataclasses import dataclass, field

from toolkit.dsl import tree
from toolkit.effects.objects import Layer
from toolkit.engine.fast.facts import ADDING
from toolkit.engine.fast.reach import Reach, Reaches
from toolkit.engine.numbers import CARD_ROLES
from toolkit.engine.rules import Rules
from toolkit.engine.sources import has_team_mate
from toolkit.engine.state import GameState, Key, Lasting, OperatorState, PlayerState, Side, other

Lasts = tuple[str | None, Layer | None, int, bool, bool, tree.Doing | None]
"""Something lasting that is part of the match-up: stat, layer, amount, whether the attacking player made it,
whether a card did, and the verb of what is no number."""

Standing = tuple[bool, str, int | None, str, str | None, tuple[Lasts, ...]]
"""An OPERATOR of the match-up: whether the attacking player's, card, FIELDPOSITION, status (EXHAUSTED counts
as NORMAL), attached card, and what lasts."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What is fixed of an attack.

    ``attacker`` and ``attacked`` are places in ``operators``, the OPERATORs that can matter, each side from
    left to right. ``mates`` say whether the two have a team mate in RANGE (M-3). ``strategies`` are the
    attacking player's, then the other's. ``windows`` the cards attached in the windows of M-5. ``field`` is
    how long a row is, 0 where places do not matter. Equal shapes have the same generated code.
    """

    attacker: Key
    attacked: Key
    operators: tuple[Standing, ...]
    mates: tuple[bool, bool]
    strategies: tuple[tuple[str, ...], tuple[str, ...]]
    windows: tuple[str | None, str | None, str | None]
    field: int


@dataclass(slots=True)
class Shapes:
    """Finds the shape of an attack in a state. ``rules`` are fixed."""

    rules: Rules
    reaches: Reaches = field(init=False)

    def __post_init__(self) -> None:
        self.reaches = Reaches(self.rules)

    def of(
        self,
        state: GameState,
        attacker: OperatorState,
        attacked: OperatorState,
        windows: tuple[str | None, str | None, str | None],
    ) -> tuple[Shape, tuple[Key, ...]]:
        """The shape, and the OPERATORs of the state in the order in which the shape has them."""
        side = attacker.side
        of_card = self.reaches.of_card
        strategies = tuple(
            tuple(card for card in state.player(whose).strategies if of_card(card).acts)
            for whose in (side, other(side))
        )
        concerned = [attacker.card, attacked.card, attacker.attached, attacked.attached, *windows]
        concerned += [card for cards in strategies for card in cards]
        reach = self.reaches.rules
        for card in concerned:
            if card is not None:
                reach = reach.joined(of_card(card))
        present = [who for whose in (side, other(side)) for who in state.on_field(whose)]
        needed = {attacker.key, attacked.key}
        for who in present:
            if who.key not in needed and self._meddles(who):
                needed.add(who.key)
                reach = reach.joined(self._reach(who))
        if not reach.groups:
            present = [who for who in present if who.key in needed]
        keys = tuple(who.key for who in present)
        shape = Shape(
            keys.index(attacker.key),
            keys.index(attacked.key),
            tuple(_standing(who, side, reach.places) for who in present),
            self._mates(state, attacker, attacked),
            (strategies[0], strategies[1]),
            windows,
            len(state.player(side).field) if reach.places else 0,
        )
        return shape, keys

    def _meddles(self, who: OperatorState) -> bool:
        """Whether one who is not of the two changes something of this attack by himself."""
        return who.is_up and self._reach(who).reaches

    def _reach(self, who: OperatorState) -> Reach:
        reach = self.reaches.of_card(who.card)
        return reach if who.attached is None else reach.joined(self.reaches.of_card(who.attached))

    def _mates(self, state: GameState, one: OperatorState, two: OperatorState) -> tuple[bool, bool]:
        if not self.rules.teamwork.in_attack:
            return False, False
        return has_team_mate(state, self.rules, one), has_team_mate(state, self.rules, two)


def _standing(who: OperatorState, attacking: Side, places: bool) -> Standing:
    status = "NORMAL" if who.is_up else who.status
    lasts = tuple(_lasts(one, attacking) for one in who.lasting if one.layer not in ADDING)
    return who.side == attacking, who.card, who.position if places else None, status, who.attached, lasts


def _lasts(one: Lasting, attacking: Side) -> Lasts:
    mine, by_card = one.controller == attacking, one.origin.role in CARD_ROLES
    if one.stat is None or one.layer is None:
        return None, None, 0, mine, by_card, one.does
    return one.stat, one.layer, one.amount, mine, by_card, None


def canonical_state(shape: Shape) -> GameState:
    """The state that a shape stands for: blue attacks, keys count from 0, what is read each time is left
    out. Where places do not matter the OPERATORs stand in the order of the shape."""
    operators: list[OperatorState] = []
    rows: dict[Side, list[Key | None]] = {"blue": [None] * shape.field, "red": [None] * shape.field}
    for key, (mine, card, position, status, attached, _) in enumerate(shape.operators):
        side: Side = "blue" if mine else "red"
        if position is None:
            position = len(rows[side])
            rows[side].append(key)
        else:
            rows[side][position] = key
        operators.append(OperatorState(key, card, side, status, position, attached=attached))  # type: ignore[arg-type]
    blue, red = shape.strategies
    one = PlayerState(tuple(rows["blue"]), strategies=blue)
    two = PlayerState(tuple(rows["red"]), strategies=red)
    return GameState(tuple(operators), one, two)
