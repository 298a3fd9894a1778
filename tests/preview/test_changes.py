"""`GET /api/changes`: what `opforge changes` lists, with faces and texts of both versions."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from io import BytesIO
from itertools import islice
from pathlib import Path
from shutil import copytree, which
from typing import Any

import pytest
from PIL import Image
from starlette.testclient import TestClient

from tests.changes.test_git import commit, git
from tests.thoroughness import THOROUGH
from toolkit.apps.cli import run
from toolkit.apps.preview.application import application
from toolkit.apps.preview.change_routes import Comparisons
from toolkit.apps.preview.session import Session
from toolkit.apps.preview.snapshot import PreviewOptions

pytestmark = pytest.mark.skipif(which("git") is None, reason="git is not installed")

SMALL = Path(__file__).parent.parent / "projects" / "small"

Ask = Callable[..., Any]


class Served:
    """A session with a client; it ends with the test."""

    def __init__(self, root: Path, **options: Any) -> None:
        self.session = Session(root, PreviewOptions(**options))
        self.session.port = 8017
        self.client = TestClient(application(self.session), base_url="http://127.0.0.1:8017")
        self.client.__enter__()
        self.headers = {"Authorization": f"Bearer {self.session.token}"}
        self.until(lambda: self.session.snapshot.state["stage"] == "ready")

    def get(self, **asked: str) -> Any:
        return self.client.get("/api/changes", params=asked, headers=self.headers)

    def until(self, holds: Callable[[], bool]) -> None:
        for _ in range(500):
            if holds():
                return
            time.sleep(0.02)
        pytest.fail("it never came about")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a project in ``cards``, whose only commit is the tag ``printed``."""
    folder = tmp_path_factory.mktemp("changes")
    copytree(SMALL, folder / "checkout" / "cards")
    git(folder, "init", "-q", "checkout")
    commit(folder / "checkout")
    git(folder / "checkout", "tag", "printed")
    return folder / "checkout"


