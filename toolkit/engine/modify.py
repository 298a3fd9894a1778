"""MODIFY: what makes the numbers of an attack, step by step in the order of RULES.md §6."""

from __future__ import annotations

from toolkit.engine.attack import Attack, act, tell_standing
from toolkit.engine.play import Play
from toolkit.engine.rolls import roll_dice, settle_critical
from toolkit.engine.rules import AFTER_CRITICAL, START
from toolkit.engine.windows import Wishes, card_windows

SUPPRESSION, SKILL, TEAMWORK, STRATEGY, CARDS, DICE = range(1, 7)


def modify(play: Play, attack: Attack, wishes: Wishes) -> bool:
    """Perform MODIFY in exactly this order. True if there are two OPERATORs to compare in the end.

    The numbers of all OPERATORs on the FIELD come about (M-11); ``attack.board`` holds them.
    """
    from_the_start(play, attack)  # M-8, M-10
    act(play, attack, SUPPRESSION)  # M-1
    act(play, attack, SKILL)  # M-2
    act(play, attack, TEAMWORK)  # M-3
    act(play, attack, STRATEGY)  # M-4
    card_windows(play, attack, wishes)  # M-5
    if not both_up(play, attack):
        return False
    act(play, attack, CARDS)  # M-5, M-9
    act(play, attack, DICE)  # the dice verbs of all effects
    roll_dice(play, attack)  # M-6
    settle_critical(play, attack)  # M-7
    act(play, attack, AFTER_CRITICAL)  # M-8
    roll_dice(play, attack)  # dice that were won by a CRITICAL
    settle_critical(play, attack)
    return True


def from_the_start(play: Play, attack: Attack) -> None:
    """What counts before step 1: lasting modifications (N-3), effects without `when` (M-10), permissions."""
    if play.traced:
        tell_standing(play, attack)
    act(play, attack, START)


def both_up(play: Play, attack: Attack) -> bool:
    """Whether the attack still has its two OPERATORs; `when attached` may have made one of them OUT."""
    return play.operator(attack.attacker).is_active and play.operator(attack.attacked).is_active
