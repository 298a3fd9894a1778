"""The ways to read the words of a text as words of the language, each with what it costs.

A word may be what it is, the same word in another form or with a mistake, one that the thesaurus has, a name
of the project, or nothing; two neighbours may change places, as a verb and its subject do in German; what is
left unsaid in the second half of ``X or Y`` is that of the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from toolkit.dsl.lalr import tables
from toolkit.dsl.names import Names
from toolkit.dsl.nearest_sentences.frames import Framed, frames_in
from toolkit.dsl.nearest_sentences.groups import GroupReading, group_of, groups_in, readings_of_groups
from toolkit.dsl.nearest_sentences.name_readings import name_readings
from toolkit.dsl.nearest_sentences.phrases import Said, in_slot, phrases_at, phrases_of_groups_at, vocabulary
from toolkit.dsl.nearest_sentences.pieces import Piece, Reading, pieces_of, words_in
from toolkit.dsl.nearest_sentences.places import changed_places
from toolkit.dsl.nearest_sentences.search import can_be_parsed
from toolkit.dsl.nearest_sentences.thesaurus import NUMBER, thesaurus
from toolkit.vocabulary import SECOND_FORMS
from toolkit.vocabulary.nearest import allowed_mistakes, distance, is_certain, is_opposite

_AS_IT_IS, _SAME_LETTERS, _SAME_STEM, _ONE_MISTAKE = 0.0, 0.03, 0.25, 0.45
_OPPOSITE_LEFT_OUT = 6.0
_PREFIXES = ("un", "non", "re", "dis", "de", "counter", "mis")
_NUMBER_AS_WORD, _CARRIED_OVER, _NEGATED = 0.1, 0.5, 0.3
_MARK_LEFT_OUT, _FILLER_LEFT_OUT = 0.3, 0.35
_NUMBER_LEFT_OUT, _NAME_LEFT_OUT, _NOUN_LEFT_OUT, _KNOWN_WORD_LEFT_OUT, _WORD_LEFT_OUT = (
    7.0,
    6.0,
    3.5,
    2.5,
    1.4,
)


class TextRead(NamedTuple):
    """For each word of a text its readings, alone or with the words behind it, and the frames there."""

    readings: list[list[Reading]]
    framed: list[list[Framed]]


def read_text(words: Sequence[str], names: Names, *, with_frames: bool = False) -> TextRead:
    """Return what the words of a text may say."""
    spoken = [word.casefold() for word in words]
    readings = []
    for position, word in enumerate(words):
        said_names = [*name_readings(spoken, position, names)]
        at_word = [*_alone(word, position), *_phrases(spoken, position), *said_names]
        if with_frames:
            for end, right, cost, _ in phrases_at(spoken, position, of_ideas=True):
                at_word.append(Reading(end, pieces_of(right), cost))
        at_word += _carried_over(spoken, position)
        at_word += _filters(words, position)
        at_word.append(_left_out(words, position, is_name=bool(said_names)))
        readings.append(at_word)
    qualities = groups_in(readings, spoken)
    groups = [
        [reading for reading in listed if reading.group.has_noun or reading.group.ref] for listed in qualities
    ]
    for position, at_word in enumerate(readings):
        at_word += readings_of_groups(groups[position], position)
    said = [*map(_said_in_slots, readings, groups, qualities)]
    for position, at_word in enumerate(readings):
        for end, right, cost, is_same in phrases_of_groups_at(spoken, position, said):
            at_word.append(Reading(end, pieces_of(right), cost, (), is_same))
    nothing = [[reading for reading in at_word if not reading.pieces] for at_word in readings]
    framed = frames_in(spoken, said, nothing) if with_frames else []
    moved = [list(changed_places(readings, position)) for position in range(len(words))]
    cheapest = [_cheapest([*at_word, *more]) for at_word, more in zip(readings, moved, strict=True)]
    return TextRead(cheapest, framed)


def _said_in_slots(
    readings: Sequence[Reading], groups: Sequence[GroupReading], qualities: Sequence[GroupReading]
) -> dict[str, list[Said]]:
    """Return what stands in slots at a word, by slot; qualities are groups without a noun, with filters."""
    said: dict[str, list[Said]] = {
        "<group>": [Said(*group, False) for group in groups],
        "<quality>": [Said(*quality, False) for quality in qualities if quality.group.filters],
    }
    for end, pieces, cost, _, is_same in readings:
        words = [piece.text for piece in pieces]
        slot = _SLOTS.get(words[0]) if words else None
        if slot and len(words) == (2 if words[0] in _FIRST_OF_TWO else 1):
            said.setdefault(slot, []).append(Said(end, " ".join(words), cost, is_same))
    return said


_FIRST_OF_TWO = ("MARKER", "each")
"""Words that fill a slot with the one behind them: `MARKER "marked"`, `each player`."""


_SLOTS = {
    **dict.fromkeys(words_in("MARKER HITCOUNTER OBJECTIVECOUNTER"), "<marker>"),
    **dict.fromkeys(words_in("owner opponent each"), "<player>"),
    **dict.fromkeys(words_in("self target attacker attacked it"), "<ref>"),
    **dict.fromkeys(words_in("AP EP DP MP"), "<stat>"),
    **dict.fromkeys(words_in("EXHAUSTED SUPPRESSED NORMAL HIT OUT"), "<st>"),
}


def _cheapest(readings: list[Reading]) -> list[Reading]:
    """Return each different reading once, with the least cost, and sure if it is so in one way."""
    best: dict[tuple[int, tuple[Piece, ...]], Reading] = {}
    sure = set[tuple[int, tuple[Piece, ...]]]()
    for reading in readings:
        key = (reading.end, reading.pieces)
        if reading.is_same:
            sure.add(key)
        if key not in best or reading.cost < best[key].cost:
            best[key] = reading
    return [reading._replace(is_same=key in sure) for key, reading in best.items()]


def _alone(word: str, position: int) -> Iterator[Reading]:
    """Yield what a word may be by itself."""
    if word.isdecimal():
        yield Reading(position + 1, (Piece("INT", word),), _AS_IT_IS, (), True)
        if word in _COUNTS:
            yield Reading(position + 1, pieces_of(_COUNTS[word]), _NUMBER_AS_WORD, (), True)
    elif word[0] == '"' and len(word) > 1:
        yield Reading(position + 1, (Piece("STRING", word),), _AS_IT_IS, (), True)
    else:
        for right, cost in _by_letters(word):
            yield Reading(position + 1, pieces_of(right), cost, (), _is_same_word(word, right))
        number = in_slot(NUMBER, word.casefold())
        if number is not None and word.casefold() not in ("a", "an"):
            yield Reading(position + 1, (Piece("INT", number),), _NUMBER_AS_WORD, (), True)


_COUNTS = {"1": "one", "2": "two", "3": "three"}


@lru_cache(maxsize=4096)
def _by_letters(word: str) -> tuple[tuple[str, float], ...]:
    """Return the words of the language that a word may be by its letters, with what that costs."""
    spoken, costs = word.casefold(), dict[str, float]()
    is_known = spoken in vocabulary()
    for right in tables().words:
        other = right.casefold()
        if spoken == other:
            costs[right] = _AS_IT_IS if word == right else _SAME_LETTERS
        elif other.isalpha():
            cost = _price_of_letters(spoken, other, is_known=is_known)
            if cost is not None and not is_opposite(spoken, other):
                costs[right] = cost
        for prefix in _PREFIXES[:2]:
            if spoken == f"{prefix}{other}" and right not in _NOT_NEGATED:
                costs[f"not {right}"] = _NEGATED
    return tuple(costs.items())


_NOT_NEGATED = frozenset(words_in("own enemy draws doubles"))


def _price_of_letters(spoken: str, other: str, *, is_known: bool) -> float | None:
    """Return what it costs to read a word as another one that is written much the same; None if it is not."""
    stem = _stem(other)
    if sorted(spoken) == sorted(other) and not is_known:
        return _ONE_MISTAKE
    if stem == _stem(spoken) and len(stem) > 2 and (stem != "attack" or spoken[-2:] == other[-2:]):
        return _SAME_STEM
    most = allowed_mistakes(spoken) if spoken.isalpha() and len(spoken) > 3 and not is_known else 0
    if most and abs(len(other) - len(spoken)) <= most and len(other) > 3:
        mistakes = distance(spoken, other, most)
        if mistakes <= most:
            return _ONE_MISTAKE * mistakes + 0.15
    return None


@lru_cache(maxsize=4096)
def _is_same_word(word: str, right: str) -> bool:
    """Whether a word can only be this one: but for case, in its other form, or with one certain mistake."""
    if word.casefold() == right.casefold():
        return True
    form_of_right = SECOND_FORMS.get(right, right)
    if SECOND_FORMS.get(word, word) == form_of_right:
        return True
    if word in vocabulary():
        return False
    other_words = [other for other in tables().words if SECOND_FORMS.get(other, other) != form_of_right]
    return is_certain(word, right, other_words)


def _stem(word: str) -> str:
    for ending in ("ing", "ies", "es", "ed", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)]
    return word


def _phrases(spoken: Sequence[str], position: int) -> Iterator[Reading]:
    """Yield what the thesaurus has for the words from a position on."""
    for end, right, cost, is_same in phrases_at(spoken, position):
        yield Reading(end, pieces_of(right), cost, (), is_same)


def _filters(words: Sequence[str], position: int) -> Iterator[Reading]:
    """Yield a filter of a group that is written as the language has it."""
    if words[position] not in ("with", "in", "adjacent", "opposite", "that", "of"):
        return
    for end in range(position + 2, min(position + _MOST_WORDS_OF_FILTER, len(words)) + 1):
        if words[end - 1] in _NO_END_OF_FILTER:
            continue
        pieces = pieces_of(" ".join(words[position:end]))
        if group_of(pieces) is not None and can_be_parsed(
            f"all OPERATORs {' '.join(words[position:end])} advance."
        ):
            yield Reading(end, pieces, _AS_IT_IS)


_MOST_WORDS_OF_FILTER = 7
_NO_END_OF_FILTER = frozenset((",", ".", "with", "and", "of", "the"))


def _carried_over(spoken: Sequence[str], position: int) -> Iterator[Reading]:
    """Yield what a connecting word carries over from before it: `is HIT or OUT`, `+1 AP and EP`."""
    word = spoken[position]
    if word not in _CONNECTING:
        return
    for earlier in reversed(range(max(0, position - 10), position)):
        for carried in _CARRIED.get(spoken[earlier], ()):
            if carried == "be":
                who = in_slot("<who>", spoken[earlier - 1]) if earlier else None
                words = f"{who} {'has' if spoken[earlier] in _HAVE else 'is'}" if who else ""
            elif carried == "sign":
                number = spoken[earlier + 1]
                words = f"{spoken[earlier]} {number}" if number.isdecimal() else ""
            else:
                words = carried
            if words:
                is_same = _CONNECTING[word] == "and" if carried != "be" else _CONNECTING[word] == "or"
                pieces = pieces_of(f"{_CONNECTING[word]} {words}")
                yield Reading(position + 1, pieces, _CARRIED_OVER, (), is_same and word not in ",/")


_CONNECTING = {"and": "and", "or": "or", "/": "and", "und": "and", "oder": "or", ",": "and"}
_HAVE = frozenset(("has", "hat"))
_CARRIED = {
    **dict.fromkeys(("is", "ist", "isn't", "has", "hat"), ("be",)),
    **dict.fromkeys(("+", "-"), ("sign",)),
    **dict.fromkeys(("doubles", "double", "verdoppelt"), ("doubles",)),
    **dict.fromkeys(("halves", "halve", "halbiert"), ("halves",)),
}


def _left_out(words: Sequence[str], position: int, *, is_name: bool) -> Reading:
    """Return the reading of a word as nothing; words that carry a meaning are dear."""
    word = words[position]
    spoken = word.casefold()
    is_sign = (
        spoken in "+-"
        and position + 1 < len(words)
        and in_slot(NUMBER, words[position + 1].casefold()) is not None
    )
    if spoken in ",.:;!?-()'" and not is_sign:
        return Reading(position + 1, (), _MARK_LEFT_OUT)
    if spoken in thesaurus().dear or _is_opposite_word(spoken):
        return Reading(position + 1, (), thesaurus().dear.get(spoken, _OPPOSITE_LEFT_OUT), (word,))
    if spoken in thesaurus().fillers:
        return Reading(position + 1, (), _FILLER_LEFT_OUT)
    if is_sign or spoken.isdecimal() or spoken[0] in '"<>=*+' or in_slot(NUMBER, spoken) is not None:
        cost = _NUMBER_LEFT_OUT
    elif is_name:
        cost = _NAME_LEFT_OUT
    elif in_slot("<stat>", spoken) is not None or (word.isupper() and len(word) > 1):
        cost = _NOUN_LEFT_OUT
    else:
        cost = _KNOWN_WORD_LEFT_OUT if spoken in vocabulary() else _WORD_LEFT_OUT
    return Reading(position + 1, (), cost, (word,))


@lru_cache(maxsize=4096)
def _is_opposite_word(spoken: str) -> bool:
    """Whether an unknown word is a known one with a prefix that changes its meaning: `unplayed`."""
    return spoken not in vocabulary() and any(
        spoken.startswith(prefix) and spoken[len(prefix) :] in vocabulary() for prefix in _PREFIXES
    )
