"""Whatever a project folder holds, loading ends with a set and findings."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.data.projects import CARDS, PLAY, SCENARIOS, SETTINGS, write
from tests.thoroughness import examples
from toolkit.data.loading import Cache, load_project
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.source.reading import FORBIDDEN

TEXTS = (CARDS, PLAY, SCENARIOS, SETTINGS)
PIECES = sorted({piece for text in TEXTS for piece in text.replace("\n", " \n ").split(" ")})
NAMES = st.sampled_from(["a.yaml", "opforge.yaml"])


READ: Cache = {}
"""What was read of the files that stay as they are."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any")


def assert_loads(root: Path, name: str, data: bytes) -> None:
    for path in root.iterdir():
        path.unlink()
    write(root, {"cards.yaml": CARDS, "play.yaml": PLAY})
    (root / name).write_bytes(data)
    _, findings = load_project(root, cache=READ)
    for finding in findings:
        assert finding.name in CATALOGUE
        assert 0 <= finding.span.start <= finding.span.end <= len(finding.span.file.text)
        assert finding.message
        assert finding.next_step
        assert "\n" not in finding.message + finding.next_step
        assert not re.search(FORBIDDEN, finding.message + finding.next_step)
        assert finding.span.begin_position.line >= 1


@given(st.binary(max_size=300), NAMES)
@examples(200)
def test_random_bytes(root: Path, data: bytes, name: str) -> None:
    assert_loads(root, name, data)


@given(st.text(max_size=200), NAMES)
@examples(200)
def test_random_text(root: Path, text: str, name: str) -> None:
    assert_loads(root, name, text.encode())


@given(st.lists(st.sampled_from(PIECES), max_size=40).map(" ".join), NAMES)
@examples(300)
def test_random_pieces_of_card_files(root: Path, text: str, name: str) -> None:
    assert_loads(root, name, text.encode())


LEAVES = st.sampled_from(
    ["a", "5", "~", "'x'", "no", "1.5", "*a", "&b c", "!t d", "", "é", '"\\0"', '"\\ud800"', '"\\e"']
)
KEYS = st.sampled_from(["id", "kind", "name", "effect", "skills", "<<", "en", "5", "ap", '"\\0"', '"a\\nb"'])
SECTIONS = ["cards", "teams", "modes", "rulesets", "squads", "scenarios", "objectives", "languages"]


def in_brackets(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    lists = st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]")
    pairs = st.lists(st.tuples(KEYS, inner).map(": ".join), max_size=5)
    return lists | pairs.map(lambda items: "{" + ", ".join(items) + "}")


@given(st.recursive(LEAVES, in_brackets, max_leaves=20), st.sampled_from(SECTIONS))
@examples(300)
def test_random_structures(root: Path, value: str, section: str) -> None:
    assert_loads(
        root, "opforge.yaml" if section == "languages" else "a.yaml", f"{section}: {value}\n".encode()
    )


@given(st.integers(), st.sampled_from(range(len(TEXTS))))
@examples(200)
def test_card_files_with_characters_dropped_doubled_or_swapped(root: Path, seed: int, which: int) -> None:
    chance = random.Random(seed)
    signs = list(TEXTS[which])
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(signs) - 1)
        change = chance.randrange(4)
        if change == 0:
            del signs[at]
        elif change == 1:
            signs.insert(at, signs[at])
        elif change == 2:
            signs[at], signs[at + 1] = signs[at + 1], signs[at]
        else:
            signs[at] = chance.choice("\t{}[]:#&*!|>'\"%@`-,? \n\\0")
    names = ("cards.yaml", "play.yaml", "scenarios.yaml", "opforge.yaml")
    assert_loads(root, names[which], "".join(signs).encode())
