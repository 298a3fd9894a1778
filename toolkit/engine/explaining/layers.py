"""What a line of MODIFY says of its layer: its name, and why the number is not the plain result."""

from __future__ import annotations

from collections.abc import Iterable

from toolkit.effects.objects import Layer
from toolkit.engine.explaining.origins import Origins
from toolkit.engine.trace import TraceEntry

_SIGNS: dict[Layer | None, str] = {"multiply": "×", "divide": "÷"}
_BEHIND: dict[str, tuple[Layer, ...]] = {"fix": ("multiply", "divide"), "multiply": ("divide",)}
"""The layers of N-2 beside Add and Subtract that are counted after a layer."""


def is_row(entry: TraceEntry) -> bool:
    """Whether an entry is a change of MODIFY: one modification of one number, in its layer."""
    return entry.kind == "change" and entry.layer is not None


def layer_words(rows: Iterable[TraceEntry], origins: Origins) -> dict[int, str]:
    """By ``id`` of each row, in the order of the trace: ``Add``, ``Multiply, put before ÷ (N-2)``, …

    Where a number is not the plain result of a row, the rows above say why: another Fix won (N-6), or this
    one is counted before something that stands above it (N-2, N-3).
    """
    above: dict[tuple[int | None, str | None], list[TraceEntry]] = {}
    fixed: dict[tuple[int | None, str | None], TraceEntry] = {}
    words: dict[int, str] = {}
    for row in rows:
        number = (row.who, row.stat)
        others, fix = above.setdefault(number, []), fixed.get(number)
        loses = row.layer == "fix" and fix is not None and _overruled(row, fix)
        if loses and fix is not None:
            words[id(row)] = f"Fix, but {_the_fix_of(fix, origins)} wins (N-6)"
        else:
            words[id(row)] = _placed(row, others)
        if row.layer == "fix" and not loses:
            fixed[number] = row
        others.append(row)
    return words


def _overruled(row: TraceEntry, fix: TraceEntry) -> bool:
    return not _is_plain(row) and row.before == row.after and row.amount != fix.amount


def _the_fix_of(fix: TraceEntry, origins: Origins) -> str:
    return "the other Fix" if fix.origin is None else f"the Fix of {origins.title(fix.origin)}"


def _placed(row: TraceEntry, above: Iterable[TraceEntry]) -> str:
    """The layer, and before what it is counted if the number shows that."""
    layer = str(row.layer)
    if _is_plain(row):
        return layer.capitalize()
    there = {one.layer for one in above}
    if there & {"add", "subtract"}:
        return f"{layer.capitalize()}, counted before what is added (N-2, N-3)"
    behind = [_SIGNS[one] for one in _BEHIND.get(layer, ()) if one in there]
    if behind:
        return f"{layer.capitalize()}, counted before {' and '.join(behind)} (N-2)"
    # an event made what it is held against: that has no row
    if layer == "fix" and row.before == row.after:
        return "Fix, but another Fix wins (N-6)"
    return f"{layer.capitalize()}, counted before what was there already (N-2)"


def _is_plain(row: TraceEntry) -> bool:
    """Whether the number is what the row alone makes of the number before."""
    before, after, amount = row.before, row.after, row.amount or 0
    assert isinstance(before, int)
    assert isinstance(after, int)
    if row.layer == "fix":
        return after == amount
    if row.layer == "multiply":
        return after == before * amount
    return row.layer != "divide" or (amount != 0 and abs(after * amount - before) < amount)
