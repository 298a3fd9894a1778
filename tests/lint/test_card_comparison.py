"""Findings about cards beside each other: twins, outclassed ones, odd prices, words that others override."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lint.test_lint_project import OWLS, PROJECT, operator
from tests.yaml_files import read_yaml
from toolkit.diagnostics import Diagnostic
from toolkit.project.pipeline import open_project

PAIRS = read_yaml(Path(__file__).parent / "pairs.yaml")
OF_DESIGNS = ("same-effect", "outclassed-card", "overridden-effect", "odd-squadpoints")
TOLD = (*OF_DESIGNS, "fixes-meet")


def told(folder: Path, text: str) -> list[Diagnostic]:
    """The findings about designs; nothing in the files is wrong."""
    (folder / "opforge.yaml").write_text(PROJECT)
    (folder / "cards.yaml").write_text(text)
    findings = open_project(folder).findings
    assert not [finding for finding in findings if finding.name in ("unknown-word", "unknown-key")]
    return [finding for finding in findings if finding.name in TOLD]


def cards(kind: str, **effects: str) -> str:
    """Two cards, and an OPERATOR whose trait they may ask for."""
    entries = "".join(
        f"  - id: {name}\n    kind: {kind}\n    name: {name}\n    effect: |\n      {effect}\n"
        for name, effect in effects.items()
    )
    return "cards:\n" + operator("viper", traits="[sniper]") + entries + OWLS


@pytest.mark.parametrize("pair", PAIRS["same"], ids=lambda pair: pair["second"])
def test_cards_that_say_the_same_in_other_words_are_twins(pair: dict[str, str], tmp_path: Path) -> None:
    found = told(tmp_path, cards(**pair))
    assert [(one.name, one.span.text, [label.span.text for label in one.labels]) for one in found] == [
        ("same-effect", "second", ["first"])
    ]


@pytest.mark.parametrize("worse_first", [False, True])
@pytest.mark.parametrize("pair", PAIRS["outclassed"], ids=lambda pair: pair["worse"])
def test_the_worse_card_is_told_wherever_it_stands(
    pair: dict[str, str], worse_first: bool, tmp_path: Path
) -> None:
    order = ("worse", "better") if worse_first else ("better", "worse")
    found = told(tmp_path, cards(pair["kind"], **{name: pair[name] for name in order}))
    assert [(one.name, one.span.text, [label.span.text for label in one.labels]) for one in found] == [
        ("outclassed-card", "worse", ["better"])
    ]


@pytest.mark.parametrize("pair", PAIRS["neither"], ids=lambda pair: pair["first"])
def test_cards_of_which_each_may_be_better_are_fine(pair: dict[str, str], tmp_path: Path) -> None:
    assert told(tmp_path, cards(**pair)) == []


SKILL = "\n      - effect: when attacking, self gets +{} AP."


@pytest.mark.parametrize(
    ("better", "worse", "outclassed"),
    [
        ({"ap": "4"}, {}, True),
        ({"squadpoints": "2"}, {}, True),
        ({"skills": SKILL.format(2)}, {"skills": SKILL.format(1)}, True),
        ({"skills": SKILL.format(1)}, {}, True),
        ({"ap": "4", "squadpoints": "4"}, {}, False),
        ({"ap": "4", "ep": "2"}, {}, False),
        ({"ap": "4", "team": "foxes"}, {}, False),
        ({"ap": "4", "traits": "[sniper]"}, {}, False),
        ({"ap": "4", "traits": "[joker]"}, {}, True),
        ({"ap": "4"}, {"skills": SKILL.format(1)}, False),
        # who has fewer AP has the SKILL for longer
        (
            {"ap": "4", "skills": "\n      - effect: if AP VALUE of self <= 3, self gets +3 MP."},
            {"skills": "\n      - effect: if AP VALUE of self <= 3, self gets +3 MP."},
            False,
        ),
    ],
)
def test_operators_are_compared_by_all_that_is_printed(
    better: dict[str, str], worse: dict[str, str], outclassed: bool, tmp_path: Path
) -> None:
    text = "cards:\n" + changed("better", **better) + changed("worse", **worse)
    text += "  - id: order\n    kind: strategy\n    name: Order\n"
    text += '    effect: all own OPERATORs with trait "sniper" get +1 AP.\n'
    found = told(tmp_path, text + OWLS + "  - {id: foxes, name: Foxes}\n")
    assert [(one.name, one.span.text) for one in found] == [("outclassed-card", "worse")] * outclassed


def changed(name: str, **more: str) -> str:
    """An OPERATOR with other numbers, or with more keys."""
    lines = operator(name).splitlines()
    for key, value in more.items():
        lines = [line for line in lines if not line.startswith(f"    {key}:")] + [f"    {key}: {value}"]
    return "\n".join(lines) + "\n"


def test_operators_that_are_the_same_are_told_once(tmp_path: Path) -> None:
    text = "cards:\n" + operator("viper") + operator("hawk") + operator("owl") + OWLS
    assert [(one.name, one.span.text) for one in told(tmp_path, text)] == [
        ("same-effect", "hawk"),
        ("same-effect", "owl"),
    ]


def test_operators_whose_keyword_is_text_only_are_not_compared(tmp_path: Path) -> None:
    same = operator("viper", keywords="[calm]") + operator("hawk", keywords="[calm]")
    keyword = 'keywords:\n  - {id: calm, name: Calm, text_only: "Stay calm."}\n'
    assert told(tmp_path, "cards:\n" + same + OWLS + keyword) == []


@pytest.mark.parametrize("case", PAIRS["overridden"], ids=lambda case: case["effect"])
def test_words_that_never_matter_are_told_once_at_their_place(case: dict[str, str], tmp_path: Path) -> None:
    marked = case["effect"].strip().replace("\n", "\n      ")
    text = marked.replace("‹", "").replace("›", "")
    found = told(tmp_path, cards(case["kind"], card=text))
    assert [(one.name, one.span.text) for one in found] == [
        ("overridden-effect", marked[marked.index("‹") + 1 : marked.index("›")])
    ]
    assert len(found[0].labels) == 1


@pytest.mark.parametrize("case", PAIRS["may matter"], ids=lambda case: case["effect"])
def test_words_that_may_matter_are_fine(case: dict[str, str], tmp_path: Path) -> None:
    text = case["effect"].strip().replace("\n", "\n      ")
    assert "overridden-effect" not in [one.name for one in told(tmp_path, cards(case["kind"], card=text))]


def test_the_smallest_situation_is_told(tmp_path: Path) -> None:
    effect = (
        "self cannot perform MOVE. if HITCOUNTER of self * 2 > MP of self + 3 and self is not SUPPRESSED,"
        " self cannot perform MOVE."
    )
    (found,) = told(tmp_path, cards("item", card=effect))
    assert "`self is not SUPPRESSED` and `HITCOUNTER of self` is 2 and `MP of self` is 0." in found.message


def test_skills_of_one_operator_can_override_each_other(tmp_path: Path) -> None:
    skills = "".join(f"\n      - effect: self cannot perform MOVE{more}." for more in ("", " and gets +1 EP"))
    found = told(tmp_path, "cards:\n" + operator("viper", skills=skills) + OWLS)
    assert [(one.span.text, one.span.begin_position.line) for one in found] == [("cannot perform MOVE", 13)]


FAIR = [
    (2, 2, 2, 3, 2),
    (3, 2, 3, 5, 1),
    (4, 4, 2, 4, 3),
    (5, 5, 3, 5, 2),
    (6, 4, 5, 5, 3),
    (7, 6, 4, 7, 1),
    (3, 3, 2, 4, 2),
]
"""SQUADPOINTS, AP, EP, DP, MP."""


def priced(points: int) -> str:
    """Seven OPERATORs at fair prices, and one at another; each has a TEAM of his own."""
    keys = ("squadpoints", "ap", "ep", "dp", "mp")
    entries = [
        changed(f"o-{n}", team=f"t-{n}", **{key: str(value) for key, value in zip(keys, row, strict=True)})
        for n, row in enumerate([*FAIR, (points, 4, 3, 5, 4)])
    ]
    teams = "".join(f"  - {{id: t-{n}, name: T{n}}}\n" for n in range(len(entries)))
    return "cards:\n" + "".join(entries) + "teams:\n" + teams


@pytest.mark.parametrize("points", [1, 9])
def test_a_price_far_from_the_others_is_told_with_the_expected_one(points: int, tmp_path: Path) -> None:
    (found,) = told(tmp_path, priced(points))
    assert (found.name, found.span.text, found.card) == ("odd-squadpoints", str(points), "o-7")
    assert "cost about 5" in found.message


@pytest.mark.parametrize("points", [4, 5, 6])
def test_a_price_near_the_others_is_fine(points: int, tmp_path: Path) -> None:
    assert told(tmp_path, priced(points)) == []


def test_few_operators_make_no_price(tmp_path: Path) -> None:
    text = priced(9)
    assert told(tmp_path, text.replace(text[text.index("  - id: o-6") : text.index("  - id: o-7")], "")) == []
