"""unused-team, unused-trait, unused-objective and unused-art: what nothing in the project uses.

Nothing is said where something was left out for an error of its own: that may be what uses it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import dirname, normpath

from toolkit.data.model import Card, CardSet
from toolkit.diagnostics import Diagnostic, Label
from toolkit.lint.texts import asked_traits, effect_texts
from toolkit.vocabulary.nearest import nearest

MOST_PICTURES = 20
"""So many unused pictures are named; a project with more is still being sorted."""

_PICTURE = re.compile(r"\.(svg|png|jpe?g|webp|gif)$", re.IGNORECASE)


def check(cards: CardSet) -> list[Diagnostic]:
    """Everything unused, kind by kind."""
    if cards.broken_ids or cards.incomplete:
        return []
    return [*_teams(cards), *_traits(cards), *_objectives(cards), *_pictures(cards)]


def _teams(cards: CardSet) -> Iterator[Diagnostic]:
    used = {card.team for card in cards.cards.values()}
    for team in cards.teams.values():
        if team.id not in used:
            message = f"No OPERATOR belongs to the TEAM `{team.id}`."
            step = "Give it an OPERATOR, or remove the TEAM."
            yield Diagnostic("unused-team", message, team.id_span, step, card=team.id)


def _traits(cards: CardSet) -> Iterator[Diagnostic]:
    """Once for each trait, at the first OPERATOR who has it."""
    asked = asked_traits(effect_texts(cards))
    bearers: dict[str, list[tuple[Card, int]]] = {}
    for card in cards.cards.values():
        for index, trait in enumerate(card.traits):
            if trait not in asked:
                bearers.setdefault(trait, []).append((card, index))
    known = sorted(asked)
    for trait, ((first, index), *others) in bearers.items():
        yield Diagnostic(
            "unused-trait",
            f"No effect uses the trait `{trait}`.",
            first.span_of("traits", index),
            f"Did you mean `{meant}`? Effects use that one."
            if (meant := nearest(trait, known))
            else f'Write an effect that uses `with trait "{trait}"`, or remove the trait.',
            tuple(Label(card.span_of("traits", n), "here too") for card, n in others[:3]),
            first.id,
        )


def _objectives(cards: CardSet) -> Iterator[Diagnostic]:
    """OBJECTIVEs that lie nowhere; in a project without game modes they wait for one."""
    if not cards.modes:
        return
    used = {objective for mode in cards.modes.values() for objective in mode.objectives}
    for objective in cards.objectives.values():
        if objective.id not in used:
            message = f"The OBJECTIVE `{objective.id}` is not used by any game mode."
            step = "Add it to the `objectives` of a mode, or remove it."
            yield Diagnostic("unused-objective", message, objective.id_span, step, card=objective.id)


def _pictures(cards: CardSet) -> Iterator[Diagnostic]:
    """Picture files beside used ones that no entry names, told at the project's name."""
    used = {normpath(path.replace("\\", "/")) for path in _named_pictures(cards)}
    folders = {dirname(path) for path in used & cards.pictures}
    left = sorted(
        path for path in cards.pictures - used if dirname(path) in folders and _PICTURE.search(path)
    )
    for path in left[:MOST_PICTURES]:
        yield Diagnostic(
            "unused-art",
            f"The picture `{path}` is not used.",
            cards.project.span_of("project"),
            "Use it as the `art` or `logo` of an entry, or move it to another folder.",
        )


def _named_pictures(cards: CardSet) -> Iterator[str]:
    pictures = [card.art for card in cards.cards.values()]
    pictures += [objective.art for objective in cards.objectives.values()]
    pictures += [team.logo for team in cards.teams.values()]
    for entries in (cards.cards, cards.objectives, cards.teams):
        pictures += [entry.back for entry in entries.values()]
    pictures += cards.project.backs.values()
    return (picture.value for picture in pictures if picture is not None)
