"""The most similar valid word for an invalid one ("Did you mean …?").

The distance is Damerau-Levenshtein's: letters deleted, inserted, replaced, or two neighbours transposed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sized

LONGEST = 64
"""The limit of a word's length: a longer one is not a misspelling, and takes long to compare."""

STEPS = 20_000_000
"""How many pairs of letters are compared in one check, which takes some seconds; see ``reset_steps``."""

SEARCH_STEPS = 150_000
"""How many steps the searches for sentences take in one check, which is some seconds."""

_FEW = 400
"""Up to this number of candidates a word is compared even if no steps are left."""

MIN_LETTERS = 5
"""The minimum length for a certain correction: among shorter words too many differ by one letter only."""

_SAME_SEPARATOR = str.maketrans({"_": "-", " ": "-"})
_WORD = re.compile(r"\w+(?:['’]\w+)*")
_PREFIXES = frozenset((
    "un", "non", "de", "dis", "re", "not", "in", "im", "ir", "il", "mis", "anti", "over", "under", "out",
    "counter", "ab", "ent",
))  # fmt: skip
_OPPOSITES = frozenset(
    map(frozenset, (("neither", "either"), ("nor", "or"), ("never", "ever"), ("none", "one")))
)
_SHORTEST_ENDING = 3
"""The minimum length of what two words share, if the rest of one is a prefix and makes it the opposite."""

_SHORTEST_STEM = 7
"""The minimum length of a word whose opposite is recognized with a misspelling in it."""

_OTHER_WORDS = frozenset((
    "player", "takes", "attach", "owned", "wound", "kill", "kills", "rage", "trail", "train", "yield",
    "found",
))  # fmt: skip
"""English words that are one letter away from a word of the language, and yet meant as they are."""
_NEGATIONS = frozenset((
    "not", "no", "never", "cannot", "unless", "without", "neither", "nor", "none", "nobody", "nicht",
    "kein", "keine", "nie",
))  # fmt: skip


def _by_word(*meanings: str) -> dict[str, int]:
    """Return for each word the number of its meaning; each argument is the words of one meaning."""
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
"""Groups of words with different meanings: who acts, whose side, when, which die.

A correction must not replace a word by one with another number of the same group.
"""


class _Steps:
    """The steps that are left in this check: pairs of letters to compare, and steps of searches."""

    remaining = STEPS
    remaining_of_searches = SEARCH_STEPS


def reset_steps() -> None:
    """Reset the limit of comparisons, at the beginning of a check.

    Thousands of unknown words, each compared with thousands of names, would take hours. When ``STEPS`` are
    used up, words with more than a few candidates get no proposal.
    """
    _Steps.remaining, _Steps.remaining_of_searches = STEPS, SEARCH_STEPS


def may_search() -> bool:
    """Whether steps are left in this check to look for the sentences nearest to a wrong one."""
    return _Steps.remaining_of_searches > 0


