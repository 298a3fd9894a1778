"""``look`` of the project file: tones that can be read, checked values, and what they change in print."""

from __future__ import annotations

import re
import shutil
from itertools import product
from pathlib import Path

import pikepdf
import pytest
from fontTools import subset
from fontTools.ttLib import TTFont
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.engine.tables import shipped
from tests.render import samples
from tests.thoroughness import THOROUGH, examples, some
from toolkit.apps.cli import run
from toolkit.data.looks import Look, shipped_looks
from toolkit.data.schemas.look_schema import (
    CORNERS,
    FULL_ART,
    ICONS,
    LAYOUTS,
    LOOKS,
    ROLES,
    SHIPPED_FONTS,
    TEXTURES,
)
from toolkit.products.changes.appearance_diff import AppearanceComparison
from toolkit.project.faces import faces, roots_of
from toolkit.project.pipeline import Workspace, open_project
from toolkit.render.checks.fit_check import check_fit
from toolkit.render.checks.look_findings import look_findings
from toolkit.render.colours import DARK, MIN_CONTRAST, contrast, ink
from toolkit.render.face import KINDS, Face, fingerprint
from toolkit.render.fetch import Fetcher, Roots, layout_template
from toolkit.render.ornaments import load_icons
from toolkit.render.pages import FaceOptions, Pages
from toolkit.render.sizes import CARD_SIZES
from toolkit.render.tones import MIN_ON_PAPER, most_contrast, muted, page_tones, tones
from toolkit.resources import templates_folder

COLOURS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)

RECTANGLES = [name for name, size in CARD_SIZES.items() if size.shape == "rect"]
SETTINGS = "project: Looks\nlanguages: [en, de]\n"
CARDS = """\
teams: [{id: owls, name: Owls, colours: ["#1d2b3a", "#e8c547"]}]
cards:
  - {id: hawk, kind: operator, name: Hawk, team: owls, squadpoints: 4, ap: 4, ep: 3, dp: 6, mp: 2}
  - {id: shot, kind: attack, name: Shot, effect: "while attacking, self gets +1 AP."}
  - {id: wall, kind: defence, name: Wall, effect: "while attacked, self gets +1 EP."}
"""


def project_with(folder: Path, look: str) -> Workspace:
    """A project of three cards whose project file ends with these lines."""
    folder.mkdir(exist_ok=True)
    (folder / "opforge.yaml").write_text(f"{SETTINGS}{look}\n", encoding="utf-8")
    (folder / "cards.yaml").write_text(CARDS, encoding="utf-8")
    return open_project(folder)


def pages_of(look: Look, low_ink: bool = False, roots: Roots | None = None) -> dict[str, str]:
    """The page of a card of each kind in a look, and by ``""`` the document around them."""
    cards = [samples.deck_card(kind, "Card") for kind in KINDS[1:-1]]
    roots = roots or Roots(templates_folder())
    pages = Pages(CARD_SIZES["poker"], Fetcher(roots), FaceOptions(low_ink=low_ink, look=look))
    printed = [samples.operator("Card"), *cards, samples.objective("Card")]
    return {face.kind: str(pages.card(face, 0, {})) for face in printed} | {"": str(pages.document([]))}


@given(COLOURS, st.none() | COLOURS)
@examples(600)
def test_all_tones_of_a_colour_can_be_read_on_each_other(ground: str, line: str | None) -> None:
    tone = tones(ground, line)
    assert tone.ground == ground
    for colour in (tone.words, tone.line):
        assert contrast(colour, tone.ground) >= MIN_CONTRAST
        assert contrast(colour, tone.deep) >= MIN_CONTRAST
    if line is not None and contrast(line, ground) >= MIN_CONTRAST:
        assert tone.line == line


