"""Players that need nobody: random and greedy ones, and what an attack does on average."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.engine.actions import GameAction
from toolkit.engine.attack import (
    NEVER_CRITICAL,
    NO_CARDS,
    Windows,
    act,
    before_dice,
    begin,
    critical_from,
    dice_verbs,
    dice_wanted,
    die_change,
)
from toolkit.engine.compiled_rules import AFTER_CRITICAL, DICE_STEP, Rules
from toolkit.engine.compiler import has_reached, objective_value
from toolkit.engine.decisions import Decision, DefaultPlayer, DieOption, FixedDice, Player, RandomPlayer
from toolkit.engine.dice_chances import MOST_DICE, Verbs, attack_sums, sums
from toolkit.engine.game import Game, GameOver
from toolkit.engine.modifiers import Change, damage_of, put_together
from toolkit.engine.state import GameState, Key, OperatorState, Side
from toolkit.engine.state_queries import Attack, StateQueries, StaticEffects
from toolkit.vocabulary import LIMITS

BUILT_IN = ("random", "greedy")
"""Names of the players that ``built_in`` makes."""

_TAKES = ("strategy", "performance", "fill", "may")
"""Kinds of decision in which a greedy player takes what comes after the first option, if there is
something."""

_FALL = 4.0
"""As much damage as it is worth that the attacked OPERATOR becomes HIT."""
_GAME = 1000.0
"""As much damage as it is worth that a card wins the GAME when it is attached (E-31)."""
_ADVANCE, _CAPTURE = 6.0, 12.0
"""As much damage as it is worth to go the whole way to an OBJECTIVE, and to have it CAPTURED."""


def built_in(name: str, rules: Rules, seed: int | str) -> Player:
    """Return a player by name; the same seed gives the same answers to the same questions."""
    return GreedyPlayer(rules) if name == "greedy" else RandomPlayer(seed)


# What an attack does on average


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
        return Expectation(_GAME if attacker.side in game.state.winners else -_GAME)
    static = game.static_effects()
    dice = _dice_of(game, attack, static)
    needed = game.number(attacked, "DP", static) - attacked.hitcounter
    numbers = _numbers_by_doubled(game, attack, dice.most_doubled)
    are_plain = all(of_doubled.is_plain for of_doubled in numbers)
    return (_expected_of_plain if are_plain else _expected)(dice, numbers, needed, game.options.floor)


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


def _dice_of(game: Game, attack: Attack, static: StaticEffects) -> _AttackDice:
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


def _numbers_by_doubled(game: Game, attack: Attack, most_doubled: int) -> tuple[_Numbers, ...]:
    """The numbers with no die doubled, with one, and so on; the attack is afterwards as it was before."""
    if AFTER_CRITICAL not in attack.due:
        return _numbers_now(game, attack, most_doubled)
    return tuple([_numbers_after_critical(game, attack, doubled) for doubled in range(most_doubled + 1)])


def _numbers_now(game: Game, attack: Attack, most_doubled: int) -> tuple[_Numbers, ...]:
    """The same if nothing else comes of a CRITICAL."""
    static = game.static_effects()
    damage_changes = game.counting(attack.attacked, "DAMAGE", static) if game.awaits("DAMAGE") else []
    damage = None
    if damage_changes:
        damage = partial(damage_of, changes=damage_changes, options=game.options, attacking=game.first)
    ep = _by_dice(game, attack.attacked, "EP", game.counting(attack.attacked, "EP", static))
    ap_changes = game.counting(attack.attacker, "AP", static)
    numbers = []
    for doubled in range(most_doubled + 1):
        if doubled:
            ap_changes.append(die_change(attack, "ATTACK", 6, True))
        numbers.append(_Numbers(_by_dice(game, attack.attacker, "AP", ap_changes), ep, damage))
    return tuple(numbers)


def _numbers_after_critical(game: Game, attack: Attack, doubled: int) -> _Numbers:
    """The numbers with so many dice doubled, and what comes of it."""
    change_count, holding_count = len(attack.changes), len(attack.holdings)
    attack.critical = doubled > 0
    attack.changes += [die_change(attack, "ATTACK", 6, True)] * doubled
    act(game, attack, AFTER_CRITICAL)
    (numbers,) = _numbers_now(game, attack, 0)
    del attack.changes[change_count:]
    del attack.holdings[holding_count:]
    for pending in attack.due[AFTER_CRITICAL]:
        if pending.effect.judged == AFTER_CRITICAL:
            pending.verdict = None
    return numbers


def _by_dice(game: Game, operator: OperatorState, stat: str, changes: list[Change]) -> _ByDice:
    """The number as it is carried (N-5), by what the dice add to it (M-6)."""
    value, options, first = game.facts[operator.key].values[stat], game.options, game.first
    if not any(map(_comes_behind_dice, changes)):
        return put_together(value, changes, options, first)
    changes_before = tuple(changes)

    def number(points: int) -> int:
        dice = Change(operator.key, stat, "add", points, DICE_STEP, operator.side, "M-6")
        return put_together(value, [*changes_before, dice], options, first)

    return number


def _read(number: _ByDice, points: int, floor: int) -> int:
    """The number as it is read with dice that add so many points (N-5)."""
    return max(floor, number + points if isinstance(number, int) else number(points))


def _expected(dice: _AttackDice, numbers: tuple[_Numbers, ...], needed: int, floor: int) -> Expectation:
    """What an attack does on average with the numbers for no die doubled, for one, and so on; ``needed`` is
    the DAMAGE by which the attacked OPERATOR becomes HIT."""
    least, chances = sums(dice.defences, dice.defence_verbs)
    eps = [
        [_read(of_doubled.ep, least + extra, floor) for extra in range(len(chances))]
        for of_doubled in numbers
    ]
    damage = hit = 0.0
    for choices, chance in attack_sums(dice.attacks, dice.threshold, dice.attack_verbs):
        expectations = []
        for added, doubled in choices:
            ap = _read(numbers[doubled].ap, added, floor)
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


def _comes_behind_dice(change: Change) -> bool:
    """Whether it may change what dice have added: a limit (E-26), or a factor of a later step."""
    is_sum = change.layer in ("add", "subtract")
    return change.layer in LIMITS or (change.step > DICE_STEP and not is_sum)


# The greedy player


class Trial(Game):
    """A copy of the state of a GAME to try attacks on."""

    __slots__ = ("_cards", "_operators", "is_rearranged")

    def __init__(self, rules: Rules, state: GameState) -> None:
        player = DefaultPlayer()
        super().__init__(rules, state.copy(), {"blue": player, "red": player}, FixedDice(4), traced=False)
        self._operators, self._cards = state.operators, state.cards()
        self.play_only(self._cards)
        self.is_rearranged = False

    def is_of(self, state: GameState) -> bool:
        """Whether it was made of that state, as it was then or earlier in the GAME."""
        return state.operators is self._operators and state.cards() == self._cards

    def follow(self, state: GameState) -> None:
        """Become as the state is now."""
        self.is_rearranged = True
        self.take_back(state)

    def take_back(self, state: GameState) -> None:
        """Take back what was tried since the state was last followed."""
        self.state.restore(state)
        if self.is_rearranged:
            super().invalidate()
            self.is_rearranged = False
        self.begin()

    def invalidate(self) -> None:
        """Forget which effects act, now and when all is taken back."""
        super().invalidate()
        self.is_rearranged = True

    def forget_card(self, side: Side, card: str) -> None:
        """The same for an attached card that has come or gone."""
        super().forget_card(side, card)
        self.is_rearranged = True


class GreedyPlayer:
    """Takes the ACTION that gains most: damage, OPERATORs that become HIT, the way to an OBJECTIVE.

    It plays every card that it can, brings everybody to the FIELD, takes ITEMs, and attaches the card that
    does most, or leaves the least damage. It remembers nothing, and nothing is left to chance.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._tried: Trial | None = None

    def answer(self, decision: Decision, state: GameState) -> int:
        """Return its choice."""
        match decision.kind:
            case "action" | "at_once":
                return self._best_action(decision, state)
            case "attack_card" | "late_attack_card" | "defence_card":
                return self._best_card(decision, state)
            case "critical":
                return self._double(decision, state)
            case "reroll":
                return _reroll(decision)
            case "set":
                return _set(decision)
        return min(1, len(decision.options) - 1) if decision.kind in _TAKES else 0

    def recall(self, decision: Decision, state: GameState, index: int) -> None:
        """Do nothing: what it has chosen before makes no difference."""

    def _trial(self, state: GameState) -> Trial:
        """A copy of the state to try attacks on; it is the same one as long as the GAME goes on."""
        if self._tried is None or not self._tried.is_of(state):
            self._tried = Trial(self.rules, state)
        else:
            self._tried.follow(state)
        return self._tried

    def _best_action(self, decision: Decision, state: GameState) -> int:
        trial = self._trial(state)
        best, most = 0, (-1.0, -1.0)
        for index, option in enumerate(decision.options):
            if isinstance(option, GameAction):
                merit = self._merit(trial, option)
                if trial.effects_done:
                    trial.take_back(state)  # something acted when the attack began (E-21)
                if merit > most:
                    best, most = index, merit
        return best

    def _merit(self, trial: Game, action: GameAction) -> tuple[float, float]:
        """What an ACTION gains; those that gain nothing are ordered among themselves."""
        operators = trial.state.operators
        operator = operators[action.by]
        if action.on is not None and action.name == "attack":
            return _gain_of_attack(trial, operator, operators[action.on]), 0.0
        if action.name == "move" and action.swap is None:
            return self._advance(trial, operator)
        if action.name == "medic" and action.on is not None:
            return 0.0, 2.0 + operators[action.on].hitcounter / 100
        return 0.0, {"evade": 1.0, "reload": 2.5}.get(action.name, 0.0)

    def _advance(self, resolver: StateQueries, operator: OperatorState) -> tuple[float, float]:
        """What an advance gains (A-2b); nothing for one that it makes HIT, because it costs DP (A-2)."""
        value = objective_value(resolver, operator)
        price = 0 if resolver.ignores_action(operator, "MOVE") else 3
        if operator.hitcounter and resolver.number(operator, "DP") - price <= operator.hitcounter:
            return -1.0, 0.0
        if value is None:
            return 0.0, 0.5
        if has_reached(resolver, operator):
            return _CAPTURE, 0.0
        missing = max(1, value - operator.objectivecounter)
        moves = resolver.number(operator, "MP")
        return _ADVANCE * min(1.0, moves / missing), moves

    def _best_card(self, decision: Decision, state: GameState) -> int:
        """The ATTACK card with which the attack does the most damage, or the DEFENCE card that leaves the
        least; none if none does better."""
        if decision.attack is None:
            return 0
        gains = 1 if decision.kind != "defence_card" else -1
        best_index, best_merit = 0, 0.0
        for index, card in enumerate(decision.options):
            expected = self._with_card(state, decision.attack, card if isinstance(card, str) else None, gains)
            merit = gains * (expected.damage + _FALL * expected.hit)
            if index == 0 or merit > best_merit:
                best_index, best_merit = index, merit
        return best_index

    def _with_card(
        self, state: GameState, both: tuple[Key, Key], card: str | None, gains: int
    ) -> Expectation:
        trial = self._trial(state)
        attacker, attacked = (trial.state.operators[key] for key in both)
        windows = Windows(card, None, None) if gains > 0 else Windows(None, card, None)
        return expect_attack(trial, attacker, attacked, windows, has_begun=True)

    def _double(self, decision: Decision, state: GameState) -> int:
        """Whether AP are higher with the die doubled (M-7)."""
        die = decision.about
        if decision.attack is None or not isinstance(die, DieOption):
            return 0
        trial = self._trial(state)
        attacker, attacked = (trial.state.operators[key] for key in decision.attack)
        trial.attack = attack = trial.begin_attack(attacker, attacked)
        before_dice(trial, attack, NO_CARDS)
        added, doubled = _numbers_by_doubled(trial, attack, 1)
        floor = trial.options.floor
        return int(_read(doubled.ap, 0, floor) > _read(added.ap, die.result, floor))


