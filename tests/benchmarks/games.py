"""How many whole GAMEs are played in a second on one core: random against random, greedy against random.

Run by hand: ``python -m tests.benchmarks.games``. Times are of the processor, so that others on the machine
count little; ``--profile`` shows where the time of random GAMEs goes.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import time
from itertools import permutations

from toolkit.engine.fast.attack import FastPath
from toolkit.engine.log import Match, new_log
from toolkit.engine.players import GreedyPlayer, RandomPlayer
from toolkit.engine.recording import play_match
from toolkit.engine.rules import Rules
from toolkit.play import Unplayable, Wish, make_match
from toolkit.resources import cards_folder
from toolkit.workspace import Workspace, open_project


def matches(workspace: Workspace, number: int) -> list[Match]:
    """So many matches, through all pairs of the shipped squads, under one set of rules."""
    pairs = list(permutations(workspace.cards.squads, 2))
    found: list[Match] = []
    rules: Rules | None = None
    for seed in range(number):
        made = make_match(workspace, Wish(pairs[seed % len(pairs)]), seed)
        assert not isinstance(made, Unplayable), made
        rules = rules or made.rules
        found.append(Match(rules, made.blue, made.red, seed))
    return found


def play(match: Match, path: FastPath | None) -> tuple[int, int]:
    """One GAME; the number of its ACTIONs and ROUNDs. With a path blue is greedy."""
    blue = RandomPlayer(f"{match.seed} blue") if path is None else GreedyPlayer(match.rules, path)
    log = new_log(match, {"blue": "blue", "red": "red"})
    ending = play_match(match, {"blue": blue, "red": RandomPlayer(f"{match.seed} red")}, log)
    assert ending.verdict is not None
    return sum(line.get("decision") == "action" for line in log.lines), ending.state.round


def measure(name: str, found: list[Match], path: FastPath | None) -> None:
    """Play them and print GAMEs a second."""
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


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=56, help="random GAMEs; a quarter as many greedy ones")
    parser.add_argument("--profile", action="store_true")
    wish = parser.parse_args()
    found = matches(open_project(cards_folder()), wish.games)
    if wish.profile:
        profile = cProfile.Profile()
        profile.runcall(measure, "random against random, profiled", found, None)
        pstats.Stats(profile).sort_stats("tottime").print_stats(30)
        return
    measure("random against random", found, None)
    measure("greedy against random", found[: max(1, wish.games // 4)], FastPath(found[0].rules))


if __name__ == "__main__":
    main()
