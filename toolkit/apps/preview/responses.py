"""JSON requests and responses of the routes, and the errors they answer with."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

K = TypeVar("K")
T = TypeVar("T")

MAX_BODY_BYTES = 256 * 1024
"""Bytes of the body of a request, at most."""


class ApiError(Exception):
    """A request that is answered with an HTTP error: its status, a sentence, and ``more_data`` beside it."""

    def __init__(self, status: int, sentence: str, **more_data: Any) -> None:
        super().__init__(sentence)
        self.status = status
        self.data = {"error": sentence, **more_data}


def encode_json(data: Any) -> bytes:
    """Return data as JSON in UTF-8."""
    try:
        return msgspec.json.encode(data)
    except UnicodeEncodeError:  # a file name that is not UTF-8 holds surrogates, which `json` escapes
        return json.dumps(data).encode()


def json_response(request: Request, data: Mapping[str, Any]) -> Response:
    """Return the response to a request, with the version of the interface and the generation of its data.

    The generation is that of the beginning of the request: the data are at least as new, so that a page that
    asks for all events after it misses none.
    """
    body = encode_json({"version": 1, "generation": request.scope["generation"], **data})
    return Response(body, media_type="application/json")


def error_response(status: int, data: Mapping[str, Any]) -> Response:
    """Return the response to a request that cannot be fulfilled."""
    return Response(encode_json(data), status, media_type="application/json")


async def read_json(request: Request, body_type: type[T]) -> T:
    """Return the body of a request as a value of a type, mostly a struct. Raises ``ApiError``: 413, 400."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise ApiError(413, f"The body of a request may have {MAX_BODY_BYTES} bytes.")
    try:
        return msgspec.json.decode(bytes(body), type=body_type)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ApiError(400, f"The body is not what this address expects: {error}.") from None


def get_route(path: str, respond: Callable[[Request], Awaitable[Mapping[str, Any]]]) -> Route:
    """Return a route for GET requests that are answered with JSON."""

    async def endpoint(request: Request) -> Response:
        return json_response(request, await respond(request))

    return Route(path, endpoint)


def post_route(path: str, body_type: type[T], respond: Callable[[T], Awaitable[Mapping[str, Any]]]) -> Route:
    """Return a route for POST requests with a body of a type, which are answered with JSON."""

    async def endpoint(request: Request) -> Response:
        return json_response(request, await respond(await read_json(request, body_type)))

    return Route(path, endpoint, methods=["POST"])


def keep_newest(cache: dict[K, T], key: K, value: T, limit: int) -> None:
    """Put a value into a dictionary as its newest entry, and drop the oldest beyond a limit."""
    cache.pop(key, None)
    cache[key] = value
    while len(cache) > limit:
        del cache[next(iter(cache))]
