"""``opforge say``: from an idea in plain words to effects that say it, each with its rules text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice

from msgspec import Struct

from toolkit.data import schema
from toolkit.data.effect_sources import CARD_ROLES
from toolkit.data.model import CardSet
from toolkit.dsl.checking import check_effect
from toolkit.dsl.completing import Completion
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.nearest_sentences.proposals import (
    MOST_PROPOSALS,
    OPENINGS,
    CardKind,
    Chosen,
    Proposal,
    candidates_for,
    nearest_sentences,
    sentences_for,
)
from toolkit.dsl.nearest_sentences.ranking import Candidate as RankedCandidate
from toolkit.dsl.nearest_sentences.writing import Learned
from toolkit.dsl.parsing import MAX_CHARACTERS, parse_effect, sentence_ends
from toolkit.dsl.tree import Effect
from toolkit.lint import EffectContext, lint_effect
from toolkit.project.analyse_effects import KnownNames, known_names_of
from toolkit.project.effect_proposals import worth_telling
from toolkit.resources import help_folder
from toolkit.vocabulary import Role
from toolkit.wording.card_text import rules_text
from toolkit.wording.text import Names as PrintedNames
from toolkit.wording.text import names_in, plain

KINDS = {kind: CARD_ROLES.get(kind, Role.SKILL) for kind in dict.fromkeys((*schema.KINDS, *CARD_ROLES))}
"""The kinds of card, and what else bears effects, with the role of their effects."""
LANGUAGES = ("en", "de")
_FEWEST_WORDS = 3
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_NO_TEXT = re.compile("[\ud800-\udfff\ufffd]")
"""What stands for bytes that are no UTF-8, in an argument or in a line of standard input."""
_ENTRY = re.compile(r"^### (?P<title>.+)$|^ *(?:- )?effect: (?P<effect>.+)$", re.MULTILINE)
_WORD = re.compile(r"[\w+-]+")
MOST_RELATED = 2
"""How many entries of the cookbook are named."""
_WORDS_OF_A_SHORT_ENTRY = 4
"""Added to the length of each entry, so that a short one is not near to whatever shares a word with it."""


class Candidate(Struct, frozen=True):
    """An effect that may say an idea.

    ``text`` is its rules text by language, ``left_out`` are words of the idea that it does not say, ``added``
    words that the idea does not have.
    """

    effect: str
    kind: str
    text: dict[str, str]
    left_out: tuple[str, ...]
    added: tuple[str, ...]
    certain: bool


class SaidIdea(Struct, frozen=True):
    """An idea with what says it, the nearest first.

    ``problem`` is why it was not looked for, else None; ``related`` are titles of entries of the cookbook.
    ``guesses`` may say it, where nothing surely does.
    """

    idea: str
    candidates: tuple[Candidate, ...] = ()
    problem: str | None = None
    related: tuple[str, ...] = ()
    guesses: tuple[Candidate, ...] = ()

    def as_data(self) -> dict[str, object]:
        """Return the idea as data for JSON."""
        data: dict[str, object] = {"idea": self.idea, "candidates": [*map(_as_data, self.candidates)]}
        if self.guesses:
            data["guesses"] = [*map(_as_data, self.guesses)]
        return data if self.problem is None else {**data, "problem": self.problem}


def _as_data(candidate: Candidate) -> dict[str, object]:
    return {
        "effect": candidate.effect,
        "kind": candidate.kind,
        "text": candidate.text,
        "left_out": list(candidate.left_out),
        "certain": candidate.certain,
    }


class Phrasebook(Struct, frozen=True):
    """What ideas are said with: the names of a project, as effects use them and as they are printed."""

    known_names: KnownNames
    printed: PrintedNames

    def say(self, idea: str, kinds: Sequence[str] = tuple(KINDS)) -> SaidIdea:
        """Return what says an idea on a card of one of these kinds."""
        idea = idea.strip()
        problem = problem_of_idea(idea)
        if problem is not None:
            return SaidIdea(idea, problem=problem)
        card_kinds = self._card_kinds(kinds)
        written = _written(idea, card_kinds)
        chosen = (
            Chosen(written, is_sure=True)
            if written
            else sentences_for(idea, self.known_names.names, card_kinds)
        )
        with_texts = _with_texts_of_their_own(map(self._candidate, chosen.proposals))
        candidates = tuple(islice(with_texts, MOST_PROPOSALS))
        related = related_entries(idea, candidates)
        if chosen.is_sure:
            return SaidIdea(idea, candidates, related=related)
        return SaidIdea(idea, related=related, guesses=candidates)

    def to_rank(
        self, idea: str, kinds: Sequence[str], what_was_learned: Learned | None = None
    ) -> list[RankedCandidate]:
        """Return the sentences among which one is chosen for an idea."""
        possible = candidates_for(idea, self.known_names.names, self._card_kinds(kinds), what_was_learned)
        return [candidate for _, candidate in possible]

    def _card_kinds(self, kinds: Sequence[str]) -> list[CardKind]:
        """Return the kinds of card on which a sentence may stand, each with how a text opens there.

        A text is only taken to open so if its kind of card is known, or if the kind knows no other moment:
        an opening would else decide for a kind.
        """
        card_kinds = []
        for kind in kinds:
            role = KINDS[kind]
            is_moment_known = len(kinds) == 1 or role is Role.EFFECT
            opening = OPENINGS.get(role, "") if is_moment_known else ""
            card_kinds.append(CardKind(kind, opening, _is_right(self.known_names, role)))
        return card_kinds

    def _candidate(self, proposal: Proposal) -> Candidate:
        """Return a proposal with the rules text that it would have in each language."""
        role = KINDS[proposal.kind]
        texts = {
            language: plain(rules_text(proposal.tree, role, language, self.printed) or ())
            for language in LANGUAGES
        }
        return Candidate(
            proposal.effect,
            proposal.kind,
            texts,
            proposal.left_out,
            proposal.added,
            proposal.is_certain,
        )


def _with_texts_of_their_own(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Yield candidates without those that are printed like one before: `when` and `while` may be the same."""
    texts = set[tuple[str, ...]]()
    for candidate in candidates:
        text = tuple(candidate.text.values())
        if text not in texts:
            texts.add(text)
            yield candidate


