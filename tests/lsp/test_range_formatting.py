"""Formatting of a part of a file: the entries that it touches, and nothing of the others."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from tests.lsp.in_process import Asked
from tests.lsp.test_editor import applied
from tests.thoroughness import examples, share
from toolkit.apps.lsp import formatting
from toolkit.apps.lsp.formatting import formatting_edits, range_formatting_edits
from toolkit.resources import cards_folder
from toolkit.source import SourceFile
from toolkit.source.edits import apply

UNTIDY = """\
# ü🎯
cards:
  - kind: attack
    id: a
    name: A # short
    effect: when attacking, self get +2   AP.
  # of b
  - kind: attack
    effect: when attacking, self get +1   AP.
    name: B
    id: b
teams:
  - {name: Owls,   id: owls}
"""
TIDY_A = """\
  - id: a
    kind: attack
    name: A # short
    effect: when attacking, self gets +2 AP.
"""
UNTIDY_A = UNTIDY[UNTIDY.index("  - kind") : UNTIDY.index("  # of b")]


def formatted(asked: Asked, uri: str, start: tuple[int, int], end: tuple[int, int]) -> str:
    """The text of an open file after a part of it is formatted, lines counted from 0."""
    text = asked.server.state.documents.by_uri[uri].text
    edits = asked.about_file(
        types.TEXT_DOCUMENT_RANGE_FORMATTING,
        uri,
        range=types.Range(types.Position(*start), types.Position(*end)),
        options=types.FormattingOptions(2, True),
    )
    return applied(text, edits)


@pytest.mark.parametrize(
    ("start", "end"),
    [((2, 0), (5, 9)), ((4, 3), (4, 3)), ((2, 0), (7, 0)), ((5, 0), (2, 0)), ((1, 99), (3, 0))],
    ids=["an entry", "a place in it", "its lines", "backwards", "from the line above"],
)
def test_an_entry(project: Path, start: tuple[int, int], end: tuple[int, int]) -> None:
    asked = Asked(project)
    uri = asked.open(project / "new.yaml", UNTIDY)
    assert formatted(asked, uri, start, end) == UNTIDY.replace(UNTIDY_A, TIDY_A)


def test_the_last_entry_and_behind_the_end(project: Path) -> None:
    asked = Asked(project)
    uri = asked.open(project / "new.yaml", UNTIDY.rstrip("\n"))
    tidy = UNTIDY.replace("{name: Owls,   id: owls}", "{id: owls, name: Owls}")
    assert formatted(asked, uri, (12, 4), (12, 9)) == tidy
    assert formatted(asked, uri, (500, 0), (900, 5)) == tidy
    assert formatted(asked, uri, (0, 0), (0, 3)) == UNTIDY.rstrip("\n")


def test_what_cannot_be_formatted_is_left_as_it_is(project: Path) -> None:
    asked = Asked(project)
    logged: list[str] = []
    asked.server.window_log_message = lambda params: logged.append(params.message)  # type: ignore[method-assign]
    for text in (
        "cards:\n  - id: [\n",
        "",
        "- a\n",
        "cards: [{id: a, kind: attack}, {kind: attack, id: b}]\n",
    ):
        uri = asked.open(project / "new.yaml", text)
        assert formatted(asked, uri, (0, 0), (1, 0)) in (
            text,
            text.replace("kind: attack, id: b", "id: b, kind: attack"),
        )
    assert "is not changed. It cannot be read" in logged[0]


texts = st.lists(st.sampled_from(["a\n", "b\r\n", "\n", "c"]), max_size=12).map("".join)


@given(texts, texts, st.sampled_from([2_000_000, 6]))
@examples(500)
def test_edits_of_lines_make_one_text_of_the_other(old: str, new: str, most: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(formatting, "_MAX_COMPARISONS", most)
        edits = formatting.line_edits(old, new)
        assert apply(old, edits) == new
        assert bool(edits) == (old != new)
        moved = formatting.line_edits(old, new, 3)
    assert apply(f"xyz{old}", moved) == f"xyz{new}"


def test_between_many_lines_that_are_the_same_is_one_edit() -> None:
    blank_lines = "\n" * 1500
    old, new = (f"{end}\n{blank_lines}{middle}\n{blank_lines}{end}\n" for end, middle in ("ab", "xy"))
    (edit,) = formatting.line_edits(old, new)
    assert apply(old, [edit]) == new


def test_parts_of_the_shipped_files_come_to_the_whole() -> None:
    """Formatting each entry alone is formatting the file; a part leaves the others' lines as they are."""
    chance = random.Random(0)
    paths = sorted(cards_folder().rglob("*.yaml"))
    for path in chance.sample(paths, share(len(paths))):
        entries = path.read_text(encoding="utf-8").split("\n  - ")[: 1 + share(100)]
        text = untidy = "\n  - ".join(entries).replace("gets +", "get  +").replace("ap: ", "ap:   ")
        whole = formatting_edits(SourceFile(path, path.name, untidy))
        assert isinstance(whole, list), path
        offset = 0
        while offset < len(text):
            edits = range_formatting_edits(SourceFile(path, path.name, text), offset, offset + 1)
            assert isinstance(edits, list), (path.name, edits)
            if edits:
                lines = (text[: min(edits)[0]].count("\n"), text[max(edits)[1] :].count("\n"))
                changed = apply(text, edits)
                assert changed.split("\n")[: lines[0]] == text.split("\n")[: lines[0]]
                text = changed
            offset = text.find("\n  - ", offset + 1)
            if offset < 0:
                break
            offset += 1
        assert text == apply(untidy, whole), path.name
