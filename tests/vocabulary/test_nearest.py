"""The nearest right word: what is proposed, and when nothing is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolkit.vocabulary.nearest import changes_meaning, distance, is_certain, is_opposite, nearest

KEYS = ["id", "kind", "name", "team", "squadpoints", "ap", "ep", "dp", "mp", "effect", "flavour"]


@pytest.mark.parametrize(
    ("word", "right"),
    [
        ("nmae", "name"),
        ("Name", "name"),
        ("squad_points", "squadpoints"),
        ("squadpionts", "squadpoints"),
        ("flavor", "flavour"),
        ("effects", "effect"),
        ("pa", "ap"),
        ("xyz", None),
        ("qp", None),
        ("", None),
        ("z", None),
    ],
)
def test_what_is_proposed_for_a_wrong_key(word: str, right: str | None) -> None:
    assert nearest(word, KEYS) == right


def test_a_sign_between_the_parts_of_an_id_is_no_mistake_in_letters() -> None:
    assert nearest("Aimed_Shot", ["aimed-shop", "aimed-shot"]) == "aimed-shot"


def test_of_two_equally_near_words_the_one_that_begins_alike_wins_in_any_order() -> None:
    assert nearest("cat", ["hat", "car"]) == "car"
    assert nearest("cat", ["car", "hat"]) == "car"


def test_of_two_words_alike_in_all_the_earlier_one_wins() -> None:
    assert nearest("guar", ["guard", "guars"]) == "guard"
    assert nearest("guar", ["guars", "guard"]) == "guars"


@pytest.mark.parametrize(
    ("word", "meant", "others", "certain"),
    [
        ("atacking", "attacking", ["attacked"], True),
        ("attackingg", "attacking", [], True),
        ("attakcing", "attacking", [], True),
        ("attecking", "attacking", [], True),
        ("SELF", "self", [], True),
        ("aimed_shot", "aimed-shot", [], True),
        ("attaced", "attacked", ["attached"], False),  # as near to both
        ("attackings", "attacking", [], False),  # one letter more that is not doubled
        ("atakcing", "attacking", [], False),  # two mistakes
        ("gest", "gets", [], False),
        ("hawk-7-a", "hawk-1-a", [], False),  # a digit is no letter
        ("player", "played", [], False),
        ("rload", "RELOAD", [], True),
        ("unlimited", "limited", [], False),
    ],
)
def test_when_a_misspelling_is_certain(word: str, meant: str, others: list[str], certain: bool) -> None:
    assert is_certain(word, meant, [*others, meant]) is certain


@pytest.mark.parametrize("word", ["SUPPRESSED", "attacked", "draws", "EXHAUSTED"])
def test_a_word_with_a_negating_or_repeating_prefix_is_the_opposite(word: str) -> None:
    for prefix in ("un", "non", "de", "dis", "re", "not", "in", "mis", "anti", "over", "under"):
        for written in (f"{prefix}{word}", f"{prefix}-{word}", (prefix + word).upper()):
            assert is_opposite(written, word), written
            assert is_opposite(word, written), written
            assert changes_meaning(written, word), written
            assert not is_certain(written, word, [word]), written


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ("attacks", "attacked", True),
        ("attacking", "attacked", True),
        ("target", "owner", True),
        ("start", "end", True),
        ("detached", "attached", True),
        ("ATTACK D6", "DEFENCE D6", True),
        ("is", "is not", True),
        ("unless self is HIT,", "if not (self is HIT),", False),
        ("isn't", "is not", False),
        ("my", "own", False),
        ("self attacks", "attacking", False),
        ("you", "owner", False),
        ("minimum", "maximum", True),
    ],
)
def test_which_words_change_who_when_a_side_or_a_negation(before: str, after: str, changes: bool) -> None:
    assert changes_meaning(before, after) is changes


def _plain_distance(a: str, b: str) -> int:
    """The textbook recursion, without any limit: optimal string alignment."""
    table = {(i, 0): i for i in range(len(a) + 1)} | {(0, j): j for j in range(len(b) + 1)}
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            same = a[i - 1] == b[j - 1]
            table[i, j] = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (not same))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                table[i, j] = min(table[i, j], table[i - 2, j - 2] + 1)
    return table[len(a), len(b)]


@given(st.text("abc", max_size=7), st.text("abc", max_size=7), st.integers(0, 7))
def test_the_distance_is_exact_up_to_its_limit(a: str, b: str, limit: int) -> None:
    exact = _plain_distance(a, b)
    assert distance(a, b, limit) == exact if exact <= limit else distance(a, b, limit) > limit


@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=6))
def test_only_a_candidate_is_ever_proposed(word: str, candidates: list[str]) -> None:
    assert nearest(word, candidates) in {None, *candidates}
