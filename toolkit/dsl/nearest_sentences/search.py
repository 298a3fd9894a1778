"""The search for sentences near to a text: the cheapest ways through its words and the parser's states.

From left to right each part of the text is read as words of the language (``readings.py``) wherever the
parser accepts them, and words that the grammar asks for are inserted, at a price. What costs least is
nearest. It is an A* search: what the rest of the text costs is estimated with the pairs of words that the
grammar has. It is bounded in steps, not in time, so that the same text always gives the same sentences.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from operator import itemgetter
from typing import NamedTuple

from toolkit.dsl.lalr import END, ParserState, lex, tables, words_by_terminal
from toolkit.dsl.nearest_sentences.frequencies import frequencies
from toolkit.dsl.nearest_sentences.pieces import Piece, Reading, words_in
from toolkit.vocabulary.nearest import count_searched

MOST_STEPS = 3_000
"""How many states of a search are looked at."""
_STEPS_OF_READING = 150
"""As many steps take as long as the readings of a sentence."""
MOST_INSERTED = 4
"""How many words are inserted in a row."""
MAX_COST = 8.0
"""What costs more is not near."""
FARTHER = 2.0
"""How much more than the nearest a sentence may cost."""
MOST_WAYS = 3
"""How many ways to one state are followed."""
MOST_SENTENCES = 16
"""How many sentences a search returns."""

_INSERTED, _OF_FREQUENCY, _OF_ORDER = 0.3, 0.2, 0.04
_INSERTABLE = {
    **dict.fromkeys(
        words_in(", the of to in on with that is are be end D6 by a an for so then and card cards"), 0.0
    ),
    **dict.fromkeys(words_in("gets get + has have number into from"), 0.1),
    **dict.fromkeys(
        words_in("with card cards self when while if it owner one until attack TURN all"),
        0.5,
    ),
    **dict.fromkeys(words_in(". target attacker makes rolls performs"), 1.0),
    **dict.fromkeys(words_in("DEFENCE ATTACK hand"), 1.5),
}
"""The words that are inserted, with what that costs: none says a number, a state, a negation or a deed."""


_BEFORE_CARDS = frozenset(("INT", "ATTACK", "DEFENCE", "EFFECT", "STRATEGY"))


class Step(NamedTuple):
    """A piece of a sentence and what it was read from; ``earlier`` are the steps before it."""

    earlier: Step | None
    pieces: tuple[Piece, ...]
    left_out: tuple[str, ...]
    is_inserted: bool


class Order(NamedTuple):
    """The parts of a text in one order: for each word the ways to read it, alone or with those behind it.

    ``is_same`` says that no other order can be meant.
    """

    readings: Sequence[Sequence[Reading]]
    cost: float
    is_same: bool


class Found(NamedTuple):
    """A sentence with its cost, the words of the text that it leaves out, and words that it adds."""

    cost: float
    sentence: str
    left_out: tuple[str, ...]
    added: tuple[str, ...]


Stack = tuple[int, ...]


@lru_cache(maxsize=20_000)
def stack_after(stack: Stack, terminal: str) -> Stack | None:
    """Return the parser's stack behind one more terminal; None if it may not come next."""
    state = ParserState(tables(), stack).after(terminal)
    return None if state is None else state.stack


@lru_cache(maxsize=20_000)
def is_whole(stack: Stack) -> bool:
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


def can_be_parsed(sentence: str) -> bool:
    """Whether the grammar has a sentence."""
    stack: Stack | None = (0,)
    for token in lex(sentence, tables().words):
        stack = stack_after(stack, token.type)
        if stack is None:
            return False
    return is_whole(stack)


@lru_cache(maxsize=8192)
def _rarity(last: str, terminal: str) -> float:
    """Return how unusual a terminal is behind another one in the sentences that were counted.

    Before a sentence there may be an opening that is added later: its beginning is also that of a clause.
    """
    if not last:
        return min(_rarity_behind("", terminal), _rarity_behind("COMMA", terminal))
    return _rarity_behind(last, terminal)


def _rarity_behind(last: str, terminal: str) -> float:
    counts = frequencies()
    followers = counts.get(last, {})
    total = sum(followers.values())
    share = (followers.get(terminal, 0) + 0.02) / (total + 0.02 * len(words_by_terminal()))
    return min(-math.log(share), 7.0)


@lru_cache(maxsize=8192)
def _price_of_inserting(last: str, terminal: str) -> float | None:
    """Return what it costs to insert a word; None for one that is never invented."""
    word = words_by_terminal().get(terminal, "")
    if word in ("card", "cards") and words_by_terminal().get(last, "INT") not in _BEFORE_CARDS:
        return None
    price = _INSERTABLE.get(word)
    return None if price is None else _INSERTED + _OF_FREQUENCY * _rarity(last, terminal) + price


@lru_cache(maxsize=1)
def _followers() -> dict[str, frozenset[str]]:
    """Return for each terminal, and for the beginning (an empty word), those that may come next."""
    followers: dict[str, set[str]] = {"": set(filter(str.isupper, tables().states[0]))}
    for row in tables().states:
        for terminal, action in row.items():
            if terminal.isupper() and action >= 0:
                followers.setdefault(terminal, set()).update(filter(str.isupper, tables().states[action]))
    return {terminal: frozenset(following) for terminal, following in followers.items()}


