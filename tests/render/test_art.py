"""A card's picture and where it is cut, its small print, and fonts of the project."""

from __future__ import annotations

import struct
from pathlib import Path
from shutil import copy, copytree

import pytest
from click.testing import CliRunner
from PIL import Image

from tests.render.pdf_text import fonts_of, opened, text_of
from toolkit.apps.cli.program import cli
from toolkit.project.pipeline import open_project
from toolkit.render.font_files import tables_of
from toolkit.resources import templates_folder

PROJECTS = Path(__file__).parent.parent / "projects"
RED, BLUE, GREEN, WHITE = (220, 20, 20), (20, 20, 220), (20, 180, 20), (250, 250, 250)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The small project, with a picture of four colours for the ATTACK card."""
    project = copytree(PROJECTS / "small", tmp_path / "small")
    picture = Image.new("RGB", (800, 800))
    for number, colour in enumerate((RED, BLUE, GREEN, WHITE)):
        left, top = number % 2 * 400, number // 2 * 400
        picture.paste(colour, (left, top, left + 400, top + 400))
    picture.save(project / "four.png")
    return project


def write(project: Path, card: str = "", settings: str = "") -> None:
    file = project / "cards.yaml"
    text = file.read_text(encoding="utf-8").replace("    kind: attack\n", f"    kind: attack\n{card}")
    file.write_text(text, encoding="utf-8")
    with (project / "opforge.yaml").open("a", encoding="utf-8") as opened:
        opened.write(settings)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    return result.output


def colours(card: Path) -> set[tuple[int, int, int]]:
    """Which of the picture's colours are seen on the card."""
    with Image.open(card) as picture:
        most = picture.width * picture.height
        seen = [pixel[:3] for _, pixel in picture.convert("RGB").getcolors(most) or ()]  # type: ignore[index]
    return {
        colour
        for colour in (RED, BLUE, GREEN)
        if any(max(abs(a - b) for a, b in zip(colour, one, strict=True)) < 12 for one in seen)
    }


def test_the_focus_stays_in_sight(project: Path) -> None:
    expected = {
        "four.png": {RED, BLUE, GREEN},
        "{file: four.png}": {RED, BLUE, GREEN},
        "{file: four.png, focus: [0, 0], zoom: 3}": {RED},
        "{file: four.png, focus: [1, 0], zoom: 3}": {BLUE},
        "{file: four.png, focus: [0, 1], zoom: 3}": {GREEN},
    }
    (project / "focused.yaml").write_text(
        "cards:\n"
        + "".join(
            f"  - {{id: focused-{number}, kind: attack, name: F{number}, art: {art},"
            " effect: 'when attacking, self gets +2 AP.'}\n"
            for number, art in enumerate(expected)
        ),
        encoding="utf-8",
    )
    chosen = [part for number in range(len(expected)) for part in ("--card", f"focused-{number}")]
    run("cards", str(project), "-o", str(project / "out"), *chosen, "--dpi", "40")
    found = (colours(project / "out" / f"focused-{number}.png") for number in range(len(expected)))
    assert dict(zip(expected, found, strict=True)) == expected


