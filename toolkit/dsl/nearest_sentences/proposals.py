"""Sentences near to what somebody wrote, each proven: it parses, its checks find nothing, it is canonical."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.names import Names
from toolkit.dsl.nearest_sentences.readings import readings_of, words_of_text
from toolkit.dsl.nearest_sentences.reordering import Ordered, orders_of
from toolkit.dsl.nearest_sentences.search import Found, SearchedOrder, search
from toolkit.dsl.nearest_sentences.thesaurus import thesaurus
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import Effect
from toolkit.vocabulary import Role

OPENINGS = {Role.EFFECT: "when played,", Role.ATTACK: "when attacking,", Role.DEFENCE: "when attacked,"}
"""What a text that names no moment is said with, by the role of its effect."""
MOST_PROPOSALS = 3
MOST_WORDS = 150
_CERTAIN_COST, _CERTAIN_LEAD = 1.0, 0.8
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
    word_count = sum(word.casefold() not in thesaurus().fillers for word in words)
    proposals: dict[str, Proposal] = {}
    costs = []
    for candidate in _candidates(words, names, card_kinds):
        tree, _ = parse_effect(candidate.sentence)
        if tree is None:
            continue
        effect = print_effect(tree)
        if effect in proposals or 2 * len(candidate.left_out) >= word_count:
            continue
        added = tuple(word for word in candidate.added if word not in _GLUE)
        kind = next((card_kind.kind for card_kind in card_kinds if card_kind.is_right(tree)), None)
        if kind is None:
            if refused is not None and not (candidate.left_out or added):
                refused.append(tree)
            continue
        is_certain = not candidate.left_out and not added and candidate.cost < _CERTAIN_COST
        is_same = candidate.is_same and not proposals
        proposals[effect] = Proposal(effect, tree, kind, candidate.left_out, added, is_certain, is_same)
        costs.append(candidate.cost)
        if len(proposals) == MOST_PROPOSALS:
            break
    has_lead = len(costs) < 2 or costs[1] - costs[0] >= _CERTAIN_LEAD
    return [
        proposal._replace(is_certain=proposal.is_certain and has_lead and not rank)
        for rank, proposal in enumerate(proposals.values())
    ]


def _candidates(words: Sequence[str], names: Names, card_kinds: Sequence[CardKind]) -> list[Found]:
    """Return what the search finds for a text in all orders of its parts, with each opening of the kinds."""
    orders: dict[tuple[str, ...], Ordered] = {}
    for opening in dict.fromkeys(card_kind.opening for card_kind in card_kinds):
        for ordered in orders_of(words, opening):
            known = orders.setdefault(ordered.words, ordered)
            if ordered.cost < known.cost:
                orders[ordered.words] = ordered
    return search(
        [
            SearchedOrder(readings_of(ordered.words, names), ordered.cost, ordered.is_same)
            for ordered in orders.values()
        ]
    )
