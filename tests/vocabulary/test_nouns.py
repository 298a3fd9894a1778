"""Every word in capitals of the effect language has a meaning that the editor shows."""

from __future__ import annotations

from toolkit.dsl.lalr import terminals_by_word
from toolkit.vocabulary import NOUNS


def test_every_word_in_capitals_is_explained_and_no_other() -> None:
    capitals = {word for word in terminals_by_word() if word[:2].isupper()}
    assert set(NOUNS) == capitals
