"""The ways to read the words of a text as words of the language, each with what it costs.

A word may be what it is, the same word in another form or with a mistake, one that the thesaurus has, a name of
the project, or nothing; two neighbours may change places, as a verb and its subject do in German.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from toolkit.dsl.lalr import lex, tables
from toolkit.dsl.names import Names
from toolkit.dsl.nearest_sentences.thesaurus import NUMBER, Phrase, thesaurus
from toolkit.vocabulary.nearest import allowed_mistakes, distance

KEPT, SAME_LETTERS, SAME_STEM, ONE_MISTAKE = 0.0, 0.03, 0.25, 0.45
CHANGED_PLACES = 0.35
_NEGATIONS = frozenset(
    "not no without except unless cannot can't doesn't don't isn't never nicht kein keine keinen ohne außer"
    " instead stattdessen".split()
)
_NUMBER_WORDS = {
    word: number
    for number, words in enumerate(
        (
            "zero null none",
            "one once ein eine einen einer eins",
            "two both twice zwei beide",
            "three drei",
            "four vier",
            "five fünf",
            "six sechs",
            "seven sieben",
            "eight acht",
        )
    )
    for word in words.split()
}
_GLUED = re.compile(r"(\d+)([^\W\d_].*)", re.DOTALL)
_MARKS = str.maketrans({
    **dict.fromkeys("−–—", "-"), **dict.fromkeys("“”„‟«»", '"'), **dict.fromkeys("’‘", "'"), "×": "*", "…": ".",
    "≥": " >= ", "≤": " <= ", "≠": " != ", "→": ":", "&": " and ", "|": " or ", "/": " / ", "!": " ! ",
})  # fmt: skip
_SIGNS = {"=>": ">=", "=<": "<=", "<>": "!=", "==": "=", "===": "=", "! =": "!=", "! (": " not ("}
_POSSESSIVE = re.compile(r"(?<=\w)'s\b", re.IGNORECASE)
_HYPHENED = re.compile(r"\b(re|un|de|non|hit|anti|co|pre)-(?=[a-z])", re.IGNORECASE)
_SIDES = frozenset("own enemy opposing hostile friendly allied your my their opponent's eigene feindliche".split())


SLOTS: dict[str, dict[str, str]] = {
    NUMBER: {},
    "<stat>": {
        **{stat.casefold(): stat for stat in ("AP", "EP", "DP", "MP", "HITCOUNTER", "OBJECTIVECOUNTER")},
        "hitcounters": "HITCOUNTER",
        "range": "RANGE",
        "damage": "DAMAGE",
    },
    "<who>": {
        **{who: who for who in ("self", "target", "attacker", "attacked", "it", "owner", "opponent")},
        **{"this": "self", "its": "self", "their": "target", "you": "owner"},
    },
}
"""The slots of phrases, with the words that stand in them."""


class Piece(NamedTuple):
    """A word of a sentence: its terminal, and its text."""

    terminal: str
    text: str


class Reading(NamedTuple):
    """Words of the text, up to ``end``, read as words of the language; ``left_out`` have no counterpart."""

    end: int
    pieces: tuple[Piece, ...]
    cost: float
    left_out: tuple[str, ...] = ()


def words_of_text(text: str) -> list[str]:
    """Return the words, numbers and symbols of a text, with what is glued together taken apart."""
    text = _POSSESSIVE.sub(" 's", _HYPHENED.sub(r"\1", text.translate(_MARKS)))
    for written, right in _SIGNS.items():
        text = text.replace(written, right)
    words: list[str] = []
    for token in lex(text, tables().words):
        word = str(token)
        glued = _GLUED.fullmatch(word.lstrip("+-"))
        if token.type == "WORD" and glued and not re.fullmatch(r"\d+\w", word):
            words += [*word[: len(word) - len(word.lstrip("+-"))], *glued.groups()]
        elif re.fullmatch(r"\d+[dDwW]6?", word):
            words += [word[: re.match(r"\d+", word).end()], "D6"]  # type: ignore[union-attr]
        else:
            words.append(word)
    return words


@lru_cache(maxsize=4096)
def pieces_of(words: str) -> tuple[Piece, ...]:
    """Return the pieces of words of the language."""
    return tuple(Piece(token.type, str(token)) for token in lex(words, tables().words))


def readings_of(words: Sequence[str], names: Names) -> list[list[Reading]]:
    """Return for each word of a text its readings, alone or with the words behind it."""
    spoken = [word.casefold() for word in words]
    alone = [list(_alone(word, begins=position == 0)) for position, word in enumerate(words)]
    readings: list[list[Reading]] = []
    for position in range(len(words)):
        found = [Reading(position + 1, pieces, cost) for pieces, cost in alone[position]]
        found += _phrases(spoken, position)
        found += _names(words, spoken, position, names)
        found.append(_left_out(words, position))
        readings.append(found)
    swapped = [list(_changed_places(readings, position)) for position in range(len(words))]
    return [_cheapest([*found, *more]) for found, more in zip(readings, swapped, strict=True)]


def _cheapest(readings: list[Reading]) -> list[Reading]:
    """Return each different reading once, with the least cost."""
    best: dict[tuple[int, tuple[Piece, ...]], Reading] = {}
    for reading in readings:
        key = (reading.end, reading.pieces)
        if key not in best or reading.cost < best[key].cost:
            best[key] = reading
    return list(best.values())


def _alone(word: str, *, begins: bool) -> Iterator[tuple[tuple[Piece, ...], float]]:
    """Yield what a word may be by its letters."""
    if word.isdecimal():
        yield (Piece("INT", word),), KEPT
        return
    if word[0] == '"' and len(word) > 1:
        yield (Piece("STRING", word),), KEPT
        return
    for right, cost in _by_letters(word):
        yield pieces_of(right), cost
    number = _NUMBER_WORDS.get(word.casefold())
    if number is not None:
        yield (Piece("INT", str(number)),), 0.3
    del begins


@lru_cache(maxsize=4096)
def _by_letters(word: str) -> tuple[tuple[str, float], ...]:
    """Return the words of the language that a word may be by its letters, with what that costs."""
    spoken, found = word.casefold(), {}
    most = allowed_mistakes(spoken) if spoken.isalpha() and len(spoken) > 3 else 0
    for right in tables().words:
        other = right.casefold()
        if word == right:
            cost = KEPT
        elif spoken == other:
            cost = SAME_LETTERS if right[0].islower() or not word[0].isupper() else SAME_LETTERS
        elif not other.isalpha():
            continue
        elif _stem(spoken) == _stem(other) and len(_stem(other)) > 2:
            cost = SAME_STEM
        elif most and abs(len(other) - len(spoken)) <= most and len(other) > 3:
            mistakes = distance(spoken, other, most)
            if mistakes > most:
                continue
            cost = ONE_MISTAKE * mistakes + 0.15
        else:
            continue
        found[right] = cost
    return tuple(found.items())


def _stem(word: str) -> str:
    for ending in ("ing", "ies", "es", "ed", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)]
    return word


def _phrases(spoken: Sequence[str], position: int) -> Iterator[Reading]:
    """Yield what the thesaurus has for the words from a position on."""
    first = spoken[position]
    phrases = thesaurus().phrases
    slots = (slot for slot in SLOTS if in_slot(slot, first) is not None)
    for phrase in (phrase for key in (first, *slots) for phrase in phrases.get(key, ())):
        end = position + len(phrase.written)
        right = _right_of(phrase, spoken[position:end])
        if right is not None:
            yield Reading(end, pieces_of(right), phrase.cost)


def in_slot(slot: str, word: str) -> str | None:
    """Return a word as the language writes it in a slot of a phrase; None if it does not belong there."""
    if slot == NUMBER:
        return word if word.isdecimal() else str(_NUMBER_WORDS[word]) if word in _NUMBER_WORDS else None
    return SLOTS[slot].get(word) if slot in SLOTS else None


def _right_of(phrase: Phrase, spoken: Sequence[str]) -> str | None:
    """Return what the language says for the words of a phrase; None if they are others."""
    if len(spoken) != len(phrase.written):
        return None
    right = phrase.right
    values: dict[str, str] = {}
    for pattern, word in zip(phrase.written, spoken, strict=True):
        if pattern in SLOTS:
            value = in_slot(pattern, word)
            if value is None:
                return None
            values[pattern] = value
            if phrase.written.count(pattern) > 1:
                right = right.replace(pattern, value, 1)
        elif pattern != word:
            return None
    for slot, value in values.items():
        right = right.replace(slot, value)
    return right


def _names(words: Sequence[str], spoken: Sequence[str], position: int, names: Names) -> Iterator[Reading]:
    """Yield what the names of the project may say: ``snipers`` are ``OPERATORs with trait "sniper"``."""
    kinds = (("trait", names.traits), ("TEAM", names.teams), ("KEYWORD", names.keywords), ("MARKER", names.markers))
    for kind, listed in kinds:
        for name in listed:
            parts = [word.casefold() for word in words_of_text(name)]
            end = position + len(parts)
            if not _is_name(spoken[position:end], parts):
                continue
            quoted = f'"{name}"'
            yield Reading(end, (Piece("STRING", quoted),), 0.15)
            yield Reading(end, pieces_of(f"{kind} {quoted}"), 0.3)
            if kind == "MARKER":
                continue
            yield Reading(end, pieces_of(f"with {kind} {quoted}"), 0.5)
            is_many = spoken[end - 1] != parts[-1]
            group = f"{'OPERATORs' if is_many else 'OPERATOR'} {'of TEAM' if kind == 'TEAM' else f'with {kind}'}"
            yield Reading(end, pieces_of(f"{group} {quoted}"), 0.4)


def _is_name(spoken: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether words are those of a name, the last one perhaps in the plural."""
    if len(spoken) != len(parts):
        return False
    *firsts, last = (word.strip('"') for word in spoken)
    if not last:
        return False
    return firsts == list(parts[:-1]) and last in (parts[-1], f"{parts[-1]}s", f"{parts[-1]}es")


