"""What an effect of an event does: its clauses in order, each verb for everyone that it means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.effect_objects import Clause, Origin
from toolkit.dsl.effect_printer import print_clause, print_doing, print_group, print_who
from toolkit.engine.acting_effects import Attack
from toolkit.engine.board import (
    advance,
    counter_of,
    enter_field,
    fall,
    free_places,
    in_save_zone,
    judge_hits,
    may_swap,
    retreat,
    reward,
    set_counter,
    swap_places,
)
from toolkit.engine.card_zones import (
    DISCARDED,
    bar,
    bears_item,
    come_back,
    discard,
    discard_strategy,
    draw,
    draw_item,
    least,
    leave_play,
    look_at,
    lose,
    numbers_of_modify,
    put,
    shuffle_deck,
    take_item,
    trace_lost,
)
from toolkit.engine.compiled_rules import EventAction, EventChoice, EventClause
from toolkit.engine.compiler import Context, Targets, side_of
from toolkit.engine.decisions import Decision, FixedDice
from toolkit.engine.game import NOT_HEARD, Earned, Game, GameOver
from toolkit.engine.permissions import forbidden_in_attack, is_protected
from toolkit.engine.state import (
    GIVING,
    GameState,
    Lasting,
    OperatorState,
    Side,
    Status,
    Used,
    count_of,
    other,
    with_count,
)
from toolkit.vocabulary import DURATIONS, IGNORABLE_ACTIONS, LIMITS, STATS

InFull = bool
"""Whether a verb happened in full for whom it was done (E-3)."""


class VerbCall(Struct, frozen=True, eq=False):
    """A verb that is done: in which sentence (``context``, ``origin``), by which rule, and for how much.

    ``amount`` is what it changes or counts, counted once, before anyone changes; 0 for other verbs. ``may``
    says that it could be declined.
    """

    action: EventAction
    context: Context
    origin: Origin
    rule: str
    amount: int = 0
    may: bool = False


def carry_out(
    game: Game, clauses: Sequence[EventClause | EventChoice], context: Context, origin: Origin, rule: str
) -> bool:
    """Carry out the clauses of an effect in order; H-1 is judged after each verb.

    Returns whether a clause has acted on somebody, an OPERATOR or a player, whatever came of it (E-4).
    """
    acted = False
    for clause in clauses:
        if isinstance(clause, EventChoice):
            acted |= carry_out(game, _branch(game, clause, context, origin), context, origin, rule)
            continue
        is_done, on_somebody = _do_clause(game, clause, context, origin, rule)
        acted |= on_somebody
        for branch, comes_up in ((clause.if_so, is_done), (clause.if_not, not is_done)):
            if branch and comes_up:
                acted |= carry_out(game, branch, context, origin, rule)
            elif branch:
                _pass_over(branch, context)
                if game.trace is not None:
                    text = f"{clause_text(clause.clause)}: {'done' if is_done else 'not done'}"
                    game.note("skipped", "E-3", text, origin=origin, operator=context.self)
    return acted


def _pass_over(branch: Sequence[EventClause | EventChoice], context: Context) -> None:
    """Let nothing come of the clauses of a branch that does not come up, for those that speak of it later."""
    for clause in _clauses_of(branch):
        _leave_out(clause, context)


def _branch(
    game: Game, choice: EventChoice, context: Context, origin: Origin
) -> Sequence[EventClause | EventChoice]:
    """`either … or …`: the controller chooses."""
    why = f"{origin.entry}: which of the two?"
    side = context.controller
    answer = game.ask("either", side, ("first", "second"), why, origin, choice.choice)
    game.note("decision", "M-11", f"{side} chooses the {answer} of the two", origin=origin)
    return choice.first if answer == "first" else choice.second


def _do_clause(
    game: Game, clause: EventClause, context: Context, origin: Origin, rule: str
) -> tuple[bool, bool]:
    """Do a clause, unless it may be declined and is; whether it was done (E-3), and whether somebody was
    there."""
    players = clause.targets.sides(context)
    if clause.clause.may:
        asked_sides = players or (context.controller,)
        agreed = tuple([side for side in asked_sides if _agrees(game, clause, side, context, origin, rule)])
        if not agreed:
            _leave_out(clause, context)
            return False, False
        is_done, on_somebody = _verbs(game, clause, agreed if players else (), context, origin, rule)
        return is_done and agreed == asked_sides, on_somebody
    return _verbs(game, clause, players, context, origin, rule)


def _verbs(
    game: Game, clause: EventClause, players: Sequence[Side], context: Context, origin: Origin, rule: str
) -> tuple[bool, bool]:
    """Do the verbs of a clause for everyone that it means, or for the players meant.

    E-3: it was done if everybody meant was there and every verb happened in full for all of them.
    """
    is_done = True
    if players:
        for call in _calls(game, clause, context, origin, rule):
            does = call.action.does
            verb = _PLAYERS_VERBS.get(type(does), _last_on_player)
            if isinstance(does, tree.DISCARDING):
                context.discarded = 0
            for side in players:
                is_done &= verb(game, side, call)
            judge_hits(game)
        return is_done, True
    targets, is_done = choose(game, clause.who, clause.targets, context, origin)
    for call in _calls(game, clause, context, origin, rule):
        is_done &= _operators_do(game, targets, call)
        judge_hits(game)
    return is_done, bool(targets)


def _calls(
    game: Game, clause: EventClause, context: Context, origin: Origin, rule: str
) -> Iterator[VerbCall]:
    """Yield the verbs of a clause, each with its amount as its turn comes.

    E-34: the amounts of one `gets … and …` are read together, before the first of them is applied.
    """
    for run in clause.runs:
        if game.reads_amounts_apart:
            yield from (_call(clause, action, context, origin, rule) for action in run)
        else:
            yield from [_call(clause, action, context, origin, rule) for action in run]


def _call(clause: EventClause, action: EventAction, context: Context, origin: Origin, rule: str) -> VerbCall:
    """One verb with its amount as it is now."""
    amount = 0 if action.change is None else action.change.amount(context)
    return VerbCall(action, context, origin, rule, amount, clause.clause.may)


def clause_text(clause: Clause, side: Side | None = None) -> str:
    """A clause as it is written, without its duration; of a player's clause with the player meant."""
    acting, doings = clause.actions[0].target, tuple([action.does for action in clause.actions])
    if side is not None and isinstance(acting, tree.Player):
        acting = tree.Player(side)
    return print_clause(tree.Act(acting, doings, may=clause.may))


