"""condition-never-holds and condition-always-holds: a condition that cannot decide anything.

Proven over the ranges of the game, for the smallest part of the condition: of several parts that only
together contradict each other the second is named, and the first is shown with it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Literal

from toolkit.dsl import tree
from toolkit.dsl.effect_printer import print_condition
from toolkit.dsl.tree import Problem
from toolkit.lint.context import EffectContext, Statement, quoted
from toolkit.lint.groups import filter_verdict, range_of
from toolkit.lint.proof.domains import MOST_ON_A_SIDE, Domains
from toolkit.lint.proof.literals import Bound, decided, literal_of
from toolkit.lint.proof.polynomials import CONSTANT, Polynomial, Variables
from toolkit.lint.proof.satisfiability import can_hold
from toolkit.vocabulary import COUNTERS, RANGES

Verdict = Literal["never", "always"]

_NEVER_STEP = "Use a condition that can hold, or remove it together with what depends on it."
_ALWAYS_STEP = "Remove the condition, or use one that can also be false."


def check(statement: Statement) -> Iterator[Problem]:
    """The certain parts of the condition, and certain ``with …`` filters and ``other`` of GROUPs."""
    for group in statement.groups:
        if group.other and group.side == "enemy" and "self" in statement.scope.sides:
            message = "`other` excludes nobody: it only excludes `self`, which is not an enemy OPERATOR."
            span = (group.place[0], group.place[0] + len("other"))
            yield Problem("condition-always-holds", message, span, "Take `other` away.")
        for group_filter in group.withs:
            if isinstance(group_filter, tree.QuantityFilter):
                yield from _quantity_filter(group_filter, group, statement.context)
    condition = statement.sentence.condition
    if condition is not None:
        yield from _examine(condition, Variables(Domains(statement.scope, statement.context)))


def _quantity_filter(
    quantity_filter: tree.QuantityFilter, group: tree.Group, context: EffectContext
) -> Iterator[Problem]:
    """A ``with …`` filter that holds for everybody or for nobody."""
    verdict = filter_verdict(quantity_filter, group, context)
    if verdict is None:
        return
    words = f"with {quantity_filter.quantity.text} {quantity_filter.compare} {quantity_filter.number}"
    why = _quantity_reason(quantity_filter.quantity, context)
    if verdict:
        message, step = f"`{words}` excludes nobody: {why}.", "Remove it, or compare with another number."
        yield Problem("condition-always-holds", message, quantity_filter.place, step)
    else:
        message, step = f"`{words}` excludes everybody: {why}.", "Compare with a number that can be reached."
        yield Problem("condition-never-holds", message, quantity_filter.place, step)


def _examine(condition: tree.Condition, variables: Variables) -> list[Problem]:
    """Return the problems of the parts, and of the whole only if none of the parts is certain."""
    inner, negated = condition, False
    while isinstance(inner, tree.Not):
        inner, negated = inner.part, not negated
    if not isinstance(inner, (tree.AllOf, tree.AnyOf)):
        return _examine_leaf(condition, inner, negated, variables)
    problems = [problem for inner_part in inner.parts for problem in _examine(inner_part, variables)]
    if problems:
        return problems
    if isinstance(condition, tree.Not):
        never, always = "what follows `not` always holds", "what follows `not` never holds"
        return _decided(condition, variables, never, always)
    if isinstance(inner, tree.AllOf):
        return [] if can_hold(inner, variables) else [_clash(inner.parts, variables, "never")]
    return [] if can_hold(inner, variables, negated=True) else [_clash(inner.parts, variables, "always")]


def _examine_leaf(
    condition: tree.Condition, leaf: tree.Condition, negated: bool, variables: Variables
) -> list[Problem]:
    """Examine a condition without parts; ``leaf`` is what stands behind its ``not``."""
    literal = literal_of(leaf, negated, variables)
    answer = None if literal is None else decided(literal, variables)
    if answer is not None:
        return [_certain(condition, _reason(leaf, variables), "always" if answer else "never")]
    if isinstance(literal, Bound):
        never, always = "no possible numbers make it true", "all possible numbers make it true"
        return _decided(condition, variables, never, always)
    return []


def _decided(condition: tree.Condition, variables: Variables, never: str, always: str) -> list[Problem]:
    """Report a condition that cannot hold, or cannot fail, with the reason for each."""
    if not can_hold(condition, variables):
        return [_certain(condition, never, "never")]
    if not can_hold(condition, variables, negated=True):
        return [_certain(condition, always, "always")]
    return []


def _certain(condition: tree.Condition, why: str, verdict: Verdict) -> Problem:
    """Return the problem of a condition that never or always holds."""
    words = quoted(print_condition(condition))
    if verdict == "never":
        message = f"{words} can never hold: {why}."
        return Problem("condition-never-holds", message, condition.place, _NEVER_STEP)
    message = f"{words} always holds: {why}."
    return Problem("condition-always-holds", message, condition.place, _ALWAYS_STEP)


def _clash(parts: tuple[tree.Condition, ...], variables: Variables, verdict: Verdict) -> Problem:
    """Report parts that are certain only together: at the one that makes them so, with the earlier one."""
    never = verdict == "never"

    def is_clash(conditions_here: tuple[tree.Condition, ...]) -> bool:
        whole = tree.AllOf(conditions_here) if never else tree.AnyOf(conditions_here)
        return not can_hold(whole, variables, negated=not never)

    # more parts of an `and` exclude more, more parts of an `or` admit more: once certain, always certain, so
    # the shortest certain beginning can be bisected
    # (and the whole is certain, even where no steps are left to prove it again)
    indexes = range(len(parts) - 1)
    last_index = bisect_left(indexes, True, lo=1, key=lambda index: is_clash(parts[: index + 1]))
    parts_before, second = parts[:last_index], parts[last_index]
    first = next((part_before for part_before in parts_before if is_clash((part_before, second))), None)
    span = first.place if first else (parts_before[0].place[0], parts_before[-1].place[1])
    second_text = quoted(print_condition(second))
    words = quoted(print_condition(first)) if first else "what is before it"
    why = _pair_reason(first, second) if first and never else ""
    if never:
        message = f"{second_text} can never hold together with {words}{why}."
        related = ((span, "this contradicts it"),)
        return Problem("condition-never-holds", message, second.place, _NEVER_STEP, None, related)
    message = f"{second_text} or {words}: one of them always holds."
    related = ((span, "this holds where the other does not"),)
    return Problem("condition-always-holds", message, second.place, _ALWAYS_STEP, None, related)


# why a condition is certain


def _quantity_reason(word: tree.Word, context: EffectContext) -> str:
    """Return the range of a QUANTITY as a sentence: "a VALUE is 0 to 20"."""
    quantity, (low, high) = word.text, range_of(word, context)
    if isinstance(word, tree.Marker):
        return f"`{quantity}` is {low} to {high}"
    if quantity.endswith(" VALUE"):
        return f"a VALUE is {low} to {high}"
    if quantity in RANGES:
        return f"{quantity} {'are' if quantity == 'SQUADPOINTS' else 'is'} {low} to {high}"
    sort = "a counter" if quantity in COUNTERS else "a current number"
    return f"{sort} is {low} to {high}"


def _reason(leaf: tree.Condition, variables: Variables) -> str:
    """Return why a condition without parts is certain."""
    domains, bearer = variables.domains, variables.domains.context.bearer
    match leaf:
        case tree.Comparison():
            return _comparison_reason(leaf, variables)
        case tree.HasStatus():
            if domains.scope.attack and not domains.scope.event:
                return "HIT and OUT OPERATORs take no part in an attack"
            return f"while `{leaf.ref.name}` is HIT or OUT, what it bears has no effect"
        case tree.Stands():
            return _relation_reason(leaf, domains)
        case tree.Bears(what="TEAM") if bearer is not None:
            return f"`{bearer.id}` belongs to the TEAM `{bearer.team}`"
        case tree.Bears(what="trait", name=tree.Word(trait)) if bearer is not None:
            return f"`{bearer.id}` {'has' if trait in bearer.traits else 'does not have'} the trait `{trait}`"
        case tree.Bears(what="KEYWORD", name=tree.Word(keyword)):
            return _keyword_reason(leaf.ref.name, keyword, domains)
        case tree.HasTeamOf():
            return "both are the same OPERATOR"
        case tree.TurnIs():
            trigger = domains.scope.trigger
            return f"the sentence waits for `{trigger.words}`" if trigger else "a TURN is own or enemy"
        case tree.Bears():
            return f"`{leaf.ref.name}` bears this very card, and never more than one"
        case _:
            trigger = domains.scope.trigger
            no_dice = trigger is not None and trigger.precedes_dice
            return "no D6 was rolled yet" if no_dice else "the sentence waits for a CRITICAL attack"


def _keyword_reason(ref: str, keyword: str, domains: Domains) -> str:
    """Return why it is certain whether an OPERATOR has a KEYWORD."""
    bearer = domains.context.bearer
    if bearer is None or not domains.is_bearer(domains.name(ref)):
        return f"no OPERATOR has the KEYWORD `{keyword}`, and no effect gives it"
    if keyword in bearer.keywords:
        return f"`{bearer.id}` has the KEYWORD `{keyword}`"
    return f"`{bearer.id}` does not have the KEYWORD `{keyword}`, and no effect gives it"


def _pair_reason(first: tree.Condition, second: tree.Condition) -> str:
    """Return the rule that two conditions break together, after a colon; empty for plain arithmetic."""
    match first, second:
        case tree.HasStatus(), tree.HasStatus():
            return ": an OPERATOR is one of NORMAL, EXHAUSTED, HIT and OUT at a time"
        case (tree.Bears(what="TEAM"), tree.Bears(what="TEAM")) if not (first.negated or second.negated):
            return ": an OPERATOR belongs to one TEAM"
        case (tree.Bears(), tree.Bears()) if not (first.name or second.name):
            return ": an OPERATOR never has more than one card attached"
        case (tree.Stands(), tree.HasStatus()) | (tree.HasStatus(), tree.Stands()):
            return ": HIT and OUT OPERATORs are in nobody's RANGE"
        case tree.Stands(), tree.Stands():
            are_different = first.relation != second.relation
            return ": an adjacent or opposite OPERATOR is in RANGE" if are_different else ""
        case _:
            return ""


def _comparison_reason(leaf: tree.Comparison, variables: Variables) -> str:
    """Return why a comparison is certain: what is left of both sides, or the range of each."""
    left, right = variables.polynomial(leaf.left), variables.polynomial(leaf.right)
    if left is None or right is None:
        return "its two sides are certain"
    difference = {product: left.get(product, 0) - right.get(product, 0) for product in {**left, **right}}
    if not any(times for product, times in difference.items() if product != CONSTANT):
        constant = difference.get(CONSTANT, 0)
        if constant == 0:
            return "both sides are always equal"
        direction = "greater" if constant > 0 else "smaller"
        return f"the left side is always {abs(constant)} {direction} than the right side"
    variable_left, variable_right = set(left) - {CONSTANT}, set(right) - {CONSTANT}
    if variable_left & variable_right:
        low, high = variables.range_of(difference)
        return f"the left side minus the right side is always {low} to {high}"
    if not variable_right and not isinstance(leaf.left, tree.Binary):
        return _number_reason(leaf.left, left, variables)
    if not variable_left and not isinstance(leaf.right, tree.Binary):
        return _number_reason(leaf.right, right, variables)
    if variable_left or variable_right:
        return f"the left side is {_span(left, variables)}, the right side {_span(right, variables)}"
    return "its two sides are certain"


def _span(polynomial: Polynomial, variables: Variables) -> str:
    low, high = variables.range_of(polynomial)
    return str(low) if low == high else f"{low} to {high}"


def _number_reason(number: tree.Number, polynomial: Polynomial, variables: Variables) -> str:
    """Return the range of a number, with the rule that gives it."""
    match number:
        case tree.QuantityOf(quantity):
            bearer = variables.domains.context.bearer
            low, high = variables.range_of(polynomial)
            if bearer is not None and low == high:
                return f"the {quantity.text} printed on `{bearer.id}` is {low}"
            return _quantity_reason(quantity, variables.domains.context)
        case tree.MarkerOfPlayer(quantity):
            return _quantity_reason(quantity, variables.domains.context)
        case tree.NumberOf():
            least, most = variables.range_of(polynomial)
            if least:
                return f"the OPERATORs of this sentence are among them, so it is {least} to {most}"
            if most >= MOST_ON_A_SIDE - 1 and not number.group.savezone:
                return f"a side has at most {MOST_ON_A_SIDE} FIELDPOSITIONs, so it is 0 to {most}"
            if number.group.savezone:
                return f"a squad has no more OPERATORs, so it is {least} to {most}"
            return f"by their positions there are 0 to {most} of them"
        case tree.CardsInHand() | tree.NumberOfCards():
            return f"a number of cards is {_span(polynomial, variables)}"
        case tree.Damage():
            return "DAMAGE is never below 0"
        case tree.Round():
            return f"ROUND is {_span(polynomial, variables)}"
        case _:
            return f"this number is always {_span(polynomial, variables)}"


def _relation_reason(leaf: tree.Stands, domains: Domains) -> str:
    """Return why it is certain how two OPERATORs stand to each other."""
    first, second = domains.name(leaf.ref.name), domains.name(leaf.to.name)
    if first == second:
        reason = "" if leaf.ref.name == leaf.to.name else f"`{leaf.ref.name}` is `{leaf.to.name}` here, and "
        words = {"in RANGE": "in RANGE of", "adjacent": "adjacent to", "opposite": "opposite"}[leaf.relation]
        return f"{reason}an OPERATOR is never {words} itself"
    if leaf.relation == "in RANGE":
        return "the attacked OPERATOR is in RANGE of the attacker"
    sides = domains.scope.sides
    if leaf.relation == "adjacent" and sides.get(first) != sides.get(second):
        return f"`{leaf.ref.name}` and `{leaf.to.name}` are on different sides, and adjacent is one's own row"
    return f"`{leaf.ref.name}` and `{leaf.to.name}` are on the same side, and opposite is the other row"
