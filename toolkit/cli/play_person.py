"""A person at the terminal who plays, and the telling of what happens."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import click

from toolkit.cli.play_field import WIDTH, cut, field_lines
from toolkit.cli.play_names import Names
from toolkit.engine.actions import GameAction
from toolkit.engine.decisions import Decision, Player
from toolkit.engine.game import Happening
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Side
from toolkit.engine.trace import TraceEntry

HELP = (
    "A number chooses; Enter takes the first, but of ACTIONs.",
    "? why: all that happened since your last choice · f the FIELD · h your hand",
    "t what the cards do · q leave; you can go on later",
)

_CHOICES = ("action", "strategy")
"""Questions at which the FIELD is shown, and from which on things are new."""

_TOLD = ("die", "status", "counter", "card", "compare", "decision")


class Left(Exception):
    """The person leaves the GAME; ``interrupted`` if by Ctrl-C."""

    def __init__(self, interrupted: bool = False) -> None:
        super().__init__()
        self.interrupted = interrupted


@dataclass(slots=True)
class Narrator:
    """Tells what happens, and keeps the traces since a person's last choice for `?`.

    ``quiet`` is asked each time: while it says True nothing is told. ``announced`` is set when the ACTION was
    told already as it was chosen.
    """

    names: Names
    quiet: Callable[[], bool]
    recent: list[Happening] = field(default_factory=list)
    announced: bool = False

    def saw(self, happening: Happening) -> None:
        """A line for what was done, and under it what came of it."""
        if happening.outcome.trace:
            self.recent.append(happening)
        if self.quiet():
            return
        for line in self._lines(happening):
            click.echo(line)

    def _lines(self, happening: Happening) -> Iterator[str]:
        state = happening.outcome.state
        if happening.phase == "PREPARATION":
            yield ""
            yield f"=== ROUND {state.round}, TURN of {state.turn} ".ljust(WIDTH, "=")
        if not self.announced:
            yield from wrapped(self._headline(happening))
        self.announced = False
        for entry in happening.outcome.trace:
            if entry.kind in _TOLD:
                yield from wrapped(self.names.sentence(entry.text), "    ")
        if happening.outcome.chain is not None:
            yield from wrapped(happening.outcome.chain.sentence, "    ")

    def _headline(self, happening: Happening) -> str:
        what = happening.what
        if isinstance(what, GameAction):
            done = self.names.action(happening.outcome.state, what).removesuffix(" (BONUS)")
            return f"{happening.side}: {done}{' (BONUS)' if what.bonus else ''}"
        return (
            f"{happening.side}: plays {self.names.card(what)}"
            if what
            else f"{happening.side}: {happening.phase}"
        )

    def why(self) -> Iterator[str]:
        """How it came about: every line of the traces, with rule, step and effect."""
        if not self.recent:
            yield "Nothing has happened since your last choice."
        for happening in self.recent:
            yield self._headline(happening)
            for entry in happening.outcome.trace:
                yield from wrapped(self._explained(entry), "  ")

    def _explained(self, entry: TraceEntry) -> str:
        step = f" step {entry.step}" if entry.step else ""
        skipped = "nothing happens: " if entry.kind == "skipped" else ""
        source = f" [{self.names.card(entry.origin.entry)}: {entry.origin.text}]" if entry.origin else ""
        return f"{entry.rule}{step}: {skipped}{self.names.sentence(entry.text)}{source}"


def wrapped(text: str, indent: str = "") -> list[str]:
    """The text in lines of at most 80 columns."""
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ")


@dataclass(slots=True)
class Announced:
    """A player whose ACTIONs are told when he chooses them, so that a person knows what he answers to."""

    player: Player
    narrator: Narrator

    def answer(self, decision: Decision, state: GameState) -> int:
        """The player's answer."""
        index = self.player.answer(decision, state)
        if decision.kind == "action" and 0 <= index < len(decision.options):
            words = self.narrator.names.option(decision, decision.options[index], state)
            for line in wrapped(f"{decision.whose}: {words}"):
                click.echo(line)
            self.narrator.announced = decision.options[index] is not None
        return index

    def recall(self, decision: Decision, state: GameState, index: int) -> None:
        """Tell the player what he once answered."""
        recall = getattr(self.player, "recall", None)
        if recall is not None:
            recall(decision, state, index)
        else:
            self.player.answer(decision, state)


