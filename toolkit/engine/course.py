"""The course of a game: the state as it goes on, who is asked, and the trace, beside and between ACTIONs."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from toolkit.engine import moments
from toolkit.engine.decisions import Decision, Dice, NoAnswer, Player, Players
from toolkit.engine.naming import called
from toolkit.engine.outcomes import EndlessChain, Outcome
from toolkit.engine.rules import Rules
from toolkit.engine.state import GameState, Key, Side, other
from toolkit.engine.trace import EntryKind, TraceEntry


@dataclass(slots=True)
class Course:
    """Where phases do their work; ``state`` is replaced with every change.

    What is not traced costs nothing: ``note`` and ``take`` keep entries only if ``traced``. ``chain`` is the
    first chain of events that a bound stopped, ``new_chain`` one that nobody has been told of yet.
    """

    rules: Rules
    players: Players
    dice: Dice
    state: GameState
    traced: bool = True
    entries: list[TraceEntry] = field(default_factory=list)
    chain: EndlessChain | None = None
    new_chain: EndlessChain | None = None

    def __post_init__(self) -> None:
        if self.traced:
            self.players = {side: _Told(player, self) for side, player in self.players.items()}

    def ask(
        self, kind: str, whose: Side, options: tuple[object, ...], why: str, about: object = None
    ) -> object:
        """The option that a player chooses; NoAnswer for an answer that is none of them."""
        decision = Decision(kind, whose, options, why, None, about)
        index = self.players[whose].answer(decision, self.state)
        if not 0 <= index < len(options):
            raise NoAnswer(f"There is no answer {index} to this: {why}")
        return options[index]

    def choose(self, kind: str, whose: Side, keys: tuple[Key, ...], why: str, about: object = None) -> Key:
        """One of several OPERATORs; not asked where there is no choice."""
        if len(keys) == 1:
            return keys[0]
        chosen = self.ask(kind, whose, keys, why, about)
        assert isinstance(chosen, int)
        return chosen

    def take(self, outcome: Outcome) -> None:
        """Go on from what came of an ACTION, a card or a moment."""
        self.state = outcome.state
        if outcome.chain is not None:
            self.new_chain = outcome.chain
            self.chain = self.chain or outcome.chain
        if self.traced:
            self.entries += outcome.trace

    def note(
        self, kind: EntryKind, rule: str, text: str, who: Key | None = None, after: str | None = None
    ) -> None:
        """One more line of the trace."""
        if self.traced:
            self.entries.append(TraceEntry(kind, rule, text, who=who, after=after))

    def settle(self) -> None:
        """Judge H-1 after a change from outside. Without a HITCOUNTER nobody becomes HIT, so nothing is to
        be judged then."""
        if any(who.hitcounter and who.is_active for who in self.state.operators):
            self.take(moments.settle(self.state, self.rules, self.players, self.dice, traced=self.traced))

    def sides(self) -> tuple[Side, Side]:
        """The players in the order in which they do simultaneous things: the TURN's player first (M-11)."""
        return self.state.turn, other(self.state.turn)

    def name(self, key: Key) -> str:
        """What an OPERATOR is called in the trace (``called``)."""
        return called(self.state, key)

    def draw(self, side: Side, number: int = 1) -> int:
        """Cards from the top of the DECK to the hand; how many there were. An empty DECK draws nothing
        (T-1)."""
        player = self.state.player(side)
        drawn = player.deck[:number]
        if drawn:
            hand, deck = player.hand + drawn, player.deck[len(drawn) :]
            self.state = self.state.with_player(side, replace(player, hand=hand, deck=deck))
        return len(drawn)

    def outcome(self) -> Outcome:
        """What has come of it."""
        return Outcome(self.state, tuple(self.entries), None, self.chain)


@dataclass(slots=True)
class _Told:
    """A player who learns with a question also what the phase brought before what asks him now."""

    player: Player
    course: Course

    def answer(self, decision: Decision, state: GameState) -> int:
        so_far = replace(decision.so_far, trace=(*self.course.entries, *decision.so_far.trace))
        return self.player.answer(replace(decision, so_far=so_far), state)
