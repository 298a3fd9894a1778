"""The second engine prints the same cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.render import samples
from tests.render.pdf_text import opened, text_of
from toolkit.render.fetch import Roots
from toolkit.render.layout import LayoutPlan
from toolkit.render.sheet import SheetSettings, render_sheet

pytest.importorskip("weasyprint", exc_type=ImportError)


def test_cards_are_printed_measured_and_imposed(tmp_path: Path) -> None:
    from toolkit.render.weasyprint_engine import WeasyPrintRenderer

    long = samples.operator("Hawk", skills=(samples.LUCKY_EN,) * 9)
    faces = [samples.operator("Viper", "de", quantity=10), samples.deck_card("item", "Scope"), long]
    result = render_sheet(
        faces, SheetSettings(layout=LayoutPlan(sides="both")), Roots(tmp_path), renderer=WeasyPrintRenderer()
    )
    assert result.failure is None
    assert (result.pages, result.cards) == (4, 12)
    assert [finding.name for finding in result.diagnostics] == ["text-overflow"]
    pdf = opened(result.pdf)
    text = "".join(text_of(page.obj) for page in pdf.pages)
    assert "Feuerschutz" in text
    assert "Scope" in text
