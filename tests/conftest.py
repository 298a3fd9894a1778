"""What all tests share: surroundings that are the same everywhere, and how thorough they are."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterator

import pytest

from tests.thoroughness import load_profile

load_profile()

# Images of containers often forbid it; each process that a test starts would compile the package (0.5 s).
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Collect from the other end in every second worker: each finds compiled what the other has done.

    To rewrite the assertions of all modules takes 5 s of processor time on a clean checkout.
    """
    report = yield
    worker = os.environ.get("PYTEST_XDIST_WORKER", "gw0")
    if worker[-1] in "13579" and isinstance(collector, (pytest.Dir, pytest.Package)):
        report.result.reverse()
    return report


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the modules back in order, which must be the same in all workers."""
    items.sort(key=lambda item: item.location[0])


@pytest.fixture(autouse=True, scope="session")
def _no_workflow() -> Iterator[None]:
    """Under GitHub Actions `opforge check` prints annotations by itself; elsewhere it does not."""
    with pytest.MonkeyPatch.context() as surroundings:
        for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY", "CI_PROJECT_DIR"):
            surroundings.delenv(name, raising=False)
        yield
