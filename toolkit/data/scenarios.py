"""Decoded scenarios (LANGUAGE.md §5): frozen values, each with its place in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Generic, TypeVar

from msgspec import Struct

from toolkit.data.model import Scenario
from toolkit.data.schemas.scenario_schema import EXPECT_WORDS, SIDES
from toolkit.data.yaml.nodes import Mapping, Node, Plain, Scalar, Sequence
from toolkit.source import Span
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary.nearest import nearest

T = TypeVar("T")

__all__ = ["SIDES", "Expected", "Given", "OperatorRef", "Reward", "Script", "Step"]


class Given(PublicValue, Struct, Generic[T], frozen=True):
    """A value as written, and where."""

    value: T
    span: Span


Values = dict[str, Given[Any]]
"""The values of a mapping by key."""


class OperatorRef(PublicValue, Struct, frozen=True):
    """An OPERATOR as a scenario names it: ``viper`` (``side`` None) or ``blue.viper``."""

    side: str | None
    card: str
    span: Span

    @property
    def written(self) -> str:
        """Its name as in the file."""
        return f"{self.side}.{self.card}" if self.side else self.card


class Reward(PublicValue, Struct, frozen=True):
    """The answer to PERFORMANCE: the ITEM ``item`` goes ``to`` an OPERATOR, or if None a card is drawn."""

    span: Span
    item: Given[str] | None = None
    to: OperatorRef | None = None


class Step(PublicValue, Struct, frozen=True):
    """One step of ``do``. ``by`` is an OPERATOR, or a player for ``play``; ``span`` is that of ``action``.

    ``keys`` are the spans of all written keys. None in ``choose`` is ``~``: no further OPERATOR, in ``cards``
    no further card. ``random`` is what chance draws, OPERATORs or cards, which are written alike. ``at_once``
    are the ACTIONs that come of it, with their own answers (E-32).
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
    reroll: tuple[Given[int | None], ...] | None = None
    set: tuple[Given[int | None], ...] | None = None
    performance: Reward | None = None
    choose: tuple[OperatorRef | Given[None], ...] = ()
    either: tuple[Given[str], ...] = ()
    may: tuple[Given[str], ...] = ()
    cards: tuple[Given[str | None], ...] = ()
    order: tuple[Given[str], ...] = ()
    place: tuple[Given[int], ...] = ()
    random: tuple[OperatorRef, ...] = ()
    at_once: tuple[Step, ...] = ()


class Expected(PublicValue, Struct, frozen=True):
    """What must hold at the end: values by key, of the attack, of sides and of OPERATORs.

    ``winner`` is who must have won by an effect, None in it nobody (E-31). ``not_played`` are cards whose
    text-only rules must have been skipped (E-1), ``piles`` lists of cards by side and key.
    """

    attack: Values | None = None
    attack_span: Span | None = None
    refused: Given[str] | None = None
    winner: Given[Plain] | None = None
    sides: dict[str, Values] = {}
    operators: tuple[tuple[OperatorRef, Values], ...] = ()
    not_played: tuple[Given[str], ...] = ()
    piles: dict[str, dict[str, Given[tuple[Given[str], ...]]]] = {}


