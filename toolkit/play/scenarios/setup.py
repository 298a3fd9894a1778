"""The initial state of a scenario."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from toolkit.data.scenarios import Given, OperatorRef, Script
from toolkit.data.yaml.nodes import Plain
from toolkit.dsl import tree
from toolkit.dsl.effect_objects import Origin
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.state import SIDES, GameState, Key, Lasting, OperatorState, PlayerState, Side, Status
from toolkit.vocabulary import STATS


class Bindings(Struct, frozen=True):
    """The keys of OPERATORs by side and card, and their names as the scenario writes them."""

    keys: dict[tuple[str, str], Key]
    names: dict[Key, str]

    def key(self, ref: OperatorRef) -> Key:
        """Return the key of a named OPERATOR of a scenario without findings."""
        return next(
            key for (side, card), key in self.keys.items() if card == ref.card and ref.side in (None, side)
        )

    def side(self, ref: OperatorRef) -> str:
        """Return the side of a named OPERATOR."""
        key = self.key(ref)
        return next(side for (side, _), operator_key in self.keys.items() if operator_key == key)


def bindings_of(script: Script) -> Bindings:
    """Return the bindings of all OPERATORs; names have the side if both sides field the same card."""
    keys = {(side, card.value): number for number, (side, card) in enumerate(script.operators())}
    cards = [card for _, card in keys]
    names = {key: f"{side}.{card}" if cards.count(card) > 1 else card for (side, card), key in keys.items()}
    return Bindings(keys, names)


def initial_state(script: Script, rules: Rules, bindings: Bindings) -> GameState:
    """Return the state before the first step: the mode's FIELD with only what the scenario states."""
    states = {bindings.key(ref): values for ref, values in script.state}
    positions = {
        bindings.keys[side, card.value]: position
        for side in SIDES
        for position, card in enumerate(script.field[side])
        if card is not None
    }
    operators: list[OperatorState] = []
    serial = 0
    for (side_name, card), key in bindings.keys.items():
        position, values = positions.get(key), states.get(key, {})
        side = side_of(side_name)
        lasting = _lasting(values, side, position is not None, serial)
        serial += len(lasting)
        attached = values["attached"].value if "attached" in values else None
        operators.append(
            OperatorState(
                key,
                card,
                side,
                position=position,
                status=_status(values),
                hitcounter=_number(values, "hitcounter"),
                objectivecounter=_number(values, "objectivecounter"),
                attached=attached if isinstance(attached, str) else None,
                lasting=lasting,
                markers=_markers(values, "markers"),
            )
        )
    blue, red = (_player(script, rules, bindings, side) for side in SIDES)
    return GameState(tuple(operators), blue, red, turn=side_of(script.turn), serial=serial)


def side_of(side_name: str) -> Side:
    """Return the side that a scenario without findings writes."""
    return "blue" if side_name == "blue" else "red"


def _markers(values: dict[str, Given[Plain]], prefix: str) -> tuple[tuple[str, int], ...]:
    """Return the markers above 0 among values, whose keys are such as ``markers.intel``: ``prefix.name``."""
    names_and_numbers = [(key.removeprefix(f"{prefix}."), _number(values, key)) for key in values]
    return tuple(
        [(name, number) for name, number in names_and_numbers if number and f"{prefix}.{name}" in values]
    )


def _status(values: dict[str, Given[Plain]]) -> Status:
    """Return the status that `state` gives an OPERATOR; NORMAL if it gives none."""
    status_text = values["status"].value if "status" in values else None
    statuses: tuple[Status, ...] = ("EXHAUSTED", "HIT", "OUT")
    return next((status for status in statuses if status == status_text), "NORMAL")


def _number(values: dict[str, Given[Plain]], key: str) -> int:
    """Return the number that `state` gives for a key; 0 if it gives none."""
    statement = values.get(key)
    return statement.value if statement is not None and isinstance(statement.value, int) else 0


def _lasting(values: dict[str, Given[Plain]], side: Side, on_field: bool, serial: int) -> tuple[Lasting, ...]:
    """Return the stats of ``state`` as modifications that last while an OPERATOR is on the FIELD (N-3)."""
    amounts = {stat: amount for stat in STATS if (amount := _number(values, stat.lower()))}
    return tuple(
        Lasting(
            serial=number,
            origin=Origin("scenario", "state", "scenario", 1, f"{stat.lower()}: {amount}"),
            rule="N-3",
            controller=side,
            does=tree.Gets(amount, tree.Word(stat)),
            duration="FIELD" if on_field else "permanently",
            stat=stat,
            layer="add" if amount > 0 else "subtract",
            amount=amount,
        )
        for number, (stat, amount) in enumerate(amounts.items(), serial + 1)
    )


def _player(script: Script, rules: Rules, bindings: Bindings, side: Side) -> PlayerState:
    """Return the state of a player: FIELD, SAVEZONE and piles as the scenario lists them."""

    def ids(piles: Mapping[str, tuple[Given[str], ...]]) -> tuple[str, ...]:
        return tuple(card.value for card in piles[side])

    fielded = [None if card is None else bindings.keys[side, card.value] for card in script.field[side]]
    return PlayerState(
        field=(*fielded, *[None] * (rules.field_positions - len(fielded))),
        save_zone=tuple(bindings.keys[side, card.value] for card in script.save_zone[side]),
        hand=ids(script.hands),
        deck=ids(script.decks),
        discard=ids(script.discards),
        item_deck=ids(script.item_decks),
        strategies=ids(script.strategies),
        objectives=rules.objectives,
        markers=_markers(script.markers, side),
    )
