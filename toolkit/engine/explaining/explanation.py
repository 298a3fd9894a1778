"""One attack explained: who, what came of it, every section of its trace, and its two numbers as sums."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from toolkit.effects.objects import Origin
from toolkit.engine.explaining.idle import AttackRecord, skipped_effects
from toolkit.engine.explaining.origins import Origins
from toolkit.engine.explaining.sums import Sum, sum_of
from toolkit.engine.outcomes import AttackResult, Outcome, TraceEntry
from toolkit.engine.resolver import Resolver
from toolkit.engine.rules import AFTER_CRITICAL, START, Rules
from toolkit.engine.state import GameState, Key
from toolkit.vocabulary import STEPS

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


class Block(Struct):
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


class Section(Struct, frozen=True):
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
    found: dict[int, list[TraceEntry]] = {number: [] for number in range(1, len(STEPS) + 1)}
    at = BEFORE
    for entry in trace:
        at = _section_of(entry, at)
        found.setdefault(at, []).append(entry)
    for entry in idle:
        found.setdefault(EVENTS if entry.step is None else entry.step, []).append(entry)
    return tuple(
        Section(number, tuple(blocks_of(found[number], both if number < COMPARISON else None)))
        for number in sorted(found)
        if found[number] or number > START
    )


def _section_of(entry: TraceEntry, at: int) -> int:
    """Where an entry belongs, given where the one before it did.

    What has no step happened at that time: a `when attached` in step 5, an event after the comparison.
    """
    if at >= COMPARISON:
        return (
            COMPARISON if at == COMPARISON and entry.rule in _OF_COMPARISON and not entry.origin else EVENTS
        )
    if entry.kind == "compare" or (entry.rule == "A-1" and at > BEFORE):
        return COMPARISON
    if entry.step is None:
        return at
    if entry.kind == "skipped" and entry.rule == "M-10":
        return START  # judged there, although it belongs to the step of its kind
    return max(at, entry.step)


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
        is_other = both is not None and entry.kind == "change" and entry.who not in both
        (blocks[-1].others if is_other else blocks[-1].entries).append(entry)
    return sorted(blocks, key=lambda block: block.idle)


class Explanation(Struct, frozen=True):
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
    resolver: Resolver,
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
    before, rules = resolver.state, resolver.rules
    names, result = before.names(), outcome.attack
    trace = list(_with_verdict(before, rules, outcome, both[1], names))
    idle: tuple[TraceEntry, ...] = ()
    if thorough:
        attack = AttackRecord(resolver, both, after, result, outcome.trace)
        idle = tuple(skipped_effects(attack, names))
    sums = () if result is None else _sums(before, rules, result, origins)
    return Explanation(both, names, result, sections_of(trace, both, idle), sums)


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

    His DP are those that MODIFY made: the last that the trace tells before the comparison, else the VALUE.
    """
    dp, compared = rules.cards[state.operators[attacked].card].values["DP"], False
    for entry in outcome.trace:
        yield entry
        compared = compared or entry.kind == "compare"
        if entry.who != attacked or not isinstance(entry.after, int):
            continue
        if entry.kind == "change" and entry.stat == "DP" and not compared:
            dp = entry.after
        elif entry.kind == "counter" and entry.rule == "A-1" and entry.after < dp:
            text = f"{names[attacked]} is not HIT: HITCOUNTER {entry.after} is below his DP {dp}"
            yield TraceEntry("note", "H-1", text, who=attacked)
