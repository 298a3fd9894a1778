"""Rules text in English."""

from toolkit.wording.en.sentences import WORDS
from toolkit.wording.language import Language

ENGLISH = Language("en", WORDS.sentence, WORDS.reminder, has_short_texts=True)

__all__ = ["ENGLISH"]
