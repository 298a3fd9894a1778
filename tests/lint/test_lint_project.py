"""Findings between entries: what nothing uses, Fixes of two SKILLs, hand-written texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from toolkit.data.effect_sources import effect_sources
from toolkit.data.loading import load_project
from toolkit.data.model import CardSet
from toolkit.diagnostics import Diagnostic
from toolkit.dsl.effect_printer import fingerprint
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import Effect
from toolkit.lint import check_hand_written, check_project
from toolkit.project.pipeline import open_project

PROJECT = "project: Night Exercise\nversion: 0.1.0\nlanguages: [en]\n"
OPERATOR = """\
  - id: {id}
    kind: operator
    name: {id}
    team: {team}
    squadpoints: 3
    ap: 3
    ep: 3
    dp: 5
    mp: 2
"""


def operator(name: str, team: str = "owls", **more: str) -> str:
    return OPERATOR.format(id=name, team=team) + "".join(
        f"    {key}: {value}\n" for key, value in more.items()
    )


def load(folder: Path, text: str, *pictures: str) -> CardSet:
    (folder / "opforge.yaml").write_text(PROJECT)
    (folder / "cards.yaml").write_text(text)
    for picture in pictures:
        (folder / picture).parent.mkdir(exist_ok=True)
        (folder / picture).write_text("<svg/>")
    return load_project(folder)[0]


def trees(cards: CardSet) -> dict[tuple[str, str], Effect]:
    found = {}
    for source in effect_sources(cards):
        tree, problems = parse_effect(source.scalar.value)
        assert tree is not None, problems
        found[source.entry.id, source.part] = tree
    return found


def findings(cards: CardSet) -> list[Diagnostic]:
    return check_project(cards, trees(cards))


def told(cards: CardSet) -> list[tuple[str, str]]:
    return [(finding.name, finding.span.text) for finding in findings(cards)]


OWLS = "teams:\n  - {id: owls, name: Owls}\n"


def test_a_team_without_operator_is_told_at_its_id(tmp_path: Path) -> None:
    text = "cards:\n" + operator("viper") + OWLS + "  - {id: ghosts, name: Ghosts}\n"
    assert told(load(tmp_path, text)) == [("unused-team", "ghosts")]


def test_a_trait_that_no_effect_asks_for_is_told_once_at_the_word(tmp_path: Path) -> None:
    cards = "cards:\n" + operator("viper", traits="[sniper, scout]")
    cards += operator("hawk", "foxes", traits="[scout]")
    found = findings(load(tmp_path, cards + OWLS + "  - {id: foxes, name: Foxes}\n"))
    assert [(one.name, one.span.text) for one in found] == [
        ("unused-trait", "sniper"),
        ("unused-trait", "scout"),
    ]
    assert [label.span.begin_position.line for label in found[1].labels] == [21]


def test_a_trait_is_asked_for_in_a_group_and_in_a_condition(tmp_path: Path) -> None:
    cards = "cards:\n" + operator("viper", traits="[sniper, scout]") + OWLS
    effects = (
        "  - id: order\n    kind: strategy\n    name: Order\n"
        '    effect: all own OPERATORs with trait "sniper" get +1 AP.\n'
        "  - id: hide\n    kind: defence\n    name: Hide\n"
        '    effect: when attacked, if self has trait "scout", self gets +1 EP.\n'
    )
    assert told(load(tmp_path, cards.replace("teams:", effects + "teams:"))) == []


def test_an_objective_in_no_mode_is_told(tmp_path: Path) -> None:
    text = (
        "cards:\n" + operator("viper") + OWLS + "objectives:\n  - {id: mast, name: Mast, value: 4}\n"
        "  - {id: hill, name: Hill, value: 4}\n"
    )
    mode = "modes:\n  - {id: raid, name: Raid, field_positions: 1, objectives: [mast]}\n"
    assert told(load(tmp_path, text + mode)) == [("unused-objective", "hill")]
    assert told(load(tmp_path, text)) == []


def test_a_picture_that_nobody_names_is_told_at_the_project(tmp_path: Path) -> None:
    text = "cards:\n" + operator("viper", art="art/viper.svg") + OWLS
    pictures = ("art/viper.svg", "art/hawk.svg", "art/notes.txt", "drafts/old.svg")
    found = findings(load(tmp_path, text, *pictures))
    assert [(one.name, one.span.text) for one in found] == [("unused-art", "Night Exercise")]
    assert "`art/hawk.svg`" in found[0].message


def test_no_more_than_twenty_unused_pictures_are_told(tmp_path: Path) -> None:
    text = "cards:\n" + operator("viper", art="art/viper.svg") + OWLS
    pictures = [f"art/{number}.svg" for number in range(30)]
    assert len(findings(load(tmp_path, text, "art/viper.svg", *pictures))) == 20


def test_nothing_is_called_unused_while_an_entry_is_broken(tmp_path: Path) -> None:
    text = "cards:\n" + operator("viper") + OWLS + "  - {id: ghosts, name: Ghosts}\n"
    broken = "  - {id: hawk, kind: operator, name: Hawk, team: ghosts}\n"
    assert told(load(tmp_path, text.replace("teams:", broken + "teams:"))) == []


SKILLS = """\
    skills:
      - name: Low
        effect: when attacked, self fixes EP at 3.
      - name: High
        effect: when attacked, if HITCOUNTER of self >= 2, self fixes EP at 6.
