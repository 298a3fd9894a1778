"""The stream of events: nothing that a page has missed is missing, and what is kept is bounded."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.apps.preview import page_events
from toolkit.apps.preview.page_events import EventLog

FIRST = {"stage": "ready"}


async def taken(stream: AsyncIterator[bytes]) -> list[tuple[str, int, Any]]:
    """All events of a stream that ends: name, number, data."""
    text = b"".join([piece async for piece in stream]).decode()
    found = re.findall(r"id: \w+-(\d+)\nevent: (\w+)\ndata: (.*)\n\n", text)
    assert text.startswith("retry: 500\n\n")
    return [(name, int(number), json.loads(data)) for number, name, data in found]


def filled(number: int) -> EventLog:
    log = EventLog("run")
    for at in range(1, number + 1):
        log.publish("card", {"at": at})
    return log


@given(st.integers(0, 600), st.integers(0, 700))
def test_a_page_gets_all_it_missed_or_asks_for_all(number: int, last: int) -> None:
    async def come_back() -> list[tuple[str, int, Any]]:
        log = filled(number)
        log.close()
        return await taken(log.stream(f"run-{last}", FIRST))

    *found, bye = asyncio.run(come_back())
    assert bye == ("bye", number, {})
    if number - page_events.MAX_KEPT <= last <= number:
        assert found == [("card", at, {"at": at}) for at in range(last + 1, number + 1)]
    else:
        assert found == [("state", number, FIRST), ("cards", number, {"all": True})]


@pytest.mark.parametrize(
    "last",
    ["other-3", "run", "run-", "-3", "run--3", "run-x", "run-3 ", "run-٣", "run-" + "9" * 5000, "x" * 9999],
)
def test_a_last_event_that_is_none_of_this_run(last: str) -> None:
    async def come_back() -> list[tuple[str, int, Any]]:
        log = filled(5)
        log.close()
        return await taken(log.stream(last, FIRST))

    assert [name for name, _, _ in asyncio.run(come_back())] == ["state", "cards", "bye"]


def test_a_new_page_gets_the_state_and_what_follows() -> None:
    async def follow() -> list[tuple[str, int, Any]]:
        log = filled(5)
        stream = asyncio.create_task(taken(log.stream(None, FIRST)))
        await asyncio.sleep(0)
        for at in range(6, 9):
            log.publish("card", {"at": at})
            await asyncio.sleep(0)
        log.close()
        return await stream

    found = asyncio.run(follow())
    assert [(name, number) for name, number, _ in found] == [
        *(("state", 5), ("card", 6), ("card", 7), ("card", 8), ("bye", 8))
    ]


def test_a_page_that_reads_too_slowly_asks_for_all() -> None:
    async def follow() -> list[str]:
        log = filled(1)
        stream = log.stream("run-1", FIRST)
        assert await anext(stream) == b"retry: 500\n\n"
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        for at in range(page_events.MAX_KEPT * 2):
            log.publish("card", {"at": at})
        first = await waiting
        log.close()
        rest = [piece async for piece in stream]
        return [piece.decode().split("\n")[1] for piece in (first, *rest)]

    assert asyncio.run(follow()) == ["event: cards", "event: bye"]


def test_what_is_kept_is_bounded_by_number_and_size() -> None:
    log = EventLog("run")
    for _ in range(50):
        log.publish("cards", {"rows": ["x" * 100_000]})
    assert sum(len(event.frame) for event in log._kept) <= page_events.MAX_BYTES
    for at in range(page_events.MAX_KEPT * 3):
        log.publish("card", {"at": at})
    assert len(log._kept) == page_events.MAX_KEPT
    log.publish("cards", {"rows": ["x" * 3 * page_events.MAX_BYTES]})
    assert len(log._kept) == 1


def test_a_quiet_stream_is_kept_open_by_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_events, "PAUSE", 0.01)

    async def wait() -> bytes:
        log = EventLog("run")
        stream = log.stream("run-0", FIRST)
        pieces = [await anext(stream), await anext(stream)]
        log.close()
        return pieces[-1]

    assert asyncio.run(wait()) == b": still here\n\n"


def test_line_ends_and_odd_characters_cannot_end_an_event() -> None:
    async def sent() -> list[tuple[str, int, Any]]:
        log = EventLog("run")
        log.publish("card", {"id": "a\n\nevent: bye\r\n\u2028\ud800"})
        log.close()
        return await taken(log.stream("run-0", FIRST))

    assert asyncio.run(sent())[0] == ("card", 1, {"id": "a\n\nevent: bye\r\n\u2028\ud800"})
