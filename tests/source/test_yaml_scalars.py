"""The one writer of YAML scalars: what it writes is read as the text that it was given."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from toolkit.data.yaml.nodes import Mapping, Scalar, Sequence
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.source.files import SourceFile
from toolkit.source.yaml_scalars import format_scalar

SIGNS = st.text(st.sampled_from("ab 1-.:#?!&*[]{},|>'\"%@`\\~\t\n=é"), max_size=12)
WORDS = st.sampled_from(["true", "null", "12", "1e3", "0x1f", ".5", "---", "...", "- a", "a: b", "a #b", ""])


@example("?", False)
@example("-", False)
@given(SIGNS | WORDS | st.text(max_size=8).filter(str.isprintable), st.booleans())
def test_what_is_written_is_read_again(text: str, in_flow: bool) -> None:
    written = format_scalar(text, in_flow=in_flow)
    line = f"key: [{written}]\n" if in_flow else f"key: {written}\n"
    tree = parse_tree(SourceFile(Path("a.yaml"), "a.yaml", line))
    assert isinstance(tree.root, Mapping)
    node = tree.root.nodes["key"]
    if in_flow:
        assert isinstance(node, Sequence)
        (node,) = node.items
    assert isinstance(node, Scalar)
    assert (node.text, node.value) == (text, text)
    assert tree.findings == []


@pytest.mark.parametrize("text", ["Viper", "Agent 7", "it's so", "self gets +1 AP.", "#"])
def test_what_can_be_plain_is(text: str) -> None:
    assert (format_scalar(text) == text) == (text != "#")
