"""The engine that turns HTML into pages, behind a small interface, and the choice of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

from msgspec import Struct

from toolkit.render.fetch import Resource
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
    """What the sheet production asks of an engine."""

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


class NoEngine(Struct, frozen=True):
    """There is no engine on this machine: what to tell the user."""

    message: str
    next_step: str


def choose_renderer() -> Renderer | NoEngine:
    """The fastest engine that is installed and can be loaded."""
    reasons = []
    for load in (_plutoprint, _weasyprint):
        try:
            return load()
        except (ImportError, OSError) as error:  # OSError: a library of the system is missing
            reasons.append(str(error))
    return NoEngine(
        f"No PDF engine can be loaded ({'; '.join(reasons)}).",
        "Install PlutoPrint (pip install plutoprint), or, if there is no wheel for your system, "
        "WeasyPrint (pip install 'opforge[weasyprint]', which needs Pango from the system).",
    )


def _plutoprint() -> Renderer:
    from toolkit.render.plutoprint_engine import PlutoPrintRenderer

    return PlutoPrintRenderer()


def _weasyprint() -> Renderer:
    from toolkit.render.weasyprint_engine import WeasyPrintRenderer

    return WeasyPrintRenderer()
