"""A variable font gives each face of print its weight, or it is said that it cannot."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables.TupleVariation import TupleVariation
from hypothesis import given
from hypothesis import strategies as st

from tests.render import samples
from toolkit.press.sheet import SheetResult, SheetSettings, render_sheet
from toolkit.render import variable_fonts
from toolkit.render.checks.fit_check import check_fit
from toolkit.render.fetch import Roots
from toolkit.render.pages import FaceOptions
from toolkit.render.sizes import CARD_SIZES
from toolkit.render.variable_fonts import (
    FaceStyle,
    FontFailed,
    is_variable,
    static_font,
    with_styles_in_addresses,
)

LETTERS = "".join(map(chr, range(0x21, 0x7F))) + "äöüßÄÖÜ×−–—’‘“”…"
AXES = [("wght", 100, 400, 700, "Weight"), ("wdth", 75, 100, 125, "Width"), ("slnt", -10, 0, 0, "Slant")]


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One for all tests: fonts that one of them has set are set."""
    with pytest.MonkeyPatch.context() as surroundings:
        surroundings.setenv("OPFORGE_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


def bars(flavor: str | None = None) -> bytes:
    """A font whose letters are bars: 400 wide at the weight 400, as wide as the weight, higher if slanted."""
    builder = FontBuilder(1000)
    names = {ord(letter): f"u{ord(letter):04X}" for letter in LETTERS}
    glyphs = {".notdef": TTGlyphPen(None).glyph(), "space": TTGlyphPen(None).glyph()}
    for name in names.values():
        pen = TTGlyphPen(None)
        pen.moveTo((0, 0))
        for corner in ((0, 700), (400, 700), (400, 0)):
            pen.lineTo(corner)
        pen.closePath()
        glyphs[name] = pen.glyph()
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap(names | {0x20: "space"})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (500, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Bars", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.setupFvar(AXES, [])
    rest = [(0, 0)] * 4
    wider = [(0, 0), (0, 0), (300, 0), (300, 0), *rest]
    narrower = [(0, 0), (0, 0), (-300, 0), (-300, 0), *rest]
    higher = [(0, 0), (0, 100), (0, 100), (0, 0), *rest]
    variations = [
        TupleVariation({"wght": (0, 1, 1)}, wider),
        TupleVariation({"wght": (-1, -1, 0)}, narrower),
        TupleVariation({"wdth": (0, 1, 1)}, wider),
        TupleVariation({"slnt": (-1, -1, 0)}, higher),
    ]
    builder.setupGvar(dict.fromkeys(names.values(), variations))
    builder.font.flavor = flavor
    builder.font.recalcTimestamp = False
    stream = io.BytesIO()
    builder.save(stream)
    return stream.getvalue()


BARS = bars()


def bar_in(font: bytes) -> tuple[int, int]:
    """The width and height of the bars of a static font."""
    glyphs = TTFont(io.BytesIO(font))["glyf"]
    (size,) = {
        (glyph.xMax - glyph.xMin, glyph.yMax)
        for glyph in map(glyphs.__getitem__, glyphs.keys())
        if glyph.numberOfContours
    }
    return size


def test_each_weight_is_set_and_other_axes_stay() -> None:
    wanted = {50: 100, 600: 600, 900: 700}
    for weight, width in wanted.items():
        made = static_font(BARS, FaceStyle(weight))
        assert not is_variable(made)
        assert bar_in(made) == (width, 700), weight
        assert static_font(BARS, FaceStyle(weight)) == made
    assert bar_in(static_font(BARS, FaceStyle(600, italic=True))) == (600, 800)


def test_fonts_with_axes_are_known_in_each_container() -> None:
    assert all(map(is_variable, (BARS, bars("woff"))))
    assert not is_variable((Path(variable_fonts.__file__).parents[2] / "LICENSE").read_bytes())
    assert bar_in(static_font(bars("woff"), FaceStyle(600)))[0] == 600


@given(st.binary(max_size=80), st.sampled_from([b"", b"\0\1\0\0", b"wOFF", b"wOF2"]))
def test_no_font_and_no_style_makes_it_raise(content: bytes, begin: bytes) -> None:
    is_variable(begin + content)
    with_styles_in_addresses("@font-face {" + content.decode("latin-1") + "}")


def test_faces_are_named_with_their_weights() -> None:
    face = '@font-face {{ font-family: "A"; {} src: url({}) }}'
    for said, query in {
        "": "wght=400",
        "font-weight: bold;": "wght=700",
        "font-weight:600; font-style: italic;": "wght=600&ital=1",
    }.items():
        for file in ("a/b.ttf", '"a.woff2"', "'a b.OTF'"):
            bare = file.strip("\"'")
            assert f"{bare}?{query}" in with_styles_in_addresses(face.format(said, file)), (said, file)
    ranged = with_styles_in_addresses(face.format("font-weight: 450 650;", "a.ttf"))
    assert [weight for weight in range(1, 1000) if f"font-weight: {weight};" in ranged] == [
        450,
        500,
        600,
        650,
    ]
    for other in ("p { font-weight: 700; background: url(a.ttf) }", face.format("", "a.png")):
        assert with_styles_in_addresses(other) == other


def project(tmp_path: Path, font: bytes) -> Path:
    folder = tmp_path / "project"
    (folder / "fonts").mkdir(parents=True)
    (folder / "fonts" / "Own.ttf").write_bytes(font)
    return folder


FACE = samples.deck_card("item", "Night", flavour="Quiet as night.")


def widths(result: SheetResult) -> set[int]:
    """The widths of the bars of the fonts in a PDF."""
    assert result.failure is None
    with pikepdf.open(io.BytesIO(result.pdf)) as document:
        fonts = [thing.FontFile2.read_bytes() for thing in document.objects if "/FontFile2" in _keys(thing)]
    found = set()
    for font in fonts:
        glyphs = TTFont(io.BytesIO(font))["glyf"]
        sizes = {glyph.xMax for name in glyphs if (glyph := glyphs[name]).numberOfContours == 1}
        found |= sizes if len(sizes) == 1 else set()
    return found


def _keys(thing: pikepdf.Object) -> set[str]:
    return set(thing.keys()) if isinstance(thing, pikepdf.Dictionary) else set()


def test_a_font_of_the_project_file_prints_with_three_weights(tmp_path: Path) -> None:
    own = Path("fonts/Own.ttf")
    fonts = tuple((purpose, own) for purpose in ("display", "text", "text_bold"))
    result = render_sheet([FACE], SheetSettings(), Roots(project(tmp_path, BARS), fonts=fonts))
    assert not {finding.name for finding in result.diagnostics} - {"text-overflow"}
    assert {400, 600, 700} <= widths(result)


def test_a_font_of_a_style_sheet_prints_with_its_weights(tmp_path: Path) -> None:
    folder = project(tmp_path, BARS)
    (folder / "templates").mkdir()
    (folder / "templates" / "Own.ttf").write_bytes(BARS)
    css = (Path(variable_fonts.__file__).parents[2] / "templates" / "card.css").read_text()
    faces = '@font-face { font-family: Bars; font-weight: 100 700; src: url("Own.ttf") }'
    css = f"{faces}\n{css}\n:root {{ --text: Bars; --display: Bars }}"
    (folder / "templates" / "card.css").write_text(css)
    result = render_sheet([FACE], SheetSettings(), Roots(folder))
    assert {400, 600, 700} <= widths(result)


def test_a_font_that_cannot_be_set_is_a_finding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = BARS.index(b"fvar", 12)
    broken = BARS[: entry + 8] + bytes(4) + BARS[entry + 12 :]  # its axes would be where the file begins
    folder = project(tmp_path, broken)
    (folder / "opforge.yaml").write_text("project: A\nfonts: {text: fonts/Own.ttf}\n")
    roots = Roots(folder, fonts=(("text", Path("fonts/Own.ttf")),))
    for findings in (
        render_sheet([FACE], SheetSettings(), roots).diagnostics,
        check_fit([FACE], CARD_SIZES["poker"], roots, FaceOptions()),
    ):
        assert len(findings) == 1, findings
        finding = findings[0]
        assert finding.name == "unusable-font"  # type: ignore[union-attr]
        assert finding.span.text == "fonts/Own.ttf"  # type: ignore[union-attr]
    monkeypatch.setattr(variable_fonts, "SECONDS", 0.01)
    with pytest.raises(FontFailed, match="too much time"):
        static_font(BARS, FaceStyle(123))
    with pytest.raises(FontFailed, match="16 MB"):
        static_font(BARS + bytes(16 << 20), FaceStyle())
