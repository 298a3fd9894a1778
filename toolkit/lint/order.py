"""Whether one effect is certainly at least as good for its controller as another of the same role.

Each good thing of the worse effect must be there in the better one, at least as strong, for the same or more
OPERATORs and under the same or fewer conditions; each bad thing of the better one the other way round.
Whatever may be good or bad must be the same in both. No is not certain, yes is.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

from toolkit.dsl import tree
from toolkit.lint.atoms import Atom
from toolkit.lint.benefit import Benefit, benefit_of
from toolkit.lint.context import EffectContext
from toolkit.lint.dependence import changes, reads
from toolkit.lint.known import Known
from toolkit.lint.meaning import meaning
from toolkit.lint.polynomials import Terms
from toolkit.lint.proof import can_hold


class Weighed:
    """An atom with what it is worth, and what else is asked of it again and again; each is found out once.

    ``key`` is equal for atoms that say the same; ``changes`` and ``reads`` are the numbers of play that it
    changes, and on which it depends whether, on whom and how often it acts.
    """

    __slots__ = ("_key", "_reads", "atom", "benefit")

    def __init__(self, atom: Atom) -> None:
        self.atom = atom
        self.benefit: Benefit | None = benefit_of(atom)
        self._key: Hashable = None
        self._reads: frozenset[str] | None = None

    @property
    def key(self) -> Hashable:
        """Its key."""
        if self._key is None:
            self._key = self.atom.key()
        return self._key

    @property
    def reads(self) -> frozenset[str]:
        """What it depends on."""
        if self._reads is None:
            self._reads = reads(self.atom)
        return self._reads


def at_least_as_good(
    better: Sequence[Weighed], worse: Sequence[Weighed], changed: frozenset[str] = frozenset()
) -> bool:
    """Whether the first effect is in everything at least as good as the second; True is certain.

    ``changed`` are stats in which the bearers differ anyway.
    """
    more, less = differences(better, worse)
    if any(one.benefit is None for one in (*more, *less)):
        return False
    gains, losses = _split(more), _split(less)
    if not _matched(losses[True], gains[True], lambda bad, good: covers(good.atom, bad.atom)):
        return False
    if not _matched(gains[False], losses[False], _harms_no_more):
        return False
    differing = changed | {stat for one in (*more, *less) for stat in changes(one.atom)}
    judged = [*better, *(one for one in worse if one not in losses[True])]
    return not any(one.reads & differing for one in judged)


def differences(better: Sequence[Weighed], worse: Sequence[Weighed]) -> tuple[list[Weighed], list[Weighed]]:
    """What only the first and what only the second does."""
    more, less = [], list(worse)
    for one in better:
        common = next((other for other in less if _is_same(one, other)), None)
        if common is None:
            more.append(one)
        else:
            less.remove(common)
    return more, less


def _is_same(one: Weighed, other: Weighed) -> bool:
    """Whether two atoms say the same; most that do not are told apart without a look at their keys."""
    mine, others = one.benefit, other.benefit
    if mine is not None and others is not None:
        if mine.shape != others.shape or mine.level != others.level:
            return False
    elif mine is not others or one.atom.when != other.atom.when:
        return False
    return one.key == other.key


def _split(some: Iterable[Weighed]) -> dict[bool, list[Weighed]]:
    """The good ones under True, the bad ones under False."""
    found: dict[bool, list[Weighed]] = {True: [], False: []}
    for one in some:
        if one.benefit is not None:
            found[one.benefit.good].append(one)
    return found


def _matched(
    needing: list[Weighed], offered: list[Weighed], fits: Callable[[Weighed, Weighed], bool]
) -> bool:
    """Whether each has a partner of its own that is at least as good for the controller of the better one."""
    free = list(offered)
    for one in needing:
        found = next((other for other in free if _at_level(one, other) and fits(one, other)), None)
        if found is None:
            return False
        free.remove(found)
    return True


def _at_level(one: Weighed, other: Weighed) -> bool:
    """The good thing of the better effect is the higher one; so is its bad thing, which does less harm."""
    if one.benefit is None or other.benefit is None or one.benefit.shape != other.benefit.shape:
        return False
    high, low = (other.benefit, one.benefit) if one.benefit.good else (one.benefit, other.benefit)
    return high.level >= low.level


def _harms_no_more(mine: Weighed, other: Weighed) -> bool:
    """Whether a bad thing of the better effect acts only when that of the worse does, and on no others.

    Of several OPERATORs the controller chooses the one whom it harms least, so there the GROUP is the same.
    """
    if isinstance(mine.atom.who, tree.One) and mine.atom.who != other.atom.who:
        return False
    return covers(other.atom, mine.atom)


def covers(wide: Atom, narrow: Atom) -> bool:
    """Whether the first acts whenever the second does, on all on whom the second acts, and as long. Sure."""
    if wide.duration != narrow.duration or not _same_moment(wide, narrow):
        return False
    return _means_all(wide, narrow) and _follows(wide, narrow)


def _same_moment(wide: Atom, narrow: Atom) -> bool:
    """The same trigger; what holds always holds in attacks too."""
    if wide.when == narrow.when:
        return True
    always = wide.when is None and not wide.scope.event and wide.condition is None
    return always and narrow.scope.attack and not narrow.scope.event


def _means_all(wide: Atom, narrow: Atom) -> bool:
    one, other = wide.who, narrow.who
    if isinstance(one, (tree.One, tree.Every)) and type(one) is type(other):
        assert isinstance(other, (tree.One, tree.Every))
        return _is_wider(one.group, other.group, narrow)
    if isinstance(one, tree.Ref) and isinstance(other, tree.Ref):
        parts = narrow.scope.parts
        return one.name == other.name or (
            wide.when == narrow.when and meaning(one, parts) == meaning(other, parts)
        )
    return one == other


def _is_wider(wide: tree.Group, narrow: tree.Group, atom: Atom) -> bool:
    """Every filter of the first is one of the second too; a status may let in who is HIT, so it agrees."""
    parts = atom.scope.parts
    if wide.side != narrow.side or (wide.other and not narrow.other):
        return False
    for name in tree.said_by(tree.Group):
        mine, other = getattr(wide, name), getattr(narrow, name)
        if name in ("side", "other"):
            continue
        if (mine is not None or name == "status") and meaning(mine, parts) != meaning(other, parts):
            return False
    return True


def _follows(wide: Atom, narrow: Atom) -> bool:
    """Whether the condition of the first holds wherever that of the second does."""
    if wide.condition is None:
        return True
    if narrow.condition is None:
        return False
    same_words = wide.condition == narrow.condition and wide.scope.parts == narrow.scope.parts
    if same_words or meaning(wide.condition, wide.scope.parts) == meaning(
        narrow.condition, narrow.scope.parts
    ):
        return True
    terms = Terms(Known(narrow.scope, EffectContext(narrow.scope.role)))
    return not can_hold(tree.AllOf((narrow.condition, tree.Not(wide.condition))), terms)
