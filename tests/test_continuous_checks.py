"""A project that is checked again after each save says what one that is read for the first time says."""

from __future__ import annotations

import gc
import json
from collections.abc import Sequence
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.thoroughness import THOROUGH, examples
from toolkit.apps.cli.continuous_checks import ContinuousChecks, WatchRequest, WatchState
from toolkit.diagnostics.reporters import as_data
from toolkit.play.scenarios.reports import result_data
from toolkit.project.output import Outcome, Refusal
from toolkit.resources import starter_folder

MORE = """
  - name: Brock alone
    field: {blue: [brock, ~], red: [brock, ~]}
    do: [{action: attack, by: blue.brock, on: red.brock, dice: [2, 3]}]
    expect: {attack: {ap: 5, ep: 6}}
  - name: Kestrel swats
    field: {blue: [kestrel, ~], red: [brock, ~]}
    hands: {blue: [swat]}
    do: [{action: attack, by: kestrel, on: brock, attack_card: swat, dice: [2, 3]}]
    expect: {attack: {ap: 6}}
"""

CARDS = """
  - id: moth
    kind: operator
    name: Moth
    team: harriers
    squadpoints: 4
    ap: 3
    ep: 3
    dp: 3
    mp: 3
    traits: [nimble]
    skills: [{name: Flight, effect: "while attacked, self gets +2 EP."}]
  - id: swat
    kind: attack
    name: Swat
    effect: while attacking, if target has trait "nimble", self gets +4 AP.
"""

EDITS = (
    ("cards.yaml", "ap: 4", "ap: 5"),
    ("cards.yaml", "    ap: 3", "    ap: x"),
    ("cards.yaml", "  - id: kestrel\n", "  # a line more\n\n  - id: kestrel\n"),
    ("cards.yaml", "gets +2 EP.\n\n", "gets +3 EP.\n\n"),
    ("cards.yaml", "self gets +1 AP.\n", "self gets +1 APP.\n"),
    ("cards.yaml", "en: Aimed shot,", "en: " + "A very long name of a card " * 3 + ","),
    ("cards.yaml", "  - id: sandbags\n    kind: defence", "  - id: sandbag\n    kind: defence"),
    ("cards.yaml", "  - id: brock\n    kind", "  - id: brock\n  kind"),
    ("cards.yaml", "traits: [nimble]", "traits: [slow]"),
    (
        "game.yaml",
        "teamwork: while attacking, self gets +1 AP.",
        "teamwork: while attacking, self gets +2 AP.",
    ),
    ("game.yaml", "stacking: layered", "stacking: stepwise"),
    ("game.yaml", "modes:\n", "modes: [\n"),
    ("teams.yaml", "Badgers", "Honey badgers"),
    ("scenarios.yaml", "ap: 12, ep: 10", "ap: 12, ep: 11"),
    ("scenarios.yaml", "on: brock", "at: brock"),
    ("scenarios.yaml", "scenarios:\n", "# a comment\nscenarios:\n"),
    ("opforge.yaml", "ruleset: core\n", "ruleset: cor\n"),
    ("opforge.yaml", "paper: a4", "type_floor: 9"),
)
"""What a designer may do: file, text, and what is written instead of it; or back again."""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("cache"))


