"""The ACTION Move: advance, REACHED and CAPTURED, and swap (A-2, A-2a, A-2b)."""

from __future__ import annotations

from dataclasses import replace

from toolkit.engine.counters import has_reached, reached_now, set_counter
from toolkit.engine.falling import judge_hits
from toolkit.engine.play import Play
from toolkit.engine.state import Key


def advance(play: Play, key: Key) -> None:
    """A-2b: the OBJECTIVECOUNTER grows by his MP, or, if he has REACHED the OBJECTIVE, he has CAPTURED it.

    **Ruling:** where there is no OBJECTIVE (any more) the counter grows all the same; it travels with him.
    """
    if has_reached(play.state, play.rules, key):
        capture(play, key)
        return
    grown = play.operator(key).objectivecounter + play.board().number(key, "MP")
    set_counter(play, key, "OBJECTIVECOUNTER", grown, "A-2b")


def capture(play: Play, key: Key) -> None:
    """A-2b: the OBJECTIVE of his position goes to his player, his OBJECTIVECOUNTER is removed."""
    who = play.operator(key)
    player = play.state.player(who.side)
    assert who.position is not None
    objective = player.objectives[who.position]
    assert objective is not None
    left = tuple(None if place == who.position else there for place, there in enumerate(player.objectives))
    player = replace(player, objectives=left, captured=(*player.captured, objective))
    play.state = play.state.with_player(who.side, player)
    play.note("status", "A-2b", f"{play.name(key)} has CAPTURED the {objective}", who=key, after="CAPTURED")
    set_counter(play, key, "OBJECTIVECOUNTER", 0, "A-2b")
    play.push("captures", (key,))


def swap(play: Play, key: Key, mate: Key) -> None:
    """A-2a: two OPERATORs change places.

    ``swap_counters: with_operator``: HITCOUNTER and OBJECTIVECOUNTER go with them; ``with_position``: they
    stay where they lie, so the two exchange them. REACHED is judged anew for both (A-2b); **ruling:** it is
    an event for one who had not REACHED an OBJECTIVE before.
    """
    both = (key, mate)
    before = tuple(has_reached(play.state, play.rules, one) for one in both)
    play.state = play.state.swapped(key, mate)
    if play.rules.options.swap_counters == "with_position":
        one, two = play.operator(key), play.operator(mate)
        play.change(key, hitcounter=two.hitcounter, objectivecounter=two.objectivecounter)
        play.change(mate, hitcounter=one.hitcounter, objectivecounter=one.objectivecounter)
    play.note("status", "A-2a", f"{play.name(key)} and {play.name(mate)} change places", who=key)
    reached_now(play, both, before)
    judge_hits(play)
