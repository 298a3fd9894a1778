"""The GAME: its beginning, TURN after TURN with all phases, and who has won (RULES.md §4 and §8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, Protocol

from msgspec import Struct

from toolkit.data.model import Squad
from toolkit.dsl.tree import DurationName
from toolkit.engine.actions import GameAction, legal_actions, perform_earned, perform_unchecked
from toolkit.engine.board import judge_hits, lapse, leave_field
from toolkit.engine.card_zones import DISCARDED, barred, cannot_draw, detach, lay, to_discard
from toolkit.engine.compiled_rules import Rules
from toolkit.engine.decisions import Dice, NoAnswer, Players, shuffled
from toolkit.engine.events import run
from toolkit.engine.game import BOUNDS, Bounds, EventName, Game, GameOver, over
from toolkit.engine.outcomes import EndlessChain, Outcome, Refusal, Stopped
from toolkit.engine.state import SIDES, UP, GameState, OperatorState, PlayerState, Side, other
from toolkit.engine.state_queries import StateQueries

MOST_ACTIONS = 200
"""So many ACTIONs are performed in a TURN; then COMBAT ends, however often OPERATORs become NORMAL again."""
MOST_LAPSES = 30
"""So often what lasts until the end of a TURN or ROUND lapses again for what a lapse has brought about
(M-11); effects that go on after that have made something for the next TURN."""

Phase = Literal["PREPARATION", "STRATEGY", "COMBAT", "SUPPORT"]


class GameStep(Struct, frozen=True):
    """Something that happened in a GAME: in which phase, by whom, what (an ACTION, a card's id, or None for
    the phase itself), and what came of it. ``state`` is a snapshot after it."""

    phase: Phase
    side: Side
    what: GameAction | str | None
    outcome: Outcome
    state: GameState


class Observer(Protocol):
    """Anything that follows a GAME."""

    def observe(self, step: GameStep) -> None:
        """Called after each step."""


class Verdict(Struct, frozen=True):
    """How a GAME ended: ``winner`` None is a draw. ``by`` is a key of ``victory`` or ``tie_break``,
    ``effect`` (E-31) or ``draw``; ``sentence`` says it for people."""

    winner: Side | None
    by: str
    sentence: str


class Ending(Struct, frozen=True):
    """How it ended. ``verdict`` is None where a scripted source had no answer; ``stopped`` says why then.

    ``chain`` is the first chain of events that a bound stopped.
    """

    state: GameState
    verdict: Verdict | None
    stopped: str = ""
    chain: EndlessChain | None = None


# The beginning (RULES.md §8)


class Chance(Protocol):
    """Where the order of shuffled cards comes from, such as ``random.Random``."""

    def random(self) -> float:
        """Return the next number, from 0 to below 1."""


def new_game(rules: Rules, blue: Squad, red: Squad, chance: Chance) -> GameState:
    """Return the state before the first PREPARATION; blue is the first-named squad and begins.

    Each squad's first OPERATORs stand on the FIELD from left to right, the others in the SAVEZONE; decks are
    shuffled, blue's first, and each player has the starting hand. The squads must
    fit the mode and name cards that can be played (``toolkit.data.checks.decks``).
    """
    position_count = rules.field_positions
    operators: list[OperatorState] = []
    players: list[PlayerState] = []
    sides: tuple[tuple[Side, Squad], ...] = (("blue", blue), ("red", red))
    for side, squad in sides:
        keys = range(len(operators), len(operators) + len(squad.operators))
        for position, (key, card) in enumerate(zip(keys, squad.operators, strict=True)):
            is_on_field = position < position_count
            operators.append(OperatorState(key, card, side, position=position if is_on_field else None))
        on_field = tuple(keys[:position_count])
        deck = shuffled(_copies(squad.deck), chance.random)
        hand_size = rules.mode.starting_hand
        players.append(
            PlayerState(
                field=on_field + (None,) * (position_count - len(on_field)),
                save_zone=tuple(keys[position_count:]),
                hand=deck[:hand_size],
                deck=deck[hand_size:],
                item_deck=shuffled(_copies(squad.item_deck), chance.random),
                objectives=rules.objectives,
            )
        )
    blue_player, red_player = players
    return GameState(tuple(operators), blue_player, red_player)


def _copies(copies: dict[str, int]) -> list[str]:
    """Return the cards of a deck, each as often as the deck has copies of it."""
    return [card for card, number in copies.items() for _ in range(number)]


# The GAME


def play_game(
    state: GameState,
    rules: Rules,
    players: Players,
    dice: Dice,
    observer: Observer | None = None,
    *,
    lapses_once: bool = False,
    reads_amounts_apart: bool = False,
    bounds: Bounds = BOUNDS,
) -> Ending:
    """Play a GAME in place from its beginning (``new_game``) to its end. Without an observer nothing is
    traced."""
    game = Game(rules, state, players, dice, traced=observer is not None)
    game.lapses_once, game.bounds = lapses_once, bounds
    game.reads_amounts_apart = reads_amounts_apart
    game.play_only(state.cards())
    try:
        while True:
            verdict = play_turn(game, observer)
            if verdict is not None:
                return Ending(state, verdict, chain=game.first_chain)
    except NoAnswer as lacking:
        return Ending(state, None, str(lacking), game.first_chain)


def play_turn(game: Game, observer: Observer | None = None) -> Verdict | None:
    """Play one TURN with all its phases, none skipped; return the verdict if the GAME ended in it."""
    verdict = _unless_over(game, prepare)
    _report(game, observer, "PREPARATION", game.state.turn, None)
    if verdict is None:
        _strategy(game, observer)
        verdict = by_effect(game) or by_objectives(game) or _combat(game, observer, game.state.turn)
    if verdict is not None:
        return verdict
    side = game.state.turn
    verdict = _unless_over(game, _finish)
    _report(game, observer, "SUPPORT", side, None)
    return verdict or _unless_over(game, next_turn)


def finish_turn(game: Game, side: Side) -> Verdict | None:
    """Play from the middle of COMBAT, where a player is the next to act, to the end of the TURN; return the
    verdict if the GAME ended in it."""
    verdict = by_effect(game) or by_objectives(game) or _combat(game, None, side)
    return verdict or _unless_over(game, _finish)


def _unless_over(game: Game, phase: Callable[[Game], Verdict | None]) -> Verdict | None:
    """Play a part of a TURN; return the verdict if it ended the GAME, also if an effect did (E-31)."""
    try:
        return phase(game)
    except GameOver:
        game.drop_rest()
        return by_effect(game)


def _finish(game: Game) -> Verdict | None:
    """Play from SUPPORT to the end of a TURN; return the verdict if the GAME ended in it."""
    is_last = game.state.turn == "red" and game.state.round >= game.rules.mode.max_rounds
    support(game)
    verdict = by_operators(game)
    if verdict is None:
        close_turn(game)
        if is_last:
            verdict = tie_break(game)
    return verdict


def _report(
    game: Game, observer: Observer | None, phase: Phase, side: Side, played: GameAction | str | None
) -> None:
    """Tell the observer, if there is one, what was played and what came of it."""
    if observer is None:
        return
    # the attacks that a card or a phase brings about at once are only among ``results`` (E-32)
    attack = game.result if isinstance(played, GameAction) else None
    outcome = Outcome(game.take_trace(), attack, game.chain, game.results)
    game.chain = None  # the parts of a phase hand an endless chain on; it is reported once
    observer.observe(GameStep(phase, side, played, outcome, game.state.copy()))


def settle(game: Game) -> None:
    """Judge H-1 after a change from outside."""
    game.hit_check_due = True
    try:
        _settle(game, is_at_once=False)
    except GameOver:
        game.drop_rest()


def _settle(game: Game, is_at_once: bool = True) -> None:
    """Judge H-1 if it is due; ACTIONs are performed at once in a GAME only (E-32)."""
    if game.hit_check_due:
        chain = game.chain  # `begin` clears it before the observer is told of it
        game.begin()
        judge_hits(game)
        run(game)
        if is_at_once:
            perform_earned(game)
        game.chain = game.chain or chain


def _sides(game: Game) -> tuple[Side, Side]:
    """The players in the order in which they do simultaneous things: the TURN's player first (M-11)."""
    return game.state.turn, other(game.state.turn)


