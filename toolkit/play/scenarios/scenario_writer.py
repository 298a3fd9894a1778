"""Writing scenarios: their text in a card file, and the `expect` for a scenario that was played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from toolkit.data.model import Scenario
from toolkit.data.schema import schema_for
from toolkit.engine.state import SIDES, Key, Side
from toolkit.play.scenarios.playing import Played, Value
from toolkit.play.scenarios.runner import OF_ATTACK, OF_SIDE, attack_value, operator_value, side_value
from toolkit.play.scenarios.setup import initial_state
from toolkit.source.yaml_scalars import format_scalar
from toolkit.vocabulary import STATS

_WIDTH = 100
_KEY_INDENT = 4
"""Spaces before the keys of a scenario; before the first of them the last two are ``- ``."""
_IN_LINES = ("do", "expect")
"""Keys whose values always have a line for each step, OPERATOR or side."""
_OF_OPERATOR = ("hitcounter", "objectivecounter", "objective", "status", "position", "attached")


def scenario_text(scenario: Mapping[str, Any]) -> str:
    """Return a card file with one scenario, as the formatter would write it.

    The values are plain data: texts, numbers, lists and mappings, which are not checked.
    """
    order = list(schema_for("scenarios")["properties"])
    keys = sorted(scenario, key=lambda key: order.index(key) if key in order else len(order))
    lines = [line for key in keys for line in _lines(key, scenario[key], _KEY_INDENT, key in _IN_LINES)]
    first_line = lines[0].removeprefix(" " * _KEY_INDENT)
    return "\n".join(["scenarios:", f"  - {first_line}", *lines[1:], ""])


def _lines(key: str, value: object, indent: int, is_broken: bool = False) -> Iterator[str]:
    """Yield the lines of a key with its value: one line if it fits, several if not or if ``is_broken``."""
    key_text = f"{' ' * indent}{_scalar(key)}:"
    on_one_line = f"{key_text} {_flow(value)}"
    if (not is_broken and len(on_one_line) <= _WIDTH) or not value or not isinstance(value, (list, dict)):
        yield on_one_line
    elif isinstance(value, dict):
        yield key_text
        for inner_key, item in value.items():
            yield from _lines(inner_key, item, indent + 2)
    else:
        yield key_text
        yield from (f"{' ' * (indent + 2)}- {_flow(item)}" for item in value)


def _flow(value: object) -> str:
    """Return a value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return _scalar(value)


def _scalar(value: object) -> str:
    """Return a plain value as YAML in flow style."""
    if value is None:
        return "~"
    if isinstance(value, bool):
        return str(value).lower()
    return format_scalar(value, in_flow=True) if isinstance(value, str) else str(value)


def scenario_data(scenario: Scenario) -> dict[str, Any]:
    """Return a scenario as plain data, without its `expect`."""
    return {key: value for key, value in scenario.node.value.items() if key != "expect"}


def expectation(played: Played) -> dict[str, Any]:
    """Return an `expect` that holds for a scenario as it was played.

    It has the numbers of the last attack, the HITCOUNTER and status of its target, and all other values of
    OPERATORs and sides that have changed; or only the rule of a refusal.
    """
    if played.refusal is not None:
        return {"refused": played.refusal.rule_id}
    script, rules, bindings = played.script, played.rules, played.bindings
    initial = Played(script, rules, bindings, initial_state(script, rules, bindings))
    expected: dict[str, Any] = {}
    result = played.result
    if result is not None:
        expected["attack"] = {key: attack_value(played, key) for key in OF_ATTACK}
    for key, name in bindings.names.items():
        always_expected = ("hitcounter", "status") if result is not None and key == result.attacked else ()
        values = _values_of_operator(played, initial, key, always_expected)
        if values:
            expected[name] = values
    for side in SIDES:
        changed = _changed_of_side(played, initial, side)
        if changed:
            expected[side] = changed
    if played.not_played:
        expected["not_played"] = sorted(played.not_played)
    return expected


def _values_of_operator(
    played: Played, initial: Played, key: Key, always_expected: tuple[str, ...]
) -> dict[str, Value]:
    """Return the values of an OPERATOR that have changed, and those that are always expected of it."""
    values = {}
    for value_name in (*_OF_OPERATOR, *map(str.lower, STATS)):
        value = operator_value(played, key, value_name)
        if value_name in always_expected or value != operator_value(initial, key, value_name):
            values[value_name] = value
    return values


def _changed_of_side(played: Played, initial: Played, side: Side) -> dict[str, Value]:
    """Return the numbers of cards of a side that have changed."""
    changed = {}
    for value_name in OF_SIDE:
        value = side_value(played.state, side, value_name)
        if value != side_value(initial.state, side, value_name):
            changed[value_name] = value
    return changed
