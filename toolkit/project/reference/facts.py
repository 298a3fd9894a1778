"""Everything that the rules reference says about a project, in one language and ready to be printed."""

from __future__ import annotations

from msgspec import Struct

from toolkit.wording.text import Paragraph


class Line(Struct, frozen=True):
    """A sentence; ``made``: the ruleset or the mode decides what it says; ``label`` stands before it."""

    words: Paragraph
    made: bool = False
    label: str = ""


class Topic(Struct, frozen=True):
    """A titled thing with its sentences: a step, an ACTION, a phase, a status, an icon.

    ``sign`` is its number, icon or status; ``aside`` a short word beside the title; ``short`` the same in so
    few words that it fits a card, where that differs.
    """

    title: str
    lines: tuple[Line, ...]
    sign: str = ""
    aside: str = ""
    short: tuple[Line, ...] = ()


class Reference(Struct, frozen=True):
    """The reference of a project.

    ``columns`` are the FIELDPOSITIONs of a player; ``reading`` says what cards mean by words that return.
    """

    language: str
    project: str
    mode: str
    steps: tuple[Topic, ...]
    layers: tuple[str, ...]
    layer_notes: tuple[Line, ...]
    actions: tuple[Topic, ...]
    phases: tuple[Topic, ...]
    columns: int
    statuses: tuple[Topic, ...]
    keywords: tuple[Topic, ...]
    durations: tuple[Topic, ...]
    icons: tuple[Topic, ...]
    kinds: tuple[Topic, ...]
    victory: tuple[Line, ...]
    reading: tuple[Line, ...]
    reading_short: Line
