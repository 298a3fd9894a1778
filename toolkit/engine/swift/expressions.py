"""Conditions, numbers and groups of the language as Python source: the twin of ``engine.conditions``.

In generated source ``T`` is the table, its lists are known by their own names, ``c`` is the controller, and
who is who stands in variables; ``x`` runs through a group.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from toolkit.dsl import tree
from toolkit.engine.rules import CardRules
from toolkit.engine.swift.codes import ATTACK_CARD, DEFENCE_CARD, HIT, ITEM_CARD, STAT, STATUS

_SIGNS = {"=": "==", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_SIGN_OF_SUM = {"+": "+", "-": "-", "*": "*"}
_KIND_OF_CARD = {"ATTACK card": ATTACK_CARD, "DEFENCE card": DEFENCE_CARD, "ITEM": ITEM_CARD}


@dataclass(frozen=True, slots=True)
class Fielded:
    """What is known of the OPERATORs of a match: their cards by key, and whether SUPPRESSED speaks of others
    than self."""

    cards: tuple[CardRules, ...]
    suppressed: tuple[tree.Condition | None, ...]

    def of_team(self, team: str) -> str:
        """The set of those of a TEAM."""
        return _set(key for key, card in enumerate(self.cards) if card.team == team)

    def with_trait(self, trait: str) -> str:
        """The set of those with a trait."""
        return _set(key for key, card in enumerate(self.cards) if trait in card.traits)


def _set(keys: Iterable[int]) -> str:
    written = ", ".join(str(key) for key in keys)
    return "{" + written + "}" if written else "()"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence is read in.

    ``refs`` are the variables of the OPERATORs that it may name; ``certain`` those that are never NOBODY.
    ``number`` is the function for current numbers: ``number``, or ``base`` for effects without `when`
    (M-10). ``critical`` is the source for `the attack is CRITICAL`, ``controller`` for whose effect it is.
    """

    fielded: Fielded
    refs: Mapping[str, str]
    certain: frozenset[str] = frozenset()
    number: str = "number"
    critical: str = "False"
    controller: str = "c"
    within_suppression: bool = False

    def of(self, name: str) -> str | None:
        """The variable of a REF, None where there can be nobody."""
        return self.refs.get(name)

    def guarded(self, name: str, text: str, otherwise: str = "False") -> str:
        """The source where there is somebody, else what holds of nobody."""
        variable = self.of(name)
        if variable is None:
            return otherwise
        if name in self.certain:
            return text
        return f"({text} if {variable} >= 0 else {otherwise})"


def condition(asked: tree.Condition | None, reading: Reading) -> str:
    """Whether a condition holds. One who does not exist here is nothing of what is asked about him."""
    match asked:
        case None:
            return "True"
        case tree.Comparison(left, sign, right):
            return f"({number(left, reading)} {_SIGNS[sign]} {number(right, reading)})"
        case tree.HasStatus(ref, status, negated):
            text = has_status(reading.of(ref.name) or "", status.text, reading)
            return reading.guarded(ref.name, _turned(text, negated))
        case tree.Stands(ref, relation, to, negated):
            stands = _related(relation, str(reading.of(ref.name)), str(reading.of(to.name)))
            return reading.guarded(ref.name, reading.guarded(to.name, _turned(stands, negated)))
        case tree.Bears(ref, _, _, negated):
            return reading.guarded(
                ref.name, _turned(_bears(reading.of(ref.name) or "", asked, reading), negated)
            )
        case tree.AllOf(parts):
            return _joined(" and ", (condition(part, reading) for part in parts))
        case tree.AnyOf(parts):
            return _joined(" or ", (condition(part, reading) for part in parts))
        case tree.Not(part):
            return f"(not {condition(part, reading)})"
        case tree.AttackIsCritical(negated):
            return _turned(reading.critical, negated)


def _turned(text: str, negated: bool) -> str:
    return f"(not {text})" if negated else text


def _joined(word: str, parts: Iterable[str]) -> str:
    return f"({word.join(parts)})"


def _bears(key: str, bears: tree.Bears, reading: Reading) -> str:
    if bears.name is not None:
        fielded, name = reading.fielded, bears.name.text
        return f"({key} in {fielded.of_team(name) if bears.what == 'TEAM' else fielded.with_trait(name)})"
    if bears.what == "card":
        return f"(att[{key}] > 0)"
    return f"(kinds[att[{key}]] == {_KIND_OF_CARD[bears.what]})"


def has_status(key: str, status: str, reading: Reading) -> str:
    """C-2, and SUPPRESSED by the ruleset's conditions (M-1)."""
    if status != "SUPPRESSED":
        return f"(status[{key}] == {STATUS[status]})"
    if reading.within_suppression:
        return "False"
    one, two = reading.of("attacker") or "-1", reading.of("attacked") or "-1"
    other = f"({two} if {key} == {one} else {one} if {key} == {two} else -1)"
    refs = {"self": key, "target": other, "attacker": one, "attacked": two}
    within = replace(
        reading,
        refs=refs,
        certain=frozenset(("self",)),
        controller=f"side[{key}]",
        within_suppression=True,
    )
    return _joined(" or ", [condition(one, within) for one in reading.fielded.suppressed] or ["False"])


