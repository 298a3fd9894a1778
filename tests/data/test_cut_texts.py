"""A `#` that cuts off a printed text is told at its place; comments are comments as ever."""

from __future__ import annotations

from pathlib import Path

from toolkit.data.loading import load_project
from toolkit.source.edits import apply

PROJECT = """\
project: Night #1
languages: [en, de]
traits:
  sniper: {en: "Sniper", de: Scharf # schütze
    }
  medic: Medic #2
words:
  en:
    hand: Hand #3
"""
CARDS = """\
cards:
  - id: viper
    kind: operator
    name: Viper #4  # a comment
    flavour:
      en: Nobody #5
      de: "Niemand #5"
    text_only: >
      Some #5 text.
    team: owls # a comment
    squadpoints: 4
    ap: 4
    ep: 3
    dp: 6
    mp: 2
    skills:
      - name: Shot #6
        text_only: {en: "x #5", de: y
          }
  - id: broken
    kind: attack
    name: Shot #sure
    effect: [while attacking]
teams:
  - id: owls
    name: Owls #7
    logo: a.svg #not-printed
modes:
  - id: night
    name: Night # not a number
squads:
  - id: first
    name: First #8 # opforge: ignore missing-picture because
    operators: [viper]
  - id: second
    name: Second # opforge: ignore squad-size -- it is small
    operators: [viper]
scenarios:
  - name: not printed #9
    field: {blue: [viper], red: [viper]}
    do: []
    expect: {}
"""


def test_each_printed_text_that_is_cut_off_is_told_at_the_sign(tmp_path: Path) -> None:
    (tmp_path / "opforge.yaml").write_text(PROJECT, encoding="utf-8")
    path = tmp_path / "a.yaml"
    path.write_text(CARDS, encoding="utf-8")
    card_set, findings = load_project(tmp_path)
    cut = [finding for finding in findings if finding.name == "cut-text"]
    assert [finding.span.text for finding in cut] == [
        *("#1", "#2", "#3", "#4", "#5", "#6", "#sure", "#7"),
        "#8",
    ]
    assert "viper" in card_set.cards
    assert "owls" in card_set.teams
    fixes = [finding.fix for finding in cut if finding.fix and finding.span.file.path == path]
    assert [fix.safe for fix in fixes] == [True, True, True, False, True, True]
    path.write_text(apply(CARDS, [fix.edit for fix in fixes]), encoding="utf-8")
    card_set, findings = load_project(tmp_path)
    assert not [one for one in findings if one.name == "cut-text" and one.span.file.path == path]
    assert card_set.teams["owls"].name.in_language("en").value == "Owls #7"