# Who


def choose(
    game: Game, acting: tree.Who, targets: Targets, context: Context, origin: Origin
) -> tuple[Sequence[OperatorState], bool]:
    """Return the OPERATORs that a WHO means, and whether everybody meant is there (E-3).

    E-8: of `one|two|three …` and `up to …` the controller chooses one after the other, or chance does; with
    `the highest AP` only among those who have most of it (E-9). They are then who `it` means (E-7).
    """
    members = targets.members(context)
    if not members and isinstance(acting, (tree.One, tree.Every)):
        text = f"there are no {print_group(acting.group)}"
        game.note("skipped", "M-8", text, origin=origin, operator=context.self)
    if isinstance(acting, tree.One):
        return _choose_several(game, acting, targets, members, context, origin)
    return members, bool(members)


def _choose_several(
    game: Game,
    acting: tree.One,
    targets: Targets,
    members: Sequence[OperatorState],
    context: Context,
    origin: Origin,
) -> tuple[Sequence[OperatorState], bool]:
    """Choose as many OPERATORs as a WHO says, one after the other; whether these are all that are meant."""
    left, chosen = list(members), list[OperatorState]()
    while left and len(chosen) < acting.count:
        best = left if targets.best is None else targets.best(left, context)
        chosen_operator = _choose_one(game, acting, len(chosen), best, context, origin)
        if chosen_operator is None:
            break
        chosen.append(chosen_operator)
        left = [other for other in left if other is not chosen_operator]
    context.it = tuple(chosen)
    all_there = len(chosen) == acting.count or (acting.up_to and bool(chosen))
    return chosen, all_there


def _choose_one(
    game: Game,
    acting: tree.One,
    chosen_count: int,
    among: Sequence[OperatorState],
    context: Context,
    origin: Origin,
) -> OperatorState | None:
    """One OPERATOR of those that may be chosen, by the controller, by whom `chosen by` names or by chance,
    after so many others; None: that player stops."""
    keys = tuple([candidate.key for candidate in among])
    side = other(context.controller) if acting.chooser == "opponent" else context.controller
    if acting.random:
        drawn = game.state.operators[keys[game.pick("OPERATOR", side, keys)]]
        game.note("die", "E-8", f"chance draws {game.name(drawn)}", origin=origin, operator=drawn)
        return drawn
    options = (*keys, None) if acting.up_to else keys
    number = f" ({chosen_count + 1} of {acting.count})" if acting.count > 1 else ""
    answer = game.ask("choose", side, options, f"{origin.entry}: {print_who(acting)}{number}.", origin)
    if answer is None:
        game.note("decision", "E-8", f"{side} chooses nobody else", origin=origin)
        return None
    assert isinstance(answer, int)
    chosen = game.state.operators[answer]
    game.note("decision", "M-11", f"{side} chooses {game.name(chosen)}", origin=origin, operator=chosen)
    return chosen


