"""house-rule and house-advice: cards that break a rule of the project; broken-house-rule: one without sense.

The rules stand under ``house_rules`` in opforge.yaml, in a long form and in short ones such as
``max_text_words: 40``. This module is loaded only for projects that have some.

The wording is imported only for rules that ask for it: it takes 8 ms of a check.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, cast

from msgspec import Struct

from toolkit.data.effect_sources import card_sources
from toolkit.data.model import Card, CardSet, Objective, Project, rules_span
from toolkit.data.schema import KINDS
from toolkit.data.yaml import nodes
from toolkit.data.yaml.nodes import Node, Scalar
from toolkit.diagnostics import Diagnostic, Fix, Label
from toolkit.dsl import tree
from toolkit.dsl.house_rules import NAMES, Rule, holds, names_in, parse_rule
from toolkit.lint.context import RunCache
from toolkit.source import ScalarText, Span
from toolkit.vocabulary import STATS
from toolkit.wording.text import Names
from toolkit.wording.text import names_in as names_of

ALL_KINDS = (*KINDS, "objective")
_OPERATOR_ONLY = frozenset((*map(str.lower, STATS), "squadpoints", "skills"))
_LIMITS = {"max_": "<=", "min_": ">="}


class HouseRule(Struct, frozen=True):
    """A rule of the project.

    ``words`` are how messages quote it, ``kinds`` the kinds of card that it is for, ``place`` is where it
    stands, ``message`` what its author wants to be reported.
    """

    expression: Rule
    words: str
    kinds: frozenset[str]
    place: Span
    name: str = ""
    message: str = ""
    warns: bool = False

    @property
    def names(self) -> list[str]:
        """The numbers that it names, each once, in order."""
        return list(dict.fromkeys(named.text for named in names_in(self.expression)))


def read_rules(project: Project) -> tuple[list[HouseRule], list[Diagnostic]]:
    """Return the rules that can be read, and findings about the others, without those of the schema."""
    listed = project.node.nodes.get("house_rules") if project.node else None
    rules: list[HouseRule] = []
    findings: list[Diagnostic] = []
    for item in listed.items if isinstance(listed, nodes.Sequence) else ():
        for read in _read(item, project.languages):
            if isinstance(read, HouseRule):
                rules.append(read)
            else:
                findings.append(read)
    return rules, findings


def _read(item: Node, languages: tuple[str, ...]) -> Iterator[HouseRule | Diagnostic]:
    """Yield the rules of one item: an expression, or a mapping with a ``rule`` and limits."""
    if isinstance(item, Scalar):
        if isinstance(item.value, str):
            yield _expression_rule(item, {}, languages)
    elif isinstance(item, nodes.Mapping):
        has_rule = "fair_power" in item.nodes  # checked where attacks can be played
        for key, node in item.nodes.items():
            if key == "rule" and isinstance(node, Scalar) and isinstance(node.value, str):
                has_rule = True
                yield _expression_rule(node, item.nodes, languages)
            elif _is_limit(key) and isinstance(node, Scalar) and type(node.value) is int:
                has_rule = True
                compare, name = _LIMITS[key[:4]], cast(Any, tree.Word(key[4:]))
                limit = tree.Comparison(name, compare, tree.Constant(node.value))
                words, span = f"{key}: {node.value}", item.keys[key].span
                yield _rule(limit, words, span, item.nodes, languages)
        # the schema reports a `rule` or limit of another type, and keys that do not exist
        if not has_rule and item.nodes.keys() <= {"name", "kinds", "level", "message"}:
            yield Diagnostic(
                "broken-house-rule",
                "This house rule has no `rule`.",
                item.span,
                "Add `rule: ap + ep <= 12`, or a limit such as `max_text_words: 40`.",
            )


def _is_limit(key: str) -> bool:
    return key[:4] in _LIMITS and key[4:] in NAMES  # `max_text_words: 40`


def _expression_rule(
    scalar: Scalar, item: dict[str, Node], languages: tuple[str, ...]
) -> HouseRule | Diagnostic:
    """A rule in the language of house rules."""
    text = scalar.as_text()
    read = parse_rule(text.value)
    if isinstance(read, tree.Problem):
        span = text.locate(*read.place)
        fix = Fix(span, read.fix, read.safe) if read.fix is not None else None
        return Diagnostic(read.name, read.message, span, read.next_step, fix=fix)
    words = text.value.strip()
    return _rule(read, words, scalar.span, item, languages, text)


def _rule(
    expression: Rule,
    words: str,
    rule_span: Span,
    item: dict[str, Node],
    languages: tuple[str, ...],
    text: ScalarText | None = None,
) -> HouseRule | Diagnostic:
    """The rule, or a finding where one of its ``kinds`` has no such number."""
    names = names_in(expression)
    kinds = {kind for kind in ALL_KINDS if all(_has(kind, named.text) for named in names)}
    listed = item.get("kinds")
    if isinstance(listed, nodes.Sequence):
        chosen = [kind_node.text for kind_node in listed.items if isinstance(kind_node, Scalar)]
        for named in names:
            for kind in chosen:
                if kind in ALL_KINDS and not _has(kind, named.text):
                    title = f"A{'n' if kind[0] in 'aeio' else ''} {kind.upper()}"
                    title += "" if kind in ("operator", "objective") else " card"
                    message = f"{title} has no number `{named.text}`."
                    step = "Remove this kind from `kinds`, or use another number."
                    name_span = text.locate(*named.place) if text else rule_span
                    return Diagnostic("broken-house-rule", message, name_span, step)
        kinds &= set(chosen)
    name, message = _word(item, "name"), _author_message(item, languages)
    warns = _word(item, "level") == "warning"
    return HouseRule(expression, words, frozenset(kinds), rule_span, name, message, warns)


def _has(kind: str, name: str) -> bool:
    if name in _OPERATOR_ONLY:
        return kind == "operator"
    if name == "value":
        return kind == "objective"
    return name != "text_words" or kind != "objective"


def _word(item: dict[str, Node], key: str) -> str:
    node = item.get(key)
    return node.text if isinstance(node, Scalar) else ""


def _author_message(item: dict[str, Node], languages: tuple[str, ...]) -> str:
    """Return the author's message, in English where there is a choice: all other messages are English."""
    node = item.get("message")
    if not isinstance(node, nodes.Mapping):
        return _word(item, "message")
    texts = {key: text_node.text for key, text_node in node.nodes.items() if isinstance(text_node, Scalar)}
    return next((texts[language] for language in ("en", *languages) if language in texts), "")


