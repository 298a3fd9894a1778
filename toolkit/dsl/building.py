"""From the parser's reductions to tree nodes: one small method for each rule of ``grammar/effect.lark``.

The parser calls the method named like the rule (or like its ``-> name``) with everything the rule matched, in
order: tokens, and the values that the methods returned for the parts. A rule of one part without a method is
that part; the forms of verbs get their methods from the rows of ``vocabulary/verbs.py``.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.lalr import Parser, Tables, Token, tables
from toolkit.dsl.tree import Place
from toolkit.vocabulary import (
    ACTIONS,
    COUNTERS,
    DURATIONS,
    FACTS,
    FORMS,
    STATS,
    STATUSES,
    TRIGGERS,
    VERBS,
    Form,
    require,
)

Parts = list[Any]

GRAMMAR = "grammar/effect.lark"
_TRIGGER_NAMES = {trigger.words: name for name, trigger in TRIGGERS.items()}


def place_of(first: Any, last: Any | None = None) -> Place:
    """From the beginning of one token or node to the end of another."""
    place: Place = first.place
    return place if last is None else (place[0], last.place[1])


def _all(parts: Parts) -> Place:
    return (parts[0].place[0], parts[-1].place[1])


def _word(parts: Parts) -> tree.Word:
    return tree.Word(" ".join(parts), _all(parts))


def _plain(token: Any) -> Any:
    """The token's word, without what the parser knows of it."""
    return str(token)


def _text(parts: Parts) -> str:
    return str(parts[0])


def _quoted(token: Any) -> tree.Word:
    return tree.Word(str(token[1:-1]), (token.place[0] + 1, token.place[1] - 1))


def _has(parts: Parts, word: str) -> bool:
    return any(part == word for part in parts if isinstance(part, str))


