"""Where a long word of a name may be broken: German compounds have no space to break at."""

from __future__ import annotations

import re

_VOWELS = "aeiouyäöüàáâèéêìíîòóôùúûœæ"
_SOUNDS = "schw|schr|schl|sch|spr|str|sp|st|ch|ck|ph|th|qu|pf|zw|kn|[bdfgkpt]r|[bfgkp]l"
"""Consonants that stay together at the beginning of a syllable."""

_CONSONANT = rf"[^\W\d_{_VOWELS}]"
_CLUSTER = re.compile(
    rf"(?<=[{_VOWELS}])({_CONSONANT}+?)((?:{_SOUNDS}|{_CONSONANT}))(?=[{_VOWELS}])", re.IGNORECASE
)
_SHORTEST = 4
"""No part has fewer letters."""

_SEAM = 6
"""A consonant more says as much for a place as being so many letters nearer to the middle: where parts of a
compound meet there are many."""


def broken_word(name: str, most: int) -> list[str]:
    """The name, in two parts if its longest word has more letters than that and can be broken.

    The break is between two consonants, before the last sound of them (Nacht-sicht, Fall-schirm), near the
    middle of the word.
    """
    word = max(re.finditer(r"[^\W\d_]+", name), key=lambda found: len(found[0]), default=None)
    if word is None or len(word[0]) <= most:
        return [name]
    length = len(word[0])
    places = {
        found.end(1): abs(length - 2 * found.end(1)) - _SEAM * len(found[0])
        for found in _CLUSTER.finditer(word[0])
        if _SHORTEST <= found.end(1) <= length - _SHORTEST
    }
    if not places:
        return [name]
    place = word.start() + min(places, key=places.__getitem__)
    return [name[:place], name[place:]]
