"""A check without options prints what the same check by way of click prints, and loads less."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from toolkit.apps.cli import check_without_click, run
from toolkit.apps.cli.program import run_program

CARD = """cards:
  - id: smoke
    kind: defence
    name: Smoke
    effect: {effect}
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "opforge.yaml").write_text("project: Small\n", encoding="utf-8")
    (folder / "right.yaml").write_text(CARD.format(effect="self gets +2 EP."), encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return folder


def both(capsys: pytest.CaptureFixture[str], *paths: str) -> tuple[object, object]:
    """Status, output and messages of the plain check and of the one by way of click."""
    reported = []
    for check in (lambda: run(["check", *paths]), lambda: run_program(["check", *paths], None)):
        status = check()
        reported.append((status, *capsys.readouterr()))
    return reported[0], reported[1]


@pytest.mark.parametrize(
    "paths", [(), (".",), ("right.yaml",), ("right.yaml", "."), ("nowhere",), ("..",), ("",)]
)
@pytest.mark.parametrize("effect", ["self gets +2 EP.", "self gets +2 EPP.", "self gets +0 EP."])
def test_both_say_the_same(
    project: Path, capsys: pytest.CaptureFixture[str], paths: tuple[str, ...], effect: str
) -> None:
    (project / "smoke.yaml").write_text(CARD.format(effect=effect).replace("smoke", "fog"), encoding="utf-8")
    plain, usual = both(capsys, *paths)
    assert plain == usual


def test_in_a_workflow_of_github_both_annotate(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    (project / "smoke.yaml").write_text(CARD.format(effect="self gets +2 EPP."), encoding="utf-8")
    plain, usual = both(capsys)
    assert plain == usual
    assert "::error" in str(plain)


@pytest.mark.parametrize(
    "arguments", [[], ["fmt"], ["check", "--strict"], ["check", "-"], ["check", "nowhere"], ["check", "-h"]]
)
def test_all_else_is_left_to_click(project: Path, arguments: list[str]) -> None:
    assert project.is_dir()
    assert check_without_click(arguments) is None


def test_a_clean_check_loads_neither_click_nor_lark_nor_jsonschema(project: Path) -> None:
    program = (
        "import sys\nfrom toolkit.apps.cli import run\nstatus = run(['check'])\n"
        "print(status, *(name for name in ('click', 'lark', 'jsonschema') if name in sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=project, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "0"