# the rules held against the cards

BY_LANGUAGE = ("text_words", "name_length")
"""Numbers that a card has in each language."""


def check(
    cards: CardSet, effects: Mapping[tuple[str, str], tree.Effect], cache: RunCache
) -> Iterator[Diagnostic]:
    """What is wrong with the rules, then every card that breaks one, at the number that the rule names first.

    ``effects`` are trees without errors; a card with another effect has no rules text yet.
    """
    rules, findings = read_rules(cards.project)
    yield from findings
    names = names_of(cards)
    names_key = repr(names)
    for rule in rules:
        for card in cards.printed_entries():
            kind = card.kind if isinstance(card, Card) else "objective"
            if kind in rule.kinds:
                yield from _broken(rule, _Measurement(card, cards, effects, names, names_key, cache))


class _Measurement(Struct, frozen=True):
    """The numbers of one card; ``names_key`` is equal for the same names of TEAMs and traits."""

    card: Card | Objective
    cards: CardSet
    effects: Mapping[tuple[str, str], tree.Effect]
    names: Names
    names_key: str
    cache: RunCache

    def number(self, name: str, language: str) -> int:
        """Return a number of the card, in the language where it depends on that."""
        card = self.card
        if name == "name_length":
            return len(card.name.in_language(language).value)
        if name == "text_words":
            return self._text_words(language)
        if name == "skills":
            return len(card.skills) if isinstance(card, Card) else 0
        return card.number(name) if isinstance(card, Card) else int(getattr(card, name))

    def _text_words(self, language: str) -> int:
        card, effects = self.card, self.effects
        if not isinstance(card, Card):
            return 0
        trees = [effects.get((card.id, source.part)) for source in card_sources(card)]
        count = partial(rules_words, card, self.names, effects, language)
        return self.cache.get(f"words {language} {self.names_key}", (card, *trees), count)

    def place(self, name: str, language: str) -> Span:
        """Return where the number stands, or what it is the number of."""
        card = self.card
        if name == "name_length":
            return card.name.in_language(language).span
        if name == "text_words" and isinstance(card, Card):
            return _rules_place(card, language)
        if name == "skills":
            return card.key_span(name)
        return card.span_of(name) if name in card.node.nodes else card.id_span


