"""Which of several sentences an idea means, and how sure that is, by what was learned from pairs of both.

A sentence is likely if it costs little to read it from the idea, if it is likely to be written for it
(``writing.py``), and if sentences like it stand on such cards: who does what, when, for how long. The
weights are those of two logistic regressions that ``python -m tests.say.train`` writes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.json import decode

from toolkit.dsl.nearest_sentences.assembling import who_of
from toolkit.dsl.nearest_sentences.thesaurus import thesaurus
from toolkit.resources import grammar_file
from toolkit.vocabulary import SECOND_FORMS

_NAME, _NUMBER = re.compile(r'"[^"]*"'), re.compile(r"\d+")
_SENTENCE_END = re.compile(r"(?<=\.) ")
_HEAD = re.compile(r"(once per \w+, )?((?:when|while) .*?, )?((?:if|unless) .*?, )?(.*)\.")
_LINK = re.compile(r"(, then |, and |, if so, |, if not, | or )")
_DURATION = re.compile(r" (until .*|permanently|while on .*)$")
_REFS = frozenset(["self", "target", "attacker", "attacked", "it", "owner", "number"])
_SHAPE_VALUE = 0.5
"""The value of each feature that a sentence has by its shape, such as `when attacking`."""
_CHEAP = 0.3
_SAID = {
    name: (re.compile(rf"\b(?:{in_text})\b"), re.compile(rf"\b(?:{in_effect})\b"))
    for name, in_text, in_effect in (
        ("may", r"may|can|could|optional(?:ly)?|if you (?:like|want|wish)|darf\w*|kann\w*", "may|up to"),
        (
            "not",
            r"not|no|never|cannot|\w+n't|cant|dont|without|nobody|none|nicht|kein\w*|nie\w*|ohne",
            "not|no|cannot|unless|= 0|at 0",
        ),
        ("all", "all|every|everyone|everybody|each|both|whole|alle\\w*|jede\\w*|ganze\\w*", "all|each"),
        ("random", r"random\w*|blind\w*|chance|zufällig\w*", "random"),
        ("other", r"other|others|another|else|different|andere\w*", "other|another|adjacent|enemy"),
        ("if", r"if|when|while|whenever|as long as|unless|wenn|falls|solange|sobald", "if|when|while|unless"),
        ("turn", r"turn|turns|zug\w*|zuges", "TURN"),
        ("round", r"round|rounds|runde\w*", "ROUND"),
        (
            "for good",
            r"permanent\w*|for good|forever|rest of the game|dauerhaft|für immer",
            "permanently|FIELD",
        ),
        ("once", r"once|first|einmal|erste\w*", "once"),
        ("or", r"or|either|choose|oder|entweder|wähle\w*", "either|or|if not"),
        (
            "own",
            r"own|friend\w*|my|your|our|ours|mine|yours|ally|allies|dein\w*|mein\w*|eigene\w*|freund\w*",
            "own|owner|self",
        ),
        (
            "enemy",
            r"enem\w+|opponent\w*|opposing|their|theirs|them|foe\w*|gegner\w*|feind\w*",
            "enemy|opponent|target|attacker",
        ),
        ("cards", r"cards?|draws?|discards?|hand|deck|karte\w*|zieh\w*|hand\w*", "cards?|hand|DECK"),
        ("range", r"range|reach|nearby|near|reichweite\w*", "RANGE"),
        ("neighbour", r"next to|adjacent|neighbou?r\w*|beside|neben|nachbar\w*|benachbart\w*", "adjacent"),
        ("dice", r"die|dice|rolls?|d6|rerolls?|würf\w*", "D6"),
        (
            "attack",
            r"attack\w*|shoot\w*|shots?|fires?|angriff\w*|angreif\w*|schieß\w*|schuss",
            "attack\\w*|ATTACK|target",
        ),
        (
            "less",
            r"less|minus|lose\w*|reduce\w*|lower|fewer|worse|weniger|verliert|verringer\w*",
            r"(?:loses?|divides?|limits?)",
        ),
    )
}
"""What a text and a sentence should both speak of, or neither."""
_NUMBERS = {
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "zwei": "2",
    "drei": "3",
    "vier": "4",
    "fünf": "5",
    "sechs": "6",
    "both": "2",
    "twice": "2",
}
_WORD = re.compile(r"\d+|\w+")
_DEED_WORDS = 5
_UNLIKELIEST = -40.0


class Candidate(NamedTuple):
    """A sentence for a kind of card.

    ``left_out`` and ``added`` are how many words it leaves out and adds. ``likelihood`` is that of writing
    it, a logarithm, ``least`` that of its least likely word, ``unsaid`` how much the words mean that it does
    not say, ``unknown_words`` how many words of the idea nobody has used before. ``cost`` is that of reading
    it from the idea; of what was not read but written, how little its numbers and names are those of the
    idea.
    """

    effect: str
    kind: str
    cost: float
    left_out: int
    added: int
    likelihood: float
    least: float
    unsaid: float
    is_read: bool
    is_written: bool
    unknown_words: int


Features = dict[str, float]


class Weights(Struct, frozen=True):
    """What each feature of a sentence weighs, and each of a choice; ``least`` is what is sure enough."""

    sentence: Features
    choice: Features
    least: float


@lru_cache(maxsize=1)
def weights() -> Weights:
    """Return the weights, read once."""
    return decode(grammar_file().with_name("ranking.json").read_bytes(), type=Weights)


def features_of(candidate: Candidate, text: str) -> Features:
    """Return what is to be said for and against a sentence as what a text means.

    The divisors are part of what was learned: the weights belong to numbers of that size.
    """
    folded_text = text.casefold()
    features: Features = dict(_differences(folded_text, candidate.effect))
    for name in _shapes_of(candidate.kind, candidate.effect):
        features[name] = features.get(name, 0.0) + _SHAPE_VALUE
    features["german"] = float(not thesaurus().german.isdisjoint(_WORD.findall(folded_text)))
    features["read"] = float(candidate.is_read)
    features["both"] = float(candidate.is_read and candidate.is_written)
    features["cost" if candidate.is_read else "slots"] = candidate.cost / 4
    features["left out"] = candidate.left_out / 2
    features["added"] = candidate.added / 2
    features["likelihood"] = max(candidate.likelihood, _UNLIKELIEST) / 5
    features["unsaid"] = candidate.unsaid
    features["least likely"] = max(candidate.least, _UNLIKELIEST / 4) / 3
    features["unknown words"] = candidate.unknown_words / 2
    features["words"] = len(text.split()) / 20
    return features


def _differences(text: str, effect: str) -> Iterator[tuple[str, float]]:
    """Yield features for what only one of a text and a sentence says, and how many numbers only one has."""
    for name, (in_text, in_effect) in _SAID.items():
        is_meant, is_said = in_text.search(text) is not None, in_effect.search(effect) is not None
        if is_meant != is_said:
            yield f"{name} {'unsaid' if is_meant else 'added'}", 1.0
    meant = {_NUMBERS.get(word, word) for word in _WORD.findall(text)}
    said = {*_NUMBER.findall(_NAME.sub("", effect))} | {
        _NUMBERS[word] for word in effect.split() if word in _NUMBERS
    }
    yield "numbers added", float(len(said - meant - {"0", "1"}))
    yield "numbers unsaid", float(sum(word.isdecimal() and word not in ("0", "1") for word in meant - said))


@lru_cache(maxsize=4096)
def _shapes_of(kind: str, effect: str) -> tuple[str, ...]:
    """Return the names of the features of a sentence itself: who does what, when, for how long."""
    sentences = _SENTENCE_END.split(_NUMBER.sub("1", _NAME.sub('""', effect)))
    return (
        f"sentences {len(sentences)}",
        *(name for sentence in sentences for name in _of_sentence(kind, sentence)),
    )


def _of_sentence(kind: str, sentence: str) -> Iterator[str]:
    """Yield the limit, opening, condition, clauses and links of a sentence, some also in pairs.

    Openings are cut to their end, conditions to their first words, so that features are shared by sentences
    that are much alike; a link behind `may` is another one than without.
    """
    match = _HEAD.fullmatch(sentence)
    if match is None:
        return
    limit, opening, condition, body = (part or "" for part in match.groups())
    opening = opening.removesuffix(", ")
    if limit:
        yield limit
    yield f"{kind}: {opening}"
    yield opening
    if condition:
        words = condition.split()
        ref = next((word for word in words if word in _REFS), "")
        yield f"{kind}: if {ref}"
        yield f"{opening[-9:]}: if {ref}"
        yield " ".join(word for word in words[:6] if word not in _REFS)
    clauses = _LINK.split(body.replace("either ", ""))
    yield f"clauses {len(clauses)}"
    if body.startswith("either "):
        yield "either"
    for number, clause in enumerate(clauses):
        if number % 2:
            yield f"{clause}{' may ' in clauses[number - 1]}"
        else:
            yield from _of_clause(kind, opening, clause)


def _of_clause(kind: str, opening: str, clause: str) -> Iterator[str]:
    """Yield who does what, for how long, each also with the kind of card or the opening before it."""
    subject = who_of(clause)
    deed = clause[len(subject) :].strip()
    duration = _DURATION.search(deed)
    if duration:
        deed = deed[: duration.start()]
    lasting = duration.group(1) if duration else ""
    words = [SECOND_FORMS.get(word, word) for word in deed.partition(" for each ")[0].split()]
    deed = " ".join(words[:_DEED_WORDS])
    actor = " ".join(subject.split()[:3])
    yield f"{actor} {deed}"
    yield f"{kind}: {actor}"
    yield f"{kind}: {actor} {deed}"
    yield f"{opening}: {actor} {words[0] if words else ''}"
    yield deed
    yield f"{opening}: {lasting}"
    yield f"{kind}: {lasting}"
    yield subject


def score(features: Features, weighed: Features) -> float:
    """Return how likely a sentence is, as a logarithm."""
    return sum(weighed.get(name, 0.0) * value for name, value in features.items())


class Ranked(NamedTuple):
    """Sentences by their number, the likeliest first, and how sure it is that one of the first is meant."""

    order: list[int]
    sureness: float


def ranked(candidates: Sequence[Candidate], text: str) -> Ranked:
    """Return the order of sentences by how likely an idea means them."""
    learned = weights()
    features = [features_of(candidate, text) for candidate in candidates]
    order, choice = choice_of(features, learned.sentence)
    return Ranked(order, 1 / (1 + math.exp(-score(choice, learned.choice))))


def choice_of(features: Sequence[Features], weighed: Features) -> tuple[list[int], Features]:
    """Return the order of sentences, and what is to be said for and against the choice of the first."""
    scores = [score(listed, weighed) for listed in features]
    order = sorted(range(len(features)), key=lambda number: -scores[number])
    best = features[order[0]]
    shares = sorted((math.exp(value - scores[order[0]]) for value in scores), reverse=True)
    share, share_of_three = 1 / sum(shares), sum(shares[:3]) / sum(shares)
    return order, {
        "": 1.0,
        "share": math.log(share),
        "share of three": math.log(share_of_three),
        "nothing left out": float(not best["left out"]),
        "cheap": float(best.get("cost", _CHEAP) < _CHEAP),
        "unknown": sum(name not in weighed for name in best) / 5,
        "size": len(best) / 20,
        "one-sided": sum(value for name, value in best.items() if name.endswith(" unsaid")),
        "invented": sum(value for name, value in best.items() if name.endswith(" added")),
        **{
            name: best.get(name, 0.0)
            for name in (
                "german",
                "read",
                "both",
                "cost",
                "slots",
                "left out",
                "added",
                "likelihood",
                "unsaid",
                "least likely",
                "unknown words",
                "words",
            )
        },
    }
