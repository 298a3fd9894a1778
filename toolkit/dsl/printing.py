"""Syntax tree to canonical text: ``parse(print(tree)) == tree`` for every tree the parser can build.

The fingerprint of an effect, for ``text_for:``, is a hash of the same tree."""

from __future__ import annotations

import json
from typing import Any

from toolkit.dsl import tree
from toolkit.dsl.tree import Effect, Node, said_by
from toolkit.vocabulary import DURATIONS, TRIGGERS, VERBS

_MANY = {verb.one: verb.many for verb in VERBS}
"""The form of each verb for several OPERATORs."""


def print_effect(effect: tree.Effect) -> str:
    """The effect in canonical form, its sentences parted by one space."""
    return " ".join(print_sentence(sentence) for sentence in effect.sentences)


def print_sentence(sentence: tree.Sentence) -> str:
    """One sentence with its full stop."""
    parts = []
    if sentence.when is not None:
        parts.append(f"when {TRIGGERS[sentence.when.name].words}")
    if sentence.condition is not None:
        parts.append(f"if {print_condition(sentence.condition)}")
    first, *others = (_clause(clause) for clause in sentence.clauses)
    parts.append(", then ".join([first, *others]))
    return ", ".join(parts) + "."


def _clause(clause: tree.Clause) -> str:
    if isinstance(clause, tree.Either):
        return f"either {_clause(clause.first)} or {_clause(clause.second)}"
    many = isinstance(clause.who, tree.Every)
    text = f"{print_who(clause.who)} {_doings(clause.doings, many)}"
    return f"{text} {print_duration(clause.duration)}" if clause.duration else text


def print_duration(duration: tree.Duration) -> str:
    """The duration as it is written."""
    return DURATIONS[duration.name]


# WHO


def print_who(who: tree.Who) -> str:
    """The subject as it is written."""
    match who:
        case tree.One(group):
            return f"one {print_group(group, 'OPERATOR')}"
        case tree.Every(group):
            return f"all {print_group(group)}"
        case _:
            return who.name


def print_group(group: tree.Group, noun: str = "OPERATORs") -> str:
    """A group with its filters in the language's order."""
    parts = ["other"] if group.other else []
    parts += [group.side, noun]
    if group.team:
        parts.append(f'of TEAM "{group.team.text}"')
    if group.in_range:
        parts.append("in RANGE" + (f" of {group.in_range.of.name}" if group.in_range.of else ""))
    if group.adjacent:
        parts.append(f"adjacent to {group.adjacent.name}")
    if group.opposite:
        parts.append(f"opposite {group.opposite.name}")
    if group.trait:
        parts.append(f'with trait "{group.trait.text}"')
    if group.quantity:
        parts.append(f"with {group.quantity.quantity.text} {group.quantity.compare} {group.quantity.number}")
    if group.status:
        parts.append(f"that are {_not(group.status.negated)}{group.status.status.text}")
    return " ".join(parts)


def _not(negated: bool) -> str:
    return "not " if negated else ""


# IF


def print_condition(condition: tree.Condition) -> str:
    """A condition with no more parentheses than its meaning needs."""
    match condition:
        case tree.AnyOf(parts):
            return " or ".join(_in_parentheses(part, (tree.AnyOf,)) for part in parts)
        case tree.AllOf(parts):
            return " and ".join(_in_parentheses(part, (tree.AnyOf, tree.AllOf)) for part in parts)
        case tree.Not(part):
            return f"not {_in_parentheses(part, (tree.AnyOf, tree.AllOf))}"
        case tree.Comparison(left, compare, right):
            return f"{print_number(left)} {compare} {print_number(right)}"
        case tree.HasStatus(ref, status, negated):
            return f"{ref.name} is {_not(negated)}{status.text}"
        case tree.Stands(ref, relation, to, negated):
            joined = {"in RANGE": "in RANGE of", "adjacent": "adjacent to", "opposite": "opposite"}[relation]
            return f"{ref.name} is {_not(negated)}{joined} {to.name}"
        case tree.Bears(ref, what, name, negated):
            named = f' "{name.text}"' if name else ""
            return f"{ref.name} has {'no ' if negated else ''}{what}{named}"
        case tree.AttackIsCritical(negated):
            return f"the attack is {_not(negated)}CRITICAL"


