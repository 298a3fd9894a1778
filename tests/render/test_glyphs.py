"""Characters that the shipped fonts have, and those of a card that they do not have."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterator
from pathlib import Path

import pikepdf
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.tables._g_l_y_f import Glyph

from tests.render import samples
from toolkit.diagnostics import Diagnostic
from toolkit.render.checks.missing_glyphs import missing_glyphs
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.face import Face, RulesText
from toolkit.render.fetch import Roots
from toolkit.render.font_files import characters_of
from toolkit.render.renderer import Fetch, Raster, Renderer
from toolkit.render.sizes import Size
from toolkit.source import SourceFile

FONTS = sorted((Roots(Path()).templates / "fonts").glob("*.ttf"))


def found(folder: Path, *faces: Face) -> list[Diagnostic]:
    return list(missing_glyphs(faces, Roots(folder)))


def subtable(layout: int, content: bytes) -> bytes:
    return struct.pack(">HH", layout, 0) + content


def font(table: bytes, platform: int = 3, encoding: int = 10) -> bytes:
    head = struct.pack(">4xHHHH", 1, 0, 0, 0) + struct.pack(">4sIII", b"cmap", 0, 28, 0)
    return head + struct.pack(">HHHHI", 0, 1, platform, encoding, 12) + table


@pytest.mark.parametrize("path", FONTS, ids=lambda path: path.stem)
def test_the_shipped_fonts_have_latin_letters_and_no_others(path: Path) -> None:
    known = characters_of(path)
    assert {ord(sign) for sign in "AZaz09ÄÖÜäöüß„“–×−…ŁČœ½"} <= known
    assert not {ord(sign) for sign in "日本Ω🎯"} & known
    assert 0xFFFF not in known


def test_groups_of_format_12_leave_out_the_missing_glyph(tmp_path: Path) -> None:
    groups = struct.pack(">8xI6I", 2, 0x41, 0x43, 7, 0x1F3AF, 0x1F3B0, 0)
    (tmp_path / "a.ttf").write_bytes(font(subtable(12, groups)))
    assert characters_of(tmp_path / "a.ttf") == {0x41, 0x42, 0x43, 0x1F3B0}


def test_segments_of_format_4_go_by_difference_or_by_a_list_of_glyphs(tmp_path: Path) -> None:
    head = struct.pack(">HH6x", 0, 4)[:2] + struct.pack(">H6x", 4)
    lists = struct.pack(">2HH2H2h2H", 0x42, 0x51, 0, 0x41, 0x50, -0x40, 0, 0, 2)
    (tmp_path / "a.ttf").write_bytes(font(subtable(4, head + lists + struct.pack(">2H", 0, 9)), 3, 1))
    assert characters_of(tmp_path / "a.ttf") == {0x41, 0x42, 0x51}


@pytest.mark.parametrize("content", [b"", b"no font", b"\0\1\0\0\xff\xff" + b"cmap" * 9])
def test_a_file_that_is_no_font_has_no_characters(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.ttf").write_bytes(content)
    assert characters_of(tmp_path / "a.ttf") == frozenset()
    assert characters_of(tmp_path / "none.ttf") == frozenset()


def test_a_character_that_no_font_has_is_found_where_it_stands(tmp_path: Path) -> None:
    file = SourceFile(Path("cards.yaml"), "cards.yaml", "name: Viper 日本\n")
    (finding,) = found(tmp_path, samples.operator("Viper 日本", places={"name": file.span(6, 14)}))
    assert finding.name == "missing-glyph"
    assert finding.span.text == "日"
    assert "日 (U+65E5), 本 (U+672C)" in finding.message
    assert finding.card == "viper-日本"


def test_every_text_of_a_card_is_looked_at(tmp_path: Path) -> None:
    rules = (RulesText("Ω", (samples.words("Ψ"),)),)
    face = samples.operator("Σ", skills=rules, flavour="Φ", team_name="Ж", traits=("Я",))
    messages = [finding.message.partition(" on ")[0] for finding in found(tmp_path, face)]
    assert [[sign for sign in "ΣΩΨΦЖЯ" if f"{sign} (" in message] for message in messages] == [
        ["Σ"],
        ["Ω", "Ψ"],
        ["Φ"],
        ["Ж", "Я"],
    ]


def test_many_characters_are_counted(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, samples.operator("ΑΒΓΔΕΖΗΘ"))
    assert "and 3 more" in finding.message


@pytest.mark.parametrize("text", ["ab\u200bc\u202fde\n\tf", "Ka\u0308the", "© ™ €"])
def test_what_needs_no_glyph_or_is_composed_is_no_finding(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, samples.operator(flavour=text)) == []


def test_the_same_text_is_told_once_and_a_card_that_is_not_printed_never(tmp_path: Path) -> None:
    face = samples.operator("日")
    assert len(found(tmp_path, face, face)) == 1
    assert found(tmp_path, samples.operator("日", quantity=0)) == []


@pytest.mark.parametrize(
    ("name", "content", "own"),
    [
        ("fonts/Mine.ttf", "", True),
        ("card.css", 'body { font-family: "Noto Sans JP" }', True),
        ("card.css", 'body { font-family: "Barlow Condensed" }', False),
        ("attack.html.jinja", '<p style="font: 9pt serif">', True),
        ("notes.md", "font: 9pt serif", False),
    ],
)
def test_a_project_with_type_of_its_own_is_left_alone(
    tmp_path: Path, name: str, content: str, own: bool
) -> None:
    path = tmp_path / "templates" / name
    path.parent.mkdir(parents=True)
    path.write_text(content)
    assert (found(tmp_path, samples.operator("日")) == []) is own


def test_a_letter_of_a_font_of_the_computer_is_a_warning_that_names_it_and_no_letter_an_error(
    tmp_path: Path,
) -> None:
    engine = choose_renderer()
    assert not isinstance(engine, NoEngine)
    unknown = "\U00012000"  # cuneiform
    face = samples.operator(f"Ω{unknown}", flavour=None, skills=(), traits=())
    findings = {one.name: one for one in missing_glyphs([face], Roots(tmp_path), Substituting(engine))}
    assert set(findings) == {"missing-glyph", "substitute-font"}
    assert f"No font has {unknown} (U+12000)" in findings["missing-glyph"].message
    assert "Ω (U+03A9)" in findings["substitute-font"].message
    assert "the font NotSansGreek of this computer" in findings["substitute-font"].message


class Substituting:
    """An engine on a computer that has one font of its own, for capital Greek letters."""

    keeps_pictures = True

    def __init__(self, engine: Renderer) -> None:
        self._engine = engine
        self.name, self.version = engine.name, engine.version

    def render_pages(self, html: str, size: Size, fetch: Fetch) -> bytes:
        """As the engine, with the font's name where a Greek letter stands."""
        with pikepdf.open(io.BytesIO(self._engine.render_pages(html, size, fetch))) as document:
            for page, sign in zip(document.pages, re.findall('always">(.)</p>', html), strict=True):
                (font,) = page.obj["/Resources"]["/Font"].values()
                name = "NotSansGreek" if "Α" <= sign <= "Ω" else "BarlowSemiCondensed-Regular"
                named = {**dict(font.items()), "/BaseFont": pikepdf.Name(f"/ABCDEF+{name}")}
                page.obj["/Resources"]["/Font"] = pikepdf.Dictionary({"/f": pikepdf.Dictionary(named)})
            stream = io.BytesIO()
            document.save(stream)
            return stream.getvalue()

    def rasters(self, html: str, size: Size, cut: float, dpi: float, fetch: Fetch) -> Iterator[Raster]:
        """As the engine."""
        return self._engine.rasters(html, size, cut, dpi, fetch)


