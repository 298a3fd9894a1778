"""The ACTION Attack: how it begins, MODIFY step by step in the order of RULES.md §6, the comparison, the
events of the attack (A-1, M-1 to M-11, E-21)."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from toolkit.dsl import tree
from toolkit.dsl.effect_printer import print_doing
from toolkit.engine.acting_effects import Attack, Pending, StaticEffects, change_by, holding_by
from toolkit.engine.board import judge_hits, lapse, set_counter
from toolkit.engine.card_zones import attach, barred
from toolkit.engine.compiled_rules import AFTER_CRITICAL, DICE_STEP, START, STEP_OF_ROLE
from toolkit.engine.decisions import DieOption
from toolkit.engine.events import hears_beginning, run
from toolkit.engine.game import EventName, Game, Refused
from toolkit.engine.modifiers import AFTER_STEPS, LAYER_ORDER, Change, Holding, damage_of, put_together
from toolkit.engine.outcomes import AttackResult, Refusal, Roll, TraceEntry
from toolkit.engine.state import SIDES, Key, OperatorState
from toolkit.engine.state_queries import StateQueries
from toolkit.vocabulary import LIMITS, STATS
from toolkit.vocabulary.comparisons import COMPARE

SUPPRESSION, SKILL, TEAMWORK, STRATEGY, CARDS = range(1, 6)
"""The steps of MODIFY before the dice."""

ALWAYS_CRITICAL = 6
"""A 6 is critical without any effect (M-7)."""
_ALL_CRITICAL = 1
"""The threshold where the attack is CRITICAL whatever the dice show (M-7)."""
NEVER_CRITICAL = 7
"""The threshold of an attacker that cannot make the attack CRITICAL (E-33)."""


class Ask(Enum):
    """The value of a card window that is not settled beforehand."""

    ASK = "ask"


ASK = Ask.ASK
CardChoice = str | Ask | None
"""A card that must be attached, ASK to ask the player, None for no card."""


class Windows(Struct, frozen=True):
    """What is to happen in the three windows of M-5."""

    attack_card: CardChoice = ASK
    defence_card: CardChoice = ASK
    late_attack_card: CardChoice = ASK


NO_CARDS = Windows(None, None, None)


def attack(game: Game, attacker: OperatorState, attacked: OperatorState, windows: Windows) -> OperatorState:
    """Play A-1 from its beginning to the end of the attack; whether it is allowed was asked before.

    Returns who was attacked in the end (E-22).
    """
    attacked = begin(game, attacker, attacked)
    game.attack = new_attack = game.begin_attack(attacker, attacked)
    game.in_modify = True
    if not modify(game, new_attack, windows):
        game.in_modify, game.hit_check_due = False, True
        game.note("note", "A-1", "one of the two is no longer there: nothing is compared")
    play_events(game, new_attack)
    return attacked


def begin(game: Game, attacker: OperatorState, attacked: OperatorState) -> OperatorState:
    """Let all effects act that hear the attack begin, before anything of MODIFY (E-21); return whom it is
    on then."""
    if not hears_beginning(game, attacker, attacked):
        return attacked
    game.attack = Attack(attacker, attacked, attacker.side, begun=False)
    game.push("begins", heard=game.hear("begins", (attacker, attacked)))
    run(game)
    return game.attack.attacked


def modify(game: Game, attack: Attack, windows: Windows) -> bool:
    """Perform MODIFY in exactly this order, then A-1; whether there were two OPERATORs to compare.

    The numbers of all OPERATORs on the FIELD come about (M-11).
    """
    if not before_dice(game, attack, windows):
        return False
    roll_and_compare(game, attack)
    return True


def roll_and_compare(game: Game, attack: Attack) -> None:
    """Perform MODIFY from the dice on, then A-1."""
    static = game.static_effects()  # from here to A-1 nobody comes or goes
    roll_dice(game, attack, static)  # M-6
    settle_and_compare(game, attack, static)


def settle_and_compare(game: Game, attack: Attack, static: StaticEffects) -> None:
    """Perform MODIFY from M-7 on, then A-1."""
    settle_critical(game, attack, static)  # M-7
    if AFTER_CRITICAL in attack.due:
        act(game, attack, AFTER_CRITICAL)  # M-8
        roll_dice(game, attack, static)  # dice that were won by a CRITICAL
        settle_critical(game, attack, static)
    compare(game, attack, static)


def play_events(game: Game, attack: Attack) -> None:
    """Judge H-1 and play the events of an attack that was compared; then it ends."""
    if game.hit_check_due:
        judge_hits(game)
    if game.queue:
        run(game)
    end_attack(game, attack)


def before_dice(game: Game, attack: Attack, windows: Windows) -> bool:
    """Perform MODIFY up to the dice; whether both OPERATORs are still there."""
    if not are_both_there(attack):
        return False  # one of them has gone since it began (E-21)
    if game.trace is not None:
        _trace_static(game, attack)
    for time in (START, SUPPRESSION, SKILL, TEAMWORK, STRATEGY):  # M-8 and M-10, M-1, M-2, M-3, M-4
        if time in attack.due:
            act(game, attack, time)
    if windows is not NO_CARDS:
        card_windows(game, attack, windows)  # M-5
        if not are_both_there(attack):
            return False  # `when attached` made one of them OUT
    for time in (CARDS, DICE_STEP):  # M-5 and M-9; the dice verbs of all effects
        if time in attack.due:
            act(game, attack, time)
    return True


def are_both_there(attack: Attack) -> bool:
    """Whether both OPERATORs of an attack are face up on the FIELD."""
    return attack.attacker.is_active and attack.attacked.is_active


def compare(game: Game, attack: Attack, static: StaticEffects) -> None:
    """A-1: AP against EP; the difference goes onto the HITCOUNTER. M-11: CRITICAL, hits or misses, then
    HIT."""
    attacker, attacked = attack.attacker, attack.attacked
    game.in_modify, game.hit_check_due = False, True
    ap, ap_changes = _final(game, attacker, "AP", game.counting(attacker, "AP", static))
    ep, ep_changes = _final(game, attacked, "EP", game.counting(attacked, "EP", static))
    damage_changes = game.counting(attacked, "DAMAGE", static) if ap > ep and game.awaits("DAMAGE") else []
    damage = attack.damage = damage_of(ap - ep, damage_changes, game.options, game.first)
    result = AttackResult(
        attacker=attacker.key,
        attacked=attacked.key,
        ap=ap,
        ep=ep,
        damage=damage,
        critical=attack.critical,
        rolls=tuple(attack.rolls),
        ap_changes=ap_changes,
        ep_changes=ep_changes,
    )
    game.results += (result,)
    if game.trace is not None:
        _trace_comparison(game, attack, ap, ep)
    # what its events make last, from this serial number on, counts after all steps
    attack.late = (*attack.late, (game.state.serial, AFTER_STEPS))
    _add_damage(game, attack, "hits" if ap > ep else "misses")


def _add_damage(game: Game, attack: Attack, outcome: EventName) -> None:
    """Add DAMAGE to the HITCOUNTER, and push the events of the comparison in the order of M-11."""
    attacked, damage = attack.attacked, attack.damage
    both_operators = (attack.attacker, attacked)
    # what hears of these events is judged before the first of them changes anything (E-6)
    heard = {name: game.hear(name, both_operators) for name in ("critical", outcome)}
    heard_damage = game.hear("gets", (attacked,), "HITCOUNTER")
    if damage:  # its event comes behind those of the attack (M-11)
        set_counter(game, attacked, "HITCOUNTER", attacked.hitcounter + damage, "A-1", is_event=False)
    if attack.critical:
        game.push("critical", heard=heard["critical"])
    game.push(outcome, heard=heard[outcome])
    if damage:
        game.push("gets", (attacked,), name_of="HITCOUNTER", heard=heard_damage)


def _final(
    resolver: StateQueries, operator: OperatorState, stat: str, changes: list[Change]
) -> tuple[int, tuple[Change, ...]]:
    """The number with which an OPERATOR is compared, and the changes that it is put together from."""
    value = resolver.facts[operator.key].values[stat]
    number = put_together(value, changes, resolver.options, resolver.first)
    return max(resolver.options.floor, number), tuple(changes)


def end_attack(game: Game, attack: Attack) -> None:
    """End an attack: what lasts until its end lapses, the numbers of MODIFY are gone, and H-1 is judged on
    the others."""
    game.violations = _violations_of(game, attack)
    lapse(game, "ATTACK")
    game.attack = None
    if attack.holdings or "DP" in [change.stat for change in attack.changes]:
        game.hit_check_due = True
    if game.hit_check_due:
        judge_hits(game)
        run(game)


def _violations_of(game: Game, attack: Attack) -> tuple[int, ...]:
    """Return the thresholds of RULEVIOLATION that an attack has brought its attacker, for its end (K-2)."""
    violations: list[int] = []
    for holding in attack.holdings:
        if not isinstance(holding.does, tree.GainsRuleviolation) or holding.who != attack.attacker.key:
            continue
        bearer = None if holding.bearer is None else game.state.operators[holding.bearer]
        if bearer is None or game.bears(bearer, holding.card):
            violations.append(holding.does.threshold)
        elif game.trace is not None:
            # C-3: a RULEVIOLATION lapses with the OPERATOR or the card that gave it, or its SKILLs (E-29)
            reason = _reason_of_lapse(game, holding, bearer)
            text = f"RULEVIOLATION {holding.does.threshold}+ has lapsed, for {reason}"
            game.note("skipped", "C-3", text, origin=holding.origin, operator=attack.attacker)
    return tuple(violations)


def _reason_of_lapse(game: Game, holding: Holding, bearer: OperatorState) -> str:
    """Return why something that an OPERATOR's card made is over."""
    name = game.name(bearer)
    if not bearer.is_active:
        return f"{name} is {bearer.status}"
    is_of_skill = holding.origin is not None and holding.origin.role in ("skill", "keyword")
    return f"{name} has lost its SKILLs" if is_of_skill else f"{holding.card} is no longer on {name}"


