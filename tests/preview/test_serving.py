"""The command as a user runs it: its port, its token, a second one, waiting, Ctrl-C."""

from __future__ import annotations

import asyncio
import json
import os
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Queue
from typing import Any, NamedTuple

import pytest

from tests.preview.conftest import Preview
from toolkit.apps.cli import run
from toolkit.apps.preview import serving
from toolkit.apps.preview.serving import PreviewFolder, listen
from toolkit.resources import starter_folder

Make = Callable[..., Preview]
PATIENCE = 30.0


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(starter_folder(), tmp_path / "starter")
    return tmp_path / "starter"


def command(preview: Preview, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "toolkit", "preview", os.fspath(preview.folder), *options],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "OPFORGE_CACHE": os.fspath(preview.cache), **environment},
    )


class Command(NamedTuple):
    """What came of the command."""

    status: int
    output: str
    error: str


@pytest.fixture
def without_serving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Command]:
    """The command in this process, where it need not serve anything."""

    def serve(serving: Coroutine[Any, Any, None]) -> None:
        serving.close()
        pytest.fail("it serves")

    def command(folder: Path, *options: str) -> Command:
        status = run(["preview", os.fspath(folder), "--no-open", *options], {"preview": serving.start})
        return Command(status, *capsys.readouterr())

    monkeypatch.setenv("OPFORGE_CACHE", os.fspath(tmp_path / "cache"))
    monkeypatch.setattr(asyncio, "run", serve)
    return command


def get(preview: Preview, path: str) -> Any:
    request = urllib.request.Request(preview.origin + path, headers=bearer(preview))
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


def bearer(preview: Preview) -> dict[str, str]:
    return {"Authorization": f"Bearer {preview.token}"}


class Events:
    """The events that a page would hear, as they come."""

    def __init__(self) -> None:
        self.queue: Queue[tuple[str, Any, str]] = Queue()
        self.ended = threading.Event()

    def wait_for(self, wanted: str, accept: Callable[[Any], bool] = lambda _data: True) -> Any:
        while True:
            name, data, _ = self.queue.get(timeout=PATIENCE)
            if name == wanted and accept(data):
                return data


@contextmanager
def listening(preview: Preview, last: str | None = None) -> Iterator[Events]:
    headers = bearer(preview) | ({"Last-Event-ID": last} if last else {})
    answer = urllib.request.urlopen(
        urllib.request.Request(preview.origin + "/events", headers=headers), timeout=PATIENCE
    )
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = Events()

    def read() -> None:
        fields: dict[str, str] = {}
        with answer:
            for raw in answer:
                line = raw.decode().rstrip("\n")
                name, _, value = line.partition(": ")
                if line:
                    fields[name] = value
                elif "event" in fields:
                    events.queue.put((fields["event"], json.loads(fields["data"]), fields["id"]))
                    fields = {}
        events.ended.set()

    thread = threading.Thread(target=read, daemon=True)
    thread.start()
    yield events


def test_a_save_is_reported_to_a_page_that_listens(make_preview: Make, project: Path) -> None:
    preview = make_preview(project)
    with listening(preview) as events:
        events.wait_for("state", lambda state: state["stage"] == "ready")
        row = get(preview, "/api/cards")["cards"][0]
        path = project / row["file"]
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(f"id: {row['id']}\n", "id: entirely-new\n", 1), encoding="utf-8")
        told = events.wait_for("cards", lambda cards: row["id"] in cards.get("gone", ()))
        assert told["renamed"] == {row["id"]: "entirely-new"} or not told.get("renamed")
    assert preview.stop() == 130
    assert not [line for line in preview.log if "Traceback" in line]
    assert any(" gone" in line for line in preview.log)


def test_ctrl_c_ends_open_streams_with_a_word_and_no_traceback(make_preview: Make, project: Path) -> None:
    preview = make_preview(project)
    with listening(preview) as first, listening(preview) as second:
        for events in (first, second):
            events.wait_for("state")
        assert preview.stop() == 130
        for events in (first, second):
            events.wait_for("bye")
            assert events.ended.wait(PATIENCE)
    assert not [line for line in preview.log if "Traceback" in line or "rror" in line]


