"""How long pictures of cards take, whole process, Python's start included.

Run by hand: ``python tests/benchmarks/pictures.py [RUNS] [CASE…]``. The cards are those of ``sheets.py``,
each with an art file of its own; the table shows the fastest run, the least processor time, and memory.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CASES = {"54": (54, 300), "124": (124, 300), "540": (540, 300), "540 at 150": (540, 150)}
"""Different cards, and dots in an inch."""


def child(name: str, folder: Path) -> None:
    """One measured run."""
    sys.path.insert(0, str(ROOT))
    from tests.benchmarks.sheets import faces
    from toolkit.press.card_pictures import PictureSettings, Subject, draw_cards
    from toolkit.render.fetch import Roots
    from toolkit.render.page_raster import as_image, encode_png
    from toolkit.render.renderer import Raster
    from toolkit.render.sizes import CARD_SIZES
    from toolkit.source.writing import write_atomically

    count, dpi = CASES[name]
    cards = {face: number for number, face in enumerate(faces(count, 1, folder))}
    sizes = []

    def write(subject: Subject, raster: Raster) -> None:
        content = encode_png(as_image(raster), dpi)
        sizes.append(len(content))
        write_atomically(folder / f"{cards[subject]}.png", content)  # type: ignore[index]

    draw_cards(list(cards), [], PictureSettings(CARD_SIZES["poker"], dpi), Roots(folder), write)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(len(sizes), sum(sizes) // 1024 // 1024, peak)


def main(runs: int, names: list[str]) -> None:
    """Measure the cases, all or those named, and print a table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "art").mkdir()
        art = sorted((ROOT / "cards" / "art").glob("*.svg"))
        for number in range(540):
            shutil.copy(art[number % len(art)], folder / "art" / f"{number}.svg")
        heads = ("fastest", "CPU", "ms/card", "pictures", "MB", "MB used")
        print(f"{'cards':12}", *(f"{head:>8}" for head in heads))
        for case in names or CASES:
            times, work = [], []
            for _ in range(runs):
                start, before = time.perf_counter(), os.times()
                command = [sys.executable, __file__, "--child", case, str(folder)]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                after = os.times()
                times.append(time.perf_counter() - start)
                work.append(sum(after[2:4]) - sum(before[2:4]))
            each = 1000 * min(work) / CASES[case][0]
            columns = (f"{min(times):.2f}", f"{min(work):.2f}", f"{each:.0f}", *done.stdout.split())
            print(f"{case:12}", *(f"{column:>8}" for column in columns))


if __name__ == "__main__":
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # as in the package
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], Path(sys.argv[3]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 3, sys.argv[2:])
