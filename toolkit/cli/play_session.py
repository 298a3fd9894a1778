"""A GAME at the terminal from its beginning or a saved log to its end, or until somebody leaves."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable
from pathlib import Path

from toolkit import api
from toolkit.cli.play_field import field_lines
from toolkit.cli.play_lines import Lines, wrapped
from toolkit.cli.play_names import Names, winning
from toolkit.cli.play_narration import Announced, Narrator
from toolkit.cli.play_person import Left, Person
from toolkit.cli.shared import echo
from toolkit.engine.decisions import Player
from toolkit.engine.log import (
    VERSION,
    GameLog,
    Match,
    changed_cards,
    new_log,
    play_match,
    read_log,
    replay,
    retold,
)
from toolkit.engine.phases import Ending
from toolkit.engine.players import built_in
from toolkit.engine.state import SIDES, Side
from toolkit.project.play import Unplayable, Wish, make_match, wish_of
from toolkit.project.workspace import Workspace
from toolkit.source.paths import read_regular
from toolkit.source.writing import write_atomically

_LARGEST_LOG = 50_000_000

_DEFAULT = {"blue": "person", "red": "greedy"}


class Session:
    """What the command was asked for: ``wished`` are players by side, None for the default; ``target`` is
    the file that the log is written to, None for none until somebody leaves."""

    def __init__(
        self, workspace: Workspace, language: str, wished: dict[str, str | None], target: Path | None
    ) -> None:
        self.workspace = workspace
        self.language = language
        self.wished = wished
        self.target = target
        self.names = Names(workspace, language)

    def text_of(self, card: str) -> str:
        """The rules text of a card."""
        return api.rules_plain(self.workspace, [card], self.language)


Result = int | Unplayable
"""An exit status, or why nothing was played."""


def start(session: Session, squads: tuple[str, str] | None, mode: str | None, seed: int | None) -> Result:
    """A new GAME."""
    seed = secrets.randbelow(10**6) if seed is None else seed
    match = make_match(session.workspace, Wish(squads, mode), seed)
    if isinstance(match, Unplayable):
        return match
    names: dict[Side, str] = {side: session.wished[side] or _DEFAULT[side] for side in SIDES}
    return _play(session, match, names, None)


def go_on(session: Session, file: Path) -> Result:
    """Go on with a saved GAME."""
    found = _read(session, file)
    if isinstance(found, Unplayable):
        return found
    log, match = found
    if log.ended:
        return Unplayable(f"The GAME in {file} has ended. `opforge play --replay {file}` shows it.")
    then = log.names("players")
    names: dict[Side, str] = {side: session.wished[side] or then[side] for side in SIDES}
    if any(name not in ("person", "random", "greedy") for name in names.values()):
        return Unplayable(
            "The log names a player that does not exist; choose the players with --blue and --red."
        )
    _tell_changed(log, match)
    return _play(session, match, names, log)


def tell_again(session: Session, file: Path) -> Result:
    """Play a log again; status 1 if it comes to something else."""
    found = _read(session, file)
    if isinstance(found, Unplayable):
        return found
    log, match = found
    _tell_changed(log, match)
    again = replay(log, match, Narrator(Lines(session.names, session.text_of), lambda: False))
    _tell_ending(again.ending, match, session.names)
    if again.same:
        echo(f"Byte for byte the same as {file}.")
        return 0
    for line in wrapped(f"Not the same as {file}: {again.difference}"):
        echo(line)
    return 1


def _read(session: Session, file: Path) -> tuple[GameLog, Match] | Unplayable:
    try:
        text = read_regular(file, _LARGEST_LOG).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return Unplayable(f"{file} cannot be read as the log of a GAME.")
    log = read_log(text)
    if isinstance(log, str):
        return Unplayable(f"{file}: {log}")
    seed = log.header["seed"]
    assert isinstance(seed, (int, str))
    match = make_match(session.workspace, wish_of(log), seed)
    return match if isinstance(match, Unplayable) else (log, match)


def _tell_changed(log: GameLog, match: Match) -> None:
    changed = changed_cards(log, match)
    if changed:
        text = f"Changed since the log was written: {', '.join(changed)}. The GAME may take another course."
        echo("\n".join(wrapped(text)), err=True)


def _play(session: Session, match: Match, names: dict[Side, str], before: GameLog | None) -> int:
    log = new_log(match, names, VERSION if before is None else before.header["log"])
    known = len(before.decisions()) if before is not None else 0
    readers = frozenset(side for side in SIDES if names[side] == "person")
    lines = Lines(session.names, session.text_of, readers)
    narrator = Narrator(lines, lambda: len(log.decisions()) < known)
    players = {side: _player(session, match, names, side, narrator, log) for side in SIDES}
    _greet(session, match, names)
    try:
        ending = play_match(match, retold(before, players) if before else players, log, narrator)
    except Left as left:
        return _leave(session, log, left.interrupted)
    except KeyboardInterrupt:
        # while the log is retold, what is saved already is more than this
        return 130 if narrator.quiet() else _leave(session, log, True)
    _tell_ending(ending, match, session.names)
    if ending.verdict is not None and session.target is not None:
        _save(session.target, log)
        echo(f"The log is in {session.target}.")
    return 0 if ending.verdict is not None else 1


def _player(
    session: Session,
    match: Match,
    names: dict[Side, str],
    side: Side,
    narrator: Narrator,
    log: GameLog,
) -> Player:
    """The player of a side; what is chosen is told at once if a person plays, who may have to answer it."""
    if names[side] == "person":
        answered: Callable[[], None] = lambda: _save(session.target, log)  # noqa: E731 (it needs both names)
        person = Person(side, match.rules, session.names, narrator, session.text_of, answered)
        return Announced(person, narrator)
    player = built_in(names[side], match.rules, f"{match.seed} {side}")
    return Announced(player, narrator) if narrator.lines.readers else player


def _greet(session: Session, match: Match, names: dict[Side, str]) -> None:
    for side, squad in (("blue", match.blue), ("red", match.red)):
        echo(
            f"{side}: {session.names.card(squad.id)}, played by {names['blue' if side == 'blue' else 'red']}"
        )
    echo(f"mode {match.rules.mode.id}, seed {match.seed}")
    if "person" in names.values():
        echo("\n".join(wrapped(f"Who wins: {winning(match.rules.mode)}")))


def _save(target: Path | None, log: GameLog) -> None:
    if target is not None:
        write_atomically(target, log.text().encode("utf-8"))


def _leave(session: Session, log: GameLog, interrupted: bool) -> int:
    """Keep the GAME and say how to go on."""
    target = session.target or _free_file()
    _save(target, log)
    echo(
        f"The GAME is not finished. Resume it with: opforge play --resume {target}",
        err=not sys.stdout.isatty(),
    )
    return 130 if interrupted else 0


def _free_file() -> Path:
    """A file in this folder that does not exist yet."""
    number = 1
    while True:
        path = Path(f"opforge-game-{number}.jsonl")
        if not os.path.lexists(path):
            return path
        number += 1


def _tell_ending(ending: Ending, match: Match, names: Names) -> None:
    echo("")
    for line in field_lines(ending.state, match.rules, names):
        echo(line)
    verdict = ending.verdict
    if verdict is None:
        text = f"The GAME was not finished: {ending.stopped}"
    elif verdict.winner is None:
        text = f"A draw after ROUND {ending.state.round}: {verdict.sentence}."
    else:
        text = f"{verdict.winner} wins in ROUND {ending.state.round}: {verdict.sentence}."
    for line in wrapped(text):
        echo(line)
