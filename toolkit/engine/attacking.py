"""The ACTION Attack: MODIFY, the comparison, and the events of the attack (A-1, M-11)."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.engine.attack import Attack, begin_attack
from toolkit.engine.board import Holding
from toolkit.engine.counters import set_counter
from toolkit.engine.events import run
from toolkit.engine.falling import judge_hits
from toolkit.engine.lapsing import lapse
from toolkit.engine.modify import modify
from toolkit.engine.outcomes import AttackResult
from toolkit.engine.play import Play
from toolkit.engine.sources import is_alive
from toolkit.engine.state import Key
from toolkit.engine.windows import Wishes


def attack(play: Play, attacker: Key, attacked: Key, wishes: Wishes) -> None:
    """A-1 from the first step of MODIFY to the end of the attack; whether it is allowed was asked before."""
    going_on = begin_attack(play.state, play.rules, attacker, attacked)
    play.attack, play.in_modify = going_on, True
    complete = modify(play, going_on, wishes)
    play.in_modify = False
    if complete:
        compare(play, going_on)
    else:
        play.note("note", "A-1", "one of the two is no longer there: nothing is compared")
    judge_hits(play)
    run(play)
    end_attack(play, going_on)


def compare(play: Play, going_on: Attack) -> None:
    """A-1: AP against EP; the difference goes onto the HITCOUNTER. M-11: CRITICAL, hits or misses, then
    HIT."""
    attacker, attacked = going_on.attacker, going_on.attacked
    board = play.board()
    ap, ep = board.number(attacker, "AP"), board.number(attacked, "EP")
    damage = max(0, ap - ep)
    play.result = AttackResult(
        attacker,
        attacked,
        ap,
        ep,
        damage,
        going_on.critical,
        tuple(going_on.rolls),
        tuple(board.counting(attacker, "AP")),
        tuple(board.counting(attacked, "EP")),
    )
    verdict = f"hits for {damage}" if damage else "misses"
    text = f"AP {ap} of {play.name(attacker)} against EP {ep} of {play.name(attacked)}: the attack {verdict}"
    play.note("compare", "A-1", text, who=attacker, before=ap, after=ep)
    going_on.after_comparison(play.state)
    if damage:
        counter = play.operator(attacked).hitcounter + damage
        set_counter(play, attacked, "HITCOUNTER", counter, "A-1")
    if going_on.critical:
        play.push("critical")
    play.push("hits" if damage else "misses")


def end_attack(play: Play, going_on: Attack) -> None:
    """What lasts until end of ATTACK lapses, the numbers of MODIFY are gone, and H-1 is judged on the
    others."""
    violations: list[int] = []
    for holding in going_on.holdings:
        if not isinstance(holding.does, tree.GainsRuleviolation) or holding.who != going_on.attacker:
            continue
        if is_alive(play.state, holding.bearer, holding.card):
            violations.append(holding.does.threshold)
        elif play.traced:
            _tell_void(play, holding, holding.does.threshold)
    play.violations = tuple(violations)
    lapse(play, "ATTACK")
    play.attack = None
    judge_hits(play)
    run(play)


def _tell_void(play: Play, holding: Holding, threshold: int) -> None:
    """C-3: a RULEVIOLATION lapses with the OPERATOR or the card that gave it."""
    assert holding.bearer is not None, "what nobody bears is always there"
    bearer = play.operator(holding.bearer)
    name = play.name(bearer.key)
    gone = f"{holding.card} is no longer on {name}" if bearer.is_active else f"{name} is {bearer.status}"
    text = f"RULEVIOLATION {threshold}+ has lapsed, for {gone}"
    play.note("skipped", "C-3", text, origin=holding.origin, who=holding.who)
