"""How soon ``opforge watch`` shows a save at a terminal, and how much memory it takes after many saves.

Run by hand: ``python -m tests.benchmarks.watch [CARDS]… [--saves N] [--many N]``. A save changes the AP of an
OPERATOR in the middle of the set; it is timed from before the write until the findings are on the screen, and
until the run is complete. ``--many`` saves that often without a pause; 0 cards are the shipped ones.
"""

from __future__ import annotations

import argparse
import os
import pty
import re
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.check import build
from toolkit.resources import cards_folder

_NUMBER = re.compile(r"(?m)^    ap: \d+$")


class Watching:
    """A running ``opforge watch`` in a terminal of its own."""

    def __init__(self, project: Path, cache: Path) -> None:
        self._controller, terminal = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "toolkit", "watch", os.fspath(project)],
            stdin=subprocess.DEVNULL,
            stdout=terminal,
            stderr=terminal,
            env={**os.environ, "OPFORGE_CACHE": os.fspath(cache), "NO_COLOR": "1"},
        )
        self._written = b""

    def until(self, pattern: bytes) -> float:
        """Wait until it has written something new, and return when."""
        while (found := re.search(pattern, self._written)) is None:
            if select.select([self._controller], [], [], 0.5)[0]:
                self._written += os.read(self._controller, 65536)
        self._written = self._written[found.end() :]
        return time.perf_counter()

    def drain(self) -> None:
        """Read what is there, so that it never waits for its terminal."""
        while select.select([self._controller], [], [], 0)[0]:
            os.read(self._controller, 65536)

    def memory(self) -> float:
        """Its resident memory in MB; Linux only."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


def measure(cards: int, saves: int, many: int) -> None:
    """Print the figures of a set of so many cards."""
    with tempfile.TemporaryDirectory() as scratch:
        project, cache = Path(scratch, "project"), Path(scratch, "cache")
        made = build(project, cards, scenarios=True) if cards else 0
        if not cards:
            shutil.copytree(cards_folder(), project)
        file = sorted(project.glob("operators/*.yaml"))[-1]
        text = file.read_text(encoding="utf-8")
        begun = time.perf_counter()
        watching = Watching(project, cache)
        start = [
            watching.until(pattern) - begun for pattern in (rb"scenarios \xe2", rb"faces \xe2", b"changed")
        ]
        broken, mended, whole = [], [], []
        for number in range(saves):
            time.sleep(0.1)
            for new, times in (("much", broken), (str(4 + number % 3), mended)):
                saved = time.perf_counter()
                file.write_text(_NUMBER.sub(f"    ap: {new}", text, count=1), encoding="utf-8")
                times.append(watching.until(rb"scenarios \xe2") - saved)
                ready = watching.until(b"changed") - saved
            whole.append(ready)
        print(f"{made or 'shipped'} cards: start {', '.join(f'{one:.1f}' for one in start)} s")
        for name, some in (("an error", broken), ("a number", mended), ("complete", whole)):
            print(f"  {name}: {1000 * statistics.median(some):.0f} ms (slowest {1000 * max(some):.0f})")
        before = watching.memory()
        for number in range(many):
            file.write_text(_NUMBER.sub(f"    ap: {number % 9}", text, count=1), encoding="utf-8")
            time.sleep(0.05)
            watching.drain()
            if number % 500 == 499:
                print(f"  after {number + 1} saves {watching.memory():.0f} MB")
        if many:
            file.write_text(text + "# the end\n", encoding="utf-8")
            time.sleep(5)
            watching.drain()
            print(
                f"  memory {before:.0f} MB, after {many} saves and a complete run {watching.memory():.0f} MB"
            )
        watching.process.kill()
        watching.process.wait()


def main() -> None:
    """Measure each set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cards", type=int, nargs="*", default=[0, 540, 5000])
    parser.add_argument("--saves", type=int, default=10)
    parser.add_argument("--many", type=int, default=0)
    options = parser.parse_args()
    for cards in options.cards:
        measure(cards, options.saves, options.many)


if __name__ == "__main__":
    main()
