"""Watching a project: which changes of files are reported, which are ignored, and how it ends."""

from __future__ import annotations

import os
import queue
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolkit.project import watching
from toolkit.project.watching import HalfSaved, ProjectWatcher

Batches = queue.Queue[frozenset[Path]]


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are polled more often than for a person."""
    monkeypatch.setattr(watching, "_POLL_INTERVAL", 0.05)


class Watched:
    """A project that a thread watches."""

    def __init__(self, root: Path, *, poll: bool = False) -> None:
        self.root = root
        self.notices: list[str] = []
        self.batches: Batches = queue.Queue()
        self.stop = threading.Event()
        self._watcher = ProjectWatcher(root, self.stop, poll=poll, notice=self.notices.append)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        for batch in self._watcher:
            self.batches.put(batch)

    def until(self, name: str) -> set[str]:
        """Wait for a change of that file, and return all that were reported up to it."""
        seen: set[str] = set()
        while name not in seen:
            batch = self.batches.get(timeout=20)
            seen |= {os.path.relpath(path, self.root) for path in batch}
        return seen

    def end(self) -> bool:
        self.stop.set()
        self._thread.join(20)
        return not self._thread.is_alive()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a folder, a hidden folder, a project within, and a link that leads out."""
    root = tmp_path.resolve() / "project"
    for folder in ("cards", ".hidden", "within", "../outside"):
        (root / folder).mkdir(parents=True)
        (root / folder / "a.yaml").write_text("cards: []\n")
    for folder in (root, root / "within"):
        (folder / "opforge.yaml").write_text("project: P\n")
    (root / "link").symlink_to(tmp_path / "outside")
    (root / "linked.yaml").symlink_to(root / ".hidden" / "a.yaml")
    return root


@pytest.fixture(params=["events", "poll"])
def watched(request: pytest.FixtureRequest, root: Path) -> Iterator[Watched]:
    watched = Watched(root, poll=request.param == "poll")
    yield watched
    assert watched.end()
    assert watched.notices == []


def change(path: Path) -> None:
    path.write_text(path.read_text() + "# changed\n" if path.exists() else "cards: []\n")


def test_a_change_is_reported_and_what_is_no_part_of_the_project_is_not(watched: Watched, root: Path) -> None:
    for name in (".hidden/b.yaml", "within/a.yaml", "../outside/a.yaml", "sheet.pdf", "cards/.a.yaml.swp"):
        change(root / name)
    change(root / "cards" / "a.yaml")
    assert watched.until("cards/a.yaml") == {"cards/a.yaml"}


def test_a_file_that_is_replaced_or_removed(watched: Watched, root: Path) -> None:
    (root / "cards" / ".new").write_text("cards: [] # new\n")
    os.replace(root / "cards" / ".new", root / "cards" / "a.yaml")
    assert watched.until("cards/a.yaml") == {"cards/a.yaml"}
    (root / "cards" / "a.yaml").unlink()
    assert watched.until("cards/a.yaml") == {"cards/a.yaml"}


def test_a_folder_that_is_new_is_watched_too(watched: Watched, root: Path) -> None:
    (root / "new" / "deep").mkdir(parents=True)
    (root / "new" / "deep" / "b.yaml").write_text("cards: []\n")
    assert watched.until("new/deep/b.yaml") == {"new/deep/b.yaml"}
    change(root / "new" / "deep" / "b.yaml")
    watched.until("new/deep/b.yaml")
    (root / "templates").mkdir()
    change(root / "templates" / "card.html.jinja")
    watched.until("templates/card.html.jinja")


def test_a_file_that_a_link_takes_in_is_watched_where_it_lies(watched: Watched, root: Path) -> None:
    change(root / ".hidden" / "a.yaml")
    assert watched.until("linked.yaml") == {"linked.yaml"}


def test_a_project_that_is_deleted_and_comes_back(watched: Watched, root: Path) -> None:
    shutil.rmtree(root)
    watched.until("opforge.yaml")
    root.mkdir()
    (root / "opforge.yaml").write_text("project: again\n")
    watched.until("opforge.yaml")
    change(root / "b.yaml")
    watched.until("b.yaml")


def test_what_changes_between_making_the_watcher_and_watching_is_reported(root: Path) -> None:
    stop = threading.Event()
    watcher = ProjectWatcher(root, stop)
    change(root / "cards" / "a.yaml")
    assert next(iter(watcher)) == {root / "cards" / "a.yaml"}


def test_without_events_or_watches_files_are_polled_and_it_is_said(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_folders: str, **_options: object) -> Iterator[set[tuple[int, str]]]:
        raise OSError("limit")
        yield set()

    monkeypatch.setattr(watching, "watch", refuse)
    watched = Watched(root)
    change(root / "cards" / "a.yaml")
    watched.until("cards/a.yaml")
    assert watched.end()
    assert watched.notices == [
        "The files are polled every 0.05 s, because the system cannot report changes (limit)."
    ]


def test_a_system_that_reports_nothing_is_found_out(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*_folders: str, **options: object) -> Iterator[set[tuple[int, str]]]:
        stop = options["stop_event"]
        assert isinstance(stop, threading.Event)
        while not stop.wait(0.01):
            yield set()

    monkeypatch.setattr(watching, "watch", silent)
    watched = Watched(root)
    while not watched.notices:
        change(root / "cards" / "a.yaml")
        watched.until("cards/a.yaml")
    change(root / "b.yaml")
    watched.until("b.yaml")
    assert watched.end()
    assert watched.notices == [
        "The files are polled every 0.05 s, because the system does not report all changes."
    ]


def test_lost_cards_are_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "_HALF_SAVED", 60)
    half_saved = HalfSaved()
    assert half_saved.seconds(False) == 0
    first = half_saved.seconds(True)
    assert 60 >= first >= half_saved.seconds(True) > 0
    half_saved._end -= 60
    assert half_saved.seconds(True) == 0, "they are reported"
    assert half_saved.seconds(True) > 0, "others are lost"
    assert half_saved.seconds(False) == 0
