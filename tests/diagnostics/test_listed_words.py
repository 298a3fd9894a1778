"""In which order messages list words: as they are written or printed, and what is meant most likely first."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.data.projects import CARDS, PLAY, SETTINGS, write
from toolkit.apps.cli import run
from toolkit.diagnostics.phrases import alternatives
from toolkit.dsl.checking import check_effect
from toolkit.dsl.names import Names
from toolkit.dsl.parsing import parse_effect
from toolkit.project.pipeline import Cache, open_project
from toolkit.vocabulary import Role

Capture = pytest.CaptureFixture[str]


def test_alternatives_stay_in_their_order() -> None:
    assert alternatives(["b"]) == "b"
    assert alternatives(["b", "a"]) == "b or a"
    assert alternatives(["c", "a", "b"]) == "c, a or b"


NAMES = Names(("owls", "foxes", "bats"), ("sniper", "medic"))


def next_steps(effect: str, role: Role) -> list[str]:
    """What to do about an effect, in the order in which it is said."""
    tree, problems = parse_effect(effect)
    return [problem.next_step for problem in (problems if tree is None else check_effect(tree, role, NAMES))]


@pytest.mark.parametrize(
    ("effect", "step"),
    [
        ("self gets of.", "Expected `-` or `+`."),
        ("self of.", "Expected a verb, such as `gets`, `doubles` or `multiplies`."),
        ("self becomes of.", "Expected `the`, `OUT`, `EXHAUSTED` or `NORMAL`."),
        ("self gains BONUS (of).", "Expected `ATTACK`, `ANY`, `MOVE`, `MEDIC`, `EVADE` or `RELOAD`."),
        ("self gets +1 AP until of.", "Expected `the` or `end`."),
        ("when the attack of, self gets +1 AP.", "Expected `is`, `hits` or `misses`."),
        ("self gets +1 of.", "Expected `RANGE`, `DAMAGE`, `MARKER` or a stat like `AP`."),
        (
            "if of > 2, self gets +1 AP.",
            "Expected `ROUND`, `not`, `the`, a number, a stat like `AP` or an OPERATOR or player like "
            "`attacked`.",
        ),
        ("if self is of, self gets +1 AP.", "Expected `not`, a status like `HIT` or a filter like `in`."),
        ('all own OPERATORs of TEAM "zzz" get +1 AP.', "Write one of `owls`, `foxes`, `bats`."),
        ('all own OPERATORs with trait "zzz" get +1 AP.', "Write one of `sniper`, `medic`."),
    ],
)
def test_words_of_the_language(effect: str, step: str) -> None:
    assert next_steps(effect, Role.SKILL) == [step]


def test_triggers_of_a_role() -> None:
    (of_teamwork,) = next_steps("when the TURN begins, owner draws 1 card.", Role.TEAMWORK)
    assert of_teamwork == "Possible here: `when attacking`, `when attacked`."
    (of_skill,) = next_steps("when played, owner draws 1 card.", Role.SKILL)
    assert of_skill == (
        "Possible here: `when attacking`, `when attacked`, `when an own OPERATOR attacks`, `when an own "
        "OPERATOR is attacked`, `when an enemy OPERATOR attacks`, `when an enemy OPERATOR is attacked` and "
        "others."
    )


def test_what_is_wrong_with_an_effect_comes_in_the_order_of_its_words() -> None:
    effect = (
        'all own OPERATORs of TEAM "x" with trait "y" get +1 AP. all enemy OPERATORs of TEAM "z" get -1 AP.'
    )
    tree, _ = parse_effect(effect)
    assert tree is not None
    problems = check_effect(tree, Role.SKILL, NAMES)
    assert [effect[slice(*problem.place)] for problem in problems] == ["x", "y", "z"]


FILES = {"cards.yaml": CARDS, "play.yaml": PLAY, "opforge.yaml": SETTINGS}
READ = Cache()
DRAWING = """\
<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">
<foreignObject/>
<animate/>
<animateTransform/>
{}<rect width="5" height="5"/></svg>
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project of the language page, and drawings of which not all is printed."""
    root = write(tmp_path_factory.mktemp("listed"), FILES)
    for name, more in (("three", ""), ("four", "<animateMotion/>\n")):
        (root / f"{name}.svg").write_text(DRAWING.format(more), encoding="utf-8")
    return root


# what is replaced, by what; a finding, and what it says
MESSAGES = [
    ("    squadpoints: 4\n    ap: 4\n", "", "missing-key", "This OPERATOR has no `squadpoints` or `ap`."),
    ("    squadpoints: 4\n    ap: 4\n", "", "missing-key", "Add these keys: squadpoints, ap."),
    (
        "quantity: 1",
        "zzz: 1",
        "unknown-key",
        "possible keys: keywords, art, quantity, tags, back, artist, set, number, version, text, text_for.",
    ),
    (
        "kind: operator",
        "kind: unit",
        "unknown-kind",
        "must be `operator`, `attack`, `defence`, `effect`, `strategy` or `item`.",
    ),
    ("rounding: down", "rounding: zzz", "unknown-value", "must be `down`, `up` or `nearest`."),
    ("paper: a4", "paper: zzz", "unknown-value", "Choose one of these: a4, letter, a3, tabloid."),
    (
        "paper: a4",
        "house_rules: [{rule: zzz < 3}]",
        "broken-house-rule",
        "Possible: ap, ep, dp, mp, squadpoints, value, skills, quantity, name_length, text_words.",
    ),
    (
        "paper: a4",
        "house_rules: [{rule: mp + ap < 3 and dp > 9}]",
        "house-rule",
        "`mp` is 2, `ap` is 4, `dp` is 6.",
    ),
    (
        "squads:\n",
        "zzzzzz:\n",
        "unknown-key",
        "one of cards, teams, objectives, markers, keywords, modes, rulesets, squads, scenarios, layouts.",
    ),
    (
        "effect: self gets +1 AP.}",
        "effect: 'self gets +3 EP and +1 AP.', text: Gets +9 AP.}",
        "text-differs",
        "its effect has +1 AP, +3 EP.",
    ),
    (
        "effect: self gets +1 AP.}",
        "effect: 'self gets +3 EP and +1 AP.', text: Gets 8.}",
        "text-differs",
        "its effect has 1, 3.",
    ),
    (
        "flavour: {en: Quiet., de: Still.}",
        "flavour: Quiet night.",
        "text-in-one-language",
        "the same sentence is printed in `en` and `de`. Write it by language: `{en: …, de: …}`.",
    ),
    (
        "languages: [en, de]",
        "languages: [en, de, fr, es]",
        "missing-text",
        "has no text in `fr` and `es`. Add `text: {fr: …, es: …}` and `text_for: ",
    ),
    (
        "languages: [en, de]",
        "languages: [en, de, fr]",
        "missing-words",
        "are not there in `fr`: `title`, `modify`, `modify-lead` and",
    ),
    (
        "quantity: 1\n",
        "art: three.svg\n",
        "ignored-svg",
        "uses `<foreignObject>` (line 2), `<animate>` (line 3) and `<animateTransform>` (line 4), which are",
    ),
    (
        "quantity: 1\n",
        "art: four.svg\n",
        "ignored-svg",
        "(line 2), `<animate>` (line 3), `<animateTransform>` (line 4) and 1 more, which are not printed.",
    ),
]


def test_words_of_card_files(root: Path) -> None:
    for old, new, finding_name, words in MESSAGES:
        (file,) = [file for file, text in FILES.items() if old in text]
        assert FILES[file].count(old) == 1, f"{old!r} is at one place"
        overlay = {root / file: FILES[file].replace(old, new)}
        findings = open_project(root, overlay, READ).findings
        texts = [
            f"{finding.message} {finding.next_step}" for finding in findings if finding.name == finding_name
        ]
        assert any(words in text for text in texts), (new, texts)


def test_numbers_that_stand_for_nothing_in_a_word(root: Path) -> None:
    words = 'words: {en: {setup-squad-copies: "{zz} {limit} {aa} {copies}"}}'
    overlay = {root / "opforge.yaml": SETTINGS.replace("paper: a4", words)}
    findings = [
        finding for finding in open_project(root, overlay, READ).findings if finding.name == "unknown-value"
    ]
    assert [finding.span.text for finding in findings] == ["{aa}", "{limit}", "{zz}"]
    steps = {finding.next_step for finding in findings}
    assert steps == {"Here `{copies}` and `{operators}` and `{squadpoints}` can stand."}


def test_a_file_that_begins_with_no_key(root: Path) -> None:
    findings = open_project(root, {root / "more.yaml": "hello\n"}, READ).findings
    assert [finding.next_step for finding in findings if finding.name == "wrong-type"] == [
        "Write one of these above: `cards:`, `teams:`, `objectives:`, `markers:`, `keywords:`, `modes:`, "
        "`rulesets:`, `squads:`, `scenarios:`, `layouts:`."
    ]


def test_languages_of_a_project(root: Path, capsys: Capture) -> None:
    assert run(["sheet", str(root), "--lang", "zz", "-o", "x.pdf"]) == 2
    assert "There is no language 'zz' here; the project has en, de." in capsys.readouterr().err


REASONS = Path(__file__).parent.parent / "cli" / "reasons"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("attack ram goose --dice 5,1,6,3", "note: not all of --dice was rolled: 6, 3 left."),
        (
            "attack ram goose --dice 5,1 --reroll 1 --reroll 2",
            "note: --reroll names 1, 2, which could not be rerolled.",
        ),
        (
            "attack ram goose --scenario cards.yaml#zzz",
            "There is no scenario 'zzz' in cards.yaml; there are: the other side cheers, thorns from before, "
            "a rooster beside the mule, a newt that was hurt, brave newt.",
        ),
        ("sheet --theme zzz -o x.pdf", "There is no theme 'zzz'. There are classic, tournament."),
    ],
)
def test_words_of_commands(
    command: str, words: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(REASONS)
    run(command.split())
    captured = capsys.readouterr()
    assert words in " ".join((captured.out + captured.err).split())


SCENARIOS = """\
cards:
  - id: fox
    kind: operator
    name: Fox
    team: night-owls
    squadpoints: 3
    ap: 2
    ep: 2
    dp: 4
    mp: 3
    traits: [scout, medic, leader]
