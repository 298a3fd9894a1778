"""The wrong sentences are right about themselves: what is said to be wrong is, and what is meant is not."""

from __future__ import annotations

from functools import cache

import pytest

from tests.dsl.wrong_sentences import (
    HELD_OUT,
    MOST_WORDS,
    TRAITS,
    UNSEEN,
    Outcome,
    canonical,
    longest_list,
    outcomes,
    wrong_sentences,
)
from tests.thoroughness import THOROUGH
from toolkit.dsl.checking import check_effect
from toolkit.dsl.names import Names
from toolkit.dsl.parsing import parse_effect
from toolkit.vocabulary import Role

NAMES = Names(("night-owls", "gambit"), TRAITS)
ENTRIES = wrong_sentences() + wrong_sentences(UNSEEN)
FOR_MEASURING = wrong_sentences(HELD_OUT)


def is_right(text: str, kind: str) -> bool:
    tree, problems = parse_effect(text)
    return tree is not None and not (problems or check_effect(tree, Role(kind), NAMES))


def test_an_entry_is_right_about_its_sentences() -> None:
    for entry in (ENTRIES + FOR_MEASURING)[:: 1 if THOROUGH else 2]:
        assert not is_right(entry.wrong, entry.kind), entry
        for text in (entry.meant, entry.nearest):
            assert text is None or (is_right(text, entry.kind) and canonical(text) == text), entry
        assert entry.meant is None or entry.nearest is None, entry
        assert entry.meant is not None or not entry.same_meaning, entry


def test_no_sentence_stands_twice_and_no_item_is_forgotten() -> None:
    assert len({entry.wrong for entry in ENTRIES}) == len(ENTRIES)
    for item in {entry.item for entry in ENTRIES}:
        assert sum(entry.item == item for entry in ENTRIES) >= 5, item


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("Write it anew.", 0),
        ("Expected `of`.", 1),
        ("Expected `(`, `,`, a number or `ROUND`.", 4),
        ("`x` is not a stat. Did you mean `AP`? Expected `AP` or `EP`.", 2),
    ],
)
def test_the_longest_list_of_a_message_is_counted(message: str, words: int) -> None:
    assert longest_list(message) == words


MOST_BARE = 0.02
"""The share of the sentences that may end in a list and nothing else."""
LEAST_CERTAIN = 0.85
"""The share of the sentences with one meaning that the safe fixes give this meaning."""


@cache
def all_outcomes() -> list[Outcome]:
    return outcomes(ENTRIES[:: 1 if THOROUGH else 12])


def share(figure: str, among: list[Outcome]) -> float:
    return sum(figure in one.figures for one in among) / len(among)


def test_hardly_a_sentence_ends_in_a_list_of_words() -> None:
    assert share("bare", all_outcomes()) <= MOST_BARE


def test_no_message_lists_more_words_than_anybody_reads() -> None:
    assert [one.entry.wrong for one in all_outcomes() if "long" in one.figures] == []
    assert all(one.finding is not None for one in all_outcomes())
    assert MOST_WORDS == 6


def test_a_safe_fix_gives_what_was_meant_or_leaves_the_sentence() -> None:
    wrong = ("changed", "stuck", "uncertain")
    found = all_outcomes() + outcomes(FOR_MEASURING[:: 1 if THOROUGH else 24])
    assert [one.entry.wrong for one in found if {*wrong} & {*one.figures}] == []


def test_what_can_mean_one_thing_only_is_fixed() -> None:
    certain = [one for one in all_outcomes() if one.entry.same_meaning]
    assert share("safe", certain) >= LEAST_CERTAIN
