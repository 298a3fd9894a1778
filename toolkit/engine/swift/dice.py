"""Step 6 of MODIFY: the dice, rerolls, and CRITICAL (M-6, M-7): the twin of ``engine.rolls``."""

from __future__ import annotations

from toolkit.engine.swift.codes import (
    ADD,
    AP,
    ATTACK_CRITICAL,
    DICE,
    DICE_CRITICAL,
    EP,
    MULTIPLY,
    NOBODY,
    REROLLS,
    ROLLS,
    Change,
    Held,
)
from toolkit.engine.swift.standing import holding
from toolkit.engine.swift.table import Table

_STEP = 6
_ALWAYS_CRITICAL = 6
Rolls = list[list[int]]
"""The dice as rolled: which (0 ATTACK, 1 DEFENCE), result, whether settled."""


def plain(t: Table) -> bool:
    """Whether no effect concerns the dice of this attack: one for each side, critical on a 6."""
    if t.code.known.dice:
        return False
    for key in (t.a, t.d) if t.held or t.bound[t.a] or t.bound[t.d] else ():
        for one in t.lasting[key]:
            if one[7] in DICE:
                return False
    for held in t.held:  # noqa: SIM110 (a loop is quicker)
        if held[1] in DICE:
            return False
    return True


def roll_plain(t: Table) -> None:
    """M-6 and M-7 where no effect concerns the dice."""
    roll, made, s = t.dice, t.made, t.s
    die = 1 + int(roll() * 6)
    defence = 1 + int(roll() * 6)
    if die == _ALWAYS_CRITICAL and int(t.chance[s]() * 2):
        t.critical = True
        change: Change = (MULTIPLY, 2, 0, 0, s, _STEP, NOBODY, 0)
    else:
        change = (ADD, die, 0, 0, s, _STEP, NOBODY, 0)
    made[t.a * 4 + AP].append(change)
    made[t.d * 4 + EP].append((ADD, defence, 0, 0, 1 - s, _STEP, NOBODY, 0))


def concerning_dice(t: Table) -> list[Held]:
    """What holds for the two of an attack and may concern the dice, in the order in which it is asked for.

    Dice verbs act behind the windows (M-6): whoever gave something is still there.
    """
    a, d = t.a, t.d
    if t.bound[a] or t.bound[d] or t.code.known.dice:
        return [held for aspect in DICE for key in (a, d) for held in holding(t, key, aspect)]
    return t.held


def roll_dice(t: Table, concerning: list[Held], rolls: Rolls, rerolled: list[Held]) -> None:
    """M-6: what is still to be rolled of the ATTACK D6, then of the DEFENCE D6, then rerolls, the attacking
    player's first."""
    for die, key in ((0, t.a), (1, t.d)):
        wanted = 1
        for held in concerning:
            if held[1] == ROLLS and held[0] == key and held[3] == die:
                wanted += held[2]
        for roll in rolls:
            wanted -= roll[0] == die
        for _ in range(wanted):
            rolls.append([die, 1 + int(t.dice() * 6), 0])
    before = list(rerolled)
    for key in (t.a, t.d):
        for held in concerning:
            if held[1] == REROLLS and held[0] == key:
                if held in before:
                    before.remove(held)
                else:
                    rerolled.append(held)
                    _may_reroll(t, rolls, key, held)


def _may_reroll(t: Table, rolls: Rolls, key: int, held: Held) -> None:
    """The OPERATOR's player may roll dice again, each one at most once for one permission."""
    count, die, enemy = held[2], held[3], held[4]
    own = 0 if key == t.a else 1
    if (die == own) == bool(enemy):
        return
    open_dice = [number for number, roll in enumerate(rolls) if roll[0] == die and not roll[2]]
    for _ in range(count):
        if not open_dice:
            return
        chosen = int(t.chance[t.side[key]]() * (len(open_dice) + 1))
        if not chosen:
            return
        number = open_dice.pop(chosen - 1)
        rolls[number][1] = 1 + int(t.dice() * 6)


def settle_critical(t: Table, concerning: list[Held], rolls: Rolls) -> None:
    """M-7: each die is added, or, if it is critical and the attacking player chooses so, AP is doubled."""
    threshold = _threshold(t, concerning)
    ap, ep, s = t.made[t.a * 4 + AP], t.made[t.d * 4 + EP], t.s
    for roll in rolls:
        if roll[2]:
            continue
        roll[2] = 1
        die, result, _ = roll
        if die:
            ep.append((ADD, result, 0, 0, 1 - s, _STEP, NOBODY, 0))
        elif result >= threshold and int(t.chance[s]() * 2):
            t.critical = True
            ap.append((MULTIPLY, 2, 0, 0, s, _STEP, NOBODY, 0))
        else:
            ap.append((ADD, result, 0, 0, s, _STEP, NOBODY, 0))


def _threshold(t: Table, concerning: list[Held]) -> int:
    """From which result on an ATTACK D6 is critical."""
    threshold = _ALWAYS_CRITICAL
    for held in concerning:
        if held[1] == ATTACK_CRITICAL and held[0] in (t.a, t.d):
            return 1
        if held[1] == DICE_CRITICAL and held[0] == t.a:
            threshold = min(threshold, held[2])
    return threshold
