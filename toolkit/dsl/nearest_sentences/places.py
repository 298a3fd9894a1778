"""Neighbours in another order than the language's: a verb and its subject, a noun and its adjective."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolkit.dsl.nearest_sentences.pieces import Piece, Reading, pieces_of, words_in

_CHANGED_PLACES, _ADJECTIVE = 0.35, 0.2
_MOST_COST = 0.9
"""Readings that cost more do not change places."""
_MOST_WORDS = 3
"""Nor do a verb and a subject of more words."""
_VERBS = frozenset(
    words_in(
        "gets get doubles double halves halve ignores ignore rolls roll makes make gains gain draws draw "
        "discards discard becomes become loses lose swaps swap advances advance retreats retreat "
        "enters enter is are has have performs hits misses attacks cannot may"
    )
)
_NOUNS = frozenset(("OPERATOR", "OPERATORs"))
_BEFORE_NOUNS = frozenset(("own", "enemy", "other", "any"))
_STATES = frozenset(("SUPPRESSED", "EXHAUSTED", "HIT", "OUT", "NORMAL"))
_PLACES = frozenset(("adjacent", "opposite", "in"))
_FILTERS = _PLACES | {"with", "that", "of"}


def changed_places(readings: Sequence[Sequence[Reading]], position: int) -> Iterator[Reading]:
    """Yield the readings that begin at a word and have their parts in the other order."""
    for first in readings[position]:
        if first.pieces and first.end < len(readings) and first.cost <= _MOST_COST:
            yield from _verb_and_subject(readings, first, position)
            yield from _name_and_place(readings, first)
            filter_pieces = _as_filter(first.pieces)
            if filter_pieces:
                for noun in _nouns(readings, first.end):
                    cost = first.cost + noun.cost + _ADJECTIVE
                    yield Reading(noun.end, (*noun.pieces, *filter_pieces), cost)


def _verb_and_subject(
    readings: Sequence[Sequence[Reading]], first: Reading, position: int
) -> Iterator[Reading]:
    """Yield a verb and what stands behind it, or the other way round, in the other order."""
    if first.end - position > _MOST_WORDS:
        return
    for second in readings[first.end]:
        if not second.pieces or second.end - first.end > _MOST_WORDS or second.cost > _MOST_COST:
            continue
        only_one_is_verb = (first.pieces[0].text in _VERBS) != (second.pieces[0].text in _VERBS)
        if only_one_is_verb:
            cost = first.cost + second.cost + _CHANGED_PLACES
            yield Reading(second.end, (*second.pieces, *first.pieces), cost)


def _name_and_place(readings: Sequence[Sequence[Reading]], name: Reading) -> Iterator[Reading]:
    """Yield `sniper in RANGE` as `OPERATOR in RANGE with trait "sniper"`: the place stands first."""
    texts = [piece.text for piece in name.pieces]
    if texts[0] in _NOUNS and "with" in texts:
        for place_reading in readings[name.end]:
            if (
                place_reading.pieces
                and place_reading.pieces[0].text in _PLACES
                and len(place_reading.pieces) > 1
            ):
                begin = texts.index("with")
                pieces = (*name.pieces[:begin], *place_reading.pieces, *name.pieces[begin:])
                yield Reading(place_reading.end, pieces, name.cost + place_reading.cost)


def _as_filter(pieces: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Return what an adjective says behind its noun, such as `that is EXHAUSTED`; nothing for other words."""
    if pieces[0].text in _STATES and len(pieces) == 1:
        return (*pieces_of("that is"), *pieces)
    if pieces[0].text == "not" and pieces[-1].text in _STATES:
        return (*pieces_of("that is"), *pieces)
    if pieces[0].text in _FILTERS and len(pieces) > 1 and pieces[-1].text not in _NOUNS:
        return pieces
    return ()


def _nouns(readings: Sequence[Sequence[Reading]], position: int) -> Iterator[Reading]:
    """Yield the readings of the next words as a noun, perhaps with a side."""
    for reading in readings[position]:
        if not reading.pieces or reading.cost > _MOST_COST:
            continue
        texts = [piece.text for piece in reading.pieces]
        if texts[-1] in _NOUNS and all(text in _BEFORE_NOUNS for text in texts[:-1]):
            yield reading
        elif all(text in _BEFORE_NOUNS for text in texts) and reading.end < len(readings):
            for noun in _nouns(readings, reading.end):
                yield Reading(noun.end, (*reading.pieces, *noun.pieces), reading.cost + noun.cost)
