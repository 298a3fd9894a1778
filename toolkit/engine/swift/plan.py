"""From the rules and two squads to a table that GAMEs are played on: compiled once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from toolkit.data.model import Squad
from toolkit.engine.rules import CardRules, Rules
from toolkit.engine.swift.code import Code
from toolkit.engine.swift.codes import ACTION_BIT, KIND, NO_CARD, NOBODY
from toolkit.engine.swift.coding import effect_tables, give_code
from toolkit.engine.swift.facts import NEVER, Dealt, Numbers
from toolkit.engine.swift.hindrances import hindrance
from toolkit.engine.swift.table import Table
from toolkit.vocabulary import ACTIONS, STATS

_UNLIMITED = -1


@dataclass(frozen=True, slots=True)
class NotSwift:
    """These rules or cards cannot be played swiftly; ``why`` is a sentence. The reference plays them."""

    why: str


@dataclass(frozen=True, slots=True)
class Plan:
    """A match in whole numbers: the ids of cards by number (0 is no card), what each squad brings, the table,
    and the source of the functions on it."""

    names: tuple[str, ...]
    dealt: tuple[Dealt, Dealt]
    table: Table
    source: str


def make_plan(rules: Rules, blue: Squad, red: Squad) -> Plan | NotSwift:
    """The plan for GAMEs of two squads, or why there is none."""
    names = ("", *dict.fromkeys(name for squad in (blue, red) for name in _cards_of(squad)))
    why = hindrance(rules, effect_tables(rules, names))
    if why:
        return NotSwift(f"The reference has to play this match: {why}.")
    number = {name: place for place, name in enumerate(names)}
    operators = (*blue.operators, *red.operators)
    middle = len(blue.operators)
    cards = [rules.cards[name] for name in operators]
    table = Table(
        Code(),
        _numbers(rules),
        side=[int(key >= middle) for key in range(len(operators))],
        card=[number[name] for name in operators],
        mates=[_mates(cards, middle, key) for key in range(len(cards))],
        squadpoints=[card.squadpoints for card in cards],
        values=[[card.values[stat] for card in cards] for stat in STATS],
        kinds=[NO_CARD, *(KIND[rules.cards[name].kind] for name in names[1:])],
    )
    source = give_code(table, rules, names, operators)
    dealt = _dealt(blue, 0, number), _dealt(red, middle, number)
    return Plan(names, dealt, table, source)


def _mates(cards: Sequence[CardRules], middle: int, key: int) -> frozenset[int]:
    """M-3: the others of an OPERATOR's squad who are of his TEAM; red's begin with ``middle``."""
    team = cards[key].team
    own = range(middle) if key < middle else range(middle, len(cards))
    return frozenset(one for one in own if one != key and team is not None and cards[one].team == team)


def _cards_of(squad: Squad) -> Iterator[str]:
    yield from squad.operators
    yield from squad.deck
    yield from squad.item_deck


def _dealt(squad: Squad, first: int, number: dict[str, int]) -> Dealt:
    return Dealt(
        tuple(range(first, first + len(squad.operators))),
        {number[name]: copies for name, copies in squad.deck.items()},
        {number[name]: copies for name, copies in squad.item_deck.items()},
    )


def _numbers(rules: Rules) -> Numbers:
    mode, options = rules.mode, rules.options
    limits = [rules.limits.get(name.lower(), 0) for name in ACTIONS]
    existing = [ACTION_BIT[name] for name in ACTIONS if name.lower() in rules.limits]
    values = [NEVER if name is None else rules.objective_values.get(name, NEVER) for name in rules.objectives]
    return Numbers(
        fields=mode.field_positions,
        save_zone=mode.save_zone,
        strategy_positions=mode.strategy_positions,
        starting_hand=mode.starting_hand,
        hand_limit=mode.hand_limit,
        max_rounds=mode.max_rounds,
        objectives_captured=mode.victory_objectives_captured,
        operators_out_or_hit=mode.victory_operators_out_or_hit,
        tie_break=tuple(mode.tie_break),
        rounding=options.rounding,
        floor=options.floor,
        counters_stay=options.swap_counters == "with_position",
        swap_mp=options.swap_mp,
        limits=tuple(_UNLIMITED if limit is None else limit for limit in limits),
        existing=sum(existing),
        open=sum(1 << place for place, limit in enumerate(limits) if limit != 0),
        objectives=tuple(NOBODY if name is None else place for place, name in enumerate(rules.objectives)),
        objective_values=tuple(values),
    )
