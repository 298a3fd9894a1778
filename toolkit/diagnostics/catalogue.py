"""Every finding by name: how severe it is, and what it is about in a line.

A name that is not here cannot be reported. Each has a page in ``toolkit/help/findings``.
"""

from __future__ import annotations

from msgspec import Struct

from toolkit.diagnostics.finding import Severity


class Finding(Struct, frozen=True):
    """A kind of finding: ``title`` is what it is about, in a line."""

    name: str
    severity: Severity
    title: str


_READING_ERRORS = {
    "alias-not-allowed": "an alias in a card file",
    "anchor-not-allowed": "an anchor in a card file",
    "art-outside-project": "a picture outside the project folder",
    "broken-quotes": "text after the closing quotation mark",
    "control-character": "an invisible control character",
    "deck-size": "a DECK or ITEMDECK with too few or too many cards",
    "duplicate-id": "an id that is used twice",
    "duplicate-key": "a key that is given twice",
    "empty-file": "a file without content",
    "empty-list": "a list that needs at least one item",
    "empty-text": "an empty text",
    "empty-value": "a key without a value",
    "file-too-large": "a file that is too large",
    "foreign-syntax": "a comment or fence of another language",
    "invalid-colour": "a colour that is not #rrggbb",
    "invalid-id": "an id that is not in kebab-case",
    "invalid-trait": "a trait that no effect could name",
    "key-not-text": "a key that is not a word",
    "layout-conflict": "keys of a layout that contradict each other",
    "layout-too-large": "a layout with more cards than fit on its paper",
    "merge-conflict": "a merge conflict left in the file",
    "merge-key-not-allowed": "a merge key in a card file",
    "mixed-backs": "cards of one draw pile with different backs",
    "mixed-sizes": "cards of one draw pile with different sizes",
    "missing-colon": "a key without a colon",
    "missing-dash": "a list entry without its dash",
    "missing-key": "a missing required key",
    "missing-language": "a text that is missing in a language of the project",
    "missing-project-file": "a project without opforge.yaml",
    "missing-space": "no space after a dash or colon",
    "not-a-picture": "a file that is not a picture",
    "out-of-range": "a number that is too small or too large",
    "repeated-value": "the same word twice in one list",
    "several-documents": "more than one YAML document in a file",
    "slot-off-paper": "a place for a card that extends beyond the paper",
    "slots-overlap": "two places for cards that overlap",
    "squad-size": "a squad with too few or too many OPERATORs",
    "squad-too-dear": "a squad that costs too many SQUADPOINTS",
    "swallowed-by-comment": "a comment after an effect, which may swallow its end",
    "tab-in-indentation": "a tab where spaces belong",
    "tag-not-allowed": "a tag in a card file",
    "text-needs-quotes": "a text that needs quotes in YAML",
    "too-deep": "too many levels of lists and mappings",
    "too-many-copies": "a card too many times in a squad or deck",
    "too-many-items": "a list with too many items",
    "too-many-values": "too many values in one file",
    "unclosed-text": "a text in quotes that is not closed",
    "unknown-card": "a card that does not exist",
    "unknown-escape": "a backslash that has no meaning",
    "unknown-key": "a key that does not exist",
    "unknown-kind": "a kind of card that does not exist",
    "unknown-language": "a language that the project does not have",
    "unknown-layout": "a layout that does not exist",
    "unknown-mode": "a game mode that does not exist",
    "unknown-objective": "an OBJECTIVE that does not exist",
    "unknown-ruleset": "a ruleset that does not exist",
    "unknown-value": "a value that is not one of the allowed words",
    "unmatched-bracket": "a bracket or brace that is not closed, or closes nothing",
    "unquoted-comma": "a comma that splits a text inside braces",
    "unreadable-file": "a file that cannot be read",
    "wrong-encoding": "a file that is not saved as UTF-8",
    "wrong-indentation": "a line with too much or too little indentation",
    "wrong-kind": "an entry of the wrong kind",
    "wrong-type": "a value of the wrong type",
    "yaml-syntax": "a file that cannot be read as YAML",
}
_READING_WARNINGS = {
    "link-outside-project": "a link that leads out of the project",
    "missing-picture": "a picture that does not exist",
    "no-cards": "a project without cards",
    "low-contrast": "colours too close in brightness to be read",
    "similar-colours": "TEAMs whose colours look alike to some people",
    "animated-picture": "a picture that is animated",
    "scripted-picture": "a drawing that contains a script",
    "unprinted-language": "a language in which no card can be printed",
    "objective-count": "a different number of OBJECTIVEs and FIELDPOSITIONs",
}
_LANGUAGE_ERRORS = {
    "comment-not-allowed": "a comment in an effect that is not a `|` block",
    "doubled-filter": "the same filter twice in one group",
    "doubled-word": "a word written twice",
    "effect-too-deep": "too many parentheses in an effect",
    "effect-too-long": "an effect that is too long",
    "empty-effect": "an effect without a sentence",
    "filter-order": "the filters of a group in the wrong order",
    "glued-number": "no space between a number and a word",
    "joined-words": "two words without a space",
    "missing-comma": "a missing comma",
    "missing-duration": "a change made by an event without a duration",
    "missing-full-stop": "a sentence without its full stop",
    "missing-quotes": "a name without quotes",
    "missing-trigger": "a sentence that must begin with `when`",
    "missing-word": "a missing word",
    "needs-event": "a one-time action in a sentence that applies all the time",
    "no-attack": "attacker, attacked or CRITICAL where there is no attack",
    "no-self": "self where no OPERATOR bears the effect",
    "no-target": "target where there is none",
    "number-too-large": "a number greater than any in play",
    "unclosed-quote": "a name whose quotes are not closed",
    "unexpected-word": "a word in the wrong place",
    "unfinished-sentence": "a sentence that ends too early",
    "unknown-action": "not an ACTION of the game",
    "unknown-duration": "not a duration of the language",
    "unknown-stat": "not a stat of the game",
    "unknown-status": "not a status of the game",
    "unknown-theme": "a theme that does not exist",
    "unknown-team": "a TEAM that the project does not have",
    "unknown-trait": "a trait that no OPERATOR bears",
    "unknown-trigger": "not a trigger of the language",
    "unknown-verb": "not a verb of the language",
    "unknown-who": "not an OPERATOR or player of the language",
    "unknown-word": "not a word of the language",
    "wrong-sign": "a sign that the language does not use",
    "wrong-trigger": "a trigger that never happens for this kind of card",
    "wrong-who": "a player who does what OPERATORs do, or the other way round",
}
_LANGUAGE_WARNINGS = {
    "unused-duration": "a duration that has no effect",
}
_GAME_ERRORS = {
    "adds-nothing": "an amount of 0",
    "broken-house-rule": "a house rule that cannot be read",
    "condition-never-holds": "a condition that never holds",
    "empty-group": "a GROUP that can have no member",
    "endless-chain": "an event that triggers itself again without end",
    "factor-too-small": "a factor or divisor below 2",
    "house-rule": "a card that breaks a rule of the project",
    "maximum-too-small": "a maximum below 1",
    "missing-text-for": "a hand-written text that does not say which effect it was written for",
    "stale-text": "a hand-written text whose effect has changed since",
    "threshold-out-of-range": "a threshold that a D6 always or never reaches",
    "wrong-die": "ATTACK D6 for the attacked side, or DEFENCE D6 for the attacker",
}
_GAME_WARNINGS = {
    "ap-when-attacked": "AP on the attacked side are not used",
    "comes-to-nothing": "a change made too late, or to an OPERATOR that cannot have it",
    "condition-always-holds": "a condition that always holds",
    "ep-when-attacking": "EP on the attacking side are not used",
    "fixes-meet": "two Fixes of one stat that can meet",
    "house-advice": "a card that breaks a rule of the project that only warns",
    "maximum-never-reached": "a maximum that is never reached",
    "odd-squadpoints": "SQUADPOINTS far from what the numbers suggest",
    "outclassed-card": "a card that another one beats in every way",
    "overridden-effect": "part of an effect that is always overridden",
    "same-effect": "two cards that do exactly the same",
    "text-differs": "a hand-written text with other numbers than its effect",
    "untested-card": "a card that no scenario uses",
    "unused-art": "a picture that is not used",
    "unused-objective": "an OBJECTIVE that no game mode uses",
    "unused-text-for": "a fingerprint without a hand-written text",
    "unused-team": "a TEAM without an OPERATOR",
    "unused-trait": "a trait that no effect uses",
}
_SCENARIO_ERRORS = {
    "ambiguous-operator": "an OPERATOR that both sides field",
    "duplicate-scenario": "two scenarios with the same name in one file",
    "impossible-expectation": "an expectation that can never be met",
    "impossible-state": "a state in which no OPERATOR can be",
    "not-in-scenario": "an OPERATOR that is not in the scenario",
    "unknown-rule": "a rule that does not exist",
}
_SCENARIO_WARNINGS = {
    "nothing-expected": "a scenario, or a part of it, that checks nothing",
}
_PRINT_ERRORS = {
    "missing-glyph": "a character that no font has",
    "missing-resource": "a file that a template uses and that does not exist",
    "picture-too-large": "a picture with too many pixels, or a drawing of too much",
    "refused-resource": "a file outside the project",
    "template-error": "a template that cannot be rendered",
    "text-overflow": "a text that does not fit at its smallest size",
    "unreadable-picture": "a picture that cannot be printed",
}
OF_PICTURES = ("missing-picture", "animated-picture", "scripted-picture")
"""Warnings of the check that are reported again where cards are printed."""

