"""Cards on the move: drawn, discarded, put, looked at, attached, taken from play (T-1, E-13, E-17)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolkit.dsl import tree
from toolkit.dsl.effect_objects import Origin
from toolkit.engine.compiler import KIND_OF_CARD, ZONES
from toolkit.engine.game import Game
from toolkit.engine.outcomes import Refusal
from toolkit.engine.state import OperatorState, Side, without_card
from toolkit.engine.state_queries import StateQueries
from toolkit.vocabulary import STATS

Numbers = list[tuple[OperatorState, str, int]]
DISCARDED = "into the DISCARDZONE"
"""Where cards go that leave play, as ``tree.Puts.to`` names it."""


def draw(game: Game, side: Side, count: int, rule: str, origin: Origin | None = None) -> bool:
    """Draw cards from the top of the DECK to the hand; an empty DECK draws nothing (T-1).

    Returns whether there were so many (E-3).
    """
    if cannot_draw(game, side, origin):
        return False
    drawn = game.state.player(side).draw(count)
    if count:
        text = f"{side} draws {drawn}" if drawn else f"the DECK of {side} is empty"
        game.note("card", rule, text, origin=origin)
    return drawn == count


def cannot_draw(game: Game, side: Side, origin: Origin | None = None) -> bool:
    """Whether an effect says that a player cannot draw cards, which is noted (E-33)."""
    if not game.held_by_player(side, tree.CannotDraw):
        return False
    game.note("skipped", "E-33", f"{side} cannot draw cards", origin=origin)
    return True


def discard(
    game: Game, side: Side, does: tree.Discards, count: int, rule: str, origin: Origin | None = None
) -> int:
    """Discard cards of the hand that the player picks, or chance; no more than there are (of that kind).

    Returns how many.
    """
    player, number = game.state.player(side), 0
    why = f"{side} discards a card."
    for card in _each_card(game, "discard", side, player.hand, does, does.kind, count, why, origin):
        player.lay_down(card)
        to_discard(game, side, card)
        game.note("card", rule, f"{side} discards {card}", origin=origin)
        number += 1
    if number < least(does, count) and not of_kind(game, player.hand, does.kind):
        lacks = f"{side} has no {does.kind} card in hand" if player.hand else f"the hand of {side} is empty"
        game.note("card", rule, lacks, origin=origin)
    return number


def least(does: tree.Discards | tree.DiscardsStrategy | tree.Puts, count: int) -> int:
    """Return with how many cards a verb is done in full: with one of `all` and of `up to` (E-3)."""
    return count if does.extent == "exactly" else 1


def _each_card(
    game: Game,
    decision: str,
    side: Side,
    cards: Sequence[str],
    does: tree.Discards | tree.DiscardsStrategy | tree.Puts,
    kind: str | None,
    count: int,
    why: str,
    origin: Origin | None,
) -> Iterator[str]:
    """Yield the cards that a verb means, one after the other, no more than there are (of that kind).

    So many, or with `up to` so many until the player stops, as in E-8. **Ruling:** of `all` nobody chooses
    the order, they go as they lie.
    """
    left = of_kind(game, cards, kind)
    for _ in range(len(left) if does.extent == "all" else min(count, len(left))):
        card: str | None = left[0]
        if does.extent != "all":
            is_optional = does.extent == "up to"
            card = _one_card(game, decision, side, left, why, origin, does.random, is_optional=is_optional)
        if card is None:
            game.note("decision", "E-13", f"{side} chooses no further card", origin=origin)
            return
        left = without_card(left, card)
        yield card


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
    *,
    is_optional: bool = False,
) -> str | None:
    """One of some cards, chosen by a player or drawn by chance (E-13); None: no further one."""
    if random:
        card = cards[game.pick("card", side, cards)]
        game.note("die", "E-13", f"chance draws {card}", origin=origin)
        return card
    chosen = game.ask(decision, side, (*cards, None) if is_optional else cards, why, origin)
    assert chosen is None or isinstance(chosen, str)
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
    wanted = does.count or 0
    why = f"{origin.entry}: a card to put {does.to}."
    chosen = [*_each_card(game, "card", side, left, does, does.kind, wanted, why, origin)]
    for card in chosen:
        left = without_card(left, card)
    if len(chosen) < least(does, wanted) and not of_kind(game, left, does.kind):
        game.note("card", "E-13", f"there is no such card in {_where(source, of)}", origin=origin)
    if source.zone == "DECK" and not does.random:
        left = _put_back(game, side, of, source, left, origin)
    setattr(player, zone, left + below)
    for card in chosen:
        lay(game, of, card, does.to)
        text = f"{side} puts {card} from {_where(source, of)} {does.to}"
        game.note("card", "E-13", text, origin=origin)
    return len(chosen) >= least(does, wanted)


def shuffle_deck(game: Game, side: Side, origin: Origin) -> None:
    """`shuffles the DECK` (E-13)."""
    player = game.state.player(side)
    player.deck = game.shuffle(side, player.deck)
    game.note("card", "E-13", f"the DECK of {side} is shuffled", origin=origin)


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
    """The cards that a SOURCE speaks of, and those below them; without a number of top cards it is all."""
    return (cards[: source.top], cards[source.top :]) if source.top else (cards, ())


def _where(source: tree.Source, of: Side) -> str:
    """``the top 3 cards of the DECK of blue``."""
    zone = f"the {source.zone} of {of}"
    if not source.top:
        return zone
    return f"the top card of {zone}" if source.top == 1 else f"the top {source.top} cards of {zone}"


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
        assert card is not None
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
    elif to == "onto the DECK":  # its first card is the top one
        player.deck = (card, *player.deck)
    elif to == "under the DECK":
        player.deck += (card,)
    else:
        to_discard(resolver, side, card)


# Cards in play


def discard_strategy(game: Game, side: Side, does: tree.DiscardsStrategy, of: Side, origin: Origin) -> int:
    """Discard STRATEGY cards of a player (``of``) that are in play; ``side`` or chance chooses (E-17).

    Returns how many.
    """
    player, count, discarded = game.state.player(of), does.count or 0, 0
    why = f"{origin.entry}: a STRATEGY of {of} to discard."
    for card in _each_card(game, "card", side, player.strategies, does, None, count, why, origin):
        number = next(number for number, card_in_play in player.in_play() if card_in_play == card)
        leave_play(game, of, number, origin)
        discarded += 1
    if discarded < least(does, count) and not player.strategies:
        game.note("card", "E-17", f"{of} has no STRATEGY in play", origin=origin)
    return discarded


def leave_play(game: Game, side: Side, number: int, origin: Origin, to: str = DISCARDED) -> None:
    """A STRATEGY leaves play for the DISCARDZONE, or comes back (E-13); its effect ends at once, what its
    events made stays (E-17)."""
    numbers_before = numbers_of_modify(game)
    card = game.state.take_from_play(side, number)
    lay(game, side, card, to)
    game.invalidate()
    if to == DISCARDED:
        game.note("card", "E-17", f"{card} of {side} is discarded from play", origin=origin)
        trace_lost(game, numbers_before, f"{card} is discarded", None)
    else:
        bar(game, side, card, to, origin)
        trace_lost(game, numbers_before, f"{card} has come back", None)


def bar(game: Game, side: Side, card: str, to: str, origin: Origin) -> None:
    """A card comes back from play: its player plays and attaches no copy of it again in this TURN (E-13)."""
    player = game.state.player(side)
    if card not in player.barred:
        player.barred += (card,)
    game.note("card", "E-13", f"{side} puts {card} {to}", origin=origin)


def barred(resolver: StateQueries, side: Side, card: str) -> Refusal | None:
    """Return why a card cannot be played or attached after a copy of it has come back; None if none has."""
    if card not in resolver.state.player(side).barred:
        return None
    return Refusal(
        "E-13", f"{card} has come back in this TURN, so {side} can use it in the next one at first."
    )


def come_back(game: Game, operator: OperatorState, to: str, origin: Origin) -> None:
    """The card on an OPERATOR comes back to its player (E-13); its effect ends as in E-17."""
    numbers_before, card = numbers_of_modify(game), operator.attached
    assert card is not None
    detach(game, operator, to)
    bar(game, operator.side, card, to, origin)
    trace_lost(game, numbers_before, f"{card} has come back", None)


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


def detach(resolver: StateQueries, operator: OperatorState, to: str = DISCARDED) -> None:
    """Put the attached card, if any, on its player's DISCARDZONE, an ITEM on the ITEMDISCARDZONE of its first
    owner (E-28), or back to where ``to`` says (E-13).

    If it comes back, its limits begin anew (E-4).
    """
    owner = operator.item_of or operator.side
    card = take_off(resolver, operator)
    if card is not None:
        lay(resolver, owner, card, to)


def take_off(resolver: StateQueries, operator: OperatorState) -> str | None:
    """Take the attached card, if any, off an OPERATOR, and return it; it lies nowhere then."""
    card, operator.attached, operator.item_of = operator.attached, None, None
    if card is not None:
        state = resolver.state
        if state.used:
            state.used = frozenset(
                [use for use in state.used if (use.bearer, use.entry) != (operator.key, card)]
            )
        resolver.forget_card(operator.side, card)
    return card


def attach(game: Game, operator: OperatorState, card: str) -> None:
    """Lay a card on an OPERATOR, which is an event."""
    operator.attached = card
    game.forget_card(operator.side, card)
    game.note_text_only(card, operator)
    game.push("attached", (operator,), name_of=card)


# ITEMs (K-1, E-28)


def item_bearers(resolver: StateQueries, side: Side) -> list[OperatorState]:
    """Return who may get an ITEM: own OPERATORs face up on the FIELD without a card, and EXHAUSTED ones with
    an ATTACK or DEFENCE card, which is then discarded (K-1); nobody who cannot have ITEMs (E-33)."""
    bearers = [
        operator
        for operator in resolver.active(side)
        if operator.attached is None
        or (operator.status == "EXHAUSTED" and resolver.cards[operator.attached].kind != "item")
    ]
    return [bearer for bearer in bearers if not resolver.forbids_having(bearer, "item")]


def attach_item(game: Game, bearer: OperatorState, rule: str, origin: Origin | None = None) -> None:
    """Attach the top ITEM of its player's ITEMDECK to an OPERATOR, in place of the card that it bears
    (K-1)."""
    player = game.state.player(bearer.side)
    item, player.item_deck = player.item_deck[0], player.item_deck[1:]
    card_before = bearer.attached
    if card_before is not None:
        numbers_before = numbers_of_modify(game)
        detach(game, bearer)
        text = f"{card_before} is discarded from {game.name(bearer)}"
        game.note("card", rule, text, origin=origin, operator=bearer)
        trace_lost(game, numbers_before, f"{game.name(bearer)} has lost {card_before}", None)
    text = f"{item} is attached to {game.name(bearer)}"
    game.note("card", rule, text, origin=origin, operator=bearer)
    attach(game, bearer, item)


def draw_item(game: Game, side: Side, origin: Origin) -> bool:
    """`draws 1 ITEM`: K-1's ITEM without the choice; its player chooses the bearer. Returns whether there was
    an ITEM and somebody free (E-3)."""
    player, bearers = game.state.player(side), item_bearers(game, side)
    if not player.item_deck or not bearers:
        reason = "nobody can bear an ITEM" if player.item_deck else f"the ITEMDECK of {side} is empty"
        game.note("skipped", "E-28", reason, origin=origin)
        return False
    item, keys = player.item_deck[0], tuple([operator.key for operator in bearers])
    chosen = game.ask("choose", side, keys, f"{origin.entry}: who gets the {item}?", origin, item)
    assert isinstance(chosen, int)
    attach_item(game, game.state.operators[chosen], "E-28", origin)
    return True


def take_item(game: Game, taker: OperatorState, giver: OperatorState, origin: Origin) -> bool:
    """E-28: an OPERATOR without a card gets the ITEM of another one attached, of either side. Returns whether
    it could."""
    if not taker.is_active or taker.attached is not None or not bears_item(game, giver):
        text = f"{game.name(taker)} cannot take an ITEM of {game.name(giver)}"
        game.note("skipped", "E-28", text, origin=origin, operator=taker)
        return False
    if game.forbids_having(taker, "item"):
        text = f"{game.name(taker)} cannot have ITEMs"
        game.note("skipped", "E-33", text, origin=origin, operator=taker)
        return False
    first_owner, numbers_before = giver.item_of or giver.side, numbers_of_modify(game)
    item = take_off(game, giver)
    assert item is not None
    taker.item_of = None if first_owner == taker.side else first_owner
    text = f"{game.name(taker)} takes {item} of {game.name(giver)}"
    game.note("card", "E-28", text, origin=origin, operator=taker)
    trace_lost(game, numbers_before, f"{game.name(giver)} has lost {item}", None)
    attach(game, taker, item)
    return True


def bears_item(resolver: StateQueries, operator: OperatorState) -> bool:
    """Whether an ITEM is attached to an OPERATOR."""
    card = operator.attached
    return card is not None and resolver.cards[card].kind == "item"


# What the numbers of an attack lose with a card or an OPERATOR (C-3)


def numbers_of_modify(game: Game) -> Numbers:
    """Return the numbers of the two while MODIFY goes on; nothing where nothing is traced."""
    attack = game.attack
    if attack is None or not game.in_modify or game.trace is None:
        return []
    both_operators = (attack.attacker, attack.attacked)
    return [(operator, stat, game.carried(operator, stat)) for operator in both_operators for stat in STATS]


def trace_lost(game: Game, numbers_before: Numbers, text_now: str, without: OperatorState | None) -> None:
    """Say in the trace what the numbers of MODIFY have lost, but for one OPERATOR: who is gone itself has
    none any more (None: for both)."""
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
