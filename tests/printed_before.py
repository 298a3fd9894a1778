"""What the PDF engine made for an earlier test is not made again: a third of its work is the same.

This holds for the first request in a test. Who prints twice to compare both sees the engine print the second
time, and in a thorough run nothing is remembered. A result counts while all files that the engine asked for
are the same; they are asked for again, in the same order, as the engine would.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from toolkit.render import plutoprint_engine
from toolkit.render.plutoprint_engine import PlutoPrintRenderer
from toolkit.render.raster_art import Resource
from toolkit.render.renderer import Fetch, Raster
from toolkit.render.sizes import Size

_MOST_BYTES = 64_000_000

_render_pages, _rasters = PlutoPrintRenderer.render_pages, PlutoPrintRenderer.rasters
_known: OrderedDict[Any, tuple[dict[str, Resource], Any, int]] = OrderedDict()
_files: dict[Resource, Resource] = {}
_of_this_test: set[Any] = set()
_bytes = 0
_lock = threading.Lock()  # the preview draws in a thread of its own


def begin_test() -> None:
    """From here on what was made before counts."""
    _of_this_test.clear()


def install() -> None:
    """Let the engine remember what it made in this process."""
    PlutoPrintRenderer.render_pages = _pages_or_known  # type: ignore[method-assign]
    PlutoPrintRenderer.rasters = _rasters_or_known  # type: ignore[method-assign]


def _key(*request: object) -> object:
    """The request, and the parts of the engine that a test may have replaced."""
    return *request, PlutoPrintRenderer._book, plutoprint_engine.unhinted


def _find(key: Any, fetch: Fetch) -> Any:
    """What was made for an earlier test of the same document and files; None if there is nothing."""
    found = _known.get(key)
    if key in _of_this_test or found is None:
        return None
    _of_this_test.add(key)
    return found[1] if all(fetch(address) == file for address, file in found[0].items()) else None


def _keep(key: Any, asked: dict[str, Resource], made: Any, size: int) -> None:
    global _bytes
    _of_this_test.add(key)
    if size > _MOST_BYTES // 8:
        return
    with _lock:
        files = {address: _files.setdefault(file, file) for address, file in asked.items()}
        _bytes += size - _known.pop(key, ({}, None, 0))[2]
        _known[key] = files, made, size
        while _bytes > _MOST_BYTES:
            _bytes -= _known.popitem(last=False)[1][2]


def _pages_or_known(self: PlutoPrintRenderer, html: str, size: Size, fetch: Fetch) -> bytes:
    key = _key(html, size)
    known: bytes | None = _find(key, fetch)
    if known is not None:
        return known
    asked: dict[str, Resource] = {}
    made = _render_pages(self, html, size, lambda address: asked.setdefault(address, fetch(address)))
    _keep(key, asked, made, len(made))
    return made


def _rasters_or_known(
    self: PlutoPrintRenderer, html: str, size: Size, cut: float, dpi: float, fetch: Fetch
) -> Iterator[Raster]:
    key = _key(html, size, cut, dpi)
    known: list[Raster] | None = _find(key, fetch)
    if known is not None:
        yield from known
        return
    asked: dict[str, Resource] = {}
    made = []
    for raster in _rasters(self, html, size, cut, dpi, lambda one: asked.setdefault(one, fetch(one))):
        made.append(raster)
        yield raster
    _keep(key, asked, made, sum(len(raster.bgra) for raster in made))
