"""Readable colours on any background, and the simulation of colour blindness.

Contrast is that of WCAG 2; colours are mixed in sRGB. The three matrices are those of Machado, Oliveira and
Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency" (IEEE TVCG 15, 2009),
severity 1.0, for linear light. Distances are measured in OKLab (Björn Ottosson, 2020), times 100: about 2 is
just noticeable side by side.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Literal

Rgb = tuple[int, int, int]

DARK = "#15181c"
LIGHT = "#ffffff"
BLACK = "#000000"

MIN_CONTRAST = 4.5
"""The minimum for text (WCAG 2.2, success criterion 1.4.3). On any colour either white or black has it."""

_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def parse(colour: str) -> Rgb:
    """Return red, green and blue, 0 to 255; mid-grey for anything but ``#rgb`` and ``#rrggbb``."""
    if not _HEX.fullmatch(colour):
        return 128, 128, 128
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


@lru_cache(maxsize=1024)
def mix(colour: str, other: str, share: float) -> str:
    """Return a mix of two colours; ``share`` (0 to 1) is that of the other."""
    channels = zip(parse(colour), parse(other), strict=True)
    return "#" + "".join(f"{round(first + (second - first) * share):02x}" for first, second in channels)


def luminance(colour: str) -> float:
    """Return the relative luminance, from 0 (black) to 1 (white)."""
    red, green, blue = _linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other: str) -> float:
    """Return the contrast ratio, from 1 to 21."""
    brighter, darker = sorted((luminance(colour), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


@lru_cache(maxsize=1024)
def ink(background: str) -> str:
    """Return near-black or white, whichever has more contrast on the background; black if that is too low."""
    ink_colour = max(LIGHT, DARK, key=lambda colour: contrast(colour, background))
    return ink_colour if contrast(ink_colour, background) >= MIN_CONTRAST else BLACK


@lru_cache(maxsize=1024)
def readable(colour: str, background: str, ratio: float = MIN_CONTRAST) -> str:
    """Return the colour, moved towards black or white as little as the contrast ratio requires."""
    goal = ink(background)
    for step in range(11):
        candidate = mix(colour, goal, step / 10)
        if contrast(candidate, background) >= ratio:
            return candidate
    return goal


@lru_cache(maxsize=1024)
def tinted(colour: str, lightness: float, most_chroma: float) -> str:
    """Return a colour of the same hue with another lightness (0 to 1), and at most that much chroma."""
    _, a, b = _oklab(_linear(colour))
    share = min(1.0, most_chroma / max(math.hypot(a, b), 1e-6))
    return _hex(_from_oklab((lightness, a * share, b * share)))


Vision = Literal["full colour vision", "protanopia", "deuteranopia", "tritanopia"]
Triple = tuple[float, float, float]

VISIONS: tuple[Vision, ...] = ("full colour vision", "protanopia", "deuteranopia", "tritanopia")
"""Normal vision, and vision without the cones for long, middle or short waves (red, green, blue)."""

_MATRICES: dict[Vision, tuple[Triple, Triple, Triple]] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def seen(colour: str, vision: Vision) -> str:
    """Return a colour as somebody with that vision sees it."""
    return _hex(_simulate(_linear(colour), vision))


def distance(colour: str, other: str, vision: Vision) -> float:
    """Return the distance of two colours for somebody with that vision: 0 the same, 100 black and white."""
    return 100 * math.dist(_lab(colour, vision), _lab(other, vision))


@lru_cache(maxsize=4096)
def _lab(colour: str, vision: Vision) -> Triple:
    return _oklab(_simulate(_linear(colour), vision))


def nearest_colour(colour: str, passes: Callable[[str], bool]) -> str | None:
    """Return the nearest colour that passes, or None if none of those tried does."""
    return next((candidate for candidate in _around(colour) if passes(candidate)), None)


def _around(colour: str) -> Iterator[str]:
    """Yield variations of lightness, hue and saturation, the smallest change first."""
    lightness, a, b = _oklab(_linear(colour))
    chroma, hue = math.hypot(a, b), math.atan2(b, a)
    # steps of 5 % of lightness and 15° of hue; as colourful as it is, a little more, and clearly coloured
    candidates = []
    for lightness_step in range(-12, 13):
        for turn in range(24):
            for other_chroma in (chroma, chroma + 0.06, 0.12):
                angle = hue + turn * math.pi / 12
                other_a, other_b = other_chroma * math.cos(angle), other_chroma * math.sin(angle)
                candidates.append((lightness + lightness_step / 20, other_a, other_b))
    for candidate in sorted(candidates, key=lambda lab: math.dist(lab, (lightness, a, b))):
        linear = _from_oklab(candidate)
        if all(-0.001 <= channel <= 1.001 for channel in linear):  # else no screen can show it
            yield _hex(linear)


def _linear(colour: str) -> Triple:
    red, green, blue = (_to_linear(channel / 255) for channel in parse(colour))
    return red, green, blue


def _to_linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _from_linear(channel: float) -> float:
    return 12.92 * channel if channel <= 0.0031308 else float(1.055 * channel ** (1 / 2.4) - 0.055)


def _hex(linear: Triple) -> str:
    parts = (round(255 * _from_linear(min(max(channel, 0.0), 1.0))) for channel in linear)
    return "#" + "".join(f"{channel:02x}" for channel in parts)


def _simulate(linear: Triple, vision: Vision) -> Triple:
    return _multiply(_MATRICES[vision], linear) if vision in _MATRICES else linear


def _multiply(matrix: tuple[Triple, Triple, Triple], vector: Triple) -> Triple:
    first, second, third = (sum(map(float.__mul__, row, vector)) for row in matrix)
    return first, second, third


def _oklab(linear: Triple) -> Triple:
    """Return lightness, green to red and blue to yellow in Oklab of linear RGB, by Ottosson's matrices."""
    cones = _multiply(
        (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        ),
        linear,
    )
    long, middle, short = (math.copysign(abs(cone) ** (1 / 3), cone) for cone in cones)
    return _multiply(
        (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        ),
        (long, middle, short),
    )


def _from_oklab(lab: Triple) -> Triple:
    """Return the linear RGB of a colour in Oklab."""
    light, a, b = lab
    cones = (
        (light + 0.3963377774 * a + 0.2158037573 * b) ** 3,
        (light - 0.1055613458 * a - 0.0638541728 * b) ** 3,
        (light - 0.0894841775 * a - 1.2914855480 * b) ** 3,
    )
    return _multiply(
        (
            (4.0767416621, -3.3077115913, 0.2309699292),
            (-1.2684380046, 2.6097574011, -0.3413193965),
            (-0.0041960863, -0.7034186147, 1.7076147010),
        ),
        cones,
    )