@given(COLOURS, st.none() | COLOURS)
@examples(400)
def test_words_of_white_pages_can_be_read_in_the_tones_of_any_colour(ground: str, line: str | None) -> None:
    page = page_tones(tones(ground, line))
    for words, paper in (
        *product((page.words, page.light), (page.head,)),
        *product((page.title, page.accent), ("#ffffff", page.soft, page.warm)),
        *product((DARK,), (page.soft, page.warm)),
    ):
        assert contrast(words, paper) >= MIN_CONTRAST, (words, paper)
    assert contrast(page.line, "#ffffff") >= 3


@given(COLOURS)
@examples(200)
def test_words_that_stand_back_can_still_be_read_on_paper(paper: str) -> None:
    assert contrast(muted(paper), paper) >= min(MIN_ON_PAPER, most_contrast(paper)) - 0.01
    assert contrast(ink(paper), paper) >= MIN_CONTRAST


def test_the_shipped_looks_are_those_that_are_named_and_have_no_finding() -> None:
    assert tuple(shipped_looks()) == LOOKS
    project = shipped().cards.project
    for look in shipped_looks().values():
        assert list(look_findings(replace(project, look=look))) == []
        assert {kind for kind, _ in look.palette} >= set(KINDS)
        assert look.icons in ICONS


def test_shipped_fonts_and_sets_of_icons_are_there() -> None:
    css = (templates_folder() / "base.css").read_text(encoding="utf-8")
    of_themes = {family for family, file in SHIPPED_FONTS.items() if not file}
    assert set(re.findall(r'@font-face { font-family: "([^"]+)"', css)) == of_themes
    files = {path.name for path in (templates_folder() / "fonts" / "looks").glob("*.ttf")}
    assert files == {file for file in SHIPPED_FONTS.values() if file}
    assert all(f"--font-{role}" in css for role in ROLES)
    solid, _ = load_icons(Roots(Path("nowhere")))
    for name in ICONS[1:]:
        icons, refused = load_icons(Roots(Path("nowhere"), icons=name))
        assert not refused
        assert all(icons[icon] != solid[icon] for icon in solid), name


def test_a_palette_changes_its_kind_and_no_other() -> None:
    plain = pages_of(Look())
    for kind in KINDS if THOROUGH else ("operator", "attack", "objective"):
        changed = pages_of(Look(palette=((kind, ("#2f4a2b",)),)))
        is_team_card = kind == "operator"  # the OPERATOR of a TEAM has the colours of its TEAM
        assert [name for name in plain if plain[name] != changed[name]] == ([] if is_team_card else [kind])
    paper = pages_of(Look(palette=(("paper", ("#203040",)),)))
    assert "--paper: #203040; --ink: #ffffff" in paper[""]


@pytest.mark.parametrize("size", RECTANGLES if THOROUGH else ["mini-us"])
@pytest.mark.parametrize("layout", LAYOUTS[1:])
def test_cards_fit_in_each_layout(layout: str, size: str) -> None:
    """Of the shipped set one card of each kind, that with the longest text; in a quick run in German."""
    pytest.importorskip("plutoprint")
    look = Look(layout=layout, corner="round", texture="weave")
    kinds = KINDS if layout == FULL_ART else ("operator",)
    themes = ("classic", "tournament") if layout == FULL_ART else ("classic",)
    for language in ("en", "de") if THOROUGH else ("de",):
        every = samples.shipped_faces(language)
        cards = [max((face for face in every if face.kind == kind), key=_length) for kind in kinds]
        options = FaceOptions(look=look)
        for theme in themes:
            assert check_fit(cards, CARD_SIZES[size], roots_of(shipped(), theme), options) == []


def test_full_art_of_the_tournament_theme_has_pictures_above_the_text() -> None:
    roots = Roots(templates_folder(), theme="tournament")
    assert {layout_template(roots, kind, FULL_ART) for kind in KINDS} == {f"{FULL_ART}.html.jinja"}
    usual, full_art = pages_of(Look(), roots=roots), pages_of(Look(layout=FULL_ART), roots=roots)
    for kind in KINDS:
        picture, text = (_top_of(full_art[kind], words) for words in ("placeholder", "place text"))
        assert picture < text, kind
        if kind not in ("operator", "objective"):  # whose pictures and values stand above the text anyway
            assert _top_of(usual[kind], "placeholder") > _top_of(usual[kind], "place text")
        assert full_art[kind].count('class="frame shared"') == 1


