"""What is played by: tables that do not change, built once from cards, effects, a mode and a ruleset.

Effects are compiled here to callables (``compiler``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, groupby
from typing import Literal

from msgspec import Struct

from toolkit.data.model import Card, CardSet, Marker, Mode, Options, Ruleset
from toolkit.dsl import tree
from toolkit.dsl.effect_objects import (
    Action,
    Choice,
    Clause,
    EffectObject,
    EventHook,
    Layer,
    Origin,
    StepHook,
    all_actions,
    compile_effect,
)
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.tree import walk
from toolkit.engine.compiler import (
    CompiledChange,
    CompiledCondition,
    Facts,
    Number,
    OperatorTest,
    Targets,
    compile_change,
    compile_condition,
    compile_subject,
    compile_who,
)
from toolkit.engine.state import GIVING
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary import ACTIONS, FORMS, ROLES, TRIGGERS, Part, Role, Trigger

Effects = Mapping[tuple[str, str], tuple[EffectObject, ...]]
"""Compiled effects by entry id and part (``skill 1``, ``effect``, ``teamwork``, ``action move`` …)."""

DEFAULT_TEAMWORK = "when attacking, self gets +1 AP. when attacked, self gets +1 EP."
"""What TEAMWORK is where a mode does not say (RULES.md §8)."""

START, AFTER_CRITICAL = 0, 7
"""Times of MODIFY beside its steps 1 to 6: from the start of the attack, and after M-7 (M-8)."""
DICE_STEP = 6

AttackPart = Literal["attacker", "attacked", "own", "enemy"]
"""The part of a bearer in an attack: one of the two OPERATORs, or a bystander of the attacking player's side
(``own``) or of the other (``enemy``)."""

Aspect = str | type
"""What an action makes: a change of a stat (``AP``), or something held, by the class of its verb."""

ActionName = str
"""The key of an ACTION: ``attack``, ``move`` …"""

RULE_OF_ACTION = {action.key: action.rule for action in ACTIONS.values()}

STEP_OF_ROLE = {
    "suppression": 1,
    "skill": 2,
    "teamwork": 3,
    "strategy": 4,
    "attack": 5,
    "defence": 5,
    "item": 5,
    "keyword": 2,
    "objective": 4,
}
"""The kind of card is the step of MODIFY (LANGUAGE.md §2)."""

IGNORED_AS = {
    "suppression": "SUPPRESSION",
    "skill": "SKILLs",
    "teamwork": "TEAMWORK",
    "strategy": "STRATEGY",
    "attack": "ATTACK cards",
    "defence": "DEFENCE cards",
    "keyword": "SKILLs",
    "objective": "STRATEGY",
}
"""What an OPERATOR ignores that is not changed by effects of that role; an ITEM cannot be ignored."""

CARD_ROLES = frozenset(("skill", "attack", "defence", "effect", "strategy", "item", "keyword", "objective"))

DICE_VERBS = frozenset(getattr(tree, form.node) for form in FORMS.values() if form.step)
"""What is held and concerns the dice (M-6, M-7)."""
_FROM_THE_START = tuple(getattr(tree, form.node) for form in FORMS.values() if form.from_start)
_SELF = tree.Ref("self")
MAKING: dict[str, frozenset[Aspect]] = {
    "DP": frozenset(("DP", tree.Ignores)),
    "RANGE": frozenset(("RANGE",)),
    "KEYWORD": frozenset((tree.GainsKeyword,)),
    "trait": frozenset((tree.GainsTrait,)),
}
"""What an effect makes by which an OPERATOR's DP, RANGE, KEYWORDs or traits may change."""
_FORBIDDING = (tree.CannotBeAttacked, tree.CannotPerform)


class ContinuousAction(PublicValue, Struct, frozen=True, eq=False):
    """One action of a continuous sentence: at which time of MODIFY, for whom, and what it makes.

    A change of ``stat`` in ``layer`` by ``amount``; else, with ``layer`` None, ``does`` is held.
    """

    time: int
    targets: Targets
    does: tree.Doing
    aspect: Aspect
    layer: Layer | None = None
    stat: str = ""
    amount: Number = lambda _: 0


