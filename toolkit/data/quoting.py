"""Words of the files as messages show them."""

from __future__ import annotations

_LONGEST = 40


def shown(text: str) -> str:
    """A text on one line, without signs that cannot be seen, and cut where it gets long."""
    line = "".join(sign if sign.isprintable() else "?" for sign in " ".join(text.split()))
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"
