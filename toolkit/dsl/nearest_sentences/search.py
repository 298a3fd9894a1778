"""The search for sentences near to a text: the cheapest ways through the text's words and the parser's states.

From left to right each part of the text is read as words of the language (``readings.py``) wherever the parser
accepts them, and words that the grammar asks for are inserted, at a price. What costs least is nearest. It is
an A* search, whose estimate is what the rest of the text costs without a grammar. It is bounded in steps, not
in time, so that the same text always gives the same sentences.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from toolkit.dsl.lalr import END, ParserState, tables, words_by_terminal
from toolkit.dsl.nearest_sentences.frequencies import frequencies
from toolkit.dsl.nearest_sentences.readings import Piece, Reading

MOST_STEPS = 12_000
"""How many states of a search are looked at."""
MOST_INSERTED = 4
"""How many words are inserted in a row."""
MAX_COST = 9.0
"""What costs more is not near."""
FARTHER = 1.5
"""How much more than the nearest a sentence may cost."""
MOST_WAYS = 2
"""How many ways to one state are followed."""
MOST_SENTENCES = 10
"""How many sentences a search returns."""

_INSERTED, _OF_FREQUENCY, _OF_ORDER = 0.3, 0.2, 0.04
_INSERTABLE = {
    **dict.fromkeys(". , the of to in on with that is are be end D6 by a an for each so then and card cards".split(), 0.0),
    **dict.fromkeys("gets get + OPERATOR OPERATORs has have number performs into from".split(), 0.1),
    **dict.fromkeys("self when while if it owner all one until attack TURN trait TEAM".split(), 0.5),
    **dict.fromkeys("target attacker attacked attacking played RANGE adjacent makes rolls ACTION".split(), 1.0),
    **dict.fromkeys("own enemy DEFENCE ATTACK hand opponent may".split(), 1.5),
}
"""The words that are inserted, with what that costs: none that says a number, a state, a negation or a verb."""


class Step(NamedTuple):
    """A piece of a sentence and what it was read from; ``before`` are the steps before it."""

    before: Step | None
    pieces: tuple[Piece, ...]
    left_out: tuple[str, ...]
    is_inserted: bool


class Found(NamedTuple):
    """A sentence with its cost, the words of the text that it leaves out, and words that it adds."""

    cost: float
    sentence: str
    left_out: tuple[str, ...]
    added: tuple[str, ...]


Stack = tuple[int, ...]
_State = tuple[Stack, str]
"""The parser's stack, and the last terminal."""


@lru_cache(maxsize=20_000)
def _after(stack: Stack, terminal: str) -> Stack | None:
    state = ParserState(tables(), stack).after(terminal)
    return None if state is None else state.stack


@lru_cache(maxsize=20_000)
def _continuations(stack: Stack) -> tuple[tuple[str, Stack], ...]:
    """Return the terminals that may come next, each with the stack behind it."""
    return tuple(
        (terminal, after)
        for terminal in ParserState(tables(), stack).accepts()
        if (after := _after(stack, terminal)) is not None
    )


@lru_cache(maxsize=20_000)
def _is_whole(stack: Stack) -> bool:
    """Whether the text may end there."""
    table = tables()
    states = list(stack)
    while states[-1] != table.end:
        action = table.states[states[-1]].get(END)
        if action is None:
            return False
        if action >= 0:
            return True
        rule = table.rules[-1 - action]
        if rule.length:
            del states[-rule.length :]
        states.append(table.states[states[-1]][rule.origin])
    return True


@lru_cache(maxsize=4096)
def _rarity(before: str, terminal: str) -> float:
    """Return how unusual a terminal is behind another one in the sentences that were counted."""
    counts = frequencies()
    followers = counts.get(before, {})
    total = sum(followers.values())
    return min(-math.log((followers.get(terminal, 0) + 0.02) / (total + 0.02 * len(words_by_terminal()))), 7.0)


@lru_cache(maxsize=4096)
def _price_of_inserting(before: str, terminal: str) -> float | None:
    """Return what it costs to insert a word; None for one that is never invented."""
    price = _INSERTABLE.get(words_by_terminal().get(terminal, ""))
    return None if price is None else _INSERTED + _OF_FREQUENCY * _rarity(before, terminal) + price


class _Entry(NamedTuple):
    """A state of the search, in the order in which states are looked at: the cheapest estimate first.

    ``insertion`` is the number of the word to insert there next, the cheapest first; None before the state
    was looked at. ``inserted`` are how many words were inserted in a row.
    """

    estimate: float
    number: int
    cost: float
    order: int
    position: int
    stack: Stack
    before: str
    steps: Step | None
    inserted: int
    insertion: int | None


