"""Rules text in German.

The nouns of the rules stay English in German, as printed: der OPERATOR (plural without an s), das TEAM, der
TURN, die ROUND, die RANGE, das FIELD, das OBJECTIVE, das ITEM, der HITCOUNTER, der VALUE, die FIELDPOSITION,
die ACTION, der ATTACK D6, die ATTACK-Karte, die AP (plural).
"""

from toolkit.wording.de.sentences import WORDS
from toolkit.wording.language import Language

GERMAN = Language("de", WORDS.sentence, WORDS.reminder, has_short_texts=True)

__all__ = ["GERMAN"]
