"""The LALR(1) tables that Lark makes from ``grammar/effect.lark``, kept beside it so that no run builds them.

``python -m toolkit.dsl.tables`` writes ``grammar/effect.json`` anew. A grammar that has been edited since is
built by Lark in memory, so nothing goes wrong when that was forgotten; a test says so.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec import Struct

from toolkit.resources import grammar_file
from toolkit.source.digests import blake2b

END = "$END"


class Rule(NamedTuple):
    """A rule of the grammar.

    ``origin`` is its name, ``length`` how many parts it takes from the stack, ``build`` the ``Builder``
    method that makes its value; none for a helper rule, whose parts go into the rule above. ``passes_one``:
    a single part is the value itself. ``spreads``: parts of a helper rule may be among its parts.
    """

    origin: str
    length: int
    build: str | None
    passes_one: bool
    spreads: bool


class Tables(Struct, frozen=True):
    """What the parser does in each state.

    ``states[s][x]``: for a terminal ``x`` the next state, or ``-1 - r`` to reduce by rule ``r``; for the name
    of a rule the state behind it. ``words`` gives the terminal of each word and sign of the language. State
    0 is the beginning.
    """

    grammar: str
    words: dict[str, str]
    rules: tuple[Rule, ...]
    states: tuple[dict[str, int], ...]
    end: int


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The tables of the grammar as it stands."""
    grammar = grammar_file().read_bytes()
    stamp = _stamp(grammar)
    kept = grammar_file().with_suffix(".json")
    if kept.is_file():
        data = json.loads(kept.read_bytes())
        if data["grammar"] == stamp:
            return Tables(
                stamp,
                data["words"],
                tuple(Rule(*rule) for rule in data["rules"]),
                tuple(data["states"]),
                data["end"],
            )
    return build(grammar.decode("utf-8"))


def _stamp(grammar: bytes) -> str:
    return blake2b(grammar.replace(b"\r\n", b"\n"), digest_size=16).hexdigest()


def build(grammar: str) -> Tables:
    """The tables as Lark makes them; raises Lark's ``GrammarError`` for a grammar with a conflict."""
    from lark import Lark

    lark = Lark(grammar, parser="lalr", start="effect", keep_all_tokens=True, maybe_placeholders=False)
    table: Any = lark.parser.parser._parse_table
    lark_rules = sorted(
        {
            argument
            for actions in table.states.values()
            for _, argument in actions.values()
            if not isinstance(argument, int)
        },
        key=lambda rule: (rule.origin.name, rule.order, str(rule.expansion)),
    )
    number_of = {rule: number for number, rule in enumerate(lark_rules)}
    order = _order(table)
    states = tuple(
        {
            name: -1 - number_of[argument] if argument in number_of else order[argument]
            for name, (_, argument) in sorted(table.states[state].items())
        }
        for state in order
    )
    words = {t.pattern.value: t.name for t in lark.terminals if t.pattern.type == "str"}
    return Tables(
        _stamp(grammar.encode("utf-8")),
        {word: words[word] for word in sorted(words, key=lambda word: grammar.find(f'"{word}"'))},
        tuple(_rule(rule) for rule in lark_rules),
        states,
        order[table.end_states["effect"]],
    )


def _order(table: Any) -> dict[int, int]:
    """New numbers for Lark's states, in the order in which they are met, so that they are always the same."""
    order = {table.start_states["effect"]: 0}
    queue = [*order]
    for state in queue:
        for _, (_, argument) in sorted(table.states[state].items(), key=lambda item: item[0]):
            if isinstance(argument, int) and argument not in order:
                order[argument] = len(order)
                queue.append(argument)
    return order


def _rule(rule: Any) -> Rule:
    name = str(rule.origin.name)
    build_name = None if _is_helper(name) else rule.alias or name
    spreads = any(_is_helper(str(part.name)) for part in rule.expansion)
    passes_one = bool(rule.options.expand1 and not rule.alias)
    return Rule(name, len(rule.expansion), build_name, passes_one, spreads)


def _is_helper(name: str) -> bool:
    return name.startswith("_")


def main() -> None:
    """Write the tables beside the grammar."""
    path = grammar_file()
    made = build(path.read_text(encoding="utf-8"))
    data = {
        "grammar": made.grammar,
        "words": made.words,
        "end": made.end,
        "rules": made.rules,
        "states": made.states,
    }
    path.with_suffix(".json").write_text(json.dumps(data, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
