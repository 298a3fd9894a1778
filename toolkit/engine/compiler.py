"""Conditions, numbers, groups and verbs compiled to callables: one small function for each node of the tree.

A compiled node is called with a ``Context`` and reads the state through it. A condition's node also says why
it is false (``Test.facts``). No text of a card is executed: closures are put together from those of this
module.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.dsl.printing import print_condition, print_number
from toolkit.engine.state import UP, GameState, OperatorState, Side, adjacent, in_range, opposite, other
from toolkit.vocabulary import STATS

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

_KIND_OF_CARD = {"ATTACK card": "attack", "DEFENCE card": "defence", "ITEM": "item"}


class Facts(Struct, frozen=True, eq=False):
    """What is printed on a card. ``values`` are the four VALUEs by stat (N-1)."""

    id: str
    kind: str
    team: str | None
    traits: frozenset[str]
    values: dict[str, int]
    squadpoints: int


class Reader(Protocol):
    """Where a context reads."""

    @property
    def state(self) -> GameState:
        """The state."""

    @property
    def facts(self) -> Sequence[Facts]:
        """The cards of the OPERATORs, by key."""

    @property
    def cards(self) -> Mapping[str, Facts]:
        """All cards by id."""

    @property
    def suppressed(self) -> Sequence[Test | None]:
        """The conditions of SUPPRESSION, one of which must hold (M-1); None always does."""

    def number(self, who: OperatorState, stat: str) -> int:
        """Return the number of an OPERATOR as it is read: never below the floor (N-5)."""


class Context(Struct, gc=False):
    """From where an effect is read: its controller, and the OPERATORs that it may name; None where there is
    none.

    ``critical`` says whether the attack is CRITICAL (M-7). ``within_suppression`` is set while the condition
    of SUPPRESSION itself is read: there nobody counts as SUPPRESSED, so that it cannot ask for itself.
    """

    reader: Reader
    controller: Side
    self: OperatorState | None = None
    target: OperatorState | None = None
    attacker: OperatorState | None = None
    attacked: OperatorState | None = None
    critical: bool = False
    within_suppression: bool = False


Number = Callable[[Context], int]
Refer = Callable[[Context], "OperatorState | None"]
Belongs = Callable[[OperatorState, Context], bool]


class Test(Struct, frozen=True, eq=False):
    """A compiled condition.

    ``holds`` says whether it does: an OPERATOR that does not exist is nothing of what is asked about it, and
    does not become so by a `not`. ``facts`` says in words what is so, of a condition that is ``wanted`` (true
    under a `not`).
    """

    __test__ = False  # pytest takes classes of this name for tests
    holds: Callable[[Context], bool]
    facts: Callable[[Context, bool], str]

    def why_false(self, context: Context) -> str:
        """Return ``its condition is false: HITCOUNTER of target is 0``."""
        return f"its condition is false: {self.facts(context, False)}"


# Conditions


def compile_condition(condition: tree.Condition) -> Test:
    """Compile a condition."""
    match condition:
        case tree.Comparison():
            return _comparison(condition)
        case tree.AllOf(parts):
            return _several(parts, every=True)
        case tree.AnyOf(parts):
            return _several(parts, every=False)
        case tree.Not(part):
            inner = compile_condition(part)
            holds, facts = inner.holds, inner.facts
            return Test(lambda c: not holds(c), lambda c, wanted: facts(c, not wanted))
        case tree.HasStatus(ref, status, negated):
            return _fact(condition, ref, _has_status(status.text), negated)
        case tree.Stands(ref, relation, to, negated):
            return _fact(condition, ref, _stands(relation, to), negated)
        case tree.Bears(ref, _, _, negated):
            return _fact(condition, ref, _bears(condition), negated)
        case tree.AttackIsCritical(negated):
            return Test(lambda c: c.critical != negated, _saying(condition))


_Fact = tree.HasStatus | tree.Stands | tree.Bears | tree.AttackIsCritical


def _comparison(condition: tree.Comparison) -> Test:
    left, right = compile_number(condition.left), compile_number(condition.right)
    compare = COMPARE[condition.compare]
    if isinstance(condition.right, tree.Constant):
        fixed = condition.right.value
        holds: Callable[[Context], bool] = lambda c: compare(left(c), fixed)  # noqa: E731 (one call less)
    else:
        holds = lambda c: compare(left(c), right(c))  # noqa: E731
    sides = [
        (number, read)
        for number, read in ((condition.left, left), (condition.right, right))
        if not isinstance(number, tree.Constant)
    ]

    def facts(context: Context, _wanted: bool) -> str:
        measured = [f"{print_number(number)} is {read(context)}" for number, read in sides]
        return " and ".join(measured) or print_condition(condition)

    return Test(holds, facts)


def _several(conditions: Sequence[tree.Condition], every: bool) -> Test:
    """`and` and `or`; of a false `and` the first part that is false says why."""
    parts = [compile_condition(part) for part in conditions]
    tests = [part.holds for part in parts]

    def all_hold(context: Context) -> bool:
        for holds in tests:  # noqa: SIM110 (half the time of a generator)
            if not holds(context):
                return False
        return True

    def any_holds(context: Context) -> bool:
        for holds in tests:  # noqa: SIM110 (the same)
            if holds(context):
                return True
        return False

    def facts(context: Context, wanted: bool) -> str:
        deciding = [part for part in parts if part.holds(context) == wanted] or parts
        if every and not wanted:
            deciding = deciding[:1]
        return ", ".join(part.facts(context, wanted) for part in deciding)

    return Test(all_hold if every else any_holds, facts)


def _fact(condition: _Fact, ref: tree.Ref, is_so: Belongs, negated: bool) -> Test:
    """A fact of one OPERATOR, or that it is not so; either is false where there is no such OPERATOR."""
    refer = refer_to(ref.name)

    def holds(context: Context) -> bool:
        who = refer(context)
        return who is not None and is_so(who, context) != negated

    return Test(holds, _saying(condition))


def _saying(condition: _Fact) -> Callable[[Context, bool], str]:
    """The fact as the language says it, or its opposite."""

    def facts(_context: Context, wanted: bool) -> str:
        return print_condition(condition if wanted else _turned(condition))

    return facts


def _turned(condition: _Fact) -> tree.Condition:
    match condition:
        case tree.HasStatus(ref, status, negated):
            return tree.HasStatus(ref, status, not negated)
        case tree.Stands(ref, relation, to, negated):
            return tree.Stands(ref, relation, to, not negated)
        case tree.Bears(ref, what, name, negated):
            return tree.Bears(ref, what, name, not negated)
        case tree.AttackIsCritical(negated):
            return tree.AttackIsCritical(not negated)


def _has_status(status: str) -> Belongs:
    """C-2, and SUPPRESSED: a condition of the ruleset's SUPPRESSION holds for it (M-1)."""
    if status == "SUPPRESSED":
        return is_suppressed
    return lambda who, _: who.status == status