def _rules_place(card: Card, language: str) -> Span:
    """Return the place of the hand-written text, the effect, or the longest SKILL."""
    whole = rules_span(card, language)
    skills = [skill.rules_span(language) for skill in card.skills]
    return whole or max(skills, key=lambda span: span.end - span.start, default=card.id_span)


def _broken(rule: HouseRule, measurement: _Measurement) -> Iterator[Diagnostic]:
    """Report a rule that a card breaks; a rule about texts is checked in each language."""
    names = rule.names
    in_each = any(name in BY_LANGUAGE for name in names)
    languages = measurement.cards.project.languages if in_each else measurement.cards.project.languages[:1]
    broken = {}
    for language in languages:
        numbers = {name: measurement.number(name, language) for name in names}
        if not holds(rule.expression, numbers.__getitem__):
            broken[language] = numbers
    if broken:
        yield _finding(rule, measurement, broken, in_each and len(languages) > 1)


def _finding(
    rule: HouseRule, measurement: _Measurement, broken: dict[str, dict[str, int]], in_each: bool
) -> Diagnostic:
    """The finding about a broken rule; ``broken`` has the numbers in each language in which it is."""
    failures = []
    for language, numbers in broken.items():
        failure = ", ".join(f"`{name}` is {number}" for name, number in numbers.items()) or "it never holds"
        failures.append(f"{failure} in `{language}`" if in_each else failure)
    named_rule = f"`{rule.name}`, `{rule.words}`" if rule.name else f"`{rule.words}`"
    message = f"`{measurement.card.id}` breaks the house rule {named_rule}: {'; '.join(failures)}."
    first_language = next(iter(broken))
    places = (measurement.place(name, first_language) for name in rule.names)
    span = next(places, measurement.card.id_span)
    return Diagnostic(
        "house-advice" if rule.warns else "house-rule",
        f"{rule.message.rstrip('.')}. {message}" if rule.message else message,
        span,
        "Change the card, or the rule in opforge.yaml.",
        (Label(rule.place, "the rule"),),
        measurement.card.id,
    )


def rules_words(
    card: Card, names: Names, effects: Mapping[tuple[str, str], tree.Effect], language: str
) -> int:
    """Return how many words are printed in a language, by hand or generated, without the names of SKILLs.

    Reminders do not count: a face that has no room leaves them out.
    """
    return sum(len(re.findall(r"\S*\w\S*", text)) for text in _rules_texts(card, names, effects, language))


def _rules_texts(
    card: Card, names: Names, effects: Mapping[tuple[str, str], tree.Effect], language: str
) -> Iterator[str]:
    # the wording is loaded only for rules that ask for it
    from toolkit.wording.card_text import rules_text
    from toolkit.wording.text import plain

    yield from (text.in_language(language).value for text in card.texts_only.values())
    if card.text is not None and card.text.is_in(language):
        yield card.text.in_language(language).value
        return
    for source in card_sources(card):
        effect = effects.get((card.id, source.part))
        if source.text is not None and source.text.is_in(language):
            yield source.text.in_language(language).value
        elif effect is not None:
            generated = rules_text(effect, source.role, language, names)
            if generated is not None:
                yield plain(generated)
