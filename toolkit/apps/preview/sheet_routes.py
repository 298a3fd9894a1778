"""Routes of sheets: the pages as they will print, the places of cards on them, and the PDF.

Each page is printed when it is requested, so that the first one need not wait for the others. The PDF has the
bytes that ``opforge sheet`` writes with the same options.

Most rooms are imported only when a page asks for them: with all of them the page is served 0.3 s later.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct, field
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from toolkit.apps.preview.image_routes import IMMUTABLE
from toolkit.apps.preview.responses import ApiError, get_route, keep_newest
from toolkit.apps.preview.session import Session
from toolkit.products.changes.git import commit_of
from toolkit.project.output import Refusal
from toolkit.source.paths import file_stamp

if TYPE_CHECKING:
    from toolkit.diagnostics import Diagnostic
    from toolkit.press.sheet import Side
    from toolkit.products.sheets.write_sheets import PrintedSheet, SheetJob, SheetRequest
    from toolkit.project.output import Outcome
    from toolkit.render.face import Face

MAX_SHEETS = 6
"""Sheets that are kept, at most; a page requests dropped ones again."""

RESOLUTIONS = ("72", "96", "150")


class SheetOptions(Struct, forbid_unknown_fields=True):
    """The query of ``/api/sheet``, with the options of ``opforge sheet``; flags are 0 or 1."""

    lang: str | None = None
    layout: tuple[str, ...] = ()
    paper: str | None = None
    kind: tuple[str, ...] = ()
    card: tuple[str, ...] = ()
    squad: tuple[str, ...] = ()
    since: str | None = None
    theme: str | None = None
    look: str | None = None
    trial: str | None = None
    sides: Literal["fronts", "backs", "both"] | None = None
    marks: Literal["none", "corners", "edges", "full"] | None = None
    flip: Literal["long", "short", "none"] | None = None
    fold: bool = False
    low_ink: bool = False
    proof: bool = False
    stamp: bool = False
    for_two: bool = False


def options_of(query: QueryParams) -> SheetOptions:
    """Return the options of a query without empty ones. Raises ``ApiError`` for an invalid one."""
    lists = {name: [*filter(None, query.getlist(name))] for name in ("layout", "kind", "card", "squad")}
    values = {
        name: value for name, value in query.items() if value or name not in SheetOptions.__struct_fields__
    }
    try:
        return msgspec.convert(values | lists, SheetOptions, strict=False)
    except msgspec.ValidationError as error:
        raise ApiError(422, f"{error}.") from None


class _Sheet(Struct):
    """Sheets that a page shows.

    ``left_out`` are cards that cannot be printed, which is found out when their page is printed: the pages
    behind it change, and so there is a new key, the last one of ``keys``. ``printed`` is the whole PDF, once
    it was made.
    """

    keys: list[str]
    job: SheetJob
    sides: Sequence[Side]
    findings: dict[Diagnostic, None]
    left_out: set[Face] = field(default_factory=set)
    printed: PrintedSheet | None = None

    @property
    def key(self) -> str:
        """The key of the sheets as they are now."""
        return self.keys[-1]

    def leave_out(self, faces: set[Face], key: str) -> None:
        """Leave out cards that cannot be printed, and move up those behind them."""
        from toolkit.press.sheet import Failure, plan_sheet

        self.left_out |= faces
        self.keys.append(key)
        kept_faces = [face for face in self.job.faces if face not in self.left_out]
        sides = plan_sheet(kept_faces, self.job.settings)
        self.sides = [] if isinstance(sides, Failure) else sides


class Sheets:
    """The sheets of a session: ``prepare`` is for the reading thread, what prints for the drawing thread."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._run = secrets.token_bytes(8)  # the same key means something else in another run
        self._sheets: dict[str, _Sheet] = {}  # by their first key

    def find(self, key: str) -> _Sheet:
        """Return the sheets with a key. Raises ``ApiError``."""
        for sheet in list(self._sheets.values()):
            if key in sheet.keys:
                return sheet
        raise ApiError(404, "There is no such sheet any more; ask for the sheets again.")

    def prepare(self, options: SheetOptions) -> _Sheet | Outcome:
        """Return the planned sheets for some options, or an outcome if there is nothing to print.

        Raises ``ApiError``.
        """
        from toolkit.press.sheet import Failure, plan_sheet
        from toolkit.products.sheets.write_sheets import SheetJob, prepare_sheet

        session, trial = self._session, options.trial
        workspace = session.trials.workspace(trial) if trial else session.unbroken_workspace
        job = prepare_sheet(workspace, _request(options, session))
        if isinstance(job, Refusal):
            raise ApiError(422, job.message)
        if not isinstance(job, SheetJob):
            return job
        key = session.keyed_digest(b"sheet", self._run, _content_key(job).encode())
        sheet = self._sheets.get(key)
        if sheet is None:
            sides = plan_sheet(job.faces, job.settings)
            if isinstance(sides, Failure):
                raise ApiError(422, f"{sides.message} {sides.next_step}")
            sheet = _Sheet([key], job, sides, dict.fromkeys(job.findings))
        keep_newest(self._sheets, key, sheet, MAX_SHEETS)
        return sheet

    def whole(self, sheet: _Sheet) -> PrintedSheet:
        """Print all pages, once. Raises ``ApiError``."""
        from toolkit.products.sheets.write_sheets import print_sheet

        if sheet.printed is None:
            printed_sheet = print_sheet(sheet.job)
            if isinstance(printed_sheet, Refusal):
                raise ApiError(422, printed_sheet.message)
            for other in self._sheets.values():
                other.printed = None  # one takes megabytes
            sheet.printed = printed_sheet
            left_out = set(sheet.job.faces) - set(printed_sheet.cards)
            self._record(sheet, left_out, printed_sheet.report.findings)
        return sheet.printed

    def page(self, sheet: _Sheet, number: int, dpi: int) -> bytes:
        """Return the PNG of a page, numbered from 1. Raises ``ApiError``."""
        from toolkit.press.sheet import render_side

        if sheet.printed is not None and number > 0:
            return self._page_png(sheet.printed.pdf, number - 1, dpi)
        while 0 < number <= len(sheet.sides):  # again, as long as cards are left out and others move up
            side = sheet.sides[number - 1]
            engine = self._session.pictures.screen().renderer
            result = render_side(side, sheet.job.settings, sheet.job.roots, engine)
            if result.failure is not None:
                raise ApiError(422, f"{result.failure.message} {result.failure.next_step}")
            left_out = set(side.cards) - set(result.printed)
            self._record(sheet, left_out, result.diagnostics)
            if not left_out:
                return self._page_png(result.pdf, side.number, dpi)
        raise ApiError(404, "The sheets have no such page.")

    def _page_png(self, pdf: bytes, page: int, dpi: int) -> bytes:
        """Return a page of a PDF as a picture. Raises ``ApiError`` if there is no such page."""
        from toolkit.render.page_raster import page_png

        page_picture = page_png(pdf, page, dpi)
        if page_picture is None:
            raise ApiError(404, "The sheets have no such page.")
        return page_picture

    def _record(self, sheet: _Sheet, left_out: set[Face], findings: Sequence[Diagnostic]) -> None:
        """Keep the findings of printing, and notify pages if cards are left out."""
        sheet.findings.update(dict.fromkeys(findings))
        # a card with quantity 0 is not on the sheets: it is not missing
        left_out = {face for face in left_out if face.quantity} - sheet.left_out
        if left_out:
            first_key, *_ = sheet.keys
            number = str(len(sheet.keys))
            sheet.leave_out(left_out, self._session.keyed_digest(first_key.encode(), number.encode()))
            self._session.publish("sheet", {"key": sheet.key})


