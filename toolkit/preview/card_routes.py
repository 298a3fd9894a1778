"""The state of the project, the list of its cards, one card, search, findings and their explanations."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from toolkit.preview.answers import answer
from toolkit.preview.session import Session


def routes(session: Session) -> list[Route]:
    """The routes of this group."""

    async def state(request: Request) -> Response:
        return answer(request, session.snapshot.state)

    async def cards(request: Request) -> Response:
        return answer(request, {"cards": list(session.snapshot.rows.values())})

    return [Route("/api/state", state), Route("/api/cards", cards)]
