"""References between entries: to TEAMs, KEYWORDs, cards, OBJECTIVEs, modes, rulesets and pictures.

A reference to a broken entry is not reported: it may be right.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from toolkit.data.art.picture_findings import font_finding, picture_finding
from toolkit.data.model import Card, CardSet, Entry, Mode, Project, Squad, Team
from toolkit.data.project_files import is_picture
from toolkit.data.schemas.card_schema import DECK_KINDS, kinds_phrase
from toolkit.data.schemas.card_schema import KINDS as CARD_KINDS
from toolkit.data.schemas.layouts import COUNTERS
from toolkit.data.schemas.look_schema import SHIPPED_FONTS
from toolkit.data.yaml.nodes import Mapping, Scalar, node_at
from toolkit.diagnostics import Diagnostic, correction, suggestion
from toolkit.diagnostics.phrases import counted, declaration
from toolkit.source import ScalarText, Span
from toolkit.vocabulary.nearest import nearest

MAX_PROPOSALS = 200
"""How many findings propose the nearest id; searching it for thousands would take too long."""

BY_TEAM = "team"
"""The word in ``backs`` that gives OPERATORs the back of their TEAM."""


class _Kind(NamedTuple):
    """The noun of a kind of entry, its group in the card set, and the finding if one does not exist."""

    what: str
    group: str
    finding: str


_KINDS = {
    "Team": _Kind("a TEAM", "teams", "unknown-team"),
    "Objective": _Kind("an OBJECTIVE", "objectives", "unknown-objective"),
    "Marker": _Kind("a MARKER", "markers", "unknown-marker"),
    "Keyword": _Kind("a KEYWORD", "keywords", "unknown-keyword"),
    "Mode": _Kind("a game mode", "modes", "unknown-mode"),
    "Ruleset": _Kind("a ruleset", "rulesets", "unknown-ruleset"),
    "Squad": _Kind("a squad", "squads", "unknown-squad"),
    "Layout": _Kind("a layout", "layouts", "unknown-card"),
}
_PILES: dict[Collection[str], dict[str, str]] = {
    DECK_KINDS: {"item": "item_deck"},
    ("item",): dict.fromkeys(DECK_KINDS, "deck"),
}
"""The key of a squad in which a kind of card belongs, by the kinds that belong where it is written."""

_BY_PHRASE = {kind.what: kind for kind in _KINDS.values()}


class Reference(Struct, frozen=True):
    """The use of an id: where, by which entry, and what it must be, as a phrase such as ``an OPERATOR``."""

    wanted: str
    span: Span
    what: str
    by: str | None


def check_references(card_set: CardSet) -> list[Diagnostic]:
    """Return a finding for every reference to something that does not exist or is of the wrong kind."""
    findings: list[Diagnostic] = []
    for reference, kinds in _references(card_set):
        proposing = len(findings) < MAX_PROPOSALS
        findings += resolve(card_set, reference, kinds, proposing=proposing)
    for mode in (*card_set.modes.values(), *card_set.doubled):
        findings += _mode(mode) if isinstance(mode, Mode) else []
    groups = (
        card_set.cards.values(),
        card_set.teams.values(),
        card_set.objectives.values(),
        card_set.doubled,
    )
    sound_paths: set[str] = set()
    for entry in chain[Entry].from_iterable(groups):
        findings += _pictures(card_set, entry, sound_paths, proposing=len(findings) < MAX_PROPOSALS)
    findings += [*_backs(card_set), *_box_art(card_set)]
    project = card_set.project
    symbols = (
        picture_finding(card_set, symbol, None, proposing=True) for symbol in project.set_symbols.values()
    )
    fonts = (font_finding(card_set, font) for font in (*project.fonts.values(), *_fonts_of_look(project)))
    return [*findings, *filter(None, (*symbols, *fonts))]


def _fonts_of_look(project: Project) -> Iterator[ScalarText]:
    """Yield the fonts of ``look`` that are files of the project."""
    files = {font for _, font in project.look.fonts if font not in SHIPPED_FONTS}
    look = project.node.mapping("look") if project.node is not None else None
    fonts = look.mapping("fonts") if look is not None else None
    for written in fonts.nodes.values() if fonts is not None else ():
        if isinstance(written, Scalar) and written.text in files:
            yield written.as_text()


def resolve(
    card_set: CardSet, reference: Reference, kinds: Collection[str], *, proposing: bool = True
) -> list[Diagnostic]:
    """Return the finding about an id that is not what it must be; none if it is, or if that is unknown.

    ``kinds`` are the possible kinds of card, empty if it is not a card. With ``proposing`` the finding names
    the nearest possible id.
    """
    entry = card_set.find(reference.wanted)
    if reference.wanted in card_set.broken_ids:
        return []
    if entry is not None:
        fits = entry.kind in kinds if isinstance(entry, Card) else _title(entry) == reference.what
        if fits:
            return []
        message = f"`{reference.wanted}` is {_title(entry)}, but this must be {reference.what}."
        step = f"Write the id of {reference.what}."
        if isinstance(entry, Card) and (pile := _PILES.get(kinds, {}).get(entry.kind)):
            step = f"Move it to `{pile}:`."
        return [Diagnostic("wrong-kind", message, reference.span, step, card=reference.by)]
    if card_set.incomplete:
        return []
    return [_unknown_id(card_set, reference, kinds, proposing=proposing)]


def _unknown_id(
    card_set: CardSet, reference: Reference, kinds: Collection[str], *, proposing: bool
) -> Diagnostic:
    """Return the finding about an id that nothing has."""
    step, fix = f"Define it, or write the id of {reference.what}.", None
    if proposing:
        candidates = tuple(_candidates(card_set, reference.what, kinds))
        meant = _meant(reference.wanted, candidates)
        renamed = _renamed(card_set, reference.what, kinds) if meant is None else None
        if meant is not None:
            step = f"Did you mean `{meant}`?"
            fix = suggestion(reference.span, reference.wanted, meant, candidates)
        elif renamed is not None:
            step, fix = f"Renamed to `{renamed}`?", correction(reference.span, renamed, safe=False)
    _article, _, noun = reference.what.partition(" ")
    return Diagnostic(
        _BY_PHRASE[reference.what].finding if reference.what in _BY_PHRASE else "unknown-card",
        f"There is no {noun} with the id `{reference.wanted}`.{_declared(noun, reference.wanted)}",
        reference.span,
        step,
        card=reference.by,
        fix=fix,
    )


def _declared(noun: str, wanted_id: str) -> str:
    """Return how a marker or KEYWORD would be declared; nothing of other entries."""
    sort = {"MARKER": "marker", "KEYWORD": "KEYWORD"}.get(noun)
    return f" {declaration(sort, wanted_id)}" if sort else ""


def _renamed(card_set: CardSet, kind_phrase: str, kinds: Collection[str]) -> str | None:
    """Return the only entry of a kind that is not used: probably the wanted one was renamed to it."""
    used = {card_set.project.ruleset, card_set.project.mode, *card_set.project.first_game}
    for entry in chain[Entry](card_set.cards.values(), card_set.modes.values(), card_set.squads.values()):
        if isinstance(entry, Card):
            used.update((entry.team, *entry.keywords))
        elif isinstance(entry, Mode):
            used.update(entry.objectives)
        elif isinstance(entry, Squad):
            used.update(entry.operators, entry.deck, entry.item_deck)
    unused = [name for name in _candidates(card_set, kind_phrase, kinds) if name not in used]
    return unused[0] if len(unused) == 1 else None


@lru_cache(maxsize=256)
def _meant(wanted_id: str, candidates: tuple[str, ...]) -> str | None:
    """Return the id that was meant. Cached, because a missing id may be used a hundred times."""
    return nearest(wanted_id, candidates)


def _title(entry: Entry) -> str:
    """Return what an entry is, as a phrase."""
    if isinstance(entry, Card):
        return kinds_phrase([entry.kind])
    return _KINDS[type(entry).__name__].what


def _candidates(card_set: CardSet, kind_phrase: str, kinds: Collection[str]) -> list[str]:
    if kinds:
        return [card.id for card in card_set.cards.values() if card.kind in kinds]
    return list(getattr(card_set, _BY_PHRASE[kind_phrase].group))


def _references(card_set: CardSet) -> Iterator[tuple[Reference, Collection[str]]]:
    """Yield the references that fail a fast test, with their kinds of card; ``resolve`` explains them."""
    groups = (card_set.cards.values(), card_set.modes.values(), card_set.squads.values(), card_set.doubled)
    for entry in chain[Entry].from_iterable(groups):
        if isinstance(entry, Card):
            if entry.team is not None and entry.team not in card_set.teams:
                yield Reference(entry.team, entry.span_of("team"), "a TEAM", entry.id), ()
            for index, name in enumerate(entry.keywords):
                if name not in card_set.keywords:
                    yield Reference(name, entry.span_of("keywords", index), "a KEYWORD", entry.id), ()
        elif isinstance(entry, Mode):
            for index, name in enumerate(entry.objectives):
                if name not in card_set.objectives:
                    yield Reference(name, entry.span_of("objectives", index), "an OBJECTIVE", entry.id), ()
        elif isinstance(entry, Squad):
            yield from _references_of_squad(entry, card_set)
    yield from _references_of_project(card_set)


def _references_of_squad(squad: Squad, card_set: CardSet) -> Iterator[tuple[Reference, Collection[str]]]:
    """Yield the references to OPERATORs and cards of decks that fail a fast test, with their kinds."""

    def is_one_of(name: str, kinds: Collection[str]) -> bool:
        card = card_set.cards.get(name)
        return card is not None and card.kind in kinds

    for index, name in enumerate(squad.operators):
        if not is_one_of(name, ("operator",)):
            yield Reference(name, squad.span_of("operators", index), "an OPERATOR", squad.id), ("operator",)
    for key, kind_phrase, kinds in (
        ("deck", "a card for a DECK", DECK_KINDS),
        ("item_deck", "an ITEM card", ("item",)),
    ):
        listed = squad.node.mapping(key)
        for name, written in listed.keys.items() if listed is not None else ():
            if not is_one_of(name, kinds):
                yield Reference(name, written.span, kind_phrase, squad.id), kinds


def _references_of_project(card_set: CardSet) -> Iterator[tuple[Reference, Collection[str]]]:
    """Yield the references of the project file that fail a fast test, and always its ruleset and its mode."""
    project = card_set.project
    if project.ruleset is not None:
        yield Reference(project.ruleset, project.span_of("ruleset"), "a ruleset", None), ()
    if project.mode is not None:
        yield Reference(project.mode, project.span_of("mode"), "a game mode", None), ()
    for index, name in enumerate(project.first_game):
        if name not in card_set.squads:
            yield Reference(name, project.span_of("first_game", index), "a squad", None), ()
    for name, _ in project.look.teams:
        teams = node_at(project.node, ("look", "palette", "teams"))
        if name not in card_set.teams and isinstance(teams, Mapping):
            yield Reference(name, teams.keys[name].span, "a TEAM", None), ()
    settings = project.node.mapping("counters") if project.node is not None else None
    amounts = settings.mapping("amounts") if settings is not None else None
    for name, written in amounts.keys.items() if amounts is not None else ():
        if name not in COUNTERS:
            yield Reference(name, written.span, "a MARKER", None), ()


def _mode(mode: Mode) -> list[Diagnostic]:
    """Return findings about contradictory numbers of a mode."""
    findings: list[Diagnostic] = []
    if mode.objectives and len(mode.objectives) != mode.field_positions:
        positions, objectives = mode.field_positions, len(mode.objectives)
        message = (
            f"The mode has {counted(positions, 'FIELDPOSITION')} and {counted(objectives, 'OBJECTIVE')}."
        )
        step = "List one OBJECTIVE for each FIELDPOSITION."
        span = mode.key_span("objectives")
        findings.append(Diagnostic("objective-count", message, span, step, card=mode.id))
    victory = mode.node.mapping("victory")
    if not mode.objectives and victory is not None and "objectives_captured" in victory.nodes:
        message = "The mode is won by CAPTURED OBJECTIVEs, and there are none on its FIELD."
        step = "List the OBJECTIVEs by FIELDPOSITION: `objectives: [tower, bridge]`."
        span = mode.span_of("victory", "objectives_captured")
        findings.append(Diagnostic("no-objectives", message, span, step, card=mode.id))
    if mode.deck_minimum > mode.deck_maximum:
        message = f"A DECK has at least {mode.deck_minimum} and at most {mode.deck_maximum} cards: "
        message += "no DECK is possible."
        step = "Make the minimum smaller or the maximum larger."
        span = mode.span_of("deck", "minimum")
        findings.append(Diagnostic("out-of-range", message, span, step, card=mode.id))
    return findings


def _pictures(card_set: CardSet, entry: Entry, sound_paths: set[str], *, proposing: bool) -> list[Diagnostic]:
    """Return what is wrong with the pictures of an entry; those of ``sound_paths`` are not examined again."""
    front = entry.logo if isinstance(entry, Team) else getattr(entry, "art", None)
    findings = []
    for picture in (front, getattr(entry, "back", None)):
        if picture is None or picture.value in sound_paths:
            continue
        finding = picture_finding(card_set, picture, entry.id, proposing=proposing)
        if finding is None:
            sound_paths.add(picture.value)
        else:
            findings.append(finding)
    return findings


def _box_art(card_set: CardSet) -> Iterator[Diagnostic]:
    """Yield what is wrong with the art of the box, the id of a card or the path of a picture."""
    art = card_set.project.box.art
    if art is None:
        return
    card = card_set.printed_entry(art.value)
    if card is not None:
        if card.art is None:
            message = f"`{card.id}` has no picture; the box has the art of the set."
            step = "Give the card an `art`, or write the id of another one."
            yield Diagnostic("missing-picture", message, art.span, step)
    elif re.search(r"[./\\]", art.value):
        finding = picture_finding(card_set, art, None, proposing=True)
        yield from [finding] if finding is not None else ()
    else:
        yield from resolve(card_set, Reference(art.value, art.span, "a card", None), CARD_KINDS)


def _backs(card_set: CardSet) -> Iterator[Diagnostic]:
    """Yield what is wrong with the backs in the project file; that of OPERATORs may be ``BY_TEAM``."""
    for kind, picture in card_set.project.backs.items():
        if kind == "operator" and picture.value == BY_TEAM:
            continue
        finding = picture_finding(card_set, picture, None, proposing=True)
        if finding is None:
            continue
        is_word = kind == "operator" and not is_picture(picture.value)
        if is_word and nearest(picture.value, [BY_TEAM]):
            fix = suggestion(picture.span, picture.value, BY_TEAM, [BY_TEAM])
            finding = replace(finding, next_step=f"Did you mean `{BY_TEAM}`?", fix=fix)
        yield finding
