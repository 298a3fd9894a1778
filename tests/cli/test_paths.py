"""One path, written in many ways: each command reads the same and reports the same."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.thoroughness import THOROUGH
from toolkit.apps.cli import run
from toolkit.source.paths import absolute, inside

SMALL = Path(__file__).parent.parent / "projects" / "small"

LOOSE = """\
cards:
  -   {id: loose, kind: attack, name: Loose, effect: "when atacking, self gets +1 AP."}
"""
SCENARIO = """\
scenarios:
  - name: nothing comes of it
    field: {blue: [viper], red: [viper]}
    do: [{action: end-turn}]
    expect: {blue.viper: {hitcounter: 3}}
"""
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>'


@pytest.fixture
def project(tmp_path: Path, cache: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with errors and files that are not formatted, here and in `sub`, where a scenario fails."""
    root = copytree(SMALL, tmp_path / "demo")
    for name, text in {
        "loose.yaml": LOOSE,
        "sub/play.yaml": SCENARIO,
        "sub/more.yaml": LOOSE.replace("loose", "more"),
        "art/a.svg": DRAWING,
        "templates/operator.html.jinja": '{% extends "shipped/operator.html.jinja" %}',
        "notes.md": "",
        "docs/notes.md": "",
        ".hidden/x.yaml": LOOSE,
    }.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (tmp_path / "link").symlink_to(root)
    monkeypatch.setenv("OPFORGE_CACHE", cache)
    monkeypatch.chdir(root / "sub")
    return root


ROOT = ["..", "../", "../.", "./..", "..//", "../sub/..", "../art/../sub/..", "../../demo", "../../link"]
ROOT += [
    "{root}",
    "{root}/",
    "{root}/sub/..",
    "/{root}",
    "{root}/../link",
    "{root}/opforge.yaml",
    "../opforge.yaml",
]
ROOT += ["../art", "../art/a.svg", "../templates", "../templates/operator.html.jinja", "../../link/art/a.svg"]
FILE = [
    "../loose.yaml",
    "..//loose.yaml",
    "../sub/../loose.yaml",
    "{root}/loose.yaml",
    "../../link/loose.yaml",
]
FOLDER = [".", "./", "../sub", "../sub/", "{root}/sub", "../../link/sub", "../sub/./", "../sub/../sub"]

Status = tuple[int, str, str]


@pytest.fixture
def outcome(project: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Status]:
    """Exit status and what a command prints, for a path in which {root} stands for the project."""

    def go(path: str, *command: str) -> Status:
        status = run([*command, path.format(root=project)])
        printed = capsys.readouterr()
        return status, re.sub(r'"seconds": [\d.]+', "", printed.out), printed.err

    return go


WRITTEN = {"root": ROOT, "file": FILE, "folder": FOLDER}
COMMANDS = (
    "check",
    "check --format json",
    "check --format sarif",
    "check --diff",
    "check --whole-project",
    "fmt --check",
    "fmt --check --in-projects",
    "test",
)
PAIRS = [
    (command, what)
    for number, command in enumerate(COMMANDS)
    for which, what in enumerate(WRITTEN)
    if THOROUGH or which == number % len(WRITTEN)
]
"""Each command with one of them; in a thorough run with all."""


@pytest.mark.parametrize(("command", "what"), PAIRS)
def test_each_way_to_write_a_path_is_the_same(
    outcome: Callable[..., Status], command: str, what: str
) -> None:
    ways = WRITTEN[what]
    if command.startswith("fmt"):  # the project file and pictures do not stand for other files there
        ways = [
            way
            for way in ways
            if "art" not in way.split("/") and "templates" not in way and "opforge" not in way
        ]
    first = outcome(ways[0], *command.split())
    assert first[0] == 1
    for way in ways[1:]:
        assert outcome(way, *command.split()) == first, way


def test_what_is_reported_below_a_path(outcome: Callable[..., Status]) -> None:
    def found(path: str) -> list[str]:
        return [
            finding["file"]
            for finding in json.loads(outcome(path, "check", "--format", "json")[1])["findings"]
        ]

    assert found("..") == ["../loose.yaml", "more.yaml"]
    assert found("../loose.yaml") == ["../loose.yaml"]
    assert found(".") == ["more.yaml"]


@pytest.mark.parametrize("way", ["..", "../sub/..", "{root}/sub/..", "../../link"])
def test_a_baseline_holds_all_of_it(outcome: Callable[..., Status], project: Path, way: str) -> None:
    outcome(way, "check", "--baseline", "../sub/../b.json", "--update-baseline")
    baseline = json.loads((project / "b.json").read_text())
    assert [entry["project"] for entry in baseline["findings"]] == [".", "."]
    assert outcome("..", "check", "--baseline", str(project / "sub" / ".." / "b.json"))[0] == 0


