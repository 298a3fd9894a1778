"""How many GAMEs are played in a second, and how fast a traced attack is, against commit 5a2281f in one run.

Run by hand: ``python -m tests.benchmarks.games``. The old commit is checked out into a worktree of its own,
and both are measured in turns, each in a process of its own; times are of the processor, so that others on
the machine count less. ``--profile`` shows where the time of random GAMEs goes.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import importlib
import json
import os
import pstats
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

BEFORE = "a5f1a3e6"
ROOT = Path(__file__).parent.parent.parent
CHUNK = 14
"""So many GAMEs are sent to a process at once."""
BUDGETS = {"random": 0.87, "greedy": 0.87, "attack": 0.87}
"""How many times as fast as before each must be: a game may take 15 % longer."""


def _first(*names: str) -> Any:
    """The first of these that there is, as ``module:name``: the two commits have other modules."""
    for name in names:
        module, _, attribute = name.partition(":")
        try:
            return getattr(importlib.import_module(f"toolkit.{module}"), attribute)
        except (ImportError, AttributeError):
            continue
    raise ImportError(names)


class Games:
    """GAMEs of the ready squads of a project through ``play_match``, as ``opforge play`` plays them, and
    attacks."""

    def __init__(self, cards: Path) -> None:
        gc.set_threshold(50_000)
        self.workspace = _first("project.pipeline:open_project", "pipeline:open_project")(cards)
        make_match = _first("play.playable_game:make_match", "project.play:make_match")
        request = _first("play.playable_game:PlayRequest", "project.play:PlayRequest")
        pairs = permutations(self.workspace.cards.squads, 2)
        self.matches = [make_match(self.workspace, request(pair), seed) for seed, pair in enumerate(pairs)]
        self.built_in = _first("engine.players:built_in")
        self.new_log = _first("engine.log:new_log")
        self.play_match = _first("engine.log:play_match")

    def play(self, number: int, blue: str) -> None:
        """One GAME against a random player."""
        match = self.matches[number % len(self.matches)]
        names = {"blue": blue, "red": "random"}
        players = {side: self.built_in(name, match.rules, f"{number} {side}") for side, name in names.items()}
        assert self.play_match(match, players, self.new_log(match, names)).verdict is not None

    def attack(self, number: int) -> None:
        """One traced and explained attack."""
        play_attack = _first("play.attack.run:play_attack", "project.attack.run:play_attack")
        request = _first("play.attack.request:AttackRequest", "project.attack.request:AttackRequest")
        operators = [card.id for card in self.workspace.cards.cards.values() if card.kind == "operator"]
        one, two = operators[number % len(operators)], operators[number * 7 % len(operators)]
        play_attack(self.workspace, request(one, two, seed=number))


def measure(what: str, cards: str, first: int, count: int, times: int) -> float:
    """How many of these in a second, each played several times; one before them is not counted."""
    games = Games(Path(cards))
    do: Callable[[int], None] = games.attack if what == "attack" else lambda n: games.play(n, what)
    do(first)
    started = time.process_time()
    for number in [*range(first, first + count)] * times:
        do(number)
    return count * times / (time.process_time() - started)


def both(what: str, before: Path, rounds: int, count: int) -> None:
    """Measure the same GAMEs or attacks in turns, and print the medians and their ratio.

    GAMEs differ in length by more than ten times, so both commits must play the same ones, with the cards of
    the old commit.
    """
    found: tuple[list[float], list[float]] = ([], [])
    for number in range(rounds):
        for results, tree, times in zip(found, (before, ROOT), (1, 4), strict=True):
            environment = {**os.environ, "PYTHONPATH": str(tree)}
            arguments = f"{what!r}, {str(before / 'cards')!r}, {number * count}, {count}, {times}"
            code = f"import json; from games import measure; print(measure({arguments}))"
            ran = subprocess.run(
                [sys.executable, "-c", code],
                cwd=Path(__file__).parent,
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            )
            results.append(json.loads(ran.stdout))
    old, new = (sorted(results)[rounds // 2] for results in found)
    print(f"{what}: {new:.1f} a second, before {old:.1f}: {new / old:.2f} times (wanted {BUDGETS[what]})")


_games: list[Games] = []
"""The GAMEs of a worker, opened once."""


def _open_games() -> None:
    _games.append(Games(ROOT / "cards"))
    _play_chunk(0)


def _play_chunk(first: int) -> tuple[int, float]:
    """The worker and the time of its processor for a chunk of random GAMEs."""
    started = time.process_time()
    for number in range(first, first + CHUNK):
        _games[0].play(number, "random")
    return os.getpid(), time.process_time() - started


def two_processes(chunks: int) -> None:
    """How much faster two processes play the same GAMEs.

    Counted is the time of the wall from the first chunk that is sent to the last that has come back; opening
    the project and the first chunk of each worker are not. On a machine that others use, too, only the time
    of the processor for a GAME tells what a second process costs.
    """
    took, costs = [], []
    for workers in (1, 2):
        with ProcessPoolExecutor(workers, initializer=_open_games) as pool:
            while len({pid for pid, _ in pool.map(_play_chunk, [0] * workers)}) < workers:
                pass
            started = time.perf_counter()
            costs.append(sum(cost for _, cost in pool.map(_play_chunk, range(0, chunks * CHUNK, CHUNK))))
            took.append(time.perf_counter() - started)
    cost = f"the time of the processor for a GAME is {costs[1] / costs[0]:.2f} times that of one process"
    print(f"two processes: {took[0] / took[1]:.2f} times one (wanted 1.8); {cost}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    if options.profile:
        games = Games(ROOT / "cards")
        profile = cProfile.Profile()
        profile.runcall(lambda: [games.play(number, "random") for number in range(20)])
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
        return
    with TemporaryDirectory() as folder:
        before = Path(folder) / "before"
        subprocess.run(["git", "worktree", "add", "--detach", str(before), BEFORE], cwd=ROOT, check=True)
        try:
            both("random", before, options.rounds, 16)
            both("greedy", before, options.rounds, 8)
            both("attack", before, options.rounds, 400)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(before)], cwd=ROOT, check=True)
    two_processes(16)


if __name__ == "__main__":
    main()
