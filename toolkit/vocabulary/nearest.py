"""The nearest right word for a wrong one ("did you mean …").

The distance is that of Damerau and Levenshtein: letters missing, added, replaced, or two neighbours swapped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sized

LONGEST = 64
"""A word with more letters is no misspelt one, and two of them would take long to compare."""

STEPS = 20_000_000
"""So many pairs of letters are compared in one check, which is some seconds; see ``begin``."""

_FEW = 400
"""Among so few candidates a word is looked for in any case."""

MIN_LETTERS = 5
"""In a shorter word one letter more or less makes too many other words."""

_SAME_SIGN = str.maketrans({"_": "-", " ": "-"})
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_PREFIXES = frozenset((
    "un", "non", "de", "dis", "re", "not", "in", "im", "ir", "il", "mis", "anti", "over", "under", "out",
    "counter", "ab", "ent",
))  # fmt: skip
_OPPOSITES = frozenset(
    map(frozenset, (("neither", "either"), ("nor", "or"), ("never", "ever"), ("none", "one")))
)
_OTHER_WORDS = frozenset((
    "player", "takes", "attach", "owned", "wound", "kill", "kills", "rage", "trail", "train", "yield",
    "found",
))  # fmt: skip
"""Words that people mean as they are, one letter away from words of the language or not."""
_NEGATIONS = frozenset((
    "not", "no", "never", "cannot", "unless", "without", "neither", "nor", "none", "nobody", "nicht",
    "kein", "keine", "nie",
))  # fmt: skip


def _by_word(*meanings: str) -> dict[str, int]:
    return {word: number for number, words in enumerate(meanings) for word in words.split()}


_SIDES = (
    _by_word("self", "target", "attacker", "attacked", "owner", "opponent"),
    _by_word("own friendly allied my your", "enemy hostile opposing opponent's", "any"),
    _by_word(
        "attacking attacks attack's", "attacked defending defends", "hits", "misses", "played", "attached"
    ),
    _by_word("begin begins beginning start starts", "end ends ending"),
    _by_word("attack", "defence defense"),
    _by_word("minimum min", "maximum max"),
    _by_word("more greater higher above least", "less lower fewer below most"),
)
"""Words of which one names somebody or something else than another: who acts, whose side, when, which die."""


class _Steps:
    """How many pairs of letters may still be compared."""

    left = STEPS


def begin() -> None:
    """A check begins: what is compared is counted anew.

    Thousands of unknown words, each looked for among thousands of names, would take hours; when ``STEPS``
    are used up, words that are looked for among more than a few names get no proposal.
    """
    _Steps.left = STEPS


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was most likely meant, or None where a proposal would be a guess.

    A candidate that differs only in case, or in ``-``, ``_`` and space, wins at once. Otherwise about one
    mistake in three letters is allowed. Among equally near ones the one with the same first letter wins, then
    the longest common beginning, then the earlier candidate, so that the answer is always the same. A word of
    one or two letters gets a proposal only if a single candidate is near.
    """
    if not _may_look(word, candidates):
        return None
    wanted = _fold(word)
    allowed = allowed_mistakes(wanted)
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


def did_you_mean(word: str, candidates: Iterable[str], otherwise: str = "") -> str:
    """A question behind a blank that names the nearest word, else what is said otherwise."""
    near = nearest(word, candidates)
    return f" Did you mean {near!r}?" if near else otherwise


def is_certain(word: str, meant: str | None, candidates: Iterable[str]) -> bool:
    """Whether a word can only be a misspelling of the candidate that was meant.

    So it is where the two differ only in case, or in ``-``, ``_`` and space; and where one letter of a word
    of five letters or more is missing, doubled or wrong, or two neighbours are transposed. No other candidate
    may be as near, and neither word may be the opposite of the other.
    """
    if meant is None or (word in _OTHER_WORDS and word != meant) or not _may_look(word, candidates):
        return False
    wanted, right = _fold(word), _fold(meant)
    away = 0 if wanted == right else 1
    if away and not (sum(map(str.isalpha, right)) >= MIN_LETTERS and _one_letter_wrong(wanted, right)):
        return False
    others = (_fold(other) for other in candidates if other != meant)
    return not is_opposite(word, meant) and all(distance(wanted, other, away) > away for other in others)


