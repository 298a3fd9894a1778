"""What all tests share: surroundings that are the same everywhere, and how thorough they are."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.thoroughness import load_profile

load_profile()


@pytest.fixture(autouse=True, scope="session")
def _no_workflow() -> Iterator[None]:
    """Under GitHub Actions `opforge check` prints annotations by itself; elsewhere it does not."""
    with pytest.MonkeyPatch.context() as surroundings:
        for name in ("GITHUB_ACTIONS", "GITHUB_WORKSPACE", "GITHUB_STEP_SUMMARY", "CI_PROJECT_DIR"):
            surroundings.delenv(name, raising=False)
        yield
