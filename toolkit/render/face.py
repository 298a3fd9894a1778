"""All that is printed on a card, its language already chosen: what templates see of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

from toolkit.source import Span
from toolkit.wording.text import Paragraph, plain

Kind = Literal["operator", "attack", "defence", "effect", "strategy", "item", "objective"]

KINDS: tuple[Kind, ...] = ("operator", "attack", "defence", "effect", "strategy", "item", "objective")
"""The kinds of card that are printed (RULES.md §2), each with a template of its name."""


_LAST_LINE = 18


class Stat(NamedTuple):
    """A number with its icon: ``ap ep dp mp`` or whatever icon the templates have."""

    icon: str
    value: int


class RulesText(NamedTuple):
    """A SKILL, or the effect of another card, which bears no name of its own."""

    name: str | None
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Face:
    """A printed card.

    ``kind_label`` is the word for the kind in the language (ATTACK, ANGRIFF). ``team_colours`` are
    primary and secondary as ``#rrggbb``. ``value`` is an OBJECTIVE's. ``places`` tells where the text of a
    region of the card stands in the source (``name``, ``rules``, ``flavour``, ``team``, and ``card`` for
    the entry itself), so that a finding about print points at the words that cause it; a region without a
    place falls back on ``card``.
    """

    id: str
    kind: Kind
    name: str
    lang: str
    kind_label: str
    squadpoints: int | None = None
    team_name: str | None = None
    team_logo: Path | None = None
    team_colours: tuple[str, str] | None = None
    traits: tuple[str, ...] = ()
    stats: tuple[Stat, ...] = ()
    skills: tuple[RulesText, ...] = ()
    flavour: str | None = None
    art: Path | None = None
    value: int | None = None
    quantity: int = 1
    places: Mapping[str, Span] = field(default_factory=dict, compare=False)

    @property
    def characters(self) -> int:
        """How long the texts of the lower box are together, in characters.

        Every paragraph after the first counts for some more: its last line is not filled.
        """
        texts = [plain(skill.paragraphs) + (skill.name or "") for skill in self.skills]
        paragraphs = sum(len(skill.paragraphs) for skill in self.skills) + (self.flavour is not None)
        return sum(map(len, texts)) + len(self.flavour or "") + _LAST_LINE * max(paragraphs - 1, 0)

    def place(self, region: str) -> Span | None:
        """Where the text of a region stands, else the card itself, else nothing."""
        return self.places.get(region) or self.places.get("card")
