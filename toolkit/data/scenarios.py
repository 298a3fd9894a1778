"""What a scenario says (LANGUAGE.md §5): frozen values, each with its place in the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from msgspec import Struct, field

from toolkit.data.model import Scenario
from toolkit.data.nodes import Plain
from toolkit.data.schemas.scenarios import SIDES
from toolkit.source import Span

T = TypeVar("T")

__all__ = ["SIDES", "Expected", "Given", "Person", "Reward", "Script", "Step"]


class Given(Struct, Generic[T], frozen=True):
    """A value as it was written, and where."""

    value: T
    span: Span


class Person(Struct, frozen=True):
    """An OPERATOR as a scenario names him: ``viper`` (``side`` None) or ``blue.viper``."""

    side: str | None
    card: str
    span: Span

    @property
    def written(self) -> str:
        """As it stands in the file."""
        return f"{self.side}.{self.card}" if self.side else self.card


class Reward(Struct, frozen=True):
    """The answer to PERFORMANCE: ``item`` None draws a card, else the ITEM goes ``to`` an OPERATOR."""

    span: Span
    item: Given[str] | None = None
    to: Person | None = None


class Step(Struct, frozen=True):
    """One step of ``do``. ``by`` is an OPERATOR, or a player for ``play``; ``span`` is that of ``action``.

    ``keys`` are the places of all keys that were written.
    """

    action: str
    span: Span
    keys: dict[str, Span]
    by: Person | None = None
    on: Person | None = None
    swap: Person | None = None
    card: Given[str] | None = None
    attack_card: Given[str] | None = None
    defence_card: Given[str] | None = None
    late_attack_card: Given[str] | None = None
    dice: tuple[Given[int], ...] = ()
    critical: tuple[Given[str], ...] = ()
    reroll: tuple[Given[int], ...] | None = None
    performance: Reward | None = None
    choose: tuple[Person, ...] = ()
    either: tuple[Given[str], ...] = ()


class Expected(Struct, frozen=True):
    """What must hold at the end: numbers and words by key, of the attack, of sides and of OPERATORs."""

    attack: dict[str, Given[Plain]] | None = None
    attack_span: Span | None = None
    refused: Given[str] | None = None
    sides: dict[str, dict[str, Given[Plain]]] = field(default_factory=dict)
    operators: tuple[tuple[Person, dict[str, Given[Plain]]], ...] = ()


class Script(Struct, frozen=True):
    """A whole scenario. Lists by side have both sides; ``options`` are those that the scenario sets."""

    entry: Scenario
    mode: Given[str] | None
    ruleset: Given[str] | None
    options: dict[str, Given[Plain]]
    turn: str
    strict: bool
    field: dict[str, tuple[Given[str] | None, ...]]
    save_zone: dict[str, tuple[Given[str], ...]]
    state: tuple[tuple[Person, dict[str, Given[Plain]]], ...]
    hands: dict[str, tuple[Given[str], ...]]
    decks: dict[str, tuple[Given[str], ...]]
    item_decks: dict[str, tuple[Given[str], ...]]
    strategies: dict[str, tuple[Given[str], ...]]
    steps: tuple[Step, ...]
    expected: Expected

    @property
    def name(self) -> str:
        """What the scenario shows."""
        return self.entry.name

    def operators(self) -> Iterator[tuple[str, Given[str]]]:
        """Side and card of every OPERATOR that takes part: FIELD from left to right, then SAVEZONE."""
        for side in SIDES:
            for card in (*self.field[side], *self.save_zone[side]):
                if card is not None:
                    yield side, card

    def ids(self) -> Iterator[str]:
        """Every card that takes part or is named in a step."""
        yield from (card.value for _, card in self.operators())
        for group in (self.hands, self.decks, self.item_decks, self.strategies):
            yield from (card.value for cards in group.values() for card in cards)
        for _, values in self.state:
            attached = values.get("attached")
            if attached is not None and isinstance(attached.value, str):
                yield attached.value
        for step in self.steps:
            named = (step.card, step.attack_card, step.defence_card, step.late_attack_card)
            yield from (card.value for card in named if card is not None)

    def sides_of(self, person: Person) -> list[str]:
        """The sides that field the OPERATOR who is named; two where the name fits both."""
        found = [side for side, card in self.operators() if card.value == person.card]
        return [side for side in dict.fromkeys(found) if person.side in (None, side)]
