"""Fingerprints: the same for the same effect, always, and another for another."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.dsl_trees import effects
from tests.thoroughness import examples
from tests.wording.test_wording_laws import changes
from toolkit.dsl import tree
from toolkit.dsl.effect_printer import fingerprint, print_effect
from toolkit.dsl.parsing import parse_effect

KNOWN = {
    "self gets +1 AP.": "d3b82560ec",
    "when attacking, if target is SUPPRESSED, self gets +2 AP.": "64fec389c4",
    "when played, either owner draws 2 cards or one own OPERATOR gains BONUS (MOVE).": "af5f99dc41",
    'all other own OPERATORs of TEAM "owls" with AP >= 3 that are not HIT get -1 EP for each ROUND.': (
        "130b34a290"
    ),
}
"""Written down once: cards in the world carry them as ``text_for``, so they may never change."""


def of(text: str) -> str:
    effect, problems = parse_effect(text, comments=True)
    assert effect is not None, problems
    return fingerprint(effect)


@pytest.mark.parametrize("text", KNOWN)
def test_it_never_changes(text: str) -> None:
    assert of(text) == KNOWN[text]


def test_layout_and_forms_do_not_count() -> None:
    plain = of("all own OPERATORs get +1 AP and -1 EP. self draws 1 card.")
    assert plain == of("all own OPERATORs\n  gets +1 AP # so\n  and -1 EP.\nself draw 1 cards.")


def test_doubling_is_multiplying_by_two() -> None:
    assert of("self doubles AP.") == of("self multiplies AP by 2.")


@given(effects())
@examples(100)
def test_it_survives_printing_and_parsing(effect: tree.Effect) -> None:
    assert of(print_effect(effect)) == fingerprint(effect)
    assert len(fingerprint(effect)) == 10


@given(effects())
@examples(30)
def test_another_tree_has_another_one(effect: tree.Effect) -> None:
    mine = fingerprint(effect)
    assert all(fingerprint(other) != mine for other in changes(effect) if other != effect)
