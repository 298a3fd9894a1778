"""Where chunks of games are played: in this process or in several; and what happens if one of them dies.

Anything with ``submit`` and ``slots`` can play them (``cluster`` has other machines).
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from threading import Thread
from typing import Protocol

from msgspec import Struct

from toolkit.play.simulation.games import Chunk, Counts, GameSetup, play_chunk
from toolkit.source.short_repr import PublicValue

MOST_LOSSES = 3
"""So often a chunk is sent again when its process has died; then it is taken for the reason."""


class Workers(Protocol):
    """What plays chunks of games; ``slots`` are those that it holds at the same time, waiting ones too."""

    slots: int

    def submit(self, setup: GameSetup, chunk: Chunk) -> Future[Counts]:
        """Begin to play a chunk, and return its counts when they are there."""

    def close(self) -> None:
        """Stop at once, whatever is being played."""


class WorkersLost(Exception):
    """Nobody is left to play; the message says why."""


class ThisProcess:
    """Plays each chunk at once."""

    slots = 1

    def submit(self, setup: GameSetup, chunk: Chunk) -> Future[Counts]:
        """Play a chunk."""
        future: Future[Counts] = Future()
        future.set_result(play_chunk(setup, chunk))
        return future

    def close(self) -> None:
        """Nothing is left to stop."""


class LocalProcesses:
    """A pool of processes, built anew when one of them dies.

    They are spawned on every system: what a forked process inherits is different on each.
    """

    def __init__(self, jobs: int) -> None:
        self.jobs, self.slots = jobs, 2 * jobs  # one waits behind each that is played
        self._earlier_children = {*multiprocessing.active_children()}
        self._pool = self._new_pool()

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self.jobs, multiprocessing.get_context("spawn"), begin_process)

    def submit(self, setup: GameSetup, chunk: Chunk) -> Future[Counts]:
        """Send a chunk to the next free process."""
        with _without_interrupts():  # which processes of the pool inherit
            try:
                return self._pool.submit(play_chunk, setup, chunk)
            except BrokenExecutor:
                self._pool.shutdown(wait=False)
                self._pool = self._new_pool()
                return self._pool.submit(play_chunk, setup, chunk)

    def close(self) -> None:
        """Stop all processes, and wait for the pool's own thread: at exit it would find its pipe closed."""
        for process in {*multiprocessing.active_children()} - self._earlier_children:
            process.terminate()
        self._pool.shutdown(cancel_futures=True)


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Let a Ctrl-C wait until the end; on Windows, which cannot, a process that is starting may print it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def begin_process() -> None:
    """Prepare a process of the pool: Ctrl-C is for the one that waits for it, without which it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(50_000)  # a game leaves little garbage, and the rules stay
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def local_workers(jobs: int) -> Workers:
    """Return what plays on this machine with so many processes."""
    return LocalProcesses(jobs) if jobs > 1 else ThisProcess()


def core_count() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Task(PublicValue, Struct, frozen=True):
    """A chunk with what it is played with, of which ``version`` is the number in the plan."""

    version: int
    setup: GameSetup
    chunk: Chunk


def play_all(tasks: Iterable[Task], workers: Workers) -> Iterator[tuple[Task, Counts]]:
    """Yield each task with its counts as soon as it is played; tasks are taken as workers become free.

    A task whose process has died is sent again. ``WorkersLost`` if that does not help.
    """
    coming, lost_tasks = iter(tasks), deque[Task]()
    losses: dict[Task, int] = {}
    playing: dict[Future[Counts], Task] = {}
    while True:
        while len(playing) < workers.slots:
            task = lost_tasks.popleft() if lost_tasks else next(coming, None)
            if task is None:
                break
            future = workers.submit(task.setup, task.chunk)
            playing[future] = task
        if not playing:
            return
        done = wait(playing, return_when=FIRST_COMPLETED).done
        for future in [future for future in playing if future in done]:  # in the order of the tasks
            task = playing.pop(future)
            try:
                counts = future.result()
            except BrokenExecutor as error:
                losses[task] = losses.get(task, 0) + 1
                if losses[task] > MOST_LOSSES:
                    raise WorkersLost(
                        f"The processes that play {' against '.join(task.chunk.pair)} die again and again."
                    ) from error
                lost_tasks.append(task)
                continue
            yield task, counts
