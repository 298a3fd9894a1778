"""Laws of the checks: no tree makes them raise, and what they call certain is so on every field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random

from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.dsl_trees import MARKERS, conditions, effects, groups, triggers
from tests.lint import fields
from tests.thoroughness import THOROUGH, examples, share
from toolkit.data.loading import load_project
from toolkit.data.model import Card
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.dsl import tree
from toolkit.dsl.effect_printer import print_sentence
from toolkit.dsl.names import MarkerFacts
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.scope import Scope, scope_of
from toolkit.dsl.tree import Problem, walk
from toolkit.lint import EffectContext, lint_effect
from toolkit.lint.context import Given
from toolkit.lint.groups import nobody_of_the_project
from toolkit.lint.proof.atomic_effects import is_subset
from toolkit.lint.proof.domains import Domains
from toolkit.lint.proof.polynomials import Variables
from toolkit.lint.proof.satisfiability import can_hold
from toolkit.vocabulary import ROLES, Role

COMPARES = tuple(fields.COMPARES)
FIELDS = share(40)
"""So many random fields each certain condition must stand up to."""

ROLES_WITH_CONDITIONS = (
    Role.SKILL, Role.ATTACK, Role.DEFENCE, Role.ITEM, Role.STRATEGY, Role.TEAMWORK, Role.KEYWORD,
    Role.OBJECTIVE,
)  # fmt: skip
KNOWN = {**MARKERS, "intel": MarkerFacts(False, fields.MOST_INTEL)}

QUIET = {"suppress_health_check": list(HealthCheck)}


@cache
def operators() -> tuple[Card, ...]:
    cards, _ = load_project(Path(__file__).parent / "project")
    return tuple(cards.cards.values())


@given(effects(), st.sampled_from(Role), st.booleans())
@examples(100, **QUIET)
def test_no_tree_makes_a_check_raise(effect: tree.Effect, role: Role, in_project: bool) -> None:
    bearer = operators()[0] if in_project and role is Role.SKILL else None
    why_nobody = partial(nobody_of_the_project, operators=operators() if in_project else ())
    problems = lint_effect(effect, EffectContext(role, bearer, why_nobody))
    assert all(problem.name in CATALOGUE for problem in problems)


QUANTITIES = ("AP", "HITCOUNTER", "AP VALUE", "FIELDPOSITION", "FIELDPOSITION", fields.INTEL)
LIMITS = (0, 1, 2, 3, 5, 8)


@st.composite
def numbers(draw: st.DrawFn, names: tuple[str, ...]) -> tree.Number:
    kind = draw(st.integers(0, 6))
    if names and kind < 4:
        text = draw(st.sampled_from(QUANTITIES))
        quantity = tree.Marker(text) if text == fields.INTEL else tree.Word(text)
        return tree.QuantityOf(quantity, tree.Ref(draw(st.sampled_from(names))))
    if kind == 4:
        return tree.NumberOf(draw(groups(names)))
    if kind == 5:
        sign = draw(st.sampled_from(("+", "-", "*")))
        return tree.Binary(sign, draw(numbers(names)), draw(numbers(names)))
    return tree.Round()


def relations(names: tuple[str, ...]) -> st.SearchStrategy[tree.Stands]:
    refs = st.sampled_from(names).map(tree.Ref)
    words = st.sampled_from(("in RANGE", "adjacent", "opposite"))
    return st.builds(tree.Stands, refs, words, refs, st.booleans())


@st.composite
def related_conditions(draw: st.DrawFn, names: tuple[str, ...], attack: bool) -> tree.Condition:
    """Parts that speak of the same few things, so that they often contradict each other."""
    pool = [draw(numbers(names)), draw(numbers(names))]
    limits = st.sampled_from(LIMITS).map(tree.Constant)
    plain = draw(conditions(names, attack))

    def part(depth: int) -> tree.Condition:
        kind = draw(st.integers(0, 9))
        if depth < (1 + kind % 2):
            parts = tuple(part(depth + 1) for _ in range(draw(st.integers(2, 3))))
            return draw(st.sampled_from((tree.AllOf, tree.AllOf, tree.AnyOf)))(parts)
        if kind == 0:
            return tree.Not(part(depth + 1)) if depth < 2 else plain
        if kind == 1:
            return plain
        if kind == 2 and names:
            return draw(relations(names))
        right = draw(limits) if kind < 5 else pool[1]
        return tree.Comparison(pool[0], draw(st.sampled_from(COMPARES)), right)

    return part(0)


@st.composite
def questions(draw: st.DrawFn) -> tuple[tree.Sentence, EffectContext]:
    """A sentence with a condition and a GROUP, parsed from its text so that it has places."""
    role = draw(st.sampled_from(ROLES_WITH_CONDITIONS))
    trigger = draw(st.sampled_from((None, *ROLES[role].triggers)))
    when = draw(triggers(trigger, ("self",) if ROLES[role].has_self else ())) if trigger else None
    scope = scope_of(tree.Sentence((), when), role)
    names = tuple(scope.sides)
    condition = draw(related_conditions(names, scope.attack))
    counted = tree.Per(draw(groups(names)), draw(st.integers(1, 9)))
    act = tree.Act(tree.Every(draw(groups(names))), (tree.Gets(1, tree.Word("MP"), counted),))
    effect, problems = parse_effect(print_sentence(tree.Sentence((act,), when, condition)))
    assert effect is not None, problems
    bearer = draw(st.sampled_from((None, *operators()))) if role is Role.SKILL else None
    given_range = Given(draw(st.booleans()))
    if bearer is not None and draw(st.booleans()):
        given_range = Given(given_range.fixed_range, frozenset(), frozenset(bearer.keywords))
    return effect.sentences[0], EffectContext(role, bearer, markers=KNOWN, given=given_range)


def test_what_is_certain_is_so_on_every_field() -> None:
    """And the random questions make every sort of finding that this law speaks of."""
    seen: Counter[str] = Counter()

    @given(questions(), st.integers(0, 2**32))
    @examples(480, **QUIET)
    def judge(question: tuple[tree.Sentence, EffectContext], seed: int) -> None:
        sentence, context = question
        found = lint_effect(tree.Effect((sentence,)), context)
        problems = [problem for problem in found if problem.name != "saves-nobody"]  # no field shows it
        seen.update(problem.name + (" of two" if problem.related else "") for problem in problems)
        random = Random(seed)
        scope = scope_of(sentence, context.role)
        for _ in range(FIELDS if problems else 0):
            at = fields.random_field(random, scope, context.bearer, context.given.fixed_range)
            if context.given.keywords is not None:
                for one in at.operators:
                    one.keywords &= context.given.had
            for problem in problems:
                assert is_true_of(problem, sentence, at), problem.message

    judge()
    often = ("condition-never-holds", "condition-always-holds", "empty-group")
    seldom = ("condition-never-holds of two", "maximum-never-reached")
    assert all(seen[name] > 3 for name in often), seen
    assert all(seen[name] for name in seldom), seen


def is_true_of(problem: Problem, sentence: tree.Sentence, at: fields.Field) -> bool:
    """Whether a field is as the problem says that all are."""
    nodes = [node for node in walk(sentence) if getattr(node, "place", None) == problem.place]
    if problem.name == "empty-group":
        return not any(fields.members(node, at) for node in nodes if isinstance(node, tree.Group))
    if problem.name == "maximum-never-reached":
        pers = [node for node in walk(sentence) if isinstance(node, tree.Per)]
        return not any(
            isinstance(per.what, tree.Group) and len(fields.members(per.what, at)) >= (per.maximum or 0)
            for per in pers
        )
    if problem.name == "comes-to-nothing":
        return all(fields.value(node, at) == 0 for node in nodes if isinstance(node, tree.QuantityOf))
    expected = problem.name == "condition-always-holds"
    if not nodes:  # the word `other` of a group
        groups = [node for node in walk(sentence) if isinstance(node, tree.Group)]
        group = next(group for group in groups if group.place[0] == problem.place[0])
        return fields.members(group, at) == fields.members(replace(group, other=False), at)
    filters = [node for node in nodes if isinstance(node, tree.QuantityFilter)]
    if filters:
        waits = any(filters[0] in group.withs and group.savezone for group in _groups(sentence))
        some = [one for one in at.operators if waits or not one.waits]
        return all(fields.passes(one, filters[0], at) == expected for one in some)
    if problem.related:
        whole = next(
            node
            for node in walk(sentence)
            if isinstance(node, (tree.AllOf, tree.AnyOf))
            and any(part.place == problem.place for part in node.parts)
        )
        return fields.holds(whole, at) == expected
    return fields.holds(nodes[0], at) == expected


def _groups(sentence: tree.Sentence) -> list[tree.Group]:
    return [node for node in walk(sentence) if isinstance(node, tree.Group)]


def condition_of(text: str) -> tuple[tree.Condition, Scope]:
    """The condition of a sentence of a SKILL that begins so."""
    effect, problems = parse_effect(f"{text}, self gets +1 AP.")
    assert effect is not None, problems
    sentence = effect.sentences[0]
    assert sentence.condition is not None
    return sentence.condition, scope_of(sentence, Role.SKILL)


def differ(is_so: Callable[[int], bool]) -> list[int]:
    """All differences of two FIELDPOSITIONs that are allowed."""
    return [one - other for one in range(1, 9) for other in range(1, 9) if is_so(one - other)]


def places(most: int) -> dict[int, range]:
    """By FIELDPOSITION how many may be near an OPERATOR there: at both ends there is one place less."""
    return {place: range(most + (1 if 1 < place < 8 else 0)) for place in range(1, 9)}


TARGET = "FIELDPOSITION of target - FIELDPOSITION of self"
ATTACKER = "FIELDPOSITION of attacker - FIELDPOSITION of self"
OWN, ENEMY = "while an own OPERATOR attacks, if", "while an enemy OPERATOR attacks, if"
EXACT = {
    f"while attacking, if {TARGET}": [-1, 0, 1],
    f"while attacking, if target is opposite self and {TARGET}": [0],
    f"while attacking, if target is not opposite self and {TARGET}": [-1, 1],
    f"{OWN} {ATTACKER}": differ(lambda _: True),
    f"{OWN} self is adjacent to attacker and {ATTACKER}": [-1, 1],
    f"{OWN} attacker is not in RANGE of self and {ATTACKER}": differ(lambda n: abs(n) != 1),
    f"{OWN} attacker is not opposite self and {ATTACKER}": differ(lambda _: True),
    f"{ENEMY} attacker is not opposite self and {ATTACKER}": differ(bool),
    f"{ENEMY} attacker is not adjacent to self and {ATTACKER}": differ(lambda _: True),
    f"{ENEMY} self is in RANGE of attacker and {ATTACKER}": [-1, 0, 1],
    f"{ENEMY} self is not in RANGE of attacker and {ATTACKER}": differ(lambda n: abs(n) > 1),
    "if AP of self * AP of self": [ap * ap for ap in range(100)],
    "if AP of self = 3 and AP of self * MP of self": [3 * mp for mp in range(100)],
    "if AP of self >= 4 and AP of self <= 5 and AP of self * AP of self * MP of self": [
        ap * ap * mp for ap in (4, 5) for mp in range(100)
    ],
    **{
        f"if FIELDPOSITION of self = {place} and number of {side} OPERATORs in RANGE": numbers
        for side, most in (("own", 2), ("enemy", 3))
        for place, numbers in places(most).items()
    },
    **{
        f"if FIELDPOSITION of self = {place} and number of any OPERATORs adjacent to self": numbers
        for place, numbers in places(2).items()
    },
}
"""What a number can be, by the beginning of a condition that compares it with a constant."""


def test_a_comparison_cannot_hold_exactly_if_no_state_makes_it_true() -> None:
    for beginning, numbers in EXACT.items():
        condition, scope = condition_of(f"{beginning} = 0")
        *before, last = condition.parts if isinstance(condition, tree.AllOf) else (condition,)
        for words, compare in fields.COMPARES.items():
            for number in range(-9, 17, 1 if THOROUGH else 2):
                asked = replace(last, compare=words, right=tree.Constant(number))
                variables = Variables(Domains(scope, EffectContext(Role.SKILL)))
                possible = any(compare(one, number) for one in numbers)
                case = f"{beginning} {words} {number}"
                assert can_hold(tree.AllOf((*before, asked)), variables) == possible, case


SUBSETS = [
    f"{side} OPERATORs{filters}"
    for side in ("own", "other own", "any", "enemy")
    for filters in (
        "", " in RANGE", ' with trait "sniper"', " with AP >= 50", " that are HIT", " that are EXHAUSTED",
        " that are not EXHAUSTED", " that are SUPPRESSED", " in the SAVEZONE", " with the highest AP",
    )
    if side != "other own" or "trait" in filters or filters == " that are EXHAUSTED"
]  # fmt: skip
"""Without `other own OPERATORs`: what is in RANGE of self is never self, which is not recognised."""


def test_a_group_is_part_of_another_exactly_if_it_is_so_on_every_field() -> None:
    groups: set[tree.Group] = set()
    for words in SUBSETS:
        condition, scope = condition_of(f"if number of {words} > 0")
        groups |= {node for node in walk(condition) if isinstance(node, tree.Group)}
    wider = {one: set(groups) for one in groups}
    random = Random(1)
    for _ in range(300):
        at = fields.random_field(random, scope, None)
        found = {group: set(map(id, fields.members(group, at))) for group in groups}
        for narrow, wide in wider.items():
            wide -= {group for group in wide if not found[narrow] <= found[group]}
    for narrow, wide in wider.items():
        assert {group for group in groups if is_subset(narrow, group, {})} == wide, narrow
