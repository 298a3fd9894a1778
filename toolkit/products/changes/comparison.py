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


def changes_since(workspace: Workspace, since: str, language: str) -> Changes | Refusal:
    """Return the changes of cards since a git revision or an older copy of the project."""
    with baseline_project(workspace.root, since) as folder:
        if isinstance(folder, Refusal):
            return folder
        comparing = compare(read_baseline(folder), workspace, since, language)
        try:
            while True:
                next(comparing)
        except StopIteration as stop:
            return cast("Changes | Refusal", stop.value)


def read_baseline(folder: Path) -> LiveProject:
    """Read the older version of a project from its folder."""
    reader, cache = FolderReader(folder), Cache()
    return LiveProject(folder, reader, cache, open_project(folder, {}, cache, reader.read()))


def compare(
    older_project: LiveProject, current_workspace: Workspace, since: str, language: str
) -> Generator[None, None, Changes | Refusal]:
    """Compare the cards of two versions in a language that both have; return the changes.

    It yields after each card, so that the caller may interrupt it. A card that could not be read in the older
    version counts as changed, because that is unknown; one that cannot be read now is named and skipped.
    """
    baseline = older_project.current
    if language not in baseline.cards.project.languages:
        offered = ", ".join(baseline.cards.project.languages)
        return Refusal(f"In {since} there are no cards in {language!r}, only in {offered}.")
    words = renamed_words(baseline.cards, current_workspace.cards, language)
    if words:  # the older version is read with today's names, so that a new name alone changes no card
        texts = renamed_texts(older_project, words)
        baseline = open_project(
            older_project.root,
            texts,
            Cache(files=dict(older_project.cache.files)),
            older_project.reader.read(),
        )
    older_faces: dict[str, Face] = {}
    current_faces: dict[str, Face] = {}
    for faces_by_id, workspace in ((older_faces, baseline), (current_faces, current_workspace)):
        for face in faces(workspace, language):
            faces_by_id[face.id] = face
            yield
    unreadable = sorted((current_workspace.cards.broken_ids & set(older_faces)) - set(current_faces))
    # a card with a new id is the one with the same print, else with the same kind and name
    older_ids = match_renamed(older_faces, current_faces, (_printed, attrgetter("kind", "name")))
    appearance = AppearanceComparison(baseline, current_workspace)
    cards: list[CardChange] = []
    for face in current_faces.values():
        yield
        older_face = older_faces.get(older_ids.get(face.id, face.id))
        may_be_unread = face.id in baseline.cards.broken_ids or baseline.cards.incomplete
        if (older_face is None and may_be_unread) or (
            older_face is not None and _team_is_unknown(baseline, older_face)
        ):
            # how many copies of it were printed is unknown too
            unknown = (Difference("unknown", "older version"),)
            change = _change(face, face, (face.quantity, face.quantity), unknown)
            cards += [change] if face.quantity else []
        elif older_face is None:
            cards.append(_change(face, face, (0, face.quantity)))
        elif older_face.quantity or face.quantity:
            behaviour = tuple(behaviour_changes(baseline, current_workspace, older_face, face))
            wording = tuple(wording_changes(older_face, face, {difference.what for difference in behaviour}))
            looks = tuple(appearance.differences(older_face, face))
            same_face = not wording and not looks and _printed(older_face) == _printed(face)
            has_new_id_or_quantity = older_face.id != face.id or older_face.quantity != face.quantity
            if has_new_id_or_quantity or behaviour or wording or looks:
                differences = (*behaviour, *wording, *looks)
                cards.append(
                    _change(older_face, face, (older_face.quantity, face.quantity), differences, same_face)
                )
    if not current_workspace.cards.incomplete:
        known_ids = {*current_faces, *older_ids.values(), *current_workspace.cards.broken_ids}
        removed_faces = [face for face in older_faces.values() if face.id not in known_ids and face.quantity]
        cards += [_change(face, face, (face.quantity, 0)) for face in removed_faces]
    return Changes(
        since,
        words_in(current_workspace.cards.project, language),
        current_workspace.cards.project.name,
        tuple(cards),
        tuple(unreadable),
        baseline.cards.incomplete,
    )


def _change(
    older_face: Face,
    current_face: Face,
    copies: tuple[int, int],
    differences: tuple[Difference, ...] = (),
    same_face: bool = False,
) -> CardChange:
    return CardChange(
        current_face.id,
        older_face.id,
        current_face.name,
        older_face.name,
        current_face.kind,
        *copies,
        differences,
        same_face,
    )


def _team_is_unknown(baseline: Workspace, older_face: Face) -> bool:
    """Whether an older card's TEAM could not be read, so that its printed face is partly unknown."""
    card = baseline.cards.cards.get(older_face.id)
    team = card.team if card else None
    return team in baseline.cards.broken_ids and team not in baseline.cards.teams


def _printed(face: Face) -> tuple[object, ...]:
    """Return the numbers and texts on a card."""
    skills = tuple([(skill.name, plain(skill.paragraphs)) for skill in face.skills])
    words = (face.kind, face.kind_label, face.name, face.team_name, face.traits, skills, face.flavour)
    return (*words, face.squadpoints, face.stats, face.value, face.imprint)


