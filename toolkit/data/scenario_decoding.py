"""From the tree of a scenario, whose form its schema has checked, to what it says.

Whether the words in it mean something is checked in ``scenario_findings``.
"""

from __future__ import annotations

from toolkit.data.model import Scenario
from toolkit.data.nodes import Mapping, Node, Plain, Scalar, Sequence
from toolkit.data.scenarios import SIDES, Expected, Given, Person, Reward, Script, Step


def decode_scenario(entry: Scenario) -> Script:
    """The scenario that an entry says. Its form has been checked; unknown keys are passed over."""
    node = entry.node
    expected = node.nodes["expect"]
    return Script(
        entry=entry,
        field=_field(node.nodes["field"]),
        steps=tuple(_step(item) for item in _items(node, "do") if isinstance(item, Mapping)),
        expected=_expected(expected) if isinstance(expected, Mapping) else Expected(),
        mode=_word(node, "mode"),
        ruleset=_word(node, "ruleset"),
        options=_values(node.nodes.get("options")),
        turn=turn.value if (turn := _word(node, "turn")) else SIDES[0],
        strict=node.value.get("strict") is True,
        state=_by_person(node.nodes.get("state")),
        save_zone=_by_side(node, "save_zone"),
        hands=_by_side(node, "hands"),
        decks=_by_side(node, "decks"),
        item_decks=_by_side(node, "item_decks"),
        strategies=_by_side(node, "strategies"),
    )


def _items(node: Mapping, key: str) -> list[Node]:
    found = node.nodes.get(key)
    return found.items if isinstance(found, Sequence) else []


def _scalars(node: Mapping, key: str) -> list[Scalar]:
    return [item for item in _items(node, key) if isinstance(item, Scalar)]


def _word(node: Mapping, key: str) -> Given[str] | None:
    found = node.nodes.get(key)
    return _text(found) if isinstance(found, Scalar) else None


def _text(node: Scalar) -> Given[str]:
    return Given(node.text, node.span)


def _values(node: Node | None) -> dict[str, Given[Plain]]:
    """The scalars of a mapping by key; one that is left out has the place of its key."""
    if not isinstance(node, Mapping):
        return {}
    return {
        key: Given(part.value, part.span if part.end > part.start else node.keys[key].span)
        for key, part in node.nodes.items()
        if isinstance(part, Scalar)
    }


def _person(node: Scalar) -> Person:
    side, dot, card = node.text.partition(".")
    return Person(side, card, node.span) if dot and side in SIDES else Person(None, node.text, node.span)


def _named(node: Mapping, key: str) -> Person | None:
    found = node.nodes.get(key)
    return _person(found) if isinstance(found, Scalar) else None


def _by_person(node: Node | None) -> tuple[tuple[Person, dict[str, Given[Plain]]], ...]:
    if not isinstance(node, Mapping):
        return ()
    return tuple((_person(node.keys[key]), _values(part)) for key, part in node.nodes.items())


def _by_side(node: Mapping, key: str) -> dict[str, tuple[Given[str], ...]]:
    found = node.nodes.get(key)
    if not isinstance(found, Mapping):
        return dict.fromkeys(SIDES, ())
    return {side: tuple(_text(item) for item in _scalars(found, side)) for side in SIDES}


def _field(node: Node) -> dict[str, tuple[Given[str] | None, ...]]:
    if not isinstance(node, Mapping):
        return dict.fromkeys(SIDES, ())
    return {
        side: tuple(None if item.value is None else _text(item) for item in _scalars(node, side))
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
        critical=tuple(_text(item) for item in _scalars(node, "critical")),
        reroll=_numbers(node, "reroll") if "reroll" in node.nodes else None,
        performance=_reward(node.nodes.get("performance")),
        choose=tuple(_person(item) for item in _scalars(node, "choose")),
        either=_answers(node),
    )


def _numbers(node: Mapping, key: str) -> tuple[Given[int], ...]:
    return tuple(Given(item.value, item.span) for item in _scalars(node, key) if isinstance(item.value, int))


def _answers(node: Mapping) -> tuple[Given[str], ...]:
    one = _word(node, "either")
    return (one,) if one else tuple(_text(item) for item in _scalars(node, "either"))


def _reward(node: Node | None) -> Reward | None:
    if isinstance(node, Mapping):
        return Reward(node.span, _word(node, "item"), _named(node, "to"))
    return Reward(node.span) if isinstance(node, Scalar) else None


def _expected(node: Mapping) -> Expected:
    attack = node.nodes.get("attack")
    persons = {key: part for key, part in node.nodes.items() if key not in ("attack", "refused", *SIDES)}
    return Expected(
        attack=_values(attack) if attack else None,
        attack_span=node.keys["attack"].span if attack else None,
        refused=_word(node, "refused"),
        sides={side: _values(node.nodes.get(side)) for side in SIDES if side in node.nodes},
        operators=tuple((_person(node.keys[key]), _values(part)) for key, part in persons.items()),
    )
