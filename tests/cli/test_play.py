"""``opforge play`` as a person or a script meets it: standard input is a pipe in all of these."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path

import pytest

from tests.thoroughness import THOROUGH
from toolkit.apps.cli import run

Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("short_games")


def play(monkeypatch: pytest.MonkeyPatch, typed: str, *arguments: str) -> int:
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    return run(["play", *arguments])


def test_two_built_in_players_need_no_input(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert play(monkeypatch, "", "--blue", "greedy", "--red", "random", "--seed", "2") == 0
    out = capsys.readouterr().out
    assert out.startswith("blue: Owls at dusk, played by greedy\nred: Lights out, played by random\n")
    assert "=== ROUND 1, TURN of red ===" in out
    assert "ATTACK D6 of" in out
    last = out.splitlines()[-1]
    assert "after ROUND 1" in last or "wins in ROUND 1" in last


def test_the_same_seed_prints_the_same(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    printed = []
    for seed in ("5", "5", "6"):
        assert play(monkeypatch, "", "--blue", "random", "--red", "random", "--seed", seed) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1] != printed[2]


def test_eighty_columns_and_no_colour(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    typed = "?\nt\nh\nf\nhelp\n" + "1\n?\n" * 200
    for language in ("en", "de"):
        play(monkeypatch, typed, "--red", "random", "--seed", "3", "--lang", language)
        out = capsys.readouterr().out
        assert out.count("\n") > 150
        assert [line for line in out.splitlines() if len(line) > 80] == []
        assert "\x1b" not in out


def test_names_of_cards_are_in_the_language(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    play(monkeypatch, "", "--seed", "3", "--lang", "de")
    out = capsys.readouterr().out
    assert "1 Viper             2 Habicht           3 Laterne" in out
    assert "Eulen im Zwielicht" in out
    assert play(monkeypatch, "", "--lang", "fr") == 2


def test_a_person_chooses_by_numbers_and_mistakes_are_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert play(monkeypatch, "99\nfoo\n0\n-1\n\n\n", "--red", "random", "--seed", "5") == 0
    out = capsys.readouterr().out
    assert "BLUE: STRATEGY: a card to play?\n  1  no more cards\n" in out
    for slip in ("'99'", "'foo'", "'0'", "'-1'"):
        assert f"{slip} is not an option" in out
    assert "BLUE: COMBAT: which ACTION?" in out


def test_an_enter_too_many_performs_no_action(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    assert play(monkeypatch, "\n\n\n\n\n", "--red", "random", "--seed", "3") == 0
    out = capsys.readouterr().out
    assert out.count("not an option") >= 1
    assert "blue: Viper (blue): " not in out


def test_why_shows_the_rules_that_acted(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    play(monkeypatch, "1\n1\n1\n?\n", "--red", "random", "--seed", "3")
    out = capsys.readouterr().out
    explained = out.partition("> ?\n")[2]
    assert explained.startswith("blue: Viper (blue): Attack Moth (red)\n")
    assert "\n  M-6 step 6: ATTACK D6 of Viper (blue): " in explained
    assert "\n  M-8 step 2: nothing happens: its condition is false: " in explained
    assert "\nred: " in explained


@pytest.mark.parametrize("typed", ["q\n", "1\nquit\n", "1\n", ""])
def test_leaving_without_a_file_keeps_the_game(
    typed: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert play(monkeypatch, typed, "--seed", "3", "--red", "random") == 0
    captured = capsys.readouterr()
    assert "opforge play --resume opforge-game-1.jsonl" in captured.out + captured.err
    header = json.loads(Path("opforge-game-1.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert header["seed"] == 3


def test_interrupted_games_are_kept_too(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int = -1, /) -> str:
            line = super().readline(size)
            if not line:
                raise KeyboardInterrupt
            return line

    monkeypatch.setattr(sys, "stdin", Interrupted("1\n"))
    assert run(["play", "--seed", "3", "--save", "game.jsonl"]) == 130
    captured = capsys.readouterr()
    assert "--resume game.jsonl" in captured.out + captured.err
    assert len(Path("game.jsonl").read_text(encoding="utf-8").splitlines()) > 1


def test_a_game_that_was_left_and_resumed_is_the_same_game(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    options = ("--seed", "4", "--red", "random")
    answers = "1\n" * 200
    assert play(monkeypatch, answers, *options, "--save", "whole.jsonl") == 0
    whole = Path("whole.jsonl").read_bytes()
    assert b'"ending"' in whole
    assert play(monkeypatch, "1\n" * 3, *options, "--save", "parts.jsonl") == 0
    for _ in range(60):
        if b'"ending"' in Path("parts.jsonl").read_bytes():
            break
        assert play(monkeypatch, "1\n" * (2 if THOROUGH else 10), "--resume", "parts.jsonl") == 0
    assert Path("parts.jsonl").read_bytes() == whole
    assert play(monkeypatch, "", "--resume", "parts.jsonl") == 2
    assert "has ended" in capsys.readouterr().err


def test_a_replay_says_that_it_is_the_same(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    play(monkeypatch, "", "--blue", "random", "--red", "random", "--seed", "2", "--save", "game.jsonl")
    first = capsys.readouterr().out
    assert play(monkeypatch, "", "--replay", "game.jsonl") == 0
    again = capsys.readouterr().out
    assert again.endswith("Byte for byte the same as game.jsonl.\n")
    assert "=== ROUND 1, TURN of blue" in again
    assert first.splitlines()[3:-1] == again.splitlines()[:-1]


def test_a_replay_with_changed_cards_says_so(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    project = Path("cards")
    play(monkeypatch, "", "--blue", "random", "--red", "random", "--seed", "2", "--save", "game.jsonl")
    for file in project.glob("operators/*.yaml"):
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace("    ap: 4\n", "    ap: 5\n"), encoding="utf-8")
    capsys.readouterr()
    assert play(monkeypatch, "", "--replay", "game.jsonl") == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("Changed since the log was written: ")
    assert "viper" in captured.err
    assert "Not the same as game.jsonl" in captured.out


def test_a_game_that_cannot_go_on_with_changed_cards_keeps_its_log(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    project = Path("cards")
    play(monkeypatch, "1\n" * 12, "--red", "random", "--seed", "4", "--save", "game.jsonl")
    before = Path("game.jsonl").read_bytes()
    rules = project / "rulesets.yaml"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("swap_mp: 4", "swap_mp: 20"), encoding="utf-8")
    assert play(monkeypatch, "", "--resume", "game.jsonl") == 1
    captured = capsys.readouterr()
    assert "Changed since the log was written: core." in captured.err
    assert "was not finished: In ROUND 1" in captured.out
    assert Path("game.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--squads", "owls-at-dsk", "lights-out"), "Did you mean 'owls-at-dusk'?"),
        (("--mode", "skirmsh"), "Did you mean 'skirmish'?"),
        (("--mode", "chess"), "There is no mode 'chess'. There are: "),
        (("--blue", "nobody"), "'nobody' is not one of"),
        (("--resume", "none.jsonl"), "There is no file or folder 'none.jsonl'."),
        (("--replay", "cards/modes.yaml"), "no JSON"),
        (("--replay", "cards"), "cannot be read"),
        (("--replay", os.devnull), "cannot be read"),
        (("--replay", "cards", "--seed", "3"), "a log has its own"),
        (("--replay", "cards", "--resume", "cards"), "choose one"),
        (("--replay", "cards", "--save", "new.jsonl"), "plays a log as it is"),
        (("--replay", "cards", "--blue", "random"), "plays a log as it is"),
        (("--save", "nowhere/game.jsonl"), "cannot be written"),
        (("--save", "cards"), "cannot be written"),
    ],
)
def test_wrong_use_is_reported_with_a_next_step(
    arguments: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert play(monkeypatch, "", *arguments) == 2
    assert words in capsys.readouterr().err


def test_a_squad_with_a_card_whose_id_is_torn_is_not_played(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    effects = Path("cards", "effect.yaml")
    text = effects.read_text(encoding="utf-8").replace("id: false-alarm", "id: false-alarm and more")
    effects.write_text(text, encoding="utf-8")
    assert play(monkeypatch, "", "--blue", "greedy", "--seed", "2") == 1
    assert "invalid-id" in capsys.readouterr().err


def test_a_squad_that_does_not_fit_the_mode_is_a_finding_with_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    modes = Path("cards", "modes.yaml")
    text = modes.read_text(encoding="utf-8").replace("squadpoints: 28", "squadpoints: 20")
    modes.write_text(text, encoding="utf-8")
    assert play(monkeypatch, "", "--mode", "night-raid", "--blue", "random", "--red", "random") == 1
    captured = capsys.readouterr()
    assert "squad-too-dear" in captured.err
    assert "cards/squads.yaml:" in captured.err
    assert captured.out == ""


def test_cards_with_errors_are_not_played(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    project = Path("cards")
    attack = project / "attack.yaml"
    attack.write_text(attack.read_text(encoding="utf-8").replace("+2 AP.", "+2 APP."), encoding="utf-8")
    assert play(monkeypatch, "", "--blue", "random", "--red", "random") == 1
    assert "unknown-stat" in capsys.readouterr().err


def test_two_people_at_one_terminal_each_see_their_own_hand(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    play(monkeypatch, "1\n1\n1\n1\n1\n1\n1\n1\n", "--red", "person", "--seed", "3")
    out = capsys.readouterr().out
    assert "Your hand (blue): " in out
    assert "Your hand (red): " in out


def test_a_free_name_is_found_for_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2):
        assert play(monkeypatch, "q\n", "--seed", "3") == 0
        assert Path(f"opforge-game-{number}.jsonl").exists()
