"""``opforge say``: what is proposed is right, says what it leaves out, and bad input is told."""

from __future__ import annotations

import gzip
import io
import json
from functools import cache
from pathlib import Path

import pytest

from tests.dsl.wrong_sentences import wrong_sentences
from tests.say.measure import (
    BLIND,
    FOLDER,
    HALVES,
    HELD_OUT,
    IDEAS,
    MORE_IDEAS,
    ideas_in,
    phrasebook_for,
)
from tests.say.train import PARAPHRASES, ideas_to_learn, learned_files
from tests.thoroughness import THOROUGH
from toolkit.api import open_project
from toolkit.apps.cli import run
from toolkit.dsl.checking import check_effect
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.nearest_sentences.frequencies import count, counted_files, frequencies, sentences_in
from toolkit.dsl.nearest_sentences.reordering import orders_of
from toolkit.dsl.nearest_sentences.text_words import words_of_text
from toolkit.dsl.parsing import MAX_CHARACTERS, parse_effect
from toolkit.editing.saying import KINDS, Phrasebook, completed_sentences, phrasebook_of
from toolkit.resources import cards_folder, grammar_file
from toolkit.vocabulary import Role

Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("cards_read_once")


@cache
def shipped() -> Phrasebook:
    return phrasebook_of(open_project(cards_folder()).cards)


def first(idea: str, kind: str | None = None) -> str | None:
    said = shipped().say(idea, (kind,) if kind else tuple(KINDS))
    return said.candidates[0].effect if said.candidates else None


@pytest.mark.parametrize(
    ("idea", "effect"),
    [
        ("self gets +1 AP when attacking", "when attacking, self gets +1 AP."),
        ("all adjacent allies get +1 EP", "all other own OPERATORs adjacent to self get +1 EP."),
        ("the attack is CRITICAL on 5+", "self makes ATTACK D6 CRITICAL on 5+."),
        ("while attacked, self's EP is doubled", "while attacked, self doubles EP."),
        ("when the attack hits, draw a card", "when the attack hits, owner draws 1 card."),
        ("ziehe eine Karte, wenn der Angriff trifft", "when the attack hits, owner draws 1 card."),
        ("at the start of your turn, draw a card", "when the own TURN begins, owner draws 1 card."),
        ("self gets +2 EP unless it is EXHAUSTED", "unless it is EXHAUSTED, self gets +2 EP."),
    ],
)
def test_an_idea_is_said(idea: str, effect: str) -> None:
    said = shipped().say(idea)
    effects = [candidate.effect for candidate in said.candidates]
    assert effect in effects or effect.replace("it is", "self is") in effects


def test_a_right_sentence_says_itself() -> None:
    effect = "when attacking, if target is SUPPRESSED, self gets +2 AP."
    candidate = shipped().say(effect).candidates[0]
    assert (candidate.effect, candidate.left_out, candidate.certain) == (effect, (), True)
    assert all(candidate.text.values())


def test_every_proposal_is_right_and_says_itself() -> None:
    ideas = [(entry.wrong, entry.kind) for entry in wrong_sentences()[:: 1 if THOROUGH else 50]]
    ideas += [(idea.text, idea.kind) for idea in ideas_in(IDEAS)[:: 1 if THOROUGH else 15]]
    proposed = 0
    for text, kind in ideas:
        for candidate in shipped().say(text, (kind,) if kind in KINDS else tuple(KINDS)).candidates:
            tree, problems = parse_effect(candidate.effect)
            assert tree is not None, problems
            role = KINDS[candidate.kind]
            assert check_effect(tree, role, shipped().known_names.names) == ()
            assert print_effect(tree) == candidate.effect
            assert shipped().say(candidate.effect, (candidate.kind,)).candidates[0].effect == candidate.effect
            proposed += 1
    assert proposed > len(ideas) / 3


NUMBERS = frozenset("23456789")