# What acts at one time (M-8)


def act(game: Game, attack: Attack, time: int, chosen_pending: Sequence[Pending] | None = None) -> None:
    """Let everything act that acts at one time of MODIFY, together (M-8).

    First every sentence that is due is judged, on the numbers as they stand; then what those that hold do is
    measured on the same numbers; then it is applied in the order N-2, the attacking player's first.
    """
    due = attack.due.get(time)
    if due is None:
        return
    if chosen_pending is not None:
        due = [pending for pending in chosen_pending if time in pending.effect.due]
    changes: list[Change | Holding] = []
    for pending in due:
        effect, context = pending.effect, pending.context
        if context.self is not None:
            is_present = game.bears(context.self, pending.card)
        else:
            number = context.number
            is_present = number is None or game.state.player(context.controller).has_in_play(number)
        if not is_present:
            continue  # what bears it is gone (C-3), or its STRATEGY (E-17)
        context.critical = attack.critical
        if pending.verdict is None and effect.judged == time:
            if effect.condition is None and pending.limit is None:
                pending.verdict = True
            else:
                _judge(game, pending, time)
        if pending.verdict:
            changes += _measured(attack, pending, time)
    if len(changes) > 1:
        changes.sort(key=_layer_order)
    for change in changes:
        if game.trace is None and isinstance(change, Change):
            attack.changes.append(change)
        else:
            apply(game, attack, change, time)


