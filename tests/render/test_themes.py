"""Themes and low ink: where files are looked for, and that kinds can be told apart in every one."""

from __future__ import annotations

import re
from itertools import combinations, product
from pathlib import Path

import pytest

from tests.render import samples
from tests.render.pdf_text import opened, text_of
from tests.thoroughness import some
from toolkit.apps.cli import run
from toolkit.press.sheet import SheetSettings, render_sheet
from toolkit.project.faces import roots_of, unknown_theme
from toolkit.project.pipeline import open_project
from toolkit.render.checks.appearance_findings import MIN_CONTRAST
from toolkit.render.colours import contrast
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.face import KINDS, Face, Kind
from toolkit.render.fetch import DEFAULT_THEME, Fetcher, Roots, list_themes
from toolkit.render.pages import FaceOptions, Pages, page_size
from toolkit.render.renderer import Raster
from toolkit.render.sizes import CARD_SIZES

POKER = CARD_SIZES["poker"]
THEMES = ("classic", "tournament")
GRID = 12


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    project = tmp_path / "project"
    (project / "templates" / "themes" / "mine").mkdir(parents=True)
    return project


def one_of_each(lang: str, name: str = "{}", **changes: object) -> list[Face]:
    named = {kind: name.format(samples.LABELS[lang][kind].title()) for kind in KINDS}
    deck = [samples.deck_card(kind, named[kind], lang, **changes) for kind in KINDS[1:-1]]
    return [samples.operator(named["operator"], lang), *deck, samples.objective(named["objective"], lang)]


def test_a_theme_takes_what_it_lacks_from_the_templates_around_it(project: Path) -> None:
    own = project / "templates"
    (own / "icons").mkdir()
    for path in ("one.css", "two.css", "themes/mine/one.css", "icons/moon.svg"):
        (own / path).write_text("")
    mine, plain = Roots(project, theme="mine"), Roots(project)
    assert mine.find("one.css") == own / "themes" / "mine" / "one.css"
    assert mine.find("two.css") == plain.find("two.css") == own / "two.css"
    assert plain.find("one.css") == own / "one.css"
    assert mine.find("base.css") == mine.templates / "base.css"
    assert mine.find("nothing") is None


def test_a_projects_file_stands_before_the_shipped_one_of_the_same_theme_only(project: Path) -> None:
    (project / "templates" / "attack.html.jinja").write_text("mine")
    tournament = Roots(project, theme="tournament")
    assert tournament.find("attack.html.jinja") == tournament.shipped[0] / "attack.html.jinja"
    inside = project / "templates" / "themes" / "tournament"
    inside.mkdir()
    (inside / "attack.html.jinja").write_text('{% extends "shipped/attack.html.jinja" %}')
    assert tournament.find("attack.html.jinja") == inside / "attack.html.jinja"
    filled = Pages(POKER, Fetcher(tournament)).card(samples.deck_card("attack", "Shot"), 0, {})
    assert isinstance(filled, str)
    assert "Shot" in filled


def test_the_themes_that_there_are(project: Path) -> None:
    assert list_themes(project) == ["classic", "mine", "tournament"]
    assert unknown_theme(project, "mine") is None
    assert unknown_theme(project, None) is None
    assert "Did you mean 'tournament'?" in str(unknown_theme(project, "tornament"))


def test_a_project_names_its_theme(project: Path) -> None:
    (project / "opforge.yaml").write_text("project: P\ntheme: tournament\n")
    workspace = open_project(project)
    assert [found.name for found in workspace.findings] == ["no-cards"]
    assert roots_of(workspace).theme == "tournament"
    assert roots_of(workspace, "mine").theme == "mine"
    (project / "opforge.yaml").write_text("project: P\ntheme: tournamnt\n")
    workspace = open_project(project)
    (finding,) = (found for found in workspace.findings if found.name != "no-cards")
    assert (finding.name, finding.span.text) == ("unknown-theme", "tournamnt")
    assert roots_of(workspace).theme == DEFAULT_THEME