def test_the_engine_says_which_letters_no_font_has(tmp_path: Path) -> None:
    engine = choose_renderer()
    assert not isinstance(engine, NoEngine)
    face = samples.operator("A\U00012000", flavour=None, skills=(), traits=())
    (finding,) = missing_glyphs([face], Roots(tmp_path), engine)
    assert finding.name == "missing-glyph"
    assert "A (" not in finding.message


def own_font(form: str) -> bytes:
    """A font of H and of a sign for private use, which is drawn in one of several forms."""
    empty, order = TTGlyphPen(None).glyph(), [".notdef", "H", "sign", "left"]
    builder = FontBuilder(1000)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap({ord("H"): "H", ord(SIGN): "sign"} if form != "unmapped" else {ord("H"): "H"})
    outlines = [square(500), square(200), square(350) if form in ("outline", "woff") else empty, square(300)]
    builder.setupGlyf(dict(zip(order, outlines, strict=True)))
    builder.setupHorizontalMetrics(dict.fromkeys(order, (700, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Own", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    if form == "colours":
        builder.setupCOLR({"sign": [("left", 0)]})
        builder.setupCPAL([[(1, 0, 0, 1)]])
    builder.font.flavor = "woff" if form == "woff" else None
    stream = io.BytesIO()
    builder.save(stream)
    return stream.getvalue()


def square(width: int) -> Glyph:
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, 700), (width, 700), (width, 0)):
        pen.lineTo(corner)
    pen.closePath()
    return pen.glyph()


SIGN = "\ue123"


@pytest.mark.parametrize(
    ("form", "message"),
    [
        ("outline", None),
        ("woff", None),
        ("colours", None),
        ("blank", "The project's fonts have \ue123 (U+E123) on"),
        ("unmapped", "No font has \ue123 (U+E123) on"),
    ],
)
def test_what_counts_is_what_the_fonts_of_the_project_draw(
    tmp_path: Path, form: str, message: str | None
) -> None:
    engine = choose_renderer()
    assert not isinstance(engine, NoEngine)
    (tmp_path / "Own.ttf").write_bytes(own_font(form))
    (tmp_path / "Own.woff").write_bytes(own_font(form))
    font = Path("Own.woff" if form == "woff" else "Own.ttf")
    for purpose, changes in {
        "display": {"name": f"Dice {SIGN}", "flavour": None, "traits": ()},
        "text": {"name": "Dice", "flavour": f"Dice {SIGN}", "traits": ()},
    }.items():
        face = samples.operator(**{**changes, "skills": ()})  # type: ignore[arg-type]
        findings = list(missing_glyphs([face], Roots(tmp_path, fonts=((purpose, font),)), engine))
        assert [one.name for one in findings] == (["missing-glyph"] if message else []), (form, purpose)
        assert all(one.message.startswith(str(message)) for one in findings)


def test_a_font_of_names_draws_no_rules(tmp_path: Path) -> None:
    engine = choose_renderer()
    assert not isinstance(engine, NoEngine)
    (tmp_path / "Own.ttf").write_bytes(own_font("outline"))
    face = samples.operator(f"Dice {SIGN}", skills=(), traits=(), flavour=f"Dice {SIGN}", places={})
    (finding,) = missing_glyphs([face], Roots(tmp_path, fonts=(("display", Path("Own.ttf")),)), engine)
    assert finding.name == "missing-glyph"