def test_no_number_is_invented() -> None:
    for idea in ("self gets more AP when attacking", "draw cards when played", "self loses a lot of EP"):
        for candidate in shipped().say(idea).candidates:
            assert not NUMBERS & {*candidate.effect}, candidate


def test_the_same_idea_is_always_said_the_same_way() -> None:
    idea = "each enemy next to this unit takes 1 damage at the end of the turn"
    assert shipped().say(idea) == phrasebook_of(open_project(cards_folder()).cards).say(idea)


def test_the_held_out_ideas_are_of_the_same_form() -> None:
    for ideas, count_of_ideas in (
        (ideas_in(IDEAS), 120),
        (ideas_in(MORE_IDEAS), 130),
        (ideas_in(HELD_OUT), 120),
        (ideas_in(BLIND), 120),
    ):
        assert len(ideas) == count_of_ideas
        assert {idea.kind for idea in ideas} <= {*KINDS}
        assert phrasebook_for(ideas).known_names.names.traits


def test_what_says_the_blind_ideas_is_right() -> None:
    ideas = ideas_in(BLIND)
    names = phrasebook_for(ideas).known_names.names
    for idea in ideas:
        for answer in (*idea.answers, *filter(None, [idea.nearest])):
            tree, problems = parse_effect(answer)
            assert tree is not None, problems
            assert check_effect(tree, KINDS[idea.kind], names) == (), answer


@pytest.mark.parametrize("path", sorted(FOLDER.glob("pairs_*.tsv")) + sorted(FOLDER.glob("designs_*.tsv")))
def test_what_says_the_ideas_that_teach_is_right(path: Path) -> None:
    ideas = ideas_in(path)
    names = phrasebook_for(ideas).known_names.names
    assert len({idea.text for idea in ideas}) == len(ideas)
    for idea in ideas[:: 1 if THOROUGH else 50]:
        for answer in idea.answers:
            tree, problems = parse_effect(answer)
            assert tree is not None, problems
            assert check_effect(tree, KINDS[idea.kind], names) == (), answer


def test_the_counts_are_those_of_the_sentences() -> None:
    assert frequencies() == count(sentences_in(counted_files()))


def test_a_long_sentence_is_not_put_in_other_orders() -> None:
    words = words_of_text("self gets +1 AP when attacking " * 20)
    assert len(orders_of(words)) == 1


@pytest.mark.parametrize(
    "text", ["x " * 999, "1 " * 999, ", " * 999, "self gets +1 AP and " * 99, "a" * 2000]
)
def test_a_text_of_very_many_words_is_near_to_nothing(text: str) -> None:
    said = shipped().say(text)
    assert (said.candidates, said.problem) == ((), None)


@pytest.mark.parametrize("space", ["\t", "\u00a0"])
def test_spaces_of_other_kinds_are_spaces(space: str) -> None:
    assert first(f"self gets{space}+1 AP when attacking") in (
        "when attacking, self gets +1 AP.",
        "while attacking, self gets +1 AP.",
    )


def test_a_right_sentence_is_said_in_canonical_form() -> None:
    assert first("when   attacking,self gets +1   AP.") == "when attacking, self gets +1 AP."


