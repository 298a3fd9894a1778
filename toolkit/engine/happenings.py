"""What an effect of an event does: its clauses in order, each verb for everyone whom it means."""

from __future__ import annotations

from dataclasses import replace

from toolkit.dsl import tree
from toolkit.dsl.printing import print_doing, print_group
from toolkit.effects.objects import Action, Choice, Origin
from toolkit.engine.board import stat_and_amount
from toolkit.engine.conditions import members, times
from toolkit.engine.counters import set_counter
from toolkit.engine.decisions import Decision
from toolkit.engine.falling import fall, judge_hits
from toolkit.engine.hands import discard, draw
from toolkit.engine.performance import reward
from toolkit.engine.play import Play
from toolkit.engine.scene import Cast
from toolkit.engine.state import Key, Lasting, Side, Status, other


def carry_out(
    play: Play, actions: tuple[Action | Choice, ...], cast: Cast, origin: Origin, rule: str
) -> None:
    """The actions of an effect in order; H-1 is judged after each.

    Whom a clause means is settled once, when its first verb acts: `one …` is chosen once for all its verbs.
    """
    clause: tree.Who | None = None
    keys: tuple[Key, ...] = ()
    for action in actions:
        if isinstance(action, Choice):
            carry_out(play, _branch(play, action, cast, origin), cast, origin, rule)
            continue
        if isinstance(action.target, tree.Player):
            side = cast.controller if action.target.name == "owner" else other(cast.controller)
            _player_does(play, side, action.does, origin, rule)
        else:
            if action.target is not clause:
                clause, keys = action.target, _chosen(play, action.target, cast, origin)
            _operators_do(play, keys, action, cast, origin, rule)
        judge_hits(play)


def _branch(play: Play, choice: Choice, cast: Cast, origin: Origin) -> tuple[Action | Choice, ...]:
    """`either … or …`: the controller chooses."""
    why = f"{origin.entry}: which of the two?"
    answer = play.ask(Decision("either", cast.controller, ("first", "second"), why, origin, choice))
    play.note("decision", "M-11", f"{cast.controller} chooses the {answer} of the two", origin=origin)
    return choice.first if answer == "first" else choice.second


def _chosen(play: Play, who: tree.Who, cast: Cast, origin: Origin) -> tuple[Key, ...]:
    """The OPERATORs that a clause means; `one …` is chosen by the controller."""
    scene = play.scene(cast)
    if isinstance(who, tree.Ref):
        key = cast.key(who.name)
        return () if key is None else (key,)
    if isinstance(who, tree.Player):
        return ()
    found = members(who.group, scene)
    if not found:
        play.note("skipped", "M-8", f"there are no {print_group(who.group)}", origin=origin, who=cast.bearer)
    if isinstance(who, tree.Every) or not found:
        return found
    why = f"{origin.entry}: one {print_group(who.group, 'OPERATOR')}."
    answer = play.ask(Decision("choose", cast.controller, found, why, origin))
    assert isinstance(answer, int)
    play.note("decision", "M-11", f"{cast.controller} chooses {play.name(answer)}", origin=origin, who=answer)
    return (answer,)


def _player_does(play: Play, side: Side, does: tree.Doing, origin: Origin, rule: str) -> None:
    match does:
        case tree.Draws(count):
            draw(play, side, count, rule, origin)
        case tree.Discards(count):
            discard(play, side, count, rule, origin)
        case tree.FulfilsPerformance():
            reward(play, side, origin)
        case _:
            raise TypeError(f"{does!r} is not for players")


def _operators_do(
    play: Play, keys: tuple[Key, ...], action: Action, cast: Cast, origin: Origin, rule: str
) -> None:
    """One verb for everyone it means; a counted amount is counted once, before anyone changes."""
    does = action.does
    if action.layer is not None:
        stat, amount = stat_and_amount(does, play.scene(cast))
        for key in keys:
            _last(play, key, action, cast, origin, rule, stat, amount)
        return
    if isinstance(does, tree.Gets):
        amount = does.amount * times(does.per, play.scene(cast))
        for key in keys:
            _count(play, key, does.what.text, amount, origin, rule)
        return
    for key in keys:
        if isinstance(does, tree.Becomes):
            _become(play, key, does.status, origin, rule)
        elif isinstance(does, tree.GainsBonus):
            _gain_bonus(play, key, does.action, origin)
        else:
            _last(play, key, action, cast, origin, rule)


