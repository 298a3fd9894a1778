"""The plan of a rules text: its parts, independent of language, in the order of printing."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.wording.text import is_marker

Noun = Literal[
    "this", "bearer", "holder", "operator", "actor", "attacker", "attacked", "chosen", "target", "that"
]
"""The noun for one OPERATOR: "this OPERATOR", the bearer of the card, the one at an OBJECTIVE, "the OPERATOR"
of a ruleset's effect, the two of an attack, the one that performs an ACTION and the one that it chooses;
``target`` outside of attacks; ``that`` for the effect's ``it``."""

Form = Literal["full", "short", "pronoun", "its", "that", "bare"]
"""``full`` at the first mention and ``short`` afterwards (they differ for the bearer of a card only);
``pronoun``: "it"; ``its``: "its target"; ``that``: "that OPERATOR", the target again;
``bare``: unsaid, as in "in RANGE"."""


class Mention(Struct, frozen=True):
    """One OPERATOR mentioned at one place.

    ``beside_target`` says of a pronoun that "its target" was mentioned before: a language uses the pronoun
    only if its gender distinguishes the two ("er", for "das Ziel" is "es"), and otherwise the noun. ``many``
    says that ``it`` refers to several, "those OPERATORs".
    """

    noun: Noun
    form: Form
    beside_target: bool = False
    many: bool = False


# -------------------------------------------------------------------------------------------------- groups


class Somewhere(Struct, frozen=True):
    """``in RANGE``, ``adjacent`` or ``opposite``, relative to an OPERATOR."""

    relation: Literal["in RANGE", "adjacent", "opposite"]
    to: Mention


class Position(Struct, frozen=True):
    """``on FIELDPOSITION 1``, or compared with a number.

    Of several numbers it is one of them for ``=``, none of them for ``!=``.
    """

    compare: str
    numbers: tuple[int, ...]


class HasQuantity(Struct, frozen=True):
    """``with AP >= 3``: a quantity compared with a number."""

    quantity: str
    compare: str
    number: int


class HasThan(Struct, frozen=True):
    """``with AP < AP of self``: a quantity compared with ``other`` of another OPERATOR."""

    quantity: str
    compare: str
    other: str
    of: Mention


class HasBearing(Struct, frozen=True):
    """``with [no] BEARING``, or one of several; each is a pair of ``what`` and name (``tree.Bears``)."""

    bearings: tuple[tuple[str, str | None], ...]
    negated: bool = False

    @property
    def team(self) -> bool:
        """Whether a TEAM is among them: an OPERATOR "belongs to" a TEAM and does not "have" it."""
        return any(kind == "TEAM" for kind, _ in self.bearings)


Having = HasQuantity | HasThan | HasBearing


class GroupPhrase(Struct, frozen=True):
    """A group of OPERATORs; ``excepted`` is mentioned if "other" alone would be ambiguous.

    ``on_field`` says that they are counted, and that no place implies that they are on the FIELD.
    """

    side: tree.Side
    other: bool = False
    team: str | None = None
    having: tuple[Having, ...] = ()
    on_field: bool = False
    in_savezone: bool = False
    places: tuple[Somewhere | Position, ...] = ()
    status: tree.StatusFilter | None = None
    excepted: Mention | None = None
    extreme: tree.Superlative | None = None
    team_of: Mention | None = None

    @property
    def places_come_first(self) -> bool:
        """Whether places must come before possessions, because the two would run together.

        "without a card attached adjacent to it" (something is lacked) and "with at least 1 Intel on the
        FIELD" (a MARKER) would say where the card or the MARKER is, not the OPERATOR.
        """
        lacks_something = any(isinstance(having, HasBearing) and having.negated for having in self.having)
        has_marker = any(
            not isinstance(having, HasBearing) and is_marker(having.quantity) for having in self.having
        )
        return lacks_something or has_marker

    @property
    def needs_relative_clause(self) -> bool:
        """Whether a relative clause is needed: "that are HIT", "that are not on FIELDPOSITION 1", "that do
        not have exactly 2 EP"; "that have … and have the highest AP of those"."""
        has_excluded_position = any(
            isinstance(location, Position) and location.compare == "!=" for location in self.places
        )
        has_excluded_number = any(
            not isinstance(having, HasBearing) and having.compare == "!=" for having in self.having
        )
        has_team = any(isinstance(having, HasBearing) and having.team for having in self.having)
        needs_clause = has_excluded_number or has_team or has_excluded_position
        return self.status is not None or needs_clause or self.narrowed

    @property
    def narrowed(self) -> bool:
        """Whether "with the highest AP" could be misread as the highest of other OPERATORs, too."""
        if self.extreme is None:
            return False
        has_place = any(map(_is_spelled_out, self.places))
        return bool(self.having or self.status or self.excepted or has_place)


