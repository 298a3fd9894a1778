"""Every finding by name: how severe it is, and what it is about in a line.

A name that is not here cannot be reported. Each has a page in ``toolkit/help/findings``.
"""

from __future__ import annotations

from dataclasses import dataclass

from toolkit.diagnostics.finding import Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """A kind of finding: ``title`` is what it is about, in a line."""

    name: str
    severity: Severity
    title: str


def _catalogue(severity: Severity, titles: dict[str, str]) -> dict[str, Finding]:
    return {name: Finding(name, severity, title) for name, title in titles.items()}


_LANGUAGE = {
    "comment-not-allowed": "a comment in an effect that is no `|` block",
    "doubled-filter": "the same filter twice in one group",
    "doubled-word": "a word written twice",
    "effect-too-deep": "too many parentheses in an effect",
    "effect-too-long": "an effect too long to be read",
    "empty-effect": "an effect without a sentence",
    "filter-order": "the filters of a group in a wrong order",
    "glued-number": "a number glued to a word",
    "joined-words": "two words without a space",
    "missing-comma": "a comma is missing",
    "missing-duration": "an event's change that does not say how long it lasts",
    "missing-full-stop": "a sentence without its full stop",
    "missing-quotes": "a name without quotes",
    "missing-trigger": "a sentence that must begin with `when`",
    "missing-word": "a word is missing",
    "needs-event": "something that happens once in a sentence that holds always",
    "no-attack": "attacker, attacked or CRITICAL where there is no attack",
    "no-self": "self where no OPERATOR bears the effect",
    "no-target": "target where there is none",
    "number-too-large": "a number with too many digits",
    "unclosed-quote": "a name whose quotes do not end",
    "unexpected-word": "a word in a wrong place",
    "unfinished-sentence": "a sentence that breaks off",
    "unknown-action": "no ACTION of the game",
    "unknown-duration": "no duration of the language",
    "unknown-stat": "no stat of the game",
    "unknown-status": "no status of the game",
    "unknown-team": "a TEAM that the project does not have",
    "unknown-trait": "a trait that no OPERATOR bears",
    "unknown-trigger": "no trigger of the language",
    "unknown-verb": "no verb of the language",
    "unknown-who": "no OPERATOR or player of the language",
    "unknown-word": "no word of the language",
    "wrong-trigger": "a trigger that never comes about there",
    "wrong-who": "a player who does what OPERATORs do, or the other way round",
}
_LANGUAGE_WARNINGS = {
    "unused-duration": "a duration that says nothing",
}
_TEXTS = {
    "stale-text": "a hand-written text whose effect has changed since",
    "missing-text-for": "a hand-written text that does not say which effect it was written for",
}

CATALOGUE: dict[str, Finding] = {
    **_catalogue("error", _LANGUAGE),
    **_catalogue("warning", _LANGUAGE_WARNINGS),
    **_catalogue("error", _TEXTS),
}


def severity_of(name: str) -> Severity:
    """How severe a finding is."""
    return CATALOGUE[name].severity
