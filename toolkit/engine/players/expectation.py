"""The expected damage of an attack: the engine plays it with every result that its dice can show.

``expected_damage`` asks the reference interpreter; ``fast_expectation`` gives the same number from the fast
path, where that can play the attack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from toolkit.engine.actions import GameAction, perform
from toolkit.engine.decisions import Decision
from toolkit.engine.fast.attack import FastPath, NotFused
from toolkit.engine.outcomes import AttackResult, Outcome
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Side
from toolkit.engine.windows import Ask


@dataclass(slots=True)
class GivenDice:
    """Results of ATTACK D6 and DEFENCE D6 as given, 1 where none is; ``attack`` and ``defence`` grow with
    what was rolled. RULEVIOLATION succeeds, it comes too late to matter."""

    attack: list[int] = field(default_factory=list)
    defence: list[int] = field(default_factory=list)
    attacks: int = 0
    defences: int = 0

    def roll(self, purpose: str, whose: Side) -> int:  # noqa: ARG002 (the protocol's shape)
        """The next result."""
        if purpose == "ATTACK D6":
            self.attacks += 1
            return _next(self.attack, self.attacks)
        if purpose == "DEFENCE D6":
            self.defences += 1
            return _next(self.defence, self.defences)
        return 6


def _next(results: list[int], number: int) -> int:
    if len(results) < number:
        results.append(1)
    return results[number - 1]


@dataclass(slots=True)
class Choosing:
    """Doubles those critical dice whose bit in ``doubled`` is set; everything else by default."""

    doubled: int
    asked: int = 0

    def answer(self, decision: Decision, state: GameState) -> int:  # noqa: ARG002 (the protocol's shape)
        """Whether to double this die; for other questions the first option."""
        if decision.kind != "critical":
            return 0
        self.asked += 1
        return self.doubled >> (self.asked - 1) & 1


def expected_damage(state: GameState, rules: Rules, action: GameAction) -> float:
    """What an attack adds to the HITCOUNTER on average, if its player chooses well at M-7.

    The windows of M-5 are as in the action (ASK: no card), nobody rerolls. 0 for an attack that is refused.
    A DEFENCE D6 only adds to EP, so that one playing tells what each of its results would come to; where that
    is not certain (EP at the floor, or ``stepwise`` with its later steps) each of them is played.
    """
    total = 0.0
    attack: list[int] = []
    while True:
        best, dice = _best_choice(state, rules, action, attack)
        if dice is None:
            return 0.0
        attack = dice.attack[: dice.attacks]
        total += best / 6.0 ** len(attack)
        while attack and attack[-1] == 6:
            attack.pop()
        if not attack:
            return total
        attack[-1] += 1


def _best_choice(
    state: GameState, rules: Rules, action: GameAction, attack: list[int]
) -> tuple[float, GivenDice | None]:
    """The best of the choices at M-7 for these ATTACK D6; the dice of the first of them."""
    best, first, choice = 0.0, None, 0
    while True:
        dice, chooser = GivenDice(list(attack)), Choosing(choice)
        result = play_attack(state, rules, action, chooser, dice)
        if result is None:
            return 0.0, first
        first = first or dice
        best = max(best, _over_defence(state, rules, action, choice, dice, result))
        choice += 1
        if choice >= 1 << chooser.asked:
            return best, first


def _over_defence(
    state: GameState,
    rules: Rules,
    action: GameAction,
    choice: int,
    dice: GivenDice,
    ones: AttackResult,
) -> float:
    """The damage on average over the DEFENCE D6; ``ones`` is the attack in which all of them show 1."""
    number = dice.defences
    if rules.options.stacking == "layered" and ones.ep > rules.options.floor:
        lead = ones.ap - ones.ep
        return sum(max(0, lead - more) * weight for more, weight in enumerate(_sums(number)))
    total = 0.0
    every = list(_all_results(number))
    for results in every:
        played = play_attack(
            state, rules, action, Choosing(choice), GivenDice(list(dice.attack), list(results))
        )
        total += max(0, played.ap - played.ep) if played else 0
    return total / len(every)


def fast_expectation(path: FastPath, state: GameState, action: GameAction) -> float | None:
    """What ``expected_damage`` gives for an attack that is allowed; None where the fast path cannot tell."""
    if action.on is None or isinstance(action.attack_card, Ask) or isinstance(action.defence_card, Ask):
        return None
    attack = path.attack(state, action.by, action.on, action.attack_card, action.defence_card)
    if isinstance(attack, NotFused) or attack.second_roll or attack.dice.attack_dice > MOST_DICE:
        return None
    numbers, number = attack.numbers, attack.dice.defence_dice
    defence = [(number + more, chance) for more, chance in enumerate(_sums(number))]
    total = 0.0
    for choices, chance in _attack_sums(attack.dice.attack_dice, attack.dice.threshold):
        total += chance * max(
            sum(numbers(added, doubled, die)[2] * likely for die, likely in defence)
            for added, doubled in choices
        )
    return total


MOST_DICE = 4
"""So many ATTACK D6 at most are enumerated here."""

_Choices = tuple[tuple[int, int], ...]


@lru_cache
def _attack_sums(number: int, threshold: int) -> tuple[tuple[_Choices, float], ...]:
    """For every result of so many ATTACK D6, those alike put together: what M-7 lets choose, as pairs of the
    sum that is added and how many dice are doubled instead; and its chance."""
    found: Counter[_Choices] = Counter()
    for results in _all_results(number):
        critical = sorted(result for result in results if result >= threshold)
        # the lowest critical dice are those to double
        found[
            tuple((sum(results) - sum(critical[:doubled]), doubled) for doubled in range(len(critical) + 1))
        ] += 1
    return tuple((choices, times / 6.0**number) for choices, times in found.items())


@lru_cache
def _sums(number: int) -> tuple[float, ...]:
    """The chances that so many D6 show so much more than ones altogether."""
    chances = [1.0]
    for _ in range(number):
        longer = [0.0] * (len(chances) + 5)
        for more, chance in enumerate(chances):
            for face in range(6):
                longer[more + face] += chance / 6
        chances = longer
    return tuple(chances)


def _all_results(number: int) -> Iterator[tuple[int, ...]]:
    if number == 0:
        yield ()
        return
    for rest in _all_results(number - 1):
        for face in range(1, 7):
            yield (*rest, face)


def play_attack(
    state: GameState, rules: Rules, action: GameAction, chooser: Choosing, dice: GivenDice
) -> AttackResult | None:
    """The attack with these dice and choices; None if it is refused or ends before it is compared."""
    players: dict[Side, Choosing] = {"blue": chooser, "red": chooser}
    outcome = perform(state, rules, action, players, dice, traced=False)
    return outcome.attack if isinstance(outcome, Outcome) else None
