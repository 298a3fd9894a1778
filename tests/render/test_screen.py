"""Cards on a screen: what is printed is what is shown, and what a stranger's template asks for is not."""

from __future__ import annotations

import io
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from msgspec.structs import replace
from PIL import Image, ImageChops, ImageFilter

from tests.render import samples
from toolkit.data.model import Edges
from toolkit.press import card_previews as screens
from toolkit.press.card_pictures import Subject
from toolkit.press.card_previews import CardStyle, Picture, Screen
from toolkit.press.layout import LayoutPlan
from toolkit.press.sheet import SheetSettings, render_sheet
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.face import KINDS, Back, Face
from toolkit.render.fetch import Roots
from toolkit.render.page_raster import pixel_size, rasterize
from toolkit.render.pages import FaceOptions
from toolkit.render.renderer import EngineError, Fetch, Raster, Renderer
from toolkit.render.sizes import CARD_SIZES, Size

pytest.importorskip("plutoprint")

POKER = CARD_SIZES["poker"]
MAGENTA = (255, 0, 255)
DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63 88">'
    '<rect width="63" height="88" fill="#ff00ff"/></svg>'
)


def renderer() -> Renderer:
    found = choose_renderer()
    assert not isinstance(found, NoEngine)
    return found


@pytest.fixture(scope="module")
def screen() -> Screen:
    return Screen(renderer())


def every_kind(language: str) -> list[Face]:
    decks = [samples.deck_card(kind, kind.title(), language) for kind in KINDS[1:-1]]
    return [samples.operator("Viper", language), *decks, samples.objective(lang=language)]


def style(root: Path, **face_options: object) -> CardStyle:
    return CardStyle.of(POKER, Roots(root), FaceOptions(**face_options))  # type: ignore[arg-type]


def shown(picture: Picture) -> Image.Image:
    assert picture.png is not None, [finding.message for finding in picture.findings]
    return Image.open(io.BytesIO(picture.png)).convert("RGB")


def printed(faces: list[Face], root: Path, dpi: int) -> list[Image.Image]:
    """The cards as PDFium draws the sheets on which each is printed alone."""
    paper, none = Size(POKER.width, POKER.height), Edges(0.0, 0.0, 0.0, 0.0)
    plan = LayoutPlan(POKER, paper, "portrait", 1, 1, margins=none, marks="none")
    result = render_sheet(faces, SheetSettings(plan), Roots(root))
    with pypdfium2.PdfDocument(result.pdf) as document:
        return [page.render(scale=dpi / 72).to_pil().convert("RGB") for page in document]


def difference(one: Image.Image, other: Image.Image) -> float:
    """The share of dots that differ in two pictures, in percent, edges left out of account."""
    other = other.resize(one.size, Image.Resampling.LANCZOS)
    blurred = (picture.filter(ImageFilter.GaussianBlur(2)) for picture in (one, other))
    different = ImageChops.difference(*blurred).convert("L").point(lambda value: 255 * (value > 24))
    return 100 * different.histogram()[255] / (one.width * one.height)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_picture_is_the_printed_card(screen: Screen, tmp_path: Path, language: str) -> None:
    faces = every_kind(language)
    drawn = screen.draw(faces, style(tmp_path), 128)
    *prints, other = printed([*faces, samples.objective("Another name", language)], tmp_path, 256)
    for face, on_paper in zip(faces, prints, strict=True):
        picture = shown(drawn[face])
        assert picture.size == (317, 443)
        assert difference(picture, on_paper) < 0.1, face.kind
    assert difference(picture, other) > 0.5


