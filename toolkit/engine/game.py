"""The GAME: TURN after TURN until somebody has won (RULES.md §4). Whatever a person decides is a Decision.

Kinds of decision of the game flow, beside those of ``decisions`` (first option: the default):

| kind | options |
|---|---|
| ``strategy`` | None (no more), then ids of STRATEGY and EFFECT cards in the hand (T-2) |
| ``action`` | every legal GameAction; None (pass) first where only BONUS ACTIONs are left (T-3) |
| ``item_stays`` | ``"keep"``, ``"discard"`` (T-4); ``about`` is the key of the bearer |
| ``exchange``, ``retreat`` | keys of fallen OPERATORs: who leaves the FIELD (T-4) |
| ``substitute`` | keys in the SAVEZONE; ``about`` is the key of the one who leaves (T-4) |
| ``fill`` | None (leave it free), then keys in the SAVEZONE; ``about`` is the FIELDPOSITION from 0 (T-4) |
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from toolkit.engine.actions import GameAction, legal_actions, perform
from toolkit.engine.course import Course
from toolkit.engine.decisions import Dice, NoAnswer, Players
from toolkit.engine.moments import play_card
from toolkit.engine.outcomes import AttackResult, EndlessChain, Outcome, Refusal, Stopped
from toolkit.engine.phases import close_turn, next_turn, prepare
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Side
from toolkit.engine.support import support
from toolkit.engine.victory import Verdict, by_objectives, by_operators, tie_break

MOST_ACTIONS = 200
"""So many ACTIONs are performed in a TURN; then COMBAT ends, however often OPERATORs become NORMAL again."""

_PLAYABLE = ("strategy", "effect")

Phase = Literal["PREPARATION", "STRATEGY", "COMBAT", "SUPPORT"]


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that happened in a GAME: in which phase, by whom, what (an ACTION, a card's id, or None for
    the phase itself), and what came of it."""

    phase: Phase
    side: Side
    what: GameAction | str | None
    outcome: Outcome


class Watcher(Protocol):
    """Anything that follows a GAME."""

    def saw(self, happening: Happening) -> None:
        """Called after each happening."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How it ended. ``verdict`` is None where a scripted source had no answer; ``stopped`` says why then.

    ``chain`` is the first chain of events that a bound stopped.
    """

    state: GameState
    verdict: Verdict | None
    stopped: str = ""
    chain: EndlessChain | None = None


def play_game(
    state: GameState, rules: Rules, players: Players, dice: Dice, watcher: Watcher | None = None
) -> Ending:
    """Play a GAME from its beginning (``new_game``) to its end. Without a watcher nothing is traced."""
    course = Course(rules, players, dice, state, traced=watcher is not None)
    try:
        while True:
            verdict = play_turn(course, watcher)
            if verdict is not None:
                return Ending(course.state, verdict, chain=course.chain)
    except NoAnswer as lacking:
        return Ending(course.state, None, str(lacking), course.chain)


def play_turn(course: Course, watcher: Watcher | None = None) -> Verdict | None:
    """One TURN with all its phases, none skipped; the verdict if the GAME ended in it."""
    prepare(course)
    _tell(course, watcher, "PREPARATION", course.state.turn, None)
    _strategy(course, watcher)
    verdict = by_objectives(course.state, course.rules) or _combat(course, watcher)
    if verdict is not None:
        return verdict
    side = course.state.turn
    support(course)
    verdict = by_operators(course.state, course.rules)
    if verdict is None:
        close_turn(course)
        if side == "red" and course.state.round >= course.rules.mode.max_rounds:
            verdict = tie_break(course.state, course.rules)
    _tell(course, watcher, "SUPPORT", side, None)
    if verdict is None:
        next_turn(course)
    return verdict


def _tell(
    course: Course,
    watcher: Watcher | None,
    phase: Phase,
    side: Side,
    what: GameAction | str | None,
    attack: AttackResult | None = None,
) -> None:
    if watcher is not None:
        outcome = Outcome(course.state, tuple(course.entries), attack, course.new_chain)
        course.entries.clear()
        course.new_chain = None
        watcher.saw(Happening(phase, side, what, outcome))


# STRATEGY (T-2)


def _strategy(course: Course, watcher: Watcher | None) -> None:
    """The TURN's player, then the opponent; if he played a card, the TURN's player once more."""
    first, second = course.sides()
    _play_cards(course, first, watcher)
    if _play_cards(course, second, watcher):
        _play_cards(course, first, watcher)


def _play_cards(course: Course, side: Side, watcher: Watcher | None) -> bool:
    """Any number of STRATEGY and EFFECT cards; whether there was one."""
    played = False
    refused: set[str] = set()
    while True:
        cards = _playable(course, side, refused)
        if not cards:
            return played
        chosen = course.ask("strategy", side, (None, *cards), "STRATEGY: a card to play?")
        if not isinstance(chosen, str):
            return played
        result = play_card(
            course.state, course.rules, side, chosen, course.players, course.dice, traced=course.traced
        )
        if _taken(course, result):
            played = True
            _tell(course, watcher, "STRATEGY", side, chosen)
        else:
            refused.add(chosen)


def _playable(course: Course, side: Side, refused: set[str]) -> tuple[str, ...]:
    cards = course.rules.cards
    hand = course.state.player(side).hand
    return tuple(
        dict.fromkeys(card for card in hand if cards[card].kind in _PLAYABLE and card not in refused)
    )


def _taken(course: Course, result: Outcome | Refusal) -> bool:
    """Go on from an outcome; False for a refusal. NoAnswer where a scripted source had none."""
    if isinstance(result, Stopped):
        raise NoAnswer(result.sentence)
    if isinstance(result, Refusal):
        return False
    course.take(result)
    return True


# COMBAT (T-3, T-5)


def _combat(course: Course, watcher: Watcher | None) -> Verdict | None:
    """The players alternate until neither performs an ACTION any more."""
    side, other_side = course.sides()
    passed = 0
    for _ in range(MOST_ACTIONS):
        while not _act(course, side, watcher):
            passed += 1
            if passed == 2:
                return None
            side, other_side = other_side, side
        verdict = by_objectives(course.state, course.rules)
        if verdict is not None:
            return verdict
        passed = 0
        side, other_side = other_side, side
    course.note("note", "T-3", f"COMBAT ends after {MOST_ACTIONS} ACTIONs")
    return None


def _act(course: Course, side: Side, watcher: Watcher | None) -> bool:
    """One ACTION of one OPERATOR, after which he is EXHAUSTED; False if the player passes.

    T-3: he passes when he can no longer act. **Ruling:** a BONUS ACTION may be left out.
    """
    options = legal_actions(course.state, course.rules, side)
    while options:
        must = any(
            not option.bonus and course.state.operators[option.by].status == "NORMAL" for option in options
        )
        offered = options if must else (None, *options)
        chosen = course.ask("action", side, offered, "COMBAT: which ACTION?")
        if not isinstance(chosen, GameAction):
            return False
        result = perform(
            course.state,
            course.rules,
            chosen,
            course.players,
            course.dice,
            traced=course.traced,
            legal=True,
        )
        if _taken(course, result):
            attack = result.attack if isinstance(result, Outcome) else None
            _tell(course, watcher, "COMBAT", side, chosen, attack)
            return True
        options = tuple(option for option in options if option != chosen)
    return False
