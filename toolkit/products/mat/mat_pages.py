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

    @property
    def attached(self) -> Size:
        """The size of the largest card that is attached to an OPERATOR (C-1)."""
        return Size(max(self.deck.width, self.item.width), max(self.deck.height, self.item.height))


class Place(Struct, frozen=True):
    """A place for a card or a zone; x from the left edge of the mat, y from its centre line.

    ``kind`` is ``field``, ``turned`` (an EXHAUSTED OPERATOR), ``attached`` (the card on an OPERATOR),
    ``label`` (what the mat says about a FIELDPOSITION), ``objective``, ``save``, ``strategy``, ``edge`` (a
    zone that is open towards the player), or a pile: ``deck``, ``discard``, ``item-deck``, ``item-discard``.
    ``number`` counts places of a kind from 1; of an edge it is how many cards may lie there (0: any).
    ``name`` is the word that is printed there.
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

_SHOWN = 0.3
"""The share of an OPERATOR's width that stays in sight beside an attached card: its stats are there."""

_MOST_FIELD_WIDTHS = 1.25
"""The zones below the FIELD may be so many times as wide as it."""

_SHOWN_OBJECTIVE, _SHOWN_ZONE = 0.18, 0.26
"""The shares of a card's height that are in sight on the compact mat: of an OBJECTIVE behind its OPERATOR,
and of the cards in a zone at the edge."""

_NUMBER = 14.0
"""The least width of what the full mat says beside an OBJECTIVE."""

_LABEL = 12.0
"""The height of what the compact mat says above an OBJECTIVE."""

_AROUND_LABEL = 1.0
"""The distance of what the mat says about an OBJECTIVE from the card below or beside it."""


def plan_mat(form: Form, mode: Mode, cards: TableCards) -> MatPlan:
    """Return the mat of a mode for cards of these sizes."""
    return (_full if form == "full" else _compact)(mode, cards)


def _full(mode: Mode, cards: TableCards) -> MatPlan:
    """Return the full mat: an OBJECTIVE lies in full sight above its OPERATOR, which can be turned (C-2)."""
    # So narrow that a mat for poker cards takes six sheets, of A4 and of Letter.
    margin, gap, band = 3.0, 2.5, 10.0
    attached = cards.attached
    shown_width = _SHOWN * cards.operator.width
    side = max(*cards.operator, shown_width + attached.width, attached.height)
    column_width = max(side, cards.objective.width + _NUMBER)
    field_width = mode.field_positions * (column_width + gap) - gap
    inner_width, zones = _zones_below(mode, cards, field_width, gap)

    # Beside them a column of piles at each side: the FIELD lies in the middle, so that 1 faces 1 (F-1).
    pile_width = max(cards.deck.width, cards.item.width)
    left = margin + pile_width + gap
    width = 2 * left + inner_width
    objective_y = band / 2 + gap
    upper_y = objective_y + cards.objective.height + gap
    lower_y = upper_y + max(side, cards.deck.height, cards.item.height) + gap

    places: list[Place] = []
    for zone, zone_width in zones:
        x = left if zone.kind == "save" else left + inner_width - zone_width
        places += _zone(zone, x, lower_y, zone_width)
    for kind in _piles(mode):
        card = cards.item if kind.startswith("item") else cards.deck
        is_left = kind.startswith("item") or (kind == "discard" and not mode.item_deck_maximum)
        x = margin if is_left else width - margin - pile_width
        y = lower_y if kind.endswith("deck") or not mode.item_deck_maximum else upper_y
        places.append(_at(kind, x + (pile_width - card.width) / 2, y, card, name=_PILES[kind]))
    tallest = max(card.height for card in (cards.operator, cards.strategy, cards.deck, cards.item))
    near_columns, far_columns = _columns(
        mode, left + (inner_width - field_width) / 2, column_width + gap, column_width
    )
    near_row, far_row = (
        [place for column in columns for place in _full_column(column, cards, objective_y, upper_y, side)]
        for columns in (near_columns, far_columns)
    )
    size = Size(width, 2 * (lower_y + tallest + margin))
    return MatPlan("full", size, band, (*near_row, *places), (*far_row, *places))


