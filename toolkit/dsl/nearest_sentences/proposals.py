"""Sentences near to what somebody wrote, each proven: it parses, its checks find nothing, it is canonical."""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple

from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.names import Names
from toolkit.dsl.nearest_sentences.assembling import assembled
from toolkit.dsl.nearest_sentences.german import is_german, translated
from toolkit.dsl.nearest_sentences.idea_words import MOST_WORDS_READ, idea_words
from toolkit.dsl.nearest_sentences.name_readings import has_name
from toolkit.dsl.nearest_sentences.phrases import vocabulary
from toolkit.dsl.nearest_sentences.pieces import Reading, words_in
from toolkit.dsl.nearest_sentences.ranking import Candidate, ranked, weights
from toolkit.dsl.nearest_sentences.readings import read_text
from toolkit.dsl.nearest_sentences.reordering import OPENINGS as OPENING_WORDS
from toolkit.dsl.nearest_sentences.reordering import orders_of
from toolkit.dsl.nearest_sentences.search import (
    MAX_COST,
    MOST_SENTENCES,
    Found,
    Order,
    can_be_parsed,
    search,
    search_surely,
)
from toolkit.dsl.nearest_sentences.text_words import words_of_text
from toolkit.dsl.nearest_sentences.thesaurus import thesaurus
from toolkit.dsl.nearest_sentences.unsaid import cost_without_opening, mends
from toolkit.dsl.nearest_sentences.writing import Learned, Writer
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import Effect
from toolkit.vocabulary import Role

OPENINGS = {
    Role.EFFECT: "when played,",
    Role.ATTACK: "when attacking,",
    Role.DEFENCE: "when attacked,",
    Role.OBJECTIVE: "when self CAPTURES the OBJECTIVE,",
}
"""What a text that names no moment is said with, by the role of its effect."""
MOST_PROPOSALS, _MOST_CHOSEN = 3, 8
_MOST_READ, _MOST_WRITTEN = 16, 16
"""How many sentences are ranked of those read from an idea, and of those written."""
_WORD_FOR_WORD = 0.38
"""What costs no more has all words of the idea in order; the opening of its kind of card may be added."""
_CERTAINLY, _LEAST_OF_GUESS = 0.9, 0.4
"""How sure it is what an idea means where that is certain, and where it is at least a guess."""
MOST_WORDS = 150
_CERTAIN_COST, _CERTAIN_LEAD = 1.0, 0.8
_MOST_LOOKED_AT = 60
_GLUE_WORDS = ". , the of to in on with that is are a an by for each so then and get gets"
_GLUE = frozenset(_GLUE_WORDS.split())


class CardKind(NamedTuple):
    """A kind of card on which an effect may stand.

    ``kind`` is its name, ``opening`` what effects begin with there, such as ``when played,``;
    ``is_right`` says whether an effect has no finding there.
    """

    kind: str
    opening: str
    is_right: Callable[[Effect], bool]


class Proposal(NamedTuple):
    """A sentence of the language that is near to a text.

    ``left_out`` are words of the text that it does not say, ``added`` words with a meaning that the text does
    not have.
    ``is_certain`` says that it leaves nothing out, adds only words without a meaning, and that no other
    sentence is nearly as near; ``is_same`` that it is the nearest, and that nothing else can be meant.
    """

    effect: str
    tree: Effect
    kind: str
    left_out: tuple[str, ...]
    added: tuple[str, ...]
    is_certain: bool
    is_same: bool


def nearest_sentences(
    text: str, names: Names, card_kinds: Sequence[CardKind], *, refused: list[Effect] | None = None
) -> list[Proposal]:
    """Return up to three effects near to a text, the nearest first, each right on one of the kinds of card.

    What leaves out half of the words that carry a meaning is not near; nor is anything to a text of very many
    words, which would take long. What says all of the text but is right on no kind is added to ``refused``.
    """
    words = words_of_text(text)
    if not 0 < len(words) <= MOST_WORDS:
        return []
    orders = _orders(words, names)
    sure = search_surely(orders)[:1]
    candidates = [*sure, *_mended(search(orders), _openings(card_kinds))]
    near = [candidate for candidate in candidates if not any(map(_is_known, candidate.left_out))]
    priced = list(islice(_proven(near, words, card_kinds, sure, refused), MOST_PROPOSALS))
    costs = [cost for _, cost in priced]
    has_lead = len(costs) < 2 or costs[1] - costs[0] >= _CERTAIN_LEAD
    return [
        proposal._replace(is_certain=proposal.is_certain and has_lead and not rank)
        for rank, (proposal, _) in enumerate(priced)
    ]


class Chosen(NamedTuple):
    """Effects that an idea may mean, the likeliest first; ``is_sure``: surely one of them is meant."""

    proposals: list[Proposal]
    is_sure: bool


