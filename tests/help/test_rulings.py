"""The page of rulings: every ruling is on it, with the keys by which it can be changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toolkit.apps.cli import run
from toolkit.data.model import Options
from toolkit.data.schemas.play_schema import mode
from toolkit.diagnostics.help_pages import other_page
from toolkit.vocabulary.rule_ids import RULES

RULINGS = (
    "N-3", "N-4", "N-5", "N-6", "C-5", "F-1", "F-3", "R-2", "R-3", "T-1", "A-2", "A-2a", "A-2b", "A-3", "A-4",
    "H-1", "H-2", "M-3", "M-4", "M-5", "M-6", "M-7", "M-8", "M-9", "M-10", "M-11", "K-3",
)  # fmt: skip
"""The rules of which the rules document says that they, or a part of them, are rulings."""

RULINGS_ON_ODDS = tuple(f"O-{number}" for number in range(1, 9))

PAGE = other_page("rulings") or ""


def test_every_ruling_is_on_the_page() -> None:
    for rule in RULINGS:
        assert len(re.findall(rf"\*\*{re.escape(rule)}\*\*", PAGE)) == 1, rule


def test_no_rule_is_named_that_does_not_exist() -> None:
    assert set(re.findall(r"\b[A-Z]-\d+[ab]?\b", PAGE)) <= {*RULES, *RULINGS_ON_ODDS}


def test_every_ruling_on_odds_is_on_the_page_and_has_a_test() -> None:
    tests = (Path(__file__).parent.parent / "odds" / "test_odds_rulings.py").read_text(encoding="utf-8")
    for ruling in RULINGS_ON_ODDS:
        assert PAGE.count(f"**{ruling}**") == 1, ruling
        assert f"_{ruling.lower().replace('-', '_')}(" in tests, ruling


def test_every_option_is_named_with_its_default() -> None:
    for field, default in ((name, getattr(Options(), name)) for name in Options.__struct_fields__):
        stated = re.search(rf"option\s+`{field}`\s+\(([^)]*)\)", PAGE, re.IGNORECASE)
        assert stated is not None, field
        assert stated[1].split(",")[0].strip("`") == str(default)


def test_every_key_of_a_game_mode_is_named() -> None:
    keys = set(mode()["properties"]) - {"id", "name"}
    assert sorted(key for key in keys if f"`{key}`" not in PAGE) == []


def test_it_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "rulings"]) == 0
    assert capsys.readouterr().out == PAGE
