"""What the rules do with counters and places, whoever brings it about (A-2a, A-2b, E-10, H-1, H-2, K-1).

ACTIONs, effects and phases change the state through these functions, so that OBJECTIVEs are judged, events
are pushed and traces are written in one place."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.dsl.effect_objects import Origin
from toolkit.engine.card_zones import attach, detach, draw, numbers_of_modify, trace_lost
from toolkit.engine.compiler import has_reached
from toolkit.engine.game import NOT_HEARD, EventName, Game, Heard
from toolkit.engine.state import OperatorState, Side, Status, count_of, with_count
from toolkit.engine.state_queries import Resolver, Source

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
    """Set a counter or the number of a marker, which is an event; an OBJECTIVE may be REACHED thereby. H-1 is
    the caller's."""
    is_hit = counter == "HITCOUNTER"
    reached = is_hit or has_reached(game, who)
    heard_reaching = NOT_HEARD if is_hit else game.hear("reaches", (who,))
    before = counter_of(who, counter)
    name: EventName = "gets" if value > before else "loses"
    is_event = is_event and value != before
    heard = game.hear(name, (who,), counter) if is_event else NOT_HEARD
    if is_hit:
        who.hitcounter = value
        game.hit_check_due = True
    elif counter == "OBJECTIVECOUNTER":
        who.objectivecounter = value
    else:
        who.markers = with_count(who.markers, tree.Marker(counter).id, value)
    if game.trace is not None:
        text = f"{counter} of {game.name(who)}: {before} → {value}"
        game.note("counter", rule, text, origin=origin, who=who, stat=counter, before=before, after=value)
    if is_event:
        game.push(name, (who,), name_of=counter, heard=heard)
    reaches(game, who, reached, heard_reaching)


def counter_of(who: OperatorState, counter: str) -> int:
    """Return a counter, or how many of a marker an OPERATOR has, as effects name it: ``MARKER "intel"``."""
    if counter == "HITCOUNTER":
        return who.hitcounter
    if counter == "OBJECTIVECOUNTER":
        return who.objectivecounter
    return count_of(who.markers, tree.Marker(counter).id)


# HIT and OUT


def judge_hits(game: Game) -> None:
    """H-1: whoever on the FIELD has a HITCOUNTER equal to or above its DP is HIT at once.

    E-15: whoever would become HIT has its last chance first, then only these are judged again.

    All concerned become HIT together, and that is one event; then it is judged again. Without a HITCOUNTER
    nobody is HIT, however low its DP. Not judged while MODIFY goes on; in an attack the DP are those of
    MODIFY.
    """
    while game.hit_check_due and not game.in_modify:
        game.hit_check_due = game.always_due
        chance = game.having_chance
        wounded = [who for who in game.state.operators if who.hitcounter and who.key not in chance]
        if not wounded:
            return
        static = game.static_effects()
        fallen = [
            who for who in wounded if who.is_active and who.hitcounter >= game.number(who, "DP", static)
        ]
        if not fallen:
            return
        fallen = game.in_order(fallen)
        if game.awaits("would become HIT"):
            game.last_chance(fallen)
            active = [who for who in fallen if who.hitcounter and who.is_active]
            fallen = [who for who in active if who.hitcounter >= game.number(who, "DP")]
            if not fallen:
                continue
        if game.trace is not None:
            for who in fallen:
                dp = game.number(who, "DP")
                text = f"{game.name(who)} is HIT: HITCOUNTER {who.hitcounter}, DP {dp}"
                game.note("status", "H-1", text, who=who, before=who.status, after="HIT")
        heard, borne = game.hear("becomes HIT", fallen), game.borne_by_each(fallen)
        for who in fallen:
            fall(game, who, "HIT")
        game.push("becomes HIT", tuple(fallen), borne=borne, heard=heard)


def fall(game: Game, who: OperatorState, status: Status) -> None:
    """H-2: HIT or OUT takes its counters, its markers but for those that stay (E-11), its attached card, its
    BONUS ACTIONs and all that does not last `permanently`."""
    _take_away(game, who, status, f"{game.name(who)} is {status}")


def _take_away(game: Game, who: OperatorState, status: Status, now: str, *, retreats: bool = False) -> None:
    before = numbers_of_modify(game)
    detach(game, who)
    who.status, who.hitcounter, who.objectivecounter, who.bonuses = status, 0, 0, ()
    who.markers = tuple([one for one in who.markers if game.rules.markers[one[0]].stays])
    who.lasting = tuple([one for one in who.lasting if one.duration == "permanently"])
    if retreats:
        game.state.place(who, None)
    game.invalidate()
    trace_lost(game, before, now, who)


# Places (A-2a, A-2b, T-4, E-10)


