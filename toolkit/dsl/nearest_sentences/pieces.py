"""Words of the language, and readings of a text as such words."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from toolkit.dsl.lalr import lex, tables


class Piece(NamedTuple):
    """A word of a sentence: its terminal, and its text."""

    terminal: str
    text: str


class Reading(NamedTuple):
    """Words of the text, up to ``end``, read as words of the language; ``left_out`` have no counterpart.

    ``is_same`` says that they can mean nothing else.
    """

    end: int
    pieces: tuple[Piece, ...]
    cost: float
    left_out: tuple[str, ...] = ()
    is_same: bool = False


def words_in(text: str) -> tuple[str, ...]:
    """Return the words of a list that is written as a text."""
    return tuple(text.split())


@lru_cache(maxsize=8192)
def pieces_of(words: str) -> tuple[Piece, ...]:
    """Return the pieces of words of the language."""
    return tuple(Piece(token.type, str(token)) for token in lex(words, tables().words))
