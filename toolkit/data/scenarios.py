"""What a scenario says (LANGUAGE.md §5): frozen values, each with its place in the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from msgspec import Struct, field

from toolkit.data.model import Scenario
from toolkit.data.nodes import Mapping, Node, Plain, Scalar, Sequence
from toolkit.data.schemas.scenarios import SIDES
from toolkit.source import Span
from toolkit.vocabulary.nearest import nearest

T = TypeVar("T")

__all__ = ["SIDES", "Expected", "Given", "OperatorRef", "Reward", "Script", "Step"]


class Given(Struct, Generic[T], frozen=True):
    """A value as it was written, and where."""

    value: T
    span: Span


class OperatorRef(Struct, frozen=True):
    """An OPERATOR as a scenario names it: ``viper`` (``side`` None) or ``blue.viper``."""

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
    to: OperatorRef | None = None


class Step(Struct, frozen=True):
    """One step of ``do``. ``by`` is an OPERATOR, or a player for ``play``; ``span`` is that of ``action``.

    ``keys`` are the places of all keys that were written. In ``choose`` None is `~`: nobody else. What chance
    draws (``random``) is an OPERATOR or a card, written alike.
    """

    action: str
    span: Span
    keys: dict[str, Span]
    by: OperatorRef | None = None
    on: OperatorRef | None = None
    swap: OperatorRef | None = None
    card: Given[str] | None = None
    attack_card: Given[str] | None = None
    defence_card: Given[str] | None = None
    late_attack_card: Given[str] | None = None
    dice: tuple[Given[int], ...] = ()
    critical: tuple[Given[str], ...] = ()
    reroll: tuple[Given[int], ...] | None = None
    performance: Reward | None = None
    choose: tuple[OperatorRef | Given[None], ...] = ()
    either: tuple[Given[str], ...] = ()
    may: tuple[Given[str], ...] = ()
    cards: tuple[Given[str], ...] = ()
    order: tuple[Given[str], ...] = ()
    place: tuple[Given[int], ...] = ()
    random: tuple[OperatorRef, ...] = ()


class Expected(Struct, frozen=True):
    """What must hold at the end: numbers and words by key, of the attack, of sides and of OPERATORs.

    ``not_played`` are cards whose text-only rules were to be skipped (E-1); ``piles`` lists of cards, by side
    and key.
    """

    attack: dict[str, Given[Plain]] | None = None
    attack_span: Span | None = None
    refused: Given[str] | None = None
    sides: dict[str, dict[str, Given[Plain]]] = field(default_factory=dict)
    operators: tuple[tuple[OperatorRef, dict[str, Given[Plain]]], ...] = ()
    not_played: tuple[Given[str], ...] = ()
    piles: dict[str, dict[str, Given[tuple[Given[str], ...]]]] = field(default_factory=dict)


class Script(Struct, frozen=True):
    """A whole scenario. Lists by side have both sides; ``options`` are those that the scenario sets.

    ``markers`` are those of players, by side and id: ``blue.supply``.
    """

    entry: Scenario
    mode: Given[str] | None
    ruleset: Given[str] | None
    options: dict[str, Given[Plain]]
    turn: str
    strict: bool
    field: dict[str, tuple[Given[str] | None, ...]]
    save_zone: dict[str, tuple[Given[str], ...]]
    state: tuple[tuple[OperatorRef, dict[str, Given[Plain]]], ...]
    hands: dict[str, tuple[Given[str], ...]]
    decks: dict[str, tuple[Given[str], ...]]
    discards: dict[str, tuple[Given[str], ...]]
    item_decks: dict[str, tuple[Given[str], ...]]
    strategies: dict[str, tuple[Given[str], ...]]
    markers: dict[str, Given[Plain]]
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
        for group in (self.hands, self.decks, self.discards, self.item_decks, self.strategies):
            yield from (card.value for cards in group.values() for card in cards)
        for _, values in self.state:
            attached = values.get("attached")
            if attached is not None and isinstance(attached.value, str):
                yield attached.value
        for step in self.steps:
            named = (step.card, step.attack_card, step.defence_card, step.late_attack_card)
            yield from (card.value for card in (*named, *step.cards, *step.order) if card is not None)

    def sides_of(self, ref: OperatorRef) -> list[str]:
        """The sides that field the OPERATOR that is named; two where the name fits both."""
        found = [side for side, card in self.operators() if card.value == ref.card]
        return [side for side in dict.fromkeys(found) if ref.side in (None, side)]


def decode_scenario(entry: Scenario) -> Script:
    """The scenario that an entry says. Its form has been checked; unknown keys are passed over."""
    node = entry.node
    expected = node.nodes["expect"]
    return Script(
        entry=entry,
        field=_field(node.nodes["field"]),
        steps=tuple(_step(item) for item in node.items("do") if isinstance(item, Mapping)),
        expected=_expected(expected) if isinstance(expected, Mapping) else Expected(),
        mode=_word(node, "mode"),
        ruleset=_word(node, "ruleset"),
        options=_values(node.nodes.get("options")),
        turn=turn.value if (turn := _word(node, "turn")) else SIDES[0],
        strict=node.value.get("strict") is True,
        state=_by_operator(node.nodes.get("state")),
        save_zone=_by_side(node, "save_zone"),
        hands=_by_side(node, "hands"),
        decks=_by_side(node, "decks"),
        discards=_by_side(node, "discards"),
        item_decks=_by_side(node, "item_decks"),
        strategies=_by_side(node, "strategies"),
        markers=_values(node.nodes.get("markers")),
    )


def _word(node: Mapping, key: str) -> Given[str] | None:
    found = node.scalar(key)
    return _text(found) if found is not None else None


def _text(node: Scalar) -> Given[str]:
    return Given(node.text, node.span)


def _values(node: Node | None) -> dict[str, Given[Plain]]:
    """The values of a mapping by key; one that is left out has the place of its key.

    Those of a mapping inside have both keys: ``markers: {intel: 2}`` is ``markers.intel``.
    """
    if not isinstance(node, Mapping):
        return {}
    found: dict[str, Given[Plain]] = {}
    for key, part in node.nodes.items():
        if isinstance(part, Mapping):
            found |= {f"{key}.{name}": given for name, given in _values(part).items()}
        else:
            found[key] = Given(part.value, part.span if part.end > part.start else node.keys[key].span)
    return found


def operator_ref(written: str, span: Span) -> OperatorRef:
    """Return the OPERATOR that is written as ``viper`` or ``blue.viper``."""
    side, dot, card = written.partition(".")
    return OperatorRef(side, card, span) if dot and side in SIDES else OperatorRef(None, written, span)


def _operator_ref(node: Scalar) -> OperatorRef:
    return operator_ref(node.text, node.span)


def _named(node: Mapping, key: str) -> OperatorRef | None:
    found = node.scalar(key)
    return _operator_ref(found) if found is not None else None


def _by_operator(node: Node | None) -> tuple[tuple[OperatorRef, dict[str, Given[Plain]]], ...]:
    if not isinstance(node, Mapping):
        return ()
    return tuple((_operator_ref(node.keys[key]), _values(part)) for key, part in node.nodes.items())


def _by_side(node: Mapping, key: str) -> dict[str, tuple[Given[str], ...]]:
    found = node.mapping(key)
    if found is None:
        return dict.fromkeys(SIDES, ())
    return {side: tuple(_text(item) for item in found.words(side)) for side in SIDES}


def _field(node: Node) -> dict[str, tuple[Given[str] | None, ...]]:
    if not isinstance(node, Mapping):
        return dict.fromkeys(SIDES, ())
    return {
        side: tuple(None if item.value is None else _text(item) for item in node.words(side))
        for side in SIDES
    }


def _step(node: Mapping) -> Step:
    action = _word(node, "action")
    assert action is not None, "the schema requires an action"
    return Step(
        action=action.value,
        span=action.span,
        keys={key: written.span for key, written in node.keys.items()},
        by=_named(node, "by"),
        on=_named(node, "on"),
        swap=_named(node, "swap"),
        card=_word(node, "card"),
        attack_card=_word(node, "attack_card"),
        defence_card=_word(node, "defence_card"),
        late_attack_card=_word(node, "late_attack_card"),
        dice=_numbers(node, "dice"),
        critical=_texts(node, "critical"),
        reroll=_numbers(node, "reroll") if "reroll" in node.nodes else None,
        performance=_reward(node.nodes.get("performance")),
        choose=tuple(
            Given(None, item.span) if item.value is None else _operator_ref(item)
            for item in node.words("choose")
        ),
        either=_answers(node),
        may=_texts(node, "may"),
        cards=_texts(node, "cards"),
        order=_texts(node, "order"),
        place=_numbers(node, "place"),
        random=tuple(_operator_ref(item) for item in node.words("random")),
    )


def _numbers(node: Mapping, key: str) -> tuple[Given[int], ...]:
    return tuple(Given(item.value, item.span) for item in node.words(key) if isinstance(item.value, int))


def _texts(node: Mapping, key: str) -> tuple[Given[str], ...]:
    return tuple(_text(item) for item in node.words(key))


def _answers(node: Mapping) -> tuple[Given[str], ...]:
    one = _word(node, "either")
    return (one,) if one else _texts(node, "either")


def _reward(node: Node | None) -> Reward | None:
    if isinstance(node, Mapping):
        return Reward(node.span, _word(node, "item"), _named(node, "to"))
    return Reward(node.span) if isinstance(node, Scalar) else None


def _expected(node: Mapping) -> Expected:
    attack = node.nodes.get("attack")
    refs = {key: part for key, part in node.nodes.items() if key not in WORDS}
    sides = {side: part for side in SIDES if (part := node.mapping(side)) is not None}
    piles = {side: _piles(part) for side, part in sides.items()}
    return Expected(
        attack=_values(attack) if attack else None,
        attack_span=node.keys["attack"].span if attack else None,
        refused=_word(node, "refused"),
        sides={
            side: {key: given for key, given in _values(part).items() if key not in piles[side]}
            for side, part in sides.items()
        },
        operators=tuple((_operator_ref(node.keys[key]), _values(part)) for key, part in refs.items()),
        not_played=_texts(node, "not_played"),
        piles=piles,
    )


def _piles(node: Mapping) -> dict[str, Given[tuple[Given[str], ...]]]:
    return {
        key: Given(_texts(node, key), part.span)
        for key, part in node.nodes.items()
        if isinstance(part, Sequence)
    }


WORDS = ("attack", "refused", "not_played", *SIDES)
"""The keys of `expect` that are no OPERATORs."""


def misspelt_expect_keys(scenario: Mapping) -> dict[str, str]:
    """Keys of `expect` that name no OPERATOR of the scenario that look like one of its words, by key."""
    expect = scenario.nodes.get("expect")
    if not isinstance(expect, Mapping):
        return {}
    there = {name for key in ("field", "save_zone") for name in _names(scenario.nodes.get(key))}
    free = [word for word in WORDS if word not in expect.nodes]
    found = {}
    for key in expect.nodes:
        if key not in WORDS and key not in there:
            meant = nearest(key, free)
            if meant is not None and nearest(key, there) is None:
                found[key] = meant
    return found


def _names(node: Node | None) -> list[str]:
    """The OPERATORs of both sides, as they may be written."""
    found = []
    for side, part in node.nodes.items() if isinstance(node, Mapping) else ():
        for item in part.items if isinstance(part, Sequence) else ():
            if isinstance(item, Scalar):
                found += [item.text, f"{side}.{item.text}"]
    return found
