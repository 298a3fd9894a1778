"""From the parser's reductions to tree nodes: one small method for each rule of ``grammar/effect.lark``.

The parser calls the method named like the rule (or like its ``-> name``) with everything the rule matched, in
order: tokens, and the values that the methods returned for the parts. A rule of one part without a method is
that part; the forms of verbs get their methods from the rows of ``vocabulary/verbs.py``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

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
_PLAIN_TRIGGERS = {
    trigger.words: name for name, trigger in TRIGGERS.items() if trigger.needs_self or not trigger.pattern
}
"""Triggers that need no more than their name, by their words."""
_PATTERNS = {
    trigger.pattern.replace("would become", "would becomes"): name
    for name, trigger in TRIGGERS.items()
    if trigger.pattern
}
_DURATION_NAMES: dict[str, Any] = {words: name for name, words in DURATIONS.items()}
_TRIGGER_FORMS = {"become": "becomes", "enter": "enters"}
_COUNTS = {"one": 1, "two": 2, "three": 3}


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


def _singular(parts: Parts) -> str:
    """What an OPERATOR has: `ATTACK cards` are an `ATTACK card`."""
    return " ".join("card" if part == "cards" else part for part in parts)


def _somebody(group: tree.Group) -> str:
    """Whom a trigger speaks of, where no more than the side is said; else no trigger's words."""
    return f"an {group.side} OPERATOR" if group == tree.Group(group.side) else "…"


def _both(state: tree.Condition, condition: tree.Condition | None) -> tree.Condition:
    """What `while` and a further `if` ask, in one condition."""
    if condition is None:
        return state
    parts: list[tree.Condition] = []
    for one in (state, condition):
        parts += one.parts if isinstance(one, tree.AllOf) else [one]
    return tree.AllOf(tuple(parts), place_of(state, condition))


class _Opening(NamedTuple):
    """`when EVENT` or `while STATE`: the word, and the trigger or the condition."""

    word: tree.Word
    when: tree.When | None
    state: tree.Condition | None
    place: Place


class _Limit(NamedTuple):
    name: tree.Limit
    place: Place


class _Link(NamedTuple):
    link: tree.Link
    place: Place


class _SaveZone(NamedTuple):
    place: Place


