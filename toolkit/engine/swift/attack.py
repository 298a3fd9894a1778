"""The ACTION Attack: MODIFY, the comparison and its events (A-1): the twin of ``attacking``, ``modify``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from toolkit.engine.swift.asking import push
from toolkit.engine.swift.codes import (
    AP,
    ATTACK_CARD,
    DEFENCE_CARD,
    DP,
    EP,
    IGNORES,
    NO_DEFENCE,
    UNTIL_ATTACK,
    VIOLATION,
    Change,
    Held,
)
from toolkit.engine.swift.dice import Rolls, concerning_dice, plain, roll_dice, roll_plain, settle_critical
from toolkit.engine.swift.events import is_heard, run
from toolkit.engine.swift.lasting import lapse
from toolkit.engine.swift.numbers import changed, number
from toolkit.engine.swift.standing import active, alive, gather_auras, holding
from toolkit.engine.swift.table import Bucket, Table
from toolkit.engine.swift.verbs import attach, judge
from toolkit.engine.swift.waiting import ATTACKED, ATTACKER, gather, worn
from toolkit.engine.swift.ways import WOUNDED


def attack(t: Table, a: int, d: int) -> Sequence[int]:
    """A-1 from the first step of MODIFY to the end of the attack; thresholds of RULEVIOLATION that it
    brought its attacker (K-2)."""
    t.a, t.d, t.s = a, d, t.side[a]
    t.attacking = t.in_modify = True
    t.critical = t.shaken = False
    t.since_windows, t.since_compared = t.serial, None
    complete = _modify(t, a, d)
    t.in_modify = False
    if complete:
        _compare(t, a, d)
    if t.unjudged:
        judge(t)
    if t.queue:
        run(t)
    return _end(t)


def _modify(t: Table, a: int, d: int) -> bool:
    """MODIFY in exactly this order; whether there are two OPERATORs to compare in the end."""
    code, att = t.code, t.att
    waiting = gather(t, a, d)
    for bucket, careful in code.before_windows:
        if waiting[bucket]:
            _act(t, waiting[bucket], careful)
    mine, yours = t.playable[t.s][ATTACK_CARD], t.playable[1 - t.s][DEFENCE_CARD]
    if mine and not att[a]:
        _window(t, a, ATTACK_CARD, mine)
    if yours and not att[d]:
        _window(t, d, DEFENCE_CARD, yours)
    if mine and att[d] and not att[a]:
        _window(t, a, ATTACK_CARD, mine)
    if t.shaken and not (active(t, a) and active(t, d)):
        return False
    for bucket, careful in code.after_windows:
        if waiting[bucket]:
            _act(t, waiting[bucket], careful)
    bucket, careful = code.at_last
    late = waiting[bucket]
    if not late and plain(t):
        roll_plain(t)
        return True
    rolls: Rolls = []
    rerolled: list[Held] = []
    _roll(t, rolls, rerolled)
    if late:
        _act(t, late, careful)
        _roll(t, rolls, rerolled)
    return True


def _roll(t: Table, rolls: Rolls, rerolled: list[Held]) -> None:
    concerning = concerning_dice(t)
    roll_dice(t, concerning, rolls, rerolled)
    settle_critical(t, concerning, rolls)


def _act(t: Table, waiting: Bucket, careful: bool) -> None:
    """Everything of one bucket acts together (M-8).

    ``careful``: something in it may read what something else in it changes, so that all is measured first.
    """
    if t.shaken:
        waiting = [one for one in waiting if alive(t, one[2], one[3])]
    a, d, made, held = t.a, t.d, t.made, t.held
    if not careful or len(waiting) == 1:
        for function, controller, bearer, _ in waiting:
            function(controller, bearer, a, d, made, held)
        return
    measured: defaultdict[int, list[Change]] = defaultdict(list)
    holding_too: list[Held] = []
    for function, controller, bearer, _ in waiting:
        function(controller, bearer, a, d, measured, holding_too)
    for place, found in measured.items():
        made[place] += found
    held += holding_too


def _window(t: Table, bearer: int, kind: int, playable: list[int]) -> None:
    """One window of M-5: the player attaches a card of the right kind from his hand, or none (C-1)."""
    side = t.side[bearer]
    if t.status[bearer] >= 2:
        return
    if kind == DEFENCE_CARD and t.code.known.forbids_defence and holding(t, bearer, NO_DEFENCE):
        return
    if len(playable) > 1:
        playable = list(dict.fromkeys(playable))
    chosen = int(t.chance[side]() * (len(playable) + 1))
    if not chosen:
        return
    card = playable[chosen - 1]
    t.give(side, card)
    attach(t, bearer, card)
    start: Bucket = []
    for bucket, waiting in worn(t, ATTACKER if kind == ATTACK_CARD else ATTACKED, card, bearer):
        t.waiting[bucket].append(waiting)
        if bucket == 0:
            start.append(waiting)
    if start:
        _act(t, start, t.code.before_windows[0][1])
    if t.queue:
        run(t)


def _compare(t: Table, a: int, d: int) -> None:
    """A-1: AP against EP; the difference goes onto the HITCOUNTER."""
    made = t.made
    if t.auras_stale:
        gather_auras(t)
    damage = changed(t, a, AP, made[a * 4 + AP]) - changed(t, d, EP, made[d * 4 + EP])
    t.since_compared = t.serial
    if damage > 0:
        t.hit[d] += damage
        t.marked.add(d)
        t.open[1 - t.s] |= 1 << WOUNDED + t.pos[d]
        if t.hit[d] >= number(t, d, DP):
            t.unjudged = True
    if (t.held or t.code.known.changes_dp) and _touches_dp(t):
        t.unjudged = True
    if t.critical and is_heard(t, "critical"):
        push(t, "critical")
    name = "hits" if damage > 0 else "misses"
    if t.queue or is_heard(t, name):
        push(t, name)


def _touches_dp(t: Table) -> bool:
    """Whether DP may be others in this attack than outside of it."""
    for held in t.held:
        if held[1] == IGNORES:
            return True
    return t.code.known.changes_dp and any(t.made[DP::4])


def _end(t: Table) -> Sequence[int]:
    """What lasts until end of ATTACK lapses, the numbers of MODIFY are gone, and H-1 is judged again."""
    violations: Sequence[int] = ()
    if t.held:
        violations = [
            one[2] for one in t.held if one[1] == VIOLATION and one[0] == t.a and alive(t, one[5], one[6])
        ]
    if t.ends[UNTIL_ATTACK]:
        lapse(t, UNTIL_ATTACK)
    t.attacking = t.critical = False
    if t.held or t.code.known.changes_dp:
        t.unjudged = t.unjudged or _touches_dp(t)
        t.held.clear()
    _forget_made(t)
    t.verdicts.clear()
    if t.unjudged:
        judge(t)
    if t.queue:
        run(t)
    return violations


def _forget_made(t: Table) -> None:
    """What the attack has made of numbers is gone."""
    if t.code.known.spreads:
        for made in t.made:
            made.clear()
    else:
        t.made[t.a * 4 + AP].clear()
        t.made[t.d * 4 + EP].clear()
