"""What the rules do with counters and places, whoever brings it about (A-2a, A-2b, E-10, H-1, H-2, K-1).

ACTIONs, effects and phases change the state through these functions, so that OBJECTIVEs are judged, events
are pushed and traces are written in one place."""

from __future__ import annotations

from collections.abc import Iterable

from toolkit.dsl import tree
from toolkit.dsl.effect_objects import Origin
from toolkit.engine.acting_effects import Source
from toolkit.engine.card_zones import (
    attach_item,
    detach,
    draw,
    item_bearers,
    numbers_of_modify,
    trace_lost,
)
from toolkit.engine.compiler import has_reached
from toolkit.engine.game import NOT_HEARD, EventName, Game, Heard
from toolkit.engine.state import Lasting, OperatorState, PlayerState, Side, Status, count_of, with_count
from toolkit.engine.state_queries import StateQueries

# Counters and OBJECTIVEs


def reaches(game: Game, operator: OperatorState, reached_before: bool, heard: Heard) -> None:
    """The event REACHES for one that had not REACHED an OBJECTIVE before and has now."""
    if not reached_before and has_reached(game, operator):
        game.note(
            "status",
            "A-2b",
            f"{game.name(operator)} REACHES the OBJECTIVE",
            operator=operator,
            after="REACHED",
        )
        game.push("reaches", (operator,), heard=heard)


def set_counter(
    game: Game,
    operator: OperatorState,
    counter: str,
    value: int,
    rule: str,
    origin: Origin | None = None,
    *,
    is_event: bool = True,
) -> None:
    """Set a counter or the number of a marker, which is an event; an OBJECTIVE may be REACHED thereby. H-1 is
    the caller's."""
    is_hitcounter = counter == "HITCOUNTER"
    had_reached = is_hitcounter or has_reached(game, operator)
    heard_reaching = NOT_HEARD if is_hitcounter else game.hear("reaches", (operator,))
    number_before = counter_of(operator, counter)
    name: EventName = "gets" if value > number_before else "loses"
    is_event = is_event and value != number_before
    heard = game.hear(name, (operator,), counter) if is_event else NOT_HEARD
    if is_hitcounter:
        operator.hitcounter = value
        game.hit_check_due = True
    elif counter == "OBJECTIVECOUNTER":
        operator.objectivecounter = value
    else:
        operator.markers = with_count(operator.markers, tree.Marker(counter).id, value)
    if game.trace is not None:
        text = f"{counter} of {game.name(operator)}: {number_before} → {value}"
        game.note(
            "counter",
            rule,
            text,
            origin=origin,
            operator=operator,
            stat=counter,
            value_before=number_before,
            after=value,
        )
    if is_event:
        game.push(name, (operator,), name_of=counter, heard=heard)
    reaches(game, operator, had_reached, heard_reaching)


def counter_of(operator: OperatorState, counter: str) -> int:
    """Return a counter, or how many of a marker an OPERATOR has, as effects name it: ``MARKER "intel"``."""
    if counter == "HITCOUNTER":
        return operator.hitcounter
    if counter == "OBJECTIVECOUNTER":
        return operator.objectivecounter
    return count_of(operator.markers, tree.Marker(counter).id)


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
        spared_keys = game.having_chance
        wounded = [
            operator
            for operator in game.state.operators
            if operator.hitcounter and operator.key not in spared_keys
        ]
        if not wounded:
            return
        static = game.static_effects()
        fallen = [
            operator
            for operator in wounded
            if operator.is_active and operator.hitcounter >= game.number(operator, "DP", static)
        ]
        if not fallen:
            return
        fallen = game.in_order(fallen)
        if game.awaits("would become HIT"):
            game.last_chance(fallen)
            active = [operator for operator in fallen if operator.hitcounter and operator.is_active]
            fallen = [operator for operator in active if operator.hitcounter >= game.number(operator, "DP")]
            if not fallen:
                continue
        if game.trace is not None:
            for operator in fallen:
                dp = game.number(operator, "DP")
                text = f"{game.name(operator)} is HIT: HITCOUNTER {operator.hitcounter}, DP {dp}"
                game.note("status", "H-1", text, operator=operator, value_before=operator.status, after="HIT")
        heard, borne = game.hear("becomes HIT", fallen), game.borne_by_each(fallen)
        for operator in fallen:
            fall(game, operator, "HIT")
        game.push("becomes HIT", tuple(fallen), borne=borne, heard=heard)


def fall(game: Game, operator: OperatorState, status: Status) -> None:
    """H-2: HIT or OUT takes its counters, its markers but for those that stay (E-11), its attached card, its
    BONUS ACTIONs and all that does not last `permanently`."""
    _take_away(game, operator, status, f"{game.name(operator)} is {status}")


