"""What is wrong with a scenario is told before anything is played: one finding, at the exact word."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

import pytest

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.project.pipeline import Cache, open_project

PROJECT = Path(__file__).parent / "project"
EVERYTHING = (PROJECT / "scenarios" / "everything.yaml").read_text(encoding="utf-8")


OTHERS = dict.fromkeys((PROJECT / "scenarios").glob("*.yaml"), "scenarios: []\n")
CACHE = Cache()


def findings_of(text: str) -> list[Diagnostic]:
    """The findings of the project of the tests, with this text as its only scenario file."""
    path = PROJECT / "scenario.yaml"
    findings = open_project(PROJECT, {**OTHERS, path: text}, CACHE).findings
    return [finding for finding in findings if finding.span.file.path == path]


def changed(old: str, new: str) -> str:
    """The scenario with every key after one change."""
    assert EVERYTHING.count(old) == 1, f"{old!r} is at one place"
    return EVERYTHING.replace(old, new)


def test_a_scenario_with_every_key_has_no_findings() -> None:
    assert findings_of(EVERYTHING) == []


# what is replaced, by what; the finding, what it underlines, words of its message and next step
CASES = [
    # modes, rulesets, options
    ("mode: skirmish", "mode: skirmsh", "unknown-mode", "skirmsh", "Did you mean `skirmish`?"),
    ("ruleset: core", "ruleset: cora", "unknown-ruleset", "cora", "Did you mean `core`?"),
    ("mode: skirmish", "mode: core",
     "wrong-kind", "core", "`core` is a ruleset, but this must be a game mode"),
    ("stacking: layered", "stackin: layered", "unknown-key", "stackin", "Did you mean `stacking`?"),
    ("stacking: layered", "stacking: layerd", "unknown-value", "layerd", "Did you mean `layered`?"),
    ("stacking: layered", "stacking: 1", "wrong-type", "1", "this is `1`. Write `layered` or `stepwise`."),
    ("turn: blue", "turn: bleu", "unknown-value", "bleu", "Did you mean `blue`?"),
    ("strict: false", "strict: no", "wrong-type", "no", "true or false"),
    # the field
    ("red: [bishop, ~", "red: [bihsop, ~", "unknown-card", "bihsop", "Did you mean `bishop`?"),
    ("red: [bishop, ~", "red: [scope, ~",
     "wrong-kind", "scope", "an ITEM card, but this must be an OPERATOR"),
    ("pawn, ~]", "pawn, bishop]", "repeated-value", "bishop", "`bishop` is twice on the side of red"),
    ("red: [rook]}", "red: [pawn]}", "repeated-value", "pawn", "`pawn` is twice on the side of red"),
    ("pawn, ~]", "pawn, ~, rook, king]", "too-many-items", "rook", "4 FIELDPOSITIONs, but here are 6"),
    ("pawn, ~]", "pawn, [rook, lucky]]", "wrong-type", "[rook, lucky]", "but this is a list"),
    ("red: [bishop, ~", "rde: [bishop, ~", "unknown-key", "rde", "Did you mean `red`?"),
    ("mode: skirmish", "mode: duel", "too-many-items", "~", "2 FIELDPOSITIONs, but here are 4"),
    ("blue: [reckless]", "blue: [reckless, lucky, rook]",
     "too-many-items", "rook", "2 places in the SAVEZONE"),
    ("{blue: [high-ground]", "{blue: [high-ground, covering-fire]",
     "too-many-items", "covering-fire", "1 strategy position,"),
    # cards
    ("[aimed-shot, burst, smoke]", "[aimd-shot, burst, smoke]", "unknown-card", "aimd-shot", "`aimed-shot`"),
    ("[aimed-shot, burst, smoke]", "[aimed-shot, burst, smoke, pawn]",
     "wrong-kind", "pawn", "is an OPERATOR"),
    ("[aimed-shot, burst, smoke]", "[aimed-shot, burst, smoke, scope]",
     "wrong-kind", "scope", "an ITEM card"),
    ("decks: {blue: [smoke,", "decks: {blue: [scope,", "wrong-kind", "scope", "an ITEM card"),
    ("item_decks: {blue: [scope]", "item_decks: {blue: [smoke]",
     "wrong-kind", "smoke", "must be an ITEM card"),
    ("red: [covering-fire]", "red: [smoke]", "wrong-kind", "smoke", "must be a STRATEGY card"),
    # the state
    ("viper: {hitcounter: 1, objectivecounter: 3, status: NORMAL}", "vipre: {hitcounter: 1}",
     "unknown-card", "vipre", "Did you mean `viper`?"),
    ("viper: {hitcounter: 1, objectivecounter: 3, status: NORMAL}", "lucky: {hitcounter: 1}",
     "not-in-scenario", "lucky", "Add it to `field`"),
    ("blue.hawk: {ap", "red.hawk: {ap", "not-in-scenario", "red.hawk", "Did you mean `blue.hawk`?"),
    ("blue.hawk: {ap", "blue.viper: {ap",
     "duplicate-key", "blue.viper", "`viper` and `blue.viper` are the same"),
    ("{hitcounter: 1, objectivecounter: 3, status: NORMAL}", "{hitcounter: -1}",
     "out-of-range", "-1", "0 to 99"),
    ("{hitcounter: 1, objectivecounter: 3, status: NORMAL}", "{hitcounter: 1, status: HIT}",
     "impossible-state", "1", "such an OPERATOR has no HITCOUNTER (H-2)"),
    ("pawn: {attached: scope", "pawn: {attached: high-ground", "wrong-kind", "high-ground",
     "is a STRATEGY card, but this must be an ATTACK, DEFENCE or ITEM card"),
    ("pawn: {attached: scope", "pawn: {attached: scpoe", "unknown-card", "scpoe", "Did you mean `scope`?"),
    # steps
    ("action: evade", "action: evde", "unknown-value", "evde", "Did you mean `evade`?"),
    ("action: evade, by: otter", "action: evade, by: lucky",
     "not-in-scenario", "lucky", "not in this scenario"),
    ("action: evade, by: otter", "action: evade, by: oter", "unknown-card", "oter", "Did you mean `otter`?"),
    ("action: evade, by: otter", "action: evade, by: smoke", "wrong-kind", "smoke", "is an EFFECT card"),
    ("action: evade, by: otter", "action: evade, by: blue", "wrong-kind", "blue", "`blue` is a player"),
    ("action: evade, by: otter", "action: evade", "missing-key", "evade", "the OPERATOR that does it"),
    ("action: evade, by: otter", "action: evade, by: otter, on: pawn",
     "unknown-key", "on", "not a key of the action"),
    ("action: evade, by: otter", "action: end-turn, by: otter", "unknown-key", "by", "action `end-turn`"),
    ("action: evade, by: otter", "action: end-turn, by: blue", "unknown-key", "by", "action `end-turn`"),
    ("action: evade, by: otter", "action: evade, by: oTter",
     "invalid-id", "oTter", "`by` must be an id such as `viper` or `blue.viper`, but this is `oTter`."),
    ("by: hawk, on: viper", "by: hawk, swap: viper", "unknown-key", "swap", "Did you mean `on`?"),
    ("by: viper, swap: otter", "by: viper, on: otter", "unknown-key", "on", "Did you mean `swap`?"),
    ("by: hawk, on: viper", "by: hawk", "missing-key", "medic", "the OPERATOR it is done to"),
    ("card: smoke, by: blue", "card: aimed-shot, by: blue",
     "wrong-kind", "aimed-shot", "EFFECT or STRATEGY card"),
    ("card: smoke, by: blue", "card: smoke, by: otter", "unknown-value", "otter", "Did you mean `blue`?"),
    ("card: smoke, by: blue", "card: smoke", "missing-key", "play", "the player, `blue` or `red`"),
    ("attack_card: aimed-shot, def", "attack_card: hard-cover, def",
     "wrong-kind", "hard-cover", "an ATTACK card"),
    ("defence_card: hard-cover", "defence_card: burst", "wrong-kind", "burst", "must be a DEFENCE card"),
    ("late_attack_card: burst", "late_attack_card: burts", "unknown-card", "burts", "Did you mean `burst`?"),
    ("dice: [6, 2]", "dice: [7, 2]", "out-of-range", "7", "from 1 to 6"),
    ("dice: [6, 2]", "dice: [0, 2]", "out-of-range", "0", "from 1 to 6"),
    ("dice: [6, 2]", "dice: 6", "wrong-type", "6", "must be a list"),
    ("dice: [6, 2]", "dice: [6 2]", "wrong-type", "6 2", "Write `6, 2`."),
    ("dice: [6, 2]", "dice: 6 2", "wrong-type", "6 2", "Write `[6, 2]`."),
    ("critical: [double]", "critical: [dobule]", "unknown-value", "dobule", "Did you mean `double`?"),
    ("reroll: []", "reroll: [0]", "out-of-range", "0", "1 to 99"),
    ("either: second", "either: secnod", "unknown-value", "secnod", "Did you mean `second`?"),
    ("choose: [otter]", "choose: [ottr]", "unknown-card", "ottr", "Did you mean `otter`?"),
    ("choose: [hawk, ~]", "choose: [hawk, none]", "unknown-card", "none", "no OPERATOR `none`"),
    ("choose: [hawk, ~]", "choose: [hawk, 0]", "wrong-type", "0", "or `~` for no further one"),
    ("may: [yes]", "may: [yse]", "unknown-value", "yse", "Did you mean `yes`?"),
    ("may: [yes]", "may: [true]", "wrong-type", "true", "Write `yes` or `no`."),
    ("may: [yes]", "may: yes", "wrong-type", "yes", "Write a list: [yes]."),
    ("may: [yes]", "mya: [yes]", "unknown-key", "mya", "Did you mean `may`?"),
    ("cards: [ransom]", "cards: [ransm]", "unknown-card", "ransm", "Did you mean `ransom`?"),
    ("cards: [ransom]", "cards: [vest]", "wrong-kind", "vest", "an ITEM card"),
    ("cards: [ransom]", "crads: [ransom]", "unknown-key", "crads", "Did you mean `cards`?"),
    ("cards: [ransom]", "order: [ransm]", "unknown-card", "ransm", "Did you mean `ransom`?"),
    ("cards: [ransom]", "place: [5]", "impossible-expectation", "5", "the mode `skirmish` has 4"),
    ("cards: [ransom]", "place: [0]", "out-of-range", "0", "1 to 8"),
    ("random: [blue.hawk]", "random: [blue.hwak]", "unknown-card", "blue.hwak", "Did you mean `blue.hawk`?"),
    ("random: [blue.hawk]", "random: [smkoe]", "unknown-card", "smkoe", "Did you mean `smoke`?"),
    ("random: [blue.hawk]", "random: [vest]", "wrong-kind", "vest", "an ITEM card"),
    ("random: [blue.hawk]", "random: [lucky]", "not-in-scenario", "lucky", "not in this scenario"),
    ("discards: {blue: [sweep]", "discards: {blue: [swep]", "unknown-card", "swep", "Did you mean `sweep`?"),
    ("discard: [smoke, sweep]", "discard: [smoke, swep]", "unknown-card", "swep", "Did you mean `sweep`?"),
    ("discard: [smoke, sweep]", "discard: [smoke, pawn]", "wrong-kind", "pawn", "is an OPERATOR"),
    ("discard: [smoke, sweep]", "discard: two", "wrong-type", "two", "or a list of cards"),
    ("strategies: [high-ground]}", "strategies: [smoke]}", "wrong-kind", "smoke", "must be a STRATEGY card"),
    ("captured: 0", "captured: 9", "out-of-range", "9", "0 to 8"),
    ("performance: draw", "performance: drwa", "unknown-value", "drwa", "Did you mean `draw`?"),
    ("{item: scope, to: otter}", "{item: smoke, to: otter}", "wrong-kind", "smoke", "must be an ITEM card"),
    ("{item: scope, to: otter}", "{item: scope, to: lucky}",
     "not-in-scenario", "lucky", "not in this scenario"),
    ("{item: scope, to: otter}", "{item: scope}", "missing-key", "item", "no `to`"),
    # what is expected
    ("      attack: {ap: 6", "      atack: {ap: 6", "unknown-key", "atack", "Did you mean `attack`?"),
    ("      red: {hand: 0", "      rde: {hand: 0", "unknown-key", "rde", "Did you mean `red`?"),
    ("      otter: {objective", "      oter: {objective", "unknown-card", "oter", "Did you mean `otter`?"),
    ("      otter: {objective", "      lucky: {objective",
     "not-in-scenario", "lucky", "not in this scenario"),
    ("      otter: {objective", "      blue.hawk: {objective",
     "duplicate-key", "blue.hawk", "the same OPERATOR"),
    ("ep: 2, damage: 4", "ep: 2, damge: 4", "unknown-key", "damge", "Did you mean `damage`?"),
    ("position: 4", "postion: 4", "unknown-key", "postion", "Did you mean `position`?"),
    ("position: 4", "position: 5", "impossible-expectation", "5", "4 FIELDPOSITIONs"),
    ("position: 4", "position: 0", "out-of-range", "0", "1 to 8"),
    ("position: 4", "position: '4'", "wrong-type", "'4'", "Remove the quotation marks: 4."),
    ("position: 4", "position: none", "wrong-type", "none", "Did you mean `~`?"),
    ("position: 4, attached: aimed-shot", "attached: none", "unknown-card", "none", "Did you mean `~`?"),
    ("position: 4, attached: aimed-shot", "attached: ''", "invalid-id", "''", "`attached` is empty"),
    ("REACHED", "nothing", "unknown-value", "nothing", "Did you mean `~`?"),
    ("position: 4, attached: aimed-shot", "attached: viper", "wrong-kind", "viper", "is an OPERATOR"),
    ("REACHED", "REACHD", "unknown-value", "REACHD", "Did you mean `REACHED`?"),
    ("      red: {hand: 0, deck: [hard-cover]}", "      red: {}",
     "nothing-expected", "red", "expected for `red`"),
    ("      red: {hand: 0, deck: [hard-cover]}", "      refused: true",
     "wrong-type", "true", "Write the id of a rule such as `A-2`."),
    ("      red: {hand: 0, deck: [hard-cover]}", "      refused: A-9",
     "unknown-rule", "A-9", "no rule `A-9`"),
    ("      red: {hand: 0, deck: [hard-cover]}", "      refused: a2",
     "unknown-rule", "a2", "Did you mean `A-2` (Move)?"),
    ("      red: {hand: 0, deck: [hard-cover]}", "      refsed: A-2",
     "unknown-key", "refsed", "Did you mean `refused`?"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "name", "underlined", "said"), CASES)
def test_a_mistake_is_one_finding_at_the_word(
    old: str, new: str, name: str, underlined: str, said: str
) -> None:
    findings = [
        finding
        for finding in findings_of(changed(old, new))
        # fewer FIELDPOSITIONs or OPERATORs make further places wrong, which are told too
        if finding.name == name or old not in ("mode: skirmish", "pawn, ~]")
    ]
    assert [(finding.name, finding.span.text) for finding in findings][:1] == [(name, underlined)]
    assert {finding.name for finding in findings} == {name}, findings
    finding = findings[0]
    assert said in f"{finding.message} {finding.next_step}"
    assert finding.name in CATALOGUE
    assert finding.message.endswith((".", "!"))
    assert finding.next_step
    assert finding.card == "every key there is"


KEYS = sorted({match[1] for match in re.finditer(r"([a-z_]{2,}):", EVERYTHING)} - {"blue", "red"})


@pytest.mark.parametrize("key", KEYS)
def test_a_key_with_a_slip_is_never_passed_over(key: str) -> None:
    wrong = key[:-2] + key[-1] + key[-2] if key[-1] != key[-2] else key[:-1]
    text = re.sub(rf"(?<![a-z_]){key}:", f"{wrong}:", EVERYTHING, count=1)
    assert text != EVERYTHING
    findings = findings_of(text)
    assert wrong in [finding.span.text.rpartition(".")[2] for finding in findings], findings
    assert all(finding.next_step for finding in findings)


def test_the_same_card_on_both_sides_is_told_apart() -> None:
    text = """\
