"""What comes of an ACTION, a card or a moment of the game: an outcome, or a refusal; both are values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from toolkit.effects.objects import Origin
from toolkit.engine.numbers import Change
from toolkit.engine.state import GameState, Key
from toolkit.engine.trace import TraceEntry


@dataclass(frozen=True, slots=True)
class Roll:
    """A die of an attack as it counts in the end: ``die`` is ATTACK or DEFENCE, ``number`` as rolled from 1.

    ``settled`` says that M-7 has been decided for it, ``counted`` that it is part of the numbers.
    ``rerolled`` are its earlier results; ``critical`` that it could be doubled (M-7), ``doubled`` that it
    was.
    """

    number: int
    die: str
    result: int
    rerolled: tuple[int, ...] = ()
    critical: bool = False
    doubled: bool = False
    settled: bool = False
    counted: bool = False


@dataclass(frozen=True, slots=True)
class AttackResult:
    """An attack as it was compared (A-1): the final AP of the attacker and EP of the attacked OPERATOR.

    ``damage`` is what the HITCOUNTER grew by, 0 for a miss. ``critical`` that a die was doubled (M-7).
    ``ap_changes`` and ``ep_changes`` are what the two numbers were put together from, beside their VALUEs.
    """

    attacker: Key
    attacked: Key
    ap: int
    ep: int
    damage: int
    critical: bool
    rolls: tuple[Roll, ...]
    ap_changes: tuple[Change, ...] = field(default=(), compare=False)
    ep_changes: tuple[Change, ...] = field(default=(), compare=False)

    @property
    def hits(self) -> bool:
        """AP higher than EP."""
        return self.ap > self.ep


@dataclass(frozen=True, slots=True)
class ChainLink:
    """An event and the effect that acted at it (None: a rule did)."""

    event: str
    who: Key | None
    origin: Origin | None


_LAST = 8
"""So many of the last links are looked at for what goes on and on."""


@dataclass(frozen=True, slots=True)
class EndlessChain:
    """Events that went on beyond the bound; what had not happened by then did not happen.

    ``links`` are the events that brought each other about, the earliest first.
    """

    links: tuple[ChainLink, ...]

    @property
    def effects(self) -> tuple[Origin, ...]:
        """The effects that go on and on, each once."""
        return tuple(dict.fromkeys(link.origin for link in self.links[-_LAST:] if link.origin))

    @property
    def sentence(self) -> str:
        """What went on, for people."""
        return self.told(lambda origin: origin.entry)

    def told(self, place: Callable[[Origin], str]) -> str:
        """The same, with what ``place`` says of where each effect stands."""
        words = [f"`{origin.text}` ({place(origin)})" for origin in self.effects]
        return f"Events bring each other about without end: {', then '.join(words)}, and so on."


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happened. ``attack`` is the attack of an ACTION Attack that was compared; ``trace`` what led
    there.

    ``chain`` is set where a bound stopped events that would have gone on without end.
    """

    state: GameState
    trace: tuple[TraceEntry, ...] = ()
    attack: AttackResult | None = None
    chain: EndlessChain | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why it is not allowed: the id of the most specific rule that forbids it, and a sentence.

    The state is as it was: states are values, and the caller still holds his.
    """

    rule_id: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Stopped(Refusal):
    """A scripted source of dice or decisions had no answer; ``rule_id`` is empty."""
