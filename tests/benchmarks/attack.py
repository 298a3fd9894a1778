"""An attack in the fast path against hand-written Python for the same cards, and against the reference.

Run by hand: ``python -m tests.benchmarks.attack``. Everything is measured in one run, the best of several
rounds, so that ratios can be compared; the budget is 1.2 times hand-written.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from tests.engine.tables import card, operator, table
from toolkit.dsl import tree
from toolkit.effects.objects import Origin
from toolkit.engine.actions import GameAction, perform
from toolkit.engine.decisions import DefaultPlayer, ScriptedDice
from toolkit.engine.fast.attack import FastAttack, FastPath
from toolkit.engine.fast.compiled import MatchUp, compile_shape
from toolkit.engine.fast.facts import read
from toolkit.engine.state import GameState, Lasting
from toolkit.vocabulary import STATS

BUDGET = 1.2
CASES, ROUNDS = 2_000, 25

SIX = (
    operator("one", "when attacking, if target is SUPPRESSED, self gets +2 AP.", team="red-team"),
    operator("mate", team="red-team"),
    operator("two", "when attacked, if HITCOUNTER of self >= 3, self doubles EP.", dp=5),
    card("shot", "attack", "when attacking, self gets +2 AP."),
    card("wall", "defence", "when attacked, attacker halves AP."),
)
"""Six effects: two SKILLs, an ATTACK and a DEFENCE card, SUPPRESSION, and TEAMWORK."""

PLAIN = (operator("one"), operator("mate", team="red-team"), operator("two", dp=5))
"""No effect but SUPPRESSION."""

Inputs = tuple[int, ...]


def six_by_hand(
    one_ap: int,
    one_dp: int,
    one_hits: int,
    two_ep: int,
    two_dp: int,
    two_hits: int,
    die: int,
    defence: int,
    double: bool,
) -> tuple[int, int, int, bool, bool, int]:
    """What a programmer writes for the six effects. ``one_ap`` and its like are what lasts from before."""
    dp = 6 + one_dp
    if dp < 0:
        dp = 0
    dp_of_two = 5 + two_dp
    if dp_of_two < 0:
        dp_of_two = 0
    critical = double and die == 6
    ap = 8 if critical else 4
    if dp - one_hits < 6:  # SUPPRESSION
        ap //= 2
    ap //= 2  # the DEFENCE card
    if dp_of_two - two_hits < 5:  # the SKILL
        ap += 2
    ap += 3 + one_ap  # TEAMWORK and the ATTACK card
    if not critical:
        ap += die
    if ap < 0:
        ap = 0
    ep = 6 if two_hits >= 3 else 3  # the SKILL
    ep += two_ep + defence
    if ep < 0:
        ep = 0
    damage = ap - ep
    if damage < 0:
        damage = 0
    hits = two_hits + damage
    return ap, ep, damage, critical, hits > 0 and hits >= dp_of_two, dp_of_two


def plain_by_hand(
    one_ap: int,
    one_dp: int,
    one_hits: int,
    two_ep: int,
    two_dp: int,
    two_hits: int,
    die: int,
    defence: int,
    double: bool,
) -> tuple[int, int, int, bool, bool, int]:
    """What a programmer writes for two OPERATORs without effects."""
    dp = 6 + one_dp
    if dp < 0:
        dp = 0
    dp_of_two = 5 + two_dp
    if dp_of_two < 0:
        dp_of_two = 0
    critical = double and die == 6
    ap = 8 if critical else 4
    if dp - one_hits < 6:
        ap //= 2
    ap += one_ap
    if not critical:
        ap += die
    if ap < 0:
        ap = 0
    ep = 3 + two_ep + defence
    if ep < 0:
        ep = 0
    damage = ap - ep
    if damage < 0:
        damage = 0
    hits = two_hits + damage
    return ap, ep, damage, critical, hits > 0 and hits >= dp_of_two, dp_of_two


def nothing(*_inputs: int) -> None:
    """What a call costs by itself."""


def best(function: Callable[..., object], inputs: Sequence[Sequence[object]], rounds: int = ROUNDS) -> float:
    """Seconds for one call, the best of several rounds through all inputs."""
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        for one in inputs:
            function(*one)
        times.append(time.perf_counter() - started)
    return min(times) / len(inputs)


class MatchUps:
    """A match-up with many states and dice: ``by_hand`` gives the inputs of a hand-written function,
    ``fused`` those of the generated one, in the same order of cases."""

    def __init__(self, cards: Sequence[str], windows: tuple[str | None, str | None, str | None]) -> None:
        chance = Random(1)
        game = table(list(cards), "one mate", "two", blue_hand="shot", red_hand="wall")
        self.rules, self.windows = game.rules, windows
        self.path = FastPath(game.rules)
        self.match_up, keys = self.path.match_up(game.state, 0, 2, windows)
        assert self.match_up.single is not None
        self.by_hand: list[Inputs] = []
        self.fused: list[Inputs] = []
        self.states: list[tuple[GameState, int, int]] = []
        for _ in range(CASES):
            added = [chance.choice((-1, 0, 0, 1)) for _ in range(4)]
            hits = chance.randrange(4), chance.randrange(4)
            dice = chance.randint(1, 6), chance.randint(1, 6), chance.random() < 0.5
            state = _with(_with(game.state, 0, added[0], "AP", hits[0]), 0, added[1], "DP", hits[0])
            state = _with(_with(state, 2, added[2], "EP", hits[1]), 2, added[3], "DP", hits[1])
            self.by_hand.append((added[0], added[1], hits[0], added[2], added[3], hits[1], *dice))
            self.fused.append((*read(self.match_up.single.readings, state, keys, "blue"), *dice))
            self.states.append((state, dice[0], dice[1]))

    @property
    def single(self) -> Callable[..., object]:
        """The generated function from the state's numbers and dice to the result."""
        assert self.match_up.single is not None
        return self.match_up.single.function

    def asked(self, state: GameState, die: int, defence: int) -> object:
        """An attack through the interface, from the state."""
        attack = self.path.attack(state, 0, 2, *self.windows)
        assert isinstance(attack, FastAttack)
        return attack.resolve((die,), (defence,))

    def referred(self, state: GameState, die: int, defence: int) -> object:
        """The same attack in the reference interpreter, without a trace."""
        player = DefaultPlayer()
        attack_card, defence_card, late = self.windows
        action = GameAction(
            "attack", 0, 2, attack_card=attack_card, defence_card=defence_card, late_attack_card=late
        )
        dice = ScriptedDice((die, defence))
        return perform(state, self.rules, action, {"blue": player, "red": player}, dice, traced=False)


