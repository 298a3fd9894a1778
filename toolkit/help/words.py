"""Where a single word of the language or of the rules is explained."""

from __future__ import annotations

from toolkit.vocabulary import VERBS

_EXPLAINED = {
    "Sentences": "if when then either or ,  .",
    "WHEN": "attacking attacked attacks played attached hits misses REACHES CAPTURES begins ends an is the "
    "attack",
    "WHO": "self target attacker owner opponent one all own enemy any other adjacent opposite of in to with "
    "trait that are OPERATOR OPERATORs",
    "IF": "and not has no number hand ATTACK DEFENCE card cards = != < <= > >= * ( ) SQUADPOINTS",
    **{verb.one: verb.many for verb in VERBS},
    "gets": "get for each max + -",
    "multiplies": "multiply by",
    "fixes": "fix at",
    "makes": "make on",
    "cannot": "perform be have",
    "gains": "gain ANY",
    "DURATION": "until end while FIELD permanently TURN ROUND",
    "N-1": "AP EP DP MP VALUE",
    "N-2": "layer layers add subtract",
    "N-3": "stacking",
    "N-4": "rounding",
    "C-2": "NORMAL EXHAUSTED OUT",
    "F-1": "FIELDPOSITION",
    "F-2": "SAVEZONE",
    "F-3": "OBJECTIVE",
    "R-1": "RANGE",
    "A-2": "MOVE",
    "A-2b": "OBJECTIVECOUNTER advance",
    "A-2a": "swap",
    "A-3": "MEDIC",
    "A-4": "EVADE",
    "A-5": "RELOAD",
    "H-1": "HIT HITCOUNTER",
    "M-1": "SUPPRESSION SUPPRESSED",
    "M-2": "SKILL SKILLs",
    "M-3": "TEAMWORK TEAM",
    "M-4": "STRATEGY",
    "M-6": "D6",
    "M-7": "CRITICAL",
    "K-1": "PERFORMANCE ITEM",
    "K-2": "RULEVIOLATION",
    "K-3": "BONUS",
    "T-3": "ACTION ACTIONs COMBAT",
}
"""By section (a heading of the language reference, or the number of a rule) the words that it explains."""


def section_about(word: str) -> str | None:
    """The section that explains a word; None if there is none. Case counts only where both are words."""
    for same in (str, str.casefold):
        for section, words in _EXPLAINED.items():
            if same(word) in map(same, words.split()):
                return section
    return None
