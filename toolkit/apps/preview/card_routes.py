"""Routes of the project's state, the list of its cards, one card, search, findings and their help pages.

Most rooms are imported only when a page asks for them: with all of them the page is served 0.3 s later.
"""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.routing import Route

from toolkit.apps.preview.responses import ApiError, get_route
from toolkit.apps.preview.session import Session
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.diagnostics.help_pages import page_of_finding


def routes(session: Session) -> list[Route]:
    """The routes of this group.

    ``/api/findings`` has all findings, also those of no card; ``/api/explain/NAME`` the help page of one. The
    error of ``/api/card/ID`` for an unknown card has the id to which the card was renamed, if it was.
    """

    async def state(_request: Request) -> dict[str, Any]:
        return session.snapshot.state

    async def cards(_request: Request) -> dict[str, Any]:
        return {"cards": list(session.snapshot.rows.values())}

    async def card(request: Request) -> dict[str, Any]:
        id, trial = request.path_params["id"], request.query_params.get("trial")
        if trial:
            return await session.in_reader(card_data, session, id, trial)
        data = await session.in_reader(card_data, session, id)
        session.pictures.note_open_card(id, request.query_params.get("lang"), data)
        session.play_scenarios_of(id)
        return data

    async def search(request: Request) -> dict[str, Any]:
        return {"ids": await session.search(request.query_params.get("q", ""))}

    async def findings(_request: Request) -> dict[str, Any]:
        return await session.in_reader(lambda: session.details.findings(session.pictures.failures()))

    async def explain(request: Request) -> dict[str, Any]:
        name = request.path_params["name"]
        page = page_of_finding(name) if name in CATALOGUE else None
        if page is None:
            raise ApiError(404, "There is no such finding.")
        return {"name": name, "markdown": page}

    return [
        get_route("/api/state", state),
        get_route("/api/cards", cards),
        get_route("/api/card/{id}", card),
        get_route("/api/search", search),
        get_route("/api/findings", findings),
        get_route("/api/explain/{name}", explain),
    ]


def card_data(session: Session, id: str, trial: str | None = None) -> dict[str, Any]:
    """Return all of a card, as it is or with the values of a trial; in the reading thread only.

    Raises ``ApiError`` for an unknown card or trial.
    """
    from toolkit.apps.preview.card_details import findings_json

    if trial is None:
        data, workspace = session.open_card(id), None
    else:
        details = session.trials.details(trial)
        details_data = details.card(id)
        if details_data is None:
            raise ApiError(404, f"There is no card {id!r}.")
        is_there = details.project.cards.find(id) is not None  # a try may break the card itself
        data, workspace = details_data, (details.project if is_there else session.project).workspace
    pictures, of_print = session.pictures.card_pictures(id, workspace)
    data["findings"] += findings_json(of_print, session.root)["findings"]
    return data | pictures
