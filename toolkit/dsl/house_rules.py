"""House rules such as ``ap + ep <= 12``: their syntax tree, the parser, and whether a rule holds for a card.

They are made of numbers of a card, whole numbers, ``+ - *``, comparisons, ``and``, ``or`` and ``not``;
``2 <= ap <= 6`` is one comparison. ``*`` binds closer than ``+``, ``not`` closer than ``and``, ``and`` closer
than ``or``. The parser is written by hand and keeps the place of every word; nothing of a rule is executed.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection
from typing import Any

from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.tree import Place, Problem, walk
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


Rule = tree.AllOf | tree.AnyOf | tree.Not | tree.Comparison
"""A rule is written in nodes of the effect language; a number of the card is a ``Word``."""


def names_in(rule: Rule) -> list[tree.Word]:
    """The numbers of the card that a rule names, in order."""
    return [node for node in walk(rule) if isinstance(node, tree.Word)]


def holds(rule: Any, number: Callable[[str], int]) -> bool:
    """Whether a rule holds for a card whose numbers ``number`` gives."""
    match rule:
        case tree.AllOf(parts):
            return all(holds(part, number) for part in parts)
        case tree.AnyOf(parts):
            return any(holds(part, number) for part in parts)
        case tree.Not(part):
            return not holds(part, number)
    return _COMPARES[rule.compare](_value(rule.left, number), _value(rule.right, number))


def _value(node: Any, number: Callable[[str], int]) -> int:
    match node:
        case tree.Word(name):
            return number(name)
        case tree.Binary(sign, left, right):
            return _CALCULATIONS[sign](_value(left, number), _value(right, number))
    value: int = node.value
    return value


MOST_CHARACTERS = 300
MOST_DEPTH = 20
MOST_DIGITS = 6

_FINDING = "broken-house-rule"
_COMPARES: dict[str, Callable[[int, int], bool]] = {
    "<=": operator.le, ">=": operator.ge, "!=": operator.ne, "<": operator.lt, ">": operator.gt,
    "=": operator.eq,
}  # fmt: skip
_CALCULATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
}  # fmt: skip
_OTHER_SIGNS = {
    "==": "=", "≤": "<=", "≥": ">=", "=<": "<=", "=>": ">=", "<>": "!=", "≠": "!=", "&&": "and", "&": "and",
    "||": "or", "|": "or", "!": "not", "×": "*", "−": "-", "–": "-",
}  # fmt: skip
_SIGNS = sorted((*_OTHER_SIGNS, *_COMPARES, *_CALCULATIONS, "(", ")"), key=len, reverse=True)
_TOKEN = re.compile(rf"\d+|[^\W\d][\w-]*|{'|'.join(map(re.escape, _SIGNS))}|\S")


class _Wrong(Exception):
    """What is wrong with a rule."""

    def __init__(
        self, message: str, place: Place, next_step: str, fix: str | None = None, *, safe: bool = True
    ) -> None:
        super().__init__(message)
        self.problem = Problem(_FINDING, message, place, next_step, fix, safe=safe)


def parse_rule(text: str) -> Rule | Problem:
    """The rule as a tree, or the first thing that is wrong with it, at its place in the text."""
    try:
        if len(text) > MOST_CHARACTERS:
            raise _Wrong("This rule is too long.", (0, len(text)), "Make two rules of it.")
        return _Reader(text).rule()
    except _Wrong as wrong:
        return wrong.problem


class _Reader:
    """Reads the tokens of one rule from left to right. Each part that it reads knows its place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_TOKEN.finditer(text))
        self._at = 0
        self._depth = 0

    def rule(self) -> Rule:
        """The whole rule, which must say yes or no."""
        part: Rule = self._either()
        if self._next is not None:
            raise _misplaced(self._next, "A rule is such as `ap + ep <= 12`.")
        if not isinstance(part, Rule):
            message = "This rule says neither yes nor no: it compares nothing."
            raise _Wrong(message, part.place, "Compare it with a number, such as `ap + ep <= 12`.")
        return part

    @property
    def _next(self) -> re.Match[str] | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, words: Collection[str]) -> re.Match[str] | None:
        token = self._next
        if token is None or token[0].lower() not in words:
            return None
        self._at += 1
        return token

    # what says yes or no

    def _either(self) -> Any:
        return self._joined("or", tree.AnyOf, lambda: self._joined("and", tree.AllOf, self._denied))

    def _joined(self, word: str, kind: type[tree.AllOf | tree.AnyOf], read: Callable[[], Any]) -> Any:
        parts = [read()]
        while self._take((word,)):
            parts.append(read())
        if len(parts) == 1:
            return parts[0]
        return kind(tuple(_saying(part, word) for part in parts), place=_around(parts[0], parts[-1]))

    def _denied(self) -> Any:
        word = self._take(("not",))
        if word is None:
            return self._compared()
        part = _saying(self._deeper(self._denied), "not")
        return tree.Not(part, place=(word.start(), part.place[1]))

    def _compared(self) -> Any:
        parts, signs = [self._sum()], []
        while sign := self._take(_COMPARES):
            signs.append(sign[0])
            parts.append(self._sum())
        if not signs:
            return parts[0]
        numbers, place = [_counting(part) for part in parts], _around(parts[0], parts[-1])
        pairs = zip(numbers, signs, numbers[1:], strict=False)
        found = tuple(tree.Comparison(*pair, place=place) for pair in pairs)
        return found[0] if len(found) == 1 else tree.AllOf(found, place=place)

    # numbers

    def _sum(self) -> Any:
        return self._combined("+-", lambda: self._combined("*", self._number))

    def _combined(self, signs: str, read: Callable[[], Any]) -> Any:
        found = read()
        while sign := self._take(tuple(signs)):
            right = read()
            place = _around(found, right)
            found = tree.Binary(sign[0], _counting(found), _counting(right), place=place)  # type: ignore[arg-type]
        return found

    def _number(self) -> Any:
        token = self._next
        if token is None:
            place = self._tokens[-1].span() if self._tokens else (0, len(self._text))
            raise _Wrong("This rule breaks off.", place, "Go on with a number, such as `ap` or `12`.")
        self._at += 1
        if token[0] == "(":
            part = self._deeper(self._either)
            closing = self._take((")",))
            if closing is None:
                step = "Write `)` behind what belongs in it."
                raise _Wrong("This parenthesis is not closed.", token.span(), step)
            return replace(part, place=(token.start(), closing.end()))
        if token[0] == "-":
            part = self._deeper(self._number)
            return tree.Binary("-", tree.Constant(0), _counting(part), place=(token.start(), part.place[1]))
        if not token[0].isdecimal():
            return _named(token)
        if len(token[0]) > MOST_DIGITS:
            raise _Wrong("This number is too large.", token.span(), "No number of a card is so large.")
        return tree.Constant(int(token[0]), place=token.span())

    def _deeper(self, read: Callable[[], Any]) -> Any:
        self._depth += 1
        if self._depth > MOST_DEPTH:
            message = "This rule has too many parts within parts."
            raise _Wrong(message, (0, len(self._text)), "Make two rules of it.")
        found = read()
        self._depth -= 1
        return found


