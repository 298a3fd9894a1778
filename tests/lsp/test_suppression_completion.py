"""Completion in a comment that suppresses findings: those that it would suppress come first."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.in_process import Asked
from tests.lsp.marked import cut
from tests.lsp.test_editor import applied
from toolkit.diagnostics.catalogue import NEVER_SUPPRESSED

HEAD = "cards:\n  - id: a\n    kind: attack\n    name: A\n"
WRONG = "    effect: when attacking, self gets +0 AP. when attacking, self multiplies AP by 1.\n"


def offered(asked: Asked, text: str) -> tuple[str, str, list[types.CompletionItem]]:
    """The text without its mark, its URI, and the items."""
    plain, offset = cut(text)
    line, column = plain[:offset].count("\n"), offset - (plain.rfind("\n", 0, offset) + 1)
    uri = asked.open(next(iter(asked.server.state.folders)) / "new.yaml", plain)
    answer = asked.at(types.TEXT_DOCUMENT_COMPLETION, uri, line, column)
    return plain, uri, list(answer.items) if answer is not None else []


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (f"{HEAD}    # opforge: ignore[¦\n{WRONG}", ["adds-nothing", "factor-too-small"]),
        (f"{HEAD}    # opforge: ignore[¦] because\n{WRONG}", ["adds-nothing", "factor-too-small"]),
        (f"{HEAD}    # opforge: ignore[adds-nothing, ¦] because\n{WRONG}", ["factor-too-small", "across"]),
        (f"{HEAD}    # opforge: ignore[¦, factor-too-small]\n{WRONG}", ["adds-nothing", "across"]),
        (f"# opforge: ignore-file[¦\n{HEAD}{WRONG}", ["adds-nothing", "factor-too-small"]),
        (f"{HEAD}{WRONG.rstrip()} # opforge: ignore[¦\n", ["adds-nothing", "factor-too-small"]),
        (
            f"{HEAD}    effect: |\n      # opforge: ignore[¦\n      self gets +0 AP.\n",
            ["adds-nothing", "across"],
        ),
        (f"# opforge: ignore[¦\n{HEAD}    effect: self gets +1 AP.\n", ["across", "adds-nothing"]),
    ],
)
def test_what_stands_there_comes_first(project: Path, text: str, first: list[str]) -> None:
    _, _, items = offered(Asked(project), text)
    in_order = sorted(items, key=lambda one: one.sort_text or "")
    names = [item.label for item in in_order if item.label != "untested-card"]
    assert names[: len(first)] == first
    assert not set(names) & set(NEVER_SUPPRESSED)


def test_each_has_its_title_and_those_that_stand_there_their_page(project: Path) -> None:
    _, _, items = offered(Asked(project), f"{HEAD}    # opforge: ignore[¦\n{WRONG}")
    by_name = {item.label: item for item in items}
    assert (by_name["adds-nothing"].detail or "").startswith("error: ")
    assert by_name["adds-nothing"].documentation
    assert by_name["across"].documentation is None


@pytest.mark.parametrize(
    ("text", "label", "result"),
    [
        ("# opforge: ignore[adds-¦nothng] x\n", "adds-nothing", "# opforge: ignore[adds-nothing] x\n"),
        ("# ü🎯\n# opforge: ignore[a, un¦\n", "unused-team", "# ü🎯\n# opforge: ignore[a, unused-team\n"),
        ("# opforge: ¦\n", "ignore-file", "# opforge: ignore-file[\n"),
        ("# opforge:ig¦[unused-team] x\n", "ignore", "# opforge:ignore[unused-team] x\n"),
    ],
)
def test_what_is_chosen_is_written(project: Path, text: str, label: str, result: str) -> None:
    plain, _, items = offered(Asked(project), f"{text}cards: []\n")
    (chosen,) = [item for item in items if item.label == label]
    assert isinstance(chosen.text_edit, types.TextEdit)
    assert applied(plain, [chosen.text_edit]) == f"{result}cards: []\n"


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}    flavour: '# opforge: ignore[¦'\n",
        f"{HEAD}    flavour: |\n      # opforge: ignore[¦\n",
        "# opforge: ignore[unused-team] ¦\ncards: []\n",
        "# opforge ignore[¦\ncards: []\n",
        "# see opforge: ignore[¦\ncards: []\n",
    ],
)
def test_no_comment_of_this_sort(project: Path, text: str) -> None:
    _, _, items = offered(Asked(project), text)
    assert not any(item.label in ("adds-nothing", "ignore") for item in items)
