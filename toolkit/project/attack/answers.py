"""Dice and decisions of one attack: from the command, and what nobody asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from toolkit.engine.decisions import Decision, NoAnswer, RandomDice, ScriptedPlayer
from toolkit.engine.state import GameState, Key, Side
from toolkit.project.attack.request import AttackWish, WrongUse
from toolkit.project.attack.settings import Setting, person


class WishedDice:
    """The dice that were named, else those of the seed; ``rolled`` are the results so far."""

    def __init__(self, wish: AttackWish) -> None:
        self.wish = wish
        self.rolled: list[int] = []
        self._random = RandomDice(wish.seed)

    def roll(self, purpose: str, whose: Side) -> int:
        """The next result; NoAnswer when the named ones have run out."""
        named = self.wish.dice
        if named is None:
            result = self._random.roll(purpose, whose)
        elif len(self.rolled) < len(named):
            result = named[len(self.rolled)]
        else:
            die = {"reroll": "die that is rerolled", "RULEVIOLATION": "D6 of RULEVIOLATION"}.get(
                purpose, purpose
            )
            raise NoAnswer(
                f"--dice lists {len(named)}, and there is one more to roll: the {die} of {whose}."
                " Add its result, or leave --dice out and let --seed roll."
            )
        self.rolled.append(result)
        return result


class WishedAnswers:
    """Answers by kind of decision, else the first option; ``asked`` counts the questions by kind."""

    def __init__(self, given: Mapping[str, Sequence[object]]) -> None:
        self.given = given
        self.asked: dict[str, int] = {}
        self._script = ScriptedPlayer(given)

    def answer(self, decision: Decision, state: GameState) -> int:
        """The index of the answer; only where there is a choice it was asked for."""
        if len(decision.options) > 1:
            self.asked[decision.kind] = self.asked.get(decision.kind, 0) + 1
        if decision.kind == "performance" and "item" not in decision.options:
            self._no_item(decision.whose, state)
        return self._script.answer(decision, state)

    def _no_item(self, whose: Side, state: GameState) -> None:
        """NoAnswer if the next reward is to be an ITEM and there can be none."""
        if "item" not in self.unused.get("performance", ())[:1]:
            return
        why = "nobody of his can bear the ITEM"
        if not state.player(whose).item_deck:
            why = f"{whose} has no ITEM in his ITEMDECK; use --scenario with one that has `item_decks`"
        raise NoAnswer(f"--performance: {why}.")

    @property
    def unused(self) -> dict[str, tuple[object, ...]]:
        """Answers that nobody asked for, by kind."""
        return self._script.unused


def answers_of(wish: AttackWish, setting: Setting) -> WishedAnswers | WrongUse:
    """The answers of a wish, with the OPERATORs found in the field."""
    choose: list[Key] = []
    bearers: list[Key] = []
    for written, found in ((wish.choose, choose), (wish.performance, bearers)):
        for name in written:
            if name == "draw" and found is bearers:
                continue
            who = person(setting.state, name)
            if isinstance(who, WrongUse):
                return who
            found.append(who)
    return WishedAnswers(
        {
            "critical": wish.critical,
            "reroll": wish.reroll,
            "either": wish.either,
            "choose": choose,
            "performance": ["draw" if reward == "draw" else "item" for reward in wish.performance],
            "item_to": bearers,
        }
    )


def notes_of(wish: AttackWish, dice: WishedDice, answers: WishedAnswers) -> Iterator[str]:
    """What was given and not needed, and what was asked and not given."""
    if wish.dice is not None and len(wish.dice) > len(dice.rolled):
        left = ", ".join(map(str, wish.dice[len(dice.rolled) :]))
        yield f"not all of --dice was rolled: {left} left"
    if "critical" in answers.unused:
        asked = answers.asked.get("critical", 0)
        yield f"--critical answers for {_dice(len(wish.critical))}, and {_dice(asked)} could be doubled"
    if "reroll" in answers.unused:
        yield f"--reroll names {', '.join(map(str, answers.unused['reroll']))}, which could not be rerolled"
    for kind in ("choose", "either", "performance"):
        if kind in answers.unused:
            yield f"nobody asked for all of --{kind}"
    if answers.asked.get("critical", 0) > len(wish.critical):
        yield "a critical die is added unless you say --critical double"
    if answers.asked.get("reroll") and not wish.reroll:
        yield "a die could be rerolled: --reroll 1 takes the first that was rolled, and --dice needs one more"
    for kind, told in _ASKED.items():
        if answers.asked.get(kind, 0) > len(answers.given[kind]):
            yield told


_ASKED = {
    "choose": "an effect chose the first OPERATOR that it could: --choose ID names another",
    "either": "of either … or … the first happened: --either second takes the other",
    "performance": "the reward of the PERFORMANCE was a card: --performance ID gives that OPERATOR the ITEM",
}
"""What is said of a question to which the command had no answer."""


def _dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"
