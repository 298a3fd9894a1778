"""``opforge reference``: the rules of a project on two pages, or on cards."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pikepdf
import pytest

from tests.render.pdf_text import opened, text_of
from tests.thoroughness import some
from toolkit.apps.cli import run
from toolkit.render.page_raster import as_image, first_page
from toolkit.resources import cards_folder

SMALL = Path(__file__).parent.parent / "projects" / "small"

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project", "cards_read_once")


class Words:
    """All words of a PDF; a sentence is in them wherever its lines break."""

    def __init__(self, file: str) -> None:
        pdf = opened(Path(file).read_bytes())
        self.text = _joined("".join(text_of(page.obj) for page in pdf.pages))

    def __contains__(self, sentence: str) -> bool:
        return _joined(sentence) in self.text


def _joined(text: str) -> str:
    return "".join(text.split())


def change(name: str, old: str, new: str) -> None:
    file = Path("small", name)
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_two_pages_on_the_projects_paper(capsys: pytest.CaptureFixture[str]) -> None:
    change("opforge.yaml", "version: 1.2.0", "version: 1.2.0\npaper: letter")
    assert run(["reference", "small", "-o", "rules.pdf"]) == 0
    assert capsys.readouterr().out == "rules.pdf: 2 pages.\n"
    with pikepdf.open("rules.pdf") as pdf:
        assert [[float(side) for side in page.mediabox] for page in pdf.pages] == [[0, 0, 612, 792]] * 2
        assert str(pdf.docinfo["/Title"]) == "Rules reference: Small 1.2.0"
        assert not any("/Annots" in page.obj for page in pdf.pages)


@pytest.mark.parametrize("language", some(["en", "de"], 1))  # a page about it shows the English one
def test_the_shipped_set_fits(language: str) -> None:
    for more in ([], ["--cards"]):
        assert run(["reference", str(cards_folder()), "-o", "rules.pdf", "--lang", language, *more]) == 0


def test_limits_and_modifications_are_the_rulesets() -> None:
    assert run(["reference", "small", "-o", "rules.pdf"]) == 0
    before = Words("rules.pdf")
    assert "EVADE any number" in before
    assert "The OPERATOR gets +1 EP for each of its MP until the end of the TURN." in before
    assert "MEDIC" not in before  # this ruleset has none
    change("rules.yaml", "evade: {limit: unlimited", "evade: {limit: 3")
    change("rules.yaml", "+1 EP for each MP of self", "+4 EP")
    change("rules.yaml", "self gets +1 AP. when", "self gets +5 AP. when")
    assert run(["reference", "small", "-o", "rules.pdf"]) == 0
    after = Words("rules.pdf")
    assert "EVADE 3× a TURN" in after
    assert "The OPERATOR gets +4 EP until the end of the TURN." in after
    assert "When the OPERATOR attacks, it gets +5 AP." in after
    assert "+1 AP" not in after


def test_options_of_the_ruleset_are_reported() -> None:
    change(
        "rules.yaml",
        "  - id: core\n",
        "  - id: core\n    options: {stacking: stepwise, rounding: up, floor: 1}\n",
    )
    assert run(["reference", "small", "-o", "rules.pdf"]) == 0
    said = Words("rules.pdf")
    assert "In every step anew" in said
    assert "Fractions are rounded up." in said
    assert "less than 1" in said


def test_only_what_the_chosen_cards_use() -> None:
    change("cards.yaml", "self gets -1 EP.", "self gains RULEVIOLATION 4+.")
    assert run(["reference", "small", "-o", "all.pdf"]) == 0
    assert run(["reference", "small", "-o", "some.pdf", "--kind", "strategy"]) == 0
    every, chosen = Words("all.pdf"), Words("some.pdf")
    assert "RULEVIOLATION X+" in every
    assert "SQUADPOINTS what it costs" in every
    assert "RULEVIOLATION" not in chosen
    assert "SQUADPOINTS what it costs" not in chosen
    assert "PERFORMANCE" in chosen  # it is there without any card


SETUP = {
    "en": (
        "SQUAD 7 OPERATORs, 30 SQUADPOINTS at most, nobody twice.",
        "20 to 40 ATTACK, DEFENCE, EFFECT and STRATEGY cards, 3 of one at most.",
        "5 ITEM cards at most.",
        "face each other, 1 a player, 1 opposite 1.",
        "in the SAVEZONE (3 places)",
        "1 Radio mast (4)",
        "4 from the DECK; 8 at most after SUPPORT.",
        "Whoever has CAPTURED 2 OBJECTIVEs.",
        "1 D6 for each player.",
        "4 D6, or counters.",
    ),
    "de": (
        "SQUAD 7 OPERATOR, zusammen höchstens 30 SQUADPOINTS, niemand zweimal.",
        "20 bis 40 ATTACK-, DEFENCE-, EFFECT- und STRATEGY-Karten, jede höchstens 3-mal.",
        "Höchstens 5 ITEM-Karten.",
        "liegen sich gegenüber, 1 je Spieler, 1 gegenüber 1.",
        "in der SAVEZONE (3 Plätze)",
        "1 Funkmast (4)",
        "4 vom DECK; nach SUPPORT höchstens 8.",
        "Wer 2 OBJECTIVE CAPTURED hat.",
        "1 D6 je Spieler.",
        "4 D6 oder Zählsteine.",
    ),
}


@pytest.mark.parametrize(("language", "more"), some([*product(["en", "de"], [[], ["--cards"]])], 0, 3))
def test_how_a_game_begins_and_ends(language: str, more: list[str]) -> None:
    assert run(["reference", "small", "-o", "rules.pdf", "--lang", language, *more]) == 0
    said = Words("rules.pdf")
    assert [sentence for sentence in SETUP[language] if sentence not in said] == []


def test_the_set_up_is_the_modes() -> None:
    change(
        "rules.yaml",
        "field_positions: 1\n",
        "field_positions: 5\n    squad: {operators: 9, squadpoints: 44, copies: 2}\n"
        "    deck: {minimum: 11, maximum: 12, copies: 1}\n    item_deck: {maximum: 0}\n",
    )
    change("cards.yaml", "dp: 6", "dp: 7")
    change("cards.yaml", "self gets -1 EP.", "self rolls +2 ATTACK D6.")
    assert run(["reference", "small", "-o", "rules.pdf"]) == 0
    said = Words("rules.pdf")
    for sentence in (
        "9 OPERATORs, 44 SQUADPOINTS at most, 2 of one at most.",
        "11 to 12 ATTACK",
        "None in this mode.",
        "face each other, 5 a player",
        "3 D6 for each player.",
        "20 D10, or counters.",
    ):
        assert sentence in said


def test_german() -> None:
    assert run(["reference", "small", "-o", "rules.pdf", "--lang", "de"]) == 0
    said = Words("rules.pdf")
    assert "Regelübersicht" in said
    assert "Wenn der OPERATOR angreift, erhält er +1 AP." in said
    assert "beliebig oft" in said


def test_cards_for_the_box(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reference", "small", "-o", "cards.pdf", "--cards"]) == 0
    assert capsys.readouterr().out == "cards.pdf: 22 reference cards of 63 × 88 mm, 2 of each, on 3 pages.\n"
    with pikepdf.open("cards.pdf") as pdf:
        assert len(pdf.pages[0].obj.Resources.XObject) == 9


def test_the_cards_have_all_sections_of_the_pages() -> None:
    """And both can be printed with little ink."""
    for name, options in {"pages": [], "cards": ["--cards"], "low": ["--low-ink"]}.items():
        assert run(["reference", "small", "-o", f"{name}.pdf", *options]) == 0
    pages, cards = Words("pages.pdf"), Words("cards.pdf")
    for said in (
        "BONUS ACTION. Gone when",
        "REACHED, REACHES",
        "Kinds of cards",
        "Counters",
        "How to read cards",
    ):
        assert said in pages
        assert said in cards
    full, low = (
        as_image(first_page(Path(f"{name}.pdf").read_bytes(), 20)).convert("L") for name in ("pages", "low")
    )
    dark = [sum(page.histogram()[:100]) for page in (full, low)]
    assert dark[1] < dark[0] / 2


def test_cards_are_as_large_as_the_projects_but_never_too_small(capsys: pytest.CaptureFixture[str]) -> None:
    change("opforge.yaml", "version: 1.2.0", "version: 1.2.0\ncard_size: tarot")
    assert run(["reference", "small", "-o", "cards.pdf", "--cards"]) == 0
    assert "cards of 69.85 × 120.65 mm" in capsys.readouterr().out
    change("opforge.yaml", "tarot", "mini")
    assert run(["reference", "small", "-o", "cards.pdf", "--cards"]) == 0
    assert "cards of 63 × 88 mm" in capsys.readouterr().out


def test_the_same_project_gives_the_same_bytes() -> None:
    for name in ("one.pdf", "two.pdf"):
        assert run(["reference", "small", "-o", name]) == 0
    assert Path("one.pdf").read_bytes() == Path("two.pdf").read_bytes()


def test_what_does_not_fit_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    long = "when attacking, if MP of self > 3, self gets +1 AP. when attacked, self gets +1 EP. "
    change("rules.yaml", "teamwork: when attacking, self gets +1 AP. ", f"teamwork: {long * 23}")
    assert run(["reference", "small", "-o", "rules.pdf", "--cards"]) == 1
    assert "Page 2 of the rules reference is" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "rules.txt"], "rules.txt must end in .pdf."),
        (["-o", "no/rules.pdf"], "There is no folder no."),
        (["-o", "rules.pdf", "--lang", "fr"], "There is no language 'fr' here"),
        (["-o", "rules.pdf", "--paper", "a44"], "Did you mean 'a4'?"),
        (["-o", "rules.pdf", "--card", "vipr"], "Did you mean 'viper'?"),
    ],
)
def test_wrong_use(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["reference", "small", *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_project_without_rules(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bare").mkdir()
    Path("bare/opforge.yaml").write_text("project: Bare\n", encoding="utf-8")
    assert run(["reference", "bare", "-o", "rules.pdf"]) == 2
    assert "names no `ruleset` and no `mode`" in capsys.readouterr().err
    assert not Path("rules.pdf").exists()
