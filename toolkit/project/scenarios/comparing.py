"""What a scenario expects against what it has come to."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from toolkit.data.nodes import Plain
from toolkit.data.scenarios import Given, Script
from toolkit.engine.board import Board
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key, OperatorState, Side
from toolkit.project.scenarios.playing import Played
from toolkit.project.scenarios.results import Failure, Value
from toolkit.project.scenarios.setup import Cast


def compare(script: Script, rules: Rules, cast: Cast, played: Played) -> Iterator[Failure]:
    """Every difference, in the order of `expect`: the attack, sides, OPERATORs."""
    expected = script.expected
    if expected.attack is not None:
        yield from _differences("attack", expected.attack, lambda key: _of_attack(played, key))
    for name, values in expected.sides.items():
        side: Side = "blue" if name == "blue" else "red"
        yield from _differences(name, values, lambda key, side=side: _of_side(played.state, side, key))  # type: ignore[misc]  # mypy does not see the default
    for person, values in expected.operators:
        who = cast.key(person)
        yield from _differences(
            person.written,
            values,
            lambda key, who=who: _of_operator(played, rules, who, key),  # type: ignore[misc]  # the same
        )


def _differences(
    what: str, values: dict[str, Given[Plain]], got: Callable[[str], Value]
) -> Iterator[Failure]:
    for key, given in values.items():
        wanted = given.value
        if isinstance(wanted, (dict, list, float)):
            continue  # the schema has told of it
        found = got(key)
        if found != wanted or isinstance(found, bool) != isinstance(wanted, bool):
            yield Failure(f"{what}.{key}", wanted, found, given.span)


def _of_attack(played: Played, key: str) -> Value:
    """A number of the last attack; None where none was compared."""
    if played.attack is None:
        return None
    attack = played.attack.result
    values: dict[str, Value] = {
        "ap": attack.ap,
        "ep": attack.ep,
        "damage": attack.damage,
        "critical": attack.critical,
    }
    return values.get(key)


def _of_side(state: GameState, side: Side, key: str) -> Value:
    player = state.player(side)
    return {"hand": len(player.hand), "deck": len(player.deck), "discard": len(player.discard)}.get(key)


def _of_operator(played: Played, rules: Rules, who: Key, key: str) -> Value:
    operator = played.state.operators[who]
    match key:
        case "ap" | "ep" | "dp" | "mp":
            return Board(rules, played.state).number(operator, key.upper())
        case "hitcounter":
            return operator.hitcounter
        case "objectivecounter":
            return operator.objectivecounter
        case "status":
            return operator.status
        case "position":
            return None if operator.position is None else operator.position + 1
        case "attached":
            return operator.attached
        case "objective":
            return _objective(played, rules, operator)
    return None


def _objective(played: Played, rules: Rules, operator: OperatorState) -> Value:
    """REACHED by his counter at the OBJECTIVE of his FIELDPOSITION, else CAPTURED if he did so (A-2b)."""
    if operator.position is not None and operator.is_up:
        objective = played.state.player(operator.side).objectives[operator.position]
        if objective is not None and operator.objectivecounter >= rules.objective_values.get(objective, 0):
            return "REACHED"
    return "CAPTURED" if operator.key in played.captors else None
