"""What a person at the terminal knows before he is asked: all that has happened since his last question."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import click
import pytest

from toolkit.api import open_project
from toolkit.apps.cli import run
from toolkit.apps.cli.play_text import Names

Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("short_games")

GREEDY_ATTACKS = ("--blue", "greedy", "--red", "person", "--seed", "5", "--save", "game.jsonl")
"""Blue's first ACTION is an attack of Hawk on Knight with the ATTACK card Tracer round."""


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Play:
    return Play(monkeypatch, capsys)


class Play:
    """Plays with what is typed, and gives what was printed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        self.errors = ""

    def __call__(self, typed: str, *arguments: str, status: int = 0) -> str:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        assert run(["play", *arguments]) == status
        printed = self.capsys.readouterr()
        self.errors = printed.err
        assert [line for line in printed.out.splitlines() if len(line) > 80] == []
        return printed.out


DEFENCE = "RED: Knight may have a DEFENCE card attached.\n"
THE_ATTACK = """\
blue: Hawk: Attack Knight
    Tracer round is attached to Hawk
      When the OPERATOR bearing this card attacks, it gets +1 AP.
      When an attack by the bearer hits, all your other OPERATORs in RANGE of
        its target get +1 AP until the end of the TURN.

So far AP 7 (VALUE 7) of Hawk against EP 3 of Knight, before cards and dice.
"""


def test_the_attacked_player_sees_the_attack_card_before_the_question(play: Play) -> None:
    out = play("1\n1\n", *GREEDY_ATTACKS)
    assert THE_ATTACK + DEFENCE in out
    assert out.count("Tracer round is attached to Hawk") == 1
    assert out.count("Hawk: Attack Knight") == 1


def test_why_in_the_middle_of_an_attack_explains_the_attack(play: Play) -> None:
    out = play("1\n?\n", *GREEDY_ATTACKS)
    explained = out.partition("> ?\n")[2]
    assert explained.startswith("blue: Hawk: Attack Knight\n  A-1: Hawk performs ATTACK on Knight\n")
    assert "  M-5 step 5: Tracer round is attached to Hawk\n" in explained
    assert "Nothing has happened" not in explained


def test_who_goes_on_in_the_middle_of_an_attack_sees_field_and_attack_again(play: Play) -> None:
    play("1\n", *GREEDY_ATTACKS)
    out = play("", "--resume", "game.jsonl")
    before, asked, _ = out.partition(DEFENCE)
    assert asked
    assert "=== Going on: ROUND 1, TURN of blue ===" in before
    assert "1 Moth              2 Lantern           3 Knight            4 Wisp" in before
    assert before.endswith(THE_ATTACK)


def test_resuming_shows_what_happened_since_the_last_choice(play: Play) -> None:
    play("1\n1\n", *GREEDY_ATTACKS)
    out = play("?\n", "--resume", "game.jsonl")
    before, asked, explained = out.partition("RED: COMBAT: which ACTION?")
    assert asked
    assert "AP 11 of Hawk against EP 4 of Knight: the attack hits for 7" in before
    assert "blue: plays Field dressing" not in before
    assert "Field dressing is played" not in explained
    assert "\nblue: Hawk: Attack Knight\n" in explained


def test_dice_and_numbers_are_shown_before_a_critical_die_is_settled(play: Play) -> None:
    out = play("1\n" * 4, "--seed", "10", "--red", "random", "--save", "game.jsonl")
    reported = """\
    ATTACK D6 of Viper (blue): 6
    DEFENCE D6 of Moth (red): 6

So far AP 5 (VALUE 4) of Viper (blue) against EP 5 of Moth (red), before these
  dice.