scenarios:
  - name: twins
    field: {blue: [viper], red: [viper]}
    do:
      - {action: attack, by: viper, on: red.viper, dice: [1, 1]}
    expect:
      blue.viper: {hitcounter: 0}
"""
    (finding,) = findings_of(text)
    assert (finding.name, finding.span.text) == ("ambiguous-operator", "viper")
    assert finding.next_step == "Write `blue.viper` or `red.viper`."
    assert [label.message for label in finding.labels] == ["this is `blue.viper`", "this is `red.viper`"]
    right = text.replace("by: viper", "by: blue.viper")
    assert findings_of(right) == []


@pytest.mark.parametrize(
    ("do", "expect", "name", "underlined"),
    [
        ("[]", "{refused: A-2}", "impossible-expectation", "A-2"),
        ("[{action: evade, by: viper}]", "{attack: {ap: 4}}", "impossible-expectation", "attack"),
        (
            "[{action: attack, by: viper, on: pawn}]",
            "{refused: R-1, attack: {ap: 4}}",
            "impossible-expectation",
            "attack",
        ),
    ],
)
def test_what_can_never_come_about_is_told(do: str, expect: str, name: str, underlined: str) -> None:
    text = f"""\
scenarios:
  - name: never
    field: {{blue: [viper], red: [~, ~, pawn]}}
    do: {do}
    expect: {expect}
