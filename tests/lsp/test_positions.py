"""Positions count the units that were agreed: umlauts, emoji and every line end before them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from toolkit.apps.lsp.editor_documents import Documents, code_units, offset_at, position_at
from toolkit.source import SourceFile

ENCODINGS = ("utf-8", "utf-16", "utf-32")
texts = st.text(st.sampled_from("ab ü🎯\n\r\u2028\x85\t"), max_size=40)


def file(text: str) -> SourceFile:
    return SourceFile(Path("cards.yaml"), "cards.yaml", text)


@pytest.mark.parametrize(("encoding", "column"), [("utf-8", 8), ("utf-16", 5), ("utf-32", 4)])
def test_a_word_behind_an_umlaut_and_an_emoji(encoding: str, column: int) -> None:
    found = position_at(file("id: x\nü🎯 AP"), len("id: x\nü🎯 A"), encoding)
    assert found == types.Position(1, column)


@given(texts, st.sampled_from(ENCODINGS), st.data())
def test_a_position_leads_back_to_its_offset(text: str, encoding: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    back = offset_at(file(text), position_at(file(text), offset, encoding), encoding)
    inside_a_line_end = text[offset - 1 : offset + 1] == "\r\n"
    assert back == (offset - 1 if inside_a_line_end else offset)


@given(texts, st.sampled_from(ENCODINGS), st.integers(0, 9), st.integers(0, 60))
def test_any_position_is_somewhere(text: str, encoding: str, line: int, character: int) -> None:
    assert 0 <= offset_at(file(text), types.Position(line, character), encoding) <= len(text)


def test_a_position_within_an_emoji_is_its_beginning() -> None:
    assert offset_at(file("🎯x"), types.Position(0, 1), "utf-16") == 0


@given(texts, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), texts), max_size=6))
def test_edits_of_parts_come_to_the_same_as_edits_of_the_text(
    text: str, edits: list[tuple[int, int, str]]
) -> None:
    """The editor counts in UTF-16 and lines end at CR, LF and CRLF only; the model is a plain string."""
    documents = Documents()
    documents.open(types.TextDocumentItem("untitled:1", "yaml", 1, text))
    changes, model = [], text
    for first, second, new in edits:
        start, end = sorted((min(first, len(model)), min(second, len(model))))
        lines = file(model)
        place = types.Range(position_at(lines, start, "utf-16"), position_at(lines, end, "utf-16"))
        start, end = (offset_at(lines, place.start, "utf-16"), offset_at(lines, place.end, "utf-16"))
        changes.append(types.TextDocumentContentChangePartial(place, new))
        model = model[:start] + new + model[end:]
    document = documents.change("untitled:1", 2, changes)
    assert document is not None
    assert document.text == model


def test_half_of_a_pair_is_one_unit() -> None:
    assert code_units("\ud83c", "utf-16") == 1
    assert code_units("\ud83c", "utf-8") == 3
