"""``opforge simulate --cluster``, with a cluster of two workers on this machine."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("distributed", reason="pip install 'opforge[cluster]'")

from distributed import Client, LocalCluster
from msgspec.structs import replace

from tests.simulation.short_games import FOLDER, PAIR, plan, played, setup
from toolkit.apps.cli import run
from toolkit.play.simulation import simulating
from toolkit.play.simulation.cluster import Cluster
from toolkit.play.simulation.games import Chunk
from toolkit.play.simulation.simulating import play_plan
from toolkit.play.simulation.workers import WorkersLost

pytestmark = pytest.mark.filterwarnings("default")  # other people's packages have their own warnings
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    with LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as local:
        yield local.scheduler_address


@pytest.fixture(autouse=True)
def _in_project_with_small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    monkeypatch.setattr(simulating, "NUMBERS_A_CHUNK", {"random": 20, "greedy": 20})


def test_a_cluster_counts_what_this_process_counts(scheduler: str, capsys: Capture) -> None:
    command = ["simulate", "hunters", "family", "--players", "random", "--games", "200"]
    assert run([*command, "--cluster", scheduler]) == 0
    by_cluster = capsys.readouterr().out
    assert run([*command, "--jobs", "1"]) == 0
    assert capsys.readouterr().out == by_cluster


def test_a_card_is_tuned_on_a_cluster_as_by_this_process(scheduler: str, capsys: Capture) -> None:
    command = ["tune", "rain", "--target", "win=0.5", "--players", "random", "--games", "16"]
    assert run([*command, "--cluster", scheduler]) == 0
    by_cluster = capsys.readouterr().out
    assert run([*command, "--jobs", "1"]) == 0
    assert capsys.readouterr().out == by_cluster


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
def test_a_worker_that_dies_is_replaced(scheduler: str) -> None:
    cluster, many = Cluster(scheduler), plan(*PAIR, games=400)
    growing = play_plan(many, cluster)
    next(growing), next(growing)
    with Client(scheduler, set_as_default=False) as client:
        os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)
    *_, tally = growing
    cluster.close()
    assert tally.counts == played(many).counts


def test_a_worker_with_other_cards_does_not_play(scheduler: str) -> None:
    cluster = Cluster(scheduler)
    assert cluster.refusal(setup()) is None
    assert "would play other games: its cards are" in str(cluster.refusal(replace(setup(), fingerprint="0")))
    assert "would play other games: it has opforge" in str(cluster.refusal(replace(setup(), version="0")))
    cluster.close()


def test_a_cluster_that_goes_away_is_said() -> None:
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as local:
        cluster = Cluster(local.scheduler_address)
        future = cluster.submit(setup(), Chunk(PAIR, 0, 1000))
    with pytest.raises(WorkersLost, match="is gone"):
        future.result(timeout=30)
    cluster.close()


def test_a_cluster_that_is_not_there_is_said(capsys: Capture) -> None:
    command: list[Any] = ["simulate", *PAIR, "--cluster"]
    for address in ("tcp://127.0.0.1:9", "nowhere"):
        assert run([*command, address]) == 2
        assert f"There is no cluster at {address}" in capsys.readouterr().err
    assert run([*command, "nowhere", "--jobs", "2"]) == 2
    assert "--jobs is for this machine" in capsys.readouterr().err
