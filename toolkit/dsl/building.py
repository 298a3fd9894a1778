"""Building of tree nodes from the parser's reductions: one method for each rule of ``grammar/effect.lark``.

The parser calls the method with the name of the rule (or of its ``-> name``) with everything that the rule
matched, in order: tokens, and the values that methods returned for parts. A rule without a method has the
value of its only part. The methods for forms of verbs are made from the rows of ``vocabulary/verbs.py``.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.lalr import Parser, Token, tables
from toolkit.dsl.tree import Place
from toolkit.vocabulary import (
    DURATIONS,
    FORMS,
    TRIGGERS,
    Form,
)

Parts = list[Any]

_PLAIN_TRIGGERS = {
    trigger.words: name for name, trigger in TRIGGERS.items() if trigger.needs_self or not trigger.pattern
}
"""The triggers that are determined by their words alone, by these words."""
_PATTERNS = {
    trigger.pattern.replace("would become", "would becomes"): name
    for name, trigger in TRIGGERS.items()
    if trigger.pattern
}
_DURATION_NAMES: dict[str, Any] = {words: name for name, words in DURATIONS.items()}
_TRIGGER_FORMS = {"become": "becomes", "enter": "enters"}
_NODE_KINDS = ("Word", "Ref | One", "Source", "Per | None", "Number", "Shown | None")
"""The annotations of fields that keep the node of a word; other fields keep only its text."""
_COUNTS = {"one": 1, "two": 2, "three": 3}


def place_of(first: Any, last: Any | None = None) -> Place:
    """Return the place from the beginning of one token or node to the end of another."""
    span: Place = first.place
    return span if last is None else (span[0], last.place[1])


def _whole_place(parts: Parts) -> Place:
    return (parts[0].place[0], parts[-1].place[1])


def _word(parts: Parts) -> tree.Word:
    return tree.Word(" ".join(parts), place=_whole_place(parts))


def _plain(child: Any) -> Any:
    """Return a part; a token as a plain string, without its terminal and place."""
    return str(child) if child.__class__ is Token else child


def _quoted(token: Any) -> tree.Word:
    return tree.Word(str(token[1:-1]), place=(token.place[0] + 1, token.place[1] - 1))


def _has_word(parts: Parts, word: str) -> bool:
    return any(child == word for child in parts if isinstance(child, str))


def _singular(parts: Parts) -> str:
    """Return words joined, with ``card`` for ``cards``: the tree has the singular."""
    return " ".join("card" if child == "cards" else child for child in parts)


def _subject_words(group: tree.Group) -> str:
    """Return the words of a subject that has a side only, else ``…``, which is in no trigger's words."""
    return f"an {group.side} OPERATOR" if group == tree.Group(group.side) else "…"


def _both(state: tree.Condition, condition: tree.Condition | None) -> tree.Condition:
    """Return one condition, without an `and` in an `and`, for those of ``while`` and an additional ``if``."""
    if condition is None:
        return state
    joined_conditions: list[tree.Condition] = []
    for operand in (state, condition):
        joined_conditions += operand.parts if isinstance(operand, tree.AllOf) else [operand]
    return tree.AllOf(tuple(joined_conditions), place=place_of(state, condition))


class _SentencePart(NamedTuple):
    """A part of a sentence that is no clause or condition; ``sort`` is ``limit``, ``opening`` or ``link``."""

    sort: str
    value: Any
    place: Place


def _node(kind: type[tree.Node], *fields: int | str) -> Any:
    """Return a method that makes a node; each field is the part at an index, or whether a word is written."""

    def build(self: Builder, parts: Parts) -> Any:
        values = [
            _has_word(parts, field_source) if isinstance(field_source, str) else _plain(parts[field_source])
            for field_source in fields
        ]
        return kind(*values, place=_whole_place(parts))

    return build


def _stands(relation: tree.Relation) -> Any:
    """Return a method that makes the condition of two REFs, the first and the last part, that they are so."""

    def build(self: Builder, parts: Parts) -> tree.Stands:
        return tree.Stands(parts[0], relation, parts[-1], _has_word(parts, "not"), place=_whole_place(parts))

    return build


