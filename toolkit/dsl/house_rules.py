"""House rules such as ``ap + ep <= 12``: a parser, and the evaluation of a rule for a card.

Rules consist of numbers of a card, whole numbers, ``+ - *``, comparisons, ``and``, ``or`` and ``not``;
``2 <= ap <= 6`` is possible. ``*`` binds tighter than ``+``, comparisons tighter than ``not``, then ``and``
and ``or``. The parser is recursive descent and keeps the place of every word; rules are never passed to
``eval``.
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
from toolkit.vocabulary.comparisons import COMPARE
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
"""The numbers of a card that a rule can use, with what they are."""


Rule = tree.AllOf | tree.AnyOf | tree.Not | tree.Comparison
"""A rule consists of nodes of the effect language's tree; a number of the card is a ``Word``."""


def names_in(rule: Rule) -> list[tree.Word]:
    """Return the numbers of the card that a rule uses, in order."""
    return [node for node in walk(rule) if isinstance(node, tree.Word)]


def holds(rule: Any, number: Callable[[str], int]) -> bool:
    """Whether a rule holds for a card; ``number`` returns the card's number with a name."""
    match rule:
        case tree.AllOf(parts):
            return all(holds(condition, number) for condition in parts)
        case tree.AnyOf(parts):
            return any(holds(condition, number) for condition in parts)
        case tree.Not(condition):
            return not holds(condition, number)
    return COMPARE[rule.compare](_value(rule.left, number), _value(rule.right, number))


def _value(node: Any, number: Callable[[str], int]) -> int:
    match node:
        case tree.Word(name):
            return number(name)
        case tree.Binary(symbol, left, right):
            return _CALCULATIONS[symbol](_value(left, number), _value(right, number))
    value: int = node.value
    return value


MAX_CHARACTERS = 300
MAX_DEPTH = 20
MAX_DIGITS = 6

_FINDING = "broken-house-rule"
_CALCULATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
}  # fmt: skip
_OTHER_SPELLINGS = {
    "==": "=", "≤": "<=", "≥": ">=", "=<": "<=", "=>": ">=", "<>": "!=", "≠": "!=", "&&": "and", "&": "and",
    "||": "or", "|": "or", "!": "not", "×": "*", "−": "-", "–": "-",
}  # fmt: skip
_OPERATORS = sorted((*_OTHER_SPELLINGS, *COMPARE, *_CALCULATIONS, "(", ")"), key=len, reverse=True)
_TOKEN = re.compile(rf"\d+|[^\W\d][\w-]*|{'|'.join(map(re.escape, _OPERATORS))}|\S")


class _RuleError(Exception):
    """A rule is invalid; ``problem`` says why."""

    def __init__(
        self, message: str, span: Place, next_step: str, fix: str | None = None, *, safe: bool = True
    ) -> None:
        super().__init__(message)
        self.problem = Problem(_FINDING, message, span, next_step, fix, safe=safe)


def parse_rule(text: str) -> Rule | Problem:
    """Return the tree of a rule, or its first problem, with its place in the text."""
    try:
        if len(text) > MAX_CHARACTERS:
            raise _RuleError("This rule is too long.", (0, len(text)), "Make two rules of it.")
        return _Reader(text).rule()
    except _RuleError as wrong:
        return wrong.problem


