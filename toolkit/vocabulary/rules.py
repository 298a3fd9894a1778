"""The rules of the game by id (RULES.md), with what each is about."""

from __future__ import annotations

from toolkit.vocabulary.roles import ACTIONS, Action
from toolkit.vocabulary.verbs import KEYWORDS, Keyword

RULES: dict[str, str] = {
    "N-1": "VALUEs and current numbers",
    "N-2": "the order of layers",
    "N-3": "stacking",
    "N-4": "rounding",
    "N-5": "the floor of numbers",
    "N-6": "conflicts of effects",
    "N-7": "X+ on a die",
    "C-1": "one card attached to an OPERATOR",
    "C-2": "NORMAL, EXHAUSTED, HIT, OUT",
    "C-3": "SKILLs off the FIELD",
    "C-4": "whom a STRATEGY acts on",
    "C-5": "strategy positions",
    "F-1": "FIELDPOSITIONs",
    "F-2": "the SAVEZONE",
    "F-3": "OBJECTIVEs on FIELDPOSITIONs",
    "R-1": "RANGE",
    "R-2": "HIT and OUT OPERATORs are in nobody's RANGE",
    "R-3": "no OPERATOR is in RANGE of itself",
    "T-1": "PREPARATION",
    "T-2": "STRATEGY",
    "T-3": "COMBAT",
    "T-4": "SUPPORT",
    "T-5": "what EXHAUSTED OPERATORs can do",
    "A-1": "Attack",
    "A-2": "Move",
    "A-2a": "Move: swap",
    "A-2b": "Move: advance",
    "A-3": "Medic",
    "A-4": "Evade",
    "A-5": "Reload",
    "H-1": "becoming HIT",
    "H-2": "what becoming HIT or OUT removes",
    "M-1": "SUPPRESSION",
    "M-2": "SKILLs",
    "M-3": "TEAMWORK",
    "M-4": "STRATEGY cards in an attack",
    "M-5": "the three windows of ATTACK and DEFENCE cards",
    "M-6": "ATTACK D6 and DEFENCE D6",
    "M-7": "CRITICAL",
    "M-8": "when conditions are judged",
    "M-9": "attached cards in later attacks",
    "M-10": "effects without `when`",
    "M-11": "when events of an attack happen",
    "K-1": "PERFORMANCE",
    "K-2": "RULEVIOLATION",
    "K-3": "BONUS",
    "K-4": "SUPPRESSION and TEAMWORK as keywords",
    "E-1": "text-only rules",
    "E-2": "what may be done",
    "E-3": "what was done",
    "E-8": "who is chosen",
    "E-9": "the highest and the lowest, and who is in the SAVEZONE",
    "E-11": "markers",
    "E-12": "KEYWORDs and traits that are given",
    "E-18": "OBJECTIVEs with effects",
    "E-20": "a D6 that succeeds",
}
"""Every rule id; a scenario may name one in ``refused``."""

_ROWS: tuple[Action | Keyword, ...] = (*ACTIONS.values(), *KEYWORDS.values())
for _word in _ROWS:
    RULES.setdefault(_word.rule, _word.name)
