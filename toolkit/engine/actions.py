"""The ACTIONs A-1 to A-5: whether they are allowed, and if not by which rule; and how they are performed."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Literal

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.engine.attack import ASK, CardChoice, Windows, attack
from toolkit.engine.board import advance, fall, judge_hits, swap
from toolkit.engine.compiled_rules import RULE_OF_ACTION, ActionName
from toolkit.engine.events import run
from toolkit.engine.game import Earned, Game
from toolkit.engine.outcomes import Outcome, Refusal
from toolkit.engine.permissions import forbidden_in_attack, is_protected
from toolkit.engine.state import WITHIN, Key, OperatorState, Side, other
from toolkit.engine.state_queries import StateQueries


class GameAction(Struct, frozen=True):
    """An ACTION that an OPERATOR is to perform.

    ``on`` is the OPERATOR chosen by Attack and Medic, ``swap`` the one to change places with in a Move; a
    Move without it is an advance. An EXHAUSTED OPERATOR's ACTION is always a BONUS ACTION (T-5); ``bonus``
    makes that of a NORMAL one a BONUS ACTION too. The three windows of M-5: a card's id (refused if it cannot
    be attached then), None for no card, ASK to ask the player.
    """

    name: ActionName
    by: Key
    on: Key | None = None
    swap: Key | None = None
    bonus: bool = False
    attack_card: CardChoice = ASK
    defence_card: CardChoice = ASK
    late_attack_card: CardChoice = ASK


# What is allowed


class Legality:
    """What the rules say of a player's ACTIONs in one state; a working place for the questions of one moment.

    ``own`` and ``enemies`` are the OPERATORs that are face up on the FIELD, from left to right. What effects
    without `when` make is found once. ``attacks_may_be_forbidden`` says whether an effect that speaks of the
    attack could forbid it.
    """

    __slots__ = (
        "attacks_may_be_forbidden",
        "enemies",
        "known_moves",
        "known_targets",
        "own",
        "resolver",
        "static",
    )

    def __init__(self, resolver: StateQueries, side: Side) -> None:
        self.resolver = resolver
        self.static = resolver.static_effects()
        self.own, self.enemies = resolver.active(side), resolver.active(other(side))
        self.known_moves: dict[Key, int] | None = None
        self.known_targets: list[OperatorState] | None = None
        self.attacks_may_be_forbidden = resolver.awaits("forbids")

    def refusal(self, action: GameAction) -> Refusal | None:
        """Return why an ACTION is not allowed; None if it is."""
        operator = self.resolver.state.operators[action.by]
        bonus = action.bonus or operator.status == "EXHAUSTED"
        return self.of_operator(operator, action.name, bonus) or self.of_choice(action)

    def of_operator(self, operator: OperatorState, action: ActionName, bonus: bool) -> Refusal | None:
        """Return why an OPERATOR may not perform an ACTION whomever it would choose; None if it may."""
        rule, name = ACTIONS[action].rule, action.upper()
        refused = self.of_acting(operator, action)
        if refused is not None:
            return refused
        if bonus and "BONUS" in self.forbidden(operator):
            return Refusal("E-33", f"{operator.card} cannot perform BONUS ACTIONs.")
        if bonus:
            return self._of_bonus(operator, name)
        limit = self.resolver.rules.limits[action]
        if limit is not None and self.resolver.state.player(operator.side).performed(action) >= limit:
            return Refusal(rule, f"{operator.side} has performed {name} as often as a TURN allows: {limit}.")
        return None

    def of_acting(self, operator: OperatorState, action: ActionName) -> Refusal | None:
        """Return why an OPERATOR may not perform an ACTION of any kind, at once neither (E-32)."""
        rules, rule, name = self.resolver.rules, ACTIONS[action].rule, action.upper()
        if action not in rules.limits:
            return Refusal(rule, f"The ruleset {rules.ruleset.id} has no ACTION {name}.")
        if not operator.is_up:
            return Refusal("R-2", f"{operator.card} is {operator.status} and cannot act.")
        if operator.position is None:
            return Refusal(rule, f"{operator.card} is in the SAVEZONE and performs no ACTION.")
        if name in self.forbidden(operator):
            return Refusal("M-8", f"{operator.card} cannot perform {name}.")
        return None

    def forbidden(self, operator: OperatorState) -> list[str]:
        """Return the ACTIONs for which an effect says `cannot perform`, and ``BONUS`` (E-33).

        **Ruling** on N-6, "one forbids what another requires": no effect requires an ACTION, a BONUS only
        allows one, so what is forbidden stays forbidden.
        """
        held = self.resolver.held(operator, tree.CannotPerform, self.static)
        return [holding.does.action for holding in held if isinstance(holding.does, tree.CannotPerform)]

    def _of_bonus(self, operator: OperatorState, name: str) -> Refusal | None:
        """K-3, T-5: at most one BONUS ACTION for each OPERATOR and TURN, and only one that it has."""
        if operator.bonus_used:
            return Refusal("T-5", f"{operator.card} has performed a BONUS ACTION in this TURN already.")
        if not {"ANY", name}.isdisjoint(self.bonuses(operator)):
            return None
        if operator.status == "EXHAUSTED":
            return Refusal("T-5", f"{operator.card} is EXHAUSTED and has no BONUS ({name}).")
        return Refusal("K-3", f"{operator.card} has no BONUS ({name}).")

    def bonuses(self, operator: OperatorState) -> list[str]:
        """Return the BONUS ACTIONs that events and effects without `when` give it (K-3)."""
        held = self.resolver.held(operator, tree.GainsBonus, self.static)
        return [
            *operator.bonuses,
            *(holding.does.action for holding in held if isinstance(holding.does, tree.GainsBonus)),
        ]

    def of_choice(self, action: GameAction) -> Refusal | None:
        """Return what forbids the ACTION with whom it chooses; R-2 and R-3 hold for all who are chosen."""
        row = ACTIONS[action.name]
        chosen_key = action.swap if row.chooses == "swap" else action.on
        if row.chooses is None or (row.chooses == "swap" and chosen_key is None):
            return None
        if chosen_key is None:
            return Refusal(row.rule, f"{action.name.upper()} needs an OPERATOR to choose.")
        operators = self.resolver.state.operators
        operator, chosen = operators[action.by], operators[chosen_key]
        if chosen is operator:
            return Refusal("R-3", f"{chosen.card} cannot choose itself.")
        if not chosen.is_up:
            return Refusal("R-2", f"{chosen.card} is {chosen.status} and cannot be chosen.")
        assert row.refusal is not None
        return row.refusal(self, operator, chosen)

    def moves(self) -> dict[Key, int]:
        """Return the current MP of ``own`` by key."""
        number, static = self.resolver.number, self.static
        self.known_moves = {operator.key: number(operator, "MP", static) for operator in self.own}
        return self.known_moves

    def targets(self) -> list[OperatorState]:
        """Return those of ``enemies`` of which no effect says that they cannot be attacked."""
        protects = tree.CannotBeAttacked in self.static.acting
        self.known_targets = [
            operator
            for operator in self.enemies
            if not ((protects or (operator.lasting and operator.holds_any)) and self.is_protected(operator))
        ]
        return self.known_targets

    def is_protected(self, operator: OperatorState) -> bool:
        """Whether an effect says that it cannot be attacked, by whomever."""
        return is_protected(self.resolver, operator, self.static)


def refusal(resolver: StateQueries, action: GameAction) -> Refusal | None:
    """Return why an ACTION is not allowed; None if it is.

    Cards named for its windows are judged when it is played. Whose turn it is to act is the game flow's to
    judge (T-3).
    """
    return Legality(resolver, resolver.state.operators[action.by].side).refusal(action)


def legal_actions(resolver: StateQueries, side: Side) -> tuple[GameAction, ...]:
    """Return every ACTION that a player's OPERATORs may perform now, from left to right, with ASK for all
    windows.

    A NORMAL OPERATOR's ordinary ACTIONs come before its BONUS ACTIONs (K-3: they leave it NORMAL and do not
    count towards a limit); an EXHAUSTED one has only these. Phases and COMBAT's alternation are the game
    flow's.
    """
    legality = Legality(resolver, side)
    limits, performed = resolver.rules.limits, dict(resolver.state.player(side).actions)
    rows_within_limit = []
    for row in ACTIONS.values():
        limit = limits.get(row.name, 0)
        if limit is None or performed.get(row.name, 0) < limit:
            rows_within_limit.append(row)
    actions: list[GameAction] = []
    acting, static_by_holder = legality.static.acting, legality.static.made
    some_forbid, some_give_bonus = tree.CannotPerform in acting, tree.GainsBonus in acting
    for operator in legality.own:
        has_lasting = operator.lasting and operator.holds_any
        if operator.status == "NORMAL":
            # the two usual cases in which nothing is forbidden are seen without asking for it
            none_forbids = not some_forbid or static_by_holder.get((operator.key, tree.CannotPerform)) == []
            forbidden = () if none_forbids and not has_lasting else legality.forbidden(operator)
            for row in rows_within_limit:
                if not forbidden or row.word not in forbidden:
                    if row.chooses is None:
                        actions.append(_plain(row.name, operator.key, False)[None])
                    else:
                        row.list(legality, operator, False, actions)
        may_have_bonus = some_give_bonus or operator.bonuses or has_lasting
        if not operator.bonus_used and may_have_bonus and legality.bonuses(operator):
            is_marked_bonus = operator.status == "NORMAL"  # an EXHAUSTED one has no other ACTIONs
            for row in ACTIONS.values():
                if legality.of_operator(operator, row.name, True) is None:
                    row.list(legality, operator, is_marked_bonus, actions)
    return tuple(actions)


# How they are performed


def perform(
    game: Game, action: GameAction, *, exhausts: bool = True, legal: bool = False
) -> Outcome | Refusal:
    """Perform an ACTION as a whole: an Outcome, or a Refusal, and then the state is as it was.

    ``exhausts=False`` leaves the OPERATOR NORMAL (scenarios that are not strict). ``legal`` says that it is
    one of ``legal_actions``, which is not asked again. A scripted player or die source that has no answer
    gives ``Stopped``, a kind of Refusal.
    """
    refused = None if legal else refusal(game, action)
    refused = refused or game.attempt(perform_unchecked, game, action, exhausts)
    return refused or game.outcome()


def perform_unchecked(game: Game, action: GameAction, exhausts: bool = True) -> None:
    """Perform an ACTION that is allowed, and then those that it has earned (E-32)."""
    perform_alone(game, action, exhausts)
    if game.earned:
        perform_earned(game)


def perform_alone(game: Game, action: GameAction, exhausts: bool = True) -> None:
    """Perform an ACTION that is allowed, without those that it has earned."""
    operator = game.state.operators[action.by]
    bonus = action.bonus or operator.status == "EXHAUSTED"
    if bonus:
        operator.bonus_used = True
    else:
        game.state.player(operator.side).count(action.name)
    _carry_out(game, action, "BONUS" if bonus else "", exhausts and not bonus)


_Kind = Literal["", "BONUS", "at once"]


def _carry_out(game: Game, action: GameAction, kind: _Kind, exhausts: bool) -> None:
    """Carry out an ACTION: the ruleset's modifications, what it is, what comes at its end."""
    state = game.state
    operator = state.operators[action.by]
    on = None if action.on is None else state.operators[action.on]
    rule = RULE_OF_ACTION[action.name]
    if game.trace is not None:
        _note_beginning(game, operator, action.name, kind, on)
    if game.rules.actions[action.name].events:
        game.push("performed", (operator,), name_of=action.name, target=on)
        run(game)
    carried_out = operator.is_active and (on is None or on.is_active)
    if carried_out:
        on = ACTIONS[action.name].perform(game, action, operator, on)
    else:
        game.note(
            "note", rule, "The ACTION ends here: an OPERATOR of it is no longer face up", operator=operator
        )
    performed_word = action.name.upper() if carried_out else ""
    end_action(game, operator, exhausts, performed_word, on)