def _take_away(
    game: Game, operator: OperatorState, status: Status, text_now: str, *, retreats: bool = False
) -> None:
    """Take an OPERATOR off the FIELD or out of play: its card, counters and all that does not stay go."""
    numbers_before = numbers_of_modify(game)
    detach(game, operator)
    operator.status, operator.hitcounter, operator.objectivecounter, operator.bonuses = status, 0, 0, ()
    own_markers = game.rules.markers
    operator.markers = tuple(
        [(marker, count) for marker, count in operator.markers if own_markers[marker].stays]
    )
    operator.lasting = tuple([lasting for lasting in operator.lasting if lasting.duration == "permanently"])
    if retreats:
        game.state.place(operator, None)
    game.invalidate()
    trace_lost(game, numbers_before, text_now, operator)


# Places (A-2a, A-2b, T-4, E-10)


def advance(game: Game, operator: OperatorState, origin: Origin | None = None) -> bool:
    """A-2b: the OBJECTIVECOUNTER grows by its MP, or, if it has REACHED the OBJECTIVE, it has CAPTURED it.

    **Ruling:** where there is no OBJECTIVE (any more) the counter grows all the same; it travels along.
    Returns whether something has changed (E-3): nothing has with 0 MP.
    """
    if has_reached(game, operator):
        capture(game, operator)
        return True
    moved = game.number(operator, "MP")
    set_counter(game, operator, "OBJECTIVECOUNTER", operator.objectivecounter + moved, "A-2b", origin)
    return moved > 0


def capture(game: Game, operator: OperatorState) -> None:
    """A-2b: the OBJECTIVE of its position goes to its player, its OBJECTIVECOUNTER is removed."""
    player, position = game.state.player(operator.side), operator.position
    heard = game.hear("captures", (operator,))
    assert position is not None
    objective = player.objectives[position]
    assert objective is not None
    player.objectives = (*player.objectives[:position], None, *player.objectives[position + 1 :])
    player.captured += (objective,)
    if game.rules.places:
        game.invalidate()
    game.note(
        "status",
        "A-2b",
        f"{game.name(operator)} has CAPTURED the {objective}",
        operator=operator,
        after="CAPTURED",
    )
    set_counter(game, operator, "OBJECTIVECOUNTER", 0, "A-2b", is_event=False)
    # E-18: of what the OBJECTIVE does only its own `when self CAPTURES the OBJECTIVE` still acts
    places = game.rules.places
    borne = (Source(places[objective], operator.side, operator),) if objective in places else ()
    game.push("captures", (operator,), borne=(borne,), heard=heard)


def swap(
    game: Game, operator: OperatorState, mate: OperatorState, rule: str = "A-2a", origin: Origin | None = None
) -> None:
    """A-2a, E-10: two OPERATORs on FIELDPOSITIONs of a row change places.

    ``swap_counters: with_operator``: HITCOUNTER and OBJECTIVECOUNTER go with them; ``with_position``: they
    stay where they lie, so the two exchange them. REACHED is judged anew for both (A-2b); **ruling:** it is
    an event for one that had not REACHED an OBJECTIVE before.
    """
    # who hears of REACHES is judged by the places before the swap (E-6)
    before_swap = [
        (swapped, has_reached(game, swapped), game.hear("reaches", (swapped,)))
        for swapped in (operator, mate)
    ]
    game.state.swap(operator, mate)
    game.invalidate()
    if game.options.swap_counters == "with_position":
        operator.hitcounter, mate.hitcounter = mate.hitcounter, operator.hitcounter
        operator.objectivecounter, mate.objectivecounter = mate.objectivecounter, operator.objectivecounter
        game.hit_check_due = True
    text = f"{game.name(operator)} and {game.name(mate)} change places"
    game.note("status", rule, text, origin=origin, operator=operator)
    for swapped, had_reached, listeners_before in before_swap:
        reaches(game, swapped, had_reached, listeners_before)
    judge_hits(game)


def swap_places(game: Game, operator: OperatorState, mate: OperatorState, origin: Origin) -> bool:
    """E-10: two face-up OPERATORs of one side change places, as in A-2a; from the SAVEZONE one enters on the
    place of the other, which retreats. Returns whether they could."""
    if not may_swap(game, operator, mate):
        return False
    leaving, coming = (operator, mate) if operator.is_active else (mate, operator)
    position = leaving.position
    if coming.is_active or position is None:
        swap(game, operator, mate, "E-10", origin)
    else:
        _retreat(game, leaving, origin)
        enter_field(game, coming, position, origin)
    return True