@pytest.fixture
def root(checkout: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project in a copy of that repository; the current folder is elsewhere."""
    monkeypatch.setenv("OPFORGE_CACHE", os.fspath(tmp_path / "cache"))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(temporary))
    copytree(checkout, tmp_path / "checkout")
    monkeypatch.chdir(tmp_path)
    return tmp_path / "checkout" / "cards"


@pytest.fixture
def serve(root: Path) -> Iterator[Callable[..., Served]]:
    served: list[Served] = []

    def start(**options: Any) -> Served:
        served.append(Served(root, **options))
        return served[-1]

    yield start
    for one in served:
        one.client.__exit__(None, None, None)


def change(root: Path, old: str, new: str) -> None:
    file = root / "cards.yaml"
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_no_folder_of_an_older_version_is_left_to_the_garbage_collector(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[tempfile.TemporaryDirectory[str]] = []

    def make(**options: Any) -> tempfile.TemporaryDirectory[str]:
        made.append(tempfile.TemporaryDirectory(**options))
        return made[-1]

    monkeypatch.setattr("toolkit.products.changes.baseline_project.TemporaryDirectory", make)
    served = Served(root)
    assert served.get(since="printed").status_code == 200
    served.client.__exit__(None, None, None)
    assert made
    assert not any(one._finalizer.alive for one in made)  # type: ignore[attr-defined]


def test_the_same_as_the_command_and_more(
    root: Path, serve: Callable[..., Served], capsys: pytest.CaptureFixture[str]
) -> None:
    change(root, "ap: 4", "ap: 5")
    change(root, "self gets +2 AP.\n      self", "self gets +3 AP.\n      self")
    change(root, "id: high-ground", "id: hill")
    answer = serve().get(since="printed").json()
    run(["changes", "printed", os.fspath(root), "--format", "json"])
    listed = json.loads(capsys.readouterr().out)
    more = {"faces", "backs", "texts", "stats"}
    cards = [{key: value for key, value in card.items() if key not in more} for card in answer["cards"]]
    assert {**answer, "cards": cards} == {
        **listed,
        "generation": answer["generation"],
        "commit": git(root, "rev-parse", "HEAD"),
    }
    viper, shot, hill = answer["cards"]
    assert viper["stats"]["before"] == {"ap": 4, "ep": 3, "dp": 6, "mp": 2, "squadpoints": 4, "quantity": 1}
    assert viper["stats"]["now"]["ap"] == 5
    assert shot["texts"]["before"]["de"].startswith("Wenn der Träger dieser Karte angreift, erhält er +2 AP.")
    assert shot["texts"]["now"]["en"].startswith(
        "When the OPERATOR bearing this card attacks, it gets +3 AP.\n"
    )
    assert (hill["older_id"], hill["texts"]["before"]) == ("high-ground", hill["texts"]["now"])


DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path fill="{}" d="M0 0h4v3H0z"/></svg>'


def test_both_faces_can_be_seen(root: Path, serve: Callable[..., Served]) -> None:
    change(root, "    kind: attack\n", "    kind: attack\n    art: art/shot.svg\n")
    (root / "art").mkdir()
    for colour in ("#f00", "#00f"):
        (root / "art" / "shot.svg").write_text(DRAWING.format(colour), encoding="utf-8")
        if colour == "#f00":
            commit(root.parent)
    change(root, "  - id: viper", "  - id: adder")
    change(root, "{en: High ground, de: Anhöhe}", "{en: Hill, de: Hügel}")
    change(root, "id: high-ground", "id: hill")
    served = serve()
    adder, shot, hill, gone = served.get().json()["cards"]
    assert (adder["id"], adder["older_id"]) == ("adder", "viper")
    assert (hill["faces"]["before"], gone["faces"]["now"]) == (None, None)
    assert shot["looks"] == [{"what": "art", "before": None, "after": None}]
    pictures = [
        [
            served.client.get(f"/face/{digest}.png", params={"dpi": "96"}).content
            for digest in digests
            if digest
        ]
        for digests in (card["faces"].values() for card in (adder, shot, hill, gone))
    ]
    assert [len(some) for some in pictures] == [2, 2, 1, 1]
    assert pictures[0][0] == pictures[0][1]
    colours = [Image.open(BytesIO(one)).convert("RGB").getpixel((120, 120)) for one in pictures[1]]
    assert colours == [(255, 0, 0), (0, 0, 255)]
    assert pictures[2] != pictures[3]


def test_cards_that_changed_since_the_revision_of_the_command_are_marked(
    root: Path, serve: Callable[..., Served]
) -> None:
    change(root, "ap: 4", "ap: 5")
    change(root, "id: high-ground", "id: hill")
    served = serve(since="printed")

    def marked() -> list[str]:
        return [id for id, row in served.session.snapshot.rows.items() if row["changed"]]

    served.until(lambda: marked() == ["viper"])
    change(root, "+2 AP.\n      self", "+3 AP.\n      self")
    served.until(lambda: marked() == ["viper", "aimed-shot"])
    change(root, "ap: 5", "ap: 4")
    served.until(lambda: marked() == ["aimed-shot"])
    assert served.session.snapshot.rows["hill"]["changed"] is False


def test_it_follows_saves_and_commits(root: Path, serve: Callable[..., Served]) -> None:
    served = serve()
    assert served.get().json()["cards"] == []
    change(root, "ap: 4", "ap: 5")
    served.until(lambda: [card["id"] for card in served.get().json()["cards"]] == ["viper"])
    commit(root.parent)
    assert served.get().json()["cards"] == []
    assert [card["id"] for card in served.get(since="printed").json()["cards"]] == ["viper"]


def test_a_save_in_between_is_not_missed(root: Path) -> None:
    """Whenever it comes: after the first card, or while the faces of the others get their addresses."""
    session = Session(root, PreviewOptions())
    comparisons = Comparisons(session)
    before, after, saved_after, ended = "ap: 4", "ap: 5", 0, False
    change(root, "quantity: 2", "quantity: 3")
    while not ended:
        session._read()
        steps = comparisons._response_steps("printed", None, None)
        ended = len(list(islice(steps, saved_after))) < saved_after
        change(root, before, after)
        session._read()
        cards = result_of(steps)["cards"] if not ended else []
        assert ended or {card["id"] for card in cards} == {"viper", "aimed-shot"}, saved_after
        change(root, after, before)
        saved_after += 1 if THOROUGH else 3
    assert saved_after > 8
    session.close()


def result_of(steps: Generator[None, None, Any]) -> Any:
    while True:
        try:
            next(steps)
        except StopIteration as done:
            return done.value


UNLISTED = ("cards", "../checkout/cards", "nothing", "printed~0", "-h", "HEAD^", "a\0b")


def test_only_what_git_lists_may_be_named(root: Path, serve: Callable[..., Served]) -> None:
    copytree(root, "cards")
    served = serve()
    answers = {since: served.get(since=since) for since in UNLISTED}
    assert {since: (answer.status_code, answer.json().get("error")) for since, answer in answers.items()} == {
        since: (404, f"git lists no branch or tag {since!r}.") for since in UNLISTED
    }


def test_a_branch_with_the_name_of_a_folder_is_the_branch(root: Path, serve: Callable[..., Served]) -> None:
    copytree(root, "cards")
    git(root, "branch", "cards")
    change(root, "ap: 4", "ap: 5")
    change(Path("cards"), "ap: 4", "ap: 6")
    (card,) = serve().get(since="cards").json()["cards"]
    assert card["behaviour"] == [{"what": "AP", "before": "4", "after": "5"}]


def test_the_command_may_name_a_folder(root: Path, serve: Callable[..., Served]) -> None:
    copytree(root, "older")
    change(Path("older"), "ap: 4", "ap: 2")
    answer = serve(since="older").get().json()
    assert (answer["since"], answer["commit"]) == ("older", None)
    assert answer["cards"][0]["behaviour"] == [{"what": "AP", "before": "2", "after": "4"}]


def test_languages(root: Path, serve: Callable[..., Served]) -> None:
    change(root, "de: Anhöhe", "de: Hügel")
    served = serve()
    assert served.get(since="printed").json()["cards"] == []
    assert [card["id"] for card in served.get(lang="de").json()["cards"]] == ["high-ground"]
    answer = served.get(lang="xx")
    assert (answer.status_code, "no language 'xx'" in answer.json()["error"]) == (422, True)


def test_what_is_tried_counts_as_saved(serve: Callable[..., Served]) -> None:
    served = serve()
    headers = {**served.headers, "Origin": "http://127.0.0.1:8017"}
    tries = {"tries": [{"card": "viper", "key": "ap", "value": 7}]}
    trial = served.client.post("/api/try", json=tries, headers=headers).json()["trial"]
    (card,) = served.get(trial=trial).json()["cards"]
    assert card["behaviour"] == [{"what": "AP", "before": "4", "after": "7"}]
    assert card["faces"]["before"] != card["faces"]["now"]
    assert served.get().json()["cards"] == []
    assert served.get(trial="0" * 16).status_code == 404


def test_no_repository(root: Path, serve: Callable[..., Served]) -> None:
    (root.parent / ".git").rename(root.parent / "not-git")
    answer = serve().get()
    assert answer.status_code == 404
    assert answer.json()["error"].startswith("The project is in no git repository")


def test_older_versions_leave_nothing_behind(root: Path, serve: Callable[..., Served]) -> None:
    served = serve()
    for number in range(4):
        change(root, "ap: ", f"# {number}\n    ap: ")
        commit(root.parent)
        git(root.parent, "tag", f"v{number}")
        assert served.get(since=f"v{number}").status_code == 200
    (folder,) = Path(tempfile.gettempdir()).iterdir()
    assert len(os.listdir(folder)) == 2
    served.session.close()
    assert os.listdir(tempfile.gettempdir()) == []
