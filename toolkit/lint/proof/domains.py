"""Domains: which values each number of play and each question about an OPERATOR can have.

They follow from the rules, from the trigger and from the card that bears the effect, before any condition of
the sentence is asked. Bounds may be wider than what play can reach, never narrower, so that a proof from them
is sound.
"""

from __future__ import annotations

from msgspec import Struct

from toolkit.data.model import Card
from toolkit.dsl import tree
from toolkit.dsl.scope import Scope
from toolkit.lint.context import EffectContext
from toolkit.vocabulary import RANGES, Role

Range = tuple[int, int]
"""Least and greatest value, inclusive."""

Key = tuple[str, ...]
"""A question about OPERATORs: what is asked (``status``, ``in RANGE``, ``trait`` …), of which, and what."""

YES_OR_NO: frozenset[object] = frozenset((True, False))
YES: frozenset[object] = frozenset((True,))
NO: frozenset[object] = frozenset((False,))
UPRIGHT: frozenset[object] = frozenset(("NORMAL", "EXHAUSTED"))
STATUSES: frozenset[object] = UPRIGHT | {"HIT", "OUT"}
"""An OPERATOR has exactly one of these (C-2)."""
CARDS: frozenset[object] = frozenset(("none", "ATTACK card", "DEFENCE card", "ITEM"))
"""What is attached to an OPERATOR: at most one card (C-1)."""

_ATTACHED = {Role.ATTACK: "ATTACK card", Role.DEFENCE: "DEFENCE card", Role.ITEM: "ITEM"}
_BORNE = (Role.SKILL, Role.KEYWORD, Role.OBJECTIVE, *_ATTACHED)
FIGHTERS = ("attacker", "attacked")

_EITHER_TURN: frozenset[object] = frozenset(("own", "enemy"))
_TURNS: dict[str, frozenset[object]] = {
    f"{side}-turn-{when}": frozenset((side,)) for side in ("own", "enemy") for when in ("begins", "ends")
}
"""Whose TURN it is, by the trigger that says so."""

MOST_ON_A_SIDE = RANGES["FIELDPOSITION"][1]
"""A row has no more FIELDPOSITIONs (F-1)."""

_MOST_BESIDE = 2
MOST_IN_RANGE = 5
"""R-1: two places beside an OPERATOR, three in the other row."""


def quantity_range(quantity: str) -> Range:
    """Return the range of a QUANTITY (LANGUAGE.md §1): ``AP VALUE``, ``HITCOUNTER``, ``FIELDPOSITION`` …"""
    if quantity.endswith(" VALUE"):
        return RANGES["VALUE"]
    return RANGES.get(quantity, RANGES["current"])


