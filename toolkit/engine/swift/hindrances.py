"""What cannot be played swiftly, so that the reference has to play it."""

from __future__ import annotations

from collections.abc import Sequence

from toolkit.dsl import tree
from toolkit.engine.rules import EffectTable, Rules

MOST_PLACES = 8
"""So many FIELDPOSITIONs of a row fit into the numbers of ``options``."""

_FORBIDDING = (tree.CannotBeAttacked, tree.CannotPerform)


def hindrance(rules: Rules, tables: Sequence[EffectTable]) -> str:
    """Why cards with these effects cannot be played swiftly, as half a sentence; nothing if they can."""
    if rules.options.stacking != "layered":
        return f"numbers are put together under `stacking: {rules.options.stacking}`"
    if rules.suppression.always or rules.teamwork.always:
        return "SUPPRESSION or TEAMWORK holds outside of attacks too"
    if rules.performance.events.get("turn-begins") or rules.performance.events.get("turn-ends"):
        return "PERFORMANCE is fulfilled when a TURN begins or ends"
    if rules.field_positions > MOST_PLACES:
        return f"a row has more than {MOST_PLACES} FIELDPOSITIONs"
    for table in tables:
        for effect in table.in_attack:
            if any(isinstance(action.does, _FORBIDDING) for _, action in effect.actions):
                return f"{effect.origin.entry} forbids some attacks"
    return ""
