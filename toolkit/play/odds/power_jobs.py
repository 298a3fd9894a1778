"""Measuring many cards in several processes, each of which reads the project from the texts of its files."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor

from toolkit.data.model import Card
from toolkit.play.odds.power import CardPower, Measuring, PowerRequest, measuring_in
from toolkit.play.simulation.games import project_of, project_texts
from toolkit.play.simulation.workers import begin_process
from toolkit.project.pipeline import Workspace

FEWEST_CARDS = 12
"""Of so many cards or more each process measures a share: with fewer it takes longer to begin one."""


def powers_in_processes(
    workspace: Workspace, request: PowerRequest, jobs: int, cards: Sequence[Card]
) -> Iterator[CardPower] | None:
    """Return what cards add; None if there are too few of them, or if one process is enough."""
    jobs = min(jobs, len(cards) // FEWEST_CARDS)
    return None if jobs < 2 else _measured_in(workspace, request, jobs, cards)


def _measured_in(
    workspace: Workspace, request: PowerRequest, jobs: int, cards: Sequence[Card]
) -> Iterator[CardPower]:
    context, begin_with = multiprocessing.get_context("spawn"), (project_texts(workspace), request)
    pool = ProcessPoolExecutor(jobs, context, _begin, (str(workspace.root), *begin_with))
    try:
        yield from pool.map(_power_of, [card.id for card in cards])
    finally:
        pool.shutdown(cancel_futures=True)


_measuring: list[tuple[Workspace, Measuring]] = []
"""What a process of the pool measures with, one entry that is there from its beginning on."""


def _begin(root: str, texts: tuple[tuple[str, str], ...], request: PowerRequest) -> None:
    """Prepare a process of the pool: it reads the project once for all cards."""
    begin_process()
    workspace = project_of(root, texts)
    measuring = measuring_in(workspace, request)
    assert isinstance(measuring, Measuring), "it was measured before"
    _measuring.append((workspace, measuring))


def _power_of(card: str) -> CardPower:
    ((workspace, measuring),) = _measuring
    return measuring.power_of(workspace.cards.cards[card])