def _note_beginning(
    game: Game, operator: OperatorState, name: ActionName, kind: _Kind, on: OperatorState | None
) -> None:
    """Say in the trace that an ACTION is performed, and by which rule it may be."""
    rule = {"": RULE_OF_ACTION[name], "BONUS": "K-3", "at once": "E-32"}[kind]
    text = f"{game.name(operator)} performs {'BONUS ' if kind == 'BONUS' else ''}{name.upper()}"
    if on is not None:
        text += f" on {game.name(on)}"
    if kind == "at once":
        text += " at once"
    game.note("event", rule, text, operator=operator)


def end_action(
    game: Game, operator: OperatorState, exhausts: bool, performed_word: str, on: OperatorState | None
) -> None:
    """The end of an ACTION: it is EXHAUSTED (T-3), `when self performs …` of what was carried out (E-6), then
    `when the ACTION of self ends`, then RULEVIOLATION (K-2).

    ``performed_word`` names the ACTION as effects do, ``MEDIC``; it is empty if nothing was carried out.

    **Ruling:** in this order, so that an effect of that event can make it NORMAL again; an OPERATOR that is
    HIT or OUT by then is concerned by none of it.
    """
    if exhausts and operator.status == "NORMAL" and operator.position is not None:
        operator.status = "EXHAUSTED"
        if game.trace is not None:
            game.note(
                "status", "T-3", f"{game.name(operator)} is EXHAUSTED", operator=operator, after="EXHAUSTED"
            )
        if game.hit_check_due:
            judge_hits(game)
    if game.queue:
        run(game)
    if performed_word and performed_word not in operator.performed:
        operator.performed += (performed_word,)
        if game.always_due:
            game.hit_check_due = True
            judge_hits(game)
    if performed_word and operator.is_active and game.awaits("performs"):
        heard = game.hear("performs", (operator,), performed_word)
        game.push("performs", (operator,), name_of=performed_word, target=on, heard=heard)
        run(game)
    if not operator.is_active:
        return
    if game.awaits("action-ends"):
        game.push("action-ends", (operator,))
        run(game)
    if operator.is_active:
        _ruleviolation(game, operator)


