"""What the classic theme promises: legible in every size of card, and in a hand of cards held as a fan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html.parser import HTMLParser
from io import BytesIO
from itertools import product, starmap
from pathlib import Path
from typing import NamedTuple

import pypdfium2
import pytest
import resvg_py
from fontTools.ttLib import TTFont
from msgspec.structs import replace
from PIL import Image

from tests.engine.tables import shipped
from tests.render import samples
from tests.render.test_text import pages_of
from tests.thoroughness import THOROUGH
from toolkit.data.looks import Look
from toolkit.project.faces import face_options_of, roots_of
from toolkit.render.checks.fit_check import check_fit
from toolkit.render.face import KINDS, Face, Imprint
from toolkit.render.fetch import Fetcher, Roots
from toolkit.render.pages import FaceOptions, Pages
from toolkit.render.sizes import BLEED, CARD_SIZES, POINTS_PER_MM
from toolkit.resources import templates_folder
from toolkit.wording.badge import Badge

pytest.importorskip("plutoprint")

STRIP = 14.0
"""What is seen of a card below another one in a hand, in mm from the left."""

IN_HAND = ("attack", "defence", "effect", "strategy", "item")

THEMES = ("classic", "tournament")


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
    [*product(UPRIGHT, ["en", "de"])] if THOROUGH else [("business", "de")],
)
def test_the_shipped_set_is_printed_without_a_finding_in_every_size(size: str, language: str) -> None:
    """In a quick run every sixth card of one size; those of the other theme are others, of the smallest."""
    assert printed_in(size, samples.shipped_faces(language)[:: 1 if THOROUGH else 6]) == []


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


class Style(NamedTuple):
    """A theme, and a layout of the look in it."""

    theme: str
    layout: str = "standard"

    @property
    def options(self) -> FaceOptions:
        return FaceOptions(look=Look(layout=self.layout))


LEFT = Style("classic", "stats-left")
STYLES = [LEFT, *starmap(Style, product(("classic", "tournament"), ("standard", "full-art")))]

_PLACE = re.compile(
    r'class="place (window|heading|stats|worth|text|label|logo|squadpoints|badge|sign)[^"]*" '
    r'style="(left:[-\d.]+rem; top:[-\d.]+rem; width:[-\d.]+rem; height:[-\d.]+rem)'
)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("card", CARD_SIZES if THOROUGH else ["poker"])
def test_frames_stand_still(style: Style, card: str) -> None:
    """Picture, name, stats and text box of all cards of a kind have one place, in both languages."""
    pages = Pages(CARD_SIZES[card], Fetcher(roots_of(shipped(), style.theme)), style.options)
    places: dict[tuple[str, str], set[str]] = {}
    every = (*samples.shipped_faces("en"), *samples.shipped_faces("de"))
    for face in every if THOROUGH or style.layout == "standard" else every[::4]:
        if CARD_SIZES[card].shape == "rect" or face.kind == "objective":
            for part, place in _PLACE.findall(str(pages.card(face, 0, {}))):
                if part != "sign":  # STRATEGY has two
                    places.setdefault((face.kind, part), set()).add(place)
    kinds = KINDS if CARD_SIZES[card].shape == "rect" else ["objective"]
    assert {(kind, part) for kind in kinds for part in ("window", "heading", "text")} <= places.keys()
    assert {key: found for key, found in places.items() if len(found) > 1} == {}


def edges(place: str) -> tuple[float, float, float, float]:
    """Left, top, right and lower edge of a place, in units."""
    left, top, width, height = map(float, re.findall(r"[-\d.]+(?=rem)", place))
    return left, top, left + width, top + height


@pytest.mark.parametrize("style", STYLES)
def test_nothing_lies_on_the_point_of_a_picture_that_stays_in_sight(style: Style) -> None:
    pages = Pages(CARD_SIZES["poker"], Fetcher(roots_of(shipped(), style.theme)), style.options)
    first = {face.kind: face for face in samples.shipped_faces("en")}
    for face, focus in product(first.values(), [None, (0.3, 0.3), (0.7, 0.3), (0.3, 0.7), (0.7, 0.7)]):
        places = _PLACE.findall(str(pages.card(replace(face, focus=focus), 0, {})))
        ((_, window),) = (found for found in places if found[0] == "window")
        left, top, right, lower = edges(window)
        across, down = focus or (0.5, 0.15 if face.kind == "operator" else 0.5)
        x, y = left + across * (right - left), top + down * (lower - top)
        for part, place in places:
            if part != "window":
                left, top, right, lower = edges(place)
                assert not (left < x < right and top < y < lower), (face.kind, focus, part)


@pytest.mark.parametrize("style", STYLES)
def test_operators_show_their_stats_in_a_hand_and_above_an_attached_card(style: Style) -> None:
    pages = Pages(CARD_SIZES["poker"], Fetcher(roots_of(shipped(), style.theme)), style.options)
    page = str(pages.card(samples.operator(), 0, {}))
    ((_, place),) = (found for found in _PLACE.findall(page) if found[0] == "stats")
    _, _, right, lower = edges(place)
    assert right <= STRIP
    assert style == LEFT or style.theme == "tournament" or lower <= CARD_SIZES["poker"].height / 2


class _UnmeasuredWords(HTMLParser):
    """Collects the words of a page that stand in no box of which the text is measured."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("img", "br"):
            self._open.append(dict(attrs).get("class") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("img", "br"):
            self._open.pop()

    def handle_data(self, text: str) -> None:
        if text.strip() and not any("fit-content" in names for names in self._open):
            self.words.append(text.strip())


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("card", ["poker", "business", "round"])
def test_every_word_of_the_shipped_templates_is_measured(style: Style, card: str) -> None:
    pages = Pages(CARD_SIZES[card], Fetcher(roots_of(shipped(), style.theme)), style.options)
    faces = [samples.objective("Bridge")]
    if card != "round":
        faces += [samples.operator(), *(samples.deck_card(kind, "Same") for kind in IN_HAND)]
    for face in faces:
        full = replace(
            face, badge=Badge("+2", "ap", "AP", "enemy"), imprint=Imprint("Night", "1/2", "A", "1")
        )
        parser = _UnmeasuredWords()
        parser.feed(str(pages.card(full, 0, {})))
        assert parser.words == []


def wide_font(path: Path, factor: int) -> None:
    """Write the shipped display font, so many times as wide."""
    font = TTFont(templates_folder() / "fonts" / "BarlowCondensed-Bold.ttf")
    for name in font.getGlyphOrder():
        glyph = font["glyf"][name]
        if glyph.isComposite():
            for component in glyph.components:
                component.x *= factor
        elif glyph.numberOfContours > 0:
            glyph.coordinates.scale((factor, 1))
        advance, bearing = font["hmtx"][name]
        font["hmtx"][name] = (factor * advance, factor * bearing)
    path.parent.mkdir()
    font.save(path)


@pytest.mark.parametrize("theme", THEMES)
def test_a_font_with_which_a_label_leaves_its_shape_is_told(tmp_path: Path, theme: str) -> None:
    wide_font(tmp_path / "fonts" / "wide.ttf", 5)
    faces = [samples.operator("Viper"), samples.operator("Hawk")]
    faces.append(samples.deck_card("attack", "Shot", badge=Badge("+2", "ap", "AP")))
    roots = Roots(tmp_path, theme=theme, fonts=(("display", Path("fonts/wide.ttf")),))
    found = check_fit(faces, CARD_SIZES["poker"], roots, FaceOptions())
    assert not isinstance(found, str)
    told = {finding.message.partition(" of ")[0] for finding in found if finding.name == "text-overflow"}
    assert {"The word for the kind", "The stats block", "The figure in the corner"} <= told
    labels = [finding for finding in found if "word for the kind" in finding.message]
    assert not any("Hawk" in finding.message for finding in labels)  # it is told once for all OPERATORs
    assert all("narrower `display` font" in finding.next_step for finding in labels)


def ink_of(name: str) -> list[int]:
    """How much of each dot an icon covers, drawn 3 mm high at 150 dpi."""
    drawing = (templates_folder() / "icons" / f"{name}.svg").read_text()
    png = bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=18, height=18))
    return list(Image.open(BytesIO(png)).getchannel("A").tobytes())


def test_the_dice_of_attacker_and_target_differ_at_the_size_of_text() -> None:
    """Of two dice in text of 9 pt at least two fifths of the ink are elsewhere."""
    attack, defence = (ink_of(name) for name in ("attack-d6", "defence-d6"))
    apart = sum(abs(a - b) for a, b in zip(attack, defence, strict=True))
    assert apart > 0.4 * (sum(attack) + sum(defence))
