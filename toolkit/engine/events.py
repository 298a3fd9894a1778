"""Events: which effects react to them, in which order, and how far a chain of them may go (M-11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from toolkit.engine.compiler import Context
from toolkit.engine.effects import carry_out, reward
from toolkit.engine.game import MOST_EFFECTS, MOST_LINKS, Event, EventName, Game
from toolkit.engine.outcomes import ChainLink, EndlessChain
from toolkit.engine.resolver import Source
from toolkit.engine.rules import RULE_OF_ACTION, EventEffect
from toolkit.engine.state import OperatorState, Side, other

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


class Reaction(Struct, frozen=True, eq=False):
    """An effect that reacts to an event. ``fallen`` says that its bearer acts although it is HIT (C-3)."""

    effect: EventEffect
    context: Context
    card: str | None = None
    fallen: bool = False


def run(game: Game) -> None:
    """Play the events that wait, in the order in which they happened, and those that come of them.

    All effects that react to one event are found when it is its turn; whoever is no longer there when an
    effect comes up does nothing any more. K-1 follows the effects of its event. When events go on beyond the
    bounds the rest is dropped, and ``game.chain`` says what went on.
    """
    if not game.queue:
        return
    outer = game.now, game.acting
    while game.queue:
        event = game.queue.popleft()
        game.now, game.acting = event, None
        for reaction in [*_REACTIONS[event.name](game, event)]:
            if _beyond_bounds(game, event, reaction):
                break
            react(game, event, reaction)
        game.acting = None
        if game.chain is None:
            fulfil(game, event)
    game.now, game.acting = outer


def _beyond_bounds(game: Game, event: Event, reaction: Reaction) -> bool:
    game.effects_done += 1
    if event.depth < MOST_LINKS and game.effects_done <= MOST_EFFECTS:
        return False
    last = ChainLink("and so on", None, reaction.effect.origin)
    game.chain = EndlessChain((*event.links, last))
    game.first_chain = game.first_chain or game.chain
    game.note("note", "M-11", game.chain.sentence, origin=reaction.effect.origin)
    game.queue.clear()
    return True


def react(game: Game, event: Event, reaction: Reaction) -> None:
    """Let one effect act once: its condition is judged once, then its clauses follow in order."""
    effect, context = reaction.effect, reaction.context
    origin, bearer = effect.origin, context.self
    if not reaction.fallen and bearer is not None and not bearer.bears(reaction.card):
        reason = "its OPERATOR is no longer on the FIELD, or its card no longer on it"
        game.note("skipped", "C-3", reason, origin=origin, who=bearer)
        return
    rule = RULE_OF_ACTION[event.name_of] if event.name == "performed" else RULE_OF_EVENT[event.name]
    context.critical = game.attack is not None and game.attack.critical
    if effect.condition is not None and not effect.condition.holds(context):
        if game.trace is not None:
            game.note("skipped", rule, effect.condition.why_false(context), origin=origin, who=bearer)
        return
    if game.trace is not None:
        game.note("event", rule, origin.text, origin=origin, who=bearer)
    before, game.acting = game.acting, origin
    carry_out(game, effect.actions, context, origin, rule)
    game.acting = before


# Which effects react: the attacking, else the TURN's player's first, from left to right (M-11)


def _each(
    effects: Iterable[EventEffect], context: Context, card: str | None = None, fallen: bool = False
) -> list[Reaction]:
    return [Reaction(effect, context, card, fallen) for effect in effects]


def _performed(game: Game, event: Event) -> list[Reaction]:
    """The modification of an ACTION by the ruleset (A-2, A-3, A-4, A-5)."""
    by, *on = event.who
    table = game.rules.actions[event.name_of]
    return _each(table.events.get("performed", ()), game.context(by.side, by, on[0] if on else None))


def _played(game: Game, event: Event) -> list[Reaction]:
    effects = game.cards[event.name_of].effects.events.get("played", ())
    return _each(effects, game.context(event.side or game.first))


def _attached(game: Game, event: Event) -> list[Reaction]:
    bearer = event.who[0]
    effects = game.cards[event.name_of].effects.events.get("attached", ())
    return _each(effects, game.context(bearer.side, bearer), event.name_of)


def _of_attack(game: Game, event: Event) -> Iterator[Reaction]:
    """In a SKILL, ITEM, ATTACK card and PERFORMANCE self attacks, in a DEFENCE card it is attacked; a
    STRATEGY speaks of an attack by an own OPERATOR."""
    attack = game.attack
    if attack is None:
        return
    one, two = attack.attacker, attack.attacked
    for source in game.sources(game.first, event.name):
        effects = source.table.events[event.name]
        if source.bearer is None:
            if source.controller == attack.side:
                yield from _each(effects, game.context(source.controller, None, None, one, two))
            continue
        for effect in effects:
            attacked = effect.origin.role == "defence"
            if source.bearer is (two if attacked else one):
                context = game.context(source.controller, source.bearer, one if attacked else two, one, two)
                yield Reaction(effect, context, source.card)
    yield from _each(
        game.rules.performance.events.get(event.name, ()), game.context(attack.side, one, two, one, two)
    )


def _of_hit(game: Game, event: Event) -> Iterator[Reaction]:
    """C-3: of those who became HIT only their own `when self becomes HIT`; **ruling:** also that of the card
    which lay on them until then (H-2). They and the others of their side, from left to right (M-11)."""
    cards = dict(zip([who.key for who in event.who], event.cards, strict=False))
    first = game.first
    for side in (first, other(first)):
        fallen = [who for who in event.who if who.side == side]
        for source in _hearing_falls(game, side):
            while fallen and _is_before(fallen[0], source):
                who = fallen.pop(0)
                yield from _own_fall(game, who, cards.get(who.key))
            yield from _others_fall(game, event, source)
        for who in fallen:
            yield from _own_fall(game, who, cards.get(who.key))
        yield from _performance_of_fall(game, event, side)


def _hearing_falls(game: Game, side: Side) -> list[Source]:
    """A player's effects that react when an own or an enemy OPERATOR becomes HIT."""
    return [source for source in game.sources(side, "falls") if source.controller == side]


