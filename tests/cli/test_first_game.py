"""What two players need at the same time: ``first_game``, ``--squads A B``, ``too-few-copies``."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from tests.engine import tables
from tests.thoroughness import some
from toolkit.apps.cli import run
from toolkit.data.squad_copies import copies_for_two, copies_of, squads_of_first_game
from toolkit.products.print_and_play import write_set as print_and_play
from toolkit.project.pipeline import open_project
from toolkit.resources import cards_folder, starter_folder

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project")

SQUADS = """
squads:
  - {id: hunters, name: Hunters, operators: [viper], deck: {aimed-shot: 2}}
  - {id: climbers, name: Climbers, operators: [viper], deck: {aimed-shot: 1, high-ground: 2}}
  - {id: sitters, name: Sitters, operators: [viper], deck: {high-ground: 1}}
"""
SHIPPED = str(cards_folder())


def add(name: str, text: str) -> None:
    file = Path("small", name)
    file.write_text((file.read_text(encoding="utf-8") if file.exists() else "") + text, encoding="utf-8")


@pytest.fixture(autouse=True)
def _squads(small_project: None) -> None:  # noqa: ARG001 (it makes the project)
    add("squads.yaml", SQUADS)
    rules = Path("small/rules.yaml")
    limits = "    field_positions: 1\n    squad: {operators: 1}\n    deck: {minimum: 0}\n"
    rules.write_text(rules.read_text("utf-8").replace("    field_positions: 1\n", limits), "utf-8")


@pytest.fixture
def few_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = ("cards-long-edge", "counters-fold", "squads", "tuckbox")
    monkeypatch.setattr(print_and_play, "_PARTS", {part: print_and_play._PARTS[part] for part in parts})


def copies_on_sheet(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, int]:
    capsys.readouterr()
    run(["cards", "small", "-o", "pictures", "--dpi", "30", "--format", "json", *options])
    return {card["id"]: card["quantity"] for card in json.loads(capsys.readouterr().out)["cards"]}


def made_set(capsys: pytest.CaptureFixture[str], *options: str, status: int = 0) -> str:
    capsys.readouterr()
    folder = ["-o", "set", "--lang", "en", "--paper", "a4"]
    assert run(["print-and-play", "small", *folder, *options]) == status
    return capsys.readouterr().out


def test_a_squad_is_renamed_in_it(tmp_path: Path) -> None:
    copytree(starter_folder(), tmp_path / "starter")
    assert run(["rename", "blue", "azure", str(tmp_path / "starter")]) == 0
    project = open_project(tmp_path / "starter")
    assert project.cards.project.first_game == ("azure", "red")
    assert project.findings == ()


def test_two_players_of_these_squads(capsys: pytest.CaptureFixture[str]) -> None:
    needed = {"viper": 2, "aimed-shot": 3, "high-ground": 2, "radio-mast": 2}
    assert copies_on_sheet(capsys, "--squads", "hunters", "climbers") == needed
    assert run(["sheet", "small", "-o", "s.pdf", "--squads", "hunters", "climbers"]) == 0
    assert capsys.readouterr().out == "s.pdf: 9 cards on 1 page.\n"
    assert run(["sheet", "small", "-o", "s.pdf", "--squads", "hunters", "hunters"]) == 0
    assert capsys.readouterr().out == "s.pdf: 8 cards on 1 page.\n"


def test_a_box_for_both_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tuckbox", "small", "-o", "box.pdf", "--squads", "hunters", "climbers"]) == 0
    assert "a box for 9 cards" in capsys.readouterr().out


def test_counters_are_those_of_both_players(capsys: pytest.CaptureFixture[str]) -> None:
    """A marker of the project's own that only another SQUAD's card gives is not printed."""
    effect = 'when played, one own OPERATOR gets +1 MARKER "intel".'
    intel = f"  - {{id: spy, kind: effect, name: Spy, effect: '{effect}'}}\n"
    cards = Path("small/cards.yaml")
    cards.write_text(cards.read_text("utf-8").replace("teams:\n", f"{intel}teams:\n"), "utf-8")
    add("markers.yaml", "markers:\n  - {id: intel, name: Intel, maximum: 2}\n")
    squads = Path("small/squads.yaml")
    squads.write_text(squads.read_text("utf-8").replace("deck: {high-ground: 1}", "deck: {spy: 1}"), "utf-8")
    capsys.readouterr()
    for pair, is_printed in ((["hunters", "climbers"], False), (["hunters", "sitters"], True)):
        assert run(["counters", "small", "-o", "c.pdf", "--squads", *pair]) == 0
        assert ("Intel" in capsys.readouterr().out) == is_printed


@pytest.mark.usefixtures("few_parts")
def test_without_a_pair_any_two_squads_can_be_built(capsys: pytest.CaptureFixture[str]) -> None:
    printed = made_set(capsys)
    assert "\nFor a game of any two of 3 SQUADs; fewer cards: --squads A B.\n" in printed
    assert run(["sheet", "small", "-o", "s.pdf", "--for-two"]) == 0
    # 2 Viper, 3 Aimed shot, 3 High ground and 2 Radio mast: ten, on pages of nine
    assert capsys.readouterr().out == "s.pdf: 10 cards on 2 pages (1 card costs a page).\n"
    assert "a4/cards-long-edge.pdf: 1 card costs a page.\n" in printed


@pytest.mark.usefixtures("few_parts")
def test_the_pair_of_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    add("opforge.yaml", "first_game: [sitters, hunters]\n")
    assert "\nFor a game of sitters against hunters; others: --squads A B.\n" in made_set(capsys)
    assert run(["sheet", "small", "-o", "s.pdf", "--for-two"]) == 0
    assert capsys.readouterr().out == "s.pdf: 7 cards on 1 page.\n"
    assert "For a game of climbers against hunters" in made_set(capsys, "--squads", "climbers", "hunters")


@pytest.mark.usefixtures("few_parts")
def test_the_whole_set(capsys: pytest.CaptureFixture[str]) -> None:
    assert "\nEach card is printed as often as its `quantity` says.\n" in made_set(capsys, "--whole-set")
    Path("small/squads.yaml").unlink()
    printed = made_set(capsys)
    assert "\nThe project has no SQUADs: each card is printed as often as its `quantity` says.\n" in printed
    assert run(["sheet", "small", "-o", "s.pdf", "--for-two"]) == 0
    assert "no SQUADs, so each card is there as often as its `quantity` says." in capsys.readouterr().out


WRONG_PAIRS = (
    ("[hunters, nobody]", "unknown-squad"),
    ("[hunters]", "wrong-type"),
    ("[hunters, climbers, sitters]", "too-many-items"),
    ("hunters", "wrong-type"),
    ("[hunters, viper]", "wrong-kind"),
)


@pytest.mark.parametrize(("pair", "finding"), WRONG_PAIRS)
def test_a_pair_with_a_mistake_is_a_finding(pair: str, finding: str) -> None:
    add("opforge.yaml", f"first_game: {pair}\n")
    names = [one.name for one in open_project(Path("small")).findings if one.name != "too-few-copies"]
    assert names == [finding]


@pytest.mark.parametrize("pair", [pair for pair, _ in some(WRONG_PAIRS, 0, 3)])
@pytest.mark.usefixtures("few_parts")
def test_with_a_wrong_pair_everything_is_printed_for_any_two_squads(
    pair: str, capsys: pytest.CaptureFixture[str]
) -> None:
    add("opforge.yaml", f"first_game: {pair}\n")
    assert "any two of 3 SQUADs" in made_set(capsys, status=1)
    assert Path("set/en/a4/cards-long-edge.pdf").exists()


@pytest.mark.usefixtures("few_parts")
def test_a_pair_that_the_mode_forbids(capsys: pytest.CaptureFixture[str]) -> None:
    add("squads.yaml", "  - {id: crowd, name: Crowd, operators: [viper, viper]}\n")
    add("opforge.yaml", "first_game: [hunters, crowd]\n")
    assert run(["print-and-play", "small", "-o", "set", "--lang", "en", "--paper", "a4"]) == 1
    printed = capsys.readouterr()
    assert "For a game of hunters against crowd" in printed.out
    assert "squad-size" in printed.err


def test_too_few_copies_names_the_pair_and_the_card() -> None:
    findings = [one for one in open_project(Path("small")).findings if one.name == "too-few-copies"]
    assert {finding.card: finding.message for finding in findings} == {
        "viper": "`viper` is needed 2 times for `hunters` against `climbers`, and its `quantity` is 1.",
        "aimed-shot": (
            "`aimed-shot` is needed 3 times for `hunters` against `climbers`, and its `quantity` is 2."
        ),
        "high-ground": (
            "`high-ground` is needed 3 times for `climbers` against `sitters`, and its `quantity` is 1."
        ),
        "radio-mast": (
            "`radio-mast` is needed 2 times for `hunters` against `climbers`, and its `quantity` is 1."
        ),
    }
    assert findings[1].span.text == "2"


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    for options, said in (
        (["sheet", "--squads", "hunters", "nobody"], "There is no SQUAD 'nobody'."),
        (["sheet", "--squads", "hunters", "sitters", "--squad", "climbers"], "use one of them"),
        (["print-and-play", "--squads", "hunters", "nobody"], "There is no SQUAD 'nobody'."),
        (["print-and-play", "--squads", "hunters", "sitters", "--whole-set"], "omit --squads"),
    ):
        assert run([options[0], "small", "-o", "out.pdf", *options[1:]]) == 2
        assert said in capsys.readouterr().err


@pytest.mark.usefixtures("few_parts")
def test_what_changed_is_counted_for_two(capsys: pytest.CaptureFixture[str]) -> None:
    """A card that only the DECKs want more often is printed, too; the one that nobody needs is not."""
    copytree("small", "older")
    squads = Path("small/squads.yaml")
    squads.write_text(squads.read_text("utf-8").replace("high-ground: 2", "high-ground: 3"), "utf-8")
    data: dict[str, Any] = json.loads(
        made_set(capsys, "--changed-since", "older", "--format", "json").replace("\n", " ")
    )
    assert {file["part"] for file in data["files"]} >= {"cards-long-edge", "squads"}
    capsys.readouterr()
    run(["sheet", "small", "-o", "s.pdf", "--for-two", "--changed-since", "older"])
    assert capsys.readouterr().out.startswith("s.pdf: 1 card on 1 page, and a list")


@pytest.mark.parametrize("pair", some([*combinations(range(8), 2)], 0))
def test_any_two_shipped_squads_can_be_built_from_one_printout(pair: tuple[int, int]) -> None:
    cards = tables.shipped().cards
    squads = [squad for number, squad in enumerate(cards.squads.values()) if number in pair]
    together = copies_of(cards, squads[0]) + copies_of(cards, squads[1])
    assert together <= copies_for_two(cards, tuple(cards.squads))
    assert together == copies_for_two(cards, [squad.id for squad in squads])
    quantities = {card.id: card.quantity for card in cards.printed_entries()}
    assert [card_id for card_id, number in together.items() if number > quantities[card_id]] == []


@pytest.mark.parametrize("folder", [cards_folder(), starter_folder()], ids=lambda folder: folder.name)
def test_one_playable_pair_without_a_nearly_empty_page(folder: Path) -> None:
    cards = open_project(folder).cards
    pair = squads_of_first_game(cards)
    assert len(pair) == 2
    number = sum(copies_for_two(cards, pair).values())
    assert all(number % per_page not in (1, 2) for per_page in (9, 4))  # beside each other, and to fold