# PREPARATION, and the end of a TURN (T-1, M-11)


def prepare(game: Game) -> None:
    """The beginning of a TURN (E-5): in a new ROUND `when the ROUND begins`; what lasts until this player's
    own TURN begins lapses; PREPARATION, in which it draws a card (T-1); `when the TURN begins` (M-11)."""
    side = game.state.turn
    if side == "blue":
        _turn_event(game, "round-begins")
    if lapse(game, "own TURN", side):
        _settle(game)
    if not cannot_draw(game, side):
        drawn = game.state.player(side).draw()
        game.note("card", "T-1", f"{side} draws a card" if drawn else f"{side}'s DECK is empty")
    _settle(game)
    begin_turn(game)


def begin_turn(game: Game) -> None:
    """Play the events `when the TURN begins` of both players (M-11)."""
    _turn_event(game, "turn-begins")


def _turn_event(game: Game, name: EventName, operators: Sequence[OperatorState] = ()) -> None:
    """Play an event of the game flow: one for all, or one for each OPERATOR concerned."""
    chain = game.chain  # `begin` clears it before the observer is told of it
    game.begin()
    for operator in operators:
        game.push(name, (operator,), heard=game.hear(name, (operator,)))
    if not operators:
        game.push(name)
    run(game)
    perform_earned(game)
    game.chain = game.chain or chain