def _is_before(fallen: OperatorState, source: Source) -> bool:
    """Whether the place of a fallen OPERATOR comes before what else acts; STRATEGY cards come last."""
    place = None if source.bearer is None else source.bearer.position
    return place is None or (fallen.position is not None and fallen.position < place)


def _own_fall(game: Game, who: OperatorState, card: str | None) -> Iterator[Reaction]:
    for name in (who.card, card):
        if name is not None:
            events = game.cards[name].effects.events
            yield from _each(
                events.get("self-becomes-hit", ()), game.context(who.side, who), None, fallen=True
            )


def _others_fall(game: Game, event: Event, source: Source) -> Iterator[Reaction]:
    events = source.table.events
    for who in event.who:
        name = "own-becomes-hit" if who.side == source.controller else "enemy-becomes-hit"
        if name in events:
            yield from _each(events[name], game.context(source.controller, source.bearer), source.card)


def _performance_of_fall(game: Game, event: Event, side: Side) -> Iterator[Reaction]:
    """PERFORMANCE of the mode: self is who became HIT, or for the other player the attacker, if it
    attacks."""
    events = game.rules.performance.events
    attack = game.attack
    for who in event.who:
        if who.side == side:
            for name in ("self-becomes-hit", "own-becomes-hit"):
                yield from _each(events.get(name, ()), game.context(side, who), None, fallen=True)
        else:
            attacker = attack.attacker if attack is not None and attack.side == side else None
            context = game.context(side, attacker)
            yield from _each(events.get("enemy-becomes-hit", ()), context, None, fallen=True)


def _of_operator(game: Game, event: Event) -> Iterator[Reaction]:
    """What the OPERATOR concerned bears, and the mode's PERFORMANCE."""
    for who in event.who:
        context = game.context(who.side, who)
        for source in game.sources_of(who, event.name):
            yield from _each(source.table.events[event.name], context, source.card)
        yield from _each(game.rules.performance.events.get(event.name, ()), context)


def _of_turn(game: Game, event: Event) -> Iterator[Reaction]:
    """Either player's TURN begins or ends (M-11)."""
    for source in game.sources(game.first, event.name):
        context = game.context(source.controller, source.bearer)
        yield from _each(source.table.events[event.name], context, source.card)
    first = game.first
    for effect in game.rules.performance.events.get(event.name, ()):
        # **ruling:** PERFORMANCE that speaks of self is asked for each OPERATOR, other once for each player
        for side in (first, other(first)):
            if effect.speaks_of_self:
                for who in game.state.active(side):
                    yield Reaction(effect, game.context(side, who))
            else:
                yield Reaction(effect, game.context(side))


_REACTIONS: dict[EventName, Callable[[Game, Event], Iterable[Reaction]]] = {
    "performed": _performed,
    "played": _played,
    "attached": _attached,
    "critical": _of_attack,
    "hits": _of_attack,
    "misses": _of_attack,
    "becomes HIT": _of_hit,
    "reaches": _of_operator,
    "captures": _of_operator,
    "action-ends": _of_operator,
    "turn-begins": _of_turn,
    "turn-ends": _of_turn,
}


def fulfil(game: Game, event: Event) -> None:
    """K-1: an enemy OPERATOR became HIT, by whatever cause, or an own one REACHED its OBJECTIVE.

    **Ruling:** each of several OPERATORs that become HIT together fulfils it once; the reward comes after the
    effects that react to the event.
    """
    if event.name == "becomes HIT":
        first = game.first
        sides = [other(who.side) for who in event.who]
        for side in sorted(sides, key=lambda side: side != first):
            reward(game, side)
    elif event.name == "reaches":
        for who in event.who:
            reward(game, who.side)
