"""The trace of the last attack, or of the last step, as lines for people."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.data.scenarios import Script
from toolkit.engine.trace import TraceEntry
from toolkit.scenarios.playing import Played
from toolkit.scenarios.setup import Cast
from toolkit.vocabulary import STEPS


def trace_lines(script: Script, cast: Cast, played: Played) -> Iterator[str]:
    """How the numbers came about; nothing if no step was played."""
    attack = played.attack
    if attack is not None:
        attacker, attacked = cast.names[attack.attacker], cast.names[attack.attacked]
        yield f"the attack of {attacker} on {attacked} (step {played.attack_step + 1}):"
        yield from _lines(cast, played.attack_trace)
    elif played.last_trace:
        number = played.at if played.refusal else played.at + 1
        yield f"step {number} ({script.steps[number - 1].action}):"
        yield from _lines(cast, played.last_trace)


def _lines(cast: Cast, trace: tuple[TraceEntry, ...]) -> Iterator[str]:
    step = None
    for entry in trace:
        if entry.step != step and entry.step is not None and 1 <= entry.step <= len(STEPS):
            yield f"  {entry.step} {STEPS[entry.step - 1]}"
        step = entry.step
        yield f"    {_line(cast, entry)}"


def _line(cast: Cast, entry: TraceEntry) -> str:
    who = f"{cast.names.get(entry.who, '')} " if entry.who is not None else ""
    numbers = ""
    if entry.stat is not None and entry.before is not None:
        numbers = f"{entry.stat} {entry.before} -> {entry.after}: "
    source = f" ({entry.origin.entry}: {entry.origin.text})" if entry.origin is not None else ""
    skipped = "nothing: " if entry.kind == "skipped" else ""
    return f"{entry.rule:<4} {who}{numbers}{skipped}{entry.text}{source}"