def test_what_is_not_sure_enough_is_a_guess_and_no_candidate(capsys: Capture) -> None:
    idea = "Ziehe so viele Karten wie du Scharfschützen hast"
    said = shipped().say(idea)
    assert said.guesses
    assert not said.candidates
    assert not any(guess.certain for guess in said.guesses)
    assert run(["say", idea]) == 1
    assert "Perhaps one of these is meant" in capsys.readouterr().out
    assert run(["say", idea, "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)["ideas"][0]
    assert told["candidates"] == []
    assert [guess["effect"] for guess in told["guesses"]] == [guess.effect for guess in said.guesses]


def test_a_number_that_is_not_said_is_named() -> None:
    said = shipped().say("draw three cards, seven if he is happy")
    numbers = {"owner draws 3 cards": "7", "owner draws 7 cards": "3"}
    effects = [*said.candidates, *said.guesses]
    assert effects
    for candidate in effects:
        for clause, unsaid in numbers.items():
            if clause in candidate.effect:
                assert unsaid in candidate.left_out


def test_what_is_printed_alike_is_proposed_once() -> None:
    said = shipped().say("he can't be shot while he stands next to a medic")
    texts = [candidate.text["en"] for candidate in said.candidates]
    assert len({*texts}) == len(texts) == 3


def test_as_json(capsys: Capture) -> None:
    assert run(["say", "self gets +1 AP when attacking", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["version"] == 1
    (idea,) = document["ideas"]
    assert idea["idea"] == "self gets +1 AP when attacking"
    assert {*idea["candidates"][0]} == {"effect", "kind", "text", "left_out", "certain"}
    assert {*idea["candidates"][0]["text"]} == {"en", "de"}


def test_ideas_a_line(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [b"draw a card", b"", b"\xff\xfe", b"a\x1b[31mb", b"x" * (MAX_CHARACTERS + 1), b"self gets +1 AP"]

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(lines))))
    assert run(["say", "-", "--format", "json"]) == 1
    ideas = json.loads(capsys.readouterr().out)["ideas"]
    assert [idea.get("problem") for idea in ideas] == [
        None,
        "The line is empty.",
        "The idea is not text in UTF-8.",
        "The idea has control characters.",
        f"The idea has {MAX_CHARACTERS + 1:,} characters; an effect has at most {MAX_CHARACTERS:,}.",
        None,
    ]
    assert all(ideas[number]["candidates"] for number in (0, 5))


def test_what_is_echoed_controls_no_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"draw a card\na\x1b[31mb\n")))
    assert run(["say", "-"]) == 1
    text = capsys.readouterr().out
    assert "control characters" in text
    assert "\x1b" not in text


def test_nothing_near_is_said_with_what_there_is(capsys: Capture) -> None:
    assert run(["say", "philosophers paint purple moons"]) == 1
    text = capsys.readouterr().out
    assert text.startswith("Nothing in the effect language is near to that.\nWhat it can do with ")
    assert 'text_only: {en: "philosophers paint purple moons"}' in text


@pytest.mark.parametrize("idea", ["", "   ", "x" * 2001])
def test_a_single_bad_idea_is_wrong_use(idea: str, capsys: Capture) -> None:
    assert run(["say", idea]) == 2
    assert capsys.readouterr().err.startswith("Usage: opforge say")


def test_a_sentence_can_be_explained(capsys: Capture) -> None:
    assert run(["explain", "self gets +1 AP when attacking"]) == 0
    assert "effect: when attacking, self gets +1 AP." in capsys.readouterr().out


def test_a_broken_card_does_not_silence_it(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "opforge.yaml").write_text("project: {id: x, name: X, version: '1', languages: [en]}\n")
    (tmp_path / "cards.yaml").write_text("cards:\n  - id: broken\n    kind: operator\n    traits: [diver\n")
    assert run(["say", "self gets +1 AP when attacking", "--project", str(tmp_path)]) == 0
    assert "when attacking, self gets +1 AP." in capsys.readouterr().out


def test_what_completes_a_wrong_sentence_is_right() -> None:
    cards = open_project(cards_folder()).cards
    names, completed = shipped().known_names.names, 0
    for entry in wrong_sentences()[:: 3 if THOROUGH else 40]:
        for completion in completed_sentences(entry.wrong.rstrip("."), role := Role(entry.kind), cards):
            tree, problems = parse_effect(completion.text)
            assert tree is not None, problems
            assert check_effect(tree, role, names) == ()
            assert completion.text != entry.wrong
            completed += 1
    assert completed


def test_a_right_sentence_and_a_few_words_are_not_completed_otherwise() -> None:
    cards = open_project(cards_folder()).cards
    assert completed_sentences("self gets +2 AP", Role.SKILL, cards) == []
    assert completed_sentences("self gains", Role.SKILL, cards) == []
    (completion,) = completed_sentences("self gets +1 MP. self gains +2 AP", Role.SKILL, cards)
    assert (completion.text, completion.begin) == ("self gets +2 AP.", 17)


