"""TURN after TURN until somebody has won: the twin of ``engine.game`` and ``phases``."""

from __future__ import annotations

from toolkit.engine.game import MOST_ACTIONS
from toolkit.engine.swift.acting import act
from toolkit.engine.swift.asking import push
from toolkit.engine.swift.changing import laid
from toolkit.engine.swift.codes import MOVE, NOBODY, STRATEGY_CARD, UNTIL_ROUND, UNTIL_TURN
from toolkit.engine.swift.events import run, settle
from toolkit.engine.swift.lasting import lapse
from toolkit.engine.swift.options import choose
from toolkit.engine.swift.support import support
from toolkit.engine.swift.table import EVERYTHING, Table
from toolkit.engine.swift.verbs import draw, judge, put_down
from toolkit.engine.swift.victory import Verdict, by_objectives, by_operators, tie_break
from toolkit.engine.swift.waiting import plan_tactics


def play_turn(t: Table) -> Verdict | None:
    """One TURN with all its phases; the verdict if the GAME ended in it."""
    t.effects_done = 0
    draw(t, t.turn, 1)
    if t.unjudged:
        settle(t)
        t.effects_done = 0
    if "turn-begins" in t.code.heard:
        push(t, "turn-begins")
        run(t)
    _strategy(t)
    verdict = by_objectives(t) or _combat(t)
    if verdict is not None:
        return verdict
    support(t)
    verdict = by_operators(t)
    if verdict is not None:
        return verdict
    _close(t)
    if t.turn == 1 and t.round >= t.rules.max_rounds:
        return tie_break(t)
    _next(t)
    return None


def _close(t: Table) -> None:
    """After SUPPORT (M-11): `when the TURN ends`, then what lasts until then lapses, BONUS too (K-3)."""
    t.effects_done = 0
    if "turn-ends" in t.code.heard:
        push(t, "turn-ends")
        run(t)
    _end(t, UNTIL_TURN)
    _end_bonuses(t)
    if t.turn == 1:
        _end(t, UNTIL_ROUND)


def _end_bonuses(t: Table) -> None:
    if any(t.bonuses):
        for bonuses in (*t.bonuses, *t.given):
            bonuses.clear()


def _end(t: Table, duration: int) -> None:
    lapse(t, duration)
    if t.unjudged:
        judge(t)
    if t.queue:
        run(t)


def _next(t: Table) -> None:
    """The other player's TURN; after red's it is in the next ROUND."""
    t.round += t.turn
    t.turn = 1 - t.turn
    _end_bonuses(t)
    t.used[:] = [False] * len(t.used)
    for side in (0, 1):
        t.done[side][:] = (0, 0, 0, 0, 0)
        t.open[side] |= t.rules.open
    if t.code.known.fixes or any(t.heavy):  # whose TURN it is decides between Fixes (N-6)
        t.unjudged = True
        t.stale = EVERYTHING
    if t.unjudged:
        settle(t)


# STRATEGY (T-2)


def _strategy(t: Table) -> None:
    """The TURN's player, then the opponent; if he played a card, the TURN's player once more."""
    first = t.turn
    _play_cards(t, first)
    if _play_cards(t, 1 - first):
        _play_cards(t, first)


def _play_cards(t: Table, side: int) -> bool:
    """Any number of STRATEGY and EFFECT cards; whether there was one."""
    played = False
    strategies, effects = t.playable[side][STRATEGY_CARD:]
    refusals: set[int] = set()
    while strategies or effects:
        cards = effects or strategies
        if strategies and effects:  # in the order of the hand
            cards = [card for card in t.hands[side] if t.kinds[card] >= STRATEGY_CARD]
        if refusals:
            cards = [card for card in cards if card not in refusals]
            if not cards:
                return played
        if len(cards) > 1:
            cards = list(dict.fromkeys(cards))
        chosen = int(t.chance[side]() * (len(cards) + 1))
        if not chosen:
            return played
        card = cards[chosen - 1]
        if t.kinds[card] == STRATEGY_CARD and t.rules.strategy_positions == 0:
            refusals.add(card)
        else:
            played = True
            _play_card(t, side, card)
    return played


def _play_card(t: Table, side: int, card: int) -> None:
    """A STRATEGY goes onto a strategy position (C-5); an EFFECT acts once, then it is discarded."""
    t.effects_done = 0
    t.give(side, card)
    is_strategy = t.kinds[card] == STRATEGY_CARD
    if is_strategy:
        strategies = t.strategies[side]
        if len(strategies) >= t.rules.strategy_positions:
            given = strategies[int(t.chance[side]() * len(strategies))]
            strategies.remove(given)
            put_down(t, side, given)
            laid(t, given, NOBODY)
        strategies.append(card)
        plan_tactics(t, side)
        laid(t, card, NOBODY)
    if t.unjudged:
        judge(t)
    if t.code.events["played"][card]:
        push(t, "played", (), (), side, card)
    if t.queue:
        run(t)
    if not is_strategy:
        put_down(t, side, card)


# COMBAT (T-3, T-5)


def _combat(t: Table) -> Verdict | None:
    """The players alternate until neither performs an ACTION any more."""
    side, passed = t.turn, 0
    for _ in range(MOST_ACTIONS):
        way = choose(t, side)
        while way is None:
            passed += 1
            if passed == 2:
                return None
            side = 1 - side
            way = choose(t, side)
        act(t, side, way)
        if way[1] == MOVE:  # nothing else can have CAPTURED an OBJECTIVE
            verdict = by_objectives(t)
            if verdict is not None:
                return verdict
        passed = 0
        side = 1 - side
    return None
