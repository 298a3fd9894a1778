"""A fix removes its finding and adds none: for every finding that carries one, wherever it comes from."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.dsl_trees import sensible
from tests.help.examples import Example, examples_of, make_project
from tests.mutants import Mutant, misspelt, mutants
from toolkit.data.project_files import Folder, read_folder
from toolkit.data.tree import parse_tree
from toolkit.diagnostics.catalogue import CATALOGUE
from toolkit.dsl.parsing import parse_effect
from toolkit.dsl.printing import print_effect
from toolkit.dsl.stops import PIECE
from toolkit.fixing import fix_project
from toolkit.fixing.proving import only_edited
from toolkit.help.pages import page_of_finding
from toolkit.resources import cards_folder
from toolkit.source import Edit, ScalarText, SourceFile, rewritten
from toolkit.source.edits import apply
from toolkit.workspace import Cache, open_project

ROOT = cards_folder()
MOST_MUTANTS = 50
FIXED_ON_PAGES = 55
"""So many of the wrong examples of the finding pages can be mended; it may grow."""


REVEALED = {"stale-text": {"text-differs"}, "broken-house-rule": {"house-rule"}}
"""What the mistake of a page had hidden until it was mended, and what is right to be told then."""


def wrong_examples() -> list[Example]:
    pages = ((name, page_of_finding(name) or "") for name in CATALOGUE)
    found = [example for name, page in pages for example in examples_of(name, page)]
    return [one for one in found if one.section == "Wrong"]


def test_what_the_finding_pages_show_is_mended(tmp_path: Path) -> None:
    mended = 0
    for number, example in enumerate(wrong_examples()):
        root = make_project(tmp_path / str(number), example)
        before = Counter(finding.message for finding in open_project(root).findings)
        result = fix_project(root, lambda workspace: workspace.findings, unsafe=True)
        assert not result.dropped, example
        mended += bool(result.fixed)
        added = [one.name for one in result.remaining if one.message not in before]
        assert set(added) <= REVEALED.get(example.page, set()), example
        assert not any(one.fix for one in result.remaining), example
    assert mended >= FIXED_ON_PAGES


@cache
def shipped() -> tuple[Folder, Cache, Counter[str]]:
    warm = Cache()
    folder = read_folder(ROOT)
    known = open_project(ROOT, cache=warm, folder=folder).findings
    return folder, warm, Counter(finding.name for finding in known)


def chosen_mutants() -> list[Mutant]:
    found = [one for one in mutants(ROOT) if one.sort in ("effect: word misspelt", "key misspelt")]
    return random.Random(5).sample(found, MOST_MUTANTS)


def test_misspelt_words_and_keys_of_the_shipped_set_are_mended() -> None:
    folder, warm, known = shipped()
    back = 0
    for mutant in chosen_mutants():
        read = SourceFile(mutant.file.path, mutant.file.name, mutant.mutated)
        broken = replace(folder, files={**folder.files, read.path: read})
        result = fix_project(ROOT, lambda workspace: workspace.findings, folder=broken, cache=warm)
        texts = [change.after for change in result.changes]
        if not texts:
            continue  # nothing was certain enough
        left = Counter(finding.name for finding in result.remaining) - known
        assert not left or mutant.mutated[mutant.start].lower() == mutant.file.text[mutant.start].lower()
        back += texts == [mutant.file.text]
    assert back > MOST_MUTANTS * 3 // 4


@st.composite
def mistaken(draw: st.DrawFn) -> tuple[str, str]:
    """A sensible effect, and the same with one word misspelt."""
    _, effect = draw(sensible())
    text = print_effect(effect)
    words = [piece for piece in PIECE.finditer(text) if piece.group().isalpha() and len(piece.group()) > 3]
    piece = draw(st.sampled_from(words))
    slip = misspelt(piece.group(), draw(st.randoms(use_true_random=False)))
    return text, text[: piece.start()] + slip + text[piece.end() :]


STYLES = {
    "plain": lambda text: text,
    "single": lambda text: "'" + text.replace("'", "''") + "'",
    "double": lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"',
    "folded": lambda text: ">\n      " + text.replace(", ", ",\n      "),
    "literal": lambda text: "|\n      " + text.replace(", ", ",  # ä, 😀\n      "),
}


@given(mistaken(), st.sampled_from(sorted(STYLES)), st.sampled_from(["\n", "\r\n"]), st.data())
@settings(max_examples=80, deadline=None)
def test_any_stretch_of_a_scalar_can_be_written_anew_in_any_style(
    texts: tuple[str, str], style: str, ends: str, data: st.DataObject
) -> None:
    """The edit is read again as exactly what was meant, and nothing around it changes."""
    text, _ = texts
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


@given(mistaken())
@settings(max_examples=120, deadline=None)
def test_a_misspelt_word_that_is_mended_without_asking_becomes_the_word_it_was(
    texts: tuple[str, str],
) -> None:
    right, wrong = texts
    _, problems = parse_effect(wrong)
    if len(problems) != 1 or problems[0].fix is None or not problems[0].safe:
        return
    (start, end), word = problems[0].place, problems[0].fix
    mended, others = parse_effect(wrong[:start] + word + wrong[end:])
    if mended is None:  # a letter that was the only one of its word, and such
        assert others[0].place != problems[0].place or others[0].message != problems[0].message
    else:
        assert mended == parse_effect(right)[0]


@pytest.mark.parametrize(("edit", "right"), [(Edit(3, 4, "2"), True), (Edit(4, 5, ", c: 3\n"), False)])
def test_an_edit_that_changes_something_else_too_is_noticed(edit: Edit, right: bool) -> None:
    file = SourceFile(Path("x.yaml"), "x.yaml", "a: 1\nb: 2\n")
    assert only_edited(file, [edit]) is right
