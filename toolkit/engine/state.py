"""The state of a GAME: OPERATORs, players and what lasts, and who stands where to whom (F-1, R-1 to R-3).

The state is changed in place. What its objects hold are immutable values (numbers, strings, tuples), so that
``copy`` is a snapshot: nothing that happens to the state afterwards shows in it. An OPERATOR is one object as
long as the state lives; ``restore`` puts old values into the same objects.

Ruling on F-3 and A-2b: each of the two rows has its own OBJECTIVE at each FIELDPOSITION, by the mode's list
``objectives`` (the same list for both rows). An OPERATOR moves towards the one of its own row; when it has
CAPTURED it that position of its row has none any more, and the other row's is untouched. A mode that lists
fewer OBJECTIVEs than FIELDPOSITIONs leaves the last positions without one.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.dsl.effect_objects import Layer, Origin
from toolkit.source.short_repr import PublicValue
from toolkit.vocabulary import RANGES

Side = Literal["blue", "red"]
Status = Literal["NORMAL", "EXHAUSTED", "HIT", "OUT"]
Key = int
"""An OPERATOR's number: its index in ``GameState.operators``. It never changes during a game."""

SIDES: tuple[Side, Side] = ("blue", "red")
UP: frozenset[Status] = frozenset(("NORMAL", "EXHAUSTED"))
"""The status of one that lies face up (C-2)."""


def other(side: Side) -> Side:
    """Return the other player."""
    return "red" if side == "blue" else "blue"


GIVING = (tree.GainsKeyword, tree.GainsTrait)
"""Verbs whose result is settled before RANGE and numbers (E-12)."""

Markers = tuple[tuple[str, int], ...]
"""Numbers of markers by id, each above 0 (E-11)."""


def count_of(markers: Markers, marker: str) -> int:
    """Return how many of a marker there are."""
    for name, count in markers:
        if name == marker:
            return count
    return 0


def with_count(markers: Markers, marker: str, count: int) -> Markers:
    """Return markers with another number of one."""
    counts = dict(markers)
    counts[marker] = count
    return tuple([(name, number) for name, number in counts.items() if number])


class Lasting(PublicValue, Struct, frozen=True):
    """A lasting modifier: what an event or an ACTION made of an OPERATOR, until its duration ends.

    ``does`` is the verb. For a change of a stat ``stat``, ``layer`` and ``amount`` hold what is applied: a
    counted amount was counted when it was made, so ``amount`` is the whole of it (signed for add and
    subtract, else factor, divisor or the fixed number). For dice verbs, `ignores`, `cannot` and RULEVIOLATION
    ``stat`` and ``layer`` are None. ``rule`` is the rule that it comes from (A-2 for a Move), ``controller``
    whose effect it is (N-6), ``serial`` counts up in the order in which such things are made.
    """

    serial: int
    origin: Origin
    rule: str
    controller: Side
    does: tree.Doing
    duration: tree.DurationName
    stat: str | None = None
    layer: Layer | None = None
    amount: int = 0

    @property
    def comes_first(self) -> bool:
        """Whether it is settled before numbers, so that what acts depends on it: a KEYWORD, a trait, RANGE
        (E-12), SKILLs that are lost (E-29)."""
        return self.stat == "RANGE" or isinstance(self.does, (*GIVING, tree.LosesSkills))


class Used(PublicValue, Struct, frozen=True):
    """A limit that is used up: the sentence, and the card or OPERATOR that bears it (E-4).

    ``bearer`` is the key of the OPERATOR that bears the sentence or its card, None where it is a player's:
    ``strategy`` is then the number of the STRATEGY card in play (``PlayerState.numbers``), ``place`` the
    FIELDPOSITION of the OBJECTIVE. ``performer`` is the OPERATOR that the sentence has let perform an ACTION
    at once (E-32), which is used up for it alone.
    """

    limit: tree.Limit
    side: Side
    entry: str
    part: str
    sentence: int
    bearer: Key | None = None
    strategy: int | None = None
    place: int | None = None
    performer: Key | None = None


