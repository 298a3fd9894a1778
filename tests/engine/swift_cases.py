"""The same GAME played by the reference and swiftly, and both states in the same words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from toolkit.data.model import Squad
from toolkit.engine.course import Course
from toolkit.engine.decisions import RandomDice, RandomPlayer
from toolkit.engine.game import play_turn
from toolkit.engine.rules import Rules
from toolkit.engine.setup import new_game
from toolkit.engine.state import SIDES, GameState
from toolkit.engine.swift import codes, turns
from toolkit.engine.swift.events import Endless
from toolkit.engine.swift.games import SwiftMatch
from toolkit.engine.swift.plan import Plan
from toolkit.engine.swift.table import Table
from toolkit.vocabulary import STATS

_ACTIONS = ("attack", "move", "medic", "evade", "reload")
_ADDING = ("add", "subtract")


def reference_words(state: GameState) -> dict[str, object]:
    """Everything in a state, as plain values; what is added to stats as sums by duration and stat."""
    found: dict[str, object] = {"turn": state.turn, "round": state.round}
    for who in state.operators:
        lasting = [
            (
                one.duration,
                one.stat,
                None if one.layer is None else codes.LAYER[one.layer],
                one.amount,
                one.controller,
            )
            for one in who.lasting
            if one.layer not in _ADDING
        ]
        added: Counter[tuple[str, str | None]] = Counter()
        for one in who.lasting:
            if one.layer in _ADDING:
                added[one.duration, one.stat] += one.amount or 0
        bonuses = sorted(codes.ACTION_BIT[bonus] for bonus in who.bonuses)
        facts = (who.card, who.side, codes.STATUS[who.status], who.position, who.hitcounter)
        found[f"operator {who.key}"] = (
            *facts,
            who.objectivecounter,
            who.attached,
            lasting,
            {what: amount for what, amount in added.items() if amount},
            bonuses,
            who.bonus_used,
        )
    for side in SIDES:
        player = state.player(side)
        found[side] = (
            player.field,
            player.save_zone,
            player.out_of_play,
            player.hand,
            player.deck,
            player.discard,
            player.item_deck,
            player.item_discard,
            player.strategies,
            player.objectives,
            player.captured,
            tuple(player.performed(action) for action in _ACTIONS),
        )
    return found


def swift_words(plan: Plan, rules: Rules) -> dict[str, object]:
    """The same of a table."""
    t = plan.table
    found: dict[str, object] = {"turn": SIDES[t.turn], "round": t.round}
    for key, card in enumerate(t.card):
        lasting = [
            (
                codes.DURATIONS[one[1]],
                None if one[2] < 0 else STATS[one[2]],
                None if one[2] < 0 else one[3],
                one[4],
                SIDES[one[5]],
            )
            for one in t.lasting[key]
        ]
        found[f"operator {key}"] = (
            plan.names[card],
            SIDES[t.side[key]],
            t.status[key],
            t.pos[key] if t.pos[key] >= 0 else None,
            t.hit[key],
            t.obj[key],
            plan.names[t.att[key]] or None,
            lasting,
            _added(t, key),
            sorted(t.bonuses[key]),
            t.used[key],
        )
    for number, side in enumerate(SIDES):
        found[side] = _zones(t, plan, rules, number)
    return found


def _added(t: Table, key: int) -> dict[tuple[str, str], int]:
    """What is added to an OPERATOR's stats, by duration."""
    found = {}
    for number, stat in enumerate(STATS):
        adds = zip(codes.DURATIONS[:-1], t.code.known.adds, strict=False)
        durations = [duration for duration, stats in adds if number in stats]
        sums = [one[key] for one in t.sums[number]]
        for duration, longer, rest in zip((*durations, "permanently"), sums, (*sums[1:], 0), strict=True):
            if longer != rest:
                found[duration, stat] = longer - rest
    return found


def _zones(t: Table, plan: Plan, rules: Rules, side: int) -> tuple[object, ...]:
    def ids(cards: list[int]) -> tuple[str, ...]:
        return tuple(plan.names[card] for card in cards)

    return (
        tuple(key if key >= 0 else None for key in t.rows[side]),
        tuple(t.saved[side]),
        tuple(t.gone[side]),
        ids(t.hands[side]),
        ids(t.decks[side][::-1]),
        ids(t.discards[side]),
        ids(t.item_decks[side][::-1]),
        ids(t.item_discards[side]),
        ids(t.strategies[side]),
        tuple(rules.objectives[one] if one >= 0 else None for one in t.objectives[side]),
        tuple(rules.objectives[one] for one in t.captured[side]),
        tuple(t.done[side]),
    )


@dataclass
class BothWays:
    """One GAME, TURN by TURN, by the reference and on the table."""

    match: SwiftMatch
    rules: Rules
    blue: Squad
    red: Squad
    seed: int

    def turns(self) -> Iterator[tuple[tuple[object, ...], tuple[object, ...]]]:
        """After each TURN what both have come to: the verdict, the whole state, and where the random numbers
        of dice and players stand. It ends with a chain of events that is too long, for both."""
        players = {side: RandomPlayer(f"{self.seed} {side}") for side in SIDES}
        dice = RandomDice(f"{self.seed} dice")
        state = new_game(self.rules, self.blue, self.red, Random(f"{self.seed} decks"))
        course = Course(self.rules, players, dice, state, traced=False)
        table = self.match.deal(self.seed)
        randoms = [dice._random, *(players[side]._random for side in SIDES)]
        verdict = None
        while verdict is None:
            verdict = play_turn(course)
            try:
                swift = turns.play_turn(table)
            except Endless:
                assert course.chain is not None
                return
            assert course.chain is None
            told = None if verdict is None else (verdict.winner, verdict.by)
            swiftly = None if swift is None else (None if swift[0] < 0 else SIDES[swift[0]], swift[1])
            streams = [roll.__self__.getstate() for roll in (table.dice, *table.chance)]  # type: ignore[attr-defined]
            yield (
                (told, reference_words(course.state), [one.getstate() for one in randoms]),
                (swiftly, swift_words(self.match.plan, self.rules), streams),
            )
