"""How many whole GAMEs are played in a second on one core.

Random against random on the table (``engine.swift``) and through the reference interpreter, and greedy
against random. Run by hand: ``python -m tests.benchmarks.games``. Times are of the processor, so that others
on the machine count little, and garbage is collected as seldom as in the command. ``--profile`` shows where
the time of GAMEs on the table goes, ``--reference`` where that of the others goes.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import pstats
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

from toolkit.__main__ import NEW_OBJECTS
from toolkit.engine.fast.attack import FastPath
from toolkit.engine.log import Match, new_log
from toolkit.engine.players import GreedyPlayer, RandomPlayer
from toolkit.engine.recording import play_match
from toolkit.engine.rules import Rules
from toolkit.engine.swift.games import SwiftMatch, swift_match
from toolkit.play import Unplayable, Wish, make_match
from toolkit.resources import cards_folder
from toolkit.workspace import Workspace, open_project

BUDGET = 300
"""GAMEs a second (DESIGN.md, "Budgets")."""


def matches(workspace: Workspace) -> list[Match]:
    """A match of every pair of different squads, under one set of rules."""
    found: list[Match] = []
    rules: Rules | None = None
    for seed, pair in enumerate(permutations(workspace.cards.squads, 2)):
        made = make_match(workspace, Wish(pair), seed)
        assert not isinstance(made, Unplayable), made
        rules = rules or made.rules
        found.append(Match(rules, made.blue, made.red, seed))
    return found


def play(match: Match, path: FastPath | None = None) -> tuple[int, int]:
    """One GAME through the reference; its ACTIONs and ROUNDs. With a path blue is greedy."""
    blue = RandomPlayer(f"{match.seed} blue") if path is None else GreedyPlayer(match.rules, path)
    log = new_log(match, {"blue": "blue", "red": "red"})
    ending = play_match(match, {"blue": blue, "red": RandomPlayer(f"{match.seed} red")}, log)
    assert ending.verdict is not None
    return sum(line.get("decision") == "action" for line in log.lines), ending.state.round


def measure(name: str, found: list[Match], path: FastPath | None = None) -> float:
    """Play them through the reference; GAMEs a second."""
    play(found[0], path)
    started = time.process_time()
    played = [play(match, path) for match in found]
    seconds = time.process_time() - started
    actions, rounds = (sum(column) / len(played) for column in zip(*played, strict=True))
    each = seconds / len(found)
    print(
        f"{name}: {1 / each:.1f} GAMEs a second, {each * 1000:.1f} ms each "
        f"({actions:.0f} ACTIONs in {rounds:.1f} ROUNDs, {each / actions * 1e6:.0f} µs an ACTION)"
    )
    return 1 / each


def measure_swift(found: list[Match], rounds: int) -> float:
    """Play so many GAMEs of each match on the table; GAMEs a second, compiling left out."""
    started = time.process_time()
    compiled = [swift_match(match.rules, match.blue, match.red) for match in found]
    compiling = (time.process_time() - started) / len(found)
    playing: list[Callable[[int], object]] = []
    for match in compiled:
        assert isinstance(match, SwiftMatch), match
        playing.append(match.play)
        match.play(0)
    started = time.process_time()
    for one in playing:  # a match after the other, as many GAMEs of one are wanted
        for seed in range(rounds):
            one(seed)
    each = (time.process_time() - started) / rounds / len(playing)
    print(
        f"random against random, on the table: {1 / each:.0f} GAMEs a second, {each * 1000:.2f} ms each "
        f"(budget {BUDGET} a second); {compiling * 1000:.0f} ms to compile a match"
    )
    return 1 / each


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10, help="GAMEs on the table of each of 56 matches")
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--reference", action="store_true")
    wish = parser.parse_args()
    gc.set_threshold(NEW_OBJECTS)
    found = matches(open_project(cards_folder()))
    if wish.profile or wish.reference:
        profile = cProfile.Profile()
        if wish.reference:
            profile.runcall(measure, "random against random, profiled", found)
        else:
            profile.runcall(measure_swift, found, wish.games)
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
        return
    swift = measure_swift(found, wish.games)
    reference = measure("random against random, reference", found[::2])
    print(f"on the table {swift / reference:.1f} times as fast")
    few = [replace(match, seed=seed) for seed, match in enumerate(found[::4])]
    measure("greedy against random, reference", few, FastPath(found[0].rules))


if __name__ == "__main__":
    main()