def close_turn(game: Game) -> None:
    """After SUPPORT (M-11, E-5): `when the TURN ends` events, then what lasts until end of TURN lapses, BONUS
    too (K-3), then, if the ROUND ends, its events, and what lasts until end of ROUND. H-1 is judged after
    each.

    Blue's TURN is the first of a ROUND (the first-named squad begins), so red's ends it (RULES.md §4).
    """
    _turn_event(game, "turn-ends")
    _end(game, "TURN")
    for operator in game.state.operators:
        operator.bonuses = ()
    if game.state.turn == "red":
        _turn_event(game, "round-ends")
        _end(game, "ROUND")


def _end(game: Game, duration: DurationName) -> None:
    """M-11: what a lapse brings about belongs to the TURN (ROUND) that ends, so it lapses again until nothing
    new appears; under format 1 of the log it lapsed once."""
    endings: tuple[DurationName, ...] = ("TURN", "ROUND") if duration == "ROUND" else ("TURN",)
    lapse(game, duration)
    judge_hits(game)
    run(game)
    perform_earned(game)
    if game.lapses_once:
        return
    for _ in range(MOST_LAPSES):
        ended = [lapse(game, ending) for ending in endings]
        if not any(ended):
            return
        judge_hits(game)
        run(game)
        perform_earned(game)


def next_turn(game: Game) -> None:
    """Begin the other player's TURN; after red's it is in the next ROUND. Numbers may ask for it (H-1)."""
    state = game.state
    next_round = state.round + 1 if state.turn == "red" else state.round
    state.begin_turn(other(state.turn), next_round)
    _settle(game)


def end_turn(game: Game) -> Outcome | Refusal:
    """Do what ``{action: end-turn}`` of a scenario does: from after COMBAT to the next PREPARATION.

    SUPPORT of both players (T-4); the events `when the TURN ends`, then durations lapse (M-11); the next
    TURN, after red's in the next ROUND; its PREPARATION with its events. ``Stopped`` if a scripted source had
    no answer. Whether somebody has won is not asked.
    """

    def do() -> None:
        support(game)
        close_turn(game)
        next_turn(game)
        prepare(game)

    return game.attempt(do) or Outcome(game.take_trace(), None, game.first_chain)


