"""The grammar itself: no conflict, no collision, and no word that the registry does not know."""

from __future__ import annotations

from functools import cache

from hypothesis import given
from hypothesis import strategies as st
from lark import Lark, Token, UnexpectedInput

from tests.dsl_trees import effects
from tests.thoroughness import examples
from toolkit.dsl import tree
from toolkit.dsl.building import Builder
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.lalr import Parser, Refused, build, tables, terminals_by_word
from toolkit.resources import grammar_file
from toolkit.vocabulary import ACTIONS, COUNTERS, FACTS, STATS, STATUSES, TRIGGERS, VERBS

GRAMMAR = grammar_file().read_text(encoding="utf-8")


class AlwaysWords:
    """Lets Lark's lexer meet a wrong word anywhere, so that `whenattacking` is one word and not two."""

    always_accept = ("WORD",)

    def process(self, stream):
        return stream


@cache
def in_lark() -> Lark:
    """The same grammar in Lark itself, in strict mode, which refuses every conflict and collision."""
    return Lark(
        GRAMMAR,
        parser="lalr",
        lexer="contextual",
        start="effect",
        strict=True,
        postlex=AlwaysWords(),
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


def test_the_kept_tables_are_those_of_the_grammar() -> None:
    assert tables() == build(GRAMMAR), "run python -m toolkit.dsl.lalr"


class Leaves:
    """Builds nothing but the row of tokens."""

    def __getattr__(self, name: str):
        def build(parts):
            return [leaf for part in parts for leaf in (part if isinstance(part, list) else [part])]

        return build


def lark_leaves(text: str) -> list[tuple[str, str, int | None]] | None:
    try:
        found = in_lark().parse(text).scan_values(lambda value: isinstance(value, Token))
        return [(token.type, str(token), token.start_pos) for token in found]
    except UnexpectedInput:
        return None


@cache
def ours() -> Parser:
    return Parser(tables(), Leaves())


def our_leaves(text: str) -> list[tuple[str, str, int | None]] | None:
    found = ours().parse(text)
    if isinstance(found, Refused):
        return None
    return [(token.type, str(token), token.place[0]) for token in found]


@given(effects())
@examples(200)
def test_our_parser_reads_what_lark_reads(effect: tree.Effect) -> None:
    text = print_effect(effect)
    assert our_leaves(text) == lark_leaves(text) is not None


@given(
    st.lists(st.sampled_from([*terminals_by_word(), "3", '"sniper"', "APP", "+1AP", "#", "!"]), max_size=12)
)
@examples(400)
def test_our_parser_refuses_what_lark_refuses(row: list[str]) -> None:
    text = " ".join(row)
    assert our_leaves(text) == lark_leaves(text)


def test_every_rule_is_built() -> None:
    for rule in tables().rules:
        if rule.build and rule.length > 1:
            assert hasattr(Builder, rule.build), rule


def test_the_registry_and_the_grammar_know_the_same_words() -> None:
    registry = {
        word
        for words in (
            *STATS,
            *COUNTERS,
            *FACTS,
            *STATUSES,
            *ACTIONS,
            *(trigger.words for trigger in TRIGGERS.values()),
            *(form for verb in VERBS for form in (verb.one, verb.many)),
        )
        for word in words.split()
    }
    assert registry <= set(terminals_by_word())