def _judge(game: Game, pending: Pending, time: int) -> None:
    """Judge the condition of a sentence and whether it may still act in this TURN or ROUND (E-4)."""
    effect, context, condition = pending.effect, pending.context, pending.effect.condition
    pending.verdict = condition is None or condition.holds(context)
    if not pending.verdict and condition is not None and game.trace is not None:
        reason = condition.why_false(context)
        game.note("skipped", "M-8", reason, step=time, origin=effect.origin, operator=context.self)
    limit = pending.limit
    if limit is not None and pending.verdict and limit in game.state.used:
        pending.verdict = False
        text = f"it has acted in this {limit.limit}"
        game.note("skipped", "E-4", text, step=time, origin=effect.origin, operator=context.self)


def _measured(attack: Attack, pending: Pending, time: int) -> list[Change | Holding]:
    """What a sentence does at a time, for each OPERATOR concerned; amounts are counted now."""
    effect, context, card = pending.effect, pending.context, pending.card
    step = AFTER_CRITICAL if time == AFTER_CRITICAL else effect.step
    rule = "M-8"
    if time not in (START, AFTER_CRITICAL) and effect.step:
        was_attached_before = effect.step == CARDS and card not in attack.cards
        rule = "M-9" if was_attached_before else f"M-{effect.step}"
    changes: list[Change | Holding] = []
    for action in effect.due[time]:
        for operator in action.targets.members(context):
            key = operator.key
            if action.layer is None:
                changes.append(holding_by(action, effect, context, key, rule, card, pending.limit))
            else:
                changes.append(change_by(action, effect, context, key, step, rule, card))
        for side in action.targets.sides(context):
            changes.append(holding_by(action, effect, context, side, rule, card))
    return changes


def _layer_order(change: Change | Holding) -> int:
    """Where a change is applied among others of its time (N-2); what only holds comes first."""
    return LAYER_ORDER[change.layer] if isinstance(change, Change) else -1


def apply(game: Game, attack: Attack, change: Change | Holding, time: int) -> None:
    """Add a change or a holding to the attack, and say in the trace what it did."""
    if isinstance(change, Holding):
        _hold(game, attack, change, time)
    elif game.trace is None or change.stat == "DAMAGE":
        attack.changes.append(change)  # what it does to DAMAGE is known when AP and EP are compared (E-14)
    else:
        operator = game.state.operators[change.who]
        number_before = game.traced_number(operator, change.stat)
        attack.changes.append(change)
        after = game.traced_number(operator, change.stat)
        game.trace.append(_change_entry(game, change, number_before, after, time))


