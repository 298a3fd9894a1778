"""What things are called in a GAME in the terminal: names by language, and states in words."""

from __future__ import annotations

import re

from msgspec import Struct, field

from toolkit.data.model import Mode
from toolkit.engine.actions import GameAction
from toolkit.engine.decisions import Decision, DieOption
from toolkit.engine.state import GameState, Key, OperatorState
from toolkit.project.workspace import Workspace
from toolkit.wording.reference import say

_ID = re.compile(r"(?<![\w-])(?:(blue|red)\.)?([a-z0-9]+(?:-[a-z0-9]+)*)(?![\w-])")


class Names(Struct):
    """Printed names of a project's entries in a language."""

    workspace: Workspace
    language: str
    _found: dict[str, str] = field(default_factory=dict)

    def card(self, entry: str) -> str:
        """The printed name of a card, OBJECTIVE or squad; its id if it has none."""
        if entry not in self._found:
            cards = self.workspace.cards
            known = cards.cards.get(entry) or cards.objectives.get(entry) or cards.squads.get(entry)
            self._found[entry] = known.name.in_language(self.language).value if known else entry
        return self._found[entry]

    def operator(self, state: GameState, key: Key) -> str:
        """An OPERATOR's name, with his side and place where they tell it from others."""
        return self.sentence(state.name(key))

    def sentence(self, text: str) -> str:
        """A sentence of the trace with names in place of ids."""

        def name(found: re.Match[str]) -> str:
            side, entry = found.groups()
            cards = self.workspace.cards
            if entry not in cards.cards and entry not in cards.objectives:
                return found.group()
            return f"{self.card(entry)} ({side})" if side else self.card(entry)

        return _ID.sub(name, text)

    def action(self, state: GameState, action: GameAction) -> str:
        """An ACTION in words."""
        who = self.operator(state, action.by)
        if action.name == "move":
            words = f"{who}: Move, advance"
            if action.swap is not None:
                words = f"{who}: Move, swap with {self.operator(state, action.swap)}"
        elif action.on is not None:
            words = f"{who}: {action.name.capitalize()} {self.operator(state, action.on)}"
        else:
            words = f"{who}: {action.name.capitalize()}"
        return f"{words} (BONUS)" if self._is_bonus(state.operators[action.by], action) else words

    def _is_bonus(self, who: OperatorState, action: GameAction) -> bool:
        return action.bonus or who.status == "EXHAUSTED"

    def option(self, decision: Decision, option: object, state: GameState) -> str:
        """An option of a decision in words."""
        if option is None:
            return _NOTHING.get(decision.kind, "no")
        if isinstance(option, GameAction):
            return self.action(state, option)
        if isinstance(option, DieOption):
            return f"the {option.die} D6 that shows {option.result}"
        if isinstance(option, int):
            return self.operator(state, option)
        if decision.kind == "either":
            return _branch(decision, option == "second")
        return _WORDS.get((decision.kind, str(option))) or self.card(str(option))


def _branch(decision: Decision, second: bool) -> str:
    """One side of `either … or …` in the words of its sentence, where they can be told from each other."""
    text = decision.source.text if decision.source is not None else ""
    sides = text.rpartition("either ")[2].removesuffix(".").split(" or ")
    return sides[second] if len(sides) == 2 else ("the first", "the second")[second]


def winning(mode: Mode) -> str:
    """Who wins a GAME of a mode, as the printed rules say it."""
    told = []
    captured = mode.victory_objectives_captured
    if captured is not None:
        told.append(
            say("en", "victory-objectives-1" if captured == 1 else "victory-objectives", number=captured)
        )
    if mode.victory_operators_out_or_hit:
        told.append(say("en", "victory-operators"))
    ties = f"; {say('en', 'tie-then')} ".join(say("en", f"tie-{tie}") for tie in mode.tie_break)
    if ties:
        told.append(f"{say('en', 'victory-rounds', rounds=mode.max_rounds)} {ties}.")
    return " ".join(told)


_NOTHING = {
    "strategy": "no more cards",
    "action": "pass",
    "attack_card": "no card",
    "late_attack_card": "no card",
    "defence_card": "no card",
    "reroll": "no reroll",
    "fill": "leave it free",
}
_WORDS = {
    ("critical", "add"): "add the die",
    ("critical", "double"): "double AP",
    ("performance", "draw"): "draw a card",
    ("performance", "item"): "draw an ITEM and attach it",
    ("item_stays", "keep"): "it stays",
    ("item_stays", "discard"): "lay it down",
}