@lru_cache(maxsize=512)
def _links(last: str) -> dict[str, float]:
    """Return what it costs at least to come to each terminal from the one before, also by inserted words."""
    links: dict[str, float] = {}
    queue = [(0.0, last)]
    settled = set[str]()
    while queue:
        cost, reached = heapq.heappop(queue)
        if reached in settled:
            continue
        settled.add(reached)
        for terminal in _followers().get(reached, ()):
            price = cost if terminal == END else cost + _OF_ORDER * _rarity(reached, terminal)
            links[terminal] = min(price, links.get(terminal, math.inf))
            inserted = _price_of_inserting(reached, terminal)
            if inserted is not None and terminal not in settled:
                heapq.heappush(queue, (cost + inserted, terminal))
    return links


@lru_cache(maxsize=8192)
def _price_within(pieces: tuple[Piece, ...]) -> float:
    """Return what the order of the words within a reading costs; infinite if the grammar never has it."""
    price = 0.0
    for (terminal, _), (following, _) in pairwise(pieces):
        if following not in _followers().get(terminal, ()):
            return math.inf
        price += _OF_ORDER * _rarity(terminal, following)
    return price


class _Estimates:
    """What the rest of a text costs at least, behind each of its words and each terminal."""

    def __init__(self, readings: Sequence[Sequence[Reading]]) -> None:
        self._ends = [[*_ends_of(at_word)] for at_word in readings]
        self._rests: list[dict[str, float]] = [{} for _ in range(len(readings) + 1)]

    def least_behind(self, position: int, last: str) -> float:
        """Return what the words from a position on cost at least behind a terminal."""
        rests = self._rests[position]
        if last in rests:
            return rests[last]
        links = _links(last)
        if position == len(self._ends):
            least = links.get(END, math.inf)
        else:
            least = math.inf
            for end, cost, first_read, last_read in self._ends[position]:
                link = links.get(first_read, math.inf) if first_read else 0.0
                if cost + link < least:
                    least = min(least, cost + link + self.least_behind(end, last_read or last))
        rests[last] = least
        return least


def _ends_of(readings: Iterable[Reading]) -> Iterator[tuple[int, float, str, str]]:
    """Yield where readings end, what they cost, and their first and last terminal, empty for nothing read.

    Readings whose words the grammar never has in this order are not among them.
    """
    for reading in readings:
        price = _price_within(reading.pieces)
        if not reading.pieces:
            yield reading.end, reading.cost, "", ""
        elif price < math.inf:
            yield reading.end, reading.cost + price, reading.pieces[0].terminal, reading.pieces[-1].terminal


class _Way(NamedTuple):
    """How far a search has come in one of the orders, with what that costs.

    ``position`` is that of the next word of the text, ``stack`` the parser's, ``last`` the last terminal.
    ``words_so_far`` are without regard to one or many.
    """

    cost: float
    order: int
    position: int
    stack: Stack
    last: str
    words_so_far: str


class _Entry(NamedTuple):
    """A state of the search, in the order in which states are looked at: the cheapest estimate first.

    ``inserted`` are how many words were inserted in a row. ``insertions`` are the words to insert there with
    their estimates, the cheapest first; None before the state was looked at.
    """

    estimate: float
    number: int
    way: _Way
    steps: Step | None
    inserted: int
    insertions: tuple[tuple[float, float, str], ...] | None


def search(orders: Sequence[Order]) -> list[Found]:
    """Return the sentences nearest to a text, given in several orders of its parts, the nearest first."""
    return _Search(orders, most_inserted=MOST_INSERTED).sentences()


def search_surely(orders: Sequence[Order]) -> list[Found]:
    """Return the sentences that a text says if each of its words can mean one thing only."""
    sure_orders = [
        order._replace(
            readings=[[reading for reading in at_word if reading.is_same] for at_word in order.readings]
        )
        for order in orders
        if order.is_same
    ]
    return _Search(sure_orders, most_inserted=0).sentences()


