"""What comes of an ACTION, a card or a phase: an outcome with its trace, or a refusal. All are values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from toolkit.dsl.effect_objects import Layer, Origin
from toolkit.engine.modifiers import Change
from toolkit.engine.state import Key
from toolkit.source.short_repr import PublicValue

EntryKind = Literal[
    "change", "skipped", "die", "decision", "card", "compare", "status", "counter", "event", "note"
]


class TraceEntry(PublicValue, Struct, frozen=True):
    """One thing that happened, or that did not happen and why.

    ``rule`` is the id of the rule that acted. ``step`` is the step of MODIFY, 1 to 6; 0 before it, 7 for what
    acts after M-7; None outside of MODIFY. ``origin`` is the effect (entry, part, sentence), ``who`` the
    OPERATOR concerned. For a change of a number or counter ``stat``, ``layer``, ``amount`` and ``before`` →
    ``after``, which are the numbers as they are carried, not cut off at the floor (N-5). ``text`` is a plain
    sentence; of a skipped effect it is the reason ("its condition is false: HITCOUNTER of target is 0").
    """

    kind: EntryKind
    rule: str
    text: str
    step: int | None = None
    origin: Origin | None = None
    who: Key | None = None
    stat: str | None = None
    layer: Layer | None = None
    amount: int | None = None
    before: int | str | None = None
    after: int | str | None = None


class Roll(PublicValue, Struct):
    """A die of an attack as it counts in the end: ``die`` is ATTACK or DEFENCE, ``number`` as rolled from 1.

    ``settled`` says that M-7 has been decided for it, ``counted`` that it is part of the numbers.
    ``rerolled`` are its earlier results; ``critical`` that it could be doubled (M-7), ``doubled`` that it
    was. ``is_aside`` says that it was set aside (E-23): then it is settled, and no part of the numbers.
    """

    number: int
    die: str
    result: int
    rerolled: tuple[int, ...] = ()
    critical: bool = False
    doubled: bool = False
    settled: bool = False
    counted: bool = False
    is_aside: bool = False


class AttackResult(PublicValue, Struct, frozen=True):
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
    ap_changes: tuple[Change, ...] = ()
    ep_changes: tuple[Change, ...] = ()

    @property
    def hits(self) -> bool:
        """Whether AP is higher than EP."""
        return self.ap > self.ep


class ChainLink(PublicValue, Struct, frozen=True):
    """An event and the effect that acted at it (None: a rule did)."""

    event: str
    who: Key | None
    origin: Origin | None


_LAST = 8
"""So many of the last links are looked at for what goes on and on."""


class EndlessChain(PublicValue, Struct, frozen=True):
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
        return self.described(lambda origin: origin.entry)

    def described(self, describe_origin: Callable[[Origin], str]) -> str:
        """Return the same, with what ``describe_origin`` says of where each effect stands."""
        words = [f"`{origin.text}` ({describe_origin(origin)})" for origin in self.effects]
        return f"Events bring each other about without end: {', then '.join(words)}, and so on."


class Outcome(PublicValue, Struct, frozen=True):
    """What happened. ``attack`` is the attack of an ACTION Attack that was compared; ``trace`` what led
    there, empty where nothing is traced.

    ``chain`` is set where a bound stopped events that would have gone on without end. ``attacks`` are all
    that were compared, those of ACTIONs at once too (E-32).
    """

    trace: tuple[TraceEntry, ...] = ()
    attack: AttackResult | None = None
    chain: EndlessChain | None = None
    attacks: tuple[AttackResult, ...] = ()


class Refusal(PublicValue, Struct, frozen=True):
    """Why it is not allowed: the id of the most specific rule that forbids it, and a sentence.

    The state is as it was.
    """

    rule_id: str
    sentence: str


class Stopped(Refusal, frozen=True):
    """A scripted source of dice or decisions had no answer; ``rule_id`` is empty."""
