"""The page of ``opforge preview`` in a real browser: list, card, saves, states, sizes of windows."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from PIL import Image

from tests.benchmarks.check import build
from tests.preview.conftest import Preview, Visits
from toolkit.apps.cli import run
from toolkit.resources import cards_folder

OWLS = "operators/night-owls.yaml"
EFFECT = "when attacking, if target is SUPPRESSED, self gets +2 AP."
_FILES = {file.name: file.read_text(encoding="utf-8") for file in cards_folder().rglob("*.yaml")}
_KIND = re.compile(r"^    kind: ", re.MULTILINE)
CARDS = sum(len(_KIND.findall(text)) for text in _FILES.values()) + _FILES["objectives.yaml"].count("- id:")
"""The number of cards and OBJECTIVEs of the shipped set."""
EFFECTS, STRATEGIES = (len(_KIND.findall(_FILES[name])) for name in ("effect.yaml", "strategy.yaml"))
DOTS = (476, 665)
"""63 × 88 mm at 192 dots an inch."""


def names(page: Any) -> list[str]:
    """The names in the list that are shown, in their order."""
    found: list[str] = page.locator("aside .rows li:visible .name").all_inner_texts()
    return found


def row(page: Any, id: str) -> Any:
    return page.locator(f"aside .rows li[data-id='{id}']")


def picture(page: Any) -> Any:
    """The picture of the open card, once it was decoded."""
    return page.locator(".look .paper img")


def face(page: Any) -> str:
    """The digest of the picture that is shown."""
    found: str = picture(page).get_attribute("data-face")
    return found


def wait_for_another_face(page: Any, before: str) -> None:
    page.wait_for_function(
        "before => document.querySelector('.look .paper img')?.dataset.face !== before", arg=before
    )


def wait_for_stat(page: Any, stat: str, value: int) -> None:
    page.wait_for_function(
        "([stat, value]) => parseInt(document.querySelector(`.stats .${stat} dd`)?.textContent) === value",
        arg=[stat, value],
    )


def open_card(visits: Visits, path: str = "/card/viper", **options: Any) -> Any:
    page = visits.open(path, **options)
    picture(page).wait_for()
    return page


PLACES = {
    "/card/viper": ".look .paper img",
    "/": ".overview .tile img, aside .rows .name",
    "/?view=wall": ".tile img",
    "/rules/boulder": ".rules-tab .steps",
    "/bench/viper": ".sums",
    "/sheet": ".sheet-page img",
    "/changes": ".content p",
}
"""Places of the page, and what is seen there when it is ready."""


def go(page: Any, place: str) -> None:
    """Go to a place and wait until it is ready."""
    page.evaluate("path => { location.hash = path }", f"#{place}")
    page.locator(PLACES[place]).locator("visible=true").first.wait_for()


# 1 list and card


def test_the_list_opens_and_filters_combine_and_stand_in_the_address(visits: Visits) -> None:
    page = visits.open()
    assert len(names(page)) == CARDS
    page.get_by_label("Kind", exact=True).select_option("operator")
    page.get_by_label("TEAM").select_option("night-owls")
    assert "Viper" in names(page)
    assert "Bishop" not in names(page)
    assert page.evaluate("location.hash") == "#/card?kind=operator&team=night-owls"
    shown = names(page)
    page.reload()
    page.wait_for_selector("aside .rows li:visible")
    assert names(page) == shown
    page.get_by_role("button", name="show all").click()
    assert len(names(page)) == CARDS


def test_search_finds_names_of_all_languages_and_words_of_texts(visits: Visits) -> None:
    page = visits.open()
    page.get_by_role("searchbox").fill("habicht")
    row(page, "viper").wait_for(state="hidden")
    assert names(page) == ["Hawk"]
    page.get_by_role("searchbox").fill("Nachteulen ignoriert")
    page.wait_for_selector("text=No card is like that.")
    page.get_by_role("searchbox").fill("ignoriert SUPPRESSION")
    row(page, "boulder").wait_for()
    assert "Boulder" in names(page)


def test_what_search_finds_is_opened_with_the_keyboard(visits: Visits) -> None:
    page = visits.open()
    page.locator(".rows a[tabindex='0']").first.focus()  # another card, which search leaves out
    page.keyboard.press("/")
    page.keyboard.type("habicht")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.hash.startsWith('#/card/hawk')")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    row(page, "hawk").locator("a:not([aria-current])").wait_for()  # the address changes before the page knows
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Enter")  # what was hidden is not opened
    page.wait_for_function("() => location.hash.startsWith('#/card/hawk')")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_function("() => location.hash.startsWith('#/card/hawk')")


def test_the_card_is_shown_as_it_prints_in_both_languages(visits: Visits, tmp_path: Path) -> None:
    page = open_card(visits, "/card/boulder")
    shown = {}
    for lang, name, text in (
        ("EN", "Boulder", "ignores SUPPRESSION"),
        ("DE", "Brocken", "ignoriert SUPPRESSION"),
    ):
        page.get_by_role("button", name=lang, exact=True).click()
        page.wait_for_function(
            "name => document.querySelector('.facts h2').textContent.includes(name)", arg=name
        )
        page.wait_for_function(
            "text => document.querySelector('.look .paper img')?.alt.includes(text)", arg=text
        )
        assert row(page, "boulder").locator(".name").inner_text() == name
        page.wait_for_function(
            "shown => !shown.includes(document.querySelector('.look .paper img').src)", arg=[*shown.values()]
        )
        shown[lang] = picture(page).evaluate("image => image.src")
        assert tuple(picture(page).evaluate("image => [image.naturalWidth, image.naturalHeight]")) == DOTS
    assert shown["EN"] != shown["DE"]
    for lang, address in shown.items():
        with urlopen(address) as answer:
            served = Image.open(BytesIO(answer.read())).convert("RGB")
        assert served.size == DOTS
        printed = _as_printed(visits.preview.folder, "boulder", lang.lower(), tmp_path)
        assert _differing(served, printed) < 0.01


def _as_printed(project: Path, card: str, lang: str, scratch: Path) -> Image.Image:
    """The picture of a card that ``opforge cards`` makes."""
    folder = scratch / f"printed-{lang}"
    options = ["--card", card, "--dpi", "192", "--lang", lang, "-o", str(folder)]
    assert run(["cards", str(project), *options]) == 0
    return Image.open(folder / f"{card}.png").convert("RGB")


def _differing(one: Image.Image, other: Image.Image) -> float:
    """The part of the dots that clearly differ; edges may lie half a dot apart."""
    from PIL import ImageChops, ImageFilter

    blur = ImageFilter.GaussianBlur(3)
    difference = ImageChops.difference(one.filter(blur), other.resize(one.size).filter(blur)).convert("L")
    return sum(difference.histogram()[40:]) / (one.width * one.height)


# 2 saves


@pytest.mark.parametrize("by_renaming", [False, True], ids=["in place", "by renaming"])
def test_a_save_changes_number_and_picture_and_nothing_else(visits: Visits, by_renaming: bool) -> None:
    page = open_card(visits, "/card/viper?kind=operator", size=(1440, 520))
    page.locator("summary", has_text="Size of type").click()
    page.get_by_role("button", name="200 %").click()
    page.wait_for_function("() => document.querySelector('.look .paper img').naturalWidth > 900")
    page.evaluate("document.querySelector('.content').scrollTop = 30")
    page.evaluate("document.querySelector('.stage').scrollTop = 60")
    page.get_by_role("button", name=re.compile("^copy")).first.focus()
    state = """() => ({
        hash: location.hash,
        scroll: document.querySelector('.content').scrollTop,
        stage: document.querySelector('.stage').scrollTop,
        open: document.querySelector('.more').open,
        focus: document.activeElement.textContent,
        width: document.querySelector('.look .paper').clientWidth,
    })"""
    before, shown = page.evaluate(state), face(page)
    assert (before["scroll"], before["stage"], before["open"]) == (30, 60, True)
    visits.preview.edit(OWLS, "ap: 4", "ap: 5", by_renaming=by_renaming)
    wait_for_stat(page, "ap", 5)
    wait_for_another_face(page, shown)
    assert row(page, "viper").locator(".numbers").inner_text().split() == ["5", "3", "6", "2"]
    assert picture(page).evaluate("image => image.naturalWidth") == 952
    assert page.evaluate(state) == before


def test_another_card_that_changed_is_told_and_gone_to_only_with_follow(visits: Visits) -> None:
    page = open_card(visits)
    visits.preview.edit(OWLS, "ap: 7", "ap: 6")  # of Hawk
    strip = page.locator(".strip")
    strip.get_by_text("Hawk changed").wait_for()
    assert page.get_by_role("status").first.inner_text() == "Hawk changed."
    assert page.evaluate("location.hash") == "#/card/viper"
    page.get_by_role("button", name="follow").click()
    visits.preview.edit(OWLS, "ap: 6", "ap: 7")
    page.wait_for_function("() => location.hash === '#/card/hawk'")
    wait_for_stat(page, "ap", 7)


def test_all_other_cards_that_changed_are_counted(visits: Visits) -> None:
    page = open_card(visits)
    visits.preview.edit("effect.yaml", "cards:", 'cards: "', by_renaming=True)
    page.locator(".strip").get_by_text(f"and {EFFECTS - 1} others changed").wait_for()
    visits.preview.edit("strategy.yaml", "cards:", 'cards: "', by_renaming=True)
    page.locator(".strip").get_by_text(f"and {EFFECTS + STRATEGIES - 1} others changed").wait_for()


# 3, 4 files that are broken for some time


def test_a_mistake_is_shown_with_its_line_until_it_is_mended(visits: Visits) -> None:
    page = open_card(visits)
    shown = face(page)
    visits.preview.edit(OWLS, EFFECT, EFFECT.replace("AP.", "APP."))
    finding = page.locator(".finding", has_text="unknown-stat")
    finding.wait_for()
    assert "APP" in finding.locator(".source").inner_text()
    source, caret = finding.locator(".source").inner_text().splitlines()[:2]
    assert source[caret.index("^") : caret.rindex("^") + 1] == "APP"
    assert row(page, "viper").locator(".mark.error").count() == 1
    assert page.locator(".head").get_by_role("button", name="1 error").count() == 1
    assert face(page) == shown
    assert "Last good picture" in page.locator(".look .note").inner_text()
    finding.get_by_text("explain").click()
    finding.get_by_text("This is not a stat of the game.").wait_for()
    visits.preview.edit(OWLS, EFFECT.replace("AP.", "APP."), EFFECT)
    finding.wait_for(state="detached")
    page.wait_for_function("() => !document.querySelector('aside .rows .mark.error')")
    page.wait_for_function("shown => document.querySelector('.paper img').dataset.face === shown", arg=shown)


def test_a_file_that_cannot_be_read_keeps_its_cards(visits: Visits) -> None:
    page = open_card(visits)
    shown = face(page)
    visits.preview.edit(OWLS, "kind: operator", "kind: [operator")
    page.locator(".note.stale").wait_for()
    assert "last good state" in page.locator(".note.stale").inner_text()
    assert page.locator(".finding").count() > 0
    assert face(page) == shown
    assert "stale" in row(page, "viper").get_attribute("class")
    assert "stale" in row(page, "hawk").get_attribute("class")
    assert len(names(page)) == CARDS
    assert picture(page).is_visible()
    visits.preview.edit(OWLS, "kind: [operator", "kind: operator")
    page.locator(".note.stale").wait_for(state="detached")
    page.wait_for_function("() => !document.querySelector('aside .rows .stale')")


def test_an_empty_file_is_not_told_for_a_moment_and_is_if_it_stays(visits: Visits) -> None:
    page = open_card(visits)
    page.evaluate(
        """() => {
            window.told = [];
            const look = () => told.push(...document.querySelectorAll('.note, aside .rows .stale'));
            const all = {subtree: true, childList: true, attributes: true};
            new MutationObserver(look).observe(document.body, all);
        }"""
    )
    path = visits.preview.file(OWLS)
    whole = path.read_text(encoding="utf-8")
    for ap in range(5, 10):
        begun = time.monotonic()
        path.write_text("", encoding="utf-8")
        time.sleep(0.05)
        path.write_text(whole.replace("ap: 4", f"ap: {ap}", 1), encoding="utf-8")
        took = time.monotonic() - begun
        wait_for_stat(page, "ap", ap)
        if took < 0.1:
            assert page.evaluate("told.length") == 0
            break
        page.evaluate("told.length = 0")  # the machine was too slow to leave it empty for a moment only
    path.write_text("", encoding="utf-8")
    page.locator(".note").first.wait_for()
    path.write_text(whole, encoding="utf-8")
    page.wait_for_function("() => !document.querySelector('.note, aside .rows .stale')")
    wait_for_stat(page, "ap", 4)


# 5 what comes and goes


def test_a_card_that_is_renamed_offers_its_new_id_and_one_that_is_deleted_says_so(visits: Visits) -> None:
    page = open_card(visits)
    visits.preview.edit(OWLS, "- id: viper ", "- id: adder ")
    page.get_by_text("viper is no longer in the project.").wait_for()
    assert page.evaluate("location.hash") == "#/card/viper"
    row(page, "adder").wait_for()
    assert row(page, "viper").count() == 0
    page.locator(".note.gone").get_by_role("link", name="adder").click()
    page.wait_for_function("() => location.hash === '#/card/adder'")
    wait_for_stat(page, "ap", 4)
    path = visits.preview.file(OWLS)
    text = path.read_text(encoding="utf-8")
    begin, end = text.index("  - id: adder"), text.index("  - id: hawk")
    visits.allow("\\b404\\b")  # the card may be asked for in the moment in which it goes
    path.write_text(text[:begin] + text[end:], encoding="utf-8")
    page.get_by_text("adder is no longer in the project.").wait_for()
    assert len(names(page)) == CARDS - 1


def test_files_that_are_added_are_seen(visits: Visits) -> None:
    page = open_card(visits)
    shown = face(page)
    more = visits.preview.file("more.yaml")
    card = "cards:\n  - id: quick-shot\n    kind: attack\n    name: {en: Quick shot, de: Schnellschuss}\n"
    more.write_text(f"{card}    effect: when attacking, self gets +1 AP.\n", encoding="utf-8")
    row(page, "quick-shot").wait_for()
    assert len(names(page)) == CARDS + 1
    assert page.evaluate("location.hash") == "#/card/viper"
    art = visits.preview.file("art/viper.svg")
    shutil.copyfile(visits.preview.file("art/hawk.svg"), art)
    wait_for_another_face(page, shown)


def test_a_template_that_breaks_is_told_and_the_last_good_picture_stays(visits: Visits) -> None:
    page = open_card(visits)
    before = picture(page).evaluate("image => image.src")
    template = visits.preview.file("templates/operator.html.jinja")
    template.parent.mkdir()
    template.write_text("<div>{{ card.name </div>", encoding="utf-8")
    page.locator(".finding", has_text="template-error").wait_for()
    row(page, "viper").get_by_title("cannot be printed").wait_for()
    page.get_by_role("button", name="not printed").wait_for()
    assert picture(page).is_visible()
    assert picture(page).evaluate("image => image.naturalWidth") == DOTS[0]
    template.unlink()
    page.locator(".finding", has_text="template-error").wait_for(state="detached")
    page.wait_for_function("before => document.querySelector('.look .paper img').src === before", arg=before)


def test_a_project_that_begins_while_the_page_waits(
    browser: Any, make_preview: Callable[..., Preview], tmp_path: Path
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    preview = make_preview(folder)
    visits = Visits(browser, preview)
    page = visits.open()
    page.get_by_text("No project here").wait_for()
    (folder / "opforge.yaml").write_text("project: Later\nlanguages: [en]\n", encoding="utf-8")
    page.get_by_role("heading", name="Later").wait_for()
    visits.close()
    assert visits.unexpected() == []


# 9 windows


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 768, 1024, 1440])
def test_nothing_scrolls_sideways(
    visits: Visits, screenshot: Callable[[Any, str], Path], width: int, theme: str
) -> None:
    page = open_card(visits, size=(width, 900 if width > 700 else 780), theme=theme)
    for place in PLACES:
        go(page, place)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, place
        wide = page.evaluate(
            """() => [...document.querySelectorAll('.content, aside.list, .head, .strip, .tabs')]
            .filter(one => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'none')
            .map(one => one.className || one.tagName)"""
        )
        assert wide == [], place
        screenshot(page, f"{width}-{theme}{place.replace('/', '-').replace('?', '-')}")


def test_a_narrow_window_shows_the_list_and_then_the_card_as_a_page(visits: Visits) -> None:
    page = visits.open(size=(390, 780))
    assert not page.locator(".content").is_visible()
    row(page, "aimed-shot").locator("a").click()
    picture(page).wait_for()
    assert not page.locator("aside.list").is_visible()
    page.locator(".head .back").click()
    row(page, "aimed-shot").wait_for()
    assert not page.locator(".content").is_visible()


# 10, 11 the server and many tabs


def test_a_tab_goes_on_when_the_server_was_gone(visits: Visits) -> None:
    visits.allow(r"ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED|EMPTY_RESPONSE)|\b503\b")
    page = open_card(visits)
    page.evaluate("window.same = true")
    page.locator(".live.on").wait_for()
    visits.preview.stop()
    page.locator(".live.off").get_by_text("not connected, trying again").wait_for()
    assert picture(page).is_visible()
    assert len(names(page)) == CARDS
    visits.preview.edit(OWLS, "ap: 4", "ap: 6")
    visits.preview.start()
    page.locator(".live.on").wait_for()
    wait_for_stat(page, "ap", 6)
    assert page.evaluate("window.same")
    visits.preview.edit(OWLS, "ap: 6", "ap: 4")
    wait_for_stat(page, "ap", 4)


def test_eight_tabs_share_a_stream_and_the_next_takes_over(visits: Visits) -> None:
    pages = [open_card(visits) for _ in range(8)]
    for page in pages:
        page.locator(".live.on").wait_for()
    visits.preview.edit(OWLS, "ap: 4", "ap: 5")
    for page in pages:
        wait_for_stat(page, "ap", 5)
    pages.pop(0).close()
    visits.preview.edit(OWLS, "ap: 5", "ap: 6")
    for page in pages:
        wait_for_stat(page, "ap", 6)


def test_another_tab_gets_the_key_from_the_first(visits: Visits) -> None:
    first = open_card(visits)
    assert first.evaluate("location.hash") == "#/card/viper"
    second = first.context.new_page()
    visits.watch(second)
    second.goto(f"{visits.preview.origin}/#/card/hawk")
    picture(second).wait_for()
    first.close()
    second.close()
    alone = visits.browser.new_page()
    alone.goto(f"{visits.preview.origin}/")
    alone.get_by_text("This page needs its key").wait_for()
    assert alone.locator(".rows li").count() == 0
    alone.close()


# 12 many cards


def test_five_thousand_cards(browser: Any, make_preview: Callable[..., Preview], tmp_path: Path) -> None:
    made = build(tmp_path / "large", 5000)
    visits = Visits(browser, make_preview(tmp_path / "large"), patience=180)
    page = visits.open()
    rows = page.locator("aside .rows li:not([hidden])")
    assert rows.count() > made
    page.keyboard.press("/")
    page.keyboard.type("viper-17")
    page.wait_for_function("() => document.querySelectorAll('aside .rows li:not([hidden])').length < 20")
    assert names(page)[0] == "Viper"
    page.get_by_role("searchbox").fill("")
    last = rows.last
    last.scroll_into_view_if_needed()
    last.locator("a").click()
    picture(page).wait_for()
    assert page.evaluate("location.hash").endswith(str(last.get_attribute("data-id")))
    visits.close()
    assert visits.unexpected() == []


# 15 names of strangers


def test_names_are_only_text(visits: Visits) -> None:
    page = open_card(visits)
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    visits.preview.edit(OWLS, "name: Viper", f"name: '{hostile}'")
    page.wait_for_function(
        "name => document.querySelector('.facts h2').textContent.includes(name)", arg=hostile
    )
    assert row(page, "viper").locator(".name").inner_text() == hostile
    assert page.locator("img[src='x']").count() == 0
    for name in ("نص من اليمين", "x" * 200):
        text = visits.preview.file(OWLS).read_text(encoding="utf-8")
        begin = text.index("    name: '")
        end = text.index("\n", begin)
        visits.preview.edit(OWLS, text[begin:end], f"    name: '{name}'")
        page.wait_for_function(
            "name => document.querySelector('.facts h2').textContent.includes(name)", arg=name
        )
        assert page.evaluate("document.documentElement.scrollWidth") <= 1440
        wide = """() => [...document.querySelectorAll('.content, aside.list')]
            .some(one => one.scrollWidth > one.clientWidth)"""
        assert not page.evaluate(wide)
        visits.preview.edit(OWLS, f"    name: '{name}'", text[begin:end])
        page.wait_for_function(
            "name => document.querySelector('.facts h2').textContent.includes(name)", arg=hostile
        )


# 17 for everybody


def test_the_keyboard_alone(visits: Visits) -> None:
    page = open_card(visits, "/card/viper?team=night-owls")
    page.keyboard.press("j")
    page.wait_for_function("() => location.hash.startsWith('#/card/hawk')")
    page.keyboard.press("k")
    page.wait_for_function("() => location.hash.startsWith('#/card/viper')")
    page.keyboard.press("2")
    page.wait_for_selector(".rules-tab")
    page.keyboard.press("1")
    page.keyboard.press("l")
    page.wait_for_function("() => document.querySelector('.facts h3')?.textContent === 'Feuerschutz'")
    page.keyboard.press("b")
    page.get_by_role("button", name="back", pressed=True).wait_for()
    page.keyboard.press("b")
    page.keyboard.press("z")
    page.get_by_role("button", name="200 %", pressed=True).wait_for()
    page.keyboard.press("f")
    page.get_by_role("button", name="follow", pressed=True).wait_for()
    page.keyboard.press("/")
    page.keyboard.type("jkb")
    assert page.get_by_role("searchbox").input_value() == "jkb"
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.wait_for_function("() => location.hash.startsWith('#/card?')")
    page.keyboard.press("?")
    page.get_by_role("dialog").wait_for()
    page.get_by_label("single letters are keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    assert page.evaluate("location.hash").startswith("#/card?")


def test_tab_reaches_a_card_and_arrows_the_next_without_moving_the_focus_away(visits: Visits) -> None:
    page = visits.open()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("Boolean(document.activeElement.closest('aside .rows'))"):
            break
    assert page.evaluate("document.activeElement.textContent.trim()").startswith("Aimed shot")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => document.activeElement.textContent.trim().startsWith('Double tap')")
    page.keyboard.press("Enter")
    picture(page).wait_for()
    assert page.evaluate("document.activeElement.textContent.trim()").startswith("Double tap")
    visits.preview.edit("attack.yaml", "name: {en: Double tap", "name: {en: Double trap")
    page.wait_for_function("() => document.activeElement.textContent.trim().startsWith('Double trap')")


AUDIT = Path(__file__).with_name("audit.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_names_of_controls_headings_contrast_and_size_of_letters(
    visits: Visits, screenshot: Callable[[Any, str], Path], theme: str
) -> None:
    page = open_card(visits, theme=theme)
    for place in PLACES:
        go(page, place)
        assert page.evaluate(AUDIT) == [], place
    go(page, "/card/viper")
    visits.preview.edit(OWLS, EFFECT, EFFECT.replace("AP.", "APP."))
    visits.preview.edit("attack.yaml", "+2 AP.", "+0 AP.")
    page.locator(".finding").first.wait_for()
    assert page.evaluate(AUDIT) == [], "findings"
    page.keyboard.press("?")
    assert page.evaluate(AUDIT) == [], "help"
    screenshot(page, f"help-{theme}")


def test_moving_things_stand_still_where_that_is_wanted(visits: Visits) -> None:
    page = open_card(visits)
    moving = """[...document.querySelectorAll('a, button')]
        .some(one => getComputedStyle(one).transitionDuration !== '0s')"""
    assert page.evaluate(moving)
    page.emulate_media(reduced_motion="reduce")
    assert not page.evaluate(moving)


def test_nothing_is_readable_without_the_key(preview: Preview) -> None:
    page = urlopen(f"{preview.origin}/").read()
    assert b"Viper" not in page
    assert b"Night Exercise" not in page
    request = Request(f"{preview.origin}/api/state")
    with pytest.raises(OSError, match="401"):
        urlopen(request)
