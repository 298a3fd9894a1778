"""The picture of a deck sheet, put together from the pictures of its cards as they are drawn."""

from __future__ import annotations

from threading import Lock

from PIL import Image

from toolkit.render.deck_sheet import DeckSheet
from toolkit.render.png import as_image, encode
from toolkit.render.renderer import Raster


class DeckPicture:
    """A deck sheet that is filled place by place, by any thread; what is left empty is white."""

    def __init__(self, layout: DeckSheet) -> None:
        self._layout = layout
        self._image = Image.new("RGB", layout.size, "white")
        self._lock = Lock()

    def put(self, place: int, raster: Raster) -> None:
        """Put a card at a place."""
        picture = as_image(raster)
        with self._lock:
            self._image.paste(picture, self._layout.corner(place))

    def png(self) -> bytes:
        """The sheet as a PNG file."""
        return encode(self._image, self._layout.dpi)
