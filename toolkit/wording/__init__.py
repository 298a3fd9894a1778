"""From an effect's tree to the rules text that is printed, in every language."""

from toolkit.wording.languages import LANGUAGES, UnknownLanguage
from toolkit.wording.names import Names
from toolkit.wording.rules import CardEffect, CardRules, card_rules, reminders, rules_text
from toolkit.wording.text import Paragraph, Run, plain

__all__ = [
    "LANGUAGES",
    "CardEffect",
    "CardRules",
    "Names",
    "Paragraph",
    "Run",
    "UnknownLanguage",
    "card_rules",
    "plain",
    "reminders",
    "rules_text",
]
