"""A fix removes its finding and adds none: for every finding that carries one, wherever it comes from."""

from __future__ import annotations

import random
import re
from collections import Counter
from functools import cache
from pathlib import Path
from shutil import rmtree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.help.examples import Example, examples_of, make_project
from tests.mutants import all_text_mutants, fix_all, mutants
from tests.thoroughness import THOROUGH, examples, share
from toolkit.data.project_files import Folder, read_folder
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.diagnostics.help_pages import page_of_finding
from toolkit.dsl.effect_printer import print_effect
from toolkit.editing.fixing import fix_project
from toolkit.editing.fixing.verification import OriginalPlaces, only_edited
from toolkit.project.pipeline import Cache, Workspace, open_project
from toolkit.resources import cards_folder
from toolkit.source import Edit, ScalarText, SourceFile, rewritten
from toolkit.source.edits import apply

ROOT = cards_folder()
MOST_MUTANTS = share(60)
MOST_TEXTS = 2000 if THOROUGH else 60
FIXED_ON_PAGES = 52
"""So many of the wrong examples of the finding pages can be mended; it may grow."""


REVEALED = {"stale-text": {"text-differs"}, "broken-house-rule": {"house-rule"}}
"""What the mistake of a page had hidden until it was mended, and what is right to be told then."""


def wrong_examples() -> list[Example]:
    """Those of the finding pages, without the ones of files that are refused because of their size."""
    pages = ((name, page_of_finding(name) or "") for name in CATALOGUE)
    found = [example for name, page in pages for example in examples_of(name, page)]
    return [
        one
        for one in found
        if one.section == "Wrong" and one.page not in ("too-many-values", "file-too-large")
    ]


def test_what_the_finding_pages_show_is_mended(tmp_path: Path) -> None:
    """The examples have most files in common: in one folder these are read once."""
    mended = 0
    cache = Cache()
    every = 1 if THOROUGH else 6
    for example in wrong_examples()[::every]:
        rmtree(tmp_path)
        root = make_project(tmp_path, example)
        before = Counter(finding.message for finding in open_project(root, cache=cache).findings)
        result = fix_project(root, lambda workspace: workspace.findings, unsafe=True, cache=cache)
        assert not result.dropped, example
        mended += bool(result.fixed)
        added = [one.name for one in result.remaining if one.message not in before]
        assert set(added) <= REVEALED.get(example.page, set()), example
        assert not any(one.fix for one in result.remaining), example
    assert mended >= FIXED_ON_PAGES // every - 3


@cache
def shipped() -> tuple[Folder, Cache, Workspace]:
    warm = Cache()
    folder = read_folder(ROOT)
    return folder, warm, open_project(ROOT, cache=warm, folder=folder)


def test_what_is_certain_gives_a_shipped_file_back_or_leaves_it() -> None:
    folder, warm, workspace = shipped()
    back = 0
    for mutant in random.Random(5).sample(mutants(workspace), MOST_MUTANTS):
        read = SourceFile(mutant.file.path, mutant.file.name, mutant.mutated)
        broken = replace(folder, files={**folder.files, read.path: read})
        result = fix_project(ROOT, lambda workspace: workspace.findings, folder=broken, cache=warm)
        texts = [_single_spaced(change.after) for change in result.changes]
        assert texts in ([], [_single_spaced(mutant.file.text)]), mutant
        back += bool(texts)
    assert back >= MOST_MUTANTS // 5


def _single_spaced(text: str) -> str:
    """A word that was left out and put in again may have two spaces beside it."""
    return re.sub("(?<=[^ ]) +", " ", text)


def test_what_is_certain_gives_an_effect_back_or_leaves_it() -> None:
    """Most of what is misspelt by one letter in a longer word is given back; what is negated never is."""
    *_, workspace = shipped()
    found = list(all_text_mutants(workspace, replaced=False))
    tally = fix_all(random.Random(7).sample(found, MOST_TEXTS))
    assert not tally.other
    assert tally.back["word negated"] == 0
    spelt = [sort for sort in tally.made if "of 5 letters or more" in sort]
    made = sum(tally.made[sort] - tally.right[sort] for sort in spelt)
    assert len(spelt) == 4
    assert sum(tally.back[sort] for sort in spelt) >= 0.85 * made  # some words differ by one letter only


STYLES = {
    "plain": lambda text: text,
    "single": lambda text: "'" + text.replace("'", "''") + "'",
    "double": lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"',
    "folded": lambda text: ">\n      " + text.replace(", ", ",\n      "),
    "literal": lambda text: "|\n      " + text.replace(", ", ",  # ä, 😀\n      "),
}


@cache
def shipped_texts() -> list[str]:
    """The effects of the shipped set, each in one line."""
    *_, workspace = shipped()
    return sorted({print_effect(effect.tree) for effect in workspace.effects.values()})


@given(st.integers(0), st.sampled_from(sorted(STYLES)), st.sampled_from(["\n", "\r\n"]), st.data())
@examples(80)
def test_any_stretch_of_a_scalar_can_be_written_anew_in_any_style(
    number: int, style: str, ends: str, data: st.DataObject
) -> None:
    """The edit is read again as exactly what was meant, and nothing around it changes."""
    texts = shipped_texts()
    text = texts[number % len(texts)]
    page = f"a: 1\nb:\n  - effect: {STYLES[style](text)}\n    c: 2 # ü\n".replace("\n", ends)
    file = SourceFile(Path("x.yaml"), "x.yaml", page)
    scalar = effect_of(file)
    start = data.draw(st.integers(0, len(scalar.value)))
    end = data.draw(st.integers(start, len(scalar.value)))
    word = data.draw(st.sampled_from(["AP", '"x"', "it's", "\\", "", ": ", " #", "{", "ä😀", ","]))
    edit = rewritten(scalar, start, end, word)
    if edit is None:
        return
    after = effect_of(SourceFile(file.path, "x.yaml", apply(page, [edit])))
    wanted = scalar.value[:start] + word + scalar.value[end:]
    assert after.value == wanted or (word == "" and after.value.replace(" ", "") == wanted.replace(" ", ""))
    assert only_edited(file, [edit])


def effect_of(file: SourceFile) -> ScalarText:
    tree = parse_tree(file)
    assert not tree.findings
    scalar: ScalarText = tree.root.nodes["b"].items[0].nodes["effect"].as_text()  # type: ignore[union-attr]
    return scalar


@given(st.text("ab\n", max_size=30), st.lists(st.integers(0, 30), max_size=8), st.data())
def test_a_stretch_that_was_not_edited_is_found_where_it_was(
    text: str, ends: list[int], data: st.DataObject
) -> None:
    ends = sorted({end for end in ends if end <= len(text)})
    edits = [
        Edit(start, end, data.draw(st.sampled_from(["", "x", "long word"])))
        for start, end in zip(ends[::2], ends[1::2], strict=False)
    ]
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    if any(edit.start <= end and start <= edit.end for edit in edits):
        return
    shift = sum(len(edit.replacement) - (edit.end - edit.start) for edit in edits if edit.end < start)
    assert OriginalPlaces(edits).place(start + shift, end + shift) == (start, end)


@pytest.mark.parametrize(("edit", "right"), [(Edit(3, 4, "2"), True), (Edit(4, 5, ", c: 3\n"), False)])
def test_an_edit_that_changes_something_else_too_is_noticed(edit: Edit, right: bool) -> None:
    file = SourceFile(Path("x.yaml"), "x.yaml", "a: 1\nb: 2\n")
    assert only_edited(file, [edit]) is right
