"""Words of `expect` that are misspelt, so that they look like an OPERATOR whom nobody knows."""

from __future__ import annotations

from toolkit.data.nodes import Mapping, Node, Scalar, Sequence
from toolkit.data.schemas.scenarios import SIDES
from toolkit.vocabulary.nearest import nearest

WORDS = ("attack", "refused", *SIDES)
"""The keys of `expect` that are no OPERATORs."""


def expect_slips(scenario: Mapping) -> dict[str, str]:
    """Keys of `expect` that name nobody who takes part and look like one of its words, with that word."""
    expect = scenario.nodes.get("expect")
    if not isinstance(expect, Mapping):
        return {}
    there = {name for key in ("field", "save_zone") for name in _names(scenario.nodes.get(key))}
    free = [word for word in WORDS if word not in expect.nodes]
    slips = {}
    for key in expect.nodes:
        if key not in WORDS and key not in there:
            meant = nearest(key, free)
            if meant is not None and nearest(key, there) is None:
                slips[key] = meant
    return slips


def _names(node: Node | None) -> list[str]:
    """The OPERATORs of both sides, as they may be written."""
    found = []
    for side, part in node.nodes.items() if isinstance(node, Mapping) else ():
        for item in part.items if isinstance(part, Sequence) else ():
            if isinstance(item, Scalar):
                found += [item.text, f"{side}.{item.text}"]
    return found
