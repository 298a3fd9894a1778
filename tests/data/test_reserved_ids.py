"""An OPERATOR has no id that `expect` reads as a word of its own, to check as to rename and new."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit.apps.cli import run
from toolkit.data.loading import load_project
from toolkit.data.schemas.scenario_schema import EXPECT_WORDS

CARDS = """\
cards:
  - {id: viper, kind: operator, name: B, team: owls, squadpoints: 1, ap: 1, ep: 1, dp: 9, mp: 1}
  - {id: shot, kind: attack, name: S, effect: "while attacking, self gets +2 AP."}
teams:
  - {id: owls, name: T}
"""


def test_one_answer_in_all_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "opforge.yaml").write_text("project: X\nlanguages: [en]\n", encoding="utf-8")
    path = tmp_path / "a.yaml"
    for word in set(EXPECT_WORDS) - {"not_played"}:  # which is no id anyway
        path.write_text(CARDS.replace("viper", word), encoding="utf-8")
        (finding,) = (one for one in load_project(tmp_path)[1] if one.name == "reserved-id")
        assert finding.span.text == word
        path.write_text(CARDS, encoding="utf-8")
        for command in (["rename", "viper", word], ["new", "operator", word, "--project"]):
            assert run([*command, str(tmp_path)]) == 2
            assert "cannot be the id of an OPERATOR" in capsys.readouterr().err
        path.write_text(CARDS.replace("shot", word), encoding="utf-8")
        assert not [one for one in load_project(tmp_path)[1] if one.name == "reserved-id"]
