"""Findings: the values that every stage returns beside its result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct

from toolkit.source import Edit, Span
from toolkit.source.edits import in_style
from toolkit.vocabulary.nearest import changes_meaning, is_ambiguous, is_certain

Severity = Literal["error", "warning"]


class Label(Struct, frozen=True):
    """A related place, with what is there ("first defined here")."""

    span: Span
    message: str


class Fix(Struct, frozen=True):
    """An edit that fixes the finding: the range of text, and what replaces it.

    ``safe`` says that nothing else can have been meant. A fix that is not safe could change what a card does;
    it is applied only on request.
    """

    span: Span
    replacement: str
    safe: bool = True

    @property
    def edit(self) -> Edit:
        """The edit without its file."""
        return Edit(self.span.start, self.span.end, self.replacement)


def correction(span: Span, word: str | None, *, safe: bool = True) -> Fix | None:
    """Return the fix that puts another word in place of a key or value, in the quotes in which it stands.

    None if there is no word to put there.
    """
    if word is None:
        return None
    quote = span.text[:1]
    if quote and quote in "'\"" and span.text[-1] == quote and len(span.text) > 1:
        return Fix(span, f"{quote}{in_style(word, quote)}{quote}", safe)
    return Fix(span, word, safe)


def suggestion(span: Span, written: str, meant: str | None, candidates: Iterable[str]) -> Fix | None:
    """Return the fix that puts a candidate in place of a misspelt key or value; safe if it can only be that.

    None if there is none, if it says the opposite, or if another one that says something else is as near.
    """
    candidates = tuple(candidates)
    if meant is None or changes_meaning(written, meant) or is_ambiguous(written, meant, candidates):
        return None
    return correction(span, meant, safe=is_certain(written, meant, candidates))


class Diagnostic(Struct, frozen=True):
    """One finding.

    ``name`` is the finding's name in the catalogue (``unknown-stat``); ``message`` is one sentence in a
    designer's words; ``span`` the exact word; ``next_step`` what to do about it; ``card`` the id of the
    entry it is in, if any.
    """

    name: str
    message: str
    span: Span
    next_step: str = ""
    labels: tuple[Label, ...] = ()
    card: str | None = None
    fix: Fix | None = None
