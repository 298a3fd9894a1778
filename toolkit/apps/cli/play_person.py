"""The player at the terminal, and the narrator that prints what happens in a GAME."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct, field

from toolkit.apps.cli.play_text import WIDTH, EventText, GameEvent, Names, cut, field_lines, winning, wrapped
from toolkit.apps.cli.terminal import echo
from toolkit.engine.actions import GameAction
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import Decision, Player
from toolkit.engine.phases import GameStep
from toolkit.engine.state import GameState, Side

CHOICES = ("action", "strategy")
"""Kinds of decisions that start a new event."""

HELP = (
    "Type a number to choose. Enter alone takes the first option, except for ACTIONs.",
    "? why: everything since your last choice · f the FIELD · h your hand",
    "t what the cards do · q quit; you can resume later",
    "AP 3/4 on the FIELD: it is 3 now, and its VALUE is 4.",
)

_OF_CARDS = (
    "strategy", "attack_card", "defence_card", "late_attack_card", "discard", "strategy_discard", "card",
    "order",
)  # fmt: skip
"""Kinds of decisions whose options are cards."""


class Narrator(Struct):
    """Prints each event once, and keeps the events since each player's last choice for the command `?`.

    While ``quiet`` returns True nothing is printed: a log is replayed. ``_current`` is the event that has
    begun and is not over, ``_last`` the step before it; ``_missed`` says that some events were not printed.
    """

    text: EventText
    quiet: Callable[[], bool]
    recent: dict[Side, list[GameEvent]] = field(default_factory=lambda: {"blue": [], "red": []})
    _current: GameEvent | None = None
    _last: GameStep | None = None
    _missed: bool = False

    def chose(self, decision: Decision, option: object, state: GameState) -> None:
        """Print a player's choice of an ACTION or card, before its consequences."""
        if decision.kind not in CHOICES:
            return
        self.recent[decision.whose].clear()
        self._current = None
        if isinstance(option, (GameAction, str)):
            self._current = GameEvent(option, self.text.headline(decision.whose, option, state))
        if self.quiet():
            self._missed = True
        elif self._current is not None:
            _print(self.text.new_lines(self._current, state))
        elif decision.kind == "action":
            _print(wrapped(f"{decision.whose}: {self.text.names.option(decision, option, state)}"))

    def observe(self, step: GameStep) -> None:
        """Print a step of the GAME and its consequences, unless they were printed before."""
        outcome, event = step.outcome, self._current
        if event is None or event.move != step.what:
            headline = f"{step.side}: {step.phase}"
            if step.what:
                state_before = self._last.state if self._last is not None else step.state
                headline = self.text.headline(step.side, step.what, state_before)
            event = GameEvent(step.what, headline)
        event.trace = outcome.trace
        event.chain = outcome.chain.sentence if outcome.chain is not None else ""
        self._current, self._last = None, step
        for events in self.recent.values():
            events.append(event)
        if self.quiet():
            self._missed = True
        else:
            if step.phase == "PREPARATION" and not event.headline_printed:
                _print(_heading(f"ROUND {step.state.round}, TURN of {step.state.turn}"))
            _print(self.text.new_lines(event, step.state))

    def before(self, decision: Decision, state: GameState, show_field: Callable[[], None] | None) -> None:
        """Print all new lines before a person is asked for a decision.

        ``show_field`` is called to show the FIELD if it is new. After a log was replayed, the events since
        the person's last choice are printed again.
        """
        event = self._unfinished_event(decision, state)
        heading = f"ROUND {state.round}, TURN of {state.turn}"
        is_unprinted_phase = event is not None and event.move is None and not event.headline_printed
        if self._missed:
            self._missed = False
            _print(_heading(f"Going on: {heading}"))
            for missed_event in self.recent[decision.whose]:
                missed_event.headline_printed, missed_event.lines_printed = False, 0
                _print(self.text.new_lines(missed_event, state))
        elif is_unprinted_phase and self._is_preparation():
            _print(_heading(heading))
        if show_field is not None:
            show_field()
            if event is not None:
                echo("")
        if event is not None:
            _print(self.text.new_lines(event, state))

    def why(self, decision: Decision, state: GameState) -> Iterator[str]:
        """Yield every line of the traces since a player's last choice, with rule, step and effect."""
        unfinished = self._unfinished_event(decision, state)
        events = list(self.recent[decision.whose])
        if unfinished is not None:
            events.append(unfinished)
        if not any(event.trace for event in events):
            yield "Nothing has happened since your last choice."
        for event in events:
            yield from self.text.explained(event)

    def _unfinished_event(self, decision: Decision, state: GameState) -> GameEvent | None:
        """Return the event during which a decision is made, with its trace so far; None between ACTIONs."""
        trace = decision.so_far.trace
        if self._current is None and trace:
            phase = "PREPARATION" if self._is_preparation() else "SUPPORT"
            self._current = GameEvent(None, f"{state.turn}: {phase}")
        if self._current is not None:
            self._current.trace = trace
        return self._current

    def _is_preparation(self) -> bool:
        """Whether the phase in which something happens next is PREPARATION, the first of a TURN."""
        return self._last is None or self._last.phase == "SUPPORT"