def _clauses_of(parts: Sequence[EventClause | EventChoice]) -> Iterator[EventClause]:
    """Yield all clauses, also those that are chosen among or depend on an outcome."""
    for branch in parts:
        if isinstance(branch, EventChoice):
            yield from _clauses_of((*branch.first, *branch.second))
        else:
            yield from (branch, *_clauses_of((*branch.if_so, *branch.if_not)))


def _leave_out(clause: EventClause, context: Context) -> None:
    """A clause is not carried out: whom it would have chosen nobody is (E-7), and it discarded no cards
    (E-13)."""
    if _chooses(clause):
        context.it = ()
    if any(isinstance(action.does, tree.DISCARDING) for action in clause.actions):
        context.discarded = 0


def _chooses(clause: EventClause) -> bool:
    """Whether somebody is chosen in a clause."""
    partners = [action.does.partner for action in clause.actions if isinstance(action.does, tree.WithPartner)]
    return any(isinstance(acting, tree.One) for acting in (clause.who, *partners))


# May (E-2)


def _agrees(game: Game, clause: EventClause, side: Side, context: Context, origin: Origin, rule: str) -> bool:
    """Whether a player wants what the clause lets him do; asked only where something could happen (E-2), or
    all of it where something depends on it (E-3)."""
    if game.nobody_agrees:
        return False  # so it need not be known whether something could happen
    words = clause_text(clause.clause, side)
    in_full = bool(clause.if_so or clause.if_not)
    if not _can_be_done(game, clause, side, context, origin, rule, in_full):
        text = f"{words}: {'that cannot be done in full' if in_full else 'nothing would happen'}"
        game.note("skipped", "E-2", text, origin=origin, operator=context.self)
        return False
    why = f"{origin.entry}: {words}. Do it?"
    answer = game.ask("may", side, ("no", "yes"), why, origin, clause.clause)
    game.note("decision", "E-2", f"{words}: {side} says {answer}", origin=origin)
    return answer == "yes"


def _can_be_done(
    game: Game, clause: EventClause, side: Side, context: Context, origin: Origin, rule: str, in_full: bool
) -> bool:
    """Whether a clause would be done in full, or at least change something, whoever is chosen in it.

    It is tried: all that happens is taken back. So each verb says in one place what it does and whether it
    could.
    """
    players = (side,) if isinstance(clause.who, tree.Player) else ()
    may_change_nothing = any(isinstance(action.does, _CHANGE_NOTHING) for action in clause.actions)
    answers: list[int] = []
    earned_before = game.earned
    for _ in range(MOST_TRIALS):
        trial = _Trial(answers)
        with game.trying({"blue": trial, "red": trial}, trial) as state_before:
            try:
                is_done, _ = _verbs(game, clause, players, replace(context), origin, rule)
            except GameOver:
                is_done = True
            changed = game.state != state_before or game.earned != earned_before
        happens = changed or (is_done and may_change_nothing)
        is_enough = is_done if in_full else happens
        if is_enough:
            return True
        untried_answers = trial.next()
        if untried_answers is None:
            break
        answers = untried_answers
    return False


_CHANGE_NOTHING = (tree.RollsDie, tree.LooksAt, tree.Shuffles, tree.BecomesTarget)
"""Verbs that leave the state as it was when they have been done."""

MOST_TRIALS = 200
"""In so many ways it is tried whether a clause can be done."""