def _top_of(page: str, element: str) -> float:
    match = re.search(rf'class="{element}" style="left:[-.\d]+rem; top:([-.\d]+)rem', page)
    assert match, element
    return float(match[1])


def _length(face: Face) -> int:
    return face.characters


def test_corner_and_texture_change_every_kind() -> None:
    plain = pages_of(Look())
    for texture in TEXTURES[1:]:
        textured = pages_of(Look(texture=texture))
        assert all(f"url(#{texture}-" in textured[kind] for kind in KINDS)
        without_ink = pages_of(Look(texture=texture), low_ink=True)
        assert not any(f"url(#{texture}-" in page for page in without_ink.values())
    for corner in CORNERS:
        changed = pages_of(Look(corner=corner))
        as_it_is = {"round": ["defence"], "square": ["strategy", "objective"], "cut": ["item"]}[corner]
        assert [kind for kind in KINDS if plain[kind] == changed[kind]] == as_it_is


def test_a_template_of_ones_own_decides_which_layouts_there_are(tmp_path: Path) -> None:
    roots = Roots(tmp_path)
    assert layout_template(roots, "attack", FULL_ART) == f"{FULL_ART}.html.jinja"
    assert layout_template(roots, "attack", "standard") is None
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "attack.html.jinja").write_text("mine")
    assert layout_template(roots, "attack", FULL_ART) is None
    assert layout_template(roots, "item", FULL_ART) == f"{FULL_ART}.html.jinja"
    theme = tmp_path / "templates" / "themes" / "mine"
    theme.mkdir(parents=True)
    for kind in KINDS:
        (theme / f"{kind}.html.jinja").write_text("mine")
    assert layout_template(replace(roots, theme="mine"), "item", FULL_ART) is None
    wrong = project_with(tmp_path, "theme: mine\nlook: {layout: full-art}")
    assert [finding.span.text for finding in wrong.findings if finding.name == "unknown-value"] == [FULL_ART]


def test_what_is_no_value_reaches_no_page(tmp_path: Path) -> None:
    """A colour that is CSS, a font that is none: findings at the values; all others are used."""
    workspace = project_with(
        tmp_path,
        "look:\n"
        "  like: dsk\n"
        "  palette:\n"
        '    attack: "red;}@import url(evil.css);{"\n'
        '    defence: "#123456"\n'
        '    effect: ["#123456", "#1a3d60"]\n'
        '    paper: "#7d7d7d"\n'
        '    teams: {owl: "#112233", owls: "#445566"}\n'
        "  fonts:\n"
        "    names: Arial\n"
        "    rules: fonts/none.ttf\n"
        "    labels: '\"};*{color:red}.ttf'\n"
        "    figures: Barlow Condensed\n"
        "  icons: lines",
    )
    names = [
        *("unknown-value", "invalid-colour", "low-contrast", "low-contrast", "unknown-team"),
        *("unusable-font", "unusable-font", "unusable-font", "unknown-value"),
    ]
    found = sorted(workspace.findings, key=lambda finding: finding.span.start)
    assert [finding.name for finding in found if finding.span.file.path.name == "opforge.yaml"] == names
    look = workspace.cards.project.look
    assert look.colours("attack") is None
    assert look.colours("defence") == ("#123456",)
    printed = "".join(pages_of(look, roots=roots_of(workspace)).values())
    assert "#123456" in printed
    assert '--font-figures: "Barlow Condensed"' in printed
    assert not re.search(r"@import|evil|Arial|none\.ttf|color:red", printed)
    hawk = next(iter(faces(workspace, "en")))
    assert hawk.team_colours == ("#445566", tones("#445566").line)


