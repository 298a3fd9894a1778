"""One thing being played: the state as it changes, who is asked, the dice, the trace, and events to come."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from toolkit.effects.objects import Origin
from toolkit.engine.board import Board
from toolkit.engine.decisions import Decision, Dice, NoAnswer, Players, SoFar
from toolkit.engine.naming import called
from toolkit.engine.outcomes import AttackResult, ChainLink, EndlessChain, Outcome, Refusal
from toolkit.engine.rules import Rules
from toolkit.engine.scene import Cast, Scene
from toolkit.engine.state import GameState, Key, OperatorState, Side
from toolkit.engine.trace import EntryKind, TraceEntry

if TYPE_CHECKING:
    from toolkit.engine.attack import Attack

EventName = Literal[
    "performed",
    "played",
    "attached",
    "critical",
    "hits",
    "misses",
    "becomes HIT",
    "reaches",
    "captures",
    "turn-begins",
    "turn-ends",
    "action-ends",
]

MOST_LINKS = 30
"""So many events may bring each other about, one after the other."""
MOST_EFFECTS = 600
"""So many effects may act in one ACTION, card or moment of the game."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, to which effects may react.

    ``who`` are the OPERATORs concerned (all who became HIT together are one event), with the cards that lay
    on them then in ``cards``. ``side`` is whose card was played, ``name_of`` that card or the ACTION.
    ``parent`` and ``cause`` are the event and the effect that brought it about.
    """

    name: EventName
    who: tuple[Key, ...] = ()
    cards: tuple[str | None, ...] = ()
    side: Side | None = None
    name_of: str = ""
    parent: Event | None = None
    cause: Origin | None = None
    depth: int = 0


class Refused(Exception):
    """Leaves the playing of an ACTION with a refusal.

    ``perform`` catches it. States are values, so what was half done is simply dropped.
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


@dataclass(slots=True)
class Play:
    """The working place of one ACTION, card or moment.

    ``state`` is replaced with every change; ``attack`` is set while an attack goes on, ``in_modify`` while
    its numbers are being made (H-1 is not judged then). ``violations`` are thresholds of RULEVIOLATION that
    an attack brought its attacker (K-2). ``judged`` is where H-1 was judged last and nobody fell.
    """

    rules: Rules
    state: GameState
    players: Players
    dice: Dice
    traced: bool = True
    entries: list[TraceEntry] = field(default_factory=list)
    attack: Attack | None = None
    in_modify: bool = False
    queue: deque[Event] = field(default_factory=deque)
    now: Event | None = None
    acting: Origin | None = None
    effects_done: int = 0
    chain: EndlessChain | None = None
    result: AttackResult | None = None
    violations: tuple[int, ...] = ()
    judged: tuple[GameState, Attack | None] | None = None
    _board: Board | None = None
    _cards: list[str] = field(default_factory=list)

    # What is asked from outside

    def ask(self, decision: Decision) -> object:
        """The option that a player chooses."""
        if self.traced:
            decision = replace(decision, so_far=self._so_far())
        index = self.players[decision.whose].answer(decision, self.state)
        if not 0 <= index < len(decision.options):
            raise NoAnswer(f"There is no answer {index} to this: {decision.why}")
        return decision.options[index]

    def _so_far(self) -> SoFar:
        """What a player who is asked now has seen happen."""
        if self.attack is None or not self.in_modify:
            return SoFar(tuple(self.entries))
        board, one, two = self.board(), self.attack.attacker, self.attack.attacked
        return SoFar(tuple(self.entries), (one, board.carried(one, "AP")), (two, board.carried(two, "EP")))

    def roll(self, purpose: str, whose: Side) -> int:
        """The next die."""
        result = self.dice.roll(purpose, whose)
        if not 1 <= result <= 6:
            raise NoAnswer(f"A D6 shows 1 to 6, and this {purpose} says {result}.")
        return result

    # What counts

    def board(self) -> Board:
        """The numbers and permissions as they stand now."""
        if self.attack is not None:
            return self.attack.board(self.state)
        if self._board is None or self._board.state is not self.state:
            self._board = Board(self.state, self.rules)
        return self._board

    def scene(self, cast: Cast) -> Scene:
        """From where an effect is read now."""
        critical = self.attack is not None and self.attack.critical
        return Scene(self.state, self.rules, self.board(), cast, critical)

    @property
    def first(self) -> Side:
        """Whose effects act first (M-11): the attacking player's, else those of the one whose TURN it is."""
        return self.attack.side if self.attack is not None else self.state.turn

    def operator(self, key: Key) -> OperatorState:
        """An OPERATOR as he is now."""
        return self.state.operators[key]

    def name(self, key: Key) -> str:
        """What an OPERATOR is called in the trace (``called``)."""
        who = self.state.operators[key]
        if not self._cards:
            self._cards = [one.card for one in self.state.operators]
        return who.card if self._cards.count(who.card) == 1 else called(self.state, key)

    # What happens

    def change(self, key: Key, **values: object) -> OperatorState:
        """Replace some of what an OPERATOR is."""
        who: OperatorState = replace(self.state.operators[key], **values)  # type: ignore[arg-type]
        self.state = self.state.with_operator(who)
        return who

    def push(
        self,
        name: EventName,
        who: tuple[Key, ...] = (),
        *,
        cards: tuple[str | None, ...] = (),
        side: Side | None = None,
        name_of: str = "",
    ) -> None:
        """An event that effects will react to, after those that are waiting already."""
        depth = self.now.depth + 1 if self.now else 0
        self.queue.append(Event(name, who, cards, side, name_of, self.now, self.acting, depth))

    def note(
        self,
        kind: EntryKind,
        rule: str,
        text: str,
        *,
        step: int | None = None,
        origin: Origin | None = None,
        who: Key | None = None,
        stat: str | None = None,
        amount: int | None = None,
        before: int | str | None = None,
        after: int | str | None = None,
    ) -> None:
        """One more line of the trace."""
        if self.traced:
            self.entries.append(
                TraceEntry(kind, rule, text, step, origin, who, stat, None, amount, before, after)
            )

    def outcome(self) -> Outcome:
        """What has come of it."""
        return Outcome(self.state, tuple(self.entries), self.result, self.chain)


def links_of(event: Event | None) -> tuple[ChainLink, ...]:
    """The events that led to one, the earliest first, each with the effect that brought it about."""
    links: list[ChainLink] = []
    while event is not None:
        links.append(ChainLink(event.name, event.who[0] if event.who else None, event.cause))
        event = event.parent
    return tuple(reversed(links))
