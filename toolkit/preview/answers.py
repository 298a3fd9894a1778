"""What the routes read and answer: bodies and answers as JSON, refusals, digests as addresses."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

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


def answer(request: Request, data: Mapping[str, Any], status: int = 200) -> Response:
    """The answer to a request, with the version of the interface and the generation of what is answered.

    That is the one at the beginning of the request: what is answered is at least as new, so that a page which
    asks for all events after it misses none.
    """
    body = encoded({"version": 1, "generation": request.scope["generation"], **data})
    return Response(body, status, media_type="application/json")


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
