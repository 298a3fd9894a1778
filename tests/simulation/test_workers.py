"""Where chunks are played does not matter, nor that a process dies meanwhile."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import active_children

import pytest

from tests.simulation.short_games import plan, played
from tests.thoroughness import THOROUGH
from toolkit.play.simulation import simulating
from toolkit.play.simulation.games import Chunk, Counts, GameSetup, play_chunk
from toolkit.play.simulation.simulating import Plan, Tally, play_plan
from toolkit.play.simulation.workers import (
    LocalProcesses,
    ThisProcess,
    WorkersLost,
    core_count,
    local_workers,
)


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulating, "NUMBERS_A_CHUNK", {"random": 4})


class Unreliable(ThisProcess):
    """Loses each chunk so many times before it plays it."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.slots = 3
        self.lost: list[Chunk] = []

    def submit(self, setup: GameSetup, chunk: Chunk) -> Future[Counts]:
        if self.lost.count(chunk) < self.times:
            self.lost.append(chunk)
            future: Future[Counts] = Future()
            future.set_exception(BrokenProcessPool("killed"))
            return future
        return super().submit(setup, chunk)


def small_plan() -> Plan:
    return plan("hunters", "family", "diggers", games=20)


def test_a_lost_chunk_is_sent_again_until_it_must_be_the_reason() -> None:
    workers = Unreliable(3)
    assert played(small_plan(), workers).counts == played(small_plan()).counts
    assert workers.lost
    with pytest.raises(WorkersLost, match="die again and again"):
        played(small_plan(), Unreliable(4))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.skipif(not THOROUGH, reason="it starts four processes")
def test_processes_count_what_this_one_counts_also_if_one_is_killed() -> None:
    children_before = {*active_children()}
    workers = LocalProcesses(2)
    plan_of_many = plan("hunters", "family", "diggers", games=240)
    growing = play_plan(plan_of_many, workers)
    next(growing), next(growing)
    os.kill(next(iter({*active_children()} - children_before)).pid or 0, signal.SIGKILL)
    *_, tally = growing
    workers.close()
    assert tally.counts == played(plan_of_many).counts
    assert {*active_children()} - children_before == set()


def test_one_job_needs_no_process() -> None:
    assert isinstance(local_workers(1), ThisProcess)
    assert core_count() >= 1


def test_sums_are_those_of_chunks_in_order_whenever_they_come() -> None:
    tasks = list(small_plan().tasks())
    chunks = [(task, play_chunk(task.setup, task.chunk)) for task in tasks]
    backwards = Tally(small_plan())
    for task, counts in reversed(chunks):
        assert not backwards.is_finished
        backwards.add(task, counts)
    assert backwards.is_finished
    assert backwards.counts == played(small_plan()).counts


def _with_width(width: float) -> Plan:
    return plan("hunters", "family", games=800, until_width=width)


def test_until_a_width_games_end_at_the_same_place_whatever_was_played_beyond() -> None:
    tally = played(_with_width(0.5))
    counts = tally.total()
    assert tally.is_finished
    assert 8 < counts.games < 800
    assert tally.pair_rate(("hunters", "family")).width <= 0.5
    eager = Tally(_with_width(0.5))
    tasks = [task for task in _with_width(0.5).tasks() if task.chunk.first <= counts.games]
    for task in reversed(tasks):
        eager.add(task, play_chunk(task.setup, task.chunk))
    assert eager.counts == tally.counts


def test_what_is_played_already_is_not_played_again() -> None:
    first, *_ = tasks = list(small_plan().tasks())
    known = [(task, play_chunk(task.setup, task.chunk)) for task in tasks[1:]]
    sent: list[Chunk] = []

    class Listed(ThisProcess):
        def submit(self, setup: GameSetup, chunk: Chunk) -> Future[Counts]:
            sent.append(chunk)
            return super().submit(setup, chunk)

    *_, tally = play_plan(small_plan(), Listed(), known)
    assert sent == [first.chunk]
    assert tally.counts == played(small_plan()).counts


def test_a_simulation_may_be_left_at_any_time() -> None:
    growing: Iterator[Tally] = play_plan(small_plan(), ThisProcess())
    assert next(growing).total().games == 0
    tally = next(growing)
    assert not tally.is_finished
    assert tally.total().games > 0
