"""overcosted and undercosted: cards that add far less or more to attacks than others at their price.

It is off unless a house rule switches it on, ``fair_power: damage``: it plays all pairs of OPERATORs.
"""

from __future__ import annotations

from collections.abc import Iterator

from toolkit.data.yaml import nodes
from toolkit.diagnostics import Diagnostic
from toolkit.play.odds.exploring import TooManyWays
from toolkit.play.odds.measures import GOALS, Goal
from toolkit.play.odds.power import CardPower, PowerRequest, Powers, find_powers
from toolkit.play.odds.power_report import verdict_words
from toolkit.project.pipeline import Workspace

_NEXT_STEPS = {
    "overcosted": "Make it stronger or cheaper; `opforge tune {}` tries its numbers.",
    "undercosted": "Make it weaker or dearer; `opforge tune {}` tries its numbers.",
}


def fair_power_findings(workspace: Workspace) -> Iterator[Diagnostic]:
    """Yield the cards that stand out, by the goals that house rules name."""
    for goal in dict.fromkeys(_goals(workspace)):
        try:
            powers = find_powers(workspace, PowerRequest(goal=goal))
        except TooManyWays:
            continue
        for power in powers.cards if isinstance(powers, Powers) else ():
            if power.verdict is not None:
                yield _finding(workspace, power, goal)


def _goals(workspace: Workspace) -> Iterator[Goal]:
    node = workspace.cards.project.node
    listed = node.nodes.get("house_rules") if node is not None else None
    for item in listed.items if isinstance(listed, nodes.Sequence) else ():
        goal_node = item.nodes.get("fair_power") if isinstance(item, nodes.Mapping) else None
        for goal in GOALS:
            if isinstance(goal_node, nodes.Scalar) and goal_node.value == goal:
                yield goal


def _finding(workspace: Workspace, power: CardPower, goal: Goal) -> Diagnostic:
    verdict = power.verdict
    assert verdict is not None, "it stands out"
    card = workspace.cards.cards[power.card]
    span = card.span_of("squadpoints") if power.price is not None else card.id_span
    words = verdict_words(power, goal)
    next_step = _NEXT_STEPS[verdict].format(card.id)
    return Diagnostic(verdict, f"`{card.id}` is {verdict}: {words}.", span, next_step, card=card.id)