def _left_out(words: Sequence[str], position: int) -> Reading:
    """Return the reading of a word as nothing; words that carry a meaning are dear."""
    word = words[position]
    spoken = word.casefold()
    if spoken in ",.:;!?-":
        return Reading(position + 1, (), 0.3)
    if spoken in thesaurus().fillers:
        return Reading(position + 1, (), 0.35)
    if spoken in _NEGATIONS:
        cost = 3.0
    elif spoken.isdecimal() or spoken[0] == '"' or spoken in _NUMBER_WORDS:
        cost = 2.6
    elif spoken in _SIDES or (word.isupper() and len(word) > 1):
        cost = 2.0
    else:
        cost = 1.5
    return Reading(position + 1, (), cost, (word,))


def _changed_places(readings: Sequence[Sequence[Reading]], position: int) -> Iterator[Reading]:
    """Yield two neighbouring readings in the other order, if one of them is a verb."""
    for first in readings[position]:
        if not first.pieces or first.end >= len(readings) or first.end - position > 3 or first.cost > 0.8:
            continue
        for second in readings[first.end]:
            if not second.pieces or second.end - first.end > 3 or second.cost > 0.8:
                continue
            if _is_verb(first.pieces) != _is_verb(second.pieces):
                cost = first.cost + second.cost + CHANGED_PLACES
                yield Reading(second.end, (*second.pieces, *first.pieces), cost)


_VERBS = frozenset(
    "gets get doubles double halves halve ignores ignore rolls roll makes make gains gain draws draw discards "
    "discard becomes become loses lose swaps swap advances advance retreats retreat enters enter is are has have "
    "performs hits misses attacks cannot".split()
)


def _is_verb(pieces: Sequence[Piece]) -> bool:
    return pieces[0].text in _VERBS
