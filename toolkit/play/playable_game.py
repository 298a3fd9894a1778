"""A GAME of a project: the squads, mode and ruleset that it is played with, and what prevents it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec import Struct

from toolkit.data.checks.decks import squad_in_mode
from toolkit.data.effect_sources import own_words
from toolkit.data.model import CardSet, Mode, Ruleset, Squad
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import prevents_use
from toolkit.engine.log import GameLog, Match, Seed
from toolkit.project.pipeline import Workspace
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary.nearest import nearest
from toolkit.wording.languages import Words


def text_only_warnings(cards: CardSet, ids: Iterable[str]) -> tuple[Diagnostic, ...]:
    """Return a warning for each played card with text-only rules (E-1), in file order."""
    played_entries = [cards.printed_entry(entry_id) for entry_id in set(ids)]
    text_only_ids = {entry.id for entry in played_entries if entry is not None and cards.texts_only(entry)}
    if not text_only_ids:
        return ()
    language = cards.project.languages[0]
    return tuple(
        Diagnostic(
            "text-only",
            f"The text-only rules of `{card.id}` are not played.",
            cards.texts_only(card)[0].in_language(language).span,
            "Play them by hand, and judge what comes of them yourself.",
            card=card.id,
        )
        for card in cards.printed_entries()
        if card.id in text_only_ids
    )


def victory_sentences(mode: Mode, words: Words) -> Iterator[tuple[str, bool]]:
    """Yield how a GAME of a mode is won, each sentence with whether a number of the mode is in it."""
    captured = mode.victory_objectives_captured
    if captured is not None:
        key = "victory-objectives-1" if captured == 1 else "victory-objectives"
        yield words.say(key, number=captured), True
    if mode.victory_operators_out_or_hit:
        yield words.say("victory-operators"), False
    ties = f"; {words.say('tie-then')} ".join(words.say(f"tie-{tie}") for tie in mode.tie_break)
    if ties:
        yield f"{words.say('victory-rounds', rounds=mode.max_rounds)} {ties}.", True


class PlayRequest(Struct, frozen=True):
    """The match to play, by ids; None is the project's own mode and ruleset, and its first two squads."""

    squads: tuple[str, str] | None = None
    mode: str | None = None
    ruleset: str | None = None


def request_of(log: GameLog) -> PlayRequest:
    """Return the request for the match of a log."""
    squads = log.names("squads")
    return PlayRequest((squads["blue"], squads["red"]), str(log.header["mode"]), str(log.header["ruleset"]))


class Unplayable(PublicValue, Struct, frozen=True):
    """Why nothing can be played: a sentence about the request, or the findings of entries that it needs."""

    sentence: str = ""
    findings: tuple[Diagnostic, ...] = ()


def make_match(workspace: Workspace, request: PlayRequest, seed: Seed) -> Match | Unplayable:
    """Return the requested match, or why it cannot be played: no entry that it needs may have errors."""
    cards = workspace.cards
    ids = request.squads or tuple(cards.squads)[:2]
    if len(ids) < 2:
        return Unplayable("The project needs two squads: write them under `squads:`.")
    blue, red = (find_entry(workspace, cards.squads, name, "squad") for name in ids)
    rules = find_rules(workspace, request.mode, request.ruleset)
    if isinstance(blue, Unplayable):
        return blue
    if isinstance(red, Unplayable):
        return red
    if isinstance(rules, Unplayable):
        return rules
    mode, ruleset = rules
    used_ids = {mode.id, ruleset.id, *mode.objectives}
    for squad in (blue, red):
        used_ids |= {squad.id, *squad.operators, *squad.deck, *squad.item_deck}
    # the check compares squads with the project's mode, and this match may be in another one
    errors = [finding for finding in errors_of_used(workspace, used_ids) if finding.name not in _OF_LIMITS]
    limits = (finding for squad in (blue, red) for finding in squad_in_mode(cards, squad, mode))
    findings = tuple(dict.fromkeys((*errors, *limits)))
    if findings:
        return Unplayable(findings=findings)
    return Match(workspace.rules(mode, ruleset), blue, red, seed)


E = TypeVar("E", Squad, Mode, Ruleset)


def find_rules(
    workspace: Workspace, mode: str | None, ruleset: str | None = None
) -> tuple[Mode, Ruleset] | Unplayable:
    """Return a mode and a ruleset by id, None for the project's; or why one is missing."""
    cards = workspace.cards
    mode_entry = find_entry(workspace, cards.modes, mode or cards.project.mode, "mode")
    if isinstance(mode_entry, Unplayable):
        return mode_entry
    rules = find_entry(workspace, cards.rulesets, ruleset or cards.project.ruleset, "ruleset")
    return rules if isinstance(rules, Unplayable) else (mode_entry, rules)


def find_entry(workspace: Workspace, entries: dict[str, E], name: str | None, kind: str) -> E | Unplayable:
    """Return the entry with an id, without one the only entry; or why there is none."""
    entry = next(iter(entries.values())) if name is None and len(entries) == 1 else entries.get(name or "")
    if entry is not None:
        return entry
    cards = workspace.cards
    errors = tuple(finding for finding in workspace.findings if prevents_use(finding.name))
    if errors and (name in cards.broken_ids or cards.incomplete):
        of_entry = tuple(error for error in errors if error.card in (name, None))
        return Unplayable(findings=of_entry or errors)
    if name is None:
        return Unplayable(f"opforge.yaml names no {kind}; add `{kind}: …` with the id of one.")
    suggestion = nearest(name, entries)
    hint = f"Did you mean {suggestion!r}?" if suggestion else f"There are: {', '.join(entries) or 'none'}."
    return Unplayable(f"There is no {kind} {name!r}. {hint}")


def not_a_card(workspace: Workspace, card_id: str) -> Unplayable | None:
    """Return why an id is not a card, None if it is one: it belongs to another entry, or cannot be read."""
    if card_id in workspace.cards.cards:
        return None
    is_other_entry = any(entry.id == card_id for entry in workspace.cards.entries())
    errors = () if is_other_entry else workspace.errors_about({card_id})
    return Unplayable(findings=errors) if errors else Unplayable(f"{card_id!r} is not a card.")


_OF_LIMITS = ("squad-size", "squad-too-dear", "too-many-copies", "deck-size")


def errors_of_used(workspace: Workspace, used_ids: set[str]) -> Iterator[Diagnostic]:
    """Yield the errors of the entries with some ids, and of the project's own words that they use.

    If an entry is missing and has no error itself, any error may be the reason: a card with a mistyped id is
    broken under another id, or unknown because its file is broken. Then those errors follow, those in the
    project file last, or all if there are none of them.
    """
    errors = [finding for finding in workspace.findings if prevents_use(finding.name)]
    cards = workspace.cards
    used_ids = used_ids | own_words(cards, used_ids)
    yield from (finding for finding in errors if finding.card in used_ids)
    if used_ids <= {entry.id for entry in cards.entries()} | {finding.card for finding in errors}:
        return
    possible = [error for error in errors if error.card in (*cards.broken_ids, None)] or errors
    yield from sorted(possible, key=lambda finding: finding.span.file == cards.project.file)
