"""Whatever a file looks like: its meaning and comments stay, and what is formatted is formatted."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.dsl_trees import effects
from tests.engine.tables import shipped
from tests.formatting.messy import messy_file
from tests.source.scalar_writer import Page, block_scalar, flow_scalar
from tests.thoroughness import examples, share
from toolkit.data.yaml.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.yaml.yaml_tree import Tree, parse_tree
from toolkit.dsl.effect_printer import print_effect
from toolkit.dsl.parsing import MAX_CHARACTERS, parse_effect
from toolkit.editing.formatting import Formatted, Refused, format_file
from toolkit.resources import cards_folder, starter_folder
from toolkit.source import SourceFile, read_file

REMARK = re.compile(r"#[^#\r\n]*§\d+")
SHIPPED = sorted([*cards_folder().rglob("*.yaml"), *starter_folder().rglob("*.yaml")])


def page(text: str) -> SourceFile:
    return SourceFile(Path("x.yaml"), "x.yaml", text)


def tree_of(text: str) -> Tree:
    tree = parse_tree(page(text))
    assert tree.findings == []
    return tree


def formatted(text: str) -> str:
    result = format_file(page(text))
    assert isinstance(result, Formatted), result
    return result.text


@cache
def shipped_effects() -> tuple[str, ...]:
    found = shipped().effects.values()
    return tuple(
        " ".join(one.source.scalar.value.split()) for one in found if "#" not in one.source.scalar.value
    )


def meaning(node: Node | None) -> object:
    """What a file says, effects by their trees: written here anew, for the formatter has its own."""
    if isinstance(node, Mapping):
        return {key: meaning(value) for key, value in node.nodes.items()}
    if isinstance(node, Sequence):
        return [meaning(item) for item in node.items]
    if isinstance(node, Scalar):
        return parse_effect(node.text, node.style == "|")[0] or node.value
    return None


@pytest.mark.parametrize("seed", range(share(60)))
def test_a_messy_file_keeps_its_meaning_and_comments_and_is_formatted_once(seed: int) -> None:
    before = messy_file(seed, shipped_effects())
    after = formatted(before)
    assert meaning(tree_of(after).root) == meaning(tree_of(before).root)
    assert sorted(REMARK.findall(before)) == sorted(REMARK.findall(after))
    assert formatted(after) == after
    assert not re.search(r"[ \t]\r?$", after, re.MULTILINE) or "|+" in before or ">+" in before


@given(effects(), st.sampled_from(["", "'", '"', "|", ">"]))
@examples(50)
def test_any_effect_in_any_style_becomes_what_the_language_prints(effect: object, style: str) -> None:
    text = print_effect(effect)  # type: ignore[arg-type]
    loose = text.replace("(", " ( ").replace(")", " ) ").replace(",", " ,  ").replace(" .", ".")
    assume(len(loose) <= MAX_CHARACTERS - 2)  # a longer one is not read; a block adds its line end
    block = style in ("|", ">")
    inner = loose.replace("'", "''") if style == "'" else loose.replace('"', '\\"') if style == '"' else loose
    written = f"{style}\n      {inner}" if block else f"{style}{inner}{style}"
    root = tree_of(formatted(f"cards:\n  - effect: {written}\n")).root
    assert isinstance(root, Mapping)
    found = root.nodes["cards"].items[0].nodes["effect"]  # type: ignore[union-attr]
    assert found.text.rstrip("\n") == text


@given(st.data(), st.sampled_from(["", "'", '"', "|", ">"]), st.integers(0, 3))
@examples(80)
def test_any_other_text_stays_letter_for_letter(data: st.DataObject, style: str, step: int) -> None:
    written = Page()
    margin = " " * step
    written.put(f"cards:\n{margin}- name: ")
    if style in ("|", ">"):
        data.draw(block_scalar(written, style, step + 2, False))
    else:
        data.draw(flow_scalar(written, style, step + 3, False))
    tree = parse_tree(page(written.text))
    if tree.findings:
        return
    result = format_file(tree.file)
    if isinstance(result, Refused):
        assert re.search("[\x85\u2028\u2029]", written.text), (result, written.text)
        return
    assert meaning(tree_of(result.text).root) == meaning(tree.root)
    assert formatted(result.text) == result.text


def test_no_text_makes_it_raise() -> None:
    signs = " \n\t#:-[]{},|>'\"?&*!%@\u2028\x85é\r0"
    for seed in range(share(200)):
        chance = random.Random(seed)
        text = messy_file(seed % 60, shipped_effects())
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(text) + 1)
            text = chance.choice(
                [text[:at] + text[at + 1 :], text[:at] + chance.choice(signs) + text[at:], text[:at]]
            )
        result = format_file(page(text))
        if isinstance(result, Formatted):
            assert formatted(result.text) == result.text
        else:
            assert "mistake in opforge" not in result.reason, text


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_the_shipped_files_are_formatted(path: Path) -> None:
    file = read_file(path)
    assert isinstance(file, SourceFile)
    result = format_file(file)
    assert isinstance(result, Formatted)
    assert result.text == file.text
