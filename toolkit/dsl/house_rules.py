"""House rules such as ``ap + ep <= 12``: a parser, and the evaluation of a rule for a card.

Rules consist of numbers of a card, whole numbers, ``+ - *``, comparisons, of words and texts of a card
(``team = owls``, ``kind in (item, effect)``, ``traits contain sniper``, ``name starts with "The "``,
``has flavour``), ``and``, ``or`` and ``not``; ``2 <= ap <= 6`` is possible. ``*`` binds tighter than ``+``,
comparisons tighter than ``not``, then ``and`` and ``or``. The parser is recursive descent and keeps the place
of every word; rules are never passed to ``eval``, and texts are not compared with regular expressions, which
can take hours.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable
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
    "amount": "the largest number that an effect adds or subtracts",
    **{
        f"{stat.key}_amount": f"the largest number that an effect adds to {name} or subtracts"
        for name, stat in STATS.items()
    },
    "art_width": "pixels of the picture from left to right; a drawing has none",
    "art_height": "pixels of the picture from top to bottom; a drawing has none",
}
"""The numbers of a card that a rule can use, with what they are."""

WORDS: dict[str, str] = {
    "id": "the id of the card",
    "kind": "the kind of the card",
    "team": "the id of the TEAM",
    "set": "the set that is printed on the card",
    "artist": "the artist that is printed on the card",
}
"""What a card has one word for, which a rule compares with a whole word."""

LISTS: dict[str, str] = {
    "traits": "the traits of an OPERATOR",
    "keywords": "the KEYWORDs of your own that an OPERATOR has",
    "tags": "the tags",
    "verbs": "the verbs of its effects, such as `draws`",
    "stats": "the stats and counters that its effects change, such as `AP`",
}
"""What a card has several words for."""

TEXTS: dict[str, str] = {
    "name": "the name, in each language",
    "flavour": "the flavour text, in each language",
    "text": "the rules text as printed, in each language",
    "text_only": "the rules that no program plays, in each language",
    "art": "the path of the picture",
}
"""What a card has a text for, of which a rule compares parts; upper and lower case are alike."""

FACTS = {**NAMES, **WORDS, **LISTS, **TEXTS}
"""All that a rule can ask of a card."""

Words = tuple[str, ...]
"""The words of a card for something, or its one text: empty if it has none."""


class Fact(tree.Word, frozen=True):
    """Something of a card that is no number: one of ``WORDS``, ``LISTS`` or ``TEXTS``."""


class Literal(tree.Word, frozen=True):
    """A word or text that a rule compares something of the card with."""


class Has(tree.Node, frozen=True):
    """``has flavour``."""

    fact: Fact


class IsOneOf(tree.Node, frozen=True):
    """``team = owls``, ``team in (owls, hawks)``; with ``differs`` it is ``!=`` or ``not in``."""

    fact: Fact
    words: tuple[Literal, ...]
    differs: bool = False


class Contains(tree.Node, frozen=True):
    """``traits contain sniper``, ``name contains "Captain"``; ``at`` is ``starts`` or ``ends``."""

    fact: Fact
    word: Literal
    at: str = ""


Rule = tree.AllOf | tree.AnyOf | tree.Not | tree.Comparison | Has | IsOneOf | Contains
"""A rule consists of nodes of the effect language's tree, and of those above; a number is a ``Word``."""


def names_in(rule: Rule) -> list[tree.Word]:
    """Return the numbers and facts of the card that a rule uses, in order."""
    return [node for node in walk(rule) if isinstance(node, Fact) or type(node) is tree.Word]


def words_in(rule: Rule) -> list[tuple[Fact, Literal]]:
    """Return the words with which a rule compares something of the card, each behind what it is."""
    pairs: list[tuple[Fact, Literal]] = []
    for node in walk(rule):
        if isinstance(node, IsOneOf):
            pairs += [(node.fact, word) for word in node.words]
        elif isinstance(node, Contains):
            pairs.append((node.fact, node.word))
    return pairs


def holds(rule: Any, value_of: Callable[[str], Any]) -> bool:
    """Whether a rule holds for a card; ``value_of`` returns its number with a name, or its words."""
    match rule:
        case tree.AllOf(parts):
            return all(holds(condition, value_of) for condition in parts)
        case tree.AnyOf(parts):
            return any(holds(condition, value_of) for condition in parts)
        case tree.Not(condition):
            return not holds(condition, value_of)
        case Has(fact):
            return bool(value_of(fact.text))
        case IsOneOf(fact, words, differs):
            return differs != any(_is_in(word.text, fact.text, value_of(fact.text)) for word in words)
        case Contains(fact, word, position):
            return _is_part(word.text, position, fact.text, value_of(fact.text))
        case tree.Comparison(left, compare, right):
            return COMPARE[compare](_number(left, value_of), _number(right, value_of))
    raise TypeError(f"no rule: {rule!r}")


