"""The whole state of a game as frozen values.

Every change makes a new value and shares what stays the same, so a copy costs nothing, a refused ACTION
leaves everything as it was, and a player may try out ACTIONs on the state that he is shown.

Ruling on F-3 and A-2b: each of the two rows has its own OBJECTIVE at each FIELDPOSITION, by the mode's list
``objectives`` (the same list for both rows). An OPERATOR moves towards the one of his own row; when he has
CAPTURED it that position of his row has none any more, and the other row's is untouched. A mode that lists
fewer OBJECTIVEs than FIELDPOSITIONs leaves the last positions without one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from toolkit.dsl import tree
from toolkit.effects.objects import Layer, Origin

Side = Literal["blue", "red"]
Status = Literal["NORMAL", "EXHAUSTED", "HIT", "OUT"]
Key = int
"""An OPERATOR's number: his index in ``GameState.operators``. It never changes during a game."""

SIDES: tuple[Side, Side] = ("blue", "red")


def other(side: Side) -> Side:
    """The other player."""
    return "red" if side == "blue" else "blue"


@dataclass(frozen=True, slots=True)
class Lasting:
    """What an event or an ACTION has made of an OPERATOR, until its duration ends.

    ``does`` is the verb. For a change of a stat ``stat``, ``layer`` and ``amount`` hold what is applied: a
    counted amount was counted when it was made, so ``amount`` is the whole of it (signed for add and
    subtract, else factor, divisor or the fixed number). For dice verbs, `ignores`, `cannot` and RULEVIOLATION
    ``stat`` and ``layer`` are None. ``rule`` is the rule that it comes from (A-2 for a Move), ``controller``
    whose effect it is (N-6), ``serial`` counts up in the order in which such things are made.
    """

    serial: int
    origin: Origin
    rule: str
    controller: Side
    does: tree.Doing
    duration: tree.DurationName
    stat: str | None = None
    layer: Layer | None = None
    amount: int = 0


@dataclass(frozen=True, slots=True)
class OperatorState:
    """An OPERATOR in a game.

    ``card`` is the id of his card. ``position`` is his FIELDPOSITION, 0 is leftmost, None in the SAVEZONE.
    ``bonuses`` are the BONUS ACTIONs that events gave him in this TURN (an ACTION or ``ANY``, K-3) and
    ``bonus_used`` says that he has performed one (T-5). ``attached`` is the id of the one card on him (C-1).
    """

    key: Key
    card: str
    side: Side
    status: Status = "NORMAL"
    position: int | None = None
    hitcounter: int = 0
    objectivecounter: int = 0
    attached: str | None = None
    lasting: tuple[Lasting, ...] = ()
    bonuses: tuple[str, ...] = ()
    bonus_used: bool = False

    @property
    def is_up(self) -> bool:
        """Whether he lies face up: neither HIT nor OUT (C-2)."""
        return self.status == "NORMAL" or self.status == "EXHAUSTED"

    @property
    def is_active(self) -> bool:
        """Whether he is face up on a FIELDPOSITION, so that his SKILLs and his card act (C-3)."""
        return self.position is not None and self.is_up


@dataclass(frozen=True, slots=True)
class PlayerState:
    """What belongs to one player.

    ``field`` holds by FIELDPOSITION (0 is leftmost) the OPERATOR there or None, ``save_zone`` the OPERATORs
    in the SAVEZONE, ``out_of_play`` those who have left the game for good. ``deck`` and ``item_deck`` are top
    first; ``discard`` and ``item_discard`` latest last; ``strategies`` in the order in which they were
    played. ``objectives`` by FIELDPOSITION of his row, None where there is none or none any more;
    ``captured`` the ids of those he has CAPTURED. ``actions`` counts the ACTIONs of this TURN that count
    towards a limit.
    """

    field: tuple[Key | None, ...]
    save_zone: tuple[Key, ...] = ()
    out_of_play: tuple[Key, ...] = ()
    hand: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    item_deck: tuple[str, ...] = ()
    item_discard: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    objectives: tuple[str | None, ...] = ()
    captured: tuple[str, ...] = ()
    actions: tuple[tuple[str, int], ...] = ()

    def performed(self, action: str) -> int:
        """How often he has performed an ACTION (``move``) in this TURN, BONUS ACTIONs not counted (K-3)."""
        return next((count for name, count in self.actions if name == action), 0)


