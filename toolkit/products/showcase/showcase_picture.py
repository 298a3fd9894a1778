"""A picture of a few cards, fanned out like a hand of cards or side by side, with soft shadows."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFilter
from PIL.PngImagePlugin import PngInfo

from toolkit.diagnostics import Diagnostic
from toolkit.press.card_pictures import PictureSettings, Subject, draw_cards
from toolkit.press.sheet import Failure
from toolkit.render.face import Face
from toolkit.render.fetch import Roots
from toolkit.render.page_raster import as_image
from toolkit.render.pages import FaceOptions
from toolkit.render.renderer import Progress, Raster
from toolkit.render.sizes import MM_PER_INCH, Size

Arrangement = Literal["fan", "row"]

_SUPERSAMPLING = 2
"""Everything is composed at a multiple of the size of the picture, and reduced."""

_MARGIN = 0.055
_MAX_CARD_HEIGHT = 0.66
"""The margin around the cards, and the maximum height of a card, as fractions of the width."""

_STEP, _WIDEST_FAN = 8.5, 54.0
_RADIUS = 2.6
"""Degrees between two cards of a fan, and the maximum between the first and the last; the distance from the
centre of a card to the pivot, in card heights."""

_GAP = 0.09
_CORNER = 3.0
_SHADOWS = ((0.6, 0.4, 0.8), (0.6, 2.4, 3.6))
"""Strength, offset and blur in mm of the two parts of a shadow: a sharp one and a soft one."""

_SHADOW_COLOUR = (8, 10, 12, 0)
_RIM_WHITE = 0.22
"""The share of white in the rim of a card."""

_MIDDLE, _EDGE = (74, 86, 97), (17, 22, 26)
"""The colours of the default background."""


class ShowcaseSettings(Struct, frozen=True):
    """The width in pixels, the arrangement, and the background.

    ``background`` is None for the default one, ``transparent``, or a colour such as ``#1d3461`` or ``navy``.
    """

    width: int = 1600
    arrangement: Arrangement = "fan"
    background: str | None = None


class ShownCard(Struct, frozen=True):
    """A card to show, with its trim and bleed in mm."""

    face: Face
    size: Size
    bleed: float


class Showcase(Struct, frozen=True):
    """The PNG and its size in pixels, the number of cards in it, and the findings of drawing them."""

    png: bytes
    width: int
    height: int
    cards: int
    diagnostics: tuple[Diagnostic, ...]


class _Place(Struct, frozen=True):
    """The place of a card: its centre in mm, y downwards, and its rotation in degrees clockwise."""

    x: float
    y: float
    turn: float
    size: Size

    def corners(self) -> Iterator[tuple[float, float]]:
        """Yield its corners."""
        sin, cos = math.sin(math.radians(self.turn)), math.cos(math.radians(self.turn))
        for right in (-0.5, 0.5):
            for down in (-0.5, 0.5):
                dx, dy = right * self.size.width, down * self.size.height
                yield self.x + dx * cos - dy * sin, self.y + dx * sin + dy * cos


def unknown_colour(background: str | None) -> str | None:
    """Return an error message if it is not a valid background."""
    if background is None or background == "transparent":
        return None
    try:
        ImageColor.getrgb(background)
    except ValueError:
        return f"--background takes a colour such as #1d3461 or navy, or transparent, not {background!r}."
    return None


def draw_showcase(
    cards: Sequence[ShownCard],
    settings: ShowcaseSettings,
    face_options: FaceOptions,
    roots: Roots,
    progress: Progress,
) -> Showcase | Failure:
    """Return the picture of these cards, in their order from left to right. Deterministic.

    A card whose template fails is left out and reported.
    """
    places = list(_fan(cards) if settings.arrangement == "fan" else _row(cards))
    frame = _frame_around(places, settings.width * _SUPERSAMPLING)
    pictures: dict[Subject, Image.Image] = {}
    diagnostics: list[Diagnostic] = []

    def keep_picture(subject: Subject, raster: Raster) -> None:
        pictures[subject] = as_image(raster)

    for size, bleed in dict.fromkeys((card.size, card.bleed) for card in cards):
        faces = [card.face for card in cards if (card.size, card.bleed) == (size, bleed)]
        picture_settings = PictureSettings(size, frame.scale * MM_PER_INCH, bleed, face_options=face_options)
        findings = draw_cards(faces, (), picture_settings, roots, keep_picture, progress)
        if isinstance(findings, Failure):
            return findings
        diagnostics += findings
    canvas = Image.new("RGBA", (frame.width, frame.height))
    for card, card_place in zip(cards, places, strict=True):
        if card.face in pictures:
            _paste_card(canvas, pictures[card.face], card_place, frame.scale, frame.shift)
    shown_count = sum(card.face in pictures for card in cards)
    picture = _on_background(canvas.reduce(_SUPERSAMPLING), settings.background)
    return Showcase(_as_png(picture), *picture.size, shown_count, tuple(diagnostics))


class _Frame(Struct, frozen=True):
    """The canvas that is drawn on: its size in pixels, pixels a mm, and where in it the point 0, 0 is."""

    width: int
    height: int
    scale: float
    shift: tuple[float, float]


def _frame_around(places: Sequence[_Place], width: int) -> _Frame:
    """Return a frame of that width in which all cards have a margin, and none is higher than allowed."""
    xs, ys = zip(*(corner for place in places for corner in place.corners()), strict=True)
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    tallest = max(place.size.height for place in places)
    scale = min(width * (1 - 2 * _MARGIN) / (right - left), width * _MAX_CARD_HEIGHT / tallest)
    height = round((bottom - top) * scale + 2 * _MARGIN * width)
    height += -height % _SUPERSAMPLING  # ``reduce`` needs whole pixels
    # in the middle, and with the margin above
    shift = ((width - (right - left) * scale) / 2 - left * scale, _MARGIN * width - top * scale)
    return _Frame(width, height, scale, shift)


def _as_png(picture: Image.Image) -> bytes:
    """Return a picture as PNG, marked as made by opforge."""
    stream, metadata = io.BytesIO(), PngInfo()
    metadata.add_text("Software", "opforge")
    picture.save(stream, "PNG", pnginfo=metadata, optimize=True)
    return stream.getvalue()


def _fan(cards: Sequence[ShownCard]) -> Iterator[_Place]:
    """Yield the places of a hand of cards: each card covers the one on its left, but not its upper corner."""
    radius = _RADIUS * max(card.size.height for card in cards)
    step = min(_STEP, _WIDEST_FAN / max(len(cards) - 1, 1))
    for number, card in enumerate(cards):
        turn = (number - (len(cards) - 1) / 2) * step
        angle = math.radians(turn)
        yield _Place(radius * math.sin(angle), -radius * math.cos(angle), turn, card.size)


def _row(cards: Sequence[ShownCard]) -> Iterator[_Place]:
    """Yield the places of cards side by side."""
    x = 0.0
    for card in cards:
        yield _Place(x + card.size.width / 2, -card.size.height / 2, 0.0, card.size)
        x += card.size.width * (1 + _GAP)


def _paste_card(
    canvas: Image.Image, picture: Image.Image, card_place: _Place, scale: float, shift: tuple[float, float]
) -> None:
    """Draw a card and its shadow over the cards below."""
    mask = _card_mask(picture.size, card_place.size, scale)
    # A lighter rim, a sixth of a millimetre wide, separates dark cards from each other.
    rim_width = max(round(scale / 6), 1)
    rim = ImageChops.subtract(mask, mask.filter(ImageFilter.MinFilter(2 * rim_width + 1)))
    lighter = Image.blend(picture, Image.new("RGB", picture.size, "white"), _RIM_WHITE)
    card = Image.composite(lighter, picture, rim).convert("RGBA")
    card.putalpha(mask)
    rotated = card.rotate(-card_place.turn, Image.Resampling.BICUBIC, expand=True)
    shift_x, shift_y = shift
    x = round(card_place.x * scale + shift_x - rotated.width / 2)
    y = round(card_place.y * scale + shift_y - rotated.height / 2)
    for strength, offset, blur in _SHADOWS:
        margin = round(3 * blur * scale)  # farther than a blurred edge is visible
        shadow = Image.new("L", (rotated.width + 2 * margin, rotated.height + 2 * margin))
        faded = rotated.getchannel("A").point(lambda dot, strength=strength: round(dot * strength))
        shadow.paste(faded, (margin, margin))
        shadow_layer = Image.new("RGBA", shadow.size, _SHADOW_COLOUR)
        shadow_layer.putalpha(shadow.filter(ImageFilter.GaussianBlur(blur * scale)))
        _composite(canvas, shadow_layer, x - margin, y - margin + round(offset * scale))
    _composite(canvas, rotated, x, y)


def _composite(canvas: Image.Image, layer: Image.Image, x: int, y: int) -> None:
    """Draw a picture over another; what lies outside is cropped."""
    left, top = max(-x, 0), max(-y, 0)
    right, bottom = min(layer.width, canvas.width - x), min(layer.height, canvas.height - y)
    if left < right and top < bottom:
        canvas.alpha_composite(layer.crop((left, top, right, bottom)), (max(x, 0), max(y, 0)))


def _card_mask(pixel_size: tuple[int, int], size: Size, scale: float) -> Image.Image:
    """Return the mask of a cut card, with smooth edges."""
    oversampling = 2
    width, height = (pixels * oversampling for pixels in pixel_size)
    mask = Image.new("L", (width, height))
    draw = ImageDraw.Draw(mask)
    if size.shape == "round":
        draw.ellipse((0, 0, width - 1, height - 1), fill=255)
    elif size.shape == "hex":
        quarter, half = height / 4, width / 2
        tips = [(half, 0), (width, quarter), (width, 3 * quarter)]
        draw.polygon([*tips, (half, height), (0, 3 * quarter), (0, quarter)], fill=255)
    else:
        draw.rounded_rectangle((0, 0, width - 1, height - 1), _CORNER * scale * oversampling, fill=255)
    return mask.reduce(oversampling)


def _on_background(picture: Image.Image, background: str | None) -> Image.Image:
    """Return the picture in front of a colour, the default gradient or nothing."""
    if background == "transparent":
        return picture
    if background is None:  # dark, and lighter in the middle
        gradient = Image.radial_gradient("L").resize(picture.size, Image.Resampling.BICUBIC)
        dark, light = (Image.new("RGBA", picture.size, colour) for colour in (_EDGE, _MIDDLE))
        backdrop = Image.composite(dark, light, gradient)
    else:
        backdrop = Image.new("RGBA", picture.size, ImageColor.getrgb(background))
    backdrop.alpha_composite(picture)
    return backdrop if backdrop.getchannel("A").getextrema() != (255, 255) else backdrop.convert("RGB")
