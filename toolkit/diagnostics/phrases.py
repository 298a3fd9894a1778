"""Parts of messages: words of a file made safe to show, numbers with nouns, lists of alternatives."""

from __future__ import annotations

import re
from collections.abc import Sequence

LONGEST = 40
"""How many characters of a quoted word or text are shown."""


def shown(text: str) -> str:
    """Return a text on one line, with ``?`` for invisible characters, truncated with ``…``."""
    line = "".join(char if char.isprintable() else "?" for char in " ".join(text.split()))
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: ``1 OPERATOR``, ``2 OPERATORs``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def alternatives(words: Sequence[str]) -> str:
    """Return at least one word as a list with "or": ``a``, ``a or b``, ``a, b or c``."""
    return listed_in_text(words, "or")


def listed_in_text(words: Sequence[str], link: str) -> str:
    """Return words as a list with a link such as "and" before the last one; empty without words."""
    *other_words, last_word = words or ("",)
    return f"{', '.join(other_words)} {link} {last_word}" if other_words else last_word


def declaration(sort: str, word: str, *, of_player: bool = False) -> str:
    """Return how a marker, KEYWORD or trait of that name would be declared, with the two lines to write."""
    entry_id = "-".join(re.findall(r"[a-z0-9]+", word.casefold())) or "my-own"
    name = entry_id.replace("-", " ").capitalize()
    bearer = ", bearer: player" if of_player else ""
    lines = {
        "marker": ("markers:", f"  - {{id: {entry_id}, name: {name}{bearer}}}"),
        "KEYWORD": ("keywords:", f"  - {{id: {entry_id}, name: {name}, effect: self gets +1 EP.}}"),
        "trait": ("    kind: operator", f"    traits: [{entry_id}]"),
    }
    first, second = lines[sort]
    return f"The lines `{first}` and `{second}` would declare it."
