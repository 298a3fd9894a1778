"""Which cards are compared at all: bit sets find those that the definition finds, in the same order."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from toolkit.lint.outclassed import _others, _Outline

LEVELS = st.integers(1, 3)


@st.composite
def outlines(draw: st.DrawFn) -> _Outline:
    made = _Outline.__new__(_Outline)
    made.good = draw(st.dictionaries(st.integers(0, 4), LEVELS, max_size=3))
    made.bad = draw(st.dictionaries(st.integers(5, 8), LEVELS.map(int.__neg__), max_size=2))
    made.strength = sum(made.good.values()) + sum(made.bad.values())
    made.doubtful = draw(st.sampled_from([(), (), ("Fixes",)]))
    return made


@given(st.lists(outlines(), min_size=2, max_size=12))
def test_candidates_are_those_that_may_beat_a_card(some: list[Any]) -> None:
    found = {id(one): list(candidates) for one, candidates in _others(some, lambda outline: outline)}
    for one in some:
        may = [other for other in some if other is not one and one.good and other.may_beat(one)]
        strongest = sorted(may, key=lambda other: -other.strength)
        assert list(map(id, found.get(id(one), []))) == list(map(id, strongest))