_PRINT_WARNINGS = {
    "ignored-css": "a style that print ignores",
    "low-resolution": "a picture with too few pixels for its size in print",
    "soft-hyphen": "a soft hyphen, which is never drawn",
    "substitute-font": "a character that is drawn in a font of the computer",
    "unused-template": "a template that is not used",
}
_SUPPRESSION_ERRORS = {
    "broken-suppression": "a suppression comment that cannot be understood",
    "unknown-finding": "a suppression of a finding that does not exist",
}
_SUPPRESSION_WARNINGS = {
    "expired-suppression": "a suppression that has expired",
    "missing-reason": "a suppression without a reason",
    "stale-baseline": "a finding in the baseline that no longer occurs",
    "unused-suppression": "a suppression that has no effect",
}


def _catalogue(severity: Severity, *groups: dict[str, str]) -> dict[str, Finding]:
    return {name: Finding(name, severity, title) for group in groups for name, title in group.items()}


CATALOGUE: dict[str, Finding] = {
    **_catalogue("error", _READING_ERRORS, _LANGUAGE_ERRORS, _GAME_ERRORS, _SCENARIO_ERRORS, _PRINT_ERRORS),
    **_catalogue("error", _SUPPRESSION_ERRORS),
    **_catalogue("warning", _LANGUAGE_WARNINGS, _READING_WARNINGS, _GAME_WARNINGS, _PRINT_WARNINGS),
    **_catalogue("warning", _SCENARIO_WARNINGS, _SUPPRESSION_WARNINGS),
}

NOT_SUPPRESSED = frozenset({*_SUPPRESSION_ERRORS, *_SUPPRESSION_WARNINGS})
"""Findings about suppressions and the baseline, which no comment suppresses."""
OF_PRINT = frozenset({*_PRINT_ERRORS, *_PRINT_WARNINGS})
"""Findings that only printing makes."""


def severity_of(name: str) -> Severity:
    """How severe a finding is."""
    return CATALOGUE[name].severity


def hinders(name: str) -> bool:
    """Whether what has this finding cannot be played or printed.

    A house rule is a preference of its author: a card that breaks it is reported as an error and still works.
    """
    return severity_of(name) == "error" and name not in ("house-rule", "broken-house-rule")
