"""Random syntax trees of the effect language: every tree that the parser can build, and nothing else.

``effects()`` gives any such tree, sensible or not; ``sensible()`` gives pairs of a role and an effect without
a finding in it.
"""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from toolkit.dsl import tree
from toolkit.dsl.checking import check_effect
from toolkit.dsl.names import MarkerFacts, Names
from toolkit.dsl.parsing import MOST_CHARACTERS
from toolkit.dsl.printing import print_effect
from toolkit.dsl.scope import scope_of
from toolkit.vocabulary import ACTIONS, COUNTERS, FACTS, IGNORABLE, STATS, STATUSES, TRIGGERS, Role

REFS = ("self", "target", "attacker", "attacked")
TEAMS = ("night-owls", "red-foxes")
TRAITS = ("sniper", "medic")
KEYWORDS = ("steadfast", "swift")
MARKERS = {"intel": MarkerFacts(False, 99), "supply": MarkerFacts(True, 99)}
QUANTITIES = (*STATS, *(f"{stat} VALUE" for stat in STATS), *COUNTERS, *FACTS)
COMPARES = ("=", "!=", "<", "<=", ">", ">=")
DURATIONS = ("ATTACK", "TURN", "ROUND", "FIELD", "permanently")
PLAIN_TRIGGERS = tuple(name for name, one in TRIGGERS.items() if one.needs_self or not one.pattern)
NAMES = Names(TEAMS, TRAITS, TRAITS, KEYWORDS, MARKERS)

numerals = st.integers(0, 12)
positive = st.integers(1, 12)
signed = st.integers(-9, 9).filter(bool)


def words(texts: tuple[str, ...]) -> st.SearchStrategy[tree.Word]:
    return st.sampled_from(texts).map(tree.Word)


def refs(names: tuple[str, ...] = REFS) -> st.SearchStrategy[tree.Ref]:
    return st.sampled_from(names).map(tree.Ref)


def seldom(strategy: st.SearchStrategy) -> st.SearchStrategy:
    """Mostly nothing, so that groups stay as short as people write them, now and then something."""
    return st.one_of(st.none(), st.none(), st.none(), strategy)


@cache
def groups(names: tuple[str, ...] = REFS) -> st.SearchStrategy[tree.Group]:
    some = refs(names) if names else st.nothing()
    has_self = "self" in names
    ranges = st.builds(tree.InRange, st.one_of(st.none(), some) if has_self else some)
    return st.builds(
        tree.Group,
        side=st.sampled_from(("own", "enemy", "any")),
        other=st.booleans() if has_self else st.just(False),
        team=seldom(words(TEAMS)),
        in_range=st.one_of(st.none(), ranges) if names else st.none(),
        adjacent=seldom(some) if names else st.none(),
        opposite=seldom(some) if names else st.none(),
        trait=seldom(words(TRAITS)),
        quantity=seldom(
            st.builds(tree.QuantityFilter, words(QUANTITIES), st.sampled_from(COMPARES), st.integers(-2, 12))
        ),
        status=seldom(st.builds(tree.StatusFilter, words(STATUSES), st.booleans())),
    )


@cache
def numbers(names: tuple[str, ...] = REFS) -> st.SearchStrategy[tree.Number]:
    leaves = [
        st.builds(tree.Constant, numerals),
        st.builds(tree.NumberOf, groups(names)),
        st.builds(tree.CardsInHand, st.sampled_from(("own", "enemy"))),
        st.just(tree.Round()),
    ]
    if names:
        leaves.insert(0, st.builds(tree.QuantityOf, words(QUANTITIES), refs(names)))
    return st.recursive(
        st.one_of(leaves),
        lambda inner: st.one_of(
            st.builds(tree.Negative, inner),
            st.builds(tree.Binary, st.sampled_from(("+", "-", "*")), inner, inner),
        ),
        max_leaves=3,
    )