def test_a_drawing_is_in_the_picture(screen: Screen, tmp_path: Path) -> None:
    (tmp_path / "art.svg").write_text(DRAWING, encoding="utf-8")
    face = replace(samples.operator("Viper", "en"), art=tmp_path / "art.svg")
    picture = shown(screen.draw([face], style(tmp_path), 96)[face])
    assert picture.getpixel((picture.width // 2, picture.height // 3)) == MAGENTA
    plain = samples.operator("Viper", "en")
    assert shown(screen.draw([plain], style(tmp_path), 96)[plain]) != picture


def test_bleed_and_backs(screen: Screen, tmp_path: Path) -> None:
    back = Back("deck")
    small, whole = (shown(screen.draw([back], style(tmp_path), 96, bleed)[back]) for bleed in (False, True))
    assert [(one.width, one.height) for one in (small, whole)] == [(238, 333), (261, 355)]
    assert difference(small, whole.crop((11, 11, 11 + 238, 11 + 333))) < 0.1
    assert difference(small, whole) > 0.5


def test_several_are_drawn_as_each_alone(screen: Screen, tmp_path: Path) -> None:
    subjects: list[Subject] = [*every_kind("en"), Back("operator"), Back("deck")]
    together = screen.draw(subjects, style(tmp_path), 96)
    assert list(together) == subjects
    for subject in subjects:
        alone = screen.draw([subject], style(tmp_path), 96)[subject]
        assert difference(shown(together[subject]), shown(alone)) < 0.1
        assert together[subject].sizes == alone.sizes


def test_sizes_of_type_and_text_that_does_not_fit(screen: Screen, tmp_path: Path) -> None:
    face = samples.operator("Viper", "en")
    sizes = {one.region: one for one in screen.draw([face], style(tmp_path), 96)[face].sizes}
    assert sizes["name"].size > sizes["name"].smallest == 6.0
    assert sizes["rules"].smallest == 6.0
    long = replace(face, flavour="Quiet. " * 400)
    picture = screen.draw([long], style(tmp_path), 96)[long]
    assert picture.png is not None
    assert [finding.name for finding in picture.findings] == ["text-overflow"]
    rules = next(one for one in picture.sizes if one.region == "rules")
    assert rules.size == rules.smallest


def test_a_broken_template_breaks_only_its_kind(screen: Screen, tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "attack.html.jinja").write_text("\n{{ face.nmae }}", encoding="utf-8")
    attack = next(face for face in every_kind("en") if face.kind == "attack")
    operator = samples.operator("Viper", "en")
    found = screen.draw([attack, operator], style(tmp_path), 96)
    assert found[operator].png is not None
    assert found[operator].findings == ()
    assert found[attack].png is None
    (finding,) = found[attack].findings
    assert (finding.name, finding.span.begin_position.line) == ("template-error", 2)
    (tmp_path / "templates" / "attack.html.jinja").unlink()
    assert screen.draw([attack], style(tmp_path), 96)[attack].png is not None


def test_what_is_wrong_with_a_style_sheet_is_reported_at_each_card(screen: Screen, tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "low-ink.css").write_text("p { background: url(gone.png) }", encoding="utf-8")
    for subject, picture in screen.draw(every_kind("en")[:3], style(tmp_path, low_ink=True), 96).items():
        assert picture.png is not None
        assert [finding.name for finding in picture.findings] == ["missing-resource"], subject


def test_a_digest_changes_with_all_that_is_printed_and_with_nothing_else(tmp_path: Path) -> None:
    art = tmp_path / "art.svg"
    art.write_text(DRAWING, encoding="utf-8")
    (tmp_path / "templates").mkdir()
    face = replace(samples.operator("Viper", "en"), art=art)

    def key(face: Face, **face_options: object) -> str:
        return style(tmp_path, **face_options).key(face, renderer())

    first = key(face)
    assert key(replace(face, quantity=9, places={}, back=Back("item"))) == first
    others = [key(replace(face, name="Vipers")), key(face, low_ink=True), key(face, floor=7.0)]
    others.append(CardStyle.of(CARD_SIZES["tarot"], Roots(tmp_path), FaceOptions()).key(face, renderer()))
    os.utime(art, ns=(1, 1))
    others.append(key(face))
    (tmp_path / "templates" / "card.css").write_text("", encoding="utf-8")
    others.append(key(face))
    others.append(style(tmp_path).key(face, Slow()))
    assert len({first, *others}) == 1 + len(others)


class Slow:
    """An engine that works until somebody says that it is enough."""

    name, version, keeps_pictures = "slow", "1", True

    def __init__(self) -> None:
        self.enough = threading.Event()

    def render_pages(self, html: str, size: Size, fetch: Fetch) -> bytes:
        assert self.enough.wait(20)
        return renderer().render_pages(html, size, fetch)

    def rasters(self, html: str, size: Size, cut: float, dpi: float, fetch: Fetch) -> Iterator[Raster]:
        return renderer().rasters(html, size, cut, dpi, fetch)


def test_a_card_that_takes_too_long_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "LIMIT", 0.2)
    face = samples.operator("Viper", "en")
    engine = Slow()
    picture = Screen(engine).draw([face], style(tmp_path), 96)[face]
    engine.enough.set()
    assert picture.png is None
    assert [(one.name, one.card) for one in picture.findings] == [("template-error", face.id)]
    assert "takes too long" in picture.findings[0].message


def test_pdfium_is_stopped_when_time_is_up(tmp_path: Path) -> None:
    document = pypdfium2.PdfDocument(render_sheet(every_kind("en"), SheetSettings(), Roots(tmp_path)).pdf)
    page = document[0]
    assert rasterize(page, pixel_size(page, 300)).width == pixel_size(page, 300)[0]
    with pytest.raises(EngineError):
        rasterize(page, pixel_size(page, 300), until=time.monotonic())
    document.close()


def test_the_page_for_a_browser_asks_for_nothing(screen: Screen, tmp_path: Path) -> None:
    (tmp_path / "art.svg").write_text(DRAWING, encoding="utf-8")
    (tmp_path / "secret.txt").write_text("secret words", encoding="utf-8")
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "own.css").write_text("p { color: red } </style><script>", encoding="utf-8")
    (tmp_path / "templates" / "attack.html.jinja").write_text(
        '<link rel="stylesheet" href="own.css"><section class="page" style="background: url(//a.example/b)">'
        '<img src="https://a.example/x.png"><img src="{{ art }}"><a href="javascript:alert(1)">'
        '<img src="../secret.txt"><img src="opforge://project/../secret.txt">'
        "{{ face.name }}</a><style>@import url(http://a.example/c.css);"
        "p { background: URL( 'http://a.example/d' ) }</style></section>",
        encoding="utf-8",
    )
    face = next(face for face in every_kind("en") if face.kind == "attack")
    face = replace(face, art=tmp_path / "art.svg", name="</iframe><script>alert(1)</script>")
    html = screen.html(face, style(tmp_path), {})
    assert html is not None
    assert "opforge://" not in html
    assert "javascript:" not in html
    assert "<script>alert" not in html
    assert html.count("</style>") == html.count("<style>")
    assert "data:image/svg+xml;base64," in html
    assert "data:font/ttf;base64," in html
    assert 'src="https://' not in html
    assert "url(//" not in html
    assert "c2VjcmV0IHdvcmRz" not in html  # the secret words


