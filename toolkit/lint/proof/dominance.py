"""Dominance: whether one effect is certainly at least as good for its controller as another of the same role.

Each good thing of the worse effect must be there in the better one, at least as strong, for the same or more
OPERATORs and under the same or fewer conditions; each bad thing of the better one the other way round.
Whatever may be good or bad must be the same in both. True is proven; False means unknown.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.dsl.tree import walk
from toolkit.lint.context import EffectContext, Given, changed_stat, side_of
from toolkit.lint.proof.atomic_effects import AtomicEffect, is_subset, normalized
from toolkit.lint.proof.domains import Domains
from toolkit.lint.proof.polynomials import Variables
from toolkit.lint.proof.satisfiability import can_hold

_BAD = ("HITCOUNTER", "DAMAGE")
"""Of these less is better for whoever has or takes them."""

_BECOMES_HIT = frozenset(("DP", "HITCOUNTER", "status"))
_HEARD = {
    "self-becomes-hit": _BECOMES_HIT,
    "own-becomes-hit": _BECOMES_HIT,
    "enemy-becomes-hit": _BECOMES_HIT,
    "becomes-hit": _BECOMES_HIT,
    "would-become-hit": _BECOMES_HIT,
    "becomes-out": frozenset(("status",)),
    "reaches": frozenset(("OBJECTIVECOUNTER",)),
    "captures": frozenset(("OBJECTIVECOUNTER",)),
}
"""The numbers of play on which it depends whether an event happens; `gets` and `loses` name theirs."""


class Benefit(Struct, frozen=True):
    """What an atomic effect is worth to its controller.

    ``shape`` is what two of them share if their ``level`` can be compared; the higher level is the better
    one. ``good`` says whether it is better than nothing.
    """

    shape: Hashable
    level: int
    good: bool


class RatedEffect:
    """An atomic effect with its benefit, its key, and the numbers of play that it depends on.

    Each is computed once: sets of 10,000 cards compare an effect with hundreds of others.
    """

    def __init__(self, effect: AtomicEffect) -> None:
        self.effect = effect
        self.benefit: Benefit | None = benefit_of(effect)

    @cached_property
    def key(self) -> Hashable:
        """Equal for effects that say the same."""
        return self.effect.key()

    @cached_property
    def reads(self) -> frozenset[str]:
        """The numbers of play on which it depends whether, on whom and how often it acts."""
        effect = self.effect
        when = effect.trigger
        read_nodes: list[object] = [effect.condition, effect.who, when and when.subject]
        if isinstance(effect.done, tuple):
            read_nodes += effect.done
        else:
            done: tree.Node = effect.done
            read_nodes += [getattr(done, "per", None), getattr(done, "bound", None)]
        heard = _HEARD.get(when.name, frozenset()) if when else frozenset()
        if when and when.what:
            heard |= {when.what.text}
        return heard | {word for node in read_nodes if node is not None for word in _quantities(node)}

    @property
    def changes(self) -> set[str]:
        """The numbers of play that it changes."""
        doing = self.effect.done
        if not isinstance(doing, tree.Node):
            return set()
        form = tree.form_of(doing)
        if form.changes is None:
            return set()
        values = {name: getattr(doing, name) for name in form.fields}
        words = {name: getattr(value, "text", value) for name, value in values.items()}
        return {form.changes.format(**words)}


def _quantities(node: object) -> Iterable[str]:
    """Yield the numbers, and `RANGE` or `status`, that a condition or filter depends on."""
    for inner_node in walk(node):
        if isinstance(inner_node, (tree.QuantityOf, tree.QuantityFilter, tree.Superlative)):
            word = inner_node.quantity
            yield word.text if isinstance(word, tree.Marker) else word.text.partition(" ")[0]
        elif isinstance(inner_node, (tree.CardsInHand, tree.NumberOfCards)):
            yield "hand"  # what is drawn or discarded changes DECK and DISCARDZONE, too
        elif isinstance(inner_node, (tree.HasReached, tree.Captured)):
            yield "OBJECTIVECOUNTER"
        elif isinstance(inner_node, tree.Damage):
            yield from ("AP", "EP", "DAMAGE")
        elif isinstance(inner_node, tree.InRange) or (
            isinstance(inner_node, tree.Stands) and inner_node.relation == "in RANGE"
        ):
            yield "RANGE"
        elif isinstance(inner_node, (tree.HasStatus, tree.StatusFilter)):
            yield from ("DP", "HITCOUNTER", "status")  # what makes an OPERATOR HIT (H-1)


def benefit_of(effect: AtomicEffect) -> Benefit | None:
    """Return the benefit; None where it may be good or bad.

    So it is with a Fix, `ignores`, a status, a choice, chance, markers, places, with both players, and with
    what depends on how many cards were discarded.
    """
    if effect.who is None or isinstance(effect.done, tuple) or getattr(effect.who, "random", False):
        return None
    done: tree.Node = effect.done  # mypy compares each of its 30 types otherwise
    if getattr(done, "extent", "") == "up to":
        return None
    if any(isinstance(node, tree.Discarded) for node in walk(done)):
        return None
    if isinstance(effect.who, tree.Player):
        side: str | None = _SIDE_OF_PLAYER.get(effect.who.name)
    else:
        side = side_of(effect.who, effect.scope)
    for_receiver = _benefit_for_receiver(effect.done)
    if side is None or for_receiver is None:
        return None
    shape, level, good = for_receiver.shape, for_receiver.level, for_receiver.good
    if side == "own":
        return Benefit((side, shape), level, good)
    return Benefit((side, shape), -level, not good)  # what is bad for the enemy is good for the controller


_SIDE_OF_PLAYER = {"owner": "own", "opponent": "enemy"}


def _benefit_for_receiver(doing: tree.Doing) -> Benefit | None:
    """Return what a doing is worth to the OPERATOR or player it is done to; None if it may be good or bad."""
    if isinstance(doing, tree.Gets):
        return _amount(doing)
    if isinstance(doing, tree.Limits):
        return _limit(doing)
    form, number = tree.form_of(doing), tree.number_of(doing)
    node: tree.Node = doing
    if form.good is None or getattr(node, "random", False):
        return None
    other_fields = (
        getattr(node, name)
        for name in tree.compared_fields(type(node))
        if number is None or name != number.field
    )
    stat = changed_stat(doing)
    changes_bad_number = stat is not None and stat.text in _BAD
    good = form.good != changes_bad_number
    more_is_better = good != form.less_is_more
    number_value = 1 if number is None else number.value
    return Benefit((form.node, *other_fields), number_value if more_is_better else -number_value, good)


def _limit(doing: tree.Limits) -> Benefit:
    """A higher limit is better, upper or lower, but for DAMAGE; only plain numbers can be compared (E-26)."""
    is_bad_number = doing.stat.text in _BAD
    bound, level = doing.bound, 0
    if isinstance(bound, tree.Constant):  # the level says which, so all plain numbers have one shape
        bound, level = tree.Constant(0), bound.value
    shape = (doing.stat.text, bound, doing.at_least)
    return Benefit(shape, -level if is_bad_number else level, doing.at_least != is_bad_number)


def _amount(doing: tree.Gets) -> Benefit | None:
    """More is better, but for HITCOUNTER and DAMAGE. What is counted is never below 0 unless it subtracts."""
    per = doing.per
    if isinstance(doing.what, tree.Marker):
        return None  # what it is good for the effects say that ask for it
    if per is not None and any(
        isinstance(node, tree.Negative) or (isinstance(node, tree.Binary) and node.operator == "-")
        for node in walk(per.what)
    ):
        return None
    counted = () if per is None else (normalized(per.what, {}), per.maximum)
    level = -doing.amount if doing.what.text in _BAD else doing.amount
    return Benefit(("gets", doing.what.text, *counted), level, good=level > 0)


def at_least_as_good(
    better: Sequence[RatedEffect], worse: Sequence[RatedEffect], changed: frozenset[str] = frozenset()
) -> bool:
    """Whether the first effect is in everything at least as good as the second. True is proven.

    It has a good thing for each one that only the second has, and no bad thing without one there. ``changed``
    are stats in which the bearers differ anyway. An effect that reads a number in which the two cards differ
    could act in one of them only; then nothing is proven.
    """
    only_better, only_worse = differences(better, worse)
    if any(rated_effect.benefit is None for rated_effect in (*only_better, *only_worse)):
        return False
    gains, losses = _split(only_better), _split(only_worse)
    if not _matched(losses.good, gains.good, lambda lost, gained: covers(gained.effect, lost.effect)):
        return False
    if not _matched(gains.bad, losses.bad, _harms_no_more):
        return False
    differing = changed | {
        stat for rated_effect in (*only_better, *only_worse) for stat in rated_effect.changes
    }
    judged = [*better, *(rated_effect for rated_effect in worse if rated_effect not in losses.good)]
    return not any(rated_effect.reads & differing for rated_effect in judged)


def differences(
    better: Sequence[RatedEffect], worse: Sequence[RatedEffect]
) -> tuple[list[RatedEffect], list[RatedEffect]]:
    """Return what only the first and what only the second does."""
    only_better, only_worse = [], list(worse)
    for rated_effect in better:
        common = next((other for other in only_worse if _is_same(rated_effect, other)), None)
        if common is None:
            only_better.append(rated_effect)
        else:
            only_worse.remove(common)
    return only_better, only_worse


def _is_same(rated_effect: RatedEffect, other: RatedEffect) -> bool:
    """Whether two say the same. Keys are expensive; benefit and trigger already separate most pairs."""
    benefit, other_benefit = rated_effect.benefit, other.benefit
    if benefit is not None and other_benefit is not None:
        if benefit.shape != other_benefit.shape or benefit.level != other_benefit.level:
            return False
    elif benefit is not other_benefit or rated_effect.effect.when != other.effect.when:
        return False
    return rated_effect.key == other.key


class _GoodAndBad(NamedTuple):
    """Effects by what they are for their controller."""

    good: list[RatedEffect]
    bad: list[RatedEffect]


def _split(effects: Iterable[RatedEffect]) -> _GoodAndBad:
    """Return the effects whose benefit is known by whether they are good."""
    split = _GoodAndBad([], [])
    for rated_effect in effects:
        if rated_effect.benefit is not None:
            (split.good if rated_effect.benefit.good else split.bad).append(rated_effect)
    return split


def _matched(
    needing: list[RatedEffect],
    offered: list[RatedEffect],
    fits: Callable[[RatedEffect, RatedEffect], bool],
) -> bool:
    """Whether each has a partner of its own that is at least as good for the controller of the better one."""
    free = list(offered)
    for rated_effect in needing:
        partner = next(
            (other for other in free if _at_level(rated_effect, other) and fits(rated_effect, other)), None
        )
        if partner is None:
            return False
        free.remove(partner)
    return True


def _at_level(rated_effect: RatedEffect, other: RatedEffect) -> bool:
    """Whether a good thing is matched by one of at least its level, a bad thing by one that is no better.

    The higher level is always the better one: that of a bad thing does less harm.
    """
    needed, offered = rated_effect.benefit, other.benefit
    if needed is None or offered is None or needed.shape != offered.shape:
        return False
    return offered.level >= needed.level if needed.good else needed.level >= offered.level


def _harms_no_more(rated_effect: RatedEffect, other: RatedEffect) -> bool:
    """Whether a bad thing of the better effect acts only when that of the worse does, and on no others.

    Of several OPERATORs the controller chooses the one that is harmed least, so there the GROUP is the same.
    """
    if isinstance(rated_effect.effect.who, tree.One) and rated_effect.effect.who != other.effect.who:
        return False
    return covers(other.effect, rated_effect.effect)


def covers(wide: AtomicEffect, narrow: AtomicEffect) -> bool:
    """Whether the first acts whenever the second does, on all that the second acts on, and as long.

    True is proven; False means unknown.
    """
    if wide.duration != narrow.duration:
        return False
    if wide.when != narrow.when:
        # without a trigger and a condition it acts all the time, so in attacks too; events are moments
        always = wide.when is None and not wide.scope.event and wide.condition is None
        if not (always and narrow.scope.attack and not narrow.scope.event):
            return False
    return _means_all(wide, narrow) and _follows(wide, narrow)


def _means_all(wide: AtomicEffect, narrow: AtomicEffect) -> bool:
    """Whether the first certainly means everybody whom the second means."""
    wide_who, other = wide.who, narrow.who
    if isinstance(wide_who, tree.Every) and isinstance(other, tree.Every):
        return is_subset(other.group, wide_who.group, narrow.scope.parts)
    if isinstance(wide_who, tree.Ref) and isinstance(other, tree.Ref):
        parts = narrow.scope.parts
        return wide_who.name == other.name or (
            wide.when == narrow.when and normalized(wide_who, parts) == normalized(other, parts)
        )
    return wide_who == other


def _follows(wide: AtomicEffect, narrow: AtomicEffect) -> bool:
    """Whether the condition of the first holds wherever that of the second does.

    A condition follows from another if that one cannot hold while it fails.
    """
    if wide.condition is None:
        return True
    if narrow.condition is None:
        return False
    if normalized(wide.condition, wide.scope.parts) == normalized(narrow.condition, narrow.scope.parts):
        return True
    context = EffectContext(narrow.scope.role, given=Given(fixed_range=False))
    variables = Variables(Domains(narrow.scope, context))
    return not can_hold(tree.AllOf((narrow.condition, tree.Not(wide.condition))), variables)
