"""``opforge play``: a new or resumed GAME at the terminal, to its end or until somebody quits."""

from __future__ import annotations

import itertools
import os
import secrets
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import click
from msgspec import Struct

from toolkit.apps.cli.options import (
    existing_path,
    open_workspace,
    print_unplayable,
    project_option,
    reject,
)
from toolkit.apps.cli.play_person import AnnouncingPlayer, Narrator, Person, PlayerLeft
from toolkit.apps.cli.play_text import EventText, Names, field_lines, winning, wrapped
from toolkit.apps.cli.terminal import INTERRUPTED, echo, print_warnings
from toolkit.engine.decisions import Player
from toolkit.engine.log import (
    VERSION,
    GameLog,
    Match,
    Seed,
    changed_cards,
    new_log,
    play_match,
    read_log,
    replay,
    replay_players,
)
from toolkit.engine.phases import Ending
from toolkit.engine.players import BUILT_IN, built_in
from toolkit.engine.state import SIDES, Side
from toolkit.play.playable_game import PlayRequest, Unplayable, make_match, request_of, text_only_warnings
from toolkit.source.paths import read_regular
from toolkit.source.writing import refused_link, write_atomically

_MAX_LOG_BYTES = 50_000_000
"""Bytes of a log that is read, at most."""

_DEFAULT: dict[Side, str] = {"blue": "person", "red": "greedy"}

_PLAYERS = click.Choice(("person", *BUILT_IN))


@click.command()
@click.option("--squads", nargs=2, metavar="BLUE RED", help="Ids of two squads. Default: the first two.")
@click.option("--mode", metavar="ID", help="The game mode. Default: the project's.")
@click.option("--blue", type=_PLAYERS, help="The player of blue, who begins. Default: a person.")
@click.option("--red", type=_PLAYERS, help="The player of red. Default: greedy.")
@click.option("--seed", type=int, help="The same seed and cards give the same decks and dice.")
@click.option("--save", metavar="FILE", help="Write the log of the GAME to this file.")
@click.option("--resume", metavar="FILE", help="Resume an interrupted GAME.")
@click.option(
    "--replay", "replay_file", metavar="FILE", help="Replay a log and report whether the result is the same."
)
@click.option(
    "--lang", metavar="LANGUAGE", help="The language of card names, such as en. Default: the project's first."
)
@project_option
def play(
    squads: tuple[str, str] | None,
    mode: str | None,
    blue: str | None,
    red: str | None,
    seed: int | None,
    save: str | None,
    resume: str | None,
    replay_file: str | None,
    lang: str | None,
    path: str | None,
) -> int:
    """Play a GAME in the terminal.

    Leave it with q, Ctrl-D or Ctrl-C, and go on with --resume. Two built-in players play without any input.
    """
    if resume and replay_file:
        raise click.UsageError("--resume continues a GAME, --replay plays a log again: choose one.")
    log_name = resume or replay_file
    if log_name and any(value is not None for value in (squads, mode, seed)):
        raise click.UsageError("--squads, --mode and --seed are for a new GAME; a log has its own.")
    if replay_file and any(value is not None for value in (save, blue, red)):
        raise click.UsageError("--replay plays a log as it is: omit --save, --blue and --red.")
    workspace = open_workspace(path, lang=lang)
    log_file = existing_path(log_name)
    target = log_file if resume else None  # a resumed GAME is saved where it was, unless --save says another
    if save:
        target = _target(save, log_file)
    reject(refused_link(target) if target is not None else None)
    language = lang or workspace.cards.project.languages[0]
    session = Session(Names(workspace, language), {"blue": blue, "red": red}, target)
    if log_file is not None:
        return _replay(session, log_file) if replay_file else _resume(session, log_file)
    if seed is None:
        seed = secrets.randbelow(10**6)
    match = _match(session, PlayRequest(squads, mode), seed)
    return _play(session, match, _DEFAULT, old_log=None)


