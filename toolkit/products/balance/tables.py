"""The tables of the report: each cell is text, with what it is sorted by and how strong its colour is."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from toolkit.play.odds.power import KINDS, CardPower
from toolkit.play.simulation.simulating import Tally
from toolkit.play.simulation.statistics import Interval
from toolkit.products.balance.figures import OLDER_VERSION, Figures

MOST_HEAT = 60
"""The opacity of the strongest colour in percent: text must stay legible on it."""


class Cell(Struct, frozen=True):
    """A cell: ``sort`` is a number or a text, ``heat`` the opacity of its colour in percent, below 0 of the
    colour for little. What ``is_soft`` is printed grey."""

    text: str
    sort: float | str
    heat: int = 0
    title: str = ""
    is_soft: bool = False


class Table(Struct, frozen=True):
    """A table: its ``labels`` are those of the columns, the first of which is of names. Those of a matrix
    stand upright (``is_matrix``). ``words_at`` is the number of a column of words, if there is one."""

    caption: str
    labels: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_matrix: bool = False
    words_at: int | None = None


EMPTY = Cell("–", "")


def _word(text: str) -> Cell:
    return Cell(text, text.casefold())


def squads_table(figures: Figures, tally: Tally) -> Table:
    """How often each SQUAD wins against all others together."""
    say = figures.words.say
    rows = []
    for squad in tally.plan.new_setup.squads:
        rate = tally.squad_rate(squad)
        points = sum(
            figures.price(operator) or 0 for operator in figures.workspace.cards.squads[squad].operators
        )
        rows.append(
            (
                _word(figures.name(squad)),
                Cell(figures.percent(rate.value), rate.value),
                Cell(shown_range(figures, rate), rate.low),
                Cell(str(points), points),
                Cell(str(tally.games_of(squad)), tally.games_of(squad)),
            )
        )
    labels = ("SQUAD", *map(say, ("balance-wins", "balance-interval")), "SQUADPOINTS", say("balance-games"))
    return Table(say("balance-squads"), labels, tuple(rows))


def pairs_table(figures: Figures, tally: Tally) -> Table:
    """How often the SQUAD of a row wins against that of a column."""
    squads = tally.plan.new_setup.squads
    rates = {pair: tally.pair_rate(pair) for pair in tally.plan.pairs}
    rates |= {
        (second, first): Interval(1 - rate.value, 1 - rate.high, 1 - rate.low)
        for (first, second), rate in rates.items()
    }
    rows = []
    for squad in squads:
        cells = [_rate_cell(figures, rates.get((squad, column))) for column in squads]
        rows.append((_word(figures.name(squad)), *cells))
    labels = ("SQUAD", *map(figures.name, squads))
    return Table(figures.words.say("balance-pairs-caption"), labels, tuple(rows), is_matrix=True)


def _rate_cell(figures: Figures, rate: Interval | None) -> Cell:
    """Return a rate of wins, coloured by how far it is from a half; an empty cell if none was played."""
    if rate is None:
        return EMPTY
    heat = round((rate.value - 0.5) * 2 * MOST_HEAT)
    return Cell(figures.number(rate.value * 100, 0), rate.value, heat, shown_range(figures, rate))


def comparison_table(figures: Figures, tally: Tally) -> Table:
    """What has changed in each pair, of whose first SQUAD it speaks."""
    say = figures.words.say
    rows = []
    for pair in tally.plan.pairs:
        difference = tally.difference(pair)
        change = difference.difference
        rate_before, rate_now = tally.pair_rate(pair, OLDER_VERSION).value, tally.pair_rate(pair).value
        low, high = figures.percent(change.low, sign=True), figures.percent(change.high, sign=True)
        rows.append(
            (
                _word(" – ".join(map(figures.name, pair))),
                Cell(figures.percent(rate_before), rate_before),
                Cell(figures.percent(rate_now), rate_now),
                Cell(figures.percent(change.value, sign=True), change.value),
                Cell(say("balance-range", low=low, high=high), change.low),
                Cell(figures.number(difference.p_value, 3), difference.p_value),
            )
        )
    labels = ("balance-pair", "balance-before", "balance-now", "balance-difference", "balance-interval")
    return Table(say("balance-compared"), (*map(say, labels), "McNemar p"), tuple(rows))


def power_tables(figures: Figures) -> list[Table]:
    """What the cards of each kind add to attacks."""
    tables = []
    for kind in KINDS:
        powers = [power for power in figures.exact.powers.values() if power.kind == kind]
        if powers:
            tables.append(_power_table(figures, kind, sorted(powers, key=lambda power: -power.power)))
    return tables


def _power_table(figures: Figures, kind: str, powers: Sequence[CardPower]) -> Table:
    """Return the table of a kind of card: power, what is expected at the price, and what no attack shows."""
    say = figures.words.say
    is_operator, is_compared = kind == "operator", figures.older is not None
    labels = [say("what-name"), *(["SQUADPOINTS"] if is_operator else []), say("balance-power")]
    labels += [say("balance-expected"), *([say("balance-before")] if is_compared else [])]
    rows = [tuple(_power_cells(figures, power)) for power in powers]
    return Table(kind.upper(), (*labels, say("balance-unseen")), tuple(rows), words_at=len(labels))


def _power_cells(figures: Figures, power: CardPower) -> list[Cell]:
    """Return the row of a card, with its earlier power if there are two versions."""
    cells = [_word(figures.name(power.card))]
    if power.price is not None:
        cells.append(Cell(str(power.price), power.price))
    cells.append(_number_cell(figures, float(power.power)))
    cells.append(EMPTY if power.expected is None else _number_cell(figures, power.expected))
    if figures.older is not None:
        earlier = figures.older.powers.get(power.card)
        cells.append(EMPTY if earlier is None else _number_cell(figures, float(earlier.power)))
    cells.append(_word("; ".join(power.unseen)))
    return cells


def _number_cell(figures: Figures, value: float) -> Cell:
    return Cell(figures.number(value, 2, sign=True), round(value, 4))


def worth_table(figures: Figures) -> Table:
    """What cards do for winning: with and without, drawn and not, played and not."""
    say = figures.words.say
    rows = []
    for worth in figures.worths:
        compared = worth.with_without
        assert compared is not None, "all of these cards were played with and without"
        played = _difference_cell(figures, None if worth.played is None else worth.played.interval)
        cells = (
            _difference_cell(figures, compared.difference),
            _difference_cell(figures, None if worth.seen is None else worth.seen.interval),
            replace(played, is_soft=True),  # who plays a card may do so because the game goes well
            Cell(str(compared.games), compared.games),
        )
        rows.append((_word(figures.name(worth.card)), *cells))
    labels = ("balance-with-without", "balance-seen", "balance-played", "balance-games")
    return Table(say("balance-worth-caption"), (say("what-name"), *map(say, labels)), tuple(rows))


def _difference_cell(figures: Figures, interval: Interval | None) -> Cell:
    """Return a difference of rates with its range, sorted by itself; an empty cell where nothing is known."""
    if interval is None:
        return EMPTY
    low, high = (figures.number(value * 100, sign=True) for value in (interval.low, interval.high))
    range_in_words = figures.words.say("balance-range", low=low, high=high)
    return Cell(f"{figures.percent(interval.value, sign=True)} ({range_in_words})", interval.value)


def odds_table(figures: Figures) -> Table:
    """The expected DAMAGE of each OPERATOR on each."""
    matrix = figures.exact.matrix
    values = [matrix.value(*pair) for pair in matrix.cells]
    most = max([value for value in values if value is not None], default=0) or 1  # all may be 0
    rows = []
    for attacker in matrix.operators:
        cells = []
        for target in matrix.operators:
            value = matrix.value(attacker, target)
            if value is None:
                cells.append(Cell(str(matrix.cells[attacker, target]), ""))
            else:
                cells.append(_damage_cell(figures, value, round(value / most * MOST_HEAT)))
        mean = matrix.row_mean(attacker)
        mean_cell = EMPTY if mean is None else _damage_cell(figures, mean)
        rows.append((_word(figures.name(attacker)), mean_cell, *cells))
    say = figures.words.say
    labels = (say("balance-attacker"), say("balance-mean"), *map(figures.name, matrix.operators))
    return Table(say("balance-odds-caption"), labels, tuple(rows), is_matrix=True)


def _damage_cell(figures: Figures, damage: Fraction, heat: int = 0) -> Cell:
    return Cell(figures.number(float(damage)), round(float(damage), 4), heat)


def shown_range(figures: Figures, interval: Interval) -> str:
    """Return where a rate lies."""
    low, high = figures.percent(interval.low), figures.percent(interval.high)
    return figures.words.say("balance-range", low=low, high=high)
