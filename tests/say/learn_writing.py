"""Learn to write sentences from pairs of an idea and its sentence: the weights of ``writing.py``.

The lexicon says which features of an idea say which terminals (IBM model 1, which knows no order). The
weights are those of a log-linear model over the terminals that the grammar allows, learned by stochastic
gradient descent with a rate for each weight (AdaGrad). Each lesson sees a lexicon that was made without it.
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from toolkit.dsl.lalr import END
from toolkit.dsl.nearest_sentences.idea_words import KIND, IdeaWords, stems_of_phrase
from toolkit.dsl.nearest_sentences.thesaurus import Phrase, thesaurus
from toolkit.dsl.nearest_sentences.writing import BEGINNING, GLUE, Draft, Learned, Writer, terminals_of

Table = dict[str, dict[str, float]]
_FOLDS, _ROUNDS = 4, 3
_RATE, _DECAY, _FIRST_SQUARE, _SURE_ENOUGH, _LEAST_GRADIENT = 0.3, 1e-4, 1.0, 0.96, 0.02
_FEATURE_DROPPED, _KIND_DROPPED = 0.15, 0.3
_FEWEST_USES, _LEAST_WEIGHT = 2, 0.25
_ALIGNING_ROUNDS, _LEAST_SHARE, _BY_NOTHING = 4, 4, 0.02
_MOST_WORDS_OF_PHRASE, _OF_PHRASE = 60, 0.3
_EXAMPLES = {"<n>": "2"}


class Lesson(NamedTuple):
    """An idea with the terminals of its sentence."""

    words: IdeaWords
    terminals: tuple[str, ...]


class _Pair(NamedTuple):
    """Features of an idea with the terminals that say them together."""

    features: Sequence[str]
    terminals: Sequence[str]
    weight: float


def learned_from(lessons: Sequence[Lesson], *, with_phrases: bool = True) -> Learned:
    """Return what lessons teach, and the phrases of the thesaurus; it takes a minute for 5,000."""
    lessons = _with_usual_features(lessons)
    phrases = _phrase_pairs() if with_phrases else []
    parts = [lessons[number::_FOLDS] for number in range(_FOLDS)]
    course = _Course()
    for number, part in enumerate(parts):
        others = [lesson for other in range(_FOLDS) if other != number for lesson in parts[other]]
        course.add(part, lexicon_of(others, phrases))
    course.study()
    return Learned(
        _rounded_rows(course.rows),
        {name: round(100 * weight) for name, weight in sorted(course.shared.items())},
        lexicon_of(lessons, phrases),
        0.01,
    )


def _with_usual_features(lessons: Sequence[Lesson]) -> list[Lesson]:
    """Return lessons without the features that only one of them has."""
    uses = Counter(feature.name for lesson in lessons for feature in lesson.words.features)
    return [
        lesson._replace(
            words=lesson.words._replace(
                features=tuple(
                    feature for feature in lesson.words.features if uses[feature.name] >= _FEWEST_USES
                )
            )
        )
        for lesson in lessons
    ]


def _phrase_pairs() -> list[_Pair]:
    """Return the stems of phrases and frames with what they say."""
    pairs = list[_Pair]()
    for phrase in (*thesaurus().phrases, *thesaurus().frames, *thesaurus().spoken):
        words = _words_of(phrase)
        if phrase.right and phrase.right[0] != "@" and 0 < len(words) < _MOST_WORDS_OF_PHRASE:
            right = " ".join(
                _EXAMPLES.get(word, word)
                for word in phrase.right.split()
                if word[0] != "<" or len(word) < 3 or word in _EXAMPLES
            )
            weight = _OF_PHRASE / max(1.0, len(words) / 4)
            pairs.append(_Pair(stems_of_phrase(words), _with_meaning(terminals_of(right)), weight))
    return pairs


def _words_of(phrase: Phrase) -> list[str]:
    choices = [element for element in phrase.written if not isinstance(element, str)]
    return sorted({word for choice in choices for words in choice for word in words})


def _with_meaning(terminals: Iterable[str]) -> list[str]:
    return [terminal for terminal in dict.fromkeys(terminals) if terminal not in GLUE]


def lexicon_of(lessons: Iterable[Lesson], phrases: Sequence[_Pair]) -> Table:
    """Return in how many of 100 ideas with a feature a terminal says it; none where nothing says it."""
    pairs = [
        _Pair(
            [feature.name for feature in lesson.words.features if feature.words],
            _with_meaning(lesson.terminals),
            1.0,
        )
        for lesson in lessons
    ]
    pairs += phrases
    said: Table = {}
    for _ in range(_ALIGNING_ROUNDS):
        shares = {
            feature: {terminal: count / (sum(row.values()) + 0.5) for terminal, count in row.items()}
            for feature, row in said.items()
        }
        said = _aligned(pairs, shares)
    uses: dict[str, float] = defaultdict(float)
    for features, _, weight in pairs:
        for feature in features:
            uses[feature] += weight
    lexicon: Table = {}
    for feature, count in sorted(uses.items()):
        row: dict[str, float] = {}
        for terminal, share in sorted(said[feature].items()):
            percent = round(100 * min(1.0, share / (count + 0.5)))
            if percent >= _LEAST_SHARE:
                row[terminal] = percent
        if row or (" " not in feature and count >= _FEWEST_USES):
            lexicon[feature] = row
    return lexicon


def _aligned(pairs: Iterable[_Pair], shares: Table) -> Table:
    """Return how often each feature is what a terminal says, as far as that is known."""
    said: Table = defaultdict(lambda: defaultdict(float))
    for features, terminals, weight in pairs:
        rows = [shares.get(feature, {}) for feature in features]
        for terminal in terminals:
            likely = [row.get(terminal, 1e-6) if shares else 1.0 for row in rows]
            total = sum(likely) + _BY_NOTHING
            for feature, share in zip(features, likely, strict=True):
                said[feature][terminal] += weight * share / total
    return said


class _Step(NamedTuple):
    """A draft of a lesson, and the terminal that comes next."""

    draft: Draft
    terminal: str


class _Course:
    """The weights while they are learned."""

    def __init__(self) -> None:
        self.rows: Table = defaultdict(dict)
        self.shared: dict[str, float] = {"anew": 3.0, "again": 0.5, "nothing": -1.0}
        self._squares: Table = defaultdict(dict)
        self._shared_squares: dict[str, float] = {}
        self._lessons: list[tuple[Lesson, Table]] = []
        self._chooser = random.Random(1)

    def add(self, lessons: Iterable[Lesson], lexicon: Table) -> None:
        """Add lessons with the lexicon that they see."""
        self._lessons += ((lesson, lexicon) for lesson in lessons)

    def study(self) -> None:
        """Go through all lessons some times."""
        for _ in range(_ROUNDS):
            self._chooser.shuffle(self._lessons)
            for lesson, lexicon in self._lessons:
                learned = Learned(self.rows, self.shared, lexicon, 1.0)
                writer = Writer(self._with_some_features(lesson.words), learned)
                for draft, terminal in _steps(writer, lesson.terminals):
                    self._learn(writer, draft, terminal)

    def _with_some_features(self, words: IdeaWords) -> IdeaWords:
        """Return an idea without some of its features, so that none is relied on."""
        features = tuple(
            feature
            for feature in words.features
            if self._chooser.random()
            >= (_KIND_DROPPED if feature.name.startswith(KIND) else _FEATURE_DROPPED)
        )
        return words._replace(features=features)

    def _learn(self, writer: Writer, draft: Draft, right: str) -> None:
        """Make the terminal that comes next likelier, the others less likely."""
        options = [terminal for terminal, _ in writer.options(draft)]
        scores = writer.scores(draft, options)
        most = max(scores.values())
        shares = {terminal: math.exp(value - most) for terminal, value in scores.items()}
        total = sum(shares.values())
        if shares[right] / total > _SURE_ENOUGH:
            return
        gradients = [(terminal, (terminal == right) - share / total) for terminal, share in shares.items()]
        gradients = [
            (terminal, gradient) for terminal, gradient in gradients if abs(gradient) > _LEAST_GRADIENT
        ]
        for key in writer.keys(draft):
            row, squares = self.rows[key], self._squares[key]
            for terminal, gradient in gradients:
                square = squares[terminal] = squares.get(terminal, _FIRST_SQUARE) + gradient * gradient
                row[terminal] = row.get(terminal, 0.0) * (1 - _DECAY) + _RATE * gradient / math.sqrt(square)
        self._learn_shared(writer, draft, dict(gradients))

    def _learn_shared(self, writer: Writer, draft: Draft, gradients: dict[str, float]) -> None:
        changes: dict[str, float] = defaultdict(float)
        for terminal, evidence in writer.evidence(draft, gradients):
            for name, value in evidence:
                changes[name] += gradients[terminal] * value
        for name, change in changes.items():
            square = self._shared_squares.get(name, 1.0) + change * change
            self._shared_squares[name] = square
            self.shared[name] = self.shared.get(name, 0.0) + _RATE * change / math.sqrt(square)


def _steps(writer: Writer, terminals: Sequence[str]) -> Iterable[_Step]:
    """Yield the drafts of a sentence where more than one terminal may come next."""
    draft = BEGINNING
    for terminal in (*terminals, END):
        following = dict(writer.options(draft))
        if terminal not in following:
            return
        if len(following) > 1:
            yield _Step(draft, terminal)
        draft = writer.extended(draft, terminal, following[terminal], 0.0)


def _rounded_rows(rows: Table) -> Table:
    """Return weights in hundredths without the small ones."""
    rounded: Table = {}
    for key, row in sorted(rows.items()):
        large: dict[str, float] = {}
        for terminal, weight in sorted(row.items()):
            if abs(weight) >= _LEAST_WEIGHT:
                large[terminal] = round(100 * weight)
        if large:
            rounded[key] = large
    return rounded
