"""Rules text: what an effect or a whole card says in print, in any language."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.dsl.tree import Effect, walk
from toolkit.vocabulary import FORMS, Role
from toolkit.wording.canonical import Block, blocks
from toolkit.wording.language import Keyword, Language, Reminder
from toolkit.wording.languages import UnknownLanguage, find_language
from toolkit.wording.plan import plan, plan_condition
from toolkit.wording.text import Names, Paragraph, Run, named, runs

_BY_NODE: dict[type, str | None] = {
    **{getattr(tree, form.node): form.keyword for form in FORMS.values()},
    tree.AttackIsCritical: "CRITICAL",
}


def keywords(block: Block) -> tuple[Keyword, ...]:
    """The keywords of one printed sentence, in the order of its words, each once."""
    parts = (block.when, block.condition, *block.clauses)
    found = [_keyword(node) for part in parts if part is not None for node in walk(part)]
    return tuple(dict.fromkeys(keyword for keyword in found if keyword))


def _keyword(node: object) -> Keyword | None:
    if isinstance(node, (tree.HasStatus, tree.StatusFilter)):
        return "SUPPRESSED" if node.status.text == "SUPPRESSED" else None
    if isinstance(node, tree.When):
        return "CRITICAL" if node.name == "critical" else None
    return _BY_NODE.get(type(node))


class KeywordRules(Struct, frozen=True):
    """What of the ruleset its keywords are explained from: the effect SUPPRESSION, and the stacking (N-3)."""

    suppression: tree.Effect | None = None
    stepwise: bool = False


def explain(keyword: Keyword, effects: Iterable[tree.Effect], rules: KeywordRules) -> Reminder:
    """What is to be explained about a keyword on a card with these effects."""
    if keyword == "SUPPRESSED" and rules.suppression is not None:
        return Reminder(keyword, condition=plan_condition(rules.suppression, Role.SUPPRESSION))
    if keyword == "CRITICAL":
        return Reminder(keyword, stepwise=rules.stepwise)
    nodes = [node for effect in effects for node in walk(effect) if _keyword(node) == keyword]
    thresholds = {node.threshold for node in nodes if hasattr(node, "threshold")}
    actions = {node.action for node in nodes if hasattr(node, "action")}
    threshold = thresholds.pop() if len(thresholds) == 1 else None
    return Reminder(keyword, threshold, actions.pop() if len(actions) == 1 else None)


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