class ContinuousEffect(PublicValue, Struct, frozen=True, eq=False):
    """A continuous sentence: judged once (M-8), its actions act at their times.

    ``when`` is the trigger, None for always (M-10). ``step`` is that of its kind, 1 to 5. ``judged`` is the
    time at which its condition is judged: the earliest at which one of its actions acts, or
    ``AFTER_CRITICAL``. Permissions and `ignores` act at ``START``, dice verbs in step 6, the rest in
    ``step``; all of them at ``AFTER_CRITICAL`` if the condition speaks of CRITICAL. ``due`` are the actions
    by time; ``makes`` the actions by what they make; ``forbids`` whether one forbids an attack (M-8), ``own``
    whether all concern only its bearer. ``reads`` is None unless whether it holds, for whom and how much
    follows from who is face up where, and from those of RANGE, KEYWORD and trait that it names: then it is
    asked only when that has changed (``StateQueries.invalidate``).
    ``whose``, ``another`` and ``filters`` say which OPERATOR its trigger speaks of, as in ``EventEffect``;
    ``limit`` how often it acts (E-4); ``gives`` whether it gives KEYWORDs or traits (E-12).
    """

    origin: Origin
    hook: StepHook
    when: Trigger | None
    condition: CompiledCondition | None
    step: int
    judged: int
    actions: tuple[ContinuousAction, ...]
    due: dict[int, tuple[ContinuousAction, ...]]
    makes: dict[Aspect, tuple[ContinuousAction, ...]]
    forbids: bool
    own: bool
    reads: frozenset[str] | None
    ignored_as: str | None
    by_card: bool
    whose: tree.Side = "any"
    another: bool = False
    filters: OperatorTest | None = None
    limit: tree.Limit | None = None
    gives: bool = False


class EventAction(PublicValue, Struct, frozen=True, eq=False):
    """One verb of an event with its duration; ``change`` is the stat or counter that it changes, or what it
    counts, and by how much; ``partner`` with whom it changes places, or whose ITEM it takes (E-10, E-28)."""

    does: tree.Doing
    layer: Layer | None
    duration: tree.DurationName | None
    change: CompiledChange | None
    partner: Targets | None = None


class EventClause(PublicValue, Struct, frozen=True, eq=False):
    """A clause of an event (``Clause``): a WHO, and its verbs; ``runs`` are the same, those together
    whose amounts are read together (E-34)."""

    clause: Clause
    who: tree.Who
    targets: Targets
    actions: tuple[EventAction, ...]
    runs: tuple[tuple[EventAction, ...], ...]
    if_so: EventClauses = ()
    if_not: EventClauses = ()


class EventChoice(PublicValue, Struct, frozen=True, eq=False):
    """`either … or …` of an event: its controller chooses one side."""

    choice: Choice
    first: EventClauses
    second: EventClauses


EventClauses = tuple[EventClause | EventChoice, ...]


_Whose = Literal["self", "own", "enemy", "any"]


class EventEffect(PublicValue, Struct, frozen=True, eq=False):
    """A sentence of an event; ``speaks_of_self`` says whether it names its bearer or what stands around
    it. ``rule`` is that of its trigger, ``limit`` how often it acts (E-4), ``only_may`` whether nothing comes
    of it if nobody agrees (E-2).

    It hears of ``self``, or of OPERATORs (TURNs) that are ``own``, ``enemy`` or ``any``; of ``another`` than
    self; of those who pass the ``filters`` directly before the event (E-6). ``what`` is the ACTION or counter
    that it speaks of, empty for any; ``part`` the part in the attack of whom it hears. ``names`` says whether
    that OPERATOR is `it` (E-7).
    """

    origin: Origin
    hook: EventHook
    condition: CompiledCondition | None
    clauses: EventClauses
    speaks_of_self: bool
    rule: str = ""
    limit: tree.Limit | None = None
    whose: _Whose = "any"
    another: bool = False
    filters: OperatorTest | None = None
    what: str = ""
    part: Part | None = None
    names: bool = True
    only_may: bool = False


