"""What the classic theme promises: legible in every size of card, and in a hand of cards held as a fan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import pypdfium2
import pytest
from msgspec.structs import replace

from tests.engine.tables import shipped
from tests.render import samples
from tests.render.test_text import pages_of
from tests.thoroughness import THOROUGH
from toolkit.project.faces import face_options_of, roots_of
from toolkit.render.checks.fit_check import check_fit
from toolkit.render.face import KINDS, Face, RulesText
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.pages import Pages
from toolkit.render.sizes import BLEED, CARD_SIZES, POINTS_PER_MM
from toolkit.wording.badge import Badge

pytest.importorskip("plutoprint")

STRIP = 14.0
"""What is seen of a card below another one in a hand, in mm from the left."""

IN_HAND = ("attack", "defence", "effect", "strategy", "item")


@pytest.fixture(autouse=True)
def roots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Roots:
    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    return Roots(tmp_path)


def printed_in(size: str, cards: Sequence[Face]) -> list[str]:
    """The findings of printing these cards in that size: overflow, small words, faint words …"""
    found = check_fit(cards, CARD_SIZES[size], roots_of(shipped()), face_options_of(shipped()))
    assert not isinstance(found, str), found
    return [finding.message for finding in found]


UPRIGHT = [name for name, size in CARD_SIZES.items() if size.shape == "rect"]
OTHERS = [name for name, size in CARD_SIZES.items() if size.shape != "rect"]


@pytest.mark.parametrize(
    ("size", "language"),
    [*product(UPRIGHT, ["en", "de"])] if THOROUGH else [("mini-us", "en"), ("business", "de")],
)
def test_the_shipped_set_is_printed_without_a_finding_in_every_size(size: str, language: str) -> None:
    """In a quick run the smallest cards are every third one; those of the other theme are others."""
    shown = samples.shipped_faces(language)
    shown = shown if THOROUGH else shown[1::3] if size == "mini-us" else shown[2::6]
    assert printed_in(size, shown) == []


@pytest.mark.parametrize("size", ["mini", *OTHERS])
def test_objectives_are_printed_without_a_finding_as_documented(size: str) -> None:
    for language in ("en", "de"):
        objectives = [face for face in samples.shipped_faces(language) if face.kind == "objective"]
        assert printed_in(size, objectives) == []


def edges_of(page: pypdfium2.PdfPage, text: str) -> tuple[float, float, float]:
    """Left, right and lower edge of the first place of a text, in mm from the cut's upper left corner."""
    words = page.get_textpage()
    found = words.search(text).get_next()
    assert found is not None, (text, words.get_text_range())
    boxes = [words.get_charbox(number) for number in range(found[0], sum(found))]
    left, right = min(box[0] for box in boxes), max(box[2] for box in boxes)
    lower = page.get_height() - min(box[1] for box in boxes)
    return left / POINTS_PER_MM - BLEED, right / POINTS_PER_MM - BLEED, lower / POINTS_PER_MM - BLEED


def test_what_a_card_changes_stands_in_the_strip_that_is_seen_in_a_hand() -> None:
    cards = [face for face in samples.shipped_faces("de") if face.badge]
    assert len(cards) > 20
    pages = pages_of(cards, roots_of(shipped()))
    for face, page in zip(cards, pages, strict=True):
        assert face.badge
        parts = [face.badge.text + "*" * face.badge.conditional, face.badge.unit, face.badge.enemy]
        for part in filter(None, parts):
            left, right, lower = edges_of(page, part)
            assert left > 2.5, (face.id, part)
            assert right < STRIP, (face.id, part)
            assert lower < 20, (face.id, part)


@pytest.mark.parametrize("kind", IN_HAND)
def test_the_sign_of_a_kind_stands_there_too(roots: Roots, kind: str) -> None:
    page = str(Pages(CARD_SIZES["poker"], Fetcher(roots)).card(samples.deck_card(kind, "Same"), 0, {}))  # type: ignore[arg-type]
    signs = re.findall(r'place sign" style="left:([\d.]+)rem; top:([\d.]+)rem; width:([\d.]+)rem', page)
    assert any(float(left) + float(width) <= STRIP and float(top) < 10 for left, top, width in signs)


def test_a_badge_that_does_not_always_hold_is_marked(roots: Roots) -> None:
    for conditional in (False, True):
        badge = Badge("+2", "ap", "AP", conditional=conditional)
        face = samples.deck_card("attack", "Shot", badge=badge)
        page = str(Pages(CARD_SIZES["poker"], Fetcher(roots)).card(face, 0, {}))
        assert ("*</span>" in page) == conditional


@pytest.mark.parametrize("kind", KINDS)
def test_the_picture_has_what_the_text_leaves(kind: str) -> None:
    heights = []
    pages = Pages(CARD_SIZES["poker"], Fetcher(roots_of(shipped())))
    card = next(face for face in samples.shipped_faces("en") if face.kind == kind)
    for words in (6, 40, 80):
        skill = RulesText(None, (samples.words("Advance. " * words),))
        page = str(pages.card(replace(card, skills=(skill,), flavour=None), 0, {}))
        (height,) = re.findall(r'place window" style="[^"]*height:([\d.]+)rem', page)
        heights.append(float(height))
    assert heights == sorted(heights, reverse=True)
    assert heights[0] >= heights[-1] + 6
