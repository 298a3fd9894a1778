"""The syntax tree of the effect language: frozen values that are equal if they mean the same.

Every node has its ``place`` in the effect's text, in characters, the end exclusive. Places are not compared,
so that ``parse(print(tree)) == tree`` can hold. Names of classes and fields are part of the fingerprints in
people's files (``effect_printer.fingerprint``): they cannot be renamed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from operator import attrgetter
from typing import Any, Literal, NamedTuple

from msgspec import Struct

from toolkit.source.short_repr import PublicValue, short_repr
from toolkit.vocabulary import FORMS, Form

Place = tuple[int, int]
"""Begin and end in the effect's text, in characters, the end exclusive."""

_NOT_COMPARED = frozenset(
    {"place", "amount_place", "number_place", "maximum_place", "order", "opening", "unless"}
)


class Node(PublicValue, Struct, frozen=True, eq=False, kw_only=True):
    """A node of the tree. Two nodes are equal if they mean the same, wherever they are."""

    place: Place = (0, 0)

    def __repr__(self) -> str:
        return short_repr(self, [(name, getattr(self, name)) for name in compared_fields(type(self))])

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        values = _values(type(self))
        return bool(values(self) == values(other))

    def __ne__(self, other: object) -> bool:
        return not self == other  # msgspec's own __ne__ does not call an overridden __eq__ (0.22)

    def __hash__(self) -> int:
        return hash((type(self), _values(type(self))(self)))


@cache
def compared_fields(kind: type[Node]) -> tuple[str, ...]:
    """Return the fields by which nodes of a type are compared: not where and how they were written."""
    return tuple(name for name in kind.__struct_fields__ if name not in _NOT_COMPARED)


@cache
def _values(kind: type[Node]) -> Callable[[Node], object]:
    names = compared_fields(kind)
    return attrgetter(*names) if names else type


Side = Literal["own", "enemy", "any"]
Die = Literal["ATTACK", "DEFENCE"]
Zone = Literal["hand", "DECK", "DISCARDZONE"]
Relation = Literal["in RANGE", "adjacent", "opposite"]
Extent = Literal["exactly", "up to", "all"]
"""How many cards a verb means: a number, at most a number, or all, with which there is no number."""


class Word(Node, frozen=True):
    """A word or name with a place of its own: a stat, a status, an id in quotes (without them)."""

    text: str


class Marker(Word, frozen=True):
    """``MARKER "intel"`` as the name of a number; ``text`` is all of it, as written (E-11)."""

    @property
    def id(self) -> str:
        """The id of the marker."""
        return self.text[len('MARKER "') : -1]

    @property
    def id_place(self) -> Place:
        """Where the id stands, without its quotes."""
        end = self.place[1] - 1
        return (end - len(self.id), end)


# ------------------------------------------------------------------------------------------------------ WHO


class Ref(Node, frozen=True):
    """OPERATORs by their part: ``self``, ``target``, ``attacker``, ``attacked``, or ``it`` (E-7).

    ``it`` stands for ``they`` and ``them`` too.
    """

    name: str


class QuantityOf(Node, frozen=True):
    """``HITCOUNTER of self``, ``AP VALUE of target``."""

    quantity: Word
    ref: Ref


class QuantityFilter(Node, frozen=True):
    """``with MP >= 3``; ``quantity`` is ``AP``, ``AP VALUE``, ``HITCOUNTER``, …

    With ``than`` it is compared with that number of another OPERATOR: ``with AP < AP of self``.
    """

    quantity: Word
    compare: str
    number: int
    than: QuantityOf | None = None


class Bearing(Node, frozen=True):
    """What an OPERATOR can have; ``what`` and ``name`` as in ``Bears``."""

    what: str
    name: Word | None = None


class BearingFilter(Node, frozen=True):
    """``with [no] BEARING``; with several it is ``with either … or …``."""

    bearings: tuple[Bearing, ...]
    negated: bool = False


class StatusFilter(Node, frozen=True):
    """``that are [not] HIT``; with ``others`` it is ``that are either … or …``."""

    status: Word
    negated: bool = False
    others: tuple[Word, ...] = ()