class _Reader:
    """Parses one rule from left to right; each method parses what it is named after."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(_TOKEN.finditer(text))
        self._at = 0
        self._depth = 0

    def rule(self) -> Rule:
        """The whole rule, which must be a condition."""
        rule: Rule = self._disjunction()
        if self._next is not None:
            raise _misplaced(self._next, "A rule is such as `ap + ep <= 12`.")
        if not isinstance(rule, Rule):
            message = "This rule is a number and not a condition: it compares nothing."
            raise _RuleError(message, rule.place, "Compare it with a number, such as `ap + ep <= 12`.")
        return rule

    @property
    def _next(self) -> re.Match[str] | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, words: Collection[str]) -> re.Match[str] | None:
        token = self._next
        if token is None or token[0].lower() not in words:
            return None
        self._at += 1
        return token

    # conditions

    def _disjunction(self) -> Any:
        return self._joined("or", tree.AnyOf, lambda: self._joined("and", tree.AllOf, self._negation))

    def _joined(self, word: str, kind: type[tree.AllOf | tree.AnyOf], read: Callable[[], Any]) -> Any:
        parts = [read()]
        while self._take((word,)):
            parts.append(read())
        if len(parts) == 1:
            return parts[0]
        return kind(
            tuple(_require_condition(operand, word) for operand in parts), place=_between(parts[0], parts[-1])
        )

    def _negation(self) -> Any:
        word = self._take(("not",))
        if word is None:
            return self._comparison()
        operand = _require_condition(self._nested(self._negation), "not")
        return tree.Not(operand, place=(word.start(), operand.place[1]))

    def _comparison(self) -> Any:
        parts, symbols = [self._sum()], []
        while symbol := self._take(COMPARE):
            symbols.append(symbol[0])
            parts.append(self._sum())
        if not symbols:
            return parts[0]
        numbers, span = [_require_number(operand) for operand in parts], _between(parts[0], parts[-1])
        pairs = zip(numbers, symbols, numbers[1:], strict=False)
        comparisons = tuple(tree.Comparison(*pair, place=span) for pair in pairs)
        return comparisons[0] if len(comparisons) == 1 else tree.AllOf(comparisons, place=span)

    # numbers

    def _sum(self) -> Any:
        return self._operation("+-", lambda: self._operation("*", self._number))

    def _operation(self, symbols: str, read: Callable[[], Any]) -> Any:
        operand = read()
        while symbol := self._take(tuple(symbols)):
            right = read()
            span = _between(operand, right)
            operand = tree.Binary(symbol[0], _require_number(operand), _require_number(right), place=span)  # type: ignore[arg-type]
        return operand

    def _number(self) -> Any:
        """Read a number, the name of one, a negative one, or what is in parentheses."""
        token = self._next
        if token is None:
            span = self._tokens[-1].span() if self._tokens else (0, len(self._text))
            raise _RuleError("This rule is incomplete.", span, "Add a number, such as `ap` or `12`.")
        self._at += 1
        if token[0] == "(":
            operand = self._nested(self._disjunction)
            closing = self._take((")",))
            if closing is None:
                step = "Write `)` where it ends."
                raise _RuleError("This parenthesis is not closed.", token.span(), step)
            return replace(operand, place=(token.start(), closing.end()))
        if token[0] == "-":
            operand = self._nested(self._number)
            return tree.Binary(
                "-", tree.Constant(0), _require_number(operand), place=(token.start(), operand.place[1])
            )
        if not token[0].isdecimal():
            return _named(token)
        if len(token[0]) > MAX_DIGITS:
            raise _RuleError("This number is too large.", token.span(), "Write a smaller number.")
        return tree.Constant(int(token[0]), place=token.span())

    def _nested(self, read: Callable[[], Any]) -> Any:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            message = "This rule is nested too deeply."
            raise _RuleError(message, (0, len(self._text)), "Make two rules of it.")
        operand = read()
        self._depth -= 1
        return operand


def _between(first: tree.Node, last: tree.Node) -> Place:
    return first.place[0], last.place[1]


def _require_number(operand: Any) -> Any:
    """Return a part that must be a number."""
    if isinstance(operand, Rule):
        message = "This is a condition, but a number is expected here."
        raise _RuleError(message, operand.place, "Write a number, or join comparisons by `and` or `or`.")
    return operand


def _require_condition(operand: Any, word: str) -> Any:
    """Return a part that must be a condition."""
    if not isinstance(operand, Rule):
        message = f"This is a number, but `{word}` needs a comparison."
        raise _RuleError(message, operand.place, "Compare it with a number, such as `ap <= 6`.")
    return operand


def _named(token: re.Match[str]) -> tree.Word:
    written, name = token[0], token[0].lower()
    if name in NAMES:
        return tree.Word(name, place=token.span())
    if not (name[0].isalpha() or name[0] == "_") or name in ("and", "or", "not"):
        raise _misplaced(token, "A number is missing here.")
    meant = nearest(name, NAMES)
    step = f"Did you mean `{meant}`?" if meant else f"Possible: {', '.join(NAMES)}."
    message, safe = f"A card has no number `{written}`.", is_certain(name, meant, NAMES)
    raise _RuleError(message, token.span(), step, meant, safe=safe)


def _misplaced(token: re.Match[str], step: str) -> _RuleError:
    written, span = token[0], token.span()
    right = _OTHER_SPELLINGS.get(written)
    if right is not None:
        return _RuleError(f"`{written}` is written `{right}` here.", span, f"Write `{right}`.", right)
    return _RuleError(f"`{written}` is not possible here.", span, step)
