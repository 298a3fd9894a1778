"""The comparison of two versions of a project, card by card, as players see the cards."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import zip_longest
from operator import attrgetter
from pathlib import Path
from typing import cast

from msgspec import Struct

from toolkit.data.model import Card
from toolkit.data.project_files import FolderReader
from toolkit.dsl.effect_printer import fingerprint, print_effect
from toolkit.editing.renaming import renamed_texts
from toolkit.products.changes.appearance_diff import AppearanceComparison
from toolkit.products.changes.baseline_project import baseline_project
from toolkit.products.changes.change_model import CardChange, Changes, Difference
from toolkit.products.changes.renamed import match_renamed, renamed_words
from toolkit.project.faces import faces
from toolkit.project.live_project import LiveProject
from toolkit.project.output import Refusal
from toolkit.project.pipeline import Cache, ParsedEffect, Workspace, open_project
from toolkit.render.face import Face, Imprint
from toolkit.vocabulary import STATS
from toolkit.wording.languages import words_in
from toolkit.wording.normalise import blocks
from toolkit.wording.text import plain


def changes_since(workspace: Workspace, where: str, language: str) -> Changes | Refusal:
    """Return the changes of cards since a git revision or an older copy of the project."""
    with baseline_project(workspace.root, where) as folder:
        if isinstance(folder, Refusal):
            return folder
        comparing = compare(read_baseline(folder), workspace, where, language)
        try:
            while True:
                next(comparing)
        except StopIteration as done:
            return cast("Changes | Refusal", done.value)


def read_baseline(folder: Path) -> LiveProject:
    """Read the older version of a project from its folder."""
    reader, cache = FolderReader(folder), Cache()
    return LiveProject(folder, reader, cache, open_project(folder, {}, cache, reader.read()))


def compare(
    older: LiveProject, current_workspace: Workspace, since: str, language: str
) -> Generator[None, None, Changes | Refusal]:
    """Compare the cards of two versions in a language that both have; return the changes.

    It yields after each card, so that the caller may interrupt it. A card that could not be read in the older
    version counts as changed, because that is unknown; one that cannot be read now is named and skipped.
    """
    baseline = older.current
    if language not in baseline.cards.project.languages:
        offered = ", ".join(baseline.cards.project.languages)
        return Refusal(f"In {since} there are no cards in {language!r}, only in {offered}.")
    words = renamed_words(baseline.cards, current_workspace.cards, language)
    if words:  # the older version is read with today's names, so that a new name alone changes no card
        texts = renamed_texts(older, words)
        baseline = open_project(older.root, texts, Cache(files=dict(older.cache.files)), older.reader.read())
    faces_before: dict[str, Face] = {}
    today: dict[str, Face] = {}
    for faces_by_id, workspace in ((faces_before, baseline), (today, current_workspace)):
        for face in faces(workspace, language):
            faces_by_id[face.id] = face
            yield
    unreadable = sorted((current_workspace.cards.broken_ids & set(faces_before)) - set(today))
    # a card with a new id is the one with the same print, else with the same kind and name
    renamed = match_renamed(faces_before, today, (_printed, attrgetter("kind", "name")))
    appearance = AppearanceComparison(baseline, current_workspace)
    cards: list[CardChange] = []
    for face in today.values():
        yield
        old = faces_before.get(renamed.get(face.id, face.id))
        incomplete = face.id in baseline.cards.broken_ids or baseline.cards.incomplete
        if (old is None and incomplete) or (old is not None and _team_is_unknown(baseline, old)):
            # how many copies of it were printed is unknown too
            difference = (Difference("unknown", "older version"),)
            change = _change(face, face, (face.quantity, face.quantity), difference)
            cards += [change] if face.quantity else []
        elif old is None:
            cards.append(_change(face, face, (0, face.quantity)))
        elif old.quantity or face.quantity:
            behaviour = tuple(behaviour_changes(baseline, current_workspace, old, face))
            wording = tuple(
                wording_changes(old, face, {behaviour_difference.what for behaviour_difference in behaviour})
            )
            looks = tuple(appearance.differences(old, face))
            same_face = not wording and not looks and _printed(old) == _printed(face)
            if old.id != face.id or old.quantity != face.quantity or behaviour or wording or looks:
                differences = (*behaviour, *wording, *looks)
                cards.append(_change(old, face, (old.quantity, face.quantity), differences, same_face))
    if not current_workspace.cards.incomplete:
        known_ids = {*today, *renamed.values(), *current_workspace.cards.broken_ids}
        gone_faces = [face for face in faces_before.values() if face.id not in known_ids and face.quantity]
        cards += [_change(face, face, (face.quantity, 0)) for face in gone_faces]
    name, incomplete = current_workspace.cards.project.name, baseline.cards.incomplete
    return Changes(
        since,
        words_in(current_workspace.cards.project, language),
        name,
        tuple(cards),
        tuple(unreadable),
        incomplete,
    )


def _change(
    old: Face,
    new: Face,
    copies: tuple[int, int],
    differences: tuple[Difference, ...] = (),
    same_face: bool = False,
) -> CardChange:
    return CardChange(new.id, old.id, new.name, old.name, new.kind, *copies, differences, same_face)


def _team_is_unknown(baseline: Workspace, old: Face) -> bool:
    """Whether an older card's TEAM could not be read, so that its printed face is partly unknown."""
    card = baseline.cards.cards.get(old.id)
    team = card.team if card else None
    return team in baseline.cards.broken_ids and team not in baseline.cards.teams


