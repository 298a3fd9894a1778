"""The answers of a scenario's step to the engine: decisions and dice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from toolkit.data.scenarios import Given, OperatorRef, Step
from toolkit.engine.actions import GameAction
from toolkit.engine.decisions import Decision, DieOption, NoAnswer
from toolkit.engine.game import Game
from toolkit.engine.log import described_action
from toolkit.engine.state import GameState, Side
from toolkit.play.scenarios.setup import Bindings
from toolkit.source import Span

ANSWERED_BY = {
    "critical": "critical",
    "either": "either",
    "may": "may",
    "choose": "choose",
    "card": "cards",
    "discard": "cards",
    "strategy_discard": "cards",
    "order": "order",
    "place": "place",
}
"""The key of a step that answers a decision, by kind of decision (LANGUAGE2.md §14)."""

_FIRST_OPTION = 0
"""The index of what is chosen, or drawn, where a step says nothing (LANGUAGE.md §5)."""


def answers_of(step: Step, bindings: Bindings) -> dict[str, list[Given[object]]]:
    """Return the answers of a step by key, in order, as options of decisions with their places."""

    def key(ref: OperatorRef | Given[None]) -> Given[object]:
        return Given(bindings.key(ref) if isinstance(ref, OperatorRef) else None, ref.span)

    return {
        **{name: [*getattr(step, name)] for name in ("critical", "either", "may", "cards", "order")},
        "choose": [key(answer) for answer in step.choose],
        # scenarios count FIELDPOSITIONs from 1, the engine from 0
        "place": [Given(answer.value - 1, answer.span) for answer in step.place],
    }


def option_name(option: object, bindings: Bindings, is_place: bool = False) -> str:
    """Return an option as a scenario writes it; a number is an OPERATOR's key, or, if it ``is_place``, a
    FIELDPOSITION from 0."""
    if option is None:
        return "~"
    if isinstance(option, int):
        return str(option + 1) if is_place else bindings.names.get(option, str(option))
    return str(option)


class StepDice(Struct):
    """The dice of a step, in the order listed. Raises NoAnswer when one more is rolled.

    What chance draws is listed too; if not, it draws the first option.
    """

    step: Step
    bindings: Bindings
    rolled: int = 0
    drawn: int = 0

    def roll(self, purpose: str, side: Side) -> int:
        """Return the next result; the sentence of a NoAnswer says which die is missing."""
        if self.rolled < len(self.step.dice):
            self.rolled += 1
            return self.step.dice[self.rolled - 1].value
        die = {"reroll": "reroll", "RULEVIOLATION": "D6 of RULEVIOLATION"}.get(purpose, purpose)
        number = len(self.step.dice) + 1
        raise NoAnswer(f"`dice` has no result for the {die} of {side}; it would be number {number}.")

    def pick(self, purpose: str, whose: Side, options: Sequence[object]) -> int:  # noqa: ARG002 (the protocol)
        """Return the index of what is drawn; NoAnswer if what the step names cannot be drawn."""
        if self.drawn == len(self.step.random):
            return _FIRST_OPTION
        ref = self.step.random[self.drawn]
        self.drawn += 1
        # OPERATORs are drawn by their keys, cards of a hand or DECK by their ids
        is_operator = any(card == ref.card for _side, card in self.bindings.keys)
        drawn_option: object = self.bindings.key(ref) if is_operator else ref.card
        if drawn_option not in options:
            names = ", ".join(option_name(option, self.bindings) for option in options)
            raise NoAnswer(f"`random` draws {ref.written}, which cannot be drawn here; possible: {names}.")
        return options.index(drawn_option)

    def shuffle(self, side: Side, cards: Sequence[str]) -> Sequence[str]:  # noqa: ARG002 (the protocol)
        """Return cards in their present order: decks of scenarios are not shuffled."""
        return cards

    @property
    def unused(self) -> tuple[Given[int], ...]:
        """The listed results that were not rolled."""
        return self.step.dice[self.rolled :]

    @property
    def not_drawn(self) -> tuple[OperatorRef, ...]:
        """The listed draws that chance did not make."""
        return self.step.random[self.drawn :]


_WINDOWS = ("attack_card", "defence_card", "late_attack_card")


class StepPlayer:
    """Answers for both players as a step says, in order, or with the first option (LANGUAGE.md §5).

    ``is_at_once``: it is an ACTION at once, whose windows for cards are asked for (E-32).
    """

    def __init__(self, step: Step, bindings: Bindings, is_at_once: bool = False) -> None:
        self.step, self.bindings, self.is_at_once = step, bindings, is_at_once
        self._answers = answers_of(step, bindings)
        self._used_counts: dict[str, int] = {}

    def answer(self, decision: Decision, state: GameState) -> int:
        """Return the index of the answer; NoAnswer if what the step says cannot be chosen."""
        key = ANSWERED_BY.get(decision.kind)
        if key is not None:
            return self._listed(decision, key)
        match decision.kind:
            case "exchange" | "substitute" | "retreat" | "fill":
                # In SUPPORT the next OPERATOR of ``choose`` comes or goes only where it can: a step cannot
                # say which of these decisions an answer is for.
                return self._listed(decision, "choose", is_required=False)
            case "reroll" | "set":
                return self._die(decision)
            case "performance":
                return self._performance(decision, state)
            case "item_to":
                return self._item_to(decision)
            case window if window in _WINDOWS and self.is_at_once:
                return self._card(decision)
        return _FIRST_OPTION

    def _card(self, decision: Decision) -> int:
        """Return the card that an ACTION at once names for a window of M-5, else none: the first option."""
        named_card: Given[str] | None = getattr(self.step, decision.kind)
        if named_card is None:
            return _FIRST_OPTION
        self._used_counts[decision.kind] = 1
        if named_card.value not in decision.options:
            raise NoAnswer(f"`{decision.kind}` names `{named_card.value}`, which cannot be attached here.")
        return decision.options.index(named_card.value)

    def _listed(self, decision: Decision, key: str, is_required: bool = True) -> int:
        """Return the next answer of a list, or the first option after its end.

        An answer that is no option is refused if it ``is_required``; else it waits, and the first is taken.
        """
        number, answers = self._used_counts.get(key, 0), self._answers[key]
        if number >= len(answers):
            return _FIRST_OPTION
        answer = answers[number].value
        if not is_required and (answer is None or answer not in decision.options):
            return _FIRST_OPTION
        self._used_counts[key] = number + 1
        if answer in decision.options:
            return decision.options.index(answer)
        is_place = key == "place"
        names = [option_name(option, self.bindings, is_place) for option in decision.options]
        possible = f"possible: {', '.join(names)}" if names else "nothing is possible"
        answer_text = option_name(answer, self.bindings, is_place)
        raise NoAnswer(f"`{key}` answers {answer_text}, which cannot be chosen here; {possible}.")

    def _die(self, decision: Decision) -> int:
        """Return the next answer of ``reroll`` or ``set``: a die or none; one that is not offered waits for
        its turn.

        A step counts dice among those of their side; for ``reroll`` it is first looked up among all of the
        attack.
        """
        kind = decision.kind
        answers, number = getattr(self.step, kind) or (), self._used_counts.get(kind, 0)
        if number >= len(answers):
            return _FIRST_OPTION
        die_number = answers[number].value
        countings = ("number", "number_of_side") if kind == "reroll" else ("number_of_side",)
        for counting in countings:
            for index, option in enumerate(decision.options):
                if _is_die(option, die_number, counting):
                    self._used_counts[kind] = number + 1
                    return index
        return _FIRST_OPTION

    def _performance(self, decision: Decision, state: GameState) -> int:
        """Return the reward that the step names for its first PERFORMANCE of that side, else the first."""
        reward = self.step.performance
        if reward is None or self._used_counts.get("performance"):
            return _FIRST_OPTION
        if reward.to is not None and self.bindings.side(reward.to) != decision.whose:
            return _FIRST_OPTION  # the answer is the other player's
        self._used_counts["performance"] = 1
        if reward.item is None:
            return decision.options.index("draw") if "draw" in decision.options else _FIRST_OPTION
        if "item" not in decision.options:
            deck = state.player(decision.whose).item_deck
            reason = "no OPERATOR can bear it" if deck else "that ITEMDECK is empty"
            raise NoAnswer(
                f"`performance` takes the ITEM `{reward.item.value}` for {decision.whose}, but {reason}."
            )
        return decision.options.index("item")

    def _item_to(self, decision: Decision) -> int:
        """Return the bearer of the ITEM that the step names for its first one, else the first."""
        reward = self.step.performance
        if reward is None or reward.item is None or reward.to is None or self._used_counts.get("item_to"):
            return _FIRST_OPTION
        self._used_counts["item_to"] = 1
        # ``about`` is the ITEM that was drawn: a step cannot choose which lies on top
        if decision.about is not None and decision.about != reward.item.value:
            raise NoAnswer(
                f"`performance` takes the ITEM `{reward.item.value}`, but {decision.about} lies on top of the"
                f" ITEMDECK of {decision.whose}."
            )
        key = self.bindings.key(reward.to)
        if key not in decision.options:
            names = ", ".join(option_name(option, self.bindings) for option in decision.options)
            raise NoAnswer(
                f"{reward.to.written} cannot bear the ITEM `{reward.item.value}`; possible: {names}."
            )
        return decision.options.index(key)

    @property
    def unused(self) -> dict[str, list[Span]]:
        """The places of the unused answers, by key."""
        step = self.step
        unused = {
            key: [answer.span for answer in answers[self._used_counts.get(key, 0) :]]
            for key, answers in self._answers.items()
        }
        for kind in ("reroll", "set"):
            dice = (getattr(step, kind) or ())[self._used_counts.get(kind, 0) :]
            unused[kind] = [die.span for die in dice if die.value is not None]
        if step.performance is not None and not self._used_counts.get("performance"):
            unused["performance"] = [step.performance.span]
        for window in _WINDOWS if self.is_at_once else ():
            named_card = getattr(step, window)
            if named_card is not None and not self._used_counts.get(window):
                unused[window] = [named_card.span]
        return {key: spans for key, spans in unused.items() if spans}


def _is_die(option: object, number: int | None, counting: str) -> bool:
    """Whether an option is the die of a number in one way of counting, or for None that no die is taken."""
    if isinstance(option, DieOption):
        return bool(getattr(option, counting) == number)
    return option is None and number is None


class AtOnceEntry(NamedTuple):
    """The answers and the dice of one entry in ``at_once``."""

    player: StepPlayer
    dice: StepDice


class StepSources:
    """The answers and dice of a step; within an ACTION at once those of its entry in ``at_once`` (E-32).

    What the entry does not name is answered by the step itself. ``begun`` is the number of entries whose
    ACTION has been chosen; the last of them may still go on. ``game`` is the one that is played.
    """

    def __init__(self, player: StepPlayer, dice: StepDice) -> None:
        self.player, self.dice = player, dice
        bindings = player.bindings
        self.entries = [
            AtOnceEntry(StepPlayer(entry, bindings, True), StepDice(entry, bindings))
            for entry in player.step.at_once
        ]
        self.begun = 0
        self.game: Game | None = None

    def answer(self, decision: Decision, state: GameState) -> int:
        """Return the index of the answer; NoAnswer if what the step says cannot be chosen."""
        if decision.kind == "at_once" and self.begun < len(self.entries):
            next_entry = self.entries[self.begun]
            self.begun += 1
            return self._chosen(next_entry.player, decision)
        key = ANSWERED_BY.get(decision.kind, decision.kind)
        key = "performance" if key == "item_to" else key  # one key names the reward and its bearer
        entry = self._entry_going_on()
        is_named = entry is not None and key in entry.player.step.keys
        player = entry.player if entry is not None and is_named else self.player
        return player.answer(decision, state)

    def _entry_going_on(self) -> AtOnceEntry | None:
        """Return the entry of the ACTION at once that goes on; None if none does, or no entry chose it."""
        is_going_on = self.game is not None and self.game.performing is not None
        if not is_going_on or self.begun == 0:
            return None
        return self.entries[self.begun - 1]

    def _chosen(self, entry: StepPlayer, decision: Decision) -> int:
        """Return the option that an entry of ``at_once`` means."""
        step, bindings = entry.step, entry.bindings
        keys = [ref and bindings.key(ref) for ref in (step.by, step.on, step.swap)]
        actions = [option for option in decision.options if isinstance(option, GameAction)]
        for index, option in enumerate(actions):
            if [option.name, option.by, option.on, option.swap] == [step.action, *keys]:
                return index
        possible = ", ".join(described_action(option, bindings.names) for option in actions)
        raise NoAnswer(
            f"`at_once` answers `{step.action}`, which cannot be chosen here; possible: {possible}."
        )

    def roll(self, purpose: str, side: Side) -> int:
        """Return the next result, of the ACTION at once as long as it lists one."""
        dice = self._dice_of_action()
        return (dice if dice is not None and dice.unused else self.dice).roll(purpose, side)

    def pick(self, purpose: str, side: Side, options: Sequence[object]) -> int:
        """Return the index of what is drawn, by the ACTION at once as long as it lists a draw."""
        dice = self._dice_of_action()
        return (dice if dice is not None and dice.not_drawn else self.dice).pick(purpose, side, options)

    def _dice_of_action(self) -> StepDice | None:
        """Return what the ACTION at once that goes on lists of dice and draws; None if none goes on."""
        entry = self._entry_going_on()
        return None if entry is None else entry.dice

    def shuffle(self, side: Side, cards: Sequence[str]) -> Sequence[str]:
        """Return the cards of a DECK in the order that the dice give them."""
        return self.dice.shuffle(side, cards)
