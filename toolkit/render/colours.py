"""Colours that stay readable whatever colours a TEAM has: contrast as in WCAG 2, mixing in sRGB."""

from __future__ import annotations

import re
from functools import lru_cache

Rgb = tuple[int, int, int]

DARK = "#15181c"
LIGHT = "#ffffff"
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def parse(colour: str) -> Rgb:
    """Red, green and blue, 0 to 255; anything that is no ``#rgb`` or ``#rrggbb`` is mid-grey."""
    if not _HEX.fullmatch(colour):
        return 128, 128, 128
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:], 16)


@lru_cache(maxsize=1024)
def mix(colour: str, other: str, share: float) -> str:
    """The colour with that share (0 to 1) of the other mixed in."""
    pairs = zip(parse(colour), parse(other), strict=True)
    return "#" + "".join(f"{round(one + (two - one) * share):02x}" for one, two in pairs)


def luminance(colour: str) -> float:
    """Relative luminance, 0 black to 1 white."""
    red, green, blue = (
        part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in parse(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, other: str) -> float:
    """Contrast ratio, 1 to 21."""
    brighter, darker = sorted((luminance(colour), luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


@lru_cache(maxsize=1024)
def ink(background: str) -> str:
    """Near-black or white, whichever is read more easily on the background."""
    return max(LIGHT, DARK, key=lambda colour: contrast(colour, background))


@lru_cache(maxsize=1024)
def readable(colour: str, background: str, ratio: float = 4.5) -> str:
    """The colour, moved towards black or white as little as is needed for the contrast ratio."""
    goal = ink(background)
    for step in range(11):
        candidate = mix(colour, goal, step / 10)
        if contrast(candidate, background) >= ratio:
            return candidate
    return goal
