"""What drawings use that the PDF engine or resvg does not draw, and the search for it.

The rows are facts about PlutoBook 0.23 and resvg 0.48, and a test draws each with both. What is not listed
both draw alike, or no renderer draws it. ``switch`` and a few CSS declarations are no rows, because
``drawing_rewriting`` turns them into what both draw.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

from msgspec import Struct, field

from toolkit.data.art.drawing_styles import SHAPING, attributes_of, declarations, is_singular, plain_value


class Feature(Struct, frozen=True):
    """Something that a drawing can use, as messages name it, and who draws it.

    ``step`` is what to do if it is not drawn.
    """

    name: str
    engine: bool
    resvg: bool
    step: str


class Use(Struct, frozen=True):
    """A feature that a drawing uses, and the line of its first use."""

    feature: Feature
    line: int


class Words(Struct, frozen=True):
    """Characters of a text, the families of fonts that it names, and its line."""

    text: str
    families: tuple[str, ...]
    line: int


_AS_PLAIN = "Save it as plain SVG, or that part of it as PNG."
_AS_PATHS = "Convert the text to paths in your drawing program."
_AS_GRADIENT = "Use a linear or radial gradient, or save the drawing as PNG."
_AS_HEX = "Write the colour as #rrggbb."
_AS_STILL = "Save it without animation, in the state that you want."
_AS_CLASSES = "Select elements by their class or id only."
_FLATTENED = "Apply it to the shapes in your drawing program."


def _by_resvg(name: str) -> Feature:
    return Feature(name, engine=False, resvg=True, step=_AS_PLAIN)


def _by_engine(name: str, step: str) -> Feature:
    return Feature(name, engine=True, resvg=False, step=step)


def _by_none(name: str, step: str = _AS_PLAIN) -> Feature:
    return Feature(name, engine=False, resvg=False, step=step)


TEXT = Feature("text", engine=False, resvg=True, step=_AS_PATHS)
"""The engine draws it in fonts of this computer, resvg in those of the project and the shipped ones."""

_EXTERNAL_USE = _by_none("`<use>` of another file", "Copy what it uses into the drawing.")

_EMPTY_SWITCH = _by_none("`<switch>`, of which nothing can be drawn", _AS_PATHS)

ELEMENTS = {
    **{name: _by_none(f"`<{name}>`", _AS_PATHS) for name in ("foreignObject", "flowRoot")},
    **{name: _by_none(f"`<{name}>`", _AS_GRADIENT) for name in ("meshgradient", "meshGradient", "mesh")},
    **{name: _by_none(f"`<{name}>`", _AS_GRADIENT) for name in ("hatch", "solidColor", "solidcolor")},
    **{name: _by_none(f"`<{name}>`", _AS_STILL) for name in ("animate", "animateColor", "animateMotion")},
    **{name: _by_none(f"`<{name}>`", _AS_STILL) for name in ("animateTransform", "set")},
}

ELEMENTS["tref"] = TEXT

_TRANSFORMS = ("transform", "gradientTransform", "patternTransform")
_SINGULAR = _by_resvg("a transformation by zero")
"""Such as ``scale(0)``. The engine then writes nothing more, not even the pages of other cards."""

_HALF_ELLIPSE = _by_resvg("an `<ellipse>` with one radius")

_OFF = r"(?:none|auto|normal|initial|unset|inherit|)$"
_COLOURS = ("fill", "stroke", "stop-color", "color", "flood-color", "lighting-color")

_ZEROS = r"(?!(?:.*[\s,])?[-+]?[0.]*[1-9]).*\d"
"""Only zeros. With them the engine writes nothing after that line, not even the pages of other cards."""

_PROPERTY_ROWS = (
    (("filter",), rf"(?!{_OFF})", _by_resvg("`filter`")),
    (("paint-order",), r"stroke|markers|fill\s+markers", _by_resvg("`paint-order`")),
    (("mix-blend-mode",), rf"(?!{_OFF}|multiply$|plus-lighter$)", _by_resvg("`mix-blend-mode`")),
    (("mix-blend-mode",), r"plus-lighter$", _by_none("`mix-blend-mode: plus-lighter`")),
    (("isolation",), r"isolate", _by_resvg("`isolation`")),
    (("transform-origin",), rf"(?!{_OFF}|0(?:px)?(?:\s+0(?:px)?)?$)", _by_resvg("`transform-origin`")),
    (("transform-box",), r"(?:fill|content|stroke)-box", _by_none("`transform-box`", _FLATTENED)),
    (("image-rendering",), r"pixelated|crisp-edges|optimizeSpeed", _by_resvg("`image-rendering`")),
    (("vector-effect",), rf"(?!{_OFF})", _by_none("`vector-effect`", "Convert its outlines to paths.")),
    (("color-interpolation",), r"linearRGB", _by_none("`color-interpolation: linearRGB`")),
    (("mask-image",), rf"(?!{_OFF})", _by_none("`mask-image`", "Mask with a `<mask>` element.")),
    (("mask",), r"(?!url\()[\w-]+\(", _by_none("a gradient as `mask`", "Mask with a `<mask>` element.")),
    (
        ("clip-path",),
        r"(?!url\()[\w-]+\(",
        _by_none("a shape as `clip-path`", "Clip with a `<clipPath>` element."),
    ),
    (("offset-path",), rf"(?!{_OFF})", _by_none("`offset-path`", _FLATTENED)),
    (
        ("rotate", "scale", "translate"),
        rf"(?!{_OFF})",
        _by_none("`rotate`, `scale` or `translate` as a style", _FLATTENED),
    ),
    (("animation", "animation-name"), rf"(?!{_OFF})", _by_none("`animation`", _AS_STILL)),
    (("fill", "stroke"), r"context-(?:fill|stroke)", _by_resvg("`context-fill` or `context-stroke`")),
    (_COLOURS, r".*\b(?:ok)?l(?:ch|ab)\(", _by_none("a colour like `oklch()`", _AS_HEX)),
    (_COLOURS, r"color(?:-mix)?\(|light-dark\(|device-cmyk\(", _by_none("a colour like `color()`", _AS_HEX)),
    (
        _COLOURS,
        r"(?:rgb|hsl)a?\([^,]*\)|hwb\(|rebeccapurple",
        _by_engine("a colour like `rgb(0 0 0 / 50%)`", _AS_HEX),
    ),
    (_COLOURS, r".*\bvar\(", _by_engine("`var()`", _AS_HEX)),
    (("stroke-dasharray",), _ZEROS, _by_resvg("`stroke-dasharray` of zeros")),
    (("fr",), r"\d*[.%]*\d*[1-9]", _by_resvg("`fr` of a gradient")),
)
"""Presentation attributes and CSS properties, a pattern for the begin of their values, and the feature."""

PROPERTIES: dict[str, list[tuple[str, Feature]]] = {}
for _names, _pattern, _feature in _PROPERTY_ROWS:
    for _name in _names:
        PROPERTIES.setdefault(_name, []).append((_pattern, _feature))

_SHAPED_BY_STYLE = _by_none("a transformation or measure as a style", _FLATTENED)

_RULES = (
    (
        r"@(?:supports|layer|container|scope|starting-style)\b",
        _by_none("rules inside `@supports` or `@layer`", _AS_CLASSES),
    ),
    (r"@media\b", _by_engine("`@media`", _AS_CLASSES)),
    (
        r":(?!first-child\b|hover\b|active\b|focus\b|link\b|visited\b)|~|[\^$*]=",
        _by_engine("a selector like `:not()`", _AS_CLASSES),
    ),
)
"""Patterns for the begin of a rule in a style sheet."""

_NESTED = _by_none("nested rules", _AS_CLASSES)


WORDS = (
    *(b"<text", b":text", b"<set", b":set", b"switch", b"system", b"required"),
    *(b"foreigno", b"flowr", b"tref", b"mesh", b"hatch", b"solidc", b"animat"),
    *(b"-order", b"transform-", b"image-r", b"vector-", b"color-i", b" fr=", b"\nfr="),
    *(b"context-", b"lch(", b"lab(", b"color(", b"-mix(", b"-dark(", b"-cmyk(", b"var(", b"hwb(", b"rebecca"),
    *(b"rgb(", b"hsl("),
)
"""Parts of words, in small letters. A drawing that uses a feature has one of them, or one of those with which
``drawings`` reads a drawing anyway, such as ``style`` and ``filter``."""

_HIDING = frozenset(
    {"defs", "symbol", "clipPath", "mask", "pattern", "marker", "filter", "linearGradient", "radialGradient"}
)
"""Elements whose content is drawn only where something refers to it."""

_INSIDE = re.compile(r"""url\(\s*["']?#([^"')\s]+)""")
_ANY_FONT = frozenset({"sans-serif", "sans", "system-ui", "inherit", "initial", "unset", ""})
"""Names of fonts for which the shipped one may stand."""

_FONT_SIZE = re.compile(
    r"[\d.]+(?:[a-z]+|%)?(?:\s*/\s*\S+)?\s+|(?:(?:x+-)?(?:small|large)|medium|smaller|larger)\s+", re.I
)


_PART_OF_SHEET = re.compile(r"(?P<text>[^{}]*)(?P<bracket>[{}]|$)")


_LONGEST_FONT = 500
"""Limit of the characters of a ``font`` that are searched for its size."""

_MOST_USES = 1_000
"""Limit of the uses of one feature, and of texts, that are remembered until it is known what is drawn."""


class _Element(Struct):
    """An open element: the ids through which it can be referred to if it is not drawn by itself."""

    hidden: bool = False
    ids: tuple[str, ...] = ()
    is_text: bool = False
    families: tuple[str, ...] = ()


class FeatureFinder(Struct):
    """Collects the features that a drawing uses, fed element by element."""

    _open: list[_Element] = field(default_factory=lambda: [_Element()])
    _uses: list[tuple[Use, tuple[str, ...] | None]] = field(default_factory=list)
    _words: list[tuple[Words, tuple[str, ...] | None]] = field(default_factory=list)
    _references: set[str] = field(default_factory=set)
    _counts: dict[Feature, int] = field(default_factory=dict)
    _families_of_rules: list[str] = field(default_factory=list)

    def start(self, name: str, attributes: Mapping[str, str], address: str, line: int) -> None:
        """Begin an element of SVG, which refers to an address if that is not empty."""
        above = self._open[-1]
        style = attributes.get("style", "")
        hidden = above.hidden or name in _HIDING
        ids = (*above.ids, attributes["id"]) if hidden and "id" in attributes else above.ids
        is_text = (above.is_text or name == "text") and name not in ("title", "desc")
        families = _families(attributes.get("font-family", ""), style) or above.families
        element = _Element(hidden, ids, is_text, families)
        self._open.append(element)
        if name in ELEMENTS:
            self._add(ELEMENTS[name], line)
        if address.startswith("#"):
            self._references.add(address[1:])
        elif address and name == "use":
            self._add(_EXTERNAL_USE, line)
        if name == "ellipse" and ("rx" in attributes) != ("ry" in attributes):
            self._add(_HALF_ELLIPSE, line)
        for key, value in attributes.items():
            if "url(" in value:
                self._references.update(_INSIDE.findall(value))
            for feature in features_of(key, value) if key in PROPERTIES else ():
                self._add(feature, line)
            if key in _TRANSFORMS and is_singular(value):
                self._add(_SINGULAR, line)
        for feature in _features_of_style(name, style) if style else ():
            self._add(feature, line)

    def end(self) -> None:
        """End an element."""
        self._open.pop()

    def add_undrawn_choice(self, line: int) -> None:
        """Add a ``switch`` that ends in a line with nothing to draw in it."""
        self._add(_EMPTY_SWITCH, line)

    def text(self, text: str, line: int) -> None:
        """Take characters between elements."""
        element = self._open[-1]
        if element.is_text and text.strip() and len(self._words) < _MOST_USES:
            self._add(TEXT, line)
            words = Words(text.strip(), element.families, line)
            self._words.append((words, element.ids if element.hidden else None))

    def style_sheet(self, css: str, line: int) -> None:
        """Add the rules of a style sheet, without comments, that begins in a line."""
        self._references.update(_INSIDE.findall(css))
        depth, selector = 0, ""
        for match in _PART_OF_SHEET.finditer(css):
            text, bracket = match["text"].strip(), match["bracket"]
            features: list[Feature] = []
            if bracket == "{":
                selector = text
                if not text.startswith("@"):  # rules inside of `@media` are not nested rules
                    depth += 1
                features += (feature for pattern, feature in _RULES if re.search(pattern, text))
                features += [_NESTED] if depth > 1 else []
            else:
                features += _features_of_rule(text)
                self._families_of_rules += _families("", text) if selector != "@font-face" else ()
                depth = max(depth - 1, 0)
            blank_count = len(match["text"]) - len(match["text"].lstrip())
            first_line = line + match["text"][:blank_count].count("\n")
            self._uses += ((Use(feature, first_line), None) for feature in dict.fromkeys(features))
            line += match["text"].count("\n")
            if len(self._uses) > _MOST_USES * len(_PROPERTY_ROWS):
                break

    def uses(self) -> tuple[Use, ...]:
        """Return the features of what is drawn, each with the line of its first use."""
        first: dict[Feature, Use] = {}
        for use, ids in self._uses:
            if self._is_drawn(ids):
                first.setdefault(use.feature, use)
        return tuple(first.values())

    def words(self) -> tuple[Words, ...]:
        """Return the words that are drawn. Those that name no font get all that style sheets name."""
        sheets = tuple(dict.fromkeys(self._families_of_rules))
        drawn = (words for words, ids in self._words if self._is_drawn(ids))
        return tuple(words if words.families else Words(words.text, sheets, words.line) for words in drawn)

    def _is_drawn(self, ids: tuple[str, ...] | None) -> bool:
        """Whether an element is drawn: by itself (None), or because something refers to one of its ids."""
        return ids is None or not self._references.isdisjoint(ids)

    def _add(self, feature: Feature, line: int) -> None:
        """Count a feature and note its first uses; in a hidden element with the ids that can show it."""
        self._counts[feature] = self._counts.get(feature, 0) + 1
        if self._counts[feature] > _MOST_USES:
            return
        element = self._open[-1]
        self._uses.append((Use(feature, line), element.ids if element.hidden else None))


def features_of(name: str, value: str) -> Iterator[Feature]:
    """Yield the features that the value of an attribute or property uses."""
    value = plain_value(value)
    for pattern, feature in PROPERTIES.get(name, ()):
        if re.match(pattern, value, re.IGNORECASE | re.DOTALL):  # compiled when it is needed first
            yield feature


@lru_cache(maxsize=4096)
def _features_of_style(element: str, style: str) -> tuple[Feature, ...]:
    """Return the features of a ``style`` attribute."""
    features = [
        feature for name, value in declarations(style).items() for feature in features_of(name, value)
    ]
    attributes = attributes_of(element, style)
    if None in attributes.values():  # a declaration for which there is no attribute
        features.append(_SHAPED_BY_STYLE)
    if any(is_singular(attributes.get(name) or "") for name in _TRANSFORMS):
        features.append(_SINGULAR)
    return tuple(features)


def _features_of_rule(body: str) -> Iterator[Feature]:
    """Yield the features of a rule's declarations; as a rule none of them becomes an attribute."""
    for name, value in declarations(body).items():
        yield from features_of(name, value)
        if name in SHAPING and plain_value(value) not in ("none", "auto"):
            yield _SHAPED_BY_STYLE


@lru_cache(maxsize=4096)
def _families(attribute: str, style: str) -> tuple[str, ...]:
    """Return the families that ``font-family`` or ``font`` names, without those that any font is good for."""
    styles = declarations(style)
    font = styles.get("font", "")
    sizes = list(_FONT_SIZE.finditer(font[:_LONGEST_FONT]))
    families_of_font = font[sizes[-1].end() :] if sizes else ""  # they follow the size
    named = styles.get("font-family") or families_of_font or attribute
    families = (family.strip().strip("\"'").strip() for family in plain_value(named).split(","))
    return tuple(family for family in families if family.lower() not in _ANY_FONT)
