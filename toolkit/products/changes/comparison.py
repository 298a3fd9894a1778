"""The comparison of two versions of a project, card by card, as players see the cards."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from itertools import zip_longest
from operator import attrgetter
from pathlib import Path
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

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

Copies = Callable[[Workspace], Mapping[str, int] | None]
"""How often each card of a project is printed, by id; None: as often as its ``quantity`` says."""


def changes_since(
    workspace: Workspace, since: str, language: str, copies: Copies = lambda _workspace: None
) -> Changes | Refusal:
    """Return the changes of cards since a git revision or an older copy of the project."""
    with baseline_project(workspace.root, since) as folder:
        if isinstance(folder, Refusal):
            return folder
        return _result(compare(read_baseline(folder), workspace, since, language, copies))


def changes_between(
    folder: Path, texts: Mapping[Path, str], workspace: Workspace, language: str
) -> Changes | Refusal:
    """Return the changes of cards since the version in a folder; texts replace some of its files."""
    return _result(compare(read_baseline(folder, texts), workspace, str(folder), language))


def _result(comparing: Generator[None, None, Changes | Refusal]) -> Changes | Refusal:
    """Return what the generator ``compare`` returns, run to its end without a pause."""
    try:
        while True:
            next(comparing)
    except StopIteration as stop:
        return cast("Changes | Refusal", stop.value)


def read_baseline(folder: Path, texts: Mapping[Path, str] = {}) -> LiveProject:
    """Read the older version of a project from its folder, with texts that replace some of its files."""
    reader, cache = FolderReader(folder), Cache()
    return LiveProject(folder, reader, cache, open_project(folder, {**texts}, cache, reader.read()))


def compare(
    older_project: LiveProject,
    current_workspace: Workspace,
    since: str,
    language: str,
    copies: Copies = lambda _workspace: None,
) -> Generator[None, None, Changes | Refusal]:
    """Compare the cards of two versions in a language that both have; return the changes.

    It yields after each card, so that the caller may interrupt it. A card that could not be read in the older
    version counts as changed, because that is unknown; one that cannot be read now is named and skipped.
    """
    older_languages = older_project.current.cards.project.languages
    if language not in older_languages:
        offered = ", ".join(older_languages)
        return Refusal(f"In {since} there are no cards in {language!r}, only in {offered}.")
    baseline = _with_current_names(older_project, current_workspace, language)
    older_faces = yield from _faces_by_id(baseline, language, copies)
    current_faces = yield from _faces_by_id(current_workspace, language, copies)
    unreadable = sorted((current_workspace.cards.broken_ids & set(older_faces)) - set(current_faces))
    # a card with a new id is the one with the same print, else with the same kind and name
    older_ids = match_renamed(older_faces, current_faces, (_printed, attrgetter("kind", "name")))
    appearance = AppearanceComparison(baseline, current_workspace)
    cards: list[CardChange] = []
    for face in current_faces.values():
        yield
        older_face = older_faces.get(older_ids.get(face.id, face.id))
        change = _card_change(baseline, current_workspace, older_face, face, appearance)
        if change is not None:
            cards.append(change)
    if not current_workspace.cards.incomplete:
        known_ids = {*current_faces, *older_ids.values(), *current_workspace.cards.broken_ids}
        removed_faces = [face for face in older_faces.values() if face.id not in known_ids and face.quantity]
        cards += [_change(face, face, before=face.quantity, now=0) for face in removed_faces]
    return Changes(
        since=since,
        words=words_in(current_workspace.cards.project, language),
        project=current_workspace.cards.project.name,
        cards=tuple(cards),
        unreadable=tuple(unreadable),
        older_incomplete=baseline.cards.incomplete,
    )


def _with_current_names(older_project: LiveProject, current_workspace: Workspace, language: str) -> Workspace:
    """Return the older version read with today's names of TEAMs, traits and the like, so that a new name
    alone changes no card."""
    baseline = older_project.current
    words = renamed_words(baseline.cards, current_workspace.cards, language)
    if not words:
        return baseline
    return open_project(
        older_project.root,
        renamed_texts(older_project, words),
        Cache(files=dict(older_project.cache.files)),
        older_project.reader.read(),
    )


def _faces_by_id(
    workspace: Workspace, language: str, copies: Copies
) -> Generator[None, None, dict[str, Face]]:
    """Return all faces with the numbers of their printed copies, by id; yield after each face."""
    printed_copies = copies(workspace)
    faces_by_id: dict[str, Face] = {}
    for face in faces(workspace, language):
        quantity = face.quantity if printed_copies is None else printed_copies.get(face.id, 0)
        faces_by_id[face.id] = replace(face, quantity=quantity)
        yield
    return faces_by_id


def _card_change(
    baseline: Workspace,
    current_workspace: Workspace,
    older_face: Face | None,
    face: Face,
    appearance: AppearanceComparison,
) -> CardChange | None:
    """Return the change of a card that exists now; None if it has not changed, or is never printed."""
    is_unreadable_card = older_face is None and (
        face.id in baseline.cards.broken_ids or baseline.cards.incomplete
    )
    if is_unreadable_card or (older_face is not None and _team_is_unknown(baseline, older_face)):
        if not face.quantity:
            return None
        unknown = (Difference("unknown", "older version"),)
        # how many copies of it were printed is unknown too, so that their number counts as unchanged
        return _change(face, face, before=face.quantity, now=face.quantity, differences=unknown)
    if older_face is None:
        return _change(face, face, before=0, now=face.quantity)
    if not older_face.quantity and not face.quantity:
        return None
    behaviour = tuple(behaviour_changes(baseline, current_workspace, older_face, face))
    wording = tuple(wording_changes(older_face, face, {difference.what for difference in behaviour}))
    looks = tuple(appearance.differences(older_face, face))
    has_new_id_or_quantity = older_face.id != face.id or older_face.quantity != face.quantity
    if not (has_new_id_or_quantity or behaviour or wording or looks):
        return None
    return _change(
        older_face,
        face,
        before=older_face.quantity,
        now=face.quantity,
        differences=(*behaviour, *wording, *looks),
        same_face=not wording and not looks and _printed(older_face) == _printed(face),
    )


def _change(
    older_face: Face,
    current_face: Face,
    *,
    before: int,
    now: int,
    differences: tuple[Difference, ...] = (),
    same_face: bool = False,
) -> CardChange:
    """Return the change of a card from one face to another, with the copies before and now."""
    return CardChange(
        id=current_face.id,
        older_id=older_face.id,
        name=current_face.name,
        older_name=older_face.name,
        kind=current_face.kind,
        before=before,
        now=now,
        differences=differences,
        same_face=same_face,
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
    older_numbers, current_numbers = _numbers_by_name(older_face), _numbers_by_name(current_face)
    for number_name in (*STATS, "SQUADPOINTS", "value"):
        older_number, current_number = older_numbers.get(number_name), current_numbers.get(number_name)
        if older_number != current_number:
            yield Difference("behaviour", number_name, _number(older_number), _number(current_number))
    older_card = baseline.cards.cards.get(older_face.id)
    current_card = current_workspace.cards.cards.get(current_face.id)
    cards = (older_card, current_card)
    older_team, current_team = (card.team if card else None for card in cards)
    if older_team != current_team:
        yield Difference("behaviour", "team", older_team, current_team)
    for field_name in ("traits", "keywords"):
        older_words, current_words = (sorted(getattr(card, field_name)) if card else [] for card in cards)
        if older_words != current_words:
            yield Difference("behaviour", field_name, ", ".join(older_words), ", ".join(current_words))
    if older_card and current_card:
        kept_keywords = [keyword for keyword in older_card.keywords if keyword in current_card.keywords]
        yield from _keyword_changes(baseline, current_workspace, kept_keywords)
    has_several_skills = any(card is not None and len(card.skills) > 1 for card in cards)
    older_parts = _rules_by_part(baseline, older_face, older_card)
    current_parts = _rules_by_part(current_workspace, current_face, current_card)
    yield from _rules_changes(older_parts, current_parts, has_several_skills)


def _rules_changes(
    older_parts: Mapping[str, _Rules], current_parts: Mapping[str, _Rules], has_several_skills: bool
) -> Iterator[Difference]:
    """Yield a difference for each part of a card whose rules are others; a single SKILL has no number."""
    for card_part in dict.fromkeys((*older_parts, *current_parts)):
        older_rules = older_parts.get(card_part, _Rules())
        current_rules = current_parts.get(card_part, _Rules())
        if not older_rules.is_same_as(current_rules):
            name = card_part if has_several_skills or card_part == "effect" else "skill"
            yield Difference("behaviour", name, older_rules.text, current_rules.text)


def _keyword_changes(
    baseline: Workspace, current_workspace: Workspace, keywords: Iterable[str]
) -> Iterator[Difference]:
    """Yield a difference for each of the project's own KEYWORDs whose effect is another one now."""
    for keyword in keywords:
        key = keyword, "effect"
        older_effect, current_effect = baseline.effects.get(key), current_workspace.effects.get(key)
        if not _same_effect(older_effect, current_effect):
            older_text = print_effect(older_effect.tree) if older_effect is not None else None
            current_text = print_effect(current_effect.tree) if current_effect is not None else None
            yield Difference("behaviour", "keywords", older_text, current_text)


