"""House rules of a project file: what they mean, whom they find, and what is said of wrong ones."""

from __future__ import annotations

import json
import re
import struct
from collections import Counter
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.yaml_files import read_yaml
from toolkit.data.schemas.play_schema import MAX_HOUSE_RULES
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import severity_of
from toolkit.dsl.house_rules import (
    FACTS,
    MAX_CHARACTERS,
    NAMES,
    RULE_WORDS,
    IsOneOf,
    as_written,
    holds,
    next_words,
    parse_rule,
)
from toolkit.dsl.tree import Problem
from toolkit.lint.broken_house_rules import ALL_KINDS, KnownWords
from toolkit.project.pipeline import Workspace, open_project
from toolkit.resources import help_folder

CASES = read_yaml(Path(__file__).parent / "house_rules.yaml")
CARDS = """\
teams: [{id: owls, name: Owls}, {id: hawks, name: Hawks}]
objectives: [{id: mast, name: {en: Radio mast, de: Funkmast}, value: 4}]
cards:
  - id: hawk
    kind: operator
    name: Hawk
    team: owls
    squadpoints: 5
    ap: 7
    ep: 2
    dp: 4
    mp: 2
    traits: [sniper, scout]
    skills:
      - effect: when attacking, self makes ATTACK D6 CRITICAL on 4+.
        text: Critical on 4+.
        text_for: 'e5a2d30f6d'
  - {id: moth, kind: operator, name: {en: Moth, de: Mott}, team: owls,
     squadpoints: 3, ap: 3, ep: 4, dp: 4, mp: 3}
  - id: aim
    kind: attack
    name: {en: Aimed shot, de: Gezielter Schuss}
    effect: when attacking, self fixes AP at 6.
    flavour: {en: Steady now, de: Ganz ruhig}
    text: {en: AP are 6., de: AP sind 6.}
    text_for: '0000000000'
    quantity: 2
  - id: hand
    kind: item
    name: Hand
    effect: self may reroll 1 ATTACK D6.
    text: {en: Reroll one D6., de: Wirf einen W6 neu.}
    text_for: '0000000000'
"""
OURS = ("house-rule", "house-advice", "broken-house-rule")


def opened(folder: Path, rules: list[Any]) -> Workspace:
    """A small project with house rules."""
    settings = {"project": "House", "languages": ["en", "de"], "house_rules": rules}
    (folder / "opforge.yaml").write_text(yaml.safe_dump(settings, allow_unicode=True), encoding="utf-8")
    (folder / "cards.yaml").write_text(CARDS, encoding="utf-8")
    return open_project(folder)


def told(folder: Path, *rules: Any) -> list[Diagnostic]:
    """What is said about house rules."""
    return [finding for finding in opened(folder, list(rules)).findings if finding.name in OURS]


@pytest.mark.parametrize("rule", CASES["holds"], ids=str)
def test_a_rule_that_every_card_keeps_is_silent(rule: Any, tmp_path: Path) -> None:
    assert told(tmp_path, rule) == []


@pytest.mark.parametrize("case", CASES["breaks"], ids=lambda case: case["rule"])
def test_a_card_that_breaks_a_rule_is_told_with_its_numbers(case: dict[str, Any], tmp_path: Path) -> None:
    found = told(tmp_path, case["rule"])
    assert {one.card: one.message.split(": ", 1)[1] for one in found} == {
        card: f"{numbers}." for card, numbers in case["cards"].items()
    }
    assert [label.span.text for one in found for label in one.labels] == [case["rule"]] * len(found)


@pytest.mark.parametrize("marked", CASES["wrong"])
def test_a_slip_in_a_rule_is_told_at_the_word(marked: str, tmp_path: Path) -> None:
    (found,) = told(tmp_path, marked.replace("‹", "").replace("›", ""))
    assert (found.name, found.span.text) == (
        "broken-house-rule",
        marked[marked.index("‹") + 1 : marked.index("›")],
    )


def test_the_place_is_the_number_that_the_rule_names_first(tmp_path: Path) -> None:
    places = {}
    for rule in ("ep + ap <= 8", "skills >= 1", "name_length <= 10", "text_words <= 3"):
        places[rule] = [one.span.text for one in told(tmp_path, rule)]
    assert places["ep + ap <= 8"] == ["2"]
    assert places["skills >= 1"] == ["moth"]
    assert places["name_length <= 10"] == ["Gezielter Schuss"]
    assert places["text_words <= 3"] == ["Wirf einen W6 neu."]


