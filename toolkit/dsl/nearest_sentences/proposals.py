"""Sentences near to what somebody wrote, each proven: it parses, its checks find nothing, it is canonical."""

from __future__ import annotations

import heapq
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.names import Names
from toolkit.dsl.nearest_sentences.phrases import vocabulary
from toolkit.dsl.nearest_sentences.pieces import pieces_of
from toolkit.dsl.nearest_sentences.readings import readings_of, words_of_text
from toolkit.dsl.nearest_sentences.reordering import OPENINGS, TRIGGERS, orders_of
from toolkit.dsl.nearest_sentences.search import MAX_COST, Found, Opening, Order, search
from toolkit.dsl.nearest_sentences.thesaurus import thesaurus
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import Effect

MOST_PROPOSALS = 3
MOST_WORDS = 150
_CERTAIN_COST, _CERTAIN_LEAD = 1.0, 0.8
_UNSAID, _NO_OPENING = 0.1, 0.25
"""What it costs to begin with the opening that its place suggests, or with none."""
_OTHER_OPENINGS = {
    "when attacking,": {"when attached,": 0.2},
    "when attacked,": {"when attached,": 0.2},
    "": {"when the own TURN begins,": 0.9, "when attached,": 0.6},
}
"""What an event is said to be where its place suggests none, with what that costs."""
_MOST_LOOKED_AT = 60
_MENDED, _ADDED_DURATION = 0.35, 0.4
_SHORT_DURATIONS = (" until end of TURN", " until end of ATTACK")
_IDLE_DURATION = re.compile(r"(?:(?<= \))|(?<= cards)|(?<= card)|(?<= DECK)|(?<= hand)) until end of (?:TURN|ATTACK)")
"""What goes without saying: a BONUS lapses at the end of the TURN, a card is drawn once."""
_AS_EVENTS = {
    "when attacking ,": "when self performs ATTACK ,",
    "while attacking ,": "when self performs ATTACK ,",
}
_ENDS_OF_CLAUSES = re.compile(r" (?:, (?:then|and|if (?:so|not) ,) |\.)")
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
    sentence is nearly as near.
    """

    effect: str
    tree: Effect
    kind: str
    left_out: tuple[str, ...]
    added: tuple[str, ...]
    is_certain: bool


def nearest_sentences(text: str, names: Names, card_kinds: Sequence[CardKind]) -> list[Proposal]:
    """Return up to three effects near to a text, the nearest first, each right on one of the kinds of card.

    What leaves out half of the words that carry a meaning is not near; nor is anything to a text of very many
    words, which would take long.
    """
    words = words_of_text(text)
    if not 0 < len(words) <= MOST_WORDS:
        return []
    word_count = sum(word.casefold() not in thesaurus().fillers for word in words)
    proposals: dict[str, Proposal] = {}
    costs = []
    for candidate in _mended(_candidates(words, names, card_kinds)):
        tree, _ = parse_effect(candidate.sentence)
        if tree is None or 2 * len(candidate.left_out) >= word_count:
            continue
        effect = print_effect(tree)
        if effect in proposals:
            continue
        kind = next((card_kind.kind for card_kind in card_kinds if card_kind.is_right(tree)), None)
        if kind is None:
            continue
        added = tuple(word for word in candidate.added if word not in _GLUE)
        is_certain = not candidate.left_out and not added and candidate.cost < _CERTAIN_COST
        proposals[effect] = Proposal(effect, tree, kind, candidate.left_out, added, is_certain)
        costs.append(candidate.cost)
        if len(proposals) == MOST_PROPOSALS:
            break
    has_lead = len(costs) < 2 or costs[1] - costs[0] >= _CERTAIN_LEAD
    return [
        proposal._replace(is_certain=proposal.is_certain and has_lead and not rank)
        for rank, proposal in enumerate(proposals.values())
    ]


def _mended(candidates: Sequence[Found]) -> Iterator[Found]:
    """Yield sentences, and what they become with another trigger or duration, the nearest first."""
    numbers = itertools.count()
    queue = [(candidate.cost, next(numbers), candidate) for candidate in candidates]
    heapq.heapify(queue)
    seen = set[str]()
    for _ in range(_MOST_LOOKED_AT):
        if not queue:
            return
        cost, _, candidate = heapq.heappop(queue)
        if candidate.sentence in seen:
            continue
        seen.add(candidate.sentence)
        yield candidate
        for sentence, price, added in _mends(candidate.sentence):
            if sentence not in seen and cost + price <= MAX_COST:
                mended = candidate._replace(
                    cost=cost + price, sentence=sentence, added=(*candidate.added, *added)
                )
                heapq.heappush(queue, (mended.cost, next(numbers), mended))


def _mends(sentence: str) -> Iterator[tuple[str, float, tuple[str, ...]]]:
    """Yield a sentence with the duration that an event needs, without one that says nothing, as an event."""
    shorter = _IDLE_DURATION.sub("", sentence)
    if shorter != sentence:
        yield shorter, _MENDED, ()
    for written, event in _AS_EVENTS.items():
        if sentence.startswith(written):
            yield f"{event}{sentence.removeprefix(written)}", _MENDED, ()
    for duration in _SHORT_DURATIONS:
        for end in _ENDS_OF_CLAUSES.finditer(sentence):
            before = sentence[: end.start()]
            if not before.endswith(duration):
                yield f"{before}{duration}{sentence[end.start() :]}", _ADDED_DURATION, tuple(duration.split())


def _candidates(words: Sequence[str], names: Names, card_kinds: Sequence[CardKind]) -> list[Found]:
    """Return what the search finds for a text in all orders of its parts, with each opening of the kinds."""
    unsaid = tuple(dict.fromkeys(card_kind.opening for card_kind in card_kinds))
    return search([
        Order(
            readings_of(ordered.words, names),
            _openings_of(ordered.words[0].casefold(), unsaid),
            ordered.cost + price,
            left_out,
        )
        for text, price, left_out in _without_title(words)
        for ordered in orders_of(text)
    ])


def _without_title(words: Sequence[str]) -> Iterator[tuple[Sequence[str], float, tuple[str, ...]]]:
    """Yield the words of a text, and those behind the name that it begins with: `Full auto: …`."""
    end = next((end for end, word in enumerate(words[:_MOST_WORDS_OF_TITLE]) if word in _ENDS_OF_TITLES), 0)
    if (words[end] == "." and end > 2) or any(word.casefold() in OPENINGS for word in words[:end]):
        end = 0
    known = tuple(word for word in words[:end] if word.casefold() in vocabulary() or word.isdecimal())
    if not end or known or end + 2 > len(words):
        yield words, 0.0, ()
    if end and end + 2 <= len(words):
        yield words[end + 1 :], _TITLE + _KNOWN_IN_TITLE * len(known), known


_ENDS_OF_TITLES = frozenset(":!.")
_MOST_WORDS_OF_TITLE = 7
_TITLE, _KNOWN_IN_TITLE = 0.05, 0.8


def _openings_of(first: str, unsaid: Sequence[str]) -> list[Opening]:
    """Return what a sentence may begin with before its first word."""
    openings = [Opening((), _NO_OPENING if first not in OPENINGS and "" not in unsaid else 0.0, False)]
    if first not in TRIGGERS:
        openings += (Opening(pieces_of(words), _UNSAID, False) for words in unsaid if words)
        openings += (
            Opening(pieces_of(words), price, not opening)
            for opening in unsaid
            for words, price in _OTHER_OPENINGS.get(opening, {}).items()
        )
    return openings
