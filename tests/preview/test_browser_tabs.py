"""The tabs Bench, Sheet and Changes of ``opforge preview``, and values that are tried, in a real browser."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.preview.conftest import Preview, Visits
from toolkit.resources import cards_folder

NIGHT_OWLS = "operators/night-owls.yaml"


def opforge(folder: Path, *arguments: str) -> tuple[int, str]:
    """Exit status and output of the command, run in the project."""
    command = [sys.executable, "-m", "toolkit", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def played(page: Any) -> None:
    """Wait until what is set on the bench has been played."""
    page.wait_for_selector(".bench-result[aria-busy=false] .verdict")


def pick(page: Any, label: str, words: str) -> None:
    """Choose from a list with the mouse."""
    box = page.get_by_role("combobox", name=label, exact=True)
    box.click()
    box.fill(words)
    page.get_by_role("listbox", name=label, exact=True).get_by_role("option").first.click()
    assert box.get_attribute("aria-expanded") == "false"
    played(page)


def press(page: Any, group: str, button: str) -> None:
    """Press a button of a group with the mouse."""
    page.get_by_role("group", name=group).get_by_role("button", name=button).click()
    played(page)


def die(page: Any, name: str, result: int) -> None:
    page.get_by_role("radiogroup", name=name, exact=True).get_by_role("radio", name=str(result)).click()
    played(page)


def sums(page: Any) -> list[str]:
    """The two sums as they are read, with an ordinary minus."""
    found: list[str] = page.locator(".sum").all_inner_texts()
    return [" ".join(text.replace("−", "-").split()) for text in found]


def trace(page: Any) -> list[tuple[str, str]]:
    """Rule and numbers of each line of the trace."""
    lines = page.locator(".trace .line")
    found: list[list[str]] = lines.evaluate_all(
        """lines => lines.map(line => [line.querySelector(".rule").textContent,
             line.querySelector(".line-numbers")?.textContent.trim() ?? ""])"""
    )
    return [(rule, numbers) for rule, numbers in found]


def lines_of(attack: dict[str, Any]) -> list[tuple[str, str]]:
    """The same of ``opforge attack --format json``; that the ATTACK is performed is no line of the page."""
    found = []
    for step in attack["steps"]:
        if step["name"] == "Before MODIFY" and all(entry["kind"] == "event" for entry in step["entries"]):
            continue
        for entry in step["entries"]:
            numbers = ""
            if entry["stat"] and entry["before"] is not None and entry["after"] is not None:
                numbers = f"{entry['before']} → {entry['after']}"
            found.append((entry["rule"], numbers))
    return found


def set_up(page: Any) -> None:
    """A SUPPRESSED viper beside hawk, with Aimed shot, against bishop with Hard cover; dice 6 and 2."""
    pick(page, "OPERATOR at blue 1", "viper")
    page.get_by_role("button", name="blue 2: empty").click()
    pick(page, "OPERATOR at blue 2", "hawk")
    page.locator('[data-slot="red-0"]').click()
    pick(page, "OPERATOR at red 1", "bishop")
    page.locator('[data-slot="blue-0"]').click()
    press(page, "HITCOUNTER of Viper", "more")
    pick(page, "attacker", "hawk")
    pick(page, "attacker", "viper")
    pick(page, "ATTACK card", "aimed shot")
    pick(page, "DEFENCE card", "hard cover")
    die(page, "ATTACK D6", 6)
    die(page, "DEFENCE D6", 2)


def test_the_bench_by_mouse_is_what_the_command_plays_and_copies_a_scenario_that_passes(
    visits: Visits, preview: Preview
) -> None:
    page = visits.open("/bench/viper")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    played(page)
    set_up(page)
    assert sums(page)[0] == "AP 11 = VALUE 4 ÷ 2 SUPPRESSION + 1 TEAMWORK + 2 Aimed shot + 6 ATTACK D6"
    page.get_by_role("radio", name="double").click()
    played(page)
    expected = "AP 7 = VALUE 4 × 2 CRITICAL ÷ 2 SUPPRESSION + 1 TEAMWORK + 2 Aimed shot"
    assert sums(page) == [expected, "EP 7 = VALUE 3 + 2 Hard cover + 2 DEFENCE D6"]
    assert "Miss" in page.locator(".verdict").inner_text()
    shown = trace(page)

    page.get_by_role("button", name="copy as scenario").click()
    page.get_by_text("copied", exact=True).wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    file = preview.file("scenarios/copied.yaml")
    file.write_text(copied, encoding="utf-8")
    status, _ = opforge(preview.folder, "test", "scenarios/copied.yaml")
    assert status == 0
    options = ("--attack-card", "aimed-shot", "--defence-card", "hard-cover", "--dice", "6,2")
    status, output = opforge(
        preview.folder, "attack", "viper", "bishop", "--scenario", "scenarios/copied.yaml", *options,
        "--critical", "double", "--format", "json",
    )  # fmt: skip
    attack = json.loads(output)
    assert status == 0
    assert [attack["sums"][stat]["text"] for stat in ("ap", "ep")] == sums(page)
    assert lines_of(attack) == shown


def test_a_term_of_a_sum_lights_its_line_which_leads_to_its_sentence(visits: Visits) -> None:
    page = visits.open("/bench/viper")
    played(page)
    set_up(page)
    page.get_by_role("button", name="+ 2 Aimed shot").hover()
    lit = page.locator(".line[data-lit]")
    assert lit.count() == 1
    assert "self gets +2 AP" in lit.inner_text().replace("\n", " ")
    page.locator("h1").hover()
    assert lit.count() == 0
    page.get_by_role("button", name="÷ 2 SUPPRESSION").focus()
    assert "halves AP" in lit.inner_text()
    page.locator(".line", has_text="Aimed shot").get_by_role("link").first.click()
    page.locator(".rules-tab [data-part=effect].marked").wait_for()
    assert page.evaluate("location.hash").startswith("#/rules/aimed-shot")


def test_the_bench_says_what_a_save_changed_and_keeps_its_place(visits: Visits, preview: Preview) -> None:
    page = visits.open("/bench/viper")
    played(page)
    set_up(page)
    page.get_by_role("combobox", name="ATTACK card", exact=True).focus()
    preview.edit(NIGHT_OWLS, "ap: 4", "ap: 8", by_renaming=True)
    page.locator(".bench-news").wait_for()
    told = page.locator(".bench-news .change").all_inner_texts()
    assert told[:2] == ["AP 11 → 13", "damage 4 → 6"]
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "ATTACK card"
    assert sums(page)[0].startswith("AP 13 = VALUE 8 ÷ 2 SUPPRESSION")


def test_the_bench_plays_the_last_good_state_of_a_broken_file(visits: Visits, preview: Preview) -> None:
    page = visits.open("/bench/viper")
    played(page)
    pick(page, "OPERATOR at blue 1", "viper")
    shown = sums(page)
    preview.edit(NIGHT_OWLS, "ap: 4", "ap: [4")
    page.locator(".bench-stale", has_text="last good state").wait_for()
    assert sums(page) == shown
    preview.edit(NIGHT_OWLS, "ap: [4", "ap: 6")
    page.locator(".bench-news").wait_for()
    assert page.locator(".bench-stale").count() == 0
    assert sums(page)[0].startswith("AP 7 = VALUE 6")


def tab_to(page: Any, label: str) -> None:
    """Press Tab until the control of that name has the focus."""
    for _ in range(200):
        page.keyboard.press("Tab")
        name = page.evaluate(
            "(document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent).trim()"
        )
        if name == label:
            return
    pytest.fail(f"Tab never reaches {label!r}")


def test_the_bench_by_keyboard_alone_up_to_a_refusal(visits: Visits) -> None:
    page = visits.open("/card/viper")
    page.locator("h2", has_text="Viper").wait_for()
    keyboard = page.keyboard
    keyboard.press("3")
    played(page)

    def choose(label: str, words: str) -> None:
        tab_to(page, label)
        keyboard.type(words)
        keyboard.press("Enter")
        played(page)

    keyboard.press("Tab")
    for _ in range(200):
        if page.evaluate("document.activeElement.dataset.slot"):
            break
        keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.slot") == "blue-0"
    keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.slot") == "red-0"
    choose("OPERATOR at red 1", "bishop")
    choose("attacker", "viper")
    choose("target", "bishop")
    choose("ATTACK card", "aimed")
    for _ in range(10):
        keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('[role=radiogroup]')?.getAttribute('aria-label')"):
            break
    keyboard.press("3")
    played(page)
    assert page.evaluate("location.hash").startswith("#/bench")
    keyboard.press("ArrowRight")
    keyboard.press("Tab")
    keyboard.press("2")
    played(page)
    assert sums(page) == ["AP 10 = VALUE 4 + 2 Aimed shot + 4 ATTACK D6", "EP 5 = VALUE 3 + 2 DEFENCE D6"]

    for _ in range(200):  # back to the FIELD
        keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.dataset.slot"):
            break
    keyboard.press("ArrowRight")
    keyboard.press("ArrowRight")
    choose("OPERATOR at red 3", "bishop")  # who moves there, out of RANGE
    refused = page.locator(".verdict.refused").inner_text()
    assert "R-1" in refused
    assert "not in RANGE" in refused


def test_a_refusal_names_the_effect_that_forbids(visits: Visits, preview: Preview) -> None:
    skill = "when attacking, if target is not opposite self, self gets +2 AP."
    preview.edit("operators/gambit.yaml", skill, "self cannot be attacked.")
    page = visits.open("/bench/viper")
    played(page)
    pick(page, "OPERATOR at blue 1", "viper")
    page.locator('[data-slot="red-0"]').click()
    pick(page, "OPERATOR at red 1", "bishop")
    refused = page.locator(".verdict.refused")
    refused.wait_for()
    assert "cannot be attacked" in refused.locator("q").inner_text()


def test_the_bench_begins_as_a_scenario(visits: Visits) -> None:
    page = visits.open("/bench")
    played(page)
    pick(page, "begin as scenario", "two places to the side is out of RANGE")
    page.locator(".verdict.refused").wait_for()
    assert page.locator('[data-slot="red-2"]').get_attribute("aria-label") == "red 3: Bishop, is attacked"


def test_the_sheet_is_saved_as_the_command_writes_it_and_a_slot_opens_its_card(
    visits: Visits, preview: Preview, tmp_path: Path
) -> None:
    page = visits.open("/sheet")
    page.get_by_label("kind").last.select_option("item")
    page.get_by_label("cut marks").select_option("corners")
    page.get_by_role("button", name="low ink").click()
    command = (
        "sheet",
        "-o",
        str(tmp_path / "sheet.pdf"),
        "--kind",
        "item",
        "--marks",
        "corners",
        "--low-ink",
    )
    status, _ = opforge(preview.folder, *command)
    assert status == 0
    page.locator(".pages:not(.busy)").wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="save PDF").click()
    assert download.value.path().read_bytes() == (tmp_path / "sheet.pdf").read_bytes()
    assert download.value.suggested_filename == "Night Exercise.pdf"

    picture = page.get_by_role("img", name="Page 1", exact=True)
    while not picture.evaluate("one => one.complete && one.naturalWidth > 0"):
        page.wait_for_timeout(50)
    page.get_by_role("group", name="Cards of page 1").get_by_role("link", name="Bipod").first.click()
    page.locator("h2", has_text="Bipod").wait_for()
    assert page.evaluate("location.hash").startswith("#/card/bipod")


def test_the_changes_since_a_revision_are_those_of_the_command_with_both_faces(
    browser: Any, make_preview: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "repository"
    shutil.copytree(cards_folder(), folder)
    identity = ("-c", "user.name=designer", "-c", "user.email=designer@example.org")
    for arguments in (("init", "-q"), ("add", "."), (*identity, "commit", "-qm", "first")):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    preview = make_preview(folder)
    preview.edit(NIGHT_OWLS, "ap: 4", "ap: 5")
    preview.edit(NIGHT_OWLS, "self gets +2 AP.", "self gets +3 AP.")
    visits = Visits(browser, preview)
    page = visits.open("/changes/viper")
    page.locator(".compared .stats").wait_for()
    status, output = opforge(folder, "changes", "HEAD", "--format", "json")
    assert status == 0
    assert [card["id"] for card in json.loads(output)["cards"]] == ["viper"]
    assert page.locator(".changed-cards summary b").all_inner_texts() == ["Viper"]
    assert "4 → 5" in page.locator(".compared .stats").inner_text()
    english = page.locator(".text-diff[lang=en]")
    assert (english.locator("del").inner_text(), english.locator("ins").inner_text()) == ("+2", "+3")
    assert page.locator(".text-diff[lang=de]").count() == 1
    pictures = page.locator(".faces.pair img")
    before, now = (pictures.nth(number).get_attribute("src") for number in (0, 1))
    assert before != now
    page.get_by_role("button", name="slider").click()
    page.get_by_role("slider").fill("100")
    clip = "one => getComputedStyle(one).clipPath"
    assert page.locator(".slider .over img").last.evaluate(clip) == "inset(0px 0px 0px 0%)"
    assert visits.unexpected() == []
    visits.close()


def test_a_value_is_tried_completed_and_written_after_its_diff(visits: Visits, preview: Preview) -> None:
    page = visits.open("/rules/viper")
    before = preview.file(NIGHT_OWLS).read_text("utf-8")
    page.get_by_role("button", name="try another effect of skill 1").click()
    field = page.get_by_label("try effect of skill 1")
    field.fill("when attacking, self gets +4 A")
    field.press("Control+Space")
    page.get_by_role("option", name="AP").first.wait_for()
    field.press("ArrowDown")
    field.press("Enter")
    assert field.input_value().strip() == "when attacking, self gets +4 AP"
    field.fill("when attacking, self gets +4 APP.")
    finding = page.locator(".try-findings pre", has_text="APP")
    finding.wait_for()
    line, carets = finding.inner_text().split("\n")
    assert line[carets.index("^") : carets.rindex("^") + 1] == "APP"
    field.fill("when attacking, self gets +4 AP.")
    page.locator(".rules-tab .texts", has_text="When it attacks: +4 AP.").wait_for()
    assert "1 value tried, not in the file" in page.locator(".try-banner").inner_text()

    page.keyboard.press("Escape")
    page.evaluate("location.hash = '#/bench/viper'")
    played(page)
    pick(page, "OPERATOR at blue 1", "viper")
    assert "+ 4 Overwatch" in sums(page)[0].replace("−", "-")
    assert preview.file(NIGHT_OWLS).read_text("utf-8") == before

    page.get_by_role("button", name="write effect of skill 1").click()
    diff = page.get_by_label("diff").inner_text()
    assert "+        effect: when attacking, self gets +4 AP." in diff
    assert preview.file(NIGHT_OWLS).read_text("utf-8") == before
    page.get_by_role("button", name="write to the file").click()
    page.locator(".try-banner").wait_for(state="detached")
    old = "effect: when attacking, if target is SUPPRESSED, self gets +2 AP."
    new = "effect: when attacking, self gets +4 AP."
    assert preview.file(NIGHT_OWLS).read_text("utf-8") == before.replace(old, new)


def test_a_value_whose_file_has_changed_is_shown_again_before_it_is_written(
    visits: Visits, preview: Preview
) -> None:
    page = visits.open("/card/viper")
    page.get_by_role("button", name="try another AP").click()
    page.get_by_label("try AP").fill("7")
    page.get_by_role("button", name="write AP").click()
    page.get_by_label("diff").wait_for()
    preview.edit(NIGHT_OWLS, "ap: 4", "ap: 3")
    page.get_by_role("alert").wait_for()
    assert "has changed" in page.get_by_role("alert").inner_text()
    assert "-    ap: 3" in page.get_by_label("diff").inner_text()
    page.get_by_role("button", name="drop AP").click()
    page.locator(".try-banner").wait_for(state="detached")
    assert "ap: 3" in preview.file(NIGHT_OWLS).read_text("utf-8")
    page.locator(".stats .ap dd", has_text="3").wait_for()


def test_a_certain_fix_is_written_after_its_diff(visits: Visits, preview: Preview) -> None:
    page = visits.open("/card/viper")
    before = preview.file(NIGHT_OWLS).read_text("utf-8")
    preview.edit(
        NIGHT_OWLS, "when attacking, if target is SUPPRESSED", "when attackin, if target is SUPPRESSED"
    )
    page.get_by_role("button", name="fix …").click()
    assert "+        effect: when attacking, if target" in page.get_by_label("diff").inner_text()
    assert "when attackin, if" in preview.file(NIGHT_OWLS).read_text("utf-8")
    page.get_by_role("button", name="write to the file").click()
    page.locator(".finding").wait_for(state="detached")
    assert preview.file(NIGHT_OWLS).read_text("utf-8") == before
