"""How likely dice show what, with all that rerolls, sets and keeps them (M-6, E-23 to E-25).

Players are taken to choose as the greedy one does: they reroll own dice of 1 and 2 and the enemy's of 5 and
6, the worst first, and set a die only if that is better for them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache

from toolkit.dsl import tree
from toolkit.vocabulary.comparisons import COMPARE

MOST_DICE = 4
"""So many ATTACK D6 at most may be doubled in an expectation; of more all are added."""

_MOST_CHANGED = 10
"""So many dice at most are followed through verbs in an expectation; more are added as they are rolled."""

Verbs = tuple[tree.Doing, ...]
"""What acts on the dice of one side, in the order in which it does."""
_Faces = tuple[int, ...]
_Chances = dict[_Faces, float]
_Choices = tuple[tuple[int, int], ...]


@lru_cache
def attack_sums(number: int, threshold: int, verbs: Verbs = ()) -> tuple[tuple[_Choices, float], ...]:
    """For every result of so many ATTACK D6, those alike put together: what M-7 lets choose, as pairs of the
    sum that is added and how many dice are doubled instead; and its chance."""
    if verbs and number <= _MOST_CHANGED:
        chances: dict[_Choices, float] = defaultdict(float)
        for faces, chance in _shown(number, verbs).items():
            chances[_choices(faces, threshold)] += chance
        return tuple(chances.items())
    if number > MOST_DICE:
        return tuple((((number + extra, 0),), chance) for extra, chance in enumerate(_sums(number)))
    times_by_choices = Counter(_choices(results, threshold) for results in _all_results(number))
    return tuple((choices, times / 6.0**number) for choices, times in times_by_choices.items())


def _choices(results: _Faces, threshold: int) -> _Choices:
    """What M-7 lets choose for a result: for each number of doubled dice the sum of the others."""
    critical = sorted(result for result in results if result >= threshold)
    # the lowest critical dice are those to double
    return tuple((sum(results) - sum(critical[:doubled]), doubled) for doubled in range(len(critical) + 1))


@lru_cache
def sums(number: int, verbs: Verbs = ()) -> tuple[int, tuple[float, ...]]:
    """The least sum that so many D6 show, and the chances of it and of each greater one."""
    if not verbs or number > _MOST_CHANGED:
        return number, _sums(number)
    chances: dict[int, float] = defaultdict(float)
    for faces, chance in _shown(number, verbs).items():
        chances[sum(faces)] += chance
    least = min(chances)
    return least, tuple([chances.get(points, 0.0) for points in range(least, max(chances) + 1)])


@lru_cache
def _sums(number: int) -> tuple[float, ...]:
    """The chances that so many D6 show so much more than ones altogether."""
    chances = [1.0]
    for _ in range(number):
        longer = [0.0] * (len(chances) + 5)
        for points, chance in enumerate(chances):
            for face in range(6):
                longer[points + face] += chance / 6
        chances = longer
    return tuple(chances)


def _all_results(number: int) -> Iterator[_Faces]:
    """Yield what so many dice can show, in each order."""
    if number == 0:
        yield ()
        return
    for other_faces in _all_results(number - 1):
        for face in range(1, 7):
            yield (*other_faces, face)


# What acts on dice


def _shown(number: int, verbs: Verbs) -> _Chances:
    """The chances of what is left of so many D6 when all verbs have acted, each as sorted faces."""
    chances = _rolled(number)
    for does in verbs:
        if isinstance(does, tree.MayReroll):
            chances = _after_reroll(does, chances)
        else:
            chances = _together((_after(does, faces), chance) for faces, chance in chances.items())
    return chances


@lru_cache
def _rolled(number: int) -> _Chances:
    """The chances of what so many D6 show, each as sorted faces."""
    if number == 0:
        return {(): 1.0}
    return _together(
        (_sorted(faces, face), chance / 6)
        for faces, chance in _rolled(number - 1).items()
        for face in range(1, 7)
    )


def _together(parts: Iterator[tuple[_Faces, float]]) -> _Chances:
    """The chances of faces that come about in several ways, added up."""
    chances: _Chances = defaultdict(float)
    for faces, chance in parts:
        chances[faces] += chance
    return chances


def _sorted(faces: _Faces, *more: int) -> _Faces:
    """Faces with some more, in the order in which verbs expect them."""
    return tuple(sorted((*faces, *more)))


def _after(does: tree.Doing, faces: _Faces) -> _Faces:
    """Return what is left of dice after a verb without chance has acted on them."""
    match does:
        case tree.SetsDice():
            return _after_set(does, faces)
        case tree.KeepsDice(count, highest):
            return faces[-count:] if highest else faces[:count]
        case _:
            return faces


def _after_reroll(does: tree.MayReroll, chances: _Chances) -> _Chances:
    """The chances after a reroll of the worst dice, or of the enemy's best.

    Results of which the same dice are kept are put together first: to follow each die by itself takes 6 ** 12
    steps where 12 may be rerolled.
    """
    kept_chances: dict[tuple[_Faces, int], float] = defaultdict(float)
    for faces, chance in chances.items():
        kept = _kept_of_reroll(does, faces)
        kept_chances[kept, len(faces) - len(kept)] += chance
    return _together(
        (_sorted(kept, *rerolled), chance * share)
        for (kept, count), chance in kept_chances.items()
        for rerolled, share in _rolled(count).items()
    )


def _kept_of_reroll(does: tree.MayReroll, faces: _Faces) -> _Faces:
    """Return the dice that are not rerolled."""
    bad = [face for face in faces if (face >= 5 if does.enemy else face <= 2)]
    if does.shown is not None:
        bad = [face for face in bad if COMPARE[does.shown.compare](face, does.shown.number)]
    bad.sort(reverse=does.enemy)
    kept = list(faces)
    for face in bad[: does.count]:
        kept.remove(face)
    return tuple(kept)


def _after_set(does: tree.SetsDice, faces: _Faces) -> _Faces:
    """Return what dice show after the worst, or the enemy's best, are set to a result."""
    dice, result = list(faces), does.result
    dice.sort(reverse=does.enemy)
    for index in range(min(does.count, len(dice))):
        is_better = dice[index] > result if does.enemy else dice[index] < result
        if does.optional and not is_better:
            break
        dice[index] = result
    return _sorted(tuple(dice))
