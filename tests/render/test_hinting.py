"""Fonts as an engine gets them: without the programs that fit letters to a screen."""

from __future__ import annotations

import struct
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.render.pdf_text import opened
from tests.render.test_fonts import files_of, printed
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.font_files import unhinted
from toolkit.render.sizes import Size
from toolkit.resources import templates_folder

plutoprint_engine = pytest.importorskip("toolkit.render.plutoprint_engine")
FONTS = sorted((templates_folder() / "fonts").glob("*.ttf"))
PROGRAMS = {"cvt ", "fpgm", "prep"}


def tables(font: bytes) -> dict[str, bytes]:
    """The tables of a font that have something in them."""
    (count,) = struct.unpack_from(">H", font, 4)
    places = [struct.unpack_from(">4sIII", font, 12 + 16 * number) for number in range(count)]
    return {name.decode(): font[start : start + length] for name, _, start, length in places if length}


@pytest.mark.parametrize("file", FONTS, ids=lambda file: file.stem)
def test_a_font_keeps_all_but_its_programs(file: Path) -> None:
    before, after = tables(file.read_bytes()), tables(unhinted(file.read_bytes()))
    assert before.keys() >= PROGRAMS, "nothing to leave away"
    assert after.keys() == before.keys() - {"cvt ", "fpgm"}
    assert all(after[name] == before[name] for name in before.keys() - PROGRAMS)
    assert unhinted(unhinted(file.read_bytes())) == unhinted(file.read_bytes())


def test_words_stand_where_they_would_stand_with_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    without = opened(printed(tmp_path))
    monkeypatch.setattr(plutoprint_engine, "unhinted", bytes)
    hinted = opened(printed(tmp_path))
    assert drawn(without) == drawn(hinted)
    assert sum(len(file) for _, file in files_of(without)) < sum(len(file) for _, file in files_of(hinted))


def drawn(pdf: pikepdf.Pdf) -> list[bytes]:
    """What is drawn on the sheets and on the cards, in the order of the file."""
    forms = [
        thing
        for thing in pdf.objects
        if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form"
    ]
    return [one.read_bytes() for one in (*(page.obj.Contents for page in pdf.pages), *forms)]


def test_a_missing_font_is_told_though_nothing_is_written_in_it(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    rule = "@font-face { font-family: Own; src: url(own.ttf) }"
    (tmp_path / "templates" / "own.css").write_text(rule, encoding="utf-8")
    fetcher = Fetcher(Roots(tmp_path))
    html = '<link rel="stylesheet" href="own.css"><p>Nothing of the kind.</p>'
    plutoprint_engine.PlutoPrintRenderer().render_pages(html, Size(63, 88), fetcher)
    assert fetcher.problems == {"opforge://templates/own.ttf": "missing-resource"}


@given(st.binary(max_size=200), st.integers(min_value=0, max_value=400))
def test_what_is_no_font_is_left_as_it_is(noise: bytes, length: int) -> None:
    torn = FONTS[0].read_bytes()[:length]  # a font's head, without its tables
    assert unhinted(torn) == torn
    assert unhinted(b"OTTO\0\0" + noise) == b"OTTO\0\0" + noise


@pytest.mark.parametrize("style", ["normal", "italic"])
def test_letters_of_few_dots_are_whole(style: str) -> None:
    """The engine cut off their upper edge where a line began between two rows of dots."""
    place = f"position:absolute; margin:0; left:4pt; top:{{}}pt; font: {style} 7pt var(--text)"
    html = f'<!doctype html><link rel="stylesheet" href="base.css"><p style="{place}">TTEE</p>'

    def ink(top: float, dpi: int) -> float:
        """How much of a square inch is black."""
        engine = plutoprint_engine.PlutoPrintRenderer()
        raster = next(engine.rasters(html.format(top), Size(40, 14), 0, dpi, Fetcher(Roots(Path()))))
        return sum(255 - dot for dot in raster.bgra[::4]) / 255 / dpi**2

    whole = ink(4, 600)
    for step in range(6):
        assert ink(4 + step / 6, 100) == pytest.approx(whole, rel=0.06)
