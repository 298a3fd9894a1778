"""Runs the LALR tables over the words of an effect; the ``Builder`` makes the tree on the way."""

from __future__ import annotations

import re
from typing import Any

from toolkit.dsl.tables import END, Tables
from toolkit.records import dataclass

_PIECE = re.compile(
    r"""("[^"\n]*")                                                         # a name in quotes
      | ((?:[+\-]?[0-9]+)?[^\s0-9.,()"=!<>*+\-][^\s.,()"=!<>*+\-]*)         # a word, known or not
      | ([0-9]+)
      | (<=|>=|!=|\S)                                                       # a sign
    """,
    re.VERBOSE,
)
_SORTS = (END, "STRING", "WORD", "INT", "STRAY")


class Token(str):
    """A word, number, sign or name in quotes, with its terminal and its place in the effect's text."""

    __slots__ = ("end_pos", "start_pos", "type")
    type: str
    start_pos: int
    end_pos: int


@dataclass(frozen=True, slots=True)
class Situation:
    """A point between two words: the states on the parser's stack. Messages and completion ask it."""

    tables: Tables
    stack: tuple[int, ...]

    def after(self, terminal: str) -> Situation | None:
        """The situation behind one more terminal, or None where the parser refuses it."""
        states, rules = self.tables.states, self.tables.rules
        stack = list(self.stack)
        while True:
            action = states[stack[-1]].get(terminal)
            if action is None:
                return None
            if action >= 0:
                return Situation(self.tables, (*stack, action))
            rule = rules[-1 - action]
            if rule.length:
                del stack[-rule.length :]
            stack.append(states[stack[-1]][rule.origin])

    def accepts(self) -> tuple[str, ...]:
        """The terminals that may come next, without the end of the text."""
        known = self.tables.states[self.stack[-1]]
        return tuple(name for name in known if name.isupper() and name != END and self.after(name))


@dataclass(frozen=True, slots=True)
class Refused:
    """Where the parser could go no further: the place of the refused word, or the end of the text."""

    position: int
    situation: Situation


def lex(text: str, words: dict[str, str]) -> list[Token]:
    """The pieces of a text. A sign that the language does not have is a ``STRAY``."""
    tokens = []
    for found in _PIECE.finditer(text):
        token = Token(found.group())
        token.type = words.get(token) or _SORTS[found.lastindex or 0]
        token.start_pos, token.end_pos = found.span()
        tokens.append(token)
    return tokens


def parse(text: str, tables: Tables, builder: object) -> Any | Refused:
    """The value that the builder makes of the whole text, or where it is refused."""
    states, rules = tables.states, tables.rules
    stack: list[int] = [0]
    values: list[Any] = []
    for token in (*lex(text, tables.words), None):
        terminal = token.type if token is not None else END
        while True:
            action = states[stack[-1]].get(terminal)
            if action is None:
                position = token.start_pos if token is not None else len(text)
                return Refused(position, Situation(tables, tuple(stack)))
            if action >= 0:
                break
            origin, length, build, passes_one = rules[-1 - action]
            parts = values[-length:]
            del stack[-length:], values[-length:]
            state = states[stack[-1]][origin]
            stack.append(state)
            values.append(_value(parts, build, passes_one, builder))
            if state == tables.end and token is None:
                return values[-1]
        stack.append(action)
        values.append(token)
    return None


class _Helper(list[Any]):
    """The parts of a helper rule (``sentence+`` makes one), which belong into the rule above."""


def _value(parts: list[Any], build: str | None, passes_one: bool, builder: object) -> Any:
    for part in parts:
        if part.__class__ is _Helper:
            parts = [one for part in parts for one in (part if part.__class__ is _Helper else (part,))]
            break
    if build is None:
        return _Helper(parts)
    if passes_one and len(parts) == 1:
        return parts[0]
    return getattr(builder, build)(parts)