class _Search:
    """One search: the states to look at, and how often each was looked at."""

    def __init__(self, orders: Sequence[Order], *, most_inserted: int) -> None:
        self._orders = [order.readings for order in orders]
        self._most_inserted = most_inserted
        self._estimates = [_Estimates(readings) for readings in self._orders]
        self._limit = MAX_COST
        self._queue: list[_Entry] = []
        self._count = 0
        self._looked_at: dict[tuple[int, int, Stack, str], set[str]] = {}
        for number, order in enumerate(orders):
            self._push(_Way(order.cost, number, 0, (0,), "", ""), None, 0)

    def sentences(self) -> list[Found]:
        """Return what the search comes to, the nearest first."""
        sentences: dict[str, Found] = {}
        steps = 0
        while steps < MOST_STEPS:
            steps += 1
            if not self._queue or self._queue[0].estimate > self._limit or len(sentences) == MOST_SENTENCES:
                break
            entry = heapq.heappop(self._queue)
            way = entry.way
            if entry.insertions is not None:
                self._insert(entry, entry.insertions)
            elif self._is_new(way):
                is_read = way.position == len(self._orders[way.order])
                if is_read and is_whole(way.stack):
                    candidate = _sentence(way.cost, entry.steps)
                    sentences.setdefault(candidate.sentence, candidate)
                    self._limit = min(self._limit, way.cost + FARTHER)
                else:
                    self._look_at(entry)
        count_searched(_STEPS_OF_READING + steps)
        return list(sentences.values())

    def _is_new(self, way: _Way) -> bool:
        """Whether a state has not been looked at too often, nor with the same words before it."""
        ways = self._looked_at.setdefault((way.order, way.position, way.stack, way.last), set())
        if way.words_so_far in ways or len(ways) == MOST_WAYS:
            return False
        ways.add(way.words_so_far)
        return True

    def _push(self, way: _Way, steps: Step | None, inserted: int) -> None:
        """Add a state to those to look at, if what follows from it may be near enough."""
        estimate = way.cost + self._estimates[way.order].least_behind(way.position, way.last)
        if estimate <= self._limit:
            self._count += 1
            heapq.heappush(self._queue, _Entry(estimate, self._count, way, steps, inserted, None))

    def _look_at(self, entry: _Entry) -> None:
        """Read the next words, and find the words that may be inserted before them."""
        readings = self._orders[entry.way.order]
        if entry.way.position < len(readings):
            for reading in readings[entry.way.position]:
                self._read(entry, reading)
        if entry.inserted < self._most_inserted:
            insertions = self._insertions(entry.way)
            if insertions:
                self._wait(entry, insertions)

    def _wait(self, entry: _Entry, insertions: tuple[tuple[float, float, str], ...]) -> None:
        """Look at a state again when its next insertion is the cheapest."""
        self._count += 1
        waiting = entry._replace(estimate=insertions[0][0], number=self._count, insertions=insertions)
        heapq.heappush(self._queue, waiting)

    def _read(self, entry: _Entry, reading: Reading) -> None:
        """Push the state behind a reading; the search ends there if the parser does not accept it."""
        cost, order, _, stack, last, words_so_far = entry.way
        cost += reading.cost
        for terminal, text in reading.pieces:
            next_stack = stack_after(stack, terminal)
            if next_stack is None:
                return
            cost += _OF_ORDER * _rarity(last, terminal)
            stack, last, words_so_far = next_stack, terminal, words_so_far + _without_number(text)
        steps = Step(entry.steps, reading.pieces, reading.left_out, False)
        self._push(_Way(cost, order, reading.end, stack, last, words_so_far), steps, 0)

    def _insertions(self, way: _Way) -> tuple[tuple[float, float, str], ...]:
        """Return the words that may be inserted, with estimate and price, the cheapest first."""
        least_behind, insertions = self._estimates[way.order].least_behind, []
        for price, terminal in _prices_of_inserting(way.last):
            estimate = way.cost + price + least_behind(way.position, terminal)
            if estimate <= self._limit:
                insertions.append((estimate, price, terminal))
        return tuple(sorted(insertions, key=itemgetter(0)))

    def _insert(self, entry: _Entry, insertions: tuple[tuple[float, float, str], ...]) -> None:
        """Insert the first word of those that may be inserted; the others wait."""
        _, price, terminal = insertions[0]
        if insertions[1:]:
            self._wait(entry, insertions[1:])
        cost, order, position, stack, _, words_so_far = entry.way
        next_stack = stack_after(stack, terminal)
        if next_stack is not None:
            text = words_by_terminal()[terminal]
            words_so_far += _without_number(text)
            way = _Way(cost + price, order, position, next_stack, terminal, words_so_far)
            step = Step(entry.steps, (Piece(terminal, text),), (), True)
            self._push(way, step, entry.inserted + 1)


def _without_number(text: str) -> str:
    """Return a word without the ending that says one or many: `gets` and `get` are the same."""
    return f"{text[:-1] if text[-1] == 's' else text} "


@lru_cache(maxsize=512)
def _prices_of_inserting(last: str) -> tuple[tuple[float, str], ...]:
    """Return the words that may be inserted behind a terminal, with what that costs."""
    followers = sorted(_followers().get(last, ()))
    prices = ((_price_of_inserting(last, terminal), terminal) for terminal in followers)
    return tuple((price, terminal) for price, terminal in prices if price is not None)


def _sentence(cost: float, last_step: Step | None) -> Found:
    """Return a way through the text as a sentence."""
    steps = list[Step]()
    while last_step is not None:
        steps.append(last_step)
        last_step = last_step.earlier
    sentence, left_out, added = list[str](), list[str](), list[str]()
    for step in reversed(steps):
        words = [piece.text for piece in step.pieces]
        sentence += words
        left_out += step.left_out
        if step.is_inserted:
            added += words
    return Found(cost, " ".join(sentence), tuple(left_out), tuple(added))
