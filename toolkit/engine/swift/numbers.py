"""The numbers of an OPERATOR (N-1 to N-6, M-10): the twin of ``engine.board``."""

from __future__ import annotations

from toolkit.engine.numbers import AFTER_STEPS, BEFORE_STEPS, rounded
from toolkit.engine.swift.codes import ADD, DIVIDE, IGNORES, MULTIPLY, NOBODY, Change
from toolkit.engine.swift.standing import alive, gather_auras, ignores, stand, standing
from toolkit.engine.swift.table import Table

_STEP_OF_WINDOWS = 5


def number(t: Table, key: int, stat: int) -> int:
    """The current number as it is read, never below the floor (N-5)."""
    if t.auras_stale:
        gather_auras(t)
    made = t.made[key * 4 + stat]
    if made or (t.aspects[key] | t.aura_aspects) >> stat & 1 or t.heavy[key]:
        return changed(t, key, stat, made)
    value: int = t.values[stat][key] + t.added[stat][key]
    floor = t.rules.floor
    return value if value > floor else floor


def changed(t: Table, key: int, stat: int, made: list[Change]) -> int:
    """The same where something may change it; ``made`` is what an attack makes."""
    aspects, changes = t.aspects[key] | t.aura_aspects, made
    if made and t.shaken:
        changes = [one for one in made if alive(t, one[6], one[7])]
    if aspects >> stat & 1:
        if changes:
            changes = changes.copy()
            stand(t, key, stat, changes)
        else:
            kept = t.kept[stat].get(key)
            changes = standing(t, key, stat) if kept is None else kept
    if t.heavy[key]:
        changes = changes + _heavy(t, key, stat)
    if t.bound[key] or aspects >> IGNORES & 1 or (t.held and t.code.known.ignores):
        ignored = ignores(t, key)
        if ignored:
            changes = [one for one in changes if not one[2] & ignored]
    value: int = t.values[stat][key] + t.added[stat][key]
    for one in changes:
        if one[0]:  # not ADD
            value = _pile(t, t.values[stat][key], changes) + t.added[stat][key]
            break
        value += one[1]
    floor = t.rules.floor
    return value if value > floor else floor


def base(t: Table, key: int, stat: int) -> int:
    """VALUE and what lasts: what effects without `when` read (M-10)."""
    value = t.values[stat][key]
    if t.heavy[key]:
        value = _pile(t, value, _heavy(t, key, stat))
    return max(t.rules.floor, value + t.added[stat][key])


def _pile(t: Table, value: int, changes: list[Change]) -> int:
    """N-2: Fix, Multiply, Divide (rounded once, N-4), Add and Subtract."""
    fixed: Change | None = None
    factor = divisor = 1
    added = 0
    for one in changes:
        layer = one[0]
        if not layer:  # ADD
            added += one[1]
        elif layer == MULTIPLY:
            factor *= one[1]
        elif layer == DIVIDE:
            divisor *= one[1]
        elif fixed is None or _strength(t, one) > _strength(t, fixed):
            fixed = one
    if fixed is not None:
        value = fixed[1]
    if divisor == 1:
        return value * factor + added
    return rounded(value * factor, divisor, t.rules.rounding) + added


def _strength(t: Table, fix: Change) -> tuple[int, bool, int, int]:
    """N-6: cards before ruleset and mode, the attacking player's, the later step's, the higher."""
    first = t.s if t.attacking else t.turn
    return fix[3], fix[4] == first, fix[5], fix[1]


def _heavy(t: Table, key: int, stat: int) -> list[Change]:
    """What lasts and fixes, multiplies or divides; what is added is summed up already."""
    found = []
    for one in t.lasting[key]:
        if one[2] == stat and one[3] != ADD:
            step = BEFORE_STEPS
            if t.attacking and one[0] > t.since_windows:
                step = _STEP_OF_WINDOWS
            if t.attacking and t.since_compared is not None and one[0] > t.since_compared:
                step = AFTER_STEPS
            found.append((one[3], one[4], 0, one[6], one[5], step, NOBODY, 0))
    return found