def _target(save: str, resumed: Path | None) -> Path:
    """Return the file to write the log to.

    Wrong use if its folder does not exist, if it is not a log, or if it holds another unfinished GAME that
    the person at the terminal does not want to overwrite.
    """
    target = Path(save)
    if target.is_dir() or not target.parent.is_dir():
        raise click.UsageError(f"{save!r} cannot be written: its folder does not exist, or it is a folder.")
    if not target.exists() or (resumed is not None and target.samefile(resumed)):
        return target
    if not (target.is_file() and _is_log(target)):
        raise click.UsageError(f"{save!r} exists and is not the log of a GAME; it was not changed.")
    # a damaged log counts as unfinished, as nobody knows what it holds
    lines = target.read_bytes().splitlines()
    is_unfinished = lines and not lines[-1].startswith(b'{"ending":')
    question = f"{save!r} contains an unfinished GAME. Overwrite it?"
    if is_unfinished and not (sys.stdin.isatty() and click.confirm(question)):
        raise click.UsageError(
            f"{save!r} holds a GAME that is not finished; it was not changed. "
            f"Resume it with --resume {save}, or choose another file with --save."
        )
    return target


def _is_log(file: Path) -> bool:
    """Whether a file begins as a log does, or is empty: nothing is lost with that."""
    with file.open("rb") as stream:
        return stream.read(7) in (b"", b'{"log":')


class Session(Struct, frozen=True):
    """The options of the command.

    ``players`` are by side, None for the default. ``target`` is the file for the log; without one it is
    written only if somebody quits.
    """

    names: Names
    players: dict[str, str | None]
    target: Path | None


def _resume(session: Session, file: Path) -> int:
    """Resume a saved GAME."""
    log, match = _read(session, file)
    if log.ended:
        raise click.UsageError(f"The GAME in {file} has ended. `opforge play --replay {file}` shows it.")
    saved_players = log.names("players")
    if not {session.players[side] or saved_players[side] for side in SIDES} <= {*_PLAYERS.choices}:
        raise click.UsageError(
            "The log names a player that does not exist; choose the players with --blue and --red."
        )
    _warn_of_changes(log, match)
    return _play(session, match, saved_players, log)


def _replay(session: Session, file: Path) -> int:
    """Replay a log; return exit status 1 if the result differs."""
    log, match = _read(session, file)
    _warn_of_changes(log, match)
    result = replay(log, match, Narrator(EventText(session.names), lambda: False))
    _print_ending(result.ending, match, session.names)
    if result.same:
        echo(f"Byte for byte the same as {file}.")
        return 0
    echo("\n".join(wrapped(f"Not the same as {file}: {result.difference}")))
    return 1


def _match(session: Session, request: PlayRequest, seed: Seed) -> Match:
    """Return the requested match; if it cannot be played, end the command with the reason."""
    match = make_match(session.names.workspace, request, seed)
    if isinstance(match, Unplayable):
        raise click.exceptions.Exit(print_unplayable(session.names.workspace, match, err=True))
    used_ids = {*match.blue.cards(), *match.red.cards(), *match.rules.mode.objectives}
    print_warnings(text_only_warnings(session.names.workspace.cards, used_ids))
    return match


