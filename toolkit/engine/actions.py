"""The ACTIONs A-1 to A-5 as they are performed, from their modifications to the end of the ACTION."""

from __future__ import annotations

from toolkit.dsl import tree
from toolkit.engine.attacking import attack
from toolkit.engine.decisions import Dice, NoAnswer, Players
from toolkit.engine.events import run
from toolkit.engine.falling import fall, judge_hits
from toolkit.engine.legality import RULE_OF_ACTION, ActionName, GameAction, is_bonus, legal_actions, refusal
from toolkit.engine.moves import advance, swap
from toolkit.engine.outcomes import Outcome, Refusal, Stopped
from toolkit.engine.play import Play, Refused
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key
from toolkit.engine.windows import ASK, Ask, Wish, Wishes

__all__ = ["ASK", "ActionName", "Ask", "GameAction", "Wish", "legal_actions", "perform", "refusal"]


def perform(
    state: GameState,
    rules: Rules,
    action: GameAction,
    players: Players,
    dice: Dice,
    *,
    traced: bool = True,
    exhausts: bool = True,
    legal: bool = False,
) -> Outcome | Refusal:
    """Perform an ACTION: an Outcome with the new state, or a Refusal; ``state`` itself never changes.

    ``exhausts=False`` leaves the OPERATOR NORMAL (scenarios that are not strict); ``traced=False`` saves the
    time for the trace. ``legal`` says that it is one of ``legal_actions``, which is not asked again. A
    scripted player or die source that has no answer gives ``Stopped``, a kind of Refusal.
    """
    refused = None if legal else refusal(state, rules, action)
    if refused is not None:
        return refused
    play = Play(rules, state, players, dice, traced)
    try:
        _perform(play, action, exhausts)
    except Refused as leaving:
        return leaving.refusal
    except NoAnswer as leaving:
        return Stopped("", str(leaving))
    return play.outcome()


def _perform(play: Play, action: GameAction, exhausts: bool) -> None:
    """The ruleset's modifications, what the ACTION is, and what comes at its end."""
    bonus = is_bonus(play.state, action)
    rule, who = RULE_OF_ACTION[action.name], play.operator(action.by)
    called = f"{play.name(action.by)} performs {'BONUS ' if bonus else ''}{action.name.upper()}"
    on = f" on {play.name(action.on)}" if action.on is not None else ""
    play.note("event", "K-3" if bonus else rule, called + on, who=action.by)
    if bonus:
        play.change(action.by, bonus_used=True)
    else:
        play.state = play.state.counted(who.side, action.name)
    concerned = (action.by,) if action.on is None else (action.by, action.on)
    play.push("performed", concerned, name_of=action.name)
    run(play)
    if all(play.operator(key).is_active for key in concerned):
        _do(play, action)
        judge_hits(play)
        run(play)
    else:
        play.note("note", rule, "The ACTION ends here: an OPERATOR of it is no longer face up", who=action.by)
    _end_action(play, action.by, exhausts and not bonus)


def _do(play: Play, action: GameAction) -> None:
    """What an ACTION is beside its modifications; Medic, Evade and Reload are nothing else."""
    if action.name == "attack" and action.on is not None:
        wishes = Wishes(action.attack_card, action.defence_card, action.late_attack_card)
        attack(play, action.by, action.on, wishes)
    elif action.name == "move" and action.swap is not None:
        if play.operator(action.swap).is_active:
            swap(play, action.by, action.swap)
    elif action.name == "move":
        advance(play, action.by)


def _end_action(play: Play, key: Key, exhausts: bool) -> None:
    """The end of an ACTION: he is EXHAUSTED (T-3), `when the ACTION of self ends`, then RULEVIOLATION (K-2).

    **Ruling:** in this order, so that an effect of that event can make him NORMAL again; an OPERATOR who is
    HIT or OUT by then is concerned by none of it.
    """
    if exhausts and play.operator(key).status == "NORMAL":
        play.change(key, status="EXHAUSTED")
        play.note("status", "T-3", f"{play.name(key)} is EXHAUSTED", who=key, after="EXHAUSTED")
        judge_hits(play)
        run(play)
    if play.operator(key).is_active:
        play.push("action-ends", (key,))
        run(play)
    if play.operator(key).is_active:
        _ruleviolation(play, key)


def _ruleviolation(play: Play, key: Key) -> None:
    """K-2: a D6 below X makes him OUT. **Ruling:** with several RULEVIOLATIONs one die against the highest
    X."""
    standing = [
        held.does.threshold
        for held in play.board().held(key, tree.GainsRuleviolation)
        if isinstance(held.does, tree.GainsRuleviolation)
    ]
    thresholds = (*standing, *play.violations)
    if not thresholds:
        return
    wanted = max(thresholds)
    result = play.roll("RULEVIOLATION", play.operator(key).side)
    verdict = "goes on" if result >= wanted else "is OUT"
    text = f"RULEVIOLATION {wanted}+: {result}, {play.name(key)} {verdict}"
    play.note("die", "K-2", text, who=key, after=result)
    if result < wanted:
        fall(play, key, "OUT")
        judge_hits(play)
        run(play)
