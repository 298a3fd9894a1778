"""The log of a GAME: what is needed to play it again, every decision and every die, one JSON value a line.

The first line is the header: seed, squads, mode, ruleset, players and fingerprints of all cards that matter.
Then follow, in order, the TURNs, the decisions (kind, whose, the index of the answer and what it means) and
the dice, and after the end the verdict. The same seed and cards give the same bytes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from toolkit.data.model import Squad
from toolkit.engine.fingerprints import fingerprint_of_all, fingerprints
from toolkit.engine.rules import Rules
from toolkit.engine.state import SIDES, Side

VERSION = 1
Line = dict[str, object]
Seed = int | str


@dataclass(frozen=True, slots=True)
class Match:
    """What a GAME is played with. Blue is the first-named squad and begins."""

    rules: Rules
    blue: Squad
    red: Squad
    seed: Seed


@dataclass(slots=True)
class GameLog:
    """A log as it grows: the header, and the lines after it."""

    header: Line
    lines: list[Line] = field(default_factory=list)

    def text(self) -> str:
        """The log as JSON lines."""
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in (self.header, *self.lines))

    def decisions(self) -> list[Line]:
        """The lines of decisions."""
        return [line for line in self.lines if "decision" in line]

    @property
    def ended(self) -> bool:
        """Whether the GAME was played to its end."""
        return bool(self.lines) and "ending" in self.lines[-1]

    def names(self, what: str) -> dict[Side, str]:
        """Ids of the squads or names of the players by side."""
        found = self.header[what]
        assert isinstance(found, dict)
        return {side: str(found[side]) for side in SIDES}


def new_log(match: Match, players: dict[Side, str]) -> GameLog:
    """The log of a GAME that has not begun; ``players`` are names for the reader."""
    cards = fingerprints(match.rules, (match.blue, match.red))
    header: Line = {
        "log": VERSION,
        "seed": match.seed,
        "mode": match.rules.mode.id,
        "ruleset": match.rules.ruleset.id,
        "squads": {"blue": match.blue.id, "red": match.red.id},
        "players": dict(players),
        "fingerprint": fingerprint_of_all(cards),
        "cards": cards,
    }
    return GameLog(header)


def read_log(text: str) -> GameLog | str:
    """A saved log, or a sentence that says what is wrong with it."""
    lines: list[Line] = []
    for number, written in enumerate(text.splitlines(), 1):
        try:
            line = json.loads(written)
        except (ValueError, RecursionError):
            return f"Line {number} is no JSON; this is no log of a GAME, or it was changed."
        if not isinstance(line, dict):
            return f"Line {number} is no object; this is no log of a GAME."
        lines.append(line)
    if not lines or lines[0].get("log") != VERSION:
        return f"The first line must be the header of a log of version {VERSION}."
    log = GameLog(lines[0], lines[1:])
    return _unusable(log) or log


def _unusable(log: GameLog) -> str:
    """What is missing in a log, as a sentence; nothing if it can be played."""
    header = log.header
    for key in ("squads", "players", "cards"):
        found = header.get(key)
        if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
            return f"The header has no `{key}`."
        if key != "cards" and set(found) != set(SIDES):
            return f"The header's `{key}` must be of blue and red."
    for key in ("mode", "ruleset"):
        if not isinstance(header.get(key), str):
            return f"The header has no `{key}`."
    if not isinstance(header.get("seed"), (int, str)):
        return "The header has no `seed`."
    for number, line in enumerate(log.lines, 2):
        if "decision" in line and not isinstance(line.get("answer"), int):
            return f"Line {number} has no `answer`."
    return ""


def changed_cards(log: GameLog, match: Match) -> tuple[str, ...]:
    """Ids of what has changed since the log was written, or came to it, or went from it."""
    then, now = log.header["cards"], fingerprints(match.rules, (match.blue, match.red))
    assert isinstance(then, dict)
    return tuple(sorted(one for one in {*then, *now} if then.get(one) != now.get(one)))
