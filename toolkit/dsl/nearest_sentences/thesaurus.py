"""Words and phrases that people write, with the words of the language that say the same: ``thesaurus.txt``.

The file says how it is read. It is data only: which of the words fit together is what the grammar decides.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from toolkit.resources import thesaurus_file

NUMBER = "<n>"
"""A number in a phrase, in digits or as a word."""
_PART = re.compile(r"<[a-z]+>|[\w'äöüß-]+|\S")


class Phrase(NamedTuple):
    """Words as they are written, in lower case, and what they say in the language, with what that costs."""

    written: tuple[str, ...]
    right: str
    cost: float


class Rewriting(NamedTuple):
    """A sentence whose parts stand in another order, such as ``<x> unless <y>``, and the right order."""

    pattern: tuple[str, ...]
    right: tuple[str, ...]
    cost: float


class Thesaurus(NamedTuple):
    """The file: phrases by their first word, sentences in another order, and words without a meaning."""

    phrases: dict[str, list[Phrase]]
    rewritings: list[Rewriting]
    fillers: frozenset[str]


def parts_of(text: str) -> tuple[str, ...]:
    """Return the words and symbols of a line of the file."""
    return tuple(_PART.findall(text))


@lru_cache(maxsize=1)
def thesaurus() -> Thesaurus:
    """Return the thesaurus, read once."""
    read = Thesaurus({}, [], frozenset())
    section, fillers = "", set[str]()
    for line in thesaurus_file().read_text(encoding="utf-8").splitlines():
        content = line.strip()
        if not content or content.startswith("//"):
            continue
        if content.startswith("["):
            section, _, factor = content.strip("[]").partition(" ")
            cost = float(factor or 0.4)
        elif section == "fillers":
            fillers.update(content.split())
        elif section == "order":
            pattern, _, right = content.partition("=>")
            read.rewritings.append(Rewriting(parts_of(pattern.casefold()), parts_of(right), cost))
        else:
            right, _, written = content.partition("<-")
            for phrase in written.split("|"):
                words = parts_of(phrase.casefold())
                read.phrases.setdefault(words[0], []).append(Phrase(words, right.strip(), cost))
    return read._replace(fillers=frozenset(fillers))
