"""The page of ``opforge preview`` in a real browser: list, card, saves, states, sizes of windows."""

from __future__ import annotations

from typing import Any

from tests.preview.conftest import Visits


def names(page: Any) -> list[str]:
    """The names in the list that are shown, in their order."""
    found: list[str] = page.locator(".rows li:visible .name").all_inner_texts()
    return found


def test_the_list_opens_and_filters_combine_and_stand_in_the_address(visits: Visits) -> None:
    page = visits.open()
    assert len(names(page)) == 108
    page.get_by_label("Kind", exact=True).select_option("operator")
    page.get_by_label("TEAM").select_option("night-owls")
    assert "Viper" in names(page)
    assert "Bishop" not in names(page)
    assert page.evaluate("location.hash") == "#/card?kind=operator&team=night-owls"
    shown = names(page)
    page.reload()
    page.wait_for_selector(".rows li:visible")
    assert names(page) == shown
    page.get_by_role("button", name="show all").click()
    assert len(names(page)) == 108
