"""Canonical printing of syntax trees: ``parse(print(tree)) == tree`` for every tree that the parser builds.

The fingerprint of an effect, for ``text_for:``, is a hash of the same tree."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.tree import Effect, Node, compared_fields
from toolkit.vocabulary import DURATIONS, MANY, TRIGGERS

COUNT_WORDS = {1: "one", 2: "two", 3: "three"}
"""How many OPERATORs are chosen, as it is written."""
_IT_OR_QUOTED = re.compile(r'"[^"]*"|\bit\b')


def print_effect(effect: tree.Effect) -> str:
    """Return an effect in canonical form, with one space between sentences."""
    return " ".join(print_sentence(sentence) for sentence in effect.sentences)


def print_sentence(sentence: tree.Sentence) -> str:
    """Return a sentence in canonical form, with its full stop."""
    pronouns = _Pronouns()
    opening = sentence.opening.text if sentence.opening else "when"
    text = f"once per {sentence.limit}, " if sentence.limit else ""
    if sentence.when is not None:
        text += f"{opening} {print_trigger(sentence.when)}, "
    if sentence.condition is not None:
        for word, condition in _conditions(sentence, sentence.condition):
            text += f"{word} {pronouns.with_them(print_condition(condition))}, "
    for number, clause in enumerate(sentence.clauses):
        if number > 0:
            link = sentence.link(number)
            text += f", {link}, " if link.startswith("if") else f", {link} "
        text += pronouns.clause(clause)
    return text + "."


def _conditions(sentence: tree.Sentence, condition: tree.Condition) -> Iterator[tuple[str, tree.Condition]]:
    """Yield the parts of the condition that open the sentence, each with its word, as it was written.

    An `unless` is the last part, negated in the tree; what is before it opens the sentence by itself.
    """
    opening = sentence.opening
    is_state = sentence.when is None and opening is not None and opening.text == "while"
    word = "while" if is_state else "if"
    *states, last = condition.parts if is_state and isinstance(condition, tree.AllOf) else (condition,)
    if not sentence.unless or not isinstance(last, tree.Not):
        yield word, condition
        return
    if states:
        yield word, tree.AllOf(tuple(states)) if len(states) > 1 else states[0]
    yield "unless", last.part


def print_clause(clause: tree.Clause) -> str:
    """Return a clause in canonical form, as at the beginning of a sentence."""
    return _Pronouns().clause(clause)


def print_trigger(when: tree.When) -> str:
    """Return a trigger in canonical form, without ``when``."""
    trigger = TRIGGERS[when.name]
    if when.subject is None and when.what is None:
        return trigger.words
    object_name = when.what and ("an ACTION" if when.what.text == "ACTION" else when.what.text)
    return trigger.pattern.format(subject=_subject(when.subject), what=object_name)


def _subject(subject: tree.Ref | tree.Group | None) -> str:
    """Return the subject of an event: a name, `an OPERATOR …`, or `self` if it has none."""
    if not isinstance(subject, tree.Group):
        return subject.name if subject else "self"
    group = print_group(replace(subject, other=False), "OPERATOR")
    return f"{'another' if subject.other else 'an'} {group}"


class _Pronouns:
    """Prints the clauses of a sentence, with `it` for one OPERATOR and `they` or `them` for several (E-7)."""

    def __init__(self) -> None:
        self._is_it_plural = False

    def clause(self, clause: tree.Clause) -> str:
        """Return a clause as it is written; after a choice of several OPERATORs `it` becomes `they`."""
        if isinstance(clause, tree.Either):
            return f"either {self.clause(clause.first)} or {self.clause(clause.second)}"
        acting = clause.who
        is_it = isinstance(acting, tree.Ref) and acting.name == "it"
        if is_it:
            is_plural = self._is_it_plural
        elif isinstance(acting, tree.One):
            is_plural = acting.count > 1 or acting.up_to
        else:
            is_plural = isinstance(acting, tree.Every)
        subject = "they" if is_it and is_plural else self.with_them(print_who(acting))
        if isinstance(acting, tree.One):  # from here on `it` means who is chosen
            self._is_it_plural = is_plural
        may = " may" if clause.may else ""
        predicate = self.with_them(f"{may} {_doings(clause.doings, is_plural or clause.may)}")
        for doing in clause.doings:
            if isinstance(doing, tree.WithPartner) and isinstance(doing.partner, tree.One):
                self._is_it_plural = False  # from here on `it` means the partner
        duration = f" {print_duration(clause.duration)}" if clause.duration else ""
        return f"{subject}{predicate}{duration}"

    def with_them(self, text: str) -> str:
        """Return a text with ``them`` for ``it`` if that means several, except within quotes."""
        if not self._is_it_plural:
            return text
        return _IT_OR_QUOTED.sub(lambda match: "them" if match[0] == "it" else match[0], text)


def print_duration(duration: tree.Duration) -> str:
    """Return a duration in canonical form."""
    return DURATIONS[duration.name]


# WHO


def print_who(acting: tree.Who) -> str:
    """Return a subject in canonical form."""
    match acting:
        case tree.One(group, count, up_to, random, chooser):
            noun = "OPERATOR" if count == 1 else "OPERATORs"
            chosen = f"{'up to ' * up_to}{COUNT_WORDS[count]} {'random ' * random}"
            return chosen + print_group(group, noun) + (f" chosen by {chooser}" if chooser else "")
        case tree.Every(group):
            return f"all {print_group(group)}"
        case _:
            return acting.name


def print_group(group: tree.Group, noun: str = "OPERATORs") -> str:
    """Return a group in canonical form, with its filters in the language's order."""
    parts = ["other"] if group.other else []
    if group.side != "any":
        parts.append(group.side)
    adjective = group.status if "adjective" in group.order and "status" not in group.order else None
    if adjective:
        parts.append(adjective.status.text)
    parts.append(noun)
    if group.team:
        parts.append(f'of TEAM "{group.team.text}"')
    if group.team_of:
        parts.append(f"of TEAM of {group.team_of.name}")
    if group.in_range:
        parts.append("in RANGE" + (f" of {group.in_range.of.name}" if group.in_range.of else ""))
    if group.savezone:
        parts.append("in the SAVEZONE")
    if group.adjacent:
        parts.append(f"adjacent to {group.adjacent.name}")
    if group.opposite:
        parts.append(f"opposite {group.opposite.name}")
    parts += [_with(having) for having in group.withs]
    if group.status and not adjective:
        be = "is" if noun == "OPERATOR" else "are"
        words = [group.status.status.text, *(word.text for word in group.status.others)]
        status_text = _either(words) if group.status.others else _not(group.status.negated) + words[0]
        parts.append(f"that {be} {status_text}")
    if group.superlative:
        most = "highest" if group.superlative.highest else "lowest"
        parts.append(f"with the {most} {group.superlative.quantity.text}")
    return " ".join(parts)