def picture(size: tuple[int, int]) -> bytes:
    """The beginning of a PNG file."""
    header = b"IHDR" + struct.pack(">IIBBBBB", *size, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + struct.pack(">I", 13)
        + header
        + b"\0" * 4
        + struct.pack(">I", 0)
        + b"IEND\xaeB`\x82"
    )


def test_the_size_of_a_picture_is_asked_for_where_it_is_known(tmp_path: Path) -> None:
    (tmp_path / "small.png").write_bytes(picture((400, 900)))
    (tmp_path / "large.png").write_bytes(picture((800, 900)))
    (tmp_path / "drawing.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>")
    cards = CARDS.replace("    kind: item\n", "    kind: item\n    art: small.png\n")
    cards = cards.replace("    kind: attack\n", "    kind: attack\n    art: large.png\n")
    settings = "project: House\nlanguages: [en, de]\nhouse_rules: [art_width >= 600 and art_height >= 600]\n"
    (tmp_path / "opforge.yaml").write_text(settings, encoding="utf-8")
    for art, expected in (
        ("small.png", ["hand"]),
        ("drawing.svg", []),
        ("no-such.png", []),
        ("../x.png", []),
    ):
        (tmp_path / "cards.yaml").write_text(cards.replace("small.png", art), encoding="utf-8")
        found = [one for one in open_project(tmp_path).findings if one.name == "house-rule"]
        assert [one.card for one in found] == expected
    (tmp_path / "cards.yaml").write_text(cards, encoding="utf-8")
    (found,) = [one for one in open_project(tmp_path).findings if one.name == "house-rule"]
    assert found.message.endswith("`art_width` is 400, `art_height` is 900.")
    assert found.span.text == "small.png"


@pytest.mark.parametrize(
    "scope",
    [
        {"per": "teem"},
        {"per": "id"},
        {"per": ["team"]},
        {"kinds": "attack"},
        {"where": ""},
        {"max_cards": -1},
    ],
    ids=str,
)
def test_a_rule_whose_cards_cannot_be_read_is_told_once_and_found_nowhere(
    scope: dict[str, Any], tmp_path: Path
) -> None:
    findings = opened(tmp_path, [{"max_cards": 0, **scope}]).findings
    (finding,) = [finding for finding in findings if finding.span.file.path.name == "opforge.yaml"]
    assert finding.name in ("unknown-value", "wrong-type", "empty-text", "out-of-range")
    assert not [finding for finding in findings if finding.name in OURS]


def test_a_rule_that_counts_no_cards_has_no_groups(tmp_path: Path) -> None:
    (finding,) = told(tmp_path, {"per": "team", "rule": "ap <= 9"})
    assert finding.message == "`per` is for `max_cards` and `min_cards`, and this house rule has neither."
    assert finding.span.text == "per"


def test_an_empty_rule_is_told_once(tmp_path: Path) -> None:
    assert [finding.name for finding in opened(tmp_path, [""]).findings if not finding.card] == ["empty-text"]


def test_how_many_cards_there_may_be(tmp_path: Path) -> None:
    limits = {"where": "ap > 0", "per": "team", "max_cards": 1, "min_cards": 1}
    too_many, too_few = told(tmp_path, {"name": "balance", "message": "Look", **limits})
    assert too_many.message == (
        "Look. The TEAM `owls` breaks the house rule `balance`, `max_cards: 1 where ap > 0`: "
        "there are 2, hawk, moth."
    )
    assert (too_many.card, too_many.span.text) == ("moth", "moth")
    assert too_few.message == too_many.message.replace("owls", "hawks").replace("max", "min").replace(
        "there are 2, hawk, moth", "there is none"
    )
    assert (too_few.card, too_few.span.text) == ("hawks", "hawks")
    (none,) = told(tmp_path, {"kinds": ["effect"], "min_cards": 2})
    assert (none.span.text, none.card) == ("min_cards", None)
    assert told(tmp_path, {"kinds": ["effect"], "max_cards": 0}) == []
    (alone,) = told(tmp_path, {"where": "ap > 0", "per": "team"})
    assert alone.name == "broken-house-rule"