def may_swap(game: Game, operator: OperatorState, mate: OperatorState) -> bool:
    """Whether two OPERATORs can change places by an effect (E-10): both face up and of one side, at least one
    of them on the FIELD."""
    if operator is mate or operator.side != mate.side or not (operator.is_active or mate.is_active):
        return False
    return all(swapped.is_active or in_save_zone(game, swapped) for swapped in (operator, mate))


def retreat(game: Game, operator: OperatorState, origin: Origin) -> bool:
    """E-10: an OPERATOR goes from the FIELD into the SAVEZONE, NORMAL, and loses what HIT ones lose (H-2).

    Returns whether it could: it was face up, and a place was free (F-2).
    """
    player = game.state.player(operator.side)
    if not operator.is_active or len(player.save_zone) >= game.rules.mode.save_zone:
        return False
    _retreat(game, operator, origin)
    return True


def _retreat(game: Game, operator: OperatorState, origin: Origin) -> None:
    """Carry out a retreat that is possible (E-10)."""
    name = game.name(operator)
    game.note("status", "E-10", f"{name} retreats to the SAVEZONE", origin=origin, operator=operator)
    _take_away(game, operator, "NORMAL", f"{name} has retreated", retreats=True)


def free_places(game: Game, side: Side) -> tuple[int, ...]:
    """Return the free FIELDPOSITIONs of a player from the left, 0 is leftmost."""
    return tuple(
        [position for position, occupant in enumerate(game.state.player(side).field) if occupant is None]
    )


def in_save_zone(game: Game, operator: OperatorState) -> bool:
    """Whether an OPERATOR is face up in the SAVEZONE."""
    return operator.is_up and operator.key in game.state.player(operator.side).save_zone


def enter_field(game: Game, operator: OperatorState, position: int, origin: Origin) -> None:
    """E-10: an OPERATOR comes from the SAVEZONE onto a free FIELDPOSITION, NORMAL, which is an event."""
    name = game.name(operator)
    operator.status = "NORMAL"
    game.state.place(operator, position)
    game.invalidate()
    text = f"{name} enters the FIELD at FIELDPOSITION {position + 1}"
    game.note("status", "E-10", text, origin=origin, operator=operator, after=position + 1)
    game.push("enters", (operator,), heard=game.hear("enters", (operator,)))


def leave_field(resolver: StateQueries, operator: OperatorState) -> None:
    """Put an OPERATOR into the SAVEZONE.

    **Ruling:** what lasts while on the FIELD ends, its counters are removed and its card goes to the discard;
    other durations run on.
    """
    detach(resolver, operator)
    operator.lasting = tuple([lasting for lasting in operator.lasting if lasting.duration != "FIELD"])
    operator.hitcounter = operator.objectivecounter = 0
    resolver.state.place(operator, None)
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
    keys = tuple([operator.key for operator in bearers])
    chosen = game.ask("item_to", side, keys, f"Who gets the {item}?", origin, item)
    assert isinstance(chosen, int)
    attach_item(game, game.state.operators[chosen], "K-1")
    judge_hits(game)


# Durations (LANGUAGE.md §2, M-11)


def lapse(game: Game, duration: tree.DurationName, of: Side | None = None) -> bool:
    """End a duration (ATTACK, TURN, ROUND, own TURN) for everyone at once, of one player's effects if ``of``
    is given; whether something ended. H-1 is the caller's."""
    ended = False
    state = game.state
    holders: tuple[OperatorState | PlayerState, ...] = state.operators
    if state.blue.lasting or state.red.lasting:
        holders = (*holders, state.blue, state.red)
    for holder in holders:
        if not holder.lasting:
            continue
        lapsed = [
            lasting
            for lasting in holder.lasting
            if lasting.duration == duration and of in (None, lasting.controller)
        ]
        if lapsed:
            ended = True
            holder.lasting = tuple([lasting for lasting in holder.lasting if lasting not in lapsed])
            if any(lasting.comes_first for lasting in lapsed):
                game.invalidate()
            # what changes no number, such as a KEYWORD, may change DP by what depends on it
            if any(lasting.stat == "DP" or not lasting.stat for lasting in lapsed):
                game.hit_check_due = True
            if game.trace is not None:
                _note_lapsed(game, holder, lapsed, "E-19" if of else "M-11")
    return ended


def _note_lapsed(
    game: Game, holder: OperatorState | PlayerState, lapsed: Iterable[Lasting], rule: str
) -> None:
    """Say in the trace what no longer lasts on an OPERATOR or a player."""
    operator = holder if isinstance(holder, OperatorState) else None
    side = "blue" if holder is game.state.blue else "red"
    name = side if operator is None else game.name(operator)
    for lasting in lapsed:
        text = f"what {lasting.origin.entry} did to {name} lapses"
        game.note("note", rule, text, origin=lasting.origin, operator=operator)
