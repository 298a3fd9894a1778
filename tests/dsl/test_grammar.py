"""The grammar itself: no conflict, no collision, and no word that the registry does not know."""

from __future__ import annotations

from lark import Lark

from toolkit.dsl.building import Builder
from toolkit.dsl.grammar import parser, terminals_by_word
from toolkit.resources import grammar_file
from toolkit.vocabulary import ACTIONS, COUNTERS, FACTS, STATS, STATUSES, TRIGGERS, VERBS


def test_lark_accepts_it_in_strict_mode() -> None:
    strict = Lark(grammar_file().read_text(encoding="utf-8"), parser="lalr", start="effect", strict=True)
    assert strict.parse("self gets +1 AP.").data == "effect"


def test_every_rule_is_built() -> None:
    for rule in parser().rules:
        name = rule.alias or str(rule.origin.name)
        if not name.startswith("_") and not (rule.options.expand1 and len(rule.expansion) == 1):
            assert hasattr(Builder, name), name


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
