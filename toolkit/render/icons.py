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
    """A template asks for an icon that is neither in the project's templates nor in the shipped ones.

    An icon that is there and cannot be used counts, with the reason as its message.
    """


class _Unusable(ValueError):
    """Why an icon cannot be used, in the words behind "it"."""


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
    drawn, unusable = _drawings(roots)

    def icon(name: str, colour: str = "currentColor") -> Markup:
        if name in unusable:
            raise UnknownIcon(f"The icon {name!r} in templates/icons cannot be used: it {unusable[name]}")
        if name not in drawn:
            raise UnknownIcon(f"There is no icon {name!r} in templates/icons")
        return Markup(drawn[name].replace("currentColor", str(escape(colour))))

    return icon


def _drawings(roots: Roots) -> tuple[dict[str, str], dict[str, str]]:
    """All icons by name; and by name why others cannot be used, in the words behind "it"."""
    found: dict[str, str] = {}
    unusable: dict[str, str] = {}
    for folder in roots.folders:
        for path in sorted((folder / "icons").glob("*.svg")):
            named = path.stem not in found and _NAME.fullmatch(path.stem)
            if named and roots.has(folder, f"icons/{path.name}"):
                try:
                    found[path.stem] = _read(path)
                except _Unusable as reason:
                    unusable.setdefault(path.stem, str(reason))
    return found, {name: reason for name, reason in unusable.items() if name not in found}


def _read(path: Path) -> str:
    """The element of an icon, which becomes part of the page. Raises ``_Unusable``."""
    try:
        text = read_regular(path, LARGEST_FILE).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        raise _Unusable("cannot be read as UTF-8 text") from None
    begin = text.find("<svg")
    if _ACTIVE.search(text):
        raise _Unusable("has scripts or links")
    drawing = read_drawing(text[begin:].strip().encode()) if begin >= 0 else None
    if drawing is None:
        raise _Unusable("is not a well-formed SVG drawing")
    if drawing.excess is not None:
        raise _Unusable(drawing.excess)
    return '<svg class="icon" aria-hidden="true"' + text[begin + 4 :].strip()
