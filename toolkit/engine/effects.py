"""What an effect of an event does: its clauses in order, each verb for everyone that it means; and what the
rules do themselves with counters, cards, HIT and OUT (A-2b, H-1, H-2, K-1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.dsl.printing import print_doing, print_group, print_who
from toolkit.effects.objects import Origin
from toolkit.engine.compiler import Context, Targets
from toolkit.engine.game import Game
from toolkit.engine.resolver import OF_DP, Resolver
from toolkit.engine.rules import EventAction, EventChoice, EventClause
from toolkit.engine.state import Lasting, OperatorState, Side, Status, other
from toolkit.vocabulary import DURATIONS, FORMS, STATS, require

Numbers = list[tuple[OperatorState, str, int]]


class VerbCall(Struct, frozen=True, eq=False):
    """A verb that is done: in which sentence (``context``, ``origin``), by which rule, and for how much.

    ``amount`` is what it changes or counts, counted once, before anyone changes; 0 for other verbs.
    """

    action: EventAction
    context: Context
    origin: Origin
    rule: str
    amount: int = 0


def carry_out(
    game: Game, clauses: Sequence[EventClause | EventChoice], context: Context, origin: Origin, rule: str
) -> bool:
    """Carry out the clauses of an effect in order; H-1 is judged after each verb.

    Returns whether a clause has acted on somebody, an OPERATOR or a player, whatever came of it (E-4).
    """
    acted = False
    for clause in clauses:
        if isinstance(clause, EventChoice):
            acted |= carry_out(game, _branch(game, clause, context, origin), context, origin, rule)
            continue
        done, on_somebody = _do_clause(game, clause, context, origin, rule)
        acted |= on_somebody
        for branch, comes_up in ((clause.if_so, done), (clause.if_not, not done)):
            if branch and comes_up:
                acted |= carry_out(game, branch, context, origin, rule)
            elif branch and game.trace is not None:
                text = f"{_clause_text(clause)}: {'not done' if not done else 'done'}"
                game.note("skipped", "E-3", text, origin=origin, who=context.self)
    return acted


def _branch(
    game: Game, choice: EventChoice, context: Context, origin: Origin
) -> Sequence[EventClause | EventChoice]:
    """`either … or …`: the controller chooses."""
    why = f"{origin.entry}: which of the two?"
    side = context.controller
    answer = game.ask("either", side, ("first", "second"), why, origin, choice.choice)
    game.note("decision", "M-11", f"{side} chooses the {answer} of the two", origin=origin)
    return choice.first if answer == "first" else choice.second


def _do_clause(
    game: Game, clause: EventClause, context: Context, origin: Origin, rule: str
) -> tuple[bool, bool]:
    """Do the verbs of a clause for everyone that it means; whether it was done (E-3), and whether somebody
    was there.

    E-3: it was done if everybody meant was there and every verb happened in full for all of them.
    """
    if isinstance(clause.who, tree.Player):
        sides = _sides(game, clause.who, context)
        done = True
        for action in clause.actions:
            verb = _PLAYERS_VERBS[type(action.does)]
            call = _call(action, context, origin, rule)
            for side in sides:
                done &= verb(game, side, call)
            judge_hits(game)
        return done, True
    targets, done = choose(game, clause.who, clause.targets, context, origin)
    for action in clause.actions:
        done &= _operators_do(game, targets, _call(action, context, origin, rule))
        judge_hits(game)
    return done, bool(targets)


def _call(action: EventAction, context: Context, origin: Origin, rule: str) -> VerbCall:
    amount = 0 if action.change is None else action.change[1](context)
    return VerbCall(action, context, origin, rule, amount)


def _sides(game: Game, who: tree.Player, context: Context) -> tuple[Side, ...]:
    """The players meant, of `each player` the TURN's first."""
    owner = context.controller
    if who.name == "each player":
        turn = game.state.turn
        return (turn, other(turn))
    return (owner if who.name == "owner" else other(owner),)


