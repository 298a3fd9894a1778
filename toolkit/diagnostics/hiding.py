"""What errors keep from being found: of a broken file, card or effect the check cannot tell all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from toolkit.diagnostics.catalogue import CATALOGUE, NOT_SUPPRESSED, severity_of
from toolkit.diagnostics.finding import Diagnostic


class Hiding:
    """The errors of a project. Where one is, nothing can be said about what is not there any more.

    Comments with errors hide nothing. What is told of an entry because of others (that nothing uses it, that
    another one is better) may come back when they are mended, so that any error hides it.
    """

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        errors = [
            finding
            for finding in findings
            if severity_of(finding.name) == "error" and finding.name not in NOT_SUPPRESSED
        ]
        self._files = {finding.span.file.path for finding in errors}
        self._cards = {finding.card for finding in errors}

    def in_file(self, path: Path, name: str) -> bool:
        """Whether a finding may be in a file although it was not found."""
        return path in self._files or (_is_between(name) and bool(self._files))

    def in_card(self, card: str | None, name: str) -> bool:
        """Whether a finding may be in a card (None: in none) although it was not found.

        An error outside of cards may be a file that could not be read, with the card in it.
        """
        return bool(self._cards) and (
            card is None or card in self._cards or None in self._cards or _is_between(name)
        )


def _is_between(name: str) -> bool:
    return name.startswith("unused-") or (name in CATALOGUE and CATALOGUE[name].about == "project")
