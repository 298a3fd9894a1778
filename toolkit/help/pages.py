"""The pages of this folder as text: one for each finding, how-to pages, and the reference."""

from __future__ import annotations

import re
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent
_REFERENCE = "language"


def page_of_finding(name: str) -> str | None:
    """The page of a finding; None if it has none."""
    return _text(_FOLDER / "findings" / f"{name}.md")


def other_pages() -> dict[str, str]:
    """The titles of all other pages by name: first the way in, then what looks things up."""
    found = [*_FOLDER.glob("*.md"), *_FOLDER.glob("how-to/*.md"), *_FOLDER.glob("reference/*.md")]
    return {page.stem: page.read_text(encoding="utf-8").partition("\n")[0].lstrip("# ") for page in found}


def other_page(name: str) -> str | None:
    """A page that is about no finding, by its name; None if there is none."""
    found = (_text(folder / f"{name}.md") for folder in (_FOLDER, _FOLDER / "how-to", _FOLDER / "reference"))
    return next((text for text in found if text is not None), None)


def sections() -> dict[str, str]:
    """The sections of the language reference by their headings: WHEN, gets, cannot …"""
    page = other_page(_REFERENCE) or ""
    found: dict[str, str] = {}
    for mark in re.finditer(r"^(##+) (.+)$", page, re.MULTILINE):
        end = re.compile(rf"^#{{2,{len(mark.group(1))}}} ", re.MULTILINE).search(page, mark.end())
        found[mark.group(2)] = page[mark.start() : end.start() if end else len(page)].rstrip() + "\n"
    return found


def _text(page: Path) -> str | None:
    return page.read_text(encoding="utf-8") if page.is_file() else None
