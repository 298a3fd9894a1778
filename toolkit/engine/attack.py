"""An attack while it goes on: who, which effects wait for their step, and what has come of them so far
(M-8)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from toolkit.dsl import tree
from toolkit.dsl.printing import print_doing
from toolkit.engine.board import Board, Holding, made_by
from toolkit.engine.conditions import holds
from toolkit.engine.numbers import AFTER_STEPS, LAYER_ORDER, Change
from toolkit.engine.outcomes import Roll
from toolkit.engine.play import Play
from toolkit.engine.reasons import why_false
from toolkit.engine.rules import AFTER_CRITICAL, START, STEP_OF_ROLE, Continuous, EffectTable, Rules
from toolkit.engine.scene import Cast, Scene, cast_of_attack
from toolkit.engine.sources import Source, has_team_mate, is_alive, line_up
from toolkit.engine.state import GameState, Key, OperatorState, Side
from toolkit.engine.trace import TraceEntry
from toolkit.vocabulary import STATS

_RULE_OF_ROLE = {
    "suppression": "M-1",
    "skill": "M-2",
    "teamwork": "M-3",
    "strategy": "M-4",
    "attack": "M-5",
    "defence": "M-5",
    "item": "M-9",
}


@dataclass(slots=True)
class Pending:
    """A continuous effect of this attack; ``verdict`` is None until its sentence is judged, once (M-8)."""

    effect: Continuous
    cast: Cast
    card: str | None = None
    verdict: bool | None = None


@dataclass(slots=True)
class Attack:
    """An attack from its beginning to its end, events included.

    ``rules`` and the two OPERATORs are fixed; the rest grows. ``late`` says where in MODIFY lasting
    modifications stand that the attack itself brought about, by serial number: **ruling:** one made `when
    attached` in step 5, one made by an event after A-1 behind all steps. ``cards`` are those attached
    in it, ``rerolled`` the permissions to reroll that have been used or declined.
    """

    rules: Rules
    attacker: Key
    attacked: Key
    side: Side
    late: tuple[tuple[int, int], ...] = ()
    pending: list[Pending] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    holdings: list[Holding] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    rerolled: list[Holding] = field(default_factory=list)
    cards: set[str] = field(default_factory=set)
    critical: bool = False
    _board: Board | None = None

    def board(self, state: GameState) -> Board:
        """The numbers of all OPERATORs on the FIELD (M-11), with what the attack has made so far."""
        if self._board is None or self._board.state is not state:
            board = Board(state, self.rules, self.side, self.late)
            for change in self.changes:
                if is_alive(state, change.bearer, change.card):
                    board.add(change)
            for holding in self.holdings:
                if is_alive(state, holding.bearer, holding.card):
                    board.hold(holding)
            self._board = board
        return self._board

    def add(self, state: GameState, made: Change | Holding) -> None:
        """One more change or holding of this attack."""
        board = self.board(state)
        if isinstance(made, Change):
            self.changes.append(made)
            board.add(made)
        else:
            self.holdings.append(made)
            board.hold(made)

    def after_comparison(self, state: GameState) -> None:
        """From here on what events make stands behind all steps."""
        self.late = (*self.late, (state.serial, AFTER_STEPS))


def begin_attack(state: GameState, rules: Rules, attacker: Key, attacked: Key) -> Attack:
    """An attack at its start, with every effect that could act in it; nothing is judged yet."""
    one, two = state.operators[attacker], state.operators[attacked]
    attack = Attack(rules, attacker, attacked, one.side, ((state.serial, 5),))
    for who in (one, two):
        attack.pending += _concerning(rules.suppression, who, one, two)
    for source in line_up(state, rules, one.side).in_attack:
        attack.pending += pending_of(source, one, two)
    for who in (one, two):
        if rules.teamwork.in_attack and has_team_mate(state, rules, who):
            attack.pending += _concerning(rules.teamwork, who, one, two)
    return attack


def pending_of(source: Source, attacker: OperatorState, attacked: OperatorState) -> Iterator[Pending]:
    """The effects of one source whose trigger holds in an attack."""
    for effect in source.table.in_attack:
        cast = cast_of_attack(effect.when or "", source.controller, source.bearer, attacker, attacked)
        if cast is not None:
            yield Pending(effect, cast, source.card)


def _concerning(
    table: EffectTable, who: OperatorState, attacker: OperatorState, attacked: OperatorState
) -> Iterator[Pending]:
    """SUPPRESSION or TEAMWORK as it concerns one of the two."""
    return pending_of(Source(table, who.side, who.key), attacker, attacked)


def act(play: Play, attack: Attack, time: int, which: Iterable[Pending] | None = None) -> None:
    """Everything that acts at one time of MODIFY acts together (M-8).

    First every sentence that is due is judged, on the numbers as they stand; then what those that hold do is
    measured on the same numbers; then it is applied in the order N-2, the attacking player's first.
    """
    pending = [
        one
        for one in (attack.pending if which is None else which)
        if is_alive(play.state, one.cast.bearer, one.card)
    ]
    board = attack.board(play.state)
    made: list[Change | Holding] = []
    for one in pending:
        if one.effect.judged != time and (not one.verdict or time not in one.effect.times):
            continue
        scene = Scene(play.state, play.rules, board, one.cast, attack.critical)
        if one.effect.judged == time and one.verdict is None:
            _judge(play, one, scene, time)
        if one.verdict:
            step = AFTER_CRITICAL if time == AFTER_CRITICAL else one.effect.step
            rule = _rule(attack, one, time)
            for when, action in one.effect.actions:
                if when == time:
                    made += made_by(action, one.effect, scene, step, rule, one.card)
    made.sort(key=lambda one: LAYER_ORDER[one.layer] if isinstance(one, Change) else -1)
    for result in made:
        apply(play, attack, result, time)


def _judge(play: Play, one: Pending, scene: Scene, time: int) -> None:
    condition = one.effect.condition
    one.verdict = holds(condition, scene)
    if not one.verdict and condition is not None and play.traced:
        reason = why_false(condition, scene)
        play.note("skipped", "M-8", reason, step=time, origin=one.effect.origin, who=one.cast.bearer)


def _rule(attack: Attack, one: Pending, time: int) -> str:
    if time in (START, AFTER_CRITICAL):
        return "M-8"
    if one.card is not None and one.card not in attack.cards:
        return "M-9"
    return _RULE_OF_ROLE.get(one.effect.origin.role, "M-8")


def apply(play: Play, attack: Attack, made: Change | Holding, time: int) -> None:
    """Add a change or a holding to the attack, and say in the trace what it did."""
    if isinstance(made, Holding):
        _hold(play, attack, made, time)
        return
    if not play.traced:
        attack.add(play.state, made)
        return
    board = attack.board(play.state)
    before = board.carried(made.who, made.stat)
    attack.add(play.state, made)
    play.entries.append(change_entry(play, board, made, before, time))


def change_entry(play: Play, board: Board, made: Change, before: int, time: int | None) -> TraceEntry:
    """The line of the trace for a change that was just added to the board."""
    after = board.carried(made.who, made.stat)
    name = play.name(made.who)
    ignored = made.ignored_as is not None and made.ignored_as in board.ignored(made.who)
    done = f"{made.stat} of {name} {_words(made)}: {before} → {after}"
    text = f"{name} ignores {made.ignored_as}" if ignored else done
    return TraceEntry(
        "skipped" if ignored else "change",
        made.rule,
        text,
        time,
        made.origin,
        made.who,
        made.stat,
        made.layer,
        made.amount,
        before,
        after,
    )


def _words(change: Change) -> str:
    match change.layer:
        case "fix":
            return f"is fixed at {change.amount}"
        case "multiply":
            return f"× {change.amount}"
        case "divide":
            return f"÷ {change.amount}"
        case _:
            return f"{change.amount:+d}"


def _hold(play: Play, attack: Attack, made: Holding, time: int) -> None:
    if isinstance(made.does, tree.GainsBonus):
        # **ruling:** a BONUS from a continuous effect of the attack is his for the TURN, as from an event
        who = play.operator(made.who)
        play.change(made.who, bonuses=(*who.bonuses, made.does.action))
        if play.traced:
            _tell_holding(play, made, time)
        return
    before = _carried(play, attack, made.who)
    attack.add(play.state, made)
    if play.traced:
        _tell_holding(play, made, time)
        _tell_ignored(play, attack, made, before, time)


def _tell_ignored(play: Play, attack: Attack, held: Holding, before: dict[str, int], time: int) -> None:
    """What numbers lose or win when an OPERATOR begins to ignore something that had acted already."""
    for stat, after in _carried(play, attack, held.who).items():
        if after != before[stat]:
            text = f"{stat} of {play.name(held.who)} without what he ignores: {before[stat]} → {after}"
            play.note(
                "change",
                held.rule,
                text,
                step=time,
                origin=held.origin,
                who=held.who,
                stat=stat,
                before=before[stat],
                after=after,
            )


def numbers_of_modify(play: Play) -> dict[tuple[Key, str], int]:
    """The numbers of the two while MODIFY goes on, before something is told; nothing where nothing is."""
    attack = play.attack
    if attack is None or not play.in_modify:
        return {}
    both = (attack.attacker, attack.attacked)
    return {(key, stat): number for key in both for stat, number in _carried(play, attack, key).items()}


def tell_lost(play: Play, fallen: Key, before: dict[tuple[Key, str], int]) -> None:
    """What the numbers of MODIFY lose when an OPERATOR falls whose SKILL or card made them (C-3)."""
    for (key, stat), number in before.items():
        after = play.board().carried(key, stat)
        if key != fallen and after != number:
            why = f"now that {play.name(fallen)} is {play.operator(fallen).status}"
            text = f"{stat} of {play.name(key)}, {why}: {number} → {after}"
            play.note(
                "change", "C-3", text, origin=play.acting, who=key, stat=stat, before=number, after=after
            )


def _carried(play: Play, attack: Attack, key: Key) -> dict[str, int]:
    """The numbers of an OPERATOR before something is told; nothing where nothing is."""
    board = attack.board(play.state)
    return {stat: board.carried(key, stat) for stat in STATS} if play.traced else {}


def _tell_holding(play: Play, held: Holding, time: int) -> None:
    text = f"{play.name(held.who)} {print_doing(held.does)}"
    play.note("note", held.rule, text, step=time, origin=held.origin, who=held.who)


def tell_standing(play: Play, attack: Attack) -> None:
    """The trace of what counts from the start: one line for each change, the numbers growing line by line."""
    whole = Board(play.state, play.rules, attack.side, attack.late)
    told = Board(play.state, play.rules, attack.side, attack.late)
    told.forget_changes()
    for change in whole.changes():
        before = told.carried(change.who, change.stat)
        told.add(change)
        play.entries.append(change_entry(play, told, change, before, START))
    for key in (attack.attacker, attack.attacked):
        for held in whole.held(key):
            _tell_holding(play, held, START)
    play.entries += whole.idle()


def tell_attached(play: Play, attack: Attack, bearer: Key, card: str) -> None:
    """The same for a card that was attached in this attack just now."""
    board = attack.board(play.state)
    for change in board.changes():
        if change.card == card and change.bearer == bearer and change not in attack.changes:
            before = board.carried_without(change)
            play.entries.append(change_entry(play, board, change, before, change.step))
    for key in (attack.attacker, attack.attacked):
        for held in board.held(key):
            if held.card == card and held.bearer == bearer and held not in attack.holdings:
                _tell_holding(play, held, STEP_OF_ROLE["attack"])
