"""Rules text as typed runs of characters, and the insertion of names.

A language does not insert the project's names, but a mark for each. So no name is mistaken for a word of the
rules: a TEAM called "AP" gets no icon."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args

from msgspec import Struct, field

from toolkit.data.model import CardSet, Text
from toolkit.dsl.tree import Marker, Word
from toolkit.vocabulary import COUNTERS, FORMS, STATS

RunKind = Literal["text", "keyword", "stat", "die", "reminder"]
"""The kind of a run: plain words; a keyword in capitals (BONUS, HIT); a stat or counter (AP, HITCOUNTER) or a
die (ATTACK D6, DEFENCE D6), which a face may print with an icon; a reminder in parentheses."""


class Run(Struct, frozen=True):
    """A part of rules text of one kind; ``text`` is complete, for faces without icons.

    ``icon`` names the icon of a stat or die run, the same in every language: ``ap ep dp mp``,
    ``hitcounter``, ``objectivecounter``, ``attack-d6``, ``defence-d6``.
    """

    kind: RunKind
    text: str
    icon: str = ""


Paragraph = tuple[Run, ...]


def plain(paragraphs: tuple[Paragraph, ...]) -> str:
    """Return the plain text, one line for each paragraph."""
    return "\n".join("".join(run.text for run in paragraph) for paragraph in paragraphs)


ByLanguage = Mapping[str, str]
"""A printed text by language code."""

Sort = Literal["TEAM", "trait", "MARKER", "KEYWORD"]
"""What a project gives printed names to, as the word in effects."""


class Names(Struct, frozen=True):
    """The printed names of a project, by id and language.

    What has no name in a language is printed as its id, a trait as it is written.
    """

    teams: Mapping[str, ByLanguage] = field(default_factory=dict)
    traits: Mapping[str, ByLanguage] = field(default_factory=dict)
    markers: Mapping[str, ByLanguage] = field(default_factory=dict)
    keywords: Mapping[str, ByLanguage] = field(default_factory=dict)

    def name(self, sort: Sort, name: str, lang: str) -> str:
        """Return the printed name of a TEAM, MARKER or KEYWORD by id, or of a trait."""
        by_sort = {"TEAM": self.teams, "trait": self.traits, "MARKER": self.markers, "KEYWORD": self.keywords}
        return by_sort[sort].get(name, {}).get(lang, name)


def names_in(cards: CardSet) -> Names:
    """Return the printed names of a project's TEAMs, traits, MARKERs and KEYWORDs."""
    languages = cards.project.languages

    def named(text: Text) -> dict[str, str]:
        return {language: text.in_language(language).value for language in languages}

    return Names(
        {team.id: named(team.name) for team in cards.teams.values()},
        {trait: named(name) for trait, name in cards.project.traits.items()},
        {marker.id: named(marker.name) for marker in cards.markers.values()},
        {keyword.id: named(keyword.name) for keyword in cards.keywords.values()},
    )


_BEGIN, _END = "\ue000", "\ue001"  # private-use characters, which no language contains
_MARK = re.compile(f"{_BEGIN}(?P<sort>{'|'.join(get_args(Sort))}):(?P<id>[^{_END}]*){_END}")
_KEYWORDS = "|".join(dict.fromkeys(form.keyword for form in FORMS.values() if form.keyword))
_TERM = re.compile(
    rf"\b(?:(?P<die>(?:ATTACK|DEFENCE) D6)|(?P<stat>{'|'.join((*STATS, *COUNTERS))})"
    rf"|(?P<keyword>(?<=[+−]\d )RANGE|(?:{_KEYWORDS}) \d+\+|BONUS \([A-Z]+\)"
    rf"|(?:{_KEYWORDS}|DAMAGE|SUPPRESSED|SUPPRESSION"
    r"|TEAMWORK|EXHAUSTED|NORMAL|HIT|OUT|REACHES|REACHED|CAPTURES|CAPTURED)\b))(?!\w)"
)


def mark(sort: Sort, name: str | Word | None) -> str:
    """Return the mark of a TEAM, MARKER or KEYWORD of the project by its id, or of a trait."""
    text = name.text if isinstance(name, Word) else name or ""
    text = text.replace(_BEGIN, "\ufffd").replace(_END, "\ufffd")
    return f"{_BEGIN}{sort}:{text}{_END}"


def quantity_mark(word: Word) -> str:
    """Return the printed form of a stat or counter: the mark of a MARKER, else the word itself."""
    return mark("MARKER", word.id) if isinstance(word, Marker) else word.text


def is_marker(quantity: str) -> bool:
    """Whether a quantity is the mark of a MARKER."""
    return quantity.startswith(f"{_BEGIN}MARKER:")


def runs(text: str, names: Names, lang: str) -> Paragraph:
    """Return a sentence as runs, with its names inserted; stats, dice and keywords are separate runs."""
    parts: list[Run] = []
    for run in _runs_with_names(text, names, lang):
        if parts and run.kind == parts[-1].kind == "text":
            parts[-1] = Run("text", parts[-1].text + run.text)
        elif run.text:
            parts.append(run)
    return tuple(parts)


def named(text: str, names: Names, lang: str) -> str:
    """Return a text with its names inserted."""
    return "".join(run.text for run in runs(text, names, lang))


def _runs_with_names(text: str, names: Names, lang: str) -> Iterator[Run]:
    """Yield the runs of a text with the printed names in place of their marks."""
    offset = 0
    for mark_match in _MARK.finditer(text):
        yield from _term_runs(text[offset : mark_match.start()])
        sort: Any = mark_match["sort"]
        kind: RunKind = "keyword" if sort in ("MARKER", "KEYWORD") else "text"
        yield Run(kind, names.name(sort, mark_match["id"], lang))
        offset = mark_match.end()
    yield from _term_runs(text[offset:])


def _term_runs(text: str) -> Iterator[Run]:
    """Yield a text in runs: the terms of the game, which print may emphasize, and what is between them."""
    offset = 0
    for term in _TERM.finditer(text):
        yield Run("text", text[offset : term.start()])
        yield _term_run(term.lastgroup, term.group())
        offset = term.end()
    yield Run("text", text[offset:])


def _term_run(kind: str | None, text: str) -> Run:
    """Return the run of a term: a keyword as it is, a die or stat with the name of its icon."""
    if kind == "keyword":
        return Run("keyword", text)
    run_kind: RunKind = "die" if kind == "die" else "stat"
    return Run(run_kind, text, text.lower().replace(" ", "-"))
