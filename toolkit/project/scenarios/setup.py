"""The state that a scenario begins with."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.nodes import Plain
from toolkit.data.scenarios import Given, OperatorRef, Script
from toolkit.dsl import tree
from toolkit.effects.objects import Origin
from toolkit.engine.rules import Rules
from toolkit.engine.state import SIDES, GameState, Key, Lasting, OperatorState, PlayerState, Side, Status
from toolkit.vocabulary import STATS


class Bindings(Struct, frozen=True):
    """The keys of OPERATORs by side and card, and their names for a reader of the scenario."""

    keys: dict[tuple[str, str], Key]
    names: dict[Key, str]

    def key(self, ref: OperatorRef) -> Key:
        """Return the OPERATOR that is named; the scenario must have been checked."""
        return next(
            key for (side, card), key in self.keys.items() if card == ref.card and ref.side in (None, side)
        )

    def side(self, ref: OperatorRef) -> str:
        """Return the side of the OPERATOR that is named."""
        key = self.key(ref)
        return next(side for (side, _), found in self.keys.items() if found == key)


def bindings_of(script: Script) -> Bindings:
    """Numbers and names of all OPERATORs; names have the side where both sides field the same card."""
    keys = {(side, card.value): number for number, (side, card) in enumerate(script.operators())}
    cards = [card for _, card in keys]
    names = {key: f"{side}.{card}" if cards.count(card) > 1 else card for (side, card), key in keys.items()}
    return Bindings(keys, names)


def initial_state(script: Script, rules: Rules, bindings: Bindings) -> GameState:
    """The state before the first step: the mode's FIELD, and beside it only what the scenario says."""
    states = {bindings.key(ref): values for ref, values in script.state}
    places = {
        bindings.keys[side, card.value]: position
        for side in SIDES
        for position, card in enumerate(script.field[side])
        if card is not None
    }
    operators = []
    serial = 0
    for (name, card), key in bindings.keys.items():
        side: Side = "blue" if name == "blue" else "red"
        position = places.get(key)
        values = states.get(key, {})
        lasting = _lasting(values, side, position is not None, serial)
        serial += len(lasting)
        operators.append(_operator(OperatorState(key, card, side, position=position), values, lasting))
    blue, red = (_player(script, rules, bindings, side) for side in SIDES)
    turn: Side = "blue" if script.turn == "blue" else "red"
    return GameState(tuple(operators), blue, red, turn=turn, serial=serial)


def _operator(
    fresh: OperatorState, values: dict[str, Given[Plain]], lasting: tuple[Lasting, ...]
) -> OperatorState:
    """A fresh OPERATOR with what the scenario says of it."""
    attached = values["attached"].value if "attached" in values else None
    return replace(
        fresh,
        status=_status(values),
        hitcounter=_number(values, "hitcounter"),
        objectivecounter=_number(values, "objectivecounter"),
        attached=attached if isinstance(attached, str) else None,
        lasting=lasting,
        markers=_markers(values, "markers"),
    )


def _markers(values: dict[str, Given[Plain]], before: str) -> tuple[tuple[str, int], ...]:
    """The markers among values, whose keys are such as ``markers.intel``."""
    written = [key for key in values if key.startswith(f"{before}.")]
    found = [(key.removeprefix(f"{before}."), _number(values, key)) for key in written]
    return tuple([one for one in found if one[1]])


def _status(values: dict[str, Given[Plain]]) -> Status:
    written = values["status"].value if "status" in values else "NORMAL"
    for status in ("EXHAUSTED", "HIT", "OUT"):
        if written == status:
            return status
    return "NORMAL"


def _number(values: dict[str, Given[Plain]], key: str) -> int:
    given = values.get(key)
    return given.value if given is not None and isinstance(given.value, int) else 0


def _lasting(values: dict[str, Given[Plain]], side: Side, on_field: bool, serial: int) -> tuple[Lasting, ...]:
    """The stats of ``state`` as modifications that last while it is on the FIELD (N-3)."""
    made: list[Lasting] = []
    for key in map(str.lower, STATS):
        amount = _number(values, key)
        if amount:
            stat = key.upper()
            origin = Origin("scenario", "state", "scenario", 1, f"{key}: {amount}")
            made.append(
                Lasting(
                    serial=serial + len(made) + 1,
                    origin=origin,
                    rule="N-3",
                    controller=side,
                    does=tree.Gets(amount, tree.Word(stat)),
                    duration="FIELD" if on_field else "permanently",
                    stat=stat,
                    layer="add" if amount > 0 else "subtract",
                    amount=amount,
                )
            )
    return tuple(made)


def _player(script: Script, rules: Rules, bindings: Bindings, side: Side) -> PlayerState:
    fielded = [None if card is None else bindings.keys[side, card.value] for card in script.field[side]]
    return PlayerState(
        field=(*fielded, *[None] * (rules.field_positions - len(fielded))),
        save_zone=tuple(bindings.keys[side, card.value] for card in script.save_zone[side]),
        hand=_ids(script.hands[side]),
        deck=_ids(script.decks[side]),
        discard=_ids(script.discards[side]),
        item_deck=_ids(script.item_decks[side]),
        strategies=_ids(script.strategies[side]),
        objectives=rules.objectives,
        markers=_markers(script.markers, side),
    )


def _ids(cards: tuple[Given[str], ...]) -> tuple[str, ...]:
    return tuple(card.value for card in cards)
