"""Colours that can be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.render.colours import contrast, ink, mix, parse, readable

colours = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_short_and_unknown_colours() -> None:
    assert parse("#abc") == parse("#aabbcc") == (170, 187, 204)
    assert parse("red") == parse("#12345") == (128, 128, 128)


def test_mixing() -> None:
    assert mix("#000000", "#ffffff", 0) == "#000000"
    assert mix("#000000", "#ffffff", 1) == "#ffffff"
    assert mix("#102030", "#304050", 0.5) == "#203040"


@given(colours)
def test_ink_can_be_read_on_any_colour(background: str) -> None:
    assert contrast(ink(background), background) >= 4.2


@given(colours, colours)
def test_a_readable_colour_reaches_three_to_one(colour: str, background: str) -> None:
    assert contrast(readable(colour, background, 3), background) >= 3


@given(colours, colours)
def test_a_colour_that_can_be_read_stays_as_it_is(colour: str, background: str) -> None:
    if contrast(colour, background) >= 4.5:
        assert readable(colour, background) == colour


@given(st.text())
def test_no_text_makes_a_colour_raise(text: str) -> None:
    readable(text, text)