BLUE: The ATTACK D6 shows 6 and is critical: add it, or double AP instead?
"""
    assert reported in out


def test_the_attacker_sees_the_defence_card_before_answering_it(play: Play) -> None:
    out = play("1\n" * 9, "--seed", "3", "--save", "game.jsonl")
    before, asked, _ = out.partition("(the third window")
    assert asked
    shown = before[before.rindex("1-") :].splitlines()
    assert shown[1].startswith("    ")
    assert " is attached to " in shown[1]
    assert shown[2].startswith("      When the OPERATOR bearing this card is attacked")


def test_two_people_see_each_others_action_before_they_are_asked(play: Play) -> None:
    out = play("1\n1\n1\n1\n", "--red", "person", "--seed", "2", "--save", "game.jsonl")
    chosen = "blue: Viper (blue): Attack Moth (red)\n"
    assert out.count(chosen) == 1
    assert 0 < out.index(chosen) < out.index("RED: Moth (red) may have a DEFENCE card attached.")


def test_a_phase_prints_what_it_did_before_it_asks(play: Play) -> None:
    out = play("1\n" * 60, "--seed", "2", "--red", "random", "--save", "game.jsonl")
    before, asked, after = out.partition("BLUE: SUPPORT: ")
    assert asked
    last = before[before.rindex("1-") :]
    assert "red: SUPPORT\n" in last
    assert "EXHAUSTED OPERATORs recover" in last
    assert "red: SUPPORT\n" not in after.partition("=== ROUND")[0]


def test_what_lasts_is_reported_with_the_card_that_did_it(play: Play) -> None:
    out = play("1\n1\n", *GREEDY_ATTACKS)
    assert "    AP of Lantern (blue): 3 → 4 until end of TURN [Tracer round]\n" in out
    assert "    blue fulfils PERFORMANCE\n    Ballistic vest is attached to Viper (blue)\n" in out
    assert "\nblue: plays Spearhead\n      When one of your OPERATORs attacks" in out


def test_a_card_is_offered_with_its_text_once(play: Play) -> None:
    out = play("1\n1\n", *GREEDY_ATTACKS)
    text = "  3  Hard cover\n       When the OPERATOR bearing this card is attacked, it gets +2 EP.\n"
    assert out.count(text) == 1
    again = play("1\n1\n1\n", "--seed", "10", "--red", "random", "--save", "other.jsonl")
    offered = again.partition("may have an ATTACK card")[2].split("may have an ATTACK card")
    assert "  2  Ambush\n       When the" in offered[0]
    assert "  2  Ambush\n  3  Aimed shot\n" in offered[1]


def test_either_or_is_asked_in_its_words(play: Play) -> None:
    out = play("2\n", "--seed", "11", "--save", "game.jsonl")
    assert "  1  owner draws 2 cards\n  2  owner fulfils PERFORMANCE\n" in out


def test_a_price_and_whom_it_hits_are_asked_in_words(play: Play, short_games: Path) -> None:
    effect = short_games / "effect.yaml"
    text = effect.read_text(encoding="utf-8")
    either = "when played, either owner draws 2 cards or owner fulfils PERFORMANCE."
    price = "when played, owner may discard 1 card, if so, up to two enemy OPERATORs get +1 HITCOUNTER."
    assert either in text
    effect.write_text(text.replace(either, price), encoding="utf-8")
    out = play("2\n2\n1\n2\n4\n", "--seed", "11", "--save", "game.jsonl")
    assert "BLUE: blue may discard 1 card. Do it?\n" in out
    assert "  1  no\n  2  yes\n" in out
    assert "    blue may discard 1 card: blue says yes\n" in out
    assert "BLUE: choose up to two enemy OPERATORs (2 of 2).\n" in out
    assert "  4  nobody else\n" in out
    assert "    blue chooses nobody else\n" in out


@pytest.mark.parametrize("command", ["?", "f", "h", "t", "help"])
def test_the_question_is_repeated_after_a_command(command: str, play: Play) -> None:
    question = "\nBLUE: STRATEGY: a card to play?\n  1  no more cards\n"
    assert play(f"{command}\n", "--seed", "11", "--save", "game.jsonl").count(question) == 2
    assert play("nonsense\n", "--seed", "11", "--save", "other.jsonl").count(question) == 1


def test_people_see_who_wins(play: Play) -> None:
    out = play("help\n", "--seed", "3", "--save", "game.jsonl")
    assert out.count("Who wins: Whoever has CAPTURED 2 OBJECTIVEs.") == 2
    assert "After ROUND 1: whoever has more CAPTURED" in out
    assert "Who wins" not in play(
        "", "--blue", "random", "--red", "random", "--seed", "1", "--save", "o.jsonl"
    )


def test_objectives_are_reported_by_their_names(short_games: Path) -> None:
    names = Names(open_project(short_games), "en")
    assert (
        names.sentence("blue.moth has CAPTURED the radio-mast") == "Moth (blue) has CAPTURED the Radio mast"
    )


OF_TWINS = ("--squads", "a", "b", "--mode", "twins", "--red", "person", "--seed", "1")

TWINS = """\
teams: [{id: q, name: Q}]
cards:
  - {id: ya, kind: operator, name: Ya, team: q, squadpoints: 1, ap: 9, ep: 1, dp: 3, mp: 2}
  - {id: yb, kind: operator, name: Yb, team: q, squadpoints: 1, ap: 4, ep: 3, dp: 6, mp: 2}
