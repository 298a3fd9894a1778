"""The interface: whole GAMEs of two random players from a seed."""

from __future__ import annotations

from dataclasses import dataclass

from toolkit.data.model import Squad
from toolkit.engine.rules import Rules
from toolkit.engine.setup import shuffled
from toolkit.engine.state import SIDES, Side
from toolkit.engine.swift.events import Endless
from toolkit.engine.swift.plan import NotSwift, Plan, make_plan
from toolkit.engine.swift.table import Table
from toolkit.engine.swift.turns import play_turn
from toolkit.engine.swift.victory import Verdict

Seed = int | str


@dataclass(frozen=True, slots=True)
class SwiftGame:
    """How a GAME ended: ``winner`` None is a draw, ``by`` as in ``victory.Verdict``; its last ROUND, and how
    many OBJECTIVEs blue and red have CAPTURED."""

    winner: Side | None
    by: str
    rounds: int
    captured: tuple[int, int]


@dataclass(frozen=True, slots=True)
class SwiftMatch:
    """A match of two squads, compiled once for as many GAMEs as are wanted.

    Its GAMEs are played on one table, one after the other: not from several threads at once.
    """

    plan: Plan

    def play(self, seed: Seed) -> SwiftGame | NotSwift:
        """The GAME of a seed: the same as that of two ``RandomPlayer`` with the seeds ``"{seed} blue"`` and
        ``"{seed} red"`` through the reference (``recording.play_match``).

        NotSwift where a chain of events goes beyond its bounds: what comes of that only the reference says.
        """
        t = self.deal(seed)
        verdict: Verdict | None = None
        try:
            while verdict is None:
                verdict = play_turn(t)
        except Endless:
            return NotSwift("The reference has to play this GAME: a chain of events goes on without end.")
        winner, by = verdict
        captured = len(t.captured[0]), len(t.captured[1])
        return SwiftGame(None if winner < 0 else SIDES[winner], by, t.round, captured)

    def deal(self, seed: Seed) -> Table:
        """The table at the beginning of the GAME of a seed."""
        t, dealt = self.plan.table, self.plan.dealt
        chance, dice, *players = t.randoms
        for random, name in zip(t.randoms, ("decks", "dice", *SIDES), strict=True):
            random.seed(f"{seed} {name}")
        decks, item_decks = [], []
        for squad in dealt:
            decks.append(list(reversed(shuffled(squad.deck, chance))))
            item_decks.append(list(reversed(shuffled(squad.item_deck, chance))))
        t.dice = dice.random
        t.chance[:] = [player.random for player in players]
        t.lay_out(dealt, decks, item_decks)
        return t


def swift_match(rules: Rules, blue: Squad, red: Squad) -> SwiftMatch | NotSwift:
    """The match compiled, or why the reference has to play it."""
    plan = make_plan(rules, blue, red)
    return plan if isinstance(plan, NotSwift) else SwiftMatch(plan)
