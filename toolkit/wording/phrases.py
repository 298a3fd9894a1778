"""Plans: rules text without a language, its parts in the order in which each language prints them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.wording.text import is_marker

Noun = Literal[
    "this", "bearer", "holder", "operator", "actor", "attacker", "attacked", "chosen", "target", "that"
]
"""How one OPERATOR is called: "this OPERATOR", the one that bears the card, the one at an OBJECTIVE, "the
OPERATOR" of a ruleset's effect, the two of an attack, the one that performs an ACTION and the one that it
chooses; ``target`` where there is no attack; ``that`` for whom `it` means."""

Form = Literal["full", "short", "pronoun", "its", "that", "bare"]
"""``full`` at the first mention and ``short`` afterwards (they differ for the bearer of a card only);
``pronoun``: "it"; ``its``: "its target"; ``that``: "that OPERATOR", the target again;
``bare``: unsaid, as in "in RANGE"."""


class Mention(Struct, frozen=True):
    """One OPERATOR named at one place.

    ``beside_target``, of a pronoun: "its target" was named before, so a language says the pronoun only where
    its gender tells the two apart ("er", for "sein Ziel" is "es"), and the name everywhere else.
    ``many``: `it` means several, "those OPERATORs".
    """

    noun: Noun
    form: Form
    beside_target: bool = False
    many: bool = False


# -------------------------------------------------------------------------------------------------- groups


class Somewhere(Struct, frozen=True):
    """``in RANGE``, ``adjacent`` or ``opposite``, and of whom."""

    relation: Literal["in RANGE", "adjacent", "opposite"]
    to: Mention


class Position(Struct, frozen=True):
    """``on FIELDPOSITION 1``, or compared with a number; of several numbers with ``=`` one is enough, with
    ``!=`` it is none of them."""

    compare: str
    numbers: tuple[int, ...]


class HasQuantity(Struct, frozen=True):
    """``with AP >= 3``; compared with a number."""

    quantity: str
    compare: str
    number: int


class HasThan(Struct, frozen=True):
    """``with AP < AP of self``; compared with ``other`` of another OPERATOR."""

    quantity: str
    compare: str
    other: str
    of: Mention


class HasBearing(Struct, frozen=True):
    """``with [no] BEARING``, or with several: one of them; each is its ``what`` and name (``tree.Bears``)."""

    bearings: tuple[tuple[str, str | None], ...]
    negated: bool = False

    @property
    def team(self) -> bool:
        """Whether a TEAM is among them: one belongs to it, and does not have it."""
        return any(what == "TEAM" for what, _ in self.bearings)


Having = HasQuantity | HasThan | HasBearing


class GroupPhrase(Struct, frozen=True):
    """OPERATORs; ``excepted`` is named where "other" alone would leave open other than whom.

    ``on_field``: they are counted, and no place says that only those on the FIELD count.
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

    @property
    def place_first(self) -> bool:
        """Whether what they have would run together with where they are: "a card attached adjacent to it",
        "at least 1 Intel on the FIELD"."""
        lacks = any(isinstance(part, HasBearing) and part.negated for part in self.having)
        marker = any(not isinstance(part, HasBearing) and is_marker(part.quantity) for part in self.having)
        return lacks or marker

    @property
    def described(self) -> bool:
        """Whether a relative clause has to say it: "that are HIT", "that are not on FIELDPOSITION 1",
        "that do not have exactly 2 EP"; "that have … and have the highest AP of those"."""
        away = (isinstance(place, Position) and place.compare == "!=" for place in self.places)
        lacks = (not isinstance(part, HasBearing) and part.compare == "!=" for part in self.having)
        teams = (isinstance(part, HasBearing) and part.team for part in self.having)
        return self.status is not None or any(lacks) or any(teams) or any(away) or self.narrowed

    @property
    def narrowed(self) -> bool:
        """Whether "with the highest AP" could be heard of other OPERATORs than of these."""
        if self.extreme is None:
            return False
        named = any(_names(place) for place in self.places)
        return bool(self.having or self.status or self.excepted or named)


def _names(place: Somewhere | Position) -> bool:
    return isinstance(place, Position) or place.to.form != "bare"


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
        """Whose they are."""
        return self.group.side


