"""house-rule and house-advice: cards that break a rule of the project (``house_rules`` in opforge.yaml).

Reading the rules is ``house_rule_reading.py``; here they are held against the cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from msgspec import Struct

from toolkit.data.model import Card, CardSet, Objective
from toolkit.diagnostics import Diagnostic, Label
from toolkit.dsl import tree
from toolkit.dsl.house_rules import holds
from toolkit.effects.sources import card_sources
from toolkit.lint.house_rule_reading import HouseRule, read_rules
from toolkit.lint.memory import Memory
from toolkit.source import Span
from toolkit.wording.names import Names, names_in

BY_LANGUAGE = ("text_words", "name_length")
"""Numbers that a card has in each language."""


def check(
    cards: CardSet, effects: Mapping[tuple[str, str], tree.Effect], memory: Memory
) -> Iterator[Diagnostic]:
    """What is wrong with the rules, then every card that breaks one, at the number that the rule names first.

    ``effects`` are trees without errors; a card with another effect has no rules text yet.
    """
    rules, findings = read_rules(cards.project)
    yield from findings
    names = names_in(cards)
    said = repr(names)
    measured: list[Card | Objective] = [*cards.cards.values(), *cards.objectives.values()]
    for rule in rules:
        for card in measured:
            if _kind(card) in rule.kinds:
                yield from _broken(rule, _Measure(card, cards, effects, names, said, memory))


def _kind(card: Card | Objective) -> str:
    return card.kind if isinstance(card, Card) else "objective"


class _Measure(Struct, frozen=True):
    """The numbers of one card; ``said`` tells the names of TEAMs and traits apart from other such names."""

    card: Card | Objective
    cards: CardSet
    effects: Mapping[tuple[str, str], tree.Effect]
    names: Names
    said: str
    memory: Memory

    def number(self, name: str, language: str) -> int:
        """A number of the card, in a language where it depends on it."""
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
        # the wording is loaded only for rules that ask for it
        from toolkit.lint.rules_words import rules_words

        trees = [effects.get((card.id, source.part)) for source in card_sources(card)]
        count = partial(rules_words, card, self.names, effects, language)
        return self.memory.once(f"words {language} {self.said}", (card, *trees), count)

    def place(self, name: str, language: str) -> Span:
        """Where the number stands, or what it is the number of."""
        card = self.card
        if name == "name_length":
            return card.name.in_language(language).span
        if name == "text_words" and isinstance(card, Card):
            return _rules_place(card, language)
        if name == "skills":
            return card.key_span(name)
        return card.span_of(name) if name in card.node.nodes else card.id_span


def _rules_place(card: Card, language: str) -> Span:
    """The text by hand, the effect, or the longest SKILL."""
    if card.text is not None:
        return card.text.in_language(language).span
    if card.effect is not None:
        return card.effect.span
    skills = [(one.text.in_language(language) if one.text else one.effect).span for one in card.skills]
    return max(skills, key=lambda span: span.end - span.start, default=card.id_span)


def _broken(rule: HouseRule, measure: _Measure) -> Iterator[Diagnostic]:
    """The finding about a rule that a card breaks; a rule about texts is asked in each language."""
    names = rule.names
    in_each = any(name in BY_LANGUAGE for name in names)
    languages = measure.cards.project.languages if in_each else measure.cards.project.languages[:1]
    broken = {}
    for language in languages:
        numbers = {name: measure.number(name, language) for name in names}
        if not holds(rule.tree, numbers.__getitem__):
            broken[language] = numbers
    if broken:
        yield _finding(rule, measure, broken, in_each and len(languages) > 1)


def _finding(
    rule: HouseRule, measure: _Measure, broken: dict[str, dict[str, int]], in_each: bool
) -> Diagnostic:
    told = [
        (", ".join(f"`{name}` is {number}" for name, number in numbers.items()) or "it never holds")
        + (f" in `{language}`" if in_each else "")
        for language, numbers in broken.items()
    ]
    named = f"`{rule.name}`, `{rule.words}`" if rule.name else f"`{rule.words}`"
    message = f"`{measure.card.id}` breaks the house rule {named}: {'; '.join(told)}."
    first = next(iter(broken))
    place = next((measure.place(name, first) for name in rule.names), measure.card.id_span)
    return Diagnostic(
        "house-advice" if rule.warns else "house-rule",
        f"{rule.message.rstrip('.')}. {message}" if rule.message else message,
        place,
        "Change the card, or the rule in opforge.yaml.",
        (Label(rule.place, "the rule"),),
        measure.card.id,
    )
