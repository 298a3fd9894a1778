"""Conditions, numbers, groups and verbs compiled to callables: one small function for each node of the tree.

A compiled node is called with a ``Context`` and reads the state through it. A condition's node also says why
it is false (``CompiledCondition.describe``). No text of a card is executed: all closures are written in this
module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import add, attrgetter, mul, sub
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.model import Options
from toolkit.dsl import tree
from toolkit.dsl.effect_printer import print_condition, print_number
from toolkit.engine.modifiers import rounded
from toolkit.engine.state import (
    UP,
    GameState,
    OperatorState,
    PlayerState,
    Side,
    adjacent,
    count_of,
    opposite,
    other,
)
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary.comparisons import COMPARE

KIND_OF_CARD = {"ATTACK card": "attack", "DEFENCE card": "defence", "ITEM": "item"}


class Facts(PublicValue, Struct, frozen=True, eq=False):
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
    def options(self) -> Options:
        """The options of the ruleset, of which numbers read how a quotient is rounded (E-27)."""

    @property
    def suppressed(self) -> Sequence[CompiledCondition | None]:
        """The conditions of SUPPRESSION, one of which must hold (M-1); None always does."""

    @property
    def damage(self) -> int:
        """What the attack that goes on added to the HITCOUNTER (E-14)."""

    @property
    def objective_values(self) -> Mapping[str, int]:
        """The values of the OBJECTIVEs by id."""

    def number(self, operator: OperatorState, stat: str) -> int:
        """Return the number of an OPERATOR as it is read: never below the floor (N-5)."""

    def in_range(self, operator: OperatorState, of: OperatorState) -> bool:
        """Whether ``operator`` is in RANGE of ``of`` (R-1, E-16)."""

    def has_trait(self, operator: OperatorState, trait: str) -> bool:
        """Whether an OPERATOR has a trait, printed or given (E-12)."""

    def has_keyword(self, operator: OperatorState, keyword: str) -> bool:
        """Whether an OPERATOR has a KEYWORD, printed or given (E-12)."""


class Context(PublicValue, Struct):
    """From where an effect is read: its controller, and the OPERATORs that it may name; None where there is
    none.

    ``it`` are those whom the sentence calls so (E-7): the OPERATOR of the trigger, until its clauses choose.
    ``critical`` says whether the attack is CRITICAL (M-7). ``within_suppression`` is set while the condition
    of SUPPRESSION itself is read: there nobody counts as SUPPRESSED, so that it cannot ask for itself.
    ``number`` is that of the STRATEGY that bears the effect (``PlayerState.in_play``), None for other cards.
    ``discarded`` counts the cards that the last `discards` of the sentence has discarded (E-13).
    """

    reader: Reader
    controller: Side
    self: OperatorState | None = None
    target: OperatorState | None = None
    attacker: OperatorState | None = None
    attacked: OperatorState | None = None
    critical: bool = False
    within_suppression: bool = False
    it: tuple[OperatorState, ...] = ()
    number: int | None = None
    discarded: int = 0

    def attack_is_on(self, operator: OperatorState) -> None:
        """Let the names of the attacked OPERATOR mean another one (E-22)."""
        if self.target is self.attacked:
            self.target = operator
        self.attacked = operator


Number = Callable[[Context], int]
FindOperator = Callable[[Context], "OperatorState | None"]
OperatorTest = Callable[[OperatorState, Context], bool]


class CompiledCondition(PublicValue, Struct, frozen=True, eq=False):
    """A compiled condition.

    ``holds`` says whether it does: a fact of an OPERATOR that does not exist is false, and so is its opposite
    (`is not …`). ``describe`` says in words what is so; its second argument is whether the condition is asked
    to be true, as it is not inside a negation.
    """

    holds: Callable[[Context], bool]
    describe: Callable[[Context, bool], str]

    def why_false(self, context: Context) -> str:
        """Return ``its condition is false: HITCOUNTER of target is 0``."""
        return f"its condition is false: {self.describe(context, False)}"


# Conditions


def compile_condition(condition: tree.Condition) -> CompiledCondition:
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
            holds, describe = inner.holds, inner.describe
            return CompiledCondition(lambda c: not holds(c), lambda c, must_hold: describe(c, not must_hold))
        case tree.HasStatus(ref, status, negated):
            return _fact(condition, ref, _has_status(status.text), negated)
        case tree.Stands(ref, relation, to, negated):
            return _fact(condition, ref, _stands(relation, to), negated)
        case tree.Bears(ref, _, _, negated):
            return _fact(condition, ref, _bears(condition), negated)
        case tree.HasReached(ref, negated):
            return _fact(condition, ref, lambda operator, c: has_reached(c.reader, operator), negated)
        case tree.HasTeamOf(ref, of, negated):
            return _fact(condition, ref, _of_team_of(of), negated)
        case tree.HasPerformed(ref, action, negated):
            return _fact(condition, ref, lambda operator, _: action in operator.performed, negated)
        case tree.AttackIsCritical(negated):
            return CompiledCondition(lambda c: c.critical != negated, _description(condition))
        case tree.TurnIs(side, negated):
            is_own = (side == "own") != negated
            return CompiledCondition(
                lambda c: (c.reader.state.turn == c.controller) == is_own, _description(condition)
            )


_Fact = (
    tree.HasStatus | tree.Stands | tree.Bears | tree.HasReached | tree.HasTeamOf | tree.HasPerformed
    | tree.AttackIsCritical | tree.TurnIs
)  # fmt: skip


def _comparison(condition: tree.Comparison) -> CompiledCondition:
    """Compile a comparison of two numbers; why it is false is told by the numbers that are not constant."""
    left, right = compile_number(condition.left), compile_number(condition.right)
    compare = COMPARE[condition.compare]
    if isinstance(condition.right, tree.Constant):
        fixed = condition.right.value
        holds: Callable[[Context], bool] = lambda c: compare(left(c), fixed)  # noqa: E731 (one call less)
    else:
        holds = lambda c: compare(left(c), right(c))  # noqa: E731
    varying_sides = [
        (number, measure)
        for number, measure in ((condition.left, left), (condition.right, right))
        if not isinstance(number, tree.Constant)
    ]

    def describe(context: Context, _wanted: bool) -> str:
        values = [f"{print_number(number)} is {measure(context)}" for number, measure in varying_sides]
        return " and ".join(values) or print_condition(condition)

    return CompiledCondition(holds, describe)


def _several(conditions: Sequence[tree.Condition], every: bool) -> CompiledCondition:
    """`and` and `or`; of a false `and` the first part that is false says why."""
    parts = [compile_condition(condition_part) for condition_part in conditions]
    tests = [condition_part.holds for condition_part in parts]

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

    def describe(context: Context, must_hold: bool) -> str:
        # the parts that decide it; all where none does
        deciding = [part for part in parts if part.holds(context) == must_hold] or parts
        if every and not must_hold:
            deciding = deciding[:1]
        return ", ".join(part.describe(context, must_hold) for part in deciding)

    return CompiledCondition(all_hold if every else any_holds, describe)


def _fact(condition: _Fact, ref: tree.Ref, is_so: OperatorTest, negated: bool) -> CompiledCondition:
    """A fact of one OPERATOR, or that it is not so; either is false where there is no such OPERATOR."""
    refer = refer_to(ref.name)

    def holds(context: Context) -> bool:
        subject = refer(context)
        return subject is not None and is_so(subject, context) != negated

    return CompiledCondition(holds, _description(condition))


def _description(condition: _Fact) -> Callable[[Context, bool], str]:
    """The fact as the language says it, or its opposite."""
    opposite = replace(condition, negated=not condition.negated)

    def describe(_context: Context, must_hold: bool) -> str:
        return print_condition(condition if must_hold else opposite)

    return describe


def _has_status(status: str) -> OperatorTest:
    """C-2, and SUPPRESSED: a condition of the ruleset's SUPPRESSION holds for it (M-1)."""
    if status == "SUPPRESSED":
        return is_suppressed
    return lambda operator, _: operator.status == status


