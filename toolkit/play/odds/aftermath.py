"""What can still come of an attack once its AP and EP are compared: which effects react, and what they touch.

H-1 is judged at once. So who has too many HITCOUNTERs is HIT unless it has a last chance (E-15), and another
one can become HIT only by an effect that an event of the attack sets off, at once or by further events. What
a verb touches is a fact of its row (``Form.touches``).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from itertools import product
from typing import Literal, NamedTuple, TypeVar

from msgspec import Struct

from toolkit.dsl import tree
from toolkit.engine.acting_effects import Attack
from toolkit.engine.compiled_rules import (
    MAKING,
    RARELY_AFTER_DICE,
    AttackPart,
    ContinuousAction,
    ContinuousEffect,
    EffectTable,
    EventChoice,
    EventClauses,
    EventEffect,
    Rules,
    dice_after,
)
from toolkit.engine.state import SIDES, GameState
from toolkit.engine.state_queries import StateQueries
from toolkit.play.odds.exploring import Solution
from toolkit.vocabulary import FORMS

BearerRole = AttackPart | None
"""The role in an attack of who bears an effect, or on whose side it acts; None if it can be any."""


Touch = Literal["hurts", "helps", "places", "others", "GAME"]
"""What effects can do about whether the target is HIT: make it HIT, keep it from that, change places and
attached cards, or only who else is on the FIELD, on both of which DP can depend, or end the GAME."""

_ANYTHING: frozenset[Touch] = frozenset(("hurts", "helps", "places", "others", "GAME"))
_FALLING = ("would become HIT", "becomes HIT")
_REWARDED = ("becomes HIT", "reaches")
"""Events that fulfil PERFORMANCE (K-1)."""
_OUTSIDE = frozenset(
    ("performed", "played", "begins", "turn-begins", "turn-ends", "round-begins", "round-ends")
)
"""Events that never happen after the dice of an attack."""


class Reactions(NamedTuple):
    """What effects touch that react to an event, and which events they bring about."""

    touches: frozenset[Touch] = frozenset()
    brings: frozenset[str] = frozenset()

    def __or__(self, other: Reactions) -> Reactions:
        return Reactions(self.touches | other.touches, self.brings | other.brings)


NO_REACTION = Reactions()


AboutDP = Literal["DP of bearer", "DP of places", "DP of more"]
About = AboutDP | Literal["RULEVIOLATION", "taking ITEMs", "dice", "dice rarely"]
"""What effects are about that can act after the dice: an effect without `when` changes the DP of the target
as long as it bears it, with who is face up where, with which card, KEYWORD or trait, or with something else;
one gives RULEVIOLATION, takes ITEMs, reads AP or EP, reads them at an event that is rare then."""


def _about_dp(effect: ContinuousEffect, role: BearerRole) -> AboutDP | None:
    """How an effect without `when` may change the DP of the target, None if it cannot.

    ``role`` is that of who bears it.
    """
    may_read_anything = effect.reads is None
    if MAKING["DP"].isdisjoint(effect.makes) and not (effect.gives and may_read_anything):
        return None
    if effect.own and not effect.gives and role not in ("attacked", None):
        return None  # it changes another's
    if may_read_anything:
        return "DP of more"
    is_plain = not effect.reads and effect.condition is None and all(map(_is_constant, effect.actions))
    return "DP of bearer" if effect.own and role == "attacked" and is_plain else "DP of places"


def _is_constant(action: ContinuousAction) -> bool:
    does = action.does
    return isinstance(does, tree.Ignores) or (isinstance(does, tree.Gets) and does.per is None)


def _about(table: EffectTable, role: BearerRole) -> frozenset[About]:
    """What the effects of a card are about that can act after the dice, if its bearer has that role."""
    waits_for = table.waits_for
    about_dp = {_about_dp(effect, role) for effect in table.always}
    facts: dict[About, bool] = {
        "DP of bearer": "DP of bearer" in about_dp,
        "DP of places": "DP of places" in about_dp,
        "DP of more": "DP of more" in about_dp,
        "RULEVIOLATION": tree.GainsRuleviolation in table.makes,
        "taking ITEMs": tree.TakesItem in table.makes,
        "dice": "dice" in waits_for,
        "dice rarely": not waits_for.isdisjoint(map(dice_after, RARELY_AFTER_DICE)),
    }
    return _holding(facts)


_GETTING_ITEM = Reactions(frozenset(("places",)), frozenset(("attached",)))


class Aftermath(Struct, eq=False):
    """What can come of an attack after its dice, with these cards in play; cards in hands are out of it.

    ``reactions`` are those to each event, ``hears`` says that there is an effect among them; ``touched`` is
    all that they can touch in an attack, by what comes of it.
    """

    rules: Rules
    reactions: dict[str, Reactions]
    hears: bool
    about: frozenset[About]
    known: dict[frozenset[str], Reactions] = {}
    touched: tuple[frozenset[Touch], ...] = ()

    def after(self, events: frozenset[str]) -> Reactions:
        """Return what is touched by all that reacts to events and to what they bring about, and all events
        that happen."""
        if not self.reactions:
            return NO_REACTION
        reactions = self.known.get(events)
        if reactions is None:
            reactions = self.known[events] = self._after(events)
        return reactions

    def _after(self, events: frozenset[str]) -> Reactions:
        touches, happening, waiting = set[Touch](), set(events), list(events)
        while waiting:
            reactions = self.reactions.get(waiting.pop())
            if reactions is not None:
                touches |= reactions.touches
                waiting += reactions.brings - happening
                happening |= reactions.brings
        return Reactions(frozenset(touches), frozenset(happening))


@cache
def events_of(hits: bool, is_critical: bool, counts: bool, somebody_falls: bool) -> frozenset[str]:
    """Return the events of an attack itself; ``counts``: its DAMAGE is not 0."""
    events = ["performs", "action-ends", "becomes OUT", "hits" if hits else "misses"]
    events += ["critical"] if is_critical else []
    events += ["gets HITCOUNTER"] if counts else []
    return frozenset([*events, *(_FALLING if somebody_falls else ())])


_ALL_OF_ATTACK = events_of(True, True, True, True) | {"misses"}
LAST_CHANCE = frozenset(("would become HIT",))
_ALL_RESULTS = (LAST_CHANCE, *(events_of(*facts) for facts in product((False, True), repeat=4)))
"""The events that ``after`` is asked about."""


class Borne(NamedTuple):
    """A card in play, and the role in an attack of who bears it; ``may_move``: it may be given to another."""

    card: str
    role: BearerRole
    may_move: bool = False


class Analysis:
    """What can come of attacks, found once for the same cards in play."""

    def __init__(self) -> None:
        self._aftermaths: dict[tuple[object, ...], Aftermath] = {}
        self._abouts: dict[tuple[int, BearerRole], frozenset[About]] = {}
        self._reactions: dict[tuple[int, BearerRole, bool], list[tuple[str, Reactions]]] = {}
        self._does_nothing: dict[tuple[int, str], bool] = {}
        self._alike: dict[Hashable, tuple[dict[frozenset[str], Reactions], tuple[frozenset[Touch], ...]]] = {}
        self.solutions: dict[Hashable, Solution] = {}

    def of(self, game: StateQueries, attack: Attack) -> Aftermath:
        """Return what can come of an attack after its dice."""
        rules, state = game.rules, game.state
        borne = [card for card in _borne(state, attack) if not self._is_idle(rules, card.card)]
        has_items = bool(state.blue.item_deck or state.red.item_deck)
        is_duel = len(state.operators) == 2
        key = id(rules), is_duel, has_items, *borne
        aftermath = self._aftermaths.get(key)
        if aftermath is None:
            aftermath = self._aftermaths[key] = self._analysed(rules, borne, is_duel, has_items)
        return aftermath

    def _is_idle(self, rules: Rules, card: str) -> bool:
        """Whether a card does nothing that matters after the dice."""
        key = id(rules), card
        is_idle = self._does_nothing.get(key)
        if is_idle is None:
            table, keywords = rules.cards[card].effects, rules.cards[card].keywords
            is_active = keywords or "KEYWORD" in table.waits_for or self._about(table)
            is_idle = self._does_nothing[key] = not (is_active or table.events.keys() - _OUTSIDE)
        return is_idle

    def _analysed(self, rules: Rules, borne: Sequence[Borne], is_duel: bool, has_items: bool) -> Aftermath:
        """Return what can come of an attack with these cards in play, whatever its dice show."""
        tables = rules.tables([card for card, _, _ in borne])
        takes_items = any(tree.TakesItem in table.makes for table in tables)
        roles_by_table: dict[int, list[BearerRole]] = {}
        for card, role, may_move in borne:
            may_be_anybodys = may_move and takes_items
            roles = roles_by_table.setdefault(id(rules.cards[card].effects), [])
            roles.append(None if may_be_anybodys else role)
        about = frozenset[About]()
        reactions: dict[str, Reactions] = {}
        for table in tables:
            # tables of no card in play, such as those of KEYWORDs, may act for anybody
            for role in roles_by_table.get(id(table), (None,)):
                about |= self._about(table, role)
                for event, reaction in self._reactions_of(table, role, is_duel):
                    reactions[event] = reactions.get(event, NO_REACTION) | reaction
        hears = bool(reactions)
        if has_items:
            for event in _REWARDED:
                reactions[event] = reactions.get(event, NO_REACTION) | _GETTING_ITEM
        aftermath = Aftermath(rules, reactions, hears, about)
        if reactions:
            self._share_known(aftermath)
        if "dice rarely" in about:
            waits_for = frozenset[str]().union(*(table.waits_for for table in tables))
            possible_events = aftermath.after(_ALL_OF_ATTACK).brings
            if any(dice_after(event) in waits_for for event in RARELY_AFTER_DICE & possible_events):
                aftermath.about |= {"dice"}
        return aftermath

    def _share_known(self, aftermath: Aftermath) -> None:
        """Let all aftermaths with equal reactions share what follows from these: there are few of them."""
        reactions = frozenset(aftermath.reactions.items())
        if reactions not in self._alike:
            touched = tuple([aftermath.after(events).touches for events in _ALL_RESULTS])
            self._alike[reactions] = aftermath.known, touched  # `after` has filled `known`
        aftermath.known, aftermath.touched = self._alike[reactions]

    def _about(self, table: EffectTable, role: BearerRole = None) -> frozenset[About]:
        about = self._abouts.get((id(table), role))
        if about is None:
            about = self._abouts[id(table), role] = _about(table, role)
        return about

    def _reactions_of(
        self, table: EffectTable, role: BearerRole, is_duel: bool
    ) -> list[tuple[str, Reactions]]:
        """How the effects of a table react to each event; ``is_duel``: only the two OPERATORs of the attack
        are in play."""
        key = id(table), role, is_duel
        reactions = self._reactions.get(key)
        if reactions is None:
            reactions = self._reactions[key] = [
                (_event_with_action(name, effect), _reaction_of(effect, role, is_duel))
                for name, effects in table.events.items()
                if name not in _OUTSIDE
                for effect in effects
            ]
        return reactions


def _borne(state: GameState, attack: Attack) -> Iterator[Borne]:
    """Yield the cards in play, and the ITEMs that may come into play."""
    for operator in state.operators:
        role: BearerRole = "own" if operator.side == attack.side else "enemy"
        if operator.key == attack.attacker.key:
            role = "attacker"
        elif operator.key == attack.attacked.key:
            role = "attacked"
        yield Borne(operator.card, role)
        if operator.attached is not None:
            yield Borne(operator.attached, role, may_move=True)
    for side in SIDES:
        player = state.player(side)
        for card in player.strategies:
            yield Borne(card, "own" if side == attack.side else "enemy")
        for card in player.item_deck:
            yield Borne(card, None)


def _event_with_action(name: str, effect: EventEffect) -> str:
    """The event that an effect reacts to, with its ACTION if that is another than ATTACK.

    An effect that names no ACTION reacts to those of an ATTACK, too, so its event has the bare name.
    """
    return f"{name} {effect.what}" if effect.what not in ("", "ATTACK") else name


def _reaction_of(effect: EventEffect, role: BearerRole, is_duel: bool) -> Reactions:
    """What an effect touches and brings about with all that it does, in any of its branches."""
    reactions = NO_REACTION
    for doing, subject in _actions(effect.clauses):
        reactions |= _of_verb(doing, not _spares_target(effect, subject, role, is_duel))
    return reactions


def _actions(clauses: EventClauses) -> Iterator[tuple[tree.Doing, tree.Who]]:
    """Yield what clauses may do and who does it, of all choices and of both `if so` and `if not`."""
    for clause in clauses:
        if isinstance(clause, EventChoice):
            yield from _actions((*clause.first, *clause.second))
            continue
        for action in clause.actions:
            yield action.does, clause.who
        yield from _actions((*clause.if_so, *clause.if_not))


def _spares_target(effect: EventEffect, subject: tree.Who, role: BearerRole, is_duel: bool) -> bool:
    """Whether a WHO never means the attacked OPERATOR, if somebody with that role bears the effect.

    ``is_duel``: only the attacker and the attacked are in play.
    """
    if isinstance(subject, tree.Player):
        return True
    if isinstance(subject, tree.Ref):
        return _ref_spares_target(effect, subject.name, role)
    if is_duel and subject.group.adjacent is not None:
        return True  # each side has one OPERATOR, which nobody is adjacent to
    if role is None or subject.group.side == "any":
        return False
    bearer_defends = role in ("attacked", "enemy")
    return bearer_defends != (subject.group.side == "own")


def _ref_spares_target(effect: EventEffect, name: str, role: BearerRole) -> bool:
    """Whether a REF never means the attacked OPERATOR, if somebody with that role bears the effect."""
    match name:
        case "self":
            return role not in ("attacked", None)
        case "attacker":
            return True
        case "target":
            # in an effect that hears of the attacks of its bearer, the other one of the two
            hears_own_attacks = effect.part is not None and effect.whose == "self"
            return role == "attacked" and hears_own_attacks
    return False  # `attacked` is the very one, and `it` may be


_TOUCHES = {getattr(tree, form.node): form.touches for form in FORMS.values()}


def _of_verb(doing: tree.Doing, may_be_target: bool) -> Reactions:
    """What a verb touches, and which events it brings about."""
    touched = _TOUCHES[type(doing)]
    if touched is None:  # its row does not say
        return Reactions(_ANYTHING, RARELY_AFTER_DICE)
    reactions = NO_REACTION
    for name in touched:
        if name.startswith("{"):  # `{what}` or `{stat}`: the number that the sentence names
            changed = doing.what if isinstance(doing, tree.Gets) else doing.stat  # type: ignore[union-attr]
            reactions |= _of_number(doing, changed.text, may_be_target)
        elif name == "OBJECTIVECOUNTER":
            reactions |= _of_number(doing, name, may_be_target)
        elif name == "places":
            reactions |= Reactions(frozenset(("places",)))
        elif name == "GAME":
            reactions |= Reactions(frozenset(("GAME",)))
        else:
            reactions |= Reactions(brings=frozenset((name,)))
    return reactions


def _of_number(doing: tree.Doing, changed: str, may_be_target: bool) -> Reactions:
    """What a change of a number or counter touches; another OPERATOR than the target may fall by it."""
    if changed == "RANGE":
        return Reactions(frozenset(("places",)))
    if changed == "OBJECTIVECOUNTER":
        return Reactions(brings=frozenset((f"gets {changed}", f"loses {changed}", "reaches")))
    if changed.startswith("MARKER"):
        return Reactions(brings=frozenset((f"gets {changed}", f"loses {changed}")))
    if changed not in ("HITCOUNTER", "DP"):
        return NO_REACTION
    counts_up = counts_down = True
    if isinstance(doing, tree.Gets) and doing.per is None:
        counts_up, counts_down = doing.amount > 0, doing.amount < 0
    hurts, helps = (counts_up, counts_down) if changed == "HITCOUNTER" else (counts_down, counts_up)
    touches: dict[Touch, bool] = {"hurts": hurts and may_be_target, "places": hurts, "helps": helps}
    brings = {
        "would become HIT": hurts,
        "becomes HIT": hurts,
        "gets HITCOUNTER": counts_up and changed == "HITCOUNTER",
        "loses HITCOUNTER": counts_down and changed == "HITCOUNTER",
    }
    return Reactions(_holding(touches), _holding(brings))


_Name = TypeVar("_Name", bound=str)


def _holding(facts: dict[_Name, bool]) -> frozenset[_Name]:
    return frozenset([name for name, holds in facts.items() if holds])
