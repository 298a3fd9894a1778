"""SVG pictures: read, drawn once, kept, and put in place of their stand-ins."""

from __future__ import annotations

import base64
import io
import struct
from pathlib import Path
from urllib.parse import quote

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from PIL import Image

from tests.render import samples
from tests.render.pdf_text import opened
from toolkit.data.art import drawing_costs
from toolkit.data.art.drawings import read_drawing, read_drawing_file
from toolkit.press import sheet
from toolkit.press.sheet import SheetSettings, render_sheet
from toolkit.render import image_placeholders
from toolkit.render.face import Face
from toolkit.render.fetch import Roots

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
        ('<svg viewBox="0,0,3,2" width="9" height="9"/>', (9, 9)),
        ('<svg viewBox="0,0,3,2" width="9" height="100%"/>', (3, 2)),
        ('<svg width="25.4mm" height="72pt"/>', (96, 96)),
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
    jpeg = image_placeholders._placeholder(size, b"k" * 64)
    with Image.open(io.BytesIO(jpeg)) as picture:
        picture.load()
        assert picture.mode == "L"
        assert picture.width / picture.height == pytest.approx(size[0] / size[1], rel=0.02)
    assert image_placeholders._key_in(jpeg) == b"k" * 64


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


INLINE = """<section class="page" style="width:69rem; height:94rem">
<svg class="frame shared" viewBox="0 0 69 94" style="width:69rem; height:94rem">{}</svg>
{{{{ face.name }}}}</section>"""


def greens(pdf: bytes) -> int:
    with opened(pdf) as document:
        return sum(
            str(operator) == "rg" and [float(part) for part in operands] == [0, 1, 0]
            for thing in document.objects
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Form"
            for operands, operator in pikepdf.parse_content_stream(thing)
        )


@pytest.mark.parametrize(
    ("inside", "drawn"),
    [
        ('<rect width="69" height="94" fill="#00ff00"/>', 1),
        ('<rect width="69" height="94" fill="#00ff00"/><text y="9">A</text>', 4),  # it has a font of the page
        ('<g color="#00ff00"><rect width="69" height="94" fill="currentColor"/></g>', 4),
        ('<rect width="{{ face.value }}" height="94" fill="#00ff00"/>', 4),
    ],
)
def test_an_inline_drawing_is_shared_by_equal_cards(inside: str, drawn: int, roots: Roots) -> None:
    roots.overrides.mkdir()
    (roots.overrides / "operator.html.jinja").write_text(INLINE.format(inside))
    faces = [samples.operator(f"V{number}", value=number + 1) for number in range(4)]
    result = render_sheet(faces, SheetSettings(), roots)
    assert result.failure is None
    assert greens(result.pdf) == drawn
    assert render_sheet(faces, SheetSettings(), roots).pdf == result.pdf


