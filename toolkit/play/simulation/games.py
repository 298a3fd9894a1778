"""The games of a simulation: which game is which, what is counted in it, and chunks to play anywhere.

Game number *i* of a pair of SQUADs has a seed of its own, from the seed of the simulation, the pair and *i*,
and is played twice with sides changed. A chunk of such games is counted in whole numbers, so that the sum
over chunks is the same however they are cut and wherever they are played.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from statistics import median_low
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from toolkit import __version__
from toolkit.data.model import Squad
from toolkit.data.project_files import Folder, FolderListing
from toolkit.engine.actions import GameAction
from toolkit.engine.compiled_rules import CardRules, Rules
from toolkit.engine.decisions import Decision, Player, RandomDice
from toolkit.engine.log import fingerprints
from toolkit.engine.phases import Ending, new_game, play_game
from toolkit.engine.players import built_in
from toolkit.engine.state import SIDES, GameState, Side
from toolkit.play.playable_game import Unplayable, find_rules
from toolkit.play.simulation.drawn_cards import DrawnCards
from toolkit.project.pipeline import Workspace, open_project
from toolkit.source import SourceFile
from toolkit.source.short_repr import PublicValue

Pair = tuple[str, str]
"""The ids of two SQUADs."""

WON, DRAWN, LOST = "wdl"


class GameSetup(PublicValue, Struct, frozen=True):
    """All that games are played with, as values that another process or machine can be sent.

    ``texts`` are the YAML files of the project by path, so that a worker needs no files. ``players`` are the
    names of those who play the first and the second SQUAD of each pair. ``fingerprint`` is that of all cards
    that matter, and ``version`` the opforge in which it was made. ``blanks`` are the ids of cards that do
    nothing (``blank_of``); ``counts_draws`` says that ``Counts.draws`` is counted.
    """

    root: str
    texts: tuple[tuple[str, str], ...]
    mode: str
    ruleset: str
    squads: tuple[str, ...]
    players: tuple[str, str]
    seed: int
    fingerprint: str = ""
    version: str = __version__
    blanks: tuple[str, ...] = ()
    counts_draws: bool = False


class Chunk(PublicValue, Struct, frozen=True):
    """Games of a pair by their numbers, each of which is played twice: ``first`` and those after it."""

    pair: Pair
    first: int
    count: int


class Counts(PublicValue, Struct):
    """What is counted over games, each field a sum.

    ``outcomes`` is a letter for each game in the order in which they are numbered, as the pair's first SQUAD
    sees it: it is blue, and begins, in the first of two. ``rounds`` are games by the ROUND in which they
    ended, ``endings`` by what decided them (``Verdict.by``), ``bounded`` those in which a bound stopped
    something. ``actions`` says how often each ACTION was performed, ``cards`` how often an OPERATOR performed
    one, or another card was played, attached or taken. ``draws`` are games by what became in them of each
    card (``drawn_cards.Draw``).
    """

    outcomes: str = ""
    rounds: dict[int, int] = field(default_factory=dict)
    endings: dict[str, int] = field(default_factory=dict)
    bounded: int = 0
    actions: dict[str, int] = field(default_factory=dict)
    cards: dict[str, int] = field(default_factory=dict)
    draws: dict[str, int] = field(default_factory=dict)

    @property
    def games(self) -> int:
        """The number of games."""
        return len(self.outcomes)

    @property
    def score(self) -> float:
        """The games that the first SQUAD has won; a draw is a half."""
        return score_of(self.outcomes)

    def __add__(self, addend: Counts) -> Counts:
        """Return the sum of both, whose games come behind one another."""
        sums = {name: _sum(getattr(self, name), getattr(addend, name)) for name in self.__struct_fields__}
        return Counts(**sums)


def _sum(first: Any, second: Any) -> Any:
    """The sum of two numbers, two texts or two dictionaries of numbers."""
    if isinstance(first, dict):
        return dict(sorted((Counter(first) + Counter(second)).items()))
    return first + second


def score_of(outcomes: str) -> float:
    """Return the sum of games won; a draw is a half."""
    return outcomes.count(WON) + outcomes.count(DRAWN) / 2


# What is played


def setup_of(
    workspace: Workspace,
    squads: tuple[str, ...],
    players: tuple[str, str],
    seed: int,
    mode: str | None = None,
) -> GameSetup | Unplayable:
    """Return what games between SQUADs of a project are played with, or why there is none.

    Whether the SQUADs can be played is asked by ``make_match``.
    """
    rules = find_rules(workspace, mode)
    if isinstance(rules, Unplayable):
        return rules
    game_mode, ruleset = rules
    texts = project_texts(workspace)
    squad_entries = [workspace.cards.squads[squad] for squad in squads]
    fingerprint = _fingerprint(workspace.rules(game_mode, ruleset), squad_entries)
    root = str(workspace.root)
    return GameSetup(root, texts, game_mode.id, ruleset.id, squads, players, seed, fingerprint)


def _fingerprint(rules: Rules, squads: list[Squad]) -> str:
    prints = fingerprints(rules, squads)
    return hashlib.sha256(repr(sorted(prints.items())).encode()).hexdigest()[:12]


def game_seed(seed: int, pair: Pair, number: int) -> int:
    """Return the seed of a game, with which ``opforge play`` plays it again; the order of a pair is no
    matter."""
    text = f"{seed} {' '.join(sorted(pair))} {number}"
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:5], "big")


class _Table(Struct, frozen=True):
    """The rules and SQUADs of a setup, built once in each process."""

    rules: Rules
    squads: dict[str, Squad]


def project_texts(workspace: Workspace) -> tuple[tuple[str, str], ...]:
    """Return the YAML files of a project by path, which another process can be sent."""
    return tuple([(str(file.path), file.text) for file in workspace.cards.files])


def project_of(root: str, texts: tuple[tuple[str, str], ...]) -> Workspace:
    """Return the project that has these files."""
    files = {Path(path): SourceFile(Path(path), Path(path).name, text) for path, text in texts}
    listing = FolderListing(yaml_files=[*files], folders=[root])
    return open_project(Path(root), folder=Folder(listing, dict(files)))


@lru_cache(maxsize=4)
def table_of(setup: GameSetup) -> _Table:
    """Build what is played with from a setup. ``OtherCards`` if it is not what it was made from."""
    if setup.version != __version__:
        raise OtherCards(f"it has opforge {__version__}, and this is {setup.version}")
    workspace = project_of(setup.root, setup.texts)
    cards = workspace.cards
    rules = workspace.rules(cards.modes[setup.mode], cards.rulesets[setup.ruleset])
    squads = {squad: cards.squads[squad] for squad in setup.squads}
    fingerprint = _fingerprint(rules, [*squads.values()])
    if fingerprint != setup.fingerprint:
        raise OtherCards(f"its cards are {fingerprint}, and these are {setup.fingerprint}")
    blanks = {card: blank_of(rules.cards[card], rules.cards.values()) for card in setup.blanks}
    return _Table(replace(rules, cards={**rules.cards, **blanks}), squads)


def blank_of(card: CardRules, cards: Iterable[CardRules]) -> CardRules:
    """Return a card like it that does nothing; each VALUE of an OPERATOR is then the median of all."""
    operators = [operator for operator in cards if operator.kind == "operator"]
    values = card.values
    if card.kind == "operator":
        values = {stat: median_low([operator.values[stat] for operator in operators]) for stat in values}
    return replace(card, objects=(), text_only=(), keywords=(), values=values)


class OtherCards(Exception):
    """A worker would not play the same games: its opforge or its cards differ."""


# Playing


def play_chunk(setup: GameSetup, chunk: Chunk) -> Counts:
    """Play the games of a chunk and count them."""
    counts = Counts()
    for number in range(chunk.first, chunk.first + chunk.count):
        for changes_sides in (False, True):
            counts += play_one(setup, chunk.pair, number, changes_sides)
    return counts


def play_one(setup: GameSetup, pair: Pair, number: int, changes_sides: bool) -> Counts:
    """Play one game and count it; the first SQUAD of the pair is blue unless they change sides."""
    table, seed = table_of(setup), game_seed(setup.seed, pair, number)
    first_side: Side = "red" if changes_sides else "blue"
    seats = list(zip(pair, setup.players, strict=True))
    (blue, blue_player), (red, red_player) = reversed(seats) if changes_sides else seats
    state = new_game(table.rules, table.squads[blue], table.squads[red], Random(f"{seed} decks"))
    uses = Uses(table.rules, state)
    players: dict[Side, Player] = {
        "blue": uses.by(built_in(blue_player, table.rules, f"{seed} blue")),
        "red": uses.by(built_in(red_player, table.rules, f"{seed} red")),
    }
    drawn_cards = DrawnCards(state) if setup.counts_draws else None
    ending = play_game(state, table.rules, players, RandomDice(f"{seed} dice"))
    counts = _count(ending, first_side, uses)
    if drawn_cards is not None:
        outcomes = {side: _outcome(ending, side) for side in SIDES}
        draws = drawn_cards.draws({"blue": blue, "red": red}, outcomes, uses.played)
        counts.draws = dict(Counter(map(str, draws)))
    return counts


def _outcome(ending: Ending, side: Side) -> str:
    """How a game ended for a side."""
    winner = None if ending.verdict is None else ending.verdict.winner
    return DRAWN if winner is None else WON if winner == side else LOST


def _count(ending: Ending, first_side: Side, uses: Uses) -> Counts:
    """Return one game as counts."""
    verdict = ending.verdict
    return Counts(
        outcomes=_outcome(ending, first_side),
        rounds={ending.state.round: 1},
        endings={"stopped" if verdict is None else verdict.by: 1},
        bounded=int(verdict is None or ending.chain is not None),
        actions=dict(uses.actions),
        cards=dict(uses.cards + uses.taken_items()),
    )


_OF_CARDS = frozenset(("strategy", "attack_card", "late_attack_card", "defence_card"))
"""Decisions whose options are cards that are played or attached then."""


class Uses:
    """What both players use in a game: ACTIONs by name, and cards, also those that each has ``played``."""

    def __init__(self, rules: Rules, state: GameState) -> None:
        self.rules, self.state = rules, state
        self.actions: Counter[str] = Counter()
        self.cards: Counter[str] = Counter()
        self.played: dict[Side, set[str]] = {side: set() for side in SIDES}
        self._items_at_start = Counter(_items_in_decks(state))

    def by(self, player: Player) -> Player:
        """Return a player whose choices are counted."""
        return _CountedPlayer(player, self)

    def count(self, decision: Decision, index: int) -> None:
        """Count a choice, if something is used by it."""
        option = decision.options[index]
        if isinstance(option, GameAction):
            self.actions[option.name] += 1
            self.cards[self.state.operators[option.by].card] += 1
        elif decision.kind in _OF_CARDS and isinstance(option, str):
            self.cards[option] += 1
            self.played[decision.whose].add(option)

    def taken_items(self) -> Counter[str]:
        """Return the ITEMs that have left their DECKs since the beginning."""
        return self._items_at_start - Counter(_items_in_decks(self.state))


def _items_in_decks(state: GameState) -> Iterator[str]:
    """Yield the ITEMs that nobody has taken yet, of both players."""
    yield from state.blue.item_deck
    yield from state.red.item_deck


class _CountedPlayer(Struct):
    player: Player
    uses: Uses

    def answer(self, decision: Decision, state: GameState) -> int:
        index = self.player.answer(decision, state)
        self.uses.count(decision, index)
        return index
