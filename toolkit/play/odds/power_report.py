"""What cards add to attacks, as text for people or as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import Any

from toolkit.diagnostics.escaping import json_text
from toolkit.diagnostics.reporters import Style, unstyled
from toolkit.play.odds.measures import Goal
from toolkit.play.odds.odds_report import GOAL_WORDS
from toolkit.play.odds.power import FEWEST_CARDS, CardPower, Powers

_MEASURED = (
    "Measured alone on the FIELD and opposite each other, at FIELDPOSITION 1, in the attacker's TURN, before "
    "anybody has acted: what depends on that counts as if it were always so."
)
_KIND_WORDS = {
    "operator": "OPERATORs",
    "attack": "ATTACK cards",
    "defence": "DEFENCE cards",
    "item": "ITEMs",
    "strategy": "STRATEGY cards",
    "effect": "EFFECT cards",
}


def powers_json(powers: Powers) -> str:
    """Return powers as JSON, version 1; fractions are strings in lowest terms."""
    cards = [{"id": power.card, "kind": power.kind, **power_data(power)} for power in powers.cards]
    return json_text({"version": 1, "goal": powers.goal, "cards": cards})


def power_data(power: CardPower) -> dict[str, Any]:
    """Return what a card adds to attacks, as in JSON."""
    return {
        "price": power.price,
        "power": str(power.power),
        "changes": {situation: str(change) for situation, change in power.changes.items()},
        "expected": None if power.expected is None else round(power.expected, 4),
        "verdict": power.verdict,
        "unseen": list(power.unseen),
    }


def powers_text(powers: Powers, style: Style = unstyled, width: int = 80) -> str:
    """Return powers as text: the verdicts first, then a table for each kind, the strongest card first."""
    return "\n".join(_lines(powers, style, width)) + "\n"


def _lines(powers: Powers, style: Style, width: int) -> Iterator[str]:
    yield f"What a card adds on average over all pairs of OPERATORs: {GOAL_WORDS[powers.goal]}"
    yield style("\n".join(wrap(_MEASURED, width)), "note")
    for power in powers.cards:
        if power.verdict is not None:
            text = f"{power.card} is {power.verdict}: {verdict_words(power, powers.goal)}"
            yield from wrap(f"{text}.", width, initial_indent="  ", subsequent_indent="    ")
    for kind, words in _KIND_WORDS.items():
        of_kind = [power for power in powers.cards if power.kind == kind]
        if of_kind:
            yield ""
            yield style(words, "note")
            yield from _table(of_kind, powers.goal, width)


def _table(powers: Sequence[CardPower], goal: Goal, width: int) -> Iterator[str]:
    situations = list(powers[0].changes)
    headings = ["", *(["price"] if powers[0].price is not None else []), "power", *situations, "expected"]
    rows = [headings]
    in_order = sorted(powers, key=lambda power: -power.power)
    for power in in_order:
        price = [] if power.price is None else [str(power.price)]
        changes = [shown(goal, power.changes[situation]) for situation in situations]
        expected = "-" if power.expected is None else shown(goal, power.expected)
        rows.append([power.card, *price, shown(goal, power.power), *changes, expected])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, row_power in zip(rows, (None, *in_order), strict=True):
        first, *others = row
        cells = [f"{cell:>{size}}" for cell, size in zip(others, widths[1:], strict=True)]
        line = f"  {first:<{widths[0]}}  {'  '.join(cells)}"
        if row_power is not None and row_power.unseen:
            line += f"  not seen: {'; '.join(row_power.unseen)}"
        yield line if len(line) <= width else f"{line[: width - 1]}…"
    if powers[0].expected is None:
        yield f"  no verdicts: attacks show fewer than {FEWEST_CARDS} cards of this kind in full"


def power_sentence(power: CardPower, goal: Goal) -> str:
    """Return what a card adds to attacks, against what the others let expect, as a sentence."""
    if power.verdict is not None:
        return f"{power.card} is {power.verdict}: it adds {verdict_words(power, goal)}."
    if not power.changes:
        return f"{power.card} is played outside of attacks: they do not show what it is worth."
    sentence = f"{power.card} adds {_with_noun(goal, power.power)}"
    if power.expected is not None:
        sentence += f"; from the others {shown(goal, power.expected)} is to be expected"
    return f"{sentence}{'; not seen: ' if power.unseen else ''}{', '.join(power.unseen)}."


def _with_noun(goal: Goal, value: Fraction) -> str:
    return f"{shown(goal, value)}{' DAMAGE' if goal == 'damage' else ''}"


def verdict_words(power: CardPower, goal: Goal) -> str:
    """Return why a card with a verdict is an outlier, in words."""
    assert power.expected is not None, "a verdict compares with what is expected"
    added, expected = _with_noun(goal, power.power), shown(goal, power.expected)
    if power.price is None:
        return f"{added} where the other {_KIND_WORDS[power.kind]} add {expected}"
    return f"{added} where the others at {power.price} SQUADPOINTS add {expected}"


def shown(goal: Goal, value: Fraction | float) -> str:
    """Return a change of the measure of a goal with its sign."""
    return f"{float(value):+.2f}" if goal == "damage" else f"{float(value) * 100:+.1f}%"
