"""Rules text in English."""

from toolkit.wording.en.sentences import WORDS
from toolkit.wording.language import Language

ENGLISH = Language("en", WORDS.sentence, WORDS.reminder)

__all__ = ["ENGLISH"]