class _Trial(FixedDice):
    """Answers whoever is chosen, or drawn by chance, as listed and then the first, and all else with the
    first option; a die shows 6."""

    def __init__(self, answers: list[int]) -> None:
        super().__init__(6)
        self._answers = answers
        self._answered: list[tuple[int, int]] = []

    def answer(self, decision: Decision, state: GameState) -> int:  # noqa: ARG002 (the protocol's shape)
        return self.pick("", decision.whose, decision.options) if decision.kind == "choose" else 0

    def pick(self, purpose: str, side: Side, options: Sequence[object]) -> int:  # noqa: ARG002 (the same)
        number = len(self._answered)
        answer = self._answers[number] if number < len(self._answers) else 0
        self._answered.append((answer, len(options)))
        return answer

    def next(self) -> list[int] | None:
        """The answers to try next; None when all were tried.

        As a number is counted up: the last answer that has a next one takes it, those behind it begin anew.
        """
        while self._answered:
            answer, option_count = self._answered.pop()
            if answer + 1 < option_count:
                return [*(earlier_answer for earlier_answer, _ in self._answered), answer + 1]
        return None


# Verbs


def _operators_do(game: Game, targets: Sequence[OperatorState], call: VerbCall) -> InFull:
    """One verb for everyone it means; whether it happened in full for all (E-3)."""
    action = call.action
    verb: Callable[[Game, OperatorState, VerbCall], InFull]
    if action.layer is not None:
        verb = _last
    elif isinstance(action.does, tree.Gets):
        verb = _count
    else:
        verb = _OPERATORS_VERBS.get(type(action.does), _last)
    is_done = True
    is_out = isinstance(action.does, tree.Becomes) and action.does.status == "OUT"
    falling: tuple[OperatorState, ...] = ()
    if is_out:
        falling = tuple(game.in_order([operator for operator in targets if operator.status != "OUT"]))
    borne = game.borne_by_each(falling)
    heard = game.hear("becomes OUT", falling) if falling else NOT_HEARD
    for operator in targets:
        is_done &= verb(game, operator, call)
    if falling:
        game.push("becomes OUT", falling, borne=borne, heard=heard)
    return is_done


def _gain_bonus(game: Game, operator: OperatorState, call: VerbCall) -> InFull:
    """K-3: one more ACTION, which lapses at the end of the TURN."""
    if not operator.is_active:
        return False
    assert isinstance(call.action.does, tree.GainsBonus)
    action = call.action.does.action
    operator.bonuses += (action,)
    game.note(
        "note", "K-3", f"{game.name(operator)} gains BONUS ({action})", origin=call.origin, operator=operator
    )
    return True


def _is_away(game: Game, operator: OperatorState, call: VerbCall) -> bool:
    """Whether nothing comes onto an OPERATOR, because it is HIT or OUT (H-2), or in the SAVEZONE (E-9)."""
    if operator.is_active:
        return False
    rule, where = ("E-9", "in the SAVEZONE") if operator.is_up else ("H-2", operator.status)
    game.note("skipped", rule, f"{game.name(operator)} is {where}", origin=call.origin, operator=operator)
    return True


_IGNORED_ACTIONS = {f"action {action.lower()}": action for action in IGNORABLE_ACTIONS}


def _is_ignored(game: Game, operator: OperatorState, call: VerbCall) -> bool:
    """Whether an OPERATOR ignores what the ruleset's ACTION would change in its numbers."""
    action = _IGNORED_ACTIONS[call.origin.role]
    if not game.ignores_action(operator, action):
        return False
    text = f"{game.name(operator)} ignores {action}"
    game.note("skipped", call.rule, text, origin=call.origin, operator=operator)
    return True


def _last(game: Game, operator: OperatorState, call: VerbCall) -> InFull:
    """Something that lasts comes onto an OPERATOR.

    **Ruling:** one that is HIT or OUT, or in the SAVEZONE, takes only what lasts `permanently`; H-2 would
    have removed the rest.
    """
    action, origin = call.action, call.origin
    duration = action.duration or "TURN"
    if duration != "permanently" and _is_away(game, operator, call):
        return False
    if isinstance(action.does, tree.MakesAttackCritical) and game.held(operator, tree.CannotMakeCritical):
        return _note_forbidden(game, operator, call, "cannot make the attack CRITICAL")
    stat = None if action.layer is None or action.change is None else action.change.quantity
    if origin.role in _IGNORED_ACTIONS and stat in STATS and _is_ignored(game, operator, call):
        return False
    rule = _rule_of_lasting(action, stat, call.rule)
    numbers_before = numbers_of_modify(game) if isinstance(action.does, tree.LosesSkills) else []
    traced = game.trace is not None
    number_before = game.traced_number(operator, stat) if stat and stat != "DAMAGE" and traced else 0
    state = game.state
    state.serial += 1
    lasting = Lasting(
        state.serial,
        origin,
        rule,
        call.context.controller,
        action.does,
        duration,
        stat,
        action.layer,
        call.amount,
    )
    operator.lasting += (lasting,)
    if stat == "DP" or not stat:
        game.hit_check_due = True
    if lasting.comes_first:
        game.invalidate()
    if traced:
        _trace_lasting(game, operator, lasting, number_before)
        trace_lost(game, numbers_before, f"{game.name(operator)} has lost its SKILLs", None)
    return True