squads:
  - {id: a, name: A, operators: [ya, ya, yb, yb, ya, ya, yb], deck: {tracer-round: 9}, item_deck: {}}
  - {id: b, name: B, operators: [yb, yb, yb, yb, yb, yb, yb], deck: {decoy: 9}, item_deck: {}}
modes:
  - id: twins
    name: Twins
    field_positions: 4
    save_zone: 3
    objectives: [radio-mast, fuel-dump, bunker, bridge]
    squad: {operators: 7, squadpoints: 30, copies: 7}
    deck: {minimum: 0, maximum: 40, copies: 9}
    item_deck: {maximum: 5}
    starting_hand: 4
    hand_limit: 7
    max_rounds: 1
    victory: {objectives_captured: 2}
    tie_break: [objectives_captured]
"""


def test_several_of_one_card_differ_by_their_place(play: Play, short_games: Path) -> None:
    (short_games / "twins.yaml").write_text(TWINS, encoding="utf-8")
    out = play("", *OF_TWINS, "--save", "g.jsonl")
    options = out.partition("which ACTION?\n")[2].partition(", or help")[0].splitlines()[:-1]
    offered = [line.split(maxsplit=1)[1] for line in options]
    assert len(offered) == len(set(offered))
    assert "Ya at 2: Attack Yb (red) at 3" not in offered
    assert "Ya (blue) at 2: Attack Yb (red) at 3" in offered
    assert "Ya (blue) at 2: Move, swap with Ya (blue) at 1" in offered


def test_a_swap_is_reported_with_the_places_before_it(play: Play, short_games: Path) -> None:
    (short_games / "twins.yaml").write_text(TWINS, encoding="utf-8")
    offered = play("", *OF_TWINS, "--save", "g.jsonl").partition("which ACTION?")[2]
    line = next(
        line for line in offered.splitlines() if "Ya (blue) at 1: Move, swap with Yb (blue) at 3" in line
    )
    out = play(f"{line.split()[0]}\n?\n", *OF_TWINS, "--save", "h.jsonl")
    reported = out.partition("which ACTION?")[2].partition("> ?")
    for part in (reported[0], reported[2]):
        assert "\nblue: Ya (blue) at 1: Move, swap with Yb (blue) at 3\n" in part
    assert "\nblue: Ya (blue) at 1: Move, swap with Yb (blue) at 3\n" in play("", "--replay", "h.jsonl")


# --save


def test_a_game_that_is_not_finished_is_not_overwritten(play: Play) -> None:
    play("1\n", *GREEDY_ATTACKS)
    before = Path("game.jsonl").read_bytes()
    assert play("", "--save", "game.jsonl", status=2) == ""
    assert "holds a GAME that is not finished" in play.errors
    assert "--resume game.jsonl" in play.errors
    assert "another file" in play.errors
    play("", "--blue", "random", "--red", "random", "--save", "game.jsonl", status=2)
    play("1\n", "--blue", "greedy", "--seed", "6", "--red", "person", "--save", "other.jsonl")
    play("", "--resume", "other.jsonl", "--save", "game.jsonl", status=2)
    assert Path("game.jsonl").read_bytes() == before
    play("1\n", "--resume", "game.jsonl", "--save", "game.jsonl")
    assert len(Path("game.jsonl").read_bytes()) > len(before)


def test_a_game_that_has_ended_may_be_overwritten(play: Play) -> None:
    for seed in ("1", "2"):
        play("", "--blue", "random", "--red", "random", "--seed", seed, "--save", "game.jsonl")
    assert '"seed": 2' in Path("game.jsonl").read_text(encoding="utf-8")


class Terminal(io.StringIO):
    """Standard input that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("answer", [True, False])
def test_at_a_terminal_it_is_asked_first(answer: bool, play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    play("1\n", *GREEDY_ATTACKS)
    before = Path("game.jsonl").read_bytes()
    asked: list[str] = []

    def confirm(text: str) -> bool:
        asked.append(text)
        return answer

    monkeypatch.setattr(click, "confirm", confirm)
    monkeypatch.setattr(sys, "stdin", Terminal("q\n"))
    assert run(["play", "--seed", "7", "--save", "game.jsonl"]) == (0 if answer else 2)
    assert asked == ["'game.jsonl' contains an unfinished GAME. Overwrite it?"]
    assert (Path("game.jsonl").read_bytes() != before) == answer
