"""A project is loaded whole: every file, every entry, and what each means."""

from __future__ import annotations

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from tests.data.projects import CARDS, PLAY, SCENARIOS, SETTINGS, load, told, write
from toolkit.data.loading import Cache, find_project, load_project, without_garbage_collection
from toolkit.data.project_files import read_folder


def test_the_project_of_the_language_page_loads_without_a_finding(tmp_path: Path) -> None:
    card_set, findings = load(tmp_path, scenarios=SCENARIOS)
    assert told(findings) == []
    assert list(card_set.cards) == ["viper", "aimed-shot", "scope", "hard-cover"]
    viper = card_set.cards["viper"]
    assert (
        viper.squadpoints,
        viper.stats["AP"],
        viper.stats["EP"],
        viper.stats["DP"],
        viper.stats["MP"],
    ) == (4, 4, 3, 6, 2)
    assert (viper.team, viper.traits, viper.quantity) == ("night-owls", ("sniper",), 1)
    assert viper.name.in_language("de").value == "Viper"
    assert viper.skills[0].name is not None
    assert viper.skills[0].name.in_language("de").value == "Feuerschutz"
    assert viper.skills[0].effect.value.startswith("when attacking, if")
    assert card_set.cards["hard-cover"].quantity == 0
    assert card_set.cards["aimed-shot"].effect is not None
    assert card_set.teams["night-owls"].colours == ("#1d2b3a", "#e8c547")
    assert card_set.objectives["radio-mast"].value == 4
    mode = card_set.modes["skirmish"]
    assert (mode.field_positions, mode.squad_squadpoints, mode.deck_maximum) == (4, 30, 40)
    assert mode.teamwork is not None
    core = card_set.rulesets["core"]
    assert core.actions["attack"].limit is None
    assert core.actions["move"].limit == 2
    assert core.options.swap_mp == 4
    squad = card_set.squads["owls-at-dusk"]
    assert (squad.operators, squad.deck, squad.item_deck) == (
        ("viper",),
        {"aimed-shot": 2, "hard-cover": 3},
        {"scope": 1},
    )
    assert card_set.scenarios[0].name.startswith("a suppressed sniper")
    assert (card_set.project.languages, card_set.project.mode) == (("en", "de"), "skirmish")
    assert card_set.traits() == {"sniper"}


def test_every_key_can_be_found_again(tmp_path: Path) -> None:
    card_set, _ = load(tmp_path)
    viper = card_set.cards["viper"]
    assert viper.id_span.text == "viper"
    assert viper.span_of("squadpoints").text == "4"
    assert viper.span_of("skills", 0, "name", "de").text == "Feuerschutz"
    assert viper.key_span("ap").text == "ap"
    assert viper.span_of("art").text.startswith("id: viper")
    assert viper.key_span("art") == viper.id_span


def test_what_a_mode_does_not_say_has_the_defaults_of_the_rules(tmp_path: Path) -> None:
    play = PLAY[: PLAY.index("modes:")] + "modes:\n  - {id: skirmish, name: S}\n"
    mode = load(tmp_path, play=play)[0].modes["skirmish"]
    assert (mode.field_positions, mode.save_zone, mode.strategy_positions) == (4, 3, 3)
    assert (mode.starting_hand, mode.hand_limit, mode.max_rounds) == (4, 8, 12)
    assert (mode.victory_objectives_captured, mode.victory_operators_out_or_hit) == (2, True)
    assert (mode.teamwork, mode.objectives) == (None, ())


def test_a_victory_counts_only_what_it_names(tmp_path: Path) -> None:
    play = PLAY.replace(
        "victory: {objectives_captured: 2, operators_out_or_hit: all}", "victory: {objectives_captured: 3}"
    )
    mode = load(tmp_path, play=play)[0].modes["skirmish"]
    assert (mode.victory_objectives_captured, mode.victory_operators_out_or_hit) == (3, False)


