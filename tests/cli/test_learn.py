"""``opforge learn``: two pages for people who have never seen the game."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pikepdf
import pytest

from tests.render.pdf_text import opened, sizes_of, text_of
from tests.thoroughness import some
from toolkit.apps.cli import run
from toolkit.play.playable_game import PlayRequest, Unplayable, make_match
from toolkit.products.learn.first_turn import played_turn, told_phases
from toolkit.project.pipeline import open_project
from toolkit.resources import cards_folder, starter_folder
from toolkit.wording.languages import words_in
from toolkit.wording.text import plain

SHIPPED = str(cards_folder())
SQUADS = """
squads:
  - {id: first, name: The first, operators: [viper], deck: {aimed-shot: 2}}
  - {id: second, name: The second, operators: [viper], deck: {high-ground: 2}}
"""
SCENARIO = """
scenarios:
  - name: she shoots
    field: {blue: [viper], red: [viper]}
    hands: {blue: [aimed-shot]}
    do: [{action: attack, by: blue.viper, on: red.viper, attack_card: aimed-shot, dice: [4, 1]}]
    expect: {attack: {ap: 10, ep: 4, damage: 6}}
"""

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project", "cards_read_once")


def words(file: str) -> str:
    return "".join("".join(text_of(page.obj) for page in opened(Path(file).read_bytes()).pages).split())


def joined(*sentences: str) -> list[str]:
    return ["".join(sentence.split()) for sentence in sentences]


def add(name: str, text: str) -> None:
    file = Path("small", name)
    file.write_text((file.read_text("utf-8") if file.exists() else "") + text, "utf-8")


@pytest.fixture(autouse=True)
def _squads(small_project: None) -> None:  # noqa: ARG001 (it makes the project)
    add("squads.yaml", SQUADS)
    add("scenarios.yaml", SCENARIO)
    rules = Path("small/rules.yaml")
    limits = "    field_positions: 1\n    squad: {operators: 1}\n    deck: {minimum: 0}\n"
    rules.write_text(rules.read_text("utf-8").replace("    field_positions: 1\n", limits), "utf-8")


SAID = {
    "en": (
        "One player is Blue and takes “Owls at dusk”, the other is Red and takes “Piano movers”.",
        "Blue draws a card.",
        "Viper (AP 4) attacks Otter (EP 3).",
        "Overwatch: AP of Viper +2: from 4 to 6.",
        "AP 12 of Viper are higher than EP 10 of Otter: the attack hits for 2.",
        "AP 12 = VALUE 4 + 2 Overwatch + 1 TEAMWORK + 2 Aimed shot + 3 ATTACK D6",
        "Whoever has CAPTURED 2 OBJECTIVEs.",
        "Play by another mode: Night raid.",
    ),
    "de": (
        "Ein Spieler ist Blau und nimmt „Eulen im Zwielicht“, der andere ist Rot und nimmt „Umzug mit",
        "Blau zieht eine Karte.",
        "Viper (AP 4) greift Otter (EP 3) an.",
        "Feuerschutz: AP von Viper +2: von 4 auf 6.",
        "AP 12 von Viper sind höher als EP 10 von Otter: Der Angriff trifft mit 2.",
        "AP 12 = VALUE 4 + 2 Feuerschutz + 1 TEAMWORK + 2 Gezielter Schuss + 3 ATTACK D6",
        "Wer 2 OBJECTIVE CAPTURED hat.",
        "Spielt nach einem anderen Modus: Nachtangriff.",
    ),
}


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_shipped_set_is_told(language: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["learn", SHIPPED, "-o", "learn.pdf", "--lang", language]) == 0
    assert "2 pages, with the attack of the scenario 'a sniper finishes" in capsys.readouterr().out
    said = words("learn.pdf")
    assert [sentence for sentence in joined(*SAID[language]) if sentence not in said] == []
    with pikepdf.open("learn.pdf") as pdf:
        assert len(pdf.pages) == 2
        assert min(size for page in pdf.pages for size in sizes_of(page.obj)) >= 5.5
        assert str(pdf.Root.Lang) == language


STORY = {
    "en": (
        "EP of Kestrel until the end of the TURN: from 3 to 2.",
        "Dice: ATTACK D6 2, DEFENCE D6 1. AP 6 = VALUE 3 + 1 Aimed shot + 2 ATTACK D6.",
        "EP 5 = VALUE 3 − 1 MOVE + 2 Sandbags + 1 DEFENCE D6.",
        "AP 6 of Brock are higher than EP 5 of Kestrel: the attack hits for 1.",
        "ATTACK D6 of Kestrel rolled again: from 2 to 5.",
    ),
    "de": (
        "EP von Turmfalke bis zum Ende des TURN: von 3 auf 2.",
        "Würfel: ATTACK D6 2, DEFENCE D6 1. AP 6 = VALUE 3 + 1 Gezielter Schuss + 2 ATTACK D6.",
        "EP 5 = VALUE 3 − 1 MOVE + 2 Sandsäcke + 1 DEFENCE D6.",
        "AP 6 von Grimbart sind höher als EP 5 von Turmfalke: Der Angriff trifft mit 1.",
        "ATTACK D6 von Turmfalke neu gewürfelt: von 2 auf 5.",
    ),
}


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_reader_can_follow_how_numbers_come_about(language: str) -> None:
    """Dice, sums and what an ACTION costs stand in the TURN as it was played; a reroll is a roll."""
    assert run(["learn", str(starter_folder()), "-o", "learn.pdf", "--lang", language]) == 0
    said = words("learn.pdf")
    assert [sentence for sentence in joined(*STORY[language]) if sentence not in said] == []


def test_a_card_that_does_nothing_yet_or_stays_in_play_is_said_to() -> None:
    """And an attack with AP that equals EP is told to miss, as any other."""
    workspace = open_project(cards_folder())
    words = words_in(workspace.cards.project, "en")
    match = make_match(workspace, PlayRequest(("owls-at-dusk", "piano-movers")), 1)
    assert not isinstance(match, Unplayable)
    told = [
        plain(phase.story)
        for seed in range(1, 9)
        for phase in told_phases(workspace, played_turn(match, seed), words)
    ]
    assert any("It stays in play." in story for story in told)
    assert any("Nothing comes of it here." in story for story in told)
    attacks = [
        paragraph
        for story in told
        for paragraph in story.split("\n")
        if re.match(r"[\w ]+ attacks ", paragraph)
    ]
    assert attacks
    assert all(
        re.search(r"Dice: .* AP \d+ = .* EP \d+ = .*: the attack (hits|misses)", told) for told in attacks
    )


@pytest.mark.parametrize(
    "look", some([["--paper", "letter"], ["--low-ink"], ["--paper", "letter", "--lang", "de"]], 0)
)
def test_it_fits_on_any_paper_in_any_look(look: list[str]) -> None:
    for folder in some((SHIPPED, str(starter_folder())), 1):
        assert run(["learn", folder, "-o", "learn.pdf", *look]) == 0


@pytest.mark.parametrize(("dp", "sentence"), [(6, "ordinary die."), (7, "a D10 one with ten faces.")])
def test_a_d10_is_explained_where_one_is_needed(dp: int, sentence: str) -> None:
    cards = Path("small/cards.yaml")
    cards.write_text(cards.read_text("utf-8").replace("dp: 6", f"dp: {dp}"), "utf-8")
    assert run(["learn", "small", "-o", "learn.pdf"]) == 0
    said = words("learn.pdf")
    assert joined(sentence)[0] in said
    assert ("D10" in said) == (dp == 7)


def test_the_same_project_gives_the_same_bytes() -> None:
    for name in ("one.pdf", "two.pdf"):
        assert run(["learn", "small", "-o", name]) == 0
    assert Path("one.pdf").read_bytes() == Path("two.pdf").read_bytes()


def test_the_designers_own_mode_and_words(capsys: pytest.CaptureFixture[str]) -> None:
    add(
        "opforge.yaml",
        "words: {en: {learn-aim: 'Tag, and you are it.', trace-attacks: '{name} tags {target}.'}}\n",
    )
    assert run(["learn", "small", "-o", "learn.pdf", "--squads", "second", "first", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["example"] == "she shoots"
    said = words("learn.pdf")
    sentences = joined(
        "Tag, and you are it.",
        "One player is Blue and takes “The second”",
        "The second: 1 × OPERATOR, a DECK of 2 cards.",
        "on the places 1 to 1 of your row",
        "2 OBJECTIVEs, a row for each player.",
        "AP 10 = VALUE 4 + 2 Aimed shot + 4 ATTACK D6",
    )
    assert [sentence for sentence in sentences if sentence not in said] == []
    assert "Viper(blue)tags" in said


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("  - name: she shoots\n", "  - name: she shoots\n    example: true\n"),
        ("damage: 6}", "damage: 5}"),
    ],
)
def test_an_example_that_fails_is_a_finding_and_the_rest_prints(
    old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = Path("small/scenarios.yaml")
    file.write_text(file.read_text("utf-8").replace(old, new), "utf-8")
    is_marked = "example" in new
    if is_marked:
        file.write_text(file.read_text("utf-8").replace("damage: 6}", "damage: 5}"), "utf-8")
    run(["learn", "small", "-o", "learn.pdf"])
    printed = capsys.readouterr()
    assert printed.out == "learn.pdf: 2 pages.\n"
    assert ("unusable-example" in printed.err) == is_marked
    assert joined("Whoever has CAPTURED 2 OBJECTIVEs.")[0] in words("learn.pdf")


def test_rules_that_people_play_by_hand_are_said_to_be(capsys: pytest.CaptureFixture[str]) -> None:
    """E-1: such a card is not told as if it did nothing."""
    cards = Path("small/cards.yaml")
    text = cards.read_text("utf-8")
    dare = "  - {id: dare, kind: attack, name: Dare, text_only: {en: Dare somebody., de: Wette etwas.}}\n"
    cards.write_text(text.replace("teams:\n", f"{dare}teams:\n"), "utf-8")
    file = Path("small/scenarios.yaml")
    scenario = (
        file.read_text("utf-8")
        .replace("aimed-shot", "dare")
        .replace("ap: 10", "ap: 8")
        .replace("damage: 6", "damage: 4")
    )
    file.write_text(scenario, "utf-8")
    assert run(["learn", "small", "-o", "learn.pdf"]) == 0
    capsys.readouterr()
    assert joined("Dare has rules that people play by hand.")[0] in words("learn.pdf")


def test_without_squads_scenarios_or_objectives(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small/squads.yaml").unlink()
    Path("small/scenarios.yaml").unlink()
    rules = Path("small/rules.yaml")
    rules.write_text(rules.read_text("utf-8").replace("    objectives: [radio-mast]\n", ""), "utf-8")
    assert run(["learn", "small", "-o", "learn.pdf"]) == 0
    assert capsys.readouterr().out == "learn.pdf: 2 pages.\n"
    said = words("learn.pdf")
    assert "OBJECTIVEs,arow" not in said
    assert joined("Make a SQUAD of your own: 1 × OPERATOR")[0] in said


def test_a_single_squad_plays_itself() -> None:
    squads = Path("small/squads.yaml")
    squads.write_text(squads.read_text("utf-8").split("  - {id: second")[0], "utf-8")
    assert run(["learn", "small", "-o", "learn.pdf"]) == 0
    assert joined("takes “The first”, the other is Red and takes “The first”")[0] in words("learn.pdf")


def test_a_name_that_is_too_long_is_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    long = " ".join(["Interminable"] * 900)
    squads = Path("small/squads.yaml")
    squads.write_text(squads.read_text("utf-8").replace("name: The first", f"name: {long}"), "utf-8")
    run(["learn", "small", "-o", "learn.pdf"])
    assert "Page 1 of Learn to play is" in capsys.readouterr().err
    assert Path("learn.pdf").exists()


def test_without_a_mode_there_is_no_game_to_tell(capsys: pytest.CaptureFixture[str]) -> None:
    project = Path("small/opforge.yaml")
    project.write_text(project.read_text("utf-8").replace("mode: skirmish\n", ""), "utf-8")
    assert run(["learn", "small", "-o", "learn.pdf"]) == 2
    assert "There is no game to tell" in capsys.readouterr().err
