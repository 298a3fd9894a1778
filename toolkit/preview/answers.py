"""What the routes read and answer: bodies and answers as JSON, and refusals."""

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

LARGEST_BODY = 256 * 1024
"""The most bytes of the body of a request."""


class Refused(Exception):
    """A request that is refused, with the status and a sentence; ``more`` is put beside the sentence."""

    def __init__(self, status: int, sentence: str, **more: Any) -> None:
        super().__init__(sentence)
        self.status = status
        self.data = {"error": sentence, **more}


def encoded(data: Any) -> bytes:
    """JSON as UTF-8; names of files may hold halves of pairs, which are escaped."""
    try:
        return msgspec.json.encode(data)
    except UnicodeEncodeError:
        return json.dumps(data).encode()


def answer(request: Request, data: Mapping[str, Any]) -> Response:
    """The answer to a request, with the version of the interface and the generation of what is answered.

    That is the one at the beginning of the request: what is answered is at least as new, so that a page which
    asks for all events after it misses none.
    """
    body = encoded({"version": 1, "generation": request.scope["generation"], **data})
    return Response(body, media_type="application/json")


def refusal(status: int, data: Mapping[str, Any]) -> Response:
    """The answer to a request that is refused."""
    return Response(encoded(data), status, media_type="application/json")


async def json_body(request: Request, form: type[T]) -> T:
    """The body of a request as a value of a type (a ``msgspec.Struct``). Raises ``Refused``: 413, 400."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST_BODY:
            raise Refused(413, f"The body of a request may have {LARGEST_BODY} bytes.")
    try:
        return msgspec.json.decode(bytes(body), type=form)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refused(400, f"The body is not what this address expects: {error}.") from None


def get_route(path: str, respond: Callable[[Request], Awaitable[Mapping[str, Any]]]) -> Route:
    """The route of GET requests that are answered with JSON."""

    async def endpoint(request: Request) -> Response:
        return answer(request, await respond(request))

    return Route(path, endpoint)


def post_route(path: str, form: type[T], respond: Callable[[T], Awaitable[Mapping[str, Any]]]) -> Route:
    """The route of POST requests whose body has a form, and which are answered with JSON."""

    async def endpoint(request: Request) -> Response:
        return answer(request, await respond(await json_body(request, form)))

    return Route(path, endpoint, methods=["POST"])


def keep(kept: dict[K, T], key: K, value: T, most: int) -> None:
    """Keep a value as the newest of at most so many; the oldest are forgotten."""
    kept.pop(key, None)
    kept[key] = value
    while len(kept) > most:
        del kept[next(iter(kept))]
