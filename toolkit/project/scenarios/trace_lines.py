"""The trace of the last attack, or of the last step, as lines for people."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from toolkit.data.scenarios import Script
from toolkit.diagnostics.reporters import unstyled
from toolkit.engine.board import Board
from toolkit.engine.explaining import lines
from toolkit.engine.explaining.explanation import explain
from toolkit.engine.explaining.origins import Origins
from toolkit.engine.outcomes import Outcome
from toolkit.engine.rules import Rules
from toolkit.project.scenarios.playing import Played
from toolkit.project.scenarios.setup import Cast

_WIDTH = lines.WIDTH - 4
"""Reports put four spaces before each line."""


def trace_lines(script: Script, rules: Rules, origins: Origins, cast: Cast, played: Played) -> Iterator[str]:
    """How the numbers came about; nothing if no step was played."""
    page = lines.Page(cast.names, origins, unstyled, _WIDTH)
    attack = played.attack
    if attack is not None:
        both = (attack.result.attacker, attack.result.attacked)
        yield f"the attack of {cast.names[both[0]]} on {cast.names[both[1]]} (step {attack.step + 1}):"
        outcome = Outcome(attack.trace, attack.result)
        board = Board(rules, attack.before)
        explained = explain(board, attack.after, outcome, both, origins, thorough=False)
        told = replace(explained, sections=tuple(one for one in explained.sections if one.blocks))
        yield from (f"  {line}" for line in lines.explanation_lines(told, page) if line)
    elif played.last_trace:
        number = played.at if played.refusal else played.at + 1
        yield f"step {number} ({script.steps[number - 1].action}):"
        yield from lines.trace_lines(played.last_trace, page)
