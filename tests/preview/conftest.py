"""A running ``opforge preview`` and a real browser, for the tests of the page.

Where Chromium or Playwright is missing these tests are skipped; with ``OPFORGE_BROWSER_TESTS=1`` that is an
error. Each test ends with: no message in the console, no request to another host, no failed request.
``OPFORGE_SCREENSHOTS`` names a folder to keep screenshots in.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import Any
from urllib.parse import urlsplit

import pytest

from toolkit.apps.preview.session import Session
from toolkit.resources import cards_folder, starter_folder

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
START = 30.0
"""Seconds in which a preview must have printed its address; it takes less than one."""


@pytest.fixture(autouse=True, scope="session")
def threads_end_with_their_session() -> Iterator[None]:
    """Wait for what a closed session is still doing: a session does not, so that Ctrl-C ends it at once.

    In one process the next session would draw at the same time, and in two threads PDFium (pypdfium2 5.15)
    crashes within seconds, or cannot read a sound document.
    """
    close = Session.close

    def close_and_wait(session: Session) -> None:
        close(session)
        session._reader.shutdown()
        session._renderer.shutdown()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Session, "close", close_and_wait)
        yield


def part_of_shipped(folder: Path) -> Path:
    """Copy of the shipped set what a few attacks need: two TEAMs, ATTACK and DEFENCE cards, no scenarios."""
    left_out = ("scenarios", "squads.yaml", "iron-badgers.yaml", "river-foxes.yaml")
    others = ("effect.yaml", "item.yaml", "strategy.yaml")
    shutil.copytree(cards_folder(), folder, ignore=shutil.ignore_patterns(*left_out, *others))
    project = folder / "opforge.yaml"
    project.write_text(
        re.sub(r"^first_game: .*\n", "", project.read_text(encoding="utf-8"), flags=re.M), "utf-8"
    )
    return folder


class Preview:
    """A process of ``opforge preview`` on a project of its own."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        self.cache = cache
        self.port = 0
        self.address = ""
        self.log: list[str] = []
        self.process: subprocess.Popen[str] | None = None

    def start(self, *options: str) -> None:
        """Start it, on the port of the last time if there was one."""
        command = [sys.executable, "-m", "toolkit", "preview", os.fspath(self.folder), "--no-open"]
        environment = {**os.environ, "OPFORGE_CACHE": os.fspath(self.cache), "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        lines: Queue[str] = Queue()
        for stream, take in ((self.process.stdout, lines.put), (self.process.stderr, self.log.append)):
            threading.Thread(target=lambda s=stream, t=take: [t(line) for line in s], daemon=True).start()
        try:
            self.address = lines.get(timeout=START).strip()
        except Empty:
            pytest.fail("opforge preview printed no address: " + "".join(self.log))
        found = urlsplit(self.address).port
        assert found
        self.port = found

    def stop(self) -> int:
        """End it as Ctrl-C does; returns its exit status."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(10)
        finally:
            self.process.kill()
            self.process.wait()
            for stream in (self.process.stdout, self.process.stderr):
                if stream is not None:
                    stream.close()
            self.process = None

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def token(self) -> str:
        return self.address.partition("#token=")[2]

    def file(self, name: str) -> Path:
        return self.folder / name

    def edit(self, name: str, old: str, new: str, *, by_renaming: bool = False) -> None:
        """Change a file as an editor does: in place, or by writing another file and renaming it."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) >= 1, f"{old!r} is not in {name}"
        text = text.replace(old, new, 1)
        if by_renaming:
            other = path.with_name(f".{path.name}.tmp")
            other.write_text(text, encoding="utf-8")
            other.replace(path)
        else:
            path.write_text(text, encoding="utf-8")


class Visits:
    """Pages of one browser (which share its storage), and everything that went wrong in them."""

    def __init__(self, browser: Any, preview: Preview, patience: float = 30) -> None:
        self.browser = browser
        self.preview = preview
        self.patience = patience  # seconds after which something that is waited for will not come
        self.contexts: dict[tuple[int, int, str], Any] = {}
        self.wrong: list[str] = []
        self.expected: list[str] = []

    def open(self, path: str = "/", *, size: tuple[int, int] = (1440, 900), theme: str = "light") -> Any:
        """A tab at a place of the page, such as ``/card/viper``, once the list is there."""
        context = self.contexts.get((*size, theme))
        if context is None:
            viewport = {"width": size[0], "height": size[1]}
            context = self.browser.new_context(viewport=viewport, color_scheme=theme)
            context.set_default_timeout(1000 * self.patience)
            self.contexts[(*size, theme)] = context
        page = context.new_page()
        self.watch(page)
        page.goto(self.preview.address)
        page.wait_for_selector(".rows li:visible, .notice:not(.late)")
        if path != "/":
            page.evaluate("path => { location.hash = path }", f"#{path}")
        return page

    def watch(self, page: Any) -> None:
        def request(request: Any) -> None:
            if not request.url.startswith((f"{self.preview.origin}/", "data:", "blob:")):
                self.wrong.append(f"request to {request.url}")

        def failed(request: Any) -> None:
            if "ERR_ABORTED" not in (request.failure or ""):  # a picture that is not wanted any more
                self.wrong.append(f"failed: {request.url} {request.failure}")

        def answered(response: Any) -> None:
            if response.status >= 400:
                self.wrong.append(f"status {response.status}: {response.url}")

        page.on("console", lambda message: self.wrong.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("request", request)
        page.on("requestfailed", failed)
        page.on("response", answered)

    def allow(self, pattern: str) -> None:
        """Do not count what a test brings about on purpose, such as a server that is gone."""
        self.expected.append(pattern)

    def unexpected(self) -> list[str]:
        log = "".join(self.preview.log)
        wrong = [*self.wrong, *([log] if "Traceback" in log else [])]
        return [one for one in wrong if not any(re.search(pattern, one) for pattern in self.expected)]

    def close(self) -> None:
        for context in self.contexts.values():
            context.close()


def chromium() -> dict[str, Any]:
    """How the system's Chromium is started; empty where there is none."""
    program = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return {"executable_path": program, "args": ["--no-sandbox"] if as_root else []} if program else {}


@pytest.fixture(
    scope="module"
)  # while Playwright runs, asyncio.run() of other tests in the process is refused
def browser() -> Iterator[Any]:
    """The system's Chromium."""
    missing = None if chromium() else "no Chromium is installed"
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing = "Playwright is not installed (pip install 'opforge[browser]')"
    if missing is not None:
        if os.environ.get("OPFORGE_BROWSER_TESTS") == "1":
            pytest.fail(missing)
        pytest.skip(missing)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(**chromium())
        yield started
        started.close()


@pytest.fixture
def make_preview(tmp_path: Path) -> Iterator[Callable[..., Preview]]:
    """Makes previews: of a copy of the shipped cards, or of a folder that is given."""
    made: list[Preview] = []

    def make(folder: Path | None = None, *options: str) -> Preview:
        if folder is None:
            folder = tmp_path / "project"
            shutil.copytree(cards_folder(), folder)
        preview = Preview(folder, tmp_path / "cache")
        made.append(preview)
        preview.start(*options)
        return preview

    yield make
    for preview in made:
        if preview.process is not None:
            preview.stop()


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preview]:
    """A preview of the starter, for tests that stop nothing and change nothing."""
    folder = tmp_path_factory.mktemp("running")
    preview = Preview(Path(shutil.copytree(starter_folder(), folder / "starter")), folder / "cache")
    preview.start()
    yield preview
    assert preview.stop() == 130


@pytest.fixture
def preview(make_preview: Callable[..., Preview]) -> Preview:
    """A preview of a copy of the shipped cards."""
    return make_preview()


@pytest.fixture
def visits(browser: Any, preview: Preview) -> Iterator[Visits]:
    """Tabs of a browser at that preview."""
    opened = Visits(browser, preview)
    yield opened
    wrong = opened.unexpected()
    opened.close()
    assert wrong == []


@pytest.fixture
def screenshot(tmp_path: Path) -> Callable[[Any, str], Path]:
    """Keeps pictures of pages, to be looked at."""
    folder = Path(os.environ.get("OPFORGE_SCREENSHOTS") or tmp_path / "screenshots")

    def take(page: Any, name: str) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png")
        return folder / f"{name}.png"

    return take
