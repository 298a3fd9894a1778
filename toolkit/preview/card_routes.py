"""The state of the project, the list of its cards, one card, search, findings and their explanations."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from toolkit.preview.answers import Refused, answer
from toolkit.preview.session import Session


def routes(session: Session) -> list[Route]:
    """The routes of this group.

    Beyond the contract: ``/api/findings`` has all findings, with those of no card, and ``/api/explain/NAME``
    the help page of one. ``/api/card/ID`` of an unknown card says the id that it has now, if it has one.
    """

    async def state(request: Request) -> Response:
        return answer(request, session.snapshot.state)

    async def cards(request: Request) -> Response:
        return answer(request, {"cards": list(session.snapshot.rows.values())})

    async def card(request: Request) -> Response:
        id, trial = request.path_params["id"], request.query_params.get("trial")
        if trial:
            return answer(request, await session.reading(session.trials.card, trial, id))

        def read() -> tuple[dict[str, Any], dict[str, Any]]:
            from toolkit.preview.card_details import findings_json

            data = session.card(id)
            pictures, found = session.pictures.of_card(id)
            data["findings"] += findings_json(found, session.root)["findings"]
            return data, pictures

        data, pictures = await session.reading(read)
        session.pictures.opened(id, request.query_params.get("lang"), pictures)
        session.play_scenarios_of(id)
        return answer(request, data | pictures)

    async def search(request: Request) -> Response:
        return answer(request, {"ids": await session.search(request.query_params.get("q", ""))})

    async def findings(request: Request) -> Response:
        def listed() -> dict[str, Any]:
            return session.details.findings(session.pictures.failures())

        return answer(request, await session.reading(listed))

    async def explain(request: Request) -> Response:
        from toolkit.diagnostics.catalogue import CATALOGUE  # not needed to show the page
        from toolkit.help.pages import page_of_finding

        name = request.path_params["name"]
        page = page_of_finding(name) if name in CATALOGUE else None
        if page is None:
            raise Refused(404, "There is no such finding.")
        return answer(request, {"name": name, "markdown": page})

    return [
        Route("/api/state", state),
        Route("/api/cards", cards),
        Route("/api/card/{id}", card),
        Route("/api/search", search),
        Route("/api/findings", findings),
        Route("/api/explain/{name}", explain),
    ]