def behaviour_changes(
    baseline: Workspace, current_workspace: Workspace, older_face: Face, current_face: Face
) -> Iterator[Difference]:
    """Yield the differences of kind, numbers, TEAM, traits, KEYWORDs and effects."""
    if older_face.kind != current_face.kind:
        yield Difference("behaviour", "kind", older_face.kind, current_face.kind)
    numbers = [{stat.icon.upper(): stat.value for stat in face.stats} for face in (older_face, current_face)]
    for face, numbers_of_face in zip((older_face, current_face), numbers, strict=True):
        numbers_of_face |= {"SQUADPOINTS": face.squadpoints, "value": face.value}  # type: ignore[dict-item]
    for number_name in (*STATS, "SQUADPOINTS", "value"):
        older_number, current_number = (numbers_of_face.get(number_name) for numbers_of_face in numbers)
        if older_number != current_number:
            yield Difference("behaviour", number_name, _number(older_number), _number(current_number))
    cards = (baseline.cards.cards.get(older_face.id), current_workspace.cards.cards.get(current_face.id))
    teams = [card.team if card else None for card in cards]
    if teams[0] != teams[1]:
        yield Difference("behaviour", "team", teams[0], teams[1])
    for field_name in ("traits", "keywords"):
        older_words, current_words = (sorted(getattr(card, field_name)) if card else [] for card in cards)
        if older_words != current_words:
            yield Difference("behaviour", field_name, ", ".join(older_words), ", ".join(current_words))
    for name in cards[0].keywords if cards[0] and cards[1] else ():
        effects = [workspace.effects.get((name, "effect")) for workspace in (baseline, current_workspace)]
        if not _same_effect(*effects) and cards[1] and name in cards[1].keywords:
            written = [print_effect(effect.tree) if effect is not None else None for effect in effects]
            yield Difference("behaviour", "keywords", *written)
    several = any(card is not None and len(card.skills) > 1 for card in cards)
    rules = [
        _rules_by_part(*version)
        for version in ((baseline, older_face, cards[0]), (current_workspace, current_face, cards[1]))
    ]
    for card_part in dict.fromkeys((*rules[0], *rules[1])):
        older_rules, current_rules = (rules_by_part.get(card_part, _Rules()) for rules_by_part in rules)
        if not older_rules.is_same_as(current_rules):
            name = card_part if several or card_part == "effect" else "skill"
            yield Difference("behaviour", name, older_rules.text, current_rules.text)


class _Rules(Struct, frozen=True):
    """The rules of a SKILL or card: its effect, its text-only rules, and their printed text."""

    effect: ParsedEffect | None = None
    text_only: str | None = None
    text: str | None = None

    def is_same_as(self, other: _Rules) -> bool:
        return self.text_only == other.text_only and _same_effect(self.effect, other.effect)


def _rules_by_part(workspace: Workspace, face: Face, card: Card | None) -> dict[str, _Rules]:
    """Return the rules of a card by part, as far as they can be read."""
    effects = {compiled.source.part: compiled for compiled in workspace.effects_of(face.id)}
    texts_only = card.texts_only if card is not None else {}
    parts = [
        card_part
        for card_part in (card.parts if card is not None else ())
        if card_part in effects or card_part in texts_only
    ]
    texts = dict(zip_longest(parts, _rules(face)[: len(parts)]))
    return {
        card_part: _Rules(
            effects.get(card_part),
            texts_only[card_part].in_language(face.lang).value if card_part in texts_only else None,
            texts[card_part],
        )
        for card_part in parts
    }


def _number(number: int | None) -> str | None:
    return None if number is None else str(number)


def _same_effect(older_effect: ParsedEffect | None, current_effect: ParsedEffect | None) -> bool:
    """Whether two effects do the same: their trees are equal, or differ only in form."""
    if older_effect is None or current_effect is None or older_effect.sound != current_effect.sound:
        return older_effect is current_effect
    if (
        fingerprint(older_effect.tree) == fingerprint(current_effect.tree)
        and older_effect.source.role is current_effect.source.role
    ):
        return True
    return blocks(older_effect.tree, older_effect.source.role) == blocks(
        current_effect.tree, current_effect.source.role
    )


def wording_changes(older_face: Face, current_face: Face, behaviour: set[str]) -> Iterator[Difference]:
    """Yield the differences of texts that do not follow from a difference of behaviour."""
    if older_face.name != current_face.name:
        yield Difference("wording", "name", older_face.name, current_face.name)
    names = [[skill.name for skill in face.skills] for face in (older_face, current_face)]
    if names[0] != names[1] and len(names[0]) == len(names[1]):
        yield Difference("wording", "name of a skill")
    effects_changed = any(
        changed_name in ("effect", "keywords") or changed_name.startswith("skill")
        for changed_name in behaviour
    )
    if _rules(older_face) != _rules(current_face) and not effects_changed:
        yield Difference(
            "wording", "rules text", "\n".join(_rules(older_face)), "\n".join(_rules(current_face))
        )
    if older_face.flavour != current_face.flavour:
        yield Difference("wording", "flavour text", older_face.flavour, current_face.flavour)
    for key in Imprint.__struct_fields__:
        older_text, current_text = (getattr(face.imprint, key, None) for face in (older_face, current_face))
        if older_text != current_text:
            yield Difference("wording", key, older_text, current_text)
    if older_face.team_name != current_face.team_name and "team" not in behaviour:
        yield Difference("wording", "name of the team", older_face.team_name, current_face.team_name)
    if older_face.kind_label != current_face.kind_label and "kind" not in behaviour:
        yield Difference("wording", "name of the kind", older_face.kind_label, current_face.kind_label)
    if older_face.traits != current_face.traits and "traits" not in behaviour:
        yield Difference("wording", "traits")


def _rules(face: Face) -> list[str]:
    return [plain(skill.paragraphs) for skill in face.skills]