def test_a_transparent_picture_lies_on_the_ground_of_its_kind(project: Path) -> None:
    Image.new("RGBA", (300, 300), (0, 0, 0, 0)).save(project / "clear.png")
    write(project, "    art: clear.png\n")
    grounds = []
    for options in ((), ("--card", "aimed-shot")):
        run("cards", str(project), "-o", str(project / "out"), "--dpi", "40", *options)
        with Image.open(project / "out" / "aimed-shot.png") as picture:
            grounds.append(picture.convert("RGB").getpixel((picture.width // 2, picture.height // 3)))
    ground = grounds[0]
    assert isinstance(ground, tuple)
    assert max(ground) < 140
    assert ground[0] > 2 * ground[1]  # the dark red of ATTACK cards, not white or black


@pytest.mark.parametrize(
    ("art", "name"),
    [
        ("{file: missing.png}", "missing-picture"),
        ("{file: cards.yaml}", "not-a-picture"),
        ("{focus: [0, 0]}", "missing-key"),
        ("{file: four.png, focus: [2, 0]}", "out-of-range"),
        ("{file: four.png, focus: [0.5]}", "wrong-type"),
        ("{file: four.png, zoom: 0.5}", "out-of-range"),
        ("{file: four.png, zom: 2}", "unknown-key"),
        ("[four.png]", "wrong-type"),
    ],
)
def test_what_is_wrong_with_a_picture_is_reported_at_its_place(project: Path, art: str, name: str) -> None:
    write(project, f"    art: {art}\n")
    found = [finding for finding in open_project(project).findings if finding.name != "unused-art"]
    assert [finding.name for finding in found] == [name]
    assert found[0].span.file.path.name == "cards.yaml"


def printed(project: Path) -> str:
    run("sheet", str(project), "-o", str(project / "out.pdf"), "--card", "aimed-shot")
    with opened((project / "out.pdf").read_bytes()) as pdf:
        return text_of(pdf.pages[0].obj)


def test_small_print_is_printed(project: Path) -> None:
    small = "    artist: Jane Doe\n    set: Night\n    number: 12/60\n    version: 1.1\n"
    before = printed(project)
    write(project, small, "set_symbols: {Night: four.png}\n")
    after = printed(project)
    for words in ("Jane Doe", "Night 12/60", "v1.1"):
        assert words.replace(" ", "") in after.replace(" ", "")
        assert words.replace(" ", "") not in before.replace(" ", "")


def test_small_print_that_is_too_long_is_reported(project: Path) -> None:
    write(project, f"    artist: {'Johannes Chrysostomus ' * 4}\n")
    result = CliRunner().invoke(cli, ["check", str(project), "--fit"])
    assert "line of `set`, `number`, `artist` and `version`" in result.output
    assert "text-overflow" in result.output


def test_fonts_of_the_project_take_the_place_of_the_shipped_ones(project: Path) -> None:
    copy(templates_folder() / "fonts" / "BarlowCondensed-Medium.ttf", project / "Own.ttf")
    fonts: list[set[str]] = []
    for settings in ("", "fonts: {display: Own.ttf}\n"):
        write(project, settings=settings)
        printed(project)
        with opened((project / "out.pdf").read_bytes()) as pdf:
            fonts.append(set(fonts_of(pdf)))
    assert "BarlowCondensed-Bold" in fonts[0] - fonts[1]
    assert "BarlowCondensed-Medium" in fonts[1]


@pytest.mark.parametrize("font", ["missing.ttf", "../Own.ttf", "Own", "four.png"])
def test_a_font_that_cannot_be_used_is_reported(project: Path, font: str) -> None:
    write(project, settings=f"fonts: {{text: {font}}}\n")
    found = [finding for finding in open_project(project).findings if finding.name != "unused-art"]
    assert [finding.name for finding in found] == ["unusable-font"]
    assert found[0].span.text == font


def test_a_font_that_is_too_wide_for_labels_is_reported(project: Path) -> None:
    """Names and texts shrink; the word OPERATOR and SQUADPOINTS do not, and were cut off in silence."""
    wide = bytearray((templates_folder() / "fonts" / "BarlowCondensed-Medium.ttf").read_bytes())
    tables = {tag: (start, length) for tag, _, start, length in tables_of(bytes(wide))}
    (metrics,) = struct.unpack_from(">H", wide, tables[b"hhea"][0] + 34)
    for place in range(tables[b"hmtx"][0], tables[b"hmtx"][0] + 4 * metrics, 4):
        struct.pack_into(">H", wide, place, 2 * struct.unpack_from(">H", wide, place)[0])
    (project / "Wide.ttf").write_bytes(wide)
    write(project, settings="fonts: {display: Wide.ttf}\n")
    output = CliRunner().invoke(cli, ["check", str(project), "--fit"]).output
    for words in ("word for the kind of Viper", "label of SQUADPOINTS of Viper", "narrower `display` font"):
        assert words in output