def sentences_for(text: str, names: Names, card_kinds: Sequence[CardKind]) -> Chosen:
    """Return effects that an idea in plain words may mean; some may say the same.

    What says word for word what the idea says is the first, and sure. Nothing is returned that is hardly more
    than a guess in the dark.
    """
    possible = candidates_for(text, names, card_kinds)
    if not possible:
        return Chosen([], is_sure=False)
    order, sureness = ranked([candidate for _, candidate in possible], text)
    word_for_word = _word_for_word(possible)
    if word_for_word is not None:
        order.remove(word_for_word)
        order.insert(0, word_for_word)
    elif sureness < _LEAST_OF_GUESS:
        return Chosen([], is_sure=False)
    first, *others = [possible[number][0] for number in order[:_MOST_CHOSEN]]
    is_certain = first.is_certain and (sureness >= _CERTAINLY or first.is_same)
    proposals = [
        first._replace(is_certain=is_certain),
        *(proposal._replace(is_certain=False) for proposal in others),
    ]
    return Chosen(proposals, word_for_word is not None or sureness >= weights().least)


def _word_for_word(possible: Sequence[tuple[Proposal, Candidate]]) -> int | None:
    """Return which of the possible effects says word for word what the idea says; None if none does."""
    costs = [
        (0.0 if proposal.is_same else candidate.cost, number)
        for number, (proposal, candidate) in enumerate(possible)
        if candidate.is_read and not proposal.left_out
    ]
    cost, number = min(costs, default=(math.inf, 0))
    return number if cost <= _WORD_FOR_WORD else None


def candidates_for(
    text: str, names: Names, card_kinds: Sequence[CardKind], what_was_learned: Learned | None = None
) -> list[tuple[Proposal, Candidate]]:
    """Return the effects that an idea in plain words may mean: those that were read, then those written.

    Sentences are read from the words of the idea, which the thesaurus has, and written as it was learned.
    """
    words = words_of_text(text)
    if not 0 < len(words) <= MOST_WORDS:
        return []
    orders = _orders(words, names)
    sure = search_surely(orders)[:1]
    found = [*_assembled(words, names), *search(orders)]
    readings = [*sure, *_mended(found, _openings(card_kinds))]
    kind = card_kinds[0].kind if len(card_kinds) == 1 else ""
    writer = Writer(idea_words(text, names, kind), what_was_learned)
    read = {
        proposal.effect: (proposal, cost)
        for proposal, cost in islice(_proven(readings, words, card_kinds, sure), _MOST_READ)
    }
    written = {
        proposal.effect: (proposal._replace(is_certain=False), cost)
        for proposal, cost in _proven(_written(writer, words), words, card_kinds, ())
    }
    candidates, unknown = [], writer.unknown_words()
    for effect, (proposal, cost) in (written | read).items():
        likelihoods, (_, unsaid) = writer.likelihood_of(effect), writer.unsaid_by(effect)
        counts = len(proposal.left_out), len(proposal.added)
        is_read, is_written = effect in read, effect in written
        if not is_read:
            left_out = (*proposal.left_out, *writer.unsaid_numbers(effect))
            proposal = proposal._replace(left_out=left_out)
        candidates.append(
            (
                proposal,
                Candidate(
                    effect, proposal.kind, cost, *counts, *likelihoods, unsaid, is_read, is_written, unknown
                ),
            )
        )
    return candidates


def _written(writer: Writer, words: Sequence[str]) -> list[Found]:
    """Return the likeliest sentences that are written for words, with those that they leave out.

    None are for a text of which the writer has not read the end.
    """
    if len(words) > MOST_WORDS_READ:
        return []
    return [
        Found(cost, sentence, tuple(writer.unsaid_by(sentence)[0]), ())
        for sentence, _, cost in writer.sentences()[:_MOST_WRITTEN]
    ]


def _openings(card_kinds: Sequence[CardKind]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(card_kind.opening.replace(",", " ,") for card_kind in card_kinds))


def _proven(
    candidates: Iterable[Found],
    words: Sequence[str],
    card_kinds: Sequence[CardKind],
    sure: Sequence[Found],
    refused: list[Effect] | None = None,
) -> Iterator[tuple[Proposal, float]]:
    """Yield what of the candidates is right on a kind of card, each once, with what it costs."""
    word_count = sum(word.casefold() not in thesaurus().fillers for word in words)
    proposed = set[str]()
    for candidate in candidates:
        tree, _ = parse_effect(candidate.sentence)
        if tree is None or 2 * len(candidate.left_out) >= word_count:
            continue
        effect = print_effect(tree)
        if effect in proposed:
            continue
        added = tuple(word for word in candidate.added if word not in _GLUE)
        kind = next((card_kind.kind for card_kind in card_kinds if card_kind.is_right(tree)), None)
        if kind is None:
            if refused is not None and not (candidate.left_out or added):
                refused.append(tree)
            continue
        proposed.add(effect)
        is_certain = not candidate.left_out and not added and candidate.cost < _CERTAIN_COST
        is_same = candidate in sure
        proposal = Proposal(effect, tree, kind, candidate.left_out, added, is_certain, is_same)
        yield proposal, candidate.cost


