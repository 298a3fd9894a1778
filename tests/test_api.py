"""The public Python interface: every name exists, and the example of its docstring runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit import api
from toolkit.resources import cards_folder


def test_every_public_name_exists_and_is_documented() -> None:
    missing = [name for name in api.__all__ if not getattr(api, name).__doc__]
    assert missing == []
    with pytest.raises(AttributeError, match="no attribute 'wish'"):
        _ = api.wish


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path))
    monkeypatch.chdir(cards_folder().parent)
    assert api.__doc__ is not None
    example = [line.strip() for line in api.__doc__.splitlines() if line.startswith("    ")]
    made: dict[str, object] = {"Path": Path}
    exec("\n".join(example), made)
    assert isinstance(made["report"], api.Report)
    assert isinstance(made["workspace"], api.Workspace)
    assert made["report"].cards == sum(made["workspace"].card_counts.values())
    assert isinstance(made["attack"], api.PlayedAttack)
    assert made["attack"].request.seed == 3