@pytest.mark.parametrize(
    ("theme", "lang", "low_ink"), some([*product(THEMES, ["en", "de"], [False, True])], 1, 6)
)
def test_every_kind_is_printed_in_every_theme(project: Path, theme: str, lang: str, low_ink: bool) -> None:
    faces = [*one_of_each(lang), *one_of_each(lang, "Fernmeldeturmüberwachungsanlage {}")]
    settings = SheetSettings(face_options=FaceOptions(low_ink=low_ink))
    result = render_sheet(faces, settings, Roots(project, theme=theme))
    assert result.diagnostics == ()
    assert result.cards == len(faces)
    text = "\n".join(text_of(page.obj) for page in opened(result.pdf).pages)
    for face in faces[: len(KINDS)]:
        assert face.name in text
        assert face.kind_label in text


def drawn(faces: list[Face], theme: str, face_options: FaceOptions, project: Path) -> list[Raster]:
    """The faces as pictures of few dots."""
    engine = choose_renderer()
    assert not isinstance(engine, NoEngine)
    fetcher = Fetcher(Roots(project, theme=theme))
    pages = Pages(POKER, fetcher, face_options)
    made = [pages.document([_sound(pages.card(face, number, {}))]) for number, face in enumerate(faces)]
    return [next(engine.rasters(_text(html), page_size(POKER), 0, 30, fetcher)) for html in made]


def _sound(page: object) -> object:
    assert not hasattr(page, "message"), page
    return page


def _text(html: object) -> str:
    assert isinstance(html, str)
    return html


def greys(raster: Raster) -> list[float]:
    """How bright the picture is in each of a grid of fields, as a printer without colour would print it."""
    width, height = raster.width // GRID, raster.height // GRID
    fields = []
    for top in range(GRID):
        for left in range(GRID):
            light = 0.0
            for y in range(top * height, (top + 1) * height):
                row = 4 * (y * raster.width + left * width)
                blue, green, red = (sum(raster.bgra[row + part : row + 4 * width : 4]) for part in range(3))
                light += 0.114 * blue + 0.587 * green + 0.299 * red
            fields.append(light / (width * height))
    return fields


@pytest.mark.parametrize(("theme", "low_ink"), some([*product(THEMES, [False, True])], 1, 2))
def test_kinds_differ_in_grey_by_more_than_their_words(project: Path, theme: str, low_ink: bool) -> None:
    faces = [samples.operator("Same"), *(samples.deck_card(kind, "Same") for kind in KINDS[1:-1])]
    face_options = FaceOptions(low_ink=low_ink)
    shown = dict(zip(KINDS, map(greys, drawn(faces, theme, face_options, project)), strict=False))
    words = drawn(
        [samples.deck_card("attack", "Same"), samples.deck_card("attack", "Sane")],
        theme,
        face_options,
        project,
    )
    noise = difference(*map(greys, words))
    for one, other in combinations(shown, 2):
        apart = difference(shown[one], shown[other])
        assert apart > max(4 * noise, 1.5 if low_ink else 3.0), (one, other, apart, noise)


def difference(one: list[float], other: list[float]) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) / len(one)


@pytest.mark.parametrize("theme", THEMES)
def test_low_ink_takes_little_ink_and_no_colour(project: Path, theme: str) -> None:
    for raster in drawn(one_of_each("en"), theme, FaceOptions(low_ink=True), project):
        inked = [255 - light for light in greys(raster)]
        assert sum(inked) / len(inked) < 26
        pixels = range(0, len(raster.bgra), 4)
        assert all(max(raster.bgra[at : at + 3]) - min(raster.bgra[at : at + 3]) < 3 for at in pixels)


