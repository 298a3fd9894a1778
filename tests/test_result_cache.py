"""A cached result of a check is not used any more when the program has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import toolkit
from toolkit.project.check_cache import PROGRAM, stamp_of


@pytest.fixture
def program(tmp_path: Path) -> Path:
    for name in ("program/lint/twins.py", "program/lint/__pycache__/twins.py", "grammar/effect.lark"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("", encoding="utf-8")
        os.utime(file, ns=(1_000, 1_000))
    return tmp_path


def stamp(program: Path) -> str:
    return stamp_of([str(program / "program"), str(program / "grammar")])


@pytest.mark.parametrize("name", ["program/lint/twins.py", "grammar/effect.lark"])
def test_an_edited_source_changes_the_stamp(program: Path, name: str) -> None:
    before = stamp(program)
    os.utime(program / name, ns=(2_000, 2_000))
    assert stamp(program) != before


def test_sources_that_come_and_go_change_the_stamp(program: Path) -> None:
    before = stamp(program)
    new = program / "program" / "dice.py"
    new.write_text("", encoding="utf-8")
    os.utime(new, ns=(1_000, 1_000))
    assert stamp(program) != before
    new.unlink()
    assert stamp(program) == before


def test_compiled_modules_do_not(program: Path) -> None:
    before = stamp(program)
    os.utime(program / "program" / "lint" / "__pycache__" / "twins.py", ns=(2_000, 2_000))
    assert stamp(program) == before


def test_the_program_is_the_whole_package_with_its_grammar() -> None:
    package, grammar = map(Path, PROGRAM)
    assert package == Path(toolkit.__file__).parent
    assert (grammar / "effect.lark").is_file()
