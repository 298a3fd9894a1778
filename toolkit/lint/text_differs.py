"""text-differs: a hand-written text with a number that its effect does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from toolkit.data.model import CardSet, Entry, Text
from toolkit.diagnostics import Diagnostic
from toolkit.dsl import tree
from toolkit.dsl.printing import fingerprint
from toolkit.dsl.tree import walk
from toolkit.source import ScalarText
from toolkit.vocabulary import VERB_OF

_EN = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_DE = ("zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn")
_WORDS = {word: number for words in (_EN, _DE) for number, word in enumerate(words, 2)}
_NUMBER = r"(?<![\w.,])([+\-−–])?\s?(\d{1,3})(?![\d.,]*\d)(\s?(?:AP|EP|DP|MP)\b)?(?!\s?[DW]6\b)"
_WORD = rf"\b({'|'.join(_WORDS)})\b"
_STEP = "Correct the text or the effect, then update the fingerprint in `text_for`."


class _Said(Struct):
    """The numbers of an effect: all of them, and the amounts by stat."""

    numbers: set[int] = field(default_factory=set)
    amounts: set[tuple[int, str]] = field(default_factory=set)


def check(cards: CardSet, effects: Mapping[tuple[str, str], tree.Effect]) -> Iterator[Diagnostic]:
    """Wrong numbers, each at its place, in every language.

    Where the fingerprint does not fit, `stale-text` has told already.
    """
    for entry, text, text_for, parts in _hand_written(cards):
        found = [effects[entry.id, part] for part in parts if (entry.id, part) in effects]
        together = tree.Effect(tuple(sentence for effect in found for sentence in effect.sentences))
        stale = text_for is not None and text_for.value != fingerprint(together)
        if len(found) == len(parts) and not stale:
            yield from _text(cards, entry, text, together)


def _hand_written(cards: CardSet) -> Iterator[tuple[Entry, Text, ScalarText | None, list[str]]]:
    """Texts with what they were written for, and the parts of the entry that they stand for."""
    for card in cards.cards.values():
        if card.text is not None:
            skills = [f"skill {n}" for n in range(1, len(card.skills) + 1)]
            yield card, card.text, card.text_for, skills if card.kind == "operator" else ["effect"]
        for n, skill in enumerate(card.skills, 1):
            if skill.text is not None:
                yield card, skill.text, skill.text_for, [f"skill {n}"]
    for ruleset in cards.rulesets.values():
        for action in ruleset.actions.values():
            if action.text is not None:
                yield ruleset, action.text, action.text_for, [f"action {action.id}"]


def _text(cards: CardSet, entry: Entry, text: Text, effect: tree.Effect) -> Iterator[Diagnostic]:
    said = _said_by(effect)
    told: set[tuple[int, int]] = set()
    for language in cards.project.languages:
        written = text.in_language(language)
        for begin, end in _differing(written.value, said):
            span = written.locate(begin, end)
            if (span.start, span.end) not in told:
                told.add((span.start, span.end))
                yield _finding(entry, written, begin, end, said)


def _finding(entry: Entry, written: ScalarText, begin: int, end: int, said: _Said) -> Diagnostic:
    words = written.value[begin:end].strip()
    numbers = ", ".join(map(str, sorted(said.numbers))) or "no number"
    amounts = ", ".join(f"{amount:+d} {stat}" for amount, stat in sorted(said.amounts))
    has = amounts if amounts and any(sign in words for sign in "+-−–") else numbers
    message = f"The text says `{words}`, and its effect has {has}."
    return Diagnostic("text-differs", message, written.locate(begin, end), _STEP, card=entry.id)


def _differing(text: str, said: _Said) -> Iterator[tuple[int, int]]:
    """Places of numbers that the effect does not have."""
    for found in re.finditer(_NUMBER, text):
        sign, digits, stat = found.groups()
        number = -int(digits) if sign and sign != "+" else int(digits)
        begin = found.start(1) if sign else found.start(2)
        known = (number, stat.strip()) in said.amounts if sign and stat else abs(number) in said.numbers
        if not known:
            yield begin, found.end()
    for found in re.finditer(_WORD, text, re.IGNORECASE):
        if _WORDS[found[1].lower()] not in said.numbers:
            yield found.span()


def _said_by(effect: tree.Effect) -> _Said:
    said = _Said()
    for node in walk(effect):
        said.numbers.update(map(abs, _numbers(node)))
        if isinstance(node, tree.Gets):
            said.amounts.add((node.amount, node.what.text))
            if node.per is not None and node.per.maximum is not None:
                said.amounts.add((node.amount * node.per.maximum, node.what.text))
                said.numbers.add(abs(node.amount * node.per.maximum))
    return said


def _numbers(node: object) -> tuple[int, ...]:
    """The numbers that a node says; a limit may be told as "at least 3" or as "more than 2"."""
    match node:
        case tree.Per(maximum=maximum):
            return (1,) if maximum is None else (1, maximum)
        case tree.QuantityFilter(number=number) | tree.Constant(number):
            return number - 1, number, number + 1
        case tree.One():
            return (1,)
    found = tree.number_of(node) if isinstance(node, tree.Node) and type(node).__name__ in VERB_OF else None
    if found is None:
        return ()
    return (found[1] - 1, found[1], 6) if found[0] == "threshold" else (found[1],)