def search(orders: Sequence[Sequence[Sequence[Reading]]], costs: Sequence[float]) -> list[Found]:
    """Return the sentences nearest to a text, the nearest first.

    ``orders`` are the orders of its parts, with what each costs; an order has for each word the ways to read
    it, alone or with those behind it.
    """
    remaining = [_least_costs(readings) for readings in orders]
    queue = [
        _Entry(cost + least[0], number, cost, number, 0, (0,), "", None, 0, None)
        for number, (cost, least) in enumerate(zip(costs, remaining, strict=True))
    ]
    heapq.heapify(queue)
    count = len(queue)
    visits: dict[tuple[int, int, Stack, str], int] = {}
    sentences: list[Found] = []
    limit = MAX_COST
    for _ in range(MOST_STEPS):
        if not queue or queue[0].estimate > limit or len(sentences) == MOST_SENTENCES:
            break
        entry = heapq.heappop(queue)
        _, _, cost, order, position, stack, before, steps, inserted, insertion = entry
        least = remaining[order]
        if insertion is None:
            key = (order, position, stack, before)
            visits[key] = visit = visits.get(key, 0) + 1
            if position == len(least) - 1 and _is_whole(stack):
                sentences.append(_sentence(cost, steps))
                limit = min(limit, cost + FARTHER)
                continue
            if visit > MOST_WAYS:
                continue
            insertion = 0
            for reading in orders[order][position] if position < len(least) - 1 else ():
                reached = _by_reading(entry, reading)
                if reached is not None and reached[0] + least[reading.end] <= limit:
                    count += 1
                    estimate = reached[0] + least[reading.end]
                    heapq.heappush(queue, _Entry(estimate, count, reached[0], order, *reached[1:], 0, None))
        else:
            price, piece, after = _insertions(stack, before)[insertion]
            count += 1
            step = Step(steps, (piece,), (), True)
            estimate, cost_after = cost + price + least[position], cost + price
            heapq.heappush(
                queue,
                _Entry(
                    *(estimate, count, cost_after, order, position),
                    *(after, piece.terminal, step, inserted + 1, None),
                ),
            )
            insertion += 1
        insertions = _insertions(stack, before)
        if inserted < MOST_INSERTED and insertion < len(insertions):
            estimate = cost + insertions[insertion][0] + least[position]
            if estimate <= limit:
                count += 1
                heapq.heappush(queue, entry._replace(estimate=estimate, number=count, insertion=insertion))
    return sentences


def _least_costs(readings: Sequence[Sequence[Reading]]) -> list[float]:
    """Return for each position what the words from there on cost at least."""
    least = [0.0] * (len(readings) + 1)
    for position in reversed(range(len(readings))):
        least[position] = min(reading.cost + least[reading.end] for reading in readings[position])
    return least


def _by_reading(entry: _Entry, reading: Reading) -> tuple[float, int, Stack, str, Step] | None:
    """Return cost, position, stack, last terminal and steps behind a reading; None if the parser refuses it."""
    stack, before, cost = entry.stack, entry.before, entry.cost + reading.cost
    for piece in reading.pieces:
        after = _after(stack, piece.terminal)
        if after is None:
            return None
        cost += _OF_ORDER * _rarity(before, piece.terminal)
        stack, before = after, piece.terminal
    return cost, reading.end, stack, before, Step(entry.steps, reading.pieces, reading.left_out, False)


@lru_cache(maxsize=20_000)
def _insertions(stack: Stack, before: str) -> tuple[tuple[float, Piece, Stack], ...]:
    """Return the words that may be inserted, each with its price and the stack behind it, the cheapest first."""
    insertions = [
        (price, Piece(terminal, words_by_terminal()[terminal]), after)
        for terminal, after in _continuations(stack)
        if (price := _price_of_inserting(before, terminal)) is not None
    ]
    return tuple(sorted(insertions, key=itemgetter(0)))


def _sentence(cost: float, steps: Step | None) -> Found:
    """Return a way through the text as a sentence."""
    pieces: list[str] = []
    left_out: list[str] = []
    added: list[str] = []
    while steps is not None:
        words = [piece.text for piece in steps.pieces]
        pieces[:0] = words
        left_out[:0] = steps.left_out
        if steps.is_inserted:
            added[:0] = words
        steps = steps.before
    return Found(cost, " ".join(pieces), tuple(left_out), tuple(added))