def _with(having: tree.QuantityFilter | tree.BearingFilter) -> str:
    """Return `with …` of a filter."""
    if isinstance(having, tree.BearingFilter):
        words = [_bearing(bearing.what, bearing.name) for bearing in having.bearings]
        return f"with {_either(words) if len(words) > 1 else 'no ' * having.negated + words[0]}"
    than = print_number(having.than) if having.than else having.number
    return f"with {having.quantity.text} {having.compare} {than}"


def _either(words: list[str]) -> str:
    return f"either {', '.join(words[:-1])} or {words[-1]}"


def _bearing(borne_kind: str, name: tree.Word | None) -> str:
    return f'{borne_kind} "{name.text}"' if name else borne_kind


def _not(negated: bool) -> str:
    return "not " if negated else ""


# IF


def print_condition(condition: tree.Condition) -> str:
    """Return a condition in canonical form, with no redundant parentheses."""
    match condition:
        case tree.AnyOf(parts):
            return " or ".join(_in_parentheses(nested_condition, (tree.AnyOf,)) for nested_condition in parts)
        case tree.AllOf(parts):
            return " and ".join(
                _in_parentheses(nested_condition, (tree.AnyOf, tree.AllOf)) for nested_condition in parts
            )
        case tree.Not(nested_condition):
            return f"not {_in_parentheses(nested_condition, (tree.AnyOf, tree.AllOf))}"
        case tree.Comparison(left, compare, right):
            return f"{print_number(left)} {compare} {print_number(right)}"
        case tree.HasStatus(ref, status, negated):
            return f"{ref.name} is {_not(negated)}{status.text}"
        case tree.Stands(ref, relation, to, negated):
            joined = {"in RANGE": "in RANGE of", "adjacent": "adjacent to", "opposite": "opposite"}[relation]
            return f"{ref.name} is {_not(negated)}{joined} {to.name}"
        case tree.Bears(ref, what, name, negated):
            return f"{ref.name} has {'no ' if negated else ''}{_bearing(what, name)}"
        case tree.HasReached(ref, negated):
            return f"{ref.name} has {_not(negated)}REACHED the OBJECTIVE"
        case tree.HasTeamOf(ref, of, negated):
            return f"{ref.name} has {_not(negated)}TEAM of {of.name}"
        case tree.HasPerformed(ref, action, negated):
            return f"{ref.name} has {_not(negated)}performed {action} this TURN"
        case tree.TurnIs(side, negated):
            return f"the TURN is {_not(negated)}{side}"
        case tree.AttackIsCritical(negated):
            return f"the attack is {_not(negated)}CRITICAL"


