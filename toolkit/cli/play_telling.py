"""The telling of a GAME at the terminal: what is done, what comes of it, and how it came about."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import click

from toolkit.cli.play_field import WIDTH
from toolkit.cli.play_names import Names
from toolkit.engine.actions import GameAction
from toolkit.engine.decisions import Decision, Player
from toolkit.engine.game import Happening
from toolkit.engine.state import GameState, Side
from toolkit.engine.trace import TraceEntry

CHOICES = ("action", "strategy")
"""Questions from whose answer on things are new to a player."""

_TOLD = ("die", "status", "counter", "card", "compare", "decision")
"""Kinds of lines that are always told; the others tell how numbers come about, which `?` shows."""

_LAID = re.compile(r"(?:(?P<side>blue|red) plays )?(?P<card>[a-z0-9-]+)(?P<attached> is attached to .+)?")
"""A sentence of the trace about a card that comes into play."""


def wrapped(text: str, indent: str = "") -> list[str]:
    """The text in lines of at most 80 columns."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")


@dataclass(slots=True)
class Told:
    """Something that happens, as far as it is known: ``what`` is the ACTION, the card, or None for a phase.

    ``opened`` says that its headline was told already, ``lines`` how many lines of its trace were.
    """

    what: GameAction | str | None
    headline: str
    trace: tuple[TraceEntry, ...] = ()
    chain: str = ""
    opened: bool = False
    lines: int = 0


