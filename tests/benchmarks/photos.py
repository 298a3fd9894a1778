"""How long sheets with photos of 24 megapixels take, whole process, Python's start included.

Run by hand: ``python tests/benchmarks/photos.py [CARDS…]`` (540 by default; it needs 4 MB of disk for each).

Every card has a photo of its own. The table shows the first run, for which nothing is cached, and a second,
with processor time, the size of the PDF and the most memory.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PHOTO = (6000, 4000)
_DIFFERENT = 8
"""Photos with pixels of their own; the others are the same with different bytes behind their end."""


def photo(seed: int) -> bytes:
    """A JPEG with large and small shapes, about as many bytes as one from a camera."""
    from PIL import Image, ImageChops

    channels = []
    for channel in range(3):
        layers = [
            Image.effect_noise((PHOTO[0] // size + seed + channel, PHOTO[1] // size), 60).resize(PHOTO)
            for size in (400, 60, 9)
        ]
        channels.append(ImageChops.add(ImageChops.add(layers[0], layers[1], 2), layers[2], 2))
    stream = io.BytesIO()
    Image.merge("RGB", channels).save(stream, "JPEG", quality=88)
    return stream.getvalue()


def child(count: int, project: Path) -> None:
    """One measured run."""
    sys.path.insert(0, str(ROOT))
    import resource

    from msgspec.structs import replace

    from tests.benchmarks.sheets import faces
    from toolkit.press.sheet import SheetSettings, render_sheet
    from toolkit.render.fetch import Roots
    from toolkit.source.writing import write_atomically

    cards = [
        replace(face, art=project / "art" / f"{number}.jpg")
        for number, face in enumerate(faces(count, 1, project))
    ]
    result = render_sheet(cards, SheetSettings(project="Benchmark"), Roots(project))
    write_atomically(project / f"{count}.pdf", result.pdf)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"{len(result.pdf) / 1e6:.1f}", peak, len(result.diagnostics))


def main(counts: list[int]) -> None:
    """Measure each number of cards twice, and print a table."""
    with tempfile.TemporaryDirectory() as name:
        project = Path(name)
        (project / "art").mkdir()
        photos = [photo(seed) for seed in range(_DIFFERENT)]
        for number in range(max(counts)):
            (project / "art" / f"{number}.jpg").write_bytes(photos[number % _DIFFERENT] + b"%d" % number)
        heads = ("seconds", "CPU", "MB of PDF", "MB used", "findings")
        print(f"{'cards':16}", *(f"{head:>10}" for head in heads))
        for count in counts:
            cache = {"OPFORGE_CACHE": str(project / f"cache{count}")}
            for title in (f"{count}", f"{count}, cached"):
                start, before = time.perf_counter(), os.times()
                command = [sys.executable, __file__, "--child", str(count), name]
                done = subprocess.run(
                    command, check=True, capture_output=True, text=True, env=os.environ | cache
                )
                after = os.times()
                work = sum(after[2:4]) - sum(before[2:4])
                columns = (f"{time.perf_counter() - start:.1f}", f"{work:.1f}", *done.stdout.split())
                print(f"{title:16}", *(f"{column:>10}" for column in columns), flush=True)


if __name__ == "__main__":
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # as in the package
    if sys.argv[1:2] == ["--child"]:
        child(int(sys.argv[2]), Path(sys.argv[3]))
    else:
        main([int(count) for count in sys.argv[1:]] or [540])
