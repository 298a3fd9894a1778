"""Words of the files as messages show them."""

from __future__ import annotations

LONGEST = 40
"""So many signs of a word are shown."""


_NOTHING = frozenset({"none", "nothing", "null", "empty", "nobody", "nowhere"})


def says_nothing(word: str) -> bool:
    """Whether a word was probably meant as ``~``."""
    return word.lower() in _NOTHING


def counted(number: int, noun: str) -> str:
    """A number with its noun: ``1 OPERATOR``, ``2 OPERATORs``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def shown(text: str) -> str:
    """A text on one line, without signs that cannot be seen, and cut where it gets long."""
    line = "".join(sign if sign.isprintable() else "?" for sign in " ".join(text.split()))
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
