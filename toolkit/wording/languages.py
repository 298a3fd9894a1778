"""The languages of rules text, and what opforge prints besides rules text in each of them.

A new language is a package that builds a ``Language``, and a line in ``LANGUAGES``. What a ruleset or a game
mode decides (limits, modifications, SUPPRESSION, TEAMWORK, numbers) is not part of a language: it is inserted
from the project, and its effects are put into words like those of cards."""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct

from toolkit.data.model import Project
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary import ACTIONS, KEYWORDS
from toolkit.wording.de import GERMAN
from toolkit.wording.en import ENGLISH
from toolkit.wording.language import Language, Reminder
from toolkit.wording.text import Names, Paragraph, runs

LANGUAGES: dict[str, Language] = {language.code: language for language in (ENGLISH, GERMAN)}
"""All languages by code."""


RULES: dict[str, tuple[str, ...]] = {
    "step-1": ("M-1", "K-4"),
    "step-2": ("M-2", "C-3"),
    "step-3": ("M-3",),
    "step-4": ("M-4", "C-4"),
    "step-5": ("M-5", "C-1"),
    "step-6": ("M-6", "M-7"),
    "result": ("A-1", "H-1"),
    "stacking": ("N-2", "N-3"),
    "rounding": ("N-4",),
    "floor": ("N-5",),
    **{f"action-{action.key}": (action.rule,) for action in ACTIONS.values()},
    "action-move": ("A-2", "A-2a", "A-2b"),
    "phase-1": ("T-1",),
    "phase-2": ("T-2",),
    "phase-3": ("T-3",),
    "phase-4": ("T-4",),
    "range": ("R-1", "R-3"),
    "status": ("C-2", "C-3", "H-2", "R-2", "T-4", "T-5"),
    "performance": ("K-1",),
    "duration": ("M-11", "H-2"),
}
"""The ids of the rules that each group of sentences states: when a rule changes, so must these sentences."""


class Words(PublicValue, Struct, frozen=True):
    """What opforge prints besides rules texts in one language: the rules reference, the list of changes."""

    language: str
    texts: Mapping[str, str]

    def say(self, key: str, **numbers: object) -> str:
        """Return a text with its numbers inserted; other braces are kept."""
        return _NUMBER.sub(lambda match: str(numbers.get(match[1], match[0])), self.texts[key])

    def said(self, text: str) -> Paragraph:
        """Return a sentence as runs: stats, dice and keywords are runs of their own, as on cards."""
        return runs(text, Names(), self.language)


_NUMBER = re.compile(r"\{(\w+)\}")


def built_in_words(language: Language) -> dict[str, str]:
    """Return all texts of a language by key, with reminders of keywords without their parentheses."""
    reminders = {
        f"reminder-{keyword.lower()}": language.reminder(Reminder(keyword)).strip("()")
        for keyword in (*KEYWORDS, "DAMAGE", "advances")
    }
    return {**language.reference, **reminders}


def _default_language(project: Project, language: str) -> Language:
    """Return the language whose words are printed if the project does not replace them."""
    codes = (language, *project.languages)
    return LANGUAGES[next((code for code in codes if code in LANGUAGES), ENGLISH.code)]


def word_in(project: Project, language: str, key: str) -> str:
    """Return one text as in ``words_in``, without making all of them."""
    replacement = project.words.get(language, {}).get(key)
    return replacement.value if replacement else _default_language(project, language).reference[key]


def words_in(project: Project, language: str) -> Words:
    """Return the texts of a project in a language; missing ones are in its first language that has them."""
    replacements = {key: word.value for key, word in project.words.get(language, {}).items()}
    return Words(language, {**built_in_words(_default_language(project, language)), **replacements})


def word_of(effect_part: str) -> str:
    """Return the key of the name of an effect that is not on a card: SUPPRESSION, TEAMWORK, PERFORMANCE."""
    return effect_part.replace(" ", "-")


def numbers_in(text: str) -> set[str]:
    """Return the names of the numbers in a text, such as ``limit`` in ``{limit}``."""
    return set(_NUMBER.findall(text))
