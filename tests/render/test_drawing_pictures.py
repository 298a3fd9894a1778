"""Drawings that the PDF engine does not draw as they are: rewritten, or drawn by resvg."""

from __future__ import annotations

import base64
import io
import re
import shutil
from pathlib import Path
from urllib.parse import quote

import pytest
from msgspec.structs import replace
from PIL import Image

from tests.render import samples
from tests.render.drawing_cases import GRADIENT, LEFT, LINE, RED
from tests.thoroughness import some
from toolkit.data.art.drawings import read_drawing, read_drawing_file
from toolkit.press.sheet import SheetSettings, render_sheet
from toolkit.render import resvg
from toolkit.render.drawing_text import findings_of_drawings
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.page_raster import rasterize_pages
from toolkit.render.raster_art import DPI, Resource
from toolkit.render.sizes import Size
from toolkit.resources import templates_folder

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'viewBox="0 0 100 100">'
    "{}</svg>"
)
FILTER = '<filter id="f">{}</filter>' + RED.format(' filter="url(#f)"')
OFFSET = FILTER.format("<feOffset/>")
ENDLESS = FILTER.format('<feTurbulence numOctaves="1000000" baseFrequency=".05"/>')
LIME = (0, 255, 0)
BOX = Size(4, 6)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    project = tmp_path / "project"
    project.mkdir()
    return project


def fetched(project: Path, inside: str | bytes, name: str = "a.svg") -> tuple[Resource, Fetcher]:
    content = SVG.format(inside).encode() if isinstance(inside, str) else inside
    (project / name).write_bytes(content)
    fetcher = Fetcher(Roots(project))
    return fetcher(fetcher.picture_address(Path(name), BOX)), fetcher


def colours(resource: Resource) -> set[object]:
    with Image.open(io.BytesIO(resource.content)) as picture:
        return {colour for _, colour in picture.convert("RGB").getcolors(1 << 24) or ()}


def data(picture: Image.Image, kind: str, **options: object) -> str:
    stream = io.BytesIO()
    picture.save(stream, kind, **options)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(stream.getvalue()).decode()}"


def test_it_is_drawn_at_the_resolution_of_print_with_the_same_bytes(project: Path, tmp_path: Path) -> None:
    first, _ = fetched(project, OFFSET)
    assert first.mime == "image/png"
    with Image.open(io.BytesIO(first.content)) as picture:
        assert picture.mode == "RGBA"
        assert picture.size == (round(6 / 25.4 * DPI),) * 2  # it covers the box
        assert picture.getpixel((0, 0)) == (0, 0, 0, 0)
        assert picture.getpixel((40, 40)) == (255, 0, 0, 255)
    shutil.rmtree(tmp_path / "cache")
    assert fetched(project, OFFSET)[0] == first
    assert fetched(project, OFFSET)[0] == first  # from the cache


def test_a_plain_drawing_is_not_touched(project: Path) -> None:
    plain, _ = fetched(project, LEFT)
    assert plain == Resource(SVG.format(LEFT).encode(), "image/svg+xml")


