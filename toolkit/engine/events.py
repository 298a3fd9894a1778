"""Events: which effects react to them, in which order, and how far a chain of them may go (M-11)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from msgspec import Struct

from toolkit.engine.acting_effects import Attack, Sentence, Source
from toolkit.engine.board import reward
from toolkit.engine.compiled_rules import RULE_OF_ACTION, EventEffect
from toolkit.engine.compiled_verbs import carry_out
from toolkit.engine.compiler import Context
from toolkit.engine.game import Event, EventName, Game, GameOver
from toolkit.engine.outcomes import ChainLink, EndlessChain
from toolkit.engine.state import OperatorState, Side, other
from toolkit.vocabulary import Part


class Reaction(Struct, frozen=True, eq=False):
    """An effect that reacts to an event. ``fallen`` says that its bearer acts although it is HIT or OUT
    (C-3)."""

    effect: EventEffect
    context: Context
    source: Source
    fallen: bool = False

    @property
    def sentence(self) -> Sentence:
        """Its sentence on the one that bears it."""
        source = self.source
        bearer_key = None if source.bearer is None else source.bearer.key
        return id(self.effect), source.controller, bearer_key, source.number


def run(game: Game) -> None:
    """Play the events that wait, in the order in which they happened, and those that come of them.

    All effects that react to one event are found when it is its turn; whoever is no longer there when an
    effect comes up does nothing any more. K-1 follows the effects of its event. When events go on beyond the
    bounds the rest is dropped, and ``game.chain`` says what went on.
    """
    while game.queue:
        _react_to(game, game.queue.popleft())


def _react_to(game: Game, event: Event) -> None:
    """Let all effects act that hear of an event, then K-1."""
    outer = game.now, game.acting
    game.now, game.acting = event, None
    for reaction in _reactions_to(game, event):
        if _beyond_bounds(game, event, reaction):
            break
        react(game, event, reaction)
    if game.chain is None:
        fulfil(game, event)
    game.now, game.acting = outer


Game.react_to = _react_to


def _beyond_bounds(game: Game, event: Event, reaction: Reaction) -> bool:
    """Count an effect; whether it is one too many (M-11), so that nothing that waits acts any more."""
    game.effects_done += 1
    if event.depth < game.bounds.links and game.effects_done <= game.bounds.effects:
        return False
    last = ChainLink("and so on", None, reaction.effect.origin)
    game.chain = EndlessChain((*event.links, last))
    game.first_chain = game.first_chain or game.chain
    game.note("note", "M-11", game.chain.sentence, origin=reaction.effect.origin)
    game.queue.clear()
    return True


def react(game: Game, event: Event, reaction: Reaction) -> None:
    """Let one effect act once: its condition is judged once, then its clauses follow in order."""
    effect, context, source = reaction.effect, reaction.context, reaction.source
    origin, bearer, context.number = effect.origin, context.self, source.number
    if _has_left(game, reaction):
        return
    if event.name == "begins" and game.attack is not None:
        context.attack_is_on(game.attack.attacked)  # E-22: another one may have become the target meanwhile
    rule = RULE_OF_ACTION[event.name_of] if event.name == "performed" else effect.rule
    context.critical = game.attack is not None and game.attack.critical
    if effect.condition is not None and not effect.condition.holds(context):
        if game.trace is not None:
            game.note("skipped", rule, effect.condition.why_false(context), origin=origin, operator=bearer)
        return
    # E-4: a card that is played or attached begins anew
    limit = None if event.name in _OWN_EFFECTS else source.limit(effect)
    if limit is not None and limit in game.state.used:
        game.note("skipped", "E-4", f"it has acted in this {limit.limit}", origin=origin, operator=bearer)
        return
    if game.trace is not None:
        game.note("event", rule, origin.text, origin=origin, operator=bearer)
    acting_before, game.acting = game.acting, origin
    if limit is None:
        carry_out(game, effect.clauses, context, origin, rule)
    else:
        # used up while it acts, so that it cannot react to what it brings about at once (H-1)
        game.state.used |= {limit}
        if not carry_out(game, effect.clauses, context, origin, rule):
            game.state.used -= {limit}
    game.acting = acting_before
    if game.state.winners:
        raise GameOver


def _has_left(game: Game, reaction: Reaction) -> bool:
    """Whether what bears an effect is no longer there when it comes up, which is noted (C-3)."""
    source, origin, bearer = reaction.source, reaction.effect.origin, reaction.context.self
    if not reaction.fallen and bearer is not None and not game.bears(bearer, source.card):
        reason = "its OPERATOR is no longer on the FIELD, or what gave it the effect is gone"
        game.note("skipped", "C-3", reason, origin=origin, operator=bearer)
        return True
    if source.number is not None and not game.state.player(source.controller).has_in_play(source.number):
        game.note("skipped", "C-3", f"{origin.entry} is no longer in play", origin=origin)
        return True
    return False


# Which effects react: the attacking, else the TURN's player's first, from left to right (M-11)


def _reactions_to(game: Game, event: Event) -> list[Reaction]:
    """Return the effects that an event calls for: those of one card that it is about, else all that hear of
    it."""
    own = _OWN_EFFECTS.get(event.name)
    if own is None:
        reactions = [*_hearing(game, event)]
        return _coming_up(game, reactions) if event.name == "begins" else reactions
    source = own(game, event)
    side, bearer, target = source.controller, source.bearer, event.target
    it = () if bearer is None else (bearer,)
    attack, attacker, attacked = game.attack, None, None
    if event.name == "attached" and attack is not None:  # E-30
        attacker, attacked = attack.attacker, attack.attacked
        target = attacked if bearer is attacker else attacker
    return [
        Reaction(effect, Context(game, side, bearer, target, attacker, attacked, it=it), source)
        for effect in source.table.events.get(event.name, ())
    ]


def _coming_up(game: Game, reactions: list[Reaction]) -> list[Reaction]:
    """Those reactions to the beginning of an attack whose sentence has not come up in it before (E-22)."""
    attack = game.attack
    assert attack is not None
    fresh_reactions = [reaction for reaction in reactions if reaction.sentence not in attack.came_up]
    attack.came_up = attack.came_up.union([reaction.sentence for reaction in fresh_reactions])
    return fresh_reactions


def _of_action(game: Game, event: Event) -> Source:
    """The modification of an ACTION by the ruleset (A-2, A-3, A-4, A-5)."""
    by = event.who[0]
    return Source(game.rules.actions[event.name_of], by.side, by)


_OWN_EFFECTS: dict[EventName, Callable[[Game, Event], Source]] = {
    "performed": _of_action,
    "played": lambda game, event: Source(game.cards[event.name_of].effects, event.side or game.first),
    "attached": lambda game, event: game.card_on(event.who[0], event.name_of),
}
"""The events of which only the card or ACTION itself hears; all others are heard of by whoever waits."""


def _hearing(game: Game, event: Event) -> Iterator[Reaction]:
    """What hears of an event, then PERFORMANCE of the mode.

    C-3: of those who became HIT or OUT only their own `when self becomes …`; **ruling:** also that of what
    they bore until then: the card (H-2), KEYWORDs (E-12), the OBJECTIVE (E-18). They and the others of their
    side, from left to right (M-11).
    """
    sources = game.sources(game.first, event.name)
    if event.name in _FALLS:
        yield from _hearing_a_fall(game, event, sources)
    else:
        for source in sources:
            yield from _reactions(game, event, source)
        for source in chain.from_iterable(event.borne):  # E-18: the OBJECTIVE that self has CAPTURED
            for effect in source.table.events.get(event.name, ()):
                if effect.whose == "self":
                    yield from _reaction(game, event, effect, source, source.bearer)
    yield from _performance(game, event)


def _hearing_a_fall(game: Game, event: Event, sources: Iterable[Source]) -> Iterator[Reaction]:
    """What hears that OPERATORs became HIT or OUT: of each player the sources, among them in its place each
    of its fallen OPERATORs with what it bore, then PERFORMANCE."""
    borne = dict(zip([operator.key for operator in event.who], event.borne, strict=False))
    for side in (game.first, other(game.first)):
        fallen = deque(operator for operator in event.who if operator.side == side)
        for source in sources:
            if source.controller != side:
                continue
            while fallen and _is_before(fallen[0], source):
                yield from _own_fall(game, event, borne[fallen.popleft().key])
            yield from _reactions(game, event, source)
        for operator in fallen:
            yield from _own_fall(game, event, borne[operator.key])
        yield from _performance_of_fall(game, event, side)


_FALLS = ("becomes HIT", "becomes OUT")


def _reactions(game: Game, event: Event, source: Source, fallen: bool = False) -> Iterator[Reaction]:
    """How a source reacts: once for each OPERATOR concerned of whom a sentence hears."""
    is_fall = event.name in _FALLS
    for operator in event.who or _NOBODY:
        for effect in source.table.events.get(event.name, ()):
            if not is_fall or (effect.whose == "self") == fallen:
                yield from _reaction(game, event, effect, source, operator, fallen)


_NOBODY = (None,)
"""Whom a TURN, a ROUND or an attack concerns: of an attack the sentence says which of the two."""


def _reaction(
    game: Game,
    event: Event,
    effect: EventEffect,
    source: Source,
    operator: OperatorState | None,
    fallen: bool = False,
) -> tuple[Reaction, ...]:
    """The reaction of one sentence to what happened to an OPERATOR (None: to a TURN or ROUND); none if the
    sentence does not speak of it."""
    attack, bearer, controller = game.attack, source.bearer, source.controller
    if effect.part is not None:
        operator = None if attack is None else _concerned(attack, event, effect.part)
        if operator is None:
            return ()
    if effect.what not in ("", event.name_of):
        return ()
    if not _speaks_of(effect, source, operator, game.state.turn):
        return ()
    if operator is not None and effect.filters is not None:
        key = None if bearer is None else bearer.key
        if (id(effect), controller, key, operator.key) not in event.heard:
            return ()
    it = (operator,) if effect.names and operator is not None else ()
    target = event.target
    attacker = attacked = None
    if effect.part is not None and attack is not None:
        attacker, attacked = attack.attacker, attack.attacked
        if effect.whose == "self":
            target = attacked if operator is attacker else attacker
    context = Context(game, controller, bearer, target, attacker, attacked, it=it)
    return (Reaction(effect, context, source, fallen),)


def _speaks_of(effect: EventEffect, source: Source, operator: OperatorState | None, turn: Side) -> bool:
    """Whether a sentence speaks of an OPERATOR (None: of a TURN or ROUND), whatever its filters say."""
    if effect.whose == "self":
        return source.bearer is operator
    if effect.whose != "any":
        side = turn if operator is None else operator.side
        if (side == source.controller) != (effect.whose == "own"):
            return False
    return not effect.another or operator is None or operator is not source.bearer


def hears_beginning(game: Game, attacker: OperatorState, attacked: OperatorState) -> bool:
    """Whether a sentence speaks of an attack that begins (E-21), whatever its filters say, and does something
    although nobody agrees to anything, if so it is."""
    if "begins" in game.rules.performance.waits_for:
        return True
    for source in game.sources(game.first, "begins"):
        for effect in source.table.events["begins"]:
            operator = attacker if effect.part == "attacker" else attacked
            if game.nobody_agrees and effect.only_may:
                continue
            if _speaks_of(effect, source, operator, game.state.turn):
                return True
    return False


def _concerned(attack: Attack, event: Event, part: Part) -> OperatorState | None:
    """The OPERATOR of an attack of whom a sentence speaks. That somebody has become the target (E-22) is an
    event of the attacked one only."""
    if not event.who:
        return attack.attacker if part == "attacker" else attack.attacked
    return event.who[0] if part == "attacked" else None


def _is_before(fallen: OperatorState, source: Source) -> bool:
    """Whether the place of a fallen OPERATOR comes before what else acts; STRATEGY cards come last."""
    position = None if source.bearer is None else source.bearer.position
    return position is None or (fallen.position is not None and fallen.position < position)


def _own_fall(game: Game, event: Event, borne: Iterable[Source]) -> Iterator[Reaction]:
    """How what an OPERATOR bore until it fell reacts to its fall."""
    for source in borne:
        yield from _reactions(game, event, source, fallen=True)


# PERFORMANCE of the mode


def _performance(game: Game, event: Event) -> Iterator[Reaction]:
    """Self is the OPERATOR concerned.

    **Ruling:** a sentence that hears of others and speaks of self is asked for each OPERATOR, other once for
    each player.
    """
    table, first = game.rules.performance, game.first
    for effect in table.events.get(event.name, ()):
        if event.name == "becomes HIT" and effect.rule == "H-1":
            continue  # its own rule of who is self: below
        for operator in event.who or _NOBODY:
            if effect.whose == "self":
                concerned = operator
                if effect.part is not None and game.attack is not None:
                    concerned = _concerned(game.attack, event, effect.part)
                if concerned is not None:
                    source = Source(table, concerned.side, concerned)
                    yield from _reaction(game, event, effect, source, concerned, event.name in _FALLS)
                continue
            for side in (first, other(first)):
                bearers = game.state.active(side) if effect.speaks_of_self else _NOBODY
                for bearer in bearers:
                    yield from _reaction(game, event, effect, Source(table, side, bearer), operator)


def _performance_of_fall(game: Game, event: Event, side: Side) -> Iterator[Reaction]:
    """The first edition's `becomes HIT`: self is who became HIT, or for the other player the attacker, if it
    attacks."""
    table, attack = game.rules.performance, game.attack
    for operator in event.who:
        is_own = operator.side == side
        attacker = attack.attacker if attack is not None and attack.side == side else None
        bearer = operator if is_own else attacker
        source = Source(table, side, bearer)
        hearing = ("self", "own") if is_own else ("enemy",)
        for whose in hearing:
            for effect in table.events.get(event.name, ()):
                if effect.rule == "H-1" and effect.whose == whose:
                    yield Reaction(effect, Context(game, side, bearer, it=(operator,)), source, fallen=True)


def fulfil(game: Game, event: Event) -> None:
    """K-1: an enemy OPERATOR became HIT, by whatever cause, or an own one REACHED its OBJECTIVE.

    **Ruling:** each of several OPERATORs that become HIT together fulfils it once; the reward comes after the
    effects that react to the event.
    """
    if event.name == "becomes HIT":
        fulfilling = [other(operator.side) for operator in event.who]
        for side in (game.first, other(game.first)):
            for _ in range(fulfilling.count(side)):
                reward(game, side)
    elif event.name == "reaches":
        for operator in event.who:
            reward(game, operator.side)
