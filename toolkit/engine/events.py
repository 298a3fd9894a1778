"""Events: which effects react to them, in which order, and how far a chain of them may go (M-11)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from toolkit.dsl import tree
from toolkit.dsl.walking import walk
from toolkit.effects.objects import EffectObject
from toolkit.engine.conditions import holds
from toolkit.engine.happenings import carry_out
from toolkit.engine.outcomes import ChainLink, EndlessChain
from toolkit.engine.performance import fulfil
from toolkit.engine.play import MOST_EFFECTS, MOST_LINKS, Event, Play, links_of
from toolkit.engine.reasons import why_false
from toolkit.engine.scene import Cast
from toolkit.engine.sources import Source, active_operators, active_sources, is_alive, line_up, sources_of
from toolkit.engine.state import SIDES, Key, Side, other

_ATTACK_EVENTS = ("critical", "hits", "misses")
_OPERATOR_EVENTS = ("reaches", "captures", "action-ends")

RULE_OF_EVENT = {
    "played": "T-2",
    "attached": "M-5",
    "critical": "M-7",
    "hits": "A-1",
    "misses": "A-1",
    "becomes HIT": "H-1",
    "reaches": "A-2b",
    "captures": "A-2b",
    "turn-begins": "M-11",
    "turn-ends": "M-11",
    "action-ends": "M-11",
}
_RULE_OF_ACTION = {"attack": "A-1", "move": "A-2", "medic": "A-3", "evade": "A-4", "reload": "A-5"}


@dataclass(frozen=True, slots=True)
class Reaction:
    """An effect that reacts to an event. ``fallen`` says that its bearer acts although he is HIT (C-3)."""

    effect: EffectObject
    cast: Cast
    card: str | None = None
    fallen: bool = False


def run(play: Play) -> None:
    """Play the events that wait, in the order in which they happened, and those that come of them.

    All effects that react to one event are found when it is its turn; whoever is no longer there when an
    effect comes up does nothing any more. K-1 follows the effects of its event. When events go on beyond the
    bounds the rest is dropped, and ``play.chain`` tells what went on.
    """
    outer = play.now, play.acting
    while play.queue:
        event = play.queue.popleft()
        play.now, play.acting = event, None
        for reaction in list(reactions(play, event)):
            if _beyond_bounds(play, event, reaction):
                break
            react(play, event, reaction)
        play.acting = None
        if play.chain is None:
            fulfil(play, event)
    play.now, play.acting = outer


def _beyond_bounds(play: Play, event: Event, reaction: Reaction) -> bool:
    play.effects_done += 1
    if event.depth < MOST_LINKS and play.effects_done <= MOST_EFFECTS:
        return False
    last = ChainLink("and so on", None, reaction.effect.origin)
    play.chain = EndlessChain((*links_of(event), last))
    play.note("note", "M-11", play.chain.sentence, origin=reaction.effect.origin)
    play.queue.clear()
    return True


def react(play: Play, event: Event, reaction: Reaction) -> None:
    """One effect acts once: its condition is judged once, then its clauses follow in order."""
    effect, cast = reaction.effect, reaction.cast
    if not reaction.fallen and not is_alive(play.state, cast.bearer, reaction.card):
        reason = "its OPERATOR is no longer on the FIELD, or its card no longer on him"
        play.note("skipped", "C-3", reason, origin=effect.origin, who=cast.bearer)
        return
    rule = _RULE_OF_ACTION.get(event.name_of, "") if event.name == "performed" else RULE_OF_EVENT[event.name]
    if effect.condition is not None and not holds(effect.condition, scene := play.scene(cast)):
        if play.traced:
            reason = why_false(effect.condition, scene)
            play.note("skipped", rule, reason, origin=effect.origin, who=cast.bearer)
        return
    play.note("event", rule, effect.origin.text, origin=effect.origin, who=cast.bearer)
    before = play.acting
    play.acting = effect.origin
    carry_out(play, effect.actions, cast, effect.origin, rule)
    play.acting = before


def reactions(play: Play, event: Event) -> Iterator[Reaction]:
    """The effects that react to an event: the attacking, else the TURN's player's first, from left to
    right."""
    if event.name == "performed":
        yield from _performed(play, event)
    elif event.name == "played":
        yield from _of_card(play, event, Cast(event.side or play.first))
    elif event.name == "attached":
        bearer = event.who[0]
        yield from _of_card(play, event, Cast(play.operator(bearer).side, bearer), event.name_of)
    elif event.name in _ATTACK_EVENTS:
        yield from _of_attack(play, event)
    elif event.name == "becomes HIT":
        yield from _of_hit(play, event)
    elif event.name in _OPERATOR_EVENTS:
        yield from _of_operator(play, event)
    else:
        yield from _of_turn(play, event)


def _hearing(play: Play, event: Event) -> Iterable[Source]:
    """Those who act now and have effects of this event."""
    return line_up(play.state, play.rules, play.first).hearing.get(event.name, ())


def _effects(
    effects: Iterable[EffectObject], cast: Cast, card: str | None = None, fallen: bool = False
) -> Iterator[Reaction]:
    for effect in effects:
        yield Reaction(effect, cast, card, fallen)


def _performed(play: Play, event: Event) -> Iterator[Reaction]:
    """The modification of an ACTION by the ruleset (A-2, A-3, A-4, A-5)."""
    by, *on = event.who
    table = play.rules.actions[event.name_of]
    cast = Cast(play.operator(by).side, by, on[0] if on else None)
    yield from _effects(table.events.get("performed", ()), cast)


def _of_card(play: Play, event: Event, cast: Cast, card: str | None = None) -> Iterator[Reaction]:
    effects = play.rules.cards[event.name_of].effects.events.get(event.name, ())
    yield from _effects(effects, cast, card)


def _of_attack(play: Play, event: Event) -> Iterator[Reaction]:
    """In a SKILL, ITEM, ATTACK card and PERFORMANCE self attacks, in a DEFENCE card he is attacked; a
    STRATEGY speaks of an attack by an own OPERATOR."""
    attack = play.attack
    if attack is None:
        return
    one, two = attack.attacker, attack.attacked
    for source in _hearing(play, event):
        effects = source.table.events[event.name]
        if source.bearer is None:
            if source.controller == attack.side:
                yield from _effects(effects, Cast(source.controller, None, None, one, two))
            continue
        for effect in effects:
            attacked = effect.origin.role == "defence"
            if source.bearer == (two if attacked else one):
                target = one if attacked else two
                cast = Cast(source.controller, source.bearer, target, one, two)
                yield Reaction(effect, cast, source.card)
    yield from _effects(
        play.rules.performance.events.get(event.name, ()), Cast(attack.side, one, two, one, two)
    )


def _of_hit(play: Play, event: Event) -> Iterator[Reaction]:
    """C-3: of those who became HIT only their own `when self becomes HIT`; **ruling:** also that of the card
    which lay on them until then (H-2). They and the others of their side, from left to right (M-11)."""
    cards = dict(zip(event.who, event.cards, strict=False))
    for side in (play.first, other(play.first)):
        fallen = [key for key in event.who if play.operator(key).side == side]
        for source in active_sources(play.state, play.rules, side):
            if source.controller == side:
                while fallen and _is_before(play, fallen[0], source):
                    key = fallen.pop(0)
                    yield from _own_fall(play, key, side, cards.get(key))
                yield from _others_fall(play, event, source)
        for key in fallen:
            yield from _own_fall(play, key, side, cards.get(key))
        yield from _performance_of_fall(play, event, side)


def _is_before(play: Play, fallen: Key, source: Source) -> bool:
    """Whether the place of a fallen OPERATOR comes before what else acts; STRATEGY cards come last."""
    bearer = None if source.bearer is None else play.operator(source.bearer).position
    place = play.operator(fallen).position
    return bearer is None or (place is not None and place < bearer)


def _own_fall(play: Play, key: Key, side: Side, card: str | None) -> Iterator[Reaction]:
    for name in (play.operator(key).card, card):
        if name is not None:
            table = play.rules.cards[name].effects
            yield from _effects(table.events.get("self-becomes-hit", ()), Cast(side, key), None, True)


def _others_fall(play: Play, event: Event, source: Source) -> Iterator[Reaction]:
    events = source.table.events
    for key in event.who:
        name = "own-becomes-hit" if play.operator(key).side == source.controller else "enemy-becomes-hit"
        if name in events:
            yield from _effects(events[name], Cast(source.controller, source.bearer), source.card)


def _performance_of_fall(play: Play, event: Event, side: Side) -> Iterator[Reaction]:
    """PERFORMANCE of the mode: self is who became HIT, or for the other player the attacker, if he
    attacks."""
    events = play.rules.performance.events
    attack = play.attack
    for key in event.who:
        if play.operator(key).side == side:
            for name in ("self-becomes-hit", "own-becomes-hit"):
                yield from _effects(events.get(name, ()), Cast(side, key), None, True)
        else:
            attacker = attack.attacker if attack is not None and attack.side == side else None
            yield from _effects(events.get("enemy-becomes-hit", ()), Cast(side, attacker), None, True)


def _of_operator(play: Play, event: Event) -> Iterator[Reaction]:
    """What the OPERATOR concerned bears, and the mode's PERFORMANCE."""
    for key in event.who:
        cast = Cast(play.operator(key).side, key)
        for source in sources_of(play.rules, play.operator(key)):
            yield from _effects(source.table.events.get(event.name, ()), cast, source.card)
        yield from _effects(play.rules.performance.events.get(event.name, ()), cast)


def _of_turn(play: Play, event: Event) -> Iterator[Reaction]:
    """Either player's TURN begins or ends (M-11)."""
    for source in _hearing(play, event):
        effects = source.table.events[event.name]
        yield from _effects(effects, Cast(source.controller, source.bearer), source.card)
    for effect in play.rules.performance.events.get(event.name, ()):
        # **ruling:** PERFORMANCE that speaks of self is asked for each OPERATOR, other once for each player
        if _speaks_of_self(effect):
            for who in active_operators(play.state, play.first):
                yield Reaction(effect, Cast(who.side, who.key))
        else:
            for side in sorted(SIDES, key=lambda side: side != play.first):
                yield Reaction(effect, Cast(side))


def _speaks_of_self(effect: EffectObject) -> bool:
    for part in (effect.condition, *effect.actions):
        for node in walk(part) if part is not None else ():
            if isinstance(node, tree.Ref) and node.name == "self":
                return True
            if isinstance(node, tree.Group) and (
                node.other or (node.in_range is not None and node.in_range.of is None)
            ):
                return True
    return False
