"""ACTIONs from their modifications to their end: the twin of ``engine.actions`` and ``engine.moves``."""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.engine.swift.asking import push
from toolkit.engine.swift.attack import attack
from toolkit.engine.swift.changing import swapped
from toolkit.engine.swift.codes import (
    ATTACK,
    EXHAUSTED,
    MEDIC,
    MOVE,
    MP,
    NOBODY,
    NORMAL,
    OUT,
    SWAP,
    VIOLATION,
)
from toolkit.engine.swift.counters import set_hitcounter
from toolkit.engine.swift.events import run
from toolkit.engine.swift.facts import NEVER
from toolkit.engine.swift.numbers import number
from toolkit.engine.swift.standing import holding, may_hold
from toolkit.engine.swift.table import Table
from toolkit.engine.swift.verbs import fall, judge, lose_bonus
from toolkit.engine.swift.ways import Way

_VIOLATES = 1 << VIOLATION


def act(t: Table, side: int, way: Way) -> None:
    """Perform an ACTION that is legal."""
    place, action, other, bonus = way
    code, row, status = t.code, t.rows[side], t.status
    by, on, kind = row[place], NOBODY, action
    if action == ATTACK:
        on = t.rows[1 - side][other]
    elif action == MEDIC:
        on = row[other]
    elif action == SWAP:
        kind = MOVE
    if bonus:
        t.used[by] = True
        lose_bonus(t, by)
    else:
        done = t.done[side]
        done[kind] += 1
        if done[kind] == t.rules.limits[kind]:
            t.open[side] &= ~(1 << kind)
    performed = code.performed[kind]
    t.effects_done = len(performed)
    if performed:  # the modification by the ruleset is the first event of an ACTION
        t.depth = 1
        for function in performed:
            if status[by] < 2:
                function(side, by, on, NOBODY, NOBODY)
        t.depth = 0
        if t.queue:
            run(t)
        if status[by] >= 2:
            return
    violations: Sequence[int] = ()
    if action == ATTACK:
        if status[on] < 2:
            violations = attack(t, by, on)
    elif action == MOVE:
        _advance(t, by)
    elif action == SWAP and status[row[other]] < 2:
        _swap(t, by, row[other])
    if t.unjudged:
        judge(t)
    if t.queue:
        run(t)
    if not bonus and status[by] == NORMAL:
        status[by] = EXHAUSTED
        t.ready[side] &= ~(1 << t.pos[by])
        if t.unjudged:
            judge(t)
            run(t)
    ends = code.ends
    if ends and (ends[t.card[by]] or ends[t.att[by]] or ends[code.performance]) and status[by] < 2:
        push(t, "action-ends", (by,))
        run(t)
    if violations or t.auras_stale or (t.aspects[by] | t.bound[by] | t.aura_aspects) & _VIOLATES:
        _may_violate(t, by, violations)


def _may_violate(t: Table, by: int, violations: Sequence[int]) -> None:
    """RULEVIOLATION (K-2), after the ACTION."""
    if t.status[by] < 2 and (violations or may_hold(t, by, VIOLATION)):
        thresholds = [held[2] for held in holding(t, by, VIOLATION)]
        thresholds += violations
        if thresholds and 1 + int(t.dice() * 6) < max(thresholds):
            fall(t, by, OUT)
            judge(t)
            run(t)


def _advance(t: Table, key: int) -> None:
    """A-2b: the OBJECTIVECOUNTER grows by his MP, or he has CAPTURED the OBJECTIVE that he had REACHED."""
    side, place, obj = t.side[key], t.pos[key], t.obj
    needed = t.needed[side]
    if obj[key] < needed[place]:
        obj[key] += number(t, key, MP)
        if obj[key] >= needed[place]:
            push(t, "reaches", (key,))
        return
    t.captured[side].append(t.objectives[side][place])
    t.objectives[side][place] = NOBODY
    needed[place] = NEVER
    obj[key] = 0
    if "captures" in t.code.heard:
        push(t, "captures", (key,))


def _swap(t: Table, one: int, two: int) -> None:
    """A-2a: two OPERATORs change places; REACHED is judged anew for both."""
    side, pos, obj = t.side[one], t.pos, t.obj
    here, there = pos[one], pos[two]
    needed = t.needed[side]
    before = obj[one] >= needed[here], obj[two] >= needed[there]
    pos[one], pos[two] = there, here
    row = t.rows[side]
    row[here], row[there] = two, one
    swapped(t, side, here, there)
    if t.rules.counters_stay:
        hit = t.hit[one]
        set_hitcounter(t, one, t.hit[two])
        set_hitcounter(t, two, hit)
        obj[one], obj[two] = obj[two], obj[one]
        t.unjudged = True
    if obj[one] >= needed[there] and not before[0]:
        push(t, "reaches", (one,))
    if obj[two] >= needed[here] and not before[1]:
        push(t, "reaches", (two,))
