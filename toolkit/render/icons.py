"""Icons as inline SVG."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from markupsafe import Markup, escape

from toolkit.render.fetch import Roots

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_ACTIVE = re.compile(r"<script|\bon\w+\s*=|<foreignObject|(?:href|src)\s*=\s*[\"'](?!#)", re.IGNORECASE)


class UnknownIcon(LookupError):
    """A template asks for an icon that is neither in the project's templates nor in the shipped ones."""


@lru_cache(maxsize=256)
def inline_icon(roots: Roots, name: str, colour: str = "currentColor") -> Markup:
    """The icon of that name as an ``svg`` element of class ``icon``.

    It has the colour of the text around it; one engine knows that colour only if it is given here.

    The project's own ``templates/icons`` come first. Raises ``UnknownIcon``.
    """
    if _NAME.fullmatch(name):
        for folder in roots.folders:
            drawn = _read(folder / "icons" / f"{name}.svg")
            if drawn is not None:
                return drawn.replace("currentColor", str(escape(colour)))
    raise UnknownIcon(f"There is no icon {name!r} in templates/icons")


@lru_cache(maxsize=256)
def _read(path: Path) -> Markup | None:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    begin = text.find("<svg")
    # An icon becomes part of the page, so it must be a mere drawing.
    if begin < 0 or _ACTIVE.search(text):
        return None
    return Markup('<svg class="icon" aria-hidden="true"' + text[begin + 4 :].strip())
