"""Games of the shipped squads for tests, and what must be true of every state of one."""

from __future__ import annotations

from functools import cache

from tests.engine.tables import rules, shipped
from tests.engine.values import replace
from toolkit.data.model import Squad
from toolkit.dsl.effect_objects import compile_effect
from toolkit.dsl.parsing import parse_effect
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.log import Match
from toolkit.engine.state import SIDES, GameState
from toolkit.vocabulary import Role


def squads() -> list[Squad]:
    """The ready squads."""
    return list(shipped().cards.squads.values())


def match(blue: int = 0, red: int = 2, seed: int | str = 1, mode: str = "skirmish") -> Match:
    """A match of two shipped squads by number."""
    return Match(rules(shipped(), mode), squads()[blue], squads()[red], seed)


def short(made: Match, rounds: int) -> Match:
    """The same match with fewer ROUNDs."""
    return replace(made, rules=replace(made.rules, mode=replace(made.rules.mode, max_rounds=rounds)))


@cache
def where_everybody_has(sentences: str, **of_cards: str) -> Rules:
    """The shipped rules with these sentences as the only SKILL of every OPERATOR; ``of_cards`` by kind are
    those of all cards of a kind."""
    made = rules(shipped(), "skirmish")
    effects = {}
    for kind, text in {"operator": sentences, **of_cards}.items():
        effect, problems = parse_effect(text)
        assert effect is not None, problems
        effects[kind] = effect, Role.SKILL if kind == "operator" else Role(kind)
    cards = {
        name: replace(card, objects=compile_effect(*effects[card.kind], name, "effect"))
        if card.kind in effects
        else card
        for name, card in made.cards.items()
    }
    return replace(made, cards=cards)


def cards_of(state: GameState) -> list[str]:
    """Every card somewhere, OPERATORs left out."""
    found = [who.attached for who in state.operators if who.attached is not None]
    for side in SIDES:
        player = state.player(side)
        zones = (player.hand, player.deck, player.discard, player.item_deck, player.item_discard)
        found += [card for zone in (*zones, player.strategies) for card in zone]
    return sorted(found)


def check_state(state: GameState) -> None:
    """No OPERATOR is lost or doubled, no counter is negative, no OPERATOR bears what his side has not."""
    for side in SIDES:
        player = state.player(side)
        keys = [key for key in (*player.field, *player.save_zone, *player.out_of_play) if key is not None]
        assert sorted(keys) == [who.key for who in state.operators if who.side == side]
        for position, key in enumerate(player.field):
            assert key is None or state.operators[key].position == position
        assert all(state.operators[key].position is None for key in player.save_zone)
        assert all(count >= 0 for _, count in player.actions)
    for who in state.operators:
        assert who.hitcounter >= 0
        assert who.objectivecounter >= 0
        assert who.key == state.operators.index(who)
