"""Photos are stored with the resolution of print in the box in which a template prints them."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pikepdf
import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageStat

from tests.render import samples
from tests.thoroughness import some
from toolkit.data.model import Edges
from toolkit.press.card_pictures import PictureSettings, draw_cards
from toolkit.press.layout import LayoutPlan
from toolkit.press.page_content import PageReader
from toolkit.press.sheet import SheetResult, SheetSettings, render_sheet
from toolkit.products.contact.contact_pages import ContactSettings, Group, contact_pdf
from toolkit.render.checks.fit_check import check_fit
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.face import Back, Face
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.page_raster import as_image, rasterize_pages
from toolkit.render.pages import FaceOptions
from toolkit.render.pdf import PdfMetadata
from toolkit.render.picture_placeholders import PicturePlaceholders
from toolkit.render.raster_art import Resource
from toolkit.render.renderer import Fetch, Raster
from toolkit.render.sizes import CARD_SIZES, Size

SIDES = (1800, 1200)
LARGE = (3000, 2000)
ORIENTATION = 0x0112


@pytest.fixture
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Roots:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "project").mkdir()
    return Roots(tmp_path / "project")


@cache
def photo_bytes(suffix: str, size: tuple[int, int], mode: str, orientation: int = 1) -> bytes:
    """A picture without two equal corners."""
    channels = [Image.linear_gradient("L").rotate(90 * turn).resize(size) for turn in range(len(mode))]
    picture, content = Image.merge(mode, channels), io.BytesIO()
    if orientation != 1:
        picture.getexif()[ORIENTATION] = orientation
    picture.save(content, {".jpg": "JPEG", ".png": "PNG"}[suffix], exif=picture.getexif())
    return content.getvalue()


def photo(
    roots: Roots, name: str, size: tuple[int, int] = SIDES, mode: str = "RGB", orientation: int = 1
) -> Path:
    """It as a file of the project."""
    path = roots.project / name
    path.write_bytes(photo_bytes(path.suffix, size, mode, orientation))
    return path


def sheet(roots: Roots, *faces: Face, sides: str = "fronts") -> SheetResult:
    result = render_sheet(faces, SheetSettings(LayoutPlan(sides=sides)), roots)  # type: ignore[arg-type]
    assert result.failure is None
    return result


def stored(pdf: bytes) -> list[tuple[int, int]]:
    """The sizes in pixels of the pictures of a PDF, without masks."""
    with pikepdf.open(io.BytesIO(pdf)) as document:
        images = [thing for thing in document.objects if isinstance(thing, pikepdf.Stream)]
        masks = [image.SMask.objgen for image in images if "/SMask" in image]
        return sorted(
            (int(image.Width), int(image.Height))
            for image in images
            if image.get("/Subtype") == "/Image" and image.objgen not in masks
        )


def lowest_dpi(pdf: bytes) -> float:
    with pikepdf.open(io.BytesIO(pdf)) as document:
        reader = PageReader(document)
        return min(reader.page(page).dpi for page in document.pages)


def test_a_photo_has_350_dpi_on_every_kind_of_card(roots: Roots) -> None:
    faces = [
        samples.deck_card(kind, kind, art=photo(roots, f"{kind}.jpg", LARGE))
        for kind in some(("attack", "defence", "effect", "strategy", "item", "objective"), 0, 4, 5)
    ]
    faces.append(samples.operator("Viper", art=photo(roots, "operator.jpg", LARGE)))
    for face in faces:
        result = sheet(roots, face)
        assert result.diagnostics == ()
        assert lowest_dpi(result.pdf) == pytest.approx(350, abs=1), face.kind
        ((width, height),) = stored(result.pdf)
        assert width / height == pytest.approx(1.5, abs=0.01)


PAGE = """<section class="page" style="width:69rem; height:94rem">{}</section>"""
DRAWING = '<svg style="width:40mm;height:40mm" viewBox="0 0 9 9">{}</svg>'
TEMPLATES = {
    "cover": '<img src="{{ art }}" style="width:40mm;height:40mm;object-fit:cover;object-position:20% 9%">',
    "contain": '<img src="{{ art }}" style="width:40mm;height:40mm;object-fit:contain">',
    "fill": '<img src="{{ art }}" style="width:40mm;height:40mm">',
    "percent": '<p style="width:30mm;height:20mm"><img src="{{ art }}" style="width:100%;height:100%"></p>',
    "natural ratio": '<img src="{{ art }}" style="width:50mm">',
    "at most": '<img src="{{ art }}" style="max-width:50mm; max-height:10mm">',
    "background": '<p style="width:30mm;height:30mm;background:url({{ art }}) center/cover no-repeat"></p>',
    "tiles": '<div style="width:50mm;height:50mm;background:url({{ art }});background-size:20mm auto"></div>',
    "turned": '<img src="{{ art }}" style="width:30mm;height:20mm;transform:rotate(30deg)">',
    "scaled": '<img src="{{ art }}" style="width:20mm;height:20mm;object-fit:cover;transform:scale(1.5)">',
    "round": '<img src="{{ art }}" style="width:30mm;height:30mm;object-fit:cover;border-radius:15mm">',
    "faint": '<img src="{{ art }}" style="width:30mm;height:20mm;opacity:0.4">',
    "twice": '<img src="{{ art }}" style="width:9mm"><img src="{{ art }}" style="width:45mm">',
    "drawing": DRAWING.format('<image href="{{ art }}" width="7" height="9"/>'),
    "clipped": DRAWING.format(
        '<clipPath id="c"><circle cx="4" cy="4" r="4"/></clipPath><image href="{{ art }}" width="9" '
        'height="9" preserveAspectRatio="xMidYMid slice" clip-path="url(#c)"/>'
    ),
    "masked": DRAWING.format(
        '<mask id="c"><circle cx="4" cy="4" r="4" fill="white"/></mask>'
        '<image href="{{ art }}" width="9" height="9" mask="url(#c)"/>'
    ),
}


def pages_of(
    root: Path, names: Iterable[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, bytes, bytes]]:
    """A page with a photo of its own for each template, as it is printed and as it is with whole photos."""
    own = Roots(root)
    own.overrides.mkdir(parents=True)
    each = "".join(f'{{% if face.name == "{name}" %}}{TEMPLATES[name]}{{% endif %}}' for name in names)
    (own.overrides / "item.html.jinja").write_text(PAGE.format(each))
    faces = [
        samples.deck_card("item", name, art=photo(own, f"{name}.jpg", (900 + number, 600)))
        for number, name in enumerate(names)
    ]
    size, none = CARD_SIZES["poker"], Edges(0.0, 0.0, 0.0, 0.0)
    paper = Size(size.width, size.height)
    settings = SheetSettings(LayoutPlan(size, paper, "portrait", 1, 1, margins=none, marks="none"))
    found = render_sheet(faces, settings, own)
    with monkeypatch.context() as patch:
        patch.setattr(PicturePlaceholders, "fetch_for", lambda self, _html: self.fetcher)
        plain = render_sheet(faces, settings, own)
    with pikepdf.open(io.BytesIO(found.pdf)) as reduced, pikepdf.open(io.BytesIO(plain.pdf)) as whole:
        assert len(reduced.pages) == len(whole.pages) == len(faces)
        for number, name in enumerate(names):
            yield name, alone(reduced, number), alone(whole, number)


def alone(document: pikepdf.Pdf, number: int) -> bytes:
    """A page as a document of its own."""
    page, stream = pikepdf.new(), io.BytesIO()
    page.pages.append(document.pages[number])
    page.save(stream)
    return stream.getvalue()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[bytes, bytes]]:
    """Such a page for each template; one with a mask leaves all photos of its document whole."""
    root = tmp_path_factory.mktemp("templates")
    without_masks = [name for name in TEMPLATES if name != "masked"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPFORGE_CACHE", str(root / "cache"))
        made = [*pages_of(root / "a", without_masks, patch), *pages_of(root / "b", ["masked"], patch)]
    return {name: (found, plain) for name, found, plain in made}


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_of_the_project_prints_the_same_with_less(
    pages: dict[str, tuple[bytes, bytes]], name: str
) -> None:
    found = pages[name][0]
    shown = [as_image(next(rasterize_pages(pdf, 100))) for pdf in pages[name]]
    assert shown[0].convert("L").histogram()[:180] != [0] * 180  # something is printed
    assert max(ImageStat.Stat(ImageChops.difference(*shown)).mean) < 0.2
    if name != "masked":
        assert len(stored(found)) == 1
        if name == "tiles":  # of a pattern, which the preflight does not read
            assert stored(found)[0] == pytest.approx((276, 184), abs=1)
        else:
            assert lowest_dpi(found) == pytest.approx(350, abs=1)


def test_a_picture_is_never_enlarged(roots: Roots) -> None:
    assert stored(
        sheet(roots, samples.deck_card("item", "A", art=photo(roots, "a.png", (300, 200)))).pdf
    ) == [(300, 200)]


def test_art_that_is_zoomed_keeps_its_resolution(roots: Roots) -> None:
    face = samples.deck_card("item", "A", art=photo(roots, "a.jpg", LARGE))
    plain, zoomed = (stored(sheet(roots, replace(face, zoom=zoom)).pdf)[0] for zoom in (1.0, 3.0))
    assert zoomed[0] == pytest.approx(3 * plain[0], abs=3)


def test_a_picture_of_several_cards_is_stored_once_for_the_largest(roots: Roots) -> None:
    art = photo(roots, "a.jpg", LARGE)
    faces = [samples.deck_card(kind, kind, art=art) for kind in ("effect", "objective")]
    sizes = [stored(sheet(roots, face).pdf) for face in faces]
    assert stored(sheet(roots, *faces).pdf) == max(sizes)


def test_a_photo_turned_by_its_camera_is_stored_upright(roots: Roots) -> None:
    art = photo(roots, "a.jpg", orientation=6)
    ((width, height),) = stored(sheet(roots, samples.deck_card("item", "A", art=art)).pdf)
    assert height / width == pytest.approx(1.5, abs=0.01)


def test_transparency_is_stored_as_a_mask(roots: Roots) -> None:
    pdf = sheet(roots, samples.deck_card("item", "A", art=photo(roots, "a.png", mode="RGBA"))).pdf
    with pikepdf.open(io.BytesIO(pdf)) as document:
        (image,) = (
            thing for thing in document.objects if isinstance(thing, pikepdf.Stream) and "/SMask" in thing
        )
        assert (image.SMask.Width, image.SMask.Height) == (image.Width, image.Height)
        assert len(zlib.decompress(image.read_raw_bytes())) == 3 * int(image.Width) * int(image.Height)


def test_backs_and_contact_sheets_store_what_they_print(roots: Roots) -> None:
    face = samples.deck_card("item", "A", back=Back("item", picture=photo(roots, "back.jpg", LARGE)))
    assert lowest_dpi(sheet(roots, face, sides="both").pdf) == pytest.approx(350, abs=1)
    art = photo(roots, "a.jpg", LARGE)
    settings = ContactSettings(SheetSettings(), PdfMetadata("A", languages=("en",)), CARD_SIZES["poker"], 2)
    made = contact_pdf([Group("A", (replace(face, art=art),))], settings, roots, lambda *_: None)
    assert lowest_dpi(made.pdf) == pytest.approx(350, abs=2)  # type: ignore[union-attr]


def damaged(roots: Roots) -> Path:
    """A PNG whose first bytes of pixels are wrong, which only shows when it is decoded."""
    content = bytearray(photo(roots, "a.png").read_bytes())
    start = content.index(b"IDAT") + 4
    content[start : start + 2] = b"\xff\xff"
    path = roots.project / "damaged.png"
    path.write_bytes(content)
    return path


def test_a_damaged_picture_is_found_and_the_others_are_printed(roots: Roots) -> None:
    faces = [
        samples.deck_card("item", path.stem, art=path) for path in (damaged(roots), photo(roots, "b.jpg"))
    ]
    result = sheet(roots, *faces)
    checked = check_fit(faces, CARD_SIZES["poker"], roots, FaceOptions())
    for findings in (result.diagnostics, checked):
        assert [finding.name for finding in findings] == ["unreadable-picture"]  # type: ignore[union-attr]
    assert len(stored(result.pdf)) == 1


def test_documents_store_what_they_print(roots: Roots) -> None:
    engine = choose_renderer()
    assert not isinstance(engine, NoEngine)
    photo(roots, "a.jpg")
    pictures = PicturePlaceholders(Fetcher(roots))
    html = '<body style="margin:0"><img src="opforge://project/a.jpg" style="width:30mm">'
    pdf = pictures.inserted(engine.render_pages(html, Size(60, 60), pictures.fetch_for(html)))
    assert stored(pdf) == [(414, 276)]


def test_pictures_of_cards_are_drawn_from_what_is_printed(roots: Roots) -> None:
    art = photo(roots, "a.jpg")
    face, asked = samples.deck_card("item", "A", art=art), []
    engine = choose_renderer()
    assert not isinstance(engine, NoEngine)

    class Watching:
        """The engine, with a look at the pictures that it gets for pixels."""

        name, version, keeps_pictures = engine.name, engine.version, engine.keeps_pictures  # type: ignore[union-attr]
        render_pages = engine.render_pages  # type: ignore[union-attr]

        def rasters(self, html: str, size: Size, cut: float, dpi: float, fetch: Fetch) -> Iterator[Raster]:
            def watched(address: str) -> Resource:
                resource = fetch(address)
                if "a.jpg" in address:
                    asked.append(Image.open(io.BytesIO(resource.content)).size)
                return resource

            yield from engine.rasters(html, size, cut, dpi, watched)  # type: ignore[union-attr]

    drawn: list[Image.Image] = []
    for dpi in (300, 600):
        settings = PictureSettings(CARD_SIZES["poker"], dpi)
        use = lambda _, raster: drawn.append(as_image(raster))  # noqa: E731
        assert draw_cards([face], [], settings, roots, use, renderer=Watching()) == ()
    assert asked[0] == stored(sheet(roots, face).pdf)[0]
    assert asked[1][0] == pytest.approx(asked[0][0] * 600 / 350, abs=2)
    assert [picture.size for picture in drawn] == [(744, 1039), (1488, 2079)]
