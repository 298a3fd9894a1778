"""A project for scripts: ``toolkit.open("cards")`` returns it, and its cards are values that lead on.

    import toolkit

    project = toolkit.open("cards")
    viper = project.card("viper")
    attack = project.attack("viper", "bishop", seed=3)

What a script asks wrongly raises ``ProjectError`` with a sentence. Nothing is written before ``save``. What
draws, compares and writes is imported when it is first used: it takes 0.2 s.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from toolkit.data.model import Card as CardEntry
from toolkit.data.model import Objective
from toolkit.data.project_files import Target, find_project, no_project
from toolkit.diagnostics import Diagnostic
from toolkit.engine.state import SIDES, Side
from toolkit.play.attack.request import DEFAULT_SEED, AttackRequest, PlayedAttack, Refused
from toolkit.play.attack.run import play_attack
from toolkit.play.odds.fair_power import fair_power_findings
from toolkit.play.odds.measures import GOALS, Goal
from toolkit.play.odds.request import Odds, OddsRequest, find_odds
from toolkit.play.playable_game import Unplayable
from toolkit.play.scenarios.playing import TestRun
from toolkit.play.scenarios.runner import run_scenarios
from toolkit.project.checks import CheckRequest, reported_findings
from toolkit.project.output import Refusal, difference, save_all
from toolkit.project.pipeline import ParsedEffect, open_project
from toolkit.scripting.arguments import given, given_path, request_of
from toolkit.scripting.problems import ProjectError, error_of
from toolkit.source.short_repr import short_repr
from toolkit.vocabulary import STATS
from toolkit.vocabulary.nearest import did_you_mean

if TYPE_CHECKING:
    from toolkit.play.simulation.simulating import Tally
    from toolkit.products.changes.change_model import Changes
    from toolkit.project.output import Change, Outcome
    from toolkit.scripting.writing import Values, Written

PathLike = str | os.PathLike[str]
Attack = AttackRequest | tuple[str, str]
"""An attack to play: a request, or the ids of attacker and target."""

NOTEBOOK_DPI = 110
"""The resolution of a card in a notebook: about 280 by 390 pixels."""


def open(path: PathLike = ".") -> Project:
    """Open the project of a path: its folder, anything in it, or a folder with ``cards`` in it.

    Raises ``ProjectError`` where there is none. What is wrong with its cards are its ``findings``.
    """
    return Project(path)


class Project:
    """An open project, as ``open`` returns it. Its values are as in its files, or as they were set since.

    ``root`` is its folder, ``workspace`` the loaded project that the functions of ``toolkit`` take.
    """

    def __init__(self, path: PathLike) -> None:
        folder = given_path(path)
        root = find_project(folder) or find_project(folder / "cards")
        if root is None:
            raise ProjectError(no_project(folder))
        self.root = root
        self._as_saved = self.workspace = open_project(root)
        self._values: dict[str, dict[str, Written]] = {}  # that were set, by card and key
        self._changes: tuple[Change, ...] = ()  # of files, to have those values

    def __repr__(self) -> str:
        return short_repr(self, [("", str(self.root)), ("cards", len(self.cards))])

    def _repr_html_(self) -> str:
        """Return all cards as a table, for notebooks."""
        headings: Row = ("name", "kind", "TEAM", "SQUADPOINTS", *STATS)
        return f"<table>{''.join(map(_html_row, [headings, *map(_row, self.cards)]))}</table>"

    @property
    def name(self) -> str:
        """The name of the project."""
        return self.workspace.cards.project.name

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of its cards; the first is used where none is named."""
        return self.workspace.cards.project.languages

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards that can be read in file order, then the OBJECTIVEs."""
        return tuple(Card(self, entry.id) for entry in self.workspace.cards.printed_entries())

    def card(self, card_id: str) -> Card:
        """Return the card or OBJECTIVE with an id."""
        cards = self.workspace.cards
        given("card", card_id, str)
        if cards.printed_entry(card_id) is not None:
            return Card(self, card_id)
        errors = [finding for finding in self.workspace.errors if finding.card == card_id]
        if card_id in cards.broken_ids and errors:
            raise error_of(Unplayable(findings=tuple(errors)))
        hint = did_you_mean(card_id, [card.id for card in cards.printed_entries()])
        raise ProjectError(f"There is no card {card_id!r} in {self.root.name}.{hint}")

    @property
    def effects(self) -> tuple[ParsedEffect, ...]:
        """All effects that can be read: of cards, OBJECTIVEs, KEYWORDs, modes and rulesets."""
        return tuple(self.workspace.effects.values())

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The findings that ``opforge check`` reports, without those of plug-ins, which may ask for these."""
        findings = (*self.workspace.findings, *fair_power_findings(self.workspace))
        all_files: Target = (self.root, None)
        request = CheckRequest([all_files], date.today().isoformat())
        return reported_findings(replace(self.workspace, findings=findings), request)

    def text(self, language: str | None = None) -> str:
        """Return the rules text of all cards in a language."""
        from toolkit.products.rules_texts import rules_plain

        return rules_plain(self.workspace, (), self.language(language))

    def language(self, language: str | None) -> str:
        """Return a language of the project, without one the first."""
        unknown = self.workspace.unknown_language(language)
        if unknown is not None:
            raise ProjectError(unknown)
        return language or self.languages[0]

    def attack(self, attacker: str, target: str, **options: Any) -> PlayedAttack:
        """Play one attack; ``options`` are the fields of an ``AttackRequest`` (``seed``, ``dice``, …).

        Raises ``ProjectError`` also where the rules forbid it.
        """
        played = self._played(request_of(AttackRequest, attacker=attacker, target=target, **options))
        if isinstance(played, Refused):
            raise ProjectError(played.refusal.sentence)
        return played

    def attacks(self, attacks: Iterable[Attack], seed: int = DEFAULT_SEED) -> list[PlayedAttack | Refused]:
        """Play attacks, one after the other; one that the rules forbid is ``Refused``.

        The dice of pairs of ids are rolled from ``seed`` for the first, from ``seed + 1`` for the second, …
        """
        first_seed = given("seed", seed, int)
        if not isinstance(attacks, Iterable):
            raise ProjectError(f"attacks: expected `list`, got `{type(attacks).__name__}`.")
        return [
            self._played(_attack_request(attack, first_seed + number))
            for number, attack in enumerate(attacks)
        ]

    def _played(self, request: AttackRequest) -> PlayedAttack | Refused:
        """Play an attack, unless the rules forbid it; raises ``ProjectError`` for errors of the cards."""
        played = play_attack(self.workspace, request)
        if isinstance(played, Unplayable):
            raise error_of(played)
        return played

    def odds(
        self,
        attacker: str,
        target: str,
        *,
        goal: Goal = "damage",
        hands: Mapping[Side, Sequence[str]] | None = None,
        mode: str | None = None,
    ) -> Odds:
        """Return the exact odds of an attack; ``hands`` are cards of ``blue`` (who attacks) and ``red``."""
        _reject_unknown("goal", [goal], GOALS)
        sides = given("hands", hands or {}, dict[str, tuple[str, ...]]).keys()
        _reject_unknown("side", sides, SIDES)
        request = request_of(
            OddsRequest, attacker=attacker, target=target, hands=hands or {}, mode=mode, goal=goal
        )
        odds = find_odds(self.workspace, request)
        if not isinstance(odds, Odds):
            raise error_of(odds)
        return odds

    def games(
        self,
        *squads: str,
        games: int = 400,
        seed: int = 0,
        players: tuple[str, str] = ("greedy", "greedy"),
        mode: str | None = None,
        jobs: int = 1,
    ) -> Tally:
        """Play games between SQUADs, each pair of those named or of all, and return what is counted in them.

        ``games`` is even: each is played twice, with sides changed. With more ``jobs`` than 1 they are played
        in as many processes, which import the script: what it does must then stand below
        ``if __name__ == "__main__":``.
        """
        from toolkit.engine.players import BUILT_IN
        from toolkit.play.simulation.simulating import SimulationRequest, plan_of, play_plan
        from toolkit.play.simulation.workers import local_workers

        request = request_of(
            SimulationRequest, squads=squads, games=games, seed=seed, players=players, mode=mode
        )
        _reject_unknown("player", request.players, BUILT_IN)
        if games < 2 or games % 2:
            raise ProjectError(f"{games} games cannot be played twice each: it must be an even number.")
        if given("jobs", jobs, int) < 1:
            raise ProjectError(f"{jobs} processes can play nothing.")
        plan = plan_of(self.workspace, request)
        if isinstance(plan, Unplayable):
            raise error_of(plan)
        workers = local_workers(jobs)
        try:
            *_, tally = play_plan(plan, workers)  # the last of the sums, which grow with each chunk of games
        finally:
            workers.close()
        return tally

    def sheet(self, output: PathLike, **options: Any) -> Outcome:
        """Print the cards to a PDF; ``options`` are the fields of a ``SheetRequest`` (``language``, …)."""
        from toolkit.products.sheets.write_sheets import SheetRequest, write_sheet

        request = request_of(SheetRequest, output=given_path(output), **options)
        outcome = write_sheet(self.workspace, request)
        if isinstance(outcome, Refusal):
            raise error_of(outcome)
        return outcome

    def test(self) -> TestRun:
        """Play all scenarios of the project."""
        return run_scenarios(self.workspace, [self.root])

    def changes(self, older: Project | PathLike, language: str | None = None) -> Changes:
        """Return what changed since an older version: an open project, a folder, or a git revision."""
        from toolkit.products.changes.comparison import changes_between, changes_since

        language = self.language(language)
        if isinstance(older, Project):
            changes = changes_between(older.root, older._texts(), self.workspace, language)
        else:
            changes = changes_since(self.workspace, os.fspath(given_path(older)), language)
        if isinstance(changes, Refusal):
            raise error_of(changes)
        return changes

    def set(self, values: Values) -> None:
        """Set values of cards: ``project.set({"viper": {"ap": 5}, "bishop": {"dp": None}})``.

        Keys are as in the files, with a language (``name.de``) or the number of a SKILL (``skill1.effect``);
        None removes a key. Files are written by ``save`` only. Raises ``ProjectError``, and sets nothing, if
        a value would be an error.
        """
        from toolkit.scripting.writing import checked_values, plan_values

        all_values: dict[str, dict[str, Written]] = {
            card_id: {**earlier_values} for card_id, earlier_values in self._values.items()
        }
        for card_id, new_values in given("values", values, dict).items():
            all_values.setdefault(self.card(card_id).id, {}).update(checked_values(card_id, new_values))
        self._changes = plan_values(self._as_saved, all_values)
        self._values = all_values
        self.workspace = open_project(self.root, self._texts()) if self._changes else self._as_saved

    def _texts(self) -> dict[Path, str]:
        """Return the texts of the files that differ from those on disk, by path."""
        return {change.file.path: change.after for change in self._changes}

    def difference(self) -> str:
        """Return what ``save`` will write, as a unified diff."""
        return "".join(map(difference, self._changes))

    def save(self) -> tuple[Path, ...]:
        """Write the values that were set, and return the changed files; comments and order stay.

        Raises ``ProjectError``, and writes nothing, if a file has changed in the meantime.
        """
        changes = self._changes
        problems = save_all(changes)
        if problems:
            raise ProjectError(" ".join(problems))
        self._values, self._changes = {}, ()
        self._as_saved = self.workspace = open_project(self.root)
        return tuple(change.file.path for change in changes)


