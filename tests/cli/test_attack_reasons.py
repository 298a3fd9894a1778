"""``opforge attack`` gives the true reason for what did not happen, or not as a line alone would say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toolkit.apps.cli import run

PROJECT = Path(__file__).parent / "reasons"

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _in_the_project(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PROJECT)
    monkeypatch.setenv("COLUMNS", "100")


def out(capsys: Capture, words: str, scenario: str | None = None, status: int = 0) -> str:
    """What is printed, with single spaces."""
    there = ["--scenario", f"cards.yaml#{scenario}"] if scenario else []
    assert run(["attack", *words.split(), *there]) == status
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("words", "scenario", "reported"),
    [
        ("ram hare --dice 1,1", None, "it speaks of attacks by hare, and here hare is attacked"),
        (
            "ram goose --dice 6,1",
            "the other side",
            "it speaks of attacks by own OPERATORs, and here an enemy one attacks",
        ),
        ("ram goose --dice 5,1,6", "thorns from", "goose is HIT by then, so this card is gone (H-2)"),
        ("ram goose --dice 5,1,6 --defence-card thorns", None, "goose is HIT by then, so this card is gone"),
        (
            "goose ram --dice 1,1 --defence-card thorns",
            None,
            "it acts when the attack hits, and that did not",
        ),
        ("ram hare --dice 5,1", None, "C-3 does nothing: hare is HIT by then"),
        ("ram hare --dice 1,6", None, "it acts when an own OPERATOR becomes HIT, and that did not happen"),
    ],
)
def test_why_an_effect_of_an_event_did_nothing(
    words: str, scenario: str | None, reported: str, capsys: Capture
) -> None:
    assert reported in out(capsys, words, scenario)


_IDLE = re.compile(r"(\w+), (?:SKILL of|DEFENCE card) \w+ when [^.]+\. \S+ (\S+) does nothing: ")


def reasons(capsys: Capture, words: str, scenario: str | None = None) -> dict[str, str]:
    """The rule and the reason by each effect that did nothing after AP were compared with EP."""
    events = out(capsys, words, scenario).rpartition(" Events ")[2]
    events = re.sub(r" (?:AP \d+ = |note: ).*", " ", events)
    _, *parts = _IDLE.split(events)
    reasons_by_name = {}
    for name, rule, reason in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        reasons_by_name[name] = f"{rule} {reason.strip()}"
    return reasons_by_name


NO_MISS = "M-11 it acts when the attack misses, and that did not happen"
NO_CRITICAL = "M-11 it acts when the attack is CRITICAL, and that did not happen"
NO_FALL = "M-11 it acts when an enemy OPERATOR becomes HIT, and that did not happen"
OF_OTHERS = "M-11 it speaks of attacks by newt, and here newt is attacked"
DOWN = "C-3 newt is HIT by then"


@pytest.mark.parametrize(
    ("words", "scenario", "sulk", "gloat", "spit"),
    [
        # an attack that misses, whose attacker becomes HIT all the same
        ("newt ram --dice 1,1 --defence-card mire", "a newt", DOWN, NO_FALL, NO_CRITICAL),
        # one that is CRITICAL and misses
        ("newt ram --dice 6,1 --critical double --defence-card mire", "a newt", DOWN, NO_FALL, DOWN),
        # one that hits, and both become HIT
        ("newt snail --dice 6,1 --defence-card mire", "brave", NO_MISS, DOWN, NO_CRITICAL),
        ("newt ram --dice 6,1", None, NO_MISS, NO_FALL, NO_CRITICAL),
        # one in which nothing is compared, so that it neither hits nor misses
        ("newt ram --dice 6,1 --defence-card dive", None, NO_MISS, NO_FALL, NO_CRITICAL),
        ("ram newt --dice 5,1", None, OF_OTHERS, NO_FALL, OF_OTHERS),
        ("ram newt --dice 1,6", None, OF_OTHERS, NO_FALL, OF_OTHERS),
    ],
)
def test_what_hit_or_missed_where_an_effect_did_nothing(
    words: str, scenario: str | None, sulk: str, gloat: str, spit: str, capsys: Capture
) -> None:
    assert reasons(capsys, words, scenario) == {"Sulk": sulk, "Gloat": gloat, "Spit": spit}


def test_who_was_down_where_an_effect_did_nothing(capsys: Capture) -> None:
    out_by_then = reasons(capsys, "wasp goose --dice 5,1")
    assert out_by_then["Spite"] == "C-3 wasp is OUT by then"
    stood_up_again = reasons(capsys, "ram eel --dice 5,1 --defence-card thorns")
    assert stood_up_again == {"Thorns": "C-3 eel is HIT by then, so this card is gone (H-2)"}
    never_down = reasons(capsys, "ram eel --dice 1,6")
    assert never_down == {"Regrow": "M-11 it acts when self becomes HIT, and that did not happen"}


def test_who_falls_hears_nothing_of_what_made_it_fall(capsys: Capture) -> None:
    poison, wail = "it acts when an attack on self hits", "it acts when an OPERATOR becomes HIT"
    assert reasons(capsys, "ram toad --dice 5,1 --defence-card quills") == {
        "Poison": f"C-3 {poison}, and toad is HIT by then",
        "Wail": f"C-3 {wail}, and toad is HIT by then",
        "Quills": f"C-3 {poison}, and toad is HIT by then, so this card is gone (H-2)",
    }
    assert reasons(capsys, "toad ram --dice 1,1") == {
        "Poison": f"M-11 {poison}, and that did not happen",
        "Wail": f"M-11 {wail}, and that did not happen",
    }


@pytest.mark.parametrize(
    ("words", "reported"),
    [
        (
            "mule ram --dice 1,1 --defence-card rope",
            "fixed at 1 7 → 7 Fix, but the Fix of Stubborn wins (N-6)",
        ),
        ("snail ram --dice 1,1 --attack-card gallop", "× 2 2 → 5 Multiply, counted before ÷ (N-2)"),
        (
            "ram mule --dice 1,1 --attack-card spur --defence-card rope",
            "fixed at 1 18 → 2 Fix, counted before what was there already (N-2)",
        ),
        (
            "ram mule --dice 1,1 --attack-card yoke --defence-card rope",
            "fixed at 1 8 → 8 Fix, but another Fix wins (N-6)",
        ),
        ("ram ram --dice 1,1 --attack-card gallop", "× 2 9 → 18 Multiply M-6"),
    ],
)
def test_why_a_number_is_not_what_its_line_alone_would_make(
    words: str, reported: str, capsys: Capture
) -> None:
    assert reported in out(capsys, words).replace("6 ATTACK D6 and DEFENCE D6 ", "")


def test_numbers_of_an_operator_that_leaves_in_the_middle(capsys: Capture) -> None:
    printed = out(capsys, "snail ram --dice 1,1 --attack-card bait", "a rooster")
    assert "M-2 AP of snail + 3 2 → 5 Add" in printed
    assert "C-3 AP of snail, now that rooster is OUT: 6 → 3" in printed
    assert "M-6 AP of snail + 1 3 → 4 Add" in printed


def test_numbers_of_others_are_told_in_the_order_in_which_they_change(capsys: Capture) -> None:
    printed = out(capsys, "snail ram --dice 1,1 --attack-card howl", "a rooster")
    assert "M-5 AP of snail + 1 6 → 7 Add M-5 changes others too: EP of rooster, DP of rooster 6 " in printed


def test_a_ruleviolation_that_lapses_with_who_gave_it(capsys: Capture) -> None:
    printed = out(capsys, "ram goose --dice 5,1,3")
    assert "C-3 does nothing: RULEVIOLATION 4+ has lapsed, for goose is HIT" in printed
    assert "note: not all of --dice was rolled: 3 left." in printed
    assert "RULEVIOLATION 4+: 3, ram is OUT" in out(capsys, "ram goose --dice 1,6,3")


def test_nobody_is_sent_for_an_item_that_is_not_there(capsys: Capture) -> None:
    assert "--performance" not in out(capsys, "ram goose --dice 5,1")
    assert run(["attack", "ram", "goose", "--dice", "5,1", "--performance", "ram"]) == 2
    assert (
        "--performance: the ITEMDECK of blue is empty; use --scenario with one that has `item_decks`."
        in capsys.readouterr().err
    )


def test_what_goes_on_without_end_is_named_with_its_place(capsys: Capture) -> None:
    printed = out(capsys, "ram cat --dice 5,1", status=1)
    sentence = "when self becomes HIT, if ROUND < 50, self becomes NORMAL and gets +9 HITCOUNTER."
    reported = f"Events bring each other about without end: `{sentence}` (cat, cards.yaml:86:17), and so on."
    assert printed.endswith(f"note: {reported}")