def _gain_of_attack(trial: Game, operator: OperatorState, attacked: OperatorState) -> float:
    """What an attack gains; what comes of its beginning (E-21) is still to be taken back."""
    expected = expect_attack(trial, operator, attacked, NO_CARDS)
    if trial.attack is not None:
        attacked = trial.attack.attacked  # E-22
        trial.attack, trial.in_modify = None, False
    return expected.damage + expected.hit * (_FALL + attacked.objectivecounter)


def _set(decision: Decision) -> int:
    """The first die, if that makes an own one higher, or one of the enemy lower; else none, where it may."""
    option, does = decision.options[min(1, len(decision.options) - 1)], decision.about
    if decision.options[0] is not None or not isinstance(does, tree.SetsDice):
        return 0
    assert isinstance(option, DieOption)
    return int(option.result > does.result if does.enemy else option.result < does.result)


def _reroll(decision: Decision) -> int:
    """Own dice of 1 and 2, the enemy's of 5 and 6, the worst first."""
    sentence = "" if decision.source is None else decision.source.text
    worst = 0
    for index, option in enumerate(decision.options):
        if not isinstance(option, DieOption):
            continue
        enemy = f" enemy {option.die} D6" in sentence
        if option.result >= 5 if enemy else option.result <= 2:
            other = decision.options[worst]
            if not isinstance(other, DieOption) or (option.result > other.result) == enemy:
                worst = index
    return worst
