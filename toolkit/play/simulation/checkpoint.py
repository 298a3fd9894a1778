"""Checkpoints of simulations: a file of JSON lines, a header and then each finished chunk.

A line is written when its chunk is finished, so that a run that is killed loses only what was being played.
The file is data: nothing in it is executed, and a line that no simulation would write is refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from toolkit import __version__
from toolkit.play.simulation.card_worth import WorthRequest
from toolkit.play.simulation.drawn_cards import PLAYED, SEEN, UNSEEN, read_draw
from toolkit.play.simulation.games import DRAWN, LOST, WON, Chunk, Counts, GameSetup, Pair
from toolkit.play.simulation.simulating import SimulationRequest
from toolkit.play.simulation.workers import Task
from toolkit.source.paths import read_regular
from toolkit.source.writing import write_atomically

FORMAT = 1
MOST_BYTES = 500_000_000
"""Bytes of a file that is read, at most."""


Request = TypeVar("Request", SimulationRequest, WorthRequest)


class Header(Struct, Generic[Request], frozen=True, forbid_unknown_fields=True):
    """The first line: what is simulated. ``values`` are those of ``--set``, ``compare`` is the older version
    that it is compared with, ``fingerprints`` are those of the cards of each version."""

    simulation: int
    opforge: str
    request: Request
    values: tuple[str, ...]
    compare: str | None
    fingerprints: tuple[str, ...]


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    pair: Pair
    first: int
    count: int
    counts: Counts

    @property
    def is_possible(self) -> bool:
        """Whether the counts may be those of the games that the line names."""
        counts = self.counts
        by_name = counts.rounds, counts.endings, counts.actions, counts.cards, counts.draws
        numbers = [number for games in by_name for number in games.values()]
        return (
            len(counts.outcomes) == 2 * self.count == sum(counts.rounds.values())
            and {*counts.outcomes} <= {WON, DRAWN, LOST}
            and min(*numbers, counts.bounded, 0) >= 0
            and all(self._is_draw(key) for key in counts.draws)
        )

    def _is_draw(self, key: str) -> bool:
        """Whether a text says what became of a card of one of the two SQUADs."""
        try:
            draw = read_draw(key)
        except ValueError:
            return False
        has_fate = draw.fate in (UNSEEN, SEEN, PLAYED) and draw.outcome in (WON, DRAWN, LOST)
        return has_fate and draw.squad in self.pair and draw.drawn >= 0


TaskOf = Callable[[int, Chunk], "Task | None"]
"""The task of a chunk that was played with a version, None if it would not be played."""


class Saved(Struct, Generic[Request], frozen=True):
    """A checkpoint as it was read: its header, its chunks, and how many of its bytes are whole lines."""

    file: Path
    header: Header[Request]
    lines: tuple[_Line, ...]
    length: int

    def chunks(self, task_of: TaskOf) -> list[tuple[Task, Counts]]:
        """Return the chunks that have still a task."""
        tasks = [task_of(line.version, Chunk(line.pair, line.first, line.count)) for line in self.lines]
        return [(task, line.counts) for task, line in zip(tasks, self.lines, strict=True) if task is not None]

    def difference(self, header: Header[Request]) -> str | None:
        """Return why a simulation cannot go on from here: it would play other games. How many games are
        played, and until which width, may differ."""
        if self.header.opforge != header.opforge:
            return f"{self.file} is of opforge {self.header.opforge}, and this is {header.opforge}."
        for name in header.request.__struct_fields__:
            saved_value, new_value = getattr(self.header.request, name), getattr(header.request, name)
            if saved_value != new_value and name not in _MAY_DIFFER:
                return f"{self.file} was saved with {name} {_shown(saved_value)}, not {_shown(new_value)}."
        if (self.header.values, self.header.compare) != (header.values, header.compare):
            return f"{self.file} was saved with other values for --set or --compare."
        if self.header.fingerprints != header.fingerprints:
            return (
                f"{self.file} was saved with other cards: {_shown(self.header.fingerprints)}, "
                f"not {_shown(header.fingerprints)}."
            )
        return None


_MAY_DIFFER = ("games", "until_width")
"""What of a request decides only how many games are played."""


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def header_of(
    request: Request, setups: Iterable[GameSetup], values: Sequence[str], compare: str | None = None
) -> Header[Request]:
    """Return the header of what is requested, played with these setups."""
    fingerprints = tuple([setup.fingerprint for setup in setups])
    return Header(FORMAT, __version__, request, tuple(values), compare, fingerprints)


def read_checkpoint(file: Path, kind: type[Request]) -> Saved[Request] | str:
    """Read the checkpoint of a kind of request, without its last line if that is cut off; or return what is
    wrong with it."""
    try:
        content = read_regular(file, MOST_BYTES)
    except OSError as error:
        return f"{file} cannot be read: {error.strerror or error}."
    head, *lines = content.split(b"\n")
    header = _decoded(head, Header[kind])  # type: ignore[valid-type]  # msgspec reads the type
    if header is None or header.simulation != FORMAT:
        command = "worth" if kind is WorthRequest else "simulate"
        return f"{file} was not saved by opforge {command}: it has no header of format {FORMAT} of it."
    whole_lines = []
    for number, text in enumerate(lines[:-1], 2):  # behind the last line end is nothing, or what is cut off
        line = _decoded(text, _Line)
        if line is None or not line.is_possible:
            return f"{file}: line {number} is no chunk of games; the file was changed."
        whole_lines.append(line)
    return Saved(file, header, tuple(whole_lines), len(content) - len(lines[-1]) if lines else len(content))


def _decoded(text: bytes, kind: type[Any]) -> Any:
    """Return a line of a checkpoint as that type; None if it is damaged or another program's."""
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return None


class Checkpoint:
    """A file to which each finished chunk is written."""

    def __init__(self, file: Path, header: Header[Request], saved: Saved[Request] | None = None) -> None:
        """Begin a new file, or go on behind the whole lines of one. Raises ``OSError``."""
        self.file = file
        if saved is None:
            write_atomically(file, msgspec.json.encode(header) + b"\n")
        else:
            os.truncate(file, saved.length)

    def add(self, task: Task, counts: Counts) -> None:
        """Write a chunk. Raises ``OSError``."""
        chunk = task.chunk
        line = msgspec.json.encode(_Line(task.version, chunk.pair, chunk.first, chunk.count, counts))
        with self.file.open("ab") as stream:
            stream.write(line + b"\n")


def options_of(header: Header[Request]) -> Mapping[str, Any]:
    """Return the options with which a simulation was begun, by the names of those of the command."""
    request = header.request
    return {
        **{name: getattr(request, name) for name in request.__struct_fields__},
        "values": header.values,
        "compare": header.compare,
    }