def _rule_of_lasting(action: EventAction, stat: str | None, rule: str) -> str:
    """The rule of something that lasts: that of its event, unless it has a rule of its own."""
    if isinstance(action.does, tree.LosesSkills):
        return "E-29"
    if action.layer in LIMITS:
        return "E-26"
    if stat == "DAMAGE":
        return "E-14"
    return "E-16" if stat == "RANGE" else rule


def _trace_lasting(game: Game, operator: OperatorState, lasting: Lasting, number_before: int) -> None:
    """The line of what begins to last on an OPERATOR; DAMAGE has no number outside of A-1 (E-14)."""
    rule = "E-12" if isinstance(lasting.does, GIVING) else lasting.rule
    lasts, stat = DURATIONS[lasting.duration], lasting.stat
    if stat is None or stat == "DAMAGE":
        text = f"{game.name(operator)} {print_doing(lasting.does)} {lasts}"
        game.note("note", rule, text, origin=lasting.origin, operator=operator)
        return
    after = game.traced_number(operator, stat)
    text = f"{stat} of {game.name(operator)}: {number_before} → {after} {lasts}"
    game.note(
        "change",
        rule,
        text,
        origin=lasting.origin,
        operator=operator,
        stat=stat,
        amount=lasting.amount,
        value_before=number_before,
        after=after,
    )


def _note_forbidden(game: Game, operator: OperatorState, call: VerbCall, words: str) -> InFull:
    """Note what an OPERATOR cannot, and return False: what is forbidden was not done (E-33)."""
    game.note("skipped", "E-33", f"{game.name(operator)} {words}", origin=call.origin, operator=operator)
    return False


def _last_on_player(game: Game, side: Side, call: VerbCall) -> InFull:
    """Something that lasts comes onto a player (E-33)."""
    state, does, duration = game.state, call.action.does, call.action.duration or "TURN"
    state.serial += 1
    player = state.player(side)
    player.lasting += (
        Lasting(state.serial, call.origin, call.rule, call.context.controller, does, duration),
    )
    game.note("note", call.rule, f"{side} {print_doing(does)} {DURATIONS[duration]}", origin=call.origin)
    return True


def _count(game: Game, operator: OperatorState, call: VerbCall) -> InFull:
    """A counter grows or shrinks, never below 0 and a marker never beyond its maximum (E-11).

    **Ruling:** that of an OPERATOR which is HIT or OUT, or in the SAVEZONE, does not change.
    """
    if _is_away(game, operator, call):
        return False
    assert call.action.change is not None
    counter = call.action.change.quantity
    is_healing = counter == "HITCOUNTER" and call.amount < 0
    if is_healing and game.held(operator, tree.CannotLoseHitcounter):
        return _note_forbidden(game, operator, call, "cannot lose HITCOUNTER")
    wanted_count, rule = counter_of(operator, counter) + call.amount, call.rule
    value = max(0, wanted_count)
    if isinstance(call.action.does, tree.Gets) and isinstance(call.action.does.what, tree.Marker):
        rule = "E-11"
        value = min(value, game.rules.markers[call.action.does.what.id].maximum)
    set_counter(game, operator, counter, value, rule, call.origin)
    return value == wanted_count


def _count_of_player(game: Game, side: Side, call: VerbCall) -> InFull:
    """A player's marker grows or shrinks (E-11)."""
    does, player = call.action.does, game.state.player(side)
    assert isinstance(does, tree.Gets)
    assert isinstance(does.what, tree.Marker)
    marker = does.what.id
    count_before = count_of(player.markers, marker)
    wanted_count = count_before + call.amount
    value = max(0, min(wanted_count, game.rules.markers[marker].maximum))
    player.markers = with_count(player.markers, marker, value)
    game.hit_check_due = True
    text = f"{does.what.text} of {side}: {count_before} → {value}"
    game.note(
        "counter",
        "E-11",
        text,
        origin=call.origin,
        stat=does.what.text,
        value_before=count_before,
        after=value,
    )
    return value == wanted_count


