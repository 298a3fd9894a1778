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

from toolkit.preview import (
    bench_routes,
    card_routes,
    change_routes,
    picture_routes,
    sheet_routes,
    trial_routes,
)
from toolkit.preview.answers import Refused, refusal
from toolkit.preview.security import Guard
from toolkit.preview.session import Session
from toolkit.resources import templates_folder

ROUTES: tuple[Callable[[Session], list[Route]], ...] = (
    card_routes.routes,
    change_routes.routes,
    picture_routes.routes,
    sheet_routes.routes,
    bench_routes.routes,
    trial_routes.routes,
)
"""The groups of routes beside the page and its events."""

_STATIC = Path(__file__).parent / "static"
_TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
}


def application(session: Session) -> Guard:
    """The application of a session, which runs from the application's start to its end."""

    @asynccontextmanager
    async def life(_app: Starlette) -> AsyncIterator[None]:
        running = asyncio.create_task(session.run())
        yield
        session.close()
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    routes = [*_page_routes(), _event_route(session)]
    for group in ROUTES:
        routes += group(session)
    handlers = {
        Refused: _refused,
        HTTPException: _not_found,
        ClientDisconnect: _gone,
        Exception: _mistake,
    }
    app = Starlette(routes=routes, lifespan=life, exception_handlers=handlers)
    app.router.redirect_slashes = False  # what is refused says why
    return Guard(app, session)


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return refusal(error.status, error.data)


async def _not_found(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentence = "There is nothing at this address." if error.status_code == 404 else error.detail
    return refusal(error.status_code, {"error": sentence})


async def _gone(_request: Request, _error: Exception) -> Response:
    return refusal(400, {"error": "The request was not sent to its end."})  # nobody reads it


async def _mistake(_request: Request, _error: Exception) -> Response:
    return refusal(500, {"error": "opforge made a mistake; its terminal says more."})


def _page_routes() -> list[Route]:
    """The files of the page; only those that are there when the preview starts have an address.

    Its letters are those of the shipped cards.
    """
    files = {path.relative_to(_STATIC).as_posix(): path for path in _STATIC.rglob("*") if path.is_file()}
    files |= {f"fonts/{path.name}": path for path in (templates_folder() / "fonts").glob("*.ttf")}

    async def static(request: Request) -> Response:
        path = files.get(request.path_params.get("path", "index.html"))
        if path is None or path.suffix not in _TYPES:
            raise Refused(404, "There is nothing at this address.")
        content = path.read_bytes()
        tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=_TYPES[path.suffix], headers=headers)

    return [Route("/", static), Route("/static/{path:path}", static)]


def _event_route(session: Session) -> Route:
    async def events(request: Request) -> Response:
        last = request.headers.get("last-event-id")
        stream = session.events.stream(last, session.snapshot.state)
        return StreamingResponse(stream, media_type="text/event-stream")

    return Route("/events", events)
