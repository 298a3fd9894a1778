"""What the page shows of a project while its files are edited, broken, deleted and mended."""

from __future__ import annotations

import gc
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from tests.thoroughness import examples
from toolkit.apps.cli.preview import EDITORS
from toolkit.apps.preview.card_details import CardDetails, SearchedTexts
from toolkit.apps.preview.snapshot import (
    PreviewOptions,
    Snapshot,
    cards_event,
    initial_snapshot,
    project_snapshot,
)
from toolkit.data.project_files import FolderReader
from toolkit.engine.state_queries import StateQueries
from toolkit.project.live_project import LiveProject
from toolkit.project.pipeline import Workspace
from toolkit.resources import cards_folder, starter_folder

PROJECT = "project: P\nlanguages: [en, de]\n"
CARDS = """cards:
  - id: slam
    kind: attack
    name: {en: Slam, de: Schlag}
    effect: self gets +1 AP.
  - id: duck
    kind: defence
    name: {en: Duck, de: Ducken}
    effect: self gets +2 EP.
"""
OTHERS = """cards:
  - id: aim
    kind: attack
    name: {en: Aim, de: Zielen}
    effect: self gets +2 AP.
objectives:
  - id: hill
    name: {en: Hill, de: Hügel}
    value: 2
"""


class Shown:
    """A project and what is shown of it, state after state, as a session does it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.options = PreviewOptions()
        self.project = LiveProject(root, FolderReader(root))
        self.now = self.whole = initial_snapshot(root, self.options)
        self.settled: Workspace | None = None

    def write(self, name: str, text: str | None) -> None:
        path = self.root / name
        if text is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(text, encoding="utf-8")

    def read(self, *, half_saved: bool = False) -> dict[str, Any] | None:
        """Read again; returns the event. With ``half_saved`` lost cards are not reported yet."""
        before, self.project.reader = self.now, FolderReader(self.root)
        self.project.read()
        self.now = project_snapshot(self.project, self.options, before, self.settled)
        lost = self.now.lost_since(before)
        if lost and half_saved:
            self.now = self.now.with_rows_of(before, lost)
        event = cards_event(before, self.now, self.whole)
        if not (lost and half_saved):
            self.whole, self.settled = self.now, self.project.workspace
        return event

    def card(self, id: str) -> dict[str, Any] | None:
        return CardDetails(self.project, self.now, self.settled).card(id)


@pytest.fixture
def shown(tmp_path: Path) -> Shown:
    shown = Shown(tmp_path)
    shown.write("opforge.yaml", PROJECT)
    shown.write("a.yaml", CARDS)
    shown.write("b.yaml", OTHERS)
    assert shown.read() == {"all": True}
    return shown


def test_rows_are_in_the_order_of_the_files(shown: Shown) -> None:
    assert [*shown.now.rows] == ["slam", "duck", "aim", "hill"]
    row = shown.now.rows["slam"]
    assert row == {
        "id": "slam",
        "kind": "attack",
        "name": {"en": "Slam", "de": "Schlag"},
        "team": None,
        "traits": [],
        "stats": None,
        "squadpoints": None,
        "value": None,
        "quantity": 1,
        "file": "a.yaml",
        "line": 2,
        "errors": 0,
        "warnings": row["warnings"],
        "stale": False,
        "changed": None,
        "unprinted": False,
    }
    assert shown.now.rows["hill"]["kind"] == "objective"
    assert shown.now.rows["hill"]["value"] == 2
    assert shown.now.state["counts"]["cards"] == 4


def test_only_what_changed_is_reported(shown: Shown) -> None:
    assert shown.read() is None
    shown.write("a.yaml", CARDS.replace("{en: Duck,", "{en: Dive,"))
    event = shown.read()
    assert event is not None
    assert [row["id"] for row in event["rows"]] == ["duck"]
    assert event["rows"][0]["name"]["en"] == "Dive"
    assert event["gone"] == []


def test_a_broken_card_keeps_its_last_good_state(shown: Shown) -> None:
    shown.write("a.yaml", CARDS.replace("kind: defence", "kind defence"))
    event = shown.read()
    assert event is not None
    assert event["gone"] == []
    row = shown.now.rows["duck"]
    assert row["stale"]
    assert row["errors"] >= 1
    assert row["name"] == {"en": "Duck", "de": "Ducken"}
    card = shown.card("duck")
    assert card is not None
    assert card["stale"]["since"]
    assert [one["name"] for one in card["stale"]["findings"]] == ["missing-colon"]
    assert (card["place"]["line"], card["effects"][0]["place"]) == (row["line"], None)
    assert card["stale"]["findings"][0]["source"] == [[7, "    kind defence"]]
    assert card["effects"][0]["text"]["en"] == "The OPERATOR bearing this card gets +2 EP."
    shown.write("a.yaml", CARDS)
    assert shown.read() is not None
    mended = shown.card("duck")
    assert mended is not None
    assert mended["stale"] is None
    assert shown.now.last_good == {}


def test_a_file_that_cannot_be_read_keeps_its_cards(shown: Shown) -> None:
    (shown.root / "a.yaml").write_bytes(b"\xff\xfe" + CARDS.encode("utf-16-le"))
    shown.read()
    assert [id for id, row in shown.now.rows.items() if row["stale"]] == ["slam", "duck"]
    card = shown.card("slam")
    assert card is not None
    assert [one["name"] for one in card["stale"]["findings"]] == ["wrong-encoding"]


def test_a_card_that_is_broken_from_the_start_is_listed(tmp_path: Path) -> None:
    shown = Shown(tmp_path)
    shown.write("opforge.yaml", PROJECT)
    shown.write("a.yaml", CARDS.replace("effect: self gets +2 EP.", "effect: [1]\n    quantity: lots"))
    shown.read()
    row = shown.now.rows["duck"]
    assert (row["kind"], row["name"]["de"], row["line"]) == ("defence", "Ducken", 6)
    assert row["stale"]
    assert row["quantity"] is None
    card = shown.card("duck")
    assert card is not None
    assert card["stale"]["since"] is None
    assert card["stale"]["findings"]
    assert card["effects"] == []


def test_an_error_in_an_effect_is_at_its_card_and_keeps_it(shown: Shown) -> None:
    shown.write("a.yaml", CARDS.replace("+1 AP", "+1 APP"))
    shown.read()
    row = shown.now.rows["slam"]
    assert (row["errors"], row["stale"]) == (1, False)
    card = shown.card("slam")
    assert card is not None
    finding = card["findings"][0]
    assert (finding["name"], finding["file"], finding["line"]) == ("unknown-stat", "a.yaml", 5)
    assert finding["source"] == [[5, "    effect: self gets +1 APP."]]
    assert card["effects"][0]["text"] == {}
    assert card["effects"][0]["source"] == "self gets +1 APP."


def test_a_card_that_is_gone_or_has_another_id(shown: Shown) -> None:
    shown.write("a.yaml", CARDS.replace("id: slam", "id: bash"))
    event = shown.read()
    assert event is not None
    assert event["gone"] == ["slam"]
    assert event["renamed"] == {"slam": "bash"}
    assert event["after"] == {"bash": None}
    shown.write("b.yaml", None)
    event = shown.read()
    assert event is not None
    assert event["gone"] == ["aim", "hill"]
    assert "renamed" not in event
    assert shown.card("aim") is None


def test_a_half_saved_file_is_not_reported_and_good_news_is(shown: Shown) -> None:
    shown.write("a.yaml", "")
    shown.write("b.yaml", OTHERS.replace("value: 2", "value: 3"))
    event = shown.read(half_saved=True)
    assert event is not None
    assert [row["id"] for row in event["rows"]] == ["hill"]
    assert event["gone"] == []
    assert shown.now.state["counts"] == shown.whole.state["counts"]
    assert shown.card("slam") is not None
    shown.write("a.yaml", CARDS)
    assert shown.read(half_saved=True) is None
    shown.write("a.yaml", CARDS[: CARDS.index("+2 EP.") + 1])
    assert shown.read(half_saved=True) is None, "its last effect breaks off"
    event = shown.read()
    assert event is not None
    assert [row["id"] for row in event["rows"]] == ["duck"]


def test_a_card_that_was_renamed_in_a_half_saved_moment_has_its_new_id(shown: Shown) -> None:
    shown.write("a.yaml", CARDS.replace("id: slam", "id: bash"))
    first = shown.read(half_saved=True)
    assert first is not None
    assert [row["id"] for row in first["rows"]] == ["bash"]
    then = shown.read()
    assert then is not None
    assert then["renamed"] == {"slam": "bash"}


def test_the_last_good_state_is_the_one_before_a_half_saved_moment(shown: Shown) -> None:
    shown.write("a.yaml", CARDS.replace("kind: defence", "kind defence"))
    shown.read(half_saved=True)
    shown.read()
    card = shown.card("duck")
    assert card is not None
    assert card["effects"][0]["source"] == "self gets +2 EP."


def test_where_a_card_is_used_and_what_of_it_can_be_tried(tmp_path: Path) -> None:
    shutil.copytree(starter_folder(), tmp_path / "p")
    shown = Shown(tmp_path / "p")
    shown.read()
    cards = [shown.card(id) for id in shown.now.rows]
    for card in cards:
        assert card is not None
        for one in card["tries"]:
            place = one["place"]
            text = (shown.root / place["file"]).read_text(encoding="utf-8").split("\n")[place["line"] - 1]
            if isinstance(one["value"], int):
                assert text[place["column"] - 1 : place["end_column"] - 1] == str(one["value"])
    used = {(one["kind"], one["id"]) for card in cards if card for one in card["used_by"]}
    squads = shown.project.cards.squads.values()
    assert {("squad", squad.id) for squad in squads} <= used
    played = CardDetails(shown.project, shown.now)
    named = next(card for card in cards if card and card["scenarios"])
    assert {one["passes"] for one in named["scenarios"]} == {None}
    while played.play_scenarios(named["id"]):
        pass
    found = played.card(named["id"])
    assert found is not None
    assert {one["passes"] for one in found["scenarios"]} == {True}


def test_scenarios_whose_cards_have_errors_are_neither_passed_nor_failed(tmp_path: Path) -> None:
    shutil.copytree(starter_folder(), tmp_path / "p")
    shown = Shown(tmp_path / "p")
    shown.read()
    id = next(one.script.ids().__next__() for one in shown.project.workspace.scenarios)  # type: ignore[union-attr]
    row = shown.now.rows[id]
    path = shown.root / row["file"]
    text = path.read_text(encoding="utf-8")
    start = text.index(f"id: {id}")
    shown.write(row["file"], text[:start] + text[start:].replace(" AP", " APP", 1))
    shown.read()
    assert shown.now.rows[id]["errors"] == 1
    played = CardDetails(shown.project, shown.now)
    while played.play_scenarios(id):
        pass
    found = played.card(id)
    assert found is not None
    assert {one["passes"] for one in found["scenarios"]} == {None}
    assert all(one["skipped"].startswith(f"`{id}` is broken (") for one in found["scenarios"])


def test_search_looks_at_names_texts_and_effects_in_all_languages(shown: Shown) -> None:
    workspace, texts = shown.project.workspace, SearchedTexts()
    assert workspace is not None
    assert texts.search(workspace, "ducken") == ["duck"]
    assert texts.search(workspace, "self GETS") == ["slam", "duck", "aim"]
    assert texts.search(workspace, "this operator +2") == ["duck", "aim"]
    assert texts.search(workspace, "erhält ziel") == ["aim"]
    assert texts.search(workspace, "nothing of it") == []
    assert SearchedTexts().search(workspace, "ducken", limit=1) is None, "the rest is made in the next piece"
    shown.write("a.yaml", CARDS.replace("de: Ducken", "de: Hechten"))
    shown.read()
    assert shown.project.workspace is not None
    assert texts.search(shown.project.workspace, "ducken") == []
    assert texts.search(shown.project.workspace, "hechten") == ["duck"]


def test_editors_get_a_link_with_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "mit Umläuten & {klammern}"
    for editor in ("vscode", "zed", "idea", "subl"):
        state = initial_snapshot(folder, PreviewOptions(editor=editor)).state
        link = state["editor"]["link"]
        assert "Uml%C3%A4uten%20%26%20%7Bklammern%7D/{file}" in link
        assert "{line}" in link
        assert "{column}" in link
    assert initial_snapshot(folder, PreviewOptions()).state["editor"] is None


VERSIONS = (
    *(CARDS, CARDS.replace("+1 AP", "+1 APP"), CARDS.replace("kind: defence", "kind defence"), ""),
    *(CARDS.replace("id: slam", "id: bash"), CARDS.replace("slam", "aim"), CARDS[:60], CARDS[:-20], None),
    *("cards:\n" + CARDS[CARDS.index("  - id: duck") :] + CARDS[7 : CARDS.index("  - id: duck")],),
    *(OTHERS, CARDS + "objectives:\n  - {id: hill, name: H, value: 1}\n", "%", "cards: 3\n"),
)


class List:
    """The list of a page that follows the events."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def follow(self, event: dict[str, Any] | None, now: Snapshot) -> None:
        if event is None:
            return
        if event.get("all"):
            self.rows = list(now.rows.values())
            return
        order = [row["id"] for row in self.rows]
        known = {row["id"]: row for row in self.rows} | {row["id"]: row for row in event["rows"]}
        for row in event["rows"]:
            if row["id"] not in order:
                before = event["after"][row["id"]]
                order.insert(0 if before is None else order.index(before) + 1, row["id"])
        self.rows = [known[id] for id in order if id not in event["gone"]]


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.tuples(
            st.sampled_from(["a.yaml", "b.yaml", "c/d.yaml"]), st.sampled_from(VERSIONS), st.booleans()
        ),
        min_size=1,
        max_size=8,
    )
)
def test_who_follows_the_events_has_the_list_of_who_asks(tmp_path: Path, steps: Any) -> None:
    for name in ("a.yaml", "b.yaml", "c/d.yaml"):
        (tmp_path / name).unlink(missing_ok=True)
    (tmp_path / "c").mkdir(exist_ok=True)
    shown, page = Shown(tmp_path), List()
    shown.write("opforge.yaml", PROJECT)
    page.follow(shown.read(), shown.now)
    for name, text, half_saved in steps:
        shown.write(name, text)
        page.follow(shown.read(half_saved=half_saved), shown.now)
        assert page.rows == list(shown.now.rows.values())
        for id in shown.now.rows:
            assert shown.card(id) is not None


def test_scenarios_that_were_played_leave_nothing_behind() -> None:
    """They are played again after each save, for days."""
    shown = Shown(cards_folder())
    shown.read()

    def boards() -> int:
        CardDetails(shown.project, shown.now).play_scenarios("viper")
        gc.collect()
        return sum(isinstance(one, StateQueries) for one in gc.get_objects())

    assert boards() == boards()


def test_every_editor_of_the_command_has_a_link() -> None:
    for editor in EDITORS:
        shown = initial_snapshot(starter_folder(), PreviewOptions(editor=editor)).state["editor"]
        assert shown is not None, editor
        assert "{file}:{line}" in shown["link"] or "line={line}" in shown["link"], editor