def _hold(game: Game, attack: Attack, holding: Holding, time: int) -> None:
    """Add a holding to the attack, and say in the trace which numbers it changes by the way."""
    if isinstance(holding.who, str):
        attack.holdings.append(holding)
        _trace_holding(game, holding, time)
        return
    operator = game.state.operators[holding.who]
    if isinstance(holding.does, tree.GainsBonus):
        # **ruling:** a BONUS from a continuous effect of the attack is its for the TURN, as from an event
        operator.bonuses += (holding.does.action,)
        _trace_holding(game, holding, time)
        return
    if game.trace is None:
        attack.holdings.append(holding)
        return
    numbers_before = {stat: game.carried(operator, stat) for stat in STATS}
    attack.holdings.append(holding)
    _trace_holding(game, holding, time)
    # what numbers lose or win when an OPERATOR begins to ignore something that had acted already
    for stat, number in numbers_before.items():
        after = game.carried(operator, stat)
        if after != number:
            text = f"{stat} of {game.name(operator)} without what it ignores: {number} → {after}"
            game.note(
                "change",
                holding.rule,
                text,
                step=time,
                origin=holding.origin,
                operator=operator,
                stat=stat,
                value_before=number,
                after=after,
            )


# Lines of the trace


def _change_entry(game: Game, change: Change, number_before: int, after: int, time: int | None) -> TraceEntry:
    """The line for a change that was just added."""
    operator = game.state.operators[change.who]
    name = game.name(operator)
    is_ignored = False
    if change.ignored_as is not None:
        is_ignored = change.ignored_as in game.ignored(operator, game.static_effects())
    change_text = f"{change.stat} of {name} {_words(change)}: {number_before} → {after}"
    return TraceEntry(
        kind="skipped" if is_ignored else "change",
        rule="E-26" if change.layer in LIMITS and not is_ignored else change.rule,
        text=f"{name} ignores {change.ignored_as}" if is_ignored else change_text,
        step=time,
        origin=change.origin,
        who=change.who,
        stat=change.stat,
        layer=change.layer,
        amount=change.amount,
        before=number_before,
        after=after,
    )


def _words(change: Change) -> str:
    """Return what a change does to a number, as the trace says it."""
    match change.layer:
        case "fix":
            return f"is fixed at {change.amount}"
        case "multiply":
            return f"× {change.amount}"
        case "divide":
            return f"÷ {change.amount}"
        case "at most" | "at least":
            return f"is {change.layer} {change.amount}"
        case _:
            return f"{change.amount:+d}"


def _trace_holding(game: Game, held: Holding, time: int) -> None:
    """Note in the trace, if there is one, what lasts for an OPERATOR or a player."""
    if game.trace is not None:
        operator = None if isinstance(held.who, str) else game.state.operators[held.who]
        text = f"{held.who if operator is None else game.name(operator)} {print_doing(held.does)}"
        game.note("note", held.rule, text, step=time, origin=held.origin, operator=operator)


def _trace_static(game: Game, attack: Attack) -> None:
    """The lines of what counts from the start: one for each change, the numbers growing line by line."""
    assert game.trace is not None
    static = game.static_effects()
    counted_by_number: dict[tuple[Key, str], list[Change]] = {}
    for change in game.changes():
        if change.stat not in STATS:
            continue
        operator = game.state.operators[change.who]
        value, ignored = game.facts[operator.key].values[change.stat], game.ignored(operator, static)
        counted = counted_by_number.setdefault((change.who, change.stat), [])
        number_before = put_together(value, counted, game.options, game.first)
        if change.ignored_as not in ignored:
            counted.append(change)
        after = put_together(value, counted, game.options, game.first)
        game.trace.append(_change_entry(game, change, number_before, after, START))
    for operator in (attack.attacker, attack.attacked):
        for held in game.held(operator):
            _trace_holding(game, held, START)
    for side in SIDES:
        for held in game.held_by_player(side):
            _trace_holding(game, held, START)
    game.trace += game.idle()


def _trace_comparison(game: Game, attack: Attack, ap: int, ep: int) -> None:
    """The line of A-1, and after a hit those of DAMAGE."""
    attacker, attacked = game.name(attack.attacker), game.name(attack.attacked)
    verdict = f"hits for {ap - ep}" if ap > ep else "misses"
    text = f"AP {ap} of {attacker} against EP {ep} of {attacked}: the attack {verdict}"
    game.note("compare", "A-1", text, operator=attack.attacker, value_before=ap, after=ep)
    if ap > ep:
        _trace_damage(game, attack, ap - ep)


def _trace_damage(game: Game, attack: Attack, points: int) -> None:
    """The lines of what changes DAMAGE, from the difference of AP and EP to what is added (E-14)."""
    assert game.trace is not None
    attacked = attack.attacked
    changes = [change for change in game.changes() if change.stat == "DAMAGE" and change.who == attacked.key]
    ignored = game.ignored(attacked, game.static_effects())
    counted: list[Change] = []
    for change in sorted(changes, key=_layer_order):
        damage_before = damage_of(points, counted, game.options, game.first)
        if change.ignored_as not in ignored:
            counted.append(change)
        after = damage_of(points, counted, game.options, game.first)
        game.trace.append(_change_entry(game, replace(change, rule="E-14"), damage_before, after, None))


