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
from toolkit.engine.swift.counters import has_reached, set_hitcounter
from toolkit.engine.swift.events import perform, run
from toolkit.engine.swift.numbers import number
from toolkit.engine.swift.standing import holding, may_hold
from toolkit.engine.swift.table import Table
from toolkit.engine.swift.verbs import fall, judge, lose_bonus
from toolkit.engine.swift.ways import Way


def act(t: Table, side: int, way: Way) -> None:
    """Perform an ACTION that is legal."""
    place, action, other, bonus = way
    row, status = t.rows[side], t.status
    by, on = row[place], NOBODY
    if action == ATTACK:
        on = t.rows[1 - side][other]
    elif action == MEDIC:
        on = row[other]
    t.effects_done = 0
    kind = action if action != SWAP else MOVE
    if bonus:
        t.used[by] = True
        lose_bonus(t, by)
    else:
        done = t.done[side]
        done[kind] += 1
        if done[kind] == t.rules.limits[kind]:
            t.open[side] &= ~(1 << kind)
    performed = t.code.performed[kind]
    if performed:
        perform(t, performed, by, on)
    violations: Sequence[int] = ()
    if status[by] < 2:
        if action == ATTACK:
            if status[on] < 2:
                violations = attack(t, by, on)
        elif action == MOVE:
            _advance(t, by)
        elif action == SWAP:
            mate = row[other]
            if status[mate] < 2:
                _swap(t, by, mate)
        if t.unjudged:
            judge(t)
        if t.queue:
            run(t)
        if not bonus and status[by] == NORMAL:
            status[by] = EXHAUSTED
            t.ready[side] &= ~(1 << t.pos[by])
        if t.code.ends:
            _end(t, by)
        if violations or t.bound[by] or t.auras_stale or (t.aspects[by] | t.aura_aspects) >> VIOLATION & 1:
            _may_violate(t, by, violations)


def _end(t: Table, by: int) -> None:
    """`when the ACTION of self ends`."""
    ends = t.code.ends
    if t.status[by] < 2 and (ends[t.card[by]] or ends[t.att[by]] or ends[t.code.performance]):
        push(t, "action-ends", (by,))
        run(t)


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
    if not has_reached(t, key):
        t.obj[key] += number(t, key, MP)
        if has_reached(t, key):
            push(t, "reaches", (key,))
        return
    side, place = t.side[key], t.pos[key]
    t.captured[side].append(t.objectives[side][place])
    t.objectives[side][place] = NOBODY
    t.obj[key] = 0
    if "captures" in t.code.heard:
        push(t, "captures", (key,))


def _swap(t: Table, one: int, two: int) -> None:
    """A-2a: two OPERATORs change places; REACHED is judged anew for both."""
    row, side = t.rows[t.side[one]], t.side[one]
    counting = [key for key in (one, two) if t.obj[key] or t.rules.free_objective or t.rules.counters_stay]
    before = [has_reached(t, key) for key in counting]
    t.pos[one], t.pos[two] = t.pos[two], t.pos[one]
    row[t.pos[one]], row[t.pos[two]] = one, two
    if t.rules.counters_stay:
        hit = t.hit[one]
        set_hitcounter(t, one, t.hit[two])
        set_hitcounter(t, two, hit)
        t.obj[one], t.obj[two] = t.obj[two], t.obj[one]
        t.unjudged = True
    for key, reached in zip(counting, before, strict=True):
        if not reached and has_reached(t, key):
            push(t, "reaches", (key,))
    swapped(t, side, t.pos[one], t.pos[two])