# ACTIONs at once (E-32)

MOST_AT_ONCE = 200
"""So many ACTIONs at once may follow each other; a sentence earns an OPERATOR one in a TURN, so only cards
that come and go could bring about more."""


def perform_earned(game: Game) -> None:
    """E-32: what has been earned is performed when all else is over, in the order in which it was earned.

    Each is a free ACTION. What it earns itself comes behind those that wait.
    """
    for _ in range(MOST_AT_ONCE):
        if not game.earned:
            return
        earned, *waiting = game.earned
        game.earned = tuple(waiting)
        _at_once(game, earned)
    game.note("note", "E-32", f"No more than {MOST_AT_ONCE} ACTIONs are performed at once")
    game.earned = ()


def _at_once(game: Game, earned: Earned) -> None:
    """Let the OPERATOR's player choose, if the ACTION is possible by now; else nothing happens."""
    operator, name = game.state.operators[earned.operator], earned.action.upper()
    options = actions_at_once(game, operator, earned.action)
    if not options:
        text = f"{game.name(operator)} cannot perform {name} by now"
        game.note("skipped", "E-32", text, origin=earned.origin, operator=operator)
        return
    why = f"{earned.origin.entry}: {game.name(operator)} performs {name} at once."
    chosen = game.ask("at_once", operator.side, options, why, earned.origin, operator.key)
    assert isinstance(chosen, GameAction)
    game.state.used |= {earned.use}
    game.violations = ()
    game.performing = earned
    _carry_out(game, chosen, "at once", exhausts=False)
    game.performing = None