class Domains(Struct, frozen=True):
    """The domains of one sentence. OPERATORs are named by their part in the attack where it is certain."""

    scope: Scope
    context: EffectContext

    def name(self, ref: str) -> str:
        """Return one name for all names of the same OPERATOR: its part in the attack, if certain."""
        return self.scope.parts.get(ref, ref)

    def is_bearer(self, name: str) -> bool:
        """Whether this is the OPERATOR whose card is known."""
        return (
            self.context.role is Role.SKILL and self.context.bearer is not None and name == self.name("self")
        )

    def is_upright(self, name: str) -> bool:
        """Whether the OPERATOR is certainly neither HIT nor OUT.

        HIT and OUT OPERATORs take no part in an attack (R-2), and the effects of what they bear do not act
        (C-3, H-2), but for `when self becomes HIT`. An event may come after others became HIT, so nothing is
        certain of them there.
        """
        if self.scope.event:
            trigger = self.scope.trigger.name if self.scope.trigger else ""
            bears = self.context.role in _BORNE and name == self.name("self")
            return bears and trigger not in ("self-becomes-hit", "becomes-out")
        if name in FIGHTERS:
            return self.scope.attack
        return name == "self" and self.context.role in _BORNE

    def are_fighting(self, first: str, second: str) -> bool:
        """Whether one attacks the other just now; with a RANGE of 1 each is in the other's (A-1, R-1)."""
        return self.scope.attack and not self.scope.event and {first, second} == set(FIGHTERS)

    def number(self, quantity: str, name: str) -> Range:
        """Return the range of a QUANTITY of an OPERATOR: one value for the printed numbers of the bearer."""
        bearer = self.context.bearer
        if bearer is not None and self.is_bearer(name):
            if quantity == "SQUADPOINTS":
                return bearer.squadpoints, bearer.squadpoints
            if quantity.endswith(" VALUE"):
                value = bearer.number(quantity.removesuffix(" VALUE"))
                return value, value
        if quantity == "FIELDPOSITION" and not self.is_upright(name):
            return 0, MOST_ON_A_SIDE  # who is in the SAVEZONE has no place
        return self.most(quantity)

    def most(self, quantity: str) -> Range:
        """Return the range of a QUANTITY of anybody on the FIELD; that of a marker is its own (E-11)."""
        facts = self.context.markers.get(tree.Marker(quantity).id) if quantity.startswith("MARKER") else None
        return (0, facts.maximum) if facts else quantity_range(quantity)

    def answers(self, key: Key) -> frozenset[object] | None:
        """Return the answers that a question can have; None where they cannot be listed (an enemy's TEAM)."""
        match key:
            case ("critical",):
                return self._critical()
            case ("turn",):
                return _TURNS.get(self.scope.trigger.name if self.scope.trigger else "", _EITHER_TURN)
            case ("status", name):
                return UPRIGHT if self.is_upright(name) else STATUSES
            case ("card", name):
                attached = _ATTACHED.get(self.context.role)
                is_known_card = attached and name == self.name("self") and not self.scope.event
                return frozenset((attached,)) if is_known_card else CARDS
            case ("TEAM", name):
                bearer = self._known_card(name)
                return frozenset((bearer.team,)) if bearer else None
            case ("in RANGE" | "adjacent" | "opposite" as relation, name, other_name):
                return self._relation(relation, name, other_name)
            case ("team mates", name, other_name) if name == other_name:
                return YES
            case ("KEYWORD", name, keyword):
                return self._keyword(name, keyword)
            case ("trait", name, trait) if trait not in self.context.given_traits:
                bearer = self._known_card(name)
                return frozenset((trait in bearer.traits,)) if bearer else YES_OR_NO
        return YES_OR_NO

    def _known_card(self, name: str) -> Card | None:
        """Return the card of an OPERATOR if it is the one that bears the effect, else None."""
        return self.context.bearer if self.is_bearer(name) else None

    def _critical(self) -> frozenset[object]:
        """Whether the attack is CRITICAL is known after M-7, so not before its dice (E-21, E-30)."""
        trigger = self.scope.trigger
        if trigger is None or not self.scope.attack:
            return YES_OR_NO
        return YES if trigger.name.endswith("critical") else NO if trigger.precedes_dice else YES_OR_NO

    def _keyword(self, name: str, keyword: str) -> frozenset[object]:
        """A printed KEYWORD is there while its OPERATOR is; others only if an effect gives them (E-12)."""
        known_things, bearer = self.context.given, self.context.bearer
        if known_things.keywords is None:
            return YES_OR_NO
        if bearer is not None and self.is_bearer(name):
            if keyword in bearer.keywords:
                return YES if self.is_upright(name) else YES_OR_NO
            return YES_OR_NO if keyword in known_things.keywords else NO
        return YES_OR_NO if keyword in known_things.keywords or keyword in known_things.had else NO

    def _relation(self, relation: str, first: str, second: str) -> frozenset[object]:
        """Return whether two OPERATORs can stand so to each other, and whether they can stand otherwise."""
        if first == second:
            return NO
        sides = self.scope.sides
        same_side = sides.get(first) == sides.get(second)
        are_known = first in sides and second in sides
        if are_known and (
            (relation == "adjacent" and not same_side) or (relation == "opposite" and same_side)
        ):
            return NO
        near = relation == "in RANGE" and self.context.given.fixed_range
        return YES if near and self.are_fighting(first, second) else YES_OR_NO

    def least_members(self, group: tree.Group) -> int:
        """Return how many OPERATORs of the sentence certainly belong to a GROUP."""
        if group.team or group.withs or group.status or group.adjacent or group.opposite or group.savezone:
            return 0
        if group.superlative or group.team_of:
            return 0
        is_in_attack = self.are_fighting(*FIGHTERS)
        if group.in_range is not None:
            if not self.context.given.fixed_range:
                return 0
            centre = self.name(group.in_range.of.name if group.in_range.of else "self")
            other = {"attacker": "attacked", "attacked": "attacker"}.get(centre)
            return 1 if is_in_attack and other and self._belongs(other, group) else 0
        fighter_count = sum(self._belongs(name, group) for name in FIGHTERS) if is_in_attack else 0
        has_self = self.is_upright(self.name("self")) and group.side in ("own", "any") and not group.other
        return max(fighter_count, 1 if has_self else 0)

    def _belongs(self, name: str, group: tree.Group) -> bool:
        """Whether an OPERATOR of the attack is certainly in a GROUP; ``other`` excludes what may be self."""
        side = self.scope.sides.get(name)
        if side is None or group.side not in ("any", side):
            return False
        if not group.other:
            return True
        itself = self.name("self")
        return itself != name and (itself in FIGHTERS or side == "enemy")


def most_members(group: tree.Group, scope: Scope, fixed_range: bool) -> int:
    """Return how many OPERATORs a GROUP has at most, by the places that it leaves (F-1, R-1).

    Of several, `it`, any may be meant (E-7), so near them nothing is certain.
    """
    if group.savezone:
        _, most_in_savezone = RANGES["SAVEZONE"]  # F-2 says how many, and a mode may change that
        return most_in_savezone
    most = MOST_ON_A_SIDE * (2 if group.side == "any" else 1)
    if any(ref is not None and ref.name == "it" for ref in (group.adjacent, group.opposite)):
        return most
    if group.in_range is not None and group.in_range.of == tree.Ref("it"):
        return most
    if group.in_range is not None and fixed_range:
        centre = scope.sides.get(group.in_range.of.name if group.in_range.of else "self")
        if group.side == "any" or centre is None:
            most = min(most, MOST_IN_RANGE)
        else:
            most = min(most, _MOST_BESIDE if group.side == centre else MOST_IN_RANGE - _MOST_BESIDE)
    if group.adjacent is not None:
        most = min(most, _MOST_BESIDE)
    if group.opposite is not None:
        most = min(most, 1)
    elif group.other and group.side != "enemy" and not (group.in_range or group.adjacent):
        most -= 1  # self stands on one of the places
    return most
