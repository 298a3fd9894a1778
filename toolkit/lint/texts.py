"""Every effect of a project as it is written, and what can be told of it so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from toolkit.data.model import CardSet

_ASKED_TRAIT = r'\btrait\s+"([^"\n]*)"'


def effect_texts(cards: CardSet) -> Iterator[str]:
    """The texts of all effects, those that cannot be read too."""
    for card in cards.cards.values():
        for skill in card.skills:
            yield skill.effect.value
        if card.effect is not None:
            yield card.effect.value
    for mode in cards.modes.values():
        if mode.teamwork is not None:
            yield mode.teamwork.value
        for effect in mode.performance:
            yield effect.value
    for ruleset in cards.rulesets.values():
        if ruleset.suppression is not None:
            yield ruleset.suppression.value
        for action in ruleset.actions.values():
            if action.effect is not None:
                yield action.effect.value


def asked_traits(texts: Iterable[str]) -> frozenset[str]:
    """The traits that effects ask for; one that cannot be read may ask for a trait too."""
    return frozenset(name for text in texts for name in _asked(text))


@lru_cache(maxsize=8192)
def _asked(text: str) -> tuple[str, ...]:
    return tuple(re.findall(_ASKED_TRAIT, text)) if "trait" in text else ()
