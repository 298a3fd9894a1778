"""Runs the LALR tables over the words of an effect; a builder makes the tree on the way."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from toolkit.dsl.tables import END, Rule, Tables

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

    __slots__ = ("place", "type")
    place: tuple[int, int]
    type: str

    @property
    def start_pos(self) -> int:
        """Where it begins."""
        return self.place[0]

    @property
    def end_pos(self) -> int:
        """The character behind it."""
        return self.place[1]


class Situation(Struct, frozen=True):
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


class Refused(Struct, frozen=True):
    """Where the parser could go no further: the place of the refused word, or the end of the text."""

    position: int
    situation: Situation


def lex(text: str, words: dict[str, str]) -> list[Token]:
    """The pieces of a text. A sign that the language does not have is a ``STRAY``."""
    tokens = []
    for found in _PIECE.finditer(text):
        piece = found.group()
        token = Token(piece)
        token.type = words.get(piece) or _SORTS[found.lastindex or 0]
        token.place = found.span()
        tokens.append(token)
    return tokens


def _end_of(text: str) -> Token:
    token = Token()
    token.type = END
    token.place = (len(text), len(text))
    return token


class _Helper(list[Any]):
    """The parts of a helper rule (``sentence+`` makes one), which belong into the rule above."""


Step = tuple[str, int, Callable[[list[Any]], Any] | None, bool]
"""What a reduction does: the rule's name, how many parts it takes, what builds the value (None where a single
part is the value), and whether parts of a helper rule may be among them."""

Row = dict[str, Any]
"""A state of the tables: by terminal the next row or the step to take, by name of a rule the row after it."""


class Parser:
    """Tables whose states lead to one another, with a builder whose methods make the values of the rules."""

    def __init__(self, tables: Tables, builder: object) -> None:
        self._tables = tables
        self._rows: list[Row] = [{} for _ in tables.states]
        steps = [_step(rule, builder) for rule in tables.rules]
        for row, state in zip(self._rows, tables.states, strict=True):
            for name, action in state.items():
                row[name] = self._rows[action] if action >= 0 else steps[-1 - action]
        self._rows[tables.end][END] = {}

    def parse(self, text: str) -> Any | Refused:
        """The value that the builder makes of the whole text, or where it is refused."""
        row = self._rows[0]
        stack: list[Row] = [row]
        values: list[Any] = []
        for token in (*lex(text, self._tables.words), _end_of(text)):
            terminal = token.type
            while (action := row.get(terminal)).__class__ is tuple:
                origin, length, build, spreads = action
                if build is None:
                    stack.pop()
                else:
                    parts = values[-length:]
                    del stack[-length:], values[-length:]
                    values.append(build(_spread(parts) if spreads else parts))
                row = stack[-1][origin]
                stack.append(row)
            if action is None:
                return self._refused(token.place[0], stack)
            row = action
            stack.append(row)
            values.append(token)
        return values[-2]  # before the end of the text

    def _refused(self, position: int, stack: list[Row]) -> Refused:
        number = {id(row): number for number, row in enumerate(self._rows)}
        return Refused(position, Situation(self._tables, tuple(number[id(row)] for row in stack)))


def _step(rule: Rule, builder: object) -> Step:
    if rule.build is None:
        return rule.origin, rule.length, _Helper, rule.spreads
    if rule.passes_one and rule.length == 1 and not rule.spreads:
        return rule.origin, 1, None, False
    # in place of a method there may be None
    return rule.origin, rule.length, getattr(builder, rule.build), rule.spreads


def _spread(parts: list[Any]) -> list[Any]:
    """The parts with those of helper rules in place of these."""
    return [one for part in parts for one in (part if part.__class__ is _Helper else (part,))]