"""
    (finding,) = findings_of(text)
    assert (finding.name, finding.span.text) == (name, underlined)


def test_dice_without_brackets_are_told_as_the_list_they_should_be() -> None:
    findings = findings_of(changed("dice: [6, 2]", "dice: 6, 2"))
    assert [(one.name, one.span.text, one.next_step) for one in findings] == [
        ("wrong-type", "6", "Write `[6, 2]`."),
        ("key-not-text", "2", "A list needs brackets: `dice: [6, …]`."),
    ]
    assert findings[0].fix is not None
    assert (findings[0].fix.span.text, findings[0].fix.replacement) == ("6, 2", "[6, 2]")


def test_who_stands_on_the_field_and_is_none_is_not_named_as_one_who_is_there() -> None:
    text = """\
scenarios:
  - name: nobody and a card
    field: {blue: [nobdy, smoke], red: [bishop]}
    do: []
    expect: {zzz: {ap: 4}}
"""
    told = {finding.span.text: finding.next_step for finding in findings_of(text)}
    assert told["zzz"].endswith("or use one that is there: `bishop`.")


def test_a_scenario_that_is_plain_text_begins_with_its_name() -> None:
    (finding,) = findings_of("scenarios:\n  - a shot\n")
    assert finding.next_step == "Write the entry as `- name: …` with its other keys below."


@pytest.mark.parametrize(
    ("do", "expect", "found"),
    [
        ("[]", "{}", "expect"),
        ("[]", "{viper: {}}", "viper"),
        ("[{action: attack, by: viper, on: pawn}]", "{attack: {}}", "attack"),
        ("[{action: evade, by: viper}]", "{}", None),
        ("[]", "{viper: {ap: 4}}", None),
    ],
)
def test_a_scenario_that_checks_nothing_is_told(do: str, expect: str, found: str | None) -> None:
    text = f"""\
