"""Drawings for templates: icons as inline SVG; gradients, shadows and icons as ``data:`` URLs of SVG.

They replace what the engine does not support in CSS: ``<img src="{{ gradient("#123456", "#abcdef") }}">`` or,
in a style, ``background-image: url({{ … }})``. They look the same in every engine and in a browser.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup, escape

from toolkit.data.art.drawings import read_drawing
from toolkit.render.colours import parse
from toolkit.render.fetch import Roots
from toolkit.source.paths import read_regular
from toolkit.source.reading import LARGEST_FILE

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ACTIVE = re.compile(r"<script|\bon\w+\s*=|<foreignObject|(?:href|src)\s*=\s*[\"'](?!#)", re.IGNORECASE)


class UnknownIcon(LookupError):
    """A template uses an icon that does not exist, or one that cannot be used (see the message)."""


IconSource = Callable[..., Markup]
"""Returns the icon of a name, optionally in a given colour."""


def icon_source(roots: Roots) -> IconSource:
    """Return a function for templates that holds the drawings themselves and no paths.

    It gives an icon as an ``svg`` element of class ``icon``, with the colour of the text around it; one
    engine knows that colour only if it is given. The project's own ``templates/icons`` come first. It raises
    ``UnknownIcon``. An icon of a given colour is one drawing for all cards (``image_placeholders``), into
    which no style sheet reaches.
    """
    icons, refused = load_icons(roots)
    unusable = {path.stem: reason for path, reason in refused.items() if path.stem not in icons}

    def icon(name: str, colour: str = "currentColor") -> Markup:
        """Return an icon as SVG, in the colour of the text or another."""
        if name in unusable:
            raise UnknownIcon(f"The icon {name!r} in templates/icons cannot be used: it {unusable[name]}")
        if name not in icons:
            raise UnknownIcon(f"There is no icon {name!r} in templates/icons")
        if colour == "currentColor":
            return Markup(icons[name])
        svg = icons[name].replace("currentColor", str(escape(colour)))
        return Markup(svg.replace('"icon"', '"icon shared"', 1))

    return icon


def load_icons(roots: Roots) -> tuple[dict[str, str], dict[Path, str]]:
    """Return all icons by name, and the files that cannot be used with why, in the words behind "it"."""
    icons: dict[str, str] = {}
    refused: dict[Path, str] = {}
    for folder, name in roots.icon_folders:
        lies_inside = roots.inside(folder, name) is not None
        for path in sorted((folder / name).glob("*.svg")):
            if path.stem in icons or not _NAME.fullmatch(path.stem):
                continue
            # only a link can lead elsewhere; to resolve all paths takes 1.2 of 30 ms for a card on screen
            if (lies_inside and not path.is_symlink()) or roots.has(folder, f"{name}/{path.name}"):
                icon, reason = _read(path)
            else:
                icon, reason = "", "leads out of the project"
            if reason:
                refused[path] = reason
            else:
                icons[path.stem] = icon
    return icons, refused


def _read(path: Path) -> tuple[str, str]:
    """Return the element of an icon, which becomes part of the page, or why it cannot be used."""
    try:
        text = read_regular(path, LARGEST_FILE).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return "", "cannot be read as UTF-8 text"
    return _known_element(text) if len(text) <= _MOST_KEPT else _element(text)


def _element(text: str) -> tuple[str, str]:
    """Return the element of an icon, or why it cannot be used."""
    begin = text.find("<svg")
    if _ACTIVE.search(text):
        return "", "has scripts or links"
    drawing = read_drawing(text[begin:].strip().encode()) if begin >= 0 else None
    if drawing is None:
        return "", "is not a well-formed SVG drawing"
    attributes_and_content = text[begin + len("<svg") :].strip()
    return f'<svg class="icon" aria-hidden="true"{attributes_and_content}', drawing.excess or ""


_known_element = lru_cache(maxsize=256)(_element)
"""The same for icons of usual length: those that are shipped take 1.2 of 30 ms for a card on screen."""

_MOST_KEPT = 10_000

_LAYERS = 10
"""The number of rectangles that make up the soft edge of a shadow."""

_SAFE = "/:=,;.-_ "


def _address(svg: str) -> str:
    return "data:image/svg+xml," + quote(svg, safe=_SAFE).replace(" ", "%20")


def _svg(width: float, height: float, inside: str) -> str:
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' width='{width:g}' height='{height:g}' "
        f"viewBox='0 0 {width:g} {height:g}' preserveAspectRatio='none'>{inside}</svg>"
    )


def _colour(colour: str) -> str:
    return "#{:02x}{:02x}{:02x}".format(*parse(colour))


def gradient(*colours: str, angle: float = 180, radial: bool = False, opacity: tuple[float, ...] = ()) -> str:
    """Return a picture of a gradient that stretches to fill any box.

    ``angle`` is as in CSS: 180 from top to bottom, 90 from left to right. A radial gradient goes from the
    centre outwards. ``opacity`` has a number from 0 to 1 for each colour.
    """
    last = max(len(colours) - 1, 1)
    opacities = [*opacity, *[1.0] * len(colours)]
    stops = "".join(
        f"<stop offset='{number / last:.4g}' stop-color='{_colour(colour)}' "
        f"stop-opacity='{opacities[number]:g}'/>"
        for number, colour in enumerate(colours)
    )
    if radial:
        shape = f"<radialGradient id='g' cx='.5' cy='.5' r='.7071'>{stops}</radialGradient>"
    else:
        x, y = math.sin(math.radians(angle)) / 2, -math.cos(math.radians(angle)) / 2
        ends = f"x1='{0.5 - x:.4g}' y1='{0.5 - y:.4g}' x2='{0.5 + x:.4g}' y2='{0.5 + y:.4g}'"
        shape = f"<linearGradient id='g' {ends}>{stops}</linearGradient>"
    return _address(_svg(100, 100, f"<defs>{shape}</defs><rect width='100' height='100' fill='url(#g)'/>"))


def shadow(
    width: float,
    height: float,
    blur: float = 1.5,
    colour: str = "#000000",
    opacity: float = 0.4,
    radius: float = 0,
) -> str:
    """Return a picture of the soft shadow of a box in units; it is larger by ``blur`` on every side."""
    layer_opacity = 1 - (1 - min(opacity, 0.99)) ** (1 / _LAYERS)  # all layers together have ``opacity``
    layers = []
    for layer in range(_LAYERS):
        inset = 2 * blur * layer / _LAYERS
        sides = f"width='{width + 2 * (blur - inset):.4g}' height='{height + 2 * (blur - inset):.4g}'"
        layers.append(
            f"<rect x='{inset:.4g}' y='{inset:.4g}' {sides} rx='{max(radius + blur - inset, 0):.4g}' "
            f"fill='{_colour(colour)}' fill-opacity='{layer_opacity:.4g}'/>"
        )
    return _address(_svg(width + 2 * blur, height + 2 * blur, "".join(layers)))


def _empty_picture(*_: object, **_options: object) -> str:
    return _address(_svg(1, 1, ""))


def ornaments(icon: IconSource, low_ink: bool = False) -> dict[str, Callable[..., str]]:
    """Return the functions by their names in templates; with ``low_ink`` only icons are drawn."""

    def icon_image(name: str, colour: str = "#000000") -> str:
        """Return an icon as a picture, for a background or a list; raises ``UnknownIcon``."""
        drawn = str(icon(name, _colour(colour)))
        return _address(drawn.replace(' aria-hidden="true"', " ").replace('"', "'"))

    drawn: dict[str, Callable[..., str]] = {"gradient": gradient, "shadow": shadow}
    grounds = dict.fromkeys(drawn, _empty_picture) if low_ink else drawn
    return {**grounds, "icon_image": icon_image}