@cache
def conditions(names: tuple[str, ...] = REFS, attack: bool = True) -> st.SearchStrategy[tree.Condition]:
    number = numbers(names)
    plain: list[st.SearchStrategy[tree.Condition]] = [
        st.builds(tree.Comparison, number, st.sampled_from(COMPARES), number),
        st.builds(tree.Comparison, number, st.sampled_from(COMPARES), st.builds(tree.Constant, numerals)),
    ]
    if names:
        one = refs(names)
        plain += [
            st.builds(tree.HasStatus, one, words(STATUSES), st.booleans()),
            st.builds(
                tree.Stands, one, st.sampled_from(("in RANGE", "adjacent", "opposite")), one, st.booleans()
            ),
            st.builds(tree.Bears, one, st.just("TEAM"), words(TEAMS), st.booleans()),
            st.builds(tree.Bears, one, st.just("trait"), words(TRAITS), st.booleans()),
            st.builds(
                tree.Bears,
                one,
                st.sampled_from(("card", "ATTACK card", "DEFENCE card", "ITEM")),
                st.none(),
                st.booleans(),
            ),
        ]
    if attack:
        plain.append(st.builds(tree.AttackIsCritical, st.booleans()))
    return st.recursive(
        st.one_of(plain),
        lambda inner: st.one_of(
            st.builds(tree.Not, inner),
            st.builds(tree.AllOf, st.lists(inner, min_size=2, max_size=3).map(tuple)),
            st.builds(tree.AnyOf, st.lists(inner, min_size=2, max_size=3).map(tuple)),
        ),
        max_leaves=4,
    )


@cache
def pers(names: tuple[str, ...] = REFS) -> st.SearchStrategy[tree.Per]:
    return st.builds(tree.Per, st.one_of(groups(names), numbers(names)), st.one_of(st.none(), positive))


dice = st.sampled_from(("ATTACK", "DEFENCE"))
stats = words((*STATS,))
player_doings: st.SearchStrategy[tree.Doing] = st.one_of(
    st.builds(tree.Draws, positive), st.builds(tree.Discards, positive), st.just(tree.FulfilsPerformance())
)


@cache
def operator_doings(names: tuple[str, ...] = REFS, event: bool = True) -> st.SearchStrategy[tree.Doing]:
    changeable = (*STATS, *COUNTERS) if event else (*STATS,)
    doings: list[st.SearchStrategy[tree.Doing]] = [
        st.builds(tree.Gets, signed, words(changeable), st.one_of(st.none(), pers(names))),
        st.builds(tree.Gets, signed, words(changeable)),
        st.builds(tree.Multiplies, stats, st.integers(2, 9)),
        st.builds(tree.Divides, stats, st.integers(2, 9)),
        st.builds(tree.Fixes, stats, numerals),
        st.builds(tree.Ignores, st.sampled_from(IGNORABLE)),
        st.builds(tree.RollsExtra, positive, dice),
        st.builds(tree.MayReroll, positive, dice, st.booleans()),
        st.builds(tree.MakesDiceCritical, st.integers(2, 6)),
        st.just(tree.MakesAttackCritical()),
        st.builds(tree.CannotPerform, st.sampled_from([*ACTIONS])),
        st.just(tree.CannotBeAttacked()),
        st.just(tree.CannotHaveDefence()),
        st.builds(tree.GainsRuleviolation, st.integers(2, 6)),
        st.builds(tree.GainsBonus, st.sampled_from((*ACTIONS, "ANY"))),
    ]
    if event:
        doings.append(st.builds(tree.Becomes, st.sampled_from(("EXHAUSTED", "NORMAL", "OUT"))))
    return st.one_of(doings)


def _several(doing: st.SearchStrategy[tree.Doing]) -> st.SearchStrategy[tuple[tree.Doing, ...]]:
    return st.lists(doing, min_size=1, max_size=3).map(tuple)