_MAY_BECOME: dict[str, tuple[Status, ...]] = {
    "EXHAUSTED": ("NORMAL",),
    "NORMAL": ("EXHAUSTED", "HIT"),
    "OUT": ("NORMAL", "EXHAUSTED", "HIT"),
}
"""From which status an OPERATOR may become another."""


def _become(game: Game, operator: OperatorState, call: VerbCall) -> InFull:
    """`becomes EXHAUSTED`, `NORMAL` or `OUT`.

    **Ruling:** EXHAUSTED is only who was NORMAL; NORMAL turns an EXHAUSTED OPERATOR back and a HIT one face
    up; who is OUT stays OUT (T-4).
    """
    assert isinstance(call.action.does, tree.Becomes)
    status, origin = call.action.does.status, call.origin
    if operator.status not in _MAY_BECOME[status]:
        game.note(
            "skipped", "C-2", f"{game.name(operator)} is {operator.status}", origin=origin, operator=operator
        )
        return False
    text = f"{game.name(operator)} becomes {status}"
    game.note(
        "status",
        call.rule,
        text,
        origin=origin,
        operator=operator,
        value_before=operator.status,
        after=status,
    )
    if status == "OUT":
        fall(game, operator, "OUT")
        if operator.position is None:
            # **ruling:** it takes no place in the SAVEZONE, for it never comes back
            game.state.remove(operator)
    else:
        operator.status = "NORMAL" if status == "NORMAL" else "EXHAUSTED"
        game.invalidate()
    return True


def _become_target(game: Game, operator: OperatorState, call: VerbCall) -> InFull:
    """E-22: it is the attacked OPERATOR from now on, and the attack begins on it."""
    attack = game.attack
    if attack is None or not _may_become_target(game, attack, operator):
        text = f"{game.name(operator)} cannot become the target"
        game.note("skipped", "E-22", text, origin=call.origin, operator=operator)
        return False
    text = f"{game.name(operator)} becomes the target in place of {game.name(attack.attacked)}"
    game.note("status", "E-22", text, origin=call.origin, operator=operator)
    heard = game.hear("begins", (operator,))
    # a new object, so that one who becomes it only in a trial is forgotten (E-2)
    earlier_targets = attack.earlier_targets.union((attack.attacked.key,))
    game.attack = replace(attack, attacked=operator, earlier_targets=earlier_targets)
    call.context.attack_is_on(operator)
    game.push("begins", (operator,), heard=heard)
    return True


def _may_become_target(game: Game, attack: Attack, operator: OperatorState) -> bool:
    """Whether it is face up on the FIELD, of the attacked OPERATOR's side, neither is nor was attacked, and
    nothing forbids this attack on it (E-22, M-8)."""
    if not operator.is_active or operator.side == attack.side:
        return False
    if operator is attack.attacked or operator.key in attack.earlier_targets:
        return False
    return not (is_protected(game, operator) or forbidden_in_attack(game, attack.attacker, operator))


def _roll(game: Game, side: Side, call: VerbCall) -> InFull:
    """E-20: done on that or more."""
    assert isinstance(call.action.does, tree.RollsDie)
    threshold = call.action.does.threshold
    result = game.roll_for(threshold, "D6", side)
    game.note("die", "E-20", f"{side} rolls {result} for {threshold}+", origin=call.origin)
    return result >= threshold


def _advance(game: Game, operator: OperatorState, call: VerbCall) -> InFull:
    """E-10: it moves on as by an advance of the ACTION Move, without its cost and limit."""
    if not operator.is_active:
        return _fail_to_move(game, operator, call, "cannot advance")
    game.note("status", "E-10", f"{game.name(operator)} advances", origin=call.origin, operator=operator)
    return advance(game, operator, call.origin)


def _retreat(game: Game, operator: OperatorState, call: VerbCall) -> InFull:
    return retreat(game, operator, call.origin) or _fail_to_move(game, operator, call, "cannot retreat")


def _enter(game: Game, operator: OperatorState, call: VerbCall) -> InFull:
    """E-10: the controller of the effect chooses the FIELDPOSITION. Returns whether it entered (E-3)."""
    places = free_places(game, operator.side)
    if not places or not in_save_zone(game, operator):
        return _fail_to_move(game, operator, call, "cannot enter the FIELD")
    question = f"{call.origin.entry}: where does {game.name(operator)} enter the FIELD?"
    position = game.ask("place", call.context.controller, places, question, call.origin, operator.key)
    assert isinstance(position, int)
    enter_field(game, operator, position, call.origin)
    return True


