"""An idea as a sentence is written from it: its stems, its numbers, and the names of the project in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from toolkit.dsl.names import Names
from toolkit.dsl.nearest_sentences.german import is_german, translated
from toolkit.dsl.nearest_sentences.name_readings import longest_name
from toolkit.dsl.nearest_sentences.pieces import words_in
from toolkit.dsl.nearest_sentences.text_words import words_of_text
from toolkit.dsl.nearest_sentences.thesaurus import thesaurus

MOST_WORDS_READ = 60
"""What stands behind them in a text is not read."""
NAME, NUMBER = "@", "#"
"""What the stem of a name and of a number begins with."""
KIND = "!kind "
"""What the feature begins with that says the kind of card."""
_GERMAN = "!german"
_NUMBERS = {
    **{
        word: str(number)
        for number, word in enumerate(words_in("one two three four five six seven eight"), 1)
    },
    **{word: str(number) for number, word in enumerate(words_in("eins zwei drei vier fünf sechs"), 1)},
    **dict.fromkeys(words_in("both twice beide beiden zweimal"), "2"),
    "thrice": "3",
    "ten": "10",
}
_UNREAD = frozenset(',;"')
_MOST_WORDS_OF_CLASS = 3
_ENDINGS = words_in("ings ing ies ied edly ed es ern en er em st e s n t")


class Feature(NamedTuple):
    """Something that an idea has: ``words`` is the mask of the words that it consists of, 0 for the whole."""

    name: str
    words: int


class IdeaWords(NamedTuple):
    """An idea: ``stems`` and ``words`` are its words one by one, ``names`` are kinds with names, in order."""

    words: tuple[str, ...]
    stems: tuple[str, ...]
    features: tuple[Feature, ...]
    numbers: tuple[str, ...]
    names: tuple[tuple[str, str], ...]


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return a word without its ending: `attacked`, `attacks` and `attacking` are one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)]
    return word


def idea_words(text: str, names: Names, kind: str = "") -> IdeaWords:
    """Return the words of an idea for a card of some kind, if that is known; German ones in English."""
    words = words_of_text(text)
    german = dict[str, str]()
    is_translated = is_german(words)
    if is_translated:
        words, german = translated(words)
    spoken = [word.casefold().replace("’", "'") for word in words]
    stems, english, numbers, known_names = list[str](), list[str](), list[str](), list[tuple[str, str]]()
    position = 0
    while position < len(spoken) and len(stems) < MOST_WORDS_READ:
        word = spoken[position]
        end, kind_of_name, name = longest_name(spoken, position, names)
        if name:
            known_names.append((kind_of_name, name))
            stems.append(NAME + kind_of_name)
            english.append(name)
        elif word not in _UNREAD:
            number = word if word.isdecimal() else _NUMBERS.get(word)
            if number is not None:
                numbers.append(number)
            stems.append(_stem_of_number(number) if number else stem(word))
            english.append(word)
        position = end if name else position + 1
    features = _features(stems, english)
    features += [Feature(_GERMAN, 0)] * is_translated
    features += [Feature(KIND + kind, 0)] if kind else []
    written = tuple(german.get(word, word) for word in english)
    return IdeaWords(written, tuple(stems), tuple(features), tuple(numbers), tuple(known_names))


def stems_of_phrase(words: Sequence[str]) -> list[str]:
    """Return the stems of the words of a phrase, each once."""
    return list(dict.fromkeys(map(stem, words)))


def _stem_of_number(number: str) -> str:
    """Return what stands for a number: 0 and 1 say something by themselves, the others only how many."""
    return NUMBER + number if number in ("0", "1") else NUMBER


def _features(stems: Sequence[str], words: Sequence[str]) -> list[Feature]:
    """Return the stems, pairs of neighbours, pairs around a word, and classes of words, each once."""
    masks = defaultdict[str, int](int)
    for position, word_stem in enumerate(stems):
        masks[word_stem] |= 1 << position
    for mask, name in _classes_in(words):
        masks[name] |= mask
    everything = (1 << len(stems)) - 1
    for position, (first, second) in enumerate(pairwise(("^", *stems, "$"))):
        masks[f"{first} {second}"] |= 3 << position >> 1 & everything
    for position, (first, second) in enumerate(zip(stems, stems[2:], strict=False)):
        masks[f"{first} _ {second}"] |= 5 << position
    return [Feature(name, mask) for name, mask in masks.items()]


def _classes_in(words: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the classes of the thesaurus that words stand in, each with the mask of the words."""
    for length in range(1, _MOST_WORDS_OF_CLASS + 1):
        for position in range(len(words) - length + 1):
            for name in _classes().get(tuple(words[position : position + length]), ()):
                yield ((1 << length) - 1) << position, name


@lru_cache(maxsize=1)
def _classes() -> dict[tuple[str, ...], list[str]]:
    """Return the names of the classes by the words that stand in them."""
    classes = defaultdict[tuple[str, ...], list[str]](list)
    for name, choice in thesaurus().classes.items():
        for words in dict.fromkeys(choice):
            classes[words].append(name)
    return classes
