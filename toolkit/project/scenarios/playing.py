"""The steps of a scenario, played one after the other until all are done or one cannot be."""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.data.scenarios import Script, Step
from toolkit.engine.actions import ActionName, GameAction, perform, refusal
from toolkit.engine.board import Board
from toolkit.engine.decisions import Players
from toolkit.engine.game import Game
from toolkit.engine.outcomes import AttackResult, EndlessChain, Outcome, Refusal, Stopped, TraceEntry
from toolkit.engine.phases import end_turn, play_card, settle
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key, Side, other
from toolkit.project.scenarios.answers import StepDice, StepPlayer
from toolkit.project.scenarios.coverage import Watch
from toolkit.project.scenarios.leftovers import leftovers
from toolkit.project.scenarios.order import Order, combat_refusal, strategy_refusal
from toolkit.project.scenarios.results import Failure
from toolkit.project.scenarios.setup import Cast, initial_state

_ACTIONS: dict[str, ActionName] = {
    "attack": "attack",
    "move": "move",
    "medic": "medic",
    "evade": "evade",
    "reload": "reload",
}


class AttackStep(Struct, frozen=True):
    """An attack that was compared: the index of its step, the states around it, and its trace."""

    step: int
    before: GameState
    after: GameState
    result: AttackResult
    trace: tuple[TraceEntry, ...]


class Played(Struct):
    """How far a scenario was played.

    ``refusal`` is why the step with the index ``at`` was not; the state is then as it was before that step.
    ``attack`` is the last attack, None if nothing was compared in it. ``chain`` is what went on without end
    in the last step. ``captors`` are OPERATORs that have CAPTURED an OBJECTIVE. ``order`` is how far the TURN
    has come, for scenarios that are strict. ``slips`` is what the scenario says and what does not come about:
    answers that nobody asks for, OPERATORs who fall at once.
    """

    state: GameState
    at: int = 0
    refusal: Refusal | None = None
    attack: AttackStep | None = None
    chain: EndlessChain | None = None
    last_trace: tuple[TraceEntry, ...] = ()
    captors: set[Key] = field(default_factory=set)
    order: Order = field(default_factory=Order)
    notes: list[str] = field(default_factory=list)
    slips: list[Failure] = field(default_factory=list)


def play(script: Script, rules: Rules, cast: Cast, watch: Watch | None = None) -> Played:
    """Play a scenario that has been checked; ``watch`` looks on."""
    played = Played(initial_state(script, rules, cast))
    _begin(script, rules, cast, played)
    if watch is not None:
        watch.cards.update(script.ids())
        watch.see_state(Board(rules, played.state))
    for index, step in enumerate(script.steps):
        played.at = index
        player, dice = StepPlayer(step, cast), StepDice(step)
        before = played.state.copy()
        outcome = _outcome(script, rules, cast, played, step, player, dice)
        if isinstance(outcome, Refusal):
            played.refusal = outcome
            if watch is not None:
                watch.see_refused(Board(rules, played.state), outcome.rule_id, _attack_of(step, cast))
            if script.expected.refused is None:
                played.notes += _cards_missing(cast, played.state, step)
            return played
        _take(played, step, outcome, cast, before)
        if watch is not None:
            watch.see_trace(outcome.trace)
            watch.see_state(Board(rules, played.state))
        played.slips += leftovers(index + 1, player, dice)
        if outcome.chain is not None:
            played.chain = outcome.chain
            played.refusal = Stopped("", outcome.chain.sentence)
            return played
    return played


def _begin(script: Script, rules: Rules, cast: Cast, played: Played) -> None:
    """H-1 holds from the beginning: who could not stand like this is HIT before the first step."""
    board = Board(rules, played.state)
    falling = [
        who.key
        for who in played.state.operators
        if who.is_active and who.hitcounter and who.hitcounter >= board.number(who, "DP")
    ]
    if not falling:
        return
    nothing = Step("state", script.entry.id_span, {})
    player = StepPlayer(nothing, cast)
    players: Players = {"blue": player, "red": player}
    settle(Game(rules, played.state, players, StepDice(nothing), traced=False))
    places = {cast.key(person): person.span for person, _ in script.state}
    for key in falling:
        name = cast.names[key]
        told = f"{name} is HIT from the beginning: his HITCOUNTER reaches his DP (H-1)."
        span = places.get(key, script.entry.id_span)
        played.slips.append(Failure(f"{name}.status", "NORMAL", "HIT", span, told))