def _group_fields(
    filters: list[tuple[str, Any]],
) -> tuple[dict[str, Any], tuple[tree.QuantityFilter | tree.BearingFilter, ...]]:
    """Return the fields of ``Group`` that filters fill, and the `with …` that have no field, in order.

    Of a repeated filter the last one is kept; the checks refuse such a group.
    """
    values: dict[str, Any] = {}
    having: list[tree.QuantityFilter | tree.BearingFilter] = []
    for name, value in filters:
        if name == "savezone":
            values[name] = True
        elif name == "team" and isinstance(value, tree.Ref):
            values["team_of"] = value
        elif name != "with":
            values[name] = value
        else:
            field, field_value = _field_of_with(value)
            if field is None or field in values:
                having.append(value)
            else:
                values[field] = field_value
    return values, tuple(having)


def _field_of_with(having: tree.QuantityFilter | tree.BearingFilter) -> tuple[str | None, Any]:
    """Return the field of ``Group`` for a `with …`, and its value: a number, TEAM or trait, each once."""
    if isinstance(having, tree.QuantityFilter):
        return ("quantity" if having.than is None else None), having
    bearing, *other_bearings = having.bearings
    if other_bearings or having.negated or bearing.what not in ("TEAM", "trait"):
        return None, having
    return bearing.what.lower(), bearing.name


def _end_of_filter(name: str, value: Any) -> int:
    """Return where a filter ends; the place of a TEAM's id is without its quotes."""
    _, end = place_of(value)
    return end + len('"') if name == "team" and isinstance(value, tree.Word) else end


