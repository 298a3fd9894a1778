"""A project that is previewed: kept up to date, read in one thread, drawn in another, with its events."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from toolkit.preview.answers import Refused
from toolkit.preview.events import EventLog
from toolkit.preview.snapshot import PreviewOptions, Snapshot, difference, starting
from toolkit.project.watching import HALF_SAVED, ProjectWatcher
from toolkit.source.paths import PROJECT_FILE

if TYPE_CHECKING:
    from toolkit.pipeline import Workspace
    from toolkit.project.live_project import LiveProject

P = ParamSpec("P")
T = TypeVar("T")

_PAUSE = 0.3
"""Seconds between two looks for a project where there is none."""


def _quiet(line: str) -> None:
    del line


class Session:
    """One run of the preview of a project.

    ``after_update`` are run one after the other when a change has been read and reported; the next change
    cancels what has not been done by then.
    """

    def __init__(
        self,
        root: Path,
        options: PreviewOptions | None = None,
        token: str | None = None,
        log: Callable[[str], None] = _quiet,
    ) -> None:
        self.root, self.log = root, log
        self.options = options or PreviewOptions()
        self.token = token or secrets.token_urlsafe(32)
        self.port = 0
        self.events = EventLog(secrets.token_hex(4))
        self.snapshot: Snapshot = starting(root, self.options)
        self.after_update: list[Callable[[], Awaitable[None]]] = []
        self._reader = ThreadPoolExecutor(1, "read")
        self._drawer = ThreadPoolExecutor(1, "draw")
        self._project: LiveProject | None = None
        self._good: Workspace | None = None
        self._changed = asyncio.Event()
        self._stop = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None

    # for routes

    @property
    def generation(self) -> str:
        """The generation of what is served."""
        return self.events.generation

    async def reading(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in the one thread that reads the project and everything that depends on it."""
        return await self._in(self._reader, lambda: function(*args, **kwargs))

    async def drawing(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in the one thread that draws."""
        return await self._in(self._drawer, lambda: function(*args, **kwargs))

    async def _in(self, thread: ThreadPoolExecutor, function: Callable[[], T]) -> T:
        if self._stop.is_set():
            raise Refused(503, "The preview has ended.")
        return await asyncio.get_running_loop().run_in_executor(thread, function)

    def publish(self, name: str, data: object) -> None:
        """Send an event to all pages; from any thread."""
        loop = self._loop
        if loop is None or loop is _running_loop():
            self.events.publish(name, data)
        else:
            loop.call_soon_threadsafe(self.events.publish, name, data)

    @property
    def project(self) -> LiveProject:
        """The project, in the reading thread only. Raises ``Refused`` where there is none."""
        if self._project is None:
            raise Refused(404, f"There is no project in {self.root}.")
        return self._project

    @property
    def workspace(self) -> Workspace:
        """The project as it stands, in the reading thread only; without the entries that are broken."""
        found = self.project.workspace
        assert found is not None, "a project is read when it is opened"
        return found

    @property
    def good_workspace(self) -> Workspace:
        """The same as it was when no card was broken or torn, if it ever was."""
        return self._good or self.workspace

    def address_of(self, *parts: bytes) -> str:
        """The digest of some content, keyed with the token: who knows it may see the content."""
        digest = hmac.new(self.token.encode(), digestmod=hashlib.sha256)
        for part in parts:
            digest.update(len(part).to_bytes(8, "big") + part)
        return digest.hexdigest()[:32]

    # the life of the session

    async def run(self) -> None:
        """Read the project, then again after each change, until the session is closed."""
        self._loop = asyncio.get_running_loop()
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
            now = await self.reading(self._read)
            lost = now.lost_since(self.snapshot)
            if lost and lost_at is None:
                lost_at = time.monotonic()
            if lost and lost_at is not None and time.monotonic() < lost_at + HALF_SAVED:
                now = now.with_rows_of(self.snapshot, lost)
            else:
                lost_at = None
            self._show(now, begun)
            followed = asyncio.create_task(self._follow())

    def close(self) -> None:
        """End all streams and both threads. What they are doing is not waited for."""
        self._stop.set()
        self._changed.set()
        self.events.close()
        for thread in (self._reader, self._drawer):
            thread.shutdown(wait=False, cancel_futures=True)

    def changed(self) -> None:
        """Have the project read again; from any thread."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed.set)

    def _read(self) -> Snapshot:
        """Read what has changed; in the reading thread."""
        from toolkit.preview.snapshot import project_snapshot

        if not (self.root / PROJECT_FILE).is_file():
            self._project = self._good = None
            return starting(self.root, self.options, "no-project")
        if self._project is None:
            from toolkit.data.project_files import FolderReader
            from toolkit.project.declared_words import check_words
            from toolkit.project.live_project import LiveProject

            check_words()
            self._project = LiveProject(self.root, FolderReader(self.root))
        before = self._project.workspace
        self._project.read()
        now = project_snapshot(self._project, self.options, self.snapshot, before)
        if not now.last_good:
            self._good = self._project.workspace
        return now

    def _show(self, now: Snapshot, begun: float) -> None:
        before, self.snapshot = self.snapshot, now
        news = difference(before, now)
        if news is not None:
            self.publish("cards", news)
        if now.state != before.state:
            self.publish("state", now.state)
        if news is not None or now.state != before.state:
            self.log(now.line(before, time.monotonic() - begun))

    def _watch(self) -> None:
        """Have the project read again after each change of its files; in the watching thread."""
        while not (self.root / PROJECT_FILE).is_file():  # not watched before: it may be large, and all else
            if self._stop.wait(_PAUSE):
                return
        for _ in chain([()], ProjectWatcher(self.root, self._stop, poll=self.options.poll, notice=self.log)):
            self.changed()

    async def _follow(self) -> None:
        for function in self.after_update:
            await function()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
