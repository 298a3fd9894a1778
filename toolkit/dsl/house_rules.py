"""House rules such as ``ap + ep <= 12``: their syntax tree, the parser, and whether a rule holds for a card.

They are made of numbers of a card, whole numbers, ``+ - *``, comparisons, ``and``, ``or`` and ``not``;
``2 <= ap <= 6`` is one comparison. ``*`` binds closer than ``+``, ``not`` closer than ``and``, ``and`` closer
than ``or``. The parser is written by hand and keeps the place of every word; nothing of a rule is executed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from toolkit.dsl.tree import Place, Problem
from toolkit.vocabulary import STATS
from toolkit.vocabulary.nearest import is_certain, nearest

NAMES: dict[str, str] = {
    **{stat.key: f"{stat.name} VALUE" for stat in STATS.values()},
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


MOST_CHARACTERS = 300
MOST_DEPTH = 20
MOST_DIGITS = 6

_FINDING = "broken-house-rule"
_COMPARES = ("<=", ">=", "!=", "<", ">", "=")
_OTHER_SIGNS = {
    "==": "=", "≤": "<=", "≥": ">=", "=<": "<=", "=>": ">=", "<>": "!=", "≠": "!=", "&&": "and", "&": "and",
    "||": "or", "|": "or", "!": "not", "×": "*", "−": "-", "–": "-",
}  # fmt: skip
_SIGNS = sorted((*_OTHER_SIGNS, *_COMPARES, "+", "-", "*", "(", ")"), key=len, reverse=True)
_TOKEN = re.compile(rf"\d+|[^\W\d][\w-]*|{'|'.join(map(re.escape, _SIGNS))}|\S")


class _Wrong(Exception):
    """What is wrong with a rule."""

    def __init__(
        self, message: str, place: Place, next_step: str, fix: str | None = None, *, safe: bool = True
    ) -> None:
        super().__init__(message)
        self.problem = Problem(_FINDING, message, place, next_step, fix, safe=safe)


def parse_rule(text: str) -> Expression | Problem:
    """The rule as a tree, or the first thing that is wrong with it, at its place in the text."""
    try:
        if len(text) > MOST_CHARACTERS:
            raise _Wrong("This rule is too long.", (0, len(text)), "Make two rules of it.")
        return _Reader(text).rule()
    except _Wrong as wrong:
        return wrong.problem


class _Token(Struct, frozen=True):
    text: str
    place: Place


class _Part(Struct, frozen=True):
    """A part of the rule, and where it stands; ``says`` yes or no, else it is a number."""

    tree: Expression
    place: Place

    @property
    def says(self) -> bool:
        return isinstance(self.tree, (Compared, Joined))


class _Reader:
    """Reads the tokens of one rule from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = [_Token(match[0], match.span()) for match in _TOKEN.finditer(text)]
        self._at = 0
        self._depth = 0

    def rule(self) -> Expression:
        """The whole rule, which must say yes or no."""
        part = self._either()
        if self._next is not None:
            raise _misplaced(self._next, "A rule is such as `ap + ep <= 12`.")
        if not part.says:
            message = "This rule says neither yes nor no: it compares nothing."
            raise _Wrong(message, part.place, "Compare it with a number, such as `ap + ep <= 12`.")
        return part.tree

    @property
    def _next(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, *words: str) -> _Token | None:
        token = self._next
        if token is None or token.text.lower() not in words:
            return None
        self._at += 1
        return token

    # what says yes or no

    def _either(self) -> _Part:
        return self._joined("or", lambda: self._joined("and", self._denied))

    def _joined(self, word: str, read: Callable[[], _Part]) -> _Part:
        parts = [read()]
        while self._take(word):
            parts.append(read())
        if len(parts) == 1:
            return parts[0]
        trees = tuple(_saying(part, word).tree for part in parts)
        return _Part(Joined(word, trees), _around(parts[0], parts[-1]))

    def _denied(self) -> _Part:
        word = self._take("not")
        if word is None:
            return self._compared()
        part = _saying(self._deeper(self._denied), "not")
        return _Part(Joined("not", (part.tree,)), (word.place[0], part.place[1]))

    def _compared(self) -> _Part:
        parts, operators = [self._sum()], []
        while operator := self._take(*_COMPARES):
            operators.append(operator.text)
            parts.append(self._sum())
        if not operators:
            return parts[0]
        numbers = tuple(_counting(part) for part in parts)
        return _Part(Compared(tuple(operators), numbers), _around(parts[0], parts[-1]))

    # numbers

    def _sum(self) -> _Part:
        return self._combined(("+", "-"), lambda: self._combined(("*",), self._number))

    def _combined(self, operators: tuple[str, ...], read: Callable[[], _Part]) -> _Part:
        found = read()
        while operator := self._take(*operators):
            right = read()
            both = Sum(operator.text, _counting(found), _counting(right))
            found = _Part(both, _around(found, right))
        return found

    def _number(self) -> _Part:
        token = self._next
        if token is None:
            place = self._tokens[-1].place if self._tokens else (0, len(self._text))
            raise _Wrong("This rule breaks off.", place, "Go on with a number, such as `ap` or `12`.")
        self._at += 1
        if token.text == "(":
            return self._parenthesis(token)
        if token.text == "-":
            part = self._deeper(self._number)
            return _Part(Sum("-", Integer(0), _counting(part)), (token.place[0], part.place[1]))
        if token.text.isdecimal():
            if len(token.text) > MOST_DIGITS:
                raise _Wrong("This number is too large.", token.place, "No number of a card is so large.")
            return _Part(Integer(int(token.text)), token.place)
        return _Part(_named(token), token.place)

    def _parenthesis(self, opening: _Token) -> _Part:
        part = self._deeper(self._either)
        closing = self._take(")")
        if closing is None:
            step = "Write `)` behind what belongs in it."
            raise _Wrong("This parenthesis is not closed.", opening.place, step)
        return _Part(part.tree, (opening.place[0], closing.place[1]))

    def _deeper(self, read: Callable[[], _Part]) -> _Part:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            message = "This rule has too many parts within parts."
            raise _Wrong(message, (0, len(self._text)), "Make two rules of it.")
        found = read()
        self._depth -= 1
        return found


