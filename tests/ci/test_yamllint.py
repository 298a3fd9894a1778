"""The `.yamllint` of new projects and of the how-to page fits what the formatter writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ci.reading import PAGE
from tests.formatting.messy import messy_file
from tests.formatting.test_formatting_laws import formatted, shipped_effects
from tests.thoroughness import share
from toolkit.api import make_project
from toolkit.resources import cards_folder, starter_folder

SETTINGS = starter_folder() / ".yamllint"


def problems_of(text: str) -> list[str]:
    """What yamllint has against a file with these settings."""
    linter: Any = pytest.importorskip("yamllint.linter", reason="pip install 'opforge[thorough]'")
    from yamllint.config import YamlLintConfig

    settings = YamlLintConfig(SETTINGS.read_text(encoding="utf-8"))
    return [f"{problem.line}: {problem.message}" for problem in linter.run(text, settings)]


@pytest.mark.parametrize("example", ["small", "full"])
def test_a_new_project_has_it(tmp_path: Path, example: Any) -> None:
    assert make_project(tmp_path, example) is None
    assert (tmp_path / ".yamllint").read_bytes() == SETTINGS.read_bytes()


def test_a_project_that_exists_keeps_its_own(tmp_path: Path) -> None:
    assert make_project(tmp_path) is None
    (tmp_path / ".yamllint").write_text("extends: relaxed\n", encoding="utf-8")
    assert make_project(tmp_path, with_templates=True) is None
    assert (tmp_path / ".yamllint").read_text(encoding="utf-8") == "extends: relaxed\n"


def test_the_page_shows_it() -> None:
    block = f"```yaml file=.yamllint\n{SETTINGS.read_text(encoding='utf-8')}```\n"
    assert block in PAGE.read_text(encoding="utf-8")


def test_it_has_nothing_against_the_shipped_set_and_the_starter() -> None:
    for path in (*cards_folder().rglob("*.yaml"), *starter_folder().rglob("*.yaml"), SETTINGS):
        assert problems_of(path.read_text(encoding="utf-8")) == [], path


@pytest.mark.parametrize("seed", range(share(60)))
def test_it_has_nothing_against_what_the_formatter_makes_of_any_file(seed: int) -> None:
    text = formatted(messy_file(seed, shipped_effects()))
    assert problems_of(text) == [], text


def test_it_still_finds_keys_that_stand_twice() -> None:
    assert problems_of("cards:\n  - id: a\n    id: b\n") == [
        '3: duplication of key "id" in mapping (key-duplicates)'
    ]