def test_what_an_unreadable_effect_does_is_not_judged(tmp_path: Path) -> None:
    broken = CARDS.replace("self fixes AP at 6.", "self fixes XP at 6.")
    settings = "project: House\nlanguages: [en, de]\nhouse_rules: [has verbs or not kind = attack]\n"
    (tmp_path / "opforge.yaml").write_text(settings, encoding="utf-8")
    (tmp_path / "cards.yaml").write_text(broken, encoding="utf-8")
    assert [one.name for one in open_project(tmp_path).findings if one.name in OURS] == []


PAGE = (help_folder() / "how-to" / "house-rules.md").read_text(encoding="utf-8")
TWENTY = re.search(r"## Twenty rules.*?```yaml\n(.*?)```", PAGE, re.DOTALL)


def test_each_of_the_twenty_rules_of_the_page_can_be_read_and_finds_something(tmp_path: Path) -> None:
    assert TWENTY is not None
    settings = f"project: Sloppy\nlanguages: [en]\n{TWENTY[1]}"
    (tmp_path / "opforge.yaml").write_text(settings, encoding="utf-8")
    copyfile(Path(__file__).parent / "sloppy.yaml", tmp_path / "cards.yaml")
    for name in ("small.png", "photo.jpg"):
        (tmp_path / name).write_bytes(picture((10, 10)))
    found = [one for one in open_project(tmp_path).findings if one.name in OURS]
    assert {one.name for one in found} == {"house-rule", "house-advice"}
    lines = settings.splitlines()
    of_rules = [number for number, line in enumerate(lines, 1) if line.startswith("  - ")]
    reported = Counter(label.span.begin_position.line for one in found for label in one.labels)
    assert len(of_rules) == 20
    assert [lines[number - 1] for number in of_rules if not reported[number]] == []
    assert max(reported.values()) < 8, "no rule is broken by all cards"


def test_a_rule_has_a_name_a_level_kinds_and_a_message(tmp_path: Path) -> None:
    (found,) = told(
        tmp_path,
        {
            "name": "short",
            "rule": "name_length <= 3",
            "kinds": ["item"],
            "level": "warning",
            "message": {"de": "Zu lang", "en": "Too long."},
        },
    )
    assert (found.name, found.card) == ("house-advice", "hand")
    assert found.message.startswith("Too long. `hand` breaks the house rule `short`, `name_length <= 3`: ")
    assert severity_of("house-rule") == "error"
    assert severity_of("house-advice") == "warning"


def test_a_message_in_a_language_that_the_project_has_not_is_one_all_the_same(tmp_path: Path) -> None:
    (finding,) = told(tmp_path, {"rule": "name_length <= 3", "kinds": ["item"], "message": {"fr": "Trop."}})
    assert finding.message.startswith("Trop. `hand` breaks the house rule")


def test_limits_are_rules(tmp_path: Path) -> None:
    found = told(tmp_path, {"max_ap": 6, "min_mp": 3})
    assert [(one.card, one.labels[0].span.text) for one in found] == [
        ("hawk", "max_ap"),
        ("hawk", "min_mp"),
    ]


def test_a_kind_without_the_number_is_told_at_the_number(tmp_path: Path) -> None:
    found = told(
        tmp_path, {"rule": "quantity + ap <= 9", "kinds": ["item"]}, {"max_ap": 3, "kinds": ["attack"]}
    )
    assert [(one.name, one.span.text) for one in found] == [
        ("broken-house-rule", "ap"),
        ("broken-house-rule", "max_ap"),
    ]


def test_a_rule_without_a_rule_is_told(tmp_path: Path) -> None:
    (found,) = told(tmp_path, {"name": "empty"})
    assert found.name == "broken-house-rule"


def test_a_misspelt_key_is_told_once(tmp_path: Path) -> None:
    findings = opened(tmp_path, [{"max_text_wrods": 4}]).findings
    found = [(one.name, one.span.text) for one in findings if one.span.file.name.endswith("opforge.yaml")]
    assert found == [("unknown-key", "max_text_wrods")]


def test_generated_texts_are_counted_in_each_language(tmp_path: Path) -> None:
    cards = CARDS.replace("    text: {en: AP are 6., de: AP sind 6.}\n    text_for: '0000000000'\n", "")
    (tmp_path / "opforge.yaml").write_text(
        "project: House\nlanguages: [en, de]\nhouse_rules: [{rule: text_words = 0, kinds: [attack]}]\n"
    )
    (tmp_path / "cards.yaml").write_text(cards, encoding="utf-8")
    (found,) = [one for one in open_project(tmp_path).findings if one.name == "house-rule"]
    assert "`text_words` is 11 in `en`; `text_words` is 10 in `de`" in found.message
    assert found.span.text == "when attacking, self fixes AP at 6."