class Builder:
    """The methods, by rule of the grammar."""

    # sentences

    def effect(self, parts: Parts) -> tree.Effect:
        return tree.Effect(tuple(parts), _all(parts))

    def sentence(self, parts: Parts) -> tree.Sentence:
        when = condition = None
        clauses = []
        for part in parts:
            if isinstance(part, tree.When):
                when = part
            elif isinstance(part, (tree.Act, tree.Either)):
                clauses.append(part)
            elif part.__class__ is not Token:
                condition = part
        return tree.Sentence(tuple(clauses), when, condition, _all(parts))

    def when(self, parts: Parts) -> tree.When:
        return tree.When(parts[1].name, _all(parts))

    def either(self, parts: Parts) -> tree.Either:
        return tree.Either(parts[1], parts[3], _all(parts))

    def act(self, parts: Parts) -> tree.Act:
        who, doings = parts[0], tuple(parts[1])
        duration = parts[2] if len(parts) > 2 else None
        return tree.Act(who, doings, duration, place_of(who, duration or doings[-1]))

    def trigger(self, parts: Parts) -> tree.When:
        words = " ".join("becomes" if part == "become" else part for part in parts)
        return tree.When(_TRIGGER_NAMES[words], _all(parts))

    # WHO

    def one(self, parts: Parts) -> tree.One:
        return tree.One(parts[1], _all(parts))

    def every(self, parts: Parts) -> tree.Every:
        return tree.Every(parts[1], _all(parts))

    def player(self, parts: Parts) -> tree.Player:
        return tree.Player(_text(parts), _all(parts))

    def ref(self, parts: Parts) -> tree.Ref:
        return tree.Ref(_text(parts), _all(parts))

    def of_team(self, parts: Parts) -> tuple[str, Any]:
        return ("team", _quoted(parts[2]))

    def in_range(self, parts: Parts) -> tuple[str, Any]:
        return ("in_range", tree.InRange(parts[3] if len(parts) > 2 else None, _all(parts)))

    def adjacent(self, parts: Parts) -> tuple[str, Any]:
        return ("adjacent", parts[2])

    def opposite(self, parts: Parts) -> tuple[str, Any]:
        return ("opposite", parts[1])

    def with_trait(self, parts: Parts) -> tuple[str, Any]:
        return ("trait", _quoted(parts[2]))

    def with_quantity(self, parts: Parts) -> tuple[str, Any]:
        number = int(parts[-1]) * (-1 if len(parts) > 4 else 1)
        return ("quantity", tree.QuantityFilter(parts[1], parts[2], number, _all(parts)))

    def that_are(self, parts: Parts) -> tuple[str, Any]:
        return ("status", tree.StatusFilter(parts[-1], len(parts) > 3, _all(parts)))

    def group(self, parts: Parts) -> tree.Group:
        other = parts[0] == "other"
        side = _plain(parts[1] if other else parts[0])
        head = 3 if other else 2
        filters = parts[head:]
        last = filters[-1][1] if filters else parts[head - 1]
        end = place_of(last)[1] + (1 if filters and filters[-1][0] in ("team", "trait") else 0)
        place = (place_of(parts[0])[0], end)
        order = tuple(name for name, _ in filters)
        return tree.Group(side, other=other, order=order, place=place, **dict(filters))

    # IF

    def any_of(self, parts: Parts) -> tree.AnyOf:
        return tree.AnyOf(tuple(parts[::2]), _all(parts))

    def all_of(self, parts: Parts) -> tree.AllOf:
        return tree.AllOf(tuple(parts[::2]), _all(parts))

    def negated(self, parts: Parts) -> tree.Not:
        return tree.Not(parts[1], _all(parts))

    def grouped(self, parts: Parts) -> Any:
        return replace(parts[1], place=_all(parts))

    def comparison(self, parts: Parts) -> tree.Comparison:
        return tree.Comparison(parts[0], parts[1], parts[2], _all(parts))

    def compare(self, parts: Parts) -> str:
        return _text(parts)

    def has_status(self, parts: Parts) -> tree.HasStatus:
        return tree.HasStatus(parts[0], parts[-1], _has(parts, "not"), _all(parts))

    def is_in_range(self, parts: Parts) -> tree.Stands:
        return tree.Stands(parts[0], "in RANGE", parts[-1], _has(parts, "not"), _all(parts))

    def is_adjacent(self, parts: Parts) -> tree.Stands:
        return tree.Stands(parts[0], "adjacent", parts[-1], _has(parts, "not"), _all(parts))

    def is_opposite(self, parts: Parts) -> tree.Stands:
        return tree.Stands(parts[0], "opposite", parts[-1], _has(parts, "not"), _all(parts))

    def bears(self, parts: Parts) -> tree.Bears:
        what, name, end = parts[-1]
        return tree.Bears(parts[0], what, name, _has(parts, "no"), (parts[0].place[0], end))

    def bearing(self, parts: Parts) -> tuple[str, tree.Word | None, int]:
        end = place_of(parts[-1])[1]
        if parts[-1].type == "STRING":
            return (_text(parts), _quoted(parts[-1]), end)
        what = "card" if parts[-1] in ("card", "cards") else _plain(parts[0])
        return (f"{parts[0]} {what}" if len(parts) > 1 else what, None, end)

    def attack_is_critical(self, parts: Parts) -> tree.AttackIsCritical:
        return tree.AttackIsCritical(_has(parts, "not"), _all(parts))

    # NUMBERs

    def binary(self, parts: Parts) -> tree.Binary:
        return tree.Binary(_plain(parts[1]), parts[0], parts[2], _all(parts))

    def literal(self, parts: Parts) -> tree.Constant:
        return tree.Constant(int(parts[0]), _all(parts))

    def negative(self, parts: Parts) -> tree.Negative:
        return tree.Negative(parts[1], _all(parts))

    def quantity_of(self, parts: Parts) -> tree.QuantityOf:
        return tree.QuantityOf(parts[0], parts[2], _all(parts))

    def number_of(self, parts: Parts) -> tree.NumberOf:
        return tree.NumberOf(parts[2], _all(parts))

    def cards_in_hand(self, parts: Parts) -> tree.CardsInHand:
        return tree.CardsInHand(_plain(parts[4]), _all(parts))

    def round(self, parts: Parts) -> tree.Round:
        return tree.Round(_all(parts))

    def quantity(self, parts: Parts) -> tree.Word:
        first = parts[0]
        if isinstance(first, tree.Word):
            return first if len(parts) == 1 else tree.Word(f"{first.text} VALUE", _all(parts))
        return _word(parts)

    # DOES

    def gets_last(self, parts: Parts) -> list[Any]:
        if not isinstance(parts[0], list):  # the first: get change
            return [self._from(parts[0], parts[1])]
        verb = parts[-2]
        return [*parts[0], parts[-1] if verb == "and" else self._from(verb, parts[-1])]

    def other_last(self, parts: Parts) -> list[Any]:
        return [*parts[0], parts[2]] if isinstance(parts[0], list) else [parts[0]]

    @staticmethod
    def _from(verb: Any, gets: tree.Gets) -> tree.Gets:
        return tree.Gets(gets.amount, gets.what, gets.per, place_of(verb, gets), gets.amount_place)

    def change(self, parts: Parts) -> tree.Gets:
        sign, number, what = parts[:3]
        amount = int(number) if sign == "+" else -int(number)
        per = parts[3] if len(parts) > 3 else None
        return tree.Gets(amount, what, per, _all(parts), place_of(sign, number))

    def changeable(self, parts: Parts) -> tree.Word:
        return parts[0] if isinstance(parts[0], tree.Word) else _word(parts)

    def per(self, parts: Parts) -> tree.Per:
        if isinstance(parts[-1], tuple):
            maximum, place, end = parts[-1]
            return tree.Per(parts[2], maximum, (parts[0].place[0], end), place)
        return tree.Per(parts[2], None, _all(parts))

    def maximum(self, parts: Parts) -> tuple[int, Place, int]:
        return (int(parts[2]), place_of(parts[2]), parts[3].place[1])

    def step(self, parts: Parts) -> tree.Word:
        words = {"SKILL": "SKILLs", "card": "cards"}
        return tree.Word(" ".join(words.get(str(part), str(part)) for part in parts), _all(parts))

    def duration(self, parts: Parts) -> tree.Duration:
        last = _plain(parts[-1])
        return tree.Duration(last, _all(parts))

    # words that can be pointed at

    def stat(self, parts: Parts) -> tree.Word:
        return _word(parts)

    status = new_status = action = any_action = die = stat