def _in_parentheses(condition: tree.Condition, kinds: tuple[type, ...]) -> str:
    text = print_condition(condition)
    return f"({text})" if isinstance(condition, kinds) else text


def print_number(number: tree.Number) -> str:
    """A number expression with no more parentheses than its meaning needs."""
    match number:
        case tree.Constant(value):
            return str(value)
        case tree.Negative(inner):
            text = print_number(inner)
            return f"-({text})" if isinstance(inner, tree.Binary) else f"-{text}"
        case tree.Binary(operator, left, right):
            loose = operator == "*"
            return (
                f"{_operand(left, ('+', '-') if loose else ())} {operator} "
                f"{_operand(right, ('+', '-', '*') if loose else ('+', '-'))}"
            )
        case tree.QuantityOf(quantity, ref):
            return f"{quantity.text} of {ref.name}"
        case tree.NumberOf(group):
            return f"number of {print_group(group)}"
        case tree.CardsInHand(side):
            return f"number of cards in {side} hand"
        case tree.Round():
            return "ROUND"


def _operand(number: tree.Number, parenthesised: tuple[str, ...]) -> str:
    text = print_number(number)
    return f"({text})" if isinstance(number, tree.Binary) and number.operator in parenthesised else text


# DOES


def _doings(doings: tuple[tree.Doing, ...], many: bool) -> str:
    text = ""
    before: tree.Doing | None = None
    for doing in doings:
        written = _doing(doing, many)
        if isinstance(doing, tree.Gets) and isinstance(before, tree.Gets):
            written = written.partition(" ")[2]  # `gets +2 AP and +1 EP`
        text += f" and {written}" if before else written
        before = doing
    return text


def _doing(doing: tree.Doing, many: bool) -> str:
    text = print_doing(doing)
    if not many:
        return text
    verb, _, rest = text.partition(" ")
    return f"{_MANY.get(verb, verb)} {rest}"


def print_doing(doing: tree.Doing) -> str:
    """What one OPERATOR or player does, without WHO and duration."""
    form = tree.form_of(doing)
    values = {name: _value(name, getattr(doing, name)) for name in form.fields}
    return form.text.format(**values, card="card" if values.get("count") == 1 else "cards")


def _value(name: str, value: object) -> object:
    if isinstance(value, tree.Word):
        return value.text
    if isinstance(value, bool):
        return f"{name} " if value else ""
    if isinstance(value, tree.Per):
        return _per(value)
    return "" if value is None else value


def _per(per: tree.Per) -> str:
    if isinstance(per.what, tree.Group):
        counted = print_group(per.what, "OPERATOR")
    else:
        counted = print_number(per.what)
    return f" for each {counted}" + (f" (max {per.maximum})" if per.maximum is not None else "")


_DIGITS = 10


def fingerprint(effect: Effect) -> str:
    """Ten hexadecimal digits that change when the tree changes, and only then.

    Places, spaces, line ends, comments and the forms that are interchangeable (``get``/``gets``) do not
    count. It is the same in every run and version of Python. Fields that have their default value do not
    count either, so that a field added to the tree later leaves the fingerprints of today's effects alone.
    """
    import hashlib  # it loads OpenSSL, and few effects need it

    text = json.dumps(_plain(effect), ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:_DIGITS]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if not isinstance(value, Node):
        return value
    defaults = value.__struct_defaults__
    usual = dict(zip(reversed(value.__struct_fields__), reversed(defaults), strict=False))
    parts = [(name, getattr(value, name)) for name in said_by(type(value))]
    said = [[name, _plain(part)] for name, part in parts if name not in usual or part != usual[name]]
    return [type(value).__name__, *said]