class Builder:
    """The methods, named as the rules of the grammar."""

    # sentences

    def effect(self, parts: Parts) -> tree.Effect:
        return tree.Effect(tuple(parts), place=_whole_place(parts))

    def sentence(self, parts: Parts) -> tree.Sentence:
        """Build a sentence of its clauses, conditions and ``_SentencePart``; all conditions must hold.

        Of the plain words only `unless` matters: it negates the condition behind it.
        """
        limit = opening = when = condition = None
        unless = False
        clauses: list[tree.Clause] = []
        links: list[tree.Link] = []
        for child in parts:
            if isinstance(child, (tree.Act, tree.Either)):
                clauses.append(child)
            elif isinstance(child, _SentencePart):
                if child.sort == "limit":
                    limit = child.value
                elif child.sort == "link":
                    links.append(child.value)
                else:
                    opening, when, condition = child.value
            elif child.__class__ is not Token:
                operand = tree.Not(child, place=child.place) if unless else child
                condition = operand if condition is None else _both(condition, operand)
            elif child == "unless":
                unless = True
        has_only_then = all(link == "then" for link in links)
        return tree.Sentence(
            tuple(clauses),
            when,
            condition,
            () if has_only_then else tuple(links),  # `then` everywhere is the default of the tree
            limit,
            opening,
            unless,
            place=_whole_place(parts),
        )

    def once(self, parts: Parts) -> _SentencePart:
        return _SentencePart("limit", str(parts[2]), _whole_place(parts))

    def opening(self, parts: Parts) -> _SentencePart:
        """Build `when …` or `while …`: its word, and the trigger or the condition behind it.

        ``the attack is CRITICAL`` is an event after ``when``, and a condition after ``while``.
        """
        word, trigger, span = _word(parts[:1]), parts[1], _whole_place(parts)
        if isinstance(trigger, tree.When):
            return _SentencePart("opening", (word, replace(trigger, place=span), None), span)
        if parts[0] == "when" and trigger == tree.AttackIsCritical():
            return _SentencePart("opening", (word, tree.When("critical", place=span), None), span)
        return _SentencePart("opening", (word, None, trigger), span)

    def link(self, parts: Parts) -> _SentencePart:
        return _SentencePart("link", " ".join(child for child in parts if child != ","), _whole_place(parts))

    either = _node(tree.Either, 1, 3)

    def act(self, parts: Parts) -> tree.Act:
        """Build who does what; a `may` in between and a duration at the end are optional."""
        may = parts[1] == "may"
        acting, doings, *remaining_parts = parts[:1] + parts[2:] if may else parts
        duration = remaining_parts[0] if remaining_parts else None
        return tree.Act(acting, tuple(doings), duration, may, place=place_of(acting, duration or doings[-1]))

    def trigger(self, parts: Parts) -> tree.When:
        """Build a trigger: one with its own name for these words, or a pattern with subject and object."""
        written_words, pattern_words = [], []
        subject = object_word = None
        for child in parts:
            if isinstance(child, (tree.Ref, tree.Group)):
                subject = child
                written_words.append(child.name if isinstance(child, tree.Ref) else _subject_words(child))
                pattern_words.append("{subject}")
            elif isinstance(child, tree.Word):
                object_word = child
                pattern_words.append("{what}")
            else:
                word = _TRIGGER_FORMS.get(child, str(child))
                written_words.append(word)
                pattern_words.append(word)
        name = _PLAIN_TRIGGERS.get(" ".join(written_words)) if object_word is None else None
        if name is not None:
            return tree.When(name, place=_whole_place(parts))
        if pattern_words[-2:] == ["an", "ACTION"]:  # any ACTION is an object, too
            object_word, pattern_words[-2:] = _word(parts[-1:]), ["{what}"]
        return tree.When(_PATTERNS[" ".join(pattern_words)], subject, object_word, place=_whole_place(parts))

    def somebody(self, parts: Parts) -> tree.Group:
        """The subject of a trigger as a group: ``another`` excludes self, and no side means any."""
        return self._group(parts, 1, other=parts[0] == "another")

    # WHO

    def chosen(self, parts: Parts) -> tree.One:
        return self._chosen(parts, _COUNTS[parts[0]], up_to=False)

    def up_to(self, parts: Parts) -> tree.One:
        return self._chosen(parts, _COUNTS[parts[2]], up_to=True)

    @staticmethod
    def _chosen(parts: Parts, count: int, *, up_to: bool) -> tree.One:
        group = next(child for child in parts if isinstance(child, tree.Group))
        chooser = str(parts[-1].text) if isinstance(parts[-1], tree.Word) else None
        is_random = _has_word(parts, "random")
        return tree.One(group, count, up_to, is_random, chooser, place=_whole_place(parts))

    def chooser(self, parts: Parts) -> tree.Word:
        return tree.Word(str(parts[2]), place=_whole_place(parts))

    def count(self, parts: Parts) -> Any:
        return parts[0]

    every = _node(tree.Every, 1)

    def player(self, parts: Parts) -> tree.Player:
        whole = isinstance(parts[0], tree.Player)
        return parts[0] if whole else tree.Player(" ".join(parts), place=_whole_place(parts))

    def ref(self, parts: Parts) -> tree.Ref:
        return tree.Ref("it" if parts[0] in ("they", "them") else str(parts[0]), place=_whole_place(parts))

    def of_team(self, parts: Parts) -> tuple[str, Any]:
        return ("team", parts[3] if parts[2] == "of" else _quoted(parts[2]))

    def in_range(self, parts: Parts) -> tuple[str, Any]:
        return ("in_range", tree.InRange(parts[3] if len(parts) > 2 else None, place=_whole_place(parts)))

    def adjacent(self, parts: Parts) -> tuple[str, Any]:
        return ("adjacent", parts[2])

    def opposite(self, parts: Parts) -> tuple[str, Any]:
        return ("opposite", parts[1])

    def in_savezone(self, parts: Parts) -> tuple[str, Any]:
        return ("savezone", _word(parts))

    def with_bearing(self, parts: Parts) -> tuple[str, Any]:
        return ("with", tree.BearingFilter((parts[-1],), _has_word(parts, "no"), place=_whole_place(parts)))

    def with_either(self, parts: Parts) -> tuple[str, Any]:
        bearings = tuple(child for child in parts if isinstance(child, tree.Bearing))
        return ("with", tree.BearingFilter(bearings, place=_whole_place(parts)))

    def with_quantity(self, parts: Parts) -> tuple[str, Any]:
        """Build ``with AP >= -2`` or ``with AP >= EP of self``."""
        _, quantity, compare, *compared_with = parts
        number, other_quantity = 0, None
        if isinstance(compared_with[-1], tree.Ref):
            stat, *_, ref = compared_with
            other_quantity = tree.QuantityOf(stat, ref, place=place_of(stat, ref))
        else:
            *minus, digits = compared_with
            number = -int(digits) if minus else int(digits)
        quantity_filter = tree.QuantityFilter(
            quantity, compare, number, other_quantity, place=_whole_place(parts)
        )
        return ("with", quantity_filter)

    def with_extreme(self, parts: Parts) -> tuple[str, Any]:
        return ("superlative", tree.Superlative(parts[-1], parts[2] == "highest", place=_whole_place(parts)))

    def that_are(self, parts: Parts) -> tuple[str, Any]:
        return ("status", tree.StatusFilter(parts[-1], len(parts) > 3, place=_whole_place(parts)))

    def that_are_either(self, parts: Parts) -> tuple[str, Any]:
        first, *other_words = (child for child in parts if child.__class__ is tree.Word)
        return ("status", tree.StatusFilter(first, False, tuple(other_words), place=_whole_place(parts)))

    def group(self, parts: Parts) -> tree.Group:
        other = parts[0] == "other"
        return self._group(parts, int(other), other)

    @staticmethod
    def _group(parts: Parts, head: int, other: bool) -> tree.Group:
        """Return the group whose side, status or noun is at ``head``; behind its noun are the filters."""
        side: Any = "any"
        if parts[head] in ("own", "enemy", "any"):
            side, head = _plain(parts[head]), head + 1
        values: dict[str, Any] = {}
        if isinstance(parts[head], tree.Word):  # `own EXHAUSTED OPERATORs`
            values["status"], head = tree.StatusFilter(parts[head], place=parts[head].place), head + 1
        order = ("adjective",) if values else ()
        noun, *filters = parts[head:]
        filter_values, having = _group_fields(filters)
        order += tuple(name for name, _ in filters)
        start, _ = place_of(parts[0])
        end = _end_of_filter(*filters[-1]) if filters else place_of(noun)[1]
        return tree.Group(
            side, other=other, order=order, place=(start, end), having=having, **(values | filter_values)
        )

    # IF

    def any_of(self, parts: Parts) -> tree.AnyOf:
        return tree.AnyOf(tuple(parts[::2]), place=_whole_place(parts))

    def all_of(self, parts: Parts) -> tree.AllOf:
        return tree.AllOf(tuple(parts[::2]), place=_whole_place(parts))

    def grouped(self, parts: Parts) -> Any:
        return replace(parts[1], place=_whole_place(parts))

    negated = _node(tree.Not, 1)
    comparison = _node(tree.Comparison, 0, 1, 2)
    has_status = _node(tree.HasStatus, 0, -1, "not")
    is_in_range = _stands("in RANGE")
    is_adjacent = _stands("adjacent")
    is_opposite = _stands("opposite")
    attack_is_critical = _node(tree.AttackIsCritical, "not")
    has_reached = _node(tree.HasReached, 0, "not")
    has_team_of = _node(tree.HasTeamOf, 0, -1, "not")

    def has_performed(self, parts: Parts) -> tree.HasPerformed:
        action = next(child.text for child in parts if isinstance(child, tree.Word))
        return tree.HasPerformed(parts[0], action, _has_word(parts, "not"), place=_whole_place(parts))

    turn_is = _node(tree.TurnIs, -1, "not")

    def compare(self, parts: Parts) -> str:
        return str(parts[0])

    def bears(self, parts: Parts) -> tree.Bears:
        bearing = parts[-1]
        return tree.Bears(
            parts[0], bearing.what, bearing.name, _has_word(parts, "no"), place=_whole_place(parts)
        )

    def bearing(self, parts: Parts) -> tree.Bearing:
        if parts[-1].type == "STRING":
            return tree.Bearing(str(parts[0]), _quoted(parts[-1]), place=_whole_place(parts))
        return tree.Bearing(_singular(parts), place=_whole_place(parts))

    # NUMBERs

    binary = _node(tree.Binary, 1, 0, 2)
    negative = _node(tree.Negative, 1)

    def divided(self, parts: Parts) -> tree.Binary:
        return tree.Binary("/", parts[0], self.literal(parts[2:]), place=_whole_place(parts))

    quantity_of = _node(tree.QuantityOf, 0, 2)
    marker_of_player = _node(tree.MarkerOfPlayer, 0, 2)
    number_of = _node(tree.NumberOf, 2)
    captured = _node(tree.Captured, -1)
    damage = _node(tree.Damage)
    discarded = _node(tree.Discarded)
    round = _node(tree.Round)

    def literal(self, parts: Parts) -> tree.Constant:
        return tree.Constant(int(parts[0]), place=_whole_place(parts))

    def cards_in(self, parts: Parts) -> tree.CardsInHand | tree.NumberOfCards:
        """Build ``ATTACK cards in own DECK``; all cards in a hand are a node of their own."""
        (kind, _, side, zone), span = parts, _whole_place(parts)
        if not kind.text and zone == "hand":
            return tree.CardsInHand(_plain(side), place=span)
        return tree.NumberOfCards(kind.text or None, _plain(side), _plain(zone), place=span)

    def kind(self, parts: Parts) -> tree.Word:
        """The kind of the cards; an empty text for cards of all kinds."""
        return tree.Word(str(parts[0]) if len(parts) > 1 else "", place=_whole_place(parts))

    playable = kind

    def number_of_cards(self, parts: Parts) -> Any:
        return replace(parts[-1], place=_whole_place(parts))

    def quantity(self, parts: Parts) -> tree.Word:
        """Build a quantity: a stat, its printed number (`AP VALUE`), or another word."""
        first = parts[0]
        if isinstance(first, tree.Word):
            return first if len(parts) == 1 else tree.Word(f"{first.text} VALUE", place=_whole_place(parts))
        return _word(parts)

    def counter(self, parts: Parts) -> tree.Word:
        return _word(parts) if len(parts) == 1 else tree.Marker(" ".join(parts), place=_whole_place(parts))

    # DOES

    def gets_last(self, parts: Parts) -> list[Any]:
        """Return all that is done so far, with a further `gets`; behind `and` its verb may be left out."""
        *before, verb, gets = parts
        doings_before = before[0] if before else []
        return [*doings_before, gets if verb == "and" else replace(gets, place=place_of(verb, gets))]

    def other_last(self, parts: Parts) -> list[Any]:
        return [*parts[0], parts[2]] if isinstance(parts[0], list) else [parts[0]]

    def change(self, parts: Parts) -> tree.Gets:
        """Build `gets +1 AP for each …` of a sign, a number, what is changed, and perhaps a `for each`."""
        sign, number, changed_number = parts[:3]
        amount = int(number) if sign == "+" else -int(number)
        per = parts[3] if len(parts) > 3 else None
        return tree.Gets(
            amount, changed_number, per, amount_place=place_of(sign, number), place=_whole_place(parts)
        )

    def changeable(self, parts: Parts) -> tree.Word:
        return parts[0] if isinstance(parts[0], tree.Word) else _word(parts)

    def per(self, parts: Parts) -> tree.Per:
        """Build `for each …`, with its maximum if there is one."""
        _for, _each, counted, *maximums = parts
        if not maximums:
            return tree.Per(counted, place=_whole_place(parts))
        [(maximum, maximum_span, end)] = maximums
        return tree.Per(counted, maximum, maximum_place=maximum_span, place=(parts[0].place[0], end))

    def maximum(self, parts: Parts) -> tuple[int, Place, int]:
        """Return the number in `(max 3)`, its place, and where the parenthesis ends."""
        _opening, _max, number, closing = parts
        return (int(number), place_of(number), closing.place[1])

    def step(self, parts: Parts) -> tree.Word:
        """Build what is ignored, in the plural: ``SKILLs``, ``ATTACK cards``."""
        plurals = {"SKILL": "SKILLs", "card": "cards"}
        return tree.Word(
            " ".join(plurals.get(str(child), str(child)) for child in parts), place=_whole_place(parts)
        )

    def attachable(self, parts: Parts) -> tree.Word:
        """Build what cannot be attached, in the plural: ``ATTACK cards``, ``ITEMs``."""
        words = ("cards" if child == "card" else str(child) for child in parts)
        return tree.Word(" ".join(words), place=_whole_place(parts))

    def shown(self, parts: Parts) -> tree.Shown:
        return tree.Shown(parts[0], int(parts[1]), place=parts[1].place)

    def lost(self, parts: Parts) -> tree.Word:
        return tree.Word(_singular(parts), place=_whole_place(parts))

    def several(self, parts: Parts) -> Parts:
        return parts

    def discards_strategy(self, parts: Parts) -> tree.DiscardsStrategy:
        """Build `discards 1 random enemy STRATEGY in play`; `random` and side are optional."""
        parts, extent = _with_extent(parts)
        side: Any = next((str(child) for child in parts if child in ("own", "enemy")), None)
        count = next((int(child) for child in parts if child.type == "INT"), None)
        place, is_random = _number_place(parts), _has_word(parts, "random")
        return tree.DiscardsStrategy(
            count, side, is_random, extent, number_place=place, place=_whole_place(parts)
        )

    def source(self, parts: Parts) -> tree.Source:
        """Build where cards come from: `own hand`, or `the top 3 cards of own DECK`."""
        if parts[0] == "the":
            _the, _top, number, _cards, _of, side, _deck = parts
            return tree.Source(_plain(side), "DECK", int(number), place=_whole_place(parts))
        side, zone = parts
        return tree.Source(_plain(side), _plain(zone), place=_whole_place(parts))

    def duration(self, parts: Parts) -> tree.Duration:
        return tree.Duration(_DURATION_NAMES[" ".join(parts)], place=_whole_place(parts))

    # words that can be pointed at

    def stat(self, parts: Parts) -> tree.Word:
        return _word(parts)

    status = new_status = action = any_action = bonus_action = die = destination = back = stat
    scaled = changeable