def is_suppressed(operator: OperatorState, context: Context) -> bool:
    """Whether a condition of SUPPRESSION holds for an OPERATOR, on the numbers that count in this context."""
    if context.within_suppression:
        return False
    attacker, attacked = context.attacker, context.attacked
    facing = None
    if operator is attacker:
        facing = attacked
    elif operator is attacked:
        facing = attacker
    within = Context(
        context.reader,
        operator.side,
        operator,
        facing,
        attacker,
        attacked,
        context.critical,
        within_suppression=True,
    )
    return any(test is None or test.holds(within) for test in context.reader.suppressed)


def _stands(relation: str, to: tree.Ref) -> OperatorTest:
    """Compile where an OPERATOR stands, seen from another."""
    refer = refer_to(to.name)
    stands = _RELATIONS[relation]
    if to.name == "it":  # E-7: of several, any of them
        return lambda operator, c: any(stands(operator, other, c) for other in c.it)

    def is_so(operator: OperatorState, context: Context) -> bool:
        other_operator = refer(context)
        return other_operator is not None and stands(operator, other_operator, context)

    return is_so


_RELATIONS: dict[str, Callable[[OperatorState, OperatorState, Context], bool]] = {
    "in RANGE": lambda operator, other_operator, c: c.reader.in_range(operator, other_operator),
    "adjacent": lambda operator, other_operator, _: adjacent(operator, other_operator),
    "opposite": lambda operator, other_operator, _: opposite(operator, other_operator),
}


