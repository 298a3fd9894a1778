"""The registry of the game's words, each declared once: stats, statuses, ACTIONs, triggers, verbs, roles."""

from toolkit.vocabulary.roles import ACTIONS, ROLES, Action, Role, RoleFacts
from toolkit.vocabulary.triggers import TRIGGERS, Part, Trigger
from toolkit.vocabulary.verbs import (
    DICE_STEP,
    FORMS,
    KEYWORDS,
    LAYERS,
    LIMITS,
    MANY,
    SECOND_FORMS,
    UNLISTED,
    VERB_OF,
    VERB_WORDS,
    VERBS,
    Form,
    Keyword,
    Layer,
    Verb,
)  # fmt: skip
from toolkit.vocabulary.words import (
    COUNTERS,
    DURATIONS,
    FACTS,
    IGNORABLE,
    IGNORABLE_ACTIONS,
    IGNORABLE_STEPS,
    KEYS,
    LAYERED,
    NOUNS,
    PRINTED,
    RANGES,
    STATS,
    STATUSES,
    STEPS,
    Stat,
)  # fmt: skip

__all__ = [
    "ACTIONS", "COUNTERS", "DICE_STEP", "DURATIONS", "FACTS", "FORMS", "IGNORABLE", "IGNORABLE_ACTIONS",
    "IGNORABLE_STEPS", "KEYS", "KEYWORDS", "LAYERED", "LAYERS", "LIMITS", "MANY", "NOUNS", "PRINTED",
    "RANGES", "ROLES", "SECOND_FORMS", "STATS", "STATUSES", "STEPS", "TRIGGERS", "UNLISTED", "VERBS",
    "VERB_OF", "VERB_WORDS", "Action", "Form", "Keyword", "Layer", "Part", "Role", "RoleFacts", "Stat",
    "Trigger", "Verb",
]  # fmt: skip