def test_one_broken_file_or_entry_hides_nothing_in_others(tmp_path: Path) -> None:
    broken = "cards:\n  - id: first\n    kind: attack\n    name: First\n    efect: x.\n  - [\n"
    card_set, findings = load(tmp_path, broken=broken, a="cards: \t- x", b="", c="cards: 3\n", d="\x00")
    assert [finding.name for finding in findings] == [
        "wrong-indentation",
        "empty-file",
        "unknown-key",
        "unmatched-bracket",
        "wrong-type",
        "control-character",
    ]
    assert set(card_set.cards) == {"viper", "aimed-shot", "scope", "hard-cover"}


def test_an_entry_with_a_key_too_many_or_a_language_missing_can_still_be_used(tmp_path: Path) -> None:
    cards = CARDS.replace("quantity: 1\n", "colour: red\n").replace(", de: Still.", "")
    card_set, findings = load(tmp_path, cards=cards)
    assert told(findings) == [("missing-language", "{en: Quiet.}"), ("unknown-key", "colour")]
    viper = card_set.cards["viper"]
    assert viper.flavour is not None
    assert viper.flavour.in_language("de").value == "Quiet."


def test_an_entry_with_something_refused_in_it_is_left_out(tmp_path: Path) -> None:
    card_set, findings = load(tmp_path, cards=CARDS.replace("mp: 2", "mp: &two 2"))
    assert told(findings) == [("anchor-not-allowed", "&two")]
    assert "viper" not in card_set.cards
    assert "viper" in card_set.broken_ids


def test_a_reference_to_a_broken_entry_is_no_second_mistake(tmp_path: Path) -> None:
    cards = CARDS.replace("ap: 4", "ap: four")
    card_set, findings = load(tmp_path, cards=cards, play=PLAY.replace("value: 4", "value: x"))
    assert told(findings) == [("wrong-type", "four"), ("wrong-type", "x")]
    assert card_set.broken_ids == {"viper", "radio-mast"}
    assert "sniper" in card_set.broken_traits


def test_a_reference_into_what_a_syntax_error_hides_is_no_second_mistake(tmp_path: Path) -> None:
    card_set, findings = load(tmp_path, cards=CARDS.replace("mp: 2", "mp 2"))
    assert told(findings) == [("missing-colon", "mp")]
    assert {"viper", "aimed-shot", "scope", "hard-cover"} <= card_set.broken_ids
    assert "sniper" in card_set.broken_traits


def test_a_file_that_cannot_be_read_makes_no_reference_wrong(tmp_path: Path) -> None:
    write(tmp_path, {"play.yaml": PLAY})
    (tmp_path / "cards.yaml").write_bytes(CARDS.replace("Quiet.", "Qüiet.").encode("latin-1"))
    _, findings = load_project(tmp_path)
    assert told(findings) == [("wrong-encoding", "\ufffd")]
    assert findings[0].span.begin_position == (15, 20)


def test_an_id_is_unique_in_the_whole_project(tmp_path: Path) -> None:
    card_set, findings = load(tmp_path, again="teams:\n  - {id: viper, name: V}\n  - {id: owls, name: O}\n")
    assert told(findings) == [("duplicate-id", "viper")]
    label = findings[0].labels[0]
    assert (label.message, label.span.text) == ("first defined here", "viper")
    assert label.span.file.name.endswith("again.yaml")
    assert findings[0].span.file.name.endswith("cards.yaml")
    assert "owls" in card_set.teams


def test_two_broken_entries_with_one_id_are_told_of_too(tmp_path: Path) -> None:
    cards = CARDS + "  - {id: viper, kind: attack}\n"
    assert ("duplicate-id", "viper") in told(load(tmp_path, cards=cards)[1])


def test_findings_are_sorted_by_file_and_place(tmp_path: Path) -> None:
    cards = "cards:\n  - {id: b}\n  - {id: a}\n"
    findings = load(tmp_path, a=cards, b="cards:\n  - {id: c}\n", opforge="project: x\nmod: y\n")[1]
    places = [(finding.span.file.name, finding.span.start) for finding in findings]
    assert len(places) > 8
    assert places == sorted(places, key=lambda place: (not place[0].endswith("opforge.yaml"), place))