def _trace_attached(game: Game, attack: Attack, bearer: OperatorState, card: str) -> None:
    """The lines of what a card changes from the moment at which it was attached in this attack."""
    assert game.trace is not None
    for change in game.changes():
        if change.stat not in STATS:
            continue
        is_by_card = change.card == card and change.bearer == bearer.key
        if is_by_card and change not in attack.changes:
            operator = game.state.operators[change.who]
            other_changes = game.counting(operator, change.stat, game.static_effects())
            if change in other_changes:
                other_changes.remove(change)
            value = game.facts[operator.key].values[change.stat]
            number_before = put_together(value, other_changes, game.options, game.first)
            after = game.carried(operator, change.stat)
            game.trace.append(_change_entry(game, change, number_before, after, change.step))
    for operator in (attack.attacker, attack.attacked):
        for held in game.held(operator):
            if held.card == card and held.bearer == bearer.key and held not in attack.holdings:
                _trace_holding(game, held, STEP_OF_ROLE["attack"])


# Step 5: the windows for cards (M-5, C-1)


def card_windows(game: Game, attack: Attack, windows: Windows) -> None:
    """M-5: (a) an ATTACK card, (b) a DEFENCE card, (c) once more an ATTACK card, as an answer to (b)."""
    _window(game, attack, attack.attacker, "attack_card", windows.attack_card)
    _window(game, attack, attack.attacked, "defence_card", windows.defence_card)
    _window(game, attack, attack.attacker, "late_attack_card", windows.late_attack_card)


def _window(game: Game, attack: Attack, operator: OperatorState, name: str, choice: CardChoice) -> None:
    """One window: the player attaches a card of the right kind from the hand, or none.

    A player is asked only with a card that could be attached. A card that is wanted and cannot be attached is
    refused with the rule that forbids it.
    """
    if choice is None or not operator.is_active:
        return
    if choice is ASK and (operator.attached is not None or not game.state.player(operator.side).hand):
        return
    kind = "defence" if name == "defence_card" else "attack"
    player = game.state.player(operator.side)
    shut = _shut_by(game, attack, operator, name)
    if isinstance(choice, str):
        cannot_be_played = choice not in player.hand or choice in player.barred
        if shut or cannot_be_played or game.cards[choice].kind != kind:
            raise Refused(_refuse_card(game, attack, operator, choice, kind, shut))
        _attach(game, attack, operator, choice)
        return
    if shut:
        return
    cards_of_kind = [
        card for card in player.hand if game.cards[card].kind == kind and card not in player.barred
    ]
    playable = tuple(dict.fromkeys(cards_of_kind))
    if not playable:
        return
    why = f"{game.name(operator)} may have {'an ATTACK' if kind == 'attack' else 'a DEFENCE'} card attached."
    chosen = game.ask(name, operator.side, (None, *playable), why)
    if isinstance(chosen, str):
        _attach(game, attack, operator, chosen)


def _shut_by(game: Game, attack: Attack, operator: OperatorState, name: str) -> str:
    """Return the rule by which nothing can be attached in this window; nothing if it is open."""
    if operator.attached is not None:
        return "C-1"
    if name == "late_attack_card" and attack.attacked.attached is None:
        return "M-5"
    kind = "defence" if name == "defence_card" else "attack"
    forbidding_rule = game.forbids_having(operator, kind)
    if forbidding_rule:
        return forbidding_rule
    return "" if game.may_play(operator.side, kind) else "E-33"


def _refuse_card(
    game: Game, attack: Attack, operator: OperatorState, card: str, kind: str, shut: str
) -> Refusal:
    """Return why a card cannot be attached: its window is ``shut`` by a rule, or it does not fit."""
    if shut == "C-1":
        text = f"{game.name(operator)} has {operator.attached} attached already; an OPERATOR bears one card."
    elif shut == "M-5":
        text = f"The third window is shut: no card lies on {game.name(attack.attacked)}."
    elif shut == "M-8" or game.forbids_having(operator, kind):
        text = f"{game.name(operator)} cannot have {kind.upper()} cards."
    elif shut == "E-33":
        text = f"{operator.side} cannot play {kind.upper()} cards."
    elif card not in game.state.player(operator.side).hand:
        text = f"{operator.side} has no {card} in hand."
    elif game.cards[card].kind != kind:
        text = f"{card} is no {kind.upper()} card."
    else:
        has_come_back = barred(game, operator.side, card)
        assert has_come_back is not None
        return has_come_back
    return Refusal(shut or "M-5", text)


def _attach(game: Game, attack: Attack, operator: OperatorState, card: str) -> None:
    """Attach it; what holds from the moment it is attached holds now (M-8), `when attached` happens now."""
    attack.cards.add(card)
    attack.forget(operator, card)
    game.state.player(operator.side).lay_down(card)
    if game.trace is not None:
        game.note(
            "card",
            "M-5",
            f"{card} is attached to {game.name(operator)}",
            step=CARDS,
            operator=operator,
            after=card,
        )
    attach(game, operator, card)
    added = game.pending_of(game.card_on(operator, card), attack.attacker, attack.attacked)
    attack.wait(added)
    if game.trace is not None:
        _trace_attached(game, attack, operator, card)
    act(game, attack, START, added)
    run(game)


