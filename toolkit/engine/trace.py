"""The trace: what happened, in order, and why; enough to answer "why is this 5?"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from toolkit.effects.objects import Layer, Origin
from toolkit.engine.state import Key

EntryKind = Literal[
    "change", "skipped", "die", "decision", "card", "compare", "status", "counter", "event", "note"
]


@dataclass(frozen=True, slots=True)
class TraceEntry:
    """One thing that happened, or that did not happen and why.

    ``rule`` is the id of the rule that acted. ``step`` is the step of MODIFY, 1 to 6; 0 before it, 7 for what
    acts after M-7; None outside of MODIFY. ``origin`` is the effect (entry, part, sentence), ``who`` the
    OPERATOR concerned. For a change of a number or counter ``stat``, ``layer``, ``amount`` and ``before`` →
    ``after``, which are the numbers as they are carried, not cut off at the floor (N-5). ``text`` is a plain
    sentence; of a skipped effect it is the reason ("its condition is false: HITCOUNTER of target is 0").
    """

    kind: EntryKind
    rule: str
    text: str
    step: int | None = None
    origin: Origin | None = None
    who: Key | None = None
    stat: str | None = None
    layer: Layer | None = None
    amount: int | None = None
    before: int | str | None = None
    after: int | str | None = None