scenarios:
  - name: random
    field: {blue: [viper], red: [pawn, bishop, rook]}
    hands: {blue: [stray-shot]}
    do:
      - {action: play, card: stray-shot, by: blue, random: [blue.viper]}
    expect: {pawn: {hitcounter: 0}}
  - name: choose
    field: {blue: [viper, hawk, otter], red: [pawn]}
    hands: {blue: [smoke]}
    do:
      - {action: play, card: smoke, by: blue, choose: [pawn]}
    expect: {pawn: {hitcounter: 0}}
  - name: item
    field: {blue: [viper, hawk, otter], red: [pawn]}
    state: {hawk: {attached: vest}}
    item_decks: {blue: [scope]}
    do:
      - {action: attack, by: viper, on: pawn, dice: [5, 1], performance: {item: scope, to: hawk}}
    expect: {pawn: {status: HIT}}
  - name: unused
    field: {blue: [viper, hawk], red: [pawn]}
    do:
      - {action: evade, by: viper, choose: [hawk, viper], cards: [smoke, burst]}
    expect: {pawn: {hitcounter: 0}}
  - name: traits
    field: {blue: [fox, viper], red: [pawn]}
    do: []
    expect: {fox: {traits: [medic, leader]}, viper: {traits: [scout, leader]}, blue: {deck: [smoke, burst]}}
