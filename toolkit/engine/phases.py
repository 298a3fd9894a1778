"""PREPARATION and the end of a TURN (T-1, T-4, M-11); STRATEGY and COMBAT are in ``game``."""

from __future__ import annotations

from toolkit.engine import moments
from toolkit.engine.course import Course
from toolkit.engine.decisions import Dice, NoAnswer, Players
from toolkit.engine.outcomes import Outcome, Stopped
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, other
from toolkit.engine.support import support


def end_turn(
    state: GameState, rules: Rules, players: Players, dice: Dice, *, traced: bool = True
) -> Outcome | Stopped:
    """What ``{action: end-turn}`` of a scenario does: from after COMBAT to the next player's PREPARATION.

    SUPPORT of both players (T-4); the events `when the TURN ends`, then durations lapse (M-11); the next
    TURN, after red's in the next ROUND; its PREPARATION with its events. ``Stopped`` if a scripted source had
    no answer. Whether somebody has won is not asked.
    """
    course = Course(rules, players, dice, state, traced)
    try:
        support(course)
        close_turn(course)
        next_turn(course)
        prepare(course)
    except NoAnswer as lacking:
        return Stopped("", str(lacking))
    return course.outcome()


def close_turn(course: Course) -> None:
    """After SUPPORT: the TURN's end with its events, and what lasts until then lapses (M-11).

    Blue's TURN is the first of a ROUND (the first-named squad begins), so red's ends it (RULES.md §4).
    """
    ends_round = course.state.turn == "red"
    course.take(
        moments.end_turn(
            course.state,
            course.rules,
            course.players,
            course.dice,
            ends_round=ends_round,
            traced=course.traced,
        )
    )


def next_turn(course: Course) -> None:
    """The other player's TURN; after red's it is in the next ROUND. Numbers may ask for it (H-1)."""
    state = course.state
    course.state = state.fresh_turn(other(state.turn), state.round + (state.turn == "red"))
    course.settle()


def prepare(course: Course) -> None:
    """PREPARATION: the TURN's player draws a card (T-1), then `when the TURN begins` (M-11)."""
    side = course.state.turn
    drawn = course.draw(side)
    course.note("card", "T-1", f"{side} draws a card" if drawn else f"{side}'s DECK is empty")
    course.settle()
    course.take(
        moments.begin_turn(course.state, course.rules, course.players, course.dice, traced=course.traced)
    )
