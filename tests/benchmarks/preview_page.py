"""How soon the page of ``opforge preview`` shows the new picture of a card after a save, in a real browser.

Run by hand: ``python -m tests.benchmarks.preview_page [CARDS]… [--saves N]``. Each save changes the AP of the
open card; it is timed from before the write until the frame after the new picture, decoded, has been put on
the page. The clocks of this process and of the page are those of the same machine.
"""

from __future__ import annotations

import argparse
import re
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.check import CARDS_KEY, build
from tests.preview.conftest import Preview, chromium

OWLS = "operators/night-owls.yaml"
PAINTED = """() => {
    window.painted = 0;
    const seen = () => requestAnimationFrame(() => setTimeout(() => { painted = Date.now() }));
    new MutationObserver(seen).observe(document.querySelector('.paper .picture'), {childList: true});
}"""


def make(folder: Path, cards: int) -> None:
    """A project of so many cards, the one that is edited among them."""
    build(folder, cards)
    left = cards
    for path in sorted(folder.rglob("*.yaml"), key=lambda path: path != folder / OWLS):
        head, key, body = f"\n{path.read_text(encoding='utf-8')}".partition(f"\n{CARDS_KEY}")
        if key:
            kept = re.split(r"(?m)^(?=  - id: )", body)[1 : left + 1]
            left -= len(kept)
            path.write_text(f"{head[1:]}\n{CARDS_KEY}{''.join(kept)}" if kept else head[1:], encoding="utf-8")


def measure(browser: Any, project: Path, cache: Path, saves: int) -> list[float]:
    """Milliseconds from each save to its picture."""
    preview = Preview(project, cache)
    preview.start()
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto(preview.address)
    page.wait_for_selector("aside .rows li:visible")
    page.evaluate("() => { location.hash = '#/card/viper' }")
    page.wait_for_selector(".look .paper img")
    page.wait_for_timeout(3000)
    page.evaluate(PAINTED)
    path = project / OWLS
    text = path.read_text(encoding="utf-8")
    times = []
    for number in range(saves):
        page.evaluate("() => { painted = 0 }")
        begun = time.time()
        numbers = f"ap: {number % 20}\n    ep: {4 + number // 20}"
        path.write_text(text.replace("ap: 4\n    ep: 3", numbers, 1), encoding="utf-8")
        times.append(page.wait_for_function("() => painted").json_value() - 1000 * begun)
        page.wait_for_timeout(300)
    page.close()
    preview.stop()
    return times


def main() -> None:
    """Run the benchmark."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("cards", type=int, nargs="*", default=[54, 540])
    parser.add_argument("--saves", type=int, default=50)
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**chromium())
        for cards in options.cards:
            with tempfile.TemporaryDirectory() as folder:
                make(Path(folder, "project"), cards)
                times = measure(browser, Path(folder, "project"), Path(folder, "cache"), options.saves)
            quick = sum(one < 200 for one in times)
            print(
                f"{cards} cards: median {statistics.median(times):.0f} ms, slowest {max(times):.0f}", end=""
            )
            print(f", {quick} of {len(times)} below 200")


if __name__ == "__main__":
    main()
