"""Fingerprints of what a GAME is played with, to tell later what has changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator

from toolkit.data.model import Squad
from toolkit.engine.rules import CardRules, EffectTable, Rules

_LENGTH = 12


def fingerprints(rules: Rules, squads: Iterable[Squad]) -> dict[str, str]:
    """Fingerprints by id of every card of the squads, the squads, the OBJECTIVEs, the mode and the ruleset.

    They see what is played, not names, pictures or how a text is laid out.
    """
    squads = tuple(squads)
    used = {name for squad in squads for name in (*squad.operators, *squad.deck, *squad.item_deck)}
    found = {name: _of_card(rules.cards[name]) for name in used if name in rules.cards}
    for squad in squads:
        found[squad.id] = _hash(
            [squad.operators, sorted(squad.deck.items()), sorted(squad.item_deck.items())]
        )
    for name in rules.objectives:
        if name is not None:
            found[name] = _hash(rules.objective_values.get(name))
    found[rules.mode.id] = _of_mode(rules)
    found[rules.ruleset.id] = _of_ruleset(rules)
    return dict(sorted(found.items()))


def fingerprint_of_all(found: dict[str, str]) -> str:
    """One fingerprint of them all."""
    return _hash(sorted(found.items()))


def _of_card(card: CardRules) -> str:
    facts = [card.kind, card.team, sorted(card.traits), sorted(card.values.items()), card.squadpoints]
    return _hash([*facts, *_sentences(card.effects)])


def _of_mode(rules: Rules) -> str:
    mode = rules.mode
    facts = [
        mode.field_positions,
        mode.save_zone,
        mode.strategy_positions,
        rules.objectives,
        mode.starting_hand,
        mode.hand_limit,
        mode.max_rounds,
        mode.victory_objectives_captured,
        mode.victory_operators_out_or_hit,
        mode.tie_break,
    ]
    return _hash([*facts, *_sentences(rules.teamwork), *_sentences(rules.performance)])


def _of_ruleset(rules: Rules) -> str:
    options = rules.options
    facts: list[object] = [
        options.stacking,
        options.rounding,
        options.floor,
        options.swap_counters,
        options.swap_mp,
        sorted(rules.limits.items()),
        *_sentences(rules.suppression),
    ]
    for name, table in sorted(rules.actions.items()):
        facts += [name, *_sentences(table)]
    return _hash(facts)


def _sentences(table: EffectTable) -> Iterator[str]:
    """The effects in their canonical words, SKILL by SKILL."""
    origins = [one.origin for one in (*table.always, *table.in_attack)]
    origins += [one.origin for found in table.events.values() for one in found]
    for part, _, text in sorted({(one.part, one.sentence, one.text) for one in origins}):
        yield f"{part}: {text}"


def _hash(facts: object) -> str:
    written = json.dumps(facts, ensure_ascii=False, default=list)
    return hashlib.sha256(written.encode("utf-8")).hexdigest()[:_LENGTH]
