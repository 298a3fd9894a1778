"""Access to the help pages: one for each finding, how-to pages, and the reference."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from toolkit import __version__
from toolkit.resources import help_folder

WEB_ADDRESS = "https://github.com/OWNER/opforge"
"""Where opforge is on the web: the only place that says it."""

_FOLDER = help_folder()
_OTHER_FOLDERS = (".", "how-to", "language", "reference")
"""Folders of pages that are not about findings: introductions, how-to, language by subject, references."""

_NAME = re.compile(r"[\w-]{1,60}")
"""Valid names of pages: not a path, and not longer than a file system accepts."""


def page_of_finding(name: str) -> str | None:
    """Return the page of a finding without its front matter; None if there is no such finding."""
    text = _page("findings", name)
    return None if text is None else text.partition("\n---\n")[2]


def address_of_finding(name: str) -> str:
    """Return the address of the page of a finding on the web."""
    return f"{WEB_ADDRESS}/blob/v{__version__}/toolkit/help/findings/{name}.md"


@cache
def uri_of_finding(name: str) -> str:
    """Return the URI of the page of a finding in this installation: it needs no network and fits the version.

    Where the pages are no files of their own (in an archive), it is the address on the web.
    """
    page = _FOLDER / "findings" / f"{name}.md"
    return page.as_uri() if page.is_file() else address_of_finding(name)


def head_of_finding(name: str) -> dict[str, str]:
    """Return the front matter of a finding's page by key; empty if there is no such finding."""
    lines = (_page("findings", name) or "").partition("\n---\n")[0].splitlines()[1:]
    return {key: text for key, _, text in (line.partition(": ") for line in lines)}


def synonyms_text() -> str:
    """Return the groups of words that mean the same to whoever searches the pages."""
    return (_FOLDER / "synonyms.txt").read_text(encoding="utf-8")


def finding_names() -> list[str]:
    """Return the names of all findings, in order."""
    return sorted(page.stem for page in (_FOLDER / "findings").glob("*.md"))


def other_pages() -> dict[str, str]:
    """Return the titles of all other pages by name: introductions, how-to pages, subjects, references."""
    pages = [(folder, page.stem) for folder in _OTHER_FOLDERS for page in (_FOLDER / folder).glob("*.md")]
    return {name: (_page(folder, name) or "").partition("\n")[0].lstrip("# ") for folder, name in pages}


def other_page(name: str) -> str | None:
    """Return a page that is not about a finding, by its name; None if there is none."""
    texts = (_page(folder, name) for folder in _OTHER_FOLDERS)
    return next((text for text in texts if text is not None), None)


def folder_of(name: str) -> str:
    """Return the folder of a page that is not about a finding: ``how-to``, ``language``, … or ``.``."""
    return next((folder for folder in _OTHER_FOLDERS if _page(folder, name) is not None), ".")


def sections() -> dict[str, str]:
    """Return the sections that ``opforge explain`` shows alone, by heading.

    They are those of the language reference (WHEN, gets, cannot …), and rules by their number (M-7).
    """
    rules: dict[str, str] = {}
    for heading, text in _sections("rules", "###").items():
        number, *_ = heading.split()
        rules[number] = text
    return {**_sections("language", "##+"), **rules}


def section_headed(heading: str) -> str | None:
    """Return the first section of a page with a heading; None if there is none.

    Not of the list of changes: who asks for `printing` wants to know how, not since when.
    """
    pattern = re.compile(rf"^(?P<level>##+) (?P<title>{re.escape(heading)})$", re.MULTILINE | re.IGNORECASE)
    for name in (name for name in other_pages() if name != "changes"):
        match = pattern.search(other_page(name) or "")
        if match is not None:
            section = _sections(name, match["level"])[match["title"]]
            return f"{section.rstrip()}\n\n(From the page `{name}`.)\n"
    return None


def _sections(page: str, level: str) -> dict[str, str]:
    """Return the sections of a page by heading; the next heading of the same or a higher level ends one.

    ``level`` is the pattern of the marks before the headings, such as ``###``.
    """
    text = other_page(page) or ""
    sections_by_heading: dict[str, str] = {}
    for heading in re.finditer(rf"^(?P<marks>{level}) (?P<title>.+)$", text, re.MULTILINE):
        heading_above = re.compile(rf"^#{{2,{len(heading['marks'])}}} ", re.MULTILINE)
        next_heading = heading_above.search(text, heading.end())
        end = next_heading.start() if next_heading else len(text)
        sections_by_heading[heading["title"]] = text[heading.start() : end].rstrip() + "\n"
    return sections_by_heading


@lru_cache(maxsize=1024)  # a search reads all 270, and then one is shown
def _page(folder: str, name: str) -> str | None:
    page = _FOLDER / folder / f"{name}.md"
    return page.read_text(encoding="utf-8") if _NAME.fullmatch(name) and page.is_file() else None
