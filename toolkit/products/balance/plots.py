"""The plots of the report: where their marks are, in the units of their SVG."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor

from msgspec import Struct

from toolkit.play.odds.power import CardPower, expected_line, median_line
from toolkit.play.simulation.simulating import Tally
from toolkit.play.simulation.statistics import Interval
from toolkit.products.balance.figures import Figures, distance_from_expected

WIDTH = 720
_ROW = 28
_AFTER_LABEL, _ABOVE, _AROUND = 12, 6, 8
"""Empty room behind the labels of bars, above the first bar, and above and below all of them."""

_LETTER, _MOST_LABELS, _NUMBERS = 10.5, 330, 60
"""The room for a letter of a label at the left of bars, on a phone, too; for the longest label at most; and
for numbers at their right."""


class Bar(Struct, frozen=True):
    """A bar with its label and number; ``low`` and ``high`` are the ends of its interval, if it has one."""

    label: str
    text: str
    y: float
    end: float
    low: float | None = None
    high: float | None = None


class Bars(Struct, frozen=True):
    """Bars below each other, which begin at ``begin``; ``middle`` is where a half is, if that means
    something."""

    title: str
    bars: tuple[Bar, ...]
    height: float
    begin: int
    width: int = WIDTH
    middle: float | None = None


def squad_bars(figures: Figures, tally: Tally) -> Bars:
    """How often each SQUAD wins, the strongest first, with its interval."""
    rates = {squad: tally.squad_rate(squad) for squad in tally.plan.new_setup.squads}
    strongest_first = sorted(rates, key=lambda squad: -rates[squad].value)
    rows = [
        (figures.name(squad), figures.percent(rates[squad].value), rates[squad]) for squad in strongest_first
    ]
    return _bars(figures.words.say("balance-squads"), rows, most=1.0, middle=0.5)


def round_bars(figures: Figures, tally: Tally) -> Bars:
    """In which ROUND games end."""
    total = tally.total()
    rows = []
    for number in range(min(total.rounds), max(total.rounds) + 1):
        share = total.rounds.get(number, 0) / total.games
        rows.append((f"ROUND {number}", figures.percent(share), Interval(share, share, share)))
    return _bars(figures.words.say("balance-rounds"), rows, most=max(rate.value for _, _, rate in rows))


def _bars(
    title: str, rows: Sequence[tuple[str, str, Interval]], *, most: float, middle: float | None = None
) -> Bars:
    """Return bars for rows of label, text and rate, with their intervals; ``most`` is the full width."""
    longest_label = max(len(label) for label, _, _ in rows)
    begin = min(_MOST_LABELS, round(longest_label * _LETTER) + _AFTER_LABEL)

    def scale(value: float) -> float:
        return round(begin + value / most * (WIDTH - begin - _NUMBERS), 1)

    bars = []
    for number, (label, text, rate) in enumerate(rows):
        has_interval = rate.low < rate.high
        low, high = (scale(rate.low), scale(rate.high)) if has_interval else (None, None)
        bars.append(Bar(label, text, number * _ROW + _ABOVE, scale(rate.value), low, high))
    height = len(rows) * _ROW + _AROUND
    return Bars(title, tuple(bars), height, begin, middle=None if middle is None else scale(middle))


# Power against price

_HEIGHT = 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 130, 14, 56
_NAME_HEIGHT = 15
MOST_NAMED = 8
"""So many points have their name beside them, those farthest from the line."""


class Point(Struct, frozen=True):
    """A card: its name stands beside it if it is an outlier or far from the line (``is_named``)."""

    x: float
    y: float
    name: str
    title: str
    is_named: bool
    is_outlier: bool
    name_y: float


class Tick(Struct, frozen=True):
    """A number at an axis."""

    at: float
    text: str


class Scatter(Struct, frozen=True):
    """Points, the line of what is to be expected, and the axes."""

    title: str
    points: tuple[Point, ...]
    line: tuple[float, float, float, float]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    x_label: str
    y_label: str
    width: int = WIDTH
    height: int = _HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    top: int = _TOP
    bottom: int = _HEIGHT - _BOTTOM


def power_scatter(figures: Figures) -> Scatter | None:
    """The power of OPERATORs against their price; None without at least two prices."""
    power_by_price = [
        (float(power.price), power) for power in figures.exact.powers.values() if power.price is not None
    ]
    prices = [price for price, _ in power_by_price]
    if len(set(prices)) < 2:
        return None
    powers = [power for _, power in power_by_price]
    values = [(price, float(power.power)) for price, power in power_by_price]
    slope, at_zero = expected_line(powers) or median_line(values)
    cheapest, dearest = min(prices), max(prices)
    line_begin, line_end = at_zero + slope * cheapest, at_zero + slope * dearest
    # the axes: from a whole number to a whole number above, and half a price more at each side
    shown_values = [*(value for _, value in values), line_begin, line_end]
    lowest = floor(min(shown_values))
    highest = max(lowest + 1, ceil(max(shown_values)))
    first, last = floor(cheapest) - 0.5, ceil(dearest) + 0.5

    def x(price: float) -> float:
        return round(_LEFT + (price - first) / (last - first) * (WIDTH - _LEFT - _RIGHT), 1)

    def y(value: float) -> float:
        height = (value - lowest) / (highest - lowest) * (_HEIGHT - _TOP - _BOTTOM)
        return round(_HEIGHT - _BOTTOM - height, 1)

    say = figures.words.say
    return Scatter(
        title=say("balance-scatter"),
        points=tuple(_points(figures, powers, x, y)),
        line=(x(cheapest), y(line_begin), x(dearest), y(line_end)),
        x_ticks=tuple(Tick(x(price), str(price)) for price in range(floor(cheapest), ceil(dearest) + 1)),
        y_ticks=tuple(
            Tick(y(value), figures.number(value, 0, sign=True)) for value in range(lowest, highest + 1)
        ),
        x_label="SQUADPOINTS",
        y_label=say("balance-power"),
    )


def _points(
    figures: Figures, powers: Sequence[CardPower], x: Callable[[float], float], y: Callable[[float], float]
) -> list[Point]:
    """Return a point for each card by price and power; those furthest from what is expected have names."""

    most_surprising_first = sorted(
        powers, key=lambda power: (power.verdict is None, -distance_from_expected(power))
    )
    named_ids = {power.card for power in most_surprising_first[:MOST_NAMED]}
    points: list[Point] = []
    lowest_name: dict[int, float] = {}  # by price, which is where points lie above each other
    for power in sorted(powers, key=lambda power: -power.power):
        name_y = y(float(power.power))
        is_named = power.card in named_ids
        if is_named:  # names of points above each other must not lie on each other
            price = power.price or 0
            if price in lowest_name:
                name_y = max(name_y, lowest_name[price] + _NAME_HEIGHT)
            lowest_name[price] = name_y
        name, value = figures.name(power.card), figures.number(float(power.power), 2, sign=True)
        title = f"{name}: {power.price} SQUADPOINTS, {value}"
        points.append(
            Point(
                x=x(power.price or 0),
                y=y(float(power.power)),
                name=name,
                title=title,
                is_named=is_named,
                is_outlier=power.verdict is not None,
                name_y=name_y,
            )
        )
    return points
