"""What the parts of a session share: its two threads, its state, its events."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import secrets
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from toolkit.apps.preview.page_events import EventLog
from toolkit.apps.preview.responses import ApiError
from toolkit.apps.preview.snapshot import PreviewOptions, Snapshot, cards_event, initial_snapshot

if TYPE_CHECKING:
    from toolkit.project.live_project import LiveProject
    from toolkit.project.pipeline import Workspace

P = ParamSpec("P")
T = TypeVar("T")

_ENDED = "The preview has ended."


class ServedProject:
    """The base of a session, which its parts use: they must not depend on each other.

    The project is read in one thread and drawn in another: neither it nor PDFium may be used by two threads.
    ``after_update`` are run one after the other when a change has been read and reported; the next change
    cancels those that are still to be run. ``on_close`` are run once, at the end.
    """

    def __init__(
        self, root: Path, options: PreviewOptions | None, token: str | None, log: Callable[[str], None]
    ) -> None:
        self.root, self.log = root, log
        self._real_root = os.path.realpath(root)
        self.options = options or PreviewOptions()
        self.token = token or secrets.token_urlsafe(32)
        self.port = 0
        self.events = EventLog(secrets.token_hex(4))
        self.snapshot: Snapshot = initial_snapshot(root, self.options)
        self.after_update: list[Callable[[], Awaitable[None]]] = []
        self.on_close: list[Callable[[], object]] = []
        self._last_whole = self.snapshot
        self._changed_ids: frozenset[str] | None = None
        self._unprinted_ids: frozenset[str] = frozenset()
        self._project: LiveProject | None = None
        self._reader = ThreadPoolExecutor(1, "read")
        self._renderer = ThreadPoolExecutor(1, "draw")
        self._stop = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: asyncio.Future[None] | None = None

    @property
    def generation(self) -> str:
        """The state that is served, as in the event log."""
        return self.events.generation

    @property
    def is_same_folder(self) -> bool:
        """Whether the folder is still the one of the start, and not replaced by a link to another."""
        return os.path.realpath(self.root) == self._real_root

    async def in_reader(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in the one thread that reads the project and everything that depends on it."""
        return await self._run_in(self._reader, lambda: function(*args, **kwargs))

    async def in_renderer(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in the one thread that draws."""
        return await self._run_in(self._renderer, lambda: function(*args, **kwargs))

    async def _run_in(self, thread: ThreadPoolExecutor, function: Callable[[], T]) -> T:
        """Return what a function returns in a thread; refused once the preview ends."""
        if self._stop.is_set():
            raise ApiError(503, _ENDED)
        future = asyncio.get_running_loop().run_in_executor(thread, function)
        if self._ended is not None:  # a function that is running would hold up Ctrl-C
            futures: tuple[asyncio.Future[Any], ...] = (future, self._ended)
            await asyncio.wait(futures, return_when=asyncio.FIRST_COMPLETED)
            if not future.done():
                raise ApiError(503, _ENDED)
        return await future

    def log_bug(self, task: str, error: Exception) -> None:
        """Log an exception that nobody expected."""
        self.log(f"{task}: {type(error).__name__}: {error}. This is a bug in opforge, not in your cards.")

    def publish(self, name: str, data: object) -> None:
        """Send an event to all pages; from any thread."""
        loop = self._loop
        if loop is None or loop is _running_loop():
            self.events.publish(name, data)
        else:
            loop.call_soon_threadsafe(self.events.publish, name, data)

    @property
    def project(self) -> LiveProject:
        """The project, in the reading thread only. Raises ``ApiError`` where there is none."""
        if self._project is None:
            raise ApiError(404, f"There is no project in {self.root}.")
        return self._project

    @property
    def workspace(self) -> Workspace:
        """The project as it was last read, without broken entries. In the reading thread only."""
        return self.project.current

    def keyed_digest(self, *parts: bytes) -> str:
        """Return a digest of some content that only who has the token can know: the address of a picture."""
        digest = hmac.new(self.token.encode(), digestmod=hashlib.sha256)
        for content in parts:
            digest.update(len(content).to_bytes(8, "big") + content)
        return digest.hexdigest()[:32]

    def mark_changed(self, ids: frozenset[str] | None) -> None:
        """Mark the cards that have changed since the revision of ``--since``; in the event loop only."""
        self._changed_ids = ids
        self._mark()

    def mark_unprinted(self, ids: frozenset[str]) -> None:
        """Mark the cards that cannot be printed; in the event loop only."""
        self._unprinted_ids = ids
        self._mark()

    def _mark(self) -> None:
        """Serve the snapshot with the marks as they are now, and notify pages."""
        snapshot_before = self.snapshot
        self.snapshot = snapshot_before.with_marks(self._changed_ids, self._unprinted_ids)
        event_data = cards_event(snapshot_before, self.snapshot, self._last_whole)
        if event_data is not None:
            self.publish("cards", event_data)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop that calls this; None in a thread without one."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
