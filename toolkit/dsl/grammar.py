"""The parser, built once from ``grammar/effect.lark``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from toolkit.dsl.building import Builder
from toolkit.resources import grammar_file
from toolkit.vocabulary import COUNTERS, FACTS, STATS, VERBS

if TYPE_CHECKING:
    from lark import Lark


class _AlwaysWords:
    """Lets the lexer meet a wrong word anywhere, so that ``whenattacking`` is one word and not two."""

    always_accept = ("WORD",)

    def process(self, stream: Iterator[Any]) -> Iterator[Any]:
        return stream


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The LALR parser; what it returns is a ``tree.Effect``.

    A test builds the same grammar in Lark's strict mode, which refuses every conflict and collision.
    """
    from lark import Lark

    return Lark(
        grammar_file().read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        start="effect",
        postlex=_AlwaysWords(),
        transformer=Builder(),
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


@lru_cache(maxsize=1)
def words_by_terminal() -> dict[str, str]:
    """The word or sign that each terminal stands for: as the vocabulary orders them, then as the grammar."""
    rules = grammar_file().read_text(encoding="utf-8").partition("effect:")[2]
    first = (*STATS, *COUNTERS, *FACTS, *(form for verb in VERBS for form in (verb.one, verb.many)))
    words = [(t.name, t.pattern.value) for t in parser().terminals if t.pattern.type == "str"]

    def place(word: str) -> tuple[int, int]:
        known = first.index(word) if word in first else len(first)
        return known, rules.index(f'"{word}"')

    return dict(sorted(words, key=lambda pair: place(pair[1])))


@lru_cache(maxsize=1)
def terminals_by_word() -> dict[str, str]:
    """The other way round: the terminal of each word or sign of the language."""
    return {word: terminal for terminal, word in words_by_terminal().items()}
