"""Every finding by name, with its severity and title.

A finding is declared by its page, ``toolkit/help/findings/NAME.md``, which begins with these lines::

    ---
    severity: error
    title: a factor or divisor below 2
    about: project
    group: style
    fixable: yes
    ---

``title`` completes the sentence "this is …". ``about`` is omitted for most: ``project`` is a finding that
depends on several entries, ``print`` one that is only found when printing, ``play`` one that is only found
when playing, ``plugin`` one of a check of a team's own, ``suppression`` one about suppressions, the baseline
or `checks`, ``table`` one about an imported table. ``group`` is that of a warning, if it is not ``game``;
errors are the group ``errors``. ``fixable`` are findings that can have a fix. A finding without a page cannot
be reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Literal, cast

from msgspec import Struct

from toolkit.diagnostics.finding import Diagnostic, Severity
from toolkit.diagnostics.help_pages import finding_names, head_of_finding

About = Literal["", "project", "print", "play", "plugin", "suppression", "table"]


class Finding(Struct, frozen=True):
    """A kind of finding."""

    name: str
    severity: Severity
    title: str
    about: About = ""
    group: str = "game"
    fixable: bool = False


class _Catalogue(Mapping[str, Finding]):
    """The findings by name. Pages are read on demand: most runs need a handful of 160."""

    def __init__(self) -> None:
        self._read: dict[str, Finding | None] = {}

    def _find(self, name: object) -> Finding | None:
        """Return the finding of a name, read from its page once; None if there is none."""
        if not isinstance(name, str):
            return None
        if name not in self._read:
            front_matter = head_of_finding(name)
            self._read[name] = _declared(name, front_matter) if front_matter else None
        return self._read[name]

    def __getitem__(self, name: str) -> Finding:
        finding = self._find(name)
        if finding is None:
            raise KeyError(name)
        return finding

    def __contains__(self, name: object) -> bool:
        return self._find(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(finding_names())

    def __len__(self) -> int:
        return len(finding_names())


def _declared(name: str, front_matter: Mapping[str, str]) -> Finding:
    """Return the finding that the head of its page declares; an error needs no group, it is in `errors`."""
    severity = cast(Severity, front_matter["severity"])
    about = cast(About, front_matter.get("about", ""))
    group = "errors" if severity == "error" else front_matter.get("group", "game")
    return Finding(name, severity, front_matter["title"], about, group, "fixable" in front_matter)


class _FindingsAbout(AbstractSet[str]):
    """The names of all findings that are about one of these subjects."""

    def __init__(self, *about: About) -> None:
        self._about = about

    def __contains__(self, name: object) -> bool:
        return name in CATALOGUE and CATALOGUE[str(name)].about in self._about

    def __iter__(self) -> Iterator[str]:
        return (name for name in CATALOGUE if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


CATALOGUE: Mapping[str, Finding] = _Catalogue()

NEVER_SUPPRESSED = _FindingsAbout("suppression", "play")
"""Findings that neither a comment nor a project hides: those about hiding, and those of playing."""


def findings_about(*about: About) -> AbstractSet[str]:
    """Return the names of all findings about some subjects; no page is read before one is asked for."""
    return _FindingsAbout(*about)


NOT_LIVE = findings_about("print", "plugin")
"""Findings that are only found when printing, and by checks of a team's own: not with each key."""
OF_PICTURES = ("missing-picture", "animated-picture", "scripted-picture", "ignored-svg")
"""Warnings of the check that are repeated when cards are printed."""


def severity_of(name: str) -> Severity:
    """Return the severity of a finding, if nothing else is chosen."""
    return CATALOGUE[name].severity


def reported_severity(finding: Diagnostic) -> Severity:
    """Return the severity with which a finding is reported: that chosen for it, or its own."""
    return finding.severity or severity_of(finding.name)


def prevents_use(name: str) -> bool:
    """Whether a card with this finding cannot be played or printed.

    House rules are preferences of their author: a card that breaks one has an error, and still works. What a
    project chose in `checks` does not matter: a card that cannot be read is not played.
    """
    is_preference = name in ("house-rule", "broken-house-rule", "own-check", "failed-plugin")
    return severity_of(name) == "error" and CATALOGUE[name].about != "suppression" and not is_preference