"""


def test_fixes_of_two_skills_that_can_meet_are_told_at_the_second(tmp_path: Path) -> None:
    found = findings(load(tmp_path, "cards:\n" + operator("viper") + SKILLS + OWLS))
    assert [(one.name, one.span.text, one.card) for one in found] == [
        ("fixes-meet", "fixes EP at 6", "viper")
    ]
    assert [label.span.text for label in found[0].labels] == ["fixes EP at 3"]


def test_fixes_of_two_skills_that_cannot_meet_are_fine(tmp_path: Path) -> None:
    skills = SKILLS.replace("attacked, self fixes EP at 3", "attacking, self fixes AP at 3")
    assert told(load(tmp_path, "cards:\n" + operator("viper") + skills + OWLS)) == []


def hand_written(folder: Path, more: str) -> list[Diagnostic]:
    card = "  - id: aim\n    kind: attack\n    name: Aim\n    effect: when attacking, self gets +2 AP.\n"
    cards = load(folder, "cards:\n" + card + more)
    source = next(effect_sources(cards))
    return check_hand_written(source, trees(cards)["aim", "effect"])


RIGHT = fingerprint(parse_effect("when attacking, self gets +2 AP.")[0])  # type: ignore[arg-type]


def test_a_text_written_for_this_effect_is_fine(tmp_path: Path) -> None:
    assert hand_written(tmp_path, f"    text: Two more.\n    text_for: '{RIGHT}'\n") == []
    assert hand_written(tmp_path, "") == []


def test_a_text_written_for_another_effect_is_told_with_the_new_fingerprint(tmp_path: Path) -> None:
    found = hand_written(tmp_path, "    text: Two more.\n    text_for: abcdef0123\n")
    assert [(one.name, one.span.text) for one in found] == [("stale-text", "abcdef0123")]
    assert RIGHT in found[0].next_step
    assert found[0].fix is not None
    assert found[0].fix.replacement == RIGHT


def test_a_text_without_fingerprint_is_told(tmp_path: Path) -> None:
    found = hand_written(tmp_path, "    text: Two more.\n")
    assert [(one.name, one.span.text) for one in found] == [("missing-text-for", "Two more.")]
    assert RIGHT in found[0].next_step


def test_a_trait_like_one_that_is_asked_for_is_a_slip(tmp_path: Path) -> None:
    effect = "when attacking, if self has trait 'sniper', self gets +1 AP.".replace("'", '"')
    cards = "cards:\n" + operator("viper", traits="[sniper]") + operator("hawk", traits="[Snipper]")
    cards += f"  - {{id: shot, kind: attack, name: Shot, effect: '{effect}'}}\n"
    told_of = [one for one in findings(load(tmp_path, cards + OWLS)) if one.name == "unused-trait"]
    assert [one.next_step for one in told_of] == ["Did you mean `sniper`? Effects use that one."]


def test_a_card_with_an_error_is_not_advised_besides(tmp_path: Path) -> None:
    def attack(name: str, effect: str) -> str:
        return f"  - {{id: {name}, kind: attack, name: {name}, effect: {effect!r}}}\n"

    better = attack("big", "when attacking, self gets +3 AP.")
    weaker = "when attacking, if target is {}, self gets +1 AP."
    for status, name in (("HIT", "condition-never-holds"), ("SUPPRESSED", "outclassed-card")):
        load(tmp_path, f"cards:\n{better}{attack('small', weaker.format(status))}")
        (finding,) = open_project(tmp_path).findings
        assert finding.name == name, status
    assert finding.next_step == "Make it better in some way, or give the other one a drawback."


@pytest.mark.parametrize("traits", ["[scout]", "{scout: tank}"])
def test_words_of_a_broken_card_are_not_listed_as_names(tmp_path: Path, traits: str) -> None:
    """They may be names, so they are not reported; to list all of them would be no help."""
    effect = 'if self has trait "sniper", all own OPERATORs with TEAM "foxes" get +1 MARKER "intel".'
    cards = "cards:\n" + operator("viper", traits="[leader]") + operator("hawk", "wolves", traits=traits)
    cards += f"  - {{id: shot, kind: attack, name: Shot, effect: 'when attacking, {effect}'}}\n"
    load(tmp_path, cards + OWLS + "  - {id: wolves}\n")
    steps = {one.name: one.next_step for one in open_project(tmp_path).findings}
    listed = "Write one of `leader`, `scout`." if traits == "[scout]" else "Write `leader`."
    assert steps["unknown-trait"] == listed
    assert steps["unknown-team"] == "Write `owls`."
    assert steps["unknown-marker"] == "Define the marker first."


@pytest.mark.parametrize(("words", "reported"), [("+1 RANGE", False), ("+1 AP", True)])
def test_an_effect_of_another_card_may_change_range(words: str, reported: bool, tmp_path: Path) -> None:
    text = "cards:\n  - id: order\n    kind: strategy\n    name: Order\n"
    text += f"    effect: all own OPERATORs get {words}.\n"
    text += "  - id: shot\n    kind: attack\n    name: Shot\n"
    text += "    effect: when attacking, if target is in RANGE of self, self gets +1 AP.\n"
    load(tmp_path, text)
    names = [one.name for one in open_project(tmp_path).findings if one.card == "shot"]
    assert ("condition-always-holds" in names) == reported, names


SENTENCES = """\
cards:
  - id: truce
    kind: strategy
    name: Truce
    text_only: Copy it.
    flavour: {en: Peace., de: Frieden.}
  - id: hush
    kind: effect
    name: Hush
    effect: when played, owner draws 1 card.
    flavour: "…"