def count_searched(steps: int) -> None:
    """Count the steps of a search."""
    _Steps.remaining_of_searches -= steps


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that was most likely meant, or None if none is similar enough.

    A candidate that differs only in case, or in ``-``, ``_`` and space, is returned immediately. Otherwise
    about one mistake in three letters is allowed. Among equally similar ones the first letter decides, then
    the longest common prefix, then the order of the candidates, so that the result is always the same. For a
    word of one or two letters there must be only one similar candidate.
    """
    if not _may_compare(word, candidates):
        return None
    folded_word = _fold(word)
    mistake_limit = allowed_mistakes(folded_word)
    best_rank: tuple[int, int, int] | None = None
    best_candidate: str | None = None
    similar_candidates = 0
    for candidate in candidates:
        folded = _fold(candidate)
        if folded == folded_word:
            return candidate
        # a single letter is similar to nearly every short word
        if len(folded_word) < 2 or not folded:
            continue
        mistakes = distance(folded_word, folded, mistake_limit)
        has_no_letter_right = mistakes >= max(len(folded_word), len(folded))
        if mistakes > mistake_limit or has_no_letter_right:
            continue
        similar_candidates += 1
        rank = (mistakes, int(folded_word[0] != folded[0]), -_common_beginning(folded_word, folded))
        if best_rank is None or rank < best_rank:
            best_rank, best_candidate = rank, candidate
    return None if len(folded_word) <= 2 and similar_candidates > 1 else best_candidate


def did_you_mean(word: str, candidates: Iterable[str], otherwise: str = "") -> str:
    """Return `` Did you mean 'word'?`` with the nearest word, or ``otherwise`` if there is none."""
    nearest_word = nearest(word, candidates)
    return f" Did you mean {nearest_word!r}?" if nearest_word else otherwise


def is_certain(word: str, meant: str | None, candidates: Iterable[str]) -> bool:
    """Whether a word can only be a misspelling of the candidate ``meant``.

    Either the two differ only in case, or in ``-``, ``_`` and space; or ``meant`` has at least five letters,
    of which one is missing, doubled or wrong, or two neighbours are transposed. No other candidate may be
    equally similar, and neither word may be the opposite of the other.
    """
    if meant is None or (word in _OTHER_WORDS and word != meant) or not _may_compare(word, candidates):
        return False
    folded_word, folded_meant = _fold(word), _fold(meant)
    mistakes = 0 if folded_word == folded_meant else 1
    has_enough_letters = sum(map(str.isalpha, folded_meant)) >= MIN_LETTERS
    if mistakes and not (has_enough_letters and _one_letter_wrong(folded_word, folded_meant)):
        return False
    other_candidates = (_fold(other) for other in candidates if other != meant)
    return not is_opposite(word, meant) and all(
        distance(folded_word, other, mistakes) > mistakes for other in other_candidates
    )


def is_opposite(word: str, other_word: str) -> bool:
    """Whether one word is the other with a prefix such as "un" or "re": ``unlimited`` and ``limited``."""
    longer_word, shorter_word = sorted((_fold(word), _fold(other_word)), key=len, reverse=True)
    if frozenset((longer_word, shorter_word)) in _OPPOSITES:
        return True
    shared_ending = _common_beginning(longer_word[::-1], shorter_word[::-1])
    longer_beginning = longer_word[: len(longer_word) - shared_ending].rstrip("-")
    shorter_beginning = shorter_word[: len(shorter_word) - shared_ending]
    beginnings = longer_beginning, shorter_beginning
    if shared_ending >= _SHORTEST_ENDING and any(beginning in _PREFIXES for beginning in beginnings):
        # `rload` is a misspelling of `reload`, but `detached` is not one of `attached`
        return distance(*beginnings, 1) > 1 or "" in beginnings
    # `unlimted` is the opposite of `limited`, misspelled; of short words too many are similar by chance
    for prefix in _PREFIXES:
        stem = longer_word[len(prefix) :].lstrip("-") if longer_word.startswith(prefix) else ""
        if len(stem) >= _SHORTEST_STEM and distance(stem, shorter_word, 1) <= 1:
            return True
    return False


def is_ambiguous(word: str, meant: str, candidates: Iterable[str]) -> bool:
    """Whether a candidate with another meaning is equally similar: ``attackek`` could be either side."""
    folded_word = _fold(word)
    mistakes = distance(folded_word, _fold(meant), len(folded_word))
    return any(
        distance(folded_word, _fold(candidate), mistakes) <= mistakes and changes_meaning(meant, candidate)
        for candidate in candidates
    )


def changes_meaning(text_before: str, text_after: str) -> bool:
    """Whether a replacement means the opposite of a text, or another OPERATOR, side or moment.

    It may add a meaning that the text before does not have.
    """
    words_before, words_after = words_of(text_before.casefold()), words_of(text_after.casefold())
    if _negates(words_before) != _negates(words_after):
        return True
    if len(text_before.split()) == len(text_after.split()) == 1 and is_opposite(text_before, text_after):
        return True
    for sides in _SIDES:
        sides_before = {sides[word] for word in words_before if word in sides}
        sides_after = {sides[word] for word in words_after if word in sides}
        if sides_before and sides_after and sides_before != sides_after:
            return True
    return False


def words_of(text: str) -> list[str]:
    """Return the words and numbers of a text, without punctuation."""
    return _WORD.findall(text)


def _negates(words: list[str]) -> bool:
    return any(word in _NEGATIONS or word.endswith(("n't", "n’t")) for word in words)


def _one_letter_wrong(word: str, meant: str) -> bool:
    """Whether one letter of a word is missing, doubled or wrong, or two neighbours are transposed."""
    start = _common_beginning(word, meant)
    wrong, right = word[start:], meant[start:]
    if len(word) == len(meant):
        is_replaced = wrong[1:] == right[1:]
        is_transposed = wrong[:2] == right[:2][::-1] and wrong[2:] == right[2:]
        return (is_replaced or is_transposed) and (wrong[:1] + right[:1]).isalpha()
    if len(word) == len(meant) - 1:
        is_missing = wrong == right[1:]
        return is_missing and right[:1].isalpha()
    is_doubled = start > 0 and wrong[:1] == word[start - 1] and wrong[1:] == right
    return is_doubled and wrong[:1].isalpha()


def _may_compare(word: str, candidates: Iterable[str]) -> bool:
    """Whether a word is short enough, and the candidates are few or steps are left."""
    has_few_candidates = isinstance(candidates, Sized) and len(candidates) <= _FEW
    return len(word) <= LONGEST and (has_few_candidates or _Steps.remaining > 0)


def allowed_mistakes(word: str) -> int:
    """Return how many mistakes a misspelling of a word may have: about one in three letters."""
    return 1 if len(word) < 6 else min(3, len(word) // 3)


def distance(a: str, b: str, limit: int) -> int:
    """Return the number of mistakes between two words; a result above ``limit`` only means "too many"."""
    _Steps.remaining -= 10  # about the cost of the two tests that follow
    if abs(len(a) - len(b)) > limit:
        return limit + 1
    # a lower bound: each letter that only one of the words has is a mistake of its own
    letters_of_a, letters_of_b = set(a), set(b)
    if len(letters_of_a - letters_of_b) > limit or len(letters_of_b - letters_of_a) > limit:
        return limit + 1
    _Steps.remaining -= len(a) * len(b)
    row_before_last: list[int] = []
    row_before = list(range(len(b) + 1))
    for i, letter in enumerate(a, 1):
        row = [i]
        for j, other_letter in enumerate(b, 1):
            cost = min(row_before[j] + 1, row[j - 1] + 1, row_before[j - 1] + (letter != other_letter))
            if i > 1 and j > 1 and letter == b[j - 2] and a[i - 2] == other_letter:
                cost = min(cost, row_before_last[j - 2] + 1)
            row.append(cost)
        # a transposition refers to the row before the last, so both must be beyond the limit
        if min(row) > limit and min(row_before) > limit:
            return limit + 1
        row_before_last, row_before = row_before, row
    return row_before[-1]


def _fold(word: str) -> str:
    """Return a word without differences that do not matter: case, and the separator of its parts."""
    return word.casefold().translate(_SAME_SEPARATOR)


def _common_beginning(a: str, b: str) -> int:
    """Return the length of the common prefix of two words."""
    length = 0
    for letter_of_a, letter_of_b in zip(a, b, strict=False):
        if letter_of_a != letter_of_b:
            break
        length += 1
    return length