@dataclass(frozen=True, slots=True)
class GameState:
    """Everything there is to know about a game between two decisions.

    ``operators[key]`` is the OPERATOR with that key. ``turn`` is the player whose TURN it is; ``round``
    counts from 1. ``serial`` is the number of the latest ``Lasting``.
    """

    operators: tuple[OperatorState, ...]
    blue: PlayerState
    red: PlayerState
    turn: Side = "blue"
    round: int = 1
    serial: int = 0

    def player(self, side: Side) -> PlayerState:
        """What belongs to a player."""
        return self.blue if side == "blue" else self.red

    def on_field(self, side: Side) -> tuple[OperatorState, ...]:
        """A player's OPERATORs on FIELDPOSITIONs from left to right, HIT and OUT ones too."""
        operators = self.operators
        field = self.blue.field if side == "blue" else self.red.field
        return tuple([operators[key] for key in field if key is not None])

    def at(self, side: Side, position: int) -> OperatorState | None:
        """Who stands at a FIELDPOSITION (0 is leftmost); None also for a position that does not exist."""
        field = self.player(side).field
        if not 0 <= position < len(field):
            return None
        key = field[position]
        return None if key is None else self.operators[key]

    # Changes: each gives a new state.

    def with_operator(self, operator: OperatorState) -> GameState:
        """The state with this in place of the OPERATOR of the same key."""
        operators = self.operators
        key = operator.key
        changed = (*operators[:key], operator, *operators[key + 1 :])
        return GameState(changed, self.blue, self.red, self.turn, self.round, self.serial)

    def with_player(self, side: Side, player: PlayerState) -> GameState:
        """The state with this in place of what a player had."""
        blue, red = (player, self.red) if side == "blue" else (self.blue, player)
        return GameState(self.operators, blue, red, self.turn, self.round, self.serial)

    def placed(self, key: Key, position: int | None) -> GameState:
        """The OPERATOR put on a FIELDPOSITION of his row that is free, or (None) into the SAVEZONE.

        Where he was before, he is no longer. Nothing else about him changes.
        """
        operator = self.operators[key]
        player = self.player(operator.side)
        field = [None if there == key else there for there in player.field]
        save_zone = tuple(there for there in player.save_zone if there != key)
        if position is None:
            save_zone = (*save_zone, key)
        else:
            field[position] = key
        state = self.with_operator(replace(operator, position=position))
        return state.with_player(operator.side, replace(player, field=tuple(field), save_zone=save_zone))

    def removed(self, key: Key) -> GameState:
        """The OPERATOR taken out of play: neither on the FIELD nor in the SAVEZONE."""
        state = self.placed(key, None)
        side = self.operators[key].side
        player = state.player(side)
        save_zone = tuple(there for there in player.save_zone if there != key)
        out = (*player.out_of_play, key)
        return state.with_player(side, replace(player, save_zone=save_zone, out_of_play=out))

    def swapped(self, first: Key, second: Key) -> GameState:
        """Two OPERATORs of one row in each other's places; everything else stays with its OPERATOR."""
        one, two = self.operators[first], self.operators[second]
        exchange = {first: second, second: first}
        player = self.player(one.side)
        field = tuple(exchange.get(key, key) if key is not None else None for key in player.field)
        state = self.with_operator(replace(one, position=two.position))
        state = state.with_operator(replace(two, position=one.position))
        return state.with_player(one.side, replace(player, field=field))

    def counted(self, side: Side, action: str) -> GameState:
        """One more ACTION of that name (``move``) performed by a player in this TURN."""
        player = self.player(side)
        counts = dict(player.actions)
        counts[action] = counts.get(action, 0) + 1
        return self.with_player(side, replace(player, actions=tuple(counts.items())))

    def fresh_turn(self, turn: Side, round: int) -> GameState:
        """The beginning of a TURN: nobody has performed an ACTION or a BONUS ACTION in it (T-5, K-3)."""
        operators = tuple(
            replace(operator, bonuses=(), bonus_used=False)
            if operator.bonuses or operator.bonus_used
            else operator
            for operator in self.operators
        )
        blue, red = replace(self.blue, actions=()), replace(self.red, actions=())
        return replace(self, operators=operators, blue=blue, red=red, turn=turn, round=round)
