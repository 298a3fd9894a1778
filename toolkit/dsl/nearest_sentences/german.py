"""German ideas in English words, so that frames and phrases are kept in one language.

The words stay in the German order, which frames do not mind. Which words and phrases there are says
``german_lexicon.py``, how clauses are put in order ``german_clauses.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from toolkit.dsl.nearest_sentences.german_clauses import MARKS, begins_condition, in_order
from toolkit.dsl.nearest_sentences.german_lexicon import (
    BY_PLACE,
    lexicon,
    longest_phrase,
    said_alone,
    said_by_parts,
    said_respelt,
)
from toolkit.dsl.nearest_sentences.text_words import words_of_text

_DETERMINERS = frozenset(("the", "this", "your", "own", "all"))
_MOST_ADJECTIVES = 3
_CONDITIONAL = frozenset(("if", "when", "while", "unless", "choose", "at", "before", "in", "on", "goes"))
"""With these a question begins that needs no `if`."""
_DURATIONS = ("until end", "until your", "this turn", "this round", "permanently", "as long")
_OPENINGS = (
    *("at the", "once per", "when attacking", "when defending", "when attached", "when he", "before he"),
    *("on a hit", "on a miss", "on a crit", "on my", "in the enemy"),
)
"""What phrases begin with that say when something happens, and how long it lasts."""


class Translation(NamedTuple):
    """A German text in English words; ``german`` says of which German words each was made."""

    words: list[str]
    german: dict[str, str]


def is_german(words: Sequence[str]) -> bool:
    """Whether a text has more German words than English ones."""
    spoken = [word.casefold() for word in words if word.isalpha()]
    english = sum(word in lexicon().english for word in spoken)
    german = sum(word not in lexicon().english and said_alone(word) is not None for word in spoken)
    return german > english


@lru_cache(maxsize=64)
def in_english(text: str) -> str:
    """Return a text in English words if it is German, else as it is."""
    words = words_of_text(text)
    return " ".join(translated(words).words) if is_german(words) else text


def translated(words: Sequence[str]) -> Translation:
    """Return the words of a German text in English."""
    words = in_order(words)
    spoken = [word.casefold() for word in words]
    parts, german = list[list[str]](), dict[str, str]()
    position = 0
    while position < len(words):
        end, english = longest_phrase(spoken, position)
        is_single_word = end == position + 1
        if is_single_word:
            if begins_condition(words, position):
                parts.append(["if"])
            english = _by_its_place(words, position, english)
        part = words_of_text(english) if english else []
        for word in part:
            german.setdefault(word.casefold(), " ".join(words[position:end]).replace("+", ""))
        if part and part[0] in _DETERMINERS and parts and parts[-1] == ["the"]:
            parts.pop()  # `die eigenen`: `own`, not `the own`
        parts.append(part)
        if part == ["?"]:
            _make_condition_of_question(parts)
        position = end
    return Translation([word for part in _with_adverbials_outside(parts) for word in part], german)


def _by_its_place(words: Sequence[str], position: int, said: str | None) -> str:
    """Return what a single word says where it stands; ``said`` is what the lexicon says."""
    word = words[position].casefold()
    following, second_following = (*words[position + 1 : position + 3], "", "")[:2]
    if word == "um" and words[position - 1 : position] == [","]:  # `wirf eine Karte ab, um zu …`
        return "if you do"
    if word == "sein" and (not following or following in MARKS):  # the verb, not whose something is
        return "is"
    is_before_number = following.casefold() in lexicon().lists["numbers"]
    is_before_noun = second_following[:1].isupper() or second_following.endswith("en")
    if word == "ab" and is_before_number and is_before_noun:  # `ab zwei Feinden`
        return "if at least"
    if said is not None and BY_PLACE in said:
        before_noun, alone = said.split(BY_PLACE)
        return before_noun if _is_before_noun(words, position + 1) else alone
    if said is not None:
        return said
    return said_by_parts(word) or said_respelt(word) or words[position]


def _is_before_noun(words: Sequence[str], position: int) -> bool:
    """Whether a noun stands at a position, perhaps behind numbers and adjectives."""
    lists = lexicon().lists
    for word in words[position : position + _MOST_ADJECTIVES]:
        if word[0].isupper() or word in lists["adjectives as nouns"]:
            return True
        has_ending = word.endswith(tuple(lists["adjective endings"]))
        is_adjective = has_ending and word not in lists["no adjectives"]
        if not (is_adjective or word in lists["numbers"] or word.isdecimal()):
            return False
    return False


def _make_condition_of_question(parts: list[list[str]]) -> None:
    """Put `if` before the question with which parts end: `keiner in Reichweite? Dann …`."""
    begin = len(parts) - 1
    while begin and not MARKS.intersection(parts[begin - 1][:1]):
        begin -= 1
    if parts[begin] and parts[begin][0] not in _CONDITIONAL and parts[begin] != ["?"]:
        parts.insert(begin, ["if"])


def _with_adverbials_outside(parts: Sequence[list[str]]) -> list[list[str]]:
    """Return the parts of a text with moments before their clauses, and with durations behind them."""
    moved = list[list[str]]()
    clause, openings, durations = list[list[str]](), list[list[str]](), list[list[str]]()
    for part in (*parts, ["."]):
        text = " ".join(part)
        if part and part[0] in MARKS:
            moved += [*(word for opening in openings for word in (opening, [","])), *clause]
            moved += [*durations, part]
            clause, openings, durations = [], [], []
        elif text.startswith(_DURATIONS):
            durations.append(part)
        elif text.startswith(_OPENINGS):
            openings.append(part)
        else:
            clause.append(part)
    return moved[:-1]
