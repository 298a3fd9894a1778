"""Which cards are compared at all: bit sets find those that the definition finds, in the same order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from toolkit.lint.card_comparison import Outline, candidates_of

LEVELS = st.integers(1, 3)


@st.composite
def outlines(draw: st.DrawFn) -> Outline:
    made = Outline.__new__(Outline)
    made.good = draw(st.dictionaries(st.integers(0, 4), LEVELS, max_size=3))
    made.bad = draw(st.dictionaries(st.integers(5, 8), LEVELS.map(int.__neg__), max_size=2))
    made.strength = sum(made.good.values()) + sum(made.bad.values())
    made.doubtful = draw(st.sampled_from([(), (), ("Fixes",)]))
    return made


def may_outclass(one: Outline, other: Outline) -> bool:
    """By definition: nothing good of the other is missing here, and nothing bad is here alone."""
    return (
        one.doubtful == other.doubtful
        and all(shape in one.good and one.good[shape] >= level for shape, level in other.good.items())
        and all(shape in other.bad and level >= other.bad[shape] for shape, level in one.bad.items())
    )


@given(st.lists(outlines(), min_size=2, max_size=12))
def test_candidates_are_those_that_may_outclass_a_card(some: list[Outline]) -> None:
    found = {n: list(candidates) for n, candidates in candidates_of(some)}
    for n, one in enumerate(some):
        may = [m for m, other in enumerate(some) if m != n and one.good and may_outclass(other, one)]
        assert found.get(n, []) == sorted(may, key=lambda m: -some[m].strength)
