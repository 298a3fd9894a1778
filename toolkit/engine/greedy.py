"""The greedy player: takes what gains most at once."""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.dsl import tree
from toolkit.engine.acting_effects import Arrangement
from toolkit.engine.actions import GameAction
from toolkit.engine.attack import NO_CARDS, Windows, before_dice
from toolkit.engine.attack_expectation import Expectation, expect_attack, numbers_by_doubled, read_number
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.compiler import has_reached, objective_value
from toolkit.engine.decisions import Decision, DefaultPlayer, DieOption, FixedDice, Players
from toolkit.engine.game import Game
from toolkit.engine.state import GameState, Key, OperatorState
from toolkit.engine.state_queries import StateQueries

_TAKES = ("strategy", "performance", "fill", "may")
"""Kinds of decision in which a greedy player takes what comes after the first option, if there is
something."""

_FALL = 4.0
"""As much damage as it is worth that the attacked OPERATOR becomes HIT."""
_ADVANCE, _CAPTURE = 6.0, 12.0
"""As much damage as it is worth to go the whole way to an OBJECTIVE, and to have it CAPTURED."""

Merit = tuple[float, float]
"""What an ACTION gains, and an order among those that gain nothing."""
NO_MERIT: Merit = (-1.0, -1.0)


class Trial(Game):
    """A copy of the state of a GAME to try something on; without ``players`` nobody chooses anything."""

    __slots__ = ("_arrangement_followed", "_basis_followed", "_cards", "_operators")

    def __init__(self, rules: Rules, state: GameState, players: Players | None = None) -> None:
        nobody = DefaultPlayer()
        chosen_players = players or {"blue": nobody, "red": nobody}
        super().__init__(rules, state.copy(), chosen_players, FixedDice(4), traced=False)
        self.nobody_agrees = players is None
        self._operators, self._cards = state.operators, state.cards()
        self.play_only(self._cards)
        self._arrangement_followed, self._basis_followed = self.arrangement, self.arrangement.basis(state)

    def is_of(self, state: GameState) -> bool:
        """Whether it was made of that state, as it was then or earlier in the GAME."""
        return state.operators is self._operators and state.cards() == self._cards

    def follow(self, state: GameState) -> None:
        """Become as the state is now."""
        basis = Arrangement.basis(state)
        if basis != self._basis_followed:
            self._arrangement_followed, self._basis_followed = Arrangement(), basis
        self.take_back(state)

    def take_back(self, state: GameState) -> None:
        """Take back what was tried since the state was last followed."""
        self.state.restore(state)
        self.arrangement = self._arrangement_followed
        self.hit_check_due = True
        self.begin()


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
        """The first of the ACTIONs that gain most."""
        merits = self.merits(decision.options, state)
        return merits.index(max(merits))

    def merits(self, options: Sequence[object], state: GameState) -> list[Merit]:
        """Return what each ACTION gains; least of all if it is none."""
        trial = self._trial(state)
        merits = []
        merit_by_attack: dict[tuple[Key, Key | None], Merit] = {}  # a BONUS ACTION gains as much as any other
        for option in options:
            if not isinstance(option, GameAction):
                merits.append(NO_MERIT)
                continue
            merit = merit_by_attack.get((option.by, option.on)) if option.name == "attack" else None
            if merit is None:
                merit = self._merit(trial, option)
                if option.name == "attack":
                    merit_by_attack[option.by, option.on] = merit
            merits.append(merit)
            if trial.effects_done:
                trial.take_back(state)  # something acted when the attack began (E-21)
        return merits

    def _merit(self, trial: Game, action: GameAction) -> Merit:
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

    def _advance(self, resolver: StateQueries, operator: OperatorState) -> Merit:
        """What an advance gains (A-2b); nothing for one that it makes HIT, because it costs DP (A-2)."""
        value = objective_value(resolver, operator)
        if operator.hitcounter:
            price = 0 if resolver.ignores_action(operator, "MOVE") else 3
            if resolver.number(operator, "DP") - price <= operator.hitcounter:
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
        trial, gains = self._trial(state), 1 if decision.kind != "defence_card" else -1
        best_index, best_merit = 0, 0.0
        for index, card in enumerate(decision.options):
            if index:
                trial.take_back(state)
            expected = _with_card(trial, decision.attack, card if isinstance(card, str) else None, gains)
            merit = gains * (expected.damage + _FALL * expected.hit)
            if index == 0 or merit > best_merit:
                best_index, best_merit = index, merit
        return best_index

    def _double(self, decision: Decision, state: GameState) -> int:
        """Return 1, to double the die, if AP are higher then (M-7); else 0."""
        die = decision.about
        if decision.attack is None or not isinstance(die, DieOption):
            return 0
        trial = self._trial(state)
        attacker, attacked = (trial.state.operators[key] for key in decision.attack)
        trial.attack = attack = trial.begin_attack(attacker, attacked)
        before_dice(trial, attack, NO_CARDS)
        added, doubled = numbers_by_doubled(trial, attack, 1)
        floor = trial.options.floor
        return int(read_number(doubled.ap, 0, floor) > read_number(added.ap, die.result, floor))


def _with_card(trial: Game, both: tuple[Key, Key], card: str | None, gains: int) -> Expectation:
    """Return what is expected of an attack with a card: the target's if ``gains`` < 0."""
    attacker, attacked = (trial.state.operators[key] for key in both)
    windows = Windows(card, None, None) if gains > 0 else Windows(None, card, None)
    return expect_attack(trial, attacker, attacked, windows, has_begun=True)


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
        is_enemys = f" enemy {option.die} D6" in sentence
        is_bad = option.result >= 5 if is_enemys else option.result <= 2
        if not is_bad:
            continue
        worst_so_far = decision.options[worst]  # at first the option None: no die
        if not isinstance(worst_so_far, DieOption) or (option.result > worst_so_far.result) == is_enemys:
            worst = index
    return worst
