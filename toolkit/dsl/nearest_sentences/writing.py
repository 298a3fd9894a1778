"""Sentences that an idea may mean, written word by word of the language as it was learned from pairs.

From left to right the likeliest words that the grammar allows are written, several sentences at once (a beam
search). What is likely depends on the last words of the sentence, on the words of the idea, and on which of
them the sentence has said: a log-linear model, whose weights ``python -m tests.say.train`` writes. Numbers
and names are copied from the idea, none is invented but 0 and 1. It is bounded in steps, so that the same
idea always gives the same sentences.
"""

from __future__ import annotations

import gzip
import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import cycle, islice, pairwise, product
from typing import NamedTuple

from msgspec import Struct
from msgspec.json import decode

from toolkit.dsl.lalr import END, tables, words_by_terminal
from toolkit.dsl.nearest_sentences.idea_words import IdeaWords
from toolkit.dsl.nearest_sentences.pieces import pieces_of, words_in
from toolkit.dsl.nearest_sentences.search import Stack, is_whole, stack_after
from toolkit.resources import grammar_file
from toolkit.vocabulary import VERBS

MOST_TERMINALS = 60
"""How many words of the language a sentence has that is written."""
_AT_ONCE = 10
"""How many sentences are written at once."""
_LEAST_LIKELY = -6.0
"""How much less likely than the likeliest so far, as a logarithm, a word may make its sentence."""
_SURELY, _HARDLY = 0.25, 0.08
"""From which share of a word's uses on a terminal says it, and says where in the idea one is."""
_MEANS_SOMETHING = 0.3
_MOST_NUMBERS, _MOST_FILLINGS, _FILLINGS_KEPT = 4, 64, 3
_NEAR = (-2, -1, 1, 2)
_STOPS = frozenset(("DOT", "COMMA", END))
GLUE = frozenset(
    tables().words[word]
    for word in words_in(". , the of to in on with that is are be a an by for ( ) D6 + gets get")
) | {"STRING", "INT #", "INT 0", "INT 1"}
"""Terminals that say nothing by themselves."""
_COPIED, _NONE, _ONE = "INT #", "INT 0", "INT 1"
"""A number: one that is copied from the idea, or 0 or 1, which nobody need have said."""
_SECTIONS = {
    **dict.fromkeys(("WHEN", "WHILE"), "opening"),
    **dict.fromkeys(("IF", "UNLESS"), "condition"),
    **dict.fromkeys(("UNTIL", "PERMANENTLY"), "duration"),
    "FOR": "count",
    "ONCE": "limit",
}
"""What a terminal begins, up to the next comma."""
_DEEDS = frozenset(
    tables().words[form.partition(" ")[0]]
    for verb in VERBS
    for form in (verb.one, verb.many)
    if form.partition(" ")[0] in tables().words
)


class Learned(Struct, frozen=True):
    """What was learned from pairs of an idea and its sentence.

    ``rows`` are the weights of the next terminals by what was written or is to be said, ``shared`` those of
    what all terminals have in common, both in units of ``unit``. ``lexicon`` is in how many of 100 ideas with
    a feature a terminal says it; a feature that says nothing has none.
    """

    rows: dict[str, dict[str, float]]
    shared: dict[str, float]
    lexicon: dict[str, dict[str, float]]
    unit: float


@lru_cache(maxsize=1)
def learned() -> Learned:
    """Return what was learned, read once."""
    return decode(gzip.decompress(grammar_file().with_name("writing.json.gz").read_bytes()), type=Learned)


class Draft(NamedTuple):
    """The beginning of a sentence: ``said`` is the mask of the idea's words that it says, ``last`` the place
    of the word that it said last, -1 at first; ``likelihood`` is a logarithm, ``least`` that of its least
    likely terminal."""

    terminals: tuple[str, ...]
    stack: Stack
    said: int
    last: int
    likelihood: float
    least: float = 0.0


class Written(NamedTuple):
    """A sentence with its likelihood, and how little its numbers and names are those of the idea."""

    sentence: str
    likelihood: float
    cost: float


BEGINNING = Draft((), (0,), 0, -1, 0.0)