def _is_spelled_out(location: Somewhere | Position) -> bool:
    return isinstance(location, Position) or location.to.form != "bare"


# ------------------------------------------------------------------------------------------------- numbers


class Integer(Struct, frozen=True):
    """A plain number with its sign."""

    value: int


class Measure(Struct, frozen=True):
    """A stat, VALUE, counter or fact of one OPERATOR."""

    quantity: str
    of: Mention


class Count(Struct, frozen=True):
    """The number of OPERATORs in a group."""

    group: GroupPhrase

    @property
    def side(self) -> tree.Side:
        """The side of the OPERATORs."""
        return self.group.side


class Cards(Struct, frozen=True):
    """The number of cards in a hand, a DECK or a DISCARDZONE; ``kind`` as in ``tree.NumberOfCards``.

    ``of_actor``, here and below, says that it is that of the opponent, who is the subject of the act.
    """

    side: tree.Side
    zone: tree.Zone = "hand"
    kind: str | None = None
    of_actor: bool = False


class Held(Struct, frozen=True):
    """The number of a player's MARKERs."""

    marker: str
    side: tree.Side
    of_actor: bool = False


class CapturedNumber(Struct, frozen=True):
    """The number of OBJECTIVEs that a player has CAPTURED."""

    side: tree.Side
    of_actor: bool = False


Counts = Count | Cards | Held | CapturedNumber
"""Numbers that count something, so that there may be none of it."""


class Minus(Struct, frozen=True):
    """The negative of a number."""

    number: NumberPhrase


class Formula(Struct, frozen=True):
    """Two numbers combined by ``+``, ``-``, ``*`` or ``/``."""

    operator: Literal["+", "-", "*", "/"]
    left: NumberPhrase
    right: NumberPhrase


NumberPhrase = Integer | Measure | Counts | tree.Damage | tree.Discarded | tree.Round | Minus | Formula

# ---------------------------------------------------------------------------------------------- conditions


class Compares(Struct, frozen=True):
    """A number compared with another."""

    left: NumberPhrase
    compare: str
    right: NumberPhrase


class CountIs(Struct, frozen=True):
    """A count compared with a number: "there are at least 2 …", "you have no …"."""

    what: Counts
    compare: str
    number: int


class RoundIs(Struct, frozen=True):
    """It is a certain ROUND, or before or after it."""

    compare: str
    number: int


class CountsCompared(Struct, frozen=True):
    """A count compared with another one.

    ``right`` is None for the same count of the other player: "you have more OPERATORs than your opponent".
    """

    left: Counts
    compare: str
    right: Count | Cards | None


class Stands(Struct, frozen=True):
    """An OPERATOR is in RANGE of another, adjacent, opposite, or on a FIELDPOSITION."""

    where: Somewhere | Position
    negated: bool = False


class HasMarkers(Struct, frozen=True):
    """An OPERATOR's number of MARKERs compared with a number, or with that of another OPERATOR."""

    marker: str
    compare: str
    number: int
    than: Mention | None = None


class HasTeamOf(Struct, frozen=True):
    """An OPERATOR has the TEAM of another one."""

    of: Mention
    negated: bool


Fact = tree.HasStatus | Stands | tree.Bears | HasMarkers | tree.HasReached | HasTeamOf | tree.HasPerformed


class JoinedConditions(Struct, frozen=True):
    """Conditions about one OPERATOR, which is mentioned once; ``word`` joins them."""

    who: Mention
    facts: tuple[Fact, ...]
    word: Literal["and", "or"]


class Together(Struct, frozen=True):
    """Several conditions: all of them (``and``) or at least one (``or``)."""

    word: Literal["and", "or"]
    parts: tuple[ConditionPhrase, ...]


ConditionPhrase = (
    Compares
    | CountIs
    | CountsCompared
    | RoundIs
    | JoinedConditions
    | tree.AttackIsCritical
    | tree.TurnIs
    | Together
)

# ------------------------------------------------------------------------------------------------- clauses


class Part(Struct, frozen=True):
    """A part of a number: it is divided, and rounded as the ruleset says (N-4, E-27)."""

    divisor: int
    rounding: str


class Counted(Struct, frozen=True):
    """What an amount is multiplied by ("for each …"), and its maximum.

    ``beyond`` is how many do not count ("beyond the first"), ``part`` which part of it counts ("for every
    2").
    """

    what: GroupPhrase | NumberPhrase
    maximum: int | None
    beyond: int = 0
    part: Part | None = None


class Change(Struct, frozen=True):
    """A signed amount of a stat or counter."""

    amount: int
    what: str
    counted: Counted | None


class MakesItsAttacksCritical(Struct, frozen=True):
    """``makes the attack CRITICAL`` outside of attacks: every attack of the OPERATOR."""


