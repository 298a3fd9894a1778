"""duplicate-scenario: two scenarios of one name in one file, which nobody can tell apart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from toolkit.data.model import CardSet, Scenario
from toolkit.diagnostics import Diagnostic, Label


def check(cards: CardSet) -> Iterator[Diagnostic]:
    """The second of two, at its name; a file and a name are how a scenario is called (``FILE#NAME``)."""
    first: dict[tuple[Path, str], Scenario] = {}
    for scenario in cards.scenarios:
        one = first.setdefault((scenario.file.path, scenario.id), scenario)
        if one is not scenario:
            yield Diagnostic(
                "duplicate-scenario",
                f"The name `{scenario.id}` is used twice in this file.",
                scenario.id_span,
                "Name what this one shows and the other does not.",
                (Label(one.id_span, "first used here"),),
                scenario.id,
            )
