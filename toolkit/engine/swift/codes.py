"""Whole numbers for the words of the rules, as tables and generated source use them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from toolkit.vocabulary import ACTIONS, IGNORABLE, STATS

NORMAL, EXHAUSTED, HIT, OUT = range(4)
"""C-2; who is face up has less than HIT."""
STATUS = {"NORMAL": NORMAL, "EXHAUSTED": EXHAUSTED, "HIT": HIT, "OUT": OUT}

AP, EP, DP, MP = range(4)
STAT = {name: number for number, name in enumerate(STATS)}
assert STAT == {"AP": AP, "EP": EP, "DP": DP, "MP": MP}

ADD, MULTIPLY, DIVIDE, FIX = range(4)
LAYER = {"add": ADD, "subtract": ADD, "multiply": MULTIPLY, "divide": DIVIDE, "fix": FIX}
"""What is subtracted is added with its sign."""

(
    IGNORES,
    ROLLS,
    REROLLS,
    DICE_CRITICAL,
    ATTACK_CRITICAL,
    CANNOT,
    NOT_ATTACKED,
    NO_DEFENCE,
    VIOLATION,
    BONUS,
) = range(4, 14)
"""What holds for an OPERATOR and is no number. Stats and these together are the aspects of an OPERATOR."""
ASPECTS = 14
HINDERING = 1 << CANNOT | 1 << NOT_ATTACKED
"""As bits, what forbids ACTIONs or protects from them."""
DICE = frozenset((ROLLS, REROLLS, DICE_CRITICAL, ATTACK_CRITICAL))
"""What concerns the dice."""

IGNORED = {name: 1 << number for number, name in enumerate(IGNORABLE)}
"""What an OPERATOR ignores, as bits."""

ATTACK, MOVE, MEDIC, EVADE, RELOAD, SWAP = range(6)
"""ACTIONs, a Move with a swap (A-2a) apart from an advance."""
ACTION_BIT = {name: 1 << number for number, name in enumerate(ACTIONS)} | {"ANY": (1 << len(ACTIONS)) - 1}
assert [name.lower() for name in ACTIONS] == ["attack", "move", "medic", "evade", "reload"]

NO_CARD, OPERATOR_CARD, ATTACK_CARD, DEFENCE_CARD, ITEM_CARD, STRATEGY_CARD, EFFECT_CARD = range(7)
KINDS = 7
"""So many kinds of card there are, no card too."""
KIND = {
    "operator": OPERATOR_CARD,
    "attack": ATTACK_CARD,
    "defence": DEFENCE_CARD,
    "item": ITEM_CARD,
    "strategy": STRATEGY_CARD,
    "effect": EFFECT_CARD,
}

DURATIONS = ("ATTACK", "TURN", "ROUND", "FIELD", "permanently")
DURATION = {name: number for number, name in enumerate(DURATIONS)}
UNTIL_ATTACK, UNTIL_TURN, UNTIL_ROUND, WHILE_ON_FIELD, PERMANENTLY = range(5)

NOBODY = -1
"""In place of an OPERATOR's key where there is none."""
ATTACHED = -2
"""In place of an OPERATOR's key: whoever has a certain card attached."""

Change = tuple[int, int, int, int, int, int, int, int]
"""A modification: layer, amount, the bit of what ignores it, whether by a card, controller, step, bearer,
card (N-2, N-6; bearer NOBODY and card 0 where there is none)."""

Held = tuple[int, int, int, int, int, int, int]
"""What holds: whom it concerns, aspect, three numbers of the verb, bearer, card."""

Lasting = tuple[int, int, int, int, int, int, int, int, int, int, int]
"""What lasts: serial, duration, stat, layer, amount, controller, whether by a card, and of what is no number
(stat is -1 then) aspect and three numbers of the verb."""

Standing = Callable[[int, int, int, list[Change]], None]
"""Adds what an effect without `when` changes: controller, bearer, whom it is asked for, changes."""

StandingHeld = Callable[[int, int, int, list[Held]], None]
"""The same for what holds."""

Made = list[list[Change]] | defaultdict[int, list[Change]]
"""Changes of an attack by 4 * OPERATOR + stat."""

InAttack = Callable[[int, int, int, int, Made, list[Held]], None]
"""Adds what an effect with an attack's trigger makes: controller, bearer, attacker, attacked, changes, what
holds."""

OfEvent = Callable[[int, int, int, int, int], None]
"""What an effect of an event does: controller, bearer, target, attacker, attacked."""
