"""A game that is being played: the resolver with players, dice, the trace, and the events that wait."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import ClassVar, Literal, ParamSpec

from msgspec import Struct

from toolkit.dsl.effect_objects import Origin
from toolkit.engine.acting_effects import Source
from toolkit.engine.compiled_rules import Rules, filtered, varying
from toolkit.engine.compiler import Context
from toolkit.engine.decisions import Decision, Dice, NoAnswer, Players, SoFar
from toolkit.engine.outcomes import (
    AttackResult,
    ChainLink,
    EndlessChain,
    EntryKind,
    Outcome,
    Refusal,
    Stopped,
    TraceEntry,
)
from toolkit.engine.state import GameState, Key, OperatorState, Side, Used, other
from toolkit.engine.state_queries import StateQueries
from toolkit.vocabulary import RANGES

EventName = Literal[
    "performed", "played", "attached", "begins", "critical", "hits", "misses", "would become HIT",
    "becomes HIT", "becomes OUT", "reaches", "captures", "gets", "loses", "performs", "enters", "turn-begins",
    "turn-ends", "round-begins", "round-ends", "action-ends",
]  # fmt: skip

Heard = frozenset[tuple[int, Side, "Key | None", Key]]
"""Which sentences hear of whom by their filters: the ``id`` of the effect, its controller, the key of its
bearer, that of the OPERATOR."""
NOT_HEARD: Heard = frozenset()

MOST_LINKS = 2 * RANGES["FIELDPOSITION"][1] * RANGES["current"][1]
"""So many events may bring each other about, one after the other: as many as there are steps from 0 to the
greatest HITCOUNTER for all OPERATORs on the largest FIELD, for such a chain ends by itself (H-1). One without
end takes 0.07 s."""
MOST_EFFECTS = 4_000
"""So many effects may act in one ACTION, card or phase of the game: 20 for each event by which two OPERATORs
can give each other HITCOUNTERs up to 99. Where each event brings about several this takes up to a second."""


class Bounds(Struct, frozen=True):
    """How many events may bring each other about, and how many effects may act, before a chain is stopped."""

    links: int = MOST_LINKS
    effects: int = MOST_EFFECTS


BOUNDS = Bounds()
EARLIER_BOUNDS = Bounds(30, 600)
"""Those of GAMEs with a log of format 1 or 2."""


class Event(Struct, frozen=True, eq=False):
    """Something that happened, to which effects may react.

    ``who`` are the OPERATORs concerned (all who became HIT together are one event), with what they bore until
    then in ``borne``. ``side`` is whose card was played, ``name_of`` that card, the ACTION or the
    counter, ``target`` whom an ACTION chose. ``heard`` are the sentences whose filters they passed directly
    before it (``Game.hear``).
    ``parent`` and ``cause`` are the event and the effect that brought it about.
    """

    name: EventName
    who: tuple[OperatorState, ...] = ()
    borne: tuple[tuple[Source, ...], ...] = ()
    side: Side | None = None
    name_of: str = ""
    parent: Event | None = None
    cause: Origin | None = None
    depth: int = 0
    target: OperatorState | None = None
    heard: Heard = NOT_HEARD

    @property
    def links(self) -> tuple[ChainLink, ...]:
        """The events that led to this one, the earliest first, each with the effect that brought it about."""
        links: list[ChainLink] = []
        event: Event | None = self
        while event is not None:
            who = event.who[0].key if event.who else None  # of several concerned the first stands for all
            links.append(ChainLink(event.name, who, event.cause))
            event = event.parent
        return tuple(reversed(links))


class Earned(Struct, frozen=True):
    """An ACTION that an effect lets an OPERATOR perform at once (E-32); ``use`` is used up when it is."""

    operator: Key
    action: str
    use: Used
    origin: Origin


_TAKEN_BACK = (
    "players", "dice", "trace", "queue", "effects_done", "chain", "first_chain", "attack", "having_chance",
    "comes_back", "earned", "arrangement", "hit_check_due", "nobody_agrees",
)  # fmt: skip
"""What a trial may change beside the state (``Game.trying``)."""

_ALWAYS_PUSHED = frozenset(("performed", "played"))
"""Events that are pushed for one ACTION or card, whose effects are looked up then."""

P = ParamSpec("P")


class Refused(Exception):
    """Leaves the playing of an ACTION with a refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.sentence)
        self.refusal = refusal