def _outcome(
    script: Script,
    rules: Rules,
    cast: Cast,
    played: Played,
    step: Step,
    player: StepPlayer,
    dice: StepDice,
) -> Outcome | Refusal:
    """Play one step."""
    state = played.state
    game = Game(rules, state, {"blue": player, "red": player}, dice)
    if step.action == "end-turn":
        return end_turn(game)
    assert step.by is not None, "the step was checked"
    if step.action == "play":
        assert step.card is not None, "the step was checked"
        side = _side(step.by.written)
        refused = strategy_refusal(state, played.order, side) if script.strict else None
        return refused or play_card(game, side, step.card.value)
    action = _action(step, cast)
    refused = refusal(game, action)
    if refused is not None and not script.strict:
        # acting exhausts nobody here, so that a BONUS (K-3) would never be asked for: it is where it helps
        bonus = replace(action, bonus=True)
        if refusal(game, bonus) is None:
            action, refused = bonus, None
    if refused is None and script.strict:
        refused = combat_refusal(game, played.order, state.operators[action.by].side)
    return refused or perform(game, action, exhausts=script.strict, legal=True)


def _action(step: Step, cast: Cast) -> GameAction:
    """The ACTION of a step; a window for which it names no card stays without one."""
    assert step.by is not None, "the step was checked"
    return GameAction(
        name=_ACTIONS[step.action],
        by=cast.key(step.by),
        on=cast.key(step.on) if step.on else None,
        swap=cast.key(step.swap) if step.swap else None,
        attack_card=step.attack_card.value if step.attack_card else None,
        defence_card=step.defence_card.value if step.defence_card else None,
        late_attack_card=step.late_attack_card.value if step.late_attack_card else None,
    )


def _attack_of(step: Step, cast: Cast) -> tuple[Key, Key] | None:
    """Who attacks whom in a step; None if it is no attack."""
    if step.action != "attack" or step.by is None or step.on is None:
        return None
    return cast.key(step.by), cast.key(step.on)


def _take(played: Played, step: Step, outcome: Outcome, cast: Cast, before: GameState) -> None:
    """Remember what a step has come to."""
    after = played.state
    played.last_trace = outcome.trace
    if step.action == "end-turn":
        played.order = Order()
    elif step.action == "play" and step.by is not None:
        played.order = played.order.played(_side(step.by.written), before.turn)
    elif step.by is not None:
        key = cast.key(step.by)
        side = before.operators[key].side
        played.order = played.order.acted(side)
        if len(after.player(side).captured) > len(before.player(side).captured):
            played.captors.add(key)
    if step.action == "attack":
        played.attack = None
    if outcome.attack is not None:
        played.attack = AttackStep(played.at, before, after.copy(), outcome.attack, outcome.trace)


def _cards_missing(cast: Cast, state: GameState, step: Step) -> list[str]:
    """Cards that a step names and that are in nobody's hand: `hands` was probably forgotten."""
    assert step.by is not None or step.action == "end-turn", "the step was checked"
    if step.by is None:
        return []
    played = step.action == "play"
    own: Side = state.operators[cast.key(step.by)].side if not played else _side(step.by.written)
    named = ((step.card, own), (step.attack_card, own), (step.defence_card, other(own)))
    return [
        f"{side} has no `{card.value}` in hand; `hands: {{{side}: [{card.value}]}}` would give it"
        for card, side in (*named, (step.late_attack_card, own))
        if card is not None and card.value not in state.player(side).hand
    ]


def _side(written: str) -> Side:
    return "blue" if written == "blue" else "red"
