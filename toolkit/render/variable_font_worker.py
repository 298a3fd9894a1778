"""A process that makes a static font of a variable one, so that it can be stopped: a font may be hostile.

It runs as a file on its own: ``python -I -S variable_font_worker.py FOLDER WEIGHT upright|italic``, where
FOLDER has the package ``fontTools``. It reads the font from its input and writes the static one to its
output. The package is imported once memory is limited.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from typing import Any

MAX_MEMORY = 1 << 30
"""Limit of the address space in bytes, where the system has one. Inter takes 150 MB."""

MAX_GLYPHS, MAX_AXES = 20_000, 16


def _limit_memory() -> None:
    """Limit the memory of this process, and write no core file when it fails."""
    # Windows has no such limits; elsewhere the process may have lower ones, which it cannot raise
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, MAX_MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _location(axes: Any, weight: float, *, italic: bool) -> dict[str, float]:
    """Return the position on each axis: the default, but for weight, and for the slant of an italic face."""
    location = {axis.axisTag: axis.defaultValue for axis in axes}
    for axis in axes:
        if axis.axisTag == "wght":
            location["wght"] = min(max(weight, axis.minValue), axis.maxValue)
        elif axis.axisTag == "ital" and italic:
            location["ital"] = axis.maxValue
        elif axis.axisTag == "slnt" and italic:
            location["slnt"] = axis.minValue  # degrees against the clock: to the right they are negative
    return location


def main() -> int:
    """Read, set and write the font; return the exit status."""
    folder, weight, style = sys.argv[1:]
    sys.path.append(folder)
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what else is printed must not get into the font
    _limit_memory()
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    font = TTFont(io.BytesIO(sys.stdin.buffer.read()), recalcTimestamp=False)
    axes = font["fvar"].axes
    if font["maxp"].numGlyphs > MAX_GLYPHS or len(axes) > MAX_AXES:
        return 1
    location = _location(axes, float(weight), italic=style == "italic")
    options = {"downgradeCFF2": True} if "CFF2" in font else {}  # an engine embeds CFF only
    static = instantiateVariableFont(font, location, inplace=True, **options)
    static.flavor = None
    static.save(output)
    output.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
