"""How long ``opforge site`` takes for cards made from the shipped set, whole process: first, then unchanged,
then after one card has changed.

Run by hand: ``python -m tests.benchmarks.site [CARDS]``. The budget is 60 s on two cores for 540 cards with
pictures in two languages. Processor time is what other work on the machine changes least.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.check import build


def run(project: Path, output: Path, cache: Path) -> tuple[float, float, str]:
    """Seconds, seconds of processor time, and what the command prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    command = [sys.executable, "-m", "toolkit", "site", str(project), "-o", str(output)]
    made = subprocess.run(
        command, env={**os.environ, "OPFORGE_CACHE": str(cache)}, capture_output=True, text=True, check=False
    )
    taken = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    worked = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return taken, worked, (made.stdout or made.stderr).strip()


def main(cards: int) -> None:
    """Print the three times."""
    with tempfile.TemporaryDirectory() as folder:
        project, output, cache = (Path(folder) / name for name in ("cards", "site", "cache"))
        build(project, cards, scenarios=True)
        for what in ("first", "unchanged", "one card changed"):
            if what == "one card changed":
                file = project / "operators" / "night-owls.yaml"
                text = file.read_text(encoding="utf-8")
                file.write_text(text.replace("name: Viper", "name: Adder"), encoding="utf-8")
            taken, worked, said = run(project, output, cache)
            print(f"{what:17} {taken:6.1f} s  {worked:6.1f} s of processor time  {said}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 540)
