"""Search in the help pages: the section that explains a word, keys of files, and other sections."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from toolkit.diagnostics.help_pages import other_page, other_pages
from toolkit.vocabulary import ACTIONS, KEYWORDS, STATS, VERBS

MAX_SECTIONS = 3
"""Sections that are shown in full, at most; of more only the names are listed."""

_NOT_SEARCHED = ("changes", "files", "language", "rules")
"""Pages with their own look-up (by key, section and rule), and the changelog."""

_EXPLAINED = {
    "Sentences": "if unless when then either or ,  .",
    "WHEN": "attacking attacked attacks played attached hits misses REACHES CAPTURES begins ends an is the "
    "attack",
    "WHO": "self target attacker owner opponent one all own enemy any other adjacent opposite of in to with "
    "highest lowest trait that are chosen OPERATOR OPERATORs",
    "IF": "and not has performed no number hand ATTACK DEFENCE card cards = != < <= > >= * ( ) SQUADPOINTS",
    **{verb.one: verb.many for verb in VERBS},
    "gets": "get for each max + -",
    "multiplies": "multiply by",
    "fixes": "fix at",
    "makes": "make on",
    "cannot": "perform be have play",
    "gains": "gain ANY",
    "puts": "put onto",
    "DURATION": "until end while FIELD permanently TURN ROUND",
    "N-1": f"{' '.join(STATS)} VALUE",
    "N-2": "layer layers add subtract",
    "N-3": "stacking",
    "N-4": "rounding",
    "C-2": "NORMAL EXHAUSTED OUT",
    "F-1": "FIELDPOSITION",
    "F-2": "SAVEZONE",
    "F-3": "OBJECTIVE REACHED",
    "R-1": "RANGE",
    **{action.rule: action.name for action in ACTIONS.values() if action.name != "ATTACK"},
    "A-2b": "OBJECTIVECOUNTER advance",
    "A-2a": "swap",
    "H-1": "HIT HITCOUNTER",
    "M-1": "SUPPRESSION SUPPRESSED",
    "M-2": "SKILL SKILLs",
    "M-3": "TEAMWORK TEAM",
    "M-4": "STRATEGY",
    "M-6": "D6",
    "M-7": "CRITICAL",
    "K-1": "PERFORMANCE ITEM ITEMs",
    **{word.rule: word.name for word in KEYWORDS.values() if word.rule not in ("K-1", "M-7")},
    "T-3": "ACTION ACTIONs COMBAT",
}
"""The words that a section explains, by its heading in the language reference or the number of its rule."""


class _Section(Struct, frozen=True):
    page: str
    heading: str
    text: str


def section_about(word: str) -> str | None:
    """Return the section that explains a word; None if there is none.

    An exact match comes first: some words differ only in case (`attack` and `ATTACK`).
    """
    for fold in (str, str.casefold):
        for section, words in _EXPLAINED.items():
            if fold(word) in map(fold, words.split()):
                return section
    return None


def page_about(word: str) -> str | None:
    """Return a page about a word: keys of files with this name, and sections of the help about it.

    These are the sections with the word in their heading; if there are none, those that have it in
    backquotes. None if there is neither a key nor a section.
    """
    if not re.search(r"\w", word):
        return None
    keys = _keys(word)
    sections = _headed(word) or _mentioning(word)
    if not keys and not sections:
        return None
    parts = [f"# {word}", *keys]
    if len(sections) <= MAX_SECTIONS:
        parts += [f"{section.text.rstrip()}\n\n(From the page `{section.page}`.)" for section in sections]
    else:
        names = "\n".join(f"- {section.heading}: `opforge explain {section.page}`" for section in sections)
        parts.append(f"Related sections:\n\n{names}")
    return "\n\n".join(parts) + "\n"


def _keys(word: str) -> list[str]:
    """Return a paragraph for each kind of entry that has a key of this name."""
    key_pattern = re.compile(rf"^- .*?(?:`|\.){re.escape(word.casefold())}`[^:]*:", re.MULTILINE)
    texts = []
    for section in (other_page("files") or "").split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        lines = [line for line in body.splitlines() if key_pattern.match(line)]
        if lines:
            texts.append("\n".join([f"{title}:", "", *lines]))
    return texts


def _headed(word: str) -> list[_Section]:
    """Return the sections with the word in their heading."""
    heading_pattern = re.compile(rf"\b{re.escape(word)}s?\b", re.IGNORECASE)
    return [section for section in _sections() if heading_pattern.search(section.heading)]


def _mentioning(word: str) -> list[_Section]:
    """Return the sections that have the word as code."""
    code_pattern = re.compile(rf"`[^`\n]*(?<![\w-])(?:--)?{re.escape(word)}(?![\w-])[^`\n]*`", re.IGNORECASE)
    return [section for section in _sections() if code_pattern.search(section.text)]


def _sections() -> Iterator[_Section]:
    """Yield all sections that have a text of their own; one ends where the next begins."""
    for page in other_pages():
        if page not in _NOT_SEARCHED:
            for section_text in re.split(r"^(?=##+ )", other_page(page) or "", flags=re.MULTILINE)[1:]:
                heading, _, text = section_text.partition("\n")
                if text.strip():
                    yield _Section(page, heading.lstrip("# "), section_text)