def _of_team_of(of: tree.Ref) -> OperatorTest:
    """Whether an OPERATOR has the TEAM of another one; of several (`it`), of any of them (E-7)."""
    refer = refer_to(of.name)

    def is_so(operator: OperatorState, context: Context) -> bool:
        if of.name == "it":
            mates = context.it
        else:
            mate = refer(context)
            mates = () if mate is None else (mate,)
        facts = context.reader.facts
        team = facts[operator.key].team
        return team is not None and any(facts[other.key].team == team for other in mates)

    return is_so


def _bears(bearing: tree.Bears | tree.Bearing) -> OperatorTest:
    """Compile whether an OPERATOR belongs to a TEAM, has a KEYWORD or trait, or has a card attached."""
    what = bearing.what
    if bearing.name is not None:
        name = bearing.name.text
        if what == "TEAM":
            return lambda operator, c: c.reader.facts[operator.key].team == name
        if what == "KEYWORD":
            return lambda operator, c: c.reader.has_keyword(operator, name)
        return lambda operator, c: c.reader.has_trait(operator, name)
    if what == "card":
        return lambda operator, _: operator.attached is not None
    kind = KIND_OF_CARD[what]
    return lambda operator, c: (
        operator.attached is not None and c.reader.cards[operator.attached].kind == kind
    )


def objective_value(reader: Reader, operator: OperatorState) -> int | None:
    """Return the value of the OBJECTIVE of an OPERATOR's FIELDPOSITION; None where there is none (any
    more)."""
    if operator.position is None:
        return None
    objectives = reader.state.player(operator.side).objectives
    objective = objectives[operator.position] if operator.position < len(objectives) else None
    return None if objective is None else reader.objective_values.get(objective)


def has_reached(reader: Reader, operator: OperatorState) -> bool:
    """Whether an OPERATOR has REACHED the OBJECTIVE of its FIELDPOSITION (A-2b).

    **Ruling:** it is judged from the counter and the place whenever it is asked: a counter that is taken away
    again makes it un-REACHED, and after a swap it is judged for the new position.
    """
    if operator.status not in UP:
        return False
    value = objective_value(reader, operator)
    return value is not None and operator.objectivecounter >= value


# Numbers


def refer_to(name: str) -> FindOperator:
    """Compile ``self``, ``target``, ``attacker`` or ``attacked``, or a single ``it``."""
    if name == "it":
        return lambda c: c.it[0] if len(c.it) == 1 else None
    find_operator: FindOperator = attrgetter(name)
    return find_operator