def test_a_preview_that_was_killed_is_not_taken_for_a_running_one_and_its_tabs_go_on(
    make_preview: Make, project: Path
) -> None:
    preview = make_preview(project)
    token, generation = preview.token, get(preview, "/api/state")["generation"]
    assert preview.process is not None
    preview.process.send_signal(signal.SIGKILL)
    assert preview.stop() == -signal.SIGKILL
    preview.start()
    assert get(preview, "/api/state")["version"] == 1
    assert preview.token == token
    with listening(preview, generation) as events:
        assert events.wait_for("cards") == {"all": True}, "what changed between the runs is not known"


def test_a_second_preview_opens_the_running_one(
    running: Preview, monkeypatch: pytest.MonkeyPatch, without_serving: Callable[..., Command]
) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", os.fspath(running.cache))
    status, output, error = without_serving(running.folder)
    assert (status, output.strip()) == (0, running.address)
    assert "already" in error
    assert get(running, "/api/state")["version"] == 1
    inside = next(path for path in running.folder.rglob("*.yaml") if path.name != "opforge.yaml")
    assert without_serving(inside).output.strip() == running.address, "another path of the same project"


def test_a_second_preview_never_leads_to_the_port_of_the_last_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", os.fspath(tmp_path))
    PreviewFolder(tmp_path).note_running(4242)  # by now somebody else may listen there, and get the token
    first, ports = PreviewFolder(tmp_path), Queue[int | None]()
    assert first.begin() is None
    assert first.last_port == 4242
    assert not (first.path / "running.json").exists()
    threading.Thread(target=lambda: ports.put(PreviewFolder(tmp_path).begin())).start()
    first.note_running(8017)
    assert ports.get(timeout=PATIENCE) == 8017


def test_a_folder_that_a_link_has_replaced_is_not_read(make_preview: Make, project: Path) -> None:
    other = project.rename(project.with_name("other"))
    shutil.copytree(other, project)
    preview = make_preview(project)
    with listening(preview) as events:
        shutil.rmtree(project)
        events.wait_for("state", lambda state: state["stage"] == "no-project")
        project.symlink_to(other)
        time.sleep(1)
        assert get(preview, "/api/cards")["cards"] == []
        project.unlink()
        shutil.copytree(other, project)
        events.wait_for("state", lambda state: state["stage"] == "ready")


def test_a_port_that_is_taken(
    project: Path, monkeypatch: pytest.MonkeyPatch, without_serving: Callable[..., Command]
) -> None:
    with socket.socket() as taken, socket.socket() as free:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        free.bind(("127.0.0.1", 0))
        other = free.getsockname()[1]
        free.close()
        refused = without_serving(project, "--port", str(port))
        assert (refused.status, refused.output) == (2, "")
        assert f"Port {port} is taken" in refused.error
        monkeypatch.setattr(serving, "PORTS", (port, other))
        opened = listen(None, None)
        assert isinstance(opened, socket.socket)
        with opened:
            assert opened.getsockname() == ("127.0.0.1", other)
            assert (
                listen(None, None)
                == f"The ports {port} to {other} are taken; choose another one with --port."
            )


def test_connections_on_which_nothing_is_asked_give_way(make_preview: Make, project: Path) -> None:
    preview = make_preview(project)
    port = int(preview.origin.rpartition(":")[2])
    with listening(preview) as events, ExitStack() as opened:
        sockets = [
            opened.enter_context(socket.create_connection(("127.0.0.1", port)))
            for _ in range(2 * serving.MAX_CONNECTIONS)
        ]
        assert get(preview, "/api/state")["version"] == 1
        inside = next(path for path in project.rglob("cards.yaml"))
        inside.write_text(inside.read_text("utf-8").replace("ap: ", "ap: 1", 1), encoding="utf-8")
        events.wait_for("cards")
        ended = select.select(sockets, [], [], 0)[0]
        assert len(ended) >= serving.MAX_CONNECTIONS


def test_it_listens_to_this_machine_only(running: Preview, without_serving: Callable[..., Command]) -> None:
    addresses = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in addresses - {"127.0.0.1"}:
        with socket.socket() as other:
            other.settimeout(2)
            assert other.connect_ex((address, running.port)) != 0
    assert "--host" not in without_serving(running.folder, "--help").output


