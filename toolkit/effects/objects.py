"""Typed tree to effect objects: plain frozen data that the engine hooks into MODIFY and into events.

They hold conditions, groups and numbers as the syntax tree's own frozen values, which say what is meant and
nothing about how it was written. ``as_data`` and ``as_lines`` show them to programs and people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.dsl.checking import needs_duration
from toolkit.dsl.printing import print_condition, print_doing, print_sentence, print_who
from toolkit.dsl.scope import Scope, scope_of
from toolkit.dsl.tree import Node, Word, said_by, walk
from toolkit.vocabulary import STATS, STEPS, TRIGGERS, Role
from toolkit.vocabulary import Layer as Layer

Moment = Literal["start", "step", "critical"]


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


def compile_effect(effect: tree.Effect, role: Role, entry: str, part: str) -> tuple[EffectObject, ...]:
    """The effect objects of a checked effect, in the order of its sentences.

    ``entry`` and ``part`` say where it stands. The effect must have passed ``check_effect``.
    """
    objects: list[EffectObject] = []
    for number, sentence in enumerate(effect.sentences, 1):
        origin = Origin(entry, part, role.value, number, print_sentence(sentence))
        scope = scope_of(sentence, role)
        objects += _of_event(sentence, scope, origin) if scope.event else _continuous(sentence, scope, origin)
    return tuple(objects)


def _of_event(sentence: tree.Sentence, scope: Scope, origin: Origin) -> list[EffectObject]:
    hook = EventHook(scope.trigger.name if scope.trigger else "performed")
    actions = tuple(action for clause in sentence.clauses for action in _actions(clause))
    return [EffectObject(origin, hook, sentence.condition, actions)]


def _actions(clause: tree.Clause) -> Iterator[Action | Choice]:
    if isinstance(clause, tree.Either):
        yield Choice(tuple(_actions(clause.first)), tuple(_actions(clause.second)))
        return
    duration = clause.duration.name if clause.duration else None
    for doing in clause.doings:
        yield Action(clause.who, doing, layer_of(doing), duration if needs_duration(doing) else None)


def _continuous(sentence: tree.Sentence, scope: Scope, origin: Origin) -> list[EffectObject]:
    by_hook: dict[StepHook, list[Action | Choice]] = {}
    for clause in sentence.clauses:
        for action in _actions(clause):
            assert isinstance(action, Action), "a choice needs an event"
            by_hook.setdefault(_hook(action.does, sentence, scope), []).append(action)
    return [
        EffectObject(origin, hook, sentence.condition, tuple(actions)) for hook, actions in by_hook.items()
    ]


def _hook(doing: tree.Doing, sentence: tree.Sentence, scope: Scope) -> StepHook:
    step = tree.form_of(doing).step or scope.facts.step or 0
    when = scope.trigger.name if scope.trigger else None
    return StepHook(step, _moment(doing, sentence), when)


def _moment(doing: tree.Doing, sentence: tree.Sentence) -> Moment:
    if tree.form_of(doing).from_start:
        return "start"
    if any(
        isinstance(node, tree.AttackIsCritical) for node in walk(sentence.condition or sentence.clauses[0])
    ):
        return "critical"
    return "step"


def layer_of(doing: tree.Doing) -> Layer | None:
    """The layer of a change of a stat (N-2): the verb is the layer. None for everything else."""
    if isinstance(doing, tree.Gets):
        return None if doing.what.text not in STATS else "add" if doing.amount >= 0 else "subtract"
    return tree.form_of(doing).layer


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
        yield f"  {_shown_hook(effect.hook)}{condition}"
        yield from (f"    {line}" for action in effect.actions for line in _action(action))


def _shown_hook(hook: StepHook | EventHook) -> str:
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
