"""The one exception of scripts: what cannot be done, in a sentence, with the findings that prevent it."""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.locations import place
from toolkit.play.odds.request import RefusedOdds
from toolkit.play.playable_game import Unplayable
from toolkit.project.output import Refusal


class ProjectError(ValueError):
    """What a script asked for cannot be done; ``findings`` are the errors of cards that prevent it."""

    def __init__(self, sentence: str, findings: Sequence[Diagnostic] = ()) -> None:
        super().__init__(sentence)
        self.findings = tuple(findings)


def error_of(refused: Refusal | RefusedOdds | Unplayable) -> ProjectError:
    """Return the exception for a refusal."""
    if isinstance(refused, Refusal):
        return ProjectError(refused.message)
    if isinstance(refused, RefusedOdds):
        return ProjectError(refused.refusal.sentence)
    return ProjectError(refused.sentence or prevented_by(refused.findings), refused.findings)


def prevented_by(findings: Sequence[Diagnostic]) -> str:
    """Return a sentence about findings that prevent something: the first, and how many more there are."""
    first, *others = findings
    further = f" (and {len(others)} more)" if others else ""
    return f"{place(first.span)}: {first.message} [{first.name}]{further}"
