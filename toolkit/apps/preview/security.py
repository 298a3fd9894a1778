"""Checks of every request before a route sees it, and the headers of every response.

Loopback alone protects from nobody: any web page can send requests to it (with a rebound name even read the
answers), and other users of the machine reach it too.
"""

from __future__ import annotations

import hmac
from typing import Protocol

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from toolkit.apps.preview.responses import MAX_BODY_BYTES, ApiError, error_response

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
"""Headers of every response; a route may set another policy and another ``Cache-Control``."""


class Served(Protocol):
    """What the guard must know: the port, once there is one, the token, and the state that is served."""

    port: int
    token: str

    @property
    def generation(self) -> str:
        """The state that is served, as in the event log."""
        ...


class Guard:
    """An ASGI application that passes on requests of the preview's own page, and reads no others."""

    def __init__(self, app: ASGIApp, served: Served) -> None:
        self._app, self._served = app, served

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        scope["generation"] = self._served.generation
        refusal = self._refusal(scope["method"], scope["path"], Headers(scope=scope))
        if refusal is None:
            await self._app(scope, receive, send_with_headers)
        else:
            await error_response(refusal.status, refusal.data)(scope, receive, send_with_headers)

    def _refusal(self, method: str, path: str, headers: Headers) -> ApiError | None:
        """Return why a request is refused, if it is. A header that is sent twice is refused too."""
        refusal = self._refusal_of_origin(method, path, headers)
        if refusal is not None:
            return refusal
        if method not in ("GET", "HEAD", "POST"):
            return ApiError(405, f"There is no {method[:20]} here.")
        # Pictures are images of the page, for which no header can be set: their addresses are the secret.
        if path == "/events" or path.startswith("/api/") or path == "/api" or method == "POST":
            authorizations = headers.getlist("authorization")
            if len(authorizations) != 1 or not self._is_token(authorizations[0]):
                return ApiError(401, "The token is missing or wrong; open the page from its terminal again.")
        return _refusal_of_body(headers) if method == "POST" else None

    def _refusal_of_origin(self, method: str, path: str, headers: Headers) -> ApiError | None:
        """Return why a request does not come from the preview's own page, if it does not."""
        # a page whose name was rebound to loopback still sends its own name as the host
        hosts = {f"{name}:{self._served.port}" for name in ("127.0.0.1", "localhost")}
        if headers.getlist("host") != [headers.get("host")] or headers.get("host") not in hosts:
            return ApiError(403, "This address serves the preview of its own machine only.")
        origins = headers.getlist("origin")
        if origins not in ([], [f"http://{headers['host']}"]):
            return ApiError(403, "This request comes from another page.")
        # Browsers send no Origin with images, frames and scripts. The page itself is reached by links.
        if path != "/" or method not in ("GET", "HEAD"):
            sites = headers.getlist("sec-fetch-site")
            if sites not in ([], ["same-origin"]):
                return ApiError(403, "This request comes from another page.")
        return None

    def _is_token(self, authorization: str) -> bool:
        scheme, _, token = authorization.partition(" ")
        is_right = hmac.compare_digest(token.encode(), self._served.token.encode())
        return is_right and scheme.lower() == "bearer"


def _refusal_of_body(headers: Headers) -> ApiError | None:
    """Return why a request that sends something is refused, judging by its headers."""
    if not headers.getlist("origin"):
        return ApiError(403, "A request that sends something needs an Origin.")
    media_type, _, _parameters = headers.get("content-type", "").partition(";")
    if media_type.strip().lower() != "application/json":
        return ApiError(400, "The body must be application/json.")
    length = headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit()) or len(length) > 9 or int(length) > MAX_BODY_BYTES:
        return ApiError(413, f"The body of a request may have {MAX_BODY_BYTES} bytes.")
    return None