"""
SAID_OF_SCENARIOS = [
    "`random` draws blue.viper, which cannot be drawn here; possible: pawn, bishop, rook.",
    "`choose` answers pawn, which cannot be chosen here; possible: viper, hawk, otter.",
    "hawk cannot bear the ITEM `scope`; possible: viper, otter.",
    "no OPERATOR is chosen for its `choose` answer hawk, viper.",
    "no card is chosen for its `cards` answer smoke, burst.",
    "fox.traits: expected leader, medic, got leader, medic, scout",
    "viper.traits: expected leader, scout, got sniper",
    "blue.deck: expected smoke, burst, got none",
]


@pytest.fixture
def played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project of the scenarios without its scenarios, as the current folder."""
    project = Path(__file__).parent.parent / "scenarios" / "project"
    for name in ("opforge.yaml", "game.yaml", "cards.yaml"):
        (tmp_path / name).write_text((project / name).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_words_of_scenarios_that_are_played(played: Path, capsys: Capture) -> None:
    (played / "scenario.yaml").write_text(SCENARIOS, encoding="utf-8")
    assert run(["test"]) == 1
    printed = capsys.readouterr().out
    assert [words for words in SAID_OF_SCENARIOS if words not in printed] == []


def test_words_of_scenarios_that_are_wrong(played: Path, capsys: Capture) -> None:
    text = """\
scenarios:
  - name: wrong
    field: {blue: [viper, hawk], red: [pawn]}
    do:
      - {action: evade, by: viper, swap: hawk, on: pawn}
      - {action: evade, by: zzzzz}
    expect: {pawn: {hitcounter: 0}}
"""
    for name in ("b.yaml", "a.yaml"):
        (played / name).write_text(text.replace("wrong", name), encoding="utf-8")
    findings = [
        finding for finding in open_project(played).findings if finding.span.file.path.name == "a.yaml"
    ]
    assert [finding.span.text for finding in findings] == ["swap", "on", "zzzzz"]
    assert [finding.next_step for finding in findings[1:]] == [
        "Remove it; possible keys: dice, performance, choose, either, may, cards, order, place, random, "
        "at_once.",
        "Add it to `field` or `save_zone`, or use one that is there: `viper`, `hawk`, `pawn`.",
    ]
    assert run(["test"]) == 1
    assert "Nothing of a.yaml, b.yaml was played, because of the errors above." in capsys.readouterr().out
    assert run(["attack", "viper", "pawn", "--mode", "zzz"]) == 2
    assert "There is no mode 'zzz'. There are: skirmish, duel." in capsys.readouterr().err
