"""A person at the terminal who plays."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct, field

from toolkit.cli.play_field import cut, field_lines
from toolkit.cli.play_lines import wrapped
from toolkit.cli.play_names import Names, winning
from toolkit.cli.play_narration import CHOICES, Narrator
from toolkit.cli.shared import echo
from toolkit.engine.actions import GameAction
from toolkit.engine.decisions import Decision
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Side

HELP = (
    "Type a number to choose. Enter alone takes the first option, except for ACTIONs.",
    "? why: everything since your last choice · f the FIELD · h your hand",
    "t what the cards do · q quit; you can resume later",
    "AP 3/4 on the FIELD: it is 3 now, and its VALUE is 4.",
)

_OF_CARDS = ("strategy", "attack_card", "defence_card", "late_attack_card", "discard", "strategy_discard")
"""Questions whose options are cards."""


class Left(Exception):
    """The person leaves the GAME; ``interrupted`` if by Ctrl-C."""

    def __init__(self, interrupted: bool = False) -> None:
        super().__init__()
        self.interrupted = interrupted


class Person(Struct):
    """Asks at the terminal, or reads answers from standard input line by line; its end is leaving."""

    side: Side
    rules: Rules
    names: Names
    narrator: Narrator
    text_of: Callable[[str], str]
    answered: Callable[[], None]
    _shown: GameState | None = None
    _read_cards: set[object] = field(default_factory=set)

    def answer(self, decision: Decision, state: GameState) -> int:
        """Tell what has happened, show the FIELD where it is new, ask, and take a number."""
        unseen = self._shown is None or (decision.kind in CHOICES and state != self._shown)
        self.narrator.before(decision, state, (lambda: self._show_field(state)) if unseen else None)
        self.answered()
        self._ask(decision, state)
        while True:
            index = self._read(decision, state)
            if index is not None:
                return index

    def recall(self, decision: Decision, state: GameState, index: int) -> None:
        """A person remembers by himself."""

    def _ask(self, decision: Decision, state: GameState) -> None:
        echo("")
        for line in self._question(decision, state):
            echo(line)

    def _question(self, decision: Decision, state: GameState) -> Iterator[str]:
        yield from self._numbers(decision, state)
        why = decision.why
        if decision.kind == "choose":
            # what chooses is told below, with its sentence
            why = f"choose {why.partition(': ')[2]}"
        yield from wrapped(f"{self.side.upper()}: {self.names.sentence(why)}")
        if decision.kind == "late_attack_card":
            yield "  (the third window: a card lies on the attacked OPERATOR)"
        if decision.source is not None:
            yield from wrapped(f"({self.names.card(decision.source.entry)}: {decision.source.text})", "  ")
        if decision.kind == "item_to":
            yield from self.narrator.lines.text(str(decision.about), "  ")
        width = len(str(len(decision.options)))
        for number, option in enumerate(decision.options, 1):
            yield from wrapped(f"{number:>{width}}  {self.names.option(decision, option, state)}", "  ")
            yield from self._unread(decision, option)

    def _unread(self, decision: Decision, option: object) -> Iterator[str]:
        """The text of a card the first time that it can be chosen; `t` shows it again."""
        if decision.kind in _OF_CARDS and isinstance(option, str) and option not in self._read_cards:
            self._read_cards.add(option)
            yield from self.narrator.lines.text(option, "       ")

    def _numbers(self, decision: Decision, state: GameState) -> Iterator[str]:
        """AP against EP as they stand in the attack in which this is asked."""
        so_far = decision.so_far
        if so_far.ap is None or so_far.ep is None:
            return
        (attacker, ap), (attacked, ep) = so_far.ap, so_far.ep
        rolled = any(entry.kind == "die" for entry in so_far.trace)
        missing = "these dice" if rolled else "cards and dice"
        value = self.rules.cards[state.operators[attacker].card].values["AP"]
        one, two = self.names.operator(state, attacker), self.names.operator(state, attacked)
        yield from wrapped(
            f"So far AP {ap} (VALUE {value}) of {one} against EP {ep} of {two}, before {missing}."
        )

    def _read(self, decision: Decision, state: GameState) -> int | None:
        """One line of input: an index, or None after a command or a slip."""
        most = len(decision.options)
        echo(f"{'1' if most == 1 else f'1-{most}'}, or help > ", nl=False)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            echo("")
            raise Left(interrupted=True) from None
        if not line:
            echo("")
            raise Left
        word = line.strip().lower()
        if word in ("q", "quit", "exit"):
            raise Left
        if not sys.stdin.isatty():
            echo(word)
        # an Enter too many must not perform an ACTION
        if not word and not isinstance(decision.options[0], GameAction):
            return 0
        if word.isdecimal() and 1 <= int(word) <= most:
            return int(word) - 1
        told = self._command(word, decision, state)
        if told is None:
            echo(f"{cut(word, 20)!r} is not an option: type a number from 1 to {most}, or help.")
            return None
        for line in told:
            echo(line)
        # what was shown may be longer than the screen
        self._ask(decision, state)
        return None

    def _command(self, word: str, decision: Decision, state: GameState) -> Iterable[str] | None:
        """What a command shows; None if it is none."""
        match word:
            case "?" | "why":
                return self.narrator.why(decision, state)
            case "f" | "field":
                return self._field(state)
            case "h" | "hand":
                return self._hand(state)
            case "t" | "text":
                return self._texts(state)
            case "help":
                return (*HELP, *wrapped(f"Who wins: {winning(self.rules.mode)}"))
        return None

    def _show_field(self, state: GameState) -> None:
        self._shown = state.copy()
        for line in self._field(state):
            echo(line)

    def _field(self, state: GameState) -> Iterator[str]:
        yield ""
        yield from field_lines(state, self.rules, self.names)
        yield from self._hand(state)

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
