"""Where the parser stopped: the refused word, what is before it, and what would have been accepted."""

from __future__ import annotations

import re

from msgspec import Struct

from toolkit.dsl.lalr import Situation
from toolkit.dsl.lexicon import terminals_by_word, words_by_terminal
from toolkit.dsl.tree import Place
from toolkit.vocabulary import ACTIONS, COUNTERS, FACTS, STATS, STATUSES, VERBS
from toolkit.vocabulary.nearest import distance

PIECE = re.compile(r'"[^"\n]*"|[^\s.,()"=!<>*+\-]+|<=|>=|!=|\S')
"""A word, a name in quotes or a sign, as a person would count them."""

_SECOND_FORMS = {verb.many for verb in VERBS if verb.many != verb.one} | {"SKILL", "OPERATOR", "cards"}


class Stop(Struct, frozen=True):
    """A place where the parser could go no further.

    ``word`` at ``place`` was refused (empty at the end of the text); ``last`` at ``before`` is what stands
    before it (empty at the beginning); ``accepted`` are the terminals that could have come.
    """

    text: str
    word: str
    place: Place
    last: str
    before: Place
    situation: Situation
    accepted: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """The words and signs that could have come, in the order of the vocabulary."""
        return [word for terminal, word in words_by_terminal().items() if terminal in self.accepted]

    @property
    def expected(self) -> str:
        """A sentence with what could have come: at most six words, the nearest to the refused one first."""
        words = [word for word in self.words if word not in _SECOND_FORMS] or self.words
        words.sort(
            key=lambda word: (not word[0].isalpha(), distance(self.word.casefold(), word.casefold(), 3))
        )
        parts = ["a number"] * ("INT" in self.accepted) + ['a name in "quotes"'] * ("STRING" in self.accepted)
        if len(words) + len(parts) > MOST_LISTED:
            sorts, words = _by_sort(words)
            if len(sorts) == 1 and not words and not parts:
                sort, found = sorts[0]
                return f"Expected {sort}, such as {_listed([f'`{word}`' for word in found[:3]])}."
            parts += [f"{sort} like `{found[0]}`" for sort, found in sorts]
        if len(words) + len(parts) > MOST_LISTED:
            words = words[: MOST_LISTED - len(parts)]
        return f"Expected {_listed([*(f'`{word}`' for word in words), *parts])}."


MOST_LISTED = 6
"""No message lists more words: nobody reads them."""

_SORTS = {
    "a verb": [verb.one.split()[0] for verb in VERBS],
    "a stat": [*STATS, *COUNTERS, *FACTS],
    "a status": STATUSES,
    "an OPERATOR or player": ("self", "target", "attacker", "attacked", "one", "all", "owner", "opponent"),
    "a filter": ("of", "in", "adjacent", "opposite", "with", "that"),
    "an ACTION": ACTIONS,
    "a comparison": ("=", "!=", "<", "<=", ">", ">="),
    "a duration": ("until", "while", "permanently"),
    "a calculation": ("+", "-", "*"),
}


def _by_sort(words: list[str]) -> tuple[list[tuple[str, list[str]]], list[str]]:
    """The sorts with three or more of the words, the largest first, each with those; and the other words."""
    found = []
    for sort, of_sort in sorted(_SORTS.items(), key=lambda one: -sum(word in one[1] for word in words)):
        among = [word for word in words if word in of_sort]
        if len(among) > 2:
            found.append((sort, among))
            words = [word for word in words if word not in among]
    return found, words


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} or {parts[-1]}"


def stop_at(text: str, position: int, situation: Situation) -> Stop:
    """The stop at a position, which is where the refused word begins, or the end of the text."""
    position += len(text[position:]) - len(text[position:].lstrip())
    found = PIECE.match(text, position)
    before = (0, 0)
    for piece in PIECE.finditer(text, 0, position):
        before = piece.span()
    word, place = (found.group(), found.span()) if found else ("", (position, position))
    return Stop(text, word, place, text[slice(*before)], before, situation, situation.accepts())


def shown(words: list[str]) -> list[str]:
    """Words as messages show them: verbs in one form only, signs last."""
    if len(words) > 1:
        words = [word for word in words if word not in _SECOND_FORMS] or words
    return [f"`{word}`" for word in sorted(words, key=lambda word: not word[0].isalpha())]


def terminal_of(word: str) -> str | None:
    """The terminal that a word, number or name in quotes is; None if the language does not know it."""
    if word.isdecimal() and word.isascii():
        return "INT"
    if len(word) > 1 and word[0] == word[-1] == '"':
        return "STRING"
    return terminals_by_word().get(word)