def is_opposite(word: str, other: str) -> bool:
    """Whether one of two words is the negation or the repetition of the other: `unlimited` and `limited`."""
    one, two = sorted((_fold(word), _fold(other)), key=len, reverse=True)
    if frozenset((one, two)) in _OPPOSITES:
        return True
    shared = _common_beginning(one[::-1], two[::-1])
    heads = one[: len(one) - shared].rstrip("-"), two[: len(two) - shared]
    if shared >= 3 and any(head in _PREFIXES for head in heads):
        # `rload` is a misspelt `reload`, and `detached` is not a misspelt `attached`
        return distance(*heads, 1) > 1 or "" in heads
    return any(
        len(rest) >= 7 and distance(rest, two, 1) <= 1
        for prefix in _PREFIXES
        if one.startswith(prefix) and (rest := one[len(prefix) :].lstrip("-"))
    )


def is_ambiguous(word: str, meant: str, candidates: Iterable[str]) -> bool:
    """Whether another candidate is as near to a word, and says something else: `attackek` is either side."""
    wanted = _fold(word)
    away = distance(wanted, _fold(meant), len(wanted))
    return any(
        distance(wanted, _fold(other), away) <= away and changes_meaning(meant, other) for other in candidates
    )


def changes_meaning(before: str, after: str) -> bool:
    """Whether words that replace others name somebody else, another moment or side, or negate.

    What the first text leaves open the second may say.
    """
    mine, others = words_of(before.casefold()), words_of(after.casefold())
    if _negates(mine) != _negates(others):
        return True
    if len(before.split()) == len(after.split()) == 1 and is_opposite(before, after):
        return True
    for sides in _SIDES:
        said = {sides[word] for word in mine if word in sides}
        written = {sides[word] for word in others if word in sides}
        if said and written and said != written:
            return True
    return False


def words_of(text: str) -> list[str]:
    """The words and numbers of a text, without its signs."""
    return _WORD.findall(text)


def _negates(words: list[str]) -> bool:
    return any(word in _NEGATIONS or word.endswith(("n't", "n’t")) for word in words)


def _one_letter_wrong(word: str, meant: str) -> bool:
    """Whether one letter of a word is missing, doubled or another, or two neighbours are transposed."""
    start = _common_beginning(word, meant)
    wrong, right = word[start:], meant[start:]
    if len(word) == len(meant):
        transposed = wrong[:2] == right[1::-1] and wrong[2:] == right[2:]
        return (transposed or wrong[1:] == right[1:]) and (wrong[:1] + right[:1]).isalpha()
    if len(word) == len(meant) - 1:
        return wrong == right[1:] and right[:1].isalpha()
    return start > 0 and wrong[1:] == right and wrong[:1] == word[start - 1] and wrong[:1].isalpha()


def _may_look(word: str, candidates: Iterable[str]) -> bool:
    """Whether a word is short enough, and the candidates few enough for the steps that are left."""
    few = isinstance(candidates, Sized) and len(candidates) <= _FEW
    return len(word) <= LONGEST and (few or _Steps.left > 0)


def allowed_mistakes(word: str) -> int:
    """How many single mistakes a word may have and still be taken for another: about one in three letters."""
    return 1 if len(word) < 6 else min(3, len(word) // 3)


def distance(a: str, b: str, limit: int) -> int:
    """How many single mistakes lie between two words; any number above ``limit`` means "too many"."""
    _Steps.left -= 10  # about what it costs to see that two words are quite different
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    # each letter that only one of the two has is a mistake of its own; this is quickly seen
    mine, others = set(a), set(b)
    if len(mine - others) > limit or len(others - mine) > limit:
        return limit + 1
    _Steps.left -= len(a) * len(b)
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