scenarios:
  - name: nothing
    field: {{blue: [viper], red: [pawn]}}
    do: {do}
    expect: {expect}
"""
    told = [(finding.name, finding.span.text) for finding in findings_of(text)]
    assert told == ([("nothing-expected", found)] if found else [])


def test_a_scenario_without_rules_to_play_by(tmp_path: Path) -> None:
    project = copytree(PROJECT, tmp_path / "project", ignore=lambda *_: ["scenarios"])
    (project / "opforge.yaml").write_text("project: No rules\nlanguages: [en]\n", encoding="utf-8")
    scenario = "scenarios: [{name: x, field: {blue: [viper]}, do: [], expect: {viper: {ap: 4}}}]\n"
    (project / "scenario.yaml").write_text(scenario, encoding="utf-8")
    findings = [finding for finding in open_project(project).findings if finding.card == "x"]
    assert [(finding.name, finding.span.text) for finding in findings] == [("missing-key", "x")] * 2
    assert "neither this scenario nor opforge.yaml names one" in findings[0].message


def test_somebody_who_is_missing_on_the_field_is_told_once() -> None:
    text = """\
scenarios:
  - name: nobody there
    field: {blue: [viper], red: [bishop]}
    do:
      - {action: medic, by: lucky, on: viper}
      - {action: attack, by: lucky, on: bishop, dice: [1, 1]}
    expect:
      lucky: {hitcounter: 0}
"""
    (finding,) = findings_of(text)
    assert (finding.name, finding.span.text) == ("not-in-scenario", "lucky")
    assert [label.span.text for label in finding.labels] == ["lucky", "lucky"]
    starts = [finding.span.start, *(label.span.start for label in finding.labels)]
    assert starts == sorted(set(starts))
