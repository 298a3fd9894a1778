"""How modifications of one stat are put together (N-2 to N-6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter

from msgspec import Struct

from toolkit.data.model import Options
from toolkit.dsl import tree
from toolkit.dsl.effect_objects import Layer, Origin
from toolkit.engine.state import Key, Side, Used
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary import LAYERS, LIMITS

LAYER_ORDER = {layer: number for number, layer in enumerate(LAYERS)}
"""N-2: Fix, Multiply, Divide, Add, Subtract, and behind them limits (E-26)."""

BEFORE_STEPS, AFTER_STEPS = 0, 8
"""Where lasting modifications stand: those from before the attack before step 1 (N-3), those that the events
of the attack make after all steps."""


class Change(PublicValue, Struct, frozen=True):
    """A modification of one stat of one OPERATOR.

    ``amount`` is signed for add and subtract, else the factor, the divisor, the fixed number or the limit.
    ``step`` is where it stands in MODIFY: 1 to 6, 7 after M-7, or ``BEFORE_STEPS``, ``AFTER_STEPS``.
    ``ignored_as`` is what an OPERATOR must ignore so that it does not count. ``by_card`` distinguishes cards
    from ruleset and mode (N-6). ``bearer`` and ``card`` say what must still be there for it to count: the
    OPERATOR face up on the FIELD, the card still on it; ``number`` the STRATEGY in play
    (``PlayerState.in_play``).
    """

    who: Key
    stat: str
    layer: Layer
    amount: int
    step: int
    controller: Side
    rule: str
    origin: Origin | None = None
    ignored_as: str | None = None
    by_card: bool = False
    bearer: Key | None = None
    card: str | None = None
    number: int | None = None


def put_together(
    value: int, changes: Sequence[Change], options: Options, attacking: Side, added: int = 0
) -> int:
    """The number that VALUE and modifications give, as it is carried: not cut off at the floor (N-5).

    N-3: under ``layered`` all changes are combined at once, under ``stepwise`` those of each step, and the
    result is carried on. ``attacking`` is the attacking player, outside of an attack the one whose TURN it
    is. ``added`` is what is added to it besides, under ``layered``.
    """
    if not changes:
        return value + added
    if options.stacking == "layered":
        return _layered(value, changes, options.rounding, attacking, added)
    for changes_of_step in by_step(changes):
        value = _layered(value, changes_of_step, options.rounding, attacking)
    return value


def by_step(changes: Iterable[Change]) -> Iterator[list[Change]]:
    """The changes of each step under ``stepwise``, with the limits of earlier ones: these hold from their own
    step on (E-26)."""
    limits: list[Change] = []
    step = attrgetter("step")
    for _, of_step in groupby(sorted(changes, key=step), key=step):
        changes_of_step = [*limits, *of_step]
        yield changes_of_step
        limits = [change for change in changes_of_step if change.layer in LIMITS]


def damage_of(points: int, changes: Sequence[Change], options: Options, attacking: Side) -> int:
    """What an attack adds to the HITCOUNTER whose AP are so many above EP (E-14); nothing where they are not.

    All changes are combined at once under both kinds of ``stacking``, and it is never less than 0.
    """
    if points <= 0 or not changes:
        return max(0, points)
    return max(0, _layered(points, changes, options.rounding, attacking))


def _layered(value: int, changes: Iterable[Change], rounding: str, attacking: Side, added: int = 0) -> int:
    """N-2: Fix, then Multiply, Divide (rounded once, N-4), Add and Subtract; at last the limits (E-26)."""
    fixed: Change | None = None
    factor = divisor = 1
    upper: int | None = None
    lower: int | None = None
    for change in changes:
        if change.layer == "add" or change.layer == "subtract":
            added += change.amount
        elif change.layer == "multiply":
            factor *= change.amount
        elif change.layer == "divide":
            divisor *= change.amount
        elif change.layer == "fix":
            if fixed is None or _strength(change, attacking) > _strength(fixed, attacking):
                fixed = change
        elif change.layer == "at most":
            upper = change.amount if upper is None else min(upper, change.amount)
        else:
            lower = change.amount if lower is None else max(lower, change.amount)
    if fixed is not None:
        value = fixed.amount
    value = rounded(value * factor, divisor, rounding) + added
    if upper is not None and value > upper:
        value = upper
    return value if lower is None or value > lower else lower


def _strength(fix: Change, attacking: Side) -> tuple[bool, bool, int, int]:
    """N-6: cards before ruleset and mode, the attacking player's, the later step's, the higher."""
    return fix.by_card, fix.controller == attacking, fix.step, fix.amount


def rounded(dividend: int, divisor: int, rounding: str) -> int:
    """A quotient as a whole number: ``down``, ``up`` or ``nearest`` with halves up (N-4)."""
    if divisor == 1:
        return dividend
    if rounding == "down":
        return dividend // divisor
    if rounding == "up":
        return -(-dividend // divisor)
    return (2 * dividend + divisor) // (2 * divisor)


class Holding(Struct, frozen=True):
    """What holds for an OPERATOR or a player and is no number: `ignores`, `cannot`, a dice verb,
    RULEVIOLATION, BONUS.

    ``bearer``, ``card`` and ``number`` as in ``Change``; ``limit`` is used up when it is made use of (E-4).
    """

    who: Key | Side
    does: tree.Doing
    controller: Side
    rule: str
    origin: Origin | None = None
    bearer: Key | None = None
    card: str | None = None
    limit: Used | None = None
    number: int | None = None
