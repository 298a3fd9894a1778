"""The interface of PDF engines, which turn HTML into pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from toolkit.render.pictures import Resource
from toolkit.render.sizes import Size

Fetch = Callable[[str], Resource]


class Raster(NamedTuple):
    """A page as dots: rows of blue, green, red, alpha bytes, from the top, without padding."""

    width: int
    height: int
    bgra: bytes


class EngineError(Exception):
    """An engine gave up on a document; the message is its own."""


class Renderer(Protocol):
    """A PDF engine."""

    name: str
    version: str
    """What is kept between runs is kept for this version."""

    keeps_pictures: bool
    """Whether a JPEG that it was given is in the PDF byte for byte."""

    def render_pages(self, html: str, size: Size, fetch: Fetch) -> bytes:
        """A PDF of the document's pages, each of that size in mm.

        Everything the document refers to is asked of ``fetch``. The same document gives the same bytes.
        Links become annotations (see ``fit``). Raises ``EngineError`` when the engine fails.
        """
        ...

    def rasters(self, html: str, size: Size, cut: float, dpi: float, fetch: Fetch) -> Iterator[Raster]:
        """The document's pages as dots, one after the other, each of that size in mm.

        ``cut`` mm are left away on every side. The same document gives the same dots. Raises ``EngineError``
        when the engine fails or cannot do that.
        """
        ...
