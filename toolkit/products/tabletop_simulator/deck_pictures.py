"""Tabletop Simulator: deck sheets, and the saved object that makes decks of them.

A deck sheet is a picture of up to 10 × 7 cards. The card at place *n* (row by row, from 0) of sheet number
*s* has the CardID ``s * 100 + n``. The last place is not a card, but what other players see of a card in a
hand: the back is drawn there.

Sources: saved objects that the game has written, and programs that read and write them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from threading import Lock
from typing import Any

from msgspec import Struct
from PIL import Image

from toolkit.render.page_raster import as_image, encode_png
from toolkit.render.renderer import Raster
from toolkit.render.sizes import MM_PER_INCH, Size

MAX_COLUMNS, MAX_ROWS = 10, 7
MIN_SIDE = 2
"""The minimum of columns and of rows, which the game requires."""

MAX_PIXELS = 4096
"""The maximum of each side of a picture."""

CARDS_ON_A_SHEET = MAX_COLUMNS * MAX_ROWS - 1
"""69: all places but the last one."""

MAX_DPI = 300


class DeckSheet(Struct, frozen=True):
    """The grid of a deck sheet; ``width`` and ``height`` are those of one card in pixels."""

    columns: int
    rows: int
    width: int
    height: int
    dpi: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the whole picture in pixels."""
        return self.columns * self.width, self.rows * self.height

    @property
    def last(self) -> int:
        """The last place, which has no card."""
        return self.columns * self.rows - 1

    def corner(self, slot_number: int) -> tuple[int, int]:
        """Return the upper left corner of a place in pixels."""
        row, column = divmod(slot_number, self.columns)
        return column * self.width, row * self.height


def deck_sheet_for(cards: int, card: Size) -> DeckSheet:
    """Return the sheet for up to 69 distinct cards on which they are largest; among equals the smallest."""
    sheets = (
        _sheet(columns, rows, card)
        for columns in range(MIN_SIDE, MAX_COLUMNS + 1)
        for rows in range(MIN_SIDE, MAX_ROWS + 1)
    )
    fitting_sheets = [sheet for sheet in sheets if sheet.last >= cards]  # the last place is that of the back
    return max(fitting_sheets, key=lambda sheet: (sheet.dpi, -sheet.last, -sheet.columns))


def _sheet(columns: int, rows: int, card: Size) -> DeckSheet:
    """Return a sheet with the finest resolution whose pixels are not too many."""
    finest_dpi = min(MAX_PIXELS / columns / card.width, MAX_PIXELS / rows / card.height) * MM_PER_INCH
    dpi = min(MAX_DPI, int(finest_dpi))
    while True:  # rounded to whole pixels, the sheet may be too large
        width, height = (round(side / MM_PER_INCH * dpi) for side in card)
        if columns * width <= MAX_PIXELS and rows * height <= MAX_PIXELS:
            return DeckSheet(columns, rows, width, height, dpi)
        dpi -= 1


class DeckPicture:
    """A deck sheet that is filled place by place; empty places are white. Thread-safe."""

    def __init__(self, layout: DeckSheet) -> None:
        self._layout = layout
        self._image = Image.new("RGB", layout.size, "white")
        self._lock = Lock()

    def put(self, slot_number: int, raster: Raster) -> None:
        """Draw a card at a place."""
        picture = as_image(raster)
        with self._lock:
            self._image.paste(picture, self._layout.corner(slot_number))

    def png(self) -> bytes:
        """Return the sheet as PNG."""
        return encode_png(self._image, self._layout.dpi)


_CARD_TINT = 0.713235259
"""The tint that the game gives to new cards."""

_DECK_SPACING = 3.0
"""The distance of decks on the table, in units of the game."""

_GUID_LENGTH = 6
NOTE = "Made with opforge."
"""The note at the beginning of our saved objects, by which they are recognized."""

Json = dict[str, Any]


class TableCard(Struct, frozen=True):
    """A card in the game: ``place`` on its sheet, and the number of copies."""

    id: str
    name: str
    text: str
    sheet: int
    place: int
    quantity: int

    @property
    def card_id(self) -> int:
        """The number by which the game finds the picture."""
        return self.sheet * 100 + self.place


