"""What is asked for, and the answers: what was written and found, or why nothing was."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from toolkit.diagnostics.report import Report
from toolkit.project.layouts import LayoutWish


class SheetWish(Struct, frozen=True):
    """What to print: the file, the language (None: the project's first), which cards, and how.

    ``proof`` shows where cards are cut and where words are safe, ``stamp`` puts project, version and
    fingerprint on each card; ``printer`` is one whose offset was measured. ``theme`` is a
    look (None: the project's), ``low_ink`` is outlines and black words only.
    ``changed_since`` is a git revision or the folder of an older copy: only what changed is printed.
    ``many_pages`` prints more than ``MOST_PAGES`` of `toolkit.render.sheet` too.
    """

    output: Path
    language: str | None = None
    ids: Sequence[str] = ()
    kinds: Sequence[str] = ()
    layout: LayoutWish = field(default_factory=LayoutWish)
    proof: bool = False
    stamp: bool = False
    printer: str | None = None
    theme: str | None = None
    low_ink: bool = False
    changed_since: str | None = None
    many_pages: bool = False


class Refusal(Struct, frozen=True):
    """Why nothing was written; ``broken`` is False where the wish itself is wrong."""

    message: str
    broken: bool


class SheetOutcome(Struct, frozen=True):
    """What was written, in a sentence, and what was found."""

    sentence: str
    report: Report