def _assembled(words: Sequence[str], names: Names) -> list[Found]:
    """Return the sentences that the parts of a text say, the nearest first."""
    sentences = []
    german = dict[str, str]()
    if is_german(words):
        words, german = translated(words)
    for text, cost_of_title in _without_title(words, names):
        for spoken_words, cost_of_remark in _without_remark(text):
            spoken = [word.casefold() for word in spoken_words]
            read = read_text(spoken_words, names, with_frames=True)
            for candidate in assembled(spoken, read.readings, read.framed):
                left_out = dict.fromkeys(german.get(word.casefold(), word) for word in candidate.left_out)
                cost = candidate.cost + cost_of_title + cost_of_remark
                sentences.append(candidate._replace(cost=cost, left_out=tuple(left_out)))
    return heapq.nsmallest(MOST_SENTENCES, sentences, key=lambda candidate: candidate.cost)


def _without_remark(words: Sequence[str]) -> Iterator[tuple[Sequence[str], float]]:
    """Yield the words of a text, and those without a remark in parentheses, with what that costs."""
    yield words, 0.0
    if "(" in words and ")" in words[words.index("(") :]:
        begin = words.index("(")
        end = words.index(")", begin)
        if not any(word.isdecimal() for word in words[begin:end]):
            yield (*words[:begin], *words[end + 1 :]), _REMARK


_REMARK = 0.4
"""What it costs to take what stands in parentheses for what was said already."""


def _mended(candidates: Sequence[Found], openings: Sequence[str]) -> list[Found]:
    """Return sentences, and what they become with another trigger or duration, the nearest first."""
    numbers = itertools.count()
    queue: list[tuple[float, int, Found]] = []

    def push(candidate: Found) -> None:
        cost = candidate.cost + cost_without_opening(candidate.sentence, openings)
        heapq.heappush(queue, (cost, next(numbers), candidate))

    for candidate in candidates:
        push(candidate)
    mended: dict[str, Found] = {}
    for _ in range(_MOST_LOOKED_AT):
        if not queue:
            break
        cost, _, candidate = heapq.heappop(queue)
        if candidate.sentence in mended and mended[candidate.sentence].cost <= cost:
            continue
        mended[candidate.sentence] = candidate._replace(cost=cost)
        for sentence, price, added in mends(candidate.sentence, openings):
            if candidate.cost + price <= MAX_COST and can_be_parsed(sentence):
                added_words = (*candidate.added, *added)
                push(candidate._replace(cost=candidate.cost + price, sentence=sentence, added=added_words))
    return sorted(mended.values(), key=lambda candidate: candidate.cost)


def _orders(words: Sequence[str], names: Names) -> list[Order]:
    """Return a text in all orders of its parts, with the ways to read them."""

    @cache
    def read(written: tuple[str, ...]) -> list[list[Reading]]:
        return read_text(written, names).readings

    def said(written: tuple[str, ...]) -> list[list[tuple[int, str]]]:
        return [[*map(_as_text, filter(_is_movable, readings))] for readings in read(written)]

    return [
        Order(read(ordered.words), ordered.cost + cost_of_title, ordered.is_same and len(text) == len(words))
        for text, cost_of_title in _without_title(words, names)
        for ordered in orders_of(text, said)
    ]


_MOVABLE = frozenset(("when", "while", "if", "once", "until", "permanently"))


def _is_movable(reading: Reading) -> bool:
    return bool(reading.pieces) and reading.pieces[0].text in _MOVABLE


def _as_text(reading: Reading) -> tuple[int, str]:
    return reading.end, " ".join(piece.text for piece in reading.pieces)


def _without_title(words: Sequence[str], names: Names) -> Iterator[tuple[Sequence[str], float]]:
    """Yield a text's words, and those behind its title (`Full auto: …`), with what leaving that out costs."""
    end = next((end for end, word in enumerate(words[:_MOST_WORDS_OF_TITLE]) if word in _ENDS_OF_TITLES), 0)
    if (words[end] == "." and end > 2) or any(map(_speaks, words[:end])):
        end = 0
    known = sum(_is_known(word) or has_name(word.casefold(), names) for word in words[:end])
    if not end or known or end + 2 > len(words):
        yield words, 0.0
    if end and end + 2 <= len(words):
        yield words[end + 1 :], _TITLE + _KNOWN_IN_TITLE * known


def _speaks(word: str) -> bool:
    """Whether a word cannot be part of a name."""
    return word in ("+", "-") or word.casefold() in _NOT_IN_TITLES or word.casefold() in thesaurus().dear


def _is_known(word: str) -> bool:
    """Whether a word means something in the language."""
    spoken = word.casefold()
    return spoken in thesaurus().dear or (spoken in vocabulary() and spoken not in thesaurus().fillers)


_NOT_IN_TITLES = OPENING_WORDS | frozenset(
    words_in(
        "only nur just choose pick select either wähle entweder pay spend exhaust tap sacrifice throw remove "
        "trash flip destroy bezahle erschöpfe entferne wirf zahle may can darf kann no kein keine ablegen "
        "abwerfen"
    )
)
"""What stands before a colon and is no name: a choice, a price, a condition."""
_ENDS_OF_TITLES = frozenset(":!.")
_MOST_WORDS_OF_TITLE = 10
_TITLE, _KNOWN_IN_TITLE = 0.05, 0.8
