"""Typed tree to effect objects: plain frozen data that the engine hooks into MODIFY and into events.

They hold conditions, groups and numbers as the syntax tree's own frozen values, which say what is meant and
nothing about how it was written. ``as_data`` and ``as_lines`` show them to programs and people."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.clause_checks import needs_duration
from toolkit.dsl.effect_printer import print_condition, print_doing, print_sentence, print_trigger, print_who
from toolkit.dsl.scope import Scope, scope_of
from toolkit.dsl.tree import Node, Word, compared_fields, walk
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary import LAYERED, STEPS, TRIGGERS, Role
from toolkit.vocabulary import Layer as Layer

Moment = Literal["start", "step", "critical"]


class Origin(PublicValue, Struct, frozen=True):
    """Where an effect object comes from: entry's id, part, number of the sentence (from 1) and its words."""

    entry: str
    part: str
    role: str
    sentence: int
    text: str


class StepHook(PublicValue, Struct, frozen=True):
    """Acts in a step of MODIFY, 1 to 6, and holds outside of attacks where there is no ``when`` (M-10).

    ``moment`` is ``start`` for what holds from the start of the attack (permissions and `ignores`, M-8),
    ``critical`` for what is judged after M-7, else ``step``. ``when`` is the trigger's name, None for always;
    ``subject`` is whom the trigger speaks of, where its name does not say it.
    """

    step: int
    moment: Moment
    when: str | None
    subject: tree.Ref | tree.Group | None = None


class EventHook(PublicValue, Struct, frozen=True):
    """Acts once at an event: a trigger's name, or ``performed`` for the modification of an ACTION.

    ``subject`` and ``what`` are those of the trigger (``tree.When``).
    """

    event: str
    subject: tree.Ref | tree.Group | None = None
    what: tree.Word | None = None


class Action(PublicValue, Struct, frozen=True):
    """One DOES for one WHO: ``layer`` where it modifies a stat (N-2), ``duration`` where it ends."""

    target: tree.Who
    does: tree.Doing
    layer: Layer | None = None
    duration: tree.DurationName | None = None


class Clause(PublicValue, Struct, frozen=True):
    """A clause of an event: its actions, for one WHO who is chosen once.

    ``may`` says that it can be declined (E-2). ``if_so`` follows only if it was done, ``if_not`` only if it
    was not (E-3); both are up to the end of the sentence.
    """

    actions: tuple[Action, ...]
    may: bool = False
    if_so: tuple[Clause | Choice, ...] = ()
    if_not: tuple[Clause | Choice, ...] = ()

    @property
    def is_plain(self) -> bool:
        """Whether it is only its actions: nothing is asked, and nothing depends on it."""
        return not (self.may or self.if_so or self.if_not)


class Choice(PublicValue, Struct, frozen=True):
    """`either … or …`: its controller chooses one side."""

    first: tuple[Clause | Choice, ...]
    second: tuple[Clause | Choice, ...]


class EffectObject(PublicValue, Struct, frozen=True):
    """What one sentence does at one hook.

    Continuous effects have one object for each step their sentence acts in, with plain actions; the clauses
    of an event happen in order (`, then` and `, and`). The condition is judged once for a sentence (M-8).
    ``limit`` says how often it acts: once in that time (E-4).
    """

    origin: Origin
    hook: StepHook | EventHook
    condition: tree.Condition | None
    actions: tuple[Action | Clause | Choice, ...]
    limit: tree.Limit | None = None


def all_actions(parts: Iterable[Action | Clause | Choice]) -> Iterator[Action]:
    """Every action, also those of clauses that may not come up, in the order of the sentence."""
    for action in parts:
        if isinstance(action, Action):
            yield action
        elif isinstance(action, Clause):
            yield from all_actions((*action.actions, *action.if_so, *action.if_not))
        else:
            yield from all_actions((*action.first, *action.second))