def _doing(form: Form) -> Any:
    """The method that makes the node of a form, from its row: what the text names is taken in its order."""
    node: Any = getattr(tree, form.node)
    kinds: dict[str, str] = node.__annotations__
    flags = [name for name in form.fields if kinds[name] == "bool"]
    fields = [name for name in form.fields if kinds[name] != "bool"]
    has_number = "number_place" in kinds

    def build(self: Builder, parts: Parts) -> Any:
        values: dict[str, Any] = dict(form.fixed)
        said = (part for part in parts if part.__class__ is tree.Word or part.type == "INT")
        for name, part in zip(fields, said, strict=True):
            kind = kinds[name]
            values[name] = int(part) if kind == "int" else part if kind == "Word" else part.text
        for name in flags:
            values[name] = _has(parts, name)
        if has_number:
            values["number_place"] = _number_place(parts)
        return node(**values, place=_all(parts))

    return build


def _number_place(parts: Parts) -> Place:
    """The place of the number with its ``+``; of the verb where the verb says it (`doubles`)."""
    at = next((n for n, part in enumerate(parts) if part.__class__ is Token and part.type == "INT"), None)
    if at is None:
        return place_of(parts[0])
    first = at - 1 if parts[at - 1] == "+" else at
    last = at + 1 if parts[at + 1 : at + 2] == ["+"] else at
    return place_of(parts[first], parts[last])


for _form in FORMS.values():
    if not hasattr(Builder, _form.rule):  # `gets` has methods of its own: it goes on behind `and`
        require(hasattr(tree, _form.node), "verb", _form.rule, f"node {_form.node}", "toolkit/dsl/tree.py")
        setattr(Builder, _form.rule, _doing(_form))


def check_words(made: Tables) -> None:
    """Every word of the vocabulary must be one of the grammar; raises HalfDeclared for one that is not."""
    rules = {rule.build for rule in made.rules}
    for form in FORMS.values():
        require(form.rule in rules or form.rule == "gets", "verb", form.rule, "rule", GRAMMAR)
    for rule in made.rules:
        if rule.origin == "does" and rule.build is not None:
            require(rule.build in FORMS, "rule", rule.build, "row", "toolkit/vocabulary/verbs.py")
    words = {
        "verb": [word for verb in VERBS for form in (verb.one, verb.many) for word in form.split()],
        "stat": STATS,
        "counter": COUNTERS,
        "number": FACTS,
        "status": STATUSES,
        "ACTION": ACTIONS,
        "trigger": [word for trigger in TRIGGERS.values() for word in trigger.words.split()],
        "duration": [word for words in DURATIONS.values() for word in words.split()],
    }
    for sort, several in words.items():
        for word in several:
            require(word in made.words, sort, word, "place", GRAMMAR)


@cache
def parser() -> Parser:
    """The parser of the effect language; raises HalfDeclared where grammar and vocabulary differ."""
    check_words(tables())
    return Parser(tables(), Builder())
