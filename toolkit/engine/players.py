"""Players that need nobody: random and greedy ones, and what an attack does on average."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.engine.actions import GameAction
from toolkit.engine.attack import (
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
from toolkit.engine.dice_chances import MOST_DICE, attack_sums, sums
from toolkit.engine.game import Game, GameOver
from toolkit.engine.modifiers import Change, damage_of, put_together
from toolkit.engine.state import GameState, Key, OperatorState
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
    attacks, defences = dice_wanted(game, attack, static)
    # 7: of too many dice none is critical
    threshold = critical_from(game, attack, static) if attacks <= MOST_DICE else 7
    needed = game.number(attacked, "DP", static) - attacked.hitcounter
    attack_verbs, defence_verbs = dice_verbs(game, attack, static)
    defence_sums = sums(defences, defence_verbs)
    most_doubled = attacks if threshold <= 6 else 0
    numbers_by_doubled = [
        _numbers_with(game, attack, doubled, defence_sums, needed) for doubled in range(most_doubled + 1)
    ]
    damage = hit = 0.0
    for choices, chance in attack_sums(attacks, threshold, attack_verbs):
        expectations = []
        for added, doubled in choices:
            numbers = numbers_by_doubled[doubled]
            expectations.append(numbers.against(numbers.ap(added)))
        best_damage, best_hit = max(expectations)
        damage += chance * best_damage
        hit += chance * best_hit
    return Expectation(damage, hit)


class _Numbers(Struct):
    """AP by what the dice add to it, and DAMAGE and chance of HIT by AP (``_average``)."""

    ap: Callable[[int], int]
    against: Callable[[int], tuple[float, float]]


_Sums = tuple[int, tuple[float, ...]]


def _numbers_with(game: Game, attack: Attack, doubled: int, defence_sums: _Sums, needed: int) -> _Numbers:
    """What an attack does with so many dice doubled against the sums of the DEFENCE D6; the attack is
    afterwards as it was before."""
    judged_late = [pending for pending in attack.pending if pending.effect.judged == AFTER_CRITICAL]
    change_count, holding_count = len(attack.changes), len(attack.holdings)
    attack.critical = doubled > 0
    attack.changes += [die_change(attack, "ATTACK", 6, True)] * doubled
    act(game, attack, AFTER_CRITICAL)
    static = game.static_effects()
    damage_changes = game.counting(attack.attacked, "DAMAGE", static) if game.awaits("DAMAGE") else []
    ap, ep = _by_dice(game, attack.attacker, "AP", static), _by_dice(game, attack.attacked, "EP", static)
    least, chances = defence_sums
    eps = tuple([ep(points) for points in range(least, least + len(chances))])
    if damage_changes:
        damage = partial(damage_of, changes=damage_changes, options=game.options, attacking=game.first)
        against = partial(_average, eps=eps, chances=chances, needed=needed, damage=damage)
    else:
        against = partial(_against, eps=eps, chances=chances, needed=needed)
    del attack.changes[change_count:]
    del attack.holdings[holding_count:]
    for pending in judged_late:
        pending.verdict = None
    return _Numbers(ap, against)


def _by_dice(game: Game, operator: OperatorState, stat: str, static: StaticEffects) -> Callable[[int], int]:
    """The number as it is read (N-5), by what the dice add to it (M-6)."""
    value, changes = game.facts[operator.key].values[stat], game.counting(operator, stat, static)
    options, first, floor = game.options, game.first, game.options.floor
    if not any(map(_comes_behind_dice, changes)):
        carried = put_together(value, changes, options, first)
        return lambda points: max(floor, carried + points)

    def number(points: int) -> int:
        dice = Change(operator.key, stat, "add", points, DICE_STEP, operator.side, "M-6")
        return max(floor, put_together(value, [*changes, dice], options, first))

    return number


def _comes_behind_dice(change: Change) -> bool:
    """Whether it may change what dice have added: a limit (E-26), or a factor of a later step."""
    is_sum = change.layer in ("add", "subtract")
    return change.layer in LIMITS or (change.step > DICE_STEP and not is_sum)


def _average(
    ap: int,
    eps: tuple[int, ...],
    chances: tuple[float, ...],
    needed: int,
    damage: Callable[[int], int] = int,
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


_against = lru_cache(maxsize=100_000)(_average)


# The greedy player


class GreedyPlayer:
    """Takes the ACTION that gains most: damage, OPERATORs that become HIT, the way to an OBJECTIVE.

    It plays every card that it can, brings everybody to the FIELD, takes ITEMs, and attaches the card that
    does most, or leaves the least damage. It remembers whom it attacks, for the choices within an attack;
    nothing is left to chance.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._action: GameAction | None = None

    def answer(self, decision: Decision, state: GameState) -> int:
        """Return its choice."""
        index = self._choice(decision, state)
        self.recall(decision, state, index)
        return index

    def recall(self, decision: Decision, state: GameState, index: int) -> None:  # noqa: ARG002 (the protocol)
        """Remember a choice that was made before, as if it had just been made."""
        chosen = decision.options[index]
        if decision.kind in ("action", "at_once"):
            self._action = chosen if isinstance(chosen, GameAction) else None

    def _choice(self, decision: Decision, state: GameState) -> int:
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

    def _trial(self, state: GameState) -> Game:
        """A copy of the state to try attacks on."""
        player = DefaultPlayer()
        return Game(self.rules, state.copy(), {"blue": player, "red": player}, FixedDice(4), traced=False)

    def _best_action(self, decision: Decision, state: GameState) -> int:
        trial = self._trial(state)
        best, most = 0, (-1.0, -1.0)
        for index, option in enumerate(decision.options):
            if isinstance(option, GameAction):
                merit = self._merit(trial, option)
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
        if not isinstance(decision.about, tuple):
            return 0
        gains = 1 if decision.kind != "defence_card" else -1
        best_index, best_merit = 0, 0.0
        for index, card in enumerate(decision.options):
            expected = self._with_card(state, decision.about, card if isinstance(card, str) else None, gains)
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
        action, die = self._action, decision.about
        if action is None or action.on is None or not isinstance(die, DieOption):
            return 0
        trial = self._trial(state)
        attacker, attacked = trial.state.operators[action.by], trial.state.operators[action.on]
        trial.attack = attack = trial.begin_attack(attacker, attacked)
        before_dice(trial, attack, NO_CARDS)
        added, doubled = (_numbers_with(trial, attack, number, sums(1), 1).ap for number in (0, 1))
        return int(doubled(0) > added(die.result))


def _gain_of_attack(trial: Game, operator: OperatorState, attacked: OperatorState) -> float:
    """What an attack gains; what comes of its beginning (E-21) is taken back."""
    if not trial.hears("begins"):
        return _gain(trial, operator, attacked)
    with trial.trying(trial.players, trial.dice):
        return _gain(trial, operator, attacked)


def _gain(trial: Game, operator: OperatorState, attacked: OperatorState) -> float:
    expected = expect_attack(trial, operator, attacked, NO_CARDS)
    if trial.attack is not None:
        attacked = trial.attack.attacked  # E-22
    trial.begin()
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
