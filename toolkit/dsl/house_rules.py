"""What a house rule says, such as ``ap + ep <= 12``: its tree, and whether it holds for a card."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from toolkit.dsl.tree import Place

NAMES: dict[str, str] = {
    "ap": "AP VALUE",
    "ep": "EP VALUE",
    "dp": "DP VALUE",
    "mp": "MP VALUE",
    "squadpoints": "SQUADPOINTS",
    "value": "the value of an OBJECTIVE",
    "skills": "how many SKILLs",
    "quantity": "copies printed",
    "name_length": "characters of the name, in each language",
    "text_words": "words of the rules text, in each language",
}
"""The numbers of a card that a rule can name."""


class Integer(Struct, frozen=True):
    """A whole number."""

    value: int


class Named(Struct, frozen=True):
    """A number of the card."""

    name: str
    place: Place


class Sum(Struct, frozen=True):
    """``left + right``, ``left - right`` or ``left * right``."""

    operator: str
    left: Expression
    right: Expression


class Compared(Struct, frozen=True):
    """``a <= b < c``: every neighbouring pair must fit."""

    operators: tuple[str, ...]
    numbers: tuple[Expression, ...]


class Joined(Struct, frozen=True):
    """``and``, ``or``, or ``not`` of a single part."""

    word: str
    parts: tuple[Expression, ...]


Expression = Integer | Named | Sum | Compared | Joined


def names_in(rule: Expression) -> list[Named]:
    """The numbers of the card that a rule names, in order."""
    match rule:
        case Named():
            return [rule]
        case Sum(_, left, right):
            return [*names_in(left), *names_in(right)]
        case Compared(_, parts) | Joined(_, parts):
            return [name for part in parts for name in names_in(part)]
    return []


def holds(rule: Expression, number: Callable[[str], int]) -> bool:
    """Whether a rule holds for a card whose numbers ``number`` gives."""
    if isinstance(rule, Joined):
        if rule.word == "not":
            return not holds(rule.parts[0], number)
        return (all if rule.word == "and" else any)(holds(part, number) for part in rule.parts)
    assert isinstance(rule, Compared), "a rule says yes or no"
    values = [_value(part, number) for part in rule.numbers]
    return all(
        _fits(left, operator, right)
        for left, operator, right in zip(values, rule.operators, values[1:], strict=False)
    )


def _value(number: Expression, named: Callable[[str], int]) -> int:
    if isinstance(number, Integer):
        return number.value
    if isinstance(number, Named):
        return named(number.name)
    assert isinstance(number, Sum), "numbers are put together from numbers"
    left, right = _value(number.left, named), _value(number.right, named)
    if number.operator == "*":
        return left * right
    return left + right if number.operator == "+" else left - right


def _fits(left: int, operator: str, right: int) -> bool:
    return {
        "<=": left <= right,
        ">=": left >= right,
        "<": left < right,
        ">": left > right,
        "=": left == right,
        "!=": left != right,
    }[operator]
