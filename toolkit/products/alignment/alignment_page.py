"""The alignment page, with which a printer's offset is measured: scales on the front, crosses on the back.

Front and back are two pages. Held against the light, the crosses of the back show through on the scales of
the front, where the offset can be read in millimetres.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

import pikepdf
from msgspec import Struct

from toolkit.press.impose import DUPLEX, Placement, Sheet, impose, offset_on_back
from toolkit.press.layout import Flip, Slot, mirror_axis
from toolkit.press.marks import ruler, stroke
from toolkit.press.sheet import Failure
from toolkit.render.engines import NoEngine, choose_renderer
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.pdf import PdfMetadata
from toolkit.render.renderer import EngineError
from toolkit.render.sizes import Size

_SCALE_LENGTH = 6
"""The length of the scales to each side of their centre, in mm."""

_RULER_DISTANCE = 8
"""The distance of the rulers from the centre in mm: the arms of a cross reach them."""

MIN_PAPER = Size(100, 140)
"""Paper with room for the scales and the instructions, upright."""

_LARGE_TYPE_SIDE, _MEDIUM_TYPE_SIDE = 200, 139
"""The shorter side of paper that has room for large type, and for medium type, in mm."""

_ARM = 12
"""The length of the arms of a cross on the back, in mm."""

_LABELLED = 3
"""Each such millimetre of a ruler has its number."""

_STYLE = """
@font-face { font-family: "Align"; src: url(fonts/BarlowSemiCondensed-Regular.ttf) }
html, body { margin: 0; font-family: "Align"; font-size: 11pt; line-height: 1.35; color: #000 }
section { position: relative; overflow: hidden; page-break-after: always }
section:last-child { page-break-after: auto }
svg { position: absolute; left: 0; top: 0 }
ol, p { margin: 0 0 2mm; padding: 0 } ol { padding-left: 6mm }
b { letter-spacing: 0.05em; font-variant-ligatures: none }
div { position: absolute }
"""


_TITLES = {"en": "Alignment page", "de": "Ausrichtungsseite"}

_STEPS = {
    "en": """
<p><b>opforge align</b>: how far does this printer put the back from the front?</p>
<ol><li>Print both pages on one sheet, on both sides, in its actual size (100 %, no fitting to the page).</li>
<li>Hold it against the light, this side to you. A cross of the back shines through on each scale.</li>
<li>On the scale in the middle, read how many millimetres the cross is to the right (left: minus) and up
(down: minus).</li>
<li>Keep it: <b>opforge align --set NAME RIGHT UP{way}</b></li></ol>
<p>If the ruler at the edge is not 100 mm long, the page was scaled. If a cross is not on its scale at all,
the paper was turned over the other edge. If the scales in the corners differ from the one in the middle, the
paper lies askew in the printer.</p>""",
    "de": """
<p><b>opforge align</b>: Wie weit setzt dieser Drucker die Rückseite neben die Vorderseite?</p>
<ol><li>Beide Seiten auf ein Blatt drucken, beidseitig und in Originalgröße (100 %, nicht an die Seite
anpassen).</li>
<li>Gegen das Licht halten, diese Seite zu dir. Auf jeder Skala scheint ein Kreuz der Rückseite durch.</li>
<li>Auf der Skala in der Mitte ablesen, wie viele Millimeter das Kreuz rechts (links: minus) und oben (unten:
minus) liegt.</li>
<li>Merken: <b>opforge align --set NAME RECHTS OBEN{way}</b></li></ol>
<p>Ist das Lineal am Rand nicht 100 mm lang, wurde die Seite skaliert. Liegt ein Kreuz gar nicht auf seiner
Skala, wurde das Blatt über die andere Kante gewendet. Zeigen die Skalen in den Ecken etwas anderes als die in
der Mitte, liegt das Papier schief im Drucker.</p>""",
}
"""Instructions by language."""


class AlignPage(Struct, frozen=True):
    """The request for an alignment page: paper as it lies, the flip, an offset to try, the language."""

    paper: Size
    flip: Flip = "long"
    shift: tuple[float, float] = (0.0, 0.0)
    lang: str = "en"


def align_pdf(page: AlignPage, roots: Roots) -> bytes | Failure:
    """Return the PDF with both sides."""
    engine = choose_renderer()
    if isinstance(engine, NoEngine):
        return Failure(engine.message, engine.next_step)
    head = f'<!doctype html><html><head><meta charset="utf-8"><style>{_STYLE}</style></head><body>'
    try:
        pdf = engine.render_pages(head + _front(page) + _back(page), page.paper, Fetcher(roots))
    except EngineError as error:
        return Failure(f"The PDF engine {engine.name} failed: {error}", "Try another paper.")
    mirror = mirror_axis(page.paper, page.flip)
    front_slot = Slot(0, 0, page.paper.width, page.paper.height)
    # Paper that is turned over its upper edge shows its back upside down.
    back_slot = front_slot._replace(turn=180 if mirror == "horizontal" else 0)
    page_box = (0.0, 0.0, page.paper.width, page.paper.height)
    front_sheet = Sheet(
        page.paper,
        (Placement(0, front_slot),),
        trim=page_box,
        bleed=page_box,
        above=stroke(ruler(page.paper, ())),
    )
    shift = offset_on_back(*page.shift, mirror)
    back_sheet = Sheet(page.paper, (Placement(1, back_slot),), trim=page_box, bleed=page_box, shift=shift)
    metadata = PdfMetadata(_TITLES[page.lang], languages=(page.lang,), duplex=DUPLEX[page.flip])
    with pikepdf.open(io.BytesIO(pdf)) as document:
        return impose(document.pages, (front_sheet, back_sheet), metadata)


def _targets(paper: Size) -> Iterator[tuple[float, float]]:
    """Yield the centres of the scales: the middle, and two corners that reveal skewed paper."""
    from_edge = 25.0
    yield paper.width / 2, paper.height / 2
    yield from_edge, from_edge
    yield paper.width - from_edge, paper.height - from_edge


def _front(page: AlignPage) -> str:
    """Return the front as HTML: scales at the targets, and what to do."""
    paper = page.paper
    drawing = "".join(_scale(x, y) for x, y in _targets(paper))
    instructions = _STEPS[page.lang].format(way=" --landscape" if paper.width > paper.height else "")
    return (
        f'<section style="{_measures(paper)}">{_svg(paper, drawing)}'
        f'<div style="{_place_of_steps(paper)}">{instructions}</div></section>'
    )


def _place_of_steps(paper: Size) -> str:
    """Return the place of the instructions: below the middle scale, on small paper left of the corner's."""
    middle = paper.height / 2
    if min(paper) >= _LARGE_TYPE_SIDE:
        return f"left:25mm; right:25mm; top:{middle + 25}mm"
    points = 8.5 if min(paper) >= _MEDIUM_TYPE_SIDE else 5.8
    return f"left:8mm; right:46mm; top:{middle + 11}mm; font-size:{points}pt; line-height:1.2"


def _back(page: AlignPage) -> str:
    """Return the back page: crosses behind the scales."""
    centres = [(page.paper.width - x, y) for x, y in _targets(page.paper)]
    drawing = "".join(f'<path d="M{x - _ARM} {y}H{x + _ARM}M{x} {y - _ARM}V{y + _ARM}"/>' for x, y in centres)
    return f'<section style="{_measures(page.paper)}">{_svg(page.paper, drawing)}</section>'


def _scale(x: float, y: float) -> str:
    """Return a scale: a cross, and two rulers with a stroke for every half millimetre."""
    strokes = [f"M{x - 3} {y}H{x + 3}M{x} {y - 3}V{y + 3}"]
    labels = []
    for half_millimetres in range(-2 * _SCALE_LENGTH, 2 * _SCALE_LENGTH + 1):
        offset = half_millimetres / 2
        length = 1.2 if half_millimetres % 2 else 2.0
        if half_millimetres == 0:
            length = 3.0
        # one upwards from the horizontal ruler, one to the left from the vertical ruler
        strokes.append(
            f"M{x + offset} {y - _RULER_DISTANCE}v{-length}M{x - _RULER_DISTANCE} {y - offset}h{-length}"
        )
        if half_millimetres % (2 * _LABELLED) == 0:
            number_text = f"{half_millimetres // 2:+d}".replace("-", "−") if half_millimetres else "0"
            labels.append((x + offset, y - _RULER_DISTANCE - 4, number_text))
            labels.append((x - _RULER_DISTANCE - 5, y - offset + 0.8, number_text))
    text_attributes = 'text-anchor="middle" font-size="2.4" fill="#000" stroke="none"'
    texts = "".join(
        f'<text x="{label_x}" y="{label_y}" {text_attributes}>{label}</text>'
        for label_x, label_y, label in labels
    )
    return f'<path d="{"".join(strokes)}"/>{texts}'


def _svg(paper: Size, drawing: str) -> str:
    """Return a drawing as large as the paper, in fine black lines, with units of a millimetre."""
    return (
        f'<svg viewBox="0 0 {paper.width} {paper.height}" style="{_measures(paper)}" fill="none" '
        f'stroke="#000" stroke-width="0.1" font-family="Align">{drawing}</svg>'
    )


def _measures(paper: Size) -> str:
    return f"width:{paper.width}mm; height:{paper.height}mm"