def test_a_picture_that_only_a_discarded_page_has_does_not_print_all_again(
    face: Face, roots: Roots, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that leaves out its picture when its text has to shrink."""
    roots.overrides.mkdir()
    (roots.overrides / "operator.html.jinja").write_text(
        '<section class="page" style="width:69rem; height:94rem">'
        '{% if fit.size("name", 30) == 30 %}<img src="{{ art }}" style="width:9rem">{% endif %}'
        '<div style="width:20rem; height:9rem">'
        '{{ fit.begin("name", 30) }}{{ face.name }}{{ fit.end() }}</div></section>'
    )
    shared = []
    made = sheet._printed

    def counted(*args: object, **options: object) -> object:
        shared.append(options)
        return made(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(sheet, "_printed", counted)
    result = render_sheet([replace(face, name="Ammunition and batteries")], SheetSettings(), roots)
    assert result.cards == 1
    assert len(shared) == 1


def svg(inside: str) -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{inside}</svg>'.encode()


def png(width: int, height: int) -> str:
    """A PNG of that size, as far as its head says, in a ``data:`` address."""
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\0" * 40
    return "data:image/png;base64," + base64.b64encode(head + b"IEND").decode()


def use_in_use(levels: int, times: int) -> str:
    groups = '<g id="a0"><path d="M0 0L9 9"/></g>'
    for level in range(1, levels):
        groups += f'<g id="a{level}">' + f'<use href="#a{level - 1}"/>' * times + "</g>"
    return f'<defs>{groups}</defs><use href="#a{levels - 1}"/>'


PATH = "M0 0" + "L1 1L2 2" * 10_000
MARKER = '<marker id="m">' + '<path d="M0 0L9 9"/>' * 10 + "</marker>"
MASK = '<mask id="k"><rect width="9" height="9"/></mask>'


@pytest.mark.parametrize(
    ("inside", "too_much"),
    [
        (use_in_use(10, 10), "elements"),
        (use_in_use(3, 10), None),
        (use_in_use(300, 1), "inside each other"),
        ('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>', "elements"),
        (f'{MARKER}<path marker-mid="url(#m)" d="{PATH}"/>', "elements"),
        (f'{MARKER}<g style="marker-mid: url(#m)"><path d="{PATH}"/></g>', "elements"),
        (f"<style>path {{ marker: url(#m) }}</style>{MARKER}<path d='{PATH}'/>", "elements"),
        (f'{MARKER}<path d="{PATH}"/>', None),
        (MASK + '<rect mask="url(#k)"/>' * 600, "elements"),
        ("<style>g > .x.y { mask: url(#k) }</style>" + MASK + '<rect class="z x"/>' * 600, "elements"),
        ("<style>.x { mask: url(#k) }</style>" + MASK + "<rect class='x'/>" + "<rect/>" * 600, None),
        ('<g stroke-dasharray="' + "1 " * 10_000 + '">' + '<path d="M0 0L9 9"/>' * 300 + "</g>", "dashes"),
        ("<rect/>" * 2000, None),
        (f'<path id="p" d="{PATH}"/>' + '<use href="#p"/>' * 200, "vertices"),
        (f'<image href="{png(20_000, 20_000)}"/>', "20000 × 20000 pixels"),
        (f'<image href="{png(4000, 4000)}"/>', None),
        (f'<image href="{png(4000, 4000)}"/>' * 2, "pixels"),
        (f'<g id="i"><image href="{png(1000, 1000)}"/></g>' + '<use href="#i"/>' * 30, "pixels"),
        (f"<style>rect {{ fill: url('{png(20_000, 20_000)}') }}</style>", "20000 × 20000 pixels"),
        (f'<rect style="fill:url({png(20_000, 20_000)})"/>', "20000 × 20000 pixels"),
        ('<image href="data:image/tiff;base64,SUkqAA=="/>', "no PNG"),
        ("<style>@font-face { src: url(data:font/woff2;base64,d09GMg==) }</style>", None),
        (f'<image href="data:image/svg+xml,{quote(svg(use_in_use(10, 10)))}"/>', "elements"),
        (f'<image href="data:image/svg+xml,{quote(svg("<rect/>"))}"/>', None),
    ],
)  # fmt: skip
def test_a_drawing_is_measured_with_all_that_it_repeats(
    tmp_path: Path, inside: str, too_much: str | None
) -> None:
    drawing = read_drawing(svg(inside))
    assert drawing is not None
    assert (drawing.excess is None) == (too_much is None)
    assert too_much is None or too_much in (drawing.excess or "")
    (tmp_path / "one.svg").write_bytes(svg(inside))
    of_file = read_drawing_file(tmp_path / "one.svg")
    assert of_file is not None
    assert of_file.excess == drawing.excess


def test_elements_that_nothing_repeats_are_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing_costs, "MAX_ELEMENTS", 3000)
    excesses = []
    for number in (2998, 3000):  # and the drawing itself
        drawing = read_drawing(svg("<rect/>" * number))
        assert drawing is not None
        excesses.append(drawing.excess)
    assert excesses[0] is None
    assert "more than 3,000 elements" in (excesses[1] or "")


@given(st.lists(st.lists(st.integers(0, 4), max_size=4), min_size=5, max_size=5))
def test_what_is_counted_is_what_would_be_drawn(uses: list[list[int]]) -> None:
    """Groups that use earlier ones, expanded by hand: each ``use`` and its group are an element more."""
    inside = ""
    expanded: list[int] = []
    for number, used in enumerate(uses):
        earlier = [one for one in used if one < number]
        inside += f'<g id="a{number}">' + "".join(f'<use href="#a{one}"/>' for one in earlier) + "</g>"
        expanded.append(1 + sum(1 + expanded[one] for one in earlier))
    drawing = read_drawing(svg(inside + "<use/>"))
    assert drawing is not None
    assert drawing.cost.elements == 2 + sum(expanded)
