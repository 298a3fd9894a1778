"""Rules text in English."""

from toolkit.wording.en.reminders import reminder
from toolkit.wording.en.sentences import sentence
from toolkit.wording.language import Language

ENGLISH = Language("en", sentence, reminder)

__all__ = ["ENGLISH"]
