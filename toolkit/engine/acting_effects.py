"""Effects that act: whose they are and what bears them, and those that an attack has gathered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from toolkit.engine.compiled_rules import (
    Aspect,
    AttackPart,
    ContinuousAction,
    ContinuousEffect,
    EffectTable,
    EventEffect,
)
from toolkit.engine.compiler import Context
from toolkit.engine.modifiers import Change, Holding
from toolkit.engine.outcomes import Roll
from toolkit.engine.state import UP, GameState, Key, OperatorState, Side, Used


class Active(NamedTuple):
    """An effect without `when` that is active: from where it is read (M-10), on which attached card, and what
    it uses up (E-4)."""

    effect: ContinuousEffect
    context: Context
    card: str | None
    limit: Used | None


class Source(Struct, frozen=True, eq=False):
    """Effects that are active: whose they are, who bears them (None: a STRATEGY), by what, and those without
    `when` among them.

    ``card`` is the attached card, the KEYWORD or the OBJECTIVE that gives them to the bearer, for its SKILLs
    its own; None for those of ruleset and mode. ``number`` tells a STRATEGY from its copies
    (``PlayerState.in_play``).
    """

    table: EffectTable
    controller: Side
    bearer: OperatorState | None = None
    card: str | None = None
    number: int | None = None
    always: tuple[Active, ...] = ()

    def limit(self, effect: ContinuousEffect | EventEffect) -> Used | None:
        """Return what an effect uses up, for each card that bears it; None without a limit (E-4)."""
        if effect.limit is None:
            return None
        origin, bearer = effect.origin, self.bearer
        # **ruling:** PERFORMANCE of the mode counts for each player
        key = None if bearer is None or origin.role in ("performance", "objective") else bearer.key
        position = bearer.position if bearer is not None and origin.role == "objective" else None
        sentence = origin.entry, origin.part, origin.sentence
        return Used(effect.limit, self.controller, *sentence, key, self.number, position)


class StaticEffects(Struct, eq=False):
    """The effects without `when` that are active, by what they make, in the order of M-11.

    ``made`` keeps what settled ones make of an OPERATOR since it was first asked: changes or holdings.
    """

    acting: dict[Aspect, list[Active]] = {}
    made: dict[tuple[Key, Aspect], list[Any]] = {}


class Arrangement(Struct, eq=False):
    """What follows from who is face up where with which cards, each found when it is first asked for.

    ``active`` are the OPERATORs that are face up on the FIELD by player, ``sources`` everything of a player's
    that acts, ``waiting`` what waits for something by whose come first (``EffectTable.waits_for``),
    ``static`` the effects without `when` by the same, ``givers`` those of them that give KEYWORDs; ``ranges``
    and ``with_team_mate`` say of OPERATORs their RANGE, and whether a team mate is in it, if that is settled.
    Where ``keywords_vary``, who has which may change although nobody moves; ``keywords`` are those with which
    the sources were found.

    When something changes it is replaced, never emptied, so that whoever takes a change back can go on with
    the one from before.
    """

    active: dict[Side, list[OperatorState]] = {}
    sources: dict[Side, list[Source]] = {}
    waiting: dict[tuple[Side, str], list[Source]] = {}
    static: dict[Side, StaticEffects] = {}
    givers: list[Active] | None = None
    ranges: dict[Key, int] = {}
    with_team_mate: dict[Key, bool] = {}
    keywords: tuple[tuple[str, ...], ...] = ()
    keywords_vary: bool = False

    @staticmethod
    def basis(state: GameState) -> object:
        """Return all that it follows from, to be compared with that of another moment of the GAME."""
        return (
            [
                (operator.position, operator.status in UP, operator.attached, operator.comes_first)
                for operator in state.operators
            ],
            *((player.strategies, player.numbers, player.objectives) for player in (state.blue, state.red)),
        )

    def without_sources_of(self, side: Side) -> Arrangement:
        """Return the same after a card without effects that always act has come to a player's OPERATOR, or
        gone."""
        sources = self.sources.copy()
        sources.pop(side, None)
        return replace(self, sources=sources, waiting={})

    def with_keywords(self, keywords: tuple[tuple[str, ...], ...]) -> Arrangement:
        """Return the same after somebody has got or lost a KEYWORD."""
        return replace(
            self, sources={}, waiting={}, static={}, ranges={}, with_team_mate={}, keywords=keywords
        )


class Pending(Struct, eq=False):
    """A continuous effect of an attack; ``verdict`` is None until its sentence is judged, once (M-8).

    ``limit`` is what it uses up (E-4).
    """

    effect: ContinuousEffect
    context: Context
    card: str | None = None
    verdict: bool | None = None
    limit: Used | None = None


Sentence = tuple[int, Side, "Key | None", "int | None"]
"""A sentence on what bears it: the ``id`` of the effect, its controller, the key of its bearer, the number of
the STRATEGY in play."""


class Attack(Struct, eq=False):
    """An attack from its beginning to its end, events included.

    The two OPERATORs are fixed; the rest grows. ``late`` says where in MODIFY lasting modifiers stand that
    the attack itself brought about, by serial number: **ruling:** one made `when attached` in step 5, one
    made by an event after A-1 behind all steps. ``due`` are the pending effects by the time at which they
    act; ``cards`` those attached in it, ``used_dice_verbs`` what rerolls, sets and keeps dice and has been
    used or declined, ``damage`` what was added to the HITCOUNTER, once it was compared (E-14).

    While it begins (``begun`` is not set) nothing waits or acts in it: numbers are those outside attacks
    (E-21). ``came_up`` are the sentences that have heard it begin, ``earlier_targets`` the keys of those that
    it was on before (E-22).
    """

    attacker: OperatorState
    attacked: OperatorState
    side: Side
    late: tuple[tuple[int, int], ...] = ()
    pending: list[Pending] = []
    due: dict[int, list[Pending]] = {}
    changes: list[Change] = []
    holdings: list[Holding] = []
    rolls: list[Roll] = []
    used_dice_verbs: list[Holding] = []
    cards: set[str] = set()
    critical: bool = False
    damage: int = 0
    begun: bool = True
    came_up: frozenset[Sentence] = frozenset()
    earlier_targets: frozenset[Key] = frozenset()

    def wait(self, pending: Sequence[Pending]) -> None:
        """Add effects that wait for their time."""
        self.pending += pending
        due = self.due
        for pending_effect in pending:
            for time in pending_effect.effect.due:
                if time in due:
                    due[time].append(pending_effect)
                else:
                    due[time] = [pending_effect]

    def forget(self, bearer: OperatorState, card: str) -> None:
        """Let go of what a card on an OPERATOR made that was lost in this attack (E-30), for another copy of
        it is attached."""

        def is_of_it(pending: Pending) -> bool:
            return pending.card == card and pending.context.self is bearer

        for waiting in (self.pending, *self.due.values()):
            waiting[:] = [pending for pending in waiting if not is_of_it(pending)]
        self.changes[:] = [made for made in self.changes if (made.bearer, made.card) != (bearer.key, card)]
        self.holdings[:] = [made for made in self.holdings if (made.bearer, made.card) != (bearer.key, card)]


def attack_part(
    controller: Side, bearer: OperatorState | None, attacker: OperatorState, attacked: OperatorState
) -> AttackPart:
    """Return the part that the bearer of an effect (None: a STRATEGY) plays in an attack."""
    if bearer is attacker:
        return "attacker"
    if bearer is attacked:
        return "attacked"
    return "own" if controller == attacker.side else "enemy"


def change_by(
    action: ContinuousAction,
    effect: ContinuousEffect,
    context: Context,
    operator_key: Key,
    step: int,
    rule: str,
    card: str | None,
) -> Change:
    """Return what an action changes for one OPERATOR. A counted amount is counted now."""
    assert action.layer is not None
    bearer = context.self
    return Change(
        operator_key,
        action.stat,
        action.layer,
        action.amount(context),
        step,
        context.controller,
        rule,
        effect.origin,
        ignored_as=effect.ignored_as,
        by_card=effect.by_card,
        bearer=None if bearer is None else bearer.key,
        card=card,
        number=context.number,
    )


def holding_by(
    action: ContinuousAction,
    effect: ContinuousEffect,
    context: Context,
    holder: Key | Side,
    rule: str,
    card: str | None,
    limit: Used | None = None,
) -> Holding:
    """Return what an action makes an OPERATOR or a player hold."""
    bearer = context.self
    return Holding(
        holder,
        action.does,
        context.controller,
        rule,
        effect.origin,
        bearer=None if bearer is None else bearer.key,
        card=card,
        limit=limit,
        number=context.number,
    )