def _around(first: tree.Node, last: tree.Node) -> Place:
    return first.place[0], last.place[1]


def _counting(part: Any) -> Any:
    """The part, which must be a number."""
    if isinstance(part, Rule):
        message = "This says yes or no, and here a number belongs."
        raise _Wrong(message, part.place, "Write a number, or join comparisons by `and` or `or`.")
    return part


def _saying(part: Any, word: str) -> Any:
    """The part, which must say yes or no."""
    if not isinstance(part, Rule):
        message = f"This is a number, and beside `{word}` a comparison belongs."
        raise _Wrong(message, part.place, "Compare it with a number, such as `ap <= 6`.")
    return part


def _named(token: re.Match[str]) -> tree.Word:
    written, name = token[0], token[0].lower()
    if name in NAMES:
        return tree.Word(name, place=token.span())
    if not (name[0].isalpha() or name[0] == "_") or name in ("and", "or", "not"):
        raise _misplaced(token, "Here a number is missing.")
    meant = nearest(name, NAMES)
    step = f"Did you mean `{meant}`?" if meant else f"Possible: {', '.join(NAMES)}."
    message, safe = f"A card has no number `{written}`.", is_certain(name, meant, NAMES)
    raise _Wrong(message, token.span(), step, meant, safe=safe)


def _misplaced(token: re.Match[str], step: str) -> _Wrong:
    written, place = token[0], token.span()
    right = _OTHER_SIGNS.get(written)
    if right is not None:
        return _Wrong(f"`{written}` is written `{right}` here.", place, f"Write `{right}`.", right)
    return _Wrong(f"`{written}` cannot stand here.", place, step)