def _clause_text(clause: EventClause) -> str:
    may = " may" if clause.clause.may else ""
    doing = " and ".join(print_doing(action.does) for action in clause.actions)
    return f"{print_who(clause.who)}{may} {doing}"


def choose(
    game: Game, who: tree.Who, targets: Targets, context: Context, origin: Origin
) -> tuple[Sequence[OperatorState], bool]:
    """Return the OPERATORs that a WHO means, and whether everybody meant is there (E-3).

    `one …` is chosen by the controller.
    """
    found = targets.members(context)
    if not isinstance(who, (tree.One, tree.Every)):
        return found, bool(found)
    if not found:
        text = f"there are no {print_group(who.group)}"
        game.note("skipped", "M-8", text, origin=origin, who=context.self)
    if isinstance(who, tree.Every) or not found:
        return found, bool(found)
    why = f"{origin.entry}: one {print_group(who.group, 'OPERATOR')}."
    keys = tuple([one.key for one in found])
    answer = game.ask("choose", context.controller, keys, why, origin)
    assert isinstance(answer, int)
    chosen = game.state.operators[answer]
    text = f"{context.controller} chooses {game.name(chosen)}"
    game.note("decision", "M-11", text, origin=origin, who=chosen)
    return (chosen,), True


def _operators_do(game: Game, targets: Sequence[OperatorState], call: VerbCall) -> bool:
    """One verb for everyone it means; whether it happened in full for all (E-3)."""
    action = call.action
    verb: Callable[[Game, OperatorState, VerbCall], bool]
    if action.layer is not None:
        verb = _last
    elif isinstance(action.does, tree.Gets):
        verb = _count
    else:
        verb = _OPERATORS_VERBS.get(type(action.does), _last)
    done = True
    for who in targets:
        done &= verb(game, who, call)
    return done


def _gain_bonus(game: Game, who: OperatorState, call: VerbCall) -> bool:
    """K-3: one more ACTION, which lapses at the end of the TURN."""
    if not who.is_up:
        return False
    assert isinstance(call.action.does, tree.GainsBonus)
    action = call.action.does.action
    who.bonuses += (action,)
    game.note("note", "K-3", f"{game.name(who)} gains BONUS ({action})", origin=call.origin, who=who)
    return True


def _last(game: Game, who: OperatorState, call: VerbCall) -> bool:
    """Something that lasts comes onto an OPERATOR.

    **Ruling:** one that is HIT or OUT takes only what lasts `permanently`; H-2 would have removed the rest.
    """
    action, origin, rule = call.action, call.origin, call.rule
    duration = action.duration or "TURN"
    if not who.is_up and duration != "permanently":
        game.note("skipped", "H-2", f"{game.name(who)} is {who.status}", origin=origin, who=who)
        return False
    stat = None if action.layer is None or action.change is None else action.change[0]
    traced = game.trace is not None
    before = game.carried(who, stat) if stat and traced else 0
    state = game.state
    state.serial += 1
    made = Lasting(
        state.serial,
        origin,
        rule,
        call.context.controller,
        action.does,
        duration,
        stat,
        action.layer,
        call.amount,
    )
    who.lasting += (made,)
    game.hit_check_due = True
    if not traced:
        return True
    lasts = DURATIONS[duration]
    if stat is None:
        text = f"{game.name(who)} {print_doing(action.does)} {lasts}"
        game.note("note", rule, text, origin=origin, who=who)
        return True
    after = game.carried(who, stat)
    text = f"{stat} of {game.name(who)}: {before} → {after} {lasts}"
    game.note(
        "change",
        rule,
        text,
        origin=origin,
        who=who,
        stat=stat,
        amount=call.amount,
        before=before,
        after=after,
    )
    return True


