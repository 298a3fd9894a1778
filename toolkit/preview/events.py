"""The events of a run: numbered, kept for a while, and streamed to any number of pages."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from msgspec import Struct

from toolkit.preview.answers import encoded

MOST_KEPT = 256
MOST_BYTES = 2_000_000
"""So many events, and so many bytes of them, are kept for pages that come back."""
PAUSE = 15.0
"""Seconds after which a comment keeps a quiet stream open."""


class Event(Struct, frozen=True):
    """One event as it is sent."""

    number: int
    name: str
    text: bytes


class EventLog:
    """What has happened in a run. To be used in the thread of the event loop only."""

    def __init__(self, run: str) -> None:
        self.run = run
        self.number = 0
        self._kept: deque[Event] = deque()
        self._bytes = 0
        self._news = asyncio.Event()
        self._closed = False

    @property
    def generation(self) -> str:
        """The generation of what is served: the run and the number of the last event."""
        return f"{self.run}-{self.number}"

    def publish(self, name: str, data: Any) -> None:
        """Send an event to all streams, and keep it."""
        self.number += 1
        event = Event(self.number, name, self._text(name, data, self.number))
        self._kept.append(event)
        self._bytes += len(event.text)
        while len(self._kept) > MOST_KEPT or (self._bytes > MOST_BYTES and len(self._kept) > 1):
            self._bytes -= len(self._kept.popleft().text)
        self._wake()

    def close(self) -> None:
        """End all streams."""
        self._closed = True
        self._wake()

    async def stream(self, last: str | None, first: Any) -> AsyncIterator[bytes]:
        """The stream of a page whose last event is ``last``; ``first`` is the state for one without.

        Where events are missing, because they are of another run or too old, all is to be asked for again.
        """
        yield b"retry: 500\n\n"
        at = self._after(last)
        if at is None:
            at = self.number
            yield self._text("state", first, at)
            if last is not None:
                yield self._text("cards", {"all": True}, at)
        while True:
            news = self._news
            for event in self._since(at):
                at = event.number
                yield event.text
            if self._closed:
                yield self._text("bye", {}, at)
                return
            try:
                await asyncio.wait_for(news.wait(), PAUSE)
            except (asyncio.TimeoutError, TimeoutError):  # one since Python 3.11
                yield b": still here\n\n"

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    def _after(self, last: str | None) -> int | None:
        """The number of a page's last event, if none is missing since."""
        run, _, number = (last or "").rpartition("-")
        if run != self.run or not (number.isascii() and number.isdigit() and len(number) < 12):
            return None
        at, oldest = int(number), self._kept[0].number if self._kept else self.number + 1
        return at if oldest - 1 <= at <= self.number else None

    def _since(self, at: int) -> list[Event]:
        """The events after a number; a stream that reads too slowly is to ask for all again."""
        found = [event for event in self._kept if event.number > at]
        if found and found[0].number > at + 1:
            number = found[-1].number
            return [Event(number, "cards", self._text("cards", {"all": True}, number))]
        return found

    def _text(self, name: str, data: Any, number: int) -> bytes:
        return b"id: %s-%d\nevent: %s\ndata: %s\n\n" % (
            self.run.encode(),
            number,
            name.encode(),
            encoded(data),
        )
