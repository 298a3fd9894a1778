"""Every row of the table of hints is proven by its example, and no text makes the table slow."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tests.dsl.test_wrong_sentences import NAMES as PRINTED
from tests.thoroughness import THOROUGH
from toolkit.dsl.checking import check_effect
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.mistakes.hints import HINTS, NEAREST, SAME, Hint
from toolkit.dsl.mistakes.syntax_hints import pattern_of, right_sentence
from toolkit.dsl.names import MarkerFacts, Names
from toolkit.dsl.parsing import MAX_CHARACTERS, parse_effect
from toolkit.vocabulary import Role

MOST_REPEATED = 200
MARKERS = {"intel": MarkerFacts(False, 99), "supply": MarkerFacts(True, 99)}
NAMES = Names(PRINTED.teams, PRINTED.traits, PRINTED.traits, ("steadfast",), MARKERS)

sre = import_module("re._parser" if sys.version_info >= (3, 11) else "sre_parse")
"""The only way to see into a pattern."""


def canonical(text: str) -> str:
    tree, problems = parse_effect(text)
    assert tree is not None, problems
    return print_effect(tree)


_LINES = (Path(__file__).parent / "hints.txt").read_text(encoding="utf-8").splitlines()
RIGHT = {wrong: right.strip() for wrong, right in zip(_LINES[::2], _LINES[1::2], strict=True)}
"""By the wrong sentence of a row the right one."""


def test_what_a_row_says_to_write_is_right() -> None:
    for hint in HINTS:
        right = right_sentence(hint)
        tree, problems = parse_effect(right)
        assert tree is not None, (hint, problems)
        assert any(check_effect(tree, role, NAMES) == () for role in Role), hint
        assert hint.certainty == NEAREST or right == canonical(RIGHT[hint.wrong]), hint


def test_a_row_leads_from_its_wrong_sentence_to_the_right_one() -> None:
    for hint in HINTS[:: 1 if THOROUGH else 3]:
        assert_leads_to_the_right_one(hint)


def assert_leads_to_the_right_one(hint: Hint) -> None:
    """With `SAME` by safe fixes only, with `NEAREST` by words: there is no fix."""
    text, seen = hint.wrong, []
    for _ in range(4):
        tree, problems = parse_effect(text)
        if tree is not None or problems[0].fix is None:
            break
        seen.append(problems[0])
        (start, end), fix = problems[0].place, problems[0].fix
        text = text[:start] + fix + text[end:]
    if hint.certainty == NEAREST:
        assert not seen, hint
        assert problems[0].message == hint.note, hint
    else:
        assert seen, hint
        assert canonical(text) == canonical(RIGHT[hint.wrong]), hint
        assert seen[0].safe == (hint.certainty == SAME), hint


def test_a_pattern_takes_linear_time() -> None:
    """No repetition without a bound, and none of more than one sign inside another one."""
    for hint in HINTS:
        for depth, most in repetitions(sre.parse(pattern_of(hint).pattern, re.IGNORECASE)):
            assert most <= MOST_REPEATED, f"a repetition needs a bound: {hint}"
            assert depth == 0 or most <= 1, f"a repetition stands inside another one: {hint}"


def repetitions(parsed: Any, depth: int = 0) -> Iterator[tuple[int, int]]:
    """Each repetition of a parsed pattern: in how many others it stands, and how often it repeats at most."""
    for name, value in parsed:
        inner = depth
        if str(name) in ("MAX_REPEAT", "MIN_REPEAT"):
            yield depth, value[1]
            inner += value[1] > 1
        for part in value if isinstance(value, (tuple, list)) else ():
            parts = part if isinstance(part, list) else [part]
            for one in parts:
                if isinstance(one, sre.SubPattern):
                    yield from repetitions(one, inner)


@pytest.mark.parametrize(
    "words", ["when ", "if ", "unless ", "self and ", "a, ", "self gets +1 AP or ", "is ", "+1/+1 ", "until "]
)
def test_the_longest_text_is_answered(words: str) -> None:
    text = (words * MAX_CHARACTERS)[: MAX_CHARACTERS - 1] + "."
    tree, problems = parse_effect(text)
    assert tree is None
    assert problems


def test_no_word_of_the_table_is_written_twice_for_one_pattern() -> None:
    assert len({(hint.pattern, hint.write) for hint in HINTS}) == len(HINTS)
