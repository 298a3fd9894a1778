"""The lines in which a happening of a GAME is told at the terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator

from msgspec import Struct

from toolkit.cli.play_field import WIDTH
from toolkit.cli.play_names import Names
from toolkit.engine.actions import GameAction
from toolkit.engine.outcomes import TraceEntry
from toolkit.engine.state import GameState, Side

_TOLD = ("die", "status", "counter", "card", "compare", "decision")
"""Kinds of lines that are always told; the others tell how numbers come about, which `?` shows."""

_LAID = re.compile(r"(?:(?P<side>blue|red) plays )?(?P<card>[a-z0-9-]+)(?P<attached> is attached to .+)?")
"""A sentence of the trace about a card that comes into play."""


def wrapped(text: str, indent: str = "") -> list[str]:
    """The text in lines of at most 80 columns."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")


class Told(Struct):
    """Something that happens, as far as it is known: ``what`` is the ACTION, the card, or None for a phase.

    ``opened`` says that its headline was told already, ``lines`` how many lines of its trace were.
    """

    what: GameAction | str | None
    headline: str
    trace: tuple[TraceEntry, ...] = ()
    chain: str = ""
    opened: bool = False
    lines: int = 0


class Lines(Struct, frozen=True):
    """How things are told. ``readers`` are the persons' sides: a card that somebody else lays down is told to
    them with its text."""

    names: Names
    text_of: Callable[[str], str]
    readers: frozenset[Side] = frozenset()

    def headline(self, side: Side, what: GameAction | str, state: GameState) -> str:
        """What a player does, in words; ``state`` is before it: a place may tell OPERATORs apart."""
        if isinstance(what, GameAction):
            return f"{side}: {self.names.action(state, what)}"
        return f"{side}: plays {self.names.card(what)}"

    def rest(self, told: Told, state: GameState) -> Iterator[str]:
        """The lines of a happening that were not told yet."""
        if not told.opened:
            yield from wrapped(told.headline)
        for entry in told.trace[told.lines :]:
            if _is_told(entry):
                if not _is_headline(entry, told):
                    yield from wrapped(self._sentence(entry, told), "    ")
                yield from self._text(entry, state)
        told.opened, told.lines = True, len(told.trace)
        if told.chain:
            yield from wrapped(told.chain, "    ")

    def _sentence(self, entry: TraceEntry, told: Told) -> str:
        """What happened, and which card did it, where the headline does not say so."""
        text, origin = self.names.sentence(entry.text), entry.origin
        if origin is None or origin.entry == told.what or origin.role.startswith("action "):
            return text
        return f"{text} [{self.names.card(origin.entry)}]"

    def _text(self, entry: TraceEntry, state: GameState) -> Iterator[str]:
        """What a card does that comes into play, if somebody else than who laid it reads this."""
        found = _LAID.fullmatch(entry.text) if entry.kind == "card" else None
        if found is None or not (found["side"] or found["attached"]):
            return
        side = found["side"] if entry.who is None else state.operators[entry.who].side
        if self.readers - {side}:
            yield from self.text(found["card"], "      ")

    def explained(self, told: Told) -> Iterator[str]:
        """Every line of the trace, with rule, step and effect."""
        if told.trace:
            yield from wrapped(told.headline)
        for entry in told.trace:
            yield from wrapped(self._explained(entry), "  ")

    def _explained(self, entry: TraceEntry) -> str:
        step = f" step {entry.step}" if entry.step else ""
        skipped = "nothing happens: " if entry.kind == "skipped" else ""
        source = f" [{self.names.card(entry.origin.entry)}: {entry.origin.text}]" if entry.origin else ""
        return f"{entry.rule}{step}: {skipped}{self.names.sentence(entry.text)}{source}"

    def text(self, card: str, indent: str) -> Iterator[str]:
        """The rules text of a card without its name."""
        for line in self.text_of(card).splitlines()[1:]:
            yield from wrapped(line.strip(), indent)


def _is_headline(entry: TraceEntry, told: Told) -> bool:
    """Whether a line says only that the card is played, as the headline does."""
    return entry.kind == "card" and entry.text.endswith(f" plays {told.what}")


def _is_told(entry: TraceEntry) -> bool:
    """Whether a line is told without being asked for: also what lasts beyond an attack, PERFORMANCE, and why
    something ends early. What a played card forbids and what lapses is not: the card's text says it."""
    if entry.kind in _TOLD:
        return True
    if entry.step is not None:
        return False
    return (
        entry.kind == "change"
        or (entry.kind == "note" and entry.rule not in ("T-2", "M-11"))
        or (entry.kind == "event" and entry.rule == "K-1")
    )
