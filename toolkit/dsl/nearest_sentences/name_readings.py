"""The names of a project in a text: `snipers` are `OPERATORs with trait "sniper"`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from toolkit.dsl.names import Names
from toolkit.dsl.nearest_sentences.phrases import roots_of
from toolkit.dsl.nearest_sentences.pieces import Piece, Reading, pieces_of, words_in
from toolkit.dsl.nearest_sentences.thesaurus import thesaurus

_QUOTED, _WITH_KIND, _AS_NOUN, _AS_FILTER, _AS_STATE = 0.15, 0.3, 0.35, 0.5, 0.45
_OTHER_WORD = 0.15
_IS = {
    **dict.fromkeys(words_in("is are ist sind be"), "has"),
    **dict.fromkeys(words_in("isn't aren't isnt"), "has no"),
}
_ARTICLES = frozenset(words_in("a an the ein eine einen einem kein keine der die das"))
_BEFORE_NOUNS = frozenset(words_in("own enemy friendly hostile"))
_NOT = frozenset(words_in("not no nicht kein keine"))
_KINDS = {
    "trait": frozenset(words_in("trait traits merkmal")),
    "TEAM": frozenset(words_in("team teams faction")),
    "KEYWORD": frozenset(words_in("keyword keywords ability")),
    "MARKER": frozenset(words_in("marker markers token tokens counter counters maker")),
}


class _Name(NamedTuple):
    """A name of the project of a ``kind`` (``_KINDS``), with words that stand for it and what they cost."""

    kind: str
    name: str
    words: tuple[str, ...]
    cost: float


def name_readings(spoken: Sequence[str], position: int, names: Names) -> Iterator[Reading]:
    """Yield what the names of the project may say that begin at a word."""
    by_word = _by_first_word(names)
    for end, name, is_many in _names_at(spoken, position, by_word):
        yield from _as_words(end, name, is_many=is_many, is_noun=spoken[position - 1] in _BEFORE_NOUNS)
    if spoken[position] in _IS:
        yield from _as_state(spoken, position, by_word)
    if spoken[position].startswith("non"):
        unprefixed = (spoken[position].removeprefix("non"), *spoken[position + 1 :])
        for end, name, is_many in _names_at(unprefixed, 0, by_word):
            yield from _as_noun(position + end, name, is_many=is_many, no="no ")


def has_name(word: str, names: Names) -> bool:
    """Whether a name of the project begins with a word."""
    return any(True for _ in _names_at((word,), 0, _by_first_word(names)))


def longest_name(spoken: Sequence[str], position: int, names: Names) -> tuple[int, str, str]:
    """Return where the longest name ends that begins at a word, its kind and the name; empty without one."""
    longest = position, "", ""
    for end, name, _ in _names_at(spoken, position, _by_first_word(names)):
        if end > longest[0]:
            longest = end, name.kind, name.name
    return longest


def _as_words(end: int, name: _Name, *, is_many: bool, is_noun: bool) -> Iterator[Reading]:
    """Yield a name with the word for its kind, or as a noun; ``is_noun``: it can be nothing else."""
    quoted = f'"{name.name}"'
    yield Reading(end, (Piece("STRING", quoted),), _QUOTED + name.cost, (), not name.cost and not is_many)
    yield Reading(end, pieces_of(f"{name.kind} {quoted}"), _WITH_KIND + name.cost)
    if name.kind != "MARKER":
        with_kind = "of TEAM" if name.kind == "TEAM" else f"with {name.kind}"
        yield Reading(end, pieces_of(f"{with_kind} {quoted}"), _AS_FILTER + name.cost)
        yield from _as_noun(end, name, is_many=is_many, is_same=is_noun and not name.cost)


def _as_noun(
    end: int, name: _Name, *, is_many: bool, no: str = "", is_same: bool = False
) -> Iterator[Reading]:
    """Yield a name as the OPERATORs that bear it."""
    filtered = "of TEAM" if name.kind == "TEAM" and not no else f"with {no}{name.kind}"
    group = f'{"OPERATORs" if is_many else "OPERATOR"} {filtered} "{name.name}"'
    yield Reading(end, pieces_of(group), _AS_NOUN + name.cost, (), is_same)


def _as_state(spoken: Sequence[str], position: int, by_word: dict[str, list[_Name]]) -> Iterator[Reading]:
    """Yield `is a sniper` and `isn't a sniper` as what an OPERATOR has."""
    has, begin = _IS[spoken[position]], position + 1
    while begin < len(spoken) and (spoken[begin] in _ARTICLES or spoken[begin] in _NOT):
        has = "has no" if spoken[begin] in _NOT else has
        begin += 1
    is_prefixed = begin < len(spoken) and spoken[begin].startswith("non")
    words = spoken
    if is_prefixed:
        words = (*spoken[:begin], spoken[begin].removeprefix("non"), *spoken[begin + 1 :])
    for end, name, _ in _names_at(words, begin, by_word):
        state = f'{"has no" if is_prefixed else has} {name.kind} "{name.name}"'
        is_same = not (name.cost or is_prefixed)
        yield Reading(end, pieces_of(state), _AS_STATE + name.cost, (), is_same)


def _names_at(
    spoken: Sequence[str], position: int, by_word: dict[str, list[_Name]]
) -> Iterator[tuple[int, _Name, bool]]:
    """Yield the names that begin at a word, where each ends, and whether it is in the plural."""
    if position >= len(spoken):
        return
    first = spoken[position].strip('"')
    for root in sorted(roots_of(first)):
        for name in by_word.get(root, ()):
            end = position + len(name.words)
            name_words = [word.strip('"') for word in spoken[position:end]]
            if end > len(spoken) or not all(map(_is_form_of, name_words, name.words)):
                continue
            is_many = name_words[-1] != name.words[-1]
            yield end, name, is_many
            if end < len(spoken) and spoken[end] in _KINDS[name.kind]:
                yield end + 1, name, is_many


def _is_form_of(word: str, name_word: str) -> bool:
    """Whether a word is one of a name, in the singular or in an English or German plural."""
    return word.startswith(name_word) and word.removeprefix(name_word) in ("", "s", "es", "n", "en")


def _by_first_word(names: Names) -> dict[str, list[_Name]]:
    listed = (names.traits, names.teams, names.keywords, names.markers)
    return _names_by_word(*map(tuple, listed))


@lru_cache(maxsize=8)
def _names_by_word(
    traits: tuple[str, ...], teams: tuple[str, ...], keywords: tuple[str, ...], markers: tuple[str, ...]
) -> dict[str, list[_Name]]:
    """Return the names, and other words for them, by their first word."""
    by_word: dict[str, list[_Name]] = {}
    for kind, listed in (("trait", traits), ("TEAM", teams), ("KEYWORD", keywords), ("MARKER", markers)):
        for name in listed:
            for form, cost in _forms_of(name).items():
                first_word, *_ = form
                by_word.setdefault(first_word, []).append(_Name(kind, name, form, cost))
    return by_word


def _forms_of(name: str) -> dict[tuple[str, ...], float]:
    """Return the words with which a name may be written, with what they cost: its own words nothing."""
    costs = dict.fromkeys(reversed(thesaurus().names.get(name, ())), _OTHER_WORD)
    for text in (name, name.replace("-", " - "), name.replace("-", " ")):
        costs[tuple(text.casefold().split())] = 0.0
    return {form: cost for form, cost in costs.items() if form}
