"""Search in the help by words that are no name: full text with synonyms, the best three matches.

What is found are sections of pages, findings, keys of files, rules by number, and commands. All pages are
read for the first search, which takes 0.1 s; nothing is kept on disk, and no other command waits for it.
"""

from __future__ import annotations

import re
import shlex
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import log
from typing import NamedTuple

from msgspec import Struct

from toolkit.diagnostics.help_pages import (
    finding_names,
    head_of_finding,
    other_page,
    other_pages,
    page_of_finding,
    synonyms_text,
)
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary import KEYS

BEST = 3
"""Matches of a search, at most."""

NOT_SEARCHED = ("changes", "words")
"""Pages that are not for whoever looks for something."""

_HEADING, _PAGE_NAME, _TITLE, _TEXT, _REPEATED = 5.0, 3.0, 2.0, 1.0, 0.3
"""How much a word counts: in a heading, in name and title of the page, in the text, and once more there."""

_MOST_REPEATS = 5
"""So many repetitions in the text count; a long page is not better for more of them."""

_SYNONYM = 0.6
"""How much a synonym counts, where the word itself counts 1."""

_FINDING, _RECIPE, _RULE, _KEY, _COMMAND = 0.6, 0.5, 0.6, 0.7, 1.2
"""How much matches count that are not about how something is done."""

