"""Tuning a card: which single number, changed by 1 or 2, brings its power nearest to what is wanted."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from toolkit.data.model import Card
from toolkit.editing.what_if import open_for_trials, project_with
from toolkit.play.odds.matrix import Cell, usable_cards
from toolkit.play.odds.power import (
    FEWEST_CARDS,
    LEAST_DIFFERENCE,
    CardPower,
    Measuring,
    PowerRequest,
    judged,
    measuring_in,
)
from toolkit.play.playable_game import Unplayable
from toolkit.project.pipeline import Workspace

STEPS = (-1, 1, -2, 2)
_NUMBER = re.compile(r'(?<![\w".])[+-]?\d+(?!\w)')
"""A number of an effect, but none in an id."""


class Tuned(Struct, frozen=True):
    """A value of the card that was tried: ``viper.ap``, what it is now and then, and by how much the power
    is then above what the other cards of its kind let expect at its price."""

    key: str
    now: str
    then: str
    step: int
    distance: float


class Tuning(Struct, frozen=True):
    """How far a card lies from what is expected as it is, and with each single change, the best first."""

    card: str
    target: float
    now: float
    tried: tuple[Tuned, ...]


def tune_card(
    workspace: Workspace, card_id: str, target: float, request: PowerRequest
) -> Tuning | Unplayable:
    """Try all single numbers of a card.

    Changes that come as near to the target as makes no difference come first, the smallest first; then the
    others, the nearest first. Nothing is written.
    """
    measuring = measuring_in(workspace, request)
    if isinstance(measuring, Unplayable):
        return measuring
    card = workspace.cards.cards[card_id]
    peers = [measuring.power_of(peer) for peer in usable_cards(workspace, card.kind)]
    now = _distance(peers, card_id, request)
    if now is None:
        return Unplayable(
            f"With fewer than {FEWEST_CARDS} cards of its kind there is nothing to compare it with."
        )
    project = open_for_trials(workspace.root)
    tried: list[Tuned] = []
    for key, value, step in changes_of(card):
        changed = project_with(project, [f"{card_id}.{key}={value}"])
        if not isinstance(changed, Workspace):
            continue  # outside of its range, or an effect that would be wrong
        powers = _powers_with(changed, card, measuring, peers, request)
        distance = None if powers is None else _distance(powers, card_id, request)
        if distance is not None:
            tried.append(Tuned(key, text_at(card, key), value, step, distance))
    tolerance = LEAST_DIFFERENCE[request.goal] / 2
    return Tuning(
        card_id, target, now, tuple(sorted(tried, key=lambda tuned: _rank(tuned, target, tolerance)))
    )


def _rank(tuned: Tuned, target: float, tolerance: float) -> tuple[bool, float, float]:
    """Return what changes are sorted by: those that are near enough by their size, the others by distance."""
    off, size = abs(tuned.distance - target), abs(tuned.step)
    is_off = off > tolerance
    return (is_off, off, size) if is_off else (is_off, size, off)


def _distance(powers: list[CardPower], card_id: str, request: PowerRequest) -> float | None:
    """Return how far the power of a card lies above what the others let expect; None with too few others."""
    power = next(power for power in judged(powers, request.goal) if power.card == card_id)
    return None if power.expected is None else float(power.power) - power.expected


def _powers_with(
    changed: Workspace, card: Card, measuring: Measuring, peers: list[CardPower], request: PowerRequest
) -> list[CardPower] | None:
    """Return the powers of all cards of the kind if one of them is changed; None if that cannot be played.

    Only what it changes is found anew: an OPERATOR takes part in the attacks that all cards are measured in,
    any other card has no influence on its peers.
    """
    is_operator = card.kind == "operator"
    same_odds: dict[tuple[str, str], Cell] = {
        pair: cell for pair, cell in measuring.base.cells.items() if not is_operator or card.id not in pair
    }
    changed_measuring = measuring_in(changed, request, same_odds)
    if isinstance(changed_measuring, Unplayable):
        return None
    if is_operator:
        return [changed_measuring.power_of(peer) for peer in usable_cards(changed, card.kind)]
    changed_power = changed_measuring.power_of(changed.cards.cards[card.id])
    return [changed_power if peer.card == card.id else peer for peer in peers]


def changes_of(card: Card) -> Iterator[tuple[str, str, int]]:
    """Yield each key of a card with another value, and by how much a number in it is changed."""
    if card.kind == "operator":
        for key in ("ap", "ep", "dp", "mp", "squadpoints"):
            for step in STEPS:
                yield key, str(card.number(key) + step), step
    for key, text in _effects(card):
        for match in _NUMBER.finditer(text):
            for step in STEPS:
                # a number that is added keeps its sign: `+1` becomes `+2`
                sign = "+" if match[0].startswith(("+", "-")) else ""
                number = f"{int(match[0]) + step:{sign}d}"
                yield key, f"{text[: match.start()]}{number}{text[match.end() :]}", step


def _effects(card: Card) -> Iterator[tuple[str, str]]:
    """Yield the effects of a card by key, as they are written."""
    if card.kind != "operator":
        if card.effect is not None:
            yield "effect", card.effect.value
        return
    for number, skill in enumerate(card.skills):
        if skill.effect is not None:
            yield f"skills[{number}].effect", skill.effect.value


def text_at(card: Card, key: str) -> str:
    """Return what stands at a key of a card."""
    return dict(_effects(card)).get(key) or str(card.number(key))