def is_suppressed(who: OperatorState, context: Context) -> bool:
    """Whether a condition of SUPPRESSION holds for an OPERATOR, on the numbers that count in this context."""
    if context.within_suppression:
        return False
    one, two = context.attacker, context.attacked
    facing = two if who is one else one if who is two else None
    within = Context(context.reader, who.side, who, facing, one, two, context.critical, True)
    return any(test is None or test.holds(within) for test in context.reader.suppressed)


def _stands(relation: str, to: tree.Ref) -> Belongs:
    refer = refer_to(to.name)
    stands = {"in RANGE": in_range, "adjacent": adjacent, "opposite": opposite}[relation]

    def is_so(who: OperatorState, context: Context) -> bool:
        there = refer(context)
        return there is not None and stands(who, there)

    return is_so


def _bears(condition: tree.Bears) -> Belongs:
    what = condition.what
    if condition.name is not None:
        name = condition.name.text
        if what == "TEAM":
            return lambda who, c: c.reader.facts[who.key].team == name
        return lambda who, c: name in c.reader.facts[who.key].traits
    if what == "card":
        return lambda who, _: who.attached is not None
    kind = _KIND_OF_CARD[what]
    return lambda who, c: who.attached is not None and c.reader.cards[who.attached].kind == kind


# Numbers


def refer_to(name: str) -> Refer:
    """Compile ``self``, ``target``, ``attacker`` or ``attacked``."""
    found: Refer = operator.attrgetter(name)
    return found


def compile_number(number: tree.Number) -> Number:
    """Compile a number; a quantity of an OPERATOR that does not exist is 0."""
    match number:
        case tree.Constant(value):
            return lambda _: value
        case tree.QuantityOf(quantity, ref):
            refer, measure = refer_to(ref.name), compile_quantity(quantity.text)
            if quantity.text in STATS:
                stat = quantity.text

                def number_of_one(context: Context) -> int:
                    who = refer(context)
                    return 0 if who is None else context.reader.number(who, stat)

                return number_of_one

            def of_one(context: Context) -> int:
                who = refer(context)
                return 0 if who is None else measure(who, context)

            return of_one
        case tree.Binary(sign, left, right):
            one, two = compile_number(left), compile_number(right)
            combine = {"+": operator.add, "-": operator.sub, "*": operator.mul}[sign]
            return lambda c: combine(one(c), two(c))
        case tree.Negative(inner):
            positive = compile_number(inner)
            return lambda c: -positive(c)
        case tree.NumberOf(group):
            members = compile_group(group).members
            return lambda c: len(members(c))
        case tree.CardsInHand(side):
            if side == "own":
                return lambda c: len(c.reader.state.player(c.controller).hand)
            return lambda c: len(c.reader.state.player(other(c.controller)).hand)
        case tree.Round():
            return lambda c: c.reader.state.round


