"""Effect objects as data for programs, and as lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from toolkit.dsl.printing import print_condition, print_doing, print_who
from toolkit.dsl.tree import Node, Word, said_by
from toolkit.effects.objects import Action, Choice, EffectObject, EventHook, StepHook
from toolkit.vocabulary import STEPS, TRIGGERS


def as_data(value: EffectObject | Any) -> Any:
    """Lists, mappings, strings and numbers; a node says what it is under ``is``. Places are left out."""
    if isinstance(value, Word):
        return value.text
    if isinstance(value, Struct):
        kind = {"is": _name(value.__class__.__name__)}
        names = said_by(type(value)) if isinstance(value, Node) else value.__struct_fields__
        return kind | {name: as_data(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return [as_data(item) for item in value]
    return value


def _name(class_name: str) -> str:
    """``MakesDiceCritical`` → ``makes-dice-critical``."""
    return "".join(f"-{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(class_name))


def as_lines(objects: Iterable[EffectObject]) -> Iterator[str]:
    """For each object its sentence, its hook and condition, and what it does to whom."""
    for effect in objects:
        yield effect.origin.text
        condition = f", if {print_condition(effect.condition)}" if effect.condition else ""
        yield f"  {_hook(effect.hook)}{condition}"
        yield from (f"    {line}" for action in effect.actions for line in _action(action))


def _hook(hook: StepHook | EventHook) -> str:
    if isinstance(hook, EventHook):
        trigger = TRIGGERS.get(hook.event)
        return f"event: when {trigger.words}" if trigger else "event: when the ACTION is performed"
    when = f"when {TRIGGERS[hook.when].words}" if hook.when else "always"
    moments = {"start": "from the start of the attack", "critical": "after CRITICAL is settled", "step": ""}
    parts = [f"step {hook.step} {STEPS[hook.step - 1]}", moments[hook.moment], when]
    return ", ".join(part for part in parts if part)


def _action(action: Action | Choice) -> Iterator[str]:
    if isinstance(action, Choice):
        yield "either"
        yield from (f"  {line}" for part in action.first for line in _action(part))
        yield "or"
        yield from (f"  {line}" for part in action.second for line in _action(part))
        return
    layer = f"  [layer {action.layer}]" if action.layer else ""
    lasts = f"  [lasts: {action.duration}]" if action.duration else ""
    yield f"{print_who(action.target)}: {print_doing(action.does)}{layer}{lasts}"