def _request(options: SheetOptions, session: Session) -> SheetRequest:
    """Return the request that the command would make. Raises ``ApiError`` for names that do not exist."""
    from toolkit.products.sheets.project_layouts import LayoutRequest
    from toolkit.products.sheets.write_sheets import SheetRequest
    from toolkit.render.face import KINDS

    since, command_since = options.since, session.options.since
    problem = f"Kinds are {', '.join(KINDS)}." if set(options.kind) - set(KINDS) else None
    if since not in (None, command_since, *session.snapshot.state["revisions"]):
        problem = problem or f"There is no revision {since!r}."
    if problem:
        raise ApiError(422, problem)
    if since and since != command_since and os.path.lexists(since):
        since = commit_of(session.root, since)  # a folder of that name counts only on the command line
    layout = LayoutRequest(
        names=options.layout,
        paper=options.paper,
        sides=options.sides,
        flip=options.flip,
        marks=options.marks,
        fold="best" if options.fold else None,
    )
    return SheetRequest(
        output=Path("sheet.pdf"),
        language=options.lang,
        ids=options.card,
        kinds=options.kind,
        layout=layout,
        proof=options.proof,
        stamp=options.stamp,
        theme=options.theme,
        look=options.look,
        low_ink=options.low_ink,
        changed_since=since,
        squads=options.squad,
        for_two=options.for_two,
    )