@dataclass(slots=True)
class Person:
    """Asks at the terminal, or reads answers from standard input line by line; its end is leaving."""

    side: Side
    rules: Rules
    names: Names
    narrator: Narrator
    text_of: Callable[[str], str]
    answered: Callable[[], None]
    _shown: GameState | None = field(default=None)

    def answer(self, decision: Decision, state: GameState) -> int:
        """Show the FIELD where it has changed, ask, and take a number."""
        if decision.kind in _CHOICES and state is not self._shown:
            self._show_field(state)
        self.answered()
        click.echo("")
        for line in self._question(decision, state):
            click.echo(line)
        while True:
            index = self._read(decision, state)
            if index is not None:
                if decision.kind in _CHOICES:
                    self.narrator.recent.clear()
                return index

    def recall(self, decision: Decision, state: GameState, index: int) -> None:
        """A person remembers by himself."""

    def _question(self, decision: Decision, state: GameState) -> Iterator[str]:
        yield from wrapped(f"{self.side.upper()}: {self.names.sentence(decision.why)}")
        if decision.kind == "late_attack_card":
            yield "  (the third window: a card lies on the attacked OPERATOR)"
        if decision.source is not None:
            yield from wrapped(f"({self.names.card(decision.source.entry)}: {decision.source.text})", "  ")
        width = len(str(len(decision.options)))
        for number, option in enumerate(decision.options, 1):
            yield from wrapped(f"{number:>{width}}  {self.names.option(decision, option, state)}", "  ")

    def _read(self, decision: Decision, state: GameState) -> int | None:
        """One line of input: an index, or None after a command or a slip."""
        most = len(decision.options)
        click.echo(f"1-{most}, or help > ", nl=False)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            click.echo("")
            raise Left(interrupted=True) from None
        if not line:
            click.echo("")
            raise Left
        word = line.strip().lower()
        if word in ("q", "quit", "exit"):
            raise Left
        if not sys.stdin.isatty():
            click.echo(word)
        # an Enter too many must not perform an ACTION
        if not word and not isinstance(decision.options[0], GameAction):
            return 0
        if word.isdecimal() and 1 <= int(word) <= most:
            return int(word) - 1
        for told in self._command(word, most, state):
            click.echo(told)
        return None

    def _command(self, word: str, most: int, state: GameState) -> Iterator[str]:
        match word:
            case "?" | "why":
                yield from self.narrator.why()
            case "f" | "field":
                self._show_field(state)
            case "h" | "hand":
                yield from self._hand(state)
            case "t" | "text":
                yield from self._texts(state)
            case "help":
                yield from HELP
            case _:
                yield f"{cut(word, 20)!r} is none of the options: a number from 1 to {most}, or help."

    def _show_field(self, state: GameState) -> None:
        self._shown = state
        click.echo("")
        for line in field_lines(state, self.rules, self.names):
            click.echo(line)
        for line in self._hand(state):
            click.echo(line)

    def _hand(self, state: GameState) -> Iterator[str]:
        hand = [self.names.card(card) for card in state.player(self.side).hand]
        yield from wrapped(f"Your hand ({self.side}): {', '.join(hand) or 'empty'}")

    def _texts(self, state: GameState) -> Iterator[str]:
        """The rules texts of the cards in the hand and of all that is in play."""
        shown = dict.fromkeys(state.player(self.side).hand)
        for side in (self.side, "red" if self.side == "blue" else "blue"):
            for who in state.on_field("blue" if side == "blue" else "red"):
                shown |= dict.fromkeys((who.card, *([who.attached] if who.attached else [])))
            shown |= dict.fromkeys(state.player("blue" if side == "blue" else "red").strategies)
        for card in shown:
            for number, line in enumerate(self.text_of(card).splitlines()):
                yield from wrapped(line.strip(), "" if number == 0 else "  ")
