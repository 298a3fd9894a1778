"""The telling of a GAME at the terminal: each thing once, and before a person is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec import Struct, field

from toolkit.cli.play_field import WIDTH
from toolkit.cli.play_lines import Lines, Told, wrapped
from toolkit.cli.shared import echo
from toolkit.engine.actions import GameAction
from toolkit.engine.decisions import Decision, Player
from toolkit.engine.phases import Happening
from toolkit.engine.state import GameState, Side

CHOICES = ("action", "strategy")
"""Questions from whose answer on things are new to a player."""


class Narrator(Struct):
    """Tells what happens once, and keeps it for each player since his last choice for `?`.

    ``quiet`` is asked each time: while it says True nothing is told (a log is retold).
    """

    lines: Lines
    quiet: Callable[[], bool]
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
            self._now = Told(option, self.lines.headline(decision.whose, option, state))
        if self.quiet():
            self._missed = True
        elif self._now is not None:
            _print(self.lines.rest(self._now, state))
        elif decision.kind == "action":
            _print(wrapped(f"{decision.whose}: {self.lines.names.option(decision, option, state)}"))

    def saw(self, happening: Happening) -> None:
        """A line for what was done, and under it what came of it, as far as it was not told before."""
        outcome, now = happening.outcome, self._now
        if now is None or now.what != happening.what:
            state = self._last.state if self._last is not None else happening.state
            done = happening.what and self.lines.headline(happening.side, happening.what, state)
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
                _print(_heading(happening.state))
            _print(self.lines.rest(now, happening.state))

    def before(self, decision: Decision, state: GameState, show_field: Callable[[], None] | None) -> None:
        """All that a person must know before he is asked and was not told yet; ``show_field`` if he shall see
        the FIELD. After a log was retold, what has happened since his last choice is told again."""
        now = self._going_on(decision, state)
        if self._missed:
            self._missed = False
            _print(("", f"=== Going on: ROUND {state.round}, TURN of {state.turn} ".ljust(WIDTH, "=")))
            for told in self.recent[decision.whose]:
                told.opened, told.lines = False, 0
                _print(self.lines.rest(told, state))
        elif now is not None and not now.opened and now.what is None and self._is_preparation():
            _print(_heading(state))
        if show_field is not None:
            show_field()
            if now is not None:
                echo("")
        if now is not None:
            _print(self.lines.rest(now, state))

    def why(self, decision: Decision, state: GameState) -> Iterator[str]:
        """How it came about: every line of the traces since a player's last choice, with rule, step and
        effect."""
        now = self._going_on(decision, state)
        known = [*self.recent[decision.whose], *([now] if now is not None else [])]
        if not any(told.trace for told in known):
            yield "Nothing has happened since your last choice."
        for told in known:
            yield from self.lines.explained(told)

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


class Announced(Struct):
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


def _heading(state: GameState) -> tuple[str, ...]:
    return "", f"=== ROUND {state.round}, TURN of {state.turn} ".ljust(WIDTH, "=")


def _print(lines: Iterator[str] | list[str] | tuple[str, ...]) -> None:
    for line in lines:
        echo(line)
