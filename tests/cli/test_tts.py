"""``opforge tts``: decks for Tabletop Simulator."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from PIL import Image

from tests.thoroughness import THOROUGH
from toolkit.apps.cli import run
from toolkit.products.tabletop_simulator import deck_pictures
from toolkit.products.tabletop_simulator.write_decks import TtsRequest, write_tts
from toolkit.project.output import Outcome
from toolkit.project.pipeline import open_project

SMALL = Path(__file__).parent.parent / "projects" / "small"

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project")


@pytest.fixture
def _coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a quick run pictures are coarse where it does not matter how fine they are."""
    if not THOROUGH:
        monkeypatch.setattr(deck_pictures, "MAX_DPI", 60)


def test_decks_by_pile_with_their_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tts", "small", "-o", "my table", "--lang", "de"]) == 0
    assert capsys.readouterr().out == (
        f"{Path('my table', 'small.json')}: OPERATORs 1, DECK 3, OBJECTIVEs 1; 3 deck sheets.\n"
    )
    saved = json.loads(Path("my table/small.json").read_text(encoding="utf-8"))
    viper, deck, mast = saved["ObjectStates"]
    assert (viper["Name"], deck["Name"], mast["Name"]) == ("Card", "DeckCustom", "Card")
    assert viper["Nickname"] == "Viper"
    assert viper["Description"].startswith("Feuerschutz: Wenn dieser OPERATOR angreift")
    assert deck["Nickname"] == "DECK"
    assert deck["DeckIDs"] == [200, 200, 201]
    assert [card["Nickname"] for card in deck["ContainedObjects"]] == ["Gezielter Schuss"] * 2 + ["Anhöhe"]
    custom = deck["CustomDeck"]["2"]
    assert custom["FaceURL"] == (tmp_path / "my table" / "deck-1.png").as_uri()
    assert custom["BackURL"].endswith("/my%20table/back-deck.png")
    with Image.open("my table/deck-1.png") as sheet, Image.open("my table/back-deck.png") as back:
        assert sheet.size == (custom["NumWidth"] * 744, custom["NumHeight"] * 1039)
        last = sheet.crop((744, 1039, 2 * 744, 2 * 1039))
        assert last.convert("RGB").tobytes() == back.convert("RGB").tobytes()


@pytest.mark.usefixtures("_coarse")
def test_the_address_of_a_file_has_no_detours(tmp_path: Path) -> None:
    assert run(["tts", "small", "-o", "small/../out", "--kind", "attack"]) == 0
    address = json.loads(Path("out/small.json").read_text())["ObjectStates"][0]["CustomDeck"]["1"]["FaceURL"]
    assert address == (tmp_path / "out" / "deck-1.png").resolve().as_uri()


@pytest.mark.usefixtures("_coarse")
def test_an_address_online(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["tts", "small", "-o", "out", "--url-base", "https://example.org/night/", "--format", "json"]
    assert run([*command, "--kind", "attack"]) == 0
    (address,) = json.loads(capsys.readouterr().out)["decks"][0]["sheets"]
    assert re.fullmatch(r"https://example\.org/night/deck-1-[0-9a-f]{10}\.png", address)
    saved = Path("out/small.json").read_text(encoding="utf-8")
    names = {path.name for path in Path("out").glob("*.png")}
    assert {name.rpartition("-")[0] for name in names} == {"deck-1", "back-deck"}
    assert all(f"https://example.org/night/{name}" in saved for name in names)
    assert run([*command, "--kind", "attack"]) == 0
    assert {path.name for path in Path("out").glob("*.png")} == names, "the same cards, the same addresses"
    cards = Path("small/cards.yaml")
    cards.write_text(cards.read_text("utf-8").replace("+2 AP.", "+1 AP."), encoding="utf-8")
    capsys.readouterr()
    assert run([*command, "--kind", "attack"]) == 0
    assert address not in capsys.readouterr().out, "a changed card has a new address"
    for address in ("example.org", "https://example.org/cards?version=2"):
        assert run(["tts", "small", "-o", "out", "--url-base", address]) == 2
    assert "it must begin with https://" in capsys.readouterr().err


@pytest.mark.usefixtures("_coarse")
def test_nothing_of_others_is_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    Path("out").mkdir()
    Path("out/small.json").write_text("{}", encoding="utf-8")
    command = ["tts", "small", "-o", "out", "--kind", "attack"]
    assert run(command) == 2
    assert "small.json exists and was not made by opforge" in capsys.readouterr().err
    assert [path.name for path in Path("out").iterdir()] == ["small.json"]
    Path("out/small.json").unlink()
    assert run(command) == 0
    assert run(command) == 0


@pytest.mark.usefixtures("_coarse")
def test_another_look() -> None:
    drawn = set()
    for look in ([], ["--theme", "tournament"], ["--low-ink"]):
        assert run(["tts", "small", "-o", "table", "--card", "viper", *look]) == 0
        drawn.add(Path("table/operator-1.png").read_bytes())
    assert len(drawn) == 3


@pytest.mark.usefixtures("_coarse")
def test_progress_goes_over_all_deck_sheets_without_a_step_back(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    request = TtsRequest(tmp_path / "decks")
    outcome = write_tts(open_project(SMALL), request, lambda done, total: steps.append((done, total)))
    assert isinstance(outcome, Outcome)
    total = steps[-1][1]
    assert total == 4 + 3  # the cards, and the back of each of three sheets
    assert steps == sorted(steps)
    assert {number for _, number in steps} == {total}
    assert steps[-1][0] == total