def _is_in(word: str, fact: str, words: Words) -> bool:
    """Whether a word is one of those of a card; stats and verbs are written in capitals or not."""
    return word in words or (fact in ("verbs", "stats") and word.casefold() in map(str.casefold, words))


def _is_part(word: str, position: str, fact: str, words: Words) -> bool:
    """Whether a list contains a word, or a text this part: ``starts`` or ``ends`` with it, or anywhere."""
    if fact in LISTS and not position:
        return _is_in(word, fact, words)
    has_part = {"starts": str.startswith, "ends": str.endswith, "": str.__contains__}[position]
    return any(has_part(text.casefold(), word.casefold()) for text in words)


def _number(node: Any, value_of: Callable[[str], Any]) -> int:
    """Return the value of a number in a rule; ``value_of`` returns the card's number with a name."""
    match node:
        case tree.Word(name):
            number: int = value_of(name)
            return number
        case tree.Binary(symbol, left, right):
            return _CALCULATIONS[symbol](_number(left, value_of), _number(right, value_of))
        case tree.Constant(value):
            return value
    raise TypeError(f"no number: {node!r}")


MAX_CHARACTERS = 300
MAX_DEPTH = 20
MAX_DIGITS = 6
_LISTED = 10
"""How many of the numbers a message lists: those of OPERATORs and OBJECTIVEs, and of printed texts."""

_FINDING = "broken-house-rule"
_CALCULATIONS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
}  # fmt: skip
_OTHER_SPELLINGS = {
    "==": "=", "≤": "<=", "≥": ">=", "=<": "<=", "=>": ">=", "<>": "!=", "≠": "!=", "&&": "and", "&": "and",
    "||": "or", "|": "or", "!": "not", "×": "*", "−": "-", "–": "-",
}  # fmt: skip
_OPERATORS = sorted((*_OTHER_SPELLINGS, *COMPARE, *_CALCULATIONS, "(", ")"), key=len, reverse=True)
_RESERVED = ("and", "or", "not", "has", "in", "contain", "contains", "starts", "ends", "with")
_TOKEN = re.compile(rf"\"[^\"]*\"|'[^']*'|\d+|[^\W\d][\w-]*|{'|'.join(map(re.escape, _OPERATORS))}|\S")

_OF_WORDS = ("=", "!=", "in", "not in", "contains", "starts with", "ends with")
_OF_LISTS = ("contain", "contains")
_OF_TEXTS = ("contains", "starts with", "ends with", "=", "!=")

