"""The printed rules text of an effect or a whole card, in any language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from toolkit.dsl import tree
from toolkit.dsl.tree import Effect, walk
from toolkit.vocabulary import FORMS, Role
from toolkit.wording.language import Keyword, Language, Reminder, keyword_of
from toolkit.wording.languages import LANGUAGES
from toolkit.wording.normalise import Block, blocks
from toolkit.wording.plan import plan, plan_condition
from toolkit.wording.text import ByLanguage, Names, Paragraph, Run, mark, named, runs

_BY_NODE: dict[type, str | None] = {
    **{getattr(tree, form.node): form.keyword for form in FORMS.values()},
    tree.AttackIsCritical: "CRITICAL",
    tree.Advances: "advances",
    tree.Damage: "DAMAGE",
}
_BY_TRIGGER = {"critical": "CRITICAL", "would-become-hit": "would become HIT"}


def keywords(block: Block) -> tuple[Keyword, ...]:
    """Return the keywords of one printed sentence, in the order of its words, each once."""
    block_nodes = (block.when, block.condition, *block.clauses)
    nodes = (node for block_node in block_nodes if block_node is not None for node in walk(block_node))
    node_keywords = map(_keyword_of_node, nodes)
    return tuple(dict.fromkeys(keyword for keyword in node_keywords if keyword))


def _keyword_of_node(node: object) -> Keyword | None:
    """Return the keyword that a part of an effect prints and that a reminder can explain."""
    if isinstance(node, tree.Marker):
        return node.text
    if isinstance(node, tree.GainsKeyword):
        return keyword_of(node.keyword.text)
    if isinstance(node, tree.Bearing | tree.Bears) and node.what == "KEYWORD" and node.name:
        return keyword_of(node.name.text)
    if isinstance(node, (tree.HasStatus, tree.StatusFilter)):
        other_statuses = node.others if isinstance(node, tree.StatusFilter) else ()
        return "SUPPRESSED" if tree.Word("SUPPRESSED") in (node.status, *other_statuses) else None
    if isinstance(node, tree.When):
        *_, outcome = node.name.split("-")  # `critical` in `attack-by-critical`
        return _BY_TRIGGER.get(outcome) or _BY_TRIGGER.get(node.name)
    if isinstance(node, tree.One):
        if node.group.superlative is None or node.random:
            return None
        return "highest by opponent" if node.chooser == "opponent" else "highest"
    if isinstance(node, (tree.Gets, tree.Multiplies, tree.Divides, tree.Fixes, tree.Limits)):
        changed_number = node.what if isinstance(node, tree.Gets) else node.stat
        return "DAMAGE" if changed_number.text == "DAMAGE" else None
    return _BY_NODE.get(type(node))


class OwnKeyword(Struct, frozen=True):
    """A KEYWORD of the project: its effect, texts that explain it instead, and texts printed after it."""

    effect: tree.Effect | None = None
    reminder: ByLanguage = field(default_factory=dict)
    text_only: ByLanguage = field(default_factory=dict)


class KeywordRules(Struct, frozen=True):
    """What the explanations of keywords depend on in a project.

    These are the ruleset's SUPPRESSION, stacking (N-3) and rounding (N-4), and the project's own KEYWORDs and
    the reminders of its MARKERs, both by id.
    """

    suppression: tree.Effect | None = None
    stepwise: bool = False
    keywords: Mapping[str, OwnKeyword] = field(default_factory=dict)
    markers: Mapping[str, ByLanguage] = field(default_factory=dict)
    rounding: str = "down"


def reminder_for(keyword: Keyword, effects: Iterable[tree.Effect], rules: KeywordRules) -> Reminder:
    """Return the explanation of a keyword on a card with these effects.

    It names the threshold or ACTION that they have; without one, or with different ones, it speaks of any.
    """
    if keyword == "SUPPRESSED" and rules.suppression is not None:
        return Reminder(keyword, condition=plan_condition(rules.suppression, Role.SUPPRESSION))
    if keyword == "CRITICAL":
        return Reminder(keyword, stepwise=rules.stepwise)
    nodes = [node for effect in effects for node in walk(effect) if _keyword_of_node(node) == keyword]
    return Reminder(keyword, _only_value(nodes, "threshold"), _only_value(nodes, "action"))


def _only_value(nodes: Iterable[object], field: str) -> Any:
    """Return the value of a field that all nodes with such a field share, or None."""
    values = {getattr(node, field) for node in nodes if hasattr(node, field)}
    return values.pop() if len(values) == 1 else None


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
    effect: Effect,
    role: Role,
    lang: str,
    names: Names | None = None,
    rounding: str = "down",
    short: bool = False,
) -> tuple[Paragraph, ...] | None:
    """Return the rules text of one effect, a paragraph for each printed sentence, without reminders.

    ``rounding`` is how the ruleset rounds what is counted in parts (N-4). A ``short`` text leaves out what
    the kind of card says, in a language that can.

    None in a language without generated rules text. The text shows everything that the effect does: two
    effects have the same text only if they mean the same in one of the ways that ``normalise.py`` lists.
    """
    language, names = LANGUAGES.get(lang), names or Names()
    if language is None:
        return None
    plans = plan(effect, role, rounding, short and language.has_short_texts)
    return tuple(runs(language.sentence(sentence), names, lang) for sentence in plans)


def card_rules(
    effects: Iterable[CardEffect],
    lang: str,
    names: Names | None = None,
    keyword_rules: KeywordRules | None = None,
    operator_keywords: Iterable[str] = (),
    short: bool = False,
) -> tuple[CardRules, ...] | None:
    """Return the rules text of all effects of a card, with each keyword explained at its first use.

    None in a language without generated rules text. A reminder is a run of kind ``reminder`` at the end of
    its paragraph, with the space before it: a face without room for it leaves it out, and nothing else
    changes. ``operator_keywords`` are the KEYWORDs of an OPERATOR, which ``keyword_line`` explains; ``short``
    is as for ``rules_text``.
    """
    language = LANGUAGES.get(lang)
    if language is None:
        return None
    effects = tuple(effects)
    names = names or Names()
    keyword_rules = keyword_rules or KeywordRules()
    rules = []
    explained = {*map(keyword_of, operator_keywords)}
    for card_effect in effects:
        paragraphs = []
        effect, role = card_effect.effect, card_effect.role
        plans = plan(effect, role, keyword_rules.rounding, short and language.has_short_texts)
        for block, sentence in zip(blocks(effect, role), plans, strict=True):
            new_keywords = [keyword for keyword in keywords(block) if keyword not in explained]
            explained.update(new_keywords)
            paragraph = [*runs(language.sentence(sentence), names, lang)]
            for keyword in new_keywords:
                paragraph += _reminder_runs(keyword, effects, language, names, keyword_rules)
            paragraphs.append(tuple(paragraph))
        rules.append(CardRules(card_effect.name, tuple(paragraphs)))
    return tuple(rules)


def keyword_line(
    operator_keywords: Sequence[str], lang: str, names: Names, keyword_rules: KeywordRules
) -> Paragraph:
    """Return the KEYWORDs of an OPERATOR, given by id, with reminders: "Steadfast (When …), Swift (When …)".

    In a language without generated rules text there are only hand-written reminders.
    """
    line: list[Run] = []
    for name in operator_keywords:
        line += [Run("text", ", ")] if line else []
        line += runs(mark("KEYWORD", name), names, lang)
        _, text = own_word(keyword_of(name), lang, names, keyword_rules)
        line += [Run("reminder", f" ({text})")] if text else []
    return tuple(line)


def own_word(keyword: Keyword, lang: str, names: Names, rules: KeywordRules) -> tuple[str, str]:
    """Return the printed name of a KEYWORD or MARKER of the project, and its explanation or an empty text.

    A KEYWORD is explained by its own reminder, else by the text that is generated of its effect.
    """
    sort, name = keyword.removesuffix('"').split(' "')  # `KEYWORD "steadfast"`
    if sort == "MARKER":
        return names.name("MARKER", name, lang), rules.markers.get(name, {}).get(lang, "")
    own_keyword = rules.keywords.get(name, OwnKeyword())
    if lang not in own_keyword.reminder and own_keyword.effect is not None and lang in LANGUAGES:
        sentences = map(LANGUAGES[lang].sentence, plan(own_keyword.effect, Role.KEYWORD, rules.rounding))
        texts = [named(sentence, names, lang) for sentence in sentences]
    else:
        texts = [own_keyword.reminder.get(lang, "")]
    explanation = " ".join(filter(None, (*texts, own_keyword.text_only.get(lang, ""))))
    return names.name("KEYWORD", name, lang), explanation


def _reminder_runs(
    keyword: Keyword,
    effects: tuple[CardEffect, ...],
    language: Language,
    names: Names,
    rules: KeywordRules,
) -> Iterator[Run]:
    """Yield the explanation of a keyword in parentheses; none for one of the project without a text."""
    if '"' in keyword:
        title, text = own_word(keyword, language.code, names, rules)
        if text:
            yield Run("reminder", f" ({title}: {text})")
    else:
        reminder = reminder_for(keyword, (card_effect.effect for card_effect in effects), rules)
        yield Run("reminder", " " + named(language.reminder(reminder), Names(), language.code))
