"""The figures of the report: exact ones of attacks, and those that are counted over games."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial

from msgspec import Struct

from toolkit.data.model import Card, Squad
from toolkit.play.odds.matrix import Matrix, MatrixRequest, find_matrix
from toolkit.play.odds.power import CardPower, PowerRequest, find_powers
from toolkit.play.odds.power_jobs import powers_in_processes
from toolkit.play.playable_game import Unplayable
from toolkit.play.simulation.card_worth import CardWorth
from toolkit.play.simulation.simulating import Tally
from toolkit.project.pipeline import Workspace
from toolkit.wording.languages import Words, words_in

_words = lru_cache(maxsize=4)(words_in)


class ExactFigures(Struct, frozen=True):
    """The odds of all pairs of OPERATORs, and what each card adds to attacks."""

    matrix: Matrix
    powers: dict[str, CardPower]


def exact_figures(
    workspace: Workspace,
    mode: str | None,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> ExactFigures | Unplayable:
    """Compute the exact figures of a project in so many processes, or return why there are none.

    ``progress`` is told how many of how many cards are measured.
    """
    matrix = find_matrix(workspace, MatrixRequest(mode=mode))
    if isinstance(matrix, Unplayable):
        return matrix
    request = PowerRequest(mode=mode)
    in_processes = partial(powers_in_processes, workspace, request, jobs)
    powers = find_powers(workspace, request, in_processes, progress)
    if isinstance(powers, Unplayable):
        return powers
    return ExactFigures(matrix, {power.card: power for power in powers.cards})


def outstanding_cards(workspace: Workspace, exact: ExactFigures, number: int) -> tuple[str, ...]:
    """Return the cards that stand out most in attacks, of those that some SQUADs have and others have not."""
    squads = [squad.cards() for squad in workspace.cards.squads.values()]

    def distinguishes_squads(card: str) -> bool:
        owner_count = sum(card in cards for cards in squads)
        return 0 < owner_count < len(squads)

    powers = [power for power in exact.powers.values() if distinguishes_squads(power.card)]
    powers.sort(key=lambda power: (power.verdict is None, -distance_from_expected(power)))
    return tuple([power.card for power in powers[:number]])


def distance_from_expected(power: CardPower) -> float:
    """Return how far the power of a card is from what is expected at its price; from 0 if nothing is."""
    expected = 0.0 if power.expected is None else power.expected
    return abs(float(power.power) - expected)


OLDER_VERSION = 0
"""The number of the older one of two versions in a tally."""


class Figures(Struct, frozen=True):
    """All that the report says: ``tally`` is None without games, ``older`` without an older version, whose
    name is ``compared_with``. ``worths`` are of the cards that were played with and without."""

    workspace: Workspace
    language: str
    exact: ExactFigures
    tally: Tally | None = None
    older: ExactFigures | None = None
    compared_with: str = ""
    worths: tuple[CardWorth, ...] = ()
    is_finished: bool = True

    @property
    def words(self) -> Words:
        """The texts of the report's language."""
        return _words(self.workspace.cards.project, self.language)

    def name(self, entry_id: str) -> str:
        """Return the printed name of a card or SQUAD."""
        entry = self.workspace.cards.find(entry_id)
        return entry.name.in_language(self.language).value if isinstance(entry, Card | Squad) else entry_id

    def number(self, value: float, digits: int = 1, *, sign: bool = False) -> str:
        """Return a number as it is written in the language."""
        written = f"{value:{'+' if sign else ''}.{digits}f}".replace("-", "−")
        return written.replace(".", ",") if self.language == "de" else written

    def percent(self, rate: float, *, sign: bool = False) -> str:
        """Return a rate in percent."""
        return f"{self.number(rate * 100, sign=sign)}\N{NO-BREAK SPACE}%"

    def price(self, card_id: str) -> int | None:
        """Return the SQUADPOINTS of an OPERATOR."""
        return self.exact.powers[card_id].price
