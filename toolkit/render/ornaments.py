"""What style sheets cannot do in print, drawn: gradients, shadows and icons as addresses of SVG pictures.

A template uses them as ``<img src="{{ gradient("#123456", "#abcdef") }}">`` or in a style as
``background-image: url({{ … }})``. They look the same in every engine and in a browser.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from urllib.parse import quote

from toolkit.render.colours import parse
from toolkit.render.icons import IconSource

_LAYERS = 10
"""Shapes laid on each other for a soft edge."""

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
    """A picture that goes from colour to colour, and fills whatever box it is put into.

    ``angle`` is as in style sheets: 180 from top to bottom, 90 from left to right. A radial one goes from
    the middle outwards. ``opacity`` has a number from 0 to 1 for each colour.
    """
    last = max(len(colours) - 1, 1)
    clear = [*opacity, *[1.0] * len(colours)]
    stops = "".join(
        f"<stop offset='{number / last:.4g}' stop-color='{_colour(one)}' stop-opacity='{clear[number]:g}'/>"
        for number, one in enumerate(colours)
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
    """The soft shadow of a box of that size in units; the picture is larger by ``blur`` on every side."""
    share = 1 - (1 - min(opacity, 0.99)) ** (1 / _LAYERS)
    layers = []
    for layer in range(_LAYERS):
        inset = 2 * blur * layer / _LAYERS
        sides = f"width='{width + 2 * (blur - inset):.4g}' height='{height + 2 * (blur - inset):.4g}'"
        layers.append(
            f"<rect x='{inset:.4g}' y='{inset:.4g}' {sides} rx='{max(radius + blur - inset, 0):.4g}' "
            f"fill='{_colour(colour)}' fill-opacity='{share:.4g}'/>"
        )
    return _address(_svg(width + 2 * blur, height + 2 * blur, "".join(layers)))


def _nothing(*_: object, **_options: object) -> str:
    return _address(_svg(1, 1, ""))


def ornaments(icon: IconSource, low_ink: bool = False) -> dict[str, Callable[..., str]]:
    """The functions by the name that templates know; where ink is saved, only icons are drawn."""

    def icon_image(name: str, colour: str = "#000000") -> str:
        """An icon as a picture, for a background or a list; raises ``UnknownIcon``."""
        drawn = str(icon(name, _colour(colour)))
        return _address(drawn.replace('class="icon" aria-hidden="true"', "").replace('"', "'"))

    drawn: dict[str, Callable[..., str]] = {"gradient": gradient, "shadow": shadow}
    grounds = dict.fromkeys(drawn, _nothing) if low_ink else drawn
    return {**grounds, "icon_image": icon_image}
