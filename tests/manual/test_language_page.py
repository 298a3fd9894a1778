"""The language reference: made anew it is what is kept, and it shows every construct of the language."""

from __future__ import annotations

import re
from typing import Any

import pytest
from lark import Lark

from tests.help_pages.examples import GROUPS, TEAMS, TRAITS, WHEN, Example
from tests.help_pages.page import BrokenExample, language_page, parsed
from tests.help_pages.subjects import FOLDER, sentences_of, subject_page
from toolkit.diagnostics.help_pages import other_page, sections
from toolkit.dsl.lalr import END, lex, tables
from toolkit.resources import grammar_file
from toolkit.vocabulary import TRIGGERS, VERBS, Role
from toolkit.vocabulary.rule_ids import RULES

NEVER_SENSIBLE = {"with_quantity: MINUS", "side: ANY"}
"""Can be written: no number is below 0, and `any` is written by nobody since it may be left out."""


def test_the_page_is_made_anew() -> None:
    assert other_page("language") == language_page(), "run python -m tests.help_pages"


def test_each_subject_has_a_page_of_a_screen() -> None:
    pages = {page.stem: page.read_text(encoding="utf-8") for page in FOLDER.glob("*.md")}
    assert set(pages) == {"who", "when", "if", "numbers", "dice", "cards", "places", "time"}
    for subject, page in pages.items():
        assert other_page(subject) == page == subject_page(page), "run python -m tests.help_pages"
        assert len(sentences_of(page)) >= 8
        assert len(page.splitlines()) <= 45
        assert max(map(len, page.splitlines())) <= 120


def test_a_sentence_that_is_possible_nowhere_is_not_printed() -> None:
    with pytest.raises(BrokenExample):
        subject_page("# Who\n\n```text\nself gets +2 APP.\n```\n")


def grammar_words() -> list[set[str]]:
    """For each rule of the tables its words and parts, with the name of what they belong to.

    A rule with parts that may be left out is many rules of the tables; each part must be shown somewhere, and
    not each choice of them.
    """
    text = grammar_file().read_text(encoding="utf-8")
    lark = Lark(text, parser="lalr", start="effect", keep_all_tokens=True, maybe_placeholders=False)
    table: Any = lark.parser.parser._parse_table
    arguments = {argument for actions in table.states.values() for _, argument in actions.values()}
    rules = [argument for argument in arguments if not isinstance(argument, int)]
    rules.sort(key=lambda rule: (rule.origin.name, rule.order, str(rule.expansion)))
    spellings = {verb.many.split()[0] for verb in VERBS} | {"be", "have"}
    return [
        {
            f"{rule.alias or rule.origin.name}: {symbol.name}"
            for symbol in rule.expansion
            if rule.origin.name not in spellings and not symbol.name.startswith("__")
        }
        for rule in rules
    ]


def used(text: str) -> set[int]:
    """The rules that a text is reduced by."""
    states, rules = tables().states, tables().rules
    stack, found = [0], set()
    for token in (*lex(text, tables().words), None):
        terminal = token.type if token is not None else END
        while (action := states[stack[-1]][terminal]) < 0:
            rule = rules[-1 - action]
            found.add(-1 - action)
            del stack[-rule.length :]
            stack.append(states[stack[-1]][rule.origin])
            if stack[-1] == tables().end and token is None:
                return found
        stack.append(action)
    return found


def test_every_rule_of_the_grammar_has_an_example() -> None:
    words = grammar_words()
    assert len(words) == len(tables().rules)
    shown = {number for group in GROUPS.values() for one in group for number in used(one.effect)}
    assert set().union(*words) - set().union(*(words[number] for number in shown)) == NEVER_SENSIBLE


def test_every_trigger_and_verb_of_the_registry_is_shown() -> None:
    assert set(WHEN) == set(TRIGGERS)
    assert {verb.one for verb in VERBS} <= set(GROUPS)
    for name, example in WHEN.items():
        tree = parsed(example)
        assert tree.sentences[0].when is not None
        assert tree.sentences[0].when.name == name
    assert {verb.one for verb in VERBS} <= set(sections())


def test_every_place_is_shown() -> None:
    shown = {one.role for group in GROUPS.values() for one in group}
    assert set(Role) - shown <= {role for role in Role if role.value.startswith("action")} | {
        Role.TEAMWORK,
        Role.SUPPRESSION,
    }


@pytest.mark.parametrize("wrong", ["self gets +2 APP.", "when played, target gets +1 HITCOUNTER."])
def test_a_wrong_example_is_not_printed(wrong: str) -> None:
    with pytest.raises(BrokenExample):
        parsed(Example(Role.EFFECT, wrong))


def test_both_languages_stand_under_every_example() -> None:
    number = sum(len(group) for group in GROUPS.values())
    page = language_page()
    assert page.count("    English: ") == page.count("    Deutsch: ") == number
    assert not re.search(r"Deutsch: .*\\b(OPERATORs|the|attack)\\b", page)
    assert set(TEAMS) == {"night-owls"}
    assert TRAITS["sniper"]["de"] in page


def test_a_section_is_shown_alone() -> None:
    assert sections()["draws"].startswith("### draws\n")
    assert "### discards" not in sections()["draws"]
    assert "### gets" in sections()["DOES"]


def test_every_rule_has_a_section() -> None:
    for rule, title in RULES.items():
        heading = sections()[rule].partition("\n")[0].removeprefix(f"### {rule} ")
        assert heading == title[:1].upper() + title[1:]
        assert len(sections()[rule].splitlines()) > 1
