"""The events of a run: numbered, kept for a while, and streamed to any number of pages."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from msgspec import Struct

from toolkit.apps.preview.responses import encode_json

MAX_KEPT = 256
MAX_BYTES = 2_000_000
"""Events, and their bytes, that are kept at most for pages that reconnect."""
PAUSE = 15.0
"""Seconds after which a comment keeps a quiet stream open."""


class Event(Struct, frozen=True):
    """One event as it is sent."""

    number: int
    name: str
    frame: bytes


class EventLog:
    """The events of a run, and their streams. For the thread of the event loop only."""

    def __init__(self, run: str) -> None:
        self.run = run
        self.number = 0
        self._kept: deque[Event] = deque()  # the latest, for pages that reconnect
        self._bytes = 0  # of the events that are kept
        self._published = asyncio.Event()
        self._closed = False

    @property
    def generation(self) -> str:
        """The state that is served: the run and the number of its last event."""
        return f"{self.run}-{self.number}"

    def publish(self, name: str, data: Any) -> None:
        """Send an event to all streams, and keep it."""
        self.number += 1
        event = Event(self.number, name, self._frame(name, data, self.number))
        self._kept.append(event)
        self._bytes += len(event.frame)
        while len(self._kept) > MAX_KEPT or (self._bytes > MAX_BYTES and len(self._kept) > 1):
            self._bytes -= len(self._kept.popleft().frame)
        self._wake()

    def close(self) -> None:
        """End all streams."""
        self._closed = True
        self._wake()

    async def stream(self, last_id: str | None, state: Any) -> AsyncIterator[bytes]:
        """Yield the event stream of a page.

        ``last_id`` is the id of the last event that the page has; without one it gets the ``state`` first.
        Where events in between are not kept any more, the page is sent to ask for all cards again.
        """
        yield b"retry: 500\n\n"
        last_number = self._resume_after(last_id)
        if last_number is None:
            last_number = self.number
            yield self._frame("state", state, last_number)
            if last_id is not None:
                yield self._frame("cards", {"all": True}, last_number)
        while True:
            published = self._published
            for event in self._events_after(last_number):
                last_number = event.number
                yield event.frame
            if self._closed:
                yield self._frame("bye", {}, last_number)
                return
            try:
                await asyncio.wait_for(published.wait(), PAUSE)
            except (asyncio.TimeoutError, TimeoutError):  # one since Python 3.11
                yield b": still here\n\n"

    def _wake(self) -> None:
        # An event of its own for each round: one that is cleared again may be missed by a slow stream.
        published, self._published = self._published, asyncio.Event()
        published.set()

    def _resume_after(self, last_id: str | None) -> int | None:
        """Return the number of a page's last event, or None if later ones are not all kept."""
        run, _, number = (last_id or "").rpartition("-")
        if run != self.run or not (number.isascii() and number.isdigit() and len(number) < 12):
            return None
        last_number = int(number)
        numbers_after = range(last_number + 1, self.number + 1)
        are_kept = len(self._kept) >= len(numbers_after)  # those that are kept are the latest
        return last_number if last_number <= self.number and are_kept else None

    def _events_after(self, last_number: int) -> list[Event]:
        """Return the events after a number; to a stream that fell behind, that all cards have changed."""
        events_after = [event for event in self._kept if event.number > last_number]
        has_missed_some = self.number > last_number + len(events_after)
        if has_missed_some:
            return [Event(self.number, "cards", self._frame("cards", {"all": True}, self.number))]
        return events_after

    def _frame(self, name: str, data: Any, number: int) -> bytes:
        """Return an event in the form in which browsers read it (Server-Sent Events)."""
        return b"id: %s-%d\nevent: %s\ndata: %s\n\n" % (
            self.run.encode(),
            number,
            name.encode(),
            encode_json(data),
        )
