"""One attack explained: who, what came of it, every section of its trace, and its two numbers as sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from msgspec import Struct

from toolkit.dsl.effect_objects import EventHook, Origin, StepHook, trigger_words
from toolkit.engine.acting_effects import attack_part
from toolkit.engine.compiled_rules import (
    AFTER_CRITICAL,
    START,
    ContinuousEffect,
    EffectTable,
    Rules,
)
from toolkit.engine.explaining.sums import Origins, Sum, sum_of
from toolkit.engine.outcomes import AttackResult, Outcome, TraceEntry
from toolkit.engine.state import SIDES, GameState, Key, Side
from toolkit.engine.state_queries import StateQueries
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary import STEPS, TRIGGERS, Trigger

BEFORE, COMPARISON, EVENTS = -1, 8, 9
"""Sections beside the times of MODIFY: what is before it, A-1 with H-1, and the events of the attack."""

_NAMES = {
    BEFORE: "Before MODIFY",
    START: "Before step 1: what lasts, and what always holds",
    AFTER_CRITICAL: "After CRITICAL",
    COMPARISON: "AP against EP",
    EVENTS: "Events",
}
_OF_COMPARISON = ("A-1", "H-1")


class Block(PublicValue, Struct):
    """Entries of one effect that follow one another; ``origin`` None: a rule without a sentence.

    ``again`` says that the effect had a block before in this section. ``idle`` that none of its entries did
    anything to the two OPERATORs of the attack. ``others`` are changes of other OPERATORs' numbers (M-11).
    """

    origin: Origin | None
    entries: list[TraceEntry] = []
    others: list[TraceEntry] = []
    again: bool = False

    @property
    def idle(self) -> bool:
        """Whether it did nothing to the two."""
        return all(entry.kind == "skipped" for entry in self.entries)


class Section(PublicValue, Struct, frozen=True):
    """A part of the trace; ``number`` is the step of MODIFY, or one of the constants of this module."""

    number: int
    blocks: tuple[Block, ...]

    @property
    def is_step(self) -> bool:
        """Whether it is one of the six steps of MODIFY."""
        return 1 <= self.number <= len(STEPS)

    @property
    def name(self) -> str:
        """What the section is called: for a step its name in the rules."""
        return STEPS[self.number - 1] if self.is_step else _NAMES[self.number]


def sections_of(
    trace: Iterable[TraceEntry], both: tuple[Key, Key], idle: Iterable[TraceEntry] = ()
) -> tuple[Section, ...]:
    """The trace of an attack in sections: all six steps, other sections only where they hold something.

    ``idle`` are entries for effects of which the trace says nothing, because their trigger did not come.
    What did something stands before what did not; else the order is that in which it happened.
    """
    entries_by_section: dict[int, list[TraceEntry]] = {number: [] for number in range(1, len(STEPS) + 1)}
    section_number = BEFORE
    for entry in trace:
        section_number = _section_of(entry, section_number)
        entries_by_section.setdefault(section_number, []).append(entry)
    for entry in idle:
        entries_by_section.setdefault(EVENTS if entry.step is None else entry.step, []).append(entry)
    sections = []
    for number, entries in sorted(entries_by_section.items()):
        # what changes for others is set apart up to MODIFY; after it nothing is summed up any more
        numbers_of = both if number < COMPARISON else None
        if entries or number > START:
            sections.append(Section(number, tuple(blocks_of(entries, numbers_of))))
    return tuple(sections)


def _section_of(entry: TraceEntry, section_number: int) -> int:
    """Where an entry belongs, given where the one before it did.

    What has no step happened at that time: a `when attached` in step 5, an event after the comparison.
    """
    if section_number >= COMPARISON:
        of_damage = entry.kind == "change" and entry.stat == "DAMAGE"
        compares = of_damage or (entry.rule in _OF_COMPARISON and not entry.origin)
        return COMPARISON if section_number == COMPARISON and compares else EVENTS
    if entry.kind == "compare" or (entry.rule == "A-1" and section_number > BEFORE):
        return COMPARISON
    if entry.step is None:
        return section_number
    if entry.kind == "skipped" and entry.rule == "M-10":
        return START  # judged there, although it belongs to the step of its kind
    return max(section_number, entry.step)


def blocks_of(entries: list[TraceEntry], both: tuple[Key, Key] | None = None) -> list[Block]:
    """Entries of one effect that follow one another are a block; those that did nothing come last.

    With ``both`` changes of other OPERATORs' numbers are set apart.
    """
    acting = [entry for entry in entries if entry.kind != "skipped"]
    skipped = [entry for entry in entries if entry.kind == "skipped"]
    blocks: list[Block] = []
    for entry in (*acting, *skipped):
        if not blocks or blocks[-1].origin != entry.origin:
            again = entry.origin is not None and any(block.origin == entry.origin for block in blocks)
            blocks.append(Block(entry.origin, again=again))
        block = blocks[-1]
        is_other = both is not None and entry.kind == "change" and entry.who not in both
        entries_or_others = block.others if is_other else block.entries
        entries_or_others.append(entry)
    return sorted(blocks, key=lambda block: block.idle)


class Explanation(PublicValue, Struct, frozen=True):
    """How an attack went.

    ``both`` are attacker and attacked, ``names`` what OPERATORs are called. ``result`` is None, and there
    are no ``sums``, where nothing was compared.
    """

    both: tuple[Key, Key]
    names: dict[Key, str]
    result: AttackResult | None
    sections: tuple[Section, ...]
    sums: tuple[Sum, ...]


def explain(
    resolver: StateQueries,
    after: GameState,
    outcome: Outcome,
    both: tuple[Key, Key],
    origins: Origins,
    *,
    thorough: bool,
) -> Explanation:
    """Explain an attack from the resolver with the state before it, the state after it, and its outcome.

    Only a ``thorough`` explanation has effects that nothing called for.
    """
    state_before, rules = resolver.state, resolver.rules
    attacker, first_attacked = both
    attacked = _attacked_last(first_attacked, outcome.trace)
    both = attacker, attacked
    names, result = state_before.names(), outcome.attack
    trace = list(_with_verdict(state_before, rules, outcome, attacked, names))
    idle: tuple[TraceEntry, ...] = ()
    if thorough:
        attack = AttackRecord(resolver, both, after, result, outcome.trace)
        idle = tuple(skipped_effects(attack, names))
    sums = () if result is None else _sums(state_before, rules, result, origins)
    return Explanation(both, names, result, sections_of(trace, both, idle), sums)


def _attacked_last(attacked: Key, trace: Iterable[TraceEntry]) -> Key:
    """The attacked OPERATOR, or who became the target in its place (E-22)."""
    for entry in trace:
        if entry.rule == "E-22" and entry.kind == "status" and entry.who is not None:
            attacked = entry.who
    return attacked


def _sums(state: GameState, rules: Rules, result: AttackResult, origins: Origins) -> tuple[Sum, ...]:
    """AP of the attacker and EP of the attacked."""
    side = state.operators[result.attacker].side
    pairs = (("AP", result.attacker, result.ap_changes), ("EP", result.attacked, result.ep_changes))
    return tuple(
        sum_of(
            stat, rules.cards[state.operators[key].card].values[stat], changes, rules.options, side, origins
        )
        for stat, key, changes in pairs
    )


def _with_verdict(
    state: GameState, rules: Rules, outcome: Outcome, attacked: Key, names: dict[Key, str]
) -> Iterator[TraceEntry]:
    """The trace; where a hit does not make the attacked OPERATOR HIT, with a line that says so (H-1).

    Its DP are those that MODIFY made: the last that the trace tells before the comparison, else the VALUE.
    """
    dp, is_compared = rules.cards[state.operators[attacked].card].values["DP"], False
    for entry in outcome.trace:
        yield entry
        is_compared = is_compared or entry.kind == "compare"
        if entry.who != attacked or not isinstance(entry.after, int):
            continue
        if entry.kind == "change" and entry.stat == "DP" and not is_compared:
            dp = entry.after
        elif entry.kind == "counter" and entry.rule == "A-1" and entry.after < dp:
            text = f"{names[attacked]} is not HIT: HITCOUNTER {entry.after} is below its DP {dp}"
            yield TraceEntry("note", "H-1", text, who=attacked)


# Effects of which the trace says nothing, because nothing called for them, and why not

_OF_ATTACK = ("hits", "misses", "critical")
_TEAMWORK_STEP = 3


class BearingCard(Struct, frozen=True, eq=False):
    """A card of the attack: its effects, whose it is, and the OPERATOR who bears it (None: a STRATEGY).

    ``card`` is the one that lies on the OPERATOR; None where it is the OPERATOR's own, with its SKILLs.
    """

    effects: EffectTable
    side: Side
    bearer: Key | None
    card: str | None = None


class AttackRecord(Struct, frozen=True, eq=False):
    """How an attack went: the resolver with the state before it, who, the state after it, what was compared
    (None: nothing), and the trace."""

    resolver: StateQueries
    both: tuple[Key, Key]
    after: GameState
    result: AttackResult | None
    trace: tuple[TraceEntry, ...]

    @property
    def before(self) -> GameState:
        """The state before it."""
        return self.resolver.state

    def cards_on(self, key: Key) -> Iterator[str]:
        """The cards that lay on one of the two in its attack, also those that are gone again."""
        attached = [
            entry.after
            for entry in self.trace
            if entry.kind == "card" and entry.rule == "M-5" and entry.who == key
        ]
        for card in (self.before.operators[key].attached, *attached, self.after.operators[key].attached):
            if isinstance(card, str):
                yield card

    def status_down(self, key: Key) -> str | None:
        """HIT or OUT of somebody who is down after the attack, HIT of who was in between; else None."""
        status = self.after.operators[key].status
        if status in ("HIT", "OUT"):
            return status
        return "HIT" if key in self.fallen() else None

    def has_lost_skills(self, key: Key) -> bool:
        """Whether somebody lost its SKILLs, before the attack or in it (E-29)."""
        return self.before.operators[key].has_lost_skills or any(
            entry.rule == "E-29" and entry.who == key for entry in self.trace
        )

    def fallen(self) -> set[Key]:
        """Who became HIT."""
        return {
            entry.who
            for entry in self.trace
            if entry.kind == "status" and entry.after == "HIT" and entry.who is not None
        }


def skipped_effects(attack: AttackRecord, names: dict[Key, str]) -> Iterator[TraceEntry]:
    """A ``skipped`` entry for every effect of the two, of the cards on them, of the STRATEGY cards in play,
    and of TEAMWORK that the trace does not mention. Events have no step.
    """
    traced = {entry.origin for entry in attack.trace}
    for bearing in _bearings(attack):
        if bearing.card is None and bearing.bearer is not None and attack.has_lost_skills(bearing.bearer):
            yield from _lost(bearing, traced, names)
            continue
        for effect in (*bearing.effects.always, *bearing.effects.in_attack):
            if effect.origin not in traced:
                yield _of_continuous(effect, bearing, attack, names)
        for effects in bearing.effects.events.values():
            for skipped_effect in effects:
                if skipped_effect.origin not in traced:
                    rule, reason = why_skipped(
                        skipped_effect.hook, skipped_effect.origin.role, bearing, attack, names
                    )
                    yield TraceEntry("skipped", rule, reason, None, skipped_effect.origin, bearing.bearer)
    yield from _skipped_teamwork(attack, traced, names)


def _skipped_teamwork(
    attack: AttackRecord, traced: set[Origin | None], names: dict[Key, str]
) -> Iterator[TraceEntry]:
    """An entry for every sentence of TEAMWORK that did nothing because nobody of a TEAM is near (M-3)."""
    resolver = attack.resolver
    attacker, attacked = (attack.before.operators[key] for key in attack.both)
    for effect in resolver.rules.teamwork.in_attack:
        concerned = attacked if effect.when is TRIGGERS["attacked"] else attacker
        if effect.origin not in traced and not resolver.has_team_mate(concerned):
            team = resolver.facts[concerned.key].team
            reason = f"no own OPERATOR of TEAM {team} is in RANGE of {names[concerned.key]}"
            yield TraceEntry("skipped", "M-3", reason, _TEAMWORK_STEP, effect.origin, concerned.key)


def _lost(bearing: BearingCard, traced: set[Origin | None], names: dict[Key, str]) -> Iterator[TraceEntry]:
    """An entry for every effect of an OPERATOR that has lost its SKILLs (E-29)."""
    assert bearing.bearer is not None
    effects = bearing.effects
    reason = f"{names[bearing.bearer]} has lost its SKILLs"
    for effect in (*effects.always, *effects.in_attack):
        if effect.origin not in traced:
            yield TraceEntry("skipped", "E-29", reason, effect.step, effect.origin, bearing.bearer)
    for event_effect in chain.from_iterable(effects.events.values()):
        if event_effect.origin not in traced:
            yield TraceEntry("skipped", "E-29", reason, None, event_effect.origin, bearing.bearer)


def _bearings(attack: AttackRecord) -> Iterator[BearingCard]:
    """Everything with effects that could act in the attack: of the two OPERATORs, then STRATEGY cards."""
    cards = attack.resolver.cards
    for key in attack.both:
        operator = attack.before.operators[key]
        yield BearingCard(cards[operator.card].effects, operator.side, key)
        for source in attack.resolver.borne_by(operator):
            if source.card not in cards:  # its KEYWORDs, and the OBJECTIVE at which it stands
                yield BearingCard(source.table, operator.side, key, source.card)
        for card in dict.fromkeys(attack.cards_on(key)):
            yield BearingCard(cards[card].effects, operator.side, key, card)
    for side in SIDES:
        for card in attack.before.player(side).strategies:
            yield BearingCard(cards[card].effects, side, None)


def _of_continuous(
    effect: ContinuousEffect, bearing: BearingCard, attack: AttackRecord, names: dict[Key, str]
) -> TraceEntry:
    """The entry that says why a continuous effect did nothing."""
    operators = attack.before.operators
    bearer = None if bearing.bearer is None else operators[bearing.bearer]
    attacker, attacked = (operators[key] for key in attack.both)
    when, bearers_part = effect.when, attack_part(bearing.side, bearer, attacker, attacked)
    if when is None or effect in bearing.effects.in_attack_as[bearers_part]:
        # the trigger holds, and if the condition had failed, the trace would say so
        reason = "it concerns nobody here"
    else:
        opposite = _opposite_of_trigger(effect.hook, when, bearing, names)
        reason = f"it acts when {trigger_words(effect.hook)}, and {opposite}"
    rule = f"M-{effect.step}" if effect.step else "M-8"
    return TraceEntry("skipped", rule, reason, effect.step, effect.origin, bearing.bearer)


def _opposite_of_trigger(hook: StepHook, when: Trigger, bearing: BearingCard, names: dict[Key, str]) -> str:
    """A clause that says what is so in this attack instead of what a trigger says."""
    if hook.subject is not None:
        return "that is not so here"
    if bearing.bearer is not None and when.needs_self:
        return f"here {names[bearing.bearer]} {'is attacked' if when.part == 'attacker' else 'attacks'}"
    verb = "attacks" if when.part == "attacker" else "is attacked"
    return f"here an {'enemy' if when.whose == 'own' else 'own'} one {verb}"


def why_skipped(
    hook: EventHook, role: str, bearing: BearingCard, attack: AttackRecord, names: dict[Key, str]
) -> tuple[str, str]:
    """The rule and the reason; ``role`` is that of the effect (LANGUAGE.md §2, "WHEN (an event)")."""
    of_others = _of_others(role, bearing, attack, names) if hook.event in _OF_ATTACK else None
    if of_others is not None:
        return "M-11", of_others
    waits, bearer = f"it acts when {trigger_words(hook)}, and ", bearing.bearer
    down = None if bearer is None else attack.status_down(bearer)
    happened = _happened(hook.event, bearing, attack)
    if not happened and (down is None or hook.subject is None):
        return "M-11", f"{waits}that did not happen"
    if bearer is None:
        return "M-11", "it did not come to it any more"
    if down is not None:
        # of a trigger with a subject it is not known whether it happened: who is down hears nothing
        waits = "" if happened else waits
        gone = "" if bearing.card is None else ", so this card is gone (H-2)"
        return "C-3", f"{waits}{names[bearer]} is {down} by then{gone}"
    return "C-3", "it did not come to it any more" if bearing.card is None else "this card is gone by then"


def _of_others(role: str, bearing: BearingCard, attack: AttackRecord, names: dict[Key, str]) -> str | None:
    """A sentence that says of whose attacks an effect speaks; None if this attack is one of them."""
    attacker, attacked = attack.both
    if bearing.bearer is None:
        if bearing.side == attack.before.operators[attacker].side:
            return None
        return "it speaks of attacks by own OPERATORs, and here an enemy one attacks"
    name = names[bearing.bearer]
    if role == "defence":
        if bearing.bearer == attacked:
            return None
        return f"it speaks of attacks on {name}, and here {name} attacks"
    if bearing.bearer == attacker:
        return None
    return f"it speaks of attacks by {name}, and here {name} is attacked"


def _happened(event: str, bearing: BearingCard, attack: AttackRecord) -> bool:
    """Whether an event took place in an attack, seen from the card whose effect waits for it."""
    result, fallen = attack.result, attack.fallen()
    fallen_sides = {attack.before.operators[key].side for key in fallen}
    match event:
        case "hits":
            return result is not None and result.hits
        case "misses":
            return result is not None and not result.hits
        case "critical":
            return result is not None and result.critical
        case "self-becomes-hit":
            return bearing.bearer in fallen
        case "own-becomes-hit":
            return bearing.side in fallen_sides
        case "enemy-becomes-hit":
            return bool(fallen_sides - {bearing.side})
    return False