@pytest.mark.parametrize("way", ["..", "../sub/..", "{root}/sub/..", "../../link"])
def test_fixes_and_formats_are_written(outcome: Callable[..., Status], project: Path, way: str) -> None:
    outcome(way, "check", "--fix")
    assert "when attacking" in (project / "loose.yaml").read_text()
    assert outcome(way, "fmt")[0] == 0
    assert outcome(way, "fmt", "--check")[0] == 0


NOT_OF_IT = ["../notes.md", "../docs", "../.hidden", "../.hidden/x.yaml", "{root}/docs/", "../sub/../docs"]


@pytest.mark.parametrize("path", NOT_OF_IT)
@pytest.mark.parametrize(
    ("command", "skips"), [("check", "--whole-project"), ("fmt", "--in-projects"), ("test", "")]
)
def test_what_is_not_of_its_project(
    outcome: Callable[..., Status], path: str, command: str, skips: str
) -> None:
    status, _, reported = outcome(path, command)
    assert status == 2
    assert "project in '..'" in reported
    if command == "check":
        assert outcome(path, command, skips)[0] == 1  # it lies in the project, and that is all that is asked
    if command == "fmt":
        assert outcome(path, command, skips) == (
            0,
            "No files to format.\n",
            "None of these paths belongs to a card project; nothing was read.\n",
        )


@pytest.mark.parametrize("path", ["../..", "/", "../../nowhere", "../loose.YAML", "../sub/nowhere/.."])
def test_what_is_in_no_project_or_not_there(outcome: Callable[..., Status], path: str) -> None:
    assert outcome(path, "check")[0] == 2


def test_paths_that_are_passed_over_are_no_success_without_a_word(outcome: Callable[..., Status]) -> None:
    assert outcome("../..", "check", "--whole-project")[2].startswith("None of these paths")


def test_a_project_is_checked_once(outcome: Callable[..., Status]) -> None:
    assert outcome("..", "check") == outcome("..", "check", "../../link")


def test_a_file_that_only_a_link_makes_part_of_the_project(
    outcome: Callable[..., Status], project: Path
) -> None:
    (project / "shown.yaml").symlink_to(".hidden/x.yaml")
    assert outcome("../shown.yaml", "check")[0] == 1
    assert outcome("../shown.yaml", "check") == outcome("../.hidden/x.yaml", "check")


def test_a_link_out_of_the_project_leads_to_no_other_one(
    outcome: Callable[..., Status], project: Path, tmp_path: Path
) -> None:
    other = copytree(SMALL, tmp_path / "other")
    (other / "secret.yaml").write_text(LOOSE)
    for name in ("secret.yaml", "cards.yaml"):
        (project / f"linked-{name}").symlink_to(other / name)
        status, out, _ = outcome(f"../linked-{name}", "check", "--format", "concise")
        assert (status, out.count("\n")) == (0, 2)
        assert out.startswith(f"../linked-{name}:1:1: warning[link-outside-project]: ")
    (project / "linked").symlink_to(other)
    status, out, _ = outcome("../linked", "check", "--format", "concise")
    assert (status, out.count("\n")) == (0, 2)
    assert out.startswith("../linked:1:1: warning[link-outside-project]: ")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(["", ".", "..", "a", "b", "link", "loop"]), max_size=6), st.booleans())
def test_an_absolute_path_opens_what_the_path_opens(
    tmp_path: Path, parts: list[str], from_root: bool
) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True, exist_ok=True)
    if not (tmp_path / "link").exists():
        (tmp_path / "link").symlink_to("a/b")
        (tmp_path / "loop").symlink_to("loop")
        (tmp_path / "a" / "b" / "b").write_text("")
    os.chdir(tmp_path)
    path = "/".join([str(tmp_path), *parts] if from_root else parts) or "."
    made = absolute(path)
    assert made.is_absolute()
    assert absolute(made) == made
    if os.path.exists(path):
        assert made.samefile(path)
        assert made == Path(os.path.realpath(path)) == absolute(f"{path}//")


def test_a_link_to_itself_hides_no_other_link(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "loop").symlink_to("loop")
    (tmp_path / "project" / "out").symlink_to(tmp_path)
    assert inside(tmp_path / "project" / "loop" / ".." / "out" / "a.svg", tmp_path / "project") is None


def test_a_folder_that_cannot_be_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody knows whether a project file is in it."""
    monkeypatch.setattr(os, "scandir", refuse_permission)
    assert run(["check", str(tmp_path)]) == 2
    assert f"Error: {tmp_path} cannot be opened: permission denied.\n" in capsys.readouterr().err


def refuse_permission(*_: object) -> None:
    raise PermissionError(13, "Permission denied")