def test_low_ink_holds_for_templates_of_ones_own(project: Path) -> None:
    (project / "templates" / "attack.html.jinja").write_text(
        '<section class="page" style="width:69rem; height:94rem; background-color:#000000">'
        '<svg viewBox="0 0 69 94"><rect width="69" height="94" fill="#00aa00"/></svg>'
        '<img class="place" src="{{ gradient("#000000", "#000000") }}" style="width:69rem; height:94rem">'
        '<div style="color:#ff0000">{{ "low" if low_ink }}</div></section>'
    )
    (raster,) = drawn([samples.deck_card("attack", "Shot")], "classic", FaceOptions(low_ink=True), project)
    assert sum(255 - light for light in greys(raster)) / GRID**2 < 10


@pytest.mark.parametrize("theme", THEMES)
def test_low_ink_has_a_line_at_the_cut_and_nothing_beyond(project: Path, theme: str) -> None:
    for raster in drawn(one_of_each("en"), theme, FaceOptions(low_ink=True), project):
        middle = raster.bgra[4 * raster.width * (raster.height // 2) :][: 4 * raster.width]
        bleed = int(2.5 / 69 * raster.width)
        assert min(middle[: 4 * bleed]) == 255 == min(middle[-4 * bleed :])
        cut = 4 * int(66 / 69 * raster.width)
        assert min(middle[cut - 8 : cut + 8]) < 245
        assert min(raster.bgra[: 4 * raster.width * bleed]) == 255


@pytest.mark.parametrize("kind", KINDS[:-1])
def test_texts_have_room_of_the_picture_in_low_ink(project: Path, kind: Kind) -> None:
    text = samples.RulesText(None, (samples.words("To hold your ground. " * 8),))
    face = samples.deck_card(kind, "Text", skills=(text,))

    def room(face_options: FaceOptions) -> float:
        page = _sound(Pages(POKER, Fetcher(Roots(project)), face_options).card(face, 0, {}))
        (found,) = re.findall(r'class="place text[^>]* height:([\d.]+)rem', str(page))
        return float(found)

    assert room(FaceOptions(low_ink=True)) > room(FaceOptions()) + 3


@pytest.mark.parametrize("kind", KINDS)
def test_the_lines_of_the_classic_kinds_can_be_told_from_their_grounds(kind: str) -> None:
    text = (Roots(Path()).templates / f"{kind}.html.jinja").read_text()
    colours = dict(re.findall(r'set (ground|deep|line) = "(#[0-9a-f]{6})"', text))
    for ground in ("ground", "deep"):
        if ground in colours:
            assert contrast(colours[ground], colours["line"]) >= MIN_CONTRAST


def test_the_command_prints_in_a_theme_and_with_low_ink(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "opforge.yaml").write_text("project: P\n")
    (project / "cards.yaml").write_text(
        "cards: [{id: a, kind: attack, name: A, effect: 'when attacking, self gets +2 AP.'}]"
    )
    sheet = ["sheet", str(project), "-o", str(project / "a.pdf")]
    pdfs = set()
    for more in ([], ["--theme", "tournament"], ["--low-ink"], ["--theme", "tournament", "--low-ink"]):
        assert run([*sheet, *more]) == 0
        pdfs.add((project / "a.pdf").read_bytes())
    assert len(pdfs) == 4
    assert run([*sheet, "--theme", "turnament"]) == 2
    assert "Did you mean 'tournament'?" in capsys.readouterr().err


def test_where_no_card_can_be_printed_the_old_sheet_stays(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "opforge.yaml").write_text("project: P\n")
    (project / "cards.yaml").write_text(
        "cards: [{id: a, kind: attack, name: A, effect: 'when attacking, self gets +2 AP.'}]"
    )
    (project / "templates" / "attack.html.jinja").write_text("{{ face.nmae }}")
    (project / "a.pdf").write_bytes(b"%PDF-old")
    for command in (["sheet"], ["cards", "--service", "drivethrucards"]):
        assert run([*command, str(project), "-o", str(project / "a.pdf")]) == 1
        assert (project / "a.pdf").read_bytes() == b"%PDF-old"
        told = capsys.readouterr()
        assert told.out == "Nothing was printed.\n"
        assert "Did you mean `name`?" in told.err
