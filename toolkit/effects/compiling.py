"""Typed tree to effect objects."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.dsl.checking import needs_duration
from toolkit.dsl.printing import print_sentence
from toolkit.dsl.scope import Scope, scope_of
from toolkit.dsl.walking import walk
from toolkit.effects.objects import Action, Choice, EffectObject, EventHook, Layer, Moment, Origin, StepHook
from toolkit.vocabulary import STATS, Role

DICE_STEP = 6
_DICE = (tree.RollsExtra, tree.MayReroll, tree.MakesDiceCritical, tree.MakesAttackCritical)
_FROM_THE_START = (tree.Ignores, tree.CannotPerform, tree.CannotBeAttacked, tree.CannotHaveDefence)


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
    own_step = scope.facts.step or 0
    step = DICE_STEP if isinstance(doing, _DICE) else own_step
    when = scope.trigger.name if scope.trigger else None
    return StepHook(step, _moment(doing, sentence), when)


def _moment(doing: tree.Doing, sentence: tree.Sentence) -> Moment:
    if isinstance(doing, _FROM_THE_START):
        return "start"
    if any(
        isinstance(node, tree.AttackIsCritical) for node in walk(sentence.condition or sentence.clauses[0])
    ):
        return "critical"
    return "step"


def layer_of(doing: tree.Doing) -> Layer | None:
    """The layer of a change of a stat (N-2): the verb is the layer. None for everything else."""
    match doing:
        case tree.Gets(amount, what) if what.text in STATS:
            return "add" if amount >= 0 else "subtract"
        case tree.Multiplies():
            return "multiply"
        case tree.Divides():
            return "divide"
        case tree.Fixes():
            return "fix"
        case _:
            return None
