"""Hyphenation of names: at soft hyphens (U+00AD), else by the dictionaries of pyphen.

Only the dictionaries are pyphen's (0.18). Its reader takes 0.8 s for the German one, of which a word needs
little; this one takes 0.05 s. Besides, pyphen treats the list of words at the beginning of that dictionary,
which are parts of compounds, as patterns like the others (Da-chge-schoss). Here a compound of these words is
broken between them and inside each (Dach-ge-schoss). Any other German word is broken only where the patterns
agree with and without the list, and are seldom wrong: no break is better than a wrong one. Of 4,000 long
compounds, each removed from the list before, 102 were broken wrongly and 22 not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import pyphen

from toolkit.data.model import SOFT_HYPHEN

MIN_LETTERS = 3
"""The minimum of letters in each part of a broken word."""

_SEAM_BONUS, _CONSONANT_BONUS = 6, 3
"""Bonuses in half letters of distance from the middle: for a place between parts of a compound, and for each
consonant around it, because there are many where unknown words meet (Feld-flasche)."""

_EXCEPTIONS = {
    "de": "haus-tür-schlüs-sel wach-stu-be zwei-bein",
    "en": "ar-til-lery com-mand-er com-mand-ers gren-a-dier guard-ian leap-frog",
}
"""Words for which a dictionary has wrong breaks or none, by language."""


def broken_name(name: str, most: int, language: str, own: Iterable[str] = ()) -> list[str]:
    """Break a name in two if its longest word has more than ``most`` letters and may be broken.

    ``own`` are words with soft hyphens, which are broken there and nowhere else.
    """
    match = max(re.finditer(r"[^\W\d_]+", name), key=lambda match: len(match[0]), default=None)
    if match is None or len(match[0]) <= most:
        return [name]
    word = match[0]
    places = _own_breaks(own).get(word) or breaks(word, language)
    if not places:
        return [name]
    length = len(word)
    consonant_runs = list(_CONSONANTS.finditer(word))

    def badness(break_offset: int) -> int:
        """Return how bad it is to break a word there: unequal or too long parts, off the seams of
        compounds."""
        consonants = 0
        for run in consonant_runs:
            if run.start() < break_offset <= run.end():
                consonants = run.end() - run.start()
        excess = max(break_offset + 1 - most, length - break_offset - most, 0)  # the first part has a hyphen
        return (
            abs(length - 2 * break_offset)
            + 2 * excess
            - _SEAM_BONUS * places[break_offset]
            - _CONSONANT_BONUS * consonants
        )

    break_offset = match.start() + min(places, key=badness)
    return [name[:break_offset], name[break_offset:]]


_CONSONANTS = re.compile("[^aeiouyäöü]+", re.IGNORECASE)


def _own_breaks(words: Iterable[str]) -> dict[str, dict[int, bool]]:
    """Return the places of soft hyphens in each word, by the word without them."""
    breaks_by_word = {}
    for word in words:
        parts = word.split(SOFT_HYPHEN)
        breaks_by_word["".join(parts)] = {
            len("".join(parts[:number])): True for number in range(1, len(parts))
        }
    return breaks_by_word


def breaks(word: str, language: str) -> dict[int, bool]:
    """Return the places where a word may be broken, as the number of letters before each.

    The value is whether parts of a compound meet there.
    """
    letters = word.lower()
    dictionary = _dictionary(language)
    if dictionary is None or len(letters) != len(word):
        return {}
    exceptions = _own_breaks(_EXCEPTIONS.get(language[:2], "").replace("-", SOFT_HYPHEN).split())
    word_breaks = exceptions.get(letters) or _word_breaks(letters, dictionary)
    return {
        offset: seam
        for offset, seam in word_breaks.items()
        if MIN_LETTERS <= offset <= len(word) - MIN_LETTERS
    }


class _Dictionary(NamedTuple):
    """Patterns by their letters; ``words`` are the parts of compounds, in German only."""

    words: Mapping[str, str]
    patterns: Mapping[str, str]


@lru_cache(maxsize=4)
def _dictionary(language: str) -> _Dictionary | None:
    """Return the patterns of a language at the seams of compounds and elsewhere; None if there are none."""
    name = pyphen.language_fallback("en_US" if language == "en" else language.replace("-", "_"))
    if name is None:
        return None
    content: bytes = pyphen.LANGUAGES[name].read_bytes()
    first_line, _, _ = content.partition(b"\n")
    encoding = first_line.decode().strip()
    first, _, second = content.partition(b"\nNEXTLEVEL\n")
    first_level = _patterns_by_letters(first, encoding)
    second_level = _patterns_by_letters(second, encoding)
    if name.startswith("de"):
        return _Dictionary(words=first_level, patterns=second_level)
    # In other languages the first level only defines the treatment of hyphens, or is the only one.
    return _Dictionary(words={}, patterns=first_level | second_level)


def _patterns_by_letters(lines: bytes, encoding: str) -> dict[str, str]:
    """Return each pattern by its letters. Comments and settings are kept: no word has their letters."""
    letters = lines.translate(None, b"0123456789").decode(encoding).split("\n")
    return dict(zip(letters, lines.decode(encoding).split("\n"), strict=True))


def _word_breaks(letters: str, dictionary: _Dictionary) -> dict[int, bool]:
    """Return the places in a word that the dictionary allows; see ``breaks``."""
    if not dictionary.words:
        return dict.fromkeys(_pattern_breaks(letters, dictionary.patterns), False)
    found_breaks: dict[int, bool] = {}
    for start, end in pairwise((0, *_compound_seams(letters, dictionary.words), len(letters))):
        word_part = letters[start:end]
        read = _listed_word_breaks if _is_word(word_part, dictionary.words) else _unknown_word_breaks
        inside = read(word_part, dictionary)
        found_breaks |= {start + offset: seam for offset, seam in inside.items()} | {end: True}
    return found_breaks


def _listed_word_breaks(word: str, dictionary: _Dictionary) -> dict[int, bool]:
    """Return the places in a word of the list, which marks the parts of compounds (grund1stück).

    The word may have a linking s that the list does not have (grundstücks).
    """
    breaks_in_word: dict[int, bool] = {}
    marked_word = dictionary.words.get(word) or dictionary.words[word[:-1]] + "s"
    parts = marked_word.split("1")
    start = 0
    for word_part in parts if "".join(parts) == word else [word]:  # other digits mark no compound
        places = _between_vowels(word_part, _pattern_breaks(word_part, dictionary.patterns))
        end = start + len(word_part)
        breaks_in_word |= dict.fromkeys((start + offset for offset in places), False)
        breaks_in_word[end] = len(word_part) > MIN_LETTERS
        start = end
    return breaks_in_word


def _unknown_word_breaks(word_part: str, dictionary: _Dictionary) -> dict[int, bool]:
    """Return the places in a word that is not a compound of listed words; it may begin with one (Hoch-)."""
    with_list = _pattern_breaks(word_part, dictionary.words, dictionary.patterns)
    without_list = _pattern_breaks(word_part, dictionary.patterns)
    places = [
        offset for offset in with_list if offset in without_list and not _is_doubtful(word_part, offset)
    ]
    seams = {}
    for offset in _between_vowels(word_part, places):
        begin = word_part[:offset]
        seams[offset] = _ends_joined(begin) or (offset > MIN_LETTERS and begin in dictionary.words)
    return seams


def _ends_joined(text_before: str) -> bool:
    """Whether letters end like the first word of a compound with a linking s (Fugen-s)."""
    return text_before.endswith(("heits", "ions", "keits", "lings", "schafts", "täts", "tums", "ungs"))


def _pattern_breaks(word: str, *levels: Mapping[str, str]) -> list[int]:
    """Return the places that patterns allow (Liang's algorithm): the highest matching digit there is odd."""
    marked = f".{word}."
    digits = [0] * (len(marked) + 1)
    for start in range(len(marked)):
        for end in range(start + 1, len(marked) + 1):
            letters = marked[start:end]
            pattern = next((level[letters] for level in reversed(levels) if letters in level), "")
            offset = start
            for sign in pattern:
                if sign in "0123456789":
                    digits[offset] = max(digits[offset], int(sign))
                else:
                    offset += 1
    return [offset - 1 for offset, digit in enumerate(digits) if digit % 2 and 2 < offset < len(word)]


_VOWELS = frozenset("aeiouyäöü")


def _between_vowels(word: str, places: Sequence[int]) -> list[int]:
    """Return the places except those that would leave a part without a vowel (Scha-rf-schüt-zen)."""
    kept_offsets: list[int] = []
    start = 0  # of the part before the place
    for offset, next_offset in pairwise((*places, len(word))):
        parts = word[start:offset], word[offset:next_offset]
        if not any(_VOWELS.isdisjoint(part) for part in parts):
            kept_offsets.append(offset)
            start = offset
    return kept_offsets


_ONSETS = re.compile("[bfgkp]l|[bdfgkt]r|[gk]n|[cpst]h|ck|pf|qu|sp")
"""Consonants that begin syllables together: Funk-spruch, not Funks-pruch."""

_SECOND_WORD = re.compile(
    "[bdfgklmnprstxz]"
    "(a[bn][^aeiouäöü]|u[mn][^aeiouäöüg]|auf|aus|akt|amt|art|eck|ei[gn]|ent|er[fhklswz]|in[dfhsv]|or[dgit]|ur[kt])"
    "|s[bdfgklmnrvwz]"
)
"""A consonant that may end a word, and common beginnings of a second word: Haus-eingang, not Hau-seingang."""


def _is_doubtful(word: str, offset: int) -> bool:
    """Whether patterns are often wrong about such a place, because unknown words may meet near it.

    They are right behind a linking s and before a vowel, and mostly between a vowel and a consonant.
    """
    text_before, text_behind = word[:offset], word[offset:]
    last_before, first_behind = text_before[-1], text_behind[0]
    if _ends_joined(text_before) or first_behind in _VOWELS:
        return False
    if _SECOND_WORD.match(text_behind):
        return True
    if last_before in _VOWELS:
        return False
    divides_st = last_before + first_behind == "st" and text_before[-2:-1] not in _VOWELS
    divides_onset = _ONSETS.match(word, offset - 1) is not None
    return divides_onset or divides_st or text_before.endswith(("ss", "sch"))


_COMPOUND_LENGTH, _COMPOUND_COST = 12, 2.1
"""A listed word of so many letters is probably a compound itself, so it costs more than two words."""

_JOINED_COST = 1.5
"""The cost of a listed word with a linking s; without it the cost is 1."""

_NOT_LAST = frozenset({"ende", "ender", "erin", "esse", "este", "isch", "test"})
"""Listed words that are mostly the endings of others."""


class _Division(NamedTuple):
    """A way to divide letters into words; the smallest is the best.

    Of two with the same cost that with fewer words in s, then that with a longer word is better.
    """

    cost: float
    ending_in_s: int
    minus_squares: int
    ends: list[int]


def _compound_seams(letters: str, words: Mapping[str, str]) -> list[int]:
    """Return the seams between the fewest listed words that make up the whole; empty if there are none.

    An s that could end a word or begin the next begins the next: Herbst-sturm, Schnee-sturm.
    """
    # the best division of the letters up to each offset that ends a word
    best: dict[int, _Division] = {0: _Division(0, 0, 0, [])}
    for end in range(MIN_LETTERS, len(letters) + 1):
        for start in range(end - MIN_LETTERS + 1):
            word_part = letters[start:end]
            cost = _cost(word_part, words, end == len(letters)) if start in best else 0
            if cost:
                begin = best[start]
                if word_part == letters and len(word_part) >= _COMPOUND_LENGTH:
                    cost = _COMPOUND_COST
                division = _Division(
                    cost=begin.cost + cost,
                    ending_in_s=begin.ending_in_s + (word_part[-1] == "s"),
                    minus_squares=begin.minus_squares - len(word_part) ** 2,
                    ends=[*begin.ends, end],
                )
                best[end] = min(best.get(end, division), division)
    return best[len(letters)].ends[:-1] if len(letters) in best else []


def _cost(word_part: str, words: Mapping[str, str], is_last: bool) -> float:
    """Return the cost of a part of a compound; 0 if it cannot be one, as the last with a linking s."""
    if is_last and (len(word_part) <= MIN_LETTERS or word_part in _NOT_LAST):
        return 0
    if word_part in words:
        return 1
    return _JOINED_COST if not is_last and _is_word(word_part, words) else 0


def _is_word(word: str, words: Mapping[str, str]) -> bool:
    """Whether it is in the list, with or without a linking s."""
    return word in words or (word[-1] == "s" and word[:-1] in words)
