"""Rules text: what an effect or a whole card says in print, in any language."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from toolkit.dsl.tree import Effect
from toolkit.vocabulary import Role
from toolkit.wording.canonical import blocks
from toolkit.wording.keywords import KeywordRules, explain, keywords
from toolkit.wording.language import Keyword, Language
from toolkit.wording.languages import UnknownLanguage, find_language
from toolkit.wording.marks import named, runs
from toolkit.wording.names import Names
from toolkit.wording.plan import plan
from toolkit.wording.text import Paragraph, Run


class CardEffect(Struct, frozen=True):
    """An effect of a card; ``name`` is the printed name of the SKILL, empty for other cards."""

    name: str
    effect: Effect
    role: Role


class CardRules(Struct, frozen=True):
    """The rules text of one effect of a card."""

    name: str
    paragraphs: tuple[Paragraph, ...]


def rules_text(
    effect: Effect, role: Role, lang: str, names: Names | None = None
) -> tuple[Paragraph, ...] | UnknownLanguage:
    """The rules text of one effect, a paragraph for each printed sentence, without reminders.

    It shows everything that the effect says: two effects have the same text only if they mean the same in
    one of the ways that ``canonical.py`` lists.
    """
    language = find_language(lang)
    if isinstance(language, UnknownLanguage):
        return language
    return tuple(runs(language.sentence(sentence), names or Names(), lang) for sentence in plan(effect, role))


def card_rules(
    effects: Iterable[CardEffect],
    lang: str,
    names: Names | None = None,
    keyword_rules: KeywordRules | None = None,
) -> tuple[CardRules, ...] | UnknownLanguage:
    """The rules text of all effects of a card, each keyword explained where it comes first.

    A reminder is a run of kind ``reminder`` at the end of its paragraph, with the space before it: a face
    that has no room leaves it out and nothing else changes.
    """
    language = find_language(lang)
    if isinstance(language, UnknownLanguage):
        return language
    effects, known, explained = tuple(effects), names or Names(), set[Keyword]()
    rules = []
    for item in effects:
        paragraphs = []
        for block, sentence in zip(blocks(item.effect, item.role), plan(item.effect, item.role), strict=True):
            fresh = [keyword for keyword in keywords(block) if keyword not in explained]
            explained.update(fresh)
            reminded = tuple(_remind(keyword, effects, language, keyword_rules) for keyword in fresh)
            paragraphs.append((*runs(language.sentence(sentence), known, lang), *reminded))
        rules.append(CardRules(item.name, tuple(paragraphs)))
    return tuple(rules)


def _remind(
    keyword: Keyword, effects: tuple[CardEffect, ...], language: Language, rules: KeywordRules | None
) -> Run:
    reminder = explain(keyword, (item.effect for item in effects), rules or KeywordRules())
    return Run("reminder", " " + named(language.reminder(reminder), Names(), language.code))
