"""Faces: which pictures cards have, the pictures themselves, a face as HTML, and the fit of the whole set."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from toolkit.preview.answers import Refused, post_route
from toolkit.preview.pictures import DPI, Place, Which
from toolkit.preview.session import Session

SIZES = ("96", "192", "384")
"""Dots an inch of pictures."""

IMMUTABLE = {"cache-control": "private, max-age=31536000, immutable"}

HTML_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "frame-ancestors 'self'; sandbox"
)
"""Of the HTML face, which is made by a template that may be a stranger's."""

MOST_IDS = 200


class FacesAsked(Struct):
    """The cards that a page shows, in which language, how fine, which side of them, and in which trial."""

    ids: list[str]
    lang: str | None = None
    dpi: int = DPI
    side: Which = "front"
    trial: str | None = None


class FitAsked(Struct):
    """The body of a request for the fit of the set, in which nothing is said."""


def routes(session: Session) -> list[Route]:
    """The routes of this group."""

    def check_size(dpi: str) -> None:
        if dpi not in SIZES:
            raise Refused(400, f"Pictures have {', '.join(SIZES)} dots an inch.")

    pictures = session.pictures

    async def faces(asked: FacesAsked) -> dict[str, Any]:
        """``{faces: {id: digest}}``; cards that are not there are left out, and drawing begins."""
        if len(asked.ids) > MOST_IDS:
            raise Refused(400, f"At most {MOST_IDS} cards are asked for at once.")
        check_size(str(asked.dpi))
        tried = await session.reading(session.trials.workspace, asked.trial) if asked.trial else None
        named = await session.reading(pictures.now, asked.ids, asked.lang, tried)
        found = {id: one.front if asked.side == "front" else one.back for id, one in named.items()}
        order = [id for id in asked.ids if id in found]
        if not asked.trial:  # what is tried is not what a save changes
            pictures.shown({Place(id, named[id].language, asked.side): found[id] for id in order}, asked.dpi)
        return {"faces": {id: found[id] for id in order}}

    async def png(request: Request) -> Response:
        """A picture; ``dpi`` and ``bleed=1`` say how it is drawn."""
        dpi = request.query_params.get("dpi", str(DPI))
        check_size(dpi)
        bleed = request.query_params.get("bleed") == "1"
        content, exact = await pictures.picture(request.path_params["digest"], int(dpi), bleed)
        return Response(content, media_type="image/png", headers=IMMUTABLE if exact else None)

    async def html(request: Request) -> Response:
        """A face as the browser lays it out, for its inspector."""
        made = await pictures.html(request.path_params["digest"])
        headers = {"content-security-policy": HTML_POLICY, **IMMUTABLE}
        return Response(made, media_type="text/html; charset=utf-8", headers=headers)

    async def fit(_asked: FitAsked) -> dict[str, Any]:
        """The findings of printing all cards in all languages of the project."""
        from toolkit.preview.card_details import findings_json

        return await session.reading(findings_json, await pictures.fit(), session.root)

    return [
        post_route("/api/faces", FacesAsked, faces),
        post_route("/api/fit", FitAsked, fit),
        Route("/face/{digest}.png", png),
        Route("/face/{digest}.html", html),
    ]
