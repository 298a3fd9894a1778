"""The choice of the PDF engine.

The second engine, WeasyPrint, is imported only if the first is missing.
"""

from __future__ import annotations

from msgspec import Struct

from toolkit.render.plutoprint_engine import PlutoPrintRenderer
from toolkit.render.renderer import Renderer


class NoEngine(Struct, frozen=True):
    """Why no engine can be loaded on this machine, and the next step."""

    message: str
    next_step: str


def choose_renderer() -> Renderer | NoEngine:
    """Return the fastest engine that is installed and can be loaded."""
    reasons = []
    for load in (_plutoprint, _weasyprint):
        try:
            return load()
        except (ImportError, OSError) as error:  # OSError: a system library such as Pango is missing
            reasons.append(str(error))
    return NoEngine(
        f"No PDF engine can be loaded ({'; '.join(reasons)}).",
        "Install PlutoPrint (pip install plutoprint), or, if there is no wheel for your system, "
        "WeasyPrint (pip install 'opforge[weasyprint]', which needs Pango from the system).",
    )


def _plutoprint() -> Renderer:
    return PlutoPrintRenderer()


def _weasyprint() -> Renderer:
    from toolkit.render.weasyprint_engine import WeasyPrintRenderer

    return WeasyPrintRenderer()