class Superlative(Node, frozen=True):
    """``with the highest AP`` or ``with the lowest AP`` (E-9)."""

    quantity: Word
    highest: bool = True


class InRange(Node, frozen=True):
    """``in RANGE [of REF]``; without a REF it is seen from self (R-1)."""

    of: Ref | None = None


class Group(Node, frozen=True):
    """Several OPERATORs: ``[other] [own|enemy] OPERATORs`` and filters, all of which must hold.

    ``trait`` and ``quantity`` are the first plain ``with trait "x"`` and ``with AP >= 3``; what else is said
    with ``with`` is in ``having``, and ``withs`` gives all of it. ``order`` names the filters as they were
    written, so that a wrong order or a double can be reported; ``adjective`` is a status before the noun.
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
    order: tuple[str, ...] = ()
    having: tuple[QuantityFilter | BearingFilter, ...] = ()
    savezone: bool = False
    superlative: Superlative | None = None
    team_of: Ref | None = None

    @property
    def withs(self) -> tuple[QuantityFilter | BearingFilter, ...]:
        """Everything behind ``with``, but for ``with the highest AP``, in one form."""
        trait = self.trait and BearingFilter((Bearing("trait", self.trait, place=self.trait.place),))
        return (*(group_filter for group_filter in (trait, self.quantity) if group_filter), *self.having)


class One(Node, frozen=True):
    """``one|two|three [random] GROUP`` or ``up to two|three …``: its controller or chance chooses (E-8).

    ``chooser`` is ``owner`` or ``opponent`` where ``chosen by`` says so.
    """

    group: Group
    count: int = 1
    up_to: bool = False
    random: bool = False
    chooser: str | None = None


class Every(Node, frozen=True):
    """``all GROUP``."""

    group: Group


class Player(Node, frozen=True):
    """``owner`` (the controller of the card), ``opponent`` or ``each player``."""

    name: str


Who = Ref | One | Every | Player

# -------------------------------------------------------------------------------------------------- NUMBERs


class Constant(Node, frozen=True):
    """An integer, 0 or more."""

    value: int


class Negative(Node, frozen=True):
    """``-NUMBER``."""

    number: Number


class Binary(Node, frozen=True):
    """``left + right``, ``left - right`` or ``left * right``; ``left / 2``, by a ``Constant`` (E-27)."""

    operator: Literal["+", "-", "*", "/"]
    left: Number
    right: Number


class MarkerOfPlayer(Node, frozen=True):
    """``MARKER "supply" of owner``; any other ``quantity`` is a finding."""

    quantity: Word
    player: Player


class NumberOf(Node, frozen=True):
    """``number of GROUP``."""

    group: Group


class CardsInHand(Node, frozen=True):
    """``number of cards in own hand``."""

    side: Side


class NumberOfCards(Node, frozen=True):
    """``number of ATTACK cards in own DISCARDZONE``; plain ``cards in own hand`` are ``CardsInHand``.

    ``kind`` is ``ATTACK``, ``DEFENCE``, ``EFFECT`` or ``STRATEGY``, None for all kinds.
    """

    kind: str | None
    side: Side
    zone: Zone


class Captured(Node, frozen=True):
    """``number of OBJECTIVEs CAPTURED by owner``: what ``victory`` counts."""

    player: Player


class Discarded(Node, frozen=True):
    """``for each discarded card``: what the last ``discards`` before it discarded (E-13)."""


class Damage(Node, frozen=True):
    """``DAMAGE``: what the attack that hits adds to the HITCOUNTER (E-14)."""


class Round(Node, frozen=True):
    """``ROUND``: the number of the current ROUND, the first is 1."""


Number = (
    Constant | Negative | Binary | QuantityOf | MarkerOfPlayer | NumberOf | CardsInHand | NumberOfCards
    | Captured | Discarded | Damage | Round
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------- IF


class AnyOf(Node, frozen=True):
    """``a or b or …``."""

    parts: tuple[Condition, ...]


class AllOf(Node, frozen=True):
    """``a and b and …``."""

    parts: tuple[Condition, ...]


class Not(Node, frozen=True):
    """``not a``."""

    part: Condition


class Comparison(Node, frozen=True):
    """``NUMBER CMP NUMBER``."""

    left: Number
    compare: str
    right: Number


class HasStatus(Node, frozen=True):
    """``REF is [not] SUPPRESSED``."""

    ref: Ref
    status: Word
    negated: bool = False


class Stands(Node, frozen=True):
    """``REF is [not] in RANGE of REF``, ``adjacent to`` or ``opposite``."""

    ref: Ref
    relation: Relation
    to: Ref
    negated: bool = False


class Bears(Node, frozen=True):
    """``REF has [no] …``.

    ``what`` is ``TEAM``, ``trait``, ``KEYWORD``, ``card``, ``ATTACK card``, ``DEFENCE card`` or ``ITEM``;
    ``name`` is the trait, or the id of the TEAM or KEYWORD.
    """

    ref: Ref
    what: str
    name: Word | None = None
    negated: bool = False


class AttackIsCritical(Node, frozen=True):
    """``the attack is [not] CRITICAL``."""

    negated: bool = False


class HasReached(Node, frozen=True):
    """``REF has [not] REACHED the OBJECTIVE``."""

    ref: Ref
    negated: bool = False


class HasTeamOf(Node, frozen=True):
    """``REF has [not] TEAM of REF``."""

    ref: Ref
    of: Ref
    negated: bool = False


class HasPerformed(Node, frozen=True):
    """``REF has [not] performed ATTACK this TURN``; ``action`` is the ACTION."""

    ref: Ref
    action: str
    negated: bool = False


class TurnIs(Node, frozen=True):
    """``the TURN is [not] own|enemy``, seen from the controller."""

    side: Side
    negated: bool = False


Condition = (
    AnyOf | AllOf | Not | Comparison | HasStatus | Stands | Bears | AttackIsCritical | HasReached | HasTeamOf
    | HasPerformed | TurnIs
)  # fmt: skip

# ----------------------------------------------------------------------------------------------------- DOES


class Per(Node, frozen=True):
    """``for each GROUP|NUMBER [(max n)]``: the amount counts so many times."""

    what: Group | Number
    maximum: int | None = None
    maximum_place: Place = (0, 0)


class Numbered(Node, frozen=True, kw_only=True):
    """A DOES that says a number: where it stands, with its ``+``."""

    number_place: Place = (0, 0)


class Gets(Node, frozen=True):
    """``gets +2 AP``; ``amount`` is signed and its place is that of ``+2``.

    ``what`` is a stat, a counter, ``DAMAGE``, ``RANGE`` or a ``Marker``.
    """

    amount: int
    what: Word
    per: Per | None = None
    amount_place: Place = (0, 0)


class Multiplies(Numbered, frozen=True):
    """``multiplies AP by 3``; ``doubles AP`` is factor 2."""

    stat: Word
    factor: int


class Divides(Numbered, frozen=True):
    """``divides EP by 3``; ``halves EP`` is divisor 2."""

    stat: Word
    divisor: int


class Fixes(Numbered, frozen=True):
    """``fixes EP at 5``."""

    stat: Word
    value: int


class Limits(Node, frozen=True):
    """``limits AP to 5``; with ``at_least`` it is ``limits AP to at least 1`` (E-26)."""

    stat: Word
    bound: Number
    at_least: bool = False


class Ignores(Node, frozen=True):
    """``ignores SUPPRESSION``; ``what`` is one of ``vocabulary.IGNORABLE``."""

    what: str


class RollsExtra(Numbered, frozen=True):
    """``rolls +1 ATTACK D6``."""

    count: int
    die: Die


class Shown(Node, frozen=True):
    """What a die shows: ``<= 2`` (E-25)."""

    compare: str
    number: int


class MayReroll(Numbered, frozen=True):
    """``may reroll 1 [enemy] ATTACK D6``, with ``shown`` only dice that show so."""

    count: int
    die: Die
    enemy: bool = False
    shown: Shown | None = None


class KeepsDice(Numbered, frozen=True):
    """``keeps the highest ATTACK D6``, ``keeps the 2 lowest …``: the others are set aside (E-23)."""

    count: int
    highest: bool
    die: Die


class SetsDice(Numbered, frozen=True):
    """``sets 1 [enemy] ATTACK D6 to 6`` (E-24); ``optional`` is `may` in a continuous sentence, where each
    die may be declined, which only effect objects say."""

    count: int
    die: Die
    result: int
    enemy: bool = False
    optional: bool = False


class MakesDiceCritical(Numbered, frozen=True):
    """``makes ATTACK D6 CRITICAL on 5+``."""

    threshold: int


class MakesAttackCritical(Node, frozen=True):
    """``makes the attack CRITICAL``."""


class CannotPerform(Node, frozen=True):
    """``cannot perform MOVE``; ``action`` is an ACTION or ``BONUS``."""

    action: str


class CannotBeAttacked(Node, frozen=True):
    """``cannot be attacked``."""


class CannotHaveDefence(Node, frozen=True):
    """``cannot have DEFENCE cards``."""


class CannotHave(Node, frozen=True):
    """``cannot have ATTACK cards``, ``ITEMs`` or ``cards`` (E-33)."""

    what: str


class CannotMakeCritical(Node, frozen=True):
    """``cannot make the attack CRITICAL`` (E-33)."""


class CannotLoseHitcounter(Node, frozen=True):
    """``cannot lose HITCOUNTER`` (E-33)."""


class CannotPlay(Node, frozen=True):
    """``cannot play EFFECT cards``, of a player (E-33); ``kind`` as in ``NumberOfCards``."""

    kind: str


class CannotDraw(Node, frozen=True):
    """``cannot draw cards``, of a player (E-33)."""


class GainsRuleviolation(Numbered, frozen=True):
    """``gains RULEVIOLATION 4+`` (K-2)."""

    threshold: int


class GainsBonus(Node, frozen=True):
    """``gains BONUS (ATTACK)`` (K-3); ``action`` is an ACTION or ``ANY``."""

    action: str


class FulfilsPerformance(Node, frozen=True):
    """``fulfils PERFORMANCE`` (K-1)."""


class Draws(Numbered, frozen=True):
    """``draws 2 cards``; with ``per`` so many for each."""

    count: int
    per: Per | None = None


class FetchesItems(Numbered, frozen=True):
    """``draws 1 ITEM``: from the ITEMDECK onto an OPERATOR (K-1, E-28)."""

    count: int


class Discards(Numbered, frozen=True):
    """``discards 1 [random] card`` from the own hand; ``kind`` as in ``NumberOfCards``."""

    count: int | None
    kind: str | None = None
    random: bool = False
    per: Per | None = None
    extent: Extent = "exactly"


class Becomes(Node, frozen=True):
    """``becomes EXHAUSTED``, ``NORMAL`` or ``OUT``."""

    status: str


class BecomesTarget(Node, frozen=True):
    """``becomes the target`` of the attack that begins (E-22)."""


class RollsDie(Numbered, frozen=True):
    """``rolls a D6 for 4+``: done on that or more (E-20)."""

    threshold: int


class GainsKeyword(Node, frozen=True):
    """``gains KEYWORD "steadfast"`` (E-12)."""

    keyword: Word


class GainsTrait(Node, frozen=True):
    """``gains trait "sniper"`` (E-12)."""

    trait: Word


class SwapsPlaces(Node, frozen=True):
    """``swaps places with REF`` or ``with one [random] GROUP`` (E-10)."""

    partner: Ref | One


class Advances(Node, frozen=True):
    """``advances``: its OBJECTIVECOUNTER grows by its MP (E-10)."""


class Retreats(Node, frozen=True):
    """``retreats``: from the FIELD into the SAVEZONE (E-10)."""


class EntersField(Node, frozen=True):
    """``enters the FIELD``: from the SAVEZONE (E-10)."""


class Loses(Node, frozen=True):
    """``loses card``, ``ATTACK card``, ``DEFENCE card`` or ``ITEM`` (E-17)."""

    what: str


class LosesSkills(Node, frozen=True):
    """``loses SKILLs``, for a time (E-29)."""


class Performs(Node, frozen=True):
    """``performs ATTACK``: an ACTION at once (E-32)."""

    action: str


class WinsGame(Node, frozen=True):
    """``wins the GAME``, of a player (E-31)."""


class LosesGame(Node, frozen=True):
    """``loses the GAME``, of a player (E-31)."""


class DiscardsStrategy(Numbered, frozen=True):
    """``discards 1 [random] [own|enemy] STRATEGY in play`` (E-17); without a side it is the WHO's own."""

    count: int | None
    side: Side | None = None
    random: bool = False
    extent: Extent = "exactly"