def _around(first: _Part, last: _Part) -> Place:
    return first.place[0], last.place[1]


def _counting(part: _Part) -> Expression:
    """The part, which must be a number."""
    if part.says:
        message = "This says yes or no, and here a number belongs."
        raise _Wrong(message, part.place, "Write a number, or join comparisons by `and` or `or`.")
    return part.tree


def _saying(part: _Part, word: str) -> _Part:
    """The part, which must say yes or no."""
    if not part.says:
        message = f"This is a number, and beside `{word}` a comparison belongs."
        raise _Wrong(message, part.place, "Compare it with a number, such as `ap <= 6`.")
    return part


def _named(token: _Token) -> Named:
    name = token.text.lower()
    if name in NAMES:
        return Named(name, token.place)
    if not (name[0].isalpha() or name[0] == "_") or name in ("and", "or", "not"):
        raise _misplaced(token, "Here a number is missing.")
    meant = nearest(name, NAMES)
    step = f"Did you mean `{meant}`?" if meant else f"Possible: {', '.join(NAMES)}."
    message, safe = f"A card has no number `{token.text}`.", is_certain(name, meant, NAMES)
    raise _Wrong(message, token.place, step, meant, safe=safe)


def _misplaced(token: _Token, step: str) -> _Wrong:
    right = _OTHER_SIGNS.get(token.text)
    if right is not None:
        return _Wrong(f"`{token.text}` is written `{right}` here.", token.place, f"Write `{right}`.", right)
    return _Wrong(f"`{token.text}` cannot stand here.", token.place, step)
