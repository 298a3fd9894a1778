"""What is asked of ``opforge attack``, what can come of it, and the errors that prevent it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from toolkit.data.model import Mode, Ruleset
from toolkit.data.scenarios import Script
from toolkit.diagnostics import Diagnostic
from toolkit.diagnostics.catalogue import hinders
from toolkit.effects.objects import Origin
from toolkit.engine.explaining.explanation import Explanation
from toolkit.engine.explaining.origins import Origins
from toolkit.engine.outcomes import Outcome, Refusal
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState
from toolkit.pipeline import Workspace
from toolkit.source.paths import absolute
from toolkit.vocabulary.nearest import nearest

DEFAULT_SEED = 1


class AttackRequest(Struct, frozen=True):
    """An attack that somebody wants to see.

    ``attacker`` and ``target`` are ids of OPERATORs; with a scenario also ``blue.viper``. ``scenario`` is a
    file and a name (or a part of it, or None if the file has only one). ``dice`` None: by ``seed``.
    ``critical`` answers for each critical die in the order rolled, ``reroll`` names dice as rolled from 1.
    ``choose``, ``either`` and ``performance`` answer what effects and K-1 ask, in order: OPERATORs as
    they are written, ``first`` or ``second``, and ``draw`` or the OPERATOR who is to bear the ITEM.
    ``mode`` None is the project's. Cards are ids; None is no card. ``after`` is the number of steps of the
    scenario that are played before.
    """

    attacker: str
    target: str
    scenario: tuple[Path, str | None] | None = None
    dice: tuple[int, ...] | None = None
    seed: int = DEFAULT_SEED
    attack_card: str | None = None
    defence_card: str | None = None
    late_attack_card: str | None = None
    critical: tuple[str, ...] = ()
    reroll: tuple[int, ...] = ()
    choose: tuple[str, ...] = ()
    either: tuple[str, ...] = ()
    performance: tuple[str, ...] = ()
    after: int = 0
    mode: str | None = None
    language: str | None = None

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that are to be attached."""
        named = (self.attack_card, self.defence_card, self.late_attack_card)
        return tuple(card for card in named if card is not None)


class WrongUse(Struct, frozen=True):
    """What was asked for does not make sense; ``message`` says why, with a next step."""

    message: str


class Unsound(Struct, frozen=True):
    """The attack was not played: what it needs has these errors."""

    findings: tuple[Diagnostic, ...]


class Refused(Struct, frozen=True):
    """The rules forbid the attack; ``because`` are the effects that do, where it is effects."""

    refusal: Refusal
    because: tuple[Origin, ...]
    origins: Origins


class Told(Struct, frozen=True):
    """An attack that was played.

    ``before`` is the state in which it began, ``after`` the one after it; ``rolled`` are all dice in the
    order rolled; ``notes`` say what was given and not needed, or asked and not given.
    """

    request: AttackRequest
    rules: Rules
    origins: Origins
    scenario: Script | None
    before: GameState
    after: GameState
    outcome: Outcome
    explained: Explanation
    rolled: tuple[int, ...]
    notes: tuple[str, ...]


_KINDS = {"operator": "OPERATOR", "attack": "ATTACK card", "defence": "DEFENCE card"}

Entry = TypeVar("Entry", Mode, Ruleset)


def unknown(workspace: Workspace, request: AttackRequest) -> WrongUse | None:
    """The first id that is none, or an attacker or target who is no OPERATOR.

    A card that cannot be attached for its kind is for the rules to refuse.
    """
    cards, broken = workspace.cards.cards, workspace.cards.broken_ids
    for name, kind in _named(request):
        if name not in cards and name not in broken and not workspace.cards.incomplete:
            fitting = [card.id for card in cards.values() if card.kind == kind]
            near = nearest(name, fitting) or nearest(name, cards)
            hint = f" Did you mean {near!r}?" if near else ""
            return WrongUse(f"There is no {_KINDS[kind]} {name!r} in {workspace.root.name}.{hint}")
        if kind == "operator" and name in cards and cards[name].kind != kind:
            return WrongUse(f"{name!r} is no OPERATOR, and only OPERATORs attack and are attacked.")
    return None


def ids_of(request: AttackRequest) -> list[str]:
    """All cards that the request names."""
    return [name for name, _ in _named(request)]


def _named(request: AttackRequest) -> Iterator[tuple[str, str]]:
    """Ids with the kind of card that they should be."""
    for person in (request.attacker, request.target):
        yield (person.rpartition(".")[2] if request.scenario is not None else person), "operator"
    for card, kind in (
        (request.attack_card, "attack"),
        (request.defence_card, "defence"),
        (request.late_attack_card, "attack"),
    ):
        if card is not None:
            yield card, kind


def errors(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Those that keep an attack from being played."""
    return tuple(finding for finding in findings if hinders(finding.name))


def unsound(workspace: Workspace, ids: Iterable[str]) -> Unsound | None:
    """The errors of entries that are needed."""
    found = workspace.errors_about(set(ids))
    return Unsound(found) if found else None


def errors_of_file(workspace: Workspace, file: Path) -> Unsound | None:
    """The errors of a file, where what was looked for in it may be."""
    path = absolute(file)
    found = errors(finding for finding in workspace.findings if finding.span.file.path == path)
    return Unsound(found) if found else None


def rules_of(workspace: Workspace, mode: str | None) -> tuple[Mode, Ruleset] | Unsound | WrongUse:
    """The mode (None: the project's) and the project's ruleset."""
    cards = workspace.cards
    found = _chosen(cards.modes, mode or cards.project.mode)
    ruleset = _chosen(cards.rulesets, cards.project.ruleset)
    if found is None:
        return without_rules(workspace, mode, "mode")
    if ruleset is None:
        return without_rules(workspace, None, "ruleset")
    return unsound(workspace, (found.id, ruleset.id)) or (found, ruleset)


def without_rules(workspace: Workspace, name: str | None, what: str) -> Unsound | WrongUse:
    """Why there is no mode or ruleset to play by: the errors of the one that is named, or wrong use."""
    cards = workspace.cards
    named = name or (cards.project.mode if what == "mode" else cards.project.ruleset)
    known = cards.modes if what == "mode" else cards.rulesets
    found = errors(workspace.findings)
    if found and (named in cards.broken_ids or cards.incomplete):
        return Unsound(found)
    if named is None:
        return WrongUse(f"opforge.yaml names no {what}; add `{what}: …` with the id of one.")
    near = nearest(named, known)
    hint = f"Did you mean {near!r}?" if near else f"There are: {', '.join(known) or 'none'}."
    return WrongUse(f"There is no {what} {named!r}. {hint}")


def _chosen(known: dict[str, Entry], name: str | None) -> Entry | None:
    """The one that is named; without a name the only one there is."""
    if name is None and len(known) == 1:
        return next(iter(known.values()))
    return known.get(name) if name is not None else None
