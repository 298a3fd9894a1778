"""Every finding by name: how severe it is, and its title.

A finding is declared by its page, ``toolkit/help/findings/NAME.md``, which begins with these lines::

    ---
    severity: error
    title: a factor or divisor below 2
    about: project
    ---

``title`` completes the sentence "this is …". ``about`` is left out for most: ``project`` is a finding that
depends on several entries, ``print`` one that only printing makes, ``play`` one that only playing makes,
``suppression`` one about suppressions or the baseline, ``table`` one about a table that is imported. A name
without a page cannot be reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Literal, cast

from msgspec import Struct

from toolkit.diagnostics.finding import Severity
from toolkit.help.pages import finding_names, head_of_finding

About = Literal["", "project", "print", "play", "suppression", "table"]


class Finding(Struct, frozen=True):
    """A kind of finding."""

    name: str
    severity: Severity
    title: str
    about: About = ""


class _Catalogue(Mapping[str, Finding]):
    """The findings by name. A page is read when its finding is asked for: most runs need a handful of 160."""

    def __init__(self) -> None:
        self._read: dict[str, Finding | None] = {}

    def _find(self, name: object) -> Finding | None:
        if not isinstance(name, str):
            return None
        if name not in self._read:
            head = head_of_finding(name)
            severity, about = cast(Severity, head.get("severity")), cast(About, head.get("about", ""))
            self._read[name] = Finding(name, severity, head["title"], about) if head else None
        return self._read[name]

    def __getitem__(self, name: str) -> Finding:
        found = self._find(name)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        return self._find(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(finding_names())

    def __len__(self) -> int:
        return len(finding_names())


class _FindingsAbout(AbstractSet[str]):
    """The names of all findings about some things."""

    def __init__(self, *about: About) -> None:
        self._about = about

    def __contains__(self, name: object) -> bool:
        return name in CATALOGUE and CATALOGUE[str(name)].about in self._about

    def __iter__(self) -> Iterator[str]:
        return (name for name in CATALOGUE if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


CATALOGUE: Mapping[str, Finding] = _Catalogue()

NOT_SUPPRESSED = _FindingsAbout("suppression", "play")
"""Findings about suppressions and the baseline, and those of playing, which no comment suppresses."""
OF_PRINT = _FindingsAbout("print")
"""Findings that only printing makes."""
OF_PICTURES = ("missing-picture", "animated-picture", "scripted-picture")
"""Warnings of the check that are reported again where cards are printed."""


def severity_of(name: str) -> Severity:
    """Return how severe a finding is."""
    return CATALOGUE[name].severity


def hinders(name: str) -> bool:
    """Whether what has this finding cannot be played or printed.

    A house rule is a preference of its author: a card that breaks it is reported as an error and still works.
    """
    return severity_of(name) == "error" and name not in ("house-rule", "broken-house-rule")