# Step 6: the dice, rerolls, and CRITICAL (M-6, M-7)


def dice_wanted(game: StateQueries, attack: Attack, static: StaticEffects) -> tuple[int, int]:
    """Return how many ATTACK D6 and DEFENCE D6 are rolled (M-6)."""
    dice_counts = {"ATTACK": 1, "DEFENCE": 1}
    if not game.holds_any(attack, static):
        return 1, 1
    for die, operator in (("ATTACK", attack.attacker), ("DEFENCE", attack.attacked)):
        for held in game.held(operator, tree.RollsExtra, static):
            if isinstance(held.does, tree.RollsExtra) and held.does.die == die:
                dice_counts[die] += held.does.count
    return dice_counts["ATTACK"], dice_counts["DEFENCE"]


def dice_verbs(
    game: StateQueries, attack: Attack, static: StaticEffects
) -> tuple[tuple[tree.Doing, ...], tuple[tree.Doing, ...]]:
    """Return what will act on the ATTACK D6 and on the DEFENCE D6, each in its order (E-23 to E-25)."""
    if not game.holds_any(attack, static):
        return (), ()
    both_operators = (attack.attacker, attack.attacked)
    verbs: dict[str, list[tree.Doing]] = {"ATTACK": [], "DEFENCE": []}
    for operator in both_operators:
        for held in game.held(operator, tree.MayReroll, static):
            if isinstance(held.does, tree.MayReroll) and _is_about(attack, operator, held.does):
                verbs[held.does.die].append(held.does)
    for operator in both_operators:
        for held in game.held(operator, tree.SetsDice, static):
            if isinstance(held.does, tree.SetsDice) and _is_about(attack, operator, held.does):
                verbs[held.does.die].append(held.does)
    for die, operator in zip(verbs, both_operators, strict=True):
        keeping = game.held(operator, tree.KeepsDice, static)
        keeping.sort(key=lambda held: held.controller != attack.side)
        verbs[die] += [
            held.does for held in keeping if isinstance(held.does, tree.KeepsDice) and held.does.die == die
        ]
    return tuple(verbs["ATTACK"]), tuple(verbs["DEFENCE"])


def roll_dice(game: Game, attack: Attack, static: StaticEffects) -> None:
    """M-6: the ATTACK D6, then the DEFENCE D6, then rerolls, then what sets dice (E-24), each the attacking
    player's first; then dice are set aside (E-23).

    Rolls what is still to be rolled, so that dice won by a CRITICAL can follow the others.
    """
    _roll_missing(game, attack, static)
    if game.holds_any(attack, static):
        _use_dice_verbs(game, attack, static)


def _roll_missing(game: Game, attack: Attack, static: StaticEffects) -> None:
    """Roll the dice that are wanted and not rolled yet, the ATTACK D6 first."""
    attacks, defences = dice_wanted(game, attack, static)
    for die, operator, dice_count in (
        ("ATTACK", attack.attacker, attacks),
        ("DEFENCE", attack.attacked, defences),
    ):
        rolled = sum([roll.die == die for roll in attack.rolls]) if attack.rolls else 0
        for _ in range(dice_count - rolled):
            result = game.roll(f"{die} D6", operator.side)
            attack.rolls.append(Roll(len(attack.rolls) + 1, die, result))
            if game.trace is not None:
                text = f"{die} D6 of {game.name(operator)}: {result}"
                game.note("die", "M-6", text, step=DICE_STEP, operator=operator, after=result)


def _use_dice_verbs(game: Game, attack: Attack, static: StaticEffects) -> None:
    """Let act what rerolls, then what sets, then what keeps dice, each once in an attack."""
    both_operators = (attack.attacker, attack.attacked)
    for operator in both_operators:
        for held in _not_used(game, attack, operator, tree.MayReroll, static):
            assert isinstance(held.does, tree.MayReroll)
            _may_reroll(game, attack, operator, held, held.does)
    for operator in both_operators:
        for held in _not_used(game, attack, operator, tree.SetsDice, static):
            assert isinstance(held.does, tree.SetsDice)
            _set_dice(game, attack, operator, held, held.does)
    keeping = [
        held
        for operator in both_operators
        for held in _not_used(game, attack, operator, tree.KeepsDice, static)
    ]
    keeping.sort(key=lambda held: held.controller != attack.side)  # M-11
    for held in keeping:
        assert isinstance(held.does, tree.KeepsDice)
        _keep_dice(game, attack, held, held.does)


def _not_used(
    game: Game, attack: Attack, operator: OperatorState, verb: type, static: StaticEffects
) -> list[Holding]:
    """Return what an OPERATOR holds of a dice verb and has not used in this attack; it has now."""
    used_before = list(attack.used_dice_verbs)
    not_used: list[Holding] = []
    for held in game.held(operator, verb, static):
        if held in used_before:
            used_before.remove(held)
        else:
            not_used.append(held)
    attack.used_dice_verbs += not_used
    return not_used