def _count(game: Game, who: OperatorState, call: VerbCall) -> bool:
    """A counter grows or shrinks, never below 0. **Ruling:** none lies on an OPERATOR that is HIT or OUT."""
    if not who.is_up:
        game.note("skipped", "H-2", f"{game.name(who)} is {who.status}", origin=call.origin, who=who)
        return False
    assert call.action.change is not None
    counter = call.action.change[0]
    before = who.hitcounter if counter == "HITCOUNTER" else who.objectivecounter
    set_counter(game, who, counter, max(0, before + call.amount), call.rule, call.origin)
    return before + call.amount >= 0


_MAY_BECOME: dict[str, tuple[Status, ...]] = {
    "EXHAUSTED": ("NORMAL",),
    "NORMAL": ("EXHAUSTED", "HIT"),
    "OUT": ("NORMAL", "EXHAUSTED", "HIT"),
}
"""From which status an OPERATOR may become another."""


def _become(game: Game, who: OperatorState, call: VerbCall) -> bool:
    """`becomes EXHAUSTED`, `NORMAL` or `OUT`.

    **Ruling:** EXHAUSTED is only who was NORMAL; NORMAL turns an EXHAUSTED OPERATOR back and a HIT one face
    up; who is OUT stays OUT (T-4).
    """
    assert isinstance(call.action.does, tree.Becomes)
    status, origin = call.action.does.status, call.origin
    if who.status not in _MAY_BECOME[status]:
        game.note("skipped", "C-2", f"{game.name(who)} is {who.status}", origin=origin, who=who)
        return False
    text = f"{game.name(who)} becomes {status}"
    game.note("status", call.rule, text, origin=origin, who=who, before=who.status, after=status)
    if status == "OUT":
        fall(game, who, "OUT")
    else:
        who.status = "NORMAL" if status == "NORMAL" else "EXHAUSTED"
        game.invalidate()
    return True


# Counters and OBJECTIVEs


def objective_value(resolver: Resolver, who: OperatorState) -> int | None:
    """Return the value of the OBJECTIVE of an OPERATOR's FIELDPOSITION; None where there is none (any
    more)."""
    if who.position is None:
        return None
    objectives = resolver.state.player(who.side).objectives
    objective = objectives[who.position] if who.position < len(objectives) else None
    return None if objective is None else resolver.rules.objective_values.get(objective)


def has_reached(resolver: Resolver, who: OperatorState) -> bool:
    """Whether an OPERATOR has REACHED the OBJECTIVE of its FIELDPOSITION (A-2b).

    **Ruling:** it is judged from the counter and the place whenever it is asked: a counter that is taken away
    again makes it un-REACHED, and after a swap it is judged for the new position.
    """
    value = objective_value(resolver, who)
    return value is not None and who.is_up and who.objectivecounter >= value


def reaches(game: Game, who: OperatorState, reached_before: bool) -> None:
    """The event REACHES for one that had not REACHED an OBJECTIVE before and has now."""
    if not reached_before and has_reached(game, who):
        game.note("status", "A-2b", f"{game.name(who)} REACHES the OBJECTIVE", who=who, after="REACHED")
        game.push("reaches", (who,))


def set_counter(
    game: Game, who: OperatorState, counter: str, value: int, rule: str, origin: Origin | None = None
) -> None:
    """Set a counter; an OBJECTIVE may be REACHED thereby. H-1 is the caller's."""
    reached = has_reached(game, who)
    game.hit_check_due = True
    if counter == "HITCOUNTER":
        before, who.hitcounter = who.hitcounter, value
    else:
        before, who.objectivecounter = who.objectivecounter, value
    if game.trace is not None:
        text = f"{counter} of {game.name(who)}: {before} → {value}"
        game.note("counter", rule, text, origin=origin, who=who, stat=counter, before=before, after=value)
    reaches(game, who, reached)


# HIT and OUT


