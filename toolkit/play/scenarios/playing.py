"""Playing the steps of a scenario until all are done or one cannot be played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.data.model import Scenario
from toolkit.data.scenarios import Script, Step
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.report import LeftOut
from toolkit.engine.actions import GameAction, legal_actions, perform, refusal
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import Players
from toolkit.engine.explaining.sums import Origins
from toolkit.engine.game import Game, over
from toolkit.engine.outcomes import AttackResult, EndlessChain, Outcome, Refusal, Stopped, TraceEntry
from toolkit.engine.phases import end_turn, play_card, settle
from toolkit.engine.state import GameState, Key, Side, other
from toolkit.engine.state_queries import StateQueries
from toolkit.play.scenarios.coverage import Coverage, CoverageRecorder
from toolkit.play.scenarios.scenario_answers import StepDice, StepPlayer, StepSources
from toolkit.play.scenarios.setup import Bindings, bindings_of, initial_state, side_of
from toolkit.source import Span
from toolkit.source.short_repr import PublicValue

Value = str | int | bool | None


class Failure(PublicValue, Struct, frozen=True):
    """One difference from what a scenario expects, or one reason why it could not be played.

    ``what`` is such as ``bishop.hitcounter``, ``refused`` or ``step 2``, ``span`` its place in the scenario.
    A ``sentence`` replaces "expected …, got …" where that would not explain it.
    """

    what: str
    expected: Value
    got: Value
    span: Span
    sentence: str = ""


class Result(PublicValue, Struct, frozen=True):
    """The result of a scenario.

    ``refused`` is the id of the rule that refused a step, expected or not. ``trace`` are lines that show how
    the numbers came about; ``notes`` name cards that are in no hand. ``cause`` is the error of a card, a mode
    or the like because of which the scenario was skipped: nothing is wrong with the scenario itself.
    """

    scenario: Scenario
    failures: tuple[Failure, ...] = ()
    refused: str | None = None
    trace: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    cause: Diagnostic | None = None

    @property
    def passed(self) -> bool:
        """Whether it was played and all is as expected."""
        return not self.failures and self.cause is None

    @property
    def failed(self) -> bool:
        """Whether it was played and something is not as expected."""
        return bool(self.failures)


class TestRun(PublicValue, Struct, frozen=True):
    """The results of all scenarios, and the errors that prevented some.

    ``left_out`` are the errors that are only counted, by file. ``unplayed`` are the names of files whose
    scenarios have errors, so that none of them was played. ``coverage`` has the coverage of each project with
    the names of its effects, if it was requested. ``warnings`` name cards with text-only rules, which were
    not played (E-1).
    """

    __test__ = False  # pytest takes classes of this name for tests

    results: tuple[Result, ...]
    findings: tuple[Diagnostic, ...]
    unplayed: tuple[str, ...] = ()
    coverage: tuple[tuple[Coverage, Origins], ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def passed(self) -> int:
        """The number of scenarios that passed."""
        return sum(result.passed for result in self.results)

    @property
    def failed(self) -> int:
        """The number of scenarios that were played and did not pass."""
        return sum(result.failed for result in self.results)

    @property
    def skipped(self) -> int:
        """The number of scenarios that were not played because of errors elsewhere."""
        return len(self.results) - self.passed - self.failed

    @property
    def played(self) -> int:
        """The number of scenarios that were played."""
        return self.passed + self.failed

    @property
    def exit_status(self) -> int:
        """0 if all passed and every file could be played, else 1."""
        return 1 if self.failed or self.findings else 0


class TurnProgress(Struct, frozen=True):
    """The progress of a TURN, by which a strict scenario is judged (T-2, T-3).

    ``answered``: the opponent has played a card in the STRATEGY phase; ``again``: the TURN's player has
    played another one after that. ``last`` is the side of the last ACTION.
    """

    answered: bool = False
    again: bool = False
    last: Side | None = None

    def played(self, side: Side, turn: Side) -> TurnProgress:
        """Return the progress after a side has played a card."""
        if side != turn:
            return replace(self, answered=True)
        return replace(self, again=self.answered)

    def acted(self, side: Side) -> TurnProgress:
        """Return the progress after a side has performed an ACTION: COMBAT has begun."""
        return replace(self, last=side)


def strategy_refusal(state: GameState, progress: TurnProgress, side: Side) -> Refusal | None:
    """Return why a side may not play a card now (T-2); None if it may."""
    if progress.last is not None:
        return Refusal("T-2", "Cards are played in the STRATEGY phase, and COMBAT has begun.")
    if side != state.turn and progress.again:
        return Refusal(
            "T-2", f"{state.turn} has played once more, so {side} plays no further card in this TURN."
        )
    return None


def combat_refusal(resolver: StateQueries, progress: TurnProgress, side: Side) -> Refusal | None:
    """Return why an OPERATOR of a side may not act now (T-3), if so. A side that cannot act passes."""
    turn = resolver.state.turn if progress.last is None else other(progress.last)
    if side == turn or not legal_actions(resolver, turn):
        return None
    return Refusal("T-3", f"In COMBAT the players alternate, and now it is {turn} who acts.")


class AttackStep(Struct, frozen=True):
    """An attack: the index of its step, the states before and after it, and its outcome."""

    step: int
    before: GameState
    after: GameState
    outcome: Outcome


class Played(Struct):
    """A scenario as far as it was played.

    ``refusal`` is why the step with the index ``at`` was not played; the state is that before the step.
    ``attack`` is the last step that is an attack, ``compared`` the result of the last attack, which may have
    come at once (E-32). ``chain`` is the endless chain of events in the last step. ``captors`` are
    OPERATORs that have CAPTURED an OBJECTIVE, ``stood`` those that have been on the FIELD, ``not_played`` the
    cards whose text-only rules were skipped (E-1). ``used_at_once`` says of each step how many of its answers
    to ACTIONs at once were used. ``unmet`` are statements of the scenario that do not hold: unused answers,
    OPERATORs that are HIT before the first step.
    """

    script: Script
    rules: Rules
    bindings: Bindings
    state: GameState
    at: int = 0
    refusal: Refusal | None = None
    attack: AttackStep | None = None
    compared: AttackResult | None = None
    chain: EndlessChain | None = None
    last_trace: tuple[TraceEntry, ...] = ()
    captors: set[Key] = field(default_factory=set)
    stood: set[Key] = field(default_factory=set)
    not_played: set[str] = field(default_factory=set)
    progress: TurnProgress = field(default_factory=TurnProgress)
    used_at_once: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unmet: list[Failure] = field(default_factory=list)

    @property
    def result(self) -> AttackResult | None:
        """The result of the last step that is an attack; None if AP and EP were not compared in it."""
        return self.attack.outcome.attack if self.attack is not None else None


Sources = Callable[[Step, Bindings], tuple[StepPlayer, StepDice]]
"""A function that returns the player and the dice of a step."""


def sources_of_step(step: Step, bindings: Bindings) -> tuple[StepPlayer, StepDice]:
    """Return a player and dice with what a step lists, and nothing else."""
    return StepPlayer(step, bindings), StepDice(step, bindings)


def play(
    script: Script, rules: Rules, recorder: CoverageRecorder | None = None, sources: Sources = sources_of_step
) -> Played:
    """Play a scenario that has no findings; ``recorder`` records its coverage.

    ``sources`` is called once for each step that is begun, in order.
    """
    bindings = bindings_of(script)
    played = Played(script, rules, bindings, initial_state(script, rules, bindings))
    initial_trace = _begin(played, recorder)
    for index, step in enumerate(script.steps):
        played.at = index
        player, dice = sources(step, bindings)
        state_before = played.state.copy()
        answers = StepSources(player, dice)
        outcome = _play_step(played, step, answers)
        if isinstance(outcome, Refusal):
            _record_refusal(played, step, outcome, recorder)
            break
        if initial_trace:  # what happened before the first step stands in the trace of that step
            outcome, initial_trace = replace(outcome, trace=(*initial_trace, *outcome.trace)), ()
        _record(played, step, outcome, state_before)
        if recorder is not None:
            recorder.record_trace(outcome.trace)
            recorder.record_state(StateQueries(rules, played.state))
        played.unmet += _unused_answers(index + 1, player, dice)
        played.unmet += _unused_at_once(index + 1, answers)
        played.used_at_once.append(answers.begun)
        if outcome.chain is not None:
            played.chain = outcome.chain
            played.refusal = Stopped("", outcome.chain.sentence)
            break
    return played


def _begin(played: Played, recorder: CoverageRecorder | None) -> tuple[TraceEntry, ...]:
    """Bring about what holds before the first step, and return the trace of that.

    No answer and no die is listed for it, so every decision takes the first option.
    """
    script, rules, bindings = played.script, played.rules, played.bindings
    no_step = Step("state", script.entry.id_span, {})
    player = StepPlayer(no_step, bindings)
    players: Players = {"blue": player, "red": player}
    _settle_beginning(played, Game(rules, played.state, players, StepDice(no_step, bindings), traced=False))
    game = Game(rules, played.state, players, StepDice(no_step, bindings))
    played.stood = game.stood
    trace = game.take_trace()
    _note_not_played(played, trace)
    if recorder is not None:
        recorder.cards.update(script.ids())
        recorder.record_state(StateQueries(rules, played.state))
    return trace


def _record_refusal(played: Played, step: Step, refused: Refusal, recorder: CoverageRecorder | None) -> None:
    """Record that a step was refused; if that was not expected, also which cards were in no hand for it."""
    played.refusal = refused
    if recorder is not None:
        resolver = StateQueries(played.rules, played.state)
        recorder.record_refusal(resolver, refused.rule_id, attack_of(step, played.bindings))
    if played.script.expected.refused is None:
        played.notes += _cards_missing(played, step)


def _settle_beginning(played: Played, game: Game) -> None:
    """Apply H-1 before the first step: an OPERATOR with too many HITCOUNTERs is HIT from the beginning."""
    script, bindings = played.script, played.bindings
    resolver = StateQueries(played.rules, played.state)
    hit_keys = [
        operator.key
        for operator in played.state.operators
        if operator.is_active
        and operator.hitcounter
        and operator.hitcounter >= resolver.number(operator, "DP")
    ]
    if not hit_keys:
        return
    settle(game)
    places = {bindings.key(ref): ref.span for ref, _ in script.state}
    for key in hit_keys:
        name = bindings.names[key]
        sentence = f"{name} is HIT from the beginning: its HITCOUNTER reaches its DP (H-1)."
        span = places.get(key, script.entry.id_span)
        played.unmet.append(Failure(f"{name}.status", "NORMAL", "HIT", span, sentence))


def _play_step(played: Played, step: Step, sources: StepSources) -> Outcome | Refusal:
    """Play one step; return its outcome, or why it is refused."""
    state, strict = played.state, played.script.strict
    if state.winners:
        return Refusal("E-31", over(state))
    game = Game(played.rules, state, {"blue": sources, "red": sources}, sources, stood=played.stood)
    sources.game = game
    if step.action == "end-turn":
        return end_turn(game)
    assert step.by is not None, "the step was checked"
    if step.action == "play":
        assert step.card is not None, "the step was checked"
        side = side_of(step.by.written)
        refused = strategy_refusal(state, played.progress, side) if strict else None
        return refused or play_card(game, side, step.card.value)
    action = action_of_step(played, step)
    refused = refusal(game, action)
    if refused is None and strict:
        refused = combat_refusal(game, played.progress, state.operators[action.by].side)
    return refused or perform(game, action, exhausts=strict, legal=True)


def action_of_step(played: Played, step: Step) -> GameAction:
    """Return the ACTION of a step as it is performed now."""
    action = _action(step, played.bindings)
    if not played.script.strict:
        # Acting exhausts nobody in a scenario that is not strict, so a BONUS (K-3) is never needed to act;
        # it is used only for what it allows beside that.
        resolver, bonus = StateQueries(played.rules, played.state), replace(action, bonus=True)
        if refusal(resolver, action) is not None and refusal(resolver, bonus) is None:
            return bonus
    return action


def _action(step: Step, bindings: Bindings) -> GameAction:
    """Return the ACTION of a step; in windows for which it names no card none is played."""
    assert step.by is not None, "the step was checked"
    return GameAction(
        name=step.action,
        by=bindings.key(step.by),
        on=bindings.key(step.on) if step.on else None,
        swap=bindings.key(step.swap) if step.swap else None,
        attack_card=step.attack_card.value if step.attack_card else None,
        defence_card=step.defence_card.value if step.defence_card else None,
        late_attack_card=step.late_attack_card.value if step.late_attack_card else None,
    )


def attack_of(step: Step, bindings: Bindings) -> tuple[Key, Key] | None:
    """Return the attacker and the attacked OPERATOR of a step; None if it is not an attack."""
    if step.action != "attack" or step.by is None or step.on is None:
        return None
    return bindings.key(step.by), bindings.key(step.on)


def _record(played: Played, step: Step, outcome: Outcome, state_before: GameState) -> None:
    """Record the outcome of a step."""
    played.last_trace = outcome.trace
    _note_not_played(played, outcome.trace)
    if step.action == "end-turn":
        played.progress = TurnProgress()
    elif step.action == "play" and step.by is not None:
        played.progress = played.progress.played(side_of(step.by.written), state_before.turn)
    elif step.by is not None:
        side = state_before.operators[played.bindings.key(step.by)].side
        played.progress = played.progress.acted(side)
    played.captors.update(
        entry.who for entry in outcome.trace if entry.after == "CAPTURED" and entry.who is not None
    )
    if step.action == "attack":
        played.attack = AttackStep(played.at, state_before, played.state.copy(), outcome)
        played.compared = None
    if outcome.attacks:
        played.compared = outcome.attacks[-1]


def _note_not_played(played: Played, trace: Iterable[TraceEntry]) -> None:
    """Add the cards whose text-only rules the trace says were skipped (E-1)."""
    played.not_played.update(str(entry.after) for entry in trace if entry.rule == "E-1")


def _cards_missing(played: Played, step: Step) -> list[str]:
    """Return notes about cards that a step names and that are in no hand: `hands` was probably forgotten."""
    if step.by is None:  # end-turn
        return []
    state = played.state
    if step.action == "play":
        acting_side = side_of(step.by.written)
    else:
        acting_side = state.operators[played.bindings.key(step.by)].side
    named_cards = (
        (step.card, acting_side),
        (step.attack_card, acting_side),
        (step.defence_card, other(acting_side)),
        (step.late_attack_card, acting_side),
    )
    return [
        f"{side} has no `{card.value}` in hand; `hands: {{{side}: [{card.value}]}}` would give it"
        for card, side in named_cards
        if card is not None and card.value not in state.player(side).hand
    ]


_UNUSED = {
    "critical": "no die is CRITICAL for its `critical` answer {}",
    "either": "there is no choice for its `either` answer {}",
    "may": "no optional effect is left for its `may` answer {}",
    "choose": "no OPERATOR is chosen for its `choose` answer {}",
    "cards": "no card is chosen for its `cards` answer {}",
    "order": "nothing is put back for its `order` answer {}",
    "place": "no OPERATOR enters the FIELD for its `place` answer {}",
    "reroll": "it may not reroll die {}",
    "set": "it may not set die {}",
    "performance": "no PERFORMANCE is fulfilled, and it answers `performance`",
    **{
        window: f"no window is open for its `{window}` {{}}"
        for window in ("attack_card", "defence_card", "late_attack_card")
    },
}


def _unused_at_once(step_number: int, sources: StepSources) -> Iterator[Failure]:
    """Yield what is unused of the ACTIONs at once of a step (counted from 1), whole entries too (E-32)."""
    for number, (player, dice) in enumerate(sources.entries, 1):
        if number > sources.begun:
            name, span = f"step {step_number}.at_once", player.step.span
            sentence = f"step {step_number}: no ACTION at once is earned for its `at_once` answer {number}."
            yield Failure(name, player.step.action, None, span, sentence)
        else:
            yield from _unused_answers(step_number, player, dice)


def _unused_answers(step_number: int, player: StepPlayer, dice: StepDice) -> Iterator[Failure]:
    """Yield the unused answers and dice of a step (counted from 1): a failure for each key."""
    step = player.step
    name = f"step {step_number} ({step.action}{' at once' if player.is_at_once else ''})"
    if dice.unused:
        unused = ", ".join(str(die.value) for die in dice.unused)
        sentence = f"{name}: its `dice` has results that are not rolled: {unused}."
        yield Failure(f"step {step_number}.dice", unused, None, dice.unused[0].span, sentence)
    if dice.not_drawn:
        unused = ", ".join(ref.written for ref in dice.not_drawn)
        sentence = f"{name}: its `random` has draws that are not made: {unused}."
        yield Failure(f"step {step_number}.random", unused, None, dice.not_drawn[0].span, sentence)
    for key, spans in player.unused.items():
        answer_text = ", ".join(answer.text for answer in spans)
        problem = _UNUSED[key].format(answer_text)
        if key == "performance" and step.performance is not None and step.performance.to is not None:
            side = player.bindings.side(step.performance.to)
            problem = f"{side} fulfils no PERFORMANCE, and it gives an ITEM to {step.performance.to.written}"
        yield Failure(f"step {step_number}.{key}", answer_text, None, spans[0], f"{name}: {problem}.")