def test_a_project_without_its_file_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "cards.yaml").write_text(CARDS + PLAY)
    card_set, findings = load_project(tmp_path)
    assert [finding.name for finding in findings] == ["missing-project-file"]
    assert len(card_set.cards) == 4


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "~\n"])
def test_files_without_content_are_findings(tmp_path: Path, text: str) -> None:
    findings = load(tmp_path, empty=text)[1]
    assert [finding.name for finding in findings] == ["empty-file"]
    findings = load(tmp_path, empty="cards: []\n", opforge=text)[1]
    assert [finding.name for finding in findings] == ["empty-file"]


def test_a_bom_and_line_ends_of_windows_change_no_place(tmp_path: Path) -> None:
    cards = CARDS.replace("ap: 4", "ap: 44")
    plain = load(tmp_path, cards=cards)[1][0].span
    windows = load(tmp_path, cards="\ufeff" + cards.replace("\n", "\r\n"))[1][0].span
    assert plain.text == windows.text == "44"
    assert plain.begin_position == windows.begin_position == (7, 9)


def test_open_files_count_in_place_of_what_is_on_disk(tmp_path: Path) -> None:
    load(tmp_path)
    overlay = {
        tmp_path / "cards.yaml": CARDS.replace("ap: 4", "ap: 5"),
        tmp_path / "new.yaml": "teams: [{id: bats, name: B}]",
        tmp_path / ".hidden" / "x.yaml": "foo",
        tmp_path / "notes.txt": "foo",
    }
    card_set, findings = load_project(tmp_path, overlay=overlay)
    assert told(findings) == []
    assert card_set.cards["viper"].stats["AP"] == 5
    assert "bats" in card_set.teams


def test_a_file_that_did_not_change_is_not_read_again(tmp_path: Path) -> None:
    cache: Cache = {}
    load(tmp_path)
    first = load_project(tmp_path, cache=cache)[0]
    (tmp_path / "play.yaml").write_text(PLAY.replace("value: 4", "value: 5"))
    second = load_project(tmp_path, cache=cache)[0]
    assert second.cards["viper"] is first.cards["viper"]
    assert second.objectives["radio-mast"].value == 5
    (tmp_path / "opforge.yaml").write_text(SETTINGS.replace("[en, de]", "[en]"))
    assert "unknown-language" in dict(told(load_project(tmp_path, cache=cache)[1]))


def test_loading_leaves_the_garbage_collector_as_it_was(tmp_path: Path) -> None:
    assert gc.isenabled()
    frozen = gc.get_freeze_count()
    load(tmp_path)
    assert gc.isenabled()
    assert gc.get_freeze_count() == frozen


def test_what_is_loaded_for_good_is_left_to_the_counting_of_references() -> None:
    before = gc.get_freeze_count()
    try:
        with without_garbage_collection(for_good=True):
            assert not gc.isenabled()
        assert gc.isenabled()
        assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()


def test_a_folder_that_was_just_read_is_not_read_again(tmp_path: Path) -> None:
    load(tmp_path)
    folder = read_folder(tmp_path)
    for path in folder.files:
        path.write_text("[")
    card_set, findings = load_project(tmp_path, folder=folder)
    assert findings == []
    assert set(card_set.files) == set(folder.files.values())


def test_clean_files_do_not_need_jsonschema(tmp_path: Path) -> None:
    load(tmp_path, scenarios=SCENARIOS)
    program = (
        "import sys, pathlib\nfrom toolkit.data.loading import load_project\n"
        f"print(load_project(pathlib.Path({str(tmp_path)!r}))[1], 'jsonschema' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[] False\n"


def test_the_project_of_a_path_is_the_nearest_at_or_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "set", {"cards/a.yaml": ""})
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "set" / "cards")
    root = tmp_path / "set"
    assert find_project() == root
    assert find_project(Path("a.yaml")) == root
    assert find_project(tmp_path / "set") == root
    assert find_project(root / "opforge.yaml") == root
    assert find_project(tmp_path / "other") is None


def test_without_a_path_the_folder_cards_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "cards", {})
    monkeypatch.chdir(tmp_path)
    assert find_project() == tmp_path / "cards"
    assert find_project(Path()) is None
