"""How soon ``opforge preview`` shows a save, starts, and lists its cards, and how much memory it takes.

Run by hand: ``python -m tests.benchmarks.preview [CARDS]… [--saves N] [--many N]``. A save changes a number
of a card in the middle of the set; it is timed from before the write until the event is read. ``--many``
saves that often without a pause and reports the memory before and after; 0 cards are the shipped ones.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.benchmarks.check import build
from toolkit.resources import cards_folder


class Running:
    """A preview and its stream of events."""

    def __init__(self, project: Path, cache: Path) -> None:
        self.begun = time.perf_counter()
        command = [sys.executable, "-m", "toolkit", "preview", os.fspath(project), "--no-open", "--port", "0"]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "OPFORGE_CACHE": os.fspath(cache)},
        )
        assert self.process.stdout is not None
        self.origin, _, self.token = self.process.stdout.readline().strip().partition("/#token=")

    def open(self, path: str) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        return urllib.request.urlopen(urllib.request.Request(self.origin + path, headers=headers))

    def get(self, path: str) -> bytes:
        with self.open(path) as answer:
            found: bytes = answer.read()
            return found

    def since_start(self) -> float:
        return 1000 * (time.perf_counter() - self.begun)

    def worked(self) -> float:
        """Milliseconds of the processor so far, which other work on the machine changes least."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def events(self) -> Iterator[tuple[str, Any]]:
        name = ""
        for line in self.open("/events"):
            field, _, value = line.decode().rstrip("\n").partition(": ")
            if field == "event":
                name = value
            elif field == "data":
                yield name, json.loads(value)

    def memory(self) -> float:
        """The resident memory in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+)", status)
        assert found is not None
        return int(found[1]) / 1024


def measure(project: Path, cache: Path, saves: int, many: int) -> None:
    """Print the figures of one project."""
    running = Running(project, cache)
    running.get("/")
    print(f"  start → page {running.since_start():.0f} ms", end="")
    events = running.events()
    next(data for name, data in events if name == "state" and data["stage"] == "ready")
    listed = running.get("/api/cards")
    rows = json.loads(listed)["cards"]
    print(f", → list of {len(rows)} ({len(listed) // 1000} KB) {running.since_start():.0f} ms", end="")
    print(f", of the processor {running.worked():.0f}")
    row = [row for row in rows if row["stats"]][len([row for row in rows if row["stats"]]) // 2]
    running.get(f"/api/card/{row['id']}")
    path = project / row["file"]
    print(f"  memory {running.memory():.0f} MB after the start")
    if many:
        for number in range(many):
            _save(path, row["id"], number)
            time.sleep(0.03)
            if (number + 1) % max(1, many // 10) == 0:
                time.sleep(2)
                print(f"  memory {running.memory():.0f} MB after {number + 1} saves", flush=True)
        running.process.send_signal(signal.SIGINT)
        running.process.wait()
        return
    times, opened, worked = [], [], running.worked()
    for number in range(saves):
        time.sleep(0.3)
        begun = time.perf_counter()
        wanted = _save(path, row["id"], number)
        for name, data in events:
            changed = {one["id"]: one for one in data.get("rows", ())} if name == "cards" else {}
            if row["id"] in changed and changed[row["id"]]["stats"]["ap"] == wanted:
                times.append(1000 * (time.perf_counter() - begun))
            if name == "card" and len(opened) < len(times):
                opened.append(1000 * (time.perf_counter() - begun))
                break
    for what, found in (("row", times), ("open card", opened)):
        print(f"  save → {what}: median {statistics.median(found):.0f} ms, slowest {max(found):.0f}")
    each = (running.worked() - worked) / max(1, saves)
    print(f"  of the processor {each:.0f} ms a save; memory {running.memory():.0f} MB after {saves} saves")
    running.process.send_signal(signal.SIGINT)
    running.process.wait()


def _save(path: Path, id: str, number: int) -> int:
    """Change the AP of a card, by another file that is renamed; returns it."""
    text = path.read_text(encoding="utf-8")
    found = re.search(rf"\bid: {re.escape(id)}(?![\w-])", text)
    assert found is not None
    start = found.start()
    wanted = 1 + number % 9
    changed = text[:start] + re.sub(r"(?m)^(    ap:) \d+", rf"\1 {wanted}", text[start:], count=1)
    other = path.with_suffix(".new")
    other.write_text(changed, encoding="utf-8")
    other.replace(path)
    return wanted


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("cards", type=int, nargs="*", default=[0, 540, 5000])
    parser.add_argument("--saves", type=int, default=30)
    parser.add_argument("--many", type=int, default=0)
    options = parser.parse_args()
    for cards in options.cards:
        with tempfile.TemporaryDirectory() as folder:
            project = Path(folder, "project")
            if cards:
                build(project, cards)
            else:
                shutil.copytree(cards_folder(), project)
            print(f"{cards or 'shipped'}:")
            measure(project, Path(folder, "cache"), options.saves, options.many)


if __name__ == "__main__":
    main()
