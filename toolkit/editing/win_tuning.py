"""Tuning a card by games: which single number, changed by 1 or 2, brings how often its SQUADs win to what is
wanted."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from toolkit.editing.tuning import changes_of, text_at
from toolkit.editing.what_if import open_for_trials, project_with
from toolkit.play.playable_game import Unplayable
from toolkit.play.simulation.card_worth import WorthPlan, WorthRequest, worth_plan
from toolkit.play.simulation.games import GameSetup, setup_of
from toolkit.play.simulation.statistics import Interval, PairedDifference
from toolkit.play.simulation.versions import Version, VersionSums
from toolkit.project.pipeline import Workspace

DEFAULT_GAMES = 200
_AS_IT_IS = 0
"""The version without a change; those with one follow."""


class CardChange(Struct, frozen=True):
    """A single change of a card: the key, what stands there now and then, and how big the change is."""

    key: str
    now: str
    then: str
    step: int


class WinTuned(Struct, frozen=True):
    """A change that was tried: how often the SQUADs with the card win then, and how much more often than
    now."""

    change: CardChange
    rate: Interval
    difference: PairedDifference


class WinTuning(VersionSums):
    """The games of a card as it is and with each single change, of the SQUADs that have it against the
    others."""

    def __init__(
        self,
        card: str,
        target: float,
        plan: WorthPlan,
        changes: tuple[CardChange, ...],
        setups: tuple[GameSetup, ...],
    ) -> None:
        numbers = dict.fromkeys(plan.pairs[card], plan.numbers(card))
        super().__init__([Version(setup, numbers) for setup in (plan.setup, *setups)])
        self.games_a_version = 2 * sum(numbers.values())
        self.card, self.target, self.changes = card, target, changes
        self.holders = plan.holders[card]

    @property
    def now(self) -> Interval:
        """How often its SQUADs win as it is."""
        return self.rate(_AS_IT_IS, self.holders)

    def tried(self) -> list[WinTuned]:
        """Return the changes: those first with which the rate may be the wanted one, the smallest first; then
        the others, the nearest first."""
        tried = [
            WinTuned(
                change, self.rate(version, self.holders), self.compared(_AS_IT_IS, version, self.holders)
            )
            for version, change in enumerate(self.changes, _AS_IT_IS + 1)
        ]
        return sorted(tried, key=self._rank)

    def _rank(self, tuned: WinTuned) -> tuple[bool, float, float]:
        """Return what changes are sorted by: those that may do by their size, the others by distance."""
        off, size = abs(tuned.rate.value - self.target), abs(tuned.change.step)
        is_off = not tuned.rate.low <= self.target <= tuned.rate.high
        return (is_off, off, size) if is_off else (is_off, size, off)


def win_tuning(
    workspace: Workspace, card_id: str, target: float, request: WorthRequest
) -> WinTuning | Unplayable:
    """Return what is played to tune a card, or why it cannot be. Nothing is written."""
    plan = worth_plan(workspace, replace(request, cards=(card_id,)))
    if isinstance(plan, Unplayable):
        return plan
    card, project = workspace.cards.cards[card_id], open_for_trials(workspace.root)
    changes, setups = [], []
    for key, value, step in changes_of(card):
        changed = project_with(project, [f"{card_id}.{key}={value}"])
        if key == "squadpoints" or not isinstance(changed, Workspace):
            continue  # no game knows the price; outside of its range, or an effect that would be wrong
        setup = setup_of(changed, plan.setup.squads, request.players, request.seed, request.mode)
        if isinstance(setup, GameSetup):
            changes.append(CardChange(key, text_at(card, key), value, step))
            setups.append(setup)
    return WinTuning(card_id, target, plan, tuple(changes), tuple(setups))
