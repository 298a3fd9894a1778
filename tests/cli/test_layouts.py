"""Layouts as a designer meets them: written in YAML, listed, used, wrong; and a printer's offset."""

from __future__ import annotations

import errno
import json
import os
from itertools import pairwise, product
from pathlib import Path
from shutil import copytree

import pikepdf
import pytest

from tests.render.pdf_text import sizes_of, text_of
from tests.thoroughness import some
from toolkit.apps.cli import run
from toolkit.resources import cards_folder

pytestmark = pytest.mark.usefixtures("project")

PROJECTS = Path(__file__).parent.parent / "projects"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPFORGE_CONFIG", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    return copytree(PROJECTS / "small", tmp_path / "small")


def check(project: Path, layout: str, capsys: pytest.CaptureFixture[str]) -> str:
    """The findings about a layout, a line each: column, name and message."""
    (project / "layouts.yaml").write_text(f"layouts:\n  - {layout}\n", encoding="utf-8")
    run(["check", "small", "--format", "concise"])
    lines = capsys.readouterr().out.splitlines()
    return "\n".join(line.removeprefix("small/layouts.yaml:2:") for line in lines if "layouts.yaml" in line)


@pytest.mark.parametrize(
    ("layout", "reported"),
    [
        ("{id: a, colums: 3}", "13: error[unknown-key]: A layout has no key `colums`."),
        ("{id: a, columns: three}", "22: error[wrong-type]: `columns` must be a whole number from 1 to 99,"),
        ("{id: a, columns: 99}", "22: error[layout-too-large]: 9 (3 × 3) fit on A4 portrait, not 297"),
        ("{id: a, rows: 0}", "19: error[out-of-range]: `rows` must be from 1 to 99, but this is 0."),
        ("{id: a, gap: -2}", "18: error[out-of-range]: `gap` must be from 0 to 100, but this is -2."),
        ("{id: a, gap: {accross: 2}}", "19: error[unknown-key]: `gap` has no key `accross`."),
        (
            "{id: a, gap: [1, 2]}",
            "18: error[wrong-type]: `gap` must be a length in mm, or `{across: …, down: …}`",
        ),
        (
            "{id: a, bleed: 3mm}",
            "20: error[wrong-type]: `bleed` must be a number of millimetres from 0 to 20",
        ),
        (
            "{id: a, bleed: .nan}",
            "20: error[wrong-type]: `bleed` must be a number of millimetres from 0 to 20",
        ),
        ("{id: a, bleed: .inf}", "20: error[out-of-range]: `bleed` must be from 0 to 20"),
        ("{id: a, margins: {lef: 3}}", "23: error[unknown-key]: `margins` has no key `lef`."),
        ("{id: a, margins: 200}", "22: error[layout-too-large]: A card of 63 × 88 mm does not fit on A4"),
        ("{id: a, card_size: pokr}", "24: error[unknown-value]: `pokr` is not possible here"),
        ("{id: a, card_size: 300x400mm}", "24: error[layout-too-large]: A card of 300 × 400 mm does not fit"),
        (
            "{id: a, paper: 20x20mm}",
            "20: error[layout-too-large]: A card of 63 × 88 mm does not fit on paper",
        ),
        ("{id: a, orientation: lanscape}", "26: error[unknown-value]: `lanscape` is not possible here"),
        ("{id: a, slots: []}", "20: error[empty-list]: `slots` is empty"),
        (
            "{id: a, slots: [{x: 10, y: 10, turn: 45}]}",
            "42: error[wrong-type]: `turn` must be 0, 90, 180 or 270",
        ),
        ("{id: a, slots: [{x: 10}]}", "22: error[missing-key]: This slot has no `y`."),
        (
            "{id: a, slots: [{x: 1, y: 1, turn: 45}]}",
            "40: error[wrong-type]: `turn` must be 0, 90, 180 or 270",
        ),
        ("{id: a, slots: [{x: -3, y: 1}]}", "25: error[out-of-range]: `x` must be from 0 to 999"),
        (
            "{id: a, slots: [{x: 200, y: 1}]}",
            "25: error[slot-off-paper]: A card of 63 × 88 mm here extends 53 mm",
        ),
        ("{id: a, slots: [{x: 1, y: 1}, {x: 9, y: 9}]}", "35: error[slots-overlap]: The card in slot 2"),
        (
            "{id: a, rows: 2, slots: [{x: 1, y: 1}]}",
            "13: error[layout-conflict]: `rows` has no meaning beside",
        ),
        ("{id: a, marks: corner}", "20: error[unknown-value]: `corner` is not possible here"),
        ("{id: a, marks_on: front}", "23: error[unknown-value]: `front` is not possible here"),
        ("{id: a, sides: back}", "20: error[unknown-value]: `back` is not possible here"),
        (
            "{id: a, flip: true}",
            "19: error[wrong-type]: `flip` must be `long`, `short` or `none`, but this is",
        ),
        (
            "{id: a, fold: vertical, columns: 3}",
            "38: error[layout-conflict]: On a fold sheet half of the columns",
        ),
        (
            "{id: a, fold: best, flip: short}",
            "25: error[layout-conflict]: `flip` has no meaning on a fold sheet",
        ),
        ("{id: a, fold: best, gutter: wide}", "33: error[wrong-type]: `gutter` must be a number of millim"),
        ("{id: a, fold: best, gutter: 51}", "33: error[out-of-range]: `gutter` must be from 0 to 50"),
        (
            "{id: a, gutter: 3, slots: [{x: 1, y: 1}]}",
            "13: error[layout-conflict]: `gutter` has no meaning beside",
        ),
        ("{id: a, corners: round}", "22: error[wrong-type]: `corners` must be a number of millimetres"),
        ("{id: a, safe: -1}", "19: error[out-of-range]: `safe` must be from 0 to 20, but this is -1."),
        ("{id: A layout}", "10: error[invalid-id]: `A layout` is no id"),
    ],
)
def test_a_mistake_in_a_layout_is_reported_once_at_its_word(
    project: Path, layout: str, reported: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = check(project, layout, capsys)
    assert found.startswith(reported)
    assert "\n" not in found


@pytest.mark.parametrize(
    "layout",
    [
        "{id: a}",
        "{id: a, paper: letter, orientation: landscape, columns: 3, rows: 2, bleed: 3.175}",
        "{id: a, gap: {across: 4}, margins: {left: 12.5}, marks: full, marks_on: both, flip: short}",
        "{id: a, card_size: 50x50mm, paper: 300x200mm, corners: 3, safe: 4}",
        "{id: a, slots: [{x: 10, y: 10}, {x: 73, y: 10}, {x: 10, y: 98, turn: 90}]}",
        "{id: a, fold: horizontal, rows: 2, gutter: 5}",
    ],
)
def test_a_right_layout_has_no_findings(
    project: Path, layout: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert check(project, layout, capsys) == ""
    assert run(["sheet", "small", "-o", "a.pdf", "--layout", "a"]) == 0


def test_layouts_are_listed_with_how_many_cards_fit(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    check(project, "{id: mine, orientation: landscape, bleed: 3, columns: 3, rows: 2}", capsys)
    assert run(["layouts", "small"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert " ".join(lines[0].split()) == "mine 6 cards poker A4 landscape 3 × 2, 3 mm bleed around every card"
    assert any(line.startswith("poker-a4-bleed ") and " 8 cards " in line for line in lines)
    assert not any(line.startswith("tarot") for line in lines)
    assert run(["layouts", "small", "--all", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)["layouts"]
    assert {"tarot-a3", "mini-us-letter-fold", "mine"} <= {entry["id"] for entry in listed}
    assert (listed[0]["own"], listed[0]["cards"], listed[0]["columns"]) == (True, 6, 3)


def test_layouts_are_listed_without_a_project(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["layouts"]) == 0
    assert "tarot-letter-bleed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "reported"),
    [
        (["--layout", "poker-a4-bled"], "Did you mean 'poker-a4-bleed'?"),
        (["--layout", "poker-a4", "--paper", "a3"], "--paper and --layout exclude each other"),
        (["--layout", "poker-a4", "--layout", "tarot-a4"], "are for the same cards"),
        (["--fold", "--flip", "short"], "--fold puts fronts and backs on one side"),
        (["--backs", "--sides", "fronts"], "--backs means --sides both"),
        (["--backs", "--printer", "office"], "There is no printer 'office'."),
        (["--printer", "office"], "but only fronts are printed. Add --backs, or omit it."),
        (["--fold", "--printer", "office"], "but on a fold sheet they are on the same side. Omit it."),
        (["--paper", "10x10mm"], "A card of 63 × 88 mm does not fit on paper of 10 × 10 mm."),
    ],
)
def test_an_impossible_combination_is_reported(
    options: list[str], reported: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sheet", "small", "-o", "x.pdf", *options]) == 2
    assert reported in capsys.readouterr().err
    assert not Path("x.pdf").exists()


def settings(project: Path, more: str) -> None:
    with (project / "opforge.yaml").open("a", encoding="utf-8") as file:
        file.write(more)


def test_a_size_of_its_own_gives_a_kind_a_section_of_its_own(project: Path) -> None:
    settings(project, "card_sizes: {operator: tarot}\nlayout: poker-a4-landscape\n")
    assert run(["sheet", "small", "-o", "x.pdf"]) == 0
    with pikepdf.open("x.pdf") as pdf:
        sizes = [(round(float(page.trimbox[2] - page.trimbox[0]) / 72 * 25.4, 1)) for page in pdf.pages]
    assert sorted(sizes) == [139.7, 252.0]


def test_a_layout_of_another_size_gives_the_cards_that_size() -> None:
    assert run(["sheet", "small", "-o", "x.pdf", "--layout", "mini-a4"]) == 0
    with pikepdf.open("x.pdf") as pdf:
        assert float(pdf.pages[0].trimbox[2] - pdf.pages[0].trimbox[0]) / 72 * 25.4 == pytest.approx(
            176, abs=0.1
        )


@pytest.mark.parametrize(("paper", "size"), [("a4", 11), ("148x210mm", 8.5), ("105x148mm", 5.8)])
def test_on_small_paper_what_is_to_be_done_is_written_smaller(paper: str, size: float) -> None:
    assert run(["align", "-o", "align.pdf", "--paper", paper]) == 0
    with pikepdf.open("align.pdf") as pdf:
        assert size in sizes_of(pdf.pages[0].obj)


@pytest.mark.parametrize("paper", ["60x60mm", "89x127mm", "139x100mm"])
def test_on_paper_without_room_for_the_scales_nothing_is_measured(
    paper: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["align", "-o", "align.pdf", "--paper", paper]) == 2
    assert "use 100 × 140 mm or more" in capsys.readouterr().err
    assert not Path("align.pdf").exists()


def test_a_printer_whose_name_has_a_space_is_reported_as_it_must_be_written(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["align", "--set", "Büro oben", "1", "1"]) == 0
    assert capsys.readouterr().out.endswith('Use it with --printer "Büro oben".\n')


def lengths_of(page: pikepdf.Page) -> set[float]:
    """The lengths of level lines on a page in mm, without what is in forms."""
    drawn = [(str(name), ends) for ends, name in pikepdf.parse_content_stream(page)]
    lines = [(begin, end) for (first, begin), (name, end) in pairwise(drawn) if (first, name) == ("m", "l")]
    return {round(abs(float(end[0]) - float(begin[0])) / 72 * 25.4, 2) for begin, end in lines}


def test_an_offset_is_kept_for_a_printer_and_moves_its_backs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["align", "-o", "align.pdf"]) == 0
    with pikepdf.open("align.pdf") as pdf:
        assert len(pdf.pages) == 2
        assert pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipLongEdge"
        assert "how far does this printer put the back" in text_of(pdf.pages[0].obj)
        assert 100 in lengths_of(pdf.pages[0]), "no ruler"
    assert run(["align", "-o", "align.pdf", "--lang", "de", "--landscape"]) == 0
    with pikepdf.open("align.pdf") as pdf:
        words = text_of(pdf.pages[0].obj)
    assert "Wie weit setzt dieser Drucker die Rückseite neben die Vorderseite?" in words
    assert "--set NAME RECHTS OBEN --landscape" in words
    assert run(["align", "--set", "office", "1.5", "-0.5"]) == 0
    assert run(["align", "--list"]) == 0
    assert "office, portrait: backs are 1.5 mm to the right and 0.5 mm down" in capsys.readouterr().out
    assert run(["sheet", "small", "-o", "x.pdf", "--backs", "--printer", "office"]) == 0
    with pikepdf.open("x.pdf") as pdf:
        front, back = (page.Contents.read_bytes() for page in pdf.pages)
    assert b"1 0 0 1 4.252 1.417 cm" in back
    assert b"4.252 1.417 cm" not in front


@pytest.mark.parametrize(
    ("read", "reported"),
    [
        ([], "takes two numbers in mm, RIGHT and UP, such as 1.5 -0.5.\n"),
        (["1"], "takes two numbers in mm"),
        (["1", "2", "3"], "takes two numbers in mm"),
        (["one", "two"], "such as 1.5 -0.5, not 'one two'.\n"),
        (["nan", "0"], "No printer is off by more than 10 mm"),
        (["40", "0"], "No printer is off by more than 10 mm"),
    ],
)
def test_what_is_no_offset_is_not_kept(
    project: Path, read: list[str], reported: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["align", "--set", "office", *read]) == 2
    assert reported in capsys.readouterr().err
    assert not (project.parent / "config").exists()


def test_an_offset_is_measured_for_each_way_the_paper_lies(capsys: pytest.CaptureFixture[str]) -> None:
    run(["align", "--set", "office", "1", "1"])
    landscape = ["sheet", "small", "-o", "x.pdf", "--backs", "--layout", "poker-a4-landscape"]
    assert run([*landscape, "--printer", "office"]) == 2
    assert "was not measured with landscape paper" in capsys.readouterr().err
    assert run(["align", "--landscape", "--set", "office", "0", "2"]) == 0
    assert run([*landscape, "--printer", "office"]) == 0


def test_a_file_of_printers_that_is_none_is_reported(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project.parent / "config").mkdir()
    (project.parent / "config" / "printers.json").write_text("[1", encoding="utf-8")
    assert run(["align", "--list"]) == 2
    assert "printers.json cannot be read" in capsys.readouterr().err


@pytest.fixture(scope="module")
def old_sheet(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A sheet that was printed before."""
    file = tmp_path_factory.mktemp("old") / "x.pdf"
    with pytest.MonkeyPatch.context() as surroundings:
        surroundings.setenv("OPFORGE_CACHE", str(file.parent))
        assert run(["sheet", str(PROJECTS / "small"), "-o", str(file), "--card", "viper"]) == 0
    return file.read_bytes()


@pytest.mark.parametrize(
    ("command", "fails"),
    some(
        [
            (command.split(), fails)
            for command in ("sheet small --backs", "mat small", "squads small")
            for fails in (OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt())
        ],
        *(0, 1, 2, 4),
    ),
)
def test_what_stops_the_writing_leaves_the_old_file_whole(
    command: list[str],
    fails: BaseException,
    old_sheet: bytes,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    squads = "squads:\n  - {id: alone, name: Alone, operators: [viper]}\n"
    (project / "squads.yaml").write_text(squads, encoding="utf-8")
    Path("x.pdf").write_bytes(old_sheet)

    def failing(*_: object) -> None:
        raise fails

    monkeypatch.setattr(os, "replace", failing)
    status = run([*command, "-o", "x.pdf"])
    assert status == (130 if isinstance(fails, KeyboardInterrupt) else 2)
    if status == 2:
        reported = capsys.readouterr().err
        assert "x.pdf cannot be written: No space left on device. The old file was not changed." in reported
    assert Path("x.pdf").read_bytes() == old_sheet
    assert sorted(path.name for path in Path().iterdir() if "x.pdf" in path.name) == ["x.pdf"]


def test_a_folder_without_rights_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "locked/.x.pdf.part")

    monkeypatch.setattr("tempfile.mkstemp", refused)
    assert run(["sheet", "small", "-o", "x.pdf"]) == 2
    assert "x.pdf cannot be written: Permission denied." in capsys.readouterr().err


def test_a_fold_sheet_has_no_second_side(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings(project, "layout: poker-a4-fold\n")
    assert run(["sheet", "small", "-o", "x.pdf"]) == 0
    assert run(["sheet", "small", "-o", "x.pdf", "--backs"]) == 2
    assert "A fold sheet has fronts and backs on one side" in capsys.readouterr().err


def test_exact_slots_cannot_be_folded(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(project, "{id: a, slots: [{x: 10, y: 10}]}", capsys)
    assert run(["sheet", "small", "-o", "x.pdf", "--layout", "a", "--fold"]) == 2
    assert "The layout 'a' has exact slots, which cannot be folded" in capsys.readouterr().err


def test_paper_longer_than_any_printer_takes_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["sheet", "small", "-o", "a.pdf", "--paper", "200000x297mm"]) == 2
    assert "each side below 1000 mm" in capsys.readouterr().err


def test_a_number_that_is_not_whole_is_reported_once_and_of_its_form(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(check(project, "{id: a, columns: 0.5}", capsys).splitlines()) == 1
    assert len(check(project, "{id: a, slots: [{x: 10, y: 10, turn: 45.5}]}", capsys).splitlines()) == 1
    check(project, "{id: a, slots: [{x: 10, y: 10, turn: 45}]}", capsys)
    run(["check", "small"])
    assert "= Write 0, 90, 180 or 270." in capsys.readouterr().out


def test_sizes_that_have_a_name_are_listed(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(project, "{id: a, paper: b5}", capsys)
    run(["check", "small"])
    assert "= Choose one of these: a4, letter, a3, tabloid." in capsys.readouterr().out


def test_team_is_proposed_for_the_backs_of_operators(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (project / "opforge.yaml").open("a", encoding="utf-8") as file:
        file.write("backs: {operator: tem}\n")
    assert run(["check", "small"]) == 1
    assert "= Did you mean `team`?" in capsys.readouterr().out


def test_a_kind_is_printed_in_a_shape_for_which_there_is_a_template(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sheet", "small", "-o", "x.pdf", "--layout", "round-a4", "--kind", "operator"]) == 2
    reported = capsys.readouterr().err
    assert (
        "OPERATOR cards cannot be printed round: there is no template operator-round.html.jinja." in reported
    )
    settings(project, "card_sizes: {operator: hex-50mm}\n")
    assert run(["check", "small", "--format", "concise"]) == 1
    reported = capsys.readouterr().out
    assert "opforge.yaml:6:24: error[shape-without-template]: OPERATOR cards cannot be printed" in reported
    assert run(["cards", "small", "-o", "pictures", "--kind", "operator"]) == 2
    template = project / "templates" / "operator-hex.html.jinja"
    template.parent.mkdir()
    template.write_text('{% extends "objective-hex.html.jinja" %}', encoding="utf-8")
    assert run(["check", "small", "--fit"]) == 0
    assert run(["sheet", "small", "-o", "x.pdf", "--kind", "operator", "--backs", "--stamp", "--proof"]) == 0
    assert run(["cards", "small", "-o", "pictures", "--kind", "operator"]) == 0


def test_layouts_of_a_shape_say_which_kinds_have_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["layouts", "small", "--all", "--format", "json"]) == 0
    listed = {entry["id"]: entry for entry in json.loads(capsys.readouterr().out)["layouts"]}
    assert (listed["hex-a4"]["kinds"], listed["hex-a4"]["card"]["shape"]) == (["objective"], "hex")
    assert (listed["poker-a4"]["card"]["shape"], len(listed["poker-a4"]["kinds"])) == ("rect", 7)


@pytest.mark.usefixtures("cards_read_once")
def test_shipped_objectives_fit_in_every_shape(capsys: pytest.CaptureFixture[str]) -> None:
    project = copytree(cards_folder(), Path("cards"))
    text = (project / "opforge.yaml").read_text(encoding="utf-8")
    looks = some([*product(["round", "hex"], ["en", "de"], ["classic", "tournament"])], 2, 5)
    printed = {}
    for size, language, theme in looks:
        shape = f"card_sizes: {{objective: {size}}}\ntheme: {theme}\n"
        (project / "opforge.yaml").write_text(text + shape, encoding="utf-8")
        command = ["sheet", "cards", "-o", "x.pdf", "--kind", "objective", "--lang", language, "--backs"]
        status = run(command)
        printed[size, language, theme] = status, capsys.readouterr().out.partition(" on ")[0]
    assert printed == dict.fromkeys(looks, (0, "x.pdf: 12 cards"))


def test_the_fit_is_checked_in_another_theme(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    loud = project / "templates" / "themes" / "loud"
    loud.mkdir(parents=True)
    (loud / "attack.html.jinja").write_text("{{ nothing }}", encoding="utf-8")
    assert run(["check", "small", "--fit", "--card", "aimed-shot"]) == 0
    capsys.readouterr()
    assert run(["check", "small", "--fit", "--card", "aimed-shot", "--theme", "loud"]) == 1
    assert "loud/attack.html.jinja:1" in capsys.readouterr().out
    assert run(["check", "small", "--fit", "--theme", "lout"]) == 2
    assert "There is no theme 'lout'. Did you mean 'loud'?" in capsys.readouterr().err
    assert run(["check", "small", "--theme", "loud"]) == 2
    assert "--theme belongs to --fit." in capsys.readouterr().err


def test_the_fit_is_checked_in_another_look(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "templates").mkdir()
    quarrel = "{{ nothing if look.layout == 'full-art' }}{% extends 'shipped/attack.html.jinja' %}"
    (project / "templates" / "attack.html.jinja").write_text(quarrel, encoding="utf-8")
    assert run(["check", "small", "--fit", "--card", "aimed-shot", "--look", "dusk"]) == 0
    capsys.readouterr()
    assert run(["check", "small", "--fit", "--card", "aimed-shot", "--look", "arcade"]) == 1
    assert "attack.html.jinja:1" in capsys.readouterr().out
    assert run(["check", "small", "--fit", "--look", "dsk"]) == 2
    assert "There is no look 'dsk'. Did you mean 'dusk'?" in capsys.readouterr().err
    assert run(["check", "small", "--look", "dusk"]) == 2
    assert "--look belongs to --fit." in capsys.readouterr().err
