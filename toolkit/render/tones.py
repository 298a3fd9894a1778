"""The tones of a card, derived from one colour by one law, so that each can be read on the others.

A ground is dark if white words are read better on it than dark ones. What lies deeper than the ground moves
away from the words, a line towards them until it has the contrast of words (WCAG 2.2, 1.4.3): what is read on
the ground is read on the deep tone even better. Lines keep the hue of their ground.
"""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from toolkit.render.colours import BLACK, DARK, LIGHT, contrast, ink, luminance, mix, readable, tinted

_DEPTH = {LIGHT: (BLACK, 0.34), DARK: (LIGHT, 0.4), BLACK: (LIGHT, 0.4)}
"""By the colour of words on a ground the colour towards which its deep tone is mixed, and its share."""

_LINE = {LIGHT: (0.88, 0.07), DARK: (0.27, 0.06), BLACK: (0.2, 0.05)}
"""By the colour of words on a ground the lightness and the most chroma of its lines."""

MIN_ON_PAPER = 7.0
"""The contrast of rules text on its ground: small type in bad light (WCAG 2.2, 1.4.6)."""

_MUTED = 0.26
"""The share of the ground in words that stand back, such as flavour."""


class Tones(Struct, frozen=True):
    """The tones of a ground: what is darker (on a light ground lighter) for plates, what lines and emblems
    are drawn with and labels written with, and black or white for words.
    """

    ground: str
    deep: str
    line: str
    words: str


@lru_cache(maxsize=256)
def tones(ground: str, line: str | None = None) -> Tones:
    """Return the tones of a ground; a given ``line`` is moved as little as its contrast requires."""
    words = ink(ground)
    towards, share = _DEPTH[words]
    line = line or tinted(ground, *_LINE[words])
    return Tones(ground, mix(ground, towards, share), readable(line, ground), words)


_SOFT, _WARM, _HAIR = 0.88, 0.82, 0.72
"""The shares of white in what sets parts of a white page apart: in grounds, and in hairlines."""

_MARK = 3.0
"""The contrast of lines and signs that are no words (WCAG 2.2, 1.4.11)."""


class PageTones(Struct, frozen=True):
    """The colours of white pages, such as the rules: ``head`` with ``words`` and ``light`` words on it,
    titles, lines, words that stand out, two grounds that set parts apart, and hairlines.
    """

    head: str
    words: str
    light: str
    title: str
    line: str
    accent: str
    soft: str
    warm: str
    hair: str


@lru_cache(maxsize=64)
def page_tones(tone: Tones) -> PageTones:
    """Return the colours of white pages in the tones of a ground; all words can be read on both grounds."""
    soft, warm = mix(tone.ground, LIGHT, _SOFT), mix(tone.line, LIGHT, _WARM)
    darker = min(soft, warm, key=luminance)
    return PageTones(
        head=tone.ground,
        words=tone.words,
        light=tone.line,
        title=readable(tone.ground, darker),
        line=readable(tone.line, LIGHT, _MARK),
        accent=readable(tone.line, darker),
        soft=soft,
        warm=warm,
        hair=mix(tone.ground, LIGHT, _HAIR),
    )


def muted(paper: str) -> str:
    """Return the colour of words that stand back on a ground of rules text."""
    return readable(mix(ink(paper), paper, _MUTED), paper, min(MIN_ON_PAPER, contrast(ink(paper), paper)))


def most_contrast(ground: str) -> float:
    """Return the contrast of the words that can be read best on a ground."""
    return contrast(ink(ground), ground)