def _printed(face: Face) -> tuple[object, ...]:
    """Return the numbers and texts on a card."""
    skills = tuple([(skill.name, plain(skill.paragraphs)) for skill in face.skills])
    words = (face.kind, face.kind_label, face.name, face.team_name, face.traits, skills, face.flavour)
    return (*words, face.squadpoints, face.stats, face.value, face.imprint)


def behaviour_changes(
    baseline: Workspace, current_workspace: Workspace, old: Face, new: Face
) -> Iterator[Difference]:
    """Yield the differences of kind, numbers, TEAM, traits, KEYWORDs and effects."""
    if old.kind != new.kind:
        yield Difference("behaviour", "kind", old.kind, new.kind)
    numbers = [{stat.icon.upper(): stat.value for stat in face.stats} for face in (old, new)]
    for face, known_numbers in zip((old, new), numbers, strict=True):
        known_numbers |= {"SQUADPOINTS": face.squadpoints, "value": face.value}  # type: ignore[dict-item]
    for number_name in (*STATS, "SQUADPOINTS", "value"):
        number_before, after = (known_numbers.get(number_name) for known_numbers in numbers)
        if number_before != after:
            yield Difference("behaviour", number_name, _number(number_before), _number(after))
    cards = (baseline.cards.cards.get(old.id), current_workspace.cards.cards.get(new.id))
    teams = [card.team if card else None for card in cards]
    if teams[0] != teams[1]:
        yield Difference("behaviour", "team", teams[0], teams[1])
    for number_name in ("traits", "keywords"):
        words = [sorted(getattr(card, number_name)) if card else [] for card in cards]
        if words[0] != words[1]:
            yield Difference("behaviour", number_name, ", ".join(words[0]), ", ".join(words[1]))
    for name in cards[0].keywords if cards[0] and cards[1] else ():
        effects = [workspace.effects.get((name, "effect")) for workspace in (baseline, current_workspace)]
        if not _same_effect(*effects) and cards[1] and name in cards[1].keywords:
            written = [print_effect(effect.tree) if effect is not None else None for effect in effects]
            yield Difference("behaviour", "keywords", *written)
    several = any(card is not None and len(card.skills) > 1 for card in cards)
    rules = [
        _rules_by_part(*version)
        for version in ((baseline, old, cards[0]), (current_workspace, new, cards[1]))
    ]
    for card_part in dict.fromkeys((*rules[0], *rules[1])):
        before_rules, after_rules = (known_numbers.get(card_part, _Rules()) for known_numbers in rules)
        if not before_rules.is_same_as(after_rules):
            name = card_part if several or card_part == "effect" else "skill"
            yield Difference("behaviour", name, before_rules.text, after_rules.text)


class _Rules(Struct, frozen=True):
    """The rules of a SKILL or card: its effect, its text-only rules, and their printed text."""

    effect: ParsedEffect | None = None
    only: str | None = None
    text: str | None = None

    def is_same_as(self, other: _Rules) -> bool:
        return self.only == other.only and _same_effect(self.effect, other.effect)


def _rules_by_part(workspace: Workspace, face: Face, card: Card | None) -> dict[str, _Rules]:
    """Return the rules of a card by part, as far as they can be read."""
    effects = {compiled.source.part: compiled for compiled in workspace.effects_of(face.id)}
    only = card.texts_only if card is not None else {}
    parts = [
        card_part
        for card_part in (card.parts if card is not None else ())
        if card_part in effects or card_part in only
    ]
    texts = dict(zip_longest(parts, _rules(face)[: len(parts)]))
    return {
        card_part: _Rules(
            effects.get(card_part),
            only[card_part].in_language(face.lang).value if card_part in only else None,
            texts[card_part],
        )
        for card_part in parts
    }


def _number(value: int | None) -> str | None:
    return None if value is None else str(value)


def _same_effect(effect_before: ParsedEffect | None, after: ParsedEffect | None) -> bool:
    """Whether two effects do the same: their trees are equal, or differ only in form."""
    if effect_before is None or after is None or effect_before.sound != after.sound:
        return effect_before is after
    if (
        fingerprint(effect_before.tree) == fingerprint(after.tree)
        and effect_before.source.role is after.source.role
    ):
        return True
    return blocks(effect_before.tree, effect_before.source.role) == blocks(after.tree, after.source.role)


def wording_changes(old: Face, new: Face, behaviour: set[str]) -> Iterator[Difference]:
    """Yield the differences of texts that do not follow from a difference of behaviour."""
    if old.name != new.name:
        yield Difference("wording", "name", old.name, new.name)
    names = [[skill.name for skill in face.skills] for face in (old, new)]
    if names[0] != names[1] and len(names[0]) == len(names[1]):
        yield Difference("wording", "name of a skill")
    effects_changed = any(
        changed_name in ("effect", "keywords") or changed_name.startswith("skill")
        for changed_name in behaviour
    )
    if _rules(old) != _rules(new) and not effects_changed:
        yield Difference("wording", "rules text", "\n".join(_rules(old)), "\n".join(_rules(new)))
    if old.flavour != new.flavour:
        yield Difference("wording", "flavour text", old.flavour, new.flavour)
    for key in Imprint.__struct_fields__:
        text_before, after = (getattr(face.imprint, key, None) for face in (old, new))
        if text_before != after:
            yield Difference("wording", key, text_before, after)
    if old.team_name != new.team_name and "team" not in behaviour:
        yield Difference("wording", "name of the team", old.team_name, new.team_name)
    if old.kind_label != new.kind_label and "kind" not in behaviour:
        yield Difference("wording", "name of the kind", old.kind_label, new.kind_label)
    if old.traits != new.traits and "traits" not in behaviour:
        yield Difference("wording", "traits")


def _rules(face: Face) -> list[str]:
    return [plain(skill.paragraphs) for skill in face.skills]
