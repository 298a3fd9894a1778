"""The route of the gallery: cards of the project in its own look and in each shipped one, as one picture.

Most rooms are imported only when a page asks for them: with all of them the page is served 0.3 s later.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from toolkit.apps.preview.image_routes import IMMUTABLE
from toolkit.apps.preview.responses import ApiError, get_route, keep_newest
from toolkit.apps.preview.session import Session
from toolkit.apps.preview.sheet_routes import stamps_of
from toolkit.data.schemas.look_schema import LOOKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolkit.products.contact.contact_pages import Group
    from toolkit.products.sheets.print_job import PrintJob

_MAX_GALLERIES = 2
"""Galleries that are kept, at most: those of two languages, or of before and after an edit."""


class _Gallery(NamedTuple):
    """What a gallery shows."""

    job: PrintJob
    groups: Sequence[Group]


class Galleries:
    """The galleries of a session: ``prepare`` is for the reading thread, ``picture`` for the drawing one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._run = secrets.token_bytes(8)  # in each key, so that none is valid in another run
        self._galleries: dict[str, _Gallery] = {}
        self._pictures: dict[str, bytes] = {}

    def prepare(self, language: str | None, trial: str | None) -> str:
        """Return the key of the gallery in a language. Raises ``ApiError`` if there is none."""
        from toolkit.products.contact.write_contact_sheet import ContactRequest
        from toolkit.products.looks.write_looks import looks_groups, looks_job
        from toolkit.products.sheets.print_job import PrintJob
        from toolkit.project.output import Refusal

        session = self._session
        workspace = session.trials.workspace(trial) if trial else session.unbroken_workspace
        request = ContactRequest(Path("looks.png"), language)
        job = looks_job(workspace, request)
        if not isinstance(job, PrintJob):
            raise ApiError(422, job.message if isinstance(job, Refusal) else job.sentence)
        groups = looks_groups(job, request)
        drawn = (stamps_of(job.faces), job.sheet_settings(), job.roots, job.roots.stamp(), job.metadata())
        content = (*map(hash, job.faces), *(group.style for group in groups), drawn)
        key = session.keyed_digest(b"looks", self._run, repr(content).encode())
        keep_newest(self._galleries, key, _Gallery(job, groups), _MAX_GALLERIES)
        return key

    def picture(self, key: str) -> bytes:
        """Return the PNG of a gallery, drawn once. Raises ``ApiError``."""
        from toolkit.press.sheet import Failure
        from toolkit.products.contact.contact_pages import ContactSettings, contact_pdf, contact_picture
        from toolkit.render.face import KINDS
        from toolkit.render.renderer import no_progress

        gallery = self._galleries.get(key)
        if gallery is None:
            raise ApiError(404, "There is no such gallery any more; ask for it again.")
        if key not in self._pictures:
            job = gallery.job
            settings = ContactSettings(job.sheet_settings(), job.metadata(), columns=len(KINDS))
            contact_sheet = contact_pdf(gallery.groups, settings, job.roots, no_progress)
            if isinstance(contact_sheet, Failure):
                raise ApiError(422, f"{contact_sheet.message} {contact_sheet.next_step}")
            drawn = contact_picture(contact_sheet.pdf) if contact_sheet.pages else None
            if drawn is None:
                raise ApiError(422, "No card can be printed; see the findings.")
            png, _width, _height = drawn
            keep_newest(self._pictures, key, png, _MAX_GALLERIES)
        return self._pictures[key]


def routes(session: Session) -> list[Route]:
    """The routes of this group."""
    galleries = Galleries(session)

    async def looks(request: Request) -> dict[str, Any]:
        """Return the names of the shipped looks, and the key of their picture."""
        query = request.query_params
        key = await session.in_reader(
            galleries.prepare, query.get("lang") or None, query.get("trial") or None
        )
        return {"key": key, "looks": list(LOOKS)}

    async def picture(request: Request) -> Response:
        """Return the picture of a gallery."""
        content = await session.in_renderer(galleries.picture, request.path_params["key"])
        return Response(content, media_type="image/png", headers=IMMUTABLE)

    return [get_route("/api/looks", looks), Route("/looks/{key}.png", picture)]
