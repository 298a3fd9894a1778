"""HIT and OUT: when an OPERATOR falls, and what it takes from him (H-1, H-2)."""

from __future__ import annotations

from toolkit.engine.attaching import detach
from toolkit.engine.attack import numbers_of_modify, tell_lost
from toolkit.engine.play import Play
from toolkit.engine.state import Key, Status, other


def judge_hits(play: Play) -> None:
    """H-1: whoever on the FIELD has a HITCOUNTER equal to or above his DP is HIT at once.

    All concerned become HIT together, and that is one event; then it is judged again. Without a HITCOUNTER
    nobody is HIT, however low his DP. Not judged while MODIFY goes on; in an attack the DP are those of
    MODIFY.
    """
    while not play.in_modify:
        judged = play.judged
        if judged is not None and judged[0] is play.state and judged[1] is play.attack:
            return
        state, first = play.state, play.first
        marked = [
            who
            for who in (*state.on_field(first), *state.on_field(other(first)))
            if who.hitcounter > 0 and who.is_up
        ]
        if not marked:
            return
        board = play.board()
        fallen = tuple(who for who in marked if who.hitcounter >= board.number(who.key, "DP"))
        if not fallen:
            play.judged = play.state, play.attack
            return
        for who in fallen:
            dp = board.number(who.key, "DP")
            text = f"{play.name(who.key)} is HIT: HITCOUNTER {who.hitcounter}, DP {dp}"
            play.note("status", "H-1", text, who=who.key, before=who.status, after="HIT")
        for who in fallen:
            fall(play, who.key, "HIT")
        play.push(
            "becomes HIT", tuple(who.key for who in fallen), cards=tuple(who.attached for who in fallen)
        )


def fall(play: Play, key: Key, status: Status) -> None:
    """H-2: HIT or OUT takes his counters, his attached card, his BONUS ACTIONs and all that does not last
    `permanently`."""
    before = numbers_of_modify(play)
    play.state = detach(play.state, play.rules, key)
    lasting = tuple(one for one in play.operator(key).lasting if one.duration == "permanently")
    play.change(key, status=status, hitcounter=0, objectivecounter=0, lasting=lasting, bonuses=())
    tell_lost(play, key, before)
