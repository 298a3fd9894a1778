"""The tree of a YAML file: what values mean, where they stand, and what is refused."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.thoroughness import examples
from toolkit.data.yaml.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.yaml.yaml_tree import DEEPEST, MAX_NODES, default_parser, parse_tree, plain_parser
from toolkit.source import SourceFile


def source(text: str) -> SourceFile:
    return SourceFile(Path("a.yaml"), "a.yaml", text)


def value(text: str) -> Any:
    tree = parse_tree(source(text))
    assert tree.findings == []
    assert tree.root is not None
    return tree.root.value


def shape(node: Node | None) -> Any:
    """Everything that a node is, to be compared."""
    if isinstance(node, Mapping):
        inner = [(shape(node.keys[key]), shape(part)) for key, part in node.nodes.items()]
        return ("mapping", node.start, node.end, node.in_braces, inner)
    if isinstance(node, Sequence):
        return ("sequence", node.start, node.end, node.in_brackets, [shape(item) for item in node.items])
    if node is None:
        return None
    meant = "nan" if isinstance(node.value, float) and math.isnan(node.value) else node.value
    return (type(meant), meant, node.text, node.style, node.start, node.end, node.parsed_end)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("no", "no"), ("on", "on"), ("Yes", "Yes"), ("y", "y"), ("010", 10), ("12:30", "12:30"),
        ("0o17", 15), ("0x1F", 31), ("0b1", "0b1"), ("1_000", "1_000"), ("+5", 5), ("-0", 0), ("~", None),
        ("null", None), ("Null", None), ("nUll", "nUll"), ("true", True), ("FALSE", False), ("tRue", "tRue"),
        ("1.5", 1.5), ("1.", 1.0), (".5", 0.5), ("1e3", 1000.0), (".inf", math.inf), ("-.INF", -math.inf),
        ("2001-01-01", "2001-01-01"), ("1.2.3", "1.2.3"), ("- 5", [5]), ("'5'", "5"), ('"true"', "true"),
        ("|\n  5", "5"), ("0o8", "0o8"), ("+", "+"), (".", "."), ("-", [None]), ("9" * 301, "9" * 301),
    ],
)  # fmt: skip
def test_scalars_mean_what_yaml_1_2_says(written: str, meant: object) -> None:
    found = value(f"k: \n  {written}" if "\n" in written or written.startswith("-") else f"k: {written}")["k"]
    assert (found, type(found)) == (meant, type(meant))


def test_without_libyaml_the_parser_in_python_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml._yaml", None)
    assert default_parser() is plain_parser
    assert value("a: [1, no]") == {"a": [1, "no"]}


def test_not_a_number_is_a_number() -> None:
    assert math.isnan(value("k: .nan")["k"])


def test_every_key_and_value_has_its_place() -> None:
    root = parse_tree(source("a:\n  - x: 'y'\n    z: [1, 2]\n\n# end\nb: |\n  t\n\n\nc: {d: ~}\ne:\n")).root
    assert isinstance(root, Mapping)
    entries = root.nodes["a"]
    assert isinstance(entries, Sequence)
    assert entries.span.text == "- x: 'y'\n    z: [1, 2]"
    entry = entries.items[0]
    assert isinstance(entry, Mapping)
    assert (entry.span.text, entry.keys["z"].span.text) == ("x: 'y'\n    z: [1, 2]", "z")
    assert (entry.nodes["x"].span.text, entry.nodes["z"].span.text) == ("'y'", "[1, 2]")
    assert (root.nodes["b"].span.text, root.nodes["c"].span.text) == ("|\n  t", "{d: ~}")
    assert (root.nodes["e"].span.text, root.nodes["e"].start) == ("", root.keys["e"].end + 1)


@pytest.mark.parametrize(
    ("text", "name", "underlined", "kept"),
    [
        ("a: 1\nb: 2\na: 3", "duplicate-key", "a", {"a": 1, "b": 2}),
        ("{a: 1, a: [2]}", "duplicate-key", "a", {"a": 1}),
        ("a: *x", "alias-not-allowed", "*x", {"a": None}),
        ("*x : 1\nb: 2", "alias-not-allowed", "*x", {"b": 2}),
        ("a: &x 1", "anchor-not-allowed", "&x", {"a": 1}),
        ("a: &x\n  - 1", "anchor-not-allowed", "&x", {"a": [1]}),
        ("a: !!str 1", "tag-not-allowed", "!!str", {"a": 1}),
        ("a: !<x> 'b'", "tag-not-allowed", "!<x>", {"a": "b"}),
        ("<<: {a: 1}\nb: 2", "merge-key-not-allowed", "<<", {"b": 2}),
        ("1: a\nb: 2", "key-not-text", "1", {"b": 2}),
        ("{b: 2, 1: a}", "key-not-text", "1", {"b": 2}),
        ("{b: 2,1}", "key-not-text", "1", {"b": 2}),
        ("~: a\nb: 2", "key-not-text", "~", {"b": 2}),
        ("? [x]\n: a\nb: 2", "key-not-text", "[x]", {"b": 2}),
        ("a: 1\n---\nb: 2", "several-documents", "---", {"a": 1}),
        ("--- a\n--- b", "several-documents", "---", "a"),
    ],
)
def test_what_card_files_have_no_use_for_is_refused_and_loading_goes_on(
    text: str, name: str, underlined: str, kept: object
) -> None:
    for parser in (default_parser(), plain_parser):
        tree = parse_tree(source(text), parser)
        assert [(finding.name, finding.span.text) for finding in tree.findings] == [(name, underlined)]
        assert tree.root is not None
        assert tree.root.value == kept


def test_a_key_given_twice_shows_both_places() -> None:
    (finding,) = parse_tree(source("a: 1\nb: 2\na: 3")).findings
    assert finding.span.begin_position == (3, 1)
    (label,) = finding.labels
    assert (label.message, label.span.begin_position) == ("first defined here", (1, 1))


def test_an_anchor_and_a_tag_together_are_two_findings_and_the_value_stays() -> None:
    tree = parse_tree(source("a: &x !!str 'b'"))
    assert [finding.span.text for finding in tree.findings] == ["&x", "!!str"]
    assert isinstance(tree.root, Mapping)
    node = tree.root.nodes["a"]
    assert isinstance(node, Scalar)
    assert node.as_text().locate(0, 1).text == "b"


def test_nesting_is_stopped_before_it_can_crash_the_parser() -> None:
    pieces = ("[", "- ", "{a: ", "? ", "[{a: ")
    program = (
        "from pathlib import Path\nfrom toolkit.source import SourceFile\n"
        "from toolkit.data.yaml.yaml_tree import parse_tree\n"
        f"for piece in {pieces!r}:\n"
        "    tree = parse_tree(SourceFile(Path('a'), 'a', piece * 300_000))\n"
        "    print(piece, [finding.name for finding in tree.findings], flush=True)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.stdout.splitlines() == [f"{piece} ['too-deep']" for piece in pieces]
    assert run.returncode == 0, run.stderr


_LEVELS_BEFORE = {
    "": 0, "a: ": 1, "- - ": 2, "a:\n  - b: {x: ": 4, "a: '[[{{'\nb: ": 1, "a: # [[{{\n  ": 1,
    "a: |\n  [[{{\nb: ": 1, "{a: b, c: ": 1,
}  # fmt: skip


@given(
    st.sampled_from(sorted(_LEVELS_BEFORE)), st.sampled_from("[{"), st.text("[{,:'\"@#-? ax\n", max_size=12)
)
@examples(200)
def test_what_follows_in_a_line_that_is_too_deep_makes_no_difference(
    before: str, bracket: str, after: str
) -> None:
    start = len(before) + DEEPEST - _LEVELS_BEFORE[before]
    for count, parser in ((51, plain_parser), (51, default_parser()), (1_001, default_parser())):
        finding = parse_tree(source(before + bracket * count + after), parser).findings[-1]
        assert (finding.name, finding.span.start) == ("too-deep", start)


@pytest.mark.parametrize(
    "text", ["a: b {0}", "a: '{0}'", "a: ['{0}']", "a: # {0}\n  b", "a: |\n  {0}\nb: c", "a: >\n  b\n\n  {0}"]
)
def test_brackets_in_texts_and_comments_are_not_nested(text: str) -> None:
    written = text.format("[" * 1_001)
    assert parse_tree(source(written)).findings == []
    (finding,) = parse_tree(source(f"{written}\nc: @")).findings
    assert finding.name != "too-deep"


def test_as_deep_as_allowed_is_allowed() -> None:
    assert parse_tree(source("[" * DEEPEST + "]" * DEEPEST)).findings == []
    deeper = parse_tree(source("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)))
    assert [(finding.name, finding.span.start) for finding in deeper.findings] == [("too-deep", DEEPEST)]


def test_the_number_of_values_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_NODES == 250_000  # which the page of the finding reaches
    monkeypatch.setattr("toolkit.data.yaml.yaml_tree.MAX_NODES", 1_000)
    assert not parse_tree(source("[" + "1," * 990 + "]")).findings
    tree = parse_tree(source("[" + "1," * 1_010 + "]"))
    assert [finding.name for finding in tree.findings] == ["too-many-values"]


def test_behind_a_syntax_error_the_entries_before_it_are_kept_but_the_torn_one() -> None:
    tree = parse_tree(source("cards:\n  - id: a\n  - id: b\n  - id: c\n    name 'x\n"))
    assert tree.root is not None
    assert tree.root.value == {"cards": [{"id": "a"}, {"id": "b"}]}
    assert tree.cut is not None
    assert tree.file.text[tree.cut :].startswith("id: c")


def test_an_entry_that_ended_right_before_a_syntax_error_is_torn_too() -> None:
    tree = parse_tree(source("cards:\n  - id: a\n  - id: b\n   name: x\n"))
    assert tree.root is not None
    assert tree.root.value == {"cards": [{"id": "a"}]}


_LEAVES = st.sampled_from(
    ["a", "'b'", '"c"', "5", "~", "", "no", "ä ö", "|\n{}  x\n{}  y", ">-\n{}  x\n\n{}  y", "é😀", "1.5"]
)


@st.composite
def documents(draw: st.DrawFn, depth: int = 0, indent: int = 0) -> str:
    """A document in block and flow style, with comments."""
    sort = draw(st.sampled_from(["leaf", "map", "list", "flow"] if depth < 3 else ["leaf"]))
    margin = " " * indent
    if sort == "leaf":
        return draw(_LEAVES).replace("{}", margin)
    if sort == "flow":
        return draw(
            st.sampled_from(["[a, 'b', {c: d}]", "{a: 1, b: [x, y]}", "[]", "{}", "{a: , b: c}", "[[a], ~]"])
        )
    step = draw(st.integers(1, 4))
    lines = []
    for number in range(draw(st.integers(1, 3))):
        comment = draw(st.sampled_from(["", "", f"{margin}{' ' * step}# a: b\n", "\n"]))
        inner = draw(documents(depth=depth + 1, indent=indent + step))
        key = f"k{number}:" if sort == "map" else "-"
        lines.append(f"{comment}{margin}{' ' * step}{key} {inner}")
    return "\n" + "\n".join(lines)


@given(documents(), st.sampled_from(["\n", "\r\n"]))
@examples(300)
def test_both_parsers_give_the_same_tree(text: str, line_end: str) -> None:
    file = source(text.replace("\n", line_end))
    first, second = parse_tree(file, default_parser()), parse_tree(file, plain_parser)
    assert first.findings == second.findings
    assert shape(first.root) == shape(second.root)


@given(st.lists(st.sampled_from([*"ab:-#'\"|>[]{},&*!?~ \n\n  \t\\%@`", "a: ", "\n  ", "- "]), max_size=30))
@examples(500)
def test_any_text_gives_a_tree_or_findings_inside_the_file(pieces: list[str]) -> None:
    file = source("".join(pieces))
    for parser in (default_parser(), plain_parser):
        tree = parse_tree(file, parser)
        assert tree.cut is None or tree.findings
        for finding in tree.findings:
            assert 0 <= finding.span.start <= finding.span.end <= len(file.text)
            assert finding.next_step