# STRATEGY (T-2)


def _strategy(game: Game, observer: Observer | None) -> None:
    """The TURN's player, then the opponent; if the opponent played a card, the TURN's player once more."""
    first, second = _sides(game)
    _play_cards(game, first, observer)
    if _play_cards(game, second, observer):
        _play_cards(game, first, observer)


def _play_cards(game: Game, side: Side, observer: Observer | None) -> bool:
    """Let a player play any number of STRATEGY and EFFECT cards; return whether one was played."""
    is_any_played = False
    refused: set[str] = set()
    while not game.state.winners:
        player = game.state.player(side)
        kinds = [kind for kind in ("strategy", "effect") if game.may_play(side, kind)]
        playable = [
            card
            for card in player.hand
            if game.cards[card].kind in kinds and card not in (*refused, *player.barred)
        ]
        if not playable:
            return is_any_played
        options = (None, *dict.fromkeys(playable))
        chosen = game.ask("strategy", side, options, "STRATEGY: a card to play?")
        if not isinstance(chosen, str):
            return is_any_played
        if _done(card_refusal(game, side, chosen) or game.attempt(_play, game, side, chosen)):
            is_any_played = True
            _report(game, observer, "STRATEGY", side, chosen)
        else:
            refused.add(chosen)
    return False


def _done(refusal: Refusal | None) -> bool:
    """Whether it was done; NoAnswer where a scripted source had none."""
    if isinstance(refusal, Stopped):
        raise NoAnswer(refusal.sentence)
    return refusal is None


def play_card(game: Game, side: Side, card: str) -> Outcome | Refusal:
    """Play a STRATEGY or EFFECT card from the hand (T-2, C-4, C-5). Phases are the game flow's."""
    refused = card_refusal(game, side, card) or game.attempt(_play, game, side, card)
    return refused or game.outcome()


def card_refusal(resolver: StateQueries, side: Side, card: str) -> Refusal | None:
    """Return why a card cannot be played; None if it can."""
    if card not in resolver.state.player(side).hand:
        return Refusal("T-2", f"{side} has no {card} in hand.")
    kind = resolver.cards[card].kind
    if kind in ("attack", "defence"):
        return Refusal("M-5", f"{card} is attached in an attack, in step 5 of MODIFY.")
    if kind not in ("strategy", "effect"):
        return Refusal("T-2", f"{card} is neither a STRATEGY nor an EFFECT card.")
    if not resolver.may_play(side, kind):
        return Refusal("E-33", f"{side} cannot play {kind.upper()} cards.")
    if kind == "strategy" and resolver.rules.mode.strategy_positions == 0:
        return Refusal("C-5", "There are no strategy positions in this mode.")
    return barred(resolver, side, card)


def _play(game: Game, side: Side, card: str) -> None:
    """An EFFECT acts once, then it goes to the DISCARDZONE or comes back (E-13). A STRATEGY goes onto a
    strategy position; where none is free one of the player's own is discarded first (C-5)."""
    player = game.state.player(side)
    player.lay_down(card)
    game.note("card", "T-2", f"{side} plays {card}")
    game.note_text_only(card)
    is_strategy = game.cards[card].kind == "strategy"
    if is_strategy:
        if len(player.strategies) >= game.rules.mode.strategy_positions:
            _discard_a_strategy(game, side)
        player.put_into_play(card)
        game.invalidate()
    judge_hits(game)
    game.state.forget_played(side, card)
    game.push("played", side=side, name_of=card)
    try:
        run(game)
    finally:
        if not is_strategy:
            lay(game, side, card, game.comes_back or DISCARDED)
    perform_earned(game)