class DiscardsThisCard(Node, frozen=True):
    """``discards this card``: the card that bears the sentence (E-17)."""


class Source(Node, frozen=True):
    """``own|enemy hand|DECK|DISCARDZONE``, or ``the top 3 cards of own DECK`` with ``top`` 3; else 0."""

    side: Side
    zone: Zone
    top: int = 0


class LooksAt(Node, frozen=True):
    """``looks at enemy hand`` (E-13)."""

    source: Source


class Puts(Numbered, frozen=True):
    """``puts 1 [random] ATTACK card from own DECK into the hand`` (E-13).

    ``to`` is ``into the hand``, ``onto the DECK``, ``under the DECK`` or ``into the DISCARDZONE``.
    """

    count: int | None
    source: Source
    to: str
    kind: str | None = None
    random: bool = False
    extent: Extent = "exactly"


class PutsThisCard(Node, frozen=True):
    """``puts this card into the hand``: the card that bears the sentence comes back (E-13); ``to`` as in
    ``Puts``."""

    to: str


class Shuffles(Node, frozen=True):
    """``shuffles the DECK`` (E-13)."""


class TakesItem(Node, frozen=True):
    """``takes ITEM of REF`` or ``of one [random] GROUP`` (E-28)."""

    partner: Ref | One


WithPartner = SwapsPlaces | TakesItem
"""A DOES with another OPERATOR, the ``partner``, who is named or chosen."""