def _gain_bonus(play: Play, key: Key, action: str, origin: Origin) -> None:
    """K-3: one more ACTION, which lapses at the end of the TURN."""
    who = play.operator(key)
    if who.is_up:
        play.change(key, bonuses=(*who.bonuses, action))
        play.note("note", "K-3", f"{play.name(key)} gains BONUS ({action})", origin=origin, who=key)


def _last(
    play: Play,
    key: Key,
    action: Action,
    cast: Cast,
    origin: Origin,
    rule: str,
    stat: str | None = None,
    amount: int = 0,
) -> None:
    """Something that lasts comes onto an OPERATOR.

    **Ruling:** one who is HIT or OUT takes only what lasts `permanently`; H-2 would have removed the rest.
    """
    who = play.operator(key)
    duration = action.duration or "TURN"
    if not who.is_up and duration != "permanently":
        play.note("skipped", "H-2", f"{play.name(key)} is {who.status}", origin=origin, who=key)
        return
    before = play.board().carried(key, stat) if stat is not None and play.traced else None
    serial = play.state.serial + 1
    made = Lasting(serial, origin, rule, cast.controller, action.does, duration, stat, action.layer, amount)
    play.change(key, lasting=(*who.lasting, made))
    play.state = replace(play.state, serial=serial)
    if not play.traced:
        return
    lasts = "permanently" if duration == "permanently" else _LASTS[duration]
    if stat is None:
        text = f"{play.name(key)} {print_doing(action.does)} {lasts}"
        play.note("note", rule, text, origin=origin, who=key)
    else:
        after = play.board().carried(key, stat)
        text = f"{stat} of {play.name(key)}: {before} → {after} {lasts}"
        play.note(
            "change", rule, text, origin=origin, who=key, stat=stat, amount=amount, before=before, after=after
        )


_LASTS = {
    "ATTACK": "until end of ATTACK",
    "TURN": "until end of TURN",
    "ROUND": "until end of ROUND",
    "FIELD": "while on the FIELD",
}


def _count(play: Play, key: Key, counter: str, amount: int, origin: Origin, rule: str) -> None:
    """A counter grows or shrinks, never below 0. **Ruling:** none lies on an OPERATOR who is HIT or OUT."""
    who = play.operator(key)
    if not who.is_up:
        play.note("skipped", "H-2", f"{play.name(key)} is {who.status}", origin=origin, who=key)
        return
    before = who.hitcounter if counter == "HITCOUNTER" else who.objectivecounter
    set_counter(play, key, counter, max(0, before + amount), rule, origin)


_MAY_BECOME: dict[str, tuple[Status, ...]] = {
    "EXHAUSTED": ("NORMAL",),
    "NORMAL": ("EXHAUSTED", "HIT"),
    "OUT": ("NORMAL", "EXHAUSTED", "HIT"),
}
"""From which status an OPERATOR may become another."""


def _become(play: Play, key: Key, status: str, origin: Origin, rule: str) -> None:
    """`becomes EXHAUSTED`, `NORMAL` or `OUT`.

    **Ruling:** EXHAUSTED is only who was NORMAL; NORMAL turns an EXHAUSTED OPERATOR back and a HIT one face
    up; who is OUT stays OUT (T-4).
    """
    who = play.operator(key)
    if who.status not in _MAY_BECOME[status]:
        play.note("skipped", "C-2", f"{play.name(key)} is {who.status}", origin=origin, who=key)
        return
    text = f"{play.name(key)} becomes {status}"
    play.note("status", rule, text, origin=origin, who=key, before=who.status, after=status)
    if status == "OUT":
        fall(play, key, "OUT")
    else:
        play.change(key, status=status)
