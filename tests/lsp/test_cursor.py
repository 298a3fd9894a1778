"""Where a cursor stands in a file that is half typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.lsp.marked import cut
from tests.thoroughness import examples
from toolkit.data.yaml.cursor import cursor_at
from toolkit.resources import cards_folder

HEAD = "cards:\n  - id: x\n"

PLACES = {
    "a section": ("ca¦", (), "ca"),
    "a section between others": ("teams: []\nca¦\nmodes: []\n", (), "ca"),
    "a new entry": ("cards:\n  - ¦\n", ("cards", 0), ""),
    "a key": (HEAD + "    te¦\n    kind: operator\n", ("cards", 0), "te"),
    "a key on an empty line": (HEAD + "    ¦\n    name: x\n", ("cards", 0), ""),
    "a value": (HEAD + "    team: ni¦ght\n", ("cards", 0, "team"), "ni"),
    "a value that is still to come": (HEAD + "    team: ¦\n", ("cards", 0, "team"), ""),
    "an item in brackets": (HEAD + "    traits: [a, ¦]\n", ("cards", 0, "traits", 1), ""),
    "an item in open brackets": (HEAD + "    traits: [a, b¦\n", ("cards", 0, "traits", 1), "b"),
    "a language": (HEAD + "    name: {en: A, d¦}\n", ("cards", 0, "name"), "d"),
    "in quotes that are not closed": (HEAD + '    effect: "self ¦\n', ("cards", 0, "effect"), "self "),
    "behind an escaped quote": (HEAD + '    effect: "trait \\"s¦\n', ("cards", 0, "effect"), 'trait "s'),
    "between single quotes": (HEAD + "    effect: 'self ge¦'\n", ("cards", 0, "effect"), "self ge"),
    "in a block": (HEAD + "    effect: |\n      a\n      b ¦\n", ("cards", 0, "effect"), "a\nb "),
    "in a folded block": (HEAD + "    effect: >\n      a\n      b¦\n", ("cards", 0, "effect"), "a b"),
    "on the second line of a plain text": (HEAD + "    effect: a\n      b¦\n", ("cards", 0, "effect"), "a b"),
    "behind a broken entry": ("cards:\n  - a: b: c\n  - id: y\n    kind: ¦", ("cards", 0, "kind"), ""),
    "with dashes at the margin": ("cards:\n- id: x\n  te¦\n", ("cards", 0), "te"),
    "in an entry in braces": ("teams:\n  - {id: a, na¦}\n", ("teams", 0), "na"),
    "with line ends of Windows": ("cards:\r\n  - id: x\r\n    kind: at¦\r\n", ("cards", 0, "kind"), "at"),
}


@pytest.mark.parametrize("name", PLACES)
def test_the_place_of_the_cursor(name: str) -> None:
    marked, path, before = PLACES[name]
    cursor = cursor_at(*cut(marked))
    assert cursor is not None
    assert (cursor.path, cursor.before) == (path, before)


def test_the_keys_around_and_the_kind_are_found_from_both_sides() -> None:
    cursor = cursor_at(*cut(HEAD + "    ¦\n    kind: attack\n    name: {en: x}\n  - id: y\n    art: z\n"))
    assert cursor is not None
    assert cursor.siblings == {"id", "kind", "name"}
    assert cursor.kind == "attack"


@pytest.mark.parametrize("text", [HEAD + "    # ¦", HEAD + "    kind: attack # at¦\n", "# ¦\ncards:\n"])
def test_nothing_is_written_in_a_comment(text: str) -> None:
    assert cursor_at(*cut(text)) is None


@given(st.sampled_from(sorted(cards_folder().rglob("*.yaml"))), st.floats(0, 1))
@examples(150)
def test_every_place_of_the_shipped_set_has_an_answer(path: object, where: float) -> None:
    text = path.read_text(encoding="utf-8")  # type: ignore[attr-defined]
    offset = int(len(text) * where)
    for written in (text, text[:offset]):
        cursor = cursor_at(written, offset)
        assert cursor is None or cursor.before is not None


@given(st.text(st.sampled_from("a:- \n'\"[]{}|>#&*!%@`,?\t"), max_size=30), st.data())
def test_no_text_makes_it_raise(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    cursor_at(text, offset)
    cursor_at(text, offset, has_entries=False)
