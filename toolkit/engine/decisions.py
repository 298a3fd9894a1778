"""What is asked from outside: decisions of players, and dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Protocol

from msgspec import Struct

from toolkit.dsl.effect_objects import Origin
from toolkit.engine.outcomes import TraceEntry
from toolkit.engine.state import GameState, Key, Side


class DieOption(Struct, frozen=True):
    """A die that may be rerolled or set: ``number`` counts all dice of the attack as rolled, from 1,
    ``number_of_side`` those of its side (ATTACK or DEFENCE D6)."""

    number: int
    die: str
    result: int
    number_of_side: int = 0


class SoFar(Struct, frozen=True):
    """What has happened up to a question: the trace of the ACTION, card or phase that asks, and while MODIFY
    goes on AP of the attacker and EP of the attacked by key, as they are carried on, not cut off at the floor
    (N-5). Empty where nothing is traced."""

    trace: tuple[TraceEntry, ...] = ()
    ap: tuple[Key, int] | None = None
    ep: tuple[Key, int] | None = None


class Decision(Struct, frozen=True):
    """A question to a player. The answer is an index into ``options``; the first one is the default.

    | kind | options |
    |---|---|
    | ``attack_card``, ``defence_card``, ``late_attack_card`` | None, then ids of cards in the hand |
    | ``critical`` | ``"add"``, ``"double"`` (M-7); ``about`` is the DieOption |
    | ``reroll`` | None (no), then a DieOption for each die |
    | ``set`` | None where it may be declined, then a DieOption for each die, own ones the lowest first, those
      of the enemy the highest first (E-24); ``about`` is the verb |
    | ``performance`` | ``"draw"``, ``"item"`` where it can be attached (K-1) |
    | ``item_to`` | keys of OPERATORs that may bear the ITEM; ``about`` is the ITEM's id |
    | ``choose`` | keys of OPERATORs (`one GROUP`, E-8), one after the other; asked also when there is only
      one. Of `up to …` the last option is None (nobody else). Who gets an ITEM that is drawn, its id is
      ``about``, and whose ITEM is taken (E-28) |
    | ``may`` | ``"no"``, ``"yes"`` (E-2); ``about`` is the Clause |
    | ``either`` | ``"first"``, ``"second"``; ``about`` is the Choice |
    | ``discard`` | ids of cards in the hand; of `up to …` the last option is None (no further card) |
    | ``card`` | ids of cards to be put or discarded from elsewhere than the own hand (E-13, E-17); the
      same of `up to …` |
    | ``order`` | ids of the cards that are put back on the DECK and have no place yet; the next one from the
      top (E-13) |
    | ``place`` | free FIELDPOSITIONs, 0 is leftmost (E-10); ``about`` is the key of the one who enters |
    | ``strategy_discard`` | ids of the STRATEGY cards in play (C-5) |
    | ``strategy`` | None (no more), then ids of STRATEGY and EFFECT cards in the hand (T-2) |
    | ``action`` | every legal GameAction; None (pass) first where only BONUS ACTIONS are left (T-3) |
    | ``at_once`` | every form of the ACTION that an OPERATOR could perform at once, as GameActions (E-32);
      ``about`` is its key |
    | ``item_stays`` | ``"keep"``, ``"discard"`` (T-4); ``about`` is the key of the bearer |
    | ``exchange``, ``retreat`` | keys of fallen OPERATORs: who leaves the FIELD (T-4) |
    | ``substitute`` | keys in the SAVEZONE; ``about`` is the key of the one who leaves (T-4) |
    | ``fill`` | None (leave it free), then keys in the SAVEZONE; ``about`` is the place from 0 (T-4) |

    ``why`` is a plain sentence; ``source`` the effect that asks, if any; ``so_far`` what came before.
    ``attack`` are the keys of the attacker and of whom it attacks by now (E-22), while an attack goes on.
    """

    kind: str
    whose: Side
    options: tuple[object, ...]
    why: str
    source: Origin | None = None
    about: object = None
    so_far: SoFar = SoFar()
    attack: tuple[Key, Key] | None = None


class Player(Protocol):
    """Anything that answers decisions."""

    def answer(self, decision: Decision, state: GameState) -> int:
        """Return the index of the chosen option.

        ``state`` is the game as it goes on, to be read only; ``state.copy()`` is a snapshot to keep.
        """


class Dice(Protocol):
    """Where the results of dice come from."""

    def roll(self, purpose: str, side: Side) -> int:
        """The next D6, 1 to 6; ``purpose`` is ``ATTACK D6``, ``DEFENCE D6``, ``reroll``, ``RULEVIOLATION`` or
        ``D6`` (E-20)."""

    def pick(self, purpose: str, side: Side, options: Sequence[object]) -> int:
        """The index of what is drawn by chance: keys of OPERATORs, or ids of cards; ``purpose`` names it."""

    def shuffle(self, side: Side, cards: Sequence[str]) -> Sequence[str]:
        """The cards of a DECK in the order that chance gives them."""


class NoAnswer(Exception):
    """A scripted source has nothing to say, or says what cannot be; its text is a sentence for people.

    ``perform`` and its like catch it and give ``Stopped``; the state is then as it was.
    """


class DefaultPlayer:
    """Takes the first option: no card, add the die, no reroll, draw a card, else the first legal choice."""

    def answer(self, decision: Decision, state: GameState) -> int:  # noqa: ARG002 (the protocol's shape)
        """Return the first option."""
        return 0


class RandomPlayer:
    """Takes any option with equal chances; the same seed gives the same answers."""

    def __init__(self, seed: int | str) -> None:
        self._chance = Random(seed).random

    def answer(self, decision: Decision, state: GameState) -> int:  # noqa: ARG002 (the protocol's shape)
        """Return a random option."""
        return int(self._chance() * len(decision.options))


class ScriptedPlayer:
    """Answers from lists by kind of decision, in order; where a list has run out, the first option.

    An answer is the option itself; for ``reroll`` and ``set`` the number of the die; for ``choose`` and
    ``item_to`` a key. ``unused`` tells what was never asked.
    """

    def __init__(self, answers: Mapping[str, Sequence[object]]) -> None:
        self.answers = answers
        self._used_counts: dict[str, int] = {}

    def answer(self, decision: Decision, state: GameState) -> int:  # noqa: ARG002 (the protocol's shape)
        """Return the index of the next scripted answer of this kind; NoAnswer if it is no option."""
        script = self.answers.get(decision.kind, ())
        if decision.kind in ("reroll", "set"):  # their answers are numbers of dice, their options DieOptions
            return self._index_of_die(decision, script)
        used_count = self._used_counts.get(decision.kind, 0)
        if used_count >= len(script):
            return 0
        self._used_counts[decision.kind] = used_count + 1
        wanted_option = script[used_count]
        if wanted_option not in decision.options:
            raise NoAnswer(f"{wanted_option!r} cannot be chosen here: {decision.why}")
        return decision.options.index(wanted_option)

    def _index_of_die(self, decision: Decision, script: Sequence[object]) -> int:
        """Return the index of the option that is the next die of the script.

        If that die is not offered now it stays the next one, and the first option is taken.
        """
        kind = decision.kind
        used_count = self._used_counts.get(kind, 0)
        if used_count < len(script):
            for index, option in enumerate(decision.options):
                if isinstance(option, DieOption) and option.number == script[used_count]:
                    self._used_counts[kind] = used_count + 1
                    return index
        return 0

    @property
    def unused(self) -> dict[str, tuple[object, ...]]:
        """Answers that were not asked for, by kind."""
        unused_answers = {
            kind: tuple(script[self._used_counts.get(kind, 0) :]) for kind, script in self.answers.items()
        }
        return {kind: answers for kind, answers in unused_answers.items() if answers}


class FixedDice:
    """Dice that always show the same; chance draws the first, and nothing is shuffled."""

    def __init__(self, result: int) -> None:
        self._result = result

    def roll(self, purpose: str, side: Side) -> int:  # noqa: ARG002 (the protocol's shape)
        """Return the result."""
        return self._result

    def pick(self, purpose: str, side: Side, options: Sequence[object]) -> int:  # noqa: ARG002 (the protocol's shape)
        """Return the first."""
        return 0

    def shuffle(self, side: Side, cards: Sequence[str]) -> Sequence[str]:  # noqa: ARG002 (the protocol's shape)
        """Return the cards as they lie."""
        return cards


class RandomDice:
    """Fair dice; the same seed rolls the same results."""

    def __init__(self, seed: int | str) -> None:
        self._chance = Random(seed).random

    def roll(self, purpose: str, side: Side) -> int:  # noqa: ARG002 (the protocol's shape)
        """Return 1 to 6."""
        return 1 + int(self._chance() * 6)

    def pick(self, purpose: str, side: Side, options: Sequence[object]) -> int:  # noqa: ARG002 (the protocol's shape)
        """Return the index of any of them, each with the same chance."""
        return int(self._chance() * len(options))

    def shuffle(self, side: Side, cards: Sequence[str]) -> Sequence[str]:  # noqa: ARG002 (the protocol's shape)
        """Return them in any order with equal chances."""
        return shuffled(cards, self._chance)


def shuffled(cards: Sequence[str], chance: Callable[[], float]) -> tuple[str, ...]:
    """Return cards in any order with equal chances; ``chance`` gives numbers from 0 to below 1."""
    deck = list(cards)
    # written out, so that a seed means the same deck in every version of Python
    for last in range(len(deck) - 1, 0, -1):
        position = int(chance() * (last + 1))
        deck[last], deck[position] = deck[position], deck[last]
    return tuple(deck)


Players = Mapping[Side, Player]
"""A player for each side."""
