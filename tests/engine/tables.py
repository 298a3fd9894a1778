"""Small projects for the engine's tests, and short ways to set up and play a state."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.engine.values import Outcome, ScriptedDice, current_number, perform, play_card, with_operator
from toolkit.data.model import Options
from toolkit.data.project_files import Folder, read_folder
from toolkit.diagnostics.catalogue import severity_of
from toolkit.engine.actions import GameAction
from toolkit.engine.compiled_rules import Rules, build_rules
from toolkit.engine.decisions import Player, ScriptedPlayer
from toolkit.engine.outcomes import Refusal
from toolkit.engine.state import GameState, Key, OperatorState, PlayerState, Side
from toolkit.project.pipeline import Cache, Workspace, open_project

SHIPPED = Path(__file__).parent.parent.parent / "cards"
PROJECT = """\
project: Test
languages: [en]
ruleset: core
mode: plain
"""
CORE = """
rulesets:
  - id: core
    suppression: when attacking, if DP of self - HITCOUNTER of self < DP VALUE of self, self halves AP.
    actions:
      attack: {limit: unlimited}
      move: {limit: 2, effect: self gets -1 EP and -3 DP until end of TURN.}
      medic: {limit: 1, effect: target gets +3 DP while on the FIELD.}
      evade: {limit: unlimited, effect: self gets +1 EP for each MP of self until end of TURN.}
      reload: {limit: 1, effect: owner draws 1 card.}
"""
TEAMS = """
teams:
  - {id: red-team, name: Red}
"""
MODE = """
objectives:
  - {id: hill, name: Hill, value: 4}
  - {id: well, name: Well, value: 6}
modes:
  - id: plain
    name: Plain
    objectives: [hill, well, hill, well]
