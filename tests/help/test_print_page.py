"""The layouts and settings that the page about printing shows are right, and sheets can be made with them."""

from __future__ import annotations

import re
from pathlib import Path
from shutil import copytree

import pytest

from toolkit.pipeline import open_project
from toolkit.project.layouts import LayoutRequest, choose_layouts
from toolkit.render.layout import Arrangement, arrange
from toolkit.resources import cards_folder

PAGE = Path(__file__).parents[2] / "toolkit" / "help" / "how-to" / "print.md"
BLOCKS = re.findall(r"```yaml(?: file=(\S+))?\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(("file", "text"), BLOCKS)
def test_what_the_page_shows_has_no_findings(tmp_path: Path, file: str, text: str) -> None:
    project = copytree(cards_folder(), tmp_path / "cards")
    (project / (file or "layouts.yaml")).write_text(text, encoding="utf-8")
    workspace = open_project(project)
    assert [finding for finding in workspace.findings if finding.name != "unused-art"] == []
    for layout in [*workspace.cards.layouts, None]:
        found = choose_layouts(workspace.cards, LayoutRequest([layout] if layout else []))
        assert not isinstance(found, str)
        for plan in (found.layout, *found.by_kind.values()):
            assert isinstance(arrange(plan), Arrangement)


def test_every_key_of_a_layout_is_on_the_page() -> None:
    from toolkit.data.schemas.layouts import layout

    text = PAGE.read_text(encoding="utf-8")
    assert [key for key in layout()["properties"] if key != "id" and f"`{key}`" not in text] == []
