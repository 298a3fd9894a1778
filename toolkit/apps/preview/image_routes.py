"""Routes of pictures: their addresses, the pictures themselves, a face as HTML, the fit of the whole set.

Most rooms are imported only when a page asks for them: with all of them the page is served 0.3 s later.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from toolkit.apps.preview.card_images import DPI, CardSide, Place
from toolkit.apps.preview.responses import ApiError, post_route
from toolkit.apps.preview.session import Session

SIZES = ("96", "192", "384")
"""Resolutions of pictures, in dots per inch."""

IMMUTABLE = {"cache-control": "private, max-age=31536000, immutable"}

HTML_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "frame-ancestors 'self'; sandbox"
)
"""The policy of a face as HTML, which a template makes that may be a stranger's: no scripts, no requests."""

MAX_IDS = 200


class FacesRequest(Struct):
    """The cards that a page shows: their language, resolution and side, and the trial they belong to."""

    ids: list[str]
    lang: str | None = None
    dpi: int = DPI
    side: CardSide = "front"
    trial: str | None = None


class FitRequest(Struct):
    """The empty body of a request for the fit of the set."""


def routes(session: Session) -> list[Route]:
    """The routes of this group."""

    def check_size(dpi: str) -> None:
        if dpi not in SIZES:
            raise ApiError(400, f"Pictures have {', '.join(SIZES)} dots per inch.")

    pictures = session.pictures

    async def faces(request: FacesRequest) -> dict[str, Any]:
        """Return ``{faces: {id: digest}}`` without unknown cards, and begin to draw them."""
        if len(request.ids) > MAX_IDS:
            raise ApiError(400, f"A request may name at most {MAX_IDS} cards.")
        check_size(str(request.dpi))
        tried = await session.in_reader(session.trials.workspace, request.trial) if request.trial else None
        pictures_by_id = await session.in_reader(pictures.current_faces, request.ids, request.lang, tried)
        digests_by_id = {
            id: card_pictures.front if request.side == "front" else card_pictures.back
            for id, card_pictures in pictures_by_id.items()
        }
        known_ids = [id for id in request.ids if id in digests_by_id]
        if not request.trial:  # what is tried is not what a save changes
            faces_on_page = {}
            for id in known_ids:
                faces_on_page[Place(id, pictures_by_id[id].language, request.side)] = digests_by_id[id]
            pictures.note_shown(faces_on_page, request.dpi)
        return {"faces": {id: digests_by_id[id] for id in known_ids}}

    async def png(request: Request) -> Response:
        """Return a picture, in the resolution ``dpi``, and with bleed if ``bleed=1``."""
        dpi = request.query_params.get("dpi", str(DPI))
        check_size(dpi)
        bleed = request.query_params.get("bleed") == "1"
        content, is_exact = await pictures.picture(request.path_params["digest"], int(dpi), bleed)
        return Response(content, media_type="image/png", headers=IMMUTABLE if is_exact else None)

    async def html(request: Request) -> Response:
        """Return a face as HTML, for the inspector of the browser."""
        page_html = await pictures.html(request.path_params["digest"])
        headers = {"content-security-policy": HTML_POLICY, **IMMUTABLE}
        return Response(page_html, media_type="text/html; charset=utf-8", headers=headers)

    async def fit(_request: FitRequest) -> dict[str, Any]:
        """Return the findings of printing all cards in all languages of the project."""
        from toolkit.apps.preview.card_details import findings_json

        return await session.in_reader(findings_json, await pictures.fit(), session.root)

    return [
        post_route("/api/faces", FacesRequest, faces),
        post_route("/api/fit", FitRequest, fit),
        Route("/face/{digest}.png", png),
        Route("/face/{digest}.html", html),
    ]
