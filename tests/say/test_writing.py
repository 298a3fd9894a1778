"""What is written for an idea: only what the grammar has, with the numbers and names of the idea."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.say.learn_writing import Lesson, learned_from
from tests.thoroughness import examples
from toolkit.dsl.lalr import tables
from toolkit.dsl.names import Names
from toolkit.dsl.nearest_sentences.idea_words import idea_words
from toolkit.dsl.nearest_sentences.search import can_be_parsed
from toolkit.dsl.nearest_sentences.writing import Writer, filled, terminals_of

NAMES = Names(("bravo",), ("sniper", "field medic"))
WORDS = st.sampled_from(
    [
        *("snipers", "attack", "draw", "cards", "three", "2", "0", "7", "enemy", "all", "if", "when", "hits"),
        *("field medics", "Karte", "ziehen", "Gegner", "zwei", "wenn", "lose", "xyzzy", ",", ".", "+", "'s"),
    ]
)


@given(st.lists(WORDS, max_size=25).map(" ".join))
@examples(25)
def test_what_is_written_can_be_parsed_and_invents_no_number_and_no_name(idea: str) -> None:
    words = idea_words(idea, NAMES)
    written = Writer(words).sentences()
    for sentence, likelihood, _ in written:
        assert can_be_parsed(sentence), sentence
        assert likelihood <= 0
        assert {*re.findall(r"\d+", sentence.replace("D6", ""))} <= {*words.numbers, "0", "1"}
        assert {*re.findall(r'"(.*?)"', sentence)} <= {name for _, name in words.names}


@pytest.mark.parametrize(
    ("idea", "stems", "numbers", "names"),
    [
        ("Draw two cards", ["draw", "#", "card"], ["2"], []),
        ("all snipers attack", ["all", "@trait", "attack"], [], ["sniper"]),
        (
            "field medics of bravo get 1",
            ["@trait", "of", "@TEAM", "get", "#1"],
            ["1"],
            ["field medic", "bravo"],
        ),
    ],
)
def test_an_idea_is_read_as_stems_numbers_and_names(
    idea: str, stems: list[str], numbers: list[str], names: list[str]
) -> None:
    words = idea_words(idea, NAMES, "effect")
    assert [*words.stems] == stems
    assert [*words.numbers] == numbers
    assert [name for _, name in words.names] == names


def test_german_words_are_features_in_english_but_named_as_they_are_written() -> None:
    words = idea_words("Ziehe zwei Karten", NAMES)
    assert {"draw", "card"} <= {*words.stems}
    assert "Karten" in words.words


@pytest.mark.parametrize(
    ("sentence", "idea", "expected"),
    [
        ("owner draws 2 card .", "draw 3", "owner draws 3 card ."),
        (
            "owner discards 4 card , if so , owner draws 5 card .",
            "pitch 2 and draw 3",
            "owner discards 2 card , if so , owner draws 3 card .",
        ),
        (
            'all own OPERATORs with trait "x" get + 5 AP .',
            "field medics: 2",
            'all own OPERATORs with trait "field medic" get + 2 AP .',
        ),
        (
            'if self has trait "x" and target has trait "x" , self advances .',
            "a sniper against a field medic",
            'if self has trait "sniper" and target has trait "field medic" , self advances .',
        ),
    ],
)
def test_numbers_and_names_are_those_of_the_idea_in_its_order(
    sentence: str, idea: str, expected: str
) -> None:
    assert next(filled(terminals_of(sentence), idea_words(idea, NAMES)))[0] == expected


def test_a_name_that_the_idea_has_not_is_not_filled_in() -> None:
    terminals = terminals_of('all own OPERATORs with trait "x" advance .')
    assert not [*filled(terminals, idea_words("they advance", NAMES))]


def test_what_a_few_lessons_teach_is_written() -> None:
    taught = [
        ("grab {n} cards", "owner draws 2 cards."),
        ("take {n} cards please", "owner draws 2 cards."),
        ("grab {n} more", "owner draws 2 cards."),
        ("bin {n} cards", "opponent discards 2 cards."),
        ("he must bin {n}", "opponent discards 2 cards."),
        ("bin {n} of them", "opponent discards 2 cards."),
    ] * 3
    lessons = [Lesson(idea_words(idea.format(n=3), NAMES), terminals_of(right)) for idea, right in taught]
    learned = learned_from(lessons, with_phrases=False)
    for idea, right in (("please grab 4", "owner draws 4 cards ."), ("bin 2", "opponent discards 2 cards .")):
        assert Writer(idea_words(idea, NAMES), learned).sentences()[0].sentence == right
    assert set(learned.rows["^"]) <= {*tables().words.values(), "$END", "INT #", "INT 0", "INT 1", "STRING"}