@pytest.mark.skipif(os.name != "posix", reason="modes of files are a matter of POSIX")
def test_token_and_redirect_belong_to_the_user_and_no_process_shows_the_token(
    running: Preview, tmp_path: Path
) -> None:
    assert len(running.token) == 43
    browser, seen = tmp_path / "browser", tmp_path / "seen"
    browser.write_text(
        f'#!/bin/sh\nprintf "%s" "$*" > {seen}.part && mv {seen}.part {seen}\n', encoding="utf-8"
    )
    browser.chmod(0o755)
    assert command(running, BROWSER=f"{browser} %s").returncode == 0
    shown = seen.read_text(encoding="utf-8") if seen.exists() else ""
    assert running.token not in shown
    folder = next((running.cache / "preview").iterdir())
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    files = {path.name: path for path in folder.iterdir()}
    assert {"token", "open.html", "running.json", "lock"} <= files.keys()
    for path in files.values():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name
    assert running.address in files["open.html"].read_text(encoding="utf-8")
    if shown:
        assert shown == files["open.html"].as_uri()
    noted = json.loads(files["running.json"].read_text(encoding="utf-8"))
    assert running.process is not None
    assert noted == {"port": running.port, "process": running.process.pid}


@pytest.mark.skipif(os.name != "posix", reason="modes of files are a matter of POSIX")
def test_a_token_that_others_could_read_or_that_is_none_is_not_kept_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", os.fspath(tmp_path / "cache"))
    folder = PreviewFolder(tmp_path)
    token = folder.token()
    assert PreviewFolder(tmp_path).token() == token
    (folder.path / "token").chmod(0o644)
    assert PreviewFolder(tmp_path).token() != token, "somebody may have read it"
    for wrong in ("", "short", "x" * 44, "ä" * 43, "x" * 42 + "\n"):
        (folder.path / "token").write_text(wrong, encoding="utf-8")
        assert PreviewFolder(tmp_path).token() != wrong
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("x" * 43, encoding="utf-8")
    (folder.path / "token").unlink()
    (folder.path / "token").symlink_to(elsewhere)
    assert PreviewFolder(tmp_path).token() != "x" * 43
    assert elsewhere.read_text(encoding="utf-8") == "x" * 43
    assert PreviewFolder(tmp_path / "other").token() != PreviewFolder(tmp_path).token()


def test_an_empty_folder_waits_for_a_project_and_a_deleted_one_comes_back(
    make_preview: Make, project: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    preview = make_preview(folder)
    with listening(preview) as events:
        events.wait_for("state", lambda state: state["stage"] == "no-project")
        with pytest.raises(urllib.error.HTTPError) as refused:
            get(preview, "/api/card/slam")
        assert refused.value.code == 404
        assert "There is no project" in json.load(refused.value)["error"]
        refused.value.close()
        shutil.copytree(project, folder, dirs_exist_ok=True)
        events.wait_for("state", lambda state: state["stage"] == "ready")
        rows = get(preview, "/api/cards")["cards"]
        assert rows
        (folder / "opforge.yaml").rename(tmp_path / "kept.yaml")
        events.wait_for("state", lambda state: state["stage"] == "no-project")
        assert get(preview, "/api/cards")["cards"] == []
        (tmp_path / "kept.yaml").rename(folder / "opforge.yaml")
        events.wait_for("state", lambda state: state["stage"] == "ready")
        assert get(preview, "/api/cards")["cards"] == rows


def test_a_wrong_path_or_revision_is_wrong_use(
    project: Path, tmp_path: Path, without_serving: Callable[..., Command]
) -> None:
    assert without_serving(tmp_path / "nowhere").status == 2
    file = tmp_path / "file.txt"
    file.write_text("x", encoding="utf-8")
    assert without_serving(file).status == 2
    refused = without_serving(project, "--since", "no-such-revision")
    assert refused.status == 2
    assert "no-such-revision" in refused.error
    assert without_serving(project, "--editor", "emacs").status == 2


def test_options_reach_the_page(make_preview: Make, project: Path) -> None:
    preview = make_preview(
        project,
        "--read-only",
        "--lang",
        "de",
        "--editor",
        "zed",
        "--since",
        os.fspath(starter_folder()),
        "--poll",
    )
    with listening(preview) as events:
        state = events.wait_for("state", lambda state: state["stage"] == "ready")
        assert (state["read_only"], state["lang"], state["editor"]["name"]) == (True, "de", "zed")
        assert state["since"] == os.fspath(starter_folder())
        row = get(preview, "/api/cards")["cards"][0]
        path = project / row["file"]
        path.write_text("# polled\n" + path.read_text(encoding="utf-8"), encoding="utf-8")
        events.wait_for(
            "cards", lambda cards: any(one["line"] == row["line"] + 1 for one in cards.get("rows", ()))
        )