def _numbers_by_name(face: Face) -> dict[str, int | None]:
    """Return the numbers on a card by the names that differences have."""
    numbers: dict[str, int | None] = {stat.icon.upper(): stat.value for stat in face.stats}
    return {**numbers, "SQUADPOINTS": face.squadpoints, "value": face.value}


class _Rules(Struct, frozen=True):
    """The rules of a SKILL or card: its effect, its text-only rules, and their printed text."""

    effect: ParsedEffect | None = None
    text_only: str | None = None
    text: str | None = None

    def is_same_as(self, other: _Rules) -> bool:
        return self.text_only == other.text_only and _same_effect(self.effect, other.effect)


def _rules_by_part(workspace: Workspace, face: Face, card: Card | None) -> dict[str, _Rules]:
    """Return the rules of a card by part, as far as they can be read."""
    if card is None:
        return {}
    effects = {compiled.source.part: compiled for compiled in workspace.effects_of(face.id)}
    texts_only = card.texts_only
    parts = [card_part for card_part in card.parts if card_part in effects or card_part in texts_only]
    # a face has its rules in the order of the card's parts; a part without printed rules has None
    printed_texts = dict(zip_longest(parts, _rules(face)[: len(parts)]))
    return {
        card_part: _Rules(
            effects.get(card_part),
            texts_only[card_part].in_language(face.lang).value if card_part in texts_only else None,
            printed_texts[card_part],
        )
        for card_part in parts
    }


def _number(number: int | None) -> str | None:
    return None if number is None else str(number)


def _same_effect(older_effect: ParsedEffect | None, current_effect: ParsedEffect | None) -> bool:
    """Whether two effects do the same: their trees are equal, or differ only in form."""
    if older_effect is None or current_effect is None or older_effect.sound != current_effect.sound:
        return older_effect is current_effect  # there is none in either
    older_role, current_role = older_effect.source.role, current_effect.source.role
    if fingerprint(older_effect.tree) == fingerprint(current_effect.tree) and older_role is current_role:
        return True
    return blocks(older_effect.tree, older_role) == blocks(current_effect.tree, current_role)


def wording_changes(older_face: Face, current_face: Face, behaviour: set[str]) -> Iterator[Difference]:
    """Yield the differences of texts that do not follow from a difference of behaviour."""
    if older_face.name != current_face.name:
        yield Difference("wording", "name", older_face.name, current_face.name)
    older_names, current_names = (
        [skill.name for skill in face.skills] for face in (older_face, current_face)
    )
    if older_names != current_names and len(older_names) == len(current_names):
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