class Builder:
    """The methods, by rule of the grammar."""

    # sentences

    def effect(self, parts: Parts) -> tree.Effect:
        return tree.Effect(tuple(parts), _all(parts))

    def sentence(self, parts: Parts) -> tree.Sentence:
        opening: _Opening | None = None
        limit: _Limit | None = None
        condition: tree.Condition | None = None
        clauses: list[tree.Clause] = []
        links: list[tree.Link] = []
        for part in parts:
            if isinstance(part, _Opening):
                opening = part
            elif isinstance(part, _Limit):
                limit = part
            elif isinstance(part, _Link):
                links.append(part.link)
            elif isinstance(part, (tree.Act, tree.Either)):
                clauses.append(part)
            elif part.__class__ is not Token:
                condition = part
        if opening is not None and opening.state is not None:
            condition = _both(opening.state, condition)
        return tree.Sentence(
            tuple(clauses),
            opening.when if opening else None,
            condition,
            _all(parts),
            () if all(link == "then" for link in links) else tuple(links),
            limit.name if limit else None,
            opening.word if opening else None,
        )

    def limit(self, parts: Parts) -> _Limit:
        return _Limit(_plain(parts[2]), _all(parts))

    def opening(self, parts: Parts) -> _Opening:
        """The critical attack is an event behind `when`, and a condition behind `while`."""
        word, said = tree.Word(_text(parts), parts[0].place), parts[1]
        if isinstance(said, tree.When):
            return _Opening(word, replace(said, place=_all(parts)), None, _all(parts))
        if parts[0] == "when" and said == tree.AttackIsCritical():
            return _Opening(word, tree.When("critical", _all(parts)), None, _all(parts))
        return _Opening(word, None, said, _all(parts))

    def link(self, parts: Parts) -> _Link:
        return _Link(" ".join(part for part in parts if part != ","), _all(parts))  # type: ignore[arg-type]

    def either(self, parts: Parts) -> tree.Either:
        return tree.Either(parts[1], parts[3], _all(parts))

    def act(self, parts: Parts) -> tree.Act:
        may = parts[1] == "may"
        who, doings, *rest = parts[:1] + parts[2:] if may else parts
        duration = rest[0] if rest else None
        return tree.Act(who, tuple(doings), duration, place_of(who, duration or doings[-1]), may)

    def trigger(self, parts: Parts) -> tree.When:
        plain, pattern = [], []
        subject = what = None
        for part in parts:
            if isinstance(part, (tree.Ref, tree.Group)):
                subject = part
                plain.append(part.name if isinstance(part, tree.Ref) else _somebody(part))
                pattern.append("{subject}")
            elif isinstance(part, tree.Word):
                what = part
                pattern.append("{what}")
            else:
                word = _TRIGGER_FORMS.get(part, str(part))
                plain.append(word)
                pattern.append(word)
        name = _PLAIN_TRIGGERS.get(" ".join(plain)) if what is None else None
        if name is not None:
            return tree.When(name, _all(parts))
        if pattern[-2:] == ["an", "ACTION"]:
            what, pattern[-2:] = tree.Word("ACTION", parts[-1].place), ["{what}"]
        return tree.When(_PATTERNS[" ".join(pattern)], _all(parts), subject, what)

    def somebody(self, parts: Parts) -> tree.Group:
        """As a group: `another` leaves self out, no side is any."""
        other, side = parts[0] == "another", "any"
        if parts[1] in ("own", "enemy"):
            side = _plain(parts[1])
        head = 2 if side == "any" else 3
        return self._group(parts, side, other, head)

    # WHO

    def chosen(self, parts: Parts) -> tree.One:
        count = _COUNTS[parts[0]]
        return tree.One(parts[-1], _all(parts), count, random=_has(parts, "random"))

    def up_to(self, parts: Parts) -> tree.One:
        return tree.One(parts[-1], _all(parts), _COUNTS[parts[2]], up_to=True, random=_has(parts, "random"))

    def count(self, parts: Parts) -> Token:
        token: Token = parts[0]
        return token

    def every(self, parts: Parts) -> tree.Every:
        return tree.Every(parts[1], _all(parts))

    def player(self, parts: Parts) -> tree.Player:
        if isinstance(parts[0], tree.Player):
            return parts[0]
        return tree.Player(" ".join(parts), _all(parts))

    def ref(self, parts: Parts) -> tree.Ref:
        name = _text(parts)
        return tree.Ref("it" if name in ("they", "them") else name, _all(parts))

    def of_team(self, parts: Parts) -> tuple[str, Any]:
        return ("team", _quoted(parts[2]))

    def in_range(self, parts: Parts) -> tuple[str, Any]:
        return ("in_range", tree.InRange(parts[3] if len(parts) > 2 else None, _all(parts)))

    def adjacent(self, parts: Parts) -> tuple[str, Any]:
        return ("adjacent", parts[2])

    def opposite(self, parts: Parts) -> tuple[str, Any]:
        return ("opposite", parts[1])

    def in_savezone(self, parts: Parts) -> tuple[str, Any]:
        return ("savezone", _SaveZone(_all(parts)))

    def with_bearing(self, parts: Parts) -> tuple[str, Any]:
        return ("with", tree.BearingFilter((parts[-1],), _has(parts, "no"), _all(parts)))

    def with_either(self, parts: Parts) -> tuple[str, Any]:
        bearings = tuple(part for part in parts if isinstance(part, tree.Bearing))
        return ("with", tree.BearingFilter(bearings, False, _all(parts)))

    def with_quantity(self, parts: Parts) -> tuple[str, Any]:
        _, quantity, compare, *rest = parts
        place = _all(parts)
        if isinstance(rest[-1], tree.Ref):
            than = tree.QuantityOf(rest[0], rest[-1], place_of(rest[0], rest[-1]))
            return ("with", tree.QuantityFilter(quantity, compare, 0, place, than))
        number = int(rest[-1]) * (-1 if len(rest) > 1 else 1)
        return ("with", tree.QuantityFilter(quantity, compare, number, place))

    def with_extreme(self, parts: Parts) -> tuple[str, Any]:
        return ("superlative", tree.Superlative(parts[-1], parts[2] == "highest", _all(parts)))

    def that_are(self, parts: Parts) -> tuple[str, Any]:
        return ("status", tree.StatusFilter(parts[-1], len(parts) > 3, _all(parts)))

    def that_are_either(self, parts: Parts) -> tuple[str, Any]:
        first, *others = (part for part in parts if part.__class__ is tree.Word)
        return ("status", tree.StatusFilter(first, False, _all(parts), tuple(others)))

    def group(self, parts: Parts) -> tree.Group:
        other = parts[0] == "other"
        head = 2 if other else 1
        side = "any"
        if parts[head - 1] not in ("OPERATOR", "OPERATORs"):
            side, head = _plain(parts[head - 1]), head + 1
        return self._group(parts, side, other, head)

    @staticmethod
    def _group(parts: Parts, side: Any, other: bool, head: int) -> tree.Group:
        """The group whose filters begin at ``head``; a filter that stands twice keeps its last value."""
        filters = parts[head:]
        end = place_of(parts[head - 1])[1]
        values: dict[str, Any] = {}
        having: list[tree.QuantityFilter | tree.BearingFilter] = []
        for name, value in filters:
            end = place_of(value)[1] + (1 if name == "team" else 0)
            if name == "savezone":
                values[name] = True
            elif name != "with":
                values[name] = value
            elif isinstance(value, tree.QuantityFilter):
                if "quantity" in values or value.than is not None:
                    having.append(value)
                else:
                    values["quantity"] = value
            elif (
                [bearing.what for bearing in value.bearings] == ["TEAM"]
                and not value.negated
                and ("team" not in values)
            ):
                values["team"] = value.bearings[0].name
            elif (
                [bearing.what for bearing in value.bearings] == ["trait"]
                and not value.negated
                and ("trait" not in values)
            ):
                values["trait"] = value.bearings[0].name
            else:
                having.append(value)
        order = tuple(name for name, _ in filters)
        place = (place_of(parts[0])[0], end)
        return tree.Group(side, other=other, order=order, place=place, having=tuple(having), **values)

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
        bearing = parts[-1]
        return tree.Bears(parts[0], bearing.what, bearing.name, _has(parts, "no"), _all(parts))

    def bearing(self, parts: Parts) -> tree.Bearing:
        if parts[-1].type == "STRING":
            return tree.Bearing(_text(parts), _quoted(parts[-1]), _all(parts))
        return tree.Bearing(_singular(parts), None, _all(parts))

    def attack_is_critical(self, parts: Parts) -> tree.AttackIsCritical:
        return tree.AttackIsCritical(_has(parts, "not"), _all(parts))

    def has_reached(self, parts: Parts) -> tree.HasReached:
        return tree.HasReached(parts[0], _has(parts, "not"), _all(parts))

    def turn_is(self, parts: Parts) -> tree.TurnIs:
        return tree.TurnIs(_plain(parts[-1]), _has(parts, "not"), _all(parts))

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

    def marker_of_player(self, parts: Parts) -> tree.MarkerOfPlayer:
        return tree.MarkerOfPlayer(parts[0], parts[2], _all(parts))

    def cards_in(self, parts: Parts) -> tree.CardsInHand | tree.NumberOfCards:
        kind, _, side, zone = parts
        if kind.text == "" and zone == "hand":
            return tree.CardsInHand(_plain(side), place_of(kind, zone))
        return tree.NumberOfCards(kind.text or None, _plain(side), _plain(zone), place_of(kind, zone))

    def kind(self, parts: Parts) -> tree.Word:
        """The kind of the cards; no text for cards of all kinds."""
        return tree.Word(_plain(parts[0]) if len(parts) > 1 else "", _all(parts))

    def number_of_cards(self, parts: Parts) -> Any:
        return replace(parts[-1], place=_all(parts))

    def captured(self, parts: Parts) -> tree.Captured:
        return tree.Captured(parts[-1], _all(parts))

    def damage(self, parts: Parts) -> tree.Damage:
        return tree.Damage(_all(parts))

    def round(self, parts: Parts) -> tree.Round:
        return tree.Round(_all(parts))

    def quantity(self, parts: Parts) -> tree.Word:
        first = parts[0]
        if isinstance(first, tree.Word):
            return first if len(parts) == 1 else tree.Word(f"{first.text} VALUE", _all(parts))
        return _word(parts)

    def counter(self, parts: Parts) -> tree.Word:
        return _word(parts) if len(parts) == 1 else tree.Marker(" ".join(parts), _all(parts))

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

    def gains_keyword(self, parts: Parts) -> tree.GainsKeyword:
        return tree.GainsKeyword(_quoted(parts[-1]), _all(parts))

    def gains_trait(self, parts: Parts) -> tree.GainsTrait:
        return tree.GainsTrait(_quoted(parts[-1]), _all(parts))

    def loses(self, parts: Parts) -> tree.Loses:
        return tree.Loses(parts[1].text, _all(parts))

    def lost(self, parts: Parts) -> tree.Word:
        return tree.Word(_singular(parts), _all(parts))

    def swaps_places(self, parts: Parts) -> tree.SwapsPlaces:
        return tree.SwapsPlaces(parts[-1], _all(parts))

    def draws(self, parts: Parts) -> tree.Draws:
        per = parts[3] if len(parts) > 3 else None
        return tree.Draws(int(parts[1]), _all(parts), parts[1].place, per)

    def discards(self, parts: Parts) -> tree.Discards:
        kind = next(part for part in parts if part.__class__ is tree.Word)
        per = parts[-1] if isinstance(parts[-1], tree.Per) else None
        random = _has(parts, "random")
        return tree.Discards(int(parts[1]), _all(parts), parts[1].place, kind.text or None, random, per)

    def discards_strategy(self, parts: Parts) -> tree.DiscardsStrategy:
        side: Any = next((str(part) for part in parts if part in ("own", "enemy")), None)
        return tree.DiscardsStrategy(int(parts[1]), side, _has(parts, "random"), _all(parts), parts[1].place)

    def looks_at(self, parts: Parts) -> tree.LooksAt:
        return tree.LooksAt(parts[-1], _all(parts))

    def puts(self, parts: Parts) -> tree.Puts:
        kind, source, to = parts[-4], parts[-2], parts[-1]
        number, random = parts[1], _has(parts, "random")
        return tree.Puts(int(number), source, to.text, kind.text or None, random, _all(parts), number.place)

    def source(self, parts: Parts) -> tree.Source:
        if parts[0] == "the":
            return tree.Source(_plain(parts[-2]), "DECK", int(parts[2]), _all(parts))
        return tree.Source(_plain(parts[0]), _plain(parts[1]), 0, _all(parts))

    def duration(self, parts: Parts) -> tree.Duration:
        return tree.Duration(_DURATION_NAMES[" ".join(parts)], _all(parts))

    # words that can be pointed at

    def stat(self, parts: Parts) -> tree.Word:
        return _word(parts)

    status = new_status = action = any_action = die = destination = stat
    scaled = changeable


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
