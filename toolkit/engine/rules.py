"""What is played by: immutable tables, built once from cards, compiled effects, a mode and a ruleset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from toolkit.data.model import Card, CardSet, Mode, Options, Ruleset
from toolkit.dsl import tree
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.walking import walk
from toolkit.effects.compiling import compile_effect
from toolkit.effects.objects import Action, EffectObject, EventHook, Origin, StepHook
from toolkit.vocabulary import Role

Effects = Mapping[tuple[str, str], tuple[EffectObject, ...]]
"""Compiled effects by entry id and part (``skill 1``, ``effect``, ``teamwork``, ``action move`` …)."""

DEFAULT_TEAMWORK = "when attacking, self gets +1 AP. when attacked, self gets +1 EP."
"""What TEAMWORK is where a mode does not say (RULES.md §8)."""

START, AFTER_CRITICAL = 0, 7
"""Times of MODIFY beside its steps 1 to 6: from the start of the attack, and after M-7 (M-8)."""

Aspect = str | type
"""What an action makes: a change of a stat (``AP``), or something held, by the class of its verb."""

_CHANGING = (
    tree.HasStatus,
    tree.StatusFilter,
    tree.QuantityOf,
    tree.QuantityFilter,
    tree.CardsInHand,
    tree.Round,
    tree.AttackIsCritical,
)
_DICE = (tree.RollsExtra, tree.MayReroll, tree.MakesDiceCritical, tree.MakesAttackCritical)
_FROM_THE_START = (tree.Ignores, tree.CannotPerform, tree.CannotBeAttacked, tree.CannotHaveDefence)


@dataclass(frozen=True, slots=True)
class Continuous:
    """A continuous sentence: judged once (M-8), its actions act at their times.

    ``when`` is the trigger's name, None for always (M-10). ``step`` is that of its kind, 1 to 5. ``judged``
    is the time at which its condition is judged: the earliest at which one of its actions acts, or
    ``AFTER_CRITICAL``. ``actions`` are pairs of time and action: permissions and `ignores` at ``START``,
    dice verbs in step 6, the rest in ``step``; all of them at ``AFTER_CRITICAL`` if the condition speaks of
    CRITICAL. ``times`` are the times among them, ``makes`` what its actions make.
    ``settled`` says that it reads nothing but who stands where with which card: no status, number, hand or
    ROUND.
    """

    origin: Origin
    when: str | None
    condition: tree.Condition | None
    step: int
    judged: int
    actions: tuple[tuple[int, Action], ...]
    times: frozenset[int]
    makes: frozenset[Aspect]
    settled: bool


@dataclass(frozen=True, slots=True)
class EffectTable:
    """The effects of one place: ``always`` (M-10), ``in_attack`` (with a trigger), ``events`` by trigger.

    Modifications of an ACTION stand under ``events["performed"]``.
    """

    always: tuple[Continuous, ...]
    in_attack: tuple[Continuous, ...]
    events: dict[str, tuple[EffectObject, ...]]


NO_EFFECTS = EffectTable((), (), {})


@dataclass(frozen=True, slots=True)
class CardRules:
    """A card as it is played: its facts and its effects. ``values`` are the four VALUEs by stat (N-1)."""

    id: str
    kind: str
    team: str | None
    traits: frozenset[str]
    values: dict[str, int]
    squadpoints: int
    effects: EffectTable


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """Everything that does not change during a game.

    ``cards`` by id; ``objective_values`` of all OBJECTIVEs by id; ``objectives`` ids by FIELDPOSITION of each
    row (F-3), as many as there are FIELDPOSITIONs, None where the mode names none. ``limits`` by ACTION in
    lower case (A-1 to A-5), None for unlimited; an ACTION that is missing there does not exist in this
    ruleset. ``actions`` are the modifications of the ACTIONs. ``suppressed`` are the conditions of
    SUPPRESSION: an OPERATOR is SUPPRESSED while one of them holds for him (None always holds). ``kept`` is
    what has been found out about states and is kept for others that are alike (``sources.line_up``).
    """

    mode: Mode
    ruleset: Ruleset
    options: Options
    cards: dict[str, CardRules]
    objectives: tuple[str | None, ...]
    objective_values: dict[str, int]
    limits: dict[str, int | None]
    actions: dict[str, EffectTable]
    suppression: EffectTable
    suppressed: tuple[tree.Condition | None, ...]
    teamwork: EffectTable
    performance: EffectTable
    attack_can_be_forbidden: bool
    kept: dict[object, object] = field(default_factory=dict, init=False, repr=False)

    @property
    def field_positions(self) -> int:
        """How many FIELDPOSITIONs a row has (F-1)."""
        return self.mode.field_positions


def build_rules(
    cards: CardSet, effects: Effects, mode: Mode, ruleset: Ruleset, options: Options | None = None
) -> Rules:
    """The tables for games of a mode under a ruleset.

    ``options`` replaces the ruleset's (a scenario may); an effect that is missing from ``effects``, because
    it has errors, does nothing.
    """
    positions = mode.field_positions
    suppression = effects.get((ruleset.id, "suppression"), ())
    listed: tuple[str | None, ...] = tuple(mode.objectives[:positions])
    tables = {card.id: _card_rules(card, effects) for card in cards.cards.values()}
    return Rules(
        mode=mode,
        ruleset=ruleset,
        options=options or ruleset.options,
        cards=tables,
        objectives=listed + (None,) * (positions - len(listed)),
        objective_values={objective.id: objective.value for objective in cards.objectives.values()},
        limits={name: action.limit for name, action in ruleset.actions.items()},
        actions={
            name: effect_table(effects.get((ruleset.id, f"action {name}"), ())) for name in ruleset.actions
        },
        suppression=effect_table(suppression),
        suppressed=tuple({effect.origin.sentence: effect.condition for effect in suppression}.values()),
        teamwork=effect_table(_teamwork(mode, effects)),
        performance=effect_table(_performance(mode, effects)),
        attack_can_be_forbidden=any(_forbids_attacks(card.effects) for card in tables.values()),
    )


def _forbids_attacks(table: EffectTable) -> bool:
    return any(
        isinstance(action.does, (tree.CannotBeAttacked, tree.CannotPerform))
        for effect in table.in_attack
        for _, action in effect.actions
    )


def _card_rules(card: Card, effects: Effects) -> CardRules:
    parts = [f"skill {number}" for number in range(1, len(card.skills) + 1)] + ["effect"]
    objects = [effect for part in parts for effect in effects.get((card.id, part), ())]
    values = {"AP": card.ap, "EP": card.ep, "DP": card.dp, "MP": card.mp}
    return CardRules(
        card.id, card.kind, card.team, frozenset(card.traits), values, card.squadpoints, effect_table(objects)
    )


def _teamwork(mode: Mode, effects: Effects) -> tuple[EffectObject, ...]:
    if mode.teamwork is not None:
        return effects.get((mode.id, "teamwork"), ())
    parsed, _ = parse_effect(DEFAULT_TEAMWORK)
    return compile_effect(parsed, Role.TEAMWORK, mode.id, "teamwork") if parsed else ()


def _performance(mode: Mode, effects: Effects) -> list[EffectObject]:
    parts = [f"performance {number}" for number in range(1, len(mode.performance) + 1)]
    return [effect for part in parts for effect in effects.get((mode.id, part), ())]


def effect_table(objects: Iterable[EffectObject]) -> EffectTable:
    """Effect objects sorted by what they wait for; the objects of one sentence are put together (M-8)."""
    sentences: dict[tuple[str, str, int], list[EffectObject]] = {}
    events: dict[str, list[EffectObject]] = {}
    for effect in objects:
        if isinstance(effect.hook, EventHook):
            events.setdefault(effect.hook.event, []).append(effect)
        else:
            origin = effect.origin
            sentences.setdefault((origin.entry, origin.part, origin.sentence), []).append(effect)
    continuous = [_continuous(parts) for parts in sentences.values()]
    return EffectTable(
        tuple(sentence for sentence in continuous if sentence.when is None),
        tuple(sentence for sentence in continuous if sentence.when is not None),
        {event: tuple(found) for event, found in events.items()},
    )


def _continuous(parts: list[EffectObject]) -> Continuous:
    first = parts[0]
    assert isinstance(first.hook, StepHook)
    speaks_of_critical = first.condition is not None and any(
        isinstance(node, tree.AttackIsCritical) for node in walk(first.condition)
    )
    actions: list[tuple[int, Action]] = []
    step = STEP_OF_ROLE.get(first.origin.role, 0)
    for part in parts:
        for action in part.actions:
            assert isinstance(action, Action), "a choice needs an event"
            time = AFTER_CRITICAL if speaks_of_critical else _time(action.does, step)
            actions.append((time, action))
    return Continuous(
        first.origin,
        first.hook.when,
        first.condition,
        step,
        min(time for time, _ in actions),
        tuple(actions),
        frozenset(time for time, _ in actions),
        frozenset(aspect_of(action.does, action.layer) for _, action in actions),
        not any(
            isinstance(node, _CHANGING)
            for part in (first.condition, *(part for _, one in actions for part in (one.target, one.does)))
            if part is not None
            for node in walk(part)
        ),
    )


def aspect_of(does: tree.Doing, layer: str | None) -> Aspect:
    """What a verb makes: a change of a stat if it has a layer (N-2), else something that is held."""
    if layer is None:
        return type(does)
    if isinstance(does, tree.Gets):
        return does.what.text
    assert isinstance(does, (tree.Multiplies, tree.Divides, tree.Fixes)), "only these have a layer"
    return does.stat.text


def _time(doing: tree.Doing, step: int) -> int:
    if isinstance(doing, _FROM_THE_START):
        return START
    return 6 if isinstance(doing, _DICE) else step


STEP_OF_ROLE = {
    "suppression": 1,
    "skill": 2,
    "teamwork": 3,
    "strategy": 4,
    "attack": 5,
    "defence": 5,
    "item": 5,
}
"""The kind of card is the step of MODIFY (LANGUAGE.md §2)."""
