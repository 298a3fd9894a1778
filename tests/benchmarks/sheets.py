"""How long sheets take, whole process, Python's start included.

Run by hand: ``python tests/benchmarks/sheets.py [RUNS] [CASE…]``.

Every case runs in a process of its own, several times; the table shows the fastest and the middle run,
and the least processor time, which other work on the machine does not change.
Each card has an art file of its own (copies of the shipped art), so that nothing is drawn once for many.
"""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

if TYPE_CHECKING:
    from toolkit.render.face import Face

ROOT = Path(__file__).resolve().parents[2]
CASES = {
    "54": (54, 1, "plain", 0.5),
    "54 x 10": (54, 10, "plain", 1.0),
    "540": (540, 1, "plain", 2.5),
    "54, all": (54, 1, "all", 0.5),
    "54 x 10, all": (54, 10, "all", 1.0),
    "540, all": (540, 1, "all", 2.5),
    "540, no art": (540, 1, "no art", None),
    "540, WeasyPrint": (540, 1, "boxes", None),
    "5400": (5400, 1, "plain", None),
    "5400, all": (5400, 1, "all", None),
}
"""Different cards, copies of each, what is switched on, and the budget in seconds.

``plain`` are fronts with cut marks; ``all`` has backs, bleed around every card, marks on both sides, round
corners and a stamp. ``no art`` are ``plain`` without pictures, and ``boxes`` are the same words in plain
boxes, laid out by WeasyPrint, if it is installed: a run of ours should take a quarter of that.
"""


def faces(count: int, copies: int, project: Path) -> list[Face]:
    """So many different cards: six in ten OPERATORs, the others of all kinds, half of them German."""
    from tests.render import samples

    kinds = itertools.cycle(["attack", "defence", "effect", "strategy", "item"])
    made = []
    for number in range(count):
        lang = ("en", "de")[number % 2]
        if number % 10 < 6:
            skills = [samples.OVERWATCH_DE, samples.LUCKY_DE] if lang == "de" else [samples.OVERWATCH_EN]
            face = samples.operator(f"Viper {number}", lang, skills=tuple(skills[: 1 + number % 3]))
        else:
            face = samples.deck_card(next(kinds), f"Aimed shot {number}", lang)
        made.append(replace(face, art=project / "art" / f"{number}.svg", quantity=copies))
    return made


BOXES = """<style>@page { size: A4; margin: 16.5mm 10mm } body { margin: 0; font: 9pt sans-serif }
div { float: left; box-sizing: border-box; width: 63mm; height: 88mm; border: 0.2mm solid; padding: 4mm }
h1 { font-size: 14pt; margin: 0 }</style>"""


def print_boxes(cards: list[Face], output: Path) -> None:
    """Print what is written on cards with WeasyPrint: no frames, no icons, and nothing is checked to fit."""
    from html import escape

    from weasyprint import HTML

    from toolkit.wording.text import plain

    parts = [BOXES]
    for face in cards:
        texts = [f"{skill.name or ''} {plain(skill.paragraphs)}" for skill in face.skills]
        stats = " ".join(f"{stat.icon} {stat.value}" for stat in face.stats)
        lines = (face.kind_label, face.team_name, " ".join(face.traits), stats, *texts, face.flavour)
        words = "".join(f"<p>{escape(line)}</p>" for line in lines if line)
        parts.append(f"<div><h1>{escape(face.name)}</h1>{words}</div>")
    HTML(string="".join(parts)).write_pdf(output)


def child(name: str, project: Path) -> None:
    """One measured run. Python looks for garbage as in the command ``opforge`` (``toolkit.__main__``)."""
    gc.set_threshold(200_000)
    sys.path.insert(0, str(ROOT))
    from toolkit.data.model import Gap
    from toolkit.press.layout import LayoutPlan
    from toolkit.press.sheet import SheetSettings, render_sheet
    from toolkit.render.fetch import Roots
    from toolkit.source.writing import write_atomically

    count, copies, what, _ = CASES[name]
    cards = faces(count, copies, project)
    if what == "boxes":
        print_boxes(cards, project / "out.pdf")
        print(-(-count // 9), (project / "out.pdf").stat().st_size, 0, _peak() // 1024)
        return
    if what == "no art":
        cards = [replace(face, art=None) for face in cards]
    layout, stamp = LayoutPlan(), False
    if what == "all":
        layout = LayoutPlan(gap=Gap(6, 6), marks="full", marks_on="both", sides="both", rounding=3)
        stamp = True
    settings = SheetSettings(layout, project="Benchmark", version="1", stamp=stamp)
    result = render_sheet(cards, settings, Roots(project))
    write_atomically(project / "out.pdf", result.pdf)
    print(result.pages, len(result.pdf), len(result.diagnostics), _peak() // 1024)
    gc.freeze()


def _peak() -> int:
    """The most memory that this process had, in KB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main(runs: int, names: list[str]) -> None:
    """Measure the cases, all or those named, and print a table."""
    import statistics  # which the measured runs do not need
    from importlib.util import find_spec

    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        (project / "art").mkdir()
        art = sorted((ROOT / "cards" / "art").glob("*.svg"))
        for number in range(5400):
            shutil.copy(art[number % len(art)], project / "art" / f"{number}.svg")
        heads = ("fastest", "middle", "CPU", "budget", "pages", "KB", "MB used", "findings")
        print(f"{'cards':16}", *(f"{head:>8}" for head in heads))
        for name in names or CASES:
            case = CASES[name]
            if case[2] == "boxes" and find_spec("weasyprint") is None:
                print(f"{name:16} left out: WeasyPrint is not installed")
                continue
            times, work = [], []
            for _ in range(runs):
                start, before = time.perf_counter(), os.times()
                command = [sys.executable, __file__, "--child", name, folder]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                after = os.times()
                times.append(time.perf_counter() - start)
                work.append(sum(after[2:4]) - sum(before[2:4]))
            pages, size, found, peak = done.stdout.split()
            budget = f"{case[3]:.1f}" if case[3] else "-"
            numbers = (min(times), statistics.median(times), min(work))
            columns = [
                *(f"{number:.2f}" for number in numbers),
                budget,
                pages,
                int(size) // 1024,
                peak,
                found,
            ]
            print(f"{name:16}", *(f"{column:>8}" for column in columns))


if __name__ == "__main__":
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # as in the package
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], Path(sys.argv[3]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 5, sys.argv[2:])
