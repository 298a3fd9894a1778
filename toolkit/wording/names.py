"""How TEAMs and traits are called in print."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from toolkit.data.model import CardSet, Text

ByLanguage = Mapping[str, str]
"""A printed text by language code."""


class Names(Struct, frozen=True):
    """The printed names of a project, by id and language.

    A TEAM without a name is printed by its id. Traits have no translation in card files: they are printed as
    written unless ``traits`` names them.
    """

    teams: Mapping[str, ByLanguage] = field(default_factory=dict)
    traits: Mapping[str, ByLanguage] = field(default_factory=dict)

    def team(self, team: str, lang: str) -> str:
        """The TEAM's printed name; its id where there is none in that language."""
        return self.teams.get(team, {}).get(lang, team)

    def trait(self, trait: str, lang: str) -> str:
        """The trait as it is printed."""
        return self.traits.get(trait, {}).get(lang, trait)


def names_in(cards: CardSet) -> Names:
    """The printed names of a project's TEAMs and traits."""
    languages = cards.project.languages

    def named(text: Text) -> dict[str, str]:
        return {language: text.in_language(language).value for language in languages}

    return Names(
        {team.id: named(team.name) for team in cards.teams.values()},
        {trait: named(name) for trait, name in cards.project.traits.items()},
    )