def advance(game: Game, who: OperatorState, origin: Origin | None = None) -> bool:
    """A-2b: the OBJECTIVECOUNTER grows by its MP, or, if it has REACHED the OBJECTIVE, it has CAPTURED it.

    **Ruling:** where there is no OBJECTIVE (any more) the counter grows all the same; it travels along.
    Returns whether something has changed (E-3): nothing has with 0 MP.
    """
    if has_reached(game, who):
        capture(game, who)
        return True
    moved = game.number(who, "MP")
    set_counter(game, who, "OBJECTIVECOUNTER", who.objectivecounter + moved, "A-2b", origin)
    return moved > 0


def capture(game: Game, who: OperatorState) -> None:
    """A-2b: the OBJECTIVE of its position goes to its player, its OBJECTIVECOUNTER is removed."""
    player, position, heard = game.state.player(who.side), who.position, game.hear("captures", (who,))
    assert position is not None
    objective = player.objectives[position]
    assert objective is not None
    player.objectives = (*player.objectives[:position], None, *player.objectives[position + 1 :])
    player.captured += (objective,)
    if game.rules.places:
        game.invalidate()
    game.note("status", "A-2b", f"{game.name(who)} has CAPTURED the {objective}", who=who, after="CAPTURED")
    set_counter(game, who, "OBJECTIVECOUNTER", 0, "A-2b", is_event=False)
    # E-18: of what the OBJECTIVE does only its own `when self CAPTURES the OBJECTIVE` still acts
    places = game.rules.places
    borne = (Source(places[objective], who.side, who),) if objective in places else ()
    game.push("captures", (who,), borne=(borne,), heard=heard)


def swap(
    game: Game, who: OperatorState, mate: OperatorState, rule: str = "A-2a", origin: Origin | None = None
) -> None:
    """A-2a, E-10: two OPERATORs on FIELDPOSITIONs of a row change places.

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
    text = f"{game.name(who)} and {game.name(mate)} change places"
    game.note("status", rule, text, origin=origin, who=who)
    for one, reached, heard in before:
        reaches(game, one, reached, heard)
    judge_hits(game)


def swap_places(game: Game, who: OperatorState, mate: OperatorState, origin: Origin) -> bool:
    """E-10: two face-up OPERATORs of one side change places, as in A-2a; from the SAVEZONE one enters on the
    place of the other, which retreats. Returns whether they could."""
    if not may_swap(game, who, mate):
        return False
    leaving, coming = (who, mate) if who.is_active else (mate, who)
    place = leaving.position
    if coming.is_active or place is None:
        swap(game, who, mate, "E-10", origin)
    else:
        _retreat(game, leaving, origin)
        enter_field(game, coming, place, origin)
    return True


def may_swap(game: Game, who: OperatorState, mate: OperatorState) -> bool:
    """Whether two OPERATORs can change places by an effect (E-10): both face up and of one side, at least one
    of them on the FIELD."""
    if who is mate or who.side != mate.side or not (who.is_active or mate.is_active):
        return False
    return all(one.is_active or in_save_zone(game, one) for one in (who, mate))


def retreat(game: Game, who: OperatorState, origin: Origin) -> bool:
    """E-10: an OPERATOR goes from the FIELD into the SAVEZONE, NORMAL, and loses what HIT ones lose (H-2).

    Returns whether it could: it was face up, and a place was free (F-2).
    """
    player = game.state.player(who.side)
    if not who.is_active or len(player.save_zone) >= game.rules.mode.save_zone:
        return False
    _retreat(game, who, origin)
    return True


def _retreat(game: Game, who: OperatorState, origin: Origin) -> None:
    name = game.name(who)
    game.note("status", "E-10", f"{name} retreats to the SAVEZONE", origin=origin, who=who)
    _take_away(game, who, "NORMAL", f"{name} has retreated", retreats=True)


def free_places(game: Game, side: Side) -> tuple[int, ...]:
    """Return the free FIELDPOSITIONs of a player from the left, 0 is leftmost."""
    return tuple([place for place, there in enumerate(game.state.player(side).field) if there is None])


def in_save_zone(game: Game, who: OperatorState) -> bool:
    """Whether an OPERATOR is face up in the SAVEZONE."""
    return who.is_up and who.key in game.state.player(who.side).save_zone


def enter_field(game: Game, who: OperatorState, place: int, origin: Origin) -> None:
    """E-10: an OPERATOR comes from the SAVEZONE onto a free FIELDPOSITION, NORMAL, which is an event."""
    name = game.name(who)
    who.status = "NORMAL"
    game.state.place(who, place)
    game.invalidate()
    text = f"{name} enters the FIELD at FIELDPOSITION {place + 1}"
    game.note("status", "E-10", text, origin=origin, who=who, after=place + 1)
    game.push("enters", (who,), heard=game.hear("enters", (who,)))


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
            if any(one.comes_first for one in lapsed):
                game.invalidate()
            for one in lapsed:
                if one.stat == "DP" or not one.stat:
                    game.hit_check_due = True
                if game.trace is not None:
                    text = f"what {one.origin.entry} did to {game.name(who)} lapses"
                    rule = "E-19" if of else "M-11"
                    game.note("note", rule, text, origin=one.origin, who=who)
    return ended