def _zones_below(
    mode: Mode, cards: TableCards, field_width: float, gap: float
) -> tuple[float, list[tuple[Place, float]]]:
    """Return the width of the mat between its piles, and SAVEZONE (at the left) and STRATEGY with theirs.

    Cards of the zones lie side by side up to the width of six of them, or ``_MOST_FIELD_WIDTHS`` times that
    of the FIELD if that is more. Beyond, they overlap, those of both zones by the same share.
    """
    both_zones = [
        _at("save", 0, 0, cards.operator, mode.save_zone, "SAVEZONE"),
        _at("strategy", 0, 0, cards.strategy, mode.strategy_positions, "STRATEGY"),
    ]
    zones = [zone for zone in both_zones if zone.number]
    full_widths = [zone.number * (zone.width + gap) - gap for zone in zones]
    six_cards = 3 * (cards.operator.width + cards.strategy.width + 2 * gap)
    most_width = max(_MOST_FIELD_WIDTHS * field_width, six_cards)
    least_width = sum(zone.width for zone in zones) + gap
    inner_width = max(field_width, least_width, min(sum(full_widths) + gap, most_width))
    share = min(1.0, (inner_width - least_width) / max(sum(full_widths) + gap - least_width, 1.0))
    widths = [
        zone.width + (full_width - zone.width) * share
        for zone, full_width in zip(zones, full_widths, strict=True)
    ]
    return inner_width, list(zip(zones, widths, strict=True))


def _full_column(
    column: _Column, cards: TableCards, objective_y: float, operator_y: float, side: float
) -> Iterator[Place]:
    """Yield the places of a FIELDPOSITION.

    The card attached to an OPERATOR lies on it, moved to the right, because the stats are at the left.
    EXHAUSTED, both are turned clockwise together, and the stats are above.
    """
    operator, attached, objective = cards.operator, cards.attached, cards.objective
    x, number = column.x, column.number
    label_x = x + objective.width + _AROUND_LABEL
    label_width = column.width - objective.width - _AROUND_LABEL
    yield Place("label", label_x, objective_y, label_width, objective.height, number)
    if column.has_objective:
        yield _at("objective", x, objective_y, objective, number)
    yield _at("turned", x + side - operator.height, operator_y, operator.turned, number)
    yield _at("field", x, operator_y, operator, number)
    yield _at("attached", x + side - attached.width, operator_y, attached, number)


def _compact(mode: Mode, cards: TableCards) -> MatPlan:
    """Return the compact mat: OPERATORs side by side, piles on the right, other zones at the edge.

    The upper edges of an OBJECTIVE and of an attached card look out from behind an OPERATOR; what the
    OBJECTIVE does is printed above it.
    """
    margin, gap, band = 3.0, 3.0, 3.0
    pile_gap = gap + 1
    column_width = max(cards.operator.width, cards.objective.width)
    field_width = mode.field_positions * (column_width + gap) - gap
    piles = [kind for kind in _piles(mode) if kind != "item-discard"]
    pile_width = max(cards.deck.width, cards.item.width)
    left = margin + pile_width + pile_gap
    objective_edge = _SHOWN_OBJECTIVE * cards.objective.height
    zone_height = _SHOWN_ZONE * cards.operator.height
    operator_y = band / 2 + _LABEL + objective_edge
    edge_y = operator_y + cards.operator.height + gap
    pile_height = max(cards.deck.height, cards.item.height)
    half_height = max(edge_y + zone_height, (len(piles) * (pile_height + gap) - gap) / 2 + margin)
    zones = [("SAVEZONE", mode.save_zone), ("STRATEGY", mode.strategy_positions)]
    zones += [("ITEMDISCARDZONE", 0)] if len(piles) > 2 else []
    zone_width = (field_width + gap) / len(zones)
    places: list[Place] = []
    for number, (name, capacity) in enumerate(zones):
        x = left + number * zone_width
        places.append(Place("edge", x, edge_y, zone_width - gap, half_height - edge_y, capacity, name))
    for number, kind in enumerate(piles):
        card = cards.item if kind.startswith("item") else cards.deck
        x = left + field_width + pile_gap + (pile_width - card.width) / 2
        y = half_height - margin - pile_height - number * (pile_height + gap)
        places.append(_at(kind, x, y, card, name=_PILES[kind]))
    near_columns, far_columns = _columns(mode, left, column_width + gap, column_width)
    near_row, far_row = (
        [place for column in columns for place in _compact_column(column, cards, band / 2, operator_y)]
        for columns in (near_columns, far_columns)
    )
    size = Size(2 * left + field_width, 2 * half_height)
    return MatPlan("compact", size, band, (*near_row, *places), (*far_row, *places))