def _method_for(form: Form) -> Any:
    """Return the method that makes the node of a verb's form.

    The fields of the node that hold something are filled with the numbers, names and nodes of the text, in
    its order; a field that is a ``bool`` says whether its own name is in the text (``random``).
    """
    node: Any = getattr(tree, form.node)
    annotations: dict[str, str] = node.__annotations__
    flags = [name for name in form.fields if annotations[name] == "bool"]
    fields = [name for name in form.fields if annotations[name] != "bool"]
    has_number, has_extent = issubclass(node, tree.Numbered), "extent" in annotations

    def build(self: Builder, parts: Parts) -> Any:
        values: dict[str, Any] = dict(form.fixed)
        if has_extent:
            parts, values["extent"] = _with_extent(parts)
        children = [part for part in parts if part.__class__ is not Token or part.type in ("INT", "STRING")]
        if values.get("extent") == "all":
            children.insert(0, None)
        for name, child in zip(fields, children, strict=False):  # a final `for each …` is optional
            if child is None:
                values[name] = None
            elif child.__class__ is Token:
                values[name] = int(child) if child.type == "INT" else _quoted(child)
            elif annotations[name] in _NODE_KINDS:
                values[name] = child
            else:
                values[name] = child.text or None  # an optional word that is not there is empty
        for name in flags:
            values[name] = _has_word(parts, name)
        if has_number:
            values["number_place"] = _number_place(parts)
        return node(**values, place=_whole_place(parts))

    return build


