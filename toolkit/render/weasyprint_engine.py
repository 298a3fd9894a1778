"""The second engine, slower and more widely available: WeasyPrint (needs Pango from the system)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import weasyprint
from weasyprint.urls import URLFetcher, URLFetcherResponse

from toolkit.render.fetch import TEMPLATES_ADDRESS
from toolkit.render.renderer import EngineError, Fetch, Raster
from toolkit.render.sizes import Size

_BASE = "http://templates/"
"""Stands for ``TEMPLATES_ADDRESS``: the engine resolves relative URLs only for schemes that it knows."""


class _Resources(URLFetcher):  # type: ignore[misc]  # the engine's class has no types
    """Passes the engine's requests to our fetcher; it handles ``data:`` itself."""

    def __init__(self, fetch: Fetch) -> None:
        super().__init__(allowed_protocols=("data",))
        self._ours = fetch

    def fetch(self, url: str, headers: Mapping[str, str] | None = None) -> URLFetcherResponse:
        """Return the file at an address."""
        if url.startswith("data:"):
            return super().fetch(url, headers)
        address = TEMPLATES_ADDRESS + url.removeprefix(_BASE) if url.startswith(_BASE) else url
        resource = self._ours(address)
        return URLFetcherResponse(url, resource.content, {"Content-Type": resource.mime})


class WeasyPrintRenderer:
    """WeasyPrint behind the interface of ``renderer``. It writes PDF only."""

    name = "weasyprint"
    version = weasyprint.__version__
    keeps_pictures = False

    def render_pages(self, html: str, size: Size, fetch: Fetch) -> bytes:
        """See ``Renderer``."""
        resources = _Resources(fetch)
        page = weasyprint.CSS(string=f"@page {{ size: {size.width}mm {size.height}mm; margin: 0 }}")
        try:
            document = weasyprint.HTML(string=html, base_url=_BASE, url_fetcher=resources)
            pdf: bytes = document.write_pdf(stylesheets=[page], pdf_identifier=b"opforge")
        except Exception as error:  # WeasyPrint has no base class for errors in documents
            raise EngineError(f"{type(error).__name__}: {error}") from error
        return pdf

    def rasters(self, *_args: object, **_options: object) -> Iterator[Raster]:
        """Raise ``EngineError``: this engine writes PDF only."""
        raise EngineError("WeasyPrint cannot draw pictures; install PlutoPrint for that.")
