"""What an attack does on average, with every result of its dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from msgspec import Struct

from toolkit.engine.acting_effects import Attack, StaticEffects
from toolkit.engine.attack import (
    ALWAYS_CRITICAL,
    NEVER_CRITICAL,
    Windows,
    act,
    before_dice,
    begin,
    critical_from,
    dice_verbs,
    dice_wanted,
    die_change,
)
from toolkit.engine.compiled_rules import AFTER_CRITICAL, DICE_STEP
from toolkit.engine.dice_chances import MOST_DICE, Verbs, attack_sums, sums
from toolkit.engine.game import Game, GameOver
from toolkit.engine.modifiers import Change, damage_of, put_together
from toolkit.engine.state import OperatorState
from toolkit.vocabulary import LIMITS

GAME = 1000.0
"""As much damage as it is worth that a card wins the GAME when it is attached (E-31)."""


class Expectation(Struct, frozen=True):
    """What an attack does on average, if its player chooses well at M-7: what it adds to the HITCOUNTER, and
    how likely the attacked OPERATOR becomes HIT. Dice are rerolled and set as the greedy player does
    (``dice_chances``); M-7 is chosen on the average of the DEFENCE D6, which matters only where a CRITICAL
    changes DAMAGE (E-14)."""

    damage: float = 0.0
    hit: float = 0.0


def expect_attack(
    game: Game,
    attacker: OperatorState,
    attacked: OperatorState,
    windows: Windows,
    *,
    has_begun: bool = False,
) -> Expectation:
    """Play an attack up to the dice, then count each of their results.

    With cards in the windows, and by what begins (E-21), the state changes, so let it be a copy;
    ``has_begun`` says that only MODIFY is left to play. Dice won by a CRITICAL are left out.
    """
    game.begin()
    try:
        if not has_begun:
            attacked = begin(game, attacker, attacked)
        game.attack = attack = game.begin_attack(attacker, attacked)
        game.in_modify = True
        if not before_dice(game, attack, windows):
            return Expectation()
    except GameOver:
        return Expectation(GAME if attacker.side in game.state.winners else -GAME)
    static = game.static_effects()
    dice = _dice_of(game, attack, static)
    needed = game.number(attacked, "DP", static) - attacked.hitcounter
    numbers = numbers_by_doubled(game, attack, dice.most_doubled, static)
    for of_doubled in numbers:
        if not of_doubled.is_plain:
            return _expected(dice, numbers, needed, game.options.floor)
    return _expected_of_plain(dice, numbers, needed, game.options.floor)


class _AttackDice(Struct, frozen=True):
    """The dice of an attack: how many are rolled on each side, from which result on an ATTACK D6 is critical,
    and what acts on those of each side."""

    attacks: int
    defences: int
    threshold: int
    attack_verbs: Verbs
    defence_verbs: Verbs

    @property
    def most_doubled(self) -> int:
        """How many ATTACK D6 may be doubled at most (M-7)."""
        return self.attacks if self.threshold < NEVER_CRITICAL else 0


_PLAIN_DICE = _AttackDice(1, 1, ALWAYS_CRITICAL, (), ())


def _dice_of(game: Game, attack: Attack, static: StaticEffects) -> _AttackDice:
    """The dice of an attack as they stand when they are to be rolled."""
    if not game.holds_any(attack, static):
        return _PLAIN_DICE
    attacks, defences = dice_wanted(game, attack, static)
    # of too many dice none is critical
    threshold = critical_from(game, attack, static) if attacks <= MOST_DICE else NEVER_CRITICAL
    return _AttackDice(attacks, defences, threshold, *dice_verbs(game, attack, static))


_ByDice = int | Callable[[int], int]
"""A number by what dice add to it: what it is without them, if all is only added up, else how it is made of
the sum of the dice."""


class _Numbers(Struct, frozen=True):
    """AP of the attacker and EP of the attacked by what dice add to them (M-6), and how DAMAGE is made of
    AP - EP, if anything changes it (E-14)."""

    ap: _ByDice
    ep: _ByDice
    damage: Callable[[int], int] | None = None

    @property
    def is_plain(self) -> bool:
        """Whether they are only added up, so that an expectation can be kept for them."""
        return isinstance(self.ap, int) and isinstance(self.ep, int) and self.damage is None


def numbers_by_doubled(
    game: Game, attack: Attack, most_doubled: int, static: StaticEffects | None = None
) -> tuple[_Numbers, ...]:
    """The numbers with no die doubled, with one, and so on; the attack is afterwards as it was before."""
    if AFTER_CRITICAL not in attack.due:
        return _numbers_now(game, attack, most_doubled, static or game.static_effects())
    return tuple([_numbers_after_critical(game, attack, doubled) for doubled in range(most_doubled + 1)])


def _numbers_now(
    game: Game, attack: Attack, most_doubled: int, static: StaticEffects
) -> tuple[_Numbers, ...]:
    """The numbers as the attack stands, then with one more die doubled, and so on up to ``most_doubled``.

    Nothing else comes of a CRITICAL: a doubled die only adds to AP.
    """
    damage_changes = game.counting(attack.attacked, "DAMAGE", static) if game.awaits("DAMAGE") else []
    damage = None
    if damage_changes:
        damage = partial(damage_of, changes=damage_changes, options=game.options, attacking=game.first)
    ep = _by_dice(game, attack.attacked, "EP", game.counting(attack.attacked, "EP", static))
    ap_changes = game.counting(attack.attacker, "AP", static)
    numbers = [_Numbers(_by_dice(game, attack.attacker, "AP", ap_changes), ep, damage)]
    for _ in range(most_doubled):
        ap_changes.append(die_change(attack, "ATTACK", 6, True))
        numbers.append(_Numbers(_by_dice(game, attack.attacker, "AP", ap_changes), ep, damage))
    return tuple(numbers)


def _numbers_after_critical(game: Game, attack: Attack, doubled: int) -> _Numbers:
    """The numbers with so many dice doubled, and what comes of it."""
    change_count, holding_count = len(attack.changes), len(attack.holdings)
    attack.critical = doubled > 0
    attack.changes += [die_change(attack, "ATTACK", 6, True)] * doubled
    act(game, attack, AFTER_CRITICAL)
    (numbers,) = _numbers_now(game, attack, 0, game.static_effects())
    del attack.changes[change_count:]
    del attack.holdings[holding_count:]
    for pending in attack.due[AFTER_CRITICAL]:
        if pending.effect.judged == AFTER_CRITICAL:
            pending.verdict = None
    return numbers


def _by_dice(game: Game, operator: OperatorState, stat: str, changes: list[Change]) -> _ByDice:
    """The number as it is carried (N-5), by what the dice add to it (M-6)."""
    value, options, first = game.facts[operator.key].values[stat], game.options, game.first
    for change in changes:
        # what may change what dice have added: a limit (E-26), or a factor of a later step
        if change.layer in LIMITS or (change.step > DICE_STEP and change.layer not in ("add", "subtract")):
            break
    else:
        return put_together(value, changes, options, first)
    changes_before = tuple(changes)

    def number(points: int) -> int:
        dice = Change(operator.key, stat, "add", points, DICE_STEP, operator.side, "M-6")
        return put_together(value, [*changes_before, dice], options, first)

    return number


def read_number(number: _ByDice, points: int, floor: int) -> int:
    """The number as it is read with dice that add so many points (N-5)."""
    return max(floor, number + points if isinstance(number, int) else number(points))


def _expected(dice: _AttackDice, numbers: tuple[_Numbers, ...], needed: int, floor: int) -> Expectation:
    """What an attack does on average with the numbers for no die doubled, for one, and so on; ``needed`` is
    the DAMAGE by which the attacked OPERATOR becomes HIT."""
    least, chances = sums(dice.defences, dice.defence_verbs)
    eps = [
        [read_number(of_doubled.ep, least + extra, floor) for extra in range(len(chances))]
        for of_doubled in numbers
    ]
    damage = hit = 0.0
    for choices, chance in attack_sums(dice.attacks, dice.threshold, dice.attack_verbs):
        expectations = []
        for added, doubled in choices:
            ap = read_number(numbers[doubled].ap, added, floor)
            expectations.append(_average(ap, eps[doubled], chances, needed, numbers[doubled].damage or int))
        best_damage, best_hit = max(expectations)
        damage += chance * best_damage
        hit += chance * best_hit
    return Expectation(damage, hit)


_expected_of_plain = lru_cache(maxsize=100_000)(_expected)


def _average(
    ap: int, eps: Sequence[int], chances: Sequence[float], needed: int, damage: Callable[[int], int]
) -> tuple[float, float]:
    """DAMAGE and chance of HIT on average over the DEFENCE D6, each sum of which makes one of ``eps``;
    ``damage`` makes it from AP - EP."""
    total = hit = 0.0
    for ep, chance in zip(eps, chances, strict=True):
        points = damage(ap - ep)
        if points > 0:
            total += points * chance
            hit += chance if points >= needed else 0.0
    return total, hit
