"""What the rules do with counters, places and cards, whoever brings it about (A-2a, A-2b, H-1, H-2, K-1).

ACTIONs, effects and phases change the state through these functions, so that OBJECTIVEs are judged, events
are pushed and traces are written in one place."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.effects.objects import Origin
from toolkit.engine.compiler import has_reached
from toolkit.engine.game import NOT_HEARD, EventName, Game, Heard
from toolkit.engine.resolver import Resolver
from toolkit.engine.state import OperatorState, Side, Status
from toolkit.vocabulary import STATS

Numbers = list[tuple[OperatorState, str, int]]


# Counters and OBJECTIVEs


def reaches(game: Game, who: OperatorState, reached_before: bool, heard: Heard) -> None:
    """The event REACHES for one that had not REACHED an OBJECTIVE before and has now."""
    if not reached_before and has_reached(game, who):
        game.note("status", "A-2b", f"{game.name(who)} REACHES the OBJECTIVE", who=who, after="REACHED")
        game.push("reaches", (who,), heard=heard)


def set_counter(
    game: Game,
    who: OperatorState,
    counter: str,
    value: int,
    rule: str,
    origin: Origin | None = None,
    *,
    is_event: bool = True,
) -> None:
    """Set a counter, which is an event; an OBJECTIVE may be REACHED thereby. H-1 is the caller's."""
    is_hit = counter == "HITCOUNTER"
    reached = is_hit or has_reached(game, who)
    heard_reaching = NOT_HEARD if is_hit else game.hear("reaches", (who,))
    now = who.hitcounter if is_hit else who.objectivecounter
    name: EventName = "gets" if value > now else "loses"
    is_event = is_event and value != now
    heard = game.hear(name, (who,), counter) if is_event else NOT_HEARD
    if is_hit:
        before, who.hitcounter = who.hitcounter, value
        game.hit_check_due = True
    else:
        before, who.objectivecounter = who.objectivecounter, value
    if game.trace is not None:
        text = f"{counter} of {game.name(who)}: {before} → {value}"
        game.note("counter", rule, text, origin=origin, who=who, stat=counter, before=before, after=value)
    if is_event:
        game.push(name, (who,), name_of=counter, heard=heard)
    reaches(game, who, reached, heard_reaching)


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
        cards, heard = tuple([who.attached for who in fallen]), game.hear("becomes HIT", fallen)
        for who in fallen:
            fall(game, who, "HIT")
        game.push("becomes HIT", tuple(fallen), cards=cards, heard=heard)


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


# Places (A-2a, A-2b, T-4)


def advance(game: Game, who: OperatorState) -> None:
    """A-2b: the OBJECTIVECOUNTER grows by its MP, or, if it has REACHED the OBJECTIVE, it has CAPTURED it.

    **Ruling:** where there is no OBJECTIVE (any more) the counter grows all the same; it travels along.
    """
    if has_reached(game, who):
        capture(game, who)
    else:
        grown = who.objectivecounter + game.number(who, "MP")
        set_counter(game, who, "OBJECTIVECOUNTER", grown, "A-2b")


def capture(game: Game, who: OperatorState) -> None:
    """A-2b: the OBJECTIVE of its position goes to its player, its OBJECTIVECOUNTER is removed."""
    player, position, heard = game.state.player(who.side), who.position, game.hear("captures", (who,))
    assert position is not None
    objective = player.objectives[position]
    assert objective is not None
    player.objectives = (*player.objectives[:position], None, *player.objectives[position + 1 :])
    player.captured += (objective,)
    game.note("status", "A-2b", f"{game.name(who)} has CAPTURED the {objective}", who=who, after="CAPTURED")
    set_counter(game, who, "OBJECTIVECOUNTER", 0, "A-2b", is_event=False)
    game.push("captures", (who,), heard=heard)


def swap(game: Game, who: OperatorState, mate: OperatorState) -> None:
    """A-2a: two OPERATORs change places.

    ``swap_counters: with_operator``: HITCOUNTER and OBJECTIVECOUNTER go with them; ``with_position``: they
    stay where they lie, so the two exchange them. REACHED is judged anew for both (A-2b); **ruling:** it is
    an event for one that had not REACHED an OBJECTIVE before.
    """
    before = [(one, has_reached(game, one), game.hear("reaches", (one,))) for one in (who, mate)]
    game.state.swap(who, mate)
    game.invalidate()
    if game.options.swap_counters == "with_position":
        who.hitcounter, mate.hitcounter = mate.hitcounter, who.hitcounter
        who.objectivecounter, mate.objectivecounter = mate.objectivecounter, who.objectivecounter
        game.hit_check_due = True
    game.note("status", "A-2a", f"{game.name(who)} and {game.name(mate)} change places", who=who)
    for one, reached, heard in before:
        reaches(game, one, reached, heard)
    judge_hits(game)


def leave_field(resolver: Resolver, who: OperatorState) -> None:
    """Put an OPERATOR into the SAVEZONE.

    **Ruling:** what lasts while on the FIELD ends, its counters are removed and its card goes to the discard;
    other durations run on.
    """
    detach(resolver, who)
    who.lasting = tuple([one for one in who.lasting if one.duration != "FIELD"])
    who.hitcounter = who.objectivecounter = 0
    resolver.state.place(who, None)
    resolver.invalidate()


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
    """Put the attached card, if any, on its player's DISCARDZONE, an ITEM on the ITEMDISCARDZONE.

    If it comes back, its limits begin anew (E-4).
    """
    card, who.attached = who.attached, None
    if card is not None:
        state = resolver.state
        if state.used:
            state.used = frozenset([one for one in state.used if (one.bearer, one.entry) != (who.key, card)])
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


def lapse(game: Game, duration: tree.DurationName, of: Side | None = None) -> bool:
    """End a duration (ATTACK, TURN, ROUND, own TURN) for everyone at once, of one player's effects if ``of``
    is given; whether something ended. H-1 is the caller's."""
    ended = False
    for who in game.state.operators:
        if not who.lasting:
            continue
        lapsed = [one for one in who.lasting if one.duration == duration and of in (None, one.controller)]
        if lapsed:
            ended = True
            who.lasting = tuple([one for one in who.lasting if one not in lapsed])
            for one in lapsed:
                if one.stat == "DP" or not one.stat:
                    game.hit_check_due = True
                if game.trace is not None:
                    text = f"what {one.origin.entry} did to {game.name(who)} lapses"
                    rule = "E-5" if of else "M-11"
                    game.note("note", rule, text, origin=one.origin, who=who)
    return ended
