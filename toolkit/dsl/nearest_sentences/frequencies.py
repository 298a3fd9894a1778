"""How often a word of the language follows another, counted in the sentences of the shipped set and the help.

The counts are kept in ``grammar/frequencies.json``; ``python -m toolkit.dsl.nearest_sentences.frequencies``
writes them, and a test holds that they are those of the sentences.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from msgspec.json import decode, encode

from toolkit.dsl.lalr import lex, tables
from toolkit.dsl.parsing import parse_effect
from toolkit.resources import grammar_file

_EFFECT = re.compile(r"^ *(?:- )?effect: (.+)$", re.MULTILINE)


def frequencies_file() -> Path:
    """Return the file with the counts."""
    return grammar_file().with_name("frequencies.json")


@lru_cache(maxsize=1)
def frequencies() -> dict[str, dict[str, int]]:
    """Return for each terminal, and for the beginning (an empty word), how often which one follows it."""
    return decode(frequencies_file().read_bytes(), type=dict[str, dict[str, int]])


def count(sentences: Iterable[str]) -> dict[str, dict[str, int]]:
    """Count which terminal follows which in sentences of the language."""
    counts: dict[str, Counter[str]] = {}
    for sentence in sentences:
        earlier = ""
        for token in lex(sentence, tables().words):
            counts.setdefault(earlier, Counter())[token.type] += 1
            earlier = token.type
    return {terminal: dict(sorted(followers.items())) for terminal, followers in sorted(counts.items())}


def sentences_in(paths: Iterable[Path]) -> Iterator[str]:
    """Yield the effects in card files and help pages that can be parsed."""
    for path in sorted(paths):
        for match in _EFFECT.finditer(path.read_text(encoding="utf-8")):
            effect = match.group(1).strip().strip("'")
            if parse_effect(effect)[0] is not None:
                yield effect


def counted_files() -> list[Path]:
    """Return the files whose sentences are counted: the shipped set, the cookbook and the eighty ideas."""
    root = grammar_file().parent.parent
    pages = [root / "toolkit" / "help" / name for name in ("cookbook.md", "eighty-ideas.md")]
    return [*(root / "cards").rglob("*.yaml"), *pages]


def main() -> None:
    """Write the counts."""
    frequencies_file().write_bytes(encode(count(sentences_in(counted_files()))) + b"\n")


if __name__ == "__main__":
    main()