RULE_WORDS = {*FACTS, *COMPARE, *_CALCULATIONS, *_RESERVED, *_OF_WORDS, *_OF_LISTS, *_OF_TEXTS}
"""The words and signs of the language of rules."""


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
            message = "This rule is no condition: it compares nothing."
            raise _RuleError(message, rule.place, _comparison_step(rule, "`ap + ep <= 12`"))
        return rule

    @property
    def _next(self) -> re.Match[str] | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _take(self, words: Collection[str]) -> re.Match[str] | None:
        """Return the next token and go on behind it, if it is one of these words; else None."""
        token = self._next
        if token is None or token[0].lower() not in words:
            return None
        self._at += 1
        return token

    # conditions

    def _disjunction(self) -> Any:
        return self._joined("or", tree.AnyOf, lambda: self._joined("and", tree.AllOf, self._negation))

    def _joined(self, word: str, kind: type[tree.AllOf | tree.AnyOf], read: Callable[[], Any]) -> Any:
        """Return one operand, or all that ``word`` joins."""
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
        """Read a comparison, or a chain of them (`1 <= ap <= 3`); an operand alone is returned as it is."""
        if self._next_is("has"):
            return self._has()
        first_operand = self._sum()
        if isinstance(first_operand, Fact):
            return self._compared_fact(first_operand)
        operands, symbols = [first_operand], []
        while symbol := self._take(COMPARE):
            symbols.append(symbol[0])
            operands.append(self._sum())
        if not symbols:
            return first_operand
        numbers = [_require_number(operand) for operand in operands]
        span = _between(first_operand, operands[-1])
        comparisons = [
            tree.Comparison(left, symbol, right, place=span)
            for left, symbol, right in zip(numbers, symbols, numbers[1:], strict=False)
        ]
        return comparisons[0] if len(comparisons) == 1 else tree.AllOf(tuple(comparisons), place=span)

    # words and texts

    def _has(self) -> Has:
        """Read ``has flavour``."""
        has = self._tokens[self._at]
        self._at += 1
        fact = self._number()
        if not isinstance(fact, Fact):
            message = "`has` is for the words and texts of a card."
            raise _RuleError(message, fact.place, "Compare a number with another one, such as `skills > 0`.")
        return Has(fact, place=(has.start(), fact.place[1]))

    def _compared_fact(self, fact: Fact) -> Any:
        """Read what a word, a list or a text is compared with; alone it is returned, and refused later."""
        token = self._next
        operator = self._operator(_operators_of(fact))
        if operator is None:
            if token is None or token[0].lower() in (")", "and", "or"):
                return fact
            raise _misplaced(token, _comparison_step(fact, ""))
        if operator in ("=", "!=", "in", "not in"):
            words = (self._word(),) if operator in ("=", "!=") else self._word_list()
            last_token = self._tokens[self._at - 1]
            span = (fact.place[0], last_token.end())
            return IsOneOf(fact, words, operator in ("!=", "not in"), place=span)
        part = self._word()
        position = {"starts with": "starts", "ends with": "ends"}.get(operator, "")
        return Contains(fact, part, position, place=_between(fact, part))

    def _operator(self, operators: Iterable[str]) -> str | None:
        """Take one of these operators, which may have two words, and return it; None if there is none.

        Raises ``_RuleError`` if the second word is missing, except behind `not`, which has other uses.
        """
        for words in operators:
            first_word, _, second_word = words.partition(" ")
            token = self._next_is(first_word)
            if token is None or (first_word == "not" and not self._next_is(second_word, steps=1)):
                continue
            self._at += 1
            if second_word and not self._take((second_word,)):
                raise _RuleError(f"`{first_word}` is incomplete.", token.span(), f"Write `{words}`.")
            return words
        return None

    def _next_is(self, word: str, steps: int = 0) -> re.Match[str] | None:
        """Return the next token, or one ``steps`` behind it, if it is this word; else None."""
        index = self._at + steps
        token = self._tokens[index] if index < len(self._tokens) else None
        return token if token is not None and token[0].lower() == word else None

    def _word_list(self) -> tuple[Literal, ...]:
        """Read ``(owls, hawks)``, or a single word without parentheses."""
        opening = self._take(("(",))
        if opening is None:
            return (self._word(),)
        words = [self._word()]
        while self._take((",",)):
            words.append(self._word())
        if not self._take((")",)):
            raise _RuleError("This parenthesis is not closed.", opening.span(), "Write `)` where it ends.")
        return tuple(words)

    def _word(self) -> Literal:
        """Read a word, or any text in quotes."""
        token = self._next
        if token is None:
            span = self._tokens[-1].span()
            raise _RuleError(
                "This rule is incomplete.", span, "Add a word, such as `owls`, or a text in quotes."
            )
        self._at += 1
        written = token[0]
        if written.startswith(("'", '"')) and len(written) > 1:  # a lone quote is not closed
            return Literal(written[1:-1], place=token.span())
        begins_word = written[0].isalnum() or written[0] == "_"
        if not begins_word or written.lower() in _RESERVED:
            raise _misplaced(token, "A word is missing here, such as `owls`; others are written in quotes.")
        return Literal(written, place=token.span())

    # numbers

    def _sum(self) -> Any:
        return self._operation("+-", lambda: self._operation("*", self._number))

    def _operation(self, symbols: str, read: Callable[[], Any]) -> Any:
        """Read operands with operators of one rank between them, from left to right."""
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
            span = (token.start(), operand.place[1])
            return tree.Binary("-", tree.Constant(0), _require_number(operand), place=span)
        if not token[0].isdecimal():
            return _named(token)
        if len(token[0]) > MAX_DIGITS:
            raise _RuleError("This number is too large.", token.span(), "Write a smaller number.")
        return tree.Constant(int(token[0]), place=token.span())

    def _nested(self, read: Callable[[], Any]) -> Any:
        """Return what is read one level deeper. Raises ``_RuleError`` if that is too deep."""
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
    if isinstance(operand, Fact):
        message = f"`{operand.text}` is no number."
        raise _RuleError(message, operand.place, _comparison_step(operand, "`ap`"))
    if isinstance(operand, Rule):
        message = "This is a condition, but a number is expected here."
        raise _RuleError(message, operand.place, "Write a number, or join comparisons by `and` or `or`.")
    return operand


