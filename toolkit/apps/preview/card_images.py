"""The pictures of cards: addressed by digests, drawn in one thread, cached.

The latest request is drawn first. After a change the open card comes first, then what else is on screen, and
pictures that are still queued for an earlier change are dropped.

Most rooms are imported only when a page asks for them: with all of them the page is served 0.3 s later.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from toolkit.apps.preview.responses import ApiError
from toolkit.apps.preview.served_project import ServedProject
from toolkit.diagnostics.catalogue import severity_of

if TYPE_CHECKING:
    from toolkit.data.model import CardSet
    from toolkit.diagnostics import Diagnostic
    from toolkit.press.card_pictures import Subject
    from toolkit.press.card_previews import CardStyle, Picture, Screen
    from toolkit.project.pipeline import Workspace
    from toolkit.render.face import Face
    from toolkit.render.sizes import Size

CACHE_BYTES = 64 * 1024 * 1024
"""Bytes of pictures that are cached."""

MAX_ADDRESSES = 3_000
"""Faces that have an address, at most; the least recently registered lose it."""

MAX_SHOWN = 80
"""Faces on screen that are followed, at most: they are drawn again after a change."""

MAX_QUEUED = 500
BATCH = 9
"""Pictures in one document, whose overhead is that of several cards."""

FIT_BATCH = 50
"""Faces made for the fit of the set before the reading thread may do something else."""

DPI = 192

CardSide = Literal["front", "back"]


class Place(NamedTuple):
    """Where a face is shown: a card in a language, and its side."""

    id: str
    language: str
    side: CardSide


class CardPictures(Struct, frozen=True):
    """The digests of both sides of a card in a language, its trim and its bleed in mm.

    If the card is broken now, they show it as it was at the time ``last_good``.
    """

    language: str
    front: str
    back: str
    width: float
    height: float
    bleed: float
    last_good: str | None = None


class Report(Struct, frozen=True):
    """The result of drawing a face: findings of print, sizes of type, and whether it could be drawn.

    If it could not, the last good picture is shown, which was drawn at the time ``last_good``.
    """

    findings: tuple[Diagnostic, ...]
    sizes: Sequence[Mapping[str, object]]
    drawn: bool
    last_good: str | None = None


class _RegisteredFace(Struct):
    """A face with an address.

    ``place`` is a project folder and a place in it; ``picture`` the result of drawing it, without its bytes;
    ``options`` the resolution and bleed of the last request.
    """

    subject: Subject
    style: CardStyle
    place: tuple[str, Place]
    picture: Picture | None = None
    options: tuple[int, bool] = (DPI, False)


class _PictureKey(NamedTuple):
    """A face with the resolution and bleed in which it is drawn."""

    digest: str
    dpi: int
    bleed: bool


def _digests_by_place(
    id: str, side: CardSide, data_by_language: Mapping[str, Mapping[str, Any]]
) -> dict[Place, str]:
    """Return the digest of one side of a card in each language, of data as ``card_pictures`` returns them."""
    return {Place(id, language, side): data["face"] for language, data in data_by_language.items()}


class CardImages:
    """The pictures of a session.

    ``register`` and ``current_faces`` are for the reading thread, all other methods for the event loop.
    """

    def __init__(self, session: ServedProject) -> None:
        self._session = session
        self._screen: Screen | None = None
        self._engine_problem = ""
        self._faces: OrderedDict[str, _RegisteredFace] = OrderedDict()
        self._cache: OrderedDict[_PictureKey, bytes] = OrderedDict()
        self._cache_bytes = 0
        self._last_drawn: dict[tuple[str, Place], tuple[str, str]] = {}  # digest, and when it was drawn
        self._queue: dict[_PictureKey, asyncio.Future[None]] = {}  # the latest request is last
        self._drawing: dict[_PictureKey, asyncio.Future[None]] = {}
        self._prefetching: set[_PictureKey] = set()  # queued, but requested by no page
        self._worker: asyncio.Task[None] | None = None
        self._on_screen: OrderedDict[Place, str] = OrderedDict()  # with the digest that the page has
        self._print_failures: dict[Place, tuple[Diagnostic, ...]] = {}  # of faces on screen
        self._last_sound: dict[tuple[str, str], CardPictures] = {}  # by id and language
        self._open_place: Place | None = None
        self._open_options = DPI, False  # resolution and bleed of its last request
        self._open_report: Report | None = None  # which the page has
        session.after_update.append(self.redraw_shown)

    # in the reading thread

    def register(
        self, workspace: Workspace, ids: Collection[str], language: str | None = None
    ) -> dict[str, CardPictures]:
        """Give both sides of cards an address, in a language or the project's first.

        Unknown cards are left out. Raises ``ApiError`` without a PDF engine.
        """
        from toolkit.press.card_previews import CardStyle
        from toolkit.press.layout import LayoutPlan
        from toolkit.products.sheets.project_layouts import LayoutRequest, Layouts, choose_layouts
        from toolkit.project.faces import face_options_of, faces, roots_of
        from toolkit.render.face import back_of

        screen = self.screen()
        languages = workspace.cards.project.languages
        chosen_language = language if language in languages else languages[0]
        layouts = choose_layouts(workspace.cards, LayoutRequest())
        if not isinstance(layouts, Layouts):  # the check reports why
            layouts = Layouts(LayoutPlan())
        roots, face_options = roots_of(workspace), face_options_of(workspace)
        stamp, folder = roots.stamp(), str(workspace.root)
        pictures_by_id: dict[str, CardPictures] = {}
        requested_faces = faces(workspace, chosen_language, frozenset(ids)) if ids else ()
        for face in requested_faces:
            plan = layouts.by_kind.get(face.kind, layouts.layout)
            style = CardStyle(plan.card, roots, face_options, stamp, plan.bleed)
            back = back_of(face)
            front_place = Place(face.id, chosen_language, "front")
            back_place = Place(str(back), chosen_language, "back")
            pictures_by_id[face.id] = CardPictures(
                language=chosen_language,
                front=self._register_side(_RegisteredFace(face, style, (folder, front_place)), screen),
                back=self._register_side(_RegisteredFace(back, style, (folder, back_place)), screen),
                width=plan.card.width,
                height=plan.card.height,
                bleed=plan.bleed,
            )
        return pictures_by_id

    def current_faces(
        self, ids: Collection[str], language: str | None = None, tried: Workspace | None = None
    ) -> dict[str, CardPictures]:
        """Register cards of the project as it is now, or as it is with the ``tried`` values of a trial.

        A card that is broken, or whose effect has errors and so no rules text, has its last sound face.
        """
        state = tried or self._session.workspace
        current_pictures = self.register(state, ids, language)
        for id in ids:
            last_good = self._session.snapshot.last_good.get(id)
            is_sound = last_good is None and _has_rules(state, id)
            if id in current_pictures and is_sound:
                if tried is None:
                    self._last_sound[id, current_pictures[id].language] = replace(
                        current_pictures[id], last_good=_time()
                    )
                continue
            chosen_language = current_pictures[id].language if id in current_pictures else language or ""
            last_sound = self._last_sound.get((id, chosen_language))
            if last_sound is not None and last_sound.front in self._faces:
                current_pictures[id] = last_sound
            elif id not in current_pictures and last_good is not None and last_good.workspace is not None:
                current_pictures |= self.register(last_good.workspace, [id], language)
        return current_pictures

    def card_pictures(
        self, id: str, workspace: Workspace | None = None
    ) -> tuple[dict[str, Any], list[Diagnostic]]:
        """Return the pictures of a card as data (``faces`` and ``back`` by language), and findings of print.

        ``workspace`` is a state of the project in place of the current one.
        """
        from toolkit.render.checks.fit_check import without_duplicates

        state = workspace or self._session.workspace
        faces: dict[str, Any] = {}
        backs: dict[str, Any] = {}
        findings: list[Diagnostic] = []
        for language in state.cards.project.languages:
            for card_pictures in self.current_faces([id], language, workspace).values():
                for data_by_language, digest in ((faces, card_pictures.front), (backs, card_pictures.back)):
                    report = self.report(digest)
                    findings += report.findings if report is not None else ()
                    data_by_language[language] = _picture_data(card_pictures, digest, report)
        # without any picture `back` is null: the page then offers no side to turn to
        return {"faces": faces, "back": backs or None}, list(without_duplicates(findings))

    def _current_digests(self, places: Sequence[Place]) -> dict[Place, str]:
        """Register the faces that belong in some places now; return their digests."""
        digests_by_place: dict[Place, str] = {}
        for language in dict.fromkeys(card_place.language for card_place in places):
            places_in_language = [card_place for card_place in places if card_place.language == language]
            pictures = self.current_faces({card_place.id for card_place in places_in_language}, language)
            for card_place in places_in_language:
                if card_place.id in pictures:
                    front, back = pictures[card_place.id].front, pictures[card_place.id].back
                    digests_by_place[card_place] = front if card_place.side == "front" else back
        return digests_by_place

    def screen(self) -> Screen:
        """Return the renderer of pictures. Raises ``ApiError`` without a PDF engine."""
        if self._screen is None and not self._engine_problem:
            from toolkit.press.card_previews import Screen
            from toolkit.render.engines import NoEngine, choose_renderer

            engine = choose_renderer()
            if isinstance(engine, NoEngine):
                self._engine_problem = f"{engine.message} {engine.next_step}"
            else:
                self._screen = Screen(engine)
        if self._screen is None:
            raise ApiError(422, self._engine_problem)
        return self._screen

    def _register_side(self, new_face: _RegisteredFace, screen: Screen) -> str:
        """Give one side of a card its address, and return it."""
        key = new_face.style.key(new_face.subject, screen.renderer)
        digest = self._session.keyed_digest(b"face", key.encode())
        face = self._faces.setdefault(digest, new_face)
        # the spans of its texts may have moved
        face.subject, face.place = new_face.subject, new_face.place
        # not popped and set again: the event loop, another thread, may look it up meanwhile
        self._faces.move_to_end(digest)
        while len(self._faces) > MAX_ADDRESSES:
            self._faces.popitem(last=False)
        return digest

    # in the event loop

    def report(self, digest: str) -> Report | None:
        """Return the result of drawing a face; None if it was not drawn yet."""
        face = self._faces.get(digest)
        if face is None or face.picture is None:
            return None
        is_drawn = face.picture.png is not None
        last_good = None
        if not is_drawn and face.place in self._last_drawn:
            _digest, last_good = self._last_drawn[face.place]
        sizes = [size._asdict() for size in face.picture.sizes]
        return Report(face.picture.findings, sizes, is_drawn, last_good)

    def note_open_card(self, id: str, language: str | None, data: Mapping[str, Any]) -> None:
        """Note which card is open in which language, and what of its pictures the page has.

        ``data`` is the page's answer from ``card_pictures``. Without a ``language`` the first one is open.
        """
        fronts, backs = data["faces"], data["back"] or {}
        if language is None or language not in fronts:
            language = next(iter(fronts), "")
        self._open_place = Place(id, language, "front")
        self.note_shown(_digests_by_place(id, "back", backs))
        self.note_shown(_digests_by_place(id, "front", fronts))
        front_data = fronts.get(language)
        if front_data is None:
            return
        digest = front_data["face"]
        report = self.report(digest)
        # without sizes the page has no report, even if the face was drawn since
        self._open_report = report if front_data["sizes"] is not None else None
        if report is None:
            self._request(_PictureKey(digest, *self._open_options), prefetch=True)
        else:
            self._notify_open_card(digest)

    def note_shown(self, faces: Mapping[Place, str], dpi: int | None = None) -> None:
        """Note which faces are on screen; with ``dpi`` draw them now, unless they are cached."""
        for card_place, digest in reversed(list(faces.items())):
            self._on_screen[card_place] = digest
            self._on_screen.move_to_end(card_place)
            if dpi is not None:
                self._request(_PictureKey(digest, dpi, False), prefetch=True)
        while len(self._on_screen) > MAX_SHOWN:
            oldest_place, _digest = self._on_screen.popitem(last=False)
            self._print_failures.pop(oldest_place, None)

    def failures(self) -> list[Diagnostic]:
        """Return why cards on screen cannot be printed, mostly a broken template; each reason once."""
        from toolkit.render.checks.fit_check import without_duplicates

        failure_findings = chain(*self._print_failures.values())
        errors = (finding for finding in failure_findings if severity_of(finding.name) == "error")
        return list(without_duplicates(errors))

    def _note_failures(self, drawn: Mapping[Place, str]) -> None:
        """Note which fronts on screen cannot be printed, and mark their cards."""
        failed_before = {card_place.id for card_place in self._print_failures}
        for card_place, digest in drawn.items():
            report = self.report(digest)
            if report is not None and report.drawn:
                self._print_failures.pop(card_place, None)
            elif report is not None and card_place.side == "front":
                self._print_failures[card_place] = report.findings
        failed_now = frozenset(card_place.id for card_place in self._print_failures)
        if failed_before != failed_now:
            self._session.mark_unprinted(failed_now)

    async def picture(self, digest: str, dpi: int = DPI, bleed: bool = False) -> tuple[bytes, bool]:
        """Return the PNG of a face, and whether it shows that very face.

        If it cannot be printed, it is the last good picture of the same card, or a grey one. Raises
        ``ApiError`` for an unknown digest.
        """
        face, key = self._face(digest), _PictureKey(digest, dpi, bleed)
        face.options = dpi, bleed
        _, card_place = face.place
        if self._open_place is not None and card_place == self._open_place:
            self._open_options = dpi, bleed
        await asyncio.shield(self._request(key))
        last_drawn = self._last_drawn.get(face.place)
        if key not in self._cache and last_drawn is not None:
            good_digest, _ = last_drawn
            # in any resolution, the latest first
            good_keys = (
                cached_key
                for cached_key in reversed(self._cache)
                if cached_key.digest == good_digest and cached_key.bleed == bleed
            )
            key = next(good_keys, key)
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key], key.digest == digest
        from toolkit.press.card_previews import blank_png

        return await self._session.in_renderer(blank_png, face.style, dpi, bleed), False

    def _face(self, digest: str) -> _RegisteredFace:
        """Return a registered face. Raises ``ApiError`` for an unknown digest."""
        face = self._faces.get(digest)
        if face is None:
            raise ApiError(404, "There is no such picture any more; ask for the card again.")
        return face

    async def html(self, digest: str) -> str:
        """Return a face as HTML for a browser. Raises ``ApiError``."""
        face = self._face(digest)
        sizes = face.picture.sizes_of_type if face.picture else {}
        page_html = await self._session.in_renderer(self.screen().html, face.subject, face.style, sizes)
        if page_html is None:
            raise ApiError(
                422, "The template of this card cannot be used, or asks for too much; see its findings."
            )
        return page_html

    async def fit(self) -> list[Diagnostic]:
        """Return the findings of printing all cards in all languages. Raises ``ApiError``.

        If texts of the project change meanwhile, it is cancelled (409): its findings would be outdated.
        """
        from toolkit.project.faces import by_size, fit_of

        session = self._session
        workspace = await session.in_reader(lambda: session.workspace)
        ids = [entry.id for entry in workspace.cards.printed_entries()]
        faces_by_size: dict[Size, list[Face]] = {}

        def texts(cards: CardSet) -> list[str]:
            return [file.text for file in cards.files]

        def check_unchanged(_done: int = 0, _total: int = 0) -> None:
            workspace_now = session.workspace  # a new one with the same texts, if a save was noticed twice
            if workspace_now is not workspace and texts(workspace_now.cards) != texts(workspace.cards):
                raise ApiError(409, "The project has changed meanwhile; ask again.")

        for language in workspace.cards.project.languages:
            for start in range(0, len(ids), FIT_BATCH):
                batch_faces = await session.in_reader(
                    by_size, workspace, language, ids[start : start + FIT_BATCH]
                )
                check_unchanged()
                for size, faces in batch_faces.items():
                    faces_by_size.setdefault(size, []).extend(faces)
        findings = await session.in_renderer(fit_of, workspace, faces_by_size, check_unchanged)
        if isinstance(findings, str):
            raise ApiError(422, findings)
        return findings

    async def redraw_open(self) -> None:
        """Draw the open card again if it looks different now, before all else that follows a change."""
        for key in self._prefetching & self._queue.keys():
            self._queue.pop(key).cancel()
        self._prefetching.clear()
        if self._open_place is not None:
            await self._redraw([self._open_place])
            await self.wait_for_open()

    async def redraw_shown(self) -> None:
        """Draw other faces on screen again that look different now, first those of the open card."""
        places = [card_place for card_place in reversed(self._on_screen) if card_place != self._open_place]
        if self._open_place is not None:
            open_id = self._open_place.id
            places.sort(key=lambda card_place: card_place.id != open_id)
        for start in range(0, len(places), BATCH):
            await self._redraw(places[start : start + BATCH])

    async def wait_for_open(self) -> None:
        """Wait until the open card is drawn: work in another thread would halve its speed."""
        digest = None if self._open_place is None else self._on_screen.get(self._open_place)
        pending = [
            future for key, future in [*self._drawing.items(), *self._queue.items()] if key.digest == digest
        ]
        if pending:
            await asyncio.wait(pending)

    async def _redraw(self, places: Sequence[Place]) -> None:
        """Draw the faces in some places that look different now, and notify pages."""
        if not places:
            return
        with suppress(ApiError):  # no project, or no engine
            digests = await self._session.in_reader(self._current_digests, places)
            changed_digests = {
                card_place: digest
                for card_place, digest in digests.items()
                if self._on_screen.get(card_place) != digest
            }
            requests = []
            for card_place, digest in reversed(changed_digests.items()):  # the latest request is drawn first
                face_before = self._faces.get(self._on_screen.get(card_place, ""))
                dpi, bleed = face_before.options if face_before else (DPI, False)
                self._faces[digest].options = dpi, bleed
                requests.append(self._request(_PictureKey(digest, dpi, bleed), prefetch=True))
            # shielded: if a newer change cancels this, others may wait for the same pictures
            await asyncio.gather(*map(asyncio.shield, requests))
            self._note_failures(digests)
            self._notify_redrawn(changed_digests)
            if self._open_place in digests:
                self._notify_open_card(digests[self._open_place])

    def _notify_redrawn(self, changed_digests: Mapping[Place, str]) -> None:
        """Notify pages of the faces that could be drawn; a page asks for a whole card to get its back."""
        for card_place, digest in changed_digests.items():
            report = self.report(digest)
            if report is not None and report.drawn and card_place in self._on_screen:
                self._on_screen[card_place] = digest
                if card_place.side == "front":
                    data = {"id": card_place.id, "lang": card_place.language, "face": digest}
                    self._session.publish("face", data)
        for id in {card_place.id for card_place in changed_digests if card_place.side == "back"}:
            self._session.publish("card", {"id": id})

    def _notify_open_card(self, digest: str) -> None:
        """Notify the page of the open card if its report differs from the one that the page has."""
        report = self.report(digest)
        if self._open_place is not None and report is not None and report != self._open_report:
            self._open_report = report
            self._session.publish("card", {"id": self._open_place.id})

    def _request(self, key: _PictureKey, prefetch: bool = False) -> asyncio.Future[None]:
        """Queue a picture before all others, unless it is cached or cannot be drawn.

        The future is done when the picture is cached, cannot be drawn, or has left the queue. A ``prefetch``
        is a picture that no page has requested yet.
        """
        # taken out of the queue, so that it is put back as the latest request
        future = self._drawing.get(key) or self._queue.pop(key, None)
        if future is None:
            future = asyncio.get_running_loop().create_future()
            if prefetch:
                self._prefetching.add(key)
        if not prefetch:
            self._prefetching.discard(key)
        face = self._faces.get(key.digest)
        is_undrawable = face is None or (face.picture is not None and face.picture.png is None)
        if key in self._cache or is_undrawable:
            if not future.done():
                future.set_result(None)
        elif key not in self._drawing:
            self._queue_latest(key, future)
        return future

    def _queue_latest(self, key: _PictureKey, future: asyncio.Future[None]) -> None:
        """Put a picture to the end of the queue from which the next is taken, and draw the queue."""
        self._queue[key] = future
        if len(self._queue) > MAX_QUEUED:
            oldest = next(iter(self._queue))
            self._queue.pop(oldest).set_result(None)  # who waits for it gets the last good picture
        if self._worker is None or self._worker.done():
            self._worker = asyncio.create_task(self._draw_queue())

    async def _draw_queue(self) -> None:
        """Draw the queue, the newest first, with others that can be drawn in the same document."""
        while self._queue:
            newest = next(reversed(self._queue))
            batch = [key for key in reversed(self._queue) if self._fits_document_of(key, newest)][:BATCH]
            batch = batch or [newest]
            self._drawing = {key: self._queue.pop(key) for key in batch}
            try:
                await self._draw_batch(batch)
            except Exception as error:  # what waits behind this batch is drawn all the same
                self._session.log_bug("A card could not be drawn", error)
            finally:
                for future in self._drawing.values():
                    if not future.done():
                        future.set_result(None)
                self._drawing = {}

    def _fits_document_of(self, key: _PictureKey, other: _PictureKey) -> bool:
        """Whether two pictures can be drawn in one document: in the same style, resolution and bleed."""
        face, other_face = self._faces.get(key.digest), self._faces.get(other.digest)
        if face is None or other_face is None:
            return False
        return face.style == other_face.style and (key.dpi, key.bleed) == (other.dpi, other.bleed)

    async def _draw_batch(self, batch: Sequence[_PictureKey]) -> None:
        """Draw pictures that are still wanted, and keep them; all of a batch have one resolution and
        style."""
        faces = {key: self._faces.get(key.digest) for key in batch}
        faces_by_key = {key: face for key, face in faces.items() if face is not None}
        if not faces_by_key:
            return
        # not those of the first key of the batch, whose address the reading thread may have dropped meanwhile
        (key, face), *_ = faces_by_key.items()
        style, dpi, bleed = face.style, key.dpi, key.bleed
        subjects = [face.subject for face in faces_by_key.values()]
        with suppress(ApiError):
            pictures = await self._session.in_renderer(self.screen().draw, subjects, style, dpi, bleed)
            for key, face in faces_by_key.items():
                self._store(key, face, pictures[face.subject])

    def _store(self, key: _PictureKey, face: _RegisteredFace, picture: Picture) -> None:
        """Cache a picture, keep its findings, and notify pages."""
        if picture.png is not None:
            self._last_drawn[face.place] = key.digest, _time()
            self._cache[key] = picture.png
            self._cache_bytes += len(picture.png)
            while self._cache_bytes > CACHE_BYTES:
                _, dropped_png = self._cache.popitem(last=False)
                self._cache_bytes -= len(dropped_png)
        face.picture = replace(picture, png=b"" if picture.png is not None else None)
        _, card_place = face.place
        if self._on_screen.get(card_place) == key.digest:
            self._note_failures({card_place: key.digest})
        if self._open_place is not None and face.place == (str(self._session.root), self._open_place):
            self._notify_open_card(key.digest)


def _picture_data(card_pictures: CardPictures, digest: str, report: Report | None) -> dict[str, Any]:
    """Return one side of a card as data, with what is known since it was drawn."""
    return {
        "face": digest,
        "width": card_pictures.width,
        "height": card_pictures.height,
        "bleed": card_pictures.bleed,
        "sizes": report.sizes if report else None,
        "last_good": card_pictures.last_good or (report.last_good if report else None),
    }


def _has_rules(workspace: Workspace, id: str) -> bool:
    """Whether no effect of a card has errors: an effect with errors is not printed."""
    from toolkit.data.effect_sources import sources_of

    entry = workspace.cards.printed_entry(id)
    sound_effects = [effect for effect in workspace.effects_of(id) if effect.sound]
    return entry is not None and len(sound_effects) == len(list(sources_of(entry)))


def _time() -> str:
    """Return the local time now, such as ``2027-01-31T14:02:11+01:00``."""
    return datetime.now().astimezone().isoformat("T", "seconds")
