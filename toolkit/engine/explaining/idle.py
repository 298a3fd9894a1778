"""Effects of which the trace of an attack says nothing, because nothing called for them, and why not."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from toolkit.engine.outcomes import AttackResult, TraceEntry
from toolkit.engine.resolver import Resolver, attack_part
from toolkit.engine.rules import STEP_OF_ROLE, ContinuousEffect, EffectTable, EventEffect
from toolkit.engine.state import SIDES, GameState, Key, Side
from toolkit.vocabulary import TRIGGERS, Trigger

_OF_ATTACK = ("hits", "misses", "critical")


class BearingCard(Struct, frozen=True, eq=False):
    """A card of the attack: its effects, whose it is, and the OPERATOR who bears it (None: a STRATEGY).

    ``card`` is the one that lies on him; None where it is his own, with his SKILLs.
    """

    effects: EffectTable
    side: Side
    bearer: Key | None
    card: str | None = None


class AttackRecord(Struct, frozen=True, eq=False):
    """How an attack went: the resolver with the state before it, who, the state after it, what was compared
    (None: nothing), and the trace."""

    resolver: Resolver
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

    def fallen(self) -> set[Key]:
        """Who became HIT."""
        return {
            entry.who
            for entry in self.trace
            if entry.kind == "status" and entry.after == "HIT" and entry.who is not None
        }


_RULES = {1: "M-1", 2: "M-2", 3: "M-3", 4: "M-4", 5: "M-5"}


def skipped_effects(attack: AttackRecord, names: dict[Key, str]) -> Iterator[TraceEntry]:
    """A ``skipped`` entry for every effect of the two, of the cards on them, of the STRATEGY cards in play,
    and of TEAMWORK that the trace does not mention. Events have no step.
    """
    resolver, traced = attack.resolver, {entry.origin for entry in attack.trace}
    attacker, attacked = (attack.before.operators[key] for key in attack.both)
    for bearing in _bearings(attack):
        for effect in (*bearing.effects.always, *bearing.effects.in_attack):
            if effect.origin not in traced:
                yield _of_continuous(effect, bearing, attack, names)
        for event, effects in bearing.effects.events.items():
            for one in effects:
                if one.origin not in traced:
                    yield _of_event(event, one, bearing, attack, names)
    for effect in resolver.rules.teamwork.in_attack:
        concerned = attacked if effect.when is TRIGGERS["attacked"] else attacker
        if effect.origin not in traced and not resolver.has_team_mate(concerned):
            team = resolver.facts[concerned.key].team
            reason = f"no own OPERATOR of TEAM {team} is in RANGE of {names[concerned.key]}"
            yield TraceEntry("skipped", "M-3", reason, 3, effect.origin, concerned.key)


def _bearings(attack: AttackRecord) -> Iterator[BearingCard]:
    cards = attack.resolver.cards
    for key in attack.both:
        who = attack.before.operators[key]
        yield BearingCard(cards[who.card].effects, who.side, key)
        for card in dict.fromkeys(attack.cards_on(key)):
            yield BearingCard(cards[card].effects, who.side, key, card)
    for side in SIDES:
        for card in attack.before.player(side).strategies:
            yield BearingCard(cards[card].effects, side, None)


def _of_continuous(
    effect: ContinuousEffect,
    bearing: BearingCard,
    attack: AttackRecord,
    names: dict[Key, str],
) -> TraceEntry:
    operators = attack.before.operators
    bearer = None if bearing.bearer is None else operators[bearing.bearer]
    one, two = (operators[key] for key in attack.both)
    when = effect.when
    if when is None or effect in bearing.effects.in_attack_as[attack_part(bearing.side, bearer, one, two)]:
        reason = "it concerns nobody here"
    else:
        reason = f"it acts when {when.words}, and {_here(when, bearing, names)}"
    step = STEP_OF_ROLE.get(effect.origin.role, effect.step)
    return TraceEntry("skipped", _RULES.get(step, "M-8"), reason, step, effect.origin, bearing.bearer)


def _here(when: Trigger, bearing: BearingCard, names: dict[Key, str]) -> str:
    """What is so instead of a trigger."""
    if bearing.bearer is not None and when.needs_self:
        return f"here {names[bearing.bearer]} {'is attacked' if when.part == 'attacker' else 'attacks'}"
    verb = "attacks" if when.part == "attacker" else "is attacked"
    return f"here an {'enemy' if when.whose == 'own' else 'own'} one {verb}"


def _of_event(
    event: str, effect: EventEffect, bearing: BearingCard, attack: AttackRecord, names: dict[Key, str]
) -> TraceEntry:
    rule, reason = why_skipped(event, effect.origin.role, bearing, attack, names)
    return TraceEntry("skipped", rule, reason, None, effect.origin, bearing.bearer)


def why_skipped(
    event: str, role: str, bearing: BearingCard, attack: AttackRecord, names: dict[Key, str]
) -> tuple[str, str]:
    """The rule and the reason; ``role`` is that of the effect (LANGUAGE.md §2, "WHEN (an event)")."""
    of_others = _of_others(role, bearing, attack, names) if event in _OF_ATTACK else None
    if of_others is not None:
        return "M-11", of_others
    if not _happened(event, bearing, attack):
        trigger = TRIGGERS.get(event)
        words = trigger.words if trigger else "the ACTION is performed"
        return "M-11", f"it acts when {words}, and that did not happen"
    if bearing.bearer is None:
        return "M-11", "it did not come to it any more"
    name, status = names[bearing.bearer], attack.after.operators[bearing.bearer].status
    down = status if status in ("HIT", "OUT") else "HIT" if bearing.bearer in attack.fallen() else None
    if bearing.card is None:
        return "C-3", f"{name} is {down} by then" if down else "it did not come to it any more"
    return (
        "C-3",
        f"{name} is {down} by then, so this card is gone (H-2)" if down else "this card is gone by then",
    )


def _of_others(role: str, bearing: BearingCard, attack: AttackRecord, names: dict[Key, str]) -> str | None:
    """Of whose attacks it speaks, if this is none of them."""
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
    return (
        None if bearing.bearer == attacker else f"it speaks of attacks by {name}, and here {name} is attacked"
    )


def _happened(event: str, bearing: BearingCard, attack: AttackRecord) -> bool:
    """Whether what an effect waits for took place although nothing is told of the effect."""
    result, fallen = attack.result, attack.fallen()
    sides = {attack.before.operators[key].side for key in fallen}
    match event:
        case "hits" | "misses":
            return result is not None and result.hits == (event == "hits")
        case "critical":
            return result is not None and result.critical
        case "self-becomes-hit":
            return bearing.bearer in fallen
        case "own-becomes-hit":
            return bearing.side in sides
        case "enemy-becomes-hit":
            return bool(sides - {bearing.side})
    return False
