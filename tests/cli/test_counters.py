"""``opforge counters``: how many counters a GAME needs, and both sides of them."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.render.pdf_text import opened, placements, text_of
from tests.thoroughness import THOROUGH, some
from toolkit.apps.cli import run
from toolkit.data.schemas.layouts import COUNTERS
from toolkit.products.counters import _counters_up_to
from toolkit.resources import cards_folder

pytest.importorskip("plutoprint")
pytestmark = pytest.mark.usefixtures("small_project", "cards_read_once")


def words(file: str) -> str:
    """All words of a PDF without spaces."""
    pdf = opened(Path(file).read_bytes())
    return "".join("".join(text_of(page.obj) for page in pdf.pages).split())


def set_key(line: str, name: str = "opforge.yaml") -> None:
    file = Path("small", name)
    file.write_text(file.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")


def data_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(["counters", "small", "-o", "counters.pdf", "--format", "json", *arguments]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def amounts(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, int]:
    return {one["name"]: one["amount"] for one in data_of(capsys, *arguments)["counters"]}


def test_what_a_game_needs(capsys: pytest.CaptureFixture[str]) -> None:
    """One FIELDPOSITION a player, DP 6, MP 2 and a value of 4: each time up to 5, shown by 1, 1 and 3."""
    assert run(["counters", "small", "-o", "counters.pdf"]) == 0
    assert capsys.readouterr().out == (
        "counters.pdf: 18 counters of 20 mm on 2 pages: 6 HITCOUNTER, 6 OBJECTIVECOUNTER, 2 EXHAUSTED, "
        "2 SUPPRESSED, 1 BONUS, 1 First player.\n"
    )
    first = Path("counters.pdf").read_bytes()
    with pikepdf.open("counters.pdf") as pdf:
        assert str(pdf.docinfo["/Title"]) == "Counters: Small 1.2.0"
        assert str(pdf.Root.ViewerPreferences.Duplex) == "/DuplexFlipLongEdge"
    assert run(["counters", "small", "-o", "counters.pdf"]) == 0
    assert Path("counters.pdf").read_bytes() == first


def test_amounts_follow_the_mode_the_cards_and_the_squads(capsys: pytest.CaptureFixture[str]) -> None:
    rules = Path("small", "rules.yaml")
    text = rules.read_text(encoding="utf-8")
    squad = "    squad: {operators: 4, copies: 4}\n    deck: {minimum: 0}"
    rules.write_text(text.replace("field_positions: 1", f"field_positions: 3\n{squad}"), encoding="utf-8")
    assert amounts(capsys)["exhausted"] == 6
    assert amounts(capsys)["hitcounter"] == 6  # there is one OPERATOR only
    set_key("squads:\n- {id: one, name: One, operators: [viper, viper, viper, viper]}", "rules.yaml")
    assert amounts(capsys)["hitcounter"] == 18
    cards = Path("small", "cards.yaml")
    cards.write_text(cards.read_text(encoding="utf-8").replace("dp: 6", "dp: 1"), encoding="utf-8")
    assert "hitcounter" not in amounts(capsys)  # HIT at once
    without = "\n".join(line for line in text.splitlines() if "suppression" not in line)
    rules.write_text(without, encoding="utf-8")
    assert "suppressed" not in amounts(capsys)


def test_amounts_are_changeable(capsys: pytest.CaptureFixture[str]) -> None:
    set_key("counters: {amounts: {hitcounter: 10, bonus: 0}, size: 25, shape: square, values: [1, 5]}")
    data = data_of(capsys)
    found = {one["name"]: one["amount"] for one in data["counters"]}
    assert (found["hitcounter"], "bonus" in found, found["objectivecounter"]) == (10, False, 8)
    assert (data["size"], data["shape"], data["counters"][0]["values"]) == (25, "square", [1, 5])
    assert amounts(capsys, "--amount", "hitcounter=3", "--only", "hitcounter") == {"hitcounter": 3}


def test_markers_of_the_designers_own(capsys: pytest.CaptureFixture[str]) -> None:
    set_key(
        "markers:\n- {id: intel, name: {en: Intel, de: Aufklärung}, maximum: 3}\n"
        "- {id: supply, name: {en: Supply, de: Nachschub}, bearer: player, maximum: 1}",
        "rules.yaml",
    )
    data = data_of(capsys, "--lang", "de")
    own = {one["name"]: one for one in data["counters"]}
    assert own["intel"] == {"name": "intel", "label": "Aufklärung", "amount": 4, "values": [1, 3]}
    assert own["supply"] == {"name": "supply", "label": "Nachschub", "amount": 2, "values": None}
    printed = words("counters.pdf")
    assert all(word in printed for word in ("Aufklärung", "Nachschub", "Startspieler", "OBJECTIVE-COUNTER"))


@pytest.mark.parametrize(("flip", "turned"), [("long", False), ("short", True)])
@pytest.mark.parametrize("shape", ["round", "square", "hex"])
def test_backs_lie_behind_their_fronts(flip: str, turned: bool, shape: str) -> None:
    """Upright paper: mirrored from left to right over the long edge, from top to bottom over the short."""
    chosen = ["--only", "hitcounter", "--only", "objectivecounter", "--shape", shape, "--flip", flip]
    assert run(["counters", "small", "-o", "counters.pdf", "--size", "40", *chosen]) == 0
    high = 40 * 2 / 3**0.5 if shape == "hex" else 40
    with pikepdf.open("counters.pdf") as pdf:
        front, back = pdf.pages
        width, height = (float(side) / 72 * 25.4 for side in front.mediabox[2:])
        upright = height > width
        fronts = [(name, x + 1.5 + 20, y + 1.5 + high / 2) for name, x, y in placements(front)]
        if turned == upright:  # turned by 180 degrees: the matrix names the other corner
            backs = [(name, x - 21.5, y - 1.5 - high / 2) for name, x, y in placements(back)]
        else:
            backs = [(name, x + 21.5, y + 1.5 + high / 2) for name, x, y in placements(back)]
    assert len(fronts) == len(backs) == 12
    for (_, x, y), (_, over, up) in zip(fronts, backs, strict=True):
        mirrored = (x, height - y) if turned == upright else (width - x, y)
        assert (over, up) == pytest.approx(mirrored, abs=0.02)
    names = [front for front, _, _ in fronts], [back for back, _, _ in backs]
    assert len(set(names[0])) == len(set(names[1])) == 2
    assert not set(names[0]) & set(names[1])  # 1 on the front, 3 on the back


def test_backs_beside_their_fronts() -> None:
    """On one side of the paper, both as far from the line to fold."""
    assert (
        run(["counters", "small", "-o", "counters.pdf", "--size", "40", "--only", "hitcounter", "--fold"])
        == 0
    )
    with pikepdf.open("counters.pdf") as pdf:
        (page,) = pdf.pages
        assert str(pdf.Root.ViewerPreferences.Duplex) == "/Simplex"
        width, height = (float(side) / 72 * 25.4 for side in page.mediabox[2:])
        placed = placements(page)
    assert len(placed) == 12
    for (front, x, y), (back, over, up) in zip(placed[:6], placed[6:], strict=True):
        assert front != back
        beside = (over, up) == pytest.approx((width - x - 43, y), abs=0.02)
        below = (over, up) == pytest.approx((x + 43, height - y), abs=0.02)
        assert beside or below


@pytest.mark.parametrize(
    ("language", "more"),
    some([*product(["en", "de"], [[], ["--theme", "tournament"], ["--low-ink"]])], 2, 4),
)
def test_the_shipped_set(language: str, more: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    ways = (("20", "a4", "cut"), ("15", "letter", "punch"), ("25", "a4", "none"))
    for size, paper, marks in ways if THOROUGH else ways[1:2]:
        given = ["--lang", language, "--size", size, "--paper", paper, "--marks", marks, *more]
        assert run(["counters", str(cards_folder()), "-o", "counters.pdf", *given]) == 0, given
        assert not capsys.readouterr().err
        assert ("Aufklärung" if language == "de" else "Intel") in words("counters.pdf")


def test_a_setting_for_a_counter_that_does_not_exist_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    known = ", ".join(f"{name}: 1" for name in COUNTERS)
    set_key(f"counters: {{amounts: {{{known}, intel: 2}}}}")
    set_key("markers:\n- {id: intel, name: Intel}", "rules.yaml")
    assert run(["check", "small"]) == 0  # nothing gives Intel, which is a warning
    capsys.readouterr()
    assert amounts(capsys)["intel"] == 2
    assert set(amounts(capsys)) == {*COUNTERS, "intel"}
    project = Path("small", "opforge.yaml")
    project.write_text(project.read_text(encoding="utf-8").replace("intel", "intelligence"), encoding="utf-8")
    capsys.readouterr()
    assert run(["check", "small"]) == 1
    printed = capsys.readouterr().out
    assert "unknown-marker" in printed
    assert "opforge.yaml:6" in printed


def test_marks_for_scissors_and_punches() -> None:
    sizes = {}
    for marks in ("none", "cut", "punch"):
        assert run(["counters", "small", "-o", "counters.pdf", "--marks", marks]) == 0
        with pikepdf.open("counters.pdf") as pdf:
            page = pikepdf.parse_content_stream(pdf.pages[0])
            sizes[marks] = sum(str(operator) == "m" for _, operator in page)
    lines_of_a_cross, clips = 2, 18
    assert sizes["none"] == clips
    assert sizes["cut"] >= clips + 18 * 2  # the line and its halo
    assert sizes["punch"] >= clips + 18 * 2 * (1 + lines_of_a_cross)


def test_a_name_that_does_not_fit_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    set_key("markers:\n- {id: pass, name: Durchfahrtsgenehmigung}", "rules.yaml")
    assert run(["counters", "small", "-o", "counters.pdf", "--size", "10"]) == 1
    printed = capsys.readouterr().err
    assert "text-overflow" in printed
    assert "rules.yaml" in printed


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    for chosen, said in (
        (["--only", "hitconter"], "There is no counter 'hitconter'. Did you mean 'hitcounter'?"),
        (["--amount", "hitcounter"], "--amount takes NAME=NUMBER"),
        (["--only", "bonus", "--amount", "bonus=0"], "There is nothing to print"),
        (["--size", "5"], "5.0 is not in the range"),
        (["--paper", "50x50mm", "--size", "60"], "does not fit on"),
        (["--printer", "nobody"], "There is no printer 'nobody'"),
        (["--fold", "--flip", "short"], "omit --sides and --flip"),
        (["--theme", "clasic"], "Did you mean 'classic'?"),
        (["-o", "counters.png"], "must end in .pdf"),
    ):
        assert run(["counters", "small", "-o", "counters.pdf", *chosen]) == 2, chosen
        assert said in capsys.readouterr().err
    assert not Path("counters.pdf").exists()


@given(st.integers(0, 60), st.sampled_from([(1, 2), (1, 3), (1, 5), (1, 10)]))
def test_no_number_takes_more(limit: int, values: tuple[int, int]) -> None:
    """By trying out all ways to put two kinds of counters together."""

    def fewest(number: int) -> int:
        ways = (high + (number - high * values[1]) for high in range(number // values[1] + 1))
        return min(ways)

    assert _counters_up_to(limit, values) == max(
        (fewest(number) for number in range(1, limit + 1)), default=0
    )