def compile_quantity(quantity: str) -> Callable[[OperatorState, Context], int]:
    """Compile a QUANTITY: a stat's current number or VALUE (N-1), a counter, or a fact."""
    if quantity == "HITCOUNTER":
        return lambda who, _: who.hitcounter
    if quantity == "OBJECTIVECOUNTER":
        return lambda who, _: who.objectivecounter
    if quantity == "SQUADPOINTS":
        return lambda who, c: c.reader.facts[who.key].squadpoints
    if quantity == "FIELDPOSITION":
        return lambda who, _: 0 if who.position is None else who.position + 1
    if quantity.endswith(" VALUE"):
        stat = quantity[:2]
        return lambda who, c: c.reader.facts[who.key].values[stat]
    return lambda who, c: c.reader.number(who, quantity)


def compile_times(per: tree.Per) -> Number:
    """Compile how often a counted amount counts: `for each …`, at most its `max`, never less than 0."""
    what = per.what
    count = compile_number(tree.NumberOf(what) if isinstance(what, tree.Group) else what)
    maximum = per.maximum
    if maximum is None:
        return lambda c: max(0, count(c))
    most = maximum
    return lambda c: max(0, min(count(c), most))


# Who is targets


class Targets(Struct, frozen=True, eq=False):
    """A compiled WHO: ``members`` are the OPERATORs that it means where nothing is chosen, ``concerns`` says
    whether it means one of them."""

    members: Callable[[Context], Sequence[OperatorState]]
    concerns: Belongs


_NOBODY = Targets(lambda _: (), lambda _who, _context: False)


def compile_who(who: tree.Who) -> Targets:
    """Compile a WHO; a player means no OPERATOR."""
    if isinstance(who, tree.Player):
        return _NOBODY
    if not isinstance(who, tree.Ref):
        return compile_group(who.group)
    refer = refer_to(who.name)

    def members(context: Context) -> Sequence[OperatorState]:
        found = refer(context)
        return () if found is None else (found,)

    return Targets(members, lambda one, context: refer(context) is one)


def compile_group(group: tree.Group) -> Targets:
    """Compile a group: the controller's OPERATORs from left to right, then the enemy's.

    They stand on FIELDPOSITIONs; HIT or OUT ones belong to it only if `that are HIT` or `that are OUT` says
    so.
    """
    own, enemy = group.side != "enemy", group.side != "own"
    filters = _filters(group)

    belongs = _all_of(filters)

    def members(context: Context) -> Sequence[OperatorState]:
        controller, state = context.controller, context.reader.state
        found: list[OperatorState] = []
        for side in (controller, other(controller)):
            if own if side == controller else enemy:
                for key in state.player(side).field:
                    if key is not None and belongs(state.operators[key], context):
                        found.append(state.operators[key])
        return found

    def concerns(who: OperatorState, context: Context) -> bool:
        is_meant = own if who.side == context.controller else enemy
        return is_meant and who.position is not None and belongs(who, context)

    return Targets(members, concerns)


def _all_of(filters: list[Belongs]) -> Belongs:
    """Whether all filters hold, of which there is one or two nearly always."""
    if len(filters) == 1:
        return filters[0]
    if len(filters) == 2:
        one, two = filters
        return lambda who, c: one(who, c) and two(who, c)
    one, rest = filters[0], _all_of(filters[1:])
    return lambda who, c: one(who, c) and rest(who, c)


def _filters(group: tree.Group) -> list[Belongs]:
    """The filters of a group, all of which must hold."""
    found: list[Belongs] = []
    status = group.status
    if status is None or status.negated:
        found.append(lambda who, _: who.status in UP)
    if status is not None:
        found.append(_of_status(status))
    if group.other:
        found.append(lambda who, c: who is not c.self)
    if group.team is not None:
        team = group.team.text
        found.append(lambda who, c: c.reader.facts[who.key].team == team)
    if group.trait is not None:
        trait = group.trait.text
        found.append(lambda who, c: trait in c.reader.facts[who.key].traits)
    if group.in_range is not None:
        found.append(_stands("in RANGE", group.in_range.of or tree.Ref("self")))
    if group.adjacent is not None:
        found.append(_stands("adjacent", group.adjacent))
    if group.opposite is not None:
        found.append(_stands("opposite", group.opposite))
    if group.quantity is not None:
        found.append(_with_quantity(group.quantity))
    return found


def _of_status(status: tree.StatusFilter) -> Belongs:
    """`that are [not] …`; who is HIT or OUT is targets only by its own status."""
    text, negated, has = status.status.text, status.negated, _has_status(status.status.text)
    if negated:
        return lambda who, c: not has(who, c)
    return lambda who, c: (who.status in UP or who.status == text) and has(who, c)


def _with_quantity(asked: tree.QuantityFilter) -> Belongs:
    measure, compare, number = compile_quantity(asked.quantity.text), COMPARE[asked.compare], asked.number
    return lambda who, c: compare(measure(who, c), number)


# What changes


def compile_change(does: tree.Doing) -> tuple[str, Number] | None:
    """Compile which stat or counter a verb changes and by how much; None for a verb that changes none."""
    match does:
        case tree.Gets(number, what, per):
            if per is None:
                return what.text, lambda _: number
            times = compile_times(per)
            return what.text, lambda c: number * times(c)
        case tree.Multiplies(stat, number) | tree.Divides(stat, number) | tree.Fixes(stat, number):
            return stat.text, lambda _: number
        case _:
            return None