class Card:
    """A card or OBJECTIVE of an open project by its ``id``; its values are those that the project has now."""

    __slots__ = ("id", "project")

    def __init__(self, project: Project, card_id: str) -> None:
        self.project, self.id = project, card_id

    def __repr__(self) -> str:
        return short_repr(self, [("", self.id)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Card) and (self.project, self.id) == (other.project, other.id)

    def __hash__(self) -> int:
        return hash((self.project, self.id))

    @property
    def entry(self) -> CardEntry | Objective:
        """The entry of the file, with everything that is written there and its place."""
        entry = self.project.workspace.cards.printed_entry(self.id)
        if entry is None:
            raise ProjectError(f"There is no card {self.id!r} any more.")
        return entry

    @property
    def name(self) -> str:
        """The printed name in the first language of the project."""
        return self.name_in(self.project.languages[0])

    def name_in(self, language: str) -> str:
        """Return the printed name in a language."""
        return self.entry.name.in_language(self.project.language(language)).value

    @property
    def kind(self) -> str:
        """``operator``, ``attack``, ``defence``, ``effect``, ``strategy``, ``item`` or ``objective``."""
        return getattr(self.entry, "kind", "objective")

    @property
    def team(self) -> str | None:
        """The id of the TEAM of an OPERATOR."""
        return getattr(self.entry, "team", None)

    @property
    def squadpoints(self) -> int:
        """The price of an OPERATOR; 0 of other cards."""
        return getattr(self.entry, "squadpoints", 0)

    @property
    def stats(self) -> dict[str, int]:
        """The VALUEs of an OPERATOR by name (``AP``); empty for other cards."""
        return dict(getattr(self.entry, "stats", {}))

    @property
    def traits(self) -> tuple[str, ...]:
        """The traits of an OPERATOR."""
        return getattr(self.entry, "traits", ())

    @property
    def quantity(self) -> int:
        """How many copies are printed."""
        return self.entry.quantity

    @property
    def effects(self) -> tuple[ParsedEffect, ...]:
        """The effects that can be read: those of the SKILLs of an OPERATOR, or the one of another card."""
        return tuple(self.project.workspace.effects_of(self.id))

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """The findings about it."""
        return tuple(finding for finding in self.project.findings if finding.card == self.id)

    def text(self, language: str | None = None) -> str:
        """Return the rules text with its name, in a language."""
        from toolkit.products.rules_texts import rules_plain

        return rules_plain(self.project.workspace, (self.id,), self.project.language(language))

    def picture(self, dpi: int = 300, language: str | None = None) -> bytes:
        """Return the front as it is printed, as a PNG."""
        from toolkit.products.cards.card_files import draw_card

        png = draw_card(self.project.workspace, self.id, dpi, self.project.language(language))
        if isinstance(png, Refusal):
            raise error_of(png)
        return png

    def _repr_png_(self) -> bytes | None:
        """Return its picture, for notebooks; None if it cannot be drawn."""
        try:
            return self.picture(NOTEBOOK_DPI)
        except ProjectError:
            return None

    def set(self, key: str, value: Written) -> None:
        """Set a value of the card, as ``Project.set`` does."""
        self.project.set({self.id: {key: value}})


def _attack_request(attack: Attack, seed: int) -> AttackRequest:
    """Return the request of an attack, which may be given as the ids of attacker and target."""
    if isinstance(attack, AttackRequest):
        return attack
    attacker, target = given("An attack", attack, tuple[str, str])
    return AttackRequest(attacker, target, seed=seed)


def _reject_unknown(kind: str, words: Iterable[str], known_words: Iterable[str]) -> None:
    for word in words:
        if word not in known_words:
            raise ProjectError(f"There is no {kind} {word!r}; there are: {', '.join(known_words)}.")


Row = tuple[object, ...]


def _html_row(row: Row) -> str:
    cells = "".join(f"<td>{escape(str(cell))}</td>" for cell in row)
    return f"<tr>{cells}</tr>"


def _row(card: Card) -> Row:
    stats = [card.stats.get(stat, "") for stat in STATS]
    return (card.name, card.kind, card.team or "", card.squadpoints or "", *stats)