def number(asked: tree.Number, reading: Reading) -> str:
    """The value of a number; a quantity of an OPERATOR who does not exist here is 0."""
    match asked:
        case tree.Constant(value):
            return f"{value:d}"
        case tree.QuantityOf(what, ref):
            text = quantity(reading.of(ref.name) or "", what.text, reading)
            return reading.guarded(ref.name, text, "0")
        case tree.Binary(sign, left, right):
            return f"({number(left, reading)} {_SIGN_OF_SUM[sign]} {number(right, reading)})"
        case tree.Negative(inner):
            return f"(-{number(inner, reading)})"
        case tree.NumberOf(group):
            return f"len({members(group, reading)})"
        case tree.CardsInHand(whose):
            side = reading.controller
            return f"len(hands[{side if whose == 'own' else f'1 - {side}'}])"
        case tree.Round():
            return "T.round"


def quantity(key: str, what: str, reading: Reading) -> str:
    """A QUANTITY of an OPERATOR."""
    if what == "HITCOUNTER":
        return f"hit[{key}]"
    if what == "OBJECTIVECOUNTER":
        return f"obj[{key}]"
    if what == "SQUADPOINTS":
        return f"squadpoints[{key}]"
    if what == "FIELDPOSITION":
        return f"(pos[{key}] + 1 if pos[{key}] >= 0 else 0)"
    if what.endswith(" VALUE"):
        return f"values[{STAT[what[:2]]}][{key}]"
    return f"{reading.number}(T, {key}, {STAT[what]})"


def members(group: tree.Group, reading: Reading) -> str:
    """The OPERATORs of a group: the controller's from left to right, then the enemy's."""
    own, enemy = f"rows[{reading.controller}]", f"rows[1 - {reading.controller}]"
    rows = {"own": own, "enemy": enemy, "any": f"({own} + {enemy})"}[group.side]
    return f"[x for x in {rows} if x >= 0 and {belongs('x', group, reading)}]"


def belongs(key: str, group: tree.Group, reading: Reading) -> str:
    """Whether the filters of a group hold for one on a FIELDPOSITION of the right side."""
    tests = [_status(key, group.status, reading)]
    bearer = reading.of("self")
    if group.other and bearer is not None:
        tests.append(f"{key} != {bearer}")
    if group.team is not None:
        tests.append(f"{key} in {reading.fielded.of_team(group.team.text)}")
    if group.trait is not None:
        tests.append(f"{key} in {reading.fielded.with_trait(group.trait.text)}")
    if group.in_range is not None:
        tests.append(_relates("in RANGE", key, group.in_range.of or tree.Ref("self"), reading))
    if group.adjacent is not None:
        tests.append(_relates("adjacent", key, group.adjacent, reading))
    if group.opposite is not None:
        tests.append(_relates("opposite", key, group.opposite, reading))
    asked = group.quantity
    if asked is not None:
        tests.append(
            f"{quantity(key, asked.quantity.text, reading)} {_SIGNS[asked.compare]} {asked.number:d}"
        )
    return " and ".join(tests)


def _relates(relation: str, key: str, to: tree.Ref, reading: Reading) -> str:
    return reading.guarded(to.name, _related(relation, key, str(reading.of(to.name))))


def _related(relation: str, one: str, two: str) -> str:
    """Where two stand to each other (R-1 to R-3): the twin of ``engine.geometry``.

    Who stands on no FIELDPOSITION has a place far from all others (``AWAY``), also from another who stands on
    none.
    """
    places, sides = (f"pos[{one}]", f"pos[{two}]"), (f"side[{one}]", f"side[{two}]")
    if relation == "opposite":
        return f"({places[0]} == {places[1]} and {sides[0]} != {sides[1]})"
    apart = f"{places[0]} - {places[1]}"
    if relation == "adjacent":
        return f"({sides[0]} == {sides[1]} and {apart} in (-1, 1))"
    near = f"-2 < {apart} < 2 and ({places[0]} != {places[1]} or {sides[0]} != {sides[1]})"
    return f"({near} and status[{one}] < {HIT})"


def _status(key: str, asked: tree.StatusFilter | None, reading: Reading) -> str:
    """HIT and OUT OPERATORs belong to a group only if `that are` says so."""
    up = f"status[{key}] < {HIT}"
    if asked is None:
        return up
    holds = has_status(key, asked.status.text, reading)
    if not asked.negated:
        return holds if asked.status.text in STATUS else f"{up} and {holds}"
    return f"{up} and not {holds}"


def times(per: tree.Per | None, reading: Reading) -> str | None:
    """How often a counted amount counts, never less than 0; None for once."""
    if per is None:
        return None
    what = per.what
    count = f"len({members(what, reading)})" if isinstance(what, tree.Group) else number(what, reading)
    return f"max(0, {count})" if per.maximum is None else f"max(0, min({count}, {per.maximum:d}))"


def product(amount: int, per: tree.Per | None, reading: Reading) -> str:
    """An amount so many times."""
    often = times(per, reading)
    return f"{amount:d}" if often is None else f"{amount:d} * {often}"
