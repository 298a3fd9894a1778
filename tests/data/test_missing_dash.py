"""A dash that is missing before an entry is one mistake, told once, wherever the entry stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.thoroughness import THOROUGH
from toolkit.data.yaml.yaml_tree import parse_tree
from toolkit.project.pipeline import Cache, open_project
from toolkit.resources import cards_folder
from toolkit.source.files import SourceFile

CACHE = Cache()
FILES = ("attack.yaml", "teams.yaml", "squads.yaml", "operators/gambit.yaml", "scenarios/keywords.yaml")


def dashes(path: Path) -> list[int]:
    """Where the entries of block lists begin, at the top and below."""
    text = path.read_text(encoding="utf-8")
    # of a list of plain words, or of one whose entries have a single key, nobody can tell
    return [found.start(1) for found in re.finditer(r"(?m)^ +(- )(?:id|name):", text)]


def is_alone(text: str, at: int) -> bool:
    """Whether an entry is the only one of its list: without its dash in the column, the list is keys."""
    indent = at - text.rindex("\n", 0, at) - 1
    behind = re.search(rf"(?m)^ {{0,{indent}}}(?=[^ \n])(- )?", text[text.index("\n", at) + 1 :])
    before = text[:at].rstrip().rpartition("\n")[2]
    return before.endswith("skills:") and not (behind and behind[1] and len(behind[0]) == indent + 2)


CASES = [(name, number, at) for name in FILES for number, at in enumerate(dashes(cards_folder() / name))]


@pytest.mark.parametrize("kept", [True, False], ids=["column of the key", "column of the dash"])
@pytest.mark.parametrize(("name", "number", "at"), CASES[:: 5 if THOROUGH else 11], ids=str)
def test_a_missing_dash_is_told_once_and_can_be_mended(name: str, number: int, at: int, kept: bool) -> None:
    root = cards_folder()
    path = root / name
    text = path.read_text(encoding="utf-8")
    wrong = text[:at] + ("  " if kept else "") + text[at + 2 :]
    errors = open_project(root, {path: wrong}, CACHE).errors_about()
    (finding,) = errors
    if kept and is_alone(text, at):
        assert (finding.name, finding.fix) == ("wrong-type", None)
        return
    assert finding.name == "missing-dash", number
    assert finding.span.start == at + (2 if kept else 0)
    assert finding.fix is not None
    fixed = wrong[: finding.fix.span.start] + finding.fix.replacement + wrong[finding.fix.span.end :]
    assert fixed == text


def test_a_key_that_is_really_there_twice_is_another_mistake() -> None:
    root = cards_folder()
    path = root / "attack.yaml"
    text = path.read_text(encoding="utf-8")
    wrong = text.replace("    kind: attack\n", "    kind: attack\n    kind: attack\n", 1)
    assert [one.name for one in open_project(root, {path: wrong}).errors_about()] == ["duplicate-key"]


def test_a_dash_has_room_before_a_key_at_an_indent_of_two() -> None:
    text = "cards:\n- id: a\n  kind: attack\n  id: b\n  kind: attack\n"
    (finding,) = parse_tree(SourceFile(Path("a.yaml"), "a.yaml", text)).findings
    assert finding.name == "missing-dash"
    assert finding.fix is not None
    assert (finding.fix.span.text, finding.fix.replacement) == ("  ", "- ")
