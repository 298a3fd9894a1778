"""The order of a TURN, which only a strict scenario enforces (T-2, T-3)."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from toolkit.engine.actions import legal_actions
from toolkit.engine.board import Board
from toolkit.engine.outcomes import Refusal
from toolkit.engine.state import GameState, Side, other


class Order(Struct, frozen=True):
    """How far a TURN has come.

    ``answered`` says that the TURN's opponent has played a card in the STRATEGY phase, ``again``
    that the TURN's player has done so once more after that. ``last`` is the side of the last ACTION.
    """

    answered: bool = False
    again: bool = False
    last: Side | None = None

    def played(self, side: Side, turn: Side) -> Order:
        """A card was played by a side."""
        if side != turn:
            return replace(self, answered=True)
        return replace(self, again=self.answered)

    def acted(self, side: Side) -> Order:
        """An ACTION was performed by a side, so COMBAT has begun."""
        return replace(self, last=side)


def strategy_refusal(state: GameState, order: Order, side: Side) -> Refusal | None:
    """Why a side may not play a card now (T-2); None if it may."""
    if order.last is not None:
        return Refusal("T-2", "Cards are played in the STRATEGY phase, and COMBAT has begun.")
    if side != state.turn and order.again:
        return Refusal(
            "T-2", f"{state.turn} has played once more, so {side} plays no further card in this TURN."
        )
    return None


def combat_refusal(board: Board, order: Order, side: Side) -> Refusal | None:
    """Why an OPERATOR of a side may not act now (T-3); None if he may. Whoever cannot act passes."""
    turn = board.state.turn if order.last is None else other(order.last)
    if side == turn or not legal_actions(board, turn):
        return None
    return Refusal("T-3", f"In COMBAT the players alternate, and now it is {turn} who acts.")