class EffectTable(PublicValue, Struct, frozen=True, eq=False):
    """The effects of one place: ``always`` (M-10), ``in_attack`` (with a trigger), ``events`` by name.

    ``in_attack_as`` are those ``in_attack`` by the part that their bearer plays in an attack. Modifications
    of an ACTION stand under ``events["performed"]``. ``waits_for`` says what is there: the names of the
    events, ``filtered(…)`` of those of which some have filters, ``always``, ``attack`` and ``attacks of
    others``, ``forbids`` for what may forbid an attack (M-8), a stat, ``DAMAGE`` or ``RANGE`` for changes of
    it, ``KEYWORD`` and ``trait`` for giving some, ``always DP`` for what without `when` may change a DP
    (H-1), ``DP by RANGE`` if it reads RANGE, ``unsettled DP`` if its ``reads`` are None, the same of RANGE,
    KEYWORDs and traits, ``dice`` for reading AP or EP after the dice of an attack, ``dice after enters``
    (``attached``, ``captures``) if only when that happens then, ``hand`` for what reads a hand or takes cards
    from one. ``makes`` are the classes of all verbs.
    """

    always: tuple[ContinuousEffect, ...]
    in_attack: tuple[ContinuousEffect, ...]
    in_attack_as: dict[AttackPart, tuple[ContinuousEffect, ...]]
    events: dict[str, tuple[EventEffect, ...]]
    waits_for: frozenset[str]
    makes: frozenset[type]


class CardRules(Facts, frozen=True, eq=False, dict=True):
    """A card as it is played: its facts, its effects and the ids of its KEYWORDs; ``text_only`` are its parts
    with rules that no program plays (E-1).

    Effects are compiled when they are first asked for: a project may have many more cards than a game.
    """

    objects: tuple[EffectObject, ...]
    text_only: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()

    @cached_property
    def effects(self) -> EffectTable:
        """Its compiled effects."""
        return effect_table(self.objects)