durations = st.one_of(st.none(), st.sampled_from(DURATIONS).map(tree.Duration))


@cache
def acts() -> st.SearchStrategy[tree.Act]:
    who = st.one_of(
        refs(),
        st.builds(tree.One, groups()),
        st.builds(tree.Every, groups()),
        st.sampled_from(("owner", "opponent")).map(tree.Player),
    )
    return st.builds(tree.Act, who, _several(st.one_of(operator_doings(), player_doings)), durations)


def clauses(act: st.SearchStrategy[tree.Act]) -> st.SearchStrategy[tree.Clause]:
    return st.one_of(act, act, st.recursive(act, lambda c: st.builds(tree.Either, c, c), max_leaves=3))


@cache
def effects() -> st.SearchStrategy[tree.Effect]:
    """Any tree that the parser can build."""
    sentence = st.builds(
        tree.Sentence,
        st.lists(clauses(acts()), min_size=1, max_size=3).map(tuple),
        st.one_of(st.none(), st.sampled_from(PLAIN_TRIGGERS).map(tree.When)),
        st.one_of(st.none(), conditions()),
    )
    built = st.lists(sentence, min_size=1, max_size=3).map(lambda parts: tree.Effect(tuple(parts)))
    return built.filter(lambda effect: len(print_effect(effect)) <= MOST_CHARACTERS)


# ------------------------------------------------------------------------------------------------- sensible


@cache
@st.composite
def _sensible_acts(draw: st.DrawFn, names: tuple[str, ...], event: bool, attack: bool) -> tree.Act:
    if event and draw(st.integers(0, 3)) == 0:
        player = draw(st.sampled_from(("owner", "opponent")))
        return tree.Act(tree.Player(player), draw(_several(player_doings)))
    choices = [st.builds(tree.Every, groups(names))]
    choices += [refs(names)] * 2 if names else []
    choices += [st.builds(tree.One, groups(names))] if event else []
    who = draw(st.one_of(choices))
    doings = draw(_several(operator_doings(names, event)))
    act = tree.Act(who, doings)
    lasts = any(_lasts(doing) for doing in doings)
    if not event or not lasts:
        return act
    possible = DURATIONS if attack else DURATIONS[1:]
    return tree.Act(who, doings, tree.Duration(draw(st.sampled_from(possible))))


def _lasts(doing: tree.Doing) -> bool:
    if isinstance(doing, tree.Gets):
        return doing.what.text not in COUNTERS
    return not isinstance(doing, (tree.Becomes, tree.GainsBonus))


@cache
@st.composite
def sensible_sentences(draw: st.DrawFn, role: Role, events: bool = True) -> tree.Sentence:
    facts = scope_of(tree.Sentence(()), role).facts
    triggers: list[str | None] = [
        name for name in facts.triggers if name in PLAIN_TRIGGERS and (events or not TRIGGERS[name].event)
    ]
    if role not in (Role.EFFECT, Role.PERFORMANCE):
        triggers.append(None)
    name = draw(st.sampled_from(triggers))
    when = tree.When(name) if name else None
    scope = scope_of(tree.Sentence((), when), role)
    names = tuple(scope.sides)
    condition = draw(st.one_of(st.none(), conditions(names, scope.attack)))
    act = _sensible_acts(names, scope.event, scope.attack)
    parts = draw(st.lists(clauses(act), min_size=1, max_size=2)) if scope.event else [draw(act)]
    return tree.Sentence(tuple(parts), when, condition)


@cache
@st.composite
def sensible(draw: st.DrawFn) -> tuple[Role, tree.Effect]:
    """A role and an effect without a finding in it."""
    role = draw(st.sampled_from(Role))
    sentences = draw(st.lists(sensible_sentences(role), min_size=1, max_size=3))
    effect = tree.Effect(tuple(sentences))
    assert check_effect(effect, role, NAMES) == ()
    return role, effect
