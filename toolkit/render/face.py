"""A printed card in one language: its face as templates see it, and its back."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from toolkit.data.art.picture_files import MAX_BYTES
from toolkit.data.looks import PLAIN, Look
from toolkit.data.print_sizes import Shape
from toolkit.source import SourceFile, Span
from toolkit.source.paths import read_regular
from toolkit.wording.badge import Badge
from toolkit.wording.text import Paragraph, plain

Pile = Literal["operator", "deck", "item", "objective"]
"""Cards that are shuffled together. They share a back unless the project says otherwise."""

_PILES: dict[str, Pile] = {"operator": "operator", "item": "item", "objective": "objective"}


class Back(Struct, frozen=True):
    """A card back: the shipped one of its pile, a picture, or a TEAM's logo on its colours."""

    pile: Pile
    picture: Path | None = None
    logo: Path | None = None
    colours: tuple[str, str] | None = None

    def __str__(self) -> str:
        """Return a name for files: the pile, and the picture or colour if the back has one."""
        picture = self.picture or self.logo
        if picture:
            return f"{self.pile}-{picture.stem}"
        if self.colours:
            ground, _ = self.colours
            return f"{self.pile}-{ground.lstrip('#')}"
        return self.pile


def pile_of(kind: str) -> Pile:
    """Return the pile of a kind; all kinds that are drawn from the DECK are one pile."""
    return _PILES.get(kind, "deck")


def back_of(face: Face) -> Back:
    """Return the back of a card: its own, else the shipped one of its pile."""
    return face.back or Back(pile_of(face.kind))


Kind = Literal["operator", "attack", "defence", "effect", "strategy", "item", "objective"]

KINDS: tuple[Kind, ...] = ("operator", "attack", "defence", "effect", "strategy", "item", "objective")
"""The kinds of card that are printed (RULES.md §2), each with a template of its name."""


def template_of(kind: str, shape: Shape) -> str:
    """Return the name of the template of a kind; for each shape but a rectangle there is one of its own."""
    return f"{kind}.html.jinja" if shape == "rect" else f"{kind}-{shape}.html.jinja"


_PARAGRAPH_SURCHARGE = 18
"""Characters that the last line of a paragraph leaves empty, on average."""


class Stat(NamedTuple):
    """A number with the name of its icon, such as ``ap``."""

    icon: str
    value: int


class RulesText(NamedTuple):
    """The rules text of a SKILL, or of a card's effect, which has no name."""

    name: str | None
    paragraphs: tuple[Paragraph, ...]

    def without_reminders(self) -> RulesText:
        """Return the text without the reminders that explain keywords in parentheses."""
        kept_paragraphs = (
            tuple(run for run in paragraph if run.kind != "reminder") for paragraph in self.paragraphs
        )
        return RulesText(self.name, tuple(paragraph for paragraph in kept_paragraphs if paragraph))


class Imprint(Struct, frozen=True):
    """What is printed small: the card's set, its number there, who drew it, and its version."""

    set: str | None = None
    number: str | None = None
    artist: str | None = None
    version: str | None = None


class Face(Struct, frozen=True, eq=False):
    """A printed card.

    - ``kind_label``: the word for the kind in the language (ATTACK, ANGRIFF)
    - ``team_colours``: primary and secondary, as ``#rrggbb``
    - ``value``: that of an OBJECTIVE; ``badge``: what an ATTACK or DEFENCE card changes
    - ``by_hand``: all rules text was written by the designer, none was generated from effects
    - ``back``: the chosen back; None is the shipped back of the kind
    - ``focus``, ``zoom``: which part of the picture is shown
    - ``hyphenated``: the words with soft hyphens, which no other field contains
    - ``places``: the span in the source of each region (``name``, ``rules``, ``flavour``, ``team``, ``art``,
      ``imprint``, and ``card`` for the entry itself), so that a finding points at the words that cause it
    - ``translations``: the card in other languages, if it has reminders: all languages print them, or none
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
    badge: Badge | None = None
    quantity: int = 1
    by_hand: bool = False
    back: Back | None = None
    focus: tuple[float, float] | None = None
    zoom: float = 1.0
    imprint: Imprint | None = None
    set_symbol: Path | None = None
    hyphenated: tuple[str, ...] = ()
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
        """The length of all texts of the lower box in characters, with a surcharge for each new paragraph."""
        texts = [plain(skill.paragraphs) + (skill.name or "") for skill in self.skills]
        flavour = self.flavour or ""
        paragraphs = sum(len(skill.paragraphs) for skill in self.skills) + len(flavour.splitlines())
        return sum(map(len, texts)) + len(flavour) + _PARAGRAPH_SURCHARGE * max(paragraphs - 1, 0)

    @property
    def has_reminders(self) -> bool:
        """Whether the rules text explains a keyword in parentheses."""
        paragraphs = (paragraph for skill in self.skills for paragraph in skill.paragraphs)
        return any(run.kind == "reminder" for paragraph in paragraphs for run in paragraph)

    def without_reminders(self) -> Face:
        """Return the card as it is printed if there is no room to explain keywords."""
        return replace(self, skills=tuple(skill.without_reminders() for skill in self.skills))

    def place(self, region: str) -> Span | None:
        """Return the span of a region's text, else that of the card, else None."""
        return self.places.get(region) or self.places.get("card")

    def span(self, region: str) -> Span:
        """Return the span for a finding about a region; that of an empty file if no place is known."""
        return self.place(region) or SourceFile(Path(self.id), self.id, "").span(0, 0)


_NOT_PRINTED = ("places", "translations")
_printed = attrgetter(*(name for name in Face.__struct_fields__ if name not in _NOT_PRINTED))
"""Returns what two equal faces have in common: all that is printed on them."""


_NOT_FINGERPRINTED = frozenset({*_NOT_PRINTED, "quantity", "back"})
_OPTIONAL = {"badge": None, "focus": None, "zoom": 1.0, "imprint": None, "set_symbol": None}
"""Later fields with their defaults, which are not digested: cards without them keep their fingerprints."""


def fingerprint(face: Face, look: Look = PLAIN) -> str:
    """Return eight hexadecimal digits that change with the words, numbers and pictures of the face.

    They also change with what the look of the project sets for cards of its kind.
    """
    digest = blake2b(digest_size=4)
    look_of_kind = look.of_kind(face.kind)
    if look_of_kind != PLAIN:
        digest.update(f"look={look_of_kind!r}\n".encode())
    for name in face.__struct_fields__:
        value = getattr(face, name)
        has_default = name in _OPTIONAL and value == _OPTIONAL[name]
        if name in _NOT_FINGERPRINTED or has_default:
            continue
        if isinstance(value, Path):  # by its content: the same picture may have another name
            digest.update(f"{name}=''\n".encode())
            with suppress(OSError):  # a missing picture counts as an empty one
                digest.update(read_regular(value, MAX_BYTES))
        else:
            digest.update(f"{name}={value!r}\n".encode())
    return digest.hexdigest()