class Script(PublicValue, Struct, frozen=True):
    """A whole scenario. Mappings by side have both sides; ``options`` are those that the scenario sets.

    ``markers`` are those of players, by side and id: ``blue.supply``.
    """

    entry: Scenario
    mode: Given[str] | None
    ruleset: Given[str] | None
    options: Values
    turn: str
    strict: bool
    field: dict[str, tuple[Given[str] | None, ...]]
    save_zone: dict[str, tuple[Given[str], ...]]
    state: tuple[tuple[OperatorRef, Values], ...]
    hands: dict[str, tuple[Given[str], ...]]
    decks: dict[str, tuple[Given[str], ...]]
    discards: dict[str, tuple[Given[str], ...]]
    item_decks: dict[str, tuple[Given[str], ...]]
    strategies: dict[str, tuple[Given[str], ...]]
    markers: Values
    steps: tuple[Step, ...]
    expected: Expected

    @property
    def name(self) -> str:
        """Its name."""
        return self.entry.name

    def operators(self) -> Iterator[tuple[str, Given[str]]]:
        """Yield side and card of every OPERATOR: those on the FIELD from left to right, then the SAVEZONE."""
        for side in SIDES:
            for card in (*self.field[side], *self.save_zone[side]):
                if card is not None:
                    yield side, card

    def all_steps(self) -> Iterator[Step]:
        """Yield every step, and behind it the ACTIONs at once that come of it."""
        for step in self.steps:
            yield from (step, *step.at_once)

    def ids(self) -> Iterator[str]:
        """Yield the id of every card that takes part or is named in a step."""
        yield from (card.value for _, card in self.operators())
        for group in (self.hands, self.decks, self.discards, self.item_decks, self.strategies):
            yield from (card.value for cards in group.values() for card in cards)
        for _, values in self.state:
            attached = values.get("attached")
            if attached is not None and isinstance(attached.value, str):
                yield attached.value
        for step in self.all_steps():
            named = (step.card, step.attack_card, step.defence_card, step.late_attack_card)
            cards = [card for card in (*named, *step.cards, *step.order) if card is not None]
            yield from (card.value for card in cards if card.value is not None)

    def words(self) -> Iterator[str]:
        """Yield the ids that it names beside those of ``ids``: drawn or expected cards, markers, KEYWORDs."""
        expected = self.expected
        for step in self.all_steps():
            yield from (ref.card for ref in step.random)
            if step.performance is not None and step.performance.item is not None:
                yield step.performance.item.value
        yield from (written_value.value for written_value in expected.not_played)
        for piles in expected.piles.values():
            yield from (card.value for pile in piles.values() for card in pile.value)
        of_operators = [values for _, values in (*self.state, *expected.operators)]
        for values in (self.markers, *expected.sides.values(), *of_operators):
            for key, written_value in values.items():
                if key.startswith("markers."):
                    yield key.removeprefix("markers.")
                elif key == "attached" and isinstance(written_value.value, str):
                    yield written_value.value
                elif key == "keywords" and isinstance(written_value.value, list):
                    yield from map(str, written_value.value)

    def sides_of(self, ref: OperatorRef) -> list[str]:
        """Return the sides that field the named OPERATOR: two if the name fits both."""
        sides = [side for side, card in self.operators() if card.value == ref.card]
        return [side for side in dict.fromkeys(sides) if ref.side in (None, side)]


def decode_scenario(entry: Scenario) -> Script:
    """Decode a scenario that its schema accepts; unknown keys are ignored."""
    node = entry.node
    expected, state = node.mapping("expect"), node.mapping("state")
    piles = ("save_zone", "hands", "decks", "discards", "item_decks", "strategies")
    return Script(
        entry=entry,
        field=_by_side(node.mapping("field"), lambda node: None if node.value is None else _text(node)),
        steps=tuple(_step(item) for item in node.items("do") if isinstance(item, Mapping)),
        expected=_expected(expected) if expected is not None else Expected(),
        mode=_word(node, "mode"),
        ruleset=_word(node, "ruleset"),
        options=_values(node.mapping("options")),
        turn=str(node.value.get("turn", SIDES[0])),
        strict=node.value.get("strict") is True,
        state=_by_operator(state) if state is not None else (),
        markers=_values(node.mapping("markers")),
        **{key: _by_side(node.mapping(key), _text) for key in piles},
    )


def _word(node: Mapping, key: str) -> Given[str] | None:
    word_node = node.scalar(key)
    return _text(word_node) if word_node is not None else None


def _text(node: Scalar) -> Given[str]:
    return Given(node.text, node.span)


def _values(node: Node | None) -> Values:
    """Return the values of a mapping by key; an omitted one has the span of its key.

    The keys of nested mappings are joined: ``markers: {intel: 2}`` becomes ``markers.intel``.
    """
    if not isinstance(node, Mapping):
        return {}
    values: Values = {}
    for key, value_node in node.nodes.items():
        if isinstance(value_node, Mapping):
            values |= {f"{key}.{name}": inner_value for name, inner_value in _values(value_node).items()}
        else:
            is_omitted = value_node.start == value_node.end
            values[key] = Given(value_node.value, node.keys[key].span if is_omitted else value_node.span)
    return values


def operator_ref(written: str, span: Span) -> OperatorRef:
    """Return the OPERATOR written as ``viper`` or ``blue.viper``."""
    side, dot, card = written.partition(".")
    return OperatorRef(side, card, span) if dot and side in SIDES else OperatorRef(None, written, span)


def _operator_ref(node: Scalar) -> OperatorRef:
    return operator_ref(node.text, node.span)


def _named(node: Mapping, key: str) -> OperatorRef | None:
    ref_node = node.scalar(key)
    return _operator_ref(ref_node) if ref_node is not None else None


def _by_operator(node: Mapping) -> tuple[tuple[OperatorRef, Values], ...]:
    return tuple(
        (_operator_ref(node.keys[key]), _values(state_node)) for key, state_node in node.nodes.items()
    )