class OperatorState(PublicValue, Struct):
    """An OPERATOR in a game.

    ``card`` is the id of its card. ``position`` is its FIELDPOSITION, 0 is leftmost, None in the SAVEZONE.
    ``bonuses`` are the BONUS ACTIONs that events gave it in this TURN (an ACTION or ``ANY``, K-3) and
    ``bonus_used`` says that it has performed one (T-5). ``attached`` is the id of the one card on it (C-1).
    ``markers`` are those of the designer's own (E-11). ``performed`` are the ACTIONs, such as ``MEDIC``, that
    it has carried out in this TURN. ``item_of`` is the player to whom an attached ITEM
    goes back that was taken from an OPERATOR, None where it is this one's own (E-28).
    """

    key: Key
    card: str
    side: Side
    status: Status = "NORMAL"
    position: int | None = None
    hitcounter: int = 0
    objectivecounter: int = 0
    attached: str | None = None
    lasting: tuple[Lasting, ...] = ()
    bonuses: tuple[str, ...] = ()
    bonus_used: bool = False
    markers: Markers = ()
    item_of: Side | None = None
    performed: tuple[str, ...] = ()

    @property
    def is_up(self) -> bool:
        """Whether it lies face up: neither HIT nor OUT (C-2)."""
        return self.status in UP

    @property
    def is_active(self) -> bool:
        """Whether it is face up on a FIELDPOSITION, so that its SKILLs and its card act (C-3)."""
        return self.position is not None and self.status in UP

    @property
    def has_lost_skills(self) -> bool:
        """Whether its SKILLs and KEYWORDs are lost for a time (E-29)."""
        return any(isinstance(lasting.does, tree.LosesSkills) for lasting in self.lasting)

    @property
    def comes_first(self) -> tuple[Lasting, ...]:
        """What lasts on it and is settled before numbers (``Lasting.comes_first``)."""
        return tuple([lasting for lasting in self.lasting if lasting.comes_first]) if self.lasting else ()

    @property
    def holds_any(self) -> bool:
        """Whether something lasts on it that changes no number: a permission, `ignores`, a dice verb …"""
        for lasting in self.lasting:  # noqa: SIM110 (asked for everybody at each choice of an ACTION)
            if lasting.layer is None:
                return True
        return False


class PlayerState(PublicValue, Struct):
    """What belongs to one player.

    ``field`` holds by FIELDPOSITION (0 is leftmost) the OPERATOR there or None, ``save_zone`` the OPERATORs
    in the SAVEZONE, ``out_of_play`` those who have left the game for good. ``deck`` and ``item_deck`` are top
    first; ``discard`` and ``item_discard`` latest last; ``strategies`` in the order in which they were
    played; ``numbers`` tell copies of a STRATEGY apart as long as they are in play.
    ``objectives`` by FIELDPOSITION of the row, None where there is none or none any more;
    ``captured`` the ids of those the player has CAPTURED. ``actions`` counts the ACTIONs of this TURN that
    count towards a limit. ``markers`` are those of the designer's own (E-11), ``lasting`` is what events
    forbid the player for a time (E-33). ``barred`` are the ids of cards that came back from play in this
    TURN, of which the player plays and attaches no copy in it (E-13).
    """

    field: tuple[Key | None, ...]
    save_zone: tuple[Key, ...] = ()
    out_of_play: tuple[Key, ...] = ()
    hand: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    discard: tuple[str, ...] = ()
    item_deck: tuple[str, ...] = ()
    item_discard: tuple[str, ...] = ()
    strategies: tuple[str, ...] = ()
    objectives: tuple[str | None, ...] = ()
    captured: tuple[str, ...] = ()
    actions: tuple[tuple[str, int], ...] = ()
    numbers: tuple[int, ...] = ()
    markers: Markers = ()
    lasting: tuple[Lasting, ...] = ()
    barred: tuple[str, ...] = ()

    def performed(self, action: str) -> int:
        """Return how often it has performed an ACTION (``move``) in this TURN, without BONUS ACTIONs
        (K-3)."""
        for name, count in self.actions:
            if name == action:
                return count
        return 0

    def count(self, action: str) -> None:
        """Count one more ACTION of that name (``move``) in this TURN."""
        counts = dict(self.actions)
        counts[action] = counts.get(action, 0) + 1
        self.actions = tuple(counts.items())

    def draw(self, number: int = 1) -> int:
        """Move cards from the top of the DECK to the hand; return how many there were (T-1)."""
        drawn = self.deck[:number]
        self.hand += drawn
        self.deck = self.deck[number:]
        return len(drawn)

    def in_play(self) -> list[tuple[int, str]]:
        """Return the STRATEGY cards in play, each with its number; those set up from outside have none
        yet."""
        if len(self.numbers) == len(self.strategies):
            return list(zip(self.numbers, self.strategies, strict=True))
        return list(enumerate(self.strategies))

    def has_in_play(self, number: int) -> bool:
        """Whether the STRATEGY with that number is still in play."""
        if len(self.numbers) == len(self.strategies):
            return number in self.numbers
        return 0 <= number < len(self.strategies)

    def put_into_play(self, card: str) -> None:
        """Lay a STRATEGY onto a strategy position."""
        numbers_before = [number for number, _ in self.in_play()]
        self.numbers = (*numbers_before, 1 + max(numbers_before, default=-1))
        self.strategies += (card,)

    def lay_down(self, card: str) -> None:
        """Take one copy of a card out of the hand."""
        self.hand = without_card(self.hand, card)


