"""Numbers that make no sense: 0, too small, too large, a maximum or threshold that limits nothing.

adds-nothing, factor-too-small, maximum-too-small, maximum-never-reached, threshold-out-of-range,
number-too-large, empty-limit and nothing-to-keep.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from toolkit.dsl import tree
from toolkit.dsl.effect_printer import print_doing, print_group, print_number
from toolkit.dsl.tree import Problem, walk
from toolkit.lint.context import Statement, quoted
from toolkit.lint.groups import why_empty
from toolkit.lint.proof.domains import MOST_IN_RANGE, Domains, Range, most_members
from toolkit.lint.proof.literals import holds_within
from toolkit.lint.proof.polynomials import Variables
from toolkit.vocabulary import RANGES, Role


def check(statement: Statement) -> Iterator[Problem]:
    """Yield what is wrong with the numbers of what a statement does, each at its place."""
    yield from _check_limits(statement)
    yield from _check_divisors(statement)
    for act in statement.acts:
        for doing in act.doings:
            if isinstance(doing, tree.Limits):
                yield from _check_limit(doing, statement)
            yield from _check_dice(doing)
            number = tree.number_of(doing)
            if number is None:
                continue
            field, value, span = number
            if field == "threshold":
                yield from _check_threshold(doing, value, span)
                continue
            yield from _check_size(doing, value, span)
            if is_nothing(doing):
                yield _adds_nothing(doing, span)
            if isinstance(doing, (tree.Gets, tree.Draws, tree.Discards)) and doing.per is not None:
                yield from _check_counted(doing.per, statement, is_nothing(doing))
            elif isinstance(doing, tree.Multiplies) and value < 2:
                yield _factor_too_small(doing.stat.text, value, span, "multiplies")
            elif isinstance(doing, tree.Divides) and value < 2:
                yield _factor_too_small(doing.stat.text, value, span, "divides")


def is_nothing(doing: tree.Doing) -> bool:
    """Whether something is done 0 times, which is a finding of its own."""
    number = tree.number_of(doing)
    return number is not None and number.field in ("amount", "count") and number.value == 0


def _adds_nothing(doing: tree.Doing, span: tree.Place) -> Problem:
    """Return the problem of a 0 that is added or taken."""
    words = print_doing(doing)
    noun = doing.what.text if isinstance(doing, tree.Gets) else words.partition("0 ")[2]
    return Problem(
        "adds-nothing",
        f"`{words}` does nothing: 0 {noun} is no change.",
        span,
        "Write a number of at least 1, or remove these words.",
    )


def _check_counted(per: tree.Per, statement: Statement, is_nothing: bool) -> Iterator[Problem]:
    """Yield what is wrong with ``for each … (max n)``."""
    number = None if is_nothing or isinstance(per.what, tree.Group) else per.what
    if number is not None and _range_of(number, statement) == (0, 0):
        words = quoted(f"for each {print_number(number)}")
        message = f"{words} counts nothing: this number is always 0."
        step = "Count something that can be more than 0, or remove these words."
        yield Problem("adds-nothing", message, number.place, step)
    if per.maximum is not None:
        yield from _check_maximum(per, per.maximum, statement)


def _range_of(number: tree.Number, statement: Statement) -> Range | None:
    variables = Variables(Domains(statement.scope, statement.context))
    polynomial = variables.polynomial(number)
    return None if polynomial is None else variables.range_of(polynomial)


def _check_maximum(per: tree.Per, maximum: int, statement: Statement) -> Iterator[Problem]:
    """Yield a `(max N)` with which nothing counts, or that is never reached."""
    if maximum < 1:
        yield Problem(
            "maximum-too-small",
            "With `max 0` nothing counts, so the amount is never given.",
            per.maximum_place,
            "Write a maximum of at least 1, or remove these words.",
        )
        return
    most = _most(per.what, statement)
    if most is not None and 0 < most < maximum:
        counted = (
            print_group(per.what, "OPERATOR") if isinstance(per.what, tree.Group) else print_number(per.what)
        )
        yield Problem(
            "maximum-never-reached",
            f"`max {maximum}` limits nothing: {quoted(f'for each {counted}')} never counts more than {most}.",
            per.maximum_place,
            "Remove the maximum" + (f", or write one below {most}." if most > 1 else "."),
        )


def _most(counted: tree.Group | tree.Number, statement: Statement) -> int | None:
    """Return how much is counted at most; None where that is not certain."""
    if isinstance(counted, tree.Group):
        if why_empty(counted, statement):
            return None  # a finding of its own
        most = most_members(counted, statement.scope, statement.context.given.fixed_range)
        # A maximum that leaves room up to all places of RANGE is a habit of writing, no mistake.
        return max(most, MOST_IN_RANGE) if counted.in_range else most
    least_and_most = _range_of(counted, statement)
    if least_and_most is None:
        return None
    _least, most = least_and_most
    return most


def _factor_too_small(stat: str, number: int, span: tree.Place, verb: str) -> Problem:
    """Return the problem of a multiplication or division by 0 or 1."""
    if number == 1:
        why = f"{stat} stays as it is"
    else:
        why = "nothing can be divided by 0" if verb == "divides" else f"{stat} would always be 0"
    step = "Write a number of at least 2, or remove these words."
    if number == 0 and verb == "multiplies":
        step = f"Write a number of at least 2; for {stat} 0, write `fixes {stat} at 0`."
    return Problem("factor-too-small", f"`{verb} {stat} by {number}` makes no sense: {why}.", span, step)


_MOST_KEPT = 9
_FACES = RANGES["D6"]


def _check_dice(doing: tree.Doing) -> Iterator[Problem]:
    """Yield what no die shows, or every die (E-25), and more dice than are kept."""
    least, greatest = _FACES
    if isinstance(doing, tree.SetsDice) and not least <= doing.result <= greatest:
        span = (doing.place[1] - len(str(doing.result)), doing.place[1])
        step = f"Write a number from {least} to {greatest}."
        yield Problem("threshold-out-of-range", f"A D6 never shows {doing.result}.", span, step)
    elif isinstance(doing, tree.KeepsDice) and doing.count > _MOST_KEPT:
        message = f"`{doing.count}` is too large: at most {_MOST_KEPT} dice are kept."
        yield Problem("number-too-large", message, doing.number_place, f"Write at most {_MOST_KEPT}.")
    elif isinstance(doing, tree.MayReroll) and doing.shown is not None:
        shown = doing.shown
        verdict = holds_within(shown.compare, shown.number, _FACES)
        words = f"`{shown.compare} {shown.number}`"
        if verdict is False:
            message = f"{words} can never hold: a D6 shows {least} to {greatest}."
            step = "Compare with a number that a D6 can show."
            yield Problem("condition-never-holds", message, shown.place, step)
        elif verdict is True:
            message = f"{words} always holds: a D6 shows {least} to {greatest}."
            yield Problem("condition-always-holds", message, shown.place, "Remove the comparison.")


_ONE_BEARER = (Role.SKILL, Role.ATTACK, Role.DEFENCE, Role.ITEM)


def check_kept_dice(statements: Sequence[Statement]) -> Iterator[Problem]:
    """Yield what keeps as many dice as can be there: one, and what this effect alone rolls more."""
    for statement in statements:
        for doing in statement.doings:
            if not isinstance(doing, tree.KeepsDice):
                continue
            most = _most_dice(doing.die, statements)
            if most is not None and doing.count >= most:
                dice = f"{most} {doing.die} D6 {'is' if most == 1 else 'are'}"
                message = f"`{print_doing(doing)}` sets nothing aside: at most {dice} rolled."
                step = f"Let it roll more, for example `rolls +{doing.count} {doing.die} D6`, or keep fewer."
                yield Problem("nothing-to-keep", message, doing.place, step)


def _most_dice(die: str, statements: Sequence[Statement]) -> int | None:
    """Return how many dice can be there; None where other effects, or this one twice, may roll more."""
    context = statements[0].context
    if context.given.extra_dice is None:
        return None
    own_extra_dice = 0
    for act in (act for statement in statements for act in statement.acts):
        rolls = [doing for doing in act.doings if isinstance(doing, tree.RollsExtra) and doing.die == die]
        if rolls and (act.duration is not None or not isinstance(act.who, tree.Ref)):
            return None  # it may be given more than once
        own_extra_dice += sum(roll.count for roll in rolls)
    others_roll_more = dict(context.given.extra_dice).get(die, 0) > own_extra_dice
    is_borne_once = context.role in _ONE_BEARER or own_extra_dice == 0
    return 1 + own_extra_dice if is_borne_once and not others_roll_more else None


_MOST_PARTS = 9


def _check_divisors(statement: Statement) -> Iterator[Problem]:
    """Yield a number by which another is not divided (E-27)."""
    for node in walk(statement.sentence):
        if not (isinstance(node, tree.Binary) and node.operator == "/"):
            continue
        divisor, span = int(print_number(node.right)), node.right.place
        if divisor < 2:
            why = "nothing can be divided by 0" if divisor == 0 else "it stays as it is"
            message = f"{quoted(print_number(node))} makes no sense: {why}."
            step = "Write a number of at least 2, or remove these words."
            yield Problem("factor-too-small", message, span, step)
        elif divisor > _MOST_PARTS:
            message = f"`/ {divisor}` is too large: a number is divided by at most {_MOST_PARTS}."
            yield Problem("number-too-large", message, span, f"Write a number of at most {_MOST_PARTS}.")


def _check_threshold(doing: tree.Doing, threshold: int, span: tree.Place) -> Iterator[Problem]:
    """Yield an X+ that a D6 always or never reaches (N-7)."""
    least, greatest = RANGES["threshold"]
    if least <= threshold <= greatest:
        return
    step = f"Write a threshold of {least}+ to {greatest}+"
    if threshold > greatest:
        message, step = f"A D6 never shows {threshold} or more.", f"{step}."
    else:
        message = f"A D6 always shows {threshold} or more, so the die decides nothing."
        if isinstance(doing, tree.MakesDiceCritical):
            step += "; for every die write `makes the attack CRITICAL`."
        elif isinstance(doing, tree.RollsDie):
            step += ", or remove the roll."
        else:
            step += "; otherwise remove the keyword."
    yield Problem("threshold-out-of-range", message, span, step)


def _check_limit(doing: tree.Limits, statement: Statement) -> Iterator[Problem]:
    """Yield a limit beyond every number in play, or one that DAMAGE fulfils anyway (E-14)."""
    if isinstance(doing.bound, tree.Constant):
        yield from _check_size(doing, doing.bound.value, doing.bound.place)
    most = _most(doing.bound, statement)
    if doing.stat.text == "DAMAGE" and doing.at_least and most is not None and most <= 0:
        message = f"`{print_doing(doing)}` does nothing: DAMAGE is never below 0 (E-14)."
        step = "Write a limit of at least 1, or remove these words."
        yield Problem("adds-nothing", message, doing.bound.place, step)


def _check_limits(statement: Statement) -> Iterator[Problem]:
    """Yield a limit that leaves no number, as the lower one of a sentence is above its upper one (E-26)."""
    if any(isinstance(clause, tree.Either) for clause in statement.sentence.clauses):
        return
    limits = [
        (act.who, doing) for act in statement.acts for doing in act.doings if isinstance(doing, tree.Limits)
    ]
    for (who, first), (other_who, second) in combinations(limits, 2):
        if who != other_who or first.stat != second.stat or first.at_least == second.at_least:
            continue
        upper, lower = (second, first) if first.at_least else (first, second)
        most_room = _most(tree.Binary("-", upper.bound, lower.bound), statement)
        if most_room is not None and most_room < 0:
            yield Problem(
                "empty-limit",
                f"No number is at least {print_number(lower.bound)} and at most {print_number(upper.bound)}: "
                "the lower limit wins, and the upper one does nothing (E-26).",
                second.place,
                "Exchange the two numbers, or remove one of the limits.",
                None,
                ((first.place, "the other limit"),),
            )


def _check_size(doing: tree.Doing, number: int, span: tree.Place) -> Iterator[Problem]:
    """Yield a number beyond every number in play."""
    _, most = RANGES["current"]
    if not -most <= number <= most:
        is_signed = ":+d}" in tree.form_of(doing).text
        number_text = f"{number:+d}" if is_signed else str(number)
        message = f"`{number_text}` is too large: no number in play is above {most}."
        yield Problem("number-too-large", message, span, f"Write a number of at most {most}.")
