"""What an effect of an event does: its clauses in order, each verb for everyone that it means; and what the
rules do themselves with counters, cards, HIT and OUT (A-2b, H-1, H-2, K-1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from toolkit.dsl import tree
from toolkit.dsl.printing import print_doing, print_group
from toolkit.effects.objects import Origin
from toolkit.engine.compiler import Context
from toolkit.engine.game import Game
from toolkit.engine.resolver import Resolver
from toolkit.engine.rules import EventAction, EventChoice
from toolkit.engine.state import UP, Lasting, OperatorState, Side, Status, other
from toolkit.vocabulary import DURATIONS, FORMS, STATS, require

Numbers = list[tuple[OperatorState, str, int]]


def carry_out(
    game: Game, actions: Sequence[EventAction | EventChoice], context: Context, origin: Origin, rule: str
) -> None:
    """Carry out the actions of an effect in order; H-1 is judged after each.

    Whom a clause means is settled once, when its first verb acts: `one …` is chosen once for all its verbs.
    """
    clause: tree.Who | None = None
    targets: Sequence[OperatorState] = ()
    for action in actions:
        if isinstance(action, EventChoice):
            carry_out(game, _branch(game, action, context, origin), context, origin, rule)
            continue
        if isinstance(action.target, tree.Player):
            owner = context.controller
            side = owner if action.target.name == "owner" else other(owner)
            _PLAYERS_VERBS[type(action.does)](game, side, action.does, origin, rule)
        else:
            if action.target is not clause:
                clause, targets = action.target, _chosen(game, action, context, origin)
            _operators_do(game, targets, action, context, origin, rule)
        if game.hit_check_due:
            judge_hits(game)


def _branch(
    game: Game, choice: EventChoice, context: Context, origin: Origin
) -> Sequence[EventAction | EventChoice]:
    """`either … or …`: the controller chooses."""
    why = f"{origin.entry}: which of the two?"
    side = context.controller
    answer = game.ask("either", side, ("first", "second"), why, origin, choice.choice)
    game.note("decision", "M-11", f"{side} chooses the {answer} of the two", origin=origin)
    return choice.first if answer == "first" else choice.second


def _chosen(game: Game, action: EventAction, context: Context, origin: Origin) -> Sequence[OperatorState]:
    """The OPERATORs that a clause means; `one …` is chosen by the controller."""
    who, found = action.target, action.targets.members(context)
    if not isinstance(who, (tree.One, tree.Every)):
        return found
    if not found:
        text = f"there are no {print_group(who.group)}"
        game.note("skipped", "M-8", text, origin=origin, who=context.self)
    if isinstance(who, tree.Every) or not found:
        return found
    why = f"{origin.entry}: one {print_group(who.group, 'OPERATOR')}."
    keys = tuple([one.key for one in found])
    answer = game.ask("choose", context.controller, keys, why, origin)
    assert isinstance(answer, int)
    chosen = game.state.operators[answer]
    text = f"{context.controller} chooses {game.name(chosen)}"
    game.note("decision", "M-11", text, origin=origin, who=chosen)
    return (chosen,)


def _operators_do(
    game: Game,
    targets: Sequence[OperatorState],
    action: EventAction,
    context: Context,
    origin: Origin,
    rule: str,
) -> None:
    """One verb for everyone it means; a counted amount is counted once, before anyone changes."""
    does = action.does
    what, amount = ("", 0) if action.change is None else (action.change[0], action.change[1](context))
    for who in targets:
        if action.layer is not None:
            _last(game, who, action, context, origin, rule, what, amount)
        elif isinstance(does, tree.Gets):
            _count(game, who, what, amount, origin, rule)
        elif type(does) in _OPERATORS_VERBS:
            _OPERATORS_VERBS[type(does)](game, who, does, origin, rule)
        else:
            _last(game, who, action, context, origin, rule)


def _gain_bonus(game: Game, who: OperatorState, action: str, origin: Origin) -> None:
    """K-3: one more ACTION, which lapses at the end of the TURN."""
    if who.is_up:
        who.bonuses += (action,)
        game.note("note", "K-3", f"{game.name(who)} gains BONUS ({action})", origin=origin, who=who)


def _last(
    game: Game,
    who: OperatorState,
    action: EventAction,
    context: Context,
    origin: Origin,
    rule: str,
    stat: str = "",
    amount: int = 0,
) -> None:
    """Something that lasts comes onto an OPERATOR.

    **Ruling:** one that is HIT or OUT takes only what lasts `permanently`; H-2 would have removed the rest.
    """
    duration = action.duration or "TURN"
    if not who.is_up and duration != "permanently":
        game.note("skipped", "H-2", f"{game.name(who)} is {who.status}", origin=origin, who=who)
        return
    traced = game.trace is not None
    before = game.carried(who, stat) if stat and traced else 0
    state = game.state
    state.serial += 1
    made = Lasting(
        state.serial,
        origin,
        rule,
        context.controller,
        action.does,
        duration,
        stat or None,
        action.layer,
        amount,
    )
    who.lasting += (made,)
    if stat == "DP" or not stat:
        game.hit_check_due = True
    if not traced:
        return
    lasts = DURATIONS[duration]
    if not stat:
        text = f"{game.name(who)} {print_doing(action.does)} {lasts}"
        game.note("note", rule, text, origin=origin, who=who)
        return
    after = game.carried(who, stat)
    text = f"{stat} of {game.name(who)}: {before} → {after} {lasts}"
    game.note(
        "change", rule, text, origin=origin, who=who, stat=stat, amount=amount, before=before, after=after
    )


def _count(game: Game, who: OperatorState, counter: str, amount: int, origin: Origin, rule: str) -> None:
    """A counter grows or shrinks, never below 0. **Ruling:** none lies on an OPERATOR that is HIT or OUT."""
    if not who.is_up:
        game.note("skipped", "H-2", f"{game.name(who)} is {who.status}", origin=origin, who=who)
        return
    before = who.hitcounter if counter == "HITCOUNTER" else who.objectivecounter
    set_counter(game, who, counter, max(0, before + amount), rule, origin)


_MAY_BECOME: dict[str, tuple[Status, ...]] = {
    "EXHAUSTED": ("NORMAL",),
    "NORMAL": ("EXHAUSTED", "HIT"),
    "OUT": ("NORMAL", "EXHAUSTED", "HIT"),
}
"""From which status an OPERATOR may become another."""


def _become(game: Game, who: OperatorState, status: str, origin: Origin, rule: str) -> None:
    """`becomes EXHAUSTED`, `NORMAL` or `OUT`.

    **Ruling:** EXHAUSTED is only who was NORMAL; NORMAL turns an EXHAUSTED OPERATOR back and a HIT one face
    up; who is OUT stays OUT (T-4).
    """
    if who.status not in _MAY_BECOME[status]:
        game.note("skipped", "C-2", f"{game.name(who)} is {who.status}", origin=origin, who=who)
        return
    text = f"{game.name(who)} becomes {status}"
    game.note("status", rule, text, origin=origin, who=who, before=who.status, after=status)
    if status == "OUT":
        fall(game, who, "OUT")
    else:
        who.status = "NORMAL" if status == "NORMAL" else "EXHAUSTED"
        game.invalidate()


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
    if not who.objectivecounter or who.status not in UP:
        return False
    value = objective_value(resolver, who)
    return value is not None and who.objectivecounter >= value


def reaches(game: Game, who: OperatorState, reached_before: bool) -> None:
    """The event REACHES for one that had not REACHED an OBJECTIVE before and has now."""
    if not reached_before and has_reached(game, who):
        game.note("status", "A-2b", f"{game.name(who)} REACHES the OBJECTIVE", who=who, after="REACHED")
        game.push("reaches", (who,))


def set_counter(
    game: Game, who: OperatorState, counter: str, value: int, rule: str, origin: Origin | None = None
) -> None:
    """Set a counter; an OBJECTIVE may be REACHED thereby. H-1 is the caller's."""
    is_hit = counter == "HITCOUNTER"
    reached = is_hit or has_reached(game, who)
    if is_hit:
        before, who.hitcounter = who.hitcounter, value
        game.hit_check_due = True
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
    while game.hit_check_due and not game.in_modify:
        game.hit_check_due = game.always_due
        static = game.static_effects()
        fallen: list[OperatorState] = []
        for who in game.state.operators:
            if who.hitcounter and who.is_active and who.hitcounter >= game.number(who, "DP", static):
                fallen.append(who)
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