def _in_parentheses(condition: tree.Condition, kinds: tuple[type, ...]) -> str:
    text = print_condition(condition)
    return f"({text})" if isinstance(condition, kinds) else text


def print_number(number: tree.Number) -> str:
    """Return a number expression in canonical form, with no redundant parentheses."""
    match number:
        case tree.Constant(value):
            return str(value)
        case tree.Negative(inner):
            text = print_number(inner)
            return f"-({text})" if isinstance(inner, tree.Binary) else f"-{text}"
        case tree.Binary(operator, left, right):
            # operators are left-associative, so the right operand also needs them for its own precedence
            is_product = operator in ("*", "/")
            left_text = _operand(left, ("+", "-") if is_product else ())
            right_text = _operand(right, ("+", "-", "*", "/") if is_product else ("+", "-"))
            return f"{left_text} {operator} {right_text}"
        case tree.QuantityOf(quantity, ref):
            return f"{quantity.text} of {ref.name}"
        case tree.NumberOf(group):
            return f"number of {print_group(group)}"
        case tree.MarkerOfPlayer(quantity, player):
            return f"{quantity.text} of {player.name}"
        case tree.CardsInHand() | tree.NumberOfCards():
            return f"number of {_cards_in(number, 'cards')}"
        case tree.Captured(player):
            return f"number of OBJECTIVEs CAPTURED by {player.name}"
        case tree.Discarded():
            return "discarded card"
        case tree.Damage():
            return "DAMAGE"
        case tree.Round():
            return "ROUND"


def _cards_in(number: tree.CardsInHand | tree.NumberOfCards, cards: str) -> str:
    if isinstance(number, tree.CardsInHand):
        return f"{cards} in {number.side} hand"
    kind = f"{number.kind} " if number.kind else ""
    return f"{kind}{cards} in {number.side} {number.zone}"


def _operand(number: tree.Number, parenthesised: tuple[str, ...]) -> str:
    text = print_number(number)
    return f"({text})" if isinstance(number, tree.Binary) and number.operator in parenthesised else text


# DOES