def compile_effect(
    effect: tree.Effect, role: Role, entry: str, part_of_card: str
) -> tuple[EffectObject, ...]:
    """The effect objects of a checked effect, in the order of its sentences.

    ``entry`` and ``part_of_card`` say where it stands. The effect must have passed ``check_effect``.
    """
    objects: list[EffectObject] = []
    for number, sentence in enumerate(effect.sentences, 1):
        origin = Origin(entry, part_of_card, role.value, number, print_sentence(sentence))
        scope = scope_of(sentence, role)
        objects += _of_event(sentence, origin) if scope.event else _continuous(sentence, scope, origin)
    return tuple(objects)


def _of_event(sentence: tree.Sentence, origin: Origin) -> list[EffectObject]:
    """Return the one object of a sentence with an event; the effect of an ACTION has its event unsaid."""
    when = sentence.when
    hook = EventHook(when.name, when.subject, when.what) if when else EventHook("performed")
    clauses = _clauses(sentence.clauses, sentence.links)
    return [EffectObject(origin, hook, sentence.condition, clauses, sentence.limit)]


def _clauses(clauses: Sequence[tree.Clause], links: Sequence[tree.Link]) -> tuple[Clause | Choice, ...]:
    """The clauses of a sentence in order; what follows `if so` or `if not` hangs on the clause before it.

    The link at an index is between the clause at this index and the next one. `if not` comes last.
    """
    compiled_clauses = tuple([_clause(clause) for clause in clauses])
    first_if = next((index for index, link in enumerate(links) if link.startswith("if")), None)
    if first_if is None:
        return compiled_clauses
    branching = compiled_clauses[first_if]
    assert isinstance(branching, Clause), "`if so` behind `either`"
    begin_if_not = links.index("if not") + 1 if "if not" in links else len(clauses)
    if_so = compiled_clauses[first_if + 1 : begin_if_not]
    if_not = compiled_clauses[begin_if_not:]
    return (*compiled_clauses[:first_if], replace(branching, if_so=if_so, if_not=if_not))


def _clause(clause: tree.Clause) -> Clause | Choice:
    if isinstance(clause, tree.Either):
        return Choice((_clause(clause.first),), (_clause(clause.second),))
    return Clause(_actions(clause), clause.may)


def _actions(clause: tree.Act) -> tuple[Action, ...]:
    """Return the actions of a clause, one for each DOES."""
    duration = clause.duration.name if clause.duration else None
    return tuple(
        [
            Action(clause.who, doing, layer_of(doing), duration if needs_duration(doing) else None)
            for doing in clause.doings
        ]
    )


def _continuous(sentence: tree.Sentence, scope: Scope, origin: Origin) -> list[EffectObject]:
    """Return the objects of a sentence that holds, one for each time at which some of it acts."""
    actions_by_hook: dict[StepHook, list[Action]] = {}
    for clause in sentence.clauses:
        assert isinstance(clause, tree.Act), "a choice needs an event"
        for action in _actions(clause):
            hook = _hook(action.does, sentence, scope)
            actions_by_hook.setdefault(hook, []).append(_as_option(action) if clause.may else action)
    return [
        EffectObject(origin, hook, sentence.condition, tuple(actions), sentence.limit)
        for hook, actions in actions_by_hook.items()
    ]


def _as_option(action: Action) -> Action:
    """`may set`: what always holds lets the OPERATOR's player choose in each attack (E-24)."""
    if not isinstance(action.does, tree.SetsDice):
        return action
    return replace(action, does=replace(action.does, optional=True))


def _hook(doing: tree.Doing, sentence: tree.Sentence, scope: Scope) -> StepHook:
    """Return when a lasting change acts: in the step of its verb, else of its kind of card; 0 without one."""
    step = tree.form_of(doing).step or scope.facts.step or 0
    when = sentence.when
    moment = _moment(doing, sentence)
    return StepHook(step, moment, when.name, when.subject) if when else StepHook(step, moment, None)


def _moment(doing: tree.Doing, sentence: tree.Sentence) -> Moment:
    """Return when a doing acts in MODIFY; with a condition about CRITICAL not before that is settled."""
    if tree.form_of(doing).from_start:
        return "start"
    condition = sentence.condition
    if condition is not None and any(isinstance(node, tree.AttackIsCritical) for node in walk(condition)):
        return "critical"
    return "step"