def compile_number(number: tree.Number) -> Number:
    """Compile a number; a quantity of an OPERATOR that does not exist is 0."""
    match number:
        case tree.Constant(value):
            return lambda _: value
        case tree.QuantityOf(quantity, ref):
            refer, measure = refer_to(ref.name), compile_quantity(quantity.text)

            def of_one(context: Context) -> int:
                subject = refer(context)
                return 0 if subject is None else measure(subject, context)

            return of_one
        case tree.Binary("/", left, tree.Constant(divisor)):
            return _quotient(compile_number(left), divisor)
        case tree.Binary(sign, left, right):
            left_number, right_number = compile_number(left), compile_number(right)
            combine = {"+": add, "-": sub, "*": mul}[sign]
            return lambda c: combine(left_number(c), right_number(c))
        case tree.Negative(inner):
            positive = compile_number(inner)
            return lambda c: -positive(c)
        case tree.NumberOf(group):
            members = compile_group(group).members
            return lambda c: len(members(c))
        case tree.CardsInHand(side):
            return lambda c: len(c.reader.state.player(side_of(side, c)).hand)
        case tree.NumberOfCards(kind, side, zone):
            among = cards_in(zone, kind)
            return lambda c: len(among(c, side_of(side, c)))
        case tree.Captured(player):
            side = "own" if player.name == "owner" else "enemy"
            return lambda c: len(c.reader.state.player(side_of(side, c)).captured)
        case tree.MarkerOfPlayer(tree.Marker() as marker, player):
            name, side = marker.id, "own" if player.name == "owner" else "enemy"
            return lambda c: count_of(c.reader.state.player(side_of(side, c)).markers, name)
        case tree.Discarded():
            return lambda c: c.discarded
        case tree.Round():
            return lambda c: c.reader.state.round
        case tree.Damage():
            return lambda c: c.reader.damage
        case _:
            raise NotImplementedError(number)


def _quotient(dividend: Number, divisor: int) -> Number:
    """Compile a quotient: the size is rounded as the ruleset says (N-4), and the sign kept (E-27)."""

    def quotient(context: Context) -> int:
        number = dividend(context)
        size = rounded(abs(number), divisor, context.reader.options.rounding)
        return size if number >= 0 else -size

    return quotient


def side_of(side: tree.Side, context: Context) -> Side:
    """The player that `own` and `enemy` mean, seen from the controller."""
    return context.controller if side == "own" else other(context.controller)


ZONES: dict[tree.Zone, str] = {"hand": "hand", "DECK": "deck", "DISCARDZONE": "discard"}
"""The fields of ``PlayerState`` in which the cards of a zone lie."""


def cards_in(zone: tree.Zone, kind: str | None) -> Callable[[Context, Side], Sequence[str]]:
    """Compile the cards of a kind (None: of any) that lie in a player's zone."""
    zone_of: Callable[[PlayerState], tuple[str, ...]]
    zone_of = attrgetter(ZONES[zone])
    if kind is None:
        return lambda c, side: zone_of(c.reader.state.player(side))
    wanted_kind = kind.lower()

    def of_kind(context: Context, side: Side) -> Sequence[str]:
        cards = context.reader.cards
        return [
            card for card in zone_of(context.reader.state.player(side)) if cards[card].kind == wanted_kind
        ]

    return of_kind


def compile_quantity(quantity: str) -> Callable[[OperatorState, Context], int]:
    """Compile a QUANTITY: a stat's current number or VALUE (N-1), a counter, or a fact."""
    if quantity == "HITCOUNTER":
        return lambda operator, _: operator.hitcounter
    if quantity == "OBJECTIVECOUNTER":
        return lambda operator, _: operator.objectivecounter
    if quantity == "SQUADPOINTS":
        return lambda operator, c: c.reader.facts[operator.key].squadpoints
    if quantity == "FIELDPOSITION":
        return lambda operator, _: 0 if operator.position is None else operator.position + 1
    if quantity.startswith("MARKER"):
        marker = tree.Marker(quantity).id
        return lambda operator, _: count_of(operator.markers, marker)
    if quantity.endswith(" VALUE"):
        stat = quantity.removesuffix(" VALUE")
        return lambda operator, c: c.reader.facts[operator.key].values[stat]
    return lambda operator, c: c.reader.number(operator, quantity)


def compile_times(per: tree.Per) -> Number:
    """Compile how often a counted amount counts: `for each …`, at most its `max`, never less than 0."""
    counted_thing = per.what
    count = compile_number(
        tree.NumberOf(counted_thing) if isinstance(counted_thing, tree.Group) else counted_thing
    )
    maximum = per.maximum
    if maximum is None:
        return lambda c: max(0, count(c))
    most = maximum
    return lambda c: max(0, min(count(c), most))


def _counted(number: int, per: tree.Per | None) -> Number:
    """Compile an amount, or so much `for each …`."""
    if per is None:
        return lambda _: number
    times = compile_times(per)
    return lambda c: number * times(c)


