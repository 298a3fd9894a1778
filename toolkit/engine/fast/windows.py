"""Which attacks the fast path leaves to the reference interpreter."""

from __future__ import annotations

from toolkit.engine.rules import Rules
from toolkit.engine.sources import active_sources
from toolkit.engine.state import GameState, Key, OperatorState

Windows = tuple[str | None, str | None, str | None]


def why_shut(rules: Rules, state: GameState, attacker: Key, attacked: Key, windows: Windows) -> str | None:
    """Why an attack is not fused; None if it is. `cannot have DEFENCE cards` is judged by generated code."""
    one, two = state.operators[attacker], state.operators[attacked]
    if not one.is_active or not two.is_active or one.side == two.side:
        return "an attack needs two OPERATORs of different players, face up on the FIELD"
    if rules.actions.get("attack") is not None and rules.actions["attack"].events:
        return "the ruleset modifies the ACTION Attack, which happens before MODIFY"
    attack_card, defence_card, late_attack_card = windows
    for who, card, kind in ((one, attack_card, "attack"), (two, defence_card, "defence")):
        if card is not None and (why := _why_not_attached(rules, state, who, card, kind)):
            return why
    if late_attack_card is None:
        return None
    if attack_card is not None:
        return "the attacker has a card attached"
    if defence_card is None and two.attached is None:
        return "the third window is shut: no card lies on the attacked OPERATOR"
    return _why_not_attached(rules, state, one, late_attack_card, "attack")


def _why_not_attached(rules: Rules, state: GameState, who: OperatorState, card: str, kind: str) -> str | None:
    if who.attached is not None:
        return "the OPERATOR has a card attached"
    if card not in state.player(who.side).hand or rules.cards[card].kind != kind:
        return "the card is not in the hand, or of another kind"
    if "attached" in rules.cards[card].effects.events:
        return "something happens when the card is attached"
    return None


ATTACK_EVENTS = ("critical", "hits", "misses", "self-becomes-hit", "own-becomes-hit", "enemy-becomes-hit")


def waits_for_attacks(rules: Rules, state: GameState) -> bool:
    """Whether effects wait for events that an attack may bring: what they do is the reference's to play.

    Cards attached in the attack are not asked about. K-1 rewards who makes an enemy HIT in any case.
    """
    tables = [source.table for source in active_sources(state, rules, state.turn)]
    return any(event in table.events for table in (*tables, rules.performance) for event in ATTACK_EVENTS)
