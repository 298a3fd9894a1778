"""Findings: the values that every stage returns besides its result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from toolkit.source import Edit, Span
from toolkit.source.short_repr import PublicValue
from toolkit.source.yaml_scalars import escaped_for
from toolkit.vocabulary.nearest import changes_meaning, is_ambiguous, is_certain

Severity = Literal["error", "warning"]


class Label(PublicValue, Struct, frozen=True):
    """A related place in a file, with a note about it ("first defined here")."""

    span: Span
    message: str


class Fix(PublicValue, Struct, frozen=True):
    """An edit that fixes the finding: the range of text, and its replacement.

    A fix is ``safe`` if nothing else can have been meant. An unsafe fix could change what a card does, and is
    applied only on request.
    """

    span: Span
    replacement: str
    safe: bool = True

    @property
    def edit(self) -> Edit:
        """The edit without its file."""
        return Edit(self.span.start, self.span.end, self.replacement)


def correction(span: Span, word: str | None, *, safe: bool = True) -> Fix | None:
    """Return the fix that replaces a key or value by a word and keeps its quotes; None without a word."""
    if word is None:
        return None
    written, quote = span.text, span.text[:1]
    is_quoted = len(written) > 1 and quote in ("'", '"') and written.endswith(quote)
    if is_quoted:
        return Fix(span, f"{quote}{escaped_for(word, quote)}{quote}", safe)
    return Fix(span, word, safe)


def suggestion(span: Span, written: str, meant: str | None, candidates: Iterable[str]) -> Fix | None:
    """Return the fix that replaces a misspelt word by the candidate ``meant``; safe if no other can be meant.

    None if nothing is ``meant``, if that says the opposite, or if another candidate is equally near.
    """
    candidates = tuple(candidates)
    if meant is None or changes_meaning(written, meant) or is_ambiguous(written, meant, candidates):
        return None
    return correction(span, meant, safe=is_certain(written, meant, candidates))


class Diagnostic(PublicValue, Struct, frozen=True):
    """One finding.

    ``name`` is its name in the catalogue (``unknown-stat``), ``message`` one sentence in a designer's words,
    ``span`` the exact word, ``next_step`` what to do about it, ``card`` the id of the entry it is in, if any.
    ``alternatives`` are edits of which one may be what was meant. ``severity`` is the one that the project or
    the command line chose, if it is not that of the catalogue.
    """

    name: str
    message: str
    span: Span
    next_step: str = ""
    labels: tuple[Label, ...] = ()
    card: str | None = None
    fix: Fix | None = None
    alternatives: tuple[Fix, ...] = ()
    severity: Severity | None = None
