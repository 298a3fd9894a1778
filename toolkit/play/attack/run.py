"""Playing one attack and explaining it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import prevents_use
from toolkit.dsl import tree
from toolkit.dsl.effect_objects import Origin
from toolkit.engine.actions import GameAction, perform
from toolkit.engine.compiled_rules import START
from toolkit.engine.decisions import Players
from toolkit.engine.game import Game
from toolkit.engine.modifiers import Holding
from toolkit.engine.outcomes import Refusal
from toolkit.engine.permissions import made_at_start
from toolkit.engine.phases import settle
from toolkit.engine.state import SIDES, Key
from toolkit.engine.state_queries import StateQueries
from toolkit.play.attack.request import (
    AttackRequest,
    PlayedAttack,
    Refused,
    RequestedDice,
    Setting,
    duel_setting,
    fill_hands,
    find_scenario,
    notes_of,
    resolve_answers,
    resolve_random,
    scenario_setting,
)
from toolkit.play.playable_game import Unplayable, find_entry, find_rules, text_only_warnings
from toolkit.project.pipeline import Workspace
from toolkit.source.paths import absolute
from toolkit.vocabulary.nearest import nearest

_KINDS = {"operator": "OPERATOR", "attack": "ATTACK card", "defence": "DEFENCE card"}


def play_attack(workspace: Workspace, request: AttackRequest) -> PlayedAttack | Refused | Unplayable:
    """Play the requested attack and explain it, or return why it cannot be played."""
    setting = resolve_setting(workspace, request)
    if isinstance(setting, Unplayable):
        return setting
    answers = resolve_answers(request, setting)
    if isinstance(answers, Unplayable):
        return answers
    rules, (attacker, attacked) = setting.rules, setting.attacker_and_target
    draws = resolve_random(request, setting.state)
    if isinstance(draws, Unplayable):
        return draws
    dice = RequestedDice(request, draws)
    players: Players = {"blue": answers, "red": answers}
    # an OPERATOR with too many HITCOUNTERs is HIT before the attack (H-1), as in a scenario
    settle(Game(rules, fill_hands(setting, request), players, dice, traced=False))
    state_before = setting.state.copy()
    action = GameAction(
        "attack",
        attacker,
        attacked,
        attack_card=request.attack_card,
        defence_card=request.defence_card,
        late_attack_card=request.late_attack_card,
    )
    outcome = perform(Game(rules, setting.state, players, dice), action, exhausts=False)
    origins = workspace.origins(request.language)
    if isinstance(outcome, Refusal):
        if not outcome.rule_id:
            return Unplayable(outcome.sentence)
        resolver = StateQueries(rules, state_before)
        return Refused(
            outcome, tuple(forbidding_effects(resolver, setting.attacker_and_target, outcome)), origins
        )
    notes = [*notes_of(request, dice, answers)]
    if outcome.chain:
        notes.append(origins.chain(outcome.chain).rstrip("."))
    return PlayedAttack(
        request=request,
        rules=rules,
        origins=origins,
        scenario=setting.scenario,
        before=state_before,
        after=setting.state,
        outcome=outcome,
        both=setting.attacker_and_target,
        rolled=tuple(dice.rolled),
        notes=tuple(notes),
        warnings=text_only_warnings(workspace.cards, {*state_before.cards(), *rules.mode.objectives}),
    )


def resolve_setting(workspace: Workspace, request: AttackRequest) -> Setting | Unplayable:
    """Return the setting of the attack, if all entries that it needs exist and have no errors."""
    named_ids = list(_named(request))
    problem = unknown_operator(workspace, named_ids) or errors_in(workspace, [name for name, _ in named_ids])
    if problem is not None:
        return problem
    cards = workspace.cards
    if request.scenario is None:
        rules = find_rules(workspace, request.mode)
        if isinstance(rules, Unplayable):
            return rules
        mode, ruleset = rules
        return errors_in(workspace, (mode.id, ruleset.id)) or duel_setting(workspace, request, mode, ruleset)
    checked = find_scenario(workspace, request)
    if isinstance(checked, Unplayable):
        # it may be missing because its file has errors
        path = absolute(request.scenario[0])
        return (
            preventing(finding for finding in workspace.findings if finding.span.file.path == path) or checked
        )
    errors = preventing(checked.findings)
    if errors is not None:
        return errors
    if checked.mode is None or checked.ruleset is None:
        kind = "mode" if checked.mode is None else "ruleset"
        name = getattr(cards.project, kind)
        entries_by_id: dict[str, Any] = getattr(cards, f"{kind}s") if name else {}
        missing = find_entry(workspace, entries_by_id, name, kind)
        assert isinstance(missing, Unplayable), "there are none to find"
        return missing
    needed = [*checked.script.ids(), checked.mode.id, checked.ruleset.id]
    return errors_in(workspace, needed) or scenario_setting(workspace, request, checked)


def _named(request: AttackRequest) -> Iterator[tuple[str, str]]:
    """Yield the ids of the request, with the kinds of card that they should be."""
    for operator_id in (request.attacker, request.target):
        yield (operator_id.rpartition(".")[2] if request.scenario is not None else operator_id), "operator"
    for card_id, kind in (
        (request.attack_card, "attack"),
        (request.defence_card, "defence"),
        (request.late_attack_card, "attack"),
    ):
        if card_id is not None:
            yield card_id, kind


def unknown_operator(workspace: Workspace, named_ids: Iterable[tuple[str, str]]) -> Unplayable | None:
    """Report the first id that does not exist, or an attacker or target that is not an OPERATOR.

    Cards of the wrong kind to be attached are left to the rules, which refuse them with their id.
    """
    cards, broken_ids = workspace.cards.cards, workspace.cards.broken_ids
    for name, kind in named_ids:
        if name not in cards and name not in broken_ids and not workspace.cards.incomplete:
            suggestion = nearest(name, [card.id for card in cards.values() if card.kind == kind])
            suggestion = suggestion or nearest(name, cards)
            hint = f" Did you mean {suggestion!r}?" if suggestion else ""
            return Unplayable(f"There is no {_KINDS[kind]} {name!r} in {workspace.root.name}.{hint}")
        if kind == "operator" and name in cards and cards[name].kind != kind:
            return Unplayable(f"{name!r} is not an OPERATOR, and only OPERATORs attack and are attacked.")
    return None


def errors_in(workspace: Workspace, ids: Iterable[str]) -> Unplayable | None:
    """Return the errors of needed entries, if there are any."""
    return preventing(workspace.errors_about(set(ids)))


def preventing(findings: Iterable[Diagnostic]) -> Unplayable | None:
    """Return the findings that prevent an attack, if there are any."""
    preventing = tuple(finding for finding in findings if prevents_use(finding.name))
    return Unplayable(findings=preventing) if preventing else None


def forbidding_effects(
    resolver: StateQueries, fighters: tuple[Key, Key], refused: Refusal
) -> Iterator[Origin]:
    """Yield the effects that forbid the attack or a card in it (M-8, E-33); none if another rule does.

    They are effects that last in the state, and effects that act at the start of this attack.
    """
    if refused.rule_id not in ("M-8", "E-33"):
        return
    attacker, attacked = (resolver.state.operators[key] for key in fighters)
    holdings = [*resolver.held(attacker), *resolver.held(attacked)]
    for side in SIDES:
        holdings += resolver.held_by_player(side)
    for pending in resolver.begin_attack(attacker, attacked).pending:
        condition = pending.effect.condition
        if START in pending.effect.due and (condition is None or condition.holds(pending.context)):
            holdings += made_at_start(pending)
    forbids = _forbids if refused.rule_id == "M-8" else _forbids_card
    forbidding = [holding.origin for holding in holdings if forbids(holding, *fighters)]
    yield from dict.fromkeys(origin for origin in forbidding if origin is not None)


def _forbids(holding: Holding, attacker: Key, attacked: Key) -> bool:
    """Whether it forbids an attack of the one on the other (M-8)."""
    does = holding.does
    if isinstance(does, tree.CannotPerform):
        return holding.who == attacker and does.action == "ATTACK"
    return holding.who == attacked and isinstance(does, (tree.CannotBeAttacked, tree.CannotHaveDefence))


def _forbids_card(holding: Holding, _attacker: Key, _attacked: Key) -> bool:
    """Whether it forbids a card in the attack, or a BONUS ACTION (E-33)."""
    return isinstance(holding.does, (tree.CannotHave, tree.CannotPlay)) or holding.does == tree.CannotPerform(
        "BONUS"
    )