# Who is targets


Best = Callable[[Sequence[OperatorState], Context], Sequence[OperatorState]]


class Targets(PublicValue, Struct, frozen=True, eq=False):
    """A compiled WHO: ``members`` are the OPERATORs that it means, ``concerns`` says whether it means one of
    them; ``sides`` are the players that it means.

    Where somebody is chosen, ``members`` are those who can be, and ``best`` gives those of the first place
    among them, if `the highest AP` is asked (E-9).
    """

    members: Callable[[Context], Sequence[OperatorState]]
    concerns: OperatorTest
    best: Best | None = None
    sides: Callable[[Context], tuple[Side, ...]] = lambda _: ()


def compile_who(actor: tree.Who) -> Targets:
    """Compile a WHO; a player means no OPERATOR."""
    if isinstance(actor, tree.Player):
        return Targets(lambda _: (), lambda _who, _context: False, sides=_SIDES[actor.name])
    if isinstance(actor, tree.One):
        return compile_group(actor.group, chosen=True)
    if isinstance(actor, tree.Every):
        return compile_group(actor.group)
    if actor.name == "it":
        return Targets(lambda c: c.it, lambda operator, c: operator in c.it)
    refer = refer_to(actor.name)

    def members(context: Context) -> Sequence[OperatorState]:
        operator = refer(context)
        return () if operator is None else (operator,)

    return Targets(members, lambda operator, context: refer(context) is operator)


def _both_sides(context: Context) -> tuple[Side, ...]:
    """Both players, the TURN's first."""
    turn = context.reader.state.turn
    return turn, other(turn)


_SIDES: dict[str, Callable[[Context], tuple[Side, ...]]] = {
    "owner": lambda c: (c.controller,),
    "opponent": lambda c: (other(c.controller),),
    "each player": _both_sides,
}


def compile_group(group: tree.Group, *, chosen: bool = False) -> Targets:
    """Compile a group: the controller's OPERATORs from left to right, then the enemy's.

    They stand on FIELDPOSITIONs, or are in the SAVEZONE if it is named; HIT or OUT ones belong to it only if
    `that are HIT` or `that are OUT` says so. ``chosen``: of them some are chosen.
    """
    own, enemy = group.side != "enemy", group.side != "own"
    filters = _filters(group)
    if group.status is None or group.status.negated:
        filters.insert(0, lambda operator, _: operator.status in UP)
    belongs = _all_of(filters)
    members_of_side = GameState.in_save_zone if group.savezone else GameState.on_field
    best = None if group.superlative is None else _best(group.superlative)

    def members_now(context: Context) -> Sequence[OperatorState]:
        """Those of both players that belong to the group and whose side is meant."""
        controller, state = context.controller, context.reader.state
        members: list[OperatorState] = []
        for side in (controller, other(controller)):
            is_meant = own if side == controller else enemy
            if is_meant:
                members += [
                    operator for operator in members_of_side(state, side) if belongs(operator, context)
                ]
        return members

    def concerns(operator: OperatorState, context: Context) -> bool:
        # E-9: what always holds does not reach into the SAVEZONE
        is_meant = own if operator.side == context.controller else enemy
        return is_meant and operator.position is not None and belongs(operator, context)

    if best is None or chosen:
        return Targets(members_now, concerns, best)
    return Targets(
        lambda c: best(members_now(c), c),
        lambda operator, c: any(member is operator for member in best(members_now(c), c)),
    )


def _best(most: tree.Superlative) -> Best:
    """Those who share the first place (E-9)."""
    measure, extreme = compile_quantity(most.quantity.text), max if most.highest else min

    def best(among: Sequence[OperatorState], context: Context) -> Sequence[OperatorState]:
        numbers = [measure(operator, context) for operator in among]
        first = extreme(numbers, default=0)
        return [operator for operator, number in zip(among, numbers, strict=True) if number == first]

    return best


def compile_subject(group: tree.Group) -> OperatorTest | None:
    """Compile the filters of whom an event speaks; None where there are none (E-6).

    Its side and `another` are no filters: they cannot change. HIT and OUT ones belong to it, too, unless
    `that is` says otherwise.
    """
    anybody = replace(group, other=False)
    filters = _filters(anybody)
    if group.savezone:
        filters.append(lambda operator, _: operator.position is None)
    if group.superlative is not None:
        first = compile_group(anybody).members
        filters.append(lambda operator, c: any(member is operator for member in first(c)))
    return _all_of(filters) if filters else None