DISCARDING = (Discards, DiscardsStrategy, DiscardsThisCard)
"""The verbs whose cards `for each discarded card` counts."""

PlainDoing = (
    Multiplies | Divides | Fixes | Limits | RollsExtra | MayReroll | KeepsDice | SetsDice
    | MakesDiceCritical | MakesAttackCritical | CannotBeAttacked | CannotHaveDefence | CannotHave
    | CannotMakeCritical | CannotLoseHitcounter | CannotPlay | CannotDraw | GainsRuleviolation
    | GainsBonus | FulfilsPerformance | Draws | Discards | Becomes | BecomesTarget | RollsDie
    | GainsKeyword | GainsTrait | SwapsPlaces | Advances | Retreats | EntersField | Loses | LosesSkills
    | Performs | WinsGame | LosesGame | DiscardsStrategy | DiscardsThisCard | LooksAt | Puts | PutsThisCard
    | Shuffles | FetchesItems | TakesItem
)  # fmt: skip
"""What is put into words as it stands."""

Doing = Gets | Ignores | CannotPerform | PlainDoing

FORBIDDING = (
    CannotPerform, CannotBeAttacked, CannotHaveDefence, CannotHave, CannotMakeCritical, CannotLoseHitcounter,
    CannotPlay, CannotDraw,
)  # fmt: skip
"""What forbids something (M-8, E-33)."""

