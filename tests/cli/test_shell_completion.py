"""Completion in the shell: what bash is offered for the words typed so far."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit.apps.cli import run

PROJECTS = Path(__file__).parent.parent / "projects"


def offered(typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> list[str]:
    monkeypatch.setenv("_OPFORGE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"opforge {typed}")
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split(" "))))
    run([])
    return [line.partition(",")[2] for line in capsys.readouterr().out.splitlines() if line]


@pytest.fixture(autouse=True)
def beside_the_small_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECTS)


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("she", ["sheet"]),
        ("text --project small v", ["viper"]),
        ("sheet small --card vi", ["viper"]),
        ("attack --project small v", ["viper"]),
        ("sheet --layout bridge-a4-bleed-p", ["bridge-a4-bleed-portrait"]),
        ("sheet --look dus", ["dusk"]),
        ("explain unknown-statu", ["unknown-status"]),
        ("explain cookb", ["cookbook"]),
        ("check --ignore low-contrast,low-r", ["low-contrast,low-resolution"]),
        ("sheet small --lang e", ["en"]),
        ("counters --only low", []),
    ],
)
def test_names_are_completed(
    typed: str, names: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert offered(typed, monkeypatch, capsys) == names


def test_the_version_names_the_engines(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("opforge, version ")
    assert "Python 3." in second
    assert "pypdfium2 " in second
    assert "lark " in second


def test_a_forced_colour_is_one_also_for_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for variables, is_coloured in (({"FORCE_COLOR": "1"}, True), ({"NO_COLOR": "1"}, False), ({}, False)):
        for name, value in variables.items():
            monkeypatch.setenv(name, value)
        run(["check", "broken"])
        assert ("\x1b[" in capsys.readouterr().out) == is_coloured, variables
