"""Frames: what people speak of with some words in any order, such as a deed, a moment or a condition.

A phrase has its words in one order. A frame only says which words and slots there are: `heal` and a group,
`when` and `attack` and a player. They may stand in any order with words of no meaning between them, as long
as none remains that has one. The file says how they are written: ``frames.txt``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from toolkit.dsl.nearest_sentences.groups import Group, cost_for_length
from toolkit.dsl.nearest_sentences.phrases import Said, filled, forms_of, in_slot
from toolkit.dsl.nearest_sentences.pieces import Reading, words_in
from toolkit.dsl.nearest_sentences.text_words import words_of_text
from toolkit.dsl.nearest_sentences.thesaurus import (
    GROUPS,
    MAY,
    MINUS,
    MUST,
    NUMBER,
    PLUS,
    UP,
    Choice,
    Phrase,
    thesaurus,
)

MOST_STEPS = 6_000
"""How many ways through a sentence are followed for all frames together."""
_WINDOW = 16
"""How many words of a text a frame may have."""
_MOST_LEFT_OUT = 1
_MOST_SAID = 5
"""How many groups that begin at a word are looked at."""
_NOTHING, _COMMA, _UNSAID_WHO, _UNSAID_NUMBER, _IN_A_ROW = 0.05, 0.1, 0.15, 0.15, 0.02
_LIGHT_COST = 0.12
_LIGHT = frozenset(
    words_in(
        "use uses using used get gets getting got have has having had be is are was were been being do does "
        "doing make makes making let lets allow allows give gives giving take takes put puts go goes come "
        "comes 's of in on at to for with from into onto out up back away off over own any some this that "
        "these those their its his her your my our there here so as all the a an them it action about by "
        "zu von mit im am in an auf für bei wird werden hat haben ist sind seine ihre sein ihr der die das "
        "dem den"
    )
)
"""Words that say little between the words of a frame."""
_ANOTHER = frozenset(
    words_in("another extra additional further second zusätzlichen zusätzliche zusätzlicher weiteren weitere")
)
"""What says one more where a number may stand."""
_SIGNED = {PLUS: ("+", "plus"), MINUS: ("-", "minus"), UP: ("+",)}
_WHO = {"<group>": "@who", "<subject>": "self", "<player>": "owner"}
"""Who acts where nobody is named; ``assembling.py`` decides who `@who` and `@he` are."""
_PRONOUNS = frozenset(
    (
        "he",
        "she",
        "it",
        "him",
        "her",
        "his",
        "its",
        "they",
        "them",
        "that",
        "one",
        "er",
        "sie",
        "es",
        "ihn",
        "ihm",
    )
)


class _Component(NamedTuple):
    """A component of a frame: the words of which one stands there, or a slot; ``bit`` is its mask."""

    bit: int
    words: Choice
    slot: str


class _Frame(NamedTuple):
    """A frame; ``needed`` is the mask of what must be there, ``may`` that of the one that permits it.

    A text without any of the ``key_words`` does not have the frame; none if it needs slots only.
    """

    components: tuple[_Component, ...]
    needed: int
    may: int
    phrase: Phrase
    key_words: frozenset[str]


class _Way(NamedTuple):
    """How far a frame has come in a text: ``mask`` has the components that were read, ``values`` their slots.

    ``ends_in_component`` is not so behind words between components: with these no frame ends.
    """

    end: int
    mask: int
    values: tuple[tuple[int, str, str | Group], ...]
    cost: float
    left_out: tuple[str, ...]
    ends_in_component: bool


@lru_cache(maxsize=1)
def _frames() -> tuple[_Frame, ...]:
    return tuple(map(_frame, thesaurus().frames))


def _frame(phrase: Phrase) -> _Frame:
    """Return a phrase whose words stand in any order as a frame, also with `may` and `must`."""
    components = list[_Component]()  # each has the bit of its index
    needed = 0
    for element in phrase.written:
        bit = 1 << len(components)
        if isinstance(element, str):
            slot = element.removesuffix("!")
            components.append(_Component(bit, (), slot))
            may_be_unsaid = slot == element and slot in _WHO and _acts(slot, phrase.right)
            if not may_be_unsaid:
                needed |= bit
        else:
            components.append(_Component(bit, _apart(element), ""))
            needed |= bit if () not in element else 0
    actor, _, deed = phrase.right.partition(" ")
    may = 0
    if actor in ("<group>", "<player>", "self", "target", "attacker", "owner", "opponent"):
        if not deed.startswith("cannot "):
            bit = 1 << len(components)
            may = 0 if deed.startswith("may ") else bit
            components.append(_Component(bit, MAY, ""))
        components.append(_Component(1 << len(components), MUST, ""))
    choices = [component for component in components if component.words and component.bit & needed]
    first_words = (frozenset(words[0] for words in component.words) for component in choices)
    key_words = min(first_words, key=len, default=frozenset())
    return _Frame(tuple(components), needed, may, phrase, key_words)


@lru_cache(maxsize=2048)
def _apart(choice: Choice) -> Choice:
    """Return the words of a choice as they are taken apart in a text."""
    return tuple(
        tuple(word.casefold() for word in words_of_text(" ".join(words))) for words in choice if words
    )


def _acts(slot: str, right: str) -> bool:
    """Whether a slot is that of who acts in what a frame says."""
    return right.removeprefix("when ").removeprefix("while ").startswith(slot)


class Framed(NamedTuple):
    """Words of a text up to ``end`` that are a frame, with what it says."""

    end: int
    right: str
    cost: float
    left_out: tuple[str, ...]


def frames_in(
    spoken: Sequence[str], said: Sequence[dict[str, list[Said]]], nothing: Sequence[Sequence[Reading]]
) -> list[list[Framed]]:
    """Return for each word of a text what the frames say that begin there.

    ``said`` is what stands in slots there, ``nothing`` the readings of a word as nothing.
    """
    return _Frames(spoken, said, nothing).framed()


class _Frames:
    """The frames in one text."""

    def __init__(
        self,
        spoken: Sequence[str],
        said: Sequence[dict[str, list[Said]]],
        nothing: Sequence[Sequence[Reading]],
    ) -> None:
        self._spoken = spoken
        self._forms = [dict(forms_of(word)) for word in spoken]
        self._present = set(chain.from_iterable(self._forms))
        self._said = said
        self._nothing = nothing
        self._steps = 0
        self._values: dict[tuple[str, int], list[Said]] = {}
        self._matches: dict[Choice, list[list[tuple[int, float]]]] = {}

    def framed(self) -> list[list[Framed]]:
        """Return for each word what the frames say that begin there, each once, at its least cost."""
        best: dict[tuple[int, int, str], Framed] = {}
        for frame in _frames():
            if not self._may_occur(frame):
                continue
            for begin, framed in self._occurrences(frame):
                key = (begin, framed.end, framed.right)
                if key not in best or framed.cost < best[key].cost:
                    best[key] = framed
        at_word: list[list[Framed]] = [[] for _ in self._spoken]
        for (begin, _, _), framed in best.items():
            at_word[begin].append(framed)
        return at_word

    def _may_occur(self, frame: _Frame) -> bool:
        """Whether all that a frame needs stands somewhere in the text; asked first as most frames do not."""
        if frame.key_words and self._present.isdisjoint(frame.key_words):
            return False
        return all(self._has(component) for component in frame.components if component.bit & frame.needed)

    def _has(self, component: _Component) -> bool:
        """Whether a component stands anywhere in the text."""
        if component.words:
            return any(self._ends_of(component.words))
        return any(self._values_of(component.slot, begin) for begin in range(len(self._spoken)))

    def _ends_of(self, words: Choice) -> list[list[tuple[int, float]]]:
        """Return for each word of the text where words of a choice end that begin there, with their cost."""
        ends = self._matches.get(words)
        if ends is None:
            ends = [[] for _ in self._spoken]
            for alternative in words:
                if alternative[0] in self._present:
                    for begin, forms in enumerate(self._forms):
                        if alternative[0] in forms:
                            cost = self._cost_of(alternative, begin)
                            if cost is not None:
                                ends[begin].append((begin + len(alternative), cost))
            self._matches[words] = ends
        return ends

    def _cost_of(self, words: tuple[str, ...], begin: int) -> float | None:
        """Return what words cost as those of the text from there on; None if they are others."""
        if begin + len(words) > len(self._spoken):
            return None
        cost = 0.0
        for word, forms in zip(words, self._forms[begin:], strict=False):
            if word not in forms:
                return None
            cost += forms[word]
        return cost

    def _values_of(self, slot: str, begin: int) -> list[Said]:
        """Return what stands in a slot at a word."""
        values = self._values.get((slot, begin))
        if values is None:
            values = self._values[slot, begin] = self._values_at(slot, begin)
        return values

    def _values_at(self, slot: str, begin: int) -> list[Said]:
        if slot in _SIGNED:
            return self._signed(slot, begin)
        key = "<quality>" if slot.startswith("<is") else "<group>" if slot in GROUPS else slot
        values = self._said[begin].get(key, ())
        if key in ("<group>", "<quality>"):
            return sorted(values, key=lambda value: cost_for_length(value.cost, value.end - begin))[
                :_MOST_SAID
            ]
        spoken = self._spoken[begin]
        value_of_word = in_slot(slot, spoken)
        values = list(values)
        if value_of_word is not None:
            values.append(Said(begin + 1, value_of_word, 0.0, False))
        elif slot == NUMBER and spoken in _ANOTHER:
            values.append(Said(begin + 1, "1", _UNSAID_NUMBER, False))
        return values

    def _signed(self, slot: str, begin: int) -> list[Said]:
        """Return a number that stands beside a sign."""
        end = begin + 2
        if end > len(self._spoken):
            return []
        first, second = self._spoken[begin:end]
        if slot == UP:  # `5 +`, as a result of dice; in `5 + 2` the sign belongs to the number behind it
            is_sum = end < len(self._spoken) and self._spoken[end].isdecimal()
            sign, value = second, first if first.isdecimal() and not is_sum else None
        else:
            sign, value = first, in_slot(NUMBER, second)
        return [] if value is None or sign not in _SIGNED[slot] else [Said(end, value, 0.0, False)]

    def _occurrences(self, frame: _Frame) -> Iterator[tuple[int, Framed]]:
        """Yield where a frame begins, and what it says there, until the steps of the text are spent."""
        for begin in range(len(self._spoken)):
            start = _Way(begin, 0, (), frame.phrase.cost, (), False)
            queue = [*self._with_component(frame, start)]
            lowest_costs: dict[tuple[int, int, tuple[tuple[int, str, str | Group], ...]], float] = {}
            for way in queue:
                self._steps += 1
                if self._steps > MOST_STEPS:
                    return
                key = (way.end, way.mask, way.values)
                if lowest_costs.get(key, math.inf) <= way.cost:
                    continue
                lowest_costs[key] = way.cost
                has_all = way.mask & frame.needed == frame.needed
                if has_all and way.ends_in_component:
                    right, cost = self._right(frame, way)
                    if right is not None:
                        yield begin, Framed(way.end, right, cost, way.left_out)
                if way.end < min(len(self._spoken), begin + _WINDOW):
                    queue += self._with_component(frame, way)
                    queue += self._skipping(way)

    def _with_component(self, frame: _Frame, way: _Way) -> Iterator[_Way]:
        """Yield a way with one more component of its frame."""
        for component in frame.components:
            if component.bit & way.mask:
                continue
            mask = way.mask | component.bit
            if component.words:
                for end, cost in self._ends_of(component.words)[way.end]:
                    yield _Way(end, mask, way.values, way.cost + cost, way.left_out, True)
            else:
                for end, value, cost, _ in self._values_of(component.slot, way.end):
                    if (
                        isinstance(value, Group)
                        and value.ref == "self"
                        and _PRONOUNS.issuperset(self._spoken[way.end : end])
                    ):
                        value = Group(ref="@he")  # the thesaurus reads a pronoun as `self`; it may be another
                    values = (*way.values, (component.bit, component.slot, value))
                    yield _Way(end, mask, values, way.cost + cost, way.left_out, True)

    def _skipping(self, way: _Way) -> Iterator[_Way]:
        """Yield a way that leaves out its next word, if that says little or nothing.

        A colon is left out behind a first value (`enemies: -1 AP`); no frame goes on behind other marks.
        """
        word = self._spoken[way.end]
        has_one_value_only = len(way.values) == way.mask.bit_count() == 1
        if word == ":" and has_one_value_only:
            yield _Way(way.end + 1, way.mask, way.values, way.cost + _COMMA, way.left_out, False)
        if word in ".:!?;":
            return
        if word in _LIGHT:
            yield _Way(way.end + 1, way.mask, way.values, way.cost + _LIGHT_COST, way.left_out, False)
            return
        for reading in self._nothing[way.end]:
            left_out = way.left_out + reading.left_out
            if len(left_out) <= _MOST_LEFT_OUT:
                cost = reading.cost if reading.left_out else min(reading.cost, _NOTHING)
                yield _Way(reading.end, way.mask, way.values, way.cost + cost, left_out, False)

    def _right(self, frame: _Frame, way: _Way) -> tuple[str | None, float]:
        """Return what a frame says with the components that were read, and what that costs."""
        right, cost = frame.phrase.right, way.cost
        if way.mask & frame.may:
            actor, _, deed = right.partition(" ")
            right = f"{actor} may {deed}"
        for component in frame.components:
            if component.slot in _WHO and not component.bit & way.mask:
                right = right.replace(component.slot, _WHO[component.slot], 1)
                cost += _UNSAID_WHO
        values = [
            ("<group>" if slot in GROUPS else NUMBER if slot in _SIGNED else slot, value)
            for _, slot, value in way.values
        ]
        return filled(right, values), cost