def _is_right(known_names: KnownNames, role: Role) -> Callable[[Effect], bool]:
    """Return the test whether an effect is valid on a card of that role, and says nothing pointless."""
    context = EffectContext(
        role,
        given_traits=known_names.given_traits,
        markers=known_names.names.markers,
        given=known_names.given,
    )

    def is_right(effect: Effect) -> bool:
        problems = check_effect(effect, role, known_names.names) or lint_effect(effect, context)
        return not problems

    return is_right


def completed_sentences(text_before: str, role: Role, cards: CardSet) -> list[Completion]:
    """Return what may stand instead of the sentence before a cursor, if it is none of the language.

    Each says all of it; nothing is looked for before the sentence has some words.
    """
    start = max((sentence_end.end() for sentence_end in sentence_ends(text_before)), default=0)
    sentence = text_before[start:].strip()
    tree, _ = parse_effect(f"{sentence}.")
    is_readable = tree is not None
    if len(sentence.split()) < _FEWEST_WORDS or is_readable:
        return []
    known_names = known_names_of(cards)
    card_kind = CardKind(role.value, OPENINGS.get(role, ""), _is_right(known_names, role))
    begin = len(text_before) - len(text_before[start:].lstrip())
    proposals = nearest_sentences(sentence, known_names.names, [card_kind])
    return [
        Completion(proposal.effect, begin, proposal.effect, "the nearest sentence")
        for proposal in worth_telling(proposals, role)
        if not (proposal.left_out or proposal.added)
    ]


def _written(idea: str, card_kinds: Sequence[CardKind]) -> list[Proposal]:
    """Return an idea that is a right effect as it is written, on the first kind of card that it fits."""
    tree, _ = parse_effect(idea)
    for card_kind in card_kinds:
        if tree is not None and card_kind.is_right(tree):
            return [Proposal(print_effect(tree), tree, card_kind.kind, (), (), is_certain=True, is_same=True)]
    return []


def problem_of_idea(idea: str) -> str | None:
    """Return why an idea is not looked for, or None."""
    if not idea:
        return "The line is empty."
    if len(idea) > MAX_CHARACTERS:
        return f"The idea has {len(idea):,} characters; an effect has at most {MAX_CHARACTERS:,}."
    if _NO_TEXT.search(idea):
        return "The idea is not text in UTF-8."
    if _CONTROL.search(idea):
        return "The idea has control characters."
    return None


class _CookbookEntry(Struct, frozen=True):
    title: str
    words: frozenset[str]


@lru_cache(maxsize=1)
def _cookbook() -> tuple[_CookbookEntry, ...]:
    """Return the entries of the cookbook with the words of their titles and effects."""
    text = (help_folder() / "cookbook.md").read_text(encoding="utf-8")
    titles, words = list[str](), list[set[str]]()
    for match in _ENTRY.finditer(text):
        if match["title"]:
            titles.append(match["title"].strip("… "))
            words.append(set())
        elif words:
            words[-1].update(_WORD.findall(match["effect"]))
    return tuple(_CookbookEntry(*entry) for entry in zip(titles, map(frozenset, words), strict=True))


def related_entries(idea: str, candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Return the titles of the cookbook's entries that have most in common with what says an idea.

    Words that many entries have count little.
    """
    nearest = next(iter(candidates), None)
    words = {*_WORD.findall(nearest.effect if nearest else idea)}
    entries = _cookbook()
    entry_count = {word: sum(word in entry.words for entry in entries) for word in words}

    def score(entry: _CookbookEntry) -> float:
        common_words = sum(1 / entry_count[word] for word in words & entry.words)
        return common_words / (_WORDS_OF_A_SHORT_ENTRY + len(entry.words))

    related = sorted((entry for entry in entries if words & entry.words), key=score, reverse=True)
    return tuple(entry.title for entry in related[:MOST_RELATED])


def phrasebook_of(cards: CardSet) -> Phrasebook:
    """Return what ideas are said with in a project; broken cards are left out."""
    return Phrasebook(known_names_of(cards), names_in(cards))
