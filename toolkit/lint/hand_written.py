"""Texts written by hand in place of the generated ones.

stale-text, missing-text-for and unused-text-for: such a text names the fingerprint of the effect that it was
written for. text-without-effect: there is no effect. text-differs: it has a number that its effect does not
have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from toolkit.data.effect_sources import EffectSource, card_parts, effect_sources
from toolkit.data.model import Card, CardSet, Entry, Text
from toolkit.diagnostics import Diagnostic, Fix, correction
from toolkit.dsl import tree
from toolkit.dsl.effect_printer import fingerprint
from toolkit.dsl.tree import Effect, walk
from toolkit.source import ScalarText
from toolkit.source.edits import insertion, removal, with_key
from toolkit.vocabulary import VERB_OF, Role

_EN = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DE = ("zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn")
_WORDS = {word: number for words in (_EN, _DE) for number, word in enumerate(words, 2)}
_NUMBER = (
    r"(?<![\w.,])(?P<sign>[+\-−–])?\s?(?P<digits>\d{1,3})(?![\d.,]*\d)"
    r"(?P<stat>\s?(?:AP|EP|DP|MP)\b)?(?!\s?[DW]6\b)"
)
_WORD = rf"\b({'|'.join(_WORDS)})\b"
_NUMBERS_STEP = "Correct the text or the effect, then update the fingerprint in `text_for`."


def check_hand_written(source: EffectSource, effect: Effect) -> list[Diagnostic]:
    """Whether the ``text_for`` of an effect is its fingerprint; the finding names the right one."""
    key = "reminder" if source.role is Role.KEYWORD else "text"
    return _check_fingerprint(source.text, source.text_for, effect, source.entry.id, key)


def check_card_text(card: Card, effects: Sequence[Effect]) -> list[Diagnostic]:
    """Whether the ``text_for`` of a whole OPERATOR is the fingerprint of all its SKILLs together."""
    together = Effect(tuple(sentence for effect in effects for sentence in effect.sentences))
    return _check_fingerprint(card.text, card.text_for, together, card.id)


def _check_fingerprint(
    text: Text | None, text_for: ScalarText | None, effect: Effect, entry: str, key: str = "text"
) -> list[Diagnostic]:
    """The finding about a hand-written text whose ``text_for`` is not the fingerprint of its effect."""
    if text is None and text_for is None:
        return []
    right = fingerprint(effect)
    if text is None:
        message = f"There is no `{key}` for this `text_for`, so the generated text is printed."
        assert text_for is not None
        whole = with_key(text_for.span, "text_for")
        lines = removal(whole) if whole else None
        fix = Fix(lines, "", safe=False) if lines else None
        return [Diagnostic("unused-text-for", message, text_for.span, "Take it away.", card=entry, fix=fix)]
    if text_for is None:
        message = (
            f"This text does not say which effect it was written for; the current fingerprint is `{right}`."
        )
        step = f"Add `text_for: {right}` once the text matches the effect."
        whole, line = with_key(text.span, key), f"text_for: {right}"
        begin = whole.at_offsets(whole.start, whole.start) if whole else None
        fix = Fix(begin, insertion(whole, line), safe=False) if whole and begin else None
        return [Diagnostic("missing-text-for", message, text.span, step, card=entry, fix=fix)]
    if text_for.value == right:
        return []
    message = f"The effect has changed since this text was written for it: its fingerprint is now `{right}`."
    step = f"Read the text again; once it matches the effect, write `text_for: {right}`."
    fix = correction(text_for.span, right, safe=False)
    return [Diagnostic("stale-text", message, text_for.span, step, card=entry, fix=fix)]


def check_without_effect(cards: CardSet) -> Iterator[Diagnostic]:
    """Report the ``text`` of a card or SKILL that has only ``text_only``: nothing is generated to replace."""
    for card in cards.printed_entries():
        for bearer in card.parts.values():
            if bearer.text is not None and bearer.effect is None:
                yield Diagnostic(
                    "text-without-effect",
                    "`text` replaces the text generated from an `effect`, and there is none.",
                    bearer.node.keys["text"].span,
                    "Move it into `text_only`, or write the `effect`.",
                    card=card.id,
                )


# text-differs


class _EffectNumbers(Struct):
    """The numbers of an effect: all of them, and the amounts by stat."""

    numbers: set[int] = field(default_factory=set)
    amounts: set[tuple[int, str]] = field(default_factory=set)


def check_numbers(cards: CardSet, effects: Mapping[tuple[str, str], tree.Effect]) -> Iterator[Diagnostic]:
    """Wrong numbers, each at its place, in every language.

    Where the fingerprint does not fit, `stale-text` has been reported already.
    """
    for entry, text, text_for, parts in _hand_written(cards):
        known_effects = [
            effects[entry.id, card_part] for card_part in parts if (entry.id, card_part) in effects
        ]
        together = tree.Effect(tuple(sentence for effect in known_effects for sentence in effect.sentences))
        stale = text_for is not None and text_for.value != fingerprint(together)
        if len(known_effects) == len(parts) and not stale:
            yield from _text(cards, entry, text, together)


def _hand_written(cards: CardSet) -> Iterator[tuple[Entry, Text, ScalarText | None, list[str]]]:
    """Yield texts with what they were written for, and the parts of the entry that they stand for."""
    for card in cards.cards.values():
        if card.kind == "operator" and card.text is not None:
            yield card, card.text, card.text_for, list(card_parts(card))
    for source in effect_sources(cards):
        if source.text is not None:
            yield source.entry, source.text, source.text_for, [source.part]


def _text(cards: CardSet, entry: Entry, text: Text, effect: tree.Effect) -> Iterator[Diagnostic]:
    """Yield a finding about each number of a text that the effect does not have."""
    effect_numbers = _numbers_of(effect)
    reported: set[tuple[int, int]] = set()
    for language in cards.project.languages:
        written = text.in_language(language)
        for begin, end in _differing(written.value, effect_numbers):
            span = written.locate(begin, end)
            if (span.start, span.end) not in reported:
                reported.add((span.start, span.end))
                yield _number_finding(entry, written, begin, end, effect_numbers)


def _number_finding(
    entry: Entry, written: ScalarText, begin: int, end: int, effect_numbers: _EffectNumbers
) -> Diagnostic:
    """Return that a text states a number that its effect has not; with signs if the text has one."""
    words = written.value[begin:end].strip()
    numbers = ", ".join(map(str, sorted(effect_numbers.numbers))) or "no number"
    amounts = ", ".join(f"{amount:+d} {stat}" for amount, stat in sorted(effect_numbers.amounts))
    has = amounts if amounts and any(sign in words for sign in "+-−–") else numbers
    message = f"The text says `{words}`, and its effect has {has}."
    return Diagnostic("text-differs", message, written.locate(begin, end), _NUMBERS_STEP, card=entry.id)


def _differing(text: str, effect_numbers: _EffectNumbers) -> Iterator[tuple[int, int]]:
    """Yield the places of numbers that the effect does not have: of amounts of a stat with their signs."""
    for match in re.finditer(_NUMBER, text):
        sign, digits, stat = match["sign"], match["digits"], match["stat"]
        number = -int(digits) if sign and sign != "+" else int(digits)
        begin = match.start("sign" if sign else "digits")
        if sign and stat:
            is_in_effect = (number, stat.strip()) in effect_numbers.amounts
        else:
            is_in_effect = abs(number) in effect_numbers.numbers
        if not is_in_effect:
            yield begin, match.end()
    for match in re.finditer(_WORD, text, re.IGNORECASE):
        if _WORDS[match[1].lower()] not in effect_numbers.numbers:
            yield match.span()


def _numbers_of(effect: tree.Effect) -> _EffectNumbers:
    """Return all numbers that a text about an effect may say, alone and with their stats."""
    effect_numbers = _EffectNumbers()
    for node in walk(effect):
        effect_numbers.numbers.update(map(abs, _numbers(node)))
        if isinstance(node, tree.Gets):
            effect_numbers.amounts.add((node.amount, node.what.text))
            if node.per is not None and node.per.maximum is not None:
                effect_numbers.amounts.add((node.amount * node.per.maximum, node.what.text))
                effect_numbers.numbers.add(abs(node.amount * node.per.maximum))
    return effect_numbers


def _numbers(node: object) -> tuple[int, ...]:
    """Return the numbers that a node says; a limit may be written as "at least 3" or as "more than 2"."""
    match node:
        case tree.Per(maximum=maximum):
            return (1,) if maximum is None else (1, maximum)
        case tree.QuantityFilter(number=number) | tree.Constant(number):
            return number - 1, number, number + 1
        case tree.One():
            return (1,)
    is_verb = isinstance(node, tree.Node) and type(node).__name__ in VERB_OF
    field_and_number = tree.number_of(node) if isinstance(node, tree.Node) and is_verb else None
    if field_and_number is None:
        return ()
    field, number, _ = field_and_number
    # "on 5+" may be written as "more than 4" or "5 to 6"
    return (number - 1, number, 6) if field == "threshold" else (number,)
