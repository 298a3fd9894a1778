"""What can be folded: by the lines alone, so that a file that is being typed folds as it did before."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from tests.lsp.in_process import Asked
from tests.thoroughness import examples
from toolkit.apps.lsp.folding import folding_ranges
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.project.value_at import entries_of
from toolkit.resources import cards_folder
from toolkit.source import SourceFile

CARDS = """\
# All shots.
# The first is the simplest.
cards:
  - id: aimed-shot
    kind: attack
    name:
      en: Aimed shot
      de: Gezielter Schuss
    effect: |
      # mit Ruhe 🎯
      when attacking, self gets +2 AP.
    # worth 2

  # the only one with a condition
  - {id: watch, kind: strategy, name: Watch,
     effect: all own OPERATORs get +1 AP.}
teams:
- id: owls
  name: Owls
"""


def folds(text: str) -> list[tuple[int, int, str | None]]:
    """First and last line, counted from 1, and the kind."""
    ranges = folding_ranges(SourceFile(Path("x.yaml"), "x.yaml", text))
    return [(one.start_line + 1, one.end_line + 1, one.kind) for one in ranges]


def test_sections_entries_texts_and_comments() -> None:
    assert folds(CARDS) == [
        (1, 2, "comment"),
        (3, 16, None),
        (4, 12, None),  # with its own comment, without that of the next card
        (6, 8, None),
        (9, 11, None),
        (15, 16, None),
        (17, 19, None),
        (18, 19, None),
    ]


def test_what_is_torn_folds_all_the_same() -> None:
    whole = folds(CARDS)
    for old, new in (("kind: attack", "kind: [attack"), ("name:\n", "name: {\n"), ("id: owls", "id: 'owls")):
        assert folds(CARDS.replace(old, new)) == whole


def test_an_editor_that_takes_few() -> None:
    file = SourceFile(Path("x.yaml"), "x.yaml", CARDS)
    assert folding_ranges(file, 2) == folding_ranges(file)[:2]


def test_each_entry_of_the_shipped_set_folds_with_all_that_is_in_it() -> None:
    for path in sorted(cards_folder().rglob("*.yaml")):
        file = SourceFile(path, path.name, path.read_text(encoding="utf-8"))
        ends = {fold.start_line: fold.end_line for fold in folding_ranges(file) if fold.kind is None}
        for _, entry in entries_of(parse_tree(file).root):
            first, last = file.position(entry.start).line - 1, file.position(entry.end).line - 1
            assert ends.get(first, first) >= last, (path.name, first)


lines = st.lists(
    st.sampled_from(["a:", "- b: 1", "  c: |", "  - d", "", "    # e", "# f", "   g", "\t", "-"])
)


@given(lines, st.sampled_from(["\n", "\r\n", "\r"]))
@examples(1000)
def test_two_ranges_lie_in_each_other_or_apart(written: list[str], line_end: str) -> None:
    ranges = folds(line_end.join(written))
    for index, (start, end, _) in enumerate(ranges):
        assert 1 <= start < end <= len(written)
        for other_start, other_end, _ in ranges[index + 1 :]:
            assert other_start > end or other_end <= end


def test_a_file_of_the_project_and_one_of_none(project: Path, tmp_path: Path) -> None:
    asked = Asked(project)
    uri = asked.open(project / "cards.yaml")
    answer = asked.about_file(types.TEXT_DOCUMENT_FOLDING_RANGE, uri)
    assert (answer[0].start_line, answer[0].kind) == (1, None)
    (project / "cards.yaml").unlink()
    assert asked.about_file(types.TEXT_DOCUMENT_FOLDING_RANGE, uri) == answer, "it is still open"
    other = asked.open(tmp_path / "compose.yaml", "services:\n  web:\n    image: x\n")
    assert asked.about_file(types.TEXT_DOCUMENT_FOLDING_RANGE, other) is None