def _read(session: Session, file: Path) -> tuple[GameLog, Match]:
    """Return the log in a file and its match; wrong use if it cannot be read."""
    try:
        text = read_regular(file, _MAX_LOG_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise click.UsageError(f"{file} cannot be read as the log of a GAME.") from None
    log = read_log(text)
    if isinstance(log, str):
        raise click.UsageError(f"{file}: {log}")
    seed = log.header["seed"]
    assert isinstance(seed, (int, str))
    return log, _match(session, request_of(log), seed)


def _warn_of_changes(log: GameLog, match: Match) -> None:
    """Print which cards of a log are not as they were when it was written."""
    changed = changed_cards(log, match)
    if changed:
        text = f"Changed since the log was written: {', '.join(changed)}. The GAME may take another course."
        echo("\n".join(wrapped(text)), err=True)


def _play(session: Session, match: Match, default_kinds: Mapping[Side, str], old_log: GameLog | None) -> int:
    """Play a GAME to its end or until somebody quits, and return the exit status.

    ``default_kinds`` are the kinds of players, such as ``greedy``, of sides whose option was omitted. A GAME
    with an ``old_log`` replays it first.
    """
    player_kinds: dict[Side, str] = {side: session.players[side] or default_kinds[side] for side in SIDES}
    log_version = VERSION if old_log is None else old_log.header["log"]
    log = new_log(match, player_kinds, log_version)
    decisions_before = len(old_log.decisions()) if old_log is not None else 0

    def is_replaying() -> bool:
        return len(log.decisions()) < decisions_before

    readers = frozenset(side for side in SIDES if player_kinds[side] == "person")
    narrator = Narrator(EventText(session.names, readers), is_replaying)
    players = {side: _player(session, match, player_kinds, side, narrator, log) for side in SIDES}
    _announce(match, session.names, player_kinds)
    try:
        ending = play_match(match, replay_players(old_log, players) if old_log else players, log, narrator)
    except PlayerLeft as error:
        return _keep_for_later(session, log, error.interrupted)
    except KeyboardInterrupt:
        # while the log is replayed, the file has more of the GAME than this process: it must not be replaced
        return INTERRUPTED if is_replaying() else _keep_for_later(session, log, interrupted=True)
    _print_ending(ending, match, session.names)
    if ending.verdict is not None and session.target is not None:
        _save(session.target, log)
        echo(f"The log is in {session.target}.")
    return 0 if ending.verdict is not None else 1


def _announce(match: Match, names: Names, player_kinds: Mapping[Side, str]) -> None:
    """Print who plays what, and to a person how the GAME is won."""
    for side in SIDES:
        squad = match.blue if side == "blue" else match.red
        echo(f"{side}: {names.card(squad.id)}, played by {player_kinds[side]}")
    echo(f"mode {match.rules.mode.id}, seed {match.seed}")
    if "person" in player_kinds.values():
        echo("\n".join(wrapped(f"Who wins: {winning(match.rules.mode)}")))


def _player(
    session: Session, match: Match, kinds: dict[Side, str], side: Side, narrator: Narrator, log: GameLog
) -> Player:
    """Return the player of a side.

    If a person plays, choices of both sides are printed immediately: the person may have to answer them.
    """
    if kinds[side] == "person":
        save_log: Callable[[], None] = lambda: _save(session.target, log)  # noqa: E731 (it needs both names)
        person = Person(side, match.rules, session.names, narrator, save_log)
        return AnnouncingPlayer(person, narrator)
    player = built_in(kinds[side], match.rules, f"{match.seed} {side}")
    return AnnouncingPlayer(player, narrator) if narrator.text.readers else player


def _save(target: Path | None, log: GameLog) -> None:
    """Write the log as it is so far, if there is a file for it."""
    if target is not None:
        write_atomically(target, log.text().encode("utf-8"))


def _keep_for_later(session: Session, log: GameLog, interrupted: bool) -> int:
    """Save the GAME, and print the command that resumes it."""
    candidates = (Path(f"opforge-game-{number}.jsonl") for number in itertools.count(1))
    target = session.target or next(file for file in candidates if not os.path.lexists(file))
    _save(target, log)
    echo(
        f"The GAME is not finished. Resume it with: opforge play --resume {target}",
        err=not sys.stdout.isatty(),
    )
    return INTERRUPTED if interrupted else 0


def _print_ending(ending: Ending, match: Match, names: Names) -> None:
    """Print the FIELD as it was at the end, and who has won or why nobody has."""
    verdict = ending.verdict
    if verdict is None:
        text = f"The GAME was not finished: {ending.stopped}"
    elif verdict.winner is None:
        text = f"A draw after ROUND {ending.state.round}: {verdict.sentence}."
    else:
        text = f"{verdict.winner} wins in ROUND {ending.state.round}: {verdict.sentence}."
    echo("\n".join(("", *field_lines(ending.state, match.rules, names), *wrapped(text))))
