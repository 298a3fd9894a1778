"""The trace of the last attack, or of the last step, as lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolkit.data.scenarios import Script
from toolkit.engine.trace import TraceEntry
from toolkit.scenarios.playing import Played
from toolkit.scenarios.setup import Cast
from toolkit.vocabulary import STEPS


def trace_lines(script: Script, cast: Cast, played: Played) -> Iterator[str]:
    """How the numbers came about; nothing if no step was played."""
    attack = played.attack
    if attack is not None:
        both = (attack.result.attacker, attack.result.attacked)
        yield f"the attack of {cast.names[both[0]]} on {cast.names[both[1]]} (step {attack.step + 1}):"
        # numbers of others say nothing about these two
        yield from _lines(entry for entry in attack.trace if entry.kind != "change" or entry.who in both)
    elif played.last_trace:
        number = played.at if played.refusal else played.at + 1
        yield f"step {number} ({script.steps[number - 1].action}):"
        yield from _lines(played.last_trace)


def _lines(trace: Iterable[TraceEntry]) -> Iterator[str]:
    step = None
    for entry in trace:
        if entry.step != step and entry.step is not None and 1 <= entry.step <= len(STEPS):
            yield f"  {entry.step} {STEPS[entry.step - 1]}"
        step = entry.step
        yield f"    {_line(entry)}"


def _line(entry: TraceEntry) -> str:
    skipped = "does nothing: " if entry.kind == "skipped" else ""
    source = f"  [{entry.origin.entry}, {entry.origin.part}]" if entry.origin is not None else ""
    return f"{entry.rule:<4} {skipped}{entry.text}{source}"
