"""What cards do for winning: with and without, seen and played, each from the same games.

*With/without* compares games with a card and the same games with a blank in its place. *Seen* compares the
games in which it was drawn with those in which it was not, among games in which its player drew as many
cards: the shuffle decides. *Played* compares those in which it was played with the others: who is ahead
decides, too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from math import ceil, sqrt

from msgspec import Struct
from msgspec.structs import replace

from toolkit.play.playable_game import Unplayable
from toolkit.play.simulation.drawn_cards import PLAYED, UNSEEN, Draw, read_draw
from toolkit.play.simulation.games import GameSetup, Pair
from toolkit.play.simulation.simulating import OUTCOME_SCORES, SimulationRequest, plan_of
from toolkit.play.simulation.statistics import Interval, PairedDifference, Z, discoveries, p_value_of
from toolkit.play.simulation.versions import Version, VersionSums
from toolkit.project.pipeline import Workspace

DEFAULT_GAMES = 600


class WorthRequest(Struct, frozen=True, forbid_unknown_fields=True):
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

    def versions(self) -> list[Version]:
        """Return what is played with: all cards, then a blank for each card."""
        numbers: Counter[Pair] = Counter()
        for card, pairs in self.pairs.items():
            numbers |= Counter(dict.fromkeys(pairs, self.numbers(card)))  # the most that any card needs
        versions = [Version(replace(self.setup, counts_draws=True), numbers)]
        for card, pairs in self.pairs.items():
            if card:
                setup = replace(self.setup, blanks=(card,))
                versions.append(Version(setup, dict.fromkeys(pairs, self.numbers(card))))
        return versions


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
        holders_of_card = holders.get(card, ())
        pairs[card] = tuple(
            [
                (first, second)
                for first, second in plan.pairs
                if (first in holders_of_card) != (second in holders_of_card)
            ]
        )
        if not pairs[card]:
            where = "all SQUADs" if card in holders else "no SQUAD"
            return Unplayable(
                f"{card} is in {where}: there are no games to compare. "
                f"`opforge power {card}` says what it adds to attacks."
            )
    kinds = {card: workspace.cards.cards[card].kind for card in used_cards}
    return WorthPlan(request, plan.new_setup, pairs or {"": plan.pairs}, holders, kinds)


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
    def is_unclear(self) -> bool:
        """Whether too few games were played to say that it does nothing."""
        if self.with_without is None:
            return False
        interval = self.with_without.difference
        return interval.low <= 0 <= interval.high and interval.is_too_wide

    @property
    def p_value(self) -> float | None:
        """How likely as much is by chance."""
        if self.with_without is not None:
            return self.with_without.p_value
        return None if self.seen is None else p_value_of(self.seen.interval, 0.0)


class WorthTally(VersionSums):
    """The sums of a plan, as far as its chunks are played."""

    def __init__(self, plan: WorthPlan) -> None:
        super().__init__(plan.versions())
        self.plan = plan

    def worths(self) -> list[CardWorth]:
        """Return what each card of the request does; of all cards that could be drawn, if it names none."""
        plan, draws = self.plan, self._draws_by_card()
        worths = []
        # version 0 has all cards, version N a blank for the N-th card of the request
        for blank_version, card in enumerate(plan.request.cards or sorted(draws.keys() & plan.kinds), 1):
            holders = plan.holders[card]
            with_without = self.compared(blank_version, 0, holders) if card in plan.pairs else None
            worths.append(
                CardWorth(
                    card,
                    plan.kinds[card],
                    holders,
                    with_without,
                    seen=seen_difference(draws[card]),
                    played=played_difference(draws[card]),
                )
            )
        return _marked_discoveries(worths)

    def _draws_by_card(self) -> dict[str, Counter[Draw]]:
        """Return by card in how many games, played with all cards, what became of it."""
        draws: dict[str, Counter[Draw]] = defaultdict(Counter)
        for pair in self.versions[0].numbers:
            for key, games in self.counts(0, pair).draws.items():
                draw = read_draw(key)
                draws[draw.card][draw] += games
        return draws


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
    outcomes_with: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    outcomes_without: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for draw, games in draws.items():
        outcomes = outcomes_with if is_with(draw) else outcomes_without
        outcomes[group_of(draw)][draw.outcome] += games
    groups = dict.fromkeys(group_of(draw) for draw in draws)
    comparable = [group for group in groups if group in outcomes_with and group in outcomes_without]
    weight = total = 0.0
    all_with = all_without = 0
    for group in comparable:
        games_with, games_without = outcomes_with[group].total(), outcomes_without[group].total()
        weight_of_group = games_with * games_without / (games_with + games_without)
        weight += weight_of_group
        mean_difference = _mean_score(outcomes_with[group]) - _mean_score(outcomes_without[group])
        total += weight_of_group * mean_difference
        all_with, all_without = all_with + games_with, all_without + games_without
    if not weight:
        return None
    # the variance of a score is never more than that of an even coin
    half = Z * sqrt(0.25 / weight)
    value = total / weight
    interval = Interval(value, max(-1.0, value - half), min(1.0, value + half))
    return Difference(interval, all_with, all_without)


def _mean_score(outcomes: Counter[str]) -> float:
    return sum(OUTCOME_SCORES[outcome] * games for outcome, games in outcomes.items()) / outcomes.total()


def _marked_discoveries(worths: Sequence[CardWorth]) -> list[CardWorth]:
    """Return the same with ``stands_out`` set where the cards show more than chance."""
    tested = [(worth.card, worth.p_value) for worth in worths if worth.p_value is not None]
    stand_out = discoveries([p_value for _, p_value in tested])
    discovered = {card for (card, _), stands_out in zip(tested, stand_out, strict=True) if stands_out}
    return [replace(worth, stands_out=worth.card in discovered) for worth in worths]