def actions_at_once(
    resolver: StateQueries, operator: OperatorState, action: ActionName
) -> tuple[GameAction, ...]:
    """Return every form of an ACTION that an OPERATOR could perform at once: EXHAUSTED does not matter, nor
    do limits. The numbers of an attack that goes on do not count, for it is over then."""
    attack_before, resolver.attack = resolver.attack, None
    legality = Legality(resolver, operator.side)
    actions: list[GameAction] = []
    if legality.of_acting(operator, action) is None:
        ACTIONS[action].list(legality, operator, False, actions)
    resolver.attack = attack_before
    return tuple(actions)


Game.may_perform_now = lambda game, operator, action: bool(actions_at_once(game, operator, action))


def _ruleviolation(game: Game, operator: OperatorState) -> None:
    """K-2: a D6 below X makes it OUT. **Ruling:** with several RULEVIOLATIONs one die against the highest
    X."""
    holdings = game.held(operator, tree.GainsRuleviolation)
    own_thresholds = [
        holding.does.threshold for holding in holdings if isinstance(holding.does, tree.GainsRuleviolation)
    ]
    thresholds = (*own_thresholds, *game.violations)
    if not thresholds:
        return
    highest_threshold = max(thresholds)
    result = game.roll_for(highest_threshold, "RULEVIOLATION", operator.side)
    verdict = "goes on" if result >= highest_threshold else "is OUT"
    game.note(
        "die",
        "K-2",
        f"RULEVIOLATION {highest_threshold}+: {result}, {game.name(operator)} {verdict}",
        operator=operator,
        after=result,
    )
    if result < highest_threshold:
        heard, borne = game.hear("becomes OUT", (operator,)), game.borne_by_each((operator,))
        fall(game, operator, "OUT")
        game.push("becomes OUT", (operator,), borne=borne, heard=heard)
        judge_hits(game)
        run(game)


