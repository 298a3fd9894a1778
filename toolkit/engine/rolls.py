"""Step 6 of MODIFY: the dice, rerolls, and CRITICAL (M-6, M-7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from toolkit.dsl import tree
from toolkit.engine.attack import Attack, apply
from toolkit.engine.board import Holding
from toolkit.engine.decisions import Decision, DieOption
from toolkit.engine.numbers import Change
from toolkit.engine.outcomes import Roll
from toolkit.engine.play import Play
from toolkit.engine.state import Key

DICE_STEP = 6
_ALWAYS_CRITICAL = 6
"""A 6 is critical without any effect (M-7)."""


def roll_dice(play: Play, attack: Attack) -> None:
    """M-6: the ATTACK D6, then the DEFENCE D6, then rerolls, the attacking player's first.

    Rolls what is still to be rolled, so that dice won by a CRITICAL can follow the others.
    """
    for die, key in (("ATTACK", attack.attacker), ("DEFENCE", attack.attacked)):
        wanted = 1 + sum(
            held.does.count
            for held in play.board().held(key, tree.RollsExtra)
            if isinstance(held.does, tree.RollsExtra) and held.does.die == die
        )
        rolled = sum(roll.die == die for roll in attack.rolls)
        for _ in range(wanted - rolled):
            _roll(play, attack, die, key)
    before = list(attack.rerolled)
    for key in (attack.attacker, attack.attacked):
        for held in play.board().held(key, tree.MayReroll):
            if not isinstance(held.does, tree.MayReroll):
                continue
            if held in before:
                before.remove(held)
            else:
                attack.rerolled.append(held)
                _may_reroll(play, attack, key, held, held.does)


def _roll(play: Play, attack: Attack, die: str, key: Key) -> None:
    result = play.roll(f"{die} D6", play.operator(key).side)
    attack.rolls.append(Roll(len(attack.rolls) + 1, die, result))
    play.note("die", "M-6", f"{die} D6 of {play.name(key)}: {result}", step=DICE_STEP, who=key, after=result)


def _may_reroll(play: Play, attack: Attack, key: Key, held: Holding, does: tree.MayReroll) -> None:
    """The OPERATOR's player may roll dice again, each one at most once for one permission.

    Without `enemy` it is the OPERATOR's own die, with `enemy` the other one's; a permission that speaks of
    the other die does nothing in this attack. Dice that were doubled already stay as they are.
    """
    own = "ATTACK" if key == attack.attacker else "DEFENCE"
    roller = attack.attacker if does.die == "ATTACK" else attack.attacked
    if (does.die == own) == does.enemy:
        return
    taken: set[int] = set()
    for _ in range(does.count):
        options = tuple(
            DieOption(roll.number, roll.die, roll.result)
            for roll in attack.rolls
            if roll.die == does.die and roll.number not in taken and not roll.settled
        )
        if not options:
            return
        side = play.operator(key).side
        whose = f"of the enemy {play.name(roller)}" if does.enemy else "of his own"
        why = f"{play.name(key)} may reroll {'an' if does.die == 'ATTACK' else 'a'} {does.die} D6 {whose}."
        chosen = play.ask(Decision("reroll", side, (None, *options), why, held.origin))
        if not isinstance(chosen, DieOption):
            return
        taken.add(chosen.number)
        _reroll(play, attack, chosen, held, key)


def _reroll(play: Play, attack: Attack, chosen: DieOption, held: Holding, key: Key) -> None:
    roller = attack.attacker if chosen.die == "ATTACK" else attack.attacked
    result = play.roll("reroll", play.operator(roller).side)
    roll = attack.rolls[chosen.number - 1]
    attack.rolls[chosen.number - 1] = replace(roll, result=result, rerolled=(*roll.rerolled, roll.result))
    text = f"{chosen.die} D6 of {play.name(roller)} rolled again: {roll.result} → {result}"
    play.note(
        "die",
        "M-6",
        text,
        step=DICE_STEP,
        origin=held.origin,
        who=key,
        before=roll.result,
        after=result,
    )


def settle_critical(play: Play, attack: Attack) -> None:
    """M-7: each die is added, or, if it is critical and the attacking player chooses so, AP is doubled.

    A die is critical on a 6, from the lowest threshold of the attacker's effects on, and whatever it shows if
    an effect of one of the two makes the attack CRITICAL. Each doubling is one more × 2 of the Multiply
    layer.
    """
    threshold = min(_thresholds(play, attack), default=_ALWAYS_CRITICAL)
    for index, roll in enumerate(attack.rolls):
        if roll.settled:
            continue
        settled = replace(roll, settled=True)
        if roll.die == "ATTACK" and roll.result >= threshold:
            doubled = _wants_double(play, attack, roll)
            settled = replace(settled, critical=True, doubled=doubled)
            attack.critical = attack.critical or doubled
        attack.rolls[index] = settled
    for index, roll in enumerate(attack.rolls):
        if roll.counted:
            continue
        attack.rolls[index] = replace(roll, counted=True)
        _count(play, attack, attack.rolls[index])


def _thresholds(play: Play, attack: Attack) -> Iterator[int]:
    board = play.board()
    for held in board.held(attack.attacker, tree.MakesDiceCritical):
        if isinstance(held.does, tree.MakesDiceCritical):
            yield min(held.does.threshold, _ALWAYS_CRITICAL)
    for key in (attack.attacker, attack.attacked):
        if board.held(key, tree.MakesAttackCritical):
            yield 1


def _wants_double(play: Play, attack: Attack, roll: Roll) -> bool:
    option = DieOption(roll.number, roll.die, roll.result)
    why = f"The ATTACK D6 shows {roll.result} and is critical: add it, or double AP instead?"
    answer = play.ask(Decision("critical", attack.side, ("add", "double"), why, None, option))
    choice = "doubles AP in place of adding" if answer == "double" else "does not double AP, but adds"
    text = f"{attack.side} {choice} the critical {roll.result}"
    play.note("decision", "M-7", text, step=DICE_STEP, who=attack.attacker)
    return answer == "double"


def _count(play: Play, attack: Attack, roll: Roll) -> None:
    """Add the die to the attacker's AP or the attacked EP (M-6), or double AP instead (M-7)."""
    key = attack.attacker if roll.die == "ATTACK" else attack.attacked
    side = play.operator(key).side
    stat = "AP" if roll.die == "ATTACK" else "EP"
    if roll.doubled:
        change = Change(key, stat, "multiply", 2, DICE_STEP, side, "M-7")
    else:
        change = Change(key, stat, "add", roll.result, DICE_STEP, side, "M-6")
    apply(play, attack, change, DICE_STEP)