def test_a_card_that_breaks_a_rule_can_still_be_printed(tmp_path: Path) -> None:
    workspace = opened(tmp_path, ["ap <= 1"])
    assert [one.name for one in workspace.findings if one.name in OURS] == ["house-rule"] * 2
    assert not [one for one in workspace.errors_about({"hawk", "moth"}) if one.name in OURS]


@pytest.mark.parametrize(
    ("text", "offered", "not_offered"),
    [
        ("", "flavour", "and"),
        ("ap + ep <= 12 and fl", "flavour", "<="),
        ("ap ", "<=", "contains"),
        ("team ", "in", "<="),
        ("has ", "flavour", "ap"),
        ("ap <= ", "ep", "team"),
        ("ap <= 3 ", "and", "ap"),
        ("traits contain ", "sniper", "owls"),
        ("ap > 3 and team = ha", "hawks", "sniper"),
        ("team not in (owls, ", "hawks", "and"),
        ("name contains ", "", "owls"),
    ],
)
def test_an_editor_offers_what_can_come_next(
    text: str, offered: str, not_offered: str, tmp_path: Path
) -> None:
    words = next_words(text, KnownWords(opened(tmp_path, []).cards).of)
    assert not offered or offered in words
    assert not_offered not in words


def test_nothing_is_offered_in_a_rule_that_is_too_long() -> None:
    text = "a" * MAX_CHARACTERS
    assert next_words(text, lambda _fact: None)
    assert not next_words(text + "a", lambda _fact: None)


@given(st.text(min_size=1, max_size=40) | st.sampled_from(["Night", "play with it", "2nd", "owl's", "And"]))
def test_a_word_that_is_offered_is_read_as_it_is(word: str) -> None:
    assume(word not in RULE_WORDS and not {*"\"'"} <= {*word})
    rule = parse_rule(f"set = {as_written(word)}")
    assert isinstance(rule, IsOneOf)
    assert [literal.text for literal in rule.words] == [word]


def test_rules_beyond_the_most_do_not_count(tmp_path: Path) -> None:
    rules = ["ap <= 20"] * MAX_HOUSE_RULES
    assert not [finding for finding in opened(tmp_path, rules).findings if finding.name == "too-many-items"]
    findings = opened(tmp_path, [*rules, "ap > 20"]).findings
    assert [finding.span.text for finding in findings if finding.name == "too-many-items"] == ["ap > 20"]
    assert not [finding for finding in findings if finding.name in OURS]


SIGNS = (
    *("and", "or", "not", "(", ")", "+", "-", "*", "<", "<=", "=", "3", "§", "has", "in", ",", "contain"),
    *("contains", "starts", "ends", "with", "owls", '"a b"', "'", '"'),
)
WORDS = st.lists(st.sampled_from([*FACTS, *SIGNS]))


@given(WORDS.map(" ".join) | st.text(max_size=60))
def test_no_text_makes_the_reader_raise(text: str) -> None:
    found = parse_rule(text)
    if isinstance(found, Problem):
        begin, end = found.place
        assert 0 <= begin <= end <= len(text)
    else:
        assert holds(found, lambda name: 3 if name in NAMES else ("owls", "x")) in (True, False)


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_rules_count_like_everybody_counts(ap: int, ep: int, mp: int) -> None:
    numbers = {"ap": ap, "ep": ep, "mp": mp}
    text = "not ap + 2 * ep - 1 < 12 - mp and 1 <= ap <= mp or (ep > 3 or mp != 2) and -ap < -3"
    tree = parse_rule(text)
    assert not isinstance(tree, Problem)
    expected = (not (ap + 2 * ep - 1 < 12 - mp) and 1 <= ap <= mp) or ((ep > 3 or mp != 2) and -ap < -3)
    assert holds(tree, numbers.__getitem__) == expected


def test_the_schema_knows_the_same_numbers_and_kinds() -> None:
    from toolkit.data.schemas.play_schema import NUMBERS, house_rules

    assert set(NUMBERS) == set(NAMES)
    item = house_rules()["items"]
    assert tuple(item["properties"]["kinds"]["items"]["enum"]) == ALL_KINDS
    assert json.dumps(item)
