"""Hand-written texts that say another number than their effect."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.yaml_files import read_yaml
from toolkit.dsl.effect_printer import fingerprint
from toolkit.dsl.parsing import parse_effect
from toolkit.project.pipeline import open_project

CASES = read_yaml(Path(__file__).parent / "texts.yaml")
PROJECT = "project: Texts\nlanguages: [en, de]\n"


def differing(folder: Path, effect: str, text: str, text_for: str | None = None) -> list[str]:
    """The words that differ, in the only card of a project."""
    tree, _ = parse_effect(effect)
    assert tree is not None
    (folder / "opforge.yaml").write_text(PROJECT)
    card = "cards:\n  - id: card\n    kind: item\n    name: Card\n"
    card += f"    effect: {json.dumps(effect)}\n    text: {text}\n"
    card += f"    text_for: '{text_for or fingerprint(tree)}'\n"
    (folder / "cards.yaml").write_text(card, encoding="utf-8")
    return [one.span.text for one in open_project(folder).findings if one.name == "text-differs"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"])
def test_a_number_that_the_effect_does_not_have_is_told(case: dict[str, str], tmp_path: Path) -> None:
    marked = case["text"]
    begin, end = marked.find("‹"), marked.find("›")
    text = json.dumps(marked.replace("‹", "").replace("›", ""), ensure_ascii=False)
    assert differing(tmp_path, case["effect"], text) == ([marked[begin + 1 : end]] if begin >= 0 else [])


@pytest.mark.parametrize("wrong", ["en", "de"])
def test_each_language_is_read(wrong: str, tmp_path: Path) -> None:
    texts = {language: f"{'+3' if language == wrong else '+2'} AP ({language})" for language in ("en", "de")}
    assert differing(tmp_path, "self gets +2 AP.", json.dumps(texts)) == ["+3 AP"]


def test_a_stale_text_is_told_once(tmp_path: Path) -> None:
    assert differing(tmp_path, "self gets +2 AP.", "'+3 AP'", "0123456789") == []


def test_the_text_of_an_operator_stands_for_all_his_skills(tmp_path: Path) -> None:
    (tmp_path / "opforge.yaml").write_text(PROJECT)
    tree, _ = parse_effect("when attacking, self gets +2 AP. when attacked, self gets +1 EP.")
    assert tree is not None
    (tmp_path / "cards.yaml").write_text(
        f"""\
teams: [{{id: owls, name: Owls}}]
cards:
  - id: viper
    kind: operator
    name: Viper
    team: owls
    squadpoints: 4
    ap: 4
    ep: 3
    dp: 6
    mp: 2
    skills:
      - effect: when attacking, self gets +2 AP.
      - effect: when attacked, self gets +1 EP.
    text: "+2 AP, +1 EP and +4 MP."
    text_for: '{fingerprint(tree)}'
"""
    )
    found = [one for one in open_project(tmp_path).findings if one.name == "text-differs"]
    assert [one.span.text for one in found] == ["+4 MP"]
