"""An attack that is played with forced answers and dice, as often as wanted, from the same state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from typing import Any

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.engine.acting_effects import Attack, Pending
from toolkit.engine.actions import GameAction, end_action, perform_alone, refusal
from toolkit.engine.attack import play_events, settle_and_compare
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import Decision
from toolkit.engine.game import EventName, Game, GameOver
from toolkit.engine.modifiers import Holding
from toolkit.engine.outcomes import EndlessChain, Refusal, Roll
from toolkit.engine.state import SIDES, GameState, Key, OperatorState, Side
from toolkit.play.odds.exploring import Question, Situation, TooManyWays
from toolkit.play.odds.measures import NOTHING_SPENT, Outcome

_LISTS_CARDS = frozenset(("attack_card", "late_attack_card", "defence_card", "card", "discard", "order"))
"""Decisions whose options are cards: with them it matters which card was on top of the DECK."""


class AttackPosition(Struct, frozen=True):
    """A state in which an attack is to be performed, with both hands known (O-3).

    ``exhausts`` says that the attacker is EXHAUSTED by it, as in a strict scenario.
    """

    rules: Rules
    state: GameState
    action: GameAction
    exhausts: bool = False

    @property
    def attacking(self) -> Side:
        """The player who attacks."""
        return self.state.operators[self.action.by].side

    @property
    def names(self) -> tuple[str, str]:
        """What the attacker and the attacked OPERATOR are called."""
        assert self.action.on is not None, "an attack is on somebody"
        return self.state.name(self.action.by), self.state.name(self.action.on)


class AtDice(Exception):
    """The first die of the attack is to be rolled."""


class WatchedGame(Game):
    """A game that knows who has become HIT in it, and whom the last attack was on (E-22)."""

    __slots__ = ("answers", "begun", "fallen")

    def __init__(self, position: AttackPosition, answers: ForcedAnswers) -> None:
        super().__init__(
            position.rules, position.state, {"blue": answers, "red": answers}, answers, traced=False
        )
        self.play_only(position.state.cards())
        self.fallen: frozenset[Key] = frozenset()
        self.begun: Attack | None = None
        self.answers = answers

    def begin_attack(self, attacker: OperatorState, attacked: OperatorState) -> Attack:
        """Return an attack at its start."""
        begun = super().begin_attack(attacker, attacked)
        self.begun = self.begun or begun  # others come at once (E-32)
        return begun

    def push(self, name: EventName, operators: tuple[OperatorState, ...] = (), **details: Any) -> None:
        """Add an event that effects will react to."""
        if name == "becomes HIT":
            self.fallen |= {operator.key for operator in operators}
        super().push(name, operators, **details)

    def roll_for(self, threshold: int, purpose: str, side: Side) -> int:
        """Return the next die, which may be asked for as one of two results."""
        answers = self.answers
        return answers.below_or_from(threshold) if answers.only_results else self.roll(purpose, side)


class ForcedAnswers:
    """Both players and the dice: it gives the answers that it was told, then 0, and notes each question.

    What leaves no choice is no question. Chance is spread evenly over what it draws from; with
    ``only_results`` a die for a threshold is one of two results. A DECK is left as it lies (O-6), and
    ``deck_matters`` says that another order could have changed something.
    """

    def __init__(self) -> None:
        self.answers: Sequence[int] = ()
        self.questions: list[Question] = []
        self.game: WatchedGame
        self.decks: tuple[tuple[str, ...], ...] = ()
        self.deck_matters = False
        self.stops_at_dice = self.only_results = False

    def begin(self, answers: Sequence[int]) -> None:
        """Begin anew with other answers."""
        self.answers, self.questions = answers, []

    def _next(self, question: Question) -> int:
        number = len(self.questions)
        self.questions.append(question)
        return self.answers[number] if number < len(self.answers) else 0

    def answer(self, decision: Decision, state: GameState) -> int:
        """Return the forced answer to a decision."""
        if len(decision.options) == 1:
            return 0
        if decision.kind in _LISTS_CARDS and not self.deck_matters:
            self.deck_matters = self._shows_deck(decision, state)
        return self._next(Question(len(decision.options), decision, self._situation()))

    def _shows_deck(self, decision: Decision, state: GameState) -> bool:
        """Whether what can be chosen depends on the order of a DECK: its cards are offered, or were drawn."""
        deck = {*state.player(decision.whose).deck}
        offers_deck = decision.kind in ("card", "order") and not deck.isdisjoint(decision.options)
        return offers_deck or self._is_deck_changed(state)

    def _is_deck_changed(self, state: GameState) -> bool:
        """Whether cards were drawn since the attack began, so that hands depend on the order of a DECK."""
        return (state.blue.deck, state.red.deck) != self.decks

    def roll(self, purpose: str, side: Side) -> int:  # noqa: ARG002 (the protocol's shape)
        """Return the forced result of a D6; AtDice at the dice of the attack, if it ``stops_at_dice``."""
        if self.stops_at_dice and purpose == "ATTACK D6":
            raise AtDice
        return 1 + self._next(_D6)

    def below_or_from(self, threshold: int) -> int:
        """Return 1 for all faces below a threshold, 6 for all others: two plays instead of six."""
        below = min(max(threshold - 1, 0), 6)
        if below in (0, 6):
            return 6 if below == 0 else 1
        chances = Fraction(below, 6), Fraction(6 - below, 6)
        return 6 if self._next(Question(2, chances=chances)) else 1

    def pick(self, purpose: str, side: Side, options: Sequence[object]) -> int:  # noqa: ARG002 (as above)
        """Return the forced draw."""
        draws_cards = isinstance(options[0], str)
        if draws_cards and self._is_deck_changed(self.game.state):
            self.deck_matters = True
        return 0 if len(options) == 1 else self._next(Question(len(options)))

    def shuffle(self, side: Side, cards: Sequence[str]) -> Sequence[str]:  # noqa: ARG002 (as above)
        """Return a DECK as it lies."""
        return cards

    def _situation(self) -> Situation:
        """What is known now."""
        result, attack = self.game.result, self.game.attack
        if result is not None:
            return Situation(compared=(result.damage, result.hits, result.critical))
        return Situation() if attack is None else Situation(dice_of(attack))


_D6 = Question(6)


def dice_of(attack: Attack) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return what the dice of an attack show that are not set aside (E-23)."""
    rolls = [roll for roll in attack.rolls if not roll.is_aside]
    attacks = sorted(roll.result for roll in rolls if roll.die == "ATTACK")
    defences = sorted(roll.result for roll in rolls if roll.die == "DEFENCE")
    return tuple(attacks), tuple(defences)