def _compact_column(column: _Column, cards: TableCards, top: float, operator_y: float) -> Iterator[Place]:
    """Yield the places of a FIELDPOSITION: what is behind an OPERATOR looks out above it."""
    operator, objective, number = cards.operator, cards.objective, column.number
    middle_x, edge_y = column.x + column.width / 2, top + _LABEL
    if column.has_objective:
        yield Place("label", column.x, top, column.width, _LABEL - _AROUND_LABEL, number)
        objective_x = middle_x - objective.width / 2
        yield Place("objective", objective_x, edge_y, objective.width, operator_y - edge_y, number)
    yield _at("field", middle_x - operator.width / 2, operator_y, operator, number)


def _at(kind: str, x: float, y: float, size: Size, number: int = 0, name: str = "") -> Place:
    return Place(kind, x, y, size.width, size.height, number, name)


def _piles(mode: Mode) -> tuple[str, ...]:
    return tuple(_PILES) if mode.item_deck_maximum else ("deck", "discard")


class _Column(NamedTuple):
    """A FIELDPOSITION: its left edge, its width, its number, and whether an OBJECTIVE lies there."""

    x: float
    width: float
    number: int
    has_objective: bool


def _columns(mode: Mode, left: float, distance: float, width: float) -> tuple[list[_Column], list[_Column]]:
    """Return the FIELDPOSITIONs of both players; the other player's numbers run from right to left."""
    positions = mode.field_positions
    near, far = (
        [
            _Column(left + column * distance, width, number, number <= len(mode.objectives))
            for column, number in enumerate(numbers)
        ]
        for numbers in (range(1, positions + 1), range(positions, 0, -1))
    )
    return near, far


def _zone(zone: Place, x: float, y: float, zone_width: float) -> Iterator[Place]:
    """Yield the places of a zone, which overlap where room is short; those in full sight have a name."""
    distance = (zone_width - zone.width) / (zone.number - 1) if zone.number > 1 else 0.0
    for number in range(1, zone.number + 1):
        name = zone.name if number == zone.number or distance >= zone.width else ""
        yield Place(zone.kind, x + (number - 1) * distance, y, zone.width, zone.height, number, name)


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
        best_sheet = max(orientations, key=lambda sheet: _scale_on(sheet, size))
        scale = math.floor(_scale_on(best_sheet, size) * 1000) / 1000
        return Tiling(best_sheet, Size(size.width * scale, size.height * scale), scale, 1, 1)

    def sheets_along(length: float, window: float) -> int:
        # A hundredth of a millimetre, which comes from rounding, is not worth another sheet.
        return max(1, math.ceil((length - OVERLAP - 0.01) / (window - OVERLAP)))

    grids = [tuple(map(sheets_along, size, _printable(sheet))) for sheet in orientations]
    columns, rows = min(grids, key=math.prod)
    return Tiling(orientations[grids.index((columns, rows))], size, 1.0, columns, rows)


def _scale_on(sheet: Size, size: Size) -> float:
    """Return the scale at which a mat fits one sheet, at most 1."""
    # Smaller by a hair, so that rounding does not make the mat exceed the sheet.
    sides = zip(_printable(sheet), size, strict=True)
    return min(1.0, *(printable_side / (mat_side + 0.001) for printable_side, mat_side in sides))


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
