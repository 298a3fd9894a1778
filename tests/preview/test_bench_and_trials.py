"""The routes of the bench, of trying, completing and writing, as a page asks them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.engine.tables import SHIPPED
from tests.preview.conftest import part_of_shipped
from tests.scenarios.test_bench import SUPPRESSED
from tests.tables.test_tables import contents, run
from toolkit.apps.preview.application import application
from toolkit.apps.preview.session import Session
from toolkit.apps.preview.snapshot import PreviewOptions

OWN = "http://127.0.0.1:8017"
EFFECT = "skills[0].effect"


class Page:
    """What a page asks of a session."""

    def __init__(self, client: TestClient, session: Session) -> None:
        self.client, self.session = client, session
        self.headers = {"Authorization": f"Bearer {session.token}", "Origin": OWN}

    def get(self, path: str, status: int = 200) -> Any:
        return self._answered(self.client.get(path, headers=self.headers), status)

    def post(self, path: str, body: object, status: int = 200) -> Any:
        return self._answered(self.client.post(path, headers=self.headers, json=body), status)

    def _answered(self, response: Any, status: int) -> Any:
        assert response.status_code == status, response.text
        return response.json()

    def try_values(self, *values: tuple[str, str, str | int]) -> Any:
        tries = [dict(zip(("card", "key", "value"), one, strict=True)) for one in values]
        return self.post("/api/try", {"tries": tries})

    def wait_until(self, key: str, value: object, id: str = "viper") -> None:
        """Wait until the list of cards says something."""
        for _ in range(300):
            rows = {row["id"]: row for row in self.get("/api/cards")["cards"]}
            if id in rows and {**rows[id], **(rows[id]["stats"] or {})}[key] == value:
                return
            time.sleep(0.05)
        raise AssertionError(f"{key} of {id} did not become {value}")


def opened(root: Path, **options: Any) -> Iterator[Page]:
    session = Session(root, PreviewOptions(**options))
    session.port = 8017
    with TestClient(application(session), base_url=OWN) as client:
        page = Page(client, session)
        for _ in range(300):
            if page.get("/api/state")["stage"] == "ready":
                break
            time.sleep(0.05)
        yield page


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return part_of_shipped(tmp_path / "cards")


@pytest.fixture
def page(project: Path) -> Iterator[Page]:
    yield from opened(project)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """A page of a project that no test changes."""
    yield from opened(copytree(SHIPPED, tmp_path_factory.mktemp("asked") / "cards"))


def test_the_bench_plays_and_what_is_copied_passes(page: Page, project: Path) -> None:
    data = page.post("/api/bench", {"scenario": SUPPRESSED, "seed": 3})
    assert data["stale"] is None
    (copied := project / "copied.yaml").write_text(data["yaml"], encoding="utf-8")
    run("test", copied)
    placed = [
        entry["origin"]["file"]
        for step in data["steps"]
        for entry in step["entries"]
        if entry["origin"] and entry["origin"]["file"]
    ]
    assert "rulesets.yaml" in placed
    assert all((project / file).is_file() for file in placed)
    again = page.post("/api/bench", {"scenario": data["scenario"]})
    assert again["result"] == data["result"]
    assert again["rolled"] == data["rolled"]


def test_what_the_bench_can_be_begun_from(asked: Page) -> None:
    choices = asked.get("/api/bench")
    assert choices["mode"] == "skirmish"
    assert choices["options"]["stacking"] == ["layered", "stepwise"]
    assert {mode["id"]: mode["field_positions"] for mode in choices["modes"]}["skirmish"] == 4
    for one in choices["scenarios"][::40]:
        assert (
            (SHIPPED / one["file"])
            .read_text()
            .splitlines()[one["line"] - 1]
            .lstrip(" -")
            .startswith("name: ")
        )
        scenario = asked.get("/api/bench?scenario=" + one["name"].replace("+", "%2B"))["scenario"]
        assert "expect" not in scenario
        played = asked.post("/api/bench", {"scenario": scenario})
        assert played["scenario"]["name"] == f"{one['name']} 2"  # so that it can stand in the same file
    assert "no scenario" in asked.get("/api/bench?scenario=nothing", 404)["error"]


def test_a_card_with_a_mistake_is_played_as_it_last_was(page: Page, project: Path) -> None:
    result = page.post("/api/bench", {"scenario": SUPPRESSED})["result"]
    file = project / "operators" / "night-owls.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("self gets +2 AP.", "self gets +2 APP.", 1))
    for _ in range(300):
        if page.get("/api/state")["counts"]["errors"]:
            break
        time.sleep(0.05)
    played = page.post("/api/bench", {"scenario": SUPPRESSED})
    assert [one["name"] for one in played["stale"]["findings"]] == ["unknown-stat"]
    assert played["result"] == result


def test_a_scenario_with_mistakes_is_refused_with_their_places(asked: Page) -> None:
    wrong = {**SUPPRESSED, "hands": {"blue": ["aimd-shot"]}}
    refused = asked.post("/api/bench", {"scenario": wrong}, 422)
    finding = refused["findings"][0]
    assert (finding["name"], finding["file"]) == ("unknown-card", "bench.yaml")
    assert "aimd-shot" in refused["yaml"].splitlines()[finding["line"] - 1]
    assert finding["source"][0][1] in refused["yaml"].splitlines()
    assert asked.post("/api/bench", {"scenario": {"do": [{}] * 200}}, 400)["error"].startswith(
        "The scenario has"
    )
    for body in ({"scenario": 1}, {"scenario": {}, "seed": "x"}, []):
        asked.post("/api/bench", body, 400)
    deep: Any = {"field": 1}
    for _ in range(400):
        deep = {"field": deep}
    asked.post("/api/bench", {"scenario": deep}, 400)


def test_a_broken_card_is_played_as_it_was(page: Page, project: Path) -> None:
    before = page.post("/api/bench", {"scenario": SUPPRESSED})
    file = project / "operators" / "night-owls.yaml"
    text = file.read_text()
    file.write_text(text.replace("ap: 4", "ap: four", 1))
    page.wait_until("stale", True)
    data = page.post("/api/bench", {"scenario": SUPPRESSED})
    assert data["result"] == before["result"]
    assert data["stale"]["findings"][0]["file"] == "operators/night-owls.yaml"
    file.write_text(text.replace("ap: 4", "ap: 6", 1))
    page.wait_until("ap", 6)
    data = page.post("/api/bench", {"scenario": SUPPRESSED})
    assert (data["stale"], data["attacker"]["values"]["ap"]) == (None, 6)


def test_tried_values_are_seen_everywhere_and_nowhere_written(page: Page, project: Path) -> None:
    before = contents(project)
    tried = page.try_values(("viper", EFFECT, "when attacking, self gets +7 AP."), ("viper", "ap", 1))
    assert tried["differs"] == ["viper"]
    assert tried["card"]["stats"]["ap"] == 1
    assert "+7 AP" in tried["card"]["effects"][0]["text"]["en"]
    assert tried["diff"].startswith("--- operators/night-owls.yaml")
    assert [line for line in tried["diff"].splitlines() if line.startswith("+ ")][-1].endswith("+7 AP.")
    trial = tried["trial"]
    assert page.get(f"/api/card/viper?trial={trial}")["effects"] == tried["card"]["effects"]
    on_bench = page.post("/api/bench", {"scenario": SUPPRESSED, "trial": trial})
    assert on_bench["attacker"]["values"]["ap"] == 1
    assert page.post("/api/bench", {"scenario": SUPPRESSED})["attacker"]["values"]["ap"] == 4
    assert page.get("/api/card/viper")["stats"]["ap"] == 4
    assert contents(project) == before


def test_a_trial_survives_a_save(page: Page, project: Path) -> None:
    trial = page.try_values(("viper", "ap", 1))["trial"]
    file = project / "operators" / "night-owls.yaml"
    file.write_text(file.read_text().replace("dp: 6", "dp: 9", 1))
    page.wait_until("dp", 9)
    stats = page.get(f"/api/card/viper?trial={trial}")["stats"]
    assert (stats["ap"], stats["dp"]) == (1, 9)


def test_a_mistake_is_placed_in_the_value(asked: Page) -> None:
    typed = "when attacking, self gets +2 APP."
    tried = asked.try_values(("viper", EFFECT, typed))
    (finding,) = [one for one in tried["findings"] if one["name"] == "unknown-stat"]
    assert (finding["card"], finding["key"]) == ("viper", EFFECT)
    assert typed[finding["offset"] : finding["end_offset"]] == "APP"
    assert tried["card"]["errors"] == 1
    refused = asked.post("/api/write", {"trial": tried["trial"]}, 422)
    assert [one["name"] for one in refused["findings"]] == ["unknown-stat"]
    number = asked.try_values(("viper", "ap", "four"))
    assert [one["name"] for one in number["findings"]] == ["wrong-type"]
    assert number["card"]["stale"] is not None


def test_one_value_is_written_and_read(page: Page, project: Path) -> None:
    before = contents(project)
    trial = page.try_values(("viper", EFFECT, "when attacking,  self gets +3 AP."))["trial"]
    assert page.post("/api/write", {"trial": trial})["written"] == ["operators/night-owls.yaml"]
    after = contents(project)
    assert [name for name in after if after[name] != before[name]] == ["night-owls.yaml"]
    old, new = (texts["night-owls.yaml"].decode().splitlines() for texts in (before, after))
    assert [line for line in new if line not in old] == ["        effect: when attacking, self gets +3 AP."]
    assert len(old) == len(new)
    for _ in range(300):
        if page.get("/api/card/viper")["effects"][0]["source"] == "when attacking, self gets +3 AP.":
            return
        time.sleep(0.05)
    raise AssertionError("the written value was not read")


def test_a_mistake_is_written_on_the_second_click(page: Page, project: Path) -> None:
    trial = page.try_values(("viper", EFFECT, "when attacking, self gets +2 APP."))["trial"]
    page.post("/api/write", {"trial": trial}, 422)
    page.post("/api/write", {"trial": trial, "anyway": True})
    assert "+2 APP." in (project / "operators" / "night-owls.yaml").read_text()


def misspelt(page: Page, project: Path) -> tuple[Path, str, dict[str, Any]]:
    """A word is misspelt in a file: the file, its text before, and how the page asks for the fix."""
    file = project / "operators" / "night-owls.yaml"
    before = file.read_text(encoding="utf-8")
    file.write_text(before.replace("when attacking,", "when attackin,", 1), encoding="utf-8")
    for _ in range(300):
        found = [one for one in page.get("/api/findings")["findings"] if one["fix"]]
        if found:
            return file, before, {key: found[0][key] for key in ("name", "message", "file", "line", "column")}
        time.sleep(0.05)
    raise AssertionError("the mistake was not found")


def test_a_certain_fix_is_shown_and_then_made(page: Page, project: Path) -> None:
    file, before, asked = misspelt(page, project)
    wrong = file.read_text(encoding="utf-8")
    diff = page.post("/api/fix", asked)["diff"]
    lines = [line.strip("+- \n") for line in diff.splitlines() if line.startswith(("+ ", "- "))]
    assert [line.partition(" ")[2][:14] for line in lines] == ["when attackin,", "when attacking"]
    assert file.read_text(encoding="utf-8") == wrong, "it is only shown"
    assert "has changed" in page.post("/api/fix", {**asked, "diff": diff.replace("+", "*")}, 409)["why"]
    assert file.read_text(encoding="utf-8") == wrong
    assert page.post("/api/fix", {**asked, "diff": diff})["written"] == ["operators/night-owls.yaml"]
    assert file.read_text(encoding="utf-8") == before
    assert "no safe fix" in page.post("/api/fix", asked, 422)["error"]


def test_only_what_was_shown_is_fixed(page: Page, project: Path) -> None:
    file, before, asked = misspelt(page, project)
    diff = page.post("/api/fix", asked)["diff"]
    file.write_text(before, encoding="utf-8")
    assert "has changed" in page.post("/api/fix", {**asked, "diff": diff}, 409)["why"]
    assert file.read_text(encoding="utf-8") == before


def test_what_cannot_be_written_is_refused(page: Page, project: Path) -> None:
    two = page.try_values(("viper", "ap", 1), ("viper", "dp", 1))["trial"]
    assert "One value" in page.post("/api/write", {"trial": two}, 422)["error"]
    file = project / "operators" / "night-owls.yaml"
    trial = page.try_values(("viper", "ap", 1))["trial"]
    file.chmod(0o444)
    assert "read-only" in page.post("/api/write", {"trial": trial}, 409)["why"]
    file.chmod(0o644)
    text = file.read_text() + "\n# another hand\n"
    file.write_text(text)
    assert page.post("/api/write", {"trial": trial}, 409)["why"].endswith("it was not changed.")
    assert file.read_text() == text
    file.write_text(text.replace("dp: 6", "dp: 9", 1))
    page.wait_until("dp", 9)  # it was read, and what the page was shown is another difference
    assert "was shown" in page.post("/api/write", {"trial": trial}, 409)["why"]
    assert page.try_values(("viper", "ap", 1))["trial"] == trial
    page.post("/api/write", {"trial": trial})
    assert "dp: 9" in file.read_text()


@pytest.mark.parametrize("swapped", ["operators/night-owls.yaml", "operators", ""])
def test_nothing_is_written_through_a_link_that_came_meanwhile(
    page: Page, project: Path, tmp_path: Path, swapped: str
) -> None:
    tried = page.try_values(("viper", "ap", 9))
    copytree(project, tmp_path / "outside")
    (project / swapped).rename(tmp_path / "moved")
    (project / swapped).symlink_to(tmp_path / "outside" / swapped)
    before = contents(tmp_path / "outside")
    answer = page.client.post("/api/write", headers=page.headers, json={"trial": tried["trial"]})
    assert answer.status_code in (404, 409, 422), answer.text  # as far as the link has been noticed
    assert contents(tmp_path / "outside") == before


def test_a_preview_that_only_reads_writes_nothing(project: Path) -> None:
    before = contents(project)
    for page in opened(project, read_only=True):
        trial = page.try_values(("viper", "ap", 1))["trial"]
        assert "--read-only" in page.post("/api/write", {"trial": trial}, 409)["why"]
        place = {"name": "x", "message": "x", "file": "x", "line": 1, "column": 1}
        assert "--read-only" in page.post("/api/fix", {**place, "diff": ""}, 409)["why"]
        assert page.get("/api/state")["read_only"] is True
    assert contents(project) == before


def test_trials_are_bounded_and_other_keys_refused(asked: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolkit.apps.preview.what_ifs.MAX_TRIALS", 3)
    first = asked.try_values(("viper", "ap", 0))["trial"]
    for number in range(1, 4):
        asked.try_values(("viper", "ap", number))
    assert "not known" in asked.get(f"/api/card/viper?trial={first}", 404)["error"]
    assert asked.try_values()["trial"] is None
    for card, key in (("viper", "id"), ("nobody", "ap"), ("viper", "art"), ("viper", "skills[99].effect")):
        refused = asked.post("/api/try", {"tries": [{"card": card, "key": key, "value": 1}]}, 422)
        assert "cannot be tried" in refused["error"] or "not a value" in refused["error"]
    many = [{"card": "viper", "key": "ap", "value": 1}] * 60
    asked.post("/api/try", {"tries": many}, 422)
    asked.post("/api/try", {"tries": [{"card": "viper", "key": "name", "value": "x" * 100_000}]}, 422)
    for body in (
        {"tries": 1},
        {"tries": [{"card": 1}]},
        {"tries": [{"card": "viper", "key": "ap", "value": None}]},
    ):
        asked.post("/api/try", body, 400)
    asked.post("/api/write", {"trial": "../../etc/passwd"}, 404)


def test_an_effect_is_completed(asked: Page) -> None:
    text = "when attacking, self ge"
    body = {"card": "viper", "key": EFFECT, "text": text, "offset": len(text)}
    found = asked.post("/api/complete", body)
    assert text[: found["from"]] + found["items"][0]["text"] == "when attacking, self gets "
    assert asked.post("/api/complete", {**body, "offset": -5})["items"]
    text = "when attacking, self gets +2 AP."
    found = asked.post("/api/complete", {**body, "text": text, "offset": text.index("ts +2")})
    item = next(item for item in found["items"] if item["label"] == "gets")
    assert text[: found["from"]] + item["text"] + text[item["to"] :] == text
    assert asked.post("/api/complete", {**body, "text": "", "offset": 10**9})["from"] == 0
    asked.post("/api/complete", {**body, "key": "ap"}, 404)
