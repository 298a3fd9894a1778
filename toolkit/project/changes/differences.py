"""What a card does and what it says, compared between two versions."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from toolkit.data.model import Card
from toolkit.dsl.fingerprint import fingerprint
from toolkit.project.changes.model import Difference
from toolkit.project.workspace import Compiled, Workspace
from toolkit.render.face import Face
from toolkit.vocabulary import STATS
from toolkit.wording.canonical import blocks
from toolkit.wording.text import plain


def behaviour_changes(older: Workspace, now: Workspace, old: Face, new: Face) -> Iterator[Difference]:
    """The numbers, the TEAM, the traits and the effects."""
    if old.kind != new.kind:
        yield Difference("behaviour", "kind", old.kind, new.kind)
    numbers = [{stat.icon.upper(): stat.value for stat in face.stats} for face in (old, new)]
    for face, known in zip((old, new), numbers, strict=True):
        known |= {"SQUADPOINTS": face.squadpoints, "value": face.value}  # type: ignore[dict-item]
    for what in (*STATS, "SQUADPOINTS", "value"):
        before, after = (known.get(what) for known in numbers)
        if before != after:
            yield Difference("behaviour", what, _number(before), _number(after))
    cards = (older.cards.cards.get(old.id), now.cards.cards.get(new.id))
    teams = [card.team if card else None for card in cards]
    if teams[0] != teams[1]:
        yield Difference("behaviour", "team", teams[0], teams[1])
    traits = [sorted(card.traits) if card else [] for card in cards]
    if traits[0] != traits[1]:
        yield Difference("behaviour", "traits", ", ".join(traits[0]), ", ".join(traits[1]))
    pairs = zip_longest(older.effects_of(old.id), now.effects_of(new.id))
    for number, (before_effect, after_effect) in enumerate(pairs):
        if not _same_effect(before_effect, after_effect):
            part = _part(cards, before_effect, after_effect)
            yield Difference("behaviour", part, _text(old, number), _text(new, number))


def _text(face: Face, number: int) -> str | None:
    """The rules text of one effect of a card."""
    return plain(face.skills[number].paragraphs) if number < len(face.skills) else None


def _number(value: int | None) -> str | None:
    return None if value is None else str(value)


def _same_effect(before: Compiled | None, after: Compiled | None) -> bool:
    """Whether two effects do the same: equal trees, or trees that differ in nothing that matters."""
    if before is None or after is None or before.sound != after.sound:
        return before is after
    if fingerprint(before.tree) == fingerprint(after.tree) and before.source.role is after.source.role:
        return True
    return blocks(before.tree, before.source.role) == blocks(after.tree, after.source.role)


def _part(cards: tuple[Card | None, Card | None], *effects: Compiled | None) -> str:
    """What an effect is called: of several SKILLs the one with its number."""
    part = next(effect.source.part for effect in effects if effect)
    several = any(card is not None and len(card.skills) > 1 for card in cards)
    return "effect" if part == "effect" else part if several else "skill"


def wording_changes(old: Face, new: Face, behaviour: set[str]) -> Iterator[Difference]:
    """The texts, apart from what follows from another behaviour."""
    if old.name != new.name:
        yield Difference("wording", "name", old.name, new.name)
    names = [[skill.name for skill in face.skills] for face in (old, new)]
    if names[0] != names[1] and len(names[0]) == len(names[1]):
        yield Difference("wording", "name of a skill")
    effects_changed = any(what == "effect" or what.startswith("skill") for what in behaviour)
    if _rules(old) != _rules(new) and not effects_changed:
        yield Difference("wording", "rules text", "\n".join(_rules(old)), "\n".join(_rules(new)))
    if old.flavour != new.flavour:
        yield Difference("wording", "flavour text", old.flavour, new.flavour)
    if old.team_name != new.team_name and "team" not in behaviour:
        yield Difference("wording", "name of the team", old.team_name, new.team_name)
    if old.kind_label != new.kind_label and "kind" not in behaviour:
        yield Difference("wording", "name of the kind", old.kind_label, new.kind_label)
    if old.traits != new.traits and "traits" not in behaviour:
        yield Difference("wording", "traits")


def _rules(face: Face) -> list[str]:
    return [plain(skill.paragraphs) for skill in face.skills]