class Writer:
    """What may be written for one idea."""

    def __init__(self, words: IdeaWords, what_was_learned: Learned | None = None) -> None:
        self._words = words
        self._learned = what_was_learned or learned()
        self._said_by = _said_by(words, self._learned)
        self._next: dict[tuple[str, ...], list[Draft]] = {}

    def sentences(self) -> list[Written]:
        """Return the sentences that are likely, the likeliest first."""
        sentences = [
            Written(sentence, draft.likelihood, cost)
            for draft in self._whole_drafts()
            for sentence, cost in filled(draft.terminals, self._words)
        ]
        return sorted(sentences, key=lambda written: written.cost - written.likelihood)

    def likelihood_of(self, sentence: str) -> tuple[float, float]:
        """Return how likely a sentence of the language is, and its unlikeliest word, as logarithms."""
        draft = BEGINNING
        for terminal in (*terminals_of(sentence), END):
            for following in self._following(draft):
                if following.terminals[-1] == terminal:
                    draft = following
                    break
            else:
                return -math.inf, -math.inf
        return draft.likelihood, draft.least

    def unknown_words(self) -> int:
        """Return how many words of the idea nobody has used before."""
        return sum(stem not in self._learned.lexicon for stem in self._words.stems)

    def unsaid_by(self, sentence: str) -> tuple[list[str], float]:
        """Return the words of the idea that a sentence does not say, and how much they mean together."""
        terminals = {*terminals_of(sentence)}
        unsaid, meaning = list[str](), 0.0
        for position, word in enumerate(self._words.words):
            row = self._learned.lexicon.get(self._words.stems[position])
            most = max(row.values(), default=0.0) / 100 if row is not None else _MEANS_SOMETHING
            is_said = row is not None and any(
                row.get(terminal, 0.0) / 100 >= _HARDLY for terminal in terminals
            )
            if most >= _MEANS_SOMETHING and not is_said:
                unsaid.append(word)
                meaning += most
        return unsaid, meaning

    def unsaid_numbers(self, sentence: str) -> list[str]:
        """Return the numbers above 1 of the idea that a sentence does not have."""
        said = [text for terminal, text in pieces_of(sentence) if terminal == "INT"]
        return [number for number in _copied_numbers(self._words.numbers) if number not in said]

    def _whole_drafts(self) -> list[Draft]:
        """Return the likeliest sentences up to their end."""
        drafts, whole = [BEGINNING], list[Draft]()
        for _ in range(MOST_TERMINALS):
            begun = list[Draft]()
            for draft in drafts:
                for following in self._following(draft):
                    if following.likelihood >= draft.likelihood + _LEAST_LIKELY:
                        (whole if following.terminals[-1] == END else begun).append(following)
            drafts = heapq.nlargest(_AT_ONCE, begun, key=_likelihood)
            whole = heapq.nlargest(_AT_ONCE, whole, key=_likelihood)
            if not drafts or (len(whole) == _AT_ONCE and whole[-1].likelihood > drafts[0].likelihood):
                break
        return whole

    def _following(self, draft: Draft) -> list[Draft]:
        """Return a draft with each terminal that may come next."""
        following = self._next.get(draft.terminals)
        if following is None:
            options = dict(self.options(draft))
            scores = self.scores(draft, options) if len(options) > 1 else dict.fromkeys(options, 0.0)
            most = max(scores.values(), default=0.0)
            total = most + math.log(sum(math.exp(score - most) for score in scores.values()) or 1.0)
            following = [
                self.extended(draft, terminal, stack, scores[terminal] - total)
                for terminal, stack in options.items()
            ]
            self._next[draft.terminals] = following
        return following

    def options(self, draft: Draft) -> list[tuple[str, Stack]]:
        """Return the terminals that may come next, each with the parser's stack behind it."""
        following = stacks_after(draft.stack)
        if _copied_numbers(self._words.numbers):
            return [*following]
        return [option for option in following if option[0] != _COPIED]

    def scores(self, draft: Draft, options: Iterable[str]) -> dict[str, float]:
        """Return what is to be said for each terminal that may come next."""
        scores = dict.fromkeys(options, 0.0)
        rows = self._learned.rows
        for key in self.keys(draft):
            row = rows.get(key)
            if not row:
                continue
            for terminal in row if len(row) < len(scores) else scores:
                if terminal in scores and terminal in row:
                    scores[terminal] += row[terminal]
        for terminal, evidence in self.evidence(draft, scores):
            for name, value in evidence:
                scores[terminal] += self._learned.shared.get(name, 0.0) * value
        unit = self._learned.unit
        return {terminal: score * unit for terminal, score in scores.items()}

    def keys(self, draft: Draft) -> list[str]:
        """Return the keys of the rows that bear on what comes next."""
        last, *_ = ends = (*reversed(draft.terminals[-3:]), "^", "^", "^")[:3]
        section, deed = _place_of(draft.terminals)
        keys = ["^", f"{last}^", f"{last} {ends[1]}^", f"{' '.join(ends)}^"]
        keys += [
            f"{last} {section} {deed}^",
            f"{section} {deed}^",
            f"{last} {' '.join(draft.terminals[:3])}^^",
        ]
        keys += [f"{terminal}*" for terminal in dict.fromkeys(draft.terminals)]
        for name, words in self._words.features:
            if words and not words & ~draft.said:
                keys += (f"= {name}", f"{last}= {name}")
            else:
                keys += (f" {name}", f"{last} {name}")
        if draft.last >= 0:
            for distance in _NEAR:
                position = draft.last + distance
                if 0 <= position < len(self._words.stems):
                    stem = self._words.stems[position]
                    keys += (f"{distance:+d} {stem}", f"{last}~ {stem}")
        return keys

    def evidence(self, draft: Draft, options: Iterable[str]) -> Iterator[tuple[str, list[tuple[str, float]]]]:
        """Yield for terminals how much of the idea they would say, as shared features with their values."""
        last = draft.terminals[-1] if draft.terminals else "^"
        rest = None
        for terminal in options:
            if terminal in _STOPS:
                rest = self._rest(draft.said) if rest is None else rest
                yield terminal, [(f"rest {terminal}", rest), (f"no rest {terminal}", float(rest < 0.3))]
            elif terminal not in GLUE:
                anew, again = self._shares(terminal, draft.said)
                evidence = [("nothing", 1.0)] if not (anew or again) else []
                if anew:
                    evidence += [("anew", anew), (f"anew {terminal}", anew), (f"{last} anew", anew)]
                if again:
                    evidence += [("again", again), (f"again {terminal}", again)]
                yield terminal, evidence

    def extended(self, draft: Draft, terminal: str, stack: Stack, gain: float) -> Draft:
        """Return a draft with one more terminal, and what it then says of the idea."""
        said, last = draft.said, draft.last
        rows = () if terminal in GLUE else self._said_by.get(terminal, ())
        best = next(((share, words) for share, words in rows if words & ~said), None)
        if best and best[0] > _HARDLY:
            last = (best[1] & ~said).bit_length() - 1
        for share, words in rows:
            if share > _SURELY and words.bit_count() <= 2:
                said |= words
        likelihood, least = draft.likelihood + gain, min(draft.least, gain)
        return Draft((*draft.terminals, terminal), stack, said, last, likelihood, least)

    def _shares(self, terminal: str, said: int) -> tuple[float, float]:
        """Return how surely a terminal says words that are not said yet, and such as are said."""
        anew = again = 0.0
        for share, words in self._said_by.get(terminal, ()):
            if words & ~said:
                anew = anew or share
            else:
                again = again or share
        return anew, again

    def _rest(self, said: int) -> float:
        """Return how much the words mean together that are not said."""
        meaning = defaultdict[int, float](float)
        for rows in self._said_by.values():
            for share, words in rows:
                if share > _MEANS_SOMETHING and words & ~said and words.bit_count() == 1:
                    meaning[words] = max(meaning[words], share)
        return min(3.0, sum(meaning.values()))


