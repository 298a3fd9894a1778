"""The layouts and settings that the page about printing shows are right, and sheets can be made with them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from toolkit.press.layout import Arrangement, arrange
from toolkit.products.sheets.project_layouts import LayoutRequest, choose_layouts
from toolkit.project.pipeline import Cache, open_project
from toolkit.resources import cards_folder

CACHE = Cache()
PAGE = Path(__file__).parents[2] / "toolkit" / "help" / "how-to" / "print.md"
BLOCKS = re.findall(r"```yaml(?: file=(\S+))?\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize(("file", "text"), BLOCKS)
def test_what_the_page_shows_has_no_findings(file: str, text: str) -> None:
    path = cards_folder() / (file or "layouts.yaml")
    assert path.suffix == ".yaml"
    workspace = open_project(cards_folder(), {path: text}, CACHE)
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