_NUMBERS = ("amount", "count", "factor", "divisor", "value", "threshold")
_FORMS: dict[str, tuple[Form, ...]] = {
    node: tuple(form for form in FORMS.values() if form.node == node)
    for node in {form.node for form in FORMS.values()}
}


def form_of(doing: Doing) -> Form:
    """The row of what is done: of several for one kind of node the first that says the same."""
    forms = _FORMS[type(doing).__name__]
    if len(forms) == 1:
        return forms[0]
    return next(form for form in forms if all(getattr(doing, name) == value for name, value in form.fixed))


class SaidNumber(NamedTuple):
    """The number that a DOES says, the name of its field, and its place."""

    field: str
    value: int
    place: Place


def number_of(doing: Node) -> SaidNumber | None:
    """Return the number that a DOES says; None for those that say none."""
    for field in _NUMBERS:
        value = getattr(doing, field, None)
        if value is not None:
            place = getattr(doing, "amount_place" if field == "amount" else "number_place")
            return SaidNumber(field, value, place)
    return None


# ------------------------------------------------------------------------------------------------ sentences

DurationName = Literal["ATTACK", "TURN", "ROUND", "own TURN", "FIELD", "permanently"]
Link = Literal["then", "and", "if so", "if not"]
Limit = Literal["TURN", "ROUND", "GAME"]