def without_card(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return cards with one copy of a card less."""
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


class GameState(PublicValue, Struct):
    """Everything there is to know about a game between two decisions.

    ``operators[key]`` is the OPERATOR with that key. ``turn`` is the player whose TURN it is; ``round``
    counts from 1. ``serial`` is the number of the latest ``Lasting``. ``used`` are the limits that are used
    up (E-4). ``winners`` are the players who have won by an effect: the GAME is over; of both it is a draw
    (E-31).
    """

    operators: tuple[OperatorState, ...]
    blue: PlayerState
    red: PlayerState
    turn: Side = "blue"
    round: int = 1
    serial: int = 0
    used: frozenset[Used] = frozenset()
    winners: frozenset[Side] = frozenset()

    def copy(self) -> GameState:
        """Return a snapshot: a state of its own, with the same values."""
        operators = tuple(map(OperatorState.__copy__, self.operators))  # type: ignore[attr-defined]  # not in its stubs
        blue, red = self.blue.__copy__(), self.red.__copy__()  # type: ignore[attr-defined]  # the same
        return GameState(operators, blue, red, self.turn, self.round, self.serial, self.used, self.winners)

    def restore(self, snapshot: GameState) -> None:
        """Take back all that has happened since a snapshot; the objects stay the same."""
        self.turn, self.round, self.serial = snapshot.turn, snapshot.round, snapshot.serial
        self.used, self.winners = snapshot.used, snapshot.winners
        pairs = zip(self.operators, snapshot.operators, strict=True)
        for current, then in (*pairs, (self.blue, snapshot.blue), (self.red, snapshot.red)):
            if current != then:  # few differ, and to compare takes a fifth of the time
                for name in current.__struct_fields__:
                    setattr(current, name, getattr(then, name))

    def player(self, side: Side) -> PlayerState:
        """Return what belongs to a player."""
        return self.blue if side == "blue" else self.red

    def on_field(self, side: Side) -> list[OperatorState]:
        """Return a player's OPERATORs on FIELDPOSITIONs from left to right, HIT and OUT ones too."""
        operators = self.operators
        field = self.blue.field if side == "blue" else self.red.field
        return [operators[key] for key in field if key is not None]

    def in_save_zone(self, side: Side) -> list[OperatorState]:
        """Return a player's OPERATORs in the SAVEZONE."""
        return [self.operators[key] for key in self.player(side).save_zone]

    def active(self, side: Side) -> list[OperatorState]:
        """Return a player's OPERATORs that are face up on the FIELD, from left to right."""
        operators = self.operators
        field = self.blue.field if side == "blue" else self.red.field
        return [operators[key] for key in field if key is not None and operators[key].status in UP]

    def at(self, side: Side, position: int) -> OperatorState | None:
        """Return who stands at a FIELDPOSITION (0 is leftmost); None also where there is no such place."""
        field = self.player(side).field
        if not 0 <= position < len(field):
            return None
        key = field[position]
        return None if key is None else self.operators[key]

    def names(self) -> dict[Key, str]:
        """Return what OPERATORs are called by key: the id of the card, with the side where there are several
        of it. It does not change in a GAME."""
        cards = [operator.card for operator in self.operators]
        return {
            operator.key: operator.card
            if cards.count(operator.card) == 1
            else f"{operator.side}.{operator.card}"
            for operator in self.operators
        }

    def name(self, key: Key) -> str:
        """Return what an OPERATOR is called in traces and questions, unlike every other.

        The id of its card; with its side where several have it, and with its place as it is now where its
        own side has several: ``viper``, ``blue.viper``, ``blue.viper at 2``.
        """
        operator = self.operators[key]
        card = operator.card
        copies = [copy for copy in self.operators if copy.card == card]
        if len(copies) == 1:
            return card
        with_side = f"{operator.side}.{card}"
        if sum(copy.side == operator.side for copy in copies) == 1:
            return with_side
        return f"{with_side} {self._place(operator)}"

    def _place(self, operator: OperatorState) -> str:
        """Where an OPERATOR is; places are counted from 1, as players count them."""
        if operator.position is not None:
            return f"at {operator.position + 1}"
        resting = self.player(operator.side).save_zone
        return f"at SAVEZONE {resting.index(operator.key) + 1}" if operator.key in resting else "out of play"

    def cards(self) -> set[str]:
        """Return the ids of all cards of both players, wherever they lie."""
        names = {operator.card for operator in self.operators} | {
            operator.attached for operator in self.operators if operator.attached
        }
        for player in (self.blue, self.red):
            names.update(player.hand, player.deck, player.discard, player.strategies)
            names.update(player.item_deck, player.item_discard)
        return names

    def place(self, operator: OperatorState, position: int | None) -> None:
        """Put an OPERATOR on a free FIELDPOSITION of its row, or (None) into the SAVEZONE.

        Where it was before, it is no longer. Nothing else about it changes.
        """
        player = self.player(operator.side)
        field: list[Key | None] = [
            None if occupant == operator.key else occupant for occupant in player.field
        ]
        player.save_zone = tuple([occupant for occupant in player.save_zone if occupant != operator.key])
        if position is None:
            player.save_zone += (operator.key,)
        else:
            field[position] = operator.key
        player.field = tuple(field)
        operator.position = position

    def remove(self, operator: OperatorState) -> None:
        """Take an OPERATOR out of play: neither on the FIELD nor in the SAVEZONE."""
        self.place(operator, None)  # now it is the last in the SAVEZONE
        player = self.player(operator.side)
        player.save_zone = player.save_zone[:-1]
        player.out_of_play += (operator.key,)

    def swap(self, first: OperatorState, second: OperatorState) -> None:
        """Put two OPERATORs of one row in each other's places; everything else stays with its OPERATOR."""
        exchange: dict[Key | None, Key] = {first.key: second.key, second.key: first.key}
        player = self.player(first.side)
        player.field = tuple([exchange.get(key, key) for key in player.field])
        first.position, second.position = second.position, first.position

    def begin_turn(self, turn: Side, round: int) -> None:
        """Begin a TURN: nobody has performed an ACTION or a BONUS ACTION in it (T-5, K-3), limits begin anew
        (E-4), and cards that came back can be played (E-13)."""
        for operator in self.operators:
            operator.bonuses, operator.bonus_used, operator.performed = (), False, ()
        self.blue.actions = self.red.actions = ()
        self.blue.barred = self.red.barred = ()
        if self.used:
            limits_over = ("TURN",) if round == self.round else ("TURN", "ROUND")
            self.used = frozenset([use for use in self.used if use.limit not in limits_over])
        self.turn, self.round = turn, round

    def forget_played(self, side: Side, card: str) -> None:
        """Forget which ACTIONs at once earlier copies of a card that is played have brought about (E-32)."""
        if self.used:
            self.used = frozenset(
                [
                    use
                    for use in self.used
                    if use.performer is None
                    or (use.side, use.entry, use.bearer, use.strategy) != (side, card, None, None)
                ]
            )

    def take_from_play(self, side: Side, number: int) -> str:
        """Take a STRATEGY from its strategy position; if it comes back, its limits begin anew (E-4)."""
        player = self.player(side)
        in_play = dict(player.in_play())
        card = in_play.pop(number)
        player.numbers, player.strategies = tuple(in_play), tuple(in_play.values())
        self.used = frozenset([use for use in self.used if (use.side, use.strategy) != (side, number)])
        return card


# Places


def adjacent(first: OperatorState, second: OperatorState) -> bool:
    """Whether they stand in the same row, next to each other.

    Seen from HIT and OUT OPERATORs too: they lie where they fell.
    """
    if first.position is None or second.position is None or first.side != second.side:
        return False
    return abs(first.position - second.position) == 1


def opposite(first: OperatorState, second: OperatorState) -> bool:
    """Whether they stand in different rows, at the same place (F-1)."""
    return first.position is not None and first.side != second.side and first.position == second.position


PLAIN_RANGE = 1
"""The RANGE of an OPERATOR that nothing changes (E-16)."""
_MOST_POSITIONS = RANGES["FIELDPOSITION"][1]
MOST_RANGE = _MOST_POSITIONS - 1
"""A RANGE that reaches everybody."""
WITHIN = [
    [frozenset(range(place - reach, place + reach + 1)) for place in range(_MOST_POSITIONS)]
    for reach in range(_MOST_POSITIONS)
]
"""By RANGE and FIELDPOSITION the places of a row that are in RANGE (R-1, E-16)."""


def in_range(operator: OperatorState, of: OperatorState, reach: int = PLAIN_RANGE) -> bool:
    """Whether ``operator`` is in RANGE of ``of``: own ones next to it, the enemy opposite and those beside
    (R-1), so many places to either side as its RANGE is (E-16).

    R-2: a HIT or OUT OPERATOR is in nobody's RANGE. **Ruling:** the RANGE of one who has just become HIT is
    seen from the place where it lies, so that its own `when self becomes HIT` can speak of it. R-3: nobody is
    in RANGE of itself.
    """
    if operator.position is None or of.position is None or operator.status not in UP:
        return False
    return operator.position in WITHIN[reach][of.position] and operator is not of