def _likelihood(draft: Draft) -> float:
    return draft.likelihood


def _said_by(words: IdeaWords, what_was_learned: Learned) -> dict[str, list[tuple[float, int]]]:
    """Return for each terminal the words of an idea that it says, each with its share, the surest first."""
    said_by = defaultdict[str, list[tuple[float, int]]](list)
    for name, mask in words.features:
        if mask:
            for terminal, share in what_was_learned.lexicon.get(name, {}).items():
                said_by[terminal].append((share / 100, mask))
    for shares in said_by.values():
        shares.sort(key=lambda share: -share[0])
    return said_by


@lru_cache(maxsize=4096)
def stacks_after(stack: Stack) -> tuple[tuple[str, Stack], ...]:
    """Return the terminals that may come next, each with the parser's stack behind it."""
    following = list[tuple[str, Stack]]()
    for terminal in tables().states[stack[-1]]:
        if terminal == END:
            if is_whole(stack):
                following.append((END, stack))
        elif terminal.isupper():
            behind = stack_after(stack, terminal)
            if behind is not None:
                numbers = (_COPIED, _NONE, _ONE) if terminal == "INT" else (terminal,)
                following += ((written, behind) for written in numbers)
    return tuple(following)


@lru_cache(maxsize=4096)
def _place_of(terminals: tuple[str, ...]) -> tuple[str, str]:
    """Return the section of a sentence that its last terminal stands in, and the deed of its clause."""
    section, clause = "deed", list[str]()
    for terminal in reversed(terminals):
        if terminal in _STOPS or terminal == "THEN":
            break
        clause.append(terminal)
        if section == "deed":
            section = _SECTIONS.get(terminal, "deed")
    return section, next((terminal for terminal in reversed(clause) if terminal in _DEEDS), "")


