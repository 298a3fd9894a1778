"""What a step of a scenario answers to the engine: decisions and dice."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from toolkit.data.scenarios import Given, Step
from toolkit.engine.decisions import Decision, DieOption, NoAnswer
from toolkit.engine.state import GameState, Side
from toolkit.project.scenarios.setup import Bindings
from toolkit.source import Span


class StepDice(Struct):
    """The dice of a step in the order in which it lists them; another one is a NoAnswer."""

    step: Step
    rolled: int = 0

    def roll(self, purpose: str, whose: Side) -> int:
        """The next result; the sentence of a NoAnswer says which die was wanted."""
        if self.rolled < len(self.step.dice):
            self.rolled += 1
            return self.step.dice[self.rolled - 1].value
        die = {"reroll": "reroll", "RULEVIOLATION": "D6 of RULEVIOLATION"}.get(purpose, purpose)
        number = len(self.step.dice) + 1
        raise NoAnswer(f"`dice` has no result for the {die} of {whose}; it would be number {number}.")

    def pick(self, purpose: str, whose: Side, options: Sequence[object]) -> int:  # noqa: ARG002 (the protocol)
        """The first."""
        return 0

    def shuffle(self, whose: Side, cards: Sequence[str]) -> Sequence[str]:  # noqa: ARG002 (the protocol)
        """As they lie."""
        return cards

    @property
    def unused(self) -> tuple[Given[int], ...]:
        """Results that were not rolled."""
        return self.step.dice[self.rolled :]


class StepPlayer(Struct):
    """Answers for both players what a step says, in order, and else the first option (LANGUAGE.md §5)."""

    step: Step
    bindings: Bindings
    _asked: dict[str, int] = field(default_factory=dict)
    _rerolled: set[int] = field(default_factory=set)

    def answer(self, decision: Decision, state: GameState) -> int:
        """The index of the answer; NoAnswer if what the step says cannot be chosen."""
        match decision.kind:
            case "critical":
                return self._listed(decision, [word.value for word in self.step.critical])
            case "either":
                return self._listed(decision, [word.value for word in self.step.either])
            case "choose":
                return self._listed(decision, [self.bindings.key(person) for person in self.step.choose])
            case "exchange" | "substitute" | "retreat" | "fill":
                return self._support(decision)
            case "reroll":
                return self._reroll(decision)
            case "performance":
                return self._performance(decision, state)
            case "item_to":
                return self._item_to(decision)
        return 0

    def _listed(self, decision: Decision, answers: list[str] | list[int]) -> int:
        """The next answer of a list; when it has run out, the first option."""
        number = self._asked.get(decision.kind, 0)
        if number >= len(answers):
            return 0
        self._asked[decision.kind] = number + 1
        wanted = answers[number]
        if wanted in decision.options:
            return decision.options.index(wanted)
        names = [self._name(option) for option in decision.options]
        possible = f"possible: {', '.join(names)}" if names else "nothing is possible"
        raise NoAnswer(
            f"`{decision.kind}` answers {self._name(wanted)}, which cannot be chosen here; {possible}."
        )

    def _support(self, decision: Decision) -> int:
        """The OPERATOR that comes or goes in SUPPORT: the next of ``choose`` if it can, else the first."""
        number = self._asked.get("choose", 0)
        if number < len(self.step.choose):
            key = self.bindings.key(self.step.choose[number])
            if key in decision.options:
                self._asked["choose"] = number + 1
                return decision.options.index(key)
        return 0

    def _reroll(self, decision: Decision) -> int:
        """The first die of ``reroll`` that is offered and was not taken before."""
        for given in self.step.reroll or ():
            if given.value in self._rerolled:
                continue
            for index, option in enumerate(decision.options):
                if isinstance(option, DieOption) and option.number == given.value:
                    self._rerolled.add(given.value)
                    return index
        return 0

    def _performance(self, decision: Decision, state: GameState) -> int:
        reward = self.step.performance
        if reward is None or self._asked.get("performance"):
            return 0
        if reward.to is not None and self.bindings.side(reward.to) != decision.whose:
            return 0  # the answer is the other player's
        self._asked["performance"] = 1
        if reward.item is None:
            return decision.options.index("draw") if "draw" in decision.options else 0
        if "item" not in decision.options:
            deck = state.player(decision.whose).item_deck
            why = "nobody can bear it" if deck else "his ITEMDECK is empty"
            raise NoAnswer(
                f"`performance` takes the ITEM `{reward.item.value}` for {decision.whose}, but {why}."
            )
        return decision.options.index("item")

    def _item_to(self, decision: Decision) -> int:
        """The bearer of the ITEM, which must be the ITEM that the step names."""
        reward = self.step.performance
        if reward is None or reward.item is None or reward.to is None or self._asked.get("item_to"):
            return 0
        self._asked["item_to"] = 1
        if decision.about is not None and decision.about != reward.item.value:
            raise NoAnswer(
                f"`performance` takes the ITEM `{reward.item.value}`, but {decision.about} lies on top of the"
                f" ITEMDECK of {decision.whose}."
            )
        key = self.bindings.key(reward.to)
        if key not in decision.options:
            names = ", ".join(self._name(option) for option in decision.options)
            raise NoAnswer(
                f"{reward.to.written} cannot bear the ITEM `{reward.item.value}`; possible: {names}."
            )
        return decision.options.index(key)

    def _name(self, option: object) -> str:
        return self.bindings.names.get(option, str(option)) if isinstance(option, int) else str(option)

    @property
    def unused(self) -> dict[str, list[Span]]:
        """The places of the answers that were not needed, by key."""
        step = self.step
        listed = {
            "critical": [answer.span for answer in step.critical],
            "either": [answer.span for answer in step.either],
            "choose": [person.span for person in step.choose],
        }
        unused = {key: spans[self._asked.get(key, 0) :] for key, spans in listed.items()}
        unused["reroll"] = [die.span for die in step.reroll or () if die.value not in self._rerolled]
        if step.performance is not None and not self._asked.get("performance"):
            unused["performance"] = [step.performance.span]
        return {key: spans for key, spans in unused.items() if spans}
