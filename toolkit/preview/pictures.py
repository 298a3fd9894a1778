"""The pictures of cards: named by digests, drawn in the one thread that draws, kept as long as there is room.

What is asked for last is drawn first. After a change the open card comes first, then what else is on screen,
and what waits from an earlier change is dropped.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from toolkit.preview.answers import Refused
from toolkit.preview.served_project import ServedProject

if TYPE_CHECKING:
    from toolkit.data.model import CardSet
    from toolkit.diagnostics import Diagnostic
    from toolkit.pipeline import Workspace
    from toolkit.render.face import Face
    from toolkit.render.raster import Subject
    from toolkit.render.screen import CardStyle, Picture, Screen
    from toolkit.render.sizes import Size

ROOM = 64 * 1024 * 1024
"""Bytes of pictures that are kept."""

MOST_NAMED = 3_000
"""Faces that have an address; those that were named longest ago lose it."""

MOST_SHOWN = 80
"""Faces that are drawn anew by themselves after a change."""

MOST_WAITING = 500
BATCH = 9
"""Pictures that are drawn at once: a document costs as much as several cards."""

PART = 50
"""So many faces are made before the reading thread may do something else."""

DPI = 192

Which = Literal["front", "back"]


class Place(NamedTuple):
    """Where a face is shown: a card in a language, and its side."""

    id: str
    language: str
    side: Which


class CardPictures(Struct, frozen=True):
    """The digests of both sides of a card in a language, its trim and its bleed in mm.

    ``last_good`` is when the card was seen that they show, if it is broken now.
    """

    language: str
    front: str
    back: str
    width: float
    height: float
    bleed: float
    last_good: str | None = None


class Report(Struct, frozen=True):
    """What is known of a face that was drawn: findings of print, sizes of type, and whether it is shown.

    ``last_good`` is None unless it cannot be printed: then it is when the picture was drawn that is shown.
    """

    findings: tuple[Diagnostic, ...]
    sizes: Sequence[Mapping[str, object]]
    drawn: bool
    last_good: str | None = None


class _Named(Struct):
    """What a digest stands for, what was found when it was drawn, and how it was asked for last."""

    subject: Subject
    style: CardStyle
    place: tuple[str, Place]
    picture: Picture | None = None
    asked: tuple[int, bool] = (DPI, False)


class _Asked(NamedTuple):
    """A picture by what it shows and how."""

    digest: str
    dpi: int
    bleed: bool


class Pictures:
    """The pictures of a session.

    ``name`` and ``now`` are for the reading thread, all else for the event loop.
    """

    def __init__(self, session: ServedProject) -> None:
        self._session = session
        self._screen: Screen | None = None
        self._no_engine = ""
        self._named: OrderedDict[str, _Named] = OrderedDict()
        self._kept: OrderedDict[_Asked, bytes] = OrderedDict()
        self._size = 0
        self._good: dict[tuple[str, Place], tuple[str, str]] = {}  # digest, and when it was drawn
        self._waiting: dict[_Asked, asyncio.Future[None]] = {}  # what was asked for last is last
        self._under_way: dict[_Asked, asyncio.Future[None]] = {}
        self._ahead: set[_Asked] = set()  # what nobody waits for
        self._worker: asyncio.Task[None] | None = None
        self._shown: OrderedDict[Place, str] = OrderedDict()  # with the digest that the page has
        self._failed: dict[Place, tuple[Diagnostic, ...]] = {}  # of what is on screen: why it is not printed
        self._sound: dict[tuple[str, str], CardPictures] = {}  # by id and language
        self._open: Place | None = None
        self._usual = DPI, False  # how the open card is asked for
        self._reported: Report | None = None  # what the page knows of the open card
        session.after_update.append(self.changed)

    # in the reading thread

    def name(
        self, workspace: Workspace, ids: Collection[str], language: str | None = None
    ) -> dict[str, CardPictures]:
        """Give both sides of cards an address, in a language (the project's first if it has not that one).

        Cards that are not there are left out. Raises ``Refused`` where no engine prints.
        """
        from toolkit.project.faces import faces, look_of, roots_of
        from toolkit.project.layouts import LayoutRequest, Layouts, choose_layouts
        from toolkit.render.face import back_of
        from toolkit.render.layout import LayoutPlan
        from toolkit.render.screen import CardStyle

        screen = self.screen()
        languages = workspace.cards.project.languages
        spoken = language if language in languages else languages[0]
        layouts = choose_layouts(workspace.cards, LayoutRequest())
        if not isinstance(layouts, Layouts):  # which is a finding
            layouts = Layouts(LayoutPlan())
        roots, look = roots_of(workspace), look_of(workspace)
        stamp, owner = roots.stamp(), str(workspace.root)
        found: dict[str, CardPictures] = {}
        for face in faces(workspace, spoken, frozenset(ids)) if ids else ():
            plan = layouts.by_kind.get(face.kind, layouts.layout)
            style = CardStyle(plan.card, roots, look, stamp, plan.bleed)
            back = back_of(face)
            front_named = _Named(face, style, (owner, Place(face.id, spoken, "front")))
            back_named = _Named(back, style, (owner, Place(str(back), spoken, "back")))
            front, behind = (self._remember(one, screen) for one in (front_named, back_named))
            found[face.id] = CardPictures(
                spoken, front, behind, plan.card.width, plan.card.height, plan.bleed
            )
        return found

    def now(
        self, ids: Collection[str], language: str | None = None, tried: Workspace | None = None
    ) -> dict[str, CardPictures]:
        """Name cards of the project as they stand, or as they are while something is ``tried``.

        One that is broken, or whose effect has errors and so no rules text, has the face that it had last.
        """
        state = tried or self._session.workspace
        found = self.name(state, ids, language)
        for id in ids:
            good = self._session.snapshot.last_good.get(id)
            if id in found and good is None and _has_rules(state, id):
                if tried is None:
                    self._sound[id, found[id].language] = replace(found[id], last_good=_time())
                continue
            spoken = found[id].language if id in found else language or ""
            sound = self._sound.get((id, spoken))
            if sound is not None and sound.front in self._named:
                found[id] = sound
            elif id not in found and good is not None and good.workspace is not None:
                found |= self.name(good.workspace, [id], language)
        return found

    def of_card(self, id: str, workspace: Workspace | None = None) -> tuple[dict[str, Any], list[Diagnostic]]:
        """What the page is told of the pictures of a card, and findings of print.

        By language: ``faces`` and ``back``. ``workspace`` is a state of the project in place of the present
        one.
        """
        from toolkit.render.fit_check import without_duplicates

        state = workspace or self._session.workspace
        faces: dict[str, Any] = {}
        backs: dict[str, Any] = {}
        findings: list[Diagnostic] = []
        for language in state.cards.project.languages:
            for one in self.now([id], language, workspace).values():
                for side, digest in ((faces, one.front), (backs, one.back)):
                    report = self.report(digest)
                    side[language] = {
                        "face": digest,
                        "width": one.width,
                        "height": one.height,
                        "bleed": one.bleed,
                        "sizes": report.sizes if report else None,
                        "last_good": one.last_good or (report.last_good if report else None),
                    }
                    findings += report.findings if report else ()
        return {"faces": faces, "back": backs or None}, list(without_duplicates(findings))

    def screen(self) -> Screen:
        """What draws. Raises ``Refused`` where no engine prints."""
        if self._screen is None and not self._no_engine:
            from toolkit.render.engines import NoEngine, choose_renderer
            from toolkit.render.screen import Screen

            engine = choose_renderer()
            if isinstance(engine, NoEngine):
                self._no_engine = f"{engine.message} {engine.next_step}"
            else:
                self._screen = Screen(engine)
        if self._screen is None:
            raise Refused(422, self._no_engine)
        return self._screen

    def _remember(self, named: _Named, screen: Screen) -> str:
        """Give a face its address."""
        digest = self._session.address_of(b"face", named.style.key(named.subject, screen.renderer).encode())
        known = self._named.setdefault(digest, named)
        known.subject, known.place = named.subject, named.place  # the places of its words may have moved
        self._named.move_to_end(digest)  # it never goes: the event loop may look it up meanwhile
        while len(self._named) > MOST_NAMED:
            self._named.popitem(last=False)
        return digest

    # in the event loop

    def report(self, digest: str) -> Report | None:
        """What is known of a face; None before it was drawn."""
        named = self._named.get(digest)
        if named is None or named.picture is None:
            return None
        drawn = named.picture.png is not None
        good = None if drawn else self._good.get(named.place)
        sizes = [size._asdict() for size in named.picture.sizes]
        return Report(named.picture.findings, sizes, drawn, good[1] if good else None)

    def opened(self, id: str, language: str | None, told: Mapping[str, Any]) -> None:
        """Note which card is open in which language, and what the page was told of its pictures."""
        if language is None or language not in told["faces"]:
            language = next(iter(told["faces"]), "")
        self._open = Place(id, language, "front")
        sides: tuple[tuple[Which, Any], ...] = (("back", told["back"] or {}), ("front", told["faces"]))
        for side, faces in sides:
            self.shown({Place(id, one, side): data["face"] for one, data in faces.items()})
        front = told["faces"].get(language)
        if front is None:
            return
        report = self.report(front["face"])
        self._reported = report if front["sizes"] is not None else None  # it may be drawn since it was told
        if report is None:
            self._ask(_Asked(front["face"], *self._usual), ahead=True)
        else:
            self._tell_open(front["face"])

    def shown(self, faces: Mapping[Place, str], dpi: int | None = None) -> None:
        """Note what is on screen; with ``dpi`` it is drawn now, unless it is kept."""
        for place, digest in reversed(list(faces.items())):
            self._shown[place] = digest
            self._shown.move_to_end(place)
            if dpi is not None:
                self._ask(_Asked(digest, dpi, False), ahead=True)
        while len(self._shown) > MOST_SHOWN:
            self._failed.pop(self._shown.popitem(last=False)[0], None)

    def failures(self) -> list[Diagnostic]:
        """Why cards that are on screen cannot be printed: a broken template, mostly; each reason once."""
        from toolkit.diagnostics.catalogue import severity_of
        from toolkit.render.fit_check import without_duplicates

        found = (finding for findings in [*self._failed.values()] for finding in findings)
        return list(without_duplicates(finding for finding in found if severity_of(finding.name) == "error"))

    def _note(self, drawn: Mapping[Place, str]) -> None:
        """Note which fronts on screen can be printed, and have the cards marked that cannot."""
        before = {place.id for place in self._failed}
        for place, digest in drawn.items():
            report = self.report(digest)
            if report is not None and report.drawn:
                self._failed.pop(place, None)
            elif report is not None and place.side == "front":
                self._failed[place] = report.findings
        if before != (now := frozenset(place.id for place in self._failed)):
            self._session.mark_unprinted(now)

    async def picture(self, digest: str, dpi: int = DPI, bleed: bool = False) -> tuple[bytes, bool]:
        """Return the PNG of a face, and whether it is that very face.

        Where it cannot be printed it is the last good picture of the same card, or a grey one. Raises
        ``Refused`` for a digest that stands for nothing.
        """
        named, asked = self._find(digest), _Asked(digest, dpi, bleed)
        named.asked = dpi, bleed
        if self._open is not None and named.place[1] == self._open:
            self._usual = dpi, bleed
        await asyncio.shield(self._ask(asked))
        good = self._good.get(named.place)
        if asked not in self._kept and good is not None:
            kept = reversed(self._kept)
            asked = next((one for one in kept if one.digest == good[0] and one.bleed == bleed), asked)
        if asked in self._kept:
            self._kept.move_to_end(asked)
            return self._kept[asked], asked.digest == digest
        from toolkit.render.screen import blank

        return await self._session.drawing(blank, named.style, dpi, bleed), False

    def _find(self, digest: str) -> _Named:
        named = self._named.get(digest)
        if named is None:
            raise Refused(404, "There is no such picture any more; ask for the card again.")
        return named

    async def html(self, digest: str) -> str:
        """Return a face as HTML for a browser. Raises ``Refused``."""
        named = self._find(digest)
        sizes = named.picture.sizes_of_type if named.picture else {}
        made = await self._session.drawing(self.screen().html, named.subject, named.style, sizes)
        if made is None:
            raise Refused(
                422, "The template of this card cannot be used, or asks for too much; see its findings."
            )
        return made

    async def fit(self) -> list[Diagnostic]:
        """Return the findings of printing all cards in all languages. Raises ``Refused``.

        A change of its texts in between ends it (409): the answer would be about cards that are gone.
        """
        from toolkit.project.faces import by_size, fit_of

        session = self._session
        workspace = await session.reading(lambda: session.workspace)
        ids = [entry.id for entry in workspace.cards.printed_entries()]
        found: dict[Size, list[Face]] = {}

        def texts(cards: CardSet) -> list[str]:
            return [file.text for file in cards.files]

        def check(_done: int = 0, _total: int = 0) -> None:
            now = session.workspace  # one save may be noticed twice, and is read again each time
            if now is not workspace and texts(now.cards) != texts(workspace.cards):
                raise Refused(409, "The project has changed meanwhile; ask again.")

        for language in workspace.cards.project.languages:
            for start in range(0, len(ids), PART):
                part = await session.reading(by_size, workspace, language, ids[start : start + PART])
                check()
                for size, faces in part.items():
                    found.setdefault(size, []).extend(faces)
        findings = await session.drawing(fit_of, workspace, found, check)
        if isinstance(findings, str):
            raise Refused(422, findings)
        return findings

    async def open_changed(self) -> None:
        """Draw the open card anew if it looks different now, before anything else that follows a change."""
        for asked in self._ahead & self._waiting.keys():
            self._waiting.pop(asked).cancel()
        self._ahead.clear()
        if self._open is not None:
            await self._renew([self._open])
            await self.open_drawn()

    async def changed(self) -> None:
        """Draw anew what else is on screen and looks different now, other sides of the open card first."""
        shown = [place for place in reversed(self._shown) if place != self._open]
        if self._open is not None:
            card = self._open.id
            shown.sort(key=lambda place: place.id != card)
        for start in range(0, len(shown), BATCH):
            await self._renew(shown[start : start + BATCH])

    async def open_drawn(self) -> None:
        """Wait until the open card is drawn: whatever runs beside it makes it half as fast."""
        digest = None if self._open is None else self._shown.get(self._open)
        drawn = [
            future
            for asked, future in [*self._under_way.items(), *self._waiting.items()]
            if asked.digest == digest
        ]
        if drawn:
            await asyncio.wait(drawn)

    async def _renew(self, places: Sequence[Place]) -> None:
        """Draw those of the faces that look different, and tell the pages."""

        def name() -> dict[Place, str]:
            found: dict[Place, str] = {}
            for language in dict.fromkeys(place.language for place in places):
                mine = [place for place in places if place.language == language]
                named = self.now({place.id for place in mine}, language)
                for place in mine:
                    if place.id in named:
                        one = named[place.id]
                        found[place] = one.front if place.side == "front" else one.back
            return found

        if not places:
            return
        with suppress(Refused):  # no project, or no engine
            digests = await self._session.reading(name)
            different = {place: new for place, new in digests.items() if self._shown.get(place) != new}
            waiting = []
            for place, digest in reversed(different.items()):
                before = self._named.get(self._shown.get(place, ""))
                dpi, bleed = before.asked if before else (DPI, False)
                self._named[digest].asked = dpi, bleed
                waiting.append(self._ask(_Asked(digest, dpi, bleed), ahead=True))
            await asyncio.gather(*map(asyncio.shield, waiting))
            self._note(digests)
            for place, digest in different.items():
                report = self.report(digest)
                if report is not None and report.drawn and place in self._shown:
                    self._shown[place] = digest
                    if place.side == "front":
                        data = {"id": place.id, "lang": place.language, "face": digest}
                        self._session.publish("face", data)
            for id in {place.id for place in different if place.side == "back"}:
                self._session.publish("card", {"id": id})
            if self._open in digests:
                self._tell_open(digests[self._open])

    def _tell_open(self, digest: str) -> None:
        """Have the open card asked for again, if more or else is known of it than the page has."""
        report = self.report(digest)
        if self._open is not None and report is not None and report != self._reported:
            self._reported = report
            self._session.publish("card", {"id": self._open.id})

    def _ask(self, asked: _Asked, ahead: bool = False) -> asyncio.Future[None]:
        """Have a picture drawn before all that waits, unless it is there or cannot be drawn."""
        future = self._under_way.get(asked) or self._waiting.pop(asked, None)
        if future is None:
            future = asyncio.get_running_loop().create_future()
            if ahead:
                self._ahead.add(asked)
        if not ahead:
            self._ahead.discard(asked)
        named = self._named.get(asked.digest)
        hopeless = named is None or (named.picture is not None and named.picture.png is None)
        if asked in self._kept or hopeless:
            if not future.done():
                future.set_result(None)
        elif asked not in self._under_way:
            self._waiting[asked] = future
            if len(self._waiting) > MOST_WAITING:
                self._waiting.pop(next(iter(self._waiting))).set_result(None)
            if self._worker is None or self._worker.done():
                self._worker = asyncio.create_task(self._work())
        return future

    async def _work(self) -> None:
        """Draw what waits, the newest first, with others that can be drawn in the same document."""
        while self._waiting:
            newest = next(reversed(self._waiting))
            first = self._named.get(newest.digest)
            same = [
                other
                for other in reversed(self._waiting)
                if first and (named := self._named.get(other.digest)) and named.style == first.style
                if other[1:] == newest[1:]
            ]
            batch = same[:BATCH] or [newest]
            self._under_way = {asked: self._waiting.pop(asked) for asked in batch}
            try:
                await self._draw(batch)
            finally:
                for future in self._under_way.values():
                    if not future.done():
                        future.set_result(None)
                self._under_way = {}

    async def _draw(self, batch: Sequence[_Asked]) -> None:
        found = {asked: named for asked in batch if (named := self._named.get(asked.digest)) is not None}
        if not found:
            return
        _, dpi, bleed = batch[0]
        style = found[batch[0]].style
        subjects = [named.subject for named in found.values()]
        with suppress(Refused):
            drawn = await self._session.drawing(self.screen().draw, subjects, style, dpi, bleed)
            for asked, named in found.items():
                self._take(asked, named, drawn[named.subject])

    def _take(self, asked: _Asked, named: _Named, picture: Picture) -> None:
        """Keep a picture, and what is known with it."""
        if picture.png is not None:
            self._good[named.place] = asked.digest, _time()
            self._kept[asked] = picture.png
            self._size += len(picture.png)
            while self._size > ROOM:
                self._size -= len(self._kept.popitem(last=False)[1])
        named.picture = replace(picture, png=b"" if picture.png is not None else None)
        place = named.place[1]
        if self._shown.get(place) == asked.digest:
            self._note({place: asked.digest})
        if self._open is not None and named.place == (str(self._session.root), self._open):
            self._tell_open(asked.digest)


def _has_rules(workspace: Workspace, id: str) -> bool:
    """Whether no effect of a card has errors: one that has is not printed."""
    from toolkit.effects.sources import sources_of

    entry = workspace.cards.printed_entry(id)
    sound = sum(effect.sound for effect in workspace.effects_of(id))
    return entry is not None and sound == sum(1 for _ in sources_of(entry))


def _time() -> str:
    return datetime.now().astimezone().isoformat("T", "seconds")
