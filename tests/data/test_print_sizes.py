"""Sizes as people write them: what a project accepts is read, in mm, and lies in the bounds."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.data.projects import SETTINGS, load
from tests.thoroughness import examples
from toolkit.data.print_sizes import PIECE_PATTERN, SIZE_PATTERN, read_lengths

NUMBERS = st.from_regex(r"[0-9]{1,4}([.,][0-9]{1,4})?", fullmatch=True)
UNITS = st.sampled_from(["", "mm", "MM", "cm", " cm", "in", " In", "inch", "inches", '"', "″", "m", "pt"])


@given(NUMBERS, UNITS, st.sampled_from(["x", "X", "×", " x ", " × ", "*"]), NUMBERS, UNITS)
@examples(600)
def test_what_is_accepted_is_read_and_lies_in_the_bounds(
    width: str, first: str, sign: str, height: str, unit: str
) -> None:
    text = f"{width}{first}{sign}{height}{unit}"
    if re.search(SIZE_PATTERN, text):
        sides = read_lengths(text)
        assert sides is not None
        assert len(sides) == 2
        assert all(10 <= side < 1000 for side in sides), (text, sides)
    if re.search(PIECE_PATTERN, f"round-{width}{unit}"):
        (side,) = read_lengths(f"{width}{unit}") or ()
        assert 10 <= side < 1000


@given(st.text(max_size=40))
def test_no_text_makes_it_raise(text: str) -> None:
    read_lengths(text)


def test_a_size_that_is_not_accepted_is_told_in_mm(tmp_path: Path) -> None:
    for written, says in (
        ("card_size: 2.5x3.5", "Did you mean `2.5x3.5in`? It is 63.5 × 88.9 mm, the size `poker-us`."),
        ("card_size: 63x88", "Did you mean `63x88mm`? It is 63 × 88 mm, the size `poker`."),
        ("card_size: 1x2in", None),
        ("card_size: 0.1x2in", "It is 2.54 × 50.8 mm; write a size of 10 to 999 mm a side."),
        ("paper: 2 x 3 m", "Choose one of these: a4, letter, a3, tabloid."),
        ("paper: 4x6in", None),
    ):
        key = written.partition(":")[0]
        default = {"card_size": "card_size: poker", "paper": "paper: a4"}[key]
        _, findings = load(tmp_path, opforge=SETTINGS.replace(default, written))
        findings = [one for one in findings if one.name == "unknown-value"]
        assert [one.next_step for one in findings] == ([says] if says else []), written
