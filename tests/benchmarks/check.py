"""How long ``opforge check`` takes for 540 cards made from the shipped set, as a whole process.

Run by hand: ``python -m tests.benchmarks.check``. Cold has no cache of opforge's, warm is the second run;
both with compiled modules, as after an installation. There are as many findings as are told below the times:
none with 540 cards. ``--scenarios`` adds those of the shipped set.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from toolkit.resources import cards_folder

CARDS_KEY = "cards:\n"


def build(folder: Path, cards: int, *, scenarios: bool = False) -> int:
    """A project with so many cards: copies of the shipped ones, each with an id and amounts of its own."""
    left_out = () if scenarios else ("scenarios",)
    shutil.copytree(cards_folder(), folder, ignore=shutil.ignore_patterns(*left_out))
    made = 0
    entries: dict[Path, list[str]] = {}
    for path in sorted(folder.rglob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        if text.startswith(CARDS_KEY) or f"\n{CARDS_KEY}" in text:
            body = text.split(CARDS_KEY, 1)[1]
            entries[path] = re.split(r"(?m)^(?=  - id: )", body)[1:]
            made += len(entries[path])
    originals = made
    copy = 0
    while made < cards:
        copy += 1
        for path, bodies in entries.items():
            fresh = [_copy(body, copy) for body in bodies][: max(0, cards - made)]
            made += len(fresh)
            if fresh:
                target = path.with_stem(f"{path.stem}-{copy}")
                target.write_text(CARDS_KEY + "".join(fresh), encoding="utf-8")
    assert originals
    return made


MOST_COPIES = 11
PRICES = {
    "attack": "self gets +{0} EP and -{1} MP.",
    "defence": "self gets +{0} EP and -{1} MP.",
    "item": "self gets +{0} EP and -{1} MP.",
    "strategy": "all own OPERATORs get +{0} EP and -{1} MP.",
    "effect": "when played, owner draws {0} cards, then owner discards {0} cards.",
}
"""What a copy gains and pays: more than it gains, so that none is in everything better than another."""


def _copy(body: str, copy: int) -> str:
    """The same card under another id, with amounts of its own so that its effect is a text of its own.

    What is stronger costs more, as in a real set: an OPERATOR more SQUADPOINTS, another card a price.
    """
    body = re.sub(r"(?m)^  - id: (\S+)", rf"  - id: \1-{copy}", body, count=1)
    copy = copy % MOST_COPIES + 1  # numbers that are allowed
    body = re.sub(r"([+-])(\d) (AP|EP|DP|MP)\b", lambda m: f"{m[1]}{int(m[2]) + copy} {m[3]}", body)
    kind = re.search(r"(?m)^    kind: (\w+)", body)
    assert kind is not None, body
    if kind[1] == "operator":
        return re.sub(r"(?m)^    (squadpoints|ap): (\d+)", lambda m: f"    {m[1]}: {int(m[2]) + copy}", body)
    price = PRICES[kind[1]].format(copy, 3 * copy)
    return re.sub(r"""(["']?)(?=\n    art:)""", rf" {price}\1", body, count=1)


def run(project: Path, cache: Path) -> tuple[float, float, str]:
    """Seconds by the clock and of the processor of one whole process, and the last line that it prints."""
    started, worked = time.perf_counter(), _worked()
    done = subprocess.run(
        [sys.executable, "-m", "toolkit", "check", str(project)],
        env=os.environ | {"OPFORGE_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        check=False,
        text=True,
    )
    return time.perf_counter() - started, _worked() - worked, done.stdout.splitlines()[-1]


def _worked() -> float:
    """Seconds of the processor that finished processes took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cards", type=int, default=540)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--scenarios", action="store_true")
    wish = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        project, cache = Path(scratch, "project"), Path(scratch, "cache")
        build(project, wish.cards, scenarios=wish.scenarios)
        cold, warm = [], []
        *_, told = run(project, cache)  # compiles the modules
        for _ in range(wish.runs):
            shutil.rmtree(cache, ignore_errors=True)
            cold.append(run(project, cache)[:2])
            warm.append(run(project, cache)[:2])
        bare = [_bare() for _ in range(wish.runs)]
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(told)
    for name, times in (("cold", cold), ("warm", warm)):
        clock, processor = zip(*times, strict=True)
        print(f"{name} {_ms(clock)}, of the processor {_ms(processor)}")
    print(f"python alone {_ms(bare)}; at most {memory:.0f} MB")


def _bare() -> float:
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return time.perf_counter() - started


def _ms(seconds: Sequence[float]) -> str:
    return f"{statistics.median(seconds) * 1000:.0f} ms (best {min(seconds) * 1000:.0f})"


if __name__ == "__main__":
    main()