def test_a_path_is_no_set_of_icons_and_no_other_folder_is_proposed(tmp_path: Path) -> None:
    """But of words the nearest shipped set is."""
    steps = {}
    for written in ("../../etc", "Solid"):
        (finding,) = [
            finding
            for finding in project_with(tmp_path, f"look: {{icons: {written}}}").findings
            if finding.name == "invalid-id"
        ]
        steps[written] = finding.next_step
    assert "a folder in templates/icons" in steps["../../etc"]
    assert "etc" not in steps["../../etc"]
    assert steps["Solid"] == "Did you mean `solid`?"


def test_a_shipped_look_by_name_and_as_a_beginning(tmp_path: Path) -> None:
    dusk = shipped_looks()["dusk"]
    assert project_with(tmp_path, "look: dusk").cards.project.look == dusk
    look = project_with(tmp_path, 'look: {like: dusk, palette: {attack: "#123456"}}').cards.project.look
    assert look.colours("attack") == ("#123456",)
    assert look.colours("defence") == dusk.colours("defence")
    wrong = project_with(tmp_path, "look: dusc")
    assert [finding.name for finding in wrong.findings][:1] == ["unknown-value"]
    assert wrong.cards.project.look == Look()
    assert project_with(tmp_path, "look: [dusk]").cards.project.look == Look()


def test_a_font_without_digits_is_a_finding(tmp_path: Path) -> None:
    font = TTFont(templates_folder() / "fonts" / "BarlowCondensed-Bold.ttf")
    letters = subset.Subsetter()
    letters.populate(text="ABCabc")
    letters.subset(font)
    (tmp_path / "fonts").mkdir()
    font.save(tmp_path / "fonts" / "Letters.ttf")
    for setting in ("fonts: {display: fonts/Letters.ttf}", "look: {fonts: {figures: fonts/Letters.ttf}}"):
        findings = [f for f in project_with(tmp_path, setting).findings if f.name == "unusable-font"]
        assert [finding.span.text for finding in findings] == ["fonts/Letters.ttf"]
        assert "digits" in findings[0].message


