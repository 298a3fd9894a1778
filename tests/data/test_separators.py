"""U+0085, U+2028 and U+2029 are characters, each line with one has one finding, and its fix removes them."""

from __future__ import annotations

import json
import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.thoroughness import examples
from toolkit.apps.cli import run
from toolkit.data.loading import load_project
from toolkit.data.yaml.nodes import Mapping, Scalar
from toolkit.data.yaml.yaml_tree import Tree, default_parser, parse_tree, plain_parser
from toolkit.project.checks import CheckRequest, check
from toolkit.source import SourceFile
from toolkit.source.edits import apply

FILE = """\
# a comment
cards:
  - id: aimed-shot
    kind: attack   # another one
    name: {en: Aimed shot, de: "Gezielter Schuss"}
    flavour: 'One text'
    text_only: |
      Two lines
      of text.
    effect: >
      while attacking,
      self gets +2 AP.
  - id: duck
    kind: defence
    name: Duck
    traits: [a, "b"]
"""
SEPARATORS = "\x85\u2028\u2029"


def tree_of(text: str, parser: object = None) -> Tree:
    return parse_tree(SourceFile(Path("a.yaml"), "a.yaml", text), parser)  # type: ignore[arg-type]


def names(tree: Tree) -> list[tuple[str, int, int]]:
    return [(finding.name, *finding.span.begin_position) for finding in tree.findings]


def test_in_every_style_it_is_a_character_of_the_value() -> None:
    for separator in SEPARATORS:
        word = f"One{separator}two"
        for written, value in (
            (word, word),
            (f"'{word}'", word),
            (f'"{word}"', word),
            (f"|\n  {word}\n  three", f"{word}\nthree"),
            (f">-\n  {word}\n  three\n", f"{word} three"),
            (f"[{word}]", [word]),
            (f"A # {word}", "A"),
        ):
            for parser in (default_parser(), plain_parser):
                tree = tree_of(f"name: {written}", parser)
                assert tree.root is not None
                assert tree.root.value == {"name": value}, (written, parser)
                place = written.index(separator)
                line = written[:place].count("\n") + 1
                column = place + 7 if line == 1 else place - written.rindex("\n", 0, place)
                assert names(tree) == [("control-character", line, column)], written
                assert isinstance(tree.root, Mapping)
                node = tree.root.nodes["name"]
                if isinstance(node, Scalar) and separator in node.text:
                    at = node.text.index(separator)
                    assert node.as_text().locate(at, at + 1).text == separator


@given(st.lists(st.tuples(st.integers(0, len(FILE)), st.sampled_from(SEPARATORS)), min_size=1, max_size=5))
@examples(600)
def test_wherever_they_are_put_they_are_one_finding_a_line_and_the_fix_removes_them(
    insertions: list[tuple[int, str]],
) -> None:
    text = FILE
    for place, separator in sorted(insertions, reverse=True):
        text = text[:place] + separator + text[place:]
    for parser in (default_parser(), plain_parser):
        tree = tree_of(text, parser)
        lines = [
            (number, re.search(f"[{SEPARATORS}]", line)) for number, line in enumerate(text.split("\n"), 1)
        ]
        expected = [("control-character", number, found.start() + 1) for number, found in lines if found]
        assert names(tree) == expected
    fixed = apply(text, [finding.fix.edit for finding in tree.findings if finding.fix])
    assert not set(SEPARATORS) & set(fixed)
    assert re.sub(r"\s", "", fixed) == re.sub(r"\s", "", FILE)


def test_where_lines_were_joined_the_fix_puts_line_ends() -> None:
    joined = FILE.replace("\n    name: D", "\u2028    name: D").replace("\n    traits", "\u2029    traits")
    tree = tree_of(joined)
    assert [name for name, *_ in names(tree)] == ["control-character"]
    assert apply(joined, [finding.fix.edit for finding in tree.findings if finding.fix]) == FILE


def test_a_file_that_has_only_them_as_line_ends_is_read_and_fixed_as_a_whole() -> None:
    for separator in SEPARATORS:
        text = FILE.replace("\n", separator).replace("# a comment" + separator, "")
        tree = tree_of(text)
        assert tree.root is not None
        assert tree.root.value == tree_of(FILE).root.value  # type: ignore[union-attr]
        (finding,) = tree.findings
        assert finding.fix is not None
        assert apply(text, [finding.fix.edit]) == FILE.replace("# a comment\n", "")


def test_a_check_of_the_whole_project_says_it_once(tmp_path: Path) -> None:
    (tmp_path / "opforge.yaml").write_text("project: X\nlanguages: [en]\n")
    for key in ("name: A\u2028 # x", "\u2028name: A", "na\u2028me: A", "name:\u2028A", "name: A\n    \u2028"):
        text = f"cards:\n  - id: a\n    kind: item\n    {key}\n    effect: while attacked, self gets +2 EP.\n"
        (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
        result = check(CheckRequest([(tmp_path, None)], today="2027-01-31"))
        assert not isinstance(result, str)
        assert [finding.name for finding in result.findings] == ["control-character"], key


@given(st.text("a\\u{😀🎲\U0010ffff\"'\ud7ff/\n", max_size=12))
@examples(300)
def test_what_json_writes_is_read_as_json_reads_it(text: str) -> None:
    written = json.dumps({"name": text})
    for parser in (default_parser(), plain_parser):
        tree = tree_of(written, parser)
        assert not tree.findings
        assert tree.root is not None
        assert tree.root.value == {"name": text}
        assert isinstance(tree.root, Mapping)
        node = tree.root.nodes["name"]
        assert isinstance(node, Scalar)
        assert len(node.as_text().offsets or ()) == len(text)


def test_half_of_a_pair_is_told_and_the_rest_is_read() -> None:
    for half, instead in (
        ("\\ud83c", "\\U0001F000"),
        ("\\udfb2", "\\U0001F3B2"),
        ("\\U0000D83C", "\\U0001F000"),
    ):
        text = f'a: "x {half} \\\\ud83c"\nb: {half}\n'
        for parser in (default_parser(), plain_parser):
            tree = tree_of(text, parser)
            (finding,) = tree.findings
            assert (finding.name, finding.span.text) == ("unknown-escape", half)
            assert "half of a pair" in finding.message
            assert instead in finding.next_step
            assert tree.root is not None
            assert tree.root.value == {"a": "x \ufffd \\ud83c", "b": half}


def test_a_table_brings_none_and_composes_its_letters(tmp_path: Path) -> None:
    (tmp_path / "opforge.yaml").write_text("project: X\nlanguages: [en]\n", encoding="utf-8")
    rows = ["Gru\u0308n", "One\u2028two", "Agent #7"]
    table = "".join(
        f'g{n},item,{name},"while attacked, self gets +{n} EP."\n' for n, name in enumerate(rows, 2)
    )
    (tmp_path / "t.csv").write_text(f"id,kind,name,effect\n{table}", encoding="utf-8")
    assert run(["import", str(tmp_path / "t.csv"), "--project", str(tmp_path)]) == 0
    cards = load_project(tmp_path)[0].cards
    assert [card.name.in_language("en").value for card in cards.values()] == [
        "Gr\xfcn",
        "One two",
        "Agent #7",
    ]