class DiceSnapshot(Struct, frozen=True):
    """An attack at its dice: the state, the questions so far, and how far its lists have grown.

    ``unjudged`` are the effects that wait for what comes of the dice (M-8), ``dice_verbs`` what rerolls, sets
    and keeps them.
    """

    state: GameState
    attack: Attack
    questions: tuple[Question, ...]
    fallen: frozenset[Key]
    effects_done: int
    changes: int
    holdings: int
    late: tuple[tuple[int, int], ...]
    unjudged: list[Pending]
    dice_verbs: list[Holding]

    def restore_attack(self) -> None:
        """Take back what the attack has done since."""
        attack = self.attack
        del attack.changes[self.changes :]
        del attack.holdings[self.holdings :]
        attack.rolls.clear()
        attack.used_dice_verbs.clear()
        attack.late, attack.critical, attack.damage = self.late, False, 0
        for pending in self.unjudged:
            pending.verdict = None


class ForcedAttack:
    """Plays the attack of a position; afterwards the state is as it was (``restore``).

    ``limit`` is how many ways may be played; ``counts_spent`` whether outcomes say what was spent.
    """

    def __init__(self, position: AttackPosition, limit: int) -> None:
        self.position, self.limit = position, limit
        self.state = position.state
        self.forced = ForcedAnswers()
        self.game = WatchedGame(position, self.forced)
        self.forced.game = self.game
        self.forced.decks = (self.state.blue.deck, self.state.red.deck)
        self.before = self.state.copy()
        self.ways = 0
        self.counts_spent = True
        self.chain: EndlessChain | None = None

    def refusal(self) -> Refusal | None:
        """Return why the attack is not allowed; None if it is (O-7)."""
        return refusal(self.game, self.position.action)

    def restore(self) -> None:
        """Take back what was played."""
        self.state.restore(self.before)
        self.game.invalidate()
        self.game.begin()

    def begin(self, answers: Sequence[int]) -> None:
        """Begin anew with these answers."""
        self._count_way()
        self.restore()
        self.game.fallen, self.game.begun = frozenset(), None
        self.forced.begin(answers)

    def _count_way(self) -> None:
        """Count one more way through the attack. Raises ``TooManyWays`` beyond the limit."""
        self.ways += 1
        if self.ways > self.limit:
            raise TooManyWays

    def play(self, answers: Sequence[int]) -> tuple[Outcome, Sequence[Question]]:
        """Play the whole ACTION, without those that it earns (O-5)."""
        self.begin(answers)
        with suppress(GameOver):
            perform_alone(self.game, self.position.action, self.position.exhausts)
        return self.outcome(), self.forced.questions

    def at_dice(self) -> DiceSnapshot:
        """Return the moment at which the dice of the attack are to be rolled."""
        attack = self.game.attack
        assert attack is not None, "it has begun"
        return DiceSnapshot(
            self.state.copy(),
            attack,
            tuple(self.forced.questions),
            self.game.fallen,
            self.game.effects_done,
            len(attack.changes),
            len(attack.holdings),
            attack.late,
            [pending for pending in attack.pending if pending.verdict is None],
            [
                held
                for operator in (attack.attacker, attack.attacked)
                for verb in (tree.MayReroll, tree.SetsDice, tree.KeepsDice)
                for held in self.game.held(operator, verb)
            ],
        )

    def play_from(
        self, snapshot: DiceSnapshot, rolls: Sequence[Roll], answers: Sequence[int]
    ) -> tuple[Outcome, Sequence[Question]]:
        """Play on with dice as they are after all rerolls; ``answers`` begin with those from before them."""
        self._count_way()
        game, attack, action = self.game, snapshot.attack, self.position.action
        self._return_to(snapshot)
        self.forced.answers = answers
        attack.rolls += rolls
        attack.used_dice_verbs += snapshot.dice_verbs
        was_exhausted = self.before.operators[action.by].status == "EXHAUSTED"
        exhausts = self.position.exhausts and not (action.bonus or was_exhausted)
        with suppress(GameOver):
            settle_and_compare(game, attack, game.static_effects())
            play_events(game, attack)
            end_action(game, attack.attacker, exhausts, "ATTACK", attack.attacked)
        return self.outcome(), self.forced.questions

    def _return_to(self, snapshot: DiceSnapshot) -> None:
        """Take back what was played since the dice of the attack were to be rolled."""
        game = self.game
        self.state.restore(snapshot.state)
        game.invalidate()
        game.begin()
        game.fallen, game.effects_done = snapshot.fallen, snapshot.effects_done
        snapshot.restore_attack()
        game.attack = game.begun = snapshot.attack
        game.in_modify = True
        self.forced.questions = [*snapshot.questions]

    def outcome(self) -> Outcome:
        """Return what came of the ACTION that has just been played."""
        result, action = self.game.result, self.position.action
        self.chain = self.chain or self.game.chain
        attacked = action.on if self.game.begun is None else self.game.begun.attacked.key
        becomes_hit = attacked in self.game.fallen
        if result is None:
            return Outcome(0, False, becomes_hit, False, self.spent())
        return Outcome(result.damage, result.hits, becomes_hit, result.critical, self.spent())

    def spent(self) -> tuple[int, int, int, int]:
        """Return which cards have been spent so far (``SPENT``)."""
        if not self.counts_spent:
            return NOTHING_SPENT
        if all(map(self._has_same_cards, SIDES)):
            return NOTHING_SPENT
        attached = Counter(
            question.decision.whose
            for question, answer in zip(self.forced.questions, self.forced.answers, strict=False)
            if question.decision is not None and question.decision.kind in _WINDOWS and answer
        )
        blue_discarded, red_discarded = (
            max(0, self._cards_gone(side) - attached[side]) for side in ("blue", "red")
        )
        return attached["blue"], attached["red"], blue_discarded, red_discarded

    def _has_same_cards(self, side: Side) -> bool:
        """Whether nothing has left or joined a player's hand: then the state has the very same tuples."""
        before, after = self.before.player(side), self.state.player(side)
        return before.hand is after.hand and before.strategies is after.strategies

    def _cards_gone(self, side: Side) -> int:
        """How many cards have left a player's hand and strategy positions."""
        before, after = self.before.player(side), self.state.player(side)
        cards_before = Counter((*before.hand, *before.strategies))
        return (cards_before - Counter((*after.hand, *after.strategies))).total()


_WINDOWS = ("attack_card", "defence_card", "late_attack_card")