def _with(state: GameState, key: int, amount: int, stat: str, hits: int) -> GameState:
    who = state.operators[key]
    assert stat in STATS
    origin = Origin("earlier", "effect", "effect", 1, "")
    does = tree.Gets(amount, tree.Word(stat))
    made = Lasting(0, origin, "T-2", who.side, does, "TURN", stat, "add", amount)
    lasting = (*who.lasting, made) if amount else who.lasting
    return state.with_operator(replace(who, hitcounter=hits, lasting=lasting))


def compiling(match_up: MatchUp) -> float:
    """Seconds to fuse and compile a match-up anew."""
    return best(compile_shape, [(match_up.rules, match_up.shape)] * 10, 5)


def report(
    name: str, cards: Sequence[str], by_hand: Callable[..., object], windows: Sequence[str | None]
) -> None:
    """Measure one match-up and print its rows."""
    cases = MatchUps(cards, (windows[0], windows[1], None))
    for one, two in zip(cases.by_hand, cases.fused, strict=True):
        assert by_hand(*one) == cases.single(*two), (one, two)
    call = best(nothing, cases.by_hand)
    hand, fused = best(by_hand, cases.by_hand), best(cases.single, cases.fused)
    hand, fused = min(hand, best(by_hand, cases.by_hand)), min(fused, best(cases.single, cases.fused))
    prepared = cases.path.attack(cases.states[0][0], 0, 2, *cases.windows)
    assert isinstance(prepared, FastAttack)
    sums = best(prepared.numbers, [(die, 0, defence) for die in range(1, 7) for defence in range(1, 7)] * 20)
    asked = best(cases.asked, cases.states, 3)
    referred = best(cases.referred, cases.states[:500], 2)
    print(f"\n{name}")
    rows = (
        ("an empty call", call),
        ("hand-written", hand),
        ("generated, state and dice", fused),
        ("generated, dice alone", sums),
        ("interface, from a state", asked),
        ("reference, without trace", referred),
    )
    for what, seconds in rows:
        print(f"  {what:<28}{seconds * 1e6:>9.3f} µs{seconds / hand:>9.2f} ×")
    net = (fused - call) / (hand - call)
    verdict = "within" if fused / hand <= BUDGET else "OVER"
    print(f"  generated / hand-written {fused / hand:.2f} (without the call {net:.2f}): {verdict} {BUDGET}")
    print(f"  to fuse and compile a match-up {compiling(cases.match_up) * 1e3:.2f} ms")


def main() -> None:
    """Both match-ups."""
    report("six effects", SIX, six_by_hand, ("shot", "wall"))
    report("no effects but SUPPRESSION", PLAIN, plain_by_hand, (None, None))


if __name__ == "__main__":
    main()
