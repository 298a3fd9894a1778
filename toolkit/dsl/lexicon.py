"""The words and signs of the language and the terminals of the grammar that stand for them."""

from __future__ import annotations

from functools import lru_cache

from toolkit.dsl.tables import tables
from toolkit.vocabulary import COUNTERS, FACTS, STATS, VERBS


def terminals_by_word() -> dict[str, str]:
    """The terminal of each word or sign, in the order of the grammar."""
    return tables().words


@lru_cache(maxsize=1)
def words_by_terminal() -> dict[str, str]:
    """The word or sign of each terminal: as the vocabulary orders them, then as the grammar does."""
    first = (*STATS, *COUNTERS, *FACTS, *(form for verb in VERBS for form in (verb.one, verb.many)))
    known = terminals_by_word()
    ordered = [*(word for word in first if word in known), *(word for word in known if word not in first)]
    return {known[word]: word for word in ordered}