""" + operator("viper", skills="[{name: Aim, text_only: Take aim.}]", flavour="'*Psst.*'")


def test_a_sentence_that_names_no_language_is_told_where_there_are_several(tmp_path: Path) -> None:
    several = load(tmp_path, SENTENCES)
    assert told(several) == []
    (tmp_path / "opforge.yaml").write_text(PROJECT.replace("[en]", "[en, de]"))
    found = [one for one in findings(load_project(tmp_path)[0]) if one.name == "text-in-one-language"]
    assert sorted((one.card, one.span.text) for one in found) == [
        ("truce", "Copy it."),
        ("viper", "'*Psst.*'"),
        ("viper", "Take aim."),
    ]
    assert "printed in `en` and `de`" in found[0].message


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (
            "when self gets HITCOUNTER, self gets +1 OBJECTIVECOUNTER.",
            "when self gets OBJECTIVECOUNTER, self gets +1 HITCOUNTER.",
            ["self", "self"],
        ),
        (
            "when self gets HITCOUNTER, self gets +1 OBJECTIVECOUNTER.",
            "once per TURN, when self gets OBJECTIVECOUNTER, self gets +1 HITCOUNTER.",
            [],
        ),
        (
            "when self gets HITCOUNTER, self gets +1 OBJECTIVECOUNTER.",
            "when self gets OBJECTIVECOUNTER, one enemy OPERATOR gets +1 HITCOUNTER.",
            [],
        ),
        ("when self gets HITCOUNTER, it gets +1 HITCOUNTER.", "self gets +1 AP.", []),
    ],
)
def test_chains_over_two_skills_of_an_operator_are_found_once(
    tmp_path: Path, first: str, second: str, words: list[str]
) -> None:
    skills = f"[{{name: A, effect: '{first}'}}, {{name: B, effect: '{second}'}}]"
    cards = load(tmp_path, "cards:\n" + operator("viper", skills=skills))
    found = [finding for finding in findings(cards) if finding.name == "endless-chain"]
    assert [finding.span.text for finding in found] == words