def draw(game: Game, side: Side, count: int, rule: str, origin: Origin | None = None) -> None:
    """Draw cards from the top of the DECK to the hand; an empty DECK draws nothing (T-1)."""
    drawn = game.state.player(side).draw(count)
    game.note(
        "card", rule, f"{side} draws {drawn}" if drawn else f"the DECK of {side} is empty", origin=origin
    )


def discard(game: Game, side: Side, count: int, rule: str, origin: Origin | None = None) -> None:
    """Discard cards that the player picks from the hand; no more than there are."""
    player = game.state.player(side)
    for _ in range(count):
        if not player.hand:
            game.note("card", rule, f"the hand of {side} is empty", origin=origin)
            return
        card = game.ask("discard", side, player.hand, f"{side} discards a card.", origin)
        assert isinstance(card, str)
        player.lay_down(card)
        to_discard(game, side, card)
        game.note("card", rule, f"{side} discards {card}", origin=origin)


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
        resolver.forget_card(who.side, card)
        to_discard(resolver, who.side, card)


def attach(game: Game, who: OperatorState, card: str) -> None:
    """Lay a card on an OPERATOR, which is an event."""
    who.attached = card
    game.forget_card(who.side, card)
    game.note_text_only(card, who)
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
        for who in resolver.active(side)
        if who.attached is None or (who.status == "EXHAUSTED" and resolver.cards[who.attached].kind != "item")
    ]


