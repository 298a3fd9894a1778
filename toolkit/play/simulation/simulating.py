"""Simulations: which games are played between which SQUADs, until when, and the sums of their chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations

from msgspec import Struct

from toolkit.play.playable_game import PlayRequest, Unplayable, make_match
from toolkit.play.simulation.games import DRAWN, LOST, WON, Chunk, Counts, GameSetup, Pair, score_of, setup_of
from toolkit.play.simulation.statistics import (
    Interval,
    PairedDifference,
    confidence_sequence,
    paired_difference,
    wilson,
)
from toolkit.play.simulation.workers import Task, Workers, play_all
from toolkit.project.pipeline import Workspace
from toolkit.source.short_repr import PublicValue, short_repr
from toolkit.vocabulary import ACTIONS

DEFAULT_GAMES = 400
MOST_GAMES = 20_000
"""Games a pair with ``until_width``, if nothing else is said."""

NUMBERS_A_CHUNK = {"random": 60, "greedy": 20, "thinker": 1}
"""Numbered games of a chunk by the slowest player, so that it takes about 2 s. They do not depend on the
machine: a simulation that is stopped by looking looks after each chunk."""


class SimulationRequest(PublicValue, Struct, frozen=True, forbid_unknown_fields=True):
    """Which SQUADs play, without ids all of the project, and how many games each pair.

    With ``until_width`` a pair is stopped as soon as the interval of its rate is no wider.
    """

    squads: tuple[str, ...] = ()
    games: int = DEFAULT_GAMES
    seed: int = 0
    players: tuple[str, str] = ("greedy", "greedy")
    mode: str | None = None
    until_width: float | None = None


class Plan(PublicValue, Struct, frozen=True):
    """What is played: all pairs with each setup, of which there are two where versions are compared; the new
    one is the last. ``cards`` are all that its SQUADs have."""

    request: SimulationRequest
    setups: tuple[GameSetup, ...]
    pairs: tuple[Pair, ...]
    cards: tuple[str, ...]

    @property
    def new_setup(self) -> GameSetup:
        """The setup of the new version, or the only one."""
        return self.setups[-1]

    @property
    def _firsts(self) -> range:
        """The first numbers of the chunks of a pair."""
        size = min(NUMBERS_A_CHUNK[name] for name in self.request.players)
        return range(0, self.request.games // 2, size)

    def _chunk(self, pair: Pair, first: int) -> Chunk:
        return Chunk(pair, first, min(self._firsts.step, self._firsts.stop - first))

    def tasks(self) -> Iterator[Task]:
        """Yield all chunks, the first of each pair before the second of any."""
        for first in self._firsts:
            for pair in self.pairs:
                for version, setup in enumerate(self.setups):
                    yield Task(version, setup, self._chunk(pair, first))

    def task(self, version: int, chunk: Chunk) -> Task | None:
        """Return the task of a chunk that was played with a version; None if the plan has no such chunk."""
        is_there = chunk.pair in self.pairs and chunk.first in self._firsts
        if not is_there or chunk != self._chunk(chunk.pair, chunk.first):
            return None
        return Task(version, self.setups[version], chunk) if 0 <= version < len(self.setups) else None


def plan_of(
    workspace: Workspace, request: SimulationRequest, compared_with: Workspace | None = None
) -> Plan | Unplayable:
    """Return what is played with a project, by a version that it is compared with first; or why it cannot
    be."""
    squads = tuple(dict.fromkeys(request.squads or workspace.cards.squads))
    if len(squads) < 2:
        return Unplayable("A simulation needs two different SQUADs.")
    setups = []
    for version in (workspace,) if compared_with is None else (compared_with, workspace):
        problem = _unplayable_squads(version, squads, request.mode)
        setup = problem or setup_of(version, squads, request.players, request.seed, request.mode)
        if isinstance(setup, Unplayable):
            return setup
        setups.append(setup)
    chosen = [workspace.cards.squads[squad] for squad in squads]
    cards = [card for squad in chosen for card in (*squad.operators, *squad.deck, *squad.item_deck)]
    return Plan(request, tuple(setups), tuple(combinations(squads, 2)), tuple(dict.fromkeys(cards)))


def _unplayable_squads(workspace: Workspace, squads: tuple[str, ...], mode: str | None) -> Unplayable | None:
    """Return why one of the SQUADs cannot be played."""
    for squad in squads:
        match = make_match(workspace, PlayRequest((squad, squad), mode), 0)
        if isinstance(match, Unplayable):
            return match
    return None


class Tally:
    """The sums of a plan: of each version and pair over its chunks in order, as far as they are played.

    A chunk that is played before an earlier one waits for it; with ``until_width`` what comes behind the end
    is left out. So the sums depend on nothing but the number of chunks.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        keys = [(version, pair) for version in range(len(plan.setups)) for pair in plan.pairs]
        self.counts: dict[tuple[int, Pair], Counts] = {key: Counts() for key in keys}
        self._waiting: dict[tuple[int, Pair], dict[int, Counts]] = {key: {} for key in keys}
        self._known = set[Task]()
        self._ended = set[tuple[int, Pair]]()

    def __repr__(self) -> str:
        games = sum(counts.games for counts in self.counts.values())
        return short_repr(self, [("games", games), ("pairs", self.plan.pairs)])

    def needs(self, task: Task) -> bool:
        """Whether a task has still to be played."""
        return task not in self._known and (task.version, task.chunk.pair) not in self._ended

    def add(self, task: Task, counts: Counts) -> None:
        """Add a chunk."""
        key = task.version, task.chunk.pair
        self._known.add(task)
        self._waiting[key][task.chunk.first] = counts
        while key not in self._ended:
            chunk = self._waiting[key].pop(self.counts[key].games // 2, None)
            if chunk is None:
                return
            self.counts[key] += chunk
            if self._has_ended(self.counts[key]):
                self._ended.add(key)

    def _has_ended(self, counts: Counts) -> bool:
        until_width = self.plan.request.until_width
        is_narrow = until_width is not None and self.rate(counts.score, counts.games).width <= until_width
        return is_narrow or counts.games >= self.plan.request.games

    @property
    def is_finished(self) -> bool:
        """Whether all is played."""
        return len(self._ended) == len(self.counts)

    def rate(self, score: float, games: int) -> Interval:
        """Return the interval of a rate, by how it is decided when the games end."""
        return (wilson if self.plan.request.until_width is None else confidence_sequence)(score, games)

    def pair_rate(self, pair: Pair, version: int = -1) -> Interval:
        """Return how often the first SQUAD of a pair wins, by default with the new version."""
        counts = self.counts[version % len(self.plan.setups), pair]
        return self.rate(counts.score, counts.games)

    def of_new_version(self) -> dict[Pair, Counts]:
        """Return the sums of each pair with the new version."""
        return {pair: self.counts[len(self.plan.setups) - 1, pair] for pair in self.plan.pairs}

    def squad_rate(self, squad: str) -> Interval:
        """Return how often a SQUAD wins against all others together."""
        score = 0.0
        for (first, second), counts in self.of_new_version().items():
            if squad == first:
                score += counts.score
            elif squad == second:
                score += counts.games - counts.score
        return self._rate_of_all(score, self.games_of(squad))

    def games_of(self, squad: str) -> int:
        """Return how many games a SQUAD has played."""
        return sum(counts.games for pair, counts in self.of_new_version().items() if squad in pair)

    def first_player_rate(self) -> Interval:
        """Return how often blue wins, who begins."""
        score, games = 0.0, 0
        for counts in self.of_new_version().values():
            # of each two games the pair's first SQUAD is blue in the first and red in the second
            as_blue, as_red = counts.outcomes[::2], counts.outcomes[1::2]
            score += score_of(as_blue) + len(as_red) - score_of(as_red)
            games += counts.games
        return self._rate_of_all(score, games)

    def _rate_of_all(self, score: float, games: int) -> Interval:
        """A rate over all pairs. Where each is stopped by looking at it alone, nothing is said about it."""
        if self.plan.request.until_width is None or len(self.plan.pairs) == 1:
            return self.rate(score, games)
        return Interval(score / games if games else 0.5, 0.0, 1.0)

    def total(self) -> Counts:
        """Return the sums over all pairs with the new version."""
        return sum(self.of_new_version().values(), Counts())

    def never_used(self) -> tuple[list[str], list[str]]:
        """Return the ACTIONs that nobody performed, and the cards that nobody used."""
        total = self.total()
        actions = [name.lower() for name in ACTIONS if name.lower() not in total.actions]
        return actions, [card for card in self.plan.cards if card not in total.cards]

    def difference(self, pair: Pair) -> PairedDifference:
        """Return how much more often the first SQUAD of a pair wins with the second version."""
        earlier, later = (scores_of(self.counts[version, pair].outcomes) for version in (0, 1))
        length = min(len(earlier), len(later))
        return paired_difference(earlier[:length], later[:length])


OUTCOME_SCORES = {WON: 1.0, DRAWN: 0.5, LOST: 0.0}
"""What a game is worth to the SQUAD as which it is seen."""


def scores_of(outcomes: str) -> list[float]:
    """Return what each game is worth to the first SQUAD."""
    return [OUTCOME_SCORES[outcome] for outcome in outcomes]


def play_plan(
    plan: Plan,
    workers: Workers,
    played: Iterable[tuple[Task, Counts]] = (),
    on_chunk: Callable[[Task, Counts], None] = lambda _task, _counts: None,
) -> Iterator[Tally]:
    """Play what is not played yet, and yield the growing sums after each chunk, and once before the first.

    It may be left at any time: the sums are then those of the chunks until there.
    """
    tally = Tally(plan)
    for task, counts in played:
        tally.add(task, counts)
    yield tally
    for task, counts in play_all(filter(tally.needs, plan.tasks()), workers):
        tally.add(task, counts)
        on_chunk(task, counts)
        yield tally
