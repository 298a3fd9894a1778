"""Which cards each player has drawn and played in a game, together with how many it drew.

Which cards are drawn is decided by the shuffle alone once it is known how many are; how many is not, for who
is ahead draws more (K-1). So the two are counted together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from toolkit.engine.state import SIDES, GameState, PlayerState, Side

UNSEEN, SEEN, PLAYED = "unseen", "seen", "played"
"""What can become of a card: it stays in the DECK, it is drawn, or also played, attached or taken."""


class Draw(Struct, frozen=True):
    """What became of a card of a SQUAD in a game in which so many cards of its pile were drawn, and how the
    game ended for the SQUAD."""

    squad: str
    card: str
    pile: str
    drawn: int
    fate: str
    outcome: str

    def __str__(self) -> str:
        """Return it as a key of ``Counts.draws``."""
        return f"{self.squad} {self.card} {self.pile} {self.drawn} {self.fate} {self.outcome}"


def read_draw(text: str) -> Draw:
    """Return what a key of ``Counts.draws`` says."""
    squad, card, pile, drawn, fate, outcome = text.split(" ")
    return Draw(squad, card, pile, int(drawn), fate, outcome)


class DrawnCards:
    """What both players draw in a game, from its beginning."""

    def __init__(self, state: GameState) -> None:
        self.state = state
        self._cards_at_start = {side: _undrawn(state.player(side), at_first=True) for side in SIDES}

    def draws(
        self, squads: Mapping[Side, str], outcomes: Mapping[Side, str], played: Mapping[Side, Collection[str]]
    ) -> Iterator[Draw]:
        """Yield what became of each card, when the game is over."""
        for side in SIDES:
            undrawn = _undrawn(self.state.player(side))
            for pile, cards in self._cards_at_start[side].items():
                drawn = cards.total() - undrawn[pile].total()
                for card, number in cards.items():
                    is_seen = undrawn[pile][card] < number
                    is_played = card in played[side] or (is_seen and pile == "ITEMDECK")
                    fate = PLAYED if is_played else SEEN if is_seen else UNSEEN
                    yield Draw(squads[side], card, pile, drawn, fate, outcomes[side])


def _undrawn(player: PlayerState, at_first: bool = False) -> dict[str, Counter[str]]:
    """The cards in both DECKs; the hand with which a game begins was drawn from one of them."""
    hand = player.hand if at_first else ()
    return {"DECK": Counter((*player.deck, *hand)), "ITEMDECK": Counter(player.item_deck)}
