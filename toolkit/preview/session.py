"""A project that is previewed: kept up to date, read in one thread, drawn in another, with its events."""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolkit.preview.answers import Refused, encoded, keep
from toolkit.preview.pictures import Pictures
from toolkit.preview.served_project import ServedProject
from toolkit.preview.snapshot import PreviewOptions, Snapshot, difference, starting
from toolkit.preview.trials import Trials
from toolkit.project.watching import HALF_SAVED, ProjectWatcher
from toolkit.source.paths import PROJECT_FILE

if TYPE_CHECKING:
    from toolkit.pipeline import Workspace
    from toolkit.preview.card_details import CardDetails, SearchedTexts

_BUG = "This is a bug in opforge, not in your cards."
_MOST_OPEN = 8
"""So many cards that were asked for last are followed: in tabs of the browser."""
_LONGEST_QUERY = 200
_PAUSE = 0.3
"""Seconds between two looks for a project where there is none."""


class Session(ServedProject):
    """One run of the preview of a project."""

    def __init__(
        self,
        root: Path,
        options: PreviewOptions | None = None,
        token: str | None = None,
        log: Callable[[str], None] = lambda _line: None,
    ) -> None:
        super().__init__(root, options, token, log)
        self.trials = Trials(self)
        self.pictures = Pictures(self)
        self.renamed: dict[str, str] = {}
        self._revisions: list[str] = []
        self._details: CardDetails | None = None
        self._settled: Workspace | None = None
        self._good: Workspace | None = None
        self._sound: Workspace | None = None
        self._texts: SearchedTexts | None = None
        self._opened: dict[str, bytes] = {}
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    # for routes

    @property
    def good_workspace(self) -> Workspace:
        """The same as it was when no card was broken or torn, if it ever was."""
        return self._good or self.workspace

    @property
    def sound_workspace(self) -> Workspace:
        """The same as it was when it had no error, if it ever was."""
        return self._sound or self.good_workspace

    @property
    def details(self) -> CardDetails:
        """What is shown of cards, in the reading thread only. Raises ``Refused`` without a project."""
        if self._details is None:
            raise Refused(404, f"There is no project in {self.root}.")
        return self._details

    def card(self, id: str) -> dict[str, Any]:
        """All of a card but its faces, in the reading thread only; it counts as open from now on.

        Raises ``Refused`` for an unknown card.
        """
        found = self.details.card(id)
        if found is None:
            raise Refused(404, f"There is no card {id!r}.", renamed=self.renamed.get(id))
        keep(self._opened, id, _digest(found), _MOST_OPEN)
        return found

    async def search(self, words: str) -> list[str]:
        """The ids of the cards whose names, texts or effects have all of some words."""
        from toolkit.preview.card_details import SearchedTexts

        texts = self._texts = self._texts or SearchedTexts()
        while True:  # a save is read in between
            found = await self.reading(lambda: texts.search(self.workspace, words[:_LONGEST_QUERY]))
            if found is not None:
                return found

    def play_scenarios_of(self, id: str) -> None:
        """Play the scenarios of a card, and have the page ask for it again if their outcomes are new."""

        async def play() -> None:
            await self.pictures.open_drawn()
            await self._play(id)

        task = asyncio.create_task(play())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play(self, id: str) -> None:
        with suppress(Refused):  # as below
            while await self.reading(lambda: self.details.play_scenarios(id)):
                pass  # a save is read in between
            await self._report_opened([id])

    # the life of the session

    async def run(self) -> None:
        """Read the project, then again after each change, until the session is closed."""
        self._loop = asyncio.get_running_loop()
        self._ended = self._loop.create_future()
        threading.Thread(target=self._watch, name="watch", daemon=True).start()
        followed: asyncio.Task[None] | None = None
        lost_at: float | None = None
        self._changed.set()
        while True:
            with suppress(asyncio.TimeoutError, TimeoutError):
                left = None if lost_at is None else max(0.0, lost_at + HALF_SAVED - time.monotonic())
                await asyncio.wait_for(self._changed.wait(), left)
            if self._stop.is_set():
                return
            self._changed.clear()
            begun = time.monotonic()
            if followed is not None:
                followed.cancel()
            try:
                now = await self.reading(self._read)
            except Refused:  # it is closed
                return
            except Exception as error:
                self.log(f"The project could not be read: {type(error).__name__}: {error}. {_BUG}")
                continue
            lost = now.lost_since(self.snapshot)
            if lost and lost_at is None:
                lost_at = time.monotonic()
            if lost and lost_at is not None and time.monotonic() < lost_at + HALF_SAVED:
                now = now.with_rows_of(self.snapshot, lost)
            else:
                lost_at = None
            self._show(now, begun, whole=lost_at is None)
            followed = asyncio.create_task(self._follow())

    def close(self) -> None:
        """End all streams and both threads. What they are doing is not waited for."""
        self._stop.set()
        self._changed.set()
        self.events.close()
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)
        for thread in (self._reader, self._drawer):
            thread.shutdown(wait=False, cancel_futures=True)
        while self.on_close:
            self.on_close.pop()()

    def changed(self) -> None:
        """Have the project read again; from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed.set)

    def _read(self) -> Snapshot:
        """Read what has changed; in the reading thread."""
        import toolkit.preview.card_details  # noqa: F401  what is imported here does not hold up the page
        from toolkit.preview.snapshot import project_snapshot

        if not self.is_in_place or not (self.root / PROJECT_FILE).is_file():
            self._project = self._good = self._sound = self._settled = None
            return starting(self.root, self.options, "no-project")
        if self._project is None:
            from toolkit.data.project_files import FolderReader
            from toolkit.project.changes.git import revisions
            from toolkit.project.declared_words import check_words
            from toolkit.project.live_project import LiveProject

            check_words()
            self._revisions = revisions(self.root)
            self._project = LiveProject(self.root, FolderReader(self.root))
        self._project.read()
        now = project_snapshot(self._project, self.options, self.snapshot, self._settled)
        now.state["revisions"] = self._revisions
        return now

    def _show(self, now: Snapshot, begun: float, *, whole: bool) -> None:
        """Serve and report a state; it is not ``whole`` where former rows stand in for lost cards."""
        now = now.with_marks(self._marked, self._unprinted)
        before, self.snapshot = self.snapshot, now
        if self._project is None:
            self._details = None
        else:
            from toolkit.preview.card_details import CardDetails

            outcomes = self._details.outcomes if self._details is not None else None
            self._details = CardDetails(self._project, now, self._settled, outcomes)
            if whole:
                self._settled = self._project.workspace
                self._good = self._good if now.last_good else self._settled
                self._sound = self._sound if now.state["counts"]["errors"] else self._settled
        news = difference(before, now, self._whole)
        self._whole = now if whole else self._whole
        if news is not None:
            self.renamed |= news.get("renamed", {})
            self.publish("cards", news)
        if now.state != before.state:
            self.publish("state", now.state)
        if news is not None or now.state != before.state:
            self.log(now.line(before, time.monotonic() - begun))
        languages = now.state["project"]["languages"] if now.state["project"] else None
        if languages and before.state["project"] is None and self.options.lang not in (None, *languages):
            self.log(
                f"There is no language {self.options.lang!r} here; the project has {', '.join(languages)}."
            )

    def _watch(self) -> None:
        """Have the project read again after each change of its files; in the watching thread."""
        while not (self.root / PROJECT_FILE).is_file():  # not watched before: it may be large, and all else
            if self._stop.wait(_PAUSE):
                return
        for _ in chain([()], ProjectWatcher(self.root, self._stop, poll=self.options.poll, notice=self.log)):
            self.changed()

    async def _follow(self) -> None:
        """What is done when a change has been shown: the open card first, then pictures, then scenarios."""
        opened = [*self._opened]
        try:
            await self.pictures.open_changed()
            await self._report_opened(opened[-1:])
            for function in self.after_update:
                await function()
            await self._report_opened(opened[:-1])
            for id in reversed(opened):
                await self._play(id)
        except Refused:  # the project is gone, or the session is closed
            return
        except Exception as error:
            self.log(f"What follows a change failed: {type(error).__name__}: {error}. {_BUG}")

    async def _report_opened(self, ids: Sequence[str]) -> None:
        """Have the page ask for those cards again that have changed since it asked."""

        def changed() -> list[str]:
            found = []
            for id in ids:
                card = self._details.card(id) if self._details is not None else None
                if card is not None and self._opened.get(id) != (digest := _digest(card)):
                    self._opened[id] = digest
                    found.append(id)
            return found

        for id in await self.reading(changed):
            self.publish("card", {"id": id})


def _digest(data: dict[str, Any]) -> bytes:
    return hashlib.sha256(encoded(data)).digest()