def _is_about(attack: Attack, operator: OperatorState, does: tree.MayReroll | tree.SetsDice) -> bool:
    """Whether a verb is about dice of this attack: the OPERATOR's own, with `enemy` those of the other."""
    own = "ATTACK" if operator is attack.attacker else "DEFENCE"
    return (does.die == own) != does.enemy


def _options_of(
    attack: Attack, does: tree.MayReroll | tree.SetsDice, chosen_numbers: set[int]
) -> list[DieOption]:
    """Return the dice that can be chosen: each once, and none that is settled (M-7)."""
    options: list[DieOption] = []
    number_of_side = 0
    for roll in attack.rolls:
        if roll.die == does.die:
            number_of_side += 1
            if roll.number not in chosen_numbers and not roll.settled:
                options.append(DieOption(roll.number, roll.die, roll.result, number_of_side))
    return options


def _set_dice(
    game: Game, attack: Attack, operator: OperatorState, held: Holding, does: tree.SetsDice
) -> None:
    """E-24: so many dice, or those that are there, count as having shown a number.

    The OPERATOR's player chooses which, by default its own lowest ones or the enemy's highest.
    """
    if not _is_about(attack, operator, does):
        return
    roller = attack.attacker if does.die == "ATTACK" else attack.attacked
    sign = -1 if does.enemy else 1
    chosen_numbers: set[int] = set()
    for chosen_count in range(does.count):
        options = _options_of(attack, does, chosen_numbers)
        options.sort(key=lambda option: (sign * option.result, option.number))
        if not options:
            return
        chosen: object = options[0]
        if does.optional or len(options) > does.count - chosen_count:
            asked = (None, *options) if does.optional else tuple(options)
            why = f"{game.name(operator)} {'may set' if does.optional else 'sets'} a {does.die} D6"
            why += f" of {game.name(roller)} to {does.result}."
            chosen = game.ask("set", operator.side, asked, why, held.origin, does)
        if not isinstance(chosen, DieOption):
            return
        chosen_numbers.add(chosen.number)
        if held.limit is not None:
            game.state.used |= {held.limit}
        index = chosen.number - 1  # dice are numbered from 1
        roll = attack.rolls[index]
        attack.rolls[index] = replace(roll, result=does.result)
        text = f"{does.die} D6 of {game.name(roller)} is set"
        _note_die(game, "E-24", text, held, operator, roll.result, does.result)


def _note_die(
    game: Game, rule: str, text: str, held: Holding, operator: OperatorState, before: int, after: int
) -> None:
    """Say in the trace how a dice verb that an OPERATOR holds has changed what a die shows."""
    game.note(
        "die",
        rule,
        f"{text}: {before} → {after}",
        step=DICE_STEP,
        origin=held.origin,
        operator=operator,
        value_before=before,
        after=after,
    )


def _keep_dice(game: Game, attack: Attack, held: Holding, does: tree.KeepsDice) -> None:
    """E-23: all but the highest (lowest) dice of an OPERATOR are set aside, of equals those rolled later.

    What a CRITICAL has settled stays, and the dice that it won are not judged again.
    """
    roller = attack.attacker if does.die == "ATTACK" else attack.attacked
    if held.who != roller.key:
        return
    dice = [roll for roll in attack.rolls if roll.die == does.die and not roll.settled]
    sign = -1 if does.highest else 1
    dice.sort(key=lambda roll: (sign * roll.result, roll.number))
    for roll in dice[does.count :]:
        attack.rolls[roll.number - 1] = replace(roll, settled=True, counted=True, is_aside=True)
        text = f"{does.die} D6 of {game.name(roller)} set aside: {roll.result}"
        game.note("die", "E-23", text, step=DICE_STEP, origin=held.origin, operator=roller, after=roll.result)


def _may_reroll(
    game: Game, attack: Attack, operator: OperatorState, held: Holding, does: tree.MayReroll
) -> None:
    """The OPERATOR's player may roll dice again, each one at most once for one permission.

    Without `enemy` it is the OPERATOR's own die, with `enemy` the other one's; a permission that speaks of
    the other die does nothing in this attack. Dice that were doubled already stay as they are. With a
    comparison only dice that show so may be chosen (E-25).
    """
    if not _is_about(attack, operator, does):
        return
    roller = attack.attacker if does.die == "ATTACK" else attack.attacked
    rerolled_numbers: set[int] = set()
    for _ in range(does.count):
        options = _options_of(attack, does, rerolled_numbers)
        shown = does.shown
        if shown is not None:
            compare = COMPARE[shown.compare]
            options = [option for option in options if compare(option.result, shown.number)]
        if not options:
            return
        whose = f"of the enemy {game.name(roller)}" if does.enemy else "of its own"
        why = (
            f"{game.name(operator)} may reroll {'an' if does.die == 'ATTACK' else 'a'} {does.die} D6 {whose}."
        )
        chosen = game.ask("reroll", operator.side, (None, *options), why, held.origin)
        if not isinstance(chosen, DieOption):
            return
        rerolled_numbers.add(chosen.number)
        if held.limit is not None:
            game.state.used |= {held.limit}
        index = chosen.number - 1  # dice are numbered from 1
        roll = attack.rolls[index]
        result_before, result = roll.result, game.roll("reroll", roller.side)
        attack.rolls[index] = replace(roll, result=result, rerolled=(*roll.rerolled, result_before))
        text = f"{chosen.die} D6 of {game.name(roller)} rolled again"
        _note_die(game, "M-6", text, held, operator, result_before, result)


