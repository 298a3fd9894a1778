"""Cards on the move: drawn, discarded, put, looked at, attached, taken from play (T-1, E-13, E-17)."""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.dsl import tree
from toolkit.dsl.effect_objects import Origin
from toolkit.engine.compiler import KIND_OF_CARD, ZONES
from toolkit.engine.game import Game
from toolkit.engine.state import OperatorState, Side, without_card
from toolkit.engine.state_queries import StateQueries
from toolkit.vocabulary import STATS

Numbers = list[tuple[OperatorState, str, int]]


def draw(game: Game, side: Side, count: int, rule: str, origin: Origin | None = None) -> bool:
    """Draw cards from the top of the DECK to the hand; an empty DECK draws nothing (T-1).

    Returns whether there were so many (E-3).
    """
    if cannot_draw(game, side, origin):
        return False
    drawn = game.state.player(side).draw(count)
    game.note(
        "card", rule, f"{side} draws {drawn}" if drawn else f"the DECK of {side} is empty", origin=origin
    )
    return drawn == count


def cannot_draw(game: Game, side: Side, origin: Origin | None = None) -> bool:
    """Whether an effect says that a player cannot draw cards, which is noted (E-33)."""
    if not game.held_by_player(side, tree.CannotDraw):
        return False
    game.note("skipped", "E-33", f"{side} cannot draw cards", origin=origin)
    return True


def discard(
    game: Game,
    side: Side,
    count: int,
    rule: str,
    origin: Origin | None = None,
    kind: str | None = None,
    random: bool = False,
) -> bool:
    """Discard cards of the hand that the player picks, or chance; no more than there are (of that kind).

    Returns whether there were so many (E-3).
    """
    player = game.state.player(side)
    for _ in range(count):
        cards = of_kind(game, player.hand, kind)
        if not cards:
            lacks = f"{side} has no {kind} card in hand" if player.hand else f"the hand of {side} is empty"
            game.note("card", rule, lacks, origin=origin)
            return False
        card = _one_card(game, "discard", side, cards, f"{side} discards a card.", origin, random)
        player.lay_down(card)
        to_discard(game, side, card)
        game.note("card", rule, f"{side} discards {card}", origin=origin)
    return True


def of_kind(game: Game, cards: Sequence[str], kind: str | None) -> tuple[str, ...]:
    """Return those of some cards that are ``ATTACK``, ``DEFENCE``, ``EFFECT`` or ``STRATEGY`` cards; None:
    all."""
    if kind is None:
        return tuple(cards)
    return tuple([card for card in cards if game.cards[card].kind == kind.lower()])


def _one_card(
    game: Game,
    decision: str,
    side: Side,
    cards: tuple[str, ...],
    why: str,
    origin: Origin | None,
    random: bool = False,
) -> str:
    """One of some cards, chosen by a player or drawn by chance (E-13)."""
    if random:
        card = cards[game.pick("card", side, cards)]
        game.note("die", "E-13", f"chance draws {card}", origin=origin)
        return card
    chosen = game.ask(decision, side, cards, why, origin)
    assert isinstance(chosen, str)
    return chosen


def put(game: Game, side: Side, does: tree.Puts, of: Side, origin: Origin) -> bool:
    """Put cards of a player (``of``) from one place to another; ``side`` chooses them (E-13).

    Whoever chooses from a DECK has seen all of it, so it is shuffled; of top cards the rest goes back on top.
    Then the chosen ones are laid down one after the other: **ruling:** of several `onto the DECK` the last
    lies on top, of several `under the DECK` it lies undermost. Returns whether there were so many (E-3).
    """
    player, source = game.state.player(of), does.source
    zone = ZONES[source.zone]
    zone_cards: tuple[str, ...] = getattr(player, zone)
    left, below = _top(zone_cards, source)
    chosen: list[str] = []
    while len(chosen) < does.count:
        cards = of_kind(game, left, does.kind)
        if not cards:
            game.note("card", "E-13", f"there is no such card in {_where(source, of)}", origin=origin)
            break
        why = f"{origin.entry}: a card to put {does.to}."
        card = _one_card(game, "card", side, cards, why, origin, does.random)
        left = without_card(left, card)
        chosen.append(card)
    if source.zone == "DECK" and not does.random:
        left = _put_back(game, side, of, source, left, origin)
    setattr(player, zone, left + below)
    for card in chosen:
        lay(game, of, card, does.to)
        text = f"{side} puts {card} from {_where(source, of)} {does.to}"
        game.note("card", "E-13", text, origin=origin)
    return len(chosen) == does.count


def look_at(game: Game, side: Side, source: tree.Source, of: Side, origin: Origin) -> bool:
    """A player looks at cards, which the trace names; whether there were some (E-13).

    Top cards go back in an order of its choice, a whole DECK is shuffled.
    """
    player, zone = game.state.player(of), ZONES[source.zone]
    cards_seen, below = _top(getattr(player, zone), source)
    text = f"the {source.zone} of {of} has no cards"
    if cards_seen:
        text = f"{side} looks at {_where(source, of)}: {', '.join(cards_seen)}"
    game.note("card", "E-13", text, origin=origin)
    if source.zone == "DECK":
        player.deck = _put_back(game, side, of, source, cards_seen, origin) + below
    return bool(cards_seen)


