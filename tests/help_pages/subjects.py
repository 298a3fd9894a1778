"""The pages of the language by subject: below each sentence stands what is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import toolkit
from tests.help_pages.examples import KEYWORDS, MARKERS, TEAMS, TRAITS, Example
from tests.help_pages.page import BrokenExample, parsed
from toolkit.vocabulary import Role
from toolkit.wording.card_text import rules_text
from toolkit.wording.text import Names, plain

FOLDER = Path(toolkit.__file__).parent / "help" / "language"
_BLOCK = re.compile(r"(?<=^```text\n).*?(?=^```$)", re.MULTILINE | re.DOTALL)
_PLACES = (Role.SKILL, Role.EFFECT, Role.STRATEGY, Role.ATTACK, Role.DEFENCE, Role.ITEM)
"""Where a sentence may stand; the first that is possible is printed."""


def subject_page(page: str) -> str:
    """A page of sentences with the English text of each below it; raises BrokenExample."""
    return _BLOCK.sub(lambda block: "\n".join(_with_texts(block.group())) + "\n", page)


def sentences_of(page: str) -> list[str]:
    """The sentences of a page."""
    lines = "".join(_BLOCK.findall(page)).splitlines()
    return [line for line in lines if line and not line.startswith(" ")]


def _with_texts(block: str) -> Iterator[str]:
    for line in block.splitlines():
        if not line.startswith(" "):
            yield line
            yield f"    {_printed(line)}"


def _printed(sentence: str) -> str:
    example = next(filter(_is_possible, (Example(role, sentence) for role in _PLACES)), None)
    if example is None:
        raise BrokenExample(sentence)
    text = rules_text(parsed(example), example.role, "en", Names(TEAMS, TRAITS, MARKERS, KEYWORDS))
    return " ".join(plain(text).splitlines()) if text else ""


def _is_possible(example: Example) -> bool:
    try:
        parsed(example)
    except BrokenExample:
        return False
    return True
