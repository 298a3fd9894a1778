"""What effects are called for a reader of the trace, and where their sentences stand."""

from __future__ import annotations

from msgspec import Struct

from toolkit.data.model import Card, CardSet
from toolkit.dsl.parsing import parse_effect
from toolkit.effects.objects import Origin
from toolkit.effects.sources import EffectSource, effect_sources
from toolkit.engine.outcomes import EndlessChain
from toolkit.source import Span

_CONCERNING_ALL = ("suppression", "teamwork", "performance")


class Origins(Struct, frozen=True, eq=False):
    """The effects of a card set by where they come from; names are those printed in ``language``."""

    cards: CardSet
    language: str
    sources: dict[tuple[str, str], EffectSource]

    def title(self, origin: Origin) -> str:
        """The short name, as in a sum: ``Aimed shot``, ``Overwatch``, ``SUPPRESSION``, ``EVADE``."""
        if origin.role in _CONCERNING_ALL:
            return origin.role.upper()
        if origin.role.startswith("action "):
            return origin.role.removeprefix("action ").upper()
        card = self.cards.cards.get(origin.entry)
        if card is None:
            return origin.entry
        if origin.role != "skill":
            return card.name.in_language(self.language).value
        skill = card.skills[int(origin.part.removeprefix("skill ")) - 1]
        if skill.name is None:
            return f"SKILL of {card.id}"
        return skill.name.in_language(self.language).value

    def heading(self, origin: Origin) -> str:
        """The name with what bears it: ``Overwatch, SKILL of viper``, ``SUPPRESSION, ruleset core``."""
        title = self.title(origin)
        if origin.role in ("teamwork", "performance"):
            return f"{title}, mode {origin.entry}"
        if origin.role == "suppression" or origin.role.startswith("action "):
            return f"{title}, ruleset {origin.entry}"
        card = self.cards.cards.get(origin.entry)
        if card is None:
            return f"{origin.part} of the {origin.entry}"
        if origin.role == "skill":
            return title if title == f"SKILL of {card.id}" else f"{title}, SKILL of {card.id}"
        return f"{title}, {_kind(card)} {card.id}"

    def chain(self, chain: EndlessChain) -> str:
        """What goes on without end, with the places of the sentences."""
        return chain.described(self._entry_and_place)

    def _entry_and_place(self, origin: Origin) -> str:
        span = self.place(origin)
        if span is None:
            return origin.entry
        begin = span.begin_position
        return f"{origin.entry}, {span.file.name}:{begin.line}:{begin.column}"

    def place(self, origin: Origin) -> Span | None:
        """The sentence in its file; None for what stands in no card file."""
        source = self.sources.get((origin.entry, origin.part))
        if source is None:
            return None
        scalar = source.scalar
        effect, _ = parse_effect(scalar.value, scalar.style == "|")
        if effect is None:
            return None
        return scalar.locate(*effect.sentences[origin.sentence - 1].place)


def _kind(card: Card) -> str:
    """``ATTACK card``, ``ITEM``: as the rules call a card of that kind."""
    return "ITEM" if card.kind == "item" else f"{card.kind.upper()} card"


def origins_of(cards: CardSet, language: str | None = None) -> Origins:
    """The origins of all effects of a card set; the first entry with an id is the one that counts."""
    sources: dict[tuple[str, str], EffectSource] = {}
    for source in effect_sources(cards):
        sources.setdefault((source.entry.id, source.part), source)
    return Origins(cards, language or cards.project.languages[0], sources)