@pytest.mark.parametrize(
    ("page", "styles"),
    [
        ('<link rel="stylesheet" href="own.css">' * 20, "p {}" * 3_000),
        ('<img src="own.css">' * 900, "p {}" * 2_000),
    ],
    ids=["style sheets", "the same file again and again"],
)
def test_a_page_for_a_browser_that_asks_for_too_much_is_not_made(
    screen: Screen, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str, styles: str
) -> None:
    monkeypatch.setattr(screens, "_MAX_CHARACTERS", screens._MAX_CHARACTERS // 160)
    assert page_for_a_browser(screen, tmp_path, page, styles) is None


@pytest.mark.parametrize(
    "page",
    [
        "<p>" + "@import a " * 10_000 + "</p>",
        "<p title='" + '<link href="' * 10_000 + "'></p>",
        "<p title='" + "<link " + 'href="a.css" ' * 3_000 + "'></p>",
        "<p title='" + "url(&quot;a)" * 3_000 + "'></p>",
        "<a href='http://[x'>a</a>",
    ],
    ids=["imports", "links", "one link", "quotes", "no addresses"],
)
def test_a_page_for_a_browser_is_made_whatever_a_template_writes(
    screen: Screen, tmp_path: Path, page: str
) -> None:
    assert page_for_a_browser(screen, tmp_path, page) is not None  # in a time that grows with its length


def test_a_page_for_a_browser_is_made_without_a_style_sheet_that_imports_itself(
    screen: Screen, tmp_path: Path
) -> None:
    page = '<link rel="stylesheet" href="own.css"><p>Mine</p>'
    html = page_for_a_browser(screen, tmp_path, page, 'p { color: #abcdef } @import "own.css";' * 40)
    assert html is not None
    assert "Mine" in html
    assert "abcdef" not in html


def test_a_page_for_a_browser_tells_nobody_that_it_is_looked_at(screen: Screen, tmp_path: Path) -> None:
    page = "<link rel=preconnect href=//b><LINK/rel=dns-prefetch href=//b><base href=//b><iframe src=//a>"
    html = page_for_a_browser(screen, tmp_path, page)
    assert html is not None
    assert "<link" not in html.lower()
    assert "<base" not in html.lower()
    assert "<iframe" not in html.lower()


def page_for_a_browser(screen: Screen, root: Path, page: str, styles: str = "") -> str | None:
    (root / "templates").mkdir()
    (root / "templates" / "own.css").write_text(styles, encoding="utf-8")
    (root / "templates" / "attack.html.jinja").write_text(page, encoding="utf-8")
    face = next(face for face in every_kind("en") if face.kind == "attack")
    return screen.html(face, style(root), {})
