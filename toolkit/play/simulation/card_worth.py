"""What cards do for winning: with and without, seen and played, each from the same games.

*With/without* compares games with a card and the same games with a blank in its place. *Seen* compares the
games in which it was drawn with those in which it was not, among games in which its player drew as many
cards: the shuffle decides. *Played* compares those in which it was played with the others: who is ahead
decides, too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from math import ceil, sqrt

from msgspec import Struct
from msgspec.structs import replace

from toolkit.play.playable_game import Unplayable
from toolkit.play.simulation.drawn_cards import PLAYED, UNSEEN, Draw, read_draw
from toolkit.play.simulation.games import Chunk, Counts, GameSetup, Pair
from toolkit.play.simulation.simulating import (
    NUMBERS_A_CHUNK,
    OUTCOME_SCORES,
    SimulationRequest,
    plan_of,
    scores_of,
)
from toolkit.play.simulation.statistics import (
    Interval,
    PairedDifference,
    Z,
    discoveries,
    p_value_of,
    paired_difference,
)
from toolkit.play.simulation.workers import Task, Workers, play_all
from toolkit.project.pipeline import Workspace

DEFAULT_GAMES = 600


class WorthRequest(Struct, frozen=True):
    """The cards that are played with and without, each in about so many games of the SQUADs that have it.
    Without any, each SQUAD plays so many games, in which its cards are seen and played."""

    cards: tuple[str, ...] = ()
    games: int = DEFAULT_GAMES
    seed: int = 0
    players: tuple[str, str] = ("greedy", "greedy")
    mode: str | None = None


class WorthPlan(Struct, frozen=True):
    """What is played: ``pairs`` by card, without cards under an empty id; in each of them one SQUAD has the
    card. ``holders`` are the SQUADs that have it and ``kinds`` the kinds, of all cards of SQUADs."""

    request: WorthRequest
    setup: GameSetup
    pairs: dict[str, tuple[Pair, ...]]
    holders: dict[str, tuple[str, ...]]
    kinds: dict[str, str]

    def numbers(self, card: str) -> int:
        """Return how many numbered games of each pair are played for a card."""
        pairs = len(self.pairs[card]) if card else len(self.setup.squads) - 1
        return ceil(self.request.games / 2 / pairs)

    def versions(self) -> Iterator[tuple[GameSetup, dict[Pair, int]]]:
        """Yield what is played with: all cards, then a blank for each card; with the numbers of games."""
        numbers: Counter[Pair] = Counter()
        for card, pairs in self.pairs.items():
            numbers |= Counter(dict.fromkeys(pairs, self.numbers(card)))
        yield replace(self.setup, counts_draws=True), numbers
        for card, pairs in self.pairs.items():
            if card:
                yield replace(self.setup, blanks=(card,)), dict.fromkeys(pairs, self.numbers(card))

    def tasks(self) -> Iterator[Task]:
        """Yield all chunks, the first of each version and pair before the second of any."""
        versions = list(enumerate(self.versions()))
        size = min(NUMBERS_A_CHUNK[name] for name in self.request.players)
        longest = max(max(numbers.values()) for _, (_, numbers) in versions)
        for first in range(0, longest, size):
            for version, (setup, numbers) in versions:
                for pair, number in numbers.items():
                    if first < number:
                        yield Task(version, setup, Chunk(pair, first, min(size, number - first)))


def worth_plan(workspace: Workspace, request: WorthRequest) -> WorthPlan | Unplayable:
    """Return what is played to know what cards do, or why it cannot be."""
    plan = plan_of(workspace, SimulationRequest((), 2, request.seed, request.players, request.mode))
    if isinstance(plan, Unplayable):
        return plan
    squads = workspace.cards.squads
    used_cards = dict.fromkeys(card for squad in squads.values() for card in sorted(squad.cards()))
    holders = {
        card: tuple([squad for squad in squads if card in squads[squad].cards()]) for card in used_cards
    }
    pairs = {}
    for card in request.cards:
        pairs[card] = tuple(
            [pair for pair in plan.pairs if sum(squad in holders.get(card, ()) for squad in pair) == 1]
        )
        if not pairs[card]:
            where = "all SQUADs" if card in holders else "no SQUAD"
            return Unplayable(f"{card} is in {where}: there are no games to compare.")
    kinds = {card: workspace.cards.cards[card].kind for card in used_cards}
    return WorthPlan(request, plan.setups[-1], pairs or {"": plan.pairs}, holders, kinds)


class Difference(Struct, frozen=True):
    """How much more often games are won of one sort than of the other, and how many of each there are."""

    interval: Interval
    games_with: int
    games_without: int


class CardWorth(Struct, frozen=True):
    """What a card does: the three columns, each None where it has none. ``stands_out`` says that the first of
    them that there is shows more than chance, as one of many (Benjamini and Hochberg)."""

    card: str
    kind: str
    squads: tuple[str, ...]
    with_without: PairedDifference | None = None
    seen: Difference | None = None
    played: Difference | None = None
    stands_out: bool = False

    @property
    def p_value(self) -> float | None:
        """How likely as much is by chance."""
        if self.with_without is not None:
            return self.with_without.p_value
        return None if self.seen is None else p_value_of(self.seen.interval, 0.0)


class WorthTally:
    """The sums of a plan, as far as its chunks are played in order."""

    def __init__(self, plan: WorthPlan) -> None:
        self.plan = plan
        self.games_wanted = 2 * sum(task.chunk.count for task in plan.tasks())
        self.games = 0
        self._chunks: dict[tuple[int, Pair], dict[int, Counts]] = defaultdict(dict)

    def add(self, task: Task, counts: Counts) -> None:
        """Add a chunk."""
        self._chunks[task.version, task.chunk.pair][task.chunk.first] = counts
        self.games += counts.games

    @property
    def is_finished(self) -> bool:
        """Whether all is played."""
        return self.games == self.games_wanted

    def _sum(self, version: int, pair: Pair) -> Counts:
        """The sum of the chunks without a gap."""
        total, chunks = Counts(), self._chunks[version, pair]
        while total.games // 2 in chunks:
            total += chunks[total.games // 2]
        return total

    def worths(self) -> list[CardWorth]:
        """Return what each card does, those that are played with and without, else all."""
        draws: dict[str, Counter[Draw]] = defaultdict(Counter)
        for pair in next(self.plan.versions())[1]:
            for key, games in self._sum(0, pair).draws.items():
                draw = read_draw(key)
                draws[draw.card][draw] += games
        worths = []
        for version, card in enumerate(self.plan.request.cards or sorted(draws), 1):
            compared = self._compared(version, card) if card in self.plan.pairs else None
            worths.append(
                CardWorth(
                    card,
                    self.plan.kinds[card],
                    self.plan.holders[card],
                    compared,
                    seen_difference(draws[card]),
                    played_difference(draws[card]),
                )
            )
        return _with_discoveries(worths)

    def _compared(self, version: int, card: str) -> PairedDifference:
        """The same games with a card and with a blank, as its SQUAD sees them."""
        blank_scores: list[float] = []
        card_scores: list[float] = []
        for pair in self.plan.pairs[card]:
            with_blank, with_card = self._sum(version, pair).outcomes, self._sum(0, pair).outcomes
            games = min(len(with_blank), len(with_card))
            is_first = pair[0] in self.plan.holders[card]
            for scores, outcomes in ((blank_scores, with_blank), (card_scores, with_card)):
                scores += [score if is_first else 1 - score for score in scores_of(outcomes[:games])]
        return paired_difference(blank_scores, card_scores)


def seen_difference(draws: Counter[Draw]) -> Difference | None:
    """Compare games in which a card was drawn with those of the same SQUAD, with as many cards drawn, in
    which it was not; None if there are none to compare."""
    return _difference(draws, lambda draw: (draw.squad, draw.drawn), lambda draw: draw.fate != UNSEEN)


def played_difference(draws: Counter[Draw]) -> Difference | None:
    """Compare games in which a card was played with all others of the same SQUAD."""
    return _difference(draws, lambda draw: (draw.squad, 0), lambda draw: draw.fate == PLAYED)


def _difference(
    draws: Counter[Draw], group_of: Callable[[Draw], tuple[str, int]], is_with: Callable[[Draw], bool]
) -> Difference | None:
    """Compare the games of two sorts within each group, and put the groups together (Mantel and Haenszel)."""
    outcomes: dict[tuple[str, int], dict[bool, Counter[str]]] = {}
    for draw, games in draws.items():
        group = outcomes.setdefault(group_of(draw), {True: Counter(), False: Counter()})
        group[is_with(draw)][draw.outcome] += games
    comparable = [group for group in outcomes.values() if group[True] and group[False]]
    weight = total = 0.0
    for group in comparable:
        games_with, games_without = group[True].total(), group[False].total()
        weight_of_group = games_with * games_without / (games_with + games_without)
        weight += weight_of_group
        total += weight_of_group * (_mean_score(group[True]) - _mean_score(group[False]))
    if not weight:
        return None
    # the variance of a score is never more than that of an even coin
    half = Z * sqrt(0.25 / weight)
    value = total / weight
    interval = Interval(value, max(-1.0, value - half), min(1.0, value + half))
    counts = [sum(group[sort].total() for group in comparable) for sort in (True, False)]
    return Difference(interval, *counts)


def _mean_score(outcomes: Counter[str]) -> float:
    return sum(OUTCOME_SCORES[outcome] * games for outcome, games in outcomes.items()) / outcomes.total()


def _with_discoveries(worths: Sequence[CardWorth]) -> list[CardWorth]:
    tested = [worth for worth in worths if worth.p_value is not None]
    stand_out = discoveries([worth.p_value or 0.0 for worth in tested])
    names = {worth.card for worth, stands_out in zip(tested, stand_out, strict=True) if stands_out}
    return [replace(worth, stands_out=worth.card in names) for worth in worths]


def play_worth(tally: WorthTally, workers: Workers) -> Iterator[None]:
    """Play what a plan says into a tally; it stops after each chunk, and may be left then."""
    for task, counts in play_all(tally.plan.tasks(), workers):
        tally.add(task, counts)
        yield