def _discard_a_strategy(game: Game, side: Side) -> None:
    """A player discards a STRATEGY in play of its choice, to make room for another (C-5)."""
    player = game.state.player(side)
    why = "All strategy positions are taken: which STRATEGY is discarded?"
    discarded = game.ask("strategy_discard", side, player.strategies, why)
    assert isinstance(discarded, str)
    number = next(number for number, strategy in player.in_play() if strategy == discarded)
    to_discard(game, side, game.state.take_from_play(side, number))
    game.note("card", "C-5", f"{side} discards {discarded}")


# COMBAT (T-3, T-5)


def _combat(game: Game, observer: Observer | None, side: Side) -> Verdict | None:
    """The players alternate until neither performs an ACTION any more; ``side`` is the next."""
    other_side = other(side)
    passes = 0
    for _ in range(MOST_ACTIONS):
        while not _act(game, side, observer):
            passes += 1
            if passes == 2:
                return None
            side, other_side = other_side, side
        verdict = by_effect(game) or by_objectives(game)
        if verdict is not None:
            return verdict
        passes = 0
        side, other_side = other_side, side
    game.note("note", "T-3", f"COMBAT ends after {MOST_ACTIONS} ACTIONs")
    return None


def _act(game: Game, side: Side, observer: Observer | None) -> bool:
    """One ACTION of one OPERATOR, after which it is EXHAUSTED; False if the player passes.

    T-3: a player passes who can no longer act. **Ruling:** a BONUS ACTION may be left out.
    """
    operators = game.state.operators
    options = legal_actions(game, side)
    while options:
        must_act = False
        for option in options:  # a loop because the first option nearly always decides
            if not option.bonus and operators[option.by].status == "NORMAL":
                must_act = True
                break
        chosen = game.ask("action", side, options if must_act else (None, *options), "COMBAT: which ACTION?")
        if not isinstance(chosen, GameAction):
            return False
        refused = game.attempt(perform_unchecked, game, chosen)
        if refused is None or _done(refused):
            if observer is not None:
                _report(game, observer, "COMBAT", side, chosen)
            return True
        options = tuple(option for option in options if option != chosen)
    return False


# SUPPORT (T-4)


def support(game: Game) -> None:
    """Play the whole of SUPPORT up to the limit of the hand; `TURN ends` comes after it (M-11).

    **Rulings** where T-4 leaves room: each part is done by the TURN's player, then by the other, before the
    next part begins, and H-1 is judged after each. An OUT OPERATOR for whom there is no substitute stays
    where it lies until there is one; once exchanged it leaves the game. Who would have nobody face up on the
    FIELD must put somebody there if possible. A HIT OPERATOR that is exchanged takes the place of its
    substitute in the SAVEZONE. Who has come from the SAVEZONE enters the FIELD when SUPPORT is over (E-6).
    """
    coming = [operator for side in _sides(game) for operator in _substitutes(game, side)]
    for are_items in (False, True):
        _both(game, partial(_discard_attached, are_items=are_items))
    _recover(game)
    _settle(game)
    for support_part in (_exchange, _retreat, _fill):
        _both(game, support_part)
    _turn_up(game)
    for side in _sides(game):
        _discard_to_limit(game, side)
    _settle(game)
    entered = [operator for operator in coming if operator.is_active]
    if entered:
        _turn_event(game, "enters", game.in_order(entered))


HasChanged = bool
"""Whether a part of SUPPORT has changed anything."""


def _both(game: Game, support_part: Callable[[Game, Side], HasChanged]) -> None:
    """A part of both players, and H-1 where it has changed anything."""
    changed = [support_part(game, side) for side in _sides(game)]
    if any(changed):
        _settle(game)


def _discard_attached(game: Game, side: Side, are_items: bool) -> HasChanged:
    """Attached ATTACK and DEFENCE cards go to the DISCARDZONE, or ``are_items`` may go to the
    ITEMDISCARDZONE: it is asked for each."""
    changed = False
    for operator in game.state.on_field(side):
        card = operator.attached
        if card is None or (game.cards[card].kind == "item") != are_items:
            continue
        text = f"{card} on {game.name(operator)} is discarded"
        if are_items:
            text = f"the ITEM {card} is laid down"
            why = f"SUPPORT: {game.name(operator)} may lay down the ITEM {card}."
            if game.ask("item_stays", side, ("keep", "discard"), why, None, operator.key) == "keep":
                continue
        detach(game, operator)
        game.note("card", "T-4", text, operator=operator)
        changed = True
    return changed


