"""Names inside a sentence in the making, and the finished sentence as runs.

A language does not know the project's names: it puts a mark for each. So no name is mistaken for a word of
the rules, whatever it is: a TEAM called "AP" gets no icon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolkit.vocabulary import COUNTERS, FORMS, STATS
from toolkit.wording.names import Names
from toolkit.wording.text import Paragraph, Run, RunKind

_BEGIN, _END = "\ue000", "\ue001"
_MARK = re.compile(f"{_BEGIN}(TEAM|trait):([^{_END}]*){_END}")
_KEYWORDS = "|".join(dict.fromkeys(form.keyword for form in FORMS.values() if form.keyword))
_TERM = re.compile(
    rf"\b(?:(?P<die>(?:ATTACK|DEFENCE) D6)|(?P<stat>{'|'.join((*STATS, *COUNTERS))})"
    rf"|(?P<keyword>(?:{_KEYWORDS}) \d+\+|BONUS \([A-Z]+\)|(?:{_KEYWORDS}|SUPPRESSED|SUPPRESSION"
    r"|TEAMWORK|EXHAUSTED|NORMAL|HIT|OUT|REACHES|REACHED|CAPTURES|CAPTURED)\b))(?!\w)"
)


def team(name: str) -> str:
    """The mark of a TEAM, by its id."""
    return f"{_BEGIN}TEAM:{_unmarked(name)}{_END}"


def trait(name: str) -> str:
    """The mark of a trait."""
    return f"{_BEGIN}trait:{_unmarked(name)}{_END}"


def _unmarked(name: str) -> str:
    return name.replace(_BEGIN, "\ufffd").replace(_END, "\ufffd")


def runs(text: str, names: Names, lang: str) -> Paragraph:
    """A finished sentence as runs: its names put in, its stats, dice and keywords told apart."""
    parts: list[Run] = []
    for run in _runs(text, names, lang):
        if parts and run.kind == parts[-1].kind == "text":
            parts[-1] = Run("text", parts[-1].text + run.text)
        elif run.text:
            parts.append(run)
    return tuple(parts)


def named(text: str, names: Names, lang: str) -> str:
    """The text with its names put in."""
    return "".join(run.text for run in runs(text, names, lang))


def _runs(text: str, names: Names, lang: str) -> Iterator[Run]:
    at = 0
    for mark in _MARK.finditer(text):
        yield from _terms(text[at : mark.start()])
        name = names.team if mark.group(1) == "TEAM" else names.trait
        yield Run("text", name(mark.group(2), lang))
        at = mark.end()
    yield from _terms(text[at:])


def _terms(text: str) -> Iterator[Run]:
    at = 0
    for term in _TERM.finditer(text):
        yield Run("text", text[at : term.start()])
        yield _term(term.lastgroup, term.group())
        at = term.end()
    yield Run("text", text[at:])


def _term(kind: str | None, text: str) -> Run:
    if kind == "keyword":
        return Run("keyword", text)
    which: RunKind = "die" if kind == "die" else "stat"
    return Run(which, text, text.lower().replace(" ", "-"))