def test_resvg_reads_no_file_but_those_of_the_project(project: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    for path in (secret, project / "own.png"):
        Image.new("RGB", (9, 9), LIME).save(path)
    picture = '<image width="100" height="100" {}/>'
    absolute = picture.format(f'href="{secret}"')
    nested = base64.b64encode(SVG.format(absolute).encode()).decode()
    addresses = [
        f'href="{secret}"',
        f'xlink:href="{secret}"',
        f'href="file://{secret}"',
        'href="../secret.png"',
        'href="&#46;&#46;/secret.png"',
        f'href="#f" xlink:href="{secret}"',
        f'href="data:image/svg+xml;base64,{nested}"',
        f'href="data:,{quote(SVG.format(absolute))}"',
    ]
    for address in some(addresses, 1, 3, 5, 6):
        resource, _ = fetched(project, OFFSET + picture.format(address))
        assert resource.mime == "image/png", address
        assert LIME not in colours(resource), address
    image = fetched(project, FILTER.format(f'<feImage href="{secret}"/>'))[0]
    assert LIME not in colours(image)
    own, fetcher = fetched(project, OFFSET + picture.format('href="own.png"'))
    assert any(green > 250 > 9 > red for red, green, _ in colours(own))  # type: ignore[misc]
    assert not fetcher.problems


def test_what_takes_too_long_is_reported_and_the_others_go_on(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resvg, "SECONDS", 0.2)
    resource, fetcher = fetched(project, ENDLESS)
    assert resource.mime == "image/svg+xml"
    assert list(fetcher.problems.values()) == ["unreadable-picture"]
    face = samples.operator(art=project / "a.svg")
    (finding,) = (one for one in render_sheet([face], SheetSettings(), Roots(project)).diagnostics)
    assert finding.name == "unreadable-picture"
    assert finding.message == "The file a.svg takes too much time or memory to draw."
    monkeypatch.setattr(resvg, "SECONDS", 60.0)
    assert fetched(project, OFFSET)[0].mime == "image/png"


def test_after_too_many_that_take_too_long_no_more_are_tried(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resvg, "_WORKER", resvg._Worker())
    monkeypatch.setattr(resvg, "_PATIENCE", 0.0)
    _, fetcher = fetched(project, OFFSET)
    assert list(fetcher.reasons.values()) == ["is not drawn, because others took too much time"]
    monkeypatch.setattr(resvg, "_PATIENCE", 1.0)
    assert fetched(project, OFFSET)[0].mime == "image/png"
    resvg._WORKER.close()


def test_a_process_that_died_is_started_again(project: Path) -> None:
    fetched(project, OFFSET)
    process = resvg._WORKER._process
    assert process is not None
    process.kill()
    process.wait()
    assert fetched(project, OFFSET + LEFT)[0].mime == "image/png"


@pytest.mark.parametrize("size", ['viewBox="0 0 100000 1"', 'width="1e9" height="1000000000"', ""])
def test_no_size_makes_it_fail(project: Path, size: str) -> None:
    content = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{OFFSET}</svg>'.encode()
    resource, _ = fetched(project, content)
    with Image.open(io.BytesIO(resource.content)) as picture:
        assert max(picture.size) <= 8192


def test_a_drawing_in_another_encoding_is_printed_as_in_utf_8(project: Path) -> None:
    text = '<?xml version="1.0" encoding="{}"?>\n' + SVG.format("<!-- é -->" + LEFT)
    right = text.format("UTF-8").encode()
    for declared, encoding in [
        ("ISO-8859-1", "latin-1"),
        ("windows-1252", "cp1252"),
        ("UTF-16", "utf-16"),
        ("UTF-16", "utf-16-le"),
        ("UTF-16", "utf-16-be"),
        ("UTF-8", "utf-8-sig"),
        ("shift_jis", "shift_jis"),
    ]:
        content = text.replace("é", "" if encoding == "shift_jis" else "é").format(declared).encode(encoding)
        resource, _ = fetched(project, content)
        assert resource.content.replace(b"\xc3\xa9", b"") == right.replace(b"\xc3\xa9", b""), encoding
        drawing = read_drawing_file(project / "a.svg")
        assert drawing is not None, encoding
        assert drawing.size == (100, 100)
        (project / "a.svg").unlink()
    for content in (right.replace(b"UTF-8", b"hex"), right.replace(b"UTF-8", b"no"), right[:-20] + b"\xff"):
        assert read_drawing(content) is None


def embedded(resource: Resource) -> Image.Image:
    found = re.search(rb'href="data:[^,]*,([^"]*)"', resource.content)
    assert found is not None
    return Image.open(io.BytesIO(base64.b64decode(found[1])))


def test_a_picture_inside_is_prepared_as_art_is(project: Path) -> None:
    picture = '<image width="90" height="90" href="{}"/>'
    red = Image.new("CMYK", (40, 20), (0, 255, 255, 0))
    resource, _ = fetched(project, picture.format(data(red, "JPEG")))
    assert embedded(resource).mode == "RGB"
    colour = embedded(resource).getpixel((5, 5))
    assert isinstance(colour, tuple)
    assert colour[0] > 200 > 60 > colour[1]
    turned = Image.Exif()
    turned[0x112] = 6
    resource, _ = fetched(project, picture.format(data(red.convert("RGB"), "JPEG", exif=turned)))
    assert embedded(resource).size == (20, 40)
    damaged = bytearray(base64.b64decode(data(Image.effect_noise((90, 90), 99), "PNG").partition(",")[2]))
    damaged[60:90] = bytes(30)
    address = f"data:image/png;base64,{base64.b64encode(damaged).decode()}"
    _, fetcher = fetched(project, picture.format(address))
    assert list(fetcher.reasons.values()) == ["embeds a picture that cannot be read"]


def test_a_truncated_picture_inside_is_found_by_check() -> None:
    address = data(Image.effect_noise((90, 90), 99), "PNG")
    drawing = read_drawing(SVG.format(f'<image href="{address[: address.index(",") + 401]}"/>').encode())
    assert drawing is not None
    assert drawing.excess == "embeds a picture that is truncated"


def test_a_drawing_that_the_engine_gives_up_is_drawn_by_resvg(project: Path) -> None:
    flat = GRADIENT.format("") + LINE.replace("red", "url(#g)").format("")  # a gradient has no size there
    (project / "a.svg").write_text(SVG.format(LEFT.replace("red", "#0f0") + flat))
    face = samples.operator(art=project / "a.svg")
    for _ in range(2):
        result = render_sheet([face, replace(face, id="other")], SheetSettings(), Roots(project))
        assert result.diagnostics == ()
        (page,) = rasterize_pages(result.pdf, 50)
        assert b"\x00\xff\x00\xff\x00\xff\x00\xff" in page.bgra  # two pixels in lime


def test_features_are_named_with_their_lines_if_they_are_drawn() -> None:
    unused = '<defs><g id="a"><foreignObject/></g></defs>\n'
    used = (
        unused + '<g fill="oklch(0.5 0.1 30)"/>\n<style>\n\n@layer a{.b{fill:red}}</style><use href="#{}"/>'
    )
    for target, lines in (("x", [2, 5]), ("a", [1, 2, 5])):
        drawing = read_drawing(SVG.format(used.replace("{}", target)).encode())
        assert drawing is not None
        assert sorted(use.line for use in drawing.ignored) == lines


def test_words_follow_the_rules_of_cards(project: Path) -> None:
    face = samples.operator(art=project / "a.svg")

    def found(inside: str) -> list[str]:
        (project / "a.svg").write_text(SVG.format(inside))
        return [finding.name for finding in findings_of_drawings([face], Roots(project))]

    assert found("<text>Viper</text>") == []
    assert found('<text font-family="Nowhere, sans-serif">Viper</text>') == ["substitute-font"]
    assert found("<g style=\"font: bold 9px/2 'Nowhere Sans'\"><text>Viper</text></g>") == ["substitute-font"]
    assert found("<style>.a{font-family:Nowhere}</style><text class='a'>Viper</text>") == ["substitute-font"]
    assert found('<text font-family="barlow Condensed">Viper</text>') == []
    assert found('<g font-family="Nowhere"><path d="M0 0"/></g>') == []
    assert found("<text>漢</text>") == ["missing-glyph"]
    (project / "templates").mkdir()
    shipped = templates_folder() / "fonts" / "BarlowCondensed-Bold.ttf"
    other = shipped.read_bytes().replace("Barlow".encode("utf-16-be"), "Nowher".encode("utf-16-be"))
    (project / "templates" / "own.ttf").write_bytes(other)
    assert found('<text font-family="Nowher Condensed">Viper</text>') == []
    own = fetched(project, '<text y="50" font-size="40" font-family="Nowher Condensed">Viper</text>')[0]
    assert own != fetched(project, '<text y="50" font-size="40">Viper</text>')[0]
