"""The pages of this folder as text."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).resolve().parent


def page_of_finding(name: str) -> str | None:
    """The page of a finding; None if it has none."""
    page = _FOLDER / "findings" / f"{name}.md"
    return page.read_text(encoding="utf-8") if page.is_file() else None
