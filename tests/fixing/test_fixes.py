"""Fixes as a designer meets them: what a file says before and after, in every style of YAML."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.data.projects import CARDS, PLAY, write
from tests.mutants import Fixing
from tests.yaml_files import read_yaml
from toolkit.diagnostics.catalogue import severity_of
from toolkit.dsl.names import Names
from toolkit.editing.fixing import Fixed, fix_project
from toolkit.lint import EffectContext
from toolkit.project.output import difference, save
from toolkit.vocabulary import Role
from toolkit.vocabulary.nearest import words_of

CARD = """\
cards:
  - id: bold
    kind: attack
    name: Bold
    effect: %s
"""

EFFECTS = [
    # before, after
    ("when atacking, self gets +2 AP.", "when attacking, self gets +2 AP."),
    ("when attacking self gets +2AP", "when attacking, self gets +2 AP."),
    ("'when attacking, self gets gets +2 AP'", "'when attacking, self gets +2 AP.'"),
    ('"when attacking, self gets +2 AP"', '"when attacking, self gets +2 AP."'),
    ("|  # loud\n      when attacking,  # ä\n      self doublse AP.", None),
    (">-\n      when attacking,\n      self  doublles\n      AP", None),
    ("when attacking,\n      self doublles\n      AP", None),
    ("'when attacking,\n\n      self doublles AP'", None),
    ('"when attacking, \\\n      self\\x20doublles AP"', None),
    ('all own OPERATORs with trait "snipper" get +1 AP.', 'all own OPERATORs with trait "sniper" get +1 AP.'),
    ("'all any OPERATORs with trait snipper get +1 AP.'",
     "'all any OPERATORs with trait \"sniper\" get +1 AP.'"),
    ('"all own OPERATORs with trait snipper get +1 AP."',
     '"all own OPERATORs with trait \\"sniper\\" get +1 AP."'),
    ('|\n      all own OPERATORs with trait “sniper” get\n      +1 AP  # one\n', None),
]  # fmt: skip


def fixed(tmp_path: Path, *, unsafe: bool = False, **files: str) -> Fixed:
    """The project of LANGUAGE.md with other files beside it, fixed in memory."""
    texts = {"cards": CARDS, "play": PLAY} | files
    root = write(tmp_path, {f"{name}.yaml": text for name, text in texts.items()})
    return fix_project(root, lambda workspace: workspace.findings, unsafe=unsafe)


def left(result: Fixed) -> list[str]:
    """The names of the errors that remain."""
    return [finding.name for finding in result.remaining if severity_of(finding.name) == "error"]


def after(result: Fixed, name: str = "bold.yaml") -> str:
    return next(change.after for change in result.changes if change.file.path.name == name)


def cases(name: str) -> list[list[str]]:
    path = Path(__file__).parent / "cases" / name
    loaded: list[list[str]] = read_yaml(path)
    return loaded


def fixing(role: str, *, unsafe: bool = False) -> Fixing:
    return Fixing(Names(("night-owls",), ("sniper",)), EffectContext(Role(role)), unsafe)


@pytest.mark.parametrize(("role", "text"), cases("kept.yaml"))
def test_a_sentence_that_may_mean_something_else_is_left_alone(role: str, text: str) -> None:
    assert not fixing(role).is_right(text)
    assert fixing(role).fixed(text) == text


@pytest.mark.parametrize(("role", "text", "never"), cases("bounded.yaml"))
def test_no_fix_changes_who_acts_when_a_side_or_a_negation(role: str, text: str, never: str) -> None:
    assert not fixing(role).is_right(text)
    assert never not in words_of(text)
    assert never not in words_of(fixing(role, unsafe=True).fixed(text))


@pytest.mark.parametrize(("before", "right"), EFFECTS)
def test_an_effect_is_mended_where_it_stands(tmp_path: Path, before: str, right: str | None) -> None:
    result = fixed(tmp_path, bold=CARD % before)
    assert (left(result), result.dropped) == ([], ())
    if right is not None:
        assert after(result) == CARD % right
    before_lines, after_lines = (CARD % before).splitlines(), after(result).splitlines()
    assert len(before_lines) == len(after_lines), "no line was joined or split"
    assert [line.partition("#")[2] for line in before_lines] == [
        line.partition("#")[2] for line in after_lines
    ]


def test_a_plain_text_in_braces_is_quoted_when_it_must_be(tmp_path: Path) -> None:
    text = "cards:\n  - {id: bold, kind: attack, name: Bold, effect: when attacking self gets +2 AP.}\n"
    result = fixed(tmp_path, bold=text)
    assert after(result) == text.replace(
        "when attacking self gets +2 AP.", '"when attacking, self gets +2 AP."'
    )


def test_keys_ids_and_values_keep_their_quotes_and_comments(tmp_path: Path) -> None:
    text = (
        "# bold\ncards:\n  - id: bold\n    'knid': \"atack\"  # kind\n    nmae: Bold\n"
        "    tags: fast\n    quantity: '3'\n    effect: when attacking, self gets +2 AP.\n"
    )
    result = fixed(tmp_path, bold=text)
    assert after(result) == (
        "# bold\ncards:\n  - id: bold\n    'kind': \"attack\"  # kind\n    name: Bold\n"
        "    tags: [fast]\n    quantity: 3\n    effect: when attacking, self gets +2 AP.\n"
    )


@pytest.mark.parametrize(
    ("right", "wrong", "certain"),
    [
        ("kind: attack", "knid: attack", True),
        ("kind: attack", "kimt: attack", False),
        ("id: bold", "di: bold", False),
        ("quantity: 2", "quantiyt: 2", True),
        ("quantity: 2", "quantities: 2", False),
        ("tags: [a]", "tgas: [a]", False),  # the entry is right without it
    ],
)
def test_which_misspelt_keys_are_certain(tmp_path: Path, right: str, wrong: str, certain: bool) -> None:
    text = CARD % "when attacking, self gets +1 AP." + "    quantity: 2\n    tags: [a]\n"
    result = fixed(tmp_path, bold=text.replace(right, wrong))
    assert [change.after for change in result.changes] == ([text] if certain else [])


@pytest.mark.parametrize("ends", ["\r\n", "\r"])
def test_line_ends_the_last_line_and_the_mark_stay(tmp_path: Path, ends: str) -> None:
    text = (CARD % "when attacking, self gets +2 AP").replace("\n", ends).rstrip()
    result = fixed(tmp_path, bold="\ufeff" + text)
    assert [save(change) for change in result.changes] == [None]
    assert (tmp_path / "bold.yaml").read_bytes() == f"\ufeff{text}.".encode()


def test_mixed_line_ends_stay_mixed(tmp_path: Path) -> None:
    text = (CARD % "|\n      # 😀\n      self doublez AP.").replace("attack\n", "attack\r\n")
    assert after(fixed(tmp_path, bold=text)) == text.replace("doublez", "doubles")


def test_what_is_not_certain_is_fixed_only_when_asked_for(tmp_path: Path) -> None:
    text = (CARD % "when attacking, self gets 2 AP.") + "    text: Bold.\n"
    careful = fixed(tmp_path, bold=text)
    assert left(careful) == ["missing-word"]
    bold = fixed(tmp_path, bold=text, unsafe=True)
    assert after(bold).splitlines()[4:6] == [
        "    effect: when attacking, self gets +2 AP.",
        "    text_for: " + after(bold).splitlines()[5][-10:],
    ]
    assert left(bold) == []


def test_how_long_something_lasts_is_taken_away_only_when_asked_for(tmp_path: Path) -> None:
    text = CARD % "self gets +1 AP until end of TURN."
    assert fixed(tmp_path, bold=text).changes == ()
    assert "until" not in after(fixed(tmp_path, unsafe=True, bold=text))


def test_a_word_that_may_be_either_of_two_is_left(tmp_path: Path) -> None:
    result = fixed(tmp_path, bold=CARD % "all enemmy OPERATORs get +1 AP.", cards=CARDS)
    unclear = fixed(tmp_path, bold=CARD % "when attaced, self gets +1 AP.")
    assert left(result) == []
    assert "enemy" in after(result)
    assert left(unclear) == ["unknown-trigger"]


def test_a_doubled_line_goes_but_not_one_that_says_something_else_or_bears_a_comment(tmp_path: Path) -> None:
    text = CARD % "self gets +1 AP." + "    quantity: 2\n    quantity: 2\n"
    assert after(fixed(tmp_path, bold=text)) == CARD % "self gets +1 AP." + "    quantity: 2\n"
    for line in ("    quantity: 3\n", "    quantity: 2  # why?\n"):
        result = fixed(tmp_path, bold=CARD % "self gets +1 AP." + "    quantity: 2\n" + line)
        assert left(result) == ["duplicate-key"]
        assert result.changes == ()
    flow = "cards:\n  - {id: bold, kind: attack, name: B, kind: attack, effect: self gets +1 AP.}\n"
    assert after(fixed(tmp_path, bold=flow)) == flow.replace("B, kind: attack", "B")


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("name: Bold", "name: Bold effect: self gets +1 AP."),
        ("kind: attack", "kind: attack name: Bold"),
        ("kind: attack", "tags: [a] [b]\n    kind: attack"),
        ("kind: attack", "tags: [a], [b]\n    kind: attack"),
        ("kind: attack", "quantity: 2 2\n    kind: attack"),
        ("kind: attack", "flavour:}\n    kind: attack"),
        ("id: bold", "id: very-bold very-bold"),
        ("name: Bold", "name:\n      en: Bold\n      de: Bold\n      quantity: 3"),
        ("id: bold", "id: bold\n      sub: bold"),
        ("    name: Bold\n", "    name: Bold\n    kind: attack\n"),
    ],
)
def test_where_a_line_or_a_sign_was_lost_nothing_is_certain(tmp_path: Path, line: str, lost: str) -> None:
    text = (CARD % "self gets +1 AP.").replace(line, lost, 1)
    assert lost in text
    result = fixed(tmp_path, bold=text)
    assert (result.changes, result.fixed) == ((), ())
    assert left(result)


def test_a_key_that_was_written_twice_goes(tmp_path: Path) -> None:
    right = CARD % "self gets +1 AP."
    text = right.replace("kind: ", "kind: kind: ").replace("effect: ", "effect: effect: ")
    assert after(fixed(tmp_path, bold=text)) == right


def test_several_mistakes_in_one_sentence_are_mended_in_rounds(tmp_path: Path) -> None:
    result = fixed(tmp_path, bold=CARD % "when atacking self DOUBLSE AP and gets +1MP")
    assert after(result) == CARD % "when attacking, self doubles AP and gets +1 MP."
    assert left(result) == []


TWO = "|\n      when the attack hits, {first}.\n      when attacking, self doubels AP."


@pytest.mark.parametrize(
    ("wrong", "unsafe"),
    [
        ("owner drawss 1 card and frobnicates", False),
        ("owner drawss 1 card and frobnicates", True),
        ("slef gest 2 AP", True),  # no duration, which shows when the rest is fixed in three rounds
        ("self gets +1 AP until end of TRUN target gets -1 EP", True),  # `TURN.` is the second round
    ],
)
def test_a_sentence_in_which_an_error_is_left_is_left_alone(tmp_path: Path, wrong: str, unsafe: bool) -> None:
    text = CARD % TWO.format(first=wrong)
    result = fixed(tmp_path, unsafe=unsafe, bold=text)
    assert after(result) == text.replace("doubels", "doubles")
    assert [finding.name for finding in result.fixed] == ["unknown-verb"]
    assert set(left(result))


def test_a_sentence_with_an_error_that_is_not_reported_is_left_alone(tmp_path: Path) -> None:
    root = write(tmp_path, {"cards.yaml": CARDS, "play.yaml": PLAY})
    (root / "bold.yaml").write_text(CARD % "when atacking, self gets gets +1 AP.")
    result = fix_project(
        root, lambda workspace: [one for one in workspace.findings if one.name != "doubled-word"]
    )
    assert (result.changes, [one.name for one in result.dropped]) == ((), ["unknown-trigger"])


def test_a_fix_that_brings_another_mistake_is_dropped_and_told(tmp_path: Path) -> None:
    text = (
        CARD % "self gets +1 AP."
        + "  - id: Bold\n    kind: attack\n    name: B\n    effect: self gets +1 AP.\n"
    )
    result = fixed(tmp_path, bold=text)
    assert [finding.name for finding in result.dropped] == ["invalid-id"]
    assert result.changes == ()


def test_a_comment_in_the_middle_of_what_would_be_written_anew_is_not_lost(tmp_path: Path) -> None:
    text = CARD % '|\n      all own OPERATORs with trait "sniper" # one\n      in RANGE of target get +1 AP.'
    text = text.replace("all own", "when attacking, all own")
    result = fixed(tmp_path, bold=text)
    assert left(result) == ["filter-order"]


def test_a_change_is_shown_as_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (change,) = fixed(tmp_path, bold=(CARD % "self doublez AP.").rstrip()).changes
    assert difference(change) == (
        "--- bold.yaml\n+++ bold.yaml\n@@ -2,4 +2,4 @@\n   - id: bold\n     kind: attack\n     name: Bold\n"
        "-    effect: self doublez AP.\n\\ No newline at end of file\n"
        "+    effect: self doubles AP.\n\\ No newline at end of file\n"
    )