def _require_condition(operand: Any, word: str) -> Any:
    """Return a part that must be a condition."""
    if not isinstance(operand, Rule):
        sort = "a word" if isinstance(operand, Fact) else "a number"
        message = f"This is {sort}, but `{word}` needs a comparison."
        raise _RuleError(message, operand.place, _comparison_step(operand, "`ap <= 6`"))
    return operand


def _comparison_step(operand: tree.Node, example: str) -> str:
    """Return what to write to make a condition of a number or a fact."""
    if not isinstance(operand, Fact):
        return f"Compare it with a number, such as {example}."
    examples = ", ".join(f"`{operand.text} {operator} …`" for operator in _operators_of(operand))
    return f"Possible: {examples} and `has {operand.text}`."


def _operators_of(fact: Fact) -> tuple[str, ...]:
    """Return how something of a card is compared."""
    if fact.text in LISTS:
        return _OF_LISTS
    return _OF_WORDS if fact.text in WORDS else _OF_TEXTS


def _named(token: re.Match[str]) -> tree.Word:
    """Return the number or fact that a word of a rule names. Raises ``_RuleError`` if there is none."""
    written, name = token[0], token[0].lower()
    if name in NAMES:
        return tree.Word(name, place=token.span())
    if name in FACTS:
        return Fact(name, place=token.span())
    if not (name[0].isalpha() or name[0] == "_") or name in _RESERVED:
        raise _misplaced(token, "A number is missing here.")
    meant = nearest(name, FACTS)
    usual = ", ".join([*NAMES][:_LISTED])
    listed = f"Possible: {usual}. `opforge explain house-rules` lists words and texts too."
    step = f"Did you mean `{meant}`?" if meant else listed
    message, safe = f"A card has no `{written}`.", is_certain(name, meant, FACTS)
    raise _RuleError(message, token.span(), step, meant, safe=safe)


def _misplaced(token: re.Match[str], step: str) -> _RuleError:
    written, span = token[0], token.span()
    right = _OTHER_SPELLINGS.get(written)
    if right is not None:
        return _RuleError(f"`{written}` is written `{right}` here.", span, f"Write `{right}`.", right)
    return _RuleError(f"`{written}` is not possible here.", span, step)


# what can come next, for editors

_COMPARED = re.compile(r"(?P<fact>\w+)\s*(?:!?=\s*|\s(?:contains?|(?:not\s+)?in)(?:\s+|\s*\([^()]*))[\w-]*\Z")
"""A comparison with a word that is still to be written, and what is compared."""


def as_written(word: str) -> str:
    """Return a word that is offered as a rule has it: in quotes if it is none of the language, nor plain."""
    is_plain = re.fullmatch(r"[^\W\d][\w-]*", word) and word.lower() not in _RESERVED
    if is_plain or word in RULE_WORDS:
        return word
    return f'"{word}"' if "'" in word else f"'{word}'"


def next_words(text: str, words_of: Callable[[str], Collection[str] | None]) -> dict[str, str]:
    """Return what can follow a beginning of a rule, with what it is; the last word may be half typed.

    ``words_of`` returns the words that something of a card can be, if they are known.
    """
    if len(text) > MAX_CHARACTERS:  # the patterns take quadratic time
        return {}
    tokens = [token[0].lower() for token in _TOKEN.finditer(text)]
    ends_in_a_word = re.search(r"[\w-]\Z", text)
    if ends_in_a_word:  # which is completed, so it does not count
        tokens = tokens[:-1]
    last_word = tokens[-1] if tokens else ""
    comparison = _COMPARED.search(text.lower())
    fact = comparison["fact"] if comparison else None
    if fact in FACTS and fact not in NAMES:
        return dict.fromkeys(words_of(fact) or (), FACTS[fact])
    if last_word == "has":
        return {**WORDS, **LISTS, **TEXTS}
    if last_word in FACTS and tokens[-2:-1] != ["has"]:
        operators = tuple(COMPARE) if last_word in NAMES else _operators_of(Fact(last_word))
        return dict.fromkeys(operators, f"compares `{last_word}`")
    if not tokens or last_word in ("and", "or", "not", "("):
        return {**FACTS, "has": "whether the card has it", "not": "the opposite"}
    if last_word in COMPARE or last_word in _CALCULATIONS:
        return NAMES
    return {"and": "both hold", "or": "one holds"}