def _recover(game: Game) -> None:
    """EXHAUSTED OPERATORs recover."""
    exhausted = [operator for operator in game.state.operators if operator.status == "EXHAUSTED"]
    for operator in exhausted:
        operator.status = "NORMAL"
    if exhausted:
        game.note("status", "T-4", "EXHAUSTED OPERATORs recover")


def _fallen(game: Game, side: Side) -> list[OperatorState]:
    """HIT and OUT OPERATORs on the FIELD, from left to right."""
    return [operator for operator in game.state.on_field(side) if operator.status not in UP]


def _substitutes(game: Game, side: Side) -> list[OperatorState]:
    """OPERATORs that are face up in the SAVEZONE."""
    operators = game.state.operators
    return [operators[key] for key in game.state.player(side).save_zone if operators[key].status in UP]


def _exchange(game: Game, side: Side) -> HasChanged:
    """HIT and OUT OPERATORs are exchanged for face-up ones of the SAVEZONE, as long as there are some."""
    changed = False
    while True:
        fallen = _fallen(game, side)
        substitutes = _substitutes(game, side) if fallen else []
        if not substitutes:
            return changed
        leaving = fallen[0]
        if len(substitutes) < len(fallen):
            leaving = game.choose("exchange", side, fallen, "SUPPORT: who is exchanged?")
        why = f"SUPPORT: who comes for {game.name(leaving)}?"
        coming = game.choose("substitute", side, substitutes, why, leaving.key)
        position = leaving.position
        _clear(game, leaving)
        _enter(game, coming, position, f"{game.name(coming)} comes for {game.name(leaving)}")
        changed = True


def _enter(game: Game, operator: OperatorState, position: int | None, text: str) -> None:
    """An OPERATOR comes from the SAVEZONE onto the FIELD."""
    game.state.place(operator, position)
    game.invalidate()
    game.hit_check_due = True
    game.note("status", "T-4", text, operator=operator)


def _clear(game: Game, leaving: OperatorState) -> None:
    """A fallen OPERATOR leaves the FIELD: OUT for good, HIT to the SAVEZONE."""
    leave_field(game, leaving)
    if leaving.status == "OUT":
        game.state.remove(leaving)


def _retreat(game: Game, side: Side) -> HasChanged:
    """HIT OPERATORs without a substitute go to the SAVEZONE until it is full; the others stay, HIT."""
    changed = False
    while True:
        hit = [operator for operator in _fallen(game, side) if operator.status == "HIT"]
        places = game.rules.mode.save_zone - len(game.state.player(side).save_zone)
        if not hit or places <= 0:
            return changed
        leaving = hit[0]
        if places < len(hit):
            leaving = game.choose("retreat", side, hit, "SUPPORT: who goes to the SAVEZONE?")
        _clear(game, leaving)
        game.note("status", "T-4", f"{game.name(leaving)} goes to the SAVEZONE", operator=leaving)
        changed = True


def _fill(game: Game, side: Side) -> HasChanged:
    """Free FIELDPOSITIONs may be filled from the SAVEZONE, from left to right."""
    changed = False
    field = game.state.player(side).field
    for position, occupant in enumerate(field):
        if occupant is not None:
            continue
        substitutes = tuple([operator.key for operator in _substitutes(game, side)])
        if not substitutes:
            continue
        why = f"SUPPORT: who takes the free FIELDPOSITION {position + 1}?"
        options: tuple[int | None, ...] = (None, *substitutes)
        if not game.state.active(side) and None not in game.state.player(side).field[position + 1 :]:
            options = substitutes  # the last free place, and nobody is face up
        coming = game.ask("fill", side, options, why, None, position) if len(options) > 1 else options[0]
        if isinstance(coming, int):
            operator = game.state.operators[coming]
            _enter(game, operator, position, f"{game.name(operator)} takes FIELDPOSITION {position + 1}")
            changed = True
    return changed