def _all_of(filters: list[OperatorTest]) -> OperatorTest:
    """Whether all filters hold, of which there is one or two nearly always."""
    if len(filters) == 1:
        return filters[0]
    if len(filters) == 2:
        first_test, second_test = filters
        return lambda operator, c: first_test(operator, c) and second_test(operator, c)
    first_test, other_tests = filters[0], _all_of(filters[1:])
    return lambda operator, c: first_test(operator, c) and other_tests(operator, c)


def _filters(group: tree.Group) -> list[OperatorTest]:
    """The filters of a group, all of which must hold."""
    tests: list[OperatorTest] = []
    status = group.status
    if status is not None:
        tests.append(_of_status(status))
    if group.other:
        tests.append(_other)
    if group.team is not None:
        team = group.team.text
        tests.append(lambda operator, c: c.reader.facts[operator.key].team == team)
    if group.team_of is not None:
        tests.append(_of_team_of(group.team_of))
    if group.in_range is not None:
        tests.append(_stands("in RANGE", group.in_range.of or tree.Ref("self")))
    if group.adjacent is not None:
        tests.append(_stands("adjacent", group.adjacent))
    if group.opposite is not None:
        tests.append(_stands("opposite", group.opposite))
    tests += [_with(group_filter) for group_filter in group.withs]
    return tests


def _other(operator: OperatorState, context: Context) -> bool:
    """`other` leaves out self, on cards without self `it` (E-7)."""
    if context.self is not None:
        return operator is not context.self
    return operator not in context.it


def _of_status(status: tree.StatusFilter) -> OperatorTest:
    """`that are [not] …`, `that are either …`; who is HIT or OUT is meant only by its own status."""
    text, has = status.status.text, _has_status(status.status.text)
    if status.negated:
        return lambda operator, c: not has(operator, c)
    if not status.others:
        return lambda operator, c: (operator.status in UP or operator.status == text) and has(operator, c)
    names = [text, *(status_word.text for status_word in status.others)]
    tests = [_has_status(name) for name in names]
    return lambda operator, c: (
        (operator.status in UP or operator.status in names) and any(test(operator, c) for test in tests)
    )


def _with(group_filter: tree.QuantityFilter | tree.BearingFilter) -> OperatorTest:
    """Compile `with` a quantity (compared with a number or another OPERATOR's) or with bearings."""
    if isinstance(group_filter, tree.BearingFilter):
        tests, negated = [_bears(bearing) for bearing in group_filter.bearings], group_filter.negated
        if len(tests) == 1 and not negated:
            return tests[0]
        return lambda operator, c: any(test(operator, c) for test in tests) != negated
    measure = compile_quantity(group_filter.quantity.text)
    compare, number = COMPARE[group_filter.compare], group_filter.number
    if group_filter.than is None:
        return lambda operator, c: compare(measure(operator, c), number)
    refer, of_other = refer_to(group_filter.than.ref.name), compile_quantity(group_filter.than.quantity.text)

    def compares(operator: OperatorState, context: Context) -> bool:
        other_operator = refer(context)
        return other_operator is not None and compare(
            measure(operator, context), of_other(other_operator, context)
        )

    return compares


# What changes


class CompiledChange(PublicValue, Struct, frozen=True, eq=False):
    """What a verb changes or counts, a stat, a counter or ``cards``, and by how much."""

    quantity: str
    amount: Number


def compile_change(does: tree.Doing) -> CompiledChange | None:
    """Compile what a verb changes or counts; None for a verb that does neither."""
    match does:
        case tree.Gets(number, what, per):
            return CompiledChange(what.text, _counted(number, per))
        case tree.Draws(count=int(number), per=per) | tree.Discards(count=int(number), per=per):
            return CompiledChange("cards", _counted(number, per))
        case tree.Multiplies(stat, number) | tree.Divides(stat, number) | tree.Fixes(stat, number):
            return CompiledChange(stat.text, lambda _: number)
        case tree.Limits(stat, bound):
            return CompiledChange(stat.text, compile_number(bound))
        case _:
            return None