class Cards(Struct, frozen=True):
    """The number of cards in a hand, a DECK or a DISCARDZONE; ``kind`` as in ``tree.NumberOfCards``.

    ``of_actor``, here and below: it is that of the opponent, who is the subject of the act.
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
"""What is counted, so that there may be none of it."""


class Minus(Struct, frozen=True):
    """The negative of a number."""

    number: NumberPhrase


class Formula(Struct, frozen=True):
    """Two numbers put together by ``+``, ``-`` or ``*``."""

    operator: Literal["+", "-", "*"]
    left: NumberPhrase
    right: NumberPhrase


NumberPhrase = Integer | Measure | Counts | tree.Damage | tree.Round | Minus | Formula

# ---------------------------------------------------------------------------------------------- conditions


class Compares(Struct, frozen=True):
    """A number compared with another."""

    left: NumberPhrase
    compare: str
    right: NumberPhrase


class CountIs(Struct, frozen=True):
    """There are so many of what is counted, or somebody has so many."""

    what: Counts
    compare: str
    number: int


class RoundIs(Struct, frozen=True):
    """It is that ROUND, or before or after it."""

    compare: str
    number: int


class CountsCompared(Struct, frozen=True):
    """There are more (as many, fewer …) of one than of another.

    ``right`` is None where it is the same of the other player: "you have more OPERATORs than your opponent".
    """

    left: Counts
    compare: str
    right: Count | Cards | None


class Stands(Struct, frozen=True):
    """An OPERATOR is in RANGE of another, adjacent, opposite, or on a FIELDPOSITION."""

    where: Somewhere | Position
    negated: bool = False


class HasMarkers(Struct, frozen=True):
    """An OPERATOR has so many MARKERs, or as many as another one."""

    marker: str
    compare: str
    number: int
    than: Mention | None = None


Fact = tree.HasStatus | Stands | tree.Bears | HasMarkers | tree.HasReached


class Facts(Struct, frozen=True):
    """Conditions about one OPERATOR, which is named once; ``word`` joins them."""

    who: Mention
    facts: tuple[Fact, ...]
    word: Literal["and", "or"]


class Together(Struct, frozen=True):
    """Several conditions: all of them (``and``) or at least one (``or``)."""

    word: Literal["and", "or"]
    parts: tuple[ConditionPhrase, ...]


ConditionPhrase = (
    Compares | CountIs | CountsCompared | RoundIs | Facts | tree.AttackIsCritical | tree.TurnIs | Together
)

# ------------------------------------------------------------------------------------------------- clauses


class Counted(Struct, frozen=True):
    """What an amount is counted by, and at most how many times.

    ``beyond``: so many of them do not count ("beyond the first").
    """

    what: GroupPhrase | NumberPhrase
    maximum: int | None
    beyond: int = 0


class Change(Struct, frozen=True):
    """A signed amount of a stat or counter."""

    amount: int
    what: str
    counted: Counted | None


class MakesItsAttacksCritical(Struct, frozen=True):
    """``makes the attack CRITICAL`` where no attack is going on: every attack of the OPERATOR."""


class IgnoresAll(Struct, frozen=True):
    """``ignores …``, one or several of ``vocabulary.IGNORABLE`` one after the other."""

    what: tuple[str, ...]


class CannotPerformAny(Struct, frozen=True):
    """``cannot perform …``, one or several ACTIONs one after the other."""

    actions: tuple[str, ...]


class EachAttack(Struct, frozen=True):
    """A doing with dice that is in force for longer than one attack: it is done in each of them.

    ``attacking``: in each attack by the OPERATOR, else in each on it.
    """

    doing: tree.RollsExtra | tree.MayReroll
    attacking: bool


class TakesDamage(Struct, frozen=True):
    """What is changed of the DAMAGE that an OPERATOR takes: by ``number``, or how many times, or to what."""

    layer: Literal["add", "multiply", "divide", "fix"]
    number: int
    counted: Counted | None = None


class Swaps(Struct, frozen=True):
    """Places are swapped with another OPERATOR."""

    partner: Mention | GroupSubject


class MovesCards(Struct, frozen=True):
    """Cards are drawn or discarded, so many for each of what is counted."""

    doing: tree.Draws | tree.Discards
    counted: Counted


class Zone(Struct, frozen=True):
    """A hand, DECK or DISCARDZONE, or the ``top`` cards of a DECK.

    ``own``: it is that of the player who acts; ``by_each``: each player acts, so "their" could be either.
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

    @property
    def all_of_top(self) -> bool:
        """Whether all cards of a top are put there, so that nothing is chosen."""
        return 0 < self.source.top <= self.count and self.kind is None and not self.random

    @property
    def searches(self) -> bool:
        """Whether the cards are chosen from a whole DECK."""
        return self.source.zone == "DECK" and not self.source.top and not self.random


