"""A word that is declared in one place of the program and not in another is reported at the start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from toolkit.apps.cli import run
from toolkit.dsl.building import check_words as check_grammar
from toolkit.dsl.lalr import tables
from toolkit.project import declared_words
from toolkit.project.declared_words import check_all_words
from toolkit.resources import cards_folder
from toolkit.vocabulary import ACTIONS, FORMS, STATS, TRIGGERS, Action, Form, HalfDeclared, Stat, Trigger
from toolkit.wording.languages import LANGUAGES


def missing() -> str:
    with pytest.raises(HalfDeclared) as raised:
        check_all_words()
    return str(raised.value)


def test_every_word_is_declared_everywhere() -> None:
    check_all_words()


def test_a_verb_without_a_rule_of_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    form = Form("peeks", "Draws", "peeks {count} {card}", player=True, once=True, lasts=False)
    monkeypatch.setitem(FORMS, "peeks", form)
    with pytest.raises(HalfDeclared, match=r"The verb `peeks` has no rule \(grammar/effect.lark\)."):
        check_grammar(tables())
    assert missing().startswith("The verb `peeks` is not read by grammar/effect.lark in `when played, owner")


def test_a_rule_of_the_grammar_without_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(FORMS, "draws")
    with pytest.raises(HalfDeclared, match=r"The rule `draws` has no row \(toolkit/vocabulary/verbs.py\)."):
        check_grammar(tables())


def test_a_stat_without_a_place_in_the_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STATS, "ZP", Stat("ZP", "Recon points", "recon points", required=False))
    with pytest.raises(HalfDeclared, match=r"The stat `ZP` has no place \(grammar/effect.lark\)."):
        check_grammar(tables())
    assert missing().startswith("The stat `ZP` is not read by grammar/effect.lark")


def test_an_action_without_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ACTIONS, "MOVE", Action("MOVE", "A-9", "moves"))
    assert missing() == "The word `MOVE` has no section A-9 (toolkit/help/reference/rules.md)."


def test_a_trigger_that_comes_about_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TRIGGERS, "scouted", Trigger("scouted", "scouted", event=True))
    assert missing() == "The trigger `scouted` has no place (toolkit/vocabulary/roles.py)."


@pytest.fixture
def german_without_draws(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    german = LANGUAGES["de"]

    def sentence(said: Any) -> str:
        if "Draws" in repr(said):
            raise TypeError("there are no words for it")
        return german.sentence(said)

    monkeypatch.setitem(LANGUAGES, "de", replace(german, sentence=sentence))
    declared_words.check_words.cache_clear()
    yield
    declared_words.check_words.cache_clear()


@pytest.mark.usefixtures("german_without_draws")
def test_a_verb_without_german_wording() -> None:
    assert missing() == "The verb `draws` has no wording in German (toolkit/wording/de)."


@pytest.mark.usefixtures("german_without_draws")
def test_the_program_says_so_in_one_sentence_when_it_starts(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path))
    monkeypatch.delenv("OPFORGE_DEBUG", raising=False)
    for command in (["check"], ["test"]):
        assert run([*command, str(cards_folder())]) == 3
        shown = capsys.readouterr()
        assert shown.err == "The verb `draws` has no wording in German (toolkit/wording/de).\n"
        assert not shown.out


def test_what_is_whole_is_asked_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path))
    asked: list[int] = []
    monkeypatch.setattr(declared_words, "check_all_words", lambda: asked.append(1))
    for _ in range(3):
        declared_words.check_words.cache_clear()
        declared_words.check_words()
    assert len(asked) == 1
