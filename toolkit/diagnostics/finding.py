"""The value every stage returns beside its result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from toolkit.source import Span

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Label:
    """A related place, with what is there ("first defined here")."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit that would mend the finding: the stretch and the text that replaces it."""

    span: Span
    replacement: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One mistake, told once.

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