class TableSheet(Struct, frozen=True):
    """A deck sheet with its number (from 1) and the addresses of its pictures."""

    number: int
    layout: DeckSheet
    face: str
    back: str


class TableDeck(Struct, frozen=True):
    """A pile of cards; ``name`` is shown on the table."""

    name: str
    sheets: Sequence[TableSheet]
    cards: Sequence[TableCard]


def saved_object(title: str, decks: Sequence[TableDeck]) -> Json:
    """Return the saved object with all decks side by side. Deterministic."""
    taken_guids: set[str] = set()
    return {
        "SaveName": title,
        "Note": NOTE,
        "GameMode": "",
        "Date": "",
        "Gravity": 0.5,
        "PlayArea": 0.5,
        **dict.fromkeys(("Table", "Sky", "Rules"), ""),
        "TabStates": {},
        **dict.fromkeys(("LuaScript", "LuaScriptState", "XmlUI", "VersionNumber"), ""),
        "ObjectStates": [
            _deck(taken_guids, title, deck, number * _DECK_SPACING) for number, deck in enumerate(decks)
        ],
    }


def _deck(taken_guids: set[str], title: str, deck: TableDeck, x: float) -> Json:
    """Return a deck, or the card itself if there is only one: the game has no deck of one."""
    sheets: dict[int, Json] = {
        sheet.number: {
            "FaceURL": sheet.face,
            "BackURL": sheet.back,
            "NumWidth": sheet.layout.columns,
            "NumHeight": sheet.layout.rows,
            "BackIsHidden": True,
            "UniqueBack": False,
            "Type": 0,
        }
        for sheet in deck.sheets
    }
    cards = list(_copies(taken_guids, title, deck, sheets, x))
    first_card, *other_cards = cards
    if not other_cards:
        return first_card
    return {
        **_table_object("DeckCustom", _guid(taken_guids, title, deck.name), deck.name, "", x),
        "SidewaysCard": first_card["SidewaysCard"],
        "DeckIDs": [card["CardID"] for card in cards],
        "CustomDeck": {str(number): custom for number, custom in sheets.items()},
        "ContainedObjects": cards,
    }


def _copies(
    taken_guids: set[str], title: str, deck: TableDeck, sheets: dict[int, Json], x: float
) -> Iterator[Json]:
    """Yield an object for each copy of each card of a deck."""
    sideways = {sheet.number: sheet.layout.width > sheet.layout.height for sheet in deck.sheets}
    for card in deck.cards:
        for copy in range(card.quantity):
            yield {
                **_table_object(
                    "Card", _guid(taken_guids, title, deck.name, card.id, copy), card.name, card.text, x
                ),
                "GMNotes": card.id,
                "HideWhenFaceDown": True,
                "Hands": True,
                "CardID": card.card_id,
                "SidewaysCard": sideways[card.sheet],
                "CustomDeck": {str(card.sheet): sheets[card.sheet]},
            }


def _table_object(kind: str, guid: str, nickname: str, description: str, x: float) -> Json:
    """Return the properties that every object has; it lies face down."""
    transform = {"posX": x, "posY": 1.0, "posZ": 0.0, "rotX": 0.0, "rotY": 180.0, "rotZ": 180.0}
    return {
        "GUID": guid,
        "Name": kind,
        "Transform": {**transform, "scaleX": 1.0, "scaleY": 1.0, "scaleZ": 1.0},
        "Nickname": nickname,
        "Description": description,
        "GMNotes": "",
        "ColorDiffuse": {"r": _CARD_TINT, "g": _CARD_TINT, "b": _CARD_TINT},
        "Locked": False,
        **dict.fromkeys(("Grid", "Snap", "Autoraise", "Sticky", "Tooltip"), True),
        **dict.fromkeys(("LuaScript", "LuaScriptState", "XmlUI"), ""),
    }


def _guid(taken_guids: set[str], *parts: object) -> str:
    """Return six hexadecimal digits that are unique in the file and the same for the same ``parts``."""
    digest = hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()
    while digest[:_GUID_LENGTH] in taken_guids:
        digest = hashlib.sha256(digest.encode()).hexdigest()
    guid = digest[:_GUID_LENGTH]
    taken_guids.add(guid)
    return guid
