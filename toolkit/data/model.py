"""The values of card files: cards, teams, objectives, markers, keywords, modes, rulesets, squads, scenarios,
and the project.

Values are frozen and compared by identity. Each keeps its ``node``, from which every key has its place in the
file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Mapping as Lookup
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct, field

from toolkit.data.looks import PLAIN, Look
from toolkit.data.schemas.card_schema import MAX_MARKERS
from toolkit.data.schemas.play_schema import TIE_BREAKS
from toolkit.data.yaml.nodes import Mapping, Node, Scalar
from toolkit.diagnostics.selection import CheckSettings
from toolkit.source import ScalarText, SourceFile, Span
from toolkit.source.short_repr import PublicValue, short_repr

TYPE_FLOOR = 6.0
"""The default of the smallest type size on cards, in pt."""

SOFT_HYPHEN = "\u00ad"
"""Marks where a word of a printed text may be broken."""

_WORD = re.compile(rf"[\w{SOFT_HYPHEN}]+")


class Text(PublicValue, Struct, frozen=True, eq=False):
    """A printed text: one for all languages, or a mapping with one for each.

    Its ``ScalarText`` is made on demand: a check, for example, prints nothing.
    """

    node: Scalar | Mapping

    @property
    def span(self) -> Span:
        """Its span."""
        return self.node.span

    def is_in(self, language: str) -> bool:
        """Whether it is written in a language; a text for all languages is."""
        return isinstance(self.node, Scalar) or language in self.node.nodes

    def in_language(self, language: str) -> ScalarText:
        """Return the text in a language without soft hyphens; if it is missing (a finding) the first one."""
        text = self._written(language)
        if SOFT_HYPHEN not in text.value:
            return text
        return ScalarText(text.value.replace(SOFT_HYPHEN, ""), text.span, text.style, text.parsed_to)

    def soft_hyphens(self, language: str) -> Iterator[str]:
        """Yield the words of the text that contain soft hyphens, including them."""
        text = self._written(language).value
        if SOFT_HYPHEN in text:
            yield from (word for word in _WORD.findall(text) if SOFT_HYPHEN in word)

    def _written(self, language: str) -> ScalarText:
        """Return the text in a language, or in the first that there is."""
        if isinstance(self.node, Scalar):
            return self.node.as_text()
        texts = {key: node for key, node in self.node.nodes.items() if isinstance(node, Scalar)}
        return (texts.get(language) or next(iter(texts.values()))).as_text()


class Entry(PublicValue, Struct, frozen=True, eq=False):
    """The base of all entries: the id (of a scenario its name) and the node."""

    id: str
    node: Mapping

    def __repr__(self) -> str:
        return short_repr(self, [("", self.id)])

    @property
    def id_span(self) -> Span:
        """The span of the id."""
        return span_of(self.node, "id" if "id" in self.node.nodes else "name")

    @property
    def file(self) -> SourceFile:
        """The file that it is in."""
        return self.node.file

    def span_of(self, *path: str | int) -> Span:
        """Return the span of a value: ``span_of("ap")``, ``span_of("skills", 0, "effect")``.

        If a step does not exist, the span of the last one that does.
        """
        return span_of(self.node, *path)

    def key_span(self, key: str) -> Span:
        """Return the span of a key itself; of the id if there is no such key."""
        key_node = self.node.keys.get(key)
        return key_node.span if key_node else self.id_span


class Skill(PublicValue, Struct, frozen=True, eq=False):
    """A SKILL of an OPERATOR. ``text`` replaces the generated rules text if ``text_for`` fits the effect.

    ``text_only`` are rules that are printed after it and that no program plays (E-1). It has an ``effect``,
    a ``text_only``, or both.
    """

    node: Mapping
    name: Text | None
    effect: ScalarText | None
    text: Text | None = None
    text_for: ScalarText | None = None
    text_only: Text | None = None

    def rules_span(self, language: str) -> Span:
        """Return the span of its rules in a language: of the text, the effect, or ``text_only``."""
        return rules_span(self, language) or self.node.span


class Crop(NamedTuple):
    """The visible part of a picture: ``focus`` is the point that stays visible, as fractions of width and
    height, ``zoom`` the magnification.
    """

    focus: tuple[float, float] | None = None
    zoom: float = 1.0


class Imprint(NamedTuple):
    """The small print of a card: its set, its number in the set, the artist, and its version."""

    set: str | None = None
    number: str | None = None
    artist: str | None = None
    version: str | None = None

    def __repr__(self) -> str:
        return short_repr(self, self._asdict().items())


class PrintedEntry(Entry, frozen=True, eq=False):
    """An entry that is printed as a card.

    ``art`` is the path of its picture as written, relative to the project, ``back`` that of its own back.
    ``effect``, ``text``, ``text_for`` and ``text_only`` are as in a ``Skill``.
    """

    name: Text
    effect: ScalarText | None = None
    art: ScalarText | None = None
    flavour: Text | None = None
    quantity: int = 1
    tags: tuple[str, ...] = ()
    text: Text | None = None
    text_for: ScalarText | None = None
    text_only: Text | None = None
    back: ScalarText | None = None

    @property
    def parts(self) -> dict[str, PrintedEntry | Skill]:
        """What has its rules, by part: for ``effect`` the entry itself."""
        return {"effect": self}

    @property
    def texts_only(self) -> dict[str, Text]:
        """Its rules that no program plays (E-1), by part."""
        texts = {card_part: bearer.text_only for card_part, bearer in self.parts.items()}
        return {card_part: text for card_part, text in texts.items() if text is not None}

    @property
    def crop(self) -> Crop:
        """The visible part of its picture."""
        art = self.node.value.get("art")
        if not isinstance(art, dict):
            return Crop()
        focus: Any = art.get("focus")
        zoom: Any = art.get("zoom", 1)
        return Crop((float(focus[0]), float(focus[1])) if focus else None, float(zoom))

    @property
    def imprint(self) -> Imprint:
        """Its small print."""
        imprint_nodes = {key: self.node.scalar(key) for key in Imprint._fields}
        return Imprint(**{key: value.text for key, value in imprint_nodes.items() if value is not None})


class Card(PrintedEntry, frozen=True, eq=False, kw_only=True):
    """An entry of ``cards``; ``kind`` is operator, attack, defence, effect, strategy or item.

    ``team``, ``squadpoints``, ``stats`` (VALUEs by name, such as ``AP``), ``traits``, ``skills`` and
    ``keywords`` (ids of the designer's own KEYWORDs) are those of an OPERATOR, ``effect`` and ``text_only``
    those of the other kinds.
    """

    kind: str
    team: str | None = None
    squadpoints: int = 0
    stats: dict[str, int] = {}
    traits: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    skills: tuple[Skill, ...] = ()

    @property
    def parts(self) -> dict[str, PrintedEntry | Skill]:
        """What has its rules, by part: of an OPERATOR its SKILLs as ``skill 1`` …, else itself."""
        if self.kind != "operator":
            return {"effect": self}
        return {f"skill {number}": skill for number, skill in enumerate(self.skills, 1)}

    def number(self, key: str) -> int:
        """Return a number printed on the card, by its key (``ap``) or its name in the rules (``AP``)."""
        value = self.stats.get(key.upper())
        stat_value: int = getattr(self, key.lower()) if value is None else value
        return stat_value


class Team(Entry, frozen=True, eq=False):
    """A TEAM; ``colours`` are as in ``#rrggbb``, ``back`` is the picture on the back of its OPERATORs."""

    name: Text
    logo: ScalarText | None = None
    colours: tuple[str, ...] = ()
    back: ScalarText | None = None


class Objective(PrintedEntry, frozen=True, eq=False, kw_only=True):
    """An OBJECTIVE; its ``effect`` acts for the OPERATOR that stands there (E-18)."""

    value: int


class Marker(Entry, frozen=True, eq=False):
    """A marker of the designer's own (E-11), which lies on OPERATORs or, if ``bearer`` is player, on players.

    ``maximum`` is the limit for one bearer; ``stays`` says that an OPERATOR keeps them when it falls or
    retreats.
    """

    name: Text
    bearer: str = "operator"
    maximum: int = MAX_MARKERS
    stays: bool = False
    reminder: Text | None = None


class Keyword(Entry, frozen=True, eq=False):
    """A KEYWORD of the designer's own (E-12): an OPERATOR with it has its ``effect`` as an additional SKILL.

    ``reminder`` replaces the text generated from the effect if ``text_for`` fits the effect; ``text_only`` is
    printed after it (E-1).
    """

    name: Text
    effect: ScalarText | None = None
    reminder: Text | None = None
    text_for: ScalarText | None = None
    text_only: Text | None = None


FIELD_POSITIONS = 4
"""FIELDPOSITIONs of a player, unless a mode says otherwise."""


class Mode(Entry, frozen=True, eq=False):
    """A game mode (RULES.md §8); an omitted key has the default given here.

    If ``teamwork`` is None, the default of M-3 applies. ``victory_objectives_captured`` is None if the mode
    has no victory by OBJECTIVEs.
    """

    name: Text
    field_positions: int = FIELD_POSITIONS
    save_zone: int = 3
    strategy_positions: int = 3
    objectives: tuple[str, ...] = ()
    teamwork: ScalarText | None = None
    squad_operators: int = 7
    squad_squadpoints: int = 30
    squad_copies: int = 1
    deck_minimum: int = 20
    deck_maximum: int = 40
    deck_copies: int = 3
    item_deck_maximum: int = 5
    starting_hand: int = 4
    hand_limit: int = 8
    max_rounds: int = 12
    performance: tuple[ScalarText, ...] = ()
    victory_objectives_captured: int | None = 2
    victory_operators_out_or_hit: bool = True
    tie_break: tuple[str, ...] = TIE_BREAKS


class Action(PublicValue, Struct, frozen=True, eq=False):
    """An ACTION in a ruleset; a ``limit`` of None is unlimited."""

    id: str
    node: Mapping
    limit: int | None
    effect: ScalarText | None = None
    text: Text | None = None
    text_for: ScalarText | None = None


class BrokenEntry(Entry, frozen=True, eq=False):
    """An entry that cannot be used, with those of its effects that can still be checked, by part.

    ``kind`` is that of a card, ``objective`` or ``keyword``; if it is None only the syntax of the effects can
    be checked. ``id`` is empty if it has none.
    """

    kind: str | None
    effects: tuple[tuple[str, ScalarText], ...]


class Options(PublicValue, Struct, frozen=True):
    """The rulings among which a ruleset can choose (N-3, N-4, N-5, A-2a)."""

    stacking: str = "layered"
    rounding: str = "down"
    floor: int = 0
    swap_counters: str = "with_operator"
    swap_mp: int = 4


class Ruleset(Entry, frozen=True, eq=False):
    """A ruleset; ``actions`` has those that it names, by id (attack, move, medic, evade, reload)."""

    name: Text | None = None
    options: Options = Options()
    suppression: ScalarText | None = None
    actions: dict[str, Action] = field(default_factory=dict)


class Squad(Entry, frozen=True, eq=False):
    """A squad: OPERATORs in order of their places, and DECK and ITEMDECK as numbers of cards by id."""

    name: Text
    operators: tuple[str, ...] = ()
    deck: dict[str, int] = field(default_factory=dict)
    item_deck: dict[str, int] = field(default_factory=dict)
    flavour: Text | None = None

    def cards(self) -> set[str]:
        """Return the ids of all its cards."""
        return {*self.operators, *self.deck, *self.item_deck}


class Scenario(Entry, frozen=True, eq=False):
    """A scenario that its schema accepts; ``decode_scenario`` reads what it says from ``node``."""

    name: str

    @property
    def is_example(self) -> bool:
        """Whether it is the example of an attack for people who learn the game."""
        return self.node.value.get("example") is True


class Place(PublicValue, Struct, frozen=True, eq=False):
    """A place for a card on a sheet: the card's upper left corner from that of the paper, in mm.

    ``turn`` is in degrees, counterclockwise.
    """

    node: Mapping
    x: float
    y: float
    turn: int = 0


class Edges(NamedTuple):
    """A length for each edge, in mm."""

    left: float
    right: float
    top: float
    bottom: float


class Gap(NamedTuple):
    """The gaps between columns (``across``) and between rows (``down``) of cards, in mm."""

    across: float
    down: float


class Layout(Entry, frozen=True, eq=False):
    """The layout of cards on a sheet, as written; lengths in mm. Omitted values are None."""

    card_size: str | None = None
    paper: str | None = None
    orientation: str | None = None
    columns: int | None = None
    rows: int | None = None
    places: tuple[Place, ...] = ()
    gap: Gap | None = None
    bleed: float | None = None
    margins: Edges | None = None
    marks: str | None = None
    marks_on: str | None = None
    sides: str | None = None
    flip: str | None = None
    fold: str | None = None
    gutter: float | None = None
    corners: float | None = None
    safe: float | None = None


class Counters(PublicValue, Struct, frozen=True):
    """How counters are printed; ``size`` is the diameter or side in mm.

    ``values`` are the numbers on front and back, ``amounts`` how many are printed, by name, if the project
    sets it.
    """

    shape: str = "round"
    size: float = 20.0
    marks: str = "cut"
    values: tuple[int, int] = (1, 3)
    amounts: dict[str, int] = field(default_factory=dict)


class Stack(PublicValue, Struct, frozen=True):
    """The cards in a tuckbox: ``thickness`` is that of one card with its sleeve in mm, None the usual."""

    thickness: float | None = None
    sleeved: bool = False


class Box(PublicValue, Struct, frozen=True):
    """What is printed on a box: the number of players, the minutes of a GAME (one or two numbers), the age.

    ``art`` is the id of a card or the path of a picture, None the art of the set.
    """

    players: int = 2
    time: tuple[int, ...] = ()
    age: int | None = None
    art: ScalarText | None = None


class MatSettings(PublicValue, Struct, frozen=True):
    """How a mat is printed: with ``low`` or ``full`` ink."""

    ink: str = "low"


class Project(PublicValue, Struct, frozen=True, eq=False):
    """The settings of ``opforge.yaml``. ``languages[0]`` is the default; sizes are as written there.

    ``languages_known`` is False if the languages in the file cannot be read, ``is_sound`` if it has an
    error, so that a setting which it seems to lack may be meant by it. ``card_sizes`` and ``backs`` are
    by kind of card, ``layouts`` are ids of the layouts that sheets are printed with. ``type_floor`` is the
    smallest type size on cards in pt. ``traits`` are the printed names of traits, ``words`` the texts that
    opforge itself prints, by language and key. ``first_game`` are the ids of the two SQUADs that it
    recommends to beginners. ``set_symbols`` are pictures by ``set`` of cards, ``fonts`` the project's own by
    purpose (``display``, ``text`` …), ``look`` what else it sets of the look of its cards. ``checks`` says
    which findings are reported.
    """

    root: Path
    file: SourceFile
    node: Mapping | None = None
    name: str = ""
    version: str = "0.1.0"
    languages: tuple[str, ...] = ("en",)
    ruleset: str | None = None
    mode: str | None = None
    first_game: tuple[str, ...] = ()
    card_size: str = "poker"
    paper: str = "a4"
    languages_known: bool = True
    is_sound: bool = True
    author: str | None = None
    card_sizes: dict[str, str] = field(default_factory=dict)
    backs: dict[str, ScalarText] = field(default_factory=dict)
    layouts: tuple[ScalarText, ...] = ()
    theme: str = "classic"
    type_floor: float = TYPE_FLOOR
    traits: dict[str, Text] = field(default_factory=dict)
    words: dict[str, dict[str, ScalarText]] = field(default_factory=dict)
    set_symbols: dict[str, ScalarText] = field(default_factory=dict)
    fonts: dict[str, ScalarText] = field(default_factory=dict)
    look: Look = PLAIN
    counters: Counters = Counters()
    tuckbox: Stack = Stack()
    mat: MatSettings = MatSettings()
    box: Box = Box()
    checks: CheckSettings = CheckSettings()

    def span_of(self, *path: str | int) -> Span:
        """Return the span of a setting, as for an entry; the beginning of an unreadable file."""
        return span_of(self.node, *path) if self.node else self.file.span(0, 0)


class CardSet(PublicValue, Struct):
    """All usable entries of a project, by id and in file order; built once, then only read.

    ``broken_ids`` are ids of entries that were left out, ``broken_traits`` words that may be traits of such
    OPERATORs: references to these are not reported. ``incomplete`` says that a file or an id could not be
    read, so that an unknown id may exist after all. ``doubled`` are entries whose id is already used: they
    are checked like others, but cannot be referred to. ``broken`` are unusable entries whose effects are
    checked in the same run. ``counts`` is the number of cards and OBJECTIVEs in each file, broken ones
    included. ``pictures`` are all files of the project by relative path.
    """

    project: Project
    files: list[SourceFile] = field(default_factory=list)
    cards: dict[str, Card] = field(default_factory=dict)
    teams: dict[str, Team] = field(default_factory=dict)
    objectives: dict[str, Objective] = field(default_factory=dict)
    markers: dict[str, Marker] = field(default_factory=dict)
    keywords: dict[str, Keyword] = field(default_factory=dict)
    modes: dict[str, Mode] = field(default_factory=dict)
    rulesets: dict[str, Ruleset] = field(default_factory=dict)
    squads: dict[str, Squad] = field(default_factory=dict)
    layouts: dict[str, Layout] = field(default_factory=dict)
    scenarios: list[Scenario] = field(default_factory=list)
    broken_ids: set[str] = field(default_factory=set)
    broken_traits: set[str] = field(default_factory=set)
    doubled: list[Entry] = field(default_factory=list)
    broken: list[BrokenEntry] = field(default_factory=list)
    counts: dict[Path, int] = field(default_factory=dict)
    incomplete: bool = False
    pictures: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        counts = [(name, len(getattr(self, name))) for name in ("cards", "objectives", "teams", "squads")]
        return short_repr(self, [("project", self.project.name), *counts])

    def entries(self) -> Iterator[Entry]:
        """Yield all entries, kind by kind."""
        for group in self._groups():
            yield from group.values()
        yield from self.scenarios

    def find(self, entry_id: str) -> Entry | None:
        """Return the entry with an id; scenarios have none."""
        return next((group[entry_id] for group in self._groups() if entry_id in group), None)

    def printed_entry(self, entry_id: str) -> Card | Objective | None:
        """Return the card or OBJECTIVE with an id."""
        return self.cards.get(entry_id) or self.objectives.get(entry_id)

    def printed_entries(self) -> list[Card | Objective]:
        """Return what is printed on cards: all cards, then all OBJECTIVEs."""
        return [*self.cards.values(), *self.objectives.values()]

    def _groups(self) -> Iterator[Lookup[str, Entry]]:
        yield from (self.cards, self.teams, self.objectives, self.markers, self.keywords, self.modes)
        yield from (self.rulesets, self.squads, self.layouts)

    def texts_only(self, card: Card | Objective) -> list[Text]:
        """Return the rules of a card that no program plays (E-1), with those of its KEYWORDs."""
        names = card.keywords if isinstance(card, Card) else ()
        keywords = (self.keywords.get(name) for name in names)
        of_keywords = [keyword.text_only for keyword in keywords if keyword and keyword.text_only]
        return [*card.texts_only.values(), *of_keywords]

    def text_only_cards(self) -> list[Card | Objective]:
        """Return all cards and OBJECTIVEs with rules that no program plays (E-1), in file order."""
        return [card for card in self.printed_entries() if self.texts_only(card)]

    def traits(self) -> frozenset[str]:
        """Return the traits of all OPERATORs."""
        doubled = [card for card in self.doubled if isinstance(card, Card)]
        return frozenset(trait for card in (*self.cards.values(), *doubled) for trait in card.traits)


def rules_span(bearer: PrintedEntry | Skill, language: str) -> Span | None:
    """Return the span of the rules of a card, OBJECTIVE or SKILL in a language; None if it has none."""
    if bearer.text is not None and bearer.text.is_in(language):
        return bearer.text.in_language(language).span
    if bearer.effect is not None:
        return bearer.effect.span
    return bearer.text_only.in_language(language).span if bearer.text_only is not None else None


def span_of(node: Node, *path: str | int) -> Span:
    """Return the span of the value at a path of keys and indexes, followed as far as it exists.

    For an omitted value (``name:`` and nothing after it) it is the span of its key.
    """
    key: Scalar | None = None
    for step in path:
        if isinstance(node, Mapping) and isinstance(step, str) and step in node.nodes:
            key, node = node.keys[step], node.nodes[step]
        elif not isinstance(node, (Mapping, Scalar)) and isinstance(step, int) and step < len(node.items):
            key, node = None, node.items[step]
        else:
            break
    return key.span if key is not None and node.start == node.end else node.span
