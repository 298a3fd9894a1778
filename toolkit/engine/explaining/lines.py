"""An explanation for readers: lines of text, with a heading for each section and numbers aligned; or data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from textwrap import wrap
from typing import Any

from msgspec import Struct

from toolkit.dsl.effect_objects import Origin
from toolkit.engine.explaining.explanation import BEFORE, Block, Explanation, Section, blocks_of
from toolkit.engine.explaining.sums import Origins, Sum, is_row, layer_words
from toolkit.engine.outcomes import TraceEntry
from toolkit.engine.state import Key
from toolkit.vocabulary import LIMITS

Style = Callable[[str, str], str]
"""Dresses a piece of text: ``style("word", "place")``; the kinds are those of the reporters."""

WIDTH = 100
_SIGNS = {"fix": "fixed at", "multiply": "×", "divide": "÷", "add": "+", "subtract": "-"}
_SIGNS |= {layer: layer for layer in LIMITS}
_INDENT = " " * 4
_OUTER_INDENT = " " * 2
"""Before what belongs to no sentence, so that it does not seem to belong to the one above."""
_RULE_WIDTH = 6


class Page(Struct, frozen=True):
    """How to print: what OPERATORs and effects are called, colours, and the longest line.

    Only words that are longer than a line make a longer one.
    """

    names: dict[Key, str]
    origins: Origins
    style: Style
    width: int = WIDTH


class _Columns(Struct, frozen=True):
    """Widths of what changes, of the operation, and of the number before; what the last column says."""

    what: int
    operation: int
    before: int
    layers: dict[int, str]


def explanation_lines(explained: Explanation, page: Page) -> Iterator[str]:
    """All sections, with an empty line between two of them, and at the end the two sums."""
    columns = _columns([block for section in explained.sections for block in section.blocks], page)
    for section in explained.sections:
        lines = list(_section(section, page, columns))
        if lines:
            yield from lines
            yield ""
    for sum_ in explained.sums:
        yield from _wrapped(sum_.text, "", page.width, len(_INDENT))


def trace_lines(trace: Iterable[TraceEntry], page: Page) -> Iterator[str]:
    """A trace that is not of an attack, in blocks by effect."""
    blocks = blocks_of(list(trace))
    yield from _blocks(blocks, page, _columns(blocks, page))


def _section(section: Section, page: Page, columns: _Columns) -> Iterator[str]:
    """The heading of a section and its blocks; ``4 STRATEGY: nothing`` for an empty one."""
    blocks = section.blocks
    if section.number == BEFORE:
        # a block of events alone only says that an ATTACK is performed, which the reader knows
        blocks = tuple(block for block in blocks if any(entry.kind != "event" for entry in block.entries))
        if not blocks:
            return
    heading = f"{section.number} {section.name}" if section.is_step else section.name
    yield page.style(heading if blocks else f"{heading}: nothing", "note")
    yield from _blocks(blocks, page, columns)


def _blocks(blocks: Iterable[Block], page: Page, columns: _Columns) -> Iterator[str]:
    """Blocks one after the other; sentences of one effect that follow one another share its heading."""
    bearing_before: tuple[str, str] | None = None
    for block in blocks:
        bearing = None if block.origin is None else (block.origin.entry, block.origin.part)
        if block.origin is not None and (block.again or bearing != bearing_before):
            yield f"  {page.origins.heading(block.origin)}{', as above' if block.again else ''}"
        bearing_before = bearing
        yield from _block(block, page, columns)


def _block(block: Block, page: Page, columns: _Columns) -> Iterator[str]:
    """The sentence with its place, then what it did or why it did nothing."""
    if block.origin is not None and not block.again:
        span = page.origins.place(block.origin)
        begin = None if span is None else span.begin_position
        position_text = ""
        if span is not None and begin is not None:
            position_text = f"{span.file.name}:{begin.line}:{begin.column}"
        yield from _sentence(block.origin.text, position_text, page)
    for entry in block.entries:
        yield from _entry(entry, page, columns)
    if block.others:
        changed = dict.fromkeys(_what(entry, page) for entry in block.others)
        also = "changes others too" if block.entries else "changes only others"
        start = f"{_INDENT}{block.others[0].rule:<{_RULE_WIDTH}}"
        yield from _wrapped(f"{also}: {', '.join(changed)}", start, page.width, len(start))


def _sentence(text: str, position_text: str, page: Page) -> Iterator[str]:
    """The sentence, its place behind it where there is room, else on a line of its own."""
    *lines, last = _wrapped(text, _INDENT, page.width, len(_INDENT) + 2)
    yield from lines
    if len(last) + 2 + len(position_text) > page.width:
        yield last
        last = " " * (len(_INDENT) + 2)
    elif position_text:
        last += "  "
    yield last + page.style(position_text, "place")


def _entry(entry: TraceEntry, page: Page, columns: _Columns) -> Iterator[str]:
    """The lines of an entry: a row of the table of changes, or its text."""
    indent = _INDENT if entry.origin is not None else _OUTER_INDENT
    start = f"{indent}{entry.rule:<{_RULE_WIDTH}}"
    if is_row(entry):
        width_of_change = columns.what + len(_INDENT) - len(indent)
        change = f"{_what(entry, page):<{width_of_change}}  {operation(entry):<{columns.operation}}"
        numbers = f"{entry.before:>{columns.before}} → {entry.after:<3}"
        yield f"{start}{change}  {numbers}  {columns.layers[id(entry)]}"
        return
    text = f"does nothing: {entry.text}" if entry.kind == "skipped" else entry.text
    if entry.origin is not None and text == entry.origin.text:  # the sentence stands above already
        text = "now it acts"
    yield from _wrapped(text, start, page.width, len(start))


def _what(entry: TraceEntry, page: Page) -> str:
    """``AP of viper``."""
    return f"{entry.stat} of {page.names[entry.who]}" if entry.who is not None else str(entry.stat)


def operation(entry: TraceEntry) -> str:
    """``× 2``, ``+ 1``, ``- 1``, ``fixed at 5``, ``at most 3``."""
    amount = entry.amount or 0
    layer = "subtract" if entry.layer == "add" and amount < 0 else entry.layer or "add"
    return f"{_SIGNS[layer]} {amount if layer in LIMITS else abs(amount)}"


def _columns(blocks: Iterable[Block], page: Page) -> _Columns:
    """Return the widths that the rows of all blocks need."""
    rows = [entry for block in blocks for entry in block.entries if is_row(entry)]
    return _Columns(
        max((len(_what(entry, page)) for entry in rows), default=0),
        max((len(operation(entry)) for entry in rows), default=0),
        max((len(str(entry.before)) for entry in rows), default=0),
        layer_words(rows, page.origins),
    )


def _wrapped(text: str, start: str, width: int, hanging: int) -> list[str]:
    """The lines of a text: the first begins with ``start``, the others with so many spaces as ``hanging``."""
    return wrap(
        text,
        width,
        initial_indent=start,
        subsequent_indent=" " * hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


# Plain data


Tell = Callable[[TraceEntry], "dict[str, str]"]
"""Says an entry in several languages, by their codes."""


def steps_data(explained: Explanation, origins: Origins, tell: Tell | None = None) -> list[dict[str, Any]]:
    """The sections in order; ``step`` is 1 to 6 for the steps of MODIFY, else None.

    With ``tell`` each entry is ``said`` in several languages.
    """
    return [
        {
            "step": section.number if section.is_step else None,
            "name": section.name,
            "entries": [
                {**_entry_data(entry, explained, origins), **({"said": tell(entry)} if tell else {})}
                for block in section.blocks
                for entry in (*block.entries, *block.others)
            ],
        }
        for section in explained.sections
    ]


def _entry_data(entry: TraceEntry, explained: Explanation, origins: Origins) -> dict[str, Any]:
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


def sum_data(sum_: Sum) -> dict[str, Any]:
    """A sum: VALUE, what changes it in the order in which it is put together, and the number."""
    return {
        "number": sum_.number,
        "carried": sum_.carried,
        "value": sum_.value,
        "terms": [
            {"layer": term.change.layer, "amount": term.change.amount, "name": term.name}
            for term in sum_.terms
        ],
        "text": sum_.text,
    }
