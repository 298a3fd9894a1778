"""How many words the rules text of a card has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from toolkit.data.model import Card, Text
from toolkit.dsl import tree
from toolkit.effects.sources import card_sources
from toolkit.wording.languages import UnknownLanguage
from toolkit.wording.names import Names
from toolkit.wording.rules import rules_text
from toolkit.wording.text import plain

_WORD = re.compile(r"\S*\w\S*")


def rules_words(
    card: Card, names: Names, effects: Mapping[tuple[str, str], tree.Effect], language: str
) -> int:
    """Words of what is printed in a language, by hand or generated, without the names of SKILLs.

    Reminders do not count: a face that has no room leaves them out.
    """
    return sum(len(_WORD.findall(text)) for text in _texts(card, names, effects, language))


def _texts(
    card: Card, names: Names, effects: Mapping[tuple[str, str], tree.Effect], language: str
) -> Iterator[str]:
    if card.text is not None:
        yield _by_hand(card.text, language)
        return
    for source in card_sources(card):
        effect = effects.get((card.id, source.part))
        if source.text is not None:
            yield _by_hand(source.text, language)
        elif effect is not None:
            generated = rules_text(effect, source.role, language, names)
            if not isinstance(generated, UnknownLanguage):
                yield plain(generated)


def _by_hand(text: Text, language: str) -> str:
    return text.in_language(language).value
