"""Entries whose id was used before are checked like all others, and every written card is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.data.projects import CARDS, PLAY, SETTINGS, load, told, write
from toolkit.data.loading import load_project
from toolkit.project.pipeline import Workspace, open_project

AGAIN = """\
cards:
  - {id: viper, kind: operator, name: V, team: night-owls, squadpoints: 1, ap: 1, ep: 1, dp: 1, mp: 1,
     traits: [scout], skills: [{effect: self gets +1 APP.}, {effect: self gets +1 EP.}]}
  - {id: eyes, kind: strategy, name: Eyes, effect: 'all own OPERATORs with trait "scout" get +1 AP.'}
"""


def opened(root: Path, **files: str) -> Workspace:
    texts = {"cards": CARDS, "play": PLAY, "opforge": SETTINGS} | files
    return open_project(write(root, {f"{name}.yaml": text for name, text in texts.items()}))


def test_the_effects_of_a_doubled_card_are_checked_and_its_traits_known(tmp_path: Path) -> None:
    workspace = opened(tmp_path, more=AGAIN)
    assert told(list(workspace.findings)) == [("duplicate-id", "viper"), ("unknown-stat", "APP")]


def test_the_first_entry_with_an_id_counts(tmp_path: Path) -> None:
    workspace = opened(tmp_path, more=AGAIN)
    assert [card.id for card in workspace.cards.doubled] == ["viper"]
    assert workspace.cards.cards["viper"].stats["AP"] == 4
    (skill,) = workspace.effects_of("viper")
    assert skill.source.entry is workspace.cards.cards["viper"]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("cards:\n  - {id: scope, kind: item, name: S, effect: x., art: a.txt}\n", "not-a-picture"),
        ("modes:\n  - {id: skirmish, name: S, objectives: [radio]}\n", "unknown-objective"),
        ("modes:\n  - {id: skirmish, name: S, teamwork: self gets +1 APP.}\n", "unknown-stat"),
        ("rulesets:\n  - {id: core, suppression: self gets +1 APP.}\n", "unknown-stat"),
        ("squads:\n  - {id: owls-at-dusk, name: S, operators: [cobra], deck: {scope: 5}}\n", "wrong-kind"),
        ("squads:\n  - {id: owls-at-dusk, name: S, operators: [viper], deck: {x: 5}}\n", "too-many-copies"),
    ],
)  # fmt: skip
def test_other_mistakes_of_a_doubled_entry_are_told(tmp_path: Path, entry: str, expected: str) -> None:
    assert {"duplicate-id", expected} <= {finding.name for finding in opened(tmp_path, more=entry).findings}


def test_an_operator_too_often_in_a_squad_is_told_once(tmp_path: Path) -> None:
    play = PLAY.replace("operators: [viper]", "operators: [viper, viper, viper]")
    findings = load(tmp_path, play=play.replace("squad: {operators: 1", "squad: {operators: 3"))[1]
    assert told(findings) == [("too-many-copies", "viper")]
    assert findings[0].span.begin_position.column == len("    operators: [viper, v")
    (label,) = findings[0].labels
    assert label.span.text == "1"


def test_a_price_is_not_told_while_an_operator_is_unknown(tmp_path: Path) -> None:
    play = PLAY.replace("squadpoints: 30", "squadpoints: 0").replace("[viper]", "[vipr]")
    assert told(load(tmp_path, play=play)[1]) == [("unknown-card", "vipr")]


@pytest.mark.parametrize("setting", ["", "mode: other\n"])
def test_squads_are_measured_by_the_mode_of_the_project_only(tmp_path: Path, setting: str) -> None:
    settings = SETTINGS.replace("mode: skirmish\n", setting)
    play = PLAY.replace("squadpoints: 30", "squadpoints: 0")
    more = "modes:\n  - {id: other, name: O, squad: {operators: 1, squadpoints: 4}, deck: {minimum: 5}}\n"
    assert told(load(tmp_path, opforge=settings, play=play, more=more)[1]) == []


TORN = """\
cards:
  - {id: a, kind: strategy, name: C, effect: x}
  - {id: b
  - {id: c, kind: item}
teams:
  - id: t
objectives:
  - id: f
    x:
      - u
  -   5
"""


def test_every_written_card_is_counted_broken_or_not(tmp_path: Path) -> None:
    counts = {path.name: number for path, number in opened(tmp_path, torn=TORN).card_counts.items()}
    assert counts == {"opforge.yaml": 0, "cards.yaml": 4, "play.yaml": 1, "torn.yaml": 5}
    whole = TORN.replace("{id: b", "{id: b}")
    counts = {path.name: number for path, number in opened(tmp_path, torn=whole).card_counts.items()}
    assert counts["torn.yaml"] == 5


def test_entries_below_a_second_section_of_the_same_name_are_read(tmp_path: Path) -> None:
    cards = CARDS.replace("  - {id: scope", "cards:\n  - {id: scope")
    card_set, findings = load(tmp_path, cards=cards)
    assert told(findings) == [("duplicate-key", "cards")]
    assert set(card_set.cards) == {"viper", "aimed-shot", "scope", "hard-cover"}
    assert card_set.counts[tmp_path / "cards.yaml"] == 4


def test_a_second_section_that_is_no_list_changes_nothing(tmp_path: Path) -> None:
    for value in ("5", "{a: [1, 2]}", "", "[", "&x"):
        (tmp_path / "cards.yaml").write_text(CARDS + f"cards: {value}\n")
        findings = load_project(write(tmp_path, {"play.yaml": PLAY}))[1]
        assert told(findings)[0] == ("duplicate-key", "cards")