class Duration(Node, frozen=True):
    """``until end of TURN``, ``until the own TURN begins``, ``while on the FIELD`` …: see ``DURATIONS``."""

    name: DurationName


class Act(Node, frozen=True):
    """``WHO [may] DOES [and DOES]… [DURATION]``; the duration holds for all of its DOES."""

    who: Who
    doings: tuple[Doing, ...]
    duration: Duration | None = None
    may: bool = False


class Either(Node, frozen=True):
    """``either CLAUSE or CLAUSE``: the controller chooses."""

    first: Clause
    second: Clause


Clause = Act | Either


class When(Node, frozen=True):
    """``when EVENT`` or ``while attacking``; ``name`` is a key of ``vocabulary.TRIGGERS``.

    ``subject`` is whom it speaks of, where the name does not say it: a ``Group`` in the singular
    (``other`` for `another`). ``what`` is the ACTION performed (``ACTION`` for any), or
    the counter or ``Marker`` that grows or shrinks.
    """

    name: str
    subject: Ref | Group | None = None
    what: Word | None = None


class Sentence(Node, frozen=True):
    """``[once per TURN,] [when EVENT,|while STATE,] [if CONDITION,] CLAUSE [LINK CLAUSE]….``

    ``links`` are the links between the clauses, none where all are `, then`. ``opening`` is the word that was
    written, `when`, `while` or none; it does not count: `while CONDITION,` is the condition, joined by `and`
    with that of a further `if`. ``unless`` says that this one was written instead of an `if`: the condition
    is a ``Not``, or its last part is.
    """

    clauses: tuple[Clause, ...]
    when: When | None = None
    condition: Condition | None = None
    links: tuple[Link, ...] = ()
    limit: Limit | None = None
    opening: Word | None = None
    unless: bool = False

    def link(self, number: int) -> Link:
        """The link before a clause, counted from 0; the first clause has `then`."""
        return self.links[number - 1] if self.links and number else "then"


class Effect(Node, frozen=True):
    """One or more sentences."""

    sentences: tuple[Sentence, ...]


def walk(node: Any) -> Iterator[Any]:
    """The node itself, then every node below it."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        names = _parts(node.__class__)
        if not names:
            continue
        below: list[Any] = []
        for name in names:
            value = getattr(node, name)
            if value.__class__ is tuple:
                below += value
            elif value is not None:
                below.append(value)
        below.reverse()
        waiting += below


_PLAIN = {
    "str", "int", "bool", "Place", "int | None", "str | None", "Side", "Side | None", "Die", "Zone",
    "Relation", "Extent", "DurationName", "Limit | None", "tuple[str, ...]", "tuple[Link, ...]",
    "Literal['+', '-', '*', '/']",
}  # fmt: skip
"""The annotations of fields that hold no nodes."""


@cache
def _parts(kind: type) -> tuple[str, ...]:
    return tuple(name for name, annotation in kind.__annotations__.items() if annotation not in _PLAIN)


class Rewording(Struct, frozen=True):
    """A text that may stand at a place of an effect instead of what stands there."""

    place: Place
    text: str


class Problem(Struct, frozen=True):
    """A finding before it knows its file: ``place`` is in the effect's text.

    ``fix`` is the text that would replace ``place``, where one edit mends it; ``safe`` says that nothing else
    can have been meant. ``related`` are other places with what is there. ``alternatives`` are what may have
    been meant, the fix among them, the most probable first.
    """

    name: str
    message: str
    place: Place
    next_step: str = ""
    fix: str | None = None
    related: tuple[tuple[Place, str], ...] = ()
    safe: bool = True
    alternatives: tuple[Rewording, ...] = ()
