"""The second engine prints the same cards."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.render import samples
from tests.render.pdf_text import opened, text_of
from toolkit.press.layout import LayoutPlan
from toolkit.press.sheet import SheetSettings, render_sheet
from toolkit.render.checks.fit_check import check_fit
from toolkit.render.fetch import Roots
from toolkit.render.pages import FaceOptions

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


def test_words_are_judged_on_its_pages_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from toolkit.render.weasyprint_engine import WeasyPrintRenderer

    monkeypatch.setenv("OPFORGE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "project" / "templates").mkdir(parents=True)
    (tmp_path / "project" / "templates" / "attack.html.jinja").write_text(
        '{% extends "shipped/attack.html.jinja" %}{% block words %}{{ super() }}'
        '<div class="place" style="left:9rem; top:20rem; padding:2rem; font-size:5pt; '
        'color:#888; background-color:#fff">'
        "{{ face.kind_label }}</div>{% endblock %}"
    )
    card, size = samples.deck_card("attack", "Shot"), LayoutPlan().card
    found = check_fit([card], size, Roots(tmp_path / "project"), FaceOptions(), renderer=WeasyPrintRenderer())
    assert not isinstance(found, str), found
    assert [one.name for one in found] == ["small-text", "low-contrast"]
