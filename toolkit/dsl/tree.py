"""The syntax tree of the effect language: plain frozen values, equal when they say the same.

Every node knows its ``place``: where it stands in the effect's text, in characters, the end exclusive. Places
do not count when trees are compared, so that ``parse(print(tree)) == tree`` can be said.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from toolkit.records import dataclass

Place = tuple[int, int]
"""Begin and end in the effect's text, in characters, the end exclusive."""


def _place() -> Place:
    return field(default=(0, 0), compare=False, repr=False)


Side = Literal["own", "enemy", "any"]
Die = Literal["ATTACK", "DEFENCE"]


@dataclass(frozen=True, slots=True)
class Word:
    """A word or name that may have to be pointed at: a stat, an id in quotes (without them), a status."""

    text: str
    place: Place = _place()


# ------------------------------------------------------------------------------------------------------ WHO


@dataclass(frozen=True, slots=True)
class Ref:
    """One OPERATOR by his part: ``self``, ``target``, ``attacker`` or ``attacked``."""

    name: str
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class QuantityFilter:
    """``with MP >= 3``; ``quantity`` is ``AP``, ``AP VALUE``, ``HITCOUNTER``, …"""

    quantity: Word
    compare: str
    number: int
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class StatusFilter:
    """``that are [not] HIT``."""

    status: Word
    negated: bool = False
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class InRange:
    """``in RANGE [of REF]``; without a REF it is seen from self (R-1)."""

    of: Ref | None = None
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Group:
    """Several OPERATORs: ``[other] own|enemy|any OPERATORs`` and filters, all of which must hold.

    ``order`` names the filters as they were written, so that a wrong order or a double can be reported.
    """

    side: Side
    other: bool = False
    team: Word | None = None
    in_range: InRange | None = None
    adjacent: Ref | None = None
    opposite: Ref | None = None
    trait: Word | None = None
    quantity: QuantityFilter | None = None
    status: StatusFilter | None = None
    order: tuple[str, ...] = field(default=(), compare=False, repr=False)
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class One:
    """``one GROUP``: its controller chooses."""

    group: Group
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Every:
    """``all GROUP``."""

    group: Group
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Player:
    """``owner`` (the controller of the card) or ``opponent``."""

    name: str
    place: Place = _place()


Who = Ref | One | Every | Player

# -------------------------------------------------------------------------------------------------- NUMBERs


@dataclass(frozen=True, slots=True)
class Constant:
    """An integer, 0 or more."""

    value: int
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Negative:
    """``-NUMBER``."""

    number: Number
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Binary:
    """``left + right``, ``left - right`` or ``left * right``."""

    operator: Literal["+", "-", "*"]
    left: Number
    right: Number
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class QuantityOf:
    """``HITCOUNTER of self``, ``AP VALUE of target``."""

    quantity: Word
    ref: Ref
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class NumberOf:
    """``number of GROUP``."""

    group: Group
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class CardsInHand:
    """``number of cards in own hand``."""

    side: Side
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Round:
    """``ROUND``: the number of the current ROUND, the first is 1."""

    place: Place = _place()


Number = Constant | Negative | Binary | QuantityOf | NumberOf | CardsInHand | Round

# ------------------------------------------------------------------------------------------------------- IF


@dataclass(frozen=True, slots=True)
class AnyOf:
    """``a or b or …``."""

    parts: tuple[Condition, ...]
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class AllOf:
    """``a and b and …``."""

    parts: tuple[Condition, ...]
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Not:
    """``not a``."""

    part: Condition
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Comparison:
    """``NUMBER CMP NUMBER``."""

    left: Number
    compare: str
    right: Number
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class HasStatus:
    """``REF is [not] SUPPRESSED``."""

    ref: Ref
    status: Word
    negated: bool = False
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Stands:
    """``REF is [not] in RANGE of REF``, ``adjacent to`` or ``opposite``."""

    ref: Ref
    relation: Literal["in RANGE", "adjacent", "opposite"]
    to: Ref
    negated: bool = False
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Bears:
    """``REF has [no] …``.

    ``what`` is ``TEAM``, ``trait``, ``card``, ``ATTACK card``, ``DEFENCE card`` or ``ITEM``; ``name`` is the
    TEAM's id or the trait.
    """

    ref: Ref
    what: str
    name: Word | None = None
    negated: bool = False
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class AttackIsCritical:
    """``the attack is [not] CRITICAL``."""

    negated: bool = False
    place: Place = _place()


Condition = AnyOf | AllOf | Not | Comparison | HasStatus | Stands | Bears | AttackIsCritical

# ----------------------------------------------------------------------------------------------------- DOES


@dataclass(frozen=True, slots=True)
class Per:
    """``for each GROUP|NUMBER [(max n)]``: the amount counts so many times."""

    what: Group | Number
    maximum: int | None = None
    place: Place = _place()
    maximum_place: Place = _place()