class Rules(PublicValue, Struct, frozen=True, eq=False):
    """Everything that does not change during a game.

    ``cards`` by id; ``objective_values`` of all OBJECTIVEs by id; ``objectives`` ids by FIELDPOSITION of each
    row (F-3), as many as there are FIELDPOSITIONs, None where the mode names none. ``limits`` by ACTION in
    lower case (A-1 to A-5), None for unlimited; an ACTION that is missing there does not exist in this
    ruleset. ``actions`` are the modifications of the ACTIONs. ``suppressed`` are the conditions of
    SUPPRESSION: an OPERATOR is SUPPRESSED while one of them holds for it (None always holds). ``keywords``
    are the effects of KEYWORDs and ``places`` those of OBJECTIVEs, by id, of those that have some;
    ``markers`` are all markers by id. ``text_only`` are OBJECTIVEs and KEYWORDs with rules that no program
    plays (E-1).
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
    suppressed: tuple[CompiledCondition | None, ...]
    teamwork: EffectTable
    performance: EffectTable
    keywords: dict[str, EffectTable] = {}
    places: dict[str, EffectTable] = {}
    markers: dict[str, Marker] = {}
    text_only: frozenset[str] = frozenset()

    @property
    def field_positions(self) -> int:
        """How many FIELDPOSITIONs a row has (F-1)."""
        return self.mode.field_positions

    def waits_for(self, cards: Iterable[str]) -> frozenset[str]:
        """Return what effects can wait for in a GAME with these cards (``EffectTable.waits_for``).

        That an OPERATOR becomes HIT or REACHES its OBJECTIVE is among it always: it fulfils PERFORMANCE
        (K-1). So are AP and EP, which the dice change (M-6).
        """
        events = [event for table in self.tables(cards) for event in table.waits_for]
        return frozenset(["becomes HIT", "reaches", "AP", "EP", *events])

    def makes(self, cards: Iterable[str]) -> frozenset[type]:
        """Return the verbs by which effects can make something in a GAME with these cards."""
        return frozenset([verb for table in self.tables(cards) for verb in table.makes])

    def tables(self, cards: Iterable[str]) -> list[EffectTable]:
        """Return the effects of everything that can act in a GAME with these cards."""
        played = [self.cards[card] for card in set(cards)]
        tables = [card.effects for card in played]
        tables += [*self.actions.values(), self.suppression, self.teamwork, self.performance]
        tables += [self.places[name] for name in set(self.objectives) if name in self.places]
        if self.keywords:
            gives = any("KEYWORD" in table.waits_for for table in tables)
            borne = self.keywords if gives else {name for card in played for name in card.keywords}
            tables += [self.keywords[name] for name in borne if name in self.keywords]
        return tables


def build_rules(
    cards: CardSet, effects: Effects, mode: Mode, ruleset: Ruleset, options: Options | None = None
) -> Rules:
    """Build the tables for games of a mode under a ruleset.

    ``options`` replaces the ruleset's (a scenario may); an effect that is missing from ``effects``, because
    it has errors, does nothing.
    """
    positions = mode.field_positions
    suppression = effects.get((ruleset.id, "suppression"), ())
    conditions = {effect.origin.sentence: effect.condition for effect in suppression}
    mode_objectives: tuple[str | None, ...] = tuple(mode.objectives[:positions])
    text_only = [objective.id for objective in cards.objectives.values() if objective.text_only]
    text_only += [keyword.id for keyword in cards.keywords.values() if keyword.text_only]
    return Rules(
        mode=mode,
        ruleset=ruleset,
        options=options or ruleset.options,
        cards={card.id: _card_rules(card, effects) for card in cards.cards.values()},
        objectives=mode_objectives + (None,) * (positions - len(mode_objectives)),
        objective_values={objective.id: objective.value for objective in cards.objectives.values()},
        limits={name: action.limit for name, action in ruleset.actions.items()},
        actions={
            name: effect_table(effects.get((ruleset.id, f"action {name}"), ())) for name in ruleset.actions
        },
        suppression=effect_table(suppression),
        suppressed=tuple([_test(condition) for condition in conditions.values()]),
        teamwork=effect_table(_teamwork(mode, effects)),
        performance=effect_table(_performance(mode, effects)),
        keywords=_tables(cards.keywords, effects),
        places=_tables(cards.objectives, effects),
        markers=cards.markers,
        text_only=frozenset(text_only),
    )


def _tables(entries: Iterable[str], effects: Effects) -> dict[str, EffectTable]:
    """The effects of entries that have one, by id."""
    return {name: effect_table(effects[name, "effect"]) for name in entries if (name, "effect") in effects}


def _test(condition: tree.Condition | None) -> CompiledCondition | None:
    """Compile the condition of a sentence; None for one that has none."""
    return None if condition is None else compile_condition(condition)


def _card_rules(card: Card, effects: Effects) -> CardRules:
    """Return a card as it is played; a part without an effect, or with errors, does nothing."""
    parts = [f"skill {number}" for number in range(1, len(card.skills) + 1)] + ["effect"]
    objects = tuple(effect for card_part in parts for effect in effects.get((card.id, card_part), ()))
    facts = (card.id, card.kind, card.team, frozenset(card.traits), card.stats, card.squadpoints)
    return CardRules(*facts, objects, tuple(card.texts_only), card.keywords)


def _teamwork(mode: Mode, effects: Effects) -> tuple[EffectObject, ...]:
    """Return the TEAMWORK effect of a mode, or that of the rules if it has none of its own."""
    if mode.teamwork is not None:
        return effects.get((mode.id, "teamwork"), ())
    parsed, _ = parse_effect(DEFAULT_TEAMWORK)
    return compile_effect(parsed, Role.TEAMWORK, mode.id, "teamwork") if parsed else ()


def _performance(mode: Mode, effects: Effects) -> list[EffectObject]:
    """Return the effects of all PERFORMANCE entries of a mode, in their order."""
    parts = [f"performance {number}" for number in range(1, len(mode.performance) + 1)]
    return [effect for mode_part in parts for effect in effects.get((mode.id, mode_part), ())]


def effect_table(objects: Iterable[EffectObject]) -> EffectTable:
    """Compile effect objects and sort them by what they wait for; the objects of one sentence are put
    together (M-8)."""
    objects = tuple(objects)
    sentences: dict[tuple[str, str, int], list[EffectObject]] = {}
    events: dict[str, list[EventEffect]] = {}
    changed: set[str] = set()
    for effect in objects:
        changed.update(_changed(effect))
        if isinstance(effect.hook, EventHook):
            events.setdefault(event_of(effect.hook.event), []).append(_event_effect(effect, effect.hook))
        else:
            origin = effect.origin
            sentences.setdefault((origin.entry, origin.part, origin.sentence), []).append(effect)
    continuous = [_continuous_effect(parts) for parts in sentences.values()]
    always = tuple(sentence for sentence in continuous if sentence.when is None)
    in_attack = tuple(sentence for sentence in continuous if sentence.when is not None)
    waits_for = {*changed, *events, *_waits_of_always(always), *_waits_in_attack(in_attack)}
    for name, event_effects in events.items():
        if any(effect.filters for effect in event_effects):
            waits_for.add(filtered(name))
    waits_for.update(_reads_dice(objects))
    if any(isinstance(node, _OF_HANDS) for node in _nodes(objects)):
        waits_for.add("hand")
    return EffectTable(
        always=always,
        in_attack=in_attack,
        in_attack_as={
            attack_part: tuple([sentence for sentence in in_attack if _holds_as(attack_part, sentence)])
            for attack_part in _PARTS
        },
        events={event: tuple(event_effects) for event, event_effects in events.items()},
        waits_for=frozenset(waits_for),
        makes=frozenset([type(action.does) for effect in objects for action in all_actions(effect.actions)]),
    )


_BEFORE_DICE = frozenset(("performed", "played", "begins"))
"""Events of an attack that never happen after its dice."""
RARELY_AFTER_DICE = frozenset(("attached", "enters", "captures"))
"""Events that happen after them only where somebody moves or gets an ITEM."""


_OF_HANDS = (tree.CardsInHand, tree.NumberOfCards, tree.Source, tree.Discards)
"""Nodes that may be about the cards in a hand."""


def _nodes(objects: Iterable[EffectObject]) -> Iterator[tree.Node]:
    """All nodes of effects."""
    for effect in objects:
        for effect_part in _parts(effect):
            yield from walk(effect_part)


def _reads_dice(objects: Iterable[EffectObject]) -> Iterator[str]:
    """What ``EffectTable.waits_for`` says of effects that may act after the dice of an attack and read AP or
    EP, in which they are."""
    for effect in objects:
        nodes = list(chain.from_iterable(map(walk, _parts(effect))))
        event = event_of(effect.hook.event) if isinstance(effect.hook, EventHook) else ""
        after_dice = effect.origin.role == "suppression" or (event and event not in _BEFORE_DICE)
        if not (after_dice or any(isinstance(node, tree.AttackIsCritical) for node in nodes)):
            continue
        quantities = [
            node.quantity.text
            for node in nodes
            if isinstance(node, (tree.QuantityOf, tree.QuantityFilter, tree.Superlative))
        ]
        if not {"AP", "EP"}.isdisjoint(quantities):
            yield dice_after(event) if event in RARELY_AFTER_DICE else "dice"


def _waits_of_always(always: tuple[ContinuousEffect, ...]) -> Iterator[str]:
    """What ``EffectTable.waits_for`` says of the effects without `when`."""
    if always:
        yield "always"
    for sentence in always:
        # a KEYWORD or trait that comes and goes by a condition may change DP, too
        gives_unsettled = sentence.gives and sentence.reads is None
        for changed, aspects in MAKING.items():
            if aspects.isdisjoint(sentence.makes) and not (gives_unsettled and changed == "DP"):
                continue
            if sentence.reads is None or (sentence.limit is not None and changed != "DP"):
                yield f"unsettled {changed}"
            else:
                yield f"always {changed}"
                yield from (f"{changed} by {name}" for name in sentence.reads)


def _waits_in_attack(in_attack: tuple[ContinuousEffect, ...]) -> Iterator[str]:
    """What ``EffectTable.waits_for`` says of the effects with a trigger of an attack."""
    if in_attack:
        yield "attack"
    if any(sentence.when is not None and not sentence.when.needs_self for sentence in in_attack):
        yield "attacks of others"
    if any(sentence.forbids for sentence in in_attack):
        yield "forbids"


_EVENTS = {"becomes-hit": "becomes HIT", "becomes-out": "becomes OUT", "would-become-hit": "would become HIT"}


def event_of(trigger: str) -> str:
    """Return the name of the event that a trigger waits for: that of several is the same."""
    for beginning in ("self-", "own-", "enemy-", "attack-by-", "attack-on-"):
        trigger = trigger.removeprefix(beginning)
    return _EVENTS.get(trigger, trigger)


def filtered(event: str) -> str:
    """Return what effects wait for that hear of an event by a filter."""
    return f"filtered({event})"


def dice_after(event: str) -> str:
    """Return what effects wait for that read AP or EP when an event happens after the dice of an attack."""
    return f"dice after {event}"


def _event_effect(effect: EffectObject, hook: EventHook) -> EventEffect:
    """Compile an effect of an event: whose event it must be, and by which part in an attack."""
    trigger, subject = TRIGGERS.get(hook.event), hook.subject
    group = subject if isinstance(subject, tree.Group) else None
    role = Role(effect.origin.role)
    attack_part = None if trigger is None else trigger.part
    # `hits`, `misses` and `critical` name neither of the two: it is who bears the card or performs the attack
    is_outcome = trigger is not None and trigger.attack and attack_part is None
    if is_outcome:
        attack_part = "attacked" if role is Role.DEFENCE else "attacker"
    clauses = _event_clauses(effect.actions)
    return EventEffect(
        origin=effect.origin,
        hook=hook,
        condition=_test(effect.condition),
        clauses=clauses,
        speaks_of_self=_speaks_of_self(effect),
        rule=_rule_of(hook),
        limit=effect.limit,
        whose=_whose(hook, trigger, ROLES[role].has_self if is_outcome else None),
        another=group is not None and group.other,
        filters=None if group is None else compile_subject(group),
        what="" if hook.what is None or hook.what.text == "ACTION" else hook.what.text,
        part=attack_part,
        names=not is_outcome,
        only_may=all(
            isinstance(clause, EventClause) and clause.clause.may and not clause.if_not for clause in clauses
        ),
    )


def _whose(hook: EventHook, trigger: Trigger | None, outcome_has_self: bool | None) -> _Whose:
    """Return of whom a sentence of an event hears.

    ``outcome_has_self`` is None unless it hears of an outcome of attacks, `hits`, `misses` or `critical`;
    then it says whether its card is borne by an OPERATOR.
    """
    if isinstance(hook.subject, tree.Group):
        return hook.subject.side
    if hook.subject is not None or (trigger is not None and trigger.needs_self):
        return "self"
    if outcome_has_self is not None:
        return "self" if outcome_has_self else "own"
    if hook.event.startswith("own-"):
        return "own"
    return "enemy" if hook.event.startswith("enemy-") else "any"


_RULES = {
    "played": "T-2",
    "attached": "M-5",
    "critical": "M-7",
    "hits": "A-1",
    "misses": "A-1",
    "self-becomes-hit": "H-1",
    "own-becomes-hit": "H-1",
    "enemy-becomes-hit": "H-1",
    "reaches": "A-2b",
    "captures": "A-2b",
    "turn-begins": "M-11",
    "turn-ends": "M-11",
    "action-ends": "M-11",
}
"""The rules of the triggers of the first edition; those of the others are E-5 and E-6."""


def _rule_of(hook: EventHook) -> str:
    """Return the rule by which a sentence of an event acts."""
    if hook.event in _RULES and hook.subject is None:
        return _RULES[hook.event]
    if hook.event == "would-become-hit":
        return "E-15"
    if hook.event in ("attack-by-begins", "attack-on-begins"):
        return "E-21"
    return "E-5" if hook.event.endswith(("-begins", "-ends")) else "E-6"


_PARTS: tuple[AttackPart, ...] = ("attacker", "attacked", "own", "enemy")


def _holds_as(attack_part: AttackPart, effect: ContinuousEffect) -> bool:
    """Whether a trigger holds in an attack in which its bearer plays that part (LANGUAGE.md §2); its filters
    are judged then."""
    when = effect.when
    assert when is not None
    if when.needs_self:
        return when.part == attack_part
    if effect.another and when.part == attack_part:
        return False
    whose = when.whose or effect.whose
    bearers_side_attacks = attack_part in ("attacker", "own")
    speaks_of_bearers_side = bearers_side_attacks == (when.part == "attacker")
    return whose == "any" or (whose == "own") == speaks_of_bearers_side


def _event_clauses(parts: Iterable[Action | Clause | Choice]) -> EventClauses:
    """Compile the clauses of an event with what follows from them, in order."""
    compiled: list[EventClause | EventChoice] = []
    for clause in parts:
        if isinstance(clause, Choice):
            compiled.append(EventChoice(clause, _event_clauses(clause.first), _event_clauses(clause.second)))
            continue
        assert isinstance(clause, Clause), "an event has clauses"
        actor = clause.actions[0].target
        actions = tuple([_event_action(action) for action in clause.actions])
        runs = tuple([tuple(run) for _, run in groupby(actions, key=_run_of)])
        if_so, if_not = _event_clauses(clause.if_so), _event_clauses(clause.if_not)
        compiled.append(EventClause(clause, actor, compile_who(actor), actions, runs, if_so, if_not))
    return tuple(compiled)


def _run_of(action: EventAction) -> int:
    """Return the same number for neighbours of one `gets … and …`, and another for each other verb."""
    return 0 if isinstance(action.does, tree.Gets) else id(action)


def _event_action(action: Action) -> EventAction:
    """Compile one verb of an event."""
    does = action.does
    return EventAction(does, action.layer, action.duration, compile_change(does), _partner(does))


def _partner(does: tree.Doing) -> Targets | None:
    """With whom places are swapped."""
    return compile_who(does.partner) if isinstance(does, tree.WithPartner) else None


def _changed(effect: EffectObject) -> Iterator[str]:
    """The stats that an effect changes, DAMAGE and RANGE too; KEYWORD and trait where it gives some."""
    for action in all_actions(effect.actions):
        if isinstance(action.does, GIVING):
            yield "KEYWORD" if isinstance(action.does, tree.GainsKeyword) else "trait"
        # what has no layer changes a counter, or counts cards
        change = None if action.layer is None else compile_change(action.does)
        if change is not None:
            yield change.quantity


def _speaks_of_self(effect: EffectObject) -> bool:
    """Whether a sentence names its bearer, or a GROUP seen from it (``EventEffect``)."""
    for effect_part in _parts(effect):
        for node in walk(effect_part):
            if isinstance(node, tree.Ref) and node.name == "self":
                return True
            if isinstance(node, tree.Group) and (
                node.other or (node.in_range is not None and node.in_range.of is None)
            ):
                return True
    return False


def _parts(effect: EffectObject) -> Iterator[tree.Group | tree.Condition | tree.Who | tree.Doing]:
    """Whom an effect hears of, its condition, then whom each action concerns and what it does."""
    if isinstance(effect.hook, EventHook) and effect.hook.subject is not None:
        yield effect.hook.subject
    if effect.condition is not None:
        yield effect.condition
    for action in all_actions(effect.actions):
        yield action.target
        yield action.does


def _continuous_effect(parts: list[EffectObject]) -> ContinuousEffect:
    """Compile the effect objects of one sentence as one effect, which is judged once (M-8).

    They differ in their actions only, so the first one says the rest of all.
    """
    first = parts[0]
    assert isinstance(first.hook, StepHook)
    role = first.origin.role
    group = first.hook.subject if isinstance(first.hook.subject, tree.Group) else None
    step = STEP_OF_ROLE.get(role, 0)
    speaks_of_critical = first.condition is not None and any(
        isinstance(node, tree.AttackIsCritical) for node in walk(first.condition)
    )
    actions = tuple(_continuous_actions(parts, step, speaks_of_critical))
    makes: dict[Aspect, list[ContinuousAction]] = {}
    due: dict[int, list[ContinuousAction]] = {}
    for action in actions:
        makes.setdefault(action.aspect, []).append(action)
        due.setdefault(action.time, []).append(action)
    return ContinuousEffect(
        origin=first.origin,
        hook=first.hook,
        when=None if first.hook.when is None else TRIGGERS[first.hook.when],
        condition=_test(first.condition),
        step=step,
        judged=min(due),
        actions=actions,
        due={time: tuple(actions_then) for time, actions_then in due.items()},
        makes={aspect: tuple(actions_making) for aspect, actions_making in makes.items()},
        forbids=any(action.time == START and isinstance(action.does, _FORBIDDING) for action in actions),
        own=all(written.target == _SELF for effect in parts for written in all_actions(effect.actions)),
        reads=_settled_reads(parts),
        ignored_as=IGNORED_AS.get(role),
        by_card=role in CARD_ROLES,
        whose="any" if group is None else group.side,
        another=group is not None and group.other,
        filters=None if group is None else compile_subject(group),
        limit=first.limit,
        gives=not makes.keys().isdisjoint(GIVING),
    )


def _settled_reads(parts: Iterable[EffectObject]) -> frozenset[str] | None:
    """Which of RANGE, KEYWORD and trait a sentence reads beside places, sides, names and printed numbers;
    None where it reads anything else, which may change while everybody stays where they are."""
    reads: set[str] = set()
    trees = [effect_part for effect in parts for effect_part in _parts(effect)]
    for node in chain.from_iterable(map(walk, trees)):
        if _is_unsettled(node):
            return None
        match node:
            case tree.Bears() | tree.Bearing():
                reads.add(node.what)
            case tree.InRange() | tree.Stands(relation="in RANGE"):
                reads.add("RANGE")
            case tree.Group(trait=tree.Word()):
                reads.add("trait")
    return frozenset(reads)


def _is_unsettled(node: tree.Node) -> bool:
    """Whether a node reads what may change while everybody stays where they are, face up or face down."""
    match node:
        case tree.QuantityOf(quantity):
            return not quantity.text.endswith(" VALUE")  # only that is printed
        case tree.Bears() | tree.Bearing():
            return node.name is None  # any card of a kind: it may be lost or attached
        case tree.Group():
            return node.savezone
        case tree.Fixes():
            return True  # which of two Fixes counts changes with who attacks (N-6)
        case tree.InRange() | tree.Stands():
            return False
        case _:
            return not isinstance(node, (*_SETTLED, *_VERBS))


FIRST_SETTLED = frozenset(("RANGE", "KEYWORD", "trait"))
"""What is settled before numbers (E-12, E-16), so that what reads it changes with it."""


def varying(awaits: Callable[[str], bool]) -> frozenset[str]:
    """Return which of RANGE, KEYWORDs and traits may change while everybody stays where they are;
    ``awaits`` says whether an effect may wait for something (``EffectTable.waits_for``).

    They come without `when` or by an event, and an event has it found anew what acts. What gives KEYWORDs and
    traits reads them as events have changed them (E-12), and what changes RANGE does not read RANGE (E-16).
    """
    given = frozenset([name for name in ("KEYWORD", "trait") if awaits(f"unsettled {name}")])
    changes_range = awaits("unsettled RANGE") or any(awaits(f"RANGE by {name}") for name in given)
    return (given | {"RANGE"}) if changes_range else given


_VERBS = tuple([getattr(tree, form.node) for form in FORMS.values()])
_SETTLED = (
    tree.Word, tree.Ref, tree.Every, tree.AllOf, tree.AnyOf, tree.BearingFilter, tree.HasTeamOf,
    tree.Not, tree.Comparison, tree.Constant, tree.Negative, tree.Binary, tree.NumberOf, tree.Per,
)  # fmt: skip
"""Nodes that read nothing that changes while everybody stays where they are, face up or face down."""


def _continuous_actions(
    parts: list[EffectObject], step: int, speaks_of_critical: bool
) -> Iterator[ContinuousAction]:
    """Compile the actions of effects without `when`; those that change a number have its layer."""
    for effect_object in parts:
        for action in effect_object.actions:
            assert isinstance(action, Action), "a choice needs an event"
            does, targets = action.does, compile_who(action.target)
            time = AFTER_CRITICAL if speaks_of_critical else _time(does, step)
            change = compile_change(does)
            if action.layer is None or change is None:
                yield ContinuousAction(time, targets, does, type(does))
            else:
                stat = change.quantity
                yield ContinuousAction(time, targets, does, stat, action.layer, stat, change.amount)


def _time(doing: tree.Doing, step: int) -> int:
    """Return the time of MODIFY at which a verb acts in an effect of a step (``ContinuousEffect``)."""
    if isinstance(doing, _FROM_THE_START):
        return START
    return DICE_STEP if type(doing) in DICE_VERBS else step
