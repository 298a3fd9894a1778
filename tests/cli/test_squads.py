"""Ready SQUADs in print: ``opforge squads``, and ``opforge sheet --squad`` for the cards of one player."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pikepdf
import pytest

from tests.render.pdf_text import opened, sizes_of, text_of
from tests.thoroughness import some
from toolkit.apps.cli import run
from toolkit.resources import cards_folder

SHIPPED = str(cards_folder())
SQUADS = """
squads:
  - id: pair
    name: {en: The pair, de: Das Paar}
    flavour: {en: Two are enough., de: Zwei genügen.}
    operators: [viper, viper]
    deck: {aimed-shot: 3, high-ground: 1}
    item_deck: {scope: 2}
  - {id: alone, name: {en: Alone, de: Allein}, operators: [viper, viper]}
"""
ITEM = """cards:
  - {id: scope, kind: item, name: {en: Scope, de: Zielfernrohr}, effect: self gets +1 AP.}
  - {id: decoy, kind: defence, name: {en: Decoy, de: Attrappe}, effect: "when attacked, self gets +1 EP."}
"""

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project", "cards_read_once")


@pytest.fixture(autouse=True)
def _squads(small_project: None) -> None:  # noqa: ARG001 (it makes the project)
    Path("small/squads.yaml").write_text(SQUADS, encoding="utf-8")
    Path("small/item.yaml").write_text(ITEM, encoding="utf-8")
    rules = Path("small/rules.yaml")
    text = rules.read_text(encoding="utf-8")
    limits = "    squad: {operators: 2, copies: 2}\n    deck: {minimum: 0}\n"
    rules.write_text(text.replace("    field_positions: 1\n", f"    field_positions: 1\n{limits}"), "utf-8")


def words(file: str) -> list[str]:
    """The text of each page without blanks."""
    pages = opened(Path(file).read_bytes()).pages
    return ["".join(text_of(page.obj).split()) for page in pages]


@pytest.mark.parametrize(
    ("language", "said"),
    [
        (
            "en",
            (
                "Thepair",
                "8/30",
                "2×Scope",
                "3×Aimedshot",
                "1×Highground",
                "DECK4·ITEMDECK2",
                "Skirmish",
                "Twoareenough.",
            ),
        ),
        (
            "de",
            (
                "DasPaar",
                "8/30",
                "2×Zielfernrohr",
                "3×GezielterSchuss",
                "1×Anhöhe",
                "Scharmützel",
                "Zweigenügen.",
            ),
        ),
    ],
)
@pytest.mark.parametrize("look", [[], ["--theme", "tournament"], ["--low-ink"]], ids=" ".join)
def test_a_squad_is_half_a_page(
    language: str, said: tuple[str, ...], look: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["squads", "small", "-o", "squads.pdf", "--lang", language, *look]) == 0
    assert capsys.readouterr().out == "squads.pdf: 2 SQUADs on 1 page.\n"
    (page,) = words("squads.pdf")
    assert [sentence for sentence in said if sentence not in page] == []
    assert page.count("Viper") == 4
    assert page.index("FIELD") < page.index("SAVEZONE")


@pytest.mark.parametrize(
    ("language", "paper", "box"),
    some(
        [(lang, *size) for lang in ("en", "de") for size in (("a4", (595, 842)), ("letter", (612, 792)))],
        3,  # a page about rules for the table shows the first
    ),
)
def test_the_shipped_squads_fit(language: str, paper: str, box: tuple[int, int]) -> None:
    assert run(["squads", SHIPPED, "-o", "squads.pdf", "--lang", language, "--paper", paper]) == 0
    with pikepdf.open("squads.pdf") as pdf:
        assert [tuple(round(float(side)) for side in page.mediabox[2:]) for page in pdf.pages] == [box] * 4
        assert str(pdf.Root["/Lang"]) == language
        assert not any("/Annots" in page.obj for page in pdf.pages)


def test_small_paper_has_one_on_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--paper", "148x210mm", "--lang", "de", "--low-ink"]  # pictures have words of their own
    assert run(["squads", SHIPPED, "-o", "squads.pdf", *arguments]) == 0
    assert capsys.readouterr().out == "squads.pdf: 8 SQUADs on 8 pages.\n"
    with pikepdf.open("squads.pdf") as pdf:
        assert [round(float(side)) for side in pdf.pages[0].mediabox[2:]] == [595, 420]
        assert min(sizes_of(pdf.pages[0].obj)) >= 6


def test_only_the_chosen_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["squads", "small", "-o", "squads.pdf", "--squad", "alone"]) == 0
    assert capsys.readouterr().out == "squads.pdf: 1 SQUAD on 1 page.\n"
    assert "Thepair" not in words("squads.pdf")[0]


def test_the_same_squads_give_the_same_bytes() -> None:
    for name in ("one.pdf", "two.pdf"):
        assert run(["squads", SHIPPED, "-o", name, "--squad", "catch-us"]) == 0
    assert Path("one.pdf").read_bytes() == Path("two.pdf").read_bytes()


def copies(file: str, *names: str) -> Counter[str]:
    text = "".join(words(file))
    return Counter({name: text.count(name) for name in names if name in text})


@pytest.mark.parametrize(
    ("language", "names"),
    [
        ("en", {"Viper": 2, "Aimedshot": 3, "Highground": 1, "Scope": 2, "Radiomast": 1}),
        ("de", {"Viper": 2, "GezielterSchuss": 3, "Anhöhe": 1, "Zielfernrohr": 2, "Funkmast": 1}),
    ],
)
def test_the_cards_of_one_player(
    language: str, names: dict[str, int], capsys: pytest.CaptureFixture[str]
) -> None:
    """Each as often as the SQUAD has it, not as often as the set does; and the OBJECTIVEs of its row."""
    assert run(["sheet", "small", "-o", "cards.pdf", "--squad", "pair", "--lang", language]) == 0
    assert capsys.readouterr().out == "cards.pdf: 9 cards on 1 page.\n"
    assert copies("cards.pdf", *names, "Decoy", "Attrappe") == names


def test_the_cards_of_both_players() -> None:
    assert run(["sheet", "small", "-o", "cards.pdf", "--squad", "pair", "--squad", "alone"]) == 0
    names = {"Viper": 4, "Aimedshot": 3, "Highground": 1, "Scope": 2, "Radiomast": 2}
    assert copies("cards.pdf", *names, "Decoy") == names
    assert run(["sheet", "small", "-o", "cards.pdf", "--squad", "pair", "--kind", "item"]) == 0
    assert copies("cards.pdf", *names) == {"Scope": 2}


def test_a_card_of_the_squad_with_errors_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small/item.yaml").write_text(ITEM.replace("+1 AP", "+1 APP").replace("+1 EP", "+1 EPP"), "utf-8")
    for command in ("sheet", "squads"):
        assert run([command, "small", "-o", "out.pdf", "--squad", "pair"]) == 1
        found = capsys.readouterr().err
        assert "APP" in found
        assert "EPP" not in found  # it is on a card that this SQUAD has not


def test_all_that_makes_cards_takes_a_squad(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--squad", "pair", "--format", "json"]
    assert run(["sheet", "small", "-o", "sheet.pdf", "--squad", "pair"]) == 0
    number = int(capsys.readouterr().out.split()[1])
    assert run(["cards", "small", "-o", "cards", "--dpi", "30", *chosen]) == 0
    cards = json.loads(capsys.readouterr().out)["cards"]
    needed = {"viper": 2, "aimed-shot": 3, "high-ground": 1, "scope": 2, "radio-mast": 1}
    assert {card["id"]: card["quantity"] for card in cards} == needed
    assert run(["tts", "small", "-o", "table", *chosen]) == 0
    decks = json.loads(capsys.readouterr().out)["decks"]
    shop = ["cards", "small", "-o", "shop.pdf", "--service", "printplaygames"]
    assert run([*shop, *chosen]) == 0
    assert json.loads(capsys.readouterr().out)["cards"] == number
    assert sum(card["quantity"] for card in cards) == sum(deck["cards"] for deck in decks) == number
    for command in ("cards", "tts"):
        assert run([command, "small", "-o", "other", "--squad", "pairr"]) == 2
        assert "There is no SQUAD 'pairr'. Did you mean 'pair'?" in capsys.readouterr().err


def test_squads_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["squads", "small", "-o", "squads.pdf", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["version"], data["file"], data["language"], data["pages"]) == (1, "squads.pdf", "en", 1)
    assert [squad["id"] for squad in data["squads"]] == ["pair", "alone"]
    assert data["squads"][0] == {
        "id": "pair",
        "name": "The pair",
        "squadpoints": 8,
        "limit": 30,
        "deck": 4,
        "items": 2,
    }


def test_too_many_cards_for_half_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    name = "A name that takes a whole line and then some more of the next one and the one behind it"
    cards = [f"  - {{id: c{n}, kind: effect, name: {name} {n}, text_only: Nothing.}}" for n in range(60)]
    Path("small/many.yaml").write_text("cards:\n" + "\n".join(cards), encoding="utf-8")
    deck = ", ".join(f"c{n}: 1" for n in range(60))
    Path("small/squads.yaml").write_text(SQUADS.replace("aimed-shot: 3", deck), encoding="utf-8")
    run(["squads", "small", "-o", "squads.pdf", "--squad", "pair"])
    found = capsys.readouterr()
    assert "text-overflow" in found.err
    assert "squads.yaml" in found.err
    assert found.out == "squads.pdf: 1 SQUAD on 1 page.\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["squads", "small", "-o", "s.txt"], "s.txt must end in .pdf."),
        (
            ["squads", "small", "-o", "s.pdf", "--squad", "pairr"],
            "There is no SQUAD 'pairr'. Did you mean 'pair'?",
        ),
        (["squads", "small", "-o", "s.pdf", "--paper", "a44"], "Did you mean 'a4'?"),
        (["squads", "small", "-o", "s.pdf", "--theme", "tornament"], "Did you mean 'tournament'?"),
        (["sheet", "small", "-o", "s.pdf", "--squad", "zzz"], "There are: pair, alone."),
        (["sheet", "small", "-o", "s.pdf", "--squad", "pair", "--changed-since", "HEAD"], "--changed-since"),
    ],
)
def test_wrong_use(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert said in capsys.readouterr().err
    assert not Path(arguments[3]).exists()


def test_a_project_without_squads(capsys: pytest.CaptureFixture[str]) -> None:
    Path("small/squads.yaml").unlink()
    assert run(["squads", "small", "-o", "s.pdf"]) == 2
    assert "the project has no `squads:`" in capsys.readouterr().err