@pytest.fixture(autouse=True)
def _cache(cache: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", cache)


def starter(folder: Path) -> Path:
    root = folder / "starter"
    copytree(starter_folder(), root)
    for name, more in (("scenarios.yaml", MORE), ("cards.yaml", CARDS)):
        with (root / name).open("a", encoding="utf-8") as file:
            file.write(more)
    return root.resolve()


def edit(root: Path, number: int) -> Path:
    """Make an edit, or take it back if it was made."""
    name, before, after = EDITS[number]
    text = (root / name).read_text("utf-8")
    old, new = (after, before) if after in text else (before, after)
    assert old in text, EDITS[number]
    (root / name).write_text(text.replace(old, new, 1), "utf-8")
    return root / name


def last(checks: ContinuousChecks) -> WatchState:
    *_, state = checks.run()
    assert state.next_stage == ""
    return state


def said(state: WatchState) -> dict[str, Any]:
    """All that a state says, as plain data."""
    tests = state.tests
    assert tests is not None
    results = sorted(json.dumps([result_data(one), *one.trace]) for one in tests.failed)
    return {
        "report": as_data(state.report),
        "tests": [tests.passed, results, tests.not_played, list(tests.files)],
        "problem": state.problem,
        "exit_status": state.exit_status,
    }


def fresh(root: Path, request: WatchRequest) -> dict[str, Any]:
    checks = ContinuousChecks(root, request)
    checks.read()
    return said(last(checks))


@examples(40)
@given(edits=st.lists(st.integers(0, len(EDITS) - 1), min_size=1, max_size=6))
def test_after_any_edits_all_is_as_if_it_were_new(
    tmp_path_factory: pytest.TempPathFactory, edits: Sequence[int]
) -> None:
    root = starter(tmp_path_factory.mktemp("edits"))
    request = WatchRequest(fit=False)
    checks = ContinuousChecks(root, request)
    checks.read()
    last(checks)
    for number in edits:
        checks.read([edit(root, number)])
        assert said(last(checks)) == fresh(root, request)


def test_fit_too_after_each_edit_made_and_taken_back(tmp_path: Path) -> None:
    root, request = starter(tmp_path), WatchRequest()
    checks = ContinuousChecks(root, request)
    checks.read()
    at_first = said(last(checks))
    for number in range(0 if THOROUGH else 2, len(EDITS), 1 if THOROUGH else 3):
        checks.read([edit(root, number)])
        made = said(last(checks))
        assert made == fresh(root, request), EDITS[number]
        checks.read([edit(root, number)])
        assert said(last(checks)) == at_first, EDITS[number]


def test_faces_that_changed_are_named_and_only_these(tmp_path: Path) -> None:
    root = starter(tmp_path)
    checks = ContinuousChecks(root, WatchRequest(test=False, fit=False))

    def changed(number: int) -> list[str]:
        checks.read([edit(root, number)])
        return sorted(last(checks).changed_faces)

    checks.read()
    assert last(checks).changed_faces == ()
    faces = {*checks.live.cards.cards, *checks.live.cards.objectives}
    assert changed(0) == ["kestrel"]
    assert changed(2) == []
    assert changed(12) == ["brock"]
    assert changed(17) == sorted(faces)
    (root / "templates").mkdir()
    checks.read([root / "templates"])
    assert last(checks).changed_faces == ()


def test_a_broken_template_and_a_picture_that_is_replaced(tmp_path: Path) -> None:
    root = starter(tmp_path)
    checks = ContinuousChecks(root, WatchRequest(test=False))
    checks.read()
    assert last(checks).exit_status == 0
    template = root / "templates" / "attack.html.jinja"
    template.parent.mkdir()
    template.write_text("{% if %}")
    checks.read([template])
    state = last(checks)
    assert state.report.names["template-error"] == state.report.errors == 1
    assert state.exit_status == 1
    template.unlink()
    checks.read([template])
    assert last(checks).report.errors == 0
    picture = root / "art" / "kestrel.svg"
    picture.write_text(picture.read_text("utf-8") + "<!-- -->\n", "utf-8")
    checks.read([picture])
    assert last(checks).changed_faces == ("kestrel",)


def test_a_dropped_run_leaves_the_rest_to_the_next(tmp_path: Path) -> None:
    root = starter(tmp_path)
    checks = ContinuousChecks(root, WatchRequest())
    checks.read()
    last(checks)
    for number in (0, 5, 13):
        checks.read([edit(root, number)])
        stages = [state.next_stage for state in checks.run(lambda: True)]
        assert "" not in stages
    checks.read()
    assert said(last(checks)) == fresh(root, WatchRequest())


def test_a_card_that_is_gone_or_broken_may_be_half_saved_and_a_mended_one_not(tmp_path: Path) -> None:
    root = starter(tmp_path)
    checks = ContinuousChecks(root, WatchRequest(test=False, fit=False))
    assert checks.read()
    last(checks)
    assert checks.read([edit(root, 0)])
    whole = (root / "cards.yaml").read_text("utf-8")
    (root / "cards.yaml").write_text("")
    assert not checks.read([root / "cards.yaml"])
    (root / "cards.yaml").write_text(whole[: len(whole) // 2])
    assert not checks.read([root / "cards.yaml"])
    (root / "cards.yaml").write_text(whole)
    assert checks.read([root / "cards.yaml"])
    assert not checks.read([edit(root, 4)])
    last(checks)
    assert checks.read([root / "cards.yaml"])
    assert checks.read([edit(root, 4)])


def test_nothing_of_a_run_stays_in_memory(tmp_path: Path) -> None:
    root = starter(tmp_path)
    cards = (root / "cards.yaml").read_text("utf-8")
    always = cards.replace("while attacking, if target is SUPPRESSED, self gets +2 AP.", "self gets +2 AP.")
    (root / "cards.yaml").write_text(always, "utf-8")
    checks = ContinuousChecks(root, WatchRequest(fit=False))

    def objects() -> int:
        checks.read([edit(root, 0)])
        last(checks)
        gc.collect()
        return len(gc.get_objects())

    checks.read()
    last(checks)
    before = [objects() for _ in range(4)][-1]
    assert [objects() for _ in range(20)][-1] < before + 100


def test_the_sheet_replaces_nothing_that_came_there_meanwhile(tmp_path: Path) -> None:
    root, sheet = starter(tmp_path), tmp_path / "sheet.pdf"
    checks = ContinuousChecks(root, WatchRequest(test=False, fit=False, sheet=sheet))
    checks.read()
    sheet.write_text("mine", encoding="utf-8")
    checks.redo(["sheet"])
    *_, state = checks.run()
    assert isinstance(state.sheet, Refusal)
    assert "is not a PDF" in state.sheet.message
    assert sheet.read_text(encoding="utf-8") == "mine"


def test_the_sheet_has_what_changed_since_the_start_or_all(tmp_path: Path) -> None:
    root, sheet = starter(tmp_path), tmp_path / "sheet.pdf"
    checks = ContinuousChecks(root, WatchRequest(test=False, fit=False, sheet=sheet))

    def written() -> str | None:
        state = last(checks)
        assert not isinstance(state.sheet, Refusal)
        return state.sheet.sentence.partition(": ")[2] if isinstance(state.sheet, Outcome) else None

    checks.read()
    assert written() is None
    assert not sheet.exists()
    checks.read([edit(root, 0)])
    assert written() == "1 card on 1 page."
    checks.read([edit(root, 12)])
    assert written() == "2 cards on 1 page."
    checks.read([edit(root, 2)])
    assert written() is None
    checks.read([edit(root, 0)])
    assert written() == "1 card on 1 page."
    checks.redo(["sheet"])
    assert written() == "34 cards on 4 pages."
