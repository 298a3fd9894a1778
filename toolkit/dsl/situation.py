"""A point between two words: what the parser would accept there. Messages and completion ask it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Situation:
    """The LALR states on the parser's stack after the words read so far.

    ``states`` is the parse table: for each state what to do on which terminal or rule.
    """

    states: Any = field(repr=False)
    stack: tuple[int, ...]

    def after(self, terminal: str) -> Situation | None:
        """The situation behind one more terminal, or None where the parser refuses it."""
        stack = list(self.stack)
        while True:
            step = self.states[stack[-1]].get(terminal)
            if step is None:
                return None
            argument = step[1]
            if isinstance(argument, int):  # shift: the argument is the next state
                return Situation(self.states, (*stack, argument))
            if argument.expansion:  # reduce: the argument is the rule
                del stack[-len(argument.expansion) :]
            stack.append(self.states[stack[-1]][argument.origin.name][1])

    def accepts(self) -> tuple[str, ...]:
        """The terminals that may come next, without the end of the text."""
        return tuple(
            terminal
            for terminal in self.states[self.stack[-1]]
            if terminal.isupper() and terminal != "$END" and self.after(terminal) is not None
        )
