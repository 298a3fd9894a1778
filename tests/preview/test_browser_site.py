"""What ``opforge site`` writes, opened from the file system in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from toolkit.apps.cli import run
from toolkit.resources import cards_folder

pytest.importorskip("plutoprint")

SIZES = ((1024, 768), (390, 844), (320, 640))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A website of the OPERATORs of one TEAM, all ATTACK cards and the help."""
    folder = tmp_path_factory.mktemp("site")
    left_out = ("second-edition*", "gambit.yaml", "river-foxes.yaml", "iron-badgers.yaml", "squads.yaml")
    others = ("defence.yaml", "strategy.yaml", "effect.yaml", "scenarios")

    def ignored(_folder: str, names: list[str]) -> set[str]:
        return {name for name in names if any(Path(name).match(pattern) for pattern in (*left_out, *others))}

    copytree(cards_folder(), folder / "cards", ignore=ignored)
    (folder / "cards" / "duel.yaml").write_text(
        "scenarios:\n- name: an aimed shot\n  field: {blue: [viper, ~, ~, ~], red: [hawk, ~, ~, ~]}\n"
        "  hands: {blue: [aimed-shot]}\n  do:\n"
        "  - {action: attack, by: viper, on: hawk, attack_card: aimed-shot, dice: [2, 2]}\n"
        "  expect:\n    attack: {ap: 8, ep: 4}\n",
        encoding="utf-8",
    )
    run(["site", str(folder / "cards"), "-o", str(folder / "out"), "--docs"])
    return folder / "out"


@pytest.fixture
def tabs(browser: Any, site: Path) -> Iterator[Any]:
    """Opens a page of the website; nothing may be said in the console, fail or be asked from elsewhere."""
    wrong: list[str] = []
    contexts = []

    def open_page(
        name: str, size: tuple[int, int] = (1440, 900), theme: str = "light", scripts: bool = True
    ) -> Any:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, color_scheme=theme, java_script_enabled=scripts
        )
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: wrong.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("requestfailed", lambda request: wrong.append(f"failed: {request.url}"))
        inside = (site.as_uri(), "data:font/")
        page.on("request", lambda one: one.url.startswith(inside) or wrong.append(f"asked: {one.url}"))
        page.goto(f"{site.as_uri()}/{name}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def shown(page: Any) -> list[str]:
    found: list[str] = page.eval_on_selector_all(
        "[data-id]", "items => items.filter(item => item.offsetParent).map(item => item.dataset.id)"
    )
    return found


def test_cards_are_found_by_words_and_filters_and_the_address_keeps_them(tabs: Any) -> None:
    page = tabs("index.html")
    everything = shown(page)
    assert {"viper", "aimed-shot", "scope", "radio-mast"} <= set(everything)
    page.keyboard.press("/")
    page.keyboard.type("overwatch")
    assert shown(page) == ["viper"]
    assert page.inner_text(".count") == f"1 of {len(everything)} cards"
    assert page.url.endswith("#q=overwatch")
    page.fill("[name=q]", "gezielter")  # names of the other language are found, too
    assert shown(page) == ["aimed-shot"]
    page.click("[type=reset]")
    page.wait_for_function(
        "count => document.querySelectorAll('[data-id]:not([hidden])').length === count", arg=len(everything)
    )
    assert "#" not in page.url
    page.select_option("[name=kind]", "operator")
    page.select_option("[name=trait]", "sniper")
    snipers = shown(page)
    assert "viper" in snipers
    assert "moth" not in snipers
    page.reload()
    assert shown(page) == snipers
    page.click("text=DE")
    assert "/de/index.html#" in page.url
    assert shown(page) == snipers
    assert page.inner_text("h1") == "Night Exercise"
    page.fill("[name=q]", "zzzz")
    assert shown(page) == []
    assert page.is_visible("text=Keine Karte passt.")


def test_a_card_with_both_sides_its_ruling_and_its_neighbours(tabs: Any) -> None:
    page = tabs("en/cards/aimed-shot.html")
    loaded = page.eval_on_selector_all(
        ".faces img", "all => all.every(one => one.complete && one.naturalWidth > 500)"
    )
    assert loaded
    page.click("summary")
    assert page.is_visible("text=AP 8 = VALUE 4 + 2 Aimed shot + 2 ATTACK D6")
    page.click("[lang=de]")
    assert page.inner_text("h1") == "Gezielter Schuss"
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**/cards/*.html")
    page.wait_for_function("document.querySelector('h1').textContent !== 'Gezielter Schuss'")
    page.click(".kind a")
    assert set(
        page.eval_on_selector_all("[data-id]:not([hidden])", "all => all.map(one => one.dataset.kind)")
    ) == {"attack"}


def test_without_scripts_the_lists_and_pages_are_whole(tabs: Any) -> None:
    page = tabs("index.html", scripts=False)
    assert page.locator("[data-id]").count() > 20
    assert not page.is_visible(".filters")
    page.click("text=Viper")
    assert page.inner_text("h1") == "Viper"
    page.click("text=DE")
    assert page.is_visible("text=Feuerschutz")


def test_nothing_scrolls_sideways(tabs: Any) -> None:
    names = (
        "index.html",
        "en/cards/viper.html",
        "de/teams.html",
        "de/print.html",
        "docs/language.html",
        "docs/index.html",
    )
    for size in SIZES:
        for name in names:
            page = tabs(name, size)
            page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], (name, size)
            page.close()


def test_in_print_there_are_no_menus(tabs: Any) -> None:
    page = tabs("en/cards/viper.html")
    assert page.is_visible("nav")
    page.emulate_media(media="print")
    assert not page.is_visible("nav")
    assert not page.is_visible("footer")
    assert page.is_visible("text=Overwatch")
