"""SUPPORT, in its exact order (T-4), for both players.

**Rulings** where T-4 leaves room: each part is done by the TURN's player, then by the other, before the next
part begins, and H-1 is judged after each. An OUT OPERATOR for whom there is no substitute stays where he
lies until there is one; once exchanged he leaves the game. Who would have nobody face up on the FIELD must
put somebody there if he can. A HIT OPERATOR who is exchanged takes the place of his substitute in the
SAVEZONE.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from toolkit.engine import moments
from toolkit.engine.attaching import detach, discarded, without_card
from toolkit.engine.course import Course
from toolkit.engine.state import Key, Side

RULE = "T-4"


def support(course: Course) -> None:
    """The whole of SUPPORT up to the limit of the hand; `TURN ends` comes after it (M-11)."""
    for part in (_discard_cards, _discard_items):
        _both(course, part)
    _recover(course)
    course.settle()
    for part in (_exchange, _retreat, _fill):
        _both(course, part)
    _turn_up(course)
    for side in course.sides():
        _discard_to_limit(course, side)
    course.settle()


def _both(course: Course, part: Callable[[Course, Side], None]) -> None:
    """A part of both players, and H-1 where it has changed anything."""
    before = course.state
    for side in course.sides():
        part(course, side)
    if course.state is not before:
        course.settle()


def _discard_cards(course: Course, side: Side) -> None:
    """Attached ATTACK and DEFENCE cards go to the DISCARDZONE."""
    cards = course.rules.cards
    for who in course.state.on_field(side):
        if who.attached is not None and cards[who.attached].kind != "item":
            course.state = detach(course.state, course.rules, who.key)
            course.note("card", RULE, f"{who.attached} on {course.name(who.key)} is discarded", who.key)


def _discard_items(course: Course, side: Side) -> None:
    """Attached ITEMs may go to the ITEMDISCARDZONE; it is asked for each."""
    for who in course.state.on_field(side):
        if who.attached is None or course.rules.cards[who.attached].kind != "item":
            continue
        why = f"SUPPORT: {course.name(who.key)} may lay down the ITEM {who.attached}."
        if course.ask("item_stays", side, ("keep", "discard"), why, who.key) == "discard":
            course.state = detach(course.state, course.rules, who.key)
            course.note("card", RULE, f"the ITEM {who.attached} is laid down", who.key)


def _recover(course: Course) -> None:
    """EXHAUSTED OPERATORs recover."""
    operators = course.state.operators
    if any(who.status == "EXHAUSTED" for who in operators):
        course.state = replace(
            course.state,
            operators=tuple(
                replace(who, status="NORMAL") if who.status == "EXHAUSTED" else who for who in operators
            ),
        )
        course.note("status", RULE, "EXHAUSTED OPERATORs recover")


def _fallen(course: Course, side: Side) -> tuple[Key, ...]:
    """HIT and OUT OPERATORs on the FIELD, from left to right."""
    return tuple(who.key for who in course.state.on_field(side) if not who.is_up)


def _substitutes(course: Course, side: Side) -> tuple[Key, ...]:
    """OPERATORs who are face up in the SAVEZONE."""
    operators = course.state.operators
    return tuple(key for key in course.state.player(side).save_zone if operators[key].is_up)


def _exchange(course: Course, side: Side) -> None:
    """HIT and OUT OPERATORs are exchanged for face-up ones of the SAVEZONE, as long as there are some."""
    fallen, substitutes = _fallen(course, side), _substitutes(course, side)
    while fallen and substitutes:
        leaving = fallen[0]
        if len(substitutes) < len(fallen):
            leaving = course.choose("exchange", side, fallen, "SUPPORT: who is exchanged?")
        place = course.state.operators[leaving].position
        coming = course.choose(
            "substitute", side, substitutes, f"SUPPORT: who comes for {course.name(leaving)}?", leaving
        )
        _clear(course, leaving)
        course.state = course.state.placed(coming, place)
        course.note("status", RULE, f"{course.name(coming)} comes for {course.name(leaving)}", coming)
        fallen, substitutes = _fallen(course, side), _substitutes(course, side)


def _clear(course: Course, leaving: Key) -> None:
    """A fallen OPERATOR leaves the FIELD: OUT for good, HIT to the SAVEZONE."""
    course.state = moments.leave_field(course.state, course.rules, leaving)
    if course.state.operators[leaving].status == "OUT":
        course.state = course.state.removed(leaving)


def _retreat(course: Course, side: Side) -> None:
    """HIT OPERATORs without a substitute go to the SAVEZONE until it is full; the others stay, HIT."""
    while True:
        operators, player = course.state.operators, course.state.player(side)
        hit = tuple(key for key in _fallen(course, side) if operators[key].status == "HIT")
        places = course.rules.mode.save_zone - len(player.save_zone)
        if not hit or places <= 0:
            return
        leaving = hit[0]
        if places < len(hit):
            leaving = course.choose("retreat", side, hit, "SUPPORT: who goes to the SAVEZONE?")
        _clear(course, leaving)
        course.note("status", RULE, f"{course.name(leaving)} goes to the SAVEZONE", leaving)


def _fill(course: Course, side: Side) -> None:
    """Free FIELDPOSITIONs may be filled from the SAVEZONE, from left to right."""
    for place, there in enumerate(course.state.player(side).field):
        substitutes = _substitutes(course, side)
        if there is not None or not substitutes:
            continue
        why = f"SUPPORT: who takes the free FIELDPOSITION {place + 1}?"
        options = (None, *substitutes)
        if not any(who.is_up for who in course.state.on_field(side)) and _is_last_free(course, side, place):
            options = substitutes
        coming = course.ask("fill", side, options, why, place) if len(options) > 1 else options[0]
        if isinstance(coming, int):
            course.state = course.state.placed(coming, place)
            course.note("status", RULE, f"{course.name(coming)} takes FIELDPOSITION {place + 1}", coming)


def _is_last_free(course: Course, side: Side, place: int) -> bool:
    return all(there is not None for there in course.state.player(side).field[place + 1 :])


def _turn_up(course: Course) -> None:
    """HIT OPERATORs in the SAVEZONE are turned up and are no longer HIT."""
    for who in course.state.operators:
        if who.status == "HIT" and who.key in course.state.player(who.side).save_zone:
            course.state = course.state.with_operator(replace(who, status="NORMAL"))
            course.note("status", RULE, f"{course.name(who.key)} is turned up in the SAVEZONE", who.key)


def _discard_to_limit(course: Course, side: Side) -> None:
    """RULES.md §8: SUPPORT ends with discarding to the limit of the hand; the player picks the cards."""
    limit = course.rules.mode.hand_limit
    player = course.state.player(side)
    while len(player.hand) > limit:
        over = len(player.hand) - limit
        card = course.ask("discard", side, player.hand, f"SUPPORT: a card to discard, {over} too many.")
        assert isinstance(card, str)
        player = replace(player, hand=without_card(player.hand, card))
        course.state = discarded(course.state.with_player(side, player), course.rules, side, card)
        player = course.state.player(side)
        course.note("card", RULE, f"{side} discards {card}: at most {limit} in the hand")
