"""An explanation as plain data for programs."""

from __future__ import annotations

from typing import Any

from toolkit.effects.objects import Origin
from toolkit.engine.explaining.explanation import Block, Explanation
from toolkit.engine.explaining.origins import Origins
from toolkit.engine.explaining.sums import Sum
from toolkit.engine.outcomes import TraceEntry


def steps_data(explained: Explanation, origins: Origins) -> list[dict[str, Any]]:
    """The sections in order; ``step`` is 1 to 6 for the steps of MODIFY, else None."""
    return [
        {
            "step": section.number if section.is_step else None,
            "name": section.name,
            "entries": [
                _entry(entry, explained, origins) for block in section.blocks for entry in _in_order(block)
            ],
        }
        for section in explained.sections
    ]


def _in_order(block: Block) -> list[TraceEntry]:
    return [*block.entries, *block.others]


def _entry(entry: TraceEntry, explained: Explanation, origins: Origins) -> dict[str, Any]:
    """One entry; for a skipped one ``why`` is the reason, else None."""
    skipped = entry.kind == "skipped"
    return {
        "kind": entry.kind,
        "rule": entry.rule,
        "text": entry.text,
        "origin": None if entry.origin is None else origin_data(entry.origin, origins),
        "who": None if entry.who is None else explained.names[entry.who],
        "stat": entry.stat,
        "layer": entry.layer,
        "amount": entry.amount,
        "before": entry.before,
        "after": entry.after,
        "skipped": skipped,
        "why": entry.text if skipped else None,
    }


def origin_data(origin: Origin, origins: Origins) -> dict[str, Any]:
    """Where an effect stands; file, line and column are None for what stands in no card file.

    ``number`` counts the sentences of the part from 1.
    """
    span = origins.place(origin)
    begin = None if span is None else span.begin_position
    return {
        "entry": origin.entry,
        "part": origin.part,
        "name": origins.title(origin),
        "number": origin.sentence,
        "sentence": origin.text,
        "file": None if span is None else span.file.name,
        "line": None if begin is None else begin.line,
        "column": None if begin is None else begin.column,
    }


def sum_data(one: Sum) -> dict[str, Any]:
    """A sum: VALUE, what changes it in the order in which it is put together, and the number."""
    return {
        "number": one.number,
        "carried": one.carried,
        "value": one.value,
        "terms": [
            {"layer": term.change.layer, "amount": term.change.amount, "name": term.name}
            for term in one.terms
        ],
        "text": one.text,
    }
