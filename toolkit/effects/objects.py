"""Effect objects: plain frozen data that the engine hooks into MODIFY and into events.

They hold conditions, groups and numbers as the syntax tree's own frozen values, which say what is meant and
nothing about how it was written.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from toolkit.dsl import tree

Moment = Literal["start", "step", "critical"]
Layer = Literal["fix", "multiply", "divide", "add", "subtract"]


class Origin(Struct, frozen=True):
    """Where an effect object comes from: entry's id, part, number of the sentence (from 1) and its words."""

    entry: str
    part: str
    role: str
    sentence: int
    text: str


class StepHook(Struct, frozen=True):
    """Acts in a step of MODIFY, 1 to 6, and holds outside of attacks where there is no ``when`` (M-10).

    ``moment`` is ``start`` for what holds from the start of the attack (permissions and `ignores`, M-8),
    ``critical`` for what is judged after M-7, else ``step``. ``when`` is the trigger's name, None for always.
    """

    step: int
    moment: Moment
    when: str | None


class EventHook(Struct, frozen=True):
    """Acts once at an event: a trigger's name, or ``performed`` for the modification of an ACTION."""

    event: str


class Action(Struct, frozen=True):
    """One DOES for one WHO: ``layer`` where it modifies a stat (N-2), ``duration`` where it ends."""

    target: tree.Who
    does: tree.Doing
    layer: Layer | None = None
    duration: tree.DurationName | None = None


class Choice(Struct, frozen=True):
    """`either … or …`: its controller chooses one side."""

    first: tuple[Action | Choice, ...]
    second: tuple[Action | Choice, ...]


class EffectObject(Struct, frozen=True):
    """What one sentence does at one hook.

    Continuous effects have one object for each step their sentence acts in; the actions of an event happen
    in order (`, then`). The condition is judged once for a sentence (M-8).
    """

    origin: Origin
    hook: StepHook | EventHook
    condition: tree.Condition | None
    actions: tuple[Action | Choice, ...]
