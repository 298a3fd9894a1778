"""Learn from pairs of an idea and its sentence how people say things.

    python -m tests.say.train

It writes ``writing.json.gz`` (``learn_writing.py``) and ``ranking.json``. It learns from ``ideas.tsv`` and
the like, from ``pairs_*.tsv``, ``designs_*.tsv`` and the odd lines of the paraphrases, never from the even
ones.
Sentences are ranked with a writer that learned from other ideas: two halves, each for the other.
"""

from __future__ import annotations

import gzip
import math
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from multiprocessing import Pool
from typing import NamedTuple

from msgspec.json import encode

from tests.say.learn_writing import Lesson, learned_from
from tests.say.measure import FOLDER, HALVES, Idea, ideas_in, phrasebook_for
from toolkit.dsl.nearest_sentences.idea_words import idea_words
from toolkit.dsl.nearest_sentences.ranking import Candidate, Features, Weights, choice_of, features_of, score
from toolkit.dsl.nearest_sentences.writing import Learned, terminals_of
from toolkit.editing.saying import Phrasebook
from toolkit.resources import grammar_file

LEARNED_FROM = ("ideas", "more_ideas", "held_out_ideas", "unseen_ideas", "pairs_*", "designs_*")
PARAPHRASES = ("paraphrases_en", "paraphrases_de")
LEAST_SURE = 0.75
"""A proposal is shown if it is likelier than this that one of the first three is meant."""
_MOST_RANKED = 4_000
"""From how many ideas is learned what ranks first: to look for the sentences of all would take long."""

Named = tuple[str, Idea]
"""An idea with the name of its file."""


class Example(NamedTuple):
    """An idea with the sentences that were found for it, and which of them say it."""

    idea: Idea
    candidates: list[Candidate]

    def is_right(self) -> list[bool]:
        return [candidate.effect in self.idea.answers for candidate in self.candidates]


Ranking = tuple[list[Features], list[bool]]


def rankings_of(examples: Iterable[Example]) -> list[Ranking]:
    """Return for each example the features of its sentences, and which are right."""
    rankings = []
    for example in examples:
        features = [features_of(candidate, example.idea.text) for candidate in example.candidates]
        rankings.append((features, example.is_right()))
    return rankings


def sentence_weights(rankings: Sequence[Ranking], *, rounds: int = 4, rate: float = 0.15) -> Features:
    """Return the weights with which what is right ranks first: a softmax over the sentences of an idea."""
    weighed: Features = defaultdict(float, {"cost": -2.0, "likelihood": 3.0})
    squares: Features = defaultdict(lambda: 0.01)
    chooser = random.Random(1)
    choices = [ranking for ranking in rankings if any(ranking[1]) and not all(ranking[1])]
    for _ in range(rounds):
        chooser.shuffle(choices)
        for features, is_right in choices:
            for name, gradient in _gradient(features, is_right, weighed).items():
                change = gradient - 0.01 * weighed[name]
                squares[name] += change * change
                weighed[name] += rate * change / math.sqrt(squares[name])
    return _rounded(weighed)


def _gradient(features: Sequence[Features], is_right: Sequence[bool], weighed: Features) -> Features:
    scores = [score(listed, weighed) for listed in features]
    shares = [math.exp(value - max(scores)) for value in scores]
    total = sum(shares)
    of_right = sum(share for share, right in zip(shares, is_right, strict=True) if right)
    gradient: Features = defaultdict(float)
    for listed, share, right in zip(features, shares, is_right, strict=True):
        missing = (share / of_right if right else 0.0) - share / total
        for name, value in listed.items():
            gradient[name] += missing * value
    return gradient


def choice_weights(choices: Sequence[tuple[Features, bool]], *, rounds: int = 600) -> Features:
    """Return the weights with which the sureness of a choice is the share of those that are right."""
    weighed: Features = defaultdict(float)
    for _ in range(rounds):
        gradient: Features = defaultdict(float)
        for features, right in choices:
            missing = right - 1 / (1 + math.exp(-score(features, weighed)))
            for name, value in features.items():
                gradient[name] += missing * value
        for name, value in gradient.items():
            weighed[name] += 0.2 * (value / len(choices) - 0.001 * weighed[name])
    return dict(weighed)


def choices_of(rankings: Iterable[Ranking], weighed: Features) -> list[tuple[Features, bool]]:
    """Return the choice in each ranking, and whether what is right is among its first three."""
    choices = []
    for features, is_right in rankings:
        if features:
            order, choice = choice_of(features, weighed)
            choices.append((choice, any(is_right[number] for number in order[:3])))
    return choices


def ideas_to_learn() -> list[Named]:
    """Return the ideas from which may be learned, in an order of chance."""
    paths = [path for pattern in LEARNED_FROM for path in sorted(FOLDER.glob(f"{pattern}.tsv"))]
    ideas = [(path.stem, idea) for path in paths for idea in ideas_in(path)]
    for name in PARAPHRASES:
        ideas += [(name, idea) for idea in ideas_in(FOLDER / f"{name}.tsv")[HALVES["odd"]]]
    ideas = [(name, idea) for name, idea in ideas if idea.can_be_said()]
    random.Random(1).shuffle(ideas)
    return ideas


@cache
def _phrasebook(name: str) -> Phrasebook:
    return phrasebook_for(ideas_in(FOLDER / f"{name}.tsv"))


def lesson_of(named: Named) -> Lesson:
    """Return an idea with its sentence as what teaches to write."""
    name, idea = named
    words = idea_words(idea.text, _phrasebook(name).known_names.names, idea.kind)
    return Lesson(words, terminals_of(idea.answers[0]))


def main() -> None:
    """Write what was learned."""
    for name, content in learned_files().items():
        packed = gzip.compress(content, mtime=0) if name.endswith(".gz") else content
        grammar_file().with_name(name).write_bytes(packed)


def learned_files() -> dict[str, bytes]:
    """Return the files of what is learned, by name, unpacked; it takes ten minutes."""
    ideas = ideas_to_learn()
    halves = ideas[::2], ideas[1::2]
    with Pool(2) as pool:
        of_first, of_second, of_all = pool.map(_learned, (*halves, ideas), chunksize=1)
        tasks = [(halves[0], of_second), (halves[1], of_first)]
        first, second = pool.starmap(_rankings, tasks, chunksize=1)
    return {
        "writing.json.gz": encode(of_all) + b"\n",
        "ranking.json": encode(_weights(first, second)) + b"\n",
    }


def _learned(ideas: Sequence[Named]) -> Learned:
    return learned_from([*map(lesson_of, ideas)])


def _rankings(ideas: Sequence[Named], what_was_learned: Learned) -> list[Ranking]:
    """Return how sentences for ideas are to be ranked, written with what was learned from others."""
    examples = []
    for name, idea in ideas[: _MOST_RANKED // 2]:
        candidates = _phrasebook(name).to_rank(idea.text, (idea.kind,), what_was_learned)
        examples.append(Example(idea, candidates))
    return rankings_of(examples)


def _weights(first: Sequence[Ranking], second: Sequence[Ranking]) -> Weights:
    """Return what ranks sentences; how sure a choice is, each half says with the weights of the other."""
    choices = [
        *choices_of(first, sentence_weights(second)),
        *choices_of(second, sentence_weights(first)),
    ]
    return Weights(sentence_weights([*first, *second]), _rounded(choice_weights(choices)), LEAST_SURE)


def _rounded(weighed: Features) -> Features:
    return {name: round(value, 2) for name, value in sorted(weighed.items()) if abs(value) >= 0.02}


if __name__ == "__main__":
    main()