# The ACTIONs: whom each may choose, what forbids a choice, and what it is beside its modifications


class _Plain(dict["Key | None", GameAction]):
    """The ACTIONs of one name of one OPERATOR by whom they choose, with ASK for all windows.

    They are values, and there are few of them: each is made once.
    """

    def __init__(self, name: ActionName, by: Key, bonus: bool) -> None:
        self._made = name, by, bonus

    def __missing__(self, key: Key | None) -> GameAction:
        name, by, bonus = self._made
        on, swap = (None, key) if name == "move" else (key, None)
        action = self[key] = GameAction(name, by, on, swap, bonus)
        return action


_plain = cache(_Plain)

Found = list[GameAction]
_On = OperatorState | None
"""On whom an ACTION was performed in the end, None for nobody."""


def _list_alone(name: ActionName) -> Callable[[Legality, OperatorState, bool, Found], None]:
    """List an ACTION that chooses nobody."""
    return lambda _legality, operator, bonus, actions: actions.append(_plain(name, operator.key, bonus)[None])


def _list_attacks(legality: Legality, operator: OperatorState, bonus: bool, actions: Found) -> None:
    """Add the attacks of an OPERATOR on all enemies in its RANGE that it may attack."""
    assert operator.position is not None
    plain = _plain("attack", operator.key, bonus)
    reach = WITHIN[legality.resolver.range_of(operator)][operator.position]
    for enemy in legality.targets() if legality.known_targets is None else legality.known_targets:
        if enemy.position in reach and not (
            legality.attacks_may_be_forbidden and forbidden_in_attack(legality.resolver, operator, enemy)
        ):
            actions.append(plain[enemy.key])


def _refuse_attack(legality: Legality, operator: OperatorState, chosen: OperatorState) -> Refusal | None:
    """Return why an OPERATOR cannot attack another, None if it can."""
    resolver = legality.resolver
    if chosen.side == operator.side:
        return Refusal("A-1", f"{chosen.card} is no enemy.")
    if not resolver.in_range(chosen, operator):
        return Refusal("R-1", f"{chosen.card} is not in RANGE of {operator.card}.")
    if legality.is_protected(chosen) or forbidden_in_attack(resolver, operator, chosen):
        return Refusal("M-8", f"{chosen.card} cannot be attacked by {operator.card}.")
    return None


def _attack(game: Game, action: GameAction, operator: OperatorState, on: OperatorState | None) -> _On:
    """A-1: attack, and return who was the target in the end."""
    assert on is not None
    windows = Windows(action.attack_card, action.defence_card, action.late_attack_card)
    return attack(game, operator, on, windows)


def _list_moves(legality: Legality, operator: OperatorState, bonus: bool, actions: Found) -> None:
    """Add an advance, then every swap for which the two have enough MP together (A-2a)."""
    plain = _plain("move", operator.key, bonus)
    actions.append(plain[None])
    moves = legality.moves() if legality.known_moves is None else legality.known_moves
    needed = legality.resolver.options.swap_mp - moves[operator.key]
    for key, mp in moves.items():
        if mp >= needed and key != operator.key:
            actions.append(plain[key])


