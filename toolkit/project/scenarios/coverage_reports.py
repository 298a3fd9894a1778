"""Coverage as text for people and as data for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from toolkit.diagnostics.reporters import Style, unstyled
from toolkit.engine.explaining.origins import Origins
from toolkit.project.scenarios.coverage import Coverage, Reached
from toolkit.vocabulary.rules import RULES

_WIDTH = 100


def coverage_text(coverage: Coverage, origins: Origins, style: Style = unstyled) -> str:
    """A table of what was reached, then everything that was not."""
    lines = [style("coverage", "note")]
    for what, reached, total in _counts(coverage):
        lines.append(f"  {what:<10} {reached} of {total}")
    silent = [one for one in coverage.sentences if not one.acted]
    lines += _listed("cards in no scenario", _missing(coverage.cards))
    if silent:
        lines += ["", "sentences that never came to effect"]
        lines += [f"  {_sentence(one, origins)}" for one in silent]
    lines += _listed("verbs that never came to effect", _missing(coverage.verbs))
    lines += _listed(
        "rules that never acted", [f"{rule} ({RULES[rule]})" for rule in _missing(coverage.rules)]
    )
    return "\n".join(lines) + "\n"


def _counts(coverage: Coverage) -> Iterator[tuple[str, int, int]]:
    yield "cards", sum(coverage.cards.values()), len(coverage.cards)
    yield "sentences", sum(one.acted for one in coverage.sentences), len(coverage.sentences)
    yield "verbs", sum(coverage.verbs.values()), len(coverage.verbs)
    yield "rules", sum(coverage.rules.values()), len(coverage.rules)


def _missing(known: dict[str, bool]) -> list[str]:
    return [name for name, reached in known.items() if not reached]


def _listed(title: str, words: list[str]) -> list[str]:
    if not words:
        return []
    lines, line = ["", title], " "
    for word in words:
        if len(line) + len(word) > _WIDTH:
            lines.append(line)
            line = " "
        line += f" {word}" + ("," if word is not words[-1] else "")
    return [*lines, line]


def _sentence(one: Reached, origins: Origins) -> str:
    """``cards/item.yaml:12:13  bipod, effect: self cannot perform EVADE. (judged, and never so)``."""
    span = origins.place(one.origin)
    begin = span.begin_position if span else None
    place = f"{span.file.name}:{begin.line}:{begin.column}  " if span and begin else ""
    judged = "   (judged, and its condition never held)" if one.judged else ""
    return f"{place}{one.origin.entry}, {one.origin.part}: {one.origin.text}{judged}"


def coverage_data(coverages: Iterable[tuple[Coverage, Origins]]) -> dict[str, Any]:
    """The coverage of all projects together as plain data."""
    cards: dict[str, bool] = {}
    verbs: dict[str, bool] = {}
    rules: dict[str, bool] = {}
    sentences = []
    for coverage, origins in coverages:
        for known, found in ((cards, coverage.cards), (verbs, coverage.verbs), (rules, coverage.rules)):
            for name, reached in found.items():
                known[name] = known.get(name, False) or reached
        sentences += [(one, origins) for one in coverage.sentences]
    acted = sum(one.acted for one, _ in sentences)
    return {
        "cards": {"reached": sum(cards.values()), "total": len(cards), "never": _missing(cards)},
        "sentences": {
            "reached": acted,
            "total": len(sentences),
            "never": [_sentence_data(one, origins) for one, origins in sentences if not one.acted],
        },
        "verbs": {"reached": sum(verbs.values()), "total": len(verbs), "never": _missing(verbs)},
        "rules": {"reached": sum(rules.values()), "total": len(rules), "never": _missing(rules)},
    }


def _sentence_data(one: Reached, origins: Origins) -> dict[str, Any]:
    span = origins.place(one.origin)
    return {
        "card": one.origin.entry,
        "part": one.origin.part,
        "sentence": one.origin.sentence,
        "text": one.origin.text,
        "file": span.file.name if span else None,
        "line": span.begin_position.line if span else None,
        "judged": one.judged,
    }
