"""The LALR(1) tables that Lark makes from ``grammar/effect.lark``, and the parser that runs them.

The tables are kept in ``grammar/effect.json``, so that no run has to import Lark and build them (270 ms on
540 cards); ``python -m toolkit.dsl.lalr`` writes them. If the grammar has changed since, they are not used:
Lark builds them in memory, and a test fails.

Lark is imported only to make the tables, which are kept: it takes 25 ms.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.json import decode, encode

from toolkit.resources import grammar_file
from toolkit.source.reading import blake2b
from toolkit.vocabulary import COUNTERS, FACTS, STATS, VERBS

END = "$END"


class Rule(NamedTuple):
    """A rule of the grammar.

    ``origin`` is its name, ``length`` the number of parts that it takes from the stack, ``build`` the method
    of ``Builder`` that makes its value, or None for a helper rule, whose parts are spliced into the rule that
    uses it. ``passes_one`` says that the value of a single part is that of the rule, ``spreads`` that helper
    rules may be among its parts.
    """

    origin: str
    length: int
    build: str | None
    passes_one: bool
    spreads: bool


class Tables(Struct, frozen=True):
    """The actions of the parser in each state; state 0 is the initial one.

    ``states[s][x]`` is for a terminal ``x`` the next state (shift) or ``-1 - r`` to reduce by rule ``r``, for
    the name of a rule the next state (goto). ``words`` is the terminal of each word and symbol.
    ``grammar`` is a hash of the grammar, ``end`` the state in which the whole text is accepted.
    """

    grammar: str
    words: dict[str, str]
    rules: tuple[Rule, ...]
    states: tuple[dict[str, int], ...]
    end: int


@lru_cache(maxsize=1)
def tables() -> Tables:
    """Return the tables of the current grammar."""
    grammar = grammar_file().read_bytes()
    stamp = _stamp(grammar)
    table_file = grammar_file().with_suffix(".json")
    if table_file.is_file():
        stored_tables = decode(table_file.read_bytes(), type=Tables)
        if stored_tables.grammar == stamp:
            return stored_tables
    return build(grammar.decode("utf-8"))


def _stamp(grammar: bytes) -> str:
    return blake2b(grammar.replace(b"\r\n", b"\n"), digest_size=16).hexdigest()


def build(grammar: str) -> Tables:
    """Build the tables with Lark; raises Lark's ``GrammarError`` for a grammar with a conflict."""
    from lark import Lark

    lark = Lark(grammar, parser="lalr", start="effect", keep_all_tokens=True, maybe_placeholders=False)
    table: Any = lark.parser.parser._parse_table
    lark_rules = _rules_of(table)
    number_of_rule = {rule: number for number, rule in enumerate(lark_rules)}
    new_number_of_state = _new_number_of_state(table)

    def encoded(argument: Any) -> int:
        """Return a number of ``Tables.states`` for Lark's rule to reduce by, or its state to go to."""
        is_rule = argument in number_of_rule
        return -1 - number_of_rule[argument] if is_rule else new_number_of_state[argument]

    states = tuple(
        {name: encoded(argument) for name, (_, argument) in sorted(table.states[state].items())}
        for state in new_number_of_state
    )
    fixed_terminals = (terminal for terminal in lark.terminals if terminal.pattern.type == "str")
    terminals = {terminal.pattern.value: terminal.name for terminal in fixed_terminals}
    # in the order of the grammar, in which messages list words
    ordered_words = sorted(terminals, key=lambda word: grammar.find(f'"{word}"'))
    return Tables(
        grammar=_stamp(grammar.encode("utf-8")),
        words={word: terminals[word] for word in ordered_words},
        rules=tuple(_rule(rule) for rule in lark_rules),
        states=states,
        end=new_number_of_state[table.end_states["effect"]],
    )


def _rules_of(table: Any) -> list[Any]:
    """Return Lark's rules in an order that is the same in each run.

    Of the actions in a state those that go to another state have its number, those that reduce have a rule.
    """
    arguments = {argument for actions in table.states.values() for _, argument in actions.values()}
    rules = (argument for argument in arguments if not isinstance(argument, int))
    return sorted(rules, key=lambda rule: (rule.origin.name, rule.order, str(rule.expansion)))


def _new_number_of_state(table: Any) -> dict[int, int]:
    """Return new numbers for Lark's states, in breadth-first order: Lark's own differ from run to run."""
    new_numbers = {table.start_states["effect"]: 0}
    queue = [*new_numbers]
    for state in queue:
        for _, (_, argument) in sorted(table.states[state].items(), key=lambda item: item[0]):
            if isinstance(argument, int) and argument not in new_numbers:
                new_numbers[argument] = len(new_numbers)
                queue.append(argument)
    return new_numbers


def _rule(rule: Any) -> Rule:
    """Return a rule of Lark: its length, the method that builds it, and whether parts of helpers spread into
    it."""
    name = str(rule.origin.name)
    build_name = None if _is_helper(name) else rule.alias or name
    spreads = any(_is_helper(str(symbol.name)) for symbol in rule.expansion)
    passes_one = bool(rule.options.expand1 and not rule.alias)
    return Rule(name, len(rule.expansion), build_name, passes_one, spreads)


def _is_helper(name: str) -> bool:
    return name.startswith("_")


def main() -> None:
    """Write the tables next to the grammar."""
    path = grammar_file()
    path.with_suffix(".json").write_bytes(encode(build(path.read_text(encoding="utf-8"))) + b"\n")


if __name__ == "__main__":
    main()