def _top(cards: tuple[str, ...], source: tree.Source) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The cards that a SOURCE speaks of, and those below them."""
    return (cards[: source.top], cards[source.top :]) if source.top else (cards, ())


def _where(source: tree.Source, of: Side) -> str:
    top = "the top card of " if source.top == 1 else f"the top {source.top} cards of " if source.top else ""
    return f"{top}the {source.zone} of {of}"


def _put_back(
    game: Game, side: Side, of: Side, source: tree.Source, cards: tuple[str, ...], origin: Origin
) -> tuple[str, ...]:
    """What was seen of a DECK goes back into it: shuffled, top cards in the order that the player chooses."""
    if not source.top:
        if len(cards) > 1:
            game.note("card", "E-13", f"the DECK of {of} is shuffled", origin=origin)
        return game.shuffle(of, cards)
    order, left = list[str](), cards
    while left and len(cards) > 1:  # asked for the last one, too: a scenario may name them all
        card = _one_card(game, "order", side, left, "Back onto the DECK: which card lies next?", origin)
        order.append(card)
        left = without_card(left, card)
    cards_back = (*order, *left)
    if cards_back != cards:
        text = f"{side} puts back {', '.join(cards_back)}, the first on top"
        game.note("card", "E-13", text, origin=origin)
    return cards_back


def lay(resolver: StateQueries, side: Side, card: str, to: str) -> None:
    """Lay a card that is nowhere else into a zone of its player (``tree.Puts.to``)."""
    player = resolver.state.player(side)
    if to == "into the hand":
        player.hand += (card,)
    elif to == "onto the DECK":
        player.deck = (card, *player.deck)
    elif to == "under the DECK":
        player.deck += (card,)
    else:
        to_discard(resolver, side, card)


# Cards in play


def discard_strategy(game: Game, side: Side, does: tree.DiscardsStrategy, of: Side, origin: Origin) -> bool:
    """Discard STRATEGY cards of a player (``of``) that are in play; ``side`` or chance chooses (E-17).

    Returns whether there were so many (E-3).
    """
    player = game.state.player(of)
    for _ in range(does.count):
        if not player.strategies:
            game.note("card", "E-17", f"{of} has no STRATEGY in play", origin=origin)
            return False
        why = f"{origin.entry}: a STRATEGY of {of} to discard."
        card = _one_card(game, "card", side, player.strategies, why, origin, does.random)
        number = next(number for number, card_in_play in player.in_play() if card_in_play == card)
        leave_play(game, of, number, origin)
    return True


def leave_play(game: Game, side: Side, number: int, origin: Origin) -> None:
    """Discard a STRATEGY from play; its effect ends at once, what its events made stays (E-17)."""
    numbers_before = numbers_of_modify(game)
    card = game.state.take_from_play(side, number)
    to_discard(game, side, card)
    game.invalidate()
    game.note("card", "E-17", f"{card} of {side} is discarded from play", origin=origin)
    trace_lost(game, numbers_before, f"{card} is discarded", None)


def lose(game: Game, operator: OperatorState, kind_of_card: str, origin: Origin) -> bool:
    """`loses card`, `ATTACK card`, `DEFENCE card` or `ITEM`: its effect ends at once, what its events made
    stays (E-17). Returns whether there was one (E-3)."""
    card = operator.attached
    if card is None or (kind_of_card != "card" and game.cards[card].kind != KIND_OF_CARD[kind_of_card]):
        game.note(
            "skipped",
            "E-17",
            f"{game.name(operator)} has no {kind_of_card}",
            origin=origin,
            operator=operator,
        )
        return False
    numbers_before = numbers_of_modify(game)
    detach(game, operator)
    game.note(
        "card",
        "E-17",
        f"{game.name(operator)} loses {card}",
        origin=origin,
        operator=operator,
        value_before=card,
    )
    trace_lost(game, numbers_before, f"{game.name(operator)} has lost {card}", None)
    return True


def to_discard(resolver: StateQueries, side: Side, card: str) -> None:
    """Put a card on top of the DISCARDZONE or ITEMDISCARDZONE."""
    player = resolver.state.player(side)
    if resolver.cards[card].kind == "item":
        player.item_discard += (card,)
    else:
        player.discard += (card,)


def detach(resolver: StateQueries, operator: OperatorState) -> None:
    """Put the attached card, if any, on its player's DISCARDZONE, an ITEM on the ITEMDISCARDZONE.

    If it comes back, its limits begin anew (E-4).
    """
    card, operator.attached = operator.attached, None
    if card is not None:
        state = resolver.state
        if state.used:
            state.used = frozenset(
                [use for use in state.used if (use.bearer, use.entry) != (operator.key, card)]
            )
        resolver.forget_card(operator.side, card)
        to_discard(resolver, operator.side, card)


def attach(game: Game, operator: OperatorState, card: str) -> None:
    """Lay a card on an OPERATOR, which is an event."""
    operator.attached = card
    game.forget_card(operator.side, card)
    game.note_text_only(card, operator)
    game.push("attached", (operator,), name_of=card)


# What the numbers of an attack lose with a card or an OPERATOR (C-3)


def numbers_of_modify(game: Game) -> Numbers:
    """Return the numbers of the two while MODIFY goes on; nothing where nothing is traced."""
    attack = game.attack
    if attack is None or not game.in_modify or game.trace is None:
        return []
    both_operators = (attack.attacker, attack.attacked)
    return [(operator, stat, game.carried(operator, stat)) for operator in both_operators for stat in STATS]


def trace_lost(game: Game, numbers_before: Numbers, text_now: str, without: OperatorState | None) -> None:
    """Say in the trace what the numbers of MODIFY have lost, but for one OPERATOR."""
    for operator, stat, number in numbers_before:
        after = game.carried(operator, stat)
        if operator is not without and after != number:
            text = f"{stat} of {game.name(operator)}, now that {text_now}: {number} → {after}"
            game.note(
                "change",
                "C-3",
                text,
                origin=game.acting,
                operator=operator,
                stat=stat,
                value_before=number,
                after=after,
            )
