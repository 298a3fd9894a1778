"""The map from a YAML scalar to the file: it is there, and it is right, in all five styles."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from tests.source.scalar_writer import Page, block_scalar, flow_scalar
from tests.thoroughness import examples
from toolkit.data.yaml.nodes import Mapping, Scalar
from toolkit.data.yaml.stand_ins import stand_ins_for
from toolkit.data.yaml.yaml_tree import default_parser, parse_tree, plain_parser
from toolkit.source import ScalarText, SourceFile, scalar_offsets


def scalars(text: str, parser: Any = None) -> Iterator[Any]:
    """The scalar events of a text, as far as it can be read."""
    stand_ins = stand_ins_for(text)
    found = (parser or default_parser())(text if stand_ins is None else stand_ins.text)
    while (event := found.get_event()) is not None:
        if isinstance(event, yaml.ScalarEvent):
            if stand_ins is not None:
                written = text[event.start_mark.index : event.end_mark.index]
                event.value = stand_ins.value(event.value, written)
            yield event


def scalar_text(text: str, index: int = -1) -> ScalarText:
    """One of the scalars of a text, the last if not said."""
    event = list(scalars(text))[index]
    start, reach = event.start_mark.index, event.end_mark.index
    file = SourceFile(Path("a.yaml"), "a.yaml", text)
    end = start + len(text[start:reach].rstrip(" \t\r\n")) if event.style in ("|", ">") else reach
    return ScalarText(event.value, file.span(start, end), event.style or "", reach)


def assert_map_is_as_written(page: Page, parser: Any) -> None:
    event = next(event for event in scalars(page.text, parser) if event.start_mark.index == page.start)
    assert event.value == "".join(page.value), "the writer of this test means what the parser reads"
    end = event.end_mark.index
    offsets = scalar_offsets(page.text, page.start, end, event.style, event.value)
    assert offsets == tuple(page.offsets)


@given(st.data())
@examples(400)
@pytest.mark.parametrize("style", ["", "'", '"'])
def test_every_character_of_a_flow_scalar_leads_back_to_where_it_was_written(
    style: str, data: st.DataObject
) -> None:
    page = Page()
    pure = data.draw(st.booleans())
    page.put(data.draw(st.sampled_from(["", "ü: 😀\n", "--- x\n---\n", "a:\r\n  - 'b'\r\n"])))
    around = data.draw(st.sampled_from(["key", "item", "list", "braces"]))
    if page.text.endswith("---\n") or not page.text:
        around = data.draw(st.sampled_from([around, "root"]))
    before, after = {
        "key": ("  k: " if "- 'b'" in page.text else "k: ", "\nz: 1"),
        "item": ("k:\n  - ", "\n"),
        "list": ("k: [a, ", ", b]\n"),
        "braces": ("k: {a: ", ", b: c}\n"),
        "root": ("", ""),
    }[around]
    if "- 'b'" in page.text:
        before = before.lstrip()
    page.put(before)
    # PyYAML's own parser ends a plain scalar at a tab
    data.draw(flow_scalar(page, style, indent=3, tabs=not (pure and style == "")))
    page.put(after)
    assert_map_is_as_written(page, plain_parser if pure else None)


@given(st.data())
@examples(400)
@pytest.mark.parametrize("style", ["|", ">"])
def test_every_character_of_a_block_scalar_leads_back_to_where_it_was_written(
    style: str, data: st.DataObject
) -> None:
    page = Page()
    pure = data.draw(st.booleans())
    page.put(data.draw(st.sampled_from(["", "ü: 😀\n", "--- x\n---\n"])))
    before, parent = data.draw(
        st.sampled_from(
            [("k: ", 0), ("k:\n  l: ", 2), ("k:\n  - ", 2), ("k:\n   - l: ", 5), ("k:\n    l:\n     m: ", 5)]
        )
    )
    page.put(before)
    data.draw(block_scalar(page, style, parent, tabs=True))
    if page.text[-1] in "\r\n":
        page.put(data.draw(st.sampled_from(["", "z: 1\n", "# a comment\n", "...\n"])))
    assert_map_is_as_written(page, plain_parser if pure else None)


_PIECES = [
    *(
        "a",
        "b c",
        ": ",
        "- ",
        " ",
        "\t",
        "'",
        '"',
        "''",
        "\\n",
        "\\",
        "|",
        ">",
        ">-",
        "|+",
        "|2",
        " # x",
        "ä",
        "😀",
    ),
    *(
        "[",
        "]",
        "{",
        "}",
        ", ",
        "k: ",
        "- 'x",
        '- "x',
        "~",
        "?",
        "\n",
        "\n  ",
        "\n    ",
        "\r\n",
        "\u2028",
        "\u2029",
        "\\ud83c\\udfb2",
        "\\ud83c",
    ),
    *("\x85", "---\n", "\\\n", "k: |\n  ", "k: >\n  "),
]
YAML_LIKE = st.lists(st.sampled_from(_PIECES), max_size=25).map("".join)


@given(YAML_LIKE, st.booleans())
@examples(1500)
def test_whatever_scalar_the_parsers_find_has_a_map(text: str, pure: bool) -> None:
    found: list[Any] = []
    try:
        found.extend(scalars(text, plain_parser if pure else None))
    except (yaml.YAMLError, ValueError):
        return
    for event in found:
        if event.anchor is None and event.tag is None:
            start, end = event.start_mark.index, event.end_mark.index
            offsets = scalar_offsets(text, start, end, event.style, event.value)
            assert offsets is not None, (event.style, event.value, text[start:end])
            assert list(offsets) == sorted(set(offsets))
            assert all(start <= offset < end for offset in offsets)


def test_a_value_that_does_not_fit_has_no_map() -> None:
    assert scalar_offsets("a: foo", 3, 6, "", "fob") is None
    assert scalar_offsets("a: foo", 3, 6, "", "fo") is None
    assert scalar_offsets("a: foo", 3, 6, "", "foo.") is None
    assert scalar_offsets("a: foo", 3, 6, "|", "foo") is None


def test_without_a_map_every_place_is_the_whole_scalar() -> None:
    file = SourceFile(Path("a.yaml"), "a.yaml", "a: foo")
    text = ScalarText("bar", file.span(3, 6), "", 6)
    assert text.offsets is None
    assert text.locate(1, 2) == file.span(3, 6)
    assert text.index_at(4) is None


@pytest.mark.parametrize(
    ("text", "word", "underlined"),
    [
        ("e: when self gets", "self", "self"),
        ("e: 'it''s self'", "it's", "it''s"),
        ("e: 'it''s self'", "'", "''"),
        ('e: "a \\"self\\" b"', '"self"', '\\"self\\"'),
        ('e: "\\u00e4b"', "ä", "\\u00e4"),
        ("e: |\r\n  when\r\n  self\r\n", "when\nself", "when\r\n  self"),
        ("e: >\n  when\n  self\n\n\n", "self\n", "self"),
        ("e: |2\n   when self\n", "when", "when"),
        ('e: "when \\\n   self"', "when self", "when \\\n   self"),
    ],
)
def test_a_word_is_underlined_as_it_is_written(text: str, word: str, underlined: str) -> None:
    scalar = scalar_text(text)
    start = scalar.value.index(word)
    assert scalar.locate(start, start + len(word)).text == underlined


def test_an_accent_of_its_own_is_a_part_of_its_letter() -> None:
    text = "gru\u0308n \u1112\u1161\u11ab x"
    for written in (f"e: {text}", f"e: '{text}'", f"e: |\n  {text}\n"):
        root = parse_tree(SourceFile(Path("a.yaml"), "a.yaml", written)).root
        assert isinstance(root, Mapping)
        node = root.nodes["e"]
        assert isinstance(node, Scalar)
        assert node.text.strip() == "gr\xfcn \ud55c x"
        scalar = node.as_text()
        places = [scalar.locate(index, index + 1).text for index in range(len("gr\xfcn"))]
        assert places == ["g", "r", "u\u0308", "n"]
        assert scalar.locate(7, 8).text == "x"


def test_a_place_between_two_characters_has_no_width_and_lies_before_the_next_one() -> None:
    scalar = scalar_text("e: 'a''b'")
    assert scalar.locate(1, 1) == scalar.span.file.span(5, 5)
    assert scalar.locate(3, 3) == scalar.span.file.span(8, 8)


def test_nothing_behind_a_block_is_underlined() -> None:
    scalar = scalar_text("e: |+\n  self\n\n\n")
    assert scalar.value == "self\n\n\n"
    assert scalar.span.text == "|+\n  self"
    assert scalar.locate(4, 7) == scalar.span.file.span(12, 12)


@given(st.data())
@pytest.mark.parametrize("style", ["'", '"', "|"])
def test_the_way_there_and_back_is_the_same(style: str, data: st.DataObject) -> None:
    page = Page("k: ")
    data.draw(flow_scalar(page, style, 2, True) if style in "'\"" else block_scalar(page, style, 0, True))
    scalar = scalar_text(page.text)
    offsets = scalar.offsets
    assert offsets is not None
    for index, offset in enumerate(offsets):
        if offset < scalar.span.end:
            assert scalar.index_at(offset) == index
            assert scalar.locate(index, index + 1).start == offset


def test_a_place_outside_the_scalar_has_no_index() -> None:
    scalar = scalar_text("a: 'foo'\nb: c", 1)
    assert scalar.index_at(2) is None
    assert scalar.index_at(3) is None
    assert scalar.index_at(9) is None
    assert scalar.index_at(7) == 3
