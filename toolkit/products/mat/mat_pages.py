"""The layout of the mat of a game mode, and the sheets on which it is printed. All lengths are in mm.

A player's half is described from the centre line of the mat towards that player. The other half is the same
turned by 180°, with its FIELDPOSITIONs numbered in the opposite direction, so that 1 faces 1 (F-1).
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Literal, NamedTuple

import pikepdf
from msgspec import Struct

from toolkit.data.model import Edges, Mode
from toolkit.press.impose import Placement, Sheet, impose
from toolkit.press.layout import Slot
from toolkit.press.marks import corner_marks, stroke
from toolkit.press.outlines import VisibleArea
from toolkit.render.pdf import PdfMetadata
from toolkit.render.sizes import Size

Form = Literal["full", "compact"]
"""A place for each card; or the FIELD with its piles, and zones at the edges beside which cards lie."""

FORMS: tuple[Form, Form] = ("full", "compact")


class TableCards(Struct, frozen=True):
    """The sizes of the cards on the table: OPERATORs, OBJECTIVEs, STRATEGY cards, the DECK, the ITEMDECK."""

    operator: Size
    objective: Size
    strategy: Size
    deck: Size
    item: Size


class Place(Struct, frozen=True):
    """A place for a card or a zone; x from the left edge of the mat, y from its centre line.

    ``kind`` is ``field``, ``turned`` (an EXHAUSTED OPERATOR), ``label`` (the line of an OBJECTIVE),
    ``objective``, ``save``, ``strategy``, ``zone`` (the title above places), ``edge`` (a zone that is open
    towards the player), or a pile: ``deck``, ``discard``, ``item-deck``, ``item-discard``. ``number`` counts
    places of a kind from 1; of a zone it is how many cards may lie there (0: any). ``name`` is the word
    that is printed there.
    """

    kind: str
    x: float
    y: float
    width: float
    height: float
    number: int = 0
    name: str = ""


class MatPlan(Struct, frozen=True):
    """A mat: its size, the places of the near half, and those of the other half before it is turned.

    ``band`` is the height of the stripe at the centre line.
    """

    form: Form
    size: Size
    band: float
    places: tuple[Place, ...]
    others: tuple[Place, ...]


_PILES = {
    "deck": "DECK",
    "discard": "DISCARDZONE",
    "item-deck": "ITEMDECK",
    "item-discard": "ITEMDISCARDZONE",
}

_TITLE = 8.0
"""The height of the titles of zones, and of the lines of OBJECTIVEs."""


def plan_mat(form: Form, mode: Mode, cards: TableCards) -> MatPlan:
    """Return the mat of a mode for cards of these sizes."""
    return (_full if form == "full" else _compact)(mode, cards)


def _full(mode: Mode, cards: TableCards) -> MatPlan:
    """Return the full mat: OPERATORs can be turned (C-2) and cover the lower part of their OBJECTIVEs."""
    margin, gap, band = 9.0, 4.0, 14.0
    operator_side = max(cards.operator)
    cell = Size(max(operator_side, cards.objective.width), operator_side)
    field_width = mode.field_positions * (cell.width + gap) - gap

    # Below the FIELD: SAVEZONE at the left, STRATEGY at the right. Where there is no room for all their cards
    # side by side, the cards of both overlap by the same share.
    both_zones = [
        _at("save", 0, 0, cards.operator, mode.save_zone, "SAVEZONE"),
        _at("strategy", 0, 0, cards.strategy, mode.strategy_positions, "STRATEGY"),
    ]
    zones = [zone for zone in both_zones if zone.number]
    full_widths = [zone.number * (zone.width + gap) - gap for zone in zones]
    least_width = sum(zone.width for zone in zones) + gap
    inner_width = max(field_width, least_width, min(sum(full_widths) + 2 * gap, 1.25 * field_width))
    share = min(1.0, (inner_width - least_width) / max(sum(full_widths) + gap - least_width, 1.0))

    # Beside them a column of piles at the right, and one for ITEMs at the left.
    piles = _piles(mode)
    column_width = max(cards.deck.width, cards.item.width)
    left = margin + (column_width + 2 * gap if "item-deck" in piles else 0)
    width = left + inner_width + 2 * gap + column_width + margin
    top, objective_height = band / 2 + gap, 0.36 * cards.objective.height
    upper_y = top + _TITLE + objective_height
    lower_y = upper_y + max(operator_side, cards.deck.height, cards.item.height) + gap + _TITLE

    places: list[Place] = []
    for zone, full_width in zip(zones, full_widths, strict=True):
        zone_width = zone.width + (full_width - zone.width) * share
        x = left if zone.kind == "save" else left + inner_width - zone_width
        places += _zone(zone, x, lower_y, zone_width)
    for kind in piles:
        card = cards.item if kind.startswith("item") else cards.deck
        x = margin if kind.startswith("item") else width - margin - column_width
        y = lower_y if kind.endswith("deck") else upper_y
        places.append(_at(kind, x + (column_width - card.width) / 2, y, card, name=_PILES[kind]))
    tallest = max(card.height for card in (cards.operator, cards.strategy, cards.deck, cards.item))
    field_left = left + (inner_width - field_width) / 2
    near_row, far_row = _rows(mode, cards, _Field(cell, gap, field_left, top, objective_height))
    size = Size(width, 2 * (lower_y + tallest + margin))
    return MatPlan("full", size, band, (*near_row, *places), (*far_row, *places))


def _compact(mode: Mode, cards: TableCards) -> MatPlan:
    """Return the compact mat: OPERATORs side by side, piles on the right, other zones at the edge."""
    margin, gap, band = 3.0, 3.0, 3.0
    cell = Size(max(cards.operator.width, cards.objective.width), cards.operator.height)
    field_width = mode.field_positions * (cell.width + gap) - gap
    piles = [kind for kind in _piles(mode) if kind != "item-discard"]
    column_width = max(cards.deck.width, cards.item.width)
    left = margin + column_width + gap + 1
    top, objective_height = band / 2, 0.18 * cards.objective.height
    edge_y = top + _TITLE + objective_height + cell.height + gap
    pile_height = max(cards.deck.height, cards.item.height)
    half_height = max(
        edge_y + 0.26 * cards.operator.height, (len(piles) * (pile_height + gap) - gap) / 2 + margin
    )
    zones = [("SAVEZONE", mode.save_zone), ("STRATEGY", mode.strategy_positions)]
    zones += [("ITEMDISCARDZONE", 0)] if len(piles) > 2 else []
    zone_width = (field_width + gap) / len(zones)
    places: list[Place] = []
    for number, (name, capacity) in enumerate(zones):
        x = left + number * zone_width
        places.append(Place("edge", x, edge_y, zone_width - gap, half_height - edge_y, capacity, name))
    for number, kind in enumerate(piles):
        card = cards.item if kind.startswith("item") else cards.deck
        x = left + field_width + gap + 1 + (column_width - card.width) / 2
        y = half_height - margin - pile_height - number * (pile_height + gap)
        places.append(_at(kind, x, y, card, name=_PILES[kind]))
    near_row, far_row = _rows(mode, cards, _Field(cell, gap, left, top, objective_height))
    size = Size(2 * left + field_width, 2 * half_height)
    return MatPlan("compact", size, band, (*near_row, *places), (*far_row, *places))


def _at(kind: str, x: float, y: float, size: Size, number: int = 0, name: str = "") -> Place:
    return Place(kind, x, y, size.width, size.height, number, name)


def _piles(mode: Mode) -> tuple[str, ...]:
    return tuple(_PILES) if mode.item_deck_maximum else ("deck", "discard")


class _Field(NamedTuple):
    """Where the FIELD lies: its left and upper edge, the gap between columns, and what is in a column.

    ``cell`` is the space for its OPERATOR, below the visible part of an OBJECTIVE.
    """

    cell: Size
    gap: float
    left: float
    top: float
    objective_height: float


def _rows(mode: Mode, cards: TableCards, field: _Field) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """Return the FIELDPOSITIONs of both players, and the visible parts of the OBJECTIVEs above them.

    The other player's numbers run from right to left.
    """
    cell, gap, left, top, objective_height = field
    card, objective_width = cards.operator, cards.objective.width
    can_turn = min(cell) >= max(card) and card.width != card.height
    near: list[Place] = []
    far: list[Place] = []
    for column in range(mode.field_positions):
        middle_x = left + column * (cell.width + gap) + cell.width / 2
        middle_y = top + _TITLE + objective_height + cell.height / 2
        for half, number in ((near, column + 1), (far, mode.field_positions - column)):
            if number <= len(mode.objectives):
                x, y = middle_x - objective_width / 2, top + _TITLE
                half += [
                    Place("label", middle_x - cell.width / 2, top, cell.width, _TITLE - 1.0, number),
                    Place("objective", x, y, objective_width, objective_height, number),
                ]
            for kind, size in (("turned", card.turned), ("field", card)):
                if can_turn or kind == "field":
                    half.append(
                        _at(kind, middle_x - size.width / 2, middle_y - size.height / 2, size, number)
                    )
    return tuple(near), tuple(far)


def _zone(zone: Place, x: float, y: float, zone_width: float) -> Iterator[Place]:
    """Yield the title of a zone and its places below, which overlap if there is no room for all."""
    distance = (zone_width - zone.width) / (zone.number - 1) if zone.number > 1 else 0.0
    yield Place("zone", x, y - _TITLE, zone_width, _TITLE - 1.0, zone.number, zone.name)
    for number in range(zone.number):
        yield Place(zone.kind, x + number * distance, y, zone.width, zone.height, number + 1)


# The sheets

MARGIN = 5.0
"""The margin that printers cannot print on, in mm."""

OVERLAP = 10.0
"""The overlap of neighbouring sheets, in mm."""

MIN_PAPER_SIDE = 100.0
"""The shorter side of the smallest paper on which a mat is printed, in mm."""


class Tile(Struct, frozen=True):
    """A sheet of a mat: its number from 1, its column and row.

    ``left`` and ``top`` are the upper left corner of its part of the mat; negative if outside.
    """

    number: int
    column: int
    row: int
    left: float
    top: float


class Tiling(Struct, frozen=True):
    """The sheets of a mat on paper that lies as ``paper``; ``scale`` is 1 unless the mat had to shrink.

    ``size`` is that of the printed mat, ``window`` that of its part on a sheet.
    """

    paper: Size
    size: Size
    scale: float
    columns: int
    rows: int

    @property
    def window(self) -> Size:
        """The printable part of the paper."""
        return _printable(self.paper)

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """The sheets row by row; the mat is centred on all of them together."""
        column_step, row_step = (side - OVERLAP for side in self.window)
        left = (self.size.width - self.columns * column_step - OVERLAP) / 2
        top = (self.size.height - self.rows * row_step - OVERLAP) / 2
        return tuple(
            Tile(
                number=row * self.columns + column + 1,
                column=column,
                row=row,
                left=left + column * column_step,
                top=top + row * row_step,
            )
            for row in range(self.rows)
            for column in range(self.columns)
        )


def tile_mat(size: Size, paper: Size, one_sheet: bool = False) -> Tiling:
    """Return the fewest sheets for a mat, the paper upright or not; with ``one_sheet`` it shrinks to one."""
    orientations = [paper, paper.turned]
    if one_sheet:
        # Smaller by a hair, so that rounding does not make the mat exceed the sheet.
        scales: list[float] = []
        for sheet in orientations:
            sides = zip(_printable(sheet), size, strict=True)
            scales.append(
                min(1.0, *(printable_side / (mat_side + 0.001) for printable_side, mat_side in sides))
            )
        scale = max(scales)
        sheet = orientations[scales.index(scale)]
        scale = math.floor(scale * 1000) / 1000
        return Tiling(sheet, Size(size.width * scale, size.height * scale), scale, 1, 1)

    def sheets_along(length: float, window: float) -> int:
        # A hundredth of a millimetre, which comes from rounding, is not worth another sheet.
        return max(1, math.ceil((length - OVERLAP - 0.01) / (window - OVERLAP)))

    grids = [tuple(map(sheets_along, size, _printable(sheet))) for sheet in orientations]
    columns, rows = min(grids, key=math.prod)
    return Tiling(orientations[grids.index((columns, rows))], size, 1.0, columns, rows)


def _printable(paper: Size) -> Size:
    return Size(paper.width - 2 * MARGIN, paper.height - 2 * MARGIN)


def mat_sheets(tiling: Tiling, overlays: Sequence[int]) -> Iterator[Sheet]:
    """Yield the sheets: page 0 is the mat; ``overlays`` are pages drawn over it, one a sheet, or none."""
    paper, size, window = tiling.paper, tiling.size, tiling.window
    for tile in tiling.tiles:
        x = MARGIN - tile.left
        y = paper.height - MARGIN + tile.top - size.height
        mat = Slot(x, y, *size)
        margins = Edges(
            min(0.0, mat.x - MARGIN),
            min(0.0, MARGIN + window.width - mat.right),
            min(0.0, MARGIN + window.height - mat.top),
            min(0.0, mat.y - MARGIN),
        )
        placements = [Placement(0, mat, shown=VisibleArea(margins))]
        if overlays:
            placements.append(Placement(overlays[tile.number - 1], Slot(0, 0, *paper)))
        visible_box = (
            mat.x - margins.left,
            mat.y - margins.bottom,
            mat.right + margins.right,
            mat.top + margins.top,
        )
        marks = stroke(corner_marks([mat], paper, 0.0)) if not overlays else b""
        yield Sheet(paper, tuple(placements), visible_box, visible_box, above=marks)


def impose_mat(documents: Sequence[bytes], tiling: Tiling, metadata: PdfMetadata) -> bytes:
    """Return the PDF of the sheets of a mat; the optional second document has an overlay for each sheet."""
    with ExitStack() as stack:
        opened = [stack.enter_context(pikepdf.open(io.BytesIO(document))) for document in documents]
        pages = [page for document in opened for page in document.pages]
        return impose(pages, mat_sheets(tiling, range(1, len(pages))), metadata)
