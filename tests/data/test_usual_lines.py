"""Files in the usual form: what is read without the YAML parser means what it means to the parser."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolkit.data.nodes import Mapping, Node, Scalar
from toolkit.data.tree import default_parser, parse_tree
from toolkit.data.usual_lines import DEEPEST, LONGEST_LINE, usual_root
from toolkit.resources import cards_folder, starter_folder
from toolkit.source import SourceFile

SHIPPED = sorted(path for folder in (cards_folder(), starter_folder()) for path in folder.rglob("*.yaml"))


def source(text: str) -> SourceFile:
    return SourceFile(Path("cards.yaml"), "cards.yaml", text)


def shape(node: Node | None) -> object:
    """All that a node holds."""
    if isinstance(node, Scalar):
        return (node.at, node.to, repr(node.value), node.text, node.style, node.whole_to)
    if isinstance(node, Mapping):
        parts = [(key, shape(node.keys[key]), shape(value)) for key, value in node.nodes.items()]
        return (node.at, node.to, node.in_braces, repr(node.value), parts)
    assert node is not None
    return (node.at, node.to, node.in_brackets, repr(node.value), [shape(item) for item in node.items])


def agrees_with_the_parser(text: str) -> bool:
    """Whether the text is read; then the parser must have read the same, without a finding."""
    root = usual_root(source(text))
    if root is None:
        return False
    tree = parse_tree(source(text), default_parser())
    assert tree.findings == []
    assert shape(root) == shape(tree.root)
    return True


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_files_are_in_the_usual_form(path: Path) -> None:
    assert agrees_with_the_parser(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "text",
    [
        "a: b\n",
        "# note\n\na: b # more\n  # deeper note\nb-1: 2\n",
        "a: -1\nb: 010\nc: 1.5\nd: ~\ne: true\nf: no\ng: 12:30\nh: a#b\ni: x, [y]\n",
        "a: 'b: c'   # d\nb: \"# e\"\nc: ''\n",
        "a: {}\nb: []\nc: { d: [ 1 , two ] , e: 'f' }\n",
        "cards:\n  - id: a\n    kind: b\n\n  - id: c\n# end\n",
        "a:\n    - b\n    -   c: d\n        e: f\n    - [g, h]\n    - 'i'\n",
        "a: |\n  b\n    c\n\n  d # e\n\n\nf: >  \n  g\n  h\n",
        "a:\n  b: |\n    c\n# d\ne: f\n",
        "a: |-\n  b\n\n  c\n\nd: >-\n  e\n  f\n",
        "a:\n- b\n- c: d\n  e:\n  - f\n  - [g]\n  h: i\n- j\nk: l\nm:\n- n\n",
        "c: Späher – „gut“ 🂡\n",
    ],
)
def test_the_usual_form_is_read(text: str) -> None:
    assert agrees_with_the_parser(text)


@pytest.mark.parametrize(
    "text",
    [
        *("", "\n", "# note\n", "- a\n", " a: b\n", "a\n", "a: b", "---\na: b\n", "a: b\n...\n"),
        *("a:\n", "a: b\na: c\n", "true: a\n", "1: a\n", "'a': b\n", "? a\n: b\n", "a : b\n", "a:b\n"),
        *("a: b: c\n", "a: *b\n", "a: &b c\n", "a: !b c\n", "a: @b\n", "a: - b\n", "<<: {a: b}\n"),
        *(
            "a: b\n  c\n",
            "a: b\n  c: d\n",
            "a:\n  b: c\n d: e\n",
            "a:\n- b\n- c: d\n  e: f\n g: h\n",
            "a:\n- b\n  c: d\n",
            "a: b\n- c\n",
            "a:\n  - - b\n",
            "a:\n  -\n",
        ),
        *(
            'a: "b\\n"\n',
            "a: 'b''c'\n",
            "a: 'b\n  c'\n",
            "a: [b,\n  c]\n",
            "a: [b\n",
            "a: [b]]\n",
            "a: [b}\n",
        ),
        *(
            "a: {b}\n",
            "a: {b: }\n",
            "a: {b:c}\n",
            "a: [b: c]\n",
            "a: [b,]\n",
            "a: [,]\n",
            "a: {b: c, b: d}\n",
        ),
        *(
            "a: |+\n  b\n",
            "a: |2\n  b\n",
            "a: |\nb: c\n",
            "a: |\n\n  b\n",
            "a: |\n  b\n \n  c\n",
            "a: | # b\n  c\n",
        ),
        *("a: >\n  b\n\n  c\n", "a: >\n  b\n    c\n", "a:\n  - |\n    b\n"),
        *("a:\tb\n", "a: b\r\n", "a: b\x85", "a: b\u2028", "\ufeffa: b\n", "a: b\0\n", "a:\u00a0b\n"),
        f"a: {'b' * LONGEST_LINE}\n",
        f"a: {'[' * (DEEPEST + 1)}{']' * (DEEPEST + 1)}\n",
        "".join(f"{'  ' * depth}a:\n" for depth in range(DEEPEST + 2)) + "  " * (DEEPEST + 2) + "b: c\n",
    ],
)
def test_all_else_is_left_to_the_parser(text: str) -> None:
    assert usual_root(source(text)) is None


ENTRIES = [
    f"cards:\n  - {entry}\n"
    for path in SHIPPED
    for entry in path.read_text(encoding="utf-8").partition(":\n")[2].split("\n  - ")[1:]
]
FLAT = [text.replace("\n  ", "\n") for text in ENTRIES]
SIGNS = "\n\n  -:#{}[],'\"|>?&*!%@`~abz0.\tä\u00a0\\=<"
EDITS = st.tuples(
    st.integers(0, 2_000),
    st.integers(0, 12),
    st.text(SIGNS, max_size=3) | st.sampled_from([": ", " #", "\n "]),
)


@given(st.sampled_from([*ENTRIES, *FLAT]), st.lists(EDITS, min_size=1, max_size=3))
@settings(max_examples=1_000)
def test_what_is_read_is_what_the_parser_reads(text: str, edits: list[tuple[int, int, str]]) -> None:
    for at, removed, put in edits:
        at %= len(text) + 1
        text = text[:at] + put + text[at + removed :]
    agrees_with_the_parser(text)