def settle_critical(game: Game, attack: Attack, static: StaticEffects) -> None:
    """M-7: each die is added, or, if it is critical and the attacking player chooses so, AP is doubled.

    A die is critical on a 6, from the lowest threshold of the attacker's effects on, and whatever it shows if
    an effect of one of the two makes the attack CRITICAL. Each doubling is one more × 2 of the Multiply
    layer.
    """
    threshold = critical_from(game, attack, static)
    if threshold == NEVER_CRITICAL:
        _trace_no_critical(game, attack, static)
    for index, roll in enumerate(attack.rolls):
        if roll.settled:
            continue
        critical = roll.die == "ATTACK" and roll.result >= threshold
        doubled = critical and _wants_double(game, attack, roll)
        attack.critical = attack.critical or doubled
        attack.rolls[index] = replace(roll, settled=True, critical=critical, doubled=doubled)
    for index, roll in enumerate(attack.rolls):
        if not roll.counted:
            attack.rolls[index] = replace(roll, counted=True)
            apply(game, attack, die_change(attack, roll.die, roll.result, roll.doubled), DICE_STEP)


def critical_from(game: StateQueries, attack: Attack, static: StaticEffects) -> int:
    """Return the lowest result with which an ATTACK D6 is critical (M-7), ``NEVER_CRITICAL`` for none
    (E-33)."""
    if not game.holds_any(attack, static):
        return ALWAYS_CRITICAL
    if game.held(attack.attacker, tree.CannotMakeCritical, static):
        return NEVER_CRITICAL
    return _allowed_critical_from(game, attack, static)


def _allowed_critical_from(game: StateQueries, attack: Attack, static: StaticEffects) -> int:
    """Return the same where nothing forbids a CRITICAL."""
    threshold = ALWAYS_CRITICAL
    for held in game.held(attack.attacker, tree.MakesDiceCritical, static):
        if isinstance(held.does, tree.MakesDiceCritical):
            threshold = min(threshold, held.does.threshold)
    for operator in (attack.attacker, attack.attacked):
        if game.held(operator, tree.MakesAttackCritical, static):
            threshold = _ALL_CRITICAL
    return threshold


def _trace_no_critical(game: Game, attack: Attack, static: StaticEffects) -> None:
    """The lines of dice that would be critical if nothing forbade it (E-33)."""
    if game.trace is None:
        return
    threshold = _allowed_critical_from(game, attack, static)
    holding, *_other_holdings = game.held(attack.attacker, tree.CannotMakeCritical, static)
    for roll in attack.rolls:
        if roll.die == "ATTACK" and not roll.settled and roll.result >= threshold:
            text = f"{game.name(attack.attacker)} cannot make the attack CRITICAL: the {roll.result} is added"
            game.note(
                "skipped", "E-33", text, step=DICE_STEP, origin=holding.origin, operator=attack.attacker
            )


def _wants_double(game: Game, attack: Attack, roll: Roll) -> bool:
    """Ask whether a critical die is doubled instead of added (M-7)."""
    option = DieOption(roll.number, roll.die, roll.result)
    why = f"The ATTACK D6 shows {roll.result} and is critical: add it, or double AP instead?"
    answer = game.ask("critical", attack.side, ("add", "double"), why, None, option)
    choice = "doubles AP in place of adding" if answer == "double" else "does not double AP, but adds"
    text = f"{attack.side} {choice} the critical {roll.result}"
    game.note("decision", "M-7", text, step=DICE_STEP, operator=attack.attacker)
    return answer == "double"


def die_change(attack: Attack, die: str, result: int, doubled: bool) -> Change:
    """Return what a die does: it is added to the attacker's AP or the attacked EP (M-6), or AP is doubled
    instead (M-7)."""
    operator, stat = (attack.attacker, "AP") if die == "ATTACK" else (attack.attacked, "EP")
    if doubled:
        return Change(operator.key, stat, "multiply", 2, DICE_STEP, operator.side, "M-7")
    return Change(operator.key, stat, "add", result, DICE_STEP, operator.side, "M-6")
