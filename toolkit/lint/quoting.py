"""Words of an effect in a message."""

from __future__ import annotations

MOST_CHARACTERS = 90
"""Beyond this the underlined place says it better than the message."""


def quoted(words: str) -> str:
    """The words in backticks, a long text without its middle."""
    if len(words) > MOST_CHARACTERS:
        words = f"{words[:60].rstrip()} … {words[-20:].lstrip()}"
    return f"`{words}`"