def judge_hits(game: Game) -> None:
    """H-1: whoever on the FIELD has a HITCOUNTER equal to or above its DP is HIT at once.

    All concerned become HIT together, and that is one event; then it is judged again. Without a HITCOUNTER
    nobody is HIT, however low its DP. Not judged while MODIFY goes on; in an attack the DP are those of
    MODIFY.
    """
    while not game.in_modify:
        static = game.static_effects()
        if not game.hit_check_due and OF_DP.isdisjoint(static):
            return
        game.hit_check_due = False
        marked = [who for who in game.state.operators if who.hitcounter and who.is_active]
        if not marked:
            return
        fallen = [who for who in marked if who.hitcounter >= game.number(who, "DP", static)]
        if not fallen:
            return
        first = game.first
        fallen.sort(key=lambda who: (who.side != first, who.position))
        if game.trace is not None:
            for who in fallen:
                dp = game.number(who, "DP", static)
                text = f"{game.name(who)} is HIT: HITCOUNTER {who.hitcounter}, DP {dp}"
                game.note("status", "H-1", text, who=who, before=who.status, after="HIT")
        cards = tuple([who.attached for who in fallen])
        for who in fallen:
            fall(game, who, "HIT")
        game.push("becomes HIT", tuple(fallen), cards=cards)


def fall(game: Game, who: OperatorState, status: Status) -> None:
    """H-2: HIT or OUT takes its counters, its attached card, its BONUS ACTIONs and all that does not last
    `permanently`."""
    before = _numbers_of_modify(game)
    detach(game, who)
    who.status, who.hitcounter, who.objectivecounter, who.bonuses = status, 0, 0, ()
    who.lasting = tuple([one for one in who.lasting if one.duration == "permanently"])
    game.invalidate()
    for one, stat, number in before:
        after = game.carried(one, stat)
        if one is not who and after != number:
            # C-3: the numbers of MODIFY lose what the SKILL or card of the fallen made
            text = f"{stat} of {game.name(one)}, now that {game.name(who)} is {status}: {number} → {after}"
            game.note(
                "change", "C-3", text, origin=game.acting, who=one, stat=stat, before=number, after=after
            )


def _numbers_of_modify(game: Game) -> Numbers:
    """The numbers of the two while MODIFY goes on; nothing where nothing is traced."""
    attack = game.attack
    if attack is None or not game.in_modify or game.trace is None:
        return []
    both = (attack.attacker, attack.attacked)
    return [(who, stat, game.carried(who, stat)) for who in both for stat in STATS]


# Cards


def draw(game: Game, side: Side, count: int, rule: str, origin: Origin | None = None) -> bool:
    """Draw cards from the top of the DECK to the hand; an empty DECK draws nothing (T-1).

    Returns whether there were so many (E-3).
    """
    drawn = game.state.player(side).draw(count)
    game.note(
        "card", rule, f"{side} draws {drawn}" if drawn else f"the DECK of {side} is empty", origin=origin
    )
    return drawn == count


def discard(game: Game, side: Side, count: int, rule: str, origin: Origin | None = None) -> bool:
    """Discard cards that the player picks from the hand; no more than there are.

    Returns whether there were so many (E-3).
    """
    player = game.state.player(side)
    for _ in range(count):
        if not player.hand:
            game.note("card", rule, f"the hand of {side} is empty", origin=origin)
            return False
        card = game.ask("discard", side, player.hand, f"{side} discards a card.", origin)
        assert isinstance(card, str)
        player.lay_down(card)
        to_discard(game, side, card)
        game.note("card", rule, f"{side} discards {card}", origin=origin)
    return True


def to_discard(resolver: Resolver, side: Side, card: str) -> None:
    """Put a card on top of the DISCARDZONE or ITEMDISCARDZONE."""
    player = resolver.state.player(side)
    if resolver.cards[card].kind == "item":
        player.item_discard += (card,)
    else:
        player.discard += (card,)


def detach(resolver: Resolver, who: OperatorState) -> None:
    """Put the attached card, if any, on its player's DISCARDZONE, an ITEM on the ITEMDISCARDZONE."""
    card, who.attached = who.attached, None
    if card is not None:
        resolver.invalidate()
        to_discard(resolver, who.side, card)


