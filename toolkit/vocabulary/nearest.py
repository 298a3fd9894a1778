"""The nearest right word for a wrong one ("did you mean …").

The distance is that of Damerau and Levenshtein: letters missing, added, replaced, or two neighbours swapped.
"""

from __future__ import annotations

from collections.abc import Iterable

_SAME_SIGN = str.maketrans({"_": "-", " ": "-"})


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was most likely meant, or None where a proposal would be a guess.

    A candidate that differs only in case, or in ``-``, ``_`` and space, wins at once. Otherwise about one
    mistake in three letters is allowed. Among equally near ones the one with the same first letter wins, then
    the longest common beginning, then the earlier candidate, so that the answer is always the same. A word of
    one or two letters gets a proposal only if a single candidate is near.
    """
    wanted = _fold(word)
    allowed = 1 if len(wanted) < 6 else min(3, len(wanted) // 3)
    best: tuple[int, int, int] | None = None
    found: str | None = None
    rivals = 0
    for candidate in candidates:
        folded = _fold(candidate)
        if folded == wanted:
            return candidate
        if len(wanted) < 2 or not folded:
            continue
        away = distance(wanted, folded, allowed)
        if away > allowed or away >= max(len(wanted), len(folded)):
            continue
        rivals += 1
        rank = (away, int(wanted[0] != folded[0]), -_common_beginning(wanted, folded))
        if best is None or rank < best:
            best, found = rank, candidate
    return None if len(wanted) <= 2 and rivals > 1 else found


def is_clear(word: str, meant: str | None, candidates: Iterable[str]) -> bool:
    """Whether a candidate is nearer to the word than every other: then nothing else can have been meant.

    One that differs only in case, or in ``-``, ``_`` and space, is as near as can be. Where nothing
    was meant it is not clear what.
    """
    if meant is None:
        return False
    wanted = _fold(word)
    away = distance(wanted, _fold(meant), len(wanted))
    return all(
        distance(wanted, _fold(other), away) > away for other in candidates if _fold(other) != _fold(meant)
    )


def distance(a: str, b: str, limit: int) -> int:
    """How many single mistakes lie between two words; any number above ``limit`` means "too many"."""
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    # each letter that only one of the two has is a mistake of its own; this is quickly seen
    mine, others = set(a), set(b)
    if len(mine - others) > limit or len(others - mine) > limit:
        return limit + 1
    before: list[int] = []
    above = list(range(len(b) + 1))
    for i, sign in enumerate(a, 1):
        row = [i]
        for j, other in enumerate(b, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (sign != other))
            if i > 1 and j > 1 and sign == b[j - 2] and a[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        # a swap reaches back two rows, so both must be beyond the limit
        if min(row) > limit and min(above) > limit:
            return limit + 1
        before, above = above, row
    return above[-1]


def _fold(word: str) -> str:
    """The word without the differences that nobody means: case, and the sign between its parts."""
    return word.casefold().translate(_SAME_SIGN)


def _common_beginning(a: str, b: str) -> int:
    """How many letters two words share at their beginning."""
    count = 0
    for left, right in zip(a, b, strict=False):
        if left != right:
            break
        count += 1
    return count
