"""What ``opforge balance`` writes, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from toolkit.apps.cli import run

PROJECT = Path(__file__).parent.parent / "simulation" / "project"


def test_tables_are_sorted_with_the_keyboard_and_nothing_is_too_wide(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    run(["balance", str(PROJECT), "-o", str(file), "--games", "20", "--players", "random", "--jobs", "1"])
    wrong: list[str] = []
    for size, theme in (((390, 800), "dark"), ((1440, 900), "light")):
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda asked: asked.url == file.as_uri() or wrong.append(asked.url))
        page.goto(file.as_uri())
        assert not page.evaluate(
            "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        )
        wins = "#squads table:first-of-type tbody tr td:nth-child(2)"
        for expected_order in ("descending", "ascending"):
            page.locator("#squads table").first.locator("button").nth(1).focus()
            page.keyboard.press("Enter")
            rates = page.eval_on_selector_all(wins, "cells => cells.map(cell => Number(cell.dataset.sort))")[
                :3
            ]
            assert rates == sorted(rates, reverse=expected_order == "descending")
            head = page.locator("#squads table").first.locator("th").nth(1)
            assert head.get_attribute("aria-sort") == expected_order
        names = page.locator("#squads table").first.locator("tbody th")
        page.locator("#squads table").first.locator("button").first.press("Space")
        assert names.all_inner_texts() == ["Diggers", "Family", "Hunters"]
        context.close()
    assert wrong == []
