"""The second engine, slower and more widely available: WeasyPrint (needs Pango from the system)."""

from __future__ import annotations

from typing import Any

import weasyprint

from toolkit.render.fetch import TEMPLATES_ADDRESS
from toolkit.render.renderer import EngineError, Fetch, Raster
from toolkit.render.sizes import Size


class WeasyPrintRenderer:
    """WeasyPrint behind the interface of ``renderer``; it has no raster."""

    name = "weasyprint"

    def render_pages(self, html: str, size: Size, fetch: Fetch) -> bytes:
        """See ``Renderer``."""

        def fetch_url(url: str, *_: object, **__: object) -> dict[str, Any]:
            resource = fetch(url)
            return {"string": resource.content, "mime_type": resource.mime}

        page = weasyprint.CSS(string=f"@page {{ size: {size.width}mm {size.height}mm; margin: 0 }}")
        document = weasyprint.HTML(string=html, base_url=TEMPLATES_ADDRESS, url_fetcher=fetch_url)
        try:
            pdf: bytes = document.write_pdf(stylesheets=[page], pdf_identifier=b"opforge")
        except (ValueError, OSError, KeyError, IndexError, TypeError) as error:
            raise EngineError(f"WeasyPrint failed: {error}") from error
        return pdf

    def raster(self, html: str, size: Size, dpi: float, fetch: Fetch) -> Raster:  # noqa: ARG002 refused
        """Refused: this engine writes PDF only."""
        raise EngineError("WeasyPrint draws no pictures; install PlutoPrint for that.")