def _by_side(node: Mapping | None, read: Callable[[Scalar], Any]) -> dict[str, tuple[Any, ...]]:
    """Return the decoded items of the list under each side, for both sides."""
    return {side: tuple(map(read, node.words(side))) if node is not None else () for side in SIDES}


def _step(node: Mapping) -> Step:
    action = node.nodes["action"]
    assert isinstance(action, Scalar), "the schema requires an action"
    keys = {key: written.span for key, written in node.keys.items()}
    answers = {key: _READERS[key](node, key) for key in node.nodes if key in _READERS}
    return Step(action.text, action.span, keys, **answers)


def _numbers(node: Mapping, key: str) -> tuple[Given[Any], ...]:
    return tuple(Given(item.value, item.span) for item in node.words(key))


def _texts(node: Mapping, key: str) -> tuple[Given[str], ...]:
    return tuple(map(_text, node.words(key)))


def _texts_or_none(node: Mapping, key: str) -> tuple[Given[str | None], ...]:
    return tuple(Given(None if item.value is None else item.text, item.span) for item in node.words(key))


def _choices(node: Mapping, key: str) -> tuple[OperatorRef | Given[None], ...]:
    return tuple(
        Given(None, item.span) if item.value is None else _operator_ref(item) for item in node.words(key)
    )


def _answers(node: Mapping, key: str) -> tuple[Given[str], ...]:
    """Return one answer, or a list of them."""
    single_answer = _word(node, key)
    return (single_answer,) if single_answer else _texts(node, key)


def _reward(node: Mapping, key: str) -> Reward:
    reward_node = node.mapping(key)
    if reward_node is None:
        return Reward(node.nodes[key].span)
    return Reward(reward_node.span, _word(reward_node, "item"), _named(reward_node, "to"))


_READERS: dict[str, Callable[[Mapping, str], Any]] = {
    **dict.fromkeys(("by", "on", "swap"), _named),
    **dict.fromkeys(("card", "attack_card", "defence_card", "late_attack_card"), _word),
    **dict.fromkeys(("dice", "reroll", "set", "place"), _numbers),
    **dict.fromkeys(("critical", "may", "order"), _texts),
    "cards": _texts_or_none,
    **dict.fromkeys(("choose", "random"), _choices),
    "either": _answers,
    "performance": _reward,
    "at_once": lambda node, key: tuple(_step(item) for item in node.items(key) if isinstance(item, Mapping)),
}
"""The functions that decode the keys of a step."""


def _expected(node: Mapping) -> Expected:
    """Decode ``expect``: lists below a side are piles of cards, all else there is a value."""
    attack = node.mapping("attack")
    sides: dict[str, Values] = {}
    piles: dict[str, dict[str, Given[tuple[Given[str], ...]]]] = {}
    for side in SIDES:
        side_node = node.mapping(side)
        if side_node is None:
            continue
        lists = {key: listed for key, listed in side_node.nodes.items() if isinstance(listed, Sequence)}
        piles[side] = {key: Given(_texts(side_node, key), listed.span) for key, listed in lists.items()}
        sides[side] = {key: value for key, value in _values(side_node).items() if key not in lists}
    return Expected(
        attack=_values(attack) if attack else None,
        attack_span=node.keys["attack"].span if attack else None,
        refused=_word(node, "refused"),
        winner=_values(node).get("winner"),
        sides=sides,
        operators=tuple(
            (ref, values) for ref, values in _by_operator(node) if ref.written not in EXPECT_WORDS
        ),
        not_played=_texts(node, "not_played"),
        piles=piles,
    )


def misspelt_expect_keys(scenario: Mapping) -> dict[str, str]:
    """Return the keys of ``expect`` that are no OPERATORs but misspelt words, with the words meant."""
    expect = scenario.mapping("expect")
    if expect is None:
        return {}
    operator_words = set()  # the OPERATORs of both sides, as they may be written
    for key in ("field", "save_zone"):
        sides = scenario.mapping(key)
        for side in sides.nodes if sides is not None else ():
            for item in sides.words(side) if sides is not None else ():
                operator_words |= {item.text, f"{side}.{item.text}"}
    free = [word for word in EXPECT_WORDS if word not in expect.nodes]
    meant_keys = {}
    for key in expect.nodes:
        if key not in EXPECT_WORDS and key not in operator_words:
            meant = nearest(key, free)
            if meant is not None and nearest(key, operator_words) is None:
                meant_keys[key] = meant
    return meant_keys
