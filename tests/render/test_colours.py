"""Colours that can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.diagnostics import Diagnostic
from toolkit.project.pipeline import open_project
from toolkit.render.colours import (
    VISIONS,
    Vision,
    contrast,
    distance,
    ink,
    mix,
    nearest_colour,
    parse,
    readable,
    seen,
)

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
    assert contrast(ink(background), background) >= 4.5


@given(colours, colours)
def test_a_readable_colour_reaches_the_contrast(colour: str, background: str) -> None:
    assert contrast(readable(colour, background), background) >= 4.5
    assert contrast(readable(colour, background, 3), background) >= 3


@given(colours, colours)
def test_a_colour_that_can_be_read_stays_as_it_is(colour: str, background: str) -> None:
    if contrast(colour, background) >= 4.5:
        assert readable(colour, background) == colour


@given(st.text())
def test_no_text_makes_a_colour_raise(text: str) -> None:
    readable(text, text)


def test_colours_as_they_are_simulated_elsewhere() -> None:
    # what the matrices of Machado et al. 2009 give for severity 1.0
    assert seen("#ff0000", "protanopia") == "#6d5f00"
    assert seen("#00ff00", "deuteranopia") == "#efd63a"
    assert seen("#123456", "full colour vision") == "#123456"


@given(colours, st.sampled_from(VISIONS))
def test_greys_look_the_same_to_everybody(colour: str, vision: Vision) -> None:
    grey = mix("#000000", "#ffffff", parse(colour)[0] / 255)
    assert distance(seen(grey, vision), grey, "full colour vision") < 1


@given(colours, colours, st.sampled_from(VISIONS))
def test_distance_is_one(one: str, other: str, vision: Vision) -> None:
    assert distance(one, one, vision) == 0
    assert distance(one, other, vision) == pytest.approx(distance(other, one, vision))
    assert 0 <= distance(one, other, vision) < 160
    assert distance("#000000", "#ffffff", vision) == pytest.approx(100, abs=0.5)


def test_the_nearest_colour_that_passes_is_found() -> None:
    def passes(colour: str) -> bool:
        return all(distance(colour, "#aa0000", vision) >= 10 for vision in VISIONS)

    found = nearest_colour("#aa1100", passes)
    assert found is not None
    assert passes(found)
    assert distance(found, "#aa1100", "full colour vision") < 30
    assert nearest_colour("#aa1100", lambda _colour: False) is None


TEAMS = """
teams:
  - {{id: one, name: One, colours: {}}}
  - {{id: two, name: Two, colours: {}}}
"""


def found_about(folder: Path, one: str, two: str) -> list[Diagnostic]:
    (folder / "opforge.yaml").write_text("project: P\n")
    (folder / "teams.yaml").write_text(TEAMS.format(one, two))
    names = {"low-contrast", "similar-colours"}
    return [finding for finding in open_project(folder).findings if finding.name in names]


@pytest.mark.parametrize(
    ("one", "two", "whom"),
    [
        ('["#aa0000", "#ffcc00"]', '["#556600", "#ffcc00"]', "to people with deuteranopia"),
        ('["#006633", "#ffcc00"]', '["#004c80", "#ffcc00"]', "to people with tritanopia"),
        ('["#aa0000", "#ffcc00"]', '["#aa0000", "#ffcc00"]', "look alike."),
        ('["#aa0000"]', '["#a80505"]', "look alike."),
        ('["#1d2b3a", "#e8c547"]', '["#5a1f2b", "#e8d9b0"]', None),
        ('["#aa0000", "#ffffff"]', '["#556600", "#ffcc00"]', None),
    ],
)
def test_teams_that_look_alike_are_told_with_a_colour_that_would_do(
    tmp_path: Path, one: str, two: str, whom: str | None
) -> None:
    found = found_about(tmp_path, one, two)
    if whom is None:
        assert found == []
        return
    (finding,) = found
    assert (finding.name, finding.card) == ("similar-colours", "two")
    assert whom in finding.message
    assert finding.span.text.strip('"') in two
    better = finding.next_step.split('"')[1]
    assert found_about(tmp_path, one, two.replace(finding.span.text.strip('"'), better, 1)) == []


def test_colours_without_contrast_are_told_with_one_that_would_do(tmp_path: Path) -> None:
    (finding,) = found_about(tmp_path, '["#777777", "#888888"]', '["#1d2b3a", "#e8c547"]')
    assert (finding.name, finding.span.text, finding.card) == ("low-contrast", '"#888888"', "one")
    better = finding.next_step.split('"')[1]
    assert found_about(tmp_path, f'["#777777", "{better}"]', '["#1d2b3a", "#e8c547"]') == []


def test_one_colour_has_no_contrast_to_have(tmp_path: Path) -> None:
    assert found_about(tmp_path, '["#777777"]', '["#1d2b3a", "#e8c547"]') == []
