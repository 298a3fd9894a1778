"""Games of several versions of the cards on the same seeds, each between pairs of its own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from toolkit.play.simulation.games import Chunk, Counts, GameSetup, Pair
from toolkit.play.simulation.simulating import NUMBERS_A_CHUNK, scores_of
from toolkit.play.simulation.statistics import Interval, PairedDifference, paired_difference, wilson
from toolkit.play.simulation.workers import Task, Workers, play_all


class Version(Struct, frozen=True):
    """What is played with, and how many numbered games of which pairs."""

    setup: GameSetup
    numbers: dict[Pair, int]


class VersionSums:
    """What is counted over the games of versions, as far as their chunks are played."""

    def __init__(self, versions: Sequence[Version]) -> None:
        self.versions = tuple(versions)
        self.games_wanted = 2 * sum(sum(version.numbers.values()) for version in versions)
        self.games = 0
        self._chunks: dict[tuple[int, Pair], dict[int, Counts]] = defaultdict(dict)

    @property
    def setups(self) -> tuple[GameSetup, ...]:
        """What each version is played with."""
        return tuple([version.setup for version in self.versions])

    def tasks(self) -> Iterator[Task]:
        """Yield all chunks, the first of each version and pair before the second of any."""
        longest = max(max(version.numbers.values()) for version in self.versions)
        for first in range(0, longest, self._chunk_size):
            for index, version in enumerate(self.versions):
                for pair, number in version.numbers.items():
                    if first < number:
                        yield Task(index, version.setup, self._chunk(pair, first, number))

    @property
    def _chunk_size(self) -> int:
        return min(NUMBERS_A_CHUNK[name] for setup in self.setups for name in setup.players)

    def _chunk(self, pair: Pair, first: int, number: int) -> Chunk:
        return Chunk(pair, first, min(self._chunk_size, number - first))

    def task(self, index: int, chunk: Chunk) -> Task | None:
        """Return the task of a chunk that was played with a version; None if there is no such chunk."""
        if not 0 <= index < len(self.versions):
            return None
        version = self.versions[index]
        number = version.numbers.get(chunk.pair, 0)
        is_first = chunk.first in range(0, number, self._chunk_size)
        is_chunk = is_first and chunk == self._chunk(chunk.pair, chunk.first, number)
        return Task(index, version.setup, chunk) if is_chunk else None

    def needs(self, task: Task) -> bool:
        """Whether a chunk has still to be played."""
        return task.chunk.first not in self._chunks[task.version, task.chunk.pair]

    def add(self, task: Task, counts: Counts) -> None:
        """Add a chunk."""
        self._chunks[task.version, task.chunk.pair][task.chunk.first] = counts
        self.games += counts.games

    @property
    def is_finished(self) -> bool:
        """Whether all is played."""
        return self.games == self.games_wanted

    def counts(self, index: int, pair: Pair) -> Counts:
        """Return the sum over a pair with a version, up to the first chunk that is missing."""
        total, chunks = Counts(), self._chunks[index, pair]
        while total.games // 2 in chunks:
            total += chunks[total.games // 2]
        return total

    def rate(self, index: int, holders: Sequence[str]) -> Interval:
        """Return how often SQUADs win with a version, one of which is in each pair."""
        pairs = self.versions[index].numbers
        games = {pair: self.counts(index, pair).outcomes for pair in pairs}
        scores = _scores(games, holders)
        return wilson(sum(scores), len(scores))

    def compared(self, first: int, second: int, holders: Sequence[str]) -> PairedDifference:
        """Return how much more often SQUADs win with the second version than with the first, in the same
        games of the pairs that both have."""
        pairs = [pair for pair in self.versions[first].numbers if pair in self.versions[second].numbers]
        games_of_first, games_of_second = dict[Pair, str](), dict[Pair, str]()
        for pair in pairs:
            first_outcomes, second_outcomes = (self.counts(index, pair).outcomes for index in (first, second))
            played_with_both = min(len(first_outcomes), len(second_outcomes))
            games_of_first[pair] = first_outcomes[:played_with_both]
            games_of_second[pair] = second_outcomes[:played_with_both]
        return paired_difference(_scores(games_of_first, holders), _scores(games_of_second, holders))


def _scores(games: Mapping[Pair, str], holders: Sequence[str]) -> list[float]:
    """What games are worth to those SQUADs, one of which is in each pair."""
    scores: list[float] = []
    for (first_squad, _), outcomes in games.items():
        is_first = first_squad in holders
        scores += [score if is_first else 1 - score for score in scores_of(outcomes)]
    return scores


def play_versions(
    sums: VersionSums,
    workers: Workers,
    played: Iterable[tuple[Task, Counts]] = (),
    on_chunk: Callable[[Task, Counts], None] = lambda _task, _counts: None,
) -> Iterator[None]:
    """Play all games into the sums that are not ``played`` yet; it stops after each chunk, and may be left
    then."""
    for task, counts in played:
        if sums.needs(task):
            sums.add(task, counts)
    for task, counts in play_all(filter(sums.needs, sums.tasks()), workers):
        sums.add(task, counts)
        on_chunk(task, counts)
        yield
