"""Play the attack that somebody wants to see."""

from __future__ import annotations

from toolkit.engine.actions import GameAction, perform
from toolkit.engine.board import Board
from toolkit.engine.decisions import Players
from toolkit.engine.explaining.explanation import explain
from toolkit.engine.explaining.origins import origins_of
from toolkit.engine.game import Game
from toolkit.engine.outcomes import Refusal
from toolkit.engine.phases import settle
from toolkit.project.attack.answers import WishedDice, answers_of, notes_of
from toolkit.project.attack.checks import (
    errors,
    errors_of_file,
    ids_of,
    rules_of,
    unknown,
    unsound,
    without_rules,
)
from toolkit.project.attack.forbidding import forbidding
from toolkit.project.attack.request import AttackWish, Refused, Told, Unsound, WrongUse
from toolkit.project.attack.settings import Setting, alone, chosen_scenario, of_scenario, with_hands
from toolkit.project.workspace import Workspace


def play_attack(workspace: Workspace, wish: AttackWish) -> Told | Refused | Unsound | WrongUse:
    """The attack and its explanation, or why there is none."""
    setting = _setting(workspace, wish)
    return _played(workspace, wish, setting) if isinstance(setting, Setting) else setting


def _played(workspace: Workspace, wish: AttackWish, setting: Setting) -> Told | Refused | WrongUse:
    origins = origins_of(workspace.cards, wish.language)
    rules, (attacker, attacked) = setting.rules, setting.both
    dice, answers = WishedDice(wish), answers_of(wish, setting)
    if isinstance(answers, WrongUse):
        return answers
    players: Players = {"blue": answers, "red": answers}
    # H-1 holds from the beginning, as in a scenario
    settle(Game(rules, with_hands(setting, wish), players, dice, traced=False))
    before = setting.state.copy()
    action = GameAction(
        "attack",
        attacker,
        attacked,
        attack_card=wish.attack_card,
        defence_card=wish.defence_card,
        late_attack_card=wish.late_attack_card,
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
        *notes_of(wish, dice, answers),
        *([origins.chain(outcome.chain).rstrip(".")] if outcome.chain else []),
    ]
    return Told(
        wish,
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


def _setting(workspace: Workspace, wish: AttackWish) -> Setting | Unsound | WrongUse:
    """Where it takes place, once all that is named is known and free of errors."""
    wrong = unknown(workspace, wish) or unsound(workspace, ids_of(wish))
    if wrong is not None:
        return wrong
    if wish.scenario is None:
        chosen = rules_of(workspace, wish.mode)
        return chosen if isinstance(chosen, (Unsound, WrongUse)) else alone(workspace, wish, *chosen)
    checked = chosen_scenario(workspace, wish)
    if isinstance(checked, WrongUse):
        return errors_of_file(workspace, wish.scenario[0]) or checked
    script = checked.script
    broken = errors(checked.findings)
    if broken:
        return Unsound(broken)
    if checked.mode is None or checked.ruleset is None:
        what = "mode" if checked.mode is None else "ruleset"
        return without_rules(workspace, None, what)
    return unsound(workspace, [*script.ids(), checked.mode.id, checked.ruleset.id]) or of_scenario(
        workspace, wish, checked
    )
