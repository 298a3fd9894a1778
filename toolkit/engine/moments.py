"""What happens beside ACTIONs: cards played, TURNs that begin and end, durations that lapse, SUPPORT's
parts."""

from __future__ import annotations

from dataclasses import replace

from toolkit.dsl.tree import DurationName
from toolkit.engine.attaching import detach, discarded, without_card
from toolkit.engine.board import Board
from toolkit.engine.decisions import Decision, Dice, NoAnswer, Players
from toolkit.engine.events import run
from toolkit.engine.falling import judge_hits
from toolkit.engine.lapsing import lapse
from toolkit.engine.outcomes import Outcome, Refusal, Stopped
from toolkit.engine.performance import reward
from toolkit.engine.play import Play
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key, Side


def play_card(
    state: GameState,
    rules: Rules,
    side: Side,
    card: str,
    players: Players,
    dice: Dice,
    *,
    traced: bool = True,
) -> Outcome | Refusal:
    """Play a STRATEGY or EFFECT card from the hand (T-2, C-4, C-5). Phases are the game flow's."""
    refused = card_refusal(state, rules, side, card)
    if refused is not None:
        return refused
    play = Play(rules, state, players, dice, traced)
    kind = rules.cards[card].kind
    try:
        (_strategy if kind == "strategy" else _effect)(play, side, card)
    except NoAnswer as leaving:
        return Stopped("", str(leaving))
    return play.outcome()


def card_refusal(state: GameState, rules: Rules, side: Side, card: str) -> Refusal | None:
    """Why a card cannot be played; None if it can."""
    if card not in state.player(side).hand:
        return Refusal("T-2", f"{side} has no {card} in hand.")
    kind = rules.cards[card].kind
    if kind in ("attack", "defence"):
        return Refusal("M-5", f"{card} is attached in an attack, in step 5 of MODIFY.")
    if kind not in ("strategy", "effect"):
        return Refusal("T-2", f"{card} is neither a STRATEGY nor an EFFECT card.")
    if kind == "strategy" and rules.mode.strategy_positions == 0:
        return Refusal("C-5", "There are no strategy positions in this mode.")
    return None


def _effect(play: Play, side: Side, card: str) -> None:
    """An EFFECT acts once, then it goes to the DISCARDZONE."""
    _leave_hand(play, side, card)
    judge_hits(play)
    play.push("played", side=side, name_of=card)
    run(play)
    play.state = discarded(play.state, play.rules, side, card)


def _strategy(play: Play, side: Side, card: str) -> None:
    """A STRATEGY goes onto a strategy position; where none is free one of his own is discarded first
    (C-5)."""
    _leave_hand(play, side, card)
    if len(play.state.player(side).strategies) >= play.rules.mode.strategy_positions:
        _free_position(play, side)
    player = play.state.player(side)
    play.state = play.state.with_player(side, replace(player, strategies=(*player.strategies, card)))
    judge_hits(play)
    play.push("played", side=side, name_of=card)
    run(play)


def _free_position(play: Play, side: Side) -> None:
    player = play.state.player(side)
    why = "All strategy positions are taken: which STRATEGY is discarded?"
    given = play.ask(Decision("strategy_discard", side, player.strategies, why))
    assert isinstance(given, str)
    left = without_card(player.strategies, given)
    play.state = play.state.with_player(side, replace(player, strategies=left))
    play.state = discarded(play.state, play.rules, side, given)
    play.note("card", "C-5", f"{side} discards {given}")


def _leave_hand(play: Play, side: Side, card: str) -> None:
    player = play.state.player(side)
    play.state = play.state.with_player(side, replace(player, hand=without_card(player.hand, card)))
    play.note("card", "T-2", f"{side} plays {card}")


def begin_turn(
    state: GameState, rules: Rules, players: Players, dice: Dice, *, traced: bool = True
) -> Outcome:
    """The events `when the TURN begins` of both players (M-11), for a state made by ``fresh_turn``."""
    play = Play(rules, state, players, dice, traced)
    play.push("turn-begins")
    run(play)
    return play.outcome()


def end_turn(
    state: GameState, rules: Rules, players: Players, dice: Dice, *, ends_round: bool, traced: bool = True
) -> Outcome:
    """After SUPPORT (M-11): `when the TURN ends` events, then what lasts until end of TURN lapses, BONUS too
    (K-3), then, if the ROUND ends, what lasts until end of ROUND. H-1 is judged after each."""
    play = Play(rules, state, players, dice, traced)
    play.push("turn-ends")
    run(play)
    _end(play, "TURN")
    for who in play.state.operators:
        if who.bonuses:
            play.change(who.key, bonuses=())
    if ends_round:
        _end(play, "ROUND")
    return play.outcome()


def _end(play: Play, duration: DurationName) -> None:
    lapse(play, duration)
    judge_hits(play)
    run(play)


def settle(state: GameState, rules: Rules, players: Players, dice: Dice, *, traced: bool = True) -> Outcome:
    """Judge H-1 after something was changed from outside (SUPPORT), and play the events that come of it."""
    play = Play(rules, state, players, dice, traced)
    judge_hits(play)
    run(play)
    return play.outcome()


def give_reward(
    state: GameState, rules: Rules, side: Side, players: Players, dice: Dice, *, traced: bool = True
) -> Outcome:
    """One reward for PERFORMANCE (K-1), for triggers that are not effects."""
    play = Play(rules, state, players, dice, traced)
    reward(play, side)
    run(play)
    return play.outcome()


def leave_field(state: GameState, rules: Rules, key: Key) -> GameState:
    """The OPERATOR goes to the SAVEZONE.

    **Ruling:** what lasts while on the FIELD ends, his counters are removed and his card goes to the discard;
    other durations run on.
    """
    state = detach(state, rules, key)
    who = state.operators[key]
    lasting = tuple(one for one in who.lasting if one.duration != "FIELD")
    state = state.with_operator(replace(who, lasting=lasting, hitcounter=0, objectivecounter=0))
    return state.placed(key, None)


def discard_attached(state: GameState, rules: Rules, key: Key) -> GameState:
    """T-4: the attached card, if any, goes to the DISCARDZONE, an ITEM to the ITEMDISCARDZONE. H-1 is the
    caller's (``settle``)."""
    return detach(state, rules, key)


def current_number(state: GameState, rules: Rules, key: Key, stat: str) -> int:
    """A current number outside an attack (N-1, M-10), never below the floor (N-5)."""
    return Board(state, rules).number(key, stat)


def current_numbers(state: GameState, rules: Rules, key: Key) -> dict[str, int]:
    """All four current numbers of an OPERATOR outside an attack."""
    board = Board(state, rules)
    return {stat: board.number(key, stat) for stat in ("AP", "EP", "DP", "MP")}