def _content_key(job: SheetJob) -> str:
    """Return a text that differs whenever sheets look different; valid for this run of the program only."""
    from toolkit.render.face import back_of

    backs = [back_of(face) for face in job.faces]
    pictures = [path for card_back in backs for path in (card_back.picture, card_back.logo)]
    parts = (*map(hash, job.faces), hash(tuple(backs)), job.settings, job.roots, job.roots.stamp())
    changes = msgspec.json.encode(job.changes)
    return repr((parts, stamps_of(job.faces, pictures), job.metadata(), changes))


def stamps_of(faces: Sequence[Face], pictures: Sequence[Path | None] = ()) -> list[tuple[str, object]]:
    """Return the files of the pictures of cards, and of others, with what tells that one has changed."""
    of_faces = [path for face in faces for path in (face.art, face.team_logo, face.set_symbol)]
    paths = {path for path in (*of_faces, *pictures) if path is not None}
    return sorted((str(path), file_stamp(path)) for path in paths)


def _page(side: Side) -> dict[str, Any]:
    """Return a page with the places of its cards, in mm from its upper left corner."""
    return {
        "width": round(side.paper.width, 3),
        "height": round(side.paper.height, 3),
        "side": side.side,
        "slots": [
            {
                "id": face.id,
                "x": round(slot.x, 3),
                "y": round(side.paper.height - slot.top, 3),
                "width": round(slot.width, 3),
                "height": round(slot.height, 3),
            }
            for face, slot in side.places
        ],
    }


def _layout_names(session: Session) -> list[str]:
    """Return the names of the layouts that hold cards of the project."""
    from toolkit.products.sheets.project_layouts import list_layouts

    layouts = list_layouts(session.unbroken_workspace.cards, every=False)
    return [listed_layout.layout.id for listed_layout in layouts if listed_layout.cards]


async def _list_of_changes(session: Session, sheets: Sheets, sheet: _Sheet) -> list[dict[str, Any]]:
    """Return the pages of the list of changes, which come behind those with cards; none without changes."""
    if sheet.job.changes is None:
        return []
    from toolkit.render.page_raster import page_sizes

    printed = await session.in_renderer(sheets.whole, sheet)  # only printing tells how many pages it has
    sizes = await session.in_renderer(page_sizes, printed.pdf)
    return [
        {"width": width, "height": height, "side": "list", "slots": []}
        for width, height in sizes[len(sheet.sides) :]
    ]


def routes(session: Session) -> list[Route]:
    """The routes of this group."""
    sheets = Sheets(session)

    async def sheet(request: Request) -> dict[str, Any]:
        """Return the pages of the sheets; ``layouts`` are those that can be chosen, ``cards`` counts copies.

        Without cards to print ``key`` is null. Pages behind those with cards are the list of changes.
        """
        from toolkit.apps.preview.card_details import findings_json

        names = await session.in_reader(_layout_names, session)
        prepared = await session.in_reader(sheets.prepare, options_of(request.query_params))
        if not isinstance(prepared, _Sheet):
            findings = await session.in_reader(findings_json, prepared.report.findings, session.root)
            empty = {"key": None, "layouts": names, "cards": 0, "pages": [], "sentence": prepared.sentence}
            return {**empty, **findings}
        list_of_changes = await _list_of_changes(session, sheets, prepared)
        pages = [*map(_page, prepared.sides), *list_of_changes]
        findings = await session.in_reader(findings_json, list(prepared.findings), session.root)
        cards = sum(len(side.cards) for side in prepared.sides if side.number == 0)
        return {"key": prepared.key, "layouts": names, "cards": cards, "pages": pages, **findings}

    async def picture(request: Request) -> Response:
        """Return a page as it will print, in the resolution ``dpi``."""
        dpi = request.query_params.get("dpi", "96")
        if dpi not in RESOLUTIONS:
            raise ApiError(400, f"Pages have {', '.join(RESOLUTIONS)} dots per inch.")
        prepared, page = sheets.find(request.path_params["key"]), request.path_params["page"]
        number = int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 0
        content = await session.in_renderer(sheets.page, prepared, number, int(dpi))
        is_exact = request.path_params["key"] == prepared.key
        return Response(content, media_type="image/png", headers=IMMUTABLE if is_exact else None)

    async def pdf(request: Request) -> Response:
        """Return the PDF, byte for byte what the command writes."""
        printed = await session.in_renderer(sheets.whole, sheets.find(request.path_params["key"]))
        if not printed.pdf:
            raise ApiError(422, "No card can be printed; see the findings.")
        return Response(printed.pdf, media_type="application/pdf", headers=IMMUTABLE)

    return [
        get_route("/api/sheet", sheet),
        Route("/sheet/{key}/{page}.png", picture),
        Route("/sheet/{key}.pdf", pdf),
    ]
