"""What all tests share: surroundings that are the same everywhere, and how thorough they are."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.thoroughness import THOROUGH, load_profile
from toolkit.project.pipeline import Cache, Workspace, open_project
from toolkit.source.paths import file_stamp
from toolkit.vocabulary.nearest import reset_steps

load_profile()

gc.disable()  # until all tests are collected: half of the processor time of that on a clean checkout

WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
"""The number of this worker, and how many there are."""

# Images of containers often forbid it; each process that a test starts would compile the package (0.5 s).
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """With ``-n auto`` one worker more than cores: while one waits for a process or a file, another works.

    On two cores it takes 148 s instead of 161 s.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return cores + 1


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Begin each worker's collection at another module: each finds compiled what the others have done.

    To rewrite the assertions of all modules takes 5 s of processor time on a clean checkout.
    """
    report = yield
    if isinstance(collector, (pytest.Dir, pytest.Package)):
        first = len(report.result) * WORKER // WORKERS
        report.result[:] = report.result[first:] + report.result[:first]
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the modules back in order, which must be the same in all workers."""
    items.sort(key=lambda item: item.nodeid.partition("::")[0])


def pytest_collection_finish() -> None:
    """Exempt what was collected from garbage collection: none of it is garbage."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)
    gc.enable()


if "PYTEST_XDIST_WORKER" in os.environ:

    def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        """Report a test that passes once, not its setup and teardown too: 0.4 ms of each test."""
        for report in runtestprotocol(item, nextitem=nextitem, log=False):
            if report.when == "call" or not report.passed:
                item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        return True


_folders = count()


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as pytest's own, without the symbolic link to the newest of each name: 0.6 ms of each test."""
    name = "".join(character if character.isalnum() else "_" for character in request.node.name[:30])
    folder = tmp_path_factory.getbasetemp() / f"{name}{next(_folders)}"
    folder.mkdir(0o700)
    return folder


if not THOROUGH:
    with suppress(ImportError):
        from tests import printed_before

        printed_before.install()

        def pytest_runtest_setup() -> None:
            printed_before.begin_test()


class _ReadBefore:
    """What was read of a project by earlier tests in this process; as long as no file changes, all of it."""

    def __init__(self) -> None:
        self.cache = Cache()
        self._state: object = None
        self._workspace: Workspace | None = None

    def open(self, root: Path) -> Workspace:
        """Open the project, or return it as it is open; the shipped one takes 20 ms with the cache."""
        state = _state(root)
        if self._workspace is None or state != self._state:
            self._state, self._workspace = state, open_project(root, cache=self.cache)
        reset_steps()
        return self._workspace


def _state(root: Path) -> object:
    """All files below a folder with their stamps, and from where their names are shown."""
    files = [
        [(os.path.join(folder, name), file_stamp(os.path.join(folder, name))) for name in sorted(names)]
        for folder, _, names in os.walk(root)
    ]
    return root, os.getcwd(), sorted(files)


@cache
def read_before(root: Path) -> _ReadBefore:
    """What earlier tests in this process read of the project in a folder."""
    del root
    return _ReadBefore()


@pytest.fixture
def cards_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands read of a project named ``cards`` only what has changed since; the shipped one takes 0.2 s.

    That the result is the same is a law of the tests of the live project.
    """

    def opened(root: Path, overlay: Any = None, cache: Cache | None = None, folder: Any = None) -> Workspace:
        if cache is None and root.name == "cards":
            earlier = read_before(root.resolve())
            if not overlay:
                return earlier.open(root)
            cache = earlier.cache
        return open_project(root, overlay, cache, folder)

    monkeypatch.setattr("toolkit.project.pipeline.open_project", opened)


@pytest.fixture(autouse=True, scope="session")
def _no_workflow() -> Iterator[None]:
    """Under GitHub Actions `opforge check` prints annotations by itself; elsewhere it does not."""
    with pytest.MonkeyPatch.context() as surroundings:
        for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY", "CI_PROJECT_DIR"):
            surroundings.delenv(name, raising=False)
        yield
