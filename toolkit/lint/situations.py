"""The smallest situation in which a condition holds, in words."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.dsl.printing import print_condition, print_number
from toolkit.dsl.tree import walk
from toolkit.lint.known import Known
from toolkit.lint.literals import literal_of
from toolkit.lint.polynomials import Terms
from toolkit.lint.proof import can_hold

_LEAVES = (tree.HasStatus, tree.Stands, tree.Bears, tree.AttackIsCritical)
_NUMBERS = (tree.QuantityOf, tree.NumberOf, tree.CardsInHand, tree.Round)


def smallest_situation(condition: tree.Condition | None, known: Known) -> str:
    """What must be so, each number as small as it can be: "`HITCOUNTER of self` is 3".

    Empty where nothing need be so.
    """
    if condition is None:
        return ""
    settled: list[tree.Condition] = [condition]
    told = [words for leaf in _leaves(condition) if (words := _asked(leaf, settled, known))]
    told += [words for number in _numbers(condition) if (words := _least(number, settled, known))]
    return " and ".join(told)


def _leaves(condition: tree.Condition) -> list[tree.Condition]:
    found = [node for node in walk(condition) if isinstance(node, _LEAVES)]
    return list(dict.fromkeys(found))


def _numbers(condition: tree.Condition) -> list[tree.Number]:
    found = [node for node in walk(condition) if isinstance(node, _NUMBERS)]
    return list(dict.fromkeys(found))


def _asked(leaf: tree.Condition, settled: list[tree.Condition], known: Known) -> str:
    """The answer to a question that cannot be left open, as words."""
    for answer in (leaf, tree.Not(leaf)):
        other = tree.Not(leaf) if answer is leaf else leaf
        if not _may_be(other, settled, known):
            settled.append(answer)
            literal = literal_of(leaf, answer is not leaf, Terms(known))
            return "" if literal is True else f"`{print_condition(answer)}`"
    return ""


def _least(number: tree.Number, settled: list[tree.Condition], known: Known) -> str:
    """The least value that is possible; the number is settled then."""
    terms = Terms(known)
    form = terms.form(number)
    low, high = terms.range_of(form) if form is not None else (0, 0)
    for value in range(low, high + 1):
        equal = tree.Comparison(number, "=", tree.Constant(value))
        if _may_be(equal, settled, known):
            settled.append(equal)
            return f"`{print_number(number)}` is {value}"
    return ""


def _may_be(condition: tree.Condition, settled: list[tree.Condition], known: Known) -> bool:
    return can_hold(tree.AllOf((*settled, condition)), Terms(known))