def _with_extent(parts: Parts) -> tuple[Parts, tree.Extent]:
    """Return the parts of a verb with those of ``up to 3`` or ``all`` among them, and how many that means."""
    verb, quantity, *remaining_parts = parts
    if not isinstance(quantity, list):  # no `several`, whose parts are a list
        return parts, "exactly"
    return [verb, *quantity, *remaining_parts], "all" if quantity[0] == "all" else "up to"


def _number_place(parts: Parts) -> Place:
    """Return the place of the number with its ``+``, or that of a verb that implies it (``doubles``)."""
    int_indexes = (
        index for index, child in enumerate(parts) if child.__class__ is Token and child.type == "INT"
    )
    int_index = next(int_indexes, None)
    if int_index is None:
        return place_of(parts[0])
    first = int_index - 1 if parts[int_index - 1] == "+" else int_index
    last = int_index + 1 if parts[int_index + 1 : int_index + 2] == ["+"] else int_index
    return place_of(parts[first], parts[last])


for _form in FORMS.values():
    if not hasattr(Builder, _form.rule):  # `gets` has its own methods: it may continue after `and`
        setattr(Builder, _form.rule, _method_for(_form))


@cache
def parser() -> Parser:
    """Return the parser of the effect language."""
    return Parser(tables(), Builder())
