"""Sentences near to what somebody wrote, each proven: it parses, its checks find nothing, it is canonical."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.names import Names
from toolkit.dsl.nearest_sentences.readings import readings_of, words_of_text
from toolkit.dsl.nearest_sentences.reordering import orders_of
from toolkit.dsl.nearest_sentences.search import Found, search
from toolkit.dsl.parsing import MAX_CHARACTERS, parse_effect, sentence_ends
from toolkit.dsl.tree import Effect

MOST_PROPOSALS = 3


class Proposal(NamedTuple):
    """A sentence of the language that is near to a text.

    ``left_out`` are words of the text that it does not say, ``added`` words that the text does not have;
    ``cost`` is the distance between them.
    """

    effect: str
    left_out: tuple[str, ...]
    added: tuple[str, ...]
    cost: float


def nearest_sentences(text: str, names: Names, is_right: Callable[[Effect], bool], opening: str = "") -> list[Proposal]:
    """Return up to three effects near to a text that are right where it stands, the nearest first.

    ``is_right`` says whether an effect has no finding there, ``opening`` what effects begin with there, such as
    ``when played,``.
    """
    if len(text) > MAX_CHARACTERS:
        return []
    proposals: dict[str, Proposal] = {}
    for candidate in _candidates(text, names, opening):
        tree, _ = parse_effect(candidate.sentence)
        if tree is None:
            continue
        effect = print_effect(tree)
        if effect in proposals or not is_right(tree):
            continue
        proposals[effect] = Proposal(effect, candidate.left_out, candidate.added, candidate.cost)
        if len(proposals) == MOST_PROPOSALS:
            break
    return list(proposals.values())


def _candidates(text: str, names: Names, opening: str) -> list[Found]:
    """Return what the search finds for a text in all orders of its parts."""
    orders = orders_of(words_of_text(text), opening)
    readings = [readings_of(ordered.words, names) for ordered in orders]
    return search(readings, [ordered.cost for ordered in orders])


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text."""
    ends = [0, *(match.end() for match in sentence_ends(text)), len(text)]
    return [part.strip() for begin, end in zip(ends, ends[1:], strict=False) if (part := text[begin:end]).strip()]
