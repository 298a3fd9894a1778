"""The German words and phrases of ideas with what they say in English: ``german.txt``.

A word is looked up as it is, without its ending, and with what may stand apart from a verb: `ab+werf-` is
abwirft, abgeworfen and abzuwerfen. What is not there is taken apart as a compound, or is a slip of the pen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from toolkit.resources import german_file
from toolkit.vocabulary.nearest import distance

_LINKS = ("", "s", "n", "en", "es", "er", "e")
"""What stands between the parts of a compound."""
_SHORTEST_PART, _SHORTEST_STEM, _SHORTEST_PARTICIPLE, _SHORTEST_MISSPELT = 3, 3, 6, 6
_ANY_WORD = "_"
"""In a phrase: whatever word stands there."""
_UMLAUTS = (("ae", "ä"), ("oe", "ö"), ("ue", "ü"))
_CHOICE = re.compile(r"\{([^{}]*)\}")
_LIST = re.compile(r"<(?P<name>[a-z ]+)> = (?P<words>.*)")
BY_PLACE = " ~ "
"""Between what a word says before a noun and what it says alone."""


class _Node:
    """The phrases that begin in the same way; ``english`` is what the phrase that ends here says."""

    __slots__ = ("english", "following")

    def __init__(self) -> None:
        self.following: dict[str, _Node] = {}
        self.english: str | None = None


class Lexicon(NamedTuple):
    """The file: its phrases, what may stand apart from a verb, its English words, and its lists by name."""

    root: _Node
    beginnings: tuple[str, ...]
    english: frozenset[str]
    lists: dict[str, frozenset[str]]


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the lexicon, read once."""
    root, beginnings, english_words = _Node(), set[str](), set[str]()
    lists: dict[str, frozenset[str]] = {}
    for line in german_file().read_text(encoding="utf-8").casefold().splitlines():
        if line.startswith("//"):
            continue
        if (listed := _LIST.fullmatch(line)) is not None:
            name = listed["name"]
            lists[name] = lists.get(name, frozenset()) | frozenset(listed["words"].split())
        english, arrow, german = line.partition("<-")
        if not arrow:
            continue
        english_words.update(english.split())
        for phrase in _phrases(german):
            _add(root, phrase, english.strip())
            beginnings.update(word.partition("+")[0] for word in phrase if "+" in word[1:-1])
    longest_first = tuple(sorted(beginnings, key=len, reverse=True))
    return Lexicon(root, longest_first, frozenset(english_words) | lists["english"], lists)


def _add(root: _Node, phrase: Sequence[str], english: str) -> None:
    """Add a phrase; what an earlier line says it means stays."""
    node = root
    for word in phrase:
        node = node.following.setdefault(word, _Node())
    if node.english is None:
        node.english = english


def _phrases(text: str) -> Iterator[tuple[str, ...]]:
    """Yield the phrases of a line, each choice in them made."""
    for pattern in re.split(r" \| (?![^{}]*\})", text.strip()):
        pieces = _CHOICE.split(pattern)
        # `split` puts what is in braces between the texts around it
        choices = (piece.split("|") if number % 2 else (piece,) for number, piece in enumerate(pieces))
        for chosen in product(*choices):
            words = tuple(" ".join(chosen).split())
            if words:
                yield words


@lru_cache(maxsize=8192)
def _keys(word: str) -> tuple[str, ...]:
    """Return how a word may be written in the lexicon: as it is, by its stem, with what stands apart."""
    keys = [word, f"{word}-"]
    for ending in sorted(lexicon().lists["endings"], key=len):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            keys.append(f"{word[: -len(ending)]}-")
    if word.startswith("ge") and len(word) >= _SHORTEST_PARTICIPLE:
        keys += [key for key in _keys(word[2:]) if key[-1] == "-"]
    for beginning in lexicon().beginnings:
        if word.startswith(beginning):
            verb = word[len(beginning) :].removeprefix("+")
            for form in dict.fromkeys((verb, verb.removeprefix("zu"))):
                if len(form) >= _SHORTEST_STEM:
                    keys += [f"{beginning}+{key}" for key in _keys(form)]
    return tuple(dict.fromkeys(keys))


@lru_cache(maxsize=4096)
def has_verb(beginning: str, verb: str) -> bool:
    """Whether the lexicon has a verb whose beginning stands apart: `ab` and `wirft`."""
    keys = _keys(f"{beginning}+{verb}")
    return any(key in lexicon().root.following for key in keys if key.startswith(f"{beginning}+"))


def longest_phrase(spoken: Sequence[str], position: int) -> tuple[int, str | None]:
    """Return where the longest phrase ends that begins at a word, and what it says; None if there is none."""
    nodes = [lexicon().root]
    end, english = position + 1, None
    for word_position in range(position, len(spoken)):
        word = spoken[word_position]
        keys = (*_keys(word), _ANY_WORD) if word.isalpha() else _keys(word)
        nodes = [node.following[key] for node in nodes for key in keys if key in node.following]
        if not nodes:
            break
        english_so_far = next((node.english for node in nodes if node.english is not None), None)
        if english_so_far is not None:
            end, english = word_position + 1, english_so_far
    return end, english


@lru_cache(maxsize=8192)
def said_alone(word: str) -> str | None:
    """Return what a word says by itself; None if it is not in the lexicon."""
    following = lexicon().root.following
    nodes = (following[key] for key in _keys(word) if key in following)
    return next((node.english for node in nodes if node.english is not None), None)


@lru_cache(maxsize=4096)
def said_by_parts(word: str) -> str | None:
    """Return what the parts of a compound say, the longest last part first; None if it is none."""
    if not word.isalpha():
        return None
    for split in range(_SHORTEST_PART, len(word) - _SHORTEST_PART + 1):
        last = said_alone(word[split:])
        if not last or BY_PLACE in last:
            continue
        for stem in _without_links(word[:split]):
            first = said_alone(stem)
            if first and BY_PLACE not in first:
                return f"{first} {last}"
    return None


def _without_links(first_part: str) -> Iterator[str]:
    """Yield what the first part of a compound may be without what links it: `schützen` is of `schütze`."""
    for link in _LINKS:
        stem = first_part.removesuffix(link)
        if first_part.endswith(link) and len(stem) >= _SHORTEST_PART:
            yield stem


@lru_cache(maxsize=2048)
def said_respelt(word: str) -> str | None:
    """Return what an unknown word says with its umlauts or with one slip mended; None if nothing is near."""
    if not word.isalpha() or len(word) < _SHORTEST_MISSPELT or word in lexicon().english:
        return None
    with_umlauts = word
    for written, umlaut in _UMLAUTS:
        with_umlauts = with_umlauts.replace(written, umlaut)
    near_words = [known for known in lexicon().root.following if known.isalpha() and _is_slip(word, known)]
    meanings = map(said_alone, (with_umlauts, *near_words))
    return next((english for english in meanings if english and BY_PLACE not in english), None)


def _is_slip(word: str, known: str) -> bool:
    """Whether a word is another with a letter more, a letter less, or two letters in each other's place."""
    difference = abs(len(word) - len(known))
    if known[0] != word[0] or difference > 1 or (not difference and sorted(word) != sorted(known)):
        return False
    return distance(word, known, 1) <= 1