class AnnouncingPlayer(Struct):
    """A player whose ACTIONs and cards are printed when they are chosen, before an opponent must answer."""

    player: Player
    narrator: Narrator

    def answer(self, decision: Decision, state: GameState) -> int:
        """Return the player's answer, and print it."""
        index = self.player.answer(decision, state)
        if 0 <= index < len(decision.options):
            self.narrator.chose(decision, decision.options[index], state)
        return index

    def recall(self, decision: Decision, state: GameState, index: int) -> None:
        """Pass an answer of the replayed log to the player, so that it goes on as if it had given it."""
        recall = getattr(self.player, "recall", None)
        if recall is not None:
            recall(decision, state, index)
        else:  # a random player is asked again, so that its random numbers stay in step
            self.player.answer(decision, state)
        self.narrator.chose(decision, decision.options[index], state)


def _heading(text: str) -> tuple[str, ...]:
    return "", f"=== {text} ".ljust(WIDTH, "=")


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        echo(line)


class PlayerLeft(Exception):
    """The person quits the GAME; ``interrupted`` if by Ctrl-C."""

    def __init__(self, interrupted: bool = False) -> None:
        super().__init__()
        self.interrupted = interrupted


class Person(Struct):
    """The player who is asked at the terminal, or whose answers are lines of standard input.

    At the end of the input the person quits.
    """

    side: Side
    rules: Rules
    names: Names
    narrator: Narrator
    save_log: Callable[[], None]
    _shown: GameState | None = None
    _cards_read: set[object] = field(default_factory=set)

    def answer(self, decision: Decision, state: GameState) -> int:
        """Print what has happened, show the FIELD if it is new, ask, and return the chosen option."""
        if decision.kind == "order" and len(decision.options) == 1:
            return 0  # the last of the cards that go back onto the DECK
        is_new = self._shown is None or (decision.kind in CHOICES and state != self._shown)
        self.narrator.before(decision, state, (lambda: self._show_field(state)) if is_new else None)
        self.save_log()
        self._ask(decision, state)
        while True:
            index = self._read(decision, state)
            if index is not None:
                return index

    def recall(self, decision: Decision, state: GameState, index: int) -> None:
        """Do nothing: a person has no state to update."""

    def _ask(self, decision: Decision, state: GameState) -> None:
        echo("")
        _print(self._question(decision, state))

    def _question(self, decision: Decision, state: GameState) -> Iterator[str]:
        """Yield the lines of a question: the numbers so far, what is to be decided, and the options."""
        yield from self._attack_numbers(decision, state)
        question = decision.why
        if decision.kind in ("choose", "may"):
            # the name of the effect before the colon is printed below, with its sentence
            _effect, _, question = question.partition(": ")
            if decision.kind == "choose":
                question = f"choose {question}"
        yield from wrapped(f"{self.side.upper()}: {self.names.sentence(question)}")
        if decision.kind == "late_attack_card":
            yield "  (the third window: a card lies on the attacked OPERATOR)"
        if decision.source is not None:
            yield from wrapped(f"({self.names.card(decision.source.entry)}: {decision.source.text})", "  ")
        if decision.kind == "item_to":
            yield from self.narrator.text.text(str(decision.about), "  ")
        digits = len(str(len(decision.options)))
        for number, option in enumerate(decision.options, 1):
            yield from wrapped(f"{number:>{digits}}  {self.names.option(decision, option, state)}", "  ")
            yield from self._text_if_new(decision, option)

    def _text_if_new(self, decision: Decision, option: object) -> Iterator[str]:
        """Yield the text of a card the first time that it can be chosen; `t` shows it again."""
        if decision.kind in _OF_CARDS and isinstance(option, str) and option not in self._cards_read:
            self._cards_read.add(option)
            yield from self.narrator.text.text(option, "       ")

    def _attack_numbers(self, decision: Decision, state: GameState) -> Iterator[str]:
        """Yield AP against EP so far, if the decision is part of an attack."""
        so_far = decision.so_far
        if so_far.ap is None or so_far.ep is None:
            return
        (attacker, ap), (attacked, ep) = so_far.ap, so_far.ep
        has_rolled = any(entry.kind == "die" for entry in so_far.trace)
        pending = "these dice" if has_rolled else "cards and dice"
        value = self.rules.cards[state.operators[attacker].card].values["AP"]
        attacker_text = f"AP {ap} (VALUE {value}) of {self.names.operator(state, attacker)}"
        attacked_text = f"EP {ep} of {self.names.operator(state, attacked)}"
        yield from wrapped(f"So far {attacker_text} against {attacked_text}, before {pending}.")

    def _read(self, decision: Decision, state: GameState) -> int | None:
        """Read one line; return an index, or None after a command or an invalid line."""
        option_count = len(decision.options)
        echo(f"{'1' if option_count == 1 else f'1-{option_count}'}, or help > ", nl=False)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            echo("")
            raise PlayerLeft(interrupted=True) from None
        if not line:
            echo("")
            raise PlayerLeft
        word = line.strip().lower()
        if word in ("q", "quit", "exit"):
            raise PlayerLeft
        if not sys.stdin.isatty():
            echo(word)
        first_option, *_ = decision.options
        # one Enter too many must not perform an ACTION
        if not word and not isinstance(first_option, GameAction):
            return 0
        if word.isdecimal() and 1 <= int(word) <= option_count:
            return int(word) - 1
        lines = self._command(word, decision, state)
        if lines is None:
            echo(f"{cut(word, 20)!r} is not an option: type a number from 1 to {option_count}, or help.")
            return None
        _print(lines)
        # what was shown may be longer than the screen
        self._ask(decision, state)
        return None

    def _command(self, word: str, decision: Decision, state: GameState) -> Iterable[str] | None:
        """Return the lines that a command shows; None if the word is not a command."""
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
        _print(self._field(state))

    def _field(self, state: GameState) -> Iterator[str]:
        """Yield the lines of the FIELD and of the own hand."""
        yield ""
        yield from field_lines(state, self.rules, self.names)
        yield from self._hand(state)

    def _hand(self, state: GameState) -> Iterator[str]:
        hand = [self.names.card(card) for card in state.player(self.side).hand]
        yield from wrapped(f"Your hand ({self.side}): {', '.join(hand) or 'empty'}")

    def _texts(self, state: GameState) -> Iterator[str]:
        """Yield the rules texts of the cards in the hand and in play."""
        cards = dict.fromkeys(state.player(self.side).hand)
        opponent: Side = "red" if self.side == "blue" else "blue"
        for side in (self.side, opponent):
            for operator in state.on_field(side):
                cards |= dict.fromkeys(filter(None, (operator.card, operator.attached)))
            cards |= dict.fromkeys(state.player(side).strategies)
        for card in cards:
            for number, line in enumerate(self.names.text(card)):
                yield from wrapped(line.strip(), "" if number == 0 else "  ")
