"""Names in the help beside those of pages: the words that a section explains, and keys of files."""

from __future__ import annotations

import re

from toolkit.diagnostics.help_pages import other_page
from toolkit.vocabulary import ACTIONS, KEYWORDS, STATS, VERBS

_EXPLAINED = {
    "Sentences": "if unless when then either or ,  .",
    "WHEN": "attacking attacked attacks played attached hits misses REACHES CAPTURES begins ends an is the "
    "attack",
    "WHO": "self target attacker owner opponent one all own enemy any other adjacent opposite of in to with "
    "highest lowest trait that are chosen OPERATOR OPERATORs",
    "IF": "and not has performed no number hand ATTACK DEFENCE card cards = != < <= > >= * ( ) SQUADPOINTS",
    **{verb.one: verb.many for verb in VERBS},
    "gets": "get for each max + -",
    "multiplies": "multiply by",
    "fixes": "fix at",
    "makes": "make on",
    "cannot": "perform be have play",
    "gains": "gain ANY",
    "puts": "put onto",
    "DURATION": "until end while FIELD permanently TURN ROUND",
    "N-1": f"{' '.join(STATS)} VALUE",
    "N-2": "layer layers add subtract",
    "N-3": "stacking",
    "N-4": "rounding",
    "C-2": "NORMAL EXHAUSTED OUT",
    "F-1": "FIELDPOSITION",
    "F-2": "SAVEZONE",
    "F-3": "OBJECTIVE REACHED",
    "R-1": "RANGE",
    **{action.rule: action.name for action in ACTIONS.values() if action.name != "ATTACK"},
    "A-2b": "OBJECTIVECOUNTER advance",
    "A-2a": "swap",
    "H-1": "HIT HITCOUNTER",
    "M-1": "SUPPRESSION SUPPRESSED",
    "M-2": "SKILL SKILLs",
    "M-3": "TEAMWORK TEAM",
    "M-4": "STRATEGY",
    "M-6": "D6",
    "M-7": "CRITICAL",
    "K-1": "PERFORMANCE ITEM ITEMs",
    **{word.rule: word.name for word in KEYWORDS.values() if word.rule not in ("K-1", "M-7")},
    "T-3": "ACTION ACTIONs COMBAT",
}
"""The words that a section explains, by its heading in the language reference or the number of its rule."""


def section_about(word: str) -> str | None:
    """Return the section that explains a word; None if there is none.

    An exact match comes first: some words differ only in case (`attack` and `ATTACK`).
    """
    for normalised in (str, str.casefold):  # as it is written, then without regard to case
        for section, words in _EXPLAINED.items():
            if normalised(word) in map(normalised, words.split()):
                return section
    return None


def keys_named(word: str) -> list[str]:
    """Return a paragraph for each kind of entry that has a key of this name."""
    if not word.strip():  # the pattern would match every key
        return []
    key_pattern = re.compile(rf"^- .*?(?:`|\.){re.escape(word.casefold())}`[^:]*:", re.MULTILINE)
    texts = []
    for section in (other_page("files") or "").split("\n## ")[1:]:
        title, _, body = section.partition("\n")
        lines = [line for line in body.splitlines() if key_pattern.match(line)]
        if lines:
            texts.append("\n".join([f"{title}:", "", *lines]))
    return texts
