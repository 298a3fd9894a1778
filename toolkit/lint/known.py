"""What is certain about the OPERATORs of a sentence before any condition is asked."""

from __future__ import annotations

from msgspec import Struct

from toolkit.dsl.scope import Scope
from toolkit.lint.context import EffectContext
from toolkit.lint.ranges import Range, quantity_range
from toolkit.vocabulary import Role

Key = tuple[str, ...]
"""A question about OPERATORs: what is asked (``status``, ``in RANGE``, ``trait`` …), of whom, and what."""

YES_OR_NO: frozenset[object] = frozenset((True, False))
STATUSES: frozenset[object] = frozenset(("NORMAL", "EXHAUSTED", "HIT", "OUT"))
"""An OPERATOR has exactly one of these (C-2)."""
UPRIGHT: frozenset[object] = frozenset(("NORMAL", "EXHAUSTED"))
CARDS: frozenset[object] = frozenset(("none", "ATTACK card", "DEFENCE card", "ITEM"))
"""What is attached to an OPERATOR: at most one card (C-1)."""

_WORN = {Role.ATTACK: "ATTACK card", Role.DEFENCE: "DEFENCE card", Role.ITEM: "ITEM"}
_BORNE = (Role.SKILL, *_WORN)


class Known(Struct, frozen=True):
    """The certain facts of one sentence. OPERATORs are named by their part where it is certain."""

    scope: Scope
    context: EffectContext

    def name(self, ref: str) -> str:
        """One name for all names of the same OPERATOR: his part in the attack, if he certainly has one."""
        return self.scope.parts.get(ref, ref)

    def is_bearer(self, name: str) -> bool:
        """Whether this is the OPERATOR whose card is known."""
        return (
            self.context.role is Role.SKILL and self.context.bearer is not None and name == self.name("self")
        )

    def is_upright(self, name: str) -> bool:
        """Whether he is certainly neither HIT nor OUT.

        Those two take no part in an attack (R-2), and the effects of what they bear do not act (C-3, H-2),
        but for `when self becomes HIT`. An event may come after others fell, so of them it is not certain.
        """
        if self.scope.event:
            trigger = self.scope.trigger.name if self.scope.trigger else ""
            bears = self.context.role in _BORNE and name == self.name("self")
            return bears and trigger != "self-becomes-hit"
        if name in ("attacker", "attacked"):
            return self.scope.attack
        return name == "self" and self.context.role in _BORNE

    def number(self, quantity: str, name: str) -> Range:
        """The range of a QUANTITY of an OPERATOR: for the bearer's printed numbers a single one."""
        bearer = self.context.bearer
        if bearer is not None and self.is_bearer(name):
            if quantity == "SQUADPOINTS":
                return bearer.squadpoints, bearer.squadpoints
            if quantity.endswith(" VALUE"):
                value: int = bearer.number(quantity.partition(" ")[0])
                return value, value
        return quantity_range(quantity)

    def answers(self, key: Key) -> frozenset[object] | None:
        """The answers that a question can have; None where they cannot be listed (the TEAM of an enemy)."""
        kind, name = key[0], key[1] if len(key) > 1 else ""
        if kind == "status":
            return UPRIGHT if self.is_upright(name) else STATUSES
        if kind == "card":
            return self._card(name)
        if kind in ("in RANGE", "adjacent", "opposite"):
            return self._stands(kind, name, key[2])
        if kind == "critical":
            trigger = self.scope.trigger
            return frozenset((True,)) if trigger and trigger.name == "critical" else YES_OR_NO
        bearer = self.context.bearer if self.is_bearer(name) else None
        if kind == "TEAM":
            return frozenset((bearer.team,)) if bearer else None
        if kind == "trait" and bearer:
            return frozenset((key[2] in bearer.traits,))
        return YES_OR_NO

    def _card(self, name: str) -> frozenset[object]:
        worn = _WORN.get(self.context.role)
        if worn and name == self.name("self") and not self.scope.event:
            return frozenset((worn,))
        return CARDS

    def _stands(self, relation: str, first: str, second: str) -> frozenset[object]:
        if first == second:
            return frozenset((False,))
        sides = self.scope.sides
        same_side = sides.get(first) == sides.get(second)
        known = first in sides and second in sides
        if known and ((relation == "adjacent" and not same_side) or (relation == "opposite" and same_side)):
            return frozenset((False,))
        if relation == "in RANGE" and self.are_fighting(first, second):
            return frozenset((True,))
        return YES_OR_NO

    def are_fighting(self, first: str, second: str) -> bool:
        """Whether one attacks the other just now, so that each is in RANGE of the other (A-1, R-1)."""
        return self.scope.attack and not self.scope.event and {first, second} == {"attacker", "attacked"}