class DiscardsInPlay(Struct, frozen=True):
    """A player discards STRATEGY cards in play, of either player; ``own`` as in ``Zone``."""

    count: int
    random: bool
    side: tree.Side
    own: bool


class RollsDie(Struct, frozen=True):
    """A D6 is rolled; ``threshold`` where no branch behind it says from which number it is done."""

    threshold: int | None


OneVerb = (
    Change
    | MakesItsAttacksCritical
    | IgnoresAll
    | CannotPerformAny
    | EachAttack
    | TakesDamage
    | Swaps
    | MovesCards
    | DiscardsInPlay
    | RollsDie
    | tree.PlainDoing
)
"""What is said with one verb."""

DoingPhrase = OneVerb | Looks | Puts


class GroupSubject(Struct, frozen=True):
    """``one`` (or more, see ``number``) or ``all`` of a group, or all of it without that word (``bare``).

    "All … cannot" could be heard as "not all … can"; "enemy OPERATORs cannot" has one meaning. ``number``,
    ``up_to`` and ``random`` as in ``tree.One``.
    """

    count: Literal["one", "all", "bare"]
    group: GroupPhrase
    number: int = 1
    up_to: bool = False
    random: bool = False

    @property
    def fixed(self) -> bool:
        """Whether its numbers say who it is: "the enemy OPERATOR with the highest AP"."""
        return self.count == "one" and self.group.extreme is not None and not (self.random or self.up_to)


Subject = Mention | GroupSubject | tree.Player


class Stretch(Struct, frozen=True):
    """Neighbouring doings and how long they last: a counter stays, whatever else ends with the TURN."""

    doings: tuple[DoingPhrase, ...]
    duration: tree.DurationName | None


def counts_group(stretch: Stretch) -> bool:
    """Whether it ends with the OPERATORs by which an amount is counted: "it" behind them could be one."""
    last = stretch.doings[-1]
    return (
        isinstance(last, Change) and last.counted is not None and isinstance(last.counted.what, GroupPhrase)
    )


class ActPhrase(Struct, frozen=True):
    """Somebody does something; ``stretches`` says what of it lasts for how long.

    ``for_another``: the sentence is about another OPERATOR, so that a pronoun could be either.
    ``order``: it is the reader who acts, and is asked to ("Draw 2 cards"). ``may``: it is the choice of those
    who act ("this OPERATOR may …"), or the reader's for them ("you may have its target …").
    """

    subject: Subject
    stretches: tuple[Stretch, ...]
    for_another: bool = False
    order: bool = False
    may: Literal["", "acts", "has"] = ""

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
"""Whose doing a branch asks for: a player's (``owner``, ``opponent``, ``each player``); that of one or
several OPERATORs that may act (``it``, ``they``); what the ``reader`` may have them do; whether a ``roll``
among others succeeds; or what happens to somebody (``outcome``)."""


class Branch(Struct, frozen=True):
    """``if so`` or ``if not`` before a clause: whether the clause that it asks for was done (E-3).

    ``otherwise``: the clause before is the ``if so`` of the same; ``threshold`` where a roll is all that it
    asks for; ``may``: that was not rolled by those who need not.
    """

    done: bool
    asked: Asked = "outcome"
    otherwise: bool = False
    threshold: int | None = None
    may: bool = False


Joint = Literal["and", "then", "afterwards"] | Branch
"""What joins two clauses: side by side, one after the other, the same in a sentence of its own, a branch."""

AttackBy = Literal["attacker", "attacked", "own", "any"]
"""In the outcome of an attack: ``who`` attacks or is attacked, or it is one of an own OPERATOR, or any."""


class TriggerPhrase(Struct, frozen=True):
    """A trigger; ``who`` is the OPERATOR that it is about, if there is one; ``what`` as in ``tree.When``."""

    name: str
    who: Mention | GroupPhrase | None = None
    attack_by: AttackBy = "any"
    what: str = ""


class SentencePlan(Struct, frozen=True):
    """One printed text: "Once per LIMIT, when TRIGGER and CONDITION, …" (in its parts, in this order).

    ``opening`` says how a condition without a trigger begins: ``while`` it holds, or ``if`` it holds at the
    moment, ``during`` a TURN; ``before`` an OPERATOR becomes HIT, without a condition. ``conditions`` must
    all hold. ``joints`` join the clauses.
    """

    trigger: TriggerPhrase | None
    opening: Literal["when", "before", "while", "if", "during", ""]
    conditions: tuple[ConditionPhrase, ...]
    clauses: tuple[ClausePhrase, ...]
    joints: tuple[Joint, ...] = ()
    limit: tree.Limit | None = None
