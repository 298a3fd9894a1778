"""What entries refer to: TEAMs, cards, OBJECTIVEs, modes, rulesets and pictures.

A reference to an entry that was left out because it is broken is no second mistake.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from toolkit.data.model import Card, CardSet, Entry, Mode, Team, span_of
from toolkit.data.nodes import Mapping
from toolkit.data.pictures import picture_finding
from toolkit.diagnostics import Diagnostic, Fix
from toolkit.source import Span
from toolkit.vocabulary.nearest import nearest

_DECK_KINDS = ("attack", "defence", "effect", "strategy")
_SECTION_OF = {
    "Team": "a TEAM",
    "Objective": "an OBJECTIVE",
    "Mode": "a game mode",
    "Ruleset": "a ruleset",
    "Squad": "a squad",
    "Layout": "a layout",
}
_GROUP_OF = {
    "a TEAM": "teams",
    "an OBJECTIVE": "objectives",
    "a game mode": "modes",
    "a ruleset": "rulesets",
}
_FINDING_OF = {
    "a TEAM": "unknown-team",
    "an OBJECTIVE": "unknown-objective",
    "a game mode": "unknown-mode",
    "a ruleset": "unknown-ruleset",
}


@dataclass(frozen=True, slots=True)
class Reference:
    """An id as it is used: where, by which entry, and what it must be (``what``, as a phrase)."""

    wanted: str
    span: Span
    what: str
    by: str | None


def check_references(card_set: CardSet) -> list[Diagnostic]:
    """A finding for every reference that leads nowhere or to something of the wrong kind."""
    findings: list[Diagnostic] = []
    for card in card_set.cards.values():
        if card.team is not None and card.team not in card_set.teams:
            findings += resolve(card_set, Reference(card.team, card.span_of("team"), "a TEAM", card.id), ())
    for mode in card_set.modes.values():
        findings += _mode(card_set, mode)
    findings += _squads(card_set)
    findings += _project(card_set)
    for group in (card_set.cards, card_set.teams, card_set.objectives):
        for entry in group.values():
            findings += _picture(card_set, entry)
    return findings


def resolve(card_set: CardSet, reference: Reference, kinds: Collection[str]) -> list[Diagnostic]:
    """The finding about an id that is not what it must be; none if it is, or if that cannot be told.

    ``kinds`` are the kinds of card that are possible; empty for what is no card.
    """
    found = card_set.find(reference.wanted)
    if reference.wanted in card_set.broken_ids:
        return []
    if found is not None:
        fits = found.kind in kinds if isinstance(found, Card) else _title(found) == reference.what
        return [] if fits else [_wrong_kind(reference, found, card_set, kinds)]
    if card_set.incomplete:
        return []
    meant = nearest(reference.wanted, _candidates(card_set, reference.what, kinds))
    noun = reference.what.split(" ", 1)[1]
    return [
        Diagnostic(
            _FINDING_OF.get(reference.what, "unknown-card"),
            f"There is no {noun} with the id `{reference.wanted}`.",
            reference.span,
            f"Did you mean `{meant}`?" if meant else f"Define it, or write the id of {reference.what}.",
            card=reference.by,
            fix=Fix(reference.span, meant) if meant else None,
        )
    ]


def _title(entry: Entry) -> str:
    """What an entry is, as a phrase."""
    if isinstance(entry, Card):
        article = "an" if entry.kind[0] in "aeio" else "a"
        return f"{article} {entry.kind.upper()}{'' if entry.kind == 'operator' else ' card'}"
    return _SECTION_OF[type(entry).__name__]


def _candidates(card_set: CardSet, what: str, kinds: Collection[str]) -> list[str]:
    if kinds:
        return [card.id for card in card_set.cards.values() if card.kind in kinds]
    return list(getattr(card_set, _GROUP_OF[what]))


def _wrong_kind(reference: Reference, found: Entry, card_set: CardSet, kinds: Collection[str]) -> Diagnostic:
    others = [name for name in _candidates(card_set, reference.what, kinds) if name != reference.wanted]
    meant = nearest(reference.wanted, others)
    return Diagnostic(
        "wrong-kind",
        f"`{reference.wanted}` is {_title(found)}, and here must be {reference.what}.",
        reference.span,
        f"Did you mean `{meant}`?" if meant else f"Write the id of {reference.what}.",
        card=reference.by,
    )


def _mode(card_set: CardSet, mode: Mode) -> list[Diagnostic]:
    findings: list[Diagnostic] = []
    for index, name in enumerate(mode.objectives):
        if name not in card_set.objectives:
            place = mode.span_of("objectives", index)
            findings += resolve(card_set, Reference(name, place, "an OBJECTIVE", mode.id), ())
    if mode.objectives and len(mode.objectives) != mode.field_positions:
        findings.append(
            Diagnostic(
                "objective-count",
                f"The mode has {mode.field_positions} FIELDPOSITIONs and {len(mode.objectives)} OBJECTIVEs.",
                mode.key_span("objectives"),
                "List one OBJECTIVE for each FIELDPOSITION.",
                card=mode.id,
            )
        )
    if mode.deck_minimum > mode.deck_maximum:
        findings.append(
            Diagnostic(
                "out-of-range",
                f"A DECK has at least {mode.deck_minimum} and at most {mode.deck_maximum} cards: "
                "no DECK is possible.",
                mode.span_of("deck", "minimum"),
                "Make the minimum smaller or the maximum larger.",
                card=mode.id,
            )
        )
    return findings


def _squads(card_set: CardSet) -> list[Diagnostic]:
    findings: list[Diagnostic] = []
    cards = card_set.cards
    for squad in card_set.squads.values():
        for index, name in enumerate(squad.operators):
            found = cards.get(name)
            if found is None or found.kind != "operator":
                place = squad.span_of("operators", index)
                findings += resolve(card_set, Reference(name, place, "an OPERATOR", squad.id), ("operator",))
        for key, what, kinds in (
            ("deck", "a card for a DECK", _DECK_KINDS),
            ("item_deck", "an ITEM card", ("item",)),
        ):
            node = squad.node.nodes.get(key)
            for name, written in node.keys.items() if isinstance(node, Mapping) else ():
                found = cards.get(name)
                if found is None or found.kind not in kinds:
                    findings += resolve(card_set, Reference(name, written.span, what, squad.id), kinds)
    return findings


def _project(card_set: CardSet) -> list[Diagnostic]:
    project = card_set.project
    findings: list[Diagnostic] = []
    for wanted, key, what in (
        (project.ruleset, "ruleset", "a ruleset"),
        (project.mode, "mode", "a game mode"),
    ):
        if wanted is not None and project.node is not None:
            findings += resolve(card_set, Reference(wanted, span_of(project.node, key), what, None), ())
    return findings


def _picture(card_set: CardSet, entry: Entry) -> list[Diagnostic]:
    picture = entry.logo if isinstance(entry, Team) else getattr(entry, "art", None)
    if picture is None or picture.value in card_set.pictures:
        return []
    finding = picture_finding(card_set, picture, entry.id)
    return [finding] if finding else []