def _doings(doings: tuple[tree.Doing, ...], many: bool) -> str:
    """Return what is done, joined with `and`; several `gets` have one verb: `gets +2 AP and +1 EP`."""
    printed_doings: list[str] = []
    doing_before: tree.Doing | None = None
    for doing in doings:
        printed = _doing(doing, many)
        if isinstance(doing, tree.Gets) and isinstance(doing_before, tree.Gets):
            _gets, _, printed = printed.partition(" ")
        printed_doings.append(printed)
        doing_before = doing
    return " and ".join(printed_doings)


def _doing(doing: tree.Doing, many: bool) -> str:
    """Return what is done, with the verb in the plural for ``many``."""
    text = print_doing(doing)
    if not many:
        return text
    verb, _, complement = text.partition(" ")
    return f"{MANY.get(verb, verb)} {complement}".rstrip()


def print_doing(doing: tree.Doing) -> str:
    """Return what one OPERATOR or player does in canonical form, without subject and duration."""
    form = tree.form_of(doing)
    values = {name: _value(name, getattr(doing, name)) for name in form.fields}
    is_single = values.get("count") == 1
    extent = getattr(doing, "extent", "exactly")
    if extent != "exactly":
        values["count"] = f"{extent} {values['count']}".rstrip()  # `all` has no number
    text = form.text.format(**values, card="card" if is_single else "cards")
    if isinstance(doing, tree.SetsDice) and doing.optional:
        return f"may {text.replace('sets', 'set', 1)}"
    return text.replace(" 1 ITEMs", " 1 ITEM")


def _value(name: str, value: object) -> object:
    """Return a field of a verb as its form prints it; an optional word comes with its space, or is empty."""
    if isinstance(value, tree.Word):
        return value.text
    if isinstance(value, bool):
        return f"{name} " if value else ""
    if isinstance(value, tree.Per):
        return _per(value)
    if isinstance(value, (tree.Ref, tree.One)):
        return print_who(value)
    if isinstance(value, tree.Number):
        return print_number(value)
    if isinstance(value, tree.Shown):
        return f" {value.compare} {value.number}"
    if isinstance(value, tree.Source):
        top = f"the top {value.top} {'card' if value.top == 1 else 'cards'} of " if value.top else ""
        return f"{top}{value.side} {value.zone}"
    if name in ("kind", "side"):
        return f"{value} " if value else ""
    return "" if value is None else value


def _per(per: tree.Per) -> str:
    """Return `for each …` with its maximum."""
    if isinstance(per.what, tree.Group):
        counted = print_group(per.what, "OPERATOR")
    elif isinstance(per.what, (tree.CardsInHand, tree.NumberOfCards)):
        counted = _cards_in(per.what, "card")
    elif isinstance(per.what, tree.Captured):
        counted = f"OBJECTIVE CAPTURED by {per.what.player.name}"
    else:
        counted = print_number(per.what)
    return f" for each {counted}" + (f" (max {per.maximum})" if per.maximum is not None else "")


_DIGITS = 10


def fingerprint(effect: Effect) -> str:
    """Return ten hexadecimal digits that change if and only if the tree changes.

    Places, spaces, line ends, comments and equivalent forms (``get``/``gets``) do not matter. It is the same
    in every run and version of Python. Fields with their default value are left out, so that a field added to
    the tree later does not change the fingerprints in people's files.
    """
    text = json.dumps(_as_data(effect), ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:_DIGITS]


def _as_data(value: Any) -> Any:
    """Return a part of a tree as lists: the name of a node, then the fields that are not as by default."""
    if isinstance(value, tuple):
        return [_as_data(item) for item in value]
    if not isinstance(value, Node):
        return value
    # defaults belong to the last fields
    defaults = dict(zip(reversed(value.__struct_fields__), reversed(value.__struct_defaults__), strict=False))
    fields = []
    for name in compared_fields(type(value)):
        field_value = getattr(value, name)
        if name not in defaults or field_value != defaults[name]:
            fields.append([name, _as_data(field_value)])
    # names of classes and fields are hashed, too: renaming one would change fingerprints in people's files
    return [type(value).__name__, *fields]