_RECIPES, _RULES = ("cookbook", "eighty-ideas"), ("rules", "language")
_FILLER_WORDS = """
a an and are as at be by can do does for from have how i in is it my no not of on or that the this to up
want what when where which with you your
could did does many mean means me much should there was we were will would why
das den der ein eine einen ich im ist kann man mein meine meinen mit und von warum was welche
wie wo zu zum zur
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
_CODE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[([^\]\n]*)\]\([^)\n]*\)")
_WORD = re.compile(r"[^\W_]+")
_ENDING = re.compile(r"(?:ations?|ates?|ated|ings?|ions?|ies|ed|es|s|e|y)$")

Stems = tuple[str, ...]
"""A word or a phrase as the stems of its words."""


class Match(PublicValue, Struct, frozen=True):
    """What was found: the name by which `opforge explain` shows it, its title, and its first sentence.

    A ``command`` is shown by its ``--help`` instead.
    """

    name: str
    title: str
    sentence: str
    is_command: bool = False

    @property
    def text(self) -> str:
        """What it is about: its title if the name is another, and its first sentence."""
        is_titled = self.title != self.name or not self.sentence
        return f"{self.title}. {self.sentence}".rstrip(". ") if is_titled else self.sentence

    @property
    def shown_by(self) -> str:
        """The command that shows it."""
        if self.is_command:
            return f"opforge {self.name} --help"
        return f"opforge explain {shlex.quote(self.name)}"


class _Entry(Struct, frozen=True):
    """What can be found: how much each stem counts in it, and how much a match of it counts."""

    match: Match
    weights: Mapping[str, float]
    factor: float = 1.0


class HelpIndex:
    """All that can be found, read once; ``commands`` are sentences about each command of the program."""

    def __init__(self, commands: Mapping[str, str] | None = None) -> None:
        """Read all entries, and how rare each stem is among them: a rare one says more."""
        self.entries = [*_entries(), *_command_entries(commands or {})]
        self._synonyms = _groups_of_synonyms()
        frequencies = Counter(stem for entry in self.entries for stem in entry.weights)
        number = len(self.entries)
        self._rarity = {stem: log(1 + number / frequency) for stem, frequency in frequencies.items()}

    def search(self, words: str) -> list[Match]:
        """Return the best matches of some words, the best first."""
        terms = [_Term(stems, _synonyms_of(stems, self._synonyms)) for stems in self._phrases_in(words)]
        if not terms:
            return []
        scores: dict[str, float] = {}
        matches: dict[str, Match] = {}
        for entry in self.entries:
            score, command = self._score(entry, terms), entry.match.shown_by
            if score > scores.get(command, 0.0):  # of several entries that one command shows, the best
                scores[command], matches[command] = score, entry.match
        best_commands = sorted(scores, key=lambda command: -scores[command])[:BEST]
        return [matches[command] for command in best_commands]

    def _phrases_in(self, words: str) -> Iterator[Stems]:
        """Yield the words of a query; with a hyphen, or if they have synonyms together, several are one."""
        phrases_with_synonyms = {phrase for group in self._synonyms for phrase in group}
        words_left = [stems for word in words.split() if (stems := _stems(word))]
        while words_left:
            for length in (3, 2, 1):  # the longest phrase first; a single word need not have synonyms
                phrase = sum(words_left[:length], ())  # the stems of all its words
                if length == 1 or phrase in phrases_with_synonyms:
                    break
            yield phrase
            words_left = words_left[length:]

    def _score(self, entry: _Entry, terms: Sequence[_Term]) -> float:
        """Return how well an entry fits terms: a rare word says more, and of several none should lack."""
        scores = [
            max(
                self._phrase_score(term.phrase, entry),
                *(_SYNONYM * self._phrase_score(synonym, entry) for synonym in term.synonyms),
            )
            for term in terms
        ]
        share_of_terms_in_entry = sum(score > 0 for score in scores) / len(scores)
        return sum(scores) * share_of_terms_in_entry**2 * entry.factor

    def _phrase_score(self, phrase: Stems, entry: _Entry) -> float:
        """Return how much a phrase counts in an entry, on average over its words; 0 if it lacks one."""
        if not all(stem in entry.weights for stem in phrase):
            return 0.0
        return sum(entry.weights[stem] * self._rarity[stem] for stem in phrase) / len(phrase)


class _Term(NamedTuple):
    """A word or phrase that is searched, and the words and phrases that mean the same, itself among them."""

    phrase: Stems
    synonyms: Sequence[Stems]


# The words of a query


@lru_cache(maxsize=8192)
def stem_of(word: str) -> str:
    """Return a word without its inflection: ``prints``, ``printed`` and ``printing`` are ``print``."""
    stem = _ENDING.sub("", word)
    if len(stem) < 3:
        return word
    # as in `planned`, but not in `missing` and `filled`
    is_doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls"
    return stem[:-1] if is_doubled else stem


def _stems(text: str) -> Stems:
    return tuple([stem_of(word) for word in _WORD.findall(text.casefold()) if word not in _FILLERS])


def _groups_of_synonyms() -> list[list[Stems]]:
    """Return groups of words and phrases that mean the same, also keys of files with what people write."""
    lines = [line for line in synonyms_text().splitlines() if line and not line.startswith("#")]
    lines += [f"{key} {written.replace('_', '-')}" for key, written in KEYS.items()]
    return [[_stems(phrase) for phrase in line.split()] for line in lines]


def _synonyms_of(phrase: Stems, groups: Iterable[Sequence[Stems]]) -> list[Stems]:
    return [phrase, *(synonym for group in groups if phrase in group for synonym in group)]


# What can be found


@cache
def _entries() -> tuple[_Entry, ...]:
    """Return all pages and sections that can be found; they are read once."""
    return (*_findings(), *_sections_of_pages())


def _findings() -> Iterator[_Entry]:
    """Yield an entry for each finding: its title, and its page up to the first section."""
    for name in finding_names():
        title = head_of_finding(name).get("title", name)
        body, _, _ = (page_of_finding(name) or "").partition("\n## ")
        yield _entry(Match(name, name, title), body, factor=_FINDING)


def _sections_of_pages() -> Iterator[_Entry]:
    for page, title in other_pages().items():
        if page not in NOT_SEARCHED:
            yield from _entries_of_page(page, title, other_page(page) or "")


def _command_entries(commands: Mapping[str, str]) -> Iterator[_Entry]:
    for name, sentence in commands.items():
        yield _entry(Match(name, name, sentence, is_command=True), sentence, factor=_COMMAND)


def _entries_of_page(page: str, title: str, text: str) -> Iterator[_Entry]:
    """Yield the beginning of a page, then each of its sections; of the page of files each key."""
    if page == "files":
        yield from _keys(text)
        return
    beginning, *sections = re.split(r"^(?=##+ )", _CODE.sub("", text), flags=re.MULTILINE)
    if page == "python":  # its names are known without a search
        sections = []
    factor = 1.0
    if page in _RECIPES:
        factor = _RECIPE
    elif page in _RULES:
        factor = _RULE
    yield _entry(Match(page, title, _sentence(beginning)), beginning, page)
    for section in sections:
        heading, _, body = section.partition("\n")
        heading = heading.lstrip("# ")
        has_text = bool(_CODE.sub("", body).strip())
        if has_text or page in _RECIPES:  # a recipe may be nothing but its code
            rule_number, *_ = heading.split()
            name = rule_number if page == "rules" else heading
            yield _entry(Match(name, heading, _sentence(section)), body, f"{page} {title}", factor)


def _keys(text: str) -> Iterator[_Entry]:
    """Yield an entry for each key that the page of files lists, such as ``- `checks.select`, …: meaning``.

    The deeper a key lies in its file, the less it counts.
    """
    for line in re.findall(r"^- (`[^:\n]+:.*)$", text, re.MULTILINE):
        names, _, meaning = line.partition(": ")
        first_name, *_ = re.split(r"`[, ]", names)
        key_path = re.findall(r"[\w-]+", first_name)
        if key_path:
            key = key_path[-1]
            yield _entry(Match(key, key, meaning), meaning, factor=_KEY / len(key_path))


def _entry(match: Match, text: str, page: str = "", factor: float = 1.0) -> _Entry:
    """Return an entry with the weight of each stem: most in its title, less in its text."""
    weights: defaultdict[str, float] = defaultdict(float)
    for stem, number in Counter(_stems(_CODE.sub("", text))).items():
        weights[stem] = _TEXT + _REPEATED * min(number - 1, _MOST_REPEATS)
    for field, weight in ((match.title, _HEADING), (page, _TITLE), (match.name, _PAGE_NAME)):
        for stem in set(_stems(field)):  # a word twice in a title counts once
            weights[stem] += weight
    return _Entry(match, weights, factor)


def _sentence(section: str) -> str:
    """Return the first sentence below the heading of a section."""
    _heading, _, body = section.partition("\n")
    paragraph, _, _ = body.strip().partition("\n\n")
    if paragraph.startswith(("|", ">", "#")):  # a table, a printed text, the next heading
        return ""
    text = " ".join(_LINK.sub(r"\1", paragraph).split())
    text_of_list = text.lstrip("-123456789. ")  # without the mark of its first entry
    first_sentence, *_ = re.split(r"(?<=[.?!:]) (?=[A-Z`(])", text_of_list)
    return first_sentence