def _swap(game: Game, operator: OperatorState, call: VerbCall) -> InFull:
    """E-10: the partner is chosen among those with whom it can change places."""
    does, targets = call.action.does, call.action.partner
    assert isinstance(does, tree.SwapsPlaces)
    assert targets is not None
    if isinstance(does.partner, tree.One):
        targets = _among(targets, lambda mate: may_swap(game, operator, mate))
    mates, _ = choose(game, does.partner, targets, call.context, call.origin)
    if not mates:
        return False
    mate = mates[0]  # a partner is one OPERATOR
    if swap_places(game, operator, mate, call.origin):
        return True
    return _fail_to_move(game, operator, call, "cannot swap places")


def _among(targets: Targets, is_possible: Callable[[OperatorState], bool]) -> Targets:
    """Those of a WHO with whom something can be done."""
    members = targets.members
    return replace(targets, members=lambda c: [member for member in members(c) if is_possible(member)])


def _fail_to_move(game: Game, operator: OperatorState, call: VerbCall, what_fails: str) -> InFull:
    """Note that an OPERATOR stays where it is, and return False: the verb was not done (E-3)."""
    game.note("skipped", "E-10", f"{game.name(operator)} {what_fails}", origin=call.origin, operator=operator)
    return False


def _lose(game: Game, operator: OperatorState, call: VerbCall) -> InFull:
    assert isinstance(call.action.does, tree.Loses)
    return lose(game, operator, call.action.does.what, call.origin)


def _draw(game: Game, side: Side, call: VerbCall) -> InFull:
    return draw(game, side, call.amount, call.rule, call.origin)


def _draw_items(game: Game, side: Side, call: VerbCall) -> InFull:
    """E-28: so many ITEMs, one after the other; when one cannot be drawn, none of the others can."""
    assert isinstance(call.action.does, tree.FetchesItems)
    return all(draw_item(game, side, call.origin) for _ in range(call.action.does.count))


def _discard(game: Game, side: Side, call: VerbCall) -> InFull:
    does = call.action.does
    assert isinstance(does, tree.Discards)
    number = discard(game, side, does, call.amount, call.rule, call.origin)
    call.context.discarded += number
    return number >= least(does, call.amount)


def _put(game: Game, side: Side, call: VerbCall) -> InFull:
    does = call.action.does
    assert isinstance(does, tree.Puts)
    return put(game, side, does, side_of(does.source.side, call.context), call.origin)


def _look_at(game: Game, side: Side, call: VerbCall) -> InFull:
    does = call.action.does
    assert isinstance(does, tree.LooksAt)
    return look_at(game, side, does.source, side_of(does.source.side, call.context), call.origin)


def _discard_strategy(game: Game, side: Side, call: VerbCall) -> InFull:
    """Discard STRATEGY cards in play; return whether they are as many as the effect demands."""
    does = call.action.does
    assert isinstance(does, tree.DiscardsStrategy)
    of = side if does.side is None else side_of(does.side, call.context)
    number = discard_strategy(game, side, does, of, call.origin)
    call.context.discarded += number
    return number >= least(does, does.count or 0)


def _discard_this(game: Game, _side: Side, call: VerbCall) -> InFull:
    """E-17: the card that bears the sentence leaves play. An EFFECT card goes when it has acted."""
    is_discarded = call.origin.role == "effect" or _remove_this(game, call, DISCARDED)
    if is_discarded:
        call.context.discarded += 1
    return is_discarded


def _put_this(game: Game, side: Side, call: VerbCall) -> InFull:
    """E-13: the card that bears the sentence comes back; an EFFECT card when it has acted."""
    assert isinstance(call.action.does, tree.PutsThisCard)
    to = call.action.does.to
    if call.origin.role != "effect":
        return _remove_this(game, call, to)
    game.comes_back = to
    bar(game, side, call.origin.entry, to, call.origin)
    return True