"""


@cache
def shipped() -> Workspace:
    """The shipped set, opened once."""
    return open_project(SHIPPED)


@cache
def _nothing_on_disk() -> tuple[Path, Folder, Cache]:
    """An empty folder, and what was read in it: hundreds of projects differ in nothing but their cards."""
    with TemporaryDirectory() as name:
        root = Path(name).resolve()
        return root, read_folder(root), Cache()


@cache
def project(cards: str, core: str = CORE, mode: str = MODE) -> Workspace:
    """A project of these cards; it must have no errors."""
    lone = sorted(set(re.findall(r"team: (alone-[a-z-]+),", cards)))
    teams = TEAMS + "".join(f"  - {{id: {team}, name: Alone}}\n" for team in lone)
    root, folder, read_before = _nothing_on_disk()
    texts = {"opforge.yaml": PROJECT, "cards.yaml": cards, "core.yaml": core, "teams.yaml": teams}
    overlay = {root / name: text for name, text in {**texts, "mode.yaml": mode}.items()}
    found = open_project(root, overlay, read_before, folder)
    errors = [finding for finding in found.findings if severity_of(finding.name) == "error"]
    assert not errors, errors
    return found


@cache
def rules_of(workspace_id: int, mode: str, ruleset: str, options: Options | None) -> Rules:
    workspace = _WORKSPACES[workspace_id]
    effects = {place: compiled.objects for place, compiled in workspace.effects.items()}
    cards = workspace.cards
    return build_rules(cards, effects, cards.modes[mode], cards.rulesets[ruleset], options)


_WORKSPACES: dict[int, Workspace] = {}


def rules(workspace: Workspace, mode: str, options: Options | None = None) -> Rules:
    """The tables of a mode under `core`."""
    _WORKSPACES[id(workspace)] = workspace
    return rules_of(id(workspace), mode, "core", options)


class Table:
    """A state on the table, and short ways to play on it. OPERATORs are named by card id or `red.id`."""

    def __init__(self, rules: Rules, blue: str, red: str = "", **given: object) -> None:
        self.rules = rules
        rows = {"blue": blue.split(), "red": red.split()}
        operators: list[OperatorState] = []
        players: dict[str, PlayerState] = {}
        for side in ("blue", "red"):
            field: list[Key | None] = [None] * rules.field_positions
            for position, card in enumerate(rows[side]):
                if card != "~":
                    field[position] = len(operators)
                    operators.append(OperatorState(len(operators), card, side, position=position))
            players[side] = PlayerState(tuple(field), objectives=rules.objectives)
        self.state = GameState(tuple(operators), players["blue"], players["red"])
        for key, value in given.items():
            side, _, what = key.partition("_")
            assert side in ("blue", "red")
            held = tuple(str(value).split())
            setattr(self.state.player(side), what, held)
        self.answers: dict[Side, dict[str, list[object]]] = {"blue": {}, "red": {}}
        self.last: Outcome | Refusal | None = None

    def key(self, name: str) -> Key:
        side, _, card = name.rpartition(".")
        found = [who.key for who in self.state.operators if who.card == card and side in ("", who.side)]
        assert len(found) == 1, f"{name}: {found}"
        return found[0]

    def who(self, name: str) -> OperatorState:
        return self.state.operators[self.key(name)]

    def give(self, name: str, **values: object) -> Table:
        self.state = with_operator(self.state, self.key(name), **values)
        return self

    def number(self, name: str, stat: str) -> int:
        return current_number(self.state, self.rules, self.key(name), stat)

    def answer(self, side: Side, **answers: list[object]) -> Table:
        for kind, given in answers.items():
            if kind in ("choose", "item_to"):
                given = [None if name is None else self.key(str(name)) for name in given]
            self.answers[side][kind] = given
        return self

    def players(self) -> dict[Side, Player]:
        return {side: ScriptedPlayer(answers) for side, answers in self.answers.items()}

    def do(
        self,
        name: str,
        by: str,
        on: str | None = None,
        *,
        swap: str | None = None,
        dice: tuple[int, ...] = (),
        exhausts: bool = False,
        **wishes: object,
    ) -> Outcome:
        outcome = self.attempt(name, by, on, swap=swap, dice=dice, exhausts=exhausts, **wishes)
        assert isinstance(outcome, Outcome), outcome
        self.state = outcome.state
        return outcome

    def attempt(
        self,
        name: str,
        by: str,
        on: str | None = None,
        *,
        swap: str | None = None,
        dice: tuple[int, ...] = (),
        exhausts: bool = False,
        **wishes: object,
    ) -> Outcome | Refusal:
        action = GameAction(
            name,  # type: ignore[arg-type]
            self.key(by),
            None if on is None else self.key(on),
            None if swap is None else self.key(swap),
            **wishes,  # type: ignore[arg-type]
        )
        source = ScriptedDice(dice)
        outcome = perform(self.state, self.rules, action, self.players(), source, exhausts=exhausts)
        if isinstance(outcome, Outcome):
            assert source.unused == (), f"dice were not rolled: {source.unused}"
        self.last = outcome
        return outcome

    def refused(self, name: str, by: str, on: str | None = None, **more: object) -> str:
        """The id of the rule that forbids it."""
        outcome = self.attempt(name, by, on, **more)  # type: ignore[arg-type]
        assert isinstance(outcome, Refusal), "it was allowed"
        assert outcome.sentence
        return outcome.rule_id

    def attack(self, by: str, on: str, *dice: int, **wishes: object) -> tuple[int, int]:
        """Attack, and the AP and EP that were compared."""
        result = self.do("attack", by, on, dice=dice or (1, 1), **wishes).attack
        assert result is not None
        return result.ap, result.ep

    def play(
        self, side: Side, card: str, dice: tuple[int, ...] = (), drawn: tuple[object, ...] = ()
    ) -> Outcome:
        outcome = play_card(self.state, self.rules, side, card, self.players(), ScriptedDice(dice, drawn))
        assert isinstance(outcome, Outcome), outcome
        self.state = outcome.state
        return outcome


def operator(
    name: str,
    *skills: str,
    ap: int = 4,
    ep: int = 3,
    dp: int = 6,
    mp: int = 2,
    team: str | None = None,
    traits: str = "",
) -> str:
    """An entry of `cards`: an OPERATOR, in a TEAM of its own if none is named."""
    team = team or f"alone-{name}"
    lines = [
        f"  - {{id: {name}, kind: operator, name: {name}, team: {team}, squadpoints: 3,",
        f"     ap: {ap}, ep: {ep}, dp: {dp}, mp: {mp}, traits: [{traits}],",
        f"     skills: [{', '.join(f'{{name: S, effect: {skill!r}}}' for skill in skills)}]}}",
    ]
    return "\n".join(lines) + "\n"


def card(name: str, kind: str, effect: str) -> str:
    """An entry of `cards` of another kind."""
    return f"  - {{id: {name}, kind: {kind}, name: {name}, effect: {effect!r}}}\n"


def table(
    cards: list[str], blue: str, red: str = "", *, options: Options | None = None, **given: object
) -> Table:
    """A table with cards of a test's own."""
    return Table(rules(project("cards:\n" + "".join(cards)), "plain", options), blue, red, **given)


def of_shipped(blue: str, red: str = "", *, options: Options | None = None, **given: object) -> Table:
    """A table with the shipped set in `skirmish`."""
    return Table(rules(shipped(), "skirmish", options), blue, red, **given)