def attach(game: Game, who: OperatorState, card: str) -> None:
    """Lay a card on an OPERATOR, which is an event."""
    who.attached = card
    game.invalidate()
    game.push("attached", (who,), name_of=card)


# PERFORMANCE (K-1)


def reward(game: Game, side: Side, origin: Origin | None = None) -> None:
    """K-1: draw a card, or draw the top ITEM of the ITEMDECK and attach it at once.

    **Ruling:** the player first says which of the two, then, seeing the ITEM, onto whom.
    """
    player = game.state.player(side)
    bearers = item_bearers(game, side)
    options = ("draw", "item") if player.item_deck and bearers else ("draw",)
    game.note("event", "K-1", f"{side} fulfils PERFORMANCE", origin=origin)
    why = "PERFORMANCE: draw a card, or an ITEM for one of your OPERATORs?"
    if game.ask("performance", side, options, why, origin) == "draw":
        draw(game, side, 1, "K-1", origin)
        judge_hits(game)
        return
    item = player.item_deck[0]
    keys = tuple([who.key for who in bearers])
    chosen = game.ask("item_to", side, keys, f"Who gets the {item}?", origin, item)
    assert isinstance(chosen, int)
    bearer = game.state.operators[chosen]
    player.item_deck = player.item_deck[1:]
    before = bearer.attached
    if before is not None:
        detach(game, bearer)
        game.note("card", "K-1", f"{before} is discarded from {game.name(bearer)}", who=bearer)
    game.note("card", "K-1", f"{item} is attached to {game.name(bearer)}", who=bearer)
    attach(game, bearer, item)
    judge_hits(game)


def item_bearers(resolver: Resolver, side: Side) -> list[OperatorState]:
    """Return who may get an ITEM: own OPERATORs face up on the FIELD without a card, and EXHAUSTED ones with
    an ATTACK or DEFENCE card, which is then discarded."""
    return [
        who
        for who in resolver.state.active(side)
        if who.attached is None or (who.status == "EXHAUSTED" and resolver.cards[who.attached].kind != "item")
    ]


# Durations (LANGUAGE.md §2, M-11)


def lapse(game: Game, duration: tree.DurationName) -> bool:
    """End a duration (ATTACK, TURN, ROUND) for everyone at once; whether something ended. H-1 is the
    caller's."""
    ended = False
    for who in game.state.operators:
        if not who.lasting:
            continue
        kept = tuple([one for one in who.lasting if one.duration != duration])
        if len(kept) < len(who.lasting):
            ended = game.hit_check_due = True
            lapsed = who.lasting
            who.lasting = kept
            for one in lapsed:
                if one.duration == duration and game.trace is not None:
                    text = f"what {one.origin.entry} did to {game.name(who)} lapses"
                    game.note("note", "M-11", text, origin=one.origin, who=who)
    return ended


def _fulfil(game: Game, side: Side, call: VerbCall) -> bool:
    reward(game, side, call.origin)
    return True


_PLAYERS_VERBS: dict[type[tree.Node], Callable[[Game, Side, VerbCall], bool]] = {
    tree.Draws: lambda game, side, call: draw(game, side, call.amount, call.rule, call.origin),
    tree.Discards: lambda game, side, call: discard(game, side, call.amount, call.rule, call.origin),
    tree.FulfilsPerformance: _fulfil,
}
"""What players do, by verb; each function says whether it happened in full (E-3)."""

_OPERATORS_VERBS: dict[type[tree.Node], Callable[[Game, OperatorState, VerbCall], bool]] = {
    tree.Becomes: _become,
    tree.GainsBonus: _gain_bonus,
}
"""What OPERATORs do at one moment, by verb, and whether it happened in full (E-3); `gets` stands above, and
all other verbs make something last."""

for _form in FORMS.values():
    if _form.once or not _form.lasts:
        _table = _PLAYERS_VERBS if _form.player else _OPERATORS_VERBS
        _known = getattr(tree, _form.node) in _table
        require(_known, "verb", _form.rule, "function", "toolkit/engine/effects.py")