def _turn_up(game: Game) -> None:
    """HIT OPERATORs in the SAVEZONE are turned up and are no longer HIT."""
    for operator in game.state.operators:
        if operator.status == "HIT" and operator.key in game.state.player(operator.side).save_zone:
            operator.status = "NORMAL"
            game.note(
                "status", "T-4", f"{game.name(operator)} is turned up in the SAVEZONE", operator=operator
            )


def _discard_to_limit(game: Game, side: Side) -> None:
    """RULES.md §8: SUPPORT ends with discarding to the limit of the hand; the player picks the cards."""
    limit, player = game.rules.mode.hand_limit, game.state.player(side)
    while len(player.hand) > limit:
        over = len(player.hand) - limit
        card = game.ask("discard", side, player.hand, f"SUPPORT: a card to discard, {over} too many.")
        assert isinstance(card, str)
        player.lay_down(card)
        to_discard(game, side, card)
        game.note("card", "T-4", f"{side} discards {card}: at most {limit} in the hand")


# Who has won (RULES.md §8)


def by_effect(resolver: StateQueries) -> Verdict | None:
    """An effect has let a player win or lose, judged before all else (E-31); if both would win, nobody
    does."""
    winners = resolver.state.winners
    if not winners:
        return None
    is_draw = len(winners) > 1
    return Verdict(None if is_draw else min(winners), "effect", over(resolver.state))


def by_objectives(resolver: StateQueries) -> Verdict | None:
    """`objectives_captured: n`, judged after every ACTION; **ruling:** of two who have n, the one with more,
    else the TURN's player wins."""
    needed = resolver.rules.mode.victory_objectives_captured
    if needed is None:
        return None
    state = resolver.state
    if len(state.blue.captured) < needed and len(state.red.captured) < needed:
        return None
    winner = max((state.turn, other(state.turn)), key=lambda side: len(state.player(side).captured))
    number = len(state.player(winner).captured)
    return Verdict(winner, "objectives_captured", f"{winner} has CAPTURED {number} OBJECTIVEs")


def by_operators(resolver: StateQueries) -> Verdict | None:
    """`operators_out_or_hit: all`, judged after SUPPORT: who has nobody face up on the FIELD then loses.

    SUPPORT puts somebody there whenever it can. If it is so of both, the tie break decides.
    """
    if not resolver.rules.mode.victory_operators_out_or_hit:
        return None
    beaten = [side for side in SIDES if not resolver.state.active(side)]
    if not beaten:
        return None
    if len(beaten) == len(SIDES):
        return tie_break(resolver)
    (loser,) = beaten
    sentence = f"{loser} can put no OPERATOR on the FIELD"
    return Verdict(other(loser), "operators_out_or_hit", sentence)


def tie_break(resolver: StateQueries) -> Verdict:
    """Who has more of the first thing in ``tie_break`` in which the players differ; else nobody wins."""
    for by in resolver.rules.mode.tie_break:
        blue, red = (_measure(resolver.state, side, by) for side in SIDES)
        if blue != red:
            winner: Side = "blue" if blue > red else "red"
            noun = "OBJECTIVEs CAPTURED" if by == "objectives_captured" else "OPERATORs on the FIELD"
            sentence = f"{winner} has more {noun}: {max(blue, red)} against {min(blue, red)}"
            return Verdict(winner, by, sentence)
    return Verdict(None, "draw", "neither player is ahead")


def _measure(state: GameState, side: Side, by: str) -> int:
    """Return of how much a player has by a key of ``tie_break``: OBJECTIVEs, or OPERATORs face up."""
    return len(state.player(side).captured) if by == "objectives_captured" else len(state.active(side))
