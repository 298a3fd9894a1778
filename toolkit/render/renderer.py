"""The interface of the PDF engines, which turn HTML into pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol
from urllib.parse import unquote, urlsplit

from toolkit.render.raster_art import Resource
from toolkit.render.sizes import Size

Fetch = Callable[[str], Resource]

Progress = Callable[[int, int], None]
"""Called after each batch with the number of distinct cards done and the total."""


def no_progress(_done: int, _total: int) -> None:
    """Ignore progress."""


class Raster(NamedTuple):
    """A page as pixels: rows of blue, green, red, alpha bytes, from the top, without padding."""

    width: int
    height: int
    bgra: bytes


class EngineError(Exception):
    """An engine failed on a document; the message is the engine's."""


class DamagedFont(EngineError):
    """An engine failed because of a font, at whose address it is told."""

    def __init__(self, address: str) -> None:
        self.address = address
        name = unquote(urlsplit(address).path).lstrip("/")
        super().__init__(f"The font {name} cannot be printed: it is damaged.")


class Renderer(Protocol):
    """A PDF engine."""

    name: str
    version: str
    """Part of the keys of everything that is cached between runs."""

    keeps_pictures: bool
    """Whether JPEGs are embedded in the PDF byte for byte, as ``image_placeholders`` requires."""

    def render_pages(self, html: str, size: Size, fetch: Fetch) -> bytes:
        """Return a PDF of the document's pages, each of that size in mm.

        ``fetch`` loads everything that the document refers to. The same document gives the same bytes. Links
        become annotations (see ``fit``). Raises ``EngineError``.
        """
        ...

    def rasters(self, html: str, size: Size, cut: float, dpi: float, fetch: Fetch) -> Iterator[Raster]:
        """Yield the document's pages as pixels, each of that size in mm, cropped by ``cut`` mm on every side.

        The same document gives the same pixels. Raises ``EngineError`` if the engine fails or cannot do this.
        """
        ...