class GameOver(Exception):
    """Leaves what is being played when an effect has ended the GAME (E-31): what waits is dropped."""


class Game(StateQueries):
    """A state that is played on, in place.

    ``trace`` holds what has happened since it was last taken (``take_trace``); None: nothing is traced, and
    no sentence is made. ``in_modify`` is set while the numbers of an attack are being made (H-1 is not judged
    then). ``queue`` are the events that wait, ``now`` and ``acting`` the event and the effect that are being
    played. Of one ACTION, card or phase: ``effects_done`` counts the effects that acted, ``chain`` is a chain
    of events that a bound stopped, ``violations`` thresholds of RULEVIOLATION that an attack brought its
    attacker (K-2), ``having_chance`` who would become HIT (E-15), ``comes_back`` where the EFFECT card that
    is played comes back to when it has acted (E-13), ``results`` the attacks, ``earned`` the ACTIONs that are
    performed at once when it is over (E-32), ``performing`` the one of these that goes on. ``first_chain`` is
    the first chain of the whole game. ``lapses_once``: what lasts until the end of a TURN lapses once, as
    under format 1 of the log (M-11). ``reads_amounts_apart``: the second amount of one `gets … and …` reads
    what the first has done, as under format 3 and older (E-34). ``bounds`` are those of chains of events.
    ``nobody_agrees``: the players say no to whatever they may do, so that it is not tried whether they could.
    ``stood`` are the OPERATORs that have stood on the FIELD, in this game or an earlier one that it goes on
    from (E-1); it is kept only where something is traced.
    """

    may_perform_now: ClassVar[Callable[[Game, OperatorState, str], bool]]
    """Whether an OPERATOR could perform an ACTION now, at once; ``actions`` sets it."""

    react_to: ClassVar[Callable[[Game, Event], None]]
    """Lets all effects act that hear of an event; ``events`` sets it."""

    __slots__ = (
        "_names", "acting", "bounds", "chain", "comes_back", "dice", "earned", "effects_done", "first_chain",
        "having_chance", "in_modify", "lapses_once", "nobody_agrees", "now", "performing", "players", "queue",
        "reads_amounts_apart", "results", "stood", "trace", "violations",
    )  # fmt: skip

    def __init__(
        self,
        rules: Rules,
        state: GameState,
        players: Players,
        dice: Dice,
        *,
        traced: bool = True,
        stood: set[Key] | None = None,
    ) -> None:
        super().__init__(rules, state)
        self.players, self.dice = players, dice
        self.trace: list[TraceEntry] | None = [] if traced else None
        self._names: dict[Key, str] = {}
        self.in_modify = self.nobody_agrees = False
        self.lapses_once = self.reads_amounts_apart = False
        self.bounds = BOUNDS
        self.queue: deque[Event] = deque()
        self.now: Event | None = None
        self.first_chain: EndlessChain | None = None
        self.stood = set() if stood is None else stood
        self.begin()
        if stood is None:
            self._note_cards_in_play()

    def begin(self) -> None:
        """Begin one ACTION, card or phase: nothing of an earlier one is left."""
        self.attack, self.in_modify = None, False
        self.queue.clear()
        self.now = None
        self.acting: Origin | None = None
        self.effects_done = 0
        self.chain: EndlessChain | None = None
        self.having_chance: tuple[Key, ...] = ()
        self.violations: tuple[int, ...] = ()
        self.comes_back: str | None = None
        self.results: tuple[AttackResult, ...] = ()
        self.earned: tuple[Earned, ...] = ()
        self.performing: Earned | None = None

    def play_only(self, cards: Iterable[str]) -> None:
        """Look only for what effects can wait for and make in a GAME with these cards, which are all of
        both players, wherever they lie."""
        cards = frozenset(cards)
        self.waits_for, self.makes = self.rules.waits_for(cards), self.rules.makes(cards)
        self.varying = varying(self.awaits)
        varying_dp = [f"DP by {name}" for name in self.varying]
        self.always_due = any(map(self.awaits, ("unsettled DP", *varying_dp)))

    def attempt(self, do: Callable[P, None], *args: P.args, **named: P.kwargs) -> Refusal | None:
        """Do something as a whole or not at all: where it is refused, stopped or left by an exception, state
        and trace are as they were before."""
        if self.state.winners:
            return Refusal("E-31", over(self.state))
        snapshot = self.state.copy()
        trace_length = len(self.trace or ())
        self.begin()
        try:
            do(*args, **named)
        except GameOver:
            self.drop_rest()
        except BaseException as leaving:
            self.state.restore(snapshot)
            self.invalidate()
            if self.trace is not None:
                del self.trace[trace_length:]
            self.begin()
            if isinstance(leaving, Refused):
                return leaving.refusal
            if isinstance(leaving, NoAnswer):
                return Stopped("", str(leaving))
            raise
        return None

    def drop_rest(self) -> None:
        """Drop what waits when the GAME is over (E-31); what has come of it is kept."""
        self.queue.clear()
        self.attack, self.in_modify = None, False

    @contextmanager
    def trying(self, players: Players, dice: Dice) -> Iterator[GameState]:
        """Play on with other dice and players who agree to nothing, and take it back; gives a snapshot.

        Nothing of it is traced, and no effect reacts to it.
        """
        snapshot = self.state.copy()
        values_before = {name: getattr(self, name) for name in _TAKEN_BACK}
        self.players, self.dice, self.trace, self.queue = players, dice, None, deque()
        self.nobody_agrees = True
        try:
            yield snapshot
        finally:
            for name, value in values_before.items():
                setattr(self, name, value)
            self.state.restore(snapshot)

    # What is asked from outside

    def ask(
        self,
        kind: str,
        side: Side,
        options: tuple[object, ...],
        why: str,
        source: Origin | None = None,
        about: object = None,
    ) -> object:
        """Return the option that a player chooses; NoAnswer for an answer that is none of them."""
        so_far = _NOTHING if self.trace is None else self._so_far(self.trace)
        attack = self.attack
        both = None if attack is None else (attack.attacker.key, attack.attacked.key)
        decision = Decision(kind, side, options, why, source, about, so_far, both)
        index = self.players[side].answer(decision, self.state)
        if not 0 <= index < len(options):
            raise NoAnswer(f"There is no answer {index} to this: {why}")
        return options[index]

    def choose(
        self, kind: str, side: Side, candidates: list[OperatorState], why: str, about: object = None
    ) -> OperatorState:
        """Return one of several OPERATORs; not asked where there is no choice."""
        if len(candidates) == 1:
            return candidates[0]
        chosen = self.ask(kind, side, tuple([candidate.key for candidate in candidates]), why, None, about)
        assert isinstance(chosen, int)
        return self.state.operators[chosen]

    def _so_far(self, trace: list[TraceEntry]) -> SoFar:
        """What a player who is asked now has seen happen."""
        if self.attack is None or not self.in_modify:
            return SoFar(tuple(trace))
        attacker, attacked = self.attack.attacker, self.attack.attacked
        ap, ep = self.carried(attacker, "AP"), self.carried(attacked, "EP")
        return SoFar(tuple(trace), (attacker.key, ap), (attacked.key, ep))

    def roll(self, purpose: str, side: Side) -> int:
        """Return the next die."""
        result = self.dice.roll(purpose, side)
        if not 1 <= result <= 6:
            raise NoAnswer(f"A D6 shows 1 to 6, and this {purpose} says {result}.")
        return result

    def roll_for(self, threshold: int, purpose: str, side: Side) -> int:  # noqa: ARG002 (odds ask for it)
        """Return the next die, of which it only matters whether it shows so much or more."""
        return self.roll(purpose, side)

    def pick(self, purpose: str, side: Side, options: Sequence[object]) -> int:
        """Return the index of the option that chance draws (E-8)."""
        index = self.dice.pick(purpose, side, options)
        if not 0 <= index < len(options):
            raise NoAnswer(f"There is no {purpose} number {index} to draw.")
        return index

    def shuffle(self, side: Side, cards: tuple[str, ...]) -> tuple[str, ...]:
        """Return the cards of a DECK in an order that chance makes (E-13)."""
        return cards if len(cards) < 2 else tuple(self.dice.shuffle(side, cards))

    # What happens

    def name(self, operator: OperatorState) -> str:
        """Return what an OPERATOR is called in the trace."""
        known_name = self._names.get(operator.key)
        if known_name is None:
            known_name = self.state.name(operator.key)
            if " " not in known_name:  # a name with a place changes with it
                self._names[operator.key] = known_name
        return known_name

    def traced_number(self, operator: OperatorState, stat: str) -> int:
        """Return a stat as it is carried on (N-5), or RANGE; DAMAGE has no number of its own."""
        return self.range_of(operator) if stat == "RANGE" else self.carried(operator, stat)

    def push(
        self,
        name: EventName,
        operators: tuple[OperatorState, ...] = (),
        *,
        borne: tuple[tuple[Source, ...], ...] = (),
        side: Side | None = None,
        name_of: str = "",
        target: OperatorState | None = None,
        heard: Heard = NOT_HEARD,
    ) -> None:
        """Add an event that effects will react to, after those that are waiting already.

        One for which no effect of the cards in play waits is left out. ``heard`` comes from ``hear``, asked
        before anything was changed.
        """
        if self.awaits(name) or name in _ALWAYS_PUSHED:
            depth = self.now.depth + 1 if self.now else 0
            self.queue.append(
                Event(name, operators, borne, side, name_of, self.now, self.acting, depth, target, heard)
            )

    def last_chance(self, operators: Sequence[OperatorState]) -> None:
        """Let all effects act at once that hear that OPERATORs would become HIT, before the events that wait
        (E-15). Meanwhile H-1 is not judged for these."""
        heard = self.hear("would become HIT", operators)
        depth = self.now.depth + 1 if self.now else 0
        event = Event(
            "would become HIT", tuple(operators), parent=self.now, cause=self.acting, depth=depth, heard=heard
        )
        chances_before = self.having_chance
        self.having_chance = (*chances_before, *(operator.key for operator in operators))
        Game.react_to(self, event)
        self.having_chance = chances_before

    def borne_by_each(self, operators: Sequence[OperatorState]) -> tuple[tuple[Source, ...], ...]:
        """Return what OPERATORs bear (``borne_by``) that are about to fall."""
        return tuple([tuple(self.borne_by(operator)) for operator in operators])

    def hear(self, name: EventName, operators: Sequence[OperatorState], name_of: str = "") -> Heard:
        """Return which sentences hear by their filters of what is about to happen to OPERATORs (E-6).

        The filters are judged on everybody as it is now, with the numbers outside attacks. **Ruling:** a
        sentence with filters hears only what happens while its card is in play.
        """
        filtered_name = filtered(name)
        if not self.awaits(filtered_name):
            return NOT_HEARD
        heard, attack = [], self.attack
        attacker, attacked = (None, None) if attack is None else (attack.attacker, attack.attacked)
        for source in self._filtering(filtered_name):
            context = Context(self, source.controller, source.bearer, None, attacker, attacked)
            for effect in source.table.events[name]:
                if effect.filters is None or effect.what not in ("", name_of):
                    continue
                for operator in operators:
                    if self.outside_attack(effect.filters, operator, context):
                        bearer_key = None if source.bearer is None else source.bearer.key
                        heard.append((id(effect), source.controller, bearer_key, operator.key))
        return frozenset(heard)

    def _filtering(self, event_name: str) -> list[Source]:
        """What hears by filters: sources that act, and PERFORMANCE for each player and each OPERATOR."""
        first, performance = self.first, self.rules.performance
        acting_sources = self.sources(first, event_name)
        if event_name not in performance.waits_for:
            return acting_sources
        sources = [*acting_sources]
        for side in (first, other(first)):
            sources.append(Source(performance, side))
            sources += [Source(performance, side, operator) for operator in self.state.active(side)]
        return sources

    def note(
        self,
        kind: EntryKind,
        rule: str,
        text: str,
        *,
        step: int | None = None,
        origin: Origin | None = None,
        operator: OperatorState | None = None,
        stat: str | None = None,
        amount: int | None = None,
        value_before: int | str | None = None,
        after: int | str | None = None,
    ) -> None:
        """Add a line to the trace."""
        if self.trace is not None:
            key: Key | None = None if operator is None else operator.key
            entry = TraceEntry(
                kind,
                rule,
                text,
                step=step,
                origin=origin,
                who=key,
                stat=stat,
                amount=amount,
                before=value_before,
                after=after,
            )
            self.trace.append(entry)

    def note_text_only(self, card: str, operator: OperatorState | None = None) -> None:
        """E-1: note the rules of a card that are text only, where it is played, attached or put on the
        FIELD."""
        if self.trace is None:
            return
        for card_part in self.cards[card].text_only:
            self._note_skipped(card if card_part == "effect" else f"{card_part} of {card}", card, operator)

    def _note_skipped(self, subject_words: str, card: str, operator: OperatorState | None = None) -> None:
        """E-1: note that the rules of something are text only; in MODIFY it is a card attached in step 5."""
        text = f"{subject_words} has text-only rules, which are played by hand"
        self.note("skipped", "E-1", text, step=5 if self.in_modify else None, operator=operator, after=card)

    def _note_cards_in_play(self) -> None:
        """E-1 of what is in play when the game begins: in a scenario more than OPERATORs."""
        if self.trace is None:
            return
        for name in dict.fromkeys(self.rules.objectives):
            if name in self.rules.text_only:
                self._note_skipped(name, str(name))
        for card in (*self.state.blue.strategies, *self.state.red.strategies):
            self.note_text_only(card)
        for operator in self.state.operators:
            if operator.attached is not None:
                self.note_text_only(operator.attached, operator)
        self._note_first_on_field()

    def _note_first_on_field(self) -> None:
        """E-1 of the SKILLs and KEYWORDs of OPERATORs that stand on the FIELD for the first time."""
        for operator in self.state.operators:
            if operator.position is None or operator.key in self.stood:
                continue
            self.stood.add(operator.key)
            self.note_text_only(operator.card, operator)
            for keyword in self.cards[operator.card].keywords:
                if keyword in self.rules.text_only:
                    self._note_skipped(f"{keyword} of {operator.card}", operator.card, operator)

    def take_trace(self) -> tuple[TraceEntry, ...]:
        """Return what has happened since the last time, and begin anew; nothing where it is not traced.

        Text-only rules of OPERATORs that have come onto the FIELD meanwhile are noted at its end.
        """
        if self.trace is None:
            return ()
        self._note_first_on_field()
        trace = tuple(self.trace)
        self.trace.clear()
        return trace

    def outcome(self) -> Outcome:
        """Return what has come of an ACTION, a card or a phase."""
        return Outcome(self.take_trace(), self.result, self.chain, self.results)

    @property
    def result(self) -> AttackResult | None:
        """The first attack that was compared: that of the ACTION, if it is one; others come at once
        (E-32)."""
        return self.results[0] if self.results else None


def over(state: GameState) -> str:
    """Return how an effect has ended the GAME, as a sentence (E-31)."""
    if len(state.winners) > 1:
        return "The GAME is over: effects let both players win, so it is a draw."
    return f"The GAME is over: an effect lets {min(state.winners)} win."


_NOTHING = SoFar()
