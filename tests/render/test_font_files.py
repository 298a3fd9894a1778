"""Fonts of a project that are damaged, that are none, or that are not there."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.render import samples
from tests.render.pdf_text import opened, text_of
from tests.thoroughness import share
from toolkit.press.layout import LayoutPlan
from toolkit.press.sheet import SheetSettings, render_sheet
from toolkit.render.checks.fit_check import check_fit
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.font_files import is_complete, without_characters
from toolkit.render.pages import FaceOptions
from toolkit.render.sizes import CARD_SIZES, Size
from toolkit.resources import templates_folder

SHIPPED = sorted((templates_folder() / "fonts").glob("*.ttf"))
FONT = SHIPPED[0].read_bytes()
PACKED = b"wOF2" + b"\0" * 4 + (20).to_bytes(4, "big") + b"\0" * 8


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_shipped_fonts_are_whole(path: Path) -> None:
    assert is_complete(path.read_bytes())


@pytest.mark.parametrize(
    ("content", "whole"),
    [
        (PACKED, True),
        (PACKED[:-1], False),
        (b"wOF2", False),
        (b"ttcf" + FONT, True),
        (b"OTTO" + FONT[4:], True),
        (FONT[: len(FONT) // 2], False),
        (FONT[:9], False),
        (b"<html>404</html>", False),
        (b"", False),
    ],
)
def test_what_is_missing_or_no_font_is_seen(content: bytes, whole: bool) -> None:
    assert is_complete(content) == whole


@given(st.binary(max_size=80), st.sampled_from([b"", b"\0\1\0\0", b"wOFF", b"true"]))
def test_no_file_makes_it_raise(content: bytes, begin: bytes) -> None:
    is_complete(begin + content)


def test_a_font_without_letters_is_a_whole_font() -> None:
    blank = without_characters(FONT)
    assert is_complete(blank)
    assert b"cmap" not in blank[:400]
    assert len(blank) == len(FONT)


def test_a_font_that_cannot_be_had_is_told_once_and_the_next_one_is_taken(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    fonts = tmp_path / "templates" / "fonts"
    fonts.mkdir(parents=True)
    (fonts / "damaged.ttf").write_bytes(FONT[:2000])
    face_options = (templates_folder() / "card.css").read_text(encoding="utf-8")
    (tmp_path / "templates" / "card.css").write_text(
        face_options
        + """
        @font-face { font-family: Damaged; src: url(fonts/damaged.ttf) }
        @font-face { font-family: Gone; src: url("fonts/gone.woff2") }
        .name { font-family: Damaged, Gone, "Barlow Semi Condensed" }
        """,
        encoding="utf-8",
    )
    settings = SheetSettings(LayoutPlan(card=CARD_SIZES["poker"]))
    result = render_sheet([samples.operator("Viper")], settings, Roots(tmp_path))
    assert [(finding.name, finding.span.text) for finding in result.diagnostics] == [
        ("template-error", "damaged.ttf"),
        ("missing-resource", "gone.woff2"),
    ]
    assert result.diagnostics[0].message.startswith("The font fonts/damaged.ttf cannot be used")
    pdf = opened(result.pdf)
    assert "Viper" in text_of(pdf.pages[0].obj)
    assert capfd.readouterr().err == ""


def test_what_is_no_font_still_is_nothing(tmp_path: Path) -> None:
    fetcher = Fetcher(Roots(tmp_path))
    assert fetcher("opforge://templates/none.png").mime == "image/svg+xml"
    assert fetcher("opforge://templates/none.woff2").mime == "font/ttf"


def test_a_pdf_that_the_engine_did_not_finish_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some damaged fonts make PlutoPrint 0.19 stop in the middle of a PDF without saying so."""
    engine = pytest.importorskip("toolkit.render.plutoprint_engine")

    class Torn:
        def get_page_count(self) -> int:
            return 1

        def write_to_pdf_stream(self, stream: io.BytesIO) -> None:
            stream.write(b"%PDF-1.7\n1 0 obj\n")

    monkeypatch.setattr(engine.PlutoPrintRenderer, "_book", lambda *_: Torn())
    settings = SheetSettings(LayoutPlan(card=CARD_SIZES["poker"]))
    result = render_sheet([samples.operator("Viper")], settings, Roots(templates_folder()))
    assert result.failure is not None
    assert "the PDF is not whole" in result.failure.message


def damaged_fonts(number: int) -> Iterator[bytes]:
    """A shipped font with so many kinds of damage: cut off, or with some bytes changed."""
    chance = random.Random(1)
    whole = (templates_folder() / "fonts" / "BarlowSemiCondensed-Regular.ttf").read_bytes()
    for _ in range(number):
        font = bytearray(whole)
        for _ in range(chance.choice([1, 5, 50, 2_000])):
            font[chance.randrange(len(font))] = chance.randrange(256)
        yield bytes(font[: chance.choice([len(font), len(font), chance.randrange(12, len(font))])])


def test_a_damaged_font_of_the_project_is_a_finding_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "opforge.yaml").write_text("fonts: {text: own.ttf}\n", encoding="utf-8")
    roots = Roots(tmp_path, fonts=(("text", Path("own.ttf")),))
    face = samples.operator("Viper", "en")
    named = 0
    for font in damaged_fonts(share(60)):
        (tmp_path / "own.ttf").write_bytes(font)
        found = check_fit([face], Size(63, 88), roots, FaceOptions())
        assert not isinstance(found, str), found
        for finding in found:
            if finding.name == "template-error":
                assert "own.ttf" in finding.message
                assert finding.span.file.name.endswith("opforge.yaml")
                named += 1
    assert named