def filled(terminals: Sequence[str], words: IdeaWords) -> Iterator[tuple[str, float]]:
    """Yield sentences of some terminals with the numbers and names of an idea, and what they cost."""
    names = _names_for(terminals, words)
    if names is None:
        return
    spoken, name_cost = names
    places = [number for number, word in enumerate(spoken) if word == _COPIED]
    for cost, numbers in _numbers_for(len(places), _copied_numbers(words.numbers)):
        for place, number in zip(places, numbers, strict=True):
            spoken[place] = number
        yield " ".join(spoken), cost + name_cost


def _names_for(terminals: Sequence[str], words: IdeaWords) -> tuple[list[str], float] | None:
    """Return the words of terminals with the names of an idea, and the cost; None if one is missing."""
    unused = list(words.names)
    spoken = list[str]()
    kind = ""
    for terminal in terminals:
        if terminal == "STRING":
            name = _name_of_kind(kind, unused)
            if name is None:
                return None
            unused.remove(name)
            spoken.append(f'"{name[1]}"')
        elif terminal in (_NONE, _ONE):
            spoken.append(terminal[-1])
        elif terminal != END:
            spoken.append(words_by_terminal().get(terminal, terminal))
        if terminal in ("TRAIT", "TEAM", "KEYWORD", "MARKER"):
            kind = terminal
    return spoken, _NAME_UNSAID * len(unused)


def _name_of_kind(kind: str, names: Sequence[tuple[str, str]]) -> tuple[str, str] | None:
    """Return the first of names that is of a kind, else the first."""
    return next((name for name in names if name[0].upper() == kind), next(iter(names), None))


_NAME_UNSAID, _NUMBER_UNSAID, _NUMBER_TWICE, _OUT_OF_ORDER = 1.0, 1.5, 0.8, 0.3


def terminals_of(sentence: str) -> tuple[str, ...]:
    """Return the terminals of a sentence as they are written, its numbers apart."""
    return tuple(
        terminal if terminal != "INT" else f"INT {text}" if text in ("0", "1") else _COPIED
        for terminal, text in pieces_of(sentence)
    )


def _copied_numbers(numbers: Sequence[str]) -> list[str]:
    """Return those of numbers that are copied."""
    return [number for number in numbers if number not in ("0", "1")]


def _numbers_for(count: int, spoken: Sequence[str]) -> list[tuple[float, tuple[str, ...]]]:
    """Return the numbers that may stand in a sentence with so many, with what each choice costs."""
    choices = list(dict.fromkeys(spoken))
    if count > _MOST_NUMBERS or len(choices) ** count > _MOST_FILLINGS:
        return [(0.0, tuple(islice(cycle(spoken), count)))]
    fillings = [(_cost_of_numbers(chosen, spoken), chosen) for chosen in product(choices, repeat=count)]
    return heapq.nsmallest(_FILLINGS_KEPT, fillings)


def _cost_of_numbers(chosen: Sequence[str], spoken: Sequence[str]) -> float:
    """Return how little the numbers of a sentence are those of an idea: their choice and their order."""
    unsaid, added = Counter(spoken), Counter(chosen)
    unsaid, added = unsaid - added, added - unsaid
    places = [spoken.index(number) for number in chosen if number in spoken]
    return (
        _NUMBER_UNSAID * unsaid.total()
        + _NUMBER_TWICE * added.total()
        + _OUT_OF_ORDER * sum(first > second for first, second in pairwise(places))
    )
