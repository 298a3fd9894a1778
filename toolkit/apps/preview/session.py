"""One run of the preview: the project is read again after each change, and pages are notified.

Most rooms are imported only when a page asks for them: with all of them the page is served 0.3 s later.
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolkit.apps.preview.card_images import CardImages
from toolkit.apps.preview.responses import ApiError, encode_json, keep_newest
from toolkit.apps.preview.served_project import ServedProject
from toolkit.apps.preview.snapshot import (
    PreviewOptions,
    Snapshot,
    cards_event,
    initial_snapshot,
    project_snapshot,
)
from toolkit.apps.preview.what_ifs import Trials
from toolkit.data.project_files import FolderReader
from toolkit.products.changes.git import revisions
from toolkit.project.watching import HalfSaved, ProjectWatcher
from toolkit.source.paths import PROJECT_FILE

if TYPE_CHECKING:
    from toolkit.apps.preview.card_details import CardDetails, SearchedTexts
    from toolkit.project.pipeline import Workspace

_MAX_OPEN = 8
"""Cards that are reported when they change, at most: the last ones that tabs of the browser opened."""
_MAX_QUERY_LENGTH = 200


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
        self.pictures = CardImages(self)
        self.renamed: dict[str, str] = {}
        self._revisions: list[str] = []
        self._details: CardDetails | None = None
        self._whole_workspace: Workspace | None = None  # as last read with no card lost
        self._unbroken: Workspace | None = None  # as last read without a broken card
        self._error_free: Workspace | None = None
        self._search_texts: SearchedTexts | None = None
        self._open_digests: dict[str, bytes] = {}  # by the id of a card that is open, of its details
        self._change_noticed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    # for routes

    @property
    def unbroken_workspace(self) -> Workspace:
        """The project as it was when no card was broken or half saved, if it ever was."""
        return self._unbroken or self.workspace

    @property
    def error_free_workspace(self) -> Workspace:
        """The project as it was when it had no error, if it ever was."""
        return self._error_free or self.unbroken_workspace

    @property
    def details(self) -> CardDetails:
        """The details of the cards, in the reading thread only. Raises ``ApiError`` without a project."""
        if self._details is None:
            raise ApiError(404, f"There is no project in {self.root}.")
        return self._details

    def open_card(self, id: str) -> dict[str, Any]:
        """Return the details of a card, which counts as open from now on. In the reading thread only.

        Raises ``ApiError`` for an unknown card.
        """
        card_data = self.details.card(id)
        if card_data is None:
            raise ApiError(404, f"There is no card {id!r}.", renamed=self.renamed.get(id))
        keep_newest(self._open_digests, id, _digest(card_data), _MAX_OPEN)
        return card_data

    async def search(self, words: str) -> list[str]:
        """Return the ids of the cards whose names, texts or effects contain all of some words."""
        from toolkit.apps.preview.card_details import SearchedTexts

        texts = self._search_texts = self._search_texts or SearchedTexts()
        while True:  # in steps, so that a save need not wait
            matching_ids = await self.in_reader(
                lambda: texts.search(self.workspace, words[:_MAX_QUERY_LENGTH])
            )
            if matching_ids is not None:
                return matching_ids

    def play_scenarios_of(self, id: str) -> None:
        """Play the scenarios of a card, and notify the page if their outcomes are new."""

        async def play() -> None:
            await self.pictures.wait_for_open()
            await self._play_scenarios(id)

        task = asyncio.create_task(play())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play_scenarios(self, id: str) -> None:
        """Play the scenarios of a card in steps, so that a save need not wait; then report the card."""
        with suppress(ApiError):  # as below
            while await self.in_reader(lambda: self.details.play_scenarios(id)):
                pass
            await self._report_open_cards([id])

    # the life of the session

    async def run(self) -> None:
        """Read the project, then again after each change, until the session is closed."""
        self._loop = asyncio.get_running_loop()
        self._ended = self._loop.create_future()
        threading.Thread(target=self._watch, name="watch", daemon=True).start()
        follow_up: asyncio.Task[None] | None = None
        half_saved, patience = HalfSaved(), 0.0
        self._change_noticed.set()
        while True:
            with suppress(asyncio.TimeoutError, TimeoutError):
                await asyncio.wait_for(self._change_noticed.wait(), patience or None)
            if self._stop.is_set():
                return
            self._change_noticed.clear()
            started = time.monotonic()
            if follow_up is not None:
                follow_up.cancel()
            try:
                snapshot_now = await self.in_reader(self._read)
            except ApiError:  # it is closed
                return
            except Exception as error:
                self.log_bug("The project could not be read", error)
                continue
            # lost cards may be in a half saved file, so their former rows are served for a while
            lost_ids = snapshot_now.lost_since(self.snapshot)
            patience = half_saved.seconds(bool(lost_ids))
            if patience:
                snapshot_now = snapshot_now.with_rows_of(self.snapshot, lost_ids)
            self._serve(snapshot_now, started, is_whole=not patience)
            follow_up = asyncio.create_task(self._after_change())

    def close(self) -> None:
        """End all streams and both threads, without waiting for what they are doing."""
        self._stop.set()
        self._change_noticed.set()
        self.events.close()
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)
        for thread in (self._reader, self._renderer):
            thread.shutdown(wait=False, cancel_futures=True)
        while self.on_close:
            release = self.on_close.pop()
            release()

    def changed(self) -> None:
        """Request that the project is read again; from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._change_noticed.set)

    def _read(self) -> Snapshot:
        """Read what has changed; in the reading thread."""
        # imported here, in the reading thread, it does not hold up the page
        import toolkit.apps.preview.card_details  # noqa: F401

        if not self.is_same_folder or not (self.root / PROJECT_FILE).is_file():
            self._project = self._unbroken = self._error_free = self._whole_workspace = None
            return initial_snapshot(self.root, self.options, "no-project")
        if self._project is None:
            from toolkit.project.live_project import LiveProject

            self._revisions = revisions(self.root)
            self._project = LiveProject(self.root, FolderReader(self.root))
        self._project.read()
        snapshot_now = project_snapshot(self._project, self.options, self.snapshot, self._whole_workspace)
        snapshot_now.state["revisions"] = self._revisions
        return snapshot_now

    def _serve(self, snapshot_now: Snapshot, started: float, *, is_whole: bool) -> None:
        """Serve a snapshot and notify pages; it is not whole if it has former rows of lost cards."""
        snapshot_now = snapshot_now.with_marks(self._changed_ids, self._unprinted_ids)
        snapshot_before, self.snapshot = self.snapshot, snapshot_now
        if self._project is None:
            self._details = None
        else:
            from toolkit.apps.preview.card_details import CardDetails

            outcomes = self._details.outcomes if self._details is not None else None
            self._details = CardDetails(self._project, snapshot_now, self._whole_workspace, outcomes)
            if is_whole:
                self._whole_workspace = self._project.workspace
                if not snapshot_now.last_good:
                    self._unbroken = self._whole_workspace
                if not snapshot_now.state["counts"]["errors"]:
                    self._error_free = self._whole_workspace
        event_data = cards_event(snapshot_before, snapshot_now, self._last_whole)
        self._last_whole = snapshot_now if is_whole else self._last_whole
        if event_data is not None:
            self.renamed |= event_data.get("renamed", {})
            self.publish("cards", event_data)
        has_new_state = snapshot_now.state != snapshot_before.state
        if has_new_state:
            self.publish("state", snapshot_now.state)
        if event_data is not None or has_new_state:
            self.log(snapshot_now.log_line(snapshot_before, time.monotonic() - started))
        project = snapshot_now.state["project"]
        if project and snapshot_before.state["project"] is None:
            self._check_language(project["languages"])

    def _check_language(self, languages: Sequence[str]) -> None:
        """Log that the project has no language of that option, if so."""
        language = self.options.lang
        if languages and language not in (None, *languages):
            self.log(f"There is no language {language!r} here; the project has {', '.join(languages)}.")

    def _watch(self) -> None:
        """Request a reading after each change of a file; in the watching thread."""
        watcher = ProjectWatcher(self.root, self._stop, poll=self.options.poll, notice=self.log)
        self.changed()  # a file may have changed between the first reading and now
        for _batch in watcher:
            self.changed()

    async def _after_change(self) -> None:
        """Do what can wait until a change is served: the open card first, then pictures, then scenarios."""
        open_ids = [*self._open_digests]
        latest, others = open_ids[-1:], open_ids[:-1]
        try:
            await self.pictures.redraw_open()
            await self._report_open_cards(latest)
            for update in self.after_update:
                await update()
            await self._report_open_cards(others)
            for id in reversed(open_ids):
                await self._play_scenarios(id)
        except ApiError:  # the project is gone, or the session is closed
            return
        except Exception as error:
            self.log_bug("What follows a change failed", error)

    async def _report_open_cards(self, ids: Sequence[str]) -> None:
        """Notify pages of the cards whose details have changed since they were sent."""

        def changed_cards() -> list[str]:
            """Return the open cards whose details are not as they were."""
            changed_ids = []
            for id in ids:
                card = self._details.card(id) if self._details is not None else None
                if card is None:
                    continue
                digest = _digest(card)
                if self._open_digests.get(id) != digest:
                    self._open_digests[id] = digest
                    changed_ids.append(id)
            return changed_ids

        for id in await self.in_reader(changed_cards):
            self.publish("card", {"id": id})


def _digest(data: dict[str, Any]) -> bytes:
    return hashlib.sha256(encode_json(data)).digest()
