"""The one registry of the game's words: stats, steps, layers, statuses, ACTIONs, triggers, verbs, roles."""

from toolkit.vocabulary.roles import ROLES, Role, RoleFacts
from toolkit.vocabulary.triggers import TRIGGERS, Trigger
from toolkit.vocabulary.words import (
    ACTIONS,
    COUNTERS,
    FACTS,
    IGNORABLE,
    KEYS,
    LAYERS,
    NOUNS,
    PRINTED,
    RANGES,
    STATS,
    STATUSES,
    STEPS,
    VERBS,
    Verb,
)

__all__ = [
    "ACTIONS",
    "COUNTERS",
    "FACTS",
    "IGNORABLE",
    "KEYS",
    "LAYERS",
    "NOUNS",
    "PRINTED",
    "RANGES",
    "ROLES",
    "STATS",
    "STATUSES",
    "STEPS",
    "TRIGGERS",
    "VERBS",
    "Role",
    "RoleFacts",
    "Trigger",
    "Verb",
]
