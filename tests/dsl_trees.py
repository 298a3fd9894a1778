"""Random syntax trees of the effect language: every tree that the parser can build, and nothing else.

``effects()`` gives any such tree, sensible or not; ``sensible()`` gives pairs of a role and an effect without
a finding in it. What builds a strategy is cached: Hypothesis checks each new one and looks up the types of
what it builds, which took a third of the time of these laws. Little is drawn to be thrown away: a filter
that fails three times, or a leaf too many in ``st.recursive``, costs all that was drawn before.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.checking import check_effect
from toolkit.dsl.clause_checks import needs_duration
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.names import MarkerFacts, Names
from toolkit.dsl.parsing import MAX_CHARACTERS
from toolkit.dsl.scope import scope_of
from toolkit.vocabulary import ACTIONS, COUNTERS, FACTS, IGNORABLE, STATS, STATUSES, TRIGGERS, Role

REFS = ("self", "target", "attacker", "attacked", "it")
TEAMS = ("night-owls", "red-foxes")
TRAITS = ("sniper", "medic")
KEYWORDS = ("steadfast", "swift")
MARKERS = {"intel": MarkerFacts(False, 99), "supply": MarkerFacts(True, 99)}
INTEL, SUPPLY = tree.Marker('MARKER "intel"'), tree.Marker('MARKER "supply"')
QUANTITIES = (*STATS, *(f"{stat} VALUE" for stat in STATS), *COUNTERS, *FACTS)
COMPARES = ("=", "!=", "<", "<=", ">", ">=")
DURATIONS = ("ATTACK", "TURN", "ROUND", "own TURN", "FIELD", "permanently")
CARD_KINDS = ("ATTACK", "DEFENCE", "EFFECT", "STRATEGY")
ZONES = ("hand", "DECK", "DISCARDZONE")
LOST = ("card", "ATTACK card", "DEFENCE card", "ITEM")
DESTINATIONS = ("into the hand", "onto the DECK", "under the DECK", "into the DISCARDZONE")
PLAIN_TRIGGERS = tuple(name for name, one in TRIGGERS.items() if one.needs_self or not one.pattern)
TRIGGERS_OF_SOMEBODY = tuple(name for name, one in TRIGGERS.items() if one.pattern)
NAMES = Names(TEAMS, TRAITS, TRAITS, KEYWORDS, MARKERS)

numerals = st.integers(0, 12)
positive = st.integers(1, 12)
signed = st.sampled_from((*range(1, 10), *range(-1, -10, -1)))
sides = st.sampled_from(("own", "enemy"))


def words(texts: tuple[str, ...]) -> st.SearchStrategy[tree.Word]:
    return st.sampled_from([tree.Word(text) for text in texts])


def refs(names: tuple[str, ...] = REFS) -> st.SearchStrategy[tree.Ref]:
    return st.sampled_from([tree.Ref(name) for name in names])


def seldom(strategy: st.SearchStrategy) -> st.SearchStrategy:
    """Mostly nothing, so that groups stay as short as people write them, now and then something."""
    return st.one_of(st.none(), st.none(), st.none(), strategy)


@cache
def maybe(strategy: st.SearchStrategy) -> st.SearchStrategy:
    """It, or nothing."""
    return st.one_of(st.none(), strategy)


@cache
def up_to(most: int, strategy: st.SearchStrategy) -> st.SearchStrategy[list[Any]]:
    """One to so many of it."""
    return st.lists(strategy, min_size=1, max_size=most)


_Joint = tuple[int, int, Callable[[st.DrawFn, list[Any]], Any]]
"""The least and the most parts of what is put together, and how it is."""


def nested(
    leaf: st.SearchStrategy, joints: tuple[_Joint, ...], most: int, plain: int = 1
) -> st.SearchStrategy:
    """Trees of so many leaves at most; for each that is put together, so many are a leaf alone."""
    possible = {
        room: st.sampled_from([*[None] * len(found) * plain, *found])
        for room in range(1, most + 1)
        if (found := [joint for joint in joints if joint[0] <= room])
    }

    def grown(draw: st.DrawFn, room: int, depth: int) -> tuple[Any, int]:
        joint = draw(possible[room]) if depth and room in possible else None
        if joint is None:
            return draw(leaf), 1
        least, greatest, made_of = joint
        number = least if least == min(greatest, room) else draw(st.integers(least, min(greatest, room)))
        parts: list[Any] = []
        used = 0
        for behind in reversed(range(number)):
            part, leaves = grown(draw, room - used - behind, depth - 1)
            parts.append(part)
            used += leaves
        return made_of(draw, parts), used

    @st.composite
    def tree_of_leaves(draw: st.DrawFn) -> Any:
        return grown(draw, most, 3)[0]

    return tree_of_leaves()


rarely = st.sampled_from((False,) * 5 + (True,))
quantities: st.SearchStrategy[tree.Word] = st.sampled_from([*map(tree.Word, QUANTITIES), *[INTEL] * 6])
compares = st.sampled_from(COMPARES)
_OF_AN_OPERATOR = [tree.Bearing("TEAM", tree.Word(team)) for team in TEAMS] + [
    tree.Bearing("trait", tree.Word(trait)) for trait in TRAITS
]
_KEYWORDS = [tree.Bearing("KEYWORD", tree.Word(keyword)) for keyword in KEYWORDS]
_CARDS = [tree.Bearing(card) for card in LOST]
bearings = st.sampled_from([*_OF_AN_OPERATOR * 2, *_KEYWORDS * 2, *_CARDS])
bearings_of_first_edition = st.sampled_from([*_OF_AN_OPERATOR * 2, *_CARDS])


_With = tree.QuantityFilter | tree.BearingFilter


@cache
def _having(
    names: tuple[str, ...],
) -> st.SearchStrategy[tuple[tree.QuantityFilter | tree.BearingFilter, ...]]:
    """What stands behind `with` and is no plain trait or number."""
    several = st.lists(bearings, min_size=2, max_size=3, unique=True)
    plain = st.sampled_from([*_KEYWORDS * 2, *_CARDS])
    parts: list[st.SearchStrategy[_With]] = [
        st.builds(lambda some: tree.BearingFilter(tuple(some)), several),
        st.builds(lambda one: tree.BearingFilter((one,), True), bearings),
        st.builds(lambda one: tree.BearingFilter((one,)), plain),
    ]
    if names:
        than = st.builds(tree.QuantityOf, quantities, refs(names))
        compared = st.builds(tree.QuantityFilter, quantities, compares, st.just(0), than=than)
        parts.append(compared)
    return st.tuples(st.one_of(parts))


statuses = words(STATUSES)
_several_statuses = st.lists(statuses, min_size=2, max_size=3, unique=True)


@cache
@st.composite
def _status(draw: st.DrawFn) -> tree.StatusFilter:
    if draw(rarely):
        first, *others = draw(_several_statuses)
        return tree.StatusFilter(first, others=tuple(others))
    return tree.StatusFilter(draw(statuses), draw(st.booleans()))


@cache
def groups(names: tuple[str, ...] = REFS, whole: bool = True) -> st.SearchStrategy[tree.Group]:
    """``whole``: with what the second edition adds."""
    some = refs(names) if names else st.nothing()
    has_self = "self" in names
    numbers = st.builds(
        tree.QuantityFilter, quantities if whole else words(QUANTITIES), compares, st.integers(-2, 12)
    )
    plain: dict[str, st.SearchStrategy] = {
        "team": words(TEAMS),
        "trait": words(TRAITS),
        "quantity": numbers,
        "status": _status() if whole else st.builds(tree.StatusFilter, words(STATUSES), st.booleans()),
    }
    others: dict[str, st.SearchStrategy] = {"adjacent": some, "opposite": some} if names else {}
    others |= {"team_of": some} if names and whole else {}
    if whole:
        superlative = maybe(st.builds(tree.Superlative, quantities, st.booleans()))
        others |= {"having": _having(names), "superlative": superlative}
    ranges = st.builds(tree.InRange, st.one_of(st.none(), some) if has_self else some)

    @st.composite
    def group(draw: st.DrawFn) -> tree.Group:
        fields: dict[str, Any] = {}
        for parts in (plain, others):  # of one draw, as `seldom` is of each: mostly none of them
            there = draw(_BITS)
            fields |= {
                name: draw(parts[name]) for place, name in enumerate(parts) if there >> 2 * place & 3 == 3
            }
        bits = draw(_BITS)
        if names and bits & 16:
            fields["in_range"] = draw(ranges)
        elif whole:
            fields["savezone"] = bits & 7 == 7
        if "team" in fields:
            fields.pop("team_of", None)
        status = fields.get("status")
        if status and not status.negated and not status.others and bits & 32:
            fields["order"] = ("adjective",)
        return _as_written(tree.Group(draw(_any_side), other=has_self and bool(bits & 8), **fields))

    return group()


_BITS = st.integers(0, 2**8 - 1)  # of more bits, the upper ones would hardly ever be set
_any_side = st.sampled_from(("own", "enemy", "any"))


def _as_written(group: tree.Group) -> tree.Group:
    """Without what would be said twice: two bounds of one number in the same direction."""
    bounds = [
        (part.quantity.text, part.compare[0]) for part in group.withs if isinstance(part, tree.QuantityFilter)
    ]
    return replace(group, having=()) if len(set(bounds)) < len(bounds) else group


@cache
def numbers(names: tuple[str, ...] = REFS, whole: bool = True) -> st.SearchStrategy[tree.Number]:
    player = st.sampled_from((tree.Player("owner"), tree.Player("opponent")))
    leaves: list[st.SearchStrategy[tree.Number]] = [
        st.builds(tree.Constant, numerals),
        st.builds(tree.NumberOf, groups(names, whole)),
        st.builds(tree.CardsInHand, sides),
        st.just(tree.Round()),
    ]
    if whole:
        leaves += [
            st.builds(tree.NumberOfCards, st.sampled_from(CARD_KINDS), sides, st.sampled_from(ZONES)),
            st.builds(tree.NumberOfCards, st.none(), sides, st.sampled_from(ZONES[1:])),
            st.builds(tree.MarkerOfPlayer, st.just(SUPPLY), player),
            st.builds(tree.Captured, player),
        ]
        leaves += [st.just(tree.Damage())] if "attacked" in names else []
    if names:
        leaves.insert(0, st.builds(tree.QuantityOf, quantities if whole else words(QUANTITIES), refs(names)))
    joints: list[_Joint] = [(1, 1, lambda _, parts: tree.Negative(*parts)), (2, 2, _binary)]
    joints += [(1, 1, _quotient)] if whole else []
    return nested(st.one_of(leaves), tuple(joints), 3)


def _quotient(draw: st.DrawFn, parts: list[tree.Number]) -> tree.Number:
    return tree.Binary("/", *parts, tree.Constant(draw(st.integers(2, 9))))


def _binary(draw: st.DrawFn, parts: list[tree.Number]) -> tree.Number:
    return tree.Binary(draw(_operators), *parts)


_operators = st.sampled_from(("+", "-", "*"))


@cache
def conditions(
    names: tuple[str, ...] = REFS, attack: bool = True, whole: bool = True
) -> st.SearchStrategy[tree.Condition]:
    number = numbers(names, whole)
    plain: list[st.SearchStrategy[tree.Condition]] = [
        st.builds(tree.Comparison, number, compares, number),
        st.builds(tree.Comparison, number, compares, st.builds(tree.Constant, numerals)),
    ]
    plain += [st.builds(tree.TurnIs, sides, st.booleans())] if whole else []
    if names:
        one = refs(names)
        if whole:
            performed = st.builds(tree.HasPerformed, one, st.sampled_from([*ACTIONS]), st.booleans())
            mates = st.builds(tree.HasTeamOf, one, one, st.booleans())
            plain += [st.builds(tree.HasReached, one, st.booleans()), performed, mates]
        borne = bearings if whole else bearings_of_first_edition
        plain += [
            st.builds(tree.HasStatus, one, words(STATUSES), st.booleans()),
            st.builds(
                tree.Stands, one, st.sampled_from(("in RANGE", "adjacent", "opposite")), one, st.booleans()
            ),
            st.builds(
                lambda ref, bearing, negated: tree.Bears(ref, bearing.what, bearing.name, negated),
                one,
                borne,
                st.booleans(),
            ),
        ]
    if attack:
        plain.append(st.builds(tree.AttackIsCritical, st.booleans()))
    joints: tuple[_Joint, ...] = (
        (1, 1, lambda _, parts: tree.Not(*parts)),
        (2, 3, lambda _, parts: tree.AllOf(tuple(parts))),
        (2, 3, lambda _, parts: tree.AnyOf(tuple(parts))),
    )
    return nested(st.one_of(plain), joints, 4)


@cache
def pers(names: tuple[str, ...] = REFS) -> st.SearchStrategy[tree.Per]:
    counted = st.one_of(groups(names), numbers(names), st.just(tree.Discarded()))
    return st.builds(tree.Per, counted, st.one_of(st.none(), positive))


@cache
def chosen(names: tuple[str, ...] = REFS) -> st.SearchStrategy[tree.One]:
    """`one`, `two`, `up to three`, with and without `random`."""
    counts = st.sampled_from(((1, False), (1, False), (2, False), (3, False), (2, True), (3, True)))
    choosers = st.sampled_from((None, None, None, "opponent", "owner"))
    return st.builds(
        lambda group, count, random, chooser: tree.One(
            group, count=count[0], up_to=count[1], random=random, chooser=None if random else chooser
        ),
        groups(names),
        counts,
        rarely,
        choosers,
    )


dice = st.sampled_from(("ATTACK", "DEFENCE"))
shown = st.builds(tree.Shown, compares, st.integers(1, 6))
stats = words((*STATS,))
scaled = words((*STATS, *STATS, "DAMAGE"))
kinds = st.one_of(st.none(), st.sampled_from(CARD_KINDS))
sources = st.one_of(
    st.builds(tree.Source, sides, st.sampled_from(ZONES)),
    st.builds(tree.Source, sides, st.just("DECK"), st.integers(1, 5)),
)


lasting_player_doings: st.SearchStrategy[tree.Doing] = st.one_of(
    st.builds(tree.CannotPlay, st.sampled_from(CARD_KINDS)), st.just(tree.CannotDraw())
)


@st.composite
def _of_cards(draw: st.DrawFn, verb: Any, **fields: st.SearchStrategy) -> tree.Doing:
    """A verb of so many, `up to` so many or `all` cards."""
    extent = draw(st.sampled_from(("exactly", "exactly", "up to", "all")))
    values = {name: draw(strategy) for name, strategy in fields.items()}
    if extent != "exactly" and "per" in values:
        values["per"] = None
    is_all = extent == "all"
    count, random = None if is_all else draw(positive), not is_all and draw(rarely)
    doing: tree.Doing = verb(count=count, random=random, extent=extent, **values)
    return doing


@cache
def player_doings(names: tuple[str, ...] = REFS) -> st.SearchStrategy[tree.Doing]:
    per = seldom(pers(names))
    return st.one_of(
        st.builds(tree.Draws, positive, per=per),
        _of_cards(tree.Discards, kind=kinds, per=per),
        st.just(tree.FulfilsPerformance()),
        st.builds(tree.RollsDie, st.integers(2, 6)),
        _of_cards(tree.DiscardsStrategy, side=st.one_of(st.none(), sides)),
        st.sampled_from((tree.DiscardsThisCard(), tree.Shuffles())),
        st.builds(tree.PutsThisCard, st.sampled_from(DESTINATIONS[:3])),
        st.builds(tree.FetchesItems, positive),
        st.builds(tree.LooksAt, sources),
        _of_cards(tree.Puts, source=sources, to=st.sampled_from(DESTINATIONS), kind=kinds),
        st.builds(tree.Gets, signed, st.just(SUPPLY), seldom(pers(names))),
        st.sampled_from((tree.WinsGame(), tree.LosesGame())),
        lasting_player_doings,
    )


@cache
def operator_doings(names: tuple[str, ...] = REFS, event: bool = True) -> st.SearchStrategy[tree.Doing]:
    changeable = (*STATS, "DAMAGE", "RANGE", *(COUNTERS if event else ()))
    doings: list[st.SearchStrategy[tree.Doing]] = [
        st.builds(tree.Gets, signed, words(changeable), st.one_of(st.none(), pers(names))),
        st.builds(tree.Gets, signed, words(changeable)),
        st.builds(tree.Multiplies, scaled, st.integers(2, 9)),
        st.builds(tree.Divides, scaled, st.integers(2, 9)),
        st.builds(tree.Fixes, scaled, numerals),
        st.builds(tree.Limits, scaled, numbers(names), st.booleans()),
        st.builds(tree.Ignores, st.sampled_from(IGNORABLE)),
        st.builds(tree.RollsExtra, positive, dice),
        st.builds(tree.MayReroll, positive, dice, st.booleans(), seldom(shown)),
        st.builds(tree.KeepsDice, st.integers(1, 9), st.booleans(), dice),
        st.builds(tree.SetsDice, positive, dice, st.integers(1, 6), st.booleans()),
        st.builds(tree.MakesDiceCritical, st.integers(2, 6)),
        st.just(tree.MakesAttackCritical()),
        st.builds(tree.CannotPerform, st.sampled_from([*ACTIONS, "BONUS"])),
        st.sampled_from((tree.CannotBeAttacked(), tree.CannotHaveDefence())),
        st.builds(tree.CannotHave, st.sampled_from(("ATTACK cards", "ITEMs", "cards"))),
        st.sampled_from((tree.CannotMakeCritical(), tree.CannotLoseHitcounter())),
        st.builds(tree.GainsRuleviolation, st.integers(2, 6)),
        st.builds(tree.GainsBonus, st.sampled_from((*ACTIONS, "ANY"))),
        st.builds(tree.GainsKeyword, words(KEYWORDS)),
        st.builds(tree.GainsTrait, words(TRAITS)),
    ]
    if event:
        partners: list[st.SearchStrategy[tree.Ref | tree.One]] = [
            st.builds(tree.One, groups(names), random=rarely),
            *([refs(names)] if names else []),
        ]
        doings += [
            st.builds(tree.Becomes, st.sampled_from(("EXHAUSTED", "NORMAL", "OUT"))),
            st.builds(tree.Gets, signed, st.just(INTEL), seldom(pers(names))),
            st.builds(tree.SwapsPlaces, st.one_of(partners)),
            st.builds(tree.TakesItem, st.one_of(partners)),
            st.sampled_from((tree.Advances(), tree.Retreats(), tree.EntersField())),
            st.sampled_from((tree.LosesSkills(), tree.BecomesTarget())),
            st.builds(tree.Loses, st.sampled_from(LOST)),
            st.builds(tree.Performs, st.sampled_from([*ACTIONS])),
        ]
    return st.one_of(doings)


@cache
def _several(doing: st.SearchStrategy[tree.Doing]) -> st.SearchStrategy[tuple[tree.Doing, ...]]:
    return up_to(3, doing).map(tuple)


durations = st.sampled_from([*[None] * len(DURATIONS), *map(tree.Duration, DURATIONS)])
players = st.sampled_from([*map(tree.Player, ("owner", "opponent", "each player"))])


@cache
def acts() -> st.SearchStrategy[tree.Act]:
    who = st.one_of(refs(), chosen(), st.builds(tree.Every, groups()), players)
    doing = st.one_of(operator_doings(), player_doings())
    return st.builds(tree.Act, who, _several(doing), durations, may=rarely)


@cache
def clauses(act: st.SearchStrategy[tree.Act]) -> st.SearchStrategy[tree.Clause]:
    return nested(act, ((2, 2, lambda _, parts: tree.Either(*parts)),), 3, plain=3)


@cache
def subjects(names: tuple[str, ...] = REFS) -> st.SearchStrategy[tree.Ref | tree.Group]:
    """Whom a trigger speaks of."""
    group = groups(tuple(name for name in names if name in ("self", "it")) if names else names)
    return st.one_of(st.just(tree.Ref("self")), group) if "self" in names else group


@cache
@st.composite
def triggers(draw: st.DrawFn, name: str, names: tuple[str, ...] = REFS) -> tree.When:
    """A trigger of that name, with its subject and what it asks for."""
    if not TRIGGERS[name].pattern or (TRIGGERS[name].needs_self and draw(st.booleans())):
        return tree.When(name)
    subject = draw(subjects(names))
    if subject == tree.Ref("self"):
        # `self attacks` is `attacking`, and some are named for self
        if name in ("attacks", "is-attacked", "becomes-hit", "reaches", "captures"):
            subject = draw(groups(tuple(one for one in names if one == "self")))
        else:
            return tree.When(name, subject=subject, what=draw(_what(name)))
    if name in ("attacks", "is-attacked", "becomes-hit") and subject in _PLAIN_SUBJECTS:
        subject = tree.Group(subject.side, status=tree.StatusFilter(tree.Word("EXHAUSTED")))
    return tree.When(name, subject=subject, what=draw(_what(name)))


_PLAIN_SUBJECTS = (tree.Group("own"), tree.Group("enemy"))


@cache
def _what(name: str) -> st.SearchStrategy[tree.Word | None]:
    if name == "performs":
        return words((*ACTIONS, "ACTION"))
    return st.one_of(words(COUNTERS), st.just(INTEL)) if name in ("gets", "loses") else st.none()


@cache
def all_links(
    number: int, event: bool = True, branches: bool = True
) -> st.SearchStrategy[tuple[tree.Link, ...]]:
    """Links before so many clauses: one `if so` and then one `if not` at most."""
    if not event:
        return st.just(("and",) * number)
    plain = st.lists(st.sampled_from(("then", "and")), min_size=number, max_size=number)

    def branched(links: list[tree.Link], so: int, no: int) -> tuple[tree.Link, ...]:
        if so < number:
            links[so] = "if so"
        if no < number and (so >= number or no > so):
            links[no] = "if not"
        return tuple(links) if any(link != "then" for link in links) else ()

    if not branches:
        return st.builds(branched, plain, st.just(number), st.just(number))
    return st.builds(branched, plain, st.integers(0, number + 1), st.integers(0, number + 2))


limits = st.sampled_from([*[None] * 9, "TURN", "ROUND", "GAME"])


trigger_names = maybe(st.sampled_from(tuple(TRIGGERS)))


@cache
@st.composite
def _sentences(draw: st.DrawFn) -> tree.Sentence:
    said = draw(up_to(3, clauses(acts())))
    name = draw(trigger_names)
    condition = draw(maybe(conditions()))
    return tree.Sentence(
        tuple(said),
        draw(triggers(name)) if name else None,
        condition,
        links=draw(all_links(len(said) - 1)),
        limit=draw(limits),
        unless=isinstance(condition, tree.Not) and draw(st.booleans()),
    )


@cache
@st.composite
def effects(draw: st.DrawFn) -> tree.Effect:
    """Any tree that the parser can build."""
    effect = tree.Effect(tuple(draw(up_to(3, _sentences()))))
    assume(len(print_effect(effect)) <= MAX_CHARACTERS)
    return effect


# ------------------------------------------------------------------------------------------------- sensible


@cache
def _who(names: tuple[str, ...], event: bool) -> st.SearchStrategy[tree.Ref | tree.One | tree.Every]:
    """Whom a sensible clause is about."""
    choices: list[st.SearchStrategy] = [st.builds(tree.Every, groups(names))]
    choices += [refs(names)] * 2 if names else []
    choices += [chosen(names)] if event else []
    return st.one_of(choices)


@cache
@st.composite
def _sensible_acts(draw: st.DrawFn, names: tuple[str, ...], event: bool, attack: bool) -> tree.Act:
    may = event and draw(rarely)
    who: Any
    if draw(st.integers(0, 3 if event else 9)) == 0:
        who, of_who = (
            draw(players),
            _player_doings_in_turn(names) if event else _several(lasting_player_doings),
        )
    else:
        who, of_who = draw(_who(names, event)), _several(operator_doings(names, event))
    doings = draw(of_who)
    if any(isinstance(doing, (tree.PutsThisCard, tree.DiscardsThisCard)) for doing in doings):
        who = tree.Player("owner")
    act = tree.Act(who, doings, may=may)
    if not event or not any(map(needs_duration, doings)):
        return act
    possible = DURATIONS if attack else DURATIONS[1:]
    return tree.Act(who, doings, tree.Duration(draw(st.sampled_from(possible))), may=may)


@cache
def _player_doings_in_turn(names: tuple[str, ...]) -> st.SearchStrategy[tuple[tree.Doing, ...]]:
    """What players do, now and then for each card discarded before."""
    discards = _of_cards(tree.Discards, kind=kinds)
    draws = st.builds(
        tree.Draws, positive, per=st.builds(tree.Per, st.just(tree.Discarded()), maybe(positive))
    )
    several = _several(player_doings(names))
    return st.one_of(several, several, _several(lasting_player_doings), st.tuples(discards, draws))


redirects = st.builds(
    tree.Act,
    st.one_of(refs(("self",)), chosen(("self",))),
    st.just((tree.BecomesTarget(),)),
    may=st.booleans(),
)


@cache
@st.composite
def sensible_sentences(draw: st.DrawFn, role: Role, events: bool = True) -> tree.Sentence:
    facts = scope_of(tree.Sentence(()), role).facts
    possible: list[str | None] = [name for name in facts.triggers if events or not TRIGGERS[name].event]
    if role not in (Role.EFFECT, Role.PERFORMANCE):
        possible.append(None)
    name = draw(st.sampled_from(tuple(possible)))
    when = draw(triggers(name, ("self",) if facts.has_self else ())) if name else None
    scope = scope_of(tree.Sentence((), when), role)
    names = tuple(scope.sides)
    condition = draw(maybe(conditions(names, scope.attack)))
    act = _sensible_acts(names, scope.event, scope.attack)
    if name in ("attack-by-begins", "attack-on-begins") and facts.has_self:
        act = st.one_of(act, redirects)
    parts = draw(up_to(2, clauses(act) if scope.event else act))
    branches = not any(isinstance(part, tree.Either) for part in parts[:-1])
    links = draw(all_links(len(parts) - 1, scope.event, branches))
    return tree.Sentence(
        tuple(parts), when, condition, links=links, limit=draw(limits) if scope.event else None
    )


@cache
@st.composite
def sensible(draw: st.DrawFn) -> tuple[Role, tree.Effect]:
    """A role and an effect without a finding in it."""
    role = draw(st.sampled_from(Role))
    return role, tree.Effect(tuple(draw(up_to(3, sentences_without_findings(role)))))


@cache
def sentences_without_findings(role: Role) -> st.SearchStrategy[tree.Sentence]:
    return sensible_sentences(role).filter(lambda one: not _problems(one, role))


def _problems(sentence: tree.Sentence, role: Role) -> tuple[tree.Problem, ...]:
    return check_effect(tree.Effect((sentence,)), role, NAMES)
