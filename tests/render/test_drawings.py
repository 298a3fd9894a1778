"""SVG pictures: read, drawn once, kept, and put in place of their stand-ins."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from PIL import Image

from tests.render import samples
from tests.render.pdf_text import opened
from toolkit.data.drawings import read_drawing
from toolkit.render import standins
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.sheet import SheetSettings, render_sheet

RED = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 6 4"><rect width="6" height="4" fill="{}"/></svg>'


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Roots:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    project = tmp_path / "project"
    project.mkdir()
    (project / "red.svg").write_text(RED.format("#ff0000"))
    return Roots(project)


@pytest.fixture
def face(roots: Roots) -> Face:
    return samples.operator(art=roots.project / "red.svg")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "drawings"


def printed(face: Face, roots: Roots) -> bytes:
    result = render_sheet([face], SheetSettings(), roots)
    assert result.failure is None
    return result.pdf


def reds(pdf: pikepdf.Pdf) -> int:
    """How often pure red is chosen for filling, in all forms."""
    found = 0
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form":
            for operands, operator in pikepdf.parse_content_stream(thing):
                found += str(operator) == "rg" and [float(part) for part in operands] == [1, 0, 0]
    return found


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ('<svg xmlns="x" viewBox="0 0 600 400"/>', (600, 400)),
        ('<svg viewBox="0,0,3,2" width="9" height="9"/>', (3, 2)),
        ('<svg width="30px" height="20"/>', (30, 20)),
        ('<svg width="100%" height="20"/>', None),
        ('<svg viewBox="0 0 0 4"/>', None),
        ("<svg/>", None),
    ],
)
def test_the_shape_of_a_drawing(text: str, size: tuple[float, float] | None) -> None:
    drawing = read_drawing(text.encode())
    assert drawing is not None
    assert drawing.size == size


@pytest.mark.parametrize(
    "text", ["", "<svg>", "<html/>", "<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>", "text", "<svg/><svg/>"]
)
def test_what_is_no_drawing(text: str) -> None:
    assert read_drawing(text.encode()) is None


@pytest.mark.parametrize("size", [(600, 400), (1, 1), (69, 94), (1000, 1), (0.5, 7)])
def test_a_stand_in_is_a_jpeg_of_the_same_shape(size: tuple[float, float]) -> None:
    jpeg = standins._stand_in(size, b"k" * 64)
    with Image.open(io.BytesIO(jpeg)) as picture:
        picture.load()
        assert picture.mode == "L"
        assert picture.width / picture.height == pytest.approx(size[0] / size[1], rel=0.02)
    assert standins._key_in(jpeg) == b"k" * 64


def test_the_drawing_is_on_the_sheet_and_no_stand_in_is_left(face: Face, roots: Roots) -> None:
    with opened(printed(face, roots)) as pdf:
        assert reds(pdf) == 1
        assert not any(
            isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image" for thing in pdf.objects
        )


def test_cards_share_a_drawing(face: Face, roots: Roots) -> None:
    faces = [replace(face, id=f"v{number}") for number in range(12)]
    with opened(render_sheet(faces, SheetSettings(), roots).pdf) as pdf:
        assert reds(pdf) == 1


def test_a_kept_drawing_gives_the_same_bytes(face: Face, roots: Roots, kept: Path) -> None:
    cold = printed(face, roots)
    assert len(list(kept.iterdir())) == 1
    assert printed(face, roots) == cold
    for file in kept.iterdir():
        file.write_bytes(file.read_bytes()[:100])  # cut short, say by a full disk
    assert printed(face, roots) == cold
    for file in kept.iterdir():
        file.unlink()
    assert printed(face, roots) == cold


def test_a_changed_drawing_is_drawn_anew(face: Face, roots: Roots) -> None:
    printed(face, roots)
    (roots.project / "red.svg").write_text(RED.format("#00ff00"))
    with opened(printed(face, roots)) as pdf:
        assert reds(pdf) == 0


def test_a_drawing_that_needs_other_files_is_not_kept(face: Face, roots: Roots, kept: Path) -> None:
    image = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><image href="https://e.org/a.png"/></svg>'
    )
    (roots.project / "red.svg").write_text(image)
    assert render_sheet([face], SheetSettings(), roots).failure is None
    assert not kept.exists()


def test_a_template_that_does_not_place_a_drawing_prints_nevertheless(face: Face, roots: Roots) -> None:
    roots.overrides.mkdir()
    hidden = '<section class="page"><img src="{{ art }}" style="display:none">NAME {{ face.name }}</section>'
    (roots.overrides / "operator.html.jinja").write_text(hidden)
    result = render_sheet([face], SheetSettings(), roots)
    assert result.failure is None
    assert result.cards == 1
