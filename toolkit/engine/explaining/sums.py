"""A number of an attack as a readable sum: ``AP 7 = VALUE 4 × 2 CRITICAL ÷ 2 SUPPRESSION + 2 Aimed shot``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from toolkit.data.model import Options
from toolkit.engine.explaining.origins import Origins
from toolkit.engine.numbers import LAYER_ORDER, Change, put_together, rounded
from toolkit.engine.state import Side

_SIGNS = {"multiply": "×", "divide": "÷", "add": "+", "subtract": "-"}


@dataclass(frozen=True, slots=True)
class Term:
    """One modification that counts, in the order in which it is put together (N-2)."""

    change: Change
    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """How a number came about. ``carried`` is what it is, ``number`` how it is read (N-5)."""

    stat: str
    number: int
    carried: int
    value: int
    terms: tuple[Term, ...]
    formula: str

    @property
    def text(self) -> str:
        """The whole sum in a line."""
        if self.carried == self.number:
            return f"{self.stat} {self.number} = {self.formula}"
        reading = f"{self.carried}, and no number is read below {self.number} (N-5)"
        return f"{self.stat} {self.number}: {self.formula} = {reading}"


def sum_of(
    stat: str, value: int, changes: Sequence[Change], options: Options, attacking: Side, origins: Origins
) -> Sum:
    """The sum of a VALUE and the changes that count (N-2 to N-6); a Fix that is overruled is no term."""
    carried = put_together(value, changes, options, attacking)
    if options.stacking == "layered":
        piles = [list(changes)]
    else:
        ordered = sorted(changes, key=lambda change: change.step)
        piles = [list(pile) for _, pile in groupby(ordered, key=lambda change: change.step)]
    formula, terms, reached = f"VALUE {value}", [], value
    for pile in piles:
        counting = [Term(change, _name(change, origins)) for change in _counting(pile, options, attacking)]
        formula = _extended(formula, counting, reached, options.rounding)
        reached = put_together(reached, pile, options, attacking)
        terms += counting
    return Sum(stat, max(options.floor, carried), carried, value, tuple(terms), formula)


def _counting(pile: Iterable[Change], options: Options, attacking: Side) -> list[Change]:
    """The changes of a pile in the order N-2, of several Fixes the one that wins (N-6)."""
    # what is added and what is subtracted stay in the order of the steps: the sum is the same
    ordered = sorted(pile, key=lambda change: min(LAYER_ORDER[change.layer], LAYER_ORDER["add"]))
    fixes = [change for change in ordered if change.layer == "fix"]
    if len(fixes) < 2:
        return ordered
    winning = put_together(0, fixes, options, attacking)
    kept = next(change for change in fixes if change.amount == winning)
    return [kept, *ordered[len(fixes) :]]


def _extended(formula: str, terms: Sequence[Term], value: int, rounding: str) -> str:
    """The formula so far with one more pile."""
    factor = divisor = 1
    for term in terms:
        change = term.change
        if change.layer == "fix":
            formula, value = f"{change.amount} fixed by {term.name}", change.amount
            continue
        if change.layer in ("multiply", "divide") and (" + " in formula or " - " in formula):
            formula = f"({formula})"
        if change.layer in ("add", "subtract"):
            formula += _rounding(value * factor, divisor, rounding)
            factor = divisor = 1
        elif change.layer == "multiply":
            factor *= change.amount
        else:
            divisor *= change.amount
        formula += f" {_signed(change)} {term.name}"
    return formula + _rounding(value * factor, divisor, rounding)


def _rounding(dividend: int, divisor: int, rounding: str) -> str:
    """A word on a fraction that division left (N-4)."""
    if dividend % divisor == 0:
        return ""
    way = {"down": "down", "up": "up"}.get(rounding, "to the nearest")
    return f" (rounded {way} to {rounded(dividend, divisor, rounding)})"


def _signed(change: Change) -> str:
    """``× 2``, ``+ 3``, ``- 1``; an added amount below 0 is subtracted."""
    sign, amount = _SIGNS[change.layer], change.amount
    if change.layer in ("add", "subtract"):
        sign, amount = ("-", -amount) if amount < 0 or change.layer == "subtract" else ("+", amount)
    return f"{sign} {amount}"


def _name(change: Change, origins: Origins) -> str:
    if change.rule == "M-7":
        return "CRITICAL"
    if change.origin is None:
        return "ATTACK D6" if change.stat == "AP" else "DEFENCE D6"
    return origins.title(change.origin)
