"""Durations: what lasts, and when it ends (LANGUAGE.md §2, M-11)."""

from __future__ import annotations

from dataclasses import replace

from toolkit.dsl import tree
from toolkit.engine.play import Play
from toolkit.engine.state import GameState


def without_duration(state: GameState, duration: tree.DurationName) -> GameState:
    """The state without everything that lasts that long: ATTACK, TURN, ROUND, or FIELD."""
    for who in state.operators:
        if any(one.duration == duration for one in who.lasting):
            kept = tuple(one for one in who.lasting if one.duration != duration)
            state = state.with_operator(replace(who, lasting=kept))
    return state


def lapse(play: Play, duration: tree.DurationName) -> None:
    """End a duration for everyone at once, and say in the trace for whom something ended. H-1 is the
    caller's."""
    before = play.state
    play.state = without_duration(before, duration)
    if play.state is before or not play.traced:
        return
    for who in before.operators:
        for one in who.lasting:
            if one.duration == duration:
                text = f"what {one.origin.entry} did to {play.name(who.key)} lapses"
                play.note("note", "M-11", text, origin=one.origin, who=who.key)