def _refuse_swap(legality: Legality, operator: OperatorState, chosen: OperatorState) -> Refusal | None:
    """A-2a. **Ruling:** the MP are those before the ACTION changes anything."""
    if chosen.side != operator.side or chosen.position is None:
        return Refusal("A-2a", f"{chosen.card} is no own OPERATOR on a FIELDPOSITION.")
    resolver = legality.resolver
    needed = resolver.options.swap_mp
    together = resolver.number(operator, "MP") + resolver.number(chosen, "MP")
    if together < needed:
        return Refusal(
            "A-2a", f"{operator.card} and {chosen.card} have {together} MP together, not {needed}."
        )
    return None


def _move(game: Game, action: GameAction, operator: OperatorState, on: OperatorState | None) -> _On:
    """A-2: swap places with the chosen mate if it is still face up; without a mate advance."""
    mate = None if action.swap is None else game.state.operators[action.swap]
    if mate is None:
        advance(game, operator)
        judge_hits(game)
        run(game)
    elif mate.is_active:
        swap(game, operator, mate)
        run(game)
    return on


def _list_medics(legality: Legality, operator: OperatorState, bonus: bool, actions: Found) -> None:
    """Add MEDIC on each own OPERATOR in RANGE that has a HITCOUNTER; nobody is in RANGE of itself (R-3)."""
    for mate in legality.own:
        if mate.hitcounter and legality.resolver.in_range(mate, operator):
            actions.append(_plain("medic", operator.key, bonus)[mate.key])


def _refuse_medic(legality: Legality, operator: OperatorState, chosen: OperatorState) -> Refusal | None:
    """Return why MEDIC cannot be used on an OPERATOR, None if it can."""
    if chosen.side != operator.side:
        return Refusal("A-3", f"{chosen.card} is an enemy; MEDIC is for own OPERATORs.")
    if not legality.resolver.in_range(chosen, operator):
        return Refusal("R-1", f"{chosen.card} is not in RANGE of {operator.card}.")
    if chosen.hitcounter == 0:
        return Refusal("A-3", f"{chosen.card} has no HITCOUNTER.")
    return None


def _only_modifies(_game: Game, _action: GameAction, _who: OperatorState, on: OperatorState | None) -> _On:
    """Medic, Evade and Reload are nothing beside the ruleset's modifications."""
    return on


class ActionRow(Struct, frozen=True, eq=False):
    """An ACTION: its rule, how its choices are listed, what forbids a choice, and what it does.

    ``chooses`` is the field of ``GameAction`` that names whom it chooses, None where it chooses nobody.
    ``list`` appends every legal form of the ACTION of an OPERATOR to a list; ``refusal`` judges a chosen
    OPERATOR that is face up and not the one that acts. ``perform`` returns on whom it was performed (E-22).
    """

    name: ActionName
    chooses: Literal["on", "swap"] | None
    list: Callable[[Legality, OperatorState, bool, Found], None]
    refusal: Callable[[Legality, OperatorState, OperatorState], Refusal | None] | None
    perform: Callable[[Game, GameAction, OperatorState, OperatorState | None], _On]

    @property
    def rule(self) -> str:
        """The id of its rule."""
        return RULE_OF_ACTION[self.name]

    @property
    def word(self) -> str:
        """Its word in the effect language."""
        return self.name.upper()


ACTIONS: dict[ActionName, ActionRow] = {
    row.name: row
    for row in (
        ActionRow("attack", "on", _list_attacks, _refuse_attack, _attack),
        ActionRow("move", "swap", _list_moves, _refuse_swap, _move),
        ActionRow("medic", "on", _list_medics, _refuse_medic, _only_modifies),
        ActionRow("evade", None, _list_alone("evade"), None, _only_modifies),
        ActionRow("reload", None, _list_alone("reload"), None, _only_modifies),
    )
}
"""The ACTIONs in the order in which they are listed (A-1 to A-5)."""
