"""Which words people use for which words of the language, learned from pairs of an idea and its sentence.

The figures are those of a translation model that knows no order (IBM model 1, both directions), written by
``python -m tests.say.train``. They say how well a sentence accounts for a text, and the text for it, where
the words between differ from all that the thesaurus has.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from msgspec.json import decode

from toolkit.dsl.nearest_sentences.german import in_english
from toolkit.dsl.nearest_sentences.pieces import pieces_of, words_in
from toolkit.resources import grammar_file

_GLUE = frozenset(words_in(". , the of to in on with that is are be a an by for each ( ) = D6"))
_ENDINGS = (
    "ings",
    "ing",
    "ies",
    "ied",
    "edly",
    "ed",
    "es",
    "ern",
    "en",
    "er",
    "em",
    "st",
    "e",
    "s",
    "n",
    "t",
)
_BY_ITSELF = 0.1
"""How much of what is said is accounted for by nothing."""
_WORD = re.compile(r"[^\W\d_]+|[+-](?=\d| \d)")


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return a word without its ending: `attacked`, `attacks` and `attacking` are one."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            return word[: -len(ending)]
    return word


def stems_of(text: str) -> list[str]:
    """Return the stems of the words of a text, each once."""
    english = in_english(text).casefold().replace("’", "'")
    return list(dict.fromkeys(map(stem, _WORD.findall(english))))


@lru_cache(maxsize=8192)
def atoms_of(sentence: str) -> tuple[str, ...]:
    """Return what a sentence of the language says: its words without glue, and pairs of neighbours."""
    words = []
    for terminal, text in pieces_of(sentence):
        if terminal == "STRING":
            words.append(text)
        elif terminal != "INT" and text not in _GLUE:
            words.append(
                text[:-1]
                if (text[-1] == "s" and text.islower()) or text in ("OPERATORs", "SKILLs", "ITEMs")
                else text
            )
    atoms = dict.fromkeys(words)
    atoms.update(dict.fromkeys(f"{first} {second}" for first, second in pairwise(words)))
    return tuple(atoms)


class Associations(NamedTuple):
    """How likely a stem is for an atom and an atom for a stem, and how usual each is."""

    stems: dict[str, dict[str, float]]
    atoms: dict[str, dict[str, float]]
    usual_stems: dict[str, float]
    usual_atoms: dict[str, float]


@lru_cache(maxsize=1)
def associations() -> Associations:
    """Return what was learned, read once."""
    return decode(grammar_file().with_name("associations.json").read_bytes(), type=Associations)


class Evidence(NamedTuple):
    """How well a sentence accounts for the words of a text, and they for it; in logarithms, 0 is neutral."""

    of_words: float
    least_of_words: float
    of_atoms: float
    least_of_atoms: float


def evidence(stems: Sequence[str], sentence: str, learned: Associations | None = None) -> Evidence:
    """Return how well a sentence and a text account for each other."""
    learned = learned or associations()
    atoms = atoms_of(sentence)
    of_words = _accounted(stems, atoms, learned.stems, learned.usual_stems)
    of_atoms = _accounted(atoms, stems, learned.atoms, learned.usual_atoms)
    return Evidence(_mean(of_words), min(of_words, default=0.0), _mean(of_atoms), min(of_atoms, default=0.0))


def _accounted(
    symbols: Sequence[str], causes: Sequence[str], table: dict[str, dict[str, float]], usual: dict[str, float]
) -> list[float]:
    """Return for each known symbol how much likelier the best of its causes makes it."""
    rows = [table[cause] for cause in causes if cause in table]
    gains = []
    for symbol in symbols:
        if symbol in usual:
            likely = max((row.get(symbol, 0.0) for row in rows), default=0.0)
            gains.append(math.log(_BY_ITSELF + (1 - _BY_ITSELF) * likely / usual[symbol]))
    return gains


def _mean(values: Sequence[float]) -> float:
    return sum(values) / (len(values) or 1)
