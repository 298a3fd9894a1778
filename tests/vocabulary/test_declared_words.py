"""Every word of the vocabulary is declared in all places that need it."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from tests.vocabulary.declared_words import HalfDeclared, check_all_words, check_grammar
from toolkit.engine.compiled_rules import event_of
from toolkit.vocabulary import ACTIONS, FORMS, STATS, TRIGGERS, Action, Form, Stat, Trigger
from toolkit.wording.languages import LANGUAGES


def missing() -> str:
    with pytest.raises(HalfDeclared) as raised:
        check_all_words()
    return str(raised.value)


def test_every_word_is_declared_everywhere() -> None:
    check_grammar()
    check_all_words()


def test_a_verb_without_a_rule_of_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    form = Form("peeks", "Draws", "peeks {count} {card}", player=True, once=True, lasts=False)
    monkeypatch.setitem(FORMS, "peeks", form)
    with pytest.raises(HalfDeclared, match=r"The verb `peeks` has no rule \(grammar/effect.lark\)."):
        check_grammar()
    assert missing().startswith("The verb `peeks` is not read by grammar/effect.lark in `when played, owner")


def test_a_rule_of_the_grammar_without_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(FORMS, "draws")
    with pytest.raises(HalfDeclared, match=r"The rule `draws` has no row \(toolkit/vocabulary/verbs.py\)."):
        check_grammar()


def test_a_stat_without_a_place_in_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STATS, "ZP", Stat("ZP", "Recon points", "recon points", required=False))
    with pytest.raises(HalfDeclared, match=r"The stat `ZP` has no place \(grammar/effect.lark\)."):
        check_grammar()
    assert missing().startswith("The stat `ZP` is not read by grammar/effect.lark")


def test_an_action_without_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ACTIONS, "MOVE", Action("MOVE", "A-9", "moves"))
    assert missing() == "The word `MOVE` has no section A-9 (toolkit/help/reference/rules.md)."


def test_a_trigger_that_comes_about_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TRIGGERS, "scouted", Trigger("scouted", "scouted", event=True))
    assert missing() == "The trigger `scouted` has no place (toolkit/vocabulary/roles.py)."


@pytest.fixture
def german_without_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    german = LANGUAGES["de"]

    def sentence(said: Any) -> str:
        if "Draws" in repr(said):
            raise TypeError("there are no words for it")
        return german.sentence(said)

    monkeypatch.setitem(LANGUAGES, "de", replace(german, sentence=sentence))


@pytest.mark.usefixtures("german_without_draws")
def test_a_verb_without_german_wording() -> None:
    assert missing() == "The verb `draws` has no wording in German (toolkit/wording/de)."


def test_what_verbs_touch_after_an_attack_is_the_same_for_each_form_and_known() -> None:
    touches_by_node: dict[str, tuple[str, ...] | None] = {}
    events = {event_of(name) for name in TRIGGERS}
    for form in FORMS.values():
        assert touches_by_node.setdefault(form.node, form.touches) == form.touches, form.rule
        for touched in form.touches or ():
            assert touched in {"{what}", "{stat}", "OBJECTIVECOUNTER", "places", "GAME", *events}, form.rule
