"""Random fields of OPERATORs, and what conditions mean on them: by RULES.md alone, without toolkit/lint."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from toolkit.data.model import Card
from toolkit.dsl import tree
from toolkit.dsl.scope import Scope
from toolkit.vocabulary import COUNTERS, STATS, Role

COMPARES = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda dividend, divisor: int(dividend / divisor),
}
TEAMS = ("night-owls", "red-foxes")
TRAITS = ("sniper", "medic", "scout")
KEYWORDS = ("steadfast", "swift")
INTEL, SUPPLY = 'MARKER "intel"', 'MARKER "supply"'
MOST_INTEL = 3
CARDS = ("ATTACK card", "DEFENCE card", "ITEM", None)
WORN = {Role.ATTACK: "ATTACK card", Role.DEFENCE: "DEFENCE card", Role.ITEM: "ITEM"}
BORNE = (Role.SKILL, Role.KEYWORD, Role.OBJECTIVE, *WORN)
ANY = {"own": "own", "enemy": "enemy", "any": "enemy"}
UPRIGHT = ("NORMAL", "EXHAUSTED")
STATUSES = (*UPRIGHT, "HIT", "OUT")


@dataclass(eq=False)
class Operator:
    side: str
    place: int
    status: str
    suppressed: bool
    numbers: dict[str, int]
    team: str
    traits: set[str]
    card: str | None
    keywords: set[str]
    reached: bool
    reach: int = 1
    waits: bool = False


@dataclass
class Field:
    """All OPERATORs, on FIELDPOSITIONs or waiting in the SAVEZONE, and who is meant by each name.

    ``counts`` are the numbers that no OPERATOR has: cards, markers of players, OBJECTIVEs, DAMAGE.
    """

    operators: list[Operator]
    refs: dict[str, Operator]
    critical: bool
    round: int
    turn: str
    counts: dict[object, int]
    random: Random = field(repr=False)

    def count(self, key: object, high: int) -> int:
        """A number of this field, settled when it is asked for first."""
        return self.counts.setdefault(key, some_number(self.random, 0, high))


def some_number(random: Random, low: int, high: int) -> int:
    """Often an extreme or a small number: that is where conditions turn."""
    kind = random.random()  # randint is slow, and a field has 100 numbers
    if kind < 0.25:
        return low
    if kind < 0.5:
        return high
    most = high if kind < 0.75 else min(low + 6, high)
    return low + int(random.random() * (most - low + 1))


def random_operator(random: Random, side: str, place: int) -> Operator:
    numbers = {f"{stat} VALUE": some_number(random, 0, 20) for stat in STATS}
    numbers |= {name: some_number(random, 0, 99) for name in (*STATS, *COUNTERS)}
    numbers |= {"SQUADPOINTS": some_number(random, 0, 20), "FIELDPOSITION": place}
    numbers[INTEL] = some_number(random, 0, MOST_INTEL)
    return Operator(
        side,
        place,
        random.choice(STATUSES),
        random.random() < 0.5,
        numbers,
        random.choice(TEAMS),
        {trait for trait in TRAITS if random.random() < 0.5},
        random.choice(CARDS),
        {keyword for keyword in KEYWORDS if random.random() < 0.5},
        random.random() < 0.5,
    )


def random_field(random: Random, scope: Scope, bearer: Card | None, fixed_range: bool = True) -> Field:
    rows = {}
    for side in ("own", "enemy"):
        places = [place for place in range(1, 9) if random.random() < random.choice((0.4, 1.0))]
        rows[side] = [random_operator(random, side, place) for place in places or [random.randint(1, 8)]]
    everybody = rows["own"] + rows["enemy"]
    flipped = random.choice((ANY, {"own": "enemy", "enemy": "own", "any": "own"}))
    sides = {name: ANY.get(side, side) for name, side in scope.sides.items()}
    if scope.sides.get("attacker") == "any":
        sides |= {"attacker": flipped["own"], "attacked": flipped["enemy"]}
    refs = {name: random.choice(rows[side]) for name, side in sides.items()}
    if not fixed_range:
        for one in everybody:
            one.reach = random.choice((0, 1, 2, 8))
    if scope.attack:
        _stage_attack(random, scope, refs, everybody)
    for name, part in scope.parts.items():
        refs[name] = refs[part]
    trigger = scope.trigger.name if scope.trigger else None
    me = refs.get("self")
    everybody += [_waiting(random, side) for side in ("own", "enemy") for _ in range(random.randint(0, 2))]
    if me is not None and scope.role in BORNE and trigger not in ("self-becomes-hit", "becomes-out"):
        me.status = random.choice(UPRIGHT)  # C-3, H-2
        me.card = me.card if scope.event else WORN.get(scope.role, me.card)
    if me is not None and trigger == "self-becomes-hit":
        me.numbers |= dict.fromkeys(COUNTERS, 0)  # H-2
    if me is not None and bearer is not None:
        me.team, me.traits, me.keywords = bearer.team or "", set(bearer.traits), set(bearer.keywords)
        me.numbers["SQUADPOINTS"] = bearer.squadpoints
        me.numbers |= {f"{stat} VALUE": bearer.stats[stat] for stat in STATS}
    critical = bool(trigger and trigger.endswith("critical")) or random.random() < 0.5
    turn = random.choice(("own", "enemy"))
    if trigger and trigger.startswith(("own-turn", "enemy-turn")):
        turn = trigger.partition("-")[0]
    return Field(everybody, refs, critical, some_number(random, 1, 99), turn, {}, random)


def _waiting(random: Random, side: str) -> Operator:
    """One in the SAVEZONE has no place."""
    one = random_operator(random, side, 0)
    one.waits, one.reached = True, False
    return one


def _stage_attack(random: Random, scope: Scope, refs: dict[str, Operator], everybody: list[Operator]) -> None:
    attacker, attacked = refs["attacker"], refs["attacked"]
    if not scope.event:
        near = [
            one
            for one in everybody
            if one.side == attacked.side and abs(one.place - attacker.place) <= attacker.reach
        ]
        if near:
            attacked = refs["attacked"] = random.choice(near)
        else:
            old = attacked.place
            attacked.place = attacked.numbers["FIELDPOSITION"] = attacker.place
            assert old != attacked.place
        attacker.status, attacked.status = random.choice(UPRIGHT), random.choice(UPRIGHT)


# what conditions mean


def holds(condition: tree.Condition, at: Field) -> bool:
    match condition:
        case tree.AnyOf(parts):
            return any(holds(part, at) for part in parts)
        case tree.AllOf(parts):
            return all(holds(part, at) for part in parts)
        case tree.Not(part):
            return not holds(part, at)
        case tree.Comparison(left, compare, right):
            return COMPARES[compare](value(left, at), value(right, at))
        case tree.HasStatus(ref, status, negated):
            return has_status(at.refs[ref.name], status.text) != negated
        case tree.Stands(ref, relation, to, negated):
            return stands(at.refs[ref.name], relation, at.refs[to.name]) != negated
        case tree.Bears(ref, what, name, negated):
            return bears(at.refs[ref.name], what, name.text if name else "") != negated
        case tree.AttackIsCritical(negated):
            return at.critical != negated
        case tree.HasReached(ref, negated):
            return at.refs[ref.name].reached != negated
        case tree.HasPerformed(ref, action, negated):
            return bool(at.count(("performed", ref.name, action), 1)) != negated
        case tree.HasTeamOf(ref, of, negated):
            return (at.refs[ref.name].team == at.refs[of.name].team) != negated
        case tree.TurnIs(side, negated):
            return (at.turn == side) != negated


def value(number: tree.Number, at: Field) -> int:
    match number:
        case tree.Constant(found):
            return found
        case tree.Negative(inner):
            return -value(inner, at)
        case tree.Binary(sign, left, right):
            return ARITHMETIC[sign](value(left, at), value(right, at))
        case tree.QuantityOf(quantity, ref):
            return at.refs[ref.name].numbers[quantity.text]
        case tree.NumberOf(group):
            return len(members(group, at))
        case tree.CardsInHand(side):
            return at.count((None, side, "hand"), 99)
        case tree.NumberOfCards(kind, side, zone):
            return at.count((kind, side, zone), 99)
        case tree.MarkerOfPlayer(_, player):
            return at.count(player.name, 99)
        case tree.Captured(player):
            return at.count(("captured", player.name), 9)
        case tree.Damage():
            return at.count("DAMAGE", 99)
        case tree.Round():
            return at.round


def has_status(one: Operator, status: str) -> bool:
    return one.suppressed if status == "SUPPRESSED" else one.status == status


def stands(one: Operator, relation: str, other: Operator) -> bool:
    """Whether one is in RANGE of the other, beside it or opposite it."""
    if one is other or one.waits or other.waits:
        return False
    away = abs(one.place - other.place)
    if relation == "adjacent":
        return one.side == other.side and away == 1
    if relation == "opposite":
        return one.side != other.side and away == 0
    return one.status in UPRIGHT and away <= other.reach


def bears(one: Operator, what: str, name: str) -> bool:
    if what == "TEAM":
        return one.team == name
    if what == "trait":
        return name in one.traits
    if what == "KEYWORD":
        return name in one.keywords
    return one.card is not None if what == "card" else one.card == what


def members(group: tree.Group, at: Field) -> list[Operator]:
    found = [one for one in at.operators if is_member(one, group, at)]
    if group.superlative is None or not found:
        return found
    most = group.superlative
    numbers = [one.numbers[most.quantity.text] for one in found]
    first = max(numbers) if most.highest else min(numbers)
    return [one for one in found if one.numbers[most.quantity.text] == first]


def is_member(one: Operator, group: tree.Group, at: Field) -> bool:
    status = group.status
    words = {word.text for word in (status.status, *status.others)} if status and not status.negated else ()
    upright = one.status in UPRIGHT or one.status in words  # LANGUAGE.md §2: HIT or OUT ones must be named
    checks = (
        group.side in ("any", one.side),
        upright,
        one.waits == group.savezone,
        status is None or _has_any(one, status) != status.negated,
        not (group.other and one is at.refs["self"]),
        group.team is None or one.team == group.team.text,
        all(passes(one, part, at) for part in group.withs),
        group.in_range is None or stands(one, "in RANGE", at.refs[_centre(group.in_range)]),
        group.adjacent is None or stands(one, "adjacent", at.refs[group.adjacent.name]),
        group.opposite is None or stands(one, "opposite", at.refs[group.opposite.name]),
    )
    return all(checks)


def _has_any(one: Operator, status: tree.StatusFilter) -> bool:
    return any(has_status(one, word.text) for word in (status.status, *status.others))


def passes(one: Operator, found: tree.QuantityFilter | tree.BearingFilter, at: Field) -> bool:
    if isinstance(found, tree.BearingFilter):
        has = [bears(one, part.what, part.name.text if part.name else "") for part in found.bearings]
        return any(has) != found.negated
    limit = found.number if found.than is None else value(found.than, at)
    return COMPARES[found.compare](one.numbers[found.quantity.text], limit)


def _centre(in_range: tree.InRange) -> str:
    return in_range.of.name if in_range.of else "self"
