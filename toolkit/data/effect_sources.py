"""Where the effects of a card set stand, and in which role."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from toolkit.data.model import (
    Action,
    BrokenEntry,
    Card,
    CardSet,
    Entry,
    Keyword,
    Mode,
    Objective,
    Ruleset,
    Text,
)
from toolkit.source import ScalarText
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary import Role

EffectBearer = Card | Objective | Keyword | Mode | Ruleset
"""What may have effects."""

CARD_ROLES = {
    "attack": Role.ATTACK,
    "defence": Role.DEFENCE,
    "effect": Role.EFFECT,
    "strategy": Role.STRATEGY,
    "item": Role.ITEM,
    "objective": Role.OBJECTIVE,
    "keyword": Role.KEYWORD,
}
_ACTION_ROLES = {
    role.value.removeprefix("action "): role for role in Role if role.value.startswith("action ")
}


class EffectSource(PublicValue, Struct, frozen=True):
    """One effect of the card files.

    ``part`` names it within its entry: ``effect``, ``skill 1``, ``teamwork``, ``suppression``,
    ``performance 1``, ``action move``. ``bearer`` is the OPERATOR whose SKILL it is. ``text`` and
    ``text_for`` are the hand-written rules text (a KEYWORD's ``reminder``) and the fingerprint it was written
    for.
    """

    entry: Entry
    part: str
    role: Role
    scalar: ScalarText
    bearer: Card | None = None
    text: Text | None = None
    text_for: ScalarText | None = None


def effect_sources(cards: CardSet) -> Iterator[EffectSource]:
    """Every effect of the project: cards in file order, then OBJECTIVEs, KEYWORDs, modes and rulesets, then
    doubled entries."""
    for entry in effect_bearers(cards):
        yield from sources_of(entry)


def effect_bearers(cards: CardSet) -> Iterator[EffectBearer]:
    """The entries that may have effects, in the same order."""
    yield from cards.cards.values()
    yield from cards.objectives.values()
    yield from cards.keywords.values()
    yield from cards.modes.values()
    yield from cards.rulesets.values()
    yield from (entry for entry in cards.doubled if isinstance(entry, EffectBearer))


def sources_of(entry: EffectBearer | BrokenEntry) -> Iterator[EffectSource]:
    """The effects of one entry."""
    if isinstance(entry, BrokenEntry):
        return _of_broken(entry)
    if isinstance(entry, Card):
        return card_sources(entry)
    if isinstance(entry, Objective | Keyword):
        return _of_one_effect(entry)
    return _of_mode(entry) if isinstance(entry, Mode) else _of_ruleset(entry)


def card_sources(card: Card) -> Iterator[EffectSource]:
    """The effects of one card: its SKILLs, or its effect."""
    for number, skill in enumerate(card.skills, 1):
        if skill.effect is not None:
            card_part = f"skill {number}"
            yield EffectSource(card, card_part, Role.SKILL, skill.effect, card, skill.text, skill.text_for)
    if card.effect is not None:
        role = CARD_ROLES[card.kind]
        yield EffectSource(card, "effect", role, card.effect, text=card.text, text_for=card.text_for)


def card_parts(card: Card) -> tuple[str, ...]:
    """The parts of a card under which its effects go, in the same order."""
    return tuple([card_part for card_part, bearer in card.parts.items() if bearer.effect is not None])


def _of_one_effect(entry: Objective | Keyword) -> Iterator[EffectSource]:
    """Yield the effect of an OBJECTIVE or a KEYWORD, if it has one."""
    if entry.effect is not None:
        text = entry.text if isinstance(entry, Objective) else entry.reminder
        role = Role.OBJECTIVE if isinstance(entry, Objective) else Role.KEYWORD
        yield EffectSource(entry, "effect", role, entry.effect, text=text, text_for=entry.text_for)


def _of_broken(entry: BrokenEntry) -> Iterator[EffectSource]:
    """Who bears a SKILL is left open: what the entry says of it may be what is wrong."""
    for card_part, scalar in entry.effects:
        word, _, action_or_number = card_part.partition(" ")
        if card_part == "effect":
            role = CARD_ROLES.get(entry.kind or "effect")
        elif word == "action":
            role = _ACTION_ROLES.get(action_or_number)
        else:
            role = Role(word)
        if role is not None:
            yield EffectSource(entry, card_part, role, scalar)


def _of_mode(mode: Mode) -> Iterator[EffectSource]:
    """Yield the texts of a game mode: its TEAMWORK and its PERFORMANCE."""
    if mode.teamwork is not None:
        yield EffectSource(mode, "teamwork", Role.TEAMWORK, mode.teamwork)
    for number, effect in enumerate(mode.performance, 1):
        yield EffectSource(mode, f"performance {number}", Role.PERFORMANCE, effect)


def _of_ruleset(ruleset: Ruleset) -> Iterator[EffectSource]:
    """Yield the texts of a ruleset: its SUPPRESSION and those of its ACTIONs."""
    if ruleset.suppression is not None:
        yield EffectSource(ruleset, "suppression", Role.SUPPRESSION, ruleset.suppression)
    for action in ruleset.actions.values():
        yield from _of_action(ruleset, action)


def _of_action(ruleset: Ruleset, action: Action) -> Iterator[EffectSource]:
    role = _ACTION_ROLES.get(action.id)
    if action.effect is not None and role is not None:  # an ACTION of no known name is a finding already
        card_part = f"action {action.id}"
        yield EffectSource(
            ruleset, card_part, role, action.effect, text=action.text, text_for=action.text_for
        )


_OWN_WORD = re.compile(r'\b(?:KEYWORD|MARKER)\s+"([^"\n]*)"')


def own_words(cards: CardSet, ids: Iterable[str]) -> set[str]:
    """The KEYWORDs and markers that some entries have, give or ask for, by id, existing or not."""
    own_names: set[str] = set()
    unread_entries = [cards.find(entry_id) for entry_id in ids]
    while unread_entries:
        entry = unread_entries.pop()
        if not isinstance(entry, EffectBearer):
            continue
        texts = [source.scalar.value for source in sources_of(entry)]
        names = {name for text in texts for name in _OWN_WORD.findall(text)}
        names.update(entry.keywords if isinstance(entry, Card) else ())
        # the effect of a KEYWORD may name further ones
        unread_entries += [cards.keywords[name] for name in names - own_names if name in cards.keywords]
        own_names |= names
    return own_names