@dataclass(slots=True)
class Narrator:
    """Tells what happens once, and keeps it for each player since his last choice for `?`.

    ``quiet`` is asked each time: while it says True nothing is told (a log is retold). ``readers`` are the
    persons' sides: a card that somebody else lays down is told to them with its text.
    """

    names: Names
    quiet: Callable[[], bool]
    text_of: Callable[[str], str]
    readers: frozenset[Side] = frozenset()
    recent: dict[Side, list[Told]] = field(default_factory=lambda: {"blue": [], "red": []})
    _now: Told | None = None
    _last: Happening | None = None
    _missed: bool = False

    def chose(self, decision: Decision, option: object, state: GameState) -> None:
        """A player's choice of an ACTION or card is told before anything comes of it."""
        if decision.kind not in CHOICES:
            return
        self.recent[decision.whose].clear()
        self._now = None
        if isinstance(option, (GameAction, str)):
            self._now = Told(option, self._done(decision.whose, option, state))
        if self.quiet():
            self._missed = True
        elif self._now is not None:
            _print(self._rest(self._now, state))
        elif decision.kind == "action":
            _print(wrapped(f"{decision.whose}: {self.names.option(decision, option, state)}"))

    def saw(self, happening: Happening) -> None:
        """A line for what was done, and under it what came of it, as far as it was not told before."""
        outcome, now = happening.outcome, self._now
        if now is None or now.what != happening.what:
            state = self._last.outcome.state if self._last is not None else outcome.state
            done = happening.what and self._done(happening.side, happening.what, state)
            now = Told(happening.what, done or f"{happening.side}: {happening.phase}")
        now.trace = outcome.trace
        now.chain = outcome.chain.sentence if outcome.chain is not None else ""
        self._now, self._last = None, happening
        for since in self.recent.values():
            since.append(now)
        if self.quiet():
            self._missed = True
        else:
            if happening.phase == "PREPARATION" and not now.opened:
                _print(_heading(outcome.state))
            _print(self._rest(now, outcome.state))

    def before(self, decision: Decision, state: GameState, show_field: Callable[[], None] | None) -> None:
        """All that a person must know before he is asked and was not told yet; ``show_field`` if he shall see
        the FIELD. After a log was retold, what has happened since his last choice is told again."""
        now = self._going_on(decision, state)
        if self._missed:
            self._missed = False
            _print(("", f"=== Going on: ROUND {state.round}, TURN of {state.turn} ".ljust(WIDTH, "=")))
            for told in self.recent[decision.whose]:
                told.opened, told.lines = False, 0
                _print(self._rest(told, state))
        elif now is not None and not now.opened and now.what is None and self._is_preparation():
            _print(_heading(state))
        if show_field is not None:
            show_field()
            if now is not None:
                click.echo("")
        if now is not None:
            _print(self._rest(now, state))

    def why(self, decision: Decision, state: GameState) -> Iterator[str]:
        """How it came about: every line of the traces since a player's last choice, with rule, step and
        effect."""
        now = self._going_on(decision, state)
        known = [*self.recent[decision.whose], *([now] if now is not None else [])]
        if not any(told.trace for told in known):
            yield "Nothing has happened since your last choice."
        for told in known:
            if told.trace:
                yield from wrapped(told.headline)
            for entry in told.trace:
                yield from wrapped(self._explained(entry), "  ")

    def text(self, card: str, indent: str) -> Iterator[str]:
        """The rules text of a card without its name."""
        for line in self.text_of(card).splitlines()[1:]:
            yield from wrapped(line.strip(), indent)

    def _done(self, side: Side, what: GameAction | str, state: GameState) -> str:
        """What a player does, in words; ``state`` is before it: a place may tell OPERATORs apart."""
        if isinstance(what, GameAction):
            return f"{side}: {self.names.action(state, what)}"
        return f"{side}: plays {self.names.card(what)}"

    def _going_on(self, decision: Decision, state: GameState) -> Told | None:
        """What goes on while this is asked, with its trace so far; None between two ACTIONs."""
        trace = decision.so_far.trace
        if self._now is None and trace:
            phase = "PREPARATION" if self._is_preparation() else "SUPPORT"
            self._now = Told(None, f"{state.turn}: {phase}")
        if self._now is not None:
            self._now.trace = trace
        return self._now

    def _is_preparation(self) -> bool:
        return self._last is None or self._last.phase == "SUPPORT"

    def _rest(self, told: Told, state: GameState) -> Iterator[str]:
        """The lines of a happening that were not told yet."""
        if not told.opened:
            yield from wrapped(told.headline)
        for entry in told.trace[told.lines :]:
            if _is_told(entry):
                if not self._is_headline(entry, told):
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

    def _is_headline(self, entry: TraceEntry, told: Told) -> bool:
        """Whether a line says only that the card is played, as the headline does."""
        return entry.kind == "card" and entry.text.endswith(f" plays {told.what}")

    def _text(self, entry: TraceEntry, state: GameState) -> Iterator[str]:
        """What a card does that comes into play, if somebody else than who laid it reads this."""
        found = _LAID.fullmatch(entry.text) if entry.kind == "card" else None
        if found is None or not (found["side"] or found["attached"]):
            return
        side = found["side"] if entry.who is None else state.operators[entry.who].side
        if self.readers - {side}:
            yield from self.text(found["card"], "      ")

    def _explained(self, entry: TraceEntry) -> str:
        step = f" step {entry.step}" if entry.step else ""
        skipped = "nothing happens: " if entry.kind == "skipped" else ""
        source = f" [{self.names.card(entry.origin.entry)}: {entry.origin.text}]" if entry.origin else ""
        return f"{entry.rule}{step}: {skipped}{self.names.sentence(entry.text)}{source}"


@dataclass(slots=True)
class Announced:
    """A player whose ACTIONs and cards are told when he chooses them, so that a person knows what he answers
    to."""

    player: Player
    narrator: Narrator

    def answer(self, decision: Decision, state: GameState) -> int:
        """The player's answer."""
        index = self.player.answer(decision, state)
        if 0 <= index < len(decision.options):
            self.narrator.chose(decision, decision.options[index], state)
        return index

    def recall(self, decision: Decision, state: GameState, index: int) -> None:
        """Tell the player what he once answered."""
        recall = getattr(self.player, "recall", None)
        if recall is not None:
            recall(decision, state, index)
        else:
            self.player.answer(decision, state)
        self.narrator.chose(decision, decision.options[index], state)


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


def _heading(state: GameState) -> tuple[str, ...]:
    return "", f"=== ROUND {state.round}, TURN of {state.turn} ".ljust(WIDTH, "=")


def _print(lines: Iterator[str] | list[str] | tuple[str, ...]) -> None:
    for line in lines:
        click.echo(line)
