"""Chunks of games on other machines, by Dask; imported only for ``--cluster``, because it takes a second.

Its address comes from the command line only. Whoever runs the scheduler or a worker there can run programs
as each other's user: a cluster must be trusted.
"""

from __future__ import annotations

import logging
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Any

from distributed import Client, KilledWorker

from toolkit.play.simulation.games import Chunk, Counts, GameSetup, OtherCards, play_chunk, table_of
from toolkit.play.simulation.workers import WorkersLost

TIMEOUT = 5
"""Seconds until a cluster that does not answer is not there."""
RETRIES = 3
MOST_FAILURES = 10
"""So many workers may die with a chunk before it is taken for the reason."""


class Cluster:
    """Plays chunks on the workers of a Dask scheduler. ``NoCluster`` if it cannot."""

    def __init__(self, address: str) -> None:
        self.address = address
        for logger in ("distributed", "distributed.client"):  # what they log is said in a sentence
            logging.getLogger(logger).setLevel(logging.CRITICAL)
        try:
            self._client: Any = Client(address, timeout=TIMEOUT, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise NoCluster(f"There is no cluster at {address}: {error}") from None
        self.slots = 2 * len(self._client.scheduler_info(n_workers=-1)["workers"])
        if not self.slots:
            self.close()
            raise NoCluster(f"The cluster at {address} has no workers.")
        # a function without a name is sent as it is: the scheduler need not have opforge
        self._client.run_on_scheduler(
            lambda dask_scheduler: setattr(
                dask_scheduler, "allowed_failures", max(dask_scheduler.allowed_failures, MOST_FAILURES)
            )
        )
        self._executor = self._client.get_executor(retries=RETRIES, pure=False)

    def refusal(self, setup: GameSetup) -> str | None:
        """Return why a worker would not play the same games: it has another opforge, or other cards."""
        answers = self._client.run(difference, setup, on_error="return")
        for worker, answer in answers.items():
            if isinstance(answer, ModuleNotFoundError):
                return f"The worker {worker} has no opforge: {answer}."
            if answer is not None:
                return f"The worker {worker} would play other games: {answer}."
        return None

    def submit(self, setup: GameSetup, chunk: Chunk) -> Future[Counts]:
        """Send a chunk to a worker."""
        future: Future[Counts] = Future()
        sent = self._executor.submit(play_alone, setup, chunk)
        sent.add_done_callback(partial(self._pass_on, future))
        return future

    def _pass_on(self, future: Future[Counts], sent: Future[Counts]) -> None:
        """Give what a task of the cluster returns, or how it ended, to the future that waits here."""
        try:
            future.set_result(sent.result())
        except CancelledError:  # nobody cancels one but a client that has lost its scheduler
            future.set_exception(WorkersLost(f"The cluster at {self.address} is gone."))
        except KilledWorker as error:
            future.set_exception(WorkersLost(f"The workers at {self.address} die again and again: {error}"))
        except Exception as error:
            future.set_exception(error)

    def close(self) -> None:
        """Leave the cluster; what it plays is cancelled."""
        with suppress(Exception):  # a cluster that is gone cannot be left
            self._client.close(timeout=TIMEOUT)


class NoCluster(Exception):
    """There is no cluster at an address, or none that can play; the message says why."""


_PLAYING = Lock()
"""A worker with several threads plays one chunk after the other: what rules remember is not made for more."""


def play_alone(setup: GameSetup, chunk: Chunk) -> Counts:
    """Play a chunk while no other thread of this process plays."""
    with _PLAYING:
        return play_chunk(setup, chunk)


def difference(setup: GameSetup) -> str | None:
    """Return in what this process would play other games than a setup."""
    try:
        with _PLAYING:
            table_of(setup)
    except OtherCards as error:
        return str(error)
    return None