class IgnoresAll(Struct, frozen=True):
    """``ignores …``, one or several adjacent ones of ``vocabulary.IGNORABLE``: steps, or ACTIONs."""

    what: tuple[str, ...]


class IgnoresActions(Struct, frozen=True):
    """``ignores MOVE`` …: the numbers of the OPERATOR are not changed by these ACTIONs."""

    actions: tuple[str, ...]


class CannotPerformAny(Struct, frozen=True):
    """``cannot perform …``, one or several adjacent ones with their ACTIONs."""

    actions: tuple[str, ...]


class ThingCannot(Struct, frozen=True):
    """What is forbidden to something of an OPERATOR: its attack to be CRITICAL, its HITCOUNTER to fall."""

    thing: Literal["attack", "HITCOUNTER"]


class EachAttack(Struct, frozen=True):
    """A doing with dice that applies for longer than one attack, and so in each of them.

    ``attacking`` says that these are attacks by the OPERATOR, and not on it.
    """

    doing: tree.RollsExtra | tree.MayReroll | tree.KeepsDice | tree.SetsDice
    attacking: bool


class TakesDamage(Struct, frozen=True):
    """A change of the DAMAGE that an OPERATOR takes, by ``number`` in one of the layers."""

    layer: Literal["add", "multiply", "divide", "fix"]
    number: int
    counted: Counted | None = None


class Limited(Struct, frozen=True):
    """Limits of a stat, or of the DAMAGE that an OPERATOR takes: each a bound, and whether it is a lower
    one."""

    quantity: str
    bounds: tuple[tuple[NumberPhrase, bool], ...]


class Swaps(Struct, frozen=True):
    """Swapping places with another OPERATOR."""

    partner: Mention | GroupSubject


class MovesCards(Struct, frozen=True):
    """Drawing or discarding a number of cards for each of something."""

    doing: tree.Draws | tree.Discards
    counted: Counted


class TakesItem(Struct, frozen=True):
    """Taking the ITEM of another OPERATOR."""

    partner: Mention | GroupSubject


class Zone(Struct, frozen=True):
    """A hand, DECK or DISCARDZONE, or the ``top`` cards of a DECK.

    ``own`` says that it is that of the acting player, ``by_each`` that each player acts: "their" would be
    ambiguous.
    """

    side: tree.Side
    zone: tree.Zone
    own: bool
    top: int = 0
    by_each: bool = False


class Looks(Struct, frozen=True):
    """A player looks at cards."""

    source: Zone


class Puts(Struct, frozen=True):
    """A player puts cards from one place to another of the same player; fields as in ``tree.Puts``."""

    count: int
    kind: str | None
    random: bool
    source: Zone
    to: str
    extent: tree.Extent = "exactly"

    @property
    def all_of_top(self) -> bool:
        """Whether all of the top cards are moved, so that none is chosen."""
        if self.kind is not None or self.random or not self.source.top:
            return False
        return self.extent == "all" or (self.extent == "exactly" and self.source.top <= self.count)

    @property
    def searches(self) -> bool:
        """Whether the cards are chosen from a whole DECK."""
        return self.source.zone == "DECK" and not self.source.top and not self.random

    @property
    def looks(self) -> bool:
        """Whether the cards are chosen from the other player's hand."""
        is_chosen = not self.random and (self.extent != "all" or self.kind is not None)
        return self.source.zone == "hand" and not self.source.own and is_chosen


class DiscardsInPlay(Struct, frozen=True):
    """A player discards STRATEGY cards in play, of either player; ``own`` as in ``Zone``."""

    count: int
    random: bool
    side: tree.Side
    own: bool
    extent: tree.Extent = "exactly"


class RollsDie(Struct, frozen=True):
    """Rolling a D6; ``threshold`` is None if a following branch states it."""

    threshold: int | None


GAINS = (Change, tree.GainsRuleviolation, tree.GainsBonus, tree.GainsKeyword, tree.GainsTrait)
"""What an OPERATOR gets; a short text says only what it is."""


def has_own_subject(doing: DoingPhrase) -> bool:
    """Whether its subject is not the OPERATOR but its number or attack: "its AP become 6"."""
    is_of_number = isinstance(doing, Limited) and doing.quantity != "DAMAGE"
    return is_of_number or isinstance(doing, (tree.Fixes, ThingCannot))


OneVerb = (
    Change
    | MakesItsAttacksCritical
    | IgnoresAll
    | IgnoresActions
    | CannotPerformAny
    | ThingCannot
    | EachAttack
    | TakesDamage
    | Limited
    | Swaps
    | TakesItem
    | MovesCards
    | DiscardsInPlay
    | RollsDie
    | tree.PlainDoing
)
"""Doings that need one verb only."""

DoingPhrase = OneVerb | Looks | Puts


