"""ACTIONs from their modifications to their end: the twin of ``engine.actions`` and ``engine.moves``."""

from __future__ import annotations

from toolkit.engine.swift.asking import push
from toolkit.engine.swift.attack import attack
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
from toolkit.engine.swift.counters import has_reached, set_hitcounter, set_objectivecounter
from toolkit.engine.swift.events import perform, run
from toolkit.engine.swift.numbers import holding, may_hold, number
from toolkit.engine.swift.options import Choice
from toolkit.engine.swift.table import Table
from toolkit.engine.swift.verbs import fall, judge


def act(t: Table, choice: Choice) -> None:
    """Perform an ACTION that is legal."""
    by, way, bonus = choice
    action, side = way >> 3, t.side[by]
    kind = MOVE if action == SWAP else action
    on = mate = NOBODY
    if action == ATTACK:
        on = t.rows[1 - side][way & 7]
    elif action == MEDIC:
        on = t.rows[side][way & 7]
    elif action == SWAP:
        mate = t.rows[side][way & 7]
    t.effects_done = 0
    if bonus:
        t.used[by] = True
    else:
        done = t.done[side]
        done[kind] += 1
        if done[kind] == t.rules.limits[kind]:
            t.open[side] &= ~(1 << kind)
    if t.code.performed[kind]:
        perform(t, kind, by, on)
    violations: list[int] = []
    status = t.status
    if status[by] < 2 and (on < 0 or status[on] < 2):
        if action == ATTACK:
            violations = attack(t, by, on)
        elif action == MOVE:
            _advance(t, by)
        elif action == SWAP and status[mate] < 2:
            _swap(t, by, mate)
        if t.unjudged:
            judge(t)
        if t.queue:
            run(t)
    _end(t, by, bonus, violations)


def _end(t: Table, by: int, bonus: bool, violations: list[int]) -> None:
    """He is EXHAUSTED (T-3), `when the ACTION of self ends`, then RULEVIOLATION (K-2)."""
    status, code = t.status, t.code
    if not bonus and status[by] == NORMAL:
        status[by] = EXHAUSTED
    if "action-ends" in code.heard and status[by] < 2:
        ends = code.events["action-ends"]
        if ends[t.card[by]] or ends[t.att[by]] or ends[code.performance]:
            push(t, "action-ends", (by,))
            run(t)
    if status[by] < 2 and (violations or t.bound[by] or (code.known.violates and may_hold(t, by, VIOLATION))):
        thresholds = [held[2] for held in holding(t, by, VIOLATION)] + violations
        if thresholds and 1 + int(t.dice() * 6) < max(thresholds):
            fall(t, by, OUT)
            judge(t)
            run(t)


def _advance(t: Table, key: int) -> None:
    """A-2b: the OBJECTIVECOUNTER grows by his MP, or he has CAPTURED the OBJECTIVE that he had REACHED."""
    if not has_reached(t, key):
        set_objectivecounter(t, key, t.obj[key] + number(t, key, MP))
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
    counted = t.obj[one] or t.obj[two] or t.rules.free_objective
    before = (has_reached(t, one), has_reached(t, two)) if counted else ()
    t.pos[one], t.pos[two] = t.pos[two], t.pos[one]
    row[t.pos[one]], row[t.pos[two]] = one, two
    if t.rules.counters_stay:
        hit = t.hit[one]
        set_hitcounter(t, one, t.hit[two])
        set_hitcounter(t, two, hit)
        t.obj[one], t.obj[two] = t.obj[two], t.obj[one]
        t.unjudged = True
    for key, reached in zip((one, two), before, strict=False):
        if not reached and has_reached(t, key):
            push(t, "reaches", (key,))
    t.swapped(side)
