"""A project that is served: read in one thread, drawn in another, with its state and its events."""

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

from toolkit.preview.answers import Refused
from toolkit.preview.events import EventLog
from toolkit.preview.snapshot import PreviewOptions, Snapshot, difference, starting

if TYPE_CHECKING:
    from toolkit.pipeline import Workspace
    from toolkit.project.live_project import LiveProject

P = ParamSpec("P")
T = TypeVar("T")

_ENDED = "The preview has ended."


class ServedProject:
    """What the parts of a session share.

    ``after_update`` are run one after the other when a change has been read and reported; the next change
    cancels what has not been done by then. ``on_close`` are run once, at the end.
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
        self.snapshot: Snapshot = starting(root, self.options)
        self.after_update: list[Callable[[], Awaitable[None]]] = []
        self.on_close: list[Callable[[], object]] = []
        self._whole = self.snapshot
        self._marked: frozenset[str] | None = None
        self._unprinted: frozenset[str] = frozenset()
        self._project: LiveProject | None = None
        self._reader = ThreadPoolExecutor(1, "read")
        self._drawer = ThreadPoolExecutor(1, "draw")
        self._stop = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: asyncio.Future[None] | None = None

    @property
    def generation(self) -> str:
        """The generation of what is served."""
        return self.events.generation

    @property
    def is_in_place(self) -> bool:
        """Whether the folder is the one that was to be shown: no link to another has taken its place."""
        return os.path.realpath(self.root) == self._real_root

    async def reading(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in the one thread that reads the project and everything that depends on it."""
        return await self._in(self._reader, lambda: function(*args, **kwargs))

    async def drawing(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in the one thread that draws."""
        return await self._in(self._drawer, lambda: function(*args, **kwargs))

    async def _in(self, thread: ThreadPoolExecutor, function: Callable[[], T]) -> T:
        if self._stop.is_set():
            raise Refused(503, _ENDED)
        done = asyncio.get_running_loop().run_in_executor(thread, function)
        if self._ended is not None:  # what is under way would hold up Ctrl-C
            either: tuple[asyncio.Future[Any], ...] = (done, self._ended)
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not done.done():
                raise Refused(503, _ENDED)
        return await done

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
        return self.project.current

    def address_of(self, *parts: bytes) -> str:
        """The digest of some content, keyed with the token: who knows it may see the content."""
        digest = hmac.new(self.token.encode(), digestmod=hashlib.sha256)
        for part in parts:
            digest.update(len(part).to_bytes(8, "big") + part)
        return digest.hexdigest()[:32]

    def mark_changed(self, ids: frozenset[str] | None) -> None:
        """Mark the cards that have changed since the revision of ``--since``; in the event loop only."""
        self._marked = ids
        self._mark()

    def mark_unprinted(self, ids: frozenset[str]) -> None:
        """Mark the cards that cannot be printed; in the event loop only."""
        self._unprinted = ids
        self._mark()

    def _mark(self) -> None:
        before, self.snapshot = self.snapshot, self.snapshot.with_marks(self._marked, self._unprinted)
        news = difference(before, self.snapshot, self._whole)
        if news is not None:
            self.publish("cards", news)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
