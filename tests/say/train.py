"""Learn from pairs of an idea and its sentence how people say things.

    python -m tests.say.train

It writes ``associations.json`` and ``ranking.json``. It learns from ``ideas.tsv`` and the like and from the
odd lines of the paraphrases, never from the even ones.
Sentences are ranked with associations that were learned from other ideas: two halves, each for the other.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from multiprocessing import Pool
from typing import NamedTuple

from msgspec.json import encode

from tests.say.measure import FOLDER, HALVES, Idea, ideas_in, phrasebook_for
from toolkit.dsl.nearest_sentences.associations import Associations, atoms_of, stems_of
from toolkit.dsl.nearest_sentences.ranking import Candidate, Features, Weights, choice_of, features_of, score
from toolkit.dsl.nearest_sentences.thesaurus import Phrase, thesaurus
from toolkit.resources import grammar_file

LEARNED_FROM = ("ideas", "more_ideas", "held_out_ideas", "unseen_ideas")
PARAPHRASES = ("paraphrases_en", "paraphrases_de")
_ROUNDS, _OF_PHRASE, _LEAST_LIKELY = 5, 0.3, 0.02
_MOST_WORDS_OF_PHRASE = 60
_EXAMPLES = {"<n>": "2"}
LEAST_SURE = 0.7
"""A proposal is shown if it is likelier than this that one of the first three is meant."""

Pair = tuple[Sequence[str], Sequence[str], float]
Table = dict[str, dict[str, float]]


def learned_pairs(ideas: Iterable[Idea]) -> list[Pair]:
    """Return the words of ideas with what their sentences say."""
    pairs: list[Pair] = []
    for idea in ideas:
        pairs.append((stems_of(idea.text), atoms_of(idea.answers[0]), 1.0))
    return pairs


def phrase_pairs() -> list[Pair]:
    """Return the words of phrases and frames with what they say."""
    pairs = list[Pair]()
    for phrase in (*thesaurus().phrases, *thesaurus().frames, *thesaurus().spoken):
        words = _words_of(phrase)
        if phrase.right and phrase.right[0] != "@" and 0 < len(words) < _MOST_WORDS_OF_PHRASE:
            right = " ".join(
                _EXAMPLES.get(word, word)
                for word in phrase.right.split()
                if word[0] != "<" or len(word) < 3 or word in _EXAMPLES
            )
            weight = _OF_PHRASE / max(1.0, len(words) / 4)
            pairs.append((stems_of(" ".join(words)), atoms_of(right), weight))
    return pairs


def _words_of(phrase: Phrase) -> list[str]:
    choices = [element for element in phrase.written if not isinstance(element, str)]
    return sorted({word for choice in choices for words in choice for word in words})


def table_of(pairs: Sequence[Pair]) -> Table:
    """Return how likely each source is for each target of pairs: IBM model 1."""
    table: Table | None = None
    for _ in range(_ROUNDS):
        counts: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        totals: dict[str, float] = defaultdict(float)
        for sources, targets, weight in pairs:
            candidates = [*targets, ""]
            for source in sources:
                likely = [
                    (1.0 if table is None else table[target].get(source, 1e-6)) * (1.0 if target else 0.3)
                    for target in candidates
                ]
                total = sum(likely)
                for target, share in zip(candidates, likely, strict=True):
                    counts[target][source] += weight * share / total
                    totals[target] += weight * share / total
        table = {
            target: {source: count / (totals[target] + 0.5) for source, count in row.items()}
            for target, row in counts.items()
        }
    return table or {}


def associations_of(pairs: Sequence[Pair]) -> Associations:
    """Return what words and parts of sentences have to do with each other."""
    turned = [(atoms, stems, weight) for stems, atoms, weight in pairs]
    return Associations(
        _pruned(table_of(pairs)),
        _pruned(table_of(turned)),
        _usual(pairs),
        _usual(turned),
    )


def _pruned(table: Table) -> Table:
    return {
        target: {source: round(share, 3) for source, share in sorted(row.items()) if share > _LEAST_LIKELY}
        for target, row in sorted(table.items())
        if target
    }


def _usual(pairs: Sequence[Pair]) -> dict[str, float]:
    counts: dict[str, float] = defaultdict(float)
    for sources, _, weight in pairs:
        for source in sources:
            counts[source] += weight
    total = sum(counts.values())
    return {source: float(f"{(count + 0.1) / total:.2g}") for source, count in sorted(counts.items())}


class Example(NamedTuple):
    """An idea with the sentences that were found for it, and which of them say it."""

    idea: Idea
    candidates: list[Candidate]

    def is_right(self) -> list[bool]:
        return [candidate.effect in self.idea.answers for candidate in self.candidates]


Ranking = tuple[list[Features], list[bool]]


def rankings_of(examples: Iterable[Example], known: Associations) -> list[Ranking]:
    """Return for each example the features of its sentences, and which are right."""
    rankings = []
    for example in examples:
        features = [features_of(candidate, example.idea.text, known) for candidate in example.candidates]
        rankings.append((features, example.is_right()))
    return rankings


def sentence_weights(rankings: Sequence[Ranking], *, rounds: int = 4, rate: float = 0.15) -> Features:
    """Return the weights with which what is right ranks first: a softmax over the sentences of an idea."""
    weighed: Features = defaultdict(float, {"cost": -3.0, "words": 0.3, "atoms": 0.3})
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


def ideas_to_learn() -> list[tuple[str, Idea]]:
    """Return the ideas from which may be learned, each with the name of its file."""
    ideas = [(name, idea) for name in LEARNED_FROM for idea in ideas_in(FOLDER / f"{name}.tsv")]
    for name in PARAPHRASES:
        ideas += [(name, idea) for idea in ideas_in(FOLDER / f"{name}.tsv")[HALVES["odd"]]]
    return [(name, idea) for name, idea in ideas if idea.answers]


def example_of(named: tuple[str, Idea]) -> Example:
    """Return an idea with the sentences that are found for it."""
    name, idea = named
    phrasebook = phrasebook_for(ideas_in(FOLDER / f"{name}.tsv"))
    return Example(idea, phrasebook.to_rank(idea.text, (idea.kind,)))


def main() -> None:
    """Write what was learned."""
    for name, content in learned_files().items():
        grammar_file().with_name(name).write_bytes(content)


def learned_files() -> dict[str, bytes]:
    """Return the files of what is learned, by name; it takes two minutes."""
    with Pool(2) as pool:
        return learned_from(pool.map(example_of, ideas_to_learn(), chunksize=20))


def learned_from(examples: Sequence[Example]) -> dict[str, bytes]:
    """Return what is learned from ideas with the sentences that were found for them."""
    phrases = phrase_pairs()
    halves = examples[::2], examples[1::2]
    known = [associations_of([*learned_pairs(example.idea for example in half), *phrases]) for half in halves]
    rankings = rankings_of(halves[0], known[1]), rankings_of(halves[1], known[0])
    choices = [
        *choices_of(rankings[0], sentence_weights(rankings[1])),
        *choices_of(rankings[1], sentence_weights(rankings[0])),
    ]
    weighed = Weights(
        sentence_weights([*rankings[0], *rankings[1]]), _rounded(choice_weights(choices)), LEAST_SURE
    )
    everything = associations_of([*learned_pairs(example.idea for example in examples), *phrases])
    learned = {"associations.json": everything, "ranking.json": weighed}
    return {name: encode(values) + b"\n" for name, values in learned.items()}


def _rounded(weighed: Features) -> Features:
    return {name: round(value, 2) for name, value in sorted(weighed.items()) if abs(value) >= 0.02}


if __name__ == "__main__":
    main()
