"""The phrases of the thesaurus in a text: in another form, misspelt, with an article between, with slots."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from toolkit.dsl.lalr import tables
from toolkit.dsl.nearest_sentences.groups import Group
from toolkit.dsl.nearest_sentences.pieces import words_in
from toolkit.dsl.nearest_sentences.thesaurus import (
    GROUPS,
    NUMBER,
    REMARK,
    SPOKEN,
    Choice,
    Pattern,
    Phrase,
    thesaurus,
    words_of_line,
)
from toolkit.vocabulary.nearest import allowed_mistakes, distance, is_opposite

_OTHER_FORM, _MISSPELT, _ARTICLE, _WORD_OF_REMARK = 0.08, 0.4, 0.04, 0.08
_ARTICLES = frozenset(
    words_in("the der das dem den des its his her their seine seiner seinen ihre ihrer ihren")
)
_ADVERBS = frozenset(
    words_in(
        "also then immediately additionally even still just already simply always either now too "
        "auch zusätzlich dann sofort aber jedoch schon bereits gerade immer einfach noch danach ebenfalls"
    )
)
"""Words that may stand between those of a phrase and change nothing."""
_BETWEEN = _ARTICLES | _ADVERBS
_ENDINGS = ("ies", "es", "en", "er", "em", "s", "e", "n", "y", "t", "st")


class Node:
    """The phrases that begin in the same way: those that end there, and those that go on.

    ``words`` and ``slots`` are the nodes behind one more word or slot, ``skips`` those that are reached
    without one: behind parts that may be missing, and behind the last word of a part.
    ``is_inner`` are those behind a word of a part.
    """

    __slots__ = ("_reached", "behind", "is_inner", "phrases", "skips", "slots", "words")

    def __init__(self, *, is_inner: bool = False) -> None:
        self.is_inner = is_inner
        self.behind: dict[str | Choice, Node] = {}
        self.words: dict[str, Node] = {}
        self.slots: dict[str, Node] = {}
        self.skips: list[Node] = []
        self.phrases: list[Phrase] = []
        self._reached: tuple[Node, ...] | None = None

    def add(self, element: str | Choice) -> Node:
        """Return the node behind one more part of a phrase."""
        node = self.behind.get(element)
        if node is None:
            node = self.behind[element] = Node()
            if isinstance(element, str):
                self.slots[element] = node
            else:
                for alternative in element:
                    last = self
                    for word in alternative:
                        last = last.words.setdefault(word, Node(is_inner=True))
                    last.skips.append(node)
        return node

    @property
    def reached(self) -> tuple[Node, ...]:
        """Return this node and those that are reached without a word."""
        if self._reached is None:
            nodes = {id(self): self}
            for node in (queue := [self]):
                new = [skipped for skipped in node.skips if id(skipped) not in nodes]
                nodes.update((id(skipped), skipped) for skipped in new)
                queue += new
            self._reached = tuple(nodes.values())
        return self._reached


class _Match(NamedTuple):
    """The words of a text up to ``end`` as the beginning of phrases; ``values`` are those of its slots."""

    end: int
    node: Node
    values: tuple[tuple[str, str | Group], ...]
    cost: float
    is_same: bool


class Meaning(NamedTuple):
    """What the phrase says that ends at ``end``; ``is_same``: and it can mean nothing else."""

    end: int
    right: str
    cost: float
    is_same: bool


@lru_cache(maxsize=4)
def _root(*, of_groups: bool = False, of_notes: bool = False, of_ideas: bool = False) -> Node:
    """Return where all phrases begin, those that speak of groups or the others, of ideas, or the notes."""
    root = Node()
    is_all = of_notes or of_ideas
    phrases = thesaurus().notes if of_notes else thesaurus().spoken if of_ideas else thesaurus().phrases
    for phrase in phrases:
        if not is_all and of_groups == SPOKEN.isdisjoint(phrase.written):
            continue
        node = root
        for number, element in enumerate(phrase.written):
            if number == 0 or element not in _LEFT_OUT:
                node = node.add(element)
        node.phrases.append(phrase)
    return root


_LEFT_OUT = frozenset([((article,),) for article in _ARTICLES])
"""The parts of phrases that need not be there."""


@lru_cache(maxsize=1)
def vocabulary() -> frozenset[str]:
    """Return all words that mean something: those of the language, of the thesaurus and of its slots."""
    words = {word.casefold() for word in tables().words} | thesaurus().fillers
    patterns = [phrase.written for phrase in (*thesaurus().phrases, *thesaurus().frames, *thesaurus().spoken)]
    for pattern in (*patterns, *(rewriting.pattern for rewriting in thesaurus().rewritings)):
        for element in pattern:
            if not isinstance(element, str):
                words.update(word for alternative in element for word in alternative)
    for slot_words in thesaurus().slots.values():
        words.update(slot_words)
    return frozenset(word for word in words if word[0].isalpha())


@lru_cache(maxsize=1)
def language_words() -> frozenset[str]:
    """Return the words of the language in lower case."""
    return frozenset(word.casefold() for word in tables().words)


@lru_cache(maxsize=1)
def _words_by_root() -> dict[str, list[str]]:
    """Return the words of phrases by what is left of them without an ending."""
    by_root: dict[str, list[str]] = {}
    for word in sorted(vocabulary()):
        for root in roots_of(word):
            by_root.setdefault(root, []).append(word)
    return by_root


def roots_of(word: str) -> set[str]:
    """Return a word with and without its endings: `enemies` and `enemy` have one in common."""
    roots = {word}
    for ending in _ENDINGS:
        shortest = 3 if ending in ("s", "ies") else 4
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
            roots.add(word[: -len(ending)])
    return roots


@lru_cache(maxsize=4096)
def forms_of(word: str) -> tuple[tuple[str, float], ...]:
    """Return the words of phrases that a word may be, with what that costs."""
    forms = {word: 0.0}
    if word.isalpha() and len(word) > 2:
        by_root = _words_by_root()
        for root in sorted(roots_of(word)):
            for other in by_root.get(root, ()):
                forms.setdefault(other, _OTHER_FORM)
    if len(forms) == 1 and word not in vocabulary():
        forms.update(dict.fromkeys(_misspelt(word), _MISSPELT))
    return tuple(forms.items())


@lru_cache(maxsize=4096)
def form_words(word: str) -> frozenset[str]:
    """Return the words of phrases that a word may be."""
    return frozenset(form for form, _ in forms_of(word))


def _misspelt(word: str) -> list[str]:
    """Return the words that an unknown word is a misspelling of: those with the fewest mistakes."""
    if not word.isalpha() or len(word) < 3:
        return []
    most = min(2, allowed_mistakes(word))
    mistakes = {
        other: distance(word, other, most)
        for other in sorted(vocabulary())
        if other[0] == word[0] and len(other) > 2 and abs(len(other) - len(word)) <= most
    }
    fewest = min(mistakes.values(), default=most + 1)
    if fewest > most:
        return []
    return [other for other, number in mistakes.items() if number == fewest and not is_opposite(word, other)]


def in_slot(slot: str, word: str) -> str | None:
    """Return a word as the language writes it in a slot of a phrase; None if it does not belong there."""
    if slot == NUMBER and word.isdecimal():
        return word
    return thesaurus().slots.get(slot, {}).get(word)


_WINDOW = 24
"""How many words of a text a phrase may have."""


class Said(NamedTuple):
    """Words of a text up to ``end`` that stand in a slot, with what the language says."""

    end: int
    value: str | Group
    cost: float
    is_same: bool


def phrases_of_groups_at(
    spoken: Sequence[str], position: int, said: Sequence[dict[str, list[Said]]]
) -> Iterator[Meaning]:
    """Yield what the phrases with groups in them say that begin at a word, as ``phrases_at`` does."""
    queue = [_Match(position, _root(of_groups=True), (), 0.0, True)]
    for match in queue:
        for phrase in _ending(match.node):
            right = filled(phrase.right, match.values)
            if right is not None:
                is_same = match.is_same and phrase.is_same
                yield Meaning(match.end, right, match.cost + phrase.cost, is_same)
        queue += _further(match, spoken, said)


def phrases_at(spoken: Sequence[str], position: int, *, of_ideas: bool = False) -> tuple[Meaning, ...]:
    """Return what the phrases say that begin at a word, or those that only ideas have."""
    window = tuple(spoken[position : position + _WINDOW])
    meanings = _phrases_of(window, of_ideas=of_ideas)
    return tuple(meaning._replace(end=position + meaning.end) for meaning in meanings)


def noted_at(spoken: Sequence[str], position: int) -> str | None:
    """Return what explains the phrase that begins at a word; None if nothing does."""
    queue = [_Match(0, _root(of_notes=True), (), 0.0, True)]
    words = spoken[position : position + _WINDOW]
    for match in queue:
        notes = [*_ending(match.node)]
        if notes and match.is_same:
            return notes[0].right
        queue += _further(match, words)
    return None


@lru_cache(maxsize=4096)
def _phrases_of(words: tuple[str, ...], *, of_ideas: bool = False) -> tuple[Meaning, ...]:
    """Return what the phrases say with which words begin, each at its least cost."""
    phrases: dict[tuple[int, str], Meaning] = {}
    queue = [_Match(0, _root(of_ideas=of_ideas), (), 0.0, True)]
    for match in queue:
        for phrase in _ending(match.node):
            right = filled(phrase.right, match.values)
            if right is None:
                continue
            meaning = Meaning(match.end, right, match.cost + phrase.cost, match.is_same and phrase.is_same)
            known = phrases.get((match.end, right))
            if known is None or (meaning.cost, known.is_same) < (known.cost, meaning.is_same):
                phrases[match.end, right] = meaning
        queue += _further(match, words)
    return tuple(phrases.values())


def _further(
    match: _Match, words: Sequence[str], said: Sequence[dict[str, list[Said]]] = ()
) -> Iterator[_Match]:
    """Yield a match with the next words of the text, if there are any."""
    if match.end < len(words):
        yield from _longer(match, words, said)


def _longer(
    match: _Match, words: Sequence[str], said: Sequence[dict[str, list[Said]]] = ()
) -> Iterator[_Match]:
    """Yield a match with the next words of the text."""
    end, node, values, cost, is_same = match
    forms = forms_of(words[end])
    is_other_word = words[end] not in language_words()
    for reached in node.reached:
        following_words = reached.words
        if following_words:
            for form, price in forms:
                if form in following_words:
                    is_exact = not price or (is_other_word and price < _MISSPELT and not reached.is_inner)
                    yield _Match(end + 1, following_words[form], values, cost + price, is_same and is_exact)
        for slot, following in reached.slots.items():
            key = "<group>" if slot in GROUPS else slot
            for said_end, said_value, price, is_sure in said[end].get(key, ()) if said else ():
                slot_values = (*values, (key, said_value))
                yield _Match(said_end, following, slot_values, cost + price, is_same and is_sure)
            if slot == REMARK:
                end_of_remark = _end_of_remark(words, end)
                price = _WORD_OF_REMARK * (end_of_remark - end)
                yield _Match(end_of_remark, following, values, cost + price, False)
                continue
            value = in_slot(slot, words[end])
            if value is not None:
                yield _Match(end + 1, following, (*values, (slot, value)), cost, is_same)
    if end and words[end] in _BETWEEN:
        yield _Match(end + 1, node, values, cost + _ARTICLE, is_same and words[end] in _ARTICLES)


def _ending(node: Node) -> Iterator[Phrase]:
    """Yield the phrases that may end at a node."""
    for reached in node.reached:
        yield from reached.phrases


_ENDS_OF_REMARKS = frozenset(".,;:!?()")


def _end_of_remark(words: Sequence[str], begin: int) -> int:
    return next((end for end in range(begin, len(words)) if words[end] in _ENDS_OF_REMARKS), len(words))


def is_said(spoken: Sequence[str], words: Sequence[str]) -> bool:
    """Whether words of a text are those of a phrase, perhaps in another form."""
    return len(spoken) == len(words) and all(
        spoken_word == word or word in form_words(spoken_word)
        for spoken_word, word in zip(spoken, words, strict=True)
    )


_SLOT = re.compile("(<[a-z]+>)")


def filled(right: str, values: Sequence[tuple[str, str | Group]]) -> str | None:
    """Return what a phrase says, with the values of its slots; the last one fills all slots that remain.

    None if a group cannot stand where the phrase has it.
    """
    if "<" not in right:
        return right
    remaining: dict[str, list[str | Group]] = {}
    for slot, value in values:
        remaining.setdefault(slot, []).append(value)
    parts = _SLOT.split(right)
    for number in range(1, len(parts), 2):  # `split` puts the slots between the texts around them
        slot = parts[number]
        slot_values = remaining.get("<group>" if slot in GROUPS else slot, [slot])
        value = slot_values.pop(0) if len(slot_values) > 1 else slot_values[0]
        written = _form_of(value, slot) if isinstance(value, Group) else value
        if written is None:
            return None
        parts[number] = written
    return "".join(parts)


def _form_of(group: Group, slot: str) -> str | None:
    """Return a group as it stands in a slot."""
    if slot == "<group>":
        return group.acting()
    if slot == "<subject>":
        return group.happening()
    if slot == "<many>":
        return group.counted()
    if slot == "<mine>":
        return group.owned().counted()
    return group.said_of(slot[3:-1]) if slot.startswith("<is") else group.not_said_of(slot[4:-1])


_EXAMPLES = {
    NUMBER: "2",
    "<stat>": "AP",
    "<who>": "target",
    "<st>": "EXHAUSTED",
    "<group>": "one OPERATOR",
    "<subject>": "an OPERATOR",
    "<many>": "OPERATORs",
    "<marker>": "HITCOUNTER",
    "<player>": "owner",
}
_MOST_LISTED = 12


def said_instead_of(words: str) -> dict[str, str]:
    """Return what the language says by what is written instead: of words, or of phrases with these words.

    For a word of the language it is that word, by what people write instead of it. A word that no phrase has
    is not taken for a misspelt one: it may be about anything.
    """
    spoken = tuple(words_of_line(words.casefold()))
    if not spoken or any(price >= _MISSPELT for word in spoken for _, price in forms_of(word)):
        return {}
    meanings = [meaning for meaning in _phrases_of(spoken) if meaning.end == len(spoken)]
    said = {words: min(meanings, key=lambda meaning: meaning.cost).right} if meanings else {}
    for phrase in thesaurus().phrases:
        if len(said) < _MOST_LISTED and phrase.right:
            is_right = phrase.right == words
            written = _as_written(phrase.written, spoken, is_right=is_right)
            if written is not None:
                said.setdefault(written, _SLOT.sub(lambda slot: _example(slot.group()), phrase.right))
    return {written: right for written, right in said.items() if right and "<" not in right}


def _example(slot: str) -> str:
    return _EXAMPLES.get(slot, slot)


def _as_written(pattern: Pattern, spoken: tuple[str, ...], *, is_right: bool) -> str | None:
    """Return a phrase that has some words in one of its choices, or is right; None if it has not."""
    parts, has_words = list[str](), is_right
    for element in pattern:
        if isinstance(element, str):
            parts.append(_example(element))
        else:
            chosen = spoken if spoken in element else element[0]
            has_words = has_words or spoken in element
            parts += chosen
    return " ".join(parts) if has_words else None
