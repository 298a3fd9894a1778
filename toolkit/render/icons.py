"""Icons as inline SVG."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from markupsafe import Markup, escape

from toolkit.data.drawings import read_drawing
from toolkit.render.fetch import Roots
from toolkit.source.paths import read_regular
from toolkit.source.reading import LARGEST_FILE

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ACTIVE = re.compile(r"<script|\bon\w+\s*=|<foreignObject|(?:href|src)\s*=\s*[\"'](?!#)", re.IGNORECASE)


class UnknownIcon(LookupError):
    """A template asks for an icon that is neither in the project's templates nor in the shipped ones."""


IconSource = Callable[..., Markup]
"""Gives the icon of a name, in a colour if one is given."""


def inline_icon(roots: Roots, name: str, colour: str = "currentColor") -> Markup:
    """The icon of that name, as ``icon_source`` gives it. Raises ``UnknownIcon``."""
    return icon_source(roots)(name, colour)


def icon_source(roots: Roots) -> IconSource:
    """A function for templates: it holds the drawings themselves, and knows of no files.

    It gives an icon as an ``svg`` element of class ``icon``, with the colour of the text around it; one
    engine knows that colour only if it is given. The project's own ``templates/icons`` come first. It raises
    ``UnknownIcon``.
    """
    drawn = _drawings(roots)

    def icon(name: str, colour: str = "currentColor") -> Markup:
        if name not in drawn:
            raise UnknownIcon(f"There is no icon {name!r} in templates/icons")
        return Markup(drawn[name].replace("currentColor", str(escape(colour))))

    return icon


def _drawings(roots: Roots) -> dict[str, str]:
    """All icons by name."""
    found: dict[str, str] = {}
    for folder in roots.folders:
        for path in sorted((folder / "icons").glob("*.svg")):
            named = path.stem not in found and _NAME.fullmatch(path.stem)
            if named and roots.has(folder, f"icons/{path.name}"):
                drawn = _read(path)
                if drawn is not None:
                    found[path.stem] = drawn
    return found


def _read(path: Path) -> str | None:
    try:
        text = read_regular(path, LARGEST_FILE).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    begin = text.find("<svg")
    # An icon becomes part of the page, so it must be a mere drawing.
    if begin < 0 or _ACTIVE.search(text):
        return None
    drawing = read_drawing(text[begin:].strip().encode())
    if drawing is None or drawing.excess is not None:
        return None
    return '<svg class="icon" aria-hidden="true"' + text[begin + 4 :].strip()