def terminals_by_word() -> dict[str, str]:
    """Return the terminal of each word or symbol, in the order of the grammar."""
    return tables().words


@lru_cache(maxsize=1)
def words_by_terminal() -> dict[str, str]:
    """Return the word or symbol of each terminal, in the order of the vocabulary, then of the grammar."""
    first = (*STATS, *COUNTERS, *FACTS, *(form for verb in VERBS for form in (verb.one, verb.many)))
    terminals = terminals_by_word()
    ordered = [
        *(word for word in first if word in terminals),
        *(word for word in terminals if word not in first),
    ]
    return {terminals[word]: word for word in ordered}


_PIECE = re.compile(
    r"""("[^"\n]*")                                                         # a name in quotes
      | ((?:[+\-]?[0-9]+)?[^\s0-9.,()"=!<>*+\-][^\s.,()"=!<>*+\-]*)         # a word, known or not
      | ([0-9]+)
      | (<=|>=|!=|\S)                                                       # a symbol
    """,
    re.VERBOSE,
)
_SORTS = (END, "STRING", "WORD", "INT", "STRAY")


class Token(str):
    """A word, number, symbol or name in quotes, with its terminal and its place in the effect's text."""

    __slots__ = ("place", "type")
    place: tuple[int, int]
    type: str


class ParserState(Struct, frozen=True):
    """The parser between two words: the states on its stack. Used to explain mistakes and to complete."""

    tables: Tables
    stack: tuple[int, ...]

    def after(self, terminal: str) -> ParserState | None:
        """Return the state after one more terminal, or None if the parser rejects it. Builds no values."""
        states, rules = self.tables.states, self.tables.rules
        stack = list(self.stack)
        while True:
            action = states[stack[-1]].get(terminal)
            if action is None:
                return None
            if action >= 0:
                return ParserState(self.tables, (*stack, action))
            rule = rules[-1 - action]
            if rule.length:
                del stack[-rule.length :]
            stack.append(states[stack[-1]][rule.origin])

    def accepts(self) -> tuple[str, ...]:
        """Return the terminals that may come next, except the end of the text."""
        # LALR tables may reduce by a rule although the terminal is rejected after it, so each one is tried
        actions_of_state = self.tables.states[self.stack[-1]]
        return tuple(name for name in actions_of_state if name.isupper() and name != END and self.after(name))


class Refused(Struct, frozen=True):
    """Where the parser stopped: the place of the rejected word, or the end of the text."""

    position: int
    state: ParserState


def lex(text: str, words: dict[str, str]) -> list[Token]:
    """Return the tokens of a text. A symbol that the language does not have is a ``STRAY``."""
    tokens = []
    for match in _PIECE.finditer(text):
        piece = match.group()
        token = Token(piece)
        token.type = words.get(piece) or _SORTS[match.lastindex or 0]
        token.place = match.span()
        tokens.append(token)
    return tokens


def _end_of(text: str) -> Token:
    token = Token()
    token.type = END
    token.place = (len(text), len(text))
    return token


class _Helper(list[Any]):
    """The parts of a helper rule (Lark makes one for ``sentence+``), spliced into the rule that uses it."""


Step = tuple[str, int, Callable[[list[Any]], Any] | None, bool]
"""A reduction: the rule's name, how many parts it takes, what builds its value (None if a single part is the
value), and whether helper rules may be among the parts."""

Row = dict[str, Any]
"""A state of the tables: the next row or the reduction for each terminal, and the next row for each rule."""


class Parser:
    """The parser: tables in which rows refer to each other directly, and a builder that makes the values."""

    def __init__(self, tables: Tables, builder: object) -> None:
        self._tables = tables
        self._rows: list[Row] = [{} for _ in tables.states]
        self._numbers = {id(row): number for number, row in enumerate(self._rows)}
        steps = [_step(rule, builder) for rule in tables.rules]
        for row, state in zip(self._rows, tables.states, strict=True):
            for name, action in state.items():
                row[name] = self._rows[action] if action >= 0 else steps[-1 - action]
        self._rows[tables.end][END] = {}  # the end of the text is accepted, and nothing follows

    def parse(self, text: str) -> Any | Refused:
        """Return the value that the builder makes of the whole text, or where the text is rejected.

        For each token the row of the current state has a ``Step`` to reduce by, the next row, or nothing.
        """
        row = self._rows[0]
        stack: list[Row] = [row]
        values: list[Any] = []
        for token in (*lex(text, self._tables.words), _end_of(text)):
            terminal = token.type
            while (action := row.get(terminal)).__class__ is tuple:
                origin, length, build, spreads = action
                if build is None:  # the value of its only part is that of the rule
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
        return values[-2]  # the last one is the token of the text's end

    def _refused(self, position: int, stack: list[Row]) -> Refused:
        return Refused(position, ParserState(self._tables, tuple(self._numbers[id(row)] for row in stack)))


def _step(rule: Rule, builder: object) -> Step:
    """Return what is done when a rule is reduced: what it becomes, of how many parts, and which method builds
    it."""
    if rule.build is None:
        return rule.origin, rule.length, _Helper, rule.spreads
    is_part = rule.passes_one or not hasattr(builder, rule.build)
    if is_part and rule.length == 1 and not rule.spreads:
        return rule.origin, 1, None, False
    return rule.origin, rule.length, getattr(builder, rule.build), rule.spreads


def _spread(parts: list[Any]) -> list[Any]:
    """Return the parts, with helper rules replaced by their parts."""
    return [
        value
        for built_part in parts
        for value in (built_part if built_part.__class__ is _Helper else (built_part,))
    ]