@dataclass(frozen=True, slots=True)
class Gets:
    """``gets +2 AP``; ``amount`` is signed and its place is that of ``+2``."""

    amount: int
    what: Word
    per: Per | None = None
    place: Place = _place()
    amount_place: Place = _place()


@dataclass(frozen=True, slots=True)
class Multiplies:
    """``multiplies AP by 3``; ``doubles AP`` is factor 2."""

    stat: Word
    factor: int
    place: Place = _place()
    number_place: Place = _place()


@dataclass(frozen=True, slots=True)
class Divides:
    """``divides EP by 3``; ``halves EP`` is divisor 2."""

    stat: Word
    divisor: int
    place: Place = _place()
    number_place: Place = _place()


@dataclass(frozen=True, slots=True)
class Fixes:
    """``fixes EP at 5``."""

    stat: Word
    value: int
    place: Place = _place()
    number_place: Place = _place()


@dataclass(frozen=True, slots=True)
class Ignores:
    """``ignores SUPPRESSION``; ``what`` is one of ``vocabulary.IGNORABLE``."""

    what: str
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class RollsExtra:
    """``rolls +1 ATTACK D6``."""

    count: int
    die: Die
    place: Place = _place()
    number_place: Place = _place()


@dataclass(frozen=True, slots=True)
class MayReroll:
    """``may reroll 1 [enemy] ATTACK D6``."""

    count: int
    die: Die
    enemy: bool = False
    place: Place = _place()
    number_place: Place = _place()


@dataclass(frozen=True, slots=True)
class MakesDiceCritical:
    """``makes ATTACK D6 CRITICAL on 5+``."""

    threshold: int
    place: Place = _place()
    number_place: Place = _place()


@dataclass(frozen=True, slots=True)
class MakesAttackCritical:
    """``makes the attack CRITICAL``."""

    place: Place = _place()


@dataclass(frozen=True, slots=True)
class CannotPerform:
    """``cannot perform MOVE``."""

    action: str
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class CannotBeAttacked:
    """``cannot be attacked``."""

    place: Place = _place()


@dataclass(frozen=True, slots=True)
class CannotHaveDefence:
    """``cannot have DEFENCE cards``."""

    place: Place = _place()


@dataclass(frozen=True, slots=True)
class GainsRuleviolation:
    """``gains RULEVIOLATION 4+`` (K-2)."""

    threshold: int
    place: Place = _place()
    number_place: Place = _place()


@dataclass(frozen=True, slots=True)
class GainsBonus:
    """``gains BONUS (ATTACK)`` (K-3); ``action`` is an ACTION or ``ANY``."""

    action: str
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class FulfilsPerformance:
    """``fulfils PERFORMANCE`` (K-1)."""

    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Draws:
    """``draws 2 cards``."""

    count: int
    place: Place = _place()
    number_place: Place = _place()


@dataclass(frozen=True, slots=True)
class Discards:
    """``discards 1 card``."""

    count: int
    place: Place = _place()
    number_place: Place = _place()


@dataclass(frozen=True, slots=True)
class Becomes:
    """``becomes EXHAUSTED``, ``NORMAL`` or ``OUT``."""

    status: str
    place: Place = _place()


Doing = (
    Gets
    | Multiplies
    | Divides
    | Fixes
    | Ignores
    | RollsExtra
    | MayReroll
    | MakesDiceCritical
    | MakesAttackCritical
    | CannotPerform
    | CannotBeAttacked
    | CannotHaveDefence
    | GainsRuleviolation
    | GainsBonus
    | FulfilsPerformance
    | Draws
    | Discards
    | Becomes
)

# ------------------------------------------------------------------------------------------------ sentences

DurationName = Literal["ATTACK", "TURN", "ROUND", "FIELD", "permanently"]


@dataclass(frozen=True, slots=True)
class Duration:
    """``until end of ATTACK|TURN|ROUND``, ``while on the FIELD`` or ``permanently``."""

    name: DurationName
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Act:
    """``WHO DOES [and DOES]… [DURATION]``; the duration holds for all of its DOES."""

    who: Who
    doings: tuple[Doing, ...]
    duration: Duration | None = None
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Either:
    """``either CLAUSE or CLAUSE``: the controller chooses."""

    first: Clause
    second: Clause
    place: Place = _place()


Clause = Act | Either


@dataclass(frozen=True, slots=True)
class When:
    """``when TRIGGER``; ``name`` is a key of ``vocabulary.TRIGGERS``."""

    name: str
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Sentence:
    """``[when TRIGGER,] [if CONDITION,] CLAUSE [, then CLAUSE]….``"""

    clauses: tuple[Clause, ...]
    when: When | None = None
    condition: Condition | None = None
    place: Place = _place()


@dataclass(frozen=True, slots=True)
class Effect:
    """One or more sentences."""

    sentences: tuple[Sentence, ...]
    place: Place = _place()