# Durations (LANGUAGE.md §2, M-11)


def lapse(game: Game, duration: tree.DurationName) -> bool:
    """End a duration (ATTACK, TURN, ROUND) for everyone at once; whether something ended. H-1 is the
    caller's."""
    ended = False
    for who in game.state.operators:
        lapsed = who.lasting
        for one in lapsed:
            if one.duration == duration:
                if who.lasting is lapsed:
                    ended = True
                    who.lasting = tuple([other for other in lapsed if other.duration != duration])
                if one.stat == "DP" or not one.stat:
                    game.hit_check_due = True
                if game.trace is not None:
                    text = f"what {one.origin.entry} did to {game.name(who)} lapses"
                    game.note("note", "M-11", text, origin=one.origin, who=who)
    return ended


_PLAYERS_VERBS: dict[type[tree.Node], Callable[[Game, Side, Any, Origin, str], None]] = {
    tree.Draws: lambda game, side, does, origin, rule: draw(game, side, does.count, rule, origin),
    tree.Discards: lambda game, side, does, origin, rule: discard(game, side, does.count, rule, origin),
    tree.FulfilsPerformance: lambda game, side, _does, origin, _rule: reward(game, side, origin),
}
"""What players do, by verb."""

_OPERATORS_VERBS: dict[type[tree.Node], Callable[[Game, OperatorState, Any, Origin, str], None]] = {
    tree.Becomes: lambda game, who, does, origin, rule: _become(game, who, does.status, origin, rule),
    tree.GainsBonus: lambda game, who, does, origin, _rule: _gain_bonus(game, who, does.action, origin),
}
"""What OPERATORs do at one moment, by verb; `gets` stands above, and all other verbs make something last."""

for _form in FORMS.values():
    if _form.once or not _form.lasts:
        _table = _PLAYERS_VERBS if _form.player else _OPERATORS_VERBS
        _known = getattr(tree, _form.node) in _table
        require(_known, "verb", _form.rule, "function", "toolkit/engine/effects.py")