def layer_of(doing: tree.Doing) -> Layer | None:
    """The layer of a change of a stat, DAMAGE or RANGE (N-2): the verb is the layer. None for everything
    else."""
    if isinstance(doing, tree.Gets):
        return None if doing.what.text not in LAYERED else "add" if doing.amount >= 0 else "subtract"
    return tree.form_of(doing).layer


def as_data(value: EffectObject | Any) -> Any:
    """Return an effect object as lists, mappings, strings and numbers, for JSON.

    A node says what it is under ``is``. Places are left out, and a clause that is only actions is these.
    """
    if isinstance(value, Word):
        return value.text
    if isinstance(value, Struct):
        kind = {"is": _kebab_case(value.__class__.__name__)}
        names = compared_fields(type(value)) if isinstance(value, Node) else value.__struct_fields__
        return kind | {name: as_data(getattr(value, name)) for name in names}
    if isinstance(value, tuple):
        return [as_data(inner) for part in value for inner in _actions_or_itself(part)]
    return value


def _actions_or_itself(action: Any) -> tuple[Any, ...]:
    """The actions of a plain clause, which stand in its place; of anything else just that."""
    return action.actions if isinstance(action, Clause) and action.is_plain else (action,)


def _kebab_case(class_name: str) -> str:
    """``MakesDiceCritical`` → ``makes-dice-critical``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", class_name).lower()


def as_lines(objects: Iterable[EffectObject]) -> Iterator[str]:
    """For each object its sentence, its hook and condition, and what it does to whom."""
    for effect in objects:
        yield effect.origin.text
        limit = f", once per {effect.limit}" if effect.limit else ""
        condition = f", if {print_condition(effect.condition)}" if effect.condition else ""
        yield f"  {_shown_hook(effect.hook)}{limit}{condition}"
        yield from (f"    {line}" for action in effect.actions for line in _action(action))


def trigger_words(hook: StepHook | EventHook) -> str:
    """The trigger of a hook as it is written, behind `when`; nothing for always."""
    name = hook.event if isinstance(hook, EventHook) else hook.when
    if name is None:
        return ""
    object_word = hook.what if isinstance(hook, EventHook) else None
    when = tree.When(name, subject=hook.subject, what=object_word)
    return print_trigger(when) if name in TRIGGERS else "the ACTION is performed"


def _shown_hook(hook: StepHook | EventHook) -> str:
    """Return when an object acts, in words."""
    words = trigger_words(hook)
    if isinstance(hook, EventHook):
        return f"event: when {words}"
    when = f"when {words}" if words else "always"
    moments = {"start": "from the start of the attack", "critical": "after CRITICAL is settled", "step": ""}
    parts = [f"step {hook.step} {STEPS[hook.step - 1]}", moments[hook.moment], when]
    return ", ".join(hook_part for hook_part in parts if hook_part)


def _action(action: Action | Clause | Choice) -> Iterator[str]:
    """Yield the lines of what is done; what depends on a choice or a clause is indented."""
    if isinstance(action, Choice):
        yield "either"
        yield from (f"  {line}" for inner_action in action.first for line in _action(inner_action))
        yield "or"
        yield from (f"  {line}" for inner_action in action.second for line in _action(inner_action))
        return
    if isinstance(action, Clause):
        if action.may:
            yield "may"
        indent = "  " if action.may else ""
        yield from (f"{indent}{line}" for inner_action in action.actions for line in _action(inner_action))
        for word, parts in (("if so", action.if_so), ("if not", action.if_not)):
            if parts:
                yield word
                yield from (f"  {line}" for inner_action in parts for line in _action(inner_action))
        return
    layer = f"  [layer {action.layer}]" if action.layer else ""
    lasts = f"  [lasts: {action.duration}]" if action.duration else ""
    yield f"{print_who(action.target)}: {print_doing(action.does)}{layer}{lasts}"
