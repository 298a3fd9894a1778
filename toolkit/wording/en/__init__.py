"""Rules text in English."""

from toolkit.wording.en.reference import TEXTS
from toolkit.wording.en.sentences import reminder, sentence
from toolkit.wording.language import Language

ENGLISH = Language("en", sentence, reminder, TEXTS)

__all__ = ["ENGLISH"]
