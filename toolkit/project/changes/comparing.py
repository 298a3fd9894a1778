"""Two versions of a project compared card by card, as a player sees the cards."""

from __future__ import annotations

from toolkit.project.changes.appearance_diff import Looks
from toolkit.project.changes.differences import behaviour_changes, wording_changes
from toolkit.project.changes.model import CardChange, Changes, Difference
from toolkit.project.faces import faces
from toolkit.project.workspace import Workspace
from toolkit.render.face import Face
from toolkit.wording.text import plain


def compare(older: Workspace, now: Workspace, since: str, language: str) -> Changes:
    """Which cards are not as they were, in a language that both versions have.

    A card that could not be read in the older version counts as changed, for nobody can tell; one that cannot
    be read today is named and skipped.
    """
    before = {face.id: face for face in faces(older, language)}
    today = {face.id: face for face in faces(now, language)}
    unreadable = sorted((now.cards.broken_ids & set(before)) - set(today))
    called = _renamed(before, today)
    looks = Looks(older, now)
    cards: list[CardChange] = []
    for face in today.values():
        old = before.get(called.get(face.id, face.id))
        if old is not None and _teamless(older, old):
            change = _unknown(face)
        elif old is not None:
            change = _changed(older, now, old, face, looks)
        elif face.id in older.cards.broken_ids or older.cards.incomplete:
            change = _unknown(face)
        else:
            change = CardChange(face.id, face.id, face.name, face.name, face.kind, 0, face.quantity)
        if change is not None:
            cards.append(change)
    if not now.cards.incomplete:
        known = {*today, *called.values(), *now.cards.broken_ids}
        gone = [face for face in before.values() if face.id not in known and face.quantity]
        cards += [
            CardChange(face.id, face.id, face.name, face.name, face.kind, face.quantity, 0) for face in gone
        ]
    return Changes(
        since, language, now.cards.project.name, tuple(cards), tuple(unreadable), older.cards.incomplete
    )


def _renamed(before: dict[str, Face], today: dict[str, Face]) -> dict[str, str]:
    """Older ids by new ones, where a card of the same kind and name only has another id."""
    gone: dict[tuple[str, str], list[str]] = {}
    for face in before.values():
        if face.id not in today:
            gone.setdefault((face.kind, face.name), []).append(face.id)
    found: dict[str, str] = {}
    for face in today.values():
        same = gone.get((face.kind, face.name), [])
        if face.id not in before and len(same) == 1 and same[0] not in found.values():
            found[face.id] = same[0]
    return found


def _teamless(older: Workspace, old: Face) -> bool:
    """Whether the card was read and its TEAM was not, so that half of what was printed is not known."""
    card = older.cards.cards.get(old.id)
    team = card.team if card else None
    return team in older.cards.broken_ids and team not in older.cards.teams


def _unknown(face: Face) -> CardChange | None:
    """A card that the older version may have had; how many copies of it were printed is unknown too."""
    if not face.quantity:
        return None
    difference = Difference("unknown", "older version")
    return CardChange(
        face.id, face.id, face.name, face.name, face.kind, face.quantity, face.quantity, (difference,)
    )


def _changed(older: Workspace, now: Workspace, old: Face, new: Face, looks: Looks) -> CardChange | None:
    behaviour = tuple(behaviour_changes(older, now, old, new))
    wording = tuple(wording_changes(old, new, {one.what for one in behaviour}))
    appearance = tuple(looks.differences(old, new))
    same_face = not wording and not appearance and _printed(old) == _printed(new)
    if old.quantity == new.quantity and not (behaviour or wording or appearance):
        return None
    if not (old.quantity or new.quantity):
        return None
    return CardChange(
        new.id,
        old.id,
        new.name,
        old.name,
        new.kind,
        old.quantity,
        new.quantity,
        (*behaviour, *wording, *appearance),
        same_face,
    )


def _printed(face: Face) -> tuple[object, ...]:
    """The numbers and words on the card, in print order."""
    skills = [(skill.name, plain(skill.paragraphs)) for skill in face.skills]
    words = (face.kind, face.kind_label, face.name, face.team_name, face.traits, skills, face.flavour)
    return (*words, face.squadpoints, face.stats, face.value)
