"""Play one attack and explain it."""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.dsl import tree
from toolkit.effects.objects import Origin
from toolkit.engine.actions import GameAction, made_at_start, perform
from toolkit.engine.board import Board
from toolkit.engine.decisions import Players
from toolkit.engine.explaining.explanation import explain
from toolkit.engine.explaining.origins import origins_of
from toolkit.engine.game import Game
from toolkit.engine.numbers import Holding
from toolkit.engine.outcomes import Refusal
from toolkit.engine.phases import settle
from toolkit.engine.rules import START
from toolkit.engine.state import Key
from toolkit.pipeline import Workspace
from toolkit.project.attack.request import (
    AttackRequest,
    Refused,
    Told,
    Unsound,
    WrongUse,
    errors,
    errors_of_file,
    ids_of,
    rules_of,
    unknown,
    unsound,
    without_rules,
)
from toolkit.project.attack.setup import (
    RequestedDice,
    Setting,
    alone,
    answers_of,
    chosen_scenario,
    notes_of,
    of_scenario,
    with_hands,
)


def play_attack(workspace: Workspace, request: AttackRequest) -> Told | Refused | Unsound | WrongUse:
    """The attack and its explanation, or why there is none."""
    setting = _setting(workspace, request)
    return _played(workspace, request, setting) if isinstance(setting, Setting) else setting


def _played(workspace: Workspace, request: AttackRequest, setting: Setting) -> Told | Refused | WrongUse:
    origins = origins_of(workspace.cards, request.language)
    rules, (attacker, attacked) = setting.rules, setting.both
    dice, answers = RequestedDice(request), answers_of(request, setting)
    if isinstance(answers, WrongUse):
        return answers
    players: Players = {"blue": answers, "red": answers}
    # H-1 holds from the beginning, as in a scenario
    settle(Game(rules, with_hands(setting, request), players, dice, traced=False))
    before = setting.state.copy()
    action = GameAction(
        "attack",
        attacker,
        attacked,
        attack_card=request.attack_card,
        defence_card=request.defence_card,
        late_attack_card=request.late_attack_card,
    )
    outcome = perform(Game(rules, setting.state, players, dice), action, exhausts=False)
    if isinstance(outcome, Refusal):
        if not outcome.rule_id:
            return WrongUse(outcome.sentence)
        because = tuple(forbidding(Board(rules, before), setting.both, outcome))
        return Refused(outcome, because, origins)
    board = Board(rules, before)
    explained = explain(board, setting.state, outcome, setting.both, origins, thorough=True)
    notes = [
        *notes_of(request, dice, answers),
        *([origins.chain(outcome.chain).rstrip(".")] if outcome.chain else []),
    ]
    return Told(
        request,
        rules,
        origins,
        setting.scenario,
        before,
        setting.state,
        outcome,
        explained,
        tuple(dice.rolled),
        tuple(notes),
    )


def _setting(workspace: Workspace, request: AttackRequest) -> Setting | Unsound | WrongUse:
    """Where it takes place, once all that is named is known and free of errors."""
    wrong = unknown(workspace, request) or unsound(workspace, ids_of(request))
    if wrong is not None:
        return wrong
    if request.scenario is None:
        chosen = rules_of(workspace, request.mode)
        return chosen if isinstance(chosen, (Unsound, WrongUse)) else alone(workspace, request, *chosen)
    checked = chosen_scenario(workspace, request)
    if isinstance(checked, WrongUse):
        return errors_of_file(workspace, request.scenario[0]) or checked
    script = checked.script
    broken = errors(checked.findings)
    if broken:
        return Unsound(broken)
    if checked.mode is None or checked.ruleset is None:
        what = "mode" if checked.mode is None else "ruleset"
        return without_rules(workspace, None, what)
    return unsound(workspace, [*script.ids(), checked.mode.id, checked.ruleset.id]) or of_scenario(
        workspace, request, checked
    )


def forbidding(board: Board, both: tuple[Key, Key], refused: Refusal) -> Iterator[Origin]:
    """The effects for which the two cannot fight as it was asked for; none if it is no effect that forbids.

    Those that hold in the state, and those that speak of this attack.
    """
    if refused.rule_id != "M-8":
        return
    attacker, attacked = (board.state.operators[key] for key in both)
    found = [*board.held(attacker), *board.held(attacked)]
    for one in board.begin_attack(attacker, attacked).pending:
        condition = one.effect.condition
        if START in one.effect.due and (condition is None or condition.holds(one.context)):
            found += made_at_start(one)
    origins = [held.origin for held in found if held.origin is not None and _forbids(held, *both)]
    yield from dict.fromkeys(origins)


def _forbids(held: Holding, attacker: Key, attacked: Key) -> bool:
    does = held.does
    if isinstance(does, tree.CannotPerform):
        return held.who == attacker and does.action == "ATTACK"
    return held.who == attacked and isinstance(does, (tree.CannotBeAttacked, tree.CannotHaveDefence))