class GroupSubject(Struct, frozen=True):
    """``one`` (or more, see ``number``) or ``all`` of a group, or all without the word "all" (``bare``).

    "All … cannot" could be misread as "not all … can", but "enemy OPERATORs cannot" has one meaning.
    ``number``, ``up_to`` and ``random`` are as in ``tree.One``; ``by_opponent`` says that the opponent of the
    reader chooses.
    """

    count: Literal["one", "all", "bare"]
    group: GroupPhrase
    number: int = 1
    up_to: bool = False
    random: bool = False
    by_opponent: bool = False

    @property
    def fixed(self) -> bool:
        """Whether nobody chooses: "the enemy OPERATOR with the highest AP"."""
        return self.count == "one" and self.group.extreme is not None and not (self.random or self.up_to)


Subject = Mention | GroupSubject | tree.Player


class Stretch(Struct, frozen=True):
    """Adjacent doings with the same duration: a counter stays when the rest of an act ends with the TURN."""

    doings: tuple[DoingPhrase, ...]
    duration: tree.DurationName | None


def counts_group(stretch: Stretch) -> bool:
    """Whether it ends with a group that is counted: "it" after that would be ambiguous."""
    last_doing = stretch.doings[-1]
    if isinstance(last_doing, Limited):
        *_, (last_bound, _is_lower) = last_doing.bounds
        return isinstance(last_bound, Count)
    return (
        isinstance(last_doing, Change)
        and last_doing.counted is not None
        and isinstance(last_doing.counted.what, GroupPhrase)
    )


class ActPhrase(Struct, frozen=True):
    """An act with its subject; ``stretches`` are its doings with their durations.

    ``for_another`` says that the sentence is about another OPERATOR, so that a pronoun would be ambiguous,
    ``order`` that the reader acts, in the imperative ("Draw 2 cards"). ``may`` says whose choice it is: that
    of the subject ("this OPERATOR may …"), or the reader's for it ("you may have its target …"). ``unsaid``
    says that the kind of card says who the subject is, so that a short text leaves it out.
    """

    subject: Subject
    stretches: tuple[Stretch, ...]
    for_another: bool = False
    order: bool = False
    may: Literal["", "acts", "has"] = ""
    unsaid: bool = False

    @property
    def doings(self) -> tuple[DoingPhrase, ...]:
        """All that is done, in order."""
        return tuple(doing for stretch in self.stretches for doing in stretch.doings)


class ChoicePhrase(Struct, frozen=True):
    """The controller chooses one of two."""

    first: ClausePhrase
    second: ClausePhrase


ClausePhrase = ActPhrase | ChoicePhrase

# ----------------------------------------------------------------------------------------------- sentences

Asked = str
"""What a branch is about: the act of a player (``owner``, ``opponent``, ``each player``), of one or several
OPERATORs that may act (``it``, ``they``); what the ``reader`` may have them do; the success of a ``roll``
among other doings; or what happens to somebody (``outcome``)."""


class Branch(Struct, frozen=True):
    """``if so`` or ``if not`` before a clause: whether the clause that it is about was done (E-3).

    ``otherwise`` says that the clause before is the ``if so`` of the same. ``threshold`` is set if it is only
    about a roll, ``may`` if that roll was optional.
    """

    done: bool
    asked: Asked = "outcome"
    otherwise: bool = False
    threshold: int | None = None
    may: bool = False


Joint = Literal["and", "then", "afterwards"] | Branch
"""What joins two clauses: "and", "then", "then" in a sentence of its own, or a branch."""

AttackBy = Literal["attacker", "attacked", "own", "any"]
"""Which attack an outcome is of: ``who`` attacks or is attacked, an own OPERATOR attacks, or any attack."""


class TriggerPhrase(Struct, frozen=True):
    """A trigger; ``who`` is the OPERATOR that it is about, if any, ``what`` is as in ``tree.When``."""

    name: str
    who: Mention | GroupPhrase | None = None
    attack_by: AttackBy = "any"
    what: str = ""


class SentencePlan(Struct, frozen=True):
    """One printed sentence: "Once per LIMIT, when TRIGGER and CONDITION, …", with its parts in this order.

    ``opening`` is the word that begins it: without a trigger ``while`` conditions hold, ``if`` they hold at
    the moment, ``during`` a TURN; ``before`` is used for an OPERATOR that would become HIT, without
    conditions. All ``conditions`` must hold. ``joints`` join the clauses.
    """

    trigger: TriggerPhrase | None
    opening: Literal["when", "before", "while", "if", "during", ""]
    conditions: tuple[ConditionPhrase, ...]
    clauses: tuple[ClausePhrase, ...]
    joints: tuple[Joint, ...] = ()
    limit: tree.Limit | None = None

    @property
    def begins_unsaid(self) -> bool:
        """Whether the subject of the first act is left out."""
        return isinstance(self.clauses[0], ActPhrase) and self.clauses[0].unsaid
