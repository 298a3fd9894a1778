"""The web application: the page, its routes, and what is checked before them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from toolkit.apps.preview import (
    bench_routes,
    card_routes,
    change_routes,
    image_routes,
    looks_routes,
    sheet_routes,
    what_if_routes,
)
from toolkit.apps.preview.responses import ApiError, error_response
from toolkit.apps.preview.security import Guard
from toolkit.apps.preview.session import Session
from toolkit.resources import templates_folder

ROUTE_GROUPS: tuple[Callable[[Session], list[Route]], ...] = (
    card_routes.routes,
    change_routes.routes,
    image_routes.routes,
    sheet_routes.routes,
    looks_routes.routes,
    bench_routes.routes,
    what_if_routes.routes,
)
"""The groups of routes beside the page and its events."""

_STATIC = Path(__file__).parent / "static"
_MEDIA_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
}


def application(session: Session) -> Guard:
    """Return the web application of a session, which runs as long as the application does."""

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        session_task = asyncio.create_task(session.run())
        yield
        session.close()
        session_task.cancel()
        with suppress(asyncio.CancelledError):
            await session_task

    routes = [*_page_routes(), _event_route(session)]
    for group in ROUTE_GROUPS:
        routes += group(session)
    handlers = {
        ApiError: _api_error,
        HTTPException: _http_error,
        ClientDisconnect: _client_disconnected,
        Exception: _internal_error,
    }
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.router.redirect_slashes = False  # what is refused says why
    return Guard(app, session)


async def _api_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    return error_response(error.status, error.data)


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = "There is nothing at this address." if error.status_code == 404 else error.detail
    return error_response(error.status_code, {"error": sentence})


async def _client_disconnected(_request: Request, _error: Exception) -> Response:
    return error_response(400, {"error": "The request was not sent to its end."})  # Starlette wants one


async def _internal_error(_request: Request, _error: Exception) -> Response:
    return error_response(500, {"error": "opforge made a mistake; its terminal says more."})


def _page_routes() -> list[Route]:
    """Return the routes of the page's own files, and of the fonts of the shipped cards, in which it is set.

    The files are listed once, so that no path of a request ever reaches the file system.
    """
    files = {path.relative_to(_STATIC).as_posix(): path for path in _STATIC.rglob("*") if path.is_file()}
    files |= {f"fonts/{path.name}": path for path in (templates_folder() / "fonts").glob("*.ttf")}

    async def static(request: Request) -> Response:
        """Respond with a file of the page, or that it is the same as the browser's."""
        path = files.get(request.path_params.get("path", "index.html"))
        if path is None or path.suffix not in _MEDIA_TYPES:
            raise ApiError(404, "There is nothing at this address.")
        content = path.read_bytes()
        etag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        headers = {"etag": etag, "cache-control": "no-cache"}
        if etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=_MEDIA_TYPES[path.suffix], headers=headers)

    return [Route("/", static), Route("/static/{path:path}", static)]


def _event_route(session: Session) -> Route:
    """Return the route of the stream of events."""

    async def events(request: Request) -> Response:
        last_id = request.headers.get("last-event-id")
        stream = session.events.stream(last_id, session.snapshot.state)
        return StreamingResponse(stream, media_type="text/event-stream")

    return Route("/events", events)