@pytest.mark.parametrize(
    ("kind", "idea", "effect"),
    [
        (
            "effect",
            "two of your tired snipers get ready again",
            'when played, two own EXHAUSTED OPERATORs with trait "sniper" become NORMAL.',
        ),
        (
            "operator",
            "Dieser Kerl bekommt +1 AP gegen erschöpfte Gegner",
            "while attacking, if target is EXHAUSTED, self gets +1 AP.",
        ),
        (
            "operator",
            "Full auto: he rolls one more attack die when he attacks",
            "while attacking, self rolls +1 ATTACK D6.",
        ),
        (
            "operator",
            "heals one damage each time he evades",
            "when self performs EVADE, self gets -1 HITCOUNTER.",
        ),
        (
            "effect",
            "an enemy has 2 AP less this turn",
            "when played, one enemy OPERATOR gets -2 AP until end of TURN.",
        ),
        ("defence", "cancel the attack", "when attacked, self fixes DAMAGE at 0."),
        (
            "strategy",
            "Wird einer deiner Operatoren verletzt, ziehst du eine Karte.",
            "when an own OPERATOR gets HITCOUNTER, owner draws 1 card.",
        ),
    ],
)
def test_an_idea_in_prose_is_said_where_it_stands(kind: str, idea: str, effect: str) -> None:
    assert first(idea, kind) == effect


@pytest.mark.parametrize(
    ("kind", "idea"),
    [
        ("operator", "Lose 1 DP: self gets +3 AP"),
        ("operator", "Only for snipers: self gets +3 AP"),
        ("effect", "Choose one: draw a card"),
    ],
)
def test_a_price_or_a_condition_is_no_name(kind: str, idea: str) -> None:
    said = shipped().say(idea, (kind,)).candidates
    plain = shipped().say(idea.partition(":")[2], (kind,)).candidates[0].effect
    assert not said or (said[0].effect != plain or not said[0].certain)


@pytest.mark.parametrize(
    ("kind", "idea", "effect"),
    [
        ("operator", "Nearby enemies suffer -1 EP.", "all enemy OPERATORs in RANGE get -1 EP."),
        ("operator", "On a miss: discard one card", "when the attack misses, owner discards 1 card."),
        (
            "effect",
            "Until end of turn everyone of yours has 2 more AP.",
            "when played, all own OPERATORs get +2 AP until end of TURN.",
        ),
        (
            "operator",
            "He gets +2 EP if he hasn't moved this turn.",
            "if self has not performed MOVE this TURN, self gets +2 EP.",
        ),
        (
            "effect",
            "Draw two cards. Same for your opponent.",
            "when played, owner draws 2 cards, then opponent draws 2 cards.",
        ),
    ],
)
def test_the_parts_of_an_idea_may_stand_in_any_order(kind: str, idea: str, effect: str) -> None:
    assert effect in [candidate.effect for candidate in shipped().say(idea, (kind,)).candidates]


def test_nothing_is_learned_from_the_ideas_that_are_only_measured() -> None:
    learned = {idea.text for _, idea in ideas_to_learn()}
    for name in PARAPHRASES:
        held_back = {idea.text for idea in ideas_in(FOLDER / f"{name}.tsv")[HALVES["even"]]}
        assert held_back
        assert learned.isdisjoint(held_back)


def test_an_invented_moment_is_never_certain() -> None:
    for candidate in shipped().say("self gets +1 HITCOUNTER", ("operator",)).candidates:
        assert not candidate.certain


@pytest.mark.skipif(not THOROUGH, reason="it takes ten minutes")
def test_what_was_learned_is_what_the_pairs_say() -> None:
    for name, content in learned_files().items():
        kept = grammar_file().with_name(name).read_bytes()
        kept = gzip.decompress(kept) if name.endswith(".gz") else kept
        assert kept == content, f"run `python -m tests.say.train` ({name})"
