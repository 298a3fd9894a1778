"""``opforge odds --matrix``: all OPERATORs against all."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from pathlib import Path
from shutil import copytree

import pytest

from tests.odds.quick_project import FOLDER, quick_to_roll
from tests.odds.test_odds_rulings import duel
from tests.thoroughness import some
from toolkit.api import open_project
from toolkit.apps.cli import run
from toolkit.play.odds.matrix import Matrix, MatrixRequest, find_matrix
from toolkit.play.odds.measures import GOALS, Goal

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project, without what takes long to roll."""
    copied = copytree(FOLDER, tmp_path_factory.mktemp("matrix") / "odds")
    (copied / "cards.yaml").write_text(quick_to_roll(), encoding="utf-8")
    (copied / "scenarios.yaml").unlink()
    return copied


@pytest.fixture(autouse=True)
def _in_the_project(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(project)
    monkeypatch.setenv("COLUMNS", "100")


def printed(capsys: Capture, *arguments: str) -> str:
    assert run(["odds", "--matrix", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("goal", some(tuple(GOALS), 1))
def test_each_cell_is_the_odds_of_the_pair(goal: Goal, project: Path) -> None:
    hands = {"blue": ("even",), "red": ("cover",)}
    matrix = find_matrix(open_project(project), MatrixRequest(goal, hands))
    assert isinstance(matrix, Matrix)
    for pair in (("striker", "guard"), ("giant", "wall"), ("payer", "medium")):
        assert matrix.cells[pair] == duel(*pair, "even", "cover", goal).measures
    assert matrix.cells["striker", "saint"] == "M-8"
    assert matrix.not_played == ("oracle",)


def test_a_hitcounter_of_the_target(capsys: Capture) -> None:
    rows = json.loads(printed(capsys, "--hits", "3", "--goal", "hits", "--format", "json"))["matrix"]
    assert rows["striker"]["guard"]["becomes_hit"] == rows["striker"]["guard"]["hits"] == "5/12"
    assert json.loads(printed(capsys, "--hits", "4", "--format", "json"))["matrix"]["striker"]["guard"] == {
        "refused": "R-2"
    }


def test_csv_has_a_number_or_the_rule(capsys: Capture) -> None:
    rows = list(csv.DictReader(printed(capsys, "--format", "csv").splitlines()))
    by_attacker = {row["attacker"]: row for row in rows}
    assert by_attacker["striker"]["guard"] == f"{float(Fraction(35, 36)):.4f}"
    assert by_attacker["striker"]["saint"] == "M-8"
    assert len(rows) == len(rows[0]) - 1


def test_html_is_one_table_without_scripts_and_requests(capsys: Capture) -> None:
    page = printed(capsys, "--format", "html")
    assert "0.97</td>" in page
    assert "<td>M-8</td>" in page
    assert not re.search(r"<script|src=|https?:|url\(", page)


def test_text_has_rows_columns_and_means(capsys: Capture) -> None:
    text = printed(capsys)
    assert re.search(r"^ 1 striker .* 0\.97 ", text, re.MULTILINE)
    assert "note: text-only rules are not played: oracle." in text


WRONG_USE = ("striker guard --matrix", "--matrix --after 1", "striker guard --hits 1")


@pytest.mark.parametrize("arguments", [*WRONG_USE, "striker guard --format csv"])
def test_what_does_not_go_together_is_wrong_use(capsys: Capture, arguments: str) -> None:
    assert run(["odds", *arguments.split()]) == 2
    assert "--matrix" in capsys.readouterr().err