def _remove_this(game: Game, call: VerbCall, to: str) -> bool:
    """The card that bears the sentence goes from where it lies in play; whether it was still there."""
    context, card, bearer = call.context, call.origin.entry, call.context.self
    if call.origin.role != "strategy":
        if bearer is None or bearer.attached != card:
            return False
        if to == DISCARDED:
            return lose(game, bearer, "card", call.origin)
        come_back(game, bearer, to, call.origin)
        return True
    # without a number it was just played, the last of its copies
    cards_in_play = game.state.player(context.controller).in_play()
    numbers = [number for number, card_in_play in cards_in_play if card_in_play == card]
    number = context.number if context.number is not None else max(numbers, default=None)
    if number not in numbers:
        game.note("skipped", "E-17", f"{card} is no longer in play", origin=call.origin)
        return False
    leave_play(game, context.controller, number, call.origin, to)
    return True


def _shuffle(game: Game, side: Side, call: VerbCall) -> InFull:
    shuffle_deck(game, side, call.origin)
    return True


def _take_item(game: Game, operator: OperatorState, call: VerbCall) -> InFull:
    """E-28: whose ITEM is taken is chosen among those with one."""
    does, targets = call.action.does, call.action.partner
    assert isinstance(does, tree.TakesItem)
    assert targets is not None
    if isinstance(does.partner, tree.One):
        targets = _among(targets, lambda giver: bears_item(game, giver))
    givers, _ = choose(game, does.partner, targets, call.context, call.origin)
    return bool(givers) and take_item(game, operator, givers[0], call.origin)


def _fulfil(game: Game, side: Side, call: VerbCall) -> InFull:
    reward(game, side, call.origin)
    return True


def _end_game(game: Game, side: Side, call: VerbCall) -> InFull:
    """E-31: a player wins, or the other one does."""
    wins = isinstance(call.action.does, tree.WinsGame)
    game.state.winners |= {side if wins else other(side)}
    game.note("note", "E-31", f"{side} {'wins' if wins else 'loses'} the GAME", origin=call.origin)
    return True


_PLAYERS_VERBS: dict[type[tree.Node], Callable[[Game, Side, VerbCall], InFull]] = {
    tree.Draws: _draw,
    tree.Discards: _discard,
    tree.DiscardsStrategy: _discard_strategy,
    tree.DiscardsThisCard: _discard_this,
    tree.Puts: _put,
    tree.PutsThisCard: _put_this,
    tree.Shuffles: _shuffle,
    tree.FetchesItems: _draw_items,
    tree.LooksAt: _look_at,
    tree.FulfilsPerformance: _fulfil,
    tree.Gets: _count_of_player,
    tree.RollsDie: _roll,
    tree.WinsGame: _end_game,
    tree.LosesGame: _end_game,
}
"""What players do, by verb; each function says whether it happened in full (E-3)."""


def _perform_at_once(game: Game, operator: OperatorState, call: VerbCall) -> InFull:
    """E-32: an OPERATOR earns an ACTION, at most one in a TURN by the same sentence of the same bearer.

    With `may` it is earned only if it is possible now; whether an order is possible is asked when it is
    carried out.
    """
    assert isinstance(call.action.does, tree.Performs)
    word, context, origin = call.action.does.action, call.context, call.origin
    bearer = None if context.self is None else context.self.key
    sentence = origin.entry, origin.part, origin.sentence
    use = Used("TURN", context.controller, *sentence, bearer, context.number, performer=operator.key)
    if use in game.state.used or any(earned.use == use for earned in game.earned):
        text = f"{game.name(operator)} has performed an ACTION at once by this in this TURN"
    elif call.may and not Game.may_perform_now(game, operator, word.lower()):
        text = f"{game.name(operator)} cannot perform {word} now"
    else:
        game.earned += (Earned(operator.key, word.lower(), use, origin),)
        text = f"{game.name(operator)} performs {word} when this is over"
        game.note("note", "E-32", text, origin=origin, operator=operator)
        return True
    game.note("skipped", "E-32", text, origin=origin, operator=operator)
    return False


_OPERATORS_VERBS: dict[type[tree.Node], Callable[[Game, OperatorState, VerbCall], InFull]] = {
    tree.Performs: _perform_at_once,
    tree.Becomes: _become,
    tree.BecomesTarget: _become_target,
    tree.GainsBonus: _gain_bonus,
    tree.SwapsPlaces: _swap,
    tree.TakesItem: _take_item,
    tree.Advances: _advance,
    tree.Retreats: _retreat,
    tree.EntersField: _enter,
    tree.Loses: _lose,
}
"""What OPERATORs do at one moment, by verb, and whether it happened in full (E-3); `gets` stands above, and
all other verbs make something last."""