def test_fonts_of_a_role_are_named_in_the_document(tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    shipped_font = templates_folder() / "fonts" / "BarlowSemiCondensed-Regular.ttf"
    (tmp_path / "fonts" / "Own.ttf").write_bytes(shipped_font.read_bytes())
    workspace = project_with(tmp_path, "look: {fonts: {names: fonts/Own.ttf, rules: Barlow Condensed}}")
    assert not [finding for finding in workspace.findings if finding.name == "unusable-font"]
    document = pages_of(workspace.cards.project.look, roots=roots_of(workspace))[""]
    assert '--font-names: "own name", "Barlow Condensed"' in document
    assert '--font-rules: "Barlow Condensed", "Barlow Semi Condensed"' in document
    assert re.search(r'"own name"; src: url\("opforge://project/fonts/Own.ttf"\); font-weight: 700', document)


def test_changes_see_a_changed_look(tmp_path: Path) -> None:
    """Only cards whose page differs, and all of them where what surrounds the pages does."""
    older = project_with(tmp_path / "older", "")

    def changed(look: str) -> list[tuple[str, str]]:
        current = project_with(tmp_path / "current", look)
        comparison = AppearanceComparison(older, current)
        pairs: list[tuple[Face, Face]] = list(zip(faces(older, "en"), faces(current, "en"), strict=True))
        return [(face.id, one.what) for before, face in pairs for one in comparison.differences(before, face)]

    assert changed("") == []
    assert changed('look: {palette: {attack: "#123456"}}') == [("shot", "look")]
    assert changed('look: {palette: {back: "#123456"}}') == [
        (one, "back") for one in ("hawk", "shot", "wall")
    ]
    assert changed("look: {fonts: {names: Barlow Semi Condensed}}") == [
        (one, "look") for one in ("hawk", "shot", "wall")
    ]
    assert ("hawk", "team colours") in changed('look: {palette: {teams: {owls: "#445566"}}}')


def test_the_fingerprint_of_a_card_changes_with_its_look() -> None:
    card, operator = samples.deck_card("attack", "Shot"), samples.operator("Viper")
    plain = fingerprint(card)
    assert fingerprint(card, Look(palette=(("defence", ("#123456",)), ("back", ("#123456",))))) == plain
    for look in (Look(palette=(("attack", ("#123456",)),)), Look(texture="dots"), Look(icons="line")):
        assert fingerprint(card, look) != plain
    assert fingerprint(operator, Look(teams=(("owls", ("#123456",)),))) == fingerprint(operator)


PRODUCTS = ("mat", "counters", "tuckbox", "reference", "learn", "squads")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small example without pictures, in a look of which each value can be seen in print."""
    folder = tmp_path_factory.mktemp("game") / "game"
    assert run(["init", str(folder)]) == 0
    shutil.rmtree(folder / "art", ignore_errors=True)
    settings = folder / "opforge.yaml"
    look = (
        "look:\n"
        '  palette: {attack: "#7a1634", operator: ["#2a2140", "#ffd23f"], back: ["#0f3a6b", "#cfe6ff"]}\n'
        "  fonts: {names: Zilla Slab}\n"
        "  icons: line\n"
        "  texture: grid\n"
    )
    settings.write_text(settings.read_text(encoding="utf-8") + look, encoding="utf-8")
    return folder


def colours_and_fonts(pdf: Path) -> tuple[set[str], set[str]]:
    """The colours of grounds and words in a PDF, and the families of its fonts."""
    colours, fonts = set(), set()
    with pikepdf.open(pdf) as opened:
        for stream in opened.objects:
            if isinstance(stream, pikepdf.Dictionary) and "/BaseFont" in stream:
                fonts.add(str(stream.BaseFont))
            if isinstance(stream, pikepdf.Stream) and stream.get("/Subtype") in (None, "/Form"):
                for channels in re.findall(rb"([\d.]+) ([\d.]+) ([\d.]+) rg\b", stream.read_bytes()):
                    colours.add("#" + "".join(f"{round(255 * float(channel)):02x}" for channel in channels))
    return colours, fonts


@pytest.mark.parametrize("product_name", some(PRODUCTS, 1, 3))
def test_all_that_players_get_is_in_the_look(product_name: str, game: Path, tmp_path: Path) -> None:
    """The colour of the backs, that of ATTACK cards on the counters of hits, and the font of names."""
    pytest.importorskip("plutoprint")
    output, full_ink = tmp_path / "out.pdf", ["--full-ink"] if product_name == "mat" else []
    assert run([product_name, str(game), "-o", str(output), *full_ink]) in (0, 1)
    colours, fonts = colours_and_fonts(output)
    assert colours >= {"#0f3a6b"} | ({"#7a1634"} if product_name == "counters" else set())
    assert product_name == "counters" or any("ZillaSlab" in font for font in fonts)
    assert run([product_name, str(game), "-o", str(output), "--low-ink"]) in (0, 1)
    assert "#0f3a6b" not in colours_and_fonts(output)[0]
    assert run([product_name, str(game), "-o", str(output), "--look", "arcade", *full_ink]) in (0, 1)
    assert "#22223b" in colours_and_fonts(output)[0]


@pytest.fixture(scope="module")
def gallery_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gallery") / "project"
    project_with(folder, "look: arcade")
    return folder


def test_the_gallery_shows_the_projects_cards_in_each_look(
    gallery_project: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("plutoprint")
    output = tmp_path / "looks.pdf"
    assert run(["looks", str(gallery_project), "-o", str(output)]) == 0
    assert f"{3 * (1 + len(LOOKS))} cards on 1 page" in capsys.readouterr().out
    assert output.read_bytes().startswith(b"%PDF")
    assert run(["sheet", str(gallery_project), "-o", str(output), "--look", "dsk"]) == 2
    assert "Did you mean 'dusk'" in capsys.readouterr().err
