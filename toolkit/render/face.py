"""All that is printed on a card, its language already chosen: what templates see of it."""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.render.backs import Back
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

    def without_reminders(self) -> RulesText:
        """The same without what stands in parentheses to explain keywords."""
        kept = (tuple(run for run in paragraph if run.kind != "reminder") for paragraph in self.paragraphs)
        return RulesText(self.name, tuple(paragraph for paragraph in kept if paragraph))


class Face(Struct, frozen=True, eq=False):
    """A printed card.

    ``kind_label`` is the word for the kind in the language (ATTACK, ANGRIFF). ``team_colours`` are
    primary and secondary as ``#rrggbb``. ``value`` is an OBJECTIVE's. ``by_hand`` says that all rules text
    was written by the designer, none made from effects. ``back`` is one that was chosen; None is the shipped
    one of the kind. ``places`` tells where the text of a
    region of the card stands in the source (``name``, ``rules``, ``flavour``, ``team``, and ``card`` for
    the entry itself), so that a finding about print points at the words that cause it; a region without a
    place falls back on ``card``. ``translations`` are the same card in the other languages of the project,
    where it has reminders: they are printed in all languages or in none.
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
    by_hand: bool = False
    back: Back | None = None
    places: Mapping[str, Span] = field(default_factory=dict)
    translations: tuple[Face, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Face) and _printed(self) == _printed(other)

    def __ne__(self, other: object) -> bool:
        return not self == other  # a Struct's own __ne__ does not ask __eq__ (msgspec 0.22)

    def __hash__(self) -> int:
        return hash(_printed(self))

    @property
    def characters(self) -> int:
        """How long the texts of the lower box are together, in characters.

        Every paragraph after the first counts for some more: its last line is not filled.
        """
        texts = [plain(skill.paragraphs) + (skill.name or "") for skill in self.skills]
        paragraphs = sum(len(skill.paragraphs) for skill in self.skills) + (self.flavour is not None)
        return sum(map(len, texts)) + len(self.flavour or "") + _LAST_LINE * max(paragraphs - 1, 0)

    @property
    def has_reminders(self) -> bool:
        """Whether the rules text explains a keyword in parentheses."""
        return any(
            run.kind == "reminder"
            for skill in self.skills
            for paragraph in skill.paragraphs
            for run in paragraph
        )

    def without_reminders(self) -> Face:
        """The card as it is printed where there is no room to explain keywords."""
        return replace(self, skills=tuple(skill.without_reminders() for skill in self.skills))

    def place(self, region: str) -> Span | None:
        """Where the text of a region stands, else the card itself, else nothing."""
        return self.places.get(region) or self.places.get("card")


_NOT_PRINTED = ("places", "translations")
_printed = attrgetter(*(name for name in Face.__struct_fields__ if name not in _NOT_PRINTED))
"""What makes two faces the same: all that is printed on them."""
