"""The nouns and verbs of the rules."""

from __future__ import annotations

from toolkit.records import dataclass

STATS = ("AP", "EP", "DP", "MP")
"""Attack, evasion, defence and movement points, in the order in which they are printed (RULES.md §2)."""

COUNTERS = ("HITCOUNTER", "OBJECTIVECOUNTER")
"""The dice that lie on an OPERATOR; an event may change them."""

FACTS = ("SQUADPOINTS", "FIELDPOSITION")
"""Numbers of an OPERATOR that can be read and not changed."""

STATUSES = ("NORMAL", "EXHAUSTED", "HIT", "OUT", "SUPPRESSED")
"""C-2, and SUPPRESSED, which the ruleset defines (M-1)."""

ACTIONS = ("ATTACK", "MOVE", "MEDIC", "EVADE", "RELOAD")
"""A-1 to A-5."""

STEPS = (
    "SUPPRESSION",
    "SKILL",
    "TEAMWORK",
    "STRATEGY",
    "ATTACK and DEFENCE cards",
    "ATTACK D6 and DEFENCE D6",
)
"""The steps of MODIFY in order; step 1 is ``STEPS[0]`` (M-1 to M-6)."""

LAYERS = ("fix", "multiply", "divide", "add", "subtract")
"""The order in which modifications of one stat are put together (N-2)."""

PRINTED = ("en", "de")
"""The codes of the languages in which rules text is made: those of ``wording.languages``."""

IGNORABLE = ("SUPPRESSION", "TEAMWORK", "STRATEGY", "SKILLs", "ATTACK cards", "DEFENCE cards")
"""What an OPERATOR can ignore."""

RANGES: dict[str, tuple[int, int]] = {
    "VALUE": (0, 20),
    "SQUADPOINTS": (0, 20),
    "FIELDPOSITION": (1, 8),
    "ROUND": (1, 99),
    "current": (0, 99),
    "threshold": (2, 6),
    "D6": (1, 6),
}
"""Least and greatest number of each sort (LANGUAGE.md §1); ``current``: a current number or a counter."""


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb of DOES: ``one`` as written for one OPERATOR, ``many`` for several, ``meaning`` in a line."""

    one: str
    many: str
    example: str
    meaning: str


VERBS = (
    Verb("gets", "get", "gets +2 AP", "adds to a stat or a counter, or subtracts"),
    Verb("doubles", "double", "doubles AP", "twice the stat"),
    Verb("multiplies", "multiply", "multiplies AP by 3", "the stat that many times"),
    Verb("halves", "halve", "halves EP", "half the stat"),
    Verb("divides", "divide", "divides EP by 3", "the stat divided"),
    Verb("fixes", "fix", "fixes EP at 5", "the stat is that number"),
    Verb("ignores", "ignore", "ignores SUPPRESSION", "what that step would change is not applied"),
    Verb("rolls", "roll", "rolls +1 ATTACK D6", "an extra die in step 6"),
    Verb("may reroll", "may reroll", "may reroll 1 ATTACK D6", "a die may be rolled again, once"),
    Verb("makes", "make", "makes ATTACK D6 CRITICAL on 5+", "which dice, or that the attack, is CRITICAL"),
    Verb("cannot", "cannot", "cannot perform MOVE", "forbids"),
    Verb("gains", "gain", "gains BONUS (ATTACK)", "a keyword: BONUS or RULEVIOLATION"),
    Verb("fulfils", "fulfil", "fulfils PERFORMANCE", "the player gets a reward (K-1)"),
    Verb("draws", "draw", "draws 2 cards", "cards from the DECK"),
    Verb("discards", "discard", "discards 1 card", "cards from the hand"),
    Verb("becomes", "become", "becomes EXHAUSTED", "changes the status"),
)
