"""Who draws what: each row of `drawing_features` is drawn by both engines, beside one that looks the same."""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageChops, ImageFilter

from tests.render.drawing_cases import ALIKE, CHOSEN, LEFT, PAIRS, svg
from toolkit.data.art import drawing_features
from toolkit.data.art.drawing_features import Feature
from toolkit.data.art.drawing_rewriting import rewritten
from toolkit.data.art.drawings import read_drawing
from toolkit.render import resvg
from toolkit.render.drawing_pictures import FAMILY
from toolkit.render.page_raster import rasterize_pages
from toolkit.render.plutoprint_engine import PlutoPrintRenderer
from toolkit.render.raster_art import Resource
from toolkit.render.renderer import Raster
from toolkit.render.sizes import Size

SIDE = 120


def by_engine(drawings: Sequence[bytes]) -> list[list[Image.Image]]:
    """What the PDF engine draws, in a PDF and as pixels."""
    files = {f"opforge://project/{number}.svg": drawing for number, drawing in enumerate(drawings)}
    pages = "".join(
        f'<div style="height:30mm; page-break-after:always">'
        f'<img src="{address}" style="width:30mm; height:30mm"></div>'
        for address in files
    )
    engine, size = PlutoPrintRenderer(), Size(30, 30)
    html = f'<body style="margin:0">{pages}</body>'

    def fetch(address: str) -> Resource:
        return Resource(files.get(address, svg("")), "image/svg+xml")

    dpi = SIDE * 25.4 / 30
    printed = list(rasterize_pages(engine.render_pages(html, size, fetch), dpi))[: len(files)]
    shown = list(engine.rasters(html, size, 0, dpi, fetch))[: len(files)]
    return [[picture(raster) for raster in pair] for pair in zip(printed, shown, strict=False)]


def picture(raster: Raster) -> Image.Image:
    size = raster.width, raster.height
    return Image.frombuffer("RGB", size, raster.bgra, "raw", "BGRX", 0, 1).resize((SIDE, SIDE))


def by_resvg(drawing: bytes) -> Image.Image:
    png = Image.open(io.BytesIO(resvg.draw(drawing, ("width", SIDE), (), FAMILY)))
    ground = Image.new("RGBA", png.size, "white")
    ground.alpha_composite(png)
    return ground.convert("RGB")


def differs(first: Image.Image, second: Image.Image) -> bool:
    """Whether pictures differ by more than a line of one pixel, such as a smoothed edge, somewhere."""
    bands = ImageChops.difference(first, second).filter(ImageFilter.MinFilter(3)).split()
    return max(band.histogram()[40:] and sum(band.histogram()[40:]) for band in bands) > SIDE * SIDE / 1000


def features() -> list[Feature]:
    rows = [feature for _, _, feature in drawing_features._PROPERTY_ROWS]
    rules = [feature for _, feature in drawing_features._RULES]
    others = [drawing_features._SHAPED_BY_STYLE, drawing_features._NESTED, drawing_features._EXTERNAL_USE]
    others += [drawing_features._SINGULAR, drawing_features._HALF_ELLIPSE]
    elements = [row for row in drawing_features.ELEMENTS.values() if row is not drawing_features.TEXT]
    return [*elements, *rows, *rules, *others]


def test_each_feature_is_drawn_by_whom_the_table_says() -> None:
    wrong = []
    named = {feature.name: feature for feature in features()}
    assert named.keys() == PAIRS.keys()
    drawings = [svg(inside) for pair in PAIRS.values() for inside in pair]
    breaking = [svg(PAIRS[name][0]) for name in ("`stroke-dasharray` of zeros", "a transformation by zero")]
    engine = iter(by_engine([svg("") if drawing in breaking else drawing for drawing in drawings]))
    assert all(len(by_engine([drawing, svg(LEFT)])) < 2 for drawing in breaking)
    for name, pair in PAIRS.items():
        using, plain = (svg(inside) for inside in pair)
        used, looked = next(engine), next(engine)
        of_engine = not any(differs(one, other) for one, other in zip(used, looked, strict=True))
        of_resvg = not differs(by_resvg(using), by_resvg(plain))
        if differs(looked[0], by_resvg(plain)):
            wrong.append(f"{name}: both draw the plain drawing differently")
        if (of_engine, of_resvg) != (named[name].engine, named[name].resvg):
            wrong.append(f"{name}: the engine {of_engine}, resvg {of_resvg}")
    assert not wrong


def test_each_feature_is_found_and_nothing_else() -> None:
    for name, (using, plain) in PAIRS.items():
        drawing, other = read_drawing(svg(using)), read_drawing(svg(plain))
        assert drawing is not None
        assert other is not None
        assert name in [use.feature.name for use in drawing.uses], name
        if "text" not in plain:
            assert other.uses == (), name
    for name, inside in ALIKE.items():
        drawing = read_drawing(svg(inside))
        assert drawing is not None
        assert drawing.uses == (), name


def test_both_draw_alike_what_the_table_does_not_name() -> None:
    drawings = {name: svg(inside) for name, inside in ALIKE.items()}
    for name, pictures in zip(drawings, by_engine(list(drawings.values())), strict=False):
        assert not any(differs(one, by_resvg(drawings[name])) for one in pictures), name
        assert differs(pictures[0], Image.new("RGB", (SIDE, SIDE), "white")), name


def test_choices_and_styles_become_what_both_draw() -> None:
    chosen = {name: rewritten(svg(using), lambda _, address: address) for name, (using, _) in CHOSEN.items()}
    plain = [svg(inside) for _, inside in CHOSEN.values()]
    pictures = zip(by_engine(list(chosen.values())), by_engine(plain), strict=False)
    for name, (drawn, right) in zip(CHOSEN, pictures, strict=False):
        drawing = read_drawing(svg(CHOSEN[name][0]))
        assert drawing is not None
        assert drawing.choices, name
        assert drawing.uses == (), name
        assert not any(differs(one, other) for one, other in zip(drawn, right, strict=True)), name
        assert not differs(by_resvg(chosen[name]), by_resvg(svg(CHOSEN[name][1]))), name
